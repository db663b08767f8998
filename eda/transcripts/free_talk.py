"""Reads the free talk of a message: what it answers, of what patterns find in it what counts as an act.

It answers by a reply, a quotation, a name, shared words, or nearness. What is stated as decided holds: nobody need deny
the claim of another.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple, cast

from eda.events import MessagePosted, Quote
from eda.memory.minutes.items import STANCES, ReadAct, ReadKind
from eda.memory.minutes.state import Candidate, State
from eda.text import clean, lower, names, overlap
from eda.transcripts.cues import NEAR, reach, register_of
from eda.transcripts.findings import Finding

READ = 2000  # Characters of a message that are compared with others.
QUOTED = 50  # Characters of a text whose repetition quotes it.
SHORTEST = 12  # Characters below which a repetition quotes nothing.
_RANK = {"reply": 3, "quotation": 2, "name": 1, "words": 0, "recency": 0}  # Signs that point rank above suggestion.


class Talk(NamedTuple):
    """The free text of one message, with what its reading needs."""

    message: MessagePosted
    text: str
    bag: frozenset[str]  # The content words of its beginning.
    size: int  # The number of its words, about.
    register: str


def talk_of(state: State, message: MessagePosted) -> Talk:
    """Return the free text of a message that is not remembered yet."""
    text = message.read.text
    bag, size = message.read.begin(READ).words, text.count(" ") + 1
    return Talk(message, text, bag, size, register_of(state, size))


class Link(NamedTuple):
    """A candidate, the sign of the link, and its score."""

    candidate: Candidate
    how: str
    score: float


def best_link(state: State, talk: Talk, candidates: Sequence[Candidate]) -> Link | None:
    """Return the best link to one of the candidates, of equals the newest; they are given oldest first."""
    low = talk.text.lower()
    links = filter(None, (_score(low, talk, candidate, reach(state.scene)) for candidate in reversed(candidates)))
    return max(links, key=lambda link: (_RANK[link.how], link.score), default=None)


def _score(low: str, talk: Talk, candidate: Candidate, reach: float) -> Link | None:
    """Return a message's link to a candidate, if there is a sign; for own words only a reply or quotation is one."""
    if talk.message.reply_to is not None and talk.message.reply_to == candidate.message:
        return Link(candidate, "reply", 1.0)
    quoted = candidate.text[:QUOTED].lower()
    if len(quoted) >= SHORTEST and quoted in low:
        return Link(candidate, "quotation", 0.95)
    if candidate.who == talk.message.who:
        return None
    shared = overlap(talk.bag, candidate.words) if len(talk.bag) >= 2 else 0.0
    age = max(0, talk.message.number - candidate.message - 1)
    # An answer to an older message is not about what was said since.
    later = talk.message.reply_to is not None and candidate.message > talk.message.reply_to
    near = 0.0 if later else max(0.0, 0.3 * (1 - age / reach))
    if names(low, candidate.who) or (talk.message.to is not None and talk.message.to == candidate.who):
        return Link(candidate, "name", round(0.6 + 0.2 * shared + 0.3 * near, 3))
    if shared >= 0.25:
        return Link(candidate, "words", round(0.3 + 0.4 * shared + near, 3))
    return Link(candidate, "recency", round(0.2 + near, 3)) if near else None


DENIALS = frozenset(["takes-back-claim", "denies-agreement", "disowns-proposal"])
"""The patterns that deny that something was decided or put."""
AMENDED = "amended"  # Stands for the pattern of a proposal whose title says that it amends another.
RESOLVED = 0.5  # Confidence of a decision that is `RESOLVED` alone.
TITLED = 0.9  # Confidence of a proposal with such a title.
WILLED = 0.35  # Where options were given in words: least confidence by the pattern alone; a fact may name them too.
OUTRIGHT = 0.7  # Least confidence by the pattern alone, where moves are declared.
SURE = 0.9  # The same by the pattern and all cues.
CUED = 0.65  # Where moves are declared: least confidence of a turn of speech that reacts to somebody by name.
READ_AT = 100  # Characters of a line within which its tag stands.
MAX_ITEMS = 20  # Most proposals and decisions that are taken from the free talk of one message: the first ones.
_OF_KIND = {"decision": "claim", "proposal": "propose", "withdrawal": "withdraw"}  # acts named otherwise than findings


