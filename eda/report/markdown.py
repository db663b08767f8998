"""The report as Markdown and as JSON. Words of members and files are escaped: they make no heading, link or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain, repeat
from typing import Any

from eda.events import NONE
from eda.events.outcome import ChoiceRow, Outcome, Stood, Text
from eda.events.records import Cited
from eda.memory.evidence import UsedEvidence
from eda.memory.sentences.judge import fact_words
from eda.report import sections
from eda.report.count_words import tie_phrase
from eda.report.effect import helped_data
from eda.report.effect_words import vote_rows
from eda.report.formatting import TEXT_ID, in_short, listed, messages, one_line, shorten, shown_id
from eda.report.model import Condition, Report
from eda.report.verdict_words import decided, items_of, stance_phrase
from eda.report.vote_words import in_marks, rule_line, unused
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
        **{name: value for name, value in asdict(report).items() if name != "sentences"},
        "verdict": list(report.verdict),
        "helped": helped_data(report.helped),
        "run": {**asdict(report.run), "began": began.isoformat() if began else None},
    }


def report_markdown(report: Report) -> str:
    """Return the report as Markdown, without empty sections; an id comes with its text where it is first named."""
    titles, words = sections.titles(report), Words(report.language)
    parts = [
        f"# {escaped(report.question)}",
        _about(report),
        _section(titles["verdict"], _verdict(report)),
        _section(titles["model"], _prose(report)),
        _section(titles["reasons"], _cited(report.reasons, words)),
        _section(titles["dissent"], _dissent(report)),
        _section(titles["sure"], _sure(report)),
        _section(titles["open"], _cited(report.open, words)),
        _section(titles["risks"], _cited(report.risks, words)),
        _section(titles["vote"], _tally(report)),
        _section(titles["ballots"], _ballots(report)),
        _section(titles["differing"], "\n".join(f"- {escaped(line)}" for line in sections.differing_lines(report))),
        _section(titles["descent"], f"{escaped('; '.join(report.lineage))}." if report.lineage else ""),
        _section(titles["stood"], _declared(report)),
        _section(
            titles["promised"],
            f"{sections.promised_line(report)}\n\n{_cited(report.promised, words)}" if report.promised else "",
        ),
        _section(titles["reserved"], _cited(report.reserved, words)),
        _section(titles["minds"], "\n".join(_mind(each, words) for each in report.minds if not each.agrees)),
        _section(titles["agreeing"], "\n".join(_mind(each, words) for each in report.minds if each.agrees)),
        _section(titles["decisions"], _decisions(report)),
        _section(titles["evidence"], "\n".join(_evidence(each, words) for each in report.evidence)),
        _section(titles["noted"], _cited(report.noted, words)),
        _section(titles["table"], _table(report.table)),
        _section(
            titles["run"],
            "\n".join(
                f"- {words.say('report-run', kind)}: {escaped(line)}."
                for kind, line in sections.run_lines(report).items()
            ),
        ),
        _dropped(report.dropped, words),
    ]
    return "\n\n".join(_with_texts(filter(None, parts), report.texts, Words(report.language))) + "\n"


def _with_texts(parts: Iterable[str], texts: Sequence[Text], words: Words) -> Iterator[str]:
    """Yield the parts, below each the texts whose ids it names and that neither it nor an earlier part has."""
    known = {text.id: text for text in texts}
    told: set[str] = set()
    for part in parts:
        told |= {number for number in known if _tells(part, known[number])}
        named = dict.fromkeys(number for number in TEXT_ID.findall(part.replace("\\@", "@")) if number in known)
        fresh = [known[number] for number in named if number not in told]
        told.update(named)
        lines = [words.say("report-text", id=text.id, by=text.by, text=text.text) for text in fresh]
        yield f"{part}\n\n*{escaped(words.say('report-named', texts=lines))}*" if fresh else part


def _tells(part: str, text: Text) -> bool:
    """Return whether a part has an id beside its whole text."""
    words, number = re.escape(escaped(text.text.rstrip("."))), re.escape(escaped(text.id))
    beside = rf"{words}[^\w\s]*(?: \(|, ){number}(?!\w)|(?<!\w){number}(?!\w)[^“„\"]*[“„\"]{words}\W"
    return bool(words) and re.search(beside, part) is not None


def _verdict(report: Report) -> str:
    """Return the verdict in sentences; a list as a list. How many votes decide stands with how sure to be."""
    words = Words(report.language)
    told = [each for kind, sentences in report.sentences.items() if kind != "least" for each in sentences]
    parts = [" ".join(map(escaped, told))]
    if isinstance(report.counted.outcome, tuple) and report.counted.adopted:
        items = "\n".join(f"- {escaped(item)}" for item in items_of(report.counted, words))
        parts = [escaped(decided(report.counted, words, below=True)), items, *map(escaped, told[1:])]
    return "\n\n".join(parts)


def _declared(report: Report) -> str:
    """Return who declared what on the text decided, and on those that it joins or comes from."""
    older, words = [each for each in report.stood if each.of_older], Words(report.language)
    kind = "joined" if all(each.joined for each in older) else "older"
    head = [words.say("stood-head", older=kind)] if older else []
    return "\n\n".join((*head, "\n".join(_stood(each, report, words) for each in report.stood)))


def _stood(stood: Stood, report: Report, words: Words) -> str:
    counted, against = report.counted, stood.stance == "oppose"
    refuses = stood.stance == "support" and stood.who in {each.who for each in report.dissent}
    does = "accepts" if against and stood.who in counted.accepted else "refuses" if refuses else ""
    told = [stance_phrase(stood, words)]
    if does and counted.won:
        told.append(words.say("report-but", does=does, text=shown_id(counted.won.id)))
    why = f": {_inside(stood.reason, words)}" if stood.reason else ""
    return f"- **{escaped(stood.who)}** (m{stood.message}): {', '.join(told)}{why}"


def _sure(report: Report) -> str:
    """Return how sure to be as a list, and below it the first vote and the last as a table."""
    lines = "\n".join(f"- {escaped(line)}" for line in (*sections.sure_lines(report), *sections.figure_lines(report)))
    rows = [f"| {' | '.join(map(escaped, row))} |" for row in vote_rows(report.helped, Words(report.language))]
    return "\n\n".join([lines, "\n".join([rows[0], "| --- | ---: | ---: |", *rows[1:]])] if rows else [lines])


def _ballots(report: Report) -> str:
    """Return a line for each voter: its reason, what it accepts, and what moved it by its own word."""
    lines = []
    for each, told in sections.ballot_lines(report):
        reason = f" {_inside(each.reason, Words(report.language))}" if each.reason else ""
        lines.append(f"- **{escaped(each.who)}**:{reason} {escaped(told)}")
    return "\n".join(lines)


def _prose(report: Report) -> str:
    """Return a model's words, and how those of its sentences begin that the record does not bear out."""
    words = Words(report.language)
    say = words.say
    by = f"{escaped(report.prose)}\n\n*{escaped(say('report-written', by=report.by))}*"
    lacking = (
        say("report-lacking", why="word" if word else "denied", text=_inside(word, words)) for word in report.lacking
    )  # in older sessions
    facts = ([escaped(fact_words(fact, words)) for fact in each] for each in report.contradicted)
    told = (", ".join(each) or say("report-lacking", why="denied", text="") for each in facts)
    reasons = chain(told, lacking, repeat(say("report-lacking", why="unknown", text="")))  # the oldest name no reasons
    named = "; ".join(f"{_struck(text)}: {why}" for text, why in zip(report.unproved, reasons, strict=False))
    left_out = f"*{say('report-left-out')}* {named}."
    return "\n\n".join([by] * bool(report.prose) + [left_out] * bool(report.unproved))


