"""What a voter is asked about a ballot: each doubt in words that go into its next prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eda.events.doubts import Doubt
from eda.text import shorten

_MOST_QUOTED = 60
"""Characters of a text that a question quotes."""
_MARKS = "\"'“”‘’«»()[]{}.,;:!?…*_`"
_ASKED: dict[str, str] = {
    "refuses": "the reason refuses {all}, which the ballot accepts: leave {all} out of `ranking`, or say in the reason "
    "that you accept it",
    "refused at first": "the reason at first refused {all}, which the ballot accepts: leave {all} out of `ranking`, or "
    "say in the reason that you accept it",
    "opposed": "the ballot accepts {all}, which you opposed in m{at}",
    "beside in prose": "the answer votes for {one} and also names {rest}: list in `ranking` those that you accept, "
    "best first, and in `also` those to adopt beside the answer",
    "none but lists": "`choice` is none, which refuses every text, but texts are listed: make the best the `choice`, "
    "or list none",
    "twice": "`{field}` names {one} twice",
    "no list": "`{field}` must be a list of options",
    "not in words": "`{field}` must name options in words",
    "abstains and votes": "the ballot abstains and votes at once",
    "no truth value": "`{field}` must be true or false",
    "not first": "`choice` is {one}, which is not the first of `ranking`: {rest}",
    "first and vote": "the answer puts {one} first and votes for {rest}",
    "blocked and approved": "`blocked` and `approved` name the same option",
    "choice left out": "`approved` leaves out {one}, which is the choice",
    "no choice": "the answer names no text that it accepts, and neither `none` nor `abstain`",
    "several choices": "`choice` names {count} choices: {two}",
    "no scores": "the ballot gives no `scores`, from 0 to 10, and they are what is counted",
    "scores unreadable": "`scores` must give each option a number",
    "no order": "it is not clear in which order the ballot accepts {all}, or whether they are tied",
    "other words": "'{words}' leaves open what the ballot accepts",
    "two votes": "the ballot votes in two ways",
    "question": "the ballot asks something of {all}",
    "scores unsaid": "the ballot gives figures, and does not say which texts they accept",
    "score out of range": "the score of {one} must be a number from 0 to 10",
}
_NAMED: dict[str, str] = {
    "unknown": "{end}is not one of the texts to vote on",
    "denied": "denies {one}, which it names",
    "on a condition": "names {one} on a condition",
    "another sense": "denies what {one} says, or leaves out what that denies",
    "two texts": "names two choices: {all}",
    "several texts": "names {count} choices outside the form asked for: list those you accept there, best first",
    "no vote": "speaks of {one} without a vote for it",
}
"""Of what a field, or prose, names."""


def question(
    doubts: Sequence[Doubt], choices: Sequence[str], ids: Mapping[str, str], ended: Mapping[str, str] | None = None
) -> str:
    """Return what a voter is asked about its ballot; empty without doubts.

    A long choice is named by its id, or by its first words where `ids` has none. `ended`: what became of texts that are
    open no more, by their ids.
    """
    asked = [_Question(doubt, choices, ids, ended or {}).words for doubt in dict.fromkeys(doubts)]
    unknown = next((place for place, doubt in enumerate(dict.fromkeys(doubts)) if doubt.kind == "unknown"), None)
    if unknown is not None and ids:
        asked[unknown] += f": {', '.join(ids)}{'' if doubts[0].field == 'also' else ', or none'}"
    return "; ".join(asked)


def by_ids(doubts: Iterable[Doubt], ids: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return doubts, each once, with the ids of texts in place of their words."""
    keys = {words: key for key, words in ids.items()}
    named = (replace(each, texts=tuple(keys.get(text, text) for text in each.texts)) for each in doubts)
    return tuple(dict.fromkeys(named))


class _Question:
    """One doubt in words."""

    def __init__(self, doubt: Doubt, choices: Sequence[str], ids: Mapping[str, str], ended: Mapping[str, str]) -> None:
        self._ids, self._keys = ids, {words: key for key, words in ids.items()}
        lines = {(" ".join(each.split()).rstrip(_MARKS), each) for each in choices}
        self._long = sorted(
            (each for each in lines if len(each[0]) > _MOST_QUOTED), key=lambda each: (-len(each[0]), each)
        )
        names = [*map(self._name, doubt.texts)]
        slots = {"all": " and ".join(names), "one": next(iter(names), ""), "rest": " and ".join(names[1:])}
        end = f"was {ended[doubt.words]} and " if doubt.words in ended else ""
        more = {
            "two": ", ".join(names[:2]),
            "count": len(names),
            "field": doubt.field,
            "at": doubt.at,
            "end": end,
            "words": doubt.words or "it",
        }
        self.words = _ASKED.get(doubt.kind, "").format(**slots, **more)
        if doubt.kind in _NAMED:
            begins = f"`{doubt.field}` says {self._quoted(doubt.words)}, which" if doubt.field else "the answer"
            self.words = f"{begins} {_NAMED[doubt.kind].format(**slots, **more)}"

    def _name(self, text: str) -> str:
        """Return a text in quotation marks, or its id."""
        line = " ".join(text.split())
        long = len(line.rstrip(_MARKS)) > _MOST_QUOTED
        return text if text in self._ids else self._keys.get(text) or _short(line) if long else f"'{line}'"

    def _quoted(self, answer: str) -> str:
        """Return the words of a voter in quotation marks: cut; a long choice in them by its id or first words."""
        line = " ".join(answer.split())
        whole = next((each for plain, each in self._long if line in (plain, " ".join(each.split()))), None)
        if whole is not None:
            return self._name(whole)
        if not any(plain in line for plain, _ in self._long):
            return f"'{shorten(line, _MOST_QUOTED)}'"
        for plain, each in self._long:
            line = line.replace(plain, self._keys.get(each) or shorten(plain, _MOST_QUOTED))
        return f"'{line}'"


def _short(line: str) -> str:
    return f"'{shorten(line.rstrip(_MARKS), _MOST_QUOTED)}'"
