"""The people at a table who sit at pages: their seats, the invitations by which they come, and word for them."""

import asyncio
import os
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from eda.debate.seating import is_seat_of
from eda.debate.state import DebateState
from eda.errors import InputError, UsageError
from eda.events import Event, LineAnswered
from eda.memory import ConversationMemory
from eda.panels.files import MAX_BYTES, UserFile
from eda.panels.persona import Persona
from eda.panels.settings import Frozen
from eda.report.say_back import offers, say_back
from eda.runners.human import Ask, HumanRunner
from eda.runners.protocol import Prompt
from eda.session.log import disk_errors
from eda.session.names import SEATS_FILE
from eda.session.store import replace_file
from eda.words import Words, fault

PATIENCE = 300.0
"""Seconds that an invited person has to answer, where nothing else is said."""
# Seconds in which an invited person has to come, or the time for an answer where that is longer; until then no time
# runs.
_ARRIVAL = 600.0
_BITS = 16  # Bytes of a secret: 128 bits.


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who sends a request: the owner of the sessions, or somebody who was invited."""

    owner: bool
    seats: Mapping[str, str] = field(default_factory=dict)
    """The name of their seat in each session to which they were invited."""

    def sees(self, session: str) -> bool:
        """Return whether a session is theirs, or one to which they were invited."""
        return self.owner or session in self.seats


@dataclass(slots=True, eq=False)
class WebSeat:
    """The seat of a person at a page: what it is asked, until it answers."""

    name: str
    seconds: float | None = None
    """The time for an answer; None for no limit."""
    changed: "Callable[[WebSeat], None]" = lambda _: None
    """Called when a question is put, or no longer waits, and when the person comes or leaves."""
    elsewhere: Ask | None = None
    """What asks the person, where they sit at no page but at the terminal."""
    title: str = ""
    """What the person is called at the table: another name where members are anonymous."""
    prompt: Prompt | None = None
    voted: tuple[Prompt, str] | None = None
    """The last ballot or poll that was answered, with what was given; None while another one is asked."""
    # That vote while its voter changes it: it stands until another one is given.
    stands: tuple[Prompt, str] | None = None
    before: tuple[Prompt, str] | None = None
    """The one before: who takes a vote back finds it as it was."""
    until: float | None = None
    """When the time for the answer is up, by `time.monotonic`; None where no time runs."""
    told: int = 0
    """The last question of which the person got word, or which they had before them."""
    asked: int = 0
    """Questions so far: an answer names the one that it is for."""
    pages: int = 0
    """Pages of this person that are open now."""
    _came: asyncio.Event = field(default_factory=asyncio.Event)
    _missed: bool = False
    _answer: asyncio.Future[str] | None = None

    @property
    def runner(self) -> HumanRunner:
        """What asks this person."""
        return HumanRunner(self.ask, seconds=self.seconds, letters=self.elsewhere is not None, wait=self._time)

    def sit(self, members: Iterable[Persona]) -> None:
        """Take the seat that is this person's among `members`."""
        self.title = next((each.title for each in members if each.person and is_seat_of(self.name, each)), self.name)

    def opened(self, pages: int) -> None:
        """Count a page that opens (1) or closes (-1)."""
        before, self.pages = self.pages, max(0, self.pages + pages)
        if self.pages:
            self._came.set()
            self._begin_time()
        if bool(before) != bool(self.pages):
            self.changed(self)

    async def ask(self, prompt: Prompt) -> str:
        """Return what the person answers; empty where it passes."""
        if prompt.purpose == "offer" and self.elsewhere is None:
            return ""  # a page has buttons for it, beside any other question
        self.prompt, self._answer = prompt, asyncio.get_running_loop().create_future()
        if prompt.votes:
            self.before, self.voted = self.voted, None
        self.asked += 1
        self._begin_time()
        self.changed(self)
        try:
            return await self._answer if self.elsewhere is None else await self.elsewhere(prompt)
        finally:
            self.voted, self.stands = (self.voted or self.stands, None) if prompt.votes else (self.voted, self.stands)
            self.prompt = self._answer = self.until = None
            self.changed(self)

    def answer(self, text: str, question: int = 0) -> None:
        """Answer the question that waits; `question` is its number, 0 for any.

        Raises:
            UsageError: none does, or another one.
        """
        if self._answer is None or self._answer.done() or question not in (0, self.asked):
            raise fault("error-waits-no-longer")
        if self.prompt is not None and self.prompt.votes:
            self.voted = self.prompt, text
        self._answer.set_result(text)

    def _begin_time(self) -> None:
        """Note until when an answer can come, once the person is here."""
        if self.prompt is not None and self.until is None and self.seconds is not None and self._came.is_set():
            self.until = monotonic() + self.seconds

    async def _time(self, seconds: float) -> None:
        """Return when the time is up. It runs once the person is here; who never comes is waited for once."""
        if self.elsewhere is None and not self._came.is_set():
            if not self._missed:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._came.wait(), max(_ARRIVAL, seconds))
            self._missed = not self._came.is_set()
            if self._missed:
                return
        await asyncio.sleep(seconds)


def guests_of(names: Sequence[str], seconds: float | None, own: str = "") -> list[WebSeat]:
    """Return the seats of people who were invited, with so many seconds for an answer; None for five minutes.

    Raises:
        UsageError: two of them have one name, or one has the owner's.
    """
    if len({own, *names}) <= len(names):
        raise fault("error-people-alike")
    return [WebSeat(name, seconds or PATIENCE) for name in names]


