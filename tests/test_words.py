"""The catalogue of words: each message can be read, is used, and takes the same data in every language."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast as ftl
from fluent.syntax.visitor import Visitor
from in_turn import in_one
from told import Told, verdict_lines

import eda
from eda import Debate, Prompt, Reply, Settings
from eda.errors import UnknownNameError
from eda.events import MemberChanged, ModeratorSpoke, SessionPaused, SessionResumed, TurnPassed, VerdictReached
from eda.events.base import RecordFact
from eda.events.records import Cited
from eda.panels.settings import SETTINGS
from eda.report.forms import report_html, report_markdown
from eda.report.gather import report_of
from eda.runners.protocol import OnText
from eda.runners.simulated.runner import SimulatedRunner
from eda.serve.shown import line_of
from eda.text import one_line
from eda.words import ENGLISH, Words, languages

PACKAGE = Path(eda.__file__).parent
FOLDER = PACKAGE / "words"


class _Names(Visitor):
    """The variables and messages that a pattern names."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.messages: set[str] = set()

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:  # noqa: N802 - fluent's name
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node: ftl.MessageReference) -> None:  # noqa: N802
        self.messages.add(node.id.name)


@cache
def _entries(path: Path) -> list[ftl.EntryType]:
    return FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8")).body


def _names(node: ftl.BaseNode) -> _Names:
    names = _Names()
    names.visit(node)
    return names


@cache
def _messages(language: str) -> dict[str, ftl.Message]:
    """The messages of a language by their keys."""
    paths = sorted((FOLDER / language).glob("*.ftl"))
    return {each.id.name: each for path in paths for each in _entries(path) if isinstance(each, ftl.Message)}


def _parts(message: ftl.Message) -> dict[str, set[str]]:
    """The variables of a message's value and of each of its attributes."""
    parts = {each.id.name: _names(each).variables for each in message.attributes}
    return parts | ({"": _names(message.value).variables} if message.value else {})


def _data(message: ftl.Message, attr: str) -> set[str]:
    """The variables that a part of an English message is given, those of messages that it refers to among them."""
    part = next((each for each in message.attributes if each.id.name == attr), message.value)
    names = _names(part)
    return names.variables.union(*(_data(_messages("en")[key], "") for key in names.messages))


FILES = sorted(FOLDER.glob("*/*.ftl"))


@in_one("path", FILES)
def test_each_message_of_a_file_can_be_read(path: Path) -> None:
    """Fluent drops a message with a mistake in it without a word, and of two with one key takes the first."""
    entries = _entries(path)
    assert [each.content for each in entries if isinstance(each, ftl.Junk)] == []
    named = [each for each in entries if isinstance(each, ftl.Message | ftl.Term)]
    assert len(named) == len({(type(each), each.id.name) for each in named})
    keys = [each.id.name for each in named]
    assert [key for key in keys if key.partition("-")[0] != path.stem] == [], "a key begins with its file's name"


@pytest.mark.parametrize("language", languages()[1:])
def test_a_message_takes_the_same_data_in_every_language(language: str) -> None:
    """A variable that one language misspells would end a command for its readers alone."""
    english = _messages("en")
    for key, message in _messages(language).items():
        assert key in english, f"{language} has {key}, which English lacks"
        for attr, variables in _parts(message).items():
            assert variables <= _data(english[key], attr), key
        assert _parts(message).keys() == _parts(english[key]).keys(), key


@pytest.mark.parametrize("language", languages()[1:])
def test_a_language_has_every_message(language: str) -> None:
    """What a language lacks is said in English: amid German sentences it reads as a mistake."""
    assert [key for key in _messages("en") if key not in _messages(language)] == []


@cache
def _named() -> tuple[set[str], set[str]]:
    """The keys that code says, and all strings of code that have the form of a key."""
    keys: set[str] = set()
    strings: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "say":
                first = node.args[:1]
                keys |= {each.value for arg in first for each in ast.walk(arg) if _is_key(each)}
            if _is_key(node):
                strings.add(node.value)
    for path in (*PACKAGE.rglob("*.html*"), *PACKAGE.rglob("*.j2"), *PACKAGE.rglob("*.js")):
        strings |= set(re.findall(r"[\"'`]([a-z]+-[a-z-]+)[\"'`]", path.read_text(encoding="utf-8")))
    return keys, strings


def _is_key(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z]+-[a-z-]+", node.value) is not None
    )


def test_each_message_that_code_names_exists_and_each_message_is_used() -> None:
    """A misspelled key would end a command; a message that nothing says is translated in vain."""
    keys, strings = _named()
    english = _messages("en")
    assert sorted(keys - english.keys()) == []
    references = {"language-name"} | {key for message in english.values() for key in _names(message).messages}
    assert sorted(english.keys() - strings - references) == []


