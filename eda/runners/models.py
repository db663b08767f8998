"""Which models a runner asks, as one line that the session stores; and the table of models: price, thinking, effort.

anthropic[:SPEAK[+CHEAP]][,fallback=MODEL]
local:URL[#SPEAK[+CHEAP]][,fallback=MODEL][,temperature=T][,top-p=P]
PROVIDER:[URL#]SPEAK[+CHEAP][,fallback=MODEL][,temperature=T][,top-p=P], for each of `providers`
claude-code[:SPEAK[+CHEAP]][,fallback=MODEL], codex[:SPEAK[+CHEAP]][,fallback=MODEL], acp:COMMAND

The table is data, and nothing unknown is guessed. A model that it does not list is asked in the plainest way, and its
cost is unknown, not zero.
"""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field

from eda.errors import UsageError
from eda.panels.allowed import PROGRAMS
from eda.panels.settings import Frozen
from eda.runners.protocol import Prompt, Purpose, Usage
from eda.text import regex

OWN_KEY = "EDA_OPENAI_KEY"
"""The environment variable with the key that is sent to an address that the user gives. No other key is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider, or one kind of server."""

    name: str
    """What a spec begins with."""
    label: str
    url: str
    """Where it is, unless the user gives another address. Ends before `/chat/completions`."""
    keys: Sequence[str]
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
    with_schema: Mapping[str, Any] = field(default_factory=dict)
    """Fields sent beside a JSON schema."""
    access: str
    """What to do about a key or account that is refused."""
    models: str
    """What to do about a model that is not there."""
    later: str = "Try again later."
    """What to do about an outage."""
    address: str = ""
    """What to do about an address that cannot be used."""

    @property
    def key(self) -> tuple[str, str]:
        """The environment variable that holds its key, and the key; both empty if none is set."""
        keys = ((name, os.environ.get(name, "").strip()) for name in self.keys)
        return next(((name, key) for name, key in keys if key), ("", ""))


@cache
def providers() -> Mapping[str, Provider]:
    """Return all providers by name."""
    return {name: Provider(name=name, **row) for name, row in _table("providers").items()}


