"""Writes a summary without a model: the weightiest sentences, a line each, within the same length."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from eda.events import Line
from eda.memory.patterns import Language, default_language
from eda.memory.summaries.summary_input import CONCISE, Item, SummaryInput, figures, length, parts, stems, unresolved
from eda.text import mask_quotes, normalise, sentences, split, unbroken
from eda.words import ENGLISH, Words, languages

_PER_SPEAKER = 2
_FEWEST_SPACES = 4  # A sentence of fewer spaces is left out, unless it has a figure.
_SOON = 3  # Messages after a question that are searched for its answer.
_ASKED = 3  # Most open questions of a range: the last ones.
_ANSWERS = 0.3  # Share of a question's words that its answer takes up.
_LAST_WANTED = 9
_FIRST_WANTED = {
    "agreement": 4,
    "disagreement": 4,
    "decision": 0,
    "accepted": 0,
    "claim": 4,
    "proposal": 1,
    "question": 2,
}  # The kinds of items whose lines follow the key points, in order, and how much they are wanted.
_SECTIONS = ("point", *_FIRST_WANTED)


class _Part(NamedTuple):
    text: str
    wanted: float  # The part with the least value is taken first.
    kind: str = "point"  # Its section.


def extractive_summary(summary_input: SummaryInput) -> str:
    """Return key points, who agreed and who did not, decisions, open proposals and questions, in lines."""
    if summary_input.sources:
        also = {"", *(Words(code).say("prompt-summary-also") for code in languages())}
        lines = [
            line.removeprefix("- ").strip() for source in summary_input.sources for line in source.text.splitlines()
        ]
        told = [
            part
            for line in lines
            for part in ([line] if length(line) < _LONG_LINE else parts(line))
            if part not in also
        ]
        weights = _weights(told)
        order = sorted(range(len(told)), key=lambda place: (-weights[place], place))
        ranks = {place: 5 + rank / len(told) for rank, place in enumerate(order)}
        newest = dict.fromkeys(unresolved(summary_input.sources), _FIRST_WANTED["question"] + 0.5)
        asked = (
            dict.fromkeys((line for each in summary_input.sources for line in unresolved([each])), _LAST_WANTED)
            | newest
        )
        known = [
            _Part(part, asked.get(part, ranks[at]), "question" if part in asked else "point")
            for at, part in enumerate(told)
        ]
        candidates = [*_listed(summary_input.items), *known]
    else:
        items = [item for item in summary_input.items if item.kind != "question"]
        items += open_questions(summary_input.lines, summary_input.after, summary_input.language)
        candidates = [*_key_points(summary_input.lines), *_listed(items)]
    lines = _fitting(candidates, CONCISE)
    return "\n".join(lines) or ENGLISH.say("prompt-summary-nothing", number=str(len(summary_input.lines)))


def questions_of(summary_input: SummaryInput) -> set[str]:
    """Return the lines of a summary that are open questions: of the range, and of the summaries that it joins."""
    asked = open_questions(summary_input.lines, summary_input.after, summary_input.language)
    known = (item for item in summary_input.items if item.kind == "question")
    return {*unresolved(summary_input.sources), *(item.line() for item in dict.fromkeys((*asked, *known)))}


@lru_cache(maxsize=2)  # a summary, what it must not lose and what it leaves open each ask for them
def open_questions(
    lines: tuple[Line, ...], after: tuple[Line, ...] = (), language: Language | None = None
) -> tuple[Item, ...]:
    """Return a range's last questions that nobody else took up soon; none asked for effect or quoted."""
    language = language or default_language()
    all_lines = [*lines, *after]
    names = {line.who for line in all_lines}
    questions = [
        Item("question", line.number, line.who, unbroken(part))
        for place, line in enumerate(lines)
        for part in _asked(line, names, language)
        if not any(_answers(later, line, part) for later in all_lines[place + 1 : place + 1 + _SOON])
    ]
    return tuple(questions[-_ASKED:])


