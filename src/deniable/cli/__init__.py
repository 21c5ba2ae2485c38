"""The command line: one function a command, options defined once, errors turned into exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from deniable.cli import attack, groups, history, views
from deniable.cli.base import json_option, main
from deniable.errors import DeniableError

__all__ = ["attack", "groups", "history", "main", "run", "views"]


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
        from deniable.report.json import document
        from deniable.report.verdict import verdict_json

        click.echo(document(verdict_json(demo_verdict())))
    else:
        click.echo(demo_text())


def run(arguments: list[str] | None = None, call: Callable[..., Any] = main) -> None:
    """The program: exit status 0, 1, 2 or 3, and one clear line instead of a traceback."""
    try:
        call(args=arguments, prog_name="deniable", standalone_mode=True)
    except DeniableError as error:
        click.echo(error.typed(), err=True)
        sys.exit(error.exit_status)
    except MemoryError:
        click.echo("out of memory", err=True)
        sys.exit(3)
    except OSError as error:
        click.echo(f"{error.filename or 'the machine'}: {error.strerror or 'failed'}", err=True)
        sys.exit(3)
