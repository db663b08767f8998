"""The slash commands of a person in the panel: what is done at the table. All else is steered from another terminal."""

from collections.abc import Callable, Iterator

from eda.debate.debate import Debate
from eda.errors import nearest
from eda.events import MessagePosted
from eda.memory.table import in_quotes
from eda.report.formatting import one_line
from eda.report.ledger import promises
from eda.words import refuse_if

COMMANDS = ("pause", "resume", "next", "vote", "back", "table", "note", "help", "quit")
# Those that need words behind them.
_NEEDS = ("vote", "note")
_DIGITS = 7  # A number with so many is no message's.


class Commands:
    """Runs the commands of one person in one debate."""

    def __init__(self, debate: Debate, title: str, show: Callable[[str], None], vote: Callable[[str], None]) -> None:
        """`show` prints a line for the person, with the text after a tab in its own column; `vote` takes their vote."""
        self._debate = debate
        self._title = title
        self._show = show
        self._vote_for = vote
        self._words = debate.progress.settings.words

    def run(self, line: str) -> None:
        """Run the command in a line that begins with a slash.

        Raises:
            UsageError: the command is unknown, or cannot be run now.
        """
        name, _, text = line.removeprefix("/").partition(" ")
        debate, who, text = self._debate, self._title, text.strip()
        refuse_if(
            {
                "error-no-command": name not in COMMANDS,
                "error-command-needs": name in _NEEDS and not text,
                "error-not-paused": name == "resume" and not debate.inbox.paused_by,
            },
            name=name,
            close=[f"/{each}" for each in nearest(name, COMMANDS)],
        )
        run: dict[str, Callable[[], object]] = {
            "pause": lambda: debate.pause(who),
            "resume": debate.go_on,
            "next": debate.move_on,
            "vote": lambda: self._vote_for(text),
            "back": lambda: debate.answer_line("taken back", who, _number(text)),
            "table": lambda: [*map(self._show, self._table())],
            "note": lambda: debate.note(text, who),
            "help": lambda: [
                self._show(self._words.say("seat-told", "typing")),
                *(
                    self._show(
                        f"/{self._words.say('seat-command', each)}\t{self._words.say('seat-command', f'{each}-does')}"
                    )
                    for each in COMMANDS
                ),
            ],
            "quit": debate.stop,
        }
        run[name]()
        if name in ("pause", "next"):
            self._show(self._words.say("seat-steered", does=name))

    def say(self, text: str) -> None:
        """Say something, and tell the person when it is heard."""
        self._debate.say(text, self._title)
        does = self._debate.progress.does
        voting, paused = self._debate.inbox.voting, self._debate.progress.paused is not None
        cases = {
            "after-the-vote": voting and does.ballots,
            "after-this-vote": voting,
            "before-the-vote": does.votes,  # it has begun, and nobody has been asked yet
            "kept": does.sealed and not paused,
            "sent": not paused,
        }
        for case in [case for case, holds in cases.items() if holds][:1]:
            self._show(self._words.say("seat-told", case))

    def _table(self) -> Iterator[str]:
        """Yield the lines of the table, and what members promise."""
        table = self._debate.memory.table(words=self._words)
        yield from map(one_line, "\n".join((table.title, *table.lines)).splitlines())
        messages = (event for event in self._debate.session.events() if isinstance(event, MessagePosted))
        if promised := promises(messages):
            yield self._words.say("seat-told", "promised")
            yield from (
                one_line(f"- m{each.message} {each.who}: {in_quotes(each.quote, words=self._words)}")
                for each in promised
            )


def _number(text: str) -> int:
    """Return the number of a message that is written as `m4` or `4`; 0 for nothing else."""
    digits = text.removeprefix("m")
    return int(digits) if digits.isdecimal() and len(digits) < _DIGITS else 0
