"""What a prompt says of the moment: what the phase asks, who argues which side, who cannot answer, who is a person."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from in_turn import in_one

from eda import Debate, Prompt, Reply, Settings
from eda.cli.terminal.human_seat import TerminalSeat
from eda.debate.prompts.slots import phase_line
from eda.debate.prompts.texts import Prompts
from eda.errors import UsageError
from eda.events import FloorGranted, MessagePosted
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.table import in_quotes
from eda.panels.agenda import agenda_names, load_agenda
from eda.report.forms import report_markdown
from eda.report.gather import report_of
from eda.runners.human import HumanRunner
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ("sceptic", "historian", "pragmatic-engineer")
RUTH, WALTER, MAYA = "Ruth", "Walter", "Maya"


@dataclass
class Keeping:
    """The simulated panel; keeps what it was asked, and lets a test put words into somebody's mouth."""

    deterministic = True
    summarises = False
    says: dict[str, str] = field(default_factory=dict)
    asked: list[Prompt] = field(default_factory=list)

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.asked.append(prompt)
        reply = await SimulatedRunner().run(prompt, on_text)
        said = self.says.get(prompt.agent, "") if prompt.purpose == "speak" and prompt.stage != "opening" else ""
        at = read_reply(reply.text).moves_at
        return Reply(f"{reply.text[:at]} {said}") if said else reply

    def of(self, purpose: str) -> list[Prompt]:
        return [prompt for prompt in self.asked if prompt.purpose == purpose]


def prepared(runner: Keeping, panel: object = PANEL, **given: object) -> Debate:
    settings = Settings(**{"max_messages": 10, "first_vote": False, **given})
    return Debate("Shall we go?", panel, runner, options=("Go", "Wait"), settings=settings, seed=3)


@pytest.mark.parametrize(("purpose", "given"), [("bid", {}), ("bid", {"bids": "each"}), ("moderate", {})])
@pytest.mark.parametrize("name", ["brainstorm", "panel"])
def test_who_asks_for_the_floor_or_gives_it_knows_what_the_phase_asks(purpose: str, given: dict, name: str) -> None:
    """Without it members of a brainstorm ask for the floor to criticise."""
    runner = Keeping()
    floor = "moderated" if purpose == "moderate" else "bidding"
    debate = Debate(
        "Shall we go?",
        PANEL,
        runner,
        agenda=load_agenda(name).with_floor(floor),
        settings=Settings(max_messages=8, **given),
    )
    debate.run_sync()
    prompts = runner.of(purpose)
    asks = {"brainstorm": "Criticism is not allowed in this phase", "panel": "Answer what matters most"}[name]
    assert prompts
    for prompt in prompts:
        (line,) = [line for line in prompt.own.splitlines() if asks in line]
        assert line.startswith("    ")
        assert "{{" not in prompt.text
        assert "You have the floor" not in prompt.text
    assert len({prompt.system for prompt in prompts}) == 1


@pytest.mark.parametrize("bids", ["each", "together"])
def test_who_argues_a_side_bids_for_it(bids: str) -> None:
    """Without it a speaker of the motion asks for the floor to speak against it."""
    runner = Keeping()
    agenda = load_agenda("oxford").with_floor("bidding")
    settings = Settings(bids=bids, max_messages=12)
    Debate("Shall we go?", PANEL, runner, options=("Go", "Wait"), agenda=agenda, settings=settings).run_sync()
    prompt = next(p for p in runner.of("bid") if bids == "together" or p.agent == WALTER)
    argued = 'argues against ("Wait").' if bids == "together" else 'argue: against ("Wait").'
    (line,) = [line for line in prompt.text.splitlines() if argued in line]
    assert line.startswith(f"- {WALTER}, " if bids == "together" else "You argue: ")


