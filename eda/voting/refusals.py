"""Finds where the words of a ballot say something else than its vote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eda.text import normalise
from eda.voting.mentions import NamedText, mentions

_FIRST_MARK = 0xE000
"""A character that stands for the first text where a reason names it; private, so that no reason has it."""
_REASON_MARKS = re.compile("[\ue000-\uf8ff]")
_SHORT_NOT = re.compile(r"(?:(?<=ca)n|n)'t\b|(?<=\bcan)not\b")
"""The end of "don't", "can't" and "cannot"."""
_TEXT = r"[\"'(*_`\[]*[\ue000-\uf8ff][\"')*_`\]]*"
_TEXTS = rf"{_TEXT}(?:[\s,;/]*(?:\b(?:and|or|nor|also)\b)?[\s,]*{_TEXT})*"
_WEIGHS = r"(?:(?:still|also|therefore|simply|must|now|both) )*"
_REFUSE = (
    r"(?:(?:(?:ca|can|could|wo|will|would|do|shall) (?:not|never|no longer)|never|no longer) "
    r"(?:accept|support|back|endorse|sign|want|have|take|agree to|live with|vote for)|"
    r"reject|refuse|oppose|say no to)"
)
_UNFIT = (
    r"(?: (?:to|for) (?:me|us))?(?: (?!no[tr]?\b|never\b|hardly\b)\w+)? "
    r"(?:refused|rejected|opposed|unacceptable|(?:not|no longer) acceptable|out of the question|not an option|"
    r"no option|no good|(?:not|nothing) for (?:me|us))(?: (?:to|for|with) (?:me|us))?"
)
_WHICH = r"(?:(?:the|any|this|that|option|text|motion|proposal)(?: (?!of |to |for |without )[a-z]+){0,2} )?"
_END = (
    r"(?=\s*(?:$|[.,;:!](?:\s|$)|"
    r"(?:at all|because|since|and|but|too|as well|either|while|until|as long as|yet|for now)\b))"
)
"""What may follow a refusal; anything else may be a condition."""
_REFUSED = (
    rf"\bi {_WEIGHS}(?:reject|refuse|oppose) {_WHICH}({_TEXTS})(?= without\b)|"
    rf"\bi {_WEIGHS}{_REFUSE} {_WHICH}({_TEXTS}){_END}|"
    rf"({_TEXTS})[\s,]*(?:(?:which|that) )?i {_WEIGHS}{_REFUSE}{_END}|"
    rf"({_TEXTS}) (?:is|are|stays?|remains?){_UNFIT}{_END}|"
    rf"\bi(?: a|')m {_WEIGHS}against {_WHICH}({_TEXTS}){_END}|"
    rf"(?:^|[.,;:(!]|\band\b|\bbut\b)\s*(?:not|never|no to) (?:the |for )?({_TEXTS}){_END}"
)
_TAKES = re.compile(r"\b(?:accept|support|back|take|want|prefer|like|choose|for)\s*$")
"""Before a list of texts: only the last of them is what the words after the list speak of."""


def refused_in(reason: str, texts: Sequence[NamedText]) -> list[str]:
    """Return the ids of the texts that a reason refuses in so many words."""
    text = _marked(reason, texts)
    refused: list[str] = []
    for match in re.finditer(_REFUSED, text):
        group = next(group for group in match.groups() if group)
        keys = _named_in_reason(group, texts)
        refused += keys[-1:] if match[0].startswith(group) and _TAKES.search(text[: match.start()]) else keys
    return list(dict.fromkeys(refused))


def _marked(reason: str, texts: Sequence[NamedText]) -> str:
    """Return a reason in lower case, with one character for each text that it names: `_FIRST_MARK` for the first."""
    places = {each.id: chr(_FIRST_MARK + at) for at, each in enumerate(texts)}
    plain, end, reason = list[str](), 0, _REASON_MARKS.sub(" ", reason)
    for each in mentions(reason, [each._replace(letter="") for each in texts]):
        if each.one:
            plain += [reason[end : each.start], places[each.one]]
            end = each.end
    return " ".join(_SHORT_NOT.sub(" not", normalise("".join([*plain, reason[end:]])).casefold()).split())


def _named_in_reason(text: str, texts: Sequence[NamedText]) -> list[str]:
    return [texts[ord(mark) - _FIRST_MARK].id for mark in _REASON_MARKS.findall(text)]
