"""How many of the agreements that exist a panel finds: 400 scripted panels whose members keep terms to themselves.

A member accepts a text that has each clause it needs and none that it bars. It proposes a text with one of its needs,
and says for or against each text. The author of the leading text drafts it anew with what others proposed, as far as it
accepts that. What else it needs and bars, a member says only where it is asked what would bring it in; who was told
that, drafts the text that meets the terms of most. `full`: a text exists that all accept; `most`: one that more than
half accept, and none that all do; `none`: no more than half. Under a rule of consent an agreement is one of all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal

from results import write_section

from eda import Debate, Persona, Settings
from eda.events import CallMade, FloorGranted
from eda.runners.protocol import OnText, Prompt, Reply

CLAUSES = (
    "after the tests are green",
    "with a way back",
    "in two stages",
    "paid by the region",
    "without new staff",
    "before the summer",
    "reviewed after a year",
    "by one team alone",
    "with notice to the neighbours",
    "on the old contract",
)
"""What a text may have."""
NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva")
Kind = Literal["full", "most", "none"]
SHARES: tuple[Kind, ...] = ("full", "full", "most", "most", "none")
"""The kinds of panels, in turn."""
FORMATS = ("panel", "mediation")
MESSAGES = 30
ADD, DROP = "add the clause", "leave out the clause"
"""How a member names a change."""


@dataclass(frozen=True)
class Terms:
    """What a member needs in a text, and what it bars."""

    needs: frozenset[str]
    bars: frozenset[str]

    def accepts(self, clauses: Iterable[str]) -> bool:
        """Return whether the member accepts a text of these clauses."""
        return self.needs <= (has := frozenset(clauses)) and not self.bars & has


def kind_of(panel: Sequence[Terms]) -> Kind:
    """Return what kind of agreement exists: the largest group whose terms fit together decides."""
    for size in range(len(panel), len(panel) // 2, -1):
        for group in combinations(panel, size):
            needs = frozenset[str]().union(*(each.needs for each in group))
            if not any(each.bars & needs for each in group):
                return "full" if size == len(panel) else "most"
    return "none"


def panels(count: int, seed: int = 11) -> list[tuple[Terms, ...]]:
    """Return `count` panels of five, their kinds in turn."""
    rng, made = random.Random(seed), []
    while len(made) < count:
        drawn = []
        for _ in NAMES:
            own = rng.sample(CLAUSES, 4)
            needs, bars = rng.choice(((1, 1), (2, 1), (2, 0), (1, 2), (2, 2)))
            drawn.append(Terms(frozenset(own[:needs]), frozenset(own[2 : 2 + bars])))
        if kind_of(drawn) == SHARES[len(made) % len(SHARES)]:
            made.append(tuple(drawn))
    return made


def text_of(clauses: Iterable[str]) -> str:
    """Return a text of these clauses, in their order."""
    return f"Move it {', '.join(each for each in CLAUSES if each in set(clauses))}"


def clauses_of(text: str) -> frozenset[str]:
    """Return the clauses that a text has."""
    return frozenset(each for each in CLAUSES if each in text)


class HiddenTerms:
    """Plays all members of one panel; what a member was told of the others' terms is taken from its prompt alone."""

    summarises = False
    deterministic = True
    terms = True
    spec = "hidden-terms"

    def __init__(self, terms: dict[str, Terms], *, names: bool = False) -> None:
        """Play the members of these terms; each `names` at the end of a speech whom it wants to hear, or none does."""
        self._terms, self._names = terms, names

    async def run(self, prompt: Prompt, _: OnText | None = None) -> Reply:
        """Answer a prompt."""
        if prompt.asked:
            return _data({"bids": [{"agent": each.agent, **self._bid(each)} for each in prompt.each]})
        if prompt.purpose == "terms":
            return _data(self._price(prompt, prompt.about))
        if prompt.purpose in ("bid", "ballot", "poll"):
            return _data(self._bid(prompt) if prompt.purpose == "bid" else self._vote(prompt))
        if prompt.purpose != "speak":
            return _data({})
        speech, whom = self._speech(prompt), self._next(prompt) if self._names else ""
        if self._names and prompt.stage == "discussion" and "[" not in speech:  # it would not have asked for the floor
            return Reply("[PASS]")
        return Reply(speech + (f"\n[NEXT {whom}]" if whom else ""))

    def _next(self, prompt: Prompt) -> str:
        """Return whose answer matters most: who has not said where it stands on the newest text; nobody without one.

        Of several it is who has been silent longest; before anybody was heard, a member drawn by lot.
        """
        others = [who for who in prompt.members if who != prompt.agent]
        if prompt.stage == "opening":
            return random.Random(f"{prompt.seed} {prompt.agent}").choice(others)
        newest = max(prompt.proposals, key=lambda each: each.message, default=None)
        said = {newest.proposer, *(each.agent for each in newest.reactions)} if newest else {*others}
        last = {line.who: line.number for line in prompt.lines}
        return min((who for who in others if who not in said), key=lambda who: last.get(who, 0), default="")

    def _bid(self, prompt: Prompt) -> dict[str, Any]:
        seat = prompt.members.index(prompt.agent)
        return {
            "wants": "[" in self._speech(prompt),
            "urgency": round(0.3 + 0.1 * ((prompt.last + 2 * seat) % 5), 2),
            "reason": "its turn",
        }

    def _vote(self, prompt: Prompt) -> dict[str, Any]:
        mine = self._terms[prompt.agent]
        taken = [each.id for each in prompt.texts if clauses_of(each.text) and mine.accepts(clauses_of(each.text))]
        refused = [each.id for each in prompt.texts if each.id not in taken]
        return {"choice": taken[0] if taken else "none", "ranking": taken, "blocked": refused, "confidence": 0.8}

    def _speech(self, prompt: Prompt) -> str:
        mine = self._terms[prompt.agent]
        talk = f"I have looked at what lies on the table after {prompt.last} messages."
        if prompt.phase == "interests":
            return talk
        first = text_of([min(mine.needs)])
        if prompt.stage != "closing" and all(
            each.proposer != prompt.agent and each.content != first for each in prompt.proposals
        ):
            return f"{talk}\n\n[PROPOSE] {first}"
        moves = [f"[PROPOSE] {text_of(draft)}"] if (draft := self._draft(prompt, mine)) else []
        for each in prompt.proposals:
            stands = next((one.reaction for one in each.reactions if one.agent == prompt.agent), None)
            wanted = "support" if mine.accepts(clauses_of(each.content)) else "oppose"
            if each.proposer != prompt.agent and stands != wanted:
                moves.append(f"[{wanted.upper()} {each.id}]")
        return "\n\n".join(part for part in (talk, "\n".join(moves[:8])) if part)

    def _draft(self, prompt: Prompt, mine: Terms) -> frozenset[str]:
        """Return a new text that the member accepts: by what it was told, else, as leading author, by what it saw."""
        there = [clauses_of(each.content) for each in prompt.proposals]
        if not there or prompt.stage == "closing":
            return frozenset()
        leading = max(prompt.proposals, key=lambda each: (len(each.backers("support")), -each.message))
        told, base = told_in(prompt.text), (clauses_of(leading.content) | mine.needs) - mine.bars
        if told:
            wanted = reaching_most(base, mine, told)
        else:
            wanted = (base | frozenset().union(*there)) - mine.bars if leading.proposer == prompt.agent else base
        idle = not told and leading.proposer != prompt.agent
        return frozenset() if idle or wanted in there or not mine.accepts(wanted) else wanted

    def _price(self, prompt: Prompt, text: str) -> dict[str, Any]:
        """Return the least change of a text that would bring the member in."""
        mine, has = self._terms[prompt.agent], clauses_of(text)
        changes = [f"{ADD} {each}" for each in sorted(mine.needs - has)] + [
            f"{DROP} {each}" for each in sorted(mine.bars & has)
        ]
        return {"takes": "with a change" if changes else "as it is", "change": "; ".join(changes)}


