"""Reads ballots: tolerantly where the meaning is clear, strictly where an answer says two things at once.

What is wrong is a doubt, of which the voter is asked in words. An option may be written as `naming` reads it.
Figures and lists may be words, as models write them ("80 %", "8/10", "A > B > C"). A null or "abstain" is an
abstention, "none" accepts none of the texts, and both are final: no other field makes a vote of them. A block counts
whatever else the ballot says. A name in a list of texts that cannot be read is a doubt; the others stand. Scores and
blocks that nothing counts and that cannot be read are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from eda.events.doubts import Doubt
from eda.events.votes import HALF, NONE
from eda.runners.answers import figure, share
from eda.text import shorten
from eda.voting.naming import choice_in, in_words, no_choice, the_one_named, vote_in
from eda.voting.prose import said_beside, stated_in
from eda.voting.questions import by_ids, question
from eda.voting.refusals import beside_in_prose, refusal
from eda.voting.rules import Counts

T = TypeVar("T")
_MOST_REASON = 300
"""Characters of a reason."""
_TOP_SCORE = 10
_FIELDS = ("choice", "ranking", "approved", "scores", "blocked", "abstain")
_NAMES = ("choice", "option", "name", "text", "value")
"""The fields of an object that stands for an option."""
_NOTHING = frozenset({"", "[]", "none", "null", "n/a", "nothing"})
_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.)]|[-*•])\s+")
_PLACE = re.compile(r"[\s.#]*\d{1,9}[\s.#]*")
_BETWEEN = ("\n", ">", ";", ",")
"""What stands between the options of a list in words; commas last, since options hold some."""
_MESSAGE = re.compile(r"\s*\[?(\d{1,6})\]?\s*|[^\d]*?\bm(\d{1,6})\b\D*", re.IGNORECASE)
"""A message as what moved a voter: its number, also beside its speaker's name."""
_ONLY_BETWEEN = re.compile(r"(?:[\s\d>;,.:()*_`\"'-]|\b(?:(?:option )?[a-z]|and|then)\b)*+")


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
    ended: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the `Ballot` except its agent, and ""; or None, and what is wrong with the answer.

    Fields with doubts are a ballot that can be counted, about which its voter should be asked once: its reason refuses
    what it accepts, a name in a list cannot be read, or it lists texts beside `none`.

    Args:
        data: the structured answer: `choice`, `ranking`, `approved`, `also`, `scores`, `blocked`, `abstain`,
            `moved_by`, `confidence`, `reason`, each of which may be missing or null. `ranking` names the texts that the
            voter accepts and ends at "none"; `scores` is an object, or a list of `choice` and `score`.
        text: the whole answer; read where `data` says nothing of the vote.
        choices: in the order in which they were shown.
        counts: what the rule counts. A ballot that votes without giving that is refused.
        ids: words of texts by their ids, which name them wherever the words do.
        ended: what became of texts that are open no more, by their ids.
    """
    ids = ids or {}
    data, written, text = in_words(data, ids), text, in_words(text, ids)
    try:
        if data is None or not any(name in data for name in _FIELDS):
            fields = _from_text(data or {}, text, written, choices, ids)
        else:
            fields = _from_data(data, choices, counts)
    except _WrongError as wrong:  # the voter is asked once: about everything that is wrong
        listed = str([(data or {}).get(name) for name in ("choice", "ranking", "approved")])
        named = [each for each in choices if each.rstrip(".") in listed]
        doubts = (wrong.doubt, *refusal(_reason(data or {}), named, choices, ids))
        return None, question(doubts, choices, ids, ended)
    if counts == "scores" and fields["choice"] not in (None, NONE) and not fields["scores"]:
        return None, question([Doubt("no scores")], choices, ids)
    doubts = (*fields["doubts"], *refusal(fields["reason"], fields["approved"], choices, ids))
    return {**fields, "doubts": by_ids(doubts, ids)}, question(doubts, choices, ids, ended)


def _from_text(
    data: Mapping[str, Any], text: str, written: str, choices: Sequence[str], ids: Mapping[str, str]
) -> dict[str, Any]:
    """Read a vote in prose, `written` with ids where the text has words. Nothing of further texts is guessed."""
    stated, rest = stated_in(text, choices)
    choice, wrong = vote_in(rest, choices)
    if wrong:
        raise _WrongError(wrong)
    if stated.first not in ("", choice):
        raise _WrongError(Doubt("first and vote", (stated.first, choice or "no text")))
    named = () if choice in (None, NONE) else tuple(dict.fromkeys((choice, *stated.later)))
    unclear = beside_in_prose(rest, choice or "", choices, ids) if named else ()
    also = stated.also if choice else ()
    says = {**said_beside(written), **data}
    return _fields(_Votes(choice, named, named, also, doubts=unclear), says)


class _Votes(NamedTuple):
    """What a ballot wants."""

    choice: str | None
    ranking: tuple[str, ...] = ()
    approved: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    scores: Mapping[str, float] = {}
    blocked: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def _fields(votes: _Votes, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the votes with what a ballot says beside them."""
    own = {"moved_by": _moved_by(data), "confidence": _confidence(data), "reason": _reason(data)}
    return {**votes._asdict(), **own}


