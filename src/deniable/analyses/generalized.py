"""A re-published release (release.csv and counterfeits.csv) as arrays, and what it expects of COUNT queries.

A group says an extent of each quasi-identifier and the values of its rows. Taken as spread evenly over its extents, it
expects people x (the share of each extent that a query allows) x (the share of its values that the query allows).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.coded import Column, Source, encode
from deniable.arrow import arrow_text, column_ints
from deniable.bind.hierarchy import generalizing
from deniable.bind.published import RepublishedFolder, republished_folder
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.kernels import in_pieces, work
from deniable.release import Release
from deniable.sql.coding import counted
from deniable.worlds.arrays import Bools, Floats, Int32s

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class Extents:
    """The different extents of one quasi-identifier as allowed codes, and which one each group has."""

    allowed: Bools
    of_group: NDArray[np.int64]

    @property
    def span(self) -> float:
        """How much of the column a group covers beyond one value, on average."""
        return float(((self.allowed.sum(axis=1) - 1) / max(1, self.allowed.shape[1] - 1))[self.of_group].mean())


@frozen(eq=False)
class Generalized:
    """The table's codes (quasi-identifiers, then the private column), and the release by group."""

    columns: tuple[Column, ...]
    table: list[Int32s]
    extents: list[Extents]
    people: Floats  # rows of each group without its counterfeits
    rows: Floats
    held: tuple[NDArray[np.int64], NDArray[np.int64], Floats]  # group, value code, how often


def read(release: Release, folder: Path, scope: Scope) -> Generalized:
    """The table and the release. Raises BadInput with every mistake."""
    files = republished_folder(release, folder, scope)
    wanted = (*release.quasi, release.private)
    coded = encode(scope, wanted, [Source(files.table, wanted), Source(files.released, (release.private,))])
    shown = [name for names in files.shown for name in names]
    groups = scope.fetch(counted(files.released, ["group", *shown]))
    names = groups.column("t0").to_pylist()
    number = {name: k for k, name in enumerate(names)}
    if len(number) < len(names):
        raise BadInput(Mistake(files.title, Reason("groups.other_extents")))
    rows = column_ints(groups, "n").astype(np.float64)
    extents, at = [], 1
    for column, published in zip(coded.columns, files.shown, strict=False):
        cells = [groups.column(f"t{at + k}") for k in range(len(published))]
        extents.append(_extents(release, scope, column, cells, files.title))
        at += len(published)
    people = rows - _counterfeits(scope, files, number)
    held = _held(scope, files, release.private, number, coded.columns[-1])
    return Generalized(coded.columns, coded.rows[0].arrays, extents, people, rows, held)


def _counterfeits(scope: Scope, files: RepublishedFolder, number: dict[str | None, int]) -> Floats:
    """How many rows of each group are counterfeit."""
    fakes = np.zeros(len(number))
    rows = scope.fetch(counted(files.counterfeits, ["group", "count"])).to_pylist() if files.counterfeits else []
    for row in rows:
        if row["t0"] in number:
            fakes[number[row["t0"]]] = float(row["t1"])
    return fakes


def _held(
    scope: Scope, files: RepublishedFolder, private: str, number: dict[str | None, int], column: Column
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """How often each group has each value, by group."""
    held = scope.fetch(counted(files.released, ["group", private]))
    code_of = {value: code for code, value in enumerate(column.values)}
    group = np.array([number[name] for name in held.column("t0").to_pylist()])
    value = np.array([code_of[cell] for cell in held.column("t1").to_pylist()])
    often, order = column_ints(held, "n").astype(np.float64), np.argsort(group, kind="stable")
    return group[order], value[order], often[order]


def _extents(release: Release, scope: Scope, column: Column, cells: Sequence[pa.ChunkedArray], title: str) -> Extents:
    """What each group says of one column, as the codes that it allows."""
    import pyarrow.compute as pc

    whole = pc.binary_join_element_wise(*(cell.fill_null(arrow_text("\x00")) for cell in cells), arrow_text("\x01"))
    encoded = whole.combine_chunks().dictionary_encode()
    of_group = np.array(encoded.indices.to_pylist(), np.int64)
    covers = _interval(column) if len(cells) == 2 else _set(release, scope, column, title)
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


def _set(release: Release, scope: Scope, column: Column, title: str) -> Covers:
    """The values in a set, or all values below the labels of a hierarchy."""
    below: dict[str | None, list[int]] = {value: [code] for code, value in enumerate(column.values)}
    below[""] = below.get("", []) + below.get(None, [])
    if column.name in release.generalize:
        for labels in generalizing(release, scope, column.name).levels.to_pylist():
            finest, *above = labels.values()
            for label in above:
                below.setdefault(label, []).extend(below.get(finest, []))

    def covers(text: str | None) -> list[int]:
        parts = [None] if text is None else split(text)
        unknown = [part for part in parts if part not in below]
        if unknown:
            raise BadInput(Mistake(title, Reason("groups.unknown_label", column=column.name)))
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
    held = (release.people / release.rows, starts, value, often)
    with work(len(told) * (len(value) + len(release.rows) * len(places))):
        in_pieces(expect, len(told), np.hstack(shares), np.stack(places), *held, matching, told)
    return told
