"""Ballots and the verdict in words: lines for a pipe, and the page that tells a decision."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from eda.debate.state import DebateState
from eda.events import BallotCast, Decision, Event, StanceTaken, VerdictReached
from eda.memory import ConversationMemory
from eda.memory.minutes.items import CLAIM_STATUSES
from eda.memory.minutes.proposals import denials_of
from eda.report.formatting import corrected_by, in_short, one_line, shown_id
from eda.report.gather import report_of
from eda.report.outcome import Dissent, dissent_of, outcome_of
from eda.report.phrases import ended_phrase
from eda.report.sections import page_of
from eda.report.verdict_words import Line, answer, decision_lines, rest_of, vote_lines
from eda.report.vote_words import ballot_words, doubts_phrase, in_marks
from eda.session import Session
from eda.voting.account import voter_of
from eda.words import ENGLISH, Words


def choice_phrase(choice: str) -> str:
    """Return a choice for use within a sentence, without its full stop."""
    text = one_line(choice)
    return text if text.endswith("..") else text.removesuffix(".")


def ballot_phrase(
    cast: BallotCast, *, whole: bool = True, blocks: bool = True, words: Words = ENGLISH, named: set[str] | None = None
) -> str:
    """Return what a ballot says: `Accepts “Ship” (o1), p9.1. Blocks “Wait”. Names m6 as what moved them.`.

    Where not `whole`, of what it accepts and adopts only its first choice is told; without `blocks` not what it blocks.
    `named` are the ids of the texts that ballots before it have named by their words.
    """
    ballot, ids = cast.ballot, {text.text: shown_id(text.id) for text in cast.texts}
    first = next((text for text in cast.texts if text.text == ballot.first_choice), None)
    voter = voter_of(ballot, parts={text.text for text in cast.texts if first and first.takes_in(text)})
    voter = replace(voter, sure=None, blocks=voter.blocks if blocks else ())

    def name(text: str) -> str:
        number = ids.get(text, "")
        if named is not None and number in named:
            return number
        if named is not None and number and first and text == first.text:
            named.add(number)
        whole_text = (
            in_short(first.title or text, number, others=ids, words=words)
            if number and first and text == first.text
            else number
        )
        return whole_text or in_marks(choice_phrase(text), words)

    told = ballot_words(voter, name, first.id if first else "", words, brief=not whole and bool(first))
    doubts = [words.say("doubt-ballot", told=doubts_phrase(ballot.doubts, words))] if ballot.doubts else []
    return " ".join((told, *doubts))


def stance_phrase(stance: StanceTaken, words: Words) -> str:
    """Return what an answer to a poll says: `holds Ship, 0.70 sure; what would change it: a failed trial`."""
    return words.say(
        "screen-poll",
        kind="invalid" if stance.invalid else "beliefs" if stance.beliefs else "choice",
        beliefs=[f"{text} {belief:.2f}" for text, belief in stance.beliefs.items()],
        choice=choice_phrase(stance.choice or ""),
        sure="" if stance.confidence is None else f"{stance.confidence:.2f}",
        at=f"m{stance.moved_by}" if stance.moved_by else "",
        change=stance.change_mind,
    )


def in_brackets(text: str) -> str:
    """Return a text in brackets after a blank; empty where it is empty."""
    return f" ({text})" if text else ""


def claim_phrase(decision: Decision, words: Words) -> str:
    """Return what became of a claim: `m7 on p6.1 taken back: we all agree`; empty for what was decided."""
    if decision.status not in (*CLAIM_STATUSES, "adopted"):
        return ""
    back = decision.status == "disputed" and not {*decision.supporters}.isdisjoint(decision.denied_by)
    state = "taken-back" if back else decision.status
    data = {"at": f"m{decision.messages[0]}", "on": decision.proposal or "", "status": state}
    return words.say("screen-claim", text=decision.outcome, by=denials_of(decision, words), **data)


def decision_phrase(decision: Decision, words: Words) -> str:
    """Return what was decided, after its topic where the words do not say it, and who corrected it."""
    outcome, topic = one_line(decision.outcome), one_line(decision.topic)
    text = f"{topic}: {outcome}" if topic and topic.casefold() not in outcome.casefold() else outcome
    return text + corrected_by(decision.corrected, decision.status, words)


def answer_of(verdict: VerdictReached, words: Words = ENGLISH) -> str:
    """Return the answer of a verdict in one line."""
    return answer(outcome_of(verdict), _dissent(verdict), words)


def _dissent(verdict: VerdictReached) -> list[Dissent]:
    single = isinstance(verdict.outcome, str)
    return [dissent_of(verdict, ballot) for ballot in verdict.dissent if single or ballot.blocked]


def count_page(verdict: VerdictReached, words: Words = ENGLISH) -> dict[str, list[Line]]:
    """Return what a count alone tells of a decision: the answer, who is against it, and the votes."""
    counted, dissent = outcome_of(verdict), _dissent(verdict)
    rest = rest_of(counted, bool(dissent), words)
    told = answer(counted, dissent, words)
    return {"verdict": [*decision_lines(told, counted, dissent, rest, words), *vote_lines(counted, words)]}


def page_now(
    session: Session, progress: DebateState, memory: ConversationMemory, facts: Sequence[Event] = ()
) -> dict[str, list[Line]]:
    """Return the page that tells the decision of a session, of which `facts` were read; empty without one."""
    return page_of(report_of(session, progress, memory, facts=facts)) if progress.verdict else {}


def labelled(lines: Iterable[Line], words: Words) -> list[str]:
    """Return lines for a pipe, each behind what it tells."""
    label = partial(words.say, "verdict-label", of="")
    return [f"  {each.plain}" if each.below else f"{label(kind=each.kind)}: {each.plain}" for each in lines]


def only_verdict(session: Session, state: DebateState, memory: ConversationMemory) -> list[str]:
    """Return the lines of `--quiet`: the verdict, or why there is none, and the session."""
    words = state.settings.words
    none = words.say("screen-unfinished", state=state.state)
    if state.ended:
        none = f"{words.say('screen-label', 'ended')}: {ended_phrase(state.ended, words=words)}"
    told = labelled(page_now(session, state, memory).get("verdict", ()), words)
    return [*(told or [none]), f"{words.say('screen-label', 'session')}: {one_line(session.name)}"]
