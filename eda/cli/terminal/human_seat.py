"""The seat of the person at the terminal: prints what they are asked, and passes on what they type.

A line answers the open question; without one, it is posted after the turn. At the end of the input the person leaves.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from eda.cli.terminal.slash_commands import COMMANDS, Commands
from eda.debate.debate import Debate
from eda.debate.person import is_plain, read_typed
from eda.debate.seating import is_seat_of
from eda.debate.tries import says_yes
from eda.errors import EdaError, UsageError
from eda.events import NONE, BallotText, LineAnswered, LineOffered, MessagePosted
from eda.events.votes import flat
from eda.memory.minutes.move_words import tag_reader
from eda.memory.minutes.remark_words import yes_or_no
from eda.memory.patterns import default_language
from eda.report.formatting import in_short, one_line
from eda.report.say_back import SayBack, answered, offered, say_back
from eda.runners.answers import ScoredAnswer
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt, Reply
from eda.serve.ballot import question_lines
from eda.words import ENGLISH, Words

if TYPE_CHECKING:
    from eda.cli.terminal.prompt import PromptLine

LONGEST = 20_000
"""Characters of one message; a longer one would leave no room for others in the prompts."""
_LETTERS = re.compile(r"[A-Za-z](?:\s*[>,;\s]\s*[A-Za-z])*")
"""A vote by letters."""


class TerminalSeat:
    """One person's seat. `editor` is None where whole lines are read: from a pipe, or a terminal without an editor."""

    def __init__(self, name: str, seconds: float | None = None) -> None:
        """`seconds` is the time for an answer, None for no limit."""
        self.name = name
        self.runner = HumanRunner(self.ask, seconds=seconds)
        self.editor: PromptLine | None = None
        self.show: Callable[[str], None] = print
        """Prints a line for the person."""
        self._seconds = seconds
        self.free: Callable[[], None] = lambda: None
        """Called soon after a question is asked or the person's message is posted."""
        self._debate: Debate | None = None
        self._asked: Prompt | None = None
        self._answer: asyncio.Future[str] | None = None
        self._vote = ""
        """The vote that was given before the ballot."""
        self._texts: tuple[BallotText, ...] = ()
        """What the last ballot offered, in the order shown."""
        self._gone = False

    def sit(self, debate: Debate) -> None:
        """Join a debate in which a seat has this person's name."""
        self._debate = debate
        debate.inbox.refused = self.show
        debate.bus.subscribe(MessagePosted, self._heard, name="seat")
        debate.bus.subscribe(LineAnswered, self._answered, name="seat")
        debate.bus.subscribe(LineOffered, self._offered, name="seat")

    async def ask(self, prompt: Prompt) -> str:
        """Return the person's answer; empty if they pass."""
        early = ""
        if self._vote and self._votes_by == self._asks:
            early, self._vote = self._vote, ""
        if self._gone and not early:
            return ""
        loop = asyncio.get_running_loop()
        self._asked, self._answer = prompt, loop.create_future()
        self._texts = prompt.texts if prompt.purpose == "ballot" else ()
        if early:
            self._answer.set_result(early)
        else:
            for line in self._question(prompt):
                self.show(line)
            loop.call_soon(self.free)
        try:
            text = await self._sure(prompt, await self._answer)
        except asyncio.CancelledError:
            self.show(self._words.say("seat-told", "over"))
            raise
        finally:
            self._asked = self._answer = None
        for line in _confirmed(prompt, text, self._words) if early or not self._gone else ():
            self.show(line)
        if early and self._gone:
            self._leave()
        return text

    async def _sure(self, prompt: Prompt, text: str) -> str:
        """Return the vote once the person has said yes to how it is read, where it is no plain row of texts."""
        while prompt.purpose == "ballot" and not (self._gone or is_plain(text, prompt.texts)):
            slip = not text and self.editor is not None  # who pressed Enter a moment too late abstained
            if not (read := _named(_ranks(prompt, text))) and not slip:
                break
            self.show(self._words.say("seat-read", texts=read))
            self._answer = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(self.free)
            again = (await self._answer).strip()
            if not again or says_yes(again):
                break
            text = again
        return text

    def line(self, text: str) -> None:
        """Handle a line that was typed."""
        try:
            assert self._debate is not None
            commands = Commands(self._debate, self._title, self.show, self.vote)
            if text.startswith("/") and not text.startswith("//"):
                commands.run(text.strip())
                if text.split(maxsplit=1)[0] == "/next":
                    self._reply("")  # moving on answers the open question with a pass
                return
            text = text.removeprefix("/") if text.startswith("//") else text
            if len(text) > LONGEST:
                raise UsageError(f"a message has at most {LONGEST:,} characters, this one has {len(text):,}")
            if self._answers(text):
                return
            if self._asked is None and self._debate.inbox.voting and self._texts and is_plain(text, self._texts):
                self.vote(text)  # it changes the vote that is in
            elif self._is_talk(text) or (not self._reply(text) and text.strip()):
                commands.say(text)
                if self.asked:
                    self.show(self._words.say("seat-told", "open"))
        except EdaError as error:
            self.show(f"{error}. {error.hint}".strip())

    def vote(self, text: str) -> None:
        """Answer an open ballot or poll, change the vote that is in, or keep the vote for the next one.

        Raises:
            UsageError: no ballot or poll follows, or all votes are in.
        """
        if self._asked is not None and self._asked.purpose in ("ballot", "poll"):
            self._reply(text)
        elif self._debate is not None and self._debate.inbox.voting:
            self._debate.take_back_vote(self._title)
            self._vote = text
        elif not self._votes_by:
            raise UsageError("there is no vote to come")
        elif _LETTERS.fullmatch(text):
            self.show(self._words.say("seat-no-letters", votes=self._votes_by))
        else:
            self._vote = text
            self.show(self._words.say("seat-vote-kept", votes=self._votes_by, text=text))

    def left(self) -> None:
        """Handle the end of the input."""
        self._gone = True
        self._reply("")
        if self._debate is not None and self._debate.inbox.paused_by:
            self._debate.go_on()  # nobody else is there to resume it
        if not self._vote:
            self._leave()

    @property
    def _asks(self) -> str:
        """What the phase asks for."""
        return self._debate.progress.does.asks if self._debate is not None else ""

    @property
    def _votes_by(self) -> str:
        """`ballot` if one is still to come, else `poll` if one is, else empty."""
        assert self._debate is not None
        progress = self._debate.progress
        now = () if progress.at is None or self._title in progress.done else (progress.at,)
        ahead = [phase.does for phase in (*now, *progress.agenda.later(progress.phase))]
        votes = [kind for kind in ahead if kind.ballots] or [kind for kind in ahead if kind.polls]
        return votes[0].asks if votes else ""

    @property
    def waits(self) -> bool:
        """Whether a message of the person is still to be posted and no question is open."""
        if self._debate is None or (self._answer is not None and not self._answer.done()):
            return False
        return self._debate.inbox.waits(self._title)

    @property
    def _title(self) -> str:
        """The person's title in the panel, which is not their name if members are anonymous."""
        members = self._debate.members if self._debate is not None else ()
        return next((each.title for each in members if each.person and is_seat_of(self.name, each)), self.name)

    @property
    def unsent(self) -> str:
        """The line that was typed and not sent."""
        return self.editor.text.strip() if self.editor is not None else ""

    @property
    def asked(self) -> bool:
        """Whether a question to the person is open."""
        return self._asked is not None

    @property
    def over(self) -> bool:
        """Whether nothing that is typed is heard any more."""
        return self._gone or (self._debate is not None and self._debate.inbox.over)

    def words(self) -> list[str]:
        """Return what a line can name: commands, members, also with @, and the ids of open texts."""
        words = [f"/{name}" for name in COMMANDS]
        if self._debate is not None:
            words += [f"{at}{member.title}" for at in ("", "@") for member in self._debate.members]
            motions = self._debate.memory.motions
            words += [text.id for motion in motions for text in motion.versions if text.status == "active"]
        return words

    def _answers(self, text: str) -> bool:
        """Answer yes or no to how a line was read; return False if nothing waits for that."""
        votes = self._asked is not None and self._asked.purpose in ("ballot", "poll")
        answer = yes_or_no(text)
        message = self._debate.progress.waits_for(self._title) if self._debate is not None else 0
        if self._debate is None or votes or not answer or not message:
            return False
        self._debate.answer_line(answer, self._title, message)
        return True

    def _answered(self, fact: LineAnswered) -> None:
        if fact.who == self._title and self._debate is not None:
            self._say_back(answered(fact, self._debate.memory, self._words))

    def _offered(self, fact: LineOffered) -> None:
        if fact.who == self._title and self._debate is not None:
            self._say_back(offered(fact, self._debate.memory, self._words))

    @property
    def _words(self) -> Words:
        """The messages of the debate's language."""
        return Words(self._debate.progress.settings.language) if self._debate is not None else ENGLISH

    def _say_back(self, told: SayBack | None) -> None:
        """Print how a line was read, and what its author can answer."""
        for line in told.lines if told else ():
            self.show(line)
        if told and told.answers:
            self.show(self._words.say("line-how", answers="yes-no" if "yes" in told.answers else "back"))

    def _heard(self, message: MessagePosted) -> None:
        if message.who == self._title:
            if self._debate is not None:
                self._say_back(say_back(message, self._debate.memory, self._words))
            asyncio.get_running_loop().call_soon(self.free)
        elif message.to == self._title:
            self.show(self._words.say("seat-spoken-to", who=one_line(message.who)))

    def _is_talk(self, text: str) -> bool:
        """Return whether a line typed at an open vote is none: it addresses somebody, or has a move of a speech."""
        if self._asked is None or self._asked.purpose not in ("ballot", "poll"):
            return False
        words = " ".join(text.split()).casefold()
        if any(" ".join(each.text.split()).casefold() == words for each in self._asked.texts):
            return False
        tags = tag_reader(default_language())
        return words.startswith("@") or any(tags.tags(line, loose=False) for line in text.splitlines())

    def _reply(self, text: str) -> bool:
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(text)
        return True

    def _leave(self) -> None:
        if self._debate is not None and self._debate.progress.ended is None:
            with suppress(EdaError):
                self._debate.mute(self._title, self._title)

    def _question(self, prompt: Prompt) -> Iterator[str]:
        seat = "" if self._title == self.name else self._title  # among anonymous members
        yield from question_lines(prompt, self._words, seat, self._seconds or 0)
        if prompt.purpose in ("ballot", "poll"):
            yield self._words.say("seat-how", "scores" if prompt.answer is ScoredAnswer else prompt.purpose)


