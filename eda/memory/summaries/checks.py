"""Checks of a summary: what must be in it, and what must not.

It must tell of each confirmed decision, open declared proposal and open question of its range. What a model leaves out
in its second draft too is added as a list. Its length is asked for, and cut where it is far too long; a summary is not
refused for it.

A model quotes, and says nothing itself. The sentences of a summariser of the user's own are held against the record, by
ids, authors, acts and votes.
"""

from collections.abc import Iterable
from itertools import accumulate

from eda.events import Summary
from eda.memory.sentences.judges import check, fact_words
from eda.memory.summaries.summary_input import CITED, SAME, Item, SummaryInput, length, mentions, shortened
from eda.text import normalise, regex, sentences, shorten, unbroken
from eda.words import ENGLISH, Words

_FEWEST_WORDS = 5  # A summary with fewer words left says nothing.
_SHOWN = 120  # Characters of a sentence that a complaint repeats.
_MARK_ALONE = regex(r"\s*(?:[-*>#]+|\d+[.)])\s*")  # what is left of a line of a list


def without_groundless(text: str, summary_input: SummaryInput) -> str:
    """Return the summary without the sentences that the record does not bear out; empty if too little is left."""
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
    """Return each sentence that the record does not bear out, by its place, with what is wrong."""
    record, plain = summary_input.record, normalise(text)
    judged = [(span, check(plain[slice(*span)], record)) for span in sentences(plain)] if record else []
    return [
        (
            span,
            ENGLISH.say(
                "sentence-false",
                why=[fact_words(fact, ENGLISH) for fact in dict.fromkeys(each.why)],
                sentence=shorten(unbroken(plain[slice(*span)]), _SHOWN),
            ),
        )
        for span, each in judged
        if each.verdict == "false"
    ]


CONCISE = 160  # Words that a summary is asked to have.
LEEWAY = 100  # Words beyond those from which a summary is cut.
_ASKED_KEPT = 4  # Newest open questions that a fold must keep.


def complaints(text: str, summary_input: SummaryInput) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    lacking = (f"It lacks: {line}" for line in _missing(text, summary_input))
    return (*(fault for _, fault in faults(text, summary_input)), *lacking)


def mended(text: str, summary_input: SummaryInput, words: Words = ENGLISH, *, quotes: bool = False) -> str:
    """Return the summary cut to its length, with a list of what it lacks.

    Of a summary of `quotes` the words of a message are none of a text that this puts, but for its own.
    """
    most = CONCISE + LEEWAY
    text = shortened(text, most)
    lacking = _missing(text, summary_input, words, SAME if quotes else CITED)
    if not lacking or not text:
        return text
    fitting = sum(used <= most for used in accumulate(map(length, lacking)))
    listed = [f"\n- {line}" for line in lacking[:fitting]]
    left = len(lacking) - fitting
    listed += [f"\n- {words.say('prompt-summary-more', number=str(left))}"] if left else []
    return f"{text}\n{words.say('prompt-summary-also')}{''.join(listed)}"


def _missing(text: str, summary_input: SummaryInput, words: Words = ENGLISH, cited: float = CITED) -> list[str]:
    lost = [item.line(words) for item in summary_input.required if not mentions(text, item, cited)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = ((source.text.splitlines(), source.open) for source in sources)
    asked = (line.removeprefix("- ") for told, places in lines for at, line in enumerate(told) if at in places)
    return list(dict.fromkeys(asked))[-_ASKED_KEPT:]
