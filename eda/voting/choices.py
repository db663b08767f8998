"""The choices of a ballot, and the order in which a voter sees them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Literal

from eda.events.records import Proposal

KEEP_DISCUSSING = "Keep discussing"
"""The choice beside the panel's own proposals."""

YES_NO = ("Yes", "No")
"""The choices of a yes-or-no question."""
MOST_CHOICES = 8
"""Choices in all where they are ranked, unless more were given as options."""
MOST_WEIGHED = 16
"""The same where each is approved or scored by itself."""
SAME = 0.8
"""Of two wordings of one choice, the share of the longer one's telling words that the shorter one has, 0 to 1."""
_YES_NO = re.compile(r"\s*(should|shall|is|are|do|does|did|can|could|will|would|must|may|has|have)\b", re.IGNORECASE)
_EITHER_OR = re.compile(r"\bor\b(?! not\b)", re.IGNORECASE)
_JOINT = re.compile(r"(?<=\w)[-–—/](?=\w)")
_MARKS = "\"'“”‘’«»()[]{}.,;:!?…*_`"
_GLUE_WORDS = (
    "a an the of to in on at for with by as and is are be it its this that we our us i my they their he his she her "
    "you your should would will shall can could do let let's let’s please also then"
)
_GLUE = frozenset(_GLUE_WORDS.split())
"""Words that do not distinguish two choices, unless they are names in capitals: the IT budget, plan A."""
_DECISIVE = re.compile(
    r"not?|never|without|neither|nor|or|none|nobody|nothing|only|cannot|\w+n['’]t|refuse|reject|stop|avoid|cancel|"
    r"postpone|delay|against|instead|except|unless|until|before|after|off|out|from|down|under|all|both|half|every|each|most|"
    r"least|more|less|fewer|twice|double|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|"
    r"second|third|last|.*\d.*"
)
"""Words that reverse a meaning, and figures."""


def ballot_choices(
    question: str,
    options: Sequence[str],
    proposals: Sequence[Proposal],
    *,
    source: Literal["auto", "options", "proposals", "both"] = "auto",
    keep_discussing: bool | None = None,
    most: int = MOST_CHOICES,
) -> tuple[str, ...]:
    """Return the choices of a ballot; empty where there is nothing to vote on.

    Args:
        question: of the debate.
        options: given with it; all of them stay, worded as they are.
        proposals: of the panel. Those that stand count, the accepted first, then by support; one that says nearly what
            stands already is left out, and so is one whose proposer has amended it, or supports an amendment of it.
        source: `auto`: the options where there are any; yes and no for a yes-or-no question; else the proposals.
        keep_discussing: whether that can be voted for; None: where nothing but proposals can.
        most: choices in all, unless more were given as options.
    """
    if source == "auto" and not options and _YES_NO.match(question) and not _EITHER_OR.search(question):
        return (*YES_NO, KEEP_DISCUSSING) if keep_discussing else YES_NO
    chosen = [] if source == "proposals" else list(options)
    more = keep_discussing if keep_discussing is not None else not chosen
    if source in ("proposals", "both") or (source == "auto" and not options):
        for proposal in _standing(proposals):
            if len(chosen) + more >= most:
                break
            if not any(alike(proposal.content, other) for other in (*chosen, KEEP_DISCUSSING)):
                chosen.append(proposal.content)
    return (*chosen, KEEP_DISCUSSING) if chosen and more and KEEP_DISCUSSING not in chosen else tuple(chosen)


def shown_order(choices: Sequence[str], seed: int, agent: str) -> tuple[str, ...]:
    """Return the choices in the voter's own order, so that no choice gains by standing first."""
    shown = list(choices)
    random.Random(f"{seed}:ballot:{agent}").shuffle(shown)
    return tuple(shown)


def _standing(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals that can be voted on: the accepted first, then by support.

    One is left out whose own proposer has amended it, or supports an amendment of it. The amendment of another member
    stands beside it.
    """
    standing = [p for p in proposals if p.status in ("accepted", "active") and p.minuted != "denied"]
    by_id = {proposal.id: proposal for proposal in standing}
    replaced: set[str] = set()
    for amendment in standing:
        old = by_id.get(amendment.amends or "")
        if old is not None and old.status == "active":
            wanted_by = (amendment.proposer, *amendment.backers("support"))
            replaced |= {old.id} if old.proposer in wanted_by else set()
    return sorted(
        (p for p in standing if p.id not in replaced),
        key=lambda p: (p.status != "accepted", -len(p.backers("support")), p.message),
    )


def alike(one: str, other: str) -> bool:
    """True if two wordings are one choice: one has the words of the other, in order, and a few more.

    No word replaces another, and no additional word is a name, a figure, or reverses the meaning.
    """
    shorter, longer = sorted((telling(one), telling(other)), key=len)
    rest = iter(shorter)
    wanted = next(rest, None)
    more: list[str] = []
    for word in longer:
        if wanted is not None and _stem(word) == _stem(wanted):
            wanted = next(rest, None)
        else:
            more.append(word)
    if wanted is not None or not shorter or len(shorter) < SAME * len(longer):
        return one.casefold().split() == other.casefold().split()
    return not any(word[:1].isupper() or len(word) == 1 or _DECISIVE.fullmatch(word.casefold()) for word in more)


def telling(text: str) -> list[str]:
    """Return the words of a text that distinguish it from others."""
    words = [word.strip(_MARKS) for word in _JOINT.sub(" ", text).split()]
    shouted = text.isupper()
    return [
        word
        for place, word in enumerate(words)
        if any(map(str.isalnum, word))
        if word.casefold() not in _GLUE
        # Capitals make a name of it, unless the word is "I", a letter that begins the text, or all are capitals.
        or (word.isupper() and word != "I" and not shouted and (place > 0 or len(word) > 1))
    ]


def _stem(word: str) -> str:
    return word.casefold().removesuffix("s")
