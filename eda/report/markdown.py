"""The report as Markdown and as JSON. Words of members and files are escaped: they make no heading, link or HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, repeat
from typing import Any

from eda.events import NONE
from eda.events.outcome import ChoiceRow, Outcome, Text
from eda.events.records import Cited
from eda.memory.evidence import UsedEvidence
from eda.memory.sentences.judge import fact_words
from eda.report import sections
from eda.report.count_words import tie_phrase
from eda.report.effect import helped_data
from eda.report.formatting import in_short, listed, messages, one_line, shorten, shown_id
from eda.report.model import Report
from eda.report.verdict_words import Line
from eda.report.vote_words import in_marks, rule_line, title_of, unused
from eda.report.wordings import Step
from eda.voting import counts_of, rule_known
from eda.words import Words

_NAMED = 4
"""Words by which a sentence that was left out is named."""
_PASSAGE = 300
"""Characters of a passage that was looked up."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|$~#])|&(?=[A-Za-z#])")
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|javascript|data)(:)|\b(www)(\.)|(?<=\w)(@)(?=\w)")


def escaped(text: str) -> str:
    """Return a text on one line of Markdown in which no character has a meaning."""
    plain = _SPECIAL.sub(lambda match: f"\\{match[1]}" if match[1] else "&amp;", one_line(text))
    return _LINKS.sub(lambda match: f"{match[1] or match[3] or ''}\\{match[2] or match[4] or match[5]}", plain)


def report_data(report: Report) -> dict[str, Any]:
    """Return the whole report in plain JSON types."""
    began = report.run.began
    return {
        **asdict(report),
        "stress": report.stress.data() if report.stress else None,
        "verdict": report.verdict,
        "followed": report.followed and report.followed.model_dump(mode="json", exclude={"seq", "at", "type"}),
        "helped": helped_data(report.helped),
        "played_by": asdict(report.run.played)["by"],
        "run": {**asdict(report.run), "began": began.isoformat() if began else None},
    }


def report_markdown(report: Report) -> str:
    """Return the report as Markdown, without empty sections; an id comes with its text where it is first named."""
    titles, words = sections.titles(report), Words(report.language)
    page = sections.page_of(report)
    shown = {each.quote for each in report.backing} | {each.reason for each in report.dissent}
    authors = {text.id: text.by for text in report.texts}
    bodies = {
        name: _lines(page.get(name, ())) for name in ("followed", "story", "minds", "hinges", "promised", "sure")
    } | {
        "open": _open(report, words),
        "verdict": _verdict(page["verdict"], words),
        "reasons": _cited(report.reasons, shown, words, told=bool(report.by)),
        "dissent": _cited((*report.told_dissent, *(c for one in report.dissent for c in one.said)), shown, words),
        "risks": _cited(report.risks, shown, words),
        "model": _prose(report),
        "vote": _tally(report),
        "texts": "\n".join(_wording(each, authors.get(each.id, each.by), words) for each in report.wordings),
        "decisions": _decisions(report),
        "evidence": "\n".join(
            (*(_evidence(each, words) for each in report.evidence), *filter(None, [_lines(page.get("looked", ()))]))
        ),
        "run": "\n".join(
            f"- {words.say('report-run', kind)}: {escaped(line)}."
            for kind, line in sections.run_lines(report).items()
            if kind != "words"
        ),
    }
    parts = (f"## {titles[name]}\n\n{bodies[name]}" for name in sections.TITLES if bodies.get(name))
    source = f"*{escaped(line)}*" if (line := sections.source_line(report)) else ""
    whole = (f"# {escaped(report.question)}", _about(report), *parts, source, _dropped(report.dropped, words))
    return "\n\n".join(filter(None, whole)) + "\n"


def _verdict(lines: Sequence[Line], words: Words) -> str:
    """Return the answer in one line, who is for and against it and why, and the whole texts adopted."""
    first, *rest = (line for line in lines if line.kind == "verdict")
    parts = [f"**{escaped(first.text)}**", " ".join(escaped(line.text) for line in rest)]
    for kinds in (("for", "against", "elsewhere"), ("text",), ("also", "adopted")):
        told = [line for line in lines if line.kind in kinds]
        parts += [words.say("page-label", "also-adopted") + ":"] * any(line.kind == "also" for line in told)
        parts.append("\n".join(_item(line, words) for line in told))
    return "\n\n".join(filter(None, parts))


def _lines(lines: Iterable[Line]) -> str:
    """Return lines as a list; what the members promised begins with what that is worth."""
    return "\n".join(map(_item, lines))


