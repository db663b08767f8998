"""Who hears whom: no prompt of a member holds a word of what it has not heard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from in_turn import each_other, in_turn

from eda import Debate, MessagePosted, Prompt, Reply, Session
from eda.debate.ask import ask
from eda.debate.prompt_preview import speaker_prompt
from eda.errors import EdaError, RunnerUnavailableError, UsageError
from eda.events import BallotCast
from eda.panels.agenda import load_agenda, read_agenda
from eda.panels.hearing import GRAPHS, can_hear
from eda.panels.settings import Poll, Settings
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner

PANEL = ["sceptic", "historian", "pragmatic-engineer", "finance-director", "support-lead"]
HEARD = {
    "all": ["01234", "01234", "01234", "01234", "01234"],
    "none": ["", "", "", "", ""],
    "self": ["0", "1", "2", "3", "4"],
    "ring": ["014", "012", "123", "234", "034"],
    "star": ["01234", "01", "02", "03", "04"],
    "relay": ["04", "01", "12", "23", "34"],
    "tree": ["01234", "1234", "1234", "1234", "1234"],
}
MATRIX = ((0, 0, 0, 0, 1), (0, 0, 0, 0, 0), (1, 1, 0, 0, 0), (0, 0, 0, 0, 0), (0, 0, 0, 1, 0))


class Marked(SimulatedRunner):
    """Speaks with a word of its own in each message and move, and keeps what it was asked."""

    def __init__(self, until: int = 10**9) -> None:
        self.prompts: list[Prompt] = []
        self._until = until

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        if len(self.prompts) >= self._until:
            raise RunnerUnavailableError("the server is gone")
        assert prompt.text  # made now, as for a model
        self.prompts.append(prompt)
        reply = await super().run(prompt, on_text)
        if prompt.purpose != "speak":
            return reply
        mark = f"zq{prompt.agent.split()[-1].lower()}{prompt.nth}"
        return Reply(
            f"I say {mark} here.\n\n[PROPOSE] Build the {mark} first.\n[POSITION] {mark} it is.", model="simulated"
        )


def told(hears: Any, runner: Marked | None = None, **given: Any) -> tuple[Debate, Marked]:
    runner = runner or Marked()
    settings = Settings(max_messages=14, floor="round-robin", hears=hears, **given)
    debate = Debate("How should we cut the batch?", PANEL, runner, settings=settings, seed=2)
    debate.run_sync()
    return debate, runner


def marks(text: str) -> set[str]:
    return set(re.findall(r"zq[a-z]+\d+", text))


def sources(debate: Debate, runner: Marked, purposes: tuple[str, ...]) -> dict[str, set[str]]:
    """Whose words stand in the prompts of each member."""
    said = {mark: e.who for e in debate.session.events() if isinstance(e, MessagePosted) for mark in marks(e.text)}
    found: dict[str, set[str]] = {member.title: set() for member in debate.members}
    for prompt in runner.prompts:
        if prompt.agent in found and prompt.purpose in purposes:
            facts = (prompt.text, *map(str, (prompt.lines, prompt.proposals, prompt.positions, prompt.options)))
            found[prompt.agent] |= {said[mark] for mark in marks(" ".join(facts)) if mark in said}
    return found


@pytest.mark.parametrize(("graph", "purposes"), in_turn([*GRAPHS], [("speak",), ("speak", "bid", "poll", "ballot")]))
def test_prompts_hold_what_a_member_heard_and_nothing_else(graph: str, purposes: tuple[str, ...]) -> None:
    """One word that leaks makes a control arm talk; one that is lost makes a network another network."""
    debate, runner = told(graph)
    titles = [member.title for member in debate.members]
    wanted = {titles[seat]: {titles[int(other)] for other in row} for seat, row in enumerate(HEARD[graph])}
    assert sources(debate, runner, purposes) == wanted


def test_a_matrix_says_who_hears_whom_and_a_member_hears_itself() -> None:
    """A graph of one's own is the point of a study of networks."""
    debate, runner = told(MATRIX, consensus=1.0, poll_every=5)
    titles = [member.title for member in debate.members]
    wanted = {t: {titles[o] for o in range(5) if MATRIX[seat][o] or o == seat} for seat, t in enumerate(titles)}
    assert sources(debate, runner, ("speak", "bid", "poll", "ballot")) == wanted


def test_long_debates_leak_nothing_through_summaries() -> None:
    """The panel's summary tells what all said."""
    runner = Marked()
    settings = Settings(max_messages=40, floor="round-robin", hears="ring", summary_every=4, full_budget=900)
    debate = Debate("How should we cut the batch?", PANEL, runner, settings=settings, seed=2)
    debate.run_sync()
    assert debate.memory.summaries
    titles = [member.title for member in debate.members]
    found = sources(debate, runner, ("speak", "bid", "poll", "ballot"))
    wanted = {titles[seat]: {titles[int(other)] for other in row} for seat, row in enumerate(HEARD["ring"])}
    assert found == wanted


def test_a_member_votes_on_what_it_heard() -> None:
    """A ballot that lists the words of all would be the talk that the arm has not had."""
    debate, _ = told("self")
    for cast in (e for e in debate.session.events() if isinstance(e, BallotCast) and not e.first):
        named = set().union(*map(marks, cast.ballot.ranking))
        assert all(mark.startswith(f"zq{cast.ballot.agent.split()[-1].lower()}") for mark in named)
    debate, _ = told("none")
    why = "no text that it heard could be voted for"
    assert {e.ballot.reason for e in debate.session.events() if isinstance(e, BallotCast)} == {why}


