"""Claims that something was decided: in a debate only a ballot decides, and nothing follows from a claim."""

from __future__ import annotations

import pytest
from folded import by_hand
from folded import debated as debate

from eda import ConversationMemory, MessagePosted, VerdictReached
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.events import Adopted, BallotText, SessionStarted
from eda.events.acts import Act, Unread
from eda.events.records import Move
from eda.memory.minutes.declared_moves import read_reply
from eda.panels.settings import Settings

Line = tuple[str, str]
NATIVE, FLUTTER = "Stay native", "Rewrite in Flutter"
OPTIONS = (FLUTTER, NATIVE)
JONAH = "So we have decided: we rewrite the app in Flutter. The vote was 4 to 0."
KEIKO = (
    "First: the rollback. Keep the old tables 30 days read-only, and rehearse a restore: 2.1 TB at 200 MB/s is 2.9 "
    "hours. Watch the age of the last verified backup.\n\n[DECISION] The cutover is postponed to 1 April."
)


def post(number: int, who: str, text: str, *moves: Move) -> MessagePosted:
    read = read_reply(text)
    more = read._replace(moves=(*read.moves, *moves))
    return MessagePosted(number=number, who=who, text=text, **more._asdict())


def debated(*lines: Line, options: tuple[str, ...] = OPTIONS) -> ConversationMemory:
    return by_hand(*lines, options=options)


def claims(memory: ConversationMemory) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.status, each.supporters) for each in memory.claims]


@pytest.mark.parametrize(
    "text",
    [
        JONAH,
        KEIKO,
        "[CONSENSUS] All members agree that the cutover must be delayed to 1 April.",
        "RESOLVED: we use Postgres for the job queue.",
        "We all agree that the tests come first.",
        "Two things.\n\nThe rest can wait.\n[CONSENSUS] We rewrite the app.",
    ],
)
def test_whoever_says_that_all_agree_is_alone_with_it(text: str) -> None:
    """A typed claim became a decision "supported by" four people who had backed the opposite."""
    memory = debated(
        ("Ann", "I propose that we use Postgres for the job queue."),
        ("Ben", "I agree with Ann."),
        ("Jonah", text),
        ("Ben", "I agree, Jonah."),
        ("Cleo", "+1"),
        options=(),
    )
    assert claims(memory) == [("claimed", ("Jonah",))]
    assert [each.status for each in memory.decisions] == ["claimed"]
    assert [each.status for each in memory.proposals] == ["active"]
    assert not memory.consensus()


def test_support_of_a_proposal_beside_a_claim_is_no_assent_to_it() -> None:
    """ "[SUPPORT p1.0] my own test" turned a false claim into "decided, supported by Maya"."""
    memory = debated(
        ("Maya", "Stay.\n\n[PROPOSE] We build one screen in Flutter in two weeks and measure it."),
        ("Jonah", f"{JONAH}\n\n[SUPPORT p1.0] the savings"),
        ("Maya", "I never agreed to that. I don't believe the 87%.\n\n[SUPPORT p1.0] my own test"),
    )
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert item_status(memory, "p1.0") == "active"
    assert "m3 Maya: against" in memory.explain(memory.claims[0])


def item_status(memory: ConversationMemory, key: str) -> str:
    return next(each.status for each in memory.proposals if each.id == key)


def test_in_a_debate_only_a_tag_claims() -> None:
    """A member was said to have claimed a decision by "For the record: I remain unsure"."""
    memory = debate(
        ("Ann", "We all agree now. RESOLVED: we use Postgres."),
        ("Ben", "Two things.\n[CONSENSUS] We rewrite the app.\n[DECISION] The cutover is postponed."),
        ("Cleo", "I never agreed to that."),
        ("Dan", "[DENY m2] nobody asked me"),
    )
    assert [(each.outcome, each.supporters, each.status) for each in memory.claims] == [
        ("We rewrite the app.", ("Ben",), "disputed"),
        ("The cutover is postponed.", ("Ben",), "disputed"),
    ]
    assert memory.reactions == ()
    assert memory.proposals == ()


@pytest.mark.parametrize("text", ["I never agreed to that.", "We have not decided.", "There is no consensus, Jonah."])
def test_a_denial_in_prose_disputes_a_claim(text: str) -> None:
    """A claim that somebody denied at once stood in the minutes as if nobody had."""
    assert claims(debated(("Jonah", JONAH), ("Ada", text))) == [("disputed", ("Jonah",))]


