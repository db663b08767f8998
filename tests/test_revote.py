"""`eda vote`: lost ballots are asked for again, or given by their owners, and counted; nothing before is rewritten."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from fake_anthropic import Say
from fake_chat import FakeServer
from fake_panel import FakePanel
from test_asked_again import OPTIONS, PANEL, Saying

from eda import Debate, Prompt, Session
from eda.cli.program import cli
from eda.debate.recount import vote_again
from eda.debate.replay import read_back
from eda.debate.verdict import votes_of
from eda.errors import UsageError
from eda.events import BallotCast, CallMade, VerdictReached
from eda.panels.settings import Settings
from eda.runners.human import HumanRunner
from eda.runners.shipped import make_runner

Files = dict[str, bytes]
SHORT = Settings(max_messages=9, first_vote=False)


def vote(replies: dict[int, str]) -> Saying:
    """Return a runner whose members vote so by their seats."""

    def reply(prompt: Prompt) -> str | None:
        return replies[prompt.members.index(prompt.agent)] if prompt.purpose == "ballot" else None

    return Saying(reply)


def saved(folder: Path, replies: dict[int, str], **settings: object) -> list[str]:
    """Lay a debate into session `one`, and return the titles of its members."""
    titles, files = _held(tuple(replies.items()), tuple(settings.items()))
    (folder / "one").mkdir()
    for name, content in files.items():
        (folder / "one" / name).write_bytes(content)
    return [*titles]


@cache
def _held(replies: tuple[tuple[int, str], ...], settings: tuple[tuple[str, object], ...]) -> tuple[list[str], Files]:
    """Return the titles of the members of a debate that is held once, and the files of its session."""
    with TemporaryDirectory() as folder:
        with Session.create("one", folder) as session:
            chosen, voters = SHORT.model_copy(update=dict(settings)), vote(dict(replies))
            debate = Debate("What now?", PANEL, voters, options=OPTIONS, settings=chosen, seed=2, session=session)
            debate.run_sync()
        files = {path.name: path.read_bytes() for path in (Path(folder) / "one").iterdir() if path.is_file()}
        return [member.title for member in debate.members], files


def eda(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["vote", "one", "--sessions", str(folder), *args])


def verdicts(folder: Path) -> list[VerdictReached]:
    with Session.read("one", folder) as session:
        return [event for event in session.events() if isinstance(event, VerdictReached)]


LOST = {0: "hmm", 1: "hmm", 2: "o2"}


def test_an_owner_gives_the_right_ballot_and_it_is_counted(tmp_path: Path) -> None:
    """A vote that a program could not read would be lost for good."""
    first, *_ = saved(tmp_path, LOST)
    log = (tmp_path / "one" / "events.jsonl").read_bytes()
    done = eda(tmp_path, "--member", first.lower(), "--ballot", "o2, o1")
    assert done.exit_code == 0, done.output
    before, now = verdicts(tmp_path)
    assert before.outcome is None
    assert (now.outcome, now.unreadable) == ("Wait", before.unreadable[1:])
    with Session.read("one", tmp_path) as session:
        progress, memory = read_back(session)
        account = votes_of(session, progress)
        assert progress.verdict == now
        assert memory.motions
        (given,) = (cast.ballot for cast in progress.ballots if cast.ballot.agent == first)
        assert (given.choice, given.ranking, given.raw) == ("Wait", ("Wait", "Go now"), ("o2, o1",))
        assert account.who("voted") == (first, progress.members[2])
        assert len([event for event in session.events() if isinstance(event, BallotCast)]) == len(PANEL) + 1
    assert (tmp_path / "one" / "events.jsonl").read_bytes().startswith(log)


@pytest.mark.parametrize(
    ("member", "ballot"),
    [
        ("nobody", "o2"),
        ("2", "o1"),
        ("0", "either of them, hmm"),
        ("0", "o9"),
        ("0", ""),
        ("", "o2"),
    ],
)
def test_what_cannot_be_taken_is_refused_and_changes_nothing(tmp_path: Path, member: str, ballot: str) -> None:
    """A ballot given for a stranger, or one that was counted, or a guess, would forge a vote."""
    titles = saved(tmp_path, LOST)
    log = (tmp_path / "one" / "events.jsonl").read_bytes()
    who = titles[int(member)] if member.isdigit() else member
    args = [*(("--member", who) if who else ()), "--ballot", ballot or " "]
    refused = eda(tmp_path, *args)
    assert refused.exit_code == 2
    assert isinstance(refused.output, str)
    assert (tmp_path / "one" / "events.jsonl").read_bytes() == log


def test_a_long_ballot_that_cannot_be_read_is_shown_in_part_and_kept_whole(tmp_path: Path) -> None:
    """A model that rambled filled the screen with 6,480 characters, three times."""
    rambles = "I would rather think about this at length. " * 150
    saved(tmp_path, {**LOST, 0: rambles})
    for command in (["show", "one"], ["show", "one", "--tally"]):
        shown = CliRunner().invoke(cli, [*command, "--sessions", str(tmp_path)]).stdout
        assert "I would rather think about this at length" in shown
        assert max(map(len, shown.splitlines())) < 400
    with Session.read("one", tmp_path) as session:
        raw = [cast.ballot.raw for cast in session.events() if isinstance(cast, BallotCast)]
    assert rambles.strip() in {text.strip() for each in raw for text in each}


@pytest.fixture(scope="module")
def unread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a debate whose person wrote a ballot that could not be read."""

    async def silent(prompt: Prompt) -> str:
        return "either of them, hmm" if prompt.purpose == "ballot" else ""

    folder = tmp_path_factory.mktemp("unread")
    with Session.create("one", folder) as session:
        seats = {"Ada": HumanRunner(silent)}
        members, of = vote(dict.fromkeys(range(4), "o1")), {"options": OPTIONS, "seed": 2, "session": session}
        Debate("What now?", PANEL, members, settings=SHORT, human="Ada", seats=seats, **of).run_sync()
    return folder / "one"


