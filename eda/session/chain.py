"""The chain of a log: each line's hash covers the one before, so that no line can be changed and the rest stay.

The hash of a line is the SHA-256 of the hash before it, as text, and of the line up to its own hash. The lines of
sessions before the chain have none; theirs is computed, so that the first stored hash covers them all. This file needs
the standard library alone, and `cryptography` for a signature: a receipt is checked with a copy of it, without EDA:
`python check_receipt.py receipt.json events.jsonl`.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from eda.text import regex

_END = regex(rb'(?:,"chain":"([0-9a-f]{64})")?,"crc":"[0-9a-f]{8}"\}\n?')
_END_ROOM = 100
_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)
_LOG_KEYS = ("more", "chain", "crc")
Steps = tuple[str | int, ...]
Row = list[Any]
"""The leaves of a fact, in order: the salt and the path of one that is shown, the hash of one that is hidden."""


def link(before: str, body: bytes) -> str:
    """Return the hash of a line that follows the hash `before`; `body` is the line up to its own hash."""
    return sha256(before.encode() + body).hexdigest()


def links(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield for each line of a log the hash that stands in it, empty where none does, and the one that it must have."""
    before = ""
    for line in lines:
        end = _END.search(line, max(0, len(line) - _END_ROOM))
        before = link(before, line[: end.start()] if end else line)
        yield (end[1] or b"").decode() if end else "", before


class Checked(NamedTuple):
    """What became of a log since its hashes were noted."""

    state: Literal["whole", "cut", "changed", "other", "unchained", "forged"]
    """`changed`: a line is not what the chain has, from line `at`; `other`: the chain is another one, from there;
    `cut`: it ends after `at`; `unchained`: nothing in it or beside it tells; `forged`: the receipt is not what was
    signed, or lacks hashes."""
    at: int
    head: str
    older: int
    """Lines at the beginning that were written before there was a chain."""


def check(lines: Iterable[bytes], facts: int = 0, head: str = "", marks: Sequence[str] = ()) -> Checked:
    """Return whether a log is the one that was noted.

    Args:
        lines: Of the log.
        facts: How many it had then; 0 where nothing was noted.
        head: The hash of the last of them.
        marks: How the hash of each begins; without them, what was changed is placed nowhere but at its end.
    """
    made: list[str] = []
    older = 0
    for number, (stored, hashed) in enumerate(links(lines), 1):
        if stored != hashed and (stored or older < number - 1):
            return Checked("changed", number, hashed, older)
        older += not stored
        made.append(hashed)
    last = made[-1] if made else ""
    for number, (mark, hashed) in enumerate(zip(marks, made, strict=False), 1):
        if not hashed.startswith(mark):
            return Checked("other", number, last, older)
    if len(made) < facts:
        return Checked("cut", len(made), last, older)
    if facts and made[facts - 1] != head:
        return Checked("other", facts, last, older)
    return Checked("unchained" if older == len(made) and not facts else "whole", len(made), last, older)


def canonical(value: Any) -> bytes:
    """Return a JSON value as the bytes that are hashed and signed."""
    return _JSON.encode(value).encode()


