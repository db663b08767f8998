"""A seat that waits for days: its person gets word by a command of the host's, and its time outlasts the server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eda.errors import UsageError
from eda.panels.request import DebateRequest
from eda.serve.host import Host
from eda.serve.people import Invitations, Word

DAY = 86_400.0


async def test_who_is_not_there_gets_word_once_for_each_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: list[dict[str, str]] = []
    told = asyncio.Event()

    def popen(command: list[str], *, env: dict[str, str], **_: Any) -> None:
        assert command == [sys.executable, "-c", "pass"]
        run.append({key: value for key, value in env.items() if key.startswith("EDA_") and key != "EDA_TOKEN"})
        told.set()

    monkeypatch.setattr(subprocess, "Popen", popen)
    host = Host(tmp_path, "simulated", "product-decision", Word(f"{sys.executable} -c pass", "http://table"))
    wanted = {"question": "Open on Sundays?", "options": "Yes\nNo", "max_messages": 30, "human": "Ana", "invite": "Ben"}
    name = host.start(host.prepared(DebateRequest.of({**wanted, "human_time": DAY})))
    here = host.running[name]
    ana, ben = here.seat("Ana"), here.seat("Ben")
    assert ana
    assert ben
    ana.opened(1)  # she looks at her page, and needs no word
    async with asyncio.timeout(30):
        await told.wait()
        assert [each["EDA_WHO"] for each in run] == ["Ben"]
        assert run[0]["EDA_ASKS"] == "vote"
        assert run[0]["EDA_LINK"] == f"http://table{host.people(name)[0]['link']}"
        ben.opened(1)
        ben.opened(-1)
        assert len(run) == 1, "one word for one question"
        Invitations(tmp_path / name).join("Ben")
        told.clear()
        ana.answer("Yes")
        ben.answer("No")
        await told.wait()
    assert run[1]["EDA_ASKS"] == "speak"
    assert run[1]["EDA_LINK"] == f"http://table/s/{name}"
    await host.close()
    anew = Host(tmp_path, "simulated", "product-decision")
    anew.invite(name, "Ben", keep=True)
    anew.resume(name)
    assert [(each.name, each.seconds) for each in anew.running[name].seats] == [("Ana", None), ("Ben", DAY)]
    await anew.close()


def test_members_can_be_named_instead_of_the_servers_panel(tmp_path: Path) -> None:
    wanted = DebateRequest.of({"question": "Open on Sundays?", "personas": "sceptic\nhistorian"})
    ready = Host(tmp_path, "simulated", "product-decision").prepared(wanted)
    assert [each.name for each in ready.debate().members] == ["sceptic", "historian"]


def test_a_command_that_does_not_exist_is_told_before_anything_is_served() -> None:
    for command in ("no-such-program-here --loud", ""):
        with pytest.raises(UsageError):
            Word(command, "http://table")
