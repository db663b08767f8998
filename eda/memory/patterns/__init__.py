"""Patterns and language as data: what people say when they propose, decide, agree and object."""

from eda.memory.patterns.language import Language
from eda.memory.patterns.pack import KINDS, Hit, Kind, Pattern, PatternPack, default_language, default_pack

__all__ = ["KINDS", "Hit", "Kind", "Language", "Pattern", "PatternPack", "default_language", "default_pack"]
