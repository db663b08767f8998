"""A careful debate on a well or rainwater: a side measure that its author joined with an answer, and who moved on."""

from __future__ import annotations

from folded import debated, folded
from test_asked_again import Saying, facts, held
from told import Told

from eda import ConversationMemory, Prompt
from eda.cli.terminal.verdict import ballot_phrase
from eda.debate.prompts.ballot_prompt import ballot_slots
from eda.debate.prompts.texts import Prompts
from eda.debate.state import DebateState
from eda.debate.verdict import verdict_of
from eda.events import Ballot, BallotCast, BallotText, PhaseStarted, VerdictReached
from eda.events.acts import End
from eda.events.outcome import Doubt
from eda.memory.minutes.proposals import end_of
from eda.panels.persona import Persona
from eda.report.formatting import in_short
from eda.report.gather import report_of
from eda.voting import RULES, Account, slate, verdict

WELL, RAIN = "Drill a well", "Collect rainwater"
ROOFS = "Collect rainwater from the roofs of the clubhouse and the school hall, in tanks for 90 cubic metres"
OWN, SCREENED = f"{ROOFS}, paid from the reserve", f"{ROOFS}, every tank screened against mosquitoes"
STRAW = "The society buys straw for mulch"
BOTH = f"{SCREENED}; and the society buys straw"
PANEL = ("Sunniva", "Beatriz", "Rosa", "Kofi")
MEMBERS = tuple(Persona(name=who.lower(), title=who, role="r", description="d", instruction="i") for who in PANEL)
TALK = (
    ("Sunniva", f"So.\n[AMEND o2] {OWN}\n[POSITION] o2"),
    ("Beatriz", "So.\n[SUPPORT o1] it could cover all\n[POSITION] o1"),
    ("Rosa", f"So.\n[PROPOSE] {STRAW}\n[SUPPORT o1] a tap should run in August\n[POSITION] o1"),
    ("Kofi", "So.\n[SUPPORT o2] if every tank is screened\n[POSITION] o2"),
    ("Rosa", "What then?\n[UNDECIDED p1.0] I do not know what is left of it without the school"),
    ("Sunniva", "Yes.\n[SUPPORT p3.0] it helps under either answer"),
    ("Kofi", f"Here.\n[AMEND p1.0] {SCREENED}\n[SUPPORT p3.0] it reaches every plot\n[POSITION] p7.0"),
    ("Beatriz", "No.\n[OPPOSE p7.0] cheaper to build\n[SUPPORT p3.0] a small sum\n[POSITION] o1"),
    ("Sunniva", "So.\n[SUPPORT p7.0] the tanks can move\n[POSITION] p7.0"),
    ("Rosa", f"So I give up the well.\n[AMEND p7.0 p3.0] {BOTH}\n[POSITION] p10.0"),
)


def talked(messages: int = len(TALK)) -> tuple[DebateState, ConversationMemory]:
    """The debate up to a message, as its state and its memory."""
    return folded(TALK[:messages], MEMBERS, (WELL, RAIN))


def offered(memory: ConversationMemory) -> tuple[BallotText, ...]:
    return slate("Which?", (WELL, RAIN), memory.motions).texts


def statuses(memory: ConversationMemory) -> dict[str, str]:
    return {text.id: text.status for motion in memory.motions for text in motion.versions}


def test_a_side_measure_that_its_author_joined_with_an_answer_can_be_wanted_beside_the_other_answer() -> None:
    """All four wanted the straw, and no ballot could say so beside the well."""
    _, memory = talked()
    assert {text.id: text.into for text in offered(memory)}["p3.0"] == "p10.0"
    assert {text.id: text.motion for text in offered(memory)}["p3.0"] == "p3.0", "a motion of its own"
    ranked = {"Beatriz": (WELL,), "Rosa": (WELL,), "Kofi": (WELL,), "Sunniva": (SCREENED,)}
    cast = [Ballot(agent=w, choice=t[0], ranking=t, approved=t, also=(STRAW,)) for w, t in ranked.items()]
    texts = offered(memory)
    reached = verdict(Account(cast, texts=texts), "majority", 0.5, 1, PANEL)
    assert (reached.outcome, [each.id for each in reached.adopted]) == (WELL, ["p3.0"])
    memory.fold(reached)
    assert (statuses(memory)["o1"], statuses(memory)["p3.0"]) == ("accepted", "accepted")


