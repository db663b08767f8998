"""Minutes of a recorded conversation that a model takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from eda.debate.prompts.builder import PromptBuilder
from eda.debate.replay import publisher
from eda.debate.state import DebateState
from eda.debate.transcripts.analysis import messages_of, started_of, whole
from eda.debate.transcripts.rows import Row, Rows
from eda.events import MessagePosted, SessionEnded
from eda.memory import ConversationMemory
from eda.memory.patterns import PatternPack, default_pack
from eda.memory.summariser import Summariser
from eda.panels.registry import SUMMARISERS
from eda.panels.settings import Settings
from eda.runners.protocol import Runner, spec_of
from eda.session import Session


async def take_minutes(
    rows: Rows | Iterable[Row | Mapping[str, Any]],
    runner: Runner,
    *,
    options: Sequence[str] = (),
    question: str = "",
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    on_message: Callable[[MessagePosted], object] | None = None,
) -> ConversationMemory:
    """`analyze`, with the summaries and minutes of a model, by the call that debates use: each item quotes a message.

    A call covers `summary_every` messages, the last one the rest. Its facts are stored in the session.

    Raises:
        InputError: as for `analyze`.
        RunnerUnavailableError: no call will succeed before somebody acts.
    """
    messages = rows if isinstance(rows, Rows) else whole(rows)
    patterns = patterns or default_pack()
    session = session or Session.in_memory()
    memory, progress = ConversationMemory(patterns, fact=session.fact), DebateState()
    publish = publisher(session, progress, memory)
    started = started_of(session, messages, (question, options), settings, patterns)
    started = started.model_copy(update={"runner": spec_of(runner)})
    publish(started)
    ask = SUMMARISERS.get("model").asking(PromptBuilder(started, memory, progress), runner)
    summariser = Summariser(memory, publish, style=lambda: started.settings.summary_style, ask=ask)
    for message in messages_of(messages, patterns.language):
        left = len(messages) - memory.covered
        if left <= started.settings.summary_every + 1:  # a last call for one message would see no talk around it
            memory.parts.pending.every = left
        publish(message)
        while await summariser.finish():
            pass
        if on_message is not None:
            on_message(message)
    publish(SessionEnded(reason="transcript"))
    return memory
