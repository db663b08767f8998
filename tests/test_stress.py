"""What a verdict hinges on is found where it was planted, and nothing else is; what was tried is kept."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from mcp.client import Client
from starlette.testclient import TestClient

from eda import Debate, Prompt, Reply, Session, Settings, Stress, stress
from eda.cli.program import cli
from eda.debate.arms import UNKNOWN, Arm, Wanted, arms_of
from eda.debate.hinges import CONTROLS
from eda.debate.replay import progress_of, read_back
from eda.debate.stress import FOLDER, planned
from eda.errors import RunnerUnavailableError, UsageError
from eda.events import MessagePosted, StanceTaken, VoteTried
from eda.panels.documents.document import Document
from eda.report.forms import report_data, report_html, report_markdown
from eda.report.gather import report_of
from eda.report.overview import overview
from eda.runners.scripted import ScriptedRunner
from eda.serve.app import make_app
from eda.serve.host import Host
from eda.serve.mcp_server import PanelServer
from eda.serve.panel_tools import PanelTools
from eda.serve.shown import verdict_of

PANEL = ["sceptic", "economist", "historian", "visionary"]
KEEP, SELL = "Keep our own nurses", "Sell the service"
LOSS, NIGHT, RENT, SPARE = "Norrline loses 3 % of callers", "Nights cost double", "The rent runs out", "Two lines spare"
BRIEFING = Document("briefing.md", f"# Lines\n{LOSS}.\n{NIGHT}.\n{RENT}. {SPARE}.\nThe door is blue.\n")
SAID = "The pilot failed in May."


class Minds(ScriptedRunner):
    """All sell without LOSS, and without both RENT and SPARE; by chance a member votes otherwise."""

    def __init__(self, noise: float = 0.0, *, each: Callable[[Prompt], None] = lambda _: None) -> None:
        super().__init__(self.speak, ballots=self.vote, declares=False)
        self.noise, self.each, self.asked = noise, each, 0

    def speak(self, prompt: Prompt) -> str:
        self.count(prompt)
        return SAID if prompt.last == 4 else f"I have read it, as {prompt.agent}, in turn {prompt.last}."

    def vote(self, prompt: Prompt) -> Mapping[str, Any]:
        self.count(prompt)
        read = "\n".join(document.text for document in prompt.documents)
        told = prompt.own.partition("not known, wherever")[2].partition("\n")[0]
        known = {text for text in (LOSS, RENT, SPARE) if text in read and text not in told}
        sell = LOSS not in known or not known & {RENT, SPARE}
        if random.Random(f"{prompt.seed}:{prompt.agent}:{told}:{len(read)}").random() < self.noise:
            sell = not sell
        return {"choice": SELL if sell else KEEP, "reason": "as I read it"}

    def count(self, prompt: Prompt) -> None:
        self.asked += 1
        self.each(prompt)


def saved(folder: Path) -> None:
    """Lay a debate that keeps the nurses into a folder."""
    (folder / "nurses").mkdir()
    for name, content in _saved().items():
        (folder / "nurses" / name).write_bytes(content)


@cache
def _saved() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        with Session.create("nurses", folder) as session:
            asyncio.run(
                Debate(
                    "Who answers the calls?", PANEL, Minds(), options=[KEEP, SELL], documents=[BRIEFING],
                    session=session, settings=Settings(max_messages=6, floor="round-robin", first_vote=False),
                ).run()
            )  # fmt: skip
        return {path.name: path.read_bytes() for path in (Path(folder) / "nurses").iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    saved(tmp_path)
    return tmp_path


def tried(folder: Path, runner: Any, **given: Any) -> Stress:
    with Session.open("nurses", folder) as session:
        return asyncio.run(stress(session, runner, **given))


def arms(folder: Path, *premises: str, **given: Any) -> list[Arm]:
    with Session.read("nurses", folder) as session:
        return arms_of(session, *read_back(session), Wanted(premises, **given))


def called(*given: str, folder: Path) -> Any:
    return CliRunner().invoke(cli, ["stress", "nurses", "--sessions", str(folder), *given], catch_exceptions=False)


def test_a_planted_pivot_is_found_and_nothing_else(folder: Path) -> None:
    """The next meeting's first question is what happens if that figure is wrong."""
    log = (folder / "nurses" / "events.jsonl").read_bytes()
    done = tried(folder, Minds(), premises=(LOSS, NIGHT, RENT, SPARE), joint=False, runs=8)
    assert done.control == (0, 16)
    found = {each.arm.what: (each.hinges, *each.share) for each in done.arms}
    assert found == {
        LOSS: (True, 8, 8), **dict.fromkeys((NIGHT, RENT, SPARE, "ballots"), (False, 0, 4)),
    }  # fmt: skip
    first = done.data()["arms"][0]
    assert (first["became"], first["places"]) == (["o2"], ["briefing.md l. 2"])
    assert {each["choice"] for each in first["read"]["ballots"]} == {"o2"}
    assert (folder / "nurses" / "events.jsonl").read_bytes().startswith(log), "the debate stands as it was"
    with Session.read("nurses", folder) as session:
        report = report_of(session, *read_back(session))
        assert LOSS in report_markdown(report).partition("What it hinges on")[2]
        assert report_data(report)["stress"] == done.data()
        assert (verdict := read_back(session)[0].verdict)
        assert verdict.outcome == KEEP


