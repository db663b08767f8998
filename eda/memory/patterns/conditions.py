"""Reads whether the words behind a declared move make it depend on something, in the languages of `conditions.toml`.

A condition stands at the head of the reason, behind words that take a side, or behind a comma or "but". One inside a
statement about the matter ("it floods if it rains"), of the past, in a question, or in a reason is none.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from eda.events import MoveKind
from eda.text import lower, mask_quotes, normalise, regex, sentences

_WORD, _ID = regex(r"[^\W\d_][\w'-]*"), regex(r"\b[op]\d+(?:\.\d+)?\b")
_SLOT = regex(r"\{([a-z]\w*)\}")  # In a row of an entry, another entry.
_EDGES = " ,;:()-.!*_"
_PARTED = (",", ";", ":", "-", "(")  # Ends what stands before a condition that is set apart.
_APART = "_"  # Stands for each character of what looks like a condition and is none.
# That there is no condition; "no change" and "ohne Änderung" leave one as it is.
_WAIVED = regex(
    r"\b(?:(?:without|no|ohne|keine?)(?: any| a)? (?:conditions?|ifs?|reservations?|bedingung(?:en)?|vorbehalt|wenn)"
    r"(?:,? (?:and|or|no|und) (?:buts?|aber))?|unconditional|bedingungslos|vorbehaltlos)"
)
_WAIVED_FIRST = regex(rf"\W*{_WAIVED.pattern}\s*[:.]")  # "Without reservation: until seven there is shade"
_READ, _BRIEF = 2000, 3  # Characters that are read, and blanks in what only points to a condition: "first, then yes".


@dataclass(frozen=True, slots=True)
class ConditionRead:
    """Whether a move is made under a condition, and the clause that states it."""

    conditional: bool | None
    """None where that is in doubt."""
    condition: str = ""
    alone: bool = field(default=False, compare=False)
    """Whether the words say nothing but a condition and that one takes a side: no time, or what one waits for."""
    told: str = field(default="", compare=False)
    """The clause, with what stands before it where that ends under it: "my name comes off it the moment ..."."""
    sure: bool = field(default=True, compare=False)
    """False where the clause stands beside a statement, and its word may begin a reason: "open, once they wake"."""


class _Language:
    """The words of one language."""

    def __init__(self, table: Mapping[str, list[str]]) -> None:
        self.words, self.stance, self.subjects, self.blank = (
            frozenset(" ".join(table[name]).split()) for name in ("words", "stance", "subjects", "blank")
        )
        self._table = table

    def __getattr__(self, name: str) -> re.Pattern[str]:
        """Return the expression of that name, compiled at its first use: few debates are held in all the languages."""
        entry, part = self._filled(name), name in ("turns", "past", "states", "breaks", "joint", "severed")
        self.__dict__[name] = made = re.compile(
            entry if part else rf"(?:(?<![\w'])|(?=[,;:(]))(?:{entry})(?![\w\"]|'(?!\w))"
        )
        return made

    def _filled(self, name: str) -> str:
        """Return the rows of an entry as alternatives, with the entry that each slot in them names."""
        return _SLOT.sub(lambda slot: f"(?:{self._filled(slot[1])})", "|".join(self._table[name]))

    def read(self, sentence: str) -> tuple[bool | None, int, int, bool]:
        """Return what a sentence in plain lower case states, as `ConditionRead` has it, with its clause as a span."""
        end = len(sentence)
        asks = sentence.rstrip(_EDGES).endswith("?")
        if self.unreal.search(sentence):
            return False, 0, 0, False
        if not asks and self._of_others(sentence):
            return None, 0, end, False
        if not asks and (demand := self.demands.search(sentence)):
            return True, *self._demanded(sentence, demand)
        doubt = None if asks else self._doubt_in(sentence)
        # "No roof before the well is dug" is a condition by itself.
        waits = doubt is not None and doubt.lastgroup is not None
        for marker in self.marker.finditer(sentence):
            # A comma right behind it parts nothing: "es sei denn, es regnet".
            after = self._clause_end(sentence, marker.end() + (marker.lastgroup != "times"))
            if asks and after == end:
                break
            if not sentence[marker.end() : after].strip(_EDGES):  # "yes, if"; "by the till" names a thing, and no time
                doubt = doubt or (marker if marker.lastgroup != "times" else None)
                continue
            holds = self._follows(sentence, marker, after)
            if holds or (holds is None and doubt is None):
                told = (self.tells.search(sentence[:after]), self.figures.match(sentence, marker.start()))
                holds = None if any((*told, doubt and marker.lastgroup != "binds")) else holds
                start, ends, only = self._span(sentence, marker, after)
                return holds, start, ends, only | waits
        return (None, doubt.start(), end, waits) if doubt else (False, 0, 0, False)

    def _doubt_in(self, sentence: str) -> re.Match[str] | None:
        """Return what may state a condition without a word that begins one; it is named where it does so by itself.

        So may a sentence that ends with its speaker's side, in return for what it names before: "a rail on both sides,
        and you have me", not "the path is short, and I am for it". One word of the side is free: "me on the stairs".
        """
        doubt, turn = self.doubts.search(sentence), self.hence.search(sentence)
        if doubt or not turn or any(each.lastgroup != "times" for each in self.marker.finditer(sentence)):
            return doubt
        named = self.bare(turn["named"])
        told = self.takes_side(self.breaks.split(named)[-1]) or (self.plain.match(named) and not turn["then"])
        told = told or " " not in named or len({*_WORD.findall(sentence, turn.end())} - self.stance) > 1
        return None if told else turn

    def _demanded(self, sentence: str, demand: re.Match[str]) -> tuple[int, int, bool]:
        """Return where what a sentence demands begins and ends, and whether it says nothing else.

        "I am for it, but the gate is shut, or I am out" demands what stands between the sides that it takes.
        """
        head = sentence[: demand.start("whole")].rstrip(_EDGES) if demand.lastgroup else ""
        joints = ((at.end(), self.breaks.split(head[: at.start()])[-1]) for at in self.breaks.finditer(head))
        clause = self.bare(head[max((at for at, words in joints if self.takes_side(_ID.sub("", words))), default=0) :])
        end = len(head) if clause else len(sentence)
        start = end - len(clause or sentence) if demand.lastgroup else demand.start()
        return start, end, self.stance.issuperset(_WORD.findall(sentence[:start]))

    def _of_others(self, sentence: str) -> bool:
        """Return whether somebody else takes a side beside a condition, which may be the speaker's as well, or not."""
        others = self.others.finditer(sentence) if self.marker.search(sentence) else ()
        return any(not self.marker.search(self.breaks.split(sentence[: other.start()])[-1]) for other in others)

    def _clause_end(self, plain: str, start: int) -> int:
        """Return where the clause that begins at `start` ends: at a joint before a clause that is not part of it.

        A time, or a measure, ends before a main clause: "until noon the hall is free".
        """
        if time := self.moment.match(plain, start + 1) or self.measure.match(plain, start + 1):
            return time.end()
        for joint in self.joint.finditer(self.relative.sub(lambda match: _APART * len(match[0]), plain), start):
            rest = plain[joint.end() :].strip(_EDGES)
            goes_on = self.goes_on.match(rest) or (joint[0] == "," and self.reasons.match(rest))
            if joint[0] == ";" and not goes_on:
                return joint.start()
            if not (joint[0] == "," and goes_on) and (
                self.takes_side(rest) or self._states(rest) or self.inverted.match(rest)
            ):
                return joint.start()
        return len(plain)

    def _span(self, plain: str, marker: re.Match[str], end: int) -> tuple[int, int, bool]:
        """Return where a condition begins and ends, and whether the sentence is nothing else.

        It begins behind a time in the reason, as in "it holds until May, if it is paid".
        """
        head, times = self.bare(plain[: marker.start()]), marker.lastgroup == "times"
        alone = not (head or times or self.supposes.search(plain))
        if not (head and times) or self.takes_side(self.breaks.split(head)[-1]):
            return marker.start(), end, alone
        later = (each.start() for each in self.marker.finditer(plain, marker.end(), end) if each.lastgroup != "times")
        return next((at for at in later if plain[:at].rstrip()[-1:] in (",", ";")), marker.start()), end, False

    def _follows(self, plain: str, marker: re.Match[str], end: int) -> bool | None:
        """Return whether what a sentence says beside a clause follows from it; None where that is in doubt."""
        clause, after = plain[marker.end() : end], plain[end:].strip(_EDGES)
        head = self.bare(before := self._beside(plain, marker, end))
        binds, times = marker.lastgroup == "binds", marker.lastgroup == "times"
        apart = before.rstrip()[-1:] in _PARTED
        last = head.rsplit(" ", 1)[-1]
        # "I can live with p1.0 if ...", "because it helps, yes if ..."
        sides = any((self.takes_side(_ID.sub("it", self.breaks.split(head)[-1])), self.assents.fullmatch(last)))
        if (self.reasons.match(head) and not sides) or (times and self.past.search(clause.strip(_EDGES))):
            # "because it helps, provided the keys stay here"; a comma before "wenn" says nothing.
            doubt = (sides, self.takes_side(after), apart and (binds or marker[0] == "if"))
            return None if any(doubt) else False
        if not head or (after and self._adds_clause(head)):
            if (
                not after
                or marker.lastgroup == "narrows"
                or plain.startswith((";", ":", " - "), end)
                or self.takes_side(after)
            ):
                return True
            return (
                None
                if any(
                    (
                        binds,
                        not self._states(after, plain[marker.end() : end + 1]),
                        self.asides.match(after),
                        self.assents.search(before),  # "yes, if the town pays, nobody moves"
                    )
                )
                else False
            )
        if sides or self.turns.fullmatch(last):
            return True
        return self._told_beside(head, clause, marker, apart=apart)

    def _beside(self, plain: str, marker: re.Match[str], end: int) -> str:
        """Return what stands before a clause that ends at `end`, and may follow from it.

        "Ada is right; when I leave at four, each minute counts": what stands before ";" does not, if it takes no side.
        """
        above, _, beside = plain[: marker.start()].rpartition(";")
        apart = plain[end : end + 1] in {",", " "} and marker.lastgroup != "binds" and not self.takes_side(above)
        return beside if apart else plain[: marker.start()]

    def _adds_clause(self, head: str) -> bool:
        """Return whether a statement ends with "and", so that its next clause is one of its own: it takes no side."""
        ends = self.goes_on.fullmatch(head.rsplit(" ", 1)[-1])
        return ends is not None and not any(map(self.takes_side, self.breaks.split(head)))

    def _told_beside(self, head: str, clause: str, marker: re.Match[str], *, apart: bool) -> bool | None:
        """Return whether a statement depends on the clause behind it: behind a comma, as members are told to write."""
        clear = marker.lastgroup != "times" or self._states(clause)
        statements = (head, last := self.bare(self.joint.split(head)[-1]))
        told = self.past.search(last) and not self.supposes.search(last) and not self.sides.search(head + clause)
        if told and self.timed.match(clause.strip(_EDGES)):
            return False  # "hatten sie bis neun Licht"
        if not any(map(self.states.match, statements)):  # "cheaper than hire after ten races" may be a reason
            return clear or None
        doubt = None if apart or marker.lastgroup == "binds" or self.sides.search(head) else False
        return (apart and clear and not self.supposes.search(head)) or doubt

    def _states(self, words: str, clause: str = "") -> bool:
        """Return whether words behind a condition are a statement of their own; so they are behind a measure."""
        if clause.endswith(" ") and self.measured.fullmatch(clause.strip()):
            return True
        words = self.bare(words)
        return self.states.match(words) is not None or (words.count(" ") > 1 and words.split()[0] in self.subjects)

    def bare(self, words: str) -> str:
        """Return words without marks at their edges, and without an opening such as "yes, but"."""
        words = words.strip(_EDGES)
        while (turn := self.turns.match(words)) and (turn.end() == len(words) or not words[turn.end()].isalnum()):
            words = words[turn.end() :].strip(_EDGES)
        return words

    def is_sure(self, head: str, clause: str, after: str, *, opposes: bool) -> bool:
        """Return whether a condition is one whatever stands around it: by its word, or as it says nothing else.

        "Whenever it rains, sixty people stand in the shed" may be a reason, So may "it works only if it is dry" of who
        `opposes` a text: there, a condition is what ends a side, or stands beside nothing but one.
        """
        opens, beside, apart = self.marker.match(clause), self.bare(head + after), self.joint.search(clause)
        if opposes:
            sides = opens and self.leaves.search(beside) and self.takes_side(beside)
            return bool(sides if beside else self.ends.match(clause))
        if not opens or opens.lastgroup == "binds":
            return True
        taught = opens[0] == "if" and (head.rstrip() or ",")[-1] in _PARTED
        speaks = not apart or (apart[0] == "," and self.stance.issuperset(_WORD.findall(clause, apart.end())[:2]))
        return speaks and (taught or not beside or self.takes_side(beside))

    def main_clause_end(self, sentence: str, end: int) -> int:
        """Return where the main clause ends that stands behind a clause, and tells whether it is a condition."""
        rest = sentence[end:].strip(_EDGES)
        return (
            len(sentence) if self.inverted.match(rest) or (self._states(rest) and not self.turns.match(rest)) else end
        )

    def is_told_whole(self, head: str, clause: str) -> bool:
        """Return whether a clause says too little without its head: "I am out if it rains", "a rail; without it, no".

        So does one that only points to a condition: "the town pays first, then yes".
        """
        return bool(
            (head and self.points.match(clause))
            or self.leaves.search(head)
            or (clause.count(" ") <= _BRIEF and self.turns.fullmatch(clause.strip(_EDGES).rsplit(" ", 1)[-1]))
        )

    def takes_side(self, words: str) -> bool:
        """Return whether words say nothing but that somebody takes a side."""
        read = _WORD.findall(words)
        return self.stance.issuperset(read) and not self.blank.issuperset(read)


