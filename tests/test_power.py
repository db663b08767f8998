"""A loss of power between two writes: `make test-faults` has the long form."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from faults.hashing import MOST, medians
from faults.power import SECTOR, losses

from eda import Debate, Session, Settings
from eda.errors import LogDamagedError
from eda.events import FloorGranted, MessagePosted


@pytest.mark.skipif(sys.platform != "linux", reason="what a descriptor is open for is told by /proc")
def test_no_loss_of_power_loses_what_was_told(tmp_path: Path) -> None:
    """Sectors of unsynced writes come in any order: a later one was there, and the session could not be opened."""
    _, tried, wrong = losses(tmp_path.resolve(), 12)
    assert [reason for reason in wrong if reason] == []
    assert tried == 12


def test_a_lost_sector_that_had_been_synced_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    """A disk that loses what it had confirmed loses votes: nobody may learn it from a shorter log."""
    with Session.create("one", tmp_path) as session:
        debate = Debate("Go?", ["sceptic", "historian"], settings=Settings(max_messages=8), session=session)
        debate.run_sync()
        said = [fact.seq for fact in session.events() if isinstance(fact, MessagePosted)]
        granted = [fact.seq for fact in session.events() if isinstance(fact, FloorGranted)]
    log = tmp_path / "one" / "events.jsonl"
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    begins = [sum(map(len, lines[:number])) for number in range(len(lines))]
    for seq in (
        said[1],
        next(seq for seq in granted if seq > said[1]),
    ):  # confirmed with the next message at the latest
        at = begins[seq - 1] // SECTOR * SECTOR
        log.write_bytes(whole[:at] + bytes(SECTOR) + whole[at + SECTOR :])
        torn = log.read_bytes()
        with pytest.raises(LogDamagedError, match="nothing was changed"):
            Session.open("one", tmp_path)
        assert log.read_bytes() == torn


async def test_the_chain_costs_a_debate_nearly_nothing() -> None:
    """Who pays for every fact with another hash of the whole log notices it in long debates alone."""
    _, chained, _ = await medians(3, 15)
    assert 0 < chained < MOST
