"""Ballots and answers to polls in words."""

from __future__ import annotations

from dataclasses import replace

from eda.events import BallotCast, StanceTaken
from eda.report.formatting import how_sure, in_short, one_line, shown_id
from eda.report.vote_words import ballot_words, doubts_phrase, in_marks
from eda.voting.account import voter_of
from eda.words import ENGLISH, Words


def choice_phrase(choice: str) -> str:
    """Return a choice for use within a sentence, without its full stop."""
    text = one_line(choice)
    return text if text.endswith("..") else text.removesuffix(".")


def ballot_phrase(cast: BallotCast, *, whole: bool = True, blocks: bool = True, words: Words = ENGLISH) -> str:
    """Return what a ballot says: `Accepts “Ship” (o1), p9.1. Blocks “Wait”. Names m6 as what moved them.`.

    Where not `whole`, of what it accepts and adopts only its first choice is told; without `blocks` not what it blocks.
    """
    ballot, ids = cast.ballot, {text.text: shown_id(text.id) for text in cast.texts}
    first = next((text for text in cast.texts if text.text == ballot.first_choice), None)
    voter = voter_of(ballot, parts={text.text for text in cast.texts if first and first.takes_in(text)})
    voter = replace(voter, sure=None, blocks=voter.blocks if blocks else ())

    def name(text: str) -> str:
        number = ids.get(text, "")
        whole_text = in_short(text, number, others=ids) if number and first and text == first.text else number
        return whole_text or in_marks(choice_phrase(text), words)

    told = ballot_words(voter, name, first.id if first else "", words, brief=not whole and bool(first))
    doubts = [words.say("doubt-ballot", told=doubts_phrase(ballot.doubts, words))] if ballot.doubts else []
    return " ".join((told, *doubts))


def stance_phrase(stance: StanceTaken) -> str:
    """Return what an answer to a poll says: `holds Ship, 0.70 sure; what would change it: a failed trial`."""
    return ENGLISH.say(
        "screen-poll",
        kind="invalid" if stance.invalid else "beliefs" if stance.beliefs else "choice",
        beliefs=[f"{text} {belief:.2f}" for text, belief in stance.beliefs.items()],
        choice=choice_phrase(stance.choice or ""),
        sure="" if stance.confidence is None else how_sure(stance.confidence),
        at=f"m{stance.moved_by}" if stance.moved_by else "",
        change=stance.change_mind,
    )


def in_brackets(text: str) -> str:
    """Return a text in brackets after a blank; empty where it is empty."""
    return f" ({text})" if text else ""
