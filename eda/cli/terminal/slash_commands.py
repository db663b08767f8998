"""The slash commands of a person in the panel: what is done at the table. All else is steered from another terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eda.debate.debate import Debate
from eda.errors import UsageError, nearest
from eda.events import MessagePosted
from eda.memory.table import in_quotes
from eda.report.formatting import one_line
from eda.report.ledger import promises
from eda.words import Words

COMMANDS = {
    "pause": ("", "pause the debate after this turn"),
    "resume": ("", "continue the debate"),
    "next": ("", "end this phase after this turn"),
    "vote": ("TEXT|LETTER", "your vote; it can be changed until all have voted"),
    "back": ("", "take back what your last line was counted for"),
    "table": ("", "list what is proposed, claimed, decided and promised, with ids"),
    "note": ("TEXT", "take a note, which the members are shown"),
    "help": ("", "print this list"),
    "quit": ("", "stop the debate; `eda resume` continues it"),
}
"""What each command needs and does, by name."""


class Commands:
    """Runs the commands of one person in one debate."""

    def __init__(self, debate: Debate, title: str, show: Callable[[str], None], vote: Callable[[str], None]) -> None:
        """`show` prints a line for the person, with the text after a tab in its own column; `vote` takes their vote."""
        self._debate = debate
        self._title = title
        self._show = show
        self._vote_for = vote
        self._say = Words(debate.progress.settings.language).say

    def run(self, line: str) -> None:
        """Run the command in a line that begins with a slash.

        Raises:
            UsageError: the command is unknown, or cannot be run now.
        """
        name, _, text = line.removeprefix("/").partition(" ")
        debate, who, text = self._debate, self._title, text.strip()
        if name not in COMMANDS:
            close = nearest(name, COMMANDS)
            commands = [f"/{each}" for each in close]
            hint = self._say("seat-did-you-mean", commands=commands) if close else self._say("seat-told", "help")
            raise UsageError(f"unknown command /{name}", hint=hint)
        needs, does = COMMANDS[name]
        if needs and not text:
            raise UsageError(f"/{name} needs {needs}", hint=f"/{name} {needs}: {does}")
        if name == "resume" and not debate.inbox.paused_by:
            raise UsageError("the debate is not paused")
        run: dict[str, Callable[[], object]] = {
            "pause": lambda: debate.pause(who),
            "resume": debate.go_on,
            "next": debate.move_on,
            "vote": lambda: self._vote_for(text),
            "back": lambda: debate.answer_line("taken back", who),
            "table": lambda: [*map(self._show, self._table())],
            "note": lambda: debate.note(text, who),
            "help": lambda: [*map(self._show, self._help())],
            "quit": debate.stop,
        }
        run[name]()
        if name in ("pause", "next"):
            self._show(self._say("seat-steered", does=name))

    def say(self, text: str) -> None:
        """Say something, and tell the person when it is heard."""
        self._debate.say(text, self._title)
        does = self._debate.progress.does
        if self._debate.inbox.voting or does.votes:
            self._show(self._say("seat-told", "after-the-vote" if does.ballots else "after-this-vote"))
        elif self._debate.progress.paused is None:
            self._show(self._say("seat-told", "kept" if does.sealed else "sent"))

    def _table(self) -> Iterator[str]:
        """Yield the lines of the table, and what members promise."""
        table = self._debate.memory.table()
        yield from map(one_line, "\n".join((table.title, *table.lines)).splitlines())
        messages = (event for event in self._debate.session.events() if isinstance(event, MessagePosted))
        if promised := promises(messages):
            yield self._say("seat-told", "promised")
            yield from (one_line(f"- m{each.message} {each.who}: {in_quotes(each.quote)}") for each in promised)

    def _help(self) -> Iterator[str]:
        yield self._say("seat-told", "typing")
        yield from (f"/{each} {needs}".strip() + f"\t{what}" for each, (needs, what) in COMMANDS.items())
