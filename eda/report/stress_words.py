"""What a verdict hinges on, in words: on a terminal, in the report and on the page."""

from collections.abc import Iterable, Iterator, Mapping

from eda.debate.arms import Arm
from eda.debate.hinges import Free, Stress
from eda.debate.state import DebateState
from eda.debate.stress import Plan
from eda.report.formatting import in_short, money, one_line
from eda.words import Words

_MOST = 160  # Characters of a premise.


def arm_phrase(arm: Arm, words: Words) -> str:
    """Return what was changed, and where it stands."""
    own = arm.kind in ("premise", "joint", "terms")
    what = in_short(one_line(arm.what), most=_MOST, words=words) if own else arm.what
    return words.say("stress-arm", kind=arm.kind, what=what, places=arm.places)


def left_phrase(arm: Arm, words: Words) -> str:
    """Return what was not tried, and why."""
    return words.say("stress-left-arm", what=arm_phrase(arm, words), why=arm.why)


def plan_words(plan: Plan, progress: DebateState, words: Words) -> dict[str, list[str] | str]:
    """Return what a plan would change, what it leaves out, what needs no call, and what it takes."""
    least, most = plan.runs
    cost = money(plan.cost[1] if plan.cost else 0.0, int(plan.cost is None), words=words)
    return {
        "changed": [arm_phrase(arm, words) for arm in plan.arms],
        "left": [*(left_phrase(arm, words) for arm in plan.left), *_unsaid(plan.arms, words)],
        "free": [*free_lines(plan.free, names_of(progress), words)],
        "takes": words.say(
            "stress-plan",
            arms=len(plan.arms),
            least="" if least == most else str(least),
            most=most,
            calls=plan.calls[1],
            cost=cost,
        ),
    }


def _unsaid(arms: Iterable[Arm], words: Words) -> Iterator[str]:
    """Yield that premises stand nowhere in their words, where some do."""
    if unsaid := [arm.what.rstrip(".") for arm in arms if arm.unsaid]:
        yield words.say("stress-unsaid", what=unsaid)


def names_of(progress: DebateState) -> dict[str, str]:
    """Return the titles of the texts that were voted on, or their words, by their ids."""
    return {text.id: text.title or text.text for text in (progress.verdict.offered if progress.verdict else ())}


def stress_lines(done: Stress, names: Mapping[str, str], words: Words) -> Iterator[tuple[str, bool]]:
    """Yield the answer in a few sentences: how it held, what it hinges on; and whether one is a detail of it.

    `names` are the titles of texts, or their words, by their ids.
    """
    if not done.control.of:
        return
    yield words.say("stress-held", held=done.control.of - done.control.changed, of=done.control.of), False
    hinges = [each for each in done.arms if each.hinges]
    for each in hinges:
        became = _named(each.became, names, words)
        what = arm_phrase(each.arm, words)
        yield words.say("stress-hinges", what=what, became=became, changed=each.share.changed, of=each.share.of), False
    seen = max((each.beside.high for each in done.arms if each.beside and not each.hinges), default=0.0)
    yield words.say("stress-rest", some=len(hinges), tried=len(done.arms), points=round(100 * seen)), False
    for each in done.arms:
        for who in dict.fromkeys((*(each.arm.places if each.arm.kind == "terms" else ()), *each.swayed)):
            if moved := each.moved.get(who):
                what = arm_phrase(each.arm, words)
                yield words.say("stress-moved", what=what, who=who, changed=moved.changed, of=moved.of), True
    if all(each.arm.at is None for each in done.arms):
        yield words.say("stress-votes-alone"), True
    yield from ((line, True) for line in _unsaid([each.arm for each in done.arms], words))
    if done.left:
        yield words.say("stress-left", what=[left_phrase(arm, words) for arm in done.left]), True


def stress_rows(done: Stress, words: Words) -> Iterator[str]:
    """Yield a row for each thing that was tried: runs changed, how much more than without it, and what that shows."""
    for each in done.arms:
        if each.beside is not None:
            points = {name: f"{100 * getattr(each.beside, name):+.0f}" for name in ("estimate", "low", "high")}
            changed, of = map(str, each.share)
            what, finding = arm_phrase(each.arm, words), each.beside.finding
            yield words.say("stress-row", what=what, changed=changed, of=of, finding=finding, **points)


def free_lines(free: Iterable[Free], names: Mapping[str, str], words: Words) -> Iterator[str]:
    """Yield what the ballots tell without a call, where it is another outcome."""
    for each in free:
        if each.changes or each.kind in ("ballots", "quorum"):
            outcome, number = _named(each.outcome, names, words), int(each.what) if each.what.isdecimal() else 0
            yield words.say(
                "stress-free",
                kind=each.kind,
                what=each.what,
                rule=each.what.replace("/", "-"),
                count=number,
                outcome=outcome,
            )


def _named(motions: Iterable[str], names: Mapping[str, str], words: Words) -> list[str]:
    """Return motions by the titles or first words of their texts, with their ids."""
    return [in_short(names.get(key, key), key if key in names else "", words=words) for key in motions]
