"""Minutes are checked before they are stored: what is kept rests on words of the message that it cites.

Who proposed or reacted is the message's author, whatever the model says. Patterns may be confirmed and denied; what
was declared, or came of a procedure, may not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from eda.memory.taking_answer import Denied, MinutesAnswer, Reacted, Said, Settled, read_answer
from eda.memory.wording import overlap, shorten, words
from eda.patterns import lower, normalise
from eda.prompts import quoted
from eda.protocols import Line
from eda.records import Decision, Minuted, Proposal, Quote, RangeMinutes, Ruled

__all__ = ["MinutesAnswer", "checked", "held_lines", "one_wording", "read_answer"]

SAME = 0.8
"""Share of the fewer words from which two wordings in one message are one."""
MAX_QUOTE = 1000
"""Characters of a quote that are looked for, and kept."""
MAX_TEXT = 400
"""Characters of a wording, or of a reason, that are kept."""
FEWEST_LETTERS = 3
EARLIER = 12
"""Open proposals from before a range that are listed with its items."""
_SEPARATES = r"[\s*_`]"
_TOKEN = re.compile(r"[^\s*_`]+")
_EDGES = " \t\n.,;:!?…\"'()[]*_`-"
_MESSAGE = re.compile(r"[mp]?#?0*(\d{1,9})", re.IGNORECASE)
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
    """What is known of the range, and what holds so far."""

    said: dict[int, Line]
    proposals: dict[str, Proposal]
    decisions: dict[str, Decision]
    listed: dict[str, Minuted] = field(default_factory=dict)
    """Proposals of the answer itself, by the id that they will have."""
    confirmed: dict[str, Ruled] = field(default_factory=dict)


class _DropError(Exception):
    """Something of the answer does not hold; says what, and why."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} was dropped: {why}.")


def checked(
    answer: MinutesAnswer,
    lines: Sequence[Line],
    first: int,
    last: int,
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
) -> tuple[RangeMinutes, tuple[str, ...]]:
    """The minutes that hold, and a sentence for each thing that was dropped.

    Args:
        answer: what the model answered.
        lines: the messages that it read.
        first: the number of the range's first message.
        last: the number of its last one.
        proposals: what memory holds of the range, and what else a reaction may answer.
        decisions: what memory holds of the range.
    """
    check = _Check(
        {line.number: line for line in lines if first <= line.number <= last},
        {item.id: item for item in proposals if item.minuted != "denied"},
        {item.id: item for item in decisions if item.minuted != "denied"},
    )
    dropped: list[str] = []

    def kept(take: Callable[[_Check, _In], _Out | None], rows: Iterable[_In]) -> tuple[_Out, ...]:
        found: dict[_Out, None] = {}
        for row in rows:
            try:
                item = take(check, row)
            except _DropError as error:
                dropped.append(str(error))
                continue
            if item is not None:
                found[item] = None
        return tuple(found)

    proposed, decided = kept(_proposal, answer.proposals), kept(_decision, answer.decisions)
    reactions, questions = kept(_reaction, answer.reactions), kept(_question, answer.questions)
    for ruled in kept(_confirmation, answer.confirmed):
        check.confirmed[ruled.id] = ruled
    denied = {ruled.id: ruled for ruled in kept(_denial, answer.denied)}
    confirmed = tuple(check.confirmed.values())
    return RangeMinutes(proposed, decided, reactions, questions, confirmed, tuple(denied.values())), tuple(dropped)


def held_lines(proposals: Sequence[Proposal], decisions: Sequence[Decision], first: int, last: int) -> str:
    """What memory holds of a range, a line an item, and the open proposals from before that may be answered in it."""
    standing = [item for item in proposals if item.minuted != "denied"]
    earlier = [item for item in standing if item.message < first and item.status == "active"][-EARLIER:]
    inside = [item for item in standing if first <= item.message <= last]
    held = [f"- {p.id} proposal, earlier, by {quoted(p.proposer)}: {quoted(p.content)}" for p in earlier]
    held += [
        f"- {p.id} proposal, {_FOUND_BY[p.source]}, m{p.message} by {quoted(p.proposer)}: {quoted(p.content)}"
        for p in inside
    ]
    held += [
        f"- {d.id} decision, {_FOUND_BY[d.source]}, m{d.messages[0]}: {quoted(d.outcome)}"
        for d in decisions
        if d.messages and first <= d.messages[0] <= last and d.minuted != "denied"
    ]
    return "\n".join(held) or "(nothing)"


def own_words(item: Proposal | Decision) -> str:
    """The quoted words that an item rests on; its wording where it has none."""
    if isinstance(item, Proposal):
        return item.quote.text if item.quote else item.content
    return item.quotes[0].text if item.quotes else item.outcome


def one_wording(left: str, right: str) -> bool:
    """Whether two wordings in one message say the same."""
    return overlap(words(left), words(right)) >= SAME


