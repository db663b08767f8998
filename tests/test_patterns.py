"""Cue words: what they find, what they must not find, and what a pack promises."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from in_turn import in_one

from eda.errors import PatternError
from eda.events import MessagePosted
from eda.memory.minutes.minutes import Minutes
from eda.memory.minutes.state import TRANSCRIPT, State
from eda.memory.patterns import Hit, Pattern, PatternPack, default_language, default_pack
from eda.text import normalise, sentences

PACK = default_pack()
ON_THE_TABLE = "I propose that we use Postgres for the ledger."


def wrong(pattern: Pattern, pack: PatternPack) -> list[str]:
    """The examples that a pattern of the pack misses, and the counter-examples that it finds."""
    finds = [each for each in pattern.examples + pattern.counter_examples if pattern.name in names(pack, each)]
    return [*({*pattern.examples} - {*finds}), *({*pattern.counter_examples} & {*finds})]


def names(pack: PatternPack, text: str) -> set[str]:
    return {hit.pattern for hit in pack.find(text)}


def found(text: str, *, answers: bool = False) -> set[str]:
    """The kinds that an imported transcript's reader is shown for one message."""
    minutes = Minutes(State(pack=PACK)).begin((), TRANSCRIPT)
    number = 1
    if answers:
        minutes.hear(MessagePosted(number=1, who="Ann", text=ON_THE_TABLE))
        number = 2
    minutes.hear(MessagePosted(number=number, who="Ben", text=text))
    kinds = {reaction.reaction for reaction in minutes.reactions if reaction.message == number}
    kinds |= {"proposal" for proposal in minutes.proposals if proposal.message == number}
    kinds |= {"decision" for decision in minutes.decisions if number in decision.messages}
    return kinds


@in_one("pattern", PACK.patterns)
def test_every_default_pattern_does_what_its_author_says(pattern: Pattern) -> None:
    """A reader could not trust a pattern whose own examples it misses."""
    assert pattern.examples
    assert wrong(pattern, PACK) == []


@in_one("pattern", PACK.patterns)
def test_the_default_patterns_are_written_in_lower_case(pattern: Pattern) -> None:
    """Text is searched in lower case: a capital letter would never match, and nobody would see it."""
    for expression in (pattern.regex, *pattern.unless):
        assert not re.search(r"[A-Z]", re.sub(r"\\.|\(\?P<\w+>", "", expression))


NOTHING = [
    # the field's own rows
    "Consensus is far away",
    "There is no final decision",
    "Have we agreed?",
    "If we decided to stop, it would cost us the deposit.",
    "As we agreed earlier, the fee stays as it is.",
    "What if we fail?",
    # negation
    "We haven't decided anything yet.",
    "We haven’t decided anything yet.",
    "Nobody has agreed to that.",
    "No consensus was reached on the fee.",
    "There is no agreement on closure yet.",
    # questions
    "Are we going with Postgres?",
    "Did we agree on the price?",
    "Is it settled?",
    # hypotheses
    "Once we’ve agreed on the money, ask me again.",
    "Unless we have agreed by Friday, nothing moves.",
    "Suppose we have decided to leave the market.",
    # reports of the past
    "Last year we decided to wait.",
    "The board decided in March to go with opt-out.",
    "We agreed on this in 2019 and regretted it.",
    # the words of others
    'The consultant wrote "we have agreed to close the site in May" and nobody checked.',
    "> We have agreed to use Mongo.",
    "The flag is called `we have agreed to ship`.",
    # far-off agreement
    "We are still far from consensus.",
    "Sam: “We’ve agreed.”",
    "The log says ‘we have agreed to use Redis’ but that is wrong.",
    "In his words: we have agreed to leave.",
    "You say we have agreed, but I see no record.",
    "Raj believes we have decided.",
    "I hope we have decided by Friday.",
    "Pretend we have agreed.",
    "We have agreed on nothing.",
    "They think we’re going with Oracle.",
    "It is too early to say we have a consensus.",
    "No decision was taken",
    "I hope for consensus one day.",
]


@in_one("text", NOTHING)
def test_nothing_is_decided_by_what_is_not_said(text: str) -> None:
    """An invented decision is what a reader forgives least."""
    assert "decision" not in found(text)


