"""What a move or a remark is about: resolved by id, quotation, name or words, or told as unresolved."""

from __future__ import annotations

from pathlib import Path

import pytest
from folded import debated, posted, recorded
from in_turn import in_one

from eda import ConversationMemory, MessagePosted, PhaseStarted, Unresolved, VerdictReached
from eda.events import LineAnswered, Move, SessionStarted
from eda.events.acts import Unread
from eda.events.records import Motion, Proposal
from eda.memory.context.acts import act_line, fault_line
from eda.memory.minutes.declared_moves import read_reply

Line = tuple[str, str]
ROTA = (
    ("Ruth", "So.\n\n[PROPOSE] Publish the page counts of the last two Christmas fortnights before any rota."),
    ("Maya", "So.\n\n[PROPOSE] Freeze changes from 19 December and fill the rota with two-day shifts."),
    ("Keiko", "So.\n\n[PROPOSE] 12-hour shifts with a named secondary, nobody more than two nights in a row."),
)
RESTORE = (
    (
        "Keiko",
        """Two.

[PROPOSE] Rehearse a restore of the ledger.
[PROPOSE] Put a second person on call in the week of the cutover.""",
    ),
    ("Viktor", "One.\n\n[PROPOSE] Add mutual TLS between the monolith and the billing service."),
)
PLANS = ("End the free plan, with 60 days' notice", "Cap it at 30 bookings a month", "Keep it as it is")


def reacted(memory: ConversationMemory, number: int) -> list[tuple[str, str | None]]:
    return [(each.reaction, each.to) for each in memory.reactions if each.message == number]


def unresolved(memory: ConversationMemory) -> list[tuple[str, str]]:
    return [(each.kind, each.target) for each in memory.unresolved]


def item(memory: ConversationMemory, key: str) -> Proposal:
    return next(each for each in memory.proposals if each.id == key)


def motion(memory: ConversationMemory, key: str) -> Motion:
    return next(each for each in memory.motions if each.id == key)


# ---------------------------------------------------------------- declared targets


@pytest.mark.parametrize(
    "target",
    ["p3", "P3.0", '"p3.0"', "3.0", "Proposal p3.0", "Keiko's proposal", "m3", "p3.0, Keiko", "the 12-hour shifts"],
)
def test_a_target_is_resolved_however_it_is_typed(target: str) -> None:
    """Small models write ids in nine ways; a vote would go to another proposal, or to none."""
    memory = debated(*ROTA, ("Ruth", f"A count is enough.\n\n[SUPPORT {target}] It has a limit."))
    assert reacted(memory, 4) == [("support", "p3.0")]
    assert memory.unresolved == ()


@pytest.mark.parametrize("target", ["p3.1", "m9", "Otto's proposal", "p2@999", "p40.0"])
def test_what_names_nothing_that_exists_is_unresolved(target: str) -> None:
    """Four of twelve reactions of one debate were booked for the newest proposal, and one for what it opposed."""
    memory = debated(*ROTA, ("Ruth", f"A count is enough.\n\n[SUPPORT {target}] It has a limit."))
    assert reacted(memory, 4) == []
    assert unresolved(memory) == [("support", target)]


def test_a_wording_has_its_author_s_title_and_never_that_of_another_text() -> None:
    """A wording had the title of the text that it amends, and said the opposite of it."""
    memory = debated(
        ("Ada", "[PROPOSE Short trial] We move billing in June, and we look again in July."),
        ("Ruth", "[AMEND p1.0] We move billing in May, and we look again in July."),
        ("Ada", "[AMEND p1.0 Two trials] We move billing in May, and again in July."),
        ("Maya", "[PROPOSE] We wait until the tests are repaired, whatever it costs us."),
        ("Ruth", "[AMEND p4.0] We wait a quarter."),
        ("Ada", "[PROPOSE Keep the gate] We keep the gate shut until the tests pass."),
        ("Maya", "[AMEND p6.0 Short title] We open the gate for good and never shut it."),
        ("Ruth", "[AMEND p6.0 p7.0] We keep and open the gate as the tests tell us."),
    )
    waits = "We wait until the tests are"
    assert [(each.title, each.titled) for each in memory.proposals] == [
        ("Short trial", True),
        ("We move billing in May, and", False),
        ("Two trials", True),
        (waits, False),
        ("We wait a quarter.", False),
        ("Keep the gate", True),
        ("We open the gate for good", False),
        ("We keep and open the gate", False),
    ]
    assert [motion.versions[0].title for motion in memory.motions] == ["Short trial", waits, "Keep the gate"]


