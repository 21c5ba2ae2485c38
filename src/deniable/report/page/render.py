"""A page as HTML: one file that asks for nothing, runs nothing, and folds with what HTML has."""

from __future__ import annotations

from collections.abc import Iterable

from deniable.analyses.provenance import HashedFile, Provenance
from deniable.report.markup import Child, Markup, clipped, element
from deniable.report.page.model import Card, Fact, Figure, Page, Reader, Section, Table
from deniable.report.page.style import FRAGMENT, PAGE, policy
from deniable.words import NO_WORLD, NOT_REQUIRED

_TITLE = 200  # characters of a name, wherever it stands
_TEXT = 2_000  # of a sentence, which may list columns
_BADGES = {"pass": "pass", "fail": "fail", NO_WORLD: NO_WORLD, NOT_REQUIRED: "nothing required"}
_LOOKS = {"pass": "pass", "fail": "fail", "nobody exposed": "pass", "exposed": "fail"}
_FOLDED = 3  # rows from which on a chart's numbers are worth a table


def html(page: Page) -> str:
    """The whole document."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(PAGE)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{_short(page.title)}: {page.status} · deniable {page.kind}"),
        element("style", Markup(PAGE)),
    )
    main = element("main", _verdict(page), _overview(page), map(section, page.sections), id="main")
    skip = element("a", "Skip to the verdict", href="#main", class_="skip")
    inside = element("div", skip, main, _footer(page), class_="inside")
    return f"<!DOCTYPE html>\n{element('html', head, element('body', inside, class_='deniable'), lang='en')}\n"


def fragment(*parts: Child) -> str:
    """Some of it for a page of somebody else's, with its style."""
    return str(element("div", element("style", Markup(FRAGMENT)), parts, class_="deniable"))


def _verdict(page: Page) -> Markup:
    kicker = element("p", f"deniable {page.kind} of {_short(page.title)}", " ", badge(page.status), class_="kicker")
    names = [(one.key, one.title) for one in page.sections]
    names += [("provenance", "Where this comes from")] if page.provenance else []
    links = [element("li", element("a", title, href=f"#{key}")) for key, title in names]
    return Markup(
        element(
            "header",
            kicker,
            element("h1", clipped(page.sentence, _TEXT)),
            facts(page.facts),
            class_=f"verdict {_kind(page.status)}".strip(),
        )
        + (element("p", element("strong", "Private: this page names people.")) if page.revealed else "")
        + element("nav", element("ul", links), aria_label="Parts of this page")
    )


def _overview(page: Page) -> Child:
    return None if page.overview is None else element("section", table(page.overview), aria_label=page.overview.caption)


def badge(status: str) -> Markup:
    """How something stands, in a word."""
    return element("span", _BADGES.get(status, status), class_=f"badge {_kind(status)}".strip())


def _kind(status: str) -> str:
    return _LOOKS.get(status, "")


def section(one: Section) -> Markup:
    """A part of a page."""
    return element(
        "section",
        element("h2", one.title, id=f"{one.key}-title"),
        (element("p", prose(text)) for text in one.text),
        map(card, one.cards),
        element("div", (figure(graph, top="h3") for graph in one.graphs), class_="graphs") if one.graphs else None,
        map(table, one.tables),
        element("ul", (element("li", prose(text)) for text in one.items)) if one.items else None,
        element("div", (_command(*told) for told in one.commands), class_="commands") if one.commands else None,
        id=one.key,
        aria_labelledby=f"{one.key}-title",
    )


def card(one: Card) -> Markup:
    """A check, with what there is to see."""
    left = element(
        "div",
        facts(one.facts),
        _steps(one.steps),
        (element("p", prose(text)) for text in one.notes),
        _reader(one.reader) if one.reader else None,
        class_="facts",
    )
    right = element("div", map(figure, one.figures)) if one.figures else None
    head = element("header", element("h3", one.title), badge(one.status) if one.status else None)
    return element("article", head, left, right, class_="card" if right else "card plain")


def prose(text: str) -> list[Child]:
    """A text in which what to type stands between backticks."""
    return [element("code", part) if k % 2 else part for k, part in enumerate(clipped(text, _TEXT).split("`"))]


