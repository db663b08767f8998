"""What a member that is asked says that its messages declare: as moves, where their words do not say otherwise."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from eda.debate.asking import Checked, Turn, ask_for_fields
from eda.debate.line_reader import KINDS, in_vain
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.slots import Hears, in_words, lost_acts, on_closed_texts, position_in_words, untagged
from eda.debate.prompts.withdrawals import bears_out_withdrawal, taken_back
from eda.debate.speech import as_stances
from eda.debate.state import DebateState
from eda.debate.verdict import given_to
from eda.events import TITLE, Act, LineAnswered, MessagePosted, Move, TurnFailed, bounded
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply, unread_of
from eda.memory.minutes.items import ProposalItem
from eda.memory.minutes.otherwise import says_otherwise
from eda.memory.minutes.remark_words import IDS
from eda.memory.minutes.remarks import RemarkAct
from eda.memory.minutes.reply_reader import MOST_ACTS
from eda.memory.minutes.resolve import text_or_option
from eda.memory.patterns import Language
from eda.memory.patterns.conditions import conditional, read_condition
from eda.memory.sources import MESSAGE
from eda.panels.persona import Persona
from eda.runners.answers import DeclaredAct, DeclaredActs
from eda.runners.protocol import Reply, Runner
from eda.runners.repair import answer_in, fields_of, validated
from eda.text import bare, regex, unbroken

# Lines in the words of the form: "withdraw support o3", "support if o2: it is paid", "oppose p1.0".
_LINE = regex(
    r"^[\s*-]*(?:withdraw (?:my )?(support|opposition|condition)(?: of| on| to)? ([op]\d+(?:\.\d+)?)"
    r"|support if ([op]\d+(?:\.\d+)?)|(?:support|oppose|undecided|amend|withdraw|position)(?= [op]\d)):?",
    "IM",
)
# The side of which a move says that its member takes it; of a withdrawal, the one that it no longer takes.
_SIDES = {
    "neutral": "neutral",
    "condition": "condition",
    **dict.fromkeys(("oppose", "opposition"), "oppose"),
    **dict.fromkeys(("support", "position", "withdraw"), "support"),
}


def with_doubts(agents: Iterable[str], state: DebateState, memory: ConversationMemory) -> list[str]:
    """Return those of whose messages something may not count as meant: they vote before they speak again."""
    return [who for who in agents if _in_doubt(who, state.spoke_at.get(who, 0), state, memory)]


def _in_doubt(who: str, last: int, state: DebateState, memory: ConversationMemory) -> bool:
    """Return whether a member is asked before the vote; once more about its last message if the minutes add to it."""
    unclear, answer = memory.unclear_supports(who), state.last_answer(who)
    if answer.at_once and answer.message == last and not answer.denied:
        return not all(each.doubt for each in unclear)
    return last > state.asked_once.get(who, 0) and bool(
        unclear
        or lost_acts(who, memory)
        or any(lost(who, last, memory) for lost in (taken_back, on_closed_texts, untagged))
        or any(map(conditional, position_in_words(who, last, memory)))
    )


def with_lost_acts(agents: Iterable[str], state: DebateState, memory: ConversationMemory) -> list[str]:
    """Return those in whose last message are acts that do not count, and who have not been asked about it."""
    answers = [(who, state.last_answer(who)) for who in agents]
    unasked = ((who, answer) for who, answer in answers if state.spoke_at.get(who, 0) > answer.message)
    return [who for who, answer in unasked if any(_is_asked(act, answer) for act in lost_acts(who, memory))]


def _is_asked(act: Act, before: LineAnswered) -> bool:
    """Return whether a lost act is asked about at once, by what its author answered `before` to such a question.

    Who declared nothing then is asked about what is surely an act; who could not be read, before the vote only.
    """
    sure = act.kind != "tag" or any(why.kind != "no such tag" or why.ids for why in act.unread_because)
    return not before.at_once or bool(before.moves or before.denied) or (sure and not before.unread)


async def declared(runner: Runner, prompts: PromptBuilder, persona: Persona, hears: Hears) -> Turn:
    """Return the facts of asking a member what its messages declare, which have no declared move; nothing may be it."""
    state, memory, who = prompts.state, prompts.memory, persona.title
    rows = memory.state.rows
    texts = {text.id: text.text for text in given_to(state)} | {key: row["text"] for key, row in rows.items()}
    put = [key for key, row in rows.items() if row["by"] == who]
    answer = await ask_for_fields(
        runner,
        prompts.declare(persona, texts, hears),
        partial(_moves_in, who=who, texts=texts, language=memory.patterns.language, own=put),
        lambda prompt, wrong, text: prompts.corrected(
            replace(prompt, answer=None, strict=None), wrong, text, "declare-again"
        ),
    )
    said, last = memory.parts.messages.message, state.spoke_at[who]
    given = (move for move in (answer.fields or {}).get("moves", ()) if not _is_so(move, who, last, memory))
    moves = [_out_of_doubt(move, who, memory) for move in given]
    # Those that declare nothing, or the last.
    own = [*islice((each for each in map(said, range(last, 0, -1)) if each.who == who), max(1, state.undeclared[who]))]
    denied = _denied(moves, own, memory)
    answered = LineAnswered(
        who=who,
        message=last,
        answer="asked",
        moves=as_stances(tuple(move for move in moves if move not in denied), prompts.yes_no),
        denied=denied,
        # A call that failed told its author nothing.
        at_once=bool(answer.reply and not state.does.ballots and with_lost_acts([who], state, memory)),
        unread=(answer.fields or {"unread": bounded(answer.words).strip() or "{}" * bool(answer.reply)})["unread"],
    )
    failed = TurnFailed(who=who, purpose="declare", error=answer.why, nth=answer.failed)
    return Turn((*answer.calls, *[failed] * (not (answer.reply or answer.short)), answered))


def _moves_in(reply: Reply, who: str, texts: Container[str], language: Language, own: Container[str] = ()) -> Checked:
    """Return the moves that a member's answer declares, in its form or in tags, and its words that are not read."""
    fields, wrong = answer_in(DeclaredActs, reply)
    rows = (fields_of(DeclaredActs, reply)[0] or {})["acts"] if fields else ()
    acts = [(row, validated(DeclaredAct, row)[0]) for row in rows if type(row) is dict]
    read = [(row, [*_declared(act, texts, own)] if act else []) for row, act in acts]
    given = [move for _, moves in read for move in moves]
    # Of several of a kind on one text the first one's words count, in the place of the last.
    once = [*{(move.kind, move.target or move.text): move for move in given[::-1]}.values()][::-1]
    text = _LINE.sub(_as_tag, bounded(reply.text))
    moves = tuple(once[:MOST_ACTS]) or read_reply(text, who, language=language).moves
    nothing = "[]" in "".join(text.split()) or language.says_nothing.fullmatch(bare(text))
    if not (moves or nothing or fields is not None):
        return None, wrong or "no list of acts"
    lost = unread_of(read, text if len(moves) > len(once) else "", language)
    more = [f"{move.kind} {move.target or ''}: {move.text}" for move in once[MOST_ACTS:]]
    return {"moves": moves, "unread": bounded("\n".join((*more, *lost)))}, f"not read: {'; '.join(lost)}" * bool(lost)


