"""The two seams of the engine: a `Runner` answers prompts, a `Log` keeps facts. Anything with these methods will do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from eda.agenda import Stage
from eda.events import Event
from eda.personas import Persona
from eda.records import Document, Proposal

__all__ = ["CallKey", "Line", "Log", "OnText", "Prompt", "Purpose", "Reply", "Runner", "Usage"]

Purpose = Literal["speak", "bid", "moderate", "summarise", "poll", "ballot", "report", "baseline", "ask", "comment"]

OnText = Callable[[str], None]
"""Called with each piece of text as it is written."""

CallKey = tuple[str, str, int, int]
"""Purpose, agent, last message, attempt: names a call within a session, whatever its prompt says."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message as the panel sees it: no move lines."""

    number: int
    who: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a runner: the words to send, and beside them the facts that the words were made of.

    A model needs `system`, `shared`, `held` and `own`; `text` is all four. The other fields serve runners that are no
    language model (simulated, scripted, a person).
    """

    purpose: Purpose
    agent: str = ""
    """The title of the member who is asked; empty where the engine asks for itself."""
    last: int = 0
    """The number of the last message that the panel has heard."""
    attempt: int = 1
    seed: int = 0
    phase: str = ""
    stage: Stage = "opening"
    """Where in the debate that phase stands."""
    side: str = ""
    """The side that the member speaks for; empty where it speaks for itself."""
    noun: str = ""
    """What is proposed, in the agenda's word: `finding`, `idea`; empty for a choice."""
    question: str = ""
    options: tuple[str, ...] = ()
    """The choices on the table; of a ballot, what can be voted for."""
    persona: Persona | None = None
    members: tuple[str, ...] = ()
    """Titles in seat order."""
    asked: tuple[Persona, ...] = ()
    """The members who are asked together, by one call that answers for each of them; see `each`."""
    documents: tuple[Document, ...] = ()
    lines: tuple[Line, ...] = ()
    """The messages shown, oldest first."""
    proposals: tuple[Proposal, ...] = ()
    """The active ones."""
    positions: Mapping[str, str] = field(default_factory=dict)
    """The last position of each member who voiced one, by title."""
    about: str = ""
    """The question asked aside, or what is to be commented on."""
    system: str = ""
    """The rules: of the house, or of asking for the floor; the same for all, through the whole session or phase."""
    shared: tuple[str, ...] = ()
    """Question, context files, summaries, transcript: the same for all, growing at its end."""
    held: tuple[str, ...] = ()
    """What memory holds, the same for all who are asked this side by side; empty where one is asked alone."""
    own: str = ""
    """What differs: what memory holds, the persona, the instruction."""
    answer: type[BaseModel] | None = None
    """The shape of the answer; None where prose is wanted."""

    @property
    def key(self) -> CallKey:
        """The call's name within its session."""
        return (self.purpose, self.agent, self.last, self.attempt)

    @property
    def each(self) -> tuple[Prompt, ...]:
        """Where members are asked together: the same prompt for one after the other."""
        return tuple(replace(self, agent=one.title, persona=one, asked=()) for one in self.asked)

    @property
    def text(self) -> str:
        """Everything that is sent, in order."""
        return "\n\n".join(part for part in (self.system, *self.shared, *self.held, self.own) if part)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took."""

    input_tokens: int = 0
    """Not counting what was read from or written to a cache."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None where the model's price is unknown."""

    @property
    def prompt_tokens(self) -> int:
        """The whole input, cached or not."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.prompt_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Reply:
    """A runner's answer."""

    text: str
    data: Mapping[str, Any] | None = None
    """The structured answer, where one was asked for and the runner has it apart from the text."""
    usage: Usage = Usage()
    model: str = ""


@runtime_checkable
class Runner(Protocol):
    """Answers prompts.

    Three attributes are looked at where a runner has them. `deterministic` (default False): the reply depends on
    nothing but the prompt. `summarises` (default True): it can sum up; where False, memory extracts.
    `spec` (default: the class's name): what names it in a session, so that a resume can make it again. So are two
    methods: `prepare()`, awaited before the first fact, and `close()`, awaited by the debate that made the runner.
    Errors: raise `RunnerError` for a failed call, `RunnerUnavailableError` where no call will succeed.
    """

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt, calling `on_text` with pieces of the text as they come, if it can."""
        ...


class Log(Protocol):
    """An append-only list of facts. What `append` returned from is kept."""

    @property
    def last_seq(self) -> int:
        """The `seq` of the last fact; 0 where there is none."""
        ...

    def append(self, events: Sequence[Event], *, durable: bool) -> None:
        """Keep a group of stamped facts, all or none; `durable`: also through a loss of power."""
        ...

    def read(self, after: int = 0) -> Iterator[Event]:
        """The facts with `seq` greater than `after`, in order."""
        ...

    def close(self) -> None:
        """Let go of what is held. Appending afterwards is an error."""
        ...
