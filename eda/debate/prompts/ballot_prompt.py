"""The words of a ballot: its texts by motion, what is asked beside the choice, and the shape of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eda.events.votes import AnswerKind, BallotText
from eda.text import quoted
from eda.voting.kinship import Kin, kinship, option_of
from eda.voting.rules import HALF_OF_VOTES, Rule
from eda.words import ENGLISH, Words

_FIRST = "Nobody has spoken yet; you vote on what was given, and are asked again at the end."
_LIST = "Each motion is adopted or not by itself, and several can be."
_HALF = "more than half of the votes cast accept it."
_ONE = "One of these motions can become the answer."
_ALSO = (
    '"ranking" is about the one answer: at most one of its texts wins. "also" is about what should be done beside it, '
    "whichever wins: by id, also of texts that you rank or that are part of another; [] for nothing."
)
_MOVED_BY = '"moved_by": the id of the message that moved you most, or null where none did.'
_BLOCKED = '"blocked": the ids of texts that you cannot live with; most often none.'
_SCORES = '"scores": each id with 0 to 10; the motion counts as its best text.'


def ballot_slots(
    texts: Sequence[BallotText], rule: Rule, task: str, *, first: bool, answer: AnswerKind
) -> dict[str, str]:
    """Return what fills the slots of the ballot's text, for `texts` in the order shown."""
    counts = rule.counts
    also = asks_also(texts, first=first, answer=answer)
    more = [_ALSO] if also else []
    more += [_BLOCKED] if counts == "blocks" else []
    more += [_SCORES] if counts == "scores" else []
    more += [] if first else [_MOVED_BY]
    shape = (
        '"ranking": ["an id", "the next one"]',
        *(['"also": []'] if also else []),
        *(['"blocked": []'] if counts == "blocks" else []),
        *(['"scores": [{"choice": "an id", "score": 7}]'] if counts == "scores" else []),
        *([] if first else ['"moved_by": "a message id, or null"']),
        '"confidence": 0.0 to 1.0, "reason": "one sentence"',
    )
    wins = _HALF if answer == "list" and rule.share == HALF_OF_VOTES and not rule.needs_judge else rule.line
    kind = f"{_LIST if answer == 'list' else _ONE} The rule: {wins} {task}".strip()
    return {
        "task": _FIRST if first else kind,
        "accept": "adopt" if answer == "list" else "accept as the answer",
        "choices": "\n".join(_lines(texts)),
        "more": "".join(f"\n{line}" for line in more),
        "shape": f"{{{', '.join(shape)}}}",
    }


def asks_also(texts: Sequence[BallotText], *, first: bool, answer: AnswerKind) -> bool:
    """Return whether a ballot asks which texts to adopt beside the answer, too."""
    return answer == "one" and not first and len({text.motion for text in texts}) > 1


def kin_phrase(kin: Kin, words: Words = ENGLISH) -> str:
    """Return `a wording of o2, part of p9.0`; empty where a text is nothing to another."""
    kind = kin.kind.replace(" ", "-") or "none"
    return words.say("votes-kin", kind=kind, of=kin.of, count=len(kin.of), option=kin.option)


def _lines(texts: Sequence[BallotText]) -> Iterator[str]:
    """Yield a line for each text: by its id, and beneath the first of its motion where it is another wording."""
    first, ids = dict[str, str](), [text.id for text in texts]
    for text in texts:
        of = first.setdefault(text.motion, text.id)
        line = f'{text.id}: "{quoted(text.text)}"'
        below = ", below" * (text.into in ids[ids.index(text.id) :])
        kin = Kin("part", (text.into,), option_of(text)) if text.into else kinship(text, of, texts)
        about = kin_phrase(kin) + f"{below}; can be voted for by itself" * bool(text.into)
        about = f" ({about})" if about else ""
        yield f"{'' if of == text.id else '    '}{line}{about}"
