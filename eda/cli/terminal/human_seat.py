"""The seat of the person at the terminal: prints what they are asked, and passes on what they type.

A line answers the open question; without one, it is posted after the turn. At the end of the input the person leaves.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal

from eda.cli.terminal.slash_commands import COMMANDS, Commands
from eda.debate.asking import CALLS_A_VOTE
from eda.debate.debate import Debate
from eda.debate.person import adding, is_plain, likely_row, parted
from eda.debate.seating import is_seat_of
from eda.debate.tries import says_yes
from eda.debate.verdict import slate_now
from eda.errors import EdaError, UsageError
from eda.events import LineAnswered, LineOffered, MessagePosted
from eda.memory.minutes.move_words import tag_reader
from eda.memory.minutes.remark_words import answer_first
from eda.memory.patterns import default_language
from eda.report.formatting import one_line
from eda.report.say_back import SayBack, offers, say_back, uncounted
from eda.runners.human import HumanRunner
from eda.runners.protocol import Prompt
from eda.serve.ballot import (
    INSTEAD,
    how_read,
    joined_votes,
    open_steps,
    question_lines,
    reordered,
    typed_fields,
    ways_to_vote,
    yes_or_no_alone,
)
from eda.voting.choices import same_words
from eda.words import ENGLISH, Words, fault

LONGEST = 20_000  # Characters of one message; a longer one would leave no room for others in the prompts.


class TerminalSeat:
    """One person's seat. `editor` is None where whole lines are read: from a pipe, or a terminal without an editor."""

    def __init__(self, name: str, seconds: float | None = None) -> None:
        """`seconds` is the time for an answer, None for no limit."""
        self.name = name
        self.runner = HumanRunner(self.ask, seconds=seconds, letters=True)
        self.editor: Any = None  # a `PromptLine`, whose file imports this one
        self.show: Callable[[str], None] = print  # prints a line for the person
        # Called soon after a question is asked or the person's message is posted.
        self.free: Callable[[], None] = lambda: None
        self._debate: Debate | None = None
        # The question to the person that is open.
        self.asked: Prompt | None = None
        self._answer: asyncio.Future[str] | None = None
        # The vote in place of the one that was taken back; whether it was typed again, with `/vote`, at a question that
        # it had left open.
        self._vote, self._anew = "", False
        # The vote that was read back, or shown as typed, where nobody said no: it counts when the time is up.
        self._unopposed = ""
        self._pressed = False  # whether Enter was pressed at a question at which one alone does not pass
        # The last ballot that they were asked for, after which nothing else was asked.
        self._ballot: Prompt | None = None
        # The last line whose reading was shown for a yes or no, where none was sent since; whether nobody has said
        # anything since then; those shown once more.
        self._offered, self._fresh, self._shown_again = 0, False, set[int]()
        self._gone, self._open = False, tuple[str, ...]()  # the lines of the question that is open

    def sit(self, debate: Debate) -> None:
        """Join a debate in which a seat has this person's name."""
        self._debate = debate
        debate.inbox.refused = self.show
        debate.bus.subscribe(MessagePosted, self._heard, name="seat")
        debate.bus.subscribe(LineAnswered, self._heard, name="seat")
        debate.bus.subscribe(LineOffered, self._heard, name="seat")

    async def ask(self, prompt: Prompt) -> str:
        """Return the person's answer; empty if they pass."""
        early, self._vote, self._unopposed, self._pressed = self._vote, "", "", False
        if self._gone:
            return ""
        self.asked, self._ballot = prompt, prompt if prompt.purpose == "ballot" else None
        self._offered = prompt.last if prompt.purpose == "offer" else self._offered
        try:
            text = await self._sure(prompt, early or await self._next(*self._question(prompt)))
        except asyncio.CancelledError:
            counts = self._read(prompt, self._unopposed) if self._unopposed else ""
            self.show(self._words.say("seat-over", votes=prompt.votes, read=counts))
            if not counts:
                raise
            return self._unopposed
        finally:
            self.asked = self._answer = None
        for line in self._confirmed(prompt, text) if not self._gone else ():
            self.show(line)
        self._readable(prompt, text, tell=prompt is self._ballot and prompt.attempt >= CALLS_A_VOTE)
        return text

    async def _sure(self, prompt: Prompt, text: str, *, back: bool = False) -> str:
        """Return the vote once each question that it leaves open is answered, and yes is said to how it is read.

        The questions are those of the ballot at a page: what one accepts, which first, what beside it. A line that
        answers all of them needs no yes, but for one that takes `back` another.
        """
        typed, self._anew = self.editor is not None, False
        likely = self._readable(prompt, text)
        steps = open_steps(prompt, likely, self._debate.progress) if typed and self._debate is not None else {}
        plain = prompt.purpose != "ballot" or is_plain(text, prompt.texts)  # has one reading, or is shown as typed
        sure = (plain and not (steps or back)) or not (text or typed)
        self._unopposed = text * (likely == text)  # a likely row counts after a yes alone
        text = likely or text
        for step, ids in steps.items():
            another = self._instead(prompt, answer := await self._step(prompt, step, ids, text))
            if self._anew or another != answer or (parted(answer, prompt.texts)[1] and self._readable(prompt, answer)):
                return await self._sure(prompt, another, back=not self._anew)
            head, also = parted(text, prompt.texts)
            head, also = (reordered(prompt, head, answer, self._words), also) if step == "order" else (head, answer)
            vote = self._words.say("seat-step", "adds", text=head, beside=also) if also else head
            if not self._readable(prompt, vote):
                return await self._read_back(prompt, text, unread=answer)
            text = self._unopposed = vote
        return text if sure else await self._read_back(prompt, text)

    async def _read_back(self, prompt: Prompt, text: str, *, unread: str = "") -> str:
        """Return a vote once yes is said to how it is read, or another; behind an `unread` line Enter is no yes."""
        while not self._gone and (read := self._read(prompt, text)):
            self._unopposed *= not unread
            told = {"read": read, "typed": one_line(unread), "wrong": typed_fields(prompt, unread, self._words)[1]}
            again = await self._next(self._words.say("seat-unread" if unread else "seat-read", **told))
            if added := self._added(prompt, text, again):
                text, unread = added, ""
                self._unopposed = added
                continue
            if says_yes(again, prompt.texts) or not (again or unread):
                break
            another = self._instead(prompt, again)
            if not again or self._readable(prompt, another):
                return await self._sure(prompt, another, back=another != again)
            unread = again
        return text

    async def _step(self, prompt: Prompt, step: Literal["order", "beside"], ids: Sequence[str], text: str) -> str:
        """Return the answer to a question that a vote leaves open; a yes is for the one text, or is asked for which."""
        asks = f"{self._words.say('ballot-page', step)} {self._words.say('seat-step', step, text=text)}"
        answer = await self._next(*[self._read(prompt, text)] * (not is_plain(text, prompt.texts)), asks)
        while step == "beside" and (says := yes_or_no_alone(prompt, answer)):
            which = self._words.say("seat-step", "which", texts=ids)
            answer = await self._next(which) if says == "yes" and len(ids) > 1 else ids[0] * (says == "yes")
        return answer

    def _added(self, prompt: Prompt, text: str, more: str) -> str:
        """Return a vote with what a line adds to it, or wants beside it: "o1 too", "also C", "no, C only beside it".

        Empty where it does neither.
        """
        adds, first = adding(more) if prompt.purpose == "ballot" else [], prompt.phase == "first-ballot"
        head, only = parted(answer_first(more, loose=True)[1] or more, prompt.texts)
        if moves := not first and bool(any(adds[:1]) or (only and not head)):  # as the screen says
            more = only or more
        joined = joined_votes(prompt, [text, more], self._words, moves=moves) if any(adds) or moves else ""
        return joined or (self._readable(prompt, f"{text} {more}") if moves else "")  # "none", and C beside it

    def _instead(self, prompt: Prompt, text: str) -> str:
        """Return the vote in a line that takes another back: "nope, just b", "hm, d instead"; else the line."""
        vote = INSTEAD.sub("", text) if prompt.purpose == "ballot" else text
        return vote if self._readable(prompt, vote) and "no" not in {each.id for each in prompt.texts} else text

    def _readable(self, prompt: Prompt, text: str, *, tell: bool = False) -> str:
        """Return an answer that can be read, or the row that it is likely to be; tell what to do if it is neither."""
        likely = likely_row(text, prompt.texts) if prompt.purpose == "ballot" else ""
        takes = text if not prompt.votes or self._read(prompt, text) else likely
        if tell and text and not takes:
            self.show(self._words.say("seat-no-vote", wrong=typed_fields(prompt, text, self._words)[1]))
        return takes

    async def _next(self, *question: str) -> str:
        """Return what the person types next, after the lines of a question."""
        self._open = question
        for line in question:
            self.show(line)
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        loop.call_soon(self.free)
        return (await self._answer).strip()

    def _read(self, prompt: Prompt, text: str) -> str:
        """Return in a sentence how a vote will be read; empty where it cannot be."""
        with suppress(UsageError):
            return how_read(prompt, text, self._debate.memory, self._words) if self._debate is not None else ""
        return ""

    def _confirmed(self, prompt: Prompt, text: str) -> Iterator[str]:
        """Yield what the program takes an answer for, where the screen does not show it at once."""
        say = self._words.say
        if prompt.votes:
            if read := self._read(prompt, text):
                yield say("seat-voted", text=one_line(text), read=read)
        elif prompt.purpose == "speak" and prompt.stage == "opening":
            purpose = "opening" if prompt.phase == "opening" else "word"
            yield say("seat-kept", purpose=purpose, text=one_line(text)) if text else say("seat-told", "pass")

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
                raise fault("error-message-long", most=LONGEST, count=len(text))
            text, answers = self._past_answer(text)
            talk = self._is_talk(text)
            self._offered *= not text.strip() or (self.asked is not None and self.asked.purpose != "speak")
            if self._is_stray(text):
                self.show(self._words.say("seat-told", "no-words"))
                return
            if (answers and not text) or (not talk and (self._reply(text) or not text.strip())):
                return
            if not talk and self._is_vote(text, self._debate):
                self.vote(text)  # it changes the vote that is in, or comes before it is asked; no ballot is a message
            else:
                commands.say(text)
                if self.asked and not answers:
                    self._ask_again(self.asked)
        except EdaError as error:
            self.show(". ".join(self._words.error(error)).strip())

    def _is_stray(self, text: str) -> bool:
        """Return whether it is the first Enter at words that are asked for once: it may be for the question before."""
        asked = self.asked
        once = self.editor is not None and asked is not None and (asked.purpose, asked.stage) == ("speak", "opening")
        stray = once and not self._pressed and not text.strip()
        self._pressed |= stray
        return stray

    def _ask_again(self, prompt: Prompt) -> None:
        """Show the question that a message has left open; one about an offer waits until the message was read."""
        self._fresh, offer = False, prompt.purpose == "offer"
        told = [self._words.say("seat-told", "open" if prompt.votes else "read-first")] * (prompt.votes or offer)
        for line in (*told, *(() if prompt.votes or offer else self._question(prompt))):
            self.show(line)
        if offer:
            self._reply("")

    def vote(self, text: str) -> None:
        """Answer an open ballot or poll, or change the vote that is in.

        Raises:
            UsageError: no vote is being taken, or all votes are in.
        """
        if self.asked is not None and self.asked.votes:
            self._anew = True
            if not self._reply(text):  # the one before it is being read
                asyncio.get_running_loop().call_soon(self.line, text)
        elif self._debate is not None and self._debate.inbox.voting:
            if self._ballot is None or self._readable(self._ballot, text, tell=True):
                self._debate.inbox.take_back_vote(self._title)
                self._vote = text
        else:
            raise fault("error-no-vote-now")

    def left(self) -> None:
        """Handle the end of the input."""
        self._gone = True
        self._reply("")
        if self._debate is not None and self._debate.inbox.paused_by:
            self._debate.go_on()  # nobody else is there to resume it
        if self._debate is not None and self._debate.progress.ended is None:
            with suppress(EdaError):
                self._debate.mute(self._title, self._title)

    @property
    def waits(self) -> bool:
        """Whether a message of the person is still to be posted and no question is open."""
        asked = self._answer is not None and not self._answer.done()
        return self._debate is not None and not asked and self._debate.inbox.waits(self._title)

    @property
    def _title(self) -> str:
        """The person's title in the panel, which is not their name if members are anonymous."""
        members = self._debate.members if self._debate is not None else ()
        return next((each.title for each in members if each.person and is_seat_of(self.name, each)), self.name)

    @property
    def unsent(self) -> str:
        """The line that was typed and not sent."""
        return str(self.editor.text).strip() if self.editor is not None else ""

    @property
    def over(self) -> bool:
        """Whether nothing that is typed is heard any more."""
        return self._gone or (self._debate is not None and self._debate.inbox.over)

    def words(self) -> list[str]:
        """Return what a line can name: commands, members, also with @, and the ids of open texts."""
        words = [f"/{name}" for name in COMMANDS]
        if (here := self._debate) is not None:
            words += [f"{at}{member.title}" for at in ("", "@") for member in here.members]
            words += [each.id for motion in here.memory.motions for each in motion.versions if each.status == "active"]
        return words

    def _past_answer(self, text: str) -> tuple[str, bool]:
        """Return a line, and whether it answers how an earlier one was read; empty where it says no more than that."""
        purpose = self.asked.purpose if self.asked else ""
        if self._debate is None or purpose in ("ballot", "poll", "terms"):  # the question takes it
            return text, False
        vote = purpose != "offer" and self._is_vote(text, self._debate)
        text, answers = self._debate.past_answer(text, self._title, self._offered, vote=vote)
        if answers and not text:
            voting = [self._words.say("seat-told", "answered-at-a-vote")] * bool(self._debate.inbox.voting)
            for line in (*voting, *(self._open if purpose == "speak" else ())):  # the floor is still open
                self.show(line)
        return text, answers

    @property
    def _words(self) -> Words:
        """The messages of the debate's language."""
        return self._debate.progress.settings.words if self._debate is not None else ENGLISH

    def _say_back(self, told: SayBack | None, *, reads: bool = False) -> None:
        """Print how a line was read, and what its author can answer; if nothing is offered, once more what waits."""
        waits = self._waiting(told.message) if told and not (reads or self.asked or "yes" in told.answers) else None
        for each in (told, waits):
            for line in each.lines if each else ():
                self.show(line)
            if each and each.answers:
                self._fresh = "yes" in each.answers
                self._offered = each.message if self._fresh else self._offered
                self.show(self._words.say("line-how", answers="yes-no" if self._fresh else "back"))

    def _waiting(self, number: int) -> SayBack | None:
        """Return how the last line before a message was read whose author has said no yes or no to that, once."""
        here = self._debate if self._debate and not self._debate.reads_newer(self._title, number) else None
        waiting = offers(self._title, here.progress.waiting(self._title), here.memory, self._words) if here else {}
        at = max((each for each in waiting if each < number and each not in self._shown_again), default=0)
        self._shown_again.add(at)
        return (
            SayBack((self._words.say("line-still", message=f"m{at}"), waiting[at]), at, ("yes", "no")) if at else None
        )

    def _heard(self, fact: MessagePosted | LineAnswered | LineOffered) -> None:
        self._fresh &= isinstance(fact, LineOffered)
        if fact.who == self._title and (here := self._debate) is not None:
            number = fact.number if isinstance(fact, MessagePosted) else fact.message
            reads, left = here.reads(number), here.progress.waiting(fact.who).get(number, ())
            self._say_back(say_back(fact, here.memory, self._words, reads=reads, left=left), reads=reads)
            if isinstance(fact, MessagePosted):
                asyncio.get_running_loop().call_soon(self.free)
            elif (
                self.asked
                and self.asked.purpose == "offer"
                and not here.progress.waiting(fact.who).get(self.asked.last)
            ):
                self._reply("")
        elif isinstance(fact, MessagePosted) and (
            (called := self._title in (fact.to, fact.next))
            or (not fact.sealed and default_language().claims_agreement.search(fact.talk))
        ):
            self.show(self._words.say("seat-spoken-to", called=called, who=one_line(fact.who), at=f"m{fact.number}"))

    def _is_vote(self, text: str, debate: Debate) -> bool:
        """Return whether a line that answers no question is a vote: during one, or a plain row before it is asked."""
        paper, state = self._ballot, debate.progress
        texts = paper.texts if paper else slate_now(state, debate.memory).texts
        row = is_plain(text, [each.model_copy(update={"lettered": True}) for each in texts])
        return debate.inbox.voting or row if paper else state.does.ballots and row

    def _is_talk(self, text: str) -> bool:
        """Return whether a line is no vote, as it calls somebody or has a move; or says something beside an offer."""
        prompt = self.asked or self._ballot
        if prompt is None or not prompt.votes or any(same_words(each.text, text) for each in prompt.texts):
            return bool(prompt and prompt.purpose == "offer" and text.strip())
        tags = tag_reader(default_language())
        return text.lstrip().startswith("@") or any(tags.tags(line, loose=False) for line in text.splitlines())

    def _reply(self, text: str) -> bool:
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(text)
        return True

    def _question(self, prompt: Prompt) -> Iterator[str]:
        seat, here = "" if self._title == self.name else self._title, self._debate  # among anonymous members
        if here and prompt.purpose == "offer":
            self._shown_again.discard(prompt.last)
            still = None if self._fresh else self._waiting(prompt.last + 1)
            yield from (*(still.lines if still else ()), self._words.say("seat-settle"))
            return
        if here and (prompt.purpose, prompt.attempt) == ("ballot", 1):
            yield from uncounted(self._title, here.progress.waiting(self._title), here.memory, self._words)
        yield from question_lines(prompt, self._words, seat, self.runner.seconds or 0)
        if prompt.votes and here:
            yield ways_to_vote("seat-how", prompt, here.progress, self._words)
