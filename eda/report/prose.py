"""What a model writes of a report, and how it is checked: what the log does not hold is left out, and named."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, Field, ValidationError, field_validator

from eda.calls import call_made, failed_call, structured
from eda.errors import RunnerError
from eda.events import ReportWritten
from eda.memory import ConversationMemory
from eda.patterns import normalise, sentences
from eda.progress import Progress
from eda.prompts import Prompts, quoted
from eda.protocols import Line, Prompt, Runner
from eda.records import Cited
from eda.report.gather import messages_of
from eda.report.parts import Dissent, Report
from eda.report.quotes import Said, plain_line
from eda.session import Session
from eda.spending import Spending

__all__ = ["Point", "ReportAnswer", "checked", "report_prompt", "write_prose"]

MOST = 8
"""Items of a kind that are read."""
MOST_TEXT = 400
"""Characters of an item in the model's words."""
TRANSCRIPT = 24_000
"""Tokens of the messages that are shown in full, the newest; summaries stand for those before."""
_REFERENCE = re.compile(r"\b(?:m|messages? (?:no\. ?|#)?)(\d+)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"«„]([^“”\"«»„]{12,})[”\"»“]|‘([^‘]{12,}?)’(?!\w)")
_BESIDE = re.compile(r"\s*\(m(\d{1,9})\)")
_SAYS = r"(?:(?:also|still|rightly) )?(?:says?|said|argue[sd]?|warn(?:s|ed)|told|fear(?:s|ed)|puts? it)\b"


class Point(BaseModel):
    """A sentence of the report, and the words that hold it."""

    text: str
    message: int = Field(description="The number of the message: 12 for m12.")
    quote: str = Field(description="A whole sentence of that message, copied word for word.")

    @field_validator("message", mode="before")
    @classmethod
    def _as_the_transcript_writes_it(cls, value: Any) -> Any:
        return value.strip(" ()[]").removeprefix("m") if isinstance(value, str) else value


class ReportAnswer(BaseModel):
    """What a model answers."""

    verdict: str
    reasons: list[Point]
    dissent: list[Point]
    risks: list[Point]
    open: list[Point]


async def write_prose(
    session: Session,
    progress: Progress,
    memory: ConversationMemory,
    report: Report,
    runner: Runner,
    publish: Callable[..., object],
) -> str:
    """Have a model write the prose of a report, and store it; gives why it did not, empty where it did.

    Its budget is what is left of the debate's.
    """
    prompt = report_prompt(session, progress, memory, report)
    spending = Spending(runner, progress, memory, lambda: (prompt, 0))
    try:
        reply = await spending.run(prompt)
    except (RunnerError, asyncio.CancelledError) as error:
        publish(*failed_call(prompt, error))
        if isinstance(error, asyncio.CancelledError):
            raise
        return str(error)
    answer = structured(reply)
    made = call_made(prompt, reply)
    if answer is None or "verdict" not in answer:
        publish(made)
        return "the answer was no report"
    said = Said(messages_of(session), tuple(row.choice for row in report.counted.rows))
    publish(made, checked(answer, said, reply.model or "model"))
    return ""


def report_prompt(session: Session, progress: Progress, memory: ConversationMemory, report: Report) -> Prompt:
    """The question, the transcript as far as there is room, the count and what memory holds."""
    started = session.started()
    lines, earlier = _transcript(session, memory)
    told = [f"# The question\n{report.question}", "# The panel"]
    told += [f"- {member.title}, {member.role}" for member in progress.panel]
    if earlier:
        told += ["# Summaries of what was said first", *earlier]
    told += ["# The transcript", *(f"m{line.number} {line.who}: {quoted(line.text)}" for line in lines)]
    asked = Prompts(started.prompts).fill("report", count=_count(report), held=_held(report))
    return Prompt(
        purpose="report",
        last=progress.messages,
        attempt=progress.round,
        seed=started.seed,
        question=started.question,
        options=tuple(row.choice for row in report.counted.rows),
        members=tuple(member.title for member in progress.panel),
        lines=tuple(lines),
        positions={name: state.last_position for name, state in memory.agents.items() if state.last_position},
        own="\n".join((*told, "", asked)),  # one call: to write a cache would cost more than it saves
        answer=ReportAnswer,
    )


def checked(answer: Mapping[str, Any], said: Said, by: str) -> ReportWritten:
    """The answer, without what it cites and the log does not hold."""
    dropped: list[Cited] = []
    verdict = _sentences(answer.get("verdict"), said, dropped)
    kinds = {kind: _points(answer.get(kind), said, dropped) for kind in ("reasons", "dissent", "risks", "open")}
    return ReportWritten(verdict=verdict, dropped=tuple(dropped), by=by, **kinds)


def _points(given: Any, said: Said, dropped: list[Cited]) -> tuple[Cited, ...]:
    kept: dict[str, Cited] = {}
    for row in given[:MOST] if isinstance(given, list) else ():
        try:
            point = Point.model_validate(row)
        except ValidationError:
            dropped += _named(row)
            continue
        text = _whole(_text(point.text))
        found, wrong = said.find(point.message, _text(point.quote)), _unfounded(text, said, point.message)
        if found is None:
            quote = _whole(_text(point.quote))
            dropped += [Cited(text, point.message, quote)] if text or quote else []
        elif wrong is not None:
            dropped.append(Cited(text, wrong, ""))
        else:
            kept.setdefault(found.quote, Cited(text, found.message, found.quote, found.who))
    return tuple(kept.values())


def _named(row: Any) -> list[Cited]:
    """What is left to name of an item that has not the parts that it must have."""
    told = [row.get(key) for key in ("text", "quote")] if isinstance(row, Mapping) else [row]
    text = next((_whole(_text(each)) for each in told if isinstance(each, str)), "")
    return [Cited(text, 0, "")] if text else []


def _sentences(given: Any, said: Said, dropped: list[Cited]) -> str:
    """The first two sentences, without those that cite what was not said."""
    text = _text(given) if isinstance(given, str) else ""
    kept = []
    for start, end in sentences(normalise(text))[:2]:
        wrong = _unfounded(text[start:end], said)
        if wrong is None:
            kept.append(_whole(text[start:end]))
        else:
            dropped.append(Cited(_whole(text[start:end]), wrong, ""))
    return " ".join(filter(None, kept))


def _unfounded(text: str, said: Said, cited: int | None = None) -> int | None:
    """The message that a text cites wrongly; 0 for words in quotation marks that nobody said.

    It is cited wrongly where there is none, where somebody else wrote it, and where it lacks the words that are quoted
    beside it. `cited` is the message that the whole text rests on.
    """
    named = [] if cited is None else [cited]
    for digits in _REFERENCE.findall(text):
        number = int(digits[:9])
        if not said.holds(number):
            return number
        named.append(number)
    for who in said.speakers:
        by = re.escape(who)
        stands = [int(digits) for digits in re.findall(rf"\b{by} \(m(\d+)\)", text)]
        stands += named[:1] if cited is not None and re.search(rf"\b{by} {_SAYS}", text) else []
        wrong = next((number for number in stands if said.speakers[who].isdisjoint([number])), None)
        if wrong is not None:
            return wrong
    for match in _QUOTED.finditer(text):
        quote, beside = match[1] or match[2], _BESIDE.match(text, match.end())
        numbers = [int(beside[1])] if beside else named
        if not said.somewhere(quote, numbers):
            return numbers[-1] if numbers and said.somewhere(quote) else 0
    return None


def _text(text: str) -> str:
    """One line without Markdown that can be stored: half of a surrogate pair cannot."""
    return plain_line(text.encode("utf-8", "replace").decode())


def _whole(text: str) -> str:
    """As many whole sentences as there is room for."""
    if len(text) <= MOST_TEXT:
        return text
    ends = [end for _, end in sentences(normalise(text)) if end <= MOST_TEXT]
    return text[: ends[-1]] if ends else ""


def _transcript(session: Session, memory: ConversationMemory) -> tuple[list[Line], list[str]]:
    lines: list[Line] = []
    left = TRANSCRIPT
    for message in reversed(messages_of(session)):
        left -= memory.tokens.of(message.talk)
        if left < 0:
            break
        lines.insert(0, Line(message.number, message.who, message.talk))
    first = lines[0].number if lines else 0
    earlier = [f"m{s.first} to m{s.last}: {quoted(s.text)}" for s in memory.summaries if s.first < first]
    return lines, earlier


def _count(report: Report) -> str:
    rows = [f"- {row.choice}: {row.figure:g} ({', '.join(row.voters) or 'nobody'})" for row in report.counted.rows]
    against = [f"- Not with it: {one.who}, {_stood(one)}: {quoted(one.reason)}" for one in report.dissent]
    return "\n".join([*report.verdict, *rows, *against])


def _stood(one: Dissent) -> str:
    stood = [one.gave or (f"for {one.choice}" if one.choice else "")]
    stood += [f"cannot live with {choice}" for choice in one.blocked]
    return "; ".join(filter(None, stood)) or "for none of them"


def _held(report: Report) -> str:
    decided = [f"- Decided in m{decision.messages[0]}: {quoted(decision.outcome)}" for decision in report.decisions]
    still = [f"- Open, m{cited.message}: {quoted(cited.quote)}" for cited in report.open]
    return "\n".join([*decided, *still]) or "(nothing but the transcript)"
