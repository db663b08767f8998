"""The acts of each message in words, as the engine read them when the message was posted: `supports p9.1: it is cheap`.

Members and readers see them below the message, so a reason is not lost and a misreading shows at once. What is read
later, such as a model's minutes, changes the table and never these lines: the prompts that show them only grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eda.events import AnnouncedEvent, DecisionFound, MessagePosted, ProposalMade, ReactionSeen
from eda.events.messages import JSON
from eda.events.records import Decision, Move, MoveKind, Position, Proposal, Reaction, Stance, Unresolved
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.proposals import AGAIN, why_closed
from eda.memory.patterns import default_language
from eda.text import shorten, unbroken

_HEARD = 60  # Characters of a proposal that a pattern found, whose words stand in the message itself.
_STANCES: dict[Stance, str] = {"support": "supports", "oppose": "opposes", "neutral": "is undecided on"}
_TAGS = {"neutral": "UNDECIDED"}
_NO_MOVE = "not all of the JSON was read: write [SUPPORT p4.0] and why, a line each"
TextOf = Callable[[str], ProposalItem | None] | None


@dataclass(slots=True)
class ActLines:
    """The acts of all messages, and what of each member's last message could not be read."""

    _lines: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _unread: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def hear(
        self,
        message: MessagePosted,
        events: Iterable[AnnouncedEvent],
        unresolved: Sequence[Unresolved],
        position: Position | None = None,
        text_of: TextOf = None,
    ) -> tuple[str, ...]:
        """Add a message with the events derived from it and its unresolved moves; return the lines of its acts.

        `position` is the one that was read out of its prose, `text_of` the text of an id.
        """
        lines = act_lines(message, list(events), unresolved, position, text_of)
        if lines:
            self._lines[message.number] = lines
        self._unread.pop(message.who, None)
        faults = [_because(f"{_tag(each)} {unbroken(each.text)}".rstrip(), _why(each)) for each in unresolved]
        tags = [tag for tag in message.unknown_tags if not default_language().idle_tags.match(tag)]
        faults += [_NO_MOVE if tag == JSON else f"{unbroken(tag)}: no move has this tag" for tag in tags]
        faults += [f"lines in the name of {unbroken(name)}: write lines for yourself only" for name in message.puppets]
        if faults:
            self._unread[message.who] = (message.number, tuple(faults))
        return lines

    def of(self, number: int) -> tuple[str, ...]:
        """Return the acts of a message, a line each; empty for a message without any."""
        return self._lines.get(number, ())

    def unread(self, agent: str) -> tuple[int, tuple[str, ...]]:
        """Return the number of a member's last message and what of it could not be read; 0 and nothing if all was."""
        return self._unread.get(agent, (0, ()))


def act_lines(
    message: MessagePosted,
    events: Sequence[AnnouncedEvent],
    unresolved: Sequence[Unresolved] = (),
    position: Position | None = None,
    text_of: TextOf = None,
) -> tuple[str, ...]:
    """Return the acts of a message, a line each; also what of it counts for nothing, and whose lines were cut."""
    lost = {(each.kind, each.target, each.text) for each in unresolved}
    moves = [move for move in message.moves if (move.kind, move.target or "", move.text) not in lost]
    reasons = {move.kind: move.text for move in moves}
    lines = [line for event in events for line in _act(message, event, reasons, text_of)]
    put = [event.proposal for event in events if isinstance(event, ProposalMade)]
    replaced = {text.id: text.amended_by for text in put if text.status == "modified" and text.amended_by}
    lines += filter(None, (_of_move(move, replaced, text_of) for move in moves))
    if position is not None:
        holds = " and ".join(position.options) or shorten(position.text, _HEARD)
        lines.append(f"position, read from the words: {unbroken(holds)}")
    lines += _not_counted(message, unresolved)
    lines += ["(JSON was left out)"] * (JSON in message.unknown_tags)
    if message.puppets:
        lines.append(f"(lines in the name of {', '.join(map(unbroken, message.puppets))} were left out)")
    return tuple(line for line in dict.fromkeys(lines) if not any(each.startswith(f"{line}: ") for each in lines))


def _not_counted(message: MessagePosted, unresolved: Sequence[Unresolved]) -> Iterator[str]:
    """Yield the moves that count for nobody and why; without words that may be another member's."""
    cut = message.unclaimed if message.puppets else ()
    foreign = {(move.kind, move.target or "", move.text) for move in cut}
    for each in unresolved:
        own = (each.kind, each.target, each.text) not in foreign
        words = each.text != "" and each.text in message.talk  # who wrote no tag is not shown one
        wrote = f"{'in words,' if words else _tag(each)} {unbroken(each.text) if own else ''}".rstrip()
        yield _because(f"{wrote} (not counted)", each.why.partition(";")[0])


