"""Tables in which somebody has several ID-side tuples, answered in compiled code.

A product over somebody's groups is not a sum over a group, so no GROUP BY can answer;
the engine hands over everybody's rows as packed integers, people together, and they are
answered piece by piece, so that memory stays with the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sqlglot import exp

from deniable.analyses.breach.relations import Tally
from deniable.engines.arrow import arrow_array, column_ints
from deniable.engines.base import Engine
from deniable.errors import LimitExceeded
from deniable.sql.build import select
from deniable.worlds import several
from deniable.worlds.covers import Probability
from deniable.worlds.quadruples import Quadruples, evaluate

ONE_BY_ONE = 1_000  # up to so many people are answered one by one, exactly where groups are small
_PIECE = 1 << 18  # people answered at once
_MOST_INDEX = 500_000_000
_MOST_DENSE = 100_000_000  # cells of a table of groups by values, 16 bytes each

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Cells:
    """The groups' cells in order of group and value: tuples c and rows r of value v."""

    g: Small
    v: Small
    c: Ints
    r: Ints
    offsets: Ints

    def tuples(self, group: int) -> dict[int, int]:
        """value -> P-side tuples."""
        return self._mapping(group, self.c)

    def rows(self, group: int) -> dict[int, int]:
        """value -> rows."""
        return self._mapping(group, self.r)

    def _mapping(self, group: int, counts: Ints) -> dict[int, int]:
        inside = slice(self.offsets[group], self.offsets[group + 1])
        return dict(zip(self.v[inside].tolist(), counts[inside].tolist(), strict=True))


@dataclass(frozen=True)
class Groups:
    """Join groups by number: both sides, and which adversaries have a world there."""

    m: Ints
    n: Ints
    bag: Bools
    keyed: Bools


@dataclass(frozen=True)
class Piece:
    """Some people: their memberships (group, a), their asked values, and the answers."""

    first: int
    group_offsets: Ints
    groups: Small
    owned: Small
    value_offsets: Ints
    asked: Small

    @property
    def people(self) -> int:
        """How many they are."""
        return len(self.group_offsets) - 1

    def person_of_pair(self) -> Ints:
        """Which of them each asked value belongs to."""
        return np.repeat(np.arange(self.people), np.diff(self.value_offsets))


@dataclass(frozen=True)
class Answers:
    """value, lower, upper and exact per adversary, one entry per asked value; NaN: no world."""

    fields: dict[str, tuple[Floats, Floats, Floats, Bools]]


