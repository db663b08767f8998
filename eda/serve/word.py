"""Word for people whose turn it is and who have no page open, by a command of the host's."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from urllib.parse import quote

from eda.errors import UsageError
from eda.serve.people import WebSeat


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
        if seat.prompt is None or seat.pages or seat.told == seat.asked:
            return
        seat.told = seat.asked
        link = next((row["link"] for row in people(session) if row["name"] == seat.name), "")
        told = {
            "EDA_SESSION": session,
            "EDA_WHO": seat.name,
            "EDA_ASKS": "vote" if seat.prompt.purpose in ("ballot", "poll") else "speak",
            "EDA_LINK": f"{self.address}{link or f'/s/{quote(session)}'}",
        }
        subprocess.Popen(self._command, env={**os.environ, **told}, stdin=subprocess.DEVNULL)  # noqa: S603 - the host's own
