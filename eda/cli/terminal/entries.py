"""Describes events in words: `describe` is the only place where a kind of event becomes text on a screen.

To show another kind of event, add a row to `_DESCRIBE`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from eda.cli.terminal.acts import in_brief, in_words
from eda.cli.terminal.ballots import ballot_phrase, bid_phrase, in_brackets, ranked_bids, stance_phrase
from eda.cli.terminal.entry import SEAT, SEAT_PLAIN, Entry, Pieces
from eda.cli.terminal.verdict import claim_phrase, decision_phrase
from eda.debate.addressing import addressing_of
from eda.debate.state import DebateState
from eda.events import (
    ActsRead,
    BallotCast,
    BidsTaken,
    CallDelayed,
    CallMade,
    DecisionFound,
    Event,
    EvidenceFound,
    FloorGranted,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    PhaseStarted,
    ProposalMade,
    ReactionSeen,
    SessionEnded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SettingChanged,
    SideMessagePosted,
    StanceTaken,
    SummaryWritten,
    TermsNamed,
    TurnFailed,
    TurnPassed,
    VerdictReached,
)
from eda.memory.context.acts import act_line
from eda.memory.minutes.proposals import why_closed
from eda.memory.table import reason_of
from eda.panels.agenda import Agenda
from eda.panels.settings import Settings
from eda.report.formatting import clean, corrected_by, listed, one_line, shorten
from eda.report.phrases import (
    corrected_phrase,
    delay_phrase,
    ended_phrase,
    evidence_phrase,
    granted_phrase,
    live_phrase,
    of_source,
    passed_phrase,
    paused_phrase,
    skipped_phases,
    terms_phrase,
)
from eda.voting.account import voter_of
from eda.words import ENGLISH, Words

_BEHIND = (FloorGranted, SummaryWritten)  # What only `--verbose` shows.
_STANCE_MARKS = {"support": "+", "oppose": "−", "neutral": "·"}  # Shown before a reaction.
_STANCES = {"support": "supports", "oppose": "opposes", "neutral": "is undecided on"}
_REASONS, _SUMMED_UP = 3, 480  # Unsuccessful bidders with their reasons; characters of a summary: six lines.


@dataclass(slots=True)
class Context:
    """What the words for an event depend on besides the event itself."""

    settings: Settings
    """The settings in force; a change is described by what differs from them."""
    progress: DebateState | None = None
    """The state of the debate that is running; None where a stored session is printed."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """What each member stands for, shown beside its name while the debate runs."""
    bids: BidsTaken | None = None
    """The bids that the next grant of the floor decides on."""
    agenda: Agenda | None = None  # None where the start of the session is not shown.
    phase: str = ""  # The last phase.
    reason: str = ""
    """Why the next speaker has the floor, where there were no bids."""
    last_reason: str = ""  # The reason of the grant before: a reason that stays the same is shown once.
    people: Collection[str] = ()
    """The titles of the people at the table: that they have voted is told at once."""
    ballots: dict[str, BallotCast] = field(default_factory=dict)
    """The ballots that were cast, which are told with the verdict."""
    voted: bool = False  # True once a verdict was told.
    over: bool = False  # True of a debate that has ended: its first ballots are shown.
    verbose: bool = False
    """Also shows bids, why each has the floor, and summaries."""
    said: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """The text of each message whose acts were not told yet, and whether that is its moves in words."""
    posted: int = 0  # The number of the last message; 0 once acts of another one stand below it.
    claims: dict[str, str] = field(default_factory=dict)
    """What was told last of each claim: a change is told once."""
    read: int = 0
    """The message whose acts were just shown: the events of its items that follow say the same."""

    @property
    def words(self) -> Words:
        """What words the events: in the language of the settings in force."""
        return Words(self.settings.language)

    def entries(self, event: Event) -> list[Entry]:
        """Describe the next event, mostly in one entry, in none of a kind that no screen shows; take account of it."""
        if event.stored:
            self.read = 0
        row = None if isinstance(event, _BEHIND) and not self.verbose else _DESCRIBE.get(type(event))
        entries = row(event, self) if row else []
        self._fold(event)
        return entries

    def _fold(self, event: Event) -> None:
        match event:
            case SessionStarted():
                self.settings, self.agenda = event.settings, event.agenda
            case PhaseStarted():
                self.phase = event.phase
            case SettingChanged():
                self.settings = event.settings
            case MessagePosted():
                self.reason, self.posted, self.said[event.number] = "", event.number, _text(event)
            case ActsRead():
                self.said.pop(event.message, None)
                self.read, self.posted = event.message, self.posted if self.posted == event.message else 0
            case BidsTaken() if any(bid.wants for bid in event.bids):
                self.bids = None if event.cut else event
            case FloorGranted() if self.bids is not None:
                self.bids, self.reason = None, ""
            case FloorGranted():
                at = self.progress.at if self.progress else None
                reason = granted_phrase(event, self.words) if at and at.does.open else ""
                self.reason, self.last_reason = "" if reason == self.last_reason else reason, reason
            case _:
                pass


def _dim(tag: str, text: str, mark: str = "", line: str | None = None) -> list[Entry]:
    """Return an entry in the background; without a mark a terminal shows the tag too."""
    words = text if mark else f"{tag}: {text}"
    return [Entry(tag, ((words, "dim"),), (mark, "dim"), line if mark else f"{tag}: {text}")]


def _ballot(event: BallotCast, context: Context) -> list[Entry]:
    if not context.over:  # private: first ballots until the debate has ended, the others until the verdict
        who = event.ballot.agent
        if who in context.ballots:  # a new ballot
            context.ballots.clear()
        if not event.first:
            context.ballots[who] = event
        return _dim("vote", f"{one_line(who)} has voted", "·") if who in context.people and not event.first else []
    return _vote(event, context)


def _vote(event: BallotCast, context: Context, dissent: Collection[str] = ()) -> list[Entry]:
    """Return a ballot; on a terminal in brief for those in `dissent`, with whom the verdict tells the rest."""
    ballot, who, style = event.ballot, one_line(event.ballot.agent), "dim" if event.ballot.choice is None else "bold"
    told = partial(ballot_phrase, event, whole=context.verbose, words=context.words)
    vote, reason = told(), in_brackets(one_line(voter_of(ballot).reason))
    brief = who in dissent and ballot.choice is not None
    shown = told(blocks=False) if brief else vote
    words = ((shown, style), ("" if brief else reason, "dim"))
    tag = "first vote" if event.first else "vote"
    return [Entry(tag, words, (who, SEAT), f"{tag}: {who}: {vote}{reason}", "vote")]


def _bids(event: BidsTaken, context: Context) -> list[Entry]:
    wanting, passing = ranked_bids(event)
    if event.cut or (wanting and not context.verbose):  # the bids still to come are described with those of a cut one
        return []
    bids = ", ".join(bid_phrase(bid) + in_brackets(one_line(bid.reason)) for bid in wanting)
    nobody = Entry("bids", (("nobody asks for the floor", "dim"),))
    return [Entry(line="; ".join((f"bids: {bids}", *passing))) if wanting else nobody]


def _text(event: MessagePosted) -> tuple[str, bool]:
    """Return the text of a message; where nothing but moves is left of it, these in words, and True."""
    talk = clean(event.talk).strip()
    return talk or (in_words(event.moves) if not event.puppets else ""), not talk


def _acts(event: ActsRead, context: Context) -> list[Entry]:
    """The acts of a message, with its number where others have been posted since; `verbose`: a line each."""
    begin = "" if event.message == context.posted else f"m{event.message} {one_line(event.who)} "
    said, alone = context.said.get(event.message, ("", False))
    lines = map(act_line, event.acts) if context.verbose else in_brief(event.acts, said, alone=alone)
    return [Entry("act", ((f"{begin}{line}", "dim"),), line=f"act: {begin}{line}") for line in map(one_line, lines)]


def _decision(event: DecisionFound, context: Context) -> list[Entry]:
    decision = event.decision
    claim = claim_phrase(decision)
    told, context.claims[decision.id] = context.claims.get(decision.id), claim
    if context.read in decision.messages[-1:] or (claim and (told == claim or (context.read and not context.verbose))):
        return []
    if claim:
        return _dim("claim", f"claim of {claim}", "!", f"claim: {claim}")
    number, phrase = one_line(decision.id), decision_phrase(decision)
    state = "" if decision.status == "decided" else f" ({decision.status})"
    words = () if decision.source == "procedure" else ((f"{number} {phrase}", ""), (state, "dim"))
    return [Entry("decision", words, ("✓", "green"), f"decision: {number} {decision.status}: {phrase}")]


def _floor(event: FloorGranted, context: Context) -> list[Entry]:
    who, reason = one_line(event.agent), granted_phrase(event, context.words)
    line = f"floor: {who}, {reason}"
    if context.bids is None:  # the reason is the floor's order, and stands beside the speaker's name
        return [Entry(line=line)]
    wanting, passing = ranked_bids(context.bids)
    others = [bid for bid in wanting if bid.agent != event.agent]
    below = [f"{one_line(bid.agent)} asks too, {bid.urgency:.2f} · {one_line(bid.reason)}" for bid in others[:_REASONS]]
    below += filter(None, [" · ".join((*map(bid_phrase, others[_REASONS:]), *passing))])
    words = context.words.say("screen-floor", who=who, reason=reason), "dim"
    return [Entry("floor", (words,), ("→", "dim"), line, "floor", below=tuple(below))]


def _member(event: MemberChanged, context: Context) -> list[Entry]:
    """Who came, who left, and who may not speak for now."""
    who, persona, own = one_line(event.who), event.persona, event.by == event.who
    change: str = event.change
    if own:
        change = {"muted": "left", "unmuted": "back"}.get(change, change)
    elif persona is not None and persona.person and change == "added":
        change = "sat"
    by = "" if own or change == "sat" else event.by
    text = context.words.say("screen-seat", change=change, who=who, persona=persona.title if persona else "", by=by)
    return _dim("table", text, "·")


def _message(event: MessagePosted, context: Context) -> list[Entry]:
    called = addressing_of(*context.roles).called(event.spoken, event.who) if context.roles and not event.sealed else ()
    who, to = one_line(event.who), f"to {listed(called or [event.to or ''])}" if called or event.to else ""
    own, on = [to, *of_source(event)], f"on m{event.reply_to}" if event.reply_to else ""
    why = context.reason if context.verbose else ""
    beside = own if context.progress is None else [context.roles.get(event.who, ""), to, on, why]
    about = " · ".join(filter(None, beside))
    words = ((who, SEAT), (f"  {about}" if about else "", "dim"))
    tag = " ".join(filter(None, (f"m{event.number}", who, to)))
    return [Entry(tag, words, (f"m{event.number}", "dim"), layout="message", body=_text(event)[0] or "(no words)")]


def _phase(event: PhaseStarted, context: Context) -> list[Entry]:
    phase = "first ballot" if event.phase == "first-ballot" else one_line(event.phase)
    again = [f"round {event.round}"] if event.round > 1 else []
    again += [f"lap {event.lap}"] if event.lap > 1 else []
    ended = "" if event.why in ("", "done", "lap") else ended_phrase(event.why, words=context.words)
    beside = "".join(f" · {text}" for text in (*again, ended) if text)
    line = ", ".join((f"phase: {phase}", *again)) + in_brackets(ended)
    empty = event.phase == "verdict" or (event.phase == "first-ballot" and not context.over)  # nothing stands below
    words = () if empty else ((phase, "bold"), (beside, "dim"))
    skipped = skipped_phases(context.agenda, context.phase, event.phase) if context.agenda else []
    told = context.words.say("debate-skipped", phases=skipped)
    return [*(_dim("phase", told, "–") if skipped else ()), Entry("phase", words, line=line, layout="phase")]


def _proposal(event: ProposalMade, context: Context) -> list[Entry]:
    proposal = event.proposal
    if context.read in (proposal.message, *(number for change in proposal.changes[-1:] for number in change.messages)):
        return []
    number, text, mark = one_line(proposal.id), one_line(proposal.content), ("⚑", "yellow")
    corrected = corrected_by(proposal.corrected, proposal.status)
    if proposal.minuted == "denied":
        return [Entry("proposal", ((f"{number} {why_closed(proposal)}: ", "dim"), (text, "")), mark)]
    if proposal.status != "active":
        line = f"proposal: {number} {proposal.status}: {text}{corrected}"
        return [Entry("proposal", ((f"{number} is {proposal.status}", "dim"),), mark, line)]
    verb = f" amends {one_line(proposal.amends)}: " if proposal.amends else " proposes: "
    words = ((f"{number} ", ""), (one_line(proposal.proposer), SEAT_PLAIN), (verb, "dim"), (text, ""))
    return [Entry("proposal", (*words, (corrected, "dim")), mark)]


def _reaction(event: ReactionSeen, context: Context) -> list[Entry]:
    reaction = event.reaction
    if reaction.to is None or reaction.message == context.read:
        return []
    reason = one_line(reason_of(reaction))
    who, beside = one_line(reaction.agent), f" {_STANCES[reaction.reaction]} {one_line(reaction.to)}"
    beside += f": {reason}" if reason else ""
    mark, line = (_STANCE_MARKS[reaction.reaction], "dim"), f"reaction: m{reaction.message} {who}{beside}"
    return [Entry("reaction", ((who, SEAT_PLAIN), (beside, "dim")), mark, line)]


def _settings(event: SettingChanged, context: Context) -> list[Entry]:
    """`quorum: 0.5, now 0.6`, an entry for each setting that differs from before."""
    before, now = context.settings.model_dump(), event.settings.model_dump()
    values = ((key, before.get(key), now.get(key)) for key in Settings.model_fields)
    lines = (f"{key}: {_setting(was)}, now {_setting(new)}" for key, was, new in values if was != new)
    return [entry for line in lines for entry in _dim("setting", line, "·")]


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else one_line(str(value))


def _side(event: SideMessagePosted, context: Context) -> list[Entry]:
    """A message beside the panel: `aside: Ada to you` or `comment, unasked: Ada on p3.0`."""
    who = one_line(event.who)
    if event.auto:
        phrase = ENGLISH.say("screen-comment", who=who, on=event.on)
    else:
        phrase = f"aside: {who} to {one_line(event.to)}"
    line = f"{phrase}: {one_line(event.text)}"
    if context.progress is None:
        words: Pieces = ((f"{phrase}, after m{event.after}", "dim"),)
        return [Entry(phrase, words, (f"s{event.number}", "dim"), line, "message", event.text)]
    words = ((f"{phrase}: ", "dim italic"), (clean(event.text).strip(), ""))
    return [Entry(phrase, words, ("✎", "dim"), line)]


def _verdict(event: VerdictReached, context: Context) -> list[Entry]:
    context.voted = True
    dissent = {one_line(ballot.agent) for ballot in event.dissent}
    votes = [entry for ballot in context.ballots.values() for entry in _vote(ballot, context, dissent)]
    context.ballots.clear()
    return [*votes, Entry("verdict", layout="verdict", verdict=event, language=context.settings.language)]


def _stance(event: StanceTaken, _: Context) -> list[Entry]:
    text = f"{one_line(event.who)} {stance_phrase(event)}"
    return [Entry("poll", (("poll  ", "dim"), (text, "")), line=f"poll: {text}")]


def _failed(event: TurnFailed, _: Context) -> list[Entry]:
    if event.purpose in ("ballot", "poll", "terms"):  # the fact that follows reports the failure
        return []
    text = f"{one_line(event.who) or 'the engine'} ({one_line(event.purpose)}): {one_line(event.error)}"
    return [Entry("failed", ((text, "red"),), ("✗", "red"))]


def _passed(event: TurnPassed, context: Context) -> list[Entry]:
    return _dim("passed", f"{one_line(event.who)} {passed_phrase(event, context.words)}", "–")


def _summary(event: SummaryWritten, context: Context) -> list[Entry]:
    """That a range was summed up; where a stored session is printed how the summary begins."""
    span, text = f"m{event.first} to m{event.last}", one_line(event.text)
    begins = f": {shorten(text, _SUMMED_UP)}" if context.progress is None else ""
    dropped = f"; {context.words.say('sentence-dropped', count=event.dropped)}" if event.dropped else ""
    line = f"summary: {span}: {text}{dropped}"
    return _dim("summary", f"{span} summed up, {one_line(event.by)}{dropped}{begins}", "≡", line)


def _moderator(event: ModeratorSpoke, _: Context) -> list[Entry]:
    text = clean(event.text).strip()
    return [Entry("moderator", (("moderator  ", "dim"), (text, "italic")), line=f"moderator: {one_line(text)}")]


def _ended(event: SessionEnded, context: Context) -> list[Entry]:
    line = f"ended: {ended_phrase(event.reason, voted=context.voted, words=context.words)}"
    words = ((line, "dim"),) if context.verbose or not context.voted else ()  # the phase before the ballot says it, too
    return [Entry("ended", words, line=line)]


_DESCRIBE: dict[type[Event], Callable[[Any, Context], list[Entry]]] = {
    ActsRead: _acts,
    BallotCast: _ballot,
    BidsTaken: _bids,
    CallMade: lambda event, context: _dim("live", live_phrase(event, context.words)) if event.live else [],
    CallDelayed: lambda event, context: [Entry(line=f"waiting: {delay_phrase(event, context.words)}")],
    DecisionFound: _decision,
    EvidenceFound: lambda event, context: _dim("looked up", evidence_phrase(event, context.words), "?"),
    FloorGranted: _floor,
    MemberChanged: _member,
    MemoryCorrected: lambda event, context: _dim("correction", corrected_phrase(event, context.words), "✎"),
    MessagePosted: _message,
    ModeratorSpoke: _moderator,
    NoteTaken: lambda event, _: (
        [] if event.private else _dim("note", f"{one_line(event.who)}: {one_line(event.text)}", "✎")
    ),
    PhaseStarted: _phase,
    ProposalMade: _proposal,
    ReactionSeen: _reaction,
    SessionEnded: _ended,
    SessionPaused: lambda event, context: [
        Entry("paused", ((text := paused_phrase(event, context.words), "dim"),), line=text)
    ],
    SessionResumed: lambda event, context: [Entry(line=context.words.say("screen-goes-on", runner=event.runner))],
    SettingChanged: _settings,
    SideMessagePosted: _side,
    StanceTaken: _stance,
    SummaryWritten: _summary,
    TermsNamed: lambda event, context: _dim("terms", terms_phrase(event, context.words), "?"),
    TurnFailed: _failed,
    TurnPassed: _passed,
    VerdictReached: _verdict,
}
