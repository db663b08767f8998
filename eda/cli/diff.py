"""`eda diff`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from eda.cli.common import decided, done, say, speak, spoken
from eda.cli.kinds import TEXT
from eda.cli.options import place_of, session_options
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.events import NONE, Parent
from eda.report.diff import diff as compared
from eda.report.formatting import SHORT, in_short, shorten
from eda.report.phrases import parent_phrase
from eda.session import Session

_LONG = 160  # Characters of a text.


@click.command()
@click.argument("one", metavar="A", type=TEXT)
@click.argument("other", metavar="B", type=TEXT)
@session_options
def diff(*, one: str, other: str, folder: Path | None, as_json: bool) -> None:
    """Say where sessions A and B part, and what came of it.

    The first message, vote, setting or member that differs; then the verdicts, the votes that differ by member, the
    last positions, and the proposals that only one has. Votes are compared by motion.
    """
    with Session.read(place_of(one), folder) as here, Session.read(place_of(other), folder) as there:
        speak(here.started().settings.language)
        differences = compared(here, there)
        lines = "\n".join(_lines(differences, [here, there]))
    done(lines, as_json=as_json, a=here.name, b=there.name, **differences)


def _lines(found: dict[str, Any], sessions: list[Session]) -> Iterator[str]:
    """Yield a line for each thing that differs."""
    a, b = names = [session.name for session in sessions]
    if found["same"]:
        yield say("diff-same", a=a, b=b)
        return
    forks = zip(names, found["from"], strict=True)
    yield from (
        say("diff-from", name=name, parent=parent_phrase(Parent(**parent), spoken()))
        for name, parent in forks
        if parent
    )
    yield from (
        say("diff-setup", what=what, here=here, a=a, there=there, b=b) for what, (here, there) in found["setup"].items()
    )
    if found["parted"] is None:
        yield say("diff-nowhere")
        return
    yield from _since_parted(found, sessions)


def _since_parted(found: dict[str, Any], sessions: list[Session]) -> Iterator[str]:
    """Yield where they part, and a line for each outcome, vote, position and proposal that only one has."""
    a, b = names = [session.name for session in sessions]
    told = _apart(*map(_words, sessions, found["parted"]), headed=True)
    at = f"m{found['after']}" if found["after"] else ""
    yield from (say("diff-part", at=at, name=name, words=words) for name, words in zip(names, told, strict=True))
    none = say("diff-none", "outcome")
    won = [decided(outcome) or none for outcome in found["outcomes"]]
    for name, text, margin in zip(names, _apart(*won), found["margins"], strict=True):
        by = "" if margin is None else f"{margin:g}"
        yield say("diff-verdict", name=name, text=text.rstrip("."), margin=by)
    named = set[str]()
    for vote in found["votes"]:
        here, there = (_choice(*each, named) for each in zip(vote["texts"], vote["ids"], strict=True))
        yield say("diff-vote", who=vote["who"], here=here, a=a, there=there, b=b)
    for who, pair in found["positions"].items():
        here, there = (shorten(text, _LONG) or say("diff-none", "position") for text in pair)
        yield say("diff-position", who=who, here=here, a=a, there=there, b=b)
    if not any(found["proposals"]):
        yield say("diff-proposals-same", a=a, b=b)
    for name, proposals in zip(names, found["proposals"], strict=True):
        for number, text in proposals.items():
            yield say(
                "diff-proposal-only", name=name, number=number, text=shorten(text, SHORT if text in won else _LONG)
            )


def _words(session: Session, fact: dict[str, Any] | None) -> str:
    """Return a fact of a session as the screens describe it."""
    context = Context(session.started().settings, over=True)
    for event in session.events() if fact else ():
        entries = context.entries(event)
        if fact and event.seq == fact["seq"]:
            return "; ".join(line for entry in entries for line in plain_lines(entry))
    return say("diff-none", "more")


def _apart(one: str, other: str, *, headed: bool = False) -> list[str]:
    """Return two texts in short, each from where they begin to differ; `headed`: behind what it begins with."""
    same = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    start = one.rfind(" ", 0, same - _LONG // 4) + 1 if same > _LONG // 2 else 0
    heads = (f"{text.partition(':')[0]}: " if headed else "" for text in (one, other))
    cut = (shorten(text[start:], _LONG) for text in (one, other))
    return [f"{head}… {text}" if start else text for head, text in zip(heads, cut, strict=True)]


def _choice(words: str | None, number: str, named: set[str]) -> str:
    """Return a choice by its words and id, by the id alone where it was `named` before."""
    if words is None or words == NONE:
        return say("diff-none", "choice" if words is None else "these")
    short = number if number and words in named else in_short(words, number, words=spoken())
    named.add(words)
    return short
