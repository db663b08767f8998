"""Finds where the words of a ballot say something else than its vote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eda.events.doubts import Doubt
from eda.voting.naming import choices_in, in_words, marked

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
    text = marked(in_words(reason, ids), choices)
    refused: list[str] = []
    for match in re.finditer(_REFUSED, text):
        texts = next(group for group in match.groups() if group)
        marks = choices_in(texts, choices)
        refused += marks[-1:] if match[0].startswith(texts) and _TAKES.search(text[: match.start()]) else marks
    return list(dict.fromkeys(refused))


def refusal(reason: str, accepted: Sequence[str], choices: Sequence[str], ids: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return the doubt that a reason refuses in so many words what the ballot accepts; empty if it does not."""
    refused = tuple(each for each in refused_in(reason, choices, ids) if each in accepted)
    return (Doubt("refuses", refused),) if refused else ()


def still_refused(
    before: str, reason: str, accepted: Sequence[str], choices: Sequence[str], ids: Mapping[str, str]
) -> tuple[Doubt, ...]:
    """Return the doubt of the reason `before` a ballot was given again, where the ballot and its new reason keep it.

    They do where the ballot accepts the text as before, and the reason names it without a word that accepts it.
    """
    text = marked(in_words(reason, ids), choices)
    taken = {mark for match in re.finditer(_ACCEPTED, text) for mark in match[1] or match[2]}
    named = choices_in("".join({*text} - taken), choices)
    doubts = refusal(before, [each for each in accepted if each in named], choices, ids)
    return tuple(replace(each, kind="refused at first") for each in doubts)


def beside_in_prose(text: str, vote: str, choices: Sequence[str], ids: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return the doubt that prose names texts with ids beside its vote and does not refuse them; mostly empty."""
    named = {*choices_in(marked(text, choices), choices)} - {vote}
    named -= {*refused_in(text, choices, {}), *(words for key, words in ids.items() if key == words.casefold())}
    beside = [each for each in ids.values() if each in named]
    return (Doubt("beside in prose", (vote, *beside)),) if beside else ()
