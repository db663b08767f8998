"""Seals a session: a receipt of what was decided, which proves the log and each redacted copy of it, without EDA."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from eda.debate.replay import progress_of
from eda.errors import InputError, UsageError
from eda.panels.files import UserFile
from eda.session import Session, chain
from eda.session.chain import canonical, facts_of, links, row_of, rows_hash
from eda.session.names import LOG_FILE
from eda.session.places import CHECKER_FILE, RECEIPT_FILE
from eda.session.store import replace_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SALTS_FILE = "receipt.salts"
"""Gives the salts by which a redacted copy shows a part of the log. Who has it can guess what such a copy hides."""
_MOST = 500_000_000  # Bytes of a receipt.
_MARK = 8  # Digits of a hash that tell where two logs part.


def seal(session: Session, key: Ed25519PrivateKey | None = None) -> dict[str, Any]:
    """Write the receipt of a session, open for writing, and what checks it, into its folder; return the receipt.

    Raises:
        UsageError: the session has no verdict.
        SessionError: its log cannot be read, or the disk refused.
    """
    folder = _folder(session)
    lines = _lines(session)
    statement, secret = _statement(session), secrets.token_hex(32)
    facts = [statement, *facts_of(lines)]
    rows = [row_of(secret, number, fact, fact) for number, fact in enumerate(facts)]
    hashes = [hashed for hashed, _ in rows_hash(rows, facts)]
    core = {
        "kind": "eda-receipt",
        "version": 1,
        "sealed": datetime.now(UTC).isoformat(timespec="seconds"),
        "facts": len(lines),
        "head": session.head(),
        "marks": [hashed[:_MARK] for _, hashed in links(lines)],
        "fields": [hashes[0], *(hashed[:_MARK] for hashed in hashes[1:-1]), hashes[-1]],
    }
    receipt = {"core": core, "statement": statement, "rows": rows[:1]}
    if key is not None:
        receipt |= {"key": key.public_key().public_bytes_raw().hex(), "signature": key.sign(canonical(core)).hex()}
    replace_file(folder / SALTS_FILE, secret.encode())
    (folder / SALTS_FILE).chmod(0o600)
    _write(folder, receipt)
    return receipt


def seal_copy(session: Session, copy: Session) -> bool:
    """Write the receipt of a redacted copy: it proves what the copy shows, by the receipt of the session.

    Return False where the session was not sealed.
    """
    folder = _folder(session)
    if not (folder / RECEIPT_FILE).exists() or not (folder / SALTS_FILE).exists():
        return False
    receipt, secret = read_receipt(folder / RECEIPT_FILE), (folder / SALTS_FILE).read_text("ascii")
    statement = _statement(copy)
    facts, shown = [receipt["statement"], *facts_of(_lines(session))], [statement, *facts_of(_lines(copy))]
    pairs = zip(facts[: receipt["core"]["facts"] + 1], shown, strict=False)
    rows = [row_of(secret, number, fact, beside) for number, (fact, beside) in enumerate(pairs)]
    _write(_folder(copy), {**receipt, "statement": statement, "rows": rows})
    return True


def read_receipt(path: Path) -> dict[str, Any]:
    """Return the receipt in a file.

    Raises:
        InputError: it holds none.
    """
    file = UserFile(path, InputError, what="receipt")
    data = file.json(file.text(_MOST))
    core = data.get("core") if isinstance(data, dict) else None
    if not isinstance(core, dict) or not {"facts", "head", "marks", "fields"} <= core.keys():
        raise file.fault("is no receipt of a session", "Name a file of eda seal.")
    return dict(data)


def _folder(session: Session) -> Path:
    if session.folder is None:
        raise UsageError(f"session {session.name!r} is in memory only", hint="Seal one that has a folder.")
    return session.folder


def _lines(session: Session) -> Sequence[bytes]:
    return (_folder(session) / LOG_FILE).read_bytes()[: session.log.size].splitlines(keepends=True)


def _write(folder: Path, receipt: dict[str, Any]) -> None:
    replace_file(folder / RECEIPT_FILE, orjson.dumps(receipt, option=orjson.OPT_APPEND_NEWLINE))
    replace_file(folder / CHECKER_FILE, Path(chain.__file__).read_bytes())


def _statement(session: Session) -> dict[str, Any]:
    """Return what a session decided, in the words of its log."""
    progress = progress_of(session)
    started, verdict = session.started(), progress.verdict
    if verdict is None:
        raise UsageError(f"session {session.name!r} has no verdict to seal", hint=f"eda resume {session.typed}")
    voted = [cast.ballot for cast in progress.ballots]
    dissent = [{"who": each.agent, "choice": each.choice, "reason": each.reason} for each in verdict.dissent]
    return {
        "session": started.session,
        "question": started.question,
        "rule": verdict.rule,
        "outcome": list(verdict.outcome) if isinstance(verdict.outcome, tuple) else verdict.outcome,
        "votes": [{"who": each.agent, "choice": each.choice} for each in voted],
        "dissent": dissent,
        "models": list(progress.players.models),
        "eda": started.eda,
        "schema": started.schema_version,
        "began": progress.first_at.isoformat() if progress.first_at else None,
    }
