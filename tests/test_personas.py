"""Personas and panels: the shipped ones are worth seating, and a user's file is read or named as broken."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from in_turn import in_one
from pydantic import ValidationError

from eda import Debate, Reply, Settings
from eda.errors import PersonaError, UnknownNameError
from eda.panels.files import shipped
from eda.panels.panel import Library, Panel, check_seats, load_panel
from eda.panels.persona import MAX_BYTES, Persona, load_persona
from eda.runners.protocol import OnText, Prompt
from eda.runners.simulated.runner import SimulatedRunner

GOOD = """---
name: maya
description: Builds things.
eda:
  title: Maya
  role: engineer
  values: [small steps, tests]
  stubbornness: 0.25
---
You build things.
"""


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def persona(name: str = "maya", title: str = "Maya", **more: object) -> Persona:
    fields = {"name": name, "title": title, "role": "r", "description": "d", "instruction": "You are."}
    return Persona.model_validate(fields | more)


def refusal(path: Path) -> str:
    with pytest.raises(PersonaError) as caught:
        load_panel(path) if path.suffix == ".toml" else load_persona(path)
    return str(caught.value)


class Watched:
    """Answers as the simulated runner does, and keeps the prompts."""

    deterministic = True
    spec = "watched"

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []
        self._inner = SimulatedRunner()

    async def run(self, prompt: Prompt, on_text: OnText | None = None) -> Reply:
        self.prompts.append(prompt)
        return await self._inner.run(prompt, on_text)


def four_word_runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))
    return {tuple(words[start : start + 4]) for start in range(len(words) - 3)}


SHIPPED = Library()


# --- what is shipped


def own_personas(folder: Path) -> dict[str, Persona]:
    """Return the personas of a folder that can be read, without those that ship."""
    personas = Library(folder, strict=False).personas
    return {name: each for name, each in personas.items() if each is not SHIPPED.personas.get(name)}


def test_every_shipped_file_loads() -> None:
    """A fresh install could not list its own personas."""
    library = Library(strict=False)
    found = library.personas
    assert not library.errors
    assert len(found) >= 30
    assert len(SHIPPED.panels) >= 9
    assert all(path.stem in found for path in shipped("personas").glob("[a-z]*.md"))
    assert all(path.stem in SHIPPED.panels for path in (shipped("personas") / "panels").glob("*.toml"))


def test_what_ships_reads_the_same_in_a_folder_of_a_user(tmp_path: Path) -> None:
    """What ships is read by another reader of YAML: a copy of it would be another persona."""
    for path in shipped("personas").glob("[a-z]*.md"):
        assert load_persona(write(tmp_path, path.name, path.read_bytes())) == load_persona(path)


def test_shipped_titles_are_distinct_and_short() -> None:
    """A reader could not tell who spoke."""
    titles = [one.title for one in SHIPPED.personas.values()]
    assert len({title.casefold() for title in titles}) == len(titles)
    assert all(len(title) <= 12 and " " not in title for title in titles)


@in_one("name", sorted(SHIPPED.panels))
def test_every_member_of_a_shipped_panel_exists(name: str) -> None:
    """Choosing a panel that comes with the program would fail on its first line."""
    members = SHIPPED.members(name)
    assert 4 <= len(members) <= 6
    assert [one.name for one in members] == list(SHIPPED.panels[name].members)


@in_one("one", SHIPPED.personas.values())
def test_a_shipped_persona_is_complete(one: Persona) -> None:
    """The simulated runner would have nothing of this persona's own to say."""
    assert 3 <= len(one.values) <= 6
    assert 3 <= len(one.fears) <= 6
    assert 2 <= len(one.moved_by) <= 5
    assert 4 <= len(one.openers) <= 8
    assert all(opener.endswith(",") for opener in one.openers), "a clause is to follow"
    assert one.voice
    assert 100 <= len(one.instruction.split()) <= 190
    assert re.search(r"\b[Yy]ou\b", one.instruction)