def test_a_debate_of_sides_asks_for_no_proposal_and_tells_each_who_argues_what() -> None:
    """A panel that votes on nothing but yes and no spent its turns on proposals, which nobody could vote for."""
    runner = Keeping()
    agenda, settings = load_agenda("oxford"), Settings(max_messages=12)
    Debate("Shall we go?", PANEL, runner, agenda=agenda, settings=settings).run_sync()
    for prompt in (*runner.of("speak"), *runner.of("poll")):
        unfit = ("[PROPOSE", "[AMEND", "[SUPPORT", "[WITHDRAW", "propose it", "must be on the table", "\n[POSITION]")
        assert not [words for words in unfit if words in prompt.text]
        assert "{{" not in prompt.text
        assert '- Walter, historian of failed projects; argues against ("No")' in prompt.text
    ruth, walter = (next(p for p in runner.of("speak") if p.agent == who) for who in (RUTH, WALTER))
    told = 'The side that you were given: for ("Yes"). With you: Maya. On the other side, against ("No"): Walter.'
    assert told in ruth.own
    assert 'against ("No"). On the other side, for ("Yes"): Ruth, Maya.' in walter.own
    assert "What is not on the table cannot be voted on, so propose it." in Prompts().fill("house")


def test_a_later_poll_asks_what_moved_a_member_and_keeps_its_word() -> None:
    """A change was put down to the last message that a member had heard, whatever had moved it.

    Walter names a message that nobody wrote, Maya her own: nobody moved them.
    """
    named = {RUTH: "m2", WALTER: "m99", MAYA: "m3"}

    class Moved(Keeping):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            if prompt.purpose != "poll":
                return await super().run(prompt, on_text)
            self.asked.append(prompt)
            later = "In the last poll you chose" in prompt.own
            moved = {"choice": "No", "moved_by": named[prompt.agent]} if later else {"choice": "Yes"}
            return Reply("", data={**moved, "confidence": 0.5, "change_mind": "A bill."})

    runner = Moved()
    debate = Debate("Shall we go?", PANEL, runner, agenda=load_agenda("oxford"), settings=Settings(max_messages=12))
    debate.run_sync()
    first, last = runner.of("poll")[:3], runner.of("poll")[3:]
    assert not [prompt for prompt in first if "moved_by" in prompt.own]
    assert all('In the last poll you chose "Yes". "moved_by" is the message' in prompt.own for prompt in last)
    changes = [(change.who, change.message, change.speaker) for change in debate.memory.stance_changes]
    assert sorted(changes) == [(MAYA, 0, ""), (RUTH, 2, WALTER), (WALTER, 0, "")]
    report = report_of(debate.session, debate.progress, debate.memory)
    named = [(each.who, each.message, each.by) for step in report.story for each in step.names]
    assert named == [(RUTH, 2, WALTER), (WALTER, 0, ""), (MAYA, 0, "")]
    told = report_markdown(report)
    assert "- **Maya** for “No”: “A bill.” (asked in private)" in told, "of the winning side, too"


@pytest.mark.parametrize(
    ("move", "position"),
    [
        ("[SUPPORT yes] it pays", "Yes: it pays"),
        ("[support No]", "No"),
        ("[OPPOSE yes] too dear", "against Yes: too dear"),
        ("[UNDECIDED yes]", "undecided on Yes"),
    ],
)
def test_a_side_that_is_named_in_a_move_is_a_stance(move: str, position: str) -> None:
    """Whoever supports "yes", as the poll writes it, was told that this is not on the table."""
    runner = Keeping({RUTH: f"I have thought about it for long.\n{move}"})
    panel = Debate("Shall we go?", PANEL, runner, settings=Settings(max_messages=6, first_vote=False))
    oxford = Debate("Shall we go?", PANEL, runner, agenda=load_agenda("oxford"), settings=Settings(max_messages=6))
    for debate, held in ((panel, position), (oxford, "")):  # there a side was given, and says nothing of its speaker
        debate.run_sync()
        assert debate.memory.last_position(RUTH) == held
        assert not debate.memory.unread(RUTH)[1]


def test_a_text_of_ones_own_can_differ_by_the_format_and_by_nothing_else() -> None:
    """A misspelt trait would leave out a rule without a word."""
    text = "Speak.{{if sides}} For your side.{{else}} For yourself.{{end}}"
    assert Prompts({"house": text}).fill("house") == "Speak. For yourself."
    assert Prompts({"house": text}, frozenset({"sides"})).fill("house") == "Speak. For your side."
    with pytest.raises(UsageError, match="unknown trait"):
        Prompts({"house": "{{if side}}Speak.{{end}}"})


@in_one("name", agenda_names())
def test_what_a_phase_asks_fits_on_a_line(name: str) -> None:
    """Without it one long format makes each bid as dear as a speech."""
    for phase in load_agenda(name):
        line = phase_line("talk", phase.instruction).partition("\n    ")[2]
        assert len(line) <= 400
        assert bool(line) == bool(phase.instruction)
        assert not {"#", "\n"} & set(line)
        assert "{{" not in line


