"""Whether a question in plain words finds its decision: 50 questions over 200 decisions, a fifth of them alike.

`decisions.py [--write]`. The decisions are made from templates and stored as sessions. A question has other words and
forms than its decision, and chatter around it; if the decision has a twin, it names what tells the two apart.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from results import told

from eda.bus import MessageBus
from eda.events import Ballot, BallotCast, BallotText, SessionEnded, SessionStarted, VerdictReached
from eda.panels.persona import Persona
from eda.panels.settings import Settings
from eda.report.overview import decisions
from eda.session import Session

SUBJECTS = {
    "en": (
        ("billing service", "billing"), ("invoicing system", "invoices"), ("product search", "searching"),
        ("login page", "the login"), ("checkout", "checkouts"), ("mail server", "mails"),
        ("weekly reporting", "the weekly reports"), ("mobile app", "our apps"), ("data warehouse", "the warehouse"),
        ("staging environment", "staging"), ("support desk", "support"), ("public documentation", "the docs"),
        ("payroll", "payrolls"), ("onboarding of new staff", "how we onboard"), ("company website", "the site"),
        ("nightly backups", "backing up at night"), ("monitoring of servers", "server monitors"),
        ("customer newsletter", "newsletters"), ("translation of manuals", "translating the manuals"),
        ("stock count", "counting stock"),
    ),
    "de": (
        ("Rechnungen", "die Rechnung"), ("Kundenhotline", "unsere Kundenhotline"), ("Lagerhaltung", "das Lager"),
        ("Webseite", "Webseiten"), ("Lohnabrechnung", "die Lohnabrechnungen"),
    ),
}  # fmt: skip
ACTIONS = {
    "en": (
        ("Should we move the {} to the cloud?", "Move it in spring", "The hardware is old and the lease ends.",
         "what did we decide about moving {} into the cloud"),
        ("Should the {} be rewritten from scratch?", "Keep the old code", "Nobody remembers all the special cases.",
         "did we agree to rewrite {}"),
        ("Who should maintain the {}?", "The platform team", "They are on call already.",
         "who is going to be maintaining {}?"),
        ("Should we buy the {} instead of building it?", "Buy it for a year", "Two vendors offer the same for less.",
         "{}: are we buying or do we build"),
        ("How much may the {} cost a month?", "At most 900 euros", "More than that eats the margin.",
         "what monthly costs did we settle on for {}"),
        ("When do we switch off the old {}?", "At the end of June", "The last contract ends then.",
         "when will the old {} be switched off"),
        ("Should interns work on the {}?", "Only with a mentor", "A mistake there reaches customers.",
         "can an intern work on {}"),
        ("Do we open source the {}?", "Not this year", "The licence of one part is unclear.",
         "what was the verdict on open sourcing {}"),
    ),
    "de": (
        ("Sollen wir {} auslagern?", "Erst nach einem Probelauf", "Der Anbieter ist neu.",
         "was haben wir zum Auslagern beschlossen, {}"),
        ("Wer betreut {}?", "Das Team in Graz", "Dort sitzen die Fachleute.", "wer soll {} betreuen?"),
        ("Was dürfen {} im Monat kosten?", "Höchstens 700 Euro", "Mehr trägt der Umsatz nicht.",
         "welche Kosten im Monat gelten für {}"),
        ("Sollen {} ganz auf Papier verzichten?", "Ja, ab Januar", "Das Archiv ist voll.",
         "haben wir entschieden, bei {} auf Papier zu verzichten"),
    ),
}  # fmt: skip
PLACES = {"en": ("Berlin", "Boston", "the second warehouse", "the night shift"), "de": ("Linz", "Salzburg")}
CHATTER = {
    "en": ("{}", "remind me, {}", "somebody in the meeting asked: {}", "I have to tell the board today: {}"),
    "de": ("{}", "weißt du noch: {}", "der Vorstand fragt heute, {}"),
}
FOR = {"en": "for", "de": "für"}
PANEL = tuple(
    Persona(name=name.lower(), title=name, description="Decides.", instruction="Decide.")
    for name in ("Ana", "Ben", "Cleo")
)
ALIKE, ASKED = 40, 50


class Case(NamedTuple):
    """A decision, and a question in other words that asks for it."""

    question: str
    answer: str
    reason: str
    asks: str
    language: str


def cases(seed: int) -> tuple[list[Case], list[Case]]:
    """Return the decisions, and those that are asked for; a fifth differ from another one by a place alone."""
    chance = random.Random(seed)
    every = [
        Case(question.format(name), answer, reason, asks.format(plain), language)
        for language, subjects in SUBJECTS.items()
        for name, plain in subjects
        for question, answer, reason, asks in ACTIONS[language]
    ]
    own = chance.sample(every, 200 - ALIKE)
    twins = [_twin(each, chance.choice(PLACES[each.language])) for each in chance.sample(own, ALIKE)]
    made = [*own, *twins]
    chance.shuffle(made)
    asked = chance.sample(made, ASKED)
    return made, [each._replace(asks=chance.choice(CHATTER[each.language]).format(each.asks)) for each in asked]


def _twin(case: Case, place: str) -> Case:
    where = f" {FOR[case.language]} {place}?"
    return case._replace(question=case.question[:-1] + where, asks=f"{case.asks.rstrip('?')}{where}")


def store(case: Case, name: str, folder: Path) -> None:
    """Store a decision as the session of a debate that came to it."""
    texts = (BallotText(id="o1", motion="o1", text=case.answer), BallotText(id="o2", motion="o2", text="Wait."))
    ballots = [
        Ballot(agent=each.title, choice=case.answer, approved=(case.answer,), reason=case.reason) for each in PANEL[:2]
    ]
    ballots.append(Ballot(agent="Cleo", choice="Wait.", approved=("Wait.",), reason="It can wait."))
    choices = tuple(text.text for text in texts)
    with Session.create(name, folder) as session:
        MessageBus(session.log).publish(
            SessionStarted(
                session=name, question=case.question, options=choices, members=PANEL, runner="anthropic",
                settings=Settings(language=case.language),
            ),
            *(BallotCast(ballot=each, choices=choices, texts=texts) for each in ballots),
            VerdictReached(
                rule="majority", outcome=case.answer, motion="o1", version="o1", text=case.answer, offered=texts,
                accepted={"o1": ("Ana", "Ben"), "o2": ("Cleo",)},
                tally={case.answer: ("Ana", "Ben"), "Wait.": ("Cleo",)},
                dissent=tuple(ballots[2:]),
            ),
            SessionEnded(reason="done"),
        )  # fmt: skip


def measured(seeds: range) -> Iterator[str]:
    yield "| decisions | questions | right one first | among the first three | first list, s | a later question, ms |"
    yield "|---|---|---|---|---|---|"
    for seed in seeds:
        made, asked = cases(seed)
        names = {case.question: f"d{number}" for number, case in enumerate(made)}
        with tempfile.TemporaryDirectory() as folder:
            for case in made:
                store(case, names[case.question], Path(folder))
            began = time.perf_counter()
            decisions(Path(folder))
            cold, began = time.perf_counter() - began, time.perf_counter()
            places = []
            for case in asked:
                found = [row["session"] for row in decisions(Path(folder), case.asks)]
                right = names[case.question]
                places.append(found.index(right) if right in found else len(made))
                if places[-1]:
                    print(f"    missed: {case.asks!r}: {case.question!r} is {places[-1]}")
            took = (time.perf_counter() - began) / len(asked) * 1e3
        first, three = (sum(place < most for place in places) / len(asked) for most in (1, 3))
        yield f"| {len(made)}, seed {seed} | {len(asked)} | {first:.0%} | {three:.0%} | {cold:.1f} | {took:.0f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    body = "\n".join(measured(range(1, 6)))
    told("decisions", "python benchmarks/decisions.py --write", body, write=parser.parse_args().write)
