"""What each message does, as acts that were read when the message was posted.

Members and readers see them below the message, so a misreading shows at once. What is read later, such as a model's
minutes, changes the table and never these lines. What a person answers to how a line was read changes them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from eda.events import (
    Act,
    ActKind,
    AnnouncedEvent,
    Decision,
    DecisionFound,
    End,
    LineAnswered,
    MessagePosted,
    Move,
    MoveKind,
    Proposal,
    ProposalMade,
    Reaction,
    ReactionSeen,
    Unread,
    Unresolved,
)
from eda.memory.minutes.decisions import messages_named
from eda.memory.minutes.declared_moves import TAGS, act_of_tag, misread
from eda.memory.minutes.proposals import end_of, end_words, slug
from eda.memory.minutes.remark_words import IDS
from eda.memory.minutes.reply_reader import MOST_ACTS
from eda.memory.minutes.resolve import text_of_id
from eda.memory.minutes.state import State
from eda.text import bare, shorten, unbroken
from eda.words import ENGLISH, Words

_MOST = 2000  # Characters of a slot: a message takes no more.
_NAMED = 60  # Characters of what a move names in vain.


def act_line(act: Act, words: Words = ENGLISH) -> str:
    """Return an act on one line; prompts have it in English."""
    head, own, rest = act_parts(act, words)
    return f"{head}{(': ' if act.counted else ' ') if own else ''}{own}{rest}"


def act_parts(act: Act, words: Words = ENGLISH) -> tuple[str, str, str]:
    """Return what an act does, the words of its author, and what stands behind them: why it does not count."""
    kind, own, rest = slug(act.kind), act.text * (act.kind != "take back") or act.why, ""
    end = end_words(act.end, words) if act.end else ""
    match act.kind:
        case "json" | "others' lines" | "misquote" | "answer":
            own = ""
        case "cite":
            kind, own = kind if act.counted else "cite-nothing", f'"{act.why}"' if act.why else ""
        case _ if not act.counted:
            rest = f" {words.say('act-uncounted', why=unread_words(act.unread_because, words))}"
            kind, own = "tag" if act.tagged else "in-words" if own else kind, own * (act.kind != "tag")
        case "position":
            own = words.say("act-position", id=act.id, on=act.on) if act.on else act.id or own
        case _ if act.kind not in ("support", "oppose", "neutral", "lift"):  # these tell it behind the id
            rest = f" ({end})" * bool(end)
    head = _tag(act) if kind == "tag" else _does(act, kind, end, words)
    return head.rstrip(), unbroken(own), f" {words.say('act-asked')}{rest}" if act.asked else rest


def _does(act: Act, kind: str, end: str, words: Words) -> str:
    """Return what an act does, in words, and on what."""
    how = "doubt" if act.doubt else "told" if bare(act.why).startswith(bare(act.condition)) else "clause"
    return words.say(
        "act-does",
        kind=kind,
        of=act.text,
        on=shorten(act.on, _MOST),
        id=act.id,
        texts=[act.on, *act.joins],
        who=act.who,
        end=end,
        source=unbroken(act.text) if act.kind in ("cite", "misquote", "answer") else "",
        condition=how if act.conditional or act.condition else "no",
        clause=shorten(act.condition.replace('"', "'"), _MOST) * (bare(act.why) != bare(act.condition)),
    )


def fault_line(act: Act, words: Words = ENGLISH) -> str:
    """Return for its author what of a message could not be read, and why."""
    own, why = unbroken(act.why if act.kind == "tag" else act.text), unread_words(act.unread_because, words)
    if act.kind == "json":
        return words.say("act-no-json", what=shorten(own, _MOST))
    if act.kind == "others' lines":
        return words.say("act-others-lines", who=act.who)
    why = "; ".join(filter(None, (why, words.say("act-stands-anew") * act.stands)))
    return f"{_tag(act)} {own}".rstrip() + f": {why}" * bool(why)


def unread_words(reasons: Iterable[Unread], words: Words = ENGLISH) -> str:
    """Return why a move counts for nobody."""
    return words.say(
        "act-reasons",
        reasons=[
            words.say(
                "act-unread",
                kind=slug(each.kind),
                words=shorten(each.words, _NAMED),
                ids=each.ids,
                who=each.who,
                number=len(each.ids if each.kind == "part" else each.who),
                made=[f"{key}, now {now}" if now else key for key, now in zip_longest(each.ids, each.now)],
                message=str(each.message),
            )
            for each in reasons
        ],
    )


def indented(acts: Iterable[Act]) -> Iterator[str]:
    """Yield the acts as they stand below a message: two columns in, where no line of a message can begin."""
    return (f"  {act_line(act)}" for act in acts)


def _tag(act: Act) -> str:
    """Return the tag of a move as its author wrote it: `[SUPPORT p3.0]`."""
    if act.kind == "tag":
        return unbroken(act.text)
    return f"[{TAGS.get(act.kind, act.kind.upper())}{f' {unbroken(act.on)}' if act.on else ''}]"


_HEARD = 60  # Characters of a proposal that a pattern found, whose words stand in the message itself.


@dataclass(slots=True)
class ActsHeard:
    """The acts of all messages, and what of each member's last message could not be read."""

    _acts: dict[int, tuple[Act, ...]] = field(default_factory=dict)
    _unread: dict[str, tuple[int, tuple[Act, ...]]] = field(default_factory=dict)

    def hear(
        self,
        message: MessagePosted,
        events: Iterable[AnnouncedEvent],
        unresolved: Sequence[Unresolved],
        state: State | None = None,
    ) -> tuple[Act, ...]:
        """Add a message with the events derived from it and its unresolved moves; return its acts.

        `state` has the texts that ids stand for.
        """
        tags = misread(message, state)
        if acts := (
            *acts_of(message, list(events), unresolved, state),
            *[act for act in tags if act.kind == "json"][:1],
            # The words behind a tag stand in the message itself.
            *[*dict.fromkeys(replace(act, why="") for act in tags if act.kind == "tag" and act.text[0] == "[")][
                :MOST_ACTS
            ],
        ):
            self._acts[message.number] = acts
        self._unread.pop(message.who, None)
        if faults := (
            *map(_lost, unresolved),
            *tags,
            *(Act("others' lines", who=(name,), counted=False) for name in message.puppets),
        ):
            self._unread[message.who] = (message.number, faults)
        return acts

    def answer(
        self,
        event: LineAnswered,
        events: Iterable[AnnouncedEvent],
        unresolved: Sequence[Unresolved],
        state: State | None,
        *,
        asked: bool,
    ) -> tuple[Act, ...]:
        """Have a message that was heard do what its author says it does, `asked` in other words; return those acts."""
        if event.answer == "taken back":
            self._acts[event.message] = tuple(
                replace(
                    act,
                    counted=False,
                    tagged=False,
                    unread_because=(Unread("taken back", act.on or act.id, message=state.number if state else 0),),
                )
                for act in self.of(event.message)
            )
            return tuple(Act("take back", move.target, text=move.of) for move in event.moves if move.target)
        if event.answer == "asked" and (event.moves or event.denied or event.unread or event.at_once):
            lost = *_left_by(event, self.unread(event.who)[1]), *map(_lost, unresolved)
            self._unread[event.who] = (event.message, lost)
        message = MessagePosted(number=event.message, who=event.who, text="", moves=event.moves)
        declared = event.answer == "asked"  # else no words of what does not count are its author's
        acts = (
            *(
                replace(act, asked=asked, tagged=act.counted | declared, text=act.text * (act.counted | declared))
                for act in acts_of(message, list(events), unresolved, state)
            ),
            *(Act("answer", text=shorten(event.unread, _MOST), counted=False),) * bool(bare(event.unread)),
        )
        before = self.of(event.message)
        lost = _still_lost([act for act in before if act.kind == "tag"], acts, event.moves)
        self._acts[event.message] = (*(act for act in before if act.kind != "tag" or act in lost), *acts)
        return acts

    def denied(self, last: int) -> dict[int, dict[int, str]]:
        """Return, by the number of a message that was denied, in which messages up to `last`, and in which words."""
        denials = [
            (int(number), at, act.why)
            for at, acts in self._acts.items()
            for act in acts
            if act.kind in ("deny", "deny claim") and at <= last and (number := act.on.removeprefix("m")).isdecimal()
        ]
        denied = {of: dict[int, str]() for of, _, _ in denials}
        for of, at, why in denials:
            denied[of][at] = why or denied[of].get(at, "")
        return denied

    def of(self, number: int) -> tuple[Act, ...]:
        """Return the acts of a message; empty for a message without any."""
        return self._acts.get(number, ())

    def unread(self, agent: str) -> tuple[int, tuple[Act, ...]]:
        """Return the number of a member's last message and what of it could not be read; 0 and nothing if all was."""
        return self._unread.get(agent, (0, ()))


