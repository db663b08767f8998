"""The words and the dress of move lines: which kind of move a tag stands for, and what the tag and its text say."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from eda.events.records import Move, MoveKind
from eda.text import lower, normalise

_WORDS: dict[MoveKind, str] = {
    "propose": """
        propose, proposed, proposing, proposal, proposition, suggest, suggestion, recommend, recommendation,
        motion, counter-proposal, counterproposal, counter-propose, vorschlag, antrag, gegenvorschlag,
        propuesta, propongo, contrapropuesta, proposer, contre-proposition, proposta, controproposta,
        contraproposta, voorstel, 提案, 提议, 建议""",
    "amend": """
        amend, amended, amending, amendment, reword, rewording, änderung, änderungsantrag, änderungsvorschlag,
        enmienda, amendement, emendamento, emenda, amendering, 修正, 修正案, 修订""",
    "support": """
        support, supported, supporting, endorse, endorsed, endorsement, in favour, in favor, unterstützung,
        unterstütze, zustimmung, dafür, einverstanden, apoyo, a favor, de acuerdo, soutien, soutenir, d'accord,
        appui, appoggio, sostegno, apoio, steun, 支持, 赞成, 賛成""",
    "oppose": """
        oppose, opposed, opposing, object, objection, reject, rejected, disagree, against, ablehnung, dagegen,
        gegen, widerspruch, oposición, en contra, en desacuerdo, contra, rechazo, opposition, contre, rejet,
        contrario, contro, oposição, rejeição, tegen, 反对, 反對, 反対""",
    "neutral": """
        neutral, undecided, abstain, abstained, abstention, enthaltung, unentschieden, neutro, abstención,
        indeciso, neutre, abstenção, astensione, onthouding, 中立, 弃权, 棄権""",
    "withdraw": """
        withdraw, withdrawn, withdrawing, withdrawal, retract, retracted, zurückziehen, zurückgezogen, rückzug,
        retiro, retirar, retirada, retrait, retirer, ritiro, ritirare, intrekken, 撤回""",
    "position": """
        position, stance, standpoint, opinion, view, standpunkt, meinung, haltung, posición, postura, posizione,
        posição, standpunt, 立场, 立場""",
    "deny": "deny, denied, denial, bestreiten, widersprechen, negar, desmentir, démentir, nier, 否认",
    "note": "note, notiz, nota, 备注",
}
"""The words that stand for each kind of move in a tag."""
_WITH_ID: dict[MoveKind, str] = {
    "amend": "revise, modify, modification, update, change, edit, replace, merge, join, combine",
    "support": """
        agree, agreed, second, seconded, approve, accept, adopt, back, concur, for, yes, pro, ja, sí, oui, pour,
        +1, 👍""",
    "oppose": "block, veto, no, con, nein, non, -1, 👎",
    "neutral": "unsure",
    "withdraw": "drop, rescind",
}
"""Further words, which stand for a move only before an id: `[AGREE p5.2]`, not `[AGREE]`."""
_BEFORE = "strongly, strong, friendly, fully, also, still, i, my, we, our, new, final, revised, updated, current"
"""Words before the word of a tag that change nothing. "Not" and "partly" do, so that such a tag is unknown."""


def _plain(text: str) -> str:
    """Return the text in plain spelling and lower case, without accents, of the same length."""
    low = lower(normalise(text))
    return low if low.isascii() else "".join([unicodedata.normalize("NFD", char)[:1] or char for char in low])


def _split(words: str) -> list[str]:
    return re.split(r",\s+", _plain(words).strip())


_KINDS = {word: kind for kind, words in (*_WORDS.items(), *_WITH_ID.items()) for word in _split(words)}
_SURE = frozenset(word for words in _WORDS.values() for word in _split(words))
_TAKES_ID: frozenset[MoveKind] = frozenset(["amend", "support", "oppose", "neutral", "withdraw", "deny"])
NEEDS_TEXT: frozenset[MoveKind] = frozenset(["propose", "amend", "position", "note"])
"""The kinds of moves that are nothing without a text."""
_HEAD = re.compile(
    rf"(?:(?:{_BEFORE.replace(', ', '|')})[\s_-]+)*"
    rf"(?P<word>{'|'.join(re.escape(word) for word in sorted(_KINDS, key=len, reverse=True))})s?(?![\w/']|-[a-z])"
)
_DRESS = re.compile(r"(?:[\s*_`#~+|-]|[^\x00-\x7f\w]|\d{1,2}[^\w\s>\[({<]{1,3}\s|[A-Za-z][.)]\s)*+")
"""Decoration before a tag: list marks, emphasis, headings, symbols. Not `>`, which quotes, and no quotation mark."""
_LIST_MARK = re.compile(r"\d{1,2}[^\w\s>\[({<]{0,3}|[A-Za-z][.)]?")
_LABEL = re.compile(r"(?:my )?(?:moves?|votes?)[\s*_]*:[\s*_`]*(?=[\[({<])")
_BRACKETS = re.compile(
    r"\[+(?P<square>[^\[\]]*)(?:\]+|$)|\((?P<round>[^\[\](){}<>]*)\)"
    r"|\{+(?P<curly>[^\[\](){}<>]*)\}+|<(?P<angle>[^\[\](){}<>]*)>"
)
_LONGEST = 64
"""Characters of a tag; a longer one holds its own text after a colon or an id, or is talk."""
_LOOKED_AT = 80
"""Characters before a bracket, or of the opening of a line, that tell whether it is a tag."""
_ONE_ID = r"#?(?:[a-z]\d+(?:[.@]\d+)?|\d+[.@]\d+)"
_ID = re.compile(_ONE_ID, re.IGNORECASE)
_IDS = re.compile(rf"{_ONE_ID}(?:(?:\s*[,&+/]\s*|\s+)(?:and |und |et |y )?{_ONE_ID})*(?![\w'])", re.IGNORECASE)
_BARE_ID = re.compile(
    rf"(?P<before>[\s*_`:\"#(|-]*)(?P<ids>{_IDS.pattern})(?P<colon>[\s*_`)\"|]*(?:[:=]|-\s|$))?", re.IGNORECASE
)
_BARE_TEXT = re.compile(r"[\s*_`]*:")
_SHOUTED = re.compile(r"(?:PROPOSE|POSITION)(?=[\s*_`]+[\w\"'])")
_LOOSE = re.compile(
    rf"[\s*_`:(\[#\"]*(?:(?:proposal|motion|option)s?\s+)?(?P<ids>{_IDS.pattern})(?=[\s:,.;*_`)\]\"]|$)[)\]\"]*",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?:if|unless|because|since|but|when|once|provided|only)\b")
_CLOSING_TAG = re.compile(r"[<\[]/[^<>\[\]]*[>\]]")
_SENTENCE_END = re.compile(r"[.!?。][)\"']{0,8}[\s*_`]*$")
_MOVE_END = re.compile(r"(?:[.,;:!?&|/)\]}\"。]|\b(?:and|und|et))[\s*_`]*$")
_FURTHER = re.compile(r"[^\[]*\w")
_CLAIMS = re.compile(r"(?:final )?(?:consensus|decision|decided|agreed|agreement|resolved|resolution|final answer)\b")
_NOTHING = re.compile(
    r"(?:none|nothing|nil|null|n/?a|not applicable|nobody|skip|pass|tbd|keine?|nichts|ninguna?|nada|aucune?|rien|无)"
    r"|(?:no(?: new| further| other)?|none|nothing)(?: (?:proposals?|positions?|objections?|comments?|changes?|notes?"
    r"|amendments?|moves?|new|more|further|to (?:add|propose|withdraw|note)|at|for|in|yet|now|here|this|the|time|point"
    r"|moment|turn|stage|so far))+"
)
_TEMPLATE = re.compile(
    r"why(?:; .*)?|text|reason|your (?:text|reason|proposal|position|own texts only)|a proposal in one sentence"
    r"|the proposal as it should read|a new proposal, whole and able to stand alone|another wording of that text, .*"
    r"|where you stand now, in one sentence|the one id or option that you hold now, or one sentence"
    r"|something that the panel must not forget, with its importance .*"
)
"""What the prompt writes after the tags, and its usual stand-ins: a model that echoes it says nothing."""
_DENIED = re.compile(
    r"i (?:do not|don't|cannot|can't|can not|no longer|never|will not|won't) (?:\w+ )?"
    r"(?P<word>support|agree|endorse|oppose|object|disagree)"
)
_FIGURE = re.compile(r"(?<![^\s,;:=|])-?\d+(?:/1000)?(?![^\s,;:|])")
_NAMED = re.compile(r"\b(?:importance|topic)\s*[=:]\s*", re.IGNORECASE)
_IMPORTANCE = 500
_BOLD = "*_`~| \t"


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag in a line, as `[SUPPORT p3.0]`. Its text goes on to the next tag or the end of the line."""

    start: int
    """Where its decoration begins."""
    end: int
    """Where its text begins."""
    kind: MoveKind | None
    """None if it is an unknown tag."""
    inside: str = ""
    """What stands in the tag after its word."""
    written: str = ""


