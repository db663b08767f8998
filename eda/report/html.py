"""The report as one HTML file: no script is needed to read it, and it asks nothing of the network."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from eda.events import NONE, MessagePosted
from eda.memory import ConversationMemory
from eda.memory.minutes.proposals import why_closed
from eda.report.badges import badges_of
from eda.report.effect_words import took
from eda.report.formatting import TEXT_ID, clean, count, in_short, one_line, shown_id, span
from eda.report.model import Report
from eda.report.phrases import ended_phrase, named_text, split_phrase
from eda.report.stances import letters, stances
from eda.report.wordings import descent, others
from eda.session import Session

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_PAGE = Path(__file__).with_name("page")
_SLOTS = 12
"""Voters whose badges stand in a tally; of more it has a plain bar."""
_SHORT = 110
"""Characters of a text in a table; it stands in full elsewhere on the page."""
_MESSAGE = re.compile(r"(?<![\w.@-])m(\d{1,9})(?![\w@-])")


def report_html(report: Report, session: Session, memory: ConversationMemory) -> str:
    """Return the whole page.

    Args:
        report: the report, whose citations link to the messages.
        session: whose transcript the page has.
        memory: of the session.
    """
    messages = [event for event in session.events() if isinstance(event, MessagePosted)]
    columns, legend = stances(session.events(), memory.agents, report.texts)
    links = _Links({f"m{message.number}" for message in messages}, {text.id for text in report.texts})
    decided = [text.id for text in (report.counted.won, *report.counted.adopted) if text and text.id]
    steps = {key: made for key in decided if len(made := descent(memory, key)) > 1}
    shown = [step for made in steps.values() for step in made]
    put = others(memory, shown)
    links.texts &= {step.id for step in (*shown, *put)} | {row.id for row in report.counted.rows} | {*decided}
    seats = {seat.title: seat.role for seat in report.run.seats}
    badges = badges_of(seats | {each.who: seats.get(each.who, "") for each in messages})
    data = {
        "report": report,
        "state": _state(report),
        "head": (head := headline(report))[0],
        "rest": head[1],
        "badges": badges,
        "letters": letters(report.texts),
        "columns": columns,
        "stood": [title for title in badges if any(column.marks.get(title) for column in columns)],
        "legend": dict(sorted(legend.items())),
        "steps": steps,
        "others": put,
        "messages": messages,
        "acts": _acts(messages, memory),
        "run": _run(report, session),
        "none": NONE,
        "slots": _SLOTS,
        "text": links.text,
        "one_line": one_line,
        "split": split_phrase,
        "short": lambda words, beside: in_short(words, most=_SHORT, others=beside)[1:-1],
        "shown_id": shown_id,
        "count": count,
        "css": (css := _asset("report.css")),
        "script": (script := _asset("report.js")),
        "policy": f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(script)}'",
    }
    return _environment().get_template("report.html.j2").render(data)


class _Links:
    """Makes what the program and members wrote safe to show, and links the ids in it to their places on the page."""

    def __init__(self, messages: set[str], texts: set[str]) -> None:
        self.messages = messages
        self.texts = texts

    def text(self, words: object) -> Markup:
        """Return a text in which no character has a meaning for a browser, with links to messages and texts."""
        from markupsafe import Markup, escape  # noqa: PLC0415 - comes with jinja2, see `_environment`

        safe = str(escape(clean(str(words))))
        safe = _MESSAGE.sub(lambda match: self._link(match[0], self.messages), safe)
        return Markup(TEXT_ID.sub(lambda match: self._link(match[0], self.texts), safe))  # noqa: S704 - escaped above

    def _link(self, name: str, known: set[str]) -> str:
        return f'<a href="#{name}">{name}</a>' if name in known else name


def _state(report: Report) -> tuple[str, str]:
    """Return the shape and the words of how the debate ended."""
    counted = report.counted
    decided = counted.won is not None or bool(counted.adopted)
    return ("disc", "Decided") if decided else ("ring", "No verdict")


def headline(report: Report) -> tuple[str, tuple[str, ...]]:
    """Return the verdict's first words, in which texts that stand below are not told, and its other sentences."""
    (first, *rest), won = report.verdict, report.counted.won
    if won is None:
        return (first.partition(": ")[0] + "." if report.counted.adopted else first), tuple(rest)
    number = shown_id(won.id)
    first = first.replace(named_text(won), "the text below" + (f" ({number})" if number else ""))
    votes = next((each for each in rest if each[:1].isdecimal()), "")
    rest = [each for each in rest if each is not votes]
    return f"{first} {votes}".rstrip(), tuple(each for each in rest if not each.startswith("Adopted beside it: "))


def _acts(messages: Iterable[MessagePosted], memory: ConversationMemory) -> Mapping[int, Sequence[str]]:
    denied = {f"proposes {each.id}": why_closed(each) for each in memory.proposals if each.minuted == "denied"}

    def told(act: str) -> str:
        end = denied.get(act.partition(":")[0])
        return f"{act} ({end})" if end else act

    return {message.number: [*map(told, memory.below(message.number))] for message in messages}


def _run(report: Report, session: Session) -> dict[str, str]:
    """Return how the debate was run: each line by its label."""
    run, helps = report.run, report.helped
    log = session.folder / "events.jsonl" if session.folder else None
    rounds = f" in {count(run.rounds, 'round')}" if run.rounds > 1 else ""
    ended = ended_phrase(run.reason, voted=True)
    seats = (
        f"{one_line(seat.title)}"
        + (f" was {one_line(seat.name)}" if run.anonymous else "")
        + f", {one_line(seat.role)}"
        + (f" ({one_line(seat.side)})" if seat.side else "")
        for seat in run.seats
    )
    lines = {
        "Session": report.session,
        "Format": ", ".join(
            filter(None, (run.agenda, f"panel {run.panel}" * bool(run.panel), f"floor {run.floor}" * bool(run.floor)))
        ),
        "Rule": f"{report.counted.rule}. {report.counted.line}",
        "Model": ", ".join(run.models) or run.runner,
        "Seed": str(run.seed),
        "Talk": f"{count(run.messages, 'message')}{rounds}, {span(run.seconds)}; {ended}",
        "Cost": took(helps, helps.for_baseline),
        "Seats": "; ".join(seats),
        "All had read": ", ".join(run.documents),
        "Forked from": run.parent,
        "Corrected by hand": "; ".join(f"{one.item} by {one.by}" for one in run.corrected),
        "Log": f"SHA-256 {sha256(log.read_bytes()).hexdigest()}" if log and log.exists() else "",
    }
    return {label: one_line(words) for label, words in lines.items() if words}


@cache
def _asset(name: str) -> str:
    return (_PAGE / name).read_text("utf-8")


def _digest(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only a page needs it

    return Environment(
        loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
