"""What a voter reads: the texts by motion, what each word of the answer means, and nothing that is not counted."""

from __future__ import annotations

import json
import re

import pytest
from test_prompt_slots import MAYA, RUTH, Keeping
from told import MEMBERS, Told

from eda import Debate, Settings
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.texts import Prompts
from eda.events import Ballot, BallotCast, PhaseStarted
from eda.events.votes import BallotText
from eda.memory import ConversationMemory
from eda.panels.agenda import load_agenda
from eda.runners.api_client import with_form
from eda.runners.repair import fit
from eda.voting.answers import read_ballot

ADA = MEMBERS[0]
TEXTS = (
    BallotText(id="o1", motion="o1", text="End the free plan"),
    BallotText(id="o2", motion="o2", text="Cap it at 30"),
    BallotText(id="p9.1", motion="p9.1", text="Cap it at 20 from February"),
    BallotText(id="p19.0", motion="p9.1", text="Cap it at 20 from March"),
    BallotText(id="p12.2", motion="p12.2", text="Two weeks of look-up"),
)


def ballot(*, rule: str = "majority", first: bool = False, answer: str = "one", agenda: str = "panel") -> str:
    """The ballot of Ada, as she reads it."""
    told = Told(agenda=load_agenda(agenda), settings=Settings(rule=rule))
    prompt = builder(told).vote(ADA, TEXTS, first=first, answer=answer)
    return f"{prompt.held[-1]}\n{prompt.own[prompt.own.index('# The ballot') :]}"


def builder(told: Told) -> PromptBuilder:
    assert told.progress.started is not None
    return PromptBuilder(told.progress.started, told.memory, told.progress)


def shape(text: str) -> set[str]:
    """The fields that the shape of the answer has."""
    return set(re.findall(r'"(\w+)":', text[text.index("JSON only:") :])) - {"score"}


FIELDS = {"ranking", "also", "moved_by", "confidence", "reason"}


def test_a_ballot_has_each_text_on_a_line_and_names_its_versions() -> None:
    """Without it two wordings of one motion look like two answers, and share its votes."""
    text = ballot()
    lines = text.splitlines()
    for each in TEXTS:
        (line,) = [line for line in lines if f'{each.id}: "{each.text}"' in line]
        assert not line.startswith(" ")
    places = {each.id: text.index(f'{each.id}: "') for each in TEXTS}
    order = sorted(places, key=places.__getitem__)
    assert abs(order.index("p9.1") - order.index("p19.0")) == 1
    assert text.count("another wording") == 1
    for word in ("ACCEPT", "best first", "What you leave out you refuse", '"none"', '"abstain"'):
        assert word in text
    assert shape(text) == FIELDS
    assert "{{" not in text
    assert "  \n" not in text
    assert "\n\n\n" not in text


def test_another_wording_is_named_by_a_text_that_stands_on_the_ballot() -> None:
    """Without it a voter is sent to a text that was replaced and that it cannot see."""
    texts = tuple(text.model_copy(update={"motion": "p1.0"}) for text in TEXTS[2:4])
    own = builder(Told()).vote(ADA, texts).own
    assert "p1.0" not in own[own.index("# The ballot") :]
    assert own.count("another wording") == 1


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        ("majority", set()),
        ("borda", set()),
        ("approval", set()),
        ("consent", {"blocked"}),
        ("score", {"scores", "choice"}),
    ],
)
def test_scores_and_blocks_are_asked_for_where_the_rule_counts_them(rule: str, more: set[str]) -> None:
    """Without it a voter thinks about what nobody counts."""
    text = ballot(rule=rule)
    assert shape(text) == FIELDS | more
    for field in ("blocked", "scores"):
        assert (f'"{field}": ' in text) == (field in more)


def test_the_first_ballot_says_that_nobody_has_spoken_and_asks_for_no_more() -> None:
    """Without it a voter looks for the message that moved it before there is one."""
    text = ballot(first=True)
    assert "Nobody has spoken yet" in text
    assert shape(text) == FIELDS - {"also", "moved_by"}
    assert "also" not in text.replace("asked again", "")
    assert "Score each finding" not in ballot(first=True, agenda="red-team")


def test_before_anybody_has_spoken_the_options_stand_in_the_question_and_on_the_ballot_alone() -> None:
    """Each stood there a third time, as a table on which nobody had declared for or against anything."""
    runner = Keeping()
    Debate("Shall we go?", ("sceptic", "historian"), runner, options=("Go", "Wait")).run_sync()
    for prompt in (runner.of("ballot")[0], runner.of("speak")[0]):
        assert prompt.last == 0
        assert "- o1: Go\n- o2: Wait" in prompt.text
        assert "The table after" not in prompt.text
    assert runner.of("ballot")[0].text.count("Wait") == 2
    assert "The table after m2" in runner.of("bid")[0].text


def test_the_ballot_tells_the_answer_from_what_is_done_beside_it() -> None:
    """In a played debate a voter ranked a text that it wanted beside the answer, and so voted against its own."""
    assert '"ranking" is about the one answer: at most one of its texts wins.' in ballot()
    assert '"also" lists the ids of texts that you want adopted in addition' in ballot()
    assert '"ranking" is about' not in ballot(answer="list", rule="score")


def test_a_ballot_speaks_of_options_and_of_several_motions_only_where_it_has_them() -> None:
    """One motion was offered as "one of these", and no option stands where none was given."""
    first, second = (builder(Told()).vote(ADA, TEXTS[at:end]).held[-1] for at, end in ((2, 4), (2, 5)))
    assert "The ballot below has one motion, which can become the answer." in first
    assert "One of these motions can become the answer." in second
    assert ("no option that was given" in second, "no option that was given" in ballot()) == (False, True)


