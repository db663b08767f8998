"""The ballot of a person at a page: the texts with their names and wordings, and how an answer will be read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Literal

from eda.debate.asking import Checked
from eda.debate.debate import Debate
from eda.debate.person import is_plain, likely_row, parted, read_typed, row_of
from eda.debate.prompts.ballot_prompt import beside_of
from eda.debate.state import DebateState
from eda.debate.verdict import answer_of, texts_by_id
from eda.errors import UsageError
from eda.events import NONE, BallotText, flat
from eda.memory import ConversationMemory
from eda.memory.minutes.remark_words import answer_first
from eda.report.formatting import SHORT, called, one_line, told_apart
from eda.report.phrases import phase_phrase
from eda.report.say_back import uncounted
from eda.report.wordings import differences, elided
from eda.runners.answers import ScoredAnswer
from eda.runners.protocol import Prompt, Reply
from eda.serve.people import WebSeat
from eda.text import regex
from eda.voting.ballot_data import roles_in
from eda.voting.mentions import mentions, offered
from eda.words import Words, fault

# Roles of words by which an answer to "which first?" leaves out what it does not name.
_DROPS = frozenset({"only", "refuse", "done", "rest", "none", "abstain"})

INSTEAD = regex(
    r"^(?:h+m+|no|nah|nope|ne|nee|nein)(?: wait)?(?:\s*[,.:;!–-]|(?<!\bno)(?=\s+(?:[a-z]\b|[op]\d)))\s*|"
    r"(?<!\s)\s+(?:instead|stattdessen)$",
    "I",
)
"""What takes a vote back around another: "nope, just b", "nope d", "d instead"; "no supper" refuses one."""


def question_of(seat: WebSeat | None, state: DebateState, memory: ConversationMemory) -> dict[str, Any]:
    """Return what a person is asked now, and their vote that is in; an empty question where nothing waits."""
    kept = _kept(seat, state, memory) if seat is not None else None
    if seat is None or seat.prompt is None:
        return {"kind": "question", "purpose": "", "kept": kept}
    prompt, first = seat.prompt, seat.prompt.phase == "first-ballot"
    left = {} if seat.until is None else {"seconds": max(0, round(seat.until - monotonic()))}
    vote = prompt.purpose == "ballot"
    return {
        "kind": "question",
        "purpose": prompt.purpose,
        "about": one_line(prompt.about),
        "number": seat.asked,
        "texts": list(offered_texts(prompt.texts, memory)),
        "beside": beside_of(prompt.texts, first=first, answer=answer_of(state)) if vote else [],
        "scored": prompt.answer is ScoredAnswer,
        "wrong": prompt.wrong,
        "first": first,
        "uncounted": uncounted(seat.title, state.waiting(seat.title), memory, state.settings.words) if vote else [],
        "again": state.again,
        "kept": kept,
        "was": seat.before[1] if seat.before and seat.before[0].texts == prompt.texts else "",
        **left,
    }


def _kept(seat: WebSeat, state: DebateState, memory: ConversationMemory) -> dict[str, Any] | None:
    """Return the vote that a person has given, or changes, as it is read; None for none."""
    if given := seat.voted or seat.stands:
        prompt, text = given
        with suppress(UsageError):  # it cannot be read, and is asked for again
            return {
                "read": how_read(prompt, text, memory, state.settings.words),
                "poll": prompt.purpose == "poll",
                "first": prompt.phase == "first-ballot",
                "open": True,
            }
    elif seat.prompt is None or not seat.prompt.votes:
        for cast in (*state.ballots, *state.first_ballots):
            if cast.ballot.agent == seat.title and not cast.ballot.invalid:
                fields = cast.ballot.model_dump() if cast.ballot.has_voted else {}
                return {
                    "read": _in_words(fields, cast.texts, memory, state.settings.words),
                    "poll": False,
                    "first": cast.first,
                    "open": False,
                }
    return None


def question_lines(prompt: Prompt, words: Words, seat: str = "", seconds: float = 0) -> Iterator[str]:
    """Yield what a person is asked, and the texts of a vote; `seat`: their title, where it is not their name."""
    purpose: str = prompt.purpose
    if purpose == "terms":
        yield words.say("seat-terms", text=one_line(prompt.about), typed=one_line(prompt.wrong))
        return
    if prompt.attempt > 1:
        yield words.say("seat-again", wrong=prompt.wrong)
    if not prompt.votes:
        purpose = "floor" if prompt.stage != "opening" else "opening" if prompt.phase == "opening" else "word"
    elif prompt.phase == "first-ballot":
        purpose = "first-ballot"
    yield words.say("seat-asked", purpose=purpose, seat=seat, seconds=seconds, phase=phase_phrase(prompt.phase, words))
    whole = [": ".join(filter(None, (one_line(text.title), one_line(text.text)))) for text in prompt.texts]
    for text, named, line in zip(prompt.texts, offered(prompt.texts), whole, strict=True):
        letter = f"{named.letter}. " if named.letter.isalpha() else ""
        yield f"  {letter}{text.id}  {line if prompt.attempt == 1 else told_apart(line, SHORT, whole)}"


def ways_to_vote(message: str, prompt: Prompt, state: DebateState, words: Words) -> str:
    """Return how one votes, by a message that says it for this kind of screen."""
    also = bool(beside_of(prompt.texts, first=prompt.phase == "first-ballot", answer=answer_of(state)))
    usual = "ids" if prompt.purpose == "ballot" and prompt.attempt > 1 else prompt.purpose
    return words.say(message, "scores" if prompt.answer is ScoredAnswer else usual, also=also)


def how_read(prompt: Prompt | None, text: str, memory: ConversationMemory, words: Words) -> str:
    """Return in a sentence how an answer to a ballot or poll will be read.

    Raises:
        UsageError: nothing is asked, or the answer cannot be read.
    """
    if prompt is None:
        raise fault("error-waits-no-longer")
    fields, wrong = typed_fields(prompt, text, words)
    if fields is None:
        raise UsageError(wrong)
    return _in_words(fields, prompt.texts, memory, words, poll=prompt.purpose == "poll")


def check_said(seat: WebSeat, text: str, debate: Debate) -> None:
    """Refuse a line that may answer the question on terms that waits, or change the vote that is in.

    Raises:
        UsageError: it may.
    """
    if seat.prompt is not None and seat.prompt.purpose == "terms" and answer_first(text, loose=True)[0]:
        raise fault("error-which-question")
    prompt, words = seat.voted[0] if seat.voted else None, debate.progress.settings.words
    if prompt and prompt.purpose == "ballot" and debate.inbox.voting and text.lstrip()[:1] not in "@[":
        fields, _ = typed_fields(prompt, likely_row(text, prompt.texts) or text, words)
        named = mentions(text, offered(prompt.texts), by_words=True)
        if fields or (named and not text.rstrip().endswith("?")):
            raise fault("error-vote-in", read=_in_words(fields, prompt.texts, debate.memory, words) if fields else "")


def typed_fields(prompt: Prompt, text: str, words: Words) -> Checked:
    """Return what a typed answer says, and what is wrong with it."""
    return read_typed(Reply(text), prompt.texts, "scores" if prompt.answer is ScoredAnswer else "firsts", words)


def open_steps(prompt: Prompt, text: str, state: DebateState) -> dict[Literal["order", "beside"], list[str]]:
    """Return what a typed vote leaves open, with the texts: the order of a row, and what to adopt beside."""
    fields = typed_fields(prompt, text, state.settings.words)[0] if prompt.purpose == "ballot" else None
    if not fields or not (fields.get("approved") or fields["choice"]):
        return {}  # it abstains, or cannot be read
    head, beside = parted(text, prompt.texts)
    best = {each.id for each in prompt.texts if each.text == fields["choice"]}
    measures = beside_of(prompt.texts, first=state.does.asks == "first-ballot", answer=answer_of(state))
    row = row_of(head, prompt.texts)
    steps: dict[Literal["order", "beside"], list[str]] = {
        # The second question asks for them best first.
        "order": [] if len(row) < 2 or {*">="} & {*head} or prompt.attempt > 1 else row,
        "beside": [] if beside else [key for key in measures if key not in best],
    }
    return {step: ids for step, ids in steps.items() if ids}


def yes_or_no_alone(prompt: Prompt, text: str) -> str:
    """Return the yes or no that an answer gives, where it names no text; "sonst nichts" and "nix" are a no."""
    says, rest = answer_first(text)
    roles = roles_in(f"sonst {text}")
    nothing = "done" in roles and roles.isdisjoint({"accept", "also", "adds", "condition"})
    named = row_of(text, prompt.texts) or mentions(rest, offered(prompt.texts), by_words=True)
    return "" if named else says or "no" * nothing


def reordered(prompt: Prompt, row: str, answer: str, words: Words) -> str:
    """Return a typed row in the order of an answer to "which first?": "b first" leaves nothing out, "only b" does."""
    return ("" if roles_in(answer) & _DROPS else joined_votes(prompt, [answer, row], words)) or answer or row


def joined_votes(prompt: Prompt, typed: Sequence[str], words: Words, *, moves: bool = False) -> str:
    """Return one vote that ranks what typed votes rank in turn, and adopts what they adopt beside it.

    Where it `moves`, what the last of them ranks is adopted beside what the others rank. Empty where one ranks nothing.
    """
    votes = [typed_fields(prompt, each, words)[0] or {} for each in typed]
    if not all(vote.get("ranking") for vote in votes):
        return ""
    ids, ranked = {each.text: each.id for each in prompt.texts}, votes[: len(votes) - moves]
    apart = [each for vote in votes[len(ranked) :] for each in flat(vote["ranking"])]
    ranks = dict.fromkeys(rank for vote in ranked for rank in vote["ranking"])
    rows = [[ids[each] for each in flat([rank]) if each not in apart] for rank in ranks]
    also = dict.fromkeys([*apart, *(each for vote in ranked for each in vote.get("also", ()))])
    row = " > ".join(" = ".join(each) for each in rows if each)
    beside = " ".join(ids[each] for each in also)
    return words.say("seat-step", "adds", text=row, beside=beside) if row and beside else row


def read_by_words(prompt: Prompt, text: str, memory: ConversationMemory, words: Words) -> str:
    """Return how a vote is read that needs a yes; empty of nothing, of a plain row, and of what cannot be read."""
    fields, _ = typed_fields(prompt, text, words)
    asks = prompt.purpose == "ballot" and fields and text and not is_plain(text, prompt.texts)
    return _in_words(fields, prompt.texts, memory, words) if fields and asks else ""


def _in_words(
    fields: Mapping[str, Any],
    texts: Sequence[BallotText],
    memory: ConversationMemory,
    words: Words,
    *,
    poll: bool = False,
) -> str:
    """Return in a sentence what the fields of an answer say; with none it is an abstention."""
    if not fields or (fields["choice"] is None and not (fields.get("approved") or fields.get("scores"))):
        return words.say("ballot-empty", poll=poll)
    titles = _titles(texts, memory)
    names = {each.text: titles[each.id] for each in texts}
    ranked = [each for each in fields.get("ranking") or [fields["choice"]] if each not in (None, NONE)]
    ranks = [[names[each] for each in flat([rank])] for rank in ranked]
    scores: Mapping[str, float] = fields.get("scores") or {}
    told = [words.say("ballot-rank", titles=each, equal=len(each)) for each in ranks]
    return words.say(
        "ballot-read",
        poll=poll,
        ranks=[f"{names[each]}: {score:g}" for each, score in scores.items()] or told,
        refused=[names[each.text] for each in texts if each.text not in (*flat(ranked), *fields.get("also", ()))],
        beside=[names[each] for each in fields.get("also", ())],
    )


def _titles(texts: Sequence[BallotText], memory: ConversationMemory) -> dict[str, str]:
    """Return by id what texts are called; where two have one title, with who put them."""
    known = texts_by_id(memory)
    titles = {each.id: one_line(each.text).rstrip(".") for each in texts}
    titles |= {key: called(text) for key, text in known.items() if key in titles}
    count = Counter(titles.values())
    return {
        key: f"{title} ({known[key].proposer}, m{known[key].message})"
        if count[title] > 1 and key in known and known[key].proposer
        else title
        for key, title in titles.items()
    }


def offered_texts(texts: Sequence[BallotText], memory: ConversationMemory) -> Iterator[dict[str, Any]]:
    """Yield the texts in the order shown, each with the one above it and how it differs."""
    known, titles, heads = texts_by_id(memory), _titles(texts, memory), dict[str, BallotText]()
    live = {motion.live.id for motion in memory.motions if motion.live is not None}
    own = {text.id: text.root or text.motion for text in texts}  # what was joined stands beside the text that joins it
    for text in texts:
        if own[text.id] not in heads or text.id in live:
            heads[own[text.id]] = text
    for text in texts:
        head, words = heads[own[text.id]], one_line(text.text)
        changed = [*elided(tuple(differences(one_line(head.text), words)))] if head is not text else []
        put = known.get(text.id)
        yield {
            "id": text.id,
            "title": titles[text.id],
            "text": words,
            "head": head.id,
            "parts": changed or [(words, "same")],
            "by": put.proposer if put else "",
            "message": put.message if put else 0,
        }
