"""Which question do these views pose? Two views make a bipartite graph per join group, more
make a formula, unless one of them holds the identifier and the private column together.

Joining the views gives everybody the values that they may have, the *association cover* of Yao et al.; who shares
view tuples with whom is their *connectivity graph* (docs/theory/two-views.md, "The graph").
A view that shows a column tells its functions too, so views are closed under those that others show before they are
joined. That changes no world: each column that is added follows from one that is there, in every table. Where a column
is shown in bands that no single view has all of, the join has combinations that no value has, and those are cut off
(docs/theory/coarser-columns.md).
Whatever cannot be answered exactly or with a proof is refused here, with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deniable.bind.functions import base_of, told_by
from deniable.bind.views import Bound, with_private
from deniable.errors import Mistake, Reason, Unsupported
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql.adversaries import Kept
from deniable.sql.parse import View, columns_of
from deniable.words import underline

if TYPE_CHECKING:
    from sqlglot import exp


@frozen
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
    kept: Kept


@frozen
class Revealed:
    """Views of which `open_view` already holds both columns of the association."""

    open_view: View
    other_view: View
    join: tuple[str, ...]
    condition: exp.Expr | None
    kept: Kept


@frozen
class CutColumn:
    """A column of the table, and the functions of it that are shown, of which no view has all."""

    name: str
    shown: tuple[str, ...]


@frozen
class AnyViews:
    """Three or more views that are neither of these, or views that are cut; none is contained in another."""

    views: tuple[View, ...]
    condition: exp.Expr | None
    kept: tuple[bool, ...]  # which of them are published with duplicates
    others_kept: bool  # whether further views are, whose columns these have
    cut: tuple[CutColumn, ...] = ()

    @property
    def join(self) -> tuple[str, ...]:
        """The columns that two views or more have in common."""
        times = Counter(column for view in self.views for column in view.columns)
        return tuple(column for column, count in times.items() if count > 1)


Plan = TwoViews | Revealed | AnyViews


def published(bound: Bound) -> Bound:
    """The release with the private column as it is published, if it is: itself, or the finest of its functions."""
    return with_private(bound, (column for view in bound.views for column in view.columns))


def plan(bound: Bound) -> Plan:
    """Sort the views into roles, or raise Unsupported with the part that stands in the way."""
    views = _closed(bound)
    _check_published(bound, views)
    ids, private = set(bound.release.id_columns), bound.release.private
    holders = [view for view in views if ids <= set(view.columns)]
    open_view = next((view for view in holders if private in view.columns), None)
    kept, cut = _uncontained(views), _cut(bound.release, views)
    if open_view is not None and not cut:
        return _revealed(open_view, views)
    if not holders:
        raise _refused(bound, Reason("views.identifier_spread"), "views")
    if len(kept) > 2 or cut:
        duplicates = tuple(_keeps(views, view) for view in kept)
        return AnyViews(kept, views[0].condition, duplicates, _others_keep(views, kept), cut)
    return _two_views(views, kept, ids, private)


def _closed(bound: Bound) -> tuple[View, ...]:
    """The views with all that they tell of the columns that others show."""
    shown = list(dict.fromkeys(column for view in bound.views for column in view.columns))
    columns = bound.release.columns
    return tuple(replace(view, columns=told_by(view.columns, columns, shown)) for view in bound.views)


def _families(release: Release, views: Sequence[View]) -> dict[str, tuple[str, ...]]:
    """Of each column of the table, those that are shown: itself, and its functions."""
    found: dict[str, dict[str, None]] = {}
    for view in views:
        for name in view.columns:
            found.setdefault(base_of(name, release.columns), {})[name] = None
    return {base: tuple(names) for base, names in found.items()}


def _cut(release: Release, views: Sequence[View]) -> tuple[CutColumn, ...]:
    """Columns whose functions no view has all of: their combinations may be what no value has."""
    families = _families(release, views).items()
    whole = {base for base, names in families if any(set(names) <= set(view.columns) for view in views)}
    return tuple(CutColumn(base, names) for base, names in families if base not in whole)


def _check_published(bound: Bound, views: Sequence[View]) -> None:
    """There are views, with conditions that can be answered, and they publish who and what."""
    release = bound.release
    if not views:
        raise _refused(bound, Reason("views.not_as_views"))
    _check_conditions(bound, views)
    shown = {column for view in views for column in view.columns}
    missing = [c for c in (*release.id_columns, release.private) if c not in shown]
    if missing:
        raise _refused(bound, Reason("views.unpublished", columns=missing), "views")


def _refused(bound: Bound, reason: Reason, *path: str) -> Unsupported:
    return Unsupported(Mistake(bound.release.locations.at(*path), reason))


def _revealed(open_view: View, views: Sequence[View]) -> Revealed:
    others = [view for view in views if view is not open_view]
    other = others[0] if others else open_view
    join = tuple(c for c in open_view.columns if c in other.columns)
    kept = Kept(not open_view.distinct, not other.distinct, any(not view.distinct for view in views))
    return Revealed(open_view, other, join, views[0].condition, kept)


def _two_views(views: Sequence[View], two: Sequence[View], ids: set[str], private: str) -> TwoViews:
    id_view, value_view = sorted(two, key=lambda view: not ids <= set(view.columns))
    join = tuple(c for c in id_view.columns if c in value_view.columns)
    own = tuple(c for c in id_view.columns if c not in join and c not in ids)
    other = tuple(c for c in value_view.columns if c not in join and c != private)
    kept = Kept(_keeps(views, id_view), _keeps(views, value_view), _others_keep(views, two))
    return TwoViews(id_view, value_view, join, own, other, views[0].condition, kept)


def _keeps(views: Sequence[View], view: View) -> bool:
    """Whether the view is published with duplicates, under this name or another."""
    return any(set(other.columns) == set(view.columns) and not other.distinct for other in views)


def _others_keep(views: Sequence[View], kept: Sequence[View]) -> bool:
    """Whether a view tells counts that none of the kept views tells: one inside a view that says DISTINCT."""
    telling = [set(view.columns) for view in kept if _keeps(views, view)]
    return any(not view.distinct and not any(set(view.columns) <= columns for columns in telling) for view in views)


def _uncontained(views: Sequence[View]) -> tuple[View, ...]:
    """The views that say something of which rows there are: one whose columns another has too is covered whenever
    that one is, since both come from the same table. How often rows are there is another matter: `_others_keep`."""
    kept: list[View] = []
    for i, view in enumerate(views):
        mine = set(view.columns)
        later = any(mine < set(other.columns) for other in views)
        twin = any(mine == set(other.columns) for other in views[:i])
        if not later and not twin:
            kept.append(view)
    return tuple(kept)


def _check_conditions(bound: Bound, views: Sequence[View]) -> None:
    """All views have one condition, on columns that do not cut the join."""
    first, *others = bound.views
    mistakes = []
    for view in others:
        if view.conjuncts() != first.conjuncts():
            guilty = view if view.condition is not None else first
            mistakes.append(_at_where(bound, guilty, Reason("views.different_conditions", view=guilty.name)))
    if not mistakes:
        some = sorted({name for part in first.parts() for name in _cutting(bound.release, views, part)})
        if some:
            mistakes.append(_at_where(bound, first, Reason("views.cutting_condition", view=first.name, columns=some)))
    if not mistakes and first.name in bound.unmet:
        mistakes.append(_at_where(bound, first, Reason("views.nobody_selected", view=first.name)))
    if mistakes:
        raise Unsupported(list(dict.fromkeys(mistakes)))


def _cutting(release: Release, views: Sequence[View], part: exp.Expr) -> Iterator[str]:
    """Columns of a part of the condition that some views show, or show more of, than others.

    One that is about a single column does no harm where several functions of that column are shown: whoever joins the
    views knows that one value has them all and meets it.
    """
    families, mentioned = _families(release, views), columns_of(part)
    bases = {base_of(name, release.columns) for name in mentioned}
    for base in bases:
        family = set(families.get(base, ()))
        if len(bases) == 1 < len(family):
            continue
        asked = family & mentioned if len(bases) == 1 else family
        if any(asked & set(view.columns) != asked & set(views[0].columns) for view in views):
            yield from asked & mentioned or {base}


def _at_where(bound: Bound, view: View, reason: Reason) -> Mistake:
    start = view.sql.lower().rfind("where")
    where = bound.release.locations.within(("views", view.name), view.sql, start)
    return Mistake(where, reason, underline(view.shown, start, len(view.sql)))
