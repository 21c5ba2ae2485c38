"""Statistics fitted to the very table that is published: weights for which the counts expected are those of the table.

Somebody knows how many people of each signature s have each value x, T(s,x), in the table itself, and reads the
groups made of it. They look for weights w(s,x) with which the worlds of the groups, each weighing the product of the
weights of its pairs, have T(s,x) as the expected count of pairs. There is one distribution of that form (the weights
are not unique: factors for signatures and for values change no world's share), and it is the one of largest entropy
among all that agree with T and with the groups (docs/theory/linkage.md, "Statistics fitted to the table").
People in no group are known by their signature only: each has x with a chance of w(s,x) / sum over y of w(s,y).

Groups of one signature, or of one value, have no choice and are counted beforehand. What remains falls into parts that
share neither signatures nor values, each fitted on its own by Newton's method. Whether the weights found are near the
ones that fit is not asked of the method but proved afterwards (`fit_error`); where it is not, all that is said is what
holds for any weights: people of one signature are exchangeable.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import in_pieces, work
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Floats, Int8s, Int64s, offsets
from deniable.worlds.groups.batches import Groups, full, intervals
from deniable.worlds.groups.fit_error import FitError, fit_error, gauges, project
from deniable.worlds.groups.forced import Forced, forced
from deniable.worlds.groups.matchings import OK, TOO_MANY
from deniable.worlds.groups.pairs import add_up, pair_chances
from deniable.worlds.groups.posteriors import STATES
from deniable.worlds.groups.shapes import chosen, coordinates, people_of, places

NO_FIT = 4  # besides the statuses of `matchings`: no weights fit, or that was not proved
_MOST_CELLS = 6000  # of a part: the time of the proof is cubic
# Newton's method: how often, how often without halving what is missing, how far at once, tries along a step, and what
# is added to a diagonal of ones; and steps in a row that all bring e times nearer, as on a way without an end.
_ROUNDS, _STUCK, _STEP, _HALVINGS, _RIDGE, _SLOW = 60, 12, 8.0, 6, 1e-4, 4
_FINE = 1e-13  # standard deviations, or so, that may be missing
_PAIRS = 1 << 22  # chances of pairs that are kept at a time
_MOST_STEPS = 3e10  # of all chances of pairs
_ROOM = 2 * STATES + (1 << 16)


@frozen
class Statistics:
    """How many people of each signature have each value (columns beyond those published: values nobody published
    has), and how many of each signature are in no group."""

    counts: Int64s
    apart: Int64s


@frozen
class Calibrated:
    """Posteriors of all cells of the groups, between proved ends, and why groups have none.

    Where weights were not proved to fit, the value is NaN, and the ends are what holds for all weights. Where the
    counts contradict the groups, these are NaN too.
    """

    value: Floats
    lower: Floats
    upper: Floats
    status: Int8s


@frozen
class _Fit:
    """What is fitted: the groups with a choice, how many there are of each, and cells (s, x) with what is expected.

    A signature of a group in which some cells are impossible is a variant of its own: `weights_of` fills in its row.
    """

    groups: Groups
    often: Int64s
    rows: Int64s  # of each cell that is fitted
    columns: Int64s
    block: Int64s  # cells of different blocks share neither signatures nor values
    wanted: Floats
    apart: Int64s  # by cell: people of its signature in no group who can have it
    kind: Int64s  # by cell: values between which people in no group choose are of one kind
    blocks: int
    cell: Int64s  # variants x values: the number of the cell; -1: always as often, or never, there
    possible: Bools  # variants x values
    key: Int64s  # of each cell of each group: the number of the cell, or -1
    people: Floats  # of each cell of each group: how many people, in all groups that are alike

    def weights(self, log: Floats) -> Floats:
        """Variants x values; no row exceeds 1, as `matchings` wants."""
        told = np.where(self.possible, 0.0, -np.inf)
        fitted = self.possible & (self.cell >= 0)
        told[fitted] = log[self.cell[fitted]]
        highest = told.max(axis=1, keepdims=True, initial=-np.inf)
        found: Floats = np.exp(told - np.where(np.isfinite(highest), highest, 0.0))
        return found

    def shares(self, log: Floats) -> Floats:
        """How likely each cell is for somebody of its signature who is in no group."""
        inside = self.apart > 0
        each = np.where(inside, np.exp(log - _largest(log, self.rows, inside)[self.rows]), 0.0)
        total = np.bincount(self.rows, each)
        shares: Floats = each / np.where(total > 0, total, 1.0)[self.rows]
        return shares

    def directions(self, mine: Int64s) -> Floats:
        """In which no count of a block varies."""
        return gauges(self.rows[mine], self.kind[mine])


@frozen
class _Expected:
    """What weights make of the groups: posteriors and their ends, expected counts, |wanted - expected| at most."""

    value: Floats
    lower: Floats
    upper: Floats
    counts: Floats
    distance: Floats


def calibrate(groups: Groups, often: Int64s, statistics: Statistics, states: int = STATES) -> Calibrated:
    """Fit weights to `statistics` over groups, each of them `often` there."""
    shape, s, _ = coordinates(groups)
    value, lower, upper = (np.full(len(s), np.nan) for _ in range(3))
    status = np.full(len(groups), NO_FIT, np.int8)
    limits = forced(groups, often, statistics.counts, statistics.apart)
    if limits is None or (statistics.counts.sum(axis=1) != _everybody(groups, often, statistics)).any():
        return Calibrated(value, lower, upper, status)
    sure = limits.low == limits.high
    value[sure] = lower[sure] = upper[sure] = (limits.low / people_of(groups))[sure]
    settled = np.bincount(shape, ~sure, len(groups)) == 0
    status[settled] = OK
    if not settled.all():
        which = np.flatnonzero(~settled)
        cells = np.flatnonzero(~settled[shape])
        found = _fit(_prepare(groups, often, statistics, limits, which, cells), states)
        status[which] = found.status
        inside = ~sure[cells]
        for whole, told in ((value, found.value), (lower, found.lower), (upper, found.upper)):
            whole[cells[inside]] = told[inside]
    return Calibrated(value, lower, upper, status)


def _everybody(groups: Groups, often: Int64s, statistics: Statistics) -> Int64s:
    """How many people of each signature there are, in groups or not."""
    repeated = np.repeat(often, np.diff(groups.signature_offsets))
    placed = np.bincount(groups.signatures, groups.people * repeated, len(statistics.apart))
    everybody: Int64s = placed.astype(np.int64) + statistics.apart
    return everybody


def _prepare(
    groups: Groups, often: Int64s, statistics: Statistics, limits: Forced, which: Int64s, cells: Int64s
) -> _Fit:  # fmt: skip
    """The groups with a choice, and what is left to expect of them."""
    shape, s, x = coordinates(groups)
    varies = limits.low < limits.high
    wanted = statistics.counts.astype(np.int64)
    np.subtract.at(wanted, (s[~varies], x[~varies]), (limits.low * often[shape])[~varies])
    free = np.zeros(wanted.shape, np.bool_)
    free[s[varies], x[varies]] = True
    choice = limits.loose & (limits.loose.sum(axis=1, keepdims=True) > 1)
    settled = limits.loose & ~choice
    wanted -= np.where(settled, statistics.apart[:, None], 0)
    free |= choice
    rows, columns = np.nonzero(free)
    number = np.full(wanted.shape, -1, np.int64)
    number[rows, columns] = np.arange(len(rows))
    some = chosen(groups, which)
    row, column = places(some)
    possible = np.zeros((len(some.signatures), wanted.shape[1]), np.bool_)
    possible[row, some.values[column]] = limits.possible[cells]
    fitted = np.full(possible.shape, -1, np.int64)
    fitted[row, some.values[column]] = np.where(varies[cells], number[s[cells], x[cells]], -1)
    patterns, variant = np.unique(
        np.concatenate([some.signatures[:, None], possible, fitted], axis=1), axis=0, return_inverse=True
    )
    width = wanted.shape[1]
    renamed = replace(some, signatures=variant.reshape(-1).astype(np.int32))
    label = _connected(rows, columns, wanted.shape)[rows]
    block = np.unique(label, return_inverse=True)[1]
    apart = np.where(choice, statistics.apart[:, None], 0)[rows, columns]
    kind = _connected(columns[apart > 0], rows[apart > 0], wanted.shape[::-1])[columns]
    return _Fit(
        renamed, often[which], rows, columns, block, wanted[rows, columns].astype(np.float64), apart, kind,
        int(block.max(initial=-1)) + 1,
        np.ascontiguousarray(patterns[:, 1 + width :]), patterns[:, 1 : 1 + width].astype(np.bool_),
        fitted[row, some.values[column]],
        (some.people[row] * np.repeat(often[which], np.diff(some.offsets))).astype(np.float64),
    )  # fmt: skip


def _connected(s: Int64s, x: Int64s, shape: tuple[int, ...]) -> Int64s:
    """A number for each signature, equal for those that are linked through values."""
    label, of_value = np.arange(shape[0]), np.full(shape[1], shape[0])
    while True:
        np.minimum.at(of_value, x, label[s])
        lower = label.copy()
        np.minimum.at(lower, s, of_value[x])
        if np.array_equal(lower, label):
            return label
        label = lower


def _largest(log: Floats, rows: Int64s, inside: Bools) -> Floats:
    """The largest of each signature."""
    largest = np.full(int(rows.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(largest, rows[inside], log[inside])
    return largest


def _fit(fit: _Fit, states: int) -> Calibrated:
    """Newton's method, and the proof of how far it has come."""
    groups = fit.groups
    shape, _, _ = coordinates(groups)
    row, column = places(groups)
    most = np.minimum(groups.copies[column] / groups.people[row], 1.0)  # people of one signature are alike
    cells = np.diff(groups.offsets)
    why = TOO_MANY
    if len(fit.rows) <= _MOST_CELLS and groups.steps * float(cells.max()) <= _MOST_STEPS:
        with work(groups.steps * float(cells.mean()) + float(len(fit.rows)) ** 2):
            log, expected = _newton(fit, states)
            errors = [] if expected is None else _proved(fit, log, expected)
        why = NO_FIT
    if why == TOO_MANY or expected is None:
        status = np.full(len(groups), why, np.int8)
        return Calibrated(np.full(len(most), np.nan), np.zeros(len(most)), most, status)
    here = fit.key >= 0
    of_cell = np.where(here, fit.block[np.maximum(fit.key, 0)], -1)
    lost = np.array([error.c == np.inf for error in errors], np.bool_)
    broken = np.bincount(shape, here & lost[of_cell], len(groups)) > 0
    apart = np.zeros(len(fit.key))
    for block in np.flatnonzero(~lost):
        mine = of_cell == block
        apart[mine] = errors[block].around(expected.value[mine], fit.often[shape[mine]].astype(np.float64))
    lower, upper = np.maximum(expected.lower - apart, 0.0), np.minimum(expected.upper + apart, most)
    lost_cells = broken[shape]
    value = np.where(lost_cells, np.nan, expected.value)
    lower[lost_cells], upper[lost_cells] = 0.0, most[lost_cells]
    return Calibrated(value, lower, upper, np.where(broken, NO_FIT, OK).astype(np.int8))


