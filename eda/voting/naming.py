"""Finds the one choice that an answer names: by id, words or a part of them, letter as shown, or in prose.

Nothing is guessed: an answer that names two choices, denies what it names, or depends on a condition names none. What
is wrong is a doubt: a kind, and the choices it is about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from eda.events.doubts import Doubt
from eda.events.votes import NONE
from eda.text import normalise
from eda.voting.choices import finding, names_of, telling

Named = tuple[str | None, Doubt | None]
"""The choice; None, and what is wrong, where there is none. In a vote, None and nothing wrong is an abstention."""

_UNKNOWN = Doubt("unknown")
_ABSTAIN = "abstain"
_REASONS = ("reason", "change_mind")
"""The fields of an answer that stay as they are written."""
_DESCRIBES = re.compile(r"\s*[*_`\])\"']*\s*[(:=–—-]+[\s\"'*_`]*(.+)")
"""What follows an id and says again which text it is."""
_MARKS = " \t\n.,;:!?*_`\"'()[]{}<>-"
FIRST_MASK = 0xE000
"""A character that stands for the first choice where its words stood; private, so that no text has it."""
_MASKS = re.compile("[\ue000-\uf8ff]")
_LETTER = re.compile(r"(?:(?:option|choice|answer) )?[*_`\"'(\[]*([a-z])")
_LETTERED = re.compile(r"\boption [*_`\"'(\[]*([a-z])\b")
_LABEL = re.compile(
    r"[*_`\"']*(?:(?:(?:option|choice) )?[(\[]?([a-z])(?:[)\].:]+| [-=:])|#?\d{1,2}[.):]) *[-:]?[\s*_`\"']*(\S.*)"
)
"""What stands before a choice on a list: its letter, or a number."""
_ABSTAINS = re.compile(
    r"(?:i |i'll |i will |i must )?abst(?:ain|ention|inence)\w*|null|no vote|n/?a|(?:i am )?not voting|i do not vote|"
    r"undecided|"
    r"(?:ich )?enthalt\w*(?: mich)?|me abst\w+|je m'abst\w+|mi asten\w+|abst[ei]+n\w*"
)
_TAKES = r"(?:can |will |do )?(?:choose|pick|want|accept|support|vote for)"
_THEM = (
    r"(?:the |these |those |all )?(?:above|them|these|those|options?|choices?|texts?|proposals?|two|three|four|five)?"
    r"(?: (?:above|(?:on|of) (?:the|this) ballot))?"
)
_NONE = re.compile(
    rf"(?:i {_TAKES} )?(?:none|neither|nothing|no (?:option|choice))(?: of {_THEM})?|"
    r"(?:keine[rs]?|ninguna?|aucune?)(?: (?:von|de|des) \w+)?"
)
_NONE_WORDS = re.compile(r"\b(?:none|neither|nothing|no option|no choice)\b")
_ABSTAINS_IN_PROSE = re.compile(
    r"\bi(?:'ll|'d| will| would| shall| must| have to| choose to| therefore| hereby)* abst(?:ain|en)\w*|"
    r"\bi(?:'d| would) rather not vote\b|\bi (?:do|will|am) not vot(?:e|ing)\b(?! for)|"
    r"^\W*(?:abst(?:ain|ention)|no vote(?! for))\b|\bich enthalte mich\b|\bme abst\w+|\bje m'abst\w+"
)
_NONE_IN_PROSE = re.compile(
    rf"^\W*(?:(?:{_NONE.pattern})\s*(?:[.,:;!\n]|$|because\b)|"
    r"(?:none|neither|no option|no choice)\b[^.;\n]*\b(?:acceptable|convinces|right|viable|works)\b)|"
    rf"\bi {_TAKES} (?:none|neither)(?: of {_THEM})?\s*(?:[.,:;!\n]|$|because\b)"
)
_GOES_ON = re.compile(r"[.,:;(]| [-–—] | (?:because|since|as|from|until|though|although|but|for now)\b")
"""What follows is no part of "abstain" or "none"."""
_SAYS = re.compile(
    r"(?<!if )(?<!unless )(?<!when )\b(?:"
    r"i(?:'ll|'d)?(?: will| would| shall| do| hereby| therefore| still| now)* "
    r"(?:(?:vote|opt|go|settle)(?: for| with| on)|vote|choose|pick|select|cast my (?:vote|ballot) for)|"
    r"i(?:'d| would) say|i(?:'m| am) voting for|"
    r"(?:my|the) (?:own |final )*(?:vote|choice|answer|ballot|pick|decision)"
    r"(?: is| goes to| would (?:be|go to)| remains)?(?: for)?|final (?:answer|vote|choice)|"
    r"ich (?:stimme|votiere)(?: fur)|ich wahle|je vote pour|voto por|mi voto es(?: para| por)?"
    r")\b|^\W*(?:vote|choice|answer|ballot|verdict)(?=\W*[:=])",
    re.MULTILINE,
)
"""The words before a vote in prose."""
_VOTE_ENDS = re.compile(
    r"[.;!?](?:\s|[*_\"']|$)|\n|,? (?:and i|but|although|though|while|whereas|even if|because|since|as it|given that)\b"
)
_CONDITION = re.compile(r"\b(?:if|unless|provided|only when|as long as|wenn|falls|sofern)\b|\?")
_WHY = re.compile(r"\b(?:because|since|as it|as they|given that|due to|weil|parce que|porque)\b")
"""What follows is the reason of a choice, and may name others."""
_ADDS = re.compile(r"[;\n(]| [-–—] ")
"""What follows a choice in its field is no part of its wording."""
_DENIAL = (
    r"not|no|never|neither|nor|without|against|reject\w*|oppos\w+|except|refus\w+|nobody|none|abst(?:ain|en)\w*|"
    r"(?:any|every)thing but|all but|other than|nicht|keine?[nmrs]?|gegen|niemals|pas|contre|jamais|sauf|contra|nunca"
)
_DENIES = re.compile(rf"\b(?:{_DENIAL})\b")
_TURNING = rf"{_DENIAL}|only|before|after|until|out|off|down|under|above|below|later|earlier|more|less|fewer|instead"
_TURNS = re.compile(_TURNING)
"""A word that makes another choice of a choice when it is added to it."""
_CARRIES = re.compile(rf"{_TURNING}|end|stop|drop|cut|close|cancel|abandon|remove|avoid|postpone|delay|ban")
"""A word of a choice without which what follows it is another choice."""
_REJECTED = re.compile(
    rf"\b(?:rather than|instead of|over|and not|but not|{_DENIAL})(?: (?:for|to|the|a|an|by))*"
    r"[\s\"'*_]*([\ue000-\uf8ff])"
)
"""A choice that is named to be left aside."""
_LEFT_ASIDE = re.compile(r"\b(?:and |but )?(?:not|no|never|rather than|instead of|over) ([^,.;]+)")
_SHORT_NOT = re.compile(r"(?:(?<=ca)n|n)'t\b|(?<=\bcan)not\b")
"""The end of "don't", "can't" and "cannot"."""
_AFFIRMS = re.compile(
    r"\b(?:vot(?:e|es|ing)|choos\w+|chose|choice|pick|prefer\w*|favou?r\w*|support\w*|go(?:ing)? (?:for|with)|stimme)\b"
)
_FEW = 4
"""Words around a choice that need not affirm it."""
_WORD_MARKS = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_HALF = 0.5
_MOST_WORDS = 200
"""Words of a text that are compared with the choices one by one; a choice named after them is found all the same."""
_SHORTEST_STEM, _SHORTEST_TYPO, _LONGEST_ENDING = 4, 6, 2
"""Letters of words that may be spelt otherwise, and by how many letters an ending may differ."""


def in_words(answer: Any, ids: Mapping[str, str]) -> Any:
    """Return an answer with the words of a choice wherever its id stands, in whatever dress; reasons stay.

    Whatever else reads the answer then meets choices by their words alone.
    """
    if isinstance(answer, str):
        return _in_words(answer, ids)
    if answer is None or isinstance(answer, int | float):
        return answer
    if isinstance(answer, Mapping):
        return {in_words(key, ids): value if key in _REASONS else in_words(value, ids) for key, value in answer.items()}
    return [in_words(each, ids) for each in answer] if isinstance(answer, list | tuple) else answer


def _in_words(text: str, ids: Mapping[str, str]) -> str:
    names, folded = names_of(tuple(ids.items()))
    low = text.casefold()
    if not names or (text.isascii() and not any(each in low for each in folded)):
        return text
    if low in names or text in names.values():  # nothing else is in it
        return names.get(low, text).strip(_MARKS)
    named = finding(frozenset((*names.values(), *names)))
    first = named.search(text)
    if first and first[0].casefold() in names and not text[: first.start()].strip(_MARKS):
        words = names[first[0].casefold()]
        more = _DESCRIBES.fullmatch(text[first.end() :].strip())
        described, whole = _folded(more[1]).strip(_MARKS) if more else "", _folded(words)
        if described and (whole.startswith(described) or (described in whole and not _DENIES.match(described))):
            return words
    # Without the marks around them, so that the end of a text does not end the voter's sentence.
    return named.sub(lambda match: names.get(match[0].casefold(), match[0]).strip(_MARKS), text)


def the_one_named(text: str, choices: Sequence[str]) -> str | None:
    """Return the choice that the text is, is the letter of, or names as the only one and denies none; else None."""
    return choice_in(text, choices)[0]


def no_choice(text: str, choices: Sequence[str]) -> str:
    """Return `abstain` or `none` (of these) where a text says so in so many words and no choice does; else ""."""
    folded = _folded(text).strip(_MARKS)
    if folded in (_folded(choice).strip(_MARKS) for choice in choices):
        return ""
    folded = _GOES_ON.split(folded, maxsplit=1)[0].strip(_MARKS) or folded
    if _ABSTAINS.fullmatch(folded):
        return _ABSTAIN
    clear = folded == NONE or not any(_NONE_WORDS.search(_folded(choice)) for choice in choices)
    return NONE if clear and _NONE.fullmatch(folded) else ""


def choice_in(text: str, choices: Sequence[str]) -> Named:
    """Return the choice that a field of an answer names, in its words or a part of them, or by its letter."""
    folded = _folded(text)
    bare = folded.strip(_MARKS)
    for same in (
        [choice for choice in choices if choice == text],
        [choice for choice in choices if bare and _folded(choice).strip(_MARKS) == bare],
    ):
        if same:
            return (same[0], None) if len(same) == 1 else _two(same)
    letter = _LETTER.fullmatch(bare)
    if letter:
        choice = _lettered(letter[1], choices)
        return (choice, None) if choice else (None, _UNKNOWN)
    label = _LABEL.fullmatch(folded)
    if label is None:
        return _by_words(folded, choices)
    choice, wrong = _by_words(label[2], choices)
    shown = _lettered(label[1], choices) if label[1] else None
    if shown is None or shown == choice:
        return choice, wrong
    if choice is not None:
        return _two([shown, choice])
    touched = any(_hits(telling(label[2]), choice, choices) for choice in choices if choice != shown)
    return (None, wrong) if touched else (shown, None)


def vote_in(text: str, choices: Sequence[str]) -> Named:
    """Return the choice that prose votes for, or `none`; None and nothing wrong where it abstains."""
    choice, wrong = choice_in(text, choices) if "\n" not in text.strip() and len(text.split()) == 1 else (None, None)
    if choice is not None:
        return choice, wrong
    masked = _masked("\n".join(map(_folded, text.splitlines())), choices)
    votes, faults = list[str](), list[Doubt]()
    for says in _SAYS.finditer(masked):
        value = _VOTE_ENDS.split(masked[says.end() :].lstrip(" :*_\"'=-"), maxsplit=1)[0]
        plain = _MASKS.sub(lambda mask: choices[ord(mask[0]) - FIRST_MASK], value)
        choice, wrong = choice_in(plain, choices)
        if none := no_choice(plain, choices):
            votes.append(none)
        elif choice is not None:
            votes.append(choice)
        elif wrong and wrong != _UNKNOWN:
            faults.append(wrong)
    if no_choice(text, choices) == _ABSTAIN or _ABSTAINS_IN_PROSE.search(masked):
        votes.append(_ABSTAIN)
    elif no_choice(text, choices) or _NONE_IN_PROSE.search(masked):
        votes.append(NONE)
    if len(set(votes)) > 1:
        return _two(list(dict.fromkeys(votes)))
    if votes:
        return None if votes[0] == _ABSTAIN else votes[0], None
    return (None, faults[0]) if faults else _named_alone(masked, choices)


def _named_alone(masked: str, choices: Sequence[str]) -> Named:
    """Return the only choice that prose without a word of voting names, if it affirms it."""
    names, rest = _names(masked, choices)
    if len(names) > 1:
        return _several(names)
    if not names or _denied(rest, names[0]) or _CONDITION.search(rest):
        return None, _UNKNOWN
    if len(_WORD_MARKS.findall(rest)) > _FEW and not _AFFIRMS.search(rest):
        return None, Doubt("no vote", (names[0],))
    return _unrivalled(names[0], telling(rest), choices)


def _by_words(folded: str, choices: Sequence[str]) -> Named:
    masked = _masked(folded, choices)
    for part in dict.fromkeys((_WHY.split(masked, maxsplit=1)[0], masked)):
        names, rest = _names(part, choices)
        if len(names) > 1:
            return _several(names)
        if names:
            rest = _ADDS.split(_without_left_aside(rest, names[0], choices), maxsplit=1)[0]
            if _denied(rest, names[0]):
                return None, Doubt("denied", (names[0],))
            if _CONDITION.search(rest):
                return None, Doubt("on a condition", (names[0],))
            longer = _longer(f"{names[0]} {rest}", names[0], choices)
            if longer:
                return longer, None
            return _unrivalled(names[0], telling(rest), choices)
    return _by_part(telling(_ADDS.split(_WHY.split(masked, maxsplit=1)[0], maxsplit=1)[0]), choices)


def _denied(rest: str, named: str) -> bool:
    """True if words around a choice deny it; around "No" they only say it again."""
    return _DENIES.search(rest) is not None and not _DENIES.fullmatch(_folded(named))


def _without_left_aside(rest: str, named: str, choices: Sequence[str]) -> str:
    """Return the text without ", not Flutter", where those are words of another choice and not of this one."""

    def aside(match: re.Match[str]) -> str:
        words = telling(match[1])
        others = [choice for choice in choices if choice != named and len(_hits(words, choice, choices)) == len(words)]
        return " " if words and others and not _hits(words, named, choices) else match[0]

    return _LEFT_ASIDE.sub(aside, rest)


def _longer(text: str, named: str, choices: Sequence[str]) -> str:
    """Return the one choice that has the words of the named one and more, all of which the text has; else ""."""
    words, mine = telling(_folded(text)), set(telling(_folded(named)))
    longer = [
        choice for choice in choices if mine < set(telling(_folded(choice))) and _share(words, choice, choices) == 1
    ]
    return longer[0] if len(longer) == 1 else ""


def _by_part(words: Sequence[str], choices: Sequence[str]) -> Named:
    """Return the only choice that has all of the words, or all of whose words are among them."""
    words = words[:_MOST_WORDS]
    hits = {choice: _hits(words, choice, choices) for choice in choices}
    inside = [choice for choice in choices if words and len(hits[choice]) == len(set(words))]
    named = [choice for choice in choices if hits[choice] and len(hits[choice]) >= _HALF * len(words)]
    whole = [choice for choice in named if _share(words, choice, choices) == 1]
    likely = [choice for choice in inside if choice in whole] or inside or whole
    if len(likely) != 1:
        return _two(likely) if likely else (None, _UNKNOWN)
    if not _same_sense(words, likely[0], hits[likely[0]]):
        return None, Doubt("another sense", (likely[0],))
    rest = [word for word in words if word not in hits[likely[0]]]
    return (None, _UNKNOWN) if any(map(_TURNS.fullmatch, rest)) else _unrivalled(likely[0], rest, choices)


def _same_sense(words: Sequence[str], choice: str, hits: set[str]) -> bool:
    """True if the words deny nothing that the choice does not, and leave out no turning word before a shared one."""
    own = telling(_folded(choice))
    if any(_DENIES.fullmatch(word) and word not in own for word in words):
        return False
    for place, word in enumerate(own):
        follows = next((one for one in own[place + 1 :] if one != "than"), "")
        if _CARRIES.fullmatch(word) and word not in words and follows and any(_alike(follows, hit) for hit in hits):
            return False
    return True


def _pairs(words: Sequence[str], choice: str, choices: Sequence[str]) -> set[tuple[str, str]]:
    """Return each word with the word of a choice that it is. One that stands in no choice may be spelt otherwise."""
    own = telling(_folded(choice))
    known = {word for one in choices for word in telling(_folded(one))}
    return {(word, one) for word in words for one in own if word == one or (word not in known and _alike(word, one))}


def _hits(words: Sequence[str], choice: str, choices: Sequence[str]) -> set[str]:
    """Return the words that a choice has."""
    return {word for word, _ in _pairs(words, choice, choices)}


def _share(words: Sequence[str], choice: str, choices: Sequence[str]) -> float:
    """Return the share of the words of a choice that are among the words."""
    own = set(telling(_folded(choice)))
    return len({one for _, one in _pairs(words, choice, choices)}) / len(own) if own else 0.0


def _unrivalled(named: str, words: Sequence[str], choices: Sequence[str]) -> Named:
    """Return the choice named, unless half the words of another one are among the words as well."""
    mine = set(telling(_folded(named)))
    rest = [word for word in words[:_MOST_WORDS] if word not in mine]
    rival = next((c for c in choices if c != named and rest and _share(rest, c, choices) >= _HALF), "")
    return _two([named, rival]) if rival else (named, None)


def _alike(one: str, other: str) -> bool:
    """True if two words differ by an ending or, where they are long, by one letter."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha() and one[0] == other[0]):
        return False
    short, long = sorted((_ENDING.sub("", one), _ENDING.sub("", other)), key=len)
    if short == long and len(short) >= _SHORTEST_STEM - 1:
        return True
    if len(short) >= _SHORTEST_STEM and long.startswith(short) and len(long) - len(short) <= _LONGEST_ENDING:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST_TYPO or len(long) - len(short) > 1:
        return False
    at = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    return short[at:] == long[at + 1 :] or short[at + 1 :] == long[at + 1 :]


