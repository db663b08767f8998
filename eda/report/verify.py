"""Checks and seals a session: its chain, each verdict against its ballots, the report against the log, each quotation.

A seal is a receipt of what was decided, which proves the log and each redacted copy of it, without EDA.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from eda.debate.replay import memory_of, progress_of, read_back
from eda.debate.verdict import verdict_of
from eda.errors import InputError, UsageError
from eda.events import BallotCast, Event, MessagePosted, ReportWritten, VerdictReached
from eda.panels.files import UserFile
from eda.report.forms import report_data
from eda.report.gather import report_of
from eda.report.quotes import Quotes
from eda.session import Session, chain
from eda.session.chain import Checked, canonical, check, check_receipt, facts_of, links, row_of, rows_hash, signed_by
from eda.session.names import LOG_FILE
from eda.session.places import CHECKER_FILE, RECEIPT_FILE, REPORT_FILES
from eda.session.store import replace_file
from eda.words import languages

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


# Gives the salts by which a redacted copy shows a part of the log. Who has it can guess what such a copy hides.
SALTS_FILE = "receipt.salts"
_MOST = 500_000_000  # Bytes of a receipt.
_MARK = 8  # Digits of a hash that tell where two logs part.


def seal(session: Session, key: "Ed25519PrivateKey | None" = None) -> dict[str, Any]:
    """Write the receipt of a session, open for writing, and what checks it, into its folder; return the receipt.

    Raises:
        UsageError: the session has no folder, or no verdict.
        SessionError: its log cannot be read, or the disk refused.
    """
    folder, lines = session.own_folder, _lines(session)
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
    folder = session.own_folder
    if not (folder / RECEIPT_FILE).exists() or not (folder / SALTS_FILE).exists():
        return False
    receipt, secret = read_receipt(folder / RECEIPT_FILE), (folder / SALTS_FILE).read_text("ascii")
    statement = _statement(copy)
    facts, shown = [receipt["statement"], *facts_of(_lines(session))], [statement, *facts_of(_lines(copy))]
    pairs = zip(facts[: receipt["core"]["facts"] + 1], shown, strict=False)
    rows = [row_of(secret, number, fact, beside) for number, (fact, beside) in enumerate(pairs)]
    _write(copy.own_folder, {**receipt, "statement": statement, "rows": rows})
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


def _lines(session: Session) -> Sequence[bytes]:
    return (session.own_folder / LOG_FILE).read_bytes()[: session.log.size].splitlines(keepends=True)


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


# What of a verdict its ballots alone give.
_COUNTED = (
    "rule answer outcome motion version adopted accepted tally abstained unreadable missing figures order dissent"
)
_TIMELY = ("facts", "head", "seconds")  # What of a report says when it was written.


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check of a session found; empty parts where everything agrees."""

    chain: Checked
    facts: int
    receipt: bool  # Whether a receipt told what the log had to be.
    # The key that signed the receipt; empty where none did, None where its signature does not hold or was not read.
    signer: str | None
    counted: int  # How many verdicts were counted again.
    # By the line of each verdict that its ballots do not give, the fields that differ.
    verdicts: Mapping[int, Sequence[str]]
    report: Sequence[str]  # The parts of report.json that the log does not give.
    quotes: Sequence[str]  # The quotations that are not in the message or ballot they name.

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return self.chain.state == "whole" and not (self.verdicts or self.report or self.quotes)

    def data(self) -> dict[str, Any]:
        """Return it in plain JSON types."""
        verdicts = {str(seq): fields for seq, fields in self.verdicts.items()}
        return {**asdict(self), "verdicts": verdicts, "chain": self.chain._asdict(), "holds": self.holds}


def chain_of(folder: Path) -> Checked:
    """Return what the chain of a log alone says of it, which may be damaged."""
    return check((folder / LOG_FILE).read_bytes().splitlines(keepends=True))


def verify(session: Session, receipt: Path | None = None) -> Verified:
    """Check a session that is open for reading.

    Args:
        session: One with a folder.
        receipt: What `eda seal` wrote; None for the one in its folder, if there is one.

    Raises:
        InputError: the receipt cannot be read.
        UsageError: the session has no folder.
        LogDamagedError, SessionError: the log cannot be read.
    """
    folder, lines = session.own_folder, _lines(session)
    given, receipt = receipt is not None, receipt or folder / RECEIPT_FILE
    sealed = read_receipt(receipt) if given or receipt.exists() else {}
    stored = _stored(folder / REPORT_FILES[1])
    signer = None
    try:
        chain = _chain(lines, sealed, stored)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"receipt {receipt}: is no receipt of a session", hint="Name a file of eda seal.") from error
    try:
        signer = signed_by(sealed)
    except ValueError:
        chain = chain._replace(state="forged", at=0)
    except ImportError:
        pass  # without `cryptography` nobody can tell
    facts = list(session.events())
    return Verified(
        chain,
        len(facts),
        bool(sealed),
        signer,
        sum(isinstance(fact, VerdictReached) for fact in facts),
        dict(_miscounted(facts)),
        _other(session, facts, stored),
        [*_unfounded(facts)],
    )


