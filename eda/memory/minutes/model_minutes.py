"""Checks the minutes of a model before they are stored: each item must quote the message that it cites.

The author of an item is the author of that message, whatever the model says. Items of patterns may be confirmed or
denied; declared items and those of a procedure may not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from eda.events.model_minutes import Minuted, RangeMinutes, Ruled
from eda.events.records import Decision, Line, Proposal, Quote
from eda.memory.minutes.model_answer import Denied, MinutesAnswer, Reacted, Said, Settled, read_answer
from eda.text import lower, normalise, overlap, quoted, shorten, words

__all__ = ["MinutesAnswer", "checked", "known_lines", "one_wording", "read_answer"]

SAME = 0.8
"""Share of the shorter wording's words from which two wordings in one message are the same."""
MAX_QUOTE = 1000
"""Most characters of a quote that are searched for and kept."""
MAX_TEXT = 400
"""Most characters kept of a wording or a reason."""
FEWEST_LETTERS = 3
EARLIER = 12
"""Most earlier open proposals that are listed with the items of a range."""
_SEPARATES = r"[\s*_`]"
_TOKEN = re.compile(r"[^\s*_`]+")
_EDGES = " \t\n.,;:!?…\"'()[]*_`-"
_MESSAGE = re.compile(r"[mp]?#?0*(\d{1,9})", re.IGNORECASE)
_COURTESY = re.compile(
    r"\b(?:let me know|feel free|would you like me to|do you want me to|hope (?:this|that) helps)\b", re.IGNORECASE
)
"""A closing offer, which asks nobody anything."""
_FOUND_BY = {
    "pattern": "found by a pattern",
    "declared": "declared",
    "minutes": "from earlier minutes",
    "procedure": "decided by the procedure",
}


_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(slots=True)
class _Check:
    """The range, and the items that have passed the checks."""

    lines: dict[int, Line]
    proposals: dict[str, Proposal]
    decisions: dict[str, Decision]
    could_hear: Callable[[int, int], bool]
    listed: dict[str, Minuted] = field(default_factory=dict)
    """Proposals of the answer itself, by their future id."""
    confirmed: dict[str, Ruled] = field(default_factory=dict)


