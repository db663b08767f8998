"""A panel for the fake server, and a wire that breaks. The one rule: an answer is a function of what was asked.

So a debate that met errors can be held against the one that met none.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self
from urllib.parse import urlsplit

from fake_anthropic import Fail, Say

__all__ = ["PANEL", "TITLES", "Wire", "answered", "asked_for", "first_fails", "own_words"]

PANEL = ("sceptic", "historian", "pragmatic-engineer")
TITLES = ("Ruth", "Walter", "Maya")
_SCHEMA = "It must fit this JSON schema:\n"
_FORM = re.compile(r"^Answer with (?:JSON|one JSON object)(.*?\{.*)", re.MULTILINE | re.DOTALL)
_WORDS = re.findall(
    r"\w+",
    "anchor basin cedar dune ember ferry gravel harbour island juniper kiln ladder meadow needle orchard pillar quarry "
    "ribbon saddle timber uplift valley willow yarrow zinc brick canvas drum engine flask",
)


def own_words(body: dict[str, Any]) -> str:
    """The end of the prompt: what differs from member to member."""
    return str(body["messages"][0]["content"][-1]["text"])


def asked_for(body: dict[str, Any]) -> set[str]:
    """The fields of the JSON that is asked for, as a schema or in words; none where prose is.

    In words those within others too, but for bids, of which each has the fields of a single one.
    """
    schema = body.get("output_config", {}).get("format", {}).get("schema")
    if schema is None and _SCHEMA in own_words(body):
        schema = json.loads(own_words(body).rpartition(_SCHEMA)[2])
    form = _FORM.search("\n".join(each["text"] for each in body["messages"][0]["content"][-2:]))
    fields = set(schema["properties"] if schema else re.findall(r'"(\w+)":', form[1]) if form else ())
    fields |= {"choice"} if "ranking" in fields else set()  # by schema it is the whole vote
    return fields & {"bids"} or fields


def answered(body: dict[str, Any]) -> Say:  # noqa: PLR0911 - one for each kind of call
    """What a panel of models answers: bids, a vote, a summary, or a few sentences that nobody has said before."""
    draw = random.Random(hashlib.sha256(json.dumps(body["messages"]).encode()).hexdigest())
    fields = asked_for(body)
    if "summary" in fields:
        return Say(json.dumps({"summary": f"They spoke of {_some(draw, 5)}."}))
    if "bids" in fields:
        bids = [{"agent": title, **_bid(draw)} for title in TITLES]
        return Say(json.dumps({"bids": bids}))
    if "wants" in fields:
        return Say(json.dumps(_bid(draw)))
    if "acts" in fields:
        return Say(json.dumps({"acts": []}))
    if "takes" in fields:
        return Say(json.dumps({"takes": draw.choice(["as it is", "not at all"]), "change": ""}))
    if "choice" in fields:
        return Say(json.dumps({"choice": draw.choice(["Go", "Wait"]), "reason": "It weighs more."}))
    text = (
        f"What counts is the {_some(draw, 4)}. We have {draw.randint(2, 99_999)} of them, beside the {_some(draw, 4)}."
    )
    move = draw.choice(
        ["", "", f"\n[POSITION] Rather with the {_some(draw, 3)}.", f"\n[PROPOSE] Count the {_some(draw, 3)}."]
    )
    return Say(text + move)


def _bid(draw: random.Random) -> dict[str, Any]:
    return {"wants": draw.random() < 0.9, "urgency": round(draw.random(), 2), "reason": f"on {draw.choice(_WORDS)}"}


def _some(draw: random.Random, count: int) -> str:
    return " ".join(draw.sample(_WORDS, count))


def first_fails(trouble: Fail | Say, times: int = 1) -> Callable[[dict[str, Any]], Say | Fail]:
    """The same panel, which answers each question only after it has failed `times` times."""
    seen: Counter[str] = Counter()

    def answer(body: dict[str, Any]) -> Say | Fail:
        question = json.dumps(body)
        seen[question] += 1
        return trouble if seen[question] <= times else answered(body)

    return answer


class Wire:
    """Stands between client and server. `with Wire(fake.url) as wire:` ask `wire.url` in the server's place."""

    def __init__(self, url: str) -> None:
        there = urlsplit(url)
        self._there = (there.hostname or "", there.port or 0)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.cuts = 0
        """Connections that are still to be broken before anything is answered."""
        self.holds = b""
        """What is answered after these bytes is held back until `release` is set."""
        self.release = threading.Event()
        self.held, self.late = threading.Event(), threading.Event()
        """Set when an answer is held back; when its rest was sent, whether or not anybody was there."""

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client = self._socket.accept()[0]
                if self.cuts > 0:
                    self.cuts -= 1
                    client.recv(1)
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    client.close()
                    continue
                server = socket.create_connection(self._there)
                threading.Thread(target=self._pass, args=(client, server), daemon=True).start()
                threading.Thread(target=self._pass_back, args=(server, client), daemon=True).start()

    @staticmethod
    def _pass(client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(1 << 16):
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def _pass_back(self, server: socket.socket, client: socket.socket) -> None:
        with server, client, suppress(OSError):
            while data := server.recv(1 << 16):
                at = data.find(self.holds) if self.holds else -1
                if at >= 0:
                    end = data.index(b"\n\n", at) + 2
                    client.sendall(data[:end])
                    data, self.holds = data[end:], b""
                    self.held.set()
                    self.release.wait()
                    with suppress(OSError):
                        client.sendall(data or b"event: message_stop\ndata: {}\n\n")
                    self.late.set()
                    continue
                client.sendall(data)
