"""Reads ballots strictly: an answer that says two things at once, or names no choice, is no ballot.

The fault is described in words that can be sent back to the voter. An option may be written in any case, by its letter
as shown, or in a sentence that names one option and denies none. Figures and lists may be words, as models write them
("80 %", "8/10", "A > B > C").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from eda.runners.answers import figure
from eda.text import shorten
from eda.voting.rules import Counts

__all__ = ["read_ballot", "the_one_named"]

_MOST_REASON = 300
"""Characters of a reason."""
_MOST_QUOTED = 60
_TOP_SCORE = 10
_FIELDS = ("choice", "ranking", "approved", "scores", "blocked", "abstain")
_ABSTAINS = frozenset({"abstain", "i abstain", "abstention", "none", "null"})
_NOTHING = frozenset({"", "none", "null", "n/a", "nothing"})
_LETTER = re.compile(r"[*_`\"']*(?:(?:option|choice) )?[*_`\"'(\[]*([a-z])[*_`\"')\].:]*")
_LETTERED = re.compile(r"\boption [*_`\"'(\[]*([a-z])\b")
_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.)]|[-*•])\s+")
_BETWEEN = ("\n", ">", ";", ",")
"""What stands between the options of a list in words; commas last, since options hold some."""
_ONLY_BETWEEN = re.compile(r"(?:[\s\d>;,.:()*_`\"'-]|\b(?:(?:option )?[a-z]|and|then)\b)*+")
_VOTES = re.compile(
    r"^(?:[^\w\n>]|_)*+(?:i vote|(?:my |final )?(?:vote|choice|answer|ballot)(?: is| goes to)?)\b(?: for\b)?"
    r"[\s:*_]*+(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a longer answer that says what the vote is."""
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|against|reject|oppose|except|cannot|\w*n['’]t|"
    r"nicht|keine?[nmrs]?|gegen|niemals|pas|contre|jamais|sauf)\b"
)


class _WrongError(ValueError):
    """An answer is no ballot; the message says why."""


def read_ballot(
    data: Mapping[str, Any] | None, text: str, choices: Sequence[str], counts: Counts = "firsts"
) -> tuple[dict[str, Any] | None, str]:
    """Return the fields of the `Ballot` except its agent, and ""; or None, and what is wrong with the answer.

    Args:
        data: the structured answer: `choice`, `ranking`, `approved`, `scores`, `blocked`, `abstain`, `confidence`,
            `reason`, each of which may be missing or null. `scores` is an object, or a list of `choice` and `score`.
        text: the whole answer; read where `data` says nothing of the vote.
        choices: in the order in which they were shown.
        counts: what the rule counts. A ballot that votes without giving that is refused.
    """
    try:
        if data is None or not any(name in data for name in _FIELDS):
            fields = _from_text(data or {}, text, choices)
            named = fields["choice"]
        else:
            fields = _from_data(data, choices)
            named = _choice(data, choices)
        _check_counted(fields, named, counts)
    except _WrongError as wrong:
        return None, str(wrong)
    return fields, ""


def _check_counted(fields: Mapping[str, Any], named: str | None, counts: Counts) -> None:
    """Refuse a ballot that names a choice and leaves out the scores or approvals that the rule counts."""
    if counts == "scores" and fields["choice"] and not fields.get("scores"):
        raise _WrongError("the ballot gives no `scores`, from 0 to 10, and they are what is counted")
    if counts == "approvals" and named and not fields.get("approved"):
        raise _WrongError("the ballot names a choice and nothing in `approved`, which is what is counted")


def _from_text(data: Mapping[str, Any], text: str, choices: Sequence[str]) -> dict[str, Any]:
    if _abstains(text, choices):
        choice = None
    else:
        votes = {the_one_named(line, choices) for line in _VOTES.findall(text) or [text]}
        choice = votes.pop() if len(votes) == 1 else None
        if choice is None:
            raise _WrongError("the answer names none of the choices, or more than one")
    named = () if choice is None else (choice,)
    vote = {"choice": choice, "ranking": named, "approved": named}
    return {**vote, "confidence": _confidence(data), "reason": _reason(data)}


def _from_data(data: Mapping[str, Any], choices: Sequence[str]) -> dict[str, Any]:
    ranking = _listed(data, "ranking", choices)
    approved = tuple(dict.fromkeys(_listed(data, "approved", choices, once=False)))
    blocked = tuple(dict.fromkeys(_listed(data, "blocked", choices, once=False)))
    scores = _scores(data, choices)
    choice = _choice(data, choices)
    if choice is not None and ranking and ranking[0] != choice:
        raise _WrongError("`choice` is not the first of `ranking`")
    choice = choice or _implied(ranking, approved, scores)
    if choice in blocked:
        raise _WrongError("`blocked` names the first choice")
    if set(approved) & set(blocked):
        raise _WrongError("`blocked` and `approved` name the same option")
    if data.get("abstain") not in (None, False, True):
        raise _WrongError("`abstain` must be true or false")
    if data.get("abstain") and (choice or approved or scores):
        raise _WrongError("the ballot abstains and votes at once")
    return {
        "choice": choice,
        "ranking": ranking,
        "approved": approved,
        "scores": scores,
        "blocked": blocked,
        "confidence": _confidence(data),
        "reason": _reason(data),
    }


