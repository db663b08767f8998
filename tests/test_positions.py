"""Who stands for which options, in chat and at length, and which votes count: each rule by what a user would lose."""

from __future__ import annotations

import pytest
from folded import debated
from in_turn import in_one

from eda import Position, analyze
from eda.events import MessagePosted
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.motions import backers
from eda.memory.minutes.options import Options
from eda.memory.minutes.polarity import affirmed
from eda.memory.minutes.state import Genre, State
from eda.memory.patterns import default_pack

PACK = default_pack()
CARDS = ("2", "7", "E", "K")
PLANS = ("A: keep seats and raise list prices", "B: usage pricing per document", "C: a hybrid with an allowance")


def heard(*lines: str, options: tuple[str, ...] = ()) -> Minutes:
    minutes = Minutes(State(pack=PACK))
    minutes.begin(options, Genre(near=True))
    for number, line in enumerate(lines, 1):
        who, _, text = line.partition(": ")
        minutes.hear(MessagePosted(number=number, who=who, text=text))
    return minutes


def holds(minutes: Minutes) -> dict[str, str]:
    return {name: "".join(option[0] for option in agent.holds) for name, agent in minutes.agents.items()}


def tallies(minutes: Minutes) -> list[dict[str, str]]:
    return [{r.agent: r.reaction for r in p.reactions} for p in minutes.proposals]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("we have to talk for 7 minutes", ""),
        ("can we pick 2 cards", ""),
        ("turn the E and the 7 cards", "7E"),
        ("I was thinking 7", "7"),
        ("let's do all 2 of them", ""),
    ],
)
def test_a_figure_that_counts_something_names_no_option(text: str, named: str) -> None:
    """Waiting `7 minutes` would change everybody's answer to 7."""
    assert "".join(Options(CARDS).mentioned(text)) == named


def test_all_but_one_is_all_but_one() -> None:
    """Somebody's `all except K` would be shown as all of them."""
    assert holds(heard("Ann: I'm going with all the cards except K", options=CARDS)) == {"Ann": "27E"}


def test_what_somebody_held_before_is_not_what_they_hold_now() -> None:
    """`I picked the 2 initially, but ...` would be counted as a stance for 2."""
    minutes = heard("Ann: I think it is E and 7, I picked the 2 initially", options=CARDS)
    assert holds(minutes) == {"Ann": "7E"}


def test_assent_follows_what_somebody_took_up_too() -> None:
    """`I think so` after another's yes would go back to an older set."""
    minutes = heard("Ann: I chose E and 2", "Ben: I choose E and 7", "Ann: I agree", "Cleo: agreed", options=CARDS)
    assert holds(minutes) == {"Ann": "7E", "Ben": "7E", "Cleo": "7E"}
    assert minutes.consensus()


def test_who_asks_and_is_told_yes_holds_it_too() -> None:
    """Who put the question would be left with its earlier answer, and the group without a consensus."""
    minutes = heard("Ann: I picked E", "Ann: so E and 7?", "Ben: Yes, I agree", options=CARDS)
    assert holds(minutes) == {"Ann": "7E", "Ben": "7E"}
    assert all(isinstance(each, Position) for agent in minutes.agents.values() for each in agent.positions)


def test_a_remark_about_one_of_them_gives_up_none_of_the_others() -> None:
    """Arguing about one card would drop the rest of what was chosen."""
    assert holds(heard("Ann: I chose E and 7", "Ann: what about the 7", options=CARDS)) == {"Ann": "7E"}
    minutes = heard("Ann: I chose E and 7", "Ben: I choose 7", "Ann: agreed", options=CARDS)
    assert holds(minutes)["Ann"] == "7E"
    assert holds(heard("Ann: I chose E and 7", "Ann: I'm going back to just E.", options=CARDS)) == {"Ann": "E"}


def test_a_question_assents_to_nothing() -> None:
    """`Good point, but why?` would change somebody's answer."""
    assert holds(heard("Ann: I chose E and 7", "Ben: I agree with you, but why?", options=CARDS))["Ben"] == ""


