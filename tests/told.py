"""A short debate, told as facts: what members said, voted and cost is known word for word."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from fake_anthropic import FakeAnthropic

from eda import ConversationMemory, MessageBus, MessagePosted, PhaseStarted, Session, VerdictReached
from eda.cli.terminal.verdict import count_page, labelled
from eda.debate.state import DebateState
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, CallMade, Event, SessionEnded, SessionStarted, SummaryWritten
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.agenda import load_agenda
from eda.panels.persona import Persona
from eda.runners.messages_api.anthropic import AnthropicRunner
from eda.words import ENGLISH, Words

T = TypeVar("T")
QUESTION = "Should we move billing out of the monolith this quarter?"
MOVE, WAIT = "Move it this quarter", "Wait and fix the test suite first"
CHOICES = (MOVE, WAIT)
_TOLD = """\
Ada: The window is six hours and the batch takes five. I want it out. // [POSITION] Move it this quarter, because \
the batch no longer fits its window.
Ben: One run of the suite in six fails for no reason. // [POSITION] Wait and fix the test suite first, because \
nobody would trust the comparison.
Cleo: Two engineers know the code, and one leaves in March. // [POSITION] Move it this quarter, because in March the\
 knowledge is gone.
Dan: I look at the money. // [POSITION] Move it this quarter, because the contracts name July.
Eve: Customers see invoices, not services. // [POSITION] Wait and fix the test suite first, because a wrong invoice \
costs us more than a late one.
Ben: Cleo, five weeks of tests keep what Oskar knows better than eleven weeks of a rewrite do. Who owns month end \
while both run?
Cleo: Ben is right that the tests would hold what Oskar knows. I would move once the suite covers 70 % of the code. \
// [SUPPORT p4.0] it keeps July
Ada: The risk of waiting is that Oskar is gone before anything is written down. Nobody owns month end today either.
Dan: If the accountants could live with August I would reconsider. // [POSITION] Wait and fix the test suite first, \
because five weeks still leave July within reach.
Eve: I worry about two systems that both send invoices. // [POSITION] Wait and fix the test suite first, because a \
wrong invoice costs us more than a late one.
"""
TALK = tuple(
    (who, said.replace(" // ", "\n\n")) for who, _, said in (line.partition(": ") for line in _TOLD.splitlines())
)
"""Who said what; the openings first, one of each member."""


def persona(title: str, role: str) -> Persona:
    return Persona(name=title.lower(), title=title, role=role, description="Sits.", instruction="You sit.")


MEMBERS = tuple(
    persona(title, role)
    for title, role in (
        ("Ada", "engineer"),
        ("Ben", "tester"),
        ("Cleo", "architect"),
        ("Dan", "finance director"),
        ("Eve", "support lead"),
    )
)
REASONS = {
    "Ada": "The batch will miss its window before the tests are done.",
    "Ben": "Without tests we could not tell whether the copy is right.",
    "Cleo": "The tests keep what Oskar knows.",
    "Dan": "Five weeks still leave July within reach.",
    "Eve": "Two systems that both send invoices would cost us customers.",
}


class Told:
    """A session in the making, with what memory and agenda make of it."""

    def __init__(self, session: Session | None = None, talk: Sequence[tuple[str, str]] = TALK, **fields: Any) -> None:
        self.session = session or Session.in_memory()
        self.progress, self.memory = DebateState(), ConversationMemory(fact=self.session.fact)
        self._publish = MessageBus(self.session.log, self._fold).publish
        start = SessionStarted(
            **{
                "session": self.session.name,
                "question": QUESTION,
                "options": CHOICES,
                "members": MEMBERS,
                "runner": "simulated",
                "agenda": load_agenda("panel"),
                **fields,
            }
        )
        self.tell(start, PhaseStarted(phase="opening"))
        self.say(talk)

    def say(self, talk: Sequence[tuple[str, str]]) -> None:
        """What is said next; of the first message on, the openings sealed."""
        members = len(self.progress.members)
        for number, (who, text) in enumerate(talk, self.progress.messages + 1):
            if number == members + 1:
                self.tell(PhaseStarted(phase="discussion", why="done"))
            opening = number <= members
            self.tell(
                MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict(), sealed=opening),
                CallMade(purpose="speak", agent=who, model="sonnet", input_tokens=900, output_tokens=100, cost=0.01),
            )

    def _fold(self, event: Event) -> Any:
        self.progress.fold(event)
        return self.memory.fold(event)

    def tell(self, *facts: Event) -> Told:
        """What happened next."""
        self._publish(*facts)
        return self

    def summed_up(self, text: str) -> Told:
        """A summary of all that was said."""
        return self.tell(SummaryWritten(first=1, last=len(TALK), text=text))

    def votes(self, choices: Sequence[str] = CHOICES, **by: str | None) -> Told:
        """Everybody votes; the verdict is counted, and the session ends."""
        cast = {"Ada": MOVE, "Ben": WAIT, "Cleo": WAIT, "Dan": WAIT, "Eve": WAIT, **by}
        self.tell(PhaseStarted(phase="ballot", why="messages"))
        for who, choice in cast.items():
            ballot = Ballot(agent=who, choice=choice, reason=REASONS[who] if choice else "")
            self.tell(BallotCast(ballot=ballot, choices=tuple(choices)))
        self.tell(PhaseStarted(phase="verdict", why="done"))
        return self.tell(verdict_of(self.progress, self.memory), SessionEnded(reason="messages"))

    @property
    def verdict(self) -> VerdictReached:
        """What the votes came to."""
        assert self.progress.verdict is not None
        return self.progress.verdict


async def asked(fake: FakeAnthropic, work: Callable[[AnthropicRunner], Awaitable[T]]) -> T:
    """What comes of work with a runner that asks the fake server."""
    runner = AnthropicRunner(api_key="k", base_url=fake.url, attempts=1)
    try:
        return await work(runner)
    finally:
        await runner.close()


def verdict_lines(verdict: VerdictReached, words: Words = ENGLISH) -> list[str]:
    """What a count tells of a decision in lines, the answer first."""
    return labelled(count_page(verdict, words)["verdict"], words)
