"""What was told wrongly of a debate that was played carefully: each test has the words of it."""

from __future__ import annotations

from io import StringIO

import pytest
from played_roof import ROLES, SAID, TEXTS, talk, voted
from rich.console import Console
from told import Told, persona

from eda import MessagePosted
from eda.cli.tally import print_tally, tally_data
from eda.cli.terminal.transcript import print_minutes
from eda.debate.addressing import Addressing
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.texts import Prompts
from eda.events.records import Proposal
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.table import standing
from eda.report.gather import report_of
from eda.report.sections import ballot_lines
from eda.report.write import report_prompt
from eda.voting import Account, compare
from eda.words import ENGLISH


@pytest.mark.parametrize(
    ("number", "called", "asked"),
    [
        (5, ["Keiko", "Kofi"], ["Kofi"]),
        (6, ["Sunniva", "Keiko", "Beatriz"], ["Keiko", "Beatriz"]),
        (10, ["Kofi", "Beatriz"], []),
    ],
)
def test_who_is_addressed_after_and_or_before_what_is_said_of_a_thing(
    number: int, called: list[str], asked: list[str]
) -> None:
    names, (who, text) = Addressing(tuple(ROLES)), SAID[number - 1]
    assert names.called(text, who) == called
    assert [name for name in ROLES if names.asks(text, name)] == sorted(asked, key=list(ROLES).index)


@pytest.mark.parametrize(
    "text",
    ["Beatriz, the finance director, is right.", "And Beatriz, who counted, agrees.", "And Kofi and Keiko agree."],
)
def test_who_is_only_spoken_of_is_not_addressed(text: str) -> None:
    assert Addressing(tuple(ROLES)).called(text, "Sunniva") == []


def test_the_prompt_of_a_report_says_what_each_ballot_wants_beside_and_what_moved_it() -> None:
    done = voted()
    report = report_of(done.session, done.progress, done.memory)
    told = report_prompt(done.session, done.progress, done.memory, report).own
    assert "- Ballot of Sunniva: Accepts o1. Would also adopt p3.0. Its reason: A grant" in told
    beatriz = "Accepts p8.0, p9.0. Would also adopt p3.0. Names m7 as what moved them. Its reason: Keiko's"
    assert f"- Ballot of Beatriz: {beatriz}" in told
    assert "- Ballot of Kofi: Accepts p9.0, p8.0, o2. Names m8 as what moved them. Its reason: It names" in told


def prompts(done: Told) -> PromptBuilder:
    return PromptBuilder(done.session.started(), done.memory, done.progress)


def test_a_first_ballot_is_not_told_to_end_with_moves() -> None:
    """ "End with the moves that you make" stood above "No moves here." """
    assert "\nWhen you speak, end with your moves, at most 8 lines" in Prompts().fill("house")


def test_who_bids_is_told_what_was_put_since_the_table() -> None:
    """Bids to the end showed "The table before m1 ... nobody has declared for or against it"."""
    done = talk(8)
    members = tuple(done.progress.personas.values())
    for asked in (prompts(done).bid(members), prompts(done).bid(members[0])):
        assert asked.text.count("## The table after m8") == 1
        assert "- p3.0 Kofi" in asked.own


def text_of(done: Told, key: str) -> Proposal:
    return next(text for motion in done.memory.motions for text in motion.versions if text.id == key)


def test_who_holds_a_text_of_another_answer_still_supports_the_first_until_it_takes_that_back() -> None:
    """A second choice on the ballot was shown as left by who had declared another text as its position."""
    done = talk()
    assert text_of(done, "o1").backers("support") == ("Sunniva", "Beatriz")
    assert done.memory.parts.newest_table().moved_on["o1"]["Beatriz"] == "p8.0"
    for number, line in ((11, "[POSITION] o1"), (12, "[WITHDRAW my support of o1] the price")):
        read = read_reply(said := f"I was wrong.\n\n{line}", "Beatriz", ROLES)
        done.tell(MessagePosted(number=number, who="Beatriz", text=said, **read._asdict()))
        assert "Beatriz" not in done.memory.parts.newest_table().moved_on.get("o1", {})
    assert text_of(done, "o1").backers("support") == ("Sunniva",)


def test_a_position_on_another_wording_leaves_the_support_of_the_option() -> None:
    """Kofi supports o2 and holds p9.0, a wording of it; the loggers he wants beside either."""
    done = talk()
    assert text_of(done, "o2").backers("support") == ("Kofi",)
    assert done.memory.parts.newest_table().moved_on["o2"]["Kofi"] == "p9.0"
    assert [who for who, _ in standing(text_of(done, "p3.0"), "support")] == ["Kofi", "Sunniva", "Keiko", "Beatriz"]


def test_in_a_list_a_position_leaves_no_text() -> None:
    done = Told(talk=(), options=(), members=tuple(persona(title, role) for title, role in ROLES.items()))
    texts = ("[PROPOSE] Buy loggers.", "[PROPOSE] Order the boiler.", "I listen.", "I listen.")
    after = ("[SUPPORT p1.0] it is cheap\n[POSITION] p1.0", "[POSITION] p2.0")
    done.say([*zip(ROLES, texts, strict=True), *(("Kofi", text) for text in after)])
    assert text_of(done, "p1.0").backers("support") == ("Kofi",)
    assert done.memory.parts.newest_table().positions["p2.0"] == {"Kofi": ""}


def screen(done: Told) -> str:
    out = StringIO()
    facts = done.session.events()
    print_minutes(Console(file=out, width=3000), done.session.started(), done.progress, done.memory, facts)
    return out.getvalue()


def tallied(done: Told) -> str:
    account = Account([each.ballot for each in done.progress.ballots], texts=TEXTS)
    counts = compare(account, 0, blocks_asked=False)
    data = tally_data(counts, account, members=list(ROLES), quorum=0.5)
    out = StringIO()
    print_tally(data, Console(file=out, width=3000))
    return out.getvalue()


def test_what_differs_tells_every_text_that_somebody_accepts() -> None:
    """Keiko accepts p4.0, which nobody put first: only the votes said who was for what."""
    done = voted()
    report = report_of(done.session, done.progress, done.memory)
    (keiko,) = (told for voter, told in ballot_lines(report) if voter.who == "Keiko")
    assert "p4.0" in keiko


def test_a_position_says_that_it_was_declared_in_the_talk() -> None:
    """ "Keiko m4 o2" stood beside a ballot that puts p9.0 first."""
    said = {"left": (), "put": (), "backs": "p3.0 (m7)", "back": ""}
    told = ENGLISH.say("show-position", text="o2", gone=False, declared=True, at="m4", **said)
    assert any(line.split(maxsplit=1)[:1] == ["Keiko"] and told in line for line in screen(voted()).splitlines())


def test_a_tally_says_taken_into_only_of_a_text_that_was_decided() -> None:
    told = tallied(voted())
    assert "p3.0 (part of p9.0), accepted as the answer by nobody" in told, "it stands by itself"
    assert "p8.0 (a wording of o2, taken into p9.0), put first by Beatriz" in told
    first = {"choice": "p8.0", "ranking": ["p8.0"], "approved": ["p8.0"]}
    told = tallied(voted(Kofi=first, Keiko=first, Beatriz=first))
    assert "p3.0 (part of p9.0)" in told
    assert "taken into" not in told
