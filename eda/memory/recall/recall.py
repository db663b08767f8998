"""Search over every message of one conversation. A message can be searched as soon as it was added.

The index has no text, only the messages of each word; texts are read from the log.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter

from eda.errors import UsageError
from eda.events import Event, Line, MessagePosted, Recalled
from eda.memory.patterns import default_language
from eda.memory.recall.index import REACH, Held, Postings, newest, rank, rarity, split, worth
from eda.memory.snapshot import Given
from eda.text import grouped, normalise, sentences

Asked = tuple[set[int], list[Held]]  # The speakers that a query names, and its other words.
Sentences = list[tuple[float, slice]]  # Of each sentence: the factor on its score, and where it stands.
# A message, its stems in order, and of each a bit for each sentence that has it: a third of the memory of a dict.
Compared = tuple[Line, Sentences, tuple[int, ...], tuple[int, ...]]
Fact = Callable[[int], Event]  # Returns the fact with a `seq` from the log.

_MOST_WORDS = 16  # Most words of a query that are looked up: the rarest.
_MOST_HITS = 600  # Most places of all these words together that are looked at: the newest of each word.
_POOL = 20  # Most results that are ranked together with their neighbours; else twice as many as requested.
_LINES = 1024  # Most messages whose text stays at hand though the log has it.
_ANSWER = 25  # A message of fewer words may answer one beside it in words of its own; a longer one repeats some.
_NAMED = 1.5  # Factor on the score of a message whose speaker the query names.


class Recall:
    """The index of one conversation, without its text: `line` returns a message by its number."""

    def __init__(self, read: Callable[[int], Line]) -> None:
        self._stop_words = default_language().search_stop_words
        self.line = read
        self.said = Postings()
        self._worths = array("d", [0])  # The worth of each message by its length, by number; 0 where there is none.
        self.answers = list[int]()  # The numbers of messages of few words.
        self._who = array("I", [0])
        self._topic = array("I", [0])
        self._speakers: dict[str, int] = {}  # Numbers of the speakers, by name as written; those of topics likewise.
        self._topics: dict[str, int] = {}
        self._parts: dict[str, set[int]] = {}  # Numbers of the speakers whose names have a word, as written.
        self.sentences: dict[int, Compared] = {}  # What was read of messages that were compared, by number.

    @property
    def count(self) -> int:
        """The number of the last message; 0 before the first."""
        return len(self._worths) - 1

    def add(self, message: MessagePosted) -> None:
        """Add the next message. ValueError where its number is not the next one."""
        if message.number != self.count + 1:
            raise ValueError(f"message {message.number} after message {self.count}: each counts on by one")
        words = split(message.talk)
        self.said.add(message.number, dict.fromkeys(map(str.lower, words)))
        # At least 1: a message without words still has neighbours.
        self._worths.append(worth(max(len(words), 1)))
        if len(words) < _ANSWER:
            self.answers.append(message.number)
        self._who.append(self._speaker(message.who))
        self._topic.append(self._topics.setdefault(message.topic or "", len(self._topics)))

    def next_of(self, who: str | None, after: int) -> Line | None:
        """Return a member's next message; None where there is none yet."""
        spoke = self._speakers.get(who or "", -1)
        return next(
            (self.line(number) for number in range(after + 1, self.count + 1) if self._who[number] == spoke), None
        )

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        speaker: str | None = None,
        since: int | None = None,
        until: int | None = None,
        topic: str | None = None,
    ) -> tuple[Recalled, ...]:
        """Return up to `k` messages that have words of the query, or are beside such messages, best first.

        The query is words, never syntax. The name of a speaker in it, written as the speaker's, favours that speaker's
        messages. `since` and `until` are message numbers, both included; `speaker` and `topic` are compared without
        regard to case. The time is bounded: the 16 rarest words are looked up, and 600 places in all. UsageError where
        there is no query, `k` is below 1, or `since` is after `until`.
        """
        if not query.strip():
            raise UsageError("the query is empty", hint="give words that were said")
        if k < 1:
            raise UsageError(f"cannot find {k} messages", hint="ask for at least one")
        if since is not None and until is not None and since > until:
            raise UsageError(f"no message stands from {since} to {until}", hint="swap the two")
        first = max(since or 1, 1)
        last = self.count if until is None else min(until, self.count)
        wanted = [
            (column, {number for each, number in known.items() if each.strip().casefold() == name.strip().casefold()})
            for column, known, name in ((self._who, self._speakers, speaker), (self._topic, self._topics, topic))
            if name is not None
        ]
        fits = (lambda number: all(column[number] in numbers for column, numbers in wanted)) if wanted else None
        lines = ((self.line(n), score) for score, n in self.ranked(self.asked(query), k, first, last, fits))
        return tuple(Recalled(line.number, line.who, line.text, score) for line, score in lines)

    def ranked(
        self,
        asked: Asked,
        k: int,
        first: int,
        last: int,
        fits: Callable[[int], bool] | None = None,
        brief: Sequence[int] | None = None,
    ) -> list[tuple[float, int]]:
        """Return the scores and numbers of up to `k` messages from `first` to `last` that fit, best first.

        One that has no word of the query itself is beside one that has, and in `brief` where that is given.
        """
        named, held = asked
        postings = self._postings(held, max(first - REACH, 1), min(last + REACH, self.count))
        scores = rank(postings, self._worths, first, last, fits, max(k, min(2 * k, _POOL)), brief)
        for number in scores if named else ():
            scores[number] *= _NAMED if self._who[number] in named else 1.0
        return [(scores[n], n) for n in sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:k]]

    def weights(self, words: Iterable[Held], until: int) -> dict[int, tuple[float, Sequence[int]]]:
        """Return the rarity and messages of each stem of the words that some up to `until` have, and not too many."""
        count, most = self.count, max(_FEW, self.count // _COMMON)
        return {
            stem: (rarity(len(numbers), count), numbers)
            for _, stem, numbers in words
            if numbers and numbers[0] <= until and len(numbers) <= most
        }

    def _speaker(self, name: str) -> int:
        number = self._speakers.get(name)
        if number is None:
            number = self._speakers[name] = len(self._speakers)
            for word in split(name):
                self._parts.setdefault(word, set()).add(number)
        return number

    def asked(self, *texts: str) -> Asked:
        """Return the speakers that the texts of a query name best, and what is known of its other words, each once."""
        pieces = [_written(text, self._stop_words) for text in texts]
        written = [word for words, _ in pieces for word in words]
        named, names = self._named(written) if not self._parts.keys().isdisjoint(written) else (set(), set())
        lowered = (word.lower() for word in written if word not in names) if names else ()
        others = [word for word in lowered if word not in self._stop_words]
        if not others:
            named, others = set(), [word for _, words in pieces for word in words] or [*map(str.lower, written)]
        return named, self.said.looked_up([*dict.fromkeys(others)])

    def _named(self, written: list[str]) -> tuple[set[int], set[str]]:
        """Return the speakers of whose names a query has most words, and those words."""
        matches: dict[int, set[str]] = {}
        for place, word in enumerate(written):
            # A letter may be a name ("What did B think?"), but not "I", nor the first word ("A button").
            if word in self._parts and (len(word) > 1 or (place and word.isupper() and word != "I")):
                for number in self._parts[word]:
                    matches.setdefault(number, set()).add(word)
        most = max(map(len, matches.values()), default=0)
        best = {number: parts for number, parts in matches.items() if len(parts) == most}
        return set(best), set().union(*best.values())

    def _postings(self, words: list[Held], first: int, last: int) -> list[tuple[float, list[int]]]:
        left, count, known = _MOST_HITS, self.count, list[list[int]]()
        postings: list[tuple[float, list[int]]] = []
        for own, _, holders in sorted(words, key=itemgetter(0))[:_MOST_WORDS]:
            # Words that only the last messages have are most of the rarest.
            numbers = newest(holders, first, last, left) if holders and holders[0] <= last else []
            # Two forms of one word have the same stem, so the same messages.
            if numbers and numbers not in known:
                known.append(numbers)
                postings.append((rarity(max(own, len(numbers)), count), numbers))
                left -= len(numbers)
            if left <= 0:
                break
        return postings


@lru_cache(maxsize=32)  # the last messages are looked up again at each of the next ones
def _written(text: str, stop_words: frozenset[str]) -> tuple[list[str], list[str]]:
    """Return the words of a text as written, and in lower case, each once and without stop words."""
    words = split(text)
    return words, [word for word in dict.fromkeys(map(str.lower, words)) if word not in stop_words]


@dataclass(slots=True)
class Messages:
    """Every message, for recall. Its text is read from the log where there is one, else kept here."""

    fact: Given[Fact | None]
    _kept: dict[int, MessagePosted] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)  # The `seq` of each message.
    # The messages whose typed line waits for its author's yes, or waited for it.
    offered: set[int] = field(default_factory=set)
    _lines: dict[int, Line] = field(init=False, default_factory=dict, compare=False)  # read already
    _recall: Recall = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.fact is None and len(self._kept) < len(self._places):
            raise ValueError("this memory left its messages in a log: give `fact`, such as `session.fact`")
        self._recall = Recall(self.line)

    def add(self, message: MessagePosted) -> None:
        """Add the next message; it can be recalled at once."""
        if self._recall.count == len(self._places):
            self._recall.add(message)
        self._places.append(message.seq)
        self._keep(message.number, message)
        if message.line is not None and message.line.how == "offered":
            self.offered.add(message.number)
        if self.fact is None:
            self._kept[message.number] = message

    def __len__(self) -> int:
        return len(self._places)

    @property
    def recall(self) -> Recall:
        """The index of all messages. Those of a saved memory are indexed at the first search."""
        for number in range(self._recall.count + 1, len(self) + 1):
            self._recall.add(self.message(number))
        return self._recall

    def line(self, number: int) -> Line:
        """Return a message of any age."""
        if number not in self._lines:
            self._keep(number, self.message(number))
        return self._lines[number]

    def naming(self, number: int) -> list[Line]:
        """Return the later messages that name message `number`, oldest first."""
        ((_, _, numbers),) = self.recall.said.looked_up([f"m{number}"])
        return [self.line(at) for at in numbers if at > number]

    def _keep(self, number: int, message: MessagePosted) -> None:
        if len(self._lines) == _LINES:
            self._lines.clear()
        self._lines[number] = message.shown

    def whole(self) -> "Messages":
        """Return the same messages with their text, which needs no log."""
        return Messages(
            None, {number: self.message(number) for number in range(1, len(self) + 1)}, self._places, self.offered
        )

    def message(self, number: int) -> MessagePosted:
        """Return the fact of a message."""
        message = self._kept[number] if self.fact is None else self.fact(self._places[number - 1])
        if not isinstance(message, MessagePosted):
            raise ValueError(f"fact {message.seq} is no message: these places are another log's")  # noqa: TRY004 - data
        return message


