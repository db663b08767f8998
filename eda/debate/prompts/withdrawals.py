"""Whether the messages of a member bear out that it takes back where it stood on a text, as its answer says."""

from collections.abc import Sequence

from eda.debate.prompts.slots import taken_back
from eda.events import MessagePosted
from eda.memory import ConversationMemory
from eda.memory.minutes.move_words import STRUCK
from eda.memory.minutes.remark_words import IDS
from eda.text import bare, plain_low, sentences

_QUOTED = 3  # Words of a sentence that quote it.


def bears_out_withdrawal(name: str, words: str, own: Sequence[MessagePosted], memory: ConversationMemory) -> bool:
    """Return whether a member's messages take a side on a text back: in words, or in a tag that was not counted.

    A tag that is struck out does. So do `words` of its answer that are, some left out, those of one of their sentences.
    """
    told = (ids for each in own for _, ids in taken_back(each.who, each.number, memory))
    lost, quote = memory.unread(own[0].who)[1], {*bare(words).split()}
    talk = "\n\n".join(each.talk for each in own)
    said = (talk[slice(*span)] for span in sentences(talk))
    return (
        any("withdraw" in f"{act.kind} {act.text}".lower() for act in lost)
        or any("WITHDRAW" in why.ids for act in lost for why in act.unread_because)
        or any(name in (ids or [name]) for ids in told)
        or any(name in IDS.findall(tag.casefold()) for each in own for tag in STRUCK.findall(each.talk))
        or any(
            len(quote) >= _QUOTED
            and quote.issubset(bare(each).split())
            and not memory.patterns.language.negations.search(plain_low(each))
            for each in said
        )
    )
