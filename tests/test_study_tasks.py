"""Tasks are what they claim to be, files of tasks are read or refused, and the simulated player follows its model."""

from __future__ import annotations

import itertools
import json
import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from math import comb
from pathlib import Path
from statistics import mean

import pytest
from in_turn import in_turn

from eda import Debate
from eda.debate.validation import checked_options, checked_question
from eda.errors import InputError, UnknownNameError, UsageError
from eda.events import BallotCast, CallMade, MessagePosted
from eda.events.records import Line
from eda.events.votes import BallotText
from eda.panels.documents.document import Document
from eda.panels.panel import Library
from eda.panels.settings import Settings
from eda.runners.protocol import Prompt, Runner
from eda.study.file import StudyFile
from eda.study.player import SimulatedPlayer
from eda.study.tasks import GENERATORS, Facts, Task, believes, solve, tasks_named
from eda.study.tasks.loaders import Columns, load_tasks
from eda.study.tasks.pooled import estimate, orders
from eda.study.tasks.puzzles import to_turn, value

PROVED = sorted(GENERATORS.keys() - {"jury", "dilemmas"})
"""The kinds whose facts prove the answer: signals of a jury make it likely, and a dilemma has none."""
FIVE = ("Ada", "Ben", "Cleo", "Dan", "Eve")


def best(task: Task, known: tuple[str, ...]) -> str:
    beliefs = believes(task, known)
    return max(beliefs, key=lambda option: beliefs[option])


# Tasks


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_the_same_seed_makes_the_same_tasks_and_a_higher_count_only_adds(name: str) -> None:
    """Else a study that is given ten tasks more would run all its cells again."""
    ten = tasks_named(name, 10, seed=3)
    assert tasks_named(name, 25, seed=3)[:10] == ten
    assert {task.question + str(task.facts) for task in tasks_named(name, 10, seed=4)} != {
        task.question + str(task.facts) for task in ten
    }
    assert len({task.id for task in tasks_named(name, 25, seed=3)}) == 25
    assert pickle.loads(pickle.dumps(ten)) == ten  # noqa: S301 - our own bytes; a process of a study gets them so


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_a_debate_takes_each_task_as_it_is(name: str) -> None:
    """An option that the engine would write in another way could never be the answer of a verdict."""
    for task in tasks_named(name, 40, seed=1):
        assert (checked_question(task.question), checked_options(task.options)) == (task.question, task.options)
        assert task.answer in (*task.options, None)
        assert abs(sum(believes(task, task.facts.all).values()) - 1) < 1e-9


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.parametrize("seats", [2, 5])
def test_the_solver_proves_the_answer_from_the_texts_alone(name: str, seats: int) -> None:
    """A benchmark with a wrong key measures nothing."""
    for task in tasks_named(name, 60, seed=2, seats=seats):
        blank = replace(task, answer=None)  # the solver must not look it up
        assert solve(blank) == task.answer


def test_no_member_of_a_hidden_profile_knows_the_answer_and_all_together_do() -> None:
    """Otherwise the panel could be right without pooling what its members know."""
    for seats in range(2, 9):
        for task in tasks_named("hidden-profile", 20, seed=5, seats=seats):
            assert {best(task, task.facts.known_to(seat)) for seat in range(seats)} == {best(task, task.facts.shared)}
            assert best(task, task.facts.shared) != task.answer == best(task, task.facts.all)
            assert len(task.facts.unshared) == 2 * seats


