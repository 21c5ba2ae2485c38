"""A re-published release (release.csv and counterfeits.csv) as arrays, and what it expects of COUNT queries.

A group says an extent of each quasi-identifier and the values of its rows. Taken as spread evenly over its extents, it
expects people x (the share of each extent that a query allows) x (the share of its values that the query allows).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.coded import Column, encode
from deniable.arrow import column_ints
from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake
from deniable.release import Release
from deniable.sql import history as queries
from deniable.words import unknown_column

if TYPE_CHECKING:
    import pyarrow as pa

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Extents:
    """The different extents of one quasi-identifier as allowed codes, and which one each group has."""

    allowed: Bools
    of_group: NDArray[np.int64]

    @property
    def span(self) -> float:
        """How much of the column a group covers beyond one value, on average."""
        return float(((self.allowed.sum(axis=1) - 1) / max(1, self.allowed.shape[1] - 1))[self.of_group].mean())


@dataclass(frozen=True, eq=False)
class Generalized:
    """The table's codes (quasi-identifiers, then the private column), and the release by group."""

    columns: tuple[Column, ...]
    table: list[Ints]
    extents: list[Extents]
    people: Floats  # rows of each group without its counterfeits
    rows: Floats
    held: tuple[NDArray[np.int64], NDArray[np.int64], Floats]  # group, value code, how often


def is_generalized(folder: Path) -> bool:
    """Whether the folder holds a re-published release."""
    return (folder / "release.csv").exists()


def read(release: Release, folder: Path, engine: Engine) -> Generalized:
    """The table and the release. Raises BadInput with every mistake."""
    quasi, private = tuple(release.quasi), release.private
    said, shown = _attach(release, folder, engine)
    wanted = (*quasi, private)
    coded = encode(engine, wanted, {"table_file": wanted, "release_file": (private,)})
    groups = engine.fetch(queries.counted("release_file", ["group", *(name for names in shown for name in names)]))
    names = groups.column("t0").to_pylist()
    number = {name: k for k, name in enumerate(names)}
    if len(number) < len(names):
        raise BadInput(Mistake(said, "expected the same extents in all rows of a group; found others"))
    rows = column_ints(groups, "n").astype(np.float64)
    fakes = np.zeros(len(names))
    for row in engine.fetch(queries.counted("fakes_file", ["group", "count"])).to_pylist():
        if row["t0"] in number:
            fakes[number[row["t0"]]] = float(row["t1"])
    extents, at = [], 1
    for column, published in zip(coded.columns, shown, strict=False):
        cells = [groups.column(f"t{at + k}") for k in range(len(published))]
        extents.append(_extents(release, engine, column, cells, said))
        at += len(published)
    held = engine.fetch(queries.counted("release_file", ["group", private]))
    value_code = {value: code for code, value in enumerate(coded.columns[-1].values)}
    group = np.array([number[name] for name in held.column("t0").to_pylist()])
    value = np.array([value_code[cell] for cell in held.column("t1").to_pylist()])
    often, order = column_ints(held, "n").astype(np.float64), np.argsort(group, kind="stable")
    pairs = (group[order], value[order], often[order])
    return Generalized(coded.columns, coded.rows["table_file"], extents, rows - fakes, rows, pairs)


def _attach(release: Release, folder: Path, engine: Engine) -> tuple[str, list[tuple[str, ...]]]:
    """The release's name in messages, and the published columns of each quasi-identifier."""
    private, mistakes = release.private, []
    path, fakes = str(folder / "release.csv"), str(folder / "counterfeits.csv")
    wanted = (*release.quasi, private)
    columns = engine.attach(release.table, "table_file", text=wanted, types={}, folder=release.folder)
    mistakes += [Mistake(release.title, unknown_column(name, list(columns))) for name in wanted if name not in columns]
    has = list(engine.attach(path, "release_file", text=None, types={}, folder=Path()))
    shown: list[tuple[str, ...]] = []
    for name in release.quasi:
        interval = (f"{name}_low", f"{name}_high")
        shown.append(interval if set(interval) <= set(has) else (name,))
    for name in ("group", *(part for parts in shown for part in parts), private):
        if name not in has:
            mistakes.append(Mistake(path, unknown_column(name, has)))
    try:
        engine.attach(fakes, "fakes_file", text=("group", "count"), types={}, folder=Path())
    except BadInput as error:
        if "found none" not in str(error):  # no counterfeits: a header alone
            mistakes += error.mistakes
    if mistakes:
        raise BadInput(mistakes)
    return path, shown


