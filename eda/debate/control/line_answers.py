"""`LineAnswers`: what a person answers to how the lines that they typed were read."""

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any, Literal

from eda.debate.control.changes import Answered
from eda.debate.line_reader import answer_in
from eda.debate.result import Shown
from eda.errors import EdaError
from eda.events import Move
from eda.memory.minutes.otherwise import is_unclear_yes
from eda.memory.minutes.remark_words import answers_only, undone, yes_or_no
from eda.memory.minutes.remarks import read_remark
from eda.text import clean, regex
from eda.words import fault, refuse_if

# What names the line that an answer is for: "m1 no, m5 yes".
_OF = regex(r"(?:^|[,;.\n]\s{0,9}(?:and |und )?|\b(?:and|und)\s+)m(\d{1,6}):?\s+", "I")
# A row of digits, letters and ids, which says nothing by itself.
_BARE = regex(r"[\W_]*(?:(?:\d{1,3}|[a-z]|[opm]\d+(?:[.@]\d+)?)(?:[\W_]+|$))+", "I")
_ANY = (Move("note", ""),)  # in place of what was offered of a line of which nothing waits


class LineAnswers(Shown):
    """The answers to typed lines, by a yes, a no or another line."""

    inbox: Any  # its file imports this one
    _driver: Any

    def answer_line(self, answer: Literal["yes", "no", "taken back"], who: str, message: int = 0) -> None:
        """Say whether a line that a person typed was read rightly, or take back what it did.

        Args:
            answer: Yes or no to what was offered, or `taken back`.
            who: Whose line it is, by title.
            message: The message that holds the line; 0 for the last one that can be answered so.

        Raises:
            UsageError: no such line waits for that answer, it is another person's, or a newer one is read first.
        """
        refuse_if({"error-line-reads": answer != "taken back" and self.reads_newer(who, message)}, text=answer)
        self.inbox.change([Answered(who, answer, message)])

    def reads(self, message: int) -> bool:
        """Return whether a model is still asked what the line that a person typed in a message states."""
        return bool(self._driver.reads(message))

    def reads_newer(self, who: str, message: int) -> bool:
        """Return whether a line of a person, from a message on, is still to be posted or to be read by a model.

        It may replace what older ones were offered for, so these are neither put again nor answered meanwhile.
        """
        line = self.memory.parts.messages.line
        newer = (at for at in self.progress.unread if at >= message and self.reads(at))
        return self.inbox.waits(who) or any(line(at).who == who for at in newer)

    def past_answer(self, text: str, who: str, message: int = 0, *, vote: bool = False) -> tuple[str, bool]:
        """Return a typed line, and whether it answers how an earlier one was read; empty where it says no more.

        What is read exactly counts with the answer, and is not returned; of a line that says more all words are.
        That is the line in `message`, or the last one, where it waits for an answer. A yes with a condition and a
        question answer none. "Not o1, the rest yes" accepts what else was offered. "m1 no, m5 yes" names the lines.
        "Scratch that" drops the line that is not posted yet, or is a no to what was offered last; what it says behind
        is a line. One that may be a `vote` needs no question.

        Raises:
            UsageError: what it says beyond the answer states nothing of a text: it may be for the program alone. Or it
                says yes, but, or yes to a text that is opposed; or a line that it names waits for no answer, or nothing
                is open that it answers; or a newer line of its author is read first.
        """
        waiting, answers_to = self.progress.waiting(who), partial(answer_in, who=who, memory=self.memory)
        parts = self._drop_or_take_apart(text, who, message, waiting)
        read = [(at, *answers_to(part, waiting.get(at, _ANY), started=self.progress.started)) for at, part in parts]
        if not self._answer_now(read, who, text.strip(), vote=vote):
            if not vote and (vain := self._hedged(parts, who) or self._vain(text.strip(), who)):
                raise vain
            return text, False
        answered = ((at, rest * says, *given) for at, answers, rest, says in read for given in answers.items())
        self.inbox.change([Answered(who, answer, at, moves, says) for at, says, answer, moves in answered])
        more = [rest for *_, rest, says in read if rest and says]
        if not more and (held := [rest for *_, rest, _ in read if rest]):
            raise fault("error-line-held", text=", ".join(held))
        return (text if parts[0][1] == text else ", ".join(more)) * bool(more), True

    def _answer_now(self, read: Collection[tuple[int, Any, str, bool]], who: str, text: str, *, vote: bool) -> bool:
        """Return whether all parts of a line answer what was offered, and nothing newer of its author is read first.

        Raises:
            UsageError: something is, and the line says no more than an answer.
        """
        reads = any(at and answers and self.reads_newer(who, at) for at, answers, _, _ in read)
        refuse_if({"error-line-reads": reads and not (vote or any(says for *_, says in read))}, text=text)
        return not reads and all(at and answers for at, answers, _, _ in read)

    def _drop_or_take_apart(self, text: str, who: str, message: int, waiting: Collection[int]) -> list[tuple[int, str]]:
        """Return the lines that a typed line may answer, by their messages, each with what it says of that one.

        Raises:
            UsageError: it dropped the line that was not posted yet.
        """
        waits = next((at for at in (message, self.progress.last_lines.get(who, 0)) if at in waiting), 0)
        back = max(waiting, default=0) * (undone(text) is not None)
        if message not in waiting and undone(text) == "" and (dropped := self.inbox.unsay(who)):
            raise fault("error-line-held", text=dropped)
        head, *named = _OF.split(text.strip()) if waiting else [text]
        parts = [(int(at), part) for at, part in zip(named[::2], named[1::2], strict=True)]
        return [(waits or back, text)] if head or not parts else parts

    def _hedged(self, parts: Iterable[tuple[int, str]], who: str) -> EdaError | None:
        """Return the error of a line that answers what is open with a yes that can be read in more than one way."""
        rows, waiting = self.memory.state.rows, self.progress.waiting(who)
        faults = (
            fault("error-line-hedged", text=part.strip(), id=next((e.target for e in moves if e.target), "o1"))
            for at, part in parts
            for moves in [waiting.get(at, ())]
            if at and is_unclear_yes(part, moves, rows, who)
        )
        return next(faults, None)

    def _vain(self, text: str, who: str) -> EdaError | None:
        """Return the error of a line that says nothing by itself, as a digit or a yes, where no question takes it."""
        state, last, says, undo = self.progress, self.progress.last, yes_or_no(text), undone(text) == ""
        asked = says and (state.does.sealed or (last and any(move.kind in ("propose", "amend") for move in last.moves)))
        if not undo and (asked or (last and who in (last.to, last.next)) or not (says or self._bare(text, who))):
            return None
        counted = [at for at, line in state.lines.items() if undo and (line.who, line.state) == (who, "counted")]
        opened = counted or sorted(state.waiting(who))
        why = "error-line-counts" if counted else "error-line-open" if opened else "error-nothing-open"
        line, words = self.memory.parts.messages.line, state.settings.words
        lines = [f"m{at} {words.say('votes-quote', words=clean(line(at).text))}" for at in opened]
        return fault(why, at=f"m{[0, *opened][-1]}", lines=lines, text=text)

    def _bare(self, text: str, who: str) -> bool:
        """Return whether a line is digits, letters and ids alone, or yes and no to ids; "o1 yes" takes a side."""
        rows = self.memory.state.rows
        read = read_remark(text, rows.values(), who, {}) if answers_only(text, rows) else None
        return bool(_BARE.fullmatch(text) or (read and not (read.acts and read.exact)))