@pytest.mark.parametrize("until", each_other([3, 9, 14, 22], 1, of=4))
def test_a_session_that_was_cut_goes_on_as_if_it_had_not_been(until: int, tmp_path: Path) -> None:
    """A cell of a study that was killed must give the row of the one that was not."""
    first, options = Marked(), ("Go", "Wait")
    settings = Settings(max_messages=18, floor="round-robin", hears="ring", poll=Poll(every=3))
    whole = Debate("Which way?", PANEL, first, settings=settings, seed=2, options=options)
    whole.run_sync()
    with Session.create("cut", tmp_path) as session:
        cut = Marked(until)
        debate = Debate("Which way?", PANEL, cut, settings=settings, seed=2, session=session, options=options)
        with pytest.raises(RunnerUnavailableError):
            debate.run_sync()
    rest = Marked()
    with Session.open("cut", tmp_path) as session:
        debate = Debate.resume(session, rest)
        debate.run_sync()
        texts = [e.text for e in session.events() if isinstance(e, MessagePosted)]
        again = {(p.key, p.text) for p in rest.prompts}
    assert texts == [e.text for e in whole.session.events() if isinstance(e, MessagePosted)]
    assert again <= {(p.key, p.text) for p in first.prompts}


async def test_aside_and_preview_show_what_the_member_heard() -> None:
    """`eda ask` and `eda debug` are prompts of the member, too."""
    debate, _ = await _run("star")
    titles = [member.title for member in debate.members]
    runner = Marked()
    await ask(debate.session, titles[2], "Who said what?", runner)
    assert set(sources(debate, runner, ("ask",))[titles[2]]) <= {titles[0], titles[2]}
    assert marks(runner.prompts[0].text)
    own = {f"zq{titles[seat].split()[-1].lower()}" for seat in (0, 2)}
    assert {mark.rstrip("0123456789") for mark in marks(speaker_prompt(debate.session, titles[2]))} == own


async def _run(hears: str) -> tuple[Debate, Marked]:
    runner = Marked()
    settings = Settings(max_messages=18, floor="round-robin", hears=hears)
    debate = Debate("How should we cut the batch?", PANEL, runner, settings=settings, seed=2)
    await debate.run()
    return debate, runner


def test_a_debate_in_which_all_hear_all_stores_nothing_of_it() -> None:
    """Sessions of before open as they are, and their first fact is the same."""
    stored = Debate("Shall we?", PANEL).started.model_dump(mode="json")
    assert not {"hears", "poll"} & stored["settings"].keys()
    assert "hears" not in stored["agenda"]
    assert not {"facts", "stances"} & stored.keys()


def test_what_does_not_fit_is_named() -> None:
    """A graph that was meant otherwise must not run."""
    with pytest.raises(ValueError, match="'ring'"):
        Settings(hears="rng")
    with pytest.raises(UsageError, match="does not fit 5 members"):
        Debate("Shall we?", PANEL, settings=Settings(hears=((1, 0), (0, 1))))
    with pytest.raises(UsageError, match="a person follows the whole debate"):
        Debate("Shall we?", PANEL, settings=Settings(hears="ring"), human="Mara")
    file = 'name="x"\ntitle="X"\ndescription="x"\npromise="x"\nhears="rng"\n' + "".join(
        f'[[phase]]\nname="{kind}"\nkind="{kind}"\n' for kind in ("open", "ballot", "verdict")
    )
    with pytest.raises(EdaError, match=r"'hears' should be"):
        read_agenda(file, "x.toml")


@pytest.mark.parametrize(
    ("name", "graph"), [("memory", "all"), ("relay", "relay"), ("report", "star"), ("debate", "tree")]
)
def test_the_paradigms_of_mallm_are_formats(name: str, graph: str) -> None:
    """A published comparison is run again by naming its conditions."""
    assert load_agenda(f"mallm-{name}").hears == graph
    runner = Marked()
    debate = Debate("How should we?", PANEL, runner, agenda=f"mallm-{name}", settings=Settings(max_messages=12), seed=1)
    debate.run_sync()
    titles = [member.title for member in debate.members]
    found = sources(debate, runner, ("speak",))
    assert all(found[titles[seat]] <= {titles[int(o)] for o in row} for seat, row in enumerate(HEARD[graph]))


def test_small_panels_and_late_seats() -> None:
    """Two neighbours are each other's; a seat that came later hears its neighbour."""
    assert all(can_hear("ring", one, other, 2) for one in (0, 1) for other in (0, 1))
    assert not can_hear(((True, True), (True, True)), 0, 2, 2)
    assert can_hear(((False,),), 0, 0, 1)


def test_no_person_joins_on_a_resume_where_not_all_hear_all() -> None:
    """The screen of a person shows the whole debate, and others would answer what only it has heard."""
    debate, _ = told("ring")
    with pytest.raises(UsageError, match="a person follows the whole debate"):
        Debate.resume(debate.session, Marked(), max_messages=24, human="Mara")


def test_a_message_that_it_has_not_heard_has_moved_nobody() -> None:
    """Numbers have gaps for a member, and a model may name one of them."""

    class Names(Marked):
        async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
            reply = await super().run(prompt, on_text)
            if prompt.purpose != "ballot" or not prompt.texts:
                return reply
            return Reply("", {"choice": prompt.texts[0].id, "ranking": [prompt.texts[0].id], "moved_by": "m1"})

    debate, _ = told("relay", Names())
    first = next(e.who for e in debate.session.events() if isinstance(e, MessagePosted))
    moved = {e.ballot.agent for e in debate.session.events() if isinstance(e, BallotCast) and e.ballot.moved_by}
    titles = [member.title for member in debate.members]
    assert first == titles[0]
    assert moved == {titles[1]}
