"""What a page answers to a mistake stands in the language of the page: the debate's, or the list's."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from eda import Debate, Session, Settings
from eda.serve.app import make_app
from eda.serve.host import Host
from eda.words import Words

KEY = "k" * 20
OWN = {"Origin": "http://testserver", "Authorization": f"Bearer {KEY}"}
ENGLISH = re.compile(
    r"\b(the|a|is|are|be|of|and|or|to|not|no|with|that|this|it|by|has|can|should|must|give|unknown|known|choose"
    r"|did|you|mean|than|already|there|least|items?|characters|valid|input|file|save|open|write)\b",
    re.IGNORECASE,
)


def file(name: str, raw: bytes) -> dict[str, Any]:
    return {"documents": [{"name": name, "data": b64encode(raw).decode()}]}


FORM: list[Any] = [
    {"question": " "}, {"question": None}, {"panel": "nope"}, {"format": "nope"}, {"options": "Ja"},
    {"options": "Ja\nja"}, {"options": "Ja\nnone"}, {"options": "\n".join(map(str, range(21)))}, {"max_messages": 0},
    {"max_messages": "viele"}, {"max_messages": "2.5"}, {"budget": 0}, {"budget": -1}, {"budget": "x"}, {"quorum": 2},
    {"human_time": 0}, {"invite": "Ben\nBen"}, {"human": "Ana", "invite": "Ana"}, {"human": "Maya"},
    file("brief.pdf", b"%PDF-1.4 broken"), file("brief.md", b" "),
    file("brief.txt", b"x" * 1_000_001), file("brief.md", b"\x89PNG.."),
    file("brief.csv", b"a;b\n\xe4"), file("brief.docx", b"PK\x03\x04[Content_Types].xml"), file("brief.md", b"a\0b"),
    {"documents": [{"name": "brief.md", "data": "?"}]}, {"documents": [{"name": "", "data": ""}]}, {"documents": "x"},
    {"panel": "", "personas": "sceptic"}, {"personas": "sceptic\nnope"}, {"personas": "sceptic\nsceptic"},
    {"panel": "product-decision", "personas": "sceptic\nvisionary"}, {"rule": "judge"}, {"rule": "nope"},
    {"rule": "judge", "judge": "Nemo"}, {"runner": "anthropic"}, {"context": "/etc/passwd"}, {"language": "fr"},
    {"format": "red-team", "consensus": 0.5}, {"fixed_options": True, "question": "Was tun wir?"}, {"nope": 1}, [], "x",
    {"answer": "list", "format": "oxford", "options": "A\nB"}, {"format": "oxford", "options": "A\nB\nC"},
    {"call_timeout": "inf"}, {"text": "x" * 1_000_001}, {"seed": -1},
]  # fmt: skip
SESSION: list[tuple[str, Any]] = [
    ("fork", {"at": 999}), ("fork", {"at": 0}), ("fork", {"name": "alt"}), ("fork", {"name": "../x"}), ("steer", {}),
    ("steer", {"add": "nope"}), ("steer", {"add": "sceptic"}), ("steer", {"mute": ["Nemo"]}),
    ("steer", {"settings": {"max_messages": "x"}}), ("steer", {"settings": {"max_messages": -1}}),
    ("steer", {"settings": {"nope": 1}}), ("steer", {"unmute": ["Ruth"]}), ("steer", {"settings": {"max_messages": 6}}),
    ("do", {"do": "say", "text": "Hallo"}), ("do", {"do": "pause"}), ("do", {"do": "note", "text": " "}),
    ("do", {"do": "note", "text": "x" * 2001}), ("do", {"do": "dance"}), ("do", {"do": "resume"}),
    ("do", {"do": "resume", "messages": 1}), ("do", {"do": "read", "text": "B"}), ("do", []),
    ("do", {"do": "say", "text": "x" * 20_001}), ("stress", {"runs": 2}), ("stress", {"runs": 99}),
    ("stress", {"premises": [" "]}), ("stress", {"budget": 0}), ("invite", {"who": "Nemo"}), ("invite", {}),
]  # fmt: skip


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("tisch")
    for name in ("tisch", "alt"):
        with Session.create(name, folder) as session:
            given = Settings(max_messages=6, language="de")
            who = ["sceptic", "visionary"]
            asyncio.run(
                Debate("Bleiben?", who, "simulated", options=["Ja", "Nein"], session=session, settings=given).run()
            )
    host = Host(folder, "simulated", "product-decision", None, Words("de"))
    with TestClient(make_app(host, names=frozenset({"testserver"}), token=KEY), headers=OWN) as client:
        yield client


def told(answer: Any) -> str:
    """What a page says, without what is an id, a name or a command in it."""
    assert 400 <= answer.status_code < 500, answer.text
    said = answer.json()
    return re.sub(
        r"„[^“]*“|'[^']*'|`[^`]*`|\beda [a-z ]+|--\S+|/\S+|Bekannt: .*|davon: .*",
        "",
        f"{said['error']} {said.get('hint', '')}",
    )


@pytest.mark.parametrize("given", FORM, ids=lambda given: str(given)[:40])
def test_a_mistake_in_the_form_is_told_in_its_language(german: TestClient, given: Any) -> None:
    """Amid German labels an English sentence is the one that somebody in need cannot read."""
    whole = {"question": "Sollen wir bleiben?", "max_messages": 6} | given if isinstance(given, dict) else given
    assert ENGLISH.findall(told(german.post("/new", json=whole))) == []


@pytest.mark.parametrize(("path", "given"), SESSION, ids=str)
def test_a_mistake_on_a_page_is_told_in_the_language_of_its_debate(german: TestClient, path: str, given: Any) -> None:
    """Errors of a page speak the page's language."""
    assert ENGLISH.findall(told(german.post(f"/s/tisch/{path}", json=given))) == []


def test_who_may_not_is_told_so_in_the_language_of_the_page(german: TestClient) -> None:
    """Guests read that page, too."""
    data = {"Content-Type": "application/json"}
    answers = [
        german.post("/s/tisch/steer", json={}, headers={"Authorization": ""}),
        german.get("/s/nope/documents"),
        german.post("/join/nope", json={}),
        german.post("/new", content=b"{", headers=data),
        german.get("/s/tisch/at/999"),
        german.post("/new", content=b"", headers=data | {"Content-Length": "99000000"}),
    ]
    assert [ENGLISH.findall(told(each)) for each in answers] == [[]] * len(answers)
