"""Finds the alternatives that stand in a question. They are offered to whoever asks, and never taken unasked."""

from eda.text import regex

_SENTENCE = regex(r"(?<=[^\W\d_]{3}[.!?])\s+")
# Begins a question about what to do; whose subject cannot be told from what it does is left alone.
_ASKS = regex(
    r"(?:(?:should|shall|must|will|would|do)\s+(?:we|i|you|they|he|she|one"
    r"|(?:our|the|my|this)\s+(?:band|board|choir|city|club|committee|company|council|family|firm|office|panel|school"
    r"|school\s+board|team|town|village)(?!\s+(?:leads?|members?|house|hall)\b))"
    r"|(?:is|would)\s+it\s+(?:be\s+)?(?:better|best|wiser|cheaper|safer)\s+to"
    r"|(?:soll(?:t?en|te)?|wollen|müss(?:t)?en|werden|will|muss)\s+(?:wir|ich|ihr|sie|er|es|man))\s+(.+)",
    "I",
)
_WHICH = regex(
    r"(?:which|what|who|where|welche[rs]?|was|wer|wo)\b[^,:]*?"
    r"(?::|\b(?:better|best|first|prefer|choose|pick|take|use|besser|zuerst|nehmen|wählen),)\s*(.+)",
    "I",
)
# Begins a question whose "or" may join something else than what it is about.
_OPEN = regex(
    r"(?:how|why|when|which|what|who|whose|where|is|are|was|were|am|does|do|did|has|have|had|can|could|may|might"
    r"|should|shall|must|will|would|wie|warum|wann|welche[rs]?|wer|wo|ist|sind|hat|haben|kann|können|soll\w*|woll\w*)\b",
    "I",
)
_OR = regex(r"\s*,?\s+(?:or|oder)\s+", "I")
# Stands in a part that is no alternative by itself: an idiom, an amount, a denial, a clause, a list in a list.
_UNSURE = regex(
    r"\b(?:not|no|nothing|any|anything|some|something|someone|another|others?|both|neither|so|less|never|later|else"
    r"|otherwise|whether|if|when|because|unless|without|than|which|who|that|as|against|nicht|kein\w*|nichts|beides?"
    r"|irgend\w*|mehr|nie|später|sonst|ob|wenn|falls|weil|ohne|als|ander\w*|and|und|either\s+way)\b"
    r"|\b(?:\d+|one|two|three|four|once|twice|more|on|in|at|by|for|with|of|to|before|after|(?:ein|zwei|drei|vier)(?:mal)?)$"
    r"|[\"“”„()?:;]",
    "I",
)
_MOST_WORDS, _MOST = 12, 5


def alternatives_in(question: str) -> tuple[str, ...]:
    """Return the two to five alternatives that a question names; nothing where it is not sure what they are."""
    asked = _SENTENCE.split(" ".join(question.split()))[-1].strip()
    told = asked.rstrip(" .!?")
    if which := _WHICH.fullmatch(told):
        told = which[1]
    if asks := _ASKS.fullmatch(told):
        told = asks[1]
    elif _OPEN.match(told) or not asked.endswith("?"):
        return ()
    *first, last = _OR.split(regex(r"^(?:either|entweder|rather|eher|lieber)\s+", "I").sub("", told))
    parts = [part.strip() for each in first for part in each.split(",")] + [regex(r"^to\s+").sub("", last)]
    whole = 2 <= len(parts) <= _MOST and len(first) in (1, len(parts) - 1) and len({*map(str.casefold, parts)}) > 1
    whole = whole and all(0 < len(part.split()) <= _MOST_WORDS for part in parts)
    return tuple(parts) if whole and not any("," in part or _UNSURE.search(part) for part in parts) else ()
