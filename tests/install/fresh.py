"""The install that README makes, in an empty environment, with each installer of this machine: what it promises works.

`make test-install` runs it. It fetches packages, so it is no part of `make test`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from paper import pdf

ROOT = Path(__file__).parents[2]
MOST = 170
"""Megabytes of the environment, without the installer's own."""
_COMMAND = re.compile(r"^\$ (eda .*?)(?:\s+#.*)?$", re.MULTILINE)


def with_pip(home: Path) -> Path:
    ran([sys.executable, "-m", "venv", str(home / "env")], home)
    ran([str(home / "env/bin/python"), "-m", "pip", "install", "--quiet", str(ROOT)], home)
    return home / "env/bin"


def with_uv(home: Path) -> Path:
    ran(["uv", "venv", "--quiet", str(home / "env")], home)
    ran(["uv", "pip", "install", "--quiet", "--python", str(home / "env/bin/python"), str(ROOT)], home)
    return home / "env/bin"


def with_pipx(home: Path) -> Path:
    os.environ |= {"PIPX_HOME": str(home / "env"), "PIPX_BIN_DIR": str(home / "bin")}
    ran(["pipx", "install", str(ROOT)], home)
    return home / "bin"


def ran(command: Sequence[str], folder: Path, **env: str) -> str:
    """Return what a command prints; it fails the test where it fails."""
    kept = {name: os.environ[name] for name in os.environ if name.startswith(("PIP", "UV", "HTTP", "http", "SSL"))}
    given = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", **kept, **env}
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("install", [with_pip, with_uv, with_pipx], ids=["pip", "uv", "pipx"])
def test_what_readme_and_the_tutorial_use_works_after_the_install(
    install: Callable[[Path], Path], tmp_path: Path
) -> None:
    """The first debate with a PDF failed on the install that README had made."""
    name = install.__name__.removeprefix("with_")
    if name != "pip" and shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    bin_, work = install(tmp_path), tmp_path / "work"
    shutil.copytree(ROOT / "docs" / "examples", work / "docs" / "examples")
    (work / "contract.pdf").write_bytes(pdf([["The fee is 900 euros a month."]]))
    files = (
        path for path in (tmp_path / "env").rglob("*") if path.is_file() and not {*path.parts} & {"pip", "setuptools"}
    )
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{name}: {size:.0f} MB")
    assert size < MOST
    eda = {"PATH": f"{bin_}:{os.environ['PATH']}", "EDA_RUNNER": "simulated"}
    ran(
        shlex.split('eda debate "Should we sign?" --context contract.pdf --option Sign --option Wait --max-messages 8'),
        work,
        **eda,
    )
    for line in _COMMAND.findall((ROOT / "docs" / "tutorial.md").read_text("utf-8")):
        if "--human" not in line and "serve" not in line:
            ran(shlex.split(line), work, **eda)
    assert "eda debate" in ran(["eda"], work, **eda)
    ran(["eda", "show", "example"], work, **eda)