def test_no_two_personas_sound_alike() -> None:
    """The panel would be one voice with several names."""
    repeated_in_bodies = []
    for one, two in itertools.combinations(SHIPPED.personas.values(), 2):
        openers = [set().union(*map(four_word_runs, who.openers)) for who in (one, two)]
        assert not openers[0] & openers[1], (one.name, two.name)
        assert not set(one.openers) & set(two.openers), (one.name, two.name)
        assert not set(one.values + one.fears) & set(two.values + two.fears), (one.name, two.name)
        repeated_in_bodies += four_word_runs(one.instruction) & four_word_runs(two.instruction)
    assert len(repeated_in_bodies) <= 3, repeated_in_bodies


def test_openers_make_no_moves() -> None:
    """The simulated runner's small talk would be found as proposals and decisions."""
    moves = re.compile(r"\b(agree|propos|suggest|decid|recommend|support|oppose|consensus|approve)", re.IGNORECASE)
    assert not [o for one in SHIPPED.personas.values() for o in one.openers if moves.search(o)]


# --- agent files of Claude Code

REVIEWER = """---
name: code-reviewer
description: Reviews code for quality. Use PROACTIVELY after a change, e.g. "look at my diff".
tools: Read, Grep, Glob, Bash
model: inherit
color: cyan
effort: high
permissionMode: plan
mcpServers:
  - slack: {command: npx}
---

You are a senior code reviewer.

## Checklist
- Names say what they mean
"""
TEST_RUNNER = (
    "---\nname: test-runner\n"
    "description: Use this agent when tests must run: after edits, before a pull request. Examples:\\n\\n"
    '<example>\\nContext: user changed code.\\nuser: "I changed the parser"\\nassistant: "I will run it: now"\\n'
    "</example>\nmodel: 'sonnet'\ncolor: red\n---\nYou run tests and report.\n"
)
MANY_LINES = """---
name: doc-writer
description: Use this agent when docs lag: always.
<example>
Context: an API changed
name: not-the-name
user: "docs?"
</example>
tools: *
---
You write docs.
"""


def test_a_folder_of_claude_code_agents_works_unchanged(tmp_path: Path) -> None:
    """Somebody with a folder full of agents would have to rewrite each of them."""
    write(tmp_path, "code-reviewer.md", REVIEWER)
    write(tmp_path, "qa/test-runner.md", TEST_RUNNER)
    write(tmp_path, "doc-writer.md", b"\xef\xbb\xbf" + MANY_LINES.replace("\n", "\r\n").encode())
    write(tmp_path, "README.md", "# My agents\n")
    write(tmp_path, ".git/note.md", "no persona")
    found = own_personas(tmp_path)
    assert set(found) == {"code-reviewer", "test-runner", "doc-writer"}
    reviewer, runner, writer = found["code-reviewer"], found["test-runner"], found["doc-writer"]
    assert (reviewer.title, reviewer.role) == ("Code reviewer", "Reviews code for quality")
    assert (reviewer.model, reviewer.color) == ("inherit", "cyan")
    assert reviewer.instruction.startswith("You are a senior")
    assert reviewer.instruction.endswith("mean")
    assert reviewer.openers == reviewer.values == reviewer.fears == ()
    assert runner.role == "member of the panel"
    assert "<example>\nContext: user changed code.\nuser: " in runner.description
    assert (runner.model, runner.color) == ("sonnet", "red")
    assert writer.description.startswith("Use this agent when docs lag: always.\n<example>")
    assert writer.instruction == "You write docs."


@pytest.mark.parametrize(
    ("description", "role"),
    [
        ("Writes notes. Use it often.", "Writes notes"),
        ("Writes notes, e.g. for releases.", "Writes notes, e.g. for releases"),
        ("Writes notes Examples: <example>Context: x</example>", "Writes notes"),
        ("<example>Context: x</example>", "member of the panel"),
    ],
)
def test_the_role_is_the_first_sentence_of_the_description(tmp_path: Path, description: str, role: str) -> None:
    """The list of members would show a page where a line belongs."""
    path = write(tmp_path, "a.md", f"---\nname: code-reviewer\ndescription: {description}\n---\nYou review.")
    assert load_persona(path).role == role


