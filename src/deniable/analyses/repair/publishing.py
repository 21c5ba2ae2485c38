"""A repair put into files: a release file that says it, and the views themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deniable.bind.outputs import insist_apart
from deniable.bind.views import bind
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.publish.new_files import new_files
from deniable.publish.private_files import people_text
from deniable.publish.staging import staged
from deniable.release import Release
from deniable.spec.rewritten import coarser_keys, relocated, rewritten
from deniable.sql import repair as queries

if TYPE_CHECKING:
    from deniable.analyses.repair.analysis import Repair

Format = Literal["csv", "parquet"]


@contextmanager
def saved_release(release: Release, repair: Repair, path: Path, remark: Sequence[str]) -> Iterator[Path | None]:
    """Write a repair as a release file beside which the list of withheld people stands, if there is one, whose path is
    given; both go again if what is done with them fails. Raises BadInput where a file is there already."""
    file = release.locations.file
    if not file:
        raise BadInput(Mistake("--out", Reason("repair.no_file")))
    moved = Path(file).parent, path.parent
    listed = None if repair.withheld is None else path.with_name(f"{path.stem}-withheld.csv")
    for new in (path, *([listed] if listed else [])):
        if os.path.lexists(new):
            raise BadInput(Mistake("--out", Reason("repair.file_there", path=new)))
    if listed is not None and release.withhold is not None:
        raise BadInput(Mistake("--out", Reason("repair.withheld_before")))
    kept = None if release.withhold is None else relocated(release.withhold, moved)
    changes = {
        "views": dict(repair.release.views),
        "columns": coarser_keys(repair.release.columns, moved),
        "withhold": listed.name if listed else kept,
    }
    text = rewritten(Path(file).read_text(encoding="utf-8-sig"), changes, remark, moved)
    people = {listed: _listed_people(release, repair)} if listed else {}
    with ExitStack() as written:
        try:
            written.enter_context(new_files({**people, path: text}, private=people))
        except FileExistsError:  # by now
            raise BadInput(Mistake("--out", Reason("repair.file_there", path=path))) from None
        yield listed


def _listed_people(release: Release, repair: Repair) -> str:
    """Those whom a repair withholds, as the file has them that the release file names."""
    assert repair.withheld is not None
    columns = (column.to_pylist() for column in repair.withheld.columns)
    return people_text(release.id_columns, list(zip(*columns, strict=True)))


def publish_views(
    scope: Scope, release: Release, repair: Repair, folder: Path, kind: Format, *, excel_safe: bool
) -> list[str]:
    """Write the views of a repair of a release into a folder, all or none; the names of the files."""
    bound = bind(repair.release, scope, try_conditions=False, table=repair.attached)
    names = {view.name: f"{view.name}.{kind}" for view in bound.views}
    odd = [name for name in names if "/" in name or name.startswith(".") or "\0" in name]
    if odd:
        raise BadInput(Mistake("--write-views", Reason("repair.odd_name", view=odd[0])))
    insist_apart(release, {"--write-views": [folder / name for name in names.values()]})
    with staged(folder, list(names.values())) as place:
        for view in bound.views:
            texts = [name for name in view.columns if excel_safe and bound.columns[name].is_text]
            query = queries.published(bound.source, view, bound.text_columns, excel_safe=texts)
            scope.save(query, place / names[view.name])
    return list(names.values())
