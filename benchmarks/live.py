"""Scores what EDA reads out of replies as models write them: `python benchmarks/live.py FOLDER [--wrong] [--write]`.

`forms.jsonl`, `answers.jsonl`, `stances.jsonl`, whole debates and their scorer `score_live.py`; the scorer
alone decides what is right. Every reply takes the way of a debate: a Messages API on loopback
sends it, the client cleans it, a member says it on a bus, a memory folds it. Acts are read from that memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any, NamedTuple

from corpora import Scorers, load
from replies import Panel, Server, persona
from results import told

from eda import ConversationMemory
from eda.debate.asking import ask_for_bids
from eda.debate.prompts.texts import Prompts
from eda.debate.speech import no_speech
from eda.debate.verdict import Paper
from eda.events import NONE, BallotCast, MessagePosted, StanceTaken
from eda.memory.minutes.model_minutes import MinutesAnswer
from eda.runners.answers import BidsAnswer
from eda.runners.protocol import Prompt
from eda.text import Read
from eda.voting import given, shown_order

Row = dict[str, Any]
SCORED = frozenset({"propose", "amend", "support", "oppose", "neutral", "withdraw", "position", "claim"})
"""The acts that the scorer knows."""
NOTHING = "I have nothing to say."
"""Stands for a reply that becomes no message."""
FILLERS = ("Wait for the next point.", "Go on, please.")


def acts_at(memory: ConversationMemory, message: MessagePosted) -> Iterator[Row]:
    """The acts that memory has of a message, as the scorer takes them."""
    number = message.number
    nobodys = {(move.kind, move.text) for move in message.unclaimed}
    unresolved = [
        move for move in memory.unresolved if move.message == number and (move.kind, move.text) not in nobodys
    ]
    lost = {move.text for move in unresolved if move.kind == "amend"}
    for put in (put for put in memory.proposals if put.message == number):
        kind = "amend" if put.amends or put.content in lost else "propose"
        yield {"act": kind, "id": put.id, "target": put.amends, "text": put.content}
        lost.discard(put.content)
    for move in unresolved:
        if move.kind in SCORED and (move.kind != "amend" or move.text in lost):
            yield {"act": move.kind, "target": None, "text": move.text}
    changes = ((put, change) for put in memory.proposals for change in put.changes if change.status == "withdrawn")
    yield from ({"act": "withdraw", "target": put.id} for put, change in changes if number in change.messages)
    reactions = (one for one in memory.reactions if one.message == number and one.to is not None)
    yield from ({"act": one.reaction, "target": one.to} for one in reactions)
    positions = (one for agent in memory.agents.values() for one in agent.positions if one.message == number)
    yield from ({"act": "position", "target": None, "text": one.text} for one in positions)
    claims = (claim for claim in memory.claims if number in claim.messages)
    yield from ({"act": "claim", "target": claim.proposal, "text": claim.outcome} for claim in claims)


async def form(row: Row, server: Server) -> list[Row]:
    """The acts of one reply, with the open proposals of `row` on the table under the ids that they have."""
    table: dict[int, dict[int, Row]] = {}
    for one in row["open"]:
        message, order = map(int, one["id"][1:].split("."))
        table.setdefault(message, {})[order] = one
    panel = Panel(dict.fromkeys(("Chair", row["who"], *(one["who"] for one in row["open"]))), server)
    panel.begin("discussion")
    for number in range(1, max(table, default=0) + 1):
        there = table.get(number)
        if there is None:
            await panel.bus.say("Chair", FILLERS[number % 2])
            continue
        lines = (
            f"[PROPOSE] {there[k]['text']}" if k in there else "[POSITION] As below." for k in range(max(there) + 1)
        )
        await panel.bus.say(next(iter(there.values()))["who"], "Here is mine.\n\n" + "\n".join(lines))
    message = await panel.speak(row["who"], row["raw"])
    await panel.bus.close()
    return [] if message is None else list(acts_at(panel.memory, message))


async def answer(row: Row, server: Server) -> Row:
    """What one structured answer says."""
    if row["schema"] == "bid":
        asked = Prompt(purpose="bid", asked=tuple(map(persona, row["shown"])), answer=BidsAnswer)
        server.sends(row["raw"])
        turn = await ask_for_bids(server.runner, asked, row["shown"], Prompts().corrected)
        return {"wants": {bid.agent: bid.wants for bid in turn.bids or () if not bid.fault}}
    if row["schema"] == "minutes":
        reply = await server.reply(row["raw"], Prompt(purpose="summarise", answer=MinutesAnswer))
        return {"summary": reply is not None and reply.data is not None}
    if row["schema"] == "poll":
        return await _vote(row["raw"], row["shown"], server, poll=True)
    return await _vote(row["raw"], row["shown"], server, scored="scores" in row["means"])


async def _vote(raw: str, shown: Sequence[str], server: Server, *, poll: bool = False, scored: bool = False) -> Row:
    """What a member is counted for that is asked about choices, `shown` in this order."""
    choices, texts = tuple(shown), given("", shown)
    seed = next(seed for seed in count() if shown_order(texts, seed, "Maya") == texts)
    panel = Panel(("Maya", "Otto"), server, options=choices, rule="score" if scored else "majority", seed=seed)
    server.sends(raw)
    turn = await (panel.members["Maya"].poll(texts, 1) if poll else panel.members["Maya"].vote(Paper(texts), texts))
    await panel.bus.close()
    for fact in turn.facts:
        if isinstance(fact, StanceTaken):
            choice = None if fact.invalid else fact.choice or "none of these"
            return {"choice": choice, "confidence": fact.confidence}
        if isinstance(fact, BallotCast):
            ballot = fact.ballot
            choice = None if ballot.invalid else ballot.choice or "abstain"
            choice = "none of these" if choice == NONE else choice
            others = {"scores": ballot.scores, "ranking": list(ballot.ranking), "confidence": ballot.confidence}
            return {"choice": choice, **others}
    return {"choice": None}


async def stance(row: Row, server: Server) -> list[str]:
    """The options that a statement behind `[POSITION]` holds."""
    panel = Panel(("Maya", "Otto"), server, options=row["options"])
    panel.begin("discussion")
    await panel.bus.say("Maya", "So.\n\n[POSITION] " + row["text"])
    await panel.bus.close()
    agent = panel.memory.agents.get("Maya")
    return list(agent.positions[-1].options) if agent and agent.positions else []


def minutes_of(calls: Sequence[Row]) -> dict[int, list[str]]:
    """The recorded minutes by the last message of their range. The first ones cite the last message of theirs."""
    minutes: dict[int, list[str]] = {}
    every = number = 0
    for call in calls:
        number = call["n"] or number
        if call["purpose"] == "minutes":
            every = every or max(map(int, re.findall(r"(?:\bm|\"message\": )(\d+)", call["raw"])))
            minutes.setdefault((number + 1) // every * every, []).append(call["raw"])
    return minutes


async def debate(rows: Sequence[Row], server: Server) -> Row:
    """What memory has of a whole debate after the replies were said in their order."""
    head, *calls = rows
    joining = {member["joins_after"]: member["title"] for member in head["members"] if "joins_after" in member}
    minutes = minutes_of(calls)
    panel = Panel(
        (member["title"] for member in head["members"] if "joins_after" not in member),
        server,
        every=min(minutes, default=None),
        question=head["question"],
        options=head["options"],
        agenda=head["format"],
    )
    posted: list[MessagePosted] = []
    sealed = True
    for call in (call for call in calls if call["purpose"] == "speak" and call["n"]):
        if sealed and not call["sealed"]:
            panel.begin("discussion")
        sealed = call["sealed"]
        panel.minutes.begin(minutes.get(call["n"], ()))
        message = await panel.speak(call["who"], call["raw"], sealed=sealed)
        # So that the numbers stay. A reply in another language, which would be asked for anew, stood when labelled.
        text = NOTHING if no_speech(Read(call["raw"])) else call["raw"]
        posted.append(message or panel.post(call["who"], text, sealed=sealed))
        if call["n"] in joining:
            panel.join(joining[call["n"]])
    await panel.bus.close()
    memory = panel.memory
    return {
        "acts": [{"message": one.number, **act} for one in posted for act in acts_at(memory, one)],
        "ballots": await votes(calls, "ballot", server, scored=head["rule"] == "score"),
        "polls": await votes(calls, "poll", server),
        "stances": {who: _stances(memory, who) for who in memory.agents},
        "claims": [{"message": claim.messages[0], "supporters": list(claim.supporters)} for claim in memory.claims],
        "listed": (panel.listed, panel.on_table),
        "families": [[version.id for version in motion.versions] for motion in memory.motions],
        "puppets": [{"message": one.number, "name": name} for one in posted for name in one.puppets],
    }


async def votes(calls: Sequence[Row], purpose: str, server: Server, *, scored: bool = False) -> list[Row]:
    """The votes of each ballot, or poll, of a debate; of a member's answers the last that can be read counts.

    A ballot ends where somebody speaks: a debate that was cut short in one goes on with it.
    """
    asked = [call for call in calls if call["purpose"] in (purpose, "speak")]
    rounds = [list(answers) for is_vote, answers in groupby(asked, lambda call: call["purpose"] == purpose) if is_vote]
    made: list[Row] = []
    for number, answers in enumerate(rounds, 1):
        poll = purpose == "poll"
        read = [
            (call["who"], (await _vote(call["raw"], call["shown"], server, poll=poll, scored=scored))["choice"])
            for call in answers
        ]
        made.append({"round": number, "votes": {who: choice for who, choice in read if choice is not None}})
    return made


def _stances(memory: ConversationMemory, who: str) -> Row:
    agent = memory.agents[who]
    first = agent.positions[0].options if agent.positions else ()
    open_now = (p for p in memory.proposals if p.status in ("active", "accepted"))
    behind = [p.id for p in open_now if p.proposer == who or who in p.backers("support")]
    return {"opening": list(first), "end": list(agent.holds), "end_on": behind}


def debates_of(folder: Path) -> list[str]:
    """The names of the whole debates, in order."""
    return [path.name.removesuffix(".gold.json") for path in sorted(folder.glob("*.gold.json"))]


class Again(NamedTuple):
    """How many answers would be asked for once more."""

    clear: int
    """Those that say by the gold what is meant."""
    unclear: int
    """Those of which it cannot be told, so that it is right to ask."""


def tells(row: Row) -> bool:
    """True if the gold says what an answer means, and does not allow that it be asked for again."""
    return row["means"].get("choice", "") is not None and None not in row.get("also", ())


async def predictions(folder: Path) -> tuple[Row, Again]:
    """Everything that the scorer takes, and the number of answers that would be asked for once more."""
    async with Server() as server:
        made: Row = {"forms": {row["id"]: await form(row, server) for row in load(folder / "forms.jsonl")}}
        made["answers"], again = {}, Counter[bool]()
        for row in load(folder / "answers.jsonl"):
            made["answers"][row["id"]] = await answer(row, server)
            again[tells(row)] += server.calls > 1
        made["stances"] = await stances(folder, server)
        talks = {name: load(folder / f"{name}.jsonl") for name in debates_of(folder)}
        made["debates"] = {name: await debate(rows, server) for name, rows in talks.items()}
    return made, Again(again[True], again[False])


async def stances(folder: Path, server: Server) -> Row:
    """The options that each statement behind `[POSITION]` holds."""
    return {row["id"]: await stance(row, server) for row in load(folder / "stances.jsonl")}


def scored(made: Mapping[str, Any], folder: Path, gold: Path | None = None) -> str:
    """What the scorer of `folder` says of predictions, against the gold there or in another folder."""
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "made.json"
        path.write_text(json.dumps(made), encoding="utf-8")
        return Scorers(folder).run("score_live", [str(path), str(gold or folder)])


def sections(text: str) -> dict[str, str]:
    """The parts of the scorer's output, by the words that head them."""
    parts = re.split(r"^== ", text, flags=re.MULTILINE)[1:]
    return {re.split(r"[:;\n]", part, maxsplit=1)[0]: part for part in parts}


