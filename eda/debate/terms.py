"""What would bring in those who are not for the leading text: asked once a discussion, late, before it is over."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Literal

from eda.debate.floor.stop import room
from eda.debate.state import DebateState
from eda.debate.verdict import answer_of
from eda.events import BallotText, Motion, Proposal, own_roots
from eda.memory import ConversationMemory
from eda.memory.minutes.motions import backers
from eda.memory.minutes.remark_words import yes_or_no
from eda.panels.settings import Takes
from eda.runners.answers import TAKES, TermsAnswer
from eda.runners.protocol import Reply
from eda.runners.repair import answer_in
from eda.text import quoted, regex, unbroken

# When the moderator speaks: what it says then is the prompt text of that name.
Occasion = Literal["silence", "circle", "together", "unheard", "unsourced"]
# By the id of a text, whose position it is, with its words where they say more; empty where a list is made.
Positions = Mapping[str, Mapping[str, str]]


def leading(motions: Sequence[Motion], held: Positions, began: Mapping[str, int]) -> Proposal | None:
    """Return the wording that most hold of the motion that leads, of equals its live text; None where none leads.

    That is the motion of which most members hold a wording as their position: what many want beside any answer is
    nobody's answer. Who holds nothing, and is for a wording of an option given or of a motion that somebody holds,
    counts as well. Of equals it is that whose live text has fewest members against it, then an option or a wording of
    one that somebody is for, then that whose live text has most members for it, then the newest. `began`: in which
    message a member took an option given as its position. Who put or supported texts since then holds those instead,
    but for a text of a motion on which it had put one by then.
    """
    live = _open(motions)
    moved, holders = _moved(live, began), {who for members in held.values() for who in members}
    ranks: list[tuple[int, int, int, int, int, Proposal]] = []
    for text, texts in live:
        given, sides = not texts[0].message, set[str]().union(*(held.get(each.id, {}) for each in texts))
        sides.update(*(backers(each) - holders for each in texts if given or sides))
        hold = len((sides - moved.keys()) | {who for who, ids in moved.items() if text.id in ids})
        against = len(text.backers("oppose")) * bool(hold)
        root = own_roots(texts)
        same = (each for each in texts if each.status == "active" and root[each.id] == root[text.id])
        most = max(same, key=lambda each: (len(held.get(each.id, ())), each.id == text.id))
        ranks.append((hold, -against, min(given, hold), len(backers(text)), text.message, most))
    return max(ranks, key=itemgetter(0, 1, 2, 3, 4), default=(None,))[-1]


def _open(motions: Iterable[Motion]) -> list[tuple[Proposal, Sequence[Proposal]]]:
    """Return the open text of each motion that was taken up, with all its wordings."""
    return [
        (each.live, each.versions) for each in motions if each.live and each.taken_up and each.live.status == "active"
    ]


def _moved(live: Iterable[tuple[Proposal, Sequence[Proposal]]], began: Mapping[str, int]) -> dict[str, set[str]]:
    """Return the live texts that members have put or supported since they took an option, by who did."""
    moved = defaultdict[str, set[str]](set)
    for text, texts in live:
        for who, at in ((text.proposer, text.message), *((each.agent, each.message) for each in text.reactions)):
            since = min((each.message for each in texts if each.proposer == who), default=at)
            if who in backers(text) and min(since, at) > began.get(who, at):
                moved[who].add(text.id)
    return moved


def _sides(texts: Iterable[Proposal], memory: ConversationMemory) -> Iterator[str]:
    """Yield who has put one of the wordings, has taken a side on it, or holds it as a position."""
    for text in texts:
        yield from (text.proposer, *(each.agent for each in text.reactions), *memory.positions.get(text.id, ()))


def unheard(memory: ConversationMemory, state: DebateState) -> str:
    """Return the open texts on which nobody but an author has taken a side, by ids; empty where that is so of most.

    A text of the last message is none of them: nobody has had the floor since. Nor is one on which the reading of a
    person's line waits for a yes.
    """
    read = {move.target for who, at in state.last_lines.items() for move in state.waiting(who).get(at, ())}
    live = _open(memory.motions)
    alone = [
        text
        for text, texts in live
        if text.message < memory.message_count and text.id not in read and {*_sides(texts, memory)} <= {text.proposer}
    ]
    if not alone or 2 * len(alone) > len(live):
        return ""
    return state.settings.words.say(
        "prompt-unheard",
        ids=", ".join(text.id for text in alone),
        authors=any(text.proposer for text in alone),
    )


def unsourced(memory: ConversationMemory, _: DebateState) -> str:
    """Return the messages of what the minutes say has no source; none whose motions are all closed."""
    items = [each for each in memory.parts.unanswered if each.unsourced and not each.answered]
    texts = [(text.message, each.live) for each in memory.motions for text in each.versions] if items else []
    gone = {at for at, _ in texts} - {at for at, live in texts if live and live.status in ("active", "accepted")}
    return ", ".join(dict.fromkeys(f"m{each.message}" for each in items if each.message not in gone))


# What the moderator says once a round, where there is something to name.
TOLD_ONCE: Mapping[Occasion, Callable[[ConversationMemory, DebateState], str]] = {
    "unsourced": unsourced,
    "unheard": unheard,
}


def due(state: DebateState, memory: ConversationMemory, *, ends: bool = False) -> tuple[Proposal, list[str]] | None:
    """Return the leading text and who is to be asked about it now; None where nobody is.

    Those are asked who sit here and neither support the text as it stands, hold it nor have named a condition already.
    Who has put another text since its position holds that.
    A pause between their answers leaves out the others, who are asked on resume. It is time once two thirds of the
    discussion are over, or the talk `ends` before that with messages left.
    """
    named = state.terms[state.terms_before :]
    answered = [each for each in named if each.after == state.messages]
    if len(answered) < len(named) or not _is_time(state, ends=ends):
        return None
    held: Positions = memory.positions if answer_of(state) == "one" else {}
    began = {who: memory.state.agents[who].positions[-1].message for key in held if key[0] == "o" for who in held[key]}
    if (text := leading(memory.motions, held, began)) is None:
        return None
    hold = {who for who, words in held.get(text.id, {}).items() if not (words or memory.newer(who)[1])} | {
        each.agent for each in text.reactions if each.condition and not each.doubt
    }
    asked = sorted({*state.active} - hold.union(backers(text), (e.who for e in answered)), key=state.active.index)
    return (text, asked) if asked else None


def _is_time(state: DebateState, *, ends: bool) -> bool:
    """Return whether two thirds of the discussion are over, or it `ends`, and texts may still be put."""
    return (
        bool(state.settings.terms)
        and not has_fixed_texts(state)
        and (left := room(state)) > 0
        and (ends or 2 * left <= state.said)
    )


def has_fixed_texts(state: DebateState) -> bool:
    """Return whether no text of a member can be voted on."""
    return state.agenda.choices == "options" or state.settings.fixed_options or not state.agenda.has_ballot


def plainly(text: str) -> Takes | None:
    """Return what a text that is nothing but a value of the form, or yes or no in any language, says of a text."""
    answers: dict[str, Takes] = {**TAKES, "yes": "as it is", "no": "not at all"}
    return answers.get(_TAKEN.sub("", text).strip(" .!\"'*`").casefold()) or answers.get(yes_or_no(text))


def typed_terms(text: str, before: str = "", *, waits: bool = False) -> tuple[Takes | None, str]:
    """Return what a person's answer says of a text, and the change that it names: by a number, or a bare yes or no.

    3 is for the change behind it, or in the words `before` that were asked about. Any other words say nothing, however
    much they look like one of the three; nor does a yes or no that may answer what was asked about, or which an offer
    of a line `waits` for.
    """
    word, third = text.strip(" .:()!"), _THIRD.fullmatch(text)
    change = third[1] if third else before * (word == "3")
    if change:
        return (None, "") if plainly(change) or change == word else ("with a change", change)
    return _NUMBERS.get(word) or (TAKES.get(word.casefold()) if before or waits else plainly(text)), ""


_NUMBERS: Mapping[str, Takes] = {"1": "as it is", "2": "not at all"}
# The change that an answer names behind its number: "3: a lamp".
_THIRD = regex(r"\s*\(?3\s*(?:[:)]|\.\s)[\s.:)]*([^\s.:)].*)", "S")
# What stands before a value of the form where it is said in a sentence: "I take it as it is".
_TAKEN = regex(
    r"^\s*(?:(?:yes|no|nope|ok|well|ja|nein|nee?|nö)\b,? ?)?"
    r"(?:(?:I(?:'d| would| could| can| will|'ll)? (?:take|accept) (?:it|this|that)"
    r"|ich (?:nehme|nehm) (?:es|ihn|das)),? )?",
    "I",
)
# A value of the form at the beginning of a sentence, and the change behind it.
_CHANGE = regex(
    r"(?:^|[.;!]\s+)(?:(?:yes|but),? )?(?:I(?:'d| would| could| can| will) (?:take|accept) (?:it|this) )?"
    r"with a change[:,.]\s+(?:(?:the )?change:\s+)?([^{}]+)$",
    "I",
)


def read_terms(reply: Reply) -> tuple[dict[str, object] | None, str]:
    """Return the fields of a `TermsNamed` that a reply gives, and what is wrong with it."""
    if takes := plainly(reply.text):
        return {"takes": takes, "change": ""}, ""
    answer, wrong = answer_in(TermsAnswer, reply)
    if answer is None and (named := _CHANGE.search(reply.text)):
        answer = {"takes": "with a change", "change": unbroken(named[1])}
    if answer is None:
        return None, wrong or "the answer does not say what would bring you in"
    changes = answer["takes"] == "with a change"
    if changes and not answer["change"]:
        return None, "the answer names no change"
    return {"takes": answer["takes"], "change": answer["change"] if changes else ""}, ""


def told(
    state: DebateState, memory: ConversationMemory, fill: Callable[..., str], among: Sequence[BallotText] | None = None
) -> str:
    """Return what the members who were asked last have answered, as prompts tell it; empty for nothing understood.

    Who has come out for the text since then is left out; all are where it is not `among` the texts of a ballot.
    """
    rows = (row for key, row in memory.state.rows.items() if state.terms and key == state.terms[-1].on)
    since = {who: row["since"][who] for row in rows for who in row["held"]["support"]}
    last = [
        each
        for each in state.terms
        if (each.takes or each.unread) and (each.after, each.on) == (state.terms[-1].after, state.terms[-1].on)
        if since.get(each.who, 0) <= each.after and (among is None or each.on in [text.id for text in among])
    ]
    answers = "\n".join(
        f"- {quoted(each.who)}: {each.takes or 'in words that were not read'}"
        + f": {quoted(each.change or each.unread)}" * bool(each.change or each.unread)
        for each in last
    )
    return fill("terms-told", number=str(last[-1].after), id=last[-1].on, answers=answers).strip() if last else ""
