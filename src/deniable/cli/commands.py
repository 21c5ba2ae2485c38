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

        written = str(write_examples(Path(folder)))
        if as_json:
            from deniable.report.json import EXAMPLES, document

            click.echo(document({"schema": EXAMPLES, "folder": written}))
        else:
            tell(f"wrote {written}")
    elif as_json:
        from deniable.report.audit_document import audit_json
        from deniable.report.json import document

        click.echo(document(audit_json(demo_verdict(), None)))
    else:
        with working("auditing"):
            text = demo_text()
        tell(text)
