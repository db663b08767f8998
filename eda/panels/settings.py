"""How a debate is run: everything about it that a person may choose and that is no persona, question or runner."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticKnownError

from eda.errors import UnknownNameError
from eda.panels.files import in_words
from eda.panels.hearing import Hearing
from eda.panels.registry import FLOORS, PHASES, RULES, STOPS, SUMMARISERS, Registry
from eda.words import Words


class Frozen(BaseModel):
    """A value that cannot be changed and takes no unknown fields.

    What validates a class is built when it is first used: a command needs few of them, and to build all takes as long
    as to import pydantic. A file with many such classes imports no annotations from the future: pydantic would compile
    each of them from text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def of_data(cls, given: object, context: object = None) -> Self:
        """Return the value that data from outside makes.

        Raises:
            UsageError: it is none; the message names the first field that is wrong.
        """
        try:
            return cls.model_validate(given, context=context)
        except ValidationError as error:
            raise in_words(error) from None


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
Takes = Literal["as it is", "with a change", "not at all"]
"""Whether a member would take a text that it has not supported."""


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
        """Return the fields; `beliefs` or `choice` alone is what is asked each round."""
        return {"ask": given} if isinstance(given, str) else given


class Flag(NamedTuple):
    """How a person chooses a setting. Options, keys of files, forms and tools for programs are made from it."""

    help: str
    option: str = ""
    """The option, where it is not `--` and the name; of a setting that it turns off, `--not-...`."""
    metavar: str | None = None
    group: str = "Discussion"
    """Where the help lists it. `Limits` bound what a debate takes: a project's file may not raise them."""
    parts: Registry | None = None
    """Where the names of a part are looked up."""
    limits: str = ""
    """What is limited: the field of `UsageTotals`, or `messages`."""


_RESERVED = "A tenth of it is reserved for the vote."


