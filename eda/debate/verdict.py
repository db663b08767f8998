"""The choices of a vote and its verdict, by the agenda and the settings of a debate."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from eda.debate.state import DebateState
from eda.errors import UsageError
from eda.events import NONE, AnswerKind, Ballot, BallotCast, BallotText, Proposal, SessionStarted, VerdictReached
from eda.memory import ConversationMemory
from eda.panels.agenda import Agenda
from eda.panels.registry import RULES
from eda.panels.settings import Settings
from eda.session import Session
from eda.voting import Account, Rule, Slate, given, slate, verdict


def given_to(progress: DebateState) -> tuple[BallotText, ...]:
    """Return what was given with the question: the options, or yes and no; empty where nothing was."""
    return given(progress.started.question, progress.started.options) if progress.started else ()


def yes_no_of(started: SessionStarted | None) -> dict[str, str]:
    """Return "yes" and "no" with their texts where the question asks for that; else nothing."""
    texts = given(started.question, started.options) if started else ()
    return {each.id: each.text for each in texts if each.id == each.text.casefold()}


def answer_of(progress: DebateState) -> AnswerKind:
    """Return whether the question wants one answer or a list: by the settings, the agenda, or what was given."""
    return _wanted(progress.settings, progress.agenda, given_to(progress))


def _wanted(settings: Settings, agenda: Agenda, texts: Sequence[BallotText]) -> AnswerKind:
    """Return the kind that is settled; in sessions from before it was, a list where nothing was given."""
    return settings.answer or agenda.answer or ("one" if texts else "list")


def settled(settings: Settings, agenda: Agenda) -> Settings:
    """Return the settings of a new debate, with its answer as it is chosen, as the format says, or one answer."""
    kind = settings.answer or agenda.answer or "one"
    return settings.model_copy(update={"answer": kind}) if agenda.has_ballot else settings


# What a question asks for: yes or no, one of the options, one answer that the panel writes, or a list.
Kind = Literal["yes-no", "options", "one", "list"]


def kind_of(started: SessionStarted, settings: Settings) -> Kind | None:
    """Return what the question asks for under these settings; None of a transcript."""
    if started.kind != "debate":
        return None
    texts = given(started.question, started.options)
    if _wanted(settings, started.agenda, texts) == "list":
        return "list"
    if not texts or started.agenda.choices == "proposals":
        return "one"
    return "options" if started.options else "yes-no"


def asks_for(started: SessionStarted) -> str:
    """Return what the ballot at the end will do with what is proposed; empty where there is no ballot or session."""
    if not (started.session and started.agenda.has_ballot) or started.settings.fixed_options:
        return ""
    if _wanted(started.settings, started.agenda, given(started.question, started.options)) == "list":
        return "The panel makes a list: at the end each proposal is adopted or not, by itself."
    return "The panel gives one answer: at the end one text wins, and the voters can adopt others beside it."


def slate_now(progress: DebateState, memory: ConversationMemory) -> Slate:
    """Return what a ballot that begins now offers, and the ids of the motions that it has no room for."""
    started = progress.started
    if started is None:
        return Slate((), ())
    source = "options" if progress.settings.fixed_options else progress.agenda.choices
    return slate(started.question, started.options, memory.motions, source=source)


def polled_now(progress: DebateState, memory: ConversationMemory) -> tuple[BallotText, ...]:
    """Return what a poll taken now asks about: what was given, where no ballot follows; else what that would offer."""
    return slate_now(progress, memory).texts if progress.agenda.has_ballot else given_to(progress)


class Paper(NamedTuple):
    """The paper of a ballot: what it offers to all who vote, and how it is asked."""

    texts: tuple[BallotText, ...]
    answer: AnswerKind = "one"
    first: bool = False

    def cast(self, ballot: Ballot) -> BallotCast:
        """Return the fact that a member voted on it.

        Raises:
            ValueError: the ballot names a text that the paper does not offer.
        """
        choices = tuple(text.text for text in self.texts)
        named = {*ballot.ranked, *ballot.also, *ballot.approved, *ballot.blocked, *ballot.scores}
        if strange := named - {NONE, *choices}:
            raise ValueError(f"the ballot of {ballot.agent} names what was not offered: {min(strange)!r}")
        return BallotCast(ballot=ballot, choices=choices, texts=self.texts, answer=self.answer, first=self.first)


def paper_of(cast: BallotCast) -> Paper:
    """Return the paper that a ballot was cast on, for those who have not voted yet."""
    return Paper(cast.texts, cast.answer, cast.first)


def argued_by(progress: DebateState) -> dict[str, str]:
    """Return the choice that each member argues for by its side; empty where all speak for themselves."""
    sides, choices = progress.agenda.sides, [text.text for text in given_to(progress)]
    if not sides or len(sides) != len(choices):
        return {}
    return {who: choices[seat % len(choices)] for who, seat in progress.seats.items()}


def offered_to(
    title: str, texts: Sequence[BallotText], progress: DebateState, memory: ConversationMemory, *, own: bool = False
) -> tuple[BallotText, ...]:
    """Return the texts that a member is asked about: those that it heard.

    Its own are left out where the settings say so, unless `own`.
    """
    own = own or progress.settings.own_proposals
    if own and progress.hears == "all":
        return tuple(texts)
    others = {
        each.id
        for each in memory.proposals
        if (each.proposer == title and not own) or not progress.hears_of(title, each.proposer)
    }
    return tuple(text for text in texts if text.id not in others)


def opposed_by(title: str, memory: ConversationMemory) -> dict[str, int]:
    """Return the texts that a member opposed by a declared move, by id, where that is its last word on them: when."""
    return {
        text.id: reaction.message
        for motion in memory.motions
        for text in motion.versions
        for reaction in text.reactions
        if (reaction.agent, reaction.reaction, reaction.source) == (title, "oppose", "declared")
    }


def rule_of(progress: DebateState) -> str:
    """Return the name of the rule that decides: of the settings, else of the agenda."""
    return progress.settings.rule or progress.agenda.rule


def deciding_rule(progress: DebateState) -> Rule:
    """Return the rule that decides."""
    rule: Rule = progress.parts.get(RULES, rule_of(progress))
    return rule


def verdict_of(progress: DebateState, memory: ConversationMemory) -> VerdictReached:
    """Return the verdict by the ballots; where the agenda has no ballot, by the last poll."""
    account = last_vote(progress)
    reached = verdict(
        account,
        deciding_rule(progress),
        progress.settings.quorum,
        progress.seed,
        counted_members(progress, account),
        judge=progress.settings.judge,
    )
    first = account.before
    holders = {choice: tuple(each.agent for each in first if each.choice == choice) for choice in account.choices}
    behind = _behind(reached, memory, account.ballots)
    evidence = sorted({number for words in reached.won for number in behind.get(words, ())})
    changes = {"behind": behind, "evidence": tuple(evidence), "before": holders if first else {}}
    return reached.model_copy(update=changes)


Basis = Literal["ballot", "poll", "none"]


def votes_compared(progress: DebateState) -> tuple[Basis, Account, Account]:
    """Return what was asked twice, a ballot or polls, with the first and the last votes; no first ones of nothing."""
    polls = [stances for _, stances in sorted(progress.polls.items())]
    if len(polls) > 1 and not progress.first_ballots:
        return "poll", Account.held(polls[0]), Account.held(polls[-1])
    basis: Basis = "ballot" if progress.first_ballots else "none"
    return basis, Account.cast(progress.first_ballots), Account.cast(progress.ballots)


def last_vote(progress: DebateState) -> Account:
    """Return the last ballots of this round; where there are none, its last poll; else no votes."""
    counted = progress.ballots or (progress.polled[-1] if progress.polled else [])
    earliest = progress.polls[min(progress.polls)] if progress.polls else []
    before = earliest if counted and earliest and earliest[0].seq < counted[0].seq else []
    if progress.ballots:
        return Account.cast(progress.ballots, before)
    return Account.held(progress.polled[-1] if progress.polled else [], before)


def counted_members(progress: DebateState, account: Account) -> list[str]:
    """Return the members whom the quorum counts, in seat order: who may vote, or has voted."""
    voted = {ballot.agent for ballot in account.ballots}
    return [who for who in progress.members if who in progress.voters or who in voted]


def _behind(
    reached: VerdictReached, memory: ConversationMemory, ballots: Sequence[Ballot]
) -> dict[str, tuple[int, ...]]:
    """Return the messages that each choice rests on.

    They made it or a text that it amends or joins, support it, or hold it as a last position, or moved a voter to it by
    its own word (in a list nobody says to which text). A message that opposes the very text moved it to something else.
    What a member whose ballot refuses a text said for it is left out.
    """
    choices = dict.fromkeys((*reached.tally, *(each.text for each in reached.adopted)))
    by_id = texts_by_id(memory)
    behind, opposed = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    for text in by_id.values():
        if text.content in choices:
            cast = [each for each in ballots if each.has_voted] if text.id in reached.accepted else []
            refuse = {each.agent for each in cast if text.content not in (*each.accepted, *each.withheld, *each.also)}
            numbers = _for_it(text, by_id, refuse)
            behind[text.content] |= numbers | _held_in(text, memory, refuse)
            opposed[text.content] |= {r.message for r in text.reactions if r.reaction == "oppose"} - numbers
    for ballot in ballots if reached.answer != "list" else ():
        for words in _moved_to(ballot, by_id) & choices.keys():
            behind[words] |= {ballot.moved_by or 0} - opposed[words]
    return {choice: tuple(sorted(numbers)) for choice in choices if (numbers := behind[choice] - {0})}


def texts_by_id(memory: ConversationMemory) -> dict[str, Proposal]:
    """Return by id each text that was given or proposed, also what a person struck: those of the motions first."""
    versions = (text for motion in memory.motions for text in motion.versions)
    return {text.id: text for text in (*versions, *memory.proposals)}


def _for_it(text: Proposal, by_id: Mapping[str, Proposal], refuse: Collection[str] = ()) -> set[int]:
    """Return the messages that made or support a text or what it comes from; who would `refuse` it supports it not."""
    made = ancestry(text, by_id)
    numbers = {r.message for t in made for r in t.reactions if r.reaction == "support" and r.agent not in refuse}
    return numbers | {each.message for each in made}


def _moved_to(ballot: Ballot, by_id: Mapping[str, Proposal]) -> set[str]:
    """Return the words of the texts to which a message moved a voter, by its own word.

    They are those that it accepts and the message made or supports; without any, its first choice and its own texts.
    What it wants beside an answer that it puts first is none of these.
    """
    taken, first = ballot.accepted, {ballot.first_choice or NONE} - {NONE}
    wanted = [text for text in by_id.values() if text.content in (*taken, *ballot.withheld, *ballot.also * (not first))]
    near = {text.content for text in wanted if text.content in taken and ballot.moved_by in _for_it(text, by_id)}
    own = {text.content for text in wanted if ballot.agent in (each.proposer for each in ancestry(text, by_id))}
    return near or own | first


def _held_in(text: Proposal, memory: ConversationMemory, refuse: Collection[str]) -> set[int]:
    """Return the messages of the last positions that are the text, of who is not against it by a move or ballot."""
    declared = memory.parts.minutes.positions.get(text.id, {})
    sides = {*refuse, *(each.agent for each in text.reactions if each.reaction != "support")}
    agents = memory.state.agents
    last = filter(None, (agents[who].last for who in agents.keys() - sides))
    return {each.message for each in last if each.agent in declared or each.options == (text.content,)}


def ancestry(text: Proposal, by_id: Mapping[str, Proposal]) -> list[Proposal]:
    """Return a text, and all that it was made of by amending and joining, the nearest first."""
    chain = {text.id: text}
    for each in (waiting := [text]):
        earlier = [by_id[key] for key in (each.amends or "", *each.joins) if key in by_id and key not in chain]
        chain |= {one.id: one for one in earlier}
        waiting += earlier
    return list(chain.values())


def votes_of(session: Session, progress: DebateState) -> Account:
    """Return the last votes of a session, also where the debate went on after them.

    Args:
        session: Open for reading or writing.
        progress: Of it; see `progress_of`.

    Raises:
        UsageError: there are none; the hint says why.
    """
    if cast := progress.ballots or progress.earlier_ballots:
        return Account.cast(cast)
    polls = [] if progress.agenda.has_ballot else [stances for _, stances in sorted(progress.polls.items())]
    if polls:
        return Account.held(polls[-1], polls[0] if len(polls) > 1 else ())
    begun = session.started().kind == "debate" and progress.ended is None
    raise UsageError(
        f"session {session.name} has no ballots",
        hint=f"Nobody was asked for a vote yet. Go on with it: eda resume {session.typed}"
        if begun
        else "Only a debate that came to its vote has some.",
    )
