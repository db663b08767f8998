"""The answer of a model that takes minutes, and its checks: each item must quote the message that it cites.

A malformed item is left out and does not void the others. The author of an item is the author of that message, whatever
the model says.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from eda.events import Decision, Line, Minuted, Proposal, Quote, RangeMinutes, Reaction
from eda.memory.patterns import Language, default_language
from eda.runners.answers import Answer
from eda.runners.repair import pieces_of
from eda.text import lower, normalise, overlap, plain_low, quoted, regex, sentences, shorten, words

MOST = 100  # Most items read of each kind; a range has far fewer.
_NUMBER = regex(r"\W*m?\W*0*(\d{1,9})\W*", "I")
# A move, as a speaker declares it.
_SPEECH = regex(r"\[(?:propose|amend|support|oppose|neutral|withdraw|position)\b", "I")
# A document, or a place in one, as members cite it.
_CITES = regex(r"\b[\w-]+\.(?:md|txt|pdf|docx?|xlsx?|csv|html?|json|eml|mbox)\b|https?://|\b(?:l|p|S|Z)\. ?\d", "I")
_FENCE = regex(r"```(?:json)?[ \t]*\n?\s*(?:```)?", "I")


def _text(value: Any) -> Any:
    """Return a text that can be stored, with lone surrogates replaced."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _number(value: Any) -> Any:
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else value


def _named(value: Any) -> Any:
    value = _text(value).strip(" \t\n`'\"[](){}<>*.,;:") if isinstance(value, str) else value
    return f"m{value}" if isinstance(value, int) and not isinstance(value, bool) else (value or None)


Text = Annotated[str, BeforeValidator(_text)]
MessageNumber = Annotated[int, BeforeValidator(_number), Field(description="The number of the message: 12 for m12.")]
Copied = Annotated[Text, Field(description="Words of that message, copied word for word.")]
Target = Annotated[str | None, BeforeValidator(_named)]


class Quoted(Answer):
    """An entry, with the message that it quotes."""

    message: MessageNumber
    quote: Copied


class Said(Quoted):
    """A proposal, an open question, or what has no source."""

    text: Text = Field(default="", description="It in one sentence.")


class Bound(Quoted):
    """What a support depends on."""

    on: Target = Field(default=None, description="The id of the text that it is about, or null.")


class Settled(Quoted):
    """A decision."""

    text: Text = Field(default="", description="What was decided, in one sentence.")
    proposal: Target = Field(default=None, description="The id of the proposal that it accepts, or null.")


class Answered(Quoted):
    """The answer to a question that stood open."""

    to: Target = Field(description="m12 for the question of message 12.")
    text: Text = Field(default="", description="The words of that question as they were listed.")


def _each(kind: type[BaseModel]) -> BeforeValidator:
    """Return a validator that keeps the valid items of a list."""

    def fitting(value: Any) -> list[BaseModel]:
        valid: list[BaseModel] = []
        for row in value[:MOST] if isinstance(value, list | tuple) else ():
            with suppress(ValidationError):
                valid.append(kind.model_validate(row))
        return valid

    return BeforeValidator(fitting)


class SummaryAnswer(Answer):
    """A summary."""

    summary: Annotated[list[Quoted], _each(Quoted)] = Field(description="What matters in the messages, in their words.")


class DebateMinutes(SummaryAnswer):
    """The summary of a range of messages of a debate, in which who proposes makes a move, and its minutes."""

    decisions: Annotated[list[Settled], _each(Settled)] = Field(default=[], description="What was decided.")
    questions: Annotated[list[Said], _each(Said)] = Field(default=[], description="What was asked and not answered.")
    answered: Annotated[list[Answered], _each(Answered)] = Field(
        default=[], description="Open questions that a message answers."
    )
    conditions: Annotated[list[Bound], _each(Bound)] = Field(default=[], description="What a support depends on.")
    unsourced: Annotated[list[Said], _each(Said)] = Field(default=[], description="Sentences with figures unsourced.")


