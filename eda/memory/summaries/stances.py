"""Holds what a summary says of members and items against what they declared: by ids and names, never by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eda.events.records import Stance
from eda.memory.summaries.summary_input import SummaryInput

_ID = re.compile(r"(?<![\w.@])(?:p\d+[.@]\d+|o\d+)(?![\w@])")


def ids_in(text: str) -> frozenset[str]:
    """Return the ids of items in a text."""
    return frozenset(_ID.findall(text))


def known_ids(summary_input: SummaryInput) -> frozenset[str]:
    """Return the ids of items that a summary may speak of: those that its messages, items and table have."""
    sources = [source.text for source in summary_input.sources]
    lines = [line.text for line in summary_input.lines]
    items = [f"{item.id} {item.text}" for item in (*summary_input.items, *summary_input.earlier)]
    texts = (summary_input.minutes, summary_input.table, *summary_input.texts, *lines, *items, *sources)
    return ids_in("\n".join(texts)).union(summary_input.stances)


def contradicted(sentence: str, summary_input: SummaryInput) -> Iterator[str]:
    """Yield `Maya never declared support of p3.0` for each stance that a sentence gives a member against its own moves.

    Only a clause with one id, one stance and a name before it says who stands where. Whoever declared nothing about the
    item, or declared both in turn, is not contradicted.
    """
    language = summary_input.language
    words: tuple[tuple[Stance, re.Pattern[str]], ...] = (
        ("support", language.told_support),
        ("oppose", language.told_opposition),
    )
    for clause in language.told_breaks.split(sentence):
        ids = ids_in(clause)
        told = [(stance, match) for stance, verbs in words if (match := verbs.search(clause))]
        if len(ids) != 1 or len(told) != 1 or language.told_unsure.search(clause):
            continue
        (item,), ((stance, verb),) = ids, told
        declared = summary_input.stances.get(item, {})
        before = clause[: verb.start()]
        named = [who for who in declared if re.search(rf"\b{re.escape(who)}(?:\W+\w+){{0,2}}\W*$", before)]
        if len(named) == 1 and stance not in declared[named[0]]:
            yield f"{named[0]} never declared to {stance} {item}"
