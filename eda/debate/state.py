"""Where a debate stands, as a fold over its facts. The agenda decides by nothing else, so a resume decides the same."""

from dataclasses import dataclass, field
from datetime import datetime

from eda import events
from eda.debate.course import OF_COURSE, OF_LINES, OF_PLAYERS, OF_SEATS, Course, Players, Seats, TypedLines
from eda.panels.agenda import PhaseKind
from eda.panels.hearing import can_hear

_RESTARTS = events.SessionStarted, events.SessionResumed  # Facts before which nobody worked at the session.


@dataclass(init=False, repr=False, eq=False)  # as `Course`
class Turns(Seats, Course):
    """Who has spoken, who has the floor, who asked for it."""

    messages: int = 0  # The number of the last message.
    said: int = 0  # Messages in this phase.
    # The number of the last message that the panel has heard: sealed ones are heard when the phase ends.
    heard: int = 0
    last: events.MessagePosted | None = None
    spoke_at: dict[str, int] = field(default_factory=dict)  # The number of the last message of each who has spoken.
    # The first position that each member declared before it heard the others, and the message.
    opened: dict[str, tuple[int, str]] = field(default_factory=dict)
    grant: events.FloorGranted | None = None  # Who holds the floor; None between turns.
    # Human interjections and replies to them in this round; not charged to the message limit of closing statements.
    on_top: int = 0
    round_at: int = 0  # The number of the last message before this round.
    # The last round in which the moderator said what it says once, and its words, by the occasion.
    moderated: dict[str, tuple[int, str]] = field(default_factory=dict)
    turns: int = 0  # Turns granted in this phase.
    # The last of those turns that each member had; of one who was seated since, the last turn before that.
    floor_at: dict[str, int] = field(default_factory=dict)
    # Who has had its turn in this phase (spoken, voted or failed), in order.
    done: list[str] = field(default_factory=list)
    silent: int = 0  # Rounds of bids in a row in which all passed.
    asked: bool = False  # Whether the moderator has asked, since the last message, if there is anything left to say.
    apart: bool = False  # Whether the next bids are asked for one by one, because asking all together brought none.
    why_failed: str = ""  # The error of the last turn that failed.
    # Turns of each member since the last message that it passed or that repeated a message.
    passes: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)  # Turns of each member since the last message that failed.
    # Whom the last message names to speak next, or each opening, by speaker; empty once somebody has the floor.
    named: dict[str, str] = field(default_factory=dict)
    # The bids of a round that a pause cut: who is not among them is still to be asked.
    bids_cut: tuple[events.Bid, ...] = ()
    # The bids of the last round that still serve: of who wishes to speak and has not had the floor since.
    bids_left: tuple[events.Bid, ...] = ()
    bids_at: int = 0  # The turns granted in this phase before that round.
    # Rounds of bids in a row in which each member wished to speak and did not get the floor.
    bids_stood: dict[str, int] = field(default_factory=dict)

    def fold_turns(self, event: events.Event) -> None:  # noqa: C901, PLR0912 - a case for each kind of fact
        """Take one fact in."""
        match event:
            case events.MessagePosted():
                self._posted(event)
            case events.FloorGranted():
                self._granted(event)
            case events.BidsTaken():
                self._bids(event)
            case events.TurnFailed(who="", purpose="bid"):
                self.apart = True
            case events.TurnFailed(purpose="speak"):
                self.why_failed = event.error
                self._in_vain(event.who, self.failures)
            case events.TurnPassed():
                self._in_vain(event.who, self.passes)
            case events.ModeratorSpoke(why="together" | "unsourced" | "unheard"):
                self.moderated[event.why] = (self.round, event.text)
            case events.ModeratorSpoke(why="circle"):
                self.bids_left, self.named = (), {}  # all are to think again
            case events.TermsNamed():
                self.bids_left, self.named, self.silent = (), {}, 0
            case events.ModeratorSpoke():
                self.asked, self.named = True, {}
            case events.StanceTaken(survey=False):
                self.done.append(event.who)
            case events.BallotCast() if self.does.votes:
                self.done.append(event.ballot.agent)
            case events.PhaseStarted():
                self._moved(event)
            case events.MemberChanged():
                self._seated(event)
            case events.SessionResumed() if self.paused is not None:  # what was cut goes on as if it had not been
                self.failures = {}

    def _granted(self, event: events.FloorGranted) -> None:
        self.grant, self.named = event, self.named if self.is_person(event.agent) else {}
        self.turns += 1
        self.floor_at[event.agent] = self.turns
        self.silent = 0
        self.bids_stood.pop(event.agent, None)
        serves = 2 * (self.turns - self.bids_at) < len(self.members)
        self.bids_left = tuple(bid for bid in self.bids_left if serves and bid.agent != event.agent)

    def floor_ago(self, who: str) -> int:
        """Return the turn of this phase at which `who` last had the floor, or was seated; else 0."""
        return self.floor_at.get(who, 0)

    def _in_vain(self, who: str, turns: dict[str, int]) -> None:
        self.grant = None
        turns[who] = turns.get(who, 0) + 1
        self.done.append(who)

    def _bids(self, event: events.BidsTaken) -> None:
        if event.cut:
            self.bids_cut = event.bids
            return
        self.bids_cut, self.apart = (), False
        self.silent = 0 if any(bid.wants for bid in event.bids) else self.silent + 1
        stood = self.bids_stood
        self.bids_left, self.bids_at = tuple(bid for bid in event.bids if bid.wants), self.turns
        self.bids_stood = {bid.agent: stood.get(bid.agent, 0) + 1 for bid in self.bids_left}

    def _seated(self, event: events.MemberChanged) -> None:
        if event.change in ("removed", "replaced"):
            self.bids_stood.pop(event.who, None)
        if event.persona is not None:
            self.floor_at[event.persona.title] = self.turns  # behind all who wait
        if self.grant is not None and self.grant.agent not in self.active:
            self.grant = None

    def _posted(self, event: events.MessagePosted) -> None:
        person, does = self.is_person(event.who), self.does
        self.on_top += self._out_of_turn(event, does, person=person)
        self.messages = event.number
        self.said += 1
        if not event.sealed:
            self.heard = event.number
        elif position := next((move.text for move in event.moves if move.kind == "position"), ""):
            self.opened.setdefault(event.who, (event.number, position))
        beside = event.sealed or (person and event.to is None)  # a person's line calls nobody off
        self.named = {**(self.named if beside else {}), **({event.who: event.next} if event.next else {})}
        self.last = event
        self.spoke_at[event.who] = event.number
        if self.grant is not None and self.grant.agent == event.who:
            self.grant = None
        else:  # who only interjects takes nobody's turn, and may have changed what others want to say
            self.bids_left = ()
        self.bids_cut = ()
        self.passes, self.failures = {}, {}
        self.asked = False
        if not does.votes:  # there a word is no answer
            self.done.append(event.who)
        if len(self.done) > _DONE_KEPT:
            del self.done[: -_DONE_KEPT // 2]

    def _out_of_turn(self, event: events.MessagePosted, does: PhaseKind, *, person: bool) -> bool:
        """Return whether a person spoke unasked, or a member in answer to that."""
        if person:
            answers = does.each and event.who not in self.done
            return not answers and (self.grant is None or self.grant.agent != event.who)
        answered = self.last is not None and self.last.to == event.who and self.is_person(self.last.who)
        return answered and self.at is not None and does.open

    def _moved(self, event: events.PhaseStarted) -> None:
        if event.round > self.round:
            self.on_top, self.round_at = 0, self.messages
            self.failures = {}  # an outage that ended the discussion may be over
        self.said = self.turns = self.silent = self.bids_at = 0
        self.heard, self.grant = self.messages, None
        self.floor_at, self.passes, self.done = {}, {}, []
        self.asked = False
        self.bids_cut, self.bids_left, self.bids_stood = (), (), {}


@dataclass(init=False, repr=False, eq=False)  # as `Course`
class Votes(Course):
    """The stances, the ballots and what they came to."""

    ballots: list[events.BallotCast] = field(default_factory=list)  # The last ballot of this round.
    earlier_ballots: list[events.BallotCast] = field(default_factory=list)  # The ballot before that one.
    # The private ballot before the first message, which decides nothing.
    first_ballots: list[events.BallotCast] = field(default_factory=list)
    polls: dict[int, list[events.StanceTaken]] = field(default_factory=dict)  # The stances of each poll, by its number.
    # The answers to each poll of `Settings.poll`, by its number.
    surveys: dict[int, list[events.StanceTaken]] = field(default_factory=dict)
    surveyed_at: int = 0  # The last message before the last of them.
    polls_before: int = 0  # The last poll of the round before.
    polled_at: int = 0  # The last message before the last poll.
    counted_at: int = 0  # The last message before the last poll or ballot.
    # Messages of persons since the first of these ballots was cast, outside a phase of talk.
    said_over: list[int] = field(default_factory=list)
    again: bool = False  # Whether this ballot is taken because of that.
    # What would bring in those who were not for the leading text, as they answered in this round.
    terms: list[events.TermsNamed] = field(default_factory=list)
    terms_before: int = 0  # How many of these were named before this lap.
    # The votes that were taken once more to see what a verdict rests on.
    tried: list[events.VoteTried] = field(default_factory=list)
    verdict: events.VerdictReached | None = None
    # The single answers beside that verdict, or of a control without a panel.
    baseline: events.BaselineTaken | None = None
    report: events.ReportWritten | None = None  # The report on that verdict.
    # Who owns that decision, when to look at it again, and what came of it.
    followed: events.DecisionFollowedUp | None = None

    def fold_votes(self, event: events.Event, messages: int) -> None:  # noqa: C901, PLR0912 - a case for each kind of fact
        """Take one fact in, `messages` being the number of the last message."""
        match event:
            case events.MessagePosted() if self.ballots and self.verdict is None:
                self.said_over += [event.number] * (not self.does.speaks)
            case events.StanceTaken(survey=True):
                self.surveys.setdefault(event.poll, []).append(event)
                self.surveyed_at = messages
            case events.StanceTaken():
                self.polls.setdefault(event.poll, []).append(event)
                self.polled_at = self.counted_at = messages
            case events.BallotCast(first=True):
                self.first_ballots.append(event)
            case events.BallotCast(again=True):
                self.ballots = [event if cast.ballot.agent == event.ballot.agent else cast for cast in self.ballots]
            case events.BallotCast():
                self.ballots.append(event)
                self.counted_at = messages
            case events.TermsNamed():
                self.terms.append(event)
            case events.VoteTried():
                self.tried.append(event)
            case events.PhaseStarted():
                self._begun(event)
            case events.VerdictReached():
                self.verdict = event
                self.baseline = self.report = self.followed = None
            case events.BaselineTaken():
                self.baseline = event
            case events.ReportWritten():
                self.report = event
            case events.DecisionFollowedUp():
                self.followed = event

    def _begun(self, event: events.PhaseStarted) -> None:
        """Forget what was said and voted before, where a phase asks for it anew."""
        if event.round > self.round:
            self.verdict, self.terms = None, []
            self.polls_before = max(self.polls, default=0)
        if event.round > self.round or event.lap > 1:
            self.terms_before = len(self.terms)
        begun = self.phase_named(event.phase)
        if event.round > self.round or (begun is not None and begun.does.ballots):
            self.earlier_ballots = self.ballots or self.earlier_ballots
            self.ballots, self.said_over, self.again = [], [], event.why == "talk"

    @property
    def polled(self) -> list[list[events.StanceTaken]]:
        """The polls of this round, oldest first."""
        return [stances for number, stances in sorted(self.polls.items()) if number > self.polls_before]


@dataclass
class CallNames:
    """A fold over the log that counts the calls of each purpose and member."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def next(self, purpose: str, agent: str) -> int:
        """Return the number of the next call of this purpose and member, from 1."""
        return self.counts.get((purpose, agent), 0) + 1

    def fold(self, event: events.Event) -> None:
        """Take one fact in. A call whose answer nobody used has no number: it is made again under its name."""
        if isinstance(event, (events.CallMade, events.TurnFailed)) and event.nth:
            # The member that was asked; empty for the moderator, whom no member is.
            who = (event.agent if isinstance(event, events.CallMade) else event.who) * (event.purpose != "moderate")
            self.counts[event.purpose, who] = max(event.nth, self.counts.get((event.purpose, who), 0))


@dataclass(init=False, repr=False, eq=False)  # as `Course`
class Spending(Course):
    """What the debate took: calls, tokens, money, time."""

    # Usage of the debate, which its limits are measured against.
    spent: events.UsageTotals = field(default_factory=events.UsageTotals)
    # Usage beside the debate: questions that a person asked single members, and single answers.
    aside: events.UsageTotals = field(default_factory=events.UsageTotals)
    by_purpose: dict[str, events.UsageTotals] = field(default_factory=dict)  # Usage of the calls of each purpose.
    # `tokens` or `money`, where the next call did not fit any more, and the limit that it did not fit.
    ran_out: dict[str, float] = field(default_factory=dict)
    calls: CallNames = field(default_factory=CallNames)  # Numbers the calls of each purpose and member.
    players: Players = field(default_factory=Players)  # Who or what has answered for each member.
    first_at: datetime | None = None
    last_at: datetime | None = None

    def fold_spending(self, event: events.Event) -> None:
        """Take one fact in."""
        self._clock(event)
        self.calls.fold(event)
        if type(event) in OF_PLAYERS:
            self.players.fold(event)
        if isinstance(event, events.CallMade):
            self.by_purpose.setdefault(event.purpose, events.UsageTotals()).add(event)
            (self.aside if event.purpose in _ASIDE else self.spent).add(event)
        elif isinstance(event, events.PhaseStarted):
            limit = {"tokens": self.settings.limits.tokens, "money": self.settings.limits.cost}.get(event.why)
            if limit is not None:
                self.ran_out[event.why] = limit

    def _clock(self, event: events.Event) -> None:
        aside = event.beside or isinstance(event, events.SideMessagePosted)
        if isinstance(event, events.CallMade):
            aside = event.purpose in (*_ASIDE, "report")
        if event.at is None or aside:
            return
        self.first_at = self.first_at or event.at
        if self.last_at is not None and self.paused is None and not isinstance(event, _RESTARTS):
            self.spent.seconds += max(0.0, (event.at - self.last_at).total_seconds())
        self.last_at = event.at


_ASIDE = ("ask", "baseline")  # Purposes of calls that are no part of the debate.
_DONE_KEPT = 512  # The most turns of a phase that are kept: a phase in which everybody speaks once is far shorter.


@dataclass
class DebateState(Turns, Votes, Spending, TypedLines):
    """The course of the debate, its seats, its turns, its votes and what was spent."""

    def fold(self, event: events.Event) -> None:
        """Take one fact in. The course comes last: the other parts look at it as it was before the fact."""
        self.last_seq = event.seq
        self.fold_spending(event)
        if type(event) in OF_LINES:
            self.fold_lines(event)
        if type(event) not in (events.CallMade, events.FloorGranted):  # the most of all facts beside messages
            self.fold_votes(event, self.messages)
        if type(event) in OF_SEATS:
            self.fold_seats(event)
        self.fold_turns(event)
        if type(event) in OF_COURSE:
            self.fold_course(event)

    @property
    def next_poll(self) -> int:
        """The number of the next poll."""
        return max((*self.polls, *self.surveys), default=0) + 1

    def hears_of(self, listener: str, speaker: str) -> bool:
        """Return whether a member hears another, both by title. Who has left is heard only where all hear all."""
        if listener not in self.seats or speaker not in self.seats or self.started is None:
            return self.hears == "all"
        return can_hear(self.hears, self.seats[listener], self.seats[speaker], len(self.started.members))
