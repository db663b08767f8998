"""Reads ballots: tolerantly where the meaning is clear, strictly where an answer says two things at once.

The fault is described in words that can be sent back to the voter. An option may be written as `naming` reads it.
Figures and lists may be words, as models write them ("80 %", "8/10", "A > B > C"). A null or "abstain" is an
abstention, "none" accepts none of the texts, and both are final: no other field makes a vote of them. A block counts
whatever else the ballot says. A name in a list of texts that cannot be read is a fault; the others stand. Scores and
blocks that nothing counts and that cannot be read are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from eda.events.votes import HALF, NONE
from eda.runners.answers import figure, share
from eda.text import shorten
from eda.voting.choices import quoted_answer, quoted_choice, told
from eda.voting.naming import NONE_NAMED, choice_in, in_words, no_choice, the_one_named, vote_in
from eda.voting.prose import said_beside, stated_in
from eda.voting.refusals import in_prose_fault, refusal_fault, with_ids
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
    """An answer is no ballot; the message says why."""


def read_ballot(
    data: Mapping[str, Any] | None,
    text: str,
    choices: Sequence[str],
    counts: Counts = "firsts",
    *,
    ids: Mapping[str, str] | None = None,
) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the `Ballot` except its agent, and ""; or None, and what is wrong with the answer.

    Fields with a fault are a ballot that can be counted, about which its voter should be asked once: its reason refuses
    what it accepts, a name in a list cannot be read, or it lists texts beside `none`.

    Args:
        data: the structured answer: `choice`, `ranking`, `approved`, `also`, `scores`, `blocked`, `abstain`,
            `moved_by`, `confidence`, `reason`, each of which may be missing or null. `ranking` names the texts that the
            voter accepts and ends at "none"; `scores` is an object, or a list of `choice` and `score`.
        text: the whole answer; read where `data` says nothing of the vote.
        choices: in the order in which they were shown.
        counts: what the rule counts. A ballot that votes without giving that is refused.
        ids: words of texts by their ids, which name them wherever the words do.
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
        refused = refusal_fault(
            _reason(data or {}), [each for each in choices if each.rstrip(".") in listed], choices, ids
        )
        return None, told(with_ids("; ".join(filter(None, (str(wrong), refused))), ids), choices, ids)
    if counts == "scores" and fields["choice"] not in (None, NONE) and not fields["scores"]:
        return None, "the ballot gives no `scores`, from 0 to 10, and they are what is counted"
    faults = (*fields.pop("faults"), refusal_fault(fields["reason"], fields["approved"], choices, ids))
    return fields, told(with_ids("; ".join(filter(None, dict.fromkeys(faults))), ids), choices, ids)


def _from_text(
    data: Mapping[str, Any], text: str, written: str, choices: Sequence[str], ids: Mapping[str, str]
) -> dict[str, Any]:
    """Read a vote in prose, `written` with ids where the text has words. Nothing of further texts is guessed."""
    stated, rest = stated_in(text, choices)
    choice, wrong = vote_in(rest, choices)
    if not wrong and stated.first not in ("", choice):
        wrong = f"puts {quoted_choice(stated.first)} first and votes for {quoted_choice(choice or 'no text')}"
    if wrong:
        raise _WrongError(f"the answer {wrong}")
    named = () if choice in (None, NONE) else tuple(dict.fromkeys((choice, *stated.later)))
    unclear = in_prose_fault(rest, choice or "", choices, ids) if named else ""
    also = stated.also if choice else ()
    says = {**said_beside(written), **data}
    return _fields(_Votes(choice, named, named, also, faults=(unclear,)), says)


class _Votes(NamedTuple):
    """What a ballot wants."""

    choice: str | None
    ranking: tuple[str, ...] = ()
    approved: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    scores: Mapping[str, float] = {}
    blocked: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def _fields(votes: _Votes, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the votes with what a ballot says beside them."""
    own = {"moved_by": _moved_by(data), "confidence": _confidence(data), "reason": _reason(data)}
    return {**votes._asdict(), **own}


def _from_data(data: Mapping[str, Any], choices: Sequence[str], counts: Counts) -> dict[str, Any]:
    abstains, wanted = data.get("abstain"), data.get("choice")
    if abstains not in (None, False, True):
        raise _WrongError("`abstain` must be true or false")
    named = None if wanted is None else _chosen(wanted, choices)
    if abstains and named not in (None, NONE):
        raise _WrongError("the ballot abstains and votes at once")
    final = abstains or named == NONE or (named is None and "choice" in data)
    faults: list[str] = []
    if final:
        choice = None if abstains or named is None else NONE
        blocked = _listed(data, "blocked", choices, needed=counts == "blocks")
        faults += _beside(data, choices) if choice else ()
        votes = _Votes(choice, blocked=blocked)
    else:
        votes = _votes(data, choices, counts, named, faults)
    if votes.choice is not None or not final:
        votes = votes._replace(also=tuple(dict.fromkeys(filter(None, _taken(data, "also", choices, faults)))))
    return _fields(votes._replace(faults=tuple(faults)), data)


def _beside(data: Mapping[str, Any], choices: Sequence[str]) -> tuple[str, ...]:
    """Return the fault of a ballot that lists texts although its choice is none of them: it says two things."""
    listed = [each for field in ("ranking", "approved") for each in _taken(data, field, choices, [])]
    if not any(each and each != NONE for each in listed):
        return ()
    return (
        "`choice` is none, which refuses every text, but texts are listed: make the best the `choice`, or list none",
    )