@dataclass(frozen=True)
class Roaming:
    """Everybody's rows, sorted, with all that is needed to answer them."""

    identifiers: pa.Table
    offsets: Ints
    packed: Ints
    codes: int
    group_of_tuple: Ints
    kinds: Ints
    groups: Groups
    cells: Cells
    everything: bool
    dense: bool = True  # whether a table of all groups and values may be laid out

    def solve(self) -> Iterator[tuple[Piece, Answers]]:
        """Answer everybody, piece by piece."""
        people = len(self.offsets) - 1
        if people <= ONE_BY_ONE:
            piece = self._piece(0, people)
            yield piece, self._one_by_one(piece)
            return
        prepared = _prepare(self)
        for first in range(0, people, _PIECE):
            piece = self._piece(first, min(people, first + _PIECE))
            yield piece, self._compiled(piece, prepared)

    def _piece(self, first: int, last: int) -> Piece:
        from deniable.worlds import roaming as kernel

        window = self.offsets[first : last + 1]
        piece = Piece(first, *kernel.compact(window, self.packed, self.codes, self.group_of_tuple))
        return self._asking_everything(piece) if self.everything else piece

    def _asking_everything(self, piece: Piece) -> Piece:
        """Ask for every value that any of a person's groups has."""
        cells = self.cells
        mine = np.split(piece.groups, piece.group_offsets[1:-1])
        asked = [
            np.unique(np.concatenate([cells.v[cells.offsets[g] : cells.offsets[g + 1]] for g in groups]))
            for groups in mine
        ]
        offsets = np.zeros(len(asked) + 1, np.int64)
        np.cumsum([len(a) for a in asked], out=offsets[1:])
        return Piece(piece.first, piece.group_offsets, piece.groups, piece.owned, offsets, np.concatenate(asked))

    def _one_by_one(self, piece: Piece) -> Answers:
        bounds = np.full((6, len(piece.asked)), np.nan)
        exact = np.ones((3, len(piece.asked)), np.bool_)
        for person in range(piece.people):
            inside = range(piece.group_offsets[person], piece.group_offsets[person + 1])
            parts = [self._membership(int(piece.groups[i]), int(piece.owned[i])) for i in inside]
            for pair in range(piece.value_offsets[person], piece.value_offsets[person + 1]):
                value = int(piece.asked[pair])
                for i, adversary in enumerate((several.unrestricted, several.restricted, several.bag)):
                    _note(bounds, exact, i, pair, adversary(parts, value))
        return self._answers(piece, bounds, exact)

    def _membership(self, g: int, a: int) -> several.Membership:
        groups = self.groups
        return several.Membership(int(groups.m[g]), a, self.cells.tuples(g), self.cells.rows(g), bool(groups.bag[g]))

    def _compiled(self, piece: Piece, prepared: _Prepared) -> Answers:
        from deniable.worlds import roaming as kernel

        bounds = np.empty((6, len(piece.asked)))
        mine = (piece.group_offsets, piece.groups, piece.owned, prepared.places[piece.owned])
        asked = (piece.value_offsets, piece.asked)
        quads, cells, groups = prepared.quads, self.cells, self.groups
        if prepared.dense is not None:
            kernel.answer_dense(*mine, *asked, prepared.dense, quads.lower, quads.upper, groups.m, groups.bag, bounds)
        else:
            kernel.answer_sparse(
                *mine, *asked, cells.offsets, cells.v, cells.r, prepared.index, quads.lower, quads.upper,
                quads.mantissa, quads.exponent, groups.m, groups.bag, bounds,
            )  # fmt: skip
        return self._answers(piece, bounds, np.zeros((3, len(piece.asked)), np.bool_))

    def _answers(self, piece: Piece, bounds: Floats, exact: Bools) -> Answers:
        fields = {}
        for i, adversary in enumerate(("unrestricted", "restricted", "bag")):
            lower, upper = bounds[2 * i], bounds[2 * i + 1]
            fields[adversary] = (lower + (upper - lower) / 2, lower, upper, exact[i])
        keyed = self._keyed(piece)
        fields["keyed"] = (keyed, keyed, keyed, np.ones(len(keyed), np.bool_))
        return Answers(fields)

    def _keyed(self, piece: Piece) -> Floats:
        """c of n for people with one tuple, in groups where everybody has one; else NaN."""
        keyed = np.full(len(piece.asked), np.nan)
        home = piece.groups[piece.group_offsets[:-1]].astype(np.int64)
        if not self.groups.keyed[home].any():
            return keyed
        person = piece.person_of_pair()
        asking = np.flatnonzero(self.groups.keyed[home[person]])
        codes, group = self.codes, home[person[asking]]
        at = np.searchsorted(self.cells.g * np.int64(codes) + self.cells.v, group * codes + piece.asked[asking])
        keyed[asking] = self.cells.c[at] / self.groups.n[group]
        return keyed

    def tallies(self, adversaries: Sequence[str]) -> list[Tally]:
        """How the probabilities spread."""
        counts = {name: np.zeros(4, np.int64) for name in adversaries}
        worst = dict.fromkeys(adversaries, -1.0)
        for piece, answers in self.solve():
            for name in adversaries:
                value, lower, _, _ = answers.fields[name]
                missing = int(np.isnan(value).sum())
                counts[name] += (len(piece.asked), missing, (lower == 1).sum(), (lower > 0.5).sum())
                if missing < len(value):
                    worst[name] = max(worst[name], float(np.nanmax(value)))
        tallies = []
        for name in adversaries:
            associations, no_world, certain, over_half = (int(k) for k in counts[name])
            top = worst[name] if worst[name] >= 0 else None
            tallies.append(Tally(name, associations, no_world, certain, over_half, top))
        return tallies

    def highest(self, adversary: str, most: int) -> list[tuple[float, int]]:
        """The highest probabilities, each with how many associations have it."""
        counts: dict[float, int] = {}
        for _, answers in self.solve():
            value = answers.fields[adversary][0]
            found, times = np.unique(value[~np.isnan(value)], return_counts=True)
            for probability, count in zip(found[-most:].tolist(), times[-most:].tolist(), strict=True):
                counts[probability] = counts.get(probability, 0) + count
        return sorted(counts.items(), reverse=True)[:most]

    def table(self, adversaries: Sequence[str]) -> pa.Table:
        """i*, v and every adversary's fields, one row per association."""
        return pa.concat_tables([self._piece_table(p, a, adversaries) for p, a in self.solve()])

    def _piece_table(self, piece: Piece, answers: Answers, adversaries: Sequence[str]) -> pa.Table:
        rows = self.offsets[piece.person_of_pair() + piece.first]  # anybody's first row names them
        table = self.identifiers.take(arrow_array(rows))
        table = table.append_column("v", arrow_array(piece.asked))
        for adversary in adversaries:
            *numbers, exact = answers.fields[adversary]
            missing = np.isnan(numbers[0])
            for name, data in zip(("value", "lower", "upper"), numbers, strict=True):
                table = table.append_column(f"{adversary}_{name}", arrow_array(data, missing))
            choice = np.where(exact | missing, 0, 1).astype(np.int32)
            unknown = missing if adversary == "bag" else np.zeros_like(missing)
            words = pa.DictionaryArray.from_arrays(arrow_array(choice, unknown), pa.array(["exact", "proved"]))
            table = table.append_column(f"{adversary}_bound", words.cast(pa.string()))
        return table


