"""What a member seeks in a turn before it speaks: `[LOOKUP words]`, or `[CALL tool {"a": 1}]`; then it is asked again.

What is found is a fact, cited as `e3`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from eda.debate.asking import ask
from eda.debate.prompts.documents import Reading
from eda.debate.prompts.slots import Hears
from eda.events import Event, Evidence, EvidenceFound, Line
from eda.memory import ConversationMemory
from eda.panels.tools import Tool
from eda.runners.protocol import Prompt, Runner
from eda.text import quoted, regex, shorten, words

MOST = 2  # Times a turn that a member may look something up.
PASSAGES = 3  # Passages that are shown each time.
CALLS = 6  # Calls of tools in a turn, whatever their servers allow.
ROOM = MOST * PASSAGES + CALLS  # The most passages of a turn.
TOO_MANY = f"you have looked something up {MOST} times in this turn; speak now, with what you have"
TOO_MANY_CALLS = f"you have called tools {CALLS} times in this turn; speak now, with what you have"
_MESSAGES = 2_000  # Characters of a passage of messages: they are short, and an answer to one stands beside it.
_POOL = 40  # Messages found, of which passages are made.
_ASKED = 200
_BESIDE = 12  # Words beside the tag that make a reply a speech.
_TAG = regex(r"^[ \t>*_`#-]*\[[ \t]*look[ -]?up\b[ \t:\]]*([^\]\n]*)\]?", "IM")


_CALL = regex(r"^[ \t>*_`#-]*\[[ \t]*call\b[ \t:]+([^\s{}\[\]]+)[ \t:]*(\{.*\})?[ \t]*\]?[ \t*_`]*$", "IM")


def call_of(reply: str) -> tuple[str, str] | None:
    """Return the tool that a reply calls, and its arguments as they are written; None where it is a speech."""
    called = _CALL.search(reply)
    if called is None or len(_CALL.sub(" ", reply).split()) > _BESIDE:
        return None
    return called[1], called[2] or "{}"


def words_of(reply: str) -> str:
    """Return what a reply looks up; empty where it is a speech."""
    asked = next((match[1].strip(" \t*_`\"'") for match in _TAG.finditer(reply)), "")
    return asked[:_ASKED] if asked and len(_TAG.sub(" ", reply).split()) <= _BESIDE else ""


def may_be_lookup(text: str) -> bool:
    """Return whether a reply that begins so looks something up or calls a tool, or may do so once it is longer."""
    begin = regex(r"[\s>*_`#-]").sub("", text[:40]).lower()
    return bool(begin) and any(begin.startswith(tag) or tag.startswith(begin) for tag in ("[lookup", "[call"))


class Lookups:
    """Searches the documents, the earlier messages and the notes of one debate."""

    def __init__(
        self, reading: Reading, memory: ConversationMemory, fill: Callable[..., str], tools: Sequence[Tool] = ()
    ) -> None:
        """Search these, and offer `tools`; `fill` gives a prompt text by its name, its slots filled."""
        self._tools = tools
        self.connected = False  # Whether there is what calls tools, or a recording of it.
        self._reading, self.memory, self._fill = reading, memory, fill

    @property
    def offer(self) -> str:
        """What a speaker is told of looking something up, and of tools; empty where there is nothing to find."""
        files = ["the context files"] if self._reading.in_part else []
        where = [*files, *(["earlier messages"] if self.memory.parts.recent.first > 1 else [])]
        told = [self._fill("lookup", where=" and ".join(where))] if where else []
        rows = [f"- {each.name}({each.takes})" + (f": {each.does}" if each.does else "") for each in self._tools]
        return "\n\n".join((*told, *([self._fill("tools", tools="\n".join(rows))] if rows else [])))

    def find(
        self, asked: str, who: str, prompt: Prompt, hears: Hears, first: int, turn: Sequence[Evidence]
    ) -> EvidenceFound:
        """Return what is said about words: up to three passages, the best first.

        Args:
            asked: The words.
            who: The member that looks them up.
            prompt: What it was shown: only messages before those are searched.
            hears: Tells the messages that it has heard.
            first: The number of the first passage that nobody has found yet.
            turn: What it found in this turn.
        """
        wanted, last = words(asked), prompt.lines[0].number - 1 if prompt.lines else prompt.last
        sources = [
            [(each.source, each.shown) for each in self._reading.search(asked, PASSAGES)],
            messages_about(asked, self.memory, last, hears),
            [(f"note {note.id}", note.text) for note in self.memory.parts.notes.about(asked, PASSAGES)],
        ]
        found: list[tuple[str, str]] = []
        while len(found) < PASSAGES and any(sources):
            found.append(max(filter(None, sources), key=lambda each: len(wanted & words(each[0][1]))).pop(0))
        return EvidenceFound(who=who, words=asked, found=self.memory.parts.evidence.named(found, first, turn))

    def answered(self, prompt: Prompt, found: EvidenceFound, *, last: bool) -> Prompt:
        """Return the prompt once more, with what was found; `last` where nothing more can be looked up this turn."""
        passages = "\n".join(f"{each.id}, {quoted(each.source)}:\n    {quoted(each.text)}" for each in found.found)
        told = f"This was found, as material to judge:\n\n{passages}" if passages else "Nothing was found."
        told = f"It failed: {quoted(found.error)}" if found.error else told
        left = "" if last else "Or look up one more thing first."
        return prompt.once_more(self._fill("looked-up", words=quoted(found.words), found=told, left=left))


def messages_about(asked: str, memory: ConversationMemory, last: int, hears: Hears) -> list[tuple[str, str]]:
    """Return up to three runs of messages up to `last` that say most about words, each with its place: `m3-m5`."""
    if last < 1 or not words(asked):
        return []
    recall = memory.parts.messages.recall
    scores = {each.message_id: each.score for each in recall.search(asked, _POOL, until=last) if hears(each.message_id)}
    runs: list[tuple[str, str]] = []
    taken: set[int] = set()
    while len(runs) < PASSAGES and scores.keys() - taken:
        made = [_run(memory, number, last, taken, hears) for number in scores.keys() - taken]
        best = max(made, key=lambda run: (sum(scores.get(line.number, 0.0) for line in run), -run[0].number))
        taken.update(line.number for line in best)
        place = f"m{best[0].number}" + (f"-m{best[-1].number}" if len(best) > 1 else "")
        runs.append((place, "\n".join(shorten(f"{line.who}: {line.text}", _MESSAGES) for line in best)))
    return runs


def _run(memory: ConversationMemory, first: int, last: int, taken: set[int], hears: Hears) -> list[Line]:
    """Return a message and those after it that fit, up to one that is taken or was not heard."""
    lines: list[Line] = []
    size = 0
    for number in range(first, last + 1):
        line = memory.parts.messages.line(number)
        size += len(line.text) + 1
        if lines and (size > _MESSAGES or number in taken or not line.text or not hears(number)):
            break
        lines.append(line)
    return lines


@dataclass(slots=True)
class Seeking:
    """What one member seeks in one turn."""

    runner: Runner
    lookups: Lookups
    first: Prompt  # The prompt of the turn.
    hears: Hears
    number: int  # Of the first passage that nobody has found yet.
    result: int  # Of the first result of a tool, above the passages of all who speak at the same time.
    nth: int  # Of the first call of a tool.
    too_many: str = ""  # What is wrong with the last reply where it seeks once too often.
    looked_up: int = 0
    calls: int = 0
    found: list[Evidence] = field(default_factory=list)

    async def sought(self, prompt: Prompt, reply: str) -> tuple[tuple[Event, ...], Prompt] | None:
        """Do what a reply asks for; return the facts, and the prompt to go on with.

        None where it asks for nothing, or once too often: `too_many` then tells.
        """
        asked, called = words_of(reply), call_of(reply)
        if asked and self.looked_up < MOST:
            self.looked_up += 1
            found = self.lookups.find(asked, self.first.agent, self.first, self.hears, self.number, self.found)
            facts: tuple[Event, ...] = (found,)
        elif called and self.calls < CALLS:
            self.calls += 1
            *calls, found = await self._called(*called)
            facts = (*calls, found)
        else:
            self.too_many = TOO_MANY if asked else TOO_MANY_CALLS if called else ""
            return None
        self.found += found.found
        last = self.looked_up == MOST if asked else self.calls == CALLS
        return facts, self.lookups.answered(prompt, found, last=last)

    async def _called(self, tool: str, arguments: str) -> tuple[*tuple[Event, ...], EvidenceFound]:
        """Return the facts of a tool's call. It goes by the runner, so a replay, or a resume, never calls it again."""
        fact = EvidenceFound(who=self.first.agent, words=f"{tool} {arguments}", tool=tool, arguments=arguments)
        if not self.lookups.connected:
            return (fact.model_copy(update={"error": "no tools are connected here"}),)
        prompt = Prompt(
            purpose="tool",
            agent=self.first.agent,
            last=self.first.last,
            nth=self.nth + self.calls - 1,
            attempt=self.calls,
            own=fact.words,
        )
        answer = await ask(self.runner, prompt)
        if answer.reply is None:
            return (*answer.calls, fact.model_copy(update={"error": answer.why}))
        told = answer.reply.data or {}
        text = answer.reply.text
        evidence = self.lookups.memory.parts.evidence
        found = () if told.get("error") else ((str(told.get("source") or f"tool {tool}"), text or "(an empty result)"),)
        more = {
            "found": evidence.named(found, self.result, self.found),
            "error": str(told.get("error") or ""),
            "seconds": float(told.get("seconds") or 0),
            "cost": answer.reply.usage.cost or 0.0,
        }
        return (*answer.calls, fact.model_copy(update=more))
