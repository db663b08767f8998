"""The verdict in words: the answer in one line, what to know of it, who is for and against it and why, the votes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from eda.debate.minds import main_clause, sets_terms
from eda.events import NONE, Ballot, Cited
from eda.report.formatting import TEXT_ID, in_short, listed, one_line, shorten, shown_id
from eda.report.outcome import ChoiceRow, Dissent, Outcome, Stood, Text, is_part
from eda.report.quotes import plain_line
from eda.report.vote_words import (
    called,
    deeds_of,
    doubted_sentence,
    figure_phrase,
    first_beside,
    in_marks,
    named_text,
    none_phrase,
    split_phrase,
    tie_phrase,
    title_of,
    unused,
    wanted_by,
)
from eda.text import grouped, sentences
from eda.voting import counts_of, rule_known
from eda.words import ENGLISH, Words

SIDES = ("against", "beside-another", "elsewhere")  # Kinds of lines of those who did not vote for the outcome.
_ANSWER = 90  # Characters of the first clause of a text without a title, by which the answer calls it.
_SHORT = 40  # Characters of a text without a title among several, and of one that could have won as well.
_REASON = 18  # Words of a reason from which its longest clause is told alone.


class Line(NamedTuple):
    """A line of what tells a decision."""

    kind: str  # What it tells, as the labels of `verdict-label`.
    text: str
    who: str = ""  # Whose line it is: the name stands before the text.
    does: str = ""  # What that member does, behind the name.
    below: bool = False  # Whether it belongs to the line before.

    @property
    def plain(self) -> str:
        """The line without a label."""
        return ": ".join(filter(None, (" ".join(filter(None, (one_line(self.who), self.does))), self.text)))


def decision_lines(
    told: str,
    counted: Outcome,
    dissent: Sequence[Dissent],
    rest: Iterable[str],
    words: Words,
    backing: Sequence[Cited] = (),
    stood: Sequence[Stood] = (),
    minds: Mapping[str, Line] = MappingProxyType({}),
) -> Iterator[Line]:
    """Yield the verdict: the answer as it is `told`, what to know of it, who is for it and against it, the texts.

    `minds`: by member what would change its mind, which stands below why it is against.
    """
    yield Line("verdict", told)
    yield from (Line("verdict", sentence) for sentence in rest)
    yield from (
        Line("for", quoted(replace(each, quote=main_clause(each.quote, _REASON)), words), each.who) for each in backing
    )
    for one in dissent:
        reason, at = objection(one, stood)
        blocked = (
            [in_short(text, others=one.blocked, words=words) for text in one.blocked]
            if counted.reached.outcome is None
            else ()
        )
        # Who accepts none counts by the turnout.
        deeds = [] if one.deed == "none" and one.who in counted.none else deeds_of(one, words, blocked)
        deeds += first_beside(one, counted, words) if reason and not at else ()
        does = words.say("dissent-deeds", deeds=deeds) if deeds else ""
        yield (
            line := Line(
                _side(counted, one), quoted(Cited("", at, main_clause(reason, _REASON), one.who), words), one.who, does
            )
        )
        if (mind := minds.get(one.who, line)).text != line.text:
            yield mind
    if counted.won and title_of(counted.won) != one_line(counted.won.text.rstrip(".")):
        yield Line("text", f"{one_line(counted.won.text)} ({words.say('report-by', id='', by=counted.won.by)})")
    yield from (Line("adopted" if counted.won is None else "also", item) for item in items_of(counted, words))


def replaces(earlier: Iterable[Text], words: Words) -> Iterator[str]:
    """Yield which earlier decision a verdict replaces."""
    for text in earlier:
        yield words.say("verdict-replaces", text=called(text, words))


def quoted(cited: Cited, words: Words) -> str:
    """Return `“Words.” (m12)`, or `(ballot)` where no message has them; empty without words."""
    where = f"m{cited.message}" if cited.message else words.say("report-where", where="ballot")
    return f"{in_marks(cited.quote, words)} ({where})" if cited.quote else ""


def rest_of(
    counted: Outcome,
    opposed: bool,
    words: Words,
    stood: Sequence[Stood] = (),
    ballots: Sequence[Ballot] = (),
) -> Iterator[str]:
    """Yield what the verdict tells beside the answer, its votes and who is against it."""
    say = words.say
    if counted.option:
        yield say("verdict-wording", text=named_text(counted.option, words))
    if counted.won is None:
        yield from _votes(counted, words)
    yield from turnout(counted, words)
    yield from _apart(counted, words)
    yield from _accepted(counted, words)
    if counted.rival:
        yield say("verdict-rival", text=named_text(counted.rival, words))
    for row in counted.rows if counted.won and counted.known else ():
        if row.choice != counted.reached.outcome and (row.accepted or 0) > len(counted.accepted):
            more = _row_text(counted, row.choice, words)
            yield say("verdict-more", text=more, count=row.accepted or 0, of=counted.cast)
    yield from _declared(counted, stood, words)
    if not opposed and isinstance(counted.reached.outcome, str):
        yield from _unopposed(counted, words, ballots)


def _declared(counted: Outcome, stood: Iterable[Stood], words: Words) -> Iterator[str]:
    """Yield who set a condition for a text decided, and who spoke against it, but for dissent from the answer."""
    decided = {"" if text is counted.won else text.id: text for text in counted.decided}
    for each in (one for one in stood if one.conditional or one.stance == "oppose"):
        takes = each.who in (decided[each.of].voters if each.of else counted.accepted)
        text = called(decided[each.of], words) if each.of else _it(counted)
        told: dict[str, Any] = {"who": each.who, "text": text, "at": f"m{each.message}", "asked": each.asked}
        if each.conditional and each.condition:
            yield words.say("verdict-condition", clause=each.condition, doubt=each.doubt, **told)
        elif each.stance == "oppose" and (takes or each.of):
            yield words.say("verdict-torn", accepts=takes, reason=each.reason or each.condition, **told)


def _apart(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield which texts of a list rule one another out, and who says so."""
    for pair, who in grouped((each[:2], each[2]) for each in counted.reached.apart).items():
        yield words.say("verdict-apart", texts=pair, who=who)


