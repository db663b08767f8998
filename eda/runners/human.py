"""`HumanRunner`: a person answers. A person who takes too long has passed."""

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable
from hashlib import sha256
from inspect import isawaitable
from typing import Any

from eda.errors import RunnerError, UsageError
from eda.panels.persona import Persona
from eda.runners.protocol import OnText, Prompt, Reply

Ask = Callable[[Prompt], Awaitable[str]]
"""Shows a person the prompt and returns their answer; an empty text passes, or abstains."""

_MODERATOR = "moderator"  # The name of who opens each phase in the log; no member may have it.
_LONGEST_NAME = 60


class HumanRunner:
    """Puts each prompt to a person through `ask`."""

    person = True
    """Tells those who seat runners that its answers are not calls."""
    summarises = False
    spec = "human"

    def __init__(
        self,
        ask: Ask,
        *,
        seconds: float | None = None,
        letters: bool = False,
        wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Ask through `ask`.

        Args:
            ask: See `Ask`. It is cancelled when the time is up; words that it returns then count.
            seconds: The time for each answer; None for no limit.
            letters: Whether `ask` shows A, B, ... beside `prompt.texts`; only then does a letter name one.
            wait: Returns after so many seconds.
        """
        self._ask = ask
        self.seconds, self.letters = seconds, letters
        self._wait = wait

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:  # noqa: ARG002 - the protocol's shape
        """Return the person's answer. Where it took too long, `data` has the seconds under `silent`.

        Raises:
            RunnerError: `ask` raised.
            UsageError: `ask` is not async.
        """
        answer = self._ask(prompt)
        if not isawaitable(answer):
            raise UsageError("what asks a person is no async function", hint="Write: async def ask(prompt) -> str.")
        typed: asyncio.Future[str] = asyncio.ensure_future(answer)
        waited: set[asyncio.Future[Any]] = {typed}
        if self.seconds is not None:
            waited.add(asyncio.ensure_future(self._wait(self.seconds)))
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if late := not typed.done():
                typed.cancel()
                await asyncio.wait((typed,))
            text = "" if late and typed.cancelled() else typed.result().strip()
        except Exception as error:
            raise RunnerError(f"asking {prompt.agent} failed: {error}") from error
        finally:
            for each in waited:
                each.cancel()
            await asyncio.gather(*waited, return_exceptions=True)
        return Reply(text, {"silent": self.seconds} if late and not text else None)


def persona_of(name: str) -> Persona:
    """Return the persona for a person's seat.

    Raises:
        UsageError: the name is empty, too long, or the moderator's.
    """
    title = unicodedata.normalize("NFC", " ".join(name.split()))
    if title.casefold() == _MODERATOR:
        raise UsageError("the moderator is no member of the panel", hint="Take part under another name.")
    if not title or len(title) > _LONGEST_NAME or not title.isprintable():
        raise UsageError(f"a person at the table needs a name of 1 to {_LONGEST_NAME} characters")
    plain = "-".join(re.findall("[a-z0-9]+", title.casefold())) or "person"
    if not title.isascii():  # else two people of one script would have one name
        plain = f"{plain[:50].rstrip('-')}-{sha256(title.casefold().encode()).hexdigest()[:8]}"
    return Persona(
        name=plain,
        title=title,
        role="a person at the table",
        description="Somebody who takes part themselves.",
        instruction="You speak for yourself.",
        person=True,
    )
