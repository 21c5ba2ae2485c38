"""The table that is published again meets its release: attached, its columns in their roles, its hierarchies read.

Everything that is wrong with table, hierarchies and keys is said at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from deniable.arrow import only
from deniable.bind.coarser import bases, name_mistakes, with_coarser
from deniable.bind.degree import degree_mistakes
from deniable.bind.files import Mistakes, at_key, header, insist_table, need, writing_of
from deniable.bind.hierarchy import Hierarchy, generalizing, not_in_file
from deniable.bind.roles import named_columns, published_role_mistakes, unknown_columns
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Attached, Relation, Scope
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.publish.again.extents import headings
from deniable.release import Release
from deniable.sql import history as queries

if TYPE_CHECKING:
    import pyarrow as pa

ROW = "row of the table"  # a column of ours beside the user's


@frozen(eq=False)
class TableRows:
    """The table's cells as text (row, i0…, q0…, x), and what each quasi-identifier is."""

    release: Release
    cells: Relation
    kinds: tuple[str, ...]  # number, date, category or hierarchy
    hierarchies: Mapping[str, Hierarchy]

    def fetch(self, scope: Scope) -> pa.Table:
        """The cells, in the order of the rows."""
        return scope.fetch(queries.ordered(self.cells))


def bind_table(release: Release, scope: Scope, mistakes: Mistakes | None = None) -> TableRows:
    """Attach the table and its hierarchies. Raises BadInput with every mistake, those found before among them."""
    found = mistakes or Mistakes()
    rows = found.of(lambda: _bound(release, scope, found))
    found.insist()
    assert rows is not None
    return rows


def check_republish(release: Release, scope: Scope) -> None:
    """Bind all that `republish` would read, and compute nothing. Raises BadInput with every mistake."""
    mistakes = Mistakes()
    mistakes += list(degree_mistakes(release))
    bind_table(release, scope, mistakes)


def _bound(release: Release, scope: Scope, mistakes: Mistakes) -> TableRows | None:
    need(release, "republish", "identifier", "quasi", "private")
    table = mistakes.of(lambda: _attach(release, scope))
    columns = None if table is None else header(release, scope)
    before = len(mistakes.found)
    mistakes += [] if columns is None else [*unknown_columns(release, columns), *name_mistakes(release, columns)]
    mistakes += list(published_role_mistakes(release, columns))
    has_roles = len(mistakes.found) == before
    if table is not None and has_roles:
        further = with_coarser(release, scope, table, release.quasi, mistakes, ROW)
        table = further.table if further else None
    labelled = [name for name in dict.fromkeys(release.quasi) if name in release.generalize]
    found = {name: mistakes.of(partial(generalizing, release, scope, name)) for name in labelled}
    hierarchies = {name: one for name, one in found.items() if one is not None}
    if table is None or not has_roles:
        return None
    kinds = tuple("hierarchy" if q in release.generalize else kind_of(table.columns[q]) for q in release.quasi)
    query = queries.cells(table.relation, ROW, release.id_columns, release.quasi, release.private)
    rows = TableRows(release, scope.store("cells", query), kinds, hierarchies)
    mistakes += _nameless(rows, scope)
    mistakes += _doubled(rows, scope)
    mistakes += _headings(release, kinds)
    mistakes += _without_labels(rows, scope)
    return rows if len(hierarchies) == len(labelled) else None


def _attach(release: Release, scope: Scope) -> Attached:
    insist_table(release)
    text = (*release.id_columns, release.private, *release.generalize)  # labels are text: 007 is not 7
    try:
        return scope.attach(
            release.table, "table_file", text=text, types=release.types, folder=release.folder,
            columns=bases(named_columns(release), release.columns), row=ROW, title=release.title,
            written=writing_of(release), own=True,
        )  # fmt: skip
    except BadInput as error:
        raise type(error)([at_key(release, mistake) for mistake in error.mistakes]) from None


def kind_of(column: ColumnType) -> str:
    """Numbers and dates become intervals; everything else is a category."""
    if column.is_number:
        return "number"
    return "date" if column.is_date else "category"


def _headings(release: Release, kinds: Sequence[str]) -> list[Mistake]:
    """The published columns must differ by name."""
    names = ["group", *(name for q, kind in zip(release.quasi, kinds, strict=True) for name in headings(q, kind))]
    twice = [name for i, name in enumerate([*names, release.private]) if name in names[:i]]
    if not twice:
        return []
    key = "private" if twice == [release.private] else "quasi"
    what = f"{key}: expected other names than {', '.join(twice)}, which a release has for itself; rename the column"
    return [Mistake(release.locations.at(key), what)]


def _nameless(rows: TableRows, scope: Scope) -> list[Mistake]:
    """Nobody has an empty identifier: in the history that is a counterfeit."""
    release = rows.release
    count = only(scope.fetch(queries.nameless(rows.cells, len(release.id_columns))))
    if not count:
        return []
    are = "row has" if count == 1 else "rows have"
    columns = " and ".join(release.id_columns)
    what = f"{release.title}: expected an identifier for everybody; {count:,} {are} nothing in {columns}"
    return [Mistake(release.locations.at("table"), what)]


def _doubled(rows: TableRows, scope: Scope) -> list[Mistake]:
    """Everybody is in the table once: a person has one value, and one place in a release."""
    release = rows.release
    doubled = only(scope.fetch(queries.doubled(rows.cells, len(release.id_columns))))
    if not doubled:
        return []
    are = "identifier that is" if doubled == 1 else "identifiers that are"
    what = f"{release.title}: expected every identifier once; found {doubled:,} {are} there more than once"
    return [Mistake(release.locations.at("table"), what)]


def _without_labels(rows: TableRows, scope: Scope) -> list[Mistake]:
    """Every cell has its label in the finest level of its hierarchy."""
    release, mistakes = rows.release, []
    for k, name in enumerate(release.quasi):
        if name not in rows.hierarchies:
            continue
        lost = only(scope.fetch(queries.without_labels(rows.cells, f"q{k}", rows.hierarchies[name].relation)))
        if lost:
            what = f"generalize.{name}: {not_in_file(name, release.generalize[name], lost)}"
            mistakes.append(Mistake(release.locations.at("generalize", name), what))
    return mistakes