def items_of(counted: Outcome, words: Words = ENGLISH) -> list[str]:
    """Return each text that was adopted, by its title, with its votes, in a list who refuses it, and the whole text."""
    does: Literal["accept", "want"] = "accept" if isinstance(counted.reached.outcome, tuple) else "want"
    voters = dict.fromkeys(who for row in counted.rows for who in row.voters if does == "accept")
    return [
        words.say(
            "verdict-item",
            text=named_text(replace(each, text=each.title or each.text), words),
            votes=wanted_by(each, does, counted.cast, part=each.part, words=words),
            but=[who for who in voters if who not in each.voters],
            whole=each.text if each.title else "",
        )
        for each in counted.adopted
    ]


def answer(counted: Outcome, dissent: Sequence[Dissent], words: Words) -> str:
    """Return the answer in one line: the title of what was decided, how, the votes, and who is against it."""
    if counted.won is None:
        return " ".join((_decided(counted, words), *open_sentence(counted, words)))
    told = words.say(
        "verdict-answer",
        text=named_text(replace(counted.won, text=_name(counted.won), by=""), words),
        rule=counted.reached.rule.replace("/", "-"),
        tie=bool(counted.reached.tie),
        majority=2 * len(counted.accepted) > counted.cast,
        known=counted.known,
    )
    votes = votes_for(counted, counted.winner, words) if counted.winner else ()
    sides = {kind: [one.who for one in dissent if _side(counted, one) == kind] for kind in SIDES}
    opposed = [words.say("verdict-opposed", who=who, kind=kind) for kind, who in sides.items() if who]
    return " ".join((told, *votes, *opposed, *open_sentence(counted, words)))


def _name(text: Text) -> str:
    """Return the title that an author gave a text, else its first clause, which tells more than a few words."""
    whole = one_line(text.text).rstrip(".")
    first = whole[: sentences(f"{whole}.")[0][1]].partition(";")[0].rstrip(".:")
    short = shorten(first if " " in first else whole, _ANSWER)
    return one_line(text.title) or (short if short == whole else f"{short.rstrip('…')}…")


def _side(counted: Outcome, one: Dissent) -> str:
    """Return how a dissenter is against the outcome; under consent, who blocks nothing only prefers another."""
    also = [ballot.agent for ballot in counted.reached.dissent if counted.reached.outcome in ballot.also]
    side = "beside-another" if one.who in also and not one.blocked else "against"
    return "elsewhere" if counts_of(counted.reached.rule) == "blocks" and not one.blocked else side


