"""`eda doctor`: checks the installation. A key is never printed whole."""

import asyncio
import os
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click

from eda import __version__
from eda.cli.common import print_json, say
from eda.cli.options import model_options, session_options
from eda.errors import EdaError
from eda.report.formatting import clean, fitted, one_line
from eda.runners.agents.programs import ClaudeCode, Codex
from eda.runners.chat_completions.runner import ChatRunner
from eda.runners.models import Provider, look_up, model_table, providers
from eda.runners.protocol import Prompt, Purpose
from eda.runners.server import PassingError
from eda.runners.shipped import default_spec, given_runner, with_models
from eda.session.names import sessions_folder
from eda.text import grouped, regex

_DISTRIBUTION = "eda-panel"
_KEYS = ("ANTHROPIC_API_KEY", "EDA_LOCAL_KEY")
# Names a model where only the list of models is asked for.
_ANY = "any"
_PATIENCE, _SOME = 5.0, 3  # Seconds for a list of models, and how many of them are shown.
# Last characters shown of a key that has at least five times as many.
_SHOWN = 4
_NEED = regex(r"\s*([A-Za-z0-9._-]+)")
_EXTRA = regex(r"""extra\s*==\s*["']([\w.-]+)["']""")


class _Check(NamedTuple):
    """The result of one check."""

    name: str
    value: Any  # The result, as text or data.
    ok: bool = True  # False if something that EDA needs is broken or missing.
    hint: str = ""


@click.command()
@click.option("--runner", metavar="SPEC", help="The runner to check. Default: the one that a debate would use.")
@model_options
@click.option(
    "--live",
    is_flag=True,
    help="Also ask providers for their models, and have the cheap model write a token.",
)
@session_options
@click.pass_context
def doctor(
    ctx: click.Context, /, *, runner: str | None, models: dict[str, Any], live: bool, folder: Path | None, as_json: bool
) -> None:
    """Check the installation: what is set up, what is missing and, with --live, which providers and models answer.

    The exit code is 1 if something that EDA needs is broken, or no model is named.
    """
    checks = [*_installed(), *(_Check(name, _ending(os.environ.get(name, "").strip())) for name in _KEYS)]
    # The address may hold a password.
    address = "set" if os.environ.get("ANTHROPIC_BASE_URL", "").strip() else "not set: the API's own"
    checks += [_Check("ANTHROPIC_BASE_URL", address), *asyncio.run(_answering(live=live))]
    checks += [_sessions(folder), *_asked(with_models(runner, models), live=live)]
    broken = [check for check in checks if not check.ok]
    if as_json:
        print_json({"ok": not broken, "checks": [check._asdict() for check in checks]})
    else:
        for check in checks:
            _print(check)
        click.echo("all is well" if not broken else f"not ready: {', '.join(check.name for check in broken)}")
    ctx.exit(1 if broken else 0)


def _installed() -> list[_Check]:
    """Return the versions of Python, EDA and its packages, and what each extra lacks."""
    checks = [_Check("python", ".".join(map(str, sys.version_info[:3]))), _Check("eda", __version__)]
    try:
        wanted = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return [*checks, _Check("packages", "unknown: EDA runs from its source and is not installed")]
    lacking: dict[str, list[str]] = {}
    for line in wanted:
        need, extra = _NEED.match(line), _EXTRA.search(line)
        if need is None:
            continue
        try:
            version = metadata.version(need[1])
        except metadata.PackageNotFoundError:
            version = ""
        if extra is not None:
            lacking.setdefault(extra[1], []).extend([] if version else [need[1]])
        else:
            hint = "" if version else f"Install {need[1]}."
            checks.append(_Check(need[1], version or "not installed", ok=bool(version), hint=hint))
    states = {name: f"lacks {', '.join(lacks)}" if lacks else "installed" for name, lacks in lacking.items()}
    return [*checks, *(_Check(f"extra {name}", words) for name, words in states.items())]


def _ending(key: str) -> str:
    return "set, ends with " + key[-_SHOWN:] if len(key) >= 5 * _SHOWN else "set" if key else "not set"


async def _provider(provider: Provider, *, live: bool) -> _Check:
    """Check whether the key of a provider is set and, if `live`, what its server says it has."""
    name, key = provider.key
    words = f"{name} {_ending(key)}" if key else say("doctor-no-key", keys=provider.keys)
    words = say("doctor-own-server", url=provider.url) if provider.own and not key else words
    if not live or not (key or provider.own):
        return _Check(provider.name, words)
    runner = ChatRunner(f"{provider.name}:{_ANY}", timeout=_PATIENCE)
    try:
        models = await runner.listed()
    except (EdaError, PassingError) as error:
        return _Check(provider.name, f"{words}; {error}", hint="" if provider.own else getattr(error, "hint", ""))
    finally:
        await runner.close()
    some = ", ".join(models[:_SOME]) + (", ..." if len(models) > _SOME else "")
    return _Check(provider.name, f"{words}; {len(models)} models{f': {some}' if some else ''}")


