"""What the code cites of the theory is there: every heading of docs/theory that a docstring or comment names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
THEORY = ROOT / "docs" / "theory"
SOURCES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
CITED = re.compile(r'docs/theory/([\w-]+)\.md((?:(?:,| and) "[^"]+")*)')


def flowing(text: str) -> str:
    """The text without its line breaks, nor the marks that begin a line of comment."""
    return re.sub(r"\s*\n\s*(?:#[ \t]*)?", " ", text)


def citations(text: str) -> Iterator[tuple[str, str | None]]:
    """Each page that is cited, and the heading if one is named."""
    for page, headings in CITED.findall(flowing(text)):
        yield from ((page, heading) for heading in re.findall(r'"([^"]+)"', headings) or [None])


def headings_of(page: str) -> set[str]:
    path = THEORY / f"{page}.md"
    return set(re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)) if path.exists() else set()


def test_every_heading_that_is_cited_exists() -> None:
    cited = {(path.name, *found) for path in SOURCES for found in citations(path.read_text(encoding="utf-8"))}
    known = {path.stem: headings_of(path.stem) for path in THEORY.glob("*.md")}
    assert cited, "nobody cites the theory"
    missing = [one for one in cited if one[1] not in known or (one[2] is not None and one[2] not in known[one[1]])]
    assert missing == []


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks"])
def test_no_number_is_cited_that_no_page_has(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        assert not re.search(r"\btheory \d", flowing(path.read_text(encoding="utf-8")), re.I), path


def test_a_citation_may_break_over_lines() -> None:
    comment = '# see docs/theory/crowds.md,\n#  "The\n# setting" and "How it is checked"'
    text = f'x = 1  {comment}\n"""docs/theory/stable.md"""'
    assert list(citations(text)) == [("crowds", "The setting"), ("crowds", "How it is checked"), ("stable", None)]


@pytest.mark.parametrize("page", sorted(THEORY.glob("*.md")), ids=lambda path: str(path.stem))
def test_modules_that_a_page_names_exist(page: Path) -> None:
    for name in re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")):
        assert (ROOT / name).exists() or (ROOT / "src" / "deniable" / name).exists(), name
