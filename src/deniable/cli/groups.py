"""Commands about a table that is published as groups: linkage, bucketize, utility."""

from __future__ import annotations

import click

from deniable.cli.base import check_out, engine_option, json_option, main, out_option, spec_argument
from deniable.report.progress import working


@main.command()
@spec_argument
@out_option
@click.option("--states", type=click.IntRange(1), default=1 << 20, show_default=True,
              help="How large the exact count of one group may get before it is sampled.")  # fmt: skip
@engine_option
@json_option
def linkage(spec: str, out: str | None, states: int, engine: str, as_json: bool) -> None:
    """What do published groups say to someone who knows the statistics?"""
    path = check_out(out)
    from deniable import api

    with working("weighing worlds (the first time, compiling)"):
        result = api.linkage(spec, states=states, engine=engine)
    try:
        if path is not None:
            with working(f"writing {out}"):
                result.save(path)
        if as_json:
            from deniable.report.json import document, linkage_json

            click.echo(document(linkage_json(result)))
        elif path is None:
            from deniable.report.linkage import linkage_text

            click.echo(linkage_text(result))
        else:
            click.echo(f"wrote {out}")
    finally:
        result.close()


@main.command()
@spec_argument
@click.option("--release", "folder", type=click.Path(), required=True, help="The folder of the published files.")
@click.option("--queries", type=click.IntRange(1), default=1000, show_default=True, help="How many, by selectivity.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which random queries are asked.")
@out_option
@engine_option
@json_option
def utility(
    spec: str, folder: str, queries: int, seed: int, out: str | None, engine: str, as_json: bool
) -> None:  # fmt: skip
    """How well does a published release answer COUNT queries?"""
    path = check_out(out)
    from deniable import api

    with working("asking"):
        result = api.utility(spec, folder, queries=queries, seed=seed, engine=engine)
    if path is not None:
        result.save(path)
    if as_json:
        from deniable.report.json import document, utility_json

        click.echo(document(utility_json(result)))
    elif path is None:
        from deniable.report.utility import utility_text

        click.echo(utility_text(result))
    else:
        click.echo(f"wrote {out}")