def told_in(text: str) -> list[Terms]:
    """Return the terms that a prompt tells, a member each."""
    lines = [line for line in text.splitlines() if ADD in line or DROP in line]
    return [
        Terms(
            frozenset(each for each in CLAUSES if f"{ADD} {each}" in line),
            frozenset(each for each in CLAUSES if f"{DROP} {each}" in line),
        )
        for line in lines
    ]


def reaching_most(base: frozenset[str], mine: Terms, told: Sequence[Terms]) -> frozenset[str]:
    """Return the text that meets the terms of as many as can be met together, and the member's own."""
    for size in range(len(told), 0, -1):
        for group in combinations(told, size):
            added = base.union(*(each.needs for each in group))
            text = added.difference(*(each.bars for each in group))
            if mine.accepts(text) and all(each.accepts(text) for each in group):
                return text
    return base


def _data(data: dict[str, Any]) -> Reply:
    return Reply(json.dumps(data), data=data)


@dataclass(frozen=True)
class Debated:
    """What came of one debate."""

    found: bool
    """The agreement that exists: by all where one of all exists, by more than half where one of most does."""
    messages: int
    against: int
    """Members whose ballot accepts the adopted text against their terms."""
    outcome: frozenset[str]
    """The clauses of the adopted text; none where nothing was adopted."""
    calls: int
    fewest: int
    """Turns of the member that had the fewest in the discussion."""


