"""Reads a reply line by line: its moves, its lines in another's name, and the talk, which alone the others see.

A move line begins with a tag, `[SUPPORT p12.0] because ...`, in any common dress (`move_words`). It may stand anywhere
in a reply. Its text may go on below it: after a tag alone, as a list after a colon, after a long line that breaks
within a sentence. Moves are not the speaker's own below a line that introduces others' words, and in a quotation or
fenced code; but a fence of nothing but moves and claims is decoration, and so are a fence around the whole reply but
for courtesies, and a quotation that ends a reply and holds all its moves and nothing else.
"""

from collections.abc import Mapping
from typing import Literal

from eda.events import TITLE, Move
from eda.memory.minutes.move_words import LONGEST_FRAME, NEEDS_TEXT, Draft, Tag, tag_reader
from eda.memory.minutes.names import name_lines
from eda.memory.patterns import Language, default_language
from eda.text import normalise, regex

MOST_ACTS = 8  # Moves of one reply; further ones stay in the talk, and their tags count as unknown.

Span = tuple[int, int]

FENCE = regex(r"\s*(?:```|~~~)\w*\s*$")
_QUOTE = regex(r"\s*(?:>\s*)+")
_RULE = regex(r"[\s*_~=-]+$")
_ITEM = regex(r"\s*(?:[-*•+–]|\d{1,2}[.)]|[a-z][.)])\s+")
_CLOSERS = 9  # Characters of what may end a sentence; a move may begin behind it, in a line that is being written.
_UNDECIDED = regex(rf"[.!?。][)\"']{{0,{_CLOSERS - 1}}}(?P<tail>[\s*_`]*(?:\[+[^\[\]]{{0,64}})?)$")
NEXT = regex(  # what ends a speech, but for a courtesy: `[NEXT Ben]`
    r"(?i)[\s*_`]{0,9}[\[(<{]{1,3}[\s*_`]{0,9}(?:next|nächste[rs]?)\b[\s*_`:=-]{0,9}(?P<name>[^\[\](){}<>\n]{1,80})"
    r"[\])>}]{1,3}[\s*_`.]{0,9}"
)
_WRAPPED = 50  # A line of at least so many characters that ends within a sentence was broken to fit a page.
_REASON = 300  # Most characters of a line below a tag that are its reason.
_BOLD = "*_`~ \t"
# What a line follows: talk, a whole move, or one that it continues: its text, what a title may be of, its reason ...
After = Literal["talk", "move", "text", "titled", "reason", "list", "wrapped"]


