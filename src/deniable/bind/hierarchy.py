"""A hierarchy meets its file: a row for each finest label, with the coarser ones beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.bind.files import WantedFile, attach, lacks
from deniable.engines.scope import Relation, Scope
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import history as queries

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class Hierarchy:
    """The levels of a column, finest first (t0, t1, …), each different row once: in the engine, and here."""

    relation: Relation
    levels: pa.Table


def bind_hierarchy(release: Release, scope: Scope, file: str, where: str) -> Hierarchy:
    """A file that `columns` or `generalize` names at a place. Raises BadInput unless it is a tree."""
    import pyarrow.compute as pc

    def moved(mistake: Mistake) -> Mistake:
        return Mistake(where, f"{file}: {mistake.what}")

    wanted = WantedFile(file, "hierarchy", folder=release.folder, text=None, every=True)
    found = attach(scope, wanted, lacks(file), moved)
    columns = list(found.columns)
    relation = scope.store("levels", queries.texts(found.relation, columns))
    levels = scope.fetch(queries.everything(relation)).combine_chunks()
    for fine in range(len(columns) - 1):
        pairs = levels.group_by([f"t{fine}", f"t{fine + 1}"]).aggregate([])
        several = len(pairs) - len(pc.unique(pairs.column(0)))
        if several:
            what = f"{file}: expected one {columns[fine + 1]} for every {columns[fine]}; found {several:,} more"
            raise BadInput(Mistake(where, what))
    return Hierarchy(relation, levels)


def generalizing(release: Release, scope: Scope, name: str) -> Hierarchy:
    """The file that `generalize` has for a column. Raises BadInput unless it is a tree."""
    return bind_hierarchy(release, scope, release.generalize[name], release.locations.at("generalize", name))


def not_in_file(name: str, file: str, lost: int) -> str:
    """What is said of cells that have no label. How many, never which."""
    are = "value is" if lost == 1 else "values are"
    return f"expected every {name} in the first column of {file}; {lost:,} {are} not there"
