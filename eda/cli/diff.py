"""`eda diff`."""

from __future__ import annotations

from collections.abc import Iterator
from os.path import commonprefix
from pathlib import Path

import click

from eda.cli.common import done
from eda.cli.options import session_options
from eda.cli.show import place_of
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.cli.terminal.verdict import outcome_phrase, votes_phrase
from eda.events import NONE, Event, VerdictReached
from eda.report.diff import Diff, diff_data
from eda.report.diff import diff as compared
from eda.report.formatting import in_short, shorten
from eda.session import Session

_LONG = 160
"""Characters of a text."""


@click.command()
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@session_options
def diff(*, one: str, other: str, folder: Path | None, as_json: bool) -> None:
    """Say where sessions A and B part, and what came of it.

    The first message, vote, setting or member that differs; then the verdicts, the votes that differ by member, the
    last positions, and the proposals that only one has. Votes are compared by motion.
    """
    with Session.read(place_of(one), folder) as here, Session.read(place_of(other), folder) as there:
        found = compared(here, there)
        lines = "\n".join(_lines(found, (here, there)))
    done(lines, as_json=as_json, a=here.name, b=there.name, **diff_data(found))


def _lines(found: Diff, sessions: tuple[Session, Session]) -> Iterator[str]:
    """Yield a line for each thing that differs."""
    names = a, b = sessions[0].name, sessions[1].name
    if found.same:
        yield f"{a} and {b} are the same: their setup, messages and votes"
        return
    yield from (
        f"from: {name} comes from {parent}" for name, parent in zip(names, found.parents, strict=True) if parent
    )
    yield from (f"setup: {name}: {here} in {a}, {there} in {b}" for name, (here, there) in found.setup.items())
    if found.parted is None:
        yield "part: nowhere; messages and votes are the same"
        return
    place = f"after m{found.after}" if found.after else "from the start"
    facts = zip(sessions, found.parted, strict=True)
    told = [_words(session, fact) if fact else "has no more" for session, fact in facts]
    yield from (f"part: {place}, {name}: {words}" for name, words in zip(names, _apart(told), strict=True))
    yield from (f"verdict: {name}: {_won(verdict)}" for name, verdict in zip(names, found.verdicts, strict=True))
    for vote in found.votes:
        here, there = _choice(vote.before, vote.before_id), _choice(vote.after, vote.after_id)
        yield f"vote: {vote.who}: {here} in {a}, {there} in {b}"
    for who, held in found.positions.items():
        here, there = (shorten(text, _LONG) or "none" for text in held)
        yield f"position: {who}: {here} (in {a}); {there} (in {b})"
    for name, proposals in zip(names, found.proposals, strict=True):
        yield from (f"proposal: only in {name}: {number} {shorten(text, _LONG)}" for number, text in proposals.items())


def _apart(texts: list[str]) -> list[str]:
    """Return two texts in short, each with the words in which they begin to differ."""
    same = len(commonprefix(texts))
    if same < _LONG // 2:
        return [shorten(text, _LONG) for text in texts]
    start = texts[0].rfind(" ", 0, same - _LONG // 4) + 1
    return [f"{text.partition(':')[0]}: … {shorten(text[start:], _LONG)}" for text in texts]


def _won(verdict: VerdictReached | None) -> str:
    if verdict is None:
        return "none"
    margin = "" if verdict.margin is None else f", margin {verdict.margin:g}"
    return f"{outcome_phrase(verdict)} ({votes_phrase(verdict)}{margin})"


def _words(session: Session, fact: Event) -> str:
    """Return a fact of a session as the screens describe it."""
    context = Context(session.started().settings, over=True)
    for event in session.events():
        entries = context.entries(event)
        if event.seq == fact.seq:
            return "; ".join(line for entry in entries for line in plain_lines(entry))
    return fact.type


def _choice(words: str | None, number: str) -> str:
    return "no choice" if words is None else "none of these" if words == NONE else in_short(words, number)
