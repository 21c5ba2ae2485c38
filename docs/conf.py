"""The site of `make docs`: Sphinx with Furo. Nothing is fetched from elsewhere, and the search works offline."""

from __future__ import annotations

from typing import Any

project = "deniable"
html_title = project
extensions = ["myst_parser"]
myst_heading_anchors = 4
# Parts of a file are shown as YAML, and what is told of a file is no file.
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "native"
include_patterns = ["**.md"]

CHAPTERS = {
    "Begin": ("tutorial", "how-to/start-with-a-table", "how-to/which-adversary"),
    "How to": (
        "how-to/measure-breach",
        "how-to/find-crowds",
        "how-to/read-published-groups",
        "how-to/attack-releases",
        "how-to/repair",
        "how-to/publish-coarser",
        "how-to/publish-groups",
        "how-to/publish-again",
        "how-to/report",
        "how-to/scale",
        "how-to/check-in-a-pipeline",
        "how-to/complete-commands",
    ),
    "Look up": ("reference", "python", "python-reference", "reliability", "benchmarks", "dependencies"),
    "Understand": (
        "theory/two-views",
        "theory/many-views",
        "theory/coarser-columns",
        "theory/repair",
        "theory/crowds",
        "theory/linkage",
        "theory/history",
        "theory/stable",
        "experiments/background-knowledge",
        "experiments/republication",
    ),
}


def _add_chapters(_: Any, page: str, source: list[str]) -> None:
    """The first page is read elsewhere too, where lists of chapters mean nothing: they are added here."""
    if page == "index":
        lists = [
            "\n".join(["```{toctree}", ":hidden:", f":caption: {name}", "", *pages, "```"])
            for name, pages in CHAPTERS.items()
        ]
        source[0] += "\n\n" + "\n\n".join(lists) + "\n"


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("source-read", _add_chapters)