def test_a_claim_is_denied_by_its_message_and_another_is_not() -> None:
    """A denial of one claim would settle all, or the wrong one."""
    memory = debated(("Jonah", JONAH), ("Keiko", KEIKO), ("Zora", "Hm."), ("Zora", "Well."))
    memory.fold(post(5, "Ada", "No.", Move("deny", "we did not", "m1")))
    assert claims(memory) == [("disputed", ("Jonah",)), ("claimed", ("Keiko",))]
    memory.fold(post(6, "Ada", "No.", Move("deny", "we did not", "Keiko"), Move("deny", "nor that", "m3")))
    assert claims(memory) == [("disputed", ("Jonah",)), ("disputed", ("Keiko",))]
    assert [(each.kind, each.why) for each in memory.unresolved] == [("deny", (Unread("no claim", "m3"),))]


TOMAS = (
    "Henrik, your log in m4 moved me: five minutes of writing is cheap. As we voted 3-0 in m4, the log stays. "
    "I never said that I would freeze anything."
)


def test_a_vote_that_was_never_taken_is_a_claim_that_can_be_denied() -> None:
    """In a played debate "[DENY m6] no vote was ever taken" denied nothing, and the false vote stood in the minutes."""
    memory = debated(("Tomas", f"{TOMAS}\n\n[PROPOSE] The log stays, and a second driver is on call."))
    assert claims(memory) == [("claimed", ("Tomas",))]
    assert memory.claims[0].outcome == "As we voted 3-0 in m4, the log stays."
    memory.fold(post(2, "Keiko", "There was no vote.\n\n[DENY m1] no vote was ever taken"))
    assert claims(memory) == [("disputed", ("Tomas",))]
    assert memory.unresolved == ()


def test_what_was_decided_says_more_than_the_figures_of_its_vote() -> None:
    """A claim that reads "The vote was 4 to 0." says nothing that a ballot could contradict."""
    assert [each.outcome for each in debated(("Jonah", JONAH)).claims] == [JONAH.partition(" The vote")[0]]


def test_its_author_takes_a_claim_back() -> None:
    """A claim that its author retracted stayed open."""
    memory = debated(("Jonah", JONAH), ("Jonah", "I take that back. We have not agreed."))
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert "m2 Jonah: takes it back" in memory.explain(memory.claims[0])
    assert memory.claims[0].denied_by == ("Jonah",)


def test_who_takes_that_back_means_what_it_said_last() -> None:
    """A proposal would be withdrawn in place of the claim."""
    put = ("Jonah", "So.\n\n[PROPOSE] Rewrite the app in Flutter in 6 months.")
    memory = debated(put, ("Jonah", JONAH), ("Jonah", "I take that back."))
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert item_status(memory, "p1.0") == "active"
    memory = debated(("Jonah", JONAH), put, ("Jonah", "I take that back."))
    assert claims(memory) == [("claimed", ("Jonah",))]
    assert [(each.id, each.status) for each in memory.proposals] == [("p2.0", "withdrawn")]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (
            "I take back \u201cso we have decided\u201d from m1.\n\n[SUPPORT o1] it is right",
            "disputed",
        ),
        ("I take back what I said in m1.", "disputed"),
        ("I take back what I said in m2.", "claimed"),
    ],
)
def test_who_takes_its_claim_back_in_words_disputes_it(words: str, status: str) -> None:
    """A claim would stand as its author's in verdict and report after its author has withdrawn it before all."""
    memory = debated(("Jonah", JONAH), ("Maya", "Not so fast."), ("Jonah", words))
    assert claims(memory) == [(status, ("Jonah",))]
    assert (Act("retract", "m1") in memory.acts(3)) is (status == "disputed")
    assert ("by Jonah; taken back]" in memory.table().text) is (status == "disputed")


def test_each_member_claims_for_itself() -> None:
    """Whoever repeats another's claim would make it a claim of two, and then of all."""
    memory = debated(("Viktor", KEIKO), ("Keiko", KEIKO), ("Keiko", KEIKO))
    assert claims(memory) == [("claimed", ("Viktor",)), ("claimed", ("Keiko",))]
    assert [each.messages for each in memory.claims] == [(1,), (2, 3)]


def test_a_ballot_that_decides_otherwise_contradicts_a_claim() -> None:
    """A false claim stood beside the verdict that refutes it, as one more decision."""
    memory = debated(("Jonah", JONAH), ("Maya", "We have decided that we stay native."))
    tally = {NATIVE: ("Maya", "Ruth", "Ada"), FLUTTER: ("Jonah",)}
    memory.fold(VerdictReached(rule="majority", outcome=NATIVE, tally=tally))
    assert claims(memory) == [("contradicted", ("Jonah",))]
    assert [each.status for each in memory.decisions if each.source != "procedure"] == ["contradicted", "adopted"]
    assert [each.status for each in memory.decisions if each.source == "procedure"] == ["decided"]


