"""The command line: options defined once, one function a command, errors turned into exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import click

from deniable import __version__
from deniable.errors import BadInput, DeniableError, Mistake
from deniable.report.progress import working

if TYPE_CHECKING:
    from pathlib import Path

    from deniable.release import Release

spec_argument = click.argument("spec", type=click.Path(readable=False))
engine_option = click.option("--engine", default="duckdb", show_default=True, help="Where the table lives.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
out_option = click.option("--out", type=click.Path(readable=False), help="Write the table: .csv or .parquet.")
tolerance_option = click.option(
    "--tolerance", type=click.FloatRange(0, 1), default=1e-6, show_default=True,
    help="Three views or more: how narrow an interval is made.",
)  # fmt: skip
limit_option = click.option(
    "--limit", type=click.IntRange(1), default=50_000_000, show_default=True,
    help="Three views or more: how many combinations of shared columns the join may have.",
)  # fmt: skip
seconds_option = click.option(
    "--seconds", type=click.FloatRange(0), default=60.0, show_default=True, help="How long a solver may take."
)


class Commands(click.Group):
    """The commands, in the order in which a newcomer meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """As they are written below, not by alphabet."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Click would end with 1 where we are stopped, and 1 is a requirement that failed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python would complain when it flushes
            raise click.exceptions.Exit(3) from None
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            raise click.exceptions.Exit(3) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="deniable %(version)s")
def main() -> None:
    """What could an adversary work out from what you are about to publish?

    Start with `deniable demo`, then write a release.yaml and run `deniable audit release.yaml`.
    """


@main.command()
@spec_argument
@tolerance_option
@limit_option
@engine_option
@json_option
def audit(spec: str, tolerance: float, limit: int, engine: str, as_json: bool) -> None:
    """Decide every check that the release file requires; exit 1 if one fails."""
    from deniable import api

    with working("auditing"):
        verdict = api.audit(load(spec, engine), tolerance=tolerance, limit=limit, engine=engine)
    if as_json:
        from deniable.report.json import document, verdict_json

        click.echo(document(verdict_json(verdict)))
    else:
        click.echo(str(verdict))
    sys.exit(1 if verdict.verdict == "fail" else 0)


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
    path = check_out(out)
    from deniable import api
    from deniable.analyses.explain import headline

    with working("counting worlds"):
        asked: Literal["all", "secret"] = "all" if pairs == "all" else "secret"
        result = api.breach(load(spec, engine), pairs=asked, tolerance=tolerance, limit=limit, engine=engine)
    try:
        if path is not None:
            with working(f"writing {out}"):
                result.save(path)
        if as_json:
            from deniable.report.json import breach_json, document

            click.echo(document(breach_json(result)))
        elif path is None:
            from deniable.report.text import breach_text

            release = result.release
            title = f"{release.name}: {result.people:,} people, {headline(result.relations.fitted, result.plan.join)}"
            click.echo(breach_text(result, title))
        else:
            click.echo(f"wrote {out}")
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
@click.option("--limit", type=click.IntRange(1), default=50_000_000, show_default=True,
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
    path = check_out(out)
    from deniable import api

    release = load_table(spec, private, quasi) or load(spec, engine)
    with working("comparing people"):
        result = api.crowds(release, method=method, seconds=seconds, limit=limit, engine=engine)
    try:
        if path is not None:
            with working(f"writing {out}"):
                result.save(path)
        if as_json:
            from deniable.report.json import crowds_json, document

            click.echo(document(crowds_json(result)))
        elif path is None:
            from deniable.report.crowds import crowds_text

            click.echo(crowds_text(result))
        else:
            click.echo(f"wrote {out}")
    finally:
        result.close()


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

    This command shows private values beside the person, because you ask for them by name.
    """
    from deniable import api

    shown = api.explain(load(spec, engine), *who, *more, tolerance=tolerance, limit=limit, engine=engine)
    if as_json:
        from deniable.report.json import document, explanation_json

        click.echo(document(explanation_json(shown)))
    else:
        click.echo(str(shown))


@main.command()
@spec_argument
@engine_option
@json_option
def check(spec: str, engine: str, as_json: bool) -> None:
    """Say whether the release file is well formed and fits its table; compute nothing."""
    from deniable import api

    fitted = api.check(load(spec, engine), engine=engine)
    if as_json:
        from deniable.report.json import document

        views = {view.name: list(view.columns) for view in fitted.views}
        click.echo(document({"ok": True, "columns": fitted.columns, "views": views}))
        return
    types = ", ".join(f"{name} ({kind.lower()})" for name, kind in fitted.columns.items())
    click.echo(f"{spec} fits {fitted.release.title}: {types}")


@main.command()
@click.option("--to", "folder", type=click.Path(file_okay=False), help="Write the example files there instead.")
@json_option
def demo(folder: str | None, as_json: bool) -> None:
    """Run the main job on the built-in hospital table; or write its files with --to."""
    from deniable.examples import demo_text, demo_verdict, write_examples

    if folder is not None:
        from pathlib import Path

        click.echo(f"wrote {write_examples(Path(folder))}")
    elif as_json:
        from deniable.report.json import document, verdict_json

        click.echo(document(verdict_json(demo_verdict())))
    else:
        click.echo(demo_text())


def load(spec: str, engine: str) -> Release:
    """The release in a file, or every mistake that the file and its table show."""
    from deniable.fit import read

    return read(spec, engine)


def load_table(spec: str, private: str | None, quasi: tuple[str, ...]) -> Release | None:
    """A table that is to be published as it is, named instead of a release file."""
    is_table = spec.endswith((".csv", ".tsv", ".parquet"))
    if private is None and not quasi:
        if is_table:
            what = "expected a release file, or --private and --quasi beside a table; found a table alone"
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


def check_out(out: str | None) -> Path | None:
    """The output path; one that could not be written is refused, before any work is done."""
    if out is None:
        return None
    from pathlib import Path

    path = Path(out)
    if path.suffix not in (".csv", ".parquet"):
        raise BadInput(Mistake("--out", f"expected a path that ends in .csv or .parquet; found {path}"))
    if path.is_dir():
        raise BadInput(Mistake("--out", f"expected a file; found the directory {path}"))
    if not path.parent.is_dir():
        raise BadInput(Mistake("--out", f"expected a path in a folder that exists; found {path}"))
    if not os.access(path.parent, os.W_OK):
        raise BadInput(Mistake("--out", f"expected a path in a folder that may be written to; found {path}"))
    return path


def run(arguments: list[str] | None = None, call: Callable[..., Any] = main) -> None:
    """The program: exit status 0, 1, 2 or 3, and one clear line instead of a traceback."""
    try:
        call(args=arguments, prog_name="deniable", standalone_mode=True)
    except DeniableError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_status)
    except MemoryError:
        click.echo("out of memory", err=True)
        sys.exit(3)
    except OSError as error:
        click.echo(f"{error.filename or 'the machine'}: {error.strerror or 'failed'}", err=True)
        sys.exit(3)


if __name__ == "__main__":
    run()