def _open(report: Report, words: Words) -> str:
    """Return the open questions as a list, most of them below a fold."""
    asked = sections.open_lines(report, words)
    lines, rest = _lines(asked[: sections.QUESTIONS]), asked[sections.QUESTIONS :]
    head = words.say("report-more-open", count=len(rest))
    return lines + (f"\n\n<details><summary>{head}</summary>\n\n{_lines(rest)}\n\n</details>" if rest else "")


def _item(line: Line, words: Words | None = None) -> str:
    """Return a line as an item of a list, with the name in bold; a whole text as a quotation."""
    who = " ".join(filter(None, (f"**{escaped(line.who)}**" if line.who else "", escaped(line.does))))
    text = ": ".join(filter(None, (who, escaped(line.text))))
    against = f"{words.say('page-label', line.kind)}: " if words and line.kind in ("against", "elsewhere") else ""
    mark = {"text": "> ", "story": "   - " if line.below else ""}.get(line.kind, "- ")
    return f"{mark}{against}{text}"


def _wording(step: Step, by: str, words: Words) -> str:
    """Return a text as what differs from its next wording, or whole."""
    marks = {"same": "{}", "in": "**{}** ", "out": "~~{}~~ "}
    text = "".join(
        marks[how].format(escaped(part.strip()) if how != "same" else escaped(part) + " ") for part, how in step.parts
    )
    head = words.say("report-wording", id=step.id, by=by, became=step.became, than=step.than)
    return f"- {escaped(head)}: {' '.join(text.split())}"


def _prose(report: Report) -> str:
    """Return a model's words, and how those of its sentences begin that the record does not bear out."""
    words = Words(report.language)
    say = words.say
    by = f"{escaped(report.prose)}\n\n*{escaped(say('report-written', by=report.by))}*"
    lacking = (
        say("report-lacking", why="word" if word else "denied", text=_inside(word, words)) for word in report.lacking
    )  # in older sessions
    facts = ([*dict.fromkeys(escaped(fact_words(fact, words)) for fact in each)] for each in report.contradicted)
    told = (", ".join(each) or say("report-lacking", why="denied", text="") for each in facts)
    reasons = chain(told, lacking, repeat(say("report-lacking", why="unknown", text="")))  # the oldest name no reasons
    named = "; ".join(f"{_struck(text)}: {why}" for text, why in zip(report.unproved, reasons, strict=False))
    left_out = f"*{say('report-left-out')}* {named}."
    return "\n\n".join([by] * bool(report.prose) + [left_out] * bool(report.unproved))


def _struck(words: str) -> str:
    """Return the first words of what was left out, struck: whole, it would be read for true."""
    return f"~~{escaped(' '.join(one_line(words).split()[:_NAMED]))} …~~"


def _about(report: Report) -> str:
    day = report.run.began.date() if report.run.began else ""
    who = [*sections.panel_words(report)]
    say = Words(report.language).say
    first = say("report-about", day=day, asked=report.asked, who=who)
    return f"*{escaped(' '.join((first, *sections.caution_lines(report))))}*"


def _tally(report: Report) -> str:
    """Return the table of the choices, and the lines below it."""
    counted, words = report.counted, Words(report.language)
    known, choices = {text.text: text for text in report.texts}, [row.choice for row in counted.rows]
    names = {each: title_of(known.get(each, Text("", each)), choices) for each in choices}
    shown = _columns(counted, names, words)
    noun = words.say("page-label", "choice") if report.noun == "choice" else report.noun.capitalize()
    named = {"choice": noun, "figure": words.say("votes-figure-head", kind=rule_known(counted.rule).figure)}
    titles = [named.get(head) or words.say("report-column", head) for head in shown]
    rules = ["---" if head in ("choice", "who", "rests") else "---:" for head in shown]
    rows = [titles, rules, *zip(*shown.values(), strict=True)] if counted.rows else []
    table = "\n".join(f"| {' | '.join(line)} |" for line in rows)
    return "\n\n".join(part for part in (table, "\n".join(f"- {line}" for line in _tally_lines(report))) if part)


