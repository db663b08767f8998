"""Records what a verdict decides, and settles what its ballot offered: nothing else, and nothing without a verdict."""

from collections.abc import Iterator, Mapping, Sequence

from eda.events import NONE, Adopted, BallotText, StatusChange, VerdictReached
from eda.memory.minutes.decisions import close_claims
from eda.memory.minutes.items import DecisionItem, ProposalItem
from eda.memory.minutes.positions import lineage
from eda.memory.minutes.proposals import close
from eda.memory.minutes.state import State
from eda.text import bare


def rule(state: State, event: VerdictReached) -> None:
    """Record the decisions of a verdict, settle the texts of its ballot, and close the claims on which it decides."""
    _keep_ballot(state, event)
    adopted = [*_adopted(state, event)]
    if not adopted:
        return
    offered = event.offered or _named(state, event)
    evidence = tuple(event.evidence) or ((state.number,) if state.number else ())
    decided = [_decide(state, event, each, _behind(event, each.text, evidence)) for each in adopted]
    _replace(state, decided, offered)
    roots = {text.id: text.root for text in offered}
    for text in offered:
        item = state.proposal(text.id)
        if item is not None:
            own = _behind(event, text.text, evidence)
            _settle(state, item, text, adopted, own, _lost(event, text.motion, own), roots)
    words = (*event.tally, *event.figures, *event.order, *event.behind)
    close_claims(state, decided, frozenset((*words, *(text.id for text in offered), *(text.text for text in offered))))


def _keep_ballot(state: State, event: VerdictReached) -> None:
    """Keep who put what first, and how many accept each text or want it beside the answer.

    Of a motion with several wordings nobody knows which of them is wanted beside it.
    """
    motions = [text.motion for text in event.offered]
    state.balloted = {}
    for text in event.offered:
        named = text.motion if motions.count(text.motion) == 1 else text.id
        accepted, also = len(event.accepted.get(text.id, ())), len(event.also.get(named, ()))
        if accepted or also or event.also.keys().isdisjoint((text.motion, text.root)):
            state.balloted[text.id] = accepted, also, event.cast
    firsts = {**event.firsts, NONE: event.tally.get(NONE, ())}
    state.voted = {who: [key for key in firsts if who in firsts[key]] for each in firsts.values() for who in each}
    state.voted_at = state.number


def _behind(event: VerdictReached, words: str, evidence: tuple[int, ...]) -> tuple[int, ...]:
    """Return the messages that a text rests on; `evidence` is what the answer does."""
    return tuple(event.behind.get(words, ())) if event.behind and words != event.outcome else evidence


def _adopted(state: State, event: VerdictReached) -> Iterator[Adopted]:
    """Yield what a verdict adopts, the answer first."""
    words = event.outcome
    if isinstance(words, str):
        item = None if event.offered else _text_of(state, words)
        chosen, motion = (item.id, state.root(item)) if item else (event.version, event.motion)
        voters = event.accepted.get(chosen) or event.tally.get(words, ())
        yield Adopted(motion=motion or chosen, id=chosen, text=words, voters=voters, of=event.cast)
    yield from event.adopted


def _decide(state: State, event: VerdictReached, adopted: Adopted, evidence: Sequence[int]) -> DecisionItem:
    """Return the decision for what was adopted, placed in the minutes."""
    order = sum(1 for key in state.decisions if key.startswith(f"v{state.number}."))
    text = state.proposal(adopted.id)
    words = text.text if text is not None and adopted.text == text.id else adopted.text
    answer = event.outcome == adopted.text
    item = DecisionItem(
        id=f"v{state.number}.{order}",
        by="",
        topic=event.rule,
        text=words,
        unworded=not adopted.id and bool(event.offered),
        status="decided",
        source="procedure",
        messages=list(evidence),
        supporters=dict.fromkeys(adopted.exact or adopted.voters, state.number),
        opposers={each.agent: state.number for each in event.dissent if answer and each.agent not in adopted.voters},
        proposal=text.id if text else None,
        votes=adopted.of,
        written=True,
        at=event.at,
    )
    state.place_decision(item)
    state.announce(item)
    return item


