"""Reads any ballot: JSON in any dress, or words. What has one reading is read; else it says what must be asked."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, dropwhile, takewhile
from typing import Any

from eda.events import MAX_MESSAGE, Doubt
from eda.runners.repair import pieces_of, without_thinking
from eda.text import regex, sentences
from eda.voting.ballot_clauses import (
    ORDINALS,
    SIDES,
    AskError,
    Item,
    ask_where,
    clauses_in,
    ids_of,
    roles_of,
    strange_in,
)
from eda.voting.ballot_data import DataReader, roles_in, said_by
from eda.voting.ballot_entries import entries_in
from eda.voting.ballot_prose import Vote, prose_vote
from eda.voting.mentions import NamedText, lettered, mentions, texts_of

_BOX = regex(r"^([^\S\n]*(?:(?:[-*+]|\d+[.)])[^\S\n]*)?)\[([ xX✓✔])\]", "M")
# Roles of words by which a line that is labelled as a reason may vote as well.
_VOTES = frozenset({"label", "accept", "order", "final", "correction", "none", "abstain", "rest"})
_AGAINST = frozenset({"refuse", "none", "abstain", "condition", "rest", "correction", "both", "last", *ORDINALS})
# Those by which a sentence that tells what moved its voter may vote as well.
_SAYS = _AGAINST | SIDES | {"accept", "whole"}
_LAST_KEY = regex(r"""(\w+)["']?\s*:\s*["“'][^"”]*$""")


@dataclass(frozen=True, slots=True)
class BallotRead:
    """What a ballot says, or why its voter must be asked."""

    accepts: list[str | list[str]]
    """The ids of the texts accepted, best first; those that are tied in a list of their own."""
    none: bool = False
    abstain: bool = False
    ask: Doubt | None = None
    """What keeps the ballot from having one reading; None where it has one. Then nothing else is set."""


def read_ballot(raw: str, texts: Iterable[NamedText | Mapping[str, Any]]) -> BallotRead:
    """Return what a ballot accepts of the texts, in whatever form it is written, or why it must be asked about.

    Args:
        raw: the answer of a model or a person.
        texts: in the order shown; each with an `id` and a `text`, and a `title`, a `letter` and `by` where these were
            shown.
    """
    try:
        vote = vote_in(raw, texts_of(texts))
    except AskError as error:
        return BallotRead([], ask=error.doubt)
    accepts = [each if isinstance(each, str) else list(each) for each in vote.accepts]
    return BallotRead(accepts, vote.none, vote.abstain)


def the_one_named(raw: str, choices: Sequence[str]) -> str | None:
    """Return the choice that an answer accepts and no other; None where it names none, or is not clear."""
    first = next(iter(accepts := read_ballot(raw, lettered(choices)).accepts), None)
    return first if isinstance(first, str) and len(accepts) == 1 else None


def vote_in(raw: str, texts: Sequence[NamedText]) -> Vote:
    """Return the vote of an answer.

    Raises:
        AskError: it has no one reading.
    """
    # the end of a cut ballot could say the opposite
    ask_where(len(answer := without_thinking(raw)) > MAX_MESSAGE, "other words")
    text = without_courtesies(answer, texts)
    text = _BOX.sub(lambda box: f"{box[1]}{'❌' if box[2] == ' ' else '✅'}", text)
    pieces = [  # a list of one name is a name in brackets
        each
        for each in pieces_of(text)
        if each[2] and (len(each[2]) > 1 or isinstance(each[2], Mapping) or isinstance(each[2][0], list | dict))
    ]
    if not pieces:
        return _worded_vote(text.replace("```", "").splitlines(), texts)
    last = text[pieces[-1][0] : pieces[-1][1]].rstrip()
    key = _LAST_KEY.search(last)  # it may break off in its reason
    ask_where(last[-1] not in "}]" and (key is None or said_by(key[1], texts) != "because"), "other words")
    votes = [_data_vote(value, texts) for _, _, value in pieces]
    differ = any(vote != votes[-1] for vote in votes)
    ask_where(differ and roles_in(text[pieces[-2][1] : pieces[-1][0]]).isdisjoint({"final", "correction"}), "two votes")
    ask_where(
        any(each.how in ("id", "title", "text") for each in mentions(text[pieces[-1][1] :], texts)), "other words"
    )
    return votes[-1]


def without_courtesies(text: str, texts: Sequence[NamedText]) -> str:
    """Return an answer without its greeting and the courtesy that ends it, where these name no text."""
    # An author's name behind it is the voter's.
    text = _CLOSING.sub(lambda end: end[0] * _says_more(end["tail"] or end["name"] or "", texts, "author"), text)
    # "Ada's m8 moved me most" names no text of Ada's; a sentence behind it is a reason
    for begin, end in reversed(sentences(text)):
        if _mover_in(sentence := text[begin:end]) and not (
            roles_in(sentence) & _SAYS or _says_more(sentence, texts, "author")
        ):
            text = f"{text[:begin]}\n\n{text[end:]}"
    text = _MOVED.sub(
        lambda moved: "\n\n" * (moved.string[moved.end() :][:1] in {".", "!"}),
        _SORRY.sub(lambda sorry: sorry[0] * _says_more(sorry["for"] or "", texts, "author"), _LABELLED.sub("\n", text)),
    )
    return _OPENING.sub(lambda head: head[0] if _says_more(head["whom"], texts) else head["label"], text)


def _says_more(words: str, texts: Sequence[NamedText], how: str = "") -> bool:
    """Return whether words in a courtesy take a side, or name a text otherwise than by `how`."""
    return not roles_in(words).isdisjoint(_AGAINST) or any(
        one.how != how for one in mentions(words, texts, by_words=True)
    )


def _worded_vote(lines: Sequence[str], texts: Sequence[NamedText]) -> Vote:
    """Return the vote of lines of words; those labelled as reasons only count where they vote as well."""
    parts = [line.partition(":") for line in lines]
    told = {at: what for at, (head, _, what) in enumerate(parts) if what and said_by(head, texts) == "because"}
    kept = (line.rstrip() for at, line in enumerate(lines) if at not in told or roles_in(told[at]) & _VOTES)
    ranked, _, last = (voting := "\n".join(kept).strip()).rpartition("\n\n")
    try:
        vote = prose_vote(voting, texts)
    except AskError:
        exact = ranked and all(each.how != "words" for each in mentions(ranked, texts, by_words=True))
        if not exact or not _argues(last, vote := prose_vote(ranked, texts), texts):
            raise
    return _with_reason(vote, [*told.values()], texts)


def _argues(paragraph: str, vote: Vote, texts: Sequence[NamedText]) -> bool:
    """Return whether a paragraph says why, and names no text but by words of those that a vote accepts."""
    clauses = clauses_in(paragraph, texts)
    nothing = (
        [*takewhile(lambda item: "none" not in item.roles, each)] for each in clauses if "none" in roles_of(each)
    )
    votes = any(_refusal_in(each) or roles_of(each) & SIDES - {"refuse", "no", "none"} for each in clauses)
    argues = not votes and all(map(strange_in, nothing)) and any(map(strange_in, clauses))
    return argues and all(
        item.ids is None or (item.how == "words" and {*item.ids} <= {*vote.texts}) for item in chain(*clauses)
    )


def _data_vote(value: Any, texts: Sequence[NamedText]) -> Vote:
    """Return the vote of a value."""
    data = DataReader(texts)
    vote = _with_reason(data.vote(value), data.reasons, texts)
    ask_where(vote.abstain and "none" in roles_in("\n".join(data.reasons)), "no choice")
    ask_where(not vote, "no vote")
    return vote


def refused_in(reason: str, texts: Sequence[NamedText]) -> list[str]:
    """Return the texts that a reason refuses by name and in so many words, of whomever: "o2 must be rejected"."""
    refused: list[str] = []
    for clause in clauses_in(reason, texts):
        named = ids_of(item for item in clause if item.how in ("id", "title", "text"))
        if not (said := _refusal_in(clause)):
            continue
        alone = len({*named}) == 1 or roles_of(clause).isdisjoint({"accept", "order", "over", *ORDINALS})
        if alone and "negator" not in said[0].roles:
            refused += named
        elif not strange_in(clause):
            with suppress(AskError):
                refused += [each.id for each in entries_in(clause, refused=None) if each.refused and each.id in named]
    return [*dict.fromkeys(refused)]


def _refusal_in(clause: Sequence[Item]) -> Sequence[Item]:
    """Return what a clause refuses, up to a comma or condition; nothing where it may be denied, or of somebody else."""
    said = [*dropwhile(lambda item: "refuse" not in item.roles or item.ids is not None, clause)]
    said = [*takewhile(lambda item: item.word != "," and "condition" not in item.roles, said)]
    last = max((at for at, item in enumerate(said) if item.ids), default=0)
    others = [item.roles for item in said[1:] if "refuse" in item.roles and item.ids is None]
    denied = any("negator" in said[0].roles or roles & {"negator", "no"} for roles in others)  # "I am not against o2"
    return [] if denied or strange_in(said[last:]) or "done" in roles_of(said) else said


def _with_reason(vote: Vote, reasons: Sequence[str], texts: Sequence[NamedText]) -> Vote:
    """Return a vote whose reasons do not speak against it."""
    reason = "\n".join(reasons)
    ask_where(refused := {*refused_in(reason, texts)} & {*vote.texts}, "refuses", refused)
    # in so many words: "I accept o2 only if the gate stays"
    ask_where(
        vote.accepts and any({"accept", "proviso"} <= roles_of(clause) for clause in clauses_in(reason, texts)),
        "on a condition",
        vote.texts,
    )
    return vote


_FIGURE = r"(?:\d{1,3}(?:[.,]\d+)? ?(?:%|/ ?10\b)|[01][.,]\d+)"
# How sure a voter is: "confidence 0.7", "I'm fairly sure, about 0.7", "70 % sure"; "sure that 70 % come" is of them.
_SURE = regex(
    r"\b(?:confiden(?:ce|t(?!\W{1,3}that\b))\b[^\d.;!?]{0,12}(?=\d)|"
    r"(?:sicherheit|zuversicht)\W{1,3}(?=[\d.,]+ ?(?:%|/ ?10\b|[.,;!?)]|$)))"
    r"(?P<share>\d{1,3}(?:[.,]\d+)? ?(?:%|/ ?10\b)?)|"
    r"(?:\bI(?:['’]m| am| feel)|\bich bin(?: mir)?|^|[.;!](?=\s)|(?<=\d),|(?<=\d )\()"
    r"(?:\s?(?:pretty|fairly|quite|very|rather|about|around|roughly|ziemlich|recht|sehr|zu|etwa|rund)\b)*\s?"
    rf"(?:(?P<before>{_FIGURE}) (?:sure|certain|confident|sicher|zuversichtlich)|"
    r"(?:sure|certain|sicher|zuversichtlich)[,:;(–-]* ?(?:(?:about|say|around|roughly|etwa|rund|sagen wir|zu) )?"
    rf"(?P<behind>{_FIGURE}))(?=\s*(?:[.;!)](?!\d)|,(?!\d)|(?:since|because|as|weil|denn)\b|$))",
    "IM",
)
_UNMOVED = "".join(f"(?<!{word} )" for word in ("not", "no", "never", "hardly", "least", "nicht", "kaum", "wenigsten"))
_WHO_SAID = r"(?:(?!neither|weder|not|nicht)[^\W\d_]+(?:['’]s?|s)?,? (?:(?:in|with|by|mit) )?)?"
_MOVED = regex(
    rf"{_UNMOVED}(?<!['’]s )\b(?:[^\W\d_]+(?:['’]s?|s) )?m(\d{{1,6}})"
    r"(?: (?:by|von) [^\W\d_]+)?(?:,? (?:that|which))?"
    r"(?:(?: has| really)? (?:(?:moved|convinced|persuaded) me\b(?! (?:less|to)\b)(?: (?:the )?most\b)?|"
    r"won me over\b|changed my mind\b)|"
    r" (?:hat )?mich(?: am meisten)? (?:bewegt|überzeugt|umgestimmt)\b)|"
    rf"{_UNMOVED}\b(?:(?:what )?"
    r"(?:moved|convinced|persuaded)(?: most by:?| by:?|:| me(?: (?:the )?most)?(?:,? (?:in|with|by|was|is)|:))|"
    r"(?:am meisten )?(?:bewegt|überzeugt|umgestimmt)(?: (?:hat mich(?: am meisten)?|durch|von):?|:)|"
    rf"was mich(?: am meisten)? (?:bewegt|überzeugt|umgestimmt) hat,? (?:war|ist)) \**{_WHO_SAID}m(\d{{1,6}})\b",
    "I",
)
_ID = regex(r"\bm(\d{1,6})\b", "I")
# That something moved the voter, in any place of a sentence.
_MOVES = regex(
    r"\b(?:moved|convinced|persuaded|swayed) me\b|\bwon me over\b|\bchanged my mind\b|"
    r"\bI (?:was|am|have been)(?: most| mostly)? (?:moved|convinced|persuaded|swayed)(?: most| mostly)? by\b|"
    r"^\W*(?:most )?(?:moved|convinced|persuaded|swayed)(?: most| mostly)? by\b|"
    r"\bmich\b[^,;]{0,30}\b(?:bewegt|bewogen|überzeugt|umgestimmt)\b|"
    r"\b(?:bewegt|bewogen|überzeugt|umgestimmt) (?:hat|haben|hatte) mich\b",
    "I",
)
# It may not have moved the voter, or only at some time, or is asked or quoted.
_UNMOVED_THERE = regex(
    r"n['’]t\b|[?\"“”„«»{}]|\b(?:not?|nor|neither|never|nobody|nothing|none|hardly|barely|least|less|little|almost|"
    r"nearly|would|could|might|should|had|if|unless|first|once|until|before|after|despite|unlike|against|than|"
    r"except|without|since|instead|rather|(?:said|says|wrote|claims|claimed)\b.{1,120}\bthat|nicht|kein\w*|kaum|wenig\w*|weder|"
    r"nie|niemals|niemand|nichts|fast|beinahe|würde\w*|hätte\w*|könnte\w*|wäre\w*|wenn|falls|zuerst|zunächst|anfangs|"
    r"bis|bevor|vor|nach|trotz|außer|ohne|als|statt|obwohl|noch)\b",
    "IS",
)
_LABELS = (
    r"reasons?|why|because|grund|gründe|begründung|warum|weil|raison|pourquoi|parce que|motivo|porque|razón|perché|"
    r"reden|omdat"
)
_LABELLED = regex(rf"(?<=[.!?])\s+(?=(?:{_LABELS})\s*:)", "I")
_WHY = regex(rf"(?<!\w)(?:{_LABELS})(?!\w|\s*\|)[\s*_:\"']*(\S.*)", "IS")
# A courtesy that ends an answer, with a name; behind a short one, of no text.
_CLOSING = regex(
    r"(?:(?:\b(?:with )?(?:my )?(?:(?:best|kind|kindest|warm|warmest) (?:regards|wishes)|yours (?:sincerely|truly))|"
    r"\bmit (?:freundlichen|besten|herzlichen|lieben|vielen) grüßen|\b(?:viele|beste|herzliche|liebe|schöne) grüße|"
    r"(?:(?<=[.!?\n])|^)[^\S\n]*(?:regards|sincerely|cordialement|bien à vous|"
    r"(?:un )?saludos?|cordiali saluti|atenciosamente|met vriendelijke groet))"
    r"(?P<tail>[,!.]?(?:[^\S\n]*\n)?[^\d\n:>=,]{0,40})|"
    r"(?:(?:(?<=[.!?\n])|^)[^\S\n]*(?:best|warmly|herzlich)|(?:(?<=[.!?\n,;–-])|^)[^\S\n]*(?:cheers|(?:many )?thanks|"
    r"thank you|all the best|mfg|lg|vg|gr[uü](?:ß|ss)e?|danke|(?:vielen|herzlichen|besten) dank|"
    r"(?:einen )?(?:schöne[nr]?|liebe[nr]?|beste[nr]?|viele) (?:gru(?:ß|ss)|grü(?:ß|ss)e)))"
    r"[,!.]?(?P<name>(?:\s+[^\W\d_]{2,}){0,2})[.!]?)\s*$",
    "I",
)
# What is sorry for somebody, or behind the no of a row, as in "o2: no, sorry", corrects nothing.
_SORRY = regex(
    r"(?<=[:=–-] no),?[ \t]+sorry[ \t.!]*$|(?:(?<![^.!?\n(])|(?<=[.!?,] ))(?:(?:i'm|i am) )?(?:so |very )?sorry "
    r"(?P<for>(?:for|about|to|that|i'm|i am|für|wegen|dass) [^.!?\n\d,;:()]{1,60}|[^\W\d_]{3,})(?=[.!)\n]|$)",
    "IM",
)
# A greeting before an answer, and whom it greets.
_OPENING = regex(
    r"\A\s*+(?P<label>(?:(?:here(?: is|['’]s)|hier(?: ist)?) )?"
    r"(?:(?:my (?:vote|ballot|list)|meine (?:stimme|liste)|mon vote|mi voto|il mio voto|mijn stem|meu voto)?))[\s,]*+"
    r"(?P<whom>(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|liebe[rs]?|hallo|guten (?:tag|morgen|abend)|"
    r"thanks|thank you|danke(?: euch| an)?|bonjour|salut|merci|chers?|hola|gracias|ciao|grazie|ol[áa]|beste) "
    r"(?:dear |liebe[rs]? )?(?:all|everyone|everybody|you all|alle|allen|zusammen|à tous|amis|collègues|a todos|"
    r"a tutti|allemaal|mensen|moderator(?:in)?)|good (?:morning|afternoon|evening)|guten (?:tag|morgen|abend)|"
    r"(?:dear|liebe[rs]?|hallo|hello|hi|hey) [^\W\d_]{3,}|ihr lieben|"
    r"(?:(?:hi|hello|hey|ok|okay|so|well(?: then)?|hallo|also|na),? )?(?:(?:my|meine|mes|mijn) )?"
    r"(?:(?:dear|liebe[nr]?|chers|queridos|cari|caros) )?"
    r"(?:friends|folks|people|colleagues|team|leute|freunde|kollegen|kolleginnen|amis|amigos|amici|colleghi)))"
    r"\s*(?=[,:](?!\s*(?:dear|lieber?)\b))",
    "I",
)
_GREETS = 3  # Words of a greeting, "Good evening, all", which is no reason.
# A message as what moved a voter: its number, also beside its speaker's name.
_MESSAGE = regex(r"\s*\[?(\d{1,6})\]?\s*|[^\d]*?(?<!['’])\bm ?(\d{1,6})\b\D*", "I")


def said_beside(text: str, texts: Sequence[NamedText]) -> dict[str, Any]:
    """Return `confidence`, `moved_by` and `reason` as far as an answer says them.

    The reason is what stands behind a key or a label that says so, or in words the sentences that neither vote nor name
    a text; a vote alone is none.
    """
    text = _CLOSING.sub("", text)
    data = [value for _, _, value in pieces_of(text) if isinstance(value, Mapping)]
    told = [each for value in data for key, each in value.items() if regex(_LABELS).fullmatch(str(key).strip().lower())]
    sure, why = _SURE.search(text), None if data else _WHY.search(text)
    movers = {each for begin, end in sentences(text) if (each := _mover_in(text[begin:end]))}
    reason = " ".join(map(str, told)) or (why[1] if why else "" if data else _argument(text, texts))
    says = {
        "confidence": sure and (sure["share"] or sure["before"] or sure["behind"]).strip(),
        "moved_by": f"m{movers.pop()}" if len(movers) == 1 else "",
        "reason": reason,
    }
    return {name: value for name, value in says.items() if value}


def _argument(text: str, texts: Sequence[NamedText]) -> str:
    """Return the sentences of a vote in words that neither vote nor greet, nor name a text or what moved the voter."""
    parts = [text[begin:end].strip() for begin, end in (sentences(text) if mentions(text, texts) else ())]
    return " ".join(
        each for each in parts if len(each.split()) > _GREETS and not _mover_in(each) and _argues(each, Vote(), texts)
    )


def _mover_in(sentence: str) -> str:
    """Return the number of the one message that a sentence says moved its writer; empty where it may say otherwise."""
    if moved := _MOVED.search(sentence):
        return moved[1] or moved[2]
    ids = {*_ID.findall(sentence)}
    return ids.pop() if len(ids) == 1 and _MOVES.search(sentence) and not _UNMOVED_THERE.search(sentence) else ""


def moved_by(data: Mapping[str, Any]) -> int | None:
    """Return the number of the message that moved the voter; None where it names none in that form."""
    wanted = data.get("moved_by")
    number = _MESSAGE.fullmatch(str(wanted)) if isinstance(wanted, str | int) else None
    return int(number[1] or number[2]) or None if number else None
