"""Coarser columns, people who are withheld, `repair` and `init`: what they read, what they are asked, what they write."""

# ruff: noqa: E501

from __future__ import annotations

import gzip
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.campaign.calls import call, checked
from tests.campaign.cheap import Dice
from tests.campaign.files import ENCODINGS, damage
from tests.campaign.fuzz import GIVEN, NEW, ODD, TEXTS, changed, scratched
from tests.campaign.material import COLUMNS, MARK, VIEWS, write_material, written

PARTS: list[dict[str, Any]] = [
    {"of": "age", "width": 2}, {"of": "age", "width": 5, "from": 1}, {"of": "age", "cap": 31}, {"of": "zip", "prefix": 1},
    {"of": "job", "prefix": 1}, {"of": "zip", "hierarchy": "levels.csv", "level": 1}, {"of": "zip", "hierarchy": "levels.csv", "level": 2},
    {"of": "name", "prefix": 1}, {"of": "problem", "prefix": 5}, {"of": "seen", "part": "year"}, {"of": "seen", "part": "month"},
]  # fmt: skip
KEYS = ("of", "width", "from", "cap", "prefix", "hierarchy", "level", "part")
REPAIR = [
    ["--out", "new.yaml"], ["--write-views", "new"], ["--out", "new.yaml", "--write-views", "newer"], ["--json"], ["--choose", "2", "--out", "new.yaml"],
    ["--write-views", "new", "--format", "parquet"], ["--write-views", "new", "--excel-safe"], ["--write-views", "."], ["--out", "views.yaml"],
    ["--out", "new/new.yaml", "--write-views", "new"], ["--out", "link.yaml"], ["--write-views", "link.yaml"], ["--write-views", "t.csv"], ["--html", "new.html"],
    ["--html", "new.html", "--out", "new.yaml", "--write-views", "newer"], ["--html", "new/new.html", "--write-views", "new"], [], [],
    *[["--out", "new.yaml"], ["--write-views", "new"], ["--out", "new.yaml", "--write-views", "newer"]] * 4,
]  # fmt: skip


