"""No test begins once the time is over that `make test-near` has."""

from __future__ import annotations

import os
import time

import pytest

__all__ = ["UNTIL", "pytest_runtest_setup"]

UNTIL = "EDA_TESTS_UNTIL"
"""The environment variable with the second from which on no test begins."""


def pytest_runtest_setup() -> None:
    """`make test-near` ends in time, however long a file of tests takes: what is left waits for `make test`."""
    if time.time() > float(os.environ.get(UNTIL, "inf")):
        pytest.skip("no time was left: make test runs it")