class _DropError(Exception):
    """An item of the answer fails a check; the message says which one, and why."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} was dropped: {why}.")


def checked(
    answer: MinutesAnswer,
    lines: Sequence[Line],
    first: int,
    last: int,
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
    could_hear: Callable[[int, int], bool] = operator.gt,
) -> tuple[RangeMinutes, tuple[str, ...]]:
    """Return the minutes that pass, and a sentence for each dropped item.

    Args:
        answer: the answer of the model.
        lines: the messages that the model read.
        first: the number of the range's first message.
        last: the number of its last one.
        proposals: the proposals of the range, and others that a reaction may answer.
        decisions: the decisions of the range.
        could_hear: whether the author of a message had heard an earlier one.
    """
    check = _Check(
        {line.number: line for line in lines if first <= line.number <= last},
        {item.id: item for item in proposals if item.minuted != "denied"},
        {item.id: item for item in decisions if item.minuted != "denied"},
        could_hear,
    )
    dropped: list[str] = []

    def passing(take: Callable[[_Check, _In], _Out | None], rows: Iterable[_In]) -> tuple[_Out, ...]:
        passed: dict[_Out, None] = {}
        for row in rows:
            try:
                item = take(check, row)
            except _DropError as error:
                dropped.append(str(error))
                continue
            if item is not None:
                passed[item] = None
        return tuple(passed)

    proposed, decided = passing(_proposal, answer.proposals), passing(_decision, answer.decisions)
    reactions, questions = passing(_reaction, answer.reactions), passing(_question, answer.questions)
    for ruled in passing(_confirmation, answer.confirmed):
        check.confirmed[ruled.id] = ruled
    denied = {ruled.id: ruled for ruled in passing(_denial, answer.denied)}
    confirmed = tuple(check.confirmed.values())
    return RangeMinutes(proposed, decided, reactions, questions, confirmed, tuple(denied.values())), tuple(dropped)


def known_lines(proposals: Sequence[Proposal], decisions: Sequence[Decision], first: int, last: int) -> str:
    """Return the items of a range, a line each, and earlier open proposals that the range may answer."""
    standing = [item for item in proposals if item.minuted != "denied"]
    earlier = [item for item in standing if item.message < first and item.status == "active"][-EARLIER:]
    inside = [item for item in standing if first <= item.message <= last]
    listed = [f"- {p.id} proposal, earlier, by {quoted(p.proposer)}: {quoted(p.content)}" for p in earlier]
    listed += [
        f"- {p.id} proposal, {_FOUND_BY[p.source]}, m{p.message} by {quoted(p.proposer)}: {quoted(p.content)}"
        for p in inside
    ]
    listed += [
        f"- {d.id} {_called(d)}, {_FOUND_BY[d.source]}, m{d.messages[0]}: {quoted(d.outcome)}"
        for d in decisions
        if d.messages and first <= d.messages[0] <= last and d.minuted != "denied"
    ]
    return "\n".join(listed) or "(nothing)"


def _called(decision: Decision) -> str:
    return "decision" if decision.status in ("decided", "superseded") else f"{decision.status} decision"


def own_words(item: Proposal | Decision) -> str:
    """Return the quoted words of an item; its wording where it has no quote."""
    if isinstance(item, Proposal):
        return item.quote.text if item.quote else item.content
    return item.quotes[0].text if item.quotes else item.outcome


def one_wording(left: str, right: str) -> bool:
    """Return whether two wordings in one message say the same."""
    return overlap(words(left), words(right)) >= SAME


def _proposal(check: _Check, entry: Said) -> Minuted | None:
    what = f"The proposal of m{entry.message}"
    minuted = _minuted(check, what, entry)
    for item in check.proposals.values():
        if item.message == minuted.message and (
            _overlaps(minuted, item.quote) or one_wording(item.content, minuted.text)
        ):
            _confirm_known(check, what, item)
            return None
    for other in check.listed.values():
        if other.message == minuted.message and (other.start == minuted.start or one_wording(other.text, minuted.text)):
            raise _DropError(what, "it is listed twice")
    check.listed[f"p{minuted.message}@{minuted.start}"] = minuted
    return minuted


def _decision(check: _Check, settled: Settled) -> Minuted | None:
    what = f"The decision of m{settled.message}"
    minuted = _minuted(check, what, settled)
    for item in check.decisions.values():
        spoken = any(_overlaps(minuted, quote) for quote in item.quotes)
        if minuted.message in item.messages and (spoken or one_wording(item.outcome, minuted.text)):
            _confirm_known(check, what, item)
            return None
    target = _target(check, settled.proposal)
    return minuted if target is None else replace(minuted, to=target[0], about=target[1])


def _reaction(check: _Check, reacted: Reacted) -> Minuted:
    what = f"The reaction of m{reacted.message}"
    if reacted.to is None:
        raise _DropError(what, "it answers no proposal")
    minuted = replace(_minuted(check, what, reacted), stance=reacted.stance)
    target = _target(check, reacted.to)
    if target is None:
        return minuted
    key, about = target
    number, author = _made(check, key)
    if number != minuted.message and not check.could_hear(minuted.message, number):
        raise _DropError(what, f"its author could not have heard {key}")
    if author == minuted.who and reacted.stance == "support":
        raise _DropError(what, f"{key} is its author's own")
    return replace(minuted, to=key, about=about)


def _question(check: _Check, entry: Said) -> Minuted:
    what = f"The question of m{entry.message}"
    if _COURTESY.search(entry.quote):
        raise _DropError(what, "it is a courtesy")
    return _minuted(check, what, entry)


def _confirmation(check: _Check, name: str) -> Ruled:
    item = _ruled_on(check, name, f"The confirmation of {name}")
    return Ruled(item.id, own_words(item))


def _denial(check: _Check, denial: Denied) -> Ruled:
    what = f"The denial of {denial.id}"
    item = _ruled_on(check, denial.id, what)
    if item.id in check.confirmed:
        raise _DropError(what, "it is confirmed as well")
    return Ruled(item.id, own_words(item), shorten(" ".join(denial.why.split()), MAX_TEXT))


def _minuted(check: _Check, what: str, entry: Said | Settled | Reacted) -> Minuted:
    """Return an item with the words of the message that it quotes, if the message has them."""
    line = check.lines.get(entry.message)
    if line is None:
        raise _DropError(what, "that message is not in the range")
    span = _find(entry.quote, line.text)
    if span is None:
        raise _DropError(what, f"its quote is not in the message: “{shorten(quoted(entry.quote), 80)}”")
    quote = line.text[slice(*span)]
    text = "" if isinstance(entry, Reacted) else " ".join(entry.text.split()) or " ".join(quote.split())
    return Minuted(line.number, quote, shorten(text, MAX_TEXT), who=line.who, start=span[0])


def _find(quote: str, text: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text, ignoring case, spaces, emphasis, kinds of quotation mark and edges."""
    plain = lower(normalise(quote[:MAX_QUOTE])).strip(_EDGES)
    if sum(char.isalnum() for char in plain) < FEWEST_LETTERS:
        return None
    sought = f"{_SEPARATES}+".join(re.escape(token) for token in _TOKEN.findall(plain))
    match = re.search(sought, lower(normalise(text)))
    return match.span() if match else None


