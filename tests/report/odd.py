"""A release whose cells and names are anything but words, and the pages that are made of it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pyarrow as pa

import deniable
from deniable.analyses.provenance import provenance
from deniable.analyses.verdict import Verdict
from deniable.report.page.audit import audit_page
from deniable.report.page.render import html

SCRIPT, BRACES, RIGHT, LONG = "<script>alert(1)</script>", "{{7*7}}", "מטופל מספר 7", "x" * 10_000
WHO = [SCRIPT, BRACES, RIGHT, LONG, "name5", "name6"]
WHAT = ["<img src=x onerror=alert(2)>", "flu", RIGHT[::-1], LONG, "gout", "cold"]
WARD = ["<b>a", "<b>a", "b", "b", "c", "\x1b[2J"]
COLUMN = "<i>ward"


def odd_release() -> deniable.Release:
    table = pa.table({"who": WHO, COLUMN: WARD, "what": WHAT})
    views = {"people": f'SELECT who, "{COLUMN}" FROM t', "values_": f'SELECT "{COLUMN}", what FROM t'}
    return deniable.Release(table=table, name="t", identifier="who", private="what", views=views)


def odd_verdict(*, reveal: bool) -> Verdict:
    return deniable.audit(odd_release(), breach=0.4, crowd={"at_least": 2, "values": 2}, reveal=reveal)


def page_of(verdict: Verdict) -> str:
    return html(audit_page(verdict, provenance(verdict.release, "duckdb", verdict.rows)))


def write_pages(folder: Path) -> dict[str, Path]:
    """Pages of every kind, by name; those that are `private` name people."""
    from deniable.cli import run
    from deniable.examples import write_examples

    write_examples(folder)
    commands = {
        "hospital": ["audit", "hospital.yaml"],
        "ward": ["audit", "ward.yaml"],
        "clinic": ["audit", "clinic.yaml"],
        "repair": ["repair", "patients.yaml"],
        "attack": ["attack", "past.yaml", "--known", "past-known.csv"],
    }
    found = {}
    for name, command in commands.items():
        found[name] = folder / f"{name}.html"
        with suppress(SystemExit):
            run([*command, "--html", f"{name}.html"])
        assert found[name].exists(), command
    for name, reveal in (("odd", False), ("odd private", True)):
        found[name] = folder / f"{name}.html"
        found[name].write_text(page_of(odd_verdict(reveal=reveal)), encoding="utf-8")
    return found
