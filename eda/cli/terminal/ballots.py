"""Bids, ballots and answers to polls in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eda.events import NO_BID, NONE, Ballot, BallotCast, Bid, BidsTaken, StanceTaken
from eda.report.formatting import how_sure, in_short, listed, one_line, shown_id
from eda.report.vote_words import doubts_phrase


def choice_phrase(choice: str) -> str:
    """Return a choice for use within a sentence, without its full stop."""
    text = one_line(choice)
    return text if text.endswith("..") else text.removesuffix(".")


def several(choices: Sequence[str]) -> str:
    """Return a list of choices, joined by semicolons if a choice contains a comma."""
    return ("; " if any("," in choice for choice in choices) else ", ").join(map(choice_phrase, choices))


def ballot_phrase(cast: BallotCast, *, whole: bool = True, blocks: bool = True) -> str:
    """Return what a ballot says: `for “Ship” (o1), accepts p9.1 too, blocks Wait; moved by m6`.

    Where not `whole`, what it accepts and adopts beside its choice is left out, and what it blocks is named by id;
    without `blocks` that is left out, too.
    """
    ballot, ids = cast.ballot, {text.text: shown_id(text.id) for text in cast.texts}
    if ballot.invalid:
        return "abstains: no valid ballot"
    chosen = [*_chosen(ballot, ids)]
    parts = [*chosen, *_beside(cast, ids)] if whole else chosen[:1]
    if ballot.blocked and blocks:
        named = ", ".join(ids.get(words) or choice_phrase(words) for words in ballot.blocked)
        parts.append(f"blocks {several(ballot.blocked) if whole else named}")
    moved = f"; moved by m{ballot.moved_by}" if ballot.moved_by else ""
    doubt = f"; in doubt: {doubts_phrase(ballot.doubts)}" if ballot.doubts else ""
    return (", ".join(parts) or "abstains") + moved + doubt


def _beside(cast: BallotCast, ids: Mapping[str, str]) -> Iterator[str]:
    """Yield what a ballot would adopt beside its choice, each with what it is part of; nothing where it has none."""
    ballot = cast.ballot
    first = next((text for text in cast.texts if text.text == ballot.choice), None)
    part = {text.text: f" (part of {first.id})" for text in cast.texts if first and first.takes_in(text)}
    beside = [words for words in ballot.also if words != ballot.choice]
    if beside:
        named = (f"{ids.get(words) or choice_phrase(words)}{part.get(words, '')}" for words in beside)
        yield f"would also adopt {', '.join(named)}"


def _chosen(ballot: Ballot, ids: Mapping[str, str]) -> Iterator[str]:
    """Yield what a ballot is for, and what it accepts beside that; `ids` has the texts that were offered."""
    if ballot.choice == NONE:
        yield "for none of these"
    elif ballot.choice is not None:
        number = ids.get(ballot.choice, "")
        yield f"for {in_short(ballot.choice, number, others=ids) if number else choice_phrase(ballot.choice)}"
        others = [ids.get(words) or choice_phrase(words) for words in ballot.ranking if words != ballot.choice]
        if others and ids:
            yield f"accepts {', '.join(others)} too"
    elif ballot.approved:
        yield f"approves {several(ballot.approved)}"
    elif ballot.scores:
        yield f"scores {', '.join(f'{choice_phrase(text)} {score:g}' for text, score in ballot.scores.items())}"


def stance_phrase(stance: StanceTaken) -> str:
    """Return what an answer to a poll says: `holds Ship, 0.70 sure; what would change it: a failed trial`."""
    if stance.invalid:
        return "gave no usable answer"
    if stance.beliefs:
        return "believes " + ", ".join(f"{one_line(text)} {belief:.2f}" for text, belief in stance.beliefs.items())
    phrase = f"holds {choice_phrase(stance.choice)}" if stance.choice is not None else "holds none of the choices"
    phrase += f", {how_sure(stance.confidence)} sure" if stance.confidence is not None else ""
    phrase += f"; moved by m{stance.moved_by}" if stance.moved_by else ""
    return phrase + (f"; what would change it: {one_line(stance.change_mind)}" if stance.change_mind else "")


def ranked_bids(event: BidsTaken) -> tuple[list[Bid], list[str]]:
    """Return the bids for the floor, most urgent first, and in words who passes, and who is not in the answer."""
    wanting = sorted((bid for bid in event.bids if bid.wants), key=lambda bid: -bid.urgency)
    lost = [bid.agent for bid in event.bids if bid.reason.startswith(NO_BID)]
    passing = [bid.agent for bid in event.bids if not bid.wants and bid.agent not in lost]
    return wanting, [f"{how}: {listed(who)}" for how, who in (("passing", passing), (NO_BID, lost)) if who]


def bid_phrase(bid: Bid) -> str:
    """Return who asks for the floor, and how urgently: `Ada 0.70`."""
    return f"{one_line(bid.agent)} {bid.urgency:.2f}"


def in_brackets(text: str) -> str:
    """Return a text in brackets after a blank; empty where it is empty."""
    return f" ({text})" if text else ""
