"""Gathers the report on a session from its facts, from memory, and from what a model wrote about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median

from eda.debate.prompts.documents import Reading
from eda.debate.state import DebateState
from eda.debate.verdict import argued_by, ballots_of, last_votes
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
from eda.events.records import Cited, Decision, Stance
from eda.memory import ConversationMemory
from eda.memory.polls import first_choice
from eda.panels.persona import Persona
from eda.report.effect import helped
from eda.report.formatting import listed
from eda.report.model import ChoiceRow, Condition, Corrected, Counted, Dissent, Report, Run, Seat
from eda.report.phrases import names_of, verdict_sentences
from eda.report.quotes import Quotes, plain_line
from eda.session import Session
from eda.voting import counts_of, rule_known, tally

_MOST = 6
"""Items of a kind that are listed; the newest of open questions."""
_READ = (CallMade, MemberChanged, MemoryCorrected, MessagePosted)
"""What a report is made of beside what memory holds."""
_UNRESOLVED = re.compile(r"\[UNRESOLVED\]\s*(?:[^()\n]{1,120}\(m(\d+)\):\s*)?([^\n]+)")


def report_of(session: Session, progress: DebateState, memory: ConversationMemory) -> Report:
    """Return the report on a debate.

    Raises:
        UsageError: the debate has no verdict.
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
    messages = (event for event in facts if isinstance(event, MessagePosted))
    quotes = Quotes(messages, tuple(reached.tally), started.question, argued)
    ballots = last_votes(progress)
    counted, prose = _counted(progress, reached, ballots), progress.report
    # Where no reason of a model could be kept, those of memory stand.
    reasons = (prose and prose.reasons) or _cases(counted, argued, quotes) or _reasons(counted, ballots, quotes, memory)
    dissent = _dissent(members, reached, quotes, memory, prose.dissent if prose else reasons)
    if prose:
        risks, still_open = prose.risks, prose.open
    else:
        risks = _risks(members, reached, quotes, memory, reasons, dissent)
        still_open = _open(memory, quotes)
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
        open=still_open,
        table=tuple("\n".join(memory.table().lines).splitlines()),
        risks=risks,
        minds=_minds(progress, quotes),
        helped=helps,
        run=_run(facts, started, members, progress),
        dropped=prose.dropped if prose else (),
        by=prose.by if prose else "",
    )


def messages_of(session: Session) -> list[MessagePosted]:
    """Return all messages, in order."""
    return [event for event in session.events() if isinstance(event, MessagePosted)]


