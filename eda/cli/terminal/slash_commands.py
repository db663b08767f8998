"""The slash commands of a person in the panel: each is one method and one line of help."""

from __future__ import annotations

from collections.abc import Callable

from eda.debate.control.changes import typed_setting
from eda.debate.debate import Debate
from eda.debate.person import member_called
from eda.errors import UnknownNameError, UsageError, nearest
from eda.events import MessagePosted
from eda.memory.table import in_quotes
from eda.report.formatting import one_line
from eda.report.ledger import promises
from eda.words import ENGLISH

COMMANDS = {
    "pause": ("", "pause the debate after this turn"),
    "resume": ("", "continue the debate"),
    "next": ("", "end this phase after this turn"),
    "vote": ("TEXT|LETTER", "your vote, kept until the ballot"),
    "back": ("", "take back what your last line was counted for"),
    "table": ("", "list what is proposed, claimed, decided and promised, with ids"),
    "notes": ("", "list the notes, with ids"),
    "note": ("TEXT", "take a note, which the members are shown"),
    "context": ("[NAME]", "print what a member is given before it speaks"),
    "say": ("NAME TEXT", "ask one member, who answers next"),
    "correct": ("ID TEXT", "reword a proposal, decision or note"),
    "strike": ("ID", "take an item off the table and every ballot"),
    "mute": ("NAME", "stop a member from speaking; it still votes"),
    "unmute": ("NAME", "let a member speak again"),
    "add": ("PERSONA", "seat one more persona; `eda list personas` lists them"),
    "replace": ("NAME PERSONA", "give a member's seat to a persona"),
    "remove": ("NAME", "remove a member; its messages stay"),
    "set": ("KEY=VALUE", "change a setting, for example max-messages=40"),
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

    def run(self, line: str) -> None:
        """Run the command in a line that begins with a slash.

        Raises:
            UsageError: the command is unknown, or cannot be run now.
        """
        name, _, rest = line.removeprefix("/").partition(" ")
        if name not in COMMANDS:
            close = nearest(name, COMMANDS)
            commands = [f"/{each}" for each in close]
            hint = ENGLISH.say("seat-did-you-mean", commands=commands) if close else "/help lists the commands."
            raise UsageError(f"unknown command /{name}", hint=hint)
        needs = COMMANDS[name][0]
        words = rest.split()
        if needs and not needs.startswith("[") and len(words) < len(needs.split()):
            raise UsageError(f"/{name} needs {needs}", hint=f"/{name} {needs}: {COMMANDS[name][1]}")
        getattr(self, f"_{name}")(rest.strip())

    def say(self, text: str) -> None:
        """Say something, and tell the person when it is heard."""
        self._debate.say(text, self._title)
        does = self._debate.progress.does
        if self._debate.inbox.voting or does.votes:
            self._show("Kept: the panel hears it once the vote has ended, and then all vote again")
        elif self._debate.progress.paused is None:
            self._show("Kept until all have written" if does.sealed else "Sent: it is heard when this turn is over")

    def _pause(self, _: str) -> None:
        self._debate.pause(self._title)
        self._show("the debate waits after this turn; /resume goes on")

    def _resume(self, _: str) -> None:
        if not self._debate.inbox.paused:
            raise UsageError("the debate is not paused")
        self._debate.go_on()

    def _next(self, _: str) -> None:
        self._debate.move_on()
        self._show("this phase ends after this turn")

    def _vote(self, text: str) -> None:
        self._vote_for(text)

    def _back(self, _: str) -> None:
        self._debate.answer_line("taken back", self._title)

    def _table(self, _: str) -> None:
        table = self._debate.memory.table()
        text = "\n".join((table.title, *table.lines))
        messages = (event for event in self._debate.session.events() if isinstance(event, MessagePosted))
        promised = [f"- m{each.message} {each.who}: {in_quotes(each.quote)}" for each in promises(messages)]
        for line in (*text.splitlines(), *(["Promised, in their own words:", *promised] if promised else ())):
            self._show(one_line(line))

    def _notes(self, _: str) -> None:
        notes = self._debate.memory.notes
        if not notes:
            self._show("nothing was noted yet")
        for each in notes:
            self._show(f"{each.id} [{each.importance}] {one_line(each.who)}: {one_line(each.text)}")

    def _note(self, text: str) -> None:
        self._debate.note(text, self._title)

    def _context(self, name: str) -> None:
        who = self._member(name) if name else self._title
        text = self._debate.memory.full_context(who).text
        for line in text.expandtabs().splitlines() or [ENGLISH.say("seat-no-context", who=who)]:
            self._show(line)

    def _say(self, text: str) -> None:
        words = text.split(" ")
        for taken in (2, 1):  # a title may be two words
            name, rest = " ".join(words[:taken]), " ".join(words[taken:]).strip()
            try:
                who = self._member(name)
            except UnknownNameError:
                if taken == 1:
                    raise
                continue
            if rest:
                self.say(f"@{who} {rest}")
                return
        raise UsageError("/say needs NAME TEXT")

    def _correct(self, text: str) -> None:
        item, _, words = text.partition(" ")
        self._debate.correct(item, words, self._title)
        self._show_later("seat-corrected-later", item)

    def _strike(self, text: str) -> None:
        self._debate.strike(text, self._title)
        self._show_later("seat-struck-later", text)

    def _show_later(self, message: str, item: str) -> None:
        """Show what waits for a vote that is being taken; else the screen has shown it."""
        if self._debate.inbox.voting:
            self._show(ENGLISH.say(message, item=item))

    def _mute(self, name: str) -> None:
        who = self._another(name)
        self._debate.mute(who, self._title)
        self._show(ENGLISH.say("seat-muted", who=who))

    def _unmute(self, name: str) -> None:
        who = self._member(name)
        self._debate.unmute(who, self._title)
        self._show(ENGLISH.say("seat-unmuted", who=who))

    def _add(self, persona: str) -> None:
        self._debate.add(persona, self._title)
        self._show(ENGLISH.say("seat-added", persona=persona))

    def _replace(self, text: str) -> None:
        name, _, persona = text.rpartition(" ")
        who = self._member(name.strip())
        self._debate.replace(who, persona, self._title)
        self._show(ENGLISH.say("seat-replaced", persona=persona, who=who))

    def _remove(self, name: str) -> None:
        who = self._another(name)
        self._debate.remove(who, self._title)
        self._show(ENGLISH.say("seat-removed", who=who))

    def _set(self, text: str) -> None:
        key, value = typed_setting(text)
        self._debate.change(**{key: value})
        self._show(ENGLISH.say("seat-set", setting=text))

    def _help(self, _: str) -> None:
        self._show("what you type is posted after this turn; @NAME asks one member, who answers next")
        for name, (needs, what) in COMMANDS.items():
            self._show(f"/{name} {needs}".strip() + f"\t{what}")

    def _quit(self, _: str) -> None:
        self._debate.stop()

    def _another(self, name: str) -> str:
        who = self._member(name)
        if who == self._title:
            raise UsageError("that is you", hint="Enter passes your turn; Ctrl-D leaves the table.")
        return who

    def _member(self, name: str) -> str:
        return member_called(self._debate.members, name).title
