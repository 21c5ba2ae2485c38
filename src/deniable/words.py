"""Phrases that several messages share."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

# Quoted names, which are kept, then what SQL constants look like: text in all its quotes, and numbers.
_CONSTANT = re.compile(
    r"""("(?:[^"]|"")*")|\$(\w*)\$.*?(?:\$\2\$|\Z)|[eE]'(?:[^'\\]|\\.|'')*'?|'(?:[^']|'')*'?|(?<![\w.])\.?\d[\w.]*""",
    re.DOTALL,
)

_MASKED = re.compile("\0+")

# How a cell begins that a spreadsheet would compute (also in wide letters), and numbers, which are none for their sign.
FORMULA = r"^[-=+@\t\r\n＝＋－＠]"
SIGNED_NUMBER = r"^[+-]([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?$"

NO_WORLD, NOT_REQUIRED = "no world", "not required"  # verdicts, beside pass and fail
MASK = "\0"  # stands for a character that is not to be shown
_LISTED, _NEAREST = 30, 8  # columns that are all listed, and how many are of more
_LOST, _LIKE = 2, 0.7  # cells of a row that are damaged too, and how alike a damaged name is to its own
_LONGEST = 1_000  # characters of a cell that are shown
_MOST = 80  # characters of a line that are shown before, in and after the part that is marked


# Characters that a terminal obeys instead of showing: all controls but tab and newline, and those that turn the
# direction of what follows, or end a line.
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Text as a terminal shows it and does nothing else: an escape sequence of a cell or a name as it is written."""
    return CONTROLS.sub(_written, text)


def cell(value: str | None) -> str:
    """A cell on one line, of a length that somebody reads: its beginning, and how long it is."""
    if value is None:
        return "(null)"
    more = f"… ({len(value):,} characters)" if len(value) > _LONGEST else ""
    return visible(value[:_LONGEST]).replace("\n", "\\n").replace("\t", "\\t") + more


def _written(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


def people(count: int) -> str:
    """1 person, 2 people."""
    return "1 person" if count == 1 else f"{count:,} people"


def count(number: int, thing: str) -> str:
    """1 value, 2 values."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def plain_number(value: Decimal) -> str:
    """12.50 as 12.5, 1E+4 as 10,000."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def formulas(count: int, *, harmless: bool) -> list[str]:
    """That some cells begin as a formula does, if some do."""
    if not count:
        return []
    cells = "1 cell begins" if count == 1 else f"{count:,} cells begin"
    done = (
        "; each has ' before it" if harmless else ", which a spreadsheet would compute: --excel-safe puts ' before them"
    )
    return [f"{cells} as a formula does (=, +, - or @){done}"]


def unknown_column(name: str, columns: Sequence[str]) -> str:
    """That there is no such column, which one was perhaps meant, and which there are."""
    return f"unknown column {name}{did_you_mean(name, columns)}; expected {one_of(columns, name)}"


class Unnamed(tuple[str, ...]):
    """The first line of a file as column names, of which none was asked for: it may be a row, and is not shown."""

    __slots__ = ()


class Glued(Unnamed):
    """The first line of a file, which looks as if its end were lost and a row went on there; not shown either."""

    __slots__ = ()


def named(columns: Iterable[str], asked: Iterable[str]) -> Sequence[str]:
    """Columns as messages may list them: those of a header, which has some name that was asked for.

    Where a row goes on in the header's line, a name in its middle begins, nearly at least, with one that is missing;
    a name with a quote, a control or several lines has cells in it, unless somebody calls a column so: then it is not
    listed either.
    """
    found = tuple(columns)
    has, wanted = {name.lower() for name in found}, {name.lower() for name in asked}
    if not has & wanted:
        return Unnamed(found)
    missing = [name for name in wanted - has if name]
    is_glued = any(_goes_on(found, at, missing) for at in range(1, len(found) - 1))
    is_open = any('"' in name or CONTROLS.search(name) or "\n" in name for name in found)
    return Glued(found) if is_glued or is_open else found


def _goes_on(names: tuple[str, ...], at: int, missing: Iterable[str]) -> bool:
    """Whether a row seems to begin in this name: as many cells follow as names stand before it, or about as many, of
    which one is a number."""
    before, behind = at, len(names) - at - 1
    if before != behind and not (abs(before - behind) <= _LOST and any(map(str.isdecimal, names[at + 1 :]))):
        return False
    name = names[at].lower()
    return any(len(name) > len(lost) and _is_like(name[: len(lost)], lost) for lost in missing)


def _is_like(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one, other).ratio() >= _LIKE


def beside(columns: Sequence[str], further: Iterable[str]) -> Sequence[str]:
    """Columns and further names, to be shown only if the columns are."""
    return type(columns)((*columns, *further)) if isinstance(columns, Unnamed) else (*columns, *further)


def one_of(columns: Sequence[str], asked: str) -> str:
    """`one of …`, where they are a header's."""
    if isinstance(columns, Glued):
        return "a column; the first line may hold cells of a row: is the end of the header's line lost?"
    if isinstance(columns, Unnamed):
        return "a column; the first line has no name that is asked for: it may be a row, and the header missing"
    return f"one of {listed(columns, asked)}"


def listed(columns: Sequence[str], asked: str) -> str:
    """Columns one after the other; of many, those that are nearest to what was asked for, and how many more."""
    if len(columns) <= _LISTED:
        return ", ".join(columns)
    nearest = _nearest(asked, columns)
    return f"{', '.join(nearest)} and {len(columns) - len(nearest):,} more"


def _nearest(word: str, columns: Sequence[str]) -> list[str]:
    """A few of them, in their order."""
    like = difflib.SequenceMatcher(b=word)
    likeness = []
    for column in columns:
        like.set_seq1(column)
        likeness.append(like.ratio())
    places = sorted(range(len(columns)), key=likeness.__getitem__, reverse=True)[:_NEAREST]
    return [columns[i] for i in sorted(places)]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean name?)` for the known word that is closest, if any is close."""
    known = [] if isinstance(known, Unnamed) else list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if not close:
        lowered = {other.lower(): other for other in known}
        close = [lowered[word.lower()]] if word.lower() in lowered else []
    return f" (did you mean {close[0]}?)" if close else ""


def is_unicode(text: str) -> bool:
    """Whether all of a text is characters: bytes of a command line that are none arrive as halves of characters."""
    return text.isascii() or text.encode("utf-8", "replace") == text.encode("utf-8", "surrogatepass")


def shortened(text: str) -> str:
    """Text of at most a line."""
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


def underline(sql: str, start: int, end: int) -> str:
    """The line of `sql` that holds [start, end), with the part marked beneath it.

    Constants are shown as `?`, since they may be cells of the private column.
    """
    before, marked, after = (
        _MASKED.sub("?", _CONSTANT.sub(lambda found: found.group(1) or "?", part)).replace("\t", " ")
        for part in (sql[:start], sql[start:end], sql[end:])
    )
    before = before.rpartition("\n")[2]
    marked, broken, _ = marked.partition("\n")
    after = "" if broken else after.partition("\n")[0]
    if len(before) > _MOST:
        before = f"…{before[1 - _MOST :]}"
    marked, after = shortened(marked), shortened(after)
    return f"    {before}{marked}{after}".rstrip() + f"\n    {' ' * len(before)}{'^' * max(1, len(marked))}"