def test_what_it_hinges_on_stands_where_a_decision_is_read(folder: Path) -> None:
    """It stood in report.md alone: who opened the page or the list saw a verdict that nothing could sway."""
    assert overview(folder / "nurses")["decision"]["hinges"] == []
    tried(folder, Minds(), premises=(LOSS, NIGHT), joint=False, runs=8)
    (row,) = overview(folder / "nurses")["decision"]["hinges"]
    assert (row["kind"], row["what"], row["places"]) == ("premise", LOSS, ["briefing.md l. 2"])
    listed = CliRunner().invoke(cli, ["decisions", "--sessions", str(folder), "--json"], catch_exceptions=False)
    assert [each["decision"]["hinges"] for each in json.loads(listed.stdout)["decisions"]] == [[row]]
    with Session.read("nurses", folder) as session:
        progress, memory = read_back(session)
        page = verdict_of(session, progress, memory)
        written = report_html(report_of(session, progress, memory), session, memory)
    assert any(LOSS in line for line in page["hinges"])
    assert LOSS in written.partition('id="hinges"')[2].partition("</section>")[0]
    key = "k" * 20
    app = make_app(Host(folder, "simulated", "engineering"), names=frozenset({"testserver"}), token=key)
    with TestClient(app) as client:
        assert LOSS in client.get(f"/?token={key}").text


def test_a_page_plans_a_test_and_its_owner_starts_it(tmp_path: Path) -> None:
    """Whoever reads a verdict in the browser would have to find a terminal to ask what if that figure is wrong."""
    key, ask = "k" * 20, {"runs": 3, "premises": [NIGHT, "The door is blue."]}
    with Session.create("nurses", tmp_path) as session:
        settings = Settings(max_messages=6, language="de")
        asyncio.run(
            Debate(
                "Wer nimmt ab?", PANEL, "simulated", options=[KEEP, SELL], session=session, settings=settings,
                documents=[BRIEFING],
            ).run()
        )  # fmt: skip
    copytree(Path(__file__).parents[1] / "sessions" / "example", tmp_path / "example")
    log = tmp_path / "nurses" / "events.jsonl"
    before, host = log.read_bytes(), Host(tmp_path, "simulated", "engineering")
    own = {"Origin": "http://testserver", "Authorization": f"Bearer {key}"}

    async def ended() -> str:
        return await host.trials["nurses"]

    with TestClient(make_app(host, names=frozenset({"testserver"}), token=key)) as client:
        assert client.post("/s/nurses/stress", json=ask, headers={"Origin": own["Origin"]}).status_code == 403
        for name, wrong in (("example", ask), ("nurses", ask | {"runs": 2}), ("nurses", ask | {"premises": [" "]})):
            assert client.post(f"/s/{name}/stress", json=wrong, headers=own).json().keys() >= {"error", "hint"}
        plan = client.post("/s/nurses/stress", json=ask, headers=own).json()
        assert [NIGHT in line for line in plan["changed"][:2]] == [True, False]
        assert (log.read_bytes(), host.trials) == (before, {})
        assert "simulated" in plan["asked"]
        assert plan == client.post("/s/nurses/stress", json=ask | {"do": "start"}, headers=own).json()
        assert client.portal
        assert client.portal.call(ended) == ""
        again = client.post("/s/nurses/stress", json=ask | {"do": "start", "budget": 1e-9}, headers=own)
        assert again.status_code == 200, "a test that has ended can be gone on with"
        assert client.post("/s/nurses/stress", json={"do": "stop"}, headers=own).json() == {}
        page = client.get("/s/nurses/report", headers=own).text
    with Session.read("nurses", tmp_path) as session:
        shown = verdict_of(session, *read_back(session))
        runs = [event for event in session.events() if isinstance(event, VoteTried)]
    assert shown["hinges"]
    assert 'id="hinges"' in page
    assert {event.run for event in runs if event.what == NIGHT} == {1, 2, 3}


