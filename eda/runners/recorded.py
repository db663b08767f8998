"""Records calls and replays them.

A call is found by its key; a prompt that changed is reported, or answered by another runner from there on.
"""

import asyncio
import json
import math
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from eda.errors import InputError, RunnerError, RunnerUnavailableError, SessionError, UsageError
from eda.panels.files import UserFile, own_mode, write_all
from eda.panels.settings import BidsAsked
from eda.runners.models import asks_models
from eda.runners.protocol import CallKey, OnText, Prompt, Reply, Runner, Usage, Wrapper, digest, spec_of
from eda.words import ENGLISH, Words

CALLS_FILE = "calls.jsonl"
"""The recording in a session's folder."""

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_DIFF_WIDTH = 160  # Characters of each prompt that are shown: the first change tells.


def _named(key: CallKey, last: int) -> str:
    purpose, agent, nth = key
    return ENGLISH.say("recorded-call", purpose=purpose, agent=agent, last=str(last), nth=str(nth))


class RecordingRunner(Wrapper):
    """Passes each call on, and appends the reply or the failure to a file, one JSON object a line."""

    deterministic = True
    """Set for any inner runner, so that a summary stands where it will stand in a replay."""

    def __init__(self, inner: Runner, path: Path | str) -> None:
        self.inner = inner
        self.path = Path(path)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Ask the inner runner, and record the call before its answer is used."""
        with self._file():  # a call that cannot be recorded is not paid for; a resume records if the file is there
            pass
        began = time.perf_counter()
        call = {
            "key": prompt.key,
            "last": prompt.last,
            "attempt": prompt.attempt,
            "runner": self.spec,
            "digest": digest(prompt),
            "prompt": prompt.text,
            **({"serves": prompt.serves} if prompt.serves > 1 else {}),
            **({"day": prompt.day} if prompt.day else {}),
            **({"terms": True} if prompt.terms else {}),
        }
        try:
            reply = await self.inner.run(prompt, on_text)
        except RunnerUnavailableError:
            raise  # asked again on resume
        except RunnerError as error:
            took = {} if error.usage is None else {"usage": asdict(error.usage), "model": error.model}
            took |= {"provider": error.provider} if error.provider else {}
            self._append({**call, "error": str(error), **took})
            raise
        self._append(
            {
                **call,
                "text": reply.text,
                "data": None if reply.data is None else dict(reply.data),
                "usage": asdict(reply.usage),
                "model": reply.model,
                **({"answered": reply.answered} if reply.answered else {}),
                **({"provider": reply.provider} if reply.provider else {}),
                **({"refused": reply.refused} if reply.refused else {}),
                "latency": round(time.perf_counter() - began, 6),
            }
        )
        return reply

    def _append(self, row: Mapping[str, Any]) -> None:
        # json, unlike orjson, writes a lone surrogate, which a model may send, as an escape.
        line = json.dumps(row, ensure_ascii=True, default=str).encode("ascii") + b"\n"
        with self._file() as handle:
            size = os.fstat(handle).st_size
            os.lseek(handle, max(0, size - 1), os.SEEK_SET)  # writes go to the end all the same
            if size and os.read(handle, 1) != b"\n":
                # An earlier process was killed in the middle of a line; that reply was never used.
                size = self.path.read_bytes().rfind(b"\n") + 1
                os.ftruncate(handle, size)
            try:
                write_all(handle, line)
            except OSError:
                os.ftruncate(handle, size)
                raise

    @contextmanager
    def _file(self) -> Iterator[int]:
        """Open the file for one call: a whole line is written, or none."""
        try:
            handle = os.open(self.path, _FLAGS, own_mode())
            try:
                yield handle
            finally:
                os.close(handle)
        except OSError as error:
            hint = "Free some space or check the folder, then resume; or run without --record."
            why = error.strerror or error
            raise SessionError(f"{self.path}: the call cannot be recorded: {why}", hint=hint) from error


class RecordedRunner:
    """Replays the calls of a file. Of two calls with one key the later counts: it is the one that a resume used.

    A call is found by its purpose, its member and its number among those, whatever its prompt says today; a file may
    leave the prompts out, and then no change of them is reported. A call that is missing pauses the debate: without it
    the debate would be another one. Where an answer that was asked for once more is understood at once today, its
    second version is passed over. Where one is asked for once more today and was not then, that second call fails.
    """

    deterministic = True

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.spec = f"recorded:{self.path.absolute()}"
        self._calls = _read(self.path)
        # The keys of calls that asked once more in the same turn.
        self._second = {key for key, call in self._calls.items() if call["attempt"] > 1}
        # By purpose and agent, how many more calls the recording has up to now than the replay.
        self._shift: dict[tuple[str, str], int] = {}
        self.first_vote = any(key[0] == "ballot" and not call["last"] for key, call in self._calls.items())
        """False where nobody voted before the first message: the replay has no first ballot either."""
        self.terms = any(call.get("terms") for call in self._calls.values())
        """Whether members of the recorded debate were to be asked what would bring them in."""
        self.bids = _bids_asked(self._calls)
        """How bids were asked for, which the replay does too; None where there were none."""
        # A debate too short for a summary may have had a report. Members were asked what they hold, or never.
        self.summarises = any(key[0] in ("summarise", "report") for key in self._calls)
        self.reports = any(key[0] == "report" for key in self._calls)
        self.declares = any(key[0] == "declare" for key in self._calls)
        self.day = str(next(iter(self._calls.values())).get("day", ""))
        """The date that the members of then were told; empty if they were told none."""
        self.replays = str(next(iter(self._calls.values())).get("runner", ""))
        """The spec of the recorded runner; empty if the file does not say."""
        self.differences: list[str] = []
        """The first call whose prompt changed, and where; later changes follow from it and are not listed."""
        self.pace = 0.0
        """Characters a second in which what members say is replayed; 0 for all at once."""

    def about(self, words: Words = ENGLISH) -> str:
        """Return what the recording is, for a reader."""
        return words.say("recorded-about", spec=self.replays, models=asks_models(self.replays))

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the reply recorded under the prompt's key.

        Raises:
            RunnerError: the call failed when it was recorded, or nobody had to be asked once more then.
            RunnerUnavailableError: the call was not recorded.
        """
        call = self._calls.get(self._key(prompt))
        if prompt.purpose == "summarise" and (call is None or call["last"] != prompt.last):
            raise RunnerError(f"{self.path} holds no summary up to m{prompt.last}")  # recorded before it was asked for
        if call is None:
            raise RunnerUnavailableError(
                f"{self.path} holds no {_named(prompt.key, prompt.last)}; {self._instead(prompt.last)}",
                hint="Replay with the question, panel, seed and settings of the recording; what persons said or "
                "changed in it is not replayed. Or go on with another runner: eda resume ID --runner SPEC.",
            )
        if not self.differences and "prompt" in call and digest(prompt) != call["digest"]:
            changed = ENGLISH.say("recorded-changed", call=_named(prompt.key, prompt.last))
            self.differences.append(f"{changed}\n{_diff(call['prompt'], prompt.text)}")
        if "error" in call:
            error = RunnerError(call["error"])
            if "usage" in call:
                error.usage, error.model = Usage(**call["usage"]), call["model"]
            error.provider = str(call.get("provider", ""))
            raise error
        text: str = call["text"]
        for piece in re.findall(r"\s*\S+\s*", text):
            if on_text is not None:
                on_text(piece)
            if self.pace and prompt.purpose == "speak":
                await asyncio.sleep(len(piece) / self.pace)
        names = {name: str(call.get(name, "")) for name in ("model", "answered", "provider")}
        return Reply(
            text, call["data"], Usage(**call["usage"]), **names, refused=tuple(map(str, call.get("refused", ())))
        )

    @property
    def compares(self) -> bool:
        """Whether the file holds the prompts of all its calls."""
        return all("prompt" in call for call in self._calls.values())

    def lacks(self, prompt: Prompt) -> str:
        """Return why the file holds no reply to this very prompt; empty where it holds one."""
        call = self._calls.get(prompt.key)
        if call is None:
            return "the recording has no such call"
        return "" if digest(prompt) == call["digest"] else "its prompt is not the recorded one"

    def _key(self, prompt: Prompt) -> CallKey:
        """Return the key under which the call of a prompt stands in the recording."""
        purpose, agent, nth = prompt.key
        if purpose == "summarise":  # its second prompt is another text, not the first with a remark
            return prompt.key
        nth += self._shift.get((purpose, agent), 0)
        if prompt.attempt > 1 and (purpose, agent, nth) not in self._second:
            self._shift[purpose, agent] = nth - 1 - prompt.nth
            raise RunnerError(f"{self.path} holds no second answer of {agent or 'the engine'} to this {purpose} call")
        while prompt.attempt == 1 and (purpose, agent, nth) in self._second:
            nth += 1
        self._shift[purpose, agent] = nth - prompt.nth
        return purpose, agent, nth

    def _instead(self, last: int) -> str:
        """Return what the file holds after that message, which shows where the debate took another way."""
        then = (key for key, call in self._calls.items() if call["last"] == last)
        if there := sorted({f"{purpose} of {agent or 'the engine'}" for purpose, agent, _ in then}):
            return ENGLISH.say("recorded-instead", last=str(last), calls=there)
        return ENGLISH.say("recorded-last", last=str(max(call["last"] for call in self._calls.values())))


