"""Calls at once through the real SDK, over real HTTP on loopback: `python benchmarks/throughput.py`.

The server waits 200 ms before it answers, and runs in a process of its own; all it does is write bytes that were made
before. If nothing makes calls wait for one another, as many are under way at the server as were asked, and all together
take one latency and the processor's time. The SDK alone, asked the same, shows what of that is ours; the SDK without a
network, its requests answered from memory after the same wait, shows what no connection could take away.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import httpx2
from anthropic import AsyncAnthropic
from results import told

from eda import Prompt
from eda.runners.answers import BidAnswer
from eda.runners.messages_api.anthropic import AnthropicRunner, request
from eda.runners.models import look_up

SIZES = (1, 30, 100, 300)
LATENCY = 0.2
"""Seconds before the first byte of a reply."""
BOUND = 2.0
RUNS = 5
LONGEST = 60.0
"""Seconds of one run; more is an error."""
TEXT = '{"wants": true, "urgency": 0.62, "reason": "what the second batch costs"}'
BID = Prompt(purpose="bid", agent="Maya", own="Transcript of the panel. " * 240, answer=BidAnswer)
KEY = "sk-ant-not-a-key"


def _streamed() -> bytes:
    start = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
    usage = {"input_tokens": 1500, "output_tokens": 1}
    events = [
        {"type": "message_start", "message": {**start, "stop_sequence": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": TEXT[at : at + 12]}}
            for at in range(0, len(TEXT), 12)
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 25}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


class _Server:
    """Answers every request with the same stream, and counts how many it had at once."""

    def __init__(self) -> None:
        body = _streamed()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
        self._reply = head.encode() + body
        self._under_way = self.most = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
                await reader.readexactly(int(length[1]) if length else 0)
                self._under_way += 1
                self.most = max(self.most, self._under_way)
                await asyncio.sleep(LATENCY)
                self._under_way -= 1
                writer.write(self._reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def _serve(line: Connection) -> None:
    async def run() -> None:
        served = _Server()
        listening = await asyncio.start_server(served.answer, "127.0.0.1", 0, backlog=2 * max(SIZES))
        line.send(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}")
        while await asyncio.to_thread(line.recv):
            line.send(served.most)
            served.most = 0

    asyncio.run(run())


@contextmanager
def serving() -> Iterator[tuple[str, Callable[[], int]]]:
    """A server; gives its address, and what says how many calls it had at once since that was last asked."""
    processes = multiprocessing.get_context("spawn")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_serve, args=(theirs,))
    process.start()

    def most() -> int:
        ours.send(True)
        return int(ours.recv())

    try:
        yield ours.recv(), most
    finally:
        ours.send(False)
        process.join()


async def _timed(one: Callable[[], Awaitable[object]], calls: int) -> tuple[float, float]:
    await one()  # the SDK is imported, and the certificates are read, at the first call of all
    began, busy = time.perf_counter(), time.process_time()
    async with asyncio.timeout(LONGEST):
        await asyncio.gather(*(one() for _ in range(calls)))
    return time.perf_counter() - began, time.process_time() - busy


async def ours(url: str, calls: int) -> tuple[float, float]:
    """Seconds of so many calls at once of a runner, and those in which this process kept a processor busy."""
    runner = AnthropicRunner(api_key=KEY, base_url=url)
    try:
        return await _timed(lambda: runner.run(BID), calls)
    finally:
        await runner.close()


async def bare(url: str, calls: int, transport: httpx2.AsyncBaseTransport | None = None) -> tuple[float, float]:
    """The same of the SDK, which is given what the runner would send; `transport` takes the place of the network."""
    asked = request(BID, look_up("haiku"))
    http = httpx2.AsyncClient(transport=transport) if transport else None
    async with AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0, http_client=http) as client:

        async def one() -> None:
            async with await client.messages.create(**asked, stream=True) as events:
                async for _ in events:
                    pass

        return await _timed(one, calls)


async def unsent(url: str, calls: int) -> tuple[float, float]:
    """The same of the SDK with no network: what it takes to write the requests and to read the replies."""
    body = _streamed()

    async def answer(_: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(LATENCY)
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=body)

    return await bare(url, calls, httpx2.MockTransport(answer))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "| calls | at once | seconds | of 0.2 (bound 2) | processor, s | SDK alone, s | its, s | unsent, s | its, s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    with serving() as (url, most):
        for calls in SIZES:
            runs = [asyncio.run(ours(url, calls)) for _ in range(RUNS)]
            at_once = most()
            alone = [asyncio.run(bare(url, calls)) for _ in range(RUNS)]
            offline = [asyncio.run(unsent(url, calls)) for _ in range(RUNS)]
            seconds, busy = (statistics.median(column) for column in zip(*runs, strict=True))
            ratio = f"{seconds / LATENCY:.2f}" + ("" if seconds <= BOUND * LATENCY else " (missed)")
            cells = [f"{calls}", f"{at_once}", f"{seconds:.3f}", ratio, f"{busy:.3f}"]
            cells += [f"{statistics.median(column):.3f}" for of in (alone, offline) for column in zip(*of, strict=True)]
            lines.append(f"| {' | '.join(cells)} |")
    told("throughput", "python benchmarks/throughput.py --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
