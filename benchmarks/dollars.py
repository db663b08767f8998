"""What a debate costs in dollars, beside what could be done at best: `python benchmarks/dollars.py [--messages N ...]`.

The product's own requests go over HTTP to a server that counts caches strictly; the tokens are those that the session
stores. Beside them stand two plain ways of sending the same messages, priced by arithmetic with a cache that never
misses. Deterministic: the server's clock goes by ten seconds a call.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from results import told

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fake_cache import PER_TOKEN, CachingAnthropic, Panel

from eda import Debate, MessagePosted, Prompt, Settings, Usage
from eda.events import CallMade
from eda.events.records import Line
from eda.memory.context.sections import render_line
from eda.report.write import write_report
from eda.runners.models import STRONG, Model, Price

SHORT = (60,)
QUESTION = "Should we move the billing service out of the monolith?"
SPEAKER = Model(id="speaker", price=Price(input=3, output=15, cache_read=0.3))
CHEAP = Model(id="cheap", price=Price(input=0.15, output=0.75, cache_read=0.015))
"""A twentieth, as haiku is of sonnet."""
WINDOW = (8_000, 4_000)
"""Tokens of a transcript that is too long, and of what stays of it."""
_SHORTER = (4_000, 2_000)
_WHO = "# Who you are\n"
_REPORT = "# The report\n"
"""Where a speaker's own end begins, with no memory in it: persona, side and instruction."""


@dataclass(frozen=True)
class Arm:
    """A way to run the debate."""

    name: str
    floor: str = "bidding"
    rest: Model = SPEAKER
    """The model of bids, summaries and ballots."""
    ballots: Literal["schema", "words"] = "schema"
    names: bool = False
    """Whether each message names who is next."""


BIDDING = Arm("bidding, one model")
ROUND_ROBIN = Arm("round robin, one model", "round-robin")
ARMS = (
    Arm("default: named, one model", names=True),
    BIDDING,
    Arm("bidding, one model, ballots in words", ballots="words"),
    ROUND_ROBIN,
    Arm("named, a cheap model for the rest", rest=CHEAP, names=True),
    Arm("bidding, a cheap model for the rest", rest=CHEAP),
    Arm("bidding, a cheap model for the rest, ballots in words", rest=CHEAP, ballots="words"),
)


@dataclass(frozen=True)
class Played:
    """A debate that is over."""

    arm: Arm
    messages: tuple[MessagePosted, ...]
    calls: tuple[CallMade, ...]
    speeches: tuple[Prompt, ...]
    """The prompts of the calls for speech."""
    report: str = ""
    """The end of the prompt of the report."""

    def of(self, purpose: str) -> tuple[CallMade, ...]:
        """The calls for a purpose."""
        return tuple(call for call in self.calls if call.purpose == purpose)

    def cost(self, calls: Sequence[CallMade], *, output: bool = False) -> float:
        """US dollars of the input of calls; with `output`, of that too."""
        return sum(
            dollars(usage_of(call, output=output), SPEAKER if call.purpose in STRONG else self.arm.rest)
            for call in calls
        )


@dataclass(frozen=True)
class Sent:
    """A call of a plain way of sending messages."""

    usage: Usage
    """Of the input."""
    shown: Sequence[str]
    """The messages in the prompt, oldest first."""


def dollars(usage: Usage, model: Model = SPEAKER) -> float:
    """US dollars of a call."""
    return model.priced(usage).cost or 0.0


def usage_of(call: CallMade, *, output: bool = False) -> Usage:
    """The tokens of a call."""
    out = call.output_tokens if output else 0
    return Usage(call.input_tokens, out, call.cache_read_tokens, call.cache_write_tokens)


def tokens(text: str) -> int:
    """As the server counts them."""
    return len(text) // PER_TOKEN