def facts_of(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the facts of a log, without what the log adds to each line."""
    return [{key: value for key, value in json.loads(line).items() if key not in _LOG_KEYS} for line in lines]


def leaves(value: Any, path: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield each value within a JSON value that holds no other, with the keys and places that lead to it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from leaves(each, (*path, key))
    if not inside:
        yield path, value


def _leaf(salt: str, path: Steps, value: Any) -> str:
    return sha256(canonical([salt, path, value])).hexdigest()


def row_of(secret: str, number: int, fact: Any, shown: Any) -> Row:
    """Return the row of a fact: what `shown`, its copy, has as well can be checked, all else stays hidden."""
    copied, row = dict(leaves(shown)), Row()
    for path, value in leaves(fact):
        salt = sha256(canonical([secret, number, path])).hexdigest()[:32]
        beside = copied.get(path, ...)
        same = beside is value or (beside is not ... and canonical(value) == canonical(beside))
        row.append([salt, path] if same else _leaf(salt, path, value))
    return row


def rows_hash(rows: Iterable[Row], facts: Iterable[Any]) -> Iterator[tuple[str, list[Steps]]]:
    """Yield for each row the hash of it and of all before it, and the paths of what its fact shows and does not prove.

    A row of a value that its fact does not have gives the hash of another fact.
    """
    before = ""
    for row, fact in zip(rows, facts, strict=False):
        values = dict(leaves(fact))
        hashes = []
        for entry in row:
            if isinstance(entry, str):
                hashes.append(entry)
            else:
                path = tuple(entry[1])
                hashes.append(_leaf(entry[0], path, values.pop(path)) if path in values else "")
        before = link(before, canonical(hashes))
        yield before, list(values)


def signed_by(receipt: Mapping[str, Any]) -> str:
    """Return the key that signed a receipt; empty where none did.

    Raises:
        ValueError: the signature is not of this key and this receipt.
        ImportError: `cryptography` is not installed.
    """
    if not receipt.get("signature"):
        return ""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only here
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - only here

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt["key"]))
        key.verify(bytes.fromhex(receipt["signature"]), canonical(receipt["core"]))
    except (InvalidSignature, KeyError, TypeError) as error:
        raise ValueError("the signature is not of this key and this receipt") from error
    return str(receipt["key"])


def check_receipt(receipt: Mapping[str, Any], lines: Sequence[bytes]) -> dict[str, Any]:
    """Return what a receipt proves of a log, or of its redacted copy; `holds`: nothing speaks against it."""
    core, rows = receipt["core"], receipt["rows"]
    facts = facts_of(lines)[: core["facts"]]
    hashes = list(rows_hash(rows, [receipt["statement"], *facts]))
    told = [hashed for hashed, _ in hashes]
    replaced = [[number, *path] for number, (_, paths) in enumerate(hashes) for path in paths]
    noted = (core["facts"], core["head"], core["marks"]) if len(rows) == 1 else ()
    state, at, *_ = check(lines, *noted)
    wrong = (
        place
        for place, (hashed, mark) in enumerate(zip(told, core["fields"], strict=False))
        if hashed[: len(mark)] != mark
    )
    if (place := next(wrong, None)) is not None:
        state, at = "other", place
    elif len(told) < len(core["fields"]) and not noted:
        state, at = "cut", len(told) - 1
    cast = {(fact["ballot"]["agent"], fact["ballot"]["choice"]) for fact in facts if fact["type"] == "ballot_cast"}
    verdict: dict[str, Any] = next((fact for fact in reversed(facts) if fact["type"] == "verdict_reached"), {})
    votes = {(vote["who"], vote["choice"]) for vote in receipt["statement"]["votes"]}
    agrees = votes <= cast and receipt["statement"]["outcome"] == verdict.get("outcome")
    try:
        signer = signed_by(receipt)
    except ValueError:
        state, at, signer = "forged", 0, ""
    if len(core["fields"]) != core["facts"] + 1:
        state, at = "forged", 0
    holds = state == "whole" and agrees
    return {"holds": holds, "state": state, "at": at, "signed_by": signer, "verdict": agrees,
            "sealed": core["sealed"], "not_proved": replaced, **receipt["statement"]}  # fmt: skip


def main(receipt: str = "receipt.json", log: str = "") -> int:
    """Write what a receipt proves of a log, else of the one beside it, as JSON; return 1 where it does not hold.

    Where a file cannot be read, or is no receipt, say so and return 2.
    """
    try:
        lines = Path(log or Path(receipt).with_name("events.jsonl")).read_bytes().splitlines(keepends=True)
        told = check_receipt(json.loads(Path(receipt).read_bytes()), lines)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as failure:
        why = f"python check_receipt.py receipt.json events.jsonl: {receipt} and its log cannot be checked: {failure!r}"
        sys.stderr.write(f"{why}\n")
        return 2
    told["not_proved"] = [".".join(map(str, path)) for path in told["not_proved"]]
    sys.stdout.write(json.dumps(told, indent=2, ensure_ascii=True) + "\n")
    return 0 if told["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
