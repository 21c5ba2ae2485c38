"""The judge of `calibrated`: lists every world of every group and solves for the weights in four hundred bits.

Worlds hand a group's values, copies included, to its people. The weights w(s,x) are those with which the expected
number of people of s who have x is `counts`, over all groups and the people in none, who draw by their weights alone.
Shares no code with the fast paths. Small releases only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from flint import arb, arb_mat, ctx

Group = tuple[Sequence[int], Sequence[int]]  # each person's signature, and the values
Cell = tuple[int, int]
_ROUNDS = 150


def fitted(groups: Sequence[Group], counts: dict[Cell, int], apart: dict[int, int]) -> list[dict[Cell, float]] | None:
    """For each group, the chance of each signature in it to have each value; None: no weights fit."""
    before, ctx.prec = ctx.prec, 400
    try:
        return _fitted([_worlds(people, values) for people, values in groups], groups, counts, apart)
    finally:
        ctx.prec = before


def _worlds(people: Sequence[int], values: Sequence[int]) -> Counter[tuple[tuple[Cell, int], ...]]:
    """How many worlds have each table of pairs."""
    return Counter(
        tuple(sorted(Counter(zip(people, order, strict=True)).items())) for order in permutations(values)
    )  # fmt: skip


def _fitted(
    worlds: list[Counter[tuple[tuple[Cell, int], ...]]], groups: Sequence[Group], counts: dict[Cell, int],
    apart: dict[int, int],
) -> list[dict[Cell, float]] | None:  # fmt: skip
    cells = sorted(cell for cell, count in counts.items() if count)
    log = {cell: arb(0) for cell in cells}
    for _ in range(_ROUNDS):
        told = [_chances(group, log) for group in worlds]
        if any(one is None for one in told):
            return None
        loose = [_loose(s, log) for s, count in apart.items() for _ in range(count)]
        everybody = [one for one in told if one is not None] + loose
        missing = [counts[cell] - _mean(cell, everybody) for cell in cells]
        if all(abs(float(m)) < 1e-24 for m in missing):
            return [_shares(people, one) for (people, _), one in zip(groups, everybody, strict=False)]
        move = _move(everybody, cells, missing)
        if move is None or max(abs(float(value)) for value in log.values()) > 400:
            return None
        most = max(abs(float(m)) for m in move)
        damped = arb(1) if most < 1 else arb(1) / arb(most)
        log = {cell: (log[cell] + damped * m).mid() for cell, m in zip(cells, move, strict=True)}
    return None


_Law = list[tuple[tuple[tuple[Cell, int], ...], arb]]


def _mean(cell: Cell, laws: list[_Law]) -> arb:
    return sum((w * dict(table).get(cell, 0) for law in laws for table, w in law), arb(0))


def _chances(worlds: Counter[tuple[tuple[Cell, int], ...]], log: dict[Cell, arb]) -> _Law | None:
    weighed = [
        (table, often * sum((n * log[cell] for cell, n in table), arb(0)).exp())
        for table, often in worlds.items()
        if all(cell in log for cell, _ in table)
    ]
    if not weighed:
        return None
    total = sum((w for _, w in weighed), arb(0))
    return [(table, w / total) for table, w in weighed]


def _loose(s: int, log: dict[Cell, arb]) -> _Law:
    weighed = [(((cell, 1),), log[cell].exp()) for cell in log if cell[0] == s]
    total = sum((w for _, w in weighed), arb(0))
    return [(table, w / total) for table, w in weighed]


def _move(laws: list[_Law], cells: list[Cell], missing: list[arb]) -> list[arb] | None:
    """Newton's step. What cannot vary is held by a little weight on the diagonal."""
    n = len(cells)
    matrix = [[arb(0)] * n for _ in range(n)]
    for law in laws:
        rows = [(w, [dict(table).get(cell, 0) for cell in cells]) for table, w in law]
        mean = [sum((w * row[i] for w, row in rows), arb(0)) for i in range(n)]
        for i in range(n):
            for j in range(n):
                both = sum((w * (row[i] * row[j]) for w, row in rows if row[i] and row[j]), arb(0))
                matrix[i][j] += both - mean[i] * mean[j]
    for i in range(n):
        matrix[i][i] += arb(2) ** -180
    middle = arb_mat([[entry.mid() for entry in row] for row in matrix])
    try:
        solved = middle.solve(arb_mat([[m.mid()] for m in missing]))
    except ZeroDivisionError:
        return None
    return [solved[i, 0] for i in range(n)]


def _shares(people: Sequence[int], law: _Law) -> dict[Cell, float]:
    found: dict[Cell, arb] = {}
    for table, w in law:
        for cell, n in table:
            found[cell] = found.get(cell, arb(0)) + w * n
    often = Counter(people)
    return {cell: float(total / often[cell[0]]) for cell, total in found.items()}
