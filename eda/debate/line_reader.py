"""How a line that a person types is read when it is posted.

What is read exactly counts at once, as moves of its message. Anything else is offered, and counts after a yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from eda.debate.state import DebateState
from eda.debate.verdict import as_stances, given_to
from eda.events import LineRead, MessagePosted
from eda.events.records import Move, MoveKind
from eda.memory import ConversationMemory
from eda.memory.minutes.remarks import RemarkAct, RemarkRead, read_remark
from eda.memory.patterns.conditions import read_condition

_CALL = re.compile(r"^@\S+\s*")
_KINDS: dict[str, MoveKind] = {
    "support": "support",
    "oppose": "oppose",
    "undecided": "neutral",
    "propose": "propose",
    "amend": "amend",
    "withdraw": "withdraw",
}
_SIDES = {"opposition": "my opposition to", "support": "my support for", "condition": "my condition on"}


def with_line(message: MessagePosted, state: DebateState, memory: ConversationMemory) -> MessagePosted:
    """Return a person's message with how it was read, and with the moves that it makes in plain words."""
    if message.moves or message.unclaimed:
        return message.model_copy(update={"line": LineRead("counted" if message.moves else "talk")})
    last = memory.parts.messages.line(message.number - 1) if message.number > 1 and not message.sealed else None
    before = {} if last is None else {"number": last.number, "who": last.who, "text": last.text}
    talk = _CALL.sub("", message.talk.strip())
    read = read_remark(talk, [*_table(memory)], message.who, before)
    moves = as_stances(as_moves(read, message.who, talk, memory), given_to(state))
    if read.exact and moves:
        return message.model_copy(update={"moves": moves, "line": LineRead("counted")})
    if moves and not message.sealed:  # nobody has read what a sealed one is about
        return message.model_copy(update={"line": LineRead("offered", moves, read.ask, read.ids)})
    return message.model_copy(update={"line": LineRead("asked" if read.ask else "talk", (), read.ask, read.ids)})


def _table(memory: ConversationMemory) -> Iterator[dict[str, Any]]:
    for motion in memory.motions:
        for text in motion.versions:
            if text.status in ("active", "accepted"):
                at = text.message or 0
                yield {"id": text.id, "by": text.proposer, "title": text.title, "text": text.content, "at": at}


def as_moves(read: RemarkRead, who: str, talk: str, memory: ConversationMemory) -> tuple[Move, ...]:
    """Return the moves that the acts of a line are; a denial is one where its author holds what it denies."""
    standing = {text.id: text.backers("oppose") for motion in memory.motions for text in motion.versions}
    backing = {text.id: text.backers("support") for motion in memory.motions for text in motion.versions}
    held = {"oppose": standing, "support": backing}
    acts = [act for act in read.acts if act.kind != "question"]
    acts = [act for act in acts if act.kind != "deny" or who in held[act.of].get(act.on or "", ())]
    return tuple(_move(act, acts, talk) for act in acts)


def _move(act: RemarkAct, acts: Sequence[RemarkAct], talk: str) -> Move:
    if act.kind in ("withdraw", "deny") and act.of != "text":
        side = "opposition" if act.of == "oppose" else act.of
        return Move("withdraw", target=f"{_SIDES[side]} {act.on}")
    alone = len(acts) == 1 and read_condition(talk, "support").conditional is False
    text = act.text or act.condition or (talk if alone and act.kind != "withdraw" else "")
    return Move(_KINDS[act.kind], text, act.on)
