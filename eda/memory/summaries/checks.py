"""Checks of a summary: what must be in it, and what must not.

It must tell of each confirmed decision, open declared proposal and open question of its range. What a model leaves out
in its second draft too is added as a list, and what its messages do not say is taken out: numbers, names, and decisions
that nobody took. Its length is asked for, and cut where it is far too long; a summary is not refused for it.

A decision stands only where the procedure took it. What a member calls decided or agreed is a claim, and a summary may
report it as one: "Viktor claims that all agree". That a member agrees must be in that member's own words. A stance that
a summary gives a member is held against what the member declared: by ids and names, never by meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

from eda.events.records import Line, Stance, Summary
from eda.memory.summaries.summary_input import Item, SummaryInput, figures, length, mentions, parts, shortened
from eda.panels.settings import SummaryStyle
from eda.text import NUMBER_WORDS, normalise, sentences, shorten, unbroken
from eda.words import ENGLISH

_ID = re.compile(r"(?<![\w.@])(?:p\d+[.@]\d+|o\d+)(?![\w@])")


def ids_in(text: str) -> frozenset[str]:
    """Return the ids of items in a text."""
    return frozenset(_ID.findall(text))


def known_ids(summary_input: SummaryInput) -> frozenset[str]:
    """Return the ids of items that a summary may speak of: those that its messages, items and table have."""
    sources = [source.text for source in summary_input.sources]
    lines = [line.text for line in summary_input.lines]
    items = [f"{item.id} {item.text}" for item in (*summary_input.items, *summary_input.earlier)]
    texts = (summary_input.minutes, summary_input.table, *summary_input.texts, *lines, *items, *sources)
    return ids_in("\n".join(texts)).union(summary_input.stances)


def contradicted(sentence: str, summary_input: SummaryInput) -> Iterator[str]:
    """Yield `Maya never declared support of p3.0` for each stance that a sentence gives a member against its own moves.

    Only a clause with one id, one stance and a name before it says who stands where. Whoever declared nothing about the
    item, or declared both in turn, is not contradicted.
    """
    language = summary_input.language
    words: tuple[tuple[Stance, re.Pattern[str]], ...] = (
        ("support", language.told_support),
        ("oppose", language.told_opposition),
    )
    for clause in language.told_breaks.split(sentence):
        ids = ids_in(clause)
        told = [(stance, match) for stance, verbs in words if (match := verbs.search(clause))]
        if len(ids) != 1 or len(told) != 1 or language.told_unsure.search(clause):
            continue
        (item,), ((stance, verb),) = ids, told
        declared = summary_input.stances.get(item, {})
        before = clause[: verb.start()]
        named = [who for who in declared if re.search(rf"\b{re.escape(who)}(?:\W+\w+){{0,2}}\W*$", before)]
        if len(named) == 1 and stance not in declared[named[0]]:
            yield ENGLISH.say("prompt-summary-stance", who=named[0], stance=stance, id=item)


_FEWEST_WORDS = 5  # A summary with fewer words left says nothing.
_SHOWN = 120  # Characters of a sentence that a complaint repeats.
_NOUNS = 0.15  # Share of capitalised words within sentences from which a language capitalises its nouns.
_STEM = 5
_CAPITALISED = re.compile(r"(?<=[\w,;)/(] )\(?([A-Z][^\W\d_]{2,})(?!\w*:)|\b([a-z]+[A-Z]\w*)")
_WITHIN = re.compile(r"(?<=[\w,;)] )([^\W\d_])[^\W\d_]{2,}")
_MARK_ALONE = re.compile(r"\s*(?:[-*>#]+|\d+[.)])\s*")  # what is left of a line of a list
_CLAUSE = re.compile(r"[;.:]\s|\n")
_LONGEST_HEAD = 40  # Characters before a colon that can name a speaker.
_NUMBER = "|".join(NUMBER_WORDS)
_COUNT = re.compile(rf"\b(?!(?:zero|one)\b)({_NUMBER})(?:-({_NUMBER}))? (?!(?:{_NUMBER})\b)([^\W\d_]+)")
_CHAINED = re.compile(r"\W*(?:\([^)]*\))?(?:\W|\band\b)*", re.IGNORECASE)  # between two subjects of one verb


def groundless(text: str, summary_input: SummaryInput) -> list[str]:
    """Return what a summary says that its messages do not, a line for each fault with its sentence."""
    return [fault for _, fault in _faults(text, _Grounds(summary_input))]


def without_groundless(text: str, summary_input: SummaryInput) -> str:
    """Return the summary without the sentences that say what its messages do not; empty if too little is left."""
    grounds = _Grounds(summary_input)
    spans = {span for span, _ in _faults(text, grounds)}
    for start, end in sorted(spans, reverse=True):
        before, after = text[:start].rstrip(" "), text[end:].lstrip(" ")
        if before.count("**") % 2:  # the sentence began in bold letters
            before = before.removesuffix("**").rstrip(" ")
        text = f"{before} {after}" if before and not before.endswith("\n") else f"{before}{after.lstrip()}"
    if spans:
        text = "\n".join(line for line in text.split("\n") if not _MARK_ALONE.fullmatch(line)).strip()
    return "" if spans and len(text.split()) < _FEWEST_WORDS else text


class _Grounds:
    """What the messages of a range say."""

    def __init__(self, summary_input: SummaryInput) -> None:
        due, lines = summary_input.due, summary_input.lines
        self.input = summary_input
        self.ids = known_ids(summary_input)
        self.language = summary_input.language
        self.confirmed = [item for item in summary_input.items if item.kind in ("decision", "accepted")]
        self.confirmed += summary_input.earlier
        sources = [source.text for source in summary_input.sources]
        items = [f"{item.who} {item.text}" for item in (*summary_input.items, *summary_input.earlier)]
        names = [line.who for line in lines]
        self.text = "\n".join((*summary_input.texts, *(line.text for line in lines), *sources))
        everything = normalise("\n".join((self.text, *names, *items, summary_input.minutes)))
        words = set(re.findall(r"[^\W\d_]+", everything.casefold()))
        self.stems = {word[:_STEM] for word in words}
        stated = figures(everything)
        thousands = {f"{int(figure) / 1000:g}" for figure in stated if figure.isdecimal() and int(figure) >= 1000}
        spelled = {str(figure) for figure, word in enumerate(self.language.spelled_figures) if word in words}
        spelled |= {f"{figure:g}" for word, figure in NUMBER_WORDS.items() if word in words}
        counted = {str(count) for count in (due.first, due.last, len(lines), len(set(names)))}
        self.figures = stated | thousands | spelled | counted
        within = _WITHIN.findall(everything)
        self.names_stand_out = sum(map(str.isupper, within)) < _NOUNS * max(1, len(within))
        self.own = {name: "\n".join(line.text for line in lines if line.who == name) for name in names}

    def subject(self, text: str) -> list[str]:
        """Return the speaker that a text names last, and those named with that one."""
        low = text.casefold()
        names = {name: who for who in self.own for name in (who.casefold(), who.split()[0].casefold())}
        named = "|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True))
        subject: list[str] = []
        begins = len(low)
        for match in reversed(list(re.finditer(named, low) if names else ())):
            if subject and not _CHAINED.fullmatch(low, match.end(), begins):
                break
            subject.append(names[match[0]])
            begins = match.start()
        return subject


def _faults(text: str, grounds: _Grounds) -> list[tuple[tuple[int, int], str]]:
    plain = normalise(text)
    language = grounds.language
    faults = []
    decisions = False
    for start, end in sentences(plain):
        sentence = plain[start:end]
        if heading := language.summary_heading.fullmatch(sentence):
            decisions = language.decision_label.match(f"{heading[1]}:") is not None
            continue
        shown = shorten(unbroken(sentence), _SHOWN)
        if numbers := [*sorted(figures(sentence) - grounds.figures), *_strange_counts(sentence, grounds)]:
            faults.append(((start, end), ENGLISH.say("prompt-summary-numbers", numbers=numbers, sentence=shown)))
        if names := _strange_names(sentence, grounds):
            faults.append(((start, end), ENGLISH.say("prompt-summary-names", names=names, sentence=shown)))
        if _undecided(sentence, grounds, decisions=decisions):
            faults.append(((start, end), ENGLISH.say("prompt-summary-undecided", sentence=shown)))
        if _moves_nobody(sentence, grounds):
            faults.append(((start, end), ENGLISH.say("prompt-summary-moved", sentence=shown)))
        if strange := sorted(ids_in(sentence) - grounds.ids):
            faults.append(((start, end), ENGLISH.say("prompt-summary-ids", ids=strange, sentence=shown)))
        faults += [((start, end), f"{why}: {shown}") for why in contradicted(sentence, grounds.input)]
    return faults


def _strange_names(sentence: str, grounds: _Grounds) -> list[str]:
    if not grounds.names_stand_out:
        return []
    words = [first or second for first, second in _CAPITALISED.findall(sentence)]
    headings = grounds.language.summary_headings
    begins = grounds.language.told_of_one.match(sentence)
    if begins and begins[1].casefold() not in grounds.language.no_names:
        words.insert(0, begins[1])
    return [w for w in words if w.casefold()[:_STEM] not in grounds.stems and w.casefold() not in headings]


def _strange_counts(sentence: str, grounds: _Grounds) -> list[str]:
    """Return the numbers in words that the messages have nowhere, before a word that they have: `twelve minutes`."""
    return [
        f"{match[1]}-{match[2]}" if match[2] else match[1]
        for match in _COUNT.finditer(sentence.casefold())
        if match[3][:_STEM] in grounds.stems and not grounds.language.of_the_talk.match(match[3])
        if not {f"{NUMBER_WORDS[word]:g}" for word in match.group(1, 2) if word} <= grounds.figures
        if f"{sum(NUMBER_WORDS[word] for word in match.group(1, 2) if word):g}" not in grounds.figures
    ]


def _undecided(sentence: str, grounds: _Grounds, *, decisions: bool) -> bool:
    """True if a sentence tells of an agreement that nobody voiced; `decisions`: its heading calls it a decision."""
    language = grounds.language
    decision = language.decision_label.match(sentence)
    label = decision or language.sides_label.match(sentence)
    body = label.end() if label else 0
    if sentence.endswith("?"):
        return False
    if any(mentions(sentence, item) for item in grounds.confirmed):
        told = (_stem(match) for match in language.decides.finditer(sentence))
        return any(word in language.by_all_stems and word not in grounds.text.casefold() for word in told)
    if (decision if label else decisions) and not language.none_decided.match(sentence, body):
        return not language.summary_reports.search(sentence, body)
    return any(_baseless(sentence, match, grounds) for match in language.decides.finditer(sentence, body))


def _moves_nobody(sentence: str, grounds: _Grounds) -> bool:
    """True if a sentence says that somebody was moved, by somebody if it names one, whose own words do not say so."""
    for match in grounds.language.moves_a_mind.finditer(sentence):
        moved, by = grounds.subject(match[0]), grounds.subject(sentence[: match.start()])
        own = [line.text for line in grounds.input.lines if line.who in moved]
        own = [text for text in own if not by or any(who.split()[0] in text for who in by)]
        if moved and not any(grounds.language.says_moved.search(text) for text in own):
            return True
    return False


def _stem(match: re.Match[str]) -> str:
    """Return the stem of a word that tells of a decision or an agreement."""
    return next(filter(None, match.groups()), match[0]).lower()


def _baseless(sentence: str, match: re.Match[str], grounds: _Grounds) -> bool:
    language, word = grounds.language, _stem(match)
    before = _CLAUSE.split(sentence[: match.start()])[-1]
    if language.denied_before.search(before) or language.may_come.search(before):
        return False
    if grounds.input.sources or language.summary_reports.search(before):
        return word not in grounds.text.casefold()
    head, colon, _ = sentence[: match.start()].partition(":")
    subject = grounds.subject(before) or grounds.subject(head if colon and len(head) <= _LONGEST_HEAD else "")
    return not subject or not all(_says(who, word, grounds) for who in subject)


def _says(who: str, word: str, grounds: _Grounds) -> bool:
    """True if a speaker's own words agree or decide, or memory has the speaker's support."""
    own = grounds.own[who]
    if word in own.casefold():
        return True
    sided = any(item.kind == "agreement" and who in item.who.split(", ") for item in grounds.input.items)
    return word in grounds.language.assent_stems and (sided or grounds.language.assents.search(own) is not None)


CONCISE = 160  # Words that a concise summary is asked to have.
CONSERVATIVE = 600  # The same for a conservative one; fewer for a shorter source, but at least `CONCISE`.
LEEWAY = 100  # Words beyond those from which a summary is cut.
_UNRESOLVED = "[UNRESOLVED]"
_ASKED_KEPT = 4  # Newest open questions that a fold must keep.


def asked_words(summary_input: SummaryInput, style: SummaryStyle) -> int:
    """Return the number of words that the summary is asked to have at most."""
    if style == "concise":
        return CONCISE
    texts = [line.text for line in summary_input.lines] + [source.text for source in summary_input.sources]
    return max(CONCISE, min(CONSERVATIVE, sum(map(length, texts))))


def complaints(text: str, summary_input: SummaryInput, style: SummaryStyle) -> tuple[str, ...]:
    """Return the faults of a summary, a line each."""
    lacking = (f"It lacks: {line}" for line in _missing(text, summary_input, style))
    return (*groundless(text, summary_input), *lacking)


def mended(text: str, summary_input: SummaryInput, style: SummaryStyle) -> str:
    """Return the summary cut to its length, without what is groundless, and with a list of what it lacks."""
    words = asked_words(summary_input, style) + LEEWAY
    text = shortened(without_groundless(text, summary_input), words)
    lacking = _missing(text, summary_input, style)
    if not lacking or not text:
        return text
    fitting = sum(used <= words for used in accumulate(map(length, lacking)))
    listed = [f"\n- {line}" for line in lacking[:fitting]]
    left = len(lacking) - fitting
    listed += [f"\n- {ENGLISH.say('prompt-summary-more', number=str(left))}"] if left else []
    return f"{text}\nAlso:{''.join(listed)}"


def _missing(text: str, summary_input: SummaryInput, style: SummaryStyle) -> list[str]:
    lost = [item.line for item in summary_input.required if not mentions(text, item)]
    lost += [
        line
        for line in unresolved(summary_input.sources)
        if line not in text and not mentions(text, Item("question", 0, "", line))
    ]
    if style == "conservative":
        known = "\n".join((text, *lost))
        lost += _lost_figures(known, summary_input.lines)
        known = "\n".join((text, *lost))
        lost += _lost_names(known, summary_input.lines)
    return lost


def unresolved(sources: Iterable[Summary]) -> list[str]:
    """Return the last open questions in summaries, oldest first."""
    lines = (line.removeprefix("- ").strip() for source in sources for line in source.text.splitlines())
    return list(dict.fromkeys(line for line in lines if _UNRESOLVED in line))[-_ASKED_KEPT:]


def _lost_figures(text: str, lines: Iterable[Line]) -> list[str]:
    known, lost = figures(text), []
    for line in lines:
        for part in parts(line.text):
            new = figures(part) - known
            if new:
                known |= new
                lost.append(part_line(line, part))
    return lost


def _lost_names(text: str, lines: Iterable[Line]) -> list[str]:
    first_words = {line.who: parts(line.text)[:1] for line in reversed(list(lines))}
    named = text.casefold()
    silent = {who for who in first_words if not any(name in named for name in _names(who, first_words))}
    return [
        part_line(line, first_words[line.who][0] if first_words[line.who] else "(nothing that can be told)")
        for line in {line.who: line for line in reversed(list(lines))}.values()
        if line.who in silent
    ]


def _names(who: str, all_names: Iterable[str]) -> list[str]:
    """Return the names of a speaker: the whole one, and its first word where no other name begins with it."""
    first = who.partition(" ")[0]
    alone = sum(other.partition(" ")[0] == first for other in all_names) == 1
    return [who.casefold(), *([first.casefold()] if alone and len(first) > 2 and first.lower() != "the" else [])]


def part_line(line: Line, part: str) -> str:
    """Return a part of a message as a summary tells it."""
    return f"{line.who} (m{line.number}): {unbroken(part)}"
