"""The report as Markdown, as JSON and as one HTML file, and in all its forms.

Words of members and files are escaped: they make no heading, link or markup. No script is needed to read the page, and
it asks nothing of the network.
"""

from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain, zip_longest
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from eda.events import NONE, Act, MessagePosted
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.sentences.judges import fact_words
from eda.report import sections
from eda.report.badges import badges_of
from eda.report.formatting import (
    TEXT_ID,
    clean,
    count,
    in_short,
    listed,
    messages as message_ids,
    one_line,
    role_of,
    shorten,
    shown_id,
)
from eda.report.model import Report
from eda.report.outcome import ChoiceRow, Outcome, Text
from eda.report.phrases import mark_phrase
from eda.report.stances import labels_of, stances
from eda.report.verdict_words import SIDES, votes_noted
from eda.report.vote_words import rule_line, split_phrase, tie_phrase, title_of, unused
from eda.report.wordings import Step, descent, elided, others
from eda.session import Session
from eda.text import regex
from eda.voting import counts_of, rule_known
from eda.words import Words

if TYPE_CHECKING:
    from jinja2 import Environment

_PAGE = Path(__file__).with_name("page")
_PASSAGE = 300  # Characters of a passage that was looked up.
_NAMED = 4  # Words by which a sentence that was left out is named: whole, it would be read for true.
_SPECIAL = regex(r"([\\`*_\[\]<>|$~#])|&(?=[A-Za-z#])")
_LINKS = regex(r"(?i)(https?|ftp|mailto|javascript|data)(:)|\b(www)(\.)|(?<=\w)(@)(?=\w)")
_LOOSE = regex(r"(\*\*|~~) (?=[.,;:!?)])")  # The blank between a mark and what ends a clause.
# What the data of a count has of its verdict.
_OF_VERDICT = {
    "rule",
    "outcome",
    "motion",
    "doubted",
    "undoubted",
    "undoubted_to",
    "note",
    "open_to",
    "apart",
    "flips",
    "flips_to",
    "tie",
    "quorum",
}


def escaped(text: object) -> Markup:
    """Return a text on one line of Markdown in which no character has a meaning; what is Markdown as it is."""
    if isinstance(text, Markup):
        return text
    plain = _SPECIAL.sub(lambda match: f"\\{match[1]}" if match[1] else "&amp;", one_line(str(text)))
    return Markup(_LINKS.sub(lambda match: f"{match[1] or match[3] or ''}\\{match[2] or match[4] or match[5]}", plain))  # noqa: S704 - escaped


