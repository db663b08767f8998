"""What an account, the open questions and a screen say of a session is as its members said it, whole and in order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_story import example, on_terms
from told import MOVE, WAIT, Told

from eda.cli.terminal.acts import in_brief
from eda.debate.verdict import verdict_of
from eda.events import Act, Minuted, PhaseStarted, RangeMinutes, SummaryWritten, Unread
from eda.events.votes import Ballot, BallotCast
from eda.report.gather import report_of
from eda.report.outcome import SideEnd, Stood, Text
from eda.report.story import Price, StoryStep
from eda.report.story_words import brief_line, story_lines
from eda.words import Words

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


def below(step: StoryStep, language: str) -> list[str]:
    ((_, lines),) = story_lines([step], [Text("p3.0", "We mend the ferry", by="Ada", message=3)], Words(language))
    return lines


@LANGUAGES
def test_a_condition_names_its_text_where_several_were_decided(language: str) -> None:
    """The condition of a measure read as one of the answer, which its member supports in full."""
    said = {each.who: each.text for each in on_terms(language).open}
    told = {
        "en": ("A condition for “Bus” (p6.0), not taken back", "A condition for “Taxi” (p8.0), not taken back"),
        "de": (
            "Eine Bedingung für „Bus“ (p6.0), nicht zurückgenommen",
            "Eine Bedingung für „Taxi“ (p8.0), nicht zurückgenommen",
        ),
    }
    assert (said["Ben"], said["Dan"]) == told[language]


@LANGUAGES
def test_the_one_line_names_of_those_who_left_what_led_only_who_had_it_first(language: str) -> None:
    """ "o2 led first; Ada, Ben put another answer first" counted one who had never put o2 first."""
    votes = (Text("o1", MOVE, voters=("Ben", "Cleo")), Text("o2", WAIT, voters=("Ada",)))
    steps = [StoryStep("first", votes=votes, won=(MOVE,))]
    new = example().helped.new[0]
    helps = replace(example().helped, new=(replace(new, who="Ada"), replace(new, who="Ben")), differs=())
    (line,) = brief_line(steps, helps, (), Words(language))
    ends = {"en": "; Ben put another answer first in the end.", "de": "; Ben setzte zuletzt eine andere Antwort"}
    assert ends[language] in line
    alone = replace(helps, new=helps.new[:1])
    (line,) = brief_line(steps, alone, (), Words(language))
    assert ";" not in line, "nobody is no word for it either: Ada has another answer first"


@LANGUAGES
def test_a_change_that_was_named_stands_before_the_support_that_came_after_it(language: str) -> None:
    """ "Ben supported it (m8)" stood above "Asked after m7, Ben would take it with a change", as if he still asked."""
    for_it = [Stood(who, "support", "", at, of="p3.0") for who, at in (("Cleo", 6), ("Ben", 8))]
    step = StoryStep("text", 3, "Ada", "p3.0", against=(*for_it,), terms=(Price("Ben", "p3.0", "with a bell", 7),))
    asked, support = below(step, language)
    assert ("m7" in asked, "with a bell" in asked) == (True, True)
    assert (
        support == {"en": "Cleo and Ben supported it (m6, m8).", "de": "Für den Text: Cleo und Ben (m6, m8)."}[language]
    )


@LANGUAGES
def test_a_bare_support_that_was_declared_when_asked_is_told_as_that(language: str) -> None:
    """ "Ben supported it (m8)" stood of a message that has no such move."""
    asked = Stood("Ben", "support", "", 8, of="p3.0", asked="about")
    step = StoryStep("text", 3, "Ada", "p3.0", against=(Stood("Cleo", "support", "", 6, of="p3.0"), asked))
    assert (
        below(step, language)
        == {
            "en": ["Cleo supported it (m6).", "Ben supported it (m8; declared when asked)."],
            "de": ["Für den Text: Cleo (m6).", "Für den Text: Ben (m8; auf Nachfrage erklärt)."],
        }[language]
    )


@LANGUAGES
def test_a_support_in_doubt_is_quoted_whole_and_told_as_that(language: str) -> None:
    """Only the words that may state a condition were quoted, and nothing said that they were in doubt."""
    reason, may = "forty asked for it, and when they come they pay", "when they come they pay"
    stood = Stood("Ben", "support", reason, 4, conditional=True, condition=may, doubt=True, of="p3.0")
    step = StoryStep("text", 3, "Ada", "p3.0", against=(replace(stood, ends=(SideEnd("back", 7, "p3.0"),)), stood))
    back, open_ = below(step, language)
    doubt = {"en": "Ben supported it, perhaps on a condition: ", "de": "Ben war vielleicht unter einer Bedingung für "}
    assert all(line.startswith(doubt[language]) and reason in line for line in (back, open_))


@LANGUAGES
def test_who_would_take_a_text_unchanged_is_told_beside_who_asks_for_a_change(language: str) -> None:
    """Of two who were asked the account told one, so that nobody seemed to take the text as it was."""
    cleo, dan = (Price(who, "p3.0", "", 7, as_it_is=who == "Cleo") for who in ("Cleo", "Dan"))
    lines = below(
        StoryStep("text", 3, "Ada", "p3.0", terms=(Price("Ben", "p3.0", "with a bell", 7), cleo, dan)), language
    )
    told = {
        "en": ["Asked after m7, Cleo would take it as it is.", "Asked after m7, Dan would not take it."],
        "de": [
            "Nach m7 gefragt, wollte Cleo den Text unverändert annehmen.",
            "Nach m7 gefragt, wollte Dan den Text nicht annehmen.",
        ],
    }
    assert lines[1:] == told[language]


@LANGUAGES
def test_who_wants_a_text_beside_the_answer_is_not_told_to_accept_it(language: str) -> None:
    """ "Ben set a condition for it (m5; accepts it on the ballot)" stood of who refused it as the answer."""
    stood = Stood("Ben", "support", "", 5, conditional=True, condition="if it rings", of="p3.0")
    step = StoryStep("text", 3, "Ada", "p3.0", against=(replace(stood, ends=(SideEnd("beside", text="p3.0"),)),))
    end = {
        "en": "wants it beside the answer on the ballot).",
        "de": "will den Text auf dem Stimmzettel neben der Antwort).",
    }
    assert below(step, language)[0].endswith(end[language])


@LANGUAGES
@pytest.mark.parametrize("choice", ["We build a lift", "We lay a ramp"])
def test_a_figure_without_a_source_is_open_where_its_message_is_on_what_was_decided(language: str, choice: str) -> None:
    """ "A figure that rests on its author's word alone" stood below a verdict for another text."""
    said = "nobody has the 1,400 that the lift costs"
    talk = [
        ("Ada", "So.\n[PROPOSE Lift] We build a lift"),
        ("Ben", "I listen."),
        ("Cleo", "So.\n[PROPOSE Ramp] We lay a ramp"),
        *((who, "I listen.") for who in ("Dan", "Eve")),
        ("Ben", f"So.\n[PROPOSE Roof] We green the roof\n[OPPOSE p1.0] {said}"),
    ]
    told = Told(talk=talk, options=())
    rows = (Minuted(6, said, who="Ben"),)
    told.tell(SummaryWritten(first=1, last=6, text="They spoke.", by="m", minutes=RangeMinutes(unsourced=rows)))
    told.tell(PhaseStarted(phase="ballot"))
    for who in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        told.tell(BallotCast(ballot=Ballot(agent=who, choice=choice), choices=(choice,)))
    told.tell(verdict_of(told.progress, told.memory))
    cited = report_of(told.session, told.progress, told.memory, language).open
    assert [each.message for each in cited if each.quote == said] == [6] * (choice == "We build a lift")


def test_what_is_in_words_and_not_counted_keeps_them_on_a_screen() -> None:
    """ "in words, (not counted)" stood below a message that has the words itself."""
    act = Act("position", text="Mend it", counted=False, tagged=False, unread_because=(Unread("quoted"),))
    act = replace(act, kind="propose")
    (line,) = in_brief([act], "```\n[PROPOSE Mend it]\n```")
    assert line.startswith("in words, Mend it (not counted)")
