"""Writes the report into a session's folder. A model may choose what it quotes: what the log lacks is left out."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import Field, ValidationError, field_validator

from eda.debate.asking import Checked, ask_for_fields
from eda.debate.budget import BudgetedRunner, JournaledRunner
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.texts import Prompts
from eda.debate.replay import publisher, read_back
from eda.debate.state import DebateState
from eda.errors import RunnerUnavailableError
from eda.events import Cited, Line, Proposal, RecordFact, ReportWritten
from eda.memory import ConversationMemory
from eda.memory.context.acts import indented
from eda.memory.context.sections import render_line
from eda.memory.patterns import default_language
from eda.report.formatting import in_short
from eda.report.forms import Written, save_report
from eda.report.gather import messages_of, report_of
from eda.report.ledger import astray, on_the_way, refusers_of, voters_of
from eda.report.model import Report
from eda.report.outcome import Stood, Text
from eda.report.quotes import Quotes, plain_line
from eda.report.sections import page_of, story_words
from eda.report.stances import given_up, is_full
from eda.report.verdict_words import SIDES
from eda.report.vote_words import ballot_words, figure_phrase, split_phrase
from eda.runners.answers import Answer
from eda.runners.protocol import Prompt, Reply, Runner
from eda.runners.repair import fields_of
from eda.runners.server import call_settings, set_within
from eda.runners.shipped import is_model
from eda.session import Session
from eda.text import bare, names, normalise, plain_low, quoted, regex, sentences, words
from eda.words import Words

MOST = 8  # Items of a kind that are read.
_LINE = 12  # Words of the answer in a line that a model offers.
_STEM = 4  # First letters by which two words of a line and a text are the same.
_COUNTS = ("both", "all", "every", "each", "only", "beide", "alle", "jede", "jeder", "jedes", "nur")  # a title's, alone
_EMPTY = "yet later now instead first keep go ahead decide decided until noch erst jetzt später nein ja nicht bis"
_BY, _THE = "by|with|mit|durch", "der|die|das|den|dem|des"  # No content words; "ein" is a number as well.
_ONE, _FIGURE = regex(r"\beine[nmrs]?\b"), regex(r"\d|zwei|drei|four|vier|fünf|sech|seven|sieb|eight|acht|neun")
# A word that denies, and the one behind it.
_DENIES = regex(
    r"\b(?:no|not|without|never|nor|instead of|ohne|kein\w*|nicht|nie|statt) "
    rf"(?:(?:{_BY}) )?(?:(?:an?|the|any|{_THE}|eine?[nmr]?) )?([\w-]+)",
    "I",
)
# Two clauses of a sentence without a limit, of which the second, and no other of it, is joined to the first by "by".
_JOINT = regex(
    r"(?:^|[.!?;:]\s)(?![^.!?;:]*\b(?:if|unless|once|until|only|except|wenn|falls|sofern|sobald|bis|nur|außer) )"
    rf"((?:(?! (?:{_BY}) )[^,.!?;:])+, (?:{_BY}) (?:an?|the|eine\w?|de\w|die) [^,.!?;:]+)",
    "I",
)
_CLAUSE_ENDS = regex(r"(?:[,;:.!?]|\b(?:and|but|und|aber|sondern|while|während))(?=\s|$)", "I")
MOST_TEXT = 400  # Characters of an item in the model's words.
# Tokens of the table, and of the messages that are shown in full, the newest; summaries stand for those before.
_TABLE, TRANSCRIPT = 3000, 24_000


class Point(Answer):
    """Words of a member that the report quotes."""

    who: str = Field(default="", description="Whose words the item rests on.")
    message: int = Field(description="The number of the message: 12 for m12.")
    quote: str = Field(description="A whole sentence of that message, or the reason of a move, copied word for word.")

    @field_validator("message", mode="before")
    @classmethod
    def _as_the_transcript_writes_it(cls, value: Any) -> Any:
        return value.strip(" ()[]").removeprefix("m") if isinstance(value, str) else value


class ReportAnswer(Answer):
    """The answer of a model."""

    line: str = ""
    reasons: list[Point]
    dissent: list[Point]
    risks: list[Point]
    open: list[Point]


async def write_report(
    session: Session,
    runner: Runner | None = None,
    *,
    progress: DebateState | None = None,
    memory: ConversationMemory | None = None,
    language: str = "",
) -> Written:
    """Write the report on a session that has a verdict.

    Args:
        session: Open for writing.
        runner: Asked once for what the report quotes. Without one, or with one that is no language model, it holds
            what memory has and what a model chose before.
        progress: Of the session, where it is at hand.
        memory: As well.
        language: Of what EDA says. Default: the session's.

    Raises:
        UsageError: there is no verdict.
        SessionError: the session is open for reading only, or the disk refused a fact.
    """
    progress, memory = (progress, memory) if progress and memory else read_back(session)
    report, failed = report_of(session, progress, memory, language), ""
    if runner is not None and is_model(runner):
        publish = publisher(session, progress, memory)
        with set_within(call_settings, lambda: progress.settings):
            failed = await choose_quotes(session, progress, memory, report, runner, publish)
        report = report_of(session, progress, memory, language)
    return save_report(session, report, memory, failed)


async def choose_quotes(
    session: Session,
    progress: DebateState,
    memory: ConversationMemory,
    report: Report,
    runner: Runner,
    publish: Callable[..., object],
) -> str:
    """Have a model choose what a report quotes and store it; return why it did not, or an empty text.

    The call may take what is left of the debate's budget.
    """
    prompt = report_prompt(session, progress, memory, report)
    journaled = JournaledRunner(runner, session.journal, progress.calls, publish)
    spending = BudgetedRunner(journaled, progress, memory, lambda: (prompt, 0))
    try:
        answer = await ask_for_fields(
            spending, prompt, _read, Prompts(session.started().prompts).corrected, lost=publish
        )
    except RunnerUnavailableError as error:
        return str(error)
    if answer.reply is None or answer.fields is None:
        publish(*answer.calls)
        return answer.why
    quotes = Quotes(messages_of(session), memory.acts)
    written = checked(answer.fields, quotes, answer.reply.model or "model", held_of(report, memory))
    given = answer.fields.get("line")
    line, told = offered_line(given, report), _text(given) if isinstance(given, str) else ""
    if told and not line:  # it is told as left out
        why = RecordFact("beyond", number=_LINE * (len(told.split()) > _LINE))
        unproved, contradicted = (*written.unproved, told), (*written.contradicted, (why,))
        written = written.model_copy(update={"unproved": unproved, "contradicted": contradicted})
    publish(*answer.calls, written.model_copy(update={"line": line}))
    return ""


def offered_line(given: Any, report: Report) -> str:
    """Return the answer in a line as a model offers it; empty where it may say more than the texts decided.

    All content words of each of its clauses stand in one clause of a text decided, or in its title, and behind "no" or
    "without" where they do there. Words that its title alone has are of the whole text, and stand beside any clause.
    Of a decision for yes or no the question is a text as well.
    """
    won = report.counted.decided
    line = _whole(_text(given)) if isinstance(given, str) else ""
    told = [clause for text in won for clause in _clauses(text)]
    told += [report.question] * any(text.id in ("yes", "no") for text in won)
    known = [(_stems(clause), _denied(clause)) for clause in told]
    joints = _JOINT.findall(". ".join(t.text for t in won))
    fits = all(_is_told(part, known) or any(map(partial(_goes_on, part), joints)) for part in _CLAUSE_ENDS.split(line))
    named = [each.title for each in report.run.seats if each.title in line and all(each.title not in t for t in told)]
    return line if won and fits and not named and len(line.split()) <= _LINE else ""


def _clauses(text: Text) -> list[str]:
    """Return the title of a text and its clauses, each of these with the words that the title alone has."""
    named = (word for word in text.title.split() if word.casefold() not in _COUNTS)
    own = " ".join(word for word in named if _stems(word).isdisjoint(_stems(text.text)))
    return [text.title, *(f"{clause} {own}" for clause in _CLAUSE_ENDS.split(text.text))]


def _is_told(part: str, known: Iterable[tuple[frozenset[str], frozenset[str]]]) -> bool:
    """Return whether one clause of a decision has the content words of a part of a line, and denies the same of them.

    `known` are the content words of each clause, with those that it denies.
    """
    said, denied = _stems(part), _denied(part)
    return any(said - _stems(_EMPTY) <= has and denied & has == not_so & said for has, not_so in known)


def _goes_on(part: str, clause: str) -> bool:
    """Return whether a clause denies nothing and has the content words of a part of a line in its order."""
    rest = iter([stem for word in clause.split() for stem in _stems(word)])
    return not _denied(part + clause) and all(stem in rest for word in part.split() for stem in _stems(word))


def _stems(text: str) -> frozenset[str]:
    """Return the content words of a text by first letters: "open" for "opens", "ein" for "einen"; figures whole."""
    own = words(_ONE.sub("ein", text.casefold())).difference(_BY.split("|"), _THE.split("|"))
    return frozenset(word if _FIGURE.match(word) else word[:_STEM] for word in own)


def _denied(text: str) -> frozenset[str]:
    """Return those that stand behind a word that denies."""
    return _stems(" ".join(match[1] for match in _DENIES.finditer(text)))


def _read(reply: Reply) -> Checked:
    fields, wrong = fields_of(ReportAnswer, reply)
    return (fields, "") if fields and "reasons" in fields else (None, wrong or "the answer has no `reasons`")


def report_prompt(session: Session, progress: DebateState, memory: ConversationMemory, report: Report) -> Prompt:
    """Return the prompt: what all calls share, earlier messages as far as there is room, the count and the table."""
    count = "\n".join([*_page(report), *_rows(report), *_ballots(report)])
    builder, section = PromptBuilder(session.started(), memory, progress), memory.table(_TABLE)

    def words(shown: Sequence[Line]) -> str:
        # The newest messages that a choice rests on and the transcript lacks, with their acts, as room allows.
        behind = progress.verdict.behind if progress.verdict else {}
        numbers = {number for each in behind.values() for number in each}
        first, earlier = shown[0].number if shown else math.inf, list[str]()
        left = TRANSCRIPT - sum(memory.parts.tokens.of(line.text) for line in shown)
        for message in reversed(messages_of(session)):
            if message.number < first and message.number in numbers:
                text = "\n".join((render_line(message.shown), *indented(memory.below(message.number))))
                left -= memory.parts.tokens.of(text)
                if left < 0:
                    break
                earlier.insert(0, text)
        heads = ("# Earlier messages that a choice rests on", *earlier, "") if earlier else ()
        return "\n".join((*heads, builder.fill("report", count=count, held="\n".join((section.title, *section.lines)))))

    return builder.report([row.choice for row in report.counted.rows], ReportAnswer, words)


class Held(NamedTuple):
    """What a choice of quotations is held against."""

    # Tells of words whether they claim that something was decided, or that all agree.
    claims: Callable[[str], object] = lambda _: False
    denied: Mapping[int, tuple[str, ...]] = MappingProxyType({})  # Who denied what a message says, by its number.
    refusers: Collection[str] = ()  # Who voted and does not accept all that was decided.
    outside: Collection[str] = ()  # Who voted and accepts nothing of it.
    # What was given up: objections and conditions, and any stance on the texts decided and what they were made of.
    past: Sequence[Stood] = ()
    backed: Collection[tuple[str, int]] = ()  # Who put or supports a text on that way, and in which message.
    # Tells what shows that a quotation is about another text than those decided, or was taken back.
    astray: Callable[[str, Cited], RecordFact | None] = lambda *_: None


def held_of(report: Report, memory: ConversationMemory) -> Held:
    """Return what the choice for a report is held against."""
    counted, outcomes = report.counted, [bare(each.outcome) for each in memory.decisions if each.source != "procedure"]
    accepts = {*counted.accepted, *(who for text in counted.adopted for who in text.voters)}
    outside = voters_of(counted) - accepts if counted.known and accepts else ()
    told, line = memory.parts.acts.denied(memory.message_count).items(), memory.parts.messages.line
    denied = {number: tuple(dict.fromkeys(line(at).who for at in all_at)) for number, all_at in told}

    def claims(quote: str) -> bool:
        agreed, said = memory.patterns.language.claims_agreement.search(plain_low(quote)), bare(quote)
        return bool(agreed) or any(said in outcome or outcome in said for outcome in outcomes)

    way = on_the_way(counted, memory)
    sides = (each for step in report.story for each in step.against if each.stance == "oppose" or each.conditional)
    past = [each for each in sides if any(end.message for end in each.ends)]
    past += (each for each in given_up(way.values(), memory) if each.ends[0].kind in ("back", "for"))
    named, backed = {each.moved_by for each in report.ballots if each.who not in outside}, _backed(way.values())
    stray = partial(astray, memory, way, named, report.ballots)
    return Held(claims, denied, refusers_of(counted), outside, past, backed, stray)


def _backed(texts: Collection[Proposal]) -> set[tuple[str, int]]:
    """Return who put or supports one of these texts, and in which message."""
    supports = (each for text in texts for each in (*text.history, *text.reactions) if is_full(each))
    return {(each.proposer, each.message) for each in texts} | {(each.agent, each.message) for each in supports}


def checked(answer: Mapping[str, Any], quotes: Quotes, by: str, held: Held) -> ReportWritten:
    """Return the answer without what it quotes and the log does not hold, or what is no such thing as it is chosen for.

    What claims that something was decided is no reason, risk or question, and no dissent where its message was denied.
    Nothing that says something of a member stands which that member denied. Reasons are not of who accepts nothing of
    the outcome, nor from before their author gave an objection up; dissent is of who voted, and not for all of it.
    What is about another text than those decided, or was taken back, is no reason and no risk.
    """
    dropped, unproved, kinds = list[Cited](), list[tuple[str, RecordFact]](), dict[str, tuple[Cited, ...]]()
    for kind in ("reasons", "dissent", "risks", "open"):
        points = dict[str, Cited]()
        for each in _points(answer.get(kind), quotes, dropped, unproved):
            if fact := _unfit(kind, each, held):
                unproved.append((each.quote, fact))
            else:
                points.setdefault(each.quote, each)
        kinds[kind] = tuple(points.values())
    left_out = {"unproved": tuple(text for text, _ in unproved), "contradicted": tuple((fact,) for _, fact in unproved)}
    return ReportWritten(**left_out, dropped=tuple(dropped), by=by, **kinds)


def _unfit(kind: str, each: Cited, held: Held) -> RecordFact | None:
    """Return what of the record a quotation is at odds with, by what it was chosen for; None where it fits."""
    denied = [who for who in held.denied.get(each.message, ()) if names(plain_low(each.quote), who)]
    if denied and kind != "open":  # it says something of them
        return RecordFact("denied", tuple(denied), message=each.message)
    if held.claims(each.quote) and (kind != "dissent" or each.message in held.denied):  # dissent may speak of a claim
        return RecordFact("claim", message=each.message)
    gone = [one for one in held.past if one.who == each.who and _gone(kind, one, each, held)]
    if gone:
        view, end = gone[0], gone[0].ends[0]
        met = (view.conditional, view.doubt, end.kind in ("for", "held")) == (True, False, True)
        return RecordFact("given up", (each.who,), message=end.message, deed="condition" * met)
    if kind == "dissent" and each.who not in held.refusers:
        return RecordFact("dissent", (each.who,))
    if kind == "open":
        asks = "?" in each.quote or default_language().called_open.search(each.quote)  # as in minutes
        return None if asks else RecordFact("no question", message=each.message)
    idle = kind == "reasons" and each.who in held.outside
    return RecordFact("no backer", (each.who,)) if idle else held.astray(kind, each)


def _gone(kind: str, one: Stood, each: Cited, held: Held) -> bool:
    """Return whether words are of a view that their author gave up: its own, or a reason from before that."""
    same = (
        one.message == each.message
        and kind != "open"
        and not (kind == "reasons" and one.doubt and one.ends[0].kind in ("for", "held"))  # it was no condition
        and bare(one.condition or one.reason) in bare(each.quote)
    )
    before = one.message <= each.message < one.ends[0].message and (each.who, each.message) not in held.backed
    return same or (before and (kind, one.stance) == ("reasons", "oppose"))


def _points(given: Any, quotes: Quotes, dropped: list[Cited], unproved: list[tuple[str, RecordFact]]) -> list[Cited]:
    points: list[Cited] = []
    for row in given[:MOST] if isinstance(given, list) else ():
        try:
            point = Point.model_validate(row)
        except ValidationError:
            point = Point(message=0, quote=str(row.get("quote") or "") if isinstance(row, Mapping) else "")
        quote = _text(point.quote)
        cited = quotes.find(point.message, quote) or (quotes.only(quote) if point.message else None)
        if cited and point.who not in ("", cited.who):
            unproved.append((cited.quote, RecordFact("author", (cited.who,), message=cited.message)))
        elif cited:
            points.append(cited)
        elif quote:
            dropped.append(Cited("", point.message, _whole(quote)))
    return points


def _text(text: str) -> str:
    """Return one line without Markdown that can be stored: half of a surrogate pair cannot."""
    return plain_line(text.encode("utf-8", "replace").decode())


def _whole(text: str) -> str:
    """Return as many whole sentences as there is room for."""
    if len(text) <= MOST_TEXT:
        return text
    ends = [end for _, end in sentences(normalise(text)) if end <= MOST_TEXT]
    return text[: ends[-1]] if ends else ""


def _page(report: Report) -> Iterator[str]:
    """Yield what the report prints of the decision and how it came about, but for the whole text."""
    labels = {kind: Words(report.language).say("verdict-label", kind=kind, of="") for kind in ("for", *SIDES)}
    for line in page_of(report)["verdict"]:
        yield from [f"{labels.get(line.kind, '')} {line.plain}".lstrip()] * (line.kind != "text")
    for head, lines in story_words(report):
        yield from (head, *lines)


def _rows(report: Report) -> Iterator[str]:
    """Yield a line for each motion with its votes, as the answer and beside it, and for each other wording accepted."""
    counted, ids = report.counted, {text.text: text.id for text in report.texts}
    for row in counted.rows:
        beside = f"wanted beside the answer by {len(row.also)} ({', '.join(row.also)})" if row.also else ""
        by = f": {split_phrase(row.texts, names=True)}" if row.texts else f" ({', '.join(row.voters) or 'nobody'})"
        figure = f"{figure_phrase(counted.reached.rule, row.figure, several=bool(row.texts))}{by}"
        parts = [figure] * bool(row.voters or not beside) + [beside] * bool(beside)
        title = next((text.title for text in report.texts if text.id == row.id), "")
        yield f"- {in_short(title or row.choice, row.id, others=ids)}: {'; '.join(parts)}"
    shown = {row.choice for row in counted.rows}
    who_accepts = {t.text: frozenset(b.who for b in report.ballots if t.text in b.accepts) for t in report.texts}
    for text, who in (who_accepts | {text.text: frozenset(text.voters) for text in counted.adopted}).items():
        if who and text not in shown and text in ids:
            name = in_short(text, ids[text], others=ids)
            yield f"- {name}, another wording: accepted by {len(who)} ({', '.join(sorted(who))})"


def _ballots(report: Report) -> Iterator[str]:
    """Yield each ballot with its reason."""
    ids = {text.text: text.id or text.text for text in report.texts}
    for each in report.ballots:
        did = ballot_words(replace(each, sure=None), lambda words: ids.get(words, words))
        reason = "" if each.otherwise == "unreadable" else each.reason
        yield f"- Ballot of {each.who}: {did}" + (f" Its reason: {quoted(reason)}" if reason else "")
