"""What members looked up: each passage by its id, and what messages that cite one are shown with.

A citation is `e3` in a message. Its first citation shows the passage to everybody, and words that a message quotes
beside an id are checked: what the passage does not say is said below the message.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from eda.events import Act, Evidence, EvidenceFound, MessagePosted, Minuted
from eda.memory.summaries.summary_input import figures
from eda.panels.documents.document import UNITS, Document, Unit, citing
from eda.text import bare, lower, plain_low, quoted, regex, shorten

_SHOWN = 400  # Characters of a passage that the others are shown.
_ID = regex(r"(?<![\w.@-])e([1-9]\d{0,5})(?![\w@-])")
_QUOTE = regex(r"[“\"«„]([^“”\"«»„\n]{12,})[”\"»“]")
_BEFORE = regex(r"(?<![\w.@-])(e[1-9]\d{0,5})\b[^“\"«„.!?\n]{0,40}\Z")
_AFTER = regex(r"[\s,.;:–—-]*[(\[]?(?:in |from )?(e[1-9]\d{0,5})(?![\w@-])")


@dataclass(frozen=True, slots=True)
class UsedEvidence:
    """A passage that a member looked up, and that messages may cite."""

    id: str
    source: str
    text: str
    who: str  # The member that looked it up.
    tool: str = ""  # The tool that gave it; empty where none did.
    messages: tuple[int, ...] = ()  # Those that cite it.


@dataclass(slots=True)
class EvidenceLooked:
    """All passages, and who cites them."""

    passages: dict[str, UsedEvidence] = field(default_factory=dict)
    _acts: dict[int, tuple[Act, ...]] = field(default_factory=dict)  # What stands below each message that cites some.
    ends: dict[str, tuple[Unit, int]] = field(default_factory=dict)  # Where each document ends.

    @property
    def next(self) -> int:
        """The number of the next passage, from 1."""
        return max((int(key[1:]) for key in self.passages), default=0) + 1

    def begin(self, documents: Iterable[Document]) -> None:
        """Take in which documents there are."""
        self.ends = {each.name: (each.unit, each.last) for each in documents}

    def add(self, event: EvidenceFound) -> None:
        """Take in what a member found; who found a passage first has looked it up."""
        for each in event.found:
            self.passages.setdefault(each.id, UsedEvidence(each.id, each.source, each.text, event.who, event.tool))

    def named(
        self, passages: Iterable[tuple[str, str]], first: int, turn: Sequence[Evidence] = ()
    ) -> tuple[Evidence, ...]:
        """Return passages (place and text) by their ids, new ones from `first` on, after those of the same `turn`."""
        found: list[UsedEvidence | Evidence] = [*self.passages.values(), *turn]
        known = {(each.source, each.text): each.id for each in found}
        numbers = count(max([first, *(int(each.id[1:]) + 1 for each in turn)]))
        return tuple(
            Evidence(id=known.get((source, text)) or f"e{next(numbers)}", source=source, text=text)
            for source, text in passages
        )

    def below(self, number: int) -> tuple[Act, ...]:
        """Return what stands below a message that cites evidence."""
        return self._acts.get(number, ())

    def lacks(self, entry: Minuted, message: Callable[[int], MessagePosted], acts: Iterable[Act]) -> bool:
        """Return whether a sentence has a figure that no passage beside it and no other member's message has.

        A figure of a condition among its message's acts is none.
        """
        cited = any(act.kind == "cite" and act.counted for act in self.below(entry.message))
        known = [each.text for each in map(message, range(1, entry.message)) if each.who != entry.who]
        known += [act.condition for act in acts]
        return not (cited or figures(entry.quote) <= figures("\n".join(known)))

    def hear(self, message: MessagePosted, misquotes: Iterable[Act] = ()) -> tuple[Act, ...]:
        """Take in a message, and what it misquotes of others; return what stands below it."""
        cited = dict.fromkeys(
            f"e{number}" for number in (_ID.findall(message.text) if self.passages or self.ends else ())
        )
        acts = [*misquotes, *(self._act(key, message.number) for key in cited)]
        acts += [Act("misquote", key, text=words) for key, words in self._misquoted(message.text)]
        acts += [Act("cite", place, counted=False) for place in self._missing(message.text)]
        if acts:
            self._acts[message.number] = tuple(acts)
        return tuple(acts)

    @property
    def used(self) -> tuple[UsedEvidence, ...]:
        """The passages that messages cite, the first cited first."""
        cited = (each for each in self.passages.values() if each.messages)
        return tuple(sorted(cited, key=lambda each: each.messages[0]))

    @property
    def unused(self) -> dict[str, tuple[str, ...]]:
        """The places that a member's tools showed it and that no message cites, by the member."""
        rows = [(each.who, each.source) for each in self.passages.values() if each.tool and not each.messages]
        return {who: tuple(dict.fromkeys(place for by, place in rows if by == who)) for who, _ in rows}

    def _act(self, key: str, number: int) -> Act:
        if (passage := self.passages.get(key)) is None:
            return Act("cite", key, counted=False)
        self.passages[key] = replace(passage, messages=(*passage.messages, number))
        shown = "" if passage.messages else shorten(" ".join(passage.text.split()), _SHOWN)
        return Act("cite", key, text=quoted(passage.source), why=shown)

    def _missing(self, text: str) -> Iterator[str]:
        """Yield each page, line or row that is cited behind the end of its document."""
        ends = {lower(name): (name, *end) for name, end in self.ends.items()}
        for match in citing(tuple(self.ends)).finditer(plain_low(text)) if ends else ():
            (name, unit, last), number = ends[match["name"]], int(match["after"] or match["before"] or 0)
            short, begins = UNITS.get(unit, ("", ""))
            if number > last and (match["after_unit"] or match["before_unit"])[0] in begins:
                yield f"{name} {short} {number}"

    def _misquoted(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each id with the words quoted beside it that its passage does not have."""
        for quote in _QUOTE.finditer(text) if self.passages else ():
            beside = _AFTER.match(text, quote.end()) or _BEFORE.search(text, 0, quote.start())
            found = self.passages.get(beside[1]) if beside else None
            if found and bare(quote[1]) not in bare(found.text):
                yield found.id, shorten(" ".join(quote[1].split()), 80)
