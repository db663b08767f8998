"""Reads the values of a ballot in JSON by the roles of their keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from eda.events import Rank
from eda.text import regex
from eda.voting.ballot_clauses import ORDINALS, AskError, ask_where, items_in, roles_of as item_roles, strange_in
from eda.voting.ballot_prose import Vote, prose_vote
from eda.voting.mentions import NamedText, mentions, phrase_at, tokens_of, words_of

_DEEPEST = 6
_MOST = 400  # Values of one answer.
_LISTS = ("label", "accept", "final", "order", "placing", "none", "abstain")
# Words of keys that say nothing of their value but that it is the answer.
_HOLDS = frozenset(
    words_of(
        "choices choice text texts proposal proposals option options id ids item items value values result results"
        " response output content data outcome verdict winner winners recommendation stance shortlist priority"
        " priorities favourites favorites my the of preferred selected final list title"
    )
)
_PLACES = {str(place): place for place in range(1, 51)} | {name: at for at, name in enumerate(ORDINALS, 1)}


def roles_in(text: str) -> frozenset[str]:
    """Return the roles of all words of a text, and of the phrases that they are in."""
    words = [token.word for token in tokens_of(text)]
    phrases = (phrase_at(words, at) for at in range(len(words)))
    return frozenset().union(*(phrase.roles for phrase in phrases if phrase))


def said_by(key: str, texts: Sequence[NamedText]) -> str:
    """Return what a key says of its value: a text's id, `1` for a place, or a role."""
    named = mentions(key, texts)
    if len(named) == 1 and named[0].one and (named[0].how != "letter" or len(key.strip()) == 1):
        return f"text {named[0].one}"
    plain = regex(r"(?<=[a-z])(?=[A-Z])|_").sub(" ", key)
    roles = item_roles(items := items_in(plain, ()))
    # "worst_choice", "reverse_order", "acceptable_if"
    if "because" not in roles and (strange_in(items) or roles & {"condition", "rest", "last"}):
        return "holds" * _HOLDS.issuperset(words_of(plain))
    if place := next((_PLACES[each] for each in (*words_of(plain), *roles) if each in _PLACES), 0) * (
        "in_order" not in roles
    ):
        return str(place)
    order = ("because", "refuse", "abstain", "none", "beside", "score", "label", "accept", "tied", "final", "order")
    if roles & {"placing", "in_order"} and "because" not in roles:
        return "placing"
    return next((each for each in order if each in roles), "holds" * _HOLDS.issuperset(words_of(plain)))