def _diff(recorded: str, sent: str) -> str:
    """Return both prompts where they part, a line each; what cannot be seen is escaped."""
    parts = (at for at, (one, other) in enumerate(zip(recorded, sent, strict=False)) if one != other)
    at = next(parts, min(len(recorded), len(sent)))
    start = max(recorded.rfind("\n", 0, at) + 1, at - _DIFF_WIDTH // 2)
    pieces = (repr(text[start : start + _DIFF_WIDTH])[1:-1] for text in (recorded, sent))
    return "\n".join(f"{sign}{piece}" for sign, piece in zip("-+", pieces, strict=True))


def _read(path: Path) -> dict[CallKey, dict[str, Any]]:
    file = UserFile(path, InputError, "Name a file that --record wrote.", "recording")
    rows: list[dict[str, Any]] = []
    for number, line in file.lines():
        try:
            row = _row(line)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if not line.endswith(b"\n"):
                # The process was killed in the middle of its last line: the reply was never used.
                continue
            reason = f"lacks {error}" if isinstance(error, KeyError) else str(error).split(":")[0]
            if isinstance(error, RecursionError):
                reason = "it nests too deep"
            raise file.fault(
                f"no recorded call ({reason})", "Name a file that --record wrote, or take the broken line out.", number
            ) from error
        rows.append(row)
    if not rows:
        raise file.fault("holds no recorded call", file.hint)
    return {tuple(row["key"]): row for row in rows}  # of two with one key the later counts


def _bids_asked(calls: Mapping[CallKey, Mapping[str, Any]]) -> BidsAsked | None:
    bids = [(key, call) for key, call in calls.items() if key[0] == "bid"]
    if any(call.get("serves", 1) > 1 for _, call in bids):
        return "list"
    return ("each" if all(agent for (_, agent, _), _ in bids) else "together") if bids else None


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = json.loads(line)  # It has a lone surrogate, which orjson does not read.
    if not isinstance(row, dict):
        raise TypeError("not an object")
    if [type(part) for part in row["key"]] != [str, str, int]:
        raise TypeError("'key' names no call")
    for name in ("last", "attempt"):
        if type(row[name]) is not int:
            raise TypeError(f"{name!r} is no number")
    failed = "error" in row
    words = ("error",) if failed else ("text", "model")
    for name in (*words, "digest", "prompt") if "prompt" in row else words:
        if not isinstance(row[name], str):
            raise TypeError(f"{name!r} is no text")
    if not failed or "usage" in row:
        _check_usage(Usage(**row["usage"]))
    if not failed and not isinstance(row["data"], dict | None):
        raise TypeError("'data' is no object")
    return row


def _check_usage(usage: Usage) -> None:
    cost = usage.cost
    tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
    if not all(isinstance(count, int) and count >= 0 for count in tokens):
        raise TypeError("'usage' counts no tokens")
    if cost is not None and not (isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0):
        raise TypeError("'cost' is no number of dollars")


class ReplayThenLive(Wrapper):
    """Answers a call from the recording where that holds the same prompt under its key; else asks `inner`.

    What runs side by side with a prompt that differs is replayed where its own prompt does not.
    """

    deterministic = True
    """Set for any inner runner, so that a summary stands where it stood in the recorded run."""

    def __init__(self, recorded: RecordedRunner, inner: Runner) -> None:
        """Raise UsageError for a recording without prompts: nobody could say where a prompt differs."""
        if not recorded.compares:
            raise UsageError(
                f"{recorded.path} lacks the prompts of its calls, so nobody can say where one differs",
                hint="Name a calls.jsonl that --record wrote, or replay it alone: recorded:FILE.",
            )
        self.recorded = recorded
        self.inner = inner
        self.first_vote, self.bids, self.day = recorded.first_vote, recorded.bids, recorded.day
        self.terms = recorded.terms
        self.declares = recorded.declares
        self._live = False

    @property
    def spec(self) -> str:
        """Both runners, so that a resume makes them again."""
        return f"{self.recorded.spec},then={spec_of(self.inner)}"

    @property
    def replays(self) -> str:
        """The spec of the runner that answered, or answers now; what a call may cost is estimated by it."""
        return getattr(self.inner, "spec", "") if self._live else self.recorded.replays

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return the recorded reply to this very prompt, else the other runner's; its first one says why it is live.

        Raises:
            RunnerError, RunnerUnavailableError: as the runner that answers.
        """
        why = self.recorded.lacks(prompt)
        if not why:
            return await self.recorded.run(prompt, on_text)
        reply = await self.inner.run(prompt, on_text)
        first, self._live = not self._live, True
        return replace(reply, live=why) if first else reply
