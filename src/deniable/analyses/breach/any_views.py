"""Any number of views, any shape of join: counts first, then what they leave open.

Worlds are the models of a monotone formula with one variable per join tuple and one clause per view tuple
(docs/theory/many-views.md, "The formula"). View tuples that differ only in columns which no other view has are
interchangeable, so the join is made of bundles, and the number of join tuples behind each view tuple is a GROUP BY
over them: the join itself is never listed. People with the same kinds of ID-side tuples are one kind of person, which
is answered once, in `kinds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from deniable.analyses.breach import candidates, counted_rows, cut_groups, kinds
from deniable.analyses.breach.adversaries import Adversary, worlds_of
from deniable.analyses.breach.cut_groups import Sides
from deniable.analyses.breach.engine_answers import EngineAnswers
from deniable.analyses.breach.kinds import Bundled, KindAnswers, Shape
from deniable.analyses.breach.plan import AnyViews
from deniable.arrow import arrow_array, arrow_table, arrow_words, column_ints, only
from deniable.bind.views import Bound
from deniable.effort import Effort
from deniable.engines.scope import Relation, Scope
from deniable.errors import LimitExceeded, Reason
from deniable.frozen import frozen
from deniable.sql import any_views, associations, build, two_views
from deniable.sql.adversaries import fields_of
from deniable.sql.any_views import Joined


@frozen
class Join:
    """The views joined as bundles, and what is counted of them."""

    rows: Relation
    values: Relation
    sides: tuple[Relation, ...]
    bundled: Bundled


@frozen
class KindsOfPeople:
    """Everybody's kind, and which ID-side tuples a kind has: members(kind, a, times)."""

    people: Relation
    members: Relation


def solve(
    bound: Bound, plan: AnyViews, adversaries: Sequence[Adversary], effort: Effort, *, everything: bool
) -> EngineAnswers:
    """Answer every kind of person, and join the answers to people."""
    scope = bound.scope
    ids = build.numbered("i", len(bound.release.id_columns))
    join = join_bundles(bound, plan, effort.limit)
    shape = join.bundled.shape
    sides = cut_sides(plan, join)
    sorted_people = cut_groups.sort_people(scope, sides, ids) if sides else sort_people(scope, join, ids)
    people = sorted_people.people
    found = kinds.answer(scope, join.bundled, sorted_people.members, effort.tolerance)
    counted_rows.answer(scope, plan, join, sorted_people.members, found)
    if sides and isinstance(sorted_people, cut_groups.People):
        cut_groups.answer(scope, plan, sides, sorted_people, found)
    kind_answers = scope.put("kind_answers", _table(found, adversaries))
    secrets = scope.store("secrets", any_views.secrets(join.rows, join.values, ids, shape.private))
    answers = scope.store("answers", any_views.answers(secrets, people, kind_answers, ids))
    names = tuple(adversary.name for adversary in adversaries)
    if everything:
        listed = any_views.wide_everything(people, kind_answers, ids, fields_of(*names))
    else:
        listed = any_views.wide_secrets(secrets, people, kind_answers, ids, fields_of(*names))
    weight = "everybody" if everything else "s"
    wide = only(scope.fetch(associations.wider_than(answers, names, weight, effort.tolerance)))
    return EngineAnswers(
        scope,
        names,
        ids,
        join.rows,
        join.values,
        ((answers, names),),
        weight=weight,
        listed=listed,
        bundles=join.bundled.bundles,
        left_wide=int(wide),
        repeats=isinstance(sorted_people, cut_groups.People) and sorted_people.repeats,
    )


