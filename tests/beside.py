"""Tests by as many processes as there are processors, forked once all tests are collected: `pytest --beside`.

Each takes the tests of a file, and then of the next that none has taken. No second process imports and collects, and
none is told of each test. What a process has to say of its own tests stands below what the first one says.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

import pytest

__all__ = ["pytest_addoption", "pytest_runtestloop"]

_HERE = Path(__file__).parent
_WIDTH = 2
"""Bytes of the number of a file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--beside", action="store_true", help="run tests by as many processes as there are processors")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests, where pytest itself would run them one after the other."""
    option = session.config.option
    many = len(os.sched_getaffinity(0)) if option.beside and hasattr(os, "sched_getaffinity") else 1
    if many < 2 or option.collectonly or session.testsfailed:
        return None
    others: dict[int, TextIO] = {}
    files = [list(tests) for _, tests in groupby(session.items, _place)]
    numbers, given = os.pipe()
    whole, end = os.pipe()
    os.write(given, b"".join(nth.to_bytes(_WIDTH, "big") for nth in range(len(files))))
    os.close(given)
    for _ in range(many - 1):
        told = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - it is closed with the session
        session.config.add_cleanup(told.close)
        if not (process := os.fork()):
            others.clear()
            _reporter(session)._tw._file = told
            break
        others[process] = told
    try:
        _run(session, _taken(numbers, files))
        os.write(end, b".")
    finally:
        os.close(numbers)
        os.close(end)
        for process, told in others.items():
            _ended(session, process, told)
        if others:
            ends = len(os.read(whole, many))
            _fails(session, ends < many, f"{many - ends} of {many} processes did not come to the end of their tests")
        os.close(whole)
    return True


def _place(item: pytest.Item) -> Path:
    """Return what one process takes whole: a file, or a folder of tests that share a browser."""
    return item.path if item.path.parent == _HERE else item.path.parent


def _taken(numbers: int, files: list[list[pytest.Item]]) -> Iterator[pytest.Item]:
    while number := os.read(numbers, _WIDTH):
        yield from files[int.from_bytes(number, "big")]


def _run(session: pytest.Session, items: Iterator[pytest.Item]) -> None:
    """Run tests as pytest does: which one comes next says what may be torn down."""
    item = next(items, None)
    while item is not None:
        after = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = after


def _ended(session: pytest.Session, process: int, told: TextIO) -> None:
    """Wait for another process, tell what it told, and fail where it failed, by whatever it ended."""
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    told.seek(0)
    _reporter(session)._tw.write(f"\n{told.read()}")
    _fails(session, status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED), f"it ended with {status}")
    last = session.config.pluginmanager.get_plugin("lfplugin")
    if last is not None and last.active is not None and session.config.cache is not None:
        last.lastfailed.update(session.config.cache.get("cache/lastfailed", {}))


def _fails(session: pytest.Session, failed: bool, why: str) -> None:
    if failed:
        session.testsfailed += 1
        _reporter(session)._tw.line(why)


def _reporter(session: pytest.Session) -> Any:
    return session.config.pluginmanager.get_plugin("terminalreporter")