def test_an_author_s_new_wording_keeps_the_title_that_it_gave_and_one_open_text_has_it() -> None:
    """A decision was called by its first words, since its author had not written its title again."""
    memory = debated(
        ("Ada", "[PROPOSE Short trial] We move billing in June, and we look again in July."),
        ("Ruth", "[AMEND p1.0] We move billing in May, and we look again in July."),
        ("Ada", "[AMEND p1.0] We move billing in June for a week, and we look again in July."),
        ("Ada", "[AMEND p3.0 One week] We move billing for one week in June, and no longer."),
        ("Maya", "[SUPPORT One week] It ends."),
    )
    assert [(each.title, each.titled, each.status) for each in memory.proposals] == [
        ("Short trial", True, "modified"),
        ("We move billing in May, and", False, "active"),
        ("Short trial", True, "modified"),
        ("One week", True, "active"),
    ]
    assert reacted(memory, 5) == [("support", "p4.0")]


def test_a_member_is_told_what_exists() -> None:
    """It would repeat the dead id at its next turn."""
    memory = debated(*RESTORE, ("Zora", "Fine.\n\n[SUPPORT p3.0] great point"))
    assert memory.unresolved == (
        Unresolved(
            3,
            "Zora",
            "support",
            "p3.0",
            "great point",
            (Unread("no such id", "p3.0", message=3),),
        ),
    )


def test_where_nothing_is_on_the_table_nothing_is_supported() -> None:
    """A reaction would be bound to whatever is proposed later."""
    memory = debated(("Maya", "Fine.\n\n[SUPPORT p2.0] great point\n[OPPOSE p1.0] no"), *RESTORE)
    assert memory.reactions == ()
    assert [each.why for each in memory.unresolved] == [
        (Unread("no such id", "p2.0", message=2),),
        (Unread("no such id", "p1.0", message=1),),
    ]


@pytest.mark.parametrize(
    ("move", "key"),
    [
        ("[SUPPORT p1] the rehearsal of the restore is the one that counts", "p1.0"),
        ("[SUPPORT Keiko's second proposal] one person is a risk", "p1.1"),
        ("[SUPPORT] mutual TLS between the two services", "p2.0"),
        ("[SUPPORT “Put a second person on call”]", "p1.1"),
    ],
)
def test_one_of_several_is_told_by_its_words(move: str, key: str) -> None:
    """The first proposal of a message would get the votes of the second."""
    memory = debated(*RESTORE, ("Maya", f"The restore is what fails.\n\n{move}"))
    assert reacted(memory, 3) == [("support", key)]


GYM = (
    ("Mirela", "[PROPOSE Gym in winter] From December to March we sing in the gym; then in the hall."),
    ("Mirela", "[AMEND p1.0 Gym with written rent] From December to March, if the school writes down its rent."),
)


@in_one(
    ("option", "target", "key", "near"),
    [
        ("Move to the school's gym", "Gym in winter", "p1.0", None),
        ("Move to the school's gym", "gym with written rent", "p2.0", None),
        ("Move to the school's gym", "Mirela's gym", "p2.0", None),
        ("Move to the school's gym", "Move to the school's gym", "o1", None),
        ("Move to the school's gym", "Gym in summer", None, ("o1",)),
        ("Move to the school's gym", "the gym", None, ("o1",)),
        ("Move to the barn", "the rent", None, ("p2.0",)),
        ("Gym", "Gym in summer", None, ("o1",)),
        ("Gym", "the gym option", "o1", None),
        ("Gym", "the hall", None, ()),
    ],
)
def test_one_word_that_a_text_has_too_is_no_name_of_it(
    option: str, target: str, key: str | None, near: tuple[str, ...] | None
) -> None:
    """Support of a closed text by its title was booked for an option with the word "gym"; its author was not told."""
    because = "I bring the pen, and “Gym with written rent” is too dear" if near == () else "I bring the pen"
    memory = debated(*GYM, ("Hedda", f"Good.\n\n[SUPPORT {target}] {because}"), options=(option, "Stay"))
    assert reacted(memory, 3) == ([("support", key)] if key else [])
    assert [each.why for each in memory.unresolved] == (
        [] if key else [(Unread("no such text", target, ids=near or ()),)]
    )