def _left_by(event: LineAnswered, before: Iterable[Act]) -> Iterator[Act]:
    """Yield what is told of a message after its author's answer, of what was told `before`, and of the answer.

    The author has said anew all that the message declares, or nothing that can be read.
    """
    said = event.moves + event.denied
    yield from (act for act in before if act.kind == "others' lines" or (event.unread and not said))
    for line in event.unread.splitlines() if said else [event.unread] * bool(event.unread):
        yield replace(act_of_tag(f"[{line}]", len(said), answer=True), text=shorten(line, _NAMED))


def _still_lost(tags: Sequence[Act], acts: Sequence[Act], moves: Sequence[Move]) -> tuple[Act, ...]:
    """Return the tags without those on a text on which an act counts by now, or of whose kind all are declared."""
    on = {act.on.removesuffix(".0") for act in acts if act.counted}
    kinds = [TAGS.get(each.kind, each.kind.upper()) for each in moves]
    meant = ["".join(tag.unread_because[0].ids) for tag in tags]
    return tuple(
        tag
        for tag, of in zip(tags, meant, strict=True)
        if on.isdisjoint(named := IDS.findall(tag.text.lower()))
        and (named or not of or meant.count(of) > kinds.count(of))
    )


def acts_of(
    message: MessagePosted,
    events: Sequence[AnnouncedEvent],
    unresolved: Sequence[Unresolved] = (),
    state: State | None = None,
) -> tuple[Act, ...]:
    """Return the acts of a message; also what of it counts for nothing, and whose lines were cut."""
    lost = {(each.kind, each.target, each.text) for each in unresolved}
    moves = [move for move in message.moves if _key(move) not in lost]
    acts = [act for event in events for act in _act(message, event, moves, state)]
    put = (event.proposal for event in events if isinstance(event, ProposalMade))
    replaced = {text.id: text.amended_by for text in put if text.status == "modified"}
    acts += [*(act for move in moves for act in _of_move(move, replaced, state)), *_uncounted(message, unresolved)]
    with_reason = {replace(act, text="", why="") for act in acts if act.why}
    return tuple(act for act in dict.fromkeys(acts) if act.why or act not in with_reason)


