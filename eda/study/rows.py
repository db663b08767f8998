"""The rows of a study's tables. Their fields make the columns, the types and the dictionary of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import Field

from eda.panels.settings import Frozen

Status = Literal["ended", "unfinished", "excluded", "failed", "absent"]
Instrument = Literal["ballot", "poll", "survey"]
Vote = Literal["first", "last", "single"]


class Row(Frozen):
    """One row of a table. The description of a field is that of its column."""

    cell: str = Field(description="Id of the cell, which is also the name of its session.")


class CellRow(Row):
    """A cell: one debate, or one control, of a task under one set of levels, an arm and a seed."""

    task: str = Field(description="Id of the task.")
    item: str = Field(description="What the wordings of one task share; the cells of an item are one cluster.")
    arm: str = Field(description="Name of the arm.")
    seed: int = Field(description="Seed of the cell.")
    levels: dict[str, str] = Field({}, description="The level of each factor.")
    status: Status = Field(
        "ended",
        description="`ended`; `unfinished`: cut or paused; `excluded`: a group without all its votes; `failed`: errors "
        "ended it; `absent`: it has no session.",
    )
    reason: str = Field(
        "", description="Why the session ended, is paused or failed; of an `absent` control, which talk it waits for."
    )
    question: str = Field("", description="The question.")
    options: tuple[str, ...] = Field((), description="The options given with the question.")
    answer: str | None = Field(None, description="The true answer; null where the task has none.")
    rule: str = Field("", description="The decision rule of the session.")
    runner: str = Field("", description="What answered the prompts.")
    members: int = Field(0, description="Number of members.")
    messages: int = Field(0, description="Number of messages.")
    calls: int = Field(0, description="Number of calls whose answers were used.")
    input_tokens: int = Field(0, description="Tokens of their prompts.")
    output_tokens: int = Field(0, description="Tokens of their answers.")
    cost: float | None = Field(0.0, description="US dollars of these calls; null where the price of one is unknown.")
    version: str = Field("", description="Version of EDA that began the session; empty where the log does not say.")


class MemberRow(Row):
    """A member of a cell."""

    member: str = Field(description="Title of the member.")
    seat: int = Field(description="Number of the seat, from 0.")
    messages: int = Field(0, description="Number of its messages.")
    words: int = Field(0, description="Number of words of its messages, without move lines.")
    facts: int = Field(0, description="Number of facts that only this seat was told.")
    scripted: bool = Field(False, description="Whether a script plays it: measures of members leave it out.")


class StanceRow(Row):
    """What a member answered when it was asked in private."""

    member: str = Field(description="Title of the member.")
    seat: int = Field(description="Number of its seat, from 0.")
    instrument: Instrument = Field(
        description="`ballot`; `poll`: a poll of the format; `survey`: a poll along the way that nothing in the debate "
        "depends on."
    )
    ask: int = Field(description="Number of the ask within the instrument, from 0.")
    after: int = Field(0, description="Number of the last message before it.")
    choice: str | None = Field(
        None, description="The option it puts first, in the words given with the question; null: none of them."
    )
    right: bool | None = Field(
        None, description="Whether that is the true answer; null where the task has none, or the answer was unusable."
    )
    beliefs: dict[str, float] = Field(
        {}, description="Stated probability of each option; empty where the poll did not ask for it."
    )
    confidence: float | None = Field(None, description="Stated confidence, 0 to 1.")
    score: float | None = Field(None, description="-1 (against) to 1 (for), where the poll is about one proposal.")
    moved_by: int | None = Field(None, description="Number of the message that moved the member, by its own word.")
    shown: tuple[str, ...] = Field((), description="The options in the order in which the member saw them.")
    invalid: bool = Field(False, description="Whether no answer could be read, or none came.")


class MessageRow(Row):
    """A message."""

    number: int = Field(description="Number of the message, from 1.")
    member: str = Field(description="Title of the speaker.")
    seat: int = Field(description="Number of the speaker's seat; -1 where a person who is no member spoke.")
    words: int = Field(description="Number of words, without move lines.")
    sealed: bool = Field(False, description="Whether the others saw it only after the phase.")
    reply_to: int | None = Field(None, description="Number of the message that it answers.")
    names: tuple[str, ...] = Field((), description="The other members that it names.")
    moves: tuple[str, ...] = Field((), description="Kinds of its declared moves.")
    text: str = Field("", description="The text as the others see it.")


class BallotRow(Row):
    """A ballot, whole."""

    member: str = Field(description="Title of the voter.")
    vote: Vote = Field(description="`first`: before the first message; `last`: the vote that decides.")
    choice: str | None = Field(
        None, description="The first choice, in its own words; `none`: it accepts nothing; null: an abstention."
    )
    ranking: tuple[str, ...] = Field((), description="The texts that it accepts, best first.")
    approved: tuple[str, ...] = Field((), description="The texts that it accepts, in any order.")
    also: tuple[str, ...] = Field((), description="The texts to adopt beside the answer.")
    blocked: tuple[str, ...] = Field((), description="The texts that it cannot live with.")
    scores: dict[str, float] = Field({}, description="0 to 10 for each text.")
    reason: str = Field("", description="The reason.")
    invalid: bool = Field(False, description="Whether no answer could be read, or none came.")


class OutcomeRow(Row):
    """What a vote comes to under one rule. Counting again takes no call."""

    vote: Vote = Field(
        description="`first`: the ballots before the first message; `last`: those that decide; `single`: answers "
        "without a debate."
    )
    rule: str = Field(description="The decision rule.")
    own: bool = Field(description="Whether it is the rule of the session.")
    outcome: str | None = Field(
        None, description="What won, in the words given with the question; a list is joined by `; `; null: nothing won."
    )
    right: bool | None = Field(
        None, description="Whether that is the true answer, false where nothing won; null where the task has none."
    )
    condorcet: str | None = Field(
        None, description="The option that beats each other one by pairs; null: there is none."
    )
    cycle: bool = Field(False, description="Whether the best options beat each other in a circle.")
    voters: int = Field(0, description="Number of votes cast.")


class CallRow(Row):
    """A call whose answer was used."""

    purpose: str = Field(description="What it was for: `speak`, `ballot`, `poll`, ...")
    member: str = Field(description="The member asked; empty where it was none.")
    nth: int = Field(description="Number of the call among those of its purpose and member, from 1.")
    model: str = Field(description="The model asked.")
    model_answered: str = Field("", description="The model that answered, by its own word.")
    prompt_sha: str = Field("", description="Hash of the prompt.")
    input_tokens: int = Field(0, description="Tokens of the prompt.")
    output_tokens: int = Field(0, description="Tokens of the answer.")
    cache_read_tokens: int = Field(0, description="Tokens of the prompt that a cache held.")
    cost: float | None = Field(None, description="US dollars; null where the price is unknown.")


class FactRow(Row):
    """A fact that only some seats were told, and what became of it."""

    member: str = Field(description="Title of the member that was told.")
    seat: int = Field(description="Number of its seat.")
    fact: str = Field(description="The fact.")
    said_at: int | None = Field(
        None, description="Number of this member's first message that contains it; null: it never said it."
    )
    heard_at: int | None = Field(
        None, description="Number of the first message of anybody that contains it; null: nobody said it."
    )


ROWS: Mapping[str, type[Row]] = {
    "cells": CellRow,
    "members": MemberRow,
    "stances": StanceRow,
    "messages": MessageRow,
    "ballots": BallotRow,
    "outcomes": OutcomeRow,
    "calls": CallRow,
    "facts": FactRow,
}
"""The row model of each table, by its name."""


Choices = Mapping[str, str | None]
"""The choice of each member, by title in seat order; None for a member that holds none of the options."""


@dataclass(frozen=True)
class CellData:
    """All rows of one cell."""

    cell: CellRow
    members: Sequence[MemberRow] = ()
    stances: Sequence[StanceRow] = ()
    messages: Sequence[MessageRow] = ()
    ballots: Sequence[BallotRow] = ()
    outcomes: Sequence[OutcomeRow] = ()
    calls: Sequence[CallRow] = ()
    facts: Sequence[FactRow] = ()
    rule: str = ""
    """The rule whose outcome counts; empty for the rule of the session."""

    @cached_property
    def asks(self) -> list[dict[str, StanceRow]]:
        """The usable answers of each ask, by member in seat order, of one instrument: the one asked most often.

        Answers to a ballot and to a poll are not compared: another form of the question may bring another answer.
        """
        by_kind: dict[str, dict[int, dict[str, StanceRow]]] = {"ballot": {}, "poll": {}, "survey": {}}
        for row in sorted(self.stances, key=lambda row: row.seat):
            asks = by_kind[row.instrument].setdefault(row.ask, {})
            if not row.invalid:
                asks[row.member] = row
        asked = max(by_kind.values(), key=len)
        return [asked[ask] for ask in sorted(asked)]

    @cached_property
    def trajectory(self) -> list[Choices]:
        """The choices at each ask."""
        return [{who: row.choice for who, row in ask.items()} for ask in self.asks]

    @cached_property
    def steps(self) -> list[tuple[Choices, Choices]]:
        """Each two asks in a row."""
        return list(zip(self.trajectory, self.trajectory[1:], strict=False))

    @cached_property
    def scripted(self) -> set[str]:
        """The members that a script plays, by title."""
        return {row.member for row in self.members if row.scripted}

    @cached_property
    def last(self) -> Choices:
        """The choices of the last ask; empty where nobody was asked."""
        return self.trajectory[-1] if self.trajectory else {}

    def outcome(self, vote: Vote) -> OutcomeRow | None:
        """Return the outcome of a vote under the rule that counts; None where there was no such vote."""
        rows = (row for row in self.outcomes if row.vote == vote)
        return next(
            (row for row in rows if vote == "single" or (row.rule == self.rule if self.rule else row.own)), None
        )
