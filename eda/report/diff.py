"""Compares two sessions: what they were set up with, where they part, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from eda.debate.replay import memory_of, progress_of
from eda.events import Event, MessagePosted, SessionStarted
from eda.memory import ConversationMemory
from eda.report.effect import votes_that_differ
from eda.session import Session
from eda.voting.choices import same_words

_TOLD = """message_posted moderator_spoke setting_changed member_changed memory_corrected note_taken stance_taken
ballot_cast verdict_reached"""
"""Kinds of facts that make two sessions differ; a call or a pause does not."""
_SETUP = "question options panel members documents agenda settings seed runner prompts"


def diff(one: Session, other: Session) -> dict[str, Any]:
    """Return what differs between two sessions, in plain JSON types; each pair is of the first and the second.

    `same`; `from`: where each was forked; `setup`: pairs by name; `after`: the number of the last message that both
    have; `parted`: the pair of facts that differ first, None for a session that has no more; `outcomes` and `margins`;
    `votes`: who votes otherwise, by motion; `positions`: pairs by member; `proposals`: by id, those that only one has.

    Raises:
        LogDamagedError, SessionError: a log cannot be read.
    """
    started, states = (one.started(), other.started()), (progress_of(one), progress_of(other))
    memories = memory_of(one), memory_of(other)
    setup, (parted, after) = _setup(*started), _parted(one, other)
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
    kinds = _TOLD.split()
    return (event for event in session.events() if event.type in kinds)


def _setup(one: SessionStarted, other: SessionStarted) -> dict[str, list[str]]:
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in _SETUP.split()}
    here, there = (settings.model_dump() for settings in pairs.pop("settings"))
    pairs |= {f"setting {name}": (here.get(name), there.get(name)) for name in here | there}
    return {name: [*map(_words, pair)] for name, pair in pairs.items() if pair[0] != pair[1]}


def _words(value: Any) -> str:
    """Return a value of the setup in words: people, documents and formats by their names."""
    if isinstance(value, tuple | dict):
        return ", ".join(map(_words, value)) or "none"
    return value if isinstance(value, str) else str(getattr(value, "title", getattr(value, "name", value)))


def _positions(one: ConversationMemory, other: ConversationMemory) -> dict[str, list[str]]:
    positions = [{who: agent.last_position or "" for who, agent in memory.agents.items()} for memory in (one, other)]
    pairs = {who: [each.get(who, "") for each in positions] for who in positions[0] | positions[1]}
    return {who: pair for who, pair in pairs.items() if not same_words(*pair)}


def _only(one: ConversationMemory, other: ConversationMemory) -> dict[str, str]:
    texts = [proposal.content for proposal in other.proposals]
    own = (each for each in one.proposals if not any(same_words(each.content, text) for text in texts))
    return {proposal.id: proposal.content for proposal in own}
