"""`read_remark`: what a line that a person types does to the texts on the table, where it says so plainly.

A line is cut into sentences and parts. A part counts where every word of it has a role: it names a text, takes a
side, or says nothing about either. A line that takes a side in any other words is asked about. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from eda.memory.minutes.remark_words import Item, Part, is_brief, parts_of
from eda.memory.patterns.conditions import read_condition

RemarkKind = Literal["propose", "amend", "support", "oppose", "undecided", "deny", "withdraw"]
TakenBack = Literal["", "text", "support", "opposition", "condition"]
RemarkDoubt = Literal["", "which text", "no such text", "not its author", "part", "condition", "words"]
"""Why a line is asked about: it may mean several texts, or none of them; withdraws another's text; is for a part only;
may state a condition; takes a side in words that are not all read."""
_MOST = 2000
"""Characters of a line that is read; a longer one is talk."""
_ACTS: Mapping[str, tuple[RemarkKind, TakenBack]] = {
    "support": ("support", ""),
    "yes": ("support", ""),
    "oppose": ("oppose", ""),
    "no": ("oppose", ""),
    "undecided": ("undecided", ""),
    "deny_oppose": ("deny", "opposition"),
    "deny_support": ("deny", "support"),
}
_TAKES_BACK: Mapping[str, TakenBack] = {
    "of_opposition": "opposition",
    "of_support": "support",
    "of_condition": "condition",
}


@dataclass(frozen=True, slots=True)
class RemarkAct:
    """One act of a line: what it does to a text."""

    kind: RemarkKind
    on: str | None = None
    """The id of the text; None of a new one."""
    condition: str = ""
    text: str = ""
    """The words of a text that it puts."""
    of: TakenBack = ""
    """What a withdrawal takes back, or a denial denies."""
    how: Literal["exact", "words"] = "exact"
    """`words` where the text is named by words of it only, or by its place."""


class RemarkRead(NamedTuple):
    """The acts of a line; where `ask` says why it is asked about, those that it may mean."""

    acts: tuple[RemarkAct, ...] = ()
    ask: RemarkDoubt = ""
    ids: tuple[str, ...] = ()
    """The texts that could be meant."""

    @property
    def exact(self) -> bool:
        """True where it counts without asking the person."""
        return not self.ask and all(act.how == "exact" for act in self.acts)


class _Doubt(Exception):  # noqa: N818 - no error
    def __init__(self, why: RemarkDoubt, *, ids: Sequence[str] = (), acts: Sequence[RemarkAct] = ()) -> None:
        super().__init__(why)
        self.why, self.ids, self.acts = why, tuple(ids), tuple(acts)


def read_remark(raw: str, table: Iterable[Mapping[str, Any]], who: str, last: Mapping[str, Any]) -> RemarkRead:
    """Return the acts of a line that `who` types, or why it must be asked what it means.

    Args:
        raw: The line.
        table: The open texts, each with `id`, `by`, `title`, `text`, and in `at` the message that put it. In `held`
            may stand who holds an `opposition`, a `support` or a `condition` to it.
        who: Who types it.
        last: The message before it: its `number`, `who` and `text`.
    """
    rows = [dict(row) for row in table]
    if not raw.strip() or len(raw) > _MOST:
        return RemarkRead()
    try:
        return _Line(raw, rows, who, last).read()
    except _Doubt as doubt:
        return RemarkRead(doubt.acts, doubt.why, doubt.ids)


class _Line:
    """Reads one line."""

    def __init__(self, raw: str, rows: Sequence[Mapping[str, Any]], who: str, last: Mapping[str, Any]) -> None:
        self.raw, self.who = raw, who
        self.rows = {str(row["id"]): row for row in rows}
        number = last.get("number")
        self.put = [
            key for key, row in self.rows.items() if row.get("at") == number and row.get("by") == last.get("who")
        ]
        self.acts: list[RemarkAct] = []
        self.sentences = parts_of(raw, self.rows)

    def read(self) -> RemarkRead:
        """Return what the line comes to."""
        for at, parts in enumerate(self.sentences):
            if self._puts(parts, at):
                return RemarkRead(tuple(self.acts))
            self._sentence(parts, [part for each in self.sentences[:at] for part in each])
        acts = tuple(dict.fromkeys(self.acts))
        sides = [act for act in acts if act.kind in ("support", "oppose", "undecided")]
        if len({act.on for act in sides}) < len(sides):
            raise _Doubt("words", ids=[act.on or "" for act in sides])
        free = [part for sentence in self.sentences if not self._asks(sentence) for part in sentence]
        named = [key for part in free for item in part.texts for key in item.ids] if not acts else []
        return RemarkRead(acts, ids=tuple(dict.fromkeys(named)))

    def _asks(self, parts: list[Part]) -> bool:
        return self.raw[parts[-1].end : parts[-1].end + 3].lstrip().startswith("?")

    def _puts(self, parts: list[Part], at: int) -> bool:
        """Read a sentence that puts a text, or another version of one; the rest of the line is its words."""
        roles = frozenset[str]().union(*(part.roles for part in parts))
        items = [item for part in parts for item in part.items if "plain" not in item.roles]
        opener = next((item for item in items if "propose" in item.roles), None)
        if opener and (opener is items[0] or ":" not in self.raw[opener.start : opener.end]):
            text = self.raw[opener.end :].partition("\n")[0].strip(" :-–—\t")
            brief = is_brief(text)  # "Let us ask them. I propose that."
            text = self.raw[: parts[0].start if at else opener.start].strip(" ,") if brief else text
            named = [item for part in parts for item in part.texts if item.exact]
            if self._asks(parts) or self.acts or named or is_brief(text) or not (brief or opener is items[0]):
                raise _Doubt("words")
            self.acts = [RemarkAct("propose", text=text, how="exact" if opener is items[0] else "words")]
            return True
        if "amend" in roles:
            opens = ["amend" in items[0].roles, *("text" in item.roles and item.exact for item in items[1:3])]
            exact = opens[:2] == [True, True] and opens[2:] != [True]
            named = [items[1]] if exact else [item for each in self.sentences for part in each for item in part.texts]
            ids = {key for item in named for key in item.ids}
            if len(ids) != 1:
                raise _Doubt("which text", ids=sorted(ids))
            text = self.raw[items[1].end if exact else 0 :].strip(" :-–—\t\n")
            if self._asks(parts) or (not exact and roles & {"unreal", "not", "told"}) or not text:
                raise _Doubt("words")
            self.acts = [RemarkAct("amend", ids.pop(), text=text, how="exact" if exact else "words")]
            return True
        return False

    def _sentence(self, parts: list[Part], before: list[Part]) -> None:
        """Read what one sentence says of texts."""
        if self._asks(parts):
            parts = self._before_question(parts)
        condition = self._condition(parts)
        done: list[Part] = []
        for part in parts:
            quoted = self.raw[max(0, part.start - 1) : part.start] in {*'"“„«'} and part.stances
            if quoted or part.asks or "told" in part.roles or ("because" in part.roles and not part.stances):
                done.append(part)
                continue
            acts = self._withdrawals(part) or self._stances(part, [*before, *done])
            done.append(part)
            if not acts:
                continue
            if "unreal" in part.roles:
                raise _Doubt("words")
            if any("part" in each.roles for each in parts) and acts[0].kind != "deny":
                raise _Doubt("part", acts=acts if len(acts) == 1 else ())
            self.acts += acts
        if not self.acts:
            return
        if condition is not None and parts:
            last = self.acts[-1]
            group = [act for act in self.acts if act.kind == last.kind]
            self.acts = [replace(act, condition=condition) if act in group else act for act in self.acts]
        supports = any(act.kind == "support" for act in self.acts)
        free = [part for part in parts if not part.stances and not part.texts]
        if supports and any("not" in part.roles for part in free):
            raise _Doubt("part", acts=self.acts)

    def _before_question(self, parts: list[Part]) -> list[Part]:
        """Return the parts of a sentence before those that ask."""
        at = next((at for at, part in enumerate(parts) if "asks" in part.roles), 0)
        if not at and all(part.texts and not part.stances and part.plain for part in parts):
            return parts  # "o3? I am not for it."
        return parts[:at]

    def _condition(self, parts: list[Part]) -> str | None:
        """Cut the clause of a condition out of a sentence and return it; None where it has none."""
        if not parts or not any(part.stances for part in parts):
            return None
        start, end = parts[0].start, parts[-1].end
        read = read_condition(self.raw[start:end], "support")
        if read.conditional is False:
            return None
        at = self.raw.find(read.condition, start) if read.conditional else -1
        if at < 0:
            raise _Doubt("condition")
        for part in parts:
            part.items = [item for item in part.items if not at <= item.start < at + len(read.condition)]
            if part.items and "part" in part.items[-1].roles and part.items[-1].end <= at:
                part.items.pop()  # "only", before "if"
            part.sum_up()
        if not any(part.stances for part in parts):
            raise _Doubt("condition")
        return read.condition

    def _withdrawals(self, part: Part) -> list[RemarkAct]:
        """Return what a part takes back: a text of one's own, or where one stands on a text."""
        of: TakenBack = next((taken for role, taken in _TAKES_BACK.items() if role in part.roles), "")
        if "withdraw" not in part.roles and of != "condition":
            return []
        if of:
            return self._held(part, of)
        if "mine" in part.roles and not part.texts:
            own = [key for key, row in self.rows.items() if row.get("by") == self.who]
            if len(own) != (2 if "both" in part.roles else 1) or not part.plain:
                raise _Doubt("which text", ids=own)
            return [RemarkAct("withdraw", key, of="text") for key in own]
        if not part.texts:
            return []
        if not part.plain:
            raise _Doubt("words")
        acts = [self._act("withdraw", "text", item) for item in part.texts]
        if any(self.rows[act.on or ""].get("by") != self.who for act in acts):
            raise _Doubt("not its author", ids=[act.on or "" for act in acts])
        return acts

    def _held(self, part: Part, of: TakenBack) -> list[RemarkAct]:
        """Return what a part takes back of where its author stands: on the texts it names, else on the only one."""
        held = [key for key, row in self.rows.items() if self.who in row.get("held", {}).get(of, ())]
        if not part.texts and not (part.plain and len(held) == 1):
            raise _Doubt("which text", ids=held)
        if not part.plain:
            raise _Doubt("words")
        return [self._act("withdraw", of, item) for item in part.texts] or [RemarkAct("withdraw", held[0], of=of)]

    def _stances(self, part: Part, before: list[Part]) -> list[RemarkAct]:
        """Return the sides that a part takes."""
        if not part.stances:
            return []
        strong = any(stance not in ("yes", "no") for stance, _ in part.stances)
        if not part.texts:
            if any(each.texts for each in before) and not part.plain:
                raise _Doubt("part", acts=self.acts)
            if "ironic" in part.roles or ("unknown" in part.roles and not strong):
                return []
            if not part.plain:
                raise _Doubt("no such text")
            items = self._referred(part, before, strong=strong)
            if len({stance for stance, _ in part.stances}) > 1:
                raise _Doubt("words")
            return [self._act(*_ACTS[part.stances[0][0]], item) for item in items]
        acts = [self._act(*_ACTS[stance], item) for stance, item in part.sides()]
        if not part.plain or not acts:
            raise _Doubt("words", acts=() if "not" in part.roles else acts)
        return acts

    def _referred(self, part: Part, before: list[Part], *, strong: bool) -> list[Item]:
        """Return the texts that a part means which names none: those just named, or put right before the line."""
        named = [each for each in before if each.texts]
        both = "both" in part.roles or ("both" in named[-1].roles if named else False)
        if named:
            vague, last = "that" in part.roles or both, named[-1]
            if last.stances and not vague:
                return []  # "I support p2.0, yes."
            items = [item for each in named for item in each.texts] if both else last.texts
            if (not last.plain and not vague) or (len(items) != 2 if both else len(items) != 1):
                raise _Doubt("which text", ids=[key for item in items for key in item.ids])
            return items
        others = before if strong else [each for parts in self.sentences for each in parts]
        if not all(each.plain for each in others):
            if strong:
                raise _Doubt("which text", ids=self.put)
            return []
        texts = list(self.rows) if both and len(self.rows) == 2 else self.put
        if len(texts) != (2 if both else 1):
            if strong or both or self.put:
                raise _Doubt("which text", ids=texts)
            return []
        return [Item(frozenset({"text"}), part.start, part.end, (key,), exact=False) for key in texts]

    def _act(self, kind: RemarkKind, of: TakenBack, item: Item) -> RemarkAct:
        if len(item.ids) != 1:
            raise _Doubt("which text" if item.ids else "no such text", ids=item.ids)
        return RemarkAct(kind, item.ids[0], of=of, how="exact" if item.exact else "words")
