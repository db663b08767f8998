"""What a person is told of a line that they typed: how it was read, and what they can answer.

The same at the terminal and at a page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from eda.events import Act, Event, LineAnswered, LineOffered, LineRead, MessagePosted, Move
from eda.memory import ConversationMemory
from eda.memory.context.acts import fault_line
from eda.memory.minutes.proposals import slug, why_closed
from eda.memory.patterns.conditions import ConditionRead, read_condition
from eda.memory.table import in_quotes
from eda.report.formatting import called, one_line
from eda.text import shorten
from eda.words import ENGLISH, Words

_Waiting = Mapping[int, tuple[Move, ...]]
_MOST = 200  # Characters of the words of a text.
# Kinds of acts that can be taken back.
_BACK = {"support", "oppose", "neutral", "lift", "propose", "propose again", "reopen", "amend", "join", "withdraw"}


@dataclass(frozen=True, slots=True)
class SayBack:
    """How a line was read, in words, and what its author can answer."""

    lines: tuple[str, ...]
    message: int  # The number of its message.
    answers: tuple[Literal["yes", "no", "taken back"], ...] = ()


def say_back(
    fact: Event, memory: ConversationMemory, words: Words = ENGLISH, *, reads: bool = False, left: Sequence[Move] = ()
) -> SayBack | None:
    """Return how a person's line was read, or what came of their answer; None of a fact that is none of a line.

    A line that a model still `reads` is told as such. Where it reads nothing, the line is what it was heard as. What a
    yes has `left` is named, and can still be answered.
    """
    match fact:
        case MessagePosted(number=number, line=LineRead(how="offered" | "asked" | "talk")) if reads:
            told = (words.say("line-waits"),)
        case (
            MessagePosted(number=number, line=LineRead(how="offered", moves=moves))
            | LineOffered(message=number, moves=moves)
        ) if moves:
            offered = words.say("line-offered", acts=_of(moves, memory, words), terms=moves[0].terms)
            line = fact if isinstance(fact, LineOffered) else fact.line or LineRead("offered")
            doubt = LineOffered(who=fact.who, message=number, why=line.why, ids=line.ids)
            beside = say_back(doubt, memory, words) if line.why and (line is fact or line.why == "ended") else None
            return SayBack((offered, *(beside.lines if beside else _unread(fact, words))), number, ("yes", "no"))
        case (
            MessagePosted(number=number, who=who, moves=moves, line=LineRead(how="counted"))
            | LineAnswered(message=number, who=who, moves=moves, answer="yes")
        ):
            return _counted(fact, number, who, moves, memory, words, reads=reads, left=left)
        case LineOffered(message=number, why=""):
            return say_back(memory.parts.messages.message(number), memory, words)
        case (
            MessagePosted(number=number, line=LineRead(how="asked", why=why, ids=ids))
            | LineOffered(message=number, why=why, ids=ids)
        ):
            texts = [_text(key, memory, words, ended=why == "ended") for key in ids]
            told = (words.say("line-asked", why=slug(why), texts=texts, count=len(texts)),)
        case MessagePosted(number=number, who=who, line=LineRead(ids=ids)):
            faults = _faults(number, who, memory, words)
            texts = [_text(key, memory, words) for key in ids]
            talk = words.say("line-talk", texts=texts, count=len(texts), id=(*ids, "")[0])
            told = (words.say("line-lost", faults=faults) if faults else talk,)
        case LineAnswered(message=number, answer="no", moves=moves, says=says):
            asked = [words.say("line-left", acts=_of(left, memory, words))] * bool(left)
            return SayBack((_refused(moves, says, memory, words), *asked), number, ("yes", "no") if left else ())
        case LineAnswered(message=number, moves=moves, answer="taken back"):
            told = (words.say("line-taken-back", acts=_of(moves, memory, words, "line-undone")),)
        case _:
            return None
    return SayBack(told, number)


def offers(who: str, waiting: _Waiting, memory: ConversationMemory, words: Words) -> dict[int, str]:
    """Return in words what was offered to a person and waits for a yes or no, by the message of the line."""
    told = {at: say_back(LineOffered(who=who, message=at, moves=moves), memory, words) for at, moves in waiting.items()}
    return {at: " ".join(each.lines) for at, each in told.items() if each}


def uncounted(who: str, waiting: _Waiting, memory: ConversationMemory, words: Words) -> list[str]:
    """Return for a voter what of its lines counts for nobody in the vote, as it said no yes or no."""
    return [
        words.say("line-uncounted", message=f"m{at}", offered=offered)
        for at, offered in offers(who, waiting, memory, words).items()
    ]


def _counted(
    fact: MessagePosted | LineAnswered,
    number: int,
    who: str,
    moves: Iterable[Move],
    memory: ConversationMemory,
    words: Words,
    *,
    reads: bool,
    left: Sequence[Move],
) -> SayBack:
    """Return what the ledger made of the moves of a message; of one that nobody has heard yet, the moves."""
    acts = memory.acts(number)
    last = {(act.kind, act.on or act.text): act for act in acts if act.counted}  # what was said of a condition since
    done = [_act(act, memory, words) for act in last.values()] if acts else _of(moves, memory, words)
    faults = _faults(number, who, memory, words)
    told = (
        *([words.say("line-counted", acts=done)] if done else []),
        *(words.say("line-doubt", id=act.on) for act in acts if act.counted and act.doubt),
        *([words.say("line-lost", faults=faults)] if faults else []),
        *([words.say("line-waits")] if reads else _unread(fact, words)),
        *([words.say("line-left", acts=_of(left, memory, words))] if left else []),
    )
    back = any(act.counted and act.kind in _BACK for act in acts)
    return SayBack(told, number, ("yes", "no") if left else ("taken back",) if back else ())


def _unread(fact: MessagePosted | LineOffered | LineAnswered, words: Words) -> list[str]:
    """Return what of a line was not read beside what was: where a model read the whole line, nothing."""
    left = fact.line.left if isinstance(fact, MessagePosted) and fact.line else ()
    return [words.say("line-unread", texts=[in_quotes(each, _MOST, words) for each in left])] * bool(left)


def _faults(number: int, who: str, memory: ConversationMemory, words: Words) -> list[str]:
    """Return what of a message was not counted, and why."""
    at, lost = memory.unread(who)
    return [one_line(fault_line(act, words)) for act in lost] if at == number else []


def _refused(moves: Sequence[Move], says: str, memory: ConversationMemory, words: Words) -> str:
    """Return what a no comes to: a support that was offered with a condition stands without one."""
    if any(each.terms for each in moves):
        return words.say("line-in-full", acts=_of([replace(each, text="", terms="") for each in moves], memory, words))
    return words.say("line-not-meant", says=says, acts=_of(moves, memory, words))


def _of(moves: Iterable[Move], memory: ConversationMemory, words: Words, said: str = "line-act") -> list[str]:
    told = list[str]()
    for each in moves:
        kind, text = "take back" if each.of else each.kind, each.of or each.text
        read = read_condition(text if kind == "support" else "", "support")
        term = ConditionRead(True, text) if each.terms == "if" else read
        act = Act(kind, each.target or "", text=text, condition=term.condition, doubt=not term.sure)
        told.append(_act(act, memory, words, said))
    return told


def _act(act: Act, memory: ConversationMemory, words: Words, said: str = "line-act") -> str:
    on = act.on or (act.id if act.kind == "position" else "")
    same = {"propose again": "propose", "reopen": "propose", "join": "amend", "lift": "take back"}
    kind = same.get(act.kind, act.kind)
    return words.say(
        said,
        kind=slug(kind),
        of="condition" if act.kind == "lift" else act.text if kind == "take back" else "",
        text=_text(on, memory, words) if on else "",
        words=shorten(one_line(act.text), _MOST),
        condition=one_line(act.condition),
        doubt=act.doubt,
    )


def _text(key: str, memory: ConversationMemory, words: Words, *, ended: bool = False) -> str:
    """Return a text by its title and id, and what became of one that has `ended`; what is no id as it was written."""
    texts = [text for motion in memory.motions for text in motion.versions if text.id == key]
    end = "".join(f": {why_closed(each, words)}" for each in texts if ended)
    return words.say("line-text", id=one_line(key), title="".join(map(called, texts))) + end
