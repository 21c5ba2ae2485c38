"""Tables in which somebody stands in several join groups (or in one, with several tuples), answered in compiled code.

A product over somebody's groups is not a sum over a group, so no GROUP BY can answer;
the engine hands over everybody's rows as packed integers, people together, and they are
answered piece by piece, as arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from deniable.analyses.breach.adversaries import Adversary
from deniable.analyses.breach.group_margins import AsOften, GroupMargins, read_margins
from deniable.analyses.breach.lookups import GroupCells, JoinGroups, Lookups, look_up
from deniable.arrow import arrow_array, column_ints, column_numbers, ints
from deniable.frozen import frozen
from deniable.kernels import in_pieces, prepare, work
from deniable.sql.adversaries import Kept
from deniable.sql.two_views import Packing
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s, different, offsets
from deniable.worlds.views.products import Membership

ONE_BY_ONE = 1_000  # up to so many people are answered one by one, exactly where groups are small
_HEAVY = 20  # steps for a row: its part in every product that it is in
_PIECE = 1 << 16  # people answered at once: few enough that what only solving needs is used again, not asked for anew


@frozen
class Intervals:
    """An adversary's answers, one for each asked value; NaN: no world."""

    lower: Floats
    upper: Floats
    exact: Bools

    @property
    def value(self) -> Floats:
        """The middle."""
        return self.lower + (self.upper - self.lower) / 2


@frozen
class Solved:
    """Some people, from number `first` on: which values were asked of each, and the answers."""

    first: int
    value_offsets: Int64s
    asked: Int32s
    found: dict[str, Intervals]

    @property
    def person(self) -> Int64s:
        """Who each asked value belongs to."""
        return self.first + np.repeat(np.arange(len(self.value_offsets) - 1), np.diff(self.value_offsets))


@frozen
class Piece:
    """Some people: their memberships (see `product_kernel.compact`) and their asked values."""

    first: int
    group_offsets: Int64s
    mine: NDArray[np.int32]
    value_offsets: Int64s
    asked: Int32s

    @property
    def groups(self) -> Int32s:
        """The group of each membership."""
        groups: Int32s = self.mine[0]
        return groups

    @property
    def people(self) -> int:
        """How many they are."""
        return len(self.group_offsets) - 1


@frozen
class SeveralGroups:
    """Everybody's rows, sorted, with all that is needed to answer them."""

    identifiers: pa.Table
    offsets: Int64s
    packed: NDArray[Any]
    packing: Packing
    group_of_tuple: Int64s
    kinds: Int64s
    groups: JoinGroups
    cells: GroupCells
    kept: Kept
    adversaries: tuple[Adversary, ...]
    everything: bool

    @property
    def people(self) -> int:
        """How many they are."""
        return len(self.offsets) - 1

    @cached_property
    def often(self) -> AsOften | None:
        """How often ID-side tuples are published, where it matters."""
        from deniable.worlds.views import product_kernel as kernel

        if not (self.groups.how == kernel.EXPECTED).any():
            return None
        with work(_HEAVY * len(self.packed)):
            sizes = kernel.tuple_sizes(self.offsets, self.packed, self.packing.codes, self.group_of_tuple)
        return AsOften.of(*sizes)

    def solve(self) -> Iterator[Solved]:
        """Everybody's answers, piece by piece, so that memory stays with the rows."""
        if self.people <= ONE_BY_ONE:
            piece = self._piece(0, self.people)
            yield self._solved(piece, self._exactly(piece, self.adversaries))
            return
        lookups = look_up(self.cells, self.groups, self.kinds, int(np.diff(self.offsets).max()))
        for first in range(0, self.people, _PIECE):
            reach("breach.several_groups", first, self.people)
            piece = self._piece(first, min(self.people, first + _PIECE))
            batch = Batch(self, piece, lookups)
            found = {a.name: a.many_people(batch) for a in self.adversaries if a.many_people}
            found |= self._exactly(piece, [a for a in self.adversaries if not a.many_people])
            yield self._solved(piece, found)

    @staticmethod
    def _solved(piece: Piece, found: dict[str, Intervals]) -> Solved:
        return Solved(piece.first, piece.value_offsets, piece.asked, found)

    def _piece(self, first: int, last: int) -> Piece:
        from deniable.worlds.views import product_kernel as kernel

        window = self.offsets[first : last + 1]
        with work(_HEAVY * len(self.packed)):
            told = kernel.compact(window, self.packed, self.packing.codes, self.packing.others, self.group_of_tuple)
        piece = Piece(first, *told)
        return self._asking_everything(piece) if self.everything else piece

    def _asking_everything(self, piece: Piece) -> Piece:
        """Ask for every value that any of a person's groups has."""
        cells = self.cells
        mine = np.split(piece.groups, piece.group_offsets[1:-1])
        asked = [
            different(np.concatenate([cells.v[cells.offsets[g] : cells.offsets[g + 1]] for g in groups]))
            for groups in mine
        ]
        starts = offsets([len(a) for a in asked])
        return Piece(piece.first, piece.group_offsets, piece.mine, starts, np.concatenate(asked))

    def _exactly(self, piece: Piece, adversaries: Sequence[Adversary]) -> dict[str, Intervals]:
        """One person after the other, by the mathematics itself."""
        size = len(piece.asked)
        found = {
            a.name: Intervals(np.full(size, np.nan), np.full(size, np.nan), np.ones(size, np.bool_))
            for a in adversaries
        }
        if not adversaries:
            return found
        read = read_margins(self.offsets, self.packed, self.packing, self.group_of_tuple)
        for person in range(piece.people):
            inside = range(piece.group_offsets[person], piece.group_offsets[person + 1])
            parts = [self._membership(read, piece.first + person, piece.mine[:, i].tolist()) for i in inside]
            for place in range(piece.value_offsets[person], piece.value_offsets[person + 1]):
                for adversary in adversaries:
                    answer = adversary.exactly(parts, int(piece.asked[place]))
                    if answer is not None:
                        into = found[adversary.name]
                        into.lower[place], into.upper[place] = answer.lower, answer.upper
                        into.exact[place] = answer.exact is not None
        return found

    def _membership(self, read: GroupMargins, person: int, mine: list[int]) -> Membership:
        g, a, _, _, joined = mine
        groups = self.groups
        return Membership(
            int(groups.m[g]),
            a,
            self.cells.tuples(g),
            one_each=bool(groups.one_each[g]),
            joined=joined,
            people=read.people(g),
            rows=read.rows(g, person, self.kept),
        )


