"""People's votes before and after they talked, from a user's table: each group becomes a session like any other."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Self

import orjson
from pydantic import BeforeValidator, model_validator

from eda.bus import MessageBus
from eda.errors import StudyError
from eda.events import Ballot, BallotCast, BallotText, MessagePosted, SessionEnded, SessionStarted, bounded
from eda.panels.files import UserFile, unknown_key
from eda.panels.persona import Persona
from eda.panels.settings import Frozen, Settings
from eda.session import Session
from eda.study.tasks.base import Task
from eda.study.tasks.loaders import records
from eda.text import grouped, regex
from eda.voting.choices import given

PEOPLE = "people"
"""What stands for a runner in the cells of people: no runner was asked."""
# An answer and how many gave it, as Python and JSON write a table of counts.
_COUNTED = regex(r"""["']([^"']+)["']\s*:\s*(\d{1,4})\b""")
Record = Mapping[str, str]
Choices = dict[str, str]
"""What each member answered; empty where it did not."""


class Lookup(Frozen):
    """Another table, whose columns are read as if they stood in the rows that have the same value in `on`."""

    file: str
    on: str


class Talk(Frozen):
    """Where what was said is written, a message a row: the columns of the group, the speaker and the text."""

    file: str
    group: str
    member: str
    text: str


Columns = Annotated[tuple[str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, str) else given)]
"""One column, or several."""


class Votes(Frozen):
    """Which columns of a table hold people's votes.

    A row is of a group where `before` and `after` name a column for each member, or one that holds a table of counts,
    which does not say who is who. It is of a member where `member` names the one column of names beside them.
    """

    file: str
    """A path relative to the study's file, as all of them."""
    group: str
    before: Columns
    after: Columns
    member: Columns = ()
    """Of names."""
    task: str = ""
    """Of ids; empty where all had one task."""
    question: str = ""
    """The question itself; empty for the id of the task."""
    truth: str = ""
    """Of right answers; a cell is empty where none is known."""
    answer: str = ""
    """The right answer itself, where it is one for all."""
    levels: dict[str, str] = {}
    """The column of each factor."""
    lookup: Lookup | None = None
    talk: Talk | None = None

    @model_validator(mode="after")
    def _alike(self) -> Self:
        if len(self.before) != len(self.after) or len(self.member) not in (0, len(self.before)):
            raise ValueError("names another number of columns before than after, or of members")
        return self

    @property
    def columns(self) -> list[str]:
        """All columns that it names."""
        named = (self.group, self.task, self.truth, *self.levels.values(), *self.before, *self.after, *self.member)
        return [column for column in named if column]

    @property
    def files(self) -> list[str]:
        """All files that it names."""
        return [self.file, *(each.file for each in (self.lookup, self.talk) if each)]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of people: what it was asked, and what its members answered and said."""

    task: Task
    levels: dict[str, str]
    before: Choices
    after: Choices
    said: tuple[tuple[str, str], ...] = ()
    """Speakers and texts."""

    @property
    def lacks(self) -> str:
        """`before` or `after`, where not every member voted then; else empty."""
        return "" if _whole(self.before) and _whole(self.after) else "after" if _whole(self.before) else "before"


def groups_in(votes: Votes, folder: Path) -> dict[str, Group]:
    """Return the groups of a table, by their ids. The options of a task are all answers that anybody gave to it.

    Raises:
        StudyError: a file cannot be read, or lacks a column that is named; two rows are of one group or member.
    """
    found, options, talk = dict[str, Group](), defaultdict[str, set[str]](set), dict[str, list[Record]]()
    if chat := votes.talk:
        lines = _records(folder, chat.file, [chat.group, chat.member, chat.text])
        talk = grouped((row[chat.group], row) for row in lines)
    for name, rows in grouped((row[votes.group], row) for row in _rows(votes, folder)).items():
        first = rows[0]
        before, after = _choices(votes, rows, name)
        asked = (first[votes.task] if votes.task else "") or Path(votes.file).stem
        truth = first[votes.truth] if votes.truth else votes.answer
        options[asked] |= {truth, *before.values(), *after.values()} - {""}
        said = tuple((row[chat.member], row[chat.text]) for row in talk.get(name, ()) if chat)
        levels = {factor: first[column] for factor, column in votes.levels.items()}
        task = Task(asked, votes.question or asked, (), truth or None)
        found[name] = Group(task, levels, before, after, said)
    whole = {task: tuple(sorted(answers)) for task, answers in options.items()}
    return {name: replace(each, task=replace(each.task, options=whole[each.task.id])) for name, each in found.items()}


def write_study(file: Path, votes: Iterable[str]) -> Path:
    """Write the file of a study of a table into the current folder, and return its path.

    Args:
        file: The table.
        votes: Keys of `Votes`, each with a value: `before=COLUMN`; a key that is given again has several.

    Raises:
        StudyError: another file of that name is there.
    """
    parts = (each.partition("=") for each in votes)
    keys = grouped([("file", str(file)), *((key.strip(), value.strip()) for key, _, value in parts)])
    name = regex(r"[^a-z0-9]+").sub("-", file.stem.casefold()).strip("-")
    lines = [f"{key} = {orjson.dumps(given if len(given) > 1 else given[0]).decode()}" for key, given in keys.items()]
    text, path = "\n".join([f'name = "{name}"', "", "[arms.people.votes]", *lines, ""]), Path(f"{name}.toml")
    if path.exists() and UserFile(path, StudyError).text() != text:
        raise StudyError(f"{path} is there already", hint=f"Read the votes by it: eda study import {path}.")
    path.write_text(text, encoding="utf-8")
    return path


def write_group(group: Group, session: Session, settings: Settings, seed: int) -> None:
    """Write the session of a group: each member's ballot before the talk, the talk, and each one's ballot after it."""
    texts = given(group.task.question, group.task.options)
    messages = [MessagePosted(number=n, who=who, text=bounded(text)) for n, (who, text) in enumerate(group.said, 1)]
    MessageBus(session.log).publish(
        SessionStarted(
            session=session.name,
            question=group.task.question,
            options=group.task.options,
            members=tuple(
                Persona(
                    name=f"member-{number}",
                    title=who,
                    person=True,
                    role="a person",
                    description="A person.",
                    instruction="A person answered.",
                )
                for number, who in enumerate(group.after, 1)
            ),
            settings=settings,
            seed=seed,
            runner=PEOPLE,
        ),
        *(_cast(who, choice, texts, first=True) for who, choice in group.before.items()),
        *messages,
        *(_cast(who, choice, texts) for who, choice in group.after.items()),
        SessionEnded(reason="transcript"),
    )


def _cast(who: str, choice: str, texts: tuple[BallotText, ...], *, first: bool = False) -> BallotCast:
    ballot = Ballot(agent=who, choice=choice, ranking=(choice,), approved=(choice,))
    return BallotCast(ballot=ballot, choices=tuple(text.text for text in texts), texts=texts, first=first)


def _records(folder: Path, name: str, columns: Iterable[str] = ()) -> list[Record]:
    """Return the rows of a table.

    Raises:
        StudyError: it cannot be read, or lacks one of the columns.
    """
    file = UserFile(folder / name, StudyError)
    found = records(file)
    if missing := [column for column in columns if not found or column not in found[0]]:
        raise file.fault(*unknown_key(missing[0], [*found[0]] if found else [], "this table", "column"), 1)
    return list[Record](found)


def _rows(votes: Votes, folder: Path) -> list[Record]:
    """Return the rows of the votes, with the columns of the other table."""
    if votes.lookup is None:
        return _records(folder, votes.file, votes.columns)
    on = votes.lookup.on
    others = {row[on]: row for row in _records(folder, votes.lookup.file, [on])}
    empty = dict.fromkeys(next(iter(others.values())), "")
    own = _records(folder, votes.file, [on, *(column for column in votes.columns if column not in empty)])
    return [{**empty, **others.get(row[on], {}), **row} for row in own]


def _choices(votes: Votes, rows: Sequence[Record], group: str) -> tuple[Choices, Choices]:
    """Return what each member of a group answered before and after."""
    first, (before, after) = rows[0], (votes.before, votes.after)
    if one_each := len(before) == 1 and votes.member:
        sides = [{row[votes.member[0]]: row[side[0]] for row in rows} for side in (before, after)]
    elif len(before) == 1:
        sides = [_counted("Before", first[before[0]]), _counted("Member", first[after[0]])]
    else:
        names = [first[column] for column in votes.member]
        if len(set(names)) < len(before):  # not given, or two have one name
            names = [f"{names[place] if names else 'Member'} {place + 1}" for place in range(len(before))]
        sides = [dict(zip(names, (first[column] for column in side), strict=True)) for side in (before, after)]
    if len(rows) > (len(sides[0]) if one_each else 1):
        raise StudyError(
            f"{votes.file}: two rows are of the same in group {group!r}",
            hint='Name the column of the members, as member = "NAME".',
        )
    return sides[0], sides[1]


def _counted(word: str, counts: str) -> Choices:
    """Return an answer for each who gave it, under names of their own: a table of counts does not say who is who."""
    answers = [answer for answer, number in _COUNTED.findall(counts) for _ in range(int(number))]
    return {f"{word} {place}": answer for place, answer in enumerate(answers, 1)}


def _whole(choices: Choices) -> bool:
    return bool(choices) and all(choices.values())
