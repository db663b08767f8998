"""The input of a summary: a range of messages, and the items that it must not lose; and the checks of a summary.

It must tell of each confirmed decision, open declared proposal and open question of its range. What a model leaves out
in its second draft too is added as a list. Its length is asked for, and cut where it is far too long; a summary is not
refused for it.

A model quotes, and says nothing itself. The sentences of a summariser of the user's own are held against the record, by
ids, authors, acts and votes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Literal

from eda.events import Decision, Line, Proposal, Stance, Summary, SummaryWritten
from eda.memory.patterns import Language, default_language
from eda.memory.sentences.judges import check, fact_words
from eda.memory.sentences.record import Record
from eda.memory.snapshot import Given
from eda.memory.summaries.due import Due
from eda.text import normalise, regex, sentences, shorten, unbroken
from eda.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Item:
    """An item that the summary of its range must not lose."""

    # `decision` and `accepted` are confirmed: the procedure decided so. A `claim` of a decision is not.
    kind: Literal["decision", "accepted", "proposal", "claim", "agreement", "disagreement", "question"]
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


_FEWEST_WORDS = 5  # A summary with fewer words left says nothing.
_SHOWN = 120  # Characters of a sentence that a complaint repeats.
_MARK_ALONE = regex(r"\s*(?:[-*>#]+|\d+[.)])\s*")  # what is left of a line of a list


def without_groundless(text: str, summary_input: SummaryInput) -> str:
    """Return the summary without the sentences that the record does not bear out; empty if too little is left."""
    spans = {span for span, _ in faults(text, summary_input)}
    for start, end in sorted(spans, reverse=True):
        before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
        if before.count("**") % 2:  # the sentence began in bold letters
            before = before.removesuffix("**").rstrip(" ")
        text = f"{before} {after}" if before and not before.endswith("\n") else f"{before}{after.lstrip()}"
    if spans:
        text = "\n".join(line for line in text.split("\n") if not _MARK_ALONE.fullmatch(line)).strip()
    return "" if spans and len(text.split()) < _FEWEST_WORDS else text


def faults(text: str, summary_input: SummaryInput) -> list[tuple[tuple[int, int], str]]:
    """Return each sentence that the record does not bear out, by its place, with what is wrong."""
    record, plain = summary_input.record, normalise(text)
    judged = [(span, check(plain[slice(*span)], record)) for span in sentences(plain)] if record else []
    return [
        (
            span,
            ENGLISH.say(
                "sentence-false",
                why=[fact_words(fact, ENGLISH) for fact in dict.fromkeys(each.why)],
                sentence=shorten(unbroken(plain[slice(*span)]), _SHOWN),
            ),
        )
        for span, each in judged
        if each.verdict == "false"
    ]


CONCISE = 160  # Words that a summary is asked to have.
LEEWAY = 100  # Words beyond those from which a summary is cut.
_ASKED_KEPT = 4  # Newest open questions that a fold must keep.


def complaints(text: str, summary_input: SummaryInput) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    lacking = (f"It lacks: {line}" for line in _missing(text, summary_input))
    return (*(fault for _, fault in faults(text, summary_input)), *lacking)


def mended(text: str, summary_input: SummaryInput, words: Words = ENGLISH, *, quotes: bool = False) -> str:
    """Return the summary cut to its length, with a list of what it lacks.

    Of a summary of `quotes` the words of a message are none of a text that this puts, but for its own.
    """
    most = CONCISE + LEEWAY
    text = shortened(text, most)
    lacking = _missing(text, summary_input, words, SAME if quotes else CITED)
    if not lacking or not text:
        return text
    fitting = sum(used <= most for used in accumulate(map(length, lacking)))
    listed = [f"\n- {line}" for line in lacking[:fitting]]
    left = len(lacking) - fitting
    listed += [f"\n- {words.say('prompt-summary-more', number=str(left))}"] if left else []
    return f"{text}\n{words.say('prompt-summary-also')}{''.join(listed)}"


def _missing(text: str, summary_input: SummaryInput, words: Words = ENGLISH, cited: float = CITED) -> list[str]:
    lost = [item.line(words) for item in summary_input.required if not mentions(text, item, cited)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = ((source.text.splitlines(), source.open) for source in sources)
    asked = (line.removeprefix("- ") for told, places in lines for at, line in enumerate(told) if at in places)
    return list(dict.fromkeys(asked))[-_ASKED_KEPT:]
