"""The input of a summary: a range of messages, and the items that the summary must not lose."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from eda.events import Decision, Line, Proposal, Stance, Summary, SummaryWritten
from eda.memory.patterns import Language, default_language
from eda.memory.sentences.record import Record
from eda.memory.snapshot import Given
from eda.memory.summaries.due import Due
from eda.text import normalise, regex, sentences, unbroken
from eda.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Item:
    """An item that the summary of its range must not lose."""

    kind: Literal["decision", "accepted", "proposal", "claim", "agreement", "disagreement", "question"]
    """`decision` and `accepted` are confirmed: the procedure decided so. A `claim` of a decision is not."""
    message: int  # Of an agreement or disagreement, the last message on that side.
    who: str  # Empty for a decision; for an agreement or disagreement, everybody on that side.
    text: str  # The words of the item, on one line.
    id: str = ""  # Empty where the item has no id.
    guessed: bool = False  # True if no member declared it: a pattern or minutes found it.

    def line(self, words: Words = ENGLISH) -> str:
        """Return the line of the item in a summary."""
        text, at = self.text.rstrip("." * (self.kind != "question")), f"m{self.message}"
        return words.say("prompt-summary-item", kind=self.kind, who=self.who, text=text, at=at)


@dataclass(frozen=True, slots=True)
class SummaryInput:
    """A range and everything that its summary is written from."""

    due: Due
    items: tuple[Item, ...] = ()  # Decisions, proposals, claims, who agreed or did not, questions; oldest first.
    minutes: str = ""  # The items of the range so far, as the minute-taker sees them; empty for a fold.
    lines: tuple[Line, ...] = ()  # The messages, at level 1.
    texts: tuple[str, ...] = ()  # The messages as a prompt shows them.
    shown: tuple[str, ...] = ()  # they, and what stands before them in prompts, in parts
    after: tuple[Line, ...] = ()  # the messages that follow so far: they may answer a question of the range
    sources: tuple[Summary, ...] = ()  # The summaries that a fold joins.
    record: Given[Record | None] = field(default=None, repr=False)  # What its sentences are held against.
    language: Given[Language] = field(
        default_factory=default_language, repr=False
    )  # The words by which a summary is checked.

    @property
    def required(self) -> tuple[Item, ...]:
        """The items without which a summary is incomplete: confirmed and declared ones, and open questions."""
        wanted = ("decision", "accepted", "proposal", "question")
        return tuple(item for item in self.items if item.kind in wanted and not item.guessed)


_CLAIMED = ("claimed", "disputed", "contradicted")
_SIDES: tuple[tuple[Literal["agreement", "disagreement"], Stance], ...] = (
    ("agreement", "support"),
    ("disagreement", "oppose"),
)


def decided(decisions: Iterable[Decision]) -> list[Item]:
    """Return what was decided, a ballot that a later one has replaced included."""
    note = f" ({ENGLISH.say('table-unworded')})"
    return [
        Item("decision", d.messages[0], "", unbroken(d.outcome + note * d.unworded), d.id)
        for d in decisions
        if d.messages
        if d.status == "decided" or (d.status == "superseded" and d.source == "procedure")
    ]


def items_of(
    due: Due, decisions: Sequence[Decision], proposals: Iterable[Proposal], active: Sequence[Proposal]
) -> list[Item]:
    """Return the decisions, proposals, claims, agreements and disagreements of a range; `active` are open proposals."""
    span = range(due.first, due.last + 1)
    within = [d for d in decisions if d.messages and d.messages[0] in span]
    accepted = [p for p in proposals if p.status == "accepted" and p.message in span]
    told = {item.text for item in decided(decisions)} if accepted else set()
    return [
        *decided(within),
        *(_proposed("accepted", p) for p in accepted if unbroken(p.content) not in told),
        *(_proposed("proposal", p, guessed=p.source != "declared") for p in active if p.message in span),
        *(
            Item("claim", d.messages[0], d.supporters[0], unbroken(d.outcome), d.id)
            for d in within
            if d.status in _CLAIMED and d.supporters
        ),
        *_sides(span, active),
    ]


def _proposed(kind: Literal["accepted", "proposal"], proposal: Proposal, *, guessed: bool = False) -> Item:
    return Item(kind, proposal.message, proposal.proposer, unbroken(proposal.content), proposal.id, guessed)


def _sides(span: range, active: Sequence[Proposal]) -> Iterator[Item]:
    """Yield who agreed, and then who disagreed, with each open proposal in a range."""
    for kind, stance in _SIDES:
        for proposal in active:
            taken = [r for r in proposal.reactions if r.reaction == stance and r.message in span and not r.conditional]
            who = ", ".join(r.agent for r in taken if r.agent != proposal.proposer)
            if who:
                yield Item(kind, max(r.message for r in taken), who, unbroken(proposal.content))


SAME = 0.6  # Share of an item's words from which a text mentions the item.
CITED = 0.25  # The same share where the text cites the item's message.
_LETTERS = 12  # Characters that count as one word in text without spaces: twice the usual, so prose is never cut by it.
_STEM = 6
_WORD = regex(r"\w{4,}|\w*\d\w*")
_FIGURE = regex(r"(?<![\w.,:@])\d+(?:[.,:]\d+)*(?![\d_])")
_GROUPED = regex(r"(?<=\d),(?=\d{3}\b)")


def length(text: str) -> int:
    """Return the number of words, which is the measure of summaries."""
    return max(len(text.split()), len(text) // _LETTERS)


def stems(text: str) -> frozenset[str]:
    """Return the first letters of each word of four letters or more, and each figure."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def figures(text: str) -> frozenset[str]:
    """Return the numbers in a text, without those of messages and items; 5,000 counts as 5000."""
    return frozenset(_FIGURE.findall(_GROUPED.sub("", text)))


