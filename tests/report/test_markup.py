"""Whatever a text holds, it stays text."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from deniable.report.markup import Markup, clipped, element


class Read(HTMLParser):
    """What a browser would read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text())
def test_a_text_is_read_as_it_is_written(text: str) -> None:
    read = Read(element("p", text, title=text))
    assert set(read.tags) <= {"p", "bdi"}
    if text.isprintable():
        assert read.text == text
        assert read.attributes["title"] == text


def test_parts_stand_one_after_the_other() -> None:
    assert element("p", "a<b", [element("b", "c"), None, ["&"]], 7) == "<p>a&lt;b<b>c</b>&amp;7</p>"
    assert (
        element("p", Markup("<i></i>"), class_="x", hidden=True, aria_label=None) == '<p class="x" hidden><i></i></p>'
    )
    assert element("line", x1=1 / 3, y1=20_000.4) == '<line x1="0.3" y1="20000"/>'


def test_words_from_right_to_left_are_set_apart() -> None:
    assert element("p", "of שלום עולם, 7") == "<p>of <bdi>שלום עולם</bdi>, 7</p>"
    assert element("title", "שלום") == "<title>שלום</title>"


def test_what_a_terminal_would_obey_is_written_out() -> None:
    assert element("p", "\x1b[2J\u202e") == "<p>\\x1b[2J\\u202e</p>"
    assert element("p", "\ud800") == "<p>?</p>"


def test_long_cells_are_cut() -> None:
    assert clipped("x" * 10_000, 60).endswith("… (10,000 characters)")
    assert len(clipped("x" * 10_000, 60)) == 60
    assert clipped("short", 60) == "short"