@in_one(
    "text",
    [
        "What if we fail?",
        "What if we run out of money?",
        "I don’t propose to leave.",
        "If I propose this, they laugh.",
        "I would not recommend that.",
        "I fully endorse the proposal",
        "I oppose the proposal",
        "I am reading the proposal now",
        "How about the weather today?",
        "What about lunch?",
        "I will suggest something tomorrow",
        "If you agree, please comment",
        "Please agree on a name",
        "Add +1 to the index",
        "If we decided to move, it would cost us.",
        "My manager said we should never move.",
        "We should have listened.",
        "The plan should work",
        "Critics argue that we should leave.",
        "We might decide to leave",
        "I withdraw my proposal.",
        "The proposal is rejected.",
    ],
)
def test_worries_and_refusals_are_no_proposals(text: str) -> None:
    """A worry listed as a proposal puts words in somebody's mouth."""
    assert "proposal" not in found(text)


@in_one(
    "text",
    [
        "We have agreed",
        "We’ve agreed to use Python 3.12.",
        "We've decided on the second plan.",
        "We all agree",
        "Agreed: we ship on Monday",
        "We're going with Postgres",
        "We’re going with Postgres",
        "RESOLVED: close the issue",
        "Resolved: close the issue",
        "**Decision:** keep the old API",
        "[DECISION] We use Postgres.",
        "We have reached consensus on the fee.",
        "ok decided, we go with postgres 🎉",
        "The committee resolved to adopt the amended budget.",
        "It was agreed that the secretary would write to the council.",
        "The motion carried, 5 to 2.",
        "Carried unanimously.",
        "Final decision: we keep the monolith.",
        "The panel has reached consensus: the pilot goes ahead.",
        "The board approved the purchase.",
        "## Resolution\nWe will adopt the plan.",
    ],
)
def test_decisions_are_found_however_they_are_typed(text: str) -> None:
    """A decision that memory missed is made again an hour later."""
    assert "decision" in found(text)


@in_one(
    "text",
    [
        "I suggest a trial.",
        "I'd propose a trial.",
        "I’d propose a trial.",
        "My proposal is to wait a week.",
        "I recommend a trial.",
        "I would recommend that we split the service.",
        "How about a trial?",
        "We should use Postgres.",
        "Let's go with Postgres, it's proven.",
        "What if we started with two teams?",
        "PROPOSED: close the issue",
        "PROPOSAL: close the issue",
        "Might I suggest a shorter agenda?",
        "Shall we say Thursday at ten?",
        "Suggestion: meet at ten",
        "[PROPOSAL] Meet at ten",
        "Here is what I propose: we meet at ten.",
        "Why don’t we meet twice a week?",
    ],
)
def test_proposals_are_found_however_they_are_typed(text: str) -> None:
    """A proposal that is not on the list gets no vote."""
    assert "proposal" in found(text)


@in_one(
    ("text", "stance"),
    [
        ("No problem with that", "support"),
        ("I strongly agree", "support"),
        ("I support this", "support"),
        ("+1", "support"),
        ("＋1", "support"),  # full width
        ("agreed", "support"),
        ("Seconded.", "support"),
        ("works for me", "support"),
        ("LGTM", "support"),
        ("I side with Ann on this.", "support"),
        ("I’d back that.", "support"),
        ("I have no objection to the plan.", "support"),
        ("👍", "support"),
        ("👍🏽", "support"),
        ("Aye", "support"),
        ("Second", "support"),
        ("ship it", "support"),
        ("I couldn’t agree more.", "support"),
        ("I can live with that", "support"),
        ("I back her proposal", "support"),
        ("I don't disagree.", "support"),
        ("Not a bad idea at all.", "support"),
        ("I find myself persuaded by Maya’s reasoning and support the pilot", "support"),
        ("That strikes me as the right approach", "support"),
        ("There is much to admire in this plan", "support"),
        ("Nay", "oppose"),
        ("👎", "oppose"),
        ("That won’t work", "oppose"),
        ("I have serious concerns", "oppose"),
        ("I respectfully dissent", "oppose"),
        ("that's a bad idea", "oppose"),
        ("I would rather not", "oppose"),
        ("I don't agree", "oppose"),
        ("I don’t agree", "oppose"),
        ("I don't think I agree", "oppose"),
        ("I can't say I agree.", "oppose"),
        ("Not a great idea", "oppose"),
        ("-1", "oppose"),
        ("−1", "oppose"),  # the minus sign
        ("–1", "oppose"),  # a dash
        ("blocking", "oppose"),
        ("I disagree.", "oppose"),
        ("I'm against it.", "oppose"),
        ("0", "neutral"),
        ("+0", "neutral"),
        ("I'll abstain.", "neutral"),
        ("No strong opinion either way.", "neutral"),
        ("I don’t mind either way.", "neutral"),
        ("No preference.", "neutral"),
        ("I could go either way", "neutral"),
        ("I’m still undecided.", "neutral"),
    ],
)
def test_reactions_are_told_apart(text: str, stance: str) -> None:
    """A refusal counted as a yes turns the tally round."""
    assert found(text, answers=True) & {"support", "oppose", "neutral"} == {stance}


