"""The report as one HTML file, and in all its forms.

No script is needed to read the page, and it asks nothing of the network.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from eda.events import NONE, MessagePosted
from eda.events.acts import Act
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.report import sections
from eda.report.badges import badges_of
from eda.report.formatting import TEXT_ID, clean, in_short, messages as message_ids, one_line, role_of, shown_id
from eda.report.markdown import pages, report_data, report_markdown
from eda.report.model import Report
from eda.report.phrases import mark_phrase
from eda.report.stances import labels_of, stances
from eda.report.vote_words import rule_line, split_phrase, tie_phrase
from eda.report.wordings import descent, elided, others
from eda.session import Session
from eda.text import regex
from eda.words import Words


@dataclass(frozen=True, slots=True)
class Written:
    """A report, and why no model chose its quotations."""

    report: Report
    markdown: str
    failed: str = ""
    """Why no model chose them; empty where one did, or none was asked."""
    page: str = ""
    """The same as one HTML file."""


def save_report(session: Session, report: Report, memory: ConversationMemory, failed: str = "") -> Written:
    """Write a report into the folder of its session, in each of its forms, and return it.

    Raises:
        SessionError: the session is open for reading only, or the disk refused.
    """
    written = in_each_form(session, report, memory, failed)
    session.write_report(written.markdown, report_data(report), written.page)
    return written


def in_each_form(session: Session, report: Report, memory: ConversationMemory, failed: str = "") -> Written:
    """Return a report as Markdown and as a page."""
    return Written(report, report_markdown(report), failed, report_html(report, session, memory))


_PAGE = Path(__file__).with_name("page")
_SLOTS = 12  # Voters whose badges stand in a tally; of more it has a plain bar.
_CLAIMS = 3  # Reasons that a reader sees before opening a fold: a phone's reader has a minute.
# Characters of a text in a table, which stands in full elsewhere, and of one that the first sentence tells.
_SHORT = 110
_MESSAGE = regex(r"(?<![\w.@-])m(\d{1,9})(?![\w@-])")

_PLACE = regex(r' id="([op][\d.@]+)"')
# A link to a text; one that has no place on the page is left as words.
_TO_TEXT = regex(r'<a href="#([op][\d.@]+)">\1</a>')


def report_html(report: Report, session: Session, memory: ConversationMemory) -> str:
    """Return the whole page.

    Args:
        report: the report, whose citations link to the messages.
        session: whose transcript the page has.
        memory: of the session.
    """
    counted = report.counted
    messages = [event for event in session.events() if isinstance(event, MessagePosted)]
    texts = _texts(report, memory)
    shown = (*chain.from_iterable(texts["steps"].values()), *texts["others"])
    places = {step.id for step in shown} | {row.id for row in counted.rows} | {*texts["cards"]}
    known = {f"m{message.number}" for message in messages} | places & {text.id for text in report.texts}
    words = Words(report.language)
    seats = {seat.title: role_of(seat.role, words) for seat in report.run.seats}
    named = {text.text: text.title for text in report.texts}
    badges = badges_of(seats | {each.who: seats.get(each.who, "") for each in messages})
    data = {
        **texts,
        **_stances(report, session, memory, badges),
        "report": report,
        "page": sections.page_of(report),
        "story": sections.story_words(report),
        "panel": [*sections.panel_words(report, marks=False)],
        "played": mark_phrase(report.run.played.marks, words),
        "titles": sections.titles(report),
        "caution": list(sections.caution_lines(report)),
        "source_line": sections.source_line(report),
        "claims": _CLAIMS,
        "again": sections.again_words(report),
        "stated": sections.stated,
        "ballots": list(sections.ballot_lines(report)),
        "badges": badges,
        "messages": messages,
        "acts": {
            message.number: [act_line(act, words) for act in memory.below(message.number)] for message in messages
        },
        "many": {message.number: _many(memory.below(message.number)) for message in messages},
        "run": sections.run_lines(report),
        "folded": ("log",),
        "none": NONE,
        "slots": _SLOTS,
        "brief": _SHORT,
        "text": partial(_linked, known),
        "one_line": one_line,
        "split": split_phrase,
        "tie_phrase": lambda tie: tie_phrase(tie, words),
        "say": words.say,
        "cited_in": message_ids,
        "rule_line": rule_line(counted, words),
        "short": lambda text, beside: named.get(text) or in_short(text, most=_SHORT, others=beside)[1:-1],
        "shown_id": shown_id,
        "css": (css := _asset("report.css")),
        "script": (script := _asset("report.js")),
        "policy": f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(script)}'",
    }
    made = pages(_PAGE).get_template("report.html.j2").render(data)
    there = {*_PLACE.findall(made)}
    return _TO_TEXT.sub(lambda link: link[0] if link[1] in there else link[1], made)


def _many(acts: Sequence[Act]) -> dict[str, Any]:
    """Return how many acts count, how many do not, and whether there are some of both kinds."""
    left = sum(not act.counted for act in acts)
    return {"count": len(acts) - left, "left": left, "both": 0 < left < len(acts)}


def _texts(report: Report, memory: ConversationMemory) -> dict[str, Any]:
    """Return the texts with a card of their own, how each came about, and the other texts."""
    counted, words = report.counted, Words(report.language)
    cards = [text.id for text in (counted.won, *counted.adopted) if text and text.id]
    made = {key: descent(memory, key, words) for key in cards}
    steps = {key: [replace(e, parts=tuple(elided(e.parts))) for e in each] for key, each in made.items() if each[1:]}
    return {
        "cards": cards,
        "steps": steps,
        "others": others(memory, {*cards, *(step.id for step in chain.from_iterable(steps.values()))}, words),
    }


def _stances(report: Report, session: Session, memory: ConversationMemory, badges: Iterable[str]) -> dict[str, Any]:
    """Return the table of who stood where, its members in the order of their badges, and what its marks mean."""
    columns, legend = stances(session.events(), memory, report.texts, Words(report.language))
    labels = labels_of(report.texts)
    return {
        "labels": labels,
        "columns": columns,
        "stood": [title for title in badges if any(column.marks.get(title) for column in columns)],
        "legend": {label: legend[label] for label in labels.values() if label in legend},
        "kinds": {mark.kind for column in columns for marks in column.marks.values() for mark in marks},
    }


def _linked(known: Collection[str], words: object) -> Markup:
    """Return a text in which no character has a meaning for a browser, with links to the messages and texts `known`."""
    safe = str(escape(clean(str(words))))
    for ids in (_MESSAGE, TEXT_ID):
        safe = ids.sub(lambda id_: f'<a href="#{id_[0]}">{id_[0]}</a>' if id_[0] in known else id_[0], safe)
    return Markup(safe)  # noqa: S704 - escaped above


@cache
def _asset(name: str) -> str:
    return (_PAGE / name).read_text("utf-8")


def _digest(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"
