"""What a reply holds: its declared moves, in lines or as JSON beside its speech, and the talk, which alone others see.

Of JSON only what is said plainly is read: a kind of move, what it is about, its text. A part with anything else is no
move: `{"moves": [{"type": "support", "id": "p4.0"}]}`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple

from eda.events import JSON, Act, MessagePosted, Move, MoveKind, Unread, talk_of
from eda.memory.minutes.move_words import NEEDS_TEXT, STRUCK, TagReader, tag_reader
from eda.memory.minutes.remark_words import IDS
from eda.memory.minutes.reply_reader import FENCE, MOST_ACTS, NEXT, ReplyReader, Span
from eda.memory.minutes.state import State
from eda.memory.patterns import Language, default_language
from eda.runners.repair import pieces_of
from eda.text import bare, normalise, one_line, regex

_BEGINS = regex(r"[^\S\n]*(?:\{[^\S\n]*(?:[\"'}\n]|$)|\[[^\S\n]*(?:[\"'{\]\n]|$))")
_IDS = regex(r"(?:[\s:,#]+[a-z]\d+(?:\.\d+)?)*\s*", "I")
_written = json.JSONEncoder(ensure_ascii=False).encode
_TAG_WORD = regex(r"[^\W\d_]{3,}")
_TOLD, _WORDS = 20, 400  # Tags that made no move whose words their author is told, and characters of these.
TAGS = {"neutral": "UNDECIDED"}  # The tags of moves that are not called by their kind.
_STRING = regex(r'"(?:\\.|[^"\\])*"')


class ReplyWithData(ReplyReader):
    """Reads a reply as `ReplyReader` does, and the moves in JSON that stands by itself, in a fence or without.

    JSON is cut. Where a line makes the same kind of move on the same text, the line counts. Of what is not read
    `unknown_tags` tells.
    """

    _stated: tuple[Move, ...] = ()  # The moves in JSON.
    _data: list[tuple[str, int]] | None = None  # The lines so far of a block that may be JSON, with their offsets.
    _open = 0  # How many of its brackets are open.
    _fence = False  # Whether it is fenced.
    _inside = False  # Whether it has more than the fence and empty lines.

    def read(self, line: str, at: int) -> None:
        """Take in the next whole line, which begins at offset `at`."""
        fence, begins = FENCE.match(line) is not None, _BEGINS.match(line) is not None
        apart = not self._loose or any((self._wrapper, self.fenced, self._introduced in ("next", "block"), self._below))
        if not self._data and (apart or not (fence or begins)):
            super().read(line, at)
            return
        if not self._data:
            self._data, self._open, self._fence, self._inside = [], 0, fence, False
        elif fence and not self._fence:
            self._settle_data()
            self.read(line, at)
            return
        self._data.append((line, at))
        bare = "" if fence else _STRING.sub("", line)
        self._open += sum(map(bare.count, "{[")) - sum(map(bare.count, "}]"))
        says = bool(bare.strip())
        opens, self._inside = says and not self._inside, says or self._inside
        closed = fence and len(self._data) > 1 if self._fence else self._open <= 0 or not line.strip()
        if closed or (opens and not begins):
            self._settle_data()

    def close(self) -> None:
        """Decide what waits: the reply is complete."""
        self._settle_data()
        super().close()
        written = {(move.kind, move.target) for move in self.moves if not any(move is each for each in self._stated)}
        again = [move for move in self._stated if (move.kind, move.target) in written]
        self.moves = [move for move in self.moves if not any(move is each for each in again)]
        told = "\n".join(bare(move.text) for move in self.moves)
        left = (each for each in again if bare(each.text) not in told)
        self.unknown_tags += [f"{JSON} {each.kind} {each.target or ''}: {each.text}" for each in left]

    def certain(self, begun: str, known: int = 0) -> int:
        """Return how many characters of the next line, of which `begun` is written yet, are talk whatever comes."""
        return 0 if self._data or (not known and _BEGINS.match(begun)) else super().certain(begun, known)

    def _settle_wrapper(self, *, whole: bool) -> None:
        super()._settle_wrapper(whole=whole)
        self._settle_data()

    def _settle_data(self) -> None:
        """Take the moves of the lines that wait; lines that are no JSON are read as any other."""
        waiting, self._data = self._data or [], None
        text = "\n".join(line for line, _ in waiting if not FENCE.match(line)).strip()
        begin, end, value = next(pieces_of(text) if _BEGINS.match(text) else iter(()), (0, 0, None))
        if not value or (begin, end) != (0, len(text)):
            for line, at in waiting:
                super().read(line, at)
            return
        self._settle(complete=False)
        start = waiting[0][1]
        read = list(_moves_in(value, self.tags)) or [_written(value)]
        moves = [each for each in read if isinstance(each, Move)][: MOST_ACTS - len(self.moves)]
        left = (
            each if isinstance(each, str) else f"{each.kind} {each.target or ''}: {each.text}"
            for each in read
            if not any(each is move for move in moves)
        )
        own = self._introduced != "fence"  # else it may be of the member in whose name the line above is
        self._stated += tuple(moves) * own
        (self.moves if own else self.unclaimed).extend(moves)
        if self.moves and self.moves_at is None:
            self.moves_at = start
        self.unknown_tags += [f"{JSON} {each}" for each in left]
        self.cut.append((start, waiting[-1][1] + len(waiting[-1][0])))
        self._after, self._begun = "move", True


def _moves_in(value: Any, tags: TagReader) -> Iterator[Move | str]:
    """Yield the moves of a value, and each part that says none plainly as written; beside moves without braces."""
    if isinstance(value, list):
        for each in value:
            yield from _moves_in(each, tags)
    elif isinstance(value, Mapping):
        yield from _of_object({str(key).casefold(): each for key, each in value.items()}, tags)
    else:
        line = one_line(value) if isinstance(value, str) else ""
        tag = next(iter(tags.tags(line)), None)
        yield (
            tags.move(tag.kind, tag.inside, line[tag.end :]) if tag and tag.kind and not tag.start else None
        ) or _written(value)


def _kind(words: str, tags: TagReader) -> tuple[MoveKind | None, str]:
    """Return the kind of move that words name, with the ids after it; None where they say anything else."""
    kind, rest = tags.kind_of(words.strip(" []"))
    return (kind, rest.strip(" :")) if _IDS.fullmatch(rest) else (None, "")


def _key_of(key: str, value: Any, tags: TagReader) -> str:
    """Return a key, but `type` for one that names a move where its value does: {"stance": "oppose", "id": "p4.0"}."""
    return "type" if isinstance(value, str) and _kind(key, tags)[0] and _kind(value, tags)[0] else key


def _of_object(members: Mapping[str, Any], tags: TagReader) -> Iterator[Move | str]:
    """Yield the moves of `{"moves": [...]}`, `{"type": "support", "id": "p4.0"}` or `{"support": "p4.0"}`."""
    keys = tags.language
    said = {
        _key_of(key, each, tags): each
        for key, each in members.items()
        if each not in (None, "", [], {}) and key not in keys.json_figures
    }
    lists = [key for key in said if key in keys.json_lists]
    kinds = [key for key in said if _kind(key, tags)[0] and key not in keys.json_targets]
    if any(isinstance(said.get(key), str) for key in keys.json_kinds):
        yield _of_entry(said, tags) or _written(members)
    elif lists:
        for key in lists:
            yield from _moves_in(said.pop(key), tags)
        yield from [_written(said) if said.keys() & kinds else _written(said)[1:-1]] * bool(said)
    elif len(kinds) == 1 and isinstance(said[kinds[0]], str | list):
        value = said.pop(kinds[0])
        yield _of_entry(
            {"type": kinds[0], "target" if said or isinstance(value, list) else "text": value, **said}, tags
        ) or _written(members)
    else:
        yield _written(members)


def _of_entry(said: Mapping[str, Any], tags: TagReader) -> Move | None:
    """Return the move of an object that names its kind; None if it has a member that is none of a move."""
    keys = tags.language
    kinds, about, titles, texts, conditions = (
        {key: said[key] for key in of if key in said}
        for of in (keys.json_kinds, keys.json_targets, keys.json_titles, keys.json_texts, keys.json_conditions)
    )
    words = {**kinds, **titles, **texts, **conditions}
    ids = [each for value in about.values() for each in (value if isinstance(value, list) else [value])]
    plain = len(words) + len(about) == len(said) and all(isinstance(each, str) for each in (*ids, *words.values()))
    kind, inside = _kind(next(iter(kinds.values())), tags) if len(kinds) == 1 and plain else (None, "")
    if kind is None or len(about) + bool(inside) > 1 or len(titles) > (kind in ("propose", "amend")):
        return None
    why = [*map(one_line, texts.values())]
    clauses = [f"if {one_line(each).removeprefix('if ')}" for each in conditions.values()]
    text = ": ".join(clauses + why[:1]) if kind in NEEDS_TEXT else "; ".join(why + clauses)
    move = tags.move(kind, inside or ", ".join(map(one_line, ids)), text)
    return move and replace(move, title=next(map(one_line, titles.values()), move.title))


def _with_data(move: Move, tags: TagReader) -> Move:
    """Return a move with the reason and the condition behind it, if they are JSON, in words."""
    begin, end, value = next(pieces_of(move.text), (0, 0, None))
    if not isinstance(value, Mapping) or (begin, end) != (0, len(move.text)):
        return move
    said = {str(key).casefold(): each for key, each in value.items() if key not in tags.language.json_figures}
    return _of_entry({"type": move.kind, "target": move.target or "", **said}, tags) or move


class ReadReply(NamedTuple):
    """What a reply holds, under the names that `MessagePosted` has for it."""

    moves_at: int | None = None
    moves: tuple[Move, ...] = ()
    cut: tuple[Span, ...] = ()
    puppets: tuple[str, ...] = ()
    unknown_tags: tuple[str, ...] = ()
    unclaimed: tuple[Move, ...] = ()
    next: str = ""


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
    may_hold_data = any(FENCE.match(line) or _BEGINS.match(line) for line in text.split("\n"))
    reader = (ReplyWithData if may_hold_data else ReplyReader)(who, members, loose=loose, language=language)
    reader.read_all(text)
    titles = {
        bare(move.title) for move in reader.moves if move.title
    }  # "Proposal: Tar now" above [PROPOSE Tar now] ...
    reader.moves = [
        replace(each, text=reader.names.without_signature(each.text))
        for each in (_with_data(move, reader.tags) if move.text.startswith("{") else move for move in reader.moves)
        if each.kind != "propose" or bare(each.text) not in titles
    ]
    cut: list[Span] = []
    for start, end in reader.cut:
        cut.append((cut.pop()[0] if cut and not text[cut[-1][1] : start].strip() else start, end))
    return ReadReply(
        reader.moves_at if reader.moves else None,
        tuple(reader.moves),
        tuple(cut),
        tuple(reader.puppets),
        tuple(reader.unknown_tags),
        tuple(reader.unclaimed),
        reader.next,
    )


def unread_of(rows: Iterable[tuple[Mapping[str, Any], Sequence[Move]]], text: str, language: Language) -> list[str]:
    """Return the words of the rows of an answer, and the lines of its text, that have no move and are no courtesy."""
    talk = talk_of(text, read_reply(text, language=language).cut)
    return [
        *(
            " ".join(map(str, filter(None, map(row.get, ("does", "on", "words")))))
            for row, moves in rows
            if not moves and any(map(row.get, ("on", "words")))
        ),
        *(
            line
            for line in map(str.strip, talk.split("\n"))
            if " " in line and not (line.endswith(":") or language.is_courtesy(line))  # a word alone declares nothing
        ),
    ]


def misread(message: MessagePosted, state: State | None) -> list[Act]:
    """Return the tags that made no move; of what stands beside moves in JSON only what names a text."""
    tags = [tag for tag in message.unknown_tags if not default_language().idle_tags.match(tag)]
    known = state.proposals.values() if state and any(tag.startswith(f'{JSON} "') for tag in tags) else ()
    talk = message.talk.splitlines() if tags else ()
    buried = {tag for line in talk for tag in tag_reader(default_language()).buried(STRUCK.sub("", line))}
    behind = _behind(tags, normalise(message.text) if tags else "")
    return [
        act_of_tag(tag, len(message.moves), words, buried=tag in buried)
        for tag, words in zip_longest(tags, behind, fillvalue="")
        if not tag.startswith(f'{JSON} "')
        or IDS.search(tag.lower())
        or any(bare(text) in bare(tag) for each in known for text in (each.title, each.text) if text)
    ]


def _behind(tags: Sequence[str], plain: str) -> Iterator[str]:
    """Yield what stands behind each of the first tags in a message, up to a length."""
    end = 0
    for tag in tags[:_TOLD]:
        begin = plain.find(tag, end)
        end = begin + len(tag) if begin >= 0 else end
        yield plain[end : end + _WORDS] * (begin >= 0)


def act_of_tag(tag: str, moves: int, behind: str = "", *, buried: bool = False, answer: bool = False) -> Act:
    """Return what is told of a tag, or a line of an answer, that made no move, beside so many that did.

    The words `behind` a tag are its own; of one that puts a text so is the line below where it has none.
    """
    if tag.startswith(JSON):
        return Act("json", text=tag.removeprefix(JSON).strip(), counted=False)
    reader = tag_reader(default_language())
    slip = next(map(reader.slip, _TAG_WORD.findall(tag)[:1]), None)
    kind = reader.kind_of(tag.strip(" []*_`(){}<>:"))[0]
    if "[" in tag and "]" not in tag:
        why = Unread("cut off")
    elif named := NEXT.fullmatch(tag.strip()):
        why = Unread("no such member", named["name"].strip())
    elif kind is None and not buried:
        why = Unread("no such tag", ids=(TAGS.get(slip, slip.upper()),) if slip else ())
    elif buried or (answer and moves < MOST_ACTS) or not tag.startswith(("[", "*", "{", "<", "(")):
        why = Unread("no tag")
    else:
        why = Unread("too many" if moves >= MOST_ACTS else "empty" if kind in NEEDS_TEXT else "said otherwise")
    line, _, below = behind.partition("\n")
    own = line.strip(" *_`~:") or below.lstrip().partition("\n")[0] * ((slip or kind) in NEEDS_TEXT)
    return Act(
        "tag", text=tag, why=own * (own[:1] != "[" and why.kind != "no tag"), counted=False, unread_because=(why,)
    )
