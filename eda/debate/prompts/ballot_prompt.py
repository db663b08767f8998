"""The words of a ballot, and the strict schemas of all answers: what can be answered is enumerated.

Every field of a schema is required and none may stand beside them, as strict servers want it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Any, get_args

from pydantic import BaseModel

from eda.events import NONE, AnswerKind, BallotCast, BallotText, StanceTaken
from eda.memory.sources import MESSAGE
from eda.panels.settings import Takes
from eda.text import quoted
from eda.voting import HALF_OF_VOTES, Counts, Kin, Rule, kinship, option_of
from eda.words import ENGLISH, Words

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_SHARE: Schema = {"type": "number"}
_SCORE: Schema = {"type": "integer", "enum": [*range(11)]}
_MAYBE: Schema = {"anyOf": [_TEXT, {"type": "null"}]}


def ballot_schema(texts: Sequence[BallotText], counts: Counts, *, first: bool, answer: AnswerKind) -> Schema:
    """Return the schema of a ballot: the ids that the voter accepts, best first, or `none`, or `abstain`.

    A rank may be a list: of texts that are equal to the voter.
    """
    one = _one_of(text.id for text in texts)
    ids = _list_of(one)
    # no strict server takes `uniqueItems`
    ranks = {**_list_of({"anyOf": [one, {**ids, "minItems": 1}]}), "minItems": 1}
    measures = beside_of(texts, first=first, answer=answer)
    of = {"also": _list_of(_one_of(measures)), "apart": _list_of(ids), "blocked": ids, "moved_by": _MAYBE}
    of["scores"] = _object(**{text.id: _SCORE for text in texts})
    beside = {name: of[name] for name in _beside(texts, counts, first=first, answer=answer)}
    return _object(ranking={"anyOf": [ranks, _one_of((NONE, "abstain"))]}, **beside, confidence=_SHARE, reason=_TEXT)


def _beside(texts: Sequence[BallotText], counts: Counts, *, first: bool, answer: AnswerKind) -> list[str]:
    """Return the fields that a ballot has between its ranking and how sure the voter is."""
    asked = {
        "also": bool(beside_of(texts, first=first, answer=answer)),
        "apart": answer == "list" and not first,
        "blocked": counts == "blocks",
        "scores": counts == "scores",
        "moved_by": not first,
    }
    return [name for name, is_asked in asked.items() if is_asked]


def poll_schema(texts: Sequence[BallotText], *, moved: bool) -> Schema:
    """Return the schema of an answer to a poll: one id, or null."""
    choice = {"anyOf": [_one_of(text.id for text in texts), {"type": "null"}]}
    more = {"moved_by": _MAYBE} if moved else {}
    return _object(choice=choice, **more, confidence=_SHARE, change_mind=_TEXT)


def bids_schema(titles: Sequence[str] = ()) -> Schema:
    """Return the schema of a member's bid; with `titles`, of the bids of these members."""
    fields = {"wants": {"type": "boolean"}, "urgency": _SHARE, "reason": _TEXT}
    return _object(bids=_list_of(_object(agent=_one_of(titles), **fields))) if titles else _object(**fields)


def acts_schema(form: type[BaseModel], ids: Sequence[str]) -> Schema:
    """Return the schema of the acts that a line of a person states, or that a member declares, by the form of one.

    Where `ids` have no message, there is none to deny.
    """
    denies = any(map(MESSAGE.fullmatch, ids))
    does = (each for each in get_args(form.model_fields["does"].annotation) if denies or each != "deny")
    listed = {
        "does": _one_of(does),
        "on": {"anyOf": [*([_one_of(ids)] if ids else []), {"type": "null"}]},
    }
    words = {name: _TEXT for name in form.model_fields if name not in listed}
    return _object(acts=_list_of(_object(**listed, **words)))


def _one_of(words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*words]}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


TERMS = _object(takes=_one_of(get_args(Takes)), change=_TEXT)  # The schema of what would bring a member in.


_FIRST = "Nobody has spoken yet; you vote on what was given, and are asked again at the end."
_LIST = "Each motion is adopted or not by itself, and several can be."
_HALF = "more than half of the votes cast accept it."
_ONE = "One of these motions can become the answer."
_SOLE = "The ballot below has one motion, which can become the answer."
_MORE = {
    "also": '"ranking" is about the one answer: at most one of its texts wins. "also" lists the ids of texts that you '
    "want adopted in addition, whichever text wins{given}. A text may stand in both. [] means: nothing besides the "
    "answer.",
    "apart": '"apart": pairs of ids that cannot both be adopted, since the one rules the other out; most often [].',
    "blocked": '"blocked": the ids of texts that you cannot live with; most often none.',
    "scores": '"scores": each id with 0 to 10; the motion counts as its best text.',
    "moved_by": '"moved_by": the id of the message that moved you most, or null where none did.',
}
_SHAPES = {
    "also": '"also": []',
    "apart": '"apart": [["an id", "another"]]',
    "blocked": '"blocked": []',
    "scores": '"scores": [{"choice": "an id", "score": 7}]',
    "moved_by": '"moved_by": "a message id, or null"',
}


