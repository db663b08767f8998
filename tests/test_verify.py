"""`eda verify`, `eda seal` and the checker that is shipped beside a receipt: what was decided can be checked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tampered
from click.testing import Result

from eda.errors import UsageError
from eda.report.verify import seal, verify as check_session
from eda.session import Session
from eda.session.chain import check
from eda.session.folders import pack

ASK = ("debate", "Shall we go?", "--option", "Go", "--option", "Wait", "--runner", "simulated", "--max-messages", "9")


Verify = Callable[..., dict[str, Any]]


@pytest.fixture
def folder(tmp_path: Path, eda: Callable[..., Result]) -> Path:
    """The folder of a debate that came to a verdict."""
    eda(*ASK, "--quiet", "--session", "one")
    return tmp_path / "sessions" / "one"


@pytest.fixture
def verify(eda: Callable[..., Result]) -> Verify:
    """What `eda verify` says of a session, and that it says so by its exit code too."""

    def run(name: str = "one") -> dict[str, Any]:
        result = eda("verify", name, "--json", code=None)
        told: dict[str, Any] = json.loads(result.stdout)
        assert result.exit_code == (0 if told["holds"] else 1)
        return told

    return run


def test_every_change_to_a_log_is_named_with_its_place(tmp_path: Path) -> None:
    """A checksum can be made anew by whoever can change the line."""
    done, missed = tampered.trials(tampered.a_log(tmp_path), 180)
    assert missed == []
    assert set(done) == set(tampered.KINDS)


def test_a_log_without_hashes_is_never_called_whole(tmp_path: Path) -> None:
    """Who strips the chain would else have a log that nothing speaks against."""
    lines = tampered.a_log(tmp_path)
    bare = [tampered.line_of(tampered.body_of(line), "") for line in lines]
    noted = tampered.noted(lines)
    assert check(bare).state == "unchained"
    assert check(bare, **noted).state == "whole"
    assert check([*bare[:3], *lines[3:]])[:] == ("whole", len(lines), noted["head"], 3)
    assert check([bare[0], bare[0], bare[2], *lines[3:]])[:2] == ("changed", 4)
    assert check([*lines[:3], *bare[3:]])[:2] == ("changed", 4)


def test_what_was_written_holds_and_the_report_has_the_head(
    folder: Path, verify: Verify, eda: Callable[..., Result]
) -> None:
    """A check that finds faults in an honest session is soon believed by nobody."""
    told = verify()
    run = json.loads((folder / "report.json").read_text())["run"]
    assert (told["holds"], told["chain"]["state"], told["chain"]["at"]) == (True, "whole", told["facts"])
    for name in ("report.md", "report.html"):
        assert run["head"] in (folder / name).read_text()
    assert "whole" in eda("verify", "one").stdout


def test_a_session_that_was_renamed_is_whole(folder: Path, verify: Verify, eda: Callable[..., Result]) -> None:
    """EDA itself had renamed it, and then called its report untrue."""
    eda("rename", "one", "nine")
    told = verify("nine")
    assert (told["holds"], told["report"]) == (True, [])
    report = folder.parent / "nine" / "report.json"
    report.write_text(report.read_text().replace("Shall we go?", "Shall we stay?"))
    assert verify("nine")["report"] == ["question"]


def test_a_chain_made_anew_is_another_history_by_the_report(folder: Path, verify: Verify) -> None:
    """The report was passed on: who changes the log afterwards is named."""
    path = folder / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(tampered.rechained([line.replace(b"Shall we go?", b"Shall we stay?") for line in lines]))
    assert verify()["chain"]["state"] == "other"
    path.write_bytes(b"".join(lines[:9]))
    told = verify()
    assert (told["chain"]["state"], told["chain"]["at"]) == ("cut", told["facts"])


def test_a_changed_line_is_named_with_its_place(folder: Path, verify: Verify, eda: Callable[..., Result]) -> None:
    """Whoever edits a log with an editor leaves its checksums: verify said only that the session cannot be read."""
    path = folder / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((lines[0].replace(b"Shall we go?", b"Shall we stay?"), *lines[1:])))
    assert verify()["chain"] | {"head": ""} == {"state": "changed", "at": 1, "head": "", "older": 0}
    assert "one: changed: line 1 is not what was written" in eda("verify", "one", code=1).stdout
    path.write_bytes(b"".join(lines))
    assert verify()["holds"]


def head_of(folder: Path, facts: int) -> str:
    """The hash of the last of the first facts."""
    return check((folder / "events.jsonl").read_bytes().splitlines(keepends=True)[:facts]).head


def test_a_vote_changed_or_a_sentence_of_the_report_is_named(folder: Path, verify: Verify) -> None:
    """With the chain made anew and no report beside it, the votes must still give the verdict."""
    page = folder / "report.json"
    data = json.loads(page.read_text())
    page.write_text(json.dumps({**data, "answer": "The panel went home."}))
    assert verify()["report"] == ["answer"]
    rows = [{**each, "doubt": None} for each in data["stood"]]
    page.write_text(json.dumps({**data, "stood": rows}))
    assert (len(rows) > 0, verify()["report"]) == (True, ["stood"]), "false is another word than none"
    rows = [{"ended": 0, "now": "", **each} for each in data["stood"]]
    page.write_text(json.dumps({**data, "stood": rows}))
    assert (len(rows) > 0, verify()["report"]) == (True, []), "an earlier version told the same in more fields"
    page.write_text(json.dumps({**data, "tally": {"rows": [], "cast": 0}}))
    assert verify()["report"] == [], "nor did it say anything in a part that is empty"
    of_run = (
        {"run": []},
        {"run": None},
        {"run": {**data["run"], "facts": "9"}},
        {"run": {**data["run"], "facts": 2.5}},
    )
    # Nobody had voted when the log had five facts: whatever the report says then is not of it.
    early = {"answer": "The panel went home.", "run": {"facts": 5, "head": head_of(folder, 5)}}
    for forged, parts in (*((each, ["run"]) for each in of_run), (early, ["run"]), ({"language": "xx"}, ["language"])):
        page.write_text(json.dumps({**data, **forged}))
        assert verify()["report"] == parts
    for text in ("[]", "{", ""):
        page.write_text(text)
        assert {"answer", "run"} < {*verify()["report"]}, "a file that is no report tells nothing of the log"
    page.unlink()
    path = folder / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    place = max(number for number, line in enumerate(lines) if b'"type":"ballot_cast"' in line)
    fact = json.loads(tampered.body_of(lines[place]) + b"}")
    other = next(each for each in fact["choices"] if each != fact["ballot"]["choice"])
    fact["ballot"] |= {"choice": other, "ranking": [other], "approved": [other]}
    lines[place] = json.dumps(fact, separators=(",", ":")).encode()[:-1] + b',"chain":""}'
    path.write_bytes(tampered.rechained(lines))
    told = verify()
    assert told["chain"]["state"] == "whole"
    ((_, fields),) = told["verdicts"].items()
    assert "tally" in fields


def test_a_session_in_memory_has_nothing_that_can_be_verified(tmp_path: Path) -> None:
    """The log of the folder that one stood in was read in its place."""
    for reads in (check_session, seal, lambda session: pack(session, tmp_path / "one.edas")):
        with pytest.raises(UsageError, match="in memory only"):
            reads(Session.in_memory())


def checked(folder: Path) -> tuple[int, dict[str, Any]]:
    """What the shipped checker says, without EDA beside it."""
    args = [sys.executable, "-I", "check_receipt.py", "receipt.json", "events.jsonl"]
    run = subprocess.run(args, capture_output=True, text=True, check=False, cwd=folder)
    assert run.stdout, run.stderr
    return run.returncode, json.loads(run.stdout)


def test_a_receipt_is_checked_without_the_program(
    folder: Path, verify: Verify, eda: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever must trust the program that decided has checked nothing."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent / "config"))
    key = json.loads(eda("seal", "one", "--new-key", "--json").stdout)["key"]
    assert "exists" in eda("seal", "one", "--new-key", code=2).output
    code, told = checked(folder)
    assert (code, told["state"], told["signed_by"], told["not_proved"]) == (0, "whole", key, [])
    assert told["question"] == "Shall we go?"
    assert verify()["receipt"]
    path, receipt = folder / "events.jsonl", folder / "receipt.json"
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"type":"message_posted"' in line)
    spoiled = [*lines[:place], lines[place].replace(b'"text":"', b'"text":"Never. '), *lines[place + 1 :]]
    (folder / "report.json").unlink()
    path.write_bytes(tampered.rechained(spoiled))
    chain = verify()["chain"]
    assert (chain["state"], chain["at"]) == ("other", place + 1)
    assert [checked(folder)[1][name] for name in ("state", "at")] == ["other", place + 1]
    path.write_bytes(b"".join(lines))
    data = json.loads(receipt.read_text())
    data["statement"]["outcome"] = "Stay"
    receipt.write_text(json.dumps(data))
    assert checked(folder)[0] == 1
    data["core"]["sealed"] = "2020-01-01T00:00:00+00:00"
    receipt.write_text(json.dumps(data))
    assert (checked(folder)[0], checked(folder)[1]["state"]) == (1, "forged")
    assert json.loads(eda("verify", "one", "--json", code=1).stdout)["chain"]["state"] == "forged"
    for part in ({"core": {**data["core"], "facts": "9"}}, {"core": {**data["core"], "marks": [1]}}, {"rows": [1, 2]}):
        receipt.write_text(json.dumps({**data, **part}))
        assert "is no receipt of a session" in eda("verify", "one", code=2).output


def test_a_redacted_copy_proves_what_it_shows_and_hides_the_rest(folder: Path, eda: Callable[..., Result]) -> None:
    """A decision that can be checked only with all names in it is passed on to nobody."""
    eda("seal", "one")
    names = json.loads(eda("redact", "one", "--names", "--to", "two", "--json").stdout)["names"]
    copy = folder.parent / "two"
    code, told = checked(copy)
    assert (code, told["state"]) == (0, "whole")
    hidden = [path for path in told["not_proved"] if path.startswith("0.")]
    assert "0.votes.0.who" in hidden
    assert not [path for path in hidden if path.endswith(("choice", "question", "outcome"))]
    assert not [name for name in names if name in (copy / "receipt.json").read_text()]
    assert not (copy / "receipt.salts").exists()
    assert json.loads(eda("verify", "two", "--json").stdout)["chain"]["state"] == "whole"
    receipt = copy / "receipt.json"
    whole = receipt.read_bytes()
    data = json.loads(whole)
    receipt.write_text(json.dumps({**data, "core": {**data["core"], "fields": []}}))  # nothing to hold it against
    assert (checked(copy)[0], checked(copy)[1]["state"]) == (1, "forged")
    receipt.write_bytes(whole)
    path = copy / "events.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    place = max(number for number, line in enumerate(lines) if b'"type":"ballot_cast"' in line)
    fact = json.loads(tampered.body_of(lines[place]) + b"}")
    fact["ballot"]["choice"] = next(each for each in fact["choices"] if each != fact["ballot"]["choice"])
    lines[place] = json.dumps(fact, separators=(",", ":")).encode()[:-1] + b',"chain":""}'
    path.write_bytes(tampered.rechained(lines))
    assert [checked(copy)[1][name] for name in ("state", "at")] == ["other", place + 1]
    assert json.loads(eda("verify", "two", "--json", code=1).stdout)["chain"]["at"] == place + 1
