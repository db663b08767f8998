"""A guest whose browser leaves in the middle of a debate, which runs on a real terminal."""

from __future__ import annotations

import http.client
import re
import socket
import struct
from pathlib import Path
from urllib.parse import urlsplit

from started import OPTIONS, PLAIN, QUESTION, on_terminal

PANEL = ("--persona", "sceptic", "--persona", "economist")
LOUD = """
import asyncio.constants
from uvicorn.protocols.http.auto import AutoHTTPProtocol

asyncio.constants.LOG_THRESHOLD_FOR_CONNLOST_WRITES = 0
ends = AutoHTTPProtocol.connection_lost

def late(self, error):
    ends(self, error)
    self.transport.write(b"said after it left")

AutoHTTPProtocol.connection_lost = late
"""
"""Has the server say one thing more to a browser that has left, and Python log the first such thing, not the sixth."""


def follows(link: str, session: str) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """Take the seat and follow the debate."""
    place = urlsplit(link)
    origin = f"{place.scheme}://{place.netloc}"
    line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    line.request("POST", place.path, "{}", {"Origin": origin, "Content-Type": "application/json"})
    sat = line.getresponse()
    cookies = "; ".join(each.partition(";")[0] for each in sat.headers.get_all("Set-Cookie") or [])
    sat.read()
    line.request("GET", f"/s/{session}/events", headers={"Cookie": cookies})
    followed = line.getresponse()
    assert followed.status == 200
    followed.read(64)
    return line, followed


def gone(link: str, session: str) -> None:
    """Take the seat, follow the debate, and leave without a word, as a browser that is killed."""
    line, followed = follows(link, session)
    line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    followed.close()
    line.close()


def test_a_guest_who_leaves_writes_nothing_on_the_terminal(tmp_path: Path) -> None:
    """ "socket.send() raised exception." stood eighteen times between two speeches."""
    given = ("--human", "Ana", "--invite", "Ben", "--human-time", "4", "--max-messages", "10", "--session", "one")
    with on_terminal(
        tmp_path, "debate", QUESTION, *OPTIONS, *PANEL, *given, script=LOUD + PLAIN, width=100
    ) as terminal:
        terminal.wait_for("your first vote")
        (link,) = re.findall(r"http://\S+/join/\S+", terminal.shown)
        gone(link, "one")
        terminal.type("A\r")
        terminal.wait_for("your vote: A. ")
        terminal.wait_for("your opening")
        terminal.type("/help\r")
        terminal.wait_for("stop the debate; `eda resume` continues it")
        terminal.type("I would wait.\r")
        terminal.wait_for("your opening is kept until all have written: I would wait.")
        terminal.type("/quit\r")
        assert terminal.end() == 130, terminal.shown[-2000:]
        assert "socket.send" not in terminal.shown


def test_while_a_guest_reads_how_it_ended_the_report_is_no_longer_told_as_being_written(tmp_path: Path) -> None:
    """ "The report is being written" stood beside "Enter closes the table" until somebody closed it."""
    given = ("--invite", "Ben", "--human-time", "1", "--max-messages", "4", "--session", "one")
    with on_terminal(tmp_path, "debate", QUESTION, *OPTIONS, *PANEL, *given, script=PLAIN, width=100) as terminal:
        terminal.wait_until(re.compile(r"/join/\S+\s"))
        (link,) = re.findall(r"http://\S+/join/\S+", terminal.shown)
        line, followed = follows(link, "one")
        terminal.wait_for("Enter closes the table")
        terminal.wait_for("the debate is over")
        terminal.type("\r")
        assert terminal.end() == 0, terminal.shown[-2000:]
        followed.close()
        line.close()
