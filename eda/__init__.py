"""A panel of personas deliberates over an event bus, remembers, and shows its work.

Names are imported when they are first used, so that `eda --help` need not wait for them.
"""

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.bus import MessageBus as MessageBus
    from eda.debate.ask import SideReply as SideReply, ask as ask
    from eda.debate.debate import Debate as Debate
    from eda.debate.hinges import Stress as Stress
    from eda.debate.listener import AgentListener as AgentListener
    from eda.debate.prepared import prepared as prepared
    from eda.debate.replay import memory_of as memory_of, progress_of as progress_of
    from eda.debate.result import Result as Result
    from eda.debate.stress import stress as stress
    from eda.debate.verdict import votes_of as votes_of
    from eda.errors import (
        EdaError as EdaError,
        RunnerError as RunnerError,
        RunnerUnavailableError as RunnerUnavailableError,
    )
    from eda.events import (
        Act as Act,
        ActsRead as ActsRead,
        AgentState as AgentState,
        Ballot as Ballot,
        BallotCast as BallotCast,
        BidsTaken as BidsTaken,
        CallMade as CallMade,
        Decision as Decision,
        DecisionFound as DecisionFound,
        Event as Event,
        EvidenceFound as EvidenceFound,
        FloorGranted as FloorGranted,
        MemoryStats as MemoryStats,
        MessagePosted as MessagePosted,
        Motion as Motion,
        PhaseStarted as PhaseStarted,
        Position as Position,
        Proposal as Proposal,
        ProposalMade as ProposalMade,
        Reaction as Reaction,
        ReactionSeen as ReactionSeen,
        SessionEnded as SessionEnded,
        StanceTaken as StanceTaken,
        SubscriberFailed as SubscriberFailed,
        Summary as Summary,
        SummaryWritten as SummaryWritten,
        TextStreamed as TextStreamed,
        TurnFailed as TurnFailed,
        TurnPassed as TurnPassed,
        Unresolved as Unresolved,
        VerdictReached as VerdictReached,
    )
    from eda.memory import ConversationMemory as ConversationMemory
    from eda.memory.minutes.remarks import RemarkRead as RemarkRead, read_remark as read_remark
    from eda.memory.patterns import Pattern as Pattern, PatternPack as PatternPack, default_pack as default_pack
    from eda.memory.patterns.conditions import ConditionRead as ConditionRead, read_condition as read_condition
    from eda.panels.agenda import Agenda as Agenda, Phase as Phase, load_agenda as load_agenda
    from eda.panels.documents.document import Document as Document
    from eda.panels.documents.read import read_document as read_document, read_documents as read_documents
    from eda.panels.panel import Library as Library, Panel as Panel
    from eda.panels.persona import Persona as Persona
    from eda.panels.request import DebateRequest as DebateRequest
    from eda.panels.settings import Settings as Settings
    from eda.report.check import check_sentence as check_sentence
    from eda.report.effect import Helped as Helped, helped as helped
    from eda.report.write import write_report as write_report
    from eda.runners.human import HumanRunner as HumanRunner
    from eda.runners.protocol import (
        OnText as OnText,
        Prompt as Prompt,
        Reply as Reply,
        Runner as Runner,
        Usage as Usage,
    )
    from eda.runners.scripted import ScriptedRunner as ScriptedRunner
    from eda.session import Session as Session
    from eda.transcripts.analysis import analyze as analyze
    from eda.transcripts.kind import Row as Row
    from eda.voting import compare as compare
    from eda.voting.ballot_reader import BallotRead as BallotRead, read_ballot as read_ballot

__version__ = "0.1.0"

# The names that the package has, by the module that defines them.
_NAMES = {
    "eda.bus": "MessageBus",
    "eda.debate.ask": "SideReply ask",
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
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(["__version__", *_HOMES])  # noqa: PLE0605 - the names are data


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'eda' has no attribute {name!r}")
    collects = gc.isenabled()
    gc.disable()  # to import makes no garbage
    try:
        value = getattr(import_module(_HOMES[name]), name)
    finally:
        if collects:
            gc.enable()
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