def join_bundles(bound: Bound, plan: AnyViews, limit: int) -> Join:
    """Count both ends of every view tuple; refuse before a join that is too large is made."""
    scope, release = bound.scope, bound.release
    shape, z = shape_of(plan, release.id_columns, release.private)
    secret = bound.secret.condition if bound.secret else None
    roles = {"i": release.id_columns, "z": tuple(z)}
    rows = scope.view("rows", build.narrowed(bound.source, roles, plan.condition, secret, bound.text_columns))
    values = scope.store("values", two_views.value_numbers(rows, shape.private))
    views = range(len(shape.kept))
    sides = tuple(scope.store("side", any_views.side(rows, k, shape.columns[k], shape.kept[k])) for k in views)
    joined = Joined(shape.kept, shape.order, shape.private, candidates.possible(bound, plan, z) if plan.cut else ())
    query = any_views.bundles(sides, values, joined)
    if only(scope.fetch(any_views.at_most(query, limit))) > limit:
        raise LimitExceeded(Reason("views.join_too_large", limit=limit))
    bundles = scope.store("bundles", query)
    clauses = tuple(scope.store("clauses", any_views.clause_sizes(bundles, k)) for k in views)
    reach = scope.store("reach", any_views.reach(bundles, shape.home))
    others = {k: clauses[k] for k in views if k != shape.home}
    touched = scope.store("touched", any_views.touched(bundles, others, shape.home))
    return Join(rows, values, sides, Bundled(shape, bundles, clauses, reach, touched))


def cut_sides(plan: AnyViews, join: Join) -> Sides | None:
    """Two views whose join is cut, which have adversaries of their own."""
    if len(plan.views) > 2 or not plan.cut:
        return None
    return Sides(join.rows, join.bundled.shape, join.sides, join.bundled.bundles)


def shape_of(plan: AnyViews, ids: Sequence[str], private: str) -> tuple[Shape, dict[str, str]]:
    """Number the columns z0, z1, … and find out what each view shares with the others."""
    names = list(dict.fromkeys(column for view in plan.views for column in view.columns))
    z = {name: f"z{i}" for i, name in enumerate(names)}
    columns = tuple(tuple(z[c] for c in view.columns) for view in plan.views)
    cut, kept = {z[name] for one in plan.cut for name in one.shown}, []
    for k, mine in enumerate(columns):
        others = {c for j, other in enumerate(columns) if j != k for c in other} | cut
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


def sort_people(scope: Scope, join: Join, ids: list[str]) -> KindsOfPeople:
    """Everybody's kind, and which ID-side tuples a kind has."""
    home = join.bundled.shape.home
    columns, kept = join.bundled.shape.columns[home], join.bundled.shape.kept[home]
    types = scope.store("person_types", any_views.person_types(join.rows, join.sides[home], ids, columns, kept, home))
    if not only(scope.fetch(two_views.has_several(join.rows, ids, columns, None))):
        people = scope.view("people", any_views.people_settled(types, ids))
        a = column_ints(scope.fetch(any_views.types(types)), "a")
        return KindsOfPeople(people, scope.put("members", arrow_table(kind=a, a=a, times=np.ones_like(a))))
    listed = scope.store("people_types", any_views.people_types(types, ids))
    numbered = scope.store("kinds", any_views.kinds(listed))
    people = scope.store("people", any_views.people_of_kinds(listed, numbered, ids))
    rows = []
    for row in scope.fetch(associations.everything(numbered)).to_pylist():
        rows += [(row["kind"], a, times) for a, times in Counter(map(int, row["types"].split())).items()]
    kind, a, times = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    return KindsOfPeople(people, scope.put("members", arrow_table(kind=kind, a=a, times=times)))


def _table(answers: KindAnswers, adversaries: Sequence[Adversary]) -> pa.Table:
    """kind, v, the fields of the adversaries and the method, for the engine to join."""
    bounds = answers.bounds
    table = arrow_table(kind=bounds.kind, v=bounds.value, method=answers.method)
    for adversary in adversaries:
        worlds = worlds_of(adversary)
        lower, upper = answers.interval(worlds)
        missing = np.isnan(lower)
        value = np.where(lower == upper, lower, lower + (upper - lower) / 2)
        for field, data in (("value", value), ("lower", lower), ("upper", upper)):
            table = table.append_column(f"{adversary.name}_{field}", arrow_array(data, missing))
        unanswered = missing & ~answers.exact[worlds]  # else it has no world
        words = arrow_words(np.where(answers.exact[worlds], 0, 1), ("exact", "proved"), unanswered)
        table = table.append_column(f"{adversary.name}_bound", words)
    return table