class ReplyReader:
    """Reads a reply line by line, and decides for each line whether it is talk. Some wait for what follows them."""

    def __init__(
        self,
        who: str = "",
        members: Mapping[str, str] | None = None,
        *,
        loose: bool = True,
        language: Language | None = None,
    ) -> None:
        self.talk: list[Span] = []  # What the others see, in order, as far as it is decided.
        self.cut: list[Span] = []
        self.moves: list[Move] = []
        self.moves_at: int | None = None
        self.puppets: dict[str, None] = {}
        self.next = ""  # Whom the speaker names to speak next.
        self.unknown_tags: list[str] = []
        self.unclaimed: list[Move] = []  # Moves below a line in another's name, or in a fence that is no decoration.
        self._loose, self._language = loose, language or default_language()
        self.tags = tag_reader(self._language)
        self.names = name_lines(who, tuple((members or {}).items()), self._language)
        self._may_sign = True  # Whether a line may be a signature.
        self._after: After = "talk"
        self._draft: Draft | None = None
        self._begun = self._split = False  # Whether a line that is not empty was read; whether the last one broke off.
        self._marks: list[Span] = []  # Rules, a heading, words before a signature: cut if a move or that follows.
        self._introduced: Literal["", "next", "block", "fence"] = ""  # How the line before begins others' words.
        self._quoted = False  # Whether the line before is a quotation of others.
        # Lines of a quotation or fence that may be decoration: text, offset, where its words begin (None: a fence).
        self._apart: list[tuple[str, int, int | None]] = []
        self.fenced = False
        self._wrapper: list[tuple[str, int]] | None = [] if loose else None  # Of a fence that may be the whole reply.
        self._wrapper_ends: int | None = None  # Where the line begins that closes it.
        self._below: ReplyReader | None = None  # Reads what goes on below a line in another's name; None elsewhere.

    def read(self, line: str, at: int) -> None:
        """Take in the next whole line, which begins at offset `at`."""
        if self._wrapper is not None and self._wraps(line, at):
            return
        if self.fenced:
            self._read_fenced(line, at)
        elif not line.strip() and not (self._below and self._below.fenced):
            self._quoted = False
            self._leave_puppet()
            self._introduced = "" if self._introduced == "block" else self._introduced
            self._after = self._after if self._after in ("talk", "text", "list") else "move"
        elif self._below and not self.names.read(line, first=False, makes_moves=self._makes_moves):
            self._below.read(line, at)
            self.cut.append((at, at + len(line)))
        elif FENCE.match(line):
            self._settle_apart(own=False)
            self.fenced = True
            self._set_apart(line, at, None)
        elif quote := _QUOTE.match(line):
            self._set_apart(line, at, quote.end())
        else:
            self._settle_apart(own=False)
            self._quoted = False
            self._read_named(line, at)
        self.next = (self.names.member(NEXT.search(line)) if self._below else "") or self.next
        self._begun = self._begun or bool(line.strip())
        self._split = self._after in ("talk", "wrapped") and line.rstrip(f"{_BOLD},-–")[-1:].isalnum()

    def read_all(self, text: str) -> None:
        """Read a whole reply."""
        at, self._may_sign = 0, self.names.may_sign(text)
        for line in text.split("\n"):
            self.read(line.rstrip("\r"), at)
            at += len(line) + 1
        self.close()

    def close(self) -> None:
        """Decide what waits: the reply is complete."""
        self._settle_wrapper(whole=True)
        self._leave_puppet()
        draft = self._draft
        move = self.tags.move(draft.kind, draft.inside, draft.text) if draft and "]" not in draft.written else None
        if draft and move and not move.text and draft.written[:1] == "[":  # a condition may have stood behind it
            self.unknown_tags.append(draft.written)
            self._draft = None
        self._settle(complete=True)

    def certain(self, begun: str, known: int = 0) -> int:
        """Return how many characters of the next line, of which only `begun` is written yet, are talk whatever comes.

        `known` of them are known to be: then what waited for this line is decided. A short one is once it is whole.
        """
        if not known and (len(begun) < LONGEST_FRAME or self._may_be_cut(begun)):
            return 0
        self._settle(complete=False)
        self._after = "talk"
        first = self.tags.tag_after(begun, known)
        undecided = _UNDECIDED.search(normalise(begun), max(0, known - _CLOSERS))
        return max(known, first if first is not None else undecided.start("tail") if undecided else len(begun))

    def _may_be_cut(self, begun: str) -> bool:
        """True if a line that has begun so may be a move, a line in another's name, or decoration."""
        if self._below or self._wrapper or self.fenced:
            return bool(self._below or self._wrapper or self._apart)
        name = self.names.read(begun, first=not self._begun, makes_moves=self._makes_moves)
        named = name is not None and (name.name != self.names.who or bool(self.puppets))
        tags = self.tags.tags(begun, loose=self._loose)
        opens = begun.lstrip().startswith(">") or named or (bool(tags) and not tags[0].start)
        return opens or self._after == "titled" or self._goes_on(begun, _ITEM.match(begun) is not None)

    def _settle(self, *, complete: bool) -> None:
        """Decide what waits, at the end of a `complete` reply or before a line of talk."""
        self._settle_apart(own=complete)
        self._settle_marks(self.talk)
        self._finish()

    # Lines in another's name

    def _makes_moves(self, words: str) -> bool:
        return any(tag.kind and not tag.start for tag in self.tags.tags(words, loose=self._loose))

    def _read_named(self, line: str, at: int) -> None:
        """Read a line that may begin with a name. After a line in another's name, any other's name makes one more."""
        may_name = ":" in line or not line.isascii()  # a name stands before a colon
        name = may_name and self.names.read(line, first=not self._begun, makes_moves=self._makes_moves)
        own = name.begins if name and name.name == self.names.who else 0
        self._leave_puppet()
        if self._signs(line) and self._after != "text":
            self._cut_named(self.names.who, at, at + len(line))
        elif name and not own and (self.puppets or not name.own):
            self._cut_named(name.name, at, at + len(line))
            self._below = type(self)(self.names.who, loose=self._loose, language=self._language)
        elif own and self.puppets:
            self._cut_named(self.names.who, at, at + own)
            self._read_own(line[own:], at + own)
        else:
            self._read_own(line, at, own)

    def _signs(self, line: str) -> bool:
        """True if a line is the speaker's signature."""
        return self._may_sign and self.names.signs(line)

    def _leave_puppet(self) -> None:
        below, self._below = self._below, None
        if below is not None:
            below.close()
            self.unclaimed += below.moves + below.unclaimed
            self.unknown_tags += below.unknown_tags

    def _cut_named(self, name: str, at: int, end: int) -> None:
        """Cut a line in the name of another, or the name by which the speaker takes the words back."""
        self._finish()
        self._settle_marks(self.cut)
        self.cut.append((at, end))
        self._after = "talk"
        if name != self.names.who:
            self.puppets[name] = None
            self._introduced = "fence"

    # Quotations and fences

    def _wraps(self, line: str, at: int) -> bool:
        """Let a line wait that may stand in a fence around the whole reply, or after it; False once that is decided."""
        waiting, fence = self._wrapper or [], FENCE.match(line) is not None
        outside = self._wrapper_ends is not None or not (waiting or fence)
        if line.strip() and outside and not self._is_frame(line, before=not waiting):
            self._settle_wrapper(whole=False)
        elif waiting or fence:
            self._wrapper_ends = at if fence and waiting else self._wrapper_ends
            self._wrapper = [*waiting, (line, at)]
        return bool(self._wrapper)

    def _is_frame(self, line: str, *, before: bool) -> bool:
        """True if a line is nothing but a frame around a reply: an announcement of one's own, a courtesy, a name."""
        opens = before and line.rstrip(_BOLD).endswith(":") and self._language.of_ones_own.search(line)
        ends = not before and (_RULE.match(line) or self._signs(line) or self.names.signs_off(line))
        return bool(opens or ends) or (len(line) <= LONGEST_FRAME and self.tags.is_aside(line, self.tags.tags(line)))

    def _settle_wrapper(self, *, whole: bool) -> None:
        """Read the lines that wait; a fence around the `whole` reply is cut."""
        waiting, self._wrapper = self._wrapper or [], None
        for order, (line, at) in enumerate(waiting):
            if whole and (order == 0 or at == self._wrapper_ends):
                self.cut.append((at, at + len(line)))
            else:
                self.read(line, at)

    def _set_apart(self, line: str, at: int, words: int | None) -> None:
        """Let a line of a quotation, or the first of a fence, wait if it may be decoration; else it is talk."""
        moves_only = words is None or self._makes_moves(line[words:]) or (self._apart and not line[words:].strip())
        beside = words is not None and (self.moves or self._draft)
        if self._introduced or self._quoted or beside or not moves_only:
            self._settle_apart(own=False)
            self._read_talk(line, at)
            self._quoted = words is not None
        else:
            self._apart.append((line, at, words))

    def _read_fenced(self, line: str, at: int) -> None:
        ends = FENCE.match(line) is not None
        if self._apart and (ends or self._fits_fence(line)):
            self._apart.append((line, at, None if ends else 0))
            if ends:
                tagged = ((each, self.tags.tags(each, loose=self._loose)) for each, _, _ in self._apart)
                self._settle_apart(own=any(tags and not self.tags.is_aside(each, tags) for each, tags in tagged))
        else:
            self._settle_apart(own=False)
            self._read_talk(line, at, fenced=True)
        self.fenced = not ends

    def _fits_fence(self, line: str) -> bool:
        """True if a line of a fence is empty, begins with a tag or a claim, or goes on with the line before."""
        tags, before = self.tags.tags(line, loose=self._loose), text_left(self._apart[-1][0])
        wrapped = (before == "wrapped" and line.lstrip()[:1].islower()) or (before == "list" and _ITEM.match(line))
        return not line.strip() or ((bool(tags) and not tags[0].start) or self.tags.claims(line)) or bool(wrapped)

    def _settle_apart(self, *, own: bool) -> None:
        apart, self._apart = self._apart, []
        for line, at, words in apart:
            if not own:
                self._read_talk(line, at, fenced=words == 0)
            elif words is None:
                self._settle_marks(self.cut)
                self.cut.append((at, at + len(line)))
                self._after = "text" if self._after == "text" else "move"  # below it stands no reason of a move in it
            elif line.strip():
                self._read_own(line, at, words)

    # The speaker's own lines

    def _read_own(self, line: str, at: int, words: int = 0) -> None:
        """Read a line of the speaker, whose words begin at `words`."""
        # Mostly no bracket stands there; each tag of many would be read behind the one before.
        called = NEXT.search(line * (0 < sum(map(line.count, "[(<{")) <= 5 * MOST_ACTS), words)
        if called and (whom := self.names.member(called)):
            self._read_next(line, at, words, *called.span())
            self.next = whom
            return
        read = self.tags.tags(line[words:], loose=self._loose, small=not self._split)
        opens = bool(read) and not read[0].start and read[0].kind is not None
        if opens and self._introduced in ("next", "block"):
            self._read_talk(line, at)
            self._introduced = "block"
        elif any(tag.kind for tag in read):
            self._read_tags(line, at, words, read)
        elif (aside := self._loose and self.tags.is_aside(line[words:], read)) or read:
            self.unknown_tags += [tag.written for tag in read[:1]]
            self._read_talk(line, at, shown=not aside)
        elif _RULE.match(line) or self.tags.heading.match(line) or self.names.signs_off(line):
            self._after = self._after if self._after in ("talk", "text", "list") else "move"
            (self._marks if self._after == "talk" else self.cut).append((at, at + len(line)))
        elif self._continues(line):
            self.cut.append((at, at + len(line)))
        else:
            self.unknown_tags += self.tags.buried(line[words:])[:MOST_ACTS] if self._loose else ()
            self._read_talk(line, at)

    def _read_next(self, line: str, at: int, words: int, begins: int, ends: int) -> None:
        """Read a line with whom the speaker wants to hear, between `begins` and `ends`."""
        if line[words:begins].strip():
            self._read_own(line[:begins], at, words)
        self._finish()
        rest = line[ends:].lstrip(" ,;:–—-")  # a courtesy, which a blank parts from what stands before the tag
        self.cut.append((at + begins, at + len(line) - len(rest) - bool(rest and begins > words)))
        self._after = "move"
        if rest:
            self._read_own(rest, at + len(line) - len(rest))

    def _read_talk(self, line: str, at: int, *, shown: bool = True, fenced: bool = False) -> None:
        if fenced:
            tags = self.tags.tags(line, loose=self._loose)
            self.unclaimed += filter(None, (self.tags.move(t.kind, t.inside, line[t.end :]) for t in tags if t.kind))
            aside = self.tags.is_aside(line, tags)
            self.unknown_tags += [tag.written for tag in tags[:1] if not (tag.kind or tag.start or aside)]
        self._finish()
        self._settle_marks(self.talk if shown else self.cut)
        if not shown:
            self.cut.append((at, at + len(line)))
        elif line.strip():
            self.talk.append((at, at + len(line)))
            opens = line.rstrip(_BOLD).endswith(":") and not self._language.of_ones_own.search(line)
            self._introduced = "next" if opens and self._language.introduces.search(line) else ""
        self._after = "talk"

    def _read_tags(self, line: str, at: int, words: int, read: list[Tag]) -> None:
        """Read a line with moves: talk before the first, if any, and each tag with the text up to the next."""
        ends = [*(words + tag.start for tag in read[1:]), len(line)]
        start = words + read[0].start if read[0].start else 0
        if start:
            self._read_talk(line[:start], at)
        for tag, end in zip(read, ends, strict=True):
            text = line[words + tag.end : end]
            text = (self.tags.joint.sub("", text) if end < len(line) else text).rstrip(f"{_BOLD},;|")
            text = "" if self._may_sign and self.names.closes(text) else text
            self._finish()
            if tag.kind is None or len(self.moves) >= MOST_ACTS:
                self.unknown_tags.append(tag.written)
                self._read_talk(line[start:end], at + start)
            else:
                self._settle_marks(self.cut)
                self.cut.append((at + start, at + end))
                self.moves_at = at + start if self.moves_at is None else self.moves_at
                self._draft = Draft(tag.kind, tag.inside, text, tag.written)
                self.unknown_tags += self.tags.buried(f"- {text}")[: MOST_ACTS * (tag.kind not in NEEDS_TEXT)]
                self._after = self._left_by(self._draft, line)
            start = end
        self._introduced = ""

    def _left_by(self, draft: Draft, line: str) -> After:
        """Return what the line after a tag follows."""
        if draft.text.strip(f"{_BOLD}:"):
            return text_left(line)
        if draft.kind in NEEDS_TEXT:
            return "titled" if self.tags.move(draft.kind, draft.inside, "") else "text"
        return "move" if draft.kind == "withdraw" else "reason"

    def _continues(self, line: str) -> bool:
        """Return whether a line continues the move before it, to which it is added."""
        draft, item = self._draft, _ITEM.match(line)
        if draft is None or not self._goes_on(line, item is not None):
            return False
        words = line[item.end() if item else 0 :].strip()
        apart = item and draft.text and not draft.text.endswith(":")
        draft.text = f"{draft.text.rstrip('.,;')}; {words}" if apart else f"{draft.text} {words}".strip()
        if self._after != "list":
            self._after = "list" if item else text_left(line)
        return True

    def _goes_on(self, line: str, item: bool) -> bool:
        """True if a line, an item of a list or not, continues the move before it."""
        return (
            ((self._after == "text" or self._titles(line)) and not (self._signs(line) or self.names.signs_off(line)))
            or (self._after == "reason" and len(line) <= _REASON and not self.tags.claims(line))
            or (self._after == "list" and item)
            or (self._after == "wrapped" and line.lstrip()[:1].islower())
        )

    def _titles(self, line: str) -> bool:
        """Return whether what stands in the tag above is the title of a line, which speaks of nobody's own."""
        draft = self._draft if self._after == "titled" and len(line.split()) > TITLE else None
        move = self.tags.move(draft.kind, draft.inside, line) if draft else None
        return move is not None and move.title != "" and not self._language.of_ones_own.search(line)

    def _finish(self) -> None:
        draft, self._draft = self._draft, None
        move = self.tags.move(draft.kind, draft.inside, draft.text) if draft else None
        if move is not None:
            self.moves.append(move)
        elif draft is not None and draft.written and not draft.text.strip(_BOLD):
            self.unknown_tags.append(draft.written)

    def _settle_marks(self, where: list[Span]) -> None:
        where.extend(self._marks)
        self._marks = []


def text_left(line: str) -> After:
    """Return what the line after a line with the text of a move follows."""
    end = line.rstrip(f"{_BOLD}|")[-1:]
    if end == ":":
        return "list"
    return "wrapped" if len(line) >= _WRAPPED and (end.isalnum() or end in (",", "-", "–")) else "move"
