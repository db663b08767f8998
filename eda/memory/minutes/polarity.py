"""Which options a text affirms: its clauses, the options that each names, and what the clause says of them.

An option that is turned down, asked about, put under a condition, told of somebody else, or only mentioned is not held.
"""

from collections.abc import Iterator
from typing import NamedTuple

from eda.memory.minutes.options import LONGEST, MARKS, OPTION, OTHER, Mention, Options, about
from eda.memory.patterns import Language
from eda.text import mask_quotes, normalise, regex, sentences

_TOKEN = regex(r"[\w'-]+|:")


class Clause(NamedTuple):
    """A part of a sentence, with a mark in place of each mention of options."""

    text: str
    mentions: dict[str, Mention]
    open: bool  # It is asked, or stands under a condition.
    hedged: bool  # A condition follows.


def affirmed(options: Options, text: str) -> tuple[str, ...]:
    """Return the options that a text affirms, in the debate's order; none where it affirms several one by one."""
    language = options.pack.language
    affirmed: list[tuple[str, ...]] = []
    before: tuple[str, ...] = ()
    for clause in _clauses(options, text):
        for mark, mention in clause.mentions.items():
            wording = about(clause.text, mark)
            if language.refuses.search(wording):
                affirmed = [each for each in affirmed if set(each).isdisjoint(mention.options)]
            elif not clause.open and _affirms(language, wording, clause, mention, cards=options.cards):
                affirmed.append(mention.options)
        if before and _takes_up(language, clause, before):
            affirmed.append(before)
        if clause.mentions:
            before = next(reversed(clause.mentions.values())).options
    if not affirmed and language.yields.search(text):
        affirmed = [mention.options for mention in options.mark(normalise(text))[1].values()]
    chosen = {option for each in affirmed for option in each}
    if not any(chosen == set(each) for each in affirmed):
        return ()
    return tuple(option for option in options.options if option in chosen)


def _takes_up(language: Language, clause: Clause, before: tuple[str, ...]) -> bool:
    """True if a clause affirms, by a pronoun, the options that were named before it."""
    words = (language.both if len(before) == 2 else language.it).sub(OPTION, MARKS.sub(OTHER, clause.text), count=1)
    taken = language.takes_up.search(_plain(language, words)) and not language.refuses.search(words)
    return bool(taken) and not clause.open


def _clauses(options: Options, text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, without what it quotes or reports of others."""
    language = options.pack.language
    plain = mask_quotes(options.unquoted(normalise(text[:LONGEST])))
    for start, end in sentences(plain):
        marked, mentions = options.mark(language.others_want.sub("", plain[start:end]))
        nothing = marked.rstrip(" \"')*_").endswith("?") or bool(language.undecided.search(marked))
        weighs = False
        parts = _split(language, marked)
        for number, (part, _) in enumerate(parts):
            condition = language.conditions.match(part) is not None
            weighs = bool(language.tentative.search(part)) or (weighs and not language.turns.match(part))
            nothing = nothing or (condition and not number)
            after, gap = parts[number + 1] if number + 1 < len(parts) else ("", "")
            hedged = language.conditions.match(after)
            bound = hedged and ("," not in gap or language.binding.match(after))
            here = {mark: mentions[mark] for mark in MARKS.findall(part)}
            past = language.past.search(part)
            yield Clause(part, here, bool(nothing or weighs or condition or bound or past), bool(hedged))


def _split(language: Language, marked: str) -> list[tuple[str, str]]:
    """Return the clauses of a marked sentence, each with what divides it from the clause before."""
    parts: list[tuple[str, str]] = []
    at, gap = 0, ""
    for divider in [*language.clause_breaks.finditer(marked), None]:
        part = marked[at : divider.start() if divider else len(marked)].strip()
        if part:
            parts.append((part, gap))
        if divider:
            at, gap = divider.end(), divider[0]
    return parts


def _affirms(language: Language, wording: str, clause: Clause, mention: Mention, *, cards: bool) -> bool:
    """Return whether a clause states a choice of the options of one mention."""
    several = len(mention.options) > 1 and not language.content.search(wording)
    if several and mention.either:
        return False
    plain = _plain(language, wording)
    if language.bare_option.match(plain):
        return cards or not (several or mention.loose)
    if clause.hedged or language.reports.search(plain):
        return False
    orders = plain.split(" ", 1)[0] in language.imperatives and language.orders_option.match(plain)
    return bool(orders) or bool(language.affirms.search(plain))


def _plain(language: Language, wording: str) -> str:
    """Return a clause without hollow words, with one word for the speaker, after the words that announce an answer."""
    tokens = [token for token in _TOKEN.findall(wording.lower()) if token not in language.hollow_words]
    plain: str = language.before_option.sub("", language.speaker.sub("i", " ".join(tokens)))
    announced, colon, answer = plain.partition(":")
    return answer.strip() if colon and language.leads.match(announced.strip()) else plain
