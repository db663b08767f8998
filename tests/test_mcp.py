"""`eda mcp`: other programs have the panel debate, through the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from in_turn import each_other, in_turn
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import ElicitRequestFormParams, ElicitResult
from stalling import Stalling

from eda import Session, progress_of
from eda.cli.program import cli
from eda.events import BallotCast, SessionPaused
from eda.runners.shipped import make_runner, named_runner
from eda.serve.mcp_server import HOST, PanelServer
from eda.serve.panel_tools import PanelTools
from eda.session.names import session_names

ASKED = {"question": "Should we move billing?", "options": ["Now", "Later"], "max_messages": 8}
TOKEN = "a-token-of-this-server"  # noqa: S105 - it opens nothing
NAME = "should-we-move-billing"
TITLES = ("Maya", "Petra", "Ruth", "Walter", "Anjali")


class Voter:
    """A client's user, who answers what the panel asks."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, _: Any, asked: ElicitRequestFormParams) -> ElicitResult:
        self.asked.append(asked.message)
        answer = self.answers.pop(0)
        if answer is None:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"vote": answer})


class Said:
    """The lines of progress, as they come."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float | None, str | None]] = []
        self.three = asyncio.Event()

    async def __call__(self, number: float, most: float | None, line: str | None) -> None:
        self.lines.append((number, most, line))
        if len(self.lines) >= 3:
            self.three.set()


def panel(folder: Path, **given: Any) -> PanelServer:
    return PanelServer(PanelTools(folder, **{"runner": "simulated", **given}))


async def last_fact(folder: Path, name: str = NAME) -> Any:
    """The last fact of a session, once no process writes it."""
    with Session.read(name, folder) as session:
        return [fact async for fact in session.follow(interval=0.01)][-1]


@asynccontextmanager
async def over_http(server: PanelServer, idle: float = 60.0, cert: Path | None = None) -> AsyncIterator[str]:
    """The address of a server on loopback."""
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        web = server.http_server(TOKEN, idle, cert=cert)
        serving = asyncio.create_task(web.serve(sockets=[listening]))
        try:
            yield f"http{'s' if cert else ''}://{HOST}:{listening.getsockname()[1]}/mcp?token={TOKEN}"
        finally:
            web.should_exit = True
            await serving


def certificate(folder: Path) -> Path:
    """A certificate of this machine's loopback address, with its key."""
    key, name = Ed25519PrivateKey.generate(), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    host = x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))])
    signed = made.add_extension(host, critical=False).sign(key, None)
    kinds = PrivateFormat.PKCS8, NoEncryption()
    file = folder / "own.pem"
    file.write_bytes(key.private_bytes(Encoding.PEM, *kinds) + signed.public_bytes(Encoding.PEM))
    return file


