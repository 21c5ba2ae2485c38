"""What is to be said of how the cells of a text file were read: looked at when somebody asks, `check` above all."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.bind.files import writing_of
from deniable.engines.scope import Attached, Relation, Scope
from deniable.engines.tables import is_text_file, type_of
from deniable.errors import Reason
from deniable.release import Release
from deniable.sql import reading as queries


def reading_notes(release: Release, scope: Scope, table: Attached) -> tuple[Reason, ...]:
    """Columns that are text though they look like something else, and what `types` makes equal."""
    if scope.has_tables or not is_text_file(release.table):
        return ()
    unsaid = [
        name
        for name, kind in table.columns.items()
        if kind.is_text and name not in (*release.types, *release.id_columns, *release.columns)
    ]
    told = {name: kind for name, kind in release.types.items() if kind != "text" and name in table.columns}
    notes = [
        Reason("tables.read_as_text", column=name, kind=kind, merged=merged)
        for name, kind, merged in _merged(scope, table.relation, _looks_like(scope, table.relation, unsaid))
    ]
    notes += [Reason("tables.decimal_commas", column=name) for name in _with_commas(scope, table.relation, unsaid)]
    if told:
        cells = scope.attach(
            release.table, "as_written", text=None, folder=release.folder, columns=told, title=release.title,
            written=writing_of(release), own=True,
        )  # fmt: skip
        notes += [
            Reason("tables.read_as_told", column=name, kind=kind, merged=merged)
            for name, kind, merged in _merged(scope, cells.relation, told)
            if merged
        ]
    return tuple(notes)


def _looks_like(scope: Scope, source: Relation, columns: Sequence[str]) -> dict[str, str]:
    """Columns of which every cell can be read as something else than text, and as what."""
    found: dict[str, str] = {}
    rows = scope.fetch(queries.readable(source, columns)).to_pylist() if columns else []
    for row in rows:
        fitting = [kind for kind in queries.KINDS if row["cells"] and row[kind] == row["cells"]]
        if fitting:
            found[columns[row["place"]]] = fitting[0]
    return found


def _with_commas(scope: Scope, source: Relation, columns: Sequence[str]) -> list[str]:
    """Columns of numbers with decimal commas."""
    rows = scope.fetch(queries.with_commas(source, columns)).to_pylist() if columns else []
    return [columns[row["place"]] for row in rows if row["commas"]]


def _merged(scope: Scope, source: Relation, kinds: dict[str, str]) -> list[tuple[str, str, int]]:
    """Each column with its kind, and how many of its cells become equal in it."""
    if not kinds:
        return []
    row = scope.fetch(queries.merged(source, {name: type_of(kind) for name, kind in kinds.items()})).to_pylist()[0]
    return [(name, kind, row[f"m{i}"]) for i, (name, kind) in enumerate(kinds.items())]
