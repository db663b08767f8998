"""The rules of recorded talk: how it is read, and how its acts are applied.

What is stated as decided holds, and a remark may answer what was said just before.
"""

from collections.abc import Mapping
from dataclasses import replace

from eda.events import MessagePosted, Reaction, StatusChange, Unread
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import let_go
from eda.memory.minutes.items import CLAIM_STATUSES, ProposalItem, ReadAct
from eda.memory.minutes.ledger import Ledger
from eda.memory.minutes.state import Candidate, RecentMessage, State
from eda.text import likeness, regex, words
from eda.transcripts.cues import cues_of, remember
from eda.transcripts.decisions import (
    BARE,
    JUST_NOW,
    VOTED_ON,
    answers,
    call_a_vote,
    decide,
    denied_by,
    denies,
    forget_spoken,
    formalise,
    proposal_voted_on,
    undo,
)
from eda.transcripts.findings import search_text, weigh
from eda.transcripts.free_talk import DENIALS, Link, Talk, acts, best_link, expressed, talk_of
from eda.transcripts.positions import follow, take_stance

ALIKE = 0.4  # Likeness from which a written proposal is a rewording of the one before it.
LINKED = 0.3  # Score from which a reaction is bound to a proposal.
ANSWERED = 6  # Newest messages that a reaction to no proposal may answer.
HEARD = 400  # Characters kept of a message while others may answer it.
CLEAR = 0.4  # Confidence of a proposal from which terse talk answers it.
_TEXT_ID = regex(r"(?<![\w.@])(?:p\d+[.@]\d+|o\d+)(?![\w@])")
_LED_IN = regex(r"^[^:]{0,60}:\s+(?=\S)")