@pytest.mark.parametrize("move", ["[SUPPORT] good idea", "[SUPPORT p1] yes", "[SUPPORT Keiko] yes", "[SUPPORT] yes"])
def test_a_tie_is_unresolved(move: str) -> None:
    """Whichever of two is taken, half of such votes are false."""
    memory = debated(*RESTORE, ("Zora", f"Yes.\n\n{move}"))
    assert memory.reactions == ()
    assert [each.kind for each in memory.unresolved] == ["support"]


def test_several_ids_are_several_reactions_and_a_dead_one_among_them_is_told() -> None:
    """Of two proposals supported at once, the second would have no vote."""
    memory = debated(*RESTORE, ("Zora", "Both then.\n\n[SUPPORT p1.0, p2.0, p7.0] both are cheap"))
    assert reacted(memory, 3) == [("support", "p1.0"), ("support", "p2.0")]
    assert [each.why for each in memory.unresolved] == [(Unread("no such id", "p7.0", message=7),)]


def test_the_reason_and_the_condition_of_a_reaction_are_kept() -> None:
    """Reasons reached nobody: of four searched for, none stood in any of 54 prompts."""
    memory = debated(
        *RESTORE,
        ("Zora", "So.\n\n[OPPOSE p1.1] a second person is a second target\n[SUPPORT p1.0] if it is done before May"),
        (
            "Maya",
            "So.\n\n[SUPPORT p2.0] cheap, as long as certificates renew themselves\n[SUPPORT p1.0] what if it fails",
        ),
    )
    assert [(each.why, each.conditional) for each in memory.reactions] == [
        ("a second person is a second target", False),
        ("if it is done before May", True),
        ("cheap, as long as certificates renew themselves", True),
        ("what if it fails", False),
    ]


@in_one(
    ("reason", "condition"),
    [
        ("if it is done before May", "if it is done before May"),
        ("ok u got me, if fees pay it then fine, i said no before. zoras bit i dont get", "if fees pay it then fine"),
        ("my deposit stays in, if it may be paid in cash", "if it may be paid in cash"),
        ("fine as long as its under 3.50, btw who has the key", "as long as its under 3.50"),
        ("Good plan. If the fees pay it I'm in. See you Sunday.", "If the fees pay it I'm in"),
        ("If the rent’s paid, I am for it", "If the rent’s paid"),
        ("only if Maya holds a key; and I like the list", "only if Maya holds a key"),
        ("because the list is what we lacked, btw if anybody has a spade bring it sunday", ""),
        ("Good. If it rains, the tent leaks.", ""),
        ("the price is fair, if you ask me", ""),
        ("what if it fails", ""),
    ],
)
def test_only_the_clause_that_states_a_condition_is_one(reason: str, condition: str) -> None:
    """A whole chatty message stood as the condition of a support, with a remark on another's text in it."""
    reaction = debated(*RESTORE, ("Zora", f"[SUPPORT p1.0] {reason}")).reactions[0]
    assert (reaction.why, reaction.condition, reaction.conditional) == (reason, condition, bool(condition))


# ---------------------------------------------------------------- versions


def test_who_amends_its_own_text_replaces_it() -> None:
    """A text that its author gave up would stand on the ballot and take votes from the new one."""
    memory = debated(
        *RESTORE,
        ("Zora", "Yes.\n\n[SUPPORT p1.0] the restore is what fails"),
        ("Keiko", "Yes.\n\n[AMEND p1.0]\nRehearse a restore twice."),
    )
    old, new = item(memory, "p1.0"), item(memory, "p4.0")
    assert (old.status, old.amended_by, new.amends, new.content) == (
        "modified",
        "p4.0",
        "p1.0",
        "Rehearse a restore twice.",
    )
    assert old.backers("support") == ("Zora",)
    assert new.reactions == ()
    assert motion(memory, "p1.0").live == new
    assert "p1.0" not in [each.id for each in memory.active]
    assert new.amends == "p1.0"