_READ_OF = 4_000  # Characters read of a message; of a longer one its beginning and its end.
_QUESTIONS, _WORDS = 3, 4  # Questions looked up, the newest; and the least words of one.
_OLDER = 0.5  # Factor on a question for each message after it.
_OPENING, _OPENINGS = 200, 0.3  # Characters of each message looked up beside questions, and the factor on the result.
_COMPARED = 30  # Messages whose sentences are compared, for each text looked up.
_FEW, _COMMON = 20, 5  # A word of more messages than these, and than one in so many, tells no sentence from others.
_BEST, _FADES = 12, 0.5  # Most sentences found, and the least share of the best score.
_BESIDE = 0.5  # Factor on a word of the sentence before or after.
_ASKS = 0.2  # Factor on a sentence that asks too: it answers nothing.
_GAP = "[...]"


def discussed(lines: Sequence[Line]) -> list[tuple[float, tuple[str, ...]]]:
    """Return what the last messages ask, the newest first, and how they begin, each with its weight, at most 1."""
    questions = [
        (_OLDER**age, (_looked_at(line.text)[place],))
        for age, line in enumerate(reversed(lines))
        if "?" in normalise(line.text)
        for words, asks, place in reversed(_parts(line.text))
        if asks and len(words) >= _WORDS
    ]
    return [*questions[:_QUESTIONS], (_OPENINGS, tuple([line.text[:_OPENING] for line in lines]))]