def _chain(lines: Sequence[bytes], sealed: Mapping[str, Any], stored: Mapping[str, Any]) -> Checked:
    """Return what the chain of a log says, held against its receipt and its report."""
    proof = check_receipt({**sealed, "signature": ""}, lines) if len(sealed.get("rows", ())) > 1 else None
    noted = {key: sealed["core"][key] for key in ("facts", "head", "marks")} if sealed and proof is None else {}
    written = {key: stored.get("run", {}).get(key) for key in ("facts", "head")}
    witnesses = [each for each in (noted, written) if each.get("facts") and each.get("head")]
    checks = [check(lines, **each) for each in witnesses] or [check(lines)]
    chain = next((each for each in checks if each.state != "whole"), checks[0])
    # The receipt of a redacted copy tells by itself whether it is of this log.
    return chain if proof is None or proof["holds"] else chain._replace(state="other", at=proof["at"])


def _stored(file: Path) -> dict[str, Any]:
    """Return the report in a session's folder, of what is none an empty `run`; nothing where there is no file."""
    try:
        data = orjson.loads(file.read_bytes())
    except OSError:
        return {}
    except orjson.JSONDecodeError:
        data = {}
    data = data if isinstance(data, dict) else {}
    run = data.get("run")
    return data | {"run": run if isinstance(run, dict) and isinstance(run.get("facts"), int | None) else {}}


def _miscounted(facts: Sequence[Event]) -> Iterator[tuple[int, list[str]]]:
    """Count the ballots before each verdict again; yield the line and the fields of each that comes out otherwise."""
    for place, fact in enumerate(facts):
        if isinstance(fact, VerdictReached):
            # In memory: what stands beside a log, such as a saved memory, proves nothing.
            again = verdict_of(*read_back(Session.in_memory(facts=facts[:place])))
            if differ := [name for name in _COUNTED.split() if getattr(again, name) != getattr(fact, name)]:
                yield fact.seq, differ


def _other(session: Session, facts: Sequence[Event], stored: dict[str, Any]) -> list[str]:
    """Return the parts of the report that the log, as it stood then, does not give."""
    if not stored:
        return []
    past = Session.in_memory(session.name, facts[: stored["run"].get("facts")])
    progress, memory = read_back(past)
    if progress.verdict is None:  # a report is written of a verdict
        return ["run"]
    language = stored.get("language")
    report = report_of(past, progress, memory, language if language in languages() else "")
    made: dict[str, Any] = orjson.loads(orjson.dumps(report_data(report)))
    for data in (made, stored):
        data["run"] = {key: value for key, value in data["run"].items() if key not in _TIMELY}
        data["session"] = session.name  # a session that was renamed or copied is the same
    return sorted(key for key in {*made, *stored} if not _same(made.get(key, ()), stored.get(key, ())))


def _same(made: Any, stored: Any) -> bool:
    """Return whether two parts of a report say the same.

    `()` stands for a key that one of them lacks, as a report of another version may: the other has nothing in it.
    """
    if all(isinstance(each, dict) or each == () for each in (made, stored)):
        one, other = dict(made), dict(stored)
        return all(_same(one.get(key, ()), other.get(key, ())) for key in {*one, *other})
    if isinstance(made, list) and isinstance(stored, list):
        return len(made) == len(stored) and all(map(_same, made, stored))
    return bool(made == stored) or (() in (made, stored) and not (made or stored))


def _unfounded(facts: Sequence[Event]) -> Iterator[str]:
    """Yield the quotations of reports that are not in the message that they name, or in no ballot."""
    acts = memory_of(Session.in_memory(facts=facts)).acts
    quotes = Quotes([fact for fact in facts if isinstance(fact, MessagePosted)], acts)
    reasons = [fact.ballot.reason for fact in facts if isinstance(fact, BallotCast)]
    for fact in facts:
        for cited in (*fact.reasons, *fact.dissent, *fact.risks, *fact.open) if isinstance(fact, ReportWritten) else ():
            where = quotes.find(cited.message, cited.quote) if cited.message else cited.quote in "\n".join(reasons)
            if cited.quote and not where:
                yield f"m{cited.message}: {cited.quote}"
