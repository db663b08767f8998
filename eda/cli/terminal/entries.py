"""Describes each event in an `Entry`, the same for a terminal and a pipe; the printers only lay it out.

To show another kind of event, add a row to `_DESCRIBE`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from eda.cli.terminal.acts import in_brief, in_words
from eda.cli.terminal.entry import SEAT, SEAT_PLAIN, Entry
from eda.cli.terminal.verdict import ballot_phrase, claim_phrase, decision_phrase, in_brackets, stance_phrase
from eda.debate.addressing import addressing_of
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
from eda.memory.context.acts import act_line, reacted
from eda.memory.minutes.proposals import slug
from eda.memory.table import reason_of
from eda.panels.agenda import Agenda
from eda.panels.settings import Settings
from eda.report.formatting import clean, corrected_by, one_line, shorten, voters_words
from eda.report.phrases import (
    corrected_phrase,
    delay_phrase,
    ended_phrase,
    evidence_phrase,
    granted_phrase,
    live_phrase,
    looked_phrase,
    of_source,
    passed_phrase,
    paused_phrase,
    phase_phrase,
    purpose_phrase,
    skipped_phases,
    skipped_phrase,
    terms_phrase,
)
from eda.voting.account import voter_of
from eda.words import Words

_BEHIND = (FloorGranted, SummaryWritten)  # What only `--verbose` shows.
_STANCE_MARKS = {"support": "+", "oppose": "−", "neutral": "·"}  # Shown before a reaction.
_SUMMED_UP = 480  # Characters of a summary: six lines.


@dataclass(slots=True)
class Context:
    """What the words for an event depend on besides the event itself."""

    settings: Settings  # The settings in force; a change is described by what differs from them.
    roles: Mapping[str, str] = field(default_factory=dict)  # What each member stands for.
    live: bool = False  # The debate is shown on a terminal while it runs: roles stand beside the names.
    agenda: Agenda | None = None  # None where the start of the session is not shown.
    phase: str = ""  # The last phase.
    granted: str = ""  # Why the last speaker got the floor: a reason that stays the same is shown once.
    people: Collection[str] = ()  # The titles of the people at the table: that they have voted is told at once.
    # The ballots that were cast, which are told with the verdict.
    ballots: dict[str, BallotCast] = field(default_factory=dict)
    # The ids of the texts that ballots of this phase have named by their words.
    named: set[str] = field(default_factory=set)
    voted: bool = False  # True once a verdict was told.
    over: bool = False  # True of a debate that has ended: its first ballots are shown.
    verbose: bool = False  # Also shows bids, why each has the floor, and summaries.
    # The text of each message whose acts were not told yet, and whether that is its moves in words.
    said: dict[int, tuple[str, bool]] = field(default_factory=dict)
    posted: int = 0  # The number of the last message; 0 once something else stands below it.
    claims: dict[str, str] = field(default_factory=dict)  # What was told last of each claim: a change is told once.
    read: int = 0  # The message whose acts were just shown: the events of its items that follow say the same.

    @property
    def words(self) -> Words:
        """What words the events: in the language of the settings in force."""
        return self.settings.words

    def dim(self, tag: str, text: str, mark: str) -> list[Entry]:
        """Return an entry in the background, which a pipe begins with a label; without a `tag` with none."""
        return [Entry(self.label(tag) if tag else "", ((text, "dim"),), (mark, "dim"))]

    def label(self, tag: str) -> str:
        """Return the label of a kind of entry, as a pipe shows it: `looked up`."""
        return self.words.say("screen-label", tag)

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
            case ModeratorSpoke():
                self.posted = 0
            case PhaseStarted():
                self.phase, self.posted = event.phase, 0
                self.named.clear()
            case SettingChanged():
                self.settings = event.settings
            case MessagePosted():
                self.posted, self.said[event.number] = event.number, _text(event, self.words)
            case ActsRead():
                self.said.pop(event.message, None)
                self.read, self.posted = event.message, self.posted if self.posted == event.message else 0


def _ballot(event: BallotCast, context: Context) -> list[Entry]:
    if not context.over:  # private: first ballots until the debate has ended, the others until the verdict
        who = event.ballot.agent
        if who in context.ballots:  # a new ballot
            context.ballots.clear()
        if not event.first:
            context.ballots[who] = event
        told = context.words.say("screen-voted", who=who, came=event.ballot.came)
        return context.dim("vote", told, "·") if who in context.people and not event.first else []
    return _vote(event, context)


def _vote(event: BallotCast, context: Context, dissent: Collection[str] = ()) -> list[Entry]:
    """Return a ballot; of those in `dissent` only its vote, since the verdict tells the rest."""
    ballot, who, style = event.ballot, one_line(event.ballot.agent), "dim" if event.ballot.choice is None else "bold"
    brief = who in dissent and ballot.choice is not None
    whole = context.verbose and not brief
    vote = ballot_phrase(event, whole=whole, blocks=not brief, words=context.words, named=context.named)
    reason = "" if brief else in_brackets(voters_words(voter_of(ballot).reason))
    tag = context.label("first-vote" if event.first else "vote")
    return [Entry(f"{tag}: {who}", ((vote, style), (reason, "dim")), (who, SEAT), "vote")]


def _bids(event: BidsTaken, context: Context) -> list[Entry]:
    """Return the bids, most urgent first, with who passes and who is not in the answer; or that nobody asks."""
    wanting = sorted((bid for bid in event.bids if bid.wants), key=lambda bid: -bid.urgency)
    if event.cut or (wanting and not context.verbose):  # after a cut one all bid again
        return []
    if not wanting:
        return context.dim("", context.words.say("screen-bids", how="nobody", bids=[]), "·")
    bids = [f"{one_line(bid.agent)} {bid.urgency:.2f}{in_brackets(one_line(bid.reason))}" for bid in wanting]
    lost = [bid.agent for bid in event.bids if bid.fault == "missing"]
    passing = [bid.agent for bid in event.bids if not bid.wants and bid.agent not in lost]
    others = (("asking", bids), ("passing", passing), ("lost", lost))
    told = [context.words.say("screen-bids", how=how, bids=who) for how, who in others if who]
    return context.dim("", "; ".join(told), "·")


def _text(event: MessagePosted, words: Words) -> tuple[str, bool]:
    """Return the text of a message; where nothing but moves is left of it, these in words, and True."""
    talk = clean(event.talk).strip()
    return talk or (in_words(event.moves, words) if not event.puppets else ""), not talk


def _acts(event: ActsRead, context: Context) -> list[Entry]:
    """Return the acts of a message, with its number where others were posted since; `verbose`: a line each."""
    begin = "" if event.message == context.posted else f"m{event.message} {one_line(event.who)} "
    said, alone = context.said.get(event.message, ("", False))
    words = context.words
    verbose = (act_line(act, words) for act in event.acts)
    lines = verbose if context.verbose else in_brief(event.acts, said, alone=alone, words=words)
    return [Entry(context.label("act"), ((f"{begin}{one_line(line)}", "dim"),)) for line in lines]


def _decision(event: DecisionFound, context: Context) -> list[Entry]:
    decision = event.decision
    claim = claim_phrase(decision, context.words)
    told, context.claims[decision.id] = context.claims.get(decision.id), claim
    if context.read in decision.messages[-1:] or (claim and (told == claim or (context.read and not context.verbose))):
        return []
    if claim:
        return context.dim("", f"{context.label('claim')}: {claim}", "!")
    if decision.source == "procedure":  # the verdict tells it
        return []
    state = "" if decision.status == "decided" else f" ({decision.status})"
    words = (f"{one_line(decision.id)} {decision_phrase(decision, context.words)}", ""), (state, "dim")
    return [Entry(context.label("decision"), words, ("✓", "green"))]


def _floor(event: FloorGranted, context: Context) -> list[Entry]:
    told, reason = context.granted, granted_phrase(event, context.words)
    context.granted = reason
    if told == reason:
        return []
    return context.dim("floor", context.words.say("screen-floor", who=one_line(event.agent), reason=reason), "→")


def _member(event: MemberChanged, context: Context) -> list[Entry]:
    """Return who came, who left, and who may not speak for now."""
    who, persona, own = one_line(event.who), event.persona, event.by == event.who
    change: str = event.change
    if own:
        change = {"muted": "left", "unmuted": "back"}.get(change, change)
    elif persona is not None and persona.person and change == "added":
        change = "sat"
    by = "" if own or change == "sat" else event.by
    text = context.words.say("screen-seat", change=change, who=who, persona=persona.title if persona else "", by=by)
    return context.dim("table", text, "·")


def _message(event: MessagePosted, context: Context) -> list[Entry]:
    called = addressing_of(*context.roles).called(event.spoken, event.who) if context.roles and not event.sealed else ()
    say, to_whom = context.words.say, [*called] or [event.to] * bool(event.to)
    who, to = one_line(event.who), say("screen-to", who=to_whom) if to_whom else ""
    own, on = [to, *of_source(event)], say("screen-on", at=f"m{event.reply_to}") if event.reply_to else ""
    about = " · ".join(filter(None, [context.roles.get(event.who, ""), to, on] if context.live else own))
    words = ((who, SEAT), (f"  {about}" if about else "", "dim"))
    tag = " ".join(filter(None, (f"m{event.number}", who, to)))
    body = _text(event, context.words)[0] or say("screen-no-words")
    return [Entry(tag, words, (f"m{event.number}", "dim"), "message", body)]


def _phase(event: PhaseStarted, context: Context) -> list[Entry]:
    skipped = skipped_phases(context.agenda, context.phase, event.phase) if context.agenda else []
    words = context.words
    entries = context.dim("phase", skipped_phrase(skipped, words), "–") if skipped else []
    if event.phase == "verdict" or (event.phase == "first-ballot" and not context.over):  # nothing stands below
        return entries
    counts = (("round", event.round), ("lap", event.lap))
    again = [words.say("screen-again", of=of, number=str(number)) for of, number in counts if number > 1]
    again += [] if event.why in ("", "done", "lap") else [ended_phrase(event.why, words=words)]
    told = ((phase_phrase(event.phase, words), "bold"), ("".join(f" · {text}" for text in again), "dim"))
    return [*entries, Entry(context.label("phase"), told, layout="phase")]


def _proposal(event: ProposalMade, context: Context) -> list[Entry]:
    proposal = event.proposal
    if context.read in (proposal.message, *(number for change in proposal.changes[-1:] for number in change.messages)):
        return []
    number, text, mark = one_line(proposal.id), one_line(proposal.content), ("⚑", "yellow")
    say, label = context.words.say, context.label("proposal")
    corrected = corrected_by(proposal.corrected, proposal.status, context.words)
    if proposal.status != "active":
        named = f"{one_line(proposal.title)} ({number})" if proposal.titled else number
        became = say("screen-became", id=named, status=slug(proposal.status))
        return [Entry(label, ((f"{became}{corrected}", "dim"),), mark)]
    verb = f" {say('screen-puts', on=proposal.amends or '')}: "
    words = ((f"{number} ", ""), (one_line(proposal.proposer), SEAT_PLAIN), (verb, "dim"), (text, ""))
    return [Entry(label, (*words, (corrected, "dim")), mark)]


def _reaction(event: ReactionSeen, context: Context) -> list[Entry]:
    reaction = event.reaction
    if reaction.to is None or reaction.message == context.read:
        return []
    act = reacted(reaction, reaction.to, reason_of(reaction))
    words = (one_line(reaction.agent), SEAT_PLAIN), (f" {act_line(act, context.words)}", "dim")
    return [Entry(context.label("reaction"), words, (_STANCE_MARKS[reaction.reaction], "dim"))]


def _settings(event: SettingChanged, context: Context) -> list[Entry]:
    """Return `quorum: 0.5, now 0.6`, an entry for each setting that differs from before."""
    before, now = context.settings.model_dump(), event.settings.model_dump()
    values = ((key, before.get(key), now.get(key)) for key in Settings.model_fields)
    words = context.words
    lines = (
        words.say("screen-setting", kind=key, was=setting_phrase(was, words), now=setting_phrase(new, words))
        for key, was, new in values
        if was != new
    )
    return [entry for line in lines for entry in context.dim("setting", line, "·")]


def setting_phrase(value: object, words: Words) -> str:
    """Return the value of a setting: `0.5`, `yes`, `none`."""
    given = "" if value is None or isinstance(value, bool) else str(value)
    return words.say("screen-value", set=bool(value), whether=isinstance(value, bool), value=given)


def _side(event: SideMessagePosted, context: Context) -> list[Entry]:
    """Return a message beside the panel: `aside: Ada to you`."""
    phrase = context.words.say("screen-aside", who=one_line(event.who), to=event.to)
    words = ((context.words.say("screen-after", phrase=phrase, at=f"m{event.after}"), "dim"),)
    return [Entry(phrase, words, (f"s{event.number}", "dim"), "message", event.text)]


def _verdict(event: VerdictReached, context: Context) -> list[Entry]:
    context.voted = True
    dissent = {one_line(ballot.agent) for ballot in event.dissent}
    votes = [entry for ballot in context.ballots.values() for entry in _vote(ballot, context, dissent)]
    context.ballots.clear()
    return [*votes, Entry("verdict", layout="verdict", verdict=event)]


def _failed(event: TurnFailed, context: Context) -> list[Entry]:
    if event.purpose in ("ballot", "poll", "terms"):  # the fact that follows reports the failure
        return []
    who = event.who or context.words.say("debate-engine")
    text = f"{one_line(who)} ({purpose_phrase(event.purpose, context.words)}): {one_line(event.error)}"
    return [Entry(context.label("failed"), ((text, "red"),), ("✗", "red"))]


def _summary(event: SummaryWritten, context: Context) -> list[Entry]:
    """Return that a range was summed up, and how the summary begins."""
    say, begins = context.words.say, shorten(one_line(event.text), _SUMMED_UP)
    dropped = f" ({say('sentence-dropped', count=event.dropped)})" if event.dropped else ""
    first, last = f"m{event.first}", f"m{event.last}"
    told = say("screen-summed-up", first=first, last=last, by=event.by, model=event.by != "extractive")
    return context.dim("summary", f"{told}{dropped}: {begins}", "≡")


def _ended(event: SessionEnded, context: Context) -> list[Entry]:
    """Return why it ended; nothing after a verdict, where the phase before the ballot has said it."""
    if context.voted and not context.verbose:
        return []
    why = ended_phrase(event.reason, voted=context.voted, words=context.words)
    return [Entry("", ((f"{context.label('ended')}: {why}", "dim"),))]


_DESCRIBE: dict[type[Event], Callable[[Any, Context], list[Entry]]] = {
    ActsRead: _acts,
    BallotCast: _ballot,
    BidsTaken: _bids,
    CallMade: lambda event, context: (
        (context.dim("", f"{context.label('live')}: {live_phrase(event, context.words)}", "·") if event.live else [])
        + context.dim("", looked_phrase("refused", event.agent, event.refused, context.words), "!")
        * bool(event.refused)
    ),
    CallDelayed: lambda event, context: [
        Entry(context.label("waiting"), ((delay_phrase(event, context.words), ""),), layout="pipe")
    ],
    DecisionFound: _decision,
    EvidenceFound: lambda event, context: context.dim("looked-up", evidence_phrase(event, context.words), "?"),
    FloorGranted: _floor,
    MemberChanged: _member,
    MemoryCorrected: lambda event, context: context.dim("correction", corrected_phrase(event, context.words), "✎"),
    MessagePosted: _message,
    ModeratorSpoke: lambda event, context: [
        Entry("", ((f"{context.label('moderator')}: ", "dim"), (clean(event.text).strip(), "italic")))
    ],
    NoteTaken: lambda event, context: (
        [] if event.private else context.dim("note", f"{one_line(event.who)}: {one_line(event.text)}", "✎")
    ),
    PhaseStarted: _phase,
    ProposalMade: _proposal,
    ReactionSeen: _reaction,
    SessionEnded: _ended,
    SessionPaused: lambda event, context: context.dim("", paused_phrase(event, context.words), "·"),
    SessionResumed: lambda event, context: context.dim(
        "", context.words.say("screen-goes-on", runner=event.runner), "·"
    ),
    SettingChanged: _settings,
    SideMessagePosted: _side,
    StanceTaken: lambda event, context: [
        Entry(
            "",
            (
                (f"{context.label('poll')}: ", "dim"),
                (f"{one_line(event.who)} {stance_phrase(event, context.words)}", ""),
            ),
        )
    ],
    SummaryWritten: _summary,
    TermsNamed: lambda event, context: context.dim("terms", terms_phrase(event, context.words), "?"),
    TurnFailed: _failed,
    TurnPassed: lambda event, context: context.dim(
        "passed", f"{one_line(event.who)} {passed_phrase(event, context.words)}", "–"
    ),
    VerdictReached: _verdict,
}
