"""Coarser columns meet their table: each of a column of a fitting type, hierarchies read, all put beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from deniable.bind.files import Mistakes
from deniable.bind.hierarchy import Hierarchy, bind_hierarchy, not_in_file
from deniable.engines.dialect import TEXT, ColumnType, Kind
from deniable.engines.scope import Attached, Scope
from deniable.errors import Mistake
from deniable.frozen import frozen
from deniable.release import Coarser, Release
from deniable.sql import coarser as queries
from deniable.sql.build import column
from deniable.sql.coarser import Derived, Lookup
from deniable.words import unknown_column

if TYPE_CHECKING:
    from sqlglot import exp


def name_mistakes(release: Release, names: Sequence[str]) -> Iterable[Mistake]:
    """Coarser columns of no column, or with the name of another."""
    there = {name.lower() for name in names}
    for i, (name, one) in enumerate(release.columns.items()):
        before = {other.lower() for other in list(release.columns)[:i]}
        if name.lower() in there or name.lower() in before:
            what = f"columns: expected names that no column of {release.title} has; found {name}"
            yield Mistake(release.locations.at("columns", name, "<key>"), what)
        if one.of in release.columns:
            what = f"columns.{name}.of: expected a column of {release.title}; found {one.of}, which is a coarser one"
            yield Mistake(release.locations.at("columns", name, "of"), what)
        elif one.of not in names:
            where = release.locations.at("columns", name, "of")
            yield Mistake(where, f"columns.{name}.of: {unknown_column(one.of, names)}")


def bases(names: Iterable[str], columns: Mapping[str, Coarser]) -> set[str]:
    """The columns of the table that these are, or are functions of."""
    return {columns[name].of if name in columns else name for name in names}


@frozen
class WithCoarser:
    """A table with coarser columns beside its own, and what these are of them."""

    table: Attached
    made: tuple[Derived, ...] = ()


def with_coarser(
    release: Release, scope: Scope, table: Attached, wanted: Collection[str], mistakes: Mistakes, row: str = ""
) -> WithCoarser | None:
    """The table with those coarser columns that are wanted, and the column that numbers its rows, if it has one;
    `mistakes` is told of those that do not fit it."""
    found = [name for name in release.columns if name in wanted and release.columns[name].of in table.columns]
    if not found:
        return WithCoarser(table)
    made = derived(release, scope, {name: release.columns[name] for name in found}, table.columns, mistakes)
    if made is None:
        return None
    relation = scope.view(
        "with_coarser", queries.with_coarser(table.relation, [*table.columns, *filter(None, [row])], made)
    )
    mistakes += list(_placeless(release, scope, Attached(relation, table.columns), made))
    kinds = {name: type_of(release.columns[name]) for name in found}
    return WithCoarser(Attached(relation, {**table.columns, **kinds}), tuple(made))


def derived(
    release: Release, scope: Scope, wanted: Mapping[str, Coarser], kinds: Mapping[str, ColumnType], mistakes: Mistakes
) -> list[Derived] | None:
    """Coarser columns as functions of their columns; None if one of them does not fit its column, or its file."""
    before, made = len(mistakes.found), []
    files: dict[str, Hierarchy | None] = {}
    for name, one in wanted.items():
        mistakes += list(_unfit(release, name, one, kinds[one.of]))
        if one.hierarchy is None:
            continue
        if one.hierarchy not in files:
            where = release.locations.at("columns", name, "hierarchy")
            files[one.hierarchy] = mistakes.of(partial(bind_hierarchy, release, scope, one.hierarchy, where))
        levels = files[one.hierarchy]
        if levels is not None and (one.level or 0) >= levels.levels.num_columns:
            what = f"columns.{name}.level: expected at most {levels.levels.num_columns - 1}, the last column of "
            where = release.locations.at("columns", name, "level")
            mistakes += [Mistake(where, f"{what}{one.hierarchy}; found {one.level}")]
    if len(mistakes.found) > before:
        return None
    for name, one in wanted.items():
        levels = files.get(one.hierarchy or "")
        made.append(Derived(name, one.of, _function(one, kinds[one.of], levels)))
    return made


def _function(one: Coarser, kind: ColumnType, levels: Hierarchy | None) -> exp.Expr | Lookup:
    if levels is not None:
        return Lookup(levels.relation, one.level or 0)
    cell = column(one.of, "source")
    if one.width is not None:
        return queries.band(cell, kind, one.width, one.start)
    if one.prefix is not None:
        return queries.prefix(cell, one.prefix)
    if one.part is not None:
        return queries.part(cell, one.part)
    assert one.cap is not None
    return queries.cap(cell, kind, one.cap)


def type_of(one: Coarser) -> ColumnType:
    """What a coarser column holds."""
    return queries.WHOLE if one.part == "year" else TEXT


def _unfit(release: Release, name: str, one: Coarser, kind: ColumnType) -> Iterable[Mistake]:
    """A function of another type's cells."""
    key, expected = "", ""
    if (one.width is not None or one.cap is not None) and not kind.is_number:
        key, expected = "width" if one.cap is None else "cap", "a column of numbers"
    elif one.part is not None and kind.kind not in (Kind.DATE, Kind.TIMESTAMP):
        key, expected = "part", "a column of dates or timestamps"
    elif one.part == "hour" and kind.kind is Kind.DATE:
        key, expected = "part", "a column of timestamps"
    if key:
        hint = f" (types: {{{one.of}: …}} says how it is read)" if kind.is_text else ""
        what = f"columns.{name}.{key}: expected {expected}; found {one.of} ({kind}){hint}"
        yield Mistake(release.locations.at("columns", name, key), what)


def _placeless(release: Release, scope: Scope, table: Attached, made: Sequence[Derived]) -> Iterable[Mistake]:
    """Cells that have no place in a coarser column. Says how many, never which."""
    asked = {one.name: one.of for one in made if may_be_placeless(release.columns[one.name], table.columns[one.of])}
    if not asked:
        return
    counts = scope.fetch(queries.placeless(table.relation, asked)).to_pylist()[0]
    for i, (name, of) in enumerate(asked.items()):
        lost, one = counts[f"n{i}"], release.columns[name]
        if lost and one.hierarchy:
            where = release.locations.at("columns", name, "hierarchy")
            yield Mistake(where, f"columns.{name}: {not_in_file(of, one.hierarchy, lost)}")
        elif lost:
            are = "value that has" if lost == 1 else "values that have"
            what = f"columns.{name}: expected cells of {of} that have a place in it; found {lost:,} {are} none"
            yield Mistake(release.locations.at("columns", name), what)


def may_be_placeless(one: Coarser, kind: ColumnType) -> bool:
    """Whether there are cells of a column that have no place in a coarser one."""
    if one.prefix is not None or one.cap is not None:
        return False
    return one.width is None or not queries.is_whole(kind, one.width, one.start) or kind.kind is Kind.WIDE