def excerpts(recall: Recall, asked: Iterable[tuple[float, tuple[str, ...]]], until: int) -> list[Recalled]:
    """Return what messages up to `until` say about texts, each given with its weight; one result a message."""
    best: dict[tuple[int, int], float] = {}  # scores of sentences, by message and place
    for weight, texts in asked:
        query = recall.asked(*texts)
        found = recall.ranked(query, _COMPARED, 1, until, brief=recall.answers)
        weights = recall.weights(query[1], until) if found else {}
        read = {number: _read(recall, number) for _, number in found}
        shared: dict[int, list[tuple[float, int]]] = {number: [] for number in read}
        for stem, (rare, numbers) in weights.items():
            for number in numbers if len(numbers) < len(read) else read:
                if number in shared:
                    _, _, stems, bits = read[number]
                    if (at := bisect_left(stems, stem)) < len(stems) and stems[at] == stem:
                        shared[number].append((rare, bits[at]))
        for whole, number in found:
            for place, score in _scores(whole, read[number][1], shared[number]):
                best[number, place] = max(weight * score, best.get((number, place), 0.0))
    least = _FADES * max(best.values(), default=0.0)
    near = sorted([key for key, score in best.items() if score > least])
    return [
        Recalled(number, line.who, _shown(line.text, parts, places), best[number, places[0]])
        for number, places in grouped(sorted(near, key=best.__getitem__, reverse=True)[:_BEST]).items()
        for line, parts, _, _ in [_read(recall, number)]
    ]


