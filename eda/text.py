"""Text as data: plain spelling, sentences, quotations, terminal codes, lines for display, content words.

`normalise`, `lower` and `mask_quotes` keep the length of a text, so that an offset in the result is an offset in the
text. The words below are English; everything that reads a text uses the same ones, whichever pattern pack it has.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable
from functools import cached_property, lru_cache
from typing import Any, AnyStr, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Regex:  # To compile all that a program imports takes an eighth of its start.
    def __init__(self, pattern: str | bytes, flags: str) -> None:
        self.pattern, self._flags = pattern, sum(re.RegexFlag[each] for each in flags)

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(re.compile(self.pattern, self._flags), name)
        return value


def regex(expression: AnyStr, flags: str = "") -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when it is first used. `flags` are letters: I, M, S, X."""
    return cast("re.Pattern[AnyStr]", _Regex(expression, flags))


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in the order in which keys and values occur."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


# Plain spelling

_APOSTROPHES = "‘’‚‛′ʼʹʻˈ´`＇ꞌ"
_QUOTES = "“”„‟″«»＂"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
_SPACES = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\t"
)
_BACKTICK = regex(r"(?<=[a-z])`(?=(?:s|t|d|m|ve|re|ll)\b)", "I")  # typed for an apostrophe
_OF_WORDS = bytes(code if chr(code).isalnum() or chr(code) == "_" else 32 for code in range(128)) + bytes(128)
_NOT_PLAIN = regex(r"[^\x00-\x08\x0a-\x7f]+")
_PLAIN = {
    **dict.fromkeys(_APOSTROPHES, "'"),
    **dict.fromkeys(_QUOTES, '"'),
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(_SPACES, " "),
    **dict(zip("…【】", ".[]", strict=True)),
    # The mark of a footnote is no digit of the word before it; ² and ³ are mostly of a unit.
    **dict.fromkeys("¹⁰⁴⁵⁶⁷⁸⁹", " "),
    **dict(zip("²³", "²³", strict=True)),
}


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """Return one character for one: of a ligature, or a half-width kana with its mark, the first part."""
    return _PLAIN.get(char) or unicodedata.normalize("NFKC", char)[:1] or " "


@lru_cache(maxsize=128)  # a line of a reply is read for moves, names, tags and asides
def normalise(text: str) -> str:
    """Return the text with plain apostrophes, quotes, dashes and spaces, of the same length."""
    if "`" in text:
        text = _BACKTICK.sub("'", text)
    if text.isascii():
        return text.replace("\t", " ") if "\t" in text else text
    return _NOT_PLAIN.sub(lambda match: "".join(map(_plain, match[0])), text)


