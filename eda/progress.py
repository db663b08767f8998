"""Where a debate stands, as a fold over its facts. The agenda decides by nothing else, so a resume decides the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from eda.events import (
    BallotCast,
    BidsTaken,
    CallMade,
    Event,
    FloorGranted,
    MessagePosted,
    NoteTaken,
    PhaseStarted,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.settings import Settings

__all__ = ["Progress", "Spent"]


@dataclass(slots=True)
class Spent:
    """What a debate has taken so far."""

    calls: int = 0
    input_tokens: int = 0
    """Cached ones included."""
    cache_read_tokens: int = 0
    """Of the input: read from the provider's cache."""
    cache_write_tokens: int = 0
    """Of the input: written to it."""
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, of the calls whose price is known."""
    unpriced_calls: int = 0
    """Calls whose price is unknown."""
    seconds: float = 0.0
    """Wall clock from fact to fact, pauses left out."""

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens

    def add(self, call: CallMade) -> None:
        """Count one call."""
        self.calls += 1
        self.input_tokens += call.input_tokens + call.cache_read_tokens + call.cache_write_tokens
        self.cache_read_tokens += call.cache_read_tokens
        self.cache_write_tokens += call.cache_write_tokens
        self.output_tokens += call.output_tokens
        if call.cost is None:
            self.unpriced_calls += 1
        else:
            self.cost += call.cost


@dataclass(slots=True)
class Progress:
    """The state of the agenda."""

    started: SessionStarted | None = None
    settings: Settings = field(default_factory=Settings)
    phase: str = ""
    """Empty before the first."""
    round: int = 1
    why_moved: str = ""
    """Why the discussion ended."""
    messages: int = 0
    """The number of the last message."""
    heard: int = 0
    """The number of the last message that the panel has heard: sealed ones are heard when the phase ends."""
    last: MessagePosted | None = None
    spoke_at: dict[str, int] = field(default_factory=dict)
    """The last message of each who has spoken."""
    grant: FloorGranted | None = None
    """Who holds the floor; None between turns."""
    turns: int = 0
    """Turns granted in this phase."""
    done: list[str] = field(default_factory=list)
    """Who has had its turn in this phase (spoken, voted or failed), in order."""
    silent: int = 0
    """Rounds of bids in a row in which all passed."""
    bid_rounds: int = 0
    """Rounds of bids since the last message."""
    apart: bool = False
    """Whether the bids are to be asked for one by one, because no bid came of asking all together."""
    failed: int = 0
    """Failed turns in a row."""
    vain: int = 0
    """Turns since the last message that brought none: passed over, or failed."""
    passes: dict[str, int] = field(default_factory=dict)
    """The same of each member, in this phase."""
    failures: dict[str, int] = field(default_factory=dict)
    """Turns of each member since the last message that failed."""
    ballots: list[BallotCast] = field(default_factory=list)
    """Of this round."""
    verdict: VerdictReached | None = None
    ended: str | None = None
    paused: str | None = None
    spent: Spent = field(default_factory=Spent)
    """Of the debate: what its limits are measured against."""
    aside: Spent = field(default_factory=Spent)
    """Of questions that a person asked single members."""
    by_purpose: dict[str, Spent] = field(default_factory=dict)
    """What the calls of each purpose took."""
    ran_out: dict[str, float] = field(default_factory=dict)
    """`tokens` or `money`, where the next call did not fit any more, and the limit that it did not fit."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    last_seq: int = 0

    def fold(self, event: Event) -> None:  # noqa: C901, PLR0912 - a case for each kind of fact
        """Take one fact in."""
        self._clock(event)
        self.last_seq = event.seq
        match event:
            case MessagePosted():
                self._posted(event)
            case FloorGranted():
                self.grant = event
                self.turns += 1
                self.silent = 0
            case CallMade():
                (self.aside if event.purpose == "ask" else self.spent).add(event)
                self.by_purpose.setdefault(event.purpose, Spent()).add(event)
            case BidsTaken():
                self.bid_rounds += 1
                self.apart = False
                self.silent = 0 if any(bid.wants for bid in event.bids) else self.silent + 1
            case TurnFailed(who="", purpose="bid"):
                self.apart = True
            case TurnFailed(purpose="speak"):
                self.grant = None
                self.failed += 1
                self.vain += 1
                self.failures[event.who] = self.failures.get(event.who, 0) + 1
                self.done.append(event.who)
            case TurnPassed():
                self.grant = None
                self.vain += 1
                self.passes[event.who] = self.passes.get(event.who, 0) + 1
                self.done.append(event.who)
            case BallotCast():
                self.ballots.append(event)
                self.done.append(event.ballot.agent)
            case PhaseStarted():
                self._moved(event)
            case SessionStarted():
                self.started = event
                self.settings = event.settings
            case SettingChanged():
                self.settings = event.settings
            case VerdictReached():
                self.verdict = event
            case SessionPaused():
                self.paused = event.reason
            case SessionResumed():
                self._taken_up()
            case SessionEnded():
                self.ended = event.reason
            case _:
                pass

    @property
    def state(self) -> str:
        """`ended`, `paused` or `running` (the last also where a process was killed)."""
        if self.ended is not None:
            return "ended"
        return "paused" if self.paused is not None else "running"

    def _posted(self, event: MessagePosted) -> None:
        self.messages = event.number
        if not event.sealed:
            self.heard = event.number
        self.last = event
        self.spoke_at[event.who] = event.number
        self.grant = None
        self.failed = self.vain = self.bid_rounds = 0
        self.passes = {}
        self.failures = {}
        self.done.append(event.who)
        if len(self.done) > _DONE_KEPT:
            del self.done[: -_DONE_KEPT // 2]

    def _taken_up(self) -> None:
        if self.paused is not None:  # what was cut goes on as if it had not been
            self.failed = 0
            self.failures = {}
        self.paused = None

    def _moved(self, event: PhaseStarted) -> None:
        if event.round > self.round:
            self.ballots = []
            self.verdict = None
        self.phase = event.phase
        self.heard = self.messages
        self.round = event.round
        self.ended = None
        self.grant = None
        self.turns = 0
        self.silent = 0
        self.passes = {}
        self.done = []
        limit = {"tokens": self.settings.max_tokens, "money": self.settings.max_cost}.get(event.why)
        if limit is not None:
            self.ran_out[event.why] = limit
        if event.why and event.phase != "discussion":
            self.why_moved = event.why if event.why != "done" else self.why_moved

    def _clock(self, event: Event) -> None:
        if event.at is None or _is_aside(event):
            return
        if self.first_at is None:
            self.first_at = event.at
        if self.last_at is not None and self.paused is None and not isinstance(event, SessionResumed):
            self.spent.seconds += max(0.0, (event.at - self.last_at).total_seconds())
        self.last_at = event.at


def _is_aside(event: Event) -> bool:
    """A question to one member, or a note, perhaps a week after the end, takes none of the debate's time."""
    match event:
        case CallMade(purpose="ask") | SideMessagePosted(auto=False) | NoteTaken():
            return True
        case _:
            return False


_DONE_KEPT = 512
"""A phase in which everybody speaks once is far shorter; the list must not grow with a long discussion."""
