"""Compares two sessions: what they were set up with, where they part, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from eda.debate.replay import memory_of, progress_of
from eda.events import (
    BallotCast,
    Event,
    MemberChanged,
    MemoryCorrected,
    MessagePosted,
    ModeratorSpoke,
    NoteTaken,
    SessionStarted,
    SettingChanged,
    StanceTaken,
    VerdictReached,
)
from eda.memory import ConversationMemory
from eda.report.effect import VoteDiffers, votes_that_differ
from eda.session import Session
from eda.voting.choices import same_words

_TOLD = (
    MessagePosted,
    ModeratorSpoke,
    SettingChanged,
    MemberChanged,
    MemoryCorrected,
    NoteTaken,
    StanceTaken,
    BallotCast,
    VerdictReached,
)
"""Facts that make two sessions differ; a call or a pause does not."""
_SETUP = ("question", "options", "panel", "members", "documents", "agenda", "settings", "seed", "runner", "prompts")
Pair = tuple[str, str]
"""What the first session has, and the second."""


@dataclass(frozen=True, slots=True)
class Diff:
    """What differs between two sessions; everything is empty where nothing does."""

    parents: Pair
    """Where each comes from; empty for a session that is no fork."""
    setup: dict[str, Pair]
    """What they were begun with, by name: `seed`, `option`, `setting max_messages`."""
    after: int
    """Number of the last message that both have."""
    parted: tuple[Event | None, Event | None] | None
    """The first facts that differ; None in place of one where a session ends, and of both where nothing differs."""
    verdicts: tuple[VerdictReached | None, VerdictReached | None]
    votes: tuple[VoteDiffers, ...]
    """Members whose last votes differ by motion; None for who did not vote."""
    positions: dict[str, Pair]
    """The last position of each member whose positions differ."""
    proposals: tuple[dict[str, str], dict[str, str]]
    """The proposals that only one has, by id."""

    @property
    def same(self) -> bool:
        """True if nothing differs."""
        return not self.setup and self.parted is None


def diff(one: Session, other: Session) -> Diff:
    """Return what differs between two sessions.

    Raises:
        LogDamagedError, SessionError: a log cannot be read.
    """
    begun = one.started(), other.started()
    states, memories = (progress_of(one), progress_of(other)), (memory_of(one), memory_of(other))
    parted, after = _parted(one, other)
    return Diff(
        parents=(begun[0].parent, begun[1].parent),
        setup=_setup(*begun),
        after=after,
        parted=parted,
        verdicts=(states[0].verdict, states[1].verdict),
        votes=votes_that_differ(*states),
        positions=_positions(*memories),
        proposals=(_only(*memories), _only(*reversed(memories))),
    )


def diff_data(found: Diff) -> dict[str, Any]:
    """Return the same in plain JSON types; `parted` holds the two facts."""
    facts = found.parted or (None, None)
    return {
        "same": found.same,
        "from": found.parents,
        "setup": found.setup,
        "after": found.after,
        "parted": None if found.parted is None else [fact and fact.model_dump(mode="json") for fact in facts],
        "outcomes": [verdict and verdict.outcome for verdict in found.verdicts],
        "margins": [verdict and verdict.margin for verdict in found.verdicts],
        "votes": [{"who": each.who, "choices": [each.before, each.after]} for each in found.votes],
        "positions": found.positions,
        "proposals": found.proposals,
    }


def _parted(one: Session, other: Session) -> tuple[tuple[Event | None, Event | None] | None, int]:
    """Return the first facts that differ, and the number of the last message before them."""
    after = 0
    for pair in zip_longest(_told(one), _told(other)):
        here, there = (None if fact is None else fact.model_dump(exclude={"seq", "at"}) for fact in pair)
        if here != there:
            return pair, after
        after = pair[0].number if isinstance(pair[0], MessagePosted) else after
    return None, after


def _told(session: Session) -> Iterator[Event]:
    return (event for event in session.events() if isinstance(event, _TOLD))


def _setup(one: SessionStarted, other: SessionStarted) -> dict[str, Pair]:
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in _SETUP}
    here, there = (settings.model_dump() for settings in pairs.pop("settings"))
    pairs |= {f"setting {name}": (value, there[name]) for name, value in here.items() if name in there}
    return {name: (_words(pair[0]), _words(pair[1])) for name, pair in pairs.items() if pair[0] != pair[1]}


def _words(value: Any) -> str:
    """Return a value of the setup in words: people, documents and formats by their names."""
    if isinstance(value, tuple | dict):
        return ", ".join(map(_words, value)) or "none"
    return str(getattr(value, "title", None) or getattr(value, "name", value)) if not isinstance(value, str) else value


def _positions(one: ConversationMemory, other: ConversationMemory) -> dict[str, Pair]:
    held = [{who: agent.last_position or "" for who, agent in memory.agents.items()} for memory in (one, other)]
    pairs = {who: (held[0].get(who, ""), held[1].get(who, "")) for who in {**held[0], **held[1]}}
    return {who: pair for who, pair in pairs.items() if not same_words(*pair)}


def _only(one: ConversationMemory, other: ConversationMemory) -> dict[str, str]:
    texts = [proposal.content for proposal in other.proposals]
    return {
        proposal.id: proposal.content
        for proposal in one.proposals
        if not any(same_words(proposal.content, text) for text in texts)
    }