def test_the_posterior_of_a_jury_is_bayes_and_the_majority_is_as_good_as_condorcet_says() -> None:
    """The best possible panel is known exactly, so the efficiency of a real one is a figure and no opinion."""
    right: dict[int, list[bool]] = {6: [], 7: [], 8: []}
    for task in tasks_named("jury", 1500, seed=7, seats=3):
        tests = task.facts.all
        accuracy = int(tests[0].split()[-4])
        points = sum(f"points to the {task.options[0]};" in test for test in tests)
        odds = (accuracy / (10 - accuracy)) ** (2 * points - 3)
        assert believes(task, tests)[task.options[0]] == pytest.approx(odds / (1 + odds))
        right[accuracy].append(solve(task) == task.answer)
    for accuracy, hits in right.items():
        p = accuracy / 10
        condorcet = sum(comb(3, k) * p**k * (1 - p) ** (3 - k) for k in (2, 3))
        assert abs(mean(hits) - condorcet) < 4 * (condorcet * (1 - condorcet) / len(hits)) ** 0.5


def test_estimates_from_single_strips_average_to_the_truth() -> None:
    """The wisdom of crowds needs private signals without a bias, and a truth that all strips together give."""
    for task in tasks_named("estimation", 40, seed=1, seats=6):
        guesses = [estimate(task.facts.known_to(seat))[0] for seat in range(6)]
        assert mean(guesses) == pytest.approx(float(task.answer or 0))
        assert estimate(task.facts.all) == (float(task.answer or 0), 0.0)
        assert len(set(guesses)) > 1


def test_the_solvers_agree_with_hand_worked_cases() -> None:
    """A solver and a generator by one hand could share one mistake."""
    asked = (
        "If one side of a card has a vowel, its other side has an even number. So he says. The cards show {}. Which?"
    )
    assert to_turn(asked.format("E, K, 4 and 7")) == ("E", "7")  # Wason 1968
    assert to_turn(asked.format("K, 4 and 6")) == ()
    assert value("What is 12 + 15 * 21 + 0 - 3 * 27?") == 246  # the example of Du et al.
    assert value("What is __import__('os')?") is None
    assert orders("abc", ["In every trial a was of more use than b"]) == [
        ("a", "b", "c"),
        ("a", "c", "b"),
        ("c", "a", "b"),
    ]


def test_the_clues_of_a_grid_are_all_needed() -> None:
    """A clue too many makes a puzzle easier than its size says."""
    for task in tasks_named("logic-grid", 20, seed=8):
        answers = [
            [order for order in itertools.permutations(task.options) if _sits(order, clues)]
            for clues in (task.facts.shared, *itertools.combinations(task.facts.shared, len(task.facts.shared) - 1))
        ]
        assert [len(each) == 1 for each in answers] == [True] + [False] * len(task.facts.shared)


def _sits(order: tuple[str, ...], clues: tuple[str, ...]) -> bool:
    """Tell whether clues hold, by another way than the generator's."""
    for clue in clues:
        one, *said, other = clue.split()
        apart = order.index(other) - order.index(one)
        held = {"left": apart > 0, "next": abs(apart) == 1, "two": abs(apart) == 2, "not": abs(apart) > 1}
        if not held[said[1]]:
            return False
    return True


def test_a_dilemma_comes_in_four_wordings_of_the_same_two_deeds() -> None:
    """A change of opinion between wordings is framing only where the deeds are the same."""
    plain, mirrored, paraphrased, both = tasks_named("dilemmas", 4, seed=6)
    assert len({task.item for task in (plain, mirrored, paraphrased, both)}) == 1
    assert plain.options == mirrored.options[::-1] == paraphrased.options == both.options[::-1]
    assert len({task.question for task in (plain, mirrored, paraphrased, both)}) == 4
    assert [task.answer for task in (plain, both)] == [None, None]


def test_a_name_a_count_or_a_panel_that_cannot_be_is_refused() -> None:
    """A typing error must not end in a study of nothing."""
    with pytest.raises(UnknownNameError, match="hiden-profile") as unknown:
        tasks_named("hiden-profile", 1, 0)
    assert "hidden-profile" in unknown.value.hint
    with pytest.raises(UsageError, match="0 tasks"):
        tasks_named("jury", 0, 0)
    with pytest.raises(UsageError, match="2 to 8 members, not for 9"):
        tasks_named("hidden-profile", 1, 0, seats=9)


