"""Ballots, votes in JSON, typed lines and reasons made of parts whose meaning is known: how many are read otherwise.

Each is put together by lot from phrases, names and joints, so that most sound odd and some have two readings. What is
asked about costs a question; what is read otherwise than it was made counts against somebody.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from eda import read_ballot, read_condition, read_remark

Outcome = str  # `right`, `asked` or `wrong`; of typed lines also `told`.

BALLOT = [
    {"id": "p2.0", "letter": "A", "by": "Ines", "title": "Church hall", "text": "Rent the church hall for the market."},
    {
        "id": "p4.1",
        "letter": "B",
        "by": "Bo",
        "title": "Yard with tents",
        "text": "Hold it in the yard under two tents.",
    },
    {"id": "o1", "letter": "C", "by": "", "title": "Cancel the market", "text": "Cancel the market"},
    {"id": "p7.0", "letter": "D", "by": "Ruth", "title": "Stall fee", "text": "Ask each stall for 15 euros."},
]


def several(phrases: str) -> list[str]:
    """Return phrases that are parted by a bar."""
    return phrases.split("|")


YES = several(
    "yes to {}|{} yes|{}: yes|I accept {}|{} is fine|{} ok|✅ {}|{} ✅|for {}|{} is acceptable|I can live with {}"
    "|{} works for me|support {}|ja zu {}|{} ja|{} nehme ich|+ {}|I'd take {}"
)
NO = several(
    "no to {}|{} no|{}: no|I refuse {}|{} is out|not {}|❌ {}|{} ❌|against {}|{} is not acceptable|I cannot accept {}"
    "|{} does not work for me|never {}|nein zu {}|{} nein|{} lehne ich ab|no {}|I can't live with {}"
)
JOINTS = (", ", "; ", "\n", ". ", " and ", " but ", " / ", " ")
ACCEPTS = ("accept", "approved", "yes", "for", "support", "acceptable", "in_favour", "votes_for", "zustimmung")
REFUSES = ("refuse", "rejected", "no", "against", "not_acceptable", "oppose", "veto", "nein", "ablehnung")
RANKS = ("ranking", "rank", "order", "ballot", "vote", "preferences", "choices", "my_vote", "best_first", "reihenfolge")
SAYS_NONE = ("worst", "worst_first", "considered", "others", "maybe", "acceptable_if", "undecided", "reverse_order")

TABLE = [
    {
        "id": "o1",
        "by": "Ingrid",
        "title": "Gravel path",
        "text": "Lay a gravel path from the gate to the lake.",
        "at": 0,
    },
    {"id": "o2", "by": "Ingrid", "title": "Tar path", "text": "Tar the path from the gate to the lake.", "at": 0},
    {"id": "p3.0", "by": "Kwame", "title": "Boardwalk", "text": "Build a boardwalk over the wet part.", "at": 3},
    {"id": "p5.0", "by": "Yuki", "title": "Lamps along the path", "text": "Put a lamp every 20 metres.", "at": 5},
]
LAST = {"number": 7, "who": "Ingrid", "text": "We have heard three people now."}
SIDES: Mapping[str, list[str]] = {
    "support": several(
        "yes to {}|I support {}|for {}|{} yes|I'm for {}|ok with {}|{} is fine with me|I like {}|I agree with {}"
        "|count me in for {}|+1 for {}|I back {}|ja zu {}|bin für {}|{} finde ich gut|{} has my vote"
    ),
    "oppose": several(
        "no to {}|I oppose {}|against {}|{} no|I'm against {}|not {}|{} is not ok with me|count me out of {}|-1 for {}"
        "|nein zu {}|bin gegen {}|{} lehne ich ab|never {}|no way {}|I won't back {}"
    ),
    "undecided": several(
        "undecided on {}|not sure about {}|unsure about {}|I don't know about {}|unentschieden bei {}"
    ),
    "": several(
        "it is cold today|{} costs 900|I read {}|let us look at {} next|{} is fine, says Ada|everybody is for {}"
    ),
}
IFS = several(
    " if the town pays| only with a railing| once it is paid| as long as it stays free| wenn die Gemeinde zahlt"
)

STANCES = several("|I am for it|yes|it has my vote|I can live with this|I back it|fine by me|count me in")
STATED = several(
    "if the town pays|as long as the gate stays open|provided the roof is checked|unless it rains in June"
    "|on condition that Ada keeps the key|subject to the insurer|so long as nobody sleeps there|only if two of us come"
)
GROUNDS = several("it is the cheapest|nobody has to move|we tried it last year|the price holds|it saves a walk")


def ballot(draw: random.Random) -> tuple[Outcome, str]:
    """Return how a ballot with yes or no beside each text is read, and its words."""
    chosen, mixed = draw.sample(BALLOT, draw.randint(2, 4)), draw.random() < 0.4
    name = draw.choice(("letter", "id", "title"))
    one = {True: draw.choice(YES), False: draw.choice(NO)}
    says = {text["id"]: draw.random() < 0.55 for text in chosen}
    parts = [
        (draw.choice(YES if says[text["id"]] else NO) if mixed else one[says[text["id"]]]).format(text[name])
        for text in chosen
    ]
    raw = draw.choice(JOINTS).join(parts)
    return _read(raw, {key for key, said in says.items() if said}), raw


def data(draw: random.Random) -> tuple[Outcome, str]:
    """Return how a ballot in JSON is read, and its words; what a key says nothing of is to be asked about."""
    order = [text["id"] for text in draw.sample(BALLOT, draw.randint(1, 4))]
    rest = [text["id"] for text in BALLOT if text["id"] not in order]
    said: Any = draw.choice(
        (
            {draw.choice(RANKS): order},
            {draw.choice(ACCEPTS): order, draw.choice(REFUSES): rest},
            {draw.choice(REFUSES): rest, draw.choice(ACCEPTS): order},
            {text["id"]: text["id"] in order for text in BALLOT},
            [{"text": text["title"], "vote": "for" if text["id"] in order else "against"} for text in BALLOT],
            {draw.choice(SAYS_NONE): order},
            {"ranking": order[:1], draw.choice(SAYS_NONE): [*order[:1], *rest]},
        )
    )
    raw = json.dumps(said)
    loose = [said[key] for key in SAYS_NONE if key in said] if isinstance(said, dict) else []
    same = loose == [order[:1]] and "ranking" in said  # it says the same again
    read = _read(f"My ballot:\n{raw}" if draw.random() < 0.5 else raw, {*order[: 1 if same else None]})
    return read if same or not loose else "right" if read == "asked" else "wrong", raw


def _read(raw: str, accepts: set[str]) -> Outcome:
    read = read_ballot(raw, BALLOT)
    got = {key for rank in read.accepts for key in ([rank] if isinstance(rank, str) else rank)}
    return "asked" if read.ask else "right" if got == accepts and not read.abstain else "wrong"


def line(draw: random.Random) -> tuple[Outcome, str]:
    """Return how a typed line of up to three sides is read, and its words: `told` where it says what it left out."""
    meant, parts = set[tuple[str, str, bool]](), list[str]()
    for text in draw.sample(TABLE, draw.randint(1, 3)):
        side = draw.choice(("support", "support", "oppose", "oppose", "undecided", ""))
        condition = draw.choice(IFS) if side == "support" and draw.random() < 0.3 else ""
        named = draw.choice((text["id"], text["title"].lower(), f"the {text['title'].lower()}"))
        parts.append(draw.choice(SIDES[side]).format(named) + condition)
        meant |= {(side, str(text["id"]), bool(condition))} if side else set()
    raw = draw.choice(JOINTS[:-1]).join(parts)
    read = read_remark(raw, TABLE, "Tomasz", LAST)
    got = {(act.kind, act.on or "", bool(act.condition)) for act in read.acts}
    short = "told" if read.left or not got else "wrong"
    return "asked" if read.ask else "right" if got == meant else short if got < meant else "wrong", raw


def reason(draw: random.Random) -> tuple[Outcome, str]:
    """Return how a reason with or without a condition behind a side is read, and its words."""
    condition = draw.choice(STATED) if draw.random() < 0.6 else ""
    words = [draw.choice(STANCES), condition, draw.choice(GROUNDS)]
    raw = draw.choice((", ", ". ", "; ", " - ")).join(filter(None, words))
    read = read_condition(raw, "support")
    if read.conditional is None or (read.conditional and not read.sure):
        return "asked", raw
    return "right" if read.conditional is bool(condition) else "wrong", raw


KINDS: Mapping[str, Callable[[random.Random], tuple[Outcome, str]]] = {
    "ballots with yes or no beside each text": ballot,
    "ballots in JSON": data,
    "typed lines of up to three sides": line,
    "reasons with and without a condition": reason,
}


def main() -> None:
    """Print how many of each kind are read right, asked about, told and read otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=10_000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0, help="how many of those read otherwise are shown")
    args = parser.parse_args()
    print("| made by lot | right | asked about | told | otherwise than made |\n|---|---|---|---|---|")
    for name, made in KINDS.items():
        draw = random.Random(args.seed)
        rows = [made(draw) for _ in range(args.number)]
        count = Counter(outcome for outcome, _ in rows)
        figures = " | ".join(str(count[each]) for each in ("right", "asked", "told", "wrong"))
        print(f"| {args.number:,} {name} | {figures} |")
        for raw in [raw for outcome, raw in rows if outcome == "wrong"][: args.wrong]:
            print(f"    {raw!r}")


if __name__ == "__main__":
    main()
