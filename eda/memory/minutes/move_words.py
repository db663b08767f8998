"""The words and the dress of move lines: which kind of move a tag stands for, and what the tag and its text say."""

import difflib
import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

from eda.events import TITLE, Move, MoveKind
from eda.memory.patterns import Language
from eda.memory.patterns.conditions import conditional
from eda.memory.patterns.language import WordsByMove
from eda.text import lower, normalise, plain_low, regex


def _plain(text: str) -> str:
    """Return a text of plain spelling in lower case, without accents, of the same length."""
    low = text.lower() if text.isascii() else lower(text)
    return low if low.isascii() else "".join([unicodedata.normalize("NFD", char)[:1] or char for char in low])


_TAKES_ID: frozenset[MoveKind] = frozenset(["amend", "support", "oppose", "neutral", "withdraw", "deny"])
NEEDS_TEXT: frozenset[MoveKind] = frozenset(["propose", "amend", "position", "note"])  # are nothing without a text
# Decoration before a tag: list marks, emphasis, headings, symbols. Not `>`, which quotes, and no quotation mark.
_DRESS = regex(r"(?:(?!~~)[\s*_`#~+|\\-]|[^\x00-\x7f\w]|\d{1,2}[^\w\s>\[({<]{1,3}\s|[A-Za-z][.)]\s)*+")
_BRACKETS = regex(
    r"\[{1,4}(?P<square>[^\[\]]*(?:\[[pom]\d[^\[\]]*\])?)(?:\]+|$)|\((?P<round>[^\[\](){}<>]*)\)"
    r"|(?<!\{)\{+(?P<curly>[^\[\](){}<>]*)\}+|<(?P<angle>[^\[\](){}<>]*)>"
)
# A line that ended within a tag: "[WITHDRAW my support of o2", "[POSITION neither"; not "[SUPPORT o2 once it is paid".
_CUT_OFF = regex(
    r"\[(?:[A-Z]{3,}|PROPOSE(?: +[^\W\d][^\s\[\]]*){1,6}"
    r"|(?:SUPPORT|OPPOSE|UNDECIDED|WITHDRAW|POSITION)\s+(?![:=]|[^A-Za-z]*[A-Za-z]?\d)[^\[\]]*)\s*"
)
STRUCK = regex(r"~~(\[[^\[\]~]*\])~~")
_LONGEST = 64  # Characters of a tag; a longer one holds its own text after a colon or an id, or is talk.
LONGEST_FRAME = 160  # Characters of a courtesy, a signature, or a name with a role: a longer line is none.
# Characters before a bracket, or of the opening of a line, that tell whether it is a tag; of a line that doubt its tag.
_LOOKED_AT, _DOUBTING = 80, 400
_ONE_ID = r"#?(?:[a-z]\d+(?:[.@]\d+)?|\d+[.@]\d+)"
_ID = regex(_ONE_ID, "I")
_BARE_TEXT = regex(rf"[\s*_`]*(?:\((?!{_ONE_ID}\))(?P<title>[^()\[\]]{{3,60}})\)[\s*_`]*)?:", "I")
_CELLS: Mapping[str, re.Pattern[str]] = {  # what parts the cells of a row: `| PROPOSE | title | text |`
    "propose": regex(r"[\s*_`]*\|\s*(?:(?P<title>[^|\n]{1,60}?)\s*\|\s*(?=[^\s|]))?"),
    "position": regex(r"[\s*_`]*(?:\||[-–—](?=\s*[op]\d[\d.]*[\s*_`.]*$))(?P<title>)"),
}
_SMALL = regex(
    rf"(?P<word>amend|support|oppose|undecided|withdraw|deny) (?P<id>{_ONE_ID})(?:[\s:.*_]*$|:\s|,(?!.*\b[a-z]\d))"
)
_SHOUTED = regex(r"(?:PROPOSE|POSITION)(?=[\s*_`]+[\w\"'])")
_NAMED = regex(r"[*_`]*\s+[*_`]*[^\W\d_][^:.!?*]{2,60}")  # What may be a title behind a word for a move.
_ROW = regex(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")
_POINTS = regex(r":|→|[-=]>")  # What stands between the word of a tag without brackets and its id.
_ALONE = regex(r"[\s*_`.!]*$")
_UNSAID = regex(r"[<\[]/[^<>\[\]]*[>\]]|~~[^~\n]+(?:~~|$)")  # A closing tag, and what is struck out.
_SENTENCE_END = regex(r"[.!?。][)\"']{0,8}[\s*_`]*$")
_SHOUTS = regex(r"\[+[^\W\d_a-zß-ÿ]{3,}(?![^\W\d_])")  # A tag whose first word is in capitals.
_FURTHER = regex(r"[^\[]*\w")
_FIGURE = regex(r"(?<![^\s,;:=|])-?\d+(?:/1000)?(?![^\s,;:|])")
_PLACEHOLDER = "short title"  # What the prompt writes where a title goes.
# An unknown tag with nothing but a figure or at most three common words: `[CONFIDENCE] very high`.
_ASIDE = regex(
    r"\[+[\s*_`]*[A-Z]+[\s*_`]*(?:[:=]?[\s*_`]*[\d.,%/]*)[\s*_`]*\]+[\s*_`:=]*(?:[\d.,%/]+|(?:[a-z]+[\s*_`.]*){0,3})[\s*_`]*"
)
_BOLD_NAME = regex(r" [^\W\d_a-zß-ÿ][^*]*(?:\*\*\s*[:–—-]|:\*\*)")
_BOLD_TITLE = regex(r"[*_ ]*(?P<title>[^*_\n]{2,80}?):?(?:\*\*|__)[\s:.]+(?=\S)")  # **[PROPOSE] Title** Text
_near = functools.lru_cache(maxsize=1024)(difflib.get_close_matches)  # a reply that loops has one slip many times
_BOLD = "*_`~| \t"


class Tag(NamedTuple):
    """A tag in a line, as `[SUPPORT p3.0]`. Its text goes on to the next tag or the end of the line."""

    start: int  # Where its decoration begins.
    end: int  # Where its text begins.
    kind: MoveKind | None  # None if it is an unknown tag.
    inside: str = ""  # What stands in the tag after its word.
    written: str = ""


@dataclass(slots=True)
class Draft:
    """A move whose text may go on."""

    kind: MoveKind
    inside: str
    text: str
    written: str = ""


class TagReader:
    """Reads tags, and what they and their texts say, in the words of a language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._sure = {word: kind for kind in get_args(MoveKind) for word in (kind, *_words(language.move_words, kind))}
        self._slips = tuple(word for word, kind in self._sure.items() if kind != "note")  # "[noted]" is none misspelt
        self._led = {word: kind for kind in get_args(MoveKind) for word in _words(language.move_words_before_id, kind)}
        self._kinds: dict[str, MoveKind] = self._led | self._sure
        before = rf"(?:(?:{_any_of(_plain(normalise(word)) for word in language.before_move_word)})[\s_-]+)*"
        self._head = re.compile(rf"{before}(?P<word>{_any_of(self._kinds)})s?(?![^\W_]|[/']|[-_][a-z](?!\d))")
        labels = _any_of(_plain(normalise(label)) for label in language.move_labels)
        self._label = re.compile(rf"(?:{labels})[\s*_]*:[\s*_`]*(?=[\[({{<])")
        self.heading = re.compile(rf"[\s*_#]*(?:{_any_of(language.move_headings)})[\s*_:.]*$", re.IGNORECASE)
        joint = _any_of(language.move_joints)
        self.joint = re.compile(rf"(?:\b(?:{joint})|[&/])[\s*_`]*$")
        self._move_end = re.compile(rf"(?:[.,;:!?&|/)\]}}\"。]|\b(?:{joint}))[\s*_`]*$")
        self._next_bare = re.compile(rf"(?:[,;/&|.]|\b(?:{joint})\b|(?<=\d)\s)[\s*_`]*(?=[A-Z]{{4,}}\b)")
        ids = rf"{_ONE_ID}(?:(?:\s*[,&+/]\s*|\s+)(?:(?:{joint}) )?{_ONE_ID})*(?![\w'])"
        self._ids = re.compile(ids, re.IGNORECASE)
        self._bare_id = re.compile(
            rf"(?P<before>[\s*_`:\"#([|→=>-]*)(?P<ids>{ids})(?P<colon>[\s*_`)\"|]*(?:[:=]|-\s|$))?", re.IGNORECASE
        )
        refuses = rf"(?P<why>{language.refuses_named.pattern})(?=.{{0,{2 * _LONGEST}}}$)"
        self._refused = re.compile(rf"(?P<ids>(?=#?[po]){ids})[\s*_`:,–—-]*{refuses}")
        self._loose_id = re.compile(
            rf"[\s*_`:(\[#\"]*(?:(?:{_any_of(language.id_nouns)})\s+)?(?P<ids>{ids})"
            rf"(?=[\s:,.;*_`)\]\"]|$)[)\]\"]*",
            re.IGNORECASE,
        )

    def tags(self, line: str, *, loose: bool = True, small: bool = True) -> list[Tag]:
        """Return the tags of a line, in order: at its beginning, after a sentence, and after the move before it.

        `loose`: all words and brackets count, or `[PROPOSE]` and such alone; `small`: whether `support p1` is read.
        """
        plain = normalise(line)
        start = self._opening(plain)
        first = self._bracketed(plain, start, 0, loose=loose) or (self._bare(plain, start) if loose else None)
        if loose and small and (own := _SMALL.match(plain, start)) and not _ROW.match(plain):
            first = Tag(0, own.end(), self._kinds.get(own["word"]), own["id"], own[0].rstrip(" :,"))
        read = [first] if first else []
        if first and _BRACKETS.match(plain, start) is None:
            read += self._further_bare(plain, first.end)
        return read + self._further(plain, read[-1].end if read else start, read, loose=loose)

    def claims(self, line: str) -> bool:
        """True if a line begins with a tag that claims a decision, such as `[CONSENSUS]`: it is no move."""
        plain = normalise(line)
        tag = _BRACKETS.match(plain, self._opening(plain))
        return bool(tag and tag["square"] and self.language.claim_tags.match(_plain(tag["square"]).lstrip(" *_`")))

    def buried(self, line: str) -> tuple[str, ...]:
        """Return the shouted tags in the middle of a line: they count for nothing, for who knows whose they are."""
        plain = normalise(line)
        inner = _BRACKETS.finditer(plain, self._opening(plain) + 1) if "[" in plain else ()
        tags = {e[0]: _plain(e["square"]) for e in inner if _SHOUTS.match(e[0])}
        return tuple(e for e, tag in tags.items() if self.kind_of(tag)[0] or self.language.claim_tags.match(tag))

    def tag_after(self, line: str, at: int) -> int | None:
        """Return where the first move begins that follows talk in a line, at `at` or later; None if there is none."""
        return next((tag.start for tag in self._further(normalise(line), at, [], loose=True)), None)

    def _further(self, plain: str, at: int, before: list[Tag], *, loose: bool) -> list[Tag]:
        """Return the tags of a line from `at` on, after those `before`."""
        read: list[Tag] = []
        known = any(tag.kind for tag in before)
        for match in _BRACKETS.finditer(plain, at) if "[" in plain else ():
            above = plain[max(0, match.start() - _LOOKED_AT) : match.start()]
            follows = known and above.rstrip("*_`")[-1:].isspace() and _FURTHER.match(plain, match.end())
            if follows or (self._move_end if known else _SENTENCE_END).search(above):
                start = match.start() - len(above) + len(above.rstrip(" *_`"))
                tag = self._bracketed(plain, match.start(), start, loose=loose, inline=True)
                if tag is not None and (tag.kind or known):
                    read.append(tag)
                    known = True
        return read

    def _further_bare(self, plain: str, at: int) -> list[Tag]:
        """Return the shouted moves without brackets that follow one: `SUPPORT p1.0, OPPOSE p1.1`."""
        read: list[Tag] = []
        for joint in self._next_bare.finditer(plain, at):
            tag = self._bare(plain, joint.end())
            if tag is not None and tag.inside and not (read and joint.end() < read[-1].end):
                read.append(tag._replace(start=joint.end()))
        return read

    def _opening(self, plain: str) -> int:
        """Return the length of the decoration with which a line begins."""
        at = start.end() if (start := _DRESS.match(plain)) else 0
        label = self._label.match(_plain(plain[at : at + _LOOKED_AT]))
        return at + label.end() if label else at

    def _bracketed(self, plain: str, at: int, start: int, *, loose: bool, inline: bool = False) -> Tag | None:
        match = _BRACKETS.match(plain, at)
        if (
            match is None
            or plain.startswith("(http", match.end())
            or ((inline or not loose) and match.lastgroup != "square")
        ):
            return None
        inside = (match[match.lastgroup or ""] or "").lstrip(" *_`\t")
        kind, rest = self.kind_of(inside)
        if loose and _CUT_OFF.fullmatch(match[0]):
            return Tag(start, match.end(), None, written=match[0])
        short = match[0][-1] in "])}>" and len(match[0]) <= _LONGEST
        if kind is None:
            counts = loose and short and match.lastgroup == "square" and self._is_no_tag(inside)
        else:
            named = loose or _plain(inside).startswith(kind)
            counts = named and self._is_move(match, kind, inside, rest, short=short)
            kind = None if kind in _TAKES_ID and self.language.move_doubts.search(_plain(rest[:_DOUBTING])) else kind
        return Tag(start, match.end(), kind, rest, match[0]) if counts else None

    def _is_move(self, match: re.Match[str], kind: MoveKind, inside: str, rest: str, *, short: bool) -> bool:
        """Return whether brackets that begin with a word for a move are one: they are short, or hold its text."""
        if match.lastgroup in ("square", "curly"):
            titled = kind in ("propose", "amend") and rest.count(" ") > TITLE  # a long title, or the whole text
            return short or titled or rest.lstrip()[:1] in (":", "=") or _ID.match(rest.lstrip(" #")) is not None
        if rest and self._ids.fullmatch(_target(rest)) is None:  # "(position paper)", "<note on costs>"
            return False
        return short and (match.lastgroup == "angle" or (kind != "note" and (not inside.islower() or bool(rest))))

    def _is_no_tag(self, inside: str) -> bool:
        """Return whether square brackets look like a tag and are none: a shouted word, or a slip, as `[suport p5]`."""
        word = re.match(r"[^\W\d_]{2,}", inside)
        if word is None or self.language.claim_tags.match(_plain(inside)):
            return False
        alone = not (rest := _target(inside[word.end() :])) or self._ids.search(rest) is not None
        return word[0].isupper() or (alone and self.slip(word[0]) is not None)

    def slip(self, word: str) -> MoveKind | None:
        """Return the kind of move whose word a misspelt one is near; None where it is near none, or one itself."""
        near = _near(_plain(word), self._slips, 1, 0.8) if _plain(word) not in self._sure else ()
        return self._sure[near[0]] if near else None

    def kind_of(self, inside: str) -> tuple[MoveKind | None, str]:
        """Return the kind of move that the words in a tag stand for, None for no move, and what follows the word."""
        head = self._head.match(_plain(inside))
        if head is None:
            return None, inside
        rest = inside[head.end() :]
        two = any(word.isupper() and _plain(word) in self._sure for word in re.findall(r"\w+", rest))
        counts = not two and (head["word"] in self._sure or self._ids.match(_target(rest)))
        return (self._kinds[head["word"]] if counts else None), rest

    def _bare(self, plain: str, at: int) -> Tag | None:
        """Return the tag without brackets that a line has at `at`.

        It needs capitals or a colon; and an id, but for a proposal or a position.
        """
        if refused := self._refused.match(lower(plain), at):
            return Tag(0, refused.start("why"), "oppose", plain[slice(*refused.span("ids"))])
        head = self._head.match(_plain(plain[at : at + _LOOKED_AT]))
        if head is None:
            return None
        end = at + head.end()
        kind, word = self._kinds[head["word"]], plain[at + head.start("word") : end]
        if kind in ("propose", "position") and plain[at].isupper():
            return _bare_text(plain, at, end, kind, word)
        return self._bare_act(plain, at, head, kind) if kind in _TAKES_ID else None

    def _bare_act(self, plain: str, at: int, head: re.Match[str], kind: MoveKind) -> Tag | None:
        """Return the tag of an act on an id; one without a kind where its author is to be told that it does not count.

        A row of a list that begins like a move, or a line that is one, is no talk.
        """
        end = at + head.end()
        upper = plain[at + head.start("word") : end].isupper()
        ids, named = self._bare_id.match(plain, end), _NAMED.match(plain, end)
        bold = plain[:at].endswith("**") and _BOLD_NAME.match(plain, end) is not None  # **Support Tar now**: ...
        if ids is None and named and (upper or (bold and head["word"] in self._sure)):
            return Tag(0, named.end(), None, written=plain[at : named.end()])
        if head.start("word") or ids is None or ids["ids"][0].isdigit():
            return None
        sure, points = head["word"] in self._sure, bool(ids["colon"] or _POINTS.search(ids["before"]))
        if upper or (sure and points and plain[at].isupper()):
            return Tag(0, ids.end(), kind, ids["ids"])
        row = _ROW.match(plain) and head["word"] not in self._led  # "against p7.0 I have nothing left" is talk
        begins = points or row or _ALONE.match(plain, ids.end())
        written = plain[at : ids.end()].rstrip(" :=→>-")
        return Tag(0, ids.end(), None, written=written) if sure and begins else None

    def is_aside(self, line: str, tags: Sequence[Tag]) -> bool:
        """True if a line with these tags is nothing to the others: an unknown one with a value, a length, courtesy."""
        plain = normalise(line)
        if len(plain) > LONGEST_FRAME:
            return False
        if len(tags) == 1 and tags[0].kind is None and not tags[0].start:
            aside = _ASIDE.fullmatch(f"{tags[0].written} {plain[tags[0].end :]}")
            return aside is not None and not self.slip(_target(tags[0].written))
        return not tags and any(e.fullmatch(plain) for e in (self.language.tells_length, self.language.courtesies))

    def move(self, kind: MoveKind, inside: str, text: str) -> Move | None:
        """Return the move of a tag with what stands inside and after it; None if it says nothing."""
        inside, text, title = inside.strip(), _clean(text), ""
        if self._echoes(text):
            return None
        if kind == "note":
            importance, topic = _weight(self.language.note_labels.sub("", inside).strip(" :=#(*_`)"))
            if not text and ": " in topic:
                topic, _, text = topic.partition(": ")
            return Move(kind, text, None, importance, topic) if self._means(text) else None
        if kind not in _TAKES_ID:
            return self._with_text(kind, inside, text)
        if kind == "amend" and (ids := self._ids.match(_target(inside))):
            more = _target(_target(inside)[ids.end() :])
            inside, title = (ids[0], more) if _is_title(more, text) else (inside, "")
        target, text = self._addressed(inside, text)
        text = self.language.text_alone(text) if self._means(text) else ""
        if (kind == "amend" and not text) or not (target or text):
            return None
        return Move(kind, text, target, title="" if title.lower() == _PLACEHOLDER else title)

    def _with_text(self, kind: MoveKind, inside: str, text: str) -> Move | None:
        """Return the move that states a text of its own, such as a proposal; None if it says nothing."""
        stated, inside = inside.startswith(":"), _target(inside)  # `[PROPOSE: text] More` has no title
        bold = _BOLD_TITLE.match(text) if kind == "propose" and not inside else None
        inside, text = (bold["title"], text[bold.end() :]) if bold else (inside, text)
        numbered = inside.isdigit() or (kind == "propose" and self._ids.fullmatch(inside) is not None)
        title = inside if kind == "propose" and not (numbered or stated) and _is_title(inside, text) else ""
        whole = f"{inside}{':' * (stated and inside[-1:].isalnum() and text[:1].isupper())} {text}"
        text = self.language.text_alone(_clean(text if text and (numbered or title) else whole))
        move = Move(kind, text, title="" if title.lower() == _PLACEHOLDER else title)
        return move if self._means(text) and not self._echoes(text) else None

    def _addressed(self, inside: str, text: str) -> tuple[str | None, str]:
        """Return what a move is about, as written, and its text."""
        rest, text = _target(inside), "" if self.language.is_courtesy(text) else text  # a courtesy is no reason
        ids = self._ids.match(rest)
        if ids is not None:
            more = rest[ids.end() :].lstrip(' "')
            reason = more[:1] in ":-" or (more[0] == "," and more.lstrip(", ")[:1].islower())
            terms = more.lstrip("(, ")[:1].islower() and conditional(more)  # no title of a text
            if reason or not text or terms or self.language.move_reasons.match(more):
                return ids[0].lstrip("#"), _clean(f"{more}; {text}" if terms and text else f"{more} {text}")
        elif ": " in rest:
            rest, _, more = rest.partition(": ")
            text = f"{more} {text}".strip()
        if not rest:
            loose = self._loose_id.match(text)
            if loose is not None:
                return loose["ids"].lstrip("#"), _clean(text[loose.end() :])
        return (rest if self._means(rest) else None), text

    def _echoes(self, text: str) -> bool:
        """True if a text is what the prompt writes after a tag."""
        return self.language.move_template.fullmatch(_says(text)) is not None

    def _means(self, text: str) -> bool:
        """True if a text says something: "none", "N/A" and a dash do not."""
        words = _says(text)
        return bool(words) and self.language.says_nothing.fullmatch(words) is None


# Returns the reader of tags in the words of a language; the same one each time.
tag_reader = functools.lru_cache(maxsize=8)(TagReader)


def _bare_text(plain: str, at: int, end: int, kind: MoveKind, word: str) -> Tag | None:
    """Return the tag without brackets that puts a text: its `word` stands before a colon, in a cell, or is shouted."""
    colon = _BARE_TEXT.match(plain, end) or (_CELLS[kind].match(plain, end) if word.isupper() else None)
    title = (colon["title"] or "") if colon and kind == "propose" else ""
    opens = colon or (at > 0 and word.isupper() and _ALONE.match(plain, end)) or _SHOUTED.match(plain, at)
    return Tag(0, colon.end() if colon else end, kind, title) if opens else None


def _words(lists: WordsByMove, kind: MoveKind) -> list[str]:
    return [word.strip() for word in _plain(normalise("\n".join(lists.get(kind, ())))).split("\n") if word]


def _any_of(words: Iterable[str]) -> str:
    """Return an expression for any of the words, the longest first; one that matches nothing where there is none."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"\b\B"


def _is_title(inside: str, text: str) -> bool:
    """Return whether what stands in a tag is the title of a text that is whole without it, and not its beginning.

    It has at most six words, or twelve before a text of twice as many, or the longer text has half of them. The text
    begins like a sentence, or all is in small letters: "[PROPOSE We sow] a meadow" has none.
    """
    long, whole = len(inside.split()), len(text.split())
    said, begins = {*lower(inside).split()} & {*lower(text).split()}, inside[:1].islower() or not text[:1].islower()
    fits = long <= TITLE < whole or 2 * TITLE >= long <= whole / 2 or long / 2 <= len(said) < whole - 1 <= TITLE
    return begins and fits and inside[-1:] not in ",;:"


def _target(inside: str) -> str:
    return inside.strip(" \t:=#([*_`])\"'/\\-")


def _clean(text: str) -> str:
    text = _UNSAID.sub("", text).strip(f"{_BOLD}\n").lstrip(":=,;–—-]) ").strip(_BOLD)
    plain = text[0] if text[:1].isalnum() else normalise(text)
    return text[1:-1].strip() if len(text) > 1 and plain[0] == plain[-1] == '"' and plain.count('"') == 2 else text


def _says(text: str) -> str:
    return plain_low(text).strip(" .…!<>{}[]()\"'-")


def _weight(rest: str) -> tuple[int, str]:
    """Return the importance and the topic of a note, given in either order."""
    if (number := _FIGURE.search(rest)) is None:
        return 500, _clean(rest)
    topic = f"{rest[: number.start()]} {rest[number.end() :]}".strip(" ,;:|")
    return min(1000, max(1, int(number[0].partition("/")[0][:6]))), _clean(topic)