def parts(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in sentences(normalise(text))]


def mentions(text: str, item: Item, cited: float = CITED) -> bool:
    """Return whether a text names an item: by its line, its id, its words, or its message and a share of its words.

    Quotations, of which `SAME` is asked beside the message too, tell nothing of a text by its id.
    """
    known = item.id if cited != SAME else ""
    if item.line() in text or (known and re.search(rf"(?<![\w.]){re.escape(known)}(?!\w)", text)):
        return True
    wanted = stems(item.text)
    pieces = parts(text)
    for first, second in zip(["", *pieces], [*pieces, ""], strict=True):
        two = f"{first} {second}"
        shared = len(wanted & stems(two)) / len(wanted) if wanted else float(item.text.casefold() in two.casefold())
        if shared >= (cited if re.search(rf"(?<!\w)m{item.message}(?!\w)", two) else SAME):
            return True
    return False


def denied_line(summary: Summary | SummaryWritten, number: int, who: str, why: str, claims: Sequence[str]) -> int:
    """Return which line a denial of a message stands behind: the last of its talk that has most words of the denial.

    Where the message makes claims, a line that tells none of them, and not what is denied, has none: -1 without any.
    """
    told = [stems(each) for each in (why, *claims)]
    lines = enumerate(zip(summary.text.splitlines(), summary.quotes, strict=False))
    own = [(stems(line), place) for place, (line, at) in lines if at == number and line.startswith(f"{who} (m{at})")]
    if claims:
        own = [(has, at) for has, at in own if any(each and len(has & each) >= SAME * len(each) for each in told)]
    return max(((len(has & told[0]), place) for has, place in own), default=(0, -1))[1]


def shortened(text: str, most: int) -> str:
    """Return the text up to the last sentence that ends within `most` words; a longer first sentence is cut."""
    if length(text) <= most:
        return text
    ends = takewhile(lambda end: length(text[:end]) <= most, (end for _, end in sentences(normalise(text))))
    fitting = max(ends, default=0)
    return text[:fitting] if fitting else " ".join(text.split()[:most])[: most * _LETTERS] + " ..."