def _from_data(data: Mapping[str, Any], choices: Sequence[str], counts: Counts) -> dict[str, Any]:
    abstains, wanted = data.get("abstain"), data.get("choice")
    if abstains not in (None, False, True):
        raise _WrongError(Doubt("no truth value", field="abstain"))
    named = None if wanted is None else _chosen(wanted, choices)
    if abstains and named not in (None, NONE):
        raise _WrongError(Doubt("abstains and votes"))
    final = abstains or named == NONE or (named is None and "choice" in data)
    doubts: list[Doubt] = []
    if final:
        choice = None if abstains or named is None else NONE
        blocked = _listed(data, "blocked", choices, needed=counts == "blocks")
        doubts += _beside(data, choices) if choice else ()
        votes = _Votes(choice, blocked=blocked)
    else:
        votes = _votes(data, choices, counts, named, doubts)
    if votes.choice is not None or not final:
        votes = votes._replace(also=tuple(dict.fromkeys(filter(None, _taken(data, "also", choices, doubts)))))
    return _fields(votes._replace(doubts=tuple(doubts)), data)


def _beside(data: Mapping[str, Any], choices: Sequence[str]) -> tuple[Doubt, ...]:
    """Return the doubt of a ballot that lists texts although its choice is none of them: it says two things."""
    listed = [each for field in ("ranking", "approved") for each in _taken(data, field, choices, [])]
    if not any(each and each != NONE for each in listed):
        return ()
    return (Doubt("none but lists"),)


def _votes(
    data: Mapping[str, Any], choices: Sequence[str], counts: Counts, named: str | None, doubts: list[Doubt]
) -> _Votes:
    """Read the fields beside the choice; scores and blocks that nothing counts may be unreadable beside a choice."""
    ranking = _ranked(data, choices, named, doubts)
    approved = tuple(filter(None, _taken(data, "approved", choices, doubts)))
    scores = _readable(lambda: _scores(data, choices), needed=named is None or counts == "scores") or {}
    blocked = _listed(data, "blocked", choices, needed=named is None or counts == "blocks")
    if ranking[:1] == (NONE,):
        return _Votes(NONE, blocked=blocked)
    ranking = ranking[: ranking.index(NONE)] if NONE in ranking else ranking
    choice = named or (ranking[0] if ranking else _implied(approved, scores))
    # Whoever chooses a text does not block it: that is a slip. Whoever blocks another text does not accept it.
    blocked = tuple(each for each in blocked if each != choice)
    ranking = tuple(each for each in ranking if each not in blocked)
    votes = _Votes(choice, ranking, approved, (), scores, blocked, tuple(doubts))
    _check(votes)
    return _accepting(votes, scored=counts == "scores" or named is None)


