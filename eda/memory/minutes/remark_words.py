"""The words of remarks by role (`remark_words.toml`), and the items and parts of which a line consists."""

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, dropwhile, groupby, takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple

from eda.text import bare, regex
from eda.voting.mentions import Phrase, Phrases, Token, mentions, roles_of, tokens_of

_STANCES = ("deny_oppose", "deny_support", "undecided", "support", "oppose", "yes", "no")
_DENIED = {"support": "deny_support", "oppose": "deny_oppose", "no": "deny_oppose"}
_SIDES, _ANSWERS = frozenset({"for", *_STANCES}), frozenset({"yes", "no"})
_MOVES, _OF = _SIDES | {"withdraw", "met", "amend"}, {"mine", "of_opposition", "of_support", "of_condition"}
_ENDS, _JOINTS, _QUOTES, _PARTS_NOTHING = map(frozenset, (".!?;\n…", ',:-–—()"[]*>/', '"“”„«»', "-/?"))

# The ids of texts in words in lower case, without the zero of a first text: p1 of "p1.0", and not of "p12".
IDS = regex(r"\b([op]\d+(?:\.[1-9]\d*|@\d+)?)")

_LETTERS, _SHORT = (
    {"y": "yes", "j": "ja", "n": "no", "👍": "yes", "👎": "no"},
    {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would", "s": "is"},
)
_LINE = 2000  # Characters of a line that says "all but".

_TEXT, _PLAIN, _OWNED, _UNKNOWN, _SIGHS = (
    frozenset(roles.split()) for roles in ("text", "plain", "text author", "unknown", "sighs")
)
_NAMES: Mapping[str, frozenset[str]] = {"author": frozenset({"author"}), "quotation": frozenset({"text", "part"})}
_MARKS = {**dict.fromkeys(_JOINTS, frozenset({"joint"})), **dict.fromkeys(_ENDS, frozenset({"end"}))}


class Item(NamedTuple):
    """A text that is named, words with roles, a word that is not known, or a mark."""

    roles: frozenset[str]
    start: int
    end: int
    ids: tuple[str, ...] = ()
    exact: bool = True


class Part:
    """A part of a sentence between its marks: its items, and what they come to."""

    def __init__(self, items: list[Item]) -> None:
        self.items, self.start, self.end = items, items[0].start, items[-1].end
        self.sum_up()

    def sum_up(self) -> None:
        """Find the texts and sides in the items; a negation before a side denies it."""
        self.texts = [item for item in self.items if "text" in item.roles]
        # Each with the number of texts before it.
        self.stances: list[tuple[str, int]] = []
        self.roles = set[str]()
        denied, count = False, 0
        for at, item in enumerate(self.items):
            if (stance := self._side(at)) == "unknown":
                self.roles.add("unknown")  # "for the shed and against o2"
            elif stance:
                if denied and stance in _DENIED:
                    self.roles.discard("not")
                self.stances.append((_DENIED.get(stance, stance) if denied else stance, count))
                denied = False
            elif "plain" not in item.roles:
                self.roles |= {*(item.roles - {"for"}), *({"unknown"} if denied and "not" in item.roles else ())}
                denied = "not" in item.roles
            count += "text" in item.roles
        # Whether it takes a side by more than a yes or no; whether it states something, and goes on with no text.
        self.strong = any(stance not in _ANSWERS for stance, _ in self.stances)
        back = bool("withdraw" in self.roles and (self.texts or self.roles & _OF))
        self.states = bool(self.stances and self.texts) or (self.plain and (back or self.strong))

    def _side(self, at: int) -> str:
        """Return the side that an item takes; `for` does right before a text, at the head or behind "and"."""
        roles = self.items[at].roles
        if "for" in roles:
            told = list(dropwhile(lambda each: "plain" in each.roles, reversed(self.items[:at])))
            joins = len(told) < at and told and "text" in told[0].roles  # "against o2 and for o1"
            if joins or all(each.roles & {"plain", "not"} for each in told):
                after = next((each.roles for each in self.items[at + 1 :] if "plain" not in each.roles), ())
                return "support" if "text" in after else "unknown"
        return next((role for role in _STANCES if role in roles), "")

    @property
    def asks(self) -> bool:
        """True if it begins with a word that asks."""
        return "asks" in next((item.roles for item in self.items if "plain" not in item.roles), ())

    @property
    def plain(self) -> bool:
        """True if it has no word that is not read."""
        return not self.roles & {"unknown", "not", "ironic"}

    def refuses(self, on: Container[str | None]) -> bool:
        """Return whether it says no more than that something is not meant, which is in `on`: "not that", "not o1"."""
        return (
            all(key in on for key in ids_in([self]))
            and "not" in self.roles <= {"not", "text", "that"}
            and not self.stances
        )

    def says_more(self, raw: str, on: Container[str | None]) -> bool:
        """Return whether it takes a side, puts, takes back or names a text, and not only one that is in `on`.

        What is asked, told of others or a reason does not; one word of a title may stand in any talk.
        """
        named = [
            each for each in self.texts if each.exact or self.stances or self.plain or " " in raw[each.start : each.end]
        ]
        other = any(len(each.ids) != 1 or each.ids[0] not in on for each in named)
        says = other or self.roles & {"withdraw", "propose", "puts", "amend"} or (self.stances and not self.plain)
        # "o2 is no good for those who work" is its own
        head = (each.roles for each in takewhile(lambda each: each.roles.isdisjoint(_STANCES), self.items))
        return bool(says) and not (
            self.asks or any(each & {"because", "told"} and "plain" not in each for each in head)
        )

    def sides(self) -> list[tuple[str, Item]]:
        """Return each text with the side that it is given; none where that is not clear."""
        stances = self.stances
        if len(set(stances)) > len({before for _, before in stances}):
            return []  # "I am not sure I support it"
        if len({stance for stance, _ in stances}) == 1:
            return [(stances[0][0], item) for item in self.texts]
        if stances[0][1] == 0 and stances[-1][1] < len(self.texts):
            return [([side for side, n in stances if n <= at][-1], item) for at, item in enumerate(self.texts)]
        if stances[0][1] > 0 and stances[-1][1] == len(self.texts):
            return [(next(side for side, n in stances if n > at), item) for at, item in enumerate(self.texts)]
        return []


def parts_of(raw: str, rows: Mapping[str, Mapping[str, Any]]) -> list[list[Part]]:
    """Return the sentences of a line, each in its parts, with the texts among `rows` that it names."""
    sentences: list[list[Part]] = []
    items = _apart(raw, _of_author(raw, list(_items(raw, rows))))
    for ends, sentence in groupby(_bound(raw, items), lambda item: "end" in item.roles):
        if not ends:
            sentences.append([])
            for own in (
                list(each) for joint, each in groupby(sentence, lambda item: "joint" in item.roles) if not joint
            ):
                cut = next((at for at, item in enumerate(own) if at and "because" in item.roles), len(own))
                sentences[-1] += [Part(each) for each in (own[:cut], own[cut:]) if each]  # the reason apart
    return [parts for parts in sentences if parts]


def untitled(raw: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a line with marks for the titles of texts, whose own words state no condition: "Trial until May"."""
    low = raw.casefold()
    titles = (str(row.get("title") or row.get("text") or "").strip(" .") for row in rows)
    own = (title for title in titles if title and title.casefold() in low)
    named = "|".join(map(re.escape, sorted(own, key=len, reverse=True)))
    return (
        re.sub(rf"(?<!\w)(?:{named})(?!\w)", lambda match: "#" * len(match[0]), raw, flags=re.IGNORECASE)
        if named
        else raw
    )


def passed_over(line: str, rows: Mapping[str, Mapping[str, Any]], on: set[str | None]) -> dict[str, None]:
    """Return the texts that sentences of a line name by id or title, where they name none that is in `on`."""
    return {
        key: None
        for parts in parts_of(line, rows)
        if on.isdisjoint(ids_in(parts)) and not line[parts[-1].end :].lstrip().startswith("?")
        if not any(part.roles & {"because", "told", "asks"} for part in parts)
        for item in chain.from_iterable(part.texts for part in parts)
        for key in item.ids * (len(item.ids) == 1)
        if bare(line[item.start : item.end]) in bare(f"{key} {rows[key]['title'] or rows[key]['text']}")
    }


def ids_in(parts: Iterable[Part]) -> list[str]:
    """Return the texts that parts name."""
    return [key for part in parts for item in part.texts for key in item.ids]


def is_brief(text: str) -> bool:
    """Return whether a text has at most two words: "that", "it is"."""
    return sum(token.is_word for token in tokens_of(text)) < 3


def yes_or_no(text: str) -> Literal["yes", "no", ""]:
    """Return whether a text says nothing but yes or no, in whichever language; empty where it says anything else."""
    answer, rest = answer_first(text)
    return "" if rest or answer == "undo" else answer


def answer_first(
    text: str, *, loose: bool = False, known: frozenset[str] = _ANSWERS
) -> tuple[Literal["yes", "no", "undo", ""], str]:
    """Return whether a text says yes or no, alone, before a mark or `loose` words, and what it goes on to say."""
    tokens, sides, at, rest = _tokens(_LETTERS.get(text.strip(" .!").casefold(), text)), set[str](), 0, 0
    words = [token.word for token in tokens]
    while at < len(tokens):
        size, roles = _phrase(words, at)
        opens = known if sides else known | _SIGHS
        if words[at] in _PARTS_NOTHING or (tokens[at].is_word and roles.isdisjoint(opens)):
            break
        sides |= roles & known
        at += size or 1
        rest = at if sides and (loose or at == len(tokens) or not tokens[at - 1].is_word) else rest
    more = text[tokens[rest].start :] if rest < len(tokens) else ""
    hears = more and "hears" in _phrase(words[:1])[1]
    if not rest or ("undo" not in sides and (len(sides) != 1 or hears)):
        return "", text
    return "undo" if "undo" in sides else "yes" if "yes" in sides else "no", more


def undone(text: str) -> str | None:
    """Return what a line says behind "scratch that", "ok, forget it"; None where it takes nothing back so."""
    answer, rest = answer_first(text, known=_ANSWERS | {"undo"})
    return rest if answer == "undo" else None


def all_but(text: str, rows: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Return the texts that a line refuses before it says yes to all else, and those of which it says anything else.

    Such as "not o1, the rest yes" and "no if on o1, the rest yes"; none where it does not say that.
    """
    tokens = _tokens(text if len(text) <= _LINE else "")
    words = [token.word for token in tokens]
    for at, token in enumerate(tokens):
        size, roles = _phrase(words, at)
        if "rest" in roles and at + size < len(tokens) and yes_or_no(text[tokens[at + size].start :]) == "yes":
            listed = [
                Part([*own])
                for part in chain.from_iterable(parts_of(text[: token.start], rows))
                for mark, own in groupby(part.items, lambda item: text[item.start : item.end] == ",")
                if not mark
            ]
            return ids_in(filter(_denies, listed)), ids_in(part for part in listed if not _denies(part))
    return [], []


def _denies(part: Part) -> bool:
    """Return whether a part says no to its texts and no more, or only names them, as one of a list does."""
    sides = {stance for stance, _ in part.stances}
    no = (sides or "not" in part.roles) and sides.isdisjoint({"yes", "support", "undecided"})
    return len(part.items) == len(part.texts) or bool(no and part.roles.isdisjoint({"unknown", "part", "unreal"}))


def answers_only(text: str, rows: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a line has no words but ids, yes, no and "the rest": "o1 not, the rest yes"."""
    items = (item for part in chain.from_iterable(parts_of(text, rows)) for item in part.items)
    said = ((item, text[item.start : item.end].casefold()) for item in items)
    return bool(IDS.search(text.casefold())) and all(
        item.roles & {"yes", "no", "not", "rest"}
        or word in _JOINTS
        or word in {key.removesuffix(".0" * (".0" not in word)) for key in item.ids}
        for item, word in said
    )


@cache
def _phrases() -> Phrases:
    return Phrases(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).values(), _tokens)


def may_take_side(text: str) -> bool:
    """Return whether a text has words without which it takes no side and takes none back: to read it takes longer."""
    words = [token.word for token in _tokens(text)]
    phrases = chain.from_iterable(_phrases().beginning(words, at) for at in range(len(words)))
    return any(not _MOVES.isdisjoint(phrase.roles) for phrase in phrases)


def _tokens(text: str) -> list[Token]:
    """Return words and marks; `I'm` is `I` and `am`."""
    return [
        token._replace(word=_SHORT[token.word])
        if token.word in _SHORT and text[token.start - 1 : token.start] in {"'", "’"}
        else token
        for token in tokens_of(text)
    ]


def _phrase(words: Sequence[str], at: int = 0) -> Phrase:
    """Return the longest phrase that begins at a place of a list of words; of size 0 where none does."""
    return next(_phrases().beginning(words, at), Phrase(0, frozenset()))


def _items(raw: str, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[Item]:
    """Yield what a line consists of."""
    named, tokens = mentions(raw, rows.values(), by_words=True), _tokens(raw)
    spans = {place: each for each in reversed(named) for place in range(each.start, each.end)}
    of = [spans.get(token.start) for token in tokens]
    # No phrase goes on into a name.
    words = [token.word * (each is None or each.how == "words") for token, each in zip(tokens, of, strict=True)]
    at = 0
    while at < len(tokens):
        size, roles = _phrase(words, at)
        mention, token = of[at], tokens[at]
        # "no longer" names no text that has "longer", nor does the "for" that a text has take no side in "for the van".
        opens = mention is not None and (mention.how, mention.start) == ("words", token.start) and roles & _SIDES
        if size > 1 or mention is None or (opens and of[at + 1 : at + 2] == [mention]):
            roles = roles - _SIGHS or (_UNKNOWN if token.is_word else _MARKS.get(token.word, _PLAIN))
            yield Item(roles, token.start, tokens[at + max(size, 1) - 1].end)
            at += size or 1
        else:
            roles = _NAMES.get(mention.how, _TEXT)
            yield Item(roles, token.start, mention.end, mention.ids, exact=mention.how != "words")
            at = next((place for place in range(at, len(of)) if of[place] is not mention), len(of))


def _of_author(raw: str, items: list[Item]) -> list[Item]:
    """Read "Ruth's text" as a text; other names are unknown words."""
    for at, item in enumerate(items):
        if "author" in item.roles:
            near = [*items[max(0, at - 2) : at], *items[at + 1 : at + 3]]
            owns = raw[item.end : item.end + 2].lower() in {"'s", "’s"} or any(
                "proposal" in each.roles or (each in items[at + 1 : at + 2] and {*item.ids} & {*each.ids})
                for each in near
            )
            items[at] = item._replace(roles=_OWNED if owns else _UNKNOWN)
    return items


def _apart(raw: str, items: Iterable[Item]) -> list[Item]:
    """Return items with a text that may be either of two: an id beside another's title, words of two in a phrase."""
    apart: list[Item] = []
    for item in items:
        before = reversed(range(len(apart))) if "text" in item.roles else ()
        last = next((at for at in before if "text" in apart[at].roles), -1)
        one = apart[last] if last >= 0 else item
        if last >= 0 and _is_one_name(raw, one, item):
            apart[last:] = [item._replace(start=one.start, exact=item.exact or (one.exact and one.ids == item.ids))]
            continue
        if last >= 0 and {*one.ids}.isdisjoint(item.ids):
            gap = tokens_of(raw[one.end : item.start])
            phrase = all("plain" in each.roles for each in apart[last + 1 :]) and not any(
                roles_of(token.word) & {"and", "order"} or not token.is_word for token in gap
            )
            if _glosses(raw, one, item, gap) or (phrase and not (one.exact and item.exact)):
                apart[last:] = [Item(one.roles, one.start, item.end, (*one.ids, *item.ids), exact=False)]
                continue
        apart.append(item)
    return apart


def _is_one_name(raw: str, one: Item, item: Item) -> bool:
    """Return whether a text stands behind its author, or its id behind it: "Ruth's loan", "Kit loan (p1.1)"."""
    mark = raw[one.end : item.start].strip(' "”“«»')
    owned = "author" in one.roles and {*item.ids} <= {*one.ids} and mark in {"", "'s", "’s"}
    return owned or (one.ids == item.ids and mark == "(")


def _glosses(raw: str, one: Item, item: Item, gap: Sequence[Token]) -> bool:
    """Return whether an id stands beside the title of another text, which may be meant as well."""
    is_id = [raw[each.start : each.end].lower() in each.ids for each in (one, item)]
    return is_id[0] != is_id[1] and not any(token.is_word or token.word in ",/&+;\n" for token in gap)


def _bound(raw: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield items, marks that part nothing as plain: in "o1, o2", in "yes: o1", and those of a quoted title."""
    # Whether no text has been named since a mark.
    silent = True
    for at, item in enumerate(items):
        before = items[at - 1].roles if at else frozenset[str]()
        after = items[at + 1].roles if at + 1 < len(items) else frozenset[str]()
        mark = raw[item.start : item.end]
        lists = mark in {",", "/"} and "text" in before and "text" in after
        labels = mark == ":" and silent and "text" in after and not before.isdisjoint(_STANCES)
        quotes = (mark in _QUOTES and "text" in (before | after)) or (
            mark == ")" and "text" in before and "(" in raw[items[at - 1].start : items[at - 1].end]
        )
        silent = "text" not in item.roles if item.roles & {"text", "joint", "end"} else silent
        yield (  # "o1 is fine, says Ada" is one part, too
            item._replace(roles=_PLAIN)
            if "joint" in item.roles and (lists or labels or quotes or "says" in after)
            else item
        )
