"""Reads tasks from a user's file, as JSON Lines or as one JSON list, in one of four layouts; see `load_tasks`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from eda.debate.validation import checked_options, checked_question
from eda.errors import EdaError, InputError
from eda.panels.files import UserFile, complaint, unknown_key
from eda.panels.frozen import Frozen
from eda.study.tasks.base import Facts, Task

MOST = 200_000_000
"""Bytes of a file that is one JSON list."""


class _Facts(Frozen):
    shared: tuple[str, ...] = ()
    private: dict[int, tuple[str, ...]] | tuple[tuple[str, ...], ...] = ()
    """By seat, from 0, or a list of lists in seat order."""


class _Own(Frozen):
    """Our own layout, in which generated tasks are written too."""

    id: str = ""
    question: str
    options: tuple[str, ...] = ()
    answer: str | None = None
    facts: _Facts = _Facts()
    kind: str = ""

    def task(self) -> Task:
        private = self.facts.private
        by_seat = private if isinstance(private, dict) else dict(enumerate(private))
        return Task(self.id, self.question, self.options, self.answer, Facts(self.facts.shared, by_seat), self.kind)


class _MmluPro(Frozen, extra="ignore"):
    """MMLU-Pro: the answer is a letter, with the place of its option beside it; "N/A" fills up the options."""

    question_id: int | str = ""
    question: str
    options: tuple[str, ...]
    answer: str
    answer_index: int

    def task(self) -> Task:
        if not 0 <= self.answer_index < len(self.options):
            raise ValueError(f"'answer_index' is {self.answer_index}, and there are {len(self.options)} options")
        if self.answer.strip().upper() != chr(ord("A") + self.answer_index):
            raise ValueError(f"'answer' is {self.answer!r}, which is not the letter of option {self.answer_index}")
        options = tuple(dict.fromkeys(option for option in self.options if option != "N/A"))
        return Task(str(self.question_id), self.question, options, self.options[self.answer_index])


class _Gsm8k(Frozen, extra="ignore"):
    """GSM8K: no options; the answer is what stands behind `####` at the end of its solution."""

    id: int | str = ""
    question: str
    answer: str

    def task(self) -> Task:
        return Task(str(self.id), self.question, (), self.answer.rpartition("####")[2].strip().replace(",", ""))


class _HiddenBench(Frozen, extra="ignore"):
    """HiddenBench: a scene, facts for all, and one hidden fact for each member."""

    id: int | str = ""
    name: str = ""
    description: str
    shared_information: tuple[str, ...]
    hidden_information: tuple[str, ...]
    possible_answers: tuple[str, ...]
    correct_answer: str

    def task(self) -> Task:
        facts = Facts(self.shared_information, {seat: (fact,) for seat, fact in enumerate(self.hidden_information)})
        name = str(self.id) if self.id != "" else self.name
        return Task(name, self.description, self.possible_answers, self.correct_answer, facts)


def load_tasks(path: str | Path) -> list[Task]:
    """Return the tasks of a file, in its order: a JSON object a line, or one JSON list of objects.

    The layout of a row shows in its keys. Our own: `question` and, as far as there are any, `id`, `options`, `answer`
    (one of the options), `facts` (`shared`: a list; `private`: lists by seat, from 0). MMLU-Pro: `answer_index`.
    HiddenBench: `hidden_information`. GSM8K: `question` and `answer` alone, with `####` before the result; such a task
    has no options, so a panel proposes its answers. Equal options are one. A row without an id gets the number of its
    row.

    Raises:
        InputError: the file cannot be read, or holds no task; a row is no task, or has the id of another one. The
            message names the line.
    """
    file = UserFile(Path(path), InputError, what="tasks")
    tasks: dict[str, Task] = {}
    for line, row in _rows(file):
        task = _task(file, row, line)
        if task.id in tasks:
            raise file.fault(f"the id {task.id!r} is given twice", "Give each task an id of its own.", line)
        tasks[task.id] = task
    if not tasks:
        raise file.fault("holds no task", 'Write a task a line: {"question": ..., "options": [...], "answer": ...}.')
    return list(tasks.values())


def _rows(file: UserFile) -> Iterator[tuple[int, Any]]:
    """Yield each row with its line; in one JSON list, with its place from 1."""
    hint = "Write one JSON object a line, or one list of objects."
    lines = file.lines()
    first = next(lines, None)
    if first is not None and first[1].lstrip(b"\xef\xbb\xbf \t").startswith(b"["):
        rows = UserFile(file.path, InputError, hint, file.what).json(file.text(MOST))
        yield from enumerate(rows, 1)
        return
    for number, line in (*([first] if first else []), *lines):
        try:
            yield number, UserFile(file.path, InputError, hint, file.what).json(line.removeprefix(b"\xef\xbb\xbf"))
        except InputError as error:
            raise file.fault("is no valid JSON", error.hint, number) from None


def _task(file: UserFile, row: Any, line: int) -> Task:
    """Return the task of a row, its texts each on one line, as a debate has them."""
    if not isinstance(row, Mapping):
        raise file.fault("is no JSON object", "Write one object a task.", line)
    layout = _layout(row)
    if layout is _Own and (unknown := next((key for key in row if key not in _Own.model_fields), None)):
        raise file.fault(*unknown_key(unknown, tuple(_Own.model_fields), "a task"), line)
    try:
        task = layout.model_validate(row).task()
    except ValidationError as error:
        key, *inner = error.errors()[0]["loc"]
        if key == "facts" and inner:
            hint = 'Write it as {"shared": ["..."], "private": [["of seat 0"], ["of seat 1"]]}.'
            raise file.fault(f"'facts' is not laid out as it must be: in '{inner[0]}'", hint, line) from None
        raise file.fault(*complaint(error)[1:], line) from None
    except ValueError as error:
        raise file.fault(str(error), "Check the row against the benchmark's own.", line) from None
    options = tuple(dict.fromkeys(" ".join(option.split()) for option in task.options))
    try:
        question, options = checked_question(task.question), checked_options(options)
    except EdaError as error:
        raise file.fault(str(error), error.hint, line) from None
    answer = None if task.answer is None else " ".join(task.answer.split())
    if answer is not None and options and answer not in options:
        hint = f"Options: {', '.join(map(repr, options))}."
        raise file.fault(f"the answer {answer!r} is none of the options", hint, line)
    return Task(task.id or f"{file.path.stem}-{line}", question, options, answer, task.facts, task.kind)


def _layout(row: Mapping[str, Any]) -> type[_Own | _MmluPro | _Gsm8k | _HiddenBench]:
    if "answer_index" in row:
        return _MmluPro
    if "hidden_information" in row:
        return _HiddenBench
    solved = not row.get("options") and "####" in str(row.get("answer"))
    return _Gsm8k if solved else _Own