INHERIT = "inherit"
"""Stands for the speaker's model."""
_OPTION = regex(r",([a-z-]+)=([^,]*)\Z")
_OPTIONS = {"fallback": "fallback", "temperature": "temperature", "top-p": "top_p"}
_NUMBER, _LEAST = regex(r"\d*\.?\d+"), 0.001
_MODEL = regex(r"[^\s,+#]{1,200}")
LOCAL_HINT = "Write it as local:http://127.0.0.1:8080, or local:URL#MODEL."


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The server, and the models to ask there. Empty names stand for the usual ones."""

    name: str
    """`anthropic`, `local`, that of a provider, or one of `PROGRAMS`."""
    url: str = ""
    speak: str = ""
    cheap: str = ""
    fallback: str = ""
    temperature: float | None = None
    """From 0 to 2; not for Claude."""
    top_p: float | None = None
    """Over 0, up to 1; not for Claude."""

    @property
    def endpoint(self) -> str:
        """The URL of the API: that of `local` is written without `/v1`."""
        return f"{self.url}/v1" if self.name == "local" else self.url

    @classmethod
    def parse(cls, spec: str) -> "ModelSpec":
        """Return what a line says.

        Raises:
            UsageError: it is malformed, or has an option that its runner does not take.
        """
        name, colon, rest = spec.strip().partition(":")
        if name == "acp":
            return cls(name, speak=rest.strip())  # a command may hold what separates models and options
        if "," in name:
            name, _, options = name.partition(",")
            rest = f",{options}{colon}{rest}"
        elif colon and not rest:
            if name == "local":
                raise UsageError(f"the runner {spec!r} names no server", hint=LOCAL_HINT)
            raise UsageError(f"the runner {spec!r} names no model", hint=f"Write it as {name}:MODEL.")
        given: dict[str, str | float] = {}
        while (option := _OPTION.search(rest)) is not None:
            key, value = option[1], option[2].strip()
            if key not in _OPTIONS or not value:
                raise UsageError(
                    f"the runner {spec!r} has an option that is none: {key}={value}",
                    hint=f"Known: {', '.join(_OPTIONS)}.",
                )
            given[_OPTIONS[key]] = value if key == "fallback" else float(value if _NUMBER.fullmatch(value) else "nan")
            rest = rest[: option.start()]
        address = name == "local" or rest.startswith(("http://", "https://"))
        url, _, models = rest.partition("#") if address and name in providers() else ("", "", rest)
        speak, _, cheap = models.partition("+")
        return cls(name, url=url, speak=speak.strip(), cheap=cheap.strip()).changed(**given)

    def changed(self, **given: str | float | None) -> "ModelSpec":
        """Return a copy with other values of `speak`, `cheap`, `fallback`, `temperature`, `top_p`."""
        return replace(self, **{key: value for key, value in given.items() if value is not None}).checked()  # type: ignore[arg-type]  # each its own type

    def checked(self) -> "ModelSpec":
        """Return a copy with a plain URL.

        Raises:
            UsageError: a malformed name, a number out of range, or a URL that cannot be used.
        """
        for model in (self.speak, self.cheap, self.fallback):
            if model.startswith("sk-"):
                raise UsageError("a key was given where the name of a model goes", hint="Keys go into the environment.")
            if model and not _MODEL.fullmatch(model):
                raise UsageError(f"{model!r} is no name of a model", hint="No spaces, commas, plus signs or #.")
        if self.name == "anthropic" or self.name in PROGRAMS:
            if self.temperature is not None or self.top_p is not None:
                raise UsageError(
                    "Claude and programs take no temperature and no top-p",
                    hint="They are for others, such as --runner openai:MODEL or --runner local:URL.",
                )
            return self
        for key, value, least, most in (("temperature", self.temperature, 0, 2), ("top-p", self.top_p, _LEAST, 1)):
            if value is not None and not least <= value <= most:
                raise UsageError(f"a {key} of {value:g} is none", hint=f"Give one from {least:g} to {most:g}.")
        url = _plain(self.url, self.name) if self.url or self.name == "local" else ""
        speak, cheap = ("" if model.lower() == INHERIT else model for model in (self.speak, self.cheap))
        return replace(self, url=url, speak=speak, cheap=cheap)

    def asked(self, prompt: Prompt) -> "Model":
        """Return the model to ask; where none is named, one of the runner's name."""
        wish = wished(prompt)
        if self.name not in ("anthropic", "claude-code"):
            bare = regex(r"-20\d{6}$").sub("", wish.strip().lower())
            is_claude = any(bare == model.id or bare in model.aliases for model in model_table().model)
            wish = "" if is_claude or self.name == "acp" else wish  # another server has no model of that name
        return self.priced((wish or self.speak if prompt.purpose in STRONG else self.cheap or self.speak) or self.name)

    def priced(self, name: str) -> "Model":
        """Return the model of that name: free at a server of the user's own, else as in the table."""
        if self.name in ("anthropic", *PROGRAMS):
            return look_up(name)
        own = providers()[self.name].own
        return Model(id=name, price=FREE) if own else look_up(name).model_copy(update={"id": name})

    def __str__(self) -> str:
        models = f"{self.speak}+{self.cheap}" if self.cheap else self.speak
        rest = "#".join(part for part in (self.url, models) if part)
        head = f"{self.name}:{rest}" if rest else self.name
        given = {key: getattr(self, ours) for key, ours in _OPTIONS.items()}
        return head + "".join(
            f",{key}={value:g}" if isinstance(value, float) else f",{key}={value}"
            for key, value in given.items()
            if value not in (None, "")
        )


def asks_models(spec: str) -> bool:
    """True if the runner of that spec asks models, so that `ModelSpec` reads it."""
    name = spec.partition(":")[0].partition(",")[0].strip()
    return name == "anthropic" or name in PROGRAMS or name in providers()


def own_spec(prompt: Prompt) -> str:
    """Return the spec of the runner that the persona asks for by `model: RUNNER:MODEL`; empty if it asks for none."""
    model = (prompt.persona.model or "").strip() if prompt.persona is not None else ""
    return model if names_runner(model) else ""


def names_runner(model: str) -> bool:
    """True if a persona's `model:` names a runner with its model, such as `openrouter:VENDOR/MODEL`."""
    return ":" in model and asks_models(model)


def on_loopback(spec: ModelSpec) -> bool:
    """True if the runner asks a server on this machine, or one that no URL names."""
    host = urlsplit(spec.url).hostname or "" if spec.url else "localhost"
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def wished(prompt: Prompt) -> str:
    """Return the model that the persona asks for; empty if it asks for none, or for another runner."""
    wish = (prompt.persona.model or "").strip() if prompt.persona is not None else ""
    return "" if wish.lower() == INHERIT or names_runner(wish) else wish


