"""What was decided, over all sessions of a folder, and the search in it by plain words.

What a decision says stands in the row of its session (see `overview`), so that no log is read. The words of all rows
are counted at each search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from eda.events import DecisionFollowedUp
from eda.memory.recall.index import Postings, rarity, split, stems_of
from eda.report.overview import overview
from eda.session.names import session_names
from eda.words import Words, languages

Row = Mapping[str, Any]
_LEAST = 0.5  # The least share of the best score.


def followed_up(row: Row) -> DecisionFollowedUp | None:
    """Return what people wrote down after the decision of a row."""
    followed = row["decision"]["followed"]
    return DecisionFollowedUp(**followed) if followed else None


def due_since(row: Row, today: date) -> date | None:
    """Return since when a decision is to be looked at again, if that day has come and nobody says what came of it."""
    after = followed_up(row)
    due = after and after.revisit and after.revisit <= today and not after.outcome
    return after.revisit if after and due else None


def decisions(folder: Path, query: str = "") -> list[dict[str, Any]]:
    """Return the rows of the sessions that came to a verdict; see `ranked`."""
    return ranked([row for name in session_names(folder) if (row := overview(folder / name)).get("decision")], query)


def ranked(rows: Iterable[dict[str, Any]], query: str) -> list[dict[str, Any]]:
    """Return the decisions that a question in plain words is about, best first; without a subject all, newest first.

    Where two fit alike, the shorter question comes first, a decision before a fork, models before a simulation. A fork
    that only has the verdict it was made with is none.
    """
    newest = sorted(rows, key=lambda row: str(row["decision"]["at"]), reverse=True)
    reached = {(row["session"], row["decision"]["at"]) for row in newest}
    newest = [
        row for row in newest if not row["from"] or (row["from"]["session"], row["decision"]["at"]) not in reached
    ]
    wanted = [word for word in dict.fromkeys(map(str.lower, split(query))) if word not in asking()]
    if not wanted:
        return newest
    newest.sort(key=lambda row: (bool(row["from"]), "simulated" in row["marks"], len(row["question"])))
    scores: defaultdict[int, float] = defaultdict(float)
    for texts in (map(_head, newest), map(_whole, newest)):  # what stands in the head counts twice
        for number, score in _scores([*texts], wanted):
            scores[number] += score
    least = _LEAST * max(scores.values(), default=0.0)
    best = sorted(number for number, score in scores.items() if score >= least)
    return [newest[number] for number in sorted(best, key=lambda number: -scores[number])]


def asking() -> set[str]:
    """Return the words of a question that only ask: `What did we decide?` has no other."""
    return {word for each in languages() for word in Words(each).say("decisions-asking").split()}


def _scores(texts: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, float]]:
    """Yield how well each text fits the words, once for each word: a rare word counts more than a common one."""
    postings = Postings()
    for number, text in enumerate(texts):
        postings.add(number, dict.fromkeys(map(str.lower, split(text))))
    found = zip(stems_of(wanted), wanted, postings.looked_up(wanted), strict=True)
    stems = {stem: (word, held) for stem, word, (*_, held) in found}
    for stem, (word, held) in stems.items():
        fits = {*held, *postings.alike(word, stem)}
        yield from ((number, rarity(len(fits), len(texts))) for number in fits)


def _head(row: Row) -> str:
    return "\n".join((row["question"], *row["decision"]["titles"], getattr(followed_up(row), "owner", "")))


def _whole(row: Row) -> str:
    decision, minds = row["decision"], (each["text"] for each in row["decision"]["minds"])
    parts = (*decision["texts"], *decision["reasons"], *minds, getattr(followed_up(row), "outcome", ""))
    return "\n".join((_head(row), row["session"], *parts, *row["members"]))
