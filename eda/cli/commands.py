"""What a person at the table can ask for: a line that begins with a slash. Each is one method and one line of help."""

from __future__ import annotations

from collections.abc import Callable

from eda.changing import typed_setting
from eda.debate import Debate
from eda.errors import UnknownNameError, UsageError, nearest
from eda.person import member_called
from eda.view.phrases import corrected_by, decision_phrase
from eda.view.text import one_line

__all__ = ["Commands"]

_HELP = {
    "pause": ("", "the debate waits after this turn"),
    "resume": ("", "it goes on"),
    "next": ("", "this part of the debate ends after this turn"),
    "vote": ("TEXT|LETTER", "your vote, as soon as the ballot is there"),
    "decisions": ("", "what was decided, with ids"),
    "proposals": ("", "what was proposed, with ids"),
    "notes": ("", "what was noted, with ids"),
    "context": ("[NAME]", "what a member is shown before it speaks"),
    "say": ("NAME TEXT", "ask one member; it answers next"),
    "correct": ("ID TEXT", "a proposal, decision or note should read so"),
    "strike": ("ID", "it is none: out of every context and ballot"),
    "mute": ("NAME", "a member may not speak; it still votes"),
    "unmute": ("NAME", "it may speak again"),
    "add": ("PERSONA", "one more takes a seat; `eda personas` lists who can"),
    "replace": ("NAME PERSONA", "one takes the seat of another"),
    "remove": ("NAME", "a member leaves; what it said stays"),
    "set": ("KEY=VALUE", "another setting holds, such as max_messages=40"),
    "help": ("", "this list"),
    "quit": ("", "stop here; `eda resume` goes on"),
}


class Commands:
    """Runs the commands of one person on one debate."""

    def __init__(self, debate: Debate, title: str, show: Callable[[str], None], vote: Callable[[str], None]) -> None:
        """`show` prints a line for the person, after a tab in a column of its own; `vote` is given what they vote."""
        self._debate = debate
        self._title = title
        self._show = show
        self._vote_for = vote

    def run(self, line: str) -> None:
        """Do what a line says that begins with a slash.

        Raises:
            UsageError: there is no such command, or it cannot be done now.
        """
        name, _, rest = line.removeprefix("/").partition(" ")
        if name not in _HELP:
            close = nearest(name, _HELP)
            hint = f"Did you mean /{' or /'.join(close)}?" if close else "/help lists the commands."
            raise UsageError(f"there is no command /{name}", hint=hint)
        needs = _HELP[name][0]
        words = rest.split()
        if needs and not needs.startswith("[") and len(words) < len(needs.split()):
            raise UsageError(f"/{name} needs {needs}", hint=f"/{name} {needs}: {_HELP[name][1]}")
        getattr(self, f"_{name}")(rest.strip())

    def _pause(self, _: str) -> None:
        self._debate.pause(self._title)
        self._show("the debate waits after this turn; /resume goes on")

    def _resume(self, _: str) -> None:
        if not self._debate.inbox.paused:
            raise UsageError("the debate is not paused")
        self._debate.go_on()

    def _next(self, _: str) -> None:
        self._debate.move_on()
        self._show("this part ends after this turn")

    def _vote(self, text: str) -> None:
        self._vote_for(text)

    def _decisions(self, _: str) -> None:
        found = self._debate.memory.decisions
        for each in found:
            state = "" if each.status == "decided" else f" ({each.status})"
            self._show(f"{each.id}{state} {decision_phrase(each)}")
        if not found:
            self._show("nothing was decided yet")

    def _proposals(self, _: str) -> None:
        found = self._debate.memory.proposals
        for each in found:
            said = f"{one_line(each.content)}{corrected_by(each.corrected, each.status)}"
            self._show(f"{each.id} {each.status}, {one_line(each.proposer)}: {said}")
        if not found:
            self._show("nothing was proposed yet")

    def _notes(self, _: str) -> None:
        found = self._debate.memory.notes
        for each in found:
            self._show(f"{each.id} [{each.importance}] {one_line(each.who)}: {one_line(each.text)}")
        if not found:
            self._show("nothing was noted yet")

    def _context(self, name: str) -> None:
        who = self._member(name) if name else self._title
        text = self._debate.memory.full_context(who).text
        for line in text.expandtabs().splitlines() or [f"{who} is shown nothing yet"]:
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
                self._debate.say(f"@{who} {rest}", self._title)
                return
        raise UsageError("/say needs NAME TEXT")

    def _correct(self, text: str) -> None:
        item, _, words = text.partition(" ")
        self._debate.correct(item, words, self._title)
        self._show(f"{item} is corrected after this turn")

    def _strike(self, text: str) -> None:
        self._debate.strike(text, self._title)
        self._show(f"{text} is struck after this turn")

    def _mute(self, name: str) -> None:
        who = self._member(name)
        if who == self._title:
            raise UsageError("you speak only when you like", hint="Enter passes your turn; Ctrl-D leaves the table.")
        self._debate.mute(who, self._title)
        self._show(f"{who} is muted after this turn")

    def _unmute(self, name: str) -> None:
        who = self._member(name)
        self._debate.unmute(who, self._title)
        self._show(f"{who} may speak again after this turn")

    def _add(self, persona: str) -> None:
        self._debate.add(persona, self._title)
        self._show(f"{persona} takes a seat after this turn")

    def _replace(self, text: str) -> None:
        name, _, persona = text.rpartition(" ")
        who = self._member(name.strip())
        self._debate.replace(who, persona, self._title)
        self._show(f"{persona} takes the seat of {who} after this turn")

    def _remove(self, name: str) -> None:
        who = self._member(name)
        if who == self._title:
            raise UsageError("a person leaves by the door", hint="Ctrl-D leaves the table; /quit stops the debate.")
        self._debate.remove(who, self._title)
        self._show(f"{who} leaves after this turn")

    def _set(self, text: str) -> None:
        key, value = typed_setting(text)
        self._debate.change(**{key: value})
        self._show(f"{text} holds after this turn")

    def _help(self, _: str) -> None:
        self._show("what you type is said after this turn; @NAME asks one member, who answers next")
        for name, (needs, what) in _HELP.items():
            self._show(f"/{name} {needs}".strip() + f"\t{what}")

    def _quit(self, _: str) -> None:
        self._debate.stop()

    def _member(self, name: str) -> str:
        return member_called(self._debate.members, name).title
