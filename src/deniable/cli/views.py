"""Commands about a table that is published as views: init, audit, breach, crowds, explain, check."""

from __future__ import annotations

import os
import sys
from shlex import quote
from typing import TYPE_CHECKING, Literal

import click

from deniable.cli.base import (
    Number,
    check_out,
    check_page,
    check_report,
    engine_option,
    html_option,
    json_option,
    limit_option,
    main,
    out_option,
    reveal_option,
    seconds_option,
    show,
    spec_argument,
    tell,
    tolerance_option,
)  # fmt: skip
from deniable.effort import LIMIT
from deniable.errors import BadInput, Mistake
from deniable.report.progress import working

if TYPE_CHECKING:
    from deniable.analyses.provenance import Provenance
    from deniable.analyses.verdict import Verdict
    from deniable.release import Release


@main.command()
@click.argument("table", type=click.Path(readable=False))
@click.option("--identifier", metavar="COLUMN,…", help="The columns that name people, or none.")
@click.option("--private", metavar="COLUMN", help="The column that must not be tied to a person.")
@click.option("--quasi", metavar="COLUMN,…", help="What others may know of people. [default: as proposed]")
@click.option("--encoding", help="What a text table is written in, where its bytes do not tell.")
@click.option(
    "--out", type=click.Path(readable=False), help="The release file. [default: the table's name, .yaml, here]"
)
@engine_option
@json_option
def init(
    table: str, identifier: str | None, private: str | None, quasi: str | None, encoding: str | None, out: str | None,
    engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Write a first release file for a table, never over another file, and audit it; exit 1 if that fails.

    Proposes which column is what, with the reason for each. At a terminal it asks, and Enter accepts; elsewhere
    --identifier and --private must be given.
    """
    from deniable.analyses.init import begin, finish
    from deniable.cli.asking import agree, can_ask
    from deniable.report.first_release import first_json, first_text

    with working(f"looking at {table}"):
        proposal = begin(
            table, identifier=identifier, private=private, quasi=quasi, encoding=encoding, out=out, engine=engine
        )
    ask = not as_json and (identifier is None or private is None) and can_ask()
    proposal = agree(proposal) if ask else proposal
    with working("auditing"):
        made = finish(proposal, out, engine)
    if as_json:
        from deniable.report.json import document

        click.echo(document(first_json(made)))
    else:
        tell(first_text(made, proposed=not ask))
    sys.exit(1 if made.verdict.verdict == "fail" else 0)


@main.command()
@spec_argument
@html_option
@reveal_option
@tolerance_option
@limit_option
@click.option("--junit", type=click.Path(readable=False), help="Write JUnit XML, a test case for each check.")
@click.option("--warn-at", type=Number(0, 1), metavar="P",
              help="Warn of a check that passes with a worst of P or more; the exit status stays.")  # fmt: skip
@engine_option
@json_option
def audit(
    spec: str, page: str | None, reveal: bool, tolerance: float, limit: int, junit: str | None, warn_at: float | None,
    engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Decide every check that the release file requires; exit 1 if one fails."""
    check_report("--junit", junit, spec)
    check_page(page, spec, reveal=reveal, as_json=as_json)
    if junit is not None and page is not None and os.path.realpath(junit) == os.path.realpath(page):
        raise BadInput(Mistake("--junit", f"expected another file than that of --html; found {junit}"))
    from deniable import api

    with working("auditing"):
        verdict = api.audit(spec, warn_at=warn_at, tolerance=tolerance, limit=limit, reveal=reveal, engine=engine)
        made_from = _made_from(verdict, engine) if page is not None or as_json else None
    _write_reports(verdict, junit, page, made_from)
    if as_json:
        from deniable.report.audit_document import audit_json
        from deniable.report.json import document

        click.echo(document(audit_json(verdict, made_from)))
    else:
        tell(str(verdict) if page is None else f"{verdict}\n\nwrote {page}")
    sys.exit(1 if verdict.verdict == "fail" else 0)


def _made_from(verdict: Verdict, engine: str) -> Provenance:
    from deniable.analyses.provenance import provenance

    return provenance(verdict.release, engine, verdict.rows)


def _write_reports(verdict: Verdict, junit: str | None, page: str | None, made_from: Provenance | None) -> None:
    """Those that were asked for, all of them or none."""
    from pathlib import Path

    texts, private = {}, []
    if junit is not None:
        from deniable.report.junit import verdict_junit

        texts[Path(junit)] = verdict_junit(verdict)
    if page is not None:
        from deniable.report.page.audit import audit_page
        from deniable.report.page.render import html

        texts[Path(page)] = html(audit_page(verdict, made_from))
        private.append(Path(page))
    if texts:
        from deniable.publish.whole_files import write_files

        write_files(texts, private)


@main.command()
@spec_argument
@out_option
@click.option("--pairs", type=click.Choice(["secret", "all"]), default="secret", show_default=True,
              help="The secret query's answer, or every pair that the views' join allows.")  # fmt: skip
@tolerance_option
@limit_option
@engine_option
@json_option
def breach(spec: str, out: str | None, pairs: str, tolerance: float, limit: int, engine: str, as_json: bool) -> None:
    """How likely is each secret association, given the published views?"""
    check_out(out, spec)
    from deniable import api
    from deniable.report.breach import breach_text
    from deniable.report.json import breach_json

    with working("counting worlds"):
        asked: Literal["all", "secret"] = "all" if pairs == "all" else "secret"
        result = api.breach(spec, pairs=asked, tolerance=tolerance, limit=limit, engine=engine)
    try:
        show(result, out, as_json, breach_json, breach_text)
    finally:
        result.close()


@main.command()
@spec_argument
@out_option
@click.option("--method", type=click.Choice(["conservative", "exact", "restricted"]), default="conservative",
              show_default=True, help="Equal keys; what no table tells apart; or only the values of now.")  # fmt: skip
@click.option("--private", default=None, help="With a table instead of a release file: the private column.")
@click.option("--quasi", multiple=True, metavar="COLUMN,…", help="And its (generalized) quasi-identifiers.")
@seconds_option
@click.option("--limit", type=click.IntRange(1), default=LIMIT, show_default=True,
              help="How many public and private values a condition may ask to be tried together.")  # fmt: skip
@engine_option
@json_option
def crowds(
    spec: str, out: str | None, method: Literal["conservative", "exact", "restricted"], private: str | None,
    quasi: tuple[str, ...], seconds: float, limit: int, engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Who is indistinguishable from whom, given the published views? Also: k and l of a generalized table.

    SPEC is a release file; or a csv, tsv or parquet table with --private and --quasi.
    """
    check_out(out, spec)
    from deniable import api
    from deniable.report.crowds import crowds_text
    from deniable.report.json import crowds_json

    release = load_table(spec, private, quasi) or spec
    with working("comparing people"):
        result = api.crowds(release, method=method, seconds=seconds, limit=limit, engine=engine)
    try:
        show(result, out, as_json, crowds_json, crowds_text)
    finally:
        result.close()


@main.command()
@spec_argument
@click.option("--who", multiple=True, required=True, metavar="ID…", help="The person: one value per identifier column.")
@click.argument("more", nargs=-1)
@tolerance_option
@limit_option
@engine_option
@json_option
def explain(
    spec: str, who: tuple[str, ...], more: tuple[str, ...], tolerance: float, limit: int, engine: str, as_json: bool
) -> None:
    """Show one person: the join group, the worlds, each adversary's probability.

    Of a table that was published again and again: the group in each release, and what all of them make of the person.
    Of published groups: those with people like the person, and each posterior there.

    This command shows private values beside the person, because you ask for them by name.
    """
    from deniable import api

    with working("explaining"):
        shown = api.explain(spec, *who, *more, tolerance=tolerance, limit=limit, engine=engine)
    if as_json:
        from deniable.report.json import document, explanation_json

        click.echo(document(explanation_json(shown)))
    else:
        tell(str(shown))


@main.command()
@spec_argument
@engine_option
@json_option
def check(spec: str, engine: str, as_json: bool) -> None:
    """Say whether the release file is well formed and fits its table and all its files; compute nothing."""
    from deniable import api

    with working("checking"):
        checked = api.check(spec, engine=engine)
    if as_json:
        from deniable.report.json import CHECK, document

        columns = {name: kind.sql for name, kind in checked.columns.items()}
        views = {view.name: list(view.columns) for view in checked.views}
        notes = [str(note) for note in checked.notes]
        click.echo(document({"schema": CHECK, "ok": True, "columns": columns, "views": views, "notes": notes}))
        return
    if not checked.columns:
        tell(f"{spec} fits its files; it has no table")
        return
    types = ", ".join(f"{name} ({kind})" for name, kind in checked.columns.items())
    others = f" and {checked.unused:,} more that it does not use" if checked.unused else ""
    tell("\n".join([f"{spec} fits {checked.release.title}: {types}{others}", *map(str, checked.notes)]))


def load_table(spec: str, private: str | None, quasi: tuple[str, ...]) -> Release | None:
    """A table that is to be published as it is, named instead of a release file."""
    from deniable.engines.tables import is_table_file

    is_table = is_table_file(spec)
    if private is None and not quasi:
        if is_table:
            what = (
                f"expected a release file (deniable init {quote(spec)} writes one), or --private and --quasi beside a "
                "table; found a table alone"
            )
            raise BadInput(Mistake(spec, what))
        return None
    columns = [name.strip() for part in quasi for name in part.split(",")]
    wrong = []
    if not is_table:
        wrong.append(Mistake(spec, "expected a csv, tsv or parquet table beside --private and --quasi"))
    if private is None:
        wrong.append(Mistake("--private", "expected the private column beside --quasi; found none"))
    if not columns:
        wrong.append(Mistake("--quasi", "expected the quasi-identifiers beside --private; found none"))
    if wrong:
        raise BadInput(wrong)
    from deniable.release import Release

    return Release(table=spec, private=private or "", quasi=columns)