BODY = "# Growth PM\n\nWelcome. You are a **growth product manager** who owns activation. You answer in numbers.\n"
GROWTH = "a growth product manager who owns activation"


@pytest.mark.parametrize(
    ("description", "body", "role"),
    [
        ("Use this agent when a funnel leaks.", BODY, GROWTH),
        ("Use this agent to grow sign-ups. Examples: <example>x</example>", BODY, GROWTH),
        ("Use PROACTIVELY for pricing.", BODY, GROWTH),
        ("MUST BE USED before a launch.", BODY, GROWTH),
        ("This agent should be used for funnels.", BODY, GROWTH),
        ("Expert in funnels. Use PROACTIVELY after a launch.", BODY, "Expert in funnels"),
        ("Use when funnels leak. Growth expert of ten years.", BODY, "Growth expert of ten years"),
        ("Growth expert - use this agent when funnels leak", BODY, "Growth expert"),
        ("Growth expert (use for funnels)", BODY, "Growth expert"),
        ("Use of evidence is what it watches.", BODY, "Use of evidence is what it watches"),
        ("Use when funnels leak.", "As a growth lead, you find leaks.", "a growth lead"),
        ("Use when funnels leak.", "Act as the devil's advocate.", "the devil's advocate"),
        ("Use when funnels leak.", "Find leaks.", "member of the panel"),
    ],
)
def test_when_to_use_an_agent_is_not_its_role(tmp_path: Path, description: str, body: str, role: str) -> None:
    """Each prompt would begin with "You are Growth Pm, Use this agent when ..."."""
    text = f"---\nname: growth-pm\ndescription: {description}\n---\n{body}"
    one = load_persona(write(tmp_path, "growth-pm.md", text))
    assert (one.title, one.role) == ("Growth PM", role)
    assert one.description == description, "who picks a panel still reads when to seat it"


def test_the_prompts_of_an_agent_file_begin_with_a_sentence(tmp_path: Path) -> None:
    """A model would be told first of all that it is "Use this agent when ..."."""
    for name in ("growth-pm", "qa-lead"):
        text = f"---\nname: {name}\ndescription: Use this agent when it matters.\n---\n{BODY}"
        write(tmp_path, f"{name}.md", text)
    runner = Watched()
    members = [*own_personas(tmp_path).values()]
    Debate("Do we ship?", members, runner, settings=Settings(max_messages=4)).run_sync()
    own = "".join(prompt.text for prompt in runner.prompts)
    assert f"You are Growth PM, {GROWTH}." in own
    assert "Use this agent" not in own


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("growth-pm", "Growth PM"),
        ("security-reviewer", "Security reviewer"),
        ("ios-developer", "iOS developer"),
        ("ui-ux-designer", "UI UX designer"),
        ("cto", "CTO"),
        ("sql-api-expert", "SQL API expert"),
        ("ai-ml-engineer", "AI ML engineer"),
        ("devops-lead", "DevOps lead"),
        ("vp-of-hr", "VP of HR"),
        ("it-seo-qa", "IT SEO QA"),
        ("mail-piper", "Mail piper"),
    ],
)
def test_a_title_made_of_a_name_keeps_acronyms(tmp_path: Path, name: str, title: str) -> None:
    """The list of members would read as if a program had written it."""
    text = f"---\nname: {name}\ndescription: d\n---\nYou."
    assert load_persona(write(tmp_path, "a.md", text)).title == title


