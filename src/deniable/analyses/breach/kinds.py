"""Any number of views: each kind of person answered once, by the cheapest way that settles it.

Where the number of join tuples behind each view tuple pins an answer to the tolerance (`worlds.views.count_bounds`)
nothing else is done; the rest is answered in closed form (`blocks`), by an exact count (`formula`) or by certified
intervals (`decay`): docs/theory/many-views.md, "What counts prove" and "What they leave open".
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from deniable.analyses.breach.adversaries import ALL, NOBODY, SINGLE
from deniable.analyses.breach.components import Ties
from deniable.analyses.breach.join_tuples import Bundles, Listed, list_tuples
from deniable.arrow import column_ints, column_numbers
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import any_views, associations
from deniable.steps import reach
from deniable.worlds.arrays import Floats, Int64s, different
from deniable.worlds.views import blocks
from deniable.worlds.views import count_bounds as counts
from deniable.worlds.views.covers import Probability
from deniable.worlds.views.formula import Formula, Shares, shares

if TYPE_CHECKING:
    from deniable.worlds.views.decay import Solver

WORK = 200_000  # steps of the recursion for one person and value
STEPS = 1_500_000  # of the exact count for one kind of person: about a second
ALL_STEPS = 15_000_000  # and for all kinds, who get equal parts, but never less than
LEAST_STEPS = 10_000
_FRACTIONS = 10_000  # remembered for `explain`
METHODS = ("counts", "closed_form", "exact_count", "intervals", "left_wide")
COUNTS, CLOSED_FORM, EXACT_COUNT, INTERVALS, LEFT_WIDE = range(len(METHODS))

Own = list[tuple[int, int]]  # a kind's ID-side tuples, and how often it has each


@frozen
class Shape:
    """The views by number: all columns, those that matter to others, and who holds the ID."""

    columns: tuple[tuple[str, ...], ...]
    kept: tuple[tuple[str, ...], ...]
    home: int
    order: tuple[int, ...]
    private: str

    @property
    def block(self) -> bool:
        """Whether all views are joined on the same columns; never where a join is cut, since no view has all of what
        is cut."""
        shared = [frozenset(kept) - {self.private} for kept in self.kept]
        return len(set(shared)) == 1

    @property
    def value_side(self) -> int:
        """A view that holds the private column."""
        return next(k for k, kept in enumerate(self.kept) if self.private in kept)


@frozen
class Bundled:
    """The joined views: their bundles, each view's clauses, and what ID-side tuples reach and touch."""

    shape: Shape
    bundles: Relation
    clauses: tuple[Relation, ...]
    reach: Relation
    touched: Relation


@frozen
class KindAnswers:
    """Per (kind, value): intervals, how they were found, and whether they are exact."""

    bounds: counts.CountBounds
    exact: NDArray[np.bool_]  # by which worlds are counted, and place
    method: Int64s
    fractions: dict[tuple[int, int], Fraction]  # by the same, where they are known
    others: tuple[Floats, Floats]  # ends of the intervals of other worlds; not answered where nobody has put one in

    def places(self, kind: int) -> range:
        """Where one kind's values stand."""
        first, last = np.searchsorted(self.bounds.kind, [kind, kind + 1])
        return range(int(first), int(last))

    def interval(self, worlds: int) -> tuple[Floats, Floats]:
        """The lower and upper ends: of ALL worlds, of those with a SINGLE value, or of others."""
        if worlds > SINGLE:
            return self.others[0][worlds], self.others[1][worlds]
        bounds = self.bounds
        return (bounds.single_lower, bounds.single_upper) if worlds == SINGLE else (bounds.lower, bounds.upper)

    def is_answered(self, worlds: int) -> bool:
        """Whether every place has an interval, or is known to have no such world."""
        return bool(np.all(self.exact[worlds] | ~np.isnan(self.interval(worlds)[0])))

    def note(self, place: int, answer: Probability | None, worlds: int) -> None:
        """Put in an answer; None where there is no such world."""
        lower, upper = self.interval(worlds)
        lower[place], upper[place] = (np.nan, np.nan) if answer is None else (answer.lower, answer.upper)
        self.exact[worlds, place] = True
        if answer is not None and answer.exact is not None and len(self.fractions) < _FRACTIONS:
            self.fractions[worlds, place] = answer.exact

    def probability(self, worlds: int, place: int) -> Probability | None:
        """The answer at one place."""
        lower, upper = self.interval(worlds)
        low, high = float(lower[place]), float(upper[place])
        if np.isnan(low):
            return None
        known = self.fractions.get((worlds, place))
        if known is None and low == high and low in (0.0, 1.0):
            known = Fraction(low)
        return Probability(low + (high - low) / 2, low, high, known)


