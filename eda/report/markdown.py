"""The report as Markdown and as JSON. Words of members and files are escaped: they make no heading, link or HTML."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from eda.events import NONE
from eda.events.records import Cited
from eda.memory.sentences.judge import fact_words
from eda.report import sections
from eda.report.formatting import count, in_short, listed, messages, one_line, shorten, shown_id
from eda.report.model import Report
from eda.report.outcome import ChoiceRow, Outcome, Text
from eda.report.verdict_words import Line
from eda.report.vote_words import rule_line, tie_phrase, title_of, unused
from eda.report.wordings import Step
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
def pages(folder: Path, **given: Any) -> Environment:
    """Return what fills the templates of a folder, which are compiled once; what is put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only a page needs it

    given |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    return Environment(loader=FileSystemLoader(folder), autoescape=True, **given)


def minutes_lines(report: Mapping[str, Any]) -> list[str]:
    """Return a `minutes_report` as lines."""
    template = pages(_PAGE, finalize=lambda each: Markup(one_line(str(each)))).get_template("minutes.txt.j2")  # noqa: S704 - text
    return template.render(report, count=count, listed=listed).splitlines()


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
    counted, words, choices = report.counted, Words(report.language), [row.choice for row in report.counted.rows]
    known = {text.text: text for text in report.texts}
    names = {each: title_of(known.get(each, Text("", each)), choices) for each in choices}
    short = {row.choice: in_short(row.choice, row.id, words=words) for row in counted.rows}
    shown = {each.quote for each in report.backing} | {each.reason for each in report.dissent}
    told = {"reasons": report.reasons, "dissent": report.told_dissent, "risks": report.risks}
    columns = _columns(counted, names, words)
    data = {
        "report": report,
        "counted": counted,
        "say": words.say,
        "titles": sections.titles(report),
        "page": sections.page_of(report),
        "beside": ("against", "elsewhere", "minds"),
        "day": report.run.began.date() if report.run.began else "",
        "panel": [*sections.panel_words(report)],
        "caution": [*sections.caution_lines(report)],
        "asked": sections.open_lines(report, words),
        "first": sections.QUESTIONS,
        "begun": _begun,
        "left_out": [
            (str(text), ", ".join(fact_words(fact, words) for fact in facts))
            for text, facts in zip_longest(report.unproved, report.contradicted, fillvalue=())
        ],
        "cited": _cited(told, shown, words),
        "heads": {head: _head(head, report, words) for head in columns},
        "rows": [*zip(*columns.values(), strict=True)] if counted.rows else [],
        "rule_line": rule_line(counted, words),
        "noted": [
            sections.again_words(report),
            words.say("report-tie", tie=tie_phrase(counted.reached.tie.renamed(short), words))
            if counted.reached.tie
            else "",
            *(
                words.say("report-blocked", who=row.blocked, text=short[row.choice])
                for row in counted.rows
                if row.blocked
                and (row.choice == counted.reached.outcome or counts_of(counted.reached.rule) == "blocks")
            ),
        ],
        "authors": {text.id: text.by for text in report.texts},
        "wording": _wording,
        "numbers": messages,
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


def _cited(told: Mapping[str, Sequence[Cited]], shown: Collection[str], words: Words) -> dict[str, list[Line]]:
    """Return the lines of each part, without the quotes shown already."""
    return {
        kind: [sections.cited_line(each, words, "") for each in cited if each.quote not in shown]
        for kind, cited in told.items()
    }


def _wording(step: Step) -> Markup:
    """Return a text as what differs from its next wording, or whole."""
    marks = {"same": Markup("{} "), "in": Markup("**{}** "), "out": Markup("~~{}~~ ")}
    text = Markup("").join(marks[how].format(escaped(part.strip())) for part, how in step.parts)
    return Markup(" ").join(text.split())


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
    for label, who in unused(counted, words):
        last = {"choice": label, "first": str(len(who)), "who": listed(who)}
        shown = {head: (*cells, last.get(head, "")) for head, cells in shown.items()}
    return shown


def _cells(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> tuple[str, ...]:
    in_list = row.choice == NONE and isinstance(counted.reached.outcome, tuple)
    own = len(row.texts.get(row.id, row.voters))
    return (
        _name(row, counted, titles, words),
        words.say("votes-figure-cell", kind=rule_known(counted.reached.rule).figure, figure=row.figure),
        str(len(row.before)) if row.before is not None else "",
        words.say("report-own", count=len(row.voters), exact=own, own="same" if own == len(row.voters) else "other"),
        str(row.accepted if row.choice != NONE else len(row.voters)) if row.accepted is not None or in_list else "",
        f"{len(row.also)}: {listed(row.also)}" if row.also else "",
        ("; ".join(f"{key}: {listed(who)}" for key, who in row.texts.items() if who) or listed(row.voters))
        + f"; {words.say('votes-equal', who=row.equal, count=len(row.equal))}" * bool(row.equal),
        words.say("report-sure", **sections.stated(row)) if row.sure is not None else "",
        words.say("report-rests", messages=messages(row.decisive), more=len({*row.behind} - {*row.decisive})),
    )


def _name(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> str:
    if row.choice == NONE:
        return words.say("votes-label", "none")
    won = counted.reached.outcome if isinstance(counted.reached.outcome, tuple) else (counted.reached.outcome,)
    title = escaped(titles[row.choice])
    title = Markup("**{}**").format(title) if row.choice in won else title
    return Markup("{} ({})").format(title, escaped(row.id)) if shown_id(row.id) else title