class MinutesAnswer(DebateMinutes):
    """The same of any talk."""

    proposals: Annotated[list[Said], _each(Said)] = Field(default=[], description="What was proposed.")


def read_answer(text: str, data: Mapping[str, Any] | None) -> MinutesAnswer | None:
    """Return the answer that a reply holds, as far as it is well formed; None where it holds none.

    Of an answer that breaks off, what it holds in full counts. `data` is the structured answer that a runner has apart
    from the text.
    """
    objects = (each for *_, value in pieces_of(text) for each in (value if isinstance(value, list) else [value]))
    named = (
        each for each in objects if isinstance(each, dict) and not MinutesAnswer.model_fields.keys().isdisjoint(each)
    )
    fields = data if data is not None else next(named, None)
    return MinutesAnswer.model_validate({"summary": [], **fields}) if fields else None


SAME = 0.8  # Share of the shorter wording's words from which two wordings in one message are the same.
MAX_QUOTE = 1000  # Most characters of a quote that are searched for and kept.
MAX_TEXT = 400  # Most characters kept of a wording or a reason.
FEWEST_LETTERS, SHORTEST = 3, 12  # Characters below which words that name a proposal are no quotation of it.
_TOKEN = regex(r"[^\s*_`]+")
_EDGES = " \t\n.,;:!?…\"'()[]*_`-"
_MESSAGE = regex(r"[mp]?#?0*(\d{1,9})", "I")
_FOUND_BY = {
    "pattern": "found by a pattern",
    "declared": "declared",
    "minutes": "from earlier minutes",
    "procedure": "decided by the procedure",
}


