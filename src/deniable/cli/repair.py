"""What could be published instead: repair."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

import click

from deniable.cli.base import (
    check_page,
    engine_option,
    excel_safe_option,
    html_option,
    json_option,
    limit_option,
    main,
    spec_argument,
    tell,
    tolerance_option,
    write_page,
)
from deniable.errors import BadInput, Mistake
from deniable.report.progress import working

if TYPE_CHECKING:
    from deniable.analyses.repair import Repairs


@main.command()
@spec_argument
@click.option("--out", type=click.Path(readable=False), help="Write the best repair as a release file.")
@click.option("--choose", type=click.IntRange(1), default=1, show_default=True, help="Another one than the best.")
@click.option("--write-views", "folder", type=click.Path(), help="Publish the views of that release into a folder.")
@click.option("--format", "kind", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True,
              help="Of the published views.")  # fmt: skip
@excel_safe_option
@html_option
@tolerance_option
@limit_option
@engine_option
@json_option
def repair(
    spec: str, out: str | None, choose: int, folder: str | None, kind: Literal["csv", "parquet"], excel_safe: bool,
    page: str | None, tolerance: float, limit: int, engine: str, as_json: bool,
) -> None:  # fmt: skip
    """What could be published instead? Changes of the views that pass every check, each tried; exit 1 if none does.

    Columns left out or coarser, DISTINCT, views that are not published, a few people withheld. A release that passes
    needs no change.
    """
    _check_out(out, folder)
    check_page(page, spec, published=folder)
    from deniable import api
    from deniable.report.repair import repairs_json, repairs_text

    with working("trying what could be published instead"):
        result = api.repair(spec, tolerance=tolerance, limit=limit, engine=engine)
    try:
        asked = (out, choose, folder, kind)
        wrote = _written(result, *asked, excel_safe=excel_safe, page=page, engine=engine) if result.repairs else []
    finally:
        result.close()
    if as_json:
        from deniable.report.json import document

        click.echo(document(repairs_json(result)))
    else:
        tell("\n".join([repairs_text(result), *(["", *wrote] if wrote else [])]))
    sys.exit(0 if result.repairs else 1)


def _written(
    result: Repairs, out: str | None, choose: int, folder: str | None, kind: Literal["csv", "parquet"], *,
    excel_safe: bool, page: str | None, engine: str,
) -> list[str]:  # fmt: skip
    """Write what was asked for, all of it or nothing; what was written."""
    from deniable.report.repair import remark

    wrote = []
    with ExitStack() as files:
        if out or folder:
            result.chosen(choose)
        if out:
            listed = files.enter_context(result.saved(out, choose, remark(result, choose)))
            private = f", and {listed} for those who are withheld: keep it private" if listed else ""
            wrote.append(f"wrote {out}{private}")
        if folder:
            with working(f"writing {folder}"):
                names = result.publish(folder, choose, kind=kind, excel_safe=excel_safe)
            wrote.append(f"wrote {folder}: {', '.join(names)}")
        if page:
            _write_page(result, page, engine)
            wrote.append(f"wrote {page}")
    return wrote


def _write_page(result: Repairs, page: str, engine: str) -> None:
    from deniable.analyses.provenance import provenance
    from deniable.report.page.repair import repair_page

    write_page(page, repair_page(result, provenance(result.release, engine, result.verdict.rows)))


def _check_out(out: str | None, folder: str | None) -> None:
    """Places that could not be written to are refused before any work is done."""
    import os
    from pathlib import Path

    from deniable.cli.base import check_folder
    from deniable.private_folders import sweep_folders

    if out is not None:
        path = Path(out)
        sweep_folders(path.parent)  # also where it was killed when the file was written, which is refused now
        if path.suffix not in (".yaml", ".yml"):
            raise BadInput(Mistake("--out", f"expected a path that ends in .yaml; found {path}"))
        if os.path.lexists(path):
            raise BadInput(Mistake("--out", f"expected a file that is not there yet; found {path}"))
        if not path.parent.is_dir():
            raise BadInput(Mistake("--out", f"expected a path in a folder that exists; found {path}"))
        if not os.access(path.parent, os.W_OK):
            raise BadInput(Mistake("--out", f"expected a path in a folder that may be written to; found {path}"))
        if folder is not None and Path(folder).resolve() in path.resolve().parents:
            raise BadInput(Mistake("--out", f"expected a file outside of {folder}, which is published; found {path}"))
    if folder is not None:
        check_folder(folder, "--write-views")
