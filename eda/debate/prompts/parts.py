"""Which sections of memory stand in which part of a prompt, and what each takes."""

from __future__ import annotations

from dataclasses import dataclass

from eda.memory.context.sections import Context, Section, in_parts
from eda.runners.protocol import Prompt

_GROWING = ("table", "notes", "transcript")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a prompt."""

    name: str
    tokens: int
    shown: int  # items
    left_out: int = 0
    why: str = ""  # items were left out


def is_held(section: Section, prompt: Prompt) -> bool:
    """Return whether the section follows the shared part."""
    return section.name not in ("summaries", *_GROWING) and not _needless(section, prompt)


def growing(context: Context, prompt: Prompt) -> tuple[str, ...]:
    """Return the parts that follow the summaries in the shared part of every prompt."""
    sections = filter(None, map(context.section, _GROWING))
    return in_parts(*(section for section in sections if not _needless(section, prompt)))


def _needless(section: Section, prompt: Prompt) -> str:
    """Return why a prompt does without a section; empty where it has it."""
    if section.name == "recalled" and prompt.purpose == "speak" and prompt.stage == "closing":
        return "a closing word answers nobody"
    return "the question lists all that is on it" if section.name == "table" and not prompt.last else ""


def part_of(section: Section, prompt: Prompt) -> Part:
    """Return the part of a prompt that a section makes."""
    if why := _needless(section, prompt):
        return Part(section.name, 0, 0, len(section.lines) + section.left_out, why)
    return Part(section.name, section.tokens, len(section.lines), section.left_out, section.why)


def hears_all(_: int) -> bool:
    """Return True: the member has heard every message."""
    return True
