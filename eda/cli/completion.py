"""`eda completion`: the script that completes commands, options and names in a shell."""

from __future__ import annotations

import click

from eda.cli.common import print_json
from eda.cli.options import json_option


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
def completion(*, shell: str, as_json: bool) -> None:
    """Print the script with which SHELL completes commands, options, and names of sessions, personas and formats.

    \b
    bash, in ~/.bashrc:   eval "$(eda completion bash)"
    zsh, in ~/.zshrc:     eval "$(eda completion zsh)"
    fish, once:           eda completion fish > ~/.config/fish/completions/eda.fish
    """  # noqa: D301 - click's own mark, a backspace, keeps the lines
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:  # none of those that click has
        raise click.UsageError(f"this click completes nothing in {shell}")
    script = kind(click.get_current_context().find_root().command, {}, "eda", "_EDA_COMPLETE").source()
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script, nl=False)
