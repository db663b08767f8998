"""What the report says in each of its forms: the titles of its parts, whose words it has, how sure to be, the run."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from eda.debate.minds import Condition, bare_condition
from eda.events import Cited, DecisionFollowedUp, UsageTotals, Voter
from eda.report.effect import Helped
from eda.report.formatting import in_short, listed, money, one_line, role_of, span, title_of, tokens
from eda.report.model import Report
from eda.report.outcome import ChoiceRow
from eda.report.phrases import ended_phrase, looked_phrase, parent_phrase
from eda.report.story_words import Names, story_lines
from eda.report.verdict_words import Line, decision_lines, is_ranked, least, quoted, vote_lines
from eda.report.vote_words import ballot_words, doubts_phrase, in_marks
from eda.words import ENGLISH, Words

# The parts of the report, in its order.
TITLES = (
    "verdict",
    "followed",
    "story",
    "minds",
    "hinges",
    "open",
    "promised",
    "sure",
    "reasons",
    "dissent",
    "risks",
    "vote",
    "ballots",
    "stances",
    "texts",
    "descent",
    "put",
    "decisions",
    "evidence",
    "looked",
    "run",
    "transcript",
)
QUESTIONS = 3  # Open questions on the page that can be read in a minute.


def titles(report: Report) -> dict[str, str]:
    """Return the title of each part; without a verdict, or with assigned sides, reasons are given for each choice."""
    say = Words(report.language).say
    named = {part: say("report-title", part) for part in TITLES}
    for_each = not report.by and any(one.text for one in report.reasons)
    return named | ({"reasons": say("report-title", "each")} if for_each else {})


def source_line(report: Report) -> str:
    """Return whose words the report has; empty where no model took part."""
    told = report.by or report.run.played.models
    return Words(report.language).say("report-source", by=report.by, line=bool(report.line)) if told else ""


def caution_lines(report: Report) -> Iterator[str]:
    """Yield what a reader must know before the first line: that the panel was simulated, or had assigned sides."""
    say, seats = Words(report.language).say, report.run.seats
    if "simulated" in report.run.played.marks:
        yield say("report-simulated")
    sides = dict.fromkeys(seat.side for seat in seats if seat.side)
    who = [say("report-side", side=side, who=[seat.title for seat in seats if seat.side == side]) for side in sides]
    if who:
        yield say("report-sides", sides=who)


def page_of(report: Report) -> dict[str, list[Line]]:
    """Return the page that tells a decision to who was not there, part by part under the names of `TITLES`."""
    counted, words = report.counted, Words(report.language)
    personas = not {each.who for each in report.promised} <= {seat.title for seat in report.run.seats if seat.person}
    outside = {
        one.who: _mind(each, report, words) for one in report.dissent for each in report.minds if each.who == one.who
    }
    parts = {
        "verdict": decision_lines(
            report.answer, counted, report.dissent, report.rest, words, report.backing, report.stood, outside
        ),
        "followed": (Line("followed", line) for line in followed_lines(report.followed, words)),
        "hinges": (Line("hinges", line, below=below) for line, below in hinges_lines(report, words)),
        "story": (
            line
            for nth, (head, lines) in enumerate(story_words(report), 1)
            for line in (Line("story", f"{nth}. {head}"), *(Line("story", each, below=True) for each in lines))
        ),
        "vote": _uneven_vote(report, words),
        "minds": (line for each in report.minds if (line := _mind(each, report, words)) not in outside.values()),
        "open": _first_open(report, words),
        "looked": (
            Line("looked", looked_phrase(kind, who, what, words))
            for kind, rows in (("unused", report.unused), ("refused", report.refused))
            for who, what in rows.items()
        ),
        "promised": (
            *[Line("promised", words.say("report-promised", personas=personas))] * bool(report.promised),
            *(cited_line(each, words, "promised") for each in report.promised),
        ),
        "sure": (Line("sure", line) for line in (*sure_lines(report), *figure_lines(report))),
    }
    return {name: told for name, lines in parts.items() if (told := list(lines))}


def _uneven_vote(report: Report, words: Words) -> Iterable[Line]:
    """Return the lines of a vote that the first line does not tell whole."""
    counted = report.counted
    split = any(row.texts or row.before or row.blocked for row in counted.rows)
    told = split or counted.reached.ties or is_ranked(counted)
    return vote_lines(counted, words, {text.id: text.title for text in report.texts}) if told else ()


def story_words(report: Report) -> list[tuple[str, list[str]]]:
    """Return how it came to this in words: what happened in each step, and the lines below it."""
    return [*story_lines(report.story, report.texts, Words(report.language))]


def hinges_lines(report: Report, words: Words) -> Iterator[tuple[str, bool]]:
    """Yield what the verdict hinges on, as far as votes were taken again; and whether it is a detail."""
    if report.stress is not None:
        from eda.report.stress_words import stress_lines  # noqa: PLC0415 - few verdicts were tried

        yield from stress_lines(report.stress, {text.id: text.title or text.text for text in report.texts}, words)


def hinges_on(decision: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield what the decision of a row hinges on: each thing of which another outcome followed."""
    for each in decision["hinges"]:
        what = words.say("stress-arm", kind=each["kind"], what=each["what"], places=each["places"])
        yield words.say("decisions-hinges", what=what)