def _steps(steps: Iterable[str]) -> Child:
    told = [element("li", text) for text in steps]
    return element("ol", told) if told else None


def facts(told: Iterable[Fact]) -> Markup:
    """Figures with their names."""
    return element(
        "dl",
        (
            element("div", element("dt", one.name), element("dd", one.value, class_="bad" if one.bad else None))
            for one in told
        ),
    )


def figure(one: Figure, top: str = "") -> Markup:
    """A chart, what it says, and its numbers in a fold."""
    rows = one.chart.rows()
    numbers = fold("The numbers", table(Table(one.chart.title, rows))) if len(rows) > _FOLDED else None
    title = element(top or "p", clipped(one.chart.title, _TITLE), class_=None if top else "chart-title")
    return element("figure", title, one.chart.svg(), element("figcaption", clipped(one.caption, 600)), numbers)


def fold(title: str, *inside: Child) -> Markup:
    """Something that opens where it stands."""
    return element("details", element("summary", title), element("div", inside))


def _reader(one: Reader) -> Markup:
    proof = element("p", f"Proved, and checked against brute force: {one.proof}.", class_="quiet")
    return Markup(element("p", one.who) + fold(f"The theorem behind {one.name}", element("p", one.theorem), proof))


def table(one: Table, *, headed: bool = True) -> Markup:
    """Rows, with a heading or without; the first cell of a row names it."""
    head, body = (one.rows[0], one.rows[1:]) if headed else ((), one.rows)
    named = element("tr", (_cell("th", k, text, one, scope="col") for k, text in enumerate(head))) if headed else None
    return element(
        "div",
        element(
            "table",
            element("caption", clipped(one.caption, _TITLE)),
            element("thead", named) if headed else None,
            element("tbody", (element("tr", (_body_cell(k, text, one) for k, text in enumerate(row))) for row in body)),
        ),
        class_="scroll",
        tabindex="0",
        role="group",
        aria_label=clipped(one.caption, _TITLE),
    )


def _body_cell(k: int, text: str, one: Table) -> Markup:
    if one.rows[0][k] == "verdict":
        return element("td", badge(text))
    return _cell("th", k, text, one, scope="row") if k == 0 else _cell("td", k, text, one)


def _cell(kind: str, k: int, text: str, one: Table, scope: str | None = None) -> Markup:
    is_number = k >= one.numbers and one.rows[0][k] != "verdict"
    return element(kind, clipped(text, _TITLE), scope=scope, class_="number" if is_number else None)


def _command(purpose: str, command: str) -> Markup:
    return element("div", element("p", purpose, class_="quiet"), element("code", command))


def _footer(page: Page) -> Markup:
    note = "Nothing on this page was loaded from anywhere, and nothing on it runs: it is one file."
    return element("footer", _provenance(page.provenance) if page.provenance else None, element("p", note))


def _provenance(told: Provenance) -> Markup:
    rows: list[tuple[str, Child]] = [] if told.release is None else [("release file", _file(told.release))]
    rows += [("data", _file(one)) for one in told.data]
    rows += [("rows", f"{told.rows:,}")] if told.rows is not None else []
    rows += [("engine", told.engine), ("versions", ", ".join(f"{name} {version}" for name, version in told.versions))]
    rows += [("made", element("time", f"{told.made[:10]} {told.made[11:16]} UTC", datetime=told.made))]
    body = (element("tr", element("th", name, scope="row"), element("td", value)) for name, value in rows)
    caption = element("caption", "Files are known by their SHA-256.")
    title = element("h2", "Where this comes from", id="provenance-title")
    inside = element("table", caption, element("tbody", body))
    return element("section", title, inside, id="provenance", aria_labelledby="provenance-title")


def _file(one: HashedFile) -> Child:
    several = "" if one.files == 1 else f"{one.files:,} files, hash of their hashes, "
    return [f"{_short(one.name)} ({several}{one.bytes:,} bytes) ", element("code", one.sha256)]


def _short(name: str) -> str:
    return clipped(name, _TITLE)
