"""Reads what a sentence claims about a debate: who did what, on which text, in which message or vote.

Names, ids, numbers of messages, titles and votes are replaced by marks; then verbs and phrases of `claims.toml` say
what is claimed of them. What stands between the parts must be known words: else nothing is read.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from eda.memory.sentences.record import Record
from eda.text import NUMBER_WORDS, bare, normalise, regex

Scope = Literal["", "all", "but", "nobody", "count", "panel"]
_TEXT_ID = regex(r"(?<![\w.@])(?:p\d+(?:[.@]\d+)?|o\d+)(?![\w@])")
_QUOTED = regex(r"\"([^\"]+)\"|(?<!\w)'([^'\"]{3,})'(?!\w)")
_NUMBER = regex(rf"(?<![\w.:,-])(\d{{1,3}}|{'|'.join([*NUMBER_WORDS][1:21])})(?![\w%:-]|[.,]\d)", "I")
OF_MESSAGES = ("author", "said", "whose")  # Kinds of claims that tell whose a message is.
_LONGEST = 1500  # Characters of a sentence that are read.


class Claim(NamedTuple):
    """What a clause claims. Members by name, texts by id."""

    kind: str
    who: tuple[str, ...] = ()
    scope: Scope = ""  # `but`: all but `who`; `count`: as many members as `number`; `panel`: the panel as a whole.
    texts: tuple[str, ...] = ()
    of: tuple[str, ...] = ()  # Of an amendment the texts that it comes from.
    messages: tuple[int, ...] = ()
    vote: str = ""  # `first`, `second` or `last`; empty where no vote is named.
    number: int | None = None  # Of votes or voters.
    against: int | None = None
    cast: int | None = None
    negated: bool = False


class Reading(NamedTuple):
    """A sentence as it was read."""

    claims: tuple[Claim, ...]
    names: frozenset[str]  # What it names: `Maya`, `p3.0`, `m12`.
    open: bool  # Whether it has a clause that nothing is read of, such as a condition or a reason.


class _Named(NamedTuple):
    """What a mark stands for."""

    who: tuple[str, ...] = ()
    scope: Scope = ""
    text: str = ""
    number: int = 0
    message: bool = False
    vote: str = ""


def read(sentence: str, record: Record, kinds: Collection[str] = ()) -> Reading:
    """Return what a sentence claims of members, texts, messages and votes, in any language that is read.

    Of some `kinds` only what phrases claim is read, in half of the time.
    """
    readers = [_Reader(sentence[:_LONGEST], record, words) for words in _languages()]
    named = [readers[0].named[int(number)] for number in re.findall(r"‹\w(\d+)›", readers[0].text)]
    names = {name for each in named for name in (*each.who, each.text)}
    messages = {f"m{each.number}" for each in named if each.message}
    claims = dict.fromkeys(
        claim for reader in readers for claim in (*reader.of_rules(kinds), *(() if kinds else reader.of_verbs()))
    )
    behind = any(reader.words.open.search(reader.text) for reader in readers)
    return Reading(tuple(claims), frozenset((names | messages) - {""}), behind)


OWNS = r"(?:'?s\b|'(?!\w))"  # What makes a name possessive.


class ClaimWords:
    """The expressions of a language."""

    def __init__(self, table: dict[str, Any]) -> None:
        between = table["between"]
        adverbs, before = _of_list(between["adverbs"]), _of_list(between["before_text"])
        negations = _any_of(between["negations"])
        self._adverb = adverbs
        self.entities = {key: self._read(rf"(?<!\w){_any_of(ways)}(?!\w)") for key, ways in table["entities"].items()}
        kinds = (f"(?P<{kind}>{_any_of(ways)})" for kind, ways in table["verbs"].items())
        self.verb = self._read(rf"\b(?:{'|'.join(kinds)})(?!\w)")
        self.rules = [(kind, self._read(way)) for kind, ways in table["rules"].items() for way in ways]
        self.counts = [self._read(way) for way in table["votes"]["counts"]]
        known = rf"(?:\s|{adverbs}\b|{negations}\b|‹[BM]\d+›|{_any_of(between['at'])} (?=‹[BM])|[,()])"
        self.filler = self._read(rf"{known}*")
        self.gap = self._read(rf"(?:\s|{before}\b|{_any_of(between['joins'])}\b|‹W\d+›{OWNS}?|‹[BMN]\d+›|[,:(])*(?=‹T)")
        self.articles = _of_list(between["articles"])
        listed = rf"[\s,]*(?:,|{_any_of(between['joins'])})\s+(?:{_of_list(between['listed'])}\s+|‹W›{OWNS}?\s*)*$"
        self.listed = self._read(listed)
        self.starts = self._read(rf"(?:[,;(]|\b{_any_of(between['starts'])}\b){known}*$")
        self.hedge = self._read(rf"\b{_of_list(between['hedges'])}\b")
        self.denied_after: bool = between.get("denied_after", False)
        self.negation = self._read(rf"\b{negations}\b")
        self.passive = self._read(rf"\b{between['passive']}\s*$")
        self.breaks = self._read(rf";|\b{_any_of(between['breaks'])}\b")
        self.open = self._read(rf"\b{_any_of(between['open'])}\b")
        self.by = self._read(rf"\s*(?:{adverbs}\s)*{between['by']}\s+(?=‹W)")
        self.be = self._read(between["passive"].split(")")[0] + ")\\b")
        self.group = self._read(rf"(‹but› )?‹W›(?:(?:, |,? {_any_of(between['pairs'])} )‹W›)*(?!{OWNS})")
        self.oblique = self._read(rf"\b{_any_of(between['oblique'])}\s*$")
        self.message = re.compile(rf"(?<![\w.@]){_any_of(between['message'])}(\d{{1,6}})\b")

    def _read(self, way: str) -> re.Pattern[str]:
        known = rf"(?:{self._adverb}|the|a|his|her|their|own|‹W\d+›{OWNS}?)"
        marks = re.sub("‹([WTMBN])›", lambda match: rf"‹{match[1]}\d+›", way.replace("‹A›", known))
        return re.compile(marks.replace(".s", OWNS), re.IGNORECASE)


def _any_of(ways: Iterable[str]) -> str:
    """Return an expression for any of some, the longest first."""
    return f"(?:{'|'.join(sorted(ways, key=len, reverse=True))})"


def _of_list(words: str) -> str:
    return _any_of(map(re.escape, words.split()))


@lru_cache(maxsize=8)
def _any_name(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds any of the names of a debate."""
    return re.compile(rf"(?<![\w‹]){_any_of(map(re.escape, names)) if names else '(?!)'}(?=s?(?!\w))")


