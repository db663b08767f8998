"""The slash commands of a person in the panel: each is one line of help and one case of `Commands`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eda.debate.control.changes import typed_setting
from eda.debate.debate import Debate
from eda.debate.person import member_called
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
    "notes": ("", "list the notes, with ids"),
    "note": ("TEXT", "take a note, which the members are shown"),
    "context": ("[NAME]", "print what a member is given before it speaks"),
    "correct": ("ID TEXT", "reword a proposal, decision or note"),
    "strike": ("ID", "take an item off the table and every ballot"),
    "mute": ("NAME", "stop a member from speaking; it still votes"),
    "unmute": ("NAME", "let a member speak again"),
    "add": ("PERSONA", "seat one more persona; `eda list personas` lists them"),
    "replace": ("NAME PERSONA", "give a member's seat to a persona"),
    "remove": ("NAME", "remove a member; its messages stay"),
    "set": ("KEY=VALUE", "change a setting"),
    "help": ("", "print this list"),
    "quit": ("", "stop the debate; `eda resume` continues it"),
}
"""What each command needs and does, by name."""
_SEATS = ("mute", "unmute", "add", "replace", "remove")
"""Those that change who sits and may speak."""


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
        name, _, rest = line.removeprefix("/").partition(" ")
        if name not in COMMANDS:
            close = nearest(name, COMMANDS)
            commands = [f"/{each}" for each in close]
            hint = self._say("seat-did-you-mean", commands=commands) if close else self._say("seat-told", "help")
            raise UsageError(f"unknown command /{name}", hint=hint)
        needs = COMMANDS[name][0]
        words = rest.split()
        if needs and not needs.startswith("[") and len(words) < len(needs.split()):
            raise UsageError(f"/{name} needs {needs}", hint=f"/{name} {needs}: {COMMANDS[name][1]}")
        if name in _SEATS:
            self._seat(name, rest.strip())
        elif name in ("table", "notes", "context", "help"):
            for line_shown in self._view(name, rest.strip()):
                self._show(line_shown)
        else:
            self._steer(name, rest.strip())

    def say(self, text: str) -> None:
        """Say something, and tell the person when it is heard."""
        self._debate.say(text, self._title)
        does = self._debate.progress.does
        if self._debate.inbox.voting or does.votes:
            self._show(self._say("seat-told", "after-the-vote"))
        elif self._debate.progress.paused is None:
            self._show(self._say("seat-told", "kept" if does.sealed else "sent"))

    def _steer(self, name: str, text: str) -> None:
        """Change the course of the debate, or say something in it."""
        debate, who, (item, _, words) = self._debate, self._title, text.partition(" ")
        if name == "resume" and not debate.inbox.paused_by:
            raise UsageError("the debate is not paused")
        does: dict[str, Callable[[], object]] = {
            "pause": lambda: debate.pause(who),
            "resume": debate.go_on,
            "next": debate.move_on,
            "vote": lambda: self._vote_for(text),
            "back": lambda: debate.answer_line("taken back", who),
            "note": lambda: debate.note(text, who),
            "correct": lambda: debate.correct(item, words, who),
            "strike": lambda: debate.strike(text, who),
            "set": lambda: debate.change(**dict([typed_setting(text)])),
            "quit": debate.stop,
        }
        does[name]()
        if name in ("pause", "next", "set") or (name in ("correct", "strike") and debate.inbox.voting):
            self._show(self._say("seat-steered", does=name, text=text, item=item))

    def _view(self, name: str, of: str) -> Iterator[str]:
        """Yield the lines of what is asked for: the table, the notes, what a member is given, or the commands."""
        memory = self._debate.memory
        match name:
            case "table":
                table = memory.table()
                yield from map(one_line, "\n".join((table.title, *table.lines)).splitlines())
                messages = (event for event in self._debate.session.events() if isinstance(event, MessagePosted))
                if promised := promises(messages):
                    yield self._say("seat-told", "promised")
                    yield from (one_line(f"- m{each.message} {each.who}: {in_quotes(each.quote)}") for each in promised)
            case "notes":
                notes = [f"{each.id} [{each.importance}] {each.who}: {each.text}" for each in memory.notes]
                yield from map(one_line, notes or [self._say("seat-told", "no-notes")])
            case "context":
                who = self._member(of) if of else self._title
                text = memory.full_context(who).text
                yield from text.expandtabs().splitlines() or [self._say("seat-no-context", who=who)]
            case "help":
                yield self._say("seat-told", "typing")
                yield from (f"/{each} {needs}".strip() + f"\t{what}" for each, (needs, what) in COMMANDS.items())

    def _seat(self, name: str, text: str) -> None:
        """Change who sits and may speak."""
        member, _, persona = text.rpartition(" ") if name == "replace" else (text, "", text)
        who = persona if name == "add" else self._member(member.strip())
        if who == self._title and name in ("mute", "remove"):
            raise UsageError("that is you", hint="Enter passes your turn; Ctrl-D leaves the table.")
        change: Callable[..., None] = getattr(self._debate, name)
        change(*((who, persona) if name == "replace" else (who,)), self._title)
        self._show(self._say("seat-changed", does=name, who=who, persona=persona))

    def _member(self, name: str) -> str:
        return member_called(self._debate.members, name).title
