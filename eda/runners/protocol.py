"""The `Runner` protocol: a runner answers a `Prompt` with a `Reply`. Any object with its one method will do."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from eda.errors import UsageError
from eda.events import BallotText, Line, Proposal
from eda.panels.agenda import Stage
from eda.panels.documents.document import Document
from eda.panels.persona import Persona

Purpose = Literal[
    "speak",
    "bid",
    "moderate",
    "summarise",
    "poll",
    "ballot",
    "report",
    "baseline",
    "ask",
    "tool",
    "read",
    "terms",
    "declare",
    "offer",
]

OnText = Callable[[str], None]
"""Called with each piece of text as it is written."""

CallKey = tuple[str, str, int]
"""Purpose, agent, number: the name of a call within its session, whatever its prompt says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a runner: the text to send, and beside it the facts that the text was made of.

    A model needs `system`, `shared`, `held` and `own`; `text` is all four. The other fields serve runners that are not
    language models (simulated, scripted, a person).
    """

    purpose: Purpose
    agent: str = ""
    """The title of the member asked; empty if the engine asks for itself."""
    last: int = 0
    """The number of the last message that the panel has heard."""
    nth: int = 1
    """The number of the call among those of its purpose and member in the session."""
    attempt: int = 1
    """2 and more where the member is asked once more in the same turn."""
    wrong: str = ""
    """What was wrong with the answer before, where the member is asked once more for one that can be read."""
    seed: int = 0
    phase: str = ""
    stage: Stage = "opening"
    """The stage of the debate that the phase belongs to."""
    side: str = ""
    """The side that the member speaks for; empty if it speaks for itself."""
    noun: str = ""
    """The agenda's word for what is proposed: `finding`, `idea`; empty for a choice."""
    day: str = ""
    """The date that members are told; empty if they are told none."""
    terms: bool = False
    """Whether members of this debate are asked what would bring them in for the leading text."""
    question: str = ""
    options: tuple[str, ...] = ()
    """The choices on the table; in a ballot, the words of the texts that can be voted for."""
    texts: tuple[BallotText, ...] = ()
    """In a ballot or poll, the same texts with their ids; else empty."""
    persona: Persona | None = None
    members: tuple[str, ...] = ()
    """Titles in seat order."""
    asked: tuple[Persona, ...] = ()
    """The members asked together, in one call that answers for each of them; see `each`."""
    serves: int = 1
    """The most turns that are granted by the answer to a bid."""
    documents: tuple[Document, ...] = ()
    lines: tuple[Line, ...] = ()
    """The messages shown, oldest first."""
    proposals: tuple[Proposal, ...] = ()
    """The open proposals."""
    positions: Mapping[str, str] = field(default_factory=dict)
    """The last position of each member who voiced one, by title."""
    about: str = ""
    """The question asked aside."""
    system: str = ""
    """The house rules: the same for all calls."""
    shared: tuple[str, ...] = ()
    """Question, context files, summaries, table, transcript: the same for all calls, growing at the end."""
    ends: tuple[int, ...] = ()
    """How many parts of `shared` change never, and how many seldom: a provider's cache keeps each such beginning."""
    held: tuple[str, ...] = ()
    """Memory sections shared by all members asked in the same batch; empty for a single call."""
    own: str = ""
    """The part that differs by member: memory sections, persona, instruction."""
    task: str = ""
    """The end of `own`, where a member is asked as itself: the instruction."""
    answer: type[BaseModel] | None = None
    """The schema of the answer; None for prose."""
    strict: Mapping[str, Any] | None = None
    """The same as a JSON schema that enumerates what can be answered, for a server that holds a model to one; None
    where there is none. An empty one: the form is asked for in words alone."""

    @property
    def votes(self) -> bool:
        """Whether it asks for a vote, or for a position in a poll."""
        return self.purpose in ("ballot", "poll")

    @property
    def key(self) -> CallKey:
        """The name of the call within its session."""
        return (self.purpose, self.agent, self.nth)

    @property
    def each(self) -> "tuple[Prompt, ...]":
        """The same prompt for each member, if several are asked together."""
        return tuple(replace(self, agent=one.title, persona=one, asked=()) for one in self.asked)

    def once_more(self, remark: str) -> "Prompt":
        """Return the same prompt for a second call, with a remark on the first reply at its end."""
        return replace(self, nth=self.nth + 1, attempt=self.attempt + 1, own=f"{self.own}\n\n{remark}")

    @property
    def text(self) -> str:
        """All text that is sent, in order."""
        return "\n\n".join(part for part in (self.system, *self.shared, *self.held, self.own) if part)


