"""What the report says in each of its forms: the titles of its parts, whose words it has, how sure to be, the run."""

from __future__ import annotations

from collections.abc import Iterator

from eda.events.outcome import Voter
from eda.report.effect_words import ONE_RUN, Ids, baseline_words, differences, sentence, share_words, took, vote_rows
from eda.report.formatting import count, in_short, is_replay, listed, one_line, span
from eda.report.model import Report
from eda.report.phrases import ended_phrase
from eda.report.vote_words import ballot_words, doubts_phrase
from eda.words import Words

TITLES = (
    "verdict",
    "model",
    "reasons",
    "dissent",
    "sure",
    "figures",
    "open",
    "risks",
    "vote",
    "ballots",
    "stances",
    "differing",
    "descent",
    "put",
    "stood",
    "promised",
    "reserved",
    "minds",
    "agreeing",
    "decisions",
    "evidence",
    "noted",
    "table",
    "run",
    "transcript",
)
"""The parts of the report, in its order."""
_REPLAYED = "replayed from a recording"


def titles(report: Report) -> dict[str, str]:
    """Return the title of each part; without a verdict, or with assigned sides, reasons are given for each choice."""
    say = Words(report.language).say
    named = {part: say("report-title", part) for part in TITLES}
    for_each = not report.by and any(one.text for one in report.reasons)
    return named | ({"reasons": say("report-title", "each")} if for_each else {})


def source_line(report: Report) -> str:
    """Return whose words the report has; empty where no model took part."""
    if report.by:
        return f"Verdict, votes and quotes are from the log; the rest of the prose is by {one_line(report.by)}."
    by_models = any(not model.startswith("simulated") for model in report.run.models)
    return "No model wrote any of it: every line is from the log." if by_models else ""


def caution_lines(report: Report) -> Iterator[str]:
    """Yield what a reader must know before the first line: that the panel was simulated, or had assigned sides."""
    if report.run.runner.startswith("simulated") and not source_line(report):
        yield "The panel was simulated: no language model took part."
    sides = dict.fromkeys(seat.side for seat in report.run.seats if seat.side)
    who = [f"{one_line(side)}: {listed(s.title for s in report.run.seats if s.side == side)}" for side in sides]
    if who:
        yield f"Sides were assigned ({'; '.join(who)}): what is quoted argues a side, and votes are one's own."


def promised_line(report: Report) -> str:
    """Return what stands below the title of what members said they will do: the promise of a persona binds nobody."""
    people = {seat.title for seat in report.run.seats if seat.person}
    nothing = "" if all(each.who in people for each in report.promised) else ", and a persona can do nothing itself"
    return f"Said in the debate; nobody has been assigned{nothing}."


def panel_words(report: Report) -> Iterator[str]:
    """Yield who sat on the panel: `5 personas, all played by MODEL`, people by their names, and that it is a replay."""
    models, people = _models(report), [seat.title for seat in report.run.seats if seat.person]
    if agents := len(report.run.seats) - len(people):
        by = models[0] if len(models) == 1 else f"{len(models)} models"
        played = f", {'all ' * (agents > 1 == len(models))}played by {by}"
        yield f"{count(agents, 'persona')}{played}" if models else count(agents, "member")
    if people:
        yield f"{count(len(people), 'person', 'people')}: {listed(people)}"
    if is_replayed(report):
        yield _REPLAYED


def _models(report: Report) -> list[str]:
    return [one_line(model) for model in report.run.models if not model.startswith("simulated")]


def is_replayed(report: Report) -> bool:
    """Return whether the debate was shown from a recording: its date is that of the replay."""
    return is_replay(report.helped.cost, report.helped.unpriced_calls, report.run.runner)


def sure_lines(report: Report) -> Iterator[str]:
    """Yield how sure to be: whose votes they are, how many more decide, which are in doubt, and that it is one run."""
    counted = report.counted
    agents = sum(not seat.person for seat in report.run.seats)
    if len(report.run.models) == len(_models(report)) == 1 < agents:
        of = "all" if agents == len(report.run.seats) else "the other"
        yield f"One model plays {of} {agents} members, so their votes are not independent."
    yield from report.sentences.get("least", ())
    for who, doubts in counted.doubts:
        yield f"{one_line(who)}'s ballot is in doubt: {doubts_phrase(doubts)}."
    yield sentence(ONE_RUN)


