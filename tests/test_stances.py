"""Which options a member holds, by what it says: only those that its words affirm, in free text and behind a tag."""

from __future__ import annotations

import pytest

from eda import analyze
from eda.memory.minutes.options import Mention, Options, Wording, about, stem, stems, tokens_of
from eda.memory.minutes.polarity import affirmed
from eda.memory.patterns import default_language
from eda.transcripts.positions import gives_up

FERRY = ("Electric ferry", "Diesel ferry with a new engine", "A bridge")
APP = ("Rewrite in Flutter", "Stay native")
DATE = ("by June", "by September", "later than 2026")
PLAN = (
    "End the free plan, with 60 days' notice",
    "Cap it at 30 bookings a month, with a cheap plan above",
    "Keep it as it is and raise Solo to 15 euros",
)
SCHOOL = ("Start at 8:00", "Start at 9:00")
LETTERS = ("A", "B", "C")
STORE = ("Postgres", "SQLite", "Keep MySQL")
STREET = ("Close the street to cars", "One-way street", "Leave it as it is")
OFFICE = ("Three days in the office", "Fully remote", "Let each team decide")
HEAT = ("Heat pump", "Gas boiler", "District heating")

HELD = [
    (FERRY, "I am for the electric ferry: the crossing is short.", (0,)),
    (FERRY, "Give the old boat a new engine and be done with it; diesel will do.", (1,)),
    (APP, "Stay native.", (1,)),
    (APP, "Native. Show me the camera screen first.", (1,)),
    (DATE, "I'd go with September as well now, since the eleven weeks are measured.", (1,)),
    (DATE, "June is realistic, because the contract says so.", (0,)),
    (PLAN, "Cap new sign-ups at 30 and put a cheap plan above it.", (1,)),
    (PLAN, "Keep Free as it is for now and raise Solo to 15.", (2,)),
    (SCHOOL, "Nine o'clock. Teenagers sleep until then anyway.", (1,)),
    (LETTERS, "B.", (1,)),
    (LETTERS, "My answer is A, and I am sure of it.", (0,)),
    (STORE, "SQLite is enough for one machine.", (1,)),
    (STORE, "Let us keep MySQL; nobody here has run anything else.", (2,)),
    (STREET, "Make it one-way.", (1,)),
    (STREET, "Leave the street alone.", (2,)),
    (OFFICE, "Fully remote works for us, so fully remote.", (1,)),
    (HEAT, "Heat pump, and insulate the roof first.", (0,)),
    (HEAT, "The gas boiler can last ten more years; keep to it.", (1,)),
    (FERRY, "Nothing said here moves me from the bridge.", (2,)),
    (STORE, "Count me in for Postgres.", (0,)),
    (HEAT, "I'm with the heat pump people.", (0,)),
    (PLAN, "I stand where I stood: raise Solo to 15 and leave Free be.", (2,)),
    (FERRY, "Not a bridge; the diesel ferry with a new engine.", (1,)),
    (APP, "No rewrite. Stay native.", (1,)),
    (DATE, "Not June. September.", (1,)),
    (PLAN, "Rather than end the free plan, cap it at 30.", (1,)),
    (PLAN, "Instead of a cap at 30, raise Solo to 15 and keep Free.", (2,)),
    (LETTERS, "A over B, any day.", (0,)),
    (STORE, "I would drop MySQL and take SQLite.", (1,)),
    (STREET, "Leave it as it is; closing it to cars is a stunt.", (2,)),
    (HEAT, "Gas has no future; district heating.", (2,)),
    (SCHOOL, "8:00 is too early, so 9:00.", (1,)),
    (FERRY, "The bridge would be nice. Still: the electric ferry.", (0,)),
    (DATE, "September first, June second.", (1,)),
    (LETTERS, "C. My second choice would be A.", (2,)),
    (OFFICE, "Let each team decide; three days in the office would be the lesser evil after that.", (2,)),
    (STORE, "Ruth argued for Postgres, and she convinced me.", (0,)),
    (APP, "At first I wanted the rewrite. Now I stay native.", (1,)),
    (STORE, "Nobody said that SQLite is bad; I am for it.", (1,)),
    (FERRY, "Electric or bridge, I am for both of them over diesel.", (0, 2)),
    (STREET, "I'd be happy with a closed street or a one-way street.", (0, 1)),
]
HELD_WITH_A_CONDITION = [
    (APP, "Stay native, until somebody shows a number.", "Stay native"),
    (DATE, "September, if nothing else breaks.", "by September"),
    (HEAT, "District heating. If it is not there by 2028, the gas boiler once more.", "District heating"),
]
NOT_HELD = [
    (FERRY, "I reject the electric ferry."),
    (FERRY, "Not the bridge."),
    (FERRY, "I am against the electric ferry, whatever it costs."),
    (APP, "I can't support the rewrite."),
    (APP, "Staying native is not an answer either."),
    (DATE, "By September? No."),
    (PLAN, "A cap at 30 helps nobody."),
    (PLAN, "Raising Solo to 15 is a tax on the loyal."),
    (LETTERS, "C is wrong."),
    (STORE, "Postgres is overkill here."),
    (STORE, "Anything but MySQL."),
    (STREET, "I cannot live with a one-way street."),
    (OFFICE, "Fully remote has failed us twice."),
    (HEAT, "No gas boiler, please."),
    (SCHOOL, "Eight is cruel."),
    (FERRY, "We have heard three things: an electric ferry, a diesel ferry, and a bridge."),
    (DATE, "The contract speaks of June and the plan of September."),
    (PLAN, "The May test had a cap at 30 bookings."),
    (STORE, "SQLite writes from one process at a time."),
    (OFFICE, "Nobody has counted what three days in the office cost."),
    (HEAT, "The gas boiler is from 1998."),
    (FERRY, "The strongest case for the bridge is the ambulance."),
    (APP, "If the camera screen runs, I would be for the rewrite."),
    (DATE, "If the vendor signs, June is possible."),
    (LETTERS, "I'd take B if the price fell."),
    (STREET, "Close the street to cars? Only after the bypass is built."),
    (OFFICE, "Should the lease end, fully remote would be worth a look."),
    (SCHOOL, "I might come round to 9:00 once the buses are settled."),
    (HEAT, "My second choice is the gas boiler."),
    (PLAN, "The cap at 30 is only my second choice."),
    (APP, "What would a rewrite in Flutter cost?"),
    (STREET, "Should we close the street to cars?"),
    (FERRY, "Maya wants the electric ferry."),
    (DATE, "Panelist B holds June; I do not."),
    (HEAT, "I agree with Otto that the gas boiler must go, and not with his heat pump."),
    (DATE, "I used to say June."),
    (LETTERS, "I take back B."),
    (FERRY, "I don't know yet."),
    (LETTERS, "Either B or C, I can't say."),
    (STORE, "No opinion on the database."),
    (HEAT, "None of these three convinces me."),
    (FERRY, "It is not true that I am against the bridge."),
    (DATE, "I did not vote for June; I left it empty."),
]


