"""`HumanListener`: the seat of a person, who speaks when they like and is asked once when it is their turn.

Text that they typed waits until a turn has ended, and is their bid. The panel goes on whether or not they speak.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from eda.debate.asking import CALLS_A_TURN, CALLS_A_VOTE, Answer, Checked, Corrected, Turn, ask
from eda.debate.line_reader import with_line
from eda.debate.listener import AgentListener
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.slots import offered_in_words
from eda.debate.terms import typed_terms
from eda.debate.verdict import deciding_rule
from eda.errors import UnknownNameError
from eda.events import NONE, BallotText, Bid, FloorGranted, MessagePosted, Move, Proposal, TermsNamed, TurnPassed
from eda.memory.minutes.remark_words import yes_or_no
from eda.panels.persona import Persona
from eda.runners.protocol import Prompt, Reply, Runner
from eda.text import regex, shorten
from eda.voting.answers import read_ballot
from eda.voting.ballot_clauses import ORDINALS
from eda.voting.mentions import folded, mentions, offered, phrase_at, roles_of, tokens_of, words_of
from eda.voting.rules import Counts
from eda.words import ENGLISH, Words

# Characters of a change that would bring a person in.
_MOST_CHANGE = 400
# The letter or the id of a text.
_ID = regex(r"[A-Za-z]|[op]\d+(?:[.@]\d+)?|yes|no", "I")
# What may stand between the texts of a plain row.
_ROW = regex(r"[\s>,;]*")
_SCORE = regex(rf"({_ID.pattern})\s*[:=\s]\s*(\d{{1,3}}(?:\.\d+)?)", "I")
# Texts by letter or id, each with its score: `B 7, p9.1 2.5`.
_SCORES = regex(rf"{_SCORE.pattern}(?:[\s,;]+{_SCORE.pattern})*", "I")
# A move, and the end of its line where words follow; a list below it, or its reason, belongs to it.
_MOVE_LINE = regex(r"^(\s*\[[A-Za-z][^\]\n]*\].*)\n(?=[^\S\n]*(?!because\b)[^\W\d_])", "IM")
# Words and marks of an order whose end may add a measure: each joint is tried, which takes the square of them.
_LONGEST = 200
# Marks behind which a vote may name what to adopt beside it.
_JOINTS = frozenset(",;.\n")
_CALLED = regex(r"(?<!\w)@([\w'-]+(?: [\w'-]+)?)")


class HumanListener(AgentListener):
    """Asked like any member, but once: its answers are no calls, and a repetition is not asked for otherwise."""

    def __init__(self, persona: Persona, runner: Runner, *, prompts: PromptBuilder | None = None) -> None:
        super().__init__(persona, runner, prompts=prompts)
        # Texts typed but not posted yet, oldest first.
        self.said: deque[str] = deque()
        # The lines whose readings were put to the person once more, each by its message.
        self._put = set[tuple[int, tuple[Move, ...]]]()

    @property
    def ready(self) -> bool:
        """True if something typed waits; nobody waits for a person who has typed nothing."""
        return bool(self.said)

    async def bid(self) -> Turn:
        """Return what was typed as a bid. A person who typed nothing neither bids nor passes."""
        wants = Bid(agent=self.title, wants=True, urgency=1.0, reason="has something to say")
        return Turn(bids=(wants,) if self.said else ())

    async def take_turn(
        self,
        number: int,
        grant: FloorGranted | None = None,
        *,
        sealed: bool = False,
        on_text: Callable[[str], None] | None = None,  # noqa: ARG002 - nobody watches a person type
    ) -> Turn:
        """Post what was typed already, else what is answered now; an empty answer passes the turn."""
        text, seconds = self.said.popleft() if self.said else "", 0.0
        if not text:
            answer = await ask(self.runner, self._prompts.speak(self.persona, grant, self.has_heard))
            if answer.reply is None:
                return Turn((self._failed("speak", answer),))
            # The seconds within which a person gave no word; 0 where it passed by itself.
            text, seconds = answer.reply.text.strip(), float((answer.reply.data or {}).get("silent", 0))
        if not text:
            return Turn((TurnPassed(who=self.title, why="silent" if seconds else "passed", seconds=seconds),))
        return Turn((self.message(number, text, sealed=sealed),))

    async def settle(self) -> bool:
        """Put what was offered of the person's lines and waits for a yes or no, each once more, the newest first.

        Return whether any was put. A line that is typed meanwhile is read first; what it leaves is put again.
        """
        offers = sorted({*self._state.waiting(self.title).items()} - self._put, reverse=True) * (not self.said)
        for at, _ in offers:
            moves = self._state.waiting(self.title).get(at)  # an answer may settle others as well
            if moves and not self.said:
                prompt = Prompt(
                    purpose="offer",
                    agent=self.title,
                    persona=self.persona,
                    last=at,
                    own=offered_in_words(self.title, moves),
                )
                reply = (await ask(self.runner, prompt)).reply
                if not self.said:
                    self._put.add((at, moves))
                if reply and (given := yes_or_no(reply.text)):
                    self._joined().publish(self._state.answer_to_line(self.title, given, at))
        return bool(offers)

    async def terms(self, text: Proposal) -> Turn:
        """Ask what would bring the person in for a text; of an answer in words which of the three it is, twice."""
        prompt = self._prompts.terms(self.persona, text, self.has_heard)
        for _ in range(CALLS_A_VOTE):
            answer = await ask(self.runner, prompt)
            typed = shorten(" ".join(answer.reply.text.split()), _MOST_CHANGE) if answer.reply else ""
            takes, change = typed_terms(typed, prompt.wrong, waits=bool(self._state.waiting(self.title)))
            prompt = replace(prompt, attempt=prompt.attempt + 1, wrong=typed or prompt.wrong)
            if takes or not typed:
                break
        unread = prompt.wrong * (not takes)
        of = {"who": self.title, "on": text.id, "after": self.heard, "takes": takes, "change": change, "unread": unread}
        named = TermsNamed.model_validate({**of, "silent": answer.reply is not None and not (typed or unread)})
        return Turn((named,) if answer.reply else (self._failed("terms", answer), named))

    def _named(self) -> dict[str, str]:
        """Return nobody: a person who writes "Ruth: ..." speaks to Ruth."""
        return {}

    def message(self, number: int, text: str, *, sealed: bool) -> MessagePosted:
        """Return the message; `@` calls members by their persona's name too, however it is spelt.

        What a person writes on the line below a move is talk: who proposes something goes on to speak of it.
        """
        message = super().message(number, _MOVE_LINE.sub(r"\1\n\n", text), sealed=sealed)
        message = with_line(message, self._state, self._prompts.memory)
        if sealed or message.to is not None:
            return message
        others = [persona for persona in self._state.personas.values() if persona.title != self.title]
        called = (_called(others, match[1]) for match in _CALLED.finditer(message.spoken))
        return message.model_copy(update={"to": next((one.title for one in called if one), None)})

    async def _fields(
        self,
        prompt: Prompt,
        read: Callable[[Reply], Checked],
        corrected: Corrected,
        calls: int = CALLS_A_TURN,
    ) -> Answer:
        """As of any member, who is shown the texts themselves."""
        shown = self._prompts.shown(self.persona, prompt.texts, self.runner)
        prompt = replace(prompt, texts=shown, options=tuple(text.text for text in shown))
        return await super()._fields(prompt, read, corrected, calls)

    def _read_stance(self, reply: Reply, shown: Sequence[BallotText]) -> Checked:
        """Read the choice typed, by its words, id or letter; an empty answer is none of them."""
        fields, wrong = read_typed(reply, shown, words=self._state.settings.words)
        if fields is None:
            return None, wrong
        lost = {name: fields[name] for name in ("invalid", "missing") if name in fields}
        return {"choice": None if fields["choice"] == NONE else fields["choice"], **lost}, ""

    def _read_ballot(self, reply: Reply, shown: Sequence[BallotText]) -> Checked:
        """Return the vote of texts typed, by words, id or letter, in order, or scored; an empty answer abstains."""
        if "choice" in (reply.data or {}):
            return super()._read_ballot(reply, shown)
        return read_typed(reply, shown, deciding_rule(self._state).counts, self._state.settings.words)


def is_plain(text: str, shown: Sequence[BallotText]) -> bool:
    """Return whether a typed vote is a row of letters, ids or whole texts and nothing else, so that it needs no Yes."""
    plain, beside = parted(text, shown)
    return bool(not beside or row_of(beside, shown)) and bool(
        row_of(plain, shown) or roles_of(folded(plain)) & {"none", "abstain"} or _SCORES.fullmatch(plain)
    )


def parted(text: str, shown: Sequence[BallotText]) -> tuple[str, str]:
    """Return what a typed vote says of the answer, and of what to adopt beside it: `A > C also p12.2`, `A, auch C`.

    The answer is empty where it says no more than that: "the rota only beside it". Sentences behind it that adopt
    nothing are about the answer: "A, the rota beside it. Not C".
    """
    head, beside = _parted(text, shown)
    first, _, after = text.partition(". ")
    if beside or not after or any(adding(after)):
        return head, beside
    best, beside = _parted(first, shown)
    return (f"{best}. {after}", beside) if best and beside else (head, "")


def _parted(text: str, shown: Sequence[BallotText]) -> tuple[str, str]:
    """Return the two parts of a vote in one line, as `parted`; nothing beside the answer where it has one part."""
    tokens = tokens_of(text)
    inside = set[int]().union(*(range(each.start, each.end) for each in mentions(text, offered(shown))))
    words, roles = [token.word for token in tokens], [frozenset[str]() for _ in tokens]
    behind: int | None = None  # where "beside it" stands that ends the line
    for at, token in enumerate(tokens):
        if token.start not in inside and (phrase := phrase_at(words, at)):
            roles[at] = phrase.roles
            if behind is None and "beside" in phrase.roles and {*words[at + phrase.size :]} <= {*".!"}:
                behind = tokens[_led_by(roles, at)].start
    for at, token in enumerate(tokens[:-1]):
        head, rest = text[: token.start].strip(" \t,;"), text[token.end : behind].strip(" \t,:")
        joins = len(tokens) <= _LONGEST and (
            "and" in roles[at] or (token.word in _JOINTS and "and" not in roles[at + 1])
        )
        if head and ("adds" in roles[at] or (joins and _is_beside(head, rest, shown, sure=behind is not None))):
            return head, rest
    if behind is not None and _is_beside("", text[:behind], shown, sure=True):
        return "", text[:behind].strip(" ,;")
    return text.strip(), ""


def _led_by(roles: Sequence[frozenset[str]], at: int) -> int:
    """Return where the words begin that lead up to the word `at`: "but only" of "C, but only beside it"."""
    return next((n for n in range(at, 0, -1) if roles[n - 1].isdisjoint({"only", "break"})), 0)


def _is_beside(head: str, rest: str, shown: Sequence[BallotText], *, sure: bool) -> bool:
    """Return whether the end of an order adds one measure, or is `sure` to: "A first", "the rota too"."""
    named = [each.ids for each in mentions(rest, offered(shown), by_words=True)]
    return (sure or (_orders(head) and any(adding(rest)[1:]))) and any(
        named == [(each.id,)] for each in shown if not each.alternative
    )


def _orders(text: str) -> bool:
    return bool({*">="} & {*text}) or any(roles_of(each.word) & {"order", *ORDINALS} for each in tokens_of(text))


def adding(text: str) -> list[bool]:
    """Return of each word of a line whether it says that more is wanted: "also", "too"; of none of an order."""
    words = [token.word for token in tokens_of(text)] * (not _orders(text))
    phrases = (phrase_at(words, at) for at in range(len(words)))
    return [each is not None and bool(each.roles & {"adds", "also"}) for each in phrases]


def row_of(text: str, shown: Sequence[BallotText]) -> list[str]:
    """Return the ids of the texts in a row of letters, ids or whole texts; empty where it has anything else."""
    named = mentions(text, offered(shown))
    around = zip([0, *(each.end for each in named)], [*(each.start for each in named), len(text)], strict=True)
    row = all(each.one for each in named) and all(_ROW.fullmatch(text[start:end]) for start, end in around)
    return [each.one for each in named] if row else []


def likely_row(text: str, shown: Sequence[BallotText]) -> str:
    """Return the ids of the texts that a typed vote names by one part of a title each, "boat, then hall", or as "a b".

    Empty where a word is a part of none of them, or of several, or says anything else. Nothing of it counts unasked.
    """
    bare = all(len(word) == 1 for word in words_of(text))  # small letters and nothing else, in no order
    texts = [(each.id, each.letter.lower() if bare else folded(each.title or each.text)) for each in offered(shown)]
    held = [
        [key for key, name in texts if (word == name if bare else len(word) > 3 and word in name)]
        for word in words_of(text)
        if roles_of(word).isdisjoint({"and", "order"})
    ]
    row = dict.fromkeys(key for key, *_ in held) if held and all(len(keys) == 1 for keys in held) else ()
    return (" " if bare else " > ").join(row)


def read_typed(reply: Reply, shown: Sequence[BallotText], counts: Counts = "firsts", words: Words = ENGLISH) -> Checked:
    """Read a typed vote: texts in order, scores, `none` or `abstain`, then `also` and texts beside the answer."""
    text = reply.text.strip()
    if not text:
        silent = bool((reply.data or {}).get("silent"))
        return {"choice": None, "invalid": silent, "missing": silent}, ""
    head, also = parted(text, shown)
    fields, wrong = _accepted(head, shown, counts, words)
    beside, unread = _accepted(also, shown, "firsts", words) if also and fields is not None else (None, wrong)
    if beside is not None and fields is not None:
        measures = {each.text for each in shown if not each.alternative}
        return {**fields, "also": tuple(each for each in beside["approved"] if each in measures)}, wrong
    whole = _accepted(text, shown, counts, words)  # "A > B auch E nicht"
    return whole if whole[0] is not None or not also else (None, wrong or unread)


def _accepted(text: str, shown: Sequence[BallotText], counts: Counts, words: Words) -> Checked:
    """Return a typed vote by the texts that it accepts, best first, or scores, and what is wrong with it."""
    rows = [
        {"choice": name, "score": float(score)}
        for name, score in (_SCORE.findall(text) if counts == "scores" and _SCORES.fullmatch(text) else ())
    ]
    ids = {each.id: each.text for each in shown}
    return read_ballot(
        {"scores": rows} if rows else None, text, [*ids.values()], counts, ids=ids, shown=shown, language=words
    )


def member_called(members: Iterable[Persona], name: str) -> Persona:
    """Return the member of that title or name, in any case, or of a part of it that only one member has.

    Raises:
        UnknownNameError: no member, or more than one, has that name.
    """
    among, wanted = list(members), " ".join(name.split()).casefold()
    parts = [{*persona.title.casefold().split(), *persona.name.split("-")} for persona in among]
    for names in ([persona.called for persona in among], parts):
        matches = [persona for persona, called in zip(among, names, strict=True) if wanted in called]
        if len(matches) == 1:
            return matches[0]
    raise UnknownNameError("member", name, [persona.title for persona in among])


def _called(members: Sequence[Persona], words: str) -> Persona | None:
    """Return the member whom `@` and the one or two words after it call."""
    for name in dict.fromkeys((words, words.split(maxsplit=1)[0])):
        with suppress(UnknownNameError):
            return member_called(members, name)
    return None