def figure_lines(report: Report) -> Iterator[str]:
    """Yield how firm the votes are: how sure by their own word, what differs from the first ones, and the baseline.

    The figures of two votes that differ are `vote_rows`.
    """
    counted, helps = report.counted, report.helped
    row = next((row for row in counted.rows if row.choice == counted.outcome), None)
    if counted.won and row and row.sure is not None:
        stated = f"Those who put it first state that they are {row.sure:.0%} sure (median)"
        yield f"{stated}: their own word, not a probability of being right."
    told = ". ".join(what for what, _ in differences(helps)[0][2 if vote_rows(helps) else 0 :])
    if told or not report.compared:
        yield sentence(told) if report.compared else f"What the talk changed is not known: {helps.why}."
    if words := baseline_words(helps):
        yield f"Asked without a debate: {words}."


def again_words(report: Report) -> str:
    """Return that the panel voted again after somebody had spoken during the vote; empty where it did not."""
    if not (again := report.run.votes_again):
        return ""
    during = "the vote" if again == 1 else f"{again} votes"
    times = "again" if again == 1 else f"{again + 1} times"
    ids = {text.text: text.id for text in report.texts}
    firsts = ((one_line(who), in_short(first, ids.get(first, ""))) for who, first in report.run.unrepeated)
    lost = (f" {who} gave no ballot in it, and had put {first} first in the one before." for who, first in firsts)
    told = f"Somebody spoke during {during}, so the panel voted {times}; only the last vote counts."
    return told + "".join(lost)


def differing_lines(report: Report) -> list[str]:
    """Return whose votes differ from their first ones and who names which message; empty without two votes."""
    told, rest = differences(report.helped)
    lines = [*(f"{what}: {who}" for what, who in told if who), *rest]
    return [sentence(line) for line in lines] if report.compared else []


def ballot_lines(report: Report) -> Iterator[tuple[Voter, str]]:
    """Yield each ballot with what it accepts, how sure its voter is, and what moved it by its own word."""
    ids = Ids({row.choice: row.id for row in report.counted.rows} | {text.text: text.id for text in report.texts})
    part = report.counted.won.id if report.counted.won else ""
    for each in report.ballots:
        yield each, ballot_words(each, ids.of, part, Words(report.language))


def run_lines(report: Report) -> dict[str, str]:
    """Return how the debate was run: each line by its label."""
    run, helps, replay = report.run, report.helped, is_replayed(report)
    talk = count(run.messages, "message") + (f" in {count(run.rounds, 'round')}" if run.rounds > 1 else "")
    talk += f", {run.during_votes} of them during a vote" if run.during_votes else ""
    names = (f"{seat.title} was {seat.name}" if run.anonymous else seat.title for seat in run.seats)
    sides = (f" ({seat.side})" if seat.side else "" for seat in run.seats)
    seats = (f"{name}, {seat.role}{side}" for name, seat, side in zip(names, run.seats, sides, strict=True))
    by_hand = (
        f"{one.item} ({one.was}) {f'now reads: {one.text}' if one.text else 'was struck'} ({one.by})"
        for one in run.corrected
    )
    lines = {
        "Session": report.session,
        "Format": f"{run.agenda}{f', panel: {run.panel}' if run.panel else ''}, rule: {report.counted.rule}"
        f"{f', floor: {run.floor}' if run.floor else ''}",
        "Runner": f"{run.runner}{f' ({listed(run.models)})' if run.models else ''}, seed {run.seed}",
        "Forked from": run.parent,
        "Talk": f"{talk}{'' if replay else f', {span(run.seconds)}'}; {ended_phrase(run.reason, voted=True)}",
        "Phases": run.skipped,
        "Words": share_words(helps),
        "Cost": took(helps, helps.for_baseline, paid=not replay)
        + f"; {_REPLAYED}: no time or cost of its own" * replay,
        "Seats": "; ".join(seats),
        "All had read": listed(run.documents),
        "With prompts of its own": listed(run.own_prompts),
        "Corrected by hand": "; ".join(by_hand),
    }
    return {label: one_line(words) for label, words in lines.items() if words}