class Batch:
    """Some people, and what is computed for all of them at once: each at most once, and only if somebody asks."""

    def __init__(self, people: SeveralGroups, piece: Piece, lookups: Lookups) -> None:
        self.people, self.piece, self.lookups = people, piece, lookups

    @property
    def unrestricted(self) -> Intervals:
        """Of all worlds, those in which a person has the value."""
        return self._products(0)

    @property
    def restricted(self) -> Intervals:
        """Of the worlds in which the person has a single value, those in which it is this one."""
        return self._products(1)

    @property
    def bag(self) -> Intervals:
        """The share of the tables with as many rows that give the person the value."""
        return self._products(2)

    @property
    def counted(self) -> Intervals:
        """Of the worlds in which everybody has as many tuples as in the table."""
        return self._products(3)

    def _products(self, row: int) -> Intervals:
        lower, upper = self._bounds[2 * row], self._bounds[2 * row + 1]
        return Intervals(lower, upper, np.broadcast_to(np.bool_(False), len(lower)))

    @cached_property
    def _bounds(self) -> Floats:
        """The compiled products: lower and upper of three adversaries."""
        from deniable.worlds.views import product_kernel as kernel

        piece, lookups, groups = self.piece, self.lookups, self.people.groups
        bounds = np.empty((8, len(piece.asked)))
        mine = (piece.group_offsets, piece.mine, lookups.places[piece.mine[1]], self._as_often())
        asked = (piece.value_offsets, piece.asked)
        quads, cells = lookups.quads, lookups.cells
        sizes = (lookups.tuples, np.stack([groups.m, groups.n, groups.rows]), groups.how, bounds)
        with work(_HEAVY * len(self.people.packed)):
            if lookups.dense is not None:
                told = (lookups.dense, quads.lower, quads.upper)
                in_pieces(kernel.answer_dense, piece.people, *mine, *asked, *told, *sizes)
            else:
                held = (cells.offsets, cells.v, cells.r, lookups.index)
                weights = (quads.lower, quads.upper, quads.mantissa, quads.exponent)
                in_pieces(kernel.answer_sparse, piece.people, *mine, *asked, *held, *weights, *sizes)
        return bounds

    def _as_often(self) -> Int64s:
        """How many ID-side tuples of the group have as many rows as the person's longest, or more."""
        often, piece = self.people.often, self.piece
        if often is None:
            return np.ones(piece.mine.shape[1], np.int64)
        return often.at_least(piece.mine[0], piece.mine[3])

    @property
    def keyed(self) -> Intervals:
        """c of n for people with one tuple, in groups where everybody has one; else no world."""
        people, piece = self.people, self.piece
        size, exact = len(piece.asked), np.broadcast_to(np.bool_(True), len(piece.asked))
        home = piece.groups[piece.group_offsets[:-1]].astype(np.int64)
        if not people.groups.one_each[home].any():
            none = np.broadcast_to(np.float64(np.nan), size)
            return Intervals(none, none, exact)
        share = np.full(size, np.nan)
        person = np.repeat(np.arange(piece.people), np.diff(piece.value_offsets))
        asking = np.flatnonzero(people.groups.one_each[home[person]])
        codes, cells, group = people.packing.values, people.cells, home[person[asking]]
        at = np.searchsorted(cells.g * np.int64(codes) + cells.v, group * codes + piece.asked[asking])
        share[asking] = cells.c[at] / people.groups.n[group]
        return Intervals(share, share, exact)


