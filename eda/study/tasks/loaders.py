"""Reads tasks from a user's file, JSON, a table or Parquet, in a known layout or by named columns: see `load_tasks`."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Any

from pydantic import TypeAdapter, ValidationError

from eda.debate.validation import checked_options, checked_question
from eda.errors import EdaError, InputError
from eda.panels.files import UserFile, complaint, unknown_key
from eda.panels.installer import to_install
from eda.panels.settings import Frozen
from eda.runners.simulated.stance import seed_of
from eda.study.tasks.base import Facts, Task, shuffled

MOST = 200_000_000
"""Bytes of a file that is read as a whole."""
TABLES = (".csv", ".tsv")
PARQUET = ".parquet"
FILES = (".jsonl", ".json", *TABLES, PARQUET)
"""Ends of the names of files of tasks."""


class Columns(Frozen):
    """Which columns of a file of multiple choice hold what."""

    question: str
    options: str | tuple[str, ...]
    """Of each option; or the one that holds a list of them."""
    answer: str = ""
    """Of the right one's own words or of its letter, A for the first; or one of `options`."""
    id: str = ""

    def task(self, row: Mapping[str, Any]) -> Task:
        """Return the task of a row.

        Raises:
            KeyError: it has no such column.
        """
        whole = row[self.options] if isinstance(self.options, str) else [row[column] for column in self.options]
        options = [" ".join(str(each).split()) for each in whole]
        answer = " ".join(str(row[self.answer]).split()) if self.answer else ""
        if answer not in options:  # what is no letter either is refused with the row
            answer = dict(zip(ascii_uppercase, options, strict=False)).get(answer.upper()) or answer
        question, name = str(row[self.question]), str(row[self.id]) if self.id else ""
        if self.answer in self.options and not isinstance(self.options, str):  # else it would always be at one place
            options = list(shuffled(Random(seed_of("options", question)), options))
        return Task(name, question, tuple(filter(None, options)), answer or None)


_GPQA = Columns(
    question="Question",
    options=("Correct Answer", *(f"Incorrect Answer {number}" for number in (1, 2, 3))),
    answer="Correct Answer",
    id="Record ID",
)


class _MmluPro(Frozen, extra="ignore"):
    """MMLU-Pro: the answer is a letter, with the place of its option beside it; "N/A" fills up the options."""

    question_id: int | str = ""
    question: str
    options: tuple[str, ...]
    answer: str
    answer_index: int

    def task(self) -> Task:
        if dict(enumerate(ascii_uppercase[: len(self.options)])).get(self.answer_index) != self.answer.strip().upper():
            raise ValueError(f"'answer' is {self.answer!r}, which is not the letter of option {self.answer_index}")
        options = tuple(option for option in self.options if option != "N/A")
        return Task(str(self.question_id), self.question, options, self.options[self.answer_index])


class _HiddenBench(Frozen, extra="ignore"):
    """HiddenBench: a scene, facts for all, and one hidden fact for each member."""

    id: int | str = ""
    description: str
    shared_information: tuple[str, ...]
    hidden_information: tuple[str, ...]
    possible_answers: tuple[str, ...]
    correct_answer: str

    def task(self) -> Task:
        facts = Facts(self.shared_information, {seat: (fact,) for seat, fact in enumerate(self.hidden_information)})
        return Task(str(self.id), self.description, self.possible_answers, self.correct_answer, facts)


_OWN = TypeAdapter(Task)  # Our own layout, in which generated tasks are written too.
# The layout of a row, by the key that shows it.
_LAYOUTS = {_GPQA.answer: _GPQA, "answer_index": _MmluPro, "hidden_information": _HiddenBench}


def load_tasks(path: str | Path, columns: Columns | None = None) -> list[Task]:
    """Return the tasks of a file, in its order: a JSON object a line, one JSON list, CSV, TSV, or Parquet.

    `columns` names those of a file of multiple choice. Else the layout of a row shows in its keys. Our own: `question`
    and, as far as there are any, `id`, `options`, `answer` (one of the options), `facts` (`shared`: a list; `private`:
    lists by seat, from 0). MMLU-Pro: `answer_index`. HiddenBench: `hidden_information`. GPQA: `Correct Answer`. Equal
    options are one. A row without an id gets the number of its row.

    Raises:
        InputError: the file cannot be read, or holds no task; a row is no task, or has the id of another one. The
            message names the line.
    """
    file = UserFile(Path(path), InputError, what="tasks")
    tasks: dict[str, Task] = {}
    for line, row in _rows(file):
        task = _task(file, row, line, columns)
        if task.id in tasks:
            raise file.fault(f"the id {task.id!r} is given twice", "Give each task an id of its own.", line)
        tasks[task.id] = task
    if not tasks:
        raise file.fault("holds no task", 'Write a task a line: {"question": ..., "options": [...], "answer": ...}.')
    return list(tasks.values())