class Settings(Frozen):
    """How a debate is run. Stored with its first fact, so that a resume runs it the same way.

    A setting is declared here alone: what it does is the help of its `Flag`. One without a flag has no option; a study
    and `eda steer` set it by its name.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    max_messages: Annotated[
        int,
        Flag(
            "Message limit. Default: the panel's, else 24. Half or more are discussion; openings and closings count,"
            " too.",
            group="Limits",
            limits="messages",
        ),
    ] = Field(default=24, ge=1)
    floor: Annotated[FloorName, Flag("How the next speaker is chosen. Default: the format's.", parts=FLOORS)] = (
        "bidding"
    )
    bids: Annotated[
        BidsAsked | None,
        Flag(
            "Ask for bids with one call for each member; together: one call for all; list: such a call serves as many"
            " turns as half of the panel has members. Default: list."
        ),
    ] = Field(default=None, exclude_if=lambda chosen: chosen is None)
    """None: not chosen. A session of which the log says nothing is from before there was the choice, and asked each."""
    rule: Annotated[RuleName | None, Flag("Decision rule. Default: the format's.", group="Decision", parts=RULES)] = (
        None
    )
    stop: Annotated[
        tuple[str, ...], Flag("A stop condition beside those of `eda list formats`. Repeatable.", parts=STOPS)
    ] = Field(default=(), exclude_if=lambda names: not names)
    quorum: Annotated[
        float,
        Flag(
            "A vote is valid if more than this share of members voted. Default: 0.5.", metavar="SHARE", group="Decision"
        ),
    ] = Field(default=0.5, ge=0, lt=1)
    judge: Annotated[
        str, Flag("The member whose choice decides under --rule judge.", metavar="MEMBER", group="Decision")
    ] = ""
    answer: Annotated[
        Literal["one", "list"] | None,
        Flag(
            "The question wants one answer, or a list in which each motion is adopted or not. Default: the format's,"
            " else one.",
            group="Decision",
        ),
    ] = Field(default=None, exclude_if=lambda chosen: chosen is None)
    """Settled before a debate with a ballot begins. None: there is none, or the session is older."""
    ballots: Annotated[
        Literal["schema", "words"],
        Flag(
            "How votes and bids are asked for: by a strict schema where the server takes one, or in words. Default:"
            " schema; a vote then costs one cache write of what all calls share.",
            group="Decision",
        ),
    ] = Field(default="schema", exclude_if=lambda how: how == "schema")
    read_typed: Annotated[
        Literal["model", "exact"],
        Flag(
            "What a person types and no exact reading understands: the cheap model is asked what it states, and the"
            " person whether that is so; or exact readings alone. Default: model.",
            group="Models",
        ),
    ] = Field(default="model", exclude_if=lambda how: how == "model")
    fixed_options: Annotated[
        bool,
        Flag(
            "Only the options given can be voted on; what members propose besides is kept as notes.", group="Decision"
        ),
    ] = Field(default=False, exclude_if=lambda fixed: not fixed)
    first_vote: Annotated[
        bool,
        Flag(
            "Take no private vote on the options before the debate. The report then compares no votes.",
            "--no-first-vote",
            group="Decision",
        ),
    ] = Field(default=True, exclude_if=lambda wanted: wanted)
    terms: Annotated[
        bool | None,
        Flag(
            "Do not ask, two thirds through, those who are not for the leading text what would bring them in.",
            "--no-terms",
            group="Decision",
        ),
    ] = Field(default=None, exclude_if=lambda asked: not asked)
    """None: not chosen. A session of which the log says nothing asks nobody."""
    own_proposals: Annotated[
        bool, Flag("Members may not vote for texts that they wrote.", "--not-own", group="Decision")
    ] = True
    consensus: Annotated[
        float | None,
        Flag("End the discussion once a private poll shows that this share agrees.", metavar="SHARE", group="Decision"),
    ] = Field(default=None, gt=0.5, le=1)
    poll_every: Annotated[int, Flag("Messages between these polls. Default: 6.", group="Decision")] = Field(
        default=6, ge=1
    )
    poll: Poll | None = Field(default=None, exclude_if=lambda poll: poll is None)
    """What members are asked in private along the way, beside all else; None: nothing."""
    hears: Hearing | None = Field(default=None, exclude_if=lambda graph: graph is None)
    """Who hears whom; None: as the format says. What a member has not heard stands in none of its prompts."""
    summary_every: Annotated[int, Flag("Messages per summary. Default: 12.")] = Field(default=12, ge=2)
    summary_style: SummaryStyle = "concise"
    """Of older sessions: summaries are concise."""
    summariser: Annotated[
        str, Flag("Who writes the summaries. Default: the runner's model, if any.", parts=SUMMARISERS)
    ] = Field(default="", exclude_if=lambda name: not name)
    side_exchanges: int = Field(default=3, ge=0)
    """Exchanges of a side talk that the member asked is shown again."""
    full_budget: int = Field(default=8000, ge=200)
    """Tokens of the full context."""
    brief_budget: int = Field(default=600, ge=100)
    """Tokens of the brief context."""
    max_seconds: Annotated[
        float | None,
        Flag(f"Time limit. {_RESERVED}", "--budget-time", "SECONDS", group="Limits", limits="seconds"),
    ] = Field(default=None, gt=0)
    """Wall clock, pauses left out."""
    max_tokens: Annotated[
        int | None, Flag(f"Token limit. {_RESERVED}", "--budget-tokens", group="Limits", limits="tokens")
    ] = Field(default=None, gt=0)
    """Of all calls, in and out."""
    max_cost: Annotated[
        float | None, Flag(f"Spending limit. {_RESERVED}", "--budget", "USD", group="Limits", limits="cost")
    ] = Field(default=None, gt=0)
    """Of all calls whose price is known."""
    call_timeout: Annotated[
        float | None,
        Flag(
            "Seconds that a call may go without progress; it may take five times as long in all. Default: 120.",
            metavar="SECONDS",
            group="Limits",
        ),
    ] = Field(default=None, gt=0, exclude_if=lambda seconds: seconds is None)
    language: Annotated[
        Literal["en", "de"],
        Flag("Language of the talk, the verdict and the report. Default: en.", group="Run and output"),
    ] = Field(default="en", exclude_if=lambda code: code == "en")

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        """Return the settings without one that older sessions have, and that nothing asks for any more."""
        return {key: given[key] for key in given if key != "baseline"} if isinstance(given, dict) else given

    @property
    def words(self) -> Words:
        """The messages of the debate's language."""
        return Words(self.language)

    @property
    def limits(self) -> "Limits":
        """The most that the debate may take, named as `UsageTotals` names what it took."""
        return Limits(self.max_messages, self.max_seconds, self.max_tokens, self.max_cost)