@pytest.mark.parametrize(
    ("typed", "choice", "told"),
    [
        (["o2", ""], "Wait", "read as:"),
        (["o1", "o2", "yes"], "Wait", "read as:"),
        (["o1", "no", "o2", "yes"], "Wait", "read as:"),
        (["hmm", "o2", "y"], "Wait", "could not be read"),
        (["abstain", ""], None, "read as:"),
        ([""], "lost", "the ballot stays as it was"),
        (["o2", "perhaps o1, perhaps o2", ""], "lost", "the ballot stays as it was"),
    ],
)
def test_a_person_at_the_terminal_sees_how_a_ballot_is_read_before_it_counts(
    unread: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str], choice: str | None, told: str
) -> None:
    """Enter was a final abstention, unannounced, and any words counted unseen."""
    shutil.copytree(unread, tmp_path / "one")
    log = (tmp_path / "one" / "events.jsonl").read_bytes()
    here = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True), stdout=sys.stdout)
    monkeypatch.setattr("eda.cli.ask.sys", here)
    args = ["vote", "one", "--sessions", str(tmp_path), "--member", "Ada"]
    done = CliRunner().invoke(cli, args, input="\n".join([*typed, ""]))
    assert done.exit_code == 0, done.output
    assert told in done.output
    with Session.read("one", tmp_path) as session:
        (ballot,) = (cast.ballot for cast in read_back(session)[0].ballots if cast.ballot.agent == "Ada")
    assert (ballot.invalid, ballot.choice) == (choice == "lost", None if choice == "lost" else choice)
    assert ((tmp_path / "one" / "events.jsonl").read_bytes() == log) == (choice == "lost")