def test_who_joins_its_own_text_of_the_first_motion_closes_that_one_alone() -> None:
    """The older words of an author would stand beside the new ones."""
    texts = f"[AMEND o2] {OWN}\n[PROPOSE] {STRAW}", f"[AMEND p1.0 p1.1] {BOTH}"
    memory = debated(*(("Rosa", text) for text in texts), options=(WELL, RAIN))
    assert statuses(memory)["p1.0"] == "modified"
    assert statuses(memory)["p1.1"] == "active"
    closed = next(text for text in memory.proposals if text.id == "p1.0")
    assert end_of(closed) == End("taken into", "p2.0")


def test_the_table_says_who_of_a_texts_supporters_holds_another_text_now() -> None:
    """ "o1 for 2 of 4: Beatriz, Rosa" stood on the ballot after Rosa had given up the well."""
    text = talked()[1].table().text
    assert "for 2 of 4: Beatriz " in text
    assert "Rosa (now holds " in text
    assert "for, if ... 1: Kofi (now holds p7.0)" in text
    straw = next(line for line in text.splitlines() if "p3.0 Rosa" in line)
    assert "now holds" not in straw, "the straw is wanted beside either answer"
    before = talked(9)[1].table().text
    assert "Rosa (now holds" not in before, "she had not moved yet"
    gone = folded((*TALK, ("Kofi", "[WITHDRAW p7.0] the price")), MEMBERS, (WELL, RAIN))[1].table().text
    assert "p7.0 withdrawn" in gone
    assert "Kofi (now holds" not in gone, "who holds a closed text holds nothing"


def test_a_verdict_does_not_rest_on_who_refuses_its_text() -> None:
    """The well rested on the message of a member that had left it and refused it on the ballot."""
    state, memory = talked()
    texts = offered(memory)
    ranked = {"Sunniva": (SCREENED, BOTH), "Beatriz": (WELL,), "Rosa": (BOTH,), "Kofi": (BOTH, SCREENED)}
    for who, chosen in ranked.items():
        ballot = Ballot(agent=who, choice=chosen[0], ranking=chosen, approved=chosen)
        state.fold(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=texts))
    behind = verdict_of(state, memory).behind
    assert behind[WELL] == (2, 8), "Beatriz holds it in both, and Rosa has left it"


def test_who_is_undecided_is_named_with_a_text_put_since_the_table() -> None:
    """A speaker read that only Sunniva had said something on p1.0."""
    assert "for 1 of 4: Sunniva (own); against nobody; undecided 1: Rosa" in talked(5)[1].table(4000, 1).text


def test_a_part_can_be_voted_for_by_itself_and_the_ballot_says_so() -> None:
    """ "(taken into p10.0)" reads as if the text were gone."""
    texts = offered(talked()[1])
    shown = ballot_slots(texts, RULES["majority"], "", first=False, answer="one")["choices"]
    assert "part of p10.0, below; can be voted for by itself)" in shown
    assert "taken into" not in shown
    shown = ballot_slots(texts[::-1], RULES["majority"], "", first=False, answer="one")["choices"]
    assert "part of p10.0; can be voted for by itself)" in shown


def test_a_ballot_does_not_adopt_its_first_text_beside_itself() -> None:
    """ "for p10.0, would adopt p10.0 beside it"."""
    texts = offered(talked()[1])
    ballot = Ballot(agent="Rosa", choice=BOTH, ranking=(BOTH,), also=(BOTH, STRAW))
    phrase = ballot_phrase(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=texts))
    assert phrase.endswith("Would also adopt p3.0 (part of p10.0).")


