"""How a text came about: what it amends and joins, each wording with what it changed of the one before."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from eda.debate.verdict import ancestry, texts_by_id
from eda.events import Proposal
from eda.memory import ConversationMemory
from eda.memory.minutes.proposals import end_of, end_words
from eda.report.formatting import one_line
from eda.text import regex
from eda.words import ENGLISH, Words

_TOKEN = regex(r"(?:(?:\d+[.,:])*\d[\w'’%€$-]*|[\w'’%€$-]+|[^\w\s])\s*")
_ALIKE = 0.5  # Share of words in common from which a text is shown as a change of the one before, else as it stands.

_BESIDE = 3  # Words of an unchanged stretch that stand beside a change.


@dataclass(frozen=True, slots=True)
class Step:
    """One wording."""

    id: str
    by: str  # Empty for an option given with the question.
    message: int
    became: str  # What became of it: `decided`, `replaced by p9.1`, `left open`.
    note: str  # What it joins, or that it is written anew.
    # Its words in order, each with `same`, `in` (new) or `out` (of the text before).
    parts: tuple[tuple[str, str], ...]
    than: str = ""  # Id of the next wording, where the words are what differs from that.


def descent(memory: ConversationMemory, number: str, words: Words = ENGLISH) -> tuple[Step, ...]:
    """Return the wordings that a text was made of, oldest first, itself last; only itself where it was made of none."""
    texts = _texts(memory)
    made_of = ancestry(texts[number], texts) if number in texts else ()
    ordered = sorted(made_of, key=lambda text: (text.message, text.id))
    return tuple(_step(text, texts.get(text.amends or ""), words) for text in ordered)


def replaced(memory: ConversationMemory, but: Collection[str], words: Words = ENGLISH) -> tuple[Step, ...]:
    """Return the proposals that were not decided, oldest first; one that was reworded as what differs from that."""
    texts = _texts(memory)
    later = {key: text for text in texts.values() for key in (text.amends, *text.joins) if key}
    steps = []
    for text in sorted(texts.values(), key=lambda text: text.message):
        step, after = _step(text, None, words), later.get(text.id)
        changed = tuple(differences(one_line(after.content), step.parts[0][0])) if after and not after.joins else ()
        if text.id in but or not text.proposer:
            continue
        steps.append(replace(step, parts=tuple(elided(changed)), than=after.id) if after and changed else step)
    return tuple(steps)


def elided(parts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the words of two texts with the unchanged stretches cut short; of one text alone all words."""
    for text, how in parts:
        words, end = text.split(), text[len(text.rstrip()) :]
        cut = how == "same" and len(words) > 2 * _BESIDE and len(parts) > 1
        yield (f"{' '.join(words[:_BESIDE])} … {' '.join(words[-_BESIDE:])}{end}" if cut else text), how


def others(memory: ConversationMemory, but: Collection[str], words: Words = ENGLISH) -> tuple[Step, ...]:
    """Return the texts of the table that have none of these ids, oldest first, without those given or struck."""
    rest = (text for text in _texts(memory).values() if text.id not in but and text.proposer)
    return tuple(_step(text, None, words) for text in sorted(rest, key=lambda text: (text.message, text.id)))


def _texts(memory: ConversationMemory) -> dict[str, Proposal]:
    return {key: text for key, text in texts_by_id(memory).items() if text.status != "struck"}


def _step(text: Proposal, before: Proposal | None, words: Words) -> Step:
    content, note = one_line(text.content), ""
    parts: tuple[tuple[str, str], ...] = ((content, "same"),)
    if text.joins:
        note = words.say("page-made", how="joins", of=[key for key in (text.amends, *text.joins) if key])
    elif before is not None:
        changed = tuple(differences(one_line(before.content), content))
        parts, note = changed or parts, words.say("page-made", how="rewords" if changed else "anew", of=[before.id])
    status = text.status if text.status in ("active", "accepted") else "closed"
    ended = words.say("page-became", status=status, end=end_words(end_of(text), words))
    return Step(text.id, text.proposer, text.message, ended, note, parts)


def differences(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the words of two texts in order, told apart; nothing where they have too little in common."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    match = SequenceMatcher(None, old, new, autojunk=False)
    if match.ratio() < _ALIKE:
        return
    for kind, one, to_one, two, to_two in match.get_opcodes():
        if kind == "equal":
            yield "".join(new[two:to_two]), "same"
            continue
        if one < to_one:
            yield "".join(old[one:to_one]), "out"
        if two < to_two:
            yield "".join(new[two:to_two]), "in"