def _extents(release: Release, engine: Engine, column: Column, cells: Sequence[pa.ChunkedArray], said: str) -> Extents:
    """What each group says of one column, as the codes that it allows."""
    import pyarrow.compute as pc

    whole = pc.binary_join_element_wise(*(cell.fill_null("\x00") for cell in cells), "\x01")
    encoded = whole.combine_chunks().dictionary_encode()
    of_group = np.array(encoded.indices.to_pylist(), np.int64)
    covers = _interval(column) if len(cells) == 2 else _set(release, engine, column, said)
    allowed = np.zeros((len(encoded.dictionary), len(column.values)), np.bool_)
    for k, text in enumerate(encoded.dictionary.to_pylist()):
        parts = [None if part == "\x00" else part for part in text.split("\x01")]
        allowed[k, covers(*parts)] = True
    return Extents(allowed, of_group)


Covers = Callable[..., slice | list[int]]


def _interval(column: Column) -> Covers:
    """From a lower to an upper end; null is above everything."""
    known = [value for value in column.values if value is not None]
    if column.is_number:
        numbers = np.array([float(value) for value in known])
        return lambda low, high: slice(
            len(known) if low is None else int(np.searchsorted(numbers, float(low), "left")),
            len(column.values) if high is None else int(np.searchsorted(numbers, float(high), "right")),
        )
    texts = np.array(known, dtype=np.str_)
    return lambda low, high: slice(
        len(known) if low is None else int(np.searchsorted(texts, low, "left")),
        len(column.values) if high is None else int(np.searchsorted(texts, high, "right")),
    )


def _set(release: Release, engine: Engine, column: Column, said: str) -> Covers:
    """The values in a set, or all values below the labels of a hierarchy."""
    below: dict[str | None, list[int]] = {value: [code] for code, value in enumerate(column.values)}
    below[""] = below.get("", []) + below.get(None, [])
    if column.name in release.generalize:
        from deniable.analyses.history.rows import read_levels

        for labels in read_levels(release, engine, column.name).to_pylist():
            finest, *above = labels.values()
            for label in above:
                below.setdefault(label, []).extend(below.get(finest, []))

    def covers(text: str | None) -> list[int]:
        parts = [None] if text is None else split(text)
        unknown = [part for part in parts if part not in below]
        if unknown:
            what = f"{column.name}: expected values of the table, or labels of its hierarchy; found others"
            raise BadInput(Mistake(said, what))
        return sorted({code for part in parts for code in below[part]})

    return covers


def split(text: str) -> list[str]:
    """The parts of a set; a backslash before a | or a backslash makes it an ordinary character."""
    parts: list[str] = []
    part: list[str] = []
    escaped = False
    for character in text:
        if not escaped and character == "\\":
            escaped = True
        elif not escaped and character == "|":
            parts.append("".join(part))
            part = []
        else:
            part.append(character)
            escaped = False
    return [*parts, "".join(part)]


def expected(release: Generalized, drawn: Bools) -> Floats:
    """What the release expects of each query (query by column by code)."""
    from deniable.worlds.groups.count_queries import expect

    group, value, often = release.held  # by group
    starts = np.searchsorted(group, np.arange(len(release.rows) + 1))
    shares, places, before = [], [], 0
    for c, extents in enumerate(release.extents):
        allowed = extents.allowed.astype(np.float64)
        asked = drawn[:, c, : allowed.shape[1]].astype(np.float64)
        shares.append(asked @ allowed.T / allowed.sum(axis=1))
        places.append(extents.of_group + before)
        before += len(allowed)
    told = np.empty(len(drawn))
    matching = np.ascontiguousarray(drawn[:, -1, :])
    expect(
        np.hstack(shares), np.stack(places), release.people / release.rows, starts, value, often, matching, told
    )  # fmt: skip
    return told