def tags(line: str, *, loose: bool = True) -> list[Tag]:
    """Return the tags of a line, in order: at its beginning, after a sentence, and after the move before it.

    `loose` says whether all words and brackets count, and words without brackets; else only `[PROPOSE]` and its like.
    """
    plain = normalise(line)
    start = _opening(plain)
    first = _bracketed(plain, start, 0, loose=loose) or (_bare(plain, start) if loose else None)
    read = [first] if first else []
    return read + _further(plain, first.end if first else start, read, loose=loose)


def tag_after(line: str, at: int) -> int | None:
    """Return where the first move begins that follows talk in a line, at `at` or later; None if there is none."""
    return next((tag.start for tag in _further(normalise(line), at, [], loose=True)), None)


def _further(plain: str, at: int, before: list[Tag], *, loose: bool) -> list[Tag]:
    """Return the tags of a line from `at` on, after those `before`."""
    read: list[Tag] = []
    known = any(tag.kind for tag in before)
    for match in _BRACKETS.finditer(plain, at):
        above = plain[max(0, match.start() - _LOOKED_AT) : match.start()]
        follows = known and above.rstrip("*_`")[-1:].isspace() and _FURTHER.match(plain, match.end())
        if follows or (_MOVE_END if known else _SENTENCE_END).search(above):
            start = match.start() - len(above) + len(above.rstrip(" *_`"))
            tag = _bracketed(plain, match.start(), start, loose=loose, inline=True)
            if tag is not None and (tag.kind or known):
                read.append(tag)
                known = True
    return read


