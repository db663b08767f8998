"""Forecasts what a debate will cost. The one rule: the prompts are the real ones; only the replies are assumed.

The debate runs in memory three times. The simulated panel answers, and each answer is padded to the length that replies
to such a prompt usually have. So prompts have their real length, and tokens are counted from what would be sent. A
prefix counts as read from the cache if an earlier call to the same model has sent it.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from eda.debate.debate import Debate
from eda.debate.prepared import Prepared
from eda.debate.replay import publisher
from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import CallMade, UsageTotals
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.summaries.extractive import open_questions
from eda.memory.summaries.summary_input import CONCISE
from eda.report.gather import report_of
from eda.report.write import choose_quotes
from eda.runners.messages_api.anthropic import AnthropicRunner, request
from eda.runners.models import Model, ModelSpec, asks_models, model_for, reply_lengths
from eda.runners.protocol import OnText, Prompt, Reply, Runner, Usage
from eda.runners.simulated.runner import SimulatedRunner
from eda.text import regex, rough_tokens

LEAST, USUAL, MOST = range(3)  # The three debates of a forecast, by the length of their replies.
_LEAST_CACHED = 1024  # Tokens of the shortest cached prefix where the table does not say: it is 512 to 4,096, by model.
_PER_TOKEN = 4
_LONGEST_SUMMARY = CONCISE * 6 - 12  # Characters of a summary with nearly as many words as it may have.
_ITEM = regex(r"\b[pd]\d+[.@]\d+")
_WORD = 11  # Letters of a meaningless word: fewer words are read faster, and tokens are counted by characters.
_LETTERS = str.maketrans("0123456789", "ghijklmnop")

Call = tuple[str, str]  # Purpose and model.


@dataclass(frozen=True, slots=True)
class Forecast:
    """Three debates: one with short replies that falls silent and agrees, a usual one, a long one that never agrees.

    How often a phase repeats until stances settle, or nothing is blocked, cannot be known before: the usual debate
    repeats it half-way between the other two.
    """

    runs: tuple[Mapping[Call, UsageTotals], ...]  # What each of the three takes.
    totals: tuple[UsageTotals, ...]  # The totals of the three, in that order.
    ended: tuple[str, ...]  # Why each of them ended.
    # The messages of the two shorter debates that it is reckoned from; empty for one that was played whole.
    of: tuple[int, ...] = ()


# Messages of the debates from which longer ones are reckoned: from there on each message takes as much as the last.
_SHORTER = (100, 200)


def foreseen(made: Prepared) -> Forecast:
    """Return what a debate would take; a long one that no budget ends is reckoned from two shorter ones.

    Raises:
        UsageError: its runner asks no model.
    """
    made, spec, limits = made.limited({"seconds": None}), named_models(made.runner), made.settings.limits
    if limits.messages <= _SHORTER[1] or limits.tokens or limits.cost:
        return forecast(made.debate, spec)
    short, long = (forecast(made.limited({"messages": most}).debate, spec) for most in _SHORTER)
    times = (limits.messages - _SHORTER[1]) / (_SHORTER[1] - _SHORTER[0])

    def beyond(less: UsageTotals, more: UsageTotals, ended: str) -> UsageTotals:
        """Return the totals of the whole debate; what does not grow, and one that ended by itself, is as it is."""
        each = times if ended == "messages" and more.calls > less.calls else 0.0
        return replace(
            more, **{name: type(n)(n + each * (n - getattr(less, name))) for name, n in asdict(more).items()}
        )

    runs = (
        {call: beyond(less.get(call, UsageTotals()), spent, ended) for call, spent in more.items()}
        for less, more, ended in zip(short.runs, long.runs, long.ended, strict=True)
    )
    return Forecast(tuple(runs), tuple(map(beyond, short.totals, long.totals, long.ended)), long.ended, _SHORTER)


def forecast(debate: Callable[[Runner], Debate], spec: str) -> Forecast:
    """Return what a debate would take, from three runs without a call to a model.

    Args:
        debate: Makes the debate, in memory, with the given runner.
        spec: The spec of the runner, as `named_models` returns it.
    """
    return Forecast(*zip(*(forecast_run(debate, spec, place) for place in (LEAST, USUAL, MOST)), strict=True))


def named_models(spec: str) -> str:
    """Return the spec of a runner with the names of all models that it would ask; needs no key.

    Raises:
        UsageError: the runner asks no model.
    """
    if not asks_models(spec):
        raise UsageError(f"the runner {spec!r} asks no model", hint="Forecast another: --runner anthropic.")
    given = ModelSpec.parse(spec)
    if given.name != "anthropic":
        return str(given)
    return AnthropicRunner(given.speak, cheap_model=given.cheap, fallback_model=given.fallback, api_key="none").spec


def forecast_run(
    debate: Callable[[Runner], Debate], spec: str, place: int
) -> tuple[dict[Call, UsageTotals], UsageTotals, str]:
    """Return what one of the three debates takes, by call and in all, and why it ended.

    Args:
        debate: Makes the debate, in memory, with the given runner.
        spec: The spec of the runner, with the names of its models.
        place: `LEAST`, `USUAL` or `MOST`.
    """
    runner = _Assumed(spec, place)
    played = debate(runner)
    runner.progress = played.progress
    played.run_sync()
    session, progress, memory = played.session, played.progress, played.memory
    publish = publisher(session, progress, memory)
    asyncio.run(choose_quotes(session, progress, memory, report_of(session, progress, memory), runner, publish))
    usage: dict[Call, UsageTotals] = {}
    for event in played.session.events():
        if isinstance(event, CallMade):
            usage.setdefault((event.purpose, event.model), UsageTotals()).add(event)
    return usage, progress.spent, progress.ended or ""


class _Assumed:
    """The simulated panel with replies of an assumed length and the usage that a provider would count."""

    deterministic = summarises = True

    def __init__(self, spec: str, place: int) -> None:
        self.spec = spec
        self._place = place
        self.terms = place != LEAST  # where all are for one text nobody is asked
        self._simulated = SimulatedRunner()
        self._caches: dict[str, _Cache] = {}
        self._stances: dict[str, Mapping[str, Any]] = {}
        # The state of the debate that it runs.
        self.progress = DebateState()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        """Return what the simulated panel answers, padded; nobody sees the text."""
        del on_text
        model = model_for(self.spec, prompt) or Model(id="")
        reply = await self._simulated.run(prompt)
        lengths = reply_lengths()
        length = lengths.get(prompt.purpose, lengths["speak"])[self._place] * max(1, len(prompt.asked))
        text, data = reply.text, reply.data
        if prompt.purpose == "bid" and data is not None and self._place:
            data = _all_want(data)
        elif prompt.purpose in ("poll", "ballot"):
            data = self._voted(prompt, data or {})
        elif prompt.purpose == "summarise":
            characters = min(length * _PER_TOKEN, _LONGEST_SUMMARY)
            text = _padded(_summary(prompt), prompt, characters)
            data = {"summary": [*_quoted(prompt, characters)] or text}
        elif prompt.answer is None:
            text = _padded(text, prompt, length * _PER_TOKEN)
        cache = self._caches.setdefault(model.id, _Cache(model.cache_floor or _LEAST_CACHED))
        usage = model.priced(replace(cache.count(prompt, model), output_tokens=length))
        return Reply(text, data, usage, model.id)

    def _voted(self, prompt: Prompt, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer to a poll or a ballot; in the usual debate the first seat objects for half of the laps."""
        if "beliefs" in data:  # nothing depends on it
            return data
        if self._place != 1:
            agreed = {"choice": prompt.options[0]} if prompt.purpose == "poll" else {"blocked": ()}
            return {**data, **agreed} if self._place == 0 else _at_odds(prompt, data)
        at = self.progress.at
        if at is not None and at.until is not None:
            fewest = 2 if at.until == "settled" else 1
            if self.progress.laps[at.name] < (fewest + at.laps + 1) // 2:
                data = _at_odds(prompt, data) if prompt.agent == prompt.members[0] else data
            elif prompt.purpose == "ballot":
                data = {**data, "blocked": ()}
            else:
                data = self._stances.get(prompt.agent, data)
        if prompt.purpose == "poll":
            self._stances[prompt.agent] = data
        return data