@dataclass(slots=True)
class _Check:
    """The range, and the items that have passed the checks. A method returns None where an item does not pass."""

    lines: dict[int, Line]
    proposals: dict[str, Proposal]
    decisions: dict[str, Decision]
    language: Language
    debate: bool
    reactions: Sequence[Reaction]
    listed: dict[str, Minuted] = field(default_factory=dict)  # Proposals of the answer itself, by their future id.

    def proposal(self, entry: Said) -> Minuted | None:
        """Return a proposal that memory does not have yet, or that only a pattern found."""
        minuted = self.quoted(entry)
        there = [item for item in self.proposals.values() if minuted and item.message == minuted.message]
        if minuted is None or self._known(minuted, there):
            return None
        beside = [other for other in self.listed.values() if other.message == minuted.message]
        if any(other.start == minuted.start or one_wording(other.text, minuted.text) for other in beside):
            return None
        self.listed[f"p{minuted.message}@{minuted.start}"] = minuted
        return minuted

    def decision(self, entry: Settled) -> Minuted | None:
        """Return a decision that memory does not have yet, or that only a pattern found."""
        minuted = self.whole(entry)
        there = [item for item in self.decisions.values() if minuted and minuted.message in item.messages]
        if minuted is None or self._known(minuted, there):
            return None
        target = self._target(entry.proposal)
        return minuted if target is None else replace(minuted, to=target[0], about=target[1])

    def question(self, entry: Said) -> Minuted | None:
        """Return a question, asked in the talk or in the reason of a reaction; an offer to say more is none."""
        reasons = self._reasons(entry, self.reactions)
        asked = None if self.language.closing_offers.search(entry.quote) else self.quoted(entry, reasons, "?")
        wants = asked and ("?" in asked.quote or self.language.called_open.search(asked.quote))
        return asked if wants or not self.debate else None

    def answer(self, entry: Answered) -> Minuted | None:
        """Return the answer to an earlier question; which question it is stands with the fold of the minutes."""
        minuted, asking = self.quoted(entry, then="?"), _MESSAGE.fullmatch(entry.to or "")
        if minuted is None or "?" in minuted.quote or asking is None or int(asking[1]) >= minuted.message:
            return None
        return replace(minuted, text=shorten(" ".join(entry.text.split()), MAX_TEXT), to=f"m{int(asking[1])}")

    def condition(self, entry: Bound) -> Minuted | None:
        """Return words of a message with a support in full, or in doubt: of its talk, or a reason; in `to` is its text.

        Words that are on another text are of that one, of which no support may count.
        """
        full = [
            each
            for each in self.reactions
            if (each.message, each.reaction) == (entry.message, "support")
            if each.doubt or not each.conditional
        ]
        said = self.quoted(entry, self._reasons(entry, full)) if full else None
        ids = {each.id.removesuffix(".0"): each.amends or "" for each in self.proposals.values()}
        on, known = (entry.on or "-").lower().removesuffix(".0"), {*ids, *(each.to for each in self.reactions)}
        told = (each.to for each in full if find(entry.quote, each.why) or on in _wordings(each.to or "", ids))
        return said and replace(said, to=next(told, entry.on if on in known else None))

    def _reasons(self, entry: Quoted, reactions: Iterable[Reaction]) -> str:
        """Return the reasons that reactions give in the message of an entry, each on a line of its own."""
        return "".join(f"\n{each.why}" for each in reactions if each.message == entry.message)

    def quoted(self, entry: Quoted, reasons: str = "", then: str = "") -> Minuted | None:
        """Return an item with the words of the message that it quotes, if the message or its `reasons` have them.

        A mark that follows the words in the message, `then`, belongs to them.
        """
        line = self.lines.get(entry.message)
        line = line and replace(line, text=line.text + reasons)
        span = find(entry.quote, line.text) if line else None
        if span is None and len(entry.quote) >= SHORTEST:  # a slip of the number, if one other has the words
            elsewhere = [(other, place) for other in self.lines.values() if (place := find(entry.quote, other.text))]
            line, span = elsewhere[0] if len(elsewhere) == 1 else (line, None)
        if line is None or span is None:
            return None
        quote = line.text[slice(*span)]
        quote += then * line.text.startswith(then, span[1])
        text = " ".join(getattr(entry, "text", "").split()) or " ".join(quote.split())
        return Minuted(line.number, quote, shorten(text, MAX_TEXT), who=line.who, start=span[0])

    def whole(self, entry: Said | Settled) -> Minuted | None:
        """Return an item with the whole sentences that it quotes; a question among them is no statement."""
        if (minuted := self.quoted(entry)) is None:
            return None
        text = self.lines[minuted.message].text
        start, end = whole_sentences(normalise(text), minuted.start, minuted.start + len(minuted.quote))
        quote = text[start:end]
        return minuted if "?" in quote else replace(minuted, quote=quote, start=start)

    def unsourced(self, entry: Said) -> Minuted | None:
        """Return the whole sentences that name no source, nor experience, where their message cites no document."""
        minuted = self.whole(entry) or self.quoted(entry, self._reasons(entry, self.reactions))
        return (
            None
            if minuted
            and (
                self.language.own_experience.search(lower(minuted.quote))
                or _CITES.search(self.lines[minuted.message].text)
            )
            else minuted
        )

    def _known(self, minuted: Minuted, items: Sequence[Proposal | Decision]) -> bool:
        """True if memory has the item already, by more than a pattern."""
        for item in items:
            quotes = [item.quote] if isinstance(item, Proposal) else item.quotes
            wording = item.content if isinstance(item, Proposal) else item.outcome
            same = any(_overlaps(minuted, quote) for quote in quotes) or one_wording(wording, minuted.text)
            if same and item.source != "pattern":
                return True
        return False

    def _target(self, name: str | None) -> tuple[str, str] | None:
        """Return id and words of the one proposal that a model names by id, by its message, or by words quoted."""
        if name is None:
            return None
        known = {
            **{key: item.quote for key, item in self.listed.items()},
            **{key: own_words(item) for key, item in self.proposals.items()},
        }
        for key in (name, name.lower()):
            if key in known:
                return key, known[key]
        if match := _MESSAGE.fullmatch(name):
            at = f"p{int(match[1])}"
            there = [key for key in known if key.replace("@", ".").partition(".")[0] == at]
        else:
            there = [key for key in known if len(name) >= SHORTEST and find(name, known[key])]
        return (there[0], known[there[0]]) if len(there) == 1 else None


