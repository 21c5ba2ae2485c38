"""The same table in many kinds of file gives the same answer, down to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call

ROWS = [
    ("badge", "zip", "seen", "diagnosis"),
    ("007", "02139", "2024-05-01", "Flu"),
    ("008", "02139", "2024-05-01", "HIV, type 1"),
    ("9", "10001", "2024-05-02", "Cold"),
]
RELEASE = """\
table: {table}
name: visits
identifier: badge
private: diagnosis
views:
  people: SELECT badge, zip, seen FROM visits
  cases: SELECT zip, seen, diagnosis FROM visits
"""


def text(delimiter: str = ",", end: str = "\n") -> str:
    def cell(value: str) -> str:
        return f'"{value}"' if delimiter in value else value

    return "".join(delimiter.join(cell(value) for value in row) + end for row in ROWS)


def write(name: str, content: str) -> None:
    Path(name).write_bytes(content.encode())


def parquet(_: str) -> None:
    write("source.csv", text())
    kept = pc.ConvertOptions(column_types={"badge": "string", "zip": "string"})
    pq.write_table(pc.read_csv("source.csv", convert_options=kept), "visits.parquet")


def parts(name: str) -> None:
    lines = text().splitlines(keepends=True)
    for number, line in enumerate(lines[1:]):
        write(name.replace("*", str(number)), lines[0] + line)


FILES: dict[str, tuple[str, Callable[[str], None]]] = {
    "csv": ("visits.csv", lambda name: write(name, text())),
    "tsv": ("visits.tsv", lambda name: write(name, text("\t"))),
    "TSV": ("VISITS.TSV", lambda name: write(name, text("\t"))),
    "semicolons": ("visits.csv", lambda name: write(name, text(";"))),
    "bars": ("visits.txt", lambda name: write(name, text("|"))),
    "CRLF": ("visits.csv", lambda name: write(name, text(end="\r\n"))),
    "CR": ("visits.csv", lambda name: write(name, text(end="\r"))),
    "BOM": ("visits.csv", lambda name: write(name, "\ufeff" + text())),
    "BOM and CRLF": ("visits.csv", lambda name: write(name, "\ufeff" + text(end="\r\n"))),
    "no last line end": ("visits.csv", lambda name: write(name, text().rstrip("\n"))),
    "blank last lines": ("visits.csv", lambda name: write(name, text() + "\n\n")),
    "every cell quoted": (
        "visits.csv",
        lambda name: write(name, "".join(",".join(f'"{c}"' for c in row) + "\n" for row in ROWS)),
    ),
    "glob": ("visits-*.csv", parts),
    "parquet": ("visits.parquet", parquet),
}


@pytest.mark.parametrize("kind", FILES)
def test_kinds_of_file(kind: str, folder: Path, call: Call) -> None:
    table, make = FILES[kind]
    make(table)
    Path("visits.yaml").write_text(RELEASE.format(table=table))
    told = call("breach", "visits.yaml", "--out", "out.csv")
    assert (told.status, told.err) == (0, "")
    lines = Path("out.csv").read_bytes().split(b"\n")
    assert lines[1] == b"007,Flu,unrestricted,0.7142857142857143,0.7142857142857143,0.7142857142857143,exact"
    assert lines[6].startswith(b'008,"HIV, type 1",unrestricted,')
    assert lines[11].startswith(b"9,Cold,unrestricted,1.0,")
    assert len(lines) == 1 + 3 * 5 + 1
    columns = json.loads(call("check", "visits.yaml", "--json").out)["columns"]
    assert columns == {"badge": "VARCHAR", "zip": "VARCHAR", "seen": "DATE", "diagnosis": "VARCHAR"}


def test_a_release_file_from_windows(folder: Path, call: Call) -> None:
    write("visits.csv", text())
    write("visits.yaml", "\ufeff" + RELEASE.format(table="visits.csv").replace("\n", "\r\n"))
    assert call("check", "visits.yaml").status == 0
    write("visits.yaml", "\ufeff" + RELEASE.format(table="visits.csv").replace("zip", "zp").replace("\n", "\r\n"))
    assert (
        call("check", "visits.yaml").err.splitlines()[0].startswith("visits.yaml:6:25: view people: unknown column zp")
    )


def test_identifiers_are_text_whatever_they_look_like(folder: Path, call: Call) -> None:
    """Also where every identifier is a number, where types says otherwise, and in a condition."""
    write("t.csv", "person,age,problem\n1,30,Flu\n2,30,Cold\n10,31,HIV\n")
    write(
        "t.yaml",
        "table: t.csv\nidentifier: person\nprivate: problem\ntypes: {person: integer}\nviews:\n"
        "  a: SELECT person, age FROM t\n  b: SELECT age, problem FROM t\n"
        "secret: SELECT person, problem FROM t WHERE person < '2'\n",
    )
    call("breach", "t.yaml", "--out", "out.csv")
    lines = Path("out.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1::5]] == ["1", "10"]  # as text, 10 comes before 2
    assert "of the 7 tables" in call("explain", "t.yaml", "--who", "2").out


@pytest.mark.parametrize(
    ("cells", "guess"),
    [
        ("1|22|-3", "BIGINT"), ("1|2.5", "DOUBLE"), ("1|1.0", "VARCHAR"), ("02139|10001", "VARCHAR"),
        ("1|+2", "VARCHAR"), ("2024-01-31", "DATE"), ("2024-01-32", "VARCHAR"), ("2024-01-31 10:00:00", "TIMESTAMP"),
        ("true|false", "BOOLEAN"),
        ("yes|no", "VARCHAR"), ("1||3", "BIGINT"), ('1|""', "VARCHAR"), ("|", "VARCHAR"), (" 1", "VARCHAR"),
        ("999999999999999999|1", "BIGINT"), ("NULL|1", "VARCHAR"), ("nan|1", "VARCHAR"), ("1,5|2", "VARCHAR"),
    ],
)  # fmt: skip
def test_guesses_and_overrides(cells: str, guess: str, folder: Path, call: Call) -> None:
    rows = "".join(f'p{i};{cell};"x"\n' for i, cell in enumerate(cells.split("|")))
    write("t.csv", "who;what;problem\n" + rows)
    spec = "table: t.csv\nidentifier: who\nprivate: problem\n"
    write("t.yaml", spec)
    assert json.loads(call("check", "t.yaml", "--json").out)["columns"]["what"] == guess
    write("t.yaml", spec + "types: {what: text}\n")
    assert json.loads(call("check", "t.yaml", "--json").out)["columns"]["what"] == "VARCHAR"


def test_a_type_that_fits(folder: Path, call: Call) -> None:
    """Codes with leading zeros can be told to be numbers, and then compare as numbers."""
    write("t.csv", "who,level,problem\nann,007,Flu\nbob,7,Cold\n")
    views = "  a: SELECT who, level FROM t\n  b: SELECT level, problem FROM t\n"
    spec = f"table: t.csv\nidentifier: who\nprivate: problem\nviews:\n{views}"
    write("t.yaml", spec)
    assert "tables that fit your release" in call("explain", "t.yaml", "--who", "ann").out
    assert json.loads(call("explain", "t.yaml", "--who", "ann", "--json").out)["worlds"] == 1
    write("t.yaml", spec + "types: {level: integer}\n")
    assert json.loads(call("explain", "t.yaml", "--who", "ann", "--json").out)["worlds"] == 7


ALONE = "who,place,problem\nann,{},Flu\nbob,{},Cold\n"
PLACES = {
    "20 digits": ("99999999999999999999", "99999999999999999998"),
    "a point": ("1", "1.0"),
    "an exponent": ("1e3", "1000"),
}


@pytest.mark.parametrize("case", PLACES)
def test_cells_that_are_written_differently_are_different(case: str, folder: Path, call: Call) -> None:
    """Else two people who are alone would stand in one join group, and in one crowd."""
    write("t.csv", ALONE.format(*PLACES[case]))
    views = "views:\n  a: SELECT DISTINCT who, place FROM t\n  b: SELECT DISTINCT place, problem FROM t\n"
    write("t.yaml", f"table: t.csv\nidentifier: who\nprivate: problem\n{views}require:\n  breach: {{at_most: 0.5}}\n")
    audited = call("audit", "t.yaml", "--json")
    assert audited.status == 1
    assert json.loads(audited.out)["checks"][0]["worst"] == 1
    crowds = call("crowds", "t.csv", "--private", "problem", "--quasi", "place", "--json")
    assert json.loads(crowds.out)["k"] == 1


def test_check_says_what_is_read_as_text(folder: Path, call: Call) -> None:
    write("t.csv", "who,place,day,job,problem\n1,007,2024-1-31,x,Flu\n2,7,2024-1-30,y,Cold\n")
    write("t.yaml", "table: t.csv\nidentifier: who\nprivate: problem\n")
    said = [
        "place is read as text: as numbers its cells would not all be written the same way again, and 1 that is "
        "written differently becomes equal (types: {place: number} reads them as numbers all the same)",
        "day is read as text: as dates its cells would not all be written the same way again "
        "(types: {day: date} reads them as dates all the same)",
    ]
    assert call("check", "t.yaml").out.splitlines()[1:] == said
    assert json.loads(call("check", "t.yaml", "--json").out)["notes"] == said
    write("t.yaml", "table: t.csv\nidentifier: who\nprivate: problem\ntypes: {place: integer, day: text, job: text}\n")
    told = "place is read as whole numbers, since types says so: 1 that is written differently becomes equal"
    assert call("check", "t.yaml").out.splitlines()[1:] == [told]


def test_decimals_compare_as_numbers_and_come_back_as_they_were_written(folder: Path, call: Call) -> None:
    write("t.csv", "who,pay,height\nann,9.50,1.5\nbob,10.25,2\ncy,9.50,1.5\n")
    rows = "views:\n  a: SELECT who, height FROM t WHERE {0}\n  b: SELECT height, pay FROM t WHERE {0}\n"
    spec = "table: t.csv\nidentifier: who\nprivate: pay\ndomain: [9.50, '10.25']\n"
    write("t.yaml", spec + rows.format("height < 1.75"))
    assert call("breach", "t.yaml", "--out", "out.csv").err == ""
    assert {line.split(",")[1] for line in Path("out.csv").read_text().splitlines()[1:]} == {"9.50"}
    assert "9.50" in call("explain", "t.yaml", "--who", "ann").out
    assert call("explain", "t.yaml", "--who", "ann", "--json").status == 0
    write("t.yaml", "table: t.csv\nprivate: who\npublic: [pay]\nviews:\n  a: SELECT who FROM t WHERE pay > 9.75\n")
    assert json.loads(call("crowds", "t.yaml", "--method", "exact", "--json").out)["k"] == 1