def coarser(of: Dice, folder: Path) -> list[str]:
    """A release with coarser columns or a list of people who are withheld; what `repair` writes of it passes."""
    rows = write_material(folder, of)
    dated = [[*row, f"20{20 + i % 3}-0{1 + i % 2}-11"] for i, row in enumerate(rows)]
    (folder / "t.csv").write_text("\n".join(",".join(row) for row in ([*COLUMNS, "seen"], *dated)) + "\n")
    levels = [["zip", "wide", "all"], *([cell, f"w{cell[-1]}", "*"] for cell in ("01", "02"))]
    listed = [["name"], *([row[0]] for row in of.sample(rows, of.choice((0, 1, 2))))]
    for name, lines in {"levels.csv": levels, "withheld.csv": listed}.items():
        _write(of, folder / name, lines, 0.15)
    (folder / "link.yaml").symlink_to("nowhere.yaml")
    text = _text(of, _document(of))
    (folder / "views.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    arguments = _asked(of)
    views = ("clinic.", "people.", "é.") if "." in arguments else ()
    found = checked(folder, arguments, *NEW, *views)
    return [*found, *_repaired(folder, text, arguments)]


def _write(
    of: Dice, path: Path, lines: list[list[str]], damaged: float, between: str = ",", encoding: str = ""
) -> None:
    if of.random() < damaged:
        damage(of, path, lines, between, encoding or "utf-8")
    else:
        content = "".join(between.join(line) + "\n" for line in lines).encode()
        path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _document(of: Dice) -> Any:
    document: Any = {**deepcopy(VIEWS), "types": {"zip": "text"}}
    chosen = of.sample(PARTS, of.choice((0, 1, 2, 3)))
    document["columns"] = {f"c{i}": dict(one) for i, one in enumerate(chosen)}
    for one in document["columns"].values():
        if of.random() < 0.08:
            one[of.choice(KEYS)] = of.choice([*ODD, 1, 2, 3, "year", "age", "levels.csv", 0.5, "1e3", "c0"])
    if of.random() < 0.4:
        document["withhold"] = of.choice((*["withheld.csv"] * 9, "no.csv", "t.csv", "", ".", ["withheld.csv"]))
    names = [*document["columns"], "age", "job"]
    document["views"] = {
        "people": f"SELECT name, {of.choice(names)} FROM t",
        of.choice(
            (*["clinic"] * 20, "t", "withheld", "..", "a/b", "é")
        ): f"SELECT {', '.join(of.sample(names, of.randrange(1, len(names))))}, problem FROM t",
    }
    if of.random() < 0.15:
        document["require"] = {"crowd": {"at_least": 2}}
    for _ in range(of.choice((0, 0, 0, 0, 0, 0, 1, 2))):
        document = changed(of, document)
    return document


def _text(of: Dice, document: Any) -> str:
    try:
        text = written(document, unicode=of.random() < 0.5)
    except Exception:  # a document that cannot be written is not one
        return "table: t.csv\n"
    for _ in range(of.choice((0, 0, 0, 0, 0, 0, 0, 1, 2))):
        text = scratched(of, text, TEXTS)
    return text


def _asked(of: Dice) -> list[str]:
    name = of.choice(("repair", "repair", "repair", "check", "audit", "breach", "explain", "crowds"))
    more = {"repair": of.choice(REPAIR), "explain": ["--who", "p1"]}.get(name, [])
    return [name, "views.yaml", *more]


def _repaired(folder: Path, text: str, arguments: list[str]) -> list[str]:
    """What is wrong about a release file that was written."""
    made = folder / "new.yaml"
    if not made.exists():
        return []
    told = call("audit", str(made))
    found = [] if told.status == 0 else [f"what {' '.join(arguments)} wrote ends with {told.status}"]
    return found + (["private cell in a release file"] if MARK in made.read_text() and MARK not in text else [])


NAMES = [
    "name",
    "age",
    "job",
    "zip",
    "problem",
    "none",
    "age,job",
    "age,,age",
    "problem,name",
    "",
    " ",
    "nothing",
    '"age"',
    "'",
    '"a,b"',
    "\x1b[31m",
    "é",
]


def first(of: Dice, folder: Path) -> list[str]:
    """`init` of a table that is not as tables are: no private cell in what it says or writes, and no file's place taken."""
    rows = write_material(folder, of)
    table = _table(of, folder, [list(COLUMNS), *rows])
    (folder / "link.yaml").symlink_to("nowhere.yaml")
    arguments = ["init", table]
    for option, usual in {"--identifier": "name", "--private": "problem", "--quasi": "age,job"}.items():
        if of.random() < (0.9 if option != "--quasi" else 0.3):
            arguments += [option, usual if of.random() < 0.9 else of.choice([*NAMES, *GIVEN])]
    if of.random() < 0.07:
        arguments += ["--encoding", of.choice(ENCODINGS)]
    if of.random() < 0.6:
        arguments += [
            "--out",
            of.choice(
                (*["new.yaml"] * 12, "views.yaml", "link.yaml", "no/new.yaml", "new.txt", "t.csv", ".", "", "new.yml")
            ),
        ]
    if of.random() < 0.2:
        arguments.append("--json")
    before = set(folder.iterdir())
    found = checked(folder, arguments, *NEW, "t.yaml", "part.yaml", "table.yaml", "..yaml", "no.yaml")
    for made in (path for path in set(folder.iterdir()) - before if path.suffix in (".yaml", ".yml")):
        told = call("check", str(made))
        found += [] if told.status == 0 else [f"the first release file: {told.err.strip()[:200]}"]
        found += ["private cell in a release file"] if MARK in made.read_text() else []
    return found


def _table(of: Dice, folder: Path, lines: list[list[str]]) -> str:
    """A table's name, which is there mostly."""
    usual = ("t.csv", "t.csv", "t.csv", "t.tsv", "t.csv.gz", "t.parquet", "part-*.csv")
    name = of.choice((*usual * 3, ".", "no.csv", "views.yaml", "t"))
    if name == "t.parquet":
        columns = {head: [line[i] for line in lines[1:]] for i, head in enumerate(lines[0])}
        pq.write_table(pa.table(columns), folder / name)
        content = (folder / name).read_bytes()
        at = of.randrange(len(content))
        (folder / name).write_bytes(
            of.choice((content, content, content[:at], content[:at] + b"\xff" * 8 + content[at:]))
        )
    elif name.startswith("part"):
        for i in range(of.choice((0, 1, 2))):
            _write(of, folder / f"part-{i}.csv", [lines[0], *lines[1 + i :: 2]], 0.3)
    elif name in ("t.csv", "t.tsv", "t.csv.gz", "t"):
        _write(
            of, folder / name, lines, 0.5, "\t" if name == "t.tsv" else ",", of.choice((*["utf-8"] * 20, *ENCODINGS))
        )
        if of.random() < 0.05 and name == "t.csv.gz":
            (folder / name).write_bytes(gzip.compress(gzip.compress(b"name,problem\n")))
    return name