def checked(
    answer: MinutesAnswer,
    lines: Sequence[Line],
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
    language: Language | None = None,
    *,
    debate: bool = False,
    closed: Sequence[Line] = (),
    reactions: Sequence[Reaction] = (),
) -> RangeMinutes:
    """Return the minutes that pass the checks, of an answer about `lines` and the items of that range.

    By the words of `language` an offer is told from a question. In a `debate` nobody proposes but by a move, and a
    question has its mark, or is called open. A question of a message of `closed` may be listed again. `reactions` are
    those of the talk.
    """
    known = {item.id: item for item in proposals}, {item.id: item for item in decisions}
    check = _Check({line.number: line for line in lines}, *known, language or default_language(), debate, reactions)
    takes: dict[str, Callable[[Any], Minuted | None]] = {
        **({} if debate else {"proposals": check.proposal}),
        "decisions": check.decision,
        "questions": replace(check, lines={line.number: line for line in (*closed, *lines)}).question,
        "answered": check.answer,
        "conditions": check.condition,
        "unsourced": check.unsourced,
    }
    read = {name: dict.fromkeys(map(take, getattr(answer, name))) for name, take in takes.items()}
    kept: dict[str, Any] = {name: tuple(filter(None, rows)) for name, rows in read.items()}
    return RangeMinutes(**kept)


def known_lines(proposals: Sequence[Proposal], decisions: Sequence[Decision], first: int, last: int) -> list[str]:
    """Return the items of a range, a line each; the texts that were declared stand below their messages."""
    listed = [
        f"- {p.id} proposal, {_FOUND_BY[p.source]}, m{p.message} by {quoted(p.proposer)}: {quoted(p.content)}"
        for p in proposals
        if p.source != "declared" and first <= p.message <= last
    ]
    listed += [
        f"- {d.id} {'' if d.status in ('decided', 'superseded') else f'{d.status} '}decision, {_FOUND_BY[d.source]}, "
        f"m{d.messages[0]}: {quoted(d.outcome)}"
        for d in decisions
        if d.messages and first <= d.messages[0] <= last
    ]
    return listed


def _wordings(key: str, amends: Mapping[str, str]) -> set[str]:
    """Return the id of a text and that of the one which it `amends`, without a `.0`."""
    return {each.removesuffix(".0") for each in (key, amends.get(key.removesuffix(".0"), ""))}


def own_words(item: Proposal | Decision) -> str:
    """Return the quoted words of an item; its wording where it has no quote."""
    if isinstance(item, Proposal):
        return item.quote.text if item.quote else item.content
    return item.quotes[0].text if item.quotes else item.outcome


def one_wording(left: str, right: str) -> bool:
    """Return whether two wordings in one message say the same."""
    return overlap(words(left), words(right)) >= SAME


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text, ignoring case, spaces, emphasis, kinds of quotation mark and edges."""
    plain = plain_low(quote[:MAX_QUOTE]).strip(_EDGES)
    if sum(char.isalnum() for char in plain) < FEWEST_LETTERS:
        return None
    sought = r"[\s*_`]+".join(re.escape(token) for token in _TOKEN.findall(plain))
    match = re.search(sought, plain_low(text))
    return match.span() if match else None


def _overlaps(minuted: Minuted, quote: Quote | None) -> bool:
    """Return whether two quotes share more than half of the shorter one."""
    if quote is None or quote.message != minuted.message:
        return False
    shared = min(minuted.start + len(minuted.quote), quote.end) - max(minuted.start, quote.start)
    return 2 * shared > min(len(minuted.quote), quote.end - quote.start) and one_wording(minuted.quote, quote.text)


def whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences of a normalised text that a part of it lies in; that of all where in none."""
    inside = [span for span in sentences(text) if span[0] < end and start < span[1]] or [(0, len(text))]
    return inside[0][0], inside[-1][1]
