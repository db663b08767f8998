"""What was misread or told wrongly of a debate on a repair café: each test has the words of it."""

from __future__ import annotations

from played_cafe import voted
from told import Told

from eda.cli.terminal.verdict import verdict_lines
from eda.events import VerdictReached
from eda.report.gather import report_of


def reached(told: Told) -> VerdictReached:
    verdict = told.progress.verdict
    assert verdict is not None
    return verdict


def test_a_verdict_says_that_an_acceptance_is_refused_in_its_own_words_and_what_hangs_on_it() -> None:
    """Gerard was asked once and kept "p8.0 is unacceptable to me"; the verdict said "3 of 4 accept it"."""
    told = voted()
    doubt = "one of them (Gerard) with a reason that refuses it: without that p7.1 would be the text"
    assert f"3 of 4 accept it, {doubt}, none of these: Rosa" in verdict_lines(reached(told))[0]
    report = report_of(told.session, told.progress, told.memory)
    assert any(f"3 of 4 accept it, {doubt}; 2 put it first" in each for each in report.verdict)
