"""Which question do these views pose? Two views make a bipartite graph per join group,
unless one of them holds the identifier and the private column together.

Whatever cannot be answered exactly or with a proof is refused here, with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from deniable.errors import Mistake, Unsupported
from deniable.fit import Fitted
from deniable.places import underline
from deniable.sql.parse import View


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


def plan(fitted: Fitted) -> Pair | Revealed:
    """Sort the views into roles, or raise Unsupported with the part that stands in the way."""
    release, views = fitted.release, fitted.views
    if len(views) != 2:
        what = f"breach works on two views; found {len(views)}"
        raise Unsupported(Mistake(release.places.at("views"), what))
    _check_conditions(fitted)
    ids, private = set(release.id_columns), release.private
    published = {column for view in views for column in view.columns}
    missing = [c for c in (*release.id_columns, private) if c not in published]
    if missing:
        what = f"no view publishes {', '.join(missing)}, so the views alone tie nobody to a value"
        raise Unsupported(Mistake(release.places.at("views"), what))
    holders = [view for view in views if ids <= set(view.columns)]
    condition = views[0].condition
    first, second = views
    join = tuple(c for c in first.columns if c in second.columns)
    for view in holders:
        if private in view.columns:
            return Revealed(view, second if view is first else first, join, condition)
    if not holders:
        what = "the identifier's columns are spread over both views; expected one view that has them all"
        raise Unsupported(Mistake(release.places.at("views"), what))
    id_view = holders[0]
    value_view = second if id_view is first else first
    own = tuple(c for c in id_view.columns if c not in join and c not in ids)
    other = tuple(c for c in value_view.columns if c not in join and c != private)
    return Pair(id_view, value_view, join, own, other, condition)


def _check_conditions(fitted: Fitted) -> None:
    first, second = fitted.views
    mistakes = []
    if first.conjuncts() != second.conjuncts():
        guilty = second if second.condition is not None else first
        what = "expected the same WHERE in both views; found different ones"
        mistakes.append(_at_where(fitted, guilty, what))
    else:
        both = set(first.columns) & set(second.columns)
        either = set(first.columns) | set(second.columns)
        one_sided = sorted(c for c in first.condition_columns() if c in either and c not in both)
        if one_sided:
            what = (
                "a WHERE may use columns that both views publish or that neither does; found "
                f"{', '.join(one_sided)}, published by one (that would cut the join itself)"
            )
            mistakes.append(_at_where(fitted, first, what))
    if mistakes:
        raise Unsupported(mistakes)


def _at_where(fitted: Fitted, view: View, what: str) -> Mistake:
    start = view.sql.lower().rfind("where")
    where = fitted.release.places.within(("views", view.name), view.sql, start)
    return Mistake(where, f"view {view.name}: {what}", underline(view.sql, start, len(view.sql)))