def answer(scope: Scope, bundled: Bundled, members: Relation, tolerance: float) -> KindAnswers:
    """Counts for everybody; whatever they leave wider than the tolerance, one kind at a time."""
    totals = scope.store("members_total", any_views.members_total(bundled.reach, members))
    sums = scope.fetch(any_views.kind_touched(bundled.touched, members, totals))
    reached = scope.fetch(any_views.kind_reach(bundled.reach, members))
    kind = column_ints(reached, "kind")
    top = int(kind.max()) + 1
    sigma, tuples = np.zeros(top), np.zeros(top, np.int64)
    sigma[column_ints(sums, "kind")] = column_numbers(sums, "sigma")
    listed = scope.fetch(associations.everything(members))
    np.add.at(tuples, column_ints(listed, "kind"), 1)
    reach = counts.Reach(
        kind,
        column_ints(reached, "v"),
        column_ints(reached, "times"),
        column_numbers(reached, "c"),
        column_numbers(reached, "w"),
    )
    found = counts.bounds(reach, sigma, tuples)
    known = np.stack([found.lower == found.upper, found.single_lower == found.single_upper])
    known[SINGLE] |= np.isnan(found.single_lower)
    known = np.vstack([known, np.zeros((NOBODY - SINGLE, len(found.kind)), np.bool_)])
    unknown = np.full((2, NOBODY + 1, len(found.kind)), np.nan)
    answers = KindAnswers(found, known, np.full(len(found.kind), COUNTS), {}, (unknown[0], unknown[1]))
    wide = (found.upper - found.lower > tolerance) | (found.single_upper - found.single_lower > tolerance)
    open_kinds = different(found.kind[wide])
    if len(open_kinds):
        _answer_rest(scope, bundled, tolerance, answers, open_kinds, _own(listed))
    return answers


def _own(members: pa.Table) -> dict[int, Own]:
    own: dict[int, Own] = {}
    for row in members.to_pylist():
        own.setdefault(row["kind"], []).append((row["a"], row["times"]))
    return own


def _answer_rest(
    scope: Scope, bundled: Bundled, tolerance: float, answers: KindAnswers, kinds: Int64s, own: dict[int, Own]
) -> None:
    """The kinds that counts leave open, over the cores."""
    shape = bundled.shape
    clauses = [scope.fetch(associations.everything(clause)) for clause in bundled.clauses]
    bundles = Bundles.read(scope.fetch(any_views.bare_bundles(bundled.bundles, len(clauses))), clauses)
    left = [int(k) for k in kinds if not _closed_form(answers, int(k), bundles, shape, own[int(k)])]
    exact = _ExactCounts(Ties.between(bundles, shape.home), answers, own, {})
    steps = _steps_each(left)
    hard = []
    for place, kind in enumerate(left):
        reach("breach.kinds", place, len(left))
        if not exact.note(kind, steps):
            hard.append(kind)
    _intervals(answers, hard, _listed(bundles, shape.home, hard, own), own, tolerance)
    wide = [kind for kind in hard if _still_wide(answers, kind, tolerance)]
    if _steps_each(wide) > steps:
        for place, kind in enumerate(wide):
            reach("breach.kinds", place, len(wide))
            exact.note(kind, _steps_each(wide))