def _overlaps(minuted: Minuted, quote: Quote | None) -> bool:
    """Return whether two quotes share more than half of the shorter one."""
    if quote is None or quote.message != minuted.message:
        return False
    end = minuted.start + len(minuted.quote)
    shared = min(end, quote.end) - max(minuted.start, quote.start)
    return 2 * shared > min(len(minuted.quote), quote.end - quote.start) and one_wording(minuted.quote, quote.text)


def _confirm_known(check: _Check, what: str, item: Proposal | Decision) -> None:
    """Confirm a known item that a pattern found; drop the new one otherwise."""
    if item.source == "pattern":
        check.confirmed[item.id] = Ruled(item.id, own_words(item), "the minutes have it too")
        return
    raise _DropError(what, f"it is held already as {item.id}")


def _target(check: _Check, name: str | None) -> tuple[str, str] | None:
    """Return id and words of the proposal that a model names by id, or by a message with just one proposal."""
    if name is None:
        return None
    known = {
        **{key: item.quote for key, item in check.listed.items()},
        **{key: own_words(item) for key, item in check.proposals.items()},
    }
    for key in (name, name.lower()):
        if key in known:
            return key, known[key]
    match = _MESSAGE.fullmatch(name)
    there = [key for key in known if match and _made(check, key)[0] == int(match[1])]
    return (there[0], known[there[0]]) if len(there) == 1 else None


def _made(check: _Check, key: str) -> tuple[int, str]:
    """Return the message of a proposal, and its author."""
    if key in check.proposals:
        return check.proposals[key].message, check.proposals[key].proposer
    return check.listed[key].message, check.listed[key].who


def _ruled_on(check: _Check, name: str, what: str) -> Proposal | Decision:
    """Return the item that is confirmed or denied, if that is allowed."""
    known: dict[str, Proposal | Decision] = {**check.proposals, **check.decisions}
    item = known.get(name) or known.get(name.lower())
    if item is None:
        raise _DropError(what, "there is no such item")
    if item.source != "pattern":
        raise _DropError(what, f"{item.id} is {_FOUND_BY[item.source]}, not found by a pattern")
    message = item.message if isinstance(item, Proposal) else item.messages[0]
    if message not in check.lines:
        raise _DropError(what, f"m{message} is not in the range")
    return item
