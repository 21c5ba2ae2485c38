"""Commands about a table that is published again and again: choose, republish, ledger."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from deniable.cli.base import (
    Number,
    check_folder,
    check_out,
    check_page,
    check_private,
    engine_option,
    excel_safe_option,
    html_option,
    json_option,
    main,
    out_option,
    seconds_option,
    show,
    spec_argument,
    tell,
    write_page,
)
from deniable.effort import LONGEST, WIDEST
from deniable.report.progress import working

if TYPE_CHECKING:
    from deniable.analyses.history.republish import Republished

CHANCE = Number(0, 1)


class AlgorithmName(click.ParamType):  # type: ignore[type-arg]
    """One of the publishing algorithms; which there are is looked up when it is asked."""

    name = "algorithm"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """All names, as a choice shows them, the newest first."""
        from deniable.publish.again.algorithm import names

        return f"[{'|'.join(reversed(names()))}]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, or what it must be one of."""
        from deniable.publish.again.algorithm import names

        return click.Choice(names()[::-1]).convert(value, param, ctx)


@main.command()
@click.option("--m", type=click.IntRange(2, WIDEST), required=True, help="How many values a group has at least.")
@click.option("--compromise", type=CHANCE, required=True, help="The share of people whom the adversary knows.")
@click.option(
    "--lifespan", type=click.IntRange(1, LONGEST), required=True, help="In how many releases a person is, at most."
)
@click.option("--threshold", type=CHANCE, required=True, help="The chance of exposure that must not be reached.")
@engine_option
@json_option
def choose(m: int, compromise: float, lifespan: int, threshold: float, engine: str, as_json: bool) -> None:
    """The least degree n of hc-safety that keeps exposure by pairs of releases below a threshold."""
    from deniable import api

    choice = api.choose(m=m, compromise=compromise, lifespan=lifespan, threshold=threshold, engine=engine)
    if as_json:
        from deniable.report.history import choice_json
        from deniable.report.json import document

        click.echo(document(choice_json(choice)))
    else:
        from deniable.report.history import choice_text

        tell(choice_text(choice, threshold))
    sys.exit(0 if choice.n is not None else 1)


@main.command()
@spec_argument
@click.option("--out", "folder", type=click.Path(), help="The folder of the release's files.")
@click.option("--begin", is_flag=True, help="This is the first release: begin the ledger.")
@click.option(
    "--unusual",
    multiple=True,
    type=click.Choice(["same-table", "old-table", "identifiers", "gone", "counterfeits", "all"]),
    help="Publish a table that does not look like the next one, or more counterfeits than were asked for.",
)
@click.option("--published", multiple=True, type=click.Path(exists=True, file_okay=False),
              help="A folder of earlier releases, not beside --out: is the ledger older than they are?")  # fmt: skip
@click.option("--algorithm", type=AlgorithmName(), help="In place of the release file's.")
@click.option("--withhold", is_flag=True, help="Keep newcomers who cannot be placed for the next release.")
@click.option("--withheld", type=click.Path(readable=False), help="A private .csv file: who is kept.")
@click.option("--new-episode", is_flag=True, help="Publish people whose cells changed as somebody new.")
@click.option("--changed", type=click.Path(readable=False), help="A private .csv file: who changed, in which columns.")
@click.option("--dry-run", is_flag=True, help="Say what the release would be, and write nothing.")
@click.option("--undo", is_flag=True, help="Take back the last release, if it was never written out.")
@click.option("--audit/--no-audit", default=True, help="Ask first what all releases together would give away.")
@seconds_option
@click.option(
    "--seed", type=click.IntRange(0), help="For tests: what is published under a known seed can be told apart."
)
@excel_safe_option
@html_option
@engine_option
@json_option
def republish(
    spec: str, folder: str | None, begin: bool, unusual: tuple[str, ...], published: tuple[str, ...],
    algorithm: str | None, withhold: bool,
    withheld: str | None, new_episode: bool, changed: str | None, dry_run: bool, audit: bool, seconds: float,
    seed: int | None, excel_safe: bool, page: str | None, engine: str, as_json: bool,
    undo: bool,
) -> None:  # fmt: skip
    """Publish the next release of a table whose people come and go."""
    if undo:
        take_back(spec, engine, as_json)
        return
    if folder is None:
        raise click.MissingParameter(param_type="option", param_hint="'--out'")
    check_folder(folder)
    check_private("--withheld", withheld, folder, spec)
    check_private("--changed", changed, folder, spec)
    check_page(page, spec, published=folder)
    from deniable import api

    with working("publishing"):
        made = api.republish(
            spec, folder, begin=begin, unusual=unusual, published=published, algorithm=algorithm, withhold=withhold,
            new_episode=new_episode, dry_run=dry_run, audit=audit, seconds=seconds, seed=seed, excel_safe=excel_safe,
            engine=engine, warn=_warn,
        )  # fmt: skip
    if withheld is not None:
        made.save_withheld(withheld)
    if changed is not None:
        made.save_changed(changed)
    if page is not None:
        _write_page(made, page, engine, dry_run=dry_run)
    if as_json:
        from deniable.report.history import republished_json
        from deniable.report.json import document

        click.echo(document(republished_json(made, dry_run)))
    else:
        from deniable.report.history import republished_text

        tell(republished_text(made, folder, dry_run))


def _write_page(made: Republished, page: str, engine: str, *, dry_run: bool) -> None:
    """The report, with what earlier runs found of earlier releases, where there is a ledger to tell."""
    from deniable.analyses.history.exposure import recorded
    from deniable.analyses.provenance import provenance
    from deniable.report.page.republish import republish_page

    earlier = recorded(made.release) if made.ledger.exists() else ()
    write_page(page, republish_page(made, provenance(made.release, engine), earlier, dry_run=dry_run))


def _warn(text: str) -> None:
    from deniable.words import visible

    click.echo(visible(text), err=True)


def _show(told: str | dict[str, Any]) -> None:
    """Text, whose lines stay as they are, or a document."""
    from deniable.report.json import document
    from deniable.words import visible

    click.echo(visible(told) if isinstance(told, str) else document(told))


def take_back(spec: str, engine: str, as_json: bool) -> None:
    """republish --undo."""
    from deniable import api
    from deniable.report import history as report

    done = api.undo(spec, engine=engine)
    _show(report.undone_json(done) if as_json else report.undone_text(done))


@main.command()
@spec_argument
@click.option("--verify", is_flag=True, help="Check every invariant of the whole history.")
@out_option
@engine_option
@json_option
def ledger(spec: str, verify: bool, out: str | None, engine: str, as_json: bool) -> None:
    """The private history: who was in which group of which release."""
    check_out(out, spec)
    from deniable import api
    from deniable.report import history as report

    if verify:
        with working("verifying"):
            checked = api.verify(spec, engine=engine)
        _show(report.verified_json(checked) if as_json else report.verified_text(checked))
        sys.exit(1 if checked.mismatches else 0)
    with working("reading"):
        found = api.ledger(spec, engine=engine)
    show(found, out, as_json, report.ledger_json, report.ledger_text)