_hashed: tuple[tuple[str, ...], Any] = ((), sha256())  # What the last prompt shared, and the hash of that.


def digest(prompt: Prompt) -> str:
    """Return the SHA-256 of the text; what it shares with the prompt before is not hashed again."""
    global _hashed
    shared, own = tuple(filter(None, (prompt.system, *prompt.shared))), filter(None, (*prompt.held, prompt.own))
    known, sha = _hashed if shared[: len(_hashed[0])] == _hashed[0] else ((), sha256())
    sha = sha.copy()
    sha.update(_joined(shared[len(known) :], after=bool(known)))
    _hashed, sha = (shared, sha), sha.copy()
    sha.update(_joined(own, after=bool(shared)))
    return str(sha.hexdigest())


def _joined(parts: Iterable[str], *, after: bool) -> bytes:
    return "\n\n".join([*[""] * after, *parts]).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of a call."""

    input_tokens: int = 0
    """Without tokens read from or written to a cache."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None if the model's price is unknown."""
    greetings: int = 0
    """Calls in it that asked a server whose answer was none whether it answers at all."""

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
    """The structured answer, if one was asked for and the runner has it apart from the text."""
    usage: Usage = Usage()
    model: str = ""
    answered: str = ""
    """The model that the server says has answered; empty where it does not say."""
    live: str = ""
    """Why a replay asked its other runner, in the first reply of that one."""
    provider: str = ""
    """The name of the member's own runner, where that one answered; else empty."""
    refused: tuple[str, ...] = ()
    """What a program that answered asked leave for, and was refused."""


@runtime_checkable
class Runner(Protocol):
    """Answers prompts.

    Four attributes are optional. `deterministic` (default False): the reply depends on nothing but the prompt.
    `summarises` (default True): it can write summaries; if False, memory extracts them. `declares`
    (default True): a member whose messages declare nothing is asked what it holds. `spec` (default: the class's
    name): its name in a session, so that a resume can make it again. Two methods are optional: `prepare()`, awaited
    before the first fact, and `close()`, awaited by the debate that made the runner. Raise `RunnerError` for a call
    that was answered, but not usably, such as a refusal: it costs the turn. Raise `RunnerUnavailableError` for one that
    nobody answered: the debate pauses.
    """

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Answer one prompt; call `on_text` with pieces of the text as they come, if possible."""
        ...


def bids_of(prompt: Prompt, bid: Callable[[Prompt], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what `bid` answers for the member asked, or for each where one prompt asks several."""
    return {"bids": [{"agent": one.agent, **bid(one)} for one in prompt.each]} if prompt.asked else bid(prompt)


def spec_of(runner: Runner) -> str:
    """Return the name of a runner in a session: its spec as it is now, else the name of its class."""
    return getattr(runner, "spec", type(runner).__name__)


class Wrapper:
    """A runner around another one, which answers for whatever this one does not say itself."""

    inner: Runner

    @property
    def spec(self) -> str:
        """The inner runner's spec as it is now: some find out later which model they ask."""
        return spec_of(self.inner)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "inner" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.inner, name)


def within(runner: Runner | None) -> Iterator[Runner]:
    """Yield a runner and each that it wraps, from the outermost."""
    while runner is not None:
        yield runner
        runner = getattr(runner, "inner", None)


def innermost(runner: Runner) -> Runner:
    """Return the runner that is asked in the end, where one records or replays its calls."""
    return [*within(runner)][-1]


async def close_runner(runner: Runner) -> None:
    """Close the connections of a runner, or of the runner that it records."""
    close = getattr(innermost(runner), "close", None)
    if close is not None:
        await close()


@asynccontextmanager
async def closing(runner: Runner | None) -> AsyncIterator[None]:
    """Close a runner when the block ends; do nothing for None."""
    try:
        yield
    finally:
        if runner is not None:
            await close_runner(runner)


def checked_reply(reply: object) -> Reply:
    """Return what a runner answered.

    Raises:
        UsageError: it is no `Reply`.
    """
    if not isinstance(reply, Reply):
        raise UsageError(f"a runner answered with {type(reply).__name__}", hint='Have it return Reply("...").')
    return reply
