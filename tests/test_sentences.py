"""A sentence about a debate is held against its record; what the record cannot show is never called false."""

from __future__ import annotations

from functools import cache

import pytest
from in_turn import in_one
from test_report_record import allotment

from eda import Session, check_sentence
from eda.events.acts import Act
from eda.events.records import Proposal
from eda.memory.sentences.judges import check, fact_words
from eda.memory.sentences.record import Marked, Record, Vote, index
from eda.words import Words, languages

FALSE = (
    "In m4 Wanda opposed p6.0.",
    "m5 was written by Stefan.",
    "p6.1 is Jonas's proposal.",
    "p6.0 was moved by Halima.",
    "Stefan supported p6.0 in m9.",
    "Pilar withdrew p6.0.",
    "Jonas withdrew his opposition to p6.0.",
    "Stefan voted for p6.0.",
    "Wanda voted against p6.0 on the last ballot.",
    "Everyone except Wanda voted for p6.0.",
    "p6.0 was adopted by three votes to two.",
    "p6.0 was adopted unanimously.",
    "Two members voted for p6.0.",
    "Drilling a well beside the shed won with four votes.",
    "Halima dissented.",
    "Wanda abstained in the last ballot.",
    "Two members abstained in the last ballot.",
    "p6.0 was put by Halima.",
    "Halima withdrew her support of o1.",
    "Stefan withdrew his support for p6.0.",
    "Nobody opposed p6.0.",
    "Jonas's support for p6.0 in m8 had no condition.",
    "Halima backed p6.0 before Pilar moved p6.0, and m99 says so.",
    "The plot holder opposed p6.0.",
    "Everybody agrees on p6.0.",
    "Stefan unterstützt p6.0.",
    "Pilar zog p6.0 in m9 zurück.",
    "Halimas p6.0 wurde angenommen.",
    "p6.1 ist von Jonas.",
    "Alle außer Wanda stimmten für p6.0.",
    "p6.0 wurde einstimmig angenommen.",
    "As Wanda said in m9, the tanks are a plaster.",
    "Wanda sagte in m9, die Tanks seien ein Pflaster.",
    "Wie Wanda in m9 sagt, sind die Tanks ein Pflaster.",
    "Halima supported p6.0 and opposed p6.0 in m7, while Stefan backed p6.0.",
    "The vote was unanimous.",
    "The lone vote against was Wanda's.",
    "The only dissent came from Jonas.",
    "Stefan was among the four who accepted p6.0.",
    "Everyone voted for p6.0, except for Wanda.",
    "Nobody opposed p6.0 except Jonas.",
    "All but two members accepted p6.0.",
    "Two members voted against p6.0.",
    "Only Halima voted for p6.0.",
    "Only Jonas supported p6.0.",
    "p6.0 was never put to a vote.",
    "The panel failed to reach a verdict.",
    "There was no decision.",
    "Stefan said yes to p6.0 in m9.",
    "Stefan's m9 speaks for p6.0.",
    "m7 speaks against p6.0.",
    "Jonas's support for p6.0 came with no strings attached.",
    "Stefan was silent on p6.0.",
    "Halima put p6.1 forward.",
    "It was Wanda who put up p6.0.",
    "Stefan came round in the end.",
    "Halima was against p6.0 from the start.",
    "Die einzige Gegenstimme kam von Wanda.",
    "Alle stimmten für p6.0 außer Wanda.",
    "Nur Wanda stimmte für p6.0.",
    "p6.0 kam nie zur Abstimmung.",
    "Stefans m9 spricht für p6.0.",
    "Es gab keinen Beschluss.",
)
TRUE = (
    "In m9 Stefan opposed p6.0.",
    "m5 was written by Wanda.",
    "p6.1 is Pilar's proposal.",
    "Jonas supported p6.0 in m8, if the pump is repaired first.",
    "Everyone except Stefan voted for p6.0.",
    "p6.0 was adopted by four votes to one.",
    "Stefan voted for o1, which nobody else did.",
    "Stefan dissented.",
    "Nobody abstained in the last ballot.",
    "p6.1 was put by Pilar.",
    "The plot holder supported p6.0 in m8, if the pump is repaired first.",
    "Stefan never supported p6.0.",
    "Stefan unterstützt p6.0 nicht.",
    "Stefan lehnt p6.0 in m9 ab.",
    "Alle außer Stefan stimmten für p6.0.",
    "The vote was not unanimous.",
    "The vote was unanimous but for Stefan.",
    "The lone vote against was Stefan's.",
    "The only vote against p6.0 came from Stefan.",
    "The only objection to p6.0 was Stefan's.",
    "Halima was among the four who accepted p6.0.",
    "Stefan was not among the four who accepted p6.0.",
    "Everyone voted for p6.0, except for Stefan.",
    "Everybody liked p6.0 but Stefan opposed it.",
    "Nobody opposed p6.0 except Stefan.",
    "All but one accepted p6.0.",
    "One member voted against p6.0.",
    "Only Stefan voted for o1.",
    "Only Stefan opposed p6.0.",
    "p6.0 was put to the vote.",
    "p6.0 was never put to a vote on its own.",
    "The panel did not fail to reach a verdict.",
    "At first there was no decision.",
    "Stefan said no to p6.0 in m9.",
    "Stefan's m9 speaks against p6.0.",
    "Wanda was silent on p6.0.",
    "Stefan was silent on p6.0 until m9.",
    "Pilar put p6.1 forward and defended it in m9.",
    "It was Pilar who put up p6.0.",
    "Stefan was against p6.0 from the start.",
    "p6.0 won by three votes.",
    "Die einzige Gegenstimme kam von Stefan.",
    "Alle stimmten für p6.0 außer Stefan.",
    "p6.0 kam zur Abstimmung.",
    "The rejection of p6.0 by Stefan was no surprise.",
    "Support for p6.0 by Halima came in m7.",
)
OPEN = (
    "Wanda said that Stefan supported p6.0.",
    "If Stefan had voted for p6.0, all would be well.",
    "Pilar withdrew in favour of p6.0.",
    "Wanda abstained from meat.",
    "As Stefan said in m9, the tanks are a plaster.",
    "Wie Stefan in m9 sagt, sind die Tanks ein Pflaster.",
    "What Stefan put up in m9 is what Pilar had asked for.",
    "Halima answered Pilar's question in m7.",
    "p6.0 led to p6.1.",
    "Not all voted for p6.0.",
    "Would Stefan support p6.0?",
    "Wanda sagt, dass Stefan p6.0 unterstützt.",
    "Wenn Stefan p6.0 unterstützte, wäre alles gut.",
    "Pilar took p3@7 off the table in m9.",
    "The tanks fill in April.",
    "The neighbour opposed p6.0.",
    "The panel nearly failed to reach a verdict.",
    "Wanda feared that the panel would reach no verdict.",
    "Had Stefan agreed, the vote would have been unanimous.",
    "Wanda said that the lone vote against was Jonas's.",
    "Only Halima supported p6.0 at that point.",
    "It was not Stefan who supported p6.0.",
    "Pilar wrote in m6 that o1 was adopted.",
    "For a while o1 led.",
    "o1 led for a while.",
    "Halima stuck to o1 until m7.",
    "Had p6.0 never been put to a vote, o1 might have won.",
    "Jonas and Pilar put p6.0 together.",
    "Pilar wrote p6.0 without asking anybody.",
    "",
    "‹W0› voted for ‹T1›.",
    "p6.0 " * 600,
)


