"""attack: what somebody works out who keeps every release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from deniable.cli.base import (
    Number,
    check_out,
    check_page,
    engine_option,
    html_option,
    json_option,
    main,
    out_option,
    reveal_option,
    seconds_option,
    show,
    spec_argument,
    write_page,
)
from deniable.report.progress import working

if TYPE_CHECKING:
    from deniable.analyses.history.attack import Attack


@main.command()
@spec_argument
@click.option("--known", type=click.Path(readable=False), help="A csv or parquet file of people whose value is known.")
@click.option(
    "--hazard",
    type=click.Path(readable=False),
    help="A csv file of values and how many times as often people with them leave.",
)
@click.option("--adversary", type=click.Choice(["joint", "pairs"]), default="joint", show_default=True,
              help="All releases at once, or two groups at a time.")  # fmt: skip
@click.option("--compromise", type=Number(0, 1), help="The share of people who are known, drawn at random.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which people are drawn.")
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, help="How often they are drawn.")
@seconds_option
@html_option
@reveal_option
@out_option
@engine_option
@json_option
def attack(
    spec: str,
    known: str | None,
    hazard: str | None,
    adversary: Literal["joint", "pairs"],
    compromise: float | None,
    seed: int,
    repeat: int,
    seconds: float,
    page: str | None,
    reveal: bool,
    out: str | None,
    engine: str,
    as_json: bool,
) -> None:
    """What does somebody work out who keeps every release?"""
    check_out(out, spec, known, hazard)
    check_page(page, spec, known, hazard, reveal=reveal)
    from deniable import api
    from deniable.report.attack import attack_json, attack_text

    with working("attacking"):
        result = api.attack(
            spec,
            known=known,
            adversary=adversary,
            compromise=compromise,
            seed=seed,
            repeat=repeat,
            seconds=seconds,
            hazard=hazard,
            engine=engine,
        )
    if page is not None:
        _write_page(result, spec, page, engine, reveal=reveal)
    show(result, out, as_json, attack_json, attack_text)


def _write_page(result: Attack, spec: str, page: str, engine: str, *, reveal: bool) -> None:
    from deniable import api
    from deniable.analyses.provenance import provenance
    from deniable.report.page.attack import attack_page

    write_page(page, attack_page(result, provenance(api.load(spec), engine), reveal=reveal))
