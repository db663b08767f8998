"""Finds where the words of a ballot say something else than its vote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eda.events.doubts import Doubt
from eda.text import normalise
from eda.voting.mentions import NamedText, lettered, mentions

_FIRST_MARK = 0xE000
"""A character that stands for the first text where a reason names it; private, so that no reason has it."""
_MARKS = re.compile("[\ue000-\uf8ff]")
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
_BACK = "accept|support|back|endorse|sign|live with"
_ACCEPTED = (
    rf"(?<!\bnot )(?<!\bnever )\b(?:{_BACK}|take|like|prefer|want|agree to|yes to|vote for) {_WHICH}({_TEXTS})|"
    rf"({_TEXTS})[\s,]*(?:which |that )?(?:i (?!\w+ not\b)(?:\w+ )?(?:{_BACK})|"
    r"(?:is|stays) (?:still |also )?(?:acceptable|fine|all right|good enough))\b"
)
_TAKES = re.compile(r"\b(?:accept|support|back|take|want|prefer|like|choose|for)\s*$")
"""Before a list of texts: only the last of them is what the words after the list speak of."""


def refused_in(reason: str, choices: Sequence[str], ids: Mapping[str, str]) -> list[str]:
    """Return the choices that a reason refuses in so many words."""
    texts = lettered(choices, ids)
    words = {each.id: each.text for each in texts}
    return [words[key] for key in _refused(reason, texts)]


def _refused(reason: str, texts: Sequence[NamedText]) -> list[str]:
    """Return the ids of the texts that a reason refuses in so many words."""
    text = _marked(reason, texts)
    refused: list[str] = []
    for match in re.finditer(_REFUSED, text):
        group = next(group for group in match.groups() if group)
        keys = _named(group, texts)
        refused += keys[-1:] if match[0].startswith(group) and _TAKES.search(text[: match.start()]) else keys
    return list(dict.fromkeys(refused))


def refusal(reason: str, accepted: Sequence[str], texts: Sequence[NamedText]) -> tuple[Doubt, ...]:
    """Return the doubt that a reason refuses in so many words what the ballot accepts; empty if it does not."""
    refused = tuple(each for each in _refused(reason, texts) if each in accepted)
    return (Doubt("refuses", refused),) if refused else ()


def still_refused(
    before: str, reason: str, accepted: Sequence[str], choices: Sequence[str], ids: Mapping[str, str]
) -> tuple[Doubt, ...]:
    """Return the doubt of the reason `before` a ballot was given again, where the ballot and its new reason keep it.

    They do where the ballot accepts the text as before, and the reason names it without a word that accepts it.
    """
    texts = lettered(choices, ids)
    text = _marked(reason, texts)
    taken = {mark for match in re.finditer(_ACCEPTED, text) for mark in match[1] or match[2]}
    named = _named("".join({*text} - taken), texts)
    doubts = refusal(before, [each.id for each in texts if each.text in accepted and each.id in named], texts)
    words = {each.id: each.text for each in texts}
    return tuple(Doubt("refused at first", tuple(words[key] for key in each.texts)) for each in doubts)


def _marked(reason: str, texts: Sequence[NamedText]) -> str:
    """Return a reason in lower case, with one character for each text that it names: `_FIRST_MARK` for the first."""
    places = {each.id: chr(_FIRST_MARK + at) for at, each in enumerate(texts)}
    plain, end, reason = list[str](), 0, _MARKS.sub(" ", reason)
    for each in mentions(reason, [each._replace(letter="") for each in texts]):
        if each.one:
            plain += [reason[end : each.start], places[each.one]]
            end = each.end
    return " ".join(_SHORT_NOT.sub(" not", normalise("".join([*plain, reason[end:]])).casefold()).split())


def _named(text: str, texts: Sequence[NamedText]) -> list[str]:
    return [texts[ord(mark) - _FIRST_MARK].id for mark in _MARKS.findall(text)]
