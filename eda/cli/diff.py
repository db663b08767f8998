"""`eda diff`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from eda.cli.common import decided, done, say, speak, spoken
from eda.cli.options import place_of, session_options
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.debate.replay import memory_of, progress_of
from eda.events import NONE, Event, MessagePosted, Parent
from eda.memory import ConversationMemory
from eda.report.effect import votes_that_differ
from eda.report.formatting import SHORT, in_short, shorten
from eda.report.phrases import parent_phrase
from eda.session import Session
from eda.voting.choices import same_words

_LONG = 160  # Characters of a text.
# Kinds of facts that make two sessions differ; a call or a pause does not.
_TOLD = (
    *("message_posted", "moderator_spoke", "setting_changed", "member_changed", "memory_corrected", "note_taken"),
    *("stance_taken", "ballot_cast", "verdict_reached"),
)
_SETUP = "question options panel members documents agenda settings seed runner prompts"


@click.command()
@click.argument("one", metavar="A", type=place_of)
@click.argument("other", metavar="B", type=place_of)
@session_options
def diff(*, one: str | Path, other: str | Path, folder: Path | None, as_json: bool) -> None:
    """Say where sessions A and B part, and what came of it.

    The first message, vote, setting or member that differs; then the verdicts, the votes that differ by member, the
    last positions, and the proposals that only one has. Votes are compared by motion.
    """
    with Session.read(one, folder) as here, Session.read(other, folder) as there:
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
    (head, here), (other, there) = map(_words, sessions, found["parted"])
    told = _apart(here, there, (head, other))
    at = f"m{found['after']}" if found["after"] else ""
    yield from (say("diff-part", at=at, name=name, words=words) for name, words in zip(names, told, strict=True))
    won = [decided(outcome) or say("diff-none", "outcome") for outcome in found["outcomes"]]
    for name, text, margin in zip(names, _apart(*won), found["margins"], strict=True):
        yield say("diff-verdict", name=name, text=text.rstrip("."), margin="" if margin is None else f"{margin:g}")
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
        yield from (
            say("diff-proposal-only", name=name, number=number, text=shorten(text, SHORT if text in won else _LONG))
            for number, text in proposals.items()
        )


def _words(session: Session, fact: dict[str, Any] | None) -> tuple[str, str]:
    """Return what a fact of a session begins with on screens, and the whole as they describe it."""
    context = Context(session.started().settings, over=True)
    for event in session.events() if fact else ():
        entries = context.entries(event)
        if fact and event.seq == fact["seq"]:
            tag = next((f"{entry.tag}: " for entry in entries if entry.tag), "")
            return tag, "; ".join(line for entry in entries for line in plain_lines(entry, context.words))
    return "", say("diff-none", "more")


def _apart(one: str, other: str, heads: Sequence[str] = ("", "")) -> list[str]:
    """Return two texts in short, each from where they begin to differ, behind its head."""
    same = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    start = one.rfind(" ", 0, same - _LONG // 4) + 1 if same > _LONG // 2 else 0
    cut = (shorten(text[start:], _LONG) for text in (one, other))
    return [f"{head}… {text}" if start else text for head, text in zip(heads, cut, strict=True)]


def _choice(words: str | None, number: str, named: set[str]) -> str:
    """Return a choice by its words and id, by the id alone where it was `named` before."""
    if words is None or words == NONE:
        return say("diff-none", "choice" if words is None else "these")
    short = number if number and words in named else in_short(words, number, words=spoken())
    named.add(words)
    return short


def compared(one: Session, other: Session) -> dict[str, Any]:
    """Return what differs between two sessions, in plain JSON types; each pair is of the first and the second.

    `same`; `from`: where each was forked; `setup`: pairs by name; `after`: the number of the last message that both
    have; `parted`: the pair of facts that differ first, None for a session that has no more; `outcomes` and `margins`;
    `votes`: who votes otherwise, by motion; `positions`: pairs by member; `proposals`: by id, those that only one has.

    Raises:
        LogDamagedError, SessionError: a log cannot be read.
    """
    started, states = (one.started(), other.started()), (progress_of(one), progress_of(other))
    memories = memory_of(one), memory_of(other)
    pairs = {name: tuple(getattr(each, name) for each in started) for name in _SETUP.split()}
    here, there = (settings.model_dump() for settings in pairs.pop("settings"))
    pairs |= {f"setting {name}": (here.get(name), there.get(name)) for name in here | there}
    setup = {name: [*map(_plain, pair)] for name, pair in pairs.items() if pair[0] != pair[1]}
    parted, after = _parted(one, other)
    return {
        "same": not setup and parted is None,
        "from": [each.parent and asdict(each.parent) for each in started],
        "setup": setup,
        "after": after,
        "parted": parted,
        "outcomes": [each.verdict and each.verdict.outcome for each in states],
        "margins": [each.verdict and each.verdict.margin for each in states],
        "votes": [
            {"who": vote.who, "texts": [vote.before, vote.after], "ids": [vote.before_id, vote.after_id]}
            for vote in votes_that_differ(*states)
        ],
        "positions": _positions(*memories),
        "proposals": [_only(*memories), _only(*reversed(memories))],
    }


def _parted(one: Session, other: Session) -> tuple[list[dict[str, Any] | None] | None, int]:
    """Return the first facts that differ, and the number of the last message before them."""
    after = 0
    for pair in zip_longest(_told(one), _told(other)):
        here, there = (fact and fact.model_dump(exclude={"seq", "at"}) for fact in pair)
        if here != there:
            return [None if fact is None else fact.model_dump(mode="json") for fact in pair], after
        after = pair[0].number if isinstance(pair[0], MessagePosted) else after
    return None, after


def _told(session: Session) -> Iterator[Event]:
    return (event for event in session.events() if event.type in _TOLD)


def _plain(value: Any) -> str:
    """Return a value of the setup in words: people, documents and formats by their names."""
    if isinstance(value, tuple | dict):
        return ", ".join(map(_plain, value)) or "none"
    return value if isinstance(value, str) else str(getattr(value, "title", getattr(value, "name", value)))


def _positions(one: ConversationMemory, other: ConversationMemory) -> dict[str, list[str]]:
    positions = [{who: agent.last_position or "" for who, agent in memory.agents.items()} for memory in (one, other)]
    pairs = {who: [each.get(who, "") for each in positions] for who in positions[0] | positions[1]}
    return {who: pair for who, pair in pairs.items() if not same_words(*pair)}


def _only(one: ConversationMemory, other: ConversationMemory) -> dict[str, str]:
    texts = [proposal.content for proposal in other.proposals]
    own = (each for each in one.proposals if not any(same_words(each.content, text) for text in texts))
    return {proposal.id: proposal.content for proposal in own}