def lower(text: str) -> str:
    """Return the text in lower case, of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@lru_cache(maxsize=128)
def plain_low(text: str) -> str:
    """Return the text in plain spelling and lower case, of the same length."""
    return lower(normalise(text))


@lru_cache(maxsize=128)  # a line of a reply is compared as a name, a signature and a courtesy
def bare(text: str) -> str:
    """Return the words of a text in lower case: what two texts share that differ in case, spaces and punctuation."""
    return " ".join(split(plain_low(text)))


def split(text: str) -> list[str]:
    """Return the runs of letters, digits and underscores of a text; of ASCII without the cost of the expression."""
    return text.encode().translate(_OF_WORDS).decode().split() if text.isascii() else re.findall(r"\w+", text)


# Sentences and quotations

_SENTENCE = regex(
    r"[^.!?\n]+(?:(?:[.!?]+(?=[^\s.!?\"')\]*_])|(?:(?<= \d)|(?<= [1-3]\d))\.(?= (?i:Januar|Februar|März|April|Mai|"
    r"Juni|Juli|August|September|Oktober|November|Dezember)\b))"
    r"[^.!?\n]+)*[.!?]*[\"')\]*_]*|[.!?]+"
)  # "am 16. Januar" is one, in small letters too; "I propose 3. Jan agrees." is two
_LIST_MARK = regex(r"(?:\s|[-*+#>~_`]+(?! ?[\w.]*\d)|\d{1,2}[.)]\s)+")
_BLANK = " \n\r\x0b\x0c"
_ABBREVIATIONS = frozenset(
    "e.g. i.e. mr. mrs. ms. dr. prof. vs. cf. approx. fig. st. l. incl. bzw. ca. nr.".split()  # noqa: SIM905 - read as text
)
_QUOTATION = regex(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n(?s:.{0,4000}?)^[ \t]*(?P=fence)[^\n]*$|"
    r"\"[^\"\n]{2,2000}\"|`[^`\n]{1,200}`|^[ \t]*(?:>|\[m\d+\] )[^\n]*|"
    r"(?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){4,2000}'(?!\w)",
    "M",
)
_OPENING_QUOTE = regex(r"'(?<!\w')\w")
_CLAUSE = regex(r"\b(?:i|we|you|they|he|she|it|that|this|let)(?:'\w+)?\b")


@lru_cache(maxsize=256)  # of a reply they are asked for again when it is summarised
def sentences(text: str) -> tuple[tuple[int, int], ...]:  # noqa: C901 - hot: calls would cost more than the branches
    """Return the spans of the sentences of a normalised text, without list marks and white space before them."""
    spans: list[tuple[int, int]] = []
    joined = -1  # the start of a sentence that goes on after an abbreviation
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        if joined >= 0:
            start, joined = joined, -1
        while start < end and text[start] in _BLANK:
            start += 1
        while end > start and text[end - 1] in _BLANK:
            end -= 1
        if start == end:
            continue
        if (
            text[end - 1] == "."
            and text[max(start, end - 9) : end].rsplit(" ", 1)[-1].lstrip("([\"'*").lower() in _ABBREVIATIONS
        ):
            joined = start
            continue
        if not text[start].isalpha():
            mark = _LIST_MARK.match(text, start, end)
            if mark:
                start = mark.end()
        if start < end:
            spans.append((start, end))
    if joined >= 0:
        spans.append((joined, len(text.rstrip())))
    return tuple(spans)


def mask_quotes(text: str) -> str:
    """Return a normalised text with blanks for the words of others: quotations of a clause, quoted lines, code.

    A word or two in quotation marks stay. So does a message that is one quotation.
    """
    if not any(mark in text for mark in ('"', "`", ">", "[m", "~~~")) and not _OPENING_QUOTE.search(text):
        return text
    return _QUOTATION.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    """Return blanks for a quotation, or the quotation where it stays."""
    quotation = match.group()
    if quotation[0] in "\"'":
        if quotation.count(" ") < 2 and not (" " in quotation and _CLAUSE.search(quotation)):
            return quotation
        if len(quotation) + 8 > len(match.string) and len(match.string.strip(" \n.!")) <= len(quotation):
            return quotation
    return " " * len(quotation)


# Terminal codes

_ESCAPES = regex(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # colours, cursor, screen
    "|\x9b[0-?]*[ -/]*[@-~]"
    # titles, links, clipboard
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x9c|\x1b\\\\)"
    "|\x1b[ -/]*[0-~]"
)
_CONTROLS = regex("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")  # all but tabs and line ends


def without_escapes(text: str) -> str:
    """Return a text without escape codes and control characters; a carriage return becomes a line end."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