def test_a_list_is_voted_on_motion_by_motion() -> None:
    """Without it voters name the best finding and refuse the others."""
    text = ballot(answer="list", rule="score", agenda="red-team")
    assert "Each motion is adopted or not by itself" in text
    assert "the texts that you could adopt, best first" in text
    assert "Score each finding" in text
    assert shape(text) == (FIELDS - {"also"}) | {"apart", "scores", "choice"}


def test_the_ballot_tells_the_rule_and_asks_for_no_moves() -> None:
    """A voter did not know what wins; the system's rules asked it to end with moves."""
    assert (
        "The rule: A motion wins with more than half of the votes cast; a vote for any wording of it counts."
        in ballot()
    )
    assert "The rule: more than half of the votes cast accept it." in ballot(answer="list")
    assert "The rule: Two thirds of the votes cast." in ballot(answer="list", rule="supermajority-2/3")
    assert "The rule:" not in ballot(first=True)
    assert "No moves here.\nAnswer with JSON only:" in ballot()


def test_the_shape_names_no_message_and_its_words_copied_credit_nobody() -> None:
    """The example `m12` was a real message: whoever copied it credited its author."""
    text = ballot()
    assert not re.search(r"\bm\d", text)
    fields, wrong = read_ballot({"choice": "o1", "moved_by": "a message id, or null"}, "", ("o1", "o2"))
    assert (fields["moved_by"] if fields else wrong) is None
    assert '"moved_by": "a message id, or null"' in text


def test_the_shape_favours_no_text() -> None:
    """Without it the text that the example names has a head start."""
    rules = ballot().partition("# The ballot")[0]
    assert "JSON only:" in rules
    assert not any(each.id in rules for each in TEXTS)


def test_an_answer_in_that_shape_can_be_read() -> None:
    """Without it a model that does as it is told is asked again."""
    told = Told()
    prompt = builder(told).vote(ADA, TEXTS)
    assert prompt.answer is not None
    given = {"choice": "p9.1", "ranking": ["p9.1", "p19.0"], "also": ["p12.2"], "moved_by": "m5", "confidence": 0.7}
    fields, wrong = fit(prompt.answer, json.dumps({**given, "reason": "It can be undone."}))
    assert wrong == ""
    assert fields is not None
    assert (fields["choice"], fields["ranking"]) == ("p9.1", ["p9.1", "p19.0"])


def test_a_member_sees_its_own_first_ballot_and_nobody_else_s() -> None:
    """Without it who was worn down cannot tell; with another's it is no private ballot."""
    told = Told()
    told.tell(PhaseStarted(phase="ballot", why="done"))
    for who, choice in (("Ada", TEXTS[0].text), ("Ben", TEXTS[1].text)):
        ballot = Ballot(agent=who, choice=choice, ranking=(choice, TEXTS[2].text) if who == "Ada" else (choice,))
        told.tell(BallotCast(ballot=ballot, choices=(choice, TEXTS[2].text), first=True))
    assert told.progress.ballots == []
    prompt = builder(told).vote(ADA, TEXTS)
    assert f'In the first ballot you chose "{TEXTS[0].text}" and accepted "{TEXTS[2].text}" too.' in prompt.own
    assert prompt.own.count("In the first ballot") == 1
    assert "In the first ballot" not in builder(told).vote(ADA, TEXTS, first=True).own
    tied = Ballot(agent="Ada", choice=None, ranking=((TEXTS[0].text, TEXTS[1].text), TEXTS[2].text))
    told = Told()
    told.tell(PhaseStarted(phase="ballot", why="done"))
    told.tell(BallotCast(ballot=tied, choices=tuple(each.text for each in TEXTS), first=True))
    said = f'In the first ballot you chose "{TEXTS[0].text}" = "{TEXTS[1].text}" and accepted "{TEXTS[2].text}" too.'
    assert said in builder(told).vote(ADA, TEXTS).own


def test_the_ballots_of_one_debate_share_all_but_the_voter_s_own_part() -> None:
    """Without it each voter pays for the whole transcript."""
    runner = Keeping()
    Debate("Shall we go?", ("sceptic", "historian", "pragmatic-engineer"), runner, options=("Go", "Wait")).run_sync()
    ballots = [prompt for prompt in runner.of("ballot") if prompt.last]
    assert {prompt.agent for prompt in ballots} >= {RUTH, MAYA}
    assert len({(prompt.system, prompt.shared, prompt.held) for prompt in ballots}) == 1


def test_the_house_rules_are_short() -> None:
    """Without it each call of a debate pays for advice that nobody remembers."""
    house = Prompts().fill("house")
    assert ConversationMemory().parts.tokens.of(house) < 395
    for rule in ("A fact names its source", "experience", "give way, say to whose argument", "Say nothing twice"):
        assert rule in house


def test_the_report_prompt_asks_for_quotations_and_for_no_words_of_its_own() -> None:
    """What a model says of a debate in its own words nobody can check."""
    text = Prompts().fill("report", count="Move it: 3 of 5", held="m1")
    for words in ("Choose what its report quotes", "quotes one message word for word"):
        assert words in text


@pytest.mark.parametrize(
    "text", [Prompts().fill("speak-opening"), Prompts().fill("speak-discussion"), Prompts().fill("speak-closing")]
)
def test_no_speech_is_told_to_name_an_id_that_is_not_there_yet(text: str) -> None:
    """Without it an opening names p1.0 before there is one."""
    assert not re.search(r"\bp\d", text)
    assert "[PASS]" not in text or "closing" in text


def test_a_server_without_schemas_is_shown_one_form_of_a_ballot() -> None:
    """Behind the form that a ballot asks for stood the schema of another one, which wanted a `choice`."""
    prompt = builder(Told()).vote(ADA, TEXTS)
    assert with_form(prompt) == prompt.own