def ballot_slots(
    texts: Sequence[BallotText], rule: Rule, task: str, *, first: bool, answer: AnswerKind
) -> dict[str, str]:
    """Return what fills the slots of the ballot's text, for `texts` in the order shown."""
    beside = _beside(texts, rule.counts, first=first, answer=answer)
    given = ": no option that was given, and no wording of one" * any(text.alternative for text in texts)
    shape = (
        '"ranking": ["an id", "the next one"]',
        *map(_SHAPES.__getitem__, beside),
        '"confidence": 0.0 to 1.0, "reason": "one sentence"',
    )
    wins = _HALF if answer == "list" and rule.share == HALF_OF_VOTES and rule.counts != "judge" else rule.line
    one = _ONE if len({text.motion for text in texts}) > 1 else _SOLE
    kind = f"{_LIST if answer == 'list' else one} The rule: {wins} {task}".strip()
    return {
        "task": _FIRST if first else kind,
        "accept": "adopt" if answer == "list" else "accept as the answer",
        "choices": "\n".join(_lines(texts)),
        "more": "".join(f"\n{_MORE[name]}" for name in beside).format(given=given),
        "shape": f"{{{', '.join(shape)}}}",
    }


def beside_of(texts: Sequence[BallotText], *, first: bool, answer: AnswerKind) -> list[str]:
    """Return the ids of the texts that can be adopted beside the answer: of options given one alone can be taken."""
    asks = answer == "one" and not first and len({text.motion for text in texts}) > 1
    return [text.id for text in texts if asks and not text.alternative]


def kin_phrase(kin: Kin, words: Words = ENGLISH) -> str:
    """Return `a wording of o2, part of p9.0`; empty where a text is nothing to another."""
    kind = kin.kind.replace(" ", "-") or "none"
    return words.say("votes-kin", kind=kind, of=kin.of, count=len(kin.of), option=kin.option)


def _lines(texts: Sequence[BallotText]) -> Iterator[str]:
    """Yield a line for each text: its id, and whether it is another wording of the first of its motion."""
    first, ids = dict[str, str](), [text.id for text in texts]
    for text in texts:
        of = first.setdefault(text.motion, text.id)
        line = text.id + (f' "{quoted(text.title)}"' if text.title else "") + f': "{quoted(text.text)}"'
        below = ", below" * (text.into in ids[ids.index(text.id) :])
        kin = Kin("part", (text.into,), option_of(text)) if text.into else kinship(text, of, texts)
        about = kin_phrase(kin) + f"{below}; can be voted for by itself" * bool(text.into)
        yield f"{line} ({about})" if about else line


def by_ids(texts: Sequence[BallotText]) -> str:
    """Return the texts of a ballot as a list, each with its id."""
    return "\n".join(f"- {text.id}: {quoted(text.text)}" for text in texts)


def blocks_of(ballots: Sequence[BallotCast]) -> str:
    """Return what was blocked in the last ballot, by whom, and why."""
    return (
        "\n".join(
            f"- {text.id}, by {quoted(cast.ballot.agent)}: {quoted(cast.ballot.reason) or 'no reason given'}"
            for cast in ballots
            for text in cast.texts
            if text.text in cast.ballot.blocked
        )
        or "(nothing was blocked yet)"
    )


def blocked(instruction: str, ballots: Sequence[BallotCast]) -> str:
    """Return what was blocked in the last ballot, for who bids where speakers are told it; empty where nothing was."""
    told = "{{blocks}}" in instruction and any(cast.ballot.blocked for cast in ballots)
    return f"\nBlocked in the last vote:\n{blocks_of(ballots)}" if told else ""


def statistics_of(polls: Sequence[Sequence[StanceTaken]]) -> str:
    """Return the last poll: how many hold each choice, how sure they are, what would change their minds."""
    if not polls or not polls[-1]:
        return "(no poll was taken yet)"
    stances = polls[-1]
    counts = Counter(stance.choice for stance in stances)
    lines = [f"- {choice}: {counts[choice]} of {len(stances)}{_sure(stances, choice)}" for choice in stances[0].choices]
    if counts[None]:
        lines.append(f"- undecided: {counts[None]} of {len(stances)}")
    minds = sorted({quoted(stance.change_mind) for stance in stances if stance.change_mind})
    lines += ["What would change a mind, as members wrote it:", *(f"- {mind}" for mind in minds)] if minds else []
    return "\n".join(lines)


def _sure(stances: Sequence[StanceTaken], choice: str) -> str:
    given = [s.confidence for s in stances if s.choice == choice and s.confidence is not None]
    return f" (confidence: median {median(given):.2f}, from {min(given):.2f} to {max(given):.2f})" if given else ""
