"""Claims that something was decided: in a debate only a ballot decides, and nothing follows from a claim."""

from __future__ import annotations

import pytest
from folded import debated as debate

from eda import ConversationMemory, MessagePosted, VerdictReached
from eda.cli.terminal.entries import Context
from eda.cli.terminal.printers import plain_lines
from eda.cli.terminal.verdict import claim_phrase
from eda.debate.state import DebateState
from eda.events import Adopted, BallotText, SessionStarted, SummaryWritten
from eda.events.acts import Act, Unread
from eda.events.model_minutes import Minuted, RangeMinutes
from eda.events.records import Move
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.patterns import default_language
from eda.panels.settings import Settings
from eda.serve.shown import table_of
from eda.text import plain_low
from eda.words import ENGLISH

Line = tuple[str, str]
NATIVE, FLUTTER = "Stay native", "Rewrite in Flutter"
OPTIONS = (FLUTTER, NATIVE)
JONAH = "The vote was 4 to 0.\n\n[DECISION] We rewrite the app in Flutter."
KEIKO = (
    "First: the rollback. Keep the old tables 30 days read-only, and rehearse a restore: 2.1 TB at 200 MB/s is 2.9 "
    "hours. Watch the age of the last verified backup.\n\n[DECISION] The cutover is postponed to 1 April."
)


def post(number: int, who: str, text: str, *moves: Move) -> MessagePosted:
    read = read_reply(text)
    more = read._replace(moves=(*read.moves, *moves))
    return MessagePosted(number=number, who=who, text=text, **more._asdict())


def debated(*lines: Line, options: tuple[str, ...] = OPTIONS) -> ConversationMemory:
    return debate(*lines, options=options)


def claims(memory: ConversationMemory) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.status, each.supporters) for each in memory.claims]


@pytest.mark.parametrize(
    "text",
    [
        JONAH,
        KEIKO,
        "[CONSENSUS] All members agree that the cutover must be delayed to 1 April.",
        "Two things.\n\nThe rest can wait.\n[CONSENSUS] We rewrite the app.",
    ],
)
def test_whoever_says_that_all_agree_is_alone_with_it(text: str) -> None:
    """A typed claim became a decision "supported by" four people who had backed the opposite."""
    memory = debated(
        ("Ann", "[PROPOSE] We use Postgres for the job queue."),
        ("Ben", "[SUPPORT p1.0] it is proven"),
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
        ("Maya", "I don't believe the 87%.\n\n[DENY] I never agreed\n[SUPPORT p1.0] my own test"),
    )
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert item_status(memory, "p1.0") == "active"
    assert (memory.claims[0].denied_by, memory.claims[0].denied_in) == (("Maya",), (3,))


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


def test_a_claim_is_denied_by_its_message_and_another_is_not() -> None:
    """A denial of one claim would settle all, or the wrong one."""
    memory = debated(("Jonah", JONAH), ("Keiko", KEIKO), ("Zora", "Hm."), ("Zora", "Well."))
    memory.fold(post(5, "Ada", "No.", Move("deny", "we did not", "m1")))
    assert claims(memory) == [("disputed", ("Jonah",)), ("claimed", ("Keiko",))]
    memory.fold(post(6, "Ada", "No.", Move("deny", "we did not", "Keiko"), Move("deny", "nor that", "m3")))
    assert claims(memory) == [("disputed", ("Jonah",)), ("disputed", ("Keiko",))]
    assert memory.unresolved == (), "who denies what claims nothing has said so"
    memory.fold(post(7, "Ada", "No.", Move("deny", "nor what he said", "Zora")))
    assert [(each.kind, each.why) for each in memory.unresolved] == [("deny", (Unread("no claim", "Zora"),))]


def test_a_denial_counts_once_the_minutes_find_what_it_denies() -> None:
    """A member denied at once what the minutes find twelve messages later: its word was lost."""
    memory = debated(("Jonah", "It is decided: we rewrite the app."), ("Ada", "No.\n\n[DENY m1] nobody voted"))
    assert memory.acts(2) == (Act("deny", "m1", why="nobody voted"),)
    assert memory.unread("Ada") == (0, ())
    found = Minuted(1, "It is decided: we rewrite the app.", "We rewrite the app.", who="Jonah")
    memory.fold(SummaryWritten(first=1, last=2, text="s", by="m", minutes=RangeMinutes(decisions=(found,))))
    assert [(each.status, each.denied_by, each.denied_in) for each in memory.claims] == [("disputed", ("Ada",), (2,))]
    assert ConversationMemory.from_json(memory.to_json()).claims == memory.claims