def _opening(plain: str) -> int:
    """Return the length of the decoration with which a line begins."""
    start = _DRESS.match(plain)
    at = start.end() if start else 0
    label = _LABEL.match(_plain(plain[at : at + _LOOKED_AT]))
    return at + label.end() if label else at


def _bracketed(plain: str, at: int, start: int, *, loose: bool, inline: bool = False) -> Tag | None:
    match = _BRACKETS.match(plain, at)
    if (
        match is None
        or plain.startswith("(http", match.end())
        or ((inline or not loose) and match.lastgroup != "square")
    ):
        return None
    inside = (match[match.lastgroup or ""] or "").lstrip(" *_`\t")
    kind, rest = _kind(inside)
    short = match[0][-1] in "])}>" and len(match[0]) <= _LONGEST
    if kind is None:
        word = re.match(r"[^\W\d_]{2,}", inside)
        shouted = match.lastgroup == "square" and word is not None and word[0].isupper()
        counts = loose and short and shouted and not _CLAIMS.match(_plain(inside))
    else:
        counts = (loose or _plain(inside).startswith(kind)) and _is_move(match, kind, inside, rest, short=short)
    return Tag(start, match.end(), kind, rest, match[0]) if counts else None


def _is_move(match: re.Match[str], kind: MoveKind, inside: str, rest: str, *, short: bool) -> bool:
    """Return whether brackets that begin with a word for a move are one: they are short, or hold its text."""
    if match.lastgroup in ("square", "curly"):
        return short or rest.lstrip()[:1] in (":", "=") or _ID.match(rest.lstrip(" #")) is not None
    if rest and _IDS.fullmatch(_target(rest)) is None:  # "(position paper)", "<note on costs>"
        return False
    return short and (match.lastgroup == "angle" or (kind != "note" and (not inside.islower() or bool(rest))))


def _kind(inside: str) -> tuple[MoveKind | None, str]:
    """Return the kind of move that the words in a tag stand for, None for no move, and what follows the word."""
    head = _HEAD.match(_plain(inside))
    if head is None:
        return None, inside
    rest = inside[head.end() :]
    two = any(word.isupper() and _plain(word) in _SURE for word in re.findall(r"\w+", rest))
    return (_KINDS[head["word"]] if not two and (head["word"] in _SURE or _IDS.match(_target(rest))) else None), rest


def _bare(plain: str, at: int) -> Tag | None:
    """Return the tag without brackets that a line has at `at`.

    It needs capitals or a colon; and an id, but for a proposal or a position.
    """
    head = _HEAD.match(_plain(plain[at : at + _LOOKED_AT]))
    if head is None or not plain[at].isupper():
        return None
    end = at + head.end()
    kind, word = _KINDS[head["word"]], plain[at + head.start("word") : end]
    if kind in ("propose", "position"):
        colon = _BARE_TEXT.match(plain, end)
        return Tag(0, colon.end() if colon else end, kind) if colon or _SHOUTED.match(plain, at) else None
    ids = _BARE_ID.match(plain, end)
    if kind not in _TAKES_ID or head.start("word") or ids is None or ids["ids"][0].isdigit():
        return None
    if not word.isupper() and (head["word"] not in _SURE or not (ids["colon"] or ":" in ids["before"])):
        return None
    return Tag(0, ids.end(), kind, ids["ids"])