@cache
def session() -> Session:
    return allotment().session


@in_one("sentence", FALSE)
def test_a_sentence_that_the_record_contradicts_is_false_and_says_by_what(sentence: str) -> None:
    check = check_sentence(sentence, session())
    assert check.verdict == "false"
    assert check.why
    assert all(fact_words(fact, Words(language)) for fact in check.why for language in languages())


@in_one("sentence", TRUE)
def test_a_sentence_that_the_record_bears_out_stands(sentence: str) -> None:
    assert check_sentence(sentence, session()).verdict != "false"


@in_one("sentence", OPEN)
def test_what_the_record_cannot_show_is_unknown(sentence: str) -> None:
    """To strike a true sentence is worse than to keep a false one: a wish, a report or a question claims nothing."""
    assert check_sentence(sentence, session()).verdict in ("unknown", "true")


@pytest.mark.parametrize(
    ("plain", "clause"),
    [
        ("Jonas supports p6.0", "if the moon is full"),
        ("Jonas supports p6.0", "as long as the region pays"),
        ("Jonas supports p6.0", "on the condition that it rains"),
        ("Jonas supports p6.0", "because the well is dry"),
        ("Jonas unterstützt p6.0", "wenn die Region zahlt"),
        ("Jonas unterstützt p6.0", "unter der Bedingung, dass es regnet"),
    ],
)
def test_a_sentence_is_not_true_as_long_as_part_of_it_is_not_judged(plain: str, clause: str) -> None:
    """ "Ana supports p3.0 if the region pays" was true of a member that set no condition, or another."""
    check = check_sentence(f"{plain}, {clause}.", session())
    assert (check.verdict, [fact.deed for fact in check.why]) == ("unknown", ["support-if"])
    assert check_sentence(f"{plain}.", session()).verdict == "true"


