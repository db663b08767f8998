"""What a resolution says of the proposal before it: that it holds, is turned down, or is now another."""

from __future__ import annotations

import re

from eda.memory.wording import words

__all__ = ["accepts_as_put", "revises", "turns_down"]

_AS_PUT = re.compile(
    r"^\W*(?:(?:so )?(?:resolved|decided|resolution|decision)\b\W*)?(?:(?:the |this |that )?(?:proposal |motion )?"
    r"(?:is |was |has been )?(?:(?:accepted|adopted|approved|agreed|carried|passed)(?: unanimously)?)?"
    r"(?: ?as (?:proposed|put|written|stated|above|it stands))?)\W*$",
    re.IGNORECASE,
)
_TURNED_DOWN = re.compile(
    r"^\W*(?:(?:the|this|that) )?(?:proposal |motion |idea )?(?:is |was |has been )?"
    r"(?:not (?:adopted|accepted|approved|carried|passed)\b|(?:rejected|declined|voted down|turned down|defeated)"
    r"(?=\W*$| by | with | because | for now))|"
    r"^\W*(?:reject|decline|drop|turn down|do not (?:adopt|accept)) (?:the |this |that |[\w']+ )?"
    r"(?:proposal|motion|idea)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[\w']+")
_DATED = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|today|tomorrow|noon|midnight|morning|afternoon|evening",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\b(?:use|choose|pick|select|go with|(?:moves?|switch|migrate) to)(?: the)?$", re.IGNORECASE)


def accepts_as_put(text: str) -> bool:
    """Whether a resolution says nothing of its own: `RESOLVED`, `accepted as proposed`."""
    return bool(_AS_PUT.match(text))


def turns_down(text: str, proposal: str = "") -> bool:
    """Whether a resolution rejects what was proposed, where the proposal was not just that."""
    return bool(_TURNED_DOWN.search(text)) and not _TURNED_DOWN.search(proposal)


def revises(old: str, new: str) -> bool:
    """Whether two outcomes are the same but for a day, or for what is taken: then both cannot hold."""
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    low_left, low_right = [t.lower() for t in left], [t.lower() for t in right]
    if low_left == low_right:
        return False
    start = 0
    while start < min(len(left), len(right)) and low_left[start] == low_right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and low_left[-1 - end] == low_right[-1 - end]:
        end += 1
    gone, come = left[start : len(left) - end], right[start : len(right) - end]
    if len(gone) != 1 or len(come) != 1:
        return False
    if _DATED.fullmatch(gone[0]) and _DATED.fullmatch(come[0]):
        return True
    same = words(" ".join(left[:start] + left[len(left) - end :]))
    named = gone[0][:1].isupper() and come[0][:1].isupper()
    return named and len(same) >= 2 and bool(_TAKES.search(" ".join(left[:start])))
