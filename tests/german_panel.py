"""A debate in German, as it was asked, and what its panel answered: every speech and ballot is a person's own words."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from answering import asked_for, own_words
from fake_anthropic import Say

__all__ = ["ARGUMENTS", "CALLS", "Gremium"]

HERE = Path(__file__).parent / "recordings"
CALLS = HERE / "german.jsonl"
ARGUMENTS = (
    *("debate", "Soll die Stadtbücherei am Sonntag öffnen?", "--language", "de", "--max-messages", "10", "--seed", "3"),
    *(
        "--option",
        "Sonntags öffnen",
        "--option",
        "Sonntags geschlossen lassen",
        "--personas-dir",
        str(HERE / "gremium"),
    ),
    *("--persona", "lena", "--persona", "otto", "--persona", "ute", "--persona", "paul"),
)
_TRIAL = (
    "Die Bücherei öffnet von November bis Februar jeden Sonntag vier Stunden, "
    "zählt die Besuche und "
    "entscheidet im März."
)
_CAPPED = _TRIAL.replace("vier Stunden,", "vier Stunden für höchstens 9000 Euro,")
_SPEECHES = {
    "Lena": [
        "Am Sonntag kommen Leute, die sonst nie kommen.\n[POSITION] Sonntags öffnen.",
        f"Ich schlage einen Versuch vor, bevor wir uns binden.\n[PROPOSE Versuch im Winter] {_TRIAL}",
        f"Ottos Deckel nehme ich auf. Bis zum 16. Januar lege ich die Zählliste vor.\n[AMEND p5.0] {_CAPPED}",
    ],
    "Otto": [
        "Wer bezahlt die Zuschläge?\n[POSITION] Sonntags geschlossen lassen.",
        "Ohne Obergrenze bin ich dagegen: 9000 Euro sind im Plan frei.\n[OPPOSE p5.0] es nennt keine Obergrenze",
        "Damit kann ich leben.\n[SUPPORT p9.0] die Kosten sind gedeckelt",
    ],
    "Ute": [
        "Familien haben nur am Wochenende Zeit.\n[POSITION] Sonntags öffnen.",
        "Der Versuch gefällt mir.\n[SUPPORT p5.0] vorausgesetzt, dass es eine Vorlesestunde gibt",
        "Wie viele Stunden fallen unter der Woche weg?\n[SUPPORT p9.0] der Versuch lässt sich beenden",
    ],
    "Paul": [
        "Zahlen fehlen mir.\n[POSITION] Sonntags geschlossen lassen.",
        "Wenn er ein Jahr dauert, bin ich dabei.\n[OPPOSE p5.0] der Winter zeigt nicht, was im Sommer kommt",
        "Ich bleibe dabei.\n[OPPOSE p9.0] der Winter zeigt nicht, was im Sommer kommt",
    ],
}
_FIRST = {"Lena": "o1", "Otto": "o2", "Ute": "o1", "Paul": "o2"}
_LAST = {"Lena": ["p9.0", "o1"], "Otto": ["p9.0"], "Ute": ["p9.0"], "Paul": ["o2"]}
_WHY = {
    "Lena": "Wir lernen etwas, ohne uns zu binden.",
    "Otto": "Die Kosten sind gedeckelt.",
    "Ute": "Familien bekommen einen Tag dazu.",
    "Paul": "Ein Winter belegt nichts.",
}
_CHANGES = {"Otto": "Eine Obergrenze von 9000 Euro.", "Paul": "Ein Versuch über ein ganzes Jahr."}


class Gremium:
    """Answers requests as the panel did."""

    def __init__(self) -> None:
        self._spoke: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Say:
        fields, own = asked_for(body), own_words(body)
        who = next((name for name in _SPEECHES if f"You are {name}," in own or f"You are {name}." in own), "")
        if not fields & {"summary", "bids", "wants", "acts", "takes", "choice", "ranking", "points"}:
            number, self._spoke[who] = self._spoke[who], self._spoke[who] + 1
            return Say(_SPEECHES[who][min(number, 2)])
        return Say(json.dumps(self._answer(fields, who, own), ensure_ascii=False))

    def _answer(self, fields: set[str], who: str, own: str) -> dict[str, Any]:
        if "bids" in fields:
            order = [*_SPEECHES]
            wants = [name for name in order if self._spoke[name] == min(self._spoke[each] for each in order)]
            said = dict.fromkeys(order, 0.2) | {name: 0.8 - 0.1 * at for at, name in enumerate(wants)}
            return {
                "bids": [{"agent": n, "wants": True, "urgency": u, "reason": "eine Frage"} for n, u in said.items()]
            }
        if "summary" in fields:
            return {"summary": "Lena will am Sonntag öffnen (m1). Otto fragt nach den Zuschlägen (m2)."}
        if "acts" in fields:
            return {"acts": []}
        if "takes" in fields:
            change = _CHANGES.get(who, "")
            return {"takes": "with a change" if change else "as it is", "change": change}
        first = not re.search(r"p9\.0", own)
        ranked = [_FIRST[who]] if first else _LAST[who]
        return {
            "choice": ranked[0],
            "ranking": ranked,
            "also": [],
            "blocked": ["o1"] if who == "Paul" and not first else [],
            "confidence": 0.8,
            "reason": _WHY[who],
            "moved_by": "" if first else {"Otto": "m9", "Ute": "m5"}.get(who, ""),
            "change_mind": "Zahlen aus einem Sommer." if who == "Paul" else "",
        }