def test_two_premises_that_matter_only_together_are_found_when_asked_for(folder: Path) -> None:
    """Each alone changes nothing, so whoever tries one at a time would call the verdict safe."""
    done = tried(folder, Minds(0.02), premises=(RENT, SPARE), joint=True, only="premises", runs=6)
    assert {each.arm.kind: each.hinges for each in done.arms} == {"premise": False, "joint": True}


def test_the_debate_held_again_finds_the_premise_on_which_all_votes_rest(folder: Path) -> None:
    """Members who had not read it might have said something else: that is tried too, in the same table."""
    done = tried(folder, Minds(0.05), premises=(LOSS, NIGHT, RENT, SPARE), joint=True, again=True, runs=5)
    by = {each.arm.what: each for each in done.arms}
    assert {each.arm.kind for each in done.arms if each.hinges} == {"premise", "joint"}
    assert by[LOSS].hinges
    assert {each.arm.kind for each in done.arms} == {"premise", "joint", "order", "member"}
    assert by[LOSS].control.of == CONTROLS * 5
    assert by[LOSS].share.of == 5 > by[NIGHT].share.of  # the plan goes on only where an effect is near
    with Session.read(folder / "nurses" / FOLDER / by[LOSS].read.session) as run:
        assert LOSS not in run.started().documents[0].text
        assert (parent := run.started().parent)
        assert parent.changed == f"premise:{LOSS}"
    assert by["seats"].arm.at == 0
    assert by["ballots"].arm.at is None


def test_a_passage_that_a_member_said_goes_from_where_it_was_said_first(folder: Path) -> None:
    """What was said before it stays; a figure of a few words leaves a gap that says so."""
    done = tried(folder, Minds(), premises=("failed in  May",), only="premises", again=True, runs=4)
    (each,) = done.arms
    assert (each.arm.at, each.arm.places) == (5, ("m5",))
    with Session.read(folder / "nurses" / FOLDER / each.read.session) as run:
        said = [event.text for event in run.events() if isinstance(event, MessagePosted)]
    with Session.read("nurses", folder) as session:
        before = [event.text for event in session.events() if isinstance(event, MessagePosted)]
    assert said[:5] == [*before[:4], f"The pilot {UNKNOWN}."]
    assert len(said) == len(before) == 6
    assert each.beside
    assert (each.beside.finding, done.control) == ("unseen", (0, CONTROLS * 4))


@pytest.mark.parametrize(
    ("again", "kills"),
    [(True, 2), *(pytest.param(*case, marks=pytest.mark.long) for case in ((False, 2), (False, 10), (True, 10)))],
)
def test_a_stress_that_is_killed_again_and_again_comes_to_the_same_table(
    folder: Path, tmp_path: Path, again: bool, kills: int
) -> None:
    """Runs are paid for: none is begun again, and a stop must not choose what is found."""
    wanted: dict[str, Any] = {"premises": (LOSS, NIGHT), "only": "premises", "again": again, "runs": 5 if again else 12}
    whole = tmp_path / "whole"
    whole.mkdir()
    saved(whole)
    runner = Minds(0.2)
    expected = tried(whole, runner, **wanted).data()
    after = runner.asked // (kills + 2)

    def killed() -> None:
        def one(_: Prompt) -> None:
            if mind.asked > after:
                os.kill(os.getpid(), signal.SIGKILL)

        mind = Minds(0.2, each=one)
        tried(folder, mind, **wanted)

    for _ in range(kills):
        process = get_context("fork").Process(target=killed)
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
    with Session.read("nurses", folder) as session:
        assert any(isinstance(event, VoteTried) for event in session.events())
    assert tried(folder, Minds(0.2), **wanted).data() == expected
    rest = Minds(0.2)
    assert tried(folder, rest, **wanted).data() == expected
    assert not rest.asked, "nothing is paid for twice"