def _ranked(data: Mapping[str, Any], choices: Sequence[str], named: str | None, doubts: list[Doubt]) -> tuple[str, ...]:
    """Return the ranking, whose first must be the choice where one is named, and readable where none is."""
    listed = _taken(data, "ranking", choices, doubts)
    if named is not None and listed and listed[0] not in (named, ""):
        raise _WrongError(Doubt("not first", (named, listed[0])))
    if named is None and listed[:1] == [""]:
        raise _WrongError(doubts[0])
    return tuple(filter(None, listed))


def _check(votes: _Votes) -> None:
    """Refuse votes that say nothing, or two things at once."""
    choice, approved = votes.choice, votes.approved
    if set(approved) & set(votes.blocked):
        raise _WrongError(Doubt("blocked and approved"))
    if choice is None and not (approved or votes.scores or votes.blocked):
        raise _WrongError(votes.doubts[0] if votes.doubts else Doubt("no choice"))
    if approved and choice is not None and choice not in approved:
        raise _WrongError(Doubt("choice left out", (choice,)))


def _accepting(votes: _Votes, *, scored: bool) -> _Votes:
    """Return the votes with all that they accept; `scored`: by their scores where they list nothing."""
    choice, ranking, approved, scores = votes.choice, votes.ranking, votes.approved, votes.scores
    if approved:
        ranking = tuple(each for each in ranking if each in approved)
    elif scored and not ranking:
        approved = tuple(sorted((each for each in scores if scores[each] > HALF), key=lambda each: -scores[each]))
        ranking = approved if len({scores[each] for each in approved}) == len(approved) else ()
    ranking = tuple(dict.fromkeys((choice, *ranking))) if choice is not None else ranking
    return votes._replace(ranking=ranking, approved=tuple(dict.fromkeys((*ranking, *approved))))


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


def _listed(data: Mapping[str, Any], field: str, choices: Sequence[str], *, needed: bool) -> tuple[str, ...]:
    """Return the options that a field lists, each once; none where it cannot be read and is not needed."""
    return tuple(dict.fromkeys(_readable(lambda: _options(data.get(field), field, choices), needed=needed) or ()))


def _taken(data: Mapping[str, Any], field: str, choices: Sequence[str], doubts: list[Doubt]) -> list[str]:
    """Return the texts that a list accepts, with "" for what cannot be read; what is wrong is added to the doubts."""
    try:
        return _options(data.get(field), field, choices, doubts)
    except _WrongError as wrong:
        doubts.append(wrong.doubt)
        return []


def _options(wanted: Any, field: str, choices: Sequence[str], doubts: list[Doubt] | None = None) -> list[str]:
    """Return the options that a field names; with `doubts`, "" and a doubt for a name that cannot be read.

    Raises:
        _WrongError: it is no list; without `doubts`, a name cannot be read.
    """
    if wanted is None:
        return []
    wanted = _as_list(wanted)
    if not isinstance(wanted, list | tuple):
        raise _WrongError(Doubt("no list", field=field))
    if len(wanted) == 1 and isinstance(wanted[0], str):
        wanted = _parts(wanted[0], choices, field)
    options: list[str] = []
    for one in wanted:
        if field == "ranking" and isinstance(one, str) and no_choice(one, choices) == NONE:
            return [*options, NONE]
        try:
            option = _once(_option(one, field, choices), field, options)
        except _WrongError as wrong:
            if doubts is None:
                raise
            doubts.append(wrong.doubt)
            option = ""
        options.append(option)
    return options


def _once(option: str, field: str, before: Sequence[str]) -> str:
    if field == "ranking" and option in before:
        raise _WrongError(Doubt("twice", (option,), field=field))
    return option


