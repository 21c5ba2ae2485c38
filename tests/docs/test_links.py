"""Every link of README and docs leads to a file that is there and a heading that it has; every page is listed."""

from __future__ import annotations

import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from tests.docs import python_reference
from tests.docs.site import faults
from tests.docs.test_docs import PAGES, ROOT, name_of

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


def prose(page: Path) -> str:
    """A page without its blocks, in which brackets are code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in a link, on GitHub and on the site."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
        slug = words.strip().replace(" ", "-")
        found.add(next(name for name in (slug, *(f"{slug}-{k}" for k in range(1, 99))) if name not in found))
    return found


def astray(page: Path) -> list[str]:
    """Links that lead nowhere."""
    found = []
    for link in LINK.findall(re.sub(r"\s*\n\s*", " ", prose(page))):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert astray(page) == []


def test_a_link_astray_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One, two: `three`\n[x](#one-two-three) [y](b.md) [z](#two)\n[w\nw](a.md#four)\n")
    assert astray(tmp_path / "a.md") == ["b.md", "#two", "a.md#four"]


def test_every_page_is_in_a_chapter() -> None:
    listed = [page for pages in runpy.run_path(str(ROOT / "docs" / "conf.py"))["CHAPTERS"].values() for page in pages]
    assert sorted(["index", *listed]) == sorted(
        path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")
    )


def test_every_page_can_be_found_from_the_first() -> None:
    linked = {(ROOT / "docs" / link).resolve() for link in LINK.findall(prose(ROOT / "docs" / "index.md"))}
    assert linked == {path for path in (ROOT / "docs").rglob("*.md") if path.name != "index.md"}


def test_the_python_reference_is_what_the_docstrings_say() -> None:
    told = python_reference.PAGE.read_text(encoding="utf-8")
    assert told == python_reference.page(), "run: python -m tests.docs.python_reference"


SITE = """<html><head><script src="{script}"></script><link rel="canonical" href="https://x/"></head>
<body><h2 id="here">x</h2><a href="#here">a</a><a href="other.html#there">b</a><a href="https://y/">c</a></body></html>"""


def test_faults_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(SITE.format(script="//cdn/x.js"))
    (tmp_path / "other.html").write_text(SITE.format(script="x.js").replace("#there", "#here"))
    (tmp_path / "x.css").write_text("p { background: url(https://pictures/x) }")
    assert faults(tmp_path) == [
        "index.html: fetches //cdn/x.js",
        "index.html: other.html#there leads nowhere",
        "x.css: fetches from elsewhere",
    ]