def _key(move: Move) -> tuple[MoveKind, str, str]:
    """Return the kind, the target and the text of a move, by which an unresolved one is known."""
    return move.kind, move.target or "", move.text


def _uncounted(message: MessagePosted, unresolved: Sequence[Unresolved]) -> Iterator[Act]:
    """Yield what of a message counts for nothing, and whose lines were cut."""
    foreign = set(map(_key, message.unclaimed if message.puppets else ()))  # words that may be another member's
    for each in unresolved:
        yield replace(
            _lost(each),
            text="" if (each.kind, each.target, each.text) in foreign else each.text,
            tagged=len(each.text) < 2 or each.text not in message.talk,  # who wrote no tag is not shown one
        )
    if message.puppets:
        yield Act("others' lines", who=message.puppets, counted=False)


def _lost(each: Unresolved) -> Act:
    return Act(each.kind, each.target, text=each.text, counted=False, unread_because=each.why, stands=each.stands)


def _of_move(move: Move, replaced: Mapping[str, str | None], state: State | None) -> Iterator[Act]:
    """Yield the act of a move that makes no item; `replaced`: new ids of the texts that its message replaces."""
    if move.kind == "deny":
        yield Act("deny", move.target or "", why=move.text)
    elif move.kind == "note" and move.text:
        yield Act("note", text=move.text)
    elif move.kind == "position" and move.text:
        held = text_of_id(state, move.text)[0] if state else None
        if new := replaced.get(move.text.strip(" .,[]()")):
            yield Act("position", on=move.text, id=new)
        else:
            yield Act("position", id=held.id) if held else Act("position", text=move.text)