def _asked(line: Line, names: Iterable[str], language: Language) -> list[str]:
    """Return the questions of a message that want an answer: the last words, to a member by name, or called open."""
    if "?" not in line.text:
        return []
    own = normalise(line.text)
    unquoted = mask_quotes(own)
    pieces = [(own[start:end], unquoted[start:end]) for start, end in sentences(own)]
    last = next((place for place in range(len(pieces), 0, -1) if not pieces[place - 1][0].endswith("?")), 0)
    calls = [rf"(?:^|[@,]\s*){re.escape(who)}\b\W" for who in names if who != line.who]
    return [
        part
        for place, (part, free) in enumerate(pieces)
        if free.endswith("?") and part.count(" ") >= _FEWEST_SPACES and not language.asked_for_effect.search(part)
        if not language.closing_offers.search(part)
        if place >= last or any(re.search(call, part) for call in calls) or language.called_open.search(part)
    ]


def answered_by(later: Line, asker: Line, question: str) -> bool:
    """Return whether the next message of who was asked answers: it takes the subject up, or names who asked one thing.

    Among several questions of a message, an answer that only names its author may be to another one.
    """
    questions = [part for part in parts(asker.text) if part.endswith("?")]
    return _takes_up(later, question) or (len(questions) == 1 and _answers(later, asker, question))


def _takes_up(later: Line, question: str) -> bool:
    wanted = stems(question)
    return bool(wanted) and len(wanted & stems(later.text)) >= _ANSWERS * len(wanted)


def _answers(later: Line, asker: Line, question: str) -> bool:
    if later.who == asker.who:
        return False
    name, cited = (asker.who.split() or [""])[0], f"m{asker.number}"
    if name and name.lower() != "the" and name in later.text and re.search(rf"\b{re.escape(name)}\b", later.text):
        return True
    return bool(cited in later.text and re.search(rf"(?<!\w){cited}(?!\w)", later.text)) or _takes_up(later, question)


def _fitting(candidates: Iterable[_Part], most: int) -> list[str]:
    """Return the parts that fit into `most` words, chosen by how wanted they are, in the order of the sections."""
    different = list({part.text: part for part in reversed(list(candidates))}.values())[::-1]
    taken: list[int] = []
    for place in sorted(range(len(different)), key=lambda place: different[place].wanted):
        size = length(different[place].text)
        if size <= most:
            most -= size
            taken.append(place)
    return [
        different[place].text
        for place in sorted(taken, key=lambda place: (_SECTIONS.index(different[place].kind), place))
    ]


def _listed(items: Iterable[Item]) -> list[_Part]:
    return [_Part(item.line(), _FIRST_WANTED[item.kind], item.kind) for item in items]


def _key_points(lines: Sequence[Line]) -> list[_Part]:
    statements = [
        (line, part)
        for line in lines
        for part in parts(line.text)
        if (spaces := part.count(" ")) >= _FEWEST_SPACES or (spaces and figures(part))
    ]
    weights = _weights([part for _, part in statements])
    ranks: dict[int, float] = {}
    taken: Counter[str] = Counter()
    for order, place in enumerate(sorted(range(len(statements)), key=lambda place: (-weights[place], place))):
        who = statements[place][0].who
        taken[who] += 1
        if taken[who] <= _PER_SPEAKER:
            ranks[place] = 3 if taken[who] == 1 else 5 + order / len(statements)
    points = ((statements[place], rank) for place, rank in sorted(ranks.items()))
    return [_Part(f"{line.who} (m{line.number}): {unbroken(part)}", rank) for (line, part), rank in points]


def _weights(texts: Sequence[str]) -> list[float]:
    """Return the weight of each text: how frequent its words are in all texts, relative to its length."""
    # Words of four letters or more: the short ones are in every sentence.
    bags = [{word for word in split(text.lower()) if len(word) >= 4} for text in texts]
    uses = Counter(chain.from_iterable(bags))
    return [sum(map(uses.__getitem__, bag)) / (8 + len(text) / 6) for text, bag in zip(texts, bags, strict=True)]


_LONG_LINE = 60  # A line of a summary with at least so many words is split into sentences.