@dataclass(slots=True)
class _Fields:
    """What the fields of an object have said."""

    votes: list[Vote] = field(default_factory=list)
    loose: list[tuple[str, Vote]] = field(default_factory=list)  # Of keys that say nothing of votes.
    places: list[tuple[int, Rank]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    abstains: bool = False


class DataReader:
    """Reads one value of JSON by the roles of its keys."""

    def __init__(self, texts: Sequence[NamedText]) -> None:
        self.texts = texts
        self.reasons: list[str] = []
        self.last = ""
        """The text that was read last, which is at fault where it cannot be read."""
        self._left = _MOST

    def vote(self, value: Any, depth: int = 0, *, placed: bool = False) -> Vote:
        """Return the vote that a value states; `placed`: figures in it are places.

        Raises:
            AskError: it has no one reading.
        """
        self._left -= 1
        ask_where(depth > _DEEPEST or self._left < 0, "other words")
        if isinstance(value, Mapping):
            return self._object(value, depth, placed=placed)
        if isinstance(value, list | tuple):
            return self._list(value, depth)
        if isinstance(value, str) and value.strip():
            self.last = value
            same = next((each.id for each in self.texts if value.strip() in (each.text, each.id)), "")
            return Vote((same,)) if same else prose_vote(value, self.texts)
        return Vote(abstain=value is None)

    def _list(self, rows: Sequence[Any], depth: int) -> Vote:
        if rows and all(isinstance(row, Mapping) for row in rows):
            if len(rows) == 1 and self._text_of(rows[0]) is None:
                return self.vote(rows[0], depth + 1)
            return self._rows([self._row(row) for row in rows])
        ranks: list[Rank] = []
        for row in rows:
            vote = self.vote(row, depth + 1)
            if vote.none and ranks:
                break
            if vote.none or vote.abstain or vote.refuses:
                ask_where(len(rows) > 1, "two votes", vote.texts)
                return vote
            tied = isinstance(row, list) and len(vote.accepts) > 1
            ask_where(isinstance(row, list) and len(vote.texts) < len({*map(str, row)}), "none but lists", vote.texts)
            ranks += [vote.texts] if tied else vote.accepts
        return Vote(self._each_once(ranks, frozenset(map(len, map(str, rows)))))

    def _row(self, row: Mapping[str, Any]) -> tuple[str, Any]:
        """Return the text of a row with its place, or whether it is accepted; None where the row says neither."""
        text = self._text_of(row)
        if text is None:
            raise AskError("other words")
        roles = ((said_by(str(key), self.texts), value) for key, value in row.items())
        says = [(role, value) for role, value in roles if _places_or_accepts(role, value)]
        if len(says) == 2 and {role for role, _ in says} > {"placing"}:  # "accepted: yes, rank: 2"
            truth = next(_truth(each) for role, each in says if role != "placing")
            return text, next(each for role, each in says if role == "placing") if truth else truth
        ask_where(
            len(says) > 1 or any(role != "placing" and not isinstance(value, bool | str) for role, value in says),
            "scores unsaid",
        )
        return text, says[0][1] if says else None

    def _text_of(self, row: Mapping[str, Any]) -> str | None:
        """Return the one text that the values of a row name exactly."""
        named = {
            each.ids
            for key, value in row.items()
            if isinstance(value, str) and said_by(str(key), self.texts) != "because"
            for each in mentions(value, self.texts)
        }
        return next(iter(named))[0] if len(named) == 1 and len(next(iter(named))) == 1 else None

    def _rows(self, rows: Sequence[tuple[str, Any]]) -> Vote:
        """Return the vote of texts, each with its place, with yes or no, or with nothing: then they are in order."""
        if all(says is None for _, says in rows):
            return Vote(self._each_once([text for text, _ in rows]))
        truths = [(text, _truth(says)) for text, says in rows]
        if all(truth is not None for _, truth in truths):
            return self._ruled(truths)
        rows = [row for row in rows if row[1] is not None and _truth(row[1]) is not False]
        places = [int(says) for _, says in rows if isinstance(says, int) or str(says).isdigit()]
        ask_where(len(places) != len(rows), "other words")
        return self._placed(zip(places, (text for text, _ in rows), strict=True))

    def _ruled(self, rows: Sequence[tuple[str, bool | None]]) -> Vote:
        """Return the vote of texts, each with yes or no; those accepted are tied."""
        taken = tuple(text for text, truth in rows if truth)
        refused = frozenset(text for text, truth in rows if not truth)
        if not taken:
            return Vote(refuses=refused, none=len(refused) == len(self.texts))
        return Vote(taken if len(taken) == 1 else (taken,), refused)

    def _placed(self, rows: Iterable[tuple[int, Rank]]) -> Vote:
        """Return the vote of texts with their places; those of one place are tied."""
        by_place: dict[int, list[str]] = {}
        for place, rank in rows:
            by_place.setdefault(place, []).extend([rank] if isinstance(rank, str) else rank)
        ask_where(sorted(by_place)[:1] not in ([1], []) or len(by_place) != max(by_place, default=0), "scores unsaid")
        ranks = [
            tuple(by_place[place]) if len(by_place[place]) > 1 else by_place[place][0] for place in sorted(by_place)
        ]
        return Vote(self._each_once(ranks))

    def _each_once(self, ranks: Sequence[Rank], sizes: frozenset[int] = frozenset()) -> tuple[Rank, ...]:
        """Return ranks with each once; of names of these `sizes`, a letter beside longer ones is no repetition."""
        once = tuple(dict.fromkeys(ranks))
        texts = Vote(once).texts
        ask_where(len({*texts}) != len(texts) or ({1} < sizes and len(once) < len(ranks)), "two votes", texts)
        return once

    def _object(self, value: Mapping[str, Any], depth: int, *, placed: bool) -> Vote:
        """Return the vote of an object: its choice begins its ranking, and nothing that it refuses is in it."""
        roles = {str(key): said_by(str(key), self.texts) for key in value}
        if len(value) > 1 and all(role.startswith("text ") for role in roles.values()):
            ask_where(not placed and {int, float} & {*map(type, value.values())}, "scores unsaid")
            if not all(isinstance(each, Mapping) for each in value.values()):
                return self._rows([(roles[str(key)].removeprefix("text "), each) for key, each in value.items()])
            return self._list([{**each, "id": key} for key, each in value.items()], depth + 1)
        fields = _Fields()
        for key, each in value.items():
            role = roles[str(key)]
            if role == "because" and isinstance(each, str):
                self.reasons.append(each)
            if role != "because" and (each not in (None, "", []) or role == "label"):
                self._field(role, each, depth, fields)
        level = len(fields.places) > 1 and {place for place, _ in fields.places} == {1}
        ask_where(level, "no order", [text for _, text in fields.places if isinstance(text, str)])  # "first": [A, B]
        fields.votes.append(self._placed(fields.places))
        return self._joined(fields, silent="score" in roles.values())

    def _field(self, role: str, value: Any, depth: int, fields: _Fields) -> None:
        """Add what a field says by the role of its key."""
        truth = _truth(value) if role in ("abstain", "none") else None
        if role == "refuse":
            vote = self._named(value, depth)
            fields.refused |= {*vote.texts} | vote.refuses
        elif truth is not None:
            fields.abstains |= truth and role == "abstain"
            fields.votes += [Vote(none=True)] if truth and role == "none" else []
        elif role.isdigit():
            vote = self._named(value, depth)
            fields.places += [(int(role), rank) for rank in vote.accepts]
            fields.votes += [vote] if vote.none else []
        elif role == "tied":
            vote = self.vote(value, depth + 1)
            fields.votes.append(Vote((vote.texts,)) if len(vote.texts) > 1 else vote)
        elif role not in ("beside", "score") and (
            role in _LISTS or isinstance(value, Mapping | list) or mentions(str(value), self.texts)
        ):
            vote = self.vote(value, depth + 1, placed=role == "placing")
            ask_where(vote.accepts and role in ("abstain", "none"), "other words", vote.texts)
            fields.loose += [(role, vote)] * (loose := role in ("", "holds") and not isinstance(value, Mapping))
            fields.votes += [vote] * (not loose)

    def _named(self, value: Any, depth: int) -> Vote:
        """Return the texts of a field; nothing where it says none."""
        vote = self.vote(value, depth + 1)
        return replace(vote, none=False, abstain=False) if not vote.accepts else vote

    def _joined(self, fields: _Fields, *, silent: bool) -> Vote:
        """Return the one vote of the fields of an object: each must be the beginning of the longest."""
        votes = fields.votes if any(fields.votes) else [vote for role, vote in fields.loose if role]
        longest = max(votes, key=lambda vote: (len(vote.texts), -len(vote.accepts)), default=Vote())
        ask_where(
            any(not {*vote.texts} <= {*longest.texts} for _, vote in fields.loose),
            "two votes" if longest else "no choice",
            longest.texts,
        )
        if fields.abstains:
            ask_where(longest.accepts or longest.none, "abstains and votes")
            return Vote(abstain=True)
        for vote in votes:
            begins = vote.accepts == longest.accepts[: len(vote.accepts)] or {*vote.texts} == {*longest.texts}
            ask_where(
                not begins or (vote.none and longest.accepts) or (vote.abstain and (longest.none or longest.accepts)),
                "not first",
                (*vote.texts[:1], *longest.texts[:1]),
            )
        ask_where(refused := fields.refused & {*longest.texts}, "refuses", refused)
        if not longest:
            if fields.refused and fields.refused == {each.id for each in self.texts}:
                return Vote(none=True)
            raise AskError("scores unsaid" if silent else "no choice")
        return replace(longest, refuses=longest.refuses | fields.refused)


def _places_or_accepts(role: str, value: Any) -> bool:
    """Return whether a field of a row says a place, or whether its text is accepted."""
    rules = role in ("accept", "label") and _truth(value) is not None
    return rules or role == "placing" or (role != "because" and isinstance(value, bool | int | float))


def _truth(value: Any) -> bool | None:
    """Return what yes or no says; None of anything else."""
    if isinstance(value, bool):
        return value
    words = items_in(value, ()) if isinstance(value, str) and len(value) < 30 else []
    roles = [item.roles for item in words if item.roles]
    sides = {"no" in each for each in roles if each & {"yes", "no"}}
    return not sides.pop() if len(sides) == 1 and len(roles) == 1 else None
