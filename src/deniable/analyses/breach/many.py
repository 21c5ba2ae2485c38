"""Any number of views, any shape of join: counts first, then what they leave open.

Theorem (docs/theory/many-views.md, "The formula"): worlds are the models of a monotone formula with one variable per
join tuple and one clause per view tuple. View tuples that differ only in columns which no other view has are
interchangeable, so the join is made of bundles, and the number of join tuples behind each view tuple is a GROUP BY
over them: the join itself is never listed. Where these counts pin an answer to the tolerance
(`worlds.views.count_bounds`) nothing else is done; the rest is answered in closed form (`blocks`), exactly
(`formula`) or by certified intervals (`decay`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from deniable.analyses.breach.local import Bundles, Listed, list_tuples
from deniable.analyses.breach.plan import Many
from deniable.analyses.breach.relations import Relations
from deniable.arrow import arrow_array, arrow_table, column_ints, column_numbers, only
from deniable.bind.views import Bound
from deniable.engines.base import Engine
from deniable.errors import LimitExceeded
from deniable.sql import build, findings, many, pairs
from deniable.worlds.views import blocks
from deniable.worlds.views import count_bounds as counts
from deniable.worlds.views.covers import Probability
from deniable.worlds.views.formula import Formula, restricted, unrestricted

if TYPE_CHECKING:
    from deniable.worlds.views.decay import Solver

ADVERSARIES = ("unrestricted", "restricted")
WORK = 200_000  # steps of the recursion for one person and value
_FRACTIONS = 10_000  # remembered for `explain`
METHODS = ("counts", "closed form", "exact count", "intervals", "counts, left wide")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Options:
    """How narrow an interval must be, and how much work may be spent."""

    tolerance: float = 1e-6
    limit: int = 50_000_000  # bundles


@dataclass(frozen=True)
class Shape:
    """The views by number: all columns, those that matter to others, and who holds the ID."""

    columns: tuple[tuple[str, ...], ...]
    kept: tuple[tuple[str, ...], ...]
    home: int
    order: tuple[int, ...]
    private: str

    @property
    def block(self) -> bool:
        """Whether all views are joined on the same columns."""
        shared = [frozenset(kept) - {self.private} for kept in self.kept]
        return len(set(shared)) == 1

    @property
    def value_side(self) -> int:
        """A view that holds the private column."""
        return next(k for k, kept in enumerate(self.kept) if self.private in kept)


@dataclass(frozen=True)
class Answers:
    """Per (kind, value): intervals, how they were found, and whether they are exact."""

    bounds: counts.Bounds
    exact: NDArray[np.bool_]  # (2, pairs)
    method: Ints
    fractions: dict[tuple[int, int], Fraction]  # (adversary, place) -> where it is known, and asked for

    def places(self, kind: int) -> range:
        """Where one kind's values stand."""
        first, last = np.searchsorted(self.bounds.kind, [kind, kind + 1])
        return range(int(first), int(last))


def shape_of(plan: Many, ids: Sequence[str], private: str) -> tuple[Shape, dict[str, str]]:
    """Number the columns z0, z1, … and find out what each view shares with the others."""
    names = list(dict.fromkeys(column for view in plan.views for column in view.columns))
    z = {name: f"z{i}" for i, name in enumerate(names)}
    columns = tuple(tuple(z[c] for c in view.columns) for view in plan.views)
    kept = []
    for k, mine in enumerate(columns):
        others = {c for j, other in enumerate(columns) if j != k for c in other}
        kept.append(tuple(c for c in mine if c in others or c == z[private]))
    home = next(k for k, view in enumerate(plan.views) if set(ids) <= set(view.columns))
    return Shape(columns, tuple(kept), home, _order(kept, home), z[private]), z


def _order(kept: Sequence[Sequence[str]], home: int) -> tuple[int, ...]:
    """From the ID side on, always the view that shares most with those before it."""
    order, seen, left = [home], set(kept[home]), set(range(len(kept))) - {home}
    while left:
        best = max(sorted(left), key=lambda k: len(seen & set(kept[k])))
        order.append(best)
        left.remove(best)
        seen |= set(kept[best])
    return tuple(order)


def solve(bound: Bound, plan: Many, engine: Engine, options: Options, *, everything: bool) -> Relations:
    """Leave the relations people, secrets and kind_answers in the engine."""
    release = bound.release
    ids = build.numbered("i", len(release.id_columns))
    shape = join_bundles(bound, plan, engine, options)
    sort_people(engine, ids, shape)
    answers = answer(engine, shape, options)
    engine.put("kind_answers", _table(answers))
    engine.store("secrets", many.secrets(ids, shape.private))
    engine.store("answers", many.answers(ids))
    fields = [f"{name}_{field}" for name in ADVERSARIES for field in findings.FIELDS]
    return Relations(
        bound,
        engine,
        ADVERSARIES,
        ids,
        once=False,
        weight="everybody" if everything else "s",
        counted=(("answers", ADVERSARIES),),
        wide=lambda: many.wide(ids, fields, everything),
    )


