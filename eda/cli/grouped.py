"""The help of a command with many options: they stand in groups, the first of which is what a newcomer needs."""

from __future__ import annotations

import click

__all__ = ["Grouped"]

_GROUPS = {
    "What is debated, and by whom": "panel persona option context format human human-time",
    "Models": "runner speak-model cheap-model fallback-model temperature top-p",
    "Limits": "max-messages budget budget-tokens budget-time",
    "How it is decided": "rule quorum judge not-own consensus poll-every",
    "How the talk goes": "floor bids summary-every summary-style seed",
    "What is kept, and where": "session sessions record personas-dir patterns prompts",
    "What is done and printed": "dry-run repeat baseline json quiet help",
}
"""Title: long names of options, without their dashes."""


class Grouped(click.Command):
    """A command whose options are listed by what they are for."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section a group; what is in none comes last."""
        records = {
            name.removeprefix("--"): record
            for param in self.get_params(ctx)
            for name in param.opts
            if name.startswith("--") and (record := param.get_help_record(ctx)) is not None
        }
        for title, names in _GROUPS.items():
            rows = [records.pop(name) for name in names.split() if name in records]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        if records:
            with formatter.section("More"):
                formatter.write_dl(list(records.values()))
