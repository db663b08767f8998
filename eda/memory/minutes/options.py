"""`Options`: where a text names options, by their text, id, label or own words, and which it does not turn down."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from eda.memory.patterns import Language, PatternPack, default_pack
from eda.memory.snapshot import Given
from eda.text import normalise, regex, words

FEW = 4  # Most own words of an option of which one alone names it.
_WORD = regex(r"\w+")
_NEAR = regex(r"(?:[^\w.;:!?\n]+\w+){0,4}[^\w.;:!?\n]+")  # between two words of an option: four others at most
_NEXT = regex(r"[ :'-]{1,2}")  # What may stand between a word that names an option and another of its words.


class Token(NamedTuple):
    """A word of a text."""

    stem: str
    figure: str  # The stem where the word is a number: of its figure.
    weak: bool  # It does not name an option alone: the verb of an order, or a number.
    content: bool  # It is no word of grammar.
    start: int
    end: int


def stem(word: str) -> str:
    """Return the part of a lower-case word by which words are compared."""
    return word[:6].removesuffix("s")[:5]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(map(stem, words(text)))


@functools.lru_cache(maxsize=4096)
def _is_content(word: str) -> bool:
    """Return whether a word is no word of grammar."""
    return bool(words(word))


def tokens_of(plain: str, language: Language) -> list[Token]:
    """Return the words of a normalised text."""
    figures = {word: figure for figure, word in language.number_words.items()}
    tokens: list[Token] = []
    before = ""
    for match in _WORD.finditer(plain):
        word = match[0].lower()
        orders = word in language.imperatives and before not in language.determiners
        tokens.append(
            Token(stem(word), figures.get(word, ""), orders or word in figures, _is_content(word), *match.span())
        )
        before = word
    return tokens


class Wording(NamedTuple):
    """The stems of the words of one option."""

    own: frozenset[str]  # Those that no other option has.
    every: frozenset[str]
    weak: bool  # Each of its own words is the verb of an order, or a number.

    def spans(self, plain: str, tokens: Sequence[Token], *, strictly: bool) -> list[tuple[int, int]]:
        """Return where enough of the option's own words stand together. `strictly`: one word names no longer option."""
        least = max(min(len(self.own), 2), (len(self.own) + 1) // 2) if strictly else 1 + (len(self.own) > FEW)
        runs: list[list[int]] = []
        for at, token in enumerate(tokens):
            if self.own.isdisjoint((token.stem, token.figure)):
                continue
            if runs and _NEAR.fullmatch(plain, tokens[runs[-1][-1]].end, token.start):
                runs[-1].append(at)
            else:
                runs.append([at])
        return [
            self._span(plain, tokens, run[0], run[-1])
            for run in runs
            if self._weight([tokens[at] for at in run]) >= least
        ]

    def _weight(self, run: Sequence[Token]) -> int:
        """Return how many of its own words name the option; weak ones count beside a strong one and a figure only."""
        strong = {token.stem for token in run if not token.weak}
        exact = strong and any(stem.isdigit() for stem in strong)
        return len({token.stem for token in run}) if self.weak or exact else len(strong)

    def _span(self, plain: str, tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
        """Return where a run of tokens begins and ends with the option's other words on both sides."""
        while last + 1 < len(tokens) and self._belongs(
            tokens[last + 1], plain[tokens[last].end : tokens[last + 1].start]
        ):
            last += 1
        while first and self._belongs(tokens[first - 1], plain[tokens[first - 1].end : tokens[first].start]):
            first -= 1
        while last > first and (tokens[last].weak or tokens[last].stem not in self.every):
            last -= 1
        return tokens[first].start, tokens[last].end

    def _belongs(self, token: Token, between: str) -> bool:
        """Return whether the next word is one of the option, or makes one compound with it."""
        return between == "-" or (token.stem in self.every and _NEXT.fullmatch(between) is not None)


LONGEST = 10_000  # Characters of a text in which options are looked for.
REACH = 300  # Characters before and behind a mention that say something of it.
MOST = 6_000  # Mentions that are marked in one text.
OPTION, OTHER = "optionx", "otherx"  # The words that expressions have for the option in question and any other.
_FIRST_MARK = 0xE000
MARKS = regex(r"[\ue000-\uf8ff]")  # Characters that stand for mentions: for private use, so no text has any.

_SINGLE = regex(r"^[A-Za-z0-9]$")
_JOINED = regex(r"(?<![\w'])[a-z0-9]{2,6}(?![\w'])", "I")


def _any_of(phrases: Sequence[str]) -> str:
    return "|".join(map(re.escape, phrases))


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text names an option, or several in a row."""

    options: tuple[str, ...]
    start: int
    end: int
    either: bool = False  # The options are joined by `or`.
    loose: bool = False  # Words that are not the option's stand between words that are.
    by_words: bool = field(default=False, compare=False)  # It has words of the option, not its text, id or label.


def about(clause: str, mark: str) -> str:
    """Return a clause, or what stands near a mark in a long one, with `OPTION` for that mark and `OTHER` for others."""
    at = clause.index(mark)
    return MARKS.sub(lambda match: OPTION if match[0] == mark else OTHER, clause[max(0, at - REACH) : at + REACH])


@dataclass(slots=True)
class Options:
    """The options of one debate, with an expression that finds each."""

    options: tuple[str, ...] = ()
    pack: Given[PatternPack] = field(default_factory=default_pack)  # its language names and refuses options
    single: bool = field(init=False)  # True where each option is one letter or figure.
    cards: bool = field(init=False)  # Cards, of which a speaker may choose several, not a row of labels.
    _patterns: list[re.Pattern[str]] = field(init=False)
    _wordings: list[Wording] = field(init=False)

    def __post_init__(self) -> None:
        self.single = bool(self.options) and all(_SINGLE.match(option.strip()) for option in self.options)
        codes = [ord(option.strip().upper()[:1] or " ") for option in self.options]
        in_a_row = codes == list(range(codes[0], codes[0] + len(codes))) and chr(codes[0]) in "A1" if codes else False
        self.cards = self.single and not in_a_row
        self._patterns = [
            re.compile(rf"{self._pattern(normalise(option))}|(?<![\w'])[oO]{number}(?!\w)")
            for number, option in enumerate(self.options, 1)
        ]
        bags = [stems(normalise(option)) for option in self.options]
        verbs = stems(" ".join(self.pack.language.imperatives))
        self._wordings = [
            Wording(own, bag, all(stem in verbs or stem.isdigit() for stem in own))
            for number, bag in enumerate(bags)
            for own in [bag.difference(*bags[:number], *bags[number + 1 :])]
        ]

    def _pattern(self, option: str) -> str:
        """Return an expression for the ways to name an option."""
        language, forms = self.pack.language, [re.escape(option.strip())]
        label = language.option_label.match(option)
        if label:
            forms.append(f"(?:{_any_of(language.option_words)}) {re.escape(label[1])}")
            if len(label[1]) == 1 and label[1].isupper():
                is_article = label[1].lower() in language.letter_words
                article = f"(?![\\w'])(?:{self._no_article})" if is_article else ""
                return rf"\b(?:(?i:{'|'.join(forms)})|{label[1]}{article})(?![\w'])(?!\. ?[a-z])"
            forms.append(re.escape(option[label.end() :].strip()))
        return self._single_pattern(option.strip()) if self.single else rf"\b(?i:{'|'.join(forms)})(?!\w)"

    def _single_pattern(self, letter: str) -> str:
        """Return an expression for the ways to name an option of one letter or figure."""
        language, small = self.pack.language, letter.lower()
        if small in language.letter_words:
            near = r"(?:and|&|,|or|\+|\d)"
            article = self._no_article
            return (
                rf"(?<![\w']){letter.upper()}(?![\w']){article}|(?<![\w']){small}(?= ?{near}\b| ?[,&]|\W*$)|"
                rf"(?<=and ){small}(?![\w']){article}"
            )
        word = language.number_words.get(letter)
        form = f"(?:{letter}|{re.escape(word)})" if word else re.escape(letter)
        counted = before = ""
        if letter.isdigit():
            counts = f"[ -]?(?:(?:{_any_of(language.counted_qualities)}) )?(?:{_any_of(language.counted)})\\b"
            counted = f"(?:(?<=and .)|(?<=and the .)|(?!{counts}))"
            before = "".join(f"(?<!{re.escape(phrase)} )" for phrase in language.before_figure)
        return rf"(?i:(?<![\w'.]){before}{form}(?![\w'%])(?!\.\d){counted})"

    @property
    def _no_article(self) -> str:
        """Expression that fails before a word which an article may stand before."""
        return f"(?! (?!{_any_of(self.pack.language.after_letter)})[a-z])"

    def only(self, text: str, named: tuple[str, ...]) -> bool:
        """Return whether a text that names options has at most three other words."""
        return len(_WORD.findall(text)) <= len(named) + 3

    def mentioned(self, text: str, *, strictly: bool = False, exactly: bool = False) -> tuple[str, ...]:
        """Return the options that a text names and does not turn down. `strictly`: one word names no longer option."""
        if not self.options:
            return ()
        language = self.pack.language
        marked, mentions = self.mark(normalise(text), strictly=strictly)
        named = {
            option
            for clause in language.clause_breaks.split(marked)
            for mark in MARKS.findall(clause)
            if not language.refuses.search(about(clause, mark))
            for option in mentions[mark].options
            if not (exactly and mentions[mark].by_words)
        }
        return tuple(option for option in self.options if option in named)

    def unquoted(self, plain: str) -> str:
        """Return a normalised text without quotation marks around an option: who quotes one names it."""
        for option in map(normalise, self.options):
            plain = re.sub(rf"([\"'])({re.escape(option)})\1", r"\2", plain, flags=re.IGNORECASE)
        return plain

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where a text names options, alone or several joined; empty where there are no options."""
        plain = normalise(text[:LONGEST])
        return [(each.start, each.end) for each in self._grouped(plain, self._find(plain, strictly=False))]

    def mark(self, plain: str, *, strictly: bool = False) -> tuple[str, dict[str, Mention]]:
        """Return a normalised text with one mark in place of each mention, and the mention of each mark."""
        plain = MARKS.sub(" ", plain[:LONGEST])
        parts: list[str] = []
        mentions: dict[str, Mention] = {}
        at = 0
        for mention in self._grouped(plain, self._find(plain, strictly=strictly))[:MOST]:
            mark = chr(_FIRST_MARK + len(mentions))
            mentions[mark] = mention
            parts += [plain[at : mention.start], f" {mark}" if plain[: mention.start][-1:].isalnum() else mark]
            at = mention.end
        return "".join([*parts, plain[at:]]), mentions

    def _grouped(self, plain: str, mentions: list[Mention]) -> list[Mention]:
        """Return the mentions with those made one that are joined by a word, or on cards by a comma."""
        joints = self.pack.language.option_joints
        grouped: list[Mention] = []
        run: list[Mention] = []
        words_between: list[str] = []
        for mention in [*mentions, None]:
            joint = joints.fullmatch(plain, run[-1].end, mention.start) if run and mention else None
            if mention and joint:
                words_between += [word for word, match in joint.groupdict().items() if match]
                run.append(mention)
                continue
            if len(run) > 1 and (words_between or self.single):
                options = tuple(dict.fromkeys(option for each in run for option in each.options))
                run = [Mention(options, run[0].start, run[-1].end, "or" in words_between)]
            grouped += run
            run, words_between = [mention] if mention else [], []
        return grouped

    def _find(self, plain: str, *, strictly: bool) -> list[Mention]:
        """Return the mentions of single options in the order of the text; none overlap."""
        mentions = self._joined(plain) if self.single else []
        tokens = [] if self.single else tokens_of(plain, self.pack.language)
        negations = self.pack.language.negations
        for option, pattern, wording in zip(self.options, self._patterns, self._wordings, strict=True):
            spans = [match.span() for match in pattern.finditer(plain)]
            by_words = not spans and not self.single
            if by_words:
                near = wording.spans(plain, tokens, strictly=strictly)
                spans = [span for span in near if not negations.search(plain, *span)]  # "the teams should not decide"
            for start, end in spans:
                inside = [token for token in tokens if start <= token.start < end and token.content]
                loose = by_words and any(wording.every.isdisjoint((each.stem, each.figure)) for each in inside)
                mentions.append(
                    Mention((option,), self._after_verb(plain, start, end), end, loose=loose, by_words=by_words)
                )
        disjoint: list[Mention] = []
        for mention in sorted(mentions, key=lambda each: (each.start, -each.end)):
            if not disjoint or mention.start >= disjoint[-1].end:
                disjoint.append(mention)
        return disjoint

    def _after_verb(self, plain: str, start: int, end: int) -> int:
        """Return where a span starts without the verb of an order, so that the verb can be read."""
        language = self.pack.language
        first = _WORD.match(plain, start, end)
        before = plain[:start].split()[-1:]
        noun = bool(before) and before[0].lower() in language.determiners
        return first.end() if first and first[0].lower() in language.imperatives and not noun else start

    def _joined(self, plain: str) -> list[Mention]:
        """Return options written together, as in `A7`: a token of option letters with a figure, or in capitals."""
        singles = {option.strip().lower(): option for option in self.options}
        for match in _JOINED.finditer(plain):
            token = match.group().lower()
            listed = len(set(token)) == len(token) and all(char in singles for char in token)
            if listed and (any(char.isdigit() for char in token) or match.group().isupper()):
                return [Mention(tuple(singles[char] for char in token), *match.span())]
        return []