def _struck(words: str) -> str:
    """Return the first words of what was left out, struck: whole, it would be read for true."""
    return f"~~{escaped(' '.join(one_line(words).split()[:_NAMED]))} …~~"


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def _about(report: Report) -> str:
    day = report.run.began.date() if report.run.began else ""
    who = [*sections.panel_words(report)]
    first = Words(report.language).say("report-about", day=day, session=report.session, who=who)
    return (
        f"*{escaped(' '.join(filter(None, (first, sections.source_line(report), *sections.caution_lines(report)))))}*"
    )


def _tally(report: Report) -> str:
    """Return the table of the choices, and the lines below it."""
    counted, words = report.counted, Words(report.language)
    shown = _columns(counted, words)
    noun = words.say("page-label", "choice") if report.noun == "choice" else report.noun.capitalize()
    named = {"choice": noun, "figure": words.say("votes-figure-head", kind=rule_known(counted.rule).figure)}
    titles = [named.get(head) or words.say("report-column", head) for head in shown]
    rules = ["---" if head in ("choice", "who", "rests") else "---:" for head in shown]
    rows = [titles, rules, *zip(*shown.values(), strict=True)] if counted.rows else []
    table = "\n".join(f"| {' | '.join(line)} |" for line in rows)
    return "\n\n".join(part for part in (table, "\n".join(f"- {line}" for line in _tally_lines(report))) if part)


