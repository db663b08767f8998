"""Puts texts on the table, closes and reopens them. Each step cites the messages that caused it."""

from eda.events import ChangeKind, Decision, End, Motion, OpenQuestion, Proposal, ProposalStatus, StatusChange
from eda.memory.minutes.items import ProposalItem, ReadAct
from eda.memory.minutes.state import State
from eda.text import quoted, unbroken
from eda.words import ENGLISH, Words

# The statuses of texts that a ballot passed over. Who declares support for one, or puts it again, opens it again.
SETTLED: tuple[ProposalStatus, ...] = ("superseded", "merged", "not chosen", "not adopted")
CLOSED_CLAIMS = ("adopted", "contradicted")  # States of claims that are settled.
SAME = 0.8  # Likeness from which a proposal restates an earlier one.


def new_item(act: ReadAct) -> ProposalItem:
    """Return the proposal that an act puts, not on the table yet."""
    return ProposalItem(
        id=f"p{act.message}{act.place}",
        message=act.message,
        by=act.agent,
        text=act.text,
        title=act.title,
        titled=bool(act.title),
        quote=act.quote,
        source=act.source,
        pattern=act.pattern,
        confidence=act.confidence,
        written=act.written,
    )


def put(state: State, item: ProposalItem) -> None:
    """Put a proposal on the table."""
    state.place_proposal(item)
    state.last_proposal = item.id
    state.announce(item)


def close(state: State, item: ProposalItem, change: StatusChange) -> None:
    """Give a text a closing status. Only a ballot closes an option given with the question."""
    if item.status == change.status:
        return
    item.move(change)
    state.open.pop(item.id, None)
    if item.id not in state.given:
        state.announce(item)


def reopen(state: State, item: ProposalItem, messages: tuple[int, ...], why: ChangeKind, of: str = "") -> None:
    """Open a text again whose closing was undone."""
    item.move(StatusChange("active", messages, why, of))
    if item.id in state.given:
        return
    if item.status == "active":
        state.open[item.id] = None
    state.announce(item)


def why_closed(text: Proposal | ProposalItem, words: Words = ENGLISH) -> str:
    """Return what became of a text that is open no more: `adopted`, `replaced by p9.1`, `not chosen`."""
    return end_words(end_of(text), words)


def what_became(text: Proposal, motion: Motion) -> str:
    """Return what became of a text, and of each that took its place: `replaced by p5.0, which was withdrawn`.

    Where the last of these is open no more, the ids follow by which the motion lives on.
    """
    texts, told, by = {each.id: each for each in motion.versions}, why_closed(text), end_of(text).by
    while (heir := texts.get(by)) and heir.status != "active":
        told, by = ENGLISH.say("act-became", end=told, then=why_closed(heir)), end_of(heir).by
    live = " and ".join(each.id for each in motion.versions if each.status == "active")
    return ENGLISH.say("act-lives-on", end=told, ids=live) if live and not heir else told


def end_of(text: Proposal | ProposalItem) -> End:
    """Return what became of a text that is open no more."""
    last = text.changes[-1] if text.changes else None
    if text.status == "struck":
        return End("struck", text.corrected)
    if last and last.why == "taken into" and text.status in ("modified", "merged"):
        return End("taken into", last.of)
    if last and last.why == "not beside":
        return End("not beside")
    return End(text.status, (text.amended_by or "") if text.status == "modified" else "")


def end_words(end: End, words: Words = ENGLISH) -> str:
    """Return what became of a text in words: `replaced by p9.1`."""
    return words.say("act-end", end=slug(end.kind), by=third_person(end.by) if end.kind == "struck" else end.by)


def corrected_by(who: str, words: Words) -> str:
    """Return who put a text in other words."""
    return words.say("act-corrected", struck=False, by=third_person(who))


def denials_of(claim: Decision, words: Words) -> list[str]:
    """Return who of the others denied a claim, each with where."""
    return [unbroken(words.say("report-denied", who=who, at=f"m{at}")) for who, at in claim.denials]


def noted(question: OpenQuestion, words: Words) -> str:
    """Return which message answers a question by the minutes, and which others name its own before; empty for none."""
    last, sourced = question.answered, question.unsourced
    named = [f"m{number}" for number in question.named if not sourced and (not last or number < last)]
    told = [words.say("report-named", at=named)] * bool(named)
    return ". ".join(told + [words.say("report-answered", at=f"m{last}", sourced=sourced)] * bool(last))


def slug(kind: str) -> str:
    """Return a kind as messages have it: `propose-again`."""
    return kind.replace(" ", "-").replace("'", "")


def reworded_in(text: Proposal) -> int:
    """Return the message in which its author put a text in other words; 0 where it did not."""
    last = text.changes[-1] if text.changes else None
    return last.messages[-1] if last and last.why == "replaced" and last.messages else 0


def third_person(who: str) -> str:
    """Return the name as a prompt shows it: `you`, as a screen calls who has no name, would be the member itself."""
    return "the person at the table" if who.strip().casefold() == "you" else quoted(who)