@pytest.mark.parametrize(
    "text",
    [
        "Do you agree?",
        "Agreed?",
        "If I agree, we are done.",
        "I agree to disagree.",
        "+15% on last year",
        "Hello there",
        "Nice weather.",
        "Indeed it is raining.",
        "Sure, I'll get coffee.",
    ],
)
def test_what_is_no_yes_is_not_counted_as_one(text: str) -> None:
    """A question counted as assent passes what nobody assented to."""
    assert "support" not in found(text, answers=True)


@pytest.mark.parametrize(
    "text",
    [
        "We haven’t decided anything yet",
        "It isn't decided",
        "We couldn’t agree on a name",
        "No decision was taken",
        "Costs matter",
        "Opponents of the plan have long argued that it would kill trade",
    ],
)
def test_what_is_no_objection_is_not_counted_as_one(text: str) -> None:
    """A remark on where things stand, counted as a no, stops what nobody opposed."""
    assert not {"oppose", "decision"} & found(text, answers=True)


@given(st.text(max_size=200))
def test_normal_text_keeps_its_length(text: str) -> None:
    """Quotes would point at the wrong words if normalising moved them."""
    assert len(normalise(text)) == len(text)
    for hit in PACK.find(text):
        assert 0 <= hit.start <= hit.end <= len(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Bis zum 16. Januar liegt die Liste vor.", 1),
        ("I take o3. Jan agrees.", 2),
        ("It was 9. Julia said so.", 2),
        ("It costs 4000. April is late.", 2),
    ],
)
def test_a_date_as_germans_write_it_is_one_sentence_and_a_name_behind_a_number_begins_one(
    text: str, count: int
) -> None:
    assert len(sentences(text)) == count


def test_sentences_end_where_people_end_them() -> None:
    """A topic cut at `3.12` or `e.g.` says something else."""
    text = "Use Python 3.12, e.g. on Monday. Then ship v2.0.1!\n- **Next** point"
    assert [text[a:b] for a, b in sentences(text)] == [
        "Use Python 3.12, e.g. on Monday.",
        "Then ship v2.0.1!",
        "Next** point",
    ]


def within_sentences(hits: list[Hit]) -> bool:
    """Whether each match lies within the sentence that it is said to be of."""
    return all(hit.sentence[0] <= hit.start <= hit.end <= hit.sentence[1] for hit in hits)


@in_one(
    "text",
    [
        "we " * 20_000,
        "i would " * 10_000,
        "a" * 100_000,
        "[" * 50_000,
        "- *" * 30_000,
        "not " * 20_000 + "agree",
        '"' * 50_000,
        "." * 50_000,
        "so we " * 10_000 + "?",
        "e.g. " * 20_000,
    ],
)
def test_no_text_makes_a_pattern_run_away(text: str) -> None:
    """One hostile message would stop the whole debate."""
    assert within_sentences(PACK.find(text))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["we", "i", "'d", "not", "agree", " ", "\n", "?", "that", "so", "-", "**"]), max_size=400)
)
def test_words_of_cues_in_any_order_are_survived(parts: list[str]) -> None:
    """Patterns meet half sentences all the time."""
    assert within_sentences(PACK.find(" ".join(parts)))


def test_what_is_shipped_compiles_though_nothing_is_compiled_before_it_is_tried() -> None:
    """A program would start a tenth of a second later, or stop in mid-debate at an expression that is broken."""
    default_pack.cache_clear()
    lazy, eager = default_pack(), PatternPack(PACK.patterns)
    assert not hasattr(lazy, "_of_nothing")  # it says what it lacks
    assert not any("find" in vars(compiled) for compiled in lazy._compiled)
    assert lazy.find(ON_THE_TABLE) == eager.find(ON_THE_TABLE) != []