def test_a_reader_gets_the_language_that_was_asked_for() -> None:
    """Two readers of one server may want two languages; what a language lacks is said in English, not as a key."""
    assert languages()[0] == "en"
    for language in languages():
        assert Words(language).say("language-name") == {"en": "English", "de": "Deutsch"}[language]
    with pytest.raises(UnknownNameError):
        Words("xx")


def test_each_language_can_be_chosen() -> None:
    """A language whose messages lie beside the others, and that no debate can be held in, serves nobody."""
    assert SETTINGS["language"].choices == languages()


def test_lists_numbers_and_quotations_have_the_form_of_the_language() -> None:
    """`Ada, Ben, Cleo` and `„Warten“` in an English report read as a mistake."""
    deeds = {"deeds": ["Ada", "Ben", "Cleo"]}
    assert ENGLISH.say("dissent-deeds", **deeds) == "Ada, Ben and Cleo"
    assert Words("de").say("dissent-deeds", **deeds) == "Ada, Ben und Cleo"
    assert ENGLISH.say("dissent-deeds", deeds=[]) == ""


@pytest.mark.parametrize("quotation", ["Take “Wait”.", "Take „Wait“.", 'Take "Wait".'])
def test_a_quotation_within_a_quotation_has_marks_of_its_own(quotation: str) -> None:
    """`„Take “Wait”.“` ends twice."""
    german = Words("de").say("votes-quote", words=quotation)
    assert german.startswith("„Take ")
    assert german.endswith(".“")
    assert not re.search("[“”„]", german[1:-1])


def test_what_could_steer_a_terminal_does_not_come_through_a_message() -> None:
    """A proposal's words are data; one with an escape code would recolour the reader's screen."""
    words = "\x1b[31mWait\x1b[0m\na year\u202e"
    assert ENGLISH.say("dissent-deeds", deeds=words) == ENGLISH.say("dissent-deeds", deeds=one_line(words))
    assert "Wait a year" in ENGLISH.say("dissent-deeds", deeds=words)


def test_a_mistake_in_code_is_an_error_and_never_a_key_on_a_screen() -> None:
    """A screen that shows `dissent-deeds` or `{$text}` tells its reader nothing, and its author too late."""
    with pytest.raises(LookupError):
        ENGLISH.say("dissent-nobody-wrote-this")
    with pytest.raises(LookupError):
        ENGLISH.say("dissent-deeds", "tooltip", deeds="Wait")
    with pytest.raises(ValueError, match="deeds"):
        ENGLISH.say("dissent-deeds")
    with pytest.raises(TypeError):
        ENGLISH.say("dissent-deeds", deeds=None)


@pytest.mark.parametrize("language", languages())
def test_a_figure_of_one_is_one(language: str) -> None:
    """`1 points` reads as a mistake; the rules give their figures as 1.0."""
    for figure in (1, 1.0):
        one = Words(language).say("votes-figure", kind="points", figure=figure, wordings=False)
        assert one == {"en": "1 point", "de": "1 Punkt"}[language]
    half = {"en": "0.5 points", "de": "0,5 Punkte"}[language]
    assert Words(language).say("votes-figure", kind="points", figure=0.5, wordings=False) == half


class Heard(SimulatedRunner):
    """A panel that keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(repr(prompt))
        return await super().run(prompt, on_text)


@pytest.mark.parametrize(("language", "asked"), [("de", True), ("en", False)])
def test_members_are_asked_to_speak_the_language_of_the_debate(language: str, asked: bool) -> None:
    """A German debate in English serves nobody at its table; an English one pays for no further line."""
    runner = Heard()
    settings = Settings.model_validate({"max_messages": 4, "language": language})
    Debate("Umziehen?", ["sceptic", "historian"], runner, options=["Ja", "Nein"], settings=settings).run_sync()
    spoken = [prompt for prompt in runner.prompts if "You sit on a panel" in prompt]
    assert spoken
    assert {"Speak and write German" in prompt for prompt in spoken} == {asked}


def test_a_german_report_words_the_verdict_the_votes_and_the_dissent_in_german() -> None:
    """A German verdict with an English sentence in it reads as a mistake."""
    told = Told(settings=Settings(language="de")).votes()
    german = report_of(told.session, told.progress, told.memory)
    sentences = " ".join(re.sub("„[^“]*“", "", line) for line in german.verdict)
    assert not re.search(r"\b(the|panel|accepts?|first|votes?|against|changed)\b", sentences), sentences
    assert "## Ergebnis\n" in report_markdown(german)
    assert '<html lang="de">' in report_html(german, told.session, told.memory)
    pipe = " ".join(re.sub("„[^“]*“|“[^”]*”", "", line) for line in verdict_lines(told.verdict, Words("de"))[:1])
    assert not re.search(r"\b(majority rule|put it first|accepts?)\b", pipe)
    english = report_of(told.session, told.progress, told.memory, "en")
    assert len(english.verdict) == len(german.verdict), "the same facts"
    invented = replace(
        german,
        unproved=("Alle sind dafür.",),
        contradicted=((RecordFact("claim", message=1),),),
        dropped=(Cited("", 1, "Nie."),),
    )
    for sentence in (
        "Vom Modell gewählt und ausgelassen:",
        "ohne Abstimmung (m1)",
        "1 Zitat wurde ausgelassen: Es steht nicht in der Nachricht",
    ):
        assert sentence in report_markdown(invented)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_long_text_is_said_whole_and_never_read_as_a_message(language: str) -> None:
    """A proposal of a page ended verdict and report with a traceback; one with braces would have been filled in."""
    text = "Ship the { $text } thing { votes-text } " * 200
    said = Words(language).say("votes-text", kind="text", text=text, id="p3.0", by="Ada")
    assert text.strip().rstrip(".") in said


CODES = {
    "detectable",
    "equivalent",
    "floor",
    "kind",
    "least",
    "phase",
    "pooled",
    "purpose",
    "rule",
    "state",
    "status",
    "tokens",
    "why",
}
"""Variables that a message both prints and compares with a word: kinds, ids and figures, never anybody's name."""


