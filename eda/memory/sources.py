"""Holds words against the record: whose the messages are that they name, and what they say of other members."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eda.events import Act, MessagePosted, RecordFact
from eda.memory.minutes.model_minutes import find
from eda.memory.parts import Parts
from eda.memory.patterns import default_language
from eda.memory.sentences.claims import Claim, read
from eda.memory.sentences.judges import AGREES, deed_fact, fact_words, judge
from eda.memory.sentences.record import Record
from eda.memory.summaries.summary_input import parts as sentences_of, stems
from eda.text import lower, names, normalise, plain_low, regex, unbroken
from eda.words import ENGLISH, Words

MESSAGE = regex(r"\bm(\d{1,6})\b")  # That is named.
_FEWEST = 3  # Words of what is said of a message from which they can be looked up in it.
_QUOTED = regex(r'"([^"\s]+(?:\s+[^"\s]+){2,})"')  # Three words or more.


def source_told(parts: Parts, quote: str, speaker: str, words: Words, *, sure: bool = False) -> str:
    """Return what is wrong with what a quotation says of members and their messages; empty where nothing is.

    "As Ada said in m8" is a genuine quotation and no source, if m8 is another's, lacks the words quoted of it, has no
    word of it, or only asks it. "Ada is against it" is one, and false, where Ada opposed nothing. Of `sure` faults it
    says whose the message is, and that is wrong, or the message lacks all that it says of it.
    """
    named = {who for who in parts.members if names(plain_low(quote), who)}
    if not named:
        return ""
    numbers, record = _named(parts, quote), parts.record(0 if sure else parts.recent.count)
    claims = read(quote, record).claims
    said = {number: each.who for each in claims if each.kind == "author" for number in each.messages}
    for number in numbers:
        line = parts.messages.line(number)
        if line.who not in said.get(number, {line.who} if sure else {*named, speaker}):
            return words.say("report-author", at=f"m{number}", who=line.who)
        wrong = _lacking(parts, number, quote, named) if [number] == [*said] == numbers else ""
        if wrong and not (sure and wrong == "report-asks"):
            return words.say(wrong, at=f"m{number}")
    facts = (fact for each in claims if not sure and speaker not in each.who for fact in _untrue(each, record))
    return "".join(words.say("report-record", fact=fact_words(fact, words)) for fact in [*facts][:1])


def misquotes(now: Callable[[], Parts], message: MessagePosted) -> Iterator[Act]:
    """Yield what sentences of a new message attribute to an earlier one that has it not; nothing that is in doubt.

    `now` returns the parts as of the message before; it is called where one is named.
    """
    for sentence in filter(MESSAGE.search, sentences_of(message.talk)):
        named, hedged = _named(now(), sentence), default_language().hedges.search(lower(sentence))
        if len(named) == 1 and not hedged and source_told(now(), sentence, message.who, ENGLISH, sure=True):
            yield Act(
                "misquote",
                f"m{named[0]}",
                text=unbroken(sentence),
                who=(now().messages.line(named[0]).who,),
                counted=False,
            )


def whose(parts: Parts, quote: str, speaker: str, words: Words) -> str:
    """Return whose the message is that a quotation names without a member: "all agreed in m8"; empty for its own."""
    numbers = {*_named(parts, quote)}
    alone = len(numbers) == 1 and not any(names(plain_low(quote), who) for who in parts.members)
    authors = [(at, parts.messages.message(at).who) for at in numbers if alone]
    return "".join(words.say("report-author", at=f"m{at}", who=who) for at, who in authors if who != speaker)


def _named(parts: Parts, quote: str) -> list[int]:
    """Return the messages that a quotation names."""
    return [int(digits) for digits in MESSAGE.findall(quote) if 0 < int(digits) <= parts.recent.count]


def _lacking(parts: Parts, number: int, quote: str, named: set[str]) -> str:
    """Return what a message lacks of a quotation, in its talk and its moves."""
    talk = _lacks(parts.messages.line(number).text, quote, named)
    return talk and _lacks(parts.messages.message(number).text, quote, named)


def _lacks(text: str, quote: str, named: set[str]) -> str:
    """Return the message for what a text lacks of a quotation that names it as its source; empty for nothing."""
    told = [words for words in _QUOTED.findall(normalise(quote)) if not MESSAGE.search(words)]
    if not all(find(words, text) for words in told):
        return "report-lacks"
    wanted = stems(MESSAGE.sub(" ", quote)).difference(*map(stems, named))
    has = [sentence for sentence in sentences_of(text) if wanted & stems(sentence)]
    asks = has and all(sentence.endswith("?") for sentence in has) and not quote.endswith("?")
    own = default_language().of_ones_own.search(quote)  # "Ben's point in m2 about pay moves me": its words are mixed
    return "report-asks" if asks else "report-silent" if len(wanted) >= _FEWEST and not has and not own else ""


def _untrue(claim: Claim, record: Record) -> Iterator[RecordFact]:
    """Yield the last that members did who never took the side that a claim gives them, on its texts or on any.

    So does a support on a condition where a claim says that there was none.
    """
    judged = [judge(claim, record)] * (claim.kind == "unconditional")
    yield from (shown for verdict, shown in judged if verdict is False)
    plain = claim.kind in AGREES and not (claim.scope or claim.negated)
    for who in claim.who * plain:
        done = sorted(
            (d for key in claim.texts or record.texts for d in record.deeds(who, key)), key=lambda d: d.message
        )
        at = claim.messages or [each.message for each in done]
        if done and not any(each.deed in AGREES[claim.kind] and each.message in at for each in done):
            yield deed_fact(done[-1])
