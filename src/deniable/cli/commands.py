"""All commands, each in the module of its subject, and `demo`."""

from __future__ import annotations

import click

from deniable.cli import attack, groups, history, repair, views
from deniable.cli.base import json_option, main, tell
from deniable.report.progress import working

__all__ = ["attack", "groups", "history", "main", "repair", "views"]


@main.command()
@click.option("--to", "folder", type=click.Path(file_okay=False), help="Write the example files there instead.")
@json_option
def demo(folder: str | None, as_json: bool) -> None:
    """Run the main job on the built-in hospital table; or write its files with --to."""
    from deniable.examples import demo_text, demo_verdict, write_examples

    if folder is not None:
        from pathlib import Path

        tell(f"wrote {write_examples(Path(folder))}")
    elif as_json:
        from deniable.report.json import document
        from deniable.report.verdict import verdict_json

        click.echo(document(verdict_json(demo_verdict())))
    else:
        with working("auditing"):
            text = demo_text()
        tell(text)
