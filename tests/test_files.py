"""Files that users write: each kind is bounded, decoded and refused in the same words."""

from __future__ import annotations

import ast
import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import eda
from eda import Document, Library, load_agenda, read_document
from eda.cli.configuration import PROJECT_FILE, read_configuration
from eda.debate.prompts.texts import read_prompts
from eda.errors import EdaError, InputError
from eda.memory.patterns import PatternPack
from eda.panels.files import MAX_LINE, UserFile
from eda.panels.panel import load_panel
from eda.panels.persona import load_persona
from eda.runners.recorded import RecordedRunner
from eda.transcripts.read import read_transcripts

AS_TEXT = (load_persona, load_panel, lambda path: load_agenda(str(path)), read_document, PatternPack.from_toml)
BY_LINES = (read_transcripts, RecordedRunner)
Reader = Callable[[Path], object]


def refusal(read: Reader, path: Path) -> EdaError:
    with pytest.raises(EdaError) as caught:
        read(path)
    assert caught.value.exit_code == 2
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("read", [*AS_TEXT, *BY_LINES])
def test_a_path_that_leads_nowhere_is_named(tmp_path: Path, read: Reader) -> None:
    """Somebody who mistypes a path would read a traceback, or another sentence for each kind of file."""
    assert f"{tmp_path / 'none.toml'}: there is no such file" in str(refusal(read, tmp_path / "none.toml"))
    assert f"{tmp_path}: is a folder, and no file" in str(refusal(read, tmp_path))
    assert "/dev/null: is neither a file nor a pipe" in str(refusal(read, Path("/dev/null")))


@pytest.mark.parametrize("read", AS_TEXT)
def test_a_file_that_is_no_text_is_named_with_its_line(tmp_path: Path, read: Reader) -> None:
    """A picture given by mistake would fill every prompt."""
    path = tmp_path / "x.toml"
    path.write_bytes(b"a\nb\xff")
    assert f"{path}, line 2: is not UTF-8 text" in str(refusal(read, path))
    path.write_bytes("plan".encode("utf-16"))
    assert f"{path}, line 1: holds a zero byte, so it is no text" in str(refusal(read, path))


@pytest.mark.parametrize("read", AS_TEXT)
def test_a_file_is_read_up_to_its_bound(tmp_path: Path, read: Reader) -> None:
    """A log named by mistake would fill the memory."""
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * 1_000_001)
    assert "is larger than " in str(refusal(read, path))


def test_a_line_is_read_up_to_its_bound(tmp_path: Path) -> None:
    """A file without line ends would fill the memory."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b" " * (MAX_LINE + 1))
    assert "line 1: is larger than 16 MB" in str(refusal(RecordedRunner, path))


def test_prompts_are_read_like_other_files(tmp_path: Path) -> None:
    """Prompts saved by an editor of another system would be refused, or hold stray characters."""
    (tmp_path / "speak.md").write_bytes(b"\xef\xbb\xbfIt is your turn.\r\nSpeak.")
    assert UserFile(tmp_path / "speak.md", InputError).text() == "It is your turn.\nSpeak."
    (tmp_path / "speak.md").write_bytes(b"caf\xe9")
    assert "speak.md, line 1: is not UTF-8 text" in str(refusal(read_prompts, tmp_path))
    assert "there is no such folder" in str(refusal(read_prompts, tmp_path / "none"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a path")
def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    """`eda debate --context <(git log)` would be refused."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("Ship it.",))
    writer.start()
    assert read_document(path).text == "Ship it."
    writer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a path")
def test_a_pipe_in_a_folder_of_personas_is_not_waited_for(tmp_path: Path) -> None:
    """A listing of personas would hang until somebody writes into the pipe."""
    os.mkfifo(tmp_path / "x.md")
    assert Library(tmp_path).personas == Library().personas


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a path")
def test_a_pipe_is_no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command in an unpacked archive would wait."""
    monkeypatch.chdir(tmp_path)
    before = read_configuration()
    os.mkfifo(PROJECT_FILE)
    assert read_configuration() == before


def test_standard_input_is_a_file_like_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """`git log | eda debate --context -` would look for a file called `-`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Ship it.")))
    assert read_document(Path("-")) == Document("standard input", "Ship it.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 1_000_001)))
    assert "context file standard input: is larger than 1 MB" in str(refusal(read_document, Path("-")))


@pytest.mark.parametrize("text", ["a = " + "[" * 70 + "]" * 70, ".".join("a" * 70) + " = 1", "a = " + "[" * 9_000])
def test_a_table_nests_up_to_a_bound(tmp_path: Path, text: str) -> None:
    """What checks or prints a table would run out of stack, far from the file."""
    path = tmp_path / "x.toml"
    path.write_text(text)
    for read in (load_panel, lambda path: load_agenda(str(path)), PatternPack.from_toml):
        assert "nests too deep: more than 64 levels" in str(refusal(read, path))


def test_a_row_nests_up_to_a_bound(tmp_path: Path) -> None:
    """One such line would end the program with a traceback."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"speaker": "A", "text": "x", "more": ' + "[" * 90_000 + "]" * 90_000 + "}\n")
    for read in BY_LINES:
        assert "nests too deep" in str(refusal(read, path))


OWN_FILES = {
    "panels/files.py": "the reader itself",
    "session/": "the session's own files",
    "runners/recorded.py": "writes the recording",
    "report/overview.py": "the session's own files",
    "serve/search.py": "the sessions' own files",
    "serve/tool_box.py": "discards what a server prints",
    "study/freeze.py": "the study's own files, as in the next three",
    "study/page.py": "",
    "study/ledger.py": "the study's own ledger, and the user's",
    "panels/installer.py": "what the installer wrote",
    "study/tables.py": "",
    "cli/program.py": "opens the null device",
    "memory/snapshot.py": "EDA's own source",
    "words/catalogue.py": "the messages, data of the package",
    "runners/models.py": "data of the package, as all below",
    "runners/simulated/stance.py": "",
    "debate/minds.py": "",
    "debate/prompts/texts.py": "",
    "transcripts/findings.py": "",
    "report/verify.py": "files of a session's folder",
    "memory/patterns/conditions.py": "",
    "memory/minutes/remark_words.py": "",
    "voting/mentions.py": "",
    "memory/context/salience.py": "",
    "memory/sentences/claims.py": "",
    "report/forms.py": "its own page, and the session's log for its digest",
}
"""Who opens a file without the reader, and why: no user has named it."""
OPENS = {"open", "read_text", "read_bytes", "fdopen"}


def test_nobody_else_opens_a_file() -> None:
    """A second way to read has other bounds and other words, and sooner or later none."""
    package = Path(eda.__file__).parent
    strays, needed = [], set()
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package).as_posix()
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if any(name in text for name in (*OPENS, "tomllib")) else ():
            imports = isinstance(node, ast.Import) and any(name.name == "tomllib" for name in node.names)
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            of = ast.unparse(called.value) if name in OPENS and isinstance(called, ast.Attribute) else ""
            if imports or (name in OPENS and of not in ("Session", "voice", "file", "self", "editor", "webbrowser")):
                homes = [home for home in OWN_FILES if place.startswith(home)]
                needed.update(homes)
                strays += [] if homes else [f"{place}:{node.lineno}"]
    assert not strays
    assert needed == set(OWN_FILES)
