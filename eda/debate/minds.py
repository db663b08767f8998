"""What would change a member's mind, as it says itself in the talk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from eda.events import MessagePosted
from eda.text import clean, mask_quotes, normalise, sentences

_HELD = re.compile(r"(?<!\w)p(\d+)")
_YIELDS = "wait|reconsider|accept|agree|support|sign|give way|come round|vote"
_WOULD = rf"\bI(?:'d| would)\s+(?:\w+\s+)?(?:{_YIELDS})\b"
_IF = r"\b(?:if|when|once|unless|until|whatever|provided)\b"
_MOVES = re.compile(
    rf"\bchange my mind\b|\b(?:would|could) (?:move|convince|persuade|sway) me\b|"
    rf"{_WOULD}.*{_IF}|{_IF}.*{_WOULD}|\band {_WOULD}|"
    rf"\bI(?:'d| would) need\b.*\bto (?:think again|{_YIELDS})\b|"
    r"\bshow me\b.*\band I(?:'ll| will| shall|'d| would)? \w+", re.IGNORECASE | re.DOTALL
)  # fmt: skip
"""A member says in the first person what would move it."""
_MOVED = re.compile(r"\?|\b(?:and it (?:did|does)|no longer|changed my mind|I (?:had )?said)\b", re.IGNORECASE)
"""It has moved it already, or it asks."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What would change the mind of a member, in its own words."""

    who: str
    text: str
    message: int = 0
    """0 where it said so in a poll or on its ballot."""
    holds: str = ""
    """What it chose in that poll; empty where it chose nothing, or said so elsewhere."""
    polled: bool = False
    """True if it was asked for it, in a poll."""
    agrees: bool = False
    """True if it was said in the talk by a member who is with the outcome."""


def movers(messages: Iterable[MessagePosted], who: str, choice: str) -> tuple[Condition, ...]:
    """Return the sentences in which a member says what would move it, the newest first.

    What it said before any text of its last `choice` was made is past.
    """
    texts = [int(number) for number in _HELD.findall(choice)]
    told = []
    for message in messages:
        if message.who != who or (texts and all(number > message.number for number in texts)):
            continue
        plain = normalise(message.talk)
        masked = mask_quotes(plain)
        for start, end in sentences(plain):
            if _MOVES.search(masked, start, end) and not _MOVED.search(masked, start, end):
                told.append(Condition(who, clean(message.talk[start:end], end - start), message.number))
    return tuple(reversed(told))