class Limits(NamedTuple):
    """The most that a debate may take; None for no limit."""

    messages: int
    """Openings and closings included."""
    seconds: float | None
    tokens: int | None
    cost: float | None
    """US dollars."""


@dataclass(frozen=True)
class Setting:
    """A setting as the places that offer it need it."""

    name: str
    flag: Flag
    field: FieldInfo

    @property
    def option(self) -> str:
        """The option of the command line."""
        return self.flag.option or f"--{self.name.replace('_', '-')}"

    @property
    def key(self) -> str:
        """The option without its dashes: the name in files, forms and tools, too."""
        return self.option[2:]

    @property
    def negated(self) -> bool:
        """Whether to choose it is to turn it off."""
        return self.key.startswith(("no-", "not-"))

    @property
    def several(self) -> bool:
        """Whether several values can be given."""
        return bool(self.field.default == ())

    @property
    def type(self) -> type:
        """The type of one value: bool, int, float or str."""
        kinds = {self.field.annotation, *get_args(self.field.annotation)}
        return next((kind for kind in (bool, int, float) if kind in kinds), str)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that can be chosen; none where others can, too."""
        kinds = (self.field.annotation, *get_args(self.field.annotation))
        return tuple(word for kind in kinds for word in get_args(kind) if isinstance(word, str))

    @property
    def names(self) -> Sequence[str]:
        """What can be named: the choices, or the parts that are installed; none of parts that only add to others."""
        return self.flag.parts.names() if self.flag.parts is not None and not self.several else self.choices

    def bound(self, *names: str) -> float | None:
        """Return the first of these bounds that there is, such as `ge`."""
        bounds = (getattr(each, name, None) for name in names for each in self.field.metadata)
        return next((each for each in bounds if each is not None), None)

    def as_set(self, value: Any) -> Any:
        """Return the value of the setting where its key has this one: `not-own = true` is `own_proposals = false`."""
        if self.negated:
            with suppress(ValidationError):
                return not TypeAdapter(bool).validate_python(value)
        return [value] if self.several and isinstance(value, str) else value


SETTINGS: Mapping[str, Setting] = {
    name: Setting(name, flag, field)
    for name, field in Settings.model_fields.items()
    for flag in field.metadata
    if isinstance(flag, Flag)
}
"""What a person may choose, by name."""
OFFERED: Mapping[str, Setting] = {each.key: each for each in SETTINGS.values()}
"""The same, by key, as files, forms and tools offer them."""

LIMITS: Sequence[Setting] = [each for each in OFFERED.values() if each.flag.group == "Limits"]
"""Those that bound what a debate takes, which a debate that has begun may have otherwise, too."""


def limit(of: str) -> str:
    """Return the name of the setting that limits `messages`, `seconds`, `tokens` or `cost`."""
    return next(name for name, setting in SETTINGS.items() if setting.flag.limits == of)


def setting_of(key: str, value: Any) -> tuple[str, Any] | None:
    """Return the name and the value of a setting that is chosen by its name or its key; None for another key.

    `budget` and `max_cost` are one, as are `not-own = true` and `own_proposals = false`.
    """
    name, offered = key.replace("-", "_"), OFFERED.get(key.replace("_", "-"))
    if offered is not None:
        return offered.name, offered.as_set(value)
    return (name, value) if name in Settings.model_fields else None
