"""Random release files, queries, tables and options: most of them wrong, some in a way that nobody thought of."""

# ruff: noqa: E501

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from tests.campaign.calls import checked
from tests.campaign.cheap import Dice
from tests.campaign.material import COLUMNS, MARK, RELEASES, SENSIBLE, VALUES, command, write_material, written

NEW = ("new", "new.csv")  # what commands are told to write
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 10**300, -(10**30), 0.0, -0.5, 0.5, 1e308, float("nan"),
    float("inf"), "", " ", "\x00", "\x1b[31m", "é", "名", "\U0001f600", "a" * 5_000, "*", "?", "[", "..", "/", "t.csv", "no.csv",
    "SELECT", "SELECT * FROM t", "'", '"', "--", ";", [], {}, [[]], [None], {"": None}, [[], [[]]], {"a": {"b": {}}}, ["age"],
    ["age", "age"], ["problem"], ["name", "nothing"], "name", "problem", "age", "nothing", "text", "integer", 2, 3, 50,
]  # fmt: skip
TEXTS = [
    "\t", "\x00", "\x85", "\u2028", "\ufeff", "\ud7ff", "&a ", "*a", "<<: *a", "!!python/object:os.system ", "!!binary ", "|\n", ">\n",
    "? ", "- ", ": ", ", ", "{", "}", "[", "]", "'", '"', "#", "%", "---\n", "...\n", "\\", '"\\ud83d\\ude00"', '"\\UFFFFFFFF"', '"\\x00"',
    "0x", "1e999", ".nan", ".inf", "~", "null", "2001-01-01", "9" * 5_000, "é", "名", "\r", "\r\n", " " * 200, "%YAML 1.2\n",
]  # fmt: skip


