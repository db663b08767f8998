"""What a notebook shows of a memory."""

from collections.abc import Sequence

from eda.events import Proposal, Summary, cards
from eda.memory.minutes.minutes import Items
from eda.memory.table import Standing, Table, takers
from eda.words import ENGLISH, Words


def motion_table(memory: Items, words: Words = ENGLISH) -> cards.Html:
    """Return the texts on the table, the newest motion first: who made each, and who stands where on it."""
    head, doubt = words.labels("notebook-head"), words.say("table-note", "in-doubt")
    held = Table(positions=memory.positions, since={who: memory.newer(who) for who in memory.state.agents})
    live = [motion.live for motion in reversed(memory.motions) if motion.live is not None and motion.taken_up]

    def who(text: Proposal, stance: Standing) -> str:
        marks = {each.agent: f" ({doubt if each.doubt else head['if']})" for each in text.reactions if each.conditional}
        return ", ".join(f"{name}{marks.get(name, '')}" for name, _ in takers(text, stance, held))

    rows = [
        (
            text.id,
            text.content,
            text.proposer,
            ", ".join(filter(None, (who(text, "support"), who(text, "conditional")))),
            who(text, "oppose"),
            who(text, "neutral"),
            words.say("notebook-status", status=text.status),
        )
        for text in live
    ]
    return cards.table([head[name] for name in ("table", "words", "by", "for", "against", "undecided", "state")], rows)


def memory_line(memory: Items, messages: int, summaries: Sequence[Summary]) -> str:
    """Return how much a memory holds, on one line."""
    motions, decisions = len(memory.motions), len(memory.decisions)
    return ENGLISH.say(
        "notebook-memory", messages=messages, motions=motions, decisions=decisions, summaries=len(summaries)
    )


def memory_card(memory: Items, messages: int, summaries: Sequence[Summary]) -> str:
    """Return what a memory holds: its table, its decisions and its summaries."""
    head = ENGLISH.labels("notebook-head")
    decided = [(each.id, each.outcome, each.status, ", ".join(each.supporters)) for each in memory.decisions]
    told = [cards.said(f"m{each.first} to m{each.last}", each.text) for each in summaries]
    return cards.card(
        head["memory"],
        cards.line(memory_line(memory, messages, summaries)),
        motion_table(memory),
        cards.table([head[each] for each in ("decided", "words", "state", "by")], decided),
        cards.fold(head["summaries"], told),
    )