def _read(recall: Recall, number: int) -> Compared:
    """Return what is compared of a message; where it is one sentence, that has the message's score and no stems."""
    if number not in recall.sentences:
        stems: dict[int, int] = {}
        parts = _parts((line := recall.line(number)).text)
        for at, (words, _, _) in enumerate(parts) if len(parts) > 1 else ():
            for stem in recall.said.stems(words):
                stems[stem] = stems.get(stem, 0) | 1 << at
        alone, order = len(parts) == 1, sorted(stems)
        values = [((1.0 if alone else worth(len(own))) * (_ASKS if asks else 1.0), at) for own, asks, at in parts]
        recall.sentences[number] = line, values, tuple(order), tuple([stems[stem] for stem in order])
    return recall.sentences[number]


def _looked_at(text: str) -> str:
    return text if len(text) <= _READ_OF else f"{text[: _READ_OF // 2]}\n{text[-_READ_OF // 2 :]}"


@lru_cache(maxsize=32)  # the last messages are looked up again at each of the next ones
def _parts(text: str) -> tuple[tuple[tuple[str, ...], bool, slice], ...]:
    """Return of each sentence of a text its words in lower case, whether it asks, and where it stands."""
    plain = normalise(text := _looked_at(text))
    places = [slice(*span) for span in sentences(plain)]
    return tuple([(tuple(split(text[at].lower())), plain[at].rstrip("\"')]*_").endswith("?"), at) for at in places])


def _scores(whole: float, parts: Sentences, shared: Sequence[tuple[float, int]]) -> Iterator[tuple[int, float]]:
    """Yield the place and the score of each sentence with a stem of those `shared`: weights, and bits for sentences.

    That of a message of one sentence is its own, which knows its neighbours.
    """
    if len(parts) == 1:
        yield 0, parts[0][0] * whole
    for place, (value, _) in enumerate(parts) if shared else ():
        own, beside, bit = 0.0, 0.0, 1 << place
        for weight, having in shared:
            if having & bit:
                own += weight
            elif having & (bit << 1 | bit >> 1):
                beside += weight
        if own:
            yield place, value * (own + _BESIDE * beside)


def _shown(text: str, parts: Sentences, places: Iterable[int]) -> str:
    """Return sentences of a text with those beside them, in order, with marks where others are left out."""
    text, words, end = _looked_at(text), "", 0
    for place in sorted(places):
        near = [f" {text[at]}" for _, at in parts[max(end, place - 1) : place + 2]]
        words, end = "".join((words, f" {_GAP}" * (place - 1 > end), *near)), place + 2
    return (words + f" {_GAP}" * (end < len(parts))).strip()