def test_texts_that_begin_alike_are_named_up_to_where_they_differ() -> None:
    """Three texts of one list had one and the same label."""
    assert in_short(OWN, "p1.0", others=(SCREENED, WELL)).endswith("… cubic metres, paid from the reserve” (p1.0)")
    assert in_short(OWN, others=(WELL,)) == in_short(OWN), "nothing else begins so"
    assert len(in_short(BOTH, others=(SCREENED,))) <= 162


def test_prompts_claim_nothing_that_is_not_there() -> None:
    """A table of m0 was said to hold the reactions; the table of after the verdict, to be what the panel had before."""
    minutes = Prompts().fill("minutes", table="", held="- nothing")
    assert minutes.startswith("Take the minutes")
    assert "stands below their messages" in minutes
    assert "had before it" not in Prompts().fill("report", count="", held="")
    assert "- Where somebody has spoken, answer it" in Prompts().fill("house")


def test_a_verdict_by_the_joined_text_takes_its_parts_in() -> None:
    """One act, one word: the screens were "taken into" p10.0 and the straw "replaced by" it."""
    _, memory = talked()
    texts = offered(memory)
    cast = [Ballot(agent=who, choice=BOTH, ranking=(BOTH,), approved=(BOTH,)) for who in PANEL]
    reached: VerdictReached = verdict(Account(cast, texts=texts), "majority", 0.5, 1, PANEL)
    memory.fold(reached)
    ends = {text.id: end_of(text) for text in memory.proposals}
    assert ends["p3.0"] == ends["p7.0"] == End("taken into", "p10.0")


def test_a_ballot_that_names_a_closed_text_is_told_what_became_of_it() -> None:
    """A voter that wanted the straw was told that p3.0 names nothing, and not where it had gone."""
    own: list[str] = []
    asked_again: list[str] = []

    def says(asked: Prompt) -> str | None:
        if asked.agent != "Maya" or asked.purpose not in ("speak", "ballot"):
            return None
        asked_again.extend([asked.text] * (asked.attempt > 1))
        own.extend(each.id for each in asked.proposals if each.proposer == "Maya" and each.id not in own)
        if asked.purpose == "ballot":
            return f'{{"choice": "o1", "ranking": ["o1", "{own[0]}"]}}' if own else None
        return f"Now.\n[AMEND {own[0]}] {STRAW} in May" if own else f"So.\n[PROPOSE] {STRAW}"

    debate = held(Saying(says), max_messages=9)
    cast = next(each for each in facts(debate, BallotCast) if each.ballot.agent == "Maya" and not each.first)
    question = f"says '{own[0]}', which was replaced by {own[1]} and is not one of the texts to vote on"
    assert any(question in each for each in asked_again)
    assert cast.ballot.doubts == (Doubt("unknown", field="ranking", words=own[0]),)
    assert f"it names “{own[0]}”, which is no text of the ballot (left out)" in ballot_phrase(cast)


def test_the_report_tells_who_declared_on_a_part() -> None:
    """Beatriz stood as being for what she refuses."""
    talk = [(who, f"So.\n{text.partition(chr(10))[2]}") for who, text in TALK]
    told = Told(talk=talk, question="Which?", options=(WELL, RAIN), members=MEMBERS)
    told.tell(PhaseStarted(phase="ballot", why="messages"))
    texts = offered(told.memory)
    for who, chosen in {"Sunniva": (SCREENED, BOTH), "Beatriz": (WELL,), "Rosa": (BOTH,), "Kofi": (BOTH,)}.items():
        ballot = Ballot(agent=who, choice=chosen[0], ranking=chosen, approved=chosen)
        told.tell(BallotCast(ballot=ballot, choices=tuple(t.text for t in texts), texts=texts))
    told.tell(verdict_of(told.progress, told.memory))
    report = report_of(told.session, told.progress, told.memory)
    assert ("Beatriz", "p7.0") in [(each.who, each.of) for step in report.story for each in step.against]