def holds(options: tuple[str, ...], text: str) -> tuple[str, ...]:
    memory = analyze([{"speaker": "Maya", "text": text}], options=options)
    positions = memory.agents["Maya"].positions
    return positions[-1].options if positions else ()


@pytest.mark.parametrize("dress", ["", "So.\n\n[POSITION] "])
@pytest.mark.parametrize(("options", "text", "numbers"), HELD)
def test_what_a_member_affirms_it_holds(
    options: tuple[str, ...], text: str, numbers: tuple[int, ...], dress: str
) -> None:
    """A plain answer would be shown as no answer, and its member as undecided."""
    assert holds(options, dress + text) == tuple(options[number] for number in numbers)


@pytest.mark.parametrize(("options", "text", "held"), HELD_WITH_A_CONDITION)
def test_what_is_affirmed_on_a_condition_is_held_in_talk_alone(options: tuple[str, ...], text: str, held: str) -> None:
    """A position that is declared counts in full: with a condition it counts for none, and its member is told so."""
    assert holds(options, text) == (held,)
    assert holds(options, "So.\n\n[POSITION] " + text) == ()


@pytest.mark.parametrize("dress", ["", "So.\n\n[POSITION] "])
@pytest.mark.parametrize(("options", "text"), NOT_HELD)
def test_what_a_member_only_names_it_does_not_hold(options: tuple[str, ...], text: str, dress: str) -> None:
    """Somebody would be shown as for what it rejects, asks, tells of another, or takes under a condition only."""
    assert holds(options, dress + text) == ()