def _expected(fit: _Fit, log: Floats, states: int) -> _Expected | None:
    """What the weights give; None if some group has no world, or too many."""
    weights = fit.weights(log)
    found = full(fit.groups, weights, states)
    if (found.status != OK).any():
        return None
    lower, upper = intervals(found, weights, True)
    count, here = len(fit.rows), fit.key >= 0
    key, people = fit.key[here], fit.people[here]
    least, most, middle = (np.bincount(key, people * ends[here], count) for ends in (lower, upper, found.value))
    loose = fit.apart * fit.shares(log)
    added = np.bincount(key, minlength=count) + weights.shape[1] + 8
    rounded = (most + loose + fit.wanted) * added * 2.0**-52
    distance = np.maximum(np.abs(fit.wanted - least - loose), np.abs(fit.wanted - most - loose)) + rounded
    return _Expected(found.value, lower, upper, middle + loose, distance)


def _newton(fit: _Fit, states: int) -> tuple[Floats, _Expected | None]:
    """Weights whose counts are the wanted ones as nearly as doubles tell, or as far as it goes."""
    log = np.log(fit.wanted)  # a table without knowledge of groups
    expected = _expected(fit, log, states)
    if expected is None:
        return log, None
    best = (_off(fit, expected), log, expected)
    solvers, before, stuck, slow = None, np.inf, 0, 0
    for step in range(_ROUNDS):
        reach("linkage.fit", step, _ROUNDS)
        size = _off(fit, expected)
        stuck = 0 if size < best[0] / 2 or not step else stuck + 1
        if size <= best[0]:
            best = (size, log, expected)
        slow = slow + 1 if 0.3 < size / before < 0.45 else 0  # each step a part e less: the weights go to infinity
        if size < _FINE or slow == _SLOW or stuck == (2 if size < 1e-8 else _STUCK):
            break
        if solvers is None or size > before / 3:
            try:
                solvers = _solvers(fit, log, expected)
            except np.linalg.LinAlgError:  # weights so far apart that nothing varies any more
                break
        before = size
        log, expected = _along(fit, log, expected, _move(fit, solvers, expected), states)
    return best[1], best[2]