def find_roaming(
    engine: Engine, rows: exp.Query, codes: int, tuples_numbered: bool, *, bags: bool, everything: bool
) -> Roaming:
    """Read everybody's rows, people together, out of the engine, and count the ID sides."""
    from deniable.worlds import roaming as kernel

    found = engine.fetch(rows)
    identifiers = found.drop_columns(["packed"])
    starts = _starts(identifiers)
    counts = engine.fetch(select("n", "rows").from_("groups").order_by("g"))
    n = column_ints(counts, "n")
    if tuples_numbered:
        group_of_tuple = column_ints(engine.fetch(select("t", "g").from_("tuples").order_by("t")), "g")
    else:
        group_of_tuple = np.arange(len(n), dtype=np.int64)
    m = np.zeros(len(n), np.int64)
    offsets = np.append(starts, found.num_rows)
    packed = column_ints(found, "packed")
    packed = packed if packed.flags.writeable else packed.copy()
    owned, roamed = kernel.count_tuples(offsets, packed, codes, group_of_tuple, m)
    groups = Groups(m, n, (column_ints(counts, "rows") == m) & bags, (n <= m) & ~roamed)
    return Roaming(
        identifiers,
        offsets,
        packed,
        codes,
        group_of_tuple,
        np.flatnonzero(owned),
        groups,
        _cells(engine, len(n)),
        everything,
    )


def _cells(engine: Engine, groups: int) -> Cells:
    found = engine.fetch(select("g", "v", "c", "r").from_("coded_cells").order_by("g", "v"))
    g, v, c, r = (column_ints(found, name) for name in ("g", "v", "c", "r"))
    offsets = np.searchsorted(g, np.arange(groups + 1))
    return Cells(g.astype(np.int32), v.astype(np.int32), c, r, offsets)


def _starts(identifiers: pa.Table) -> Ints:
    """Where another identifier than in the row before begins (a null equals a null)."""
    import pyarrow.compute as pc

    rows = identifiers.num_rows
    differs = np.zeros(max(rows - 1, 0), np.bool_)
    for column in identifiers.columns:
        if pa.types.is_integer(column.type) and not column.null_count:
            codes = column_ints(identifiers, identifiers.column_names[identifiers.columns.index(column)])
            differs |= codes[1:] != codes[:-1]
            continue
        one, two = column.slice(0, rows - 1), column.slice(1)
        unequal = pc.fill_null(pc.not_equal(one, two), False)
        either = pc.or_(unequal, pc.not_equal(pc.is_null(one), pc.is_null(two)))
        differs |= np.concatenate([_bools(chunk) for chunk in either.chunks]) if rows > 1 else False
    return np.append(0, np.flatnonzero(differs) + 1)


