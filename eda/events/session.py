"""Facts about the session: its setup, the phases of its agenda, its members, and what a person changed."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from pydantic import Field

from eda.events.base import Event
from eda.panels.agenda import Agenda, load_agenda
from eda.panels.documents.document import Document
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.panels.tools import Tool

__all__ = [
    "SCHEMA_VERSION",
    "DecisionFollowedUp",
    "MemberChanged",
    "MemoryCorrected",
    "Parent",
    "PauseReason",
    "PhaseStarted",
    "SessionEnded",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SettingChanged",
]

SCHEMA_VERSION = 7
"""Version of the log's schema. 2 added side messages, notes, passed turns and minutes; 3 added agendas, stances, full
ballots, corrections, changes of members, baselines and reports; 4 added the numbers of calls; 5 added first ballots,
the texts and motions of a ballot, and what a verdict adopts; 6 added what members look up, and places of documents;
7 holds kinds and fields where older ones hold sentences of the engine.
A field that an older log lacks has its default."""

PauseReason = Literal["person", "stopped", "unavailable", "words"]
"""Who or what makes a debate wait: a person, the end of the program, or a server; `words` is of older sessions."""


@dataclass(frozen=True, slots=True)
class Parent:
    """The session that another one was forked from."""

    session: str
    at: int | None = None
    """The last message that both have; None where all facts were taken."""
    changed: str = ""
    """What is otherwise, as it was asked for: `persona:sceptic=economist`."""
    head: str = ""
    """The hash of the other's chain at the last fact that both have; empty where it was in memory or had none."""


class SessionStarted(Event, type="session_started", context="begins anew", in_full=True):
    """The session was set up. The fact holds everything that a resume needs to continue the same debate."""

    schema_version: int = SCHEMA_VERSION
    eda: str = Field(default="", exclude_if=lambda version: not version)
    """The version of EDA that began the session; empty in older sessions."""
    session: str
    parent: Parent | None = Field(default=None, exclude_if=lambda parent: parent is None)
    """Where it comes from, if it was forked."""
    kind: Literal["debate", "transcript"] = "debate"
    question: str = ""
    options: tuple[str, ...] = ()
    panel: str = ""
    """Name of the panel; empty if the members were named one by one."""
    members: tuple[Persona, ...] = ()
    """The full personas, in seat order."""
    facts: dict[str, tuple[str, ...]] = Field(default={}, exclude_if=lambda facts: not facts)
    """What single members were told before the debate, by title. Only that seat's prompts have it."""
    stances: dict[str, str] = Field(default={}, exclude_if=lambda stances: not stances)
    """The option that single members were asked to open for, by title."""
    documents: tuple[Document, ...] = ()
    tools: tuple[Tool, ...] = Field(default=(), exclude_if=lambda tools: not tools)
    """What members may call before they speak."""
    settings: Settings = Field(default_factory=Settings)
    seed: int = 0
    day: str = Field(default="", exclude_if=lambda day: not day)
    """The date that members are told, in ISO form; empty where nobody is told one: in older sessions, and where no
    model is asked."""
    runner: str = ""
    """A spec such as `simulated` or `anthropic:SPEAK+CHEAP` (see `runners.models`), or a custom class's name."""
    patterns: str = ""
    """Fingerprint of the pattern pack."""
    agenda: Agenda = Field(default_factory=lambda: load_agenda("panel").without_first_ballot)
    """The full agenda, so that a resume follows the one with which the debate began. Sessions before schema 3 stored
    none."""
    prompts: dict[str, str] = {}
    """Prompt texts that replace the shipped ones, by name."""


class PhaseStarted(Event, type="phase_started", context="grows", durable=False):
    """A phase of the agenda began."""

    phase: str
    round: int = 1
    """1, and one more each time an ended session is continued."""
    lap: int = 1
    """How often this phase has begun in this round, this time included."""
    why: str = ""
    """Why the previous phase ended: a `SessionEnded.reason`, `lap` if the agenda goes back to one, or `extended`."""


class MemberChanged(Event, type="member_changed", context="begins anew", beside=True, people=("by",)):
    """A member was muted, unmuted, added, replaced or removed."""

    who: str
    change: Literal["muted", "unmuted", "added", "replaced", "removed"]
    persona: Persona | None = None
    """The persona that was added, or that takes over the seat."""
    by: str = ""


class MemoryCorrected(Event, type="memory_corrected", context="begins anew", beside=True, people=("by",)):
    """A person struck or reworded an item of memory, or put other words beside those that a ballot adopted."""

    item: str
    """Id of a proposal, decision or note."""
    was: str
    """The item's text. It identifies the item if better patterns give it another id."""
    text: str = ""
    """The new wording; empty if the item was struck."""
    by: str
    after: int = 0
    """Number of the last message that had been posted."""
    version: str = ""
    """Id of the text that the correction is, beside the one that a ballot adopted; empty where it rewords the item."""


class DecisionFollowedUp(Event, type="decision_followed_up", beside=True, people=("owner", "by")):
    """A person wrote down who owns the decision, when to look at it again, or what came of it."""

    owner: str = Field(default="", max_length=120)
    """What holds from here on, so for each; empty where there is none."""
    revisit: date | None = None
    outcome: str = Field(default="", max_length=2000)
    by: str = Field(max_length=120)


class SettingChanged(Event, type="setting_changed", context="begins anew", in_full=True, beside=True):
    """The settings were changed."""

    settings: Settings
    """All settings that hold from here on."""


class SessionPaused(Event, type="session_paused"):
    """The debate stopped at a place from which it can be resumed."""

    reason: PauseReason
    by: str = ""
    """The person who wants the pause."""
    error: str = ""
    """What no call will succeed for; in older sessions, where `reason` is `words`, the whole reason."""

    @property
    def why(self) -> str:
        """The error, else the reason."""
        return self.error or self.reason


class SessionResumed(Event, type="session_resumed"):
    """A paused or ended debate was resumed."""

    runner: str = ""
    """The runner that answers from here on; empty where it is the one before."""


class SessionEnded(Event, type="session_ended"):
    """The agenda was completed, or a stop condition held."""

    reason: str
    """Of a stop condition (see `eda.debate.floor.stop`), or `person`. Imported and older sessions may hold others."""