def test_a_session_that_is_open_elsewhere_is_not_counted_again(tmp_path: Path) -> None:
    titles = saved(tmp_path, LOST)
    with Session.open("one", tmp_path):
        refused = eda(tmp_path, "--member", titles[0], "--ballot", "o2")
    assert refused.exit_code != 0
    assert len(verdicts(tmp_path)) == 1


def test_a_count_without_a_lost_ballot_or_no_count_is_not_taken_again(tmp_path: Path) -> None:
    saved(tmp_path, dict.fromkeys(range(3), "o2"))
    assert eda(tmp_path).exit_code == 2
    assert len(verdicts(tmp_path)) == 1


def test_models_are_asked_as_they_were_and_counted(tmp_path: Path) -> None:
    """Who is asked with the verdict in sight votes for it."""
    titles = saved(tmp_path, LOST)
    again = vote({0: "o1", 1: "hmm", 2: "never asked"})
    with Session.open("one", tmp_path) as session:
        told = asyncio.run(vote_again(session, again))
        assert [prompt.agent for prompt in again.prompts] == [titles[0], *[titles[1]] * 3]
        assert not any("no verdict" in prompt.text.lower() for prompt in again.prompts)
        assert [cast.ballot.invalid for cast in told.ballots] == [False, True]
        assert told.verdict.unreadable == (titles[1],)
        with pytest.raises(UsageError, match="was counted"):
            asyncio.run(vote_again(session, again, member=titles[0]))
        more = asyncio.run(vote_again(session, vote({1: "o1"})))
        assert more.before == told.verdict
        assert (more.verdict.outcome, more.verdict.unreadable) == ("Go now", ())
        keys = [event.key for event in session.events() if isinstance(event, CallMade) and event.purpose == "ballot"]
        assert len(keys) == len(set(keys))


def test_ballots_that_were_all_lost_are_asked_for_one_after_the_other(tmp_path: Path) -> None:
    """The vote was looked for among the ballots that stand, and each of them had been asked for again."""
    titles = saved(tmp_path, dict.fromkeys(range(3), "hmm"))
    with Session.open("one", tmp_path) as session:
        asyncio.run(vote_again(session, vote({0: "hmm", 1: "o1", 2: "hmm"})))
    done = eda(tmp_path, "--member", titles[0], "--ballot", "abstain")
    assert done.exit_code == 0, done.output
    with Session.open("one", tmp_path) as session:
        told = asyncio.run(vote_again(session, vote({2: "o1"})))
    assert told.verdict.unreadable == ()
    assert (told.verdict.outcome, told.verdict.abstained) == ("Go now", (titles[0],))


def test_nothing_is_counted_again_where_no_ballot_could_be_read(tmp_path: Path) -> None:
    saved(tmp_path, LOST)
    with Session.open("one", tmp_path) as session:
        told = asyncio.run(vote_again(session, vote({0: "hmm", 1: "hmm"})))
        assert told.verdict is told.before
        assert {cast.ballot.raw for cast in told.ballots} == {("hmm",) * 3}
    assert len(verdicts(tmp_path)) == 1


def test_lost_ballots_are_asked_for_over_http(tmp_path: Path) -> None:
    """The whole way: a server that wrote no ballot, the command, and the same server once it does."""
    with FakeServer() as fake:
        fake.answer = lambda body: Say("hmm" if "# How you vote" in str(body) else FakePanel()(body).text)
        with Session.create("one", tmp_path) as session:
            runner = make_runner(f"local:{fake.url}#m")
            Debate("What now?", PANEL, runner, options=OPTIONS, settings=SHORT, seed=2, session=session).run_sync()
        fake.answer = lambda _: Say('{"ranking": ["o1", "o2"]}')
        fake.requests.clear()
        done = eda(tmp_path, "--json")
        assert done.exit_code == 0, done.output
        data = json.loads(done.stdout)
        assert len(fake.requests) == len(PANEL)
    assert (data["before"]["outcome"], data["verdict"]["outcome"]) == (None, "Go now")
    assert {cast["ballot"]["choice"] for cast in data["ballots"]} == {"Go now"}