def _votes(
    data: Mapping[str, Any], choices: Sequence[str], counts: Counts, named: str | None, faults: list[str]
) -> _Votes:
    """Read the fields beside the choice; scores and blocks that nothing counts may be unreadable beside a choice."""
    ranking = _ranked(data, choices, named, faults)
    approved = tuple(filter(None, _taken(data, "approved", choices, faults)))
    scores = _readable(lambda: _scores(data, choices), needed=named is None or counts == "scores") or {}
    blocked = _listed(data, "blocked", choices, needed=named is None or counts == "blocks")
    if ranking[:1] == (NONE,):
        return _Votes(NONE, blocked=blocked)
    ranking = ranking[: ranking.index(NONE)] if NONE in ranking else ranking
    choice = named or (ranking[0] if ranking else _implied(approved, scores))
    # Whoever chooses a text does not block it: that is a slip. Whoever blocks another text does not accept it.
    blocked = tuple(each for each in blocked if each != choice)
    ranking = tuple(each for each in ranking if each not in blocked)
    votes = _Votes(choice, ranking, approved, (), scores, blocked, tuple(faults))
    _check(votes)
    return _accepting(votes, scored=counts == "scores" or named is None)


def _ranked(data: Mapping[str, Any], choices: Sequence[str], named: str | None, faults: list[str]) -> tuple[str, ...]:
    """Return the ranking, whose first must be the choice where one is named, and readable where none is."""
    listed = _taken(data, "ranking", choices, faults)
    if named is not None and listed and listed[0] not in (named, ""):
        first = quoted_choice(listed[0])
        raise _WrongError(f"`choice` is {quoted_choice(named)}, which is not the first of `ranking`: {first}")
    if named is None and listed[:1] == [""]:
        raise _WrongError(faults[0])
    return tuple(filter(None, listed))


def _check(votes: _Votes) -> None:
    """Refuse votes that say nothing, or two things at once."""
    choice, approved = votes.choice, votes.approved
    if set(approved) & set(votes.blocked):
        raise _WrongError("`blocked` and `approved` name the same option")
    if choice is None and not (approved or votes.scores or votes.blocked):
        raise _WrongError(votes.faults[0] if votes.faults else "the answer has no `choice`")
    if approved and choice is not None and choice not in approved:
        raise _WrongError(f"`approved` leaves out {quoted_choice(choice)}, which is the choice")


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


def _taken(data: Mapping[str, Any], field: str, choices: Sequence[str], faults: list[str]) -> list[str]:
    """Return the texts that a list accepts, with "" for what cannot be read; what is wrong is added to the faults."""
    try:
        return _options(data.get(field), field, choices, faults)
    except _WrongError as wrong:
        faults.append(str(wrong))
        return []


def _options(wanted: Any, field: str, choices: Sequence[str], faults: list[str] | None = None) -> list[str]:
    """Return the options that a field names; with `faults`, "" and a fault for a name that cannot be read.

    Raises:
        _WrongError: it is no list; without `faults`, a name cannot be read.
    """
    if wanted is None:
        return []
    wanted = _as_list(wanted)
    if not isinstance(wanted, list | tuple):
        raise _WrongError(f"`{field}` must be a list of options")
    if len(wanted) == 1 and isinstance(wanted[0], str):
        wanted = _parts(wanted[0], choices, field)
    options: list[str] = []
    for one in wanted:
        if field == "ranking" and isinstance(one, str) and no_choice(one, choices) == NONE:
            return [*options, NONE]
        try:
            option = _once(_option(one, field, choices), field, options)
        except _WrongError as wrong:
            if faults is None:
                raise
            faults.append(str(wrong))
            option = ""
        options.append(option)
    return options


def _once(option: str, field: str, before: Sequence[str]) -> str:
    if field == "ranking" and option in before:
        raise _WrongError(f"`{field}` names {quoted_choice(option)} twice")
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
        raise _WrongError("`scores` must give each option a number")
    scores: dict[str, float] = {}
    for name, value in rows:
        option = _option(name, "scores", choices)
        if option in scores:
            raise _WrongError(f"`scores` names {quoted_choice(option)} twice")
        scores[option] = _number(value, f"the score of {quoted_choice(option)}", _TOP_SCORE)
    return scores


def _confidence(data: Mapping[str, Any]) -> float | None:
    """Return how sure the voter is; None where it does not say so in a form that can be read."""
    wanted = share(data.get("confidence"))
    right = isinstance(wanted, int | float) and not isinstance(wanted, bool) and 0 <= wanted <= 1
    return float(wanted) if right else None


def _number(value: Any, what: str, most: int) -> float:
    value = figure(value, most)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise _WrongError(f"{what} must be a number from 0 to {most}")
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
            raise _WrongError(
                f"`choice` names {len(wanted)} choices: {', '.join(quoted_answer(str(w), choices) for w in wanted[:2])}"
            )
        wanted = wanted[0]
    if isinstance(wanted, bool):
        wanted = "yes" if wanted else "no"
    if isinstance(wanted, str):
        if says := no_choice(wanted, choices):
            return NONE if says == NONE else None
        if choice_in(wanted, choices)[1] == NONE_NAMED:
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
        raise _WrongError(f"`{field}` must name options in words")
    option, wrong = choice_in(value, choices)
    if option is None:
        raise _WrongError(f"`{field}` says {quoted_answer(value, choices)}, which {wrong}")
    return option


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
