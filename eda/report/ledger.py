"""What the ledger has on the text decided: where it comes from, who stands where and why, and who will do what."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from eda.debate.minds import SPOKEN, Condition, movers, says_promise, sets_terms
from eda.debate.state import DebateState
from eda.debate.verdict import ancestry, texts_by_id
from eda.events import (
    Ballot,
    BallotText,
    Cited,
    MessagePosted,
    Proposal,
    RecordFact,
    TermsNamed,
    Voter,
)
from eda.memory import ConversationMemory
from eda.memory.minutes.items import STANCES
from eda.memory.minutes.options import stems
from eda.memory.minutes.positions import one_motion, text_held
from eda.memory.patterns.conditions import read_condition
from eda.memory.sentences.record import DEEDS
from eda.memory.sources import MESSAGE
from eda.memory.table import Standing, reason_of, standing
from eda.report.formatting import TEXT_ID
from eda.report.outcome import ChoiceRow, Outcome, Stood, Text
from eda.report.quotes import plain_line
from eda.report.stances import side_of
from eda.text import bare, mask_quotes, normalise, overlap, sentences
from eda.voting.mentions import NamedText, mentions

_STANCES: tuple[Standing, ...] = ("support", "conditional", "oppose", "neutral")
_BEHIND = 5  # Messages that a choice rests on.
_MOST = 8  # Promises that are listed, the newest.
_MOST_SAID = 6  # Sentences on what would move a member that are listed, the newest.
_SIDE = 4  # Words in which a member says what follows where its condition is not met: "sonst bin ich raus".
_FEWEST = 2  # Words that two conditions share where they are one.
_SAME = 0.3  # Share of the words of the shorter of two conditions from which they are one.


def texts_of(memory: ConversationMemory, offered: Iterable[BallotText] = ()) -> dict[str, Text]:
    """Return each text that was given, proposed or offered, by its id."""
    texts = {each.id: Text(each.id, each.text) for each in offered if each.id}
    known = texts_by_id(memory).values()
    return texts | {
        t.id: Text(t.id, t.content, t.corrected or t.proposer, title=t.title if t.titled else "", message=t.message)
        for t in known
    }


def stands_on(memory: ConversationMemory, counted: Outcome) -> Iterator[Stood]:
    """Yield who declared what on the text decided, and on those adopted beside it, of each those for it first.

    What nobody but the engine read in the talk is left out.
    """
    by_id = texts_by_id(memory)
    for won in counted.decided:
        key = won.id or next((key for key, each in by_id.items() if each.content == won.text), "")
        for stance in _STANCES if key in by_id else ():
            for who, reaction in standing(by_id[key], stance):
                if reaction is None or reaction.source == "declared":
                    own = Stood(who, "support", "", by_id[key].message)
                    yield replace(
                        side_of(reaction, by_id[key]) if reaction else own, of="" if won is counted.won else key
                    )


def voters_of(counted: Outcome) -> frozenset[str]:
    """Return who voted, also for none of the texts, on a ballot that could be read."""
    return frozenset(counted.none).union(*((*row.voters, *row.also, *row.blocked) for row in counted.rows))


def refusers_of(counted: Outcome) -> frozenset[str]:
    """Return who voted and does not accept all that was decided; everybody where who accepts it is not known."""
    won = counted.accepted if counted.won and counted.known else ()
    return voters_of(counted).difference(who for who in won if all(who in each.voters for each in counted.adopted))


def minds(
    progress: DebateState,
    counted: Outcome,
    ballots: Sequence[Ballot],
    messages: Sequence[MessagePosted],
    memory: ConversationMemory,
) -> tuple[Condition, ...]:
    """Return what would change each mind, by its last answer to a poll; then what who is not with the outcome named.

    That is what it answered when it was asked what would bring it in for the text decided, the condition that it
    declared for or against a text decided (without one, any open text), or put on the ballot. Last come sentences of
    the talk of who is not with the outcome: what would move the others they have said of what they held before, too.
    What a member said in a poll before its vote came to another choice is past.
    """
    inside = with_outcome(counted)
    votes = {ballot.agent: ballot.first_choice for ballot in ballots}
    polled = _told_in_polls(progress, votes)
    heard = [who for who in votes if who in memory.agents]
    outside = {who: memory.agents[who].last_position or "" for who in heard if who not in inside}
    wordings = {text.id: " ".join(each.id for each in m.versions) for m in memory.motions for text in m.versions}
    declared = [each for who, text in outside.items() for each in movers(messages, who, wordings.get(text, text))]
    voted = [Condition(b.agent, plain_line(b.reason)) for b in ballots if b.agent in outside and sets_terms(b.reason)]
    spoken = sorted((*_objections(counted, memory), *declared), key=lambda each: -each.message)
    key, state = counted.won.id if counted.won else "", memory.parts.minutes.state
    fresh = _once_each(
        (*_named((t for t in progress.terms if not key or one_motion(state, t.on, key)), outside), *voted, *spoken)
    )
    return (*polled, *fresh[: sum(not each.message for each in fresh) + _MOST_SAID])


def _named(terms: Iterable[TermsNamed], outside: Collection[str]) -> Iterable[Condition]:
    """Return what some members last answered when they were asked what would bring them in."""
    answers = {each.who: (each.on, each.change) for each in terms if each.change and each.who in outside}
    return (Condition(who, plain_line(change), polled=True, of=on) for who, (on, change) in answers.items())


def _told_in_polls(progress: DebateState, votes: Mapping[str, str | None]) -> tuple[Condition, ...]:
    """Return what would change each mind by its last answer to a poll, but for who votes for another choice since."""
    told = {each.who: each for stances in progress.polled for each in stances if each.change_mind}
    return tuple(
        Condition(each.who, plain_line(each.change_mind), holds=each.choice or "", polled=True)
        for each in told.values()
        if votes.get(each.who, each.choice) == each.choice
    )


def _once_each(conditions: Iterable[Condition]) -> list[Condition]:
    """Return the conditions without those that say an earlier one of the same member again in other words."""
    distinct = list[tuple[str, frozenset[str]]]()
    fresh = list[Condition]()
    for each in conditions:
        bag = stems(TEXT_ID.sub(" ", each.text))
        if all(who != each.who or len(bag & other) < _FEWEST or overlap(bag, other) < _SAME for who, other in distinct):
            fresh.append(each)
            distinct.append((each.who, bag))
    return fresh


def _objections(counted: Outcome, memory: ConversationMemory) -> Iterator[Condition]:
    """Yield the conditions that members declared for, or against, the texts decided; without any, open ones."""
    live = (motion.live for motion in memory.motions if motion.live and not counted.decided)
    for text in (*decided_texts(counted, texts_by_id(memory)), *live):
        for who, reaction in standing(text, "conditional"):
            if reaction and reaction.condition and not reaction.doubt and who not in with_outcome(counted):
                yield Condition(who, reaction.condition, reaction.message, of=text.id)
        for who, reaction in standing(text, "oppose"):
            if reaction and reaction.source == "declared" and sets_terms(reaction.why):
                yield Condition(who, reason_of(reaction), reaction.message, of=text.id)


def with_outcome(counted: Outcome) -> set[str]:
    """Return who is with the outcome; with a list who accepts all of it."""
    if isinstance(counted.reached.outcome, tuple) and counted.adopted:
        return set.intersection(*({*each.voters} for each in counted.adopted))
    return {*counted.accepted, *(counted.winner.voters if counted.winner else ())}


def promises(messages: Iterable[MessagePosted]) -> tuple[Cited, ...]:
    """Return the whole sentences in which a member promises: "I will" with a date, or words that need none.

    They stand in the talk or in the reason of a move. Those that are unsure, or hang on something, are left out.
    """
    promised = []
    for message in messages:
        for text in (message.talk, *(move.text for move in message.moves if move.kind in STANCES)):
            plain = normalise(text)
            masked = mask_quotes(plain)
            promised += [
                Cited("", message.number, text[start:end].strip(), message.who)
                for start, end in sentences(plain)
                if says_promise(masked[start:end])
                and not any(words["unsure"].search(plain, start, end) for words in SPOKEN)
            ]
    return tuple({(each.who, each.quote): each for each in promised}.values())[-_MOST:]


def decided_texts(counted: Outcome, by_id: Mapping[str, Proposal]) -> Iterator[Proposal]:
    """Yield what the ledger has of each text decided, given all texts by id."""
    yield from (by_id[text.id] for text in counted.decided if text.id in by_id)


def rests_on(rows: Iterable[ChoiceRow], ballots: Sequence[Ballot], memory: ConversationMemory) -> tuple[ChoiceRow, ...]:
    """Return the rows of texts, each with the five messages at most that decided for it, in their order.

    They are its own, and those that its voters name for it, most named first (in a list nobody says for which text);
    without any the last ones that support it.
    """
    by_id, resting = texts_by_id(memory), list[ChoiceRow]()
    for row in rows:
        own = [by_id[row.id].message] if row.id in by_id and by_id[row.id].proposer else []
        named = Counter(b.moved_by for b in ballots if b.moved_by in row.behind and b.agent in row.voters)
        decisive = [*dict.fromkeys((*own, *(number for number, _ in named.most_common())))]
        resting.append(replace(row, decisive=tuple(sorted(decisive[:_BEHIND])) or row.behind[-_BEHIND:]))
    return tuple(resting)


def on_the_way(counted: Outcome, memory: ConversationMemory) -> dict[str, Proposal]:
    """Return by id the texts decided, and all that they were made of."""
    by_id = texts_by_id(memory)
    return {each.id: each for text in decided_texts(counted, by_id) for each in ancestry(text, by_id)}


def astray(
    memory: ConversationMemory,
    way: Mapping[str, Proposal],
    named_by: Collection[int | None],
    ballots: Iterable[Voter],
    kind: str,
    each: Cited,
) -> RecordFact | None:
    """Return what shows that words are about another text than those on the `way`, or that their author gave them up.

    Dissent may speak for another text, such as one of which a ballot accepts another wording, and the reason of a
    stance on another wording of one decided may name any. A reason stands in a message that declares something for a
    text on the way, or that ballots name (`named_by`), or it names such a text; of a decision for yes or no, or none,
    no text is on the way. A condition alone is no reason.
    """
    if terms := _terms(memory, kind, each):
        return terms
    told, named = [*_declares(memory, each)], _named_in(memory, each.quote)
    about = [(deed, key) for deed, key, near in told if near]
    if at := _taken_back(memory, each, named):
        return RecordFact("taken back", (each.who,), message=at)
    votes = [*ballots] * (kind == "dissent")
    ended = [_ended(memory, way, votes, each, *one) for one in about or [one[:2] for one in told]]
    if kind != "risks" and ended and all(ended):
        return RecordFact("given up", (each.who,), message=max(ended))
    if way and (text := _other(memory, way, kind, each, told)):
        return RecordFact("other text", text=text)
    backs = way.keys() & {*named, *(text for deed, text, _ in told if deed in ("put", "support"))}
    idle = way and kind == "reasons" and not backs and each.message not in named_by
    return RecordFact("no act", (each.who,), message=each.message) if idle else None


def _terms(memory: ConversationMemory, kind: str, each: Cited) -> RecordFact | None:
    """Return the support of which a reason is no more than the condition; None where it is more, or none.

    What was perhaps a condition, and is none since, or not all of it, is a reason.
    """
    settled = {
        text.id
        for text in texts_by_id(memory).values()
        if not any(one.doubt and one.agent == each.who for one in text.reactions)
    }
    acts = (act for act in memory.acts(each.message) if act.conditional and bare(act.condition) == bare(each.quote))
    deeds = (
        ("support-perhaps" if act.doubt else "support-if", act.on)
        for act in acts
        if kind in ("reasons", "risks") and not (act.doubt and act.on in settled)
    )
    return next((RecordFact("deed", (each.who,), on, each.message, deed) for deed, on in deeds), None)


def elsewhere(memory: ConversationMemory, counted: Outcome, each: Cited) -> list[str]:
    """Return the texts on which the message of words declares something, where that is on none that were decided."""
    way, on = on_the_way(counted, memory).keys(), dict.fromkeys(key for _, key, _ in _declares(memory, each))
    return [*on] * (bool(way) and way.isdisjoint(on))


def is_terms(said: str, who: str, stood: Iterable[Stood]) -> bool:
    """Return whether words are of a condition alone, or such a one with what its member does else: "or I am out"."""
    own = bare(said)
    terms = [bare(each.condition) for each in stood if (each.who, each.of, each.conditional) == (who, "", True)]
    rest = (own.replace(each, "", 1).split() for each in terms if each in own)
    return any(own in each for each in terms) or (
        any(len(words) <= _SIDE for words in rest) and read_condition(said, "support").alone
    )


def _other(
    memory: ConversationMemory,
    way: Mapping[str, Proposal],
    kind: str,
    each: Cited,
    told: Sequence[tuple[str, str, bool]],
) -> str:
    """Return which text that is no wording of one on the way words are about; empty for none.

    Where they name no text, those count that their paragraph of several names, then those of a message that they name,
    then those of message and acts; of a risk none of these, which may be one of the text decided as well.
    What moved voters by their own word is a reason also where its message acts on other texts alone. A risk in the
    words of an act on another wording is one of that wording. What a text on the way names is of it.
    """
    of_motions = ({text.id for text in motion.versions} for motion in memory.motions)
    taken = set[str]().union(*(_named_in(memory, text.content) for text in way.values()))
    kin = {key for ids in of_motions if ids & way.keys() for key in ids} | taken
    met = kin & _named_in(memory, each.quote)  # words on these are why a side on another text was taken back
    about = {text: deed for deed, text, near in told if near and not (met and deed == "neutral")}
    if about.keys() & (way.keys() | taken if kind == "risks" else kin):
        return ""
    other = [text for text, deed in about.items() if kind != "dissent" or deed == "oppose"]
    if kind != "dissent" and not other:
        named = _named_by(memory, each, kind, {text for _, text, _ in told} & kin)
        other = sorted(named) * named.isdisjoint(kin)
    return "".join(other[:1])


def _named_by(memory: ConversationMemory, each: Cited, kind: str, acts: set[str]) -> set[str]:
    """Return the texts that words name; of a reason else those of their paragraph, else of their message and its acts.

    Which of several texts of message and acts they are about is not known: then it is none of them.
    """
    if kind == "risks":
        return _named_in(memory, each.quote)
    talk = memory.parts.messages.message(each.message).talk.strip()
    part = next((part for part in talk.split("\n") if each.quote in plain_line(part) and part != talk), "")
    put = {text.id for text in texts_by_id(memory).values() if str(text.message) in MESSAGE.findall(each.quote)}
    last = _named_in(memory, talk) | acts
    return (_named_in(memory, each.quote) | put) or _named_in(memory, part) or (last if len(last) == 1 else set())


def _named_in(memory: ConversationMemory, words: str) -> set[str]:
    """Return the texts that words name by their ids, or by a title or a quotation of several words."""
    texts = (NamedText(each.id, each.content, each.title) for each in texts_by_id(memory).values())
    named = (each for each in mentions(words, texts) if each.how == "id" or " " in words[each.start : each.end])
    return {key for each in named for key in each.ids}


def _taken_back(memory: ConversationMemory, each: Cited, named: Collection[str]) -> int:
    """Return the message of words if they name, or hold, a stance in it that their author took back; else 0."""
    acts, said = (act for act in memory.acts(each.message) if act.kind in DEEDS), bare(each.quote)
    undone = (act for act in acts if "taken back" in [why.kind for why in act.unread_because])
    return each.message * any({act.id, act.on} & {*named} or (act.why and bare(act.why) in said) for act in undone)


def _declares(memory: ConversationMemory, each: Cited) -> Iterator[tuple[str, str, bool]]:
    """Yield what each act and position of a message does, the id of its text, and whether its words hold those."""
    acts, said = [act for act in memory.acts(each.message) if act.kind in DEEDS and act.counted], bare(each.quote)
    named = [(DEEDS[act.kind], act.id or act.on, bare(act.why or act.text * (act.kind != "take back"))) for act in acts]
    yield from ((deed, key, bool(why) and (why in said or said in why)) for deed, key, why in named)
    held = (p for p in memory.agents[each.who].positions if p.message == each.message)
    texts = (text_held(memory.parts.minutes.state, position) for position in held)
    yield from (("support", text.id, False) for text in texts if text)


def _ended(
    memory: ConversationMemory,
    way: Mapping[str, Proposal],
    votes: Iterable[Voter],
    each: Cited,
    deed: str,
    key: str,
) -> int:
    """Return the message in which its author gave up what another one does; 0 where it did not.

    Nor did it where its `votes` are for another wording of the same text.
    """
    text, side = texts_by_id(memory)[key], "support" if deed == "put" else deed
    own = (one for one in (*text.history, *text.reactions) if one.agent == each.who)
    said = [(one.message, one.undone or one.reaction != side) for one in own if deed != "neutral"]
    ends = (change for change in text.changes[-1:] if (deed, change.status) == ("put", "withdrawn") and key not in way)
    said += [(change.messages[-1], True) for change in ends]
    at, gone = max(reversed([(0, False), *said]), key=itemgetter(0))  # the last word of a message counts
    votes_for = {words for one in votes if one.who == each.who for words in one.accepts} - {text.content}
    others = (other.id for other in texts_by_id(memory).values() if other.content in votes_for)
    return at * gone * (not any(one_motion(memory.parts.minutes.state, other, key) for other in others))
