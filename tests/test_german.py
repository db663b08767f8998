"""A debate in German, played from its recording: no surface has an English word that is not a member's own."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from fluent.syntax import FluentParser, ast as ftl
from fluent.syntax.visitor import Visitor
from german_panel import ARGUMENTS, CALLS
from in_turn import in_one
from starlette.testclient import TestClient
from started import PLAIN, on_terminal
from told import Told

import eda
from eda import Debate, Settings
from eda.cli import cli
from eda.cli.options import one_of
from eda.cli.terminal.slash_commands import COMMANDS, Commands
from eda.debate.minds import movers
from eda.debate.replay import read_back
from eda.debate.result import Result
from eda.errors import UsageError
from eda.events import FloorGranted
from eda.memory.shown import motion_table
from eda.memory.table import in_quotes
from eda.panels.panel import Library
from eda.panels.registry import RULES
from eda.report.gather import messages_of
from eda.report.ledger import promises
from eda.report.phrases import ended_phrase, granted_phrase
from eda.runners.protocol import Prompt
from eda.serve.app import make_app
from eda.serve.ballot import question_lines
from eda.serve.host import Host
from eda.session import Session
from eda.words import Words

PACKAGE = Path(eda.__file__).parent
KEY = "k" * 20
WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*")
LITERAL = re.compile(r'"([^"\\\n]*)"|`([^`]*)`')
NAMES = "eda UTC tiny panel json md html session sessions german play recorded jsonl tests tmp"
"""What is no word of a language: commands, options, kinds of files and marks of ids."""


IDS = {"rule", "agent", "purpose", "model", "total", "german", "german-2"}
"""What begins a row of a table in a pipe whose cells are ids and figures."""


class _Texts(Visitor):
    """The words that messages print, without the names of their data."""

    def __init__(self) -> None:
        self.words: set[str] = set()

    def visit_TextElement(self, node: ftl.TextElement) -> None:  # noqa: N802 - fluent's name
        self.words |= words_of(node.value)

    def visit_StringLiteral(self, node: ftl.StringLiteral) -> None:  # noqa: N802
        self.words |= words_of(node.value)


def words_of(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


@cache
def catalogue(language: str) -> set[str]:
    texts = _Texts()
    for path in (PACKAGE / "words" / language).glob("*.ftl"):
        texts.visit(FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8")))
    own = (path.read_text(encoding="utf-8") for path in (PACKAGE / "debate" / "prompts" / language).glob("*.md"))
    return texts.words | words_of(" ".join(own))


def told(folder: Path) -> set[str]:
    """The words of the members: every text of the log that holds one of theirs."""
    with Session.read("german", folder) as session:
        started = session.started()
        texts = [started.question, *started.options]
        texts += [part for each in started.members for part in (each.title, each.role, each.description)]
    own = "".join(json.loads(line).get("text") or "" for line in CALLS.read_text(encoding="utf-8").splitlines())
    return words_of(" ".join(texts)) | words_of(own)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tmp")


@pytest.fixture(scope="module")
def pipe(folder: Path) -> str:
    """What the debate prints in a pipe."""
    return run(*ARGUMENTS, "--runner", f"recorded:{CALLS}", "--session", "german", "--sessions", str(folder))


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def strange(text: str, folder: Path) -> list[str]:
    """The words that are neither of the German catalogue, nor of a member, nor a name."""
    known = catalogue("de") | told(folder) | words_of(NAMES) | words_of(str(folder)) | words_of(str(CALLS))
    known |= words_of(" ".join(RULES.names()))
    links_and_dates = r"https?://\S+|--[a-z-]+|\x1b\[[0-9;?]*[a-zA-Z]|\b[0-9a-f]{12,}\b|\b\d+\. \w+ \d{4}\b"
    text = re.sub(links_and_dates, " ", text)
    return sorted({word.casefold() for word in WORD.findall(text)} - known)


VIEWS = {
    "show": ("show", "german"),
    "table": ("show", "german", "--table"),
    "tally": ("show", "german", "--tally"),
    "cost": ("show", "german", "--cost"),
    "quiet": ("show", "german", "--quiet"),
    "report": ("report", "german"),
    "sessions": ("sessions",),
    "diff": ("diff", "german", "german-2"),
}


def test_a_pipe(pipe: str, folder: Path) -> None:
    assert strange(pipe, folder) == []


@pytest.mark.parametrize("view", VIEWS)
def test_each_view(view: str, pipe: str, folder: Path) -> None:
    if view == "diff" and not (folder / "german-2").exists():
        run("fork", "german", "--at", "m8", "--session", "german-2", "--sessions", str(folder))
    command, *rest = VIEWS[view]
    shown = run(command, *rest, "--sessions", str(folder))
    if view in ("tally", "cost", "sessions"):  # rows for programs: the ids of kinds, purposes and states stand in them
        shown = "\n".join(line.split("\t")[-1] for line in shown.splitlines() if IDS.isdisjoint(line.split("\t")[:1]))
    assert strange(shown, folder) == []


def test_the_page(pipe: str, folder: Path) -> None:
    page = re.sub(r"(?s)<(style|script|svg).*?</\1>", " ", (folder / "german" / "report.html").read_text("utf-8"))
    shown = " ".join(re.findall(r'(?:title|aria-label|data-\w+)="([^"]*)"', page)) + re.sub(r"<[^>]*>", " ", page)
    assert strange(html.unescape(shown), folder) == []


ERRORS = (
    ("ask", "german", "Niemand", "Warum?"),
    ("fork", "german", "--at", "m99"),
    ("fork", "german", "--at", "m8", "--session", "german"),
    ("resume", "german"),
    ("edit", "german", "zz", "Neu"),
    ("steer", "german", "--set", "foo=1"),
    ("steer", "german", "--mute", "Niemand"),
    ("steer", "german", "--set", "max_messages=0"),
    ("vote", "german"),
    ("show", "german", "--from", "m99"),
)


@pytest.mark.parametrize("given", ERRORS, ids=" ".join)
def test_a_mistake_at_the_terminal_is_told_in_the_language_of_the_session(
    given: tuple[str, ...], pipe: str, folder: Path
) -> None:
    """Whoever reads a German debate would be told in English what to do next."""
    done = CliRunner().invoke(cli, [*given, "--sessions", str(folder)])
    assert done.exit_code
    assert done.stderr.startswith("Fehler: ")
    assert set(strange(done.stderr, folder)) <= words_of(" ".join(given)) | {"floor"}  # the id of a setting


def test_a_terminal(pipe: str, folder: Path) -> None:
    """A screen has what a pipe has not: what is going on now, and tables for people."""
    replay = (*ARGUMENTS, "--runner", f"recorded:{CALLS}", "--session", "german-3")
    views = (("show", "german", "--tally"), ("show", "german", "--cost"), ("show", "german"), ("sessions",))
    for given in (replay, *views):
        with on_terminal(folder, *given, "--sessions", str(folder), script=PLAIN, width=400) as terminal:
            terminal.type("\r")
            assert terminal.end() == 0
        assert "Lena" in terminal.shown
        assert "--tally" not in given or "plurality" not in terminal.shown
        assert strange(re.sub(r"\w+(?=[…─])", " ", terminal.shown), folder) == []  # words that a border cuts off


def test_the_commands_of_a_person_at_the_table(folder: Path, pipe: str) -> None:
    """The list of commands was English, and so was what a mistake in one was told."""
    debate, told = (
        Debate("Soll?", ["sceptic", "historian"], settings=Settings(language="de", max_messages=2)),
        list[str](),
    )
    debate.run_sync()
    commands = Commands(debate, "Lena", told.append, told.append)
    commands.run("/help")
    for line in ("/nix", "/hepl", "/note", "/resume"):
        with pytest.raises(UsageError) as raised:
            commands.run(line)
        told += Words("de").error(raised.value)
    assert set(strange(" ".join(told), folder)) <= {*COMMANDS, "nix", "hepl"}


def test_a_forecast(folder: Path, pipe: str) -> None:
    """What a debate would cost is asked before there is a session whose language is known."""
    given = ("Soll die Stadtbücherei öffnen oder schließen?", "--language", "de", "--dry-run", "--runner", "anthropic")
    given = (*given, "--max-messages", "4")
    with on_terminal(folder, "debate", *given, script=PLAIN, width=400) as terminal:
        terminal.type("\r")
        assert terminal.end() == 0
    assert "zusammen" in terminal.shown
    assert set(strange(terminal.shown, folder)) <= words_of("claude-sonnet claude-haiku schließen")


def test_a_notebook(pipe: str, folder: Path) -> None:
    with Session.read("german", folder) as session:
        shown = session._repr_html_()
        progress, memory = read_back(session)
        given = (progress.messages, progress.spent, (), "tiny", session)
        shown += Result("german", "Soll die Stadtbücherei öffnen?", "messages", progress.verdict, *given)._repr_html_()
        shown += motion_table(memory, Words("de"))
    assert strange(html.unescape(re.sub(r"<[^>]*>", " ", shown)), folder) == []


def test_the_pages_of_a_server(pipe: str, folder: Path) -> None:
    """The form for a new debate has the names of panels, formats, rules and floors in it."""
    host = Host(folder, "simulated", "product-decision", spoken=Words("de"))
    app = make_app(host, names=frozenset({"testserver"}), token=KEY)
    own = {"Origin": "http://testserver", "Authorization": f"Bearer {KEY}", "Accept": "text/html"}
    with TestClient(app, headers=own) as client:
        pages = [client.get(path).text for path in ("/", "/s/german", "/nirgends", "/s/niemand")]
        refused = [client.get("/nirgends", headers={"Accept": "*/*"}), client.get("/", headers={"Host": "other"})]
        refused += [client.post("/new", headers={"Origin": "http://other"})]
    people = words_of(" ".join(persona.title for persona in Library().personas.values()))
    assert [each.status_code for each in refused] == [404, 421, 403]
    for page in (*pages, *(each.text for each in refused)):
        text = re.sub(r"(?s)<(style|script|svg).*?</\1>", " ", page)
        labels = re.findall(r'(?:title|aria-label|placeholder)="([^"]*)"', text)
        shown = html.unescape(" ".join(labels) + re.sub(r"<[^>]*>", " ", text))
        assert set(strange(shown, folder)) <= people | {"esc"}


def test_a_lost_ballot_is_asked_for_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    """It was asked for in English, and with "du" in the words that stood there in German."""
    asked = Words("de").say("vote-typed", who="Ana", wrong="")
    assert asked.startswith("Ana, Ihr Stimmzettel. ")


@in_one("path", sorted((PACKAGE / "words" / "de").glob("*.ftl")))
def test_a_reader_is_addressed_as_sie(path: Path) -> None:
    """Half of a page would be on first-name terms with its reader."""
    kept = ("decisions-asking", "serving-prompt")  # words of a question, and what a person tells an assistant
    entries = FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8")).body
    texts = _Texts()
    for each in entries:
        if isinstance(each, ftl.Message) and each.id.name not in kept:
            texts.visit(each)
    assert texts.words & {"du", "dir", "dich", "dein", "deine", "deinen", "deiner", "euch", "euer", "eure"} == set()


def test_what_members_promise_and_what_would_change_a_mind_is_found(pipe: str, folder: Path) -> None:
    """In a German report both were missing: they were looked for in English."""
    report = json.loads((folder / "german" / "report.json").read_text("utf-8"))
    assert [(each["who"], each["message"]) for each in report["promised"]] == [("Lena", 9)]
    assert [(each["who"], each["message"]) for each in report["minds"]] == [("Paul", 8)]


@in_one(
    ("said", "promised"),
    [
        ("Bis zum 16. Januar lege ich die Liste vor.", True),
        ("Ich werde bis Ende März die Tests reparieren.", True),
        ("Am Montag rufe ich die Versicherung an.", True),
        ("Ich kümmere mich um die Vorlage.", True),
        ("Überlasst das mir.", True),
        ("Wenn wir uns einigen, schicke ich sie bis Montag.", False),
        ("Ich würde die Liste bis Freitag schicken.", False),
        ("Ich werde am Freitag dagegen stimmen.", False),
        ("Ich frage mich, ob wir das bis Freitag schaffen.", False),
        ("Ich stelle fest, dass der Winter bis März dauert.", False),
        ("Wir sind bis Mai fertig.", False),
    ],
)
def test_a_german_promise_is_a_first_person_with_a_date_or_words_that_need_none(said: str, promised: bool) -> None:
    """What a member might do would be held against it."""
    assert [each.quote for each in promises(messages_of(Told(talk=(("Ben", said),)).session))] == [said] * promised


@in_one(
    ("said", "moves"),
    [
        ("Ich würde zustimmen, wenn die Kosten gedeckelt wären.", True),
        ("Ein Versuch über ein ganzes Jahr würde mich umstimmen.", True),
        ("Umstimmen würden mich drei Winter ohne Frostschaden.", True),
        ("Mich könnten nur Zahlen aus dem Nachbarort überzeugen.", True),
        ("Umstimmen würden euch drei Winter ohne Frostschaden.", False),
        ("Meine Meinung ändert, wer zeigt, dass die Arbeit nicht an einem hängen bleibt.", True),
        ("Meine Meinung ändert eine Rechnung, die auch im Winter aufgeht.", True),
        ("Meine Meinung ändert das nicht.", False),
        ("Meine Meinung ändert sich nicht.", False),
        ("Zeigt mir einen Probelauf, und ich warte.", True),
        ("Ich stimme nur zu, wenn es eine Vorlesestunde gibt.", True),
        ("Würde ich zustimmen, wenn ihr zahlt?", False),
        ("Otto würde zustimmen, wenn es billiger wäre.", False),
        ("Ich könnte das nicht annehmen, wenn es mehr kostet.", False),
        ("Ich bin dafür, bis März zu zählen.", False),
        ("Das hat meine Meinung geändert.", False),
        ("Bis das Angebot da ist, warte ich ab.", True),
        ("Musik bis Mitternacht, da bin ich dabei!", False),
        ("Ohne Wenn und Aber, da bin ich dabei.", False),
    ],
)
def test_what_would_move_a_member_in_german_is_its_own_first_person(said: str, moves: bool) -> None:
    """A condition of somebody else's would be held out to whoever wants to win the member over."""
    told = messages_of(Told(talk=(("Ada", said),)).session)
    assert [each.text for each in movers(told, "Ada", "o1")] == [said] * moves