@pytest.mark.parametrize(
    ("options", "text", "numbers"),
    [
        (APP, "Je reste natif.", ()),
        (STORE, "If you ask me, Postgres.", (0,)),
        (STORE, "Postgres for tests. SQLite for the rest.", ()),
        (STORE, "I want Postgres. I never wanted Postgres.", ()),
        (LETTERS, "o2, with the usual terms", (1,)),
        (LETTERS, "o2.", (1,)),
        (FERRY, "A bridge or a ferry? It is all the same to me.", ()),
        (FERRY, 'Maya wrote "I am for the bridge".', ()),
        (OFFICE, "The teams should not decide this.", ()),
    ],
)
def test_in_doubt_nothing_is_affirmed(options: tuple[str, ...], text: str, numbers: tuple[int, ...]) -> None:
    """A guess would stand in the minutes as what somebody said."""
    assert affirmed(Options(options), text) == tuple(options[number] for number in numbers)


def test_who_gives_up_what_it_held_holds_nothing() -> None:
    """A member would stay on record for a text that it took back."""
    options = Options(STORE)
    assert gives_up(options, "I take back Postgres.", ("Postgres",))
    assert not gives_up(options, "I take back SQLite.", ("Postgres",))
    memory = analyze(
        [{"speaker": "Maya", "text": "I choose Postgres."}, {"speaker": "Maya", "text": "I have to let it go."}],
        options=STORE,
    )
    assert memory.agents["Maya"].holds == ()


def test_who_leads_a_discussion_takes_no_side() -> None:
    """The chair's summary of the mood would count as a vote."""
    memory = analyze([{"speaker": "Moderator", "text": "We are going with Postgres."}], options=STORE)
    assert memory.agents["Moderator"].holds == ()


def test_cards_may_be_held_together_and_labels_may_not() -> None:
    """`A and C differ` would hold two answers to a question that has one."""
    assert Options(("2", "7", "E")).cards
    assert not Options(LETTERS).cards
    assert not Options(("1", "2", "3")).cards
    assert affirmed(Options(("2", "7", "E")), "7 and E.") == ("7", "E")
    assert affirmed(Options(LETTERS), "A and C.") == ()


def test_a_marked_text_has_one_mark_a_mention() -> None:
    """An expression would see another option's name, and read it as words of its own."""
    options = Options(FERRY)
    marked, mentions = options.mark("Not the bridge, but the electric ferry or a diesel ferry.")
    assert list(mentions.values()) == [
        Mention(("A bridge",), 8, 14),
        Mention(("Electric ferry", "Diesel ferry with a new engine"), 24, 56, either=True),
    ]
    bridge, ferries = mentions
    assert about(marked, bridge) == "Not the optionx, but the otherx."
    assert about(marked, ferries) == "Not the otherx, but the optionx."
    assert options.spans("Not the bridge.") == [(8, 14)]


def test_words_of_an_option_name_it_where_they_stand_together() -> None:
    """A verb that every plan begins with, or two words from two ends of a speech, would name an option."""
    text = "We keep the price."
    language = default_language()
    wording = Wording(own=stems("keep MySQL"), every=stems("keep MySQL"), weak=False)
    assert [stem("bridges"), stem("bridge")] == ["bridg", "bridg"]
    assert wording.spans(text, tokens_of(text, language), strictly=False) == []
    other = "MySQL stays, for now."
    assert wording.spans(other, tokens_of(other, language), strictly=False) == [(0, 5)]
    assert wording.spans(other, tokens_of(other, language), strictly=True) == []