def test_a_long_first_message_does_not_hide_a_choice_of_cards() -> None:
    """A group whose first message is long would be shown without anybody's answer."""
    long = "We do not care what is on the back of most of these, since only some can ever break the rule at all. " * 2
    assert holds(heard(f"Ann: {long}So I chose E and 7.", "Ben: I agree.", options=CARDS)) == {"Ann": "7E", "Ben": "7E"}


def test_at_length_a_short_opening_states_a_stance() -> None:
    """`Neither. If forced, B.` and `B, and only with ...` would be lost."""
    talk = "We have to look at what this costs each of us over the years, and at who would have to pay for it. " * 2
    minutes = heard(
        f"Ann: {talk}", "Ben: Neither. If forced, B.", "Cleo: C, and only with the terms I named.", options=PLANS
    )
    assert holds(minutes) == {"Ann": "", "Ben": "B", "Cleo": "C"}


def test_at_length_two_words_of_an_option_do_not_name_it() -> None:
    """A remark on a `price lock` that some `keep` would move its speaker to another plan."""
    options = Options(("A: keep per-seat pricing, raise list prices by 15%", *PLANS[1:]))
    assert options.mentioned("Accounts on the price lock keep their terms", strictly=True) == ()


def test_a_bare_number_is_no_vote() -> None:
    """A `1` may answer a question: only one with its sign is a vote."""
    assert tallies(heard("Ann: PROPOSAL: Publish the draft", "Ben: +1", "Cleo: 1", "Dan: -0.25.")) == [
        {"Ben": "support", "Dan": "neutral"}
    ]
    assert heard("Ann: How many?", "Ben: 1").reactions == ()


def test_two_resolutions_alike_accept_a_proposal_each() -> None:
    """The second of two like resolutions would leave its proposal open, and later remarks would count as votes."""
    minutes = heard(
        "Ann: PROPOSAL: Accept erratum six and say what it changes for systems in the field",
        "Ben: +1",
        "Ann: RESOLVED: Accept erratum six and say what it changes for systems in the field",
        "Ann: PROPOSAL: Accept erratum two and say what it changes for systems in the field",
        "Ben: +1",
        "Ann: RESOLVED: Accept erratum two and say what it changes for systems in the field",
    )
    assert [proposal.status for proposal in minutes.proposals] == ["accepted", "accepted"]


STORES = ("Postgres", "Redis", "Kafka")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Redis would be a disaster", ""),
        ("Raj wants Redis", ""),
        ("I used to like Redis", ""),
        ("Kafka? No.", ""),
        ("If we chose Kafka we would regret it.", ""),
        ("Not Redis, Postgres", "P"),
        ("I switch from Redis to Postgres", "P"),
        ("Postgres over Redis", "P"),
        ('Maya said "I choose Postgres" but I choose Kafka.', "K"),
    ],
)
@pytest.mark.parametrize("long", [False, True])
def test_what_is_refused_or_another_wants_is_not_held(text: str, held: str, long: bool) -> None:
    """Somebody would be shown as for what they spoke against, or for what another wants."""
    talk = "We have to look at what this costs each of us over the years, and at who would have to pay for it. " * 2
    assert holds(heard(*([f"Zed: {talk}"] if long else []), f"Ann: {text}", options=STORES))["Ann"] == held


def test_who_was_convinced_moves() -> None:
    """A change of mind would be lost, and with it the consensus."""
    minutes = heard(
        "Ann: I choose Redis.",
        "Maya: I choose Postgres.",
        "Ann: You convinced me, Maya, Postgres it is.",
        options=STORES,
    )
    assert holds(minutes)["Ann"] == "P"


def test_a_bare_ok_moves_nobody_unless_it_answers_a_question() -> None:
    """`ok` is mostly `I heard you`; it would turn somebody's vote round."""
    said = ("Ann: I choose Redis.", "Maya: I choose Postgres.", "Ann: ok")
    assert holds(heard(*said, options=STORES))["Ann"] == "R"
    asked = ("Ann: I choose Redis.", "Maya: Shall we take Postgres?", "Ann: ok")
    assert holds(heard(*asked, options=STORES))["Ann"] == "P"


