"""The dials of a release: which columns have ladders, what each rung keeps, and the counts that tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from deniable.analyses.breach.plan import TwoViews, plan
from deniable.analyses.repair.counts import Cube, TwoViewCounts
from deniable.analyses.repair.ladders import Levels, Shape, further, ladder, name_of
from deniable.analyses.repair.space import ColumnDial, Dial, DistinctDial, DropDial, Rung, Space, split
from deniable.analyses.repair.trials import Table
from deniable.arrow import only
from deniable.bind.views import Bound
from deniable.errors import BadInput
from deniable.release import Coarser, Release
from deniable.sql import build, two_views
from deniable.sql import repair as queries
from deniable.sql.parse import View
from deniable.sql.writing import statement


def dialled(release: Release, table: Table) -> tuple[Space, TwoViewCounts | None]:
    """What may be changed of a release, and counts where its two views have them."""
    bound = table.bind(release)
    release, splits = split(release, bound.views)
    bound = table.bind(release) if splits else bound
    two = _once_in_two_views(bound)
    chosen = [(view, name) for view in bound.views for name in view.columns if _may_change(bound, two, view, name)]
    named = _named(bound, table, list(dict.fromkeys(name for _, name in chosen)))
    cube = _cube(bound, table, named)
    dials: list[Dial] = [
        ColumnDial(view.name, name, _rungs(name, named[name], cube.entropies(table.scope, name)))
        for view, name in chosen
    ]
    space = Space(release, bound.views, (*dials, *_distinct(bound), *_dropped(bound)), splits)
    limit = table.asked.breach
    if two is None or limit is None:
        return space, None
    return space, TwoViewCounts(table.scope, space.dials, cube, two.join, limit)


def _once_in_two_views(bound: Bound) -> TwoViews | None:
    """The plan of two views in which every identifier has one row: then what the identifier's view has beside it
    joins people to groups, and no more."""
    try:
        made = plan(bound)
    except BadInput:
        return None
    if not isinstance(made, TwoViews) or len(bound.views) != 2 or bound.release.columns:
        return None
    roles = {"i": bound.release.id_columns}
    rows = bound.scope.view("rows", build.narrowed(bound.source, roles, made.condition, None, bound.text_columns))
    ids = build.numbered("i", len(bound.release.id_columns))
    return None if only(bound.scope.fetch(two_views.repeats(rows, ids, None))) else made


def _may_change(bound: Bound, two: TwoViews | None, view: View, name: str) -> bool:
    """Neither who nor what; and not where it would not help."""
    if name in (*bound.release.id_columns, bound.release.private):
        return False
    return two is None or view.name != two.id_view.name


Named = Sequence[tuple[str, Coarser]]  # the coarser forms of a column, with their names


def _named(bound: Bound, table: Table, columns: Sequence[str]) -> dict[str, Named]:
    """Coarser forms of each column, finest first."""
    release = bound.release
    shapes = _shapes(bound, [name for name in columns if name not in release.columns])
    taken = [*table.attached.columns, *release.columns]
    found: dict[str, Named] = {}
    for name in columns:
        own = release.columns.get(name)
        made = further(own) if own is not None else ladder(name, shapes[name], _levels(release, table, name))
        found[name] = [(name_of(one, taken), one) for one in made]
        taken += [label for label, _ in found[name]]
    return found


def _shapes(bound: Bound, columns: Sequence[str]) -> dict[str, Shape]:
    if not columns:
        return {}
    kinds = [(name, bound.columns[name]) for name in columns]
    row = bound.scope.fetch(queries.shapes(bound.source, kinds)).to_pylist()[0]
    return {
        name: Shape(
            kind,
            row[f"d{i}"],
            _number(row.get(f"low{i}")),
            _number(row.get(f"high{i}")),
            row.get(f"shortest{i}") or 0,
            row.get(f"longest{i}") or 0,
            bool(row.get(f"codes{i}")),
        )
        for i, (name, kind) in enumerate(kinds)
    }


def _number(text: str | None) -> Decimal | None:
    found = None if text is None else Decimal(text)
    return found if found is None or found.is_finite() else None


def _levels(release: Release, table: Table, name: str) -> Levels | None:
    """The hierarchy that the release has for a column."""
    own = [one.hierarchy for one in release.columns.values() if one.of == name and one.hierarchy]
    files = [*own, *([release.generalize[name]] if name in release.generalize else [])]
    if not files:
        return None
    return Levels(files[0], len(table.scope.header(files[0], folder=release.folder)) - 1)


def _cube(bound: Bound, table: Table, named: Mapping[str, Named]) -> Cube:
    """Counts of the columns and of all their coarser forms."""
    release, scope = bound.release, table.scope
    names = [label for name, made in named.items() for label in (name, *(label for label, _ in made))]
    if not names:
        return Cube(bound.source, 1, {})
    condition = bound.views[0].condition
    everything = statement([*names, release.private], release.name, condition, distinct=False)
    columns = {**release.columns, **{label: one for made in named.values() for label, one in made}}
    wide = table.bind(replace(release, views={"everything": everything}, columns=columns))
    secret = bound.secret.condition if bound.secret else None
    query = queries.cube(wide.source, names, release.private, condition, secret, bound.text_columns)
    cube = scope.store("cube", query)
    place = {label: f"c{i}" for i, label in enumerate(names)}
    keys = {name: (place[name], *(place[label] for label, _ in made)) for name, made in named.items()}
    return Cube(cube, int(only(scope.fetch(two_views.count_rows(cube)))), keys)


def _rungs(name: str, made: Named, entropies: Sequence[float]) -> tuple[Rung, ...]:
    """As it is, coarser and coarser, not at all; what says no less than the rung before is no rung of its own."""
    full = entropies[0]
    coarser = [
        Rung(label, one, round(entropy / full, 9) if full > 0 else 1.0)
        for (label, one), entropy in zip(made, entropies[1:], strict=True)
    ]
    return (Rung(name), *coarser, Rung(None, None, 0.0))


def _distinct(bound: Bound) -> list[Dial]:
    """DISTINCT in all views that are without."""
    counting = [view for view in bound.views if not view.distinct]
    if not counting:
        return []
    kept = {}
    for view in counting:
        query = queries.different(bound.source, view.columns, view.condition, bound.text_columns)
        row = bound.scope.fetch(query).to_pylist()[0]
        kept[view.name] = row["tuples"] / max(row["rows"] or 0, 1)
    return [DistinctDial(tuple(view.name for view in counting), kept)]


def _dropped(bound: Bound) -> list[Dial]:
    """Views without which who and what are still published, where there are more than two."""
    wanted = {*bound.release.id_columns, bound.release.private}
    if len(bound.views) <= 2:
        return []
    found: list[Dial] = []
    for view in bound.views:
        others = {name for other in bound.views if other is not view for name in other.columns}
        if wanted <= others:
            found.append(DropDial(view.name))
    return found