def _off(fit: _Fit, expected: _Expected) -> float:
    """How far the expected counts are from the wanted ones, in standard deviations or so."""
    return float((np.abs(fit.wanted - expected.counts) / np.sqrt(fit.wanted)).max(initial=0.0))


def _move(fit: _Fit, solvers: list[tuple[Int64s, Floats, Floats]], expected: _Expected) -> Floats:
    """Newton's step, no longer than _STEP."""
    missing, move = fit.wanted - expected.counts, np.zeros(len(fit.rows))
    for mine, scale, solver in solvers:
        one = solver @ (missing[mine] / scale) / scale
        move[mine] = one * min(1.0, _STEP / max(float(np.abs(one).max()), 1e-300))
    return move


def _along(fit: _Fit, log: Floats, expected: _Expected, move: Floats, states: int) -> tuple[Floats, _Expected]:
    """As far along a step as what is fitted (concave: its slope falls) still rises."""
    first = float((fit.wanted - expected.counts) @ move)
    low, high, told = 0.0, np.inf, (log, expected)
    length = 1.0
    for _ in range(_HALVINGS):
        there = _expected(fit, log + length * move, states)
        slope = -np.inf if there is None else float((fit.wanted - there.counts) @ move)
        if there is not None and slope >= -0.1 * first:
            low, told = length, (log + length * move, there)
            if slope <= 0.5 * first or high < np.inf:
                break
            length = 2 * length
        else:
            high = length
            length = (low + high) / 2 if low else high / 4
    return told


