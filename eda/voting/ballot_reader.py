"""Reads any ballot: JSON in any dress, or words. What has one reading is read; else it says what must be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eda.events.outcome import Doubt
from eda.events.votes import Rank
from eda.runners.repair import pieces_of, without_thinking
from eda.voting.ballot_clauses import ORDINALS, AskError, clauses_in, ids_of, roles_of
from eda.voting.ballot_prose import Vote, prose_vote
from eda.voting.mentions import NamedText, lettered, mentions, phrase_at, texts_of, tokens_of

_PLACES = {str(place): place for place in range(1, 51)} | {name: at for at, name in enumerate(ORDINALS, 1)}
_BOX = re.compile(r"^(\s*(?:[-*+]|\d+[.)])?\s*)\[([ xX✓✔])\]", re.MULTILINE)
_LISTS = ("label", "accept", "final", "order", "placing", "none", "abstain")
_VOTES = frozenset({"label", "accept", "order", "final", "correction", "none", "abstain", "rest"})
"""Roles of words by which a line that is labelled as a reason may vote as well."""
_LAST_KEY = re.compile(r"""(\w+)["']?\s*:\s*["“'][^"”]*$""")
_DEEPEST = 6
_MOST = 400
"""Values of one answer."""


@dataclass(frozen=True, slots=True)
class BallotRead:
    """What a ballot says, or why its voter must be asked."""

    accepts: list[str | list[str]]
    """The ids of the texts accepted, best first; those that are tied in a list of their own."""
    none: bool = False
    abstain: bool = False
    ask: Doubt | None = None
    """What keeps the ballot from having one reading; None where it has one. Then nothing else is set."""


def read_ballot(raw: str, texts: Iterable[NamedText | Mapping[str, Any]]) -> BallotRead:
    """Return what a ballot accepts of the texts, in whatever form it is written, or why it must be asked about.

    Args:
        raw: the answer of a model or a person.
        texts: in the order shown; each with an `id` and a `text`, and a `title`, a `letter` and `by` where these were
            shown.
    """
    try:
        vote = vote_in(raw, texts_of(texts))
    except AskError as error:
        return BallotRead([], ask=error.doubt)
    accepts = [each if isinstance(each, str) else list(each) for each in vote.accepts]
    return BallotRead(accepts, vote.none, vote.abstain)


def the_one_named(raw: str, choices: Sequence[str]) -> str | None:
    """Return the choice that an answer accepts and no other; None where it names none, or is not clear."""
    try:
        texts = vote_in(raw, lettered(choices)).texts
    except AskError:
        return None
    return texts[0] if len(texts) == 1 else None


def vote_in(raw: str, texts: Sequence[NamedText]) -> Vote:
    """Return the vote of an answer.

    Raises:
        AskError: it has no one reading.
    """
    text = _LABELLED.sub("\n", _CLOSING.sub("", without_thinking(raw)))
    text = _BOX.sub(lambda box: f"{box[1]}{'❌' if box[2] == ' ' else '✅'}", text)
    found = [piece for piece in pieces_of(text) if piece[2]]  # a list of one name is a name in brackets
    pieces = [
        each
        for each in found
        if len(each[2]) > 1 or isinstance(each[2], Mapping) or isinstance(each[2][0], list | dict)
    ]
    if not pieces:
        lines = text.replace("```", "").splitlines()
        parts = [line.partition(":") for line in lines]
        told = {at: what for at, (head, _, what) in enumerate(parts) if what and _role(head, texts) == "because"}
        voting = (line for at, line in enumerate(lines) if at not in told or _roles_in(told[at]) & _VOTES)
        return _with_reason(prose_vote("\n".join(voting), texts), [*told.values()], texts)
    if _cut(text[pieces[-1][0] : pieces[-1][1]], texts):
        raise AskError("other words")
    votes = [_data_vote(value, texts) for _, _, value in pieces]
    if any(vote != votes[-1] for vote in votes):
        between = text[pieces[-2][1] : pieces[-1][0]]
        if _roles_in(between).isdisjoint({"final", "correction"}):
            raise AskError("two votes")
    if any(each.how in ("id", "title", "text") for each in mentions(text[pieces[-1][1] :], texts)):
        raise AskError("other words")
    return votes[-1]


def _data_vote(value: Any, texts: Sequence[NamedText]) -> Vote:
    """Return the vote of a value."""
    data = DataReader(texts)
    vote = _with_reason(data.vote(value), data.reasons, texts)
    if vote.abstain and "none" in _roles_in("\n".join(data.reasons)):
        raise AskError("no choice")
    return vote


def _refused_in(reason: str, texts: Sequence[NamedText]) -> set[str]:
    """Return the texts that a reason refuses by name and in so many words, of whomever: "o2 must be rejected"."""
    refused: set[str] = set()
    for clause in clauses_in(reason, texts):
        named = {*ids_of(item for item in clause if item.how in ("id", "title", "text"))}
        says = any("refuse" in item.roles and "negator" not in item.roles for item in clause if item.ids is None)
        refused |= named if says and len(named) == 1 else set()
    return refused


def _with_reason(vote: Vote, reasons: Sequence[str], texts: Sequence[NamedText]) -> Vote:
    """Return a vote whose reasons do not speak against it."""
    reason = "\n".join(reasons)
    if refused := _refused_in(reason, texts) & {*vote.texts}:
        raise AskError("refuses", refused)
    # in so many words: "I accept o2 only if the gate stays"
    if vote.accepts and any({"accept", "proviso"} <= roles_of(clause) for clause in clauses_in(reason, texts)):
        raise AskError("on a condition", vote.texts)
    return vote


def _cut(piece: str, texts: Sequence[NamedText]) -> bool:
    """Return whether a value breaks off, other than in its reason."""
    key = _LAST_KEY.search(piece)
    return piece.rstrip()[-1] not in "}]" and (key is None or _role(key[1], texts) != "because")


def _roles(text: str) -> Iterable[frozenset[str]]:
    words = [token.word for token in tokens_of(text)]
    return (phrase.roles for at in range(len(words)) if (phrase := phrase_at(words, at)))


def _roles_in(text: str) -> frozenset[str]:
    return frozenset().union(*_roles(text))


def _role(key: str, texts: Sequence[NamedText]) -> str:
    """Return what a key says of its value: a text's id, `1` for a place, or a role."""
    named = mentions(key, texts)
    if len(named) == 1 and named[0].one and (named[0].how != "letter" or len(key.strip()) == 1):
        return f"text {named[0].one}"
    plain = " ".join("".join(f" {char}" if char.isupper() else char for char in key).replace("_", " ").split())
    words = [token.word for token in tokens_of(key.replace("_", " ") if key.isupper() else plain)]
    roles = frozenset[str]()
    at = 0
    while at < len(words):
        phrase = phrase_at(words, at)
        roles |= phrase.roles if phrase else frozenset()
        at += phrase.size if phrase else 1
    if place := next((_PLACES[each] for each in (*words, *roles) if each in _PLACES), 0):
        return str(place)
    order = ("because", "refuse", "abstain", "none", "beside", "score", "label", "accept", "tied", "final", "order")
    if "placing" in roles and "because" not in roles:
        return "placing"
    return next((each for each in order if each in roles), "")


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
        if depth > _DEEPEST or self._left < 0:
            raise AskError("other words")
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
                if len(rows) > 1:
                    raise AskError("two votes", vote.texts)
                return vote
            tied = isinstance(row, list) and len(vote.accepts) > 1
            if isinstance(row, list) and len(vote.texts) < len(row):
                raise AskError("none but lists", vote.texts)
            ranks += [vote.texts] if tied else vote.accepts
        return Vote(self._each_once(ranks))

    def _row(self, row: Mapping[str, Any]) -> tuple[str, Any]:
        """Return the text of a row with its place, or whether it is accepted; None where the row says neither."""
        text = self._text_of(row)
        if text is None:
            raise AskError("other words")
        says = [
            (role, row[key])
            for key in row
            if (role := _role(str(key), self.texts)) != "because"
            if isinstance(row[key], bool | int | float)
            or role == "placing"
            or (role in ("accept", "label") and _truth(row[key]) is not None)
        ]
        if len(says) == 2 and {role for role, _ in says} > {"placing"}:  # "accepted: yes, rank: 2"
            truth = next(_truth(each) for role, each in says if role != "placing")
            return text, next(each for role, each in says if role == "placing") if truth else truth
        if len(says) > 1 or any(role != "placing" and not isinstance(value, bool | str) for role, value in says):
            raise AskError("scores unsaid")
        return text, says[0][1] if says else None

    def _text_of(self, row: Mapping[str, Any]) -> str | None:
        """Return the one text that the values of a row name exactly."""
        named = {
            each.ids
            for key, value in row.items()
            if isinstance(value, str) and _role(str(key), self.texts) != "because"
            for each in mentions(value, self.texts)
        }
        return next(iter(named))[0] if len(named) == 1 and len(next(iter(named))) == 1 else None

    def _rows(self, rows: Sequence[tuple[str, Any]]) -> Vote:
        """Return the vote of texts, each with its place, with yes or no, or with nothing: then they are in order."""
        truths = [_truth(says) for _, says in rows]
        if all(truth is not None for truth in truths):
            taken = tuple(text for (text, _), truth in zip(rows, truths, strict=True) if truth)
            refused = frozenset(text for (text, _), truth in zip(rows, truths, strict=True) if not truth)
            if not taken:
                return Vote(refuses=refused, none=len(refused) == len(self.texts))
            return Vote(taken if len(taken) == 1 else (taken,), refused)
        if all(says is None for _, says in rows):
            return Vote(self._each_once([text for text, _ in rows]))
        if not all(says is None for _, says in rows):
            rows = [row for row in rows if row[1] is not None and _truth(row[1]) is not False]
        places = [int(says) for _, says in rows if isinstance(says, int) or str(says).isdigit()]
        if len(places) != len(rows):
            raise AskError("other words")
        return self._placed(zip(places, (text for text, _ in rows), strict=True))

    def _placed(self, rows: Iterable[tuple[int, Rank]]) -> Vote:
        """Return the vote of texts with their places; those of one place are tied."""
        by_place: dict[int, list[str]] = {}
        for place, rank in rows:
            by_place.setdefault(place, []).extend([rank] if isinstance(rank, str) else rank)
        if sorted(by_place)[:1] not in ([1], []) or len(by_place) != max(by_place, default=0):
            raise AskError("scores unsaid")
        ranks = [
            tuple(by_place[place]) if len(by_place[place]) > 1 else by_place[place][0] for place in sorted(by_place)
        ]
        return Vote(self._each_once(ranks))

    def _each_once(self, ranks: Iterable[Rank]) -> tuple[Rank, ...]:
        once = tuple(dict.fromkeys(ranks))
        texts = Vote(once).texts
        if len({*texts}) != len(texts):
            raise AskError("two votes", texts)
        return once

    def _object(  # noqa: C901 - a case for each role of a key
        self, value: Mapping[str, Any], depth: int, *, placed: bool
    ) -> Vote:
        """Return the vote of an object: its choice begins its ranking, and nothing that it refuses is in it."""
        roles = {str(key): _role(str(key), self.texts) for key in value}
        if len(value) > 1 and all(role.startswith("text ") for role in roles.values()):
            if not placed and {int, float} & {*map(type, value.values())}:
                raise AskError("scores unsaid")
            if not all(isinstance(each, Mapping) for each in value.values()):
                return self._rows([(roles[str(key)].removeprefix("text "), each) for key, each in value.items()])
            return self._list([{**each, "id": key} for key, each in value.items()], depth + 1)
        places, lists, refused = list[tuple[int, Rank]](), list[Vote](), set[str]()
        abstains = False
        for key, each in value.items():
            role = roles[str(key)]
            if role == "because" and isinstance(each, str):
                self.reasons.append(each)
            if role == "because" or (each in (None, "", []) and role != "label"):
                continue
            if role == "refuse":
                vote = self._named(each, depth)
                refused |= {*vote.texts} | vote.refuses
            elif role in ("abstain", "none") and (truth := _truth(each)) is not None:
                abstains |= truth and role == "abstain"
                lists += [Vote(none=True)] if truth and role == "none" else []
            elif role.isdigit():
                vote = self._named(each, depth)
                places += [(int(role), rank) for rank in vote.accepts]
                lists += [vote] if vote.none else []
            elif role == "tied":
                vote = self.vote(each, depth + 1)
                lists.append(Vote((vote.texts,)) if len(vote.texts) > 1 else vote)
            elif role in _LISTS or isinstance(each, Mapping | list) or mentions(str(each), self.texts):
                lists += [] if role in ("beside", "score") else [self.vote(each, depth + 1, placed=role == "placing")]
        if places:
            lists.append(self._placed(places))
        return self._joined(lists, refused, abstains=abstains, silent="score" in roles.values())

    def _named(self, value: Any, depth: int) -> Vote:
        """Return the texts of a field; nothing where it says none."""
        vote = self.vote(value, depth + 1)
        return replace(vote, none=False, abstain=False) if not vote.accepts else vote

    def _joined(self, votes: Sequence[Vote], refused: set[str], *, abstains: bool, silent: bool) -> Vote:
        """Return the one vote of the fields of an object: each must be the beginning of the longest."""
        longest = max(votes, key=lambda vote: (len(vote.texts), -len(vote.accepts)), default=Vote())
        if abstains:
            if longest.accepts or longest.none:
                raise AskError("abstains and votes")
            return Vote(abstain=True)
        for vote in votes:
            begins = vote.accepts == longest.accepts[: len(vote.accepts)] or {*vote.texts} == {*longest.texts}
            if not begins or (vote.none and longest.accepts) or (vote.abstain and (longest.none or longest.accepts)):
                raise AskError("not first", (*vote.texts[:1], *longest.texts[:1]))
        if refused & {*longest.texts}:
            raise AskError("refuses", refused & {*longest.texts})
        if not longest:
            if refused and refused == {each.id for each in self.texts}:
                return Vote(none=True)
            raise AskError("scores unsaid" if silent else "no choice")
        return replace(longest, refuses=frozenset(refused) | longest.refuses)


def _truth(value: Any) -> bool | None:
    """Return what yes or no says; None of anything else."""
    if isinstance(value, bool):
        return value
    roles = [*_roles(value)] if isinstance(value, str) and len(value) < 30 else []
    sides = {"no" in each for each in roles if each & {"yes", "no"}}
    return not sides.pop() if len(sides) == 1 and len(roles) == 1 else None


_SURE = re.compile(r"\bconfiden(?:ce|t)\b[^\d.;!?]{0,12}(\d{1,3}(?:[.,]\d+)? ?(?:%|/ ?10\b)?)", re.IGNORECASE)
_MOVED = re.compile(
    r"\bm(\d{1,6})(?: has| really)? (?:moved|convinced|persuaded) me\b|"
    r"\b(?:moved|convinced|persuaded)(?: most)? by:? \**m(\d{1,6})\b",
    re.IGNORECASE,
)
_LABELS = (
    r"reasons?|why|because|grund|gründe|begründung|warum|weil|raison|pourquoi|parce que|motivo|porque|razón|perché|"
    r"reden|omdat"
)
_LABELLED = re.compile(rf"(?<=[.!?])\s+(?=(?:{_LABELS})\s*:)", re.IGNORECASE)
_WHY = re.compile(rf"(?<!\w)(?:{_LABELS})(?!\w)[\s*_:\"']*(\S.*)", re.IGNORECASE | re.DOTALL)
_CLOSING = re.compile(
    r"(?:(?<=[.!?\n])|^)\s*(?:(?:best|kind|warm) (?:regards|wishes)|regards|(?:yours )?sincerely|yours truly|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|beste|herzliche|liebe) grüße|cordialement|bien à vous|"
    r"(?:un )?saludos?|cordiali saluti|atenciosamente|met vriendelijke groet)[,!.]?[^\d\n:>=,]{0,40}\s*$",
    re.IGNORECASE,
)
"""A courtesy that ends an answer, with a name."""
_MESSAGE = re.compile(r"\s*\[?(\d{1,6})\]?\s*|[^\d]*?\bm(\d{1,6})\b\D*", re.IGNORECASE)
"""A message as what moved a voter: its number, also beside its speaker's name."""


def said_beside(text: str) -> dict[str, Any]:
    """Return `confidence`, `moved_by` and `reason` as far as an answer says them.

    The reason is what stands behind a key or a label that says so; a vote alone is none.
    """
    text = _CLOSING.sub("", text)
    data = [value for _, _, value in pieces_of(text) if isinstance(value, Mapping)]
    told = [each for value in data for key, each in value.items() if re.fullmatch(_LABELS, str(key).strip().lower())]
    sure, moved, why = _SURE.search(text), _MOVED.search(text), None if data else _WHY.search(text)
    reason = " ".join(map(str, told)) or (why[1] if why else "")
    says = {"confidence": sure and sure[1].strip(), "moved_by": moved and f"m{moved[1] or moved[2]}", "reason": reason}
    return {name: value for name, value in says.items() if value}


def moved_by(data: Mapping[str, Any]) -> int | None:
    """Return the number of the message that moved the voter; None where it names none in that form."""
    wanted = data.get("moved_by")
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return wanted if wanted > 0 else None
    number = _MESSAGE.fullmatch(wanted) if isinstance(wanted, str) else None
    return int(number[1] or number[2]) or None if number else None