# Files


def written(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_generated_tasks_are_the_same_after_a_file(tmp_path: Path) -> None:
    """A published study hands on its tasks, not its generator."""
    tasks = [task for name in GENERATORS for task in tasks_named(name, 3, seed=9)]
    assert load_tasks(written(tmp_path, *map(asdict, tasks))) == tasks


def test_the_layouts_of_benchmarks_are_read(tmp_path: Path) -> None:
    """Nobody should have to convert a benchmark before a study."""
    mmlu = {"question_id": 70, "question": "Which  gas?", "options": ["Argon", "Neon", "N/A"], "answer": "B"}
    hidden = {"id": 4, "name": "shelter", "description": "Where to?", "shared_information": ["East is dry."]}
    hidden |= {"hidden_information": ["West is near.", "West is safe."], "possible_answers": ["East", "West"]}
    rows = [mmlu | {"answer_index": 1, "src": "x"}, hidden | {"correct_answer": "West"}]
    rows.append({"question": "Own?", "options": ["A1", "B2"], "facts": {"private": [["one"], ["two"]]}})
    read = load_tasks(written(tmp_path, *rows))
    assert [(task.id, task.question, task.options, task.answer) for task in read] == [
        ("70", "Which gas?", ("Argon", "Neon"), "Neon"),
        ("4", "Where to?", ("East", "West"), "West"),
        ("tasks-3", "Own?", ("A1", "B2"), None),
    ]
    assert read[1].facts == Facts(("East is dry.",), {0: ("West is near.",), 1: ("West is safe.",)})
    assert read[2].facts.known_to(1) == ("two",)
    whole = tmp_path / "list.json"
    whole.write_text(json.dumps(rows), encoding="utf-8")
    assert [task.answer for task in load_tasks(whole)] == [task.answer for task in read]


GOOD = {"question": "Which?", "options": ["A1", "B2"], "answer": "A1"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "line 2: is no valid JSON"),
        ([1], "line 2: is no JSON object"),
        ({"question": "Q?", "option": ["a", "b"]}, "line 2: 'option' is no key of a task; did you mean 'options'?"),
        ({"options": ["a", "b"]}, "line 2: 'question' is missing"),
        (GOOD | {"answer": "C3"}, "line 2: the answer 'C3' is none of the options"),
        (GOOD | {"options": ["A1"]}, "line 2: one option is no choice"),
        (GOOD | {"answer": "C", "answer_index": 2}, "line 2: 'answer' is 'C', which is not the letter of option 2"),
        (GOOD | {"answer": "A", "answer_index": 1}, "line 2: 'answer' is 'A', which is not the letter of option 1"),
        (GOOD | {"id": "one"}, "line 2: the id 'one' is given twice"),
        (GOOD | {"facts": {"private": [["a"], "b"]}}, "line 2: 'facts' is not laid out as it must be: in 'private'"),
        (GOOD | {"facts": {"secret": []}}, "line 2: 'facts' is not laid out as it must be: in 'secret'"),
        (GOOD | {"question": " "}, "line 2: the question is empty"),
    ],
)
def test_a_row_that_is_no_task_is_named_with_its_line(tmp_path: Path, row: object, message: str) -> None:
    """A benchmark of 12,000 rows with one bad one is mended in a minute, if the error says where."""
    with pytest.raises(InputError) as refused:
        load_tasks(written(tmp_path, GOOD | {"id": "one"}, row))
    assert message in str(refused.value)
    assert refused.value.exit_code == 2


def test_a_file_without_tasks_is_refused(tmp_path: Path) -> None:
    """A study of no task would end at once, and look finished."""
    with pytest.raises(InputError, match="holds no task"):
        load_tasks(written(tmp_path))
    with pytest.raises(InputError, match="no such file"):
        load_tasks(tmp_path / "none.jsonl")


# The player, asked by hand