def may_become_tag(partial: str) -> bool:
    """True if a line that is still being written may begin with a tag of a move, or does."""
    plain = normalise(partial)
    at = _opening(plain)
    head = _plain(plain[at:])
    if not head or _LIST_MARK.fullmatch(head) or any(tag.start == 0 for tag in tags(partial)):
        return True
    if head[0] in "[({<":
        inside = head.lstrip("[({< *_`\t")
        begun = len(inside) < _LONGEST and re.search(r"[\])}>]", inside) is None
        return begun and (_HEAD.match(inside) is not None or _may_become_word(inside))
    return len(head) < _LONGEST and _may_become_word(head)


def _may_become_word(words: str) -> bool:
    words = re.sub(rf"^(?:(?:{_BEFORE.replace(', ', '|')})[\s_-]+)+", "", words)
    if any(known.startswith(words) for known in (*_KINDS, *_BEFORE.split(", "), "moves", "votes")):
        return True
    head = _HEAD.match(words) or re.match(r"(?:moves?|votes?)(?!\w)", words)
    return head is not None and re.fullmatch(r"[^\w]*(?:[a-z]?\d*[.@]?\d*[\s*_`]*)?", words[head.end() :]) is not None


def make_move(kind: MoveKind, inside: str, text: str) -> Move | None:
    """Return the move of a tag with what stands inside and after it; None if it says nothing."""
    inside, text = inside.strip(), _clean(text)
    if _TEMPLATE.fullmatch(_says(text)):
        return None
    if kind == "note":
        importance, topic = _weight(_NAMED.sub("", inside).strip(" :=#(*_`)"))
        if not text and ": " in topic:
            topic, _, text = topic.partition(": ")
        return Move(kind, text, None, importance, topic) if _means(text) else None
    if kind not in _TAKES_ID:
        inside = _target(inside)
        numbered = inside.isdigit() or (kind == "propose" and _IDS.fullmatch(inside) is not None)
        text = _clean(text if text and numbered else f"{inside} {text}")
        return Move(kind, text) if _means(text) and not _TEMPLATE.fullmatch(_says(text)) else None
    target, text = _addressed(inside, text)
    text = text if _means(text) else ""
    if (kind == "amend" and not text) or not (target or text):
        return None
    return Move(kind, text, target)


def contradicts(kind: MoveKind, text: str) -> bool:
    """True if the text of a move denies its tag: `[SUPPORT p3.0] I do not support this`."""
    denied = _DENIED.match(lower(normalise(text)).lstrip(" *_`"))
    against = ("oppose", "object", "disagree")
    return denied is not None and kind == ("oppose" if denied["word"] in against else "support")


def _addressed(inside: str, text: str) -> tuple[str | None, str]:
    """Return what a move is about, as written, and its text."""
    rest = _target(inside)
    ids = _IDS.match(rest)
    if ids is not None:
        more = rest[ids.end() :].lstrip(' "')
        if not more or not text or more[0] in ":-" or _CONDITION.match(more):
            return ids[0].lstrip("#"), _clean(f"{more} {text}")
    elif ": " in rest:
        rest, _, more = rest.partition(": ")
        text = f"{more} {text}".strip()
    if not rest:
        loose = _LOOSE.match(text)
        if loose is not None:
            return loose["ids"].lstrip("#"), _clean(text[loose.end() :])
    return (rest if _means(rest) else None), text


def _target(inside: str) -> str:
    return inside.strip(" \t:=#(*_`)\"'/-")


def _weight(rest: str) -> tuple[int, str]:
    """Return the importance and the topic of a note, given in either order."""
    number = _FIGURE.search(rest)
    if number is None:
        return _IMPORTANCE, _clean(rest)
    topic = f"{rest[: number.start()]} {rest[number.end() :]}".strip(" ,;:|")
    return min(1000, max(1, int(number[0].partition("/")[0][:6]))), _clean(topic)


def _clean(text: str) -> str:
    text = _CLOSING_TAG.sub("", text).strip(f"{_BOLD}\n").lstrip(":=,;–—- ").strip(_BOLD)
    plain = normalise(text)
    quoted = len(text) > 1 and plain[0] == plain[-1] == '"' and plain.count('"') == 2
    return text[1:-1].strip() if quoted else text


def _says(text: str) -> str:
    return lower(normalise(text)).strip(" .…!<>{}[]()\"'-")


def _means(text: str) -> bool:
    """True if a text says something: "none", "N/A" and a dash do not."""
    words = _says(text)
    return bool(words) and _NOTHING.fullmatch(words) is None