def _counted(progress: DebateState, reached: VerdictReached, ballots: Sequence[Ballot]) -> Counted:
    choices = tuple(reached.tally)
    judge, polls = progress.settings.judge, sorted(progress.polls.items())
    before = ballots_of(polls[0][1]) if len(polls) > 1 else ()
    firm = tally(rule_known(reached.rule), ballots, choices, progress.seed, judge=judge, before=before)
    order = reached.order or sorted(choices, key=lambda choice: -len(reached.tally[choice]))
    votes = {choice: float(len(voters)) for choice, voters in reached.tally.items()}
    figures = reached.figures or votes
    return Counted(
        rule=reached.rule,
        line=f"{judge} decides." if reached.rule == "judge" else rule_known(reached.rule).line,
        outcome=reached.outcome,
        note=reached.note,
        rows=tuple(
            ChoiceRow(
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


def _reasons(
    counted: Counted, ballots: Sequence[Ballot], quotes: Quotes, memory: ConversationMemory
) -> tuple[Cited, ...]:
    """Return why each voter wanted the outcome, in its own words; where nothing won, why each choice was wanted."""
    reasons = []
    written = {ballot.agent: ballot for ballot in ballots if ballot.reason.strip()}
    for row in counted.rows:
        choice = row.choice
        if counted.outcome not in (None, choice):
            continue
        for who in row.voters:
            case = quotes.case_for(who, choice) or _reaction(memory, quotes, who, choice, "support")
            if case is None and who in written and written[who].choice in (None, choice):
                case = Cited("", 0, plain_line(written[who].reason), who)
            if case is not None:
                reasons.append(case if counted.outcome else Cited(choice, case.message, case.quote, case.who))
    return _distinct(reasons)


def _cases(counted: Counted, argued: Mapping[str, str], quotes: Quotes) -> tuple[Cited, ...]:
    """Return what each side argued, the outcome's side first; empty where members spoke for themselves."""
    arguments = []
    for row in counted.rows:
        cases = [quotes.case_for(who, row.choice) for who, choice in argued.items() if choice == row.choice]
        arguments += [
            Cited(f"For “{row.choice.rstrip('.')}”", case.message, case.quote, case.who) for case in _distinct(cases)
        ]
    return tuple(arguments)


def _dissent(
    members: Mapping[str, Persona],
    reached: VerdictReached,
    quotes: Quotes,
    memory: ConversationMemory,
    shown: Sequence[Cited],
) -> tuple[Dissent, ...]:
    """Return what each dissenter wanted instead and has against the winner, without the quotes `shown` already."""
    if reached.outcome is None:  # what speaks for each choice says the rest
        blocks = (ballot for ballot in reached.dissent if ballot.blocked)
        return tuple(Dissent(b.agent, first_choice(b) or "", plain_line(b.reason), (), b.blocked) for b in blocks)
    dissent = []
    already = {cited.quote for cited in shown}
    for ballot in reached.dissent:
        choice = first_choice(ballot) or ""
        case = quotes.case_for(ballot.agent, choice) if choice else None
        against = _reaction(memory, quotes, ballot.agent, reached.outcome, "oppose")
        if against is None and ballot.agent in members and not reached.behind.get(reached.outcome):
            against = quotes.risk(members[ballot.agent], reached.outcome, [case.quote] if case else [])
        words = tuple(cited for cited in _distinct([case, against]) if cited.quote not in already)
        blocked = tuple(one for one in ballot.blocked if one == reached.outcome)
        reason = plain_line(ballot.reason)
        dissent.append(Dissent(ballot.agent, choice, reason, words, blocked, _gave(reached, ballot)))
    return tuple(dissent)


def _gave(reached: VerdictReached, ballot: Ballot) -> str:
    match counts_of(reached.rule):
        case "approvals":
            return "did not approve it"
        case "scores":
            return f"scored it {ballot.scores.get(reached.outcome or '', 0):g} of 10"
        case _:
            return ""


def _reaction(
    memory: ConversationMemory, quotes: Quotes, who: str, outcome: str | None, stance: Stance
) -> Cited | None:
    """Return why `who` supports or opposes the proposal that was voted on."""
    for proposal in memory.proposals:
        if proposal.content == outcome:
            for reaction in proposal.reactions:
                if (reaction.agent, reaction.reaction) == (who, stance) and reaction.quote:
                    return quotes.find(reaction.message, reaction.quote.text)
    return None


def _decisions(memory: ConversationMemory) -> tuple[Decision, ...]:
    """Return the decisions before the verdict."""
    return tuple(
        decision
        for decision in memory.decisions
        if decision.status == "decided" and decision.minuted != "denied" and decision.source != "procedure"
    )


def _open(memory: ConversationMemory, quotes: Quotes) -> tuple[Cited, ...]:
    """Return the questions that nobody answered, and what members claimed to be decided."""
    questions = [Cited("", question.message, question.text, question.who) for question in memory.questions]
    for summary in memory.summaries:
        for number, text in _UNRESOLVED.findall(summary.text):
            cited = quotes.find(int(number), text) if number and not quotes.was_answered(int(number)) else None
            questions += [cited] if cited else []
    claimed = [Cited(_claim(each), each.messages[0], each.outcome, listed(each.supporters)) for each in memory.claims]
    return (*_distinct(questions)[-_MOST:], *claimed[-_MOST:])


def _claim(claim: Decision) -> str:
    """Return what a claim of a decision is worth: nobody voted on it."""
    if claim.status == "contradicted":
        return "Claimed to be decided, and the ballot said otherwise"
    deniers = [who for who in claim.denied_by if who not in claim.supporters]
    denied = ", taken back" if len(deniers) < len(claim.denied_by) else ""
    denied += f", denied by {names_of(deniers)}" if deniers else ""
    return f"Claimed to be decided{denied}, and not voted on"


def _risks(
    members: Mapping[str, Persona],
    reached: VerdictReached,
    quotes: Quotes,
    memory: ConversationMemory,
    reasons: Sequence[Cited],
    dissent: Sequence[Dissent],
) -> tuple[Cited, ...]:
    """Return one risk of the outcome that each member names and that is not quoted yet; dissenters come first."""
    shown = {cited.quote for cited in (*reasons, *(each for one in dissent for each in one.said))}
    against = [ballot.agent for ballot in reached.dissent]
    risks = []
    for member in sorted(members.values(), key=lambda member: member.title not in against):
        objection = _reaction(memory, quotes, member.title, reached.outcome, "oppose")
        if objection is None or objection.quote in shown:
            objection = quotes.risk(member, reached.outcome, shown)
        risks.append(objection)
    return _distinct(risks)[:_MOST]


def _minds(progress: DebateState, quotes: Quotes) -> tuple[Condition, ...]:
    """Return what would change each member's mind, as last said in private, else on the panel; the silent come last."""
    private = {s.who: s.change_mind for stances in progress.polled for s in stances if s.change_mind}
    minds = []
    for who in progress.members:
        cited = None if who in private else quotes.condition(who)
        text = cited.quote if cited else plain_line(private.get(who, ""))
        minds.append(Condition(who, text, cited.message if cited else None))
    return tuple(sorted(minds, key=lambda mind: not mind.text))


def _members(facts: Sequence[Event], started: SessionStarted) -> dict[str, Persona]:
    """Return everybody who has sat on the panel, by title."""
    came = (event.persona for event in facts if isinstance(event, MemberChanged))
    return {member.title: member for member in (*started.members, *came) if member is not None}


def _run(facts: Sequence[Event], started: SessionStarted, members: Mapping[str, Persona], progress: DebateState) -> Run:
    agenda, settings = started.agenda, progress.settings
    in_part = Reading(started.documents).in_part
    places = {title: place for place, title in enumerate(members)} | progress.seats
    models = {event.model: None for event in facts if isinstance(event, CallMade) and event.model}
    opens = (phase.floor for phase in agenda if phase.does.open)
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


def _distinct(cited: Sequence[Cited | None]) -> tuple[Cited, ...]:
    """Return the last of those with the same quote."""
    return tuple({one.quote.casefold(): one for one in cited if one is not None}.values())