def release_file(of: Dice, folder: Path) -> list[str]:
    """A release file that is changed somewhere, as a document or as text."""
    write_material(folder, of)
    kind = of.turn(list(RELEASES))
    document: Any = deepcopy(RELEASES[kind])
    for _ in range(of.choice((0, 1, 1, 2, 4))):
        document = changed(of, document)
    try:
        text = written(document, unicode=of.random() < 0.5)
    except Exception:  # a document that cannot be written is not one
        text = "table: t.csv\n"
    for _ in range(of.choice((0, 0, 1, 2, 5)) if document != RELEASES[kind] else of.choice((1, 2, 5))):
        text = scratched(of, text, TEXTS)
    (folder / f"{kind}.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    return checked(folder, command(of, kind), *NEW)


def changed(of: random.Random, node: Any) -> Any:
    """A document with something else in one place."""
    if isinstance(node, dict) and node and of.random() < 0.9:
        key = of.choice(list(node))
        way = of.random()
        if way < 0.1:
            del node[key]
        elif way < 0.2:
            node[of.choice([f"{key}s", str(key).upper(), *RELEASES["views"], "republish", "secret", "domain"])] = (
                node.pop(key)
            )
        elif way < 0.3:
            node[of.choice(["domain", "secret", "public", "generalize", "rename", "encoding", "decimal", "name"])] = (
                _odd(of)
            )
        else:
            node[key] = changed(of, node[key])
        return node
    if isinstance(node, list) and node and of.random() < 0.7:
        at = of.randrange(len(node))
        if of.random() < 0.3:
            node.insert(at, _odd(of))
        else:
            node[at] = changed(of, node[at])
        return node
    return _odd(of)


def _odd(of: random.Random) -> Any:
    if of.random() < 0.1:
        return {of.choice([*COLUMNS, "at_most", "given", "m"]): of.choice(ODD)}
    return deepcopy(of.choice(ODD))


def scratched(of: random.Random, text: str, pieces: list[str]) -> str:
    """Text with something taken out, put in, doubled or moved."""
    at = of.randrange(len(text) + 1)
    to = min(len(text), at + of.choice((1, 1, 3, 20)))
    way = of.randrange(4)
    if way == 0:
        return text[:at] + text[to:]
    if way == 1:
        return text[:at] + of.choice(pieces) + text[at:]
    if way == 2:
        return text[:to] + text[at:to] * of.choice((1, 2, 50)) + text[to:]
    return text[:at] + "".join(of.sample(text[at:to], to - at)) + text[to:]


SQL = [
    "'", '"', "`", "(", ")", ";", "--", "/*", "*/", ",", ".", "::INT", "=", "<>", "<", "||", "%", "?", ":", "$1", "@", "\\", "\x00", "\n",
    " AND ", " OR ", " NOT ", " IN ", " NULL ", " IS ", " LIKE ", " BETWEEN ", " CASE WHEN ", " UNION SELECT ", " JOIN t ", " GROUP BY ",
    " HAVING ", " ORDER BY ", " LIMIT 1 ", " OVER () ", " EXISTS ", "SELECT ", " FROM ", " WHERE ", " AS ", "DISTINCT ", "read_csv('t.csv')",
    "; COPY t TO 'new.csv'", "; ATTACH 'x'", "; PRAGMA version", "e'\\x41'", "U&'x'", "1e999", "9" * 40, "é", "\U0001f600", "DATE '2020-13-45'",
]  # fmt: skip


def query(of: Dice, folder: Path) -> list[str]:
    """Views with random conditions, which are damaged now and then; literals near the private column are private."""
    write_material(folder, of)
    kind = of.turn(("views", "crowds"))
    document: Any = deepcopy(RELEASES[kind])
    document.pop("require")
    if of.random() < 0.75:  # what cells look like is for tables
        document["types"] = {"age": "integer"} | dict.fromkeys(("name", "job", "zip", "problem"), "text")
    where = f" WHERE {_condition(of, of.choice((0, 1, 2, 3)))}" if of.random() < 0.8 else ""
    for name in document["views"]:
        own = where if kind == "views" else f" WHERE {_condition(of, 1)}"
        text = f"SELECT {of.choice(['', 'DISTINCT '])}{_columns(of)} FROM t{own}"
        if kind == "views" and of.random() < 0.6:
            text = RELEASES["views"]["views"][name] + own
        for _ in range(of.choice((0, 0, 0, 1, 1, 3))):
            text = scratched(of, text, SQL)
        # Where the private column is no longer named, nobody can know what is a private value and what a word.
        document["views"][name] = text if "problem" in text else text.replace(MARK, "flu")
    if of.random() < 0.2:
        document["secret"] = f"SELECT name, problem FROM t WHERE {_condition(of, 1)}"
    (folder / f"{kind}.yaml").write_text(written(document))
    return checked(folder, command(of, kind), *NEW)


def _columns(of: random.Random) -> str:
    return ", ".join(
        of.choice([*COLUMNS, "*", "age + 1", "upper(problem)", "t.age", '"zip"', "age AS a"][: _few(of)])
        for _ in range(of.randrange(1, 4))
    )


def _few(of: random.Random) -> int:
    return of.choice((5, 5, 5, 11))


def _condition(of: random.Random, depth: int) -> str:
    if depth and of.random() < 0.6:
        one, two = _condition(of, depth - 1), _condition(of, depth - 1)
        return of.choice([f"{one} AND {two}", f"({one} OR {two})", f"NOT ({one})", f"({one}) = ({two})"])
    if of.random() < 0.02:
        return " OR ".join(f"age = {i}" for i in range(of.choice((50, 700))))
    if of.random() < 0.02:
        return "(" * 150 + "age = 1" + ")" * 150
    column = of.choice(COLUMNS)
    if column == "problem":  # also as somebody types it who forgot the quotes
        value = of.choice(VALUES)
        cell = of.choice(
            [
                f"'{value}'",
                f"'{value}'",
                f"'{value}",
                f'"{value}"',
                value,
                f"{value}.9",
                f":{value}",
                f"{value} (B)",
                f"{value}-1",
            ]
        )
    else:
        cell = of.choice(
            ["31", "'x'", "'02'", "NULL", "-1", "1.5", "DATE '2020-01-01'", "age", "'a' || 'b'", "(1 + 2)", "TRUE"]
        )
    way = of.choice(["{c} = {v}", "{c} <> {v}", "{c} > {v}", "{v} = {c}", "{c} IN ({v}, {v})", "{c} BETWEEN {v} AND {v}", "{c} LIKE {v}",
                     "{c} IS NULL", "{c} = {v} + 1", "lower({c}) = {v}", "{c} {v}", "{c} = (SELECT {v})"])  # fmt: skip
    return way.format(c=column, v=cell)


CELLS = [
    "",
    '""',
    '"',
    "'",
    "\x00",
    "é",
    "\ufeff",
    "NULL",
    "nan",
    "1e999",
    "-0",
    "=1+1",
    "\x1b[2J",
    "a" * 3_000,
    '"a\nb"',
    '"a""b"',
    "2020-01-01",
    "true",
    ";",
    "\t",
]
BYTES = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b'"',
    b",",
    b";",
    b"\t",
    b"\x80",
    b"\xc3",
    b"PAR1",
    b"\x1f\x8b",
    b"\x1a",
]


