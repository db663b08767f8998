"""Patterns as data: what people say when they propose, decide, agree and object."""

from eda.patterns.check import CheckRow
from eda.patterns.normalise import lower, normalise
from eda.patterns.pack import PatternPack, default_pack
from eda.patterns.pattern import KINDS, Hit, Kind, Pattern
from eda.patterns.sentences import mask_quotes, sentences

__all__ = [
    "KINDS",
    "CheckRow",
    "Hit",
    "Kind",
    "Pattern",
    "PatternPack",
    "default_pack",
    "lower",
    "mask_quotes",
    "normalise",
    "sentences",
]
