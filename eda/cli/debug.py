"""The debug log: why each member had the floor, what each prompt was made of, how each reply and target was read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from eda.cli.common import say
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.debate.budget import on_call
from eda.debate.debate import Debate
from eda.debate.floor.stop import may_speak
from eda.errors import UsageError
from eda.events import (
    ActsRead,
    BidsTaken,
    CallMade,
    DecisionFound,
    Event,
    FloorGranted,
    MessagePosted,
    ProposalMade,
    ReactionSeen,
    SessionStarted,
    TextStreamed,
)
from eda.events.records import Reaction
from eda.memory.context.act_words import act_line, unread_words
from eda.panels.files import own_mode
from eda.report.formatting import clean, listed, one_line
from eda.runners.protocol import Prompt, Reply
from eda.runners.providers import key_names

_MARK = b"EDA debug log\n"
"""The first line of every such file; a file without it is somebody's own and is left alone."""
_HEADING = re.compile(r"^#{1,2} (.+)$", re.MULTILINE)


class DebugLog:
    """A file that explains one session, or several; a session that is resumed goes on at its end."""

    def __init__(self, path: Path) -> None:
        """Open the file, for its owner alone.

        Raises:
            UsageError: it is no debug log, or cannot be written.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(path, flags, own_mode())
        except OSError as error:
            reason = error.strerror or str(error)
            raise UsageError(
                f"{path}: cannot be written ({reason})", hint="Name another file: --debug FILE."
            ) from error
        self._file = os.fdopen(descriptor, "r+b", buffering=0)
        stat = os.fstat(descriptor)
        if not S_ISREG(stat.st_mode) or (stat.st_size and os.pread(descriptor, len(_MARK), 0) != _MARK):
            self._file.close()
            raise UsageError(f"{path} exists and is no debug log", hint="Name a new file: --debug FILE.")
        Path(path).chmod(own_mode())
        if not stat.st_size:
            self._file.write(_MARK)
        self._keys = [key for name in key_names() if (key := os.environ.get(name, "").strip())]

    @contextmanager
    def explaining(self, debate: Debate) -> Iterator[None]:
        """Explain this debate while the context is open; then close the file."""
        self._debate = debate
        self._context = Context(debate.progress.settings)
        self._eligible: list[str] = []
        """Who may have the floor next."""
        self._write(f"\n{datetime.now(UTC):%Y-%m-%d} session {one_line(debate.session.name)}")
        debate.bus.subscribe(Event, self._handle, name="debug log")
        token = on_call.set(self._called)
        try:
            with self._file:
                yield
        finally:
            on_call.reset(token)

    def _write(self, text: str) -> None:
        for key in self._keys:
            text = text.replace(key, "(key)")
        self._file.write(f"{text}\n".encode("utf-8", "replace"))

    def _line(self, kind: str, text: str) -> None:
        first, *more = clean(text).split("\n")
        self._write(
            "\n".join((f"{datetime.now(UTC):%H:%M:%S} {kind:<8} {first}", *(f"{'':18}{line}" for line in more)))
        )

    def _handle(self, event: Event) -> None:
        for kind, text in self._explained(event):
            self._line(kind, text)
        state = self._debate.progress
        if event.stored and state.grant is None:
            self._eligible = may_speak(state, state.active) if state.does.open else []

    def _explained(self, event: Event) -> Iterator[tuple[str, str]]:
        memory = self._debate.memory
        match event:
            case TextStreamed() | CallMade():
                return
            case SessionStarted():
                yield "session", f"{event.question}; runner {event.runner}, seed {event.seed}"
            case BidsTaken():
                bids = [
                    f"{bid.agent} {f'{bid.urgency:.2f}' if bid.wants else 'passes'}: {one_line(bid.reason)}"
                    for bid in event.bids
                ]
                yield "floor", "\n".join((say("debug-may-speak", names=self._eligible), *bids))
            case FloorGranted():
                eligible = f"; may speak: {listed(self._eligible)}" if self._eligible else ""
                yield "floor", f"granted to {event.agent}: {event.reason}{eligible}"
            case MessagePosted():
                yield from self._message(event)
            case ActsRead():
                yield "acts", "\n".join((f"m{event.message} {event.who}", *map(act_line, event.acts)))
            case ReactionSeen():
                yield "target", _resolved(event.reaction)
            case ProposalMade(proposal=item) | DecisionFound(decision=item):
                yield "target", memory.explain(item.id)
            case _:
                for entry in self._context.entries(event):
                    yield "event", "\n".join(plain_lines(entry))

    def _message(self, event: MessagePosted) -> Iterator[tuple[str, str]]:
        """How a reply was read: what of it is a move, what was left out, and what names nothing that exists."""
        left_out = [
            f"[{move.kind.upper()}{f' {move.target}' if move.target else ''}] {one_line(move.text)}"
            for move in event.moves
        ]
        if event.puppets:
            left_out.append(say("debug-puppets", names=event.puppets))
        if event.unknown_tags:
            left_out.append(say("debug-unread-tags", tags=event.unknown_tags))
        told = say(
            "debug-characters", number=event.number, who=event.who, characters=len(event.text), talk=len(event.talk)
        )
        yield "reading", "\n".join((told, *left_out))
        for each in self._debate.memory.unresolved:
            if each.message == event.number:
                named, why = f" {each.target}" if each.target else "", unread_words(each.why)
                yield (
                    "target",
                    f"m{each.message} {each.agent}: {each.kind}{named} is unresolved: {why}",
                )

    def _called(self, prompt: Prompt, came: Reply | BaseException, _began: int) -> None:
        """Write what a call was given, part by part in characters, and what came of it."""
        who = f"{prompt.purpose} {prompt.agent or listed(one.title for one in prompt.asked)}".strip()
        again = f", asked again: {prompt.wrong}" if prompt.wrong else ""
        parts = [f"{len(text):>8,}  {part}" for part, text in _parts(prompt)]
        self._line("prompt", "\n".join((f"{who} #{prompt.nth}, {len(prompt.text):,} characters{again}", *parts)))
        if isinstance(came, Reply):
            usage = came.usage
            length = say(
                "debug-reply", characters=len(came.text), input=usage.prompt_tokens, output=usage.output_tokens
            )
            self._line("reply", f"{who} #{prompt.nth}: {length}")
        else:
            self._line("reply", f"{who} #{prompt.nth}: none, {str(came) or type(came).__name__}")


def _resolved(reaction: Reaction) -> str:
    about = reaction.to or (f"m{reaction.answered}" if reaction.answered else "nothing that can be told")
    how = f"resolved by {reaction.link} ({reaction.score:.2f})" if reaction.link else "unresolved"
    read = f"pattern {reaction.pattern}" if reaction.pattern else reaction.source
    return f"m{reaction.message} {reaction.agent}: {reaction.reaction} {about}, {how}, read by {read}"


def _parts(prompt: Prompt) -> Iterator[tuple[str, str]]:
    """Yield the parts of a prompt in order, each with its name: that of its heading, or of where it stands."""
    blocks = [("system", prompt.system), *(("shared", text) for text in prompt.shared)]
    blocks += [*(("shared by all who are asked", text) for text in prompt.held), ("own", prompt.own)]
    for where, text in blocks:
        begins = [match.start() for match in _HEADING.finditer(text)]
        for start, end in zip((0, *begins), (*begins, len(text)), strict=True):
            if text[start:end].strip():
                heading = _HEADING.match(text, start)
                yield f"{where}: {one_line(heading[1])}" if heading else where, text[start:end]
