"""The decision log, and the search in it: questions, verdicts, members, and every message. It keeps no index.

Of a line of the log only those that hold the words are parsed. A thousand sessions of 30 messages take about a second.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from eda.events import MessagePosted
from eda.report.formatting import clean, one_line
from eda.report.overview import asking, overview, ranked
from eda.session.names import LOG_FILE, session_names
from eda.session.schema import decode
from eda.words import ENGLISH, Words

_EACH = 3  # Messages of a session that are shown.
_ROUND = 110  # Characters around the first word found.
_LONGEST = 200  # Characters of a query.
Marked = list[tuple[str, bool]]  # A text in pieces, each with whether it was searched for.
Hit = dict[str, Any]  # A message that has the words: its `number`, `who` has written it, and its `text`, marked.


def words_of(query: str) -> list[str]:
    """Return the words of a query that do not only ask, by which messages are found.

    Each has to occur, in any order, in any case, also within a longer word.
    """
    words = [word.strip(".,;:?!") for word in one_line(query[:_LONGEST]).casefold().split()]
    return [word for word in words if word and word not in asking()]


def marked(text: str, words: Sequence[str]) -> Marked:
    """Return a text in pieces, those that are one of the words marked."""
    if not words:
        return [(text, False)]
    pieces = re.split(f"({'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})", text, flags=re.IGNORECASE)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]


def decision_log(
    folder: Path, query: str, sees: Callable[[str], bool]
) -> tuple[list[dict[str, Any]], Mapping[str, list[Hit]]]:
    """Return the rows of the sessions that somebody `sees`, the newest first.

    Of a search the decisions that it is about, best first, and then the sessions that have all of its words; also the
    messages that have them, by session.
    """
    words = words_of(query)
    rows = [overview(folder / name) for name in session_names(folder) if sees(name)]
    rows.sort(key=lambda row: row.get("last") or "", reverse=True)
    if not words:
        return rows, {}
    read = {row["session"]: list(islice(_hits(folder / row["session"] / LOG_FILE, words), _EACH)) for row in rows}
    hits = {name: found for name, found in read.items() if found}
    best = ranked([row for row in rows if row.get("decision")], query)
    first = {row["session"] for row in best}
    rest = [row for row in rows if row["session"] in hits or _has(row, words)]
    return [*best, *(row for row in rest if row["session"] not in first)], hits


def _has(row: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Return whether what a list shows of a session has all of the words."""
    outcome = row.get("outcome") or ""
    shown = (row["session"], row.get("question") or "", *row.get("members", ()))
    text = "\n".join((*shown, *([outcome] if isinstance(outcome, str) else outcome))).casefold()
    return all(word in text for word in words)


def when(row: Mapping[str, Any], now: datetime, words: Words = ENGLISH) -> str:
    """Return when something last happened in a session, by the clock of this machine."""
    if row["state"] == "running" or not row["last"]:
        return "now" if row["last"] else ""
    last = datetime.fromisoformat(row["last"]).astimezone()
    days = (now.date() - last.date()).days
    return f"{last:%H:%M}" if days == 0 else "yesterday" if days == 1 else words.say("decisions-day", day=last.date())


def _hits(log: Path, words: Sequence[str]) -> Iterator[Hit]:
    # What a word has beside letters may be written otherwise in JSON; the parsed text is looked at then.
    plain = [part.encode() for word in words for part in re.findall(r"[a-z0-9]+", word)]
    with suppress(OSError), log.open("rb") as lines:  # it may be deleted just now
        for line in lines:
            if b'"message_posted"' not in line[:120]:
                continue
            low = line.lower()
            if all(part in low for part in plain) and (fact := _message(line)) is not None:
                text = clean(fact.talk)
                if all(word in text.casefold() for word in words):
                    text = one_line(text)
                    # The text around the first of the words.
                    place = min((at for at in (text.casefold().find(word) for word in words) if at >= 0), default=0)
                    start, end = max(0, place - _ROUND), place + 2 * _ROUND
                    around = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
                    yield {"number": fact.number, "who": one_line(fact.who), "text": marked(around, words)}


def _message(line: bytes) -> MessagePosted | None:
    with suppress(ValueError):  # a log that is damaged: the list says so
        fact = decode(line.removesuffix(b"\n"))
        return fact if isinstance(fact, MessagePosted) else None
    return None
