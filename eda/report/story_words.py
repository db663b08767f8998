"""The way to a decision in words: each step, what was said about the texts before it, and the way in one line."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from eda.events import NONE
from eda.report.effect import Helped
from eda.report.formatting import SHORT, listed, one_line, shorten, shown_id
from eda.report.outcome import Stood, Text
from eda.report.story import Named, Price, StoryStep, new_voters
from eda.report.vote_words import title_of
from eda.text import grouped
from eda.words import Words

_NAMED = 3  # Members whose votes changed, where they are no more.

# Characters by which a story names a text of a member without a title: where it is put, and elsewhere.
_NAME, _BRIEF = 32, 24

_HEADS = {
    "first": "story-first",
    "text": "story-text",
    "withdrawn": "story-withdrawn",
    "vote": "story-vote",
    "more": "story-more",
}


class Names:
    """Names texts by their titles: the first time with the id; later an untitled proposal by its id alone.

    Of texts that share a title the first that is told has it; the others are named as untitled ones.
    """

    def __init__(self, texts: Iterable[Text], words: Words) -> None:
        """Know the texts, by id and by their words."""
        known = [*texts]
        self._by_id = {text.id: text for text in known}
        self._by_words = {text.text: text for text in known}
        self._words, self._told, self._titled = words, set[str](), dict[str, str]()
        self._shared = Counter(text.title for text in known)

    def of(self, key: str, by: str | None = None, *, brief: bool = False) -> str:
        """Return the name of a text by its id or its words; of `none` in words.

        The first time it says who put the text where, unless that is the member in `by`; without one never.
        """
        if key == NONE:
            return self._words.say("votes-text", kind="none", text="", id="", by="")
        text = self._by_id.get(key) or self._by_words.get(key) or Text("", key)
        number, told = shown_id(text.id), text.id in self._told
        self._told.add(text.id)
        if number and told and text.by and (not text.title or self._shared[text.title] > 1):
            return number
        title = self._title(text, number, _NAME if number and not (brief or told) else _BRIEF)
        if text.message and not told and by not in (None, text.by):
            return self._words.say("story-name", text=title, id=number, by=text.by, at=f"m{text.message}")
        return self._words.say("votes-text", kind="text", text=title, id="" if told else number, by="")

    def _title(self, text: Text, number: str, most: int) -> str:
        """Return the title of a text, in `most` characters of its words where it has none of its own."""
        if text.title and self._titled.setdefault(text.title, text.id) != text.id:
            text = replace(text, title="")
        most = most if text.by else SHORT
        title = title_of(text, self._by_words, most)
        cut = number and not text.title and len(title) > 2 * most  # beside its id the first words will do
        return shorten(one_line(text.text), most) if cut else title


def brief_line(steps: Iterable[StoryStep], helps: Helped, texts: Iterable[Text], words: Words) -> Iterator[str]:
    """Yield in one line how it came to this: what led, and who of its voters put another answer first at the end.

    Where nothing led, all are named who did.
    """
    names, first = Names(texts, words), [step for step in steps if step.kind == "first"]
    led = [words.say("story-part", "first", texts=[*map(names.of, step.won)]) for step in first]
    voters = {who for step in first for text in step.votes if text.text in step.won for who in text.voters}
    new = [*new_voters(helps)]
    moved = [each.who for each in (*helps.new, *helps.differs) if each.answer and each.who not in new]
    who = [each for each in moved if each in voters or not voters]
    tells = led and (who or not moved)
    changed = [words.say("story-part", "changed", count=len(who), who=who * (len(who) <= _NAMED))] * bool(tells)
    if parts := [*led, *changed, *[words.say("story-part", "new", who=new)] * bool(led and new)]:
        yield (line := words.say("story-brief", parts=parts))[:1].upper() + line[1:]


def story_lines(steps: Iterable[StoryStep], texts: Iterable[Text], words: Words) -> Iterator[tuple[str, list[str]]]:
    """Yield each step in words: what happened, and the lines below it. What it answers is told before it."""
    known, told = [*texts], [*steps]
    names, by = Names(known, words), {text.id: text.by for text in known}
    last = max((at for at, step in enumerate(told) if step.kind == "vote"), default=-1)
    for at, step in enumerate(told):
        said: list[Stood | Price] = sorted((*step.against, *step.terms), key=attrgetter("message"))
        answers = grouped((each.of, each) for each in said)
        first = step.kind == "first"
        below = [answers.pop(key) for key in [*answers] if first or key == step.text]
        for each in answers.values():
            heading, *others = _answered(each, names, words)
            yield heading, others
        head = _head(step, names, by, words, last=at == last)
        sides = () if at == last and step.won else step.votes  # the verdict itself names those of the last vote
        votes = [words.say("story-side", text=names.of(text.id or text.text), who=text.voters) for text in sides]
        lines = [line for each in below for line in _answered(each, names, words, step.text, brief=first)]
        yield head, [*[" · ".join(votes)] * bool(votes), *lines, *(_names(each, words) for each in step.names)]


def _head(step: StoryStep, names: Names, by: Mapping[str, str], words: Words, *, last: bool) -> str:
    """Return what happened in a step; `by` has the author of each text."""
    author = "" if step.kind == "withdrawn" else step.by  # who withdraws a text put it: the sentence says where
    about: dict[str, Any] = {
        "won": [names.of(key, "") for key in step.won],
        "earlier": [*map(names.of, step.earlier)],
        "of": [shown_id(key) if step.kind == "more" else names.of(key, step.by, brief=True) for key in step.of],
        "text": names.of(step.text, author) if step.text else "",
        "own": all(by.get(key) == step.by for key in step.of),
        "joins": len(step.of),
        "asked": "about" * step.asked,
    }
    return words.say(_HEADS[step.kind], last=last, by=step.by, at=f"m{step.message}", why=step.why, **about)


def _answered(
    said: Sequence[Stood | Price], names: Names, words: Words, it: str = "", *, brief: bool = False
) -> Iterator[str]:
    """Yield who supports a text, in one line, who was against it, and what would bring members in, as it was said.

    `it` is the id of the text that stands above. In `brief` who was against it, and still is, stands in one line, too.
    """

    def name(key: str, by: str | None = None, same: str = it) -> str:
        return words.say("story-it") if key == same else names.of(key, by)

    sides = [each for each in said if isinstance(each, Stood) and not (each.conditional or each.condition or each.ends)]
    plain = grouped(((each.stance, each.asked), each) for each in sides if brief or each.stance == "support")
    for each in said:
        about: dict[str, Any] = {"who": each.who, "at": f"m{each.message}"}
        if isinstance(each, Price):
            about |= {"change": each.change, "as_it_is": each.as_it_is}
            yield words.say("story-terms", **about, text=name(each.of, each.who))
        elif not (same := next((those for those in plain.values() if each in those), [])):
            yield _side(each, {**about, "text": name(each.of, each.who)}, partial(name, same=each.of), words)
        elif each is same[-1]:
            who, at = (
                [one.who for one in same],
                listed(f"m{at}" for at in sorted({one.message for one in same})),
            )
            yield words.say("story-same", side=each.stance, text=name(each.of, ""), who=who, at=at, asked=each.asked)


def _side(each: Stood, about: Mapping[str, Any], name: Callable[[str], str], words: Words) -> str:
    """Return a side that a member took on a text, and what it declared since."""
    condition = "no" if not each.conditional else "doubt" if each.doubt else "yes"
    against = "until" if each.condition else "no"
    ends = [
        words.say(
            "story-end",
            kind=end.kind,
            conditional=condition,
            text=name(end.text),
            at=f"m{end.message}",
            asked=end.asked > 0,
            why=end.why,
        )
        for end in each.ends
    ]
    return words.say(
        "story-against",
        **about,
        reason=each.reason if each.doubt else each.condition or each.reason,
        asked=each.asked,
        side=against if each.stance == "oppose" else "for" if condition == "no" else condition,
        ends=ends,
    )


def _names(each: Named, words: Words) -> str:
    changed = "new" if each.new else "yes" if each.changed else "no"
    about: dict[str, Any] = {"who": each.who, "changed": changed, "at": f"m{each.message}"}
    return words.say("story-names", **about, by=each.by, own=each.by == each.who, against=each.against)