def _proposal(check: _Check, said: Said) -> Minuted | None:
    what = f"The proposal of m{said.message}"
    kept = _minuted(check, what, said)
    for item in check.proposals.values():
        if item.message == kept.message and (_overlaps(kept, item.quote) or one_wording(item.content, kept.text)):
            _hold(check, what, item)
            return None
    for other in check.listed.values():
        if other.message == kept.message and (other.start == kept.start or one_wording(other.text, kept.text)):
            raise _DropError(what, "it is listed twice")
    check.listed[f"p{kept.message}@{kept.start}"] = kept
    return kept


def _decision(check: _Check, settled: Settled) -> Minuted | None:
    what = f"The decision of m{settled.message}"
    kept = _minuted(check, what, settled)
    for item in check.decisions.values():
        spoken = any(_overlaps(kept, quote) for quote in item.quotes)
        if kept.message in item.messages and (spoken or one_wording(item.outcome, kept.text)):
            _hold(check, what, item)
            return None
    target = _target(check, settled.proposal)
    return kept if target is None else replace(kept, to=target[0], about=target[1])


def _reaction(check: _Check, reacted: Reacted) -> Minuted:
    what = f"The reaction of m{reacted.message}"
    if reacted.to is None:
        raise _DropError(what, "it answers no proposal")
    kept = replace(_minuted(check, what, reacted), stance=reacted.stance)
    target = _target(check, reacted.to)
    if target is None:
        return kept
    key, about = target
    made, by = _made(check, key)
    if made > kept.message:
        raise _DropError(what, f"{key} was proposed later")
    if by == kept.who and reacted.stance == "support":
        raise _DropError(what, f"{key} is its author's own")
    return replace(kept, to=key, about=about)


def _question(check: _Check, said: Said) -> Minuted:
    return _minuted(check, f"The question of m{said.message}", said)


def _confirmation(check: _Check, name: str) -> Ruled:
    item = _ruled_on(check, name, f"The confirmation of {name}")
    return Ruled(item.id, own_words(item))


def _denial(check: _Check, denial: Denied) -> Ruled:
    what = f"The denial of {denial.id}"
    item = _ruled_on(check, denial.id, what)
    if item.id in check.confirmed:
        raise _DropError(what, "it is confirmed as well")
    return Ruled(item.id, own_words(item), shorten(" ".join(denial.why.split()), MAX_TEXT))


def _minuted(check: _Check, what: str, said: Said | Settled | Reacted) -> Minuted:
    """An item with the words of the message that it rests on, where they are found there."""
    line = check.said.get(said.message)
    if line is None:
        raise _DropError(what, "that message is not in the range")
    span = _find(said.quote, line.text)
    if span is None:
        raise _DropError(what, f"its quote is not in the message: “{shorten(quoted(said.quote), 80)}”")
    quote = line.text[slice(*span)]
    text = "" if isinstance(said, Reacted) else " ".join(said.text.split()) or " ".join(quote.split())
    return Minuted(line.number, quote, shorten(text, MAX_TEXT), who=line.who, start=span[0])


def _find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever their case, spaces, emphasis, kinds of quotation mark and edges."""
    plain = lower(normalise(quote[:MAX_QUOTE])).strip(_EDGES)
    if sum(char.isalnum() for char in plain) < FEWEST_LETTERS:
        return None
    sought = f"{_SEPARATES}+".join(re.escape(token) for token in _TOKEN.findall(plain))
    match = re.search(sought, lower(normalise(text)))
    return match.span() if match else None


def _overlaps(kept: Minuted, quote: Quote | None) -> bool:
    """Whether what is quoted is, by more than half of the shorter, what an item found in the message quotes."""
    if quote is None or quote.message != kept.message:
        return False
    end = kept.start + len(kept.quote)
    shared = min(end, quote.end) - max(kept.start, quote.start)
    return 2 * shared > min(len(kept.quote), quote.end - quote.start) and one_wording(kept.quote, quote.text)


def _hold(check: _Check, what: str, item: Proposal | Decision) -> None:
    """It is there: where a pattern found it, that is confirmed."""
    if item.source == "pattern":
        check.confirmed[item.id] = Ruled(item.id, own_words(item), "the minutes have it too")
        return
    raise _DropError(what, f"it is held already as {item.id}")


def _target(check: _Check, name: str | None) -> tuple[str, str] | None:
    """The id and words of the proposal that a model names: by its id, or by its message where that has but one."""
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
    """The message that put a proposal, and who wrote it."""
    if key in check.proposals:
        return check.proposals[key].message, check.proposals[key].proposer
    return check.listed[key].message, check.listed[key].who


def _ruled_on(check: _Check, name: str, what: str) -> Proposal | Decision:
    """The item that is confirmed or denied, where it may be."""
    held: dict[str, Proposal | Decision] = {**check.proposals, **check.decisions}
    item = held.get(name) or held.get(name.lower())
    if item is None:
        raise _DropError(what, "there is no such item")
    if item.source != "pattern":
        raise _DropError(what, f"{item.id} is {_FOUND_BY[item.source]}, not found by a pattern")
    message = item.message if isinstance(item, Proposal) else item.messages[0]
    if message not in check.said:
        raise _DropError(what, f"m{message} is not in the range")
    return item
