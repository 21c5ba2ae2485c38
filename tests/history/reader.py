"""What was published, read from the files alone: cells, groups, and whether they cover everybody who is in them.

Nothing here comes from the program: CSV is taken apart by hand (null and an empty text differ), extents are
recomputed from the people's cells, and groups go to the judge.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path

from deniable.worlds.judges.again import Group, Published

Cell = str | None
Row = tuple[Cell, ...]  # quasi-identifiers, then the private value


def parse(text: str) -> list[Row]:
    """Rows of cells; nothing between commas is null, a pair of quotes an empty text."""
    rows: list[Row] = []
    row: list[Cell] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = at + 1
            while text[end] != '"' or text[end + 1 : end + 2] == '"':
                end += 1 if text[end] != '"' else 2
            row.append(text[at + 1 : end].replace('""', '"'))
            at = end + 1
        else:
            end = at
            while text[end] not in ",\n":
                end += 1
            row.append(text[at:end] or None)
            at = end
        assert text[at] in ",\n"
        if text[at] == "\n":
            rows.append(tuple(row))
            row = []
        elif text[at + 1] == "\n":
            rows.append((*row, None))
            row = []
            at += 1
        at += 1
    assert not row, "the last line must end"
    plain = [tuple(cell or "" for cell in cells) for cells in rows]
    assert plain == [tuple(cells) for cells in csv.reader(io.StringIO(text, newline=""), strict=True)]
    return rows


def written(rows: Sequence[Row]) -> str:
    """The inverse of `parse`."""
    return "".join(",".join(map(_quoted, row)) + "\n" for row in rows)


def _quoted(cell: Cell) -> str:
    if cell is None:
        return ""
    return '"' + cell.replace('"', '""') + '"' if not cell or set(cell) & set(',"\r\n') else cell


def read(path: Path) -> list[Row]:
    return parse(path.read_bytes().decode())


@dataclass(frozen=True)
class Seen:
    """One release: its files, and the members that the exported ledger gives each group."""

    header: Row
    rows: tuple[Row, ...]
    counterfeits: Mapping[str, int]
    members: Mapping[str, Mapping[str, Cell]]  # group: identifier: value
    fakes: Mapping[str, Sequence[Cell]]  # group: values of counterfeits


def see(folder: Path, number: int, export: Sequence[Row]) -> Seen:
    """Release `number` from its folder and the ledger's export (one identifier column, without its header)."""
    assert sorted(path.name for path in folder.iterdir()) == ["counterfeits.csv", "receipt.txt", "release.csv"]
    header, *rows = read(folder / "release.csv")
    (group, count), *some = read(folder / "counterfeits.csv")
    assert (group, count) == ("group", "count")
    members: dict[str, dict[str, Cell]] = {}
    fakes: dict[str, list[Cell]] = {}
    for _, at, who, value in (row for row in export if row[0] == str(number)):
        assert at is not None
        fakes.setdefault(at, [])
        inside = members.setdefault(at, {})
        if who is None:
            fakes[at].append(value)
        else:
            assert who not in inside
            inside[who] = value
    counted = {str(at): int(str(often)) for at, often in some}
    assert len(counted) == len(some)
    return Seen(header, tuple(rows), counted, members, fakes)


@dataclass
class Numbers:
    """Numbers for people and values, as the judge has them; somebody who changed is somebody new."""

    people: dict[tuple[str, int], int] = field(default_factory=dict)
    values: dict[Cell, int] = field(default_factory=dict)

    def person(self, who: str, episode: int) -> int:
        return self.people.setdefault((who, episode), len(self.people))

    def value(self, cell: Cell) -> int:
        return self.values.setdefault(cell, len(self.values))


def judged(
    seen: Seen, table: Mapping[str, Row], left_out: Sequence[str], episodes: Mapping[str, int], numbers: Numbers
) -> Published:
    """The release as the judge reads it, its table being {identifier: cells}."""

    def person(who: str) -> int:
        return numbers.person(who, episodes[who])

    groups = [
        Group({person(who): numbers.value(value) for who, value in inside.items()},
              tuple(numbers.value(value) for value in seen.fakes[at]))
        for at, inside in seen.members.items()
    ]  # fmt: skip
    rows = {person(who): numbers.value(row[-1]) for who, row in table.items()}
    return Published(rows, groups, [person(who) for who in left_out])


def file_mistakes(
    seen: Seen, table: Mapping[str, Row], names: Sequence[str], private: str, trees: Mapping[str, Mapping[Cell, Row]]
) -> Iterator[str]:
    """What the files say that the table and the groups do not; `trees` gives {label: its labels, finest first}."""
    if {row[0] for row in seen.rows} != {str(k + 1) for k in range(len(seen.members))}:
        yield "groups are not numbered from 1 on"
    if seen.counterfeits != {at: len(fakes) for at, fakes in seen.fakes.items() if fakes}:
        yield "counterfeits.csv does not have the counterfeits of the groups that have some"
    said: dict[str, list[Row]] = {}
    for row in seen.rows:
        said.setdefault(str(row[0]), []).append(row)
    for at, inside in seen.members.items():
        rows = said.get(at, [])
        if Counter(row[-1] for row in rows) != Counter([*inside.values(), *seen.fakes[at]]):
            yield f"group {at} has other values than its members and counterfeits"
        if len({row[1:-1] for row in rows}) != 1:
            yield f"the rows of group {at} do not say the same"
            continue
        told = dict(zip(seen.header[1:-1], rows[0][1:-1], strict=True))
        for k, name in enumerate(names):
            if _told(told, name) != _wanted(told, name, [table[who][k] for who in inside], trees):
                yield f"group {at} says of {name} {_told(told, name)!r}"
    wanted = [part for name in names for part in ([name] if name in seen.header else [f"{name}_low", f"{name}_high"])]
    if list(seen.header) != ["group", *wanted, private]:
        yield f"columns are {seen.header}"


def _told(told: Mapping[Cell, Cell], name: str) -> object:
    """What the group says of one quasi-identifier: both ends, or the sorted members of a set."""
    if name not in told:
        return key(told[f"{name}_low"]), key(told[f"{name}_high"])
    cell = told[name]
    return None if cell is None else sorted(split(cell))


def _wanted(told: Mapping[Cell, Cell], name: str, cells: list[Cell], trees: Mapping[str, Mapping[Cell, Row]]) -> object:
    """The smallest that covers the members."""
    if name not in told:
        keys = [key(cell) for cell in cells]
        return min(keys), max(keys)
    if name in trees:
        for level in zip(*(trees[name][cell] for cell in cells), strict=True):
            if len(set(level)) == 1:
                return None if level[0] is None else [level[0]]
        cells = list(level)
    if set(cells) == {None}:
        return None
    return sorted(cell or "" for cell in set(cells))


def split(joined: str) -> list[str]:
    """The members of a set: parted by |, a backslash takes the next character as it is."""
    found, at = [""], 0
    while at < len(joined):
        if joined[at] == "|":
            found.append("")
        else:
            at += joined[at] == "\\"
            found[-1] += joined[at]
        at += 1
    return found


def key(cell: Cell) -> tuple[bool, Fraction]:
    """Numbers and dates in their order, null after all of them."""
    if cell is None:
        return True, Fraction(0)
    try:
        return False, Fraction(cell)
    except ValueError:
        return False, Fraction(date.fromisoformat(cell).toordinal())