@pytest.mark.parametrize(
    "text",
    [
        "For “Move it this quarter”.",
        "Firmly for Move it this quarter.",
        "Slightly for “Move it this quarter”, because I want small steps.",
        "In favour of “Move it this quarter”.",
        "Leaning towards “Move it this quarter”.",
    ],
)
def test_an_option_is_held_in_quotation_marks_too_and_where_it_begins_with_a_verb(text: str) -> None:
    """Whoever names an option as it stands, in quotation marks, would hold nothing."""
    options = Options(("Move it this quarter", "Wait a quarter and fix the test suite first"), PACK)
    assert affirmed(options, text) == ("Move it this quarter",)
    assert affirmed(options, f"Not {text[0].lower()}{text[1:]}") == ()
    assert affirmed(options, 'Ruth says: "Move it this quarter".') == ()


def test_a_position_on_a_condition_holds_no_option_unless_the_options_words_state_it() -> None:
    """It was counted among those who hold the option."""
    options = ("Extend if it is cheap", "Keep it")
    said = {"Ann": "o2, unless Ben pays", "Ben": "o1", "Cy": "Extend if it is cheap", "Di": "o2"}
    memory = debated(*((who, f"So.\n\n[POSITION] {text}") for who, text in said.items()), options=options)
    assert {who: agent.holds for who, agent in memory.state.agents.items()} == {
        "Ann": (),
        "Ben": options[:1],
        "Cy": options[:1],
        "Di": options[1:],
    }


def test_who_declares_for_a_proposal_holds_the_old_option_no_more() -> None:
    """The panel would be said to agree on an option that three of four have left for a proposal."""
    memory = analyze(
        [
            {"speaker": "Maya", "text": "So.\n\n[POSITION] Close on Tuesday evening"},
            {"speaker": "Rosa", "text": "No.\n\n[PROPOSE] Close on Friday evening and keep the small room open."},
            {"speaker": "Maya", "text": "Yes.\n\n[POSITION] p2.0"},
        ],
        options=("Close on Tuesday evening", "Close on Thursday evening"),
    )
    assert memory.agents["Maya"].holds == ()
    assert [position.options for position in memory.agents["Maya"].positions] == [("Close on Tuesday evening",), ()]


@in_one(
    ("declared", "held"),
    [
        ("p2.0 Monthly pilot", {"p2.0": ""}),
        ("*p2.0, in the wording of Rosa*", {"p2.0": "p2.0, in the wording of Rosa"}),
        ("o1 - Cheers, Jorge", {"o1": ""}),
        ("o1: families have time", {"o1": ""}),
        ("p2.0 – thanks!", {"p2.0": ""}),
        ("o1, if the council pays", {"o1": "o1, if the council pays"}),
        ("p2.0, if the council pays", {"p2.0": "p2.0, if the council pays"}),
        ("p2.0, never", {"p2.0": "p2.0, never"}),
        ("p2.0 if the council pays", {"p2.0": "p2.0 if the council pays"}),
        ("Monthly pilot", {"p2.0": ""}),
        ("**monthly pilot.**", {"p2.0": ""}),
        ("Monthly pilot, with all my heart :)", {"p2.0": ""}),
        ("Open every Sunday - it is time", {"o1": ""}),
        ("Monthly pilot: only if the council pays", {"p2.0": "p2.0, only if the council pays"}),
        ("A monthly pilot, or none", {}),
        ("Open every Sunday", {"o1": ""}),
        ("not p2.0", {}),
        ("Open, as p2.0 has it", {}),
    ],
)
def test_a_position_that_names_a_text_by_id_or_title_is_one_on_that_text(declared: str, held: dict[str, str]) -> None:
    """Who held a proposal, and named it by its id and its title, held words. Its support of an option stands."""
    memory = analyze(
        [
            {"speaker": "Jorge", "text": "So.\n\n[SUPPORT o2] rest\n[POSITION] o2"},
            {"speaker": "Rosa", "text": "No.\n\n[PROPOSE Monthly pilot] Open on the first Sunday of each month."},
            {"speaker": "Jorge", "text": f"Yes.\n\n[POSITION] {declared}"},
        ],
        options=("Open every Sunday", "Stay closed on Sundays"),
    )
    assert {key: who["Jorge"] for key, who in memory.positions.items() if "Jorge" in who} == held
    (closed,) = (text for motion in memory.motions for text in motion.versions if text.id == "o2")
    assert closed.backers("support") == ("Jorge",)
    assert ("Jorge (now holds" in memory.table().text) == ("" in held.values())


