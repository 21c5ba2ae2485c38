"""Any number of views whose rows are counted.

Computed: where every view keeps duplicates, every row of the identifier's view is there once and the views make a join
tree, a world gives each of those rows the columns of one view after the other, and every way to hand out the rows of a
view among those that agree with them is one world. So the chance of a value is a product of shares, summed over the
views on the way from the identifier to the value (docs/theory/many-views.md, "Rows that are counted"). Whatever else is
not answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from deniable.analyses.breach.adversaries import ROWS
from deniable.analyses.breach.plan import AnyViews
from deniable.arrow import column_ints, column_numbers, only
from deniable.engines.scope import Relation, Scope
from deniable.sql import associations, counted_rows

if TYPE_CHECKING:
    from deniable.analyses.breach.any_views import Join
    from deniable.analyses.breach.kinds import KindAnswers, Shape

_ULP = 2.0**-52


def answer(scope: Scope, plan: AnyViews, join: Join, members: Relation, answers: KindAnswers) -> None:
    """Put in what is known; a person with several rows has at least the likeliest of them, at most all of them."""
    shape = join.bundled.shape
    way = path(shape)
    if plan.cut or plan.others_kept or not all(plan.kept) or way is None:
        return
    home = join.sides[shape.home]
    if only(scope.fetch(counted_rows.repeats(join.rows, home, shape.home))):
        return
    steps = [(tuple(c for c in shape.columns[a] if c in shape.columns[b])) for a, b in pairwise(way)]
    chances = scope.store(
        "chances", counted_rows.chances(join.rows, join.values, home, shape.home, steps, shape.private)
    )
    found = scope.fetch(counted_rows.of_kinds(chances, members))
    codes = int(answers.bounds.value.max()) + 1
    at = np.searchsorted(
        answers.bounds.kind * np.int64(codes) + answers.bounds.value,
        column_ints(found, "kind") * codes + column_ints(found, "v"),
    )
    terms = int(only(scope.fetch(associations.most(chances, "terms"))))
    least, most = column_numbers(found, "least"), column_numbers(found, "most")
    # One division of counts is as exact as a number can be; whatever is a sum, or is held against one, is rounded.
    rounded = (least < most) | (len(steps) > 1)
    error = np.where(rounded, _ULP * (terms + 8 * len(steps) + column_ints(found, "many")), 0.0)
    lower, upper = answers.interval(ROWS)
    lower[at], upper[at] = least * (1 - error), np.minimum(1, most * (1 + error))
    answers.exact[ROWS, at] = lower[at] == upper[at]
    _, first, count = np.unique(answers.bounds.kind, return_index=True, return_counts=True)
    alone = first[count == 1]  # only one value is possible
    lower[alone] = upper[alone] = 1.0
    answers.exact[ROWS, alone] = True


def path(shape: Shape) -> list[int] | None:
    """The views from the identifier's to the nearest with the private column, if all views make a join tree."""
    columns = [set(view) for view in shape.columns]
    tree = _join_tree(columns)
    if tree is None:
        return None
    ways = [[shape.home]]
    for way in ways:
        if shape.private in columns[way[-1]]:
            return way
        ways += [[*way, k] for k in tree[way[-1]] if k not in way]
    return None


def _join_tree(columns: Sequence[set[str]]) -> dict[int, list[int]] | None:
    """The spanning tree whose neighbours share most; a join tree if there is one, which the sum of what they share
    tells (Bernstein and Goodman 1981)."""
    tree: dict[int, list[int]] = {k: [] for k in range(len(columns))}
    inside, shared = {0}, 0
    while len(inside) < len(columns):
        pairs = [(j, k) for j in sorted(inside) for k in range(len(columns)) if k not in inside]
        j, k = max(pairs, key=lambda pair: len(columns[pair[0]] & columns[pair[1]]))
        tree[j].append(k)
        tree[k].append(j)
        inside.add(k)
        shared += len(columns[j] & columns[k])
    everything = len(set().union(*columns))
    return tree if shared == sum(map(len, columns)) - everything else None
