"""Reads ballots: tolerantly where the meaning is clear, strictly where an answer says two things at once.

What is wrong is a doubt, of which the voter is asked in words. An option may be written in any way that names one text.
Figures and lists may be words, as models write them ("80 %", "8/10", "A > B > C"). A null or "abstain" is an
abstention, "none" accepts none of the texts, and both are final: no other field makes a vote of them. A block counts
whatever else the ballot says. A list that cannot be read is a doubt. Scores that nothing counts are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from eda.events import HALF, NONE, BallotText, Doubt, Rank, flat, ranks_of
from eda.runners.answers import figure, share
from eda.text import regex, shorten
from eda.voting.ballot_clauses import AskError, ask_where
from eda.voting.ballot_data import DataReader
from eda.voting.ballot_prose import Vote
from eda.voting.ballot_reader import moved_by, refused_in, said_beside, vote_in
from eda.voting.mentions import NamedText, lettered, mentions, offered, roles_of, words_of
from eda.voting.rules import Counts
from eda.words import ENGLISH, Words

_PARTS = regex(r"(?<=[.,;:!?])\s+|\n")
_MOST_QUOTED = 60  # Characters of a text that a question quotes.
_MARKS = "\"'“”‘’«»()[]{}.,;:!?…*_`"


def question(
    doubts: Sequence[Doubt],
    ids: Mapping[str, str],
    ended: Mapping[str, str] | None = None,
    words: Words = ENGLISH,
    texts: Sequence[NamedText] = (),
) -> str:
    """Return what a voter is asked about its ballot; empty without doubts.

    A long choice is named by its id, or by its first words where `ids` has none. `ended`: what became of texts that are
    open no more, by their ids. `texts`: those of the ballot, which are told apart by their titles.
    """
    titles = {each.id: each.title for each in texts if each.title}
    asked = [_asked(doubt, ids, ended or {}, words, titles) for doubt in dict.fromkeys(doubts)]
    unknown = next((place for place, doubt in enumerate(dict.fromkeys(doubts)) if doubt.kind == "unknown"), None)
    if unknown is not None and ids:
        asked[unknown] += f": {words.say('doubt-open', ids=[*ids], none=doubts[0].field != 'also')}"
    return "; ".join(asked)


def _asked(
    doubt: Doubt, ids: Mapping[str, str], ended: Mapping[str, str], words: Words, titles: Mapping[str, str]
) -> str:
    """Return one doubt about texts in words."""
    keys = {text: key for key, text in ids.items()}
    texts = [each if each in ids else _quoted(each, keys.get(each, "")) for each in doubt.texts]
    names = {each: f"{each} ({_quoted(titles.get(each) or ids[each], '')})" for each in doubt.texts if each in ids}
    return words.say(
        "doubt-asked",
        kind=doubt.kind.replace(" ", "-"),
        texts=texts,
        titled=[names.get(each) or _quoted(each, "") for each in doubt.texts],
        one=next(iter(texts), ""),
        rest=texts[1:],
        count=len(texts),
        field=doubt.field,
        at=f"m{doubt.at}",
        ended=ended.get(doubt.words, ""),
        told=_quoted(doubt.words, keys.get(doubt.words, "")) if doubt.words or doubt.field else "",
    )


def _quoted(text: str, key: str) -> str:
    """Return a text in quotation marks; a long one by its id, or its first words where it has none."""
    line = " ".join(text.split())
    long = len(line.rstrip(_MARKS)) > _MOST_QUOTED
    return key if long and key else f"'{shorten(line.rstrip(_MARKS), _MOST_QUOTED) if long else line}'"


_MOST_REASON = 300  # Characters of a reason.
_TOP_SCORE = 10
_FIELDS = ("choice", "ranking", "approved", "scores", "blocked", "abstain")
_TOLD = (
    "two texts",
    "several texts",
    "on a condition",
    "another sense",
    "no order",
    "two votes",
)  # What is told of a field.


def read_ballot(
    data: Mapping[str, Any] | None,
    text: str,
    choices: Sequence[str],
    counts: Counts = "firsts",
    *,
    ids: Mapping[str, str] | None = None,
    shown: Sequence[BallotText] = (),
    ended: Mapping[str, str] | None = None,
    language: Words = ENGLISH,
) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the `Ballot` except its agent, and ""; or None, and what is wrong with the answer.

    Fields with doubts are a ballot that counts, about which its voter should be asked once: its reason refuses what it
    accepts, a name in a list cannot be read, or it lists texts beside `none`, or in `also` beside an abstention.

    Args:
        data: the structured answer: `choice`, `ranking`, `approved`, `also`, `scores`, `blocked`, `abstain`,
            `moved_by`, `confidence`, `reason`, each of which may be missing or null. `ranking` names the texts that the
            voter accepts and ends at "none"; `scores` is an object, or a list of `choice` and `score`.
        text: the whole answer; read where `data` says nothing of the vote.
        choices: in the order shown.
        counts: what the rule counts; a ballot that votes without it is refused.
        ids: words of texts by their ids, which name them as well.
        shown: the same texts as the ballot offers them, whose titles and authors name them as well.
        ended: what became of closed texts, by their ids.
        language: in which what is wrong is said; members are asked in English, a person in the debate's.
    """
    texts = offered(shown) if shown else lettered(choices, ids)
    words, ids = {each.id: each.text for each in texts}, ids or {}
    names = words | dict(zip(ids, ids, strict=True))
    try:
        if data is None or not any(name in data for name in _FIELDS):
            fields = _from_text(data or {}, text, texts)
        else:
            fields = _from_data(data, texts, counts)
    except AskError as wrong:  # the voter is asked once: about everything that is wrong
        listed = str([(data or {}).get(name) for name in ("choice", "ranking", "approved")])
        named = [each.id for each in texts if each.id in listed or each.text.rstrip(".") in listed]
        doubts = (_in_its_part(wrong.doubt, text, texts), *_refusal(_reason(data or {}), named, texts))
        return None, question(_told(doubts, names), ids, ended, language, texts)
    if counts == "scores" and fields["ranking"] and not fields["scores"]:
        return None, question([Doubt("no scores")], ids, words=language)
    answers = _answers_beside(fields, shown)
    fields["also"] = tuple(each for each in fields["also"] if each not in answers)
    beside = [Doubt("answer beside", answers, "also")] * bool(answers)
    doubts = _told((*fields["doubts"], *beside, *_refusal(fields["reason"], fields["approved"], texts)), names)
    return {**_in_words(fields, words), "doubts": doubts}, question(doubts, ids, ended, language, texts)


