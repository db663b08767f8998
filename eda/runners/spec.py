"""Which models a runner asks, as one line that a session keeps.

anthropic[:SPEAK[+CHEAP]][,fallback=MODEL]
local:URL[#SPEAK[+CHEAP]][,fallback=MODEL][,temperature=T][,top-p=P]
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from eda.errors import UsageError
from eda.protocols import Prompt

__all__ = ["INHERIT", "ModelSpec", "asks_models", "wished"]

INHERIT = "inherit"
"""In place of a model's name: the speaker's."""
_OPTION = re.compile(r",([a-z-]+)=([^,]*)\Z")
_OPTIONS = {"fallback": "fallback", "temperature": "temperature", "top-p": "top_p"}
_MODEL = re.compile(r"[^\s,+#]{1,200}")
_LOCAL_HINT = "Write it as local:http://127.0.0.1:8080, or local:URL#MODEL."


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Where models are asked, and which. Empty names stand for the usual ones."""

    name: str
    """`anthropic` or `local`."""
    url: str = ""
    speak: str = ""
    cheap: str = ""
    fallback: str = ""
    temperature: float | None = None
    """From 0 to 2; for a local server only."""
    top_p: float | None = None
    """Over 0, up to 1; for a local server only."""

    @classmethod
    def parse(cls, spec: str) -> ModelSpec:
        """Read it.

        Raises:
            UsageError: it is none, or says what its runner does not take.
        """
        name, colon, rest = spec.strip().partition(":")
        if "," in name:
            name, _, options = name.partition(",")
            rest = f",{options}{colon}{rest}"
        elif colon and not rest:
            raise UsageError(
                f"the runner {spec!r} names no model", hint="Write anthropic, anthropic:MODEL or local:URL."
            )
        given: dict[str, str | float] = {}
        while (option := _OPTION.search(rest)) is not None:
            key, value = option[1], option[2].strip()
            if key not in _OPTIONS or not value:
                raise UsageError(f"the runner {spec!r} has an option that is none: {key}={value}", hint=_known())
            given[_OPTIONS[key]] = value if key == "fallback" else _number(key, value)
            rest = rest[: option.start()]
        url, _, models = rest.partition("#") if name == "local" else ("", "", rest)
        speak, _, cheap = models.partition("+")
        return cls(name, url=url, speak=speak.strip(), cheap=cheap.strip()).changed(**given)

    def changed(self, **given: str | float | None) -> ModelSpec:
        """The same, but for what is given: `speak`, `cheap`, `fallback`, `temperature`, `top_p`."""
        return replace(self, **{key: value for key, value in given.items() if value is not None}).checked()  # type: ignore[arg-type]  # each its own type

    def checked(self) -> ModelSpec:
        """The same, with a plain URL.

        Raises:
            UsageError: a name or number that is none, or a URL that cannot be asked.
        """
        for model in (self.speak, self.cheap, self.fallback):
            if model.startswith("sk-"):
                raise UsageError("a key was given where the name of a model goes", hint="Keys go into the environment.")
            if model and not _MODEL.fullmatch(model):
                raise UsageError(f"{model!r} is no name of a model", hint="No spaces, commas, plus signs or #.")
        if self.name != "local":
            if self.temperature is not None or self.top_p is not None:
                raise UsageError("Claude takes no temperature and no top-p", hint="They are for --runner local:URL.")
            return self
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise UsageError(f"a temperature of {self.temperature:g} is none", hint="Give one from 0 to 2.")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise UsageError(f"a top-p of {self.top_p:g} is none", hint="Give one over 0, up to 1.")
        return replace(self, url=_plain(self.url))

    def __str__(self) -> str:
        models = f"{self.speak}+{self.cheap}" if self.cheap else self.speak
        head = f"{self.name}:{models}" if models else self.name
        if self.name == "local":
            head = f"local:{self.url}#{models}" if models else f"local:{self.url}"
        given = {key: getattr(self, ours) for key, ours in _OPTIONS.items()}
        return head + "".join(
            f",{key}={value:g}" if isinstance(value, float) else f",{key}={value}"
            for key, value in given.items()
            if value not in (None, "")
        )


def asks_models(spec: str) -> bool:
    """Whether the runner of that spec is one that asks models, so that `ModelSpec` reads it."""
    return spec.partition(":")[0].partition(",")[0].strip() in ("anthropic", "local")


def wished(prompt: Prompt) -> str:
    """The model that the persona asks for; empty where it asks for none of its own."""
    wish = (prompt.persona.model or "").strip() if prompt.persona is not None else ""
    return "" if wish.lower() == INHERIT else wish


def _plain(url: str) -> str:
    """The URL without `/v1`, which the client adds.

    Raises:
        UsageError: it is none, or holds a password or a query, which a session would keep.
    """
    try:
        parts = urlsplit(url.strip())
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        shown = "what was given" if "@" in url or "?" in url else repr(url)  # it may hold a password or a key
        raise UsageError(f"{shown} is no URL of a server", hint=_LOCAL_HINT)
    if parts.username is not None or parts.query:
        hint = "A key goes into the environment variable EDA_LOCAL_KEY."
        raise UsageError(
            "the URL of a local server holds a name, password or query, which the session would keep", hint=hint
        )
    return url.strip().rstrip("/").removesuffix("/v1").rstrip("/")


def _number(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{key}={value} is no number")
    return number


def _known() -> str:
    return f"Known: {', '.join(_OPTIONS)}."