def test_a_persona_is_made_in_python_as_in_a_file() -> None:
    """Somebody who builds a panel in code would have to write a file for each member."""
    whole = Persona(name="ada", title="Ada", role="economist", description="Counts.", instruction="You count.")
    assert (whole.title, whole.role, whole.instruction) == ("Ada", "economist", "You count.")
    short = Persona.model_validate(
        {"name": "growth-pm", "description": "Use when it leaks.", "instruction": "You are a growth lead."}
    )
    assert (short.title, short.role) == ("Growth PM", "a growth lead")
    assert Persona.model_validate(short.model_dump()) == short


def test_a_long_first_sentence_makes_a_short_role(tmp_path: Path) -> None:
    """The list of members would be drowned by one of them."""
    text = REVIEWER.replace("Reviews code for quality.", "Reviews " + "very " * 60 + "much.")
    assert len(load_persona(write(tmp_path, "a.md", text)).role) <= 100


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("---\n", "---  \t\n"),
        lambda text: "\n" + text,
        lambda text: text.replace("eda:", "any: {a: [1]}\nsince: 2024-99-99\nday: 2024-01-01\n? [x]\n: !own 3\neda:"),
    ],
    ids=["bom", "crlf", "trailing-space", "blank-line", "other-keys"],
)
def test_how_a_file_was_saved_does_not_matter(tmp_path: Path, change: object) -> None:
    """A persona written on another system would be refused."""
    assert callable(change)
    plain = load_persona(write(tmp_path, "plain.md", GOOD))
    assert load_persona(write(tmp_path, "changed.md", change(GOOD))) == plain
    assert (plain.values, plain.stubbornness, plain.talkativeness) == (("small steps", "tests"), 0.25, 0.5)


# --- broken files


def test_a_tab_is_told_from_a_missing_quote(tmp_path: Path) -> None:
    """The advice to put quotes around a text sends whoever indented with a tab to the wrong place."""
    with pytest.raises(PersonaError) as raised:
        load_persona(write(tmp_path, "maya.md", GOOD.replace("  title", "\ttitle")))
    assert raised.value.hint == "Indent with spaces."


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (GOOD.replace("values", "valeus"), 7, "'valeus' is no key of 'eda:'; did you mean 'values'?"),
        ("\n\n" + GOOD.replace("values", "valeus"), 9, "did you mean 'values'?"),
        (GOOD.replace("[small steps, tests]", "speed"), 7, "'values' should be a list"),
        (GOOD.replace("[small steps, tests]", "\n  - a\n  - b\n  - c: d"), 10, "item 3 of 'values' should be text"),
        (GOOD.replace("0.25", "1.5"), 8, "'stubbornness' should be less than or equal to 1"),
        (GOOD.replace("0.25", "yes"), 8, "'stubbornness' should be a number"),
        (GOOD.replace("0.25", ".nan"), 8, "'stubbornness' should be"),
        (GOOD.replace("title: Maya", "title: 7"), 5, "'title' should be text"),
        (GOOD.replace("title: Maya", 'title: " "'), 5, "'title' is empty"),
        (GOOD.replace("title: Maya", f"title: {'x' * 121}"), 5, "'title' is longer than 120 characters"),
        (GOOD.replace("name: maya", f"name: {'x' * 65}"), 2, "'name' should have at most 64 characters"),
        (GOOD.replace("name: maya", "name: Maya B"), 2, "'Maya B' is not made of lowercase letters"),
        (GOOD.replace("name: maya\n", ""), 1, "'name' is missing"),
        (GOOD.replace("description: Builds things.\n", ""), 1, "'description' is missing"),
        (GOOD.replace("You build things.\n", ""), 9, "there is no instruction"),
        (GOOD.replace("role: engineer", "role: 'engineer"), 6, "no valid YAML"),
        (GOOD.replace("role: engineer", "role: a: b"), 6, "no valid YAML"),
        (GOOD.replace("role: engineer", "role: &a x\n  voice: *a"), 7, "aliases"),
        (GOOD.replace("role: engineer", "role: !!int x"), 5, "no valid YAML: invalid literal"),
        ("---\nname: a\ndescription: d\neda: loud\n---\nYou.", 4, "'eda:' holds no keys"),
        ("---\n- a\n---\nYou.", 2, "no list of 'key: value' lines"),
        ("---\nname: a\n", 1, "never closes"),
        ("# Maya\n", 1, "does not begin with front matter"),
        ("", 1, "does not begin with front matter"),
        (b"---\nname: a\ndescription: caf\xe9\n---\nYou.", 3, "is not UTF-8"),
        (b"---\nname: a\n---\n\x00\x01", 4, "zero byte"),
        (MANY_LINES.replace("name: doc-writer", "name: Doc Writer"), 2, "'Doc Writer' is not made of"),
    ],
)
def test_a_broken_persona_is_named_with_line_and_reason(
    tmp_path: Path, text: str | bytes, line: int, reason: str
) -> None:
    """Somebody would hunt through a file for a fault that the program had seen."""
    path = write(tmp_path, "maya.md", text)
    said = refusal(path)
    assert said.startswith(f"{path}, line {line}: ")
    assert reason in said
    assert "\n" not in said


