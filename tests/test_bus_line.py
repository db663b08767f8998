"""A careful debate on a bus line: a side measure that all want, joined with an answer, and who is against."""

from __future__ import annotations

from folded import folded

from eda import ConversationMemory, MessagePosted
from eda.debate.addressing import Addressing
from eda.debate.minds import movers
from eda.debate.state import DebateState
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText
from eda.panels.persona import Persona
from eda.report.outcome import outcome_of
from eda.voting import Account, slate, verdict
from eda.voting.choices import Kin, kinship

KEEP, VAN = "Keep line 7", "Replace it with call-a-ride"
SHORT = "Keep line 7 with fewer runs, for at most 280,000 net a year"
SIGNED = "Keep line 7 with runs at 7:00, 8:00, 9:00 and 10:00; the transport officer signs by 31 March"
TELEPHONE = "From 1 July the desk in the town hall answers a telephone line for times, bookings and complaints"
JOINED = f"{SIGNED}. From 1 July the desk answers a telephone line for it"
PANEL = ("Rosa", "Gerard", "Beatriz", "Eli")
MEMBERS = tuple(Persona(name=who.lower(), title=who, role="r", description="d", instruction="i") for who in PANEL)
TALK = (
    ("Rosa", "So.\n[POSITION] o1"),
    ("Gerard", "So.\n[POSITION] o2"),
    ("Beatriz", "So.\n[SUPPORT o2] it fits the 280,000\n[OPPOSE o1] nobody can add the missing 26,000\n[POSITION] o2"),
    ("Eli", f"So.\n[PROPOSE] {TELEPHONE}\n[POSITION] o1"),
    ("Rosa", f"So.\n[AMEND o1] {SHORT}\n[SUPPORT p4.0] a promise with a phone number\n[POSITION] p5.0"),
    ("Beatriz", "So.\n[OPPOSE p5.0] its price is a guess\n[SUPPORT p4.0] it uses the staff we have\n[POSITION] o2"),
    (
        "Eli",
        "So.\n[SUPPORT p5.0] if one run at 10:00 serves the clinic, and the operator says so in writing before we sign",
    ),
    ("Gerard", f"So.\n[AMEND p5.0] {SIGNED}\n[SUPPORT p4.0] here is the place to complain\n[POSITION] p8.0"),
    ("Rosa", f"So.\n[AMEND p8.0 p4.0] {JOINED}\n[SUPPORT p8.0] a signature\n[WITHDRAW p5.0]\n[POSITION] p9.0"),
    ("Eli", "So.\n[SUPPORT p9.0] somebody picks up\n[SUPPORT p8.0] my condition is met\n[POSITION] p9.0"),
)


def talked(messages: int = len(TALK)) -> tuple[DebateState, ConversationMemory]:
    """The debate up to a message, as its state and its memory."""
    return folded(TALK[:messages], MEMBERS, (KEEP, VAN))


def offered(memory: ConversationMemory) -> tuple[BallotText, ...]:
    return slate("Which?", (KEEP, VAN), memory.motions).texts


def cast(**firsts: tuple[str, ...]) -> list[Ballot]:
    """Ballots that all want the telephone beside the answer."""
    return [Ballot(agent=w, choice=t[0], ranking=t, approved=t, also=(TELEPHONE,)) for w, t in firsts.items()]


def test_what_all_want_beside_any_answer_is_adopted_beside_the_text_that_joins_it() -> None:
    """Four of four wanted the telephone for either answer; it went under as a part of the bus."""
    _, memory = talked()
    texts = offered(memory)
    bus = cast(Rosa=(JOINED, SIGNED), Gerard=(SIGNED, JOINED), Beatriz=(VAN,), Eli=(JOINED, SIGNED))
    reached = verdict(Account(bus, texts=texts), "majority", 0.5, 1, PANEL)
    assert (reached.version, [(each.id, each.voters) for each in reached.adopted]) == ("p9.0", [("p4.0", PANEL)])
    assert {each.id: each.into for each in reached.offered}["p4.0"] == "p9.0", "it is also a part of what was decided"
    memory.fold(reached)
    assert {text.id: text.status for text in memory.proposals} == {
        "p4.0": "accepted",
        "p5.0": "withdrawn",
        "p8.0": "merged",
        "p9.0": "accepted",
    }
    assert len([each for each in memory.decisions if each.status == "decided"]) == 2


def test_a_motion_that_is_wanted_beside_the_answer_goes_by_the_text_that_the_ballots_name() -> None:
    """The table named the text that had been joined, which no ballot named, as wanted by all."""
    parts = [BallotText(id=key, motion="p4.0", text=f"Text {key}.") for key in ("p4.0", "p10.1")]
    van = BallotText(id="o2", motion="o2", text=VAN)
    cast = [Ballot(agent=who, choice=VAN, ranking=(VAN,), also=("Text p10.1.",)) for who in PANEL]
    reached = verdict(Account(cast, texts=(van, *parts)), "majority", 0.5, 1, PANEL)
    (row,) = (row for row in outcome_of(reached).rows if row.also)
    assert (row.id, row.also) == ("p10.1", PANEL)


