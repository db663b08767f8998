"""Reads the free talk of a message in a debate: of what patterns find in it, what counts as an act."""

from __future__ import annotations

import re

from eda.events import MessagePosted
from eda.memory.minutes.items import DENIALS, DENIES, MISREAD, STANCES, Act, acts_of_findings
from eda.memory.minutes.resolve import words_given, words_of_sides
from eda.memory.minutes.state import State
from eda.memory.patterns.extract import ONE_MORE, Finding
from eda.text import clean, lower, normalise, words

AMENDED = "amended"  # Stands for the pattern of a proposal whose title says that it amends another.
CLAIM = 0.5  # Confidence of a claim of consensus.
SURE = 0.6  # Least confidence of a claim by a turn of speech in a debate.
TITLED = 0.9  # Confidence of a proposal with such a title.
WILLED = 0.35  # Where options were given in words: least confidence by the pattern alone; a fact may name them too.
OUTRIGHT = 0.7  # Least confidence by the pattern alone, where moves are declared or sides were given.
CUED = 0.65  # Where moves are declared: least confidence of a turn of speech that reacts to somebody by name.
READ_AT = 100  # Characters of a line within which its tag stands.
MAX_ITEMS = 20  # Most proposals and claims that are taken from the free talk of one message: the first ones.
BEFORE_NAME = 4  # Beside moves: most words of a sentence before the member on whose text it takes a side.
NEAR = 4  # Newest open proposals whose authors a message may name.


class FreeTalk:
    """Reads the free talk of a debate, where members declare moves and only a ballot decides."""

    denials = DENIALS  # The patterns of denials that are read.
    sure = SURE  # Least confidence of a turn of speech that states a decision.
    outright = OUTRIGHT  # Least confidence of one that proposes, where moves are declared.

    def __init__(self, state: State) -> None:
        self.state = state

    def expressed(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return what a message expresses: titles and tags beside the patterns, and nothing less than is written."""
        findings = [finding for finding in findings if not _behind_unknown_tag(message, finding)]
        findings = self._marked(message, findings)
        if any(finding.written for finding in findings):
            findings = [f for f in findings if f.written or f.kind == "position" or f.pattern in self.denials]
        if self.state.genre.firm and not declares(message):
            findings = [f for f in findings if self._firm(message, f)]
        return [f for f in findings if not self._only_claims(f)]

    def acts(self, message: MessagePosted, findings: list[Finding], register: str = "") -> list[Act]:
        """Return the acts of free talk as they apply; `register` is one of `extract.REGISTERS`.

        Beside moves it claims and denies, proposes only in writing, and reacts only to a text that it describes.
        """
        deciding = self._surest([f for f in findings if f.kind == "decision"], self.sure)
        denying = [f for f in findings if f.pattern in self.denials]
        if not declares(message):
            chosen = self._undeclared(findings, deciding, denying, register)
        else:
            puts = any(move.kind in ("propose", "amend") for move in message.moves)
            written = [f for f in findings if f.kind == "proposal" and f.written and not puts]
            chosen = [*denying, *self._named_texts(message, findings), *written]
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
        if not self.state.genre.own:  # a speaker with a given side says what should be done at every turn
            return OUTRIGHT
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

    def _named_texts(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return the stances that a debater takes on a text that it describes."""
        return [f for f in findings if f.kind in STANCES and self._names_text(message, f)]

    def _names_text(self, message: MessagePosted, finding: Finding) -> bool:
        """True if a stance is taken, with no reserve, on `Petra's letter`, and an open text of Petra has that word."""
        if self.state.language.told_unsure.search(finding.sentence) or finding.sentence.rstrip().endswith("?"):
            return False
        low, (takes_side, _) = lower(normalise(finding.sentence)), words_of_sides(self.state.language)
        for name in self.state.agents:
            begins = re.match(
                rf"\W*((?:[\w']+ ){{1,{BEFORE_NAME}}}){re.escape(lower(name.split()[0]))}(?: \w+)?'s ", low
            )
            sided = takes_side.search(begins[1]) if begins else None
            theirs = [item for item in self.state.newest_open() if item.by == name != message.who]
            if (
                sided
                and sided.lastgroup == finding.kind
                and any(item.words & words_given(low, [name], self.state.language) for item in theirs)
            ):
                return True
        return False

    def _marked(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return the findings, with those of titles, tags and denials."""
        marked = self._titled(message, self._resolved(message) or self._claimed(message, findings))
        return [*marked, *self._denied(message, marked)]

    def _resolved(self, message: MessagePosted) -> list[Finding]:
        """Return the decision that is `RESOLVED` alone, where a written text is open."""
        alone = self.state.language.resolved_alone.match(message.talk)
        if alone is None or not any(item.written for item in self.state.newest_open()):
            return []
        text = message.talk.strip()
        return [Finding("decision", "resolved", 0, alone.end(), text, text, CLAIM, True, CLAIM)]

    def _claimed(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return the findings, with a decision for `[CONSENSUS] ...`."""
        if any(finding.kind == "decision" and finding.written for finding in findings):
            return findings
        plain = message.read.own
        starts = [0, *(end.end() for end in re.finditer("\n", plain))]
        matches = (self.state.language.consensus_claim.match(plain, start) for start in starts)
        match = next((match for match in matches if match is not None), None)
        text = clean(message.talk[slice(*match.span(1))]) if match else ""
        if match is None or len(words(text)) < 1 or text.endswith("?"):
            return findings
        claim = Finding("decision", "tag-consensus", *match.span(1), text, text, CLAIM, True, CLAIM)
        line = range(plain.rfind("\n", 0, match.start(1)) + 1, match.end())
        return [claim, *(finding for finding in findings if finding.start not in line or finding.kind == "position")]

    def _denied(self, message: MessagePosted, findings: list[Finding]) -> list[Finding]:
        """Return denials beside the findings, as "You say that we agree. We do not", "I never backed p8.0"."""
        plain = message.read.own_low
        reported = None
        if all(finding.pattern not in DENIALS for finding in findings):
            reported = self.state.language.denies_reported.search(plain)
        more: list[Finding] = []
        for pattern, match in ((DENIES, reported), (MISREAD, self.state.language.disowns_support.search(plain))):
            if match is not None:
                start = 1 + max(plain.rfind(mark, 0, match.start()) for mark in ".!?\n")
                start += len(plain[start:]) - len(plain[start:].lstrip())
                text = clean(message.talk[start : match.end()])
                more.append(Finding("oppose", pattern, start, match.end(), text, text, SURE, False, SURE))
        return more

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


def declares(message: MessagePosted) -> bool:
    """Return whether a message has declared moves other than positions and notes."""
    return any(move.kind not in ("position", "note") for move in message.moves)


def _behind_unknown_tag(message: MessagePosted, finding: Finding) -> bool:
    """True if a finding stands in a line that begins with an unknown tag, as `[CONCEDE p1.0]`: its author is told."""
    begins = message.talk.rfind("\n", 0, finding.start) + 1
    return message.talk[begins : begins + READ_AT].lstrip(" *_`-").startswith(message.unknown_tags)
