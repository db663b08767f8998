"""Checks of a summary: what must be in it, and what must not.

It must tell of each confirmed decision, open declared proposal and open question of its range. What a model leaves out
in its second draft too is added as a list, and what its messages do not say is taken out: numbers, names, and decisions
that nobody took. Its length is asked for, and cut where it is far too long; a summary is not refused for it.

Its sentences are held against the record by ids, authors, acts and votes, and against the messages by numbers and
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from eda.events.base import RecordFact
from eda.events.records import Summary
from eda.memory.patterns import Language
from eda.memory.sentences.judge import check, fact_words
from eda.memory.summaries.summary_input import Item, SummaryInput, figures, length, mentions, shortened
from eda.text import NUMBER_WORDS, normalise, sentences, shorten, unbroken
from eda.words import ENGLISH

_NOUNS = 0.15  # Share of capitalised words within sentences from which a language capitalises its nouns.
_STEM = 5
_CAPITALISED = re.compile(r"(?<=[\w,;)/(] )\(?([A-Z][^\W\d_]{2,})(?!\w*:)|\b([a-z]+[A-Z]\w*)")
_WITHIN = re.compile(r"(?<=[\w,;)] )([^\W\d_])[^\W\d_]{2,}")
_NUMBER = "|".join(NUMBER_WORDS)
_COUNT = re.compile(rf"\b(?!(?:zero|one)\b)({_NUMBER})(?:-({_NUMBER}))? (?!(?:{_NUMBER})\b)([^\W\d_]+)")


class Grounds:
    """The words, numbers and names that sentences may use.

    Args:
        sources: all that a sentence may rest on.
        counted: figures that it may name as well, such as numbers of votes.
        language: the words by which names and counts are told.
    """

    def __init__(self, sources: Iterable[str], counted: Iterable[int], language: Language) -> None:
        everything = normalise("\n".join(sources))
        words = set(re.findall(r"[^\W\d_]+", everything.casefold()))
        self._language = language
        self._stems = {word[:_STEM] for word in words}
        stated = figures(everything)
        thousands = {f"{int(figure) / 1000:g}" for figure in stated if figure.isdecimal() and int(figure) >= 1000}
        spelled = {str(figure) for figure, word in enumerate(language.spelled_figures) if word in words}
        spelled |= {f"{figure:g}" for word, figure in NUMBER_WORDS.items() if word in words}
        self._figures = stated | thousands | spelled | {*map(str, counted)}
        within = _WITHIN.findall(everything)
        self._names_stand_out = sum(map(str.isupper, within)) < _NOUNS * max(1, len(within))

    def numbers(self, sentence: str) -> list[str]:
        """Return the numbers that no source has; those in words only before a word that one has: `twelve minutes`."""
        in_words = (
            f"{match[1]}-{match[2]}" if match[2] else match[1]
            for match in _COUNT.finditer(sentence.casefold())
            if match[3][:_STEM] in self._stems and not self._language.of_the_talk.match(match[3])
            if not {f"{NUMBER_WORDS[word]:g}" for word in match.group(1, 2) if word} <= self._figures
            if f"{sum(NUMBER_WORDS[word] for word in match.group(1, 2) if word):g}" not in self._figures
        )
        return [*sorted(figures(sentence) - self._figures), *in_words]

    def names(self, sentence: str) -> list[str]:
        """Return the names that no source has; none in a language that writes its nouns large."""
        if not self._names_stand_out:
            return []
        found = [first or second for first, second in _CAPITALISED.findall(sentence)]
        headings = self._language.summary_headings
        begins = self._language.told_of_one.match(sentence)
        if begins and begins[1].casefold() not in self._language.no_names:
            found.insert(0, begins[1])
        return [w for w in found if w.casefold()[:_STEM] not in self._stems and w.casefold() not in headings]


_FEWEST_WORDS = 5  # A summary with fewer words left says nothing.
_SHOWN = 120  # Characters of a sentence that a complaint repeats.
_MARK_ALONE = re.compile(r"\s*(?:[-*>#]+|\d+[.)])\s*")  # what is left of a line of a list


def without_groundless(text: str, summary_input: SummaryInput) -> str:
    """Return the summary without the sentences that say what its messages do not; empty if too little is left."""
    spans = {span for span, _ in faults(text, summary_input)}
    for start, end in sorted(spans, reverse=True):
        before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
        if before.count("**") % 2:  # the sentence began in bold letters
            before = before.removesuffix("**").rstrip(" ")
        text = f"{before} {after}" if before and not before.endswith("\n") else f"{before}{after.lstrip()}"
    if spans:
        text = "\n".join(line for line in text.split("\n") if not _MARK_ALONE.fullmatch(line)).strip()
    return "" if spans and len(text.split()) < _FEWEST_WORDS else text


def faults(text: str, summary_input: SummaryInput) -> list[tuple[tuple[int, int], str]]:
    """Return each sentence that the messages or the record do not bear out, by its place, with what is wrong."""
    record = summary_input.record
    plain, grounds, wrong = normalise(text), _grounds(summary_input), list[tuple[tuple[int, int], str]]()
    for start, end in sentences(plain):
        sentence = plain[start:end]
        if summary_input.language.summary_heading.fullmatch(sentence):
            continue
        shown = shorten(unbroken(sentence), _SHOWN)
        if numbers := grounds.numbers(sentence):
            wrong.append(((start, end), ENGLISH.say("prompt-summary-numbers", numbers=numbers, sentence=shown)))
        if names := grounds.names(sentence):
            wrong.append(((start, end), ENGLISH.say("prompt-summary-names", names=names, sentence=shown)))
        if record and (judged := check(sentence, record)).verdict == "false":
            wrong.append(((start, end), _false(judged.why, shown)))
    return wrong


def _false(facts: Iterable[RecordFact], sentence: str) -> str:
    why = [fact_words(fact, ENGLISH) for fact in dict.fromkeys(facts)]
    return ENGLISH.say("sentence-false", why=why, sentence=sentence)


def _grounds(summary_input: SummaryInput) -> Grounds:
    """Return what the messages of a range, its items and earlier decisions say."""
    due, lines = summary_input.due, summary_input.lines
    names = [line.who for line in lines]
    items = [f"{item.who} {item.text}" for item in (*summary_input.items, *summary_input.earlier)]
    texts = (*summary_input.texts, *(line.text for line in lines), *(each.text for each in summary_input.sources))
    counted = (due.first, due.last, len(lines), len(set(names)))
    return Grounds((*texts, *names, *items, summary_input.minutes), counted, summary_input.language)


CONCISE = 160  # Words that a summary is asked to have.
LEEWAY = 100  # Words beyond those from which a summary is cut.
_UNRESOLVED = "[UNRESOLVED]"
_ASKED_KEPT = 4  # Newest open questions that a fold must keep.


def complaints(text: str, summary_input: SummaryInput) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    lacking = (f"It lacks: {line}" for line in _missing(text, summary_input))
    return (*(fault for _, fault in faults(text, summary_input)), *lacking)


def mended(text: str, summary_input: SummaryInput) -> str:
    """Return the summary cut to its length, with a list of what it lacks."""
    words = CONCISE + LEEWAY
    text = shortened(text, words)
    lacking = _missing(text, summary_input)
    if not lacking or not text:
        return text
    fitting = sum(used <= words for used in accumulate(map(length, lacking)))
    listed = [f"\n- {line}" for line in lacking[:fitting]]
    left = len(lacking) - fitting
    listed += [f"\n- {ENGLISH.say('prompt-summary-more', number=str(left))}"] if left else []
    return f"{text}\nAlso:{''.join(listed)}"


def _missing(text: str, summary_input: SummaryInput) -> list[str]:
    lost = [item.line for item in summary_input.required if not mentions(text, item)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = (line.removeprefix("- ").strip() for source in sources for line in source.text.splitlines())
    return list(dict.fromkeys(line for line in lines if _UNRESOLVED in line))[-_ASKED_KEPT:]
