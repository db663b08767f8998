"""Finds where the words of a ballot say something else than its vote, and says so in words for its voter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eda.voting.choices import quoted_choice
from eda.voting.naming import FIRST_MASK, NONE_NAMED, in_words, marked

_TEXT = r"[\"'(*_`\[]*[\ue000-\uf8ff][\"')*_`\]]*"
_TEXTS = rf"{_TEXT}(?:[\s,;/]*(?:\b(?:and|or|nor|also)\b)?[\s,]*{_TEXT})*"
_WEIGHS = r"(?:(?:still|also|therefore|simply|must|now|both) )*"
_REFUSE = (
    r"(?:(?:(?:ca|can|could|wo|will|would|do|shall) (?:not|never|no longer)|never|no longer) "
    r"(?:accept|support|back|endorse|sign|want|agree to|live with|vote for)|"
    r"reject|refuse|oppose)"
)
_UNFIT = (
    r"(?: (?:to|for) (?:me|us))?(?: (?!no[tr]?\b|never\b|hardly\b)\w+)? "
    r"(?:refused|rejected|opposed|unacceptable|(?:not|no longer) acceptable|out of the question|not an option|"
    r"no option|no good)(?: (?:to|for|with) (?:me|us))?"
)
_WHICH = r"(?:(?:the|any|this|that|option|text|motion|proposal)(?: (?!of |to |for |without )[a-z]+){0,2} )?"
_END = r"(?=\s*(?:$|[.,;:!](?:\s|$)|(?:because|since|and|but|too|as well|either|while|until|as long as|yet|for now)\b))"
"""What may follow a refusal; anything else may be a condition."""
_REFUSED = (
    rf"\bi {_WEIGHS}(?:reject|refuse|oppose) {_WHICH}({_TEXTS})(?= without\b)|"
    rf"\bi {_WEIGHS}{_REFUSE} {_WHICH}({_TEXTS}){_END}|"
    rf"({_TEXTS})[\s,]*(?:(?:which|that) )?i {_WEIGHS}{_REFUSE}{_END}|"
    rf"({_TEXTS}) (?:is|are|stays?|remains?){_UNFIT}{_END}|"
    rf"\bi(?: a|')m {_WEIGHS}against {_WHICH}({_TEXTS}){_END}|"
    rf"(?:^|[.,;:(!]|\band\b|\bbut\b)\s*(?:not|never) (?:the |for )?({_TEXTS}){_END}"
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


def refusal_fault(reason: str, accepted: Sequence[str], choices: Sequence[str], ids: Mapping[str, str]) -> str:
    """Return, as a fault, which texts a reason refuses in so many words though the ballot accepts them; else ""."""
    refused = " and ".join(quoted_choice(each) for each in refused_in(reason, choices, ids) if each in accepted)
    mends = f": leave {refused} out of `ranking`, or say in the reason that you accept it"
    return f"the reason refuses {refused}, which the ballot accepts{mends}" if refused else ""


def in_prose_fault(text: str, vote: str, choices: Sequence[str], ids: Mapping[str, str]) -> str:
    """Return, as a fault, which texts that have an id prose names in words beside its vote and does not refuse."""
    named = {choices[ord(mark) - FIRST_MASK] for mark in marked(text, choices) if ord(mark) >= FIRST_MASK} - {vote}
    named -= {*refused_in(text, choices, {}), *(words for key, words in ids.items() if key == words.casefold())}
    beside = " and ".join(quoted_choice(each) for each in ids.values() if each in named)
    wants = "list in `ranking` those that you accept, best first, and in `also` those to adopt beside the answer"
    return f"the answer votes for {quoted_choice(vote)} and also names {beside}: {wants}" if beside else ""


def with_ids(fault: str, ids: Mapping[str, str]) -> str:
    """Return a fault with the ids that a voter may give where it names a text that does not exist."""
    none = "" if fault.startswith("`also`") else ", or none"
    return fault.replace(NONE_NAMED, f"{NONE_NAMED}: {', '.join(ids)}{none}", 1) if ids else fault
