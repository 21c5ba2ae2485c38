"""Commands about a table that is published again and again: choose."""

from __future__ import annotations

import sys

import click

from deniable.cli.base import Number, json_option, main

CHANCE = Number(0, 1)


@main.command()
@click.option("--m", type=click.IntRange(2), required=True, help="How many values a group has at least.")
@click.option("--compromise", type=CHANCE, required=True, help="The share of people whom the adversary knows.")
@click.option("--lifespan", type=click.IntRange(1), required=True, help="In how many releases a person is, at most.")
@click.option("--threshold", type=CHANCE, required=True, help="The chance of exposure that must not be reached.")
@json_option
def choose(m: int, compromise: float, lifespan: int, threshold: float, as_json: bool) -> None:
    """The least degree n of hc-safety that keeps exposure by pairs of releases below a threshold."""
    from deniable import api

    choice = api.choose(m=m, compromise=compromise, lifespan=lifespan, threshold=threshold)
    if as_json:
        from deniable.report.json import document

        click.echo(document({"n": choice.n, "curve": list(choice.curve)}))
    else:
        from deniable.report.history import choice_text

        click.echo(choice_text(choice, threshold))
    sys.exit(0 if choice.n is not None else 1)
