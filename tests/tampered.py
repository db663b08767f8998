"""Changes to a log whose checksums are made anew, each named with its place: `make test-faults` has 2,000 of them.

A stranger who can write the file can make every checksum anew, and with more work the whole chain. The chain tells of
the first where they stand; a receipt tells of the second.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eda import Debate, Session, Settings
from eda.session.chain import check, link, links
from eda.session.log import JsonlLog

KINDS = ("change", "drop", "move", "insert", "fork", "cut")


def a_log(folder: Path) -> list[bytes]:
    """Return the lines of a debate, each a group of its own."""
    session = Session.in_memory()
    chosen = Settings(max_messages=13, summary_every=4)
    options = ("Go", "Wait")
    Debate("Shall we go?", ("sceptic", "historian"), options=options, settings=chosen, session=session).run_sync()
    log = JsonlLog(folder / "events.jsonl")
    for fact in session.events():
        log.append([fact], durable=False)
    log.close()
    return (folder / "events.jsonl").read_bytes().splitlines(keepends=True)


def noted(lines: list[bytes]) -> dict[str, Any]:
    """Return what a receipt holds of the chain."""
    hashes = [hashed for _, hashed in links(lines)]
    return {"facts": len(lines), "head": hashes[-1], "marks": [hashed[:8] for hashed in hashes]}


def body_of(line: bytes) -> bytes:
    """Return a line up to its hash."""
    return line[: line.rindex(b',"chain"')]


def line_of(body: bytes, stored: str) -> bytes:
    """Return a line with a hash, or with none where that is empty, and a checksum made anew."""
    body += b',"chain":"%b"' % stored.encode() if stored else b""
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def rechained(lines: list[bytes]) -> bytes:
    """Return a log whose whole chain is made anew."""
    made, before = [], ""
    for line in lines:
        before = link(before, body_of(line))
        made.append(line_of(body_of(line), before))
    return b"".join(made)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each value that holds no other, with the keys and places that lead to it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from _leaves(each, (*path, key))
    if not inside:
        yield path, value


def _altered(fact: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a fact of which one value is another."""
    fact = json.loads(json.dumps(fact))
    path, value = chance.choice([each for each in _leaves(fact) if each[0] != ("seq",)])
    inside: Any = fact
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = f"{value}x" if isinstance(value, str) else 1 if not isinstance(value, int) else int(value) + 1
    return fact


def tampered(lines: list[bytes], kind: str, place: int, chance: random.Random, *, chained: bool) -> tuple[bytes, int]:
    """Return a log to which a change was made at a line, checksums anew, and the first line that differs."""
    facts, hashes = [json.loads(body_of(line) + b"}") for line in lines], [stored for stored, _ in links(lines)]
    at, index = place, place - 1
    if kind == "change":
        facts[index] = _altered(facts[index], chance)
    elif kind == "drop":
        del facts[index], hashes[index]
    elif kind == "move":
        other = chance.choice([each for each in range(len(facts)) if each != index])
        facts.insert(other, facts.pop(index))
        hashes.insert(other, hashes.pop(index))
        at = min(place, other + 1)
    elif kind == "insert":
        copied = chance.randrange(len(facts))
        facts.insert(index, _altered(facts[copied], chance))
        hashes.insert(index, hashes[copied])
    elif kind == "fork":
        facts[index:] = [_altered(fact, chance) for fact in facts[index:]]
    else:
        del facts[index:], hashes[index:]
    made, before = [], ""
    for number, (fact, stored) in enumerate(zip(facts, hashes, strict=True), 1):
        same = number < at
        body = json.dumps({**fact, "seq": number}, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
        before = link(before, body)
        line = line_of(body, before if chained else stored)
        before = hashes[number - 1] if same else before
        made.append(lines[number - 1] if same else line)
    return b"".join(made), at


def trials(lines: list[bytes], number: int) -> tuple[Counter[str], list[str]]:
    """Make changes to each line in turn; return how many of each kind were made, and those that were not named."""
    receipt, done, missed = noted(lines), Counter[str](), list[str]()
    for trial in range(number):
        chance = random.Random(trial)
        kind, chained = KINDS[trial % len(KINDS)], bool(trial // len(KINDS) % 2)
        place = trial // (2 * len(KINDS)) % len(lines) + 1
        content, at = tampered(lines, kind, place, chance, chained=chained)
        ends = kind == "cut" or (kind == "drop" and place == len(lines))
        due = ("cut", at - 1) if ends else ("other" if chained else "changed", at)
        found = check(content.splitlines(keepends=True), **receipt)
        alone = check(content.splitlines(keepends=True))
        done[kind] += 1
        if found[:2] != due or (not chained and not ends and alone[:2] != due):
            missed.append(f"{kind} at {place}, {'chain' if chained else 'checksums'} anew: {found} {alone} for {due}")
    return done, missed


def main() -> int:
    """Print a row of the table in benchmarks/RESULTS.md; return 1 where a change was not named."""
    with tempfile.TemporaryDirectory() as folder:
        done, missed = trials(a_log(Path(folder)), 2_000)
    kinds = ", ".join(f"{count} {kind}" for kind, count in done.items())
    print(
        f"| changes to a log, checksums or chain made anew ({kinds}) | {done.total() - len(missed)} of {done.total()} |"
    )
    print(*missed[:20], sep="\n", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
