"""`eda verify`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from eda.cli.common import done, say
from eda.cli.kinds import FILE
from eda.cli.options import place_of, session_argument, session_options
from eda.report.formatting import one_line
from eda.report.verify import Verified
from eda.report.verify import verify as verified
from eda.session import Session


@click.command()
@session_argument
@click.option("--receipt", type=FILE, help="What `eda seal` wrote. Default: the one in the session's folder.")
@session_options
def verify(*, session_id: str, receipt: Path | None, folder: Path | None, as_json: bool) -> None:
    """Check that session ID is as it was written, and that its verdict and its report follow from it.

    The chain of its log says whether it is whole, cut or changed, and where; a receipt or its report, whether it is
    another history. The ballots of each verdict are counted again, the report is made again, and each quotation is
    looked up. Exit code 1 where anything differs.
    """
    with Session.read(place_of(session_id), folder) as session:
        found = verified(session, receipt)
    done("\n".join(_lines(session.name, found)), as_json=as_json, session=session.name, **found.data())
    if not found.holds:
        raise click.exceptions.Exit(1)


def _lines(name: str, found: Verified) -> Iterator[str]:
    chain = found.chain
    yield say("session-verified", name=name, state=chain.state, at=str(chain.at), receipt=found.receipt)
    yield say("report-head", facts=str(found.facts), head=chain.head)
    if chain.older:
        yield say("session-older", lines=str(chain.older))
    for seq, fields in found.verdicts.items():
        yield say("session-miscounted", at=str(seq), fields=fields)
    if found.report:
        yield say("session-misreported", parts=list(found.report))
    yield from (say("session-misquoted", quote=one_line(quote)) for quote in found.quotes)
    if not (found.verdicts or found.report or found.quotes):
        yield say("session-agrees")
