"""The servers that speak the Chat Completions API: where each is, and what it does in its own way. They are data."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from eda.panels.frozen import Frozen

OWN_KEY = "EDA_OPENAI_KEY"
"""The environment variable with the key that is sent to an address that the user gives. No other key is."""


class Provider(Frozen):
    """One provider, or one kind of server."""

    name: str
    """What a spec begins with."""
    label: str
    url: str
    """Where it is, unless the user gives another address. Ends before `/chat/completions`."""
    keys: tuple[str, ...]
    """Environment variables that may hold its key, in the order in which they are looked for."""
    own: bool = False
    """Whether it is a server of the user's own: free, in need of no key, and asked what it has if no model is named."""
    schema_where: Literal["always", "unshared"] = "always"
    """Whether a JSON schema is sent always, or only where nothing shared could be found in a cache."""
    max_tokens: str = "max_tokens"
    """Its name of the limit of a reply."""
    seed: str = ""
    """Its name of the seed; empty if none is sent."""
    cost: str = ""
    """The field of its usage with the cost in US dollars; empty if it tells none."""
    cache_marks: str = ""
    """The beginning of names of models whose cache needs marks."""
    with_schema: Mapping[str, Any] = {}
    """Fields sent beside a JSON schema."""
    access: str
    """What to do about a key or account that is refused."""
    models: str
    """What to do about a model that is not there."""
    later: str = "Try again later."
    """What to do about an outage."""

    @property
    def key(self) -> tuple[str, str]:
        """The environment variable that holds its key, and the key; both empty if none is set."""
        keys = ((name, os.environ.get(name, "").strip()) for name in self.keys)
        return next(((name, key) for name, key in keys if key), ("", ""))


@cache
def providers() -> Mapping[str, Provider]:
    """Return all providers by name."""
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: Provider.model_validate({"name": name, **row}) for name, row in rows.items()}
