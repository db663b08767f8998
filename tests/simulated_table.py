"""A table of simulated members without a debate around it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

from eda.events.records import Line, Proposal, Reaction
from eda.panels.documents.document import Document
from eda.panels.persona import Persona, load_persona
from eda.runners.protocol import Prompt
from eda.runners.simulated.runner import SimulatedRunner

SHIPPED = Path(__file__).parent.parent / "personas"
PRODUCT = ("product-manager", "user-researcher", "pragmatic-engineer", "support-lead", "finance-director")
POLICY = ("economist", "public-administrator", "city-resident", "public-health-officer", "small-business-owner")
MONOLITH = "Should we move the monolith to microservices?"
CENTRE = "Should the city close the centre to cars?"
LIBRARY = "How can the library reach more teenagers?"
LEDGER = "Do we need to rewrite the onboarding e-mails this quarter?"
OPTIONS = {
    MONOLITH: ("Move to microservices", "Keep the monolith", "Split out billing only"),
    CENTRE: ("Close the centre to cars", "Keep it open", "Close it on weekends only"),
    LIBRARY: ("Open on Sundays", "Hire a youth worker"),
    LEDGER: (),
}
DEPLOYS = Document(
    "deploys.md",
    """# Deploys
- The monolith deploys twice a week and each deploy takes 47 minutes.
- One deploy in nine was rolled back last quarter.
- Four teams share one database with 312 tables.
- The billing module changed in 61 of the last 100 merges.
- Two engineers know how the release script works.
The hosting bill is 9,400 euros a month. A comparable firm needed 22 months for its split.
""",
)


def seated(names: tuple[str, ...]) -> tuple[Persona, ...]:
    return tuple(load_persona(SHIPPED / f"{name}.md") for name in names)


def answer(prompt: Prompt) -> str:
    return asyncio.run(SimulatedRunner().run(prompt)).text


def data(prompt: Prompt) -> dict:
    return all_data([prompt])[0]


def all_data(prompts: list[Prompt]) -> list[dict]:
    async def answered() -> list[dict]:
        return [dict((await SimulatedRunner().run(prompt)).data or {}) for prompt in prompts]

    return asyncio.run(answered())


def split(text: str) -> tuple[str, list[str]]:
    """Talk and move lines, as the house rules tell them apart."""
    lines = text.split("\n")
    cut = len(lines)
    while cut and re.match(r"\[[A-Z]+[ \]]", lines[cut - 1]):
        cut -= 1
    return "\n".join(lines[:cut]).strip(), lines[cut:]


class Table:
    """A debate with nothing around it: bids or turns in seat order, positions and proposals from the move lines."""

    def __init__(self, question: str, names: tuple[str, ...] = PRODUCT, seed: int = 0, documents=None) -> None:
        self.panel = seated(names)
        self.prompt = Prompt(
            purpose="speak",
            seed=seed,
            question=question,
            options=OPTIONS[question],
            members=tuple(persona.title for persona in self.panel),
            documents=((DEPLOYS,) if question == MONOLITH else ()) if documents is None else documents,
        )
        self.lines: list[Line] = []
        self.moves: list[tuple[str, str]] = []
        self.positions: dict[str, str] = {}
        self.history: list[tuple[str, str]] = []
        self.proposals: dict[str, Proposal] = {}
        self.silent_at: int | None = None

    def ask(self, purpose: str, persona: Persona, phase: str, last: int | None = None, **extra) -> Prompt:
        return replace(
            self.prompt,
            purpose=purpose,
            agent=persona.title,
            persona=persona,
            phase=phase,
            stage=phase,
            last=len(self.lines) if last is None else last,
            lines=() if phase == "opening" else tuple(self.lines),
            positions={} if phase == "opening" else dict(self.positions),
            proposals=() if phase == "opening" else tuple(self.proposals.values()),
            **extra,
        )

    def post(self, persona: Persona, text: str) -> None:
        talk, moves = split(text)
        number = len(self.lines) + 1
        self.lines.append(Line(number, persona.title, talk))
        for order, move in enumerate(moves):
            self.moves.append((persona.title, move))
            kind, target, rest = re.match(r"\[([A-Z]+) ?([^\]]*)\] ?(.*)", move).groups()
            if kind == "POSITION":
                self.positions[persona.title] = rest
                self.history.append((persona.title, rest))
            elif kind in {"PROPOSE", "AMEND"}:
                ident = f"p{number}.{order}"
                self.proposals[ident] = Proposal(ident, number, persona.title, rest, amends=target or None)
            elif kind in {"SUPPORT", "OPPOSE", "UNDECIDED"}:
                old = self.proposals[target]
                others = tuple(each for each in old.reactions if each.agent != persona.title)
                reaction = "neutral" if kind == "UNDECIDED" else kind.lower()
                seen = Reaction(number, persona.title, reaction, to=target)
                self.proposals[target] = replace(old, reactions=(*others, seen))
            elif kind == "WITHDRAW":
                del self.proposals[target]

    def run(self, turns: int = 18) -> Table:
        texts = [answer(self.ask("speak", persona, "opening", 0)) for persona in self.panel]
        for persona, text in zip(self.panel, texts, strict=True):
            self.post(persona, text)
        for _ in range(turns):
            bids = all_data([self.ask("bid", persona, "discussion") for persona in self.panel])
            pairs = zip(bids, self.panel, strict=True)
            wanting = [(bid["urgency"], -seat, persona) for seat, (bid, persona) in enumerate(pairs) if bid["wants"]]
            if not wanting:
                self.silent_at = len(self.lines)
                break
            persona = max(wanting, key=lambda each: each[:2])[2]
            self.post(persona, answer(self.ask("speak", persona, "discussion")))
        for persona in self.panel:
            self.post(persona, answer(self.ask("speak", persona, "closing")))
        return self