def _as_tag(line: re.Match[str]) -> str:
    """Return the beginning of a line in the words of the form as a tag."""
    of, on, condition = line.groups()
    return f"[WITHDRAW my {of} on {on}]" if of else f"[SUPPORT {condition}] if" if condition else line[0].upper()


def _out_of_doubt(move: Move, who: str, memory: ConversationMemory) -> Move:
    """Return a move; a support on whose condition its author was in doubt has none, if the answer states none.

    Who has a condition was told how to say so.
    """
    text = text_or_option(memory.state, move.target or "")
    stood = text.standing.get(who) if text and move.kind == "support" and not move.terms else None
    doubted = stood and stood.doubt and read_condition(move.text, "support").conditional is not True
    return replace(move, text=move.text or stood.why, terms="none") if stood and doubted else move


def _is_so(move: Move, who: str, last: int, memory: ConversationMemory) -> bool:
    """Return whether a member's last message declares a move of its answer, or ended what that ends.

    A reason in other words is no other act, and its condition stays where the answer is a support without one. So is a
    support that stands in full, and has no condition in the answer, whichever message declared it.
    """
    text, kind = text_or_option(memory.state, move.target or ""), "lift" if move.of == "condition" else move.kind
    on, words = text.id if text else move.target or "", bare(move.text)
    ended = text is not None and move.of != "" and text.ended(who, last) == _SIDES[move.of]
    if ended or (text and move.kind == "support" and not conditional(move.text) and _in_full(text, who, words)):
        return not move.terms
    same = (act for act in memory.acts(last) if (act.kind, act.on, act.counted, act.doubt) == (kind, on, True, False))
    return any(
        words in ("", bare(act.why or act.text or act.id)) or (bool(act.why) and not conditional(move.text))
        for act in same
    )