def _columns(counted: Outcome, words: Words) -> dict[str, tuple[str, ...]]:
    """Return by its head each column that says something: a cell for each choice, then one for those who abstained."""
    counts = counts_of(counted.rule)
    heads = ("choice", "figure", "polled", "first", "accept", "also", "who", "sure", "rests")
    hidden = ["first"] if counts == "approvals" or isinstance(counted.outcome, tuple) else []
    same = all(row.figure == len(row.voters) for row in counted.rows)
    hidden += ["figure"] if counts != "approvals" and (same or counts in ("blocks", "judge")) else []
    columns = dict(zip(heads, zip(*(_cells(row, counted, words) for row in counted.rows), strict=True), strict=False))
    shown = {head: cells for head, cells in columns.items() if head not in hidden and (any(cells) or head == "who")}
    for label, who in unused(counted, words):
        last = {"choice": label, "first": str(len(who)), "who": escaped(listed(who))}
        shown = {head: (*cells, last.get(head, "")) for head, cells in shown.items()}
    return shown


def _cells(row: ChoiceRow, counted: Outcome, words: Words) -> tuple[str, ...]:
    in_list = row.choice == NONE and isinstance(counted.outcome, tuple)
    own = len(row.texts.get(row.id, row.voters))
    return (
        _name(row, counted, words),
        words.say("votes-figure-cell", kind=rule_known(counted.rule).figure, figure=row.figure),
        str(len(row.before)) if row.before is not None else "",
        words.say("report-own", count=len(row.voters), exact=own, own="same" if own == len(row.voters) else "other"),
        str(row.accepted if row.choice != NONE else len(row.voters)) if row.accepted is not None or in_list else "",
        f"{len(row.also)}: {escaped(listed(row.also))}" if row.also else "",
        escaped("; ".join(f"{key}: {listed(who)}" for key, who in row.texts.items() if who) or listed(row.voters)),
        f"{row.sure:.0%}" if row.sure is not None else "",
        messages(row.behind),
    )


def _tally_lines(report: Report) -> Iterable[str]:
    counted, words = report.counted, Words(report.language)
    half, line = counted.quorum == 0.5, rule_line(counted, words)
    yield escaped(words.say("report-rule", rule=counted.rule, line=line, half=half, quorum=counted.quorum))
    if again := sections.again_words(report):
        yield escaped(again)
    if any(row.behind for row in counted.rows):
        yield words.say("votes-behind")
    if counted.tie:
        tie = counted.tie.renamed({row.choice: in_short(row.choice, row.id, words=words) for row in counted.rows})
        yield escaped(words.say("report-tie", tie=tie_phrase(tie, words)))
    for row in counted.rows:
        if row.blocked and (row.choice == counted.outcome or counts_of(counted.rule) == "blocks"):
            yield escaped(words.say("report-blocked", who=row.blocked, text=in_short(row.choice, row.id, words=words)))