def join_bundles(bound: Bound, plan: Many, engine: Engine, options: Options) -> Shape:
    """Count both ends of every view tuple; refuse before a join that is too large is made."""
    release = bound.release
    shape, z = shape_of(plan, release.id_columns, release.private)
    secret = bound.secret.condition if bound.secret else None
    roles = {"i": release.id_columns, "z": tuple(z)}
    engine.view("rows", build.narrowed(bound.source, roles, plan.condition, secret, bound.text_columns))
    engine.store("values_", many.values(shape.private))
    for k, (columns, kept) in enumerate(zip(shape.columns, shape.kept, strict=True)):
        engine.store(f"side{k}", many.side(k, columns, kept))
    query = many.bundles(shape.order, shape.kept, shape.private)
    if only(engine.fetch(many.at_most(query, options.limit))) > options.limit:
        raise LimitExceeded(
            f"the views' join has more than {options.limit:,} different combinations of shared columns; "
            "publish fewer columns in common, or raise --limit"
        )
    engine.store("bundles", query)
    for k in range(len(shape.kept)):
        engine.store(f"clauses{k}", many.clause_sizes(k))
    engine.store("reach", many.reach(shape.home))
    engine.store("touched", many.touched(shape.home, [k for k in range(len(shape.kept)) if k != shape.home]))
    return shape


def sort_people(engine: Engine, ids: list[str], shape: Shape) -> None:
    """Everybody's kind, and which ID-side tuples a kind has: members(kind, a, times)."""
    columns, kept = shape.columns[shape.home], shape.kept[shape.home]
    engine.store("person_types", many.person_types(ids, columns, kept, shape.home))
    if not only(engine.fetch(pairs.roams(ids, columns, None))):
        engine.view("people", many.people_settled(ids))
        kinds = column_ints(engine.fetch(build.select("a").distinct().from_("person_types")), "a")
        engine.put("members", arrow_table(kind=kinds, a=kinds, times=np.ones_like(kinds)))
        return
    engine.store("people_types", many.people_roaming(ids))
    engine.store("kinds", many.kinds())
    engine.store("people", many.people_of_kinds(ids))
    rows = []
    for row in engine.fetch(build.select("kind", "types").from_("kinds")).to_pylist():
        rows += [(row["kind"], a, times) for a, times in Counter(map(int, row["types"].split())).items()]
    kind, a, times = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    engine.put("members", arrow_table(kind=kind, a=a, times=times))


def answer(engine: Engine, shape: Shape, options: Options) -> Answers:
    """Counts for everybody; whatever they leave wider than the tolerance, one kind at a time."""
    engine.store("members_total", many.members_total())
    sums = engine.fetch(many.kind_touched())
    reached = engine.fetch(many.kind_reach())
    kind = column_ints(reached, "kind")
    top = int(kind.max()) + 1
    sigma, tuples = np.zeros(top), np.zeros(top, np.int64)
    sigma[column_ints(sums, "kind")] = column_numbers(sums, "sigma")
    members = engine.fetch(build.select("kind", "a", "times").from_("members"))
    np.add.at(tuples, column_ints(members, "kind"), 1)
    reach = counts.Reach(
        kind,
        column_ints(reached, "v"),
        column_ints(reached, "times"),
        column_numbers(reached, "c"),
        column_numbers(reached, "w"),
    )
    found = counts.bounds(reach, sigma, tuples)
    known = np.stack([found.lower == found.upper, found.single_lower == found.single_upper])
    known[1] |= np.isnan(found.single_lower)
    answers = Answers(found, known, np.zeros(len(found.kind), np.int64), {})
    wide = (found.upper - found.lower > options.tolerance) | (
        found.single_upper - found.single_lower > options.tolerance
    )
    open_kinds = np.unique(found.kind[wide])
    if len(open_kinds):
        _answer_rest(engine, shape, options, answers, open_kinds, members)
    return answers


def _answer_rest(
    engine: Engine, shape: Shape, options: Options, answers: Answers, kinds: Ints, members: pa.Table
) -> None:
    """The kinds that counts leave open, over the cores."""
    clauses = [engine.fetch(build.select("*").from_(f"clauses{k}")) for k in range(len(shape.kept))]
    bundles = Bundles.read(engine.fetch(build.select("* EXCLUDE (n)").from_("bundles")), clauses)
    own: dict[int, list[tuple[int, int]]] = {}
    for row in members.to_pylist():
        own.setdefault(row["kind"], []).append((row["a"], row["times"]))
    left = [int(k) for k in kinds if not _closed_form(answers, int(k), bundles, shape, own[int(k)])]
    wanted: dict[int, int] = {}
    for kind in left:
        for a, times in own[kind]:
            wanted[a] = max(times, wanted.get(a, 0))
    listed = list_tuples(bundles, shape.home, wanted) if left else None
    if listed is None:
        for kind in left:
            answers.method[answers.places(kind)] = 4
        return
    memo: dict[Formula, dict[int, tuple[Probability, Probability | None]]] = {}
    hard = [kind for kind in left if not _exact_count(answers, kind, listed, own[kind], memo)]
    _intervals(answers, hard, listed, own, options.tolerance)


