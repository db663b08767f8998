"""The same through the engine: planted members debate and vote, and `eda.stress` is to find what was planted, alone.

Each study plants one thing, or nothing: a premise of the briefing that sways all but one, two premises that sway them
together, the order of the ballots, or who speaks first. A member votes for its other option by chance, too.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from eda import Debate, Prompt, Session, Settings, stress
from eda.panels.documents.document import Document
from eda.runners.scripted import ScriptedRunner
from proofs.base import Check, Row, row_of

_STUDIES, _RUNS = 100, 20
_PANEL = ["sceptic", "economist", "historian", "visionary", "pragmatic-engineer"]
_OPTIONS = ("Keep our own nurses", "Sell the service")
_PREMISES = ("Nights cost double", "The rent runs out", "Two lines are spare", "Callers are lost")
_PLANTED = ("premise", "joint", "ballots", "seats", "nothing")


class _Minds(ScriptedRunner):
    """Members who keep the service, unless what was planted is not so."""

    def __init__(self, planted: str, pivots: tuple[str, ...], noise: float) -> None:
        super().__init__(
            lambda prompt: f"{prompt.agent} has read it, in turn {prompt.last}.", ballots=self.vote, declares=False
        )
        self.planted, self.pivots, self.noise = planted, pivots, noise
        self.first: dict[str, str] = {}

    def vote(self, prompt: Prompt) -> Mapping[str, Any]:
        lots = Random(f"{prompt.seed}:{prompt.agent}:{prompt.own}")
        read = "".join(document.text for document in prompt.documents)
        told = prompt.own.partition("not known, wherever")[2].partition("\n")[0]
        gone = [text for text in self.pivots if text in told or text not in read]
        if self.planted == "ballots":
            first = min(_OPTIONS, key=prompt.own.index)
            sell = first != self.first.setdefault(prompt.agent, first)
        elif self.planted == "seats":
            sell = prompt.members[0] != "Ruth"
        else:
            sell = bool(self.pivots) and len(gone) == len(self.pivots)
        stays = prompt.agent == "Walter" and self.planted in ("premise", "joint")
        return {"choice": _OPTIONS[(sell and not stays) != (lots.random() < self.noise)], "reason": "so it is"}


def stressed(size: float = 1.0) -> Row:
    """Return how often what was planted is found, and anything else is called so, by the engine itself."""
    studies, count = max(len(_PLANTED), round(_STUDIES * size)), Counter[str]()
    for number in range(studies):
        _study(Random(f"stressed:{number}"), _PLANTED[number % len(_PLANTED)], count)
    chance = 3 * sqrt(0.05 * 0.95 / (studies / len(_PLANTED)))
    checks = [
        Check(f"planted, not found: {kind}", 0.0, 1 - count[f"{kind} found"] / count[kind], 0.05 + chance)
        for kind in _PLANTED[:-1]
    ]
    checks += [
        Check("others that are called pivots", 0.0, count["false"] / count["other"], 0.05),
        Check("calls beside those with all runs for each arm", 0.0, count["runs"] / count["all runs"], 0.6),
    ]
    return row_of("stressed", f"{studies} debates of {len(_PANEL)} members, {_RUNS} runs of an arm at most", checks)


def _study(lots: Random, planted: str, count: Counter[str]) -> None:
    pivots = tuple(lots.sample(_PREMISES, {"premise": 1, "joint": 2}.get(planted, 0)))
    minds = _Minds(planted, pivots, lots.uniform(0, 0.15))
    briefing = Document("briefing.md", "".join(f"{text}.\n" for text in _PREMISES))
    pair = pivots if planted == "joint" else tuple(lots.sample(_PREMISES, 2))
    wanted = Settings(max_messages=5, floor="round-robin", first_vote=False, terms=False)
    with tempfile.TemporaryDirectory() as folder, Session.create("one", Path(folder)) as session:
        Debate(
            "Who answers the calls?", _PANEL, minds, options=_OPTIONS, documents=[briefing], settings=wanted,
            session=session, seed=lots.randrange(10**6),
        ).run_sync()  # fmt: skip
        if planted == "seats":
            done = asyncio.run(stress(session, minds, only="orders", again=True, runs=_RUNS))
        else:
            rest = [text for text in _PREMISES if text not in pair]
            done = asyncio.run(stress(session, minds, premises=[*pair, *rest], runs=_RUNS))
            both = asyncio.run(stress(session, minds, premises=pair, joint=True, only="premises", runs=_RUNS))
            done = both if planted == "joint" else done
    right = {"premise": pivots, "joint": (" + ".join(pair),), "nothing": ()}.get(planted, (planted,))
    count[planted] += 1
    count[f"{planted} found"] += {*right} <= {each.arm.what for each in done.arms if each.hinges}
    for each in done.arms:
        if each.arm.what not in right and not (each.arm.kind == "joint" and {*pivots} & {*each.arm.what.split(" + ")}):
            count["other"] += 1
            count["false"] += each.hinges
    controls = {each.arm.at for each in done.arms}
    count["runs"] += sum(each.share.of for each in done.arms) + done.control.of
    count["all runs"] += _RUNS * (len(done.arms) + 2 * len(controls))
