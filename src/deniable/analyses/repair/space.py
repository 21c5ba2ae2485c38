"""What may be changed of a release: a dial for every column of a view, for DISTINCT, and for views that may go.

A point (`search.Point`) sets every dial; here it becomes a release again, the steps that lead to it, and the share of
the release that it keeps. That share is over the *things* that are published: every column of every view, and for each
view without DISTINCT how often its rows are there. A coarser column keeps the share of its entropy, DISTINCT the share
of rows that differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from deniable.analyses.repair.search import Point
from deniable.frozen import frozen
from deniable.release import Coarser, Release
from deniable.sql.parse import View
from deniable.sql.writing import statement


@frozen
class Rung:
    """A way to publish a column: under which name (None: not at all), what it is, and what it keeps."""

    name: str | None
    coarser: Coarser | None = None
    kept: float = 1.0


@frozen
class ColumnDial:
    """A column of a view along its ladder: as it is first, left out last."""

    view: str
    column: str
    rungs: tuple[Rung, ...]

    @property
    def top(self) -> int:
        """The last setting."""
        return len(self.rungs) - 1


@frozen
class DistinctDial:
    """SELECT DISTINCT in these views; `kept`: how many of each view's rows differ, as a share."""

    views: tuple[str, ...]
    kept: Mapping[str, float] = field(hash=False)
    top: int = 1


@frozen
class DropDial:
    """A view, published or not."""

    view: str
    top: int = 1


Dial = ColumnDial | DistinctDial | DropDial


@frozen
class Split:
    """A view that showed who has what, and the two that take its place."""

    view: str
    people: str
    values: str


@frozen
class CoarserStep:
    """Publish a column coarser in a view."""

    view: str
    column: str
    name: str
    coarser: Coarser


@frozen
class LeaveOutStep:
    """Leave a column out of a view."""

    view: str
    column: str


@frozen
class DistinctStep:
    """SELECT DISTINCT in some views."""

    views: tuple[str, ...]


@frozen
class DropStep:
    """Do not publish a view."""

    view: str


@frozen
class WithholdStep:
    """Publish nothing of some people."""

    people: int


Step = Split | CoarserStep | LeaveOutStep | DistinctStep | DropStep | WithholdStep


@frozen
class Space:
    """A release, its views as they were read, and the dials."""

    release: Release
    views: tuple[View, ...]
    dials: tuple[Dial, ...]
    splits: tuple[Split, ...] = ()

    @property
    def tops(self) -> tuple[int, ...]:
        """The last setting of every dial."""
        return tuple(dial.top for dial in self.dials)

    def kept(self, point: Point) -> float:
        """The share of what is published that a point keeps; rounded, since sums of floats differ from run to run."""
        dropped, distinct = self._dropped(point), self._distinct(point)
        kept, things = 0.0, 0
        rungs = self._rungs(point)
        split = {view for one in self.splits for view in (one.people, one.values)}
        for view in self.views:
            stays = view.name not in dropped
            for column in view.columns:
                things += 1
                kept += rungs.get((view.name, column), _AS_IT_IS).kept if stays else 0
            if not view.distinct:
                things += 1
                counts = distinct.get(view.name, 1.0) * (view.name not in split)
                kept += counts if stays else 0
        return round(kept / things, 9)

    def made(self, point: Point) -> Release:
        """The release that a point describes."""
        rungs, dropped, distinct = self._rungs(point), self._dropped(point), self._distinct(point)
        views = {view.name: self._statement(view, rungs, distinct) for view in self.views if view.name not in dropped}
        used = {rung.name: rung.coarser for rung in rungs.values() if rung.coarser is not None and rung.name}
        columns = {**self.release.columns, **used}
        return replace(self.release, views={name: sql for name, sql in views.items() if sql}, columns=columns)

    def steps(self, point: Point) -> tuple[Step, ...]:
        """What is to be done, in the order of the views."""
        dropped = self._dropped(point)
        found: list[Step] = [*self.splits, *(DropStep(view) for view in dropped)]
        for (view, column), rung in self._rungs(point).items():
            if view in dropped:
                continue
            if rung.name is None:
                found.append(LeaveOutStep(view, column))
            elif rung.coarser is not None:
                found.append(CoarserStep(view, column, rung.name, rung.coarser))
        distinct = tuple(name for name in self._distinct(point) if name not in dropped)
        return (*found, *([DistinctStep(distinct)] if distinct else []))

    def _rungs(self, point: Point) -> dict[tuple[str, str], Rung]:
        """How each column with a dial is published, where that is changed."""
        return {
            (dial.view, dial.column): dial.rungs[setting]
            for dial, setting in zip(self.dials, point, strict=True)
            if isinstance(dial, ColumnDial) and setting
        }

    def _dropped(self, point: Point) -> list[str]:
        chosen = zip(self.dials, point, strict=True)
        return [dial.view for dial, setting in chosen if isinstance(dial, DropDial) and setting]

    def _distinct(self, point: Point) -> dict[str, float]:
        chosen = zip(self.dials, point, strict=True)
        on = [dial for dial, setting in chosen if isinstance(dial, DistinctDial) and setting]
        return {name: dial.kept[name] for dial in on for name in dial.views}

    def _statement(
        self, view: View, rungs: Mapping[tuple[str, str], Rung], distinct: Mapping[str, float]
    ) -> str | None:
        """The view's SELECT; the user's own words where nothing changes, None where nothing is left."""
        changed = any(name == view.name for name, _ in rungs) or view.name in distinct
        if not changed:
            return view.sql
        names = [rungs.get((view.name, column), Rung(column)).name for column in view.columns]
        columns = list(dict.fromkeys(name for name in names if name is not None))
        is_distinct = view.distinct or view.name in distinct
        return statement(columns, self.release.name, view.condition, distinct=is_distinct) if columns else None


_AS_IT_IS = Rung("")


def revealing(release: Release, views: Sequence[View]) -> list[View]:
    """Views that show the identifier beside the private column."""
    hidden = {*release.id_columns, release.private}
    return [view for view in views if hidden <= set(view.columns)]


def split(release: Release, views: Sequence[View]) -> tuple[Release, tuple[Split, ...]]:
    """The release with every view that shows who has what split into people and values."""
    made: dict[str, str] = {}
    splits: list[Split] = []
    open_ones = {view.name for view in revealing(release, views)}
    taken = {view.name for view in views}
    for view in views:
        if view.name not in open_ones:
            made[view.name] = view.sql
            continue
        people, values = (_unused(f"{view.name}_{word}", taken) for word in ("people", "values"))
        without = [column for column in view.columns if column != release.private]
        nameless = [column for column in view.columns if column not in release.id_columns]
        made[people] = statement(without, release.name, view.condition, distinct=view.distinct)
        made[values] = statement(nameless, release.name, view.condition, distinct=view.distinct)
        splits.append(Split(view.name, people, values))
    return replace(release, views=made), tuple(splits)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
