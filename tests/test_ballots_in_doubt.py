"""Ballots as careless models write them: each is read as it was meant, or its voter is asked about it once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_turn import in_one
from test_asked_again import Saying, facts, held

from eda import Debate, Prompt, Reply
from eda.cli.terminal.verdict import ballot_phrase
from eda.debate.asking import Checked, read_bids, read_vote
from eda.debate.tries import Tries
from eda.debate.verdict import Paper
from eda.events import MAX_MESSAGE, NONE, Ballot, BallotCast, BallotText
from eda.events.outcome import Doubt
from eda.report.vote_words import doubts_phrase
from eda.runners.answers import ScoredAnswer
from eda.runners.repair import fields_of
from eda.voting import Account, verdict
from eda.voting.ballot_reader import read_ballot, refused_in
from eda.voting.mentions import lettered
from eda.voting.tallies import compare

HALL = (
    "Refit the ground floor of the old library for at most 460,000 euros, open it as a reading room and public hall "
    "run by the town, and let 180 square metres of it to the health authority as a clinic, with a"
)
TEXTS = (
    BallotText(
        id="p8.2",
        motion="p5.0",
        text="Repair the roof for good for 84,000 euros from the building fund; no scaffolding on Mill Square before 7 "
        "January, and the work done by 31 March.",
    ),
    BallotText(
        id="p12.1",
        motion="p2.0",
        text="From 1 March one named building manager in the town hall signs for the old library, answers one "
        "telephone number that is posted on the door, and publishes a report on cost and use every year.",
    ),
    BallotText(id="p7.0", motion="p3.0", text=f"{HALL} level entrance by 1 September."),
    BallotText(
        id="p11.0",
        motion="p3.0",
        text=f"{HALL} ramp at the side door by 1 September; no money is spent before the authority has signed.",
    ),
    BallotText(
        id="p16.2",
        motion="p5.1",
        text="Keep the cellar free of everything that water can spoil, until twelve months of water levels are known.",
    ),
    BallotText(
        id="p1.0",
        motion="p1.0",
        text="Sell the old library without conditions by open tender, for at least 1.1 million euros, and pay the "
        "proceeds into the building fund.",
    ),
)
IDS = {each.id: each.text for each in TEXTS}
WORDS = [each.text for each in TEXTS]
KOFI = (
    '{"choice": "p11.0: Refit the ground floor", "ranking": ["p11.0: Refit the ground floor", "p12.1 (manager)", '
    '"P8.2", "p16.2."], "moved_by": "m7 (Rosa)", "confidence": "90%", "reason": "The letter first, then the ramp, and '
    'a doctor for the 31 in a hundred"}'
)
LEILA = (
    '```json\n{"choice": "p1.0", "ranking": ["p1.0", "p8.2", "p16.2", "p12.1", "p7.0", "p11.0",], "moved_by": null, '
    '"confidence": 0.9, "reason": "The sale first and a dry roof; the hall with the clinic, p11.0 and p7.0, I refuse, '
    'and the manager too.",}\n```'
)
ROSA = (
    'Here is my ballot:\n```json\n{"choice": "p11.0", "ranking": ["p11.0", "p7.0", "p12.1", "p8.2", "p16.2",], '
    '"moved_by": "Gerard, m12", "confidence": 0.85, "reason": "A signature, a number on the door and a dry roof.",}\n'
    "```\nI hope this helps!"
)
MINH = (
    '{"choice": "none", "ranking": ["p8.2", "p12.1", "p16.2"], "moved_by": "m7", "confidence": 0.7, "reason": "None of '
    'the uses: not the sale and not the hall; but the roof, the manager and the cellar rule I accept."}'
)
SUNNIVA = (
    '{"choice": null, "ranking": null, "moved_by": null, "confidence": 0.5, "reason": "what we agreed is not on this '
    'ballot"}'
)
GERARD = (
    "Dear colleagues, having weighed everything, I vote for p11.0 first, then p12.1 and p8.2. I do not accept the sale "
    "p1.0, and I refuse p7.0 because it has no signature in it. The cellar text p16.2 I refuse as well, a clerk cannot "
    "check it. Kofi's message m11 moved me most. I am fairly confident (0.8)."
)


def vote(text: str) -> Checked:
    fields, _ = fields_of(ScoredAnswer, Reply(text))
    return read_vote(fields, text, TEXTS)


def ids(words: tuple[str, ...]) -> list[str]:
    return [key for each in words for key, text in IDS.items() if text == each]


@pytest.mark.parametrize(
    ("text", "accepted", "moved_by"),
    [
        (KOFI, ["p11.0", "p12.1", "p8.2", "p16.2"], 7),
        (ROSA, ["p11.0", "p7.0", "p12.1", "p8.2", "p16.2"], 12),
        (SUNNIVA, [], None),
        (json.dumps({"choice": "p8.2: Repair", "ranking": ["p8.2: Repair", "p11.0"]}), ["p8.2", "p11.0"], None),
        (json.dumps({"choice": "p8", "ranking": ["[P8]", "p11.0 (hall)"]}), ["p8.2", "p11.0"], None),
        (json.dumps({"choice": "(p8.2)", "ranking": [WORDS[0], f"p7.0: {WORDS[2]}"]}), ["p8.2", "p7.0"], None),
        (json.dumps({"ranking": "p11.0 > p8.2"}), ["p11.0", "p8.2"], None),
        (json.dumps({"ranking": ["p11.0", "p11.0", "p8.2"]}), ["p11.0", "p8.2"], None),
    ],
)
def test_a_text_is_named_in_any_dress_in_every_field(text: str, accepted: list[str], moved_by: int | None) -> None:
    """Three acceptances were lost and one text counted where names of two kinds stood in one ballot."""
    fields, wrong = vote(text)
    assert fields is not None
    assert wrong == ""
    assert (ids(fields["ranking"]), ids(fields["approved"]), fields["moved_by"]) == (accepted, accepted, moved_by)
    Paper(TEXTS, "list").cast(Ballot(agent="Kofi", **fields))


@pytest.mark.parametrize(
    "text",
    [
        *("B", "p11.0, then B", "p11.0, then A. Nothing else.", "1. p11.0\n2. C", "<b>p8.2</b>", "p8.2 = D"),
        *(json.dumps({"ranking": ranking}) for ranking in (["p11.0", "B"], "B > p11.0", "A")),
    ],
)
def test_a_letter_that_no_voter_was_shown_is_asked_about(text: str) -> None:
    """ "p6.1, then B" was counted by a place that the voter had never seen, and then as p6.1 alone."""
    fields, wrong = vote(text)
    assert wrong
    assert fields is None or fields["doubts"]
    assert not Tries(lambda _: (None, ""), TEXTS, None)._likely(text, listed=False)  # type: ignore[arg-type]  # no prompts


@pytest.mark.parametrize("name", ["p11.0: not that", "p11.0 if the letter comes", f"p11.0: {WORDS[2]}", "p8.0"])
def test_an_id_beside_words_that_deny_it_or_name_another_text_names_nothing(name: str) -> None:
    """A text would be adopted in the name of a voter who refuses it."""
    fields, wrong = vote(json.dumps({"choice": "p8.2", "ranking": ["p8.2", name]}))
    assert fields is not None
    assert ids(fields["ranking"]) == ["p8.2"]
    assert wrong.startswith("`ranking` says '")


def test_a_ballot_for_what_was_not_offered_cannot_be_cast() -> None:
    """A ballot that named labels instead of texts was counted as a vote for nothing."""
    with pytest.raises(ValueError, match=r"Kofi names what was not offered: 'p8\.2: Repair'"):
        Paper(TEXTS).cast(Ballot(agent="Kofi", choice=WORDS[0], ranking=(WORDS[0], "p8.2: Repair")))


@pytest.mark.parametrize(
    ("text", "accepted", "fault"),
    [
        (
            LEILA,
            ["p1.0", "p8.2", "p16.2", "p12.1", "p7.0", "p11.0"],
            "refuses p11.0 and p7.0, which the ballot accepts",
        ),
        (MINH, [], "`choice` is none, which refuses every text, but texts are listed"),
    ],
)
def test_a_ballot_that_says_two_things_is_asked_about(text: str, accepted: list[str], fault: str) -> None:
    """Leila was counted for two texts that she refuses, and Minh against three that he accepts."""
    fields, wrong = vote(text)
    assert fields is not None
    assert ids(fields["ranking"]) == accepted
    assert fault in wrong


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            {"choice": "p7.0 or p11.0"},
            "it is not clear in which order the ballot accepts p7.0 and p11.0, or whether they are tied",
        ),
        ({"choice": ["p7.0", "p11.0"]}, "`choice` names 2 choices: p7.0, p11.0"),
        (
            {"choice": "p7.0", "ranking": ["p11.0", "p7.0"]},
            "`choice` is p7.0, which is not the first of `ranking`: p11.0",
        ),
        ({"choice": "p7.0", "approved": ["p11.0"]}, "`approved` leaves out p7.0, which is the choice"),
        ({"choice": "p7.0 if May"}, "`choice` says 'p7.0 if May', which names p7.0 on a condition or with a doubt"),
    ],
)
def test_a_fault_names_texts_by_their_ids(answer: dict[str, object], told: str) -> None:
    """Two versions begin with the same sixty characters: "names two choices: 'Refit ...' and 'Refit ...'"."""
    assert vote(json.dumps(answer))[1] == told


def test_all_faults_of_a_ballot_are_named_at_once() -> None:
    """Kofi was asked about a dead id; his second ballot accepted the text that he refused, and could not be asked."""
    reason = "Ruth is right that we need our own count; but I refuse p7.0, it leaves half of them untaught."
    fields, wrong = vote(json.dumps({"choice": "p77.1", "ranking": ["p77.1", "p11.0", "p7.0"], "reason": reason}))
    assert fields is None
    assert wrong == (
        f"`choice` says 'p77.1', which is not one of the texts to vote on: {', '.join(IDS)}, or none; the reason "
        "refuses p7.0, which the ballot accepts: leave p7.0 out of `ranking`, or say in the reason that you accept it"
    )


def test_prose_in_which_a_word_may_mean_anything_is_asked_about() -> None:
    """ "Having weighed everything" may come before "I would vote for"."""
    asked = "it is not clear what 'having weighed everything' accepts or refuses"
    assert vote(GERARD) == (None, f"it names p11.0, p12.1, p8.2, p1.0, p7.0, p16.2; {asked}")


@in_one(
    ("reason", "refused"),
    [
        *(("I refuse p11.0.", ["p11.0"]), ("p11.0 I refuse.", ["p11.0"]), ("p11.0 is refused", ["p11.0"])),
        *(("I oppose the hall p11.0", ["p11.0"]), ("not p11.0", ["p11.0"]), ("The roof, but not p11.0.", ["p11.0"])),
        ("The hall with the clinic, p11.0, I refuse", ["p11.0"]),
        ("I do not accept p11.0 because it costs too much", ["p11.0"]),
        ("I reject p1.0 and p11.0", ["p1.0", "p11.0"]),
        ("I accept p8.2, p1.0 I refuse.", ["p1.0"]),
        ("p7.0 can be cancelled; p11.0 I cannot accept while nobody has shown a quote", ["p11.0"]),
        *(("They reject p11.0.", ["p11.0"]), ("I was against p11.0 before", ["p11.0"])),  # whoever it is, one asks
        *(("Ich lehne p11.0 ab.", ["p11.0"]), ("p11.0 kommt nicht in Frage.", ["p11.0"])),
        *(("p11.0 lehne ich ab, weil es zu teuer ist", ["p11.0"]), ("Je refuse p11.0", ["p11.0"])),
        *(("Rechazo p11.0.", ["p11.0"]), ("Ich lehne p11.0 nicht ab.", [])),
        ("p11.0 is unacceptable to me as long as it counts for four Saturdays.", ["p11.0"]),
        ("I no longer accept p11.0, since it is the list again.", ["p11.0"]),
        *(("p11.0 is not acceptable for us", ["p11.0"]), ("p11.0 is out of the question.", ["p11.0"])),
        *(("p11.0 is not an option", ["p11.0"]), ("I'm against p11.0", ["p11.0"]), ("never p11.0", ["p11.0"])),
        *(("p11.0 is no good, I would not sign it", ["p11.0"]), ("I don't want p11.0.", ["p11.0"])),
        *(
            (text, [])
            for text in ("p11.0 is not out of the question", "I refuse p11.0 without a quote", "I never wanted it")
        ),
        *((text, []) for text in ("p11.0 is not unacceptable to me", "I am not against p11.0", "I want p11.0.")),
        *(
            (text, [])
            for text in ("I don't refuse p11.0 as such", "p11.0 is unacceptable to Leila", "p11.0 is an option")
        ),
        *(
            (text, ["p11.0"])
            for text in (
                "The draw with deposit; I will not have p11.0, since nobody checks the door.",
                *("p11.0 I will not have.", "I won't take p11.0", "no to p11.0", "p11.0 is not for me"),
                "I do not want p11.0 at all",
            )
        ),
        *((text, []) for text in ("I will not have p11.0 watered down", "p11.0 is not for me alone to judge")),
        *((text, []) for text in ("I do not refuse p11.0.", "p11.0 is refused by Leila")),
        ("The gate of p11.0 can still fail, and no other text can.", []),
        *((text, []) for text in ("I cannot accept p11.0 without the letter.", "not p11.0 alone", "Why not p11.0?")),
    ],
)
def test_a_refusal_in_a_reason_is_found_in_many_words(reason: str, refused: list[str]) -> None:
    """A verdict would name a text that its own voters refuse in the reason printed beside it."""
    assert refused_in(reason, lettered(WORDS, IDS)) == refused


def against(*ballots: str) -> Debate:
    """A debate in which Maya opposes the option o1 in each message; her answers to the ballot are given."""

    def says(asked: Prompt) -> str | None:
        if (asked.purpose, asked.agent) == ("speak", "Maya"):
            return f"Dear (call {asked.nth}).\n[OPPOSE o1] it costs too much"
        return ballots[asked.attempt - 1] if (asked.purpose, asked.agent) == ("ballot", "Maya") else None

    return held(Saying(says))


def test_a_vote_for_a_text_that_one_opposed_is_asked_about_once_and_then_stands_without_doubt() -> None:
    """Nobody could tell a change of mind from a slip; a ballot that its voter had confirmed was told as in doubt."""
    debate = against('{"choice": "o1"}', '{"choice": "o1", "ranking": ["o1", "a castle in May"]}')
    cast = next(each for each in facts(debate, BallotCast) if each.ballot.agent == "Maya")
    assert cast.ballot.ranking == ("Go now",)
    assert cast.ballot.doubts == (Doubt("unknown", field="ranking", words="a castle in May"),), "it confirmed the other"
    changed = against('{"choice": "o1"}', '{"choice": "o2"}')
    ballot = next(each.ballot for each in facts(changed, BallotCast) if each.ballot.agent == "Maya")
    assert (ballot.choice, ballot.doubts) == ("Wait", ())


def test_where_the_second_answer_cannot_be_read_a_third_counts() -> None:
    """ "Ah ok, c", of a person asked about its ballot, was dropped without a word, and that ballot counted."""
    debate = against('{"choice": "o1"}', '{"choice": "Fly"}', '{"choice": "o2"}')
    ballot = next(each.ballot for each in facts(debate, BallotCast) if each.ballot.agent == "Maya")
    assert (ballot.choice, ballot.doubts, len(ballot.raw)) == ("Wait", (), 3)


def test_where_no_later_answer_can_be_read_the_first_stands_with_its_doubt() -> None:
    """The doubt about a ballot that counts would be told of another answer."""
    debate = against('{"choice": "o1"}', '{"choice": "Fly"}', '{"choice": "Fly"}')
    ballot = next(each.ballot for each in facts(debate, BallotCast) if each.ballot.agent == "Maya")
    assert ballot.choice == "Go now"
    assert [(each.kind, each.texts) for each in ballot.doubts] == [("opposed", ("o1",))]
    (cast,) = (each for each in facts(debate, BallotCast) if each.ballot.agent == "Maya")
    assert f" In doubt: it accepts o1, which its voter opposed in m{ballot.doubts[0].at}" in ballot_phrase(cast)


def test_one_bid_of_a_member_that_was_asked_is_read() -> None:
    """ "The answer held no member's bid" was said of an answer that was one."""
    bids = read_bids(Reply('{"agent": "Kofi", "wants": true, "urgency": 0.9, "reason": "ramp"}'), ["Leila", "Kofi"])
    assert bids is not None
    assert [(bid.agent, bid.wants, bid.urgency) for bid in bids] == [("Leila", False, 0.0), ("Kofi", True, 0.9)]
    assert read_bids(Reply('{"agent": "Mina", "wants": true}'), ["Leila", "Kofi"]) is None


def meant() -> list[Ballot]:
    accepted = {
        "Leila": "p1.0 p8.2 p16.2",
        "Gerard": "p11.0 p12.1 p8.2",
        "Rosa": "p11.0 p7.0 p12.1 p8.2 p16.2",
        "Kofi": "p11.0 p12.1 p8.2 p16.2",
        "Minh": "",
    }
    ballots = []
    for who, keys in accepted.items():
        words = tuple(IDS[key] for key in keys.split())
        ballots.append(Ballot(agent=who, choice=words[0] if words else NONE, ranking=words, approved=words))
    return ballots


@pytest.mark.parametrize("rule", ["majority", "approval", "instant-runoff"])
def test_who_accepts_none_of_a_list_is_counted_once_everywhere(rule: str) -> None:
    """The report said 0, the tally 1, and both named Minh."""
    reached = verdict(Account(meant(), texts=TEXTS, answer="list"), rule, 0.5, 1, list("abcdef"))
    assert (reached.tally[NONE], reached.figures[NONE]) == (("Minh",), 1)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("I vote for p11.0, and I accept p8.2 as well. Also p16.2.", ["p11.0", "p8.2", "p16.2"]),
        ("I vote for p11.0. I refuse p1.0.", ["p11.0"]),
    ],
)
def test_prose_that_names_more_than_its_first_choice_is_read(text: str, accepted: list[str]) -> None:
    """A text that is "fine too" was counted as refused."""
    fields, fault = vote(text)
    assert fields is not None
    assert (ids(fields["ranking"]), ids(fields["also"]), fault) == (accepted, [], "")


@pytest.mark.parametrize(
    "text",
    [
        *("I accept none of the texts.", "I vote for none of the texts.", "none of these"),
        *("None of the above.", '{"choice": "none of the texts"}', "A trial first. I accept none of the texts."),
    ],
)
def test_none_of_the_texts_is_none_and_final(text: str) -> None:
    """ "The answer names none of the choices" was said to a voter who had voted for none of them."""
    fields, wrong = vote(text)
    assert fields is not None
    assert (fields["choice"], fields["approved"], wrong) == (NONE, (), "")


def test_the_same_list_in_another_order_is_no_disagreement() -> None:
    """A reader was told that rules disagree which adopt the same three texts."""
    rules = ("plurality", "majority", "approval", "borda", "instant-runoff", "schulze")
    counted = compare(Account(meant(), texts=TEXTS, answer="list"), 1, rules=rules)
    assert list(counted.winners.values()) == [rules]
    assert set(next(iter(counted.winners))) == {"p8.2", "p11.0", "p12.1", "p16.2"}


@pytest.mark.parametrize(
    ("again", "told"),
    [
        (
            "the option o2 and ten pounds from everybody; o1 does nothing for me, since nobody checks the door",
            "at first",
        ),
        ("o1 stays a bill for being poor", "at first"),
        ("I do not accept o1 as it is written", "still"),
        ("I accept o1 too, though nobody checks the door", "at first"),
    ],
)
def test_a_refusal_in_other_words_stays_in_doubt(again: str, told: str) -> None:
    """Beatriz said "I refuse p8.1", then "I will not have p8.1", and the tally said that she accepts it."""
    answers = [
        json.dumps({"choice": "o2", "ranking": ["o2", "o1"], "reason": each}) for each in ("I refuse o1", f"{again}.")
    ]

    def says(asked: Prompt) -> str | None:
        return answers[asked.attempt - 1] if (asked.purpose, asked.agent) == ("ballot", "Maya") else None

    cast = next(each for each in facts(held(Saying(says)), BallotCast) if each.ballot.agent == "Maya")
    assert cast.ballot.reason == f"{again}."
    refuses = "at first refused" if told == "at first" else "refuses"
    assert doubts_phrase(cast.ballot.doubts) == f"its reason {refuses} o1, which it accepts (counted)"


def test_a_ballot_of_more_characters_than_a_message_may_have_is_asked_about() -> None:
    """A ballot of a million characters held everybody's event loop for minutes."""
    texts = [{"id": "p4.0", "text": "Buy the van"}, {"id": "o1", "text": "Wait a year"}]
    for lines, read in ((MAX_MESSAGE // 5, True), (MAX_MESSAGE // 5 + 1, False)):
        ballot = read_ballot("p4.0\n" * lines, texts)
        assert (ballot.accepts == ["p4.0"], ballot.ask is None) == (read, read)


def test_no_recorded_vote_of_the_shipped_example_is_asked_about_anew() -> None:
    """Its votes with one thing changed could not be taken again: the recording holds no second answer."""
    root = Path(__file__).parent.parent
    log = [json.loads(line) for line in (root / "sessions/example/events.jsonl").read_text("utf-8").splitlines()]
    texts = [{"title": "", **text} for text in [row for row in log if row["type"] == "ballot_cast"][-1]["texts"]]
    recorded = (root / "docs/examples/panel-stress-recording.jsonl").read_text("utf-8").splitlines()
    calls = [json.loads(line) for line in recorded[1:]]
    asked = [call["text"] for call in calls if call["key"][0] == "ballot" and read_ballot(call["text"], texts).ask]
    assert len(calls) > 90
    assert not asked