def _rows(file: UserFile) -> Iterator[tuple[int, Any]]:
    """Yield each row with its line; in one JSON list, with its place from 1."""
    if file.path.suffix in (*TABLES, PARQUET):
        yield from enumerate(_parquet(file) if file.path.suffix == PARQUET else records(file), 1)
        return
    hint = "Write one JSON object a line, or one list of objects."
    lines = file.lines()
    first = next(lines, None)
    if first is not None and first[1].lstrip(b"\xef\xbb\xbf \t").startswith(b"["):
        yield from enumerate(UserFile(file.path, InputError, hint, file.what).json(file.text(MOST)), 1)
        return
    for number, line in (*([first] if first else []), *lines):
        try:
            yield number, UserFile(file.path, InputError, hint, file.what).json(line.removeprefix(b"\xef\xbb\xbf"))
        except InputError as error:
            raise file.fault("is no valid JSON", error.hint, number) from None


def records(file: UserFile) -> list[dict[str, str]]:
    """Return the rows of a table, by the names in its first line; the sign that is there most often sets them apart.

    Raises:
        EdaError: of the file's class: it cannot be read, or is no table.
    """
    text = file.text(MOST)
    delimiter = max(",;\t|", key=text.partition("\n")[0].count)
    csv.field_size_limit(MOST)
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="", strict=True))
    except csv.Error as error:
        raise file.fault(f"is no table: {error}", "Save it as CSV, with the names of the columns first.") from None
    return [{str(key): str(value).strip() for key, value in row.items()} for row in rows]


def _parquet(file: UserFile) -> list[dict[str, Any]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise file.fault("needs pyarrow, which is not installed", to_install("study")) from None
    try:
        return list(pq.read_table(pa.BufferReader(file.raw(MOST))).to_pylist())
    except pa.ArrowException as error:
        raise file.fault(f"is no Parquet: {error}") from None


def _task(file: UserFile, row: Any, line: int, columns: Columns | None) -> Task:
    """Return the task of a row."""
    if not isinstance(row, Mapping):
        raise file.fault("is no JSON object", "Write one object a task.", line)
    layout: Any = columns or next((made for key, made in _LAYOUTS.items() if key in row), None)
    if layout is None and (unknown := next((key for key in row if key not in Task.__slots__), None)):
        raise file.fault(*unknown_key(unknown, Task.__slots__, "a task"), line)
    try:
        if layout is None:
            task = _OWN.validate_python({"id": "", **row})
        else:
            task = layout.task(row) if isinstance(layout, Columns) else layout.model_validate(row).task()
    except KeyError as error:
        raise file.fault(*unknown_key(error.args[0], [*row], "this file", "column"), line) from None
    except ValidationError as error:
        key, *inner = error.errors()[0]["loc"]
        if key == "facts" and inner:
            raise file.fault(
                f"'facts' is not laid out as it must be: in '{inner[0]}'",
                'Write it as {"shared": ["..."], "private": [["of seat 0"], ["of seat 1"]]}.',
                line,
            ) from None
        raise file.fault(*complaint(error)[1:], line) from None
    except ValueError as error:
        raise file.fault(str(error), "Check the row against the benchmark's own.", line) from None
    return _checked(file, task, line)


def _checked(file: UserFile, task: Task, line: int) -> Task:
    """Return a task with its texts each on one line, as a debate has them."""
    options = tuple(dict.fromkeys(" ".join(option.split()) for option in task.options))
    try:
        question, options = checked_question(task.question), checked_options(options)
    except EdaError as error:
        raise file.fault(str(error), error.hint, line) from None
    answer = None if task.answer is None else " ".join(task.answer.split())
    if answer is not None and options and answer not in options:
        raise file.fault(
            f"the answer {answer!r} is none of the options", f"Options: {', '.join(map(repr, options))}.", line
        )
    return Task(task.id or f"{file.path.stem}-{line}", question, options, answer, task.facts, task.kind)
