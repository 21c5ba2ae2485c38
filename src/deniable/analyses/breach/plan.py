"""Which question do these views pose? Two views make a bipartite graph per join group, more
make a formula, unless one of them holds the identifier and the private column together.

Joining the views gives everybody the values that they may have, the *association cover* of Yao et al.; who shares
view tuples with whom is their *connectivity graph* (docs/theory/two-views.md, "The graph").
Whatever cannot be answered exactly or with a proof is refused here, with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deniable.bind.views import Bound
from deniable.errors import Mistake, Reason, Unsupported
from deniable.sql.parse import View
from deniable.words import underline

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class TwoViews:
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
    """Views of which `open_view` already holds both columns of the association."""

    open_view: View
    other_view: View
    join: tuple[str, ...]
    condition: exp.Expr | None

    @property
    def keeps_duplicates(self) -> bool:
        """Whether the views are published as bags."""
        return not (self.open_view.distinct or self.other_view.distinct)


@dataclass(frozen=True)
class AnyViews:
    """Three or more views that are neither of these; none is contained in another."""

    views: tuple[View, ...]
    condition: exp.Expr | None

    @property
    def join(self) -> tuple[str, ...]:
        """The columns that two views or more have in common."""
        times = Counter(column for view in self.views for column in view.columns)
        return tuple(column for column, count in times.items() if count > 1)


Plan = TwoViews | Revealed | AnyViews


def plan(bound: Bound) -> Plan:
    """Sort the views into roles, or raise Unsupported with the part that stands in the way."""
    _check_published(bound)
    ids, private = set(bound.release.id_columns), bound.release.private
    holders = [view for view in bound.views if ids <= set(view.columns)]
    open_view = next((view for view in holders if private in view.columns), None)
    if open_view is not None:
        return _revealed(open_view, bound.views)
    if not holders:
        raise _refused(bound, Reason("views.identifier_spread"), "views")
    kept = _uncontained(bound.views)
    if len(kept) > 2:
        return AnyViews(kept, bound.views[0].condition)
    return _two_views(kept, ids, private)


def _check_published(bound: Bound) -> None:
    """There are views, with conditions that can be answered, and they publish who and what."""
    release, views = bound.release, bound.views
    if not views:
        raise _refused(bound, Reason("views.not_as_views"))
    _check_conditions(bound)
    published = {column for view in views for column in view.columns}
    missing = [c for c in (*release.id_columns, release.private) if c not in published]
    if missing:
        raise _refused(bound, Reason("views.unpublished", columns=missing), "views")


def _refused(bound: Bound, reason: Reason, *path: str) -> Unsupported:
    return Unsupported(Mistake(bound.release.locations.at(*path), reason))


def _revealed(open_view: View, views: Sequence[View]) -> Revealed:
    others = [view for view in views if view is not open_view]
    other = others[0] if others else open_view
    join = tuple(c for c in open_view.columns if c in other.columns)
    return Revealed(open_view, other, join, views[0].condition)


def _two_views(views: Sequence[View], ids: set[str], private: str) -> TwoViews:
    id_view, value_view = sorted(views, key=lambda view: not ids <= set(view.columns))
    join = tuple(c for c in id_view.columns if c in value_view.columns)
    own = tuple(c for c in id_view.columns if c not in join and c not in ids)
    other = tuple(c for c in value_view.columns if c not in join and c != private)
    return TwoViews(id_view, value_view, join, own, other, views[0].condition)


def _uncontained(views: Sequence[View]) -> tuple[View, ...]:
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
    """All views have one condition, on columns that do not cut the join."""
    first, *others = bound.views
    mistakes = []
    for view in others:
        if view.conjuncts() != first.conjuncts():
            guilty = view if view.condition is not None else first
            mistakes.append(_at_where(bound, guilty, Reason("views.different_conditions", view=guilty.name)))
    if not mistakes:
        some = _published_by_some(bound.views)
        if some:
            mistakes.append(_at_where(bound, first, Reason("views.cutting_condition", view=first.name, columns=some)))
    if not mistakes and first.name in bound.unmet:
        mistakes.append(_at_where(bound, first, Reason("views.nobody_selected", view=first.name)))
    if mistakes:
        raise Unsupported(list(dict.fromkeys(mistakes)))


def _published_by_some(views: Sequence[View]) -> list[str]:
    """Columns of the condition that some views publish and others do not."""
    everywhere = set.intersection(*(set(view.columns) for view in views))
    somewhere = set.union(*(set(view.columns) for view in views))
    return sorted(c for c in views[0].condition_columns() if c in somewhere and c not in everywhere)


def _at_where(bound: Bound, view: View, reason: Reason) -> Mistake:
    start = view.sql.lower().rfind("where")
    where = bound.release.locations.within(("views", view.name), view.sql, start)
    return Mistake(where, reason, underline(view.sql, start, len(view.sql)))
