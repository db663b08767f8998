"""What a message takes back in words, and whether a member's messages bear out that it does, as its answer says."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eda.events import MessagePosted
from eda.memory import ConversationMemory
from eda.memory.minutes.move_words import STRUCK
from eda.memory.minutes.otherwise import own_in_words
from eda.memory.minutes.remark_words import IDS
from eda.text import bare, plain_low, sentences

_ANY = "o0"  # Stands for the id of any text.
_NEAR = 12  # Messages before a denial among which the claim is that it denies.
_QUOTED = 3  # Words of a sentence that quote it.


def bears_out_withdrawal(name: str, words: str, own: Sequence[MessagePosted], memory: ConversationMemory) -> bool:
    """Return whether a member's messages take a side on a text back: in words, or in a tag that was not counted.

    A tag that is struck out does. So do `words` of its answer that are, some left out, those of one of their sentences.
    """
    lost, quote = memory.unread(own[0].who)[1], {*bare(words).split()}
    talk = "\n\n".join(each.talk for each in own)
    return (
        any("withdraw" in f"{act.kind} {act.text}".lower() for act in lost)
        or any("WITHDRAW" in why.ids for act in lost for why in act.unread_because)
        or any(name in (ids or [name]) for each in own for _, ids in taken_back(each.who, each.number, memory))
        or any(name in IDS.findall(tag.casefold()) for each in own for tag in STRUCK.findall(each.talk))
        or any(
            len(quote) >= _QUOTED
            and quote.issubset(bare(each).split())
            and not memory.patterns.language.negations.search(plain_low(each))
            for each in (talk[slice(*span)] for span in sentences(talk))
        )
    )


def taken_back(who: str, number: int, memory: ConversationMemory) -> list[tuple[str, set[str]]]:
    """Return the sentences of a message by which its author seems to take back, without a tag, what it said before.

    Below a move that is what the message itself says, too: "Scratch my yes." Each comes with the ids of the texts that
    it names, without a `.0`.
    """
    message, rows, own = memory.parts.messages.message(number), memory.state.rows, memory.patterns.language.own_side
    since = {key.removesuffix(".0"): row["since"][who] for key, row in rows.items() if who in row["since"]}
    before, below = {key for key, at in since.items() if at < number}, _below_moves(message)
    parts = (message.text[slice(*span)].strip() for span in sentences(message.text))
    taken = [(each, ids) for each in parts if before or each in below for ids in _meant(each, who, memory)]
    gone, ended = memory.state.ended(who, number) if taken else set(), any(m.kind == "withdraw" for m in message.moves)
    on = {each: ids & (since.keys() if each in below else before) for each, ids in taken}
    return [
        (each, ids)
        for each, ids in taken
        if (on[each] if ids else not (ended or gone.intersection(side.lastgroup for side in own.finditer(each))))
    ]


def denied_claims(who: str, number: int, memory: ConversationMemory) -> list[tuple[str, set[str], str]]:
    """Return the sentences of a message by which its author seems to deny that all agree, with the tag that does."""
    talk, language, recent = memory.parts.messages.message(number).talk, memory.patterns.language, memory.parts.recent
    denies = [
        each
        for each in (talk[slice(*span)].strip() for span in sentences(talk))
        if language.denies_agreement.search(plain_low(each))
    ]
    earlier = recent.lines(max(1, number - _NEAR), number - 1) if denies else ()
    claims = [line for line in earlier if line.who != who and language.claims_agreement.search(plain_low(line.text))]
    return [
        (each, set(), f"DENY m{claims[-1].number}")
        for each in denies
        if claims and all(act.kind != "deny" for act in memory.acts(number))
    ]


def _below_moves(message: MessagePosted) -> set[str]:
    """Return the sentences of a message's talk that stand below its first move."""
    text, talk, at = message.text, message.talk, len(message.text) if message.moves_at is None else message.moves_at
    return {each for start, end in sentences(text) if start > at and (each := text[start:end].strip()) in talk}


def _meant(sentence: str, who: str, memory: ConversationMemory) -> list[set[str]]:
    """Return the ids of the texts that a sentence names which takes something back, as one set; else nothing.

    A title stands for its id: "my greenhouse I take back". So do words of what its author put, or stands on.
    """
    rows, takes = memory.state.rows, memory.patterns.language.takes_back
    if not takes.match(plain_low(f"{sentence} {_ANY}")):
        return []
    ids = texts_named(sentence, rows.values()) or own_in_words(sentence, who, rows)
    return [ids] * bool(takes.match(plain_low(" ".join((sentence, *ids)))))


def texts_named(sentence: str, rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids, without a `.0`, that a sentence has, and those of the texts whose titles it has."""
    low = sentence.casefold()
    titled = (row["id"].removesuffix(".0") for row in rows if row["title"] and row["title"].casefold() in low)
    return {*IDS.findall(low), *titled}
