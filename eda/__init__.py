"""A panel of personas deliberates over an event bus, remembers, and shows its work.

Names are imported when they are first used, so that `eda --help` need not wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.bus import MessageBus as MessageBus
    from eda.debate.ask import SideReply as SideReply
    from eda.debate.ask import ask as ask
    from eda.debate.ask import ask_sync as ask_sync
    from eda.debate.debate import Debate as Debate
    from eda.debate.hinges import Stress as Stress
    from eda.debate.listener import AgentListener as AgentListener
    from eda.debate.prepared import prepared as prepared
    from eda.debate.replay import memory_of as memory_of
    from eda.debate.replay import progress_of as progress_of
    from eda.debate.result import Result as Result
    from eda.debate.stress import stress as stress
    from eda.debate.verdict import votes_of as votes_of
    from eda.errors import EdaError as EdaError
    from eda.errors import RunnerError as RunnerError
    from eda.errors import RunnerUnavailableError as RunnerUnavailableError
    from eda.events import ActsRead as ActsRead
    from eda.events import Ballot as Ballot
    from eda.events import BallotCast as BallotCast
    from eda.events import BidsTaken as BidsTaken
    from eda.events import CallMade as CallMade
    from eda.events import DecisionFound as DecisionFound
    from eda.events import Event as Event
    from eda.events import EvidenceFound as EvidenceFound
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
    from eda.events.acts import Act as Act
    from eda.events.acts import Unresolved as Unresolved
    from eda.events.records import AgentState as AgentState
    from eda.events.records import Decision as Decision
    from eda.events.records import MemoryStats as MemoryStats
    from eda.events.records import Motion as Motion
    from eda.events.records import Position as Position
    from eda.events.records import Proposal as Proposal
    from eda.events.records import Reaction as Reaction
    from eda.events.records import Summary as Summary
    from eda.memory import ConversationMemory as ConversationMemory
    from eda.memory.minutes.remarks import RemarkRead as RemarkRead
    from eda.memory.minutes.remarks import read_remark as read_remark
    from eda.memory.patterns import Pattern as Pattern
    from eda.memory.patterns import PatternPack as PatternPack
    from eda.memory.patterns import default_pack as default_pack
    from eda.memory.patterns.conditions import ConditionRead as ConditionRead
    from eda.memory.patterns.conditions import read_condition as read_condition
    from eda.panels.agenda import Agenda as Agenda
    from eda.panels.agenda import Phase as Phase
    from eda.panels.agenda import load_agenda as load_agenda
    from eda.panels.documents.document import Document as Document
    from eda.panels.documents.read import read_document as read_document
    from eda.panels.documents.read import read_documents as read_documents
    from eda.panels.panel import Library as Library
    from eda.panels.panel import Panel as Panel
    from eda.panels.persona import Persona as Persona
    from eda.panels.request import DebateRequest as DebateRequest
    from eda.panels.settings import Settings as Settings
    from eda.report.check import check_sentence as check_sentence
    from eda.report.effect import Helped as Helped
    from eda.report.effect import helped as helped
    from eda.report.write import write_report as write_report
    from eda.runners.human import HumanRunner as HumanRunner
    from eda.runners.protocol import OnText as OnText
    from eda.runners.protocol import Prompt as Prompt
    from eda.runners.protocol import Reply as Reply
    from eda.runners.protocol import Runner as Runner
    from eda.runners.protocol import Usage as Usage
    from eda.runners.scripted import ScriptedRunner as ScriptedRunner
    from eda.session import Session as Session
    from eda.transcripts.analysis import analyze as analyze
    from eda.transcripts.kind import Row as Row
    from eda.voting import compare as compare
    from eda.voting.ballot_reader import BallotRead as BallotRead
    from eda.voting.ballot_reader import read_ballot as read_ballot

__version__ = "0.1.0"

_NAMES = {
    "eda.bus": "MessageBus",
    "eda.debate.ask": "SideReply ask ask_sync",
    "eda.debate.debate": "Debate",
    "eda.debate.listener": "AgentListener",
    "eda.debate.prepared": "prepared",
    "eda.debate.replay": "memory_of progress_of",
    "eda.debate.result": "Result",
    "eda.transcripts.analysis": "analyze",
    "eda.transcripts.kind": "Row",
    "eda.debate.hinges": "Stress",
    "eda.debate.stress": "stress",
    "eda.debate.verdict": "votes_of",
    "eda.errors": "EdaError RunnerError RunnerUnavailableError",
    "eda.events": "ActsRead Ballot BallotCast BidsTaken CallMade DecisionFound Event EvidenceFound FloorGranted "
    "MessagePosted PhaseStarted ProposalMade ReactionSeen SessionEnded StanceTaken SubscriberFailed "
    "SummaryWritten TextStreamed TurnFailed TurnPassed VerdictReached",
    "eda.events.records": "AgentState Decision MemoryStats Motion Position Proposal Reaction Summary",
    "eda.events.acts": "Act Unresolved",
    "eda.memory": "ConversationMemory",
    "eda.memory.minutes.remarks": "RemarkRead read_remark",
    "eda.memory.patterns": "Pattern PatternPack default_pack",
    "eda.memory.patterns.conditions": "ConditionRead read_condition",
    "eda.panels.agenda": "Agenda Phase load_agenda",
    "eda.panels.documents.document": "Document",
    "eda.panels.documents.read": "read_document read_documents",
    "eda.panels.panel": "Library Panel",
    "eda.panels.persona": "Persona",
    "eda.panels.request": "DebateRequest",
    "eda.panels.settings": "Settings",
    "eda.report.check": "check_sentence",
    "eda.report.effect": "Helped helped",
    "eda.report.write": "write_report",
    "eda.runners.human": "HumanRunner",
    "eda.runners.protocol": "OnText Prompt Reply Runner Usage",
    "eda.runners.scripted": "ScriptedRunner",
    "eda.session": "Session",
    "eda.voting": "compare",
    "eda.voting.ballot_reader": "BallotRead read_ballot",
}
"""The names that the package has, by the module that defines them."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(["__version__", *_HOMES])  # noqa: PLE0605 - the names are data


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'eda' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
