"""`eda config`: what is set, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from eda.cli.common import note, print_json
from eda.cli.configuration import KEYS, PROJECT_FILE, Configuration, read_configuration, user_file, variable
from eda.cli.options import json_option
from eda.cli.terminal.style import console_for, print_rows
from eda.runners.shipped import default_spec


@click.command()
@json_option
@click.pass_context
def config(ctx: click.Context, /, *, as_json: bool) -> None:
    """Print each setting, its value and where it was set: docs/configuration.md has them all.

    The first that sets it wins: the option of a command, the environment variable, eda.toml in the working folder,
    config.toml in your own folder, the default.
    """
    configuration: Configuration = ctx.find_root().obj or read_configuration()
    files = {"project": Path(PROJECT_FILE), "user": user_file()}
    rows = [_row(name, configuration) for name in KEYS]
    if as_json:
        there = {name: {"path": str(path), "exists": path.exists()} for name, path in files.items()}
        models = [model.model_dump(mode="json") for model in configuration.models]
        print_json({"files": there, "settings": rows, "models": models})
        return
    cells = [
        [str(row[key]) for key in ("key", "value" if row["value"] else "default", "source", "place")] for row in rows
    ]
    for model in configuration.models:
        price = ", ".join(f"{name} {each:g}" for name, each in model.price) if model.price else "unknown"
        cells.append(["model", f"{model.id}: {price}", "user", str(files["user"])])
    print_rows(console_for(), ("key", "value", "from", "place"), cells)
    for name, path in files.items():
        note(f"{name}: {path}{'' if path.exists() else ' (there is none)'}")


def _row(name: str, configuration: Configuration) -> dict[str, Any]:
    """Return a setting with its value, and with where it was set; no value where only the default holds."""
    key, setting = KEYS[name], configuration.settings.get(name)
    value = None if setting is None else str(setting.value) if key.toml == (str,) else setting.value
    return {
        "key": name,
        "value": value,
        "default": default_spec() if name == "runner" else key.usual,
        "source": setting.source if setting else "default",
        "place": setting.place if setting else "",
        "variable": variable(name),
    }