def test_a_claim_that_all_agree_on_a_text_is_not_borne_out_by_a_split_vote() -> None:
    """ "All of us agree on p1.0" was "later adopted by vote", of four against one."""
    memory = debate(("Ann", "[PROPOSE] Mend the roof"), ("Ben", "[CONSENSUS] All of us agree on p1.0"))
    text = BallotText(id="p1.0", motion="p1.0", text="Mend the roof")
    memory.fold(
        VerdictReached(
            rule="majority", outcome="Mend the roof", version="p1.0", offered=(text,),
            accepted={"p1.0": ("Ann", "Ben")}, tally={"Mend the roof": ("Ann", "Ben"), "none": ("Cleo",)},
        )
    )  # fmt: skip
    assert [each.status for each in memory.decisions if each.source != "procedure"] == ["contradicted"]


def test_a_claim_that_all_agree_on_a_text_beside_the_answer_is_held_against_the_votes_for_that_text() -> None:
    """ "We all agree on the van" was "adopted by vote", of three of five, since all agreed on the answer."""
    memory = debate(
        ("Ann", "[PROPOSE] Mend the roof"), ("Ann", "[PROPOSE] Buy a van"),
        ("Ben", "[CONSENSUS] We all agree on p2.0"), ("Cleo", "[DENY m3] I do not"),
    )  # fmt: skip
    said = {"p1.0": "Mend the roof", "p2.0": "Buy a van"}
    texts = [BallotText(id=key, motion=key, text=text) for key, text in said.items()]
    panel = ("Ann", "Ben", "Cleo")
    memory.fold(
        VerdictReached(
            rule="majority", outcome="Mend the roof", version="p1.0", offered=tuple(texts),
            accepted={"p1.0": panel}, tally={"Mend the roof": panel},
            adopted=(Adopted(motion="p2.0", text="Buy a van", id="p2.0", voters=("Ann", "Ben"), of=3),),
        )
    )  # fmt: skip
    (claim,) = (each for each in memory.decisions if each.source != "procedure")
    assert claim.status == "contradicted"
    assert "denied by Cleo in m4: We all agree on p2.0" in claim_phrase(claim, ENGLISH)


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("p1.0 ist damit beschlossen.", 1),
        ("Wir sind uns ja alle einig.", 1),
        ("Das ist noch nicht beschlossen.", 0),
        ("For the record: I remain unsure.", 0),
        ("Once that is decided, I sign.", 0),
        ("We all agree that a second pit is dug before sports day.", 1),
        ("Wir sind uns alle einig, dass die Grube fertig ist, bevor der Sommer kommt.", 1),
        ("I am not sure that we all agree that a pit is dug.", 0),
        ("We all agree before the summer that we dig.", 0),
    ],
)
def test_a_claim_of_the_minutes_speaks_of_a_decision_in_any_language(said: str, claims: int) -> None:
    """No claim of a German debate was kept, so no denial counted."""
    memory = debate(("Ann", said), ("Ben", "[DENY m1] nobody voted"))
    found = Minuted(1, said, said, who="Ann")
    memory.fold(SummaryWritten(first=1, last=2, text="s", by="m", minutes=RangeMinutes(decisions=(found,))))
    assert [each.status for each in memory.claims] == ["disputed"] * claims


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("Wir sind uns also alle einig.", True),
        ("Wir sind uns nun doch einig.", True),
        ("Also sind wir uns alle einig.", True),
        ("Damit sind sich alle einig.", True),
        ("Wir sind uns nicht alle einig.", False),
        ("Wir sind uns selten einig.", False),
        ("So all three of us agree that the hut is out.", True),
        ("The three of us are agreed on that.", True),
        ("The three of us disagree.", False),
    ],
)
def test_that_all_agree_is_a_claim_in_other_words_too(said: str, *, claims: bool) -> None:
    """ "Wir sind uns also alle einig" was told with its author as a reason."""
    assert bool(default_language().claims_agreement.search(plain_low(said))) == claims


def test_a_denied_claim_is_not_adopted_by_a_vote_for_the_option_that_it_names() -> None:
    """ "So it is settled, all four want Flutter" was "later adopted by vote", though one of five was against it."""
    memory = debated(("Jonah", "[DECISION] All four want: Rewrite in Flutter"), ("Ada", "[DENY m1] I do not"))
    tally = {FLUTTER: ("Maya", "Ruth", "Jonah"), NATIVE: ("Ada",)}
    memory.fold(VerdictReached(rule="majority", outcome=FLUTTER, tally=tally))
    assert claims(memory) == [("disputed", ("Jonah",))]


