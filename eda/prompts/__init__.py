"""Prompt texts are Markdown files beside this module; `fill` puts values into them, and never looks into a value."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["fill", "quoted"]

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


@cache
def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()


def quoted(text: str) -> str:
    """Text of people, files and models as data: no line but the first begins where a prompt's own lines begin."""
    return "\n    ".join(text.splitlines())


def fill(name: str, /, **values: str) -> str:
    """The text of `name`.md with each `{{slot}}` replaced. Values are not looked into."""
    return _SLOT.sub(lambda slot: values[slot[1]], _text(name))
