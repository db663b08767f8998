"""What a reply holds: its declared moves, its lines in another's name, and the talk, which alone the others see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from eda.events.records import Move
from eda.memory.minutes.json_moves import ReplyWithData
from eda.memory.minutes.reply_reader import Span
from eda.memory.patterns import Language
from eda.text import normalise


class ReadReply(NamedTuple):
    """What a reply holds, under the names that `MessagePosted` has for it."""

    moves_at: int | None = None
    moves: tuple[Move, ...] = ()
    cut: tuple[Span, ...] = ()
    puppets: tuple[str, ...] = ()
    unknown_tags: tuple[str, ...] = ()
    unclaimed: tuple[Move, ...] = ()


def read_reply(
    text: str,
    who: str = "",
    members: Mapping[str, str] | None = None,
    *,
    loose: bool = True,
    language: Language | None = None,
) -> ReadReply:
    """Return what the reply of `who` holds.

    Args:
        text: The whole reply.
        who: The speaker.
        members: The roles, by title, of those in whose names a reply may have lines; None or empty to look for none.
        loose: Whether tags count in any common dress; else only `[PROPOSE]` and its like, as among people who do not
            know these tags and write "PROPOSAL: ..." as a heading.
        language: In whose words moves are made; the default where None.
    """
    if not (loose or members) and "[" not in normalise(text) and "`" not in text and "~" not in text:
        return ReadReply()
    reader = ReplyWithData(who, members, loose=loose, language=language)
    at = 0
    for line in text.split("\n"):
        reader.read(line.rstrip("\r"), at)
        at += len(line) + 1
    reader.close()
    cut: list[Span] = []
    for start, end in reader.cut:
        if cut and not text[cut[-1][1] : start].strip():
            cut[-1] = (cut[-1][0], end)
        else:
            cut.append((start, end))
    moves_at = reader.moves_at if reader.moves else None
    return ReadReply(
        moves_at,
        tuple(reader.moves),
        tuple(cut),
        tuple(reader.puppets),
        tuple(reader.unknown_tags),
        tuple(reader.unclaimed),
    )
