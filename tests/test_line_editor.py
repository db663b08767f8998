"""The line that is typed, key by key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from eda.cli.terminal.line_editor import LineEditor


def typed(*keys: str | bytes) -> tuple[list[str | None], str]:
    editor = LineEditor()
    done = [line for key in keys for line in editor.feed(key if isinstance(key, bytes) else key.encode())]
    return done, editor.text


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["hello\r"], "hello"),
        (["h", "e", "y", "\r"], "hey"),
        (["helo\x1b[Dl\r"], "hello"),
        (["helo\x1b", "[", "Dl\r"], "hello"),
        (["hello\x7f\x08p!\r"], "help!"),
        (["one two three\x17\x17four\r"], "one four"),
        (["wrong\x15right\r"], "right"),
        (["wrong\x01\x0bright\r"], "right"),
        (["bc\x1b[Ha\x1b[Fd\r"], "abcd"),
        (["abc\x1b[D\x1b[D\x1b[3~\r"], "ac"),
        (["abc\x1b[D\x04\r"], "ab"),
        (["na\u00efve caf\u00e9\r".encode()[:4], "na\u00efve caf\u00e9\r".encode()[4:]], "na\u00efve caf\u00e9"),
        (["tab\there\r"], "tab here"),
        (["bell\x07\x00\x1b[15~\r"], "bell"),
        (["\x1b[200~one\r\ntwo\x1b[201~\r"], "one\n\ntwo"),
    ],
)
def test_keys_make_a_line(keys: list[str | bytes], line: str) -> None:
    """Whoever mistypes must be able to mend it as everywhere else."""
    assert typed(*keys) == ([line], "")


def test_lines_that_arrive_together_are_apart() -> None:
    """A program that types for somebody is quicker than they are; a command must not end up in a message."""
    assert typed("one\r/next\r") == (["one", "/next"], "")


def test_ctrl_d_closes_an_empty_line_only() -> None:
    """Leaving the table in the middle of a word is never meant."""
    assert typed("\x04") == ([None], "")
    assert typed("word\x04") == ([], "word")


def test_earlier_lines_come_back() -> None:
    """The question that nobody answered is asked again with two keys."""
    assert typed("first\r", "second\r", "\x1b[A\x1b[A\r", "\x1b[A\x1b[B\r")[0] == ["first", "second", "first", ""]


@given(st.lists(st.binary(max_size=12), max_size=20), st.integers(3, 80))
def test_any_bytes_leave_a_line_that_fits(pieces: list[bytes], width: int) -> None:
    """A cat on the keyboard must not break the screen."""
    editor = LineEditor()
    for piece in pieces:
        for line in editor.feed(piece):
            assert line is None or "\x1b" not in line
        shown = "".join(editor.shown(width))
        assert cell_len(shown) <= width + 1
        assert all(character.isprintable() for character in shown)


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=60), st.data())
def test_text_arrives_as_it_was_typed_however_it_is_cut(text: str, data: st.DataObject) -> None:
    """A slow line delivers half a letter at a time."""
    raw = text.encode() + b"\r"
    at = data.draw(st.integers(0, len(raw)))
    assert typed(raw[:at], raw[at:])[0] == [text]