def followed_lines(followed: DecisionFollowedUp | None, words: Words) -> Iterator[str]:
    """Yield who owns the decision, when to look at it again, and what came of it."""
    for part in ("owner", "revisit", "outcome"):
        if told := getattr(followed, part, None):
            yield words.say("report-followed", part, told=told, by=followed.by if followed else "")


def _mind(mind: Condition, report: Report, words: Words) -> Line:
    asked = words.say("report-where", where="private" if mind.polled else "ballot")
    where = f"m{mind.message}" if mind.message else asked
    named = (in_short(text.title or text.text, text.id, words=words) for text in report.texts if text.id == mind.of)
    where += "".join(f"; {words.say('report-said-of', text=text)}" for text in named)
    holds = words.say("report-holds", text=in_marks(mind.holds, words)) if mind.holds else ""
    return Line("minds", f"{in_marks(bare_condition(mind.text), words)} ({where})", mind.who, holds)


def _first_open(report: Report, words: Words) -> Iterator[Line]:
    """Yield the first open questions, and where the others were asked."""
    asked = [f"m{each.message}" for each in report.open[QUESTIONS:]]
    yield from (cited_line(each, words, "open") for each in report.open[:QUESTIONS])
    if asked:
        yield Line("open", f"{words.say('report-more-open', count=len(asked))}: {', '.join(asked)}")


def cited_line(cited: Cited, words: Words, kind: str) -> Line:
    """Return `Ada: “Words.” (m12)`, behind the text of what is cited."""
    text = one_line(cited.text)
    if not text:
        return Line(kind, quoted(cited, words), cited.who)
    text += "" if text[-1] in ".!?:" else "."
    quote = Line(kind, quoted(cited, words), cited.who).plain if cited.quote else f"(m{cited.message})"
    return Line(kind, f"{text} {quote}")


def panel_words(report: Report, *, marks: bool = True) -> Iterator[str]:
    """Yield who sat on the panel: `5 personas, one model`, people by their names, and with `marks` what is no model."""
    say, models = Words(report.language).say, report.run.played.models
    people = [seat.title for seat in report.run.seats if seat.person]
    if agents := len(report.run.seats) - len(people):
        yield say("report-personas", count=agents, models=len(models))
    if people:
        yield say("report-people", count=len(people), who=people)
    yield from (say("report-mark", how=how) for how in report.run.played.marks if marks)


def sure_lines(report: Report) -> Iterator[str]:
    """Yield how sure to be: whose votes they are, how many more decide, which are in doubt, and that it is one run."""
    words = Words(report.language)
    agents = sum(not seat.person for seat in report.run.seats)
    if len(report.run.played.models) == 1 < agents and {*report.run.played.marks} <= {"recorded"}:
        yield words.say("report-one-model", count=agents, others=agents < len(report.run.seats))
    yield from least(report.counted, words)
    for who, doubts in report.counted.doubts:
        yield words.say("report-doubted", who=who, doubt=doubts_phrase(doubts, words))
    yield words.say("effect-one-run")


