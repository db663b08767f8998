"""A panel of personas deliberates over an event bus, remembers, and shows its work.

Names are imported when they are first used, so that `eda --help` need not wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.agenda import Agenda as Agenda
    from eda.agenda import Phase as Phase
    from eda.agenda import load_agenda as load_agenda
    from eda.aside import SideReply as SideReply
    from eda.aside import ask as ask
    from eda.aside import ask_sync as ask_sync
    from eda.bus import MessageBus as MessageBus
    from eda.debate import Debate as Debate
    from eda.debate import Result as Result
    from eda.documents import read_document as read_document
    from eda.effect import Helped as Helped
    from eda.effect import helped as helped
    from eda.errors import EdaError as EdaError
    from eda.errors import RunnerError as RunnerError
    from eda.errors import RunnerUnavailableError as RunnerUnavailableError
    from eda.events import Ballot as Ballot
    from eda.events import BallotCast as BallotCast
    from eda.events import BidsTaken as BidsTaken
    from eda.events import CallMade as CallMade
    from eda.events import DecisionFound as DecisionFound
    from eda.events import Event as Event
    from eda.events import FloorGranted as FloorGranted
    from eda.events import MessagePosted as MessagePosted
    from eda.events import PhaseStarted as PhaseStarted
    from eda.events import ProposalMade as ProposalMade
    from eda.events import ReactionSeen as ReactionSeen
    from eda.events import SessionEnded as SessionEnded
    from eda.events import StanceTaken as StanceTaken
    from eda.events import SubscriberFailed as SubscriberFailed
    from eda.events import SummaryWritten as SummaryWritten
    from eda.events import TextStreamed as TextStreamed
    from eda.events import TurnFailed as TurnFailed
    from eda.events import TurnPassed as TurnPassed
    from eda.events import VerdictReached as VerdictReached
    from eda.listener import AgentListener as AgentListener
    from eda.memory import ConversationMemory as ConversationMemory
    from eda.panels import Library as Library
    from eda.panels import Panel as Panel
    from eda.patterns import Pattern as Pattern
    from eda.patterns import PatternPack as PatternPack
    from eda.patterns import default_pack as default_pack
    from eda.personas import Persona as Persona
    from eda.protocols import OnText as OnText
    from eda.protocols import Prompt as Prompt
    from eda.protocols import Reply as Reply
    from eda.protocols import Runner as Runner
    from eda.protocols import Usage as Usage
    from eda.records import Document as Document
    from eda.recount import votes_of as votes_of
    from eda.replay import memory_of as memory_of
    from eda.replay import progress_of as progress_of
    from eda.runners.human import HumanRunner as HumanRunner
    from eda.runners.scripted import ScriptedRunner as ScriptedRunner
    from eda.session import Session as Session
    from eda.settings import Settings as Settings
    from eda.transcripts import Row as Row
    from eda.transcripts import analyze as analyze
    from eda.view.written import write_report as write_report
    from eda.voting import compare as compare

__version__ = "0.1.0"

_HOMES = {
    "Agenda": "eda.agenda",
    "AgentListener": "eda.listener",
    "Ballot": "eda.events",
    "BallotCast": "eda.events",
    "BidsTaken": "eda.events",
    "CallMade": "eda.events",
    "ConversationMemory": "eda.memory",
    "Debate": "eda.debate",
    "DecisionFound": "eda.events",
    "Document": "eda.records",
    "EdaError": "eda.errors",
    "Event": "eda.events",
    "FloorGranted": "eda.events",
    "Helped": "eda.effect",
    "HumanRunner": "eda.runners.human",
    "Library": "eda.panels",
    "MessageBus": "eda.bus",
    "MessagePosted": "eda.events",
    "OnText": "eda.protocols",
    "Panel": "eda.panels",
    "Pattern": "eda.patterns",
    "PatternPack": "eda.patterns",
    "Persona": "eda.personas",
    "Phase": "eda.agenda",
    "PhaseStarted": "eda.events",
    "Prompt": "eda.protocols",
    "ProposalMade": "eda.events",
    "ReactionSeen": "eda.events",
    "Reply": "eda.protocols",
    "Result": "eda.debate",
    "Row": "eda.transcripts",
    "Runner": "eda.protocols",
    "RunnerError": "eda.errors",
    "RunnerUnavailableError": "eda.errors",
    "ScriptedRunner": "eda.runners.scripted",
    "Session": "eda.session",
    "SessionEnded": "eda.events",
    "Settings": "eda.settings",
    "SideReply": "eda.aside",
    "StanceTaken": "eda.events",
    "SubscriberFailed": "eda.events",
    "SummaryWritten": "eda.events",
    "TextStreamed": "eda.events",
    "TurnFailed": "eda.events",
    "TurnPassed": "eda.events",
    "Usage": "eda.protocols",
    "VerdictReached": "eda.events",
    "analyze": "eda.transcripts",
    "ask": "eda.aside",
    "ask_sync": "eda.aside",
    "compare": "eda.voting",
    "default_pack": "eda.patterns",
    "helped": "eda.effect",
    "load_agenda": "eda.agenda",
    "memory_of": "eda.replay",
    "progress_of": "eda.replay",
    "read_document": "eda.documents",
    "votes_of": "eda.recount",
    "write_report": "eda.view.written",
}

__all__ = sorted(["__version__", *_HOMES])  # noqa: PLE0605 - the names are data


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'eda' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
