"""What is known of each model: price, thinking, effort. The one rule: it is data, and what is not known is not guessed.

A model that the table does not list is asked in the plainest way, and its cost is unknown, not nothing.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import date
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from eda.protocols import Usage

__all__ = ["FREE", "LongPrice", "Model", "ModelTable", "Price", "look_up", "model_table"]

_CACHE_WRITE = 1.25
"""A cache write that lives five minutes, in inputs."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Price(_Data):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)


FREE = Price(input=0, output=0, cache_read=0)
"""Of a server of the user's own."""


class LongPrice(Price):
    """What a call costs whose prompt is longer than `above` tokens."""

    above: int = Field(gt=0)


class Model(_Data):
    """One model. The defaults are what is safe to assume of an unknown one."""

    id: str
    aliases: tuple[str, ...] = ()
    price: Price | None = None
    long: LongPrice | None = None
    cache_floor: int | None = None
    """Tokens; a shorter prefix is not cached, and nobody says so."""
    thinking_off: str | None = None
    """The `thinking.type` that keeps it from thinking; None where there is none, or none is known."""
    effort: bool = False
    """Whether `output_config.effort` is understood."""
    structured: bool = False
    """Whether `output_config.format` is understood; if not, JSON is asked for in the prompt."""

    def priced(self, usage: Usage, *, counted: bool = True) -> Usage:
        """The same usage of one call, with what it cost; unknown where nobody counted and the model is not free."""
        price = self.long if self.long is not None and usage.prompt_tokens > self.long.above else self.price
        if price is None or not (counted or price == FREE):
            return replace(usage, cost=None)
        inputs = usage.input_tokens + _CACHE_WRITE * usage.cache_write_tokens
        millions = inputs * price.input + usage.cache_read_tokens * price.cache_read
        return replace(usage, cost=(millions + usage.output_tokens * price.output) / 1_000_000)


class ModelTable(_Data):
    """The models that are known, and when somebody last checked."""

    checked: date
    model: tuple[Model, ...]


@cache
def model_table() -> ModelTable:
    """The table that comes with EDA."""
    text = files("eda.runners").joinpath("models.toml").read_text(encoding="utf-8")
    return ModelTable.model_validate(tomllib.loads(text))


def look_up(name: str) -> Model:
    """The model of that id or alias; of an unknown one what is safe to assume, under the name given."""
    wanted = name.strip()
    bare = re.sub(r"-20\d{6}$", "", wanted.lower())
    for model in model_table().model:
        if bare == model.id or bare in model.aliases:
            return model if wanted.lower() == bare else model.model_copy(update={"id": wanted})
    return Model(id=wanted)