def test_files_that_cannot_be_read_at_all_are_named(tmp_path: Path) -> None:
    """A wrong path or a huge file would end in a traceback."""
    assert "there is no such file" in refusal(tmp_path / "none.md")
    assert "larger than 256 kB" in refusal(write(tmp_path, "big.md", GOOD + "x" * MAX_BYTES))
    with pytest.raises(PersonaError, match="there is no such folder"):
        Library(tmp_path / "none", strict=False)


def test_nesting_and_growing_yaml_is_refused_quickly(tmp_path: Path) -> None:
    """A persona from a stranger could exhaust the machine."""
    assert "nests too deep" in refusal(write(tmp_path, "deep.md", GOOD.replace("[small steps, tests]", "[" * 20_000)))
    bomb = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(5))
    assert "aliases" in refusal(write(tmp_path, "bomb.md", GOOD.replace("eda:", bomb + "eda:")))


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda s: f"---\nname: a\n{s}\n---\nx".encode()))
def test_any_bytes_make_a_persona_or_a_clean_refusal(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    """Some odd file would crash the program with an error meant for its authors."""
    path = write(tmp_path_factory.getbasetemp(), "fuzz.md", raw)
    try:
        found = load_persona(path)
    except PersonaError as error:
        found, said = None, str(error)
    if found is None:
        assert said.startswith(str(path))
    else:
        assert Persona.model_validate_json(found.model_dump_json()) == found


def test_one_broken_file_does_not_hide_the_rest(tmp_path: Path) -> None:
    """A list of personas would be empty for the sake of one typing error."""
    write(tmp_path, "a.md", GOOD.replace("role:", "rool:"))
    write(tmp_path, "b.md", GOOD)
    write(tmp_path, "c.md", GOOD.replace("title: Maya", "title: Other"))
    write(tmp_path, "panels/p.toml", "name = 3")
    personas, errors = own_personas(tmp_path), Library(tmp_path, strict=False).errors
    assert set(personas) == {"maya"}
    assert "did you mean 'role'?" in str(errors[0])
    assert all(name in str(errors[1]) for name in ("b.md", "c.md"))
    assert [type(error) for error in Library(tmp_path, strict=False).errors] == [PersonaError] * 3
    with pytest.raises(PersonaError, match=r"a\.md, line 6"):
        Library(tmp_path)


PANEL = 'name = "mine"\ntitle = "Mine"\ndescription = """\nmembers = 3\n"""\nmembers = ["sceptic", "maya"]\n'


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (PANEL + "member = []\n", 7, "'member' is no key of a panel; did you mean 'members'?"),
        (PANEL + "\n[defaults]\nflor = 'bidding'\n", 9, "'flor' is no key of '[defaults]'; did you mean 'floor'?"),
        (PANEL + "[defaults]\nfloor = 'loudest'\n", 8, "'floor' should be 'bidding', 'round-robin', 'random'"),
        (PANEL + "[defaults]\nfloor = 'random'\nmax_messages = 0\n", 9, "'max_messages' should be greater"),
        (PANEL + "defaults = 3\n", 7, "'defaults' is no table"),
        (PANEL.replace('["sceptic", "maya"]', '["sceptic"]'), 6, "'members' should have at least 2 items"),
        (PANEL.replace('["sceptic", "maya"]', '["sceptic", 3]'), 6, "item 2 of 'members' should be text"),
        (PANEL.replace('"mine"', '"My panel"'), 1, "'My panel' is not made of lowercase letters"),
        (PANEL.replace('name = "mine"\n', ""), 1, "'name' is missing"),
        (PANEL + "floor = \n", 7, "is no valid TOML"),
        (PANEL + 'x = """', 7, "is no valid TOML"),
        (b"name = '\xe9'", 1, "is not UTF-8"),
    ],
)
def test_a_broken_panel_is_named_with_line_and_reason(
    tmp_path: Path, text: str | bytes, line: int, reason: str
) -> None:
    """Somebody would hunt through a panel file for a fault that the program had seen."""
    path = write(tmp_path, "mine.toml", text)
    said = refusal(path)
    assert said.startswith(f"{path}, line {line}: ")
    assert reason in said