def test_the_minutes_and_the_log_have_names_of_their_own_and_no_majority_is_no_tie() -> None:
    """Both were "Protokoll", and 2, 1 and 1 votes were "unentschieden", which is German for a tie."""
    german = Words("de")
    assert "Protokoll" not in german.say("report-unsourced") + german.say("report-answered", at="m2", sourced=False)
    assert german.say("story-first", won=()) == "Erste Stimmen: ohne Ergebnis."


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "3 of 4 who put it first say how sure: 90% (median)."),
        ("de", "Von 4, die den Text an die erste Stelle setzten, geben 3 an, wie sicher: 90 % (Median)."),
    ],
)
def test_a_median_is_not_what_each_of_them_said(language: str, told: str) -> None:
    """Two said 90 %, one said 80 %, and all three were told to have said 90 %."""
    about = {"sure": 0.9, "count": 3, "of": 4, "all": False, "wordings": False}
    assert Words(language).say("report-stated", **about).replace("\u00a0", " ") == told


def test_a_person_is_asked_in_german_by_the_name_of_the_part_of_the_debate() -> None:
    """ "Sie haben das Wort (closing)", "oder none" and "in doubt" stood in a German debate."""
    german = Words("de")
    (asked,) = question_lines(Prompt(purpose="speak", agent="Lena", phase="closing"), german)
    assert "(Schlussworte)" in asked
    assert german.say("doubt-open", ids=["o1"], none=True) == "o1 oder 'keinen'"
    assert german.say("tally-kind", kind="in-doubt") == "unklar"


