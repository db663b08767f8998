"""Words for what a debate took, who said how much of it, and what single answers came to."""

from __future__ import annotations

from collections.abc import Mapping

from eda.events import NONE
from eda.events.messages import UsageTotals
from eda.report.effect import Helped
from eda.report.formatting import SHORT, in_short, money, shown_id, tokens
from eda.text import shorten
from eda.words import ENGLISH, Words


class Ids:
    """Names texts: the first time by words and id, then by the id alone; a text without an id always by its words.

    A text that begins as one that was named goes by its id alone: its first words would tell nothing.
    """

    def __init__(self, ids: Mapping[str, str], words: Words = ENGLISH) -> None:
        """Know the ids of texts, by their words."""
        self._ids, self._told, self._begun, self._words = ids, set[str](), set[str](), words

    def of(self, text: str) -> str:
        """Return the name of a text, and of `none`."""
        if text == NONE:
            return self._words.say("votes-text", kind="none", text="", id="", by="")
        number = self._ids.get(text, "")
        alike = not number and sum(shorten(each, SHORT) == shorten(text, SHORT) for each in self._ids) > 1
        begins = in_short(text, "", len(text) if alike else SHORT, self._ids if number else (), self._words)
        if number in self._told or (number and begins in self._begun):
            return number
        self._told.add(number or "-")
        self._begun.add(begins)
        return begins + (f" ({shown_id(number)})" if shown_id(number) else "")


def why_not(helps: Helped, words: Words) -> str:
    """Return why votes cannot be compared."""
    return words.say("effect-why", why=helps.why.replace(" ", "-"))


def took(debate: UsageTotals | Helped, *, paid: bool = True, words: Words = ENGLISH) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`."""
    figures = f"{words.say('figure-calls', number=debate.calls)}, {tokens(debate.tokens, words=words)}"
    return figures + f", {money(debate.cost, debate.unpriced_calls, words=words)}" * paid


def share_words(helps: Helped, words: Words) -> str:
    """Return the share of each member in all words, and how unequal they are."""
    spoke = any(share.words for share in helps.shares)
    shares = [words.say("effect-share", who=each.who, share=each.share) for each in helps.shares] if spoke else []
    return words.say("effect-shares", shares=shares, gini=helps.gini)
