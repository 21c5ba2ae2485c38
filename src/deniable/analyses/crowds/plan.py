"""Which views say something of the private column.

A view that mentions the private column nowhere says nothing and is dropped. The others give each person a key
(`sql.keys`): whether the view selects them, or with which private values it would, and the public columns that it
then shows.
"""

from __future__ import annotations

from dataclasses import dataclass

from deniable.bind.views import Bound
from deniable.engines.dialect import ColumnType, Kind
from deniable.engines.scope import Relation
from deniable.release import Release
from deniable.sql.keys import Keys, TellingView, telling_view
from deniable.sql.parse import View


@dataclass(frozen=True)
class CrowdPlan:
    """The views that matter and everybody's keys."""

    release: Release
    source: Relation
    kind: ColumnType  # of the private column
    public: tuple[str, ...]
    keys: Keys
    unknown: tuple[str, ...]  # columns that views use although they are not public: taken as known
    silent: tuple[str, ...]  # views that say nothing of the private column

    @property
    def views(self) -> tuple[TellingView, ...]:
        """The views that say something of the private column."""
        return self.keys.views

    @property
    def is_single(self) -> bool:
        """Whether one view shows everybody with their value: then a class's values are what it has."""
        return len(self.views) == 1 and self.views[0].condition is None


def plan(bound: Bound) -> CrowdPlan:
    """Sort out the views; without any, the table itself is what is published."""
    release, private = bound.release, bound.release.private
    public = tuple(release.public) or tuple(name for name in bound.columns if name != private)
    statements = bound.views or (_whole(release, public),)
    whole = {
        name for name, kind in bound.columns.items() if kind.kind is Kind.INTEGER and name not in bound.text_columns
    }
    telling = [view for view in statements if view.mentions(private)]
    views = tuple(telling_view(number, view, private, whole) for number, view in enumerate(telling))
    used = {column for view in views for column in (*view.shown, *view.asked)}
    return CrowdPlan(
        release,
        bound.source,
        bound.columns[private],
        public,
        Keys(views, private, bound.text_columns),
        unknown=tuple(sorted(used - set(public))),
        silent=tuple(view.name for view in statements if view not in telling),
    )


def _whole(release: Release, public: tuple[str, ...]) -> View:
    """A generalized table, published as it is: a view of its quasi-identifiers and the private column."""
    columns = tuple(release.quasi) or tuple(release.public) or tuple(c for c in public if c not in release.id_columns)
    return View(release.name, (*columns, release.private), False, None, "")
