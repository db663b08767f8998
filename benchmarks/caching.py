"""What a provider's cache saves of a debate's input, by layout of the prompt: `python benchmarks/caching.py`.

Five agents with the default models, over real HTTP, against a server that counts caches as the provider documents them.
Deterministic: the server's clock goes by ten seconds a call. Dollars are those of the input.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from results import write_section

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fake_cache import CachingAnthropic, Panel

from eda import Debate, Prompt, Settings

USUAL = 150
LENGTHS = (30, 60, 90, USUAL, 240)
"""Words of a reply."""
QUESTION = "Should we move the billing service out of the monolith?"
_WHO = re.compile(r"# Who you are\n.*?\n\n(?=# )", re.DOTALL)


def ours(prompt: Prompt) -> Prompt:
    """What all share first, the persona last."""
    return prompt


def persona_first(prompt: Prompt) -> Prompt:
    """A system prompt for each agent, then what all share, then the rest: what other frameworks do."""
    found = _WHO.search(prompt.own)
    if found is None:
        return prompt
    own = prompt.own.replace(found[0], "", 1)
    return replace(prompt, system=f"{found[0]}{prompt.system}", own=own)


LAYOUTS: dict[str, tuple[Callable[[Prompt], Prompt], bool]] = {
    "shared first, cached": (ours, True),
    "persona first, cached": (persona_first, True),
    "not cached": (ours, False),
}
"""The layout, and whether the server keeps anything."""


def played(layout: Callable[[Prompt], Prompt], messages: int, *, caching: bool, words: int = USUAL) -> CachingAnthropic:
    """The server after a debate."""
    with CachingAnthropic(caching=caching, words=words) as server:
        panel = Panel(server, layout)
        settings = Settings(max_messages=messages)
        debate = Debate(QUESTION, "architecture-review", panel, options=("move it", "leave it"), settings=settings)

        async def play() -> None:
            await debate.run()
            await panel.close()

        asyncio.run(play())
    return server


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=60)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    servers = {name: played(layout, args.messages, caching=kept) for name, (layout, kept) in LAYOUTS.items()}
    lines = [
        f"{args.messages} messages. Billed: uncached + 0.1 x read + 1.25 x written, in tokens of plain input.",
        "Share: of the same calls where nothing is cached.",
        "",
        "| of | layout | calls | input tokens | read | written | uncached | billed | share | dollars | share |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for of in (*([purpose] for purpose in servers["not cached"].bills), []):
        whole = servers["not cached"].bill(*of)
        for name, server in servers.items():
            bill = server.bill(*of)
            cells = ["".join(of) or "all calls", name]
            counts = (bill.calls, bill.sent, bill.read, bill.written, bill.uncached, bill.billed)
            cells += [f"{count:,.0f}" for count in counts]
            cells += [f"{bill.billed / whole.billed:.3f}", f"{bill.cost:.4f}", f"{bill.cost / whole.cost:.3f}"]
            lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "| words of a reply | input tokens | billed | share | dollars | share |",
        "|---|---|---|---|---|---|",
    ]
    for words in LENGTHS:
        cached, plain = (played(ours, args.messages, caching=kept, words=words).bill() for kept in (True, False))
        tokens = f"{cached.sent:,.0f} | {cached.billed:,.0f} | {cached.billed / plain.billed:.3f}"
        lines.append(f"| {words} | {tokens} | {cached.cost:.4f} | {cached.cost / plain.cost:.3f} |")
    print("\n".join(lines))
    if args.write:
        write_section("caching", "python benchmarks/caching.py --write", "\n".join(lines))


if __name__ == "__main__":
    main()