async def _answering(*, live: bool) -> list[_Check]:
    """Return how each provider is, and each program that can answer: where, what stays of its own, who is logged in."""
    checks = await asyncio.gather(*(_provider(each, live=live) for each in providers().values() if each.url))
    for agent, keeps in ((ClaudeCode(), "agent-keeps-claude-code"), (Codex(), "agent-keeps-codex")):
        path = agent.program()
        login = await agent.login() if live and path else None
        told = (login.words, *([say("agent-paid")] if login.subscription else ())) if login else ()
        hint = agent.access if login and not login.there else say(keeps)
        words = "; ".join((path or say("agent-none"), *told))
        checks.append(_Check(agent.name, words, hint=hint if path else agent.install))
    return [*checks, _Check("acp", say("agent-keeps-acp"))]


def _sessions(given: Path | None) -> _Check:
    """Return whether sessions can be saved."""
    folder = sessions_folder(given)
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        hint = "Pass --sessions DIR, or set EDA_SESSIONS, to a folder that can be written."
        return _Check("sessions", f"{folder}: {error.strerror or error}", ok=False, hint=hint)
    return _Check("sessions", str(folder) if folder.exists() else say("doctor-folder-made", folder=str(folder)))


def _asked(given: str | None, *, live: bool) -> list[_Check]:
    """Check the runner, its models with their prices and, if `live`, whether it answers."""
    try:
        spec = given or default_spec()
        runner = given_runner(spec)
    except EdaError as error:
        return [_Check("runner", str(error), ok=False, hint=error.hint)]  # the spec may hold a password
    tried = [asyncio.run(_ping(runner))] if live and hasattr(runner, "ping") else []
    checks = [_Check("runner", getattr(runner, "spec", spec)), *tried]  # a server names its model in its reply
    if hasattr(runner, "ping"):
        return [*checks, *_models(runner)]
    if live:
        hint = "Set ANTHROPIC_API_KEY, or pass --runner PROVIDER:MODEL."
        checks.append(_Check("live", say("doctor-no-model", spec=spec), ok=False, hint=hint))
    return checks


def _models(runner: Any) -> list[_Check]:
    asked = (each for each in get_args(Purpose) if each not in {"tool", "offer"})  # People alone are asked the last.
    purposes = grouped((runner.model_for(Prompt(purpose=purpose)), purpose) for purpose in asked)
    name_of_runner = runner.spec.partition(":")[0]
    local = name_of_runner in providers() and providers()[name_of_runner].own
    prices = {name: None if local else look_up(name).price for name in purposes}
    rows = [
        {"model": name, "for": purposes[name], "price": price and price.model_dump(), "free": local}
        for name, price in prices.items()
    ]
    dated = _Check("prices", say("doctor-prices", checked=str(model_table().checked)))
    return [_Check("models", rows)] + [dated] * (not local)


async def _ping(runner: Any) -> _Check:
    began = time.perf_counter()
    try:
        reply = await runner.ping()
    except EdaError as error:
        return _Check("live", str(error), ok=False, hint=error.hint)
    finally:
        await runner.close()
    took = time.perf_counter() - began
    return _Check("live", {"model": reply.model, "seconds": round(took, 3), "cost": reply.usage.cost})


def _print(check: _Check) -> None:
    if isinstance(check.value, list):
        for row in check.value:
            click.echo(f"model: {one_line(row['model'])} for {', '.join(row['for'])}: {_priced(row)}")
        return
    if isinstance(reply := check.value, dict):
        cost = "cost unknown" if reply["cost"] is None else f"cost ${reply['cost']:.7f}" if reply["cost"] else "no cost"
        click.echo(say("doctor-live", model=reply["model"], seconds=reply["seconds"], cost=cost))
        return
    text = f"{'' if check.ok else 'NOT READY '}{check.name}: {one_line(str(check.value))}"
    click.echo(fitted(clean(text), sys.stdout))
    if check.hint:
        click.echo(fitted(clean(f"  hint: {check.hint}"), sys.stdout))


def _priced(row: dict[str, Any]) -> str:
    price = row["price"]
    if row["free"] or price is None:
        return "no cost" if row["free"] else "price unknown"
    return say(
        "doctor-price",
        input=f"{price['input']:g}",
        output=f"{price['output']:g}",
        cache_read=f"{price['cache_read']:g}",
    )
