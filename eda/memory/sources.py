"""Holds words against the record: whose the messages are that they name, and what they say of other members."""

from collections.abc import Callable, Iterable, Iterator

from eda.events import Act, MessagePosted, RecordFact
from eda.memory.minutes import options
from eda.memory.minutes.model_minutes import find
from eda.memory.parts import Parts
from eda.memory.patterns import default_language
from eda.memory.sentences.claims import OF_MESSAGES, Claim, read
from eda.memory.sentences.judges import fact_words, judge
from eda.memory.sentences.record import AGREES, Record, deed_fact
from eda.memory.summaries.summary_input import parts as sentences_of, stems
from eda.text import lower, names, normalise, plain_low, regex, shorten, unbroken
from eda.words import ENGLISH, Words

MESSAGE = regex(r"\bm(\d{1,6})\b")  # That is named.
_NAMES_ONE = regex(r"m\d")  # A text without it names no message, and that is found sooner.
_FEWEST = 3  # Words of what is said of a message from which they can be looked up in it.
_NEAREST = 160  # Characters of what a message says.
_QUOTED = regex(r'"([^"\s]+(?:\s+[^"\s]+){2,})"')  # Three words or more.


def source_told(parts: Parts, quote: str, speaker: str, words: Words, *, sure: bool = False) -> str:
    """Return what is wrong with what a quotation says of members and their messages; empty where nothing is.

    "As Ada said in m8" is a genuine quotation and no source, if m8 is another's, lacks the words quoted of it, has no
    word of it, or only asks it. "Ada is against it" is one, and false, where Ada opposed nothing. What it says of one
    message and no judge knows stands beside the nearest words of that. Of `sure` faults it says whose the message is,
    and that is wrong, or the message lacks all that it says of it.
    """
    named = {who for who in parts.members if names(plain_low(quote), who)}
    if not named:
        return ""
    record = parts.record(0 if sure else parts.recent.count)
    claims = read(quote, record, OF_MESSAGES if sure else ()).claims
    wrong = _misnamed(parts, quote, claims, {*named, speaker}, words, sure=sure)
    if wrong or sure:
        return wrong
    facts = (fact for each in claims if speaker not in each.who for fact in _untrue(each, record))
    wrong = "".join(words.say("report-record", fact=fact_words(fact, words)) for fact in [*facts][:1])
    return wrong or _unproved(parts, quote, claims, record, words)


def _misnamed(parts: Parts, quote: str, claims: Iterable[Claim], named: set[str], words: Words, *, sure: bool) -> str:
    """Return whose a message is that a quotation names, or what that lacks of it; empty where nothing is wrong."""
    said = {at: each.who for each in claims if each.kind in ("author", "said") for at in each.messages}
    whose = {at: (*each.who, *named) for each in claims if each.kind == "whose" for at in each.messages}
    numbers = _named(parts, quote)
    for number in numbers:
        line = parts.messages.line(number)
        if line.who not in said.get(number, whose.get(number, {line.who}) if sure else named):
            return words.say("report-author", at=f"m{number}", who=line.who)
        wrong = _lacks(line.text, quote, named) if [number] == [*said] == numbers else ""
        wrong = wrong and _lacks(parts.messages.message(number).text, quote, named)  # a move may have it
        if wrong and not (sure and wrong == "report-asks"):
            return words.say(wrong, at=f"m{number}")
    return ""


def _unproved(parts: Parts, quote: str, claims: Iterable[Claim], record: Record, words: Words) -> str:
    """Return the nearest words of the one message of which a quotation says what no judge knows; empty for none.

    Of a question, and of words that it quotes of the message, nothing is to be known.
    """
    told = (e for e in claims if e.kind == "said" or (e.who and e.kind != "put" and judge(e, record)[0] is None))
    numbers = {at for each in told for at in each.messages}
    if (
        len(numbers) != 1
        or {*_named(parts, quote)} != numbers
        or quote.endswith("?")
        or _QUOTED.search(normalise(quote))
    ):
        return ""
    (number,) = numbers
    own = (act.why or act.text for act in parts.acts.of(number))
    wanted = options.stems(MESSAGE.sub(" ", quote))
    first = options.stems(next(filter(MESSAGE.search, quote.split(", ")), ""))
    said = {unbroken(each): options.stems(each) for each in (*sentences_of(parts.messages.line(number).text), *own)}
    # The one with most content words of the quotation, first of its clause that names the message, then the short one.
    near = max(said, key=lambda each: (len(first & said[each]), len(wanted & said[each]), -len(said[each])), default="")
    shared = not wanted.isdisjoint(said.get(near, ()))
    return words.say("report-says", at=f"m{number}", text=shorten(near, _NEAREST).rstrip(".")) if shared else ""


def misquotes(now: Callable[[], Parts], message: MessagePosted) -> Iterator[Act]:
    """Yield what sentences of a new message attribute to an earlier one that has it not; nothing that is in doubt.

    `now` returns the parts as of the message before; it is called where one is named.
    """
    for sentence in filter(
        MESSAGE.search, sentences_of(talk) if _NAMES_ONE.search(talk := normalise(message.talk)) else ()
    ):
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