def table(of: Dice, folder: Path) -> list[str]:
    """A table, or another file of the release, with odd cells, odd lines or odd bytes."""
    rows = write_material(folder, of)
    kind = of.turn(list(RELEASES))
    way = of.random()
    if way < 0.15 and kind != "history":
        _parquet(of, folder, kind, rows)
        return checked(folder, command(of, kind), *NEW)
    names = ["t.csv"] if way < 0.75 else ["people.csv", "values.csv", "past.csv", "population.csv"]
    path = folder / of.choice(names)
    lines = [line.split(",") for line in path.read_text().splitlines()]
    for _ in range(of.choice((0, 1, 3))):
        change_lines(of, lines)
    content = "\n".join(",".join(line) for line in lines).encode("utf-8", "surrogatepass") + of.choice(
        [b"\n", b"", b"\n\n"]
    )
    for _ in range(of.choice((0, 0, 1, 4))):
        at = of.randrange(len(content) + 1)
        content = content[:at] + of.choice([b"", *BYTES]) + content[min(len(content), at + of.randrange(3)) :]
    path.write_bytes(unmoved(content))
    return checked(folder, command(of, kind), *NEW)


def unmoved(content: bytes, between: bytes = b",") -> bytes:
    """The same, without marks where a private cell has come under the name of another column: nobody can know."""
    head, *lines = content.split(b"\n")
    names, mark = head.split(between), MARK.encode()
    moved = any(
        mark in cell and (i >= len(names) or names[i] != b"problem")
        for line in lines
        for i, cell in enumerate(line.split(between))
    )
    return content.replace(mark, b"flu") if b"problem" in names and moved else content


def change_lines(of: random.Random, lines: list[list[str]]) -> None:
    """Take out, double or add lines, columns and cells."""
    if not lines:
        return
    at = of.randrange(len(lines))
    way = of.randrange(8)
    if way == 0:
        del lines[0 if of.random() < 0.5 else at]  # also the header
    elif way == 1:
        lines.insert(at, list(of.choice(lines)))
    elif way == 2 and lines[at]:
        del lines[at][of.randrange(len(lines[at]))]
    elif way == 3:
        lines[at].insert(of.randrange(len(lines[at]) + 1), of.choice(CELLS))
    elif way == 4:
        for line in lines:
            line.append(of.choice(CELLS))
    elif way == 5 and lines[at]:
        column = of.randrange(len(lines[at]))
        for line in lines[1:]:
            line[column : column + 1] = [of.choice(CELLS) if of.random() < 0.5 else ""]
    elif lines[at]:
        lines[at][of.randrange(len(lines[at]))] = of.choice(CELLS)