# --- the library


def test_a_persona_is_found_by_name_or_title_whatever_the_case() -> None:
    """`--agents Maya` would fail for somebody who reads titles on the screen."""
    maya = SHIPPED.persona("pragmatic-engineer")
    for name in ("Maya", "MAYA", " maya ", "Pragmatic Engineer", "pragmatic_engineer"):
        assert SHIPPED.persona(name) == maya
    assert SHIPPED.panel("Red Team") == SHIPPED.panel("red-team")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("sceptik", "sceptic"), ("maja", "Maya"), ("ECONOMISTS", "economist"), ("engin", "pragmatic-engineer")],
)
def test_an_unknown_name_suggests_the_nearest(wrong: str, right: str) -> None:
    """A typing error would cost a search through the documentation."""
    with pytest.raises(UnknownNameError) as caught:
        SHIPPED.persona(wrong)
    assert right in caught.value.hint
    with pytest.raises(UnknownNameError) as caught:
        SHIPPED.panel("red-teem")
    assert "red-team" in caught.value.hint


def test_a_later_folder_wins(tmp_path: Path) -> None:
    """Somebody's own version of a persona would be ignored without a word."""
    mine = GOOD.replace("name: maya", "name: sceptic")
    write(tmp_path / "one", "s.md", mine)
    write(tmp_path / "two", "s.md", mine.replace("You build things.", "You build more."))
    write(tmp_path / "two", "panels/p.toml", PANEL.replace('"maya"', '"economist"'))
    library = Library(tmp_path / "one", None, tmp_path / "two")
    assert library.persona("sceptic").instruction == "You build more."
    assert library.persona("Maya").name == "sceptic"
    assert [one.name for one in library.members("mine")] == ["sceptic", "economist"]
    assert len(library.personas) == len(SHIPPED.personas)


def test_a_panel_with_a_member_nobody_knows_says_so() -> None:
    """The debate would begin with an empty chair."""
    fields = {"name": "p", "title": "P", "description": "d", "members": ("sceptic", "economyst")}
    with pytest.raises(UnknownNameError, match=r"'p'.*'economyst'") as caught:
        SHIPPED.members(Panel.model_validate(fields))
    assert "economist" in caught.value.hint


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (persona("maya", "Maya"), persona("maya-two", "MAYA")),
        (persona("maya", "Maya"), persona("maya", "Other")),
        (persona("maya", "First"), persona("second", "Maya")),
    ],
)
def test_two_members_that_cannot_be_told_apart_are_both_named(one: Persona, two: Persona) -> None:
    """One would be credited with the other's words."""
    with pytest.raises(PersonaError) as caught:
        check_seats([one, persona("x", "X"), two])
    assert all(f"'{who.name}' ({who.title})" in str(caught.value) for who in (one, two))


