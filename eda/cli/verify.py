"""`eda verify` and `eda seal`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eda.cli.common import FILE, done, of_extra, say, spoken_of
from eda.cli.options import session_command, session_options
from eda.cli.process import user_folder
from eda.errors import LogDamagedError, UsageError
from eda.report.formatting import one_line
from eda.report.verify import Verified, chain_of, seal as sealed, verify as verified
from eda.session import Session
from eda.session.places import CHECKER_FILE, RECEIPT_FILE, existing
from eda.session.store import replace_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@session_command
@click.option("--receipt", type=FILE, help="What `eda seal` wrote. Default: the one in the session's folder.")
@session_options
def verify(*, session_id: str | Path, receipt: Path | None, folder: Path | None, as_json: bool) -> None:
    """Check that session ID is as it was written, and that its verdict and its report follow from it.

    The chain of its log says whether it is whole, cut or changed, and where; a receipt or its report, whether it is
    another history. The ballots of each verdict are counted again, the report is made again, and each quotation is
    looked up. Exit code 1 where anything differs.
    """
    try:
        with spoken_of(Session.read(session_id, folder)) as session:
            found = verified(session, receipt)
    except LogDamagedError:
        chain = chain_of(existing(session_id, folder))
        if chain.state != "changed":
            raise
        name = Path(session_id).name
        told = say("session-verified", name=name, state=chain.state, at=str(chain.at), receipt=False)
        done(told, as_json=as_json, session=name, chain=chain._asdict(), holds=False)
        raise click.exceptions.Exit(1) from None
    done("\n".join(_lines(session.name, found)), as_json=as_json, session=session.name, **found.data())
    if not found.holds:
        raise click.exceptions.Exit(1)


@session_command
@click.option(
    "--new-key", is_flag=True, help="Make a key of your own, with which this and every later receipt is signed."
)
@session_options
def seal(*, session_id: str | Path, new_key: bool, folder: Path | None, as_json: bool) -> None:
    """Write a receipt of what session ID decided, by which anybody can check its log later, without EDA.

    It names the question, the decision, votes, dissent, models and time, and holds the hashes of all facts. What checks
    it is written beside it. Once you have a key, receipts are signed. A redacted copy that you make afterwards has a
    receipt of its own, which proves what it shows.
    """
    key = _key(new=new_key)
    with spoken_of(Session.open(session_id, folder)) as session:
        receipt = sealed(session, key)
        place = session.folder or Path()
    by = receipt.get("key", "")
    text = say("session-sealed", name=session.name, file=str(place / RECEIPT_FILE), by=by, checker=CHECKER_FILE)
    done(text, as_json=as_json, file=str(place / RECEIPT_FILE), key=by, head=receipt["core"]["head"])


def _key(*, new: bool) -> "Ed25519PrivateKey | None":
    """Return the user's key, made now where it is `new`; None where there is none."""
    file = Path(user_folder(), "seal.key")
    if not new and not file.exists():
        return None
    kind = of_extra("cryptography.hazmat.primitives.asymmetric.ed25519", "seal").Ed25519PrivateKey
    if new:
        if file.exists():
            raise UsageError(f"{file} exists", hint="You have a key; move it away first if you want another one.")
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, kind.generate().private_bytes_raw().hex().encode())
        file.chmod(0o600)
    key: Ed25519PrivateKey = kind.from_private_bytes(bytes.fromhex(file.read_text("ascii")))
    return key


def _lines(name: str, found: Verified) -> Iterator[str]:
    chain = found.chain
    yield say("session-verified", name=name, state=chain.state, at=str(chain.at), receipt=found.receipt)
    yield say("report-head", facts=str(found.facts), head=chain.head)
    if found.signer != "":
        yield say("session-signed", by=found.signer or "")
    if chain.older:
        yield say("session-older", lines=str(chain.older))
    yield from (say("session-miscounted", at=str(seq), fields=fields) for seq, fields in found.verdicts.items())
    if found.report:
        yield say("session-misreported", parts=list(found.report))
    yield from (say("session-misquoted", quote=one_line(quote)) for quote in found.quotes)
    if not (found.verdicts or found.report or found.quotes):
        yield say("session-agrees", verdicts=found.counted)