class _Signs(Visitor):
    """The variables that are compared with words, and printed where they are none of these."""

    def __init__(self) -> None:
        self.variables: set[str] = set()

    def visit_SelectExpression(self, node: ftl.SelectExpression) -> None:  # noqa: N802 - fluent's name
        keys = [each.key.name for each in node.variants if isinstance(each.key, ftl.Identifier)]
        if isinstance(node.selector, ftl.VariableReference) and not {"one", "other"}.issuperset(keys):
            default = next(each for each in node.variants if each.default)
            self.variables |= {node.selector.id.name} & _names(default.value).variables
        self.generic_visit(node)


class _Variants(Visitor):
    """The words with which variables are compared; a plural is each language's own."""

    def __init__(self) -> None:
        self.keys: set[tuple[frozenset[str], str]] = set()

    def visit_SelectExpression(self, node: ftl.SelectExpression) -> None:  # noqa: N802 - fluent's name
        compared = frozenset(_names(node.selector).variables)
        keys = {each.key.name for each in node.variants if isinstance(each.key, ftl.Identifier)}
        self.keys |= {(compared, key) for key in keys - {"one", "other"}}
        self.generic_visit(node)


def _compared(message: ftl.Message) -> set[tuple[frozenset[str], str]]:
    variants = _Variants()
    variants.visit(message)
    return variants.keys


@pytest.mark.parametrize("language", languages()[1:])
def test_what_english_tells_apart_is_told_apart_in_every_language(language: str) -> None:
    """A kind that is added to English alone is worded as another one elsewhere, and no other test sees it."""
    english = _messages("en")
    assert [key for key, own in _messages(language).items() if not _compared(english[key]) <= _compared(own)] == []


def test_no_message_takes_a_name_for_a_sign() -> None:
    """A member called "own" or "none" would be nobody: `{ $by -> [none] ... *[other] by { $by } }`."""
    signs = _Signs()
    for language in languages():
        for message in _messages(language).values():
            signs.visit(message)
    assert signs.variables == CODES
    assert ENGLISH.say("screen-seat", change="muted", who="own", persona="", by="none") == "own is muted (by none)"
    asked = ENGLISH.say("seat-asked", seat="own", purpose="ballot", seconds=0, phase="vote")
    assert asked == "as own: your vote?"


def test_the_same_message_of_other_data_is_another() -> None:
    """Messages are kept by their data, and True is equal to 1."""
    asked = {"seat": "", "purpose": "ballot", "phase": "vote"}
    one, true = (ENGLISH.say("seat-asked", seconds=seconds, **asked) for seconds in (1, True))
    assert one == "your vote? within 1 s"
    assert true != one
    assert Words("de").say("seat-asked", seconds=1, **asked) != one
    assert ENGLISH.say("dissent-deeds", deeds=["a", "b"]) == ENGLISH.say("dissent-deeds", deeds=("a", "b")) == "a and b"


def test_the_lines_of_a_page_are_in_the_language_of_the_debate() -> None:
    """A German page would say in English who passed, paused and decided."""
    ballot = VerdictReached(rule="majority", outcome=None, tally={})
    facts = (
        SessionResumed(),
        SessionPaused(reason="stopped"),
        TurnPassed(who="Ada", why="passed"),
        MemberChanged(who="Ada", change="muted"),
        ModeratorSpoke(text="Weiter.", why="silence"),
        ballot,
    )
    for fact in facts:
        english, german = line_of(fact), line_of(fact, None, Words("de"))
        assert english is not None
        assert german is not None
        assert english.keys() == german.keys()
        assert english["text"] != german["text"], fact.type