def test_the_amendment_of_another_stands_beside_the_text() -> None:
    """One member could take another's proposal off the table by rewording it."""
    memory = debated(
        *RESTORE,
        ("Maya", "Smaller.\n\n[AMEND p1.0] Rehearse a restore of one table."),
        ("Zora", "Rather that.\n\n[SUPPORT p3.0] one table is enough"),
    )
    assert [each.status for each in motion(memory, "p1.0").versions] == ["active", "active"]
    assert motion(memory, "p1.0").live == item(memory, "p3.0")


def test_an_amendment_of_nothing_is_a_proposal_without_lineage() -> None:
    """It was linked to the newest proposal, and replaced it when it won."""
    memory = debated(
        ("Ada", "[PROPOSE] Rewrite it."), ("Ruth", "Smaller.\n\n[AMEND p9.0] Build one camera screen in a week.")
    )
    new = item(memory, "p2.0")
    assert (new.amends, new.status) == (None, "active")
    assert [each.kind for each in memory.unresolved] == ["amend"]
    (lost,) = memory.unresolved
    assert (lost.why, lost.stands) == ((Unread("no such id", "p9.0", message=9),), True)
    (fault,) = memory.unread("Ruth")[1]
    assert fault_line(fault).endswith(": p9.0 does not exist; your text stands as a new proposal")


def test_two_ids_make_one_motion_of_two() -> None:
    """Additions that all supported were made to compete, and one of them lost."""
    memory = debated(*RESTORE, ("Maya", "One plan.\n\n[AMEND p1.0 p2.0] Rehearse a restore, then add mutual TLS."))
    joined = item(memory, "p3.0")
    assert (joined.amends, joined.joins) == ("p1.0", ("p2.0",))
    assert [each.amended_by for each in memory.proposals[:3]] == ["p3.0", None, "p3.0"]
    assert [each.id for each in motion(memory, "p1.0").versions] == ["p1.0", "p2.0", "p3.0"]
    assert [each.id for each in memory.motions] == ["p1.0", "p1.1"]


def test_what_is_accepted_closes_the_other_versions_of_its_motion_and_nothing_else() -> None:
    """Texts that the panel had just replaced stood as open beside the verdict."""
    memory = debated(
        *RESTORE,
        ("Maya", "Smaller.\n\n[AMEND p1.0] Rehearse a restore of one table."),
        ("Zora", "One plan.\n\n[AMEND p1.0 p2.0] Rehearse a restore, then add mutual TLS."),
    )
    won = "Rehearse a restore, then add mutual TLS."
    memory.fold(VerdictReached(rule="majority", outcome=won, tally={won: ("Maya", "Zora")}))
    assert [(each.id, each.status) for each in memory.proposals] == [
        ("p1.0", "merged"),
        ("p1.1", "active"),
        ("p2.0", "merged"),
        ("p3.0", "superseded"),
        ("p4.0", "accepted"),
    ]
    assert [each.id for each in memory.active] == ["p1.1"]


def test_a_verdict_for_an_option_accepts_no_proposal_that_resembles_it() -> None:
    """A proposal in similar words would be taken for what the panel chose."""
    memory = debated(("Maya", "So.\n\n[PROPOSE] Cap it at 30 bookings a month, or 40."), options=PLANS)
    memory.fold(VerdictReached(rule="majority", outcome=PLANS[1], tally={PLANS[1]: ("Maya",)}))
    assert item(memory, "p1.0").status == "active"
    assert memory.decisions[-1].proposal == "o2"


def test_only_its_author_withdraws_a_text_and_says_it_again_to_reopen_it() -> None:
    """A rival could make a proposal vanish; and one withdrawn by mistake would be gone for good."""
    memory = debated(*RESTORE, ("Maya", "Gone.\n\n[WITHDRAW p2.0]"))
    assert item(memory, "p2.0").status == "active"
    assert [each.why for each in memory.unresolved] == [(Unread("not its author", who=("Viktor",), ids=("p2.0",)),)]
    memory.fold(posted(4, "Viktor", "[WITHDRAW p2.0]"))
    assert item(memory, "p2.0").status == "withdrawn"
    assert motion(memory, "p2.0").live is None
    memory.fold(posted(5, "Viktor", "No.\n\n[PROPOSE] add mutual TLS between the monolith, and the billing service"))
    assert item(memory, "p2.0").status == "active"
    assert [each.id for each in memory.proposals] == ["p1.0", "p1.1", "p2.0"]