async def test_over_https_a_client_has_to_show_the_token_and_nothing_else_is_answered(tmp_path: Path) -> None:
    """Without it every program of the machine's network that listens in reads the token."""
    own = certificate(tmp_path)
    async with (
        over_http(panel(tmp_path), cert=own) as url,
        httpx2.AsyncClient(verify=ssl.create_default_context(cafile=own)) as client,
    ):
        assert url.startswith("https://")
        assert (await client.get(url.partition("?")[0])).status_code == 401
        assert (await client.get(url)).status_code not in (401, 500)
        with pytest.raises(httpx2.HTTPError):
            await client.get(url.replace("https", "http"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_has_a_debate_held_and_reads_what_came_of_it(tmp_path: Path, mode: str) -> None:
    """An editor that gets a text only could not act on the tally, nor find the session again."""
    said = Said()
    async with Client(panel(tmp_path), mode=mode) as client:
        result = (await client.call_tool("debate", ASKED, progress_callback=said)).structured_content or {}
        rows = (await client.call_tool("sessions", {"words": "billing"})).structured_content
        third = next(line for number, _, line in said.lines if number == 3)
        found = (
            await client.call_tool("recall", {"session": NAME, "query": third.partition("says: ")[2]})
        ).structured_content
        report = (await client.call_tool("report", {"session": NAME})).content[0].text
        answer = (await client.call_tool("ask", {"session": NAME, "member": "maya", "question": "Why?"})).content
    assert (result["session"], result["state"], result["messages"], result["cost"]) == (NAME, "ended", 8, 0.0)
    assert sum(map(len, result["tally"].values())) == 5
    assert result["outcome"] or result["note"]
    assert {each["who"] for each in result["dissent"]} <= {who for voters in result["tally"].values() for who in voters}
    steps = [number for number, _, _ in said.lines]
    assert steps == sorted(set(steps))
    assert {most for _, most, _ in said.lines} == {8}
    assert [number for number in steps if number == int(number)] == list(range(1, 9))
    assert sum(line in {f"{who} has voted." for who in TITLES} for _, _, line in said.lines) >= len(TITLES)
    assert [row["session"] for row in rows["sessions"]] == [NAME]
    assert (found["found"][0]["session"], found["found"][0]["message_id"]) == (NAME, 3)
    assert report.startswith("# Should we move billing?")
    assert json.loads(answer[0].text)["member"] == "Maya"
    assert (tmp_path / NAME / "report.md").exists()


@pytest.mark.parametrize(
    ("over", "mode"),
    [
        *in_turn(["memory", "http"], ["auto", "legacy"]),
        *(pytest.param("stdio", mode, marks=pytest.mark.long) for mode in ("auto", "legacy")),  # a process: see below
    ],
)
async def test_a_person_votes_in_the_client_by_the_reader_of_every_ballot(tmp_path: Path, mode: str, over: str) -> None:
    """The user would have to leave their editor to vote, or a model would vote for them."""
    voter = Voter("perhaps Q", "o2 > o1", "o2")
    async with AsyncExitStack() as stack:
        command = ["-m", "eda", "mcp", "--runner", "simulated", "--sessions", str(tmp_path)]
        there: Any = panel(tmp_path)
        if over == "http":
            there = await stack.enter_async_context(over_http(panel(tmp_path)))
        if over == "stdio":
            there = StdioServerParameters(command=sys.executable, args=command, cwd=str(Path(__file__).parent))
        client = await stack.enter_async_context(Client(there, mode=mode, elicitation_callback=voter))
        result = (await client.call_tool("debate", {**ASKED, "person": "Ada"})).structured_content
    assert (result["state"], result["messages"]) == ("ended", 8)
    assert result["played_by"]["Ada"][0]["how"] == "person"
    with Session.read(NAME, tmp_path) as session:
        cast = [fact.ballot for fact in session.events() if isinstance(fact, BallotCast)]
    assert [ballot.choice for ballot in cast if ballot.agent == "Ada"] == ["Later", "Later"]
    assert len(voter.asked) == 3
    assert re.search(r"^  [AB]\. o1  Now$", voter.asked[0], re.MULTILINE)
    assert "please try once more" in voter.asked[1]
    assert "Which first?" in voter.asked[1]
    assert "The texts that you accept" not in voter.asked[1]
    ways = ['"also C"' in asked for asked in voter.asked]
    assert ways == [False, False, True], "nothing is adopted beside a first ballot"


@pytest.mark.parametrize("mode", each_other(["auto", "legacy"]))
async def test_a_vote_in_words_counts_once_the_person_has_seen_how_it_is_read(tmp_path: Path, mode: str) -> None:
    """It counted unseen: "the text we had first, I guess" could be read as another text than was meant."""
    voter = Voter("later i guess", "", "later i guess", "now i guess", "yes")
    async with Client(panel(tmp_path), mode=mode, elicitation_callback=voter) as client:
        await client.call_tool("debate", {**ASKED, "person": "Ada"})
    with Session.read(NAME, tmp_path) as session:
        cast = [fact.ballot for fact in session.events() if isinstance(fact, BallotCast)]
    assert [ballot.choice for ballot in cast if ballot.agent == "Ada"] == ["Later", "Now"]
    assert ["Later" in voter.asked[1], "Later" in voter.asked[3], "Now" in voter.asked[4]] == [True] * 3
    assert voter.asked[0] not in voter.asked[1]


async def test_a_yes_beside_the_name_of_a_text_is_no_yes_to_how_a_vote_is_read(tmp_path: Path) -> None:
    """ "o2 ok" counted as a yes to the reading that it was to replace."""
    voter = Voter("o1", "later i guess", "o1 ok", "yes")
    async with Client(panel(tmp_path), elicitation_callback=voter) as client:
        await client.call_tool("debate", {**ASKED, "person": "Ada"})
    with Session.read(NAME, tmp_path) as session:
        cast = [fact.ballot for fact in session.events() if isinstance(fact, BallotCast)]
    assert [ballot.choice for ballot in cast if ballot.agent == "Ada"] == ["Now", "Now"]
    assert ["Later" in voter.asked[2], "Now" in voter.asked[3]] == [True] * 2


async def test_a_person_who_declines_abstains_and_one_whom_nobody_can_ask_is_refused(tmp_path: Path) -> None:
    voter = Voter(None, None)
    async with Client(panel(tmp_path), elicitation_callback=voter) as client:
        result = (await client.call_tool("debate", {**ASKED, "person": "Ada"})).structured_content
    assert all("Ada" not in who for who in result["tally"].values())
    async with Client(panel(tmp_path)) as client:
        refused = await client.call_tool("debate", {**ASKED, "person": "Ada"})
    assert refused.is_error
    assert session_names(tmp_path) == [NAME]


async def test_a_prompt_has_the_clients_model_hold_a_debate_on_what_is_at_hand(tmp_path: Path) -> None:
    async with Client(panel(tmp_path)) as client:
        (offered,) = (await client.list_prompts()).prompts
        plain, asked = [
            (await client.get_prompt("debate", given)).messages[0].content.text
            for given in ({}, {"question": "Move billing?", "panel": "product-decision"})
        ]
    assert (offered.name, [each.name for each in offered.arguments]) == ("debate", ["question", "panel"])
    assert not any(each.required for each in offered.arguments)
    assert "Move billing?" in asked
    assert "product-decision" in asked
    assert plain != asked
    assert all(f"`{name}`" in plain for name in ("debate", "options", "text", "person"))


async def test_a_client_that_gives_up_leaves_a_debate_that_goes_on_later(tmp_path: Path) -> None:
    """A call that nobody waits for any more would go on to cost money; one that is lost would have cost it."""
    said = Said()
    stalling = panel(tmp_path, runner=named_runner("stalling:Stalling"))
    async with Client(stalling) as client:
        calling = asyncio.create_task(client.call_tool("debate", ASKED, progress_callback=said))
        await said.three.wait()
        calling.cancel()
        await asyncio.wait([calling])
        assert isinstance(await last_fact(tmp_path), SessionPaused)
    async with Client(panel(tmp_path)) as client:
        result = (await client.call_tool("resume", {"session": NAME})).structured_content
        again = (await client.call_tool("resume", {"session": NAME, "max_messages": 10})).structured_content
    assert (result["state"], result["messages"], again["messages"]) == ("ended", 8, 10)


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("debate", {}, "'question' is missing. Arguments of debate: question, options, panel"),
        ("debate", {"topic": "x"}, "'topic' is no argument of debate"),
        ("debate", {"question": "Is it?", "max_messages": "many"}, "'max_messages' should be a whole number"),
        ("debate", {"question": "Is it?", "budget": 0}, "'budget' should be greater than 0"),
        ("debate", {"question": "Is it?", "panel": "produkt"}, "unknown panel 'produkt'. Known: architecture-review"),
        ("debate", {"question": "Is it?", "panel": "/etc/panel.toml"}, "unknown panel '/etc/panel.toml'"),
        ("debate", {"question": "Is it?", "personas": ["../x.md"]}, "unknown persona '../x.md'"),
        ("debate", {"question": "Is it?", "format": "./my.toml"}, "unknown format './my.toml'. Known: brainstorm"),
        ("debate", {"question": "Is it?", "options": ["one"]}, "one option is no choice. Give at least two, or none."),
        ("debate", {"question": "Is it?", "panel": "red-team", "personas": ["sceptic"]}, "cannot both be given"),
        ("debate", {"question": "Is it?", "text": "x" * 1_000_001}, "'text' should have at most 1000000 characters"),
        ("debate", {"question": "Is it?", "runner": "module:Class"}, "'runner' is no argument of debate"),
        ("resume", {"session": "nope"}, "unknown session 'nope'"),
        ("report", {"session": "../../etc"}, "'../../etc' is not a valid session name"),
        ("recall", {"session": NAME, "query": " "}, "there are no words to search for"),
    ],
)
async def test_a_bad_argument_is_told_with_what_to_do(
    tmp_path: Path, tool: str, given: dict[str, Any], told: str
) -> None:
    """A model that called the tool can only mend what it is told of."""
    async with Client(panel(tmp_path)) as client:
        result = await client.call_tool(tool, given)
    assert result.is_error
    assert told in result.content[0].text
    assert session_names(tmp_path) == []


