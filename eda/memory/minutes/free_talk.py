"""Reads the free talk of a message: of what patterns find in it, what counts as an act in this kind of talk."""

from __future__ import annotations

import re
from collections.abc import Callable

from eda.events import MessagePosted
from eda.memory.minutes.items import DENIALS, DENIES, MISREAD, STANCES, Act, acts_of_findings
from eda.memory.minutes.resolve import words_given, words_of_sides
from eda.memory.minutes.state import State
from eda.memory.patterns.extract import ONE_MORE, Finding, search_text
from eda.text import clean, lower, mask_quotes, names, normalise, words

AMENDED = "amended"  # Stands for the pattern of a proposal whose title says that it amends another.
CLAIM = 0.5  # Confidence of a claim of consensus.
SURE = 0.6  # Least confidence of a claim by a turn of speech in a debate.
FIRM = 0.9  # Where moves are declared: least confidence of a turn of speech that proposes something in a transcript.
TITLED = 0.9  # Confidence of a proposal with such a title.
WILLED = 0.35  # Where options were given in words: least confidence by the pattern alone; a fact may name them too.
OUTRIGHT = 0.7  # Least confidence by the pattern alone, where moves are declared or sides were given.
CUED = 0.65  # Where moves are declared: least confidence of a turn of speech that reacts to somebody by name.
READ_AT = 100  # Characters of a line within which its tag stands.
MAX_ITEMS = 20  # Most proposals and claims that are taken from the free talk of one message: the first ones.
BEFORE_NAME = 4  # Beside moves: most words of a sentence before the member on whose text it takes a side.
NEAR = 4  # Newest open proposals whose authors a message may name.


