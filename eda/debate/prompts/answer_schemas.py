"""Strict schemas of ballots, polls and bids: what can be answered is enumerated, and no two fields say the same thing.

Every field is required and none may stand beside them, as strict servers want it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from eda.debate.prompts.ballot_prompt import asks_also
from eda.events import NONE, BallotText
from eda.events.votes import AnswerKind
from eda.runners.answers import DeclaredAct, StatedAct
from eda.voting.rules import Counts

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_SHARE: Schema = {"type": "number"}
_SCORE: Schema = {"type": "integer", "enum": [*range(11)]}
_MAYBE: Schema = {"anyOf": [_TEXT, {"type": "null"}]}


def ballot_schema(texts: Sequence[BallotText], counts: Counts, *, first: bool, answer: AnswerKind) -> Schema:
    """Return the schema of a ballot: the ids that the voter accepts, best first, or `none`, or `abstain`."""
    one = _one_of(text.id for text in texts)
    ids, also = _list_of(one), asks_also(texts, first=first, answer=answer)
    return _object(
        ranking={"anyOf": [{**ids, "minItems": 1}, _one_of((NONE, "abstain"))]},
        **({"also": ids} if also else {}),
        **({"blocked": ids} if counts == "blocks" else {}),
        **({"scores": _object(**{text.id: _SCORE for text in texts})} if counts == "scores" else {}),
        **({} if first else {"moved_by": _MAYBE}),
        confidence=_SHARE,
        reason=_TEXT,
    )


def poll_schema(texts: Sequence[BallotText], *, moved: bool) -> Schema:
    """Return the schema of an answer to a poll: one id, or null."""
    choice = {"anyOf": [_one_of(text.id for text in texts), {"type": "null"}]}
    more = {"moved_by": _MAYBE} if moved else {}
    return _object(choice=choice, **more, confidence=_SHARE, change_mind=_TEXT)


def bids_schema(titles: Sequence[str] = ()) -> Schema:
    """Return the schema of a member's bid; with `titles`, of the bids of these members."""
    fields = {"wants": {"type": "boolean"}, "urgency": _SHARE, "reason": _TEXT}
    return _object(bids=_list_of(_object(agent=_one_of(titles), **fields))) if titles else _object(**fields)


def line_schema(ids: Iterable[str]) -> Schema:
    """Return the schema of what a line of a person states."""
    does = _one_of(get_args(StatedAct.model_fields["does"].annotation))
    on = {"anyOf": [_one_of(ids), {"type": "null"}]}
    return _object(acts=_list_of(_object(does=does, on=on, words=_TEXT)))


def declared_schema(ids: Sequence[str]) -> Schema:
    """Return the schema of what a member declares when it is asked."""
    does = _one_of(get_args(DeclaredAct.model_fields["does"].annotation))
    on = {"anyOf": [*([_one_of(ids)] if ids else []), {"type": "null"}]}
    return _object(acts=_list_of(_object(does=does, on=on, words=_TEXT)))


def _one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*words]}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}