@cache
def _languages() -> list[_Language]:
    shared, *tables = tomllib.loads(Path(__file__).with_name("conditions.toml").read_text("utf8")).values()
    lacking = {name: ["(?!)"] for table in tables for name in table}  # a language may lack what another one says
    return [_Language({**lacking, **shared, **table}) for table in tables]


def is_reason(raw: str) -> bool:
    """Return whether words are a reason from their start, with no word in them that may begin a condition."""
    text = lower(raw).strip(_EDGES)
    spoken = [language for language in _languages() if language.because.match(text)]
    return bool(spoken) and not any(
        part.search(text) for each in spoken for part in (each.marker, each.demands, each.doubts)
    )


@lru_cache(maxsize=256)  # recorded talk votes in the same words again and again
def read_condition(raw: str, kind: MoveKind) -> ConditionRead:
    """Return whether the words behind a move of a `kind` make it depend on something, and the words that say so."""
    text = lower(mask_quotes(normalise(raw[:_READ])))
    found = _WORD.findall(text)
    shares = {language: sum(map(language.words.__contains__, found)) for language in _languages()}
    most, taught = max(shares.values()), {"if"}.intersection(found)  # members are told to write it in any language
    spoken = [language for language, share in shares.items() if share >= most or taught & language.words]
    for language in spoken:
        text = language.apart.sub(lambda match: _APART * len(match[0]), text)
        text = language.severed.sub(",", text)
    spans = sentences(text) + sentences(text.replace(";", "!")) * (";" in text)  # its parts by themselves, too
    reads = [(*language.read(text[start:end]), start, end, language) for language in spoken for start, end in spans]
    read = next((each for sought in (True, None) for each in reads if each[0] is sought), None)
    if read is None or _WAIVED_FIRST.match(lower(raw[:_READ])):
        return ConditionRead(False)
    holds, begins, ends, alone, start, end, language = read
    head, clause = text[start : start + begins], text[start + begins : start + ends]
    whole = language.is_told_whole(head, clause)
    opposes, beside = kind == "oppose", (head.rpartition(";")[2], clause, text[start + ends : end].partition(";")[0])
    doubtful = language.postscript.search(head) or (not opposes and language.vague.match(clause))
    sure = bool(holds) and not doubtful and language.is_sure(*beside, opposes=opposes)
    tells = start + (language.main_clause_end(text[start:end], ends) if holds is None else ends)
    told = raw[start + begins * (not whole) : tells].strip(_EDGES)
    return ConditionRead(holds, raw[start + begins : start + ends].strip(_EDGES), alone, told, sure)


def begins_with_condition(words: str, *, sure: bool = False) -> bool:
    """Return whether words begin with a condition under which something is so, or are `sure` to begin with one."""
    read = read_condition(words, "withdraw")
    return bool(read.conditional and (read.sure or not sure) and words.partition(read.condition)[0].count(" ") <= 1)


def takes_side(words: str) -> bool:
    """Return whether words say nothing but that somebody takes a side, in any of the languages."""
    return any(language.takes_side(lower(normalise(words))) for language in _languages())


def leaves_condition(words: str) -> bool:
    """Return whether a reason leaves a condition of before as it is: "as before" does, "ohne Bedingung" does not."""
    return words.count(" ") <= 1 and not _WAIVED.search(lower(words))


def waives(words: str) -> bool:
    """Return whether words say that there is no condition, and nothing else."""
    return _WAIVED.fullmatch(lower(words).strip(_EDGES)) is not None


def conditional(words: str) -> bool:
    """Return whether words behind a move make it depend on something, or may."""
    return read_condition(words, "support").conditional is not False