def test_the_other_wording_of_the_winner_is_superseded_though_it_joins_more() -> None:
    """ "p9.0 not chosen", though its motion won."""
    _, memory = talked()
    texts = offered(memory)
    bus = cast(Rosa=(JOINED, SIGNED), Gerard=(SIGNED, JOINED), Beatriz=(VAN,), Eli=(SIGNED, JOINED))
    memory.fold(verdict(Account(bus, texts=texts), "majority", 0.5, 1, PANEL))
    status = {text.id: text.status for text in memory.proposals}
    assert (status["p8.0"], status["p9.0"], status["p4.0"]) == ("accepted", "superseded", "accepted")


def test_a_side_measure_is_no_wording_of_the_answer_that_a_text_joins_it_with() -> None:
    """Voters read "against nobody" on the bus, since its opponent's support of the telephone came after her no."""
    text = talked()[1].table().text
    assert "- p4.0 Eli [part of p9.0]:" in text
    assert "against p5.0 (withdrawn), not counted for this one: Beatriz" in text
    bus = text[text.index("- p8.0") : text.index("- p4.0")]
    assert "telephone line for times" not in bus
    assert "it uses the staff we have" not in bus


def test_a_speaker_is_told_who_is_for_and_against_each_text_since_the_table() -> None:
    """Nobody told a speaker who was against o1, that p9.0 had supporters, or on what condition Eli was for p5.0."""
    told = talked(8)[1].table(4000, 1).text
    assert "for 1 of 4: Eli (position); against 1: Beatriz" in told
    assert 'for 1 of 4: Rosa (own); for, if ... 1: Eli "if one run at 10:00' in told, "p5.0 is open"
    assert "it fits the 280,000" not in told, "m3 stands beside it"
    assert "it fits the 280,000" in talked(8)[1].table(4000, 4).text
    told = talked()[1].table(4000, 1).text
    assert "p9.0 Rosa [joins p8.0 and p4.0]" in told
    assert "against p5.0 (withdrawn), not counted for this one" in told


def test_who_moved_a_voter_for_it_and_who_supports_what_it_comes_from_is_what_a_text_rests_on() -> None:
    """m3, which moved the joined text's own author, m7, whose condition it takes in, and m6 of the van were missing."""
    state, memory = talked()
    texts = offered(memory)
    moved = {"Rosa": 3, "Gerard": 5, "Eli": 9}
    for ballot in cast(Rosa=(JOINED, SIGNED), Gerard=(SIGNED, JOINED), Beatriz=(VAN,), Eli=(JOINED, SIGNED)):
        named = ballot.model_copy(update={"moved_by": moved.get(ballot.agent)})
        state.fold(BallotCast(ballot=named, choices=tuple(t.text for t in texts), texts=texts))
    behind = verdict_of(state, memory).behind
    assert {3, 5, 7, 8, 9, 10} <= set(behind[JOINED])
    assert 6 not in behind[JOINED], "Beatriz refuses it"
    assert behind[VAN] == (3, 6)


def test_what_would_change_a_mind_is_read_in_other_words_too() -> None:
    """ "To change my mind, let ..." and "I would need ... to think again" stood nowhere in the report."""
    minds = (
        ("Beatriz", "I would need a written quote for a bus under 280,000 to think again."),
        ("Eli", "To change my mind, let a blind rider book and board alone."),
        ("Eli", "I would need two more runs on a Saturday."),
    )
    posted = [MessagePosted(number=number, who=who, text=text) for number, (who, text) in enumerate(minds, 1)]
    assert [each.text for who in PANEL for each in movers(posted, who, "")] == [text for _, text in minds[:2]]


def test_an_option_names_all_its_wordings_and_no_part() -> None:
    """ "o1 (of which p9.0 is another wording)", where p8.0 is one as well."""
    texts = offered(talked()[1])
    assert kinship(texts[0], "p9.0", texts) == Kin("original", ("p8.0", "p9.0"))


def test_all_whom_a_message_addresses_are_named_in_order() -> None:
    """ "to Gerard" stood beside a message that spoke to Beatriz first, and to Eli."""
    text = "Beatriz, in m3 you are right. Gerard, does the county still pay? Eli, your telephone I want."
    names = Addressing(PANEL)
    assert names.called(text, "Rosa") == ["Beatriz", "Gerard", "Eli"]
    assert names.find(text, "Rosa") == "Gerard", "who is asked has the floor"
