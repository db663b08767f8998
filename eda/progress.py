"""Where a debate stands, as a fold over its facts. The agenda decides by nothing else, so a resume decides the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from eda.agenda import Agenda, Phase, panel_agenda
from eda.events import (
    BallotCast,
    BaselineTaken,
    Bid,
    BidsTaken,
    CallMade,
    Event,
    FloorGranted,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    PhaseStarted,
    ReportWritten,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    StanceTaken,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.personas import Persona
from eda.settings import FloorName, Settings
from eda.spent import Spent

__all__ = ["Progress"]


@dataclass(slots=True)
class Progress:
    """The state of the agenda."""

    started: SessionStarted | None = None
    settings: Settings = field(default_factory=Settings)
    floor_set: bool = False
    """Whether the floor was changed since the debate began: it then holds in every open phase."""
    phase: str = ""
    """Empty before the first."""
    round: int = 1
    laps: dict[str, int] = field(default_factory=dict)
    """How often each phase was come to in this round."""
    said: int = 0
    """Messages in this phase."""
    members: list[str] = field(default_factory=list)
    """Titles in seat order, of those who sit now."""
    personas: dict[str, Persona] = field(default_factory=dict)
    """Of the same, by title."""
    seats: dict[str, int] = field(default_factory=dict)
    """The number of each one's seat, from 0; it stays the same when somebody else leaves."""
    muted: dict[str, str] = field(default_factory=dict)
    """Who may not speak, and who asked for that: a person who did so themselves has left."""
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
    on_top: int = 0
    """Messages of this round that persons said out of turn, and the answers to them: they take no closing word's
    room."""
    turns: int = 0
    """Turns granted in this phase."""
    floor_at: dict[str, int] = field(default_factory=dict)
    """The last of those turns that each had; of one who came to the table since, the last before that."""
    done: list[str] = field(default_factory=list)
    """Who has had its turn in this phase (spoken, voted or failed), in order."""
    silent: int = 0
    """Rounds of bids in a row in which all passed."""
    bid_rounds: int = 0
    """Rounds of bids since the last message."""
    asked: bool = False
    """Whether the moderator has asked, since the last message, if there is anything left to say."""
    apart: bool = False
    """Whether the bids are to be asked for one by one, because no bid came of asking all together."""
    failed: int = 0
    """Failed turns in a row."""
    vain: int = 0
    """Turns since the last message that brought none: passed over, failed, or taken away before they began."""
    passes: dict[str, int] = field(default_factory=dict)
    """The same of each member, in this phase."""
    failures: dict[str, int] = field(default_factory=dict)
    """Turns of each member since the last message that failed."""
    bids_cut: tuple[Bid, ...] = ()
    """Of the round of bids that a pause cut: who is not among them is still to be asked."""
    bids_stood: dict[str, int] = field(default_factory=dict)
    """Rounds of bids, one after the other, in which each wished to speak and did not get the floor."""
    votes: int = 0
    """Phases come to, in all rounds, in which there is a ballot."""
    ballots: list[BallotCast] = field(default_factory=list)
    """Of the last ballot of this round."""
    polls: dict[int, list[StanceTaken]] = field(default_factory=dict)
    """The stances of each poll, by its number."""
    polls_before: int = 0
    """The last poll of the round before."""
    polled_at: int = 0
    """The last message before the last poll."""
    counted_at: int = 0
    """The same of the last poll or ballot."""
    verdict: VerdictReached | None = None
    baseline: BaselineTaken | None = None
    """Of that verdict."""
    report: ReportWritten | None = None
    """On that verdict."""
    ended: str | None = None
    extended: bool = False
    """Whether the settings were changed since it ended: it can be taken up again."""
    paused: str | None = None
    spent: Spent = field(default_factory=Spent)
    """Of the debate: what its limits are measured against."""
    aside: Spent = field(default_factory=Spent)
    """Of what is no part of the debate: questions that a person asked single members, and the baseline."""
    by_purpose: dict[str, Spent] = field(default_factory=dict)
    """What the calls of each purpose took."""
    ran_out: dict[str, float] = field(default_factory=dict)
    """`tokens` or `money`, where the next call did not fit any more, and the limit that it did not fit."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    last_seq: int = 0

    def fold(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915 - a case for each kind of fact
        """Take one fact in."""
        self._clock(event)
        self.last_seq = event.seq
        match event:
            case MessagePosted():
                self._posted(event)
            case FloorGranted():
                self.grant = event
                self.turns += 1
                self.floor_at[event.agent] = self.turns
                self.silent = 0
                self.bids_stood.pop(event.agent, None)
            case CallMade():
                (self.aside if event.purpose in _ASIDE else self.spent).add(event)
                self.by_purpose.setdefault(event.purpose, Spent()).add(event)
            case BidsTaken(cut=True):
                self.bids_cut = event.bids
            case BidsTaken():
                self._bids(event)
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
            case ModeratorSpoke() if event.why != "circle":
                self.asked = True
            case StanceTaken():
                self.polls.setdefault(event.poll, []).append(event)
                self.polled_at = self.counted_at = self.messages
                self.done.append(event.who)
            case BallotCast():
                self.ballots.append(event)
                self.counted_at = self.messages
                self.done.append(event.ballot.agent)
            case PhaseStarted():
                self._moved(event)
            case SessionStarted():
                self.started = event
                self.settings = event.settings
                self.members = [member.title for member in event.members]
                self.personas = {member.title: member for member in event.members}
                self.seats = {title: seat for seat, title in enumerate(self.members)}
            case MemberChanged():
                self._seated(event)
            case SettingChanged():
                self.floor_set |= event.settings.floor != self.settings.floor
                besides = self.settings.model_copy(update={"baseline": event.settings.baseline})
                self.extended |= self.ended is not None and event.settings != besides
                self.settings = event.settings
            case VerdictReached():
                self.verdict = event
                self.baseline = self.report = None
            case BaselineTaken():
                self.baseline = event
            case ReportWritten():
                self.report = event
            case SessionPaused():
                self.paused = event.reason
            case SessionResumed():
                self._taken_up()
            case SessionEnded():
                self.ended = event.reason
                self.extended = False
            case _:
                pass

    @property
    def state(self) -> str:
        """`ended`, `paused`, or `unfinished`: it runs, or what ran it is gone; see `eda.door.is_running`."""
        if self.ended is not None:
            return "ended"
        return "paused" if self.paused is not None else "unfinished"

    @property
    def baseline_due(self) -> bool:
        """Whether a baseline was asked for, and the verdict has none yet."""
        return self.settings.baseline and self.baseline is None and bool(self.verdict and self.verdict.tally)

    @property
    def panel(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order."""
        return tuple(self.personas[title] for title in self.members)

    @property
    def agenda(self) -> Agenda:
        """The one that is walked."""
        return self.started.agenda if self.started else panel_agenda()

    @property
    def seed(self) -> int:
        """Of the session; 0 before it has begun."""
        return self.started.seed if self.started else 0

    @property
    def at(self) -> Phase | None:
        """The phase that the debate is in; None before the first."""
        return self.agenda.phase(self.phase)

    @property
    def floor(self) -> FloorName:
        """The floor policy of the phase."""
        own = self.at.floor if self.at and not self.floor_set else None
        return own or self.settings.floor

    @property
    def polled(self) -> list[list[StanceTaken]]:
        """The polls of this round, oldest first."""
        return [stances for number, stances in sorted(self.polls.items()) if number > self.polls_before]

    @property
    def active(self) -> list[str]:
        """Who sits and may speak, in seat order."""
        return [title for title in self.members if title not in self.muted]

    @property
    def voters(self) -> list[str]:
        """Who is polled and votes, in seat order: muted members too, but no person who has left."""
        gone = {title for title, by in self.muted.items() if by == title and self.personas[title].person}
        return [title for title in self.members if title not in gone]

    def floor_ago(self, who: str) -> int:
        """The turn of this phase at which `who` last had the floor, or came to the table; else 0."""
        return self.floor_at.get(who, 0)

    def _bids(self, event: BidsTaken) -> None:
        self.bid_rounds += 1
        self.bids_cut = ()
        self.apart = False
        self.silent = 0 if any(bid.wants for bid in event.bids) else self.silent + 1
        stood = self.bids_stood
        self.bids_stood = {bid.agent: stood.get(bid.agent, 0) + 1 for bid in event.bids if bid.wants}

    def _seated(self, event: MemberChanged) -> None:
        match event.change:
            case "muted":
                self.muted[event.who] = event.by
            case "unmuted":
                self.muted.pop(event.who, None)
            case "removed":
                self.members.remove(event.who)
                self._unseat(event.who)
            case "added" if event.persona is not None:
                self.members.append(event.persona.title)
                self.seats[event.persona.title] = max(self.seats.values(), default=-1) + 1
            case "replaced" if event.persona is not None:
                seat = self.seats[event.who]
                self.members[self.members.index(event.who)] = event.persona.title
                self._unseat(event.who)
                self.seats[event.persona.title] = seat
        if event.persona is not None:
            self.personas[event.persona.title] = event.persona
            self.floor_at[event.persona.title] = self.turns  # behind all who wait
        if self.grant is not None and self.grant.agent not in self.active:
            self.grant = None
            self.vain += 1

    def _unseat(self, who: str) -> None:
        del self.personas[who], self.seats[who]
        self.muted.pop(who, None)
        self.bids_stood.pop(who, None)

    def _posted(self, event: MessagePosted) -> None:
        self.on_top += self._out_of_turn(event)
        self.messages = event.number
        self.said += 1
        if not event.sealed:
            self.heard = event.number
        self.last = event
        self.spoke_at[event.who] = event.number
        if self.grant is None or self.grant.agent == event.who:  # who only interjects takes nobody's turn
            self.grant = None
        self.failed = self.vain = self.bid_rounds = 0
        self.bids_cut = ()
        self.passes, self.failures = {}, {}
        self.asked = False
        if self._kind(self.phase) not in ("poll", "ballot"):  # there a word is no answer
            self.done.append(event.who)
        if len(self.done) > _DONE_KEPT:
            del self.done[: -_DONE_KEPT // 2]

    def _out_of_turn(self, event: MessagePosted) -> bool:
        """Whether a person said it unasked, or somebody in answer to that."""
        if self._is_person(event.who):
            answers = self._kind(self.phase) in ("blind", "round") and event.who not in self.done
            return not answers and (self.grant is None or self.grant.agent != event.who)
        if self.last is None or self._kind(self.phase) != "open":
            return False
        return self.last.to == event.who and self._is_person(self.last.who)

    def _is_person(self, who: str) -> bool:
        return who in self.personas and self.personas[who].person

    def _taken_up(self) -> None:
        if self.paused is not None:  # what was cut goes on as if it had not been
            self.failed, self.failures = 0, {}
        self.paused = None

    def _moved(self, event: PhaseStarted) -> None:
        if event.round > self.round:
            self.verdict = None
            self.laps = {}
            self.on_top = 0
            self.why_moved = ""
            self.failed, self.failures = 0, {}  # an outage that ended the discussion may be over
            self.polls_before = max(self.polls, default=0)
        votes = self._kind(event.phase) == "ballot"
        self.votes += votes
        if event.round > self.round or votes:
            self.ballots = []
        self.phase = event.phase
        self.laps[event.phase] = event.lap
        self.said = 0
        self.heard = self.messages
        self.round = event.round
        self.ended = None
        self.vain += self.grant is not None
        self.grant = None
        self.turns = self.silent = 0
        self.floor_at, self.passes, self.done = {}, {}, []
        self.asked = False
        self.bids_cut = ()
        self.bids_stood = {}
        limit = {"tokens": self.settings.max_tokens, "money": self.settings.max_cost}.get(event.why)
        if limit is not None:
            self.ran_out[event.why] = limit
        if event.why not in ("", "done", "lap", "extended"):
            self.why_moved = event.why

    def _kind(self, phase: str) -> str:
        found = self.agenda.phase(phase)
        return found.kind if found else ""

    def _clock(self, event: Event) -> None:
        if event.at is None or _is_aside(event):
            return
        if self.first_at is None:
            self.first_at = event.at
        if self.last_at is not None and self.paused is None and not isinstance(event, SessionResumed):
            self.spent.seconds += max(0.0, (event.at - self.last_at).total_seconds())
        self.last_at = event.at


def _is_aside(event: Event) -> bool:
    """What may be done a week after the debate stopped, such as a note or a steering, takes none of its time."""
    if isinstance(event, CallMade):
        return event.purpose in (*_ASIDE, "report")
    return isinstance(event, _BESIDE) or (isinstance(event, SideMessagePosted) and not event.auto)


_BESIDE = (BaselineTaken, MemberChanged, MemoryCorrected, NoteTaken, ReportWritten, SettingChanged)
_ASIDE = ("ask", "baseline")
"""Purposes of calls that are no part of the debate."""
_DONE_KEPT = 512
"""A phase in which everybody speaks once is far shorter; the list must not grow with a long discussion."""
