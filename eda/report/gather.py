"""A report from a session: what memory holds, and what a model may have written about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median

from eda.effect import helped
from eda.errors import UsageError
from eda.events import (
    Ballot,
    CallMade,
    Event,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    SessionStarted,
    VerdictReached,
)
from eda.memory import ConversationMemory
from eda.personas import Persona
from eda.progress import Progress
from eda.reading import Reading
from eda.records import Cited, Decision, Proposal, Stance
from eda.report.parts import Corrected, Counted, Dissent, Mind, Report, Row, Run, Seat
from eda.report.quotes import Said, plain_line
from eda.report.words import names_of, verdict_sentences
from eda.session import Session
from eda.verdict import argued_by, ballots_of, last_votes
from eda.voting import counts_of, rule_named, tally

__all__ = ["messages_of", "report_of"]

_MOST = 6
"""Items of a kind that are listed; the newest of open questions."""
_SIDES: Mapping[Stance, str] = {"support": "for it", "oppose": "against it"}
_READ = (CallMade, MemberChanged, MemoryCorrected, MessagePosted)
"""What a report is made of beside what memory holds."""
_UNRESOLVED = re.compile(r"\[UNRESOLVED\]\s*(?:[^()\n]{1,120}\(m(\d+)\):\s*)?([^\n]+)")


def report_of(session: Session, progress: Progress, memory: ConversationMemory) -> Report:
    """The report on a debate that has a verdict.

    Raises:
        UsageError: it has none.
    """
    started, reached = session.started(), progress.verdict
    helps = helped(progress, memory)
    if reached is None or helps is None:
        raise UsageError(
            f"session {session.name!r} has no verdict to report on",
            hint=f"Go on with it: eda resume {session.typed}; or read what was said: eda show {session.typed}.",
        )
    facts = [event for event in session.events() if isinstance(event, _READ)]
    argued, members = argued_by(progress), _members(facts, started)
    heard = (event for event in facts if isinstance(event, MessagePosted))
    said = Said(heard, tuple(reached.tally), started.question, argued)
    ballots = last_votes(progress)
    counted, prose = _counted(progress, reached, ballots), progress.report
    reasons = prose.reasons if prose else ()  # where none could be kept, those of memory stand
    reasons = reasons or _cases(counted, argued, said) or _reasons(counted, ballots, said, memory)
    told = {cited.quote for cited in (prose.dissent if prose else reasons)}
    dissent = _dissent(members, reached, said, memory, told)
    shown = {cited.quote for cited in (*reasons, *(each for one in dissent for each in one.said))}
    return Report(
        session=session.name,
        question=started.question,
        options=started.options,
        noun=started.agenda.noun or "choice",
        verdict=verdict_sentences(counted, reached, helps, prose, started.agenda.noun),
        counted=counted,
        reasons=reasons,
        dissent=dissent,
        told_dissent=prose.dissent if prose else (),
        decisions=_decisions(memory),
        open=prose.open if prose else _open(memory, said, reached, argued),
        risks=prose.risks if prose else _risks(members, reached, said, memory, shown),
        minds=_minds(progress, said),
        helped=helps,
        run=_run(facts, started, members, progress),
        dropped=prose.dropped if prose else (),
        by=prose.by if prose else "",
    )


def messages_of(session: Session) -> list[MessagePosted]:
    """All that was said, in order."""
    return [event for event in session.events() if isinstance(event, MessagePosted)]


def _counted(progress: Progress, reached: VerdictReached, ballots: Sequence[Ballot]) -> Counted:
    choices = tuple(reached.tally)
    judge, polls = progress.settings.judge, sorted(progress.polls.items())
    before = ballots_of(polls[0][1]) if len(polls) > 1 else ()
    firm = tally(reached.rule, ballots, choices, progress.seed, judge=judge, before=before)
    order = reached.order or sorted(choices, key=lambda choice: -len(reached.tally[choice]))
    votes = {choice: float(len(voters)) for choice, voters in reached.tally.items()}
    figures = reached.figures or votes
    return Counted(
        rule=reached.rule,
        line=f"{judge} decides." if reached.rule == "judge" else rule_named(reached.rule).line,
        outcome=reached.outcome,
        note=reached.note,
        rows=tuple(
            Row(
                choice,
                figures.get(choice, 0.0),
                _voters(reached, ballots, choice),
                reached.blocked.get(choice, ()),
                reached.behind.get(choice, ()),
                reached.before.get(choice, ()) if reached.before else None,
                _sure(reached, ballots, choice),
            )
            for choice in order
        ),
        asked=len(ballots),
        abstained=reached.abstained,
        invalid=tuple(ballot.agent for ballot in ballots if ballot.invalid),
        margin=reached.margin,
        changes=None if firm.missing or reached.outcome is None else firm.changes,
        exact=firm.exact,
        tie=reached.tie,
        quorum=reached.quorum,
    )


def _voters(reached: VerdictReached, ballots: Sequence[Ballot], choice: str) -> tuple[str, ...]:
    if counts_of(reached.rule) == "approvals":
        return tuple(ballot.agent for ballot in ballots if choice in ballot.approved)
    return reached.tally[choice]


def _sure(reached: VerdictReached, ballots: Sequence[Ballot], choice: str) -> float | None:
    if counts_of(reached.rule) in ("approvals", "scores"):
        return None
    given = [b.confidence for b in ballots if b.agent in reached.tally[choice] and b.confidence is not None]
    return round(median(given), 2) if given else None


def _reasons(counted: Counted, ballots: Sequence[Ballot], said: Said, memory: ConversationMemory) -> tuple[Cited, ...]:
    """What speaks for the outcome, in the words of each who voted for it; where nothing won, for each choice."""
    found = []
    written = {ballot.agent: ballot for ballot in ballots if ballot.reason.strip()}
    for row in counted.rows:
        choice = row.choice
        if counted.outcome not in (None, choice):
            continue
        for who in row.voters:
            case = said.case_for(who, choice) or _reaction(memory, said, who, choice, "support")
            if case is None and who in written and written[who].choice in (None, choice):
                case = Cited("", 0, plain_line(written[who].reason), who)
            if case is not None:
                found.append(case if counted.outcome else Cited(choice, case.message, case.quote, case.who))
    return _told_apart(found)


def _cases(counted: Counted, argued: Mapping[str, str], said: Said) -> tuple[Cited, ...]:
    """What each side argued, the outcome's first; empty where members spoke for themselves."""
    found = []
    for row in counted.rows:
        cases = [said.case_for(who, row.choice) for who, choice in argued.items() if choice == row.choice]
        found += [
            Cited(f"For “{row.choice.rstrip('.')}”", case.message, case.quote, case.who) for case in _told_apart(cases)
        ]
    return tuple(found)