def test_its_author_takes_a_claim_back() -> None:
    """A claim that its author retracted stayed open."""
    memory = debated(("Jonah", JONAH), ("Jonah", "[DENY m1] we have not agreed"))
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert (memory.claims[0].denied_by, memory.claims[0].denied_in) == (("Jonah",), (2,))


def test_who_withdraws_without_a_target_means_what_it_put_last() -> None:
    """A proposal would be withdrawn in place of the claim."""
    put = ("Jonah", "So.\n\n[PROPOSE] Rewrite the app in Flutter in 6 months.")
    memory = debated(put, ("Jonah", JONAH), ("Jonah", "[WITHDRAW] I was wrong there"))
    assert claims(memory) == [("disputed", ("Jonah",))]
    assert item_status(memory, "p1.0") == "active"
    memory = debated(("Jonah", JONAH), put, ("Jonah", "[WITHDRAW] I was wrong there"))
    assert claims(memory) == [("claimed", ("Jonah",))]
    assert [(each.id, each.status) for each in memory.proposals] == [("p2.0", "withdrawn")]


def test_each_member_claims_for_itself() -> None:
    """Whoever repeats another's claim would make it a claim of two, and then of all."""
    memory = debated(("Viktor", KEIKO), ("Keiko", KEIKO), ("Keiko", KEIKO))
    assert claims(memory) == [("claimed", ("Viktor",)), ("claimed", ("Keiko",))]
    assert [each.messages for each in memory.claims] == [(1,), (2, 3)]


def test_a_ballot_that_decides_otherwise_contradicts_a_claim() -> None:
    """A false claim stood beside the verdict that refutes it, as one more decision."""
    memory = debated(("Jonah", JONAH), ("Maya", "[DECISION] We stay native."))
    tally = {NATIVE: ("Maya", "Ruth", "Ada"), FLUTTER: ("Jonah",)}
    memory.fold(VerdictReached(rule="majority", outcome=NATIVE, tally=tally))
    assert claims(memory) == [("contradicted", ("Jonah",))]
    assert [each.status for each in memory.decisions if each.source != "procedure"] == ["contradicted", "adopted"]
    assert [each.status for each in memory.decisions if each.source == "procedure"] == ["decided"]


def judged(
    memory: ConversationMemory, words: dict[str, str], won: str, motions: dict[str, str], **none: tuple[str, ...]
) -> list[str]:
    """Return what a verdict for the text `won`, of those on the ballot by their ids, makes of the claims."""
    offered = {key: BallotText(id=key, motion=motions.get(key, key), text=text) for key, text in words.items()}
    verdict = VerdictReached(
        rule="majority", outcome=words[won], version=won, motion=offered[won].motion, offered=tuple(offered.values()),
        accepted={won: ("Perrin", "Odile")}, tally={words[won]: ("Perrin", "Odile"), **none},
    )  # fmt: skip
    memory.fold(verdict)
    return [each.status for each in memory.decisions if each.source != "procedure"]


OLD, NEW = "Repair the old tank", "Buy a new tank"
FIXED = "Buy a new tank at a fixed price"


@pytest.mark.parametrize(
    ("said", "won", "status"),
    [
        ("We all agree that we buy a new tank", "p2.0", "claimed"),
        ("We all agree that we repair the old tank", "p2.0", "contradicted"),
        ("We buy a new tank", "o1", "contradicted"),
        ("We buy a new tank", "p2.0", "claimed"),
        ("We all agree that we buy a new tank", "o2", "contradicted"),
        ("We all agree.", "p2.0", "contradicted"),
    ],
)
def test_a_claim_on_an_option_is_refuted_where_that_option_is_and_not_by_a_text_made_of_it(
    said: str, won: str, status: str
) -> None:
    """ "m3 claimed, a ballot said otherwise" stood of "a new tank must be bought": the ballots adopted one."""
    talk = (("Hamo", f"[CONSENSUS] {said}"), ("Perrin", f"[AMEND o2 Fixed price] {FIXED}"))
    memory = debated(*talk, options=(OLD, NEW))
    assert judged(memory, {"o1": OLD, "o2": NEW, "p2.0": FIXED}, won, {"p2.0": "o2"}, none=("Hamo",)) == [status]


TRAVEL = ("Hire one coach", "Take the train with a group ticket", "Share private cars")
WAITS = "Hire one coach that waits for the last song, leaves at eleven and takes the stands below."


