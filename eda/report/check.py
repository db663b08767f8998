"""Holds a sentence about a session against its record."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.debate.verdict import texts_by_id
from eda.events import MessagePosted
from eda.memory import ConversationMemory
from eda.memory.sentences.judges import SentenceCheck, check
from eda.memory.sentences.record import Record, index, votes_of
from eda.session import Session

# Of each session, as it stood after a fact.
_RECORDS: WeakKeyDictionary[Session, tuple[int, Record]] = WeakKeyDictionary()


def check_sentence(text: str, session: Session) -> SentenceCheck:
    """Return whether the record of a session bears a sentence out, and the facts that show it.

    It judges by ids, authors, numbers of messages, stances, ballots, counts and order; the rest is `unknown`.
    """
    last, record = _RECORDS.get(session, (-1, None))
    if record is None or last != session.log.last_seq:
        progress, memory = read_back(session)
        record = record_of(session, progress, memory)
        _RECORDS[session] = (session.log.last_seq, record)
    return check(text, record)


def record_of(session: Session, progress: DebateState, memory: ConversationMemory) -> Record:
    """Return what a sentence about a session may be held against."""
    events = list(session.events())
    authors = {event.number: event.who for event in events if isinstance(event, MessagePosted)}
    texts = texts_by_id(memory)
    names = {name: each.title for each in progress.panel for name in (each.name, each.title) if name[:1].isupper()}
    acts = {number: memory.acts(number) for number in authors}
    return index(
        names | {who: who for who in authors.values()},
        authors,
        texts,
        acts,
        votes_of(events, texts),
        roles={each.title: each.role for each in progress.panel},
    )