def pick(text: str, pattern: str) -> str:
    """The groups of the first match, joined by "of"; a dash where there is none."""
    match = re.search(pattern, text)
    return " of ".join(match.groups()) if match else "-"


F1 = r"  all .* F1 (\S+)"


def table(text: str, again: Again, made: Row) -> str:
    """The measures as Markdown."""
    listed = [sum(figures) for figures in zip(*(talk["listed"] for talk in made["debates"].values()), strict=True)]
    part = sections(text)
    forms, answers = part.get("forms", ""), part.get("answers", "")
    talks = {name.removeprefix("debate "): part[name] for name in part if name.startswith("debate ")}
    whole, replies = r"right in (\d+)", r"(\d+) replies"
    rows = [
        ("endings: all acts and links right", "62 of 126", f"{pick(forms, whole)} of {pick(forms, replies)}", "0.95"),
        ("endings: acts F1", "0.750", pick(forms, F1), "0.97"),
        ("endings: dead ids left unresolved", "6 of 9", pick(forms, r"unresolved (\d+) of (\d+)"), "all"),
    ]
    known = {"tide": "0.975", "pn": "0.722", "rt": "0.718"}
    rows += [(f"debate {name}: acts F1", known.get(name, ""), pick(talks[name], F1), "0.97") for name in talks]
    for what, pattern, before, aim in (
        ("false supporters of claims", r"false claims (\d+)", "2", "0"),
        ("claims taken down where nobody claimed", r"nobody claimed (\d+)", "", "0"),
        ("puppets found, of 5", r"puppets: found (\d+)", "0", "5"),
        ("puppets too many", r"too many (\d+)$", "", "0"),
    ):
        matches = (re.search(pattern, talk.rstrip()) for talk in talks.values())
        rows.append((f"debates: {what}", before, str(sum(int(match[1]) for match in matches if match)), aim))
    for what, before in (("ballots", "16 of 19"), ("polls", "")):
        matches = (re.search(rf"{what} right (\d+) of (\d+)", talk) for talk in talks.values())
        if figures := [(int(match[1]), int(match[2])) for match in matches if match]:
            right, of = map(sum, zip(*figures, strict=True))
            rows.append((f"debates: {what} read as meant", before, f"{right} of {of}", "all"))
    rows.append(("debates: live texts that a speaker's prompt has", "", " of ".join(map(str, listed)), "all"))
    clear, abstained = r"unreadable (\d+)", r"abstention read as a vote (\d+)"
    rows += [
        ("answers: choice right", "44 of 76", pick(answers, r"choice right (\d+) of (\d+)"), "0.97"),
        ("answers: clear and called unreadable", "30", pick(answers, clear), ""),
        ("answers: abstention read as a vote", "1", pick(answers, abstained), "0"),
        ("answers: another choice, or one where none is clear", "", pick(answers, r"none is clear (\d+)"), ""),
        ("answers: asked for once more", "", f"{sum(again)} of {len(made['answers'])}", "1 in 10"),
        ("of these: where it can be told what is meant", "", str(again.clear), "0"),
        ("bids right", "2 of 7", pick(answers, r"wants right (\d+) of (\d+)"), "7 of 7"),
    ]
    held = r"right (\d+) of \d+ = \S+; wrong (\d+); unknown (\d+)"
    figures = pick(sections(text).get("stances", ""), held).replace(" of ", " / ")
    what = "behind [POSITION]: right / wrong / unknown, of 91"
    rows.append((what, "37 / 50 / 4", figures, ">= 68 / <= 1 / the rest"))
    lines = ("| measure | at 971ad89 | now | aim |", "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows))
    return "\n".join(lines)


def wrong(made: Row, folder: Path) -> Iterator[str]:
    """Each reply whose score is below that of its gold, with what was meant and what was made of it."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for kind in ("forms", "answers", "stances"):
            for row in load(folder / f"{kind}.jsonl"):
                (work / f"{kind}.jsonl").write_text(json.dumps(row), encoding="utf-8")
                best = json.loads(Scorers(folder).run("score_live", ["--from-gold", name]))
                mine = made[kind][row["id"]]
                if scored({kind: best[kind]}, folder, work) != scored({kind: {row["id"]: mine}}, folder, work):
                    meant = row.get("acts", row.get("means", row.get("holds")))
                    yield f"{row['id']} {row['cat']}\n{row.get('raw', row.get('text'))}\nMEANT {meant}\nMADE {mine}\n"
            (work / f"{kind}.jsonl").unlink()
    for name in debates_of(folder):
        for gold in json.loads((folder / f"{name}.gold.json").read_text(encoding="utf-8"))["acts"]:
            mine = [act for act in made["debates"][name]["acts"] if act["message"] == gold["message"]]
            if Counter(act["act"] for act in mine) != Counter(act["act"] for act in gold["acts"]):
                yield f"{name} m{gold['message']} {gold['who']}\nMEANT {gold['acts']}\nMADE {mine}\n"


async def measure(folder: Path) -> tuple[str, Row]:
    """The table, and what it was made from."""
    made, again = await predictions(folder)
    return table(scored(made, folder), again, made), made


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--full", action="store_true", help="print all that the scorer says")
    parser.add_argument("--wrong", action="store_true", help="print each reply that was not read as meant")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    given = parser.parse_args()
    text, made = asyncio.run(measure(given.folder))
    if given.wrong:
        print(*wrong(made, given.folder), sep="\n")
    if given.full:
        print(scored(made, given.folder))
    told("live", "make eval CORPORA=DIR", text, write=given.write)


if __name__ == "__main__":
    main()
