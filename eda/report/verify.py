"""Checks a session: its chain, each verdict against its ballots, the report against the log, and each quotation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from eda.debate.replay import read_back
from eda.debate.verdict import verdict_of
from eda.events import BallotCast, Event, MessagePosted, ReportWritten, VerdictReached
from eda.memory import ConversationMemory
from eda.report.gather import report_of
from eda.report.markdown import report_data
from eda.report.quotes import Quotes
from eda.report.seal import read_receipt
from eda.session import Session
from eda.session.chain import Checked, check, check_receipt, signed_by
from eda.session.names import LOG_FILE
from eda.session.places import RECEIPT_FILE, REPORT_FILES

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
    receipt: bool
    """Whether a receipt told what the log had to be."""
    signer: str | None
    """The key that signed the receipt; empty where none did, None where its signature does not hold or was not read."""
    counted: int
    """How many verdicts were counted again."""
    verdicts: Mapping[int, Sequence[str]]
    """By the line of each verdict that its ballots do not give, the fields that differ."""
    report: Sequence[str]
    """The parts of report.json that the log does not give."""
    quotes: Sequence[str]
    """The quotations that are not in the message or ballot they name."""

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
        LogDamagedError, SessionError: the log cannot be read.
    """
    folder = session.folder or Path()
    lines = (folder / LOG_FILE).read_bytes()[: session.log.size].splitlines(keepends=True)
    given, receipt = receipt is not None, receipt or folder / RECEIPT_FILE
    sealed = read_receipt(receipt) if given or receipt.exists() else {}
    stored = _stored(folder / REPORT_FILES[1])
    chain, signer = _chain(lines, sealed, stored), None
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
    """Return the report in a session's folder; empty where there is none."""
    try:
        data = orjson.loads(file.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return data if isinstance(data, dict) else {}


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
    past = Session.in_memory(session.name, facts[: stored.get("run", {}).get("facts")])
    progress, memory = read_back(past)
    if not stored or progress.verdict is None:
        return []
    report = report_of(past, progress, memory, str(stored.get("language", "")))
    made: dict[str, Any] = orjson.loads(orjson.dumps(report_data(report)))
    for data in (made, stored):
        data["run"] = {key: value for key, value in dict(data.get("run", {})).items() if key not in _TIMELY}
    # A report of an earlier version lacks what it did not tell yet.
    return sorted(key for key in {*made, *stored} if (made.get(key) or None) != (stored.get(key) or None))


def _unfounded(facts: Sequence[Event]) -> Iterator[str]:
    """Yield the quotations of reports that are not in the message that they name, or in no ballot."""
    memory = ConversationMemory()
    for fact in facts:
        memory.fold(fact)
    quotes = Quotes([fact for fact in facts if isinstance(fact, MessagePosted)], memory.acts)
    reasons = [fact.ballot.reason for fact in facts if isinstance(fact, BallotCast)]
    for fact in facts:
        for cited in (*fact.reasons, *fact.dissent, *fact.risks, *fact.open) if isinstance(fact, ReportWritten) else ():
            where = quotes.find(cited.message, cited.quote) if cited.message else cited.quote in "\n".join(reasons)
            if cited.quote and not where:
                yield f"m{cited.message}: {cited.quote}"
