"""The events of a debate, and the records that they carry.

An event is frozen, named in the past tense, and rejects unknown fields.

Only the bus stamps `seq` and `at`. A subclass of `Event` is a fact that the log stores; a subclass of `AnnouncedEvent`
only reaches subscribers. To add an event, define its class in one of these modules and name it in that module's
`__all__`.
"""

# ruff: noqa: F403, F405 - each module says in `__all__` what it exports

from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from eda.events.acts import *
from eda.events.announced import *
from eda.events.base import *
from eda.events.lines import *
from eda.events.messages import *
from eda.events.model_minutes import *
from eda.events.outcome import *
from eda.events.records import (
    TITLE as TITLE,
    AgentState as AgentState,
    ChangeKind as ChangeKind,
    Cited as Cited,
    Consensus as Consensus,
    Decision as Decision,
    DecisionStatus as DecisionStatus,
    Direction as Direction,
    Line as Line,
    MemoryStats as MemoryStats,
    Motion as Motion,
    Move as Move,
    MoveKind as MoveKind,
    Note as Note,
    Position as Position,
    Proposal as Proposal,
    ProposalStatus as ProposalStatus,
    Quote as Quote,
    Reaction as Reaction,
    Recalled as Recalled,
    Source as Source,
    Stance as Stance,
    StanceChange as StanceChange,
    StatusChange as StatusChange,
    Summary as Summary,
    TakenBack as TakenBack,
    own_roots as own_roots,
)
from eda.events.session import *
from eda.events.trials import *
from eda.events.votes import *

STORED_TYPES: tuple[type[Event], ...] = tuple(kind for kind in Event.__subclasses__() if kind.stored)
"""Every class that the log stores."""

EVENT_TYPES: tuple[type[Event], ...] = (*STORED_TYPES, *AnnouncedEvent.__subclasses__())
"""Every class that a subscriber can name, apart from `Event` and `AnnouncedEvent`."""

stored_event: TypeAdapter[Event] = TypeAdapter(
    Annotated[reduce(or_, STORED_TYPES), Field(discriminator="type")],  # type: ignore[arg-type] # a union built at run time
    config=ConfigDict(defer_build=True),
)
"""Reads one stored event from JSON or from a dict, choosing the class by `type`."""
