"""The built site: every page is there, every link and anchor leads somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}  # by a browser, unasked
NOT_FETCHED = {"canonical", "next", "prev", "alternate"}  # kinds of <link> that are only told


@dataclass
class Page(HTMLParser):
    """What a page points at, and what can be pointed at in it."""

    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag in FETCHED and FETCHED[tag] in given and given.get("rel") not in NOT_FETCHED:
            self.fetched.append(given[FETCHED[tag]])
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])


def faults(folder: Path) -> list[str]:
    """Everything that is wrong with a built site."""
    pages = {path: Page() for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        page.feed(path.read_text(encoding="utf-8"))
    found = [] if (folder / "index.html") in pages else ["there is no index.html"]
    for path, page in pages.items():
        if path.name == "404.html":  # whose links begin at the root of a server
            continue
        name = path.relative_to(folder)
        elsewhere = [one for one in page.fetched if urlsplit(one).scheme not in ("", "data") or one.startswith("//")]
        found += [f"{name}: fetches {one}" for one in elsewhere]
        found += [f"{name}: {one} leads nowhere" for one in page.links if not _leads(path, one, pages)]
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        found += [
            f"{style.relative_to(folder)}: fetches from elsewhere"
            for sign in ("url(http", "url(//", "@import")
            if sign in text
        ]
    return found


def _leads(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or link.startswith("//"):
        return parts.scheme in ("https", "mailto")
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target = target / "index.html"
    if target not in pages:
        return target.is_file()
    return not parts.fragment or unquote(parts.fragment) in pages[target].anchors


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1]).resolve())
    print("\n".join(wrong) if wrong else "the site has no link that leads nowhere, and fetches nothing")
    sys.exit(bool(wrong))
