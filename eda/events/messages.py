"""Facts of the discussion: bids, messages, notes, summaries, and the calls that produced them, with their totals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field

from eda.events.base import Event
from eda.events.lines import LineRead
from eda.events.model_minutes import RangeMinutes
from eda.events.records import Line, Move
from eda.panels.settings import Frozen, SummaryStyle
from eda.text import Read, regex

__all__ = [
    "JSON",
    "Bid",
    "BidFault",
    "BidsTaken",
    "CallMade",
    "Evidence",
    "EvidenceFound",
    "FloorGranted",
    "MessagePosted",
    "ModeratorSpoke",
    "NoteTaken",
    "SideMessagePosted",
    "SummaryWritten",
    "TurnFailed",
    "TurnPassed",
    "UsageTotals",
    "talk_of",
]


JSON = "JSON"  # Among the unknown tags of a message: it held JSON that is cut and not all read.
_EMPTY_LINES = regex(r"(?<![^\S\n])[^\S\n]*\n(?:[^\S\n]*\n)+")
BidFault = Literal["", "unreadable", "failed", "missing"]
GrantKind = Literal[
    "in turn",
    "lot",
    "next",
    "asked",
    "addressed",
    "bid",
    "stood",
    "waited",
    "alone",
    "named",
    "longest",
    "closing",
    "no bid heard",
    "as before",
    "words",
]
"""Why a member has the floor. `next` is by the last speaker, `named` by the moderator; `longest` spoke longest ago, `as
before` repeats another debate; `words` is of a policy that gives its own, `closing` of older logs."""


class Bid(Frozen):
    """A member's answer when asked whether it wants the floor."""

    agent: str
    wants: bool
    urgency: float = Field(default=0.0, ge=0, le=1)
    reason: str = ""
    """In the member's words; in older logs also why there is no bid."""
    fault: BidFault = Field(default="", exclude_if=lambda fault: not fault)
    """Why the pass stands for a bid: it cannot be read, the call failed, or an answer for several does not hold it."""


class BidsTaken(Event, type="bids_taken", durable=False):
    """The members were asked for bids."""

    bids: tuple[Bid, ...]
    """All answers in seat order, also of members that do not want the floor."""
    cut: bool = False
    """True if a pause interrupted the round. A resume keeps these bids and asks the other members."""


class FloorGranted(Event, type="floor_granted", durable=False):
    """A member was given the floor. It holds the floor until its message or its failed turn follows."""

    agent: str
    why: GrantKind = "words"
    by: str = ""
    """The member that asked or addressed it."""
    urgency: float | None = None
    """Of the bid that won."""
    turns: int = 0
    """The rounds for which its bid has stood, or the turns for which it has waited."""
    reason: str = ""
    """The words of the bid, of the moderator or of a policy; in older logs the whole reason."""