def _parquet(of: random.Random, folder: Path, kind: str, rows: list[list[str]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate(COLUMNS)}
    odd: list[Callable[[list[str]], Any]] = [
        lambda texts: pa.nulls(len(texts)),
        lambda texts: pa.array([[text] for text in texts]),
        lambda texts: pa.array([{"a": text} for text in texts]),
        lambda texts: pa.array([i % 2 == 0 for i in range(len(texts))]),
        lambda texts: pa.array([text.encode() for text in texts]),
        lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: pa.array([i / 3 if i % 4 else float("nan") for i in range(len(texts))]),
        lambda texts: pa.array(range(len(texts)), pa.timestamp("ns", "UTC")),
        lambda texts: pa.array(range(len(texts)), pa.duration("s")),
        lambda texts: pa.array(range(len(texts)), pa.time64("us")),
        lambda texts: pa.array(range(len(texts)), pa.decimal128(38, 10)),
        lambda texts: pa.array([2**64 - 1 - i for i in range(len(texts))], pa.uint64()),
    ]  # fmt: skip
    for _ in range(of.choice((0, 1, 1, 2))):
        name = of.choice(COLUMNS)
        columns[name] = of.choice(odd)([row[COLUMNS.index(name)] for row in rows])
    pq.write_table(pa.table(columns), folder / "t.parquet")
    if of.random() < 0.3:
        content = (folder / "t.parquet").read_bytes()
        at = of.randrange(len(content))
        (folder / "t.parquet").write_bytes(content[:at] + of.choice([b"", b"\xff" * 8, content[at + 1 :]]))
    document = deepcopy(RELEASES[kind]) | {"table": "t.parquet"}
    if of.random() < 0.4:
        document["types"] = {
            of.choice(COLUMNS): of.choice(["text", "integer", "number", "date", "timestamp", "boolean"])
        }
    (folder / f"{kind}.yaml").write_text(written(document))


OPTIONS = [
    "--json", "--out", "--seed", "--who", "--r", "--limit", "--tolerance", "--seconds", "--states", "--method", "--pairs", "--engine",
    "--known", "--hazard", "--compromise", "--repeat", "--adversary", "--algorithm", "--begin", "--dry-run", "--withhold", "--withheld", "--changed",
    "--new-episode", "--undo", "--unusual", "--verify", "--release", "--queries", "--suppress", "--reveal", "--private", "--quasi", "--m",
    "--lifespan", "--threshold", "--no-audit", "--help", "--nothing", "-", "--",
]  # fmt: skip
GIVEN = [
    "", "0", "1", "2", "-1", "0.5", "1e3", "1e400", "nan", "inf", "-0", "3" * 30, "10" * 200, "x", "é", "\udcff", "\U0001f600", "p1", "p99", "new.csv",
    "new.parquet", "new.html", "new.xml", "new.txt", "new", "t.csv", "views.yaml", "no/new.csv", ".", "..", "/dev/null/x.csv", "a\nb", "*", "exact", "restricted", "all", "joint",
    "pairs", "stable", "cor-split", "m-invariance", "duckdb", "postgres://x", "age,job", "age,,age", "problem", "people.csv", "a" * 300 + ".csv", "\x1b[31m",
]  # fmt: skip


@cache
def _own(command: str) -> list[str]:
    """The options that a command has."""
    from deniable.cli.commands import main

    known = main.commands.get(command)
    return [option for one in known.params for option in one.opts if option.startswith("--")] if known else OPTIONS


def options(of: Dice, folder: Path) -> list[str]:
    """Any command with any options."""
    write_material(folder, of)
    kind = of.turn(list(RELEASES))
    arguments = (
        command(of, kind) if of.random() < 0.8 else [of.choice([*sum(SENSIBLE.values(), ()), "choose", "demo", "no"])]
    )
    own = _own(arguments[0]) if of.random() < 0.5 else OPTIONS
    for _ in range(of.choice((1, 1, 2, 3))):
        option = of.choice(own)
        at = of.randrange(1, len(arguments) + 1)
        arguments[at:at] = [option] if of.random() < 0.25 else [option, of.choice(GIVEN)]
    if of.random() < 0.1:
        arguments[of.randrange(len(arguments))] = of.choice(GIVEN)
    if "demo" in arguments:
        arguments = ["choose", *arguments[1:]]  # its own examples are no table of ours
    return checked(folder, arguments, *NEW, "book.ledger", *(given for given in GIVEN if given.strip("./-")))