def _ranks(prompt: Prompt, text: str) -> list[list[BallotText]]:
    """Return the ranks of texts that a typed vote accepts, best first, as it will be read; none where it cannot be."""
    scored = prompt.answer is ScoredAnswer
    fields, _ = read_typed(Reply(text), prompt.texts, "scores" if scored else "firsts")
    ranked = (fields or {}).get("ranking") or [(fields or {}).get("choice")]
    words = {text.text: text for text in prompt.texts}
    return [[words[each] for each in flat([rank])] for rank in ranked if rank not in (None, NONE)]


def _named(ranks: Iterable[Iterable[BallotText]]) -> list[str]:
    """Return the texts of each rank, by their titles or first words, with their ids."""
    return [" = ".join(in_short(text.title or text.text, text.id) for text in rank) for rank in ranks]


def _confirmed(prompt: Prompt, text: str, words: Words) -> Iterator[str]:
    """Yield what the program takes an answer for, where the screen does not show it at once."""
    text, say = one_line(text), words.say
    if prompt.purpose in ("ballot", "poll"):
        texts = _named(_ranks(prompt, text))
        if texts or prompt.purpose == "poll" or not text or text.casefold() in (NONE, "abstain"):
            yield say("seat-voted", text=text, texts=texts, purpose=prompt.purpose)
    elif prompt.stage == "opening":
        purpose = "opening" if prompt.phase == "opening" else "word"
        yield say("seat-kept", purpose=purpose, text=text) if text else say("seat-told", "pass")
