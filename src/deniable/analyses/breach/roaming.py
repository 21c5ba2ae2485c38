"""Tables in which somebody has several ID-side tuples, answered in compiled code.

A product over somebody's groups is not a sum over a group, so no GROUP BY can answer;
the engine hands over everybody's rows as packed integers, people together, and they are
answered piece by piece, so that memory stays with the rows.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sqlglot import exp

from deniable.analyses.breach.prepared import Bools, Cells, Floats, Groups, Ints, Prepared, Small, prepare
from deniable.analyses.breach.relations import Tally
from deniable.arrow import arrow_array, column_ints, column_numbers, ints
from deniable.engines.base import Engine
from deniable.sql.build import select
from deniable.worlds.views import products as several
from deniable.worlds.views.covers import Probability

ONE_BY_ONE = 1_000  # up to so many people are answered one by one, exactly where groups are small
_PIECE = 1 << 16  # people answered at once: few enough that memory is used again, not asked for anew


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
    packed: NDArray[Any]
    codes: int
    group_of_tuple: Ints
    kinds: Ints
    groups: Groups
    cells: Cells
    everything: bool

    @property
    def people(self) -> int:
        """How many they are."""
        return len(self.offsets) - 1

    def solve(self) -> Iterator[tuple[Piece, Answers]]:
        """Answer everybody, piece by piece."""
        people = self.people
        if people <= ONE_BY_ONE:
            piece = self._piece(0, people)
            yield piece, self._one_by_one(piece)
            return
        most = int(np.diff(self.offsets).max())
        prepared = prepare(self.cells, self.groups, self.kinds, most)
        for first in range(0, people, _PIECE):
            piece = self._piece(first, min(people, first + _PIECE))
            yield piece, self._compiled(piece, prepared)

    def _piece(self, first: int, last: int) -> Piece:
        from deniable.worlds.views import product_kernel as kernel

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

    def _compiled(self, piece: Piece, prepared: Prepared) -> Answers:
        from deniable.worlds.views import product_kernel as kernel

        bounds = np.empty((6, len(piece.asked)))
        mine = (piece.group_offsets, piece.groups, piece.owned, prepared.places[piece.owned])
        asked = (piece.value_offsets, piece.asked)
        quads, cells, groups = prepared.quads, prepared.cells, self.groups
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


def preload() -> None:
    """Import the compiled code beside the engine's next query: it takes as long as one."""
    threading.Thread(target=import_module, args=("deniable.worlds.views.product_kernel",), daemon=True).start()


def find_roaming(
    engine: Engine, rows: exp.Query, codes: int, tuples_numbered: bool, *, bags: bool, everything: bool
) -> Roaming:
    """Read everybody's rows, people together, out of the engine, and count the ID sides."""
    from deniable.worlds.views import product_kernel as kernel

    found = engine.fetch(rows)
    identifiers = found.drop_columns(["packed"])
    starts = _starts(identifiers)
    counts = engine.fetch(select("n", "rows").from_("groups").order_by("g"))
    n = column_ints(counts, "n")
    if tuples_numbered:
        group_of_tuple = column_ints(engine.fetch(select("t", "g").from_("tuples").order_by("t")), "g")
    else:
        group_of_tuple = np.arange(len(n), dtype=np.int64)
    offsets = np.append(starts, found.num_rows)
    packed = column_numbers(found, "packed")
    m, roamed, most = kernel.count_tuples(offsets, packed, codes, group_of_tuple, len(n))
    groups = Groups(m, n, (column_ints(counts, "rows") == m) & bags, (n <= m) & ~roamed)
    cells = _cells(engine, len(n))
    # Only the compiled look-up table does without an order.
    plain = len(starts) > ONE_BY_ONE and not everything and not groups.keyed.any()
    return Roaming(
        identifiers,
        offsets,
        packed,
        codes,
        group_of_tuple,
        np.arange(1, most + 1),
        groups,
        cells if plain else cells.in_order(),
        everything,
    )


def _cells(engine: Engine, groups: int) -> Cells:
    found = engine.fetch(select("g", "v", "c", "r").from_("coded_cells"))
    g, v = (column_numbers(found, name).astype(np.int32, copy=False) for name in ("g", "v"))
    c, r = (column_ints(found, name) for name in ("c", "r"))
    return Cells(g, v, c, r, np.zeros(groups + 1, np.int64), ordered=False)


def _starts(identifiers: pa.Table) -> Ints:
    """Where another identifier than in the row before begins (a null equals a null)."""
    import pyarrow.compute as pc

    rows = identifiers.num_rows
    differs = np.zeros(rows, np.bool_)
    differs[0] = True
    for column in identifiers.columns:
        if pa.types.is_integer(column.type) and not column.null_count:
            _mark_changes(column, differs)
        elif rows > 1:
            one, two = column.slice(0, rows - 1), column.slice(1)
            unequal = pc.fill_null(pc.not_equal(one, two), False)
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


def _note(bounds: Floats, exact: Bools, i: int, pair: int, answer: Probability | None) -> None:
    if answer is not None:
        bounds[2 * i, pair], bounds[2 * i + 1, pair] = answer.lower, answer.upper
        exact[i, pair] = answer.exact is not None