def test_a_pack_cannot_be_changed_and_says_what_is_in_it() -> None:
    """A session stores the fingerprint: it must stand for exactly these patterns."""
    with pytest.raises(AttributeError):
        PACK.patterns = ()  # type: ignore[misc]
    own = Pattern("decision", "so-ordered", r"\bso ordered\b", confidence=0.9)
    pytest.importorskip("re2")
    more = PACK.extended([own])
    assert PACK.extended([own]).fingerprint == more.fingerprint != PACK.fingerprint
    assert [hit.pattern for hit in more.find("So ordered.")] == ["so-ordered"]
    assert PACK.find("So ordered.") == []


def test_a_users_file_is_read_and_extends_the_defaults(tmp_path: Path) -> None:
    """A team's own words for yes are found without touching the program."""
    pytest.importorskip("re2")
    path = tmp_path / "own.toml"
    path.write_text(
        '[guards]\nasked = "[?]$"\n[[pattern]]\nkind = "support"\nname = "aye"\n'
        'regex = "^AYE\\\\b"\nunless = ["@asked"]\n'
        'confidence = 0.9\nexamples = ["Aye, captain"]\ncounter_examples = ["Aye?"]\n',
        encoding="utf8",
    )
    pack = PatternPack.from_toml(path)
    assert not any(wrong(pattern, pack) for pattern in pack.patterns)
    assert {hit.pattern for hit in PACK.extended(pack).find("Aye, captain")} >= {"aye"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("nonsense", "TOML"),
        ('[[pattern]]\nkind = "support"\nname = "x"', "'regex' is missing"),
        ('[[pattern]]\nkind = "maybe"\nname = "x"\nregex = "x"', "'kind' should be 'decision', 'proposal'"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregx = "x"', "'regx' is no field of"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregex = "x"\nconfidence = 2', "less than or equal to 1"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregex = "x"\nunless = ["@no"]', "unknown guard"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregex = "(?=x)"', "pattern 'x'"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregex = "(x"', "pattern 'x'"),
        ('[[pattern]]\nkind = "support"\nname = "x"\nregex = "x"\n' * 2, "2 times"),
        ("#" * 1_000_001, "larger than"),
        ("language = 1", "unknown key 'language'"),
    ],
)
def test_a_bad_pack_is_refused_with_its_place(tmp_path: Path, content: str, says: str) -> None:
    """Whoever wrote the file must see what to mend, and where."""
    pytest.importorskip("re2")
    path = tmp_path / "bad.toml"
    path.write_text(content, encoding="utf8")
    with pytest.raises(PatternError) as caught:
        PatternPack.from_toml(path)
    assert "bad.toml" in str(caught.value)
    assert says in str(caught.value)


def test_every_expression_of_the_shipped_language_compiles_and_has_its_groups() -> None:
    language = default_language()
    compiled = {name: getattr(language, name) for name in language.entries}
    assert {name for name, value in compiled.items() if isinstance(value, str)} == set()
    assert all(compiled[name].groups for name in ("option_label", "amended_title"))


def test_code_reads_no_entry_of_a_language_that_there_is_not() -> None:
    read = re.compile(r"\b_?language(?:\(\))?\.([a-z_]+)\b(?!\()")
    package = Path(inspect.getfile(PatternPack)).parents[2]
    used = {name for path in package.rglob("*.py") for name in read.findall(path.read_text(encoding="utf8"))}
    others = {
        "entries",
        "ftl",
        "toml",
        "apart",
        "because",
        "words",
        "stance",
        "denies",
        "joint",
        "marker",
        "postscript",
        "severed",
        "vague",
    }  # of packs, catalogues, conditions; a method
    assert len(used) > 50
    assert used - {*default_language().entries} <= others


def test_the_lines_of_what_is_looked_for_are_short_enough_to_be_read() -> None:
    """One expression stood on a line of 4,158 characters."""
    for file in (Path(__file__).parents[1] / "eda/memory/patterns").glob("*.toml"):
        assert [line for line in file.read_text("utf8").splitlines() if len(line) > 160] == [], file.name


def test_the_mark_of_a_footnote_is_no_digit_of_the_word_before_it() -> None:
    """ "and I sign Hannah's text.1" was quoted of who had written "text.¹"."""
    assert normalise("I sign Hannah's text.¹ The room has 20 m².") == "I sign Hannah's text.  The room has 20 m²."