def _implied(ranking: Sequence[str], approved: Sequence[str], scores: Mapping[str, float]) -> str | None:
    """Return the first choice of a ballot without the field `choice`; None where several are level."""
    if ranking:
        return ranking[0]
    top = [choice for choice, score in scores.items() if score == max(scores.values())] or list(approved)
    return top[0] if len(top) == 1 else None


def _choice(data: Mapping[str, Any], choices: Sequence[str]) -> str | None:
    wanted = data.get("choice")
    if wanted is None or (isinstance(wanted, str) and _abstains(wanted, choices)):
        return None
    return _option(wanted, "choice", choices)


def _listed(data: Mapping[str, Any], field: str, choices: Sequence[str], *, once: bool = True) -> tuple[str, ...]:
    wanted = data.get(field)
    if wanted is None:
        return ()
    if isinstance(wanted, str):
        wanted = [wanted]
    if not isinstance(wanted, list | tuple):
        raise _WrongError(f"`{field}` must be a list of options")
    if len(wanted) == 1 and isinstance(wanted[0], str):
        wanted = _parts(wanted[0], choices)
    options: list[str] = []
    for one in wanted:
        option = _option(one, field, choices)
        if once and option in options:
            raise _WrongError(f"`{field}` names {_quoted(option)} twice")
        options.append(option)
    return tuple(options)


def _parts(text: str, choices: Sequence[str]) -> Sequence[str]:
    """Return the options of a list that is written as one text; the text itself where it is no such list."""
    if the_one_named(text, choices) is not None:
        return [text]
    folded, at = _folded(text), dict[int, str]()
    if folded.strip(" .-") in _NOTHING:
        return []
    for choice in sorted(choices, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(_folded(choice))}(?!\w)", folded):
            at[match.start()] = choice
            folded = folded[: match.start()] + " " * len(match[0]) + folded[match.end() :]
    if len(at) > 1 and _ONLY_BETWEEN.fullmatch(folded):
        return [at[start] for start in sorted(at)]
    for between in _BETWEEN:
        parts = [_NUMBERED.sub("", part, count=1).strip() for part in text.split(between) if part.strip()]
        if len(parts) > 1 and all(the_one_named(part, choices) for part in parts):
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
            raise _WrongError(f"`scores` names {_quoted(option)} twice")
        scores[option] = _number(value, f"the score of {_quoted(option)}", _TOP_SCORE)
    return scores


def _confidence(data: Mapping[str, Any]) -> float | None:
    wanted = data.get("confidence")
    return None if wanted is None else _number(wanted, "`confidence`", 1)


def _number(value: Any, what: str, most: int) -> float:
    value = figure(value, most)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise _WrongError(f"{what} must be a number from 0 to {most}")
    return float(value)


def _reason(data: Mapping[str, Any]) -> str:
    wanted = data.get("reason")
    if wanted is None:
        return ""
    if isinstance(wanted, list) and all(isinstance(line, str) for line in wanted):
        wanted = " ".join(wanted)
    if not isinstance(wanted, str):
        raise _WrongError("`reason` must be one line of text")
    return shorten(" ".join(wanted.split()), _MOST_REASON)


def _option(value: Any, field: str, choices: Sequence[str]) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"`{field}` must name options in words")
    option = the_one_named(value, choices)
    if option is None:
        raise _WrongError(f"`{field}` says {_quoted(value)}, which is none of the options")
    return option


def _quoted(text: str) -> str:
    return f"'{shorten(' '.join(text.split()), _MOST_QUOTED)}'"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _abstains(text: str, choices: Sequence[str]) -> bool:
    folded = _folded(text).strip(" .!\"'")
    return folded in _ABSTAINS and folded not in map(_folded, choices)


def the_one_named(text: str, choices: Sequence[str]) -> str | None:
    """Return the choice that the text is, is the letter of, or names as the only one and denies none; else None.

    A letter within a longer text counts only as "option B". A text that names two choices names none.
    """
    folded = _folded(text)
    same: tuple[Callable[[str], bool], ...] = (lambda c: c == text, lambda c: _folded(c) == folded)
    for is_it in same:
        exact = [choice for choice in choices if is_it(choice)]
        if exact:
            return exact[0] if len(exact) == 1 else None
    letter = _LETTER.fullmatch(folded)
    if letter:
        place = ord(letter[1]) - ord("a")
        return choices[place] if place < len(choices) else None
    named: list[str] = []
    for choice in sorted(choices, key=len, reverse=True):  # "Wait a year" before "Wait", which it holds
        rest = re.sub(rf"(?<!\w){re.escape(_folded(choice))}(?!\w)", "\0", folded)
        if rest != folded:
            named.append(choice)
            folded = rest
    places = (ord(letter) - ord("a") for letter in _LETTERED.findall(folded))
    lettered = {choices[place] for place in places if place < len(choices)}
    one = lettered.union(named)
    return one.pop() if len(one) == 1 and not _DENIES.search(folded) else None