_STEERS = regex(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the reading direction
    "\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]"  # are seen by no reader
)
_LINE_ENDS = regex("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def plain_text(text: str) -> str:
    """Return a text without escape codes, control characters, and marks that are unseen or turn its direction."""
    if text.isprintable():
        return text
    plain = _STEERS.sub("", without_escapes(_LINE_ENDS.sub("\n", text))).expandtabs(4)
    return plain.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """Return a text as one line."""
    return " ".join(plain_text(text).split())


# Lines for display

MAX_CHARS = 240  # Length of an extracted topic or outcome.

_LINK = regex(r"!?\[([^\[\]\n]*)\]\((?:[^()\n]*)\)")
_EMPHASIS = regex(r"(?<!\w)([*_~`]{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_OPENS = regex(r"^\s*[*_]{1,3}(?=\s)")
_CLOSES = regex(r"(?<=[^\s*])\*\*(?!\w)")
_TAG = regex(r"^\s*\[[A-Za-z][\w ]{1,24}\]\s*:?\s*")
_FRONT = regex(r"^(?:[\s>#*_~`|:,;.!?)\]–—-](?!\d)|\d{1,2}[.)]\s)+")
_SPACE = regex(r"\s+")


def clean(text: str, limit: int = MAX_CHARS) -> str:
    """Return a text as one line of up to `limit` characters, without Markdown and without a tag or list mark."""
    text = _TAG.sub("", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "*" in text or "_" in text:
        text = _OPENS.sub("", text)
        if text.count("**") % 2:  # the opening mark stands before the sentence
            text = _CLOSES.sub("", text, count=1)
    for _ in range(3 if any(mark in text for mark in "*_~`") else 0):
        text, count = _EMPHASIS.subn(r"\2", text)
        if not count:
            break
    text = _FRONT.sub("", _SPACE.sub(" ", text)).strip(" *_~`")
    return shorten(text, limit)


def shorten(text: str, limit: int) -> str:
    """Return the text; a longer one than `limit` is cut between words and ends in an ellipsis."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:-–—") + "…"


_TELLING = regex(r"(?<![\w'])(?!(?:and|or|the|an?|that|also|then)\b)[\w'](?:[\w'.,-]*[\w'])?", "I")


def differs_at(text: str, limit: int, others: Iterable[str]) -> int:
    """Return from which word a text that is cut at `limit` differs from the others; 0 where none is cut to the same.

    Small words (`and`, `the`) are no difference.
    """
    short = shorten(text, limit)
    near = (each for each in others if each.startswith(short[:-1]) and each != text)  # few are cut to be compared
    alike = (each for each in near if shorten(each, limit) == short)
    own = [*_TELLING.finditer(text)]
    pairs = (zip(own, (*_TELLING.findall(each), *[""] * len(own)), strict=False) for each in alike)
    same = max((next((a.start() for a, b in each if a[0] != b), len(text)) for each in pairs), default=0)
    return text.rfind(" ", 0, max(0, min(same, len(text) - limit // 2))) + 1


def unbroken(text: str) -> str:
    """Return a text on one line, its words a blank apart."""
    return " ".join(text.split())


def quoted(text: str) -> str:
    """Return a text of a person, file or model as data in a prompt: each line but the first is indented."""
    return "\n    ".join(text.splitlines())


def rough_tokens(characters: int) -> int:
    """Return an estimate of the tokens of a text: one for four characters, rounded up."""
    return (characters + 3) // 4


# Content words

_WORD = regex(r"[a-z0-9]+(?:\.[0-9]+)*")
_TOKEN = regex(r"\w+(?:\.[0-9]+)*")
_POINT = regex(r"\.[0-9]")
_LETTERS = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))
_STOP_WORDS = frozenset(
    """a an the and or but if of to in on at for with from by as is are was were be been it its this that these those i
    you he she we they them his her our your their my me us do does did have has had will would can could should not no
    so than then there here what which who when where how why about into over under out up down just also very im id
    ill ive well think know like want get got one thing say said make really okay ok yes yeah um uh more much any some
    all only don t s re ll ve d m""".split()  # noqa: SIM905 - read as text
)

_NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred dozen""".split()  # noqa: SIM905
# Numbers by their English words.
NUMBER_WORDS = dict(zip(_NUMBERS, map(float, (*range(21), *range(30, 101, 10), 12)), strict=True))


def words(text: str) -> frozenset[str]:
    """Return the content words of a text, each cut to six letters, so that most inflected forms are equal."""
    plain = text.isascii() and not _POINT.search(text)  # where the same words cost less
    tokens = text.encode().translate(_LETTERS).decode().split() if plain else _WORD.findall(text.lower())
    return frozenset([word[:6] for word in {*tokens} - _STOP_WORDS])


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of the smaller set's words that both sets have, 0 to 1."""
    return len(left & right) / min(len(left), len(right)) if left and right else 0.0


def likeness(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of all words of two sets that both have, 0 to 1."""
    both = len(left & right)
    return both / (len(left) + len(right) - both) if both else 0.0


def names(low: str, who: str) -> bool:
    """Return whether a text in lower case names somebody, by full or first name."""
    places = ((low.find(form), len(form)) for form in _names_of(who) if form in low)
    return any(not low[at - 1 : at].isalnum() and not low[at + size : at + size + 1].isalnum() for at, size in places)


@lru_cache(maxsize=256)
def _names_of(who: str) -> tuple[str, ...]:
    """Return a name and its first word in lower case, each of two letters or more."""
    name = who.lower()
    return tuple([form for form in {name, *name.split()[:1]} if len(form) > 1])


class Read:
    """The analysis of one text. Each part of it is made when it is first asked for, and kept as long as this is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def begin(self, characters: int) -> "Read":
        """Return the analysis of the first `characters` of the text."""
        return self if len(self.text) <= characters else Read(self.text[:characters])

    @cached_property
    def plain(self) -> str:
        """The text in plain spelling."""
        return normalise(self.text)

    @cached_property
    def low(self) -> str:
        """The same in lower case."""
        return lower(self.plain)

    @cached_property
    def own(self) -> str:
        """The plain text with blanks for the words of others."""
        return mask_quotes(self.plain)

    @cached_property
    def own_low(self) -> str:
        """The text in lower case with blanks for the words of others."""
        return mask_quotes(self.low)

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """The spans of its sentences."""
        return sentences(self.plain)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its content words, each cut to six letters."""
        return words(self.text)

    @cached_property
    def tokens(self) -> list[str]:
        """All its words in order, those in quotation marks too."""
        low = self.plain.casefold()
        return split(low) if low.isascii() and not _POINT.search(low) else _TOKEN.findall(low)

    @cached_property
    def stems(self) -> list[str]:
        """The content words outside quotation marks, in order, each cut to six letters; and words in other letters."""
        own = self.own
        content = self.words if own is self.text else words(own)
        tokens = self.tokens if own is self.plain and own.isascii() else _TOKEN.findall(own.lower())
        return [stem for word in tokens if (stem := word[:6]) in content or not word.isascii()]

    @cached_property
    def bag(self) -> frozenset[str]:
        """The content words outside quotation marks."""
        return frozenset(self.stems)

    @cached_property
    def shingles(self) -> frozenset[tuple[str, str, str]]:
        """The runs of three content words."""
        return frozenset(zip(self.stems, self.stems[1:], self.stems[2:], strict=False))
