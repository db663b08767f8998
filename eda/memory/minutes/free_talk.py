"""Reads the free talk of a message on a bus without a debate: of what patterns find in it, what counts as an act."""

from __future__ import annotations

import re

from eda.events import MessagePosted
from eda.events.records import Quote
from eda.memory.minutes.items import DENIALS, STANCES, Act, acts_of_findings
from eda.memory.minutes.state import State
from eda.memory.patterns import Language
from eda.memory.patterns.extract import ONE_MORE, Finding
from eda.text import clean, words

AMENDED = "amended"  # Stands for the pattern of a proposal whose title says that it amends another.
CLAIM = 0.5  # Confidence of a claim of consensus.
SURE = 0.6  # Least confidence of a claim by a turn of speech in a debate.
TITLED = 0.9  # Confidence of a proposal with such a title.
WILLED = 0.35  # Where options were given in words: least confidence by the pattern alone; a fact may name them too.
OUTRIGHT = 0.7  # Least confidence by the pattern alone, where moves are declared or sides were given.
CUED = 0.65  # Where moves are declared: least confidence of a turn of speech that reacts to somebody by name.
READ_AT = 100  # Characters of a line within which its tag stands.
MAX_ITEMS = 20  # Most proposals and claims that are taken from the free talk of one message: the first ones.
NEAR = 4  # Newest open proposals whose authors a message may name.


