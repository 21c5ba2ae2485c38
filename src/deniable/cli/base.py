"""What every command shares: the group, the options, and what is done with them before any work."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import click

from deniable import __version__
from deniable.cli.stopping import Stopped
from deniable.effort import ENGINE, LIMIT, SECONDS, TOLERANCE
from deniable.errors import BadInput, Mistake
from deniable.report.progress import working

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from deniable.report.page.model import Page


class Number(click.FloatRange):
    """A number in a range. NaN is in none, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or what is wrong with it."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not a number.", param, ctx)
        return found


spec_argument = click.argument("spec", type=click.Path(readable=False))
engine_option = click.option("--engine", default=ENGINE, show_default=True, help="Where the table lives.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
out_option = click.option("--out", type=click.Path(readable=False), help="Write the table: .csv or .parquet.")
tolerance_option = click.option(
    "--tolerance", type=Number(0, 1), default=TOLERANCE, show_default=True,
    help="Three views or more: how narrow an interval is made.",
)  # fmt: skip
limit_option = click.option(
    "--limit", type=click.IntRange(1), default=LIMIT, show_default=True,
    help="Three views or more: how many combinations of shared columns the join may have.",
)  # fmt: skip
seconds_option = click.option(
    "--seconds", type=Number(0), default=SECONDS, show_default=True, help="How long a solver may take."
)

html_option = click.option(
    "--html", "page", type=click.Path(readable=False), help="Write a report: one page that opens anywhere, offline."
)
reveal_option = click.option("--reveal", is_flag=True, help="In the report, show names and values of the worst groups.")
excel_safe_option = click.option(
    "--excel-safe", is_flag=True, help="Put ' before cells that a spreadsheet would compute (=, +, -, @)."
)

ORDER = (
    "init", "audit", "repair", "breach", "crowds", "linkage", "bucketize", "utility", "republish", "attack", "ledger",
    "choose", "explain", "check", "demo",
)  # fmt: skip


class Command(click.Command):
    """A command whose words are text: bytes that are no characters name nobody, and no file that engines can open."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Raises BadInput for other bytes, options in place of values, nothing in place of a path."""
        typed = {parameter: ctx.params.get(parameter.name or "") for parameter in self.params}
        wrong = [Mistake(_known_as(parameter), BYTES) for parameter, value in typed.items() if not _is_text(value)]
        wrong += [
            Mistake(_known_as(parameter), "expected a path; found empty text")
            for parameter, value in typed.items()
            if isinstance(parameter.type, click.Path) and "" in _words(value)
        ]
        options = {option for parameter in self.get_params(ctx) for option in parameter.opts if option[0] == "-"}
        wrong += [
            Mistake(parameter.opts[0], f"expected a value; found the option {word}")
            for parameter, value in typed.items()
            for word in _words(value)
            if word in options and isinstance(parameter, click.Option)
        ]
        if wrong:
            raise BadInput(wrong)
        return super().invoke(ctx)


BYTES = "expected UTF-8 text; found other bytes"


def _known_as(parameter: click.Parameter) -> str:
    """What users call it."""
    return parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name


def _is_text(value: Any) -> bool:
    from deniable.words import is_unicode

    return all(map(is_unicode, _words(value)))


def _words(value: Any) -> list[str]:
    """What was typed for a parameter, as far as it is text."""
    return [word for word in (value if isinstance(value, (tuple, list)) else (value,)) if isinstance(word, str)]


class Commands(click.Group):
    """The commands, in the order in which a newcomer meets them."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """As `ORDER` has them, not by alphabet."""
        return [name for name in ORDER if name in self.commands]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Click would end with 1 where we are stopped, and 1 is a requirement that failed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python would complain when it flushes
            raise click.exceptions.Exit(3) from None
        except KeyboardInterrupt:
            raise Stopped from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="deniable %(version)s")
def main() -> None:
    """What could an adversary work out from what you are about to publish?

    Start with `deniable demo`; then `deniable init TABLE` writes a first release file of your own, and audits it.
    """


def check_out(out: str | None, spec: str, *read: str | None) -> None:
    """An output path that could not be written, or is read, is refused, before any work is done."""
    if out is None:
        return
    from pathlib import Path

    from deniable.private_folders import sweep_folders

    path = Path(out)
    if path.suffix not in (".csv", ".parquet"):
        raise BadInput(Mistake("--out", f"expected a path that ends in .csv or .parquet; found {path}"))
    if path.is_dir():
        raise BadInput(Mistake("--out", f"expected a file; found the directory {path}"))
    if not path.parent.is_dir():
        raise BadInput(Mistake("--out", f"expected a path in a folder that exists; found {path}"))
    if not os.access(path.parent, os.W_OK):
        raise BadInput(Mistake("--out", f"expected a path in a folder that may be written to; found {path}"))
    _check_apart(spec, {"--out": [path]}, *read)
    sweep_folders(path.parent)  # a run that was killed may have left more than this one has room for


def check_report(option: str, file: str | None, spec: str, *read: str | None) -> None:
    """A report's path that could not be written, or is read, is refused, before any work is done."""
    if file is None:
        return
    from pathlib import Path

    path = Path(file)
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise BadInput(Mistake(option, f"expected a file; found something else under the name {path}"))
    if not path.name or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        what = f"expected a path in a folder that exists and may be written to; found {path}"
        raise BadInput(Mistake(option, what))
    _check_apart(spec, {option: [path]}, *read)


def _check_apart(spec: str, targets: dict[str, list[Path]], *read: str | None) -> None:
    from deniable.api import load
    from deniable.bind.outputs import insist_apart

    try:
        release = load(spec)
    except BadInput:  # said later, with all other mistakes; or SPEC is a table
        release = None
    insist_apart(release, targets, spec, *read)


def check_private(option: str, file: str | None, folder: str, spec: str) -> None:
    """A list of people that only its owner shall read: a .csv file, and not among what is published."""
    if file is None:
        return
    from pathlib import Path

    path = Path(file)
    if path.suffix != ".csv" or path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        what = f"expected a .csv file in a folder that exists and may be written to; found {path}"
        raise BadInput(Mistake(option, what))
    if Path(folder).resolve() in path.resolve().parents:
        raise BadInput(Mistake(option, f"expected a file outside of {folder}, which is published; found {path}"))
    _check_apart(spec, {option: [path]})


def check_page(
    page: str | None, spec: str, *read: str | None, published: str | None = None, reveal: bool = False,
    as_json: bool = False,
) -> None:  # fmt: skip
    """A report that could not be written, or would lie among what is published, is refused before any work is done."""
    if page is None:
        if reveal and not as_json:
            raise BadInput(Mistake("--reveal", "expected --html or --json beside it; found neither"))
        return
    from pathlib import Path

    path = Path(page)
    if path.suffix not in (".html", ".htm"):
        raise BadInput(Mistake("--html", f"expected a path that ends in .html; found {path}"))
    if published is not None and Path(published).resolve() in path.resolve().parents:
        raise BadInput(Mistake("--html", f"expected a file outside of {published}, which is published; found {path}"))
    check_report("--html", page, spec, *read)


def write_page(page: str, made: Page) -> None:
    """Write a report, which its owner alone may read."""
    from pathlib import Path

    from deniable.publish.whole_files import write_files
    from deniable.report.page.render import html

    write_files({Path(page): html(made)}, [Path(page)])


def check_folder(out: str, option: str = "--out") -> None:
    """The output folder, which may be new; one that could not be written to is refused, before any work is done."""
    from pathlib import Path

    path = Path(out)
    if path.exists() and not path.is_dir():
        raise BadInput(Mistake(option, f"expected a folder; found the file {path}"))
    if path.is_symlink() and not path.exists():
        raise BadInput(Mistake(option, f"expected a folder; found the link {path}, which leads nowhere"))
    above = path if path.exists() else path.parent
    if not above.is_dir():
        raise BadInput(Mistake(option, f"expected a folder in one that exists; found {path}"))
    if not os.access(above, os.W_OK):
        raise BadInput(Mistake(option, f"expected a folder that may be written to; found {path}"))


def tell(text: str) -> None:
    """Print text, lines broken where the terminal ends."""
    from deniable.report.text import fitted
    from deniable.words import visible

    click.echo(fitted(visible(text)))


def show(
    result: Any, out: str | None, as_json: bool, to_json: Callable[[Any], dict[str, Any]], to_text: Callable[[Any], str]
) -> None:
    """Save the result's table if a path was given, and print the result, or where it went."""
    if out is not None:
        from pathlib import Path

        with working(f"writing {out}"):
            result.save(Path(out))
    if out is not None and not as_json:
        tell(f"wrote {out}")
        return
    with working("counting"):  # some results are only now made of what was found
        told = to_json(result) if as_json else to_text(result)
    if isinstance(told, str):
        tell(told)
    else:
        from deniable.report.json import document

        click.echo(document(told))
