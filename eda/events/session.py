"""Facts about the session: what it was given, where its agenda stands, who sits, what a person changed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from eda.agenda import Agenda, panel_agenda
from eda.events.base import Event
from eda.personas import Persona
from eda.records import Document
from eda.settings import Settings

__all__ = [
    "SCHEMA_VERSION",
    "EndReason",
    "MemberChanged",
    "MemoryCorrected",
    "PhaseStarted",
    "SessionEnded",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SettingChanged",
]

SCHEMA_VERSION = 3
"""Of the log. 2 added side messages, notes, passed turns and minutes; 3 agendas, stances, full ballots, corrections,
changes of members, baselines and reports. What an older log lacks has its default."""


class SessionStarted(Event):
    """Everything that a resume needs to run the debate the same way."""

    type: Literal["session_started"] = "session_started"
    schema_version: int = SCHEMA_VERSION
    session: str
    kind: Literal["debate", "transcript"] = "debate"
    question: str = ""
    options: tuple[str, ...] = ()
    panel: str = ""
    """The name of the panel, empty where the members were named one by one."""
    members: tuple[Persona, ...] = ()
    """In seat order, in full."""
    documents: tuple[Document, ...] = ()
    settings: Settings = Settings()
    seed: int = 0
    runner: str = ""
    """What makes it again (`simulated`, `anthropic:SPEAK+CHEAP`, see `runners.spec`), or the class of an own one."""
    patterns: str = ""
    """Fingerprint of the pattern pack."""
    agenda: Agenda = Field(default_factory=panel_agenda)
    """In full, so that a resume walks the one it began with."""
    prompts: dict[str, str] = {}
    """Prompt texts that replace the shipped ones, by name."""


class PhaseStarted(Event):
    """The agenda moved on."""

    type: Literal["phase_started"] = "phase_started"
    phase: str
    round: int = 1
    """1, and one more each time that an ended session is taken up again."""
    lap: int = 1
    """How often the phase was come to in this round."""
    why: str = ""
    """What ended the phase before: an `EndReason`, `lap` where it is gone through again, or `extended`."""


class MemberChanged(Event):
    """Somebody came, went, or may not speak for now."""

    type: Literal["member_changed"] = "member_changed"
    who: str
    change: Literal["muted", "unmuted", "added", "replaced", "removed"]
    persona: Persona | None = None
    """Of who was added, or takes the seat."""
    by: str = ""


class MemoryCorrected(Event):
    """A person struck or reworded something that memory holds."""

    type: Literal["memory_corrected"] = "memory_corrected"
    item: str
    """Its id: of a proposal, a decision or a note."""
    was: str
    """Its text, by which it is known again where better patterns number it otherwise."""
    text: str = ""
    """As it should read; empty where it was struck."""
    by: str
    after: int = 0
    """The last message that had been posted."""


class SettingChanged(Event):
    """The settings that hold from here on."""

    type: Literal["setting_changed"] = "setting_changed"
    settings: Settings


class SessionPaused(Event):
    """The debate stopped where it can be taken up again."""

    type: Literal["session_paused"] = "session_paused"
    reason: str


class SessionResumed(Event):
    """The debate was taken up again."""

    type: Literal["session_resumed"] = "session_resumed"


EndReason = Literal["consensus", "done", "silence", "circle", "messages", "tokens", "money", "time", "person", "errors"]
"""What ended the talk."""


class SessionEnded(Event):
    """The agenda is done, or a stop condition held."""

    type: Literal["session_ended"] = "session_ended"
    reason: str
    """An `EndReason`; of another session, imported or older, its own word."""