def _dissent(
    members: Mapping[str, Persona],
    reached: VerdictReached,
    said: Said,
    memory: ConversationMemory,
    told: set[str],
) -> tuple[Dissent, ...]:
    """Each for what it wanted instead, and against what won; without the quotes that are told already."""
    if reached.outcome is None:  # what speaks for each choice says the rest
        blocks = (ballot for ballot in reached.dissent if ballot.blocked)
        return tuple(Dissent(b.agent, _wanted(b), plain_line(b.reason), (), b.blocked) for b in blocks)
    found = []
    for ballot in reached.dissent:
        choice = _wanted(ballot)
        case = said.case_for(ballot.agent, choice) if choice else None
        against = _reaction(memory, said, ballot.agent, reached.outcome, "oppose")
        if against is None and ballot.agent in members and not reached.behind.get(reached.outcome):
            against = said.risk(members[ballot.agent], reached.outcome, [case.quote] if case else [])
        quotes = tuple(cited for cited in _told_apart([case, against]) if cited.quote not in told)
        blocked = tuple(one for one in ballot.blocked if one == reached.outcome)
        reason = plain_line(ballot.reason)
        found.append(Dissent(ballot.agent, choice, reason, quotes, blocked, _gave(reached, ballot)))
    return tuple(found)


def _wanted(ballot: Ballot) -> str:
    """What it puts first; empty where it puts nothing first."""
    return ballot.choice or next(iter(ballot.ranking), "")


def _gave(reached: VerdictReached, ballot: Ballot) -> str:
    match counts_of(reached.rule):
        case "approvals":
            return "did not approve it"
        case "scores":
            return f"scored it {ballot.scores.get(reached.outcome or '', 0):g} of 10"
        case _:
            return ""


def _reaction(memory: ConversationMemory, said: Said, who: str, outcome: str | None, stance: Stance) -> Cited | None:
    """Why `who` supports or opposes the proposal that was voted on."""
    for proposal in memory.proposals:
        if proposal.content == outcome:
            for reaction in proposal.reactions:
                if (reaction.agent, reaction.reaction) == (who, stance) and reaction.quote:
                    return said.find(reaction.message, reaction.quote.text)
    return None


def _decisions(memory: ConversationMemory) -> tuple[Decision, ...]:
    """What was decided on the way; the verdict stands above."""
    return tuple(
        decision
        for decision in memory.decisions
        if decision.status == "decided" and decision.minuted != "denied" and decision.source != "procedure"
    )