class RecordedLedger(Ledger):
    """Applies acts to the minutes of recorded talk."""

    def __init__(self, state: State, message: MessagePosted, asked: int = 0) -> None:
        super().__init__(state, message, asked)
        self.talk = talk_of(state, message)

    def hear_talk(self) -> None:
        """Apply what patterns read in the free talk, and remember it."""
        state, message, talk = self.state, self.message, self.talk
        named = state.options.mentioned(talk.text)
        offers = self._read(named)
        state.heard.append(Candidate(None, message.number, message.who, talk.text[:HEARD], talk.bag))
        proposes = any(key in state.proposals for key in state.by_message.get(message.number, ()))
        asks = talk.text.rstrip().endswith("?")
        remember(state.scene, RecentMessage(message.number, message.who, asks, proposes, named, offers), talk.size)

    def _read(self, named: tuple[str, ...]) -> tuple[str, ...]:
        """Apply what patterns find in a message that names some options; return those that it puts to the others."""
        state, message, register = self.state, self.message, self.talk.register
        searched = search_text(message.read, state.pack, state.options.spans(message.talk) if named else ())
        cues = cues_of(state, message, searched.read.plain, named) if searched.hits else []
        findings = expressed(state, message, weigh(searched, cues, register))
        before = len(state.reactions)
        for act in acts(state, message, findings, register):
            self.apply(act)
        if any(move.kind not in ("propose", "note") for move in message.moves):
            return ()  # these moves say where one stands
        offers = take_stance(state, message, findings, named, register)
        for reaction in state.reactions[before:]:
            follow(state, message, reaction, named, register)
        return offers

    def apply(self, act: ReadAct) -> None:
        """Apply one act: a declared move as in a debate, what is only said by the rules of talk."""
        if act.source == "declared":
            if act.kind not in ("position", "note") and not self.state.genre.firm:  # what nobody answered is dropped
                self.state.genre = replace(self.state.genre, firm=True)
                forget_spoken(self.state)
            super().apply(act)
            return
        match act.kind:
            case "propose":
                self._propose_in_talk(act)
            case "withdraw":
                # The newest open text of who withdraws, or one that shares words with the message.
                own = [item for item in self.state.newest_open() if item.by == act.agent]
                best = max(own, key=lambda item: (len(item.words & self.talk.bag) > 1, item.message), default=None)
                if best is not None:
                    proposals.close(self.state, best, StatusChange("withdrawn", (act.message,)))
            case "claim":
                decide(self.state, self.talk, act)
            case "support" | "oppose" | "neutral" | "deny":
                self._react_in_talk(act)

    def _propose_in_talk(self, act: ReadAct) -> None:
        """Put a proposal of free talk, unless it says again what its author proposed."""
        item = proposals.new_item(act)
        if not act.text:
            return
        if not self._amends_in_talk(item, act):
            if act.written:
                self._after_another(item)
            elif self._said_before(item, act):
                return
        proposals.put(self.state, item)

    def _amends_in_talk(self, item: ProposalItem, act: ReadAct) -> bool:
        """Return whether a proposal amends in words; link it to the open text of most of its words, or the newest."""
        texts = self.state.newest_open() if self.state.language.amends.match(act.quote.text) else []
        old = max(texts, key=lambda each: (len(each.words & item.words), each.message), default=None)
        if old is None:
            return False
        bare = _LED_IN.sub("", item.text)
        if words(bare):
            item.change(text=bare)
        item.amends = old.id
        self._link(item)
        return True

    def _said_before(self, item: ProposalItem, act: ReadAct) -> bool:
        """Return whether the author of a proposal has put much the same, which it then says again."""
        if len(item.words) < 3:
            return False
        for old in self.state.newest_open():
            if old.by == item.by and likeness(old.words, item.words) >= proposals.SAME:
                self._say_again(old, act)
                return True
        return False

    def _after_another(self, item: ProposalItem) -> None:
        """Close the written proposal before a new one, as reworded if alike, as rejected if opposed."""
        state = self.state
        last = state.proposal(state.last_proposal)
        if last is None or not last.written:
            return
        formalise(state)
        if last.status != "active":
            return
        if likeness(last.words, item.words) >= ALIKE:
            item.amends = last.id
            last.change(amended_by=item.id)
            proposals.close(state, last, StatusChange("modified", (item.message,), "reworded", item.id))
        elif len(last.backers("oppose")) > len(last.backers("support")):
            against = (each.message for each in last.standing.values() if each.reaction == "oppose")
            proposals.close(state, last, StatusChange("rejected", (*against, item.message), "opposed"))

    def _react_in_talk(self, act: ReadAct) -> None:
        """Bind a reaction in free talk to what is near: what is voted on, an open proposal, or a recent message."""
        state, talk = self.state, self.talk
        if act.written:
            self._vote(act)
            return
        if act.pattern in DENIALS:
            denied = next(
                (d for d in reversed(state.newest_decisions()) if denied_by(d, talk.message.number, talk.message.who)),
                None,
            )
            if denied is not None:
                self._record(act, None, "", 0.0, denied.last)
                return
        if self._reacted_by_id(act):
            return
        link = _link_to_proposal(state, talk) if state.genre.spoken else None
        target = state.proposal(link.candidate.id) if link else None
        if link and link.how == "recency" and target and not (state.genre.near or self._is_meant(target)):
            state.leave(act, Unread("names nothing"))
        elif link is None or target is None:
            self._remark(act)
        elif act.kind == "support" and link.how in ("words", "recency") and self._was_just_opposed(target):
            # who agrees with an objection just made, and names nobody, agrees with that
            self._record(act, None, link.how, link.score, talk.message.number - 1)
        else:
            self._record(act, target, link.how, link.score)

    def _was_just_opposed(self, text: ProposalItem) -> bool:
        """Return whether the message before this one opposes a text."""
        last = text.standing.get(self.state.last_speaker or "")
        return last is not None and (last.reaction, last.message) == ("oppose", self.talk.message.number - 1)

    def _is_meant(self, text: ProposalItem) -> bool:
        """Return whether a remark by hand is about a text: it alone shares words with it, or was put just before it."""
        others = [item for item in self.state.newest_open() if item.by != self.talk.message.who]
        named = [item for item in others if len(item.words & self.talk.bag) > 1]
        return (named or others) == [text] and (bool(named) or text.message == self.talk.message.number - 1)

    def _reacted_by_id(self, act: ReadAct) -> bool:
        """Take the id in the words of a reaction for what it is about; of several none is; False without any."""
        ids = list(dict.fromkeys(_TEXT_ID.findall(act.quote.text)))
        if len(ids) == 1:
            self._react(replace(act, target=ids[0]))
        elif ids:
            self.state.leave(act, Unread("one of a sentence"))
        return bool(ids)

    def _vote(self, act: ReadAct) -> None:
        """Count a written vote."""
        state, talk = self.state, self.talk
        target = proposal_voted_on(state, talk)
        if target is not None:
            self._record(act, target, "recency", 0.9)
            if target.written and target.pattern != VOTED_ON and talk.message.who != target.by:
                formalise(state)
            return
        self._remark(act)
        if len(talk.text) <= BARE and not state.genre.titled:
            call_a_vote(state, state.reactions[-1])

    def _remark(self, act: ReadAct) -> None:
        """Record a reaction to a statement, or to nothing that can be told."""
        newest = list(self.state.heard)[-ANSWERED:]
        heard = [each for each in newest if self.state.could_hear(self.talk.message.number, each.message)]
        link = best_link(self.state, self.talk, heard)
        answered = link.candidate.message if link else self.talk.message.reply_to
        self._record(act, None, link.how if link else "", link.score if link else 0.0, answered)

    def _record(
        self, act: ReadAct, item: ProposalItem | None, link: str, score: float, answered: int | None = None
    ) -> Reaction:
        """Record and return a reaction, also to a message or to nothing, for or against what was decided too."""
        reaction = super()._record(act, item, link, score, answered)
        self._take_side(reaction)
        return reaction

    def _take_side(self, reaction: Reaction) -> None:
        """Count a reaction for or against the newest decision that it is about; a denial takes a spoken one back."""
        for item in reversed(self.state.newest_decisions()):
            if item.status in CLAIM_STATUSES or item.by == reaction.agent:
                continue
            if answers(item, reaction):
                item.takes_side(reaction)
                if reaction.reaction == "oppose":  # who opposes it no longer holds what it chose
                    let_go(self.state, reaction.agent, self.state.options.mentioned(item.text))
                if denies(item, reaction) and item.status == "decided" and not item.written:
                    undo(self.state, item, reaction)
                return


def _link_to_proposal(state: State, talk: Talk) -> Link | None:
    """Return the link to the open proposal that a message answers; terse talk answers only a sure, recent one."""
    candidates = [
        Candidate(item.id, item.message, item.by, item.text, item.words)
        for item in state.newest_open()
        if talk.register != "terse"
        or item.message == talk.message.reply_to
        or (talk.message.number - item.message <= JUST_NOW and item.confidence >= CLEAR)
    ]
    link = best_link(state, talk, candidates)
    return link if link is not None and link.score >= LINKED else None


SHIPPED: Mapping[str, type[Ledger]] = {"transcript": RecordedLedger}
