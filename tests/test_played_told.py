"""What verdict, tally, show and report told falsely of two played debates: each test has the words of them."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from played import CHOIR, PLOTS, reported, talk, texts_of, voted
from rich.console import Console

from eda.cli.tally import print_tally, tally_data
from eda.cli.terminal.style import console_for
from eda.cli.terminal.transcript import print_minutes
from eda.debate.prompts.ballot_prompt import ballot_slots
from eda.events import BallotCast
from eda.report.forms import report_markdown
from eda.report.ledger import refusers_of
from eda.report.sections import ballot_lines, page_of
from eda.voting import Account, compare, rule_named
from eda.voting.choices import Kin, kinship


def test_who_is_against_the_answer_is_told_before_what_is_adopted_beside_it() -> None:
    """ "Adopted beside it: ... (p9.0, by Kofi) ... Against it: Kofi" read as if Kofi refused his own text."""
    report = reported(PLOTS)
    assert report.rest[0] == "Kofi accepts none of the texts as the answer."
    kinds = [line.kind for line in page_of(report)["verdict"]]
    assert kinds.index("against") < kinds.index("also")


def test_a_ballot_says_which_text_it_wants_beside_is_a_part_of_the_answer() -> None:
    """ "would adopt p2.0 beside it (a part of what was decided, which it accepts: p2.0)" cannot be read."""
    assert any("Would also adopt p2.0 (part of p9.0)" in told for _, told in ballot_lines(reported(CHOIR)))


def test_texts_of_a_given_option_say_so_wherever_they_are_drawn() -> None:
    """p8.0 lost "a wording of o2" once it was joined, and whoever drew p9.0 first did not read what it takes in."""
    texts = {text.id: text for text in texts_of(CHOIR)}
    for first in ("p9.0", "p4.0"):
        order = [texts[first], *(text for text in texts.values() if text.id != first)]
        assert [kinship(texts[key], first, order) for key in ("p4.0", "p8.0", "p9.0")] == [
            Kin(option="o2") if first != "p4.0" else Kin(),
            Kin("taken into" if first == "p9.0" else "part", ("p9.0",), "o2"),
            Kin("takes in", ("p8.0", "p2.0"), "o2"),
        ]
        paper = ballot_slots(order, rule_named("majority"), "", first=False, answer="one")["choices"]
        assert '." (a wording of o2, which takes in p8.0 and p2.0)' in paper
    put = talk(CHOIR, 9).memory.table(4000, 1).text
    assert 'p9.0 Gerard [joins p8.0 and p2.0]: "… buy the keyboard' in put, "where it differs"
    assert "p8.0 Ruth [amends p4.0; part of p9.0]" in put


def test_a_tally_says_that_nobody_accepts_a_text_as_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """ "p2.0 (part of p9.0), accepted by nobody" stood of a measure that two want; and no lot decided anything."""
    told = voted(CHOIR)
    casts = [each for each in told.session.events() if isinstance(each, BallotCast) and not each.first]
    account = Account([each.ballot for each in casts], texts=texts_of(CHOIR))
    data = tally_data(compare(account, 0), account, members=[], quorum=0.5)
    print_tally(data, console_for())
    shown = capsys.readouterr().out
    assert "p2.0 (part of p9.0), accepted as the answer by nobody, wanted beside the answer by Rosa, Ruth:" in shown
    assert "p4.0 (a wording of o2), accepted as the answer by Gerard:" in shown
    assert "lots decide" not in shown


def test_what_moved_a_voter_counts_for_the_text_to_which_it_moved_it() -> None:
    """o1 rested on m9, which made Rosa accept p9.0; p6.0 on m8, which moved Walter to p8.0; p9.0 lacked Kofi's m8."""
    behind = {text.id: voted(CHOIR).verdict.behind.get(text.text) for text in texts_of(CHOIR)}
    assert behind["o1"] == (2, 10)
    assert behind["p9.0"] == (1, 2, 4, 5, 7, 8, 9)
    behind = {text.id: voted(PLOTS).verdict.behind.get(text.text) for text in texts_of(PLOTS)}
    assert behind["p6.0"] == (6,)
    assert behind["p9.0"] == (4, 8, 9, 10)


def test_a_claim_that_a_member_denied_is_told_with_the_denial_and_no_ballot() -> None:
    """ "m6 claimed, a ballot said otherwise": no ballot asked whether the list decides; two denied it."""
    assert voted(PLOTS).memory.claims == (), "a claim is declared"
    words = "So we all agree that the list decides."
    denied = PLOTS["talk"][6][1].replace("(72 words)", "\n[DENY m6] the list does not drain the ditch")
    told = voted(PLOTS, talk(PLOTS, m6=PLOTS["talk"][5][1].replace(words, f"\n[CONSENSUS] {words}\n"), m7=denied))
    (claim,) = told.memory.claims
    assert (claim.outcome, claim.status, claim.denied_by) == (words, "disputed", ("Sunniva", "Kofi"))
    block = told.memory.table().text
    assert f'- m6 [by Walter; denied by Sunniva in m7, Kofi in m9]: "{words}"' in block
    assert "a ballot said otherwise" not in block
    for bare, status in (("So we all agree.", "contradicted"), ("We all agreed.", "contradicted"), (words, "claimed")):
        heard = talk(PLOTS, m6=f"[CONSENSUS] {bare}", m7="I listen.", m9="I listen.", m10="I listen.")
        (claim,) = voted(PLOTS, heard).memory.claims
        assert (claim.outcome, claim.status) == (bare, status)
    still = "denied by Sunniva in m7, Kofi in m9, and not voted on in these words. Walter: “So we all agree"
    assert still in report_markdown(reported(PLOTS, told))


def test_what_a_member_who_accepts_the_answer_holds_against_it_is_no_risk() -> None:
    """Rosa, who puts o1 first and accepts p9.0, stood under "Risks that members named" with her dissent."""
    report = reported(CHOIR)
    assert {each.who for each in report.told_dissent} <= refusers_of(report.counted)
    assert {each.who for each in report.risks} == {"Gerard", "Eli"}
    assert "Rosa stays with the hall" not in report_markdown(report)


def test_positions_end_with_the_ballot() -> None:
    """Walter stood with p6.0, and Eli with o2, under a verdict that their ballots made."""
    out = StringIO()
    for told in map(voted, (PLOTS, CHOIR)):
        facts = told.session.events()
        print_minutes(Console(file=out, width=3000), told.session.started(), told.progress, told.memory, facts)
    shown = out.getvalue()
    assert re.search(r"Walter +p6\.0 \(declared in m6\); last ballot: p8\.0\n", shown)
    assert re.search(r"Eli +o2 \(declared in m7\); last ballot: p9\.0\n", shown)
    assert re.search(r"Kofi +p9\.0 \(declared in m9\); last ballot: none\n", shown)
    assert re.search(r"Rosa +o1 \(declared in m10\); last ballot: o1\n", shown)


def test_the_account_names_a_text_without_a_title_by_a_few_words_and_its_id() -> None:
    """The whole of p8.0 stood in a line on Ruth's side, since its first words are those of another wording, too."""
    assert "holds “Move to the school gym from…” (p8.0) since m8)." in report_markdown(reported(CHOIR))
