"""Tells a speech to the panel from a reply that is none: a refusal, data, a blank form, the prompt.

Each test is a careful one: a speech that is taken for none costs its author a call, and then the turn. `ShownText`
passes a reply on while it is written: only text that is surely talk, from the start at each attempt.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from eda.debate.asking import REFUSED, refuses
from eda.debate.prompts.lookups import may_be_lookup
from eda.debate.state import DebateState
from eda.events import CallDelayed, Move
from eda.memory.minutes.declared_moves import ReplyWithData
from eda.memory.minutes.names import without_name
from eda.memory.minutes.remarks import RemarkRead
from eda.memory.patterns import Language
from eda.runners.answers import BidAnswer
from eda.runners.protocol import Prompt
from eda.runners.repair import fields_in, is_data, pieces_of
from eda.runners.server import on_wait, set_within
from eda.text import Read, bare, normalise, regex, split

_NAMED = 80  # Characters beside the speaker's own name within which it stands, with a role, before what is said.


@contextmanager
def shown_from_the_start(shown: "ShownText | None") -> Iterator[Callable[[str], None] | None]:
    """Yield what takes the pieces of a reply for `shown`, which forgets those of an attempt that broke off."""
    tell = on_wait.get()

    def again(delayed: CallDelayed) -> None:
        if shown is not None:
            shown.clear()
        if tell is not None:
            tell(delayed)

    with set_within(on_wait, again):
        yield shown


class ShownText:
    """Passes streamed text on as far as it is surely talk.

    It shows no move lines, no lines in the name of one of `members` (their roles by title), and not the speaker's
    `name` before its words, and nothing of a reply that begins by looking something up.
    """

    def __init__(
        self,
        on_text: Callable[[str], None],
        name: str = "",
        members: Mapping[str, str] | None = None,
        language: Language | None = None,
    ) -> None:
        self._on_text = on_text
        self._name, self._members, self._language = name, members, language
        self.clear()

    def clear(self) -> None:
        """Begin anew: the next piece is the start of the text."""
        self._reader = ReplyWithData(self._name, self._members, language=self._language)
        self._begun = not self._name
        # The text so far; without the name before it once that is known.
        self._text = ""
        # Where the line begins that is being written.
        self._line = 0
        # Characters of that line that are surely talk.
        self._certain = 0
        # Lines and parts of lines of the reader's talk that were passed on.
        self._passed = 0
        # Offset up to which talk was passed on.
        self._shown = 0

    def __call__(self, piece: str) -> None:
        """Add the next piece of the text; pass on what is now surely talk."""
        self._text += piece
        if not self._begun:
            if len(self._text) < len(self._name) + _NAMED and "\n" not in self._text.lstrip():
                return
            self._text, self._begun = without_name(self._text, self._name), True
        if may_be_lookup(self._text):
            return
        while (end := self._text.find("\n", self._line)) >= 0:
            self._reader.read(self._text[self._line : end], self._line)
            self._line, self._certain = end + 1, 0
        self._certain = self._reader.certain(self._text[self._line :], self._certain)
        for start, end in self._reader.talk[self._passed :]:
            self._show(start, end)
        self._passed = len(self._reader.talk)
        if self._certain:
            self._show(self._line, self._line + self._certain)

    def _show(self, start: int, end: int) -> None:
        """Pass on a span of talk, as far as it is new."""
        if end <= self._shown:
            return
        gap = self._text[self._shown : max(start, self._shown)]
        if gap.strip():  # something is cut there
            gap = "\n\n"[: gap.count("\n")] or " "
        self._on_text((gap if self._shown else "") + self._text[max(start, self._shown) : end])
        self._shown = end


_PASS = regex(r"[\s*_`\"'(]*\[\s*pass(?:es)?\s*\][\s*_`\"').!]*", "I")
# A blank of a form, and a tag without what it says.
_BLANK = regex(
    r"\{\{[^{}\n]*\}\}|<[a-z][^<>\n]{2,80}>|\[(?:your|insert|the|a|my|name|text|message|reason|short|brief)\b[^\[\]\n]{0,80}\]"
    r"|\[[A-Z]+(?: [pmo]?[0-9.]*)?\]|\.{3}|…",
    "I",
)
# A blank that no speech has.
_FORM = regex(r"\{\{[^{}\n]*\}\}|<[a-z][^<>\n]{2,80}>|\[(?:your|insert)\b[^\[\]\n]{0,80}\]", "I")
_WORD = regex(r"[^\W\d_]+")
_FEW = 4  # Words that are no speech beside a bid, a form or the prompt's own words.
_LONG = 5  # Words of a sentence that nobody writes by chance as the prompt has it.
_RUN = 16  # Words in a row of the house rules that nobody says by chance.
_BLOCK = _RUN // 2  # Words in a row, one block after the other, of which each such run has a whole one.
_ECHOED = 0.6  # Share of a reply's words in sentences of the prompt that makes it an echo.

# What a language model calls itself.
_MODELS = {
    "en": r"(?:large |big |advanced |helpful )*(?:language model|ai(?: language)? model|ai(?: chat ?bot| assistant)?"
    r"|artificial intelligence|chat ?bot|(?:virtual|digital) assistant)",
    "de": r"(?:großes |reines )*(?:sprachmodell|ki(?:[- ](?:sprachmodell|modell|assistent(?:in)?|system))?|chat ?bot"
    r"|künstliche intelligenz|virtuelle[rn]? assistent(?:in)?)",
    "fr": r"(?:grand )?(?:modèle (?:de langage|linguistique|d'ia)|ia|intelligence artificielle|chat ?bot"
    r"|assistant(?:e)? (?:virtuel(?:le)?|d'ia|ia))",
    "es": r"(?:gran )?(?:modelo (?:de lenguaje|de ia)|ia|inteligencia artificial|chat ?bot"
    r"|asistente (?:virtual|de ia))",
}
_MODEL = regex("|".join(rf"\b(?:{each})\b" for each in _MODELS.values()), "I")
# How a sentence begins in which it does.
_STARTS = {
    "en": r"(?:i am|i'm) (?:[\w.-]+(?: \d\S*)?, )?(?:just |only |actually |simply )?(?:an? )|(?:as|being) an? ",
    "de": r"ich bin (?:[\w.-]+, )?(?:nur |bloß |lediglich )?(?:ein(?:e)? )|als (?:ein(?:e)? )?",
    "fr": r"je (?:ne )?suis (?:[\w.-]+, )?(?:qu'|seulement )?(?:une? )|en tant qu(?:e |')(?:une? )?",
    "es": r"(?:yo )?soy (?:[\w.-]+, )?(?:solo |sólo )?(?:una? )|como (?:una? )?",
}
# An engineer for AI goes on with another noun: "As an AI engineer I".
_LEAK = regex(
    r"(?:[^,:;.?!]{1,30}, )?(?:but |aber |mais |pero )?(?:"
    + "|".join(f"(?:{start})(?:{_MODELS[code]})" for code, start in _STARTS.items())
    + r")(?=\s*(?:[,.;:!–—(]|$)|\s(?:(?:and|so|but|that|without|with no|made|built|created|trained|developed|und|das|"
    r"from|by|von|die|der|ohne|habe|kann|bin|darf|et|sans|qui|créée?|développée?|entraînée?|y|sin|que|creado|creada|desarrollad[oa]"
    r"|entrenad[oa]|i)\b))",
    "I",
)
_MAKERS = (
    r"(?:Anthropic|OpenAI|Google(?: DeepMind)?|DeepMind|Meta(?: AI)?|Alibaba|Mistral(?: AI)?|DeepSeek|xAI|Microsoft)"
)
# A sentence in which a model names itself or who made it, or begins to recite what it was told.
_MADE = regex(
    r"(?:(?:well|honestly|but|hi|hello),? )*(?:i am|i'm|i was|my name is|ich bin|ich wurde|je suis|soy)\b"
    r"(?:[^.;:?!]{0,60}\b(?:(?:made|built|created|developed|trained) by|(?:von|par|por)) "
    rf"{_MAKERS}\b(?! (?:to(?! (?:help|assist|be)\b)|for|as|für|als|pour|para)\b)"
    r"|(?: just| actually| called)? (?:chatgpt|copilot|deepseek|qwen|(?:gpt|claude|gemini|llama|grok)[- ]?\d\w*)"
    r"(?:$|[-,.\d]))"
    r"|as [\w.-]+(?: \d\S*)?,? (?:made|built|created|developed|trained) by "
    rf"{_MAKERS}(?: cloud)?(?:$|[.!]|,? (?:i|my)\b)"
    r"|my training data\b[^.;:?!]{0,30}\b(?:to|until|till|in|at|through) (?:\w+ )?20\d\d\b"
    r"|(?:here is|here's|this is|these are) my (?:system prompt|(?:system )?instructions)\b",
    "I",
)

_WANTS = "want", "speak", "floor"  # What is in each name under which a bid says that it wants the floor.


def passes(text: str) -> bool:
    """True if a reply is nothing but `[PASS]`."""
    return _PASS.fullmatch(text) is not None


def no_speech(reply: Read, prompt: Prompt | None = None) -> str:
    """Return why a reply to `prompt` is no message to the panel; empty where it is one."""
    text = reply.text
    faults: dict[str, Callable[[], bool]] = {
        "the reply was empty": lambda: not text.strip(),
        REFUSED: lambda: refuses(text),
        "the reply was data, and a speech was asked for": lambda: (
            text.lstrip()[:1] in ("{", "[", "`") and is_data(text)
        ),
        "the reply was a bid for the floor, and a speech was asked for": lambda: _is_bid(text),
        "the reply was a form whose blanks were not filled in": lambda: (
            _FORM.search(text) is not None and _count(_BLANK.sub(" ", text)) <= _FEW
        ),
        "the reply says again what the prompt says": lambda: prompt is not None and _echoes(reply, prompt),
        "the reply speaks as a language model, and you speak as yourself": lambda: _leaks(reply, prompt),
    }
    return next((why for why, holds in faults.items() if holds()), "")


def _count(text: str) -> int:
    return len(_WORD.findall(text))


def _is_bid(text: str) -> bool:
    """True if a reply is a bid with at most a few words around it."""
    for begin, end, value in pieces_of(text) if "{" in text else ():
        if isinstance(value, dict) and {"wants", "bids"} & value.keys():
            return _count(text[:begin] + text[end:]) <= 2 * _FEW
    if len(text) > 600 or any(map(text.__contains__, "{[")) or not any(map(text.__contains__, ":=<")):
        return False
    if not any(map(text.lower().__contains__, _WANTS)):
        return False
    fields = fields_in(BidAnswer, text)[0]
    return fields is not None and "wants" in fields


def _told(prompt: Prompt) -> list[str]:
    """Return the rules, the persona and the paragraphs of the task that a speaker was given, in plain words."""
    persona = prompt.persona.instruction if prompt.persona else ""
    task = f"\n{prompt.task or prompt.own}".rpartition("\n# ")[2]
    # Most paragraphs of a task are the same each time.
    return [*filter(None, map(_plain, (prompt.system, persona, *task.split("\n\n"))))]


def _echoes(reply: Read, prompt: Prompt) -> bool:
    """True if most of a reply stands in what its author was told, or some of it in the rules of the house."""
    words, house = split(reply.own.casefold()), _plain(prompt.system)
    # Whether so many words in a row stand in the rules of the house that nobody says them by chance.
    known = [*map(_words(house).__contains__, words)]  # the first and the last of a block may be parts of words there
    starts = (at for at in range(0, len(words) - _BLOCK + 1, _BLOCK) if all(known[at + 1 : at + _BLOCK - 1]))
    runs = (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
    if any(" ".join(words[at : at + _BLOCK]) in house for at in starts) and any(map(house.__contains__, runs)):
        return True
    told, parts = " ".join(_told(prompt)), [reply.plain[start:end] for start, end in reply.sentences]
    copied = sum(count for count in [_count(part) for part in parts if _bare(part) in told] if count >= _LONG)
    return copied > 0 and copied >= _ECHOED * sum(map(_count, parts))


def _leaks(reply: Read, prompt: Prompt | None) -> bool:
    """True if a sentence of a reply says that its author is a language model, which its persona does not say."""
    persona = "" if prompt is None or prompt.persona is None else f"{prompt.persona.role}\n{prompt.persona.instruction}"
    said = [reply.own[start:end].strip() for start, end in reply.sentences]
    named = any(map(_MADE.match, said)) and not regex(_MAKERS).search(persona)
    return named or (any(map(_LEAK.match, said)) and not _MODEL.search(persona))


def _bare(plain: str) -> str:
    return " ".join(split(plain.casefold()))


@lru_cache(maxsize=128)
def _plain(text: str) -> str:
    return _bare(normalise(text))


_words = lru_cache(maxsize=128)(lambda plain: frozenset(plain.split()))

_STANCES = {"support": "{}", "oppose": "against {}", "neutral": "undecided on {}"}


def as_stances(moves: tuple[Move, ...], sides: Mapping[str, str]) -> tuple[Move, ...]:
    """Return the moves; one that supports or opposes "yes" or "no" declares a position: neither is a text to amend."""
    stances = []
    for move in moves:
        side, says = sides.get((move.target or "").casefold()), _STANCES.get(move.kind)
        why = f": {move.text}" if move.text else ""
        stances.append(Move("position", says.format(side) + why) if side and says else move)
    return tuple(stances)


def as_wishes(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the moves of a phase that hears wishes: what is proposed or said of a text becomes a note."""
    kept, wish = ("position", "note", "deny"), Move("note", topic="wish")
    return tuple(each if each.kind in kept else replace(wish, text=each.text) for each in moves if each.text)


def as_spoken(read: RemarkRead, talk: str, who: str, state: DebateState) -> RemarkRead:
    """Return how a line was read; one that begins with another's name, in their place or to them, is never exact."""
    heads = {bare(line.partition(":")[0]) for line in talk.splitlines() if ":" in line}
    names = {bare(name) for each in state.personas.values() if each.title != who for name in each.called}
    return read._replace(acts=tuple(replace(act, how="words") for act in read.acts)) if heads & names else read
