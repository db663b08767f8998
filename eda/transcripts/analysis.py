"""Feeds a recorded conversation to a bus and a memory, and reports what was found, as plain JSON types.

Patterns take the minutes, or a model does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from eda.bus import MessageBus
from eda.errors import InputError
from eda.events import Decision, MessagePosted, Proposal, Reaction, SessionEnded, SessionStarted, bounded
from eda.memory import ConversationMemory
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.items import DecisionItem, ProposalItem, told_of
from eda.memory.patterns import PatternPack
from eda.memory.summariser import Summariser
from eda.panels.registry import SUMMARISERS
from eda.panels.settings import Settings
from eda.runners.protocol import Runner, spec_of
from eda.session import Session
from eda.transcripts.kind import UNKNOWN, Row, row_of_dict


def analyze(
    rows: Iterable[Row | Mapping[str, Any]],
    *,
    options: Sequence[str] = (),
    question: str = "",
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    minutes_only: bool = False,
    on_message: Callable[[MessagePosted], object] = lambda _message: None,
) -> ConversationMemory:
    """Feed one recorded conversation to a memory and return the memory.

    Args:
        rows: The messages in order. A dict is read as a line of a transcript.
        options: The choices under discussion; if empty, those of the first row.
        question: What the talk is about; if empty, what the first row says.
        patterns: The patterns to use; None for the default pack.
        session: Stores the facts; None to store them in memory only.
        settings: `summary_every` and the budgets are used.
        minutes_only: Keep only what `conversation_report` shows, which takes less time and memory: nothing can be
            recalled, and contexts lack the transcript.
        on_message: Called with each message after it was posted.

    Raises:
        InputError: a row is not valid, or the rows belong to several conversations.
    """
    talk = _Talk(rows, options, question, patterns, session, settings)
    talk.memory.parts.minutes_only = minutes_only
    summariser = talk.begin()
    for message in talk.messages():
        talk.bus.publish(message)
        summariser.extract_due()
        on_message(message)
    talk.bus.publish(SessionEnded(reason="transcript"))
    return talk.memory


async def take_minutes(
    rows: Iterable[Row | Mapping[str, Any]],
    runner: Runner,
    *,
    options: Sequence[str] = (),
    question: str = "",
    patterns: PatternPack | None = None,
    session: Session | None = None,
    settings: Settings | None = None,
    on_message: Callable[[MessagePosted], object] = lambda _message: None,
) -> ConversationMemory:
    """`analyze`, with the summaries and minutes of a model, by the call that debates use: each item quotes a message.

    A call covers `summary_every` messages, the last one the rest. Its facts are stored in the session.

    Raises:
        InputError: as for `analyze`.
        RunnerUnavailableError: no call will succeed before somebody acts.
    """
    talk = _Talk(rows, options, question, patterns, session, settings)
    summariser = talk.begin(runner)
    for message in talk.messages():
        left = len(talk.rows) - talk.memory.covered
        if left <= talk.started.settings.summary_every + 1:  # a last call for one message would see no talk around it
            talk.memory.parts.pending.every = left
        talk.bus.publish(message)
        while await summariser.finish():
            pass
        on_message(message)
    talk.bus.publish(SessionEnded(reason="transcript"))
    return talk.memory


class _Talk:
    """A recorded conversation: its rows, each checked before the first is used, its bus, memory and first fact."""

    def __init__(
        self,
        rows: Iterable[Row | Mapping[str, Any]],
        options: Sequence[str],
        question: str,
        patterns: PatternPack | None,
        session: Session | None,
        settings: Settings | None,
    ) -> None:
        self.rows = [row if isinstance(row, Row) else row_of_dict(row, place) for place, row in enumerate(rows, 1)]
        conversations = {row.conv for row in self.rows if row.conv}
        if len(conversations) > 1:
            raise InputError(f"the rows belong to {len(conversations)} conversations", hint="Analyze one at a time.")
        stored = session or Session.in_memory()
        self.memory = ConversationMemory(patterns, fact=session.fact if session else None)
        self.bus = MessageBus(stored.log, self.memory.fold)
        first = next(iter(self.rows), Row(speaker=UNKNOWN, text=""))
        named = options or first.options or ()
        self.started = SessionStarted(
            session=stored.name,
            kind="transcript",
            question=question or first.question,
            options=tuple(dict.fromkeys(" ".join(option.split()) for option in named if option.strip())),
            settings=settings or Settings(),
            patterns=self.memory.patterns.fingerprint,
        )

    def begin(self, runner: Runner | None = None) -> Summariser:
        """Publish the first fact; return what writes the summaries, by a model where there is a runner."""
        ask = None
        if runner is not None:
            self.started = self.started.model_copy(update={"runner": spec_of(runner)})
            ask = SUMMARISERS.get("model").by_hand(self.bus, self.memory, runner, self.started)
        self.bus.publish(self.started)
        return Summariser(self.memory.parts, self.bus.publish, ask=ask)

    def messages(self) -> Iterator[MessagePosted]:
        """Yield the rows as messages, each with the number of the message that it answers."""
        numbers: dict[str, int] = {}
        for number, row in enumerate(self.rows, 1):
            text = bounded(row.text)
            yield MessagePosted(
                number=number,
                who=row.speaker,
                text=text,
                ref=row.id,
                topic=row.topic,
                t=row.t,
                sent=row.sent,
                reply_to=numbers.get(row.reply_to or ""),
                **read_reply(text, loose=False, language=self.memory.patterns.language)._asdict(),
            )
            numbers[row.id or str(number)] = number


def conversation_report(conv: str, rows: Sequence[Row], memory: ConversationMemory) -> dict[str, Any]:
    """Return what memory found in a conversation as a JSON object, with the transcript's own message ids."""
    homes = {proposal.id: proposal.message for proposal in memory.proposals}

    def own(number: int | None) -> str | None:
        return (rows[number - 1].id or str(number)) if number else None

    def reaction(item: Reaction) -> dict[str, Any]:
        return {"message_id": own(item.message), "agent": item.agent, "reaction": item.reaction}

    return {
        "conv": conv,
        "messages": len(rows),
        "decisions": [
            {
                "id": d.id,
                "message_ids": [own(number) for number in d.messages],
                "numbers": list(d.messages),
                "topic": d.topic,
                "outcome": d.outcome,
                "supporters": list(d.supporters),
                "status": d.status,
            }
            for d in memory.decisions
        ],
        "proposals": [
            {
                "id": p.id,
                "message_id": own(p.message),
                "number": p.message,
                "proposer": p.proposer,
                "content": p.content,
                "status": p.status,
                "reactions": [reaction(item) for item in p.reactions],
            }
            for p in memory.proposals
        ],
        "reactions": [
            {**reaction(item), "to": own(homes.get(item.to or "", item.answered))} for item in memory.reactions
        ],
        "agents": {
            name: {
                "last_position": state.last_position,
                "key_contributions": list(state.key_contributions),
                "message_count": state.message_count,
                "holds": list(state.holds),
            }
            for name, state in memory.agents.items()
        },
        "consensus": memory.consensus().reached,
        "summaries": [
            {"first": own(s.first), "last": own(s.last), "level": s.level, "text": s.text} for s in memory.summaries
        ],
    }