async def debated(panel: Sequence[Terms], agenda: str, seed: int, *, asked: bool, names: bool) -> Debated:
    """Debate once."""
    terms = dict(zip(NAMES, panel, strict=True))
    members = [
        Persona(name=name.lower(), title=name, role="a member", description="A member.", instruction="Decide.")
        for name in NAMES
    ]
    settings = Settings.model_validate({"max_messages": MESSAGES, "answer": "one", "terms": asked})
    debate = Debate(
        "How should it be moved?", members, HiddenTerms(terms, names=names), agenda=agenda, settings=settings, seed=seed
    )
    result = await debate.run()
    verdict = result.verdict
    won = verdict is not None and verdict.outcome is not None
    adopted = clauses_of(verdict.text) if won else frozenset()
    takers = [who for who in NAMES if won and terms[who].accepts(adopted)]
    wanted = {"full": len(NAMES), "most": len(NAMES) // 2 + 1, "none": len(NAMES) + 1}[kind_of(panel)]
    voted = verdict.accepted.get(verdict.version, ()) if won else ()
    facts = list(debate.session.events())
    turns = Counter(fact.agent for fact in facts if isinstance(fact, FloorGranted))
    calls = sum(isinstance(fact, CallMade) for fact in facts)
    against = sum(who not in takers for who in voted)
    fewest = min(turns[who] for who in NAMES)
    return Debated(len(takers) >= wanted, result.messages, against, adopted, calls, fewest)


async def measured(count: int, agenda: str, *, asked: bool, names: bool) -> dict[Kind, list[Debated]]:
    """Return what came of `count` panels, by their kinds; each `asked` for terms or not."""
    by_kind: dict[Kind, list[Debated]] = defaultdict(list)
    for seed, panel in enumerate(panels(count)):
        by_kind[kind_of(panel)].append(await debated(panel, agenda, seed, asked=asked, names=names))
    return by_kind


ARMS = ((False, False), (True, False), (True, True))
"""Whether members are asked for terms, and whether they name who is next."""


HEADS = (
    "format",
    "asked for terms",
    "who is next",
    "agreement that exists",
    "panels",
    "found",
    "same text as by bids",
    "messages",
    "calls a message",
    "fewest turns",
    "votes against own terms",
)


def table(count: int) -> str:
    """Return the table."""
    rows = [
        f"| {' | '.join(HEADS)} |",
        "|---" * len(HEADS) + "|",
    ]
    bids: dict[tuple[str, str], list[Debated]] = {}
    for agenda, (asked, names) in product(FORMATS, ARMS):
        for kind, came in asyncio.run(measured(count, agenda, asked=asked, names=names)).items():
            beside = bids.setdefault((agenda, kind), came) if names else came
            bids[agenda, kind] = beside
            rows.append(f"| {' | '.join(_cells(agenda, kind, came, beside, asked=asked, names=names))} |")
    return "\n".join(rows)


def _cells(
    agenda: str, kind: Kind, came: Sequence[Debated], beside: Sequence[Debated], *, asked: bool, names: bool
) -> Sequence[str]:
    """Return a row; `beside` has the same panels with bids."""
    of, messages = len(came), sum(each.messages for each in came)
    exists = kind == "full" or (kind == "most" and agenda != "mediation")
    same = sum(one.outcome == other.outcome for one, other in zip(came, beside, strict=True))
    cells = (
        *(agenda, "yes" if asked else "no", "named" if names else "bids", kind, of),
        f"{sum(each.found for each in came) / of:.3f}" if exists else "",
        f"{same / of:.3f}" if names else "",
        *(f"{messages / of:.1f}", f"{sum(each.calls for each in came) / messages:.2f}"),
        *(min(each.fewest for each in came), sum(each.against for each in came)),
    )
    return [*map(str, cells)]


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--panels", type=int, default=400)
    options.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    given = options.parse_args()
    made = table(given.panels)
    print(made)
    if given.write:
        write_section("deliberation", "make deliberation", made)