def prompt(task: Task, agent: str = "Ada", lines: tuple[Line, ...] = (), **more: object) -> Prompt:
    fields = {"purpose": "speak", "members": FIVE, "options": task.options, "question": task.question} | more
    return Prompt(agent=agent, lines=lines, last=max((line.number for line in lines), default=0), **fields)  # type: ignore[arg-type]


def asked(player: Runner, asking: Prompt) -> str:
    """Return the reply of a runner that awaits nothing, without a loop: these tests ask thousands of times."""
    with pytest.raises(StopIteration) as answered:
        player.run(asking).send(None)  # type: ignore[attr-defined]  # a coroutine
    return answered.value.value.text


def a_round(player_of: Callable[[str], Runner], task: Task, before: tuple[Line, ...] = ()) -> tuple[Line, ...]:
    """Return the messages of one more round, in seat order."""
    lines = before
    for seat, who in enumerate(FIVE, 1):
        text, _, holds = asked(player_of(who), prompt(task, who, lines)).partition("\n\n[POSITION] ")
        lines = (*lines, Line(len(before) + seat, who, text, holds))
    return lines


def position(text: str) -> str:
    return text.rpartition("[POSITION] ")[2]


def test_an_answer_depends_on_nothing_but_seed_member_and_ordinal() -> None:
    """A study that is cut and resumed must end as if it had not been."""
    task = tasks_named("arithmetic", 1, seed=1)[0]
    ballots = [prompt(task, purpose="ballot", nth=nth) for nth in (1, 2, 3, 4, 5, 6)]
    first, again = (
        [asked(player, ballot) for ballot in order]
        for player, order in (
            (SimulatedPlayer(task, 3, noise=0.5), ballots),
            (SimulatedPlayer(task, 3, noise=0.5), ballots[::-1]),
        )
    )
    assert first == again[::-1]
    assert len(set(first)) > 1
    assert [asked(SimulatedPlayer(task, 4, noise=0.5), each) for each in ballots] != first


def test_a_study_gives_all_arms_the_same_signals_and_each_its_own_noise() -> None:
    """Arms that are paired by signals but not by luck: else two arms without an effect would never differ."""
    tasks = tasks_named("arithmetic", 40, seed=2)

    def ballots(arm: str, **model: float) -> list[str]:
        return [
            asked(SimulatedPlayer(task, 1, arm=arm, **model), prompt(task, purpose="ballot"))  # type: ignore[arg-type]
            for task in tasks
        ]

    assert ballots("talk", skill=0.5) == ballots("reask", skill=0.5)
    assert ballots("talk", noise=0.5) != ballots("reask", noise=0.5)


@pytest.mark.parametrize("count", [750, pytest.param(1500, marks=pytest.mark.long)])
def test_skill_and_noise_are_the_chances_that_they_are_said_to_be(count: int) -> None:
    """Every figure of a study with planted truth stands on these."""
    tasks = tasks_named("arithmetic", count, seed=2)
    for model in ({"skill": 0.7}, {"noise": 0.3}):
        texts = [(asked(SimulatedPlayer(task, 1, **model), prompt(task, purpose="ballot")), task) for task in tasks]  # type: ignore[arg-type]
        assert abs(mean(json.loads(text)["choice"] == task.answer for text, task in texts) - 0.7) < 0.04


def test_conformity_is_the_chance_to_go_over_to_most_others_once_a_round() -> None:
    """Planted at 0.3, it is found at 0.3; at 0 nobody moves, and at 1 everybody does."""
    found: dict[float, list[bool]] = {0.0: [], 0.3: [], 1.0: []}
    for conformity, moved in found.items():
        for task in tasks_named("arithmetic", 60, seed=4):
            player = SimulatedPlayer(task, 1, conformity=conformity, skill=0.5)
            lines = a_round(lambda _, player=player: player, task)
            for who in FIVE:
                held = {line.who: line.text.partition("“")[2].partition(",")[0] for line in lines}
                own, others = held.pop(who), list(held.values())
                most = {each for each in others if others.count(each) == max(map(others.count, others))}
                if len(most) == 1 and own not in most:
                    moved.append(position(asked(player, prompt(task, who, lines))) in most)
                else:
                    assert position(asked(player, prompt(task, who, lines))) == own
    assert not any(found[0.0])
    assert all(found[1.0])
    assert len(found[0.3]) > 75
    assert abs(mean(found[0.3]) - 0.3) < 3 * (0.21 / len(found[0.3])) ** 0.5