async def test_no_client_spends_more_than_the_server_allows(tmp_path: Path) -> None:
    """Whoever pays sets the limit, and a model asks for what it likes."""
    async with Client(panel(tmp_path, budget=0.5)) as client:
        await client.call_tool("debate", {**ASKED, "budget": 100})
        await client.call_tool("debate", {**ASKED, "budget": 0.25})
    limits = []
    for name in (NAME, f"{NAME}-2"):
        with Session.read(name, tmp_path) as session:
            limits.append(progress_of(session).settings.max_cost)
    assert limits == [0.5, 0.25]


async def test_over_a_real_process_a_client_that_leaves_pauses_its_debate(tmp_path: Path) -> None:
    """An editor starts `eda mcp` itself, and closes its pipes without a word."""
    said = Said()
    command = ["-m", "eda", "mcp", "--runner", "./stalling.py:Stalling", "--sessions", str(tmp_path)]
    server = StdioServerParameters(command=sys.executable, args=command, cwd=str(Path(__file__).parent))
    async with Client(server) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        calling = asyncio.create_task(client.call_tool("debate", ASKED, progress_callback=said))
        await said.three.wait()
    await asyncio.wait([calling])
    assert names == ["debate", "resume", "ask", "recall", "report", "stress", "sessions"]
    assert isinstance(await last_fact(tmp_path), SessionPaused)