def _in_full(text: ProposalItem, who: str, words: str) -> bool:
    """Return whether a member supports a text without a condition, with a reason or without further `words`."""
    stood = text.standing.get(who)
    return (
        stood is not None
        and (stood.reaction, stood.conditional) == ("support", False)
        and (not words or bool(stood.why))
    )


def _denied(moves: Iterable[Move], own: Sequence[MessagePosted], memory: ConversationMemory) -> tuple[Move, ...]:
    """Return the moves of a member's answer that its messages, the newest first, say or declare otherwise."""
    stood = {
        act.on.removesuffix(".0"): act.kind
        for each in own
        for act in memory.acts(each.number)
        if act.kind in ("support", "oppose") and not act.unread_because
    }
    sides = [(move, _SIDES.get(move.kind), (move.target or move.text).removesuffix(".0")) for move in moves]
    return tuple(
        move
        for move, side, on in sides
        if _is_denied(move, own, memory) or {side, stood.get(on)} == {"support", "oppose"}
    )


def _is_denied(move: Move, own: Sequence[MessagePosted], memory: ConversationMemory) -> bool:
    """Return whether the words of a member's messages, the newest first, say otherwise than its answer.

    A withdrawal has to stand in them, or its author was asked about a sentence that names the text. What it was told
    as not counted counts once the answer says it again.
    """
    rows, (_, lost) = memory.state.rows, memory.unread(own[0].who)
    on, side = move.target or move.text, _SIDES.get(move.of or move.kind)
    row = rows.get(on, rows.get(f"{on}.0"))
    if not row or not side or (move.kind, on) in {(act.kind, act.on or act.text) for act in lost}:
        return False
    name = row["id"].removesuffix(".0")
    talk = next((each.talk for each in own if name in IDS.findall(each.talk.casefold())), "")
    otherwise, condition = says_otherwise(side, row["id"], "", talk, rows, memory.patterns.language)
    if move.kind == "withdraw":
        back = [RemarkAct("withdraw", row["id"], of=move.of)] * (move.of in ("condition", "opposition"))
        return not (
            otherwise
            or name in _texts_asked_about(own[0], memory)
            or in_vain(back, own[0].who, memory)[1]
            or bears_out_withdrawal(name, move.text, own, memory)
        )
    return otherwise or bool(condition and move.kind == "support" and not (move.terms or conditional(move.text)))


def _texts_asked_about(message: MessagePosted, memory: ConversationMemory) -> set[str]:
    """Return the ids of texts, without a `.0`, in a message's sentences that may take something back without a tag."""
    return set().union(
        *(ids for _, ids, tag in in_words(message.who, message.number, memory) if not tag or tag.startswith("WITHDRAW"))
    )


def _declared(act: Mapping[str, Any], texts: Container[str], own: Container[str]) -> Iterator[Move]:
    """Yield the moves of an act in the form that was asked for; none where it has no words, or names no text.

    Who holds a text of the table is for it, and the words are why, but of its author, who is for its `own` text anyway;
    with a condition they are for it on that condition. Who proposes a text in place of one of the table amends that.
    """
    does, on, title = act["does"], act["on"] if act["on"] in texts else None, unbroken(act["title"])
    words = "" if on and act["words"].strip(" .[]") == on else act["words"]  # the id once more is no reason
    named = on or act["on"] or "m{}".format(*MESSAGE.findall(words)[:1] or [""]) * (does == "deny")
    if does == "support if" and named and words:
        yield Move("support", words, named, terms="if")
    elif does == "hold" and on:
        yield from _held(on, words, own=on in own)
    elif does in ("propose", "amend") and words:
        title *= len(title.split()) <= TITLE and title != words
        yield Move("amend" if on else "propose", words.removeprefix(title).lstrip(" :"), on, title=title)
    elif words if does == "hold" else named and does not in ("propose", "amend", "support if"):
        yield Move(KINDS[does.split(" ")[0]], words, named, of=does.partition(" ")[2].removesuffix("text"))


def _held(on: str, words: str, *, own: bool) -> Iterator[Move]:
    """Yield the moves of who holds a text, which is its `own` or another's."""
    bound = conditional(words)
    yield from [Move("position", on)] * (not bound) + [Move("support", words, on)] * (bound or bool(words and not own))