def test_a_member_that_hears_nobody_never_conforms() -> None:
    """The isolated arm must differ from talk in what is heard, and in nothing else."""
    task = tasks_named("arithmetic", 1, seed=4)[0]
    silent = SimulatedPlayer(task, 1, conformity=1.0)
    assert position(asked(silent, replace(prompt(task), last=20))) == position(asked(silent, prompt(task)))


def test_facts_are_said_as_often_as_planted_and_who_hears_them_all_finds_the_answer() -> None:
    """The hidden profile's whole point: talk helps by what is said, and by nothing else."""
    said = []
    for task in tasks_named("hidden-profile", 60, seed=3, seats=5):
        player = SimulatedPlayer(task, 1, share=0.4)
        lines = a_round(lambda _, player=player: player, task)
        said += [any(fact in line.text for line in lines) for fact in task.facts.unshared]
        open_player = SimulatedPlayer(task, 1, share=1.0)
        open_lines = a_round(lambda _, player=open_player: player, task)
        right = f"o{task.options.index(task.answer or '') + 1}"
        assert all(position(asked(open_player, prompt(task, who, open_lines))) == right for who in FIVE)
        closed = SimulatedPlayer(task, 1, share=0.0)
        closed_lines = a_round(lambda _, player=closed: player, task, a_round(lambda _, player=closed: player, task))
        assert all(position(asked(closed, prompt(task, who, closed_lines))) != right for who in FIVE)
    assert abs(mean(said) - 0.4) < 3 * (0.24 / len(said)) ** 0.5


def test_one_who_is_told_everything_answers_rightly_alone() -> None:
    """The oracle is the ceiling of what talk can bring."""
    for task in tasks_named("hidden-profile", 20, seed=2):
        told = Document("what you know", "\n".join(task.facts.all))
        player = SimulatedPlayer(task, 1)
        alone = prompt(task, agent="", purpose="baseline", members=())
        assert asked(player, replace(alone, documents=(told,))).endswith(f"ANSWER: {task.answer}")
        assert not asked(player, alone).endswith(f"ANSWER: {task.answer}")


def test_ballots_and_polls_name_texts_by_their_ids() -> None:
    """In an order drawn for each voter, words alone would have to be looked up."""
    task = tasks_named("hidden-profile", 1, seed=2)[0]
    texts = tuple(BallotText(id=f"o{place}", motion=f"o{place}", text=text) for place, text in enumerate(task.options))
    player = SimulatedPlayer(task, 1)
    ballot = json.loads(asked(player, prompt(task, purpose="ballot", texts=texts)))
    poll = json.loads(asked(player, prompt(task, purpose="poll", texts=texts)))
    assert ballot["choice"] == ballot["ranking"][0] == poll["choice"]
    assert set(ballot["scores"]) == set(poll["beliefs"]) == {text.id for text in texts}
    assert sum(poll["beliefs"].values()) == pytest.approx(1, abs=1e-5)
    assert max(poll["beliefs"], key=poll["beliefs"].get) == poll["choice"]