def test_shipped_folder_is_the_checkout_not_a_stale_copy() -> None:
    """An edited persona would not be the one that speaks."""
    assert shipped("personas") == Path(__file__).resolve().parent.parent / "personas"


def test_an_installed_copy_finds_its_personas(tmp_path: Path) -> None:
    """In a wheel the personas lie in the package, and no source tree is beside it."""
    root = Path(__file__).resolve().parent.parent
    package = tmp_path / "site" / "eda"
    shutil.copytree(root / "eda", package)
    shutil.copytree(root / "personas", package / "personas")
    code = "from eda.panels.panel import *; print(shipped('personas'), len(Library().personas))"
    env = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [str(package / "personas"), str(len(SHIPPED.personas))]


# --- a persona as data


@in_one("one", SHIPPED.personas.values())
def test_a_persona_survives_the_log(one: Persona) -> None:
    """A resumed session would seat somebody else."""
    assert Persona.model_validate_json(one.model_dump_json()) == one
    assert Persona.model_validate(json.loads(one.model_dump_json())) == one


def test_a_persona_does_not_change_and_takes_no_stray_key() -> None:
    """What the log says was seated would not be what spoke."""
    one = persona()
    with pytest.raises(ValidationError):
        one.title = "Other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        persona(mood="bright")


def test_markup_is_kept_and_control_characters_do_not_reach_the_screen(tmp_path: Path) -> None:
    """A persona from a stranger could paint over the terminal, or write a second line in another's name."""
    text = GOOD.replace("title: Maya", 'title: "[red]Ma\\e[31mya\\nRuth: yes\\u202e"')
    text = text.replace("Builds things.", "Builds \x1b]0;pwned\x07 [bold]things[/bold].")
    text = text.replace("You build", "You [link=x]build\x1b[2J")
    one = load_persona(write(tmp_path, "a.md", text))
    assert one.title == "[red]Ma[31mya Ruth: yes"
    assert one.description == "Builds ]0;pwned [bold]things[/bold]."
    assert one.instruction == "You [link=x]build\x1b[2J things."
    assert load_persona(write(tmp_path, "b.md", text.replace("engineer", '"a\\tb\\r"'))).role == "a b"


def test_a_panel_that_is_edited_or_removed_is_read_anew(tmp_path: Path) -> None:
    """Whoever edits a panel while a program runs would debate with the panel of before."""
    (tmp_path / "panels").mkdir()
    file = tmp_path / "panels" / "mine.toml"
    own = (shipped("personas") / "panels" / "red-team.toml").read_text("utf-8").replace("red-team", "mine")
    file.write_text(own, "utf-8")
    before = Library(tmp_path).panel("mine")
    file.write_text(own.replace(f'"{before.members[0]}"', '"sceptic"'), "utf-8")
    assert Library(tmp_path).panel("mine").members[0] == "sceptic" != before.members[0]
    file.unlink()
    assert "mine" not in Library(tmp_path).panels


def test_importing_personas_stays_cheap() -> None:
    """Every command, even `--help`, would wait for libraries that it does not use."""
    code = "import sys, eda.panels; print(sorted({'rich', 'anthropic', 'httpx', 'pyee'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_panel_by_its_path_is_for_who_asks_for_files(tmp_path: Path) -> None:
    """A page or another program that names a panel would read any file of the machine."""
    path = write(
        tmp_path, "ours.toml", 'name = "ours"\ntitle = "O"\ndescription = "d"\nmembers = ["sceptic", "economist"]\n'
    )
    one = write(tmp_path, "maya.md", GOOD)
    assert SHIPPED.panel(str(path), files=True).members == ("sceptic", "economist")
    assert SHIPPED.persona(str(one), files=True).title == "Maya"
    for find, name in ((SHIPPED.panel, path), (SHIPPED.persona, one)):
        with pytest.raises(UnknownNameError):
            find(str(name))