async def test_over_http_two_clients_debate_at_once(tmp_path: Path) -> None:
    async with over_http(panel(tmp_path)) as address, Client(address) as one, Client(address, mode="legacy") as two:
        both = await asyncio.gather(one.call_tool("debate", ASKED), two.call_tool("debate", ASKED))
    assert sorted(result.structured_content["session"] for result in both) == [NAME, f"{NAME}-2"]


async def test_over_http_only_who_has_the_token_is_answered(tmp_path: Path) -> None:
    """Every user of the machine could read reports, and have debates held at the owner's cost."""
    async with over_http(panel(tmp_path)) as address, httpx2.AsyncClient() as stranger:
        plain = address.partition("?")[0]
        for there, headers in ((plain, {}), (f"{plain}?token=x", {}), (plain, {"authorization": "Bearer x"})):
            assert (await stranger.post(there, json={}, headers=headers)).status_code == 401
        known = await stranger.post(plain, json={}, headers={"authorization": f"Bearer {TOKEN}"})
        assert known.status_code != 401


async def test_a_client_that_dies_without_a_word_pauses_its_debate(tmp_path: Path) -> None:
    """In the older protocol a lost connection cancels nothing: the debate would run on, at somebody's cost."""
    headers = {"accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "dies", "version": "1"}}
    call = {"name": "debate", "arguments": ASKED, "_meta": {"progressToken": 1}}

    def said(method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "method": method, "params": params, **more}

    async with over_http(panel(tmp_path, runner=named_runner("stalling:Stalling")), idle=0.2) as address:
        async with httpx2.AsyncClient(headers=headers) as dying:
            greeted = await dying.post(address, json=said("initialize", hello, id=1))
            dying.headers["mcp-session-id"] = greeted.headers["mcp-session-id"]
            await dying.post(address, json=said("notifications/initialized", {}))
            async with dying.stream("POST", address, json=said("tools/call", call, id=2)) as lines:
                async for line in lines.aiter_lines():
                    if "m3 " in line:
                        break
        assert isinstance(await last_fact(tmp_path), SessionPaused)


def test_the_command_refuses_what_cannot_work_before_a_client_comes(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for given, told in (
            (["--port", "1"], "--port is for --http"),
            (["--runner", "nobody"], "unknown runner 'nobody'"),
            (["--http", "--port", port, "--sessions", str(tmp_path)], f"cannot listen at 127.0.0.1, port {port}"),
        ):
            done = CliRunner().invoke(cli, ["mcp", *given])
            assert (done.exit_code in (1, 2), told in done.output) == (True, True), done.output


def test_the_runner_of_these_tests_is_found_by_its_name() -> None:
    assert isinstance(make_runner(named_runner(Stalling.spec)), Stalling)