def test_the_same_text_of_another_is_support() -> None:
    """Three members who propose the same would split their votes over three choices."""
    memory = debated(
        *RESTORE,
        ("Maya", "So.\n\n[PROPOSE] Rehearse a restore of the ledger!"),
        ("Zora", "So.\n\n[SUPPORT p3.0] it is hers too"),
    )
    assert [each.id for each in memory.proposals] == ["p1.0", "p1.1", "p2.0"]
    assert item(memory, "p1.0").backers("support") == ("Maya", "Zora")


def test_an_option_given_with_the_question_is_supported_and_amended_by_its_id() -> None:
    """Members could not say which of the given options they want reworded."""
    memory = debated(
        ("Maya", "So.\n\n[SUPPORT o2] it can be undone"),
        ("Petra", "So.\n\n[AMEND o2] Cap it at 20 bookings a month"),
        ("Tomas", "So.\n\n[PROPOSE] keep it, as it is."),
        options=PLANS,
    )
    assert [each.id for each in memory.motions] == ["o1", "o2", "o3"]
    assert [each.id for each in motion(memory, "o2").versions] == ["o2", "p2.0"]
    assert motion(memory, "o2").versions[0].backers("support") == ("Maya",)
    assert motion(memory, "o3").versions[0].backers("support") == ("Tomas",)
    assert [each.id for each in memory.proposals] == ["p2.0"]


def test_a_closed_text_is_still_what_its_id_says() -> None:
    """A reaction to it would be booked for the text that took its place."""
    memory = debated(
        *RESTORE,
        ("Viktor", "No.\n\n[AMEND p2.0] Add mutual TLS later."),
        ("Zora", "So.\n\n[SUPPORT p2.0] now, not later"),
    )
    assert reacted(memory, 4) == [("support", "p2.0")]
    assert item(memory, "p3.0").backers("support") == ()


# ---------------------------------------------------------------- what could not be heard


def test_nobody_reacts_to_what_was_written_unseen() -> None:
    """Members opposed openings that they could not have read."""
    memory = debated()
    memory.fold(PhaseStarted(phase="opening"))
    memory.fold(posted(1, "Ann", "Mine.\n\n[PROPOSE] Rehearse a restore of the ledger.", sealed=True))
    memory.fold(
        posted(2, "Ben", "I disagree with Ann.\n\n[OPPOSE p1.0] too slow\n[PROPOSE] Buy insurance.", sealed=True)
    )
    memory.fold(posted(3, "Cleo", "I disagree with Ben.", sealed=True))
    memory.fold(PhaseStarted(phase="discussion"))
    assert [each.to for each in memory.reactions if each.to] == []
    assert [(each.target, each.why) for each in memory.unresolved] == [("p1.0", (Unread("not heard yet", "p1.0"),))]
    memory.fold(posted(4, "Cleo", "So.\n\n[OPPOSE p1.0] too slow"))
    assert reacted(memory, 4) == [("oppose", "p1.0")]


def test_who_writes_blind_later_has_heard_the_earlier_openings() -> None:
    """After a second blind phase a member could react to nothing that was said in the first."""
    memory = ConversationMemory()
    for number in (1, 2):
        memory.fold(PhaseStarted(phase=f"blind {number}"))
        move = "[PROPOSE] Rehearse a restore of the ledger." if number == 1 else "[SUPPORT p1.0] it is cheap"
        memory.fold(posted(2 * number - 1, "Ann" if number == 1 else "Ben", f"So.\n\n{move}", sealed=True))
        memory.fold(posted(2 * number, "Cleo", "Nothing yet.", sealed=True))
    memory.fold(PhaseStarted(phase="discussion"))
    assert reacted(memory, 3) == [("support", "p1.0")]
    hears = memory.parts.minutes.state.could_hear
    assert (hears(2, 1), hears(3, 1), hears(4, 3), hears(5, 3)) == (False, True, False, True)