def test_a_player_of_nothing_or_of_impossible_chances_is_refused() -> None:
    """A share of 30 where 0.3 was meant would be found in the tables, if at all."""
    task = tasks_named("jury", 1, seed=1)[0]
    for wrong in ({"noise": 30}, {"conformity": -0.1}):
        with pytest.raises(UsageError, match="no share of 1"):
            SimulatedPlayer(task, 1, **wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no options to play"):
        SimulatedPlayer(replace(task, options=(), answer=None), 1)


# The player in debates


def debate(task: Task, seed: int, floor: str = "round-robin", messages: int = 8, **model: float) -> Debate:
    library = Library()
    people = [library.persona(name) for name in sorted(library.personas)[:5]]
    player = SimulatedPlayer(task, seed, **model)  # type: ignore[arg-type]
    settings = Settings(max_messages=messages, floor=floor)
    return Debate(task.question, people, player, options=task.options, settings=settings, seed=seed)


@pytest.mark.parametrize(("name", "floor"), in_turn(sorted(GENERATORS), ["round-robin", "bidding"]))
def test_a_whole_debate_takes_every_answer_of_a_player_the_first_time(name: str, floor: str) -> None:
    """A statement that the engine took for a repeat, an echo or no speech would change what was planted."""
    task = tasks_named(name, 2, seed=1, seats=5)[1]
    one = debate(task, 1, floor, messages=9, skill=0.6, conformity=0.2, noise=0.1)
    one.run_sync()
    facts = list(one.session.events())
    said = [event for event in facts if isinstance(event, MessagePosted)]
    assert len(said) == 9
    assert not [event for event in facts if isinstance(event, CallMade) and event.attempt > 1]
    assert all([move.kind for move in message.moves] == ["position"] for message in said)
    ballots = [event.ballot for event in facts if isinstance(event, BallotCast)]
    assert {ballot.choice for ballot in ballots} <= set(task.options)
    assert not any(ballot.invalid or ballot.doubts for ballot in ballots)
    held = [one.memory.agents[message.who].holds for message in said]
    assert all(len(options) == 1 for options in held)


def test_members_that_state_the_same_one_word_option_do_not_repeat_each_other() -> None:
    """What a member says is what it was planted to say: a turn taken from it for saying it would move the measure."""
    options = ("330", "6", "2508", "272")
    task = Task("short-1", "What is 18 + 5 * 19 + 26 - 7 * 19?", options, "6")
    one = debate(task, 1, messages=20)
    one.run_sync()
    assert sum(isinstance(event, MessagePosted) for event in one.session.events()) == 20
    assert {each.holds for each in one.memory.agents.values()} == {("6",)}


@pytest.mark.parametrize("count", [8, pytest.param(25, marks=pytest.mark.long)])
def test_planted_conformity_is_found_between_the_ballots_of_whole_debates(count: int) -> None:
    """Through bus, prompts and ballots: one round of talk moves the outvoted as often as was planted."""
    moved = []
    for task in tasks_named("arithmetic", count, seed=11, seats=5):
        one = debate(task, 1, conformity=0.5, skill=0.5)
        one.run_sync()
        ballots = [event for event in one.session.events() if isinstance(event, BallotCast)]
        first = {cast.ballot.agent: cast.ballot.choice for cast in ballots if cast.first}
        last = {cast.ballot.agent: cast.ballot.choice for cast in ballots if not cast.first}
        heard = {event.who for event in one.session.events() if isinstance(event, MessagePosted) and event.number <= 5}
        for who, own in first.items():
            others = [choice for other, choice in first.items() if other != who and other in heard]
            most = {each for each in others if others.count(each) == max(map(others.count, others))}
            if len(most) == 1 and own not in most:
                moved.append(last[who] in most)
            else:
                assert last[who] == own
    assert len(moved) > count
    assert abs(mean(moved) - 0.5) < 3 * (0.25 / len(moved)) ** 0.5


# Published layouts of multiple choice, and named columns

GPQA = """\
Subdomain,Record ID,Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3
Optics,rec{n},"Question {n}: what
is it, then?",It is light {n},"It is sound, {n}",It is heat {n},It is mass {n}
"""
EXAM = [
    {"stem": "What is 2 + 2?", "a": "3", "b": "4", "c": "", "key": "B", "number": "x1"},
    {"stem": "What is 3 + 3?", "a": "6", "b": "7", "c": "8", "key": "6", "number": "x2"},
]
NAMED = Columns(question="stem", options=("a", "b", "c"), answer="key", id="number")


def test_gpqa_is_read_as_published_and_its_right_answers_stand_anywhere(tmp_path: Path) -> None:
    """A panel that learns that the first option is right would be as good as its place."""
    head = GPQA.split("\n", maxsplit=1)[0]
    rows = [GPQA.format(n=n).split("\n", maxsplit=1)[1] for n in range(40)]
    file = tmp_path / "gpqa_main.csv"
    file.write_text(f"{head}\n{''.join(rows)}", encoding="utf-8")
    tasks = load_tasks(file)
    assert (tasks[7].id, tasks[7].question, tasks[7].answer) == (
        "rec7",
        "Question 7: what is it, then?",
        "It is light 7",
    )
    assert set(tasks[7].options) == {"It is light 7", "It is sound, 7", "It is heat 7", "It is mass 7"}
    assert {task.options.index(str(task.answer)) for task in tasks} == {0, 1, 2, 3}
    assert load_tasks(file) == tasks


def test_mmlu_pro_is_read_as_published(tmp_path: Path) -> None:
    """Whoever turned Parquet into JSON by a script of his own would have another benchmark."""
    pa = pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
    from pyarrow import parquet

    row = {"question_id": 70, "question": "Which?", "options": ["one", "two", "N/A"], "answer": "B", "answer_index": 1}
    parquet.write_table(pa.Table.from_pylist([{**row, "cot_content": "", "src": "x"}]), tmp_path / "test.parquet")
    assert load_tasks(tmp_path / "test.parquet") == [Task("70", "Which?", ("one", "two"), "two")]
    (tmp_path / "study.toml").write_text('name = "m"\ntasks = "test.parquet"\nseeds = 1\n', encoding="utf-8")
    assert StudyFile.load(tmp_path / "study.toml").parts["tasks"]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(InputError, match=r"bad\.parquet"):
        load_tasks(tmp_path / "bad.parquet")


def test_a_table_whose_columns_are_named_is_read(tmp_path: Path) -> None:
    """An exam of one's own would have to be rewritten by hand."""
    rows = [",".join(EXAM[0]), *(",".join(row.values()) for row in EXAM)]
    (tmp_path / "exam.csv").write_text("\n".join(rows), encoding="utf-8")
    expected = [
        Task("x1", "What is 2 + 2?", ("3", "4"), "4"),
        Task("x2", "What is 3 + 3?", ("6", "7", "8"), "6"),
    ]
    assert load_tasks(tmp_path / "exam.csv", NAMED) == expected
    lists = [{"q": row["stem"], "choices": [row["a"], row["b"]], "key": row["key"]} for row in EXAM]
    (tmp_path / "exam.jsonl").write_text("\n".join(map(json.dumps, lists)), encoding="utf-8")
    read = load_tasks(tmp_path / "exam.jsonl", Columns(question="q", options="choices", answer="key"))
    assert [(task.options, task.answer) for task in read] == [(("3", "4"), "4"), (("6", "7"), "6")]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (NAMED.model_copy(update={"answer": "kee"}), "did you mean"),
        (NAMED.model_copy(update={"answer": "number"}), "'x1' is none of the options"),
        (NAMED.model_copy(update={"question": "c"}), "line 1"),
    ],
)
def test_a_table_that_is_no_exam_is_refused(tmp_path: Path, columns: Columns, said: str) -> None:
    """A wrong column would make every answer wrong, and nobody would see it."""
    rows = [",".join(EXAM[0]), *(",".join(row.values()) for row in EXAM)]
    (tmp_path / "exam.csv").write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        load_tasks(tmp_path / "exam.csv", columns)
    assert said in f"{refused.value} {refused.value.hint}"
