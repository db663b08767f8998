"""Finds in what was said the sentences that a report quotes: whole, in their speaker's words, each with its message.

A quote that somebody else names is looked up in the message itself. What is not there is not quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from eda.events import MessagePosted, VerdictReached
from eda.memory.options import Options
from eda.patterns import lower, normalise, sentences
from eda.personas import Persona
from eda.records import Cited

__all__ = ["Said"]

_FEWEST_WORDS = 3
"""Of a quote: fewer prove nothing."""
_MOVE = re.compile(r"^\[[A-Z]+\b[^\]\n]*\]\s*", re.MULTILINE)
"""What a line of moves begins with."""
_USUAL = range(6, 46)
"""Words of a sentence that says one thing."""
_WHY = re.compile(
    r"\b(?:because|since|so that|that is why|that's why|therefore|for that reason|otherwise|means)\b", re.IGNORECASE
)
_RISK = re.compile(
    r"\b(?:risks?|danger\w*|worr(?:y|ied|ies)|afraid|fears?|scare[sd]?|uneasy|nervous|threat\w*|fail\w*|breaks?|"
    r"lose|loses|could lead|may lead|can lead|may end|ends? in|the price of|what if|nobody owns|uncertain|unknown)\b",
    re.IGNORECASE,
)
_MIND = re.compile(
    r"\bchang(?:e|es|ing) my mind|reopen|(?<!made me )(?:reconsider|think again)|"
    r"(?:move|convince|persuade|sway|win) me\b|to convince|show me|"
    r"\bi(?:'d| would| will|'ll| want| need| wait)\b[^.]*\b(?:if|once|when|until|unless|see|for|first)\b|"
    r"\b(?:given|once|after|if|until|unless)\b[^.]*\b(?:i would|i'd|i will|i'll|we can)\b|"
    r"(?:still|what is|what i am|the) missing\b|i am open to|it would help|what i miss|would settle it|"
    r"my test\b|(?:come back|return) with",
    re.IGNORECASE,
)


class Said:
    """All messages of a session."""

    def __init__(self, messages: Iterable[MessagePosted], choices: Sequence[str]) -> None:
        self._messages = {message.number: message for message in messages}
        self._by: dict[str, list[MessagePosted]] = {}
        for message in self._messages.values():
            self._by.setdefault(message.who, []).append(message)
        self._options = Options(choices)
        self._plain = {"yes", "no"}.isdisjoint(choice.casefold() for choice in choices)
        """Where the choices are yes and no, a sentence with such a word in it need not be for it: positions are."""

    def find(self, number: int, quote: str) -> Cited | None:
        """The whole sentences of message `number` that hold a quote, white space and case aside; None: it is not there.

        A quote of fewer than three words is taken only where it is the whole message.
        """
        message = self._messages.get(number)
        words = _words(quote)
        if message is None or (len(words) < _FEWEST_WORDS and len(message.talk.split()) > len(words)):
            return None
        plain = normalise(message.text)
        found = _place(words, plain)
        if found is None:
            return None
        held = [span for span in sentences(plain) if span[0] < found.end() and found.start() < span[1]]
        start, end = min((span[0] for span in held), default=0), max((span[1] for span in held), default=len(plain))
        return Cited("", number, _line(_MOVE.sub("", message.text[start:end])), message.who)

    def holds(self, number: int) -> bool:
        """Whether there is such a message."""
        return number in self._messages

    def somewhere(self, quote: str) -> bool:
        """Whether the words stand in any message, or are those of a choice."""
        words = _words(quote)
        texts = (*self._options.options, *(message.text for message in self._messages.values()))
        return any(_place(words, normalise(text)) is not None for text in texts)

    def case_for(self, who: str, choice: str) -> Cited | None:
        """The sentence in which `who` argues best for a choice; None where it never did."""
        found = [
            (
                2 * bool(_WHY.search(quote)) + (len(quote.split()) in _USUAL) + any(map(str.isdigit, quote)),
                number,
                quote,
            )
            for number, quote in self._stated(who)
            if self._options.mentioned(quote, strictly=True) == (choice,)
        ]
        return self._best(found)

    def risk(self, member: Persona, choice: str | None, taken: Iterable[str] = ()) -> Cited | None:
        """The sentence in which a member names what can go wrong, with `choice` if it says so; None: it names none."""
        fears = [fear.casefold() for fear in member.fears]
        found = []
        for number, quote in self._sentences(member.title):
            named = self._options.mentioned(quote, strictly=True) if self._plain else ()
            if quote in taken or quote.endswith("?") or (named and choice not in named):
                continue
            risky, feared = bool(_RISK.search(quote)), any(fear in quote.casefold() for fear in fears)
            weight = 2 * risky + feared + 2 * bool(named) + (len(quote.split()) in _USUAL)
            if (risky or feared) and weight > 2:
                found.append((weight, number, quote))
        return self._best(found)

    def condition(self, who: str) -> Cited | None:
        """The last sentence in which `who` says what would change its mind; None where it said so nowhere."""
        found = [(number, quote) for number, quote in self._sentences(who) if _MIND.search(quote) and quote[-1] != "?"]
        return Cited("", *found[-1], who) if found else None

    def last_words(self, who: str) -> Cited | None:
        """The last sentence of `who`; None where it said nothing."""
        *_, last = (None, *self._sentences(who))
        return Cited("", *last, who) if last else None

    def settles(self, proposal: str, reached: VerdictReached) -> bool:
        """Whether the verdict says what becomes of a proposal: it was voted on, or is for a choice that lost."""
        named = self._options.mentioned(proposal, strictly=True)
        return proposal in reached.tally or (
            reached.outcome is not None and bool(named) and reached.outcome not in named
        )

    def was_answered(self, number: int) -> bool:
        """Whether a question that was put to one member was followed by that member's words."""
        message = self._messages.get(number)
        later = self._by.get(message.to, []) if message is not None and message.to else []
        return any(each.number > number for each in later)

    def _best(self, found: Sequence[tuple[int, int, str]]) -> Cited | None:
        """The weightiest; of equals the last one said."""
        if not found:
            return None
        _, number, quote = max(found)
        return Cited("", number, quote, self._messages[number].who)

    def _stated(self, who: str) -> Iterator[tuple[int, str]]:
        """What a member declared to stand for, and its sentences."""
        for message in self._by.get(who, ()):
            yield from ((message.number, _line(move.text)) for move in message.moves if move.kind == "position")
        if self._plain:
            yield from self._sentences(who)

    def _sentences(self, who: str) -> Iterator[tuple[int, str]]:
        for message in self._by.get(who, ()):
            for start, end in sentences(normalise(message.talk)):
                yield message.number, _line(message.talk[start:end])


def _words(quote: str) -> list[str]:
    return lower(normalise(quote)).strip(" \n\"'.").split()


def _place(words: Sequence[str], plain: str) -> re.Match[str] | None:
    """Where the words stand, one after the other, whatever the white space between them."""
    if not words:
        return None
    return re.search(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", lower(plain))


def _line(text: str) -> str:
    return " ".join(text.split())
