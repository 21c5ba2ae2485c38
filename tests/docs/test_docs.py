"""Every command and code block in README and docs is run; quoted output must really appear."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.docs.jobs import run_cron, run_hook, run_job
from tests.ready import ready

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@dataclass(frozen=True)
class Block:
    language: str
    info: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*match.groups()) for match in FENCE.finditer(page.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with programs that need no time to start."""
    with ready(tmp_path_factory.mktemp("ready")) as folder:
        yield folder


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p) and p.name != "README.md"], ids=name_of)
def test_the_page_runs(page: Path, tmp_path: Path, programs: Path) -> None:
    set_up = f"export PATH={shlex.quote(str(programs))}:{shlex.quote(str(Path(sys.executable).parent))}:$PATH"
    runs(page, tmp_path, set_up, blocks(page), str(programs / "python"))


def test_the_readme_runs_to_the_letter(tmp_path: Path) -> None:
    """From a fresh clone, in a shell that knows nothing of the program; the environment is the one that runs this."""
    clone, environment = tmp_path / "clone", Path(sys.executable).parents[1]
    made = (environment / ".ready").stat().st_mtime
    for name in ("requirements.lock", "pyproject.toml"):  # or the clone would make the environment its own
        assert (ROOT / name).stat().st_mtime <= made, "the environment is not up to date: run make"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    for name in tracked():
        if (ROOT / name).exists():  # as it stands here, committed or not; as old, so that make finds all made
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    (clone / ".venv").symlink_to(environment)
    set_up, *others = blocks(ROOT / "README.md")
    assert run(["bash", "-c", "type deniable"], clone).returncode != 0
    done = run(["bash", "-e", "-c", set_up.text], clone)
    assert done.returncode == 0, done.stdout + done.stderr
    lasting = [line for line in set_up.text.splitlines() if not line.startswith("make ")]  # what it made is there
    runs(ROOT / "README.md", clone, "\n".join(lasting), others)


def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def runs(page: Path, folder: Path, set_up: str, following: list[Block], python: str = sys.executable) -> None:
    """Every block in turn; shell blocks in a shell in which the set-up has been typed, from the same folder."""
    printed = ""
    for block in following:
        if block.language == "sh":
            if "make " in block.text:
                wanted = re.findall(r"^make ([\w-]+)", block.text, re.M)
                targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
                assert set(wanted) <= set(targets)
                continue
            if block.text.startswith("pip install ."):  # which `make dist-check` does
                continue
            status = status_of(block)
            done = shell(set_up, folder, block.text)
            assert done.returncode == status, done.stdout + done.stderr
            printed = done.stdout
        elif block.language == "python":
            done = run([python, "-c", block.text], folder)
            assert done.returncode == 0, done.stderr
            printed = done.stdout
        elif block.language == "yaml" and "job" in block.info:
            assert run_job(block.text, partial(shell, set_up, folder)) == status_of(block)
        elif block.language == "yaml" and "hook" in block.info:
            run_hook(block.text, folder)
        elif block.language == "cron":
            assert "FAIL" in run_cron(block.text, folder, partial(shell, set_up, folder))
        elif block.language in ("zsh", "fish"):  # which few machines have; see test_completion.py
            assert f"{block.language}_source deniable" in block.text
        elif block.language in ("text", "yaml"):
            for line in filter(str.strip, block.text.splitlines()):
                assert line in printed, f"not printed by {page.name}: {line}"
        else:
            pytest.fail(f"nobody checks a {block.language} block")


def status_of(block: Block) -> int:
    found = re.search(r"status=(\d)", block.info)
    return int(found[1]) if found else 0


def shell(set_up: str, folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    return run(["bash", "-e", "-c", f"{set_up}\n{text}"], folder)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """In a shell that has not been told where the program is."""
    ours = str(Path(sys.executable).parent)
    path = os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if part != ours)
    environment = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"} | {"PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def orphans(text: str) -> list[str]:
    """Rows of a table that a blank line cut off from their head."""
    lines = ["", *text.splitlines(), ""]
    starts = [k for k in range(1, len(lines) - 1) if lines[k].startswith("|") and not lines[k - 1].strip()]
    return [lines[k] for k in starts if not re.fullmatch(r"\|[\s|:-]*-[\s|:-]*\|", lines[k + 1].strip())]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_table_is_one_block(page: Path) -> None:
    assert orphans(page.read_text(encoding="utf-8")) == []


def test_a_row_after_a_blank_line_is_found() -> None:
    assert orphans("| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| 3 | 4 |\n") == ["| 3 | 4 |"]
    assert orphans("text\n\n| a |\n|:-:|\n| 1 |") == []
