"""Folds the log of a cell into rows. No call is made, and nothing that depends on the clock is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eda.debate.state import DebateState
from eda.debate.verdict import rule_of
from eda.events import BallotCast, CallMade, MessagePosted, StanceTaken
from eda.session import Session
from eda.study.rows import BallotRow, CallRow, CellRow, FactRow, MemberRow, MessageRow, Row, Status
from eda.study.votes import Answered, Votes

if TYPE_CHECKING:
    from eda.study.cells import Cell

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
        "stances": votes.stances(cell.id, answers),
        "messages": _messages(cell.id, state, messages),
        "ballots": [_ballot(cell.id, cast) for cast in (*state.first_ballots, *state.ballots)],
        "outcomes": votes.outcomes(cell.id),
        "calls": [_call(cell.id, call) for call in calls],
        "facts": _facts(cell, state, messages),
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
            "reason": state.ended or state.paused or "",
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
    words: Counter[str] = Counter()
    for message in messages:
        words[message.who] += len(message.talk.split())
    return [
        MemberRow(
            cell=cell.id, member=who, seat=seat, messages=said[who], words=words[who], facts=len(private.get(seat, ()))
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


def _ballot(cell: str, cast: BallotCast) -> BallotRow:
    ballot = cast.ballot
    same = ("choice", "ranking", "approved", "also", "blocked", "reason", "invalid")
    return BallotRow(
        cell=cell,
        member=ballot.agent,
        vote="first" if cast.first else "last",
        scores=dict(sorted(ballot.scores.items())),
        **{name: getattr(ballot, name) for name in same},
    )


def _call(cell: str, call: CallMade) -> CallRow:
    same = ("purpose", "nth", "model", "model_answered", "prompt_sha", "cost")
    tokens = ("input_tokens", "output_tokens", "cache_read_tokens")
    return CallRow(cell=cell, member=call.agent, **{name: getattr(call, name) for name in (*same, *tokens)})


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _facts(cell: Cell, state: DebateState, messages: Sequence[MessagePosted]) -> list[Row]:
    """Return the facts that only some seats were told: said where a message has their words, whatever the marks."""
    said = [(message.number, message.who, f" {_plain(message.text)} ") for message in messages]
    title = {seat: who for who, seat in state.seats.items()}
    rows: list[Row] = []
    for seat, facts in sorted(cell.task.facts.private.items()):
        for fact in facts:
            words = f" {_plain(fact)} "
            found = [(number, who) for number, who, text in said if words in text]
            own = next((number for number, who in found if who == title.get(seat)), None)
            heard = found[0][0] if found else None
            who = title.get(seat, "")
            rows.append(FactRow(cell=cell.id, member=who, seat=seat, fact=fact, said_at=own, heard_at=heard))
    return rows
