"""`eda redact`."""

from __future__ import annotations

from pathlib import Path

import click

from eda.cli.common import done, note
from eda.cli.options import TEXT, repeatable, session_options


@click.command()
@click.argument("session_id", metavar="ID")
@click.option(
    "--names", "members", is_flag=True, help="Replace the members' names, and of those who took notes or asked."
)
@repeatable("--name", "names", "NAME", "Replace this name too.")
@click.option("--to", type=TEXT, metavar="NEW", help="Name of the copy. Default: ID-redacted.")
@session_options
def redact(
    *, session_id: str, members: bool, names: tuple[str, ...], to: str | None, folder: Path | None, as_json: bool
) -> None:
    """Write a copy of session ID without names: each is replaced wherever it stands, notes and report included.

    The session itself stays as it is. The copy has no recording, since prompts are full of names.
    """
    from eda.debate.replay import read_back, save_memory
    from eda.errors import UsageError
    from eda.report.formatting import count
    from eda.report.gather import report_of
    from eda.report.markdown import report_data, report_markdown
    from eda.session import Session, free_name, sessions_folder
    from eda.session.redaction import Redaction

    if not (members or names):
        raise UsageError("say what to replace", hint=f'eda redact {session_id} --names, or --name "Jane Doe".')
    with Session.read(session_id, folder) as session:
        redaction = Redaction(session.events(), members=members, names=names)
        facts = [redaction.of(event) for event in session.events()]
    with Session.of_facts(to or free_name(f"{session_id}-redacted", sessions_folder(folder)), facts, folder) as copy:
        progress, memory = read_back(copy)
        save_memory(copy, progress, memory)
        if progress.verdict is not None:
            report = report_of(copy, progress, memory)
            copy.write_report(report_markdown(report), report_data(report))
        names_of = redaction.pseudonyms
        lines = [f"{copy.name}: a copy of {session_id} without {count(len(names_of), 'name')}"]
        lines += [f"  {pseudonym}: {name}" for name, pseudonym in names_of.items()]
        text = "\n".join((*lines, f"read it: eda show {copy.typed}"))
        done(text, as_json=as_json, session=copy.name, names=names_of)
        for name, numbers in redaction.left(facts).items():
            note(f"look at it: '{name}' still stands inside a longer word in {', '.join(numbers)}")