def _steps_each(kinds: Sequence[int]) -> int:
    """An equal part of all steps, so that nobody's answer depends on who comes first."""
    return max(LEAST_STEPS, min(STEPS, ALL_STEPS // max(1, len(kinds))))


def _listed(bundles: Bundles, home: int, kinds: Sequence[int], own: dict[int, Own]) -> Listed | None:
    """The join tuples that the recursion needs for these kinds, unless they are too many."""
    wanted: dict[int, int] = {}
    for kind in kinds:
        for a, times in own[kind]:
            wanted[a] = max(times, wanted.get(a, 0))
    return list_tuples(bundles, home, wanted) if kinds else None


def _still_wide(answers: KindAnswers, kind: int, tolerance: float) -> bool:
    places = answers.places(kind)
    widths = [upper[places] - lower[places] for lower, upper in map(answers.interval, (ALL, SINGLE))]
    return bool(np.nanmax(np.concatenate([*widths, [0.0]])) > tolerance)


def _closed_form(answers: KindAnswers, kind: int, bundles: Bundles, shape: Shape, own: Own) -> bool:
    """A complete block, where exact integers are cheap."""
    if not shape.block or len(own) > 1:
        return False
    a, times = own[0]
    mine = bundles.through(shape.home, a)
    m = int(bundles.mu[shape.home][mine[0]])
    holder = shape.value_side
    if any(shape.private in kept for k, kept in enumerate(shape.kept) if k != holder):
        return False
    between = tuple(int(mu[mine[0]]) for k, mu in enumerate(bundles.mu) if k not in (shape.home, holder))
    nodes = {int(bundles.v[b]): int(bundles.mu[holder][b]) for b in mine}
    if not blocks.cheap(m, between, sum(nodes.values())):
        return False
    for i in answers.places(kind):
        value = int(answers.bounds.value[i])
        answers.note(i, blocks.unrestricted(m, between, times, nodes, value), ALL)
        answers.note(i, blocks.restricted(m, between, times, nodes, value), SINGLE)
        answers.method[i] = CLOSED_FORM
    return True


@frozen
class _ExactCounts:
    """Components that are counted, once for all that look alike."""

    ties: Ties
    answers: KindAnswers
    own: dict[int, Own]
    counted: dict[Formula, Shares]

    def note(self, kind: int, steps: int) -> bool:
        """Count what is tied to a kind of person and note the answers, if so many steps suffice."""
        own, answers = self.own[kind], self.answers
        component = self.ties.component(own, steps)
        if component is None:
            return False
        formula, names = self.ties.formula(own, component)
        found = self.counted.get(formula) or shares(formula, steps)
        if found is None:
            return False
        self.counted[formula] = found
        for i in answers.places(kind):
            either, single = found[names.index(int(answers.bounds.value[i]))]
            answers.note(i, either, ALL)
            answers.note(i, single, SINGLE)
            answers.method[i] = EXACT_COUNT
        return True


def _intervals(
    answers: KindAnswers, kinds: list[int], listed: Listed | None, own: dict[int, Own], tolerance: float
) -> None:
    """The recursion, kept where it is narrower than the counts; kinds shared out over the cores."""
    if listed is None:
        for kind in kinds:
            answers.method[answers.places(kind)] = LEFT_WIDE
        return
    from deniable.worlds.views.decay import Solver

    workers = min(len(kinds), os.cpu_count() or 1)

    def share(worker: int) -> None:
        solver = Solver(listed.graph, tolerance, WORK)
        for kind in kinds[worker::workers]:
            _interval(answers, kind, listed, own[kind], solver)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(share, range(workers)))


def _interval(answers: KindAnswers, kind: int, listed: Listed, own: Own, solver: Solver) -> None:
    bounds, places = answers.bounds, answers.places(kind)
    found = listed.own(own)
    if found is None:
        answers.method[places] = LEFT_WIDE
        return
    id_clauses, mine = found
    values = listed.value[mine]
    shares = solver.restricted(mine, values, id_clauses)
    for i in places:
        value = int(bounds.value[i])
        low, high = solver.unrestricted(mine[values == value])
        bounds.lower[i], bounds.upper[i] = max(bounds.lower[i], low), min(bounds.upper[i], high)
        if shares is None:
            bounds.single_lower[i] = bounds.single_upper[i] = np.nan
        else:
            low, high = shares[value]
            bounds.single_lower[i] = max(bounds.single_lower[i], low)
            bounds.single_upper[i] = min(bounds.single_upper[i], high)
        answers.exact[ALL, i] = bounds.lower[i] == bounds.upper[i]
        answers.exact[SINGLE, i] = shares is None or bounds.single_lower[i] == bounds.single_upper[i]
        answers.method[i] = INTERVALS