def test_a_fact_names_who_did_what_where() -> None:
    (fact,) = check_sentence("Stefan supported p6.0 in m9.", session()).why
    assert (fact.kind, fact.who, fact.deed, fact.text, fact.message) == ("deed", ("Stefan",), "oppose", "p6.0", 9)


def test_the_log_is_read_once_for_all_sentences_and_again_when_it_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    told, read = allotment(), list[int]()
    reads = told.session.log.read
    monkeypatch.setattr(told.session.log, "read", lambda after=0: read.append(after) or reads(after))
    check_sentence(TRUE[0], told.session)
    once = len(read)
    for sentence in FALSE:
        check_sentence(sentence, told.session)
    assert (once > 0, len(read)) == (True, once)
    assert check_sentence("m11 was written by Stefan.", told.session).verdict == "false"  # there is no m11 yet
    told.say([("Stefan", "One more word.")])
    assert check_sentence("m11 was written by Stefan.", told.session).verdict != "false"


def test_whom_a_text_was_second_for_at_the_first_vote_did_not_vote_for_it() -> None:
    """ "Rosa voted for the well" stood of a member that had named it second, and refused it in the end."""
    texts = {key: Proposal(key, 0, "", words) for key, words in (("o1", "Drill a well"), ("o2", "Buy tanks"))}
    votes = [
        Vote(0, ("ballot", True), frozenset(texts), {"Rosa": Marked(True, "o2", ("o2", "o1"))}, None),
        Vote(9, ("ballot", False), frozenset(texts), {"Rosa": Marked(True, "o2", ("o2",))}, ("o2",)),
    ]
    record = index({"Rosa": "Rosa"}, {1: "Rosa"}, texts, {}, votes)
    said = ("Rosa voted for o1.", "Rosa voted for o2.", "Rosa accepted o1 in the first vote.")
    assert [check(each, record).verdict for each in said] == ["false", "true", "true"]


def test_a_role_of_two_parts_names_its_member_by_the_first_too() -> None:
    """ "The city resident wanted no cake" stood of a city resident and citizens' advocate."""
    roles = {"Rosa": "city resident and citizens' advocate", "Ben": "legal and compliance counsel"}
    record = index({"Rosa": "Rosa", "Ben": "Ben"}, {1: "Rosa"}, {}, {}, roles=roles)
    said = ("The city resident wanted no cake.", "Legal wanted no cake.", "The legal side wanted no cake.")
    assert [{*check(each, record).names} for each in said] == [{"Rosa"}, set(), set()]


@cache
def drains() -> Record:
    """Return a debate with a vote before it: Rosa's p2.0 became Ben's p4.0 and Ada's p6.0, which won."""
    lineage = {"p2.0": ("Rosa", None), "p4.0": ("Ben", "p2.0"), "p6.0": ("Ada", "p4.0")}
    options = {key: Proposal(key, 0, "", words) for key, words in (("o1", "Dig a new drain"), ("o2", "Hire a pump"))}
    texts = options | {k: Proposal(k, int(k[1]), who, k, amends=of) for k, (who, of) in lineage.items()}
    acts = {number: [Act("propose", id=key)] for number, key in ((2, "p2.0"), (4, "p4.0"), (6, "p6.0"))} | {
        3: [Act("support", on="o1")],
        5: [Act("oppose", on="o1"), Act("oppose", on="p4.0")],
    }
    marks = {"Ada": ("o1", "p6.0"), "Ben": ("o1", "p6.0"), "Rosa": ("o2", "o2")}
    votes = [
        Vote(
            at,
            ("ballot", not at),
            frozenset(offered),
            {who: Marked(True, each[place], (each[place],)) for who, each in marks.items()},
            won,
        )
        for place, (at, offered, won) in enumerate(((0, options, None), (7, ("o1", "o2", "p6.0"), ("p6.0",))))
    ]
    authors = {1: "Ada", 2: "Rosa", 3: "Ben", 4: "Ben", 5: "Rosa", 6: "Ada", 7: "Ben"}
    return index({who: who for who in marks}, authors, texts, acts, votes)


