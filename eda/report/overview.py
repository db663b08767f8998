"""What a list says of a session: its row, which is stored beside its log; and what was decided, over all sessions.

So a list of a thousand sessions reads no log. The record names the size and the time of the log that it was made from;
where they differ, it is made anew. In what was decided one searches by plain words: those of all rows are counted at
each search.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from eda.errors import EdaError
from eda.session.names import LOG_FILE, OVERVIEW_FILE, SOCKET_FILE, check_plain, session_names
from eda.words import ENGLISH, Words, languages

if TYPE_CHECKING:
    from eda.debate.state import DebateState
    from eda.events import DecisionFollowedUp, SessionStarted

_VERSION = 8  # Of the row: one more with each change of it.


def overview(folder: Path) -> dict[str, Any]:
    """Return the row of a session; for one that cannot be read, its name and the reason."""
    try:
        made_from = _log_of(folder)
        with suppress(OSError):  # reading it tells
            check_plain(folder)
        row = _stored(folder, made_from) or _made(folder, made_from)
    except EdaError as error:
        return {"session": folder.name, "error": str(error)}
    running = row["state"] == "unfinished" and (folder / SOCKET_FILE).exists() and _running(folder)
    return {**row, "session": folder.name} | ({"state": "running"} if running else {})


def forked_from(row: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """Return where the session of a row comes from, and what was changed; empty where it was not forked."""
    if not row.get("from"):
        return ""
    from eda.events import Parent  # noqa: PLC0415 - most rows need none of it
    from eda.report.phrases import parent_phrase  # noqa: PLC0415 - as above

    return parent_phrase(Parent(**row["from"]), words)


def _log_of(folder: Path) -> list[int]:
    """Return what tells the log from an earlier one; nothing where it cannot be looked at."""
    with suppress(OSError):
        stat = (folder / LOG_FILE).stat()
        return [_VERSION, stat.st_size, stat.st_mtime_ns]
    return []


def _stored(folder: Path, made_from: list[int]) -> dict[str, Any] | None:
    with suppress(OSError, orjson.JSONDecodeError, KeyError, TypeError):
        record = orjson.loads((folder / OVERVIEW_FILE).read_bytes())
        if record["made_from"] == made_from and isinstance(record["row"], dict):
            return dict(record["row"])
    return None


def _made(folder: Path, made_from: list[int]) -> dict[str, Any]:
    """Return the row of a session's log, and store it where the folder can be written."""
    from eda.debate.replay import memory_of, progress_of  # noqa: PLC0415 - a list of known sessions needs none of it
    from eda.report.gather import report_of  # noqa: PLC0415 - as above
    from eda.report.json_data import decision_of, minuted_data  # noqa: PLC0415 - as above
    from eda.session.store import Session, replace_file  # noqa: PLC0415 - as above

    with Session.read(folder) as session:
        row = session_row(session.started(), progress := progress_of(session))
        if progress.verdict is not None:
            row["decision"] = decision_of(report_of(session, progress, memory_of(session)), progress.verdict)
        elif row["kind"] == "transcript":
            row["decision"] = minuted_data(progress, memory_of(session))
    with suppress(OSError, EdaError):
        replace_file(folder / OVERVIEW_FILE, orjson.dumps({"made_from": made_from, "row": row}))
    return row


def _running(folder: Path) -> bool:
    from eda.debate.control.socket import is_running  # noqa: PLC0415 - as above
    from eda.session.store import Session  # noqa: PLC0415 - as above

    with Session.read(folder) as session:
        return is_running(session)


def session_row(started: "SessionStarted", progress: "DebateState") -> dict[str, Any]:
    """Return the row of a session, as `--json` prints it."""
    verdict, spent = progress.verdict, progress.spent
    return {
        "session": started.session,
        "kind": started.kind,
        "question": started.question,
        "language": progress.settings.language,
        "panel": started.panel or ", ".join(member.title for member in started.members),
        "members": list(progress.members),
        "messages": progress.messages,
        "state": progress.state,
        "reason": progress.why_stopped,
        "verdict": verdict is not None,
        "outcome": verdict.outcome if verdict else None,
        "margin": verdict.margin if verdict else None,
        "cost": spent.cost,
        "unpriced_calls": spent.unpriced_calls,
        "from": started.parent and asdict(started.parent),
        "runner": started.runner,
        "marks": list(progress.players.marks),
        "started": progress.first_at.isoformat() if progress.first_at else None,
        "last": progress.last_at.isoformat() if progress.last_at else None,
    }


Row = Mapping[str, Any]
_LEAST = 0.5  # The least share of the best score.


def followed_up(row: Row) -> "DecisionFollowedUp | None":
    """Return what people wrote down after the decision of a row."""
    if not (followed := row["decision"]["followed"]):
        return None
    from eda.events import DecisionFollowedUp  # noqa: PLC0415 - most rows need none of it

    return DecisionFollowedUp(**followed)


def due_since(row: Row, today: date) -> date | None:
    """Return since when a decision is to be looked at again, if that day has come and nobody says what came of it."""
    after = followed_up(row)
    due = after and after.revisit and after.revisit <= today and not after.outcome
    return after.revisit if after and due else None


def decisions(folder: Path, query: str = "") -> list[dict[str, Any]]:
    """Return the rows of the sessions that came to a verdict; see `ranked`."""
    return ranked([row for name in session_names(folder) if (row := overview(folder / name)).get("decision")], query)


def ranked(rows: Sequence[dict[str, Any]], query: str) -> list[dict[str, Any]]:
    """Return the decisions that a question in plain words is about, best first; without a subject all, newest first.

    Where two fit alike, the shorter question comes first, a decision before a fork, models before a simulation. A fork
    that only has the verdict it was made with is none.
    """
    from eda.memory.recall.index import split  # noqa: PLC0415 - a list needs none of it

    reached = {(row["session"], row["decision"]["at"]) for row in rows}
    left = [row for row in rows if not row["from"] or (row["from"]["session"], row["decision"]["at"]) not in reached]
    newest = sorted(left, key=lambda row: str(row["decision"]["at"]), reverse=True)
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
    from eda.memory.recall.index import Postings, rarity, split, stems_of  # noqa: PLC0415 - as above

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
