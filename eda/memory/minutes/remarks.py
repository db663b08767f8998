"""`read_remark`: what a line that a person types does to the texts on the table, where it says so plainly.

A line is cut into sentences and parts. A part counts where every word of it has a role: it names a text, takes a
side, or says nothing about either. A line that takes a side in any other words is asked about. Nothing is guessed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from eda.events import TakenBack
from eda.memory.minutes.remark_words import Item, Part, ids_in, is_brief, parts_of, untitled
from eda.memory.patterns.conditions import ConditionRead, read_condition

RemarkKind = Literal["propose", "amend", "support", "oppose", "undecided", "deny", "withdraw"]
# Why a line is asked about: it may mean several texts, or none of them, or one that is open no more; withdraws
# another's text; is for a part only; may state a condition; takes a side in words that are not all read.
RemarkDoubt = Literal["", "which text", "no such text", "ended", "not its author", "part", "condition", "words"]
# Characters of a line that is read; a longer one is talk.
_MOST = 2000
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
    on: str | None = None  # The id of the text; None of a new one.
    condition: str = ""
    text: str = ""  # The words of a text that it puts.
    of: TakenBack = ""  # What a withdrawal takes back, or a denial denies.
    how: Literal["exact", "words"] = "exact"  # `words` where the text is named by words of it only, or by its place.


class RemarkRead(NamedTuple):
    """The acts of a line; where `ask` says why it is asked about, those that it may mean."""

    acts: tuple[RemarkAct, ...] = ()
    ask: RemarkDoubt = ""
    ids: tuple[str, ...] = ()  # The texts that could be meant; of a line without an act, those that it names.
    # The words beside its acts that take a side, put, take back or name a text, and are not read.
    left: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """True where it counts without asking the person."""
        return not self.ask and all(act.how == "exact" for act in self.acts)


class _Doubt(Exception):  # noqa: N818 - no error
    def __init__(self, why: RemarkDoubt, *, ids: Sequence[str] = (), acts: Sequence[RemarkAct] = ()) -> None:
        self.why, self.ids, self.acts = why, tuple(ids), tuple(acts)


def read_remark(
    raw: str,
    table: Iterable[Mapping[str, Any]],
    who: str,
    last: Mapping[str, Any],
    known: Iterable[str | None] = (),
) -> RemarkRead:
    """Return the acts of a line that `who` types, or why it must be asked what it means.

    Args:
        raw: The line.
        table: The open texts, each with `id`, `by`, `title`, `text`, and in `at` the message that put it. In `held`
            may stand who holds an `opposition`, a `support` or a `condition` to it, in `older` to what it replaced.
        who: Who types it.
        last: The message before it: its `number`, `who` and `text`.
        known: The texts that declared moves beside it are on.
    """
    if not raw.strip() or len(raw) > _MOST:
        return RemarkRead()
    line = _Line(raw, [*table], who, last)
    try:
        read = line.read()
    except _Doubt as doubt:
        before = [  # what is unclear behind a text leaves that
            act for act in line.acts if (doubt.acts or act.text) and act.on not in {each.on for each in doubt.acts}
        ]
        read = RemarkRead((*before, *doubt.acts), doubt.why, doubt.ids)
    on = {*known, *(act.on for act in read.acts)}
    left = line.left(on)
    return read._replace(
        left=tuple(raw[part.start : part.end] for part in left) * bool(on),
        ids=read.ids
        if on or read.ask
        else tuple(dict.fromkeys(key for part in left for item in part.items for key in item.ids)),
    )


class _Line:
    """Reads one line."""

    def __init__(self, raw: str, rows: Sequence[Mapping[str, Any]], who: str, last: Mapping[str, Any]) -> None:
        self.raw, self.who, self.acts = raw, who, list[RemarkAct]()
        self.rows = {str(row["id"]): row for row in rows}
        self.put = [
            key
            for key, row in self.rows.items()
            if (row.get("at"), row.get("by")) == (last.get("number"), last.get("who"))
        ]
        self.sentences = parts_of(raw, self.rows)
        # The parts that its acts are made of, and where the words are that it puts.
        self.used, self.words = list[Part](), range(0)
        # Whether a sentence ends in a question to all, such as "ok?".
        self.closed = False

    def read(self) -> RemarkRead:
        """Return what the line comes to."""
        behind = 0
        for at, parts in enumerate(self.sentences):
            if at >= behind and not (behind := self._puts(parts, at)):
                self._sentence(parts, [part for each in self.sentences[:at] for part in each])
        acts = tuple(dict.fromkeys(self.acts))
        sides = [act.on or "" for act in acts if act.kind in ("support", "oppose", "undecided")]
        if (twice := len({*sides}) < len(sides)) or (self.closed and acts):
            raise _Doubt("words", ids=sides * twice, acts=() if twice else acts)
        return RemarkRead(acts)

    def left(self, on: set[str | None]) -> list[Part]:
        """Return the parts that are not read and say more of a text than the acts, which are `on` some."""
        parts = (part for each in self.sentences if self.closed or not self._asks(each) for part in each)
        return [
            part
            for part in parts
            if part not in self.used and part.start not in self.words and part.says_more(self.raw, on)
        ]

    def _asks(self, parts: list[Part]) -> bool:
        return self.raw[parts[-1].end : parts[-1].end + 3].lstrip().startswith("?")

    def _puts(self, parts: list[Part], at: int) -> int:
        """Read a sentence that puts a text, or another version of one; return which is the first behind it, 0 of none.

        The text goes on up to a sentence that takes a side, or takes something back.
        """
        sides = (each[0].start for each in self.sentences[at + 1 :] if any(part.states for part in each))
        end = next(sides, len(self.raw))
        items = [item for part in parts for item in part.items if "plain" not in item.roles]
        opener = next((item for item in items if "propose" in item.roles), None)
        if opener and (opener is items[0] or ":" not in self.raw[opener.start : opener.end]):
            act = self._proposed(parts, opener, at, end, opens=opener is items[0])
        elif any("amend" in part.roles for part in parts):
            act = self._amended(parts, items, end)
        else:
            return 0
        behind = at + 1 + sum(each[0].start in self.words for each in self.sentences[at + 1 :])
        doubt = any(part.strong for each in self.sentences[at + 1 : behind] for part in each)
        self.acts = [replace(act, how="words") if doubt else act]
        return behind

    def _proposed(self, parts: list[Part], opener: Item, at: int, end: int, *, opens: bool) -> RemarkAct:
        """Return the proposal behind the words that open it, else before them: "Let us ask them. I propose that."."""
        line = self.raw[opener.end : end].partition("\n")[0]
        brief = is_brief(text := line.strip(" ,:-–—\t"))
        self.words = range(0 if brief else parts[0].start, opener.end + len(line))
        text = self.raw[: parts[0].start if at else opener.start].strip(" ,") if brief else text
        named = any(item.exact or part.stances for part in parts for item in part.texts)
        act = RemarkAct("propose", text=text, how="exact" if opens else "words")
        vague = self._asks(parts) or named or is_brief(text) or not (brief or opens)
        if vague or self.acts:
            raise _Doubt("words", acts=() if vague else (act,))
        return act

    def _amended(self, parts: list[Part], items: Sequence[Item], end: int) -> RemarkAct:
        """Return the other version of the one text that is named: behind "amend", or anywhere in the line."""
        opens = ["amend" in items[0].roles, *("text" in item.roles and item.exact for item in items[1:3])]
        exact = opens[:2] == [True, True] and opens[2:] != [True]
        self.words = range(end if exact else len(self.raw))
        ids = {*items[1].ids} if exact else {*ids_in(part for each in self.sentences for part in each)}
        if len(ids) != 1:
            raise _Doubt("which text", ids=sorted(ids))
        text = self.raw[items[1].end if exact else 0 : self.words.stop].strip(" :-–—\t\n")
        vague = not exact and any(part.roles & {"unreal", "not", "told"} for part in parts)
        if self._asks(parts) or vague or not text:
            raise _Doubt("words")
        return RemarkAct("amend", ids.pop(), text=text, how="exact" if exact else "words")

    def _sentence(self, parts: list[Part], before: list[Part]) -> None:
        """Read what one sentence says of texts."""
        if self._asks(parts):
            parts = self._before_question(parts)
        elif any(part.texts for part in parts):
            self.acts += self._on_terms(parts)
        (condition, begins), own = self._condition(parts), list[tuple[Part, list[RemarkAct]]]()
        for at, part in enumerate(parts):
            acts = self._acts_under(condition, part, [*before, *parts[:at]])
            if acts and acts[0].kind != "deny" and any("part" in each.roles for each in parts):
                raise _Doubt("part", acts=acts if len(acts) == 1 else ())
            self.acts += acts
            own += [(part, acts)] * bool(acts)
        if condition and own:
            self._set(condition, begins, own)
        if any(act.kind == "support" for act in self.acts) and any(
            "not" in part.roles for part in parts if not (part.stances or part.texts)
        ):
            raise _Doubt("part", acts=self.acts)

    def _set(self, condition: str, begins: int, own: Sequence[tuple[Part, list[RemarkAct]]]) -> None:
        """Set the condition of a sentence for the acts of the part before it, if it is clearly of no others."""
        part, acts = next((each for each in own[::-1] if each[0].start < begins), own[0])
        on = {act.on for act in acts}
        others = {act.kind for _, each in own for act in each if act.on not in on}
        # "no to o2, o1 only if it is cheap", "yes to o2, and o1 is fine if it is cheap"
        if others & {act.kind for act in acts} or len(part.stances) > 1 or (acts[1:] and acts[-1].kind == "oppose"):
            raise _Doubt("condition")
        self.acts = [replace(act, condition=condition) if act in acts else act for act in self.acts]

    def _on_terms(self, parts: list[Part]) -> list[RemarkAct]:
        """Return the support that may be meant by a text and a condition alone: "o2 if it is free"."""
        raw = untitled(self.raw, self.rows.values())[parts[0].start : parts[-1].end]
        read = read_condition(raw, "support")
        at = parts[0].start + raw.find(read.condition)
        head = [item for part in parts for item in part.items if item.start < at and "plain" not in item.roles]
        if not read.conditional or [[*item.roles & {"text"}] for item in head] != [["text"]]:
            return []
        self.used += parts
        return [RemarkAct("support", key, condition=read.condition, how="words") for key in head[0].ids[:1]]

    def _acts_under(self, condition: str, part: Part, before: list[Part]) -> list[RemarkAct]:
        """Return the acts of a part; of what it is asked about, the condition of its sentence is a part as well."""
        try:
            acts = self._acts_of(part, before)
        except _Doubt as doubt:
            doubt.acts = tuple(replace(act, condition=condition or act.condition) for act in doubt.acts)
            self.used += [part] * bool(doubt.acts and part.texts)
            raise
        self.used += [part] * bool(acts)
        return acts

    def _acts_of(self, part: Part, before: list[Part]) -> list[RemarkAct]:
        """Return the acts of a part; none of one that is quoted, asked, told of others, or a reason."""
        quoted = part.stances and self.raw[max(0, part.start - 1) : part.start] in {*'"“„«'}
        if quoted or part.asks or "told" in part.roles or ("because" in part.roles and not part.stances):
            return []
        acts = self._withdrawals(part) or self._stances(part, before)
        if acts and "unreal" in part.roles:
            raise _Doubt("words")
        return acts

    def _before_question(self, parts: list[Part]) -> list[Part]:
        """Return the parts of a sentence before those that ask; of one that a question to all closes, the others."""
        if "closes" in parts[-1].items[-1].roles:
            self.closed, parts[-1].items = True, parts[-1].items[:-1]
            parts[-1].sum_up()
            return [part for part in parts if part.items]
        at = next((at for at, part in enumerate(parts) if "asks" in part.roles), 0)
        named = not at and all(part.texts and not part.stances and part.plain for part in parts)
        return parts if named else parts[:at]  # "o3? I am not for it."

    def _condition(self, parts: list[Part]) -> tuple[str, int]:
        """Cut the clause of a condition out of a sentence and return it with its place; empty where it has none."""
        read, at = self._condition_read(parts) if any(part.stances for part in parts) else (ConditionRead(False), 0)
        if read.conditional is False:
            return "", 0
        if at < 0:
            raise _Doubt("condition")
        for part in parts:
            within = [item for item in part.items if at <= item.start < at + len(read.condition)]
            # "as long as it is capped, against p3.0" takes a side, too; "once p3.0 is paid" begins with its text
            later = any(item.exact and "text" in item.roles for item in within[4 * (part.start <= at) :])
            if within and (later or Part(within).states):
                raise _Doubt("condition")
            part.items = [item for item in part.items if item not in within]
            if part.items and "part" in part.items[-1].roles and part.items[-1].end <= at:
                part.items.pop()  # "only", before "if"
            part.sum_up()
        if not any(part.stances for part in parts):
            raise _Doubt("condition")
        return self.raw[at : at + len(read.condition)], at

    def _condition_read(self, parts: list[Part]) -> tuple[ConditionRead, int]:
        """Return the condition that a sentence or its last side states, and where; -1 where that is in doubt."""
        line = untitled(self.raw, self.rows.values())
        for start in (parts[0].start, *(part.start for part in reversed(parts) if part.stances)):
            read = read_condition(line[start : parts[-1].end], "support")
            if read.conditional is not False:
                break  # "no to o2, yes to o1 if it is cheap"
        at = line.find(read.condition, start) if read.conditional else -1
        told = [part for part in parts if part.start < at and part.texts]
        blurred = any(part.stances and not part.plain for part in told[:-1])  # "yes to the mil, o1 yes if it is cheap"
        return read, -1 if blurred or not all(part.stances for part in told[-1:]) else at  # "no to o2, o1 only if ..."

    def _withdrawals(self, part: Part) -> list[RemarkAct]:
        """Return what a part takes back: a text of one's own, or where one stands on a text."""
        of: TakenBack = next((taken for role, taken in _TAKES_BACK.items() if role in part.roles), "")
        met = of == "condition" and "met" in part.roles and "not" not in part.roles
        if "withdraw" not in part.roles and not met:
            return []  # "my condition: Ada signs" states one
        if of:
            return self._held(part, of)
        if "mine" in part.roles and not part.texts:
            return self._own(part)
        if part.stances or (part.texts and not part.plain):
            raise _Doubt("words")
        acts = [self._act("withdraw", "text", item) for item in part.texts]
        if any(self.rows[act.on or ""].get("by") != self.who for act in acts):
            raise _Doubt("not its author", ids=[act.on or "" for act in acts])
        return acts

    def _own(self, part: Part) -> list[RemarkAct]:
        """Return the withdrawal of the only text, or of both, that the author of the line has on the table."""
        own = [key for key, row in self.rows.items() if row.get("by") == self.who]
        if len(own) != (2 if "both" in part.roles else 1) or not part.plain:
            raise _Doubt("which text", ids=own)
        return [RemarkAct("withdraw", key, of="text") for key in own]

    def _held(self, part: Part, of: TakenBack) -> list[RemarkAct]:
        """Return what a part takes back of where its author stands: on the texts it names, else on the only one."""
        held = [
            key
            for key, row in self.rows.items()
            if any(self.who in row.get(by, {}).get(of, ()) for by in ("held", "older"))
        ]
        held = [
            key  # "My condition is met, so I support o1": of several it is the one on o1
            for key in held
            if any(
                (side, item.ids) == ("support", (key,))
                for parts in self.sentences
                for each in parts
                if each.stances
                for side, item in each.sides()
            )
        ] or held
        if not part.texts and not (part.plain and len(held) == 1):
            raise _Doubt("which text", ids=held)
        if part.stances or not part.plain:
            raise _Doubt("words")  # "I withdraw my opposition to o1 and support o2"
        return [self._act("withdraw", of, item) for item in part.texts] or [RemarkAct("withdraw", held[0], of=of)]

    def _stances(self, part: Part, before: list[Part]) -> list[RemarkAct]:
        """Return the sides that a part takes."""
        if not part.stances:
            return []
        if not part.texts:
            if any(each.texts for each in before) and not part.plain:
                raise _Doubt("part", acts=self.acts)
            if "ironic" in part.roles or ("unknown" in part.roles and not part.strong):
                return []
            if not part.plain:
                raise _Doubt("no such text")
            items = self._referred(part, before, strong=part.strong)
            if len({stance for stance, _ in part.stances}) > 1:
                raise _Doubt("words")
            return [self._act(*_ACTS[part.stances[0][0]], item) for item in items]
        acts = [self._act(*_ACTS[stance], item) for stance, item in part.sides()]
        if not part.plain or not acts:
            raise _Doubt("words", acts=() if "not" in part.roles or len(acts) > 1 else acts)
        return acts

    def _referred(self, part: Part, before: list[Part], *, strong: bool) -> list[Item]:
        """Return the texts that a part means which names none: those just named, or put right before the line."""
        named = [each for each in before if each.texts]
        if named:
            return self._named_before(part, named)
        both = "both" in part.roles
        others = before if strong else [each for parts in self.sentences for each in parts]
        plain = all(each.plain for each in others)
        texts = list(self.rows) if plain and both and len(self.rows) == 2 else self.put
        if plain and len(texts) == (2 if both else 1):
            return [Item(frozenset({"text"}), part.start, part.end, (key,), exact=False) for key in texts]
        if strong or (plain and (both or self.put)):
            raise _Doubt("which text", ids=texts)
        return []

    def _named_before(self, part: Part, named: list[Part]) -> list[Item]:
        """Return the texts just named that a part means; none where it says again what was said of them."""
        last = named[-1]
        both = "both" in part.roles or "both" in last.roles
        vague = both or "that" in part.roles
        if last.stances and not vague:
            return []  # "I support p2.0, yes."
        meant = named if both else [last]
        items = [item for each in meant for item in each.texts]
        if not (last.plain or vague) or len(items) != (2 if both else 1):
            raise _Doubt("which text", ids=ids_in(meant))
        return items

    def _act(self, kind: RemarkKind, of: TakenBack, item: Item) -> RemarkAct:
        if len(item.ids) != 1:
            raise _Doubt("which text" if item.ids else "no such text", ids=item.ids)
        return RemarkAct(kind, item.ids[0], of=of, how="exact" if item.exact else "words")