def _solvers(fit: _Fit, log: Floats, expected: _Expected) -> list[tuple[Int64s, Floats, Floats]]:
    """For each block its cells and the inverse of the covariances, scaled to a diagonal of ones, on what can vary."""
    whole, _ = _counted_pairs(fit, log, expected, below=False)
    solvers = []
    for block in range(fit.blocks):
        mine = np.flatnonzero(fit.block == block)
        matrix = whole[np.ix_(mine, mine)]
        scale: Floats = np.asarray(np.sqrt(np.maximum(matrix.diagonal(), 1e-12)), np.float64)
        matrix /= scale
        matrix /= scale[:, None]
        matrix += project(fit.directions(mine), scale)
        matrix[np.arange(len(mine)), np.arange(len(mine))] += max(1e-11, _RIDGE * min(1.0, _off(fit, expected) ** 2))
        solver: Floats = np.asarray(np.linalg.inv(matrix), np.float64)
        solvers.append((np.asarray(mine, np.int64), scale, solver))
    return solvers


def _counted_pairs(fit: _Fit, log: Floats, expected: _Expected, *, below: bool) -> tuple[Floats, Int64s]:
    """The covariances of the counts, or what is proved to lie below them; and how often each row was added to."""
    count, groups, weights = len(fit.rows), fit.groups, fit.weights(log)
    into, added = np.zeros((count, count)), np.zeros(count, np.int64)
    cells = np.diff(groups.offsets)
    starts, first = offsets(cells * cells), 0
    while first < len(groups):
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + _PAIRS, side="right")) - 1)
        which = np.arange(first, last)
        some = chosen(groups, which)
        alone = expected.value[groups.offsets[first] : groups.offsets[last]]
        at = starts[first : last + 1] - starts[first]
        pairs = np.empty(int(at[-1]))
        in_pieces(pair_chances, len(some), *some.arrays, weights, at, some.offsets, alone, _ROOM, pairs)
        sides = (some.signature_offsets, some.signatures, some.people, some.value_offsets, some.values)
        add_up(*sides, fit.often[which], fit.cell, at, some.offsets, alone, pairs, below, into, added)
        first = last
    shares = fit.shares(log)
    for s in np.unique(fit.rows[fit.apart > 0]):  # people in no group: their counts are multinomial
        mine = np.flatnonzero((fit.rows == s) & (fit.apart > 0))
        both = fit.apart[mine[0]] * np.outer(shares[mine], shares[mine]) * (1 - 1e-6 * below)
        np.fill_diagonal(both, 0.0)
        into[np.ix_(mine, mine)] -= both
        into[mine, mine] += both.sum(axis=1)
        added[mine] += len(mine)
    return into, added


def _proved(fit: _Fit, log: Floats, expected: _Expected) -> list[FitError]:
    """For each block, how far the posteriors may be from those of the weights that fit exactly."""
    below, added = _counted_pairs(fit, log, expected, below=True)
    largest = int(np.diff(offsets(fit.groups.people)[fit.groups.signature_offsets]).max())
    errors = []
    for block in range(fit.blocks):
        mine = np.flatnonzero(fit.block == block)
        part = below[np.ix_(mine, mine)]
        errors.append(fit_error(part, added[mine], fit.directions(mine), expected.distance[mine], largest))
    return errors