@pytest.mark.parametrize(("language", "told"), [("en", "“The hall” (o2)"), ("de", "„The hall“ (o2)")])
def test_the_title_of_a_text_stands_in_quotation_marks(language: str, told: str) -> None:
    """ "Sie sind für auf dem Ausflugsschiff (o3)" was no sentence."""
    assert Words(language).say("line-text", title="The hall", id="o2") == told


def test_a_table_for_readers_has_the_quotation_marks_of_their_language() -> None:
    assert in_quotes("Der Saal", words=Words("de")) == "„Der Saal“"
    assert in_quotes("The hall") == '"The hall"', "as prompts have it"


WANTED = Words("de").say(
    "votes-wanted", count=5, of=5, wordings=True, does="want", worded=True, exact=4, part=False, gone=""
)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (Words("de").say("screen-setting", kind="max_messages", was="16", now="26"), "Höchstzahl der Nachrichten: 16"),
        (ended_phrase("extended", words=Words("de")), "verlängert"),
        (Words("de").error(one_of("--human", "--dry-run"))[1], "Lassen Sie eines davon weg."),
        (granted_phrase(FloorGranted(agent="Ada", why="bid", urgency=0.95), Words("de")), "Dringlichkeit 0,95"),
        (Words("de").say("tally-under", won="o1", rules=["relative Mehrheit"]), "o1, laut Regel: relative Mehrheit"),
        (WANTED, "5 von 5 wollen eine Fassung davon, 4 davon diesen Text"),
    ],
)
def test_what_the_screen_of_a_resumed_session_says_is_german(told: str, shown: str) -> None:
    """It said "extended", "max_messages", "round-robin" and "Leave one of them out."."""
    assert told.startswith(shown)


@pytest.mark.usefixtures("pipe")
def test_the_rules_that_agree_are_told_by_their_german_names(folder: Path) -> None:
    done = CliRunner().invoke(cli, ["show", "german", "--tally", "--sessions", str(folder)])
    (line,) = (line for line in done.output.splitlines() if line.split("\t")[0] in ("agree", "disagree"))
    assert "absolute Mehrheit" in line
    assert "majority" not in line