@pytest.mark.parametrize(
    ("said", "won", "status"),
    [
        ("We all agree on the train, then!", "p1.0", "claimed"),
        ("all of us want the coach", "p1.0", "claimed"),
        ("We all agree: hire one coach", "p1.0", "claimed"),
        ("We all agree: hire one coach", "o1", "adopted"),
        ("We all agree that o2 is best", "p1.0", "contradicted"),
        ("We take the train, with one group ticket", "p1.0", "contradicted"),
        ("We all agree on the Capped late coach", "p1.0", "adopted"),
        ("We all agree on the Capped late coach, take the train with a group ticket", "o2", "contradicted"),
    ],
)
def test_a_claim_with_some_words_of_an_option_is_judged_by_no_ballot(said: str, won: str, status: str) -> None:
    """ "We all agree on the train" was "later adopted by vote" of a coach that takes the stands below."""
    memory = debated(("Rosa", f"[PROPOSE Capped late coach] {WAITS}"), ("Vera", f"[CONSENSUS] {said}"), options=TRAVEL)
    words = {**{f"o{number}": text for number, text in enumerate(TRAVEL, 1)}, "p1.0": WAITS}
    assert judged(memory, words, won, {}) == [status]


def test_the_page_says_who_claims_and_who_denies_it() -> None:
    """The page had the words of a claim alone; the table in prompts had who claimed and who denied them."""
    memory = debated(("Jonah", "[DECISION] We rewrite it."), ("Ada", "[DENY m1] nobody voted"))
    claimed = table_of(DebateState(), memory)["rest"]["claimed"]
    assert claimed == ['m1 [by Jonah; denied by Ada in m2]: "We rewrite it."']


def test_a_claim_of_a_text_that_a_ballot_adopts_is_closed() -> None:
    """The letter was voted on and adopted, and the table went on to list it as claimed and not voted on."""
    memory = debated(("Petra", "[PROPOSE] Families get a letter."), ("Rosa", "[DECISION] Families get a letter."))
    assert claims(memory) == [("claimed", ("Rosa",))]
    text = BallotText(id="p1.0", motion="p1.0", text="Families get a letter.")
    adopted = Adopted(motion="p1.0", id="p1.0", text=text.text, voters=("Rosa",), of=1)
    memory.fold(
        VerdictReached(
            rule="majority", answer="list", outcome=(text.text,), adopted=(adopted,), offered=(text,),
            accepted={"p1.0": ("Rosa",)}, tally={text.text: ("Rosa",)},
        )
    )  # fmt: skip
    assert claims(memory) == []
    assert [each.status for each in memory.decisions] == ["adopted", "decided"]


FIRM = "The firm cuts hedge and trees only, for 600 euro at most, and we look at it again on 1 October."
GARDEN = (
    ("Vera", "[PROPOSE Bed sponsors] Each bed has a sponsor. The firm cuts hedge and trees."),
    ("Vera", f"[PROPOSE Beds and days] Vera answers for the beds, and two days of work stand. {FIRM}"),
)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("The firm cuts hedge and trees only, for 600 euro at most", None),
        ('We agreed on "for 600 euro at most, and we look"', None),
        ("The firm of p2.0 is settled", "p2.0"),
        ('As was said in m2, "a daft idea for a club", so that is settled', None),
        ("Beds and days: everybody wants it", "p2.0"),
        ("Each bed has a sponsor, the firm cuts hedge and trees", "p1.0"),
    ],
)
def test_a_claim_is_bound_to_a_text_that_it_names_or_says_whole_and_refuted_by_no_other_vote(
    said: str, text: str | None
) -> None:
    """A claim in words of one text was tied to another, and told as refuted when a newer wording of that won."""
    memory = debate(
        *GARDEN, ("Vera", f"[CONSENSUS] {said}"), ("Kolja", "[DENY m3] nothing was agreed on the firm"),
        ("Hedda", f"[AMEND p2.0 Nobody must] Nobody must work. {FIRM}"),
    )  # fmt: skip
    assert [each.proposal for each in memory.claims] == [text]
    agreed = said if "agreed" in said else f"We all agreed: {said}"
    for key in ("p1.0", "p2.0"):
        once = debate(*GARDEN, ("Vera", agreed))
        about = next(each.content for each in once.proposals if each.id == key)
        entry = Minuted(message=3, quote=agreed, text="All are for it", to=key, about=about, who="Vera")
        once.fold(SummaryWritten(first=1, last=3, text="So.", by="m", minutes=RangeMinutes(decisions=(entry,))))
        assert once.claims[0].proposal in ((text,) if text == key else (text, None)), key
    offered = tuple(
        BallotText(id=each.id, motion="p2.0" if each.amends else each.id, text=each.content)
        for each in memory.proposals
    )
    won, everybody = offered[-1], ("Vera", "Kolja", "Hedda")
    verdict = VerdictReached(
        rule="majority", outcome=won.text, version="p5.0", motion="p2.0", offered=offered,
        accepted={"p5.0": everybody}, tally={won.text: everybody},
    )  # fmt: skip
    memory.fold(verdict)
    assert [each.status for each in memory.proposals] == ["not chosen", "superseded", "accepted"]
    assert [each.status for each in memory.claims] == ["contradicted" if text == "p1.0" else "disputed"]
    assert "m3 [" in str(memory.table()) or text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We take the farm with two beach days", "p1.0"),
        ("We take the farm", None),
        ("Farm with two beach days, or meadow with a tent", None),
    ],
)
def test_a_claim_with_the_whole_title_of_one_text_is_on_that_text(said: str, text: str | None) -> None:
    """ "We take the farm with two beach days" stayed "not voted on" after "Farm with two beach days" was adopted."""
    memory = debate(
        ("Odile", "[AMEND o1 Farm with two beach days] We take the barn farm and drive to the lake by bus twice."),
        ("Wilma", "[AMEND o2 Meadow with a tent] We camp on the meadow and hire a tent for days of rain."),
        ("Kolja", f"[DECISION] {said}"),
        options=("The barn farm in Holm", "The meadow at the lake"),
    )
    assert [each.proposal for each in memory.claims] == [text]


