"""Commands about a table that is published as groups: linkage, bucketize, utility."""

from __future__ import annotations

import click

from deniable.cli.base import (
    Number,
    check_folder,
    check_out,
    engine_option,
    excel_safe_option,
    json_option,
    main,
    out_option,
    show,
    spec_argument,
    tell,
)
from deniable.effort import MOST_QUERIES, MOST_STATES, QUERIES, STATES
from deniable.report.progress import working


@main.command()
@spec_argument
@out_option
@click.option("--states", type=click.IntRange(1, MOST_STATES), default=STATES, show_default=True,
              help="How large the exact count of one group may get before it is sampled.")  # fmt: skip
@engine_option
@json_option
def linkage(spec: str, out: str | None, states: int, engine: str, as_json: bool) -> None:
    """What do published groups say to someone who knows the statistics?"""
    check_out(out, spec)
    from deniable import api
    from deniable.report.json import linkage_json
    from deniable.report.linkage import linkage_text

    with working("weighing worlds"):
        result = api.linkage(spec, states=states, engine=engine)
    try:
        show(result, out, as_json, linkage_json, linkage_text)
    finally:
        result.close()


@main.command()
@spec_argument
@click.option("--r", "r", type=Number(1), required=True, help="No posterior may exceed 1/R.")
@click.option("--out", "folder", type=click.Path(), required=True, help="The folder of people.csv and values.csv.")
@click.option("--suppress", is_flag=True, help="Withhold people, as few as can be found, where R cannot be had.")
@click.option("--by-lot", is_flag=True, help="Draw all groups by lot: with --suppress, withhold whoever is left over.")
@click.option("--reveal", is_flag=True, help="Name the private value that stands in the way.")
@click.option("--seed", type=click.IntRange(0), default=None, help="For tests only: the same shuffling every time.")
@excel_safe_option
@engine_option
@json_option
def bucketize(
    spec: str, r: float, folder: str, suppress: bool, by_lot: bool, reveal: bool, seed: int | None, excel_safe: bool,
    engine: str, as_json: bool,
) -> None:  # fmt: skip
    """Publish groups that stay safe from someone who knows what knowledge: names: every posterior at most 1/R."""
    check_folder(folder)
    from deniable import api

    with working("grouping"):
        made = api.bucketize(
            spec, folder, r=r, suppress=suppress, by_lot=by_lot, reveal=reveal, seed=seed, excel_safe=excel_safe,
            engine=engine,
        )  # fmt: skip
    from deniable.report.bucketize import bucketize_json, bucketize_text
    from deniable.report.json import document

    if as_json:
        click.echo(document(bucketize_json(made)))
    else:
        tell(bucketize_text(made, folder))


@main.command()
@spec_argument
@click.option("--release", "folder", type=click.Path(), required=True, help="The folder of the published files.")
@click.option(
    "--queries",
    type=click.IntRange(1, MOST_QUERIES),
    default=QUERIES,
    show_default=True,
    help="How many, by selectivity.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which random queries are asked.")
@out_option
@engine_option
@json_option
def utility(
    spec: str, folder: str, queries: int, seed: int, out: str | None, engine: str, as_json: bool
) -> None:  # fmt: skip
    """How well does a published release answer COUNT queries?"""
    check_out(out, spec)
    from deniable import api
    from deniable.report.json import utility_json
    from deniable.report.utility import utility_text

    with working("asking"):
        result = api.utility(spec, folder, queries=queries, seed=seed, engine=engine)
    show(result, out, as_json, utility_json, utility_text)