def test_what_cannot_be_compared_is_not_tried_and_says_why(folder: Path) -> None:
    """A table of what nobody can compare would be believed."""
    found = {arm.what: arm.why for arm in arms(folder, "nobody said this", SAID, LOSS, again=True, joint=True)}
    assert found["nobody said this"] == "nowhere"
    assert found[SAID] == "alone"  # a message that says nothing else cannot go without it
    assert not found[LOSS]
    assert {arm.why for arm in arms(folder, "failed in May", LOSS, again=True, joint=True) if arm.kind == "joint"} == {
        "later"
    }
    with pytest.raises(UsageError):
        arms(folder, " ")
    with pytest.raises(UsageError):
        arms(folder, only="members")
    with pytest.raises(UsageError):
        tried(folder, None, premises=(LOSS,))  # a runner of the user's own
    assert not (folder / "nurses" / FOLDER).exists()


def test_an_answer_that_members_wrote_is_not_compared_with_that_of_another_debate(tmp_path: Path) -> None:
    """No program can say which of the new texts is the same; from after it was written on it is there."""

    class Writers(Minds):
        def speak(self, prompt: Prompt) -> str:
            return "[PROPOSAL] Sell half of it" if not prompt.last else f"[SUPPORT p1.0] as {prompt.agent} says"

        def vote(self, prompt: Prompt) -> Mapping[str, Any]:
            return {"choice": "p1.0", "reason": "so be it"}

    with Session.create("nurses", tmp_path) as session:
        wanted = Settings(max_messages=4, floor="round-robin", first_vote=False)
        Debate("What now?", PANEL, Writers(), documents=[BRIEFING], settings=wanted, session=session).run_sync()
    found = {arm.what: arm.why for arm in arms(tmp_path, LOSS, "economist says", again=True)}
    assert found[LOSS] == found["seats"] == "written"
    assert not any(arm.why for arm in arms(tmp_path, LOSS))


def test_what_a_member_says_would_change_its_mind_is_tried(folder: Path) -> None:
    """What would bring somebody over is known by asking; whether it would change the verdict is not."""
    wish = "a second supplier for the nights"
    with Session.open("nurses", folder) as session:
        progress, memory = read_back(session)
        progress.polls[1] = [StanceTaken(poll=1, who="Ruth", change_mind=wish)]
        (arm,) = arms_of(session, progress, memory, Wanted(only="terms"))
    assert (arm.kind, arm.what, arm.places) == ("terms", wish, ("Ruth",))


def test_what_would_bring_over_who_is_against_it_is_tried(tmp_path: Path) -> None:
    """ "What would bring Viktor over" is the second question of the next meeting."""
    wish = "If I saw a second supplier, I would support selling."

    class Against(Minds):
        def speak(self, prompt: Prompt) -> str:
            return wish if prompt.agent == "Ruth" else super().speak(prompt)

        def vote(self, prompt: Prompt) -> Mapping[str, Any]:
            kept = prompt.agent == "Ruth" and "Suppose that this is settled" not in prompt.own
            return {"choice": KEEP if kept else SELL, "reason": ""}

    with Session.create("nurses", tmp_path) as session:
        wanted = Settings(max_messages=4, floor="round-robin", first_vote=False)
        Debate("Who?", PANEL, Against(), options=[KEEP, SELL], settings=wanted, session=session).run_sync()
        (each,) = asyncio.run(stress(session, Against(), only="terms", runs=3)).arms
    assert (each.arm.what, each.arm.places[0], each.moved["Ruth"], each.moved["Jonah"]) == (
        wish,
        "Ruth",
        (3, 3),
        (0, 3),
    )
    assert each.swayed == ("Ruth",)


