"""Folds the log of a cell into rows. No call is made, and nothing that depends on the clock is kept."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from eda.debate.state import DebateState
from eda.debate.verdict import counted_members, last_vote, rule_of, votes_compared
from eda.events import NONE, BallotCast, BallotText, CallMade, MessagePosted, StanceTaken
from eda.panels.registry import RULES
from eda.session import Session
from eda.study.cells import Cell
from eda.study.rows import (
    BallotRow,
    CallRow,
    CellRow,
    FactRow,
    MemberRow,
    MessageRow,
    OutcomeRow,
    Row,
    StanceRow,
    Status,
    Vote,
)
from eda.voting import Account, rule_known, same_words, shown_order, verdict
from eda.voting.pairwise import condorcet_winner, top_cycle

Rows = dict[str, list[Row]]


def rows_of(session: Session, cell: Cell) -> Rows:
    """Return the rows of a session, by table. The same log gives the same rows, however often it was cut and resumed.

    Args:
        session: Open for reading.
        cell: What the session is a run of: its id, task, levels, arm and seed.

    Raises:
        LogDamagedError, SessionError: the log cannot be read.
    """
    state, messages, calls, answers = DebateState(), list[MessagePosted](), list[CallMade](), list[Answered]()
    for event in session.events():
        if isinstance(event, MessagePosted):
            messages.append(event)
        elif isinstance(event, CallMade) and event.nth:
            calls.append(event)
        elif isinstance(event, BallotCast | StanceTaken):
            answers.append((event, len(messages)))
        state.fold(event)
    votes = Votes(state, cell.task.answer)
    return {
        "cells": [_cell(cell, state, messages, calls)],
        "members": _members(cell, state, messages),
        "stances": list(votes.stances(cell.id, answers)),
        "messages": _messages(cell.id, state, messages),
        "ballots": [
            BallotRow(
                cell=cell.id,
                member=cast.ballot.agent,
                vote="first" if cast.first else "last",
                ranking=tuple(dict.fromkeys(cast.ballot.ranked)),
                scores=dict(sorted(cast.ballot.scores.items())),
                **_same(cast.ballot, _OF_BALLOTS),
            )
            for cast in (*state.first_ballots, *state.ballots)
        ],
        "outcomes": list(votes.outcomes(cell.id)),
        "calls": [CallRow(cell=cell.id, member=call.agent, **_same(call, _OF_CALLS)) for call in calls],
        "facts": list(_facts(cell, state, messages)),
    }


def missing_row(cell: Cell) -> CellRow:
    """Return the row of a cell that has no session."""
    task = cell.task
    return CellRow(
        cell=cell.id, task=task.id, item=task.item, arm=cell.arm, seed=cell.seed, status="absent",
        levels=dict(sorted(cell.levels.items())),
        question=task.question, options=tuple(task.options), answer=task.answer,
    )  # fmt: skip


def _cell(cell: Cell, state: DebateState, messages: Sequence[MessagePosted], calls: Sequence[CallMade]) -> CellRow:
    status: Status = "unfinished" if state.ended is None else "failed" if state.ended == "errors" else "ended"
    costs = [call.cost for call in calls]
    return missing_row(cell).model_copy(
        update={
            "status": status,
            "reason": state.why_stopped or "",
            "rule": rule_of(state) if state.started else "",
            "runner": state.runners[0] if state.runners else "",
            "members": len(state.members),
            "messages": len(messages),
            "calls": len(calls),
            "input_tokens": sum(call.input_tokens for call in calls),
            "output_tokens": sum(call.output_tokens for call in calls),
            "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
            "version": state.started.eda if state.started else "",
        }
    )


def _members(cell: Cell, state: DebateState, messages: Sequence[MessagePosted]) -> list[Row]:
    private = cell.task.facts.private
    said = Counter(message.who for message in messages)
    words = Counter(message.who for message in messages for _ in message.talk.split())
    return [
        MemberRow(
            cell=cell.id,
            member=who,
            seat=seat,
            messages=said[who],
            words=words[who],
            facts=len(private.get(seat, ())),
            scripted=seat >= len(state.seats) - cell.scripted,
        )
        for who, seat in state.seats.items()
    ]


def _messages(cell: str, state: DebateState, messages: Sequence[MessagePosted]) -> list[Row]:
    named = {who: re.compile(rf"(?<!\w){re.escape(who)}(?!\w)", re.IGNORECASE) for who in state.seats}
    return [
        MessageRow(
            cell=cell,
            number=message.number,
            member=message.who,
            seat=state.seats.get(message.who, -1),
            words=len(talk.split()),
            sealed=message.sealed,
            reply_to=message.reply_to,
            names=tuple(who for who, name in named.items() if who != message.who and name.search(talk)),
            moves=tuple(move.kind for move in message.moves),
            text=talk,
        )
        for message in messages
        for talk in [message.talk]
    ]


_OF_BALLOTS = ("choice", "approved", "also", "blocked", "reason", "invalid")
_OF_CALLS = (
    *("purpose", "nth", "model", "model_answered", "prompt_sha", "cost"),
    *("input_tokens", "output_tokens", "cache_read_tokens"),
)
_OF_POLLS = ("after", "choice", "confidence", "score", "moved_by", "invalid")


def _same(record: object, names: Iterable[str]) -> dict[str, Any]:
    """Return the fields that a row has as the record has them."""
    return {name: getattr(record, name) for name in names}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _facts(cell: Cell, state: DebateState, messages: Sequence[MessagePosted]) -> Iterator[Row]:
    """Yield the facts that only some seats were told: said where a message has their words, whatever the marks."""
    said = [(message.number, message.who, f" {_plain(message.text)} ") for message in messages]
    title = {seat: who for who, seat in state.seats.items()}
    for seat, facts in sorted(cell.task.facts.private.items()):
        for fact in facts:
            words = f" {_plain(fact)} "
            found = [(number, who) for number, who, text in said if words in text]
            own = next((number for number, who in found if who == title.get(seat)), None)
            heard = found[0][0] if found else None
            who = title.get(seat, "")
            yield FactRow(cell=cell.id, member=who, seat=seat, fact=fact, said_at=own, heard_at=heard)


Answered = tuple[BallotCast | StanceTaken, int]
"""A private answer, and the number of messages before it."""


class Votes:
    """The votes of a debate in the words that were given with the question."""

    def __init__(self, state: DebateState, answer: str | None) -> None:
        self._state = state
        self._answer = answer

    def _right(self, choice: str | None) -> bool | None:
        return None if self._answer is None else choice is not None and same_words(choice, self._answer)

    def _words(self, texts: Sequence[BallotText]) -> Callable[[str | None], str | None]:
        """Return what names the root of a text's motion: a member that rewords an option still holds it."""
        roots = {text.id: text.text for text in texts}
        names = {text.text: roots.get(text.motion, text.text) for text in texts}
        return lambda words: _in_words(words, names)

    def stances(self, cell: str, answers: Sequence[Answered]) -> Iterator[Row]:
        """Yield a row for each answer in private; the asks of each instrument are numbered from 0."""
        state = self._state
        polls: dict[str, dict[int, int]] = {"poll": {}, "survey": {}}
        cast: Counter[str] = Counter()
        offset = int(any(isinstance(event, BallotCast) and event.first for event, _ in answers))
        for event, after in answers:
            if isinstance(event, BallotCast):
                ballot, who = event.ballot, event.ballot.agent
                ask = 0 if event.first else offset + cast[who]
                cast[who] += not event.first
                choice = self._words(event.texts)(ballot.choice)
                shown = tuple(text.text for text in shown_order(event.texts, state.seed, who)) or event.choices
                given: dict[str, Any] = {
                    "instrument": "ballot",
                    "after": after,
                    "choice": choice,
                    "shown": shown,
                    **_same(ballot, ("confidence", "moved_by", "invalid")),
                }
            else:
                instrument, who = "survey" if event.survey else "poll", event.who
                ask = polls[instrument].setdefault(event.poll, len(polls[instrument]))
                beliefs = dict(sorted(event.beliefs.items()))
                given = {
                    "instrument": instrument,
                    "beliefs": beliefs,
                    "shown": event.choices,
                    **_same(event, _OF_POLLS),
                }
            given["right"] = None if given["invalid"] else self._right(given["choice"])
            yield StanceRow(cell=cell, member=who, seat=state.seats.get(who, -1), ask=ask, **given)

    def outcomes(self, cell: str) -> Iterator[Row]:
        """Yield a row for each vote and each rule that can count it."""
        state = self._state
        basis, first, _ = votes_compared(state)
        if basis == "ballot" or (basis == "poll" and not state.ballots):
            yield from self._counted(cell, "first", first)
        last = last_vote(state)
        if last.ballots:
            yield from self._counted(cell, "last", last)
        if (alone := state.baseline) is not None:  # of a control without a panel it is what decides
            yield OutcomeRow(
                cell=cell,
                vote="single" if last.ballots else "last",
                rule="plurality",
                own=not last.ballots,
                outcome=alone.outcome,
                right=self._right(alone.outcome),
                voters=len(alone.answers),
            )

    def _counted(self, cell: str, vote: Vote, account: Account) -> Iterator[Row]:
        """Yield what every rule makes of the ballots, of those that can count them: the verdict of that rule."""
        state, judge, own = self._state, self._state.settings.judge, rule_known(rule_of(self._state))
        words, members = self._words(account.texts), counted_members(state, account)
        options, roots = account.options, {text.id: text.text for text in account.texts}
        shared = OutcomeRow(
            cell=cell, vote=vote, rule=own.name, own=True, voters=len(account.who("voted")),
            cycle=bool(top_cycle(account.duels, options)),
            condorcet=_in_words(condorcet_winner(account.duels, options), roots),
        )  # fmt: skip
        for rule in (own, *(rule_known(name) for name in RULES.names() if name != own.name)):
            if rule.counting(judge) is None or rule.missing(account.votes, judge):
                continue
            reached = verdict(account, rule, state.settings.quorum, state.seed, members, judge=judge, changes=False)
            outcome = "; ".join(str(words(each)) for each in reached.won) or None
            won = {"rule": rule.name, "own": rule is own, "outcome": outcome, "right": self._right(outcome)}
            yield shared.model_copy(update=won)


def _in_words(choice: str | None, names: Mapping[str, str]) -> str | None:
    """Return the words of a choice; None for none of them, or for no choice."""
    return None if choice in (None, NONE) else names.get(str(choice), choice)
