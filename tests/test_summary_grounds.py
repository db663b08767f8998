"""A summary says nothing that its messages do not: no number, no name, and nothing that the record contradicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from folded import debated
from in_turn import in_one

from eda.events import CallMade, MessagePosted, SessionStarted, SummaryWritten, VerdictReached
from eda.events.records import Decision, Line, Proposal, Reaction
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.memory.summaries.due import Due
from eda.memory.summaries.summary_input import (
    Item,
    SummaryInput,
    complaints,
    decided,
    faults,
    items_of,
    without_groundless,
)
from eda.memory.summariser import Draft, Refused, Summariser
from eda.panels.settings import Settings

CUTOVER = (
    Line(
        1,
        "Zora",
        "I simply wait for 1 March. The old tables are dropped on the same night as the cutover. At 02:00 the "
        "nightly job reads the new service over HTTP.",
    ),
    Line(
        2,
        "Viktor",
        "The biggest risk that I see is the trust boundary: the new HTTP service has no authentication. Great, so we "
        "all agree. The cutover must be delayed to 1 April.",
    ),
    Line(3, "Maya", "Hmm. Two engineers and six weeks. So I think that dual writes for two weeks is too short."),
    Line(4, "Keiko", "Rollback is not a rollback: it loses up to 6 hours of ledger writes, with one person on-call."),
    Line(
        5, "Zora", "Viktor, in m2 you make an excellent point! I completely agree with you. Nobody compares the writes."
    ),
)
FLUTTER = (
    Line(
        5,
        "Jonah",
        "Great question, Ruth! Studies show that 87% of all companies save half of their costs with Flutter "
        "(Gartner 2025). So we have decided: we rewrite the app in Flutter. The vote was 4 to 0.",
    ),
    Line(
        6, "Maya", "Jonah, I never said that and I did not withdraw anything. One screen, two weeks, then we measure."
    ),
    Line(7, "Ada", "Ruth do you have a number now?"),
    Line(8, "Maya", "Stay native. Nothing moved me; the numbers of Jonah have no source."),
)
PLAN = "Cap Free at 20 bookings a month for new sign-ups from February, offering the existing Solo plan at the cap."


def of(lines: tuple[Line, ...], *items: Item) -> SummaryInput:
    return SummaryInput(Due(lines[0].number, lines[-1].number), items, lines=lines)


@in_one(
    ("lines", "said"),
    [
        (CUTOVER, "Viktor (m2) claims that all agree to delay the cutover to 1 April."),
        (CUTOVER, "Viktor (m2): we all agree, and the cutover must be delayed."),
        (CUTOVER, "Zora (m5) agreed with Viktor."),
        (CUTOVER, "Decisions: none."),
        (CUTOVER, "Somebody warned that the boundary is open. Others ask for a rehearsal. Nobody opposed it."),
        (CUTOVER, "Participants want the writes compared. Dual writes want a month. Overall, two asked for more time."),
        (CUTOVER, "No decision was reached, and nobody voted."),
        (CUTOVER, "Agreements: Zora stands with Viktor on the point of m2."),
        (CUTOVER, "Keiko wants a restore rehearsed before they decide. Is it to be agreed in m6?"),
        (CUTOVER, "## Key Points\n\n- **Zora (m1)**: the job reads HTTP at 02:00.\n- Maya thinks two weeks too short."),
        (FLUTTER, "Jonah (m5) said that 87% of companies save costs (Gartner 2025), and that the vote was 4 to 0."),
        (CUTOVER, "Maya: 2 engineers and 6 weeks; Zora speaks of 1 March in 2 of the 5 messages, of 4 speakers."),
        (FLUTTER, "Messages 5 to 8: Jonah claims it was decided to rewrite; Maya (m6) never said so."),
    ],
)
def test_what_the_messages_say_is_taken_as_it_is(lines: tuple[Line, ...], said: str) -> None:
    """A true summary that is sent back costs a call, and one that is cut loses what was said."""
    assert faults(said, of(lines)) == []
    assert without_groundless(said, of(lines)) == said


def test_only_confirmed_and_declared_items_must_stand_in_a_summary() -> None:
    """A good summary was refused for lacking a false claim, or what a pattern took for a proposal."""
    claim = Decision("d2@9", (2,), "", "We delay", ("Viktor",), "claimed")
    declared = Proposal("p1.0", 1, "Zora", "Keep the old tables for thirty days", source="declared")
    guessed = Proposal("p4@0", 4, "Keiko", "Rehearse a restore of the whole ledger")
    won = Proposal("p3.0", 3, "Maya", "Extend the dual writes to a month", "accepted", source="declared")
    told = Proposal("p5.0", 5, "Zora", "Compare the writes", "accepted", source="declared")
    decided = Decision("v5.0", (5,), "", "Compare the writes", ("Zora",), "decided", source="procedure")
    items = items_of(Due(1, 5), [claim, decided], [declared, guessed, won, told], [declared, guessed])
    assert [(item.kind, item.id) for item in items] == [
        ("decision", "v5.0"),
        ("accepted", "p3.0"),
        ("proposal", "p1.0"),
        ("proposal", "p4@0"),
        ("claim", "d2@9"),
    ]
    assert items[-1].line() == "Claimed by Viktor, not decided: We delay (m2)."
    assert [item.id for item in of(CUTOVER, *items).required] == ["v5.0", "p3.0", "p1.0"]
    text = "Keep the old tables for thirty days (p1.0). Extend the dual writes to a month (p3.0). Compare the writes."
    assert complaints(text, of(CUTOVER, *items)) == ()


def test_a_ballot_that_a_later_one_replaced_was_held() -> None:
    """Members speak of the first vote for the rest of the debate, and the summary with them."""
    ballots = [
        Decision(f"v{n}.0", (n,), "", "Delay it", (), status, source="procedure")
        for n, status in ((2, "superseded"), (4, "decided"), (5, "claimed"))
    ]
    assert [item.id for item in decided(ballots)] == ["v2.0", "v4.0"]
    memory = debated()
    memory.every = 2
    for line in CUTOVER[:2]:
        memory.fold(MessagePosted(number=line.number, who=line.who, text=line.text))
    memory.fold(VerdictReached(rule="majority", outcome="Delay it.", tally={}))
    for line in CUTOVER[2:4]:
        memory.fold(MessagePosted(number=line.number, who=line.who, text=line.text))
    given = replace(memory.parts.pending.input_of(Due(3, 4), memory.parts), record=memory.parts.record(4))
    assert faults("The panel decided to delay it.", given) == []


def test_a_reaction_to_an_open_proposal_is_an_agreement_of_its_range() -> None:
    """Who stood where would be lost with the messages."""
    proposal = Proposal("p1.0", 1, "Zora", "Keep the tables", reactions=(Reaction(3, "Maya", "support"),))
    assert [item.kind for item in items_of(Due(2, 5), [], [], [proposal])] == ["agreement"]


TABLED = (
    ("Tomas", "So.\n[PROPOSE] Cap it\n[PROPOSE] Wait"),
    ("Maya", "[SUPPORT p1.0] fine\n[OPPOSE p1.1] dear"),
    ("Ada", "First the one.\n[SUPPORT p1.0] fine"),
    ("Ada", "Then the other.\n[OPPOSE p1.0] no"),
    ("Cleo", "[SUPPORT p1.0] if it is cheap"),
)


@pytest.mark.parametrize(
    ("said", "contradicted"),
    [
        ("Maya opposes p1.0.", True),
        ("Key points: Maya backs p1.1, which is dear.", True),
        ("Maya wants p7.3 done soon.", True),
        ("Maya withdrew her opposition to p1.1.", True),
        ("Maya (m3) is for p1.0.", True),
        ("p1.0 was put up by Maya.", True),
        ("The panel decided to cap it.", True),
        ("The decision was to cap it.", True),
        ("Cleo fully supports p1.0.", True),
        ("Maya fully supports p1.0.", False),
        ("Maya supports p1.0 and opposes p1.1.", False),
        ("Ada backed p1.0, then opposed p1.0.", False),
        ("Maya does not support p1.1.", False),
        ("Maya would oppose p1.0 without a condition.", False),
        ("Cleo stands aside; Tomas put p1.0 and p1.1.", False),
        ("Maya asks who opposes p1.0 and who supports p1.1.", False),
        ("Maya claims that the panel decided to cap it.", False),
        ("The panel has not decided to cap it.", False),
    ],
)
def test_what_a_summary_says_of_members_is_what_the_record_has(said: str, contradicted: bool) -> None:
    """A sentence without any figure said that Maya wanted what she had declared to oppose."""
    memory = ConversationMemory(every=5)
    for number, (who, text) in enumerate(TABLED, 1):
        memory.fold(MessagePosted(number=number, who=who, text=text, **read_reply(text)._asdict()))
    given = replace(memory.parts.pending.input_of(Due(1, 5), memory.parts), record=memory.parts.record(5))
    assert bool(faults(said, given)) is contradicted
    longer = f"Tomas put two texts on the table. {said}"
    assert (said in without_groundless(longer, given)) is not contradicted


async def written(*drafts: Draft) -> tuple[SummaryWritten, list[Refused | None]]:
    """The summary that comes of these drafts, and what each was asked with."""
    memory, facts, asked = ConversationMemory(), [], []
    memory.fold(SessionStarted(session="s", settings=Settings(summary_every=5)))
    for line in CUTOVER:
        memory.fold(MessagePosted(number=line.number, who=line.who, text=line.text))
    left = iter(drafts)

    async def ask(given: SummaryInput, attempt: int, refused: Refused | None) -> Draft:
        asked.append(refused)
        return next(left)

    def publish(*new: object) -> None:
        facts.extend(new)

    await Summariser(memory.parts, publish, ask=ask).finish()
    return facts[-1], asked


FALSE = "All members reached consensus to delay the cutover to 1 April 2027."
TRUE = "Zora (m1) waits for the night of 1 March, when the old tables are dropped."


async def test_a_second_try_is_shown_the_first_and_its_faults() -> None:
    """A model that sees neither writes the same again, for another call."""
    call = CallMade(purpose="summarise")
    summary, asked = await written(Draft(f"{TRUE} {FALSE}", (call,), "m"), Draft(TRUE, (call,), "m"))
    assert (summary.text, summary.by) == (TRUE, "m")
    first, second = asked
    assert first is None
    assert second is not None
    assert second.text == f"{TRUE} {FALSE}"
    assert [fault.split(":")[0] for fault in second.faults] == ["no vote decided anything"]


async def test_what_fails_twice_is_taken_out_and_the_fact_says_so() -> None:
    """One false sentence would void a summary that was paid for twice, or stand in it."""
    summary, _ = await written(Draft(FALSE, by="m"), Draft(f"{TRUE} {FALSE}", by="m"))
    assert (summary.text, summary.by) == (TRUE, "m")
    assert summary.dropped == 1


async def test_sentences_are_picked_where_nothing_of_a_summary_holds_and_its_minutes_stay() -> None:
    """An empty summary would hide its messages; and minutes are checked by their own quotes."""
    unsourced = {"message": 4, "quote": "with one person on-call"}
    answer = MinutesAnswer.model_validate({"summary": FALSE, "unsourced": [unsourced]})
    summary, asked = await written(*[Draft(FALSE, by="m", answer=answer)] * 2)
    assert len(asked) == 2
    assert summary.by == "extractive"
    assert "trust boundary" in summary.text
    assert summary.minutes is not None
    assert [each.quote for each in summary.minutes.unsourced] == [
        "Rollback is not a rollback: it loses up to 6 hours of ledger writes, with one person on-call."
    ]


async def test_a_summary_without_a_model_is_not_checked_as_one() -> None:
    """Picked sentences are the members' own words: a claim among them is its speaker's."""
    summary, asked = await written(replace(Draft(FALSE), by="extractive"))
    assert asked == [None]
    assert (summary.by, summary.minutes) == ("extractive", None)