def _names(masked: str, choices: Sequence[str]) -> tuple[list[str], str]:
    """Return the choices that a masked text names, without those left aside, and what stands around them."""
    rest = _REJECTED.sub(" ", masked)
    places = [ord(mask) - FIRST_MASK for mask in _MASKS.findall(rest)]
    places += [ord(letter) - ord("a") for letter in _LETTERED.findall(rest)]
    return list(dict.fromkeys(choices[at] for at in places if at < len(choices))), _MASKS.sub(" ", rest)


def marked(text: str, choices: Sequence[str]) -> str:
    """Return a line, folded, with one character for each choice in it: `FIRST_MASK` for the first."""
    return _masked(_folded(text), choices)


def choices_in(text: str, choices: Sequence[str]) -> list[str]:
    """Return the choices whose characters a marked line has, in its order."""
    return [choices[ord(mark) - FIRST_MASK] for mark in _MASKS.findall(text)]


def _masked(folded: str, choices: Sequence[str]) -> str:
    """Return the text with one character for each choice that stands in it word for word, longest first."""
    text = _MASKS.sub("", folded)  # what an author wrote of these characters names nothing
    for at, choice in sorted(enumerate(choices), key=lambda one: -len(one[1])):
        own = _folded(choice).strip(_MARKS)
        if own and own in text:
            text = re.sub(rf"(?<!\w){re.escape(own)}(?!\w)", chr(FIRST_MASK + at), text)
    return text


def _lettered(letter: str, choices: Sequence[str]) -> str | None:
    place = ord(letter) - ord("a")
    return choices[place] if place < len(choices) else None


@lru_cache(maxsize=2048)
def _folded(text: str) -> str:
    """The text in one case, with plain marks, without accents, its blanks joined."""
    plain = unicodedata.normalize("NFKD", normalise(_MASKS.sub(" ", text)))
    folded = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(_SHORT_NOT.sub(" not", folded).split())


def _several(names: Sequence[str]) -> Named:
    """Return the fault of words that name more choices than one."""
    return _two(names) if len(names) == 2 else (None, Doubt("several texts", tuple(names)))


def _two(names: Sequence[str]) -> Named:
    return None, Doubt("two texts", tuple(names[:2]))