# ---------------------------------------------------------------- free talk on a bus without a debate


@pytest.mark.parametrize(
    ("text", "key", "how"),
    [
        ("I support p1.0.", "p1.0", "id"),
        ("I agree with Viktor.", "p2.0", "name"),
        ("I agree with Keiko that a second person should be on call.", "p1.1", "name"),
    ],
)
def test_free_talk_reacts_by_id_or_name(text: str, key: str, how: str) -> None:
    """ "I support p1.0", typed by a person, was booked for the newest proposal."""
    memory = recorded(*RESTORE, ("Ada", text))
    assert [(each.to, each.link) for each in memory.reactions] == [(key, how)]


@pytest.mark.parametrize(
    ("text", "left"), [("I stand with p7.2, I agree with it.", []), ("I support p1.0, not p2.0.", ["Ada"])]
)
def test_free_talk_that_names_no_text_or_several_by_id_is_unresolved(text: str, left: list[str]) -> None:
    """A remark on one proposal would be a vote for another."""
    memory = recorded(*RESTORE, ("Ada", text))
    assert [each.to for each in memory.reactions if each.to] == []
    assert [each.agent for each in memory.unresolved] == left


REMARKS = [
    "I agree.",
    "I support p1.0.",
    "I'd hate to lose the rehearsal.",
    "I propose that we add a rate limit.",
    "We all agree now.",
    "RESOLVED: we rehearse a restore.",
    "I withdraw my proposal.",
    "+1",
]


@pytest.mark.parametrize("text", REMARKS)
@pytest.mark.parametrize("who", ["Ada", "Viktor"])
def test_nothing_is_booked_in_a_debate_that_nobody_declared(text: str, who: str) -> None:
    """ "I'd hate to lose the tar" was booked on the message before it; all four items of a debate were wrong."""
    plain = debated(*RESTORE)
    memory = debated(*RESTORE, (who, text))
    assert (memory.proposals, memory.reactions, memory.decisions) == (plain.proposals, plain.reactions, ())
    assert memory.unresolved == ()
    assert memory.last_position(who) == ""
    assert memory.acts(3) == ()


def test_a_plain_withdrawal_takes_the_text_that_it_describes() -> None:
    """The newest proposal went instead of the one that was given up."""
    text = "I take back my second one, on call. The rehearsal stays."
    memory = recorded(*RESTORE, ("Keiko", text))
    assert [(each.id, each.status) for each in memory.proposals] == [
        ("p1.0", "active"),
        ("p1.1", "withdrawn"),
        ("p2.0", "active"),
    ]


def test_a_found_proposal_is_taken_up_once_a_member_names_it() -> None:
    """A remark that nobody took for a proposal stood on the ballot."""
    memory = recorded(("Ann", "I propose that we use Postgres."), ("Ben", "I agree with Ann."))
    assert [(each.id, each.taken_up) for each in memory.motions] == [("p1@0", False)]
    memory.fold(posted(3, "Cleo", "So.\n\n[AMEND p1@0] Use Postgres 17."))
    assert [(each.id, each.taken_up) for each in memory.motions] == [("p1@0", True)]


def test_what_was_resolved_outlives_a_saved_memory(tmp_path: Path) -> None:
    """A session taken up again would have other ids and other targets."""
    lines = (
        *RESTORE,
        ("Maya", "So.\n\n[PROPOSE] Rehearse a restore of the ledger!\n[AMEND p1.0 p2.0] All of it.\n[SUPPORT p8.0] x"),
    )
    whole = debated(*lines, options=PLANS)
    whole.save(tmp_path / "memory.json")
    again = ConversationMemory.load(tmp_path / "memory.json")
    for memory in (whole, again):
        memory.fold(posted(4, "Zora", "So.\n\n[SUPPORT p3.0] yes\n[SUPPORT o1] yes"))
    assert (again.motions, again.reactions, again.unresolved) == (whole.motions, whole.reactions, whole.unresolved)
    assert reacted(again, 4) == [("support", "p1.0"), ("support", "o1")]


