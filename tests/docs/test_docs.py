"""Every command and code block in README and docs is run; quoted output must really appear."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    language: str
    info: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*match.groups()) for match in FENCE.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: str(p.relative_to(ROOT)))
def test_the_page_runs(page: Path, tmp_path: Path) -> None:
    printed = ""
    for block in blocks(page):
        if block.language == "sh":
            if "make " in block.text:
                wanted = re.findall(r"^make (\w+)", block.text, re.M)
                targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
                assert set(wanted) <= set(targets)
                continue
            status = int(re.search(r"status=(\d)", block.info).group(1)) if "status=" in block.info else 0  # type: ignore[union-attr]
            done = run(["bash", "-e", "-c", block.text], tmp_path)
            assert done.returncode == status, done.stdout + done.stderr
            printed = done.stdout
        elif block.language == "python":
            done = run([sys.executable, "-c", block.text], tmp_path)
            assert done.returncode == 0, done.stderr
            printed = done.stdout
        elif block.language in ("text", "yaml"):
            for line in filter(str.strip, block.text.splitlines()):
                assert line in printed, f"not printed: {line}"
        else:
            pytest.fail(f"nobody checks a {block.language} block")


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), (page.name, target)


def orphans(text: str) -> list[str]:
    """Rows of a table that a blank line cut off from their head."""
    lines = ["", *text.splitlines(), ""]
    starts = [k for k in range(1, len(lines) - 1) if lines[k].startswith("|") and not lines[k - 1].strip()]
    return [lines[k] for k in starts if not re.fullmatch(r"\|[\s|:-]*-[\s|:-]*\|", lines[k + 1].strip())]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_table_is_one_block(page: Path) -> None:
    assert orphans(page.read_text(encoding="utf-8")) == []


def test_a_row_after_a_blank_line_is_found() -> None:
    assert orphans("| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| 3 | 4 |\n") == ["| 3 | 4 |"]
    assert orphans("text\n\n| a |\n|:-:|\n| 1 |") == []