def test_a_speaker_is_told_who_cannot_answer_and_nobody_grants_them_a_turn() -> None:
    """Without it the panel goes on asking somebody who cannot answer, and waits for an answer."""
    runner = Keeping({RUTH: "Walter, what do you say?"})
    debate = prepared(runner, (*PANEL, "finance-director"), max_messages=14)
    left = debate.members[3].title

    @debate.on(MessagePosted)
    def steer(message: MessagePosted) -> None:
        if message.number == 5:
            debate.mute(WALTER)
            debate.remove(left)

    debate.run_sync()
    muted_at = 6
    told = [p for p in runner.of("speak") if "cannot answer now" in p.own]
    assert {p.last >= muted_at - 1 for p in told} == {True}
    assert f"{left} (has left), {WALTER} (is muted)" in told[0].own
    events = list(debate.session.events())
    addressed = [e.number for e in events if isinstance(e, MessagePosted) and e.to == WALTER]
    assert addressed
    assert addressed[-1] > muted_at
    after = [getattr(event, "number", 0) for event in events].index(muted_at) + 1
    granted = [event.agent for event in events[after:] if isinstance(event, FloorGranted)]
    assert granted
    assert not {WALTER, left} & set(granted)


def test_all_know_who_at_the_table_is_a_person() -> None:
    """Without it agents wait for a person as for a model, and never ask what only a person can know."""

    async def silent(_: Prompt) -> str:
        return ""

    told = {}
    for human in (None, "Ada"):
        runner, seats = Keeping(), {"Ada": HumanRunner(silent)} if human else None
        given = {"options": ("Go", "Wait"), "settings": Settings(max_messages=8)}
        Debate("Shall we go?", PANEL, runner, human=human, seats=seats, **given).run_sync()
        told[human] = {p.purpose for p in runner.asked if "Ada is a person, not a model" in p.text}
    assert told == {None: set(), "Ada": {"speak", "bid", "ballot"}}


@pytest.mark.parametrize("says", ["Ada, what do you say?", "It is late, and somebody has to choose.\n[NEXT Ada]"])
def test_who_sits_at_the_terminal_is_told_that_somebody_asks_them(says: str) -> None:
    """Without it a question to the person scrolls by among all the others, and gets no answer."""

    async def silent(_: Prompt) -> str:
        return ""

    runner = Keeping({RUTH: says})
    seats = {"Ada": HumanRunner(silent)}
    debate = Debate("Shall we go?", PANEL, runner, human="Ada", seats=seats, settings=Settings(max_messages=12))
    shown: list[str] = []
    seat = TerminalSeat("Ada")
    seat.sit(debate)
    seat.show = shown.append
    debate.run_sync()
    said = [e for e in debate.session.events() if isinstance(e, MessagePosted) and e.who == RUTH]
    asked = [e for e in said if "Ada" in (e.to, e.next)]
    assert len(asked) == len([line for line in shown if line.startswith(f"{RUTH} speaks to you; ")]) > 0


def test_all_who_vote_are_shown_the_same_memory_before_what_differs() -> None:
    """Without it the list of proposals is paid for in full by every voter, or is shown twice."""
    runner = Keeping()
    debate = prepared(runner, max_messages=24, full_budget=1500, summary_every=4)
    debate.run_sync()
    ballots = runner.of("ballot")
    (held,) = {prompt.held for prompt in ballots}
    assert any(text.startswith("## The table after m") for text in held)
    for prompt in ballots:
        assert all(prompt.text.count(text) == 1 for text in held)
        position = debate.memory.last_position(prompt.agent)
        assert position
        assert in_quotes(position) in prompt.own
    assert [prompt.held for prompt in runner.of("speak") if prompt.stage == "discussion" and prompt.held] == []


def test_a_closing_word_is_not_given_what_was_said_earlier_about_the_last_message() -> None:
    """Without it each closing word pays for passages that answer a talk which is over."""
    runner = Keeping()
    prepared(runner, max_messages=30, full_budget=1500, summary_every=4).run_sync()
    stages = [(prompt.stage, "## Said earlier, about this" in prompt.own) for prompt in runner.of("speak")]
    assert ("discussion", True) in stages
    assert ("closing", False) in stages
    assert ("closing", True) not in stages