def _bools(array: pa.Array) -> Bools:
    bits = np.unpackbits(np.frombuffer(array.buffers()[1] or b"", np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.bool_)


@dataclass(frozen=True)
class _Prepared:
    """Quadruples for every cell and every a that occurs; `places` maps a to its row."""

    places: Small
    index: Small
    quads: Quadruples
    dense: Floats | None


def _prepare(roaming: Roaming) -> _Prepared:
    cells, groups, kinds = roaming.cells, roaming.groups, roaming.kinds
    if len(kinds) * len(cells.v) > _MOST_INDEX:
        raise LimitExceeded(
            f"{len(kinds)} different numbers of tuples per person and {len(cells.v)} values in groups: "
            "more than is compared at once; publish fewer columns beside the identifier"
        )
    places = np.zeros(int(kinds[-1]) + 1, np.int32)
    places[kinds] = np.arange(len(kinds))
    index, quads = _index(cells, groups.m, groups.n, kinds)
    most = int(np.diff(roaming.offsets).max())
    return _Prepared(places, index, quads, _dense(cells, index, quads, most) if roaming.dense else None)


def _index(cells: Cells, m: Ints, n: Ints, kinds: Ints) -> tuple[Small, Quadruples]:
    """For each a in `kinds` and each cell, where its quadruple stands in one long table."""
    _, shape_of_group = np.unique(m * (int(n.max()) + 1) + n, return_inverse=True)
    first, inverse = _distinct(shape_of_group[cells.g] * (int(cells.c.max()) + 1) + cells.c)
    sizes_m, sizes_n, c = m[cells.g[first]], n[cells.g[first]], cells.c[first]
    index = np.empty((len(kinds), len(cells.g)), np.int32)
    tables = []
    for row, a in enumerate(kinds):
        # A group with fewer tuples than a is never looked up under this a.
        tables.append(evaluate(sizes_m, sizes_n, np.where(sizes_m >= a, a, 1), c))
        index[row] = inverse + row * len(first)
    inexact = [np.where(t.exact & (t.value < 1), np.nextafter(t.value, 0), t.lower) for t in tables]
    outwards = [np.where(t.exact & (t.value < 1), np.nextafter(t.value, 2), t.upper) for t in tables]
    return index, Quadruples(
        value=np.concatenate([t.value for t in tables]),
        lower=np.concatenate(inexact),
        upper=np.concatenate(outwards),
        exact=np.concatenate([t.exact for t in tables]),
        mantissa=np.concatenate([t.mantissa for t in tables]),
        exponent=np.concatenate([t.exponent for t in tables]),
    )


def _dense(cells: Cells, index: Small, quads: Quadruples, most: int) -> Floats | None:
    """What `answer_dense` reads; None where that is too large or its numbers too wide.

    Weights are scaled by their group's largest. Up to `most` of them are multiplied for
    one person, so their exponents must stay within a double's range.
    """
    from deniable.worlds.roaming import ROWS

    codes, groups = int(cells.v.max()) + 1, len(cells.offsets) - 1
    too_large = len(index) * codes * groups > _MOST_DENSE
    if too_large or int(cells.r.max()) >= 2**31 or len(quads.lower) + 1 >= ROWS:
        return None
    dense = np.zeros((len(index), groups, 2, codes))
    starts = cells.offsets[:-1][cells.offsets[:-1] < cells.offsets[1:]]
    tops = np.zeros(groups, np.int64)
    for row, quad in enumerate(index):
        mantissa = quads.mantissa[quad]
        possible = mantissa > 0
        exponent = np.where(possible, quads.exponent[quad], -(2**60))
        tops[cells.g[starts]] = np.maximum.reduceat(exponent, starts)
        below = np.where(possible, tops[cells.g] - exponent, 0)
        if (int(below.max()) + 2) * most > 900:
            return None
        dense[row, cells.g, 0, cells.v] = np.ldexp(mantissa, -below)
        dense[row, cells.g, 1, cells.v] = cells.r * ROWS + quad + 1
    return dense


def _distinct(key: Ints) -> tuple[Ints, Ints]:
    """One index of each distinct key, and which of them each entry is.

    By marking where the range allows it: sorting is slow.
    """
    top = int(key.max()) + 1
    if top > 4 * len(key) + 1000:
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return first, inverse
    first = np.full(top, -1, np.int64)
    first[key] = np.arange(len(key))
    distinct = np.flatnonzero(first >= 0)
    place = np.zeros(top, np.int64)
    place[distinct] = np.arange(len(distinct))
    return first[distinct], place[key]


def _note(bounds: Floats, exact: Bools, i: int, pair: int, answer: Probability | None) -> None:
    if answer is not None:
        bounds[2 * i, pair], bounds[2 * i + 1, pair] = answer.lower, answer.upper
        exact[i, pair] = answer.exact is not None
