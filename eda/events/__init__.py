"""The events of a debate. An event is frozen, named in the past tense, and rejects unknown fields.

Only the bus stamps `seq` and `at`. A subclass of `Event` is a fact that the log stores; a subclass of `AnnouncedEvent`
only reaches subscribers. To add an event, define its class in one of these modules and name it in that module's
`__all__`.
"""

# ruff: noqa: F403 - each module says in `__all__` what it exports

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from eda.events.announced import *
from eda.events.base import AnnouncedEvent as AnnouncedEvent, Event as Event
from eda.events.lines import *
from eda.events.messages import *
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
