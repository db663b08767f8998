"""Reads ballots: tolerantly where the meaning is clear, strictly where an answer says two things at once.

What is wrong is a doubt, of which the voter is asked in words. An option may be written in any way that names one text.
Figures and lists may be words, as models write them ("80 %", "8/10", "A > B > C"). A null or "abstain" is an
abstention, "none" accepts none of the texts, and both are final: no other field makes a vote of them. A block counts
whatever else the ballot says. A name in a list that cannot be read is a doubt. Scores that nothing counts are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

from eda.events.doubts import Doubt
from eda.events.votes import HALF, NONE, BallotText, Rank, flat, ranks_of
from eda.runners.answers import figure, share
from eda.text import bare, shorten
from eda.voting.ballot_order import AskError
from eda.voting.ballot_prose import Vote, prose_vote
from eda.voting.ballot_reader import moved_by, said_beside, vote_in
from eda.voting.mentions import NamedText, lettered, offered
from eda.voting.questions import by_ids, question
from eda.voting.refusals import refusal
from eda.voting.rules import Counts

T = TypeVar("T")
_MOST_REASON = 300  # Characters of a reason.
_TOP_SCORE = 10
_FIELDS = ("choice", "ranking", "approved", "scores", "blocked", "abstain")
_NAMES = ("choice", "option", "name", "text", "value")  # The fields of an object that stands for an option.


class _WrongError(ValueError):
    """An answer is no ballot."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.kind)
        self.doubt = doubt


