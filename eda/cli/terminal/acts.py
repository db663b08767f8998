"""The acts of a message for a screen: what it puts on the table or takes off it, who stands where, and why."""

from collections.abc import Iterable, Iterator

from eda.events import Act, ActKind, Move
from eda.memory.context.acts import act_line, act_parts
from eda.report.formatting import TEXT_ID, one_line
from eda.words import ENGLISH, Words

# Acts whose words stay whole below prose.
_TEXTS: tuple[ActKind, ...] = ("propose", "amend", "join", "claim", "decide")


def in_words(moves: Iterable[Move], words: Words) -> str:
    """Return moves as they were written, a line each: the text of a message that has no other."""
    lines = (act_line(Act(move.kind, move.target or "", text=move.text), words) for move in moves)
    return "\n".join(dict.fromkeys(map(one_line, lines)))


def in_brief(acts: Iterable[Act], said: str = "", *, alone: bool = False, words: Words = ENGLISH) -> Iterator[str]:
    """Yield the acts that change the table, with the reasons that the text of the message does not have itself.

    `said` is the text of the message, `alone` that it is its moves in words.
    """
    lines = set(said.split("\n")) if alone else set[str]()
    text = one_line(said).casefold()
    for act in acts:
        line, (head, own, rest) = one_line(act_line(act, words)), act_parts(act, words)
        # "In words" and "on a condition" stand before their words.
        again = (
            act.kind != "position"
            and not act.conditional
            and _has(text, own)
            and ((alone or act.kind not in _TEXTS) if act.counted else act.tagged)
        )
        # The text of the message has most positions in words; an id it may name for any reason.
        told = not (act.id or act.asked or TEXT_ID.fullmatch(act.text.strip(" ."))) and _has(
            text, act.text.split(",")[0]
        )
        if line in lines or act.kind == "note" or (act.kind == "position" and (told or not act.tagged)):
            continue
        yield one_line(f"{head}{rest}") if again else line


def _has(text: str, words: str) -> bool:
    """Return whether a text in small letters has these words."""
    return bool(words) and words.casefold().rstrip(" .") in text
