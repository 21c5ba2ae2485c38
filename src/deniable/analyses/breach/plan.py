"""Which question do these views pose? Two views make a bipartite graph per join group, more
make a formula, unless one of them holds the identifier and the private column together.

Whatever cannot be answered exactly or with a proof is refused here, with its reason.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlglot import exp

from deniable.bind.views import Bound
from deniable.errors import Mistake, Unsupported
from deniable.sql.parse import View
from deniable.words import underline


@dataclass(frozen=True)
class Pair:
    """Two views with the identifier in one and the private column in the other.

    A join group is all view tuples with equal values on `join`; `own` are the further
    columns of the ID side, `other` those of the P side.
    """

    id_view: View
    value_view: View
    join: tuple[str, ...]
    own: tuple[str, ...]
    other: tuple[str, ...]
    condition: exp.Expr | None

    @property
    def keeps_duplicates(self) -> bool:
        """Whether the views are published as bags, so that row counts are known too."""
        return not (self.id_view.distinct or self.value_view.distinct)


@dataclass(frozen=True)
class Revealed:
    """Two views of which `open_view` already holds both columns of the association."""

    open_view: View
    other_view: View
    join: tuple[str, ...]
    condition: exp.Expr | None

    @property
    def keeps_duplicates(self) -> bool:
        """Whether the views are published as bags."""
        return not (self.open_view.distinct or self.other_view.distinct)


@dataclass(frozen=True)
class Many:
    """Three or more views that are neither of these; none is contained in another."""

    views: tuple[View, ...]
    condition: exp.Expr | None

    @property
    def join(self) -> tuple[str, ...]:
        """The columns that two views or more have in common."""
        times = Counter(column for view in self.views for column in view.columns)
        return tuple(column for column, count in times.items() if count > 1)


Plan = Pair | Revealed | Many


def plan(bound: Bound) -> Plan:
    """Sort the views into roles, or raise Unsupported with the part that stands in the way."""
    release, views = bound.release, bound.views
    if not views:
        raise Unsupported(Mistake(release.locations.at(), "the table is published as it is, not as views"))
    _check_conditions(bound)
    ids, private = set(release.id_columns), release.private
    published = {column for view in views for column in view.columns}
    missing = [c for c in (*release.id_columns, private) if c not in published]
    if missing:
        what = f"no view publishes {', '.join(missing)}, so the views alone tie nobody to a value"
        raise Unsupported(Mistake(release.locations.at("views"), what))
    condition = views[0].condition
    holders = [view for view in views if ids <= set(view.columns)]
    open_view = next((view for view in holders if private in view.columns), None)
    if open_view is not None:
        others = [view for view in views if view is not open_view]
        other = others[0] if others else open_view
        join = tuple(c for c in open_view.columns if c in other.columns)
        return Revealed(open_view, other, join, condition)
    if not holders:
        what = "the identifier's columns are spread over the views; expected one view that has them all"
        raise Unsupported(Mistake(release.locations.at("views"), what))
    kept = _uncontained(views)
    if len(kept) > 2:
        return Many(kept, condition)
    id_view, value_view = sorted(kept, key=lambda view: not ids <= set(view.columns))
    join = tuple(c for c in id_view.columns if c in value_view.columns)
    own = tuple(c for c in id_view.columns if c not in join and c not in ids)
    other_columns = tuple(c for c in value_view.columns if c not in join and c != private)
    return Pair(id_view, value_view, join, own, other_columns, condition)


def _uncontained(views: tuple[View, ...]) -> tuple[View, ...]:
    """The views that say something: one whose columns another has too is covered whenever
    that one is, since both come from the same table."""
    kept: list[View] = []
    for i, view in enumerate(views):
        mine = set(view.columns)
        later = any(mine < set(other.columns) for other in views)
        twin = any(mine == set(other.columns) for other in views[:i])
        if not later and not twin:
            kept.append(view)
    return tuple(kept)


def _check_conditions(bound: Bound) -> None:
    first, *others = bound.views
    mistakes = []
    for view in others:
        if view.conjuncts() != first.conjuncts():
            guilty = view if view.condition is not None else first
            what = "expected the same WHERE in all views; found different ones"
            mistakes.append(_at_where(bound, guilty, what))
    if not mistakes:
        everywhere = set(first.columns).intersection(*(view.columns for view in others))
        somewhere = {column for view in bound.views for column in view.columns}
        some = sorted(c for c in first.condition_columns() if c in somewhere and c not in everywhere)
        if some:
            what = (
                "a WHERE may use columns that all views publish or that none does; found "
                f"{', '.join(some)}, published by some (that would cut the join itself)"
            )
            mistakes.append(_at_where(bound, first, what))
    if mistakes:
        raise Unsupported(list(dict.fromkeys(mistakes)))


def _at_where(bound: Bound, view: View, what: str) -> Mistake:
    start = view.sql.lower().rfind("where")
    where = bound.release.locations.within(("views", view.name), view.sql, start)
    return Mistake(where, f"view {view.name}: {what}", underline(view.sql, start, len(view.sql)))