@cache
def _languages() -> tuple[ClaimWords, ...]:
    """Return the expressions of each language that is read, English first."""
    tables = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf8"))
    return tuple(ClaimWords(table) for table in tables.values())


class _Reader:
    """One sentence, with marks for all that it names, such as `‹W0› supported ‹T1› in ‹M2›`."""

    def __init__(self, sentence: str, record: Record, words: ClaimWords) -> None:
        self.record, self.words = record, words
        self.named: list[_Named] = []
        self.text = self._marked(normalise(sentence))
        hedge = words.hedge.search(self.text)
        # Up to where nothing is said as somebody's word, a wish or a condition.
        self.sure = hedge.start() if hedge else len(self.text)

    def _mark(self, letter: str, **of: Any) -> str:
        self.named.append(_Named(**of))
        return f"‹{letter}{len(self.named) - 1}›"

    def _at(self, mark: str) -> _Named:
        return self.named[int(mark.strip("‹›")[1:])]

    def _marked(self, text: str) -> str:
        words, record = self.words.entities, self.record
        text = _QUOTED.sub(self._quotation, text)
        text = _TEXT_ID.sub(lambda match: self._text(match[0]), text)
        text = self.words.message.sub(lambda match: self._mark("M", number=int(match[1]), message=True), text)
        for title, key in record.named.items():
            text = _titled(title, self.words.articles).sub(self._mark("T", text=key), text)
        for vote in ("first", "second", "last"):
            text = words[f"vote_{vote}"].sub(self._mark("B", vote=vote), text)
        text = _any_name(tuple(record.names)).sub(lambda match: self._mark("W", who=(record.names[match[0]],)), text)
        text = _NUMBER.sub(
            lambda match: self._mark("N", number=int(NUMBER_WORDS.get(match[0].lower(), match[0])), scope="count"),
            text,
        )
        text = words["some"].sub("‹some›", words["but"].sub("‹but›", text))
        text = self.words.group.sub(self._group, text)
        scopes: tuple[tuple[str, Scope], ...] = (("all", "all"), ("none", "nobody"), ("panel", "panel"))
        for name, scope in scopes:
            text = words[name].sub(self._mark("W", scope=scope), text)
        text = words["count"].sub(
            lambda match: self._mark("W", scope="count", number=self._all(match[0], "N")[0].number), text
        )
        if record.last and record.last.won:
            text = words["won"].sub(self._mark("T", text=record.last.won[0]), text)
        text = words["pronoun"].sub(lambda match: self._before(match, "W", "who"), text)
        return words["it"].sub(lambda match: self._before(match, "T", "text"), text)

    def _text(self, key: str) -> str:
        """Return a mark for an id; `p5` is `p5.0`, where there is one."""
        whole = key if key[0] == "o" or "." in key or "@" in key else f"{key}.0"
        return self._mark("T", text=whole) if whole in self.record.texts or (whole == key and key[0] == "p") else key

    def _quotation(self, match: re.Match[str]) -> str:
        key = self.record.words.get(bare(match[1] or match[2]), "")
        return self._mark("T", text=key) if key else self._mark("Q")

    def _group(self, match: re.Match[str]) -> str:
        """Return one mark for members that are named side by side."""
        marks = re.findall(r"‹W\d+›", match[0])
        if len(marks) == 1 and not match[1]:
            return match[0]
        members = tuple(who for mark in marks for who in self._at(mark).who)
        return self._mark("W", who=members, scope="but" if match[1] else "")

    def _before(self, match: re.Match[str], letter: str, name: str) -> str:
        """Return the mark of the only member or text that is named before a pronoun; else the pronoun."""
        before = re.findall(rf"‹{letter}\d+›", match.string[: match.start()])
        marks = {getattr(self._at(mark), name): mark for mark in before}
        return next(iter(marks.values())) if len(marks) == 1 else match[0]

    def _all(self, marks: str, letter: str) -> list[_Named]:
        return [self._at(mark) for mark in re.findall(rf"‹{letter}\d+›", marks)]

    def of_rules(self, kinds: Collection[str] = ()) -> Iterator[Claim]:
        """Yield what phrases claim, of some `kinds` or of all; that all agree only where it tells of a vote or text."""
        verbs = {match.lastgroup for match in self.words.verb.finditer(self.text)} if not kinds else ()
        voted = "‹T" in self.text or "‹B" in self.text or not {"win", "vote", "accept"}.isdisjoint(verbs)
        for kind, way in self.words.rules:
            for match in way.finditer(self.text) if not kinds or kind in kinds else ():
                if match.start() < self.sure and (kind != "unanimous" or voted):
                    yield self._of_rule(kind, match)

    def _of_rule(self, kind: str, match: re.Match[str]) -> Claim:
        groups = {name: marks for name, marks in match.groupdict().items() if marks}
        before = self.text[: match.start()]
        who = self._all(groups.get("who", groups.get("all", "")), "W")
        clause = self.words.breaks.split(before)[-1] + match[0] + self.words.breaks.split(self.text[match.end() :])[0]
        texts = self._all(groups.get("text", "" if kind in (*OF_MESSAGES, "cast") else clause), "T")
        return Claim(
            kind,
            tuple(name for each in who for name in each.who),
            who[0].scope if who else "",
            tuple(each.text for each in texts),
            tuple(each.text for key in ("of", "other") for each in self._all(groups.get(key, ""), "T")),
            tuple(each.number for each in self._all(groups.get("message", ""), "M")),
            next((each.vote for each in self._all(clause, "B")), ""),
            self._number(groups.get("n")),
            negated=kind == "unanimous" and self.words.negation.search(self.words.breaks.split(before)[-1]) is not None,
        )

    def _number(self, marks: str | None) -> int | None:
        figures = self._all(marks or "", "N")
        return figures[0].number if figures else {"no": 0, "none": 0, "a single": 1}.get((marks or "").lower())

    def of_verbs(self) -> Iterator[Claim]:
        """Yield what verbs claim of a subject and, behind them, of texts."""
        matches = list(self.words.verb.finditer(self.text))
        ends = [*(match.start() for match in matches[1:]), *([len(self.text)] * bool(matches))]
        begins, subject = 0, None
        first = re.match(r"[\s\w]{0,6}(‹M\d+›),? ‹W", self.text)
        leading = tuple(each.number for each in self._all(first[1] if first else "", "M"))
        for match, end in zip(matches, ends, strict=True):
            before, after = self.text[begins : match.start()], self.text[match.end() : end]
            begins = match.end()
            subject = self._subject(before, subject)
            if match.start() > self.sure:
                return
            claim = self._claim(match, before, after, subject)
            if claim is not None and not claim.messages and leading:
                claim = claim._replace(messages=leading)
            if claim is not None:
                yield claim

    def _subject(self, before: str, carried: _Named | None) -> _Named | None:
        """Return whose the verb is: the last who are named before it, or those of the verb before."""
        marks = list(_SUBJECT.finditer(before))
        if marks:
            last = marks[-1]
            known = self.words.filler.fullmatch(before, last.end()) and not self.words.oblique.search(
                before[: last.start()]
            )
            return self._at(last[0]) if known else None
        return carried if self.words.starts.search(before) else None

    def _claim(self, match: re.Match[str], before: str, after: str, subject: _Named | None) -> Claim | None:
        kind = str(match.lastgroup)
        here = self.words.breaks.split(after)[0]
        ids = re.search(r"((?:‹T\d+›(?:, | and | und )?)+)(?!'s)([^‹]*(?:‹[BM]\d+›[^‹]*)*)$", before)  # before a verb
        itself = self._all(ids[1], "T") if ids and self.words.filler.fullmatch(ids[2]) else []
        by, texts = self.words.by.match(after), self._objects(after)
        passive = by is not None and (self.words.passive.search(before) or self.words.be.match(match[0]))
        if by is not None and passive:
            kind = {"win": "vote", "lose": "oppose"}.get(kind, kind)
            agent = re.match(rf"‹W\d+›(?!{OWNS})", after[by.end() :])
            subject, texts = (self._at(agent[0]) if agent else None), itself
        elif kind in ("win", "lose"):
            texts = itself or texts
        if subject is None and kind not in ("win", "lose", "pledge"):
            return None
        subject = subject or _Named()
        counts = next((found.groupdict() for way in self.words.counts if (found := way.search(here))), {})
        span = self._beside(before)
        return Claim(
            kind,
            subject.who,
            subject.scope,
            tuple(each.text for each in texts),
            messages=tuple(each.number for each in self._all(here, "M")),
            vote=next((each.vote for each in (*self._all(here, "B"), *self._all(before, "B")[::-1])), ""),
            number=subject.number if subject.scope == "count" else self._number(counts.get("n")),
            against=self._number(counts.get("against")),
            cast=self._number(counts.get("cast")),
            negated=self.words.negation.search(span + here * self.words.denied_after) is not None,
        )

    def _beside(self, before: str) -> str:
        """Return what stands between a verb and its subject, or the beginning of its clause."""
        subjects, start = list(_SUBJECT.finditer(before)), self.words.starts.search(before)
        return before[subjects[-1].end() if subjects else start.start() if start else 0 :]

    def _objects(self, after: str) -> list[_Named]:
        """Return the texts that a verb is about: those that stand behind it with nothing unknown between."""
        objects, at = list[_Named](), 0
        while (gap := self.words.gap.match(after, at)) and (mark := _TEXT.match(after, gap.end())):
            if re.match(OWNS, after[mark.end() :]):
                return []
            if objects and not self.words.listed.match(gap[0]):
                break
            objects.append(self._at(mark[0]))
            at = mark.end()
        return objects


_TEXT = regex(r"‹T\d+›")
_SUBJECT = regex(rf"‹(?:W\d+›(?!{OWNS})|N\d+›(?! \w+ ‹T))")


def _titled(title: str, articles: str) -> re.Pattern[str]:
    """Return what finds a text by its words: with any article, and the verb that it begins with in any form or none."""
    first, *rest = title.rstrip(".").split()
    words = [re.escape(word) for word in rest if not re.fullmatch(articles, word)]
    form = (
        rf"(?:{re.escape(first)}|{re.escape(first.rstrip('e'))}(?:\w?ing|e?s|e?d))"
        if len(rest) > 2
        else re.escape(first)
    )
    verb = rf"(?:{form}\s+)?" if len(words) > 3 else rf"{form}\s+"
    between = rf"\s+(?:{articles}\s+)?"
    return re.compile(rf"(?<!\w){verb}(?:{articles}\s+)?{between.join(words)}(?!\w)", re.IGNORECASE)