def test_a_budget_is_kept_and_a_forecast_says_what_it_takes(folder: Path) -> None:
    """Nobody begins what they cannot pay for."""
    with Session.read("nurses", folder) as session:
        plan = planned(session, *read_back(session), Wanted((LOSS,), "premises", again=True), 10)
    assert (plan.runs, plan.calls, plan.cost) == ((12, 30), (12 * 10, 30 * 10), (0.0, 0.0))
    done = tried(folder, Minds(), premises=(LOSS,), only="premises", runs=4, budget=-1)
    assert (done.paused, done.arms, [arm.what for arm in done.left]) == (True, (), [LOSS])


def test_the_command_plans_first_and_pays_for_no_run_twice(folder: Path) -> None:
    """Each rule and each ballot left out were found out by hand, and what would be tried was a surprise."""
    plan = json.loads(called("--plan", "--premise", LOSS, "--json", folder=folder).stdout)
    assert [(row["kind"], row["what"], row["places"]) for row in plan["arms"]] == [
        ("premise", LOSS, ["briefing.md l. 2"]), ("order", "ballots", []),
    ]  # fmt: skip
    assert plan["calls"] == [4 * 4 * 4, 10 * 4 * 4]
    assert {row["kind"] for row in plan["free"]} == {"rule", "without", "ballots", "quorum"}
    assert {row["what"] for row in plan["free"] if row["kind"] == "quorum"} == {"1"}
    with Session.read("nurses", folder) as session:
        assert not progress_of(session).tried
    given = ("--runs", "3", "--premise", NIGHT, "--runner", "simulated")
    table = json.loads(called(*given, "--json", folder=folder).stdout)
    row = {"what", "kind", "changed", "of", "estimate", "low", "high", "hinges"}
    assert [{*each} >= row for each in table["arms"]] == [True] * len(table["arms"])
    assert {*table} >= {"control", "arms", "free", "not_tried"}
    assert json.loads(called(*given, "--json", folder=folder).stdout) == table
    assert "briefing.md l. 3" in called(*given, folder=folder).stdout
    assert called("--model", "simulated", folder=folder).exit_code != 0


async def test_a_client_of_another_program_gets_the_same_table(tmp_path: Path) -> None:
    """An editor's agent that asks what a verdict hinges on could otherwise only read the report's sentence."""
    async with Client(PanelServer(PanelTools(tmp_path, "simulated"))) as client:
        asked = {"question": "Should we move billing?", "options": ["Now", "Later"], "max_messages": 4}
        name = ((await client.call_tool("debate", asked)).structured_content or {})["session"]
        given = {"session": name, "premises": ["the tests are red"], "runs": 3}
        plan = (await client.call_tool("stress", given)).structured_content or {}
        with Session.read(name, tmp_path) as session:
            assert not progress_of(session).tried
        done = (await client.call_tool("stress", {**given, "plan": False})).structured_content or {}
    assert [row["what"] for row in plan["arms"]] == [row["what"] for row in done["arms"]]
    assert sum(row["of"] for row in done["arms"]) + done["control"]["of"] <= plan["runs"][1]


def test_without_a_verdict_by_ballots_nothing_is_tried(tmp_path: Path) -> None:
    class Gone(Minds):
        async def run(self, prompt: Prompt, on_text: Any = None) -> Reply:
            if prompt.purpose == "ballot":
                raise RunnerUnavailableError("no key")
            return await super().run(prompt, on_text)

    with Session.create("nurses", tmp_path) as session, suppress(RunnerUnavailableError):
        wanted = Settings(first_vote=False)
        Debate("Which?", PANEL, Gone(), options=("A", "B"), settings=wanted, session=session).run_sync()
    with pytest.raises(UsageError, match="no verdict by ballots"):
        tried(tmp_path, Minds())


def test_a_premise_that_nobody_said_is_named(folder: Path) -> None:
    """A typing slip was planned, and paid for, like a premise that the panel had read."""
    told = called("--plan", "--premise", LOSS, "--premise", "The roof leaks badly.", folder=folder).stdout
    assert "No document and no message says this in these words" in told
    assert told.count("The roof leaks badly") == 2
    assert [(arm.what, arm.unsaid) for arm in arms(folder, LOSS, "The roof leaks badly.", only="premises")][:2] == [
        (LOSS, False),
        ("The roof leaks badly.", True),
    ]
