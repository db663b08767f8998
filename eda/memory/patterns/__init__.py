"""Patterns and language as data: what people say when they propose, decide, agree and object."""

from eda.memory.patterns.language import Language
from eda.memory.patterns.pack import PatternPack, default_language, default_pack
from eda.memory.patterns.pattern import KINDS, Hit, Kind, Pattern

__all__ = ["KINDS", "Hit", "Kind", "Language", "Pattern", "PatternPack", "default_language", "default_pack"]