TENT = "Two Saturdays in May are a trial with the big tent."


@pytest.mark.parametrize(
    ("talk", "at", "text"),
    [
        ((("Ann", f"[PROPOSE Trial run] {TENT}"), ("Ben", "So we all agreed on the trial run.")), 2, "p1.0"),
        (
            (("Ann", "Hm."), ("Ben", "So we all agreed on the trial run."), ("Cleo", f"[PROPOSE Trial run] {TENT}")),
            2,
            None,
        ),
        (
            (("Ann", "Hm."), ("Ben", "So we all agreed on the trial run."), ("Ben", f"[PROPOSE Trial run] {TENT}")),
            2,
            None,
        ),
        (
            (
                ("Ann", f"[PROPOSE Trial run] {TENT}"),
                ("Ann", "[WITHDRAW p1.0] too dear"),
                ("Ben", "So we all agreed on the trial run."),
            ),
            3,
            None,
        ),
        (
            (
                ("Ann", "So."),
                ("Ann", f"[PROPOSE Trial run] {TENT}"),
                ("Ann", "[WITHDRAW p2.0] too dear\n[DECISION] all agree on the trial run"),
            ),
            3,
            None,
        ),
    ],
    ids=["open", "later", "its own later", "closed", "closed by itself"],
)
def test_a_claim_is_on_a_text_that_was_open_when_it_was_said(talk: tuple[Line, ...], at: int, text: str | None) -> None:
    """ "We all agree on the trial" was "adopted by vote" or refuted, of a text that was put a message later."""
    memory, said = debate(*talk), talk[at - 1][1]
    (put,) = memory.proposals
    entry = Minuted(at, said, said, to=put.id, about=put.content, who="Ben")
    memory.fold(SummaryWritten(first=1, last=3, text="s", by="m", minutes=RangeMinutes(decisions=(entry,))))
    assert [each.proposal for each in memory.claims] == [text]
    offered, voters = (BallotText(id=put.id, motion=put.id, text=TENT),), ("Ann", "Ben", "Cleo")
    memory.fold(
        VerdictReached(
            rule="majority", outcome=TENT, version=put.id, offered=offered,
            accepted={put.id: voters}, tally={TENT: voters},
        )
    )  # fmt: skip
    assert [each.status for each in memory.decisions if each.source != "procedure"] == [
        "adopted" if text else "claimed"
    ]


def test_a_screen_tells_each_change_of_a_claim_once_and_calls_it_a_claim() -> None:
    """A claim that was denied, and denied again, was printed as the same "decision" three times."""
    talk = (
        ("Jonah", JONAH),
        ("Ada", "I deny it.\n\n[DENY m1] nobody voted"),
        ("Maya", "Nor did I.\n\n[DENY m1] nobody asked me"),
        ("Jonah", "[WITHDRAW] I was wrong"),
    )
    memory, lines = debated(), list[str]()
    context = Context(Settings())
    for number, (who, text) in enumerate(talk, 1):
        for event in (post(number, who, text), *memory.fold(post(number, who, text))):
            lines += [line for entry in context.entries(event) for line in plain_lines(entry, context.words)]
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
