"""Reads what a sentence claims about a debate: who did what, on which text, in which message or vote.

Names, ids, numbers of messages, titles and votes are replaced by marks; then verbs and phrases of `claims.toml` say
what is claimed of them. What stands between the parts must be known words: else nothing is read.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from eda.events import NONE
from eda.memory.sentences.record import Done, Record, Vote
from eda.text import NUMBER_WORDS, bare, normalise, regex, words as content

Scope = Literal["", "all", "but", "only", "nobody", "count", "panel"]
_TEXT_ID = regex(r"(?<![\w.@])(?:p\d+(?:[.@]\d+)?|o\d+)(?![\w@])")
_QUOTED = regex(r"\"([^\"]+)\"|(?<!\w)'([^'\"]{3,})'(?!\w)")
_NUMBER = regex(rf"(?<![\w.:,-])(\d{{1,3}}|{'|'.join([*NUMBER_WORDS][1:21])})(?![\w%:-]|[.,]\d)", "I")
OF_MESSAGES = ("author", "said", "whose")  # Kinds of claims that tell whose a message is.
_FEW = 2  # Words that name no option: one, and "option" itself.
_LONGEST = 1500  # Characters of a sentence that are read.


# What stands for members without their names, in order, and its scope.
_SCOPES: dict[str, Scope] = {"all": "all", "none": "nobody", "panel": "panel"}


class Claim(NamedTuple):
    """What a clause claims. Members by name, texts by id."""

    kind: str
    who: tuple[str, ...] = ()
    scope: Scope = ""  # `but`: all but `who`; `only`: no others; `count`: `number` members; `panel`: as a whole.
    texts: tuple[str, ...] = ()
    of: tuple[str, ...] = ()  # Of an amendment the texts that it comes from.
    messages: tuple[int, ...] = ()
    vote: str = ""  # `first`, `second` or `last`; empty where no vote is named.
    number: int | None = None  # Of votes or voters.
    against: int | None = None
    cast: int | None = None
    negated: bool = False

    def votes(self, record: Record) -> Sequence[Vote]:
        """Return the votes that the claim may be about."""
        named = {"first": slice(1), "second": slice(1, 2), "last": slice(-1, None)}
        of_texts = [vote for vote in record.votes if vote.offered.issuperset(self.texts)]
        return record.votes[named[self.vote]] if self.vote else of_texts

    def deeds(self, record: Record) -> list[Done]:
        """Return what its members did to its texts in messages, or in those that it names."""
        deeds = (done for key in self.texts for who in self.who for done in record.deeds(who, key) if done.message)
        return [done for done in deeds if done.message in (self.messages or (done.message,))]

    def fits(self, groups: Collection[frozenset[str]], everybody: Iterable[str]) -> bool:
        """Return whether one of some groups is as the claim says: so many, nobody, all, only or all but its members."""
        if self.scope in ("count", "nobody"):
            return any(len(group) == (self.number if self.scope == "count" else 0) for group in groups)
        rest = frozenset(everybody) - {*self.who}
        exact = {"all": rest, "but": rest, "only": frozenset(self.who)}.get(self.scope)
        return any(group.issuperset(self.who) if exact is None else group == exact for group in groups)

    def has_counts(self, text: str, vote: Vote) -> bool:
        """Return whether a vote has the numbers of votes that the claim gives a text."""
        firsts, accepts = vote.takers(text)
        cast = [mark for mark in vote.ballots.values() if mark.first or mark.accepts]
        others = {
            0,  # None was for anything else.
            sum(mark.first == NONE for mark in cast),
            *(len(vote.takers(key)[0]) for key in vote.offered - {text}),
            len(cast) - len(firsts),
            len(cast) - len(accepts),
            len(vote.ballots) - len(accepts),
        }
        claimed = (
            (self.number, (len(firsts), len(accepts))),
            (self.against, others),
            (self.cast, (len(cast), len(vote.ballots))),
        )
        return all(number is None or number in right for number, right in claimed)


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
    vote: str = ""


def read(sentence: str, record: Record, kinds: Collection[str] = ()) -> Reading:
    """Return what a sentence claims of members, texts, messages and votes, in any language that is read.

    Of some `kinds` only what phrases claim is read, in half of the time.
    """
    readers = [_Reader(sentence[:_LONGEST], record, words) for words in _languages()]
    marks = [(letter, readers[0].named[int(at)]) for letter, at in re.findall(r"‹(\w)(\d+)›", readers[0].text)]
    names = {
        name for letter, each in marks for name in (*each.who, each.text, f"m{each.number}" * (letter == "M")) if name
    }
    claims = (claim for each in readers for claim in (*each.of_rules(kinds), *(() if kinds else each.of_verbs())))
    is_open = any(each.words.ways["open"].search(each.text) for each in readers)
    return Reading((*dict.fromkeys(claims),), frozenset(names), is_open)


OWNS = r"(?:'?s\b|'(?!\w))"  # What makes a name possessive.


class ClaimWords:
    """The expressions of a language."""

    def __init__(self, table: dict[str, Any]) -> None:
        between = table["between"]
        adverbs, before = _of_list(between["adverbs"]), _of_list(between["before_text"])
        negations, joins = _any_of(between["negations"]), _any_of(between["joins"])
        self._adverb = adverbs
        self.denied_after: bool = between.get("denied_after", False)
        self.articles = _of_list(between["articles"])
        self.entities = {key: self._read(rf"(?<!\w){_any_of(ways)}(?!\w)") for key, ways in table["entities"].items()}
        verbs = "|".join(f"(?P<{kind}>{_any_of(ways)})" for kind, ways in table["verbs"].items())
        self.rules = [(kind, self._read(way)) for kind, ways in table["rules"].items() for way in ways]
        self.counts = [self._read(way) for way in table["votes"]["counts"]]
        known = rf"(?:\s|{adverbs}\b|{negations}\b|‹[BM]\d+›|{_any_of(between['at'])} (?=‹[BM])|[,()])*"
        ways = {
            "verb": rf"\b(?:{verbs})(?!\w)",
            "filler": known,
            "gap": rf"(?:\s|{before}\b|{joins}\b|‹W\d+›{OWNS}?|‹[BMN]\d+›|[,:(])*(?=‹T)",
            "listed": rf"[\s,]*(?:,|{joins})\s+(?:{_of_list(between['listed'])}\s+|‹W›{OWNS}?\s*)*$",
            "starts": rf"(?:[,;(]|\b{_any_of(between['starts'])}\b){known}$",
            "hedge": rf"\b(?:{_of_list(between['hedges'])}|{_any_of(between['reports'])})\b",
            "negation": rf"\b{negations}\b",
            "passive": rf"\b{between['passive']}\s*$",
            "breaks": rf";|\b{_any_of(between['breaks'])}\b",
            "open": rf"\b{_any_of(between['open'])}\b",
            "by": rf"\s*(?:{adverbs}\s)*{between['by']}\s+(?=‹W)",
            "be": between["passive"].split(")")[0] + ")\\b",
            "group": rf"(‹(?:but|only)› )?‹W›(?:(?:, |,? {_any_of(between['pairs'])} )‹W›)*(?!{OWNS})",
            "voted": between["voted"],
            "oblique": rf"\b{_any_of(between['oblique'])}\s*$",
            "message": rf"(?-i:(?<![\w.@]){_any_of(between['message'])}(\d{{1,6}})\b)",
        }
        self.ways = {name: self._read(way) for name, way in ways.items()}

    def _read(self, way: str) -> re.Pattern[str]:
        known = rf"(?:{self._adverb}|the|a|his|her|their|own|‹W\d+›{OWNS}?)"
        marks = re.sub("‹([WTMBN])›", lambda match: rf"‹{match[1]}\d+›", way.replace("‹A›", known))
        return regex(marks.replace(".s", OWNS), "I")


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
    return tuple(map(ClaimWords, tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf8")).values()))


class _Reader:
    """One sentence, with marks for all that it names, such as `‹W0› supported ‹T1› in ‹M2›`."""

    def __init__(self, sentence: str, record: Record, words: ClaimWords) -> None:
        self.record, self.words = record, words
        self.named: list[_Named] = []
        self.text = self._marked(normalise(sentence))
        hedge = words.ways["hedge"].search(self.text)
        # Up to where nothing is said as somebody's word, a wish or a condition.
        self.sure = hedge.start() if hedge else len(self.text)

    def _mark(self, letter: str, **of: Any) -> str:
        self.named.append(_Named(**of))
        return f"‹{letter}{len(self.named) - 1}›"

    def _at(self, mark: str) -> _Named:
        return self.named[int(mark.strip("‹›")[1:])]

    def _marked(self, text: str) -> str:
        """Return a text with marks for all that it names; each step reads what those before it have left."""
        words, record = self.words.entities, self.record
        won = {vote.won[0] for vote in record.votes if vote.won}
        steps: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
            (_QUOTED, self._quotation),
            (_TEXT_ID, lambda match: self._text(match[0])),
            (self.words.ways["message"], lambda match: self._mark("M", number=int(match[1]))),
            *((_titled(title, self.words.articles), self._mark("T", text=key)) for title, key in record.named.items()),
            *((words[f"vote_{vote}"], self._mark("B", vote=vote)) for vote in ("first", "second", "last")),
            (words["option"], self._option),
            (_any_name(tuple(record.names)), lambda match: self._mark("W", who=(record.names[match[0]],))),
            (
                _NUMBER,
                lambda match: self._mark("N", number=int(NUMBER_WORDS.get(match[0].lower(), match[0])), scope="count"),
            ),
            *((words[f"{name}_except"], way) for name, way in (("all", r"‹but› \2\1"), ("none", r"‹only› \2\1"))),
            *(
                (words[name], way)
                for name, way in (("cleft", r"\1"), ("among", "who"), ("but", "‹but›"), ("some", "‹some›"))
            ),
            (words["only"], "‹only›"),
            (self.words.ways["group"], self._group),
            *((words[name], self._mark("W", scope=scope)) for name, scope in _SCOPES.items()),
            (
                words["but_count"],
                lambda match: self._mark(
                    "W", scope="count", number=len(record.members) - self._all(match[0], "N")[0].number
                ),
            ),
            (words["count"], lambda match: self._mark("W", scope="count", number=self._all(match[0], "N")[0].number)),
            *((words["wording"], self._mark("T", text=key)) for key in won if len(won) == 1),
            *((words["won"], self._mark("T", text=key)) for key in record.won[:1]),
            (words["pronoun"], lambda match: self._before(match, "W", "who")),
            (words["it"], lambda match: self._before(match, "T", "text")),
        ]
        for way, mark in steps:
            text = way.sub(mark, text)
        return text

    def _text(self, key: str) -> str:
        """Return a mark for an id; `p5` is `p5.0`, where there is one."""
        whole = key if key[0] == "o" or "." in key or "@" in key else f"{key}.0"
        return self._mark("T", text=whole) if whole in self.record.texts or (whole == key and key[0] == "p") else key

    def _quotation(self, match: re.Match[str]) -> str:
        key = self.record.words.get(bare(match[1] or match[2]), "")
        return self._mark("T", text=key) if key else self._mark("Q")

    def _option(self, match: re.Match[str]) -> str:
        """Return a mark for the only option that has all the words by which one is named, two or more; else these."""
        named, told = content(match[1] or match[2]), content(match[0])
        fits = [key for key, text in self.record.texts.items() if key[0] == "o" and named <= content(text.content)]
        return self._mark("T", text=fits[0]) if named and len(told) > _FEW and len(fits) == 1 else match[0]

    def _group(self, match: re.Match[str]) -> str:
        """Return one mark for members that are named side by side, with those before them: all but them, only them."""
        members = tuple(who for each in self._all(match[0], "W") for who in each.who)
        return self._mark("W", who=members, scope=match[1].strip("‹› ") if match[1] else "")

    def _before(self, match: re.Match[str], letter: str, name: str) -> str:
        """Return the mark of the only member or text that is named before a pronoun; else the pronoun."""
        marks = {
            getattr(self._at(mark), name): mark for mark in re.findall(rf"‹{letter}\d+›", match.string[: match.start()])
        }
        return next(iter(marks.values())) if len(marks) == 1 else match[0]

    def _all(self, marks: str, letter: str) -> list[_Named]:
        return [self._at(mark) for mark in re.findall(rf"‹{letter}\d+›", marks)]

    def of_rules(self, kinds: Collection[str] = ()) -> Iterator[Claim]:
        """Yield what phrases claim, of some `kinds` or of all; that all agree only where it tells of a vote or text."""
        for kind, way in self.words.rules:
            for match in way.finditer(self.text) if not kinds or kind in kinds else ():
                if match.start() < self.sure and (kind != "unanimous" or self.words.ways["voted"].search(self.text)):
                    yield self._of_rule(kind, match)

    def _of_rule(self, kind: str, match: re.Match[str]) -> Claim:
        groups = {name: marks for name, marks in match.groupdict().items() if marks}
        before = self.text[: match.start()]
        who = self._all(groups.get("who", groups.get("all", "")), "W")
        clause = (
            self.words.ways["breaks"].split(before)[-1]
            + match[0]
            + self.words.ways["breaks"].split(self.text[match.end() :])[0]
        )
        texts = self._all(groups.get("text", "" if kind in (*OF_MESSAGES, "cast") else clause), "T")
        numbers = tuple(each.number for each in self._all(groups.get("message", ""), "M"))
        return Claim(
            kind,
            tuple([name for each in who for name in each.who] or filter(None, map(self.record.authors.get, numbers))),
            who[0].scope if who else "",
            tuple(each.text for each in texts),
            tuple(each.text for key in ("of", "other") for each in self._all(groups.get(key, ""), "T")),
            numbers,
            next((each.vote for each in self._all(clause, "B")), ""),
            who[0].number if who and who[0].scope == "count" else self._number(groups.get("n")),
            negated=kind == "unanimous"
            and self.words.ways["negation"].search(self.words.ways["breaks"].split(before)[-1]) is not None,
        )

    def _number(self, marks: str | None) -> int | None:
        figures = self._all(marks or "", "N")
        return figures[0].number if figures else {"no": 0, "none": 0, "a single": 1}.get((marks or "").lower())

    def of_verbs(self) -> Iterator[Claim]:
        """Yield what verbs claim of a subject and, behind them, of texts."""
        matches = list(self.words.ways["verb"].finditer(self.text))
        ends = [*(match.start() for match in matches[1:]), *([len(self.text)] * bool(matches))]
        begins, subject = 0, None
        first = re.match(r"[\s\w]{0,6}(‹M\d+›),? ‹W", self.text)
        leading = tuple(each.number for each in self._all(first[1] if first else "", "M"))
        for match, end in zip(matches, ends, strict=True):
            before, after = self.text[begins : match.start()], self.text[match.end() : end]
            begins = match.end()
            subject, between = self._subject(before, subject)
            if match.start() > self.sure:
                return
            claim = self._claim(match, before, after, subject, between)
            if claim is not None:
                yield claim if claim.messages else claim._replace(messages=leading)

    def _subject(self, before: str, carried: _Named | None) -> tuple[_Named | None, str]:
        """Return whose a verb is, the last who are named before it or those of the verb before, and what is between."""
        marks, start = list(_SUBJECT.finditer(before)), self.words.ways["starts"].search(before)
        if not marks:
            return (carried, before[start.start() :]) if start else (None, before)
        last = marks[-1]
        known = self.words.ways["filler"].fullmatch(before, last.end())
        aside = self.words.ways["oblique"].search(before[: last.start()])
        return (self._at(last[0]) if known and not aside else None), before[last.end() :]

    def _claim(
        self, match: re.Match[str], before: str, after: str, subject: _Named | None, between: str
    ) -> Claim | None:
        kind = str(match.lastgroup)
        clause, here = self.words.ways["breaks"].split(before)[-1], self.words.ways["breaks"].split(after)[0]
        ids = re.search(r"((?:‹T\d+›(?:, | and | und )?)+)(?!'s)([^‹]*(?:‹[BM]\d+›[^‹]*)*)$", before)  # before a verb
        itself = self._all(ids[1], "T") if ids and self.words.ways["filler"].fullmatch(ids[2]) else []
        by, texts = self.words.ways["by"].match(after), self._objects(after)
        passive = by is not None and (
            self.words.ways["passive"].search(before) or self.words.ways["be"].match(match[0])
        )
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
        return Claim(
            kind,
            subject.who,
            subject.scope,
            tuple(each.text for each in texts),
            messages=tuple(each.number for each in self._all(here, "M")),
            vote=next((each.vote for each in (*self._all(here, "B"), *self._all(clause, "B")[::-1])), ""),
            number=subject.number if subject.scope == "count" else self._number(counts.get("n")),
            against=self._number(counts.get("against")),
            cast=self._number(counts.get("cast")),
            negated=self.words.ways["negation"].search(between + here * self.words.denied_after) is not None,
        )

    def _objects(self, after: str) -> list[_Named]:
        """Return the texts that a verb is about: those that stand behind it with nothing unknown between."""
        objects, at = list[_Named](), 0
        while (gap := self.words.ways["gap"].match(after, at)) and (mark := _TEXT.match(after, gap.end())):
            if re.match(OWNS, after[mark.end() :]):
                return []
            if objects and not self.words.ways["listed"].match(gap[0]):
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