def _open(
    memory: ConversationMemory, said: Said, reached: VerdictReached, argued: Mapping[str, str]
) -> tuple[Cited, ...]:
    asked = [Cited("", question.message, question.text, question.who) for question in memory.questions]
    for summary in memory.summaries:
        for number, text in _UNRESOLVED.findall(summary.text):
            cited = said.find(int(number), text) if number and not said.was_answered(int(number)) else None
            asked += [cited] if cited else []
    standing: dict[str, list[Proposal]] = {}
    for proposal in memory.active:
        if (
            proposal.minuted != "denied"
            and proposal.amended_by is None
            and not said.settles(proposal.content, reached)
            and not (argued and proposal.source == "pattern")  # what a side argues for is the motion, or its defeat
        ):
            standing.setdefault(proposal.content.casefold().rstrip("."), []).append(proposal)
    table = [Cited(_standing(same), same[0].message, same[0].content, same[0].proposer) for same in standing.values()]
    claimed = [
        Cited("Said to be decided, and not confirmed", d.messages[0], d.outcome)
        for d in memory.decisions
        if d.status == "claimed" and d.minuted != "denied" and d.messages
    ]
    return (*_told_apart(asked)[-_MOST:], *table[-_MOST:], *claimed[-_MOST:])


def _standing(same: Sequence[Proposal]) -> str:
    """`Proposal p3.0 was neither taken nor turned down (for it: Ada; against it: Ben)`: of all in the same words."""
    stands: dict[str, Stance] = {}
    for proposal in same:
        stands |= {} if proposal is same[0] else {proposal.proposer: "support"}
        stands |= {who: stance for stance in _SIDES for who in proposal.backers(stance)}
    sides = [(word, [who for who, has in stands.items() if has == stance]) for stance, word in _SIDES.items()]
    backed = "; ".join(f"{word}: {', '.join(who)}" for word, who in sides if who)
    reworded = f", as {same[0].corrected} corrected it," if same[0].corrected else ""
    ids = names_of([each.id for each in same])
    named = f"Proposal {ids}{reworded} was" if len(same) == 1 else f"Proposals {ids}, in the same words, were"
    return f"{named} neither taken nor turned down" + (f" ({backed})" if backed else "")


def _risks(
    members: Mapping[str, Persona],
    reached: VerdictReached,
    said: Said,
    memory: ConversationMemory,
    shown: set[str],
) -> tuple[Cited, ...]:
    """What a member sees in the outcome that can go wrong, who voted against it first; one of each."""
    against = [ballot.agent for ballot in reached.dissent]
    found = []
    for member in sorted(members.values(), key=lambda member: member.title not in against):
        objection = _reaction(memory, said, member.title, reached.outcome, "oppose")
        if objection is None or objection.quote in shown:
            objection = said.risk(member, reached.outcome, shown)
        found.append(objection)
    return _told_apart(found)[:_MOST]


def _minds(progress: Progress, said: Said) -> tuple[Mind, ...]:
    """What each would need, as it said when it was asked in private last, else on the panel; who said nothing last."""
    private = {s.who: s.change_mind for stances in progress.polled for s in stances if s.change_mind}
    minds = []
    for who in progress.members:
        cited = None if who in private else said.condition(who)
        minds.append(
            Mind(who, cited.quote, cited.message) if cited else Mind(who, plain_line(private.get(who, "")), None)
        )
    return tuple(sorted(minds, key=lambda mind: not mind.text))


def _members(facts: Sequence[Event], started: SessionStarted) -> dict[str, Persona]:
    """Who sat, by title: at the begin, and who came later."""
    came = (event.persona for event in facts if isinstance(event, MemberChanged))
    return {member.title: member for member in (*started.members, *came) if member is not None}


def _run(facts: Sequence[Event], started: SessionStarted, members: Mapping[str, Persona], progress: Progress) -> Run:
    agenda, settings = started.agenda, progress.settings
    in_part = Reading(started.documents).in_part
    places = {title: place for place, title in enumerate(members)} | progress.seats
    models = {event.model: None for event in facts if isinstance(event, CallMade) and event.model}
    opens = (phase.floor for phase in agenda if phase.kind == "open")
    floors = {settings.floor if progress.floor_set else own or settings.floor: None for own in opens}
    return Run(
        agenda=agenda.title,
        floor=", ".join(floors),
        runner=started.runner,
        models=tuple(models),
        seed=started.seed,
        rounds=progress.round,
        messages=progress.messages,
        reason=progress.ended or progress.paused or "",
        began=progress.first_at,
        seconds=progress.spent.seconds,
        seats=tuple(
            Seat(member.title, member.role, member.name, agenda.side(places[member.title]))
            for member in members.values()
        ),
        anonymous=agenda.anonymous,
        documents=tuple(f"{doc.name} (in part)" if doc.name in in_part else doc.name for doc in started.documents),
        own_prompts=tuple(started.prompts),
        corrected=tuple(
            Corrected(event.item, event.was, event.text, event.by)
            for event in facts
            if isinstance(event, MemoryCorrected)
        ),
    )


def _told_apart(found: Sequence[Cited | None]) -> tuple[Cited, ...]:
    return tuple({cited.quote.casefold(): cited for cited in found if cited is not None}.values())
