"""The words by which a model's sentence claims something: numbers, dates, names, decisions; what a sentence shares."""

from __future__ import annotations

import re

from eda.text import NUMBER_WORDS, sentences

STEM = 5
STOP = frozenset(
    """the and for with that this was were are has have had not its but from they their our will would who what which
    when all one his her she him than then into over under before after because there been can could should about
    also still only""".split()  # noqa: SIM905 - read as text
)
SHARED = 2
"""A sentence of the record with this many of a sentence's content words, beside the word in doubt, bears it out."""
SMALL = tuple(NUMBER_WORDS)[:21]
SPELLED = NUMBER_WORDS | {"half": 0.5, "twice": 2.0, "double": 2.0, "triple": 3.0}
REFERENCE = re.compile(r"\b(?:m|messages? (?:no\. ?|#)?)(\d+)\b", re.IGNORECASE)
ID = re.compile(r"(?<![\w.])[opdn]\d+(?:[.@]\d+)?(?!\w)")
NUMBER = re.compile(
    rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s?(k|m|bn|million|billion|thousand)?(?![\w])|"
    rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?=[a-z%€-])|\b({'|'.join(sorted(SPELLED, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
TIMES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
OF_VOTES = re.compile(
    r"(?:of|to|out of|votes?|voters?|members?|people|panel\w*|seats?|ballots?|accept\w*|against|for|abstain\w*|"
    r"messages?|texts?|options?|choices?|proposals?|dissent\w*|others?|colleagues?|put)\b", re.IGNORECASE
)  # fmt: skip
DATE = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|august|sept(?:ember)?|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|yesterday|tonight|christmas|easter|summer|winter|autumn|"
    r"q[1-4]|(?:next|last|this) (?:week|month|quarter|year))\b|\bMay\b(?= \d|[,.;]|$| at| and)|(?<=in )May\b",
    re.IGNORECASE,
)
NAME = re.compile(r"(?<=[^.!?:\s] )[\"'(]*([A-Z][\w&'-]+)|\b([A-Z]{2,}s?)\b|\b([a-z]+[A-Z]\w*)")
NO_NAMES = frozenset(
    """i i'm i'd i'll i've m p o a an the yes no she he it we you they this that these those there both others nobody
    everybody everyone somebody someone""".split()  # noqa: SIM905 - read as text
)
DECIDES = re.compile(
    r"\b(?:(decid)(?:e[sd]?|ing)|(decision)s?|(unanim)(?:ous(?:ly)?|ity)|(consensus)|(agree)(?:[sd]|ing|ments?)?|"
    r"(accept)(?:s|ed|ance)?|(approv)(?:e[sd]?|al)|(adopt)(?:s|ed|ion)?|(endors)(?:e[sd]?|ement)|(vot)(?:e[sd]?|ing)|"
    r"(chose|chosen)|(cho)oses?|(select)(?:s|ed)?|(elect)(?:s|ed)|(reject)(?:s|ed|ion)?|(veto)(?:e[sd])?|"
    r"(block)(?:s|ed)|(withdr)(?:aw[sn]?|ew|awal)|(conced)(?:e[sd]?)|(concession)s?|(convinc)(?:e[sd]?|ing)|"
    r"(persuad)(?:e[sd]?)|(sway)(?:s|ed)|(commit)(?:s|ted|ment)s?|(promis)(?:e[sd]?)|(pledg)(?:e[sd]?)|"
    r"(resolv)ed(?= (?:to|that|on)\b)|(settl)ed(?= (?:on|for)\b)|(sign)(?:s|ed) off|(authoris|authoriz)(?:e[sd]?)|"
    r"(ratif)(?:y|ie[sd])|(conclud)(?:e[sd]?)|(abstain)(?:s|ed)?|(dropp)ed|(gave) (?:up|in|way)|(won) (?:over|round)|"
    r"(came) (?:round|around|over)|(chang)(?:e[sd]?|ing) (?:his|her|their|its) (?:mind|vote|side)s?|(rall)ied|"
    r"(switch)(?:es|ed)(?! (?:on|off)\b)|(sided)|(back)(?:s|ed)|(support)(?:s|ed)|"
    r"(favou?r)(?:s|ed)(?! (?:whoever|anybody|anyone|those|people)\b)|(oppos)e[sd]|"
    r"(object)(?:s|ed)(?= to\b)|(refus)e[sd]|(relent)ed)\b",
    re.IGNORECASE,
)
ALL = re.compile(
    r"\b(?:unanim\w+|consensus|all (?:of )?(?:the |its |our )?(?:\w+ )?(?:members?|voters?|panel\w*|agreed?|voted)|"
    r"all (?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b|all (?=accept|support|back|stand|endorse|approve)|"
    r"everyone|everybody|each member|every member|(?:stand|be|is|are|was|were)s? united|the whole panel|"
    r"the entire panel|(?:nobody|no one|no (?:member|voter)|none of (?:the |its )?(?:members|voters)) (?:\w+ )?"
    r"(?:object|dissent|oppos|vot|disagree|refus|against)\w*|"
    r"without (?:dissent|objection|opposition)|no (?:dissent|objections?))\b",
    re.IGNORECASE,
)
NOBODY = re.compile(
    r"\b(?:nobody|no one|no (?:member|voter))\s+(?:\w+\s+)?(?:accept|support|back|approv|want)\w*", re.IGNORECASE
)  # fmt: skip
STANDS = re.compile(
    r"\b(?:accept|agree|support|back|behind|stand|want|favou?r|approv|endors|for|against|vot|united|sign|adopt)",
    re.IGNORECASE,
)
"""What one who is counted does; who all do something else is a matter of what was said."""
ACCEPTS = frozenset("accept approv adopt vot".split())  # noqa: SIM905 - read as text
"""Verbs of the ballot."""
PANEL = re.compile(
    r"\b(?:panel|(?:the|our|whole|entire) (?:group|team|table)|members|majority|we|they|vote|ballot|outcome|"
    r"verdict)\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"\b(?:no|not|none|nobody|nothing|never|neither|without|yet|undecided|cannot|\w+n't|fail(?:s|ed) to)\b"
    r"(?:[^\w,]+\w+){0,3}[^\w,]*$", re.IGNORECASE
)  # fmt: skip
DENIES = re.compile(r"\b(?:den(?:y|ies|ied)|disput(?:es|ed)) that\b", re.IGNORECASE)
POSSIBLE = re.compile(
    rf"\b(?:to(?! (?:\d|{'|'.join(SMALL)}))|should|would|could|must|can|may|might|will|shall|than|whether|if|until|"
    r"before|unless|once|how|who|what)\b(?:[^\w,;]+\w+){0,3}[^\w,;]*$", re.IGNORECASE
)  # fmt: skip
MOVED = frozenset(["chang", "switch", "convinc", "persuad", "sway", "won", "rall", "came", "relent"])
CONVINCES = frozenset(["convinc", "persuad", "sway", "won"])
"""Verbs whose object was moved, unless they are passive."""
PASSIVE = re.compile(r"\b(?:am|is|are|was|were|been|being|get|gets|got)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
CAUSE = re.compile(r"[^,;:.]*?\b(?:by|after|because of|thanks to|following)\b([^,;:.]*)")
"""What stands behind it has moved somebody."""
LEFT = frozenset(["withdr", "gave", "dropp"])
STANCE = re.compile(r"\b(?:support|vote|backing|objection|opposition|resistance|dissent|yes|no)\b", re.IGNORECASE)
"""Who withdraws one of these has withdrawn no text."""
IN_OTHER_WORDS = {"conced": "conced|grant|admit|you win", "promis": "promis|i'll|i will|i shall"}
IN_OTHER_WORDS |= {"commit": f"commit|{IN_OTHER_WORDS['promis']}", "pledg": f"pledg|{IN_OTHER_WORDS['promis']}"}
"""How members say of themselves what a report tells by one of these verbs."""
MOST = re.compile(
    r"\b(?:most|an? (?:\w+ )?majority|the majority|more than half)(?: of)? "
    r"(?:(?:the |its )?(?:members|voters|panel\w*) )?"
    r"(?=(?:now |still |also )?(?:accept|support|back|favou?r|want|st[ao]nd|prefer|agree|vote|chose))", re.IGNORECASE
)  # fmt: skip
TO_SET = re.compile(
    r"\b(?:ha(?:s|ve)|needs?|is|are|must|should) (?:still )?(?:to )?(?:be )?(?:fix|set|settle|choose|define|agree)"
    r"(?: on)? (?:an?|the|that|which|what) (?:count|number|figure|threshold|limit)\b(?! (?:for|of|on|at)\b)",
    re.IGNORECASE,
)
"""A figure, without what it is of, that somebody has yet to set."""
IS_SET = re.compile(r"\b(?:more|fewer|less) than \d|\bat (?:least|most) \d|\d of (?:the )?\d|\d ?%|\d per ?cent")
"""A figure that a text sets as a limit."""
SIDES = frozenset({"yes", "no"})
THE_QUESTION = re.compile(r"\b(?:it|this|that|(?:the )?(?:motion|question|proposal|idea))\b", re.IGNORECASE)
SUBJECT = re.compile(
    r"([A-Z][a-z]+[a-rt-z])(?<!ing)(?:'s\b|, (?:the|a|an|who)\b|"
    r"(?: from (?:the )?\w+(?: \w+)?)? (?:says|said|told|confirms|warns|notes|argues|leads|owns|wants|will|\w+ed)\b)"
)
"""A first word that looks like a name: singular, without an article, and with a verb of persons behind it."""
ENDS = re.compile(r"[,;:.]|\b(?:over|instead of|rather than|and|but|because|while|although|after|before)\b")
"""What ends the object of a verb."""
NOUN = re.compile(
    rf"(?:\d|'s|\b(?:the|a|an|of|by|in|this|last|first|no|his|her|their|its|{'|'.join(SMALL)}))\s$", re.IGNORECASE
)
"""What makes `vote` a noun."""
SPLIT = re.compile(
    rf"\b(\d+|{'|'.join(SMALL)}) (?:votes? |members? )?(?:out of|of|to) (?:the |its )?(\d+|{'|'.join(SMALL)})\b",
    re.IGNORECASE,
)
BACKS = frozenset("agree accept approv endors back support favour favor adopt sided sign chose cho select vot".split())  # noqa: SIM905
AGAINST = frozenset(["reject", "oppos", "object", "refus", "veto", "block"])
BY_ALL = BACKS | AGAINST | frozenset("vot decid decision conclud resolv settl elect ratif".split())  # noqa: SIM905
"""What a panel does by its vote."""


def numbers_of(split: re.Match[str]) -> tuple[float, ...]:
    """Return the two numbers of `250 of the 500`."""
    return tuple(value for word in split.groups() for value in values_in(word))


def stems_of(text: str) -> frozenset[str]:
    """Return the beginnings of the content words of a text."""
    return frozenset(
        word[:STEM] for word in re.findall(r"[^\W\d_]{3,}", text.lower()) if word not in STOP and word not in SPELLED
    )


UNITS = stems_of(
    "year years yearly month months week weeks day days hour hours minute minutes time times euro euros dollar dollars "
    "pound pounds cent cents percent metre metres meter meters"
)
"""Words beside a number that do not tell what it was said of."""
ANAPHORIC = re.compile(r"\W*(?:that|this|these|those|it|they|he|she)\b", re.IGNORECASE)
"""The beginning of a sentence about what the one before it is about."""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a normalised text."""
    return [text[start:end] for start, end in sentences(text)]


def value_of(match: re.Match[str]) -> float | None:
    """Return the number that a match of `NUMBER` writes."""
    if match[4]:
        return SPELLED[match[4].lower()]
    digits = (match[1] or match[3]).replace(",", "")
    return float(digits) * TIMES.get((match[2] or "").lower(), 1.0) if digits else None


def has_word(begin: str, part: str) -> bool:
    """Return whether a word of the text begins so."""
    return re.search(rf"\b{re.escape(begin)}", part.lower()) is not None


def values_in(text: str) -> set[float]:
    """Return the numbers in a text."""
    return {value for match in NUMBER.finditer(text) if (value := value_of(match)) is not None}
