"""One vote, asked up to three times, each time more simply: the form, then ids alone, then the reading to confirm.

The form is put again where the first answer is empty. A reading is offered only of an answer that refuses nothing,
states no condition and names no text that is not there.
Polls along the way, which nothing in the debate depends on, say when they are due, and beliefs are read here, too.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from pydantic import ValidationError

from eda.debate.asking import Checked, read_vote
from eda.debate.prompts.ballot_prompt import beside_of
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.state import DebateState
from eda.debate.verdict import Paper
from eda.events import BallotText, Doubt, bounded, flat
from eda.memory.minutes.move_words import LONGEST_FRAME
from eda.memory.minutes.names import NameLines, name_lines, without_name
from eda.memory.minutes.remark_words import answer_first
from eda.runners.answers import BallotAnswer, Belief, BeliefsAnswer
from eda.runners.protocol import Prompt, Reply
from eda.runners.repair import fields_of, pieces_of
from eda.text import regex
from eda.voting.answers import question
from eda.voting.ballot_clauses import SIDES, clauses_in, ids_of, roles_of as item_roles, strange_in
from eda.voting.ballot_data import roles_in
from eda.voting.ballot_reader import said_beside, without_courtesies
from eda.voting.mentions import NamedText, mentions, offered, roles_of, words_of
from eda.words import ENGLISH

_WHOLE = (1.0, 100.0)  # What probabilities add up to, as such or in per cent.
_OFF = 0.05  # The share by which a sum may miss that before who gave it is asked once more.


def due(state: DebateState) -> list[str]:
    """Return whom the setting `poll` has asked now: all voters, those whom a pause left out, or nobody.

    It is due before the first message, after each `every` messages, and before a vote that messages came before. Nobody
    is asked in the middle of a turn, or before sealed messages are heard.
    """
    poll = state.settings.poll
    if poll is None or state.at is None or state.grant is not None or state.heard < state.messages:
        return []
    since = state.messages - state.surveyed_at
    if state.surveys and not since:
        asked = {stance.who for stance in state.surveys[max(state.surveys)]}
        return [who for who in state.voters if who not in asked]
    over = since >= (len(state.voters) if poll.every == "round" else poll.every) or not state.does.speaks
    return state.voters if over or not state.surveys else []


def read_beliefs(reply: Reply, shown: Sequence[BallotText]) -> Checked:
    """Return the beliefs in a reply about `shown` as fields of a `StanceTaken`, and what is wrong with them.

    They are scaled to add up to 1. A choice that is not named has the probability 0. The most probable one is the
    `choice`; None where two are equally probable.
    """
    given = reply.data if "beliefs" in (reply.data or {}) else fields_of(BeliefsAnswer, reply)[0]
    rows, fault = _rows((given or {}).get("beliefs"))
    names = {name.strip().casefold(): each.text for each in shown for name in (each.id, each.text)}
    found: dict[str, float] = {}
    for row in rows:
        text = names.get(row.choice.strip().casefold())
        if text is None or text in found:
            fault = fault or f"{row.choice[:80]!r} is {'no choice' if text is None else 'there twice'}"
        else:
            found[text] = row.probability
    total = sum(found.values())
    if fault or not total:
        return None, fault or "the answer gives no choice a probability"
    beliefs = {each.text: round(found.get(each.text, 0.0) / total, 6) for each in shown}
    best = [text for text, belief in beliefs.items() if belief == max(beliefs.values())]
    whole = any(abs(total - each) <= _OFF * each for each in _WHOLE)
    wrong = "" if whole else ENGLISH.say("prompt-odds-total", total=f"{total:g}")
    return {"choice": best[0] if len(best) == 1 else None, "confidence": beliefs[best[0]], "beliefs": beliefs}, wrong


def _rows(given: Any) -> tuple[list[Belief], str]:
    """Return the probabilities of an answer: a list of them, or an object; and what is wrong with one."""
    listed = (
        [{"choice": key, "probability": value} for key, value in given.items()] if isinstance(given, Mapping) else given
    )
    try:
        return [Belief.model_validate(row) for row in listed] if isinstance(listed, list | tuple) else [], ""
    except ValidationError as error:
        return [], ENGLISH.say("prompt-odds-row", row=str(error.errors()[0]["input"])[:80])


_ALSO_ASKED = " On a second line, behind `also:`, write the ids of what should be done beside the answer, or none."
_NAMED = r"((?:(?:the|our|my) )?[op]\d+(?:\.\d+)?|(?:the|our|my) (?:[^.:;,\n]|\.(?=\d)){1,60}?)"
# The line of an answer in words that gives the field `also`, by the name that the ballot gives it, or by "beside it";
# ids behind that name in a sentence; a sentence that says the same: "p2.0 should be adopted as well".
_ALSO = regex(
    r"^[\s*_`#>•-]*(?:also|(?:and )?besides?(?: (?:it|that|the answer))?|(?:und )?(?:daneben|außerdem))"
    r"[ \t*_`]*:[ \t*_`]*(\S.*|(?:\n[ \t]*[-*+•].*)*)$|"
    r"(?<=[.!;]\s)(?:also|besides?|daneben|außerdem): ([op]\d+(?:\.\d+)?(?:, [op]\d+(?:\.\d+)?)*)"
    r"(?=[.;!]?\s*$|[.;!]\s(?!(?:no|nein|sorry|wait|halt|moment|or|oder|rather|actually|i mean)\b))|"
    rf"(?:(?:^|(?<=[.!?;]\s)|(?<=,\s)(?=(?:and )?I\b))(?:(?:and )?I(?:'d| would) (?:have|like) )?{_NAMED} "
    rf"(?:should (?:also )?be |to be )?|(?<=,\s)(?:and|but) {_NAMED} I(?:['’]d| would) like )"
    r"adopted (?:as well|too|beside (?:it|that|the answer))(?=\s*(?:[.;!]|$))",
    "IM",
)
# Roles of words beside which a list of the texts that are named is no likely reading.
_UNCLEAR = frozenset({"refuse", "rest", "all_rest", "none", "abstain", "condition", "correction", "tied", "no"})

# Those that vote beside no other words: "Good night, Maya" agrees to nothing.
_AGREES = frozenset({"accept", "and", "whole"})
_ITEM = regex(r"(?:^|\s)\d{1,2}[.):]?\s|\n")
_WORD = regex(r"[^\W\d_]{2}")  # An id has one letter.
_BREAKS = regex(r"(?<=\S)(?:\s*\n\s*|\s+[-–—]+\s+|(?<=[.!?])\s+)")
# What ends an answer that a name goes on: a comma, the number of a row.
_GOES_ON = regex(r"(?:[,:=>/&+]|(?:^|\s)\d+[.)])\s*$")
_ROW = regex(r"^[-*•+\d]|\d|['’]\W*$")


class Tries:
    """What a voter wrote, try by try, and how it is asked the next time."""

    def __init__(
        self,
        read: Callable[[Reply], Checked],
        shown: Sequence[BallotText],
        prompts: PromptBuilder,
        who: str = "",
        paper: Paper | None = None,
        *,
        ids: bool = True,
    ) -> None:
        """Read a vote of `who` on `paper`, or a poll, by `read`.

        Without `ids` it is not asked for ids alone, which do not say what is counted.
        """
        self._read, self._shown, self._prompts, self._who, self._ids = read, shown, prompts, who, ids
        self._texts = [each._replace(by="") for each in offered(shown)]
        self._names = {each.id: {each.id, each.title, each.text} for each in shown}
        self._also = bool(paper and beside_of(shown, first=paper.first, answer=paper.answer))
        self._offered: tuple[str, ...] = ()
        self._readable = False
        # What the last answer whose texts could not be read said beside them.
        self._before: Mapping[str, Any] = {}
        # The voter's own words.
        self.raw: list[str] = []

    def read(self, reply: Reply) -> Checked:
        """Return what the answer says: what was offered, where it says yes to that."""
        text = reply.text.strip() or (json.dumps(reply.data) if "choice" in (reply.data or {}) else "")
        self.raw += [bounded(text)] if text else []
        text, unsure = self._unsigned(text) if self._who else (text, False)
        fields, wrong = self._fields(replace(reply, text=text))
        if unsure and fields is not None:
            doubt = Doubt("other words", words=self._who)
            fields, wrong = None, question([doubt], {each.id: each.text for each in self._shown})
        if fields is None:
            in_words = {"ranking": [each.one for each in mentions(text, self._texts)], **said_beside(text, self._texts)}
            self._before = fields_of(BallotAnswer, reply)[0] or self._before or in_words
        elif self._before and not wrong:
            fields = self._with_reason(reply, fields)
        self._readable = fields is not None
        return fields, wrong

    def _unsigned(self, text: str) -> tuple[str, bool]:
        """Return an answer without its voter's name in front and the line or sentence that ends it as a signature.

        True beside it where words name texts by their authors, so that the name may be one of them.
        """
        members = tuple((title, each.role) for title, each in self._prompts.state.personas.items())
        names, shown = name_lines(self._who, members, self._prompts.memory.patterns.language), offered(self._shown)
        bare = without_name(text, self._who)  # "Ada: first, Ben: second" lists texts by their authors
        text = text if any(each.how == "author" for each in mentions(without_courtesies(bare, shown), shown)) else bare
        last = max(0, len(text) - LONGEST_FRAME)
        parted = ((text[: at.start()], text[at.end() :]) for at in _BREAKS.finditer(text, last))
        signed = (rest for rest, end in parted if not _GOES_ON.search(rest[-9:]) and _is_signature(end, names, shown))
        rest = next(signed, "")
        words = without_courtesies(rest, shown) * (not any(isinstance(each, Mapping) for *_, each in pieces_of(rest)))
        items = chain(*clauses_in(words, shown)) if words else ()  # behind data there are none
        return rest or text, any(item.how == "author" for item in items)

    def _fields(self, reply: Reply) -> Checked:
        """Return what one answer says, by itself; what stands beside the ranking may have a line of its own."""
        line = _ALSO.search(reply.text) if self._also else None
        alone = replace(reply, text=reply.text.replace(line[0], "", 1)) if line else reply
        if self._offered and says_yes(alone.text, self._shown):
            alone = replace(alone, data={"choice": self._offered[0], "ranking": [*self._offered]})
        beside, unread = (
            read_vote({"ranking": self._shown[0].id, "also": line[line.lastindex or 0]}, "", self._shown)
            if line
            else (None, "")
        )
        if unread and not (beside and all(each.kind == "answer beside" for each in beside["doubts"])):
            return None, unread
        fields, wrong = self._read(alone)
        if not (fields and beside):
            return fields, wrong
        return {**fields, "also": beside["also"], "doubts": (*fields["doubts"], *beside["doubts"])}, wrong or unread

    def _with_reason(self, reply: Reply, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a ballot of ids alone with what was said beside them before.

        That is where the first text is the same, or the one named before is none that can be voted for: how sure its
        voter was of that one says nothing of this, nor does a reason for something named in words.
        """
        ids = [each.id for text in flat(fields.get("ranking", ())) for each in self._shown if each.text == text]
        named = [each for each in (self._before.get("choice"), *list(self._before.get("ranking") or ())[:1]) if each]
        # An id that is not there is a mention of none.
        strange = not any(each.ids for each in mentions("\n".join(map(str, named)), self._texts, by_words=True))
        if not ids or not (strange or self._names[ids[0]].intersection(map(str, named))):
            return fields
        other = strange and any(_WORD.search(str(each)) for each in named)
        kept = ("moved_by", "" if other else "reason", "" if strange else "confidence")
        said = {key: self._before[key] for key in kept if key in self._before}
        again, wrong = self._read(replace(reply, text="", data={"choice": ids[0], "ranking": ids, **said}))
        return {**fields, **{key: again[key] for key in said}} if again and not wrong else fields

    def corrected(self, prompt: Prompt, wrong: str, answer: str) -> Prompt:
        """Return the next prompt; the same form where nothing was answered: it has more than ids."""
        if self._readable or not self._ids or (prompt.attempt == 1 and not answer.strip()):
            self._offered = ()
            return self._prompts.corrected(prompt, wrong, answer)
        self._offered = self._likely(answer, listed=prompt.attempt == 1)
        read, ids = ", ".join(self._offered), ", ".join(each.id for each in self._shown)
        name, also = "ballot-read" if read else "ballot-ids", _ALSO_ASKED if self._also else ""
        free = replace(prompt, answer=None, strict=None)  # a schema would forbid the form that is asked for
        return self._prompts.corrected(free, wrong, answer, name, ids=ids, read=read, also=also)

    def _likely(self, text: str, *, listed: bool) -> tuple[str, ...]:
        """Return the texts that an answer names, in their order; empty where it says more of them, or names others.

        `listed`: only what the items of a list name, by words too, where each has one candidate.
        """
        unclear = roles_in(text) & _UNCLEAR or (self._also and _ALSO.search(text))
        if unclear or {"yes", "no"} & {each.id for each in self._shown}:
            return ()
        ids = _listed(text, self._texts) if listed else [each.one for each in mentions(text, self._texts)]
        return tuple(dict.fromkeys(ids)) if all(ids) else ()