def minutes_report(conv: str, rows: Sequence[Row], memory: ConversationMemory) -> dict[str, Any]:
    """Return `conversation_report` with what talk marks as minutes, or a model lists too; the rest is in `passages`.

    A passage may hold a proposal or a decision: a pattern found it in talk that nobody marked, with its `confidence`.
    """
    report, state = conversation_report(conv, rows, memory), memory.parts.minutes.state
    items: dict[str, ProposalItem | DecisionItem] = {**state.proposals, **state.decisions}
    loose = {key: item for key, item in items.items() if item.source == "pattern" and not item.written}
    stated = {told_of(item) for item in loose.values()}
    agents = {
        name: {**agent, "key_contributions": [each for each in agent["key_contributions"] if each not in stated]}
        for name, agent in report["agents"].items()
    }
    agreed, texts = memory.consensus(), {item.text for item in loose.values()}
    found: list[Proposal | Decision] = [*memory.proposals, *memory.decisions]
    passages = [_passage(item, rows) for item in found if item.id in loose]
    about = zip(memory.reactions, report["reactions"], strict=True)
    return {
        **report,
        **{kind: [item for item in report[kind] if item["id"] not in loose] for kind in ("decisions", "proposals")},
        "reactions": [data for reaction, data in about if reaction.to not in loose],
        "agents": agents,
        "consensus": agreed.reached and not (agreed.basis == "proposal" and agreed.on in texts),
        "passages": sorted(passages, key=lambda passage: passage["number"]),
    }


def stored_rows(session: Session) -> list[Row]:
    """Return the messages of a session as the rows of a transcript."""
    facts = (fact for fact in session.events() if isinstance(fact, MessagePosted))
    return [Row(speaker=fact.who, text=fact.text, id=fact.ref) for fact in facts]


def _passage(item: Proposal | Decision, rows: Sequence[Row]) -> dict[str, Any]:
    number, quote = (item.message, item.quote) if isinstance(item, Proposal) else (item.messages[0], item.quotes[0])
    row = rows[number - 1]
    return {
        "kind": "proposal" if isinstance(item, Proposal) else "decision",
        "id": item.id,
        "message_id": row.id or str(number),
        "number": number,
        "speaker": row.speaker,
        "text": quote.text if quote else "",
        "confidence": item.confidence,
    }