def _closed_form(answers: Answers, kind: int, bundles: Bundles, shape: Shape, own: list[tuple[int, int]]) -> bool:
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
        _note(answers, i, blocks.unrestricted(m, between, times, nodes, value), 0)
        _note(answers, i, blocks.restricted(m, between, times, nodes, value), 1)
        answers.method[i] = 1
    return True


def _exact_count(
    answers: Answers,
    kind: int,
    listed: Listed,
    own: list[tuple[int, int]],
    memo: dict[Formula, dict[int, tuple[Probability, Probability | None]]],
) -> bool:
    """A small component, counted once for all that look alike."""
    found = listed.own(own)
    component = listed.component(found[1]) if found else None
    if component is None:
        return False
    names = list(dict.fromkeys(v for v in component.values if v >= 0))
    alike = Formula(
        component.clauses, component.sizes, tuple(names.index(v) if v >= 0 else -1 for v in component.values)
    )
    if alike not in memo:
        memo[alike] = {v: (unrestricted(alike, v), restricted(alike, v)) for v in range(len(names))}
    for i in answers.places(kind):
        either, single = memo[alike][names.index(int(answers.bounds.value[i]))]
        _note(answers, i, either, 0)
        _note(answers, i, single, 1)
        answers.method[i] = 2
    return True


def _intervals(
    answers: Answers, kinds: list[int], listed: Listed, own: dict[int, list[tuple[int, int]]], tolerance: float
) -> None:
    """The recursion, kept where it is narrower than the counts; kinds shared out over the cores."""
    if not kinds:
        return
    from deniable.worlds.views.decay import Solver

    workers = min(len(kinds), os.cpu_count() or 1)

    def share(worker: int) -> None:
        solver = Solver(listed.graph, tolerance, WORK)
        for kind in kinds[worker::workers]:
            _interval(answers, kind, listed, own[kind], solver)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(share, range(workers)))


def _interval(answers: Answers, kind: int, listed: Listed, own: list[tuple[int, int]], solver: Solver) -> None:
    bounds, places = answers.bounds, answers.places(kind)
    found = listed.own(own)
    if found is None:
        answers.method[places] = 4
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
        answers.exact[0, i] = bounds.lower[i] == bounds.upper[i]
        answers.exact[1, i] = shares is None or bounds.single_lower[i] == bounds.single_upper[i]
        answers.method[i] = 3


def _note(answers: Answers, i: int, answer: Probability | None, adversary: int) -> None:
    lower = answers.bounds.single_lower if adversary else answers.bounds.lower
    upper = answers.bounds.single_upper if adversary else answers.bounds.upper
    lower[i], upper[i] = (np.nan, np.nan) if answer is None else (answer.lower, answer.upper)
    answers.exact[adversary, i] = True
    if answer is not None and answer.exact is not None and len(answers.fractions) < _FRACTIONS:
        answers.fractions[adversary, i] = answer.exact


def probabilities(answers: Answers, place: int) -> tuple[Probability, Probability | None]:
    """Both adversaries' answers at one place."""
    bounds = answers.bounds
    found = []
    for adversary, (lower, upper) in enumerate(
        ((bounds.lower, bounds.upper), (bounds.single_lower, bounds.single_upper))
    ):
        low, high = float(lower[place]), float(upper[place])
        known = answers.fractions.get((adversary, place))
        if known is None and low == high and low in (0.0, 1.0):
            known = Fraction(low)
        missing = low != low  # noqa: PLR0124 - NaN
        found.append(None if missing else Probability(low + (high - low) / 2, low, high, known))
    either, single = found
    if either is None:
        raise ValueError("every association has a world for the unrestricted adversary")
    return either, single


def _table(answers: Answers) -> pa.Table:
    """kind, v, the fields of both adversaries and the method, for the engine to join."""
    bounds = answers.bounds
    table = arrow_table(kind=bounds.kind, v=bounds.value, method=answers.method)
    intervals = ((bounds.lower, bounds.upper), (bounds.single_lower, bounds.single_upper))
    for i, (name, (lower, upper)) in enumerate(zip(ADVERSARIES, intervals, strict=True)):
        missing = np.isnan(lower)
        value = np.where(lower == upper, lower, lower + (upper - lower) / 2)
        for field, data in (("value", value), ("lower", lower), ("upper", upper)):
            table = table.append_column(f"{name}_{field}", arrow_array(data, missing))
        choice = arrow_array(np.where(answers.exact[i], 0, 1).astype(np.int32))
        words = pa.DictionaryArray.from_arrays(choice, pa.array(["exact", "proved"]))
        table = table.append_column(f"{name}_bound", words.cast(pa.string()))
    return table
