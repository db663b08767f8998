"""Finds in a ballot's reason the texts that it refuses in so many words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eda.voting.naming import FIRST_MASK, in_words, marked

_TEXT = r"[\"'(*_`\[]*[\ue000-\uf8ff][\"')*_`\]]*"
_TEXTS = rf"{_TEXT}(?:[\s,;/]*(?:\b(?:and|or|nor|also)\b)?[\s,]*{_TEXT})*"
_WEIGHS = r"(?:(?:still|also|therefore|simply|must|now|both) )*"
_REFUSE = (
    r"(?:(?:ca|can|could|wo|will|would|do|shall) not (?:accept|support|back|endorse|agree to|live with|vote for)|"
    r"reject|refuse|oppose)"
)
_WHICH = r"(?:(?:the|any|this|that|option|text|motion|proposal)(?: (?!of |to |for |without )[a-z]+){0,2} )?"
_END = r"(?=\s*(?:$|[.,;:!](?:\s|$)|(?:because|since|and|but|too|as well|either)\b))"
"""What may follow a refusal; anything else may be a condition."""
_REFUSED = (
    rf"\bi {_WEIGHS}{_REFUSE} {_WHICH}({_TEXTS}){_END}|"
    rf"({_TEXTS})[\s,]*(?:(?:which|that) )?i {_WEIGHS}{_REFUSE}{_END}|"
    rf"({_TEXTS}) (?:is|are|stays?|remains?) (?:\w+ )?(?:refused|rejected|opposed|unacceptable|not acceptable){_END}|"
    rf"(?:^|[.,;:(!]|\band\b|\bbut\b)\s*not (?:the |for )?({_TEXTS}){_END}"
)
_TAKES = re.compile(r"\b(?:accept|support|back|take|want|prefer|like|choose|for)\s*$")
"""Before a list of texts: only the last of them is what the words after the list speak of."""


def refused_in(reason: str, choices: Sequence[str], ids: Mapping[str, str]) -> list[str]:
    """Return the choices that a reason refuses in so many words."""
    text = marked(in_words(reason, ids), choices)
    refused: list[str] = []
    for match in re.finditer(_REFUSED, text):
        texts = next(group for group in match.groups() if group)
        marks = [choices[ord(mark) - FIRST_MASK] for mark in texts if ord(mark) >= FIRST_MASK]
        refused += marks[-1:] if match[0].startswith(texts) and _TAKES.search(text[: match.start()]) else marks
    return list(dict.fromkeys(refused))
