"""Polls along the way, which nothing in the debate depends on: when they are taken, and how beliefs are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from eda.debate.asking import Checked
from eda.debate.state import DebateState
from eda.events import BallotText
from eda.runners.answers import Belief, BeliefsAnswer
from eda.runners.protocol import Reply
from eda.runners.repair import fields_of
from eda.words import ENGLISH

_WHOLE = (1.0, 100.0)
"""What probabilities add up to, as such or in per cent."""
_OFF = 0.05
"""The share by which a sum may miss that before who gave it is asked once more."""


def due(state: DebateState) -> list[str]:
    """Return whom the setting `poll` has asked now: all voters, those whom a pause left out, or nobody.

    It is due before the first message, after each `every` messages, and before a vote that messages came before. Nobody
    is asked in the middle of a turn, or before sealed messages are heard.
    """
    poll = state.settings.poll
    if poll is None or state.at is None or state.grant is not None or state.heard < state.messages:
        return []
    since = state.messages - state.surveyed_at
    if state.surveys and not since:
        asked = {stance.who for stance in state.surveys[max(state.surveys)]}
        return [who for who in state.voters if who not in asked]
    every = len(state.voters) if poll.every == "round" else poll.every
    over = not state.does.speaks
    return state.voters if not state.surveys or since >= every or over else []


def read_beliefs(reply: Reply, shown: Sequence[BallotText]) -> Checked:
    """Return the beliefs in a reply about `shown` as fields of a `StanceTaken`, and what is wrong with them.

    They are scaled to add up to 1. A choice that is not named has the probability 0. The most probable one is the
    `choice`; None where two are equally probable.
    """
    given = reply.data if reply.data and "beliefs" in reply.data else fields_of(BeliefsAnswer, reply)[0]
    rows, fault = _rows((given or {}).get("beliefs"))
    names = {name.strip().casefold(): each.text for each in shown for name in (each.id, each.text)}
    found: dict[str, float] = {}
    for row in rows:
        text = names.get(row.choice.strip().casefold())
        if text is None or text in found:
            fault = fault or f"{row.choice[:80]!r} is {'no choice' if text is None else 'there twice'}"
        else:
            found[text] = row.probability
    total = sum(found.values())
    if fault or not total:
        return None, fault or "the answer gives no choice a probability"
    beliefs = {each.text: round(found.get(each.text, 0.0) / total, 6) for each in shown}
    best = [text for text, belief in beliefs.items() if belief == max(beliefs.values())]
    whole = any(abs(total - each) <= _OFF * each for each in _WHOLE)
    wrong = "" if whole else ENGLISH.say("prompt-odds-total", total=f"{total:g}")
    return {"choice": best[0] if len(best) == 1 else None, "confidence": beliefs[best[0]], "beliefs": beliefs}, wrong


def _rows(given: Any) -> tuple[list[Belief], str]:
    """Return the probabilities of an answer: a list of them, or an object; and what is wrong with one."""
    listed = [{"choice": k, "probability": v} for k, v in given.items()] if isinstance(given, Mapping) else given
    rows = []
    for row in listed if isinstance(listed, list | tuple) else ():
        try:
            rows.append(Belief.model_validate(row))
        except ValidationError:
            return [], ENGLISH.say("prompt-odds-row", row=str(row)[:80])
    return rows, ""