def begin(rows: int) -> None:
    """Get the compiler ready beside the engine's next queries, if there will be much to answer."""
    from deniable.worlds.views import product_kernel as kernel

    prepare(_HEAVY * rows, kernel.sort_rows, kernel.compact)


@frozen
class PackedRows:
    """What the engine hands over: everybody's rows, the groups' sizes, the group of each tuple, the cells.

    Without further columns on the ID side (`homes` is None) a tuple is its group.
    """

    rows: pa.Table
    sizes: pa.Table
    homes: pa.Table | None
    cells: pa.Table
    packing: Packing


def read_people(read: PackedRows, adversaries: tuple[Adversary, ...], *, kept: Kept, everything: bool) -> SeveralGroups:
    """Find where people begin, and count the ID sides."""
    from deniable.worlds.views import product_kernel as kernel

    identifiers = read.rows.drop_columns(["packed"])
    starts = _starts(identifiers)
    n = column_ints(read.sizes, "n")
    group_of_tuple = column_ints(read.homes, "g") if read.homes else np.arange(len(n), dtype=np.int64)
    offsets = np.append(starts, read.rows.num_rows)
    packed = column_numbers(read.rows, "packed")
    with work(_HEAVY * len(packed)):
        in_pieces(kernel.sort_rows, len(starts), offsets, packed)
        m, several, most = kernel.count_tuples(offsets, packed, read.packing.codes, group_of_tuple, len(n))
    rows = column_ints(read.sizes, "rows")
    groups = JoinGroups(m, n, rows, _how(m, n, rows, kept), (n <= m) & ~several)
    cells = _cells(read.cells, len(n))
    # Only the compiled look-up table does without an order.
    compiled = len(starts) > ONE_BY_ONE and all(adversary.many_people for adversary in adversaries)
    plain = compiled and not everything and not groups.one_each.any()
    return SeveralGroups(
        identifiers,
        offsets,
        packed,
        read.packing,
        group_of_tuple,
        np.arange(1, most + 1),
        groups,
        cells if plain else cells.in_order(),
        kept,
        adversaries,
        everything,
    )


def _how(m: Int64s, n: Int64s, rows: Int64s, kept: Kept) -> Int64s:
    """How rows are counted in each group."""
    from deniable.worlds.views import product_kernel as kernel

    if kept.told is None:
        return np.full(len(m), kernel.UNKNOWN, np.int64)
    if kept.ids and kept.values:
        return np.where((rows == m) | (rows == n), kernel.DRAWN, kernel.EXPECTED)
    if kept.values:
        return np.where(rows == m, kernel.DRAWN, kernel.ALIKE)
    return np.where(rows == n, kernel.DRAWN, kernel.LEVEL)


def _cells(found: pa.Table, groups: int) -> GroupCells:
    g, v = (column_numbers(found, name).astype(np.int32, copy=False) for name in ("g", "v"))
    c, r = (column_ints(found, name) for name in ("c", "r"))
    return GroupCells(g, v, c, r, np.zeros(groups + 1, np.int64), ordered=False)


def _starts(identifiers: pa.Table) -> Int64s:
    """Where another identifier than in the row before begins (a null equals a null)."""
    import pyarrow.compute as pc

    rows = identifiers.num_rows
    differs = np.zeros(rows, np.bool_)
    differs[0] = True
    for column in identifiers.columns:
        if pa.types.is_integer(column.type) and not column.null_count:
            _mark_changes(column, differs)
        elif pa.types.is_nested(column.type) or pa.types.is_null(column.type):  # which Arrow does not compare
            cells = column.to_pylist()
            differs[1:] |= np.fromiter((one != two for one, two in pairwise(cells)), np.bool_, rows - 1)
        elif rows > 1:
            one, two = column.slice(0, rows - 1), column.slice(1)
            unequal = pc.fill_null(pc.not_equal(one, two), arrow_array(np.zeros(1, np.bool_))[0])
            either = pc.or_(unequal, pc.not_equal(pc.is_null(one), pc.is_null(two)))
            differs[1:] |= np.concatenate([_bools(chunk) for chunk in either.chunks])
    return np.flatnonzero(differs)


def _mark_changes(column: pa.ChunkedArray, differs: Bools) -> None:
    """Chunk by chunk, since putting whole numbers together first costs as much as the rest."""
    place, before = 0, None
    for chunk in column.chunks:
        numbers = ints(chunk)
        if len(numbers):
            differs[place + 1 : place + len(numbers)] |= numbers[1:] != numbers[:-1]
            differs[place] |= before is not None and numbers[0] != before
            place, before = place + len(numbers), numbers[-1]


def _bools(array: pa.Array) -> Bools:
    bits = np.unpackbits(np.frombuffer(array.buffers()[1] or b"", np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.bool_)
