"""A small table with marked private cells, and a release file of every kind about it."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import yaml

MARK = "QzXv"  # in every private cell: no message may have it
VALUES = tuple(f"{MARK}{letter}" for letter in "ABCD")
COLUMNS = ("name", "age", "job", "zip", "problem")

VIEWS: dict[str, Any] = {
    "table": "t.csv",
    "identifier": "name",
    "private": "problem",
    "views": {"people": "SELECT name, age FROM t", "clinic": "SELECT age, job, problem FROM t"},
    "require": {"breach": {"at_most": 0.5}},
}
CROWDS: dict[str, Any] = {
    "table": "t.csv",
    "private": "problem",
    "types": {"zip": "text"},
    "views": {
        "some": "SELECT age, problem FROM t WHERE zip = '02'",
        "more": "SELECT job, problem FROM t WHERE age > 31 OR problem = 'flu'",  # which nobody has
    },
    "require": {"crowd": {"at_least": 2}},
}
GROUPS: dict[str, Any] = {
    "table": "t.csv",
    "identifier": "name",
    "quasi": ["age", "job"],
    "private": "problem",
    "published": {"people": "people.csv", "values": "values.csv", "group": "group"},
    "knowledge": [{"given": ["job"], "estimate": True}],
    "require": {"linkage": {"at_most": 0.5}},
}
AGAIN: dict[str, Any] = {
    "table": "t.csv",
    "identifier": "name",
    "quasi": ["age", "job"],
    "private": "problem",
    "republish": {"m": 3, "n": 2},
    "ledger": "book.ledger",
}
HISTORY: dict[str, Any] = {
    "identifier": "name",
    "quasi": ["age"],
    "private": "problem",
    "history": {"releases": ["past.csv"], "population": "population.csv"},
}
RELEASES = {"views": VIEWS, "crowds": CROWDS, "groups": GROUPS, "again": AGAIN, "history": HISTORY}
SENSIBLE = {  # what is asked of each of them
    "views": ("check", "check", "audit", "breach", "explain"),
    "crowds": ("check", "check", "audit", "crowds"),
    "groups": ("check", "check", "audit", "linkage", "bucketize", "utility"),
    "again": ("check", "check", "republish", "ledger"),
    "history": ("check", "attack"),
}


_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def written(document: Any, *, unicode: bool = False) -> str:
    """A release file, its keys in their order."""
    return str(yaml.dump(document, Dumper=_DUMPER, sort_keys=False, allow_unicode=unicode))


@cache
def _release_text(name: str) -> str:
    return written(RELEASES[name])


def rows(of: random.Random) -> list[list[str]]:
    """Twelve people; every value is had by three."""
    return [
        [f"p{i}", str(30 + of.randrange(4)), "xyz"[i % 3], f"0{i % 2 + 1}", VALUES[i % len(VALUES)]] for i in range(12)
    ]


def text_of(table: list[list[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in [list(COLUMNS), *table])


def write_material(folder: Path, of: random.Random) -> list[list[str]]:
    """The table, what was published of it, and the release files."""
    table = rows(of)
    (folder / "t.csv").write_text(text_of(table))
    (folder / "people.csv").write_text(
        "age,job,group\n" + "".join(f"{r[1]},{r[2]},{i % 3}\n" for i, r in enumerate(table))
    )
    (folder / "values.csv").write_text("group,problem\n" + "".join(f"{i % 3},{r[4]}\n" for i, r in enumerate(table)))
    (folder / "past.csv").write_text(
        "group,age_low,age_high,problem\n" + "".join(f"{i % 3},30,34,{r[4]}\n" for i, r in enumerate(table))
    )
    (folder / "population.csv").write_text(
        "release,group,name\n" + "".join(f"1,{i % 3},{r[0]}\n" for i, r in enumerate(table))
    )
    for name in RELEASES:
        (folder / f"{name}.yaml").write_text(_release_text(name))
    return table


def command(of: random.Random, kind: str) -> list[str]:
    """A command about a release file of some kind, mostly one that is for it, with the options that it needs."""
    name = of.choice(SENSIBLE[kind] if of.random() < 0.85 else sum(SENSIBLE.values(), ()))
    arguments = [name, f"{kind}.yaml"]
    if name == "explain":
        arguments += ["--who", of.choice(["p1", "p99"])]
    elif name == "bucketize":
        arguments += ["--r", of.choice(["1.5", "2", "9"]), "--out", "new"]
    elif name == "utility":
        arguments += ["--release", ".", "--queries", "20"]
    elif name == "republish":
        arguments += ["--out", "new", "--begin", "--dry-run"]
    elif name in ("breach", "crowds", "linkage", "attack") and of.random() < 0.2:
        arguments += ["--out", "new.csv"]
    if of.random() < 0.2:
        arguments.append("--json")
    return arguments