@cache
def pages(folder: Path, **given: Any) -> "Environment":
    """Return what fills the templates of a folder, which are compiled once; what is put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only a page needs it

    given |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=FileSystemLoader(folder), autoescape=True, **given)


def minutes_lines(report: Mapping[str, Any]) -> list[str]:
    """Return a `minutes_report` as lines."""
    made = pages(_PAGE, finalize=lambda each: Markup(one_line(str(each))))  # noqa: S704 - text
    return made.get_template("minutes.txt.j2").render(report, count=count, listed=listed).splitlines()


def report_data(report: Report) -> dict[str, Any]:
    """Return the whole report in plain JSON types."""
    began, data = report.run.began, asdict(report)
    data["counted"] |= data["counted"].pop("reached").model_dump(mode="json", include=_OF_VERDICT)
    return {
        **data,
        "stress": report.stress.data() if report.stress else None,
        "verdict": report.verdict,
        "followed": report.followed and report.followed.model_dump(mode="json", exclude={"seq", "at", "type"}),
        "played_by": asdict(report.run.played)["by"],
        "run": {**asdict(report.run), "began": began.isoformat() if began else None},
    }


def report_markdown(report: Report) -> str:
    """Return the report as Markdown, without empty sections; an id comes with its text where it is first named."""
    counted, words, choices = report.counted, Words(report.language), [*map(attrgetter("choice"), report.counted.rows)]
    known, refusals = {text.text: text for text in report.texts}, {*map(attrgetter("reason"), report.dissent)}
    names = {each: title_of(known.get(each, Text("", each)), choices) for each in choices}
    short = {row.choice: in_short(row.choice, row.id, words=words) for row in counted.rows}
    columns = _columns(counted, names, words)
    data = {
        "report": report,
        "counted": counted,
        "say": words.say,
        "titles": sections.titles(report),
        "page": sections.page_of(report),
        "beside": (*SIDES, "minds"),
        "day": report.run.began.date() if report.run.began else "",
        "panel": [*sections.panel_words(report)],
        "caution": [*sections.caution_lines(report)],
        "asked": [sections.cited_line(each, words, "open") for each in report.open],
        "first": sections.QUESTIONS,
        "begun": _begun,
        "left_out": [
            (str(text), ", ".join(fact_words(fact, words) for fact in facts))
            for text, facts in zip_longest(report.unproved, report.contradicted, fillvalue=())
        ],
        "cited": {  # why somebody refuses a text stands above, and is no reason for another
            kind: [sections.cited_line(each, words, "") for each in cited if each.quote not in refusals]
            for kind, cited in zip(
                ("reasons", "dissent", "risks"), (report.reasons, report.told_dissent, report.risks), strict=True
            )
        },
        "heads": {head: _head(head, report, words) for head in columns},
        "rows": [*zip(*columns.values(), strict=True)] if counted.rows else [],
        "rule_line": rule_line(counted, words),
        "noted": [
            sections.again_words(report),
            *(
                words.say("report-tie", tie=line.text) if line.kind == "tie" else line.text
                for line in votes_noted(counted, short, words)
            ),
        ],
        "authors": {text.id: text.by for text in report.texts},
        "wording": _wording,
        "numbers": message_ids,
        "passage": lambda text: shorten(one_line(text), _PASSAGE),
        "run": sections.run_lines(report),
        "source_line": sections.source_line(report),
        "dropped": words.say(
            "report-dropped",
            count=len(report.dropped),
            cited=[
                f"{f'm{each.message}: ' * bool(each.message)}~~{escaped(_begun(each.quote or each.text))} …~~"
                for each in report.dropped
            ],
        ),
    }
    text = pages(_PAGE, finalize=escaped).get_template("report.md.j2").render(data)
    return regex(r"\n{3,}").sub("\n\n", text.strip()) + "\n"


def _wording(step: Step) -> Markup:
    """Return a text as what differs from its next wording, or whole."""
    marks = {"same": Markup("{} "), "in": Markup("**{}** "), "out": Markup("~~{}~~ ")}
    text = Markup("").join(marks[how].format(escaped(part.strip())) for part, how in step.parts)
    return Markup(_LOOSE.sub(r"\1", Markup(" ").join(text.split())))  # noqa: S704 - escaped above


def _begun(text: str) -> str:
    return " ".join(one_line(text).split()[:_NAMED])


def _head(head: str, report: Report, words: Words) -> str:
    if head == "figure":
        return words.say("votes-figure-head", kind=rule_known(report.counted.reached.rule).figure)
    if head != "choice":
        return words.say("report-column", head)
    return words.say("page-label", "choice") if report.noun == "choice" else report.noun.capitalize()


def _columns(counted: Outcome, titles: Mapping[str, str], words: Words) -> dict[str, tuple[str, ...]]:
    """Return by its head each column that says something: a cell for each choice, then one for those who abstained."""
    counts = counts_of(counted.reached.rule)
    heads = ("choice", "figure", "polled", "first", "accept", "also", "who", "sure", "rests")
    hidden = ["first"] if counts == "approvals" or isinstance(counted.reached.outcome, tuple) else []
    same = all(row.figure == len(row.voters) for row in counted.rows)
    hidden += ["figure"] if counts != "approvals" and (same or counts in ("blocks", "judge")) else []
    columns = dict(
        zip(heads, zip(*(_cells(row, counted, titles, words) for row in counted.rows), strict=True), strict=False)
    )
    shown = {head: cells for head, cells in columns.items() if head not in hidden and (any(cells) or head == "who")}
    for kind, who in unused(counted):
        last = {"choice": words.say("votes-label", kind), "first": str(len(who)), "who": listed(who)}
        shown = {head: (*cells, last.get(head, "")) for head, cells in shown.items()}
    return shown


def _cells(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> tuple[str, ...]:
    in_list = row.choice == NONE and isinstance(counted.reached.outcome, tuple)
    own, takers = len(row.texts.get(row.id, row.voters)), counted.reached.accepted.get(row.id, ())
    accepted = f"{row.accepted}" + f": {listed(takers)}" * bool({*takers}.difference(row.voters))
    return (
        _name(row, counted, titles, words),
        words.say("votes-figure-cell", kind=rule_known(counted.reached.rule).figure, figure=row.figure),
        str(len(row.before)) if row.before is not None else "",
        words.say("report-own", count=len(row.voters), exact=own, own="same" if own == len(row.voters) else "other"),
        accepted if row.accepted is not None else str(len(row.voters)) * in_list,
        f"{len(row.also)}: {listed(row.also)}" if row.also else "",
        ("; ".join(f"{key}: {listed(who)}" for key, who in row.texts.items() if who) or listed(row.voters))
        + f"; {words.say('votes-equal', who=row.equal, count=len(row.equal))}" * bool(row.equal),
        words.say("report-sure", **sections.stated(row)) if row.sure is not None else "",
        words.say("report-rests", messages=message_ids(row.decisive), more=len({*row.behind} - {*row.decisive})),
    )


def _name(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> str:
    if row.choice == NONE:
        return words.say("votes-label", "none")
    won = counted.reached.outcome if isinstance(counted.reached.outcome, tuple) else (counted.reached.outcome,)
    title = escaped(titles[row.choice])
    title = Markup("**{}**").format(title) if row.choice in won else title
    return Markup("{} ({})").format(title, escaped(row.id)) if shown_id(row.id) else title


@dataclass(frozen=True, slots=True)
class Written:
    """A report, and why no model chose its quotations."""

    report: Report
    markdown: str
    failed: str = ""  # Why no model chose them; empty where one did, or none was asked.
    page: str = ""  # The same as one HTML file.


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
        "accepted": counted.reached.answer == "list" or counts_of(counted.reached.rule) == "approvals",
        "ballots": list(sections.ballot_lines(report)),
        "badges": badges,
        "messages": messages,
        "acts": {
            message.number: [act_line(act, words) for act in memory.below(message.number)] for message in messages
        },
        "many": {
            message.number: _many([act for act in memory.below(message.number) if act.kind != "misquote"])
            for message in messages
        },
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
    cards = [text.id for text in counted.decided if text.id]
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