OF_COURSE = {  # false, and true or open
    "p4.0 was written before p2.0.": "p4.0 was written before p6.0.",
    "p2.0 came after p6.0.": "p2.0 came up only after o1.",
    "p2.0 replaced p6.0.": "p6.0 replaced p4.0.",
    "p4.0 grew out of p6.0.": "p6.0 grew out of p2.0.",
    "Rosa amended p2.0 to make p4.0.": "Ben amended p2.0 to make p4.0.",
    "Ben turned p2.0 into p6.0.": "Ada turned Ben's p4.0 into p6.0.",
    "p6.0 builds on p2.0 directly.": "p6.0 builds on p2.0.",
    "Ada wrote p6.0 from scratch.": "Rosa wrote p2.0 from scratch.",
    "Everyone changed their vote except Ada.": "Everyone changed their vote except Rosa.",
    "Rosa changed her vote.": "Rosa voted the same way both times.",
    "Two members kept their first vote.": "Two members changed their votes.",
    "Three members began with o1.": "Two members began with o1.",
    "Rosa opened with o1.": "Ada opened with o1.",
    "On the first ballot o2 was ahead.": "o1 was ahead at the first vote.",
    "The option to hire a pump was ahead on the first ballot.": "The option to dig a drain led the first ballot.",
    "The first vote was unanimous.": "The last vote was not unanimous.",
    "Ben supported o1 throughout, and Rosa was for o1 all along.": "Ben supported o1 from the start.",
    "Rosa was for o1 from the start.": "Ada was for o1 from the start.",
    "On the last ballot o1 found a majority.": "o1 led on the first ballot, but only p6.0 found a majority.",
    "At first o2 led.": "At first o1 led.",
    "Two votes went to o1 on the last ballot.": "Not a single vote went to o1 on the last ballot.",
    "Rosa was for p4.0 from the start.": "Rosa was against p4.0 from the start.",
    "Rosa was silent on p4.0.": "Ben was silent on o2.",
    "p4.0 was put to the vote.": "p4.0 never came to a vote.",
    "Ben's wording won.": "Ada's wording won.",
    "Rosa stuck to p2.0 to the end.": "Rosa stood by o2 to the end.",
    "p4.0 was the text that won.": "p6.0 was the text that won.",
    "p4.0 wurde vor p2.0 geschrieben.": "p2.0 wurde vor p4.0 geschrieben.",
    "Rosa war von Anfang an für p4.0.": "Rosa war von Anfang an gegen p4.0.",
    "In der ersten Abstimmung lag o2 vorn.": "In der ersten Abstimmung lag o1 vorn.",
}


@in_one("sentence", OF_COURSE)
def test_the_course_of_a_debate_is_held_against_its_messages_and_both_votes(sentence: str) -> None:
    assert (check(sentence, drains()).verdict, check(OF_COURSE[sentence], drains()).verdict != "false") == (
        "false",
        True,
    )


def test_a_decision_that_a_member_blocked_may_be_an_earlier_one() -> None:
    """ "Eli blocked the decision" stood as true of a block that was followed by a verdict."""
    texts = {"p2.0": Proposal("p2.0", 2, "Ada", "Dig"), "p4.0": Proposal("p4.0", 4, "Ben", "Pump")}
    votes = [
        Vote(3, ("ballot", False), frozenset({"p2.0"}), {"Eli": Marked(True, "none", (), ("p2.0",))}, ()),
        Vote(5, ("ballot", False), frozenset({"p4.0"}), {"Eli": Marked(True, "p4.0", ("p4.0",))}, ("p4.0",)),
    ]
    record = index({"Eli": "Eli", "Ada": "Ada"}, {2: "Ada", 4: "Ada"}, texts, {}, votes)
    said = (
        "Eli blocked the decision.",
        "Ada blocked the decision.",
        "Eli blocked p2.0.",
        "The panel reached no verdict.",
    )
    assert [check(each, record).verdict for each in said] == ["unknown", "false", "true", "unknown"]
