"""What a prompt says of the moment: what the phase asks of whoever speaks, and who cannot answer now."""

from __future__ import annotations

import re

from eda.patterns import sentences
from eda.progress import Progress
from eda.prompts import quoted

__all__ = ["absent", "asked_for", "phase_line"]

_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_LONGEST = 400
"""Characters of what a phase asks, told to those who do not speak in it yet."""


def asked_for(instruction: str) -> str:
    """What an instruction asks of a speaker, on one line, as far as that is short enough.

    Headings are left out, and sentences that have a slot or lead up to one.
    """
    text = _HEADING.sub("", instruction)
    said = [" ".join(text[start:end].split()) for start, end in sentences(text)]
    line = ""
    for sentence in said:
        if "{{" in sentence or sentence.endswith(":"):
            continue
        if len(line) + len(sentence) > _LONGEST:
            break
        line = f"{line} {sentence}".lstrip()
    return line


def phase_line(phase: str, instruction: str) -> str:
    """The phase and what it asks, as data; empty where it asks nothing."""
    asks = asked_for(instruction)
    return f"The phase is: {quoted(phase)}. Of whoever speaks in it, it asks:\n    {quoted(asks)}" if asks else ""


def absent(progress: Progress) -> str:
    """Who has spoken and left, and who is muted, so that nobody is asked in vain; empty where all can answer."""
    left = [who for who in progress.spoke_at if who not in progress.members]
    left += [who for who in progress.members if who not in progress.voters]
    muted = [who for who in progress.voters if who in progress.muted]
    told = [*(f"{quoted(who)} (has left)" for who in left), *(f"{quoted(who)} (is muted)" for who in muted)]
    return f"These cannot answer now, so ask them nothing: {', '.join(told)}." if told else ""