class Invited(Frozen):
    """An invitation to a seat."""

    invitation: str
    """The hash of its secret."""
    browser: str = ""
    """The hash of the key of the browser that has the seat; empty for none."""
    seconds: float | None = None
    """The time for an answer; None for the usual one."""
    used: bool = False
    """Whether somebody has used the newest invitation."""


_FILE = TypeAdapter(dict[str, Invited])


class Invitations:
    """Who was invited to a session: a file of its folder, which holds hashes of the secrets only."""

    def __init__(self, folder: Path) -> None:
        """Use the folder of a session."""
        self._path = folder / SEATS_FILE

    @property
    def seats(self) -> dict[str, Invited]:
        """Who was invited, by name, in that order.

        Raises:
            InputError: the file is damaged.
        """
        if not self._path.exists():
            return {}
        file = UserFile(self._path, InputError)
        try:
            return _FILE.validate_json(file.raw(MAX_BYTES))
        except ValidationError as error:
            raise file.fault("is damaged", "Remove it, and invite people anew.") from error

    def invite(self, name: str, *, keep: bool = False, seconds: float | None = None) -> str:
        """Return the secret of a new invitation; it ends an older one.

        It also takes the seat from whoever used that; with `keep` only once somebody uses the new one.

        Raises:
            InputError: the file is damaged.
        """
        secret = secrets.token_urlsafe(_BITS)
        seats = self.seats
        before = seats.get(name, Invited(invitation=""))
        browser = before.browser if keep else ""
        invited = Invited(invitation=_hash(secret), browser=browser, seconds=seconds or before.seconds)
        self._write({**seats, name: invited})
        return secret

    def of(self, secret: str, what: Literal["invitation", "browser"] = "invitation") -> str:
        """Return for whom an invitation is, or who has the browser with this key; empty for nobody."""
        hashed = _hash(secret)
        return next((name for name, each in self.seats.items() if compare_digest(hashed, getattr(each, what))), "")

    def join(self, name: str) -> str:
        """Use an invitation; return the key of the browser that has the seat from now on."""
        key = secrets.token_urlsafe(_BITS)
        seats = self.seats
        self._write({**seats, name: seats[name].model_copy(update={"browser": _hash(key), "used": True})})
        return key

    def _write(self, seats: dict[str, Invited]) -> None:
        with disk_errors(self._path, "written"):
            replace_file(self._path, _FILE.dump_json(seats))
            self._path.chmod(0o600)


class Word:
    """Runs a command for each question to somebody who has no page open: how it reaches them is its affair."""

    def __init__(self, command: str, address: str = "") -> None:
        """Run `command`, without a shell; `address` is that of the server.

        Raises:
            UsageError: there is no such command.
        """
        self._command = shlex.split(command)
        self.address = address
        if not self._command or shutil.which(self._command[0]) is None:
            raise UsageError(f"there is no command {command!r}", hint="Name a program or a script that can be run.")

    def give(self, session: str, seat: WebSeat, people: Callable[[str], list[dict[str, str]]]) -> None:
        """Run it, once for each question; `people` tells who was invited, and the links that nobody has used."""
        if seat.prompt is None or seat.told == seat.asked:
            return
        seat.told = seat.asked
        if seat.pages:
            return
        link = next((row["link"] for row in people(session) if row["name"] == seat.name), "")
        told = {
            "EDA_SESSION": session,
            "EDA_WHO": seat.name,
            "EDA_ASKS": "vote" if seat.prompt.votes else "speak",
            "EDA_LINK": f"{self.address}{link or f'/s/{quote(session)}'}",
        }
        subprocess.Popen(self._command, env={**os.environ, **told}, stdin=subprocess.DEVNULL)  # noqa: S603 - the host's own


def invited_to(folder: Path, secret: str) -> tuple[str, str] | None:
    """Return the session, and for whom, of an invitation to one of the sessions in a folder; None for no such one."""
    for path in sorted(folder.glob(f"*/{SEATS_FILE}")):
        with suppress(InputError):
            if name := Invitations(path.parent).of(secret):
                return path.parent.name, name
    return None


def waiting_words(seats: Iterable[WebSeat], words: Words, *, anonymous: bool) -> str:
    """Return a sentence that says whose answer is waited for; empty where nobody's is."""
    waiting: dict[str, list[str]] = {"vote": [], "speak": []}
    for seat in seats:
        if seat.prompt is not None:
            waiting["vote" if seat.prompt.votes else "speak"].append(seat.title)
    somebody = [words.say("seat-somebody")] if anonymous else []
    return " ".join(words.say("seat-waits", names=somebody or who, does=does) for does, who in waiting.items() if who)


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def said_back(fact: Event, memory: ConversationMemory, state: DebateState, *, reads: bool) -> dict[str, Any]:
    """Return what the author of a line is told of how it was read; `{}` of a fact that is none of a line."""
    words, waiting = state.settings.words, state.waiting(who := getattr(fact, "who", ""))
    if (told := say_back(fact, memory, words, reads=reads, left=waiting.pop(getattr(fact, "message", 0), ()))) is None:
        return {}
    counted = [
        (at, move)
        for at, line in sorted(state.lines.items())
        if (line.who, line.state) == (who, "counted")
        for move in line.moves
    ]
    newest = {move.target or move.text: at for at, move in counted}
    return {
        "kind": "said-back",
        "who": who,
        "lines": told.lines,
        "message": told.message,
        "answers": {
            each: words.say("line-button", answer="back" if each == "taken back" else each) for each in told.answers
        },
        "stays": isinstance(fact, LineAnswered),
        "over": [f"m{at}" for at in sorted({at for at, _ in counted}.difference(newest.values()))],
        "open": {f"m{at}": offered for at, offered in offers(who, waiting, memory, words).items() if not reads},
    }