def _name(row: ChoiceRow, counted: Outcome, words: Words) -> str:
    if row.choice == NONE:
        return words.say("votes-label", "none")
    won = counted.outcome if isinstance(counted.outcome, tuple) else (counted.outcome,)
    text = f"**{escaped(row.choice)}**" if row.choice in won else escaped(row.choice)
    return f"{text} ({escaped(row.id)})" if shown_id(row.id) else text


def _cited(items: Iterable[Cited], words: Words) -> str:
    return "\n".join(f"- {_quote(cited, words)}" for cited in items)


def _evidence(used: UsedEvidence, words: Words) -> str:
    """Return `e3, report.pdf p. 7: “Words.” Looked up by Ada; cited in m12`."""
    passage, cited = _inside(shorten(one_line(used.text), _PASSAGE), words), messages(used.messages)
    place = f"**{escaped(used.id)}**, {escaped(used.source)}"
    return f"- {place}: {passage} {escaped(words.say('report-evidence', who=used.who, cited=cited))}"


def _quote(cited: Cited, words: Words) -> str:
    """Return `Why. **Ada**: “Words.” (m12)`."""
    text = one_line(cited.text)
    text = f"{escaped(text)}{'' if text[-1] in '.!?:' else '.'} " if text else ""
    if not cited.quote:
        return f"{text}(m{cited.message})"
    who = f"**{escaped(cited.who)}**: " if cited.who else ""
    where = f"m{cited.message}" if cited.message else words.say("report-where", where="ballot")
    return f"{text}{who}{_inside(cited.quote, words)} ({where})"


def _inside(quote: str, words: Words) -> str:
    """Return words in quotation marks, escaped."""
    return escaped(in_marks(quote, words))


def _dissent(report: Report) -> str:
    """Return the objections as a model tells them and as members declared them; reasons stand with the ballots."""
    quotes = (*report.told_dissent, *(cited for one in report.dissent for cited in one.said))
    return _cited(quotes, Words(report.language))


def _decisions(report: Report) -> str:
    lines = []
    for decision in report.decisions:
        who = decision.supporters
        by = f"; {escaped(Words(report.language).say('report-supported', who=who))}" if who else ""
        lines.append(f"- {escaped(decision.outcome)} ({messages(decision.messages)}{by})")
    return "\n".join(lines)


def _table(lines: Sequence[str]) -> str:
    """Return the lines of the table: its heads as paragraphs, its items as lists with what stands below each."""
    shown = []
    for line in lines:
        text = line.strip()
        item = text.startswith("- ") or line.startswith(" ")
        depth = "  " if line.startswith(" ") else ""
        shown.append(f"{depth}- {escaped(text.removeprefix('- '))}" if item else f"\n{escaped(text)}\n")
    return "\n".join(shown).strip()


def _mind(mind: Condition, words: Words) -> str:
    asked = words.say("report-where", where="private" if mind.polled else "ballot")
    where = f"m{mind.message}" if mind.message else asked
    holds = f", {words.say('report-holds', text=_inside(mind.holds, words))}" if mind.holds else ""
    return f"- **{escaped(mind.who)}**{holds}: {_inside(mind.text, words)} ({where})"


def _dropped(dropped: Iterable[Cited], words: Words) -> str:
    named = [(f"m{cited.message}: " if cited.message else "") + _struck(cited.quote or cited.text) for cited in dropped]
    return f"*{words.say('report-dropped', count=len(named), cited=named)}*" if named else ""