def _of_move(move: Move, replaced: Mapping[str, str], text_of: TextOf) -> str:
    """Return the line of a move that makes no item; `replaced`: new ids of the texts that its message replaces."""
    if move.kind == "deny":
        return _because(f"denies {move.target or 'the claim'}", move.text)
    if move.kind == "note" and move.text:
        return f"notes: {unbroken(move.text)}"
    if move.kind != "position" or not move.text:
        return ""
    new = replaced.get(move.text.strip(" .,[]()"), "")
    held = text_of(move.text) if text_of else None
    words = f"{new}, which replaces {move.text}" if new else held.id if held else unbroken(move.text)
    return f"position: {words}"


def _why(unresolved: Unresolved) -> str:
    """Return why a move is unresolved without the ids of that moment: when its member reads it they are others."""
    parts = unresolved.why.split("; ")
    return "; ".join(part for part in parts if not part.startswith(("on the table", "the table is")))


def indented(acts: Iterable[str]) -> Iterator[str]:
    """Yield the acts as they stand below a message: two columns in, where no line of a message can begin."""
    return (f"  {act}" for act in acts)


def _act(
    message: MessagePosted, event: AnnouncedEvent, reasons: Mapping[MoveKind, str], text_of: TextOf
) -> Iterator[str]:
    match event:
        case ProposalMade(proposal=proposal):
            yield from _proposal(message.number, proposal, reasons.get("withdraw", ""))
        case ReactionSeen(reaction=Reaction(message=message.number, to=str(target), undone=True)):
            yield f"takes back what was read of {target}"
        case ReactionSeen(reaction=Reaction(message=message.number, to=str(target)) as reaction):
            said = reaction.condition.replace('"', "'")
            clause = "" if reaction.why.startswith(reaction.condition) else f' ("{said}")'
            only_if = f", on a condition{clause}" if reaction.conditional else ""
            reason = reaction.why or ("" if reaction.source == "pattern" or not reaction.quote else reaction.quote.text)
            text = text_of(target) if text_of else None
            ended = text if text and text.status in ("modified", "withdrawn") else None
            older = f" (the older text, {why_closed(ended)})" if ended else ""
            yield _because(f"{_STANCES[reaction.reaction]} {target}{older}{only_if}", reason)
        case DecisionFound(decision=decision):
            yield from _decision(message, decision, denied="deny" in reasons)
        case _:
            pass


def _proposal(number: int, proposal: Proposal, why_back: str) -> Iterator[str]:
    last = proposal.changes[-1] if proposal.changes else None
    if proposal.message == number:
        text = unbroken(proposal.content)
        text = text if proposal.source == "declared" else shorten(text, _HEARD)
        earlier = " and ".join((proposal.amends, *proposal.joins)) if proposal.amends else ""
        verb = "joins" if proposal.joins else "amends"
        yield f"{verb} {earlier} as {proposal.id}: {text}" if earlier else f"proposes {proposal.id}: {text}"
    elif last is not None and number in last.messages and last.status in ("withdrawn", "active"):
        again = f"proposes {proposal.id} again" if last.why == AGAIN else f"opens {proposal.id} again"
        yield _because(f"withdraws {proposal.id}", why_back) if last.status == "withdrawn" else again
    elif proposal.minuted == "denied":
        yield f"denies {proposal.id}: it is no proposal"


def _decision(message: MessagePosted, decision: Decision, *, denied: bool) -> Iterator[str]:
    if decision.messages[-1:] == (message.number,):
        claim = decision.status != "decided"
        outcome = unbroken(decision.outcome)
        yield f"claims, not voted on: {outcome}" if claim else f"decides: {shorten(outcome, _HEARD)}"
    elif decision.status == "disputed" and decision.messages and not denied:
        verb = "takes back its claim" if message.who in decision.supporters else "denies the claim"
        yield f"{verb} of m{decision.messages[0]}"


def _because(act: str, reason: str) -> str:
    return f"{act}: {unbroken(reason)}" if reason.strip() else act


def _tag(lost: Unresolved) -> str:
    """Return the tag of a move as its author wrote it: `[SUPPORT p3.0]`."""
    return f"[{_TAGS.get(lost.kind, lost.kind.upper())}{f' {unbroken(lost.target)}' if lost.target else ''}]"