class FreeTalk:
    """Reads free talk beside declared moves, where nothing is decided by what one says."""

    tags_claim = True  # Whether a line with a tag such as `[CONSENSUS]` claims that something was decided.
    denials = DENIALS  # The patterns of denials that are read.
    sure = SURE  # Least confidence of a turn of speech that states a decision.
    outright = OUTRIGHT  # Least confidence of one that proposes, where moves are declared.

    def __init__(self, state: State) -> None:
        self.state = state

    def expressed(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return what a message expresses: titles and tags beside the patterns, and nothing less than is written."""
        findings = [finding for finding in findings if not _behind_unknown_tag(message, finding)]
        findings = self._titled(message, self._resolved(message) or findings)
        claims = (
            [claim.quote.start for claim in claims_in_tags(message, self.state.language)] if self.tags_claim else []
        )
        lines = [range(message.read.own.rfind("\n", 0, start) + 1, start + 1) for start in claims]
        findings = [finding for finding in findings if all(finding.start not in line for line in lines)]
        if claims or any(finding.written for finding in findings):
            findings = [f for f in findings if f.written or f.kind == "position" or f.pattern in self.denials]
        if self.state.genre.firm and not declares(message):
            findings = [f for f in findings if self._firm(message, f)]
        return [f for f in findings if not self._only_claims(f)]

    def acts(self, message: MessagePosted, findings: list[Finding], register: str = "") -> list[Act]:
        """Return the acts of free talk as they apply; `register` is one of `extract.REGISTERS`.

        Beside moves it claims and denies, and proposes only in writing.
        """
        deciding = self._surest([f for f in findings if f.kind == "decision"], self.sure)
        denying = [f for f in findings if f.pattern in self.denials]
        if not declares(message):
            chosen = self._undeclared(findings, deciding, denying, register)
        else:
            puts = any(move.kind in ("propose", "amend") for move in message.moves)
            written = [f for f in findings if f.kind == "proposal" and f.written and not puts]
            chosen = [*denying, *written]
        chosen += deciding
        minting = [f for f in chosen if f.kind in ("proposal", "decision")]
        return acts_of_findings(message, [f for f in chosen if f not in minting[MAX_ITEMS:]])

    def _undeclared(
        self, findings: list[Finding], claiming: list[Finding], denying: list[Finding], register: str
    ) -> list[Finding]:
        """Return what a message without moves withdraws, denies, answers, proposes; what it claims is not proposed."""
        withdrawing = [f for f in findings if f.kind == "withdrawal" and f not in denying]
        elsewhere = {f.start for f in (*withdrawing, *claiming, *denying)}
        proposing = [f for f in findings if f.kind == "proposal" and (f.written or f.start not in elsewhere)]
        proposing = self._surest(proposing, self._least_cue(register), cue=True)
        reacting = [f for f in findings if f.kind in STANCES and f not in denying]
        return [*withdrawing[:1], *denying, *self._reactions(reacting), *proposing]

    def _least_cue(self, register: str) -> float:  # noqa: ARG002 - the register counts in recorded talk
        """Return the least confidence, by the pattern alone, of a turn of speech that proposes."""
        return WILLED if self.state.options.options and not self.state.options.single else 0.0

    def _surest(self, findings: list[Finding], least: float, *, cue: bool = False) -> list[Finding]:
        """Return all written findings, else the surest turn of speech, and each proposal more, if sure enough."""
        written = [finding for finding in findings if finding.written]
        if written or not findings:
            return written
        surest = max(findings, key=lambda finding: finding.confidence)
        return [f for f in (surest, *self._more(findings, surest)) if (f.cue if cue else f.confidence) >= least]

    def _more(self, findings: list[Finding], surest: Finding) -> list[Finding]:
        """Return the proposals that a turn makes beside the surest."""
        return [f for f in findings if f.pattern == ONE_MORE and f is not surest]

    def _reactions(self, findings: list[Finding]) -> list[Finding]:
        """Return the written vote, else all reactions."""
        return [finding for finding in findings if finding.written][:1] or findings

    def _resolved(self, message: MessagePosted) -> list[Finding]:
        """Return the decision that is `RESOLVED` alone, where a written text is open."""
        alone = self.state.language.resolved_alone.match(message.talk)
        if alone is None or not any(item.written for item in self.state.newest_open()):
            return []
        text = message.talk.strip()
        return [Finding("decision", "resolved", 0, alone.end(), text, text, CLAIM, True, CLAIM)]

    def _titled(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return the findings, with a proposal in place of others where the message is titled `Amended proposal:`."""
        match = self.state.language.amended_title.match(message.talk)
        if match is None or any(finding.kind == "proposal" and finding.written for finding in findings):
            return findings
        text, topic = clean(match[0]), clean(match[1])
        amendment = Finding("proposal", AMENDED, match.start(), match.end(), topic, text, TITLED, True, TITLED)
        return [amendment, *(finding for finding in findings if finding.kind not in ("proposal", "withdrawal"))]

    def _firm(self, message: MessagePosted, finding: Finding) -> bool:  # noqa: ARG002 - the message counts in recorded talk
        """Return whether a finding of a message without moves is sure enough where moves are declared."""
        if finding.kind == "proposal":
            outright = finding.cue >= OUTRIGHT and finding.confidence >= self.outright
            return finding.written or (outright and bool(self.state.language.proposing_person.search(finding.sentence)))
        if finding.kind in STANCES and finding.pattern not in self.denials:
            return finding.cue > 0 and finding.confidence >= CUED
        return True

    def _only_claims(self, finding: Finding) -> bool:
        """True if a stance is read from nothing but a claim that all agree, as "I think we all agree now"."""
        if finding.kind not in STANCES or finding.pattern in self.denials:
            return False
        own, claims = self.state.language.claims_agreement.subn(" ", finding.sentence)
        return bool(claims) and all(hit.kind != finding.kind for hit in self.state.pack.find(own))


def claims_in_tags(message: MessagePosted, language: Language) -> list[Act]:
    """Return the claims of the lines that begin with a tag for one: `[CONSENSUS] We ship in May`."""
    plain, acts = message.read.own, list[Act]()
    starts = [0, *(end.end() for end in re.finditer("\n", plain))] if "[" in plain else []
    for match in filter(None, (language.consensus_claim.match(plain, start) for start in starts)):
        text = clean(message.talk[slice(*match.span(1))])
        if words(text) and not text.endswith("?"):
            quote, place = Quote(message.number, *match.span(1), text), f"@{match.start(1)}"
            acts.append(Act("claim", message.number, message.who, text, "", "declared", quote, place))
    return acts


def declares(message: MessagePosted) -> bool:
    """Return whether a message has declared moves other than positions and notes."""
    return any(move.kind not in ("position", "note") for move in message.moves)


def _behind_unknown_tag(message: MessagePosted, finding: Finding) -> bool:
    """True if a finding stands in a line that begins with an unknown tag, as `[CONCEDE p1.0]`: its author is told."""
    begins = message.talk.rfind("\n", 0, finding.start) + 1
    return message.talk[begins : begins + READ_AT].lstrip(" *_`-").startswith(message.unknown_tags)
