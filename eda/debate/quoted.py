"""Words a summary from what a model quotes: a sentence of a member, or the act whose reason it is."""

from collections.abc import Iterator, Sequence

from eda.events import Act, MessagePosted, RecordFact
from eda.memory.context.acts import act_parts
from eda.memory.minutes.model_minutes import Quoted, find, whole_sentences
from eda.memory.minutes.names import unsigned
from eda.memory.minutes.proposals import slug
from eda.memory.parts import Parts
from eda.memory.sentences.judges import fact_words
from eda.memory.sentences.record import DEEDS
from eda.memory.sources import source_told
from eda.text import normalise, shorten, unbroken
from eda.words import Words

_FEWEST = 3  # Words of the talk that are a quotation; a shorter message is one as a whole.
_MOST = 500  # Characters of a quotation.
_WHOLE = 25  # Words of a paragraph that is quoted whole: a condition may be its next sentence.
_SIDES = ("support", "oppose", "neutral", "lift", "take back")  # What its author may take back, or replace.


def quoted(points: Sequence[Quoted], parts: Parts, last: int, words: Words) -> tuple[dict[str, int], int]:
    """Return the lines of a summary of messages up to `last`, each with the message that its point quotes.

    Also return how many of its points no message bears out.
    """
    lines = [_lines(each, parts, last, words) if 0 < each.message <= last else [] for each in points]
    return {line: at.message for at, each in zip(points, lines, strict=True) for line in each}, lines.count([])


def _lines(point: Quoted, parts: Parts, last: int, words: Words) -> list[str]:
    """Return what a point quotes, an act or talk; behind talk its conditions."""
    message = parts.messages.message(point.message)
    for act in parts.acts.of(point.message):
        if act.counted and find(point.quote, f"{act.text}\n{act.why}\n{act.condition}"):
            line = next((each for each in (act.text, act.why) if find(point.quote, each)), act.condition)
            return [*_of_act(message, act, act.condition * (not act.doubt) or line, parts, last, words)]
    span = find(point.quote, message.talk)
    if not span or len(point.quote.split()) < min(_FEWEST, len(message.talk.split())):
        return []
    begins, ends = message.talk.rfind("\n", 0, span[0]) + 1, f"{message.talk}\n".find("\n", span[1])
    if len(message.talk[begins:ends].split()) > _WHOLE:
        begins, ends = whole_sentences(normalise(message.talk), *span)
    found = unsigned(message.talk[begins:ends], message.who, parts.minutes.state.language)
    wrong = source_told(parts, found, message.who, words)
    terms = (act for act in parts.acts.of(point.message) if act.counted and act.condition)
    conditions = [line for act in terms for line in _of_act(message, act, act.condition, parts, last, words)]
    return [_told(_head(message, None, words) + (f" ({wrong})" if wrong else ""), found), *conditions]


def _of_act(message: MessagePosted, act: Act, quote: str, parts: Parts, last: int, words: Words) -> Iterator[str]:
    """Yield an act with its words; of a side on a text also what its author last did about that by message `last`."""
    yield _told(_head(message, act, words), quote)
    later = (parts.messages.message(at) for at in range(message.number + 1, last + 1) if act.kind in _SIDES)
    since = [
        (each, one)
        for each in later
        if each.who == message.who
        for one in parts.acts.of(each.number)
        if one.counted and one.on == act.on and one.kind in _SIDES
    ]
    new = ((e, one) for e, one in since[-1:] if (one.kind, one.conditional) != (act.kind, act.conditional))
    yield from (_told(_head(each, one, words), one.condition or one.why) for each, one in new)


def _head(message: MessagePosted, act: Act | None, words: Words) -> str:
    deed = DEEDS.get(act.kind) if act else None
    text = (act.id or act.on if deed == "put" else act.on) if act else ""
    if not (act and deed and text):
        claims = f" {act_parts(act, words=words)[0]}" if act and act.kind == "claim" else ""
        return f"{message.who} (m{message.number}){claims}"
    support = "support-perhaps" if act.doubt else "support-if"
    back = slug(f"{act.kind} {act.text}".rstrip()) if act.kind in ("take back", "lift") else deed
    return fact_words(
        RecordFact("deed", (message.who,), text, message.number, support if act.conditional else back), words
    )


def _told(head: str, quote: str) -> str:
    quote = f': "{shorten(unbroken(quote), _MOST)}"' * bool(quote)
    return head + quote + "." * (quote[-2:-1] not in ".!?" or not quote)