class MessagePosted(Event, type="message_posted", context="grows", people=("who",)):
    """A member said something to the panel."""

    number: int
    """Messages are numbered from 1 without gaps."""
    who: str
    text: str
    """The whole reply. Others see `talk`."""
    moves_at: int | None = None
    """Offset in `text`, in characters, of the first move line; None if there is none."""
    cut: tuple[tuple[int, int], ...] = ()
    """Spans of `text` that the others do not see, in order: move lines, and lines written in another's name."""
    puppets: tuple[str, ...] = ()
    """The members in whose names it has lines, or `Moderator`."""
    unclaimed: tuple[Move, ...] = ()
    """Moves right below such a line, or in code. Nobody can tell whose they are, so they are kept as unresolved."""
    unknown_tags: tuple[str, ...] = ()
    """Tags in brackets that stand where a move may stand and count for none: of no known kind, unclear in their own
    words, or beyond the eighth move. `JSON` begins what of data is cut and not read."""
    moves: tuple[Move, ...] = ()
    line: LineRead | None = Field(default=None, exclude_if=lambda line: line is None)
    """How it was read, where a person typed it; None of a member's, and in older logs."""
    to: str | None = None
    """The member that is addressed by name."""
    next: str = Field(default="", exclude_if=lambda whom: not whom)
    """The member that its author names to speak next; empty for nobody."""
    reply_to: int | None = None
    """Number of the message that this one answers."""
    sealed: bool = False
    """True for a blind opening, which others do not see before the next phase."""
    ref: str | None = None
    """Its id in an imported transcript."""
    topic: str | None = None
    t: float | None = None
    """Seconds from the start of an imported transcript."""
    sent: datetime | None = None
    """When it was said, by an imported transcript; without a zone where the source names none."""

    @property
    def talk(self) -> str:
        """The text as the others see it: without its move lines, and without lines in another's name."""
        if read := self.__dict__.get("read"):
            return str(read.text)
        if self.cut:
            return talk_of(self.text, self.cut)
        return self.text if self.moves_at is None else self.text[: self.moves_at].rstrip()

    @cached_property
    def read(self) -> Read:
        """The analysis of the talk, made once for all who check, fold and compare the message; kept until `unread`."""
        return Read(self.talk)

    @property
    def whole(self) -> Read:
        """The analysis of the whole reply: that of the talk where nothing is cut."""
        return self.read if self.read.text == self.text else Read(self.text)

    def unread(self) -> None:
        """Drop the analysis, which takes several times the room of the text: the message is folded."""
        self.__dict__.pop("read", None)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values; the analysis of one with other words is its own."""
        copy = super().model_copy(update=update, deep=deep)
        if update and not update.keys().isdisjoint(("text", "cut", "moves_at")):
            copy.unread()
        return copy

    @property
    def shown(self) -> Line:
        """The message as the panel sees it."""
        positions = (move.text for move in reversed(self.moves) if move.kind == "position")
        return Line(self.number, self.who, self.talk, next(positions, ""))

    @property
    def spoken(self) -> str:
        """The talk; of a message of moves alone the whole text, whose reasons may speak to somebody."""
        return self.talk.strip() or self.text


def talk_of(text: str, cut: tuple[tuple[int, int], ...]) -> str:
    """Return a text without the spans that are cut, and without the empty lines that they leave."""
    if not cut:
        return text
    begins = (0, *(end for _, end in cut))
    ends = (*(start for start, _ in cut), len(text))
    left = "".join([text[begin:end] for begin, end in zip(begins, ends, strict=True)])
    return _EMPTY_LINES.sub("\n\n", left).strip()


class ModeratorSpoke(Event, type="moderator_spoke", context="grows"):
    """The engine addressed the panel. This is no member's message and has no number."""

    text: str
    to: str | None = None
    why: str = ""
    """The occasion: `silence`; `circle`: the debate repeats itself; `unheard`, `unsourced`: of some texts, of figures;
    `together`, once two thirds of the discussion are over; `left out` of motions that the ballot has no room for."""


class SideMessagePosted(Event, type="side_message_posted", people=("who",)):
    """A message of a talk with one member, aside from the panel. No other context shows it and no tally counts it."""

    number: int
    """Side messages have their own numbers, from 1."""
    who: str
    to: str
    text: str
    after: int = 0
    """Number of the last message that had been posted."""
    auto: bool = False
    """True for an unasked comment; older sessions have some."""
    on: str = ""
    """What such a comment is on."""


class NoteTaken(Event, type="note_taken", context="begins anew", beside=True, people=("who",)):
    """A person recorded a note. Notes of members are moves of their messages."""

    who: str
    text: str
    importance: int = Field(default=500, ge=1, le=1000)
    topic: str = ""
    after: int = 0
    """Number of the last message that had been posted."""
    private: bool = False
    """True if no member and no prompt may see the note."""


class Evidence(Frozen):
    """A passage that a member was shown because it had looked something up."""

    id: str
    """`e3`: by this it is cited."""
    source: str
    """Where it stands: `report.pdf p. 7`, `m3-m5`, `note n2`."""
    text: str


class EvidenceFound(Event, type="evidence_found", people=("who",)):
    """A member looked something up before it spoke, and was shown what was found."""

    who: str
    words: str
    """What it looked up."""
    found: tuple[Evidence, ...] = ()
    """The best first; empty where nothing was found."""
    tool: str = Field(default="", exclude_if=lambda tool: not tool)
    """The tool that found it; empty where nothing was called."""
    arguments: str = Field(default="", exclude_if=lambda given: not given)
    """Those of the call, as the member wrote them."""
    error: str = Field(default="", exclude_if=lambda error: not error)
    """Why the call brought nothing."""
    seconds: float = Field(default=0.0, exclude_if=lambda seconds: not seconds)
    cost: float = Field(default=0.0, exclude_if=lambda cost: not cost)
    """US dollars, where the tool tells; its `CallMade` counts them."""


