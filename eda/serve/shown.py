"""What a page of a session shows, as data: the table, where the debate stands, its messages, and how it ended."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from eda import events
from eda.debate.floor.stop import left_out
from eda.debate.replay import read_back
from eda.debate.state import DebateState
from eda.debate.verdict import texts_by_id
from eda.memory import ConversationMemory
from eda.memory.context.acts import act_line
from eda.memory.minutes.proposals import noted, why_closed
from eda.memory.table import Table, decision_line, newer_than_position, reason_of, standing, takers
from eda.panels.settings import LIMITS, Settings
from eda.report.badges import badges_of
from eda.report.formatting import called, clean, in_short, money, one_line, role_of, shown_id, span, tokens
from eda.report.gather import report_of
from eda.report.model import Report
from eda.report.outcome import Text
from eda.report.phrases import (
    asked_phrase,
    corrected_phrase,
    ended_phrase,
    mark_phrase,
    passed_phrase,
    paused_phrase,
    phase_phrase,
    terms_phrase,
)
from eda.report.sections import ballot_lines, followed_lines, hinges_lines, page_of, titles
from eda.report.stances import Column, stances
from eda.report.verdict_words import SIDES
from eda.report.vote_words import named_text, title_of, unused
from eda.report.wordings import descent
from eda.serve.documents import Citations
from eda.serve.host import Running
from eda.session import Session
from eda.session.fork import upto
from eda.words import ENGLISH, Words

Said = dict[str, Any]  # One thing that a page is told, as JSON: `kind`, and `seq` where it is a fact of the log.
_STANCES: tuple[events.Stance | Literal["conditional"], ...] = ("support", "conditional", "oppose", "neutral")
_SILENT = "silent"
_NONE = Citations()
_CLAIMED = ("claimed", "disputed")
_SHORT = 90  # Characters of a text in the tally that stands above in full.


def table_of(state: DebateState, memory: ConversationMemory) -> Said:
    """Return the table: each motion with its open texts and who stands where on each, in an order that stays."""
    table = memory.parts.newest_table()
    cards = [
        _card(motion, table, state, memory)
        for motion in memory.motions
        if motion.live is not None and motion.live.status == "active" and motion.taken_up
    ]
    words = state.settings.words
    rest = {
        "decided": [one_line(each.outcome) for each in memory.decisions if each.status == "decided"],
        "claimed": [one_line(decision_line(each, words)) for each in memory.claims if each.status in _CLAIMED],
        "asked": list[str](),
        "unsourced": list[str](),
    }
    for each in table.questions:
        told = noted(each, words)
        note = f" ({told})" * bool(told)
        rest["unsourced" if each.unsourced else "asked"].append(f"m{each.message}: {one_line(each.text)}{note}")
    ended = (text for motion in memory.motions for text in motion.versions if text.status != "active")
    return {
        "kind": "table",
        "cards": cards,
        "closed": [
            {
                "id": text.id,
                "text": one_line(text.content),
                "by": text.proposer,
                "accepted": text.status == "accepted",
                "why": why_closed(text, words),
            }
            for text in sorted(ended, key=lambda text: (text.status != "accepted", -text.message))
        ],
        "rest": {head: lines for head, lines in rest.items() if lines},
    }


def _card(motion: events.Motion, table: Table, state: DebateState, memory: ConversationMemory) -> Said:
    live = motion.live
    assert live is not None
    texts = [_text(text, table, state, memory) for text in motion.versions if text.status == "active"]
    heard = {each["who"] for text in texts for word, who in text["stands"].items() if word != _SILENT for each in who}
    older = [
        {"id": text.id, "why": why_closed(text, state.settings.words), "who": who}
        for text in motion.versions
        if text.status in ("modified", "withdrawn")
        and (who := [{"who": who, "why": ""} for who, at in standing(text, "support") if at and who not in heard])
    ]
    return {
        "id": motion.id,
        "texts": texts,
        "older": older,
        "steps": [asdict(step) for step in (descent(memory, live.id) if live.amends or live.joins else ())],
    }


def _holders(text: events.Proposal, table: Table) -> dict[str, str]:
    """Return whose last position a text is, with its words, or what it voted and put since."""
    return {
        who: own or newer_than_position(who, table) or table.words.say("table-note", "position")
        for who, own in table.positions.get(text.id, {}).items()
    }


def _why_of(side: events.Reaction, words: Words) -> str:
    """Return the reason of a side, or its condition, with a word before one that is in doubt."""
    clause = side.condition or reason_of(side)
    return words.say("table-if", clause=clause, doubt=True) if side.doubt else clause


def _text(text: events.Proposal, table: Table, state: DebateState, memory: ConversationMemory) -> Said:
    held = _holders(text, replace(table, words=state.settings.words))
    stands = {
        str(stance): [
            {
                "who": who,
                "why": _why_of(at, state.settings.words) if at and (at.why or at.condition) else held.get(who, ""),
            }
            for who, at in takers(text, stance, table)
        ]
        for stance in _STANCES
    }
    heard = {each["who"] for who in stands.values() for each in who}
    stands["position"] = [{"who": who, "why": why} for who, why in held.items() if who not in heard]
    stands[_SILENT] = [{"who": who, "why": ""} for who in state.members if who not in {*heard, *held}]
    words = descent(memory, text.id)[-1].parts if text.amends or text.joins else ((one_line(text.content), "same"),)
    return {
        "id": text.id,
        "title": called(text),
        "text": one_line(text.content),
        "parts": [part for part in words if part[1] != "out"],
        "by": text.proposer,
        "message": text.message,
        "made_of": [each for each in (text.amends, *text.joins) if each],
        "joins": bool(text.joins),
        "stands": {word: who for word, who in stands.items() if who},
        "for": len(stands["support"]),
        "of": len(state.members),
    }


def status_of(state: DebateState, running: Running | None, *, written: bool, watching: int = 0) -> Said:
    """Return where a debate stands: its state, its phase, who may speak, what is left and what it took."""
    live = running if running and running.runs else None
    name = _state(state, live, written=written)
    spent = state.spent
    words = state.settings.words
    cost = money(spent.cost, spent.unpriced_calls, marks=state.players.marks, words=words)
    failed = running.failed if running and not live else ""
    phases = [phase.name for phase in state.agenda if phase.kind != "verdict" and not left_out(state, phase)]
    return {
        "kind": "status",
        "state": name,
        "mark": mark_phrase(state.players.marks, words),
        "asks": asked_phrase(state.started, state.settings, words) if state.started else "",
        "paused_by": _paused_by(state, live, words) if name == "paused" else "",
        "decided": state.verdict is not None and state.verdict.outcome is not None,
        "why": "" if name == "running" else failed or _why(state, words),
        "phases": phases,
        "named": {name: _named(name, words) for name in phases},
        "phase": state.phase,
        "sealed": state.does.sealed,
        "votes": state.does.votes,
        "ballots": state.does.ballots,
        "to_vote": _to_vote(live) if live else [],
        "vote_ahead": any(phase.does.votes for phase in state.agenda.later(state.phase)),
        "messages": state.messages,
        "most": _most(state),
        "limits": {each.name: getattr(state.settings, each.name) for each in LIMITS},
        "members": [{"who": who, "muted": who in state.muted} for who in state.members],
        "took": f"{cost} · {tokens(spent.tokens, words=words)}",
        "time": span(spent.seconds),
        "here": live is not None,
        "speaking": state.grant.agent if state.grant and name == "running" else "",
        "watching": watching,
    }


def _most(state: DebateState) -> int:
    """Return the most messages of a debate; 0 of a recorded talk."""
    return state.settings.limits.messages if state.started and state.started.kind == "debate" else 0


def _to_vote(running: Running) -> list[str]:
    """Return who has still to vote; among anonymous members nobody is named."""
    waited = running.debate.inbox.to_vote
    return [running.words.say("seat-somebody")] if waited and running.debate.progress.agenda.anonymous else waited


def stood_after(name: str, folder: Path, number: int) -> list[Said]:
    """Return the table and the state of a session as they stood after a message.

    Raises:
        EdaError: the session cannot be read, or has no such message.
    """
    with Session.read(name, folder) as session:
        state, memory = read_back(upto(session, number))
    return [table_of(state, memory), {**status_of(state, None, written=False), "state": f"m{number}", "why": ""}]


def _state(state: DebateState, running: Running | None, *, written: bool) -> str:
    if state.ended is not None and (running is None or running.debate.progress.ended is not None):
        return "ended"
    if running is not None and running.debate.inbox.paused_by:
        return "paused"
    return "running" if running is not None or written else state.state


def _paused_by(state: DebateState, live: Running | None, words: Words) -> str:
    """Return who asked for a pause; empty where nobody did."""
    return _by(live.debate.inbox.paused_by if live else state.paused.by if state.paused else "", words)


def _by(who: str, words: Words) -> str:
    return words.say("serving-host") if who == "you" else one_line(who)


def _why(state: DebateState, words: Words) -> str:
    """Return why a debate ended or waits; empty where it does neither."""
    if state.ended is None and state.paused is not None and state.paused.by:
        return paused_phrase(state.paused, words)
    return ended_phrase(state.why_stopped, voted=state.verdict is not None, words=words) if state.why_stopped else ""


def message_of(
    message: events.MessagePosted, memory: ConversationMemory, words: Words = ENGLISH, citations: Citations = _NONE
) -> Said:
    """Return a message with its acts; a sealed one whose acts are not read yet as it was written."""
    acts = [one_line(act_line(act, words)) for act in memory.below(message.number)]
    text = clean(message.text if message.sealed and not acts else message.talk).strip()
    return {
        "kind": "message",
        "seq": message.seq,
        "number": message.number,
        "who": message.who,
        "to": message.to or "",
        "answers": message.reply_to or 0,
        "text": text,
        "acts": acts,
        "titles": {key: called(each) for key, each in texts_by_id(memory).items() if any(key in line for line in acts)},
        "cites": citations.of(text),
    }


def _named(phase: str, words: Words) -> str:
    return words.say("serving-ballot") if phase == "ballot" else phase_phrase(one_line(phase), words)


def _phase(fact: events.PhaseStarted, words: Words) -> Said:
    if fact.phase == "verdict":
        return {}
    why = ended_phrase(fact.why, words=words) if fact.why == "talk" else ""
    return {"kind": "phase", "text": _named(fact.phase, words), "why": why}


def _failed(fact: events.TurnFailed, words: Words) -> Said:
    if not fact.who:  # what the engine does for itself is in the report
        return {}
    text = words.say("serving-failed", who=fact.who, purpose=fact.purpose, error=fact.error)
    return {"text": text, **({"who": fact.who} if fact.purpose == "speak" else {})}


# What a page shows of each kind of fact that is no message.
_LINES: Mapping[type, Callable[[Any, Words], Said]] = {
    events.PhaseStarted: _phase,
    events.ModeratorSpoke: lambda fact, words: {"text": words.say("serving-moderator", text=fact.text, why=fact.why)},
    events.MemoryCorrected: lambda fact, words: {"text": corrected_phrase(fact, words)},
    events.TermsNamed: lambda fact, words: {"text": terms_phrase(fact, words)},
    events.TurnPassed: lambda fact, words: {
        "text": f"{one_line(fact.who)} "
        + passed_phrase(fact if fact.why == "silent" else fact.model_copy(update={"why": "passed"}), words),
        "who": fact.who,
    },
    events.TurnFailed: _failed,
    events.MemberChanged: lambda fact, words: {"text": words.say("serving-seat", who=fact.who, change=fact.change)},
    events.SessionPaused: lambda fact, words: {
        "text": paused_phrase(fact.model_copy(update={"by": _by(fact.by, words)}), words)
    },
    events.SessionResumed: lambda _, words: {"text": words.say("serving-goes-on")},
    events.BallotCast: lambda fact, _: {"kind": "voted", "who": fact.ballot.agent},
    events.VerdictReached: lambda fact, words: {
        "text": words.say(
            "serving-verdict",
            outcome=fact.outcome is not None,
            won=in_short(fact.text, fact.version, 200, words=words) if fact.text else "",
        )
    },
}


def line_of(fact: events.Event, before: Settings | None = None, words: Words = ENGLISH) -> Said | None:
    """Return what a fact that is no message says in a line; None where a page does not show it.

    `before` are the settings that held until then.
    """
    if isinstance(fact, events.SettingChanged):
        said: Said = {"text": _changed(before, fact.settings, words)}
    else:
        said = _LINES[type(fact)](fact, words) if type(fact) in _LINES else {}
    return {"kind": "line", "seq": fact.seq, **said} if said else None


def _changed(before: Settings | None, after: Settings, words: Words) -> str:
    """Return which settings were changed, as `messages: 34`."""
    was = before.model_dump() if before is not None else {}
    now = {name: value for name, value in after.model_dump().items() if name not in was or was[name] != value}
    said = (
        words.say(
            "serving-setting",
            name=name.removeprefix("max_").replace("_", " "),
            value="" if value is None else one_line(str(value)),
        )
        for name, value in now.items()
    )
    return ", ".join(said) if was and now else words.say("serving-settings")


def badges(state: DebateState) -> Mapping[str, Said]:
    """Return how each who sits, or sat, is marked, by name."""
    members = [*(state.started.members if state.started else ()), *state.personas.values()]
    roles = {each.title: role_of(each.role, state.settings.words) for each in members}
    return {title: asdict(badge) for title, badge in badges_of(roles).items()}


def _rows(report: Report, words: Words) -> Iterator[Said]:
    """Yield each wording voted on with who votes for it: one that stands above in full, or has a title, in short."""
    whole = {text.id for text in report.counted.decided}
    names = {events.NONE: named_text(Text("", events.NONE), words)} | {
        key: title_of(each, {}, _SHORT) if each.title or each.id in whole else one_line(each.text)
        for each in report.texts
        for key in (each.id, each.text)
    }
    for row in report.counted.rows:
        text = names.get(row.choice, one_line(row.choice))
        for key, who in (row.texts or {row.id: row.voters}).items():
            if who or (key == row.id and not row.also):
                votes = words.say("votes-figure-cell", kind="votes", figure=len(who) if row.texts else row.votes)
                named = text if key == row.id else names[key]
                yield {"label": shown_id(key), "text": named, "who": who, "votes": votes}
        if row.also:
            beside = f"{text} ({words.say('report-column', 'also')})"
            yield {"label": shown_id(row.id), "text": beside, "who": row.also, "beside": True}
    yield from ({"label": "", "text": words.say("votes-label", of), "who": who} for of, who in unused(report.counted))


def verdict_of(session: Session, state: DebateState, memory: ConversationMemory) -> Said:
    """Return how an ended debate decided: in a sentence, the texts, the tally, and each one's votes; `{}` without.

    Ballots are private while the debate runs, so a page learns of them here.
    """
    if state.ended is None or state.verdict is None:
        return {}
    report = report_of(session, state, memory)
    counted = report.counted
    decided = (counted.won,) if counted.won else counted.adopted  # what stands beside an answer has a line of its own
    words = state.settings.words
    columns, _ = stances((e for e in session.events() if isinstance(e, _VOTES)), memory, report.texts, words)
    voters = dict.fromkeys(who for column in columns for who in column.marks)
    page, head = page_of(report), titles(report)
    return {
        "kind": "verdict",
        "head": report.answer,
        "lines": [
            f"{words.say('page-label', _BESIDE[line.kind])}: {line.plain}" if line.kind in _BESIDE else line.plain
            for line in page["verdict"][1:]
            if line.kind in ("verdict", "for", *_BESIDE)
        ],
        "parts": {head[name]: [line.plain for line in page[name]] for name in _PARTS if name in page},
        "texts": [{"id": shown_id(text.id), "text": one_line(text.text)} for text in decided],
        "rows": [*_rows(report, words)],
        "columns": [column.head for column in columns],
        "votes": {who: [_marks(column, who) for column in columns] for who in voters},
        "ballots": [{"who": each.who, "why": each.reason, "did": did} for each, did in ballot_lines(report)],
        "followed": [*followed_lines(report.followed, words)],
        "hinges": [line for line, _ in hinges_lines(report, words)],
    }


# What stands below the text decided, unfolded; the tally and the test of the verdict have forms of their own.
_PARTS = ("vote", "story", "minds", "open", "promised", "sure")
# What stands beside the answer, with the label of each.
_BESIDE = {**dict(zip(SIDES, SIDES, strict=True)), "minds": "minds", "also": "also-adopted"}
_VOTES = (events.BallotCast, events.StanceTaken, events.VerdictReached)


def _marks(column: Column, who: str) -> list[Said]:
    """Return what a voter stood for last, several texts where it has them as equal."""
    return [{"label": each.label or "–", "title": each.title} for step in column.steps(who)[-1:] for each in step]