def figure_lines(report: Report) -> Iterator[str]:
    """Yield how firm the votes are: how sure by their own word, and what differs from the first ones.

    What the two votes came to stands in the story.
    """
    counted, helps, say = report.counted, report.helped, Words(report.language).say
    if counted.won and counted.winner and counted.winner.sure is not None:
        yield say("report-stated", **stated(counted.winner))
    if not helps.comparable:
        yield say("report-not-compared", why=say("effect-why", why=helps.why.replace(" ", "-")))


def stated(row: ChoiceRow) -> dict[str, Any]:
    """Return how sure those are who put a text first, or another wording of it, and how many of them say so."""
    return {
        "sure": row.sure or 0.0,
        "count": row.stated,
        "of": len(row.voters),
        "all": row.stated == len(row.voters),
        "wordings": bool(row.texts),
    }


def again_words(report: Report) -> str:
    """Return that the panel voted again after somebody had spoken during the vote; empty where it did not."""
    again = report.run.votes_again
    return Words(report.language).say("report-again", count=again, times=again + 1) if again else ""


def ballot_lines(report: Report) -> Iterator[tuple[Voter, str]]:
    """Yield each ballot with what it accepts, how sure its voter is, and what moved it by its own word."""
    words = Words(report.language)
    names = Names(report.texts, words)
    part = report.counted.won.id if report.counted.won else ""
    yield from ((each, ballot_words(each, names.of, part, words)) for each in report.ballots)


def run_lines(report: Report) -> dict[str, str]:
    """Return how the debate was run: each line by the kind of its label, `report-run`."""
    run, helps, words = report.run, report.helped, Words(report.language)
    replay = "recorded" in run.played.marks and not helps.cost  # its date is that of the replay
    say, ended = words.say, ended_phrase(run.reason, voted=True, words=words)
    talk = say("report-talk", messages=run.messages, rounds=run.rounds)
    names = (say("report-was", title=seat.title, name=seat.name) if run.anonymous else seat.title for seat in run.seats)
    seats = (
        f"{name}, {role_of(seat.role, words)}" + f" ({seat.side})" * bool(seat.side)
        for name, seat in zip(names, run.seats, strict=True)
    )
    by_hand = (say("report-corrected", **one) for one in run.corrected)
    agenda, panel = title_of(run.agenda, words), title_of(run.panel, words)
    rule = say("votes-rule", rule=report.counted.reached.rule.replace("/", "-"))
    floor = say("report-floor", floors=[say("debate-floor", floor=each) for each in run.floor])
    runner = (
        f"{say('figure-runners', runners=run.runners)}{f' ({listed(run.played.models)})' * bool(run.played.models)}"
    )
    lines = {
        "session": report.session,
        "asked": report.asked,
        "format": say("report-format", format=agenda, panel=panel, rule=rule, floor=floor),
        "runner": say("figure-seed", runner=runner, seed=str(run.seed)),
        "parent": parent_phrase(run.parent, words),
        "talk": f"{talk}{'' if replay else f', {span(run.seconds)}'}; {ended}",
        "cost": "; ".join((took(helps, paid=not replay, words=words), *[say("report-free")] * replay)),
        "seats": "; ".join(seats),
        "documents": listed(run.documents),
        "prompts": listed(run.own_prompts),
        "corrected": "; ".join(by_hand),
        "log": say("report-head", facts=str(run.facts), head=run.head) if run.head else "",
    }
    return {label: one_line(line) for label, line in lines.items() if line}


def took(debate: UsageTotals | Helped, *, paid: bool = True, words: Words = ENGLISH) -> str:
    """Return `55 calls, 124.5k tokens, $0.12`."""
    figures = f"{words.say('figure-calls', number=debate.calls)}, {tokens(debate.tokens, words=words)}"
    return figures + f", {money(debate.cost, debate.unpriced_calls, words=words)}" * paid