def _listed(text: str, texts: Sequence[NamedText]) -> list[str]:
    """Return the texts that the items of a list name, each the only one left; empty ids where one names none or two."""
    named = [mentions(item, texts, by_words=True) for item in _ITEM.split(text) if words_of(item)]
    sure = {each.one for item in named for each in item} - {""}
    left = [[key for each in item for key in each.ids or ("",) if each.one or key not in sure] for item in named]
    return [item[0] if len(item) == 1 < len(named) else "" for item in left]


def _is_signature(line: str, names: NameLines, shown: Sequence[NamedText]) -> bool:
    """Return whether a line ends with its writer's name, or is its role, and says nothing that votes."""
    items, called = [*chain(*clauses_in(line, shown))], words_of(names.who)
    own = [
        at
        for at, item in enumerate(items)
        if item.how in ("", "author") and words_of(item.word) in (called, called[:1])
    ]
    beside = [item for at, item in enumerate(items) if at not in own and (at or not names.signs_off(item.word))]
    roles = item_roles(beside)
    ends = bool(own) and not any(item.word[0].isalnum() for item in items[own[-1] + 1 :])
    votes = ids_of(beside) or roles & SIDES or (roles & _AGREES and not strange_in(beside))
    return (ends or names.signs(line)) and not (votes or _ROW.search(line))


def says_yes(text: str, shown: Sequence[BallotText]) -> bool:
    """Return whether an answer says yes, and nothing else: "C ok" names a text."""
    named = answer_first(text)[1] and mentions(text, offered(shown))
    words = [roles_of(word) for word in words_of(text)] * (not named)
    only = all(roles & {"yes", "filler"} and "no" not in roles for roles in words)
    return answer_first(text) == ("yes", "") or (only and any("yes" in roles for roles in words))