@pytest.mark.parametrize(
    ("declared", "side"),
    [
        ("o1", "for 1: Jorge (position); against nobody"),
        ("o1, with all my heart :)", "for 1: Jorge (position); against nobody"),
        ("o1 - if the council pays", 'position of Jorge "o1, if the council pays"'),
        ("o1, never", 'position of Jorge "o1, never"'),
    ],
)
def test_a_position_on_an_option_counts_beside_a_proposal_in_the_same_message(declared: str, side: str) -> None:
    """Its author was shown it as its position, while the table had the option for nobody."""
    memory = analyze(
        [
            {"speaker": "Jorge", "text": f"So.\n\n[PROPOSE Kit loan] Lend fins to all.\n[POSITION] {declared}"},
            {"speaker": "Rosa", "text": "I shall think about it for a while."},
        ],
        options=("Open every Sunday", "Stay closed on Sundays"),
    )
    assert f'"Open every Sunday"\n    {side}\n' in memory.table().text


def test_a_position_in_talk_is_the_sentence_that_states_it() -> None:
    """The minutes would give a whole speech as where its author stands."""
    talk = "Two crashes last week, and nobody read the log. I am for the heat pump. Show me the bill first."
    memory = analyze([{"speaker": "Maya", "text": talk}], options=("Heat pump", "Gas boiler"))
    assert [position.text for position in memory.agents["Maya"].positions] == ["I am for the heat pump."]


@pytest.mark.parametrize(
    ("first", "back", "held"),
    [
        ("[SUPPORT o3] its rent is known\n[POSITION] o3", "[WITHDRAW my support on o3] it is cold", ""),
        ("[SUPPORT o3] its rent is known\n[POSITION] Stay", "[WITHDRAW my support on o3] it is cold", ""),
        ("[POSITION] o3", "[WITHDRAW my support on o3] it is cold", ""),
        ("[POSITION] o3", "[WITHDRAW my support on o3] it is cold\n[POSITION] o1", "o1"),
        ("[SUPPORT o3] its rent is known\n[POSITION] o1", "[WITHDRAW my support on o3] it is cold", "o1"),
        ("[SUPPORT o3] its rent is known\n[POSITION] o3", "[WITHDRAW my support on o2] it is cold", "o3"),
    ],
)
def test_who_takes_its_support_back_holds_the_text_no_more(first: str, back: str, held: str) -> None:
    """The table said "o3: for 1 of 4: Hedda (position)", and her prompt "Your last position: o3", to the end."""
    memory = debated(("Hedda", f"Hi.\n{first}"), ("Hedda", f"No.\n{back}"), options=("Gym", "Barn", "Stay"))
    assert memory.positions == ({held: {"Hedda": ""}} if held else {})
    assert memory.last_position("Hedda") == held
    (text,) = [text for motion in memory.motions for text in motion.versions if text.id == "o3"]
    assert text.backers("support") == (("Hedda",) if held == "o3" and "[SUPPORT" in first else ())


@pytest.mark.parametrize("first", ["", "\n[SUPPORT p1.0] it is mine", "\n[POSITION] p1.0"])
def test_an_author_who_takes_its_support_back_is_for_its_text_no_more(first: str) -> None:
    """The table said "for 1 of 4: Hedda (own)", and Hedda was told that she did not support it."""
    put = ("Hedda", f"Hi.\n[PROPOSE Gym] We use the gym.{first}")
    memory = debated(put, ("Hedda", "No.\n[WITHDRAW my support of p1.0] it is cold"))
    (text,) = (text for motion in memory.motions for text in motion.versions)
    assert ([*backers(text)], text.status, memory.unread("Hedda")[1]) == ([], "active", ())
    assert [(each.reaction, each.why) for each in text.reactions] == [("neutral", "it is cold")]
    assert memory.positions == {}
