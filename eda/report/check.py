"""Holds a sentence about a session against its record."""

from dataclasses import replace
from weakref import WeakKeyDictionary

from eda.debate.replay import read_back
from eda.memory.sentences.judges import SentenceCheck, check
from eda.memory.sentences.record import Record, votes_of
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
        record = memory.parts.record(memory.message_count)
        names = {each.name: each.title for each in progress.panel if each.name[:1].isupper()}
        record = replace(record, names={**names, **record.names}, votes=(*votes_of(session.events(), record.texts),))
        _RECORDS[session] = (session.log.last_seq, record)
    return check(text, record)