PHONES = (
    (
        "Petra",
        """[PROPOSE] Families get a letter two weeks before any rule starts, with one number in the office.
[PROPOSE] Phones lie in lockers during lessons; in breaks and at lunch pupils may have them.""",
    ),
    ("Gerard", "[PROPOSE] Exemptions are signed by the school secretary within three days."),
)


@pytest.mark.parametrize(
    ("named", "to"),
    [
        ("Petra's letter", "p1.0"),
        ("Petra’s letter to families", "p1.0"),
        ("Petra on lockers", "p1.1"),
        ("Petra's first proposal", None),
        ("Petra's letter and lockers", None),
        ("Petra's two texts", None),
        ("Petra", None),
    ],
)
def test_a_name_with_a_word_of_one_of_its_texts_is_that_text(named: str, to: str | None) -> None:
    """In a played debate `[SUPPORT Petra's letter]` was left unresolved, though only one of her texts had a letter."""
    memory = debated(*PHONES, ("Rosa", f"So.\n\n[SUPPORT {named}] a promise"))
    assert reacted(memory, 3) == ([("support", to)] if to else [])
    assert unresolved(memory) == ([] if to else [("support", named)])


def test_moves_below_a_line_in_anothers_name_are_unresolved_and_told_their_author_word_for_word() -> None:
    """In a played debate the panel's best compromise vanished so, and its author was told of "lines" alone."""
    text = """One entry joins both.

Eli: Agreed, Gerard. [SUPPORT p3.0] it is signed
[AMEND p1.0 p2.0] The secretary signs on the first day.
[POSITION] my own text

[POSITION] a signature"""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="What now?"))
    for number, (who, said) in enumerate((*PHONES, ("Gerard", text)), 1):
        read = read_reply(said, who, dict.fromkeys(("Eli", "Petra", "Gerard"), ""))
        memory.fold(MessagePosted(number=number, who=who, text=said, **read._asdict()))
    why, foreign = (
        "below a line in Eli's name, so it is not known whose it is",
        (Unread("another's name", who=("Eli",)),),
    )
    amended = "The secretary signs on the first day."
    assert [(each.kind, each.target, each.text, each.why) for each in memory.unresolved] == [
        ("amend", "p1.0 p2.0", amended, foreign),
        ("position", "", "my own text", foreign),
    ]
    assert [each.id for each in memory.proposals] == ["p1.0", "p1.1", "p2.0"]
    assert tuple(map(fault_line, memory.unread("Gerard")[1][:2])) == (
        f"[AMEND p1.0 p2.0] {amended}: {why}",
        f"[POSITION] my own text: {why}",
    )
    assert tuple(map(act_line, memory.acts(3))) == (
        "position: a signature",
        f"[AMEND p1.0 p2.0] (not counted): {why}",  # words that may be another's are read by nobody else
        f"[POSITION] (not counted): {why}",
        "(lines in the name of Eli were left out)",
    )


def test_an_id_without_its_letter_is_asked_about_where_it_may_be_an_option() -> None:
    """ "[SUPPORT 01]" was counted for the text of message 1."""
    memory = debated(("Ann", "[PROPOSE] Build a boardwalk."), ("Ben", "[SUPPORT 01] It is cheap."), options=PLANS)
    assert memory.reactions == ()
    ((lost,),) = [each.why for each in memory.unresolved]
    assert (lost.kind, lost.words, lost.ids) == ("no letter", "01", ("o1", "p1.0"))


def test_a_reason_that_may_be_a_condition_keeps_no_text_that_its_author_withdraws_when_asked() -> None:
    """ "Until August nobody gets through there" was refused as a condition in the message, and in the form again."""
    memory = debated(("Ada", "Nun.\n\n[PROPOSE] Wir mähen die Wiese."), ("Ada", "Nun."))
    for text, status in (
        ("nur wenn es regnet", "active"),
        ("Bis August kommt dort niemand durch, Ben hat recht.", "withdrawn"),
    ):
        fact = LineAnswered(who="Ada", message=2, answer="asked", moves=(Move("withdraw", text, "p1.0", of=""),))
        memory.fold(fact)
        assert [each.status for each in memory.proposals] == [status]