class SummaryWritten(Event, type="summary_written", context="begins anew"):
    """Messages `first` to `last`, both included, were summarised."""

    first: int
    last: int
    level: int = 1  # one more for each level of summaries folded into it
    text: str
    by: str = "extractive"
    """The model that wrote it, or `extractive`."""
    style: SummaryStyle = "concise"
    minutes: RangeMinutes | None = None
    """Those of the same call; None if it returned none, or no model was called."""
    dropped: int = Field(default=0, exclude_if=lambda number: not number)
    """Statements of the model that did not agree with the record and were left out."""
    open: tuple[int, ...] = Field(default=(), exclude_if=lambda at: not at)  # Lines, from 0, that are questions.
    quotes: tuple[int, ...] = Field(default=(), exclude_if=lambda at: not at)  # The message of each line, 0 for none.


class CallMade(Event, type="call_made", durable=False):
    """A runner answered a prompt."""

    purpose: str
    agent: str = ""
    last: int = 0
    """Number of the last message that had been posted when the call began."""
    attempt: int = 1
    """2 where the member was asked once more in the same turn. Before schema 4 it told calls of one `last` apart."""
    nth: int = 0
    """Number of the call among those of its purpose and member, from 1; 0 before schema 4, or if a pause came first."""
    model: str = ""
    model_answered: str = Field(default="", exclude_if=lambda model: not model)
    """The model that the server says has answered, where `model` was asked; empty where it does not say."""
    provider: str = Field(default="", exclude_if=lambda provider: not provider)
    """The name of the member's own runner, where that one answered; empty where the session's did."""
    refused: tuple[str, ...] = Field(default=(), exclude_if=lambda refused: not refused)
    """What a program that answered was refused."""
    prompt_sha: str = Field(default="", exclude_if=lambda sha: not sha)
    """SHA-256 of the text that was sent, in hexadecimal; empty where the runner counted no tokens of it."""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None if the model's price is unknown."""
    greetings: int = Field(default=0, exclude_if=lambda number: not number)
    """Calls in it that asked a server whose answer was none whether it answers at all."""
    characters: int = 0
    """Length of the prompt; 0 where the runner counted no tokens of it."""
    live: str = ""
    """Why a replay went live with this call; empty for all others."""

    @property
    def prompt_tokens(self) -> int:
        """The whole input, cached or not."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def key(self) -> tuple[str, str, int]:
        """Purpose, agent and number: the name of the call within its session."""
        return self.purpose, self.agent, self.nth


class TurnPassed(Event, type="turn_passed"):
    """A member passed its turn, or repeated an earlier message and was skipped."""

    who: str
    why: Literal["passed", "nothing new", "silent", "repeated", "no speech", "words"]
    """`passed`: a person did. `nothing new`: the member said that it has nothing. `silent`: a person gave no word in
    time. `no speech`: what it wrote is none. `words` is of older sessions."""
    seconds: float = 0.0
    """The time that a silent person had."""
    fault: str = ""
    """What the member was told of a reply that is no speech; in older sessions the whole reason."""
    repeats: int = 0
    """Number of the message that the reply repeated; 0 if it repeated none."""


class TurnFailed(Event, type="turn_failed"):
    """A member was asked and gave no usable answer. The debate went on without it."""

    who: str
    purpose: str
    error: str
    nth: int = 0
    """Number of the call that failed, as in `CallMade`, which a call that took nothing lacks; 0 if no call failed."""


@dataclass(slots=True)
class UsageTotals:
    """The totals of some calls, or of a debate so far."""

    calls: int = 0
    input_tokens: int = 0  # Tokens of all prompts, cached ones included.
    cache_read_tokens: int = 0  # Input tokens that were read from the provider's cache.
    cache_write_tokens: int = 0  # Input tokens that were written to the provider's cache.
    output_tokens: int = 0
    cost: float = 0.0  # US dollars, for the calls whose price is known.
    unpriced_calls: int = 0  # Number of calls whose price is unknown.
    seconds: float = 0.0  # Wall-clock time from fact to fact, without pauses.

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return self.input_tokens + self.output_tokens

    def add(self, call: CallMade) -> None:
        """Add the figures of one call."""
        self.calls += 1 + call.greetings
        self.input_tokens += call.prompt_tokens
        self.cache_read_tokens += call.cache_read_tokens
        self.cache_write_tokens += call.cache_write_tokens
        self.output_tokens += call.output_tokens
        if call.cost is None:
            self.unpriced_calls += 1
        else:
            self.cost += call.cost