def played(arm: Arm, messages: int, server: Callable[[], CachingAnthropic] = CachingAnthropic) -> Played:
    """A debate of five members over HTTP."""
    with server() as asked:
        asked.names = arm.names
        panel = Panel(asked, cheap_model="inherit" if arm.rest is SPEAKER else None)
        settings = Settings(max_messages=messages, floor=arm.floor, ballots=arm.ballots)
        debate = Debate(QUESTION, "architecture-review", panel, options=("move it", "leave it"), settings=settings)

        async def play() -> None:
            await debate.run()
            await write_report(debate.session, panel)
            await panel.close()

        asyncio.run(play())
        speeches = tuple(prompt for prompt in asked.prompts.values() if prompt.purpose == "speak")
        (own,) = (prompt.own for prompt in asked.prompts.values() if prompt.purpose == "report")
    events = list(debate.session.events())
    calls = tuple(event for event in events if isinstance(event, CallMade))
    posted = tuple(event for event in events if isinstance(event, MessagePosted))
    assert len(posted) == messages
    assert sum(usage_of(call).prompt_tokens for call in calls) == asked.bill().sent
    return Played(arm, posted, calls, speeches, own[own.index(_REPORT) :])


def plain(run: Played, window: tuple[int, int] | None = None) -> Iterator[Sent]:
    """The calls that would say the same messages: one shared beginning, the transcript so far, the speaker's own end.

    Args:
        run: Has the messages, house rules, question, personas and instructions.
        window: The most tokens of a transcript, and what it is cut to when it has more; None for all of it.
    """
    first = run.speeches[0]
    beginning = tokens(first.system) + tokens(first.shared[0])
    ends = [tokens(prompt.own[prompt.own.index(_WHO) :]) for prompt in run.speeches]
    end = sum(ends) // len(ends)
    shown: list[str] = []
    cached = held = 0
    for message in run.messages:
        yield Sent(Usage(end, 0, cached, beginning + held - cached), tuple(shown))
        cached = beginning + held
        shown.append(render_line(Line(message.number, message.who, message.talk)))
        held += tokens(shown[-1])
        if window is not None and held > window[0]:
            while held > window[1]:
                held -= tokens(shown.pop(0))
            cached = beginning


def reported(run: Played, last: Usage) -> Usage:
    """The input of a report that is asked after the `last` speech, with the same beginning."""
    message = run.messages[-1]
    newest = tokens(render_line(Line(message.number, message.who, message.talk)))
    return Usage(tokens(run.report), 0, last.cache_read_tokens + last.cache_write_tokens, newest)


def rows(messages: int) -> Iterator[str]:
    """The rows of the table for a length."""
    runs = [played(arm, messages) for arm in ARMS]
    same = runs[ARMS.index(ROUND_ROBIN)]
    length = sum(tokens(message.text) for message in same.messages)
    told = (*same.of("speak"), *same.of("report"))
    said = same.cost(told, output=True) - same.cost(told)
    asked = [sent.usage for sent in plain(same)]
    best = sum(map(dollars, (*asked, reported(same, asked[-1]))))

    def row(name: str, every: Sequence[Usage], speech: Sequence[Usage], spent: tuple[float, float]) -> str:
        cells = [f"{messages:,}", name, f"{len(every):,}"]
        cells += [f"{spent[0]:.3f}", f"{spent[0] / best:.2f}", f"{spent[1]:.3f}", f"{spent[1] / (best + said):.2f}"]
        cells += [f"{sum(usage.input_tokens for usage in speech) / len(speech):,.0f}"]
        return " | ".join([*cells, f"{sum(usage.cache_write_tokens for usage in every) / length:.2f}"])

    for name, window in (
        ("append-only, perfect cache", None),
        *((f"window of {window[0]:,} cut to {window[1]:,}", window) for window in (WINDOW, _SHORTER)),
    ):
        speech = [each.usage for each in plain(same, window)]
        sent = [*speech, reported(same, speech[-1])]
        cost = sum(map(dollars, sent))
        yield f"| {row(name, sent, speech, (cost, cost + said))} | |"
    for run in runs:
        every, speech = (list(map(usage_of, calls)) for calls in (run.calls, run.of("speak")))
        spent = run.cost(run.calls), run.cost(run.calls, output=True)
        purposes = dict.fromkeys(call.purpose for call in run.calls)
        parts = ", ".join(f"{purpose} {run.cost(run.of(purpose)):.3f}" for purpose in purposes)
        yield f"| {row(f'EDA, {run.arm.name}', every, speech, spent)} | {parts} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, nargs="+", default=SHORT)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "| messages | way | calls | input $ | ratio | all $ | ratio | own end | written | input $ by purpose |",
        f"|{'---|' * 10}",
    ]
    for messages in args.messages:
        lines += rows(messages)
    asked = " ".join(map(str, args.messages))
    told("dollars", f"python benchmarks/dollars.py --messages {asked} --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