def _all_want(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the same bid, or bids, with none a pass."""
    return {"bids": [_all_want(bid) for bid in data["bids"]]} if "bids" in data else {**data, "wants": True}


def _at_odds(prompt: Prompt, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer with which no poll settles and every choice of a ballot is blocked."""
    if prompt.purpose == "ballot":
        return {"choice": None, "blocked": prompt.options}
    choices = (*prompt.options, None)
    return {**data, "choice": choices[(prompt.nth - 1) % len(choices)]}


@dataclass(slots=True)
class _Cache:
    """The prefixes that a provider caches for one model."""

    least: int  # Tokens of the shortest prefix that is cached.
    # Digests of cached prefixes. Of parallel calls the first writes, and the others wait and read.
    prefixes: set[str] = field(default_factory=set)

    def count(self, prompt: Prompt, model: Model) -> Usage:
        """Return the input tokens of a call, and add its prefixes to the cache."""
        read = marked = sent = 0
        so_far = hashlib.sha256()
        for text, mark in _sent(prompt, model):
            so_far.update(text.encode())
            sent += len(text)
            digest = so_far.hexdigest()
            if digest in self.prefixes:
                read = sent
            if mark and rough_tokens(sent) >= self.least:
                marked = sent
                self.prefixes.add(digest)
        return Usage(
            input_tokens=rough_tokens(sent - max(marked, read)),
            cache_read_tokens=rough_tokens(read),
            cache_write_tokens=rough_tokens(max(0, marked - read)),
        )


def _sent(prompt: Prompt, model: Model) -> Sequence[tuple[str, bool]]:
    """Return the blocks of a request, and whether each ends a prefix to be cached."""
    # A schema that the API enforces is no part of the text; one in words is.
    body = request(replace(prompt, answer=None) if model.structured else prompt, model)
    blocks = [*body.get("system", ()), *body["messages"][0]["content"]]
    return [(block["text"], "cache_control" in block) for block in blocks]


def _quoted(prompt: Prompt, characters: int) -> Iterator[dict[str, Any]]:
    """Yield the beginnings of all messages to sum up, in a number of characters."""
    for line in prompt.lines:
        yield {"message": line.number, "quote": line.text[: characters // len(prompt.lines)].rpartition(" ")[0]}


def _summary(prompt: Prompt) -> str:
    """Return a fold that passes the checks: it names everything that its prompt says must not be lost."""
    questions = [item.line for item in open_questions(prompt.lines)] or regex(r"\[UNRESOLVED\].*").findall(prompt.own)
    return "\n".join((*questions, " ".join(dict.fromkeys(_ITEM.findall(prompt.text)))))


def _padded(text: str, prompt: Prompt, characters: int) -> str:
    """Return the text padded to a length with meaningless, distinct words before its moves."""
    at = read_reply(text).moves_at
    talk, moves = (text, "") if at is None else (text[:at], text[at:])
    missing = characters - len(text)
    if missing <= 0:
        return text
    seed = f"{prompt.agent} {prompt.purpose} {prompt.nth}".encode()
    letters = hashlib.shake_256(seed).hexdigest(missing // 2 + 1)[:missing].translate(_LETTERS)
    words = [letters[at : at + _WORD] for at in range(0, missing, _WORD + 1)]
    return f"{talk.rstrip()} {' '.join(words)}.\n\n{moves}".rstrip()