def _in_its_part(doubt: Doubt, text: str, texts: Sequence[NamedText]) -> Doubt:
    """Return a doubt about a word with the part of the answer that has it, and the texts that the answer names."""
    part = next((each.strip(" ,;:") for each in _PARTS.split(text) if doubt.words in each), "") * bool(doubt.words)
    named = dict.fromkeys(each.one for each in mentions(text, texts) if each.how == "id" and each.one)
    return replace(doubt, words=part or doubt.words, texts=tuple(named)) if doubt.kind == "other words" else doubt


def _answers_beside(fields: Mapping[str, Any], shown: Sequence[BallotText]) -> tuple[str, ...]:
    """Return the ids of what a ballot wants beside the answer though it can be that answer alone."""
    return tuple(each.id for each in shown if each.alternative and each.id in fields["also"])


def _refusal(reason: str, accepted: Sequence[str], texts: Sequence[NamedText]) -> tuple[Doubt, ...]:
    """Return the doubt that a reason refuses in so many words what the ballot accepts; empty if it does not."""
    # In one order, so that what is in the texts is looked up once for all voters.
    refused = tuple(each for each in refused_in(reason, sorted(texts)) if each in accepted)
    return (Doubt("refuses", refused),) if refused else ()


def _told(doubts: Iterable[Doubt], names: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return doubts, each once, with the names of texts in place of their ids or words."""
    told = (replace(each, texts=tuple(names.get(text, text) for text in each.texts)) for each in doubts)
    return tuple(dict.fromkeys(told))


def _in_words(fields: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields with the words of each text in place of its id."""

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {words[key]: score for key, score in value.items()}
        return tuple(map(named, value)) if isinstance(value, tuple) else words.get(value, value)

    texts = ("choice", "ranking", "approved", "also", "apart", "scores", "blocked")
    return {name: named(value) if name in texts else value for name, value in fields.items()}


def _from_text(data: Mapping[str, Any], text: str, texts: Sequence[NamedText]) -> dict[str, Any]:
    """Return the fields of a vote in any other form."""
    try:
        vote = vote_in(text, texts)
    except AskError as error:
        said, letters = error.doubt.texts or error.doubt.words, {each.letter.casefold(): each.id for each in texts}
        row = [letters.get(word, "") for word in words_of(text)]  # "a b"
        named = [*dict.fromkeys(row if all(row) else (each.one for each in mentions(text, texts) if each.one))]
        if named and not error.doubt.texts and (not said or error.doubt.kind == "unknown"):
            raise AskError("no order" if len(named) > 1 else "no vote", named) from None
        raise error if said else AskError("unknown", words=shorten(text, _MOST_REASON)) from None
    best = NONE if vote.none else next(iter(vote.accepts), None)
    votes = _Votes(best if isinstance(best, str) else None, vote.accepts, vote.texts)
    return _fields(votes, {**said_beside(text, texts), **data})


class _Votes(NamedTuple):
    """What a ballot wants."""

    choice: str | None
    ranking: tuple[Rank, ...] = ()
    approved: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    scores: Mapping[str, float] = {}
    blocked: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def _fields(votes: _Votes, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the votes with what a ballot says beside them."""
    return votes._asdict() | {"moved_by": moved_by(data), "confidence": _confidence(data), "reason": _reason(data)}


def _from_data(data: Mapping[str, Any], texts: Sequence[NamedText], counts: Counts) -> dict[str, Any]:
    doubts: list[Doubt] = []

    def taken(field: str, *, asked: bool = True) -> Vote:
        try:
            return _vote_of(data, field, texts)
        except AskError as wrong:
            if wrong.doubt.kind == "two votes":
                raise
            doubts.extend([wrong.doubt] * asked)
            return Vote()

    abstains = data.get("abstain")
    ask_where(abstains not in (None, False, True), "no truth value", field="abstain")
    head = _vote_of(data, "choice", texts)
    ask_where(len(head.texts) > 1, "several choices", head.texts)
    ask_where(abstains and head.accepts, "abstains and votes")
    ranked, approved = taken("ranking"), taken("approved").texts
    head = head if "choice" in data else replace(ranked, accepts=())
    blocked = (_vote_of(data, "blocked", texts) if counts == "blocks" else taken("blocked", asked=False)).texts
    also = tuple(dict.fromkeys(taken("also").texts))
    if abstains or head.none or head.abstain:
        none = head.none and not abstains
        two = [Doubt("none but lists")] * bool(none and (ranked.accepts or approved))
        two += [Doubt("abstains beside", also)] * bool(also and not none)
        votes = _Votes(NONE if none else None, also=also * none, blocked=blocked, doubts=tuple(two))
    else:
        scores = _scores(data, texts) if counts == "scores" or not head.accepts else {}
        choice = head.texts[0] if head.accepts else None
        votes = _votes(_Votes(choice, ranked.accepts, approved, also, scores, blocked, tuple(doubts)), counts)
    return {**_fields(votes, data), "apart": _apart(data.get("apart"), texts)}


def _apart(pairs: Any, texts: Sequence[NamedText]) -> tuple[tuple[str, ...], ...]:
    """Return the pairs of texts that a ballot says rule one another out; what is no pair of ids says nothing."""
    known, listed = {each.id for each in texts}, pairs if isinstance(pairs, list) else ()
    rows = (tuple(sorted({*map(str, pair)})) for pair in listed if isinstance(pair, list | tuple))
    return tuple(dict.fromkeys(row for row in rows if len(row) == 2 and known.issuperset(row)))


def _check_choice(votes: _Votes, blocked: Sequence[str]) -> None:
    """Raise AskError where votes say nothing, or two things at once."""
    choice, approved, first = votes.choice, votes.approved, flat(votes.ranking[:1])
    ask_where(first and choice not in (None, *first), "not first", (choice or "", *first[:1]))
    ask_where({*approved} & {*blocked}, "blocked and approved")
    ask_where(approved and choice not in (None, *approved), "choice left out", (choice or "",))
    if choice is None and not (votes.ranking or approved or votes.scores or blocked):
        doubt = votes.doubts[0] if votes.doubts else Doubt("no choice")
        raise AskError(doubt.kind, doubt.texts, doubt.words, field=doubt.field)


def _votes(votes: _Votes, counts: Counts) -> _Votes:
    """Return the votes with all that they accept, by their scores where they list nothing.

    Raises:
        AskError: they say nothing, or two things at once.
    """
    choice, ranking, approved, scores = votes.choice, votes.ranking, votes.approved, votes.scores
    # Whoever chooses a text does not block it: that is a slip. Whoever blocks another text does not accept it.
    blocked = tuple(each for each in dict.fromkeys(votes.blocked) if each != choice)
    _check_choice(votes, blocked)
    if not (ranking or approved) and (counts == "scores" or choice is None):
        liked = sorted((each for each in scores if scores[each] > HALF), key=lambda each: -scores[each])
        ranking = ranks_of(tuple(level) for _, level in groupby(liked, key=lambda each: scores[each]))
    ranking = ranks_of((choice, *ranking) if choice is not None else ranking, approved or None)
    ranking = ranks_of(ranking or approved[: len(approved) == 1], {*flat(ranking), *approved} - {*blocked})
    best = next(iter(ranking), None)
    accepted = tuple(dict.fromkeys((*flat(ranking), *approved)))
    return votes._replace(
        choice=best if isinstance(best, str) else None, ranking=ranking, approved=accepted, blocked=blocked
    )


def _vote_of(data: Mapping[str, Any], field: str, texts: Sequence[NamedText]) -> Vote:
    """Return what a field votes for; nothing where it is missing or empty, an abstention where the choice is null.

    Raises:
        AskError: it has no one reading.
    """
    value = data.get(field)
    said = words_of(str(value)) if field == "also" else ("",)  # "nichts" has no role of its own in a vote
    nothing = not said or (roles_of(*said) | roles_of("sonst", *said)) & {"no", "done"}
    if nothing or value is None or not str(value).strip(" []."):
        return Vote(abstain=field == "choice" and field in data)
    ask_where(
        not isinstance(value, str | list | tuple | Mapping),
        "not in words" if field == "choice" else "no list",
        field=field,
    )
    reader = DataReader(texts)
    try:
        return reader.vote(value)
    except AskError as error:
        told = error.doubt if error.doubt.kind in _TOLD else Doubt("unknown")
        error.doubt = replace(told, field=field, words=reader.last)
        raise


def _scores(data: Mapping[str, Any], texts: Sequence[NamedText]) -> dict[str, float]:
    wanted = {} if data.get("scores") is None else data["scores"]
    rows = [{"choice": key, "score": each} for key, each in wanted.items()] if isinstance(wanted, Mapping) else wanted
    listed = isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows)
    ask_where(not listed, "scores unreadable")
    scores: dict[str, float] = {}
    for row in rows:
        (option,) = _vote_of({"scores": row.get("choice")}, "scores", texts).texts[:1] or (None,)
        if option is None:
            raise AskError("scores unreadable")
        ask_where(option in scores, "twice", (option,), field="scores")
        score = figure(row.get("score"), _TOP_SCORE)
        is_figure = isinstance(score, int | float) and not isinstance(score, bool)
        ask_where(not (is_figure and 0 <= score <= _TOP_SCORE), "score out of range", (option,))
        scores[option] = float(score)
    return scores


def _confidence(data: Mapping[str, Any]) -> float | None:
    """Return how sure the voter is; None where it gives no figure: what "high" is worth nobody said."""
    sure = data.get("confidence")
    wanted = share(None if isinstance(sure, str) and sure.strip()[:1].isalpha() else sure)
    right = isinstance(wanted, int | float) and not isinstance(wanted, bool) and 0 <= wanted <= 1
    return float(wanted) if right else None


def _reason(data: Mapping[str, Any]) -> str:
    """Return the reason on one line; empty where none is given in words."""
    wanted = data.get("reason")
    if isinstance(wanted, list) and all(isinstance(line, str) for line in wanted):
        wanted = " ".join(wanted)
    return shorten(" ".join(wanted.split()), _MOST_REASON) if isinstance(wanted, str) else ""
