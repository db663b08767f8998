"""Gathers the report on a session from its facts, from memory, and from what a model wrote about it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from eda.debate.prompts.documents import Reading
from eda.debate.state import DebateState
from eda.debate.verdict import last_vote
from eda.errors import UsageError
from eda.events import (
    NONE,
    Ballot,
    CallMade,
    Cited,
    Decision,
    Event,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    OpenQuestion,
    PhaseStarted,
    ReportWritten,
    VerdictReached,
    Voter,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.decisions import all_agree
from eda.memory.minutes.proposals import noted
from eda.memory.patterns import default_language
from eda.memory.sentences.record import DEEDS
from eda.memory.sources import source_told, whose
from eda.memory.summaries.extractive import open_questions
from eda.memory.summaries.summary_input import stems
from eda.report.effect import helped
from eda.report.formatting import TEXT_ID, in_short, listed
from eda.report.ledger import elsewhere, is_terms, minds, promises, refusers_of, rests_on, stands_on, texts_of
from eda.report.model import Report, Run, Seat
from eda.report.outcome import Dissent, Outcome, Stood, Text, dissent_of, is_part, outcome_of
from eda.report.phrases import asked_phrase, mark_phrase
from eda.report.quotes import Quotes, distinct, plain_line
from eda.report.story import replaced_by, story_of
from eda.report.story_words import brief_line
from eda.report.verdict_words import answer, replaces, rest_of, shortest
from eda.report.vote_words import called
from eda.report.wordings import replaced
from eda.session import Session
from eda.text import bare, grouped, names, plain_low
from eda.voting import counts_of, voter_of
from eda.words import ENGLISH, Words

_MOST = 6  # Items of a kind that are listed; the newest of open questions.


def report_of(
    session: Session,
    progress: DebateState,
    memory: ConversationMemory,
    language: str = "",
    facts: Sequence[Event] = (),
) -> Report:
    """Return the report on a debate, in a language, else in that of the session; of its `facts`, where they were read.

    Raises:
        UsageError: the debate has no verdict.
    """
    started, reached = session.started(), progress.verdict
    words = Words(language or progress.settings.language)
    helps = helped(progress, memory)
    if reached is None or helps is None:
        raise UsageError(
            f"session {session.name!r} has no verdict to report on",
            hint=f"Go on with it: eda resume {session.typed}; or read what was said: eda show {session.typed}.",
        )
    facts = _facts(session, facts)
    verdicts = [event for event in facts if isinstance(event, VerdictReached)]
    messages = [event for event in facts if isinstance(event, MessagePosted)]
    quotes = Quotes(messages, memory.acts)
    account, texts = last_vote(progress), texts_of(memory, reached.offered)
    ballots = [_borne_out(ballot, memory) for ballot in account.ballots]
    counted = outcome_of(reached, account, texts, progress.settings.judge)
    counted = replace(counted, rows=rests_on(counted.rows, ballots, memory))
    chosen = progress.report or ReportWritten()
    dissent = _dissent(counted, reached, memory)
    stood = tuple(stands_on(memory, counted))
    steps = story_of(progress, memory, counted, helps, messages, verdicts, _corrected(facts))
    stress = None
    if progress.tried:
        from eda.debate.arms import Wanted, arms_of  # noqa: PLC0415 - few verdicts were tried
        from eda.debate.hinges import stress_of  # noqa: PLC0415 - as above

        wanted = Wanted(again=any(fact.kept is not None for fact in progress.tried))
        stress = stress_of(progress, memory, arms_of(session, progress, memory, wanted, messages))
    return Report(
        session=session.name,
        question=started.question,
        language=words.language,
        options=started.options,
        noun=started.agenda.noun or "choice",
        asked=asked_phrase(started, progress.settings, words),
        answer=mark_phrase(progress.players.marks, words) + answer(counted, dissent, words),
        rest=(
            *[words.say("report-line", line=chosen.line, by=chosen.by)] * bool(chosen.line),
            *rest_of(counted, bool(dissent), words, stood, ballots),
            *replaces((text for text in texts.values() if text.text in replaced_by(reached, verdicts[:-1])), words),
            *brief_line(steps, helps, texts.values(), words),
        ),
        story=steps,
        backing=_backing(counted, ballots, stood, memory),
        wordings=replaced(memory, [text.id for text in counted.decided], words),
        stood=stood,
        promised=promises(messages) if reached.outcome else (),
        texts=tuple(texts.values()),
        counted=counted,
        reasons=_quoted(chosen.reasons, memory, words) or tuple(_reasons(counted, ballots, words)),
        ballots=_ballots(progress, reached, counted, memory, words),
        dissent=dissent,
        told_dissent=tuple(each for each in _quoted(chosen.dissent, memory, words) if each.who in refusers_of(counted)),
        decisions=_decided(memory),
        open=_with_more(
            _quoted(chosen.open, memory, words), _open(memory, messages, quotes, stood, counted, words), memory, words
        ),
        evidence=memory.parts.evidence.used,
        unused=memory.parts.evidence.unused,
        refused=_refused(facts),
        risks=(*_risks(chosen.risks, counted, memory, words),),
        minds=minds(progress, counted, ballots, messages, memory),
        helped=helps,
        run=_run(facts, session, progress),
        stress=stress,
        followed=progress.followed,
        dropped=chosen.dropped,
        unproved=chosen.unproved,
        contradicted=chosen.contradicted,
        line=chosen.line,
        by=chosen.by,
    )


def _facts(session: Session, read: Sequence[Event]) -> Sequence[Event]:
    """Return the facts of a session that were `read`, else those of its log."""
    return read or [*session.events()]


def _decided(memory: ConversationMemory) -> tuple[Decision, ...]:
    """Return what the panel decided in its talk."""
    return tuple(e for e in memory.decisions if e.status == "decided" and e.source != "procedure")


def _corrected(facts: Iterable[Event]) -> dict[str, int]:
    """Return the places in the log of texts that persons put in place of adopted words, by the ids of the texts."""
    return {fact.version: fact.seq or 0 for fact in facts if isinstance(fact, MemoryCorrected)}


def _quoted(chosen: Iterable[Cited], memory: ConversationMemory, words: Words) -> tuple[Cited, ...]:
    """Return quotations, the false ones last, each with what is wrong with it, or whose a message is that it names."""
    told = sorted(
        ((source_told(memory.parts, _asserted(each.quote), each.who, words), each) for each in chosen),
        key=lambda pair: bool(pair[0]),
    )
    return tuple(replace(each, text=". ".join(_beside(each, wrong, memory, words))) for wrong, each in told)


def _asserted(quote: str) -> str:
    """Return what a question says before it asks, up to its last semicolon; anything else whole."""
    return (quote.rpartition(";")[0] if quote.endswith("?") else "") or quote


def _beside(cited: Cited, wrong: str, memory: ConversationMemory, words: Words) -> Iterator[str]:
    """Yield what is `wrong` with a quotation, or whose message it names; then where its author comes back to it.

    So it does for a question that nothing is wrong with. Of a message that acts on several texts it yields last of
    which the words of an act are.
    """
    asks = cited.quote.endswith("?")
    if (source := wrong or whose(memory.parts, cited.quote, cited.who, words)) or asks:
        again = [f"m{each.number}" for each in memory.parts.messages.naming(cited.message) if each.who == cited.who]
        yield from filter(
            None, (source, words.say("report-back", who=cited.who, on=cited.message, at=again) * bool(again))
        )
    acts = [each for each in memory.acts(cited.message) if each.counted and each.kind in DEEDS and not asks]
    own = {(each.kind, each.id or each.on) for each in acts if bare(cited.quote) in bare(each.why or each.text)}
    if len({each.id or each.on for each in acts}) > 1 == len(own):
        kind, key = own.pop()
        yield words.say("report-act", kind=kind, text=called(texts_of(memory)[key], words))


def _risks(chosen: Iterable[Cited], counted: Outcome, memory: ConversationMemory, words: Words) -> Iterator[Cited]:
    """Yield the risks; one of a message that declares something on other texts alone than those decided with these."""
    for each in _quoted(chosen, memory, words):
        on = [called(texts_of(memory)[key], words) for key in elsewhere(memory, counted, each) if not each.text]
        yield replace(each, text=words.say("report-on", texts=on)) if on else each


def _refused(facts: Iterable[Event]) -> dict[str, tuple[str, ...]]:
    """Return what the programs of members asked leave for, each once."""
    refused = grouped((call.agent, what) for call in facts if isinstance(call, CallMade) for what in call.refused)
    return {who: tuple(dict.fromkeys(what)) for who, what in refused.items()}


def messages_of(session: Session) -> list[MessagePosted]:
    """Return all messages, in order."""
    return [event for event in session.events() if isinstance(event, MessagePosted)]


def _reasons(counted: Outcome, ballots: Sequence[Ballot], words: Words) -> Iterator[Cited]:
    """Yield why each choice was wanted where no single text won, by the ballots; the text of each names the choice."""
    told = {ballot.agent: ballot.reason for ballot in ballots}
    for row in counted.rows if not isinstance(counted.reached.outcome, str) else ():
        for who in row.voters if row.choice != NONE else ():
            if told.get(who):
                yield Cited(in_short(row.choice, row.id, words=words), 0, told[who], who)


def _backing(
    counted: Outcome, ballots: Sequence[Ballot], stood: Sequence[Stood], memory: ConversationMemory
) -> tuple[Cited, ...]:
    """Return the main reason of each who accepts what won: declared or on the ballot, the shorter that names no id.

    The reason on a ballot is one for what it puts first, and for another text only where it names that by its id, or
    approvals are counted.
    What claims that all agree, or names another as the author of a message, is nobody's reason; no more is a condition
    alone, or a courtesy. It names no member but the author of what won and of the message that the ballot names: what
    it says of others may be false. Words of another text's title, and none of the one decided, give way to a declared
    reason. What a member gave when it was asked what it declares is in no message.
    """
    won, backing = counted.won or Text("", ""), []
    each = counts_of(counted.reached.rule) == "approvals"
    own = (b for b in ballots if each or won.text in (b.firsts or b.accepted) or won.id in TEXT_ID.findall(b.reason))
    voted = {ballot.agent: ballot.reason for ballot in own}
    titles = stems(" ".join(text.title for text in texts_of(memory).values()))
    decided = stems(f"{won.title} {won.text}")
    stray = {said for said in voted.values() if frozenset() < stems(said) & (titles | decided) <= titles - decided}
    moved = {ballot.agent: memory.parts.polls.authors.get(ballot.moved_by or 0, "") for ballot in ballots}
    for who in counted.accepted if counted.won else ():
        others = {*memory.parts.members} - {who, won.by, moved.get(who)}
        given = (*_declared(who, stood, memory), (voted.get(who, ""), 0))
        true = [one for one in given if _is_reason(one[0], who, others, memory) and not is_terms(one[0], who, stood)]
        reason, message = shortest(true, stray)
        backing.append(Cited("", message, reason, who))
    return tuple(backing)


def _is_reason(said: str, who: str, others: Iterable[str], memory: ConversationMemory) -> bool:
    """Return whether words name none of `others`, claim no agreement of all, and are neither false nor a courtesy."""
    language = memory.patterns.language
    signs = tuple(f"{bare(words)} " for words in language.sign_offs if " " in words)
    claims = language.claims_agreement.search(plain_low(said)) or source_told(memory.parts, said, who, ENGLISH)
    named = any(names(plain_low(said), each) for each in others)
    return not (named or claims or f"{bare(said)} ".startswith(signs))


def _declared(who: str, stood: Iterable[Stood], memory: ConversationMemory) -> Iterator[tuple[str, int]]:
    """Yield each reason of a support of what won that its message has; with that message."""
    for one in stood:
        text = memory.parts.messages.message(one.message).text if one.message else one.reason
        if (one.who, one.stance, one.of) == (who, "support", "") and bare(one.reason) in bare(text):
            yield one.reason, one.message


def _borne_out(ballot: Ballot, memory: ConversationMemory) -> Ballot:
    """Return a ballot with its reason on a line; without one of which the record does not bear out what it says."""
    said = plain_line(ballot.reason)
    return ballot.model_copy(update={"reason": said * (not source_told(memory.parts, said, ballot.agent, ENGLISH))})


def _ballots(
    progress: DebateState, reached: VerdictReached, counted: Outcome, memory: ConversationMemory, words: Words
) -> tuple[Voter, ...]:
    """Return what each ballot accepts and says, with what the record has of that."""
    scored = counted.won.text if counted.won and counts_of(counted.reached.rule) == "scores" else ""
    parts = {text.text for text in reached.offered if is_part(reached, text.id)}
    voters = (
        voter_of(cast.ballot, parts=parts if cast.ballot.agent in counted.accepted else (), scored=scored)
        for cast in progress.ballots
    )
    plain = (replace(voter, reason=plain_line(voter.reason)) for voter in voters)
    return tuple(replace(each, beside=source_told(memory.parts, each.reason, each.who, words)) for each in plain)


def _dissent(counted: Outcome, reached: VerdictReached, memory: ConversationMemory) -> tuple[Dissent, ...]:
    """Return what each dissenter wanted instead; where no single text won, who blocks what."""
    won = isinstance(counted.reached.outcome, str)
    against = (_borne_out(ballot, memory) for ballot in reached.dissent if won or ballot.blocked)
    dissent = ((ballot, dissent_of(reached, ballot)) for ballot in against)
    return tuple(each if won else replace(each, blocked=ballot.blocked) for ballot, each in dissent)


def _with_more(
    told: Sequence[Cited], known: Sequence[Cited], memory: ConversationMemory, words: Words
) -> tuple[Cited, ...]:
    """Return the open questions that a model tells, and those of other messages; last those that were answered."""
    said = [(cited.message, bare(cited.quote)) for cited in told]
    marked = [_answered(each, memory, words) for each in told if not memory.parts.settled(each.message, each.quote)]
    words_of = ((each, bare(each.quote)) for each in known)
    return (
        *(each for each, answered in marked if not answered),
        *(e for e, own in words_of if not any(e.message == at and (own in q or q in own) for at, q in said)),
        *(each for each, answered in marked if answered),
    )


def _answered(cited: Cited, memory: ConversationMemory, words: Words) -> tuple[Cited, int]:
    """Return a question with the message that answers it, 0 for none, and what is noted of it."""
    parts, at = memory.parts, cited.message
    number = parts.answer_to(at, cited.quote) if cited.quote.endswith("?") else 0
    note = noted(OpenQuestion(at, cited.who, cited.quote, answered=number, named=parts.named(at)), words)
    return replace(cited, text=". ".join(filter(None, (note, cited.text)))), number


def _open(
    memory: ConversationMemory,
    messages: Sequence[MessagePosted],
    quotes: Quotes,
    stood: Sequence[Stood],
    counted: Outcome,
    words: Words,
) -> tuple[Cited, ...]:
    """Return the questions to which the minutes have no answer, conditions on what won, and claims of a decision.

    A condition names its text where several were decided. A figure that is about other texts alone is left out.
    """
    later = tuple(each.shown for each in messages if each.number > memory.parts.minutes.state.minuted)
    new = [OpenQuestion(each.message, each.who, each.text) for each in open_questions(later)]
    known = [*memory.parts.unanswered, *(each for each in new if not memory.parts.answer_to(each.message, each.text))]
    known = [e for e in known if not (e.unsourced and elsewhere(memory, counted, Cited("", e.message, e.text, e.who)))]
    questions, closed = (
        [_question(each, memory, words, quotes) for each in known if bool(each.answered) == late]
        for late in (False, True)
    )
    claimed, language = [], default_language()
    for each in (e for e in memory.claims if e.status != "contradicted" and not all_agree(language, e)):
        by = [words.say("report-denied", who=who, at=f"m{at}") for who, at in each.denials]
        told = words.say("report-claimed", back=len(by) < len(each.denied_by), by=by)
        claimed.append(Cited(told, each.messages[0], each.outcome, listed(each.supporters)))
    titles = {text.id * (text is not counted.won): called(text, words) for text in counted.decided}
    terms = [
        Cited(
            words.say(
                "report-on-terms",
                text=titles.get(each.of, "") * (len(titles) > 1),
                doubt=each.doubt,
                asked=each.asked,
            ),
            each.message,
            each.condition,
            each.who,
        )
        for each in stood
        if each.conditional
    ]
    return (*distinct(questions)[-_MOST:], *terms, *claimed[-_MOST:], *distinct(closed)[-_MOST:])


def _question(question: OpenQuestion, memory: ConversationMemory, words: Words, quotes: Quotes) -> Cited:
    """Return an open question, with the messages of others that name its own, or what has no source."""
    told = quotes.find(question.message, question.text) or Cited("", question.message, question.text, question.who)
    cited = _quoted([told], memory, words)[0]
    if question.unsourced:
        source = noted(question, words) or words.say("report-unsourced")
        return replace(cited, text=". ".join(filter(None, (source, cited.text))))
    return _answered(cited, memory, words)[0]


def _run(facts: Sequence[Event], session: Session, progress: DebateState) -> Run:
    """Return how a debate was run."""
    started = session.started()
    came = (event.persona for event in facts if isinstance(event, MemberChanged))
    agenda, members = started.agenda, {each.title: each for each in (*started.members, *came) if each is not None}
    floors = (progress.settings.floor if progress.floor_set else phase.floor for phase in agenda if phase.does.open)
    places = {title: place for place, title in enumerate(members)} | progress.seats
    return Run(
        agenda=agenda.title,
        panel=started.panel,
        floor=tuple(dict.fromkeys(floor or progress.settings.floor for floor in floors)),
        runners=tuple(progress.runners),
        parent=started.parent,
        played=progress.players,
        seed=started.seed,
        rounds=progress.round,
        messages=progress.messages,
        reason=progress.why_stopped or "",
        votes_again=sum(isinstance(event, PhaseStarted) and event.why == "talk" for event in facts),
        began=progress.first_at,
        seconds=progress.spent.seconds,
        seats=tuple(
            Seat(member.title, member.role, member.name, agenda.side(places[member.title]), member.person)
            for member in members.values()
        ),
        anonymous=agenda.anonymous,
        documents=Reading(started.documents).named,
        own_prompts=tuple(started.prompts),
        corrected=tuple(
            event.model_dump(include={"item", "was", "text", "by", "version"})
            for event in facts
            if isinstance(event, MemoryCorrected)
        ),
        facts=session.log.last_seq,
        head=session.head(),
    )
