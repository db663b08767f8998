"""Files that users write: each kind is bounded, decoded and refused in the same words."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from eda import Library, load_agenda, read_document
from eda.debate.prompts.texts import read_prompts
from eda.debate.transcripts import read_transcripts
from eda.errors import EdaError, InputError
from eda.memory.patterns import PatternPack
from eda.panels.files import MAX_LINE, UserFile
from eda.panels.library import load_panel
from eda.panels.persona import load_persona
from eda.runners.recorded import RecordedRunner

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


@pytest.mark.parametrize("read", BY_LINES)
def test_a_line_is_read_up_to_its_bound(tmp_path: Path, read: Reader) -> None:
    """A file without line ends would fill the memory."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b" " * (MAX_LINE + 1))
    assert "line 1: is larger than 16 MB" in str(refusal(read, path))


def test_prompts_are_read_like_other_files(tmp_path: Path) -> None:
    """Prompts saved by an editor of another system would be refused, or hold stray characters."""
    (tmp_path / "speak.md").write_bytes(b"\xef\xbb\xbfIt is your turn.\r\nSpeak.")
    assert UserFile(tmp_path / "speak.md", InputError).text() == "It is your turn.\nSpeak."
    (tmp_path / "speak.md").write_bytes(b"caf\xe9")
    assert "speak.md, line 1: is not UTF-8 text" in str(refusal(read_prompts, tmp_path))
    assert "there is no such folder" in str(refusal(read_prompts, tmp_path / "none"))


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    """`eda debate --context <(git log)` would be refused."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("Ship it.",))
    writer.start()
    assert read_document(path).text == "Ship it."
    writer.join()


def test_a_pipe_in_a_folder_of_personas_is_not_waited_for(tmp_path: Path) -> None:
    """A listing of personas would hang until somebody writes into the pipe."""
    os.mkfifo(tmp_path / "x.md")
    assert Library(tmp_path).personas == Library().personas