def expressed(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return what a message expresses: titles and tags beside the patterns, and nothing less than what is written."""
    findings = [finding for finding in findings if not _behind_unknown_tag(message, finding)]
    findings = _denied(state, message, _titled(state, message, _tagged(state, message, findings)))
    if any(finding.written for finding in findings):
        denials = DENIALS if not state.genre.recorded else frozenset()
        findings = [f for f in findings if f.written or f.kind == "position" or f.pattern in denials]
    if state.genre.firm and not declares(message):
        findings = _firm(state, message, findings)
    return findings if state.genre.recorded else [f for f in findings if not _only_claims(state, f)]


def _behind_unknown_tag(message: MessagePosted, finding: Finding) -> bool:
    """True if a finding stands in a line that begins with an unknown tag, as `[CONCEDE p1.0]`: its author is told."""
    begins = message.talk.rfind("\n", 0, finding.start) + 1
    return message.talk[begins : begins + READ_AT].lstrip(" *_`-").startswith(message.unknown_tags)


def _only_claims(state: State, finding: Finding) -> bool:
    """True if a stance is read from nothing but a claim that all agree, as "I think we all agree now"."""
    if finding.kind not in STANCES or finding.pattern in DENIALS:
        return False
    own, claims = state.language.claims_agreement.subn(" ", finding.sentence)
    return bool(claims) and all(hit.kind != finding.kind for hit in search_text(own, state.pack).hits)


def acts_of_talk(state: State, message: MessagePosted, findings: list[Finding], register: str = "") -> list[Act]:
    """Return the acts of free talk as they apply; `register` is one of `extract.REGISTERS`.

    Beside moves it claims and denies, proposes only in writing, and reacts only to a member's text that it describes.
    """
    recorded = state.genre.recorded
    deciding = [f for f in findings if f.kind == "decision"]
    deciding = _surest(state, deciding, lambda f: recorded or f.confidence >= SURE)
    denying = [] if recorded else [f for f in findings if f.pattern in DENIALS]
    if not declares(message):
        chosen = _undeclared(state, findings, [] if recorded else deciding, denying, register)
    else:
        puts = any(move.kind in ("propose", "amend") for move in message.moves)
        written = [f for f in findings if f.kind == "proposal" and f.written and not puts]
        chosen = [*denying, *_named_texts(state, message, findings), *written]
    chosen += deciding
    minting = [f for f in chosen if f.kind in ("proposal", "decision")]
    return acts_of_findings(message, [f for f in chosen if f not in minting[MAX_ITEMS:]])


def _undeclared(
    state: State, findings: list[Finding], claiming: list[Finding], denying: list[Finding], register: str
) -> list[Finding]:
    """Return what a message without moves withdraws, denies, answers and proposes; what it claims is not proposed."""
    withdrawing = [f for f in findings if f.kind == "withdrawal" and f not in denying]
    elsewhere = {f.start for f in (*withdrawing, *claiming, *denying)}
    proposing = [f for f in findings if f.kind == "proposal" and (f.written or f.start not in elsewhere)]
    # a speaker with a given side says what should be done at every turn
    worded = state.options.options and not state.options.single and not (state.genre.recorded and register == "prose")
    least = OUTRIGHT if not state.genre.own else WILLED if worded else 0.0
    proposing = _surest(state, proposing, lambda f: f.cue >= least)
    reacting = [f for f in findings if f.kind in STANCES and f not in denying]
    return [*withdrawing[:1], *denying, *_reactions(state, reacting), *proposing]


def declares(message: MessagePosted) -> bool:
    """Return whether a message has declared moves other than positions and notes."""
    return any(move.kind not in ("position", "note") for move in message.moves)


def _reactions(state: State, findings: list[Finding]) -> list[Finding]:
    """Return the written vote; else, in a transcript, the surest reaction, and in a debate one of each kind."""
    written = [finding for finding in findings if finding.written]
    if written or not findings:
        return written[:1]
    return [max(findings, key=lambda finding: finding.confidence)] if state.genre.recorded else findings


def _named_texts(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the stances that a debater takes on a text that it describes."""
    if state.genre.recorded:
        return []
    return [f for f in findings if f.kind in STANCES and _names_text(state, message, f)]


def _names_text(state: State, message: MessagePosted, finding: Finding) -> bool:
    """True if a stance is taken, with no reserve, on `Petra's letter`, and an open text of Petra has that word."""
    if state.language.told_unsure.search(finding.sentence) or finding.sentence.rstrip().endswith("?"):
        return False
    low, (takes_side, _) = lower(normalise(finding.sentence)), words_of_sides(state.language)
    for name in state.agents:
        begins = re.match(rf"\W*((?:[\w']+ ){{1,{BEFORE_NAME}}}){re.escape(lower(name.split()[0]))}(?: \w+)?'s ", low)
        sided = takes_side.search(begins[1]) if begins else None
        theirs = [item for item in state.newest_open() if item.by == name != message.who]
        if (
            sided
            and sided.lastgroup == finding.kind
            and any(item.words & words_given(low, [name], state.language) for item in theirs)
        ):
            return True
    return False


def _surest(state: State, findings: list[Finding], counts: Callable[[Finding], bool]) -> list[Finding]:
    """Return all written findings, else the surest turn of speech if it counts, in a debate with each proposal more."""
    written = [finding for finding in findings if finding.written]
    if written or not findings or not state.genre.spoken:
        return written
    surest = max(findings, key=lambda finding: finding.confidence)
    more = () if state.genre.recorded else (f for f in findings if f.pattern == ONE_MORE and f is not surest)
    return [finding for finding in (surest, *more) if counts(finding)]


def _tagged(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the findings, with a decision for `[CONSENSUS] ...` in a debate, or for `RESOLVED` alone."""
    alone = state.language.resolved_alone.match(message.talk)
    if alone is not None and any(item.written for item in state.newest_open()):
        text = message.talk.strip()
        return [Finding("decision", "resolved", 0, alone.end(), text, text, CLAIM, True, CLAIM)]
    if state.genre.recorded or any(finding.kind == "decision" and finding.written for finding in findings):
        return findings
    plain = mask_quotes(normalise(message.talk))
    starts = [0, *(end.end() for end in re.finditer("\n", plain))]
    matches = (state.language.consensus_claim.match(plain, start) for start in starts)
    match = next((match for match in matches if match is not None), None)
    text = clean(message.talk[slice(*match.span(1))]) if match else ""
    if match is None or len(words(text)) < 1 or text.endswith("?"):
        return findings
    claim = Finding("decision", "tag-consensus", *match.span(1), text, text, CLAIM, True, CLAIM)
    line = range(plain.rfind("\n", 0, match.start(1)) + 1, match.end())
    return [claim, *(finding for finding in findings if finding.start not in line or finding.kind == "position")]


def _denied(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the findings, in a debate with denials, as "You say that we agree. We do not", "I never backed p8.0"."""
    if state.genre.recorded:
        return findings
    plain = mask_quotes(lower(normalise(message.talk)))
    reported = None
    if all(finding.pattern not in DENIALS for finding in findings):
        reported = state.language.denies_reported.search(plain)
    more: list[Finding] = []
    for pattern, match in ((DENIES, reported), (MISREAD, state.language.disowns_support.search(plain))):
        if match is not None:
            start = 1 + max(plain.rfind(mark, 0, match.start()) for mark in ".!?\n")
            start += len(plain[start:]) - len(plain[start:].lstrip())
            text = clean(message.talk[start : match.end()])
            more.append(Finding("oppose", pattern, start, match.end(), text, text, SURE, False, SURE))
    return [*findings, *more]


def _titled(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the findings, with a proposal in place of others where the message is titled `Amended proposal:`."""
    match = state.language.amended_title.match(message.talk)
    if match is None or any(finding.kind == "proposal" and finding.written for finding in findings):
        return findings
    text, topic = clean(match[0]), clean(match[1])
    amendment = Finding("proposal", AMENDED, match.start(), match.end(), topic, text, TITLED, True, TITLED)
    return [amendment, *(finding for finding in findings if finding.kind not in ("proposal", "withdrawal"))]


def _firm(state: State, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
    """Return the sure findings of a message without moves where moves are declared."""
    recorded = state.genre.recorded
    low = lower(message.talk)
    others = [item for item in state.newest_open(NEAR) if item.by != message.who]
    sure_findings: list[Finding] = []
    for finding in findings:
        if finding.kind == "proposal":
            outright = finding.cue >= OUTRIGHT and finding.confidence >= (FIRM if recorded else OUTRIGHT)
            sure = finding.written or (outright and bool(state.language.proposing_person.search(finding.sentence)))
        elif finding.kind in STANCES and (recorded or finding.pattern not in DENIALS):
            near = lower(finding.sentence)
            pointed = not recorded or any(names(near, item.by) or item.id in low for item in others)
            sure = pointed and finding.cue > 0 and finding.confidence >= CUED
        else:
            sure = True
        if sure:
            sure_findings.append(finding)
    return sure_findings