def _as_list(wanted: Any) -> Any:
    """Return the list that a text or a map stands for: places to options, or options to places, or to yes and no."""
    if isinstance(wanted, str):
        return [wanted]
    if not isinstance(wanted, Mapping):
        return wanted
    if all(_PLACE.fullmatch(str(key)) for key in wanted):
        return [wanted[key] for key in sorted(wanted, key=lambda key: int(str(key).strip(" .#")))]
    if all(isinstance(value, bool) for value in wanted.values()):
        return [key for key, value in wanted.items() if value]
    if all(isinstance(value, int | float) for value in wanted.values()):
        return sorted(wanted, key=lambda key: wanted[key])
    return wanted


def _parts(text: str, choices: Sequence[str], field: str) -> Sequence[str]:
    """Return the options of a list that is written as one text; the text itself where it is no such list."""
    if the_one_named(text, choices) is not None:
        return [text]
    folded, at = _folded(text), dict[int, str]()
    if folded.strip(" .-") in _NOTHING:
        return [NONE] if field == "ranking" and folded.strip(" .-") == NONE else []
    for choice in sorted(choices, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(_folded(choice).rstrip('.'))}(?!\w)", folded):
            at[match.start()] = choice
            folded = folded[: match.start()] + " " * len(match[0]) + folded[match.end() :]
    if len(at) > 1 and _ONLY_BETWEEN.fullmatch(folded):
        return [at[start] for start in sorted(at)]
    for between in _BETWEEN:
        parts = [_NUMBERED.sub("", part, count=1).strip() for part in text.split(between) if part.strip()]
        if len(parts) > 1 and all(the_one_named(p, choices) or no_choice(p, choices) == NONE for p in parts):
            return parts
    return [text]


def _scores(data: Mapping[str, Any], choices: Sequence[str]) -> dict[str, float]:
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
        option = _option(name, "scores", choices)
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


def _moved_by(data: Mapping[str, Any]) -> int | None:
    """Return the number of the message that moved the voter; None where it names none in that form."""
    wanted = data.get("moved_by")
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return wanted if wanted > 0 else None
    number = _MESSAGE.fullmatch(wanted) if isinstance(wanted, str) else None
    return int(number[1] or number[2]) or None if number else None


def _reason(data: Mapping[str, Any]) -> str:
    """Return the reason on one line; empty where none is given in words."""
    wanted = data.get("reason")
    if isinstance(wanted, list) and all(isinstance(line, str) for line in wanted):
        wanted = " ".join(wanted)
    return shorten(" ".join(wanted.split()), _MOST_REASON) if isinstance(wanted, str) else ""


def _chosen(wanted: Any, choices: Sequence[str]) -> str | None:
    """Return the choice that the field `choice` names, also in a sentence, or `none`; None where it abstains."""
    if isinstance(wanted, list) and wanted:
        if len(wanted) > 1:
            raise _WrongError(Doubt("several choices", tuple(map(str, wanted))))
        wanted = wanted[0]
    if isinstance(wanted, bool):
        wanted = "yes" if wanted else "no"
    if isinstance(wanted, str):
        if says := no_choice(wanted, choices):
            return NONE if says == NONE else None
        if choice_in(wanted, choices)[1] == Doubt("unknown"):
            choice, wrong = vote_in(wanted, choices)
            if not wrong:
                return choice
    return _option(wanted, "choice", choices)


def _option(value: Any, field: str, choices: Sequence[str]) -> str:
    if isinstance(value, Mapping):
        value = next((value[name] for name in _NAMES if name in value), value)
    if isinstance(value, Mapping) and len(value) == 1:
        value = next(key if named is True else named for key, named in value.items())
    if not isinstance(value, str):
        raise _WrongError(Doubt("not in words", field=field))
    option, wrong = choice_in(value, choices)
    if option is None and wrong:
        raise _WrongError(replace(wrong, field=field, words=value))
    return option or ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