def test_a_claim_of_a_text_that_a_ballot_adopts_is_closed() -> None:
    """The letter was voted on and adopted, and the table went on to list it as claimed and not voted on."""
    memory = debated(("Petra", "[PROPOSE] Families get a letter."), ("Rosa", "[DECISION] Families get a letter."))
    assert "Claimed, not voted on:" in memory.table().text
    text = BallotText(id="p1.0", motion="p1.0", text="Families get a letter.")
    adopted = Adopted(motion="p1.0", id="p1.0", text=text.text, voters=("Rosa",), of=1)
    memory.fold(
        VerdictReached(
            rule="majority", answer="list", outcome=(text.text,), adopted=(adopted,), offered=(text,),
            accepted={"p1.0": ("Rosa",)}, tally={text.text: ("Rosa",)},
        )
    )  # fmt: skip
    assert claims(memory) == []
    assert "Claimed, not voted on" not in memory.table().text
    assert "claimed, later adopted by vote" in memory.table().text


def test_a_screen_tells_each_change_of_a_claim_once_and_calls_it_a_claim() -> None:
    """A claim that was denied, and denied again, was printed as the same "decision" three times."""
    talk = (
        ("Jonah", JONAH),
        ("Ada", "I deny it.\n\n[DENY m1] nobody voted"),
        ("Maya", "Nor did I.\n\n[DENY m1] nobody asked me"),
        ("Jonah", "I take back what I said in m1."),
    )
    memory, lines = by_hand(options=OPTIONS), list[str]()
    context = Context(Settings())
    for number, (who, text) in enumerate(talk, 1):
        for event in (post(number, who, text), *memory.fold(post(number, who, text))):
            lines += [line for entry in context.entries(event) for line in plain_lines(entry)]
    assert [line.partition(" m1")[0] for line in lines if line.startswith("act: ")][1:] == [
        "act: denies",
        "act: denies",
        "act: takes back its claim of",
    ]
    assert not [line for line in lines if "decision" in line]


def test_a_verdict_on_something_else_contradicts_nothing() -> None:
    """A claim of what no ballot offered would be called false."""
    memory = debated(("Keiko", KEIKO))
    memory.fold(VerdictReached(rule="majority", outcome=NATIVE, tally={NATIVE: ("Maya",)}))
    assert claims(memory) == [("claimed", ("Keiko",))]


def test_a_claim_in_code_or_a_quotation_is_nobodys() -> None:
    """A text about claims would be one."""
    fenced = (
        "Models write this:\n```\n[CONSENSUS] We never close.\n[DECISION] We never close.\n```\nThat decides nothing."
    )
    assert claims(debated(("Ann", fenced))) == []
    assert claims(debated(("Ann", "Viktor wrote:\n> [CONSENSUS] We never close.\n\nHe was alone with it."))) == []


def test_in_a_transcript_a_written_resolution_decides() -> None:
    """Minutes of a working group would be a list of claims."""
    memory = ConversationMemory()
    memory.fold(SessionStarted(session="s", question="", kind="transcript"))
    memory.fold(post(1, "scribe", "RESOLVED: we use Postgres for the job queue."))
    assert [each.status for each in memory.decisions] == ["decided"]
    assert memory.claims == ()


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("So everybody agrees on one bed, and I will not die for the second.", True),
        ("It seems that we all stand behind the orchard now.", True),
        ("Everyone is on board with the orchard.", True),
        ("Not everybody agrees on one bed.", False),
        ("Does everybody agree on one bed?", False),
        ("If we all stand behind it, fine.", False),
        ("I doubt that everybody agrees on it.", False),
    ],
)
def test_each_way_to_say_that_all_agree_is_a_claim(text: str, claimed: bool) -> None:
    """Two false claims of a played debate stood as if nobody had to answer for them."""
    memory = debated(("Walter", "[PROPOSE] One bed beside the orchard."), ("Kofi", text), options=())
    assert claims(memory) == ([("claimed", ("Kofi",))] if claimed else [])
    assert memory.reactions == ()


@pytest.mark.parametrize(
    "text",
    [
        "Walter, in m1 not all of us agreed; the list does not drain the ditch.",
        "We did not all agree.",
    ],
)
def test_a_denial_in_prose_beside_moves_disputes_the_claim(text: str) -> None:
    """It was heard by everybody and stood in no table."""
    said = f"{text}\n\n[PROPOSE] One bed beside the orchard."
    memory = debated(("Walter", "So we all agree that the list decides."), ("Sunniva", said), options=())
    assert [(each.status, each.denied_by) for each in memory.claims] == [("disputed", ("Sunniva",))]