def _columns(counted: Outcome, titles: Mapping[str, str], words: Words) -> dict[str, tuple[str, ...]]:
    """Return by its head each column that says something: a cell for each choice, then one for those who abstained."""
    counts = counts_of(counted.rule)
    heads = ("choice", "figure", "polled", "first", "accept", "also", "who", "sure", "rests")
    hidden = ["first"] if counts == "approvals" or isinstance(counted.outcome, tuple) else []
    same = all(row.figure == len(row.voters) for row in counted.rows)
    hidden += ["figure"] if counts != "approvals" and (same or counts in ("blocks", "judge")) else []
    columns = dict(
        zip(heads, zip(*(_cells(row, counted, titles, words) for row in counted.rows), strict=True), strict=False)
    )
    shown = {head: cells for head, cells in columns.items() if head not in hidden and (any(cells) or head == "who")}
    for label, who in unused(counted, words):
        last = {"choice": label, "first": str(len(who)), "who": escaped(listed(who))}
        shown = {head: (*cells, last.get(head, "")) for head, cells in shown.items()}
    return shown


def _cells(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> tuple[str, ...]:
    in_list = row.choice == NONE and isinstance(counted.outcome, tuple)
    own = len(row.texts.get(row.id, row.voters))
    return (
        _name(row, counted, titles, words),
        words.say("votes-figure-cell", kind=rule_known(counted.rule).figure, figure=row.figure),
        str(len(row.before)) if row.before is not None else "",
        words.say("report-own", count=len(row.voters), exact=own, own="same" if own == len(row.voters) else "other"),
        str(row.accepted if row.choice != NONE else len(row.voters)) if row.accepted is not None or in_list else "",
        f"{len(row.also)}: {escaped(listed(row.also))}" if row.also else "",
        escaped("; ".join(f"{key}: {listed(who)}" for key, who in row.texts.items() if who) or listed(row.voters)),
        words.say("report-sure", **sections.stated(row)) if row.sure is not None else "",
        "…, " * bool({*row.behind} - {*row.decisive}) + messages(row.decisive),
    )


def _tally_lines(report: Report) -> Iterable[str]:
    counted, words = report.counted, Words(report.language)
    half, line = counted.quorum == 0.5, rule_line(counted, words)
    yield escaped(words.say("report-rule", rule=counted.rule, line=line, half=half, quorum=counted.quorum))
    if again := sections.again_words(report):
        yield escaped(again)
    if counted.tie:
        tie = counted.tie.renamed({row.choice: in_short(row.choice, row.id, words=words) for row in counted.rows})
        yield escaped(words.say("report-tie", tie=tie_phrase(tie, words)))
    for row in counted.rows:
        if row.blocked and (row.choice == counted.outcome or counts_of(counted.rule) == "blocks"):
            yield escaped(words.say("report-blocked", who=row.blocked, text=in_short(row.choice, row.id, words=words)))


def _name(row: ChoiceRow, counted: Outcome, titles: Mapping[str, str], words: Words) -> str:
    if row.choice == NONE:
        return words.say("votes-label", "none")
    won = counted.outcome if isinstance(counted.outcome, tuple) else (counted.outcome,)
    title = escaped(titles[row.choice])
    text = f"**{title}**" if row.choice in won else title
    return f"{text} ({escaped(row.id)})" if shown_id(row.id) else text


def _cited(items: Iterable[Cited], shown: Collection[str], words: Words, *, told: bool = True) -> str:
    """Return items as a list, without the quotes shown already; of what a model has `told` the source alone."""
    fresh = (each for each in items if each.quote not in shown)
    return _lines(sections.told_line(c) if told and c.text else sections.cited_line(c, words, "") for c in fresh)


def _evidence(used: UsedEvidence, words: Words) -> str:
    """Return `e3, report.pdf p. 7: “Words.” Looked up by Ada; cited in m12`."""
    passage, cited = _inside(shorten(one_line(used.text), _PASSAGE), words), messages(used.messages)
    place = f"**{escaped(used.id)}**, {escaped(used.source)}"
    return f"- {place}: {passage} {escaped(words.say('report-evidence', who=used.who, cited=cited))}"


def _inside(quote: str, words: Words) -> str:
    """Return words in quotation marks, escaped."""
    return escaped(in_marks(quote, words))


def _decisions(report: Report) -> str:
    lines = []
    for decision in report.decisions:
        who = decision.supporters
        by = f"; {escaped(Words(report.language).say('report-supported', who=who))}" if who else ""
        lines.append(f"- {escaped(decision.outcome)} ({messages(decision.messages)}{by})")
    return "\n".join(lines)


def _dropped(dropped: Iterable[Cited], words: Words) -> str:
    named = [(f"m{cited.message}: " if cited.message else "") + _struck(cited.quote or cited.text) for cited in dropped]
    return f"*{words.say('report-dropped', count=len(named), cited=named)}*" if named else ""