def _plain(url: str, name: str) -> str:
    """Return the URL without what the client adds: `/chat/completions`, and for `local` `/v1`.

    Raises:
        UsageError: it is malformed, or holds a password or a query, which the session would store.
    """
    try:
        parts = urlsplit(url.strip())
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        shown = "what was given" if "@" in url or "?" in url else repr(url)  # it may hold a password or a key
        raise UsageError(
            f"{shown} is no URL of a server",
            hint=LOCAL_HINT if name == "local" else f"Write it as {name}:http://HOST:PORT/v1#MODEL.",
        )
    if parts.username is not None or parts.query:
        key = providers()[name].keys[0] if name == "local" else OWN_KEY
        raise UsageError(
            "the URL of a server holds a name, password or query, which the session would keep",
            hint=f"A key goes into the environment variable {key}.",
        )
    plain = url.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if name == "local":
        return plain.removesuffix("/v1").rstrip("/")
    return plain if urlsplit(plain).path else f"{plain}/v1"


_CACHE_WRITE = 1.25  # The price of a cache write that lives five minutes, in input prices.


class Price(Frozen):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)


FREE = Price.model_construct(input=0, output=0, cache_read=0)
"""The price of a server of the user's own."""


class LongPrice(Price):
    """The price of a call whose prompt is longer than `above` tokens."""

    above: int = Field(gt=0)


class Model(Frozen):
    """One model. The defaults are safe for an unknown one."""

    id: str
    aliases: tuple[str, ...] = ()
    price: Price | None = None
    long: LongPrice | None = None
    cache_floor: int | None = None
    """Tokens; a shorter prefix is not cached, without an error."""
    thinking_off: str | None = None
    """The `thinking.type` that turns thinking off; None if there is none, or none is known."""
    effort: bool = False
    """Whether it takes `output_config.effort`."""
    structured: bool = False
    """Whether it takes `output_config.format`; if not, the prompt asks for JSON."""

    def priced(self, usage: Usage, *, counted: bool = True) -> Usage:
        """Return the usage of one call with its cost; unknown if no tokens were counted and the model is not free."""
        price = self.long if self.long is not None and usage.prompt_tokens > self.long.above else self.price
        if price is None or not (counted or price == FREE):
            return replace(usage, cost=None)
        inputs = usage.input_tokens + _CACHE_WRITE * usage.cache_write_tokens
        millions = inputs * price.input + usage.cache_read_tokens * price.cache_read
        return replace(usage, cost=(millions + usage.output_tokens * price.output) / 1_000_000)


class ModelTable(Frozen):
    """The known models, and the date of the last check."""

    checked: date
    model: tuple[Model, ...]


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def model_table() -> ModelTable:
    """Return the table that comes with EDA."""
    return ModelTable.model_validate(_table("models"))


_OWN: list[Model] = []  # The user's own models and prices, which win.


@contextmanager
def priced_by(models: Iterable[Model]) -> Iterator[None]:
    """Let `look_up` find these models first, in this process, until the context ends."""
    before, _OWN[:] = [*_OWN], models
    try:
        yield
    finally:
        _OWN[:] = before


def look_up(name: str) -> Model:
    """Return the model of that id or alias; for an unknown name, one with safe defaults."""
    wanted = name.strip()
    bare = regex(r"-20\d{6}$").sub("", wanted.lower())
    for model in (*_OWN, *model_table().model):
        if bare in (model.id.lower(), *model.aliases):
            return model if wanted.lower() == bare else model.model_copy(update={"id": wanted})
    return Model(id=wanted)


@cache
def reply_lengths() -> Mapping[str, tuple[int, int, int]]:
    """Return the tokens of a reply by purpose, at least, usually, at most; one not listed is as long as a speech."""
    return {purpose: tuple(row["tokens"]) for purpose, row in _table("replies").items()}


def model_for(spec: str, prompt: Prompt) -> Model | None:
    """Return the model that a runner of that spec asks for a prompt; None if the spec names none."""
    given = _parsed(spec)
    return None if given is None else (_parsed(own_spec(prompt)) or given).asked(prompt)


@cache
def _parsed(spec: str) -> ModelSpec | None:
    with suppress(UsageError):  # whoever asks that model says what is wrong
        return ModelSpec.parse(spec) if asks_models(spec) else None
    return None


STRONG: frozenset[Purpose] = frozenset({"speak", "ask", "report", "baseline"})
"""Purposes that the speaker's model answers; the cheap model answers all others."""
