"""How a debate is run: everything about it that a person may choose and that is no persona, question or runner."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticKnownError

from eda.errors import UnknownNameError
from eda.panels.frozen import Frozen
from eda.panels.hearing import Hearing
from eda.panels.registry import FLOORS, PHASES, RULES, Registry

FROM_FILE = "file"
"""The context of a validation that reads a user's file: the names of parts are looked up there and then.

A saved session is read as it is. A part that is not installed is missed where the debate is set up or goes on.
"""


def _known(registry: Registry) -> AfterValidator:
    def known(name: str, info: ValidationInfo) -> str:
        if info.context == FROM_FILE:
            try:
                registry.get(name)
            except UnknownNameError:
                expected = ", ".join(map(repr, registry.names()))
                raise PydanticKnownError("literal_error", {"expected": expected}) from None
        return name

    return AfterValidator(known)


FloorName = Annotated[str, _known(FLOORS)]
"""A floor policy: see `eda.panels.registry`."""
RuleName = Annotated[str, _known(RULES)]
PhaseKindName = Annotated[
    str, BeforeValidator(lambda part: part if isinstance(part, str) else PHASES.use(part)), _known(PHASES)
]
SummaryStyle = Literal["concise", "conservative"]
BidsAsked = Literal["each", "together", "list"]


class Poll(Frozen):
    """A private poll on the given options, in the same words each time. It ends nothing, and no prompt shows it."""

    every: Literal["round"] | Annotated[int, Field(strict=True, ge=1)] = "round"
    """Messages between two polls; `round`: as many as there are members. One comes before the first message, too, and
    one after the last."""
    ask: Literal["beliefs", "choice"] = "beliefs"
    """`beliefs`: a probability for each option; `choice`: the option that the member holds."""

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, given: object) -> object:
        """Take `beliefs` or `choice` alone for what is asked each round."""
        return {"ask": given} if isinstance(given, str) else given


class Settings(Frozen):
    """How a debate is run. Stored with its first fact, so that a resume runs it the same way.

    Attributes:
        max_messages: Messages in all, openings and closings included: 1 or more, by default 24.
        floor: The floor policy, by default `bidding`; a phase of an agenda may name its own.
        bids: `each`: a call to each member for its bid; `together`: one for all; `list`: one serves as many turns as
            half of the panel has members. None: not chosen. A new debate then takes `list`; a session of which the log
            says nothing is from before there was the choice, and asked each.
        rule: What decides; None for the rule of the agenda.
        stop: Stop conditions beside those that always apply.
        quorum: More than this share of the members must have voted for the vote to count: 0 to below 1, by default 0.5.
        judge: The member whose choice decides under the rule `judge`.
        answer: What the question wants: `one` answer, or a `list` in which each motion is adopted or not by itself.
            None: as the format says; else one where options are given or it is a yes-or-no question, and a list
            otherwise.
        fixed_options: Whether only what was given with the question can be voted on; what members propose besides is
            kept as notes.
        first_vote: Whether a format that has a first ballot takes it: in private, before the first message, on what was
            given.
        own_proposals: Whether a member may vote for its own proposal.
        consensus: Share of the members, above 0.5 to 1, whose private stances agree that ends a discussion; None: no
            polls are taken for it.
        poll_every: Messages between two such polls: 1 or more, by default 6.
        poll: What members are asked in private along the way, beside all else; None: nothing.
        hears: Who hears whom; None: as the format says. What a member has not heard stands in none of its prompts.
        summary_every: Messages a summary covers: 2 or more, by default 12.
        summary_style: `concise` or `conservative`.
        summariser: Who writes the summaries; empty for the model of the runner, where it has one.
        side_exchanges: Exchanges of a side talk that the member asked is shown again: 0 or more, by default 3.
        full_budget: Tokens of the full context: 200 or more, by default 8000.
        brief_budget: Tokens of the brief context: 100 or more, by default 600.
        max_seconds: Wall clock, above 0, pauses left out; None for no limit, as for the next two.
        max_tokens: Of all calls, in and out: 1 or more.
        max_cost: US dollars, above 0, of all calls whose price is known.
        call_timeout: Seconds that a call may go without progress, and a fifth of those that it may take in all; None
            for 120.
        baseline: Whether the command line asks the question without a debate too, once there is a verdict.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    max_messages: int = Field(default=24, ge=1)
    floor: FloorName = "bidding"
    bids: BidsAsked | None = Field(default=None, exclude_if=lambda chosen: chosen is None)
    rule: RuleName | None = None
    stop: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    quorum: float = Field(default=0.5, ge=0, lt=1)
    judge: str = ""
    answer: Literal["one", "list"] | None = Field(default=None, exclude_if=lambda chosen: chosen is None)
    fixed_options: bool = Field(default=False, exclude_if=lambda fixed: not fixed)
    first_vote: bool = Field(default=True, exclude_if=lambda wanted: wanted)
    own_proposals: bool = True
    consensus: float | None = Field(default=None, gt=0.5, le=1)
    poll_every: int = Field(default=6, ge=1)
    poll: Poll | None = Field(default=None, exclude_if=lambda poll: poll is None)
    hears: Hearing | None = Field(default=None, exclude_if=lambda graph: graph is None)
    summary_every: int = Field(default=12, ge=2)
    summary_style: SummaryStyle = "concise"
    summariser: str = Field(default="", exclude_if=lambda name: not name)
    side_exchanges: int = Field(default=3, ge=0)
    full_budget: int = Field(default=8000, ge=200)
    brief_budget: int = Field(default=600, ge=100)
    max_seconds: float | None = Field(default=None, gt=0)
    max_tokens: int | None = Field(default=None, gt=0)
    max_cost: float | None = Field(default=None, gt=0)
    call_timeout: float | None = Field(default=None, gt=0, exclude_if=lambda seconds: seconds is None)
    baseline: bool = Field(default=False, exclude_if=lambda wanted: not wanted)