def read_ballot(
    data: Mapping[str, Any] | None,
    text: str,
    choices: Sequence[str],
    counts: Counts = "firsts",
    *,
    ids: Mapping[str, str] | None = None,
    shown: Sequence[BallotText] = (),
    ended: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the `Ballot` except its agent, and ""; or None, and what is wrong with the answer.

    Fields with doubts are a ballot that counts, about which its voter should be asked once: its reason refuses what it
    accepts, a name in a list cannot be read, or it lists texts beside `none`.

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
    """
    texts = offered(shown) if shown else lettered(choices, ids)
    words, ids = {each.id: each.text for each in texts}, ids or {}
    try:
        if data is None or not any(name in data for name in _FIELDS):
            fields = _from_text(data or {}, text, texts)
        else:
            fields = _from_data(data, texts, counts)
    except _WrongError as wrong:  # the voter is asked once: about everything that is wrong
        listed = str([(data or {}).get(name) for name in ("choice", "ranking", "approved")])
        named = [each.id for each in texts if each.id in listed or each.text.rstrip(".") in listed]
        doubts = (wrong.doubt, *refusal(_reason(data or {}), named, texts))
        return None, question(_told(doubts, words, ids), choices, ids, ended)
    if counts == "scores" and fields["ranking"] and not fields["scores"]:
        return None, question([Doubt("no scores")], choices, ids)
    doubts = (*fields["doubts"], *refusal(fields["reason"], fields["approved"], texts))
    doubts = _told(doubts, words, ids)
    return {**_in_words(fields, words), "doubts": by_ids(doubts, ids)}, question(doubts, choices, ids, ended)


def _told(doubts: Iterable[Doubt], words: Mapping[str, str], ids: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return doubts with the words of texts that have no ids."""
    names = {key: key if key in ids else text for key, text in words.items()}
    return tuple(replace(each, texts=tuple(names.get(text, text) for text in each.texts)) for each in doubts)


def _in_words(fields: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields with the words of each text in place of its id."""

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {words[key]: score for key, score in value.items()}
        return tuple(map(named, value)) if isinstance(value, tuple) else words.get(value, value)

    texts = ("choice", "ranking", "approved", "also", "apart", "scores", "blocked")
    return {name: named(value) if name in texts else value for name, value in fields.items()}


def _from_text(data: Mapping[str, Any], text: str, texts: Sequence[NamedText]) -> dict[str, Any]:
    """Read a vote in any other form."""
    try:
        vote = vote_in(text, texts)
    except AskError as error:
        said = error.doubt.texts or error.doubt.words
        raise _WrongError(error.doubt if said else Doubt("unknown", words=shorten(text, _MOST_REASON))) from error
    if vote.none or vote.abstain:
        votes = _Votes(NONE if vote.none else None, also=vote.beside if vote.none else ())
    else:
        best = next(iter(vote.accepts), None)
        votes = _Votes(best if isinstance(best, str) else None, vote.accepts, vote.texts, vote.beside)
    return _fields(votes, {**said_beside(text), **data})


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
    own = {"moved_by": moved_by(data), "confidence": _confidence(data), "reason": _reason(data)}
    return {**votes._asdict(), **own}


def _from_data(data: Mapping[str, Any], texts: Sequence[NamedText], counts: Counts) -> dict[str, Any]:
    listed = data.get("ranking")
    alone = listed[0] if isinstance(listed, list) and len(listed) == 1 else listed
    if "choice" not in data and isinstance(alone, str) and bare(alone) in (NONE, "abstain"):
        data = {**data, "choice": alone, "ranking": None}
    abstains, wanted = data.get("abstain"), data.get("choice")
    if abstains not in (None, False, True):
        raise _WrongError(Doubt("no truth value", field="abstain"))
    named = None if wanted is None else _chosen(wanted, texts)
    if abstains and named not in (None, NONE):
        raise _WrongError(Doubt("abstains and votes"))
    final = abstains or named == NONE or (named is None and "choice" in data)
    doubts: list[Doubt] = []
    if final:
        choice = None if abstains or named is None else NONE
        blocked = _listed(data, "blocked", texts, needed=counts == "blocks")
        doubts += _beside(data, texts) if choice else ()
        votes = _Votes(choice, blocked=blocked)
    else:
        votes = _votes(data, texts, counts, named, doubts)
    if votes.choice is not None or not final:
        votes = votes._replace(also=tuple(dict.fromkeys(filter(None, _taken(data, "also", texts, doubts)))))
    return {**_fields(votes._replace(doubts=tuple(doubts)), data), "apart": _apart(data.get("apart"), texts)}


def _apart(pairs: Any, texts: Sequence[NamedText]) -> tuple[tuple[str, ...], ...]:
    """Return the pairs of texts that a ballot says rule one another out; what is no pair of ids says nothing."""
    known, listed = {each.id for each in texts}, pairs if isinstance(pairs, list) else ()
    rows = (tuple(sorted({*map(str, pair)})) for pair in listed if isinstance(pair, list | tuple))
    return tuple(dict.fromkeys(row for row in rows if len(row) == 2 and known.issuperset(row)))


def _beside(data: Mapping[str, Any], texts: Sequence[NamedText]) -> tuple[Doubt, ...]:
    """Return the doubt of a ballot that lists texts although its choice is none of them: it says two things."""
    listed = [each for field in ("ranking", "approved") for each in _taken(data, field, texts, [])]
    return (Doubt("none but lists"),) if any(each and each != NONE for each in listed) else ()


def _votes(
    data: Mapping[str, Any], texts: Sequence[NamedText], counts: Counts, named: str | None, doubts: list[Doubt]
) -> _Votes:
    """Read the fields beside the choice; scores and blocks that nothing counts may be unreadable beside a choice."""
    ranking = _ranked(data, texts, named, doubts)
    approved = tuple(filter(None, _taken(data, "approved", texts, doubts)))
    scores = _readable(lambda: _scores(data, texts), needed=named is None or counts == "scores") or {}
    blocked = _listed(data, "blocked", texts, needed=named is None or counts == "blocks")
    if ranking[:1] == (NONE,):
        return _Votes(NONE, blocked=blocked)
    accepted = flat(ranking)
    ranking = ranks_of(ranking, accepted[: accepted.index(NONE)] if NONE in accepted else None)
    best = ranking[0] if ranking else _implied(approved, scores)
    choice = named or (best if isinstance(best, str) else None)
    # Whoever chooses a text does not block it: that is a slip. Whoever blocks another text does not accept it.
    blocked = tuple(each for each in blocked if each != choice)
    ranking = ranks_of(ranking, {*flat(ranking)} - {*blocked})
    choice = choice or next((each for each in ranking[:1] if isinstance(each, str)), None)
    votes = _Votes(choice, ranking, approved, (), scores, blocked, tuple(doubts))
    _check(votes)
    return _accepting(votes, scored=counts == "scores" or named is None)


def _ranked(
    data: Mapping[str, Any], texts: Sequence[NamedText], named: str | None, doubts: list[Doubt]
) -> tuple[Rank, ...]:
    """Return the ranking, among whose first the choice must be where one is named, and readable where none is."""
    wanted, ties = _parts(data.get("ranking"), texts), []
    if "choice" not in data and isinstance(wanted, list):  # by schema, which cannot forbid to repeat an id
        wanted = [row for at, row in enumerate(wanted) if row not in wanted[:at]]
    data = {**data, "ranking": wanted}
    if isinstance(wanted, list) and any(isinstance(row, list) for row in wanted):
        ties = [len(row) if isinstance(row, list) else 1 for row in wanted]
    listed = _taken(data, "ranking", texts, doubts)
    first = listed[: ties[0] if ties else 1]
    if named is not None and first and not {named, ""} & {*first}:
        raise _WrongError(Doubt("not first", (named, listed[0])))
    if named is None and first[:1] == [""]:
        raise _WrongError(doubts[0] if doubts else Doubt("abstains and votes"))
    ends = [*accumulate(ties)] or range(1, len(listed) + 1)
    rows = [tuple(filter(None, listed[begin:end])) for begin, end in pairwise([0, *ends])]
    if any(NONE in row and len(row) > 1 for row in rows):
        raise _WrongError(Doubt("none but lists"))
    ranks = ranks_of(rows)
    return ranks_of((named, *ranks)) if named in flat(ranks) and named else ranks


def _check(votes: _Votes) -> None:
    """Refuse votes that say nothing, or two things at once."""
    choice, approved = votes.choice, votes.approved
    if set(approved) & set(votes.blocked):
        raise _WrongError(Doubt("blocked and approved"))
    if choice is None and not (votes.ranking or approved or votes.scores or votes.blocked):
        raise _WrongError(votes.doubts[0] if votes.doubts else Doubt("no choice"))
    if approved and choice is not None and choice not in approved:
        raise _WrongError(Doubt("choice left out", (choice,)))


def _accepting(votes: _Votes, *, scored: bool) -> _Votes:
    """Return the votes with all that they accept; `scored`: by their scores where they list nothing."""
    choice, ranking, approved, scores = votes.choice, votes.ranking, votes.approved, votes.scores
    if approved:
        ranking = ranks_of(ranking, approved)
    elif scored and not ranking:
        approved = tuple(sorted((each for each in scores if scores[each] > HALF), key=lambda each: -scores[each]))
        ranking = approved if len({scores[each] for each in approved}) == len(approved) else ()
    ranking = ranks_of((choice, *ranking)) if choice is not None else ranking
    return votes._replace(ranking=ranking, approved=tuple(dict.fromkeys((*flat(ranking), *approved))))


def _readable(reader: Callable[[], T], *, needed: bool) -> T | None:
    """Return what a reader returns; None where it refuses a field that is not needed."""
    try:
        return reader()
    except _WrongError:
        if needed:
            raise
        return None


def _implied(approved: Sequence[str], scores: Mapping[str, float]) -> str | None:
    """Return the first choice of a ballot that ranks nothing; None if several are level or none is above the middle."""
    best = max(scores.values(), default=0)
    top = [choice for choice, score in scores.items() if score == best > HALF] or list(approved)
    return top[0] if len(top) == 1 else None


def _listed(data: Mapping[str, Any], field: str, texts: Sequence[NamedText], *, needed: bool) -> tuple[str, ...]:
    """Return the options that a field lists, each once; none where it cannot be read and is not needed."""
    return tuple(dict.fromkeys(_readable(lambda: _options(data.get(field), field, texts), needed=needed) or ()))


def _taken(data: Mapping[str, Any], field: str, texts: Sequence[NamedText], doubts: list[Doubt]) -> list[str]:
    """Return the texts that a list accepts, with "" for what cannot be read; what is wrong is added to the doubts."""
    try:
        return _options(data.get(field), field, texts, doubts)
    except _WrongError as wrong:
        doubts.append(wrong.doubt)
        return []


def _options(wanted: Any, field: str, texts: Sequence[NamedText], doubts: list[Doubt] | None = None) -> list[str]:
    """Return the options that a field names; with `doubts`, "" and a doubt for a name that cannot be read.

    Raises:
        _WrongError: it is no list; without `doubts`, a name cannot be read.
    """
    if wanted is None:
        return []
    wanted = _parts(wanted, texts)
    if not isinstance(wanted, list | tuple):
        raise _WrongError(Doubt("no list", field=field))
    wanted = [one for each in wanted for one in (each if isinstance(each, list) else [each])]
    options: list[str] = []
    for one in wanted:
        try:
            option = _once(_option(one, field, texts), field, options)
            if option == NONE:
                return [*options, NONE] if field == "ranking" else options
        except _WrongError as wrong:
            if doubts is None:
                raise
            doubts.append(wrong.doubt)
            option = ""
        options.append(option)
    return options


def _once(option: str, field: str, before: Sequence[str]) -> str:
    if not option:
        raise _WrongError(Doubt("unknown", field=field, words="abstain"))
    if field == "ranking" and option in before:
        raise _WrongError(Doubt("twice", (option,), field=field))
    return option


def _parts(wanted: Any, texts: Sequence[NamedText]) -> Any:
    """Return the ranks of a list that is written as one text, ties as lists; anything else as it is, in a list."""
    text = wanted[0] if isinstance(wanted, list | tuple) and len(wanted) == 1 else wanted
    if not isinstance(text, str):
        return wanted
    if not text.strip(" []."):
        return []
    try:
        vote = vote_in(text, texts)
    except AskError:
        return [text]
    return [each if isinstance(each, str) else [*each] for each in vote.accepts] or [text]


def _scores(data: Mapping[str, Any], texts: Sequence[NamedText]) -> dict[str, float]:
    wanted = data.get("scores")
    if wanted is None:
        return {}
    rows: Iterable[tuple[Any, Any]]
    if isinstance(wanted, Mapping):
        rows = wanted.items()
    elif isinstance(wanted, list) and all(isinstance(row, Mapping) for row in wanted):
        rows = [(row.get("choice"), row.get("score")) for row in wanted]
    else:
        raise _WrongError(Doubt("scores unreadable"))
    scores: dict[str, float] = {}
    for name, value in rows:
        option = _option(name, "scores", texts)
        if option in ("", NONE):
            raise _WrongError(Doubt("scores unreadable"))
        if option in scores:
            raise _WrongError(Doubt("twice", (option,), field="scores"))
        scores[option] = _score(value, option)
    return scores


def _confidence(data: Mapping[str, Any]) -> float | None:
    """Return how sure the voter is; None where it does not say so in a form that can be read."""
    wanted = share(data.get("confidence"))
    right = isinstance(wanted, int | float) and not isinstance(wanted, bool) and 0 <= wanted <= 1
    return float(wanted) if right else None


def _score(value: Any, option: str) -> float:
    value = figure(value, _TOP_SCORE)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _TOP_SCORE:
        raise _WrongError(Doubt("score out of range", (option,)))
    return float(value)


def _reason(data: Mapping[str, Any]) -> str:
    """Return the reason on one line; empty where none is given in words."""
    wanted = data.get("reason")
    if isinstance(wanted, list) and all(isinstance(line, str) for line in wanted):
        wanted = " ".join(wanted)
    return shorten(" ".join(wanted.split()), _MOST_REASON) if isinstance(wanted, str) else ""


def _chosen(wanted: Any, texts: Sequence[NamedText]) -> str | None:
    """Return the text that the field `choice` names, or `none`; None where it abstains."""
    if isinstance(wanted, list) and wanted:
        if len(wanted) > 1:
            names = {each.id: each.text for each in texts}
            raise _WrongError(Doubt("several choices", tuple(names.get(str(each), str(each)) for each in wanted)))
        wanted = wanted[0]
    return _option(wanted, "choice", texts) or None


def _option(value: Any, field: str, texts: Sequence[NamedText]) -> str:
    """Return the id of the one text that a value names, or `none`; empty where it abstains."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in _NAMES if name in value), value)
    if not isinstance(value, str):
        raise _WrongError(Doubt("not in words", field=field))
    if same := next((each.id for each in texts if value.strip() in (each.text, each.id)), ""):
        return same
    vote, doubt = Vote(), Doubt("unknown")
    try:
        vote = prose_vote(value, texts)
    except AskError as error:
        named = error.doubt.kind in ("two texts", "several texts", "on a condition", "another sense", "no order")
        doubt = error.doubt if named else doubt
    if len(vote.texts) > 1 or doubt.kind == "no order":
        several = vote.texts or doubt.texts
        doubt = Doubt("two texts" if len(several) == 2 else "several texts", several)
    elif vote:
        return NONE if vote.none else "" if vote.abstain else vote.texts[0]
    raise _WrongError(replace(doubt, field=field, words=value))
