"""`DebateRequest`: a debate that somebody asks for, by names; `eda.debate.prepared` makes it ready."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Base64Bytes, BeforeValidator, Field, model_validator

from eda.errors import UnknownNameError
from eda.panels.agenda import agenda_names
from eda.panels.documents.read import MOST_FILES
from eda.panels.settings import SETTINGS, Frozen, setting_of
from eda.words import fault

DEFAULT_PANEL = "product-decision"
MODELS = ("speak_model", "cheap_model", "fallback_model", "temperature", "top_p")
"""What of its models a runner may be told, as keys of a request."""
# What names files, addresses or code.
_OF_THE_MACHINE = ("context", "prompts", "personas_dir", "panels_dir", "runner", "models", "seats")


def _lines(given: object) -> object:
    """Return the lines of a text, without the empty ones; anything else as it is."""
    if not isinstance(given, str):
        return given
    return tuple(filter(None, (" ".join(line.split()) for line in given.splitlines())))


Lines = Annotated[tuple[str, ...], BeforeValidator(_lines)]
"""Texts; one text is its lines."""


class Upload(Frozen):
    """A file that is sent with the question."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    data: Base64Bytes


class DebateRequest(Frozen):
    """What a command, a study, a page, a client of MCP or a script asks for.

    A setting may stand beside the fields, by its name or its key: it goes into `settings`, as the models go into
    `models`. What is None or left out is as the panel has it, else as EDA has it.
    """

    question: Annotated[str, Field(description="What the panel debates")]
    options: Annotated[Lines, Field(description="Two or more to vote on")] = ()
    panel: Annotated[str, Field(description=f"The panel's name. Default: {DEFAULT_PANEL}")] = ""
    personas: Annotated[Lines, Field(description="Two or more to seat, instead of a panel")] = ()
    format: Annotated[str, Field(description="Debate format, such as panel or red-team")] = ""
    names: Literal["shown", "hidden"] = "shown"
    """`hidden`: members do not know each other's names."""
    text: Annotated[str, Field(max_length=1_000_000, description="A text that every member is given")] = ""
    documents: Annotated[tuple[Upload, ...], Field(max_length=MOST_FILES)] = ()
    context: Lines = ()
    """Files, folders and pages that every member is given; `-` is the standard input."""
    settings: Mapping[str, Any] = Field(default_factory=dict)
    """What is chosen, by the names of `Settings`."""
    seed: Annotated[int, Field(ge=0, description="Seed for lots")] = 0
    facts: Mapping[str, Sequence[str]] = Field(default_factory=dict)
    """What only one member is told, by its title or name."""
    stances: Mapping[str, str] = Field(default_factory=dict)
    """The option that a member opens for, by its title or name."""
    runner: str = ""
    """Who answers; empty for the default."""
    models: Mapping[str, Any] = Field(default_factory=dict)
    """The models of the runner: `speak`, `cheap`, `fallback`, `temperature`, `top_p`."""
    seats: Lines = ()
    """Models of single members: `NAME=SPEC`."""
    prompts: str = ""
    """A folder of prompt texts."""
    personas_dir: Path | None = None
    panels_dir: Path | None = None
    human: str | None = None
    """Who takes a seat."""
    invite: Lines = ()
    """Who else is invited to a seat."""
    human_time: Annotated[float, Field(gt=0)] | None = None
    """Seconds that each of them has to answer."""

    @model_validator(mode="before")
    @classmethod
    def _sorted(cls, given: Any) -> Any:
        """Return the fields with settings and models where they belong."""
        if not isinstance(given, Mapping):
            return given
        request = {key.replace("-", "_"): value for key, value in given.items() if value is not None}
        settings, models = dict(request.pop("settings", {})), dict(request.pop("models", {}))
        for key in [*request]:
            if key in MODELS:
                models[key.removesuffix("_model")] = request.pop(key)
            elif key not in cls.model_fields and (chosen := setting_of(key, request[key])) is not None:
                del request[key]
                settings[chosen[0]] = chosen[1]
        return {**request, "settings": settings, "models": models}

    @classmethod
    def of(cls, given: object) -> Self:
        """Return the request that data from outside makes; see `of_data`."""
        return cls.of_data(given)

    def by_names_alone(self) -> Self:
        """Return the request, where it names nothing but what is installed: no file, no address and no module.

        Raises:
            UsageError: it names something else; that is for who runs the server to choose.
        """
        for name in _OF_THE_MACHINE:
            if getattr(self, name):
                raise fault("error-for-the-server", name=name)
        if self.format and self.format not in agenda_names():
            raise UnknownNameError("format", self.format, agenda_names())
        for name, value in self.settings.items():
            parts = SETTINGS[name].flag.parts if name in SETTINGS else None
            for part in value if isinstance(value, list | tuple) else [value]:
                if parts is not None and ":" in str(part):
                    raise UnknownNameError(parts.kind, str(part), parts.names())
        return self