def open_sentence(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield that ballots which could not be read, or did not come, could change the outcome; mostly nothing."""
    if counted.reached.open_to:
        texts = [each for each in counted.reached.open_to if each not in ("no wording", "no verdict")]
        yield words.say(
            "verdict-open",
            unreadable=counted.unreadable,
            missing=counted.missing,
            texts=[shown_id(each) or in_marks(each, words) for each in texts],
            none=len(texts) < len(counted.reached.open_to),
            count=len(counted.unreadable) + len(counted.missing),
        )


def _decided(counted: Outcome, words: Words) -> str:
    """Return what was decided where that is no single text."""
    if isinstance(counted.reached.outcome, tuple):
        texts = [named_text(Text("", title_of(each, most=_SHORT)), words) for each in counted.adopted]
        return words.say("verdict-adopted", count=len(counted.adopted), texts=texts)
    if counted.reached.outcome is None:
        by_all = {row.choice: row.id for row in counted.rows if row.accepted == counted.cast > 1}
        texts = [in_short(text, key, _SHORT, by_all, words) for text, key in by_all.items()]
        none = words.say("verdict-none", why=none_phrase(counted.reached.rule, counted.reached.note, words))
        return " ".join((none, *[words.say("verdict-all", count=counted.cast, texts=texts)] * bool(texts)))
    text = named_text(Text(counted.reached.motion, counted.reached.outcome), words)
    return words.say(
        "verdict-unworded", text=text, rule=counted.reached.rule.replace("/", "-"), tie=bool(counted.reached.tie)
    )


def _row_text(counted: Outcome, choice: str, words: Words) -> str:
    return named_text(Text(next((row.id for row in counted.rows if row.choice == choice), ""), choice), words)


def votes_for(counted: Outcome, won: ChoiceRow, words: Words) -> Iterator[str]:
    """Yield how many accept what was decided, and what the rule counted of it."""
    first, several, counts = len(won.voters), bool(won.texts), counts_of(counted.reached.rule)
    known = counted.won if counted.known else None
    voters = won.texts.get(known.id, won.voters) if known else won.voters
    own = len(voters)
    if known:
        item = replace(known, id=known.id or known.text, voters=counted.accepted)
        yield wanted_by(item, "accept", counted.cast, words=words, sentence=True)
        yield from doubted_sentence(counted.reached, words)
    match counts:
        case "approvals" if known and not several:
            return
        case "approvals" | "scores" | "rankings" | "polls":
            kind = rule_known(counted.reached.rule).figure
            yield words.say("votes-of-rule", kind=kind, figure=won.figure, wordings=several)
        case "judge":
            yield words.say("votes-judge", judge=counted.judge)
        case "blocks":
            yield words.say("votes-unblocked", worded=counted.won is not None or not several)
    if counts not in ("approvals", "scores") and not (known and own == first == len(counted.accepted)):
        parts = sum(len(who) for key, who in won.texts.items() if is_part(counted.reached, key))
        yield words.say(
            "votes-first",
            count=own,
            of=counted.cast,
            parts=parts,
            others=first - own - parts,
            equal=len({*voters} & {*won.equal}),
            wordings=several and not known,
        )


def _votes(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield the votes in words where no single text was decided."""
    if counted.winner:
        yield from votes_for(counted, counted.winner, words)
    elif counted.reached.outcome is None:
        for row in counted.rows:
            if row.voters:
                text, wordings = _row_text(counted, row.choice, words), bool(row.texts)
                yield words.say("votes-for", "sentence", count=row.votes, text=text, wordings=wordings)
        if equal := dict.fromkeys(who for row in counted.rows for who in row.equal):
            yield words.say("votes-equal", "sentence", who=[*equal], count=len(equal))
    elif counted.rows:
        yield words.say("votes-cast", count=counted.cast, of=counted.asked)


def turnout(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield who accepts none of the texts, who abstained, whose ballot could not be read, and of whom none came."""
    if counted.none and counted.reached.outcome is not None:
        answer = isinstance(counted.reached.outcome, str) and bool(counted.adopted)
        yield words.say("votes-none", who=counted.none, count=len(counted.none), answer=answer)
    for kind, who in unused(counted):
        yield words.say("votes-unused", kind, who=who, count=len(who))


def _accepted(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield what more than half accept though nothing was decided: it was not the first choice of so many."""
    for row in counted.rows if counted.reached.outcome is None else ():
        if row.accepted is not None and len(row.voters) < row.accepted < counted.cast < 2 * row.accepted:
            text = shown_id(row.id) or _row_text(counted, row.choice, words)
            yield words.say("votes-accepted", count=row.accepted, of=counted.cast, text=text, first=len(row.voters))


def _it(counted: Outcome) -> str:
    """Return the id of the text decided where another was adopted as well; else it is called `it`."""
    return shown_id(counted.won.id) if counted.won and counted.adopted else ""


def _unopposed(counted: Outcome, words: Words, ballots: Sequence[Ballot]) -> Iterator[str]:
    """Yield that nobody refuses the outcome, and who puts something else first, why if it is one."""
    if not counted.cast or counted.none:
        return
    firsts = () if counts_of(counted.reached.rule) == "approvals" else counted.rows
    tied = counted.winner.voters if counted.winner else ()  # who ranks another text as equal puts that first, too
    others = ((row.choice, tuple(who for who in row.voters if who not in tied)) for row in firsts)
    rows = [(choice, who) for choice, who in others if who and choice not in (counted.reached.outcome, NONE)]
    yield words.say("verdict-unopposed", others=bool(rows), text=_it(counted))
    for choice, voters in rows:
        why = next((main_clause(plain_line(each.reason), _REASON) for each in ballots if (each.agent,) == voters), "")
        text = _row_text(counted, choice, words)
        yield words.say("verdict-first", who=voters, count=len(voters), text=text, why=why)


def objection(one: Dissent, stood: Sequence[Stood]) -> tuple[str, int]:
    """Return the main reason of a dissenter, declared or on the ballot, with its message: the shorter without an id.

    A reason on the ballot that is a condition stands before what was declared.
    """
    own = (each for each in stood if (each.who, each.stance, each.of, each.asked) == (one.who, "oppose", "", ""))
    declared = ((each.reason, each.message) for each in own)
    return shortest([*(() if sets_terms(one.reason) else declared), (one.reason, 0)])


def shortest(given: Iterable[tuple[str, int]], last: Collection[str] = ()) -> tuple[str, int]:
    """Return of reasons and their messages the shortest that names no id, some `last`; none where nothing was said."""
    said = (each for each in given if each[0])
    return min(said, key=lambda each: (each[0] in last, bool(TEXT_ID.search(each[0])), len(each[0])), default=("", 0))


def least(counted: Outcome, words: Words) -> Iterator[str]:
    """Yield how many votes would have to be different; nothing where one decides alone."""
    if (
        counted.reached.flips is None
        or counted.won is None
        or counts_of(counted.reached.rule) == "judge"
        or counted.cast == 1
    ):
        return
    yield words.say(
        "verdict-least",
        count=counted.reached.flips,
        to=(counted.reached.flips_to or "another outcome").replace(" ", "-"),
        wordings=bool(counted.winner and counted.winner.texts),
        tie=bool(counted.reached.tie),
    )


def vote_lines(counted: Outcome, words: Words, titles: Mapping[str, str] = MappingProxyType({})) -> Iterator[Line]:
    """Yield the votes of each motion, best first; then how lots broke a tie, and who blocks what.

    `titles` are those of texts, by their ids; a text without one goes by its first words.
    """
    texts, ranked = [row.choice for row in counted.rows], is_ranked(counted)
    names = {
        row.choice: in_short(titles.get(row.id) or row.choice, row.id, others=texts, words=words)
        for row in counted.rows
    }
    names[NONE] = words.say("votes-text", kind="none", text="", id="", by="")
    beside = isinstance(counted.reached.outcome, str) and any(row.also for row in counted.rows)
    for place, row in enumerate(counted.rows, 1):
        if ranked:
            figure = figure_phrase(counted.reached.rule, row.figure, words, several=bool(row.texts))
            yield Line("ranked", f"{place}. {names[row.choice]}, {figure}")
        elif row.voters or not beside:
            who = (
                f": {split_phrase(row.texts, names=True)}"
                if row.texts
                else f" ({listed(row.voters)})" * bool(row.voters)
            )
            votes = words.say("votes-for", count=row.votes, text=names[row.choice], wordings=bool(row.texts))
            shift = words.say("votes-moved", before=len(row.before or ()), after=len(row.voters))
            equal = words.say("votes-equal", who=row.equal, count=len(row.equal))
            yield Line("votes", votes + f", {shift}" * (row.before is not None) + who + f"; {equal}" * bool(row.equal))
    yield from votes_noted(counted, {text: in_short(text, most=_SHORT, words=words) for text in texts}, words)


def votes_noted(counted: Outcome, names: Mapping[str, str], words: Words) -> Iterator[Line]:
    """Yield how lots decided between motions, and between wordings of one that won; then who blocks what."""
    yield from (Line("tie", tie_phrase(tie.renamed(names), words)) for tie in counted.reached.ties)
    for row in counted.rows:
        if row.blocked and (row.choice == counted.reached.outcome or counts_of(counted.reached.rule) == "blocks"):
            yield Line("blocked", words.say("report-blocked", who=row.blocked, text=names[row.choice]))


def is_ranked(counted: Outcome) -> bool:
    """Return whether the rule orders all choices, instead of counting first choices."""
    return counts_of(counted.reached.rule) in ("approvals", "scores", "rankings")
