"""The base classes of all events."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import AwareDatetime

from eda.panels.settings import Frozen

__all__ = ["AnnouncedEvent", "Event", "RecordFact"]


@dataclass(frozen=True, slots=True)
class RecordFact:
    """A fact of the record that a claim was held against."""

    kind: Literal[
        "author", "mover", "deed", "no deed", "origin", "ballot", "votes", "moved", "order", "outcome", "words",
        "quote", "unsaid", "dissent", "no backer", "denied", "claim", "given up", "taken back", "other text",
        "no act", "no question", "beyond", "no such",
    ]  # fmt: skip
    who: tuple[str, ...] = ()
    text: str = ""
    message: int = 0
    deed: str = ""
    number: int = 0
    of: tuple[str, ...] = ()


InContext = Literal["stays", "grows", "begins anew"]


class Event(Frozen):
    """Base class of all events. A direct subclass is a fact: the bus stamps it and the log stores it."""

    stored: ClassVar[bool] = True
    """True if the log stores events of this class."""
    durable: ClassVar[bool] = True
    """False if the event may wait for the next durable write: a resume makes it again after a loss of power."""
    in_full: ClassVar[bool] = False
    """True if the log also writes fields that are at their default, because defaults may differ in a later version."""
    beside: ClassVar[bool] = False
    """True if it takes no time of the debate: it may be made a week after the debate stopped."""
    context: ClassVar[InContext] = "stays"
    """What becomes of the context that members are given: it begins anew where no message tells what has changed."""
    people: ClassVar[tuple[str, ...]] = ()
    """The fields that hold the name of somebody who may be no member; a copy without names gives them another."""

    seq: int = 0
    """Position in the log, from 1; 0 before the bus has stamped the event."""
    at: AwareDatetime | None = None
    """Time in UTC; None before the bus has stamped the event."""
    type: str = ""
    """The name of the class in the log, which each subclass gives in its first line."""

    def __init_subclass__(cls, *, type: str = "", **traits: bool | InContext | tuple[str, ...]) -> None:  # noqa: A002
        """Take what the first line of a subclass gives: the one value of `type`, and which traits it has otherwise."""
        if type:  # before pydantic reads the fields of the class
            cls.__annotations__["type"] = Literal[type]
            cls.type = type
        for name, value in traits.items():
            assert name in Event.__class_vars__, name
            setattr(cls, name, value)


class AnnouncedEvent(Event, stored=False):
    """Base class of events that subscribers receive and no log stores."""