def expressed(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return what a message expresses: titles and tags beside the patterns, and nothing less than is written."""
    # Who begins a line with an unknown tag, as `[CONCEDE p1.0]`, is told that it was not read.
    talk = message.talk
    begins = [talk[(at := talk.rfind("\n", 0, each.start) + 1) : at + READ_AT] for each in findings]
    known = [not begin.lstrip(" *_`-").startswith(message.unknown_tags) for begin in begins]
    findings = list(compress(findings, known))
    findings = _titled(state, message, _resolved(state, message) or findings)
    if any(finding.written for finding in findings):
        findings = [finding for finding in findings if finding.written or finding.kind == "position"]
    if state.genre.firm and not declares(message):
        findings = [finding for finding in findings if _is_firm(state, message, finding)]
    return findings


def acts(state: State, message: MessagePosted, findings: list[Finding], register: str) -> list[ReadAct]:
    """Return the acts of free talk as they apply, withdrawals first; `register` is one of `findings.REGISTERS`.

    Beside moves it decides, and proposes only in writing.
    """
    proposing = [f for f in findings if f.kind == "proposal"]
    if declares(message):
        puts = any(move.kind in ("propose", "amend") for move in message.moves)
        chosen = [f for f in proposing if f.written and not puts]
    else:
        chosen = _of_talk(state, findings, proposing, register)
    chosen += _surest(state, [f for f in findings if f.kind == "decision"])
    minting = [f for f in chosen if f.kind in ("proposal", "decision")]
    return _acts_of(message, [f for f in chosen if f not in minting[MAX_ITEMS:]])


def _of_talk(state: State, findings: list[Finding], proposing: list[Finding], register: str) -> list[Finding]:
    """Return what a message without moves withdraws, votes and proposes."""
    withdrawing = [f for f in findings if f.kind == "withdrawal"]
    elsewhere = {f.start for f in withdrawing}
    proposing = _surest(state, [f for f in proposing if f.written or f.start not in elsewhere])
    least = WILLED if register != "prose" and state.options.options and not state.options.single else 0.0
    reacting = [f for f in findings if f.kind in STANCES]
    vote = [f for f in reacting if f.written] or sorted(reacting, key=lambda f: -f.confidence)
    return [*withdrawing[:1], *vote[:1], *(f for f in proposing if f.written or f.cue >= least)]


def declares(message: MessagePosted) -> bool:
    """Return whether a message has declared moves other than positions and notes."""
    return any(move.kind not in ("position", "note") for move in message.moves)


def _surest(state: State, findings: list[Finding]) -> list[Finding]:
    """Return all written findings, else the surest turn of speech, unless proposals are voted on in writing."""
    written = [finding for finding in findings if finding.written]
    if written or not findings or not state.genre.spoken:
        return written
    return [max(findings, key=lambda finding: finding.confidence)]


def _resolved(state: State, message: MessagePosted) -> list[Finding]:
    """Return the decision that is `RESOLVED` alone, where a written text is open."""
    alone = state.language.resolved_alone.match(message.talk)
    if alone is None or not any(item.written for item in state.newest_open()):
        return []
    text = message.talk.strip()
    return [Finding("decision", "resolved", 0, alone.end(), text, text, RESOLVED, True, RESOLVED)]


def _titled(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the findings, with a proposal in place of others where the message is titled `Amended proposal:`."""
    match = state.language.amended_title.match(message.talk)
    if match is None or any(finding.kind == "proposal" and finding.written for finding in findings):
        return findings
    text, topic = clean(match[0]), clean(match[1])
    amendment = Finding("proposal", AMENDED, match.start(), match.end(), topic, text, TITLED, True, TITLED)
    return [amendment, *(finding for finding in findings if finding.kind not in ("proposal", "withdrawal"))]


def _is_firm(state: State, message: MessagePosted, finding: Finding) -> bool:
    """Return whether a finding of a message without moves is sure enough where moves are declared.

    A stance says whose text it is about.
    """
    if finding.kind == "proposal":
        outright = finding.cue >= OUTRIGHT and finding.confidence >= SURE
        return finding.written or (outright and bool(state.language.proposing_person.search(finding.sentence)))
    if finding.kind not in STANCES:
        return True
    low, near = message.read.low, lower(finding.sentence)
    others = (item for item in state.newest_open(NEAR) if item.by != message.who)
    sure = finding.cue > 0 and finding.confidence >= CUED
    return sure and any(names(near, item.by) or item.id in low for item in others)


def _acts_of(message: MessagePosted, findings: Iterable[Finding]) -> list[ReadAct]:
    """Return what patterns found in the free text of a message as acts: withdrawals, then the others in order."""
    found = [
        ReadAct(
            kind="deny" if finding.pattern in DENIALS else cast("ReadKind", _OF_KIND.get(finding.kind, finding.kind)),
            message=message.number,
            agent=message.who,
            text=finding.topic,
            target="",
            source="pattern",
            quote=Quote(message.number, finding.start, finding.end, finding.sentence),
            place=f"@{finding.start}",
            confidence=finding.confidence,
            pattern=finding.pattern,
            written=finding.written,
        )
        for finding in findings
    ]
    return sorted(found, key=lambda act: act.kind != "withdraw")