def _replace(state: State, decided: Sequence[DecisionItem], offered: Sequence[BallotText]) -> None:
    """Note that an earlier verdict holds no more where this ballot offered what it had decided."""
    texts = {text.id for text in offered} | {bare(text.text) for text in offered}
    for old in state.decisions.values():
        known = old.source == "procedure" and old.status == "decided" and old not in decided
        if known and not texts.isdisjoint((old.proposal or "", bare(old.text))):
            old.status, old.superseded_by = "superseded", decided[0].id
            decided[0].supersedes = decided[0].supersedes or old.id
            state.announce(old)


def _settle(
    state: State,
    item: ProposalItem,
    text: BallotText,
    adopted: Sequence[Adopted],
    cause: tuple[int, ...],
    lost: StatusChange,
    roots: Mapping[str, str],
) -> None:
    """Give a text of a ballot the status that follows from what was adopted, or `lost`; `roots`: each text's own."""
    winner = next((each for each in adopted if each.id == item.id), None)
    same = (each for key in (text.root, text.motion) for each in adopted if each.motion == key)
    taken = (each for each in adopted if each.id and _is_merged(state, item, each.id))
    winner = winner or next(same, None) or next(taken, None)
    if item.status not in ("active", "accepted") and (winner is None or winner.id != item.id):
        return  # its author has withdrawn or replaced it since the texts were fixed
    if winner is None:
        change = lost
    elif not winner.id:
        return  # the motion was adopted and none of its wordings: they stay open
    elif item.id == winner.id:
        change = StatusChange("accepted", cause)
    elif _is_merged(state, item, winner.id):
        change = StatusChange("merged", cause, "taken into", winner.id)
    elif _is_apart(state, text, winner.id, roots):
        change = lost  # of what was joined a part was adopted, which is no wording of the others
    else:
        change = StatusChange("superseded", cause, "another wording", winner.id)
    close(state, item, change)


def _is_apart(state: State, text: BallotText, winner: str, roots: Mapping[str, str]) -> bool:
    """True if a text of the motion that won is another part than the winner, and no wording of what that joined."""
    return text.root != roots.get(winner, text.root) and (text.root or text.motion) not in lineage(state, winner)


def _lost(event: VerdictReached, motion: str, cause: tuple[int, ...]) -> StatusChange:
    """Return the change of a motion that was not adopted; some were only wanted beside the answer."""
    if event.answer == "list":
        return StatusChange("not adopted", cause)
    voted = any(event.accepted.get(text.id) for text in event.offered if text.motion == motion)
    if motion in event.also and not voted:
        return StatusChange("not adopted", cause, "not beside")
    return StatusChange("not chosen", cause)


def _is_merged(state: State, item: ProposalItem, key: str) -> bool:
    """True if a text was joined with others by the text of that id or by one that this amends.

    Another wording of what was joined was not.
    """
    above: set[str] = set()
    winner = state.proposal(key)
    while winner is not None and winner.id not in above:
        above.add(winner.id)
        if winner.joins and item.id in (winner.amends, *winner.joins):
            return True
        winner = state.proposal(winner.amends)
    return False


def _text_of(state: State, words: str) -> ProposalItem | None:
    """Return the text that a ballot of an older log names by its id or its words."""
    return state.proposal(words) or state.same_text(words)


def _named(state: State, event: VerdictReached) -> tuple[BallotText, ...]:
    """Return the texts that a ballot of an older log offered, with the open versions of their motions."""
    words = (*event.won, *event.tally, *event.figures, *event.order)
    named = [item for item in (_text_of(state, each) for each in words) if item is not None]
    joined = [item for each in named for key in each.joins if (item := state.proposal(key)) is not None]
    roots = {state.root(item) for item in (*named, *joined)}
    named += [state.proposals[key] for key in state.open if state.root(state.proposals[key]) in roots]
    texts = {item.id: BallotText(id=item.id, motion=state.root(item), text=item.text) for item in named}
    return tuple(texts.values())
