"""What a long conversation must keep, whoever speaks in it, however slow it is summed up and however it is saved."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from in_turn import each_other
from stated import stated

from eda import ConversationMemory, Debate, MessagePosted, Prompt, Reply, RunnerError, Session, Settings, analyze
from eda.debate.replay import memory_of
from eda.errors import SessionExistsError
from eda.events import Event, FloorGranted, SummaryWritten, TurnFailed
from eda.runners.simulated.runner import SimulatedRunner
from eda.words import ENGLISH

PANEL = ["sceptic", "historian", "pragmatic-engineer"]
QUESTION = "Should we move the ledger?"
Row = dict[str, str]


def talk(messages: int) -> list[Row]:
    """A meeting in which every message has a word of its own."""
    return [
        {"speaker": "AB"[n % 2], "text": f"The invoice of vendor{n} came to {n * 7} euros and nobody has paid it."}
        for n in range(1, messages + 1)
    ]


def assert_covered(memory: ConversationMemory) -> None:
    """Every message is in a summary or stands in full, none in two summaries."""
    ends = [0, *(summary.last for summary in memory.summaries)]
    assert [summary.first for summary in memory.summaries] == [end + 1 for end in ends[:-1]]
    shown = {line.number for line in memory.full_context(budget=1_000_000).lines}
    assert set(range(memory.covered + 1, memory.message_count + 1)) <= shown


class Speaking:
    """A runner that argues as a test wishes, and keeps the prompts that it was given."""

    deterministic = True
    declares = False

    def __init__(self, said: dict[int, str] | None = None, *, summarises: bool = False) -> None:
        self.said = said or {}
        self.summarises = summarises
        self.prompts: list[Prompt] = []

    async def run(self, prompt, on_text=None):
        self.prompts.append(prompt)
        match prompt.purpose:
            case "bid":
                return Reply("", data={"wants": True, "urgency": 0.5, "reason": "to add a number"})
            case "ballot":
                return Reply("", data={"choice": prompt.options[0], "reason": "it is first"})
            case "summarise":
                return await self.summarise(prompt)
            case _:
                usual = f"Vendor{prompt.last} of {prompt.agent} wants {prompt.last * 31} euros by day {prompt.last}."
                return Reply(self.said.get(prompt.last, usual))

    async def summarise(self, prompt: Prompt) -> Reply:
        return Reply(stated(prompt), model="m")


def debate(runner: object, session: Session | None = None, **fields: object) -> Debate:
    chosen = Settings.model_validate({"max_messages": 24, "summary_every": 4, **fields})
    return Debate(QUESTION, PANEL, runner, options=("Go", "Wait"), settings=chosen, session=session)


def facts(ran: Debate, kind: type[Event]) -> list:
    return [event for event in ran.session.events() if isinstance(event, kind)]


# ---------------------------------------------------------------- nothing is pruned


@pytest.mark.parametrize("messages", each_other([19 * 12, 19 * 12 + 1, 450, 451, 460], 1))
def test_no_message_is_lost_where_a_list_gets_long(messages: int) -> None:
    """The 19th summary once left one of them, the 451st message 49: all that was said before was gone."""
    memory = analyze(talk(messages))
    assert_covered(memory)
    assert memory.covered == messages - messages % 12
    assert memory.stats().recallable == memory.message_count == messages
    for number in (1, 2, messages // 2, messages):
        assert memory.recall(f"what of vendor{number}?", 1)[0].message_id == number


def test_a_hundred_messages_in_two_summaries_are_both_shown_after_a_load(tmp_path: Path) -> None:
    """Only the newest summary was loaded elsewhere: the first half of the conversation had not happened."""
    with Session.create("long", tmp_path) as session:
        analyze(talk(100), session=session, settings=Settings(summary_every=50))
    with Session.read("long", tmp_path) as session:
        memory = memory_of(session)
    assert [(summary.first, summary.last) for summary in memory.summaries] == [(1, 50), (51, 100)]
    shown = memory.full_context(budget=1000).section("summaries")
    assert shown is not None
    assert [line.partition(":")[0] for line in shown.lines] == ["Messages 1 to 50", "Messages 51 to 100"]


# ---------------------------------------------------------------- summaries that are slow or fail


async def test_while_a_summary_is_pending_its_messages_are_in_every_prompt() -> None:
    """While one was being written nothing at all was loaded; five were written of one range when it came."""

    class Slow(Speaking):
        deterministic = False
        gate = asyncio.Event()

        async def summarise(self, prompt: Prompt) -> Reply:
            await self.gate.wait()
            return await super().summarise(prompt)

    runner = Slow(summarises=True)
    ran = debate(runner, full_budget=400)

    @ran.on(MessagePosted)
    def let_go(message: MessagePosted) -> None:
        if message.number == 20:
            runner.gate.set()

    await ran.run()
    last = next(prompt for prompt in runner.prompts if prompt.purpose == "speak" and prompt.last == 18)
    assert all(f"[m{number}]" in last.text for number in range(1, 19))
    asked = [prompt.last for prompt in runner.prompts if prompt.purpose == "summarise"]
    assert len(set(asked)) == len(asked)
    written = [(fact.first, fact.last, fact.level) for fact in facts(ran, SummaryWritten)]
    assert len(set(written)) == len(written)
    assert_covered(ran.memory)


async def test_summaries_that_fail_in_a_debate_lose_no_message() -> None:
    """A failed summary once counted as done: what it should have covered was in no prompt any more."""

    class Failing(Speaking):
        async def summarise(self, prompt: Prompt) -> Reply:
            raise RunnerError("overloaded")

    ran = debate(Failing(summarises=True))
    await ran.run()
    assert_covered(ran.memory)
    assert ran.memory.covered >= 20
    assert any(fact.purpose == "summarise" for fact in facts(ran, TurnFailed))
    assert all("euros" in summary.text for summary in ran.memory.summaries)


@pytest.mark.parametrize("who", ["7", "?", "Zoë", "nobody@example.org", "Speaker 1: the chair"])
def test_whoever_speaks_is_summed_up(who: str) -> None:
    """Messages of somebody whom the program did not know once made a summary of no characters."""
    memory = analyze([{"speaker": who, "text": row["text"]} for row in talk(12)])
    (summary,) = memory.summaries
    assert who in summary.text
    assert "euros" in summary.text


# ---------------------------------------------------------------- what is found does not wait for anything

SAID = st.sampled_from(
    [
        "I propose that we move the ledger to Postgres.",
        "I agree with Ann.",
        "I disagree: it is too early.",
        "Let's go with that.",
        "We have agreed to wait for the audit.",
        "The batch takes five hours.\n[NOTE 800 batch] It fails twice a year.",
        "Who pays for it?",
    ]
)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Ben", "Cy"]), SAID), max_size=20), st.integers(2, 40))
def test_what_is_found_does_not_depend_on_what_is_summed_up(said: list[tuple[str, str]], every: int) -> None:
    """Two readers of one conversation shared a bookmark: where the one had been, the other read nothing."""
    rows = [{"speaker": who, "text": text} for who, text in said]
    with_many, with_none = (analyze(rows, settings=Settings(summary_every=n)) for n in (every, 1000))
    for name in ("decisions", "proposals", "reactions", "notes", "agents"):
        assert getattr(with_many, name) == getattr(with_none, name)


# ---------------------------------------------------------------- proposals and decisions have a life


async def test_what_the_panel_votes_for_is_accepted_and_off_the_table() -> None:
    """Every proposal stayed open for ever, and the list of what had been accepted was always empty."""
    said = {
        3: "We must know first.\n[PROPOSE] Measure the batch for two weeks",
        4: "Yes.\n[SUPPORT p4.0] numbers first",
        5: "Never mind that.\n[PROPOSE] Sell the ledger",
        6: "No.\n[OPPOSE p6.0] it is all we have",
    }
    settings = Settings(max_messages=12, floor="round-robin", answer="list")
    ran = Debate("What comes first?", PANEL, Speaking(said), settings=settings)
    await ran.run()
    accepted, other = ran.memory.proposals
    assert (accepted.status, other.status) == ("accepted", "not adopted")
    assert [each.outcome for each in ran.memory.decisions] == ["Measure the batch for two weeks"]
    assert accepted.backers("support")
    assert other.backers("oppose")
    assert accepted not in ran.memory.active
    for context in (ran.memory.full_context("Ruth"), ran.memory.brief_context()):
        assert ENGLISH.say("table-group", "open") not in context.section("table").lines


def test_a_decision_said_five_times_is_one_with_five_supporters(tmp_path: Path) -> None:
    """Five decisions in the minutes where one was made, and nobody behind any of them; a save must keep who was."""
    said = {
        "Ann": "We have agreed to move the ledger to Postgres in March.",
        "Ben": "We have agreed that the ledger moves to Postgres in March.",
        "Cy": "So we have agreed to move the ledger to Postgres in March.",
        "Di": "We've decided to move the ledger to Postgres in March.",
        "Ed": "We all agree to move the ledger to Postgres in March.",
    }
    with Session.create("five", tmp_path) as session:
        analyze([{"speaker": who, "text": text} for who, text in said.items()], session=session)
    with Session.read("five", tmp_path) as session:
        (decision,) = memory_of(session).decisions
    assert decision.supporters == tuple(said)
    assert decision.messages == (1, 2, 3, 4, 5)


# ---------------------------------------------------------------- memory is put in front of the panel


async def test_the_panel_is_shown_what_it_holds_without_asking_for_it() -> None:
    """Agents that had to call a tool to remember never called it, and proposed the same again."""
    said = {3: "Listen.\n[PROPOSE] Measure the batch for two weeks\n[NOTE 900] The contracts begin in July"}
    runner = Speaking(said)
    await debate(runner).run()
    later = [prompt for prompt in runner.prompts if prompt.purpose == "speak" and prompt.last > 4]
    assert later
    for prompt in later:
        assert "p4.0" in prompt.text
        assert "The contracts begin in July" in prompt.text


def test_what_is_open_stays_open_however_long_nobody_speaks_of_it() -> None:
    """With a weight that fell each turn an issue was forgotten within ten turns, settled or not."""
    first = {"speaker": "Ann", "text": "Listen.\n[PROPOSE] Insure the archive\n[NOTE 900] The roof leaks"}
    memory = analyze([first, *talk(300)])
    assert [proposal.content for proposal in memory.active] == ["Insure the archive"]
    context = memory.full_context("B", 2000)
    assert "Insure the archive" in context.section("table").text
    assert "The roof leaks" in context.section("notes").text
    assert "Insure the archive" in memory.brief_context().section("table").text


# ---------------------------------------------------------------- saved, loaded, and by whom


async def test_opening_and_stopping_at_once_loses_nothing(tmp_path: Path) -> None:
    """A save of a session that had just been opened wrote nothing over all of its history."""
    with Session.create("s", tmp_path) as session:
        ran = debate("simulated", session)
        stop_after(ran, 6)
        await ran.run()
        before = ran.memory
    for _ in range(3):
        with Session.open("s", tmp_path) as session:
            again = Debate.resume(session)
            running = asyncio.create_task(again.run())
            await asyncio.sleep(0)
            again.stop()
            assert (await running).reason == "stopped"
        with Session.read("s", tmp_path) as session:
            after = memory_of(session)
            numbers = [event.number for event in session.events() if isinstance(event, MessagePosted)]
        assert numbers == list(range(1, before.message_count + 1))
        for name in ("decisions", "proposals", "reactions", "notes", "agents", "summaries"):
            assert getattr(after, name) == getattr(before, name)
        assert after.full_context("Ruth").text == before.full_context("Ruth").text


def stop_after(ran: Debate, messages: int) -> None:
    @ran.on(FloorGranted)
    def stop(_: FloorGranted) -> None:
        if ran.progress.messages >= messages:
            ran.stop()


async def test_a_resumed_panel_is_shown_what_was_said_before(tmp_path: Path) -> None:
    """Messages that were loaded for the screen only were never given to the agents again."""
    with Session.create("s", tmp_path) as session:
        ran = debate(Speaking({3: "Listen.\n[PROPOSE] Insure the archive"}), session, summary_every=12)
        stop_after(ran, 8)
        await ran.run()
        held = ran.memory.message_count
    runner = Speaking()
    with Session.open("s", tmp_path) as session:
        await Debate.resume(session, runner).run()
    first = next(prompt for prompt in runner.prompts if prompt.purpose == "speak")
    assert all(f"[m{number}]" in first.text for number in range(1, held + 1))
    assert "Insure the archive" in first.text


def test_two_people_with_one_folder_have_a_session_each(tmp_path: Path) -> None:
    """All users once shared one save: the one who saved last had written over the others."""
    for name, topic in (("ann", "the roof"), ("ben", "the cellar")):
        with Session.create(name, tmp_path) as session:
            Debate(f"Shall we mend {topic}?", PANEL, SimulatedRunner(), session=session, seed=1).run_sync()
    with pytest.raises(SessionExistsError):
        Session.create("ann", tmp_path)
    for name, mine, others in (("ann", "roof", "cellar"), ("ben", "cellar", "roof")):
        with Session.read(name, tmp_path) as session:
            assert mine in session.started().question
            memory = memory_of(session)
            assert memory.message_count > 0
            assert others not in memory.full_context(budget=100_000).text
            assert memory.recall(others) == ()
