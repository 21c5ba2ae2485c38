"""Which views say something of the private column.

A view that mentions neither the private column nor a function of it says nothing and is dropped. The others give each
person a key (`sql.keys`): whether the view selects them, or with which private values it would, and the public columns
that it then shows.
"""

from __future__ import annotations

from deniable.bind.functions import base_of, told_by
from deniable.bind.views import Bound, private_functions, with_private
from deniable.engines.dialect import ColumnType, Kind
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql.keys import Keys, TellingView, telling_view
from deniable.sql.parse import View


@frozen
class CrowdPlan:
    """The views that matter and everybody's keys."""

    release: Release
    source: Relation
    kind: ColumnType  # of the private column
    public: tuple[str, ...]
    keys: Keys
    unknown: tuple[str, ...]  # columns that views use although they are not public: taken as known
    silent: tuple[str, ...]  # views that say nothing of the private column
    known: Relation | None = None  # the private column beside its functions, where views mention some

    def blurs(self, view: TellingView) -> bool:
        """Whether a view shows functions of the private column and not itself."""
        return view.projects and self.keys.private not in view.told

    @property
    def views(self) -> tuple[TellingView, ...]:
        """The views that say something of the private column."""
        return self.keys.views

    @property
    def is_single(self) -> bool:
        """Whether one view shows everybody with their value: then a class's values are what it has."""
        return len(self.views) == 1 and self.views[0].condition is None


def mentioned(bound: Bound) -> Bound:
    """The release with the private column as views mention it: itself, or the finest of its functions."""
    return with_private(bound, (name for view in bound.views for name in (*view.columns, *view.condition_columns())))


def plan(bound: Bound) -> CrowdPlan:
    """Sort out the views; without any, the table itself is what is published."""
    release, private, columns = bound.release, bound.release.private, bound.release.columns
    base = base_of(private, columns)
    public = tuple(release.public) or tuple(name for name in bound.columns if name != base and name not in columns)
    statements = bound.views or (_whole(release, public),)
    whole = {
        name for name, kind in bound.columns.items() if kind.kind is Kind.INTEGER and name not in bound.text_columns
    }
    own = {name for name in bound.columns if base_of(name, columns) == base}
    telling = [view for view in statements if any(view.mentions(name) for name in own)]
    functions = sorted({name for name in own - {private} for view in telling if view.mentions(name)})
    views = tuple(telling_view(number, view, private, whole, functions) for number, view in enumerate(telling))
    used = {column for view in views for column in (*view.shown, *view.asked)}
    return CrowdPlan(
        release,
        bound.source,
        bound.columns[private],
        public,
        Keys(views, private, bound.text_columns, tuple(functions)),
        unknown=tuple(sorted(used - set(told_by(public, columns, used)))),
        silent=tuple(view.name for view in statements if view not in telling),
        known=private_functions(bound, functions) if functions else None,
    )


def _whole(release: Release, public: tuple[str, ...]) -> View:
    """A generalized table, published as it is: a view of its quasi-identifiers and the private column."""
    columns = tuple(release.quasi) or tuple(release.public) or tuple(c for c in public if c not in release.id_columns)
    return View(release.name, (*columns, release.private), False, None, "")
