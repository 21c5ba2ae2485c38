"""What a real browser makes of reports: nothing goes wrong, nothing is asked for, all of it can be seen and reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page

from tests.report.browser import IS_CI, PROGRAM, Scheme, opened, started
from tests.report.odd import BRACES, RIGHT, SCRIPT, WHAT, WHO, write_pages

pytestmark = pytest.mark.skipif(PROGRAM is None and not IS_CI, reason="there is no chromium: make browser installs it")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started() as one:
        yield one


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    with chdir(folder):
        return write_pages(folder)


def test_nothing_goes_wrong_and_nothing_is_asked_for(browser: Browser, pages: dict[str, Path]) -> None:
    window = browser.new_context()
    page = window.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for path in pages.values():
        page.goto(path.as_uri())
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.inside')).maxWidth") == "1088px"
        )  # it has its style
    window.close()
    assert wrong == []
    assert asked == [path.as_uri() for path in pages.values()]


MARKS = """() => [...document.querySelectorAll('svg.chart')].map(svg => {
    const inside = svg.getBoundingClientRect();
    const marks = [...svg.querySelectorAll('.mark')].map(mark => mark.getBoundingClientRect());
    const seen = marks.filter(box => (box.width > 0.5 || box.height > 0.5) && box.left >= inside.left - 1
        && box.right <= inside.right + 1 && box.top >= inside.top - 1 && box.bottom <= inside.bottom + 1);
    return [marks.length, seen.length];
})"""


def test_charts_are_drawn(browser: Browser, pages: dict[str, Path]) -> None:
    """Every mark that was made is seen inside of its chart, and nothing is wider than the window, a phone's neither."""
    with opened(browser, pages["hospital"]) as page:
        for name, path in pages.items():
            text = path.read_text()
            page.goto(path.as_uri())
            for width in (1100, 390):
                page.set_viewport_size({"width": width, "height": 900})
                found = page.evaluate(MARKS)
                assert len(found) == text.count("<svg ") > 0, name
                assert sum(made for made, _ in found) == len(re.findall(r'class="mark ', text)), name
                assert [one for one in found if one[0] != one[1] or not one[0]] == [], name
                assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_everything_is_reached_by_keyboard(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["hospital"]) as page:
        wanted = page.evaluate("document.querySelectorAll('a[href], summary').length")
        reached = set()
        for _ in range(3 * wanted):
            page.keyboard.press("Tab")
            place = page.evaluate("[...document.querySelectorAll('a[href], summary')].indexOf(document.activeElement)")
            reached.add(place)
            if place >= 0:
                assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            if place == wanted - 1:
                break
        assert reached >= set(range(wanted))
        first = page.locator("summary").first
        first.focus()
        page.keyboard.press("Enter")
        assert page.locator("details").first.get_attribute("open") is not None
        assert first.locator("xpath=following-sibling::div").is_visible()


def luminance(page: Page, what: str) -> float:
    told = page.evaluate(f"getComputedStyle(document.querySelector('.deniable')).{what}")
    red, green, blue = (int(part) for part in re.findall(r"\d+", told)[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def test_light_dark_and_print(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["hospital"], scheme="dark") as page:
        assert luminance(page, "backgroundColor") < 0.2
        assert luminance(page, "color") > 0.8
        page.emulate_media(color_scheme="light")
        assert luminance(page, "backgroundColor") > 0.9
        folded = "[...document.querySelectorAll('details > div')].filter(one => one.checkVisibility("
        folded += "{contentVisibilityAuto: true}) && one.getBoundingClientRect().height > 0).length"
        assert page.evaluate(folded) == 0
        page.emulate_media(media="print", color_scheme="dark")
        assert luminance(page, "backgroundColor") > 0.99
        assert page.evaluate(folded) == page.locator("details").count() > 3
        assert not page.locator("nav").is_visible()
        assert page.pdf().startswith(b"%PDF")


AXE = """options => axe.run(options).then(done =>
    done.violations.map(one => [one.impact, one.id, one.nodes[0].html]))"""


def test_axe_finds_nothing_serious(browser: Browser, pages: dict[str, Path]) -> None:
    """And would, if there were something: a drawing that says nothing of itself."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    schemes: dict[str, Scheme] = {"odd private": "dark", "repair": "light"}
    for name, scheme in schemes.items():
        with opened(browser, pages[name], scheme=scheme, bypass=True) as page:
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
            page.evaluate(axe)
            found = page.evaluate(AXE, {"resultTypes": ["violations"]})
            assert [one for one in found if one[0] in ("serious", "critical")] == [], name
            page.evaluate("document.querySelectorAll('svg title, svg desc').forEach(one => one.remove())")
            assert page.evaluate(AXE, {"runOnly": ["svg-img-alt"]})[0][0] == "serious"


def test_odd_cells_are_text_and_names_are_masked(browser: Browser, pages: dict[str, Path]) -> None:
    whole = "[document.documentElement.outerHTML, document.body.textContent].join()"
    with opened(browser, pages["odd"]) as page:
        told = page.evaluate(whole)
        assert [cell for cell in (*WHO, *WHAT) if cell[:9] in told] == []
    with opened(browser, pages["odd private"]) as page:
        assert page.evaluate("document.querySelectorAll('script, img, b').length") == 0
        labels = page.locator("svg text").all_text_contents()
        assert {cell[:9] for cell in (SCRIPT, BRACES, RIGHT)} <= {label[:9] for label in labels}
        assert max(map(len, labels)) < 60
        assert "49" not in " ".join(labels)  # nobody multiplied
        assert page.evaluate("document.querySelectorAll('h3 i').length") == 0


def test_a_notebook_keeps_its_own_look(browser: Browser, tmp_path: Path) -> None:
    """Cards in a page of somebody else's: what stands beside them is as before."""
    from tests.report.odd import odd_verdict

    cards = odd_verdict(reveal=False)._repr_html_()
    beside = '<p id="beside">beside</p><table><tr><td id="cell">7</td></tr></table>'
    look = "['beside', 'cell'].map(id => JSON.stringify({...getComputedStyle(document.getElementById(id))}))"
    looks = []
    for text in (beside, beside + cards):
        path = tmp_path / "notebook.html"
        path.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{text}", encoding="utf-8")
        with opened(browser, path) as page:
            looks.append(page.evaluate(look))
            shown = page.locator(".deniable .chart").count()
    assert looks[0] == looks[1]
    assert shown == 4