def _act(message: MessagePosted, event: AnnouncedEvent, moves: Sequence[Move], state: State | None) -> Iterator[Act]:
    match event:
        case ProposalMade(proposal=proposal):
            yield from _proposal(message.number, proposal, _why_back(proposal, moves, state))
        case ReactionSeen(reaction=Reaction(message=message.number, to=str(target)) as reaction):
            text = state.proposals.get(target) if state else None
            end = end_of(text) if text and text.status in ("modified", "withdrawn") else None
            reason = reaction.why or ("" if reaction.source == "pattern" or not reaction.quote else reaction.quote.text)
            yield reacted(reaction, target, reaction.why if reaction.undone else reason, end)
        case DecisionFound(decision=decision):
            named = {at for move in moves if move.kind == "deny" for at in messages_named(move.target or "")}
            yield from _decision(message, decision, named)


def reacted(reaction: Reaction, on: str, why: str, end: End | None = None) -> Act:
    """Return a reaction to a text as the act that it is: it takes a side, or takes one or its condition back."""
    if reaction.undone:
        return Act(
            "take back", on, text={"support": "support", "oppose": "opposition"}.get(reaction.reaction, ""), why=why
        )
    kind: ActKind = "lift" if reaction.met and not reaction.conditional else reaction.reaction
    return Act(
        kind,
        on,
        why=why,
        conditional=reaction.conditional,
        condition=reaction.condition,
        doubt=reaction.doubt,
        end=end,
    )


def _why_back(proposal: Proposal, moves: Iterable[Move], state: State | None) -> str:
    """Return why a text was withdrawn, by the move that names it, or the only one."""
    back = [move for move in moves if move.kind == "withdraw" and not move.of]
    named = {text.id: move.text for move in back if state and (text := text_of_id(state, move.target or "")[0])}
    return named.get(proposal.id, back[0].text if len(back) == 1 else "")


def _proposal(number: int, proposal: Proposal, why_back: str) -> Iterator[Act]:
    last = proposal.changes[-1] if proposal.changes else None
    if proposal.message == number:
        text = unbroken(proposal.content)
        text = text if proposal.source == "declared" else shorten(text, _HEARD)
        kind: ActKind = "join" if proposal.amends and proposal.joins else "amend" if proposal.amends else "propose"
        yield Act(kind, proposal.amends or "", proposal.id, proposal.joins if proposal.amends else (), text)
    elif last is not None and number in last.messages and last.status == "withdrawn":
        yield Act("withdraw", proposal.id, why=why_back)
    elif last is not None and number in last.messages and last.status == "active":
        yield Act("propose again" if last.why == "again" else "reopen", proposal.id)


def _decision(message: MessagePosted, decision: Decision, named: Collection[int]) -> Iterator[Act]:
    """Yield what a message does to a claim or decision; a denial that names its message stands as such."""
    if decision.messages[-1:] == (message.number,):
        claim, outcome = decision.status != "decided", unbroken(decision.outcome)
        yield Act("claim", text=outcome) if claim else Act("decide", text=shorten(outcome, _HEARD))
    elif decision.status == "disputed" and decision.messages and decision.messages[0] not in named:
        yield Act("retract" if message.who in decision.supporters else "deny claim", f"m{decision.messages[0]}")
