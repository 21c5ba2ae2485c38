"""A table that nobody prepared: what is proposed, what is asked, what is written, and that nothing else is."""

from __future__ import annotations

import csv
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import chdir, suppress
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.init import begin, profile
from deniable.analyses.init.profile import Profile
from deniable.cli import main
from deniable.errors import LimitExceeded
from deniable.sql import profile as queries
from tests.cli.conftest import Call
from tests.few import few

HEADER = "patient id,age,zip,visits,email,site,diagnosis,income"
OPTIONS = ("--identifier", "patient id", "--private", "diagnosis")


def line(i: int) -> str:
    return f"WHO{i:03},{30 + i % 4},{2139 + i % 3:05},{i % 5},m{i}@x.org,here,CELL{i % 3},{100 * (i % 7)}"


def write(rows: int = 60, name: str = "clinic.csv") -> None:
    Path(name).write_text("\n".join([HEADER, *map(line, range(rows))]) + "\n")


def roles(told: str) -> dict[str, str | None]:
    return {column["name"]: column["role"] for column in json.loads(told)["columns"]}


# Pipes


def test_a_pipe_is_told_what_to_type(folder: Path, call: Call) -> None:
    write()
    told = call("init", "clinic.csv")
    assert (told.status, told.out) == (2, "")
    assert told.err == (
        "clinic.csv: expected --identifier and --private, since nobody can be asked here; proposed: deniable init "
        "clinic.csv --identifier 'patient id' --private diagnosis (patient id: its name says that it names people; no "
        "two of its 60 cells are the same; diagnosis: its name says that people keep it to themselves; 3 values)\n"
    )
    told = call("init", "clinic.csv", "--private", "income", "--json")
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("clinic.csv: expected --identifier, since nobody can be asked here; proposed: ")
    assert "--identifier 'patient id' --private income (patient id: " in told.err
    assert [path.name for path in folder.iterdir()] == ["clinic.csv"]


def test_what_was_proposed_can_be_typed(folder: Path) -> None:
    """To the letter, by a shell."""
    Path("a b.csv").write_text(
        '"who, exactly?",it\'s,"test: \'x\' ""y"""\n' + "".join(f"n{i},1,v{i % 2}\n" for i in range(9))
    )
    program = Path(sys.executable).with_name("deniable")
    told = subprocess.run([program, "init", "a b.csv"], capture_output=True, text=True, check=False)
    proposed = told.stderr.partition("proposed: deniable ")[2].rpartition(" (who")[0]
    done = subprocess.run(["bash", "-c", f"{program} {proposed} --json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert (document["identifier"], document["private"]) == (["who, exactly?"], "test: 'x' \"y\"")


def test_the_file_and_its_audit(folder: Path, call: Call) -> None:
    write()
    told = call("init", "clinic.csv", *OPTIONS)
    assert (told.status, told.err) == (1, "")
    assert "wrote clinic.yaml; its first audit:" in told.out
    assert told.out.rstrip().endswith("repair: deniable repair clinic.yaml")
    assert "why:    deniable explain clinic.yaml --who <patient id>" in told.out
    audited = call("audit", "clinic.yaml")
    assert audited.status == 1
    table = audited.out.partition("\n\n")[2].partition("\n\n")[0]
    assert table
    assert table in told.out
    release = deniable.load("clinic.yaml")
    assert (release.table, release.identifier, release.private) == ("clinic.csv", ("patient id",), "diagnosis")
    assert release.quasi == ("age", "zip", "visits")
    assert release.views == {
        "people": 'SELECT "patient id", age, zip, visits FROM clinic',
        "values": "SELECT age, zip, visits, diagnosis FROM clinic",
    }
    assert release.require == deniable.Requirements(deniable.BreachLimit(0.5), deniable.CrowdLimit(3))


def test_every_line_has_its_reason(folder: Path, call: Call) -> None:
    write()
    call("init", "clinic.csv", *OPTIONS)
    text = Path("clinic.yaml").read_text()
    for told in (
        "identifier: patient id  # its name says that it names people; no two of its 60 cells are the same",
        "private: diagnosis  # its name says that people keep it to themselves; 3 values",
        "  - zip  # its name says that others may know it; 3 values, codes with zeros before them",
        "  - visits  # others may know it, unless you know better; 5 values",
        "#   email: it names people, as the identifier does: published, it would be read as a name",
        "#   site: every row has the same cell",
        "#   income: its name says that people keep it to themselves too: audit it in a release of its own",
        "  breach: {at_most: 0.5}  # nobody who reads the views may be surer of somebody's value than of a coin",
    ):
        assert told in text.splitlines(), told


def test_a_first_release_may_pass(folder: Path, call: Call) -> None:
    rows = [f"p{i},{i % 2},v{i % 4}" for i in range(80)]
    Path("t.csv").write_text("\n".join(["person,sex,illness", *rows]) + "\n")
    told = call("init", "t.csv", "--identifier", "person", "--private", "illness", "--json")
    assert (told.status, told.err) == (0, "")
    assert json.loads(told.out)["audit"]["verdict"] == "pass"
    Path("t.yaml").unlink()
    assert "repair" not in call("init", "t.csv", "--identifier", "person", "--private", "illness").out


def test_json(folder: Path, call: Call) -> None:
    write()
    told = call("init", "clinic.csv", *OPTIONS, "--out", "first.yaml", "--json")
    assert (told.status, told.err) == (1, "")
    document = json.loads(told.out)
    assert (document["file"], document["rows"], document["private"]) == ("first.yaml", 60, "diagnosis")
    audited = json.loads(call("audit", "first.yaml", "--json").out)
    assert document["audit"] == {key: audited[key] for key in ("verdict", "warn_at", "checks", "reasons")}
    assert document["views"] == deniable.load("first.yaml").views
    assert roles(told.out) == {
        "patient id": "identifier", "age": "quasi", "zip": "quasi", "visits": "quasi", "email": None, "site": None,
        "diagnosis": "private", "income": None,
    }  # fmt: skip
    zips = next(column for column in document["columns"] if column["name"] == "zip")
    assert (zips["type"], zips["different"], zips["nulls"]) == ("text", 3, 0)


def test_python(folder: Path) -> None:
    write()
    with pytest.raises(deniable.BadInput, match="expected identifier and private, since nobody can be asked"):
        deniable.init("clinic.csv")
    with pytest.raises(deniable.BadInput, match="table: expected a path; found a Table"):
        deniable.init(pa.table({"a": [1]}))
    made = deniable.init(Path("clinic.csv"), identifier="patient id", private="income", quasi=["age", "zip"])
    assert made.verdict
    assert made.verdict.release == deniable.load("clinic.yaml")
    assert made.proposal.quasi == ("age", "zip")
    assert repr(made) == "<FirstRelease clinic.yaml: pass>"
    assert repr(made.proposal) == "<Proposal clinic.csv: identifier patient id, private income>"
    with pytest.raises(deniable.BadInput, match=r"out: expected a name that no file has; found clinic\.yaml"):
        deniable.init("clinic.csv", identifier=(), private="income")


# Never over another, and nothing left behind


@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_nothing_is_written_over(kind: str, folder: Path, call: Call) -> None:
    write()
    place = Path("clinic.yaml")
    if kind == "file":
        place.write_text("mine\n")
    elif kind == "link":
        place.symlink_to("nowhere")
    else:
        place.mkdir()
    told = call("init", "clinic.csv", *OPTIONS)
    assert (told.status, told.out) == (2, "")
    assert told.err == "--out: expected a name that no file has; found clinic.yaml, which is there already\n"
    assert kind != "file" or place.read_text() == "mine\n"
    assert not Path("nowhere").exists()


def test_somebody_is_faster(folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the first look and the last step."""
    write()

    def look(table: str, encoding: str | None, engine: str) -> Profile:
        Path("clinic.yaml").write_text("mine\n")
        return profile.look(table, encoding, engine)

    monkeypatch.setattr("deniable.analyses.init.look", look)
    monkeypatch.setattr("deniable.analyses.init.place_of", lambda *_: Path("clinic.yaml"))
    assert call("init", "clinic.csv", *OPTIONS).status == 2
    assert Path("clinic.yaml").read_text() == "mine\n"


@pytest.mark.parametrize("error", [LimitExceeded("too much"), KeyboardInterrupt(), MemoryError()])
def test_an_audit_that_does_not_end_leaves_no_file(
    error: BaseException, folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()

    def stopped(*_: object) -> None:
        assert Path("clinic.yaml").exists()
        raise error

    monkeypatch.setattr("deniable.analyses.init.audit", stopped)
    assert call("init", "clinic.csv", *OPTIONS).status == 3
    assert [path.name for path in folder.iterdir()] == ["clinic.csv"]


@pytest.mark.parametrize(
    ("out", "what"),
    [
        ("first.csv", "expected a path that ends in .yaml or .yml; found first.csv"),
        ("no/first.yaml", "expected a path in a folder that exists and may be written to; found no/first.yaml"),
    ],
)
def test_where_a_release_file_cannot_be(out: str, what: str, folder: Path, call: Call) -> None:
    write()
    told = call("init", "clinic.csv", *OPTIONS, "--out", out)
    assert (told.status, told.err) == (2, f"--out: {what}\n")


def test_all_mistakes_at_once(folder: Path, call: Call) -> None:
    write()
    told = call(
        "init", "clinic.csv", "--identifier", "agee,patient id", "--private", "patient id", "--quasi", "zip,zip"
    )
    assert told.status == 2
    assert [what.partition(";")[0] for what in told.err.splitlines()] == [
        "--identifier: unknown column agee (did you mean age?)",
        "--quasi: expected every column once",
        "--private: expected a column of one role",
    ]


# Where the table is


def test_paths_begin_at_the_release_file(folder: Path, call: Call) -> None:
    """Also where a folder is a link, and `..` of it another than it looks."""
    for name in ("data", "deep/er"):
        Path(name).mkdir(parents=True)
    Path("link").symlink_to("deep/er")
    write(name="data/clinic.csv")
    for out, table in (
        ("here.yaml", "data/clinic.csv"),
        ("data/beside.yaml", "clinic.csv"),
        ("deep/first.yaml", "../data/clinic.csv"),
        ("link/first.yaml", "../../data/clinic.csv"),
    ):
        assert call("init", "data/clinic.csv", *OPTIONS, "--out", out).status == 1
        assert deniable.load(out).table == table
        assert call("check", out).status == 0
    assert call("init", "data/clinic.csv", *OPTIONS).status == 1
    assert deniable.load("clinic.yaml").table == "data/clinic.csv"
    assert call("init", str(folder / "data" / "clinic.csv"), *OPTIONS, "--out", "deep/b.yaml").status == 1
    assert deniable.load("deep/b.yaml").table == str(folder / "data" / "clinic.csv")
    assert call("init", str(folder / "data" / "clinic.csv"), *OPTIONS, "--out", "b.yaml").status == 1
    assert deniable.load("b.yaml").table == "data/clinic.csv"


def test_a_glob_of_files(folder: Path, call: Call) -> None:
    for part in range(2):
        rows = [HEADER, *(line(i) for i in range(part * 20, part * 20 + 20))]
        Path(f"part-{part}.csv").write_text("\n".join(rows) + "\n")
    told = call("init", "part-*.csv", *OPTIONS, "--json")
    assert (told.status, told.err) == (1, "")
    assert json.loads(told.out)["rows"] == 40
    release = deniable.load("part.yaml")
    assert (release.table, release.name) == ("part-*.csv", "part")


@pytest.mark.parametrize("ending", ["csv.gz", "csv.zst", "tsv", "txt", "parquet"])
def test_kinds_of_file(ending: str, folder: Path, call: Call) -> None:
    write()
    table = f"people.{ending}"
    text = Path("clinic.csv").read_text()
    if ending == "parquet":
        cells = [dict(zip(HEADER.split(","), row.split(","), strict=True)) for row in text.splitlines()[1:]]
        pq.write_table(pa.Table.from_pylist(cells), table)
    elif ending == "csv.gz":
        Path(table).write_bytes(gzip.compress(text.encode()))
    elif ending == "csv.zst":
        with pa.output_stream(table, compression="zstd") as file:
            file.write(text.encode())
    else:
        Path(table).write_text(text.replace(",", "\t" if ending == "tsv" else "|"))
    told = call("init", table, *OPTIONS, "--json")
    assert (told.status, told.err) == (1, "")
    assert roles(told.out)["zip"] == "quasi"
    assert deniable.load("people.yaml").table == table


def test_columns_that_views_do_not_publish(folder: Path, call: Call) -> None:
    rows = 30
    table = {
        "key": pa.array([i.to_bytes(16) for i in range(rows)], pa.uuid()) if hasattr(pa, "uuid") else list(range(rows)),
        "tags": [["a", str(i)] for i in range(rows)],
        "sex": ["f", "m"] * (rows // 2),
        "grades": [i % 3 for i in range(rows)],
        "result": [i % 4 for i in range(rows)],
    }
    pq.write_table(pa.table(table), "t.parquet")
    told = call("init", "t.parquet", "--identifier", "key", "--private", "result", "--json")
    assert told.err == ""
    assert roles(told.out)["tags"] is None
    assert deniable.load("t.yaml").quasi == ("sex", "grades")


# How the table is written


GERMAN = "Versicherten-Nr;Nachname;PLZ;Geb.datum;Größe (cm);Gehalt;Beruf: erlernt;Diagnose"


def german(rows: int = 40) -> str:
    cells = (
        f"{i:05};Müller{i % 7};{1067 + i % 3:05};0{i % 9 + 1}.05.19{50 + i % 27};{170 + i % 9},5;"
        f"{i % 5}00,10;Bäcker;F{i % 4}"
        for i in range(rows)
    )
    return "\r\n".join([GERMAN, *cells]) + "\r\n"


@pytest.mark.parametrize(
    ("encoding", "found"),
    [("utf-8", None), ("utf-8-sig", None), ("latin-1", "iso8859-1"), ("cp1252", "cp1252"), ("utf-16", "utf-16")],
)
def test_encodings_and_decimal_commas(encoding: str, found: str | None, folder: Path, call: Call) -> None:
    text = german().replace("Bäcker", "Bäcker €") if encoding == "cp1252" else german()
    Path("kasse.csv").write_bytes(text.encode(encoding))
    told = call("init", "kasse.csv", "--identifier", "Versicherten-Nr", "--private", "Diagnose")
    assert (told.status, told.err) == (1, "")
    assert ("read as" in told.out.splitlines()[1]) == (found is not None)
    release = deniable.load("kasse.yaml")
    assert (release.encoding, release.decimal) == (found, ",")
    assert release.quasi == ("PLZ", "Geb.datum", "Größe (cm)")
    kinds = json.loads(call("check", "kasse.yaml", "--json").out)["columns"]
    assert (kinds["PLZ"], kinds["Größe (cm)"]) == ("VARCHAR", "DOUBLE")


def test_an_encoding_that_bytes_do_not_tell(folder: Path, call: Call) -> None:
    Path("t.csv").write_bytes(
        "имя,возраст,итог\n".encode("koi8-r") + b"".join(b"p%d,%d,r%d\n" % (i, i % 3, i % 2) for i in range(9))
    )
    told = call("init", "t.csv", "--identifier", "имя", "--private", "итог", "--encoding", "koi8-r")
    assert (told.status, told.err) == (1, "")
    assert deniable.load("t.yaml").identifier == ("имя",)
    Path("t.yaml").unlink()
    told = call("init", "t.csv", "--identifier", "имя", "--private", "итог", "--encoding", "koi9")
    assert (told.status, told.err.partition(";")[0]) == (
        2, "encoding: expected an encoding such as utf-8, latin-1, cp1252 or utf-16",
    )  # fmt: skip


def test_points_and_commas_in_one_table(folder: Path, call: Call) -> None:
    rows = [f"p{i};{i % 3}.5;{i % 2},5;d{i % 2}" for i in range(9)]
    Path("t.csv").write_text("\n".join(["person;a;b;illness", *rows]) + "\n")
    assert call("init", "t.csv", "--identifier", "person", "--private", "illness").err == ""
    assert deniable.load("t.yaml").decimal is None


def test_types_that_a_release_needs(folder: Path, call: Call) -> None:
    rows = [f"{i},{10001 + i % 3},2024-{i % 9 + 1}-{i % 27 + 1},0{i % 4},d{i % 2}" for i in range(40)]
    Path("t.csv").write_text("\n".join(["person,zip,seen on,ward,illness", *rows]) + "\n")
    assert call("init", "t.csv", "--identifier", "person", "--private", "illness").err == ""
    assert deniable.load("t.yaml").types == {"zip": "text", "seen on": "date"}
    kinds = json.loads(call("check", "t.yaml", "--json").out)["columns"]
    assert kinds == {
        "person": "VARCHAR", "zip": "VARCHAR", "seen on": "DATE", "ward": "VARCHAR", "illness": "VARCHAR",
    }  # fmt: skip


# Tables that are none


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "t.csv: expected a table; found an empty file"),
        ("person,illness\n", "t.csv: expected at least one row; found none"),
        ("illness\nFlu\n", "t.csv: expected a table of at least two columns, who and what; found one"),
        ("person,illness\na\n", "t.csv:2: expected 2 cells in the row; found 1"),
        ("person,person\na,b\n", "t.csv:1: expected each column once; found one name for columns 1 and 2"),
    ],
)
def test_tables_that_are_none(text: str, what: str, folder: Path, call: Call) -> None:
    Path("t.csv").write_text(text)
    told = call("init", "t.csv", "--identifier", "person", "--private", "illness")
    assert (told.status, told.out, told.err) == (2, "", f"{what}\n")
    assert [path.name for path in folder.iterdir()] == ["t.csv"]


def test_a_missing_header_is_noticed_and_not_shown(folder: Path, call: Call) -> None:
    rows = [f"WHO{i},{40 + i},male,CELL{i % 2},2024-05-0{i % 8 + 1}" for i in range(9)]
    Path("t.csv").write_text("\n".join(rows) + "\n")
    told = call("init", "t.csv")
    assert told.status == 2
    assert told.err.startswith("t.csv:1: expected column names; found a line of which 4 of 5 parts look like cells")
    assert "WHO" not in told.err
    assert "CELL" not in told.err


@pytest.mark.parametrize("header", ["person,2022,2023,2024", "0,1,2,3", "1,2,3,4"])
def test_names_may_be_years_and_places(header: str, folder: Path, call: Call) -> None:
    Path("t.csv").write_text(f"{header}\n" + "".join(f"p{i},{i % 2 + 7},{i % 3 + 7},x{i % 2}\n" for i in range(9)))
    first, *_, last = header.split(",")
    assert call("init", "t.csv", "--identifier", first, "--private", last).err == ""


def test_one_row_and_nobody(folder: Path, call: Call) -> None:
    Path("t.csv").write_text("person,age,illness\nann,30,Flu\n")
    told = call("init", "t.csv", "--identifier", "person", "--private", "illness", "--json")
    assert (told.status, told.err) == (1, "")
    Path("t.yaml").unlink()
    told = call("init", "t.csv", "--identifier", "none", "--private", "illness", "--quasi", "age", "--json")
    assert (told.status, told.err) == (1, "")
    release = deniable.load("t.yaml")
    assert (release.identifier, list(release.views), release.require.breach) == ((), ["values"], None)


# What is proposed


PROPOSED = {
    "a person before a visit": ("visit_id,patient_id,ward,diagnosis", lambda i: f"v{i},p{i % 20},{i % 3},d{i % 4}",
                                ["patient_id"], "diagnosis"),
    "a number before a name": ("name,ssn,town,wage", lambda i: f"n{i % 40},{i:09},{i % 3},{i % 7}", ["ssn"], "wage"),
    "two names": ("First Name,Last Name,town,religion", lambda i: f"f{i % 9},l{i % 11},{i % 3},{i % 4}",
                  ["First Name", "Last Name"], "religion"),
    "nothing but cells": ("a,b,c", lambda i: f"{i % 3},z{i},{i % 4}", ["b"], "c"),
    "no identifier": ("age,sex,income", lambda i: f"{i % 9},{i % 2},{i % 7}", [], "income"),
    "counts of people": ("members,persons,debt", lambda i: f"{i % 3},{i % 4},{i % 5}", [], "debt"),
    "health before money": ("person,salary,illness", lambda i: f"{i},{i % 9},{i % 5}", ["person"], "illness"),
    "few have it": ("person,salary,hiv", lambda i: f"{i},{i % 9},{int(i > 56)}", ["person"], "salary"),
    "the date of a diagnosis": ("person,diagnosis date,town,finding", lambda i: f"{i},{i % 9},{i % 5},{i % 3}",
                                ["person"], "finding"),
    "Spanish": ("DNI,sexo,códigoPostal,enfermedad", lambda i: f"{i:08}X,{i % 2},{i % 5},{i % 3}",
                ["DNI"], "enfermedad"),
    "French": ("matricule,âge,ville,salaire", lambda i: f"{i:05},{i % 9},{i % 5},{i % 3}", ["matricule"], "salaire"),
    "Italian": ("Codice Fiscale,età,comune,reddito", lambda i: f"C{i},{i % 9},{i % 5},{i % 3}",
                ["Codice Fiscale"], "reddito"),
    "Dutch": ("BSN,geslacht,woonplaats,inkomen", lambda i: f"{i:09},{i % 2},{i % 5},{i % 3}", ["BSN"], "inkomen"),
}  # fmt: skip


@pytest.mark.parametrize("case", PROPOSED)
def test_what_is_proposed(case: str, folder: Path) -> None:
    header, row, identifier, private = PROPOSED[case]
    Path("t.csv").write_text("\n".join([header, *map(row, range(60))]) + "\n")
    found = begin("t.csv", identifier=None, private=None, quasi=None, encoding=None, out=None, engine="duckdb")
    assert (list(found.identifier), found.private) == (identifier, private)


def test_somebody_with_several_rows(folder: Path, call: Call) -> None:
    Path("t.csv").write_text("person,town,illness\n" + "".join(f"p{i % 20},{i % 3},d{i % 4}\n" for i in range(60)))
    assert call("init", "t.csv", "--identifier", "person", "--private", "illness").err == ""
    views = deniable.load("t.yaml").views
    assert views["people"].startswith("SELECT DISTINCT person")
    assert views["values"].startswith("SELECT town")


def test_nulls_and_prose(folder: Path, call: Call) -> None:
    rows = [
        f"{i},,{'' if i % 3 else 'x'},{'long words ' * 9}{i % 150},{1000 + i - i % 20 // 19},d{i % 2}"
        for i in range(200)
    ]
    Path("t.csv").write_text("\n".join(["person,nothing,some,remark,till,illness", *rows]) + "\n")
    told = call("init", "t.csv", "--identifier", "person", "--private", "illness", "--json")
    assert told.err == ""
    why = {column["name"]: column["why"] for column in json.loads(told.out)["columns"]}
    assert why["nothing"] == "it has no cell"
    assert why["some"] == "others may know it, unless you know better; 1 value and 133 rows without"
    assert why["remark"] == "free text of up to 102 characters: nobody knows what stands in it"
    assert why["till"] == "190 of its 200 cells are different: nearly whoever knows one knows the person"
    assert roles(told.out)["till"] is None


# Odd names


ODD = [
    "select", "order", "null", "~", "yes", "007", "a: b", "a #b", "- a", "'a'", '"a"', 'a"b', "a'b", "{a}", "[a]",
    "a,b", "*a", "&a", "!a", "%a", "@a", "`a`", "|", ">", "?", "a\\b", " a ", "größe→", "年齢", "a.b", "FROM t", "--",
    "/*", "a;b", "\u2028x", "x\u0085", "\u200bx", "🙂", "\ta", "#", "a:", "none", "\ufeffy", "x\x1b[31m",
]  # fmt: skip


def insist_round_trip(names: Sequence[str]) -> None:
    """A table with these columns gets a release file that names them, and fits."""
    with open("t.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["person", *names, "illness"])
        writer.writerows([f"p{i}", *(i % (2 + k % 2) for k, _ in enumerate(names)), f"d{i % 3}"] for i in range(12))
    made = deniable.init("t.csv", identifier=["person"], private="illness", quasi=names)
    release = deniable.load("t.yaml")
    assert release.quasi == tuple(names)
    checked = deniable.check("t.yaml")
    assert [view.columns for view in checked.views] == [("person", *names), (*names, "illness")]
    assert made.verdict.release == release


def test_odd_names(folder: Path) -> None:
    insist_round_trip(ODD)


def is_a_name(text: str) -> bool:
    """Where most columns are called as their cells look, the first line is not taken for a header."""
    return bool(text.strip()) and (any(map(str.isalpha, text)) or not any(map(str.isnumeric, text)))


letters = st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\r\n\0")
some_names = st.lists(
    st.text(letters, min_size=1, max_size=6).filter(is_a_name),
    min_size=4, max_size=8, unique_by=lambda name: name.lower(),
)  # fmt: skip


@settings(max_examples=few(8, nightly=1_000))  # tables, of several names each
@given(some_names)
def test_any_names(names: list[str]) -> None:
    folder = tempfile.mkdtemp()
    try:
        with chdir(folder):
            insist_round_trip(names)
    finally:
        shutil.rmtree(folder)


def test_names_in_options(folder: Path, call: Call) -> None:
    """A name that holds a comma stands in quotes, unless it is alone."""
    Path("t.csv").write_text('person,"a,b",c,illness\n' + "".join(f"p{i},{i % 2},{i % 3},d{i % 2}\n" for i in range(9)))
    for quasi, found in (("a,b", ("a,b",)), ('"a,b",c', ("a,b", "c")), ("c", ("c",)), ("none", ())):
        told = call("init", "t.csv", "--identifier", "person", "--private", "illness", "--quasi", quasi)
        assert (told.status, told.err) == (1, "")
        assert deniable.load("t.yaml").quasi == found
        Path("t.yaml").unlink()


def test_no_cell_is_shown_or_written(folder: Path, call: Call) -> None:
    write()
    told = call("init", "clinic.csv", *OPTIONS)
    shown = told.out + told.err + Path("clinic.yaml").read_text() + call("init", "clinic.csv", "--out", "b.yaml").err
    Path("clinic.yaml").unlink()
    shown += call("init", "clinic.csv", *OPTIONS, "--json").out
    assert [cell for cell in ("WHO0", "CELL", "@x.org", "02139", "here,", "CELL0") if cell in shown] == []


# A terminal


# The terminal is the process's own, so that its keys are heard; also where a shell had it ignore them.
SITTING = """
import fcntl, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
from deniable.cli import run
run()
"""


def sit(folder: Path, *typed: str, arguments: Sequence[str] = ("clinic.csv",)) -> tuple[int, str]:
    """What somebody sees who sits at a terminal and types these, each when asked."""
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SITTING, "init", *arguments],
        stdin=follower, stdout=follower, stderr=follower, cwd=folder, start_new_session=True,
        env={**os.environ, "COLUMNS": "300", "TERM": "dumb"},
    )  # fmt: skip
    os.close(follower)
    patience = threading.Timer(300, process.kill)
    patience.start()
    shown, keys = b"", list(typed)
    with suppress(OSError):  # the other side is gone
        while block := os.read(leader, 1 << 16):
            shown += block
            while keys and shown.count(b"]: ") > len(typed) - len(keys):
                os.write(leader, keys.pop(0).encode())
    os.close(leader)
    patience.cancel()
    return process.wait(), shown.decode().replace("\r\n", "\n")


def test_enter_accepts(folder: Path) -> None:
    write()
    status, shown = sit(folder, "\n", "\n", "\n")
    assert status == 1
    assert "who is it about (identifier) [patient id]: " in shown
    assert "what must nobody learn of them (private) [diagnosis]: " in shown
    assert "what may others know of them (quasi) [age,zip,visits]: " in shown
    assert shown.index("its name says that it names people") < shown.index("who is it about")
    assert "wrote clinic.yaml; its first audit:" in shown
    assert shown.count("its name says that it names people") == 1
    release = deniable.load("clinic.yaml")
    assert (release.identifier, release.private, release.quasi) == (
        ("patient id",),
        "diagnosis",
        ("age", "zip", "visits"),
    )
    assert "CELL" not in shown


def test_answers_change_what_is_proposed_next(folder: Path) -> None:
    write()
    status, shown = sit(folder, "email\n", "incom\n", "income,age\n", "email\n", "income\n", "age, zip\n")
    assert status == 0
    assert "unknown column incom (did you mean income?)" in shown
    assert "expected one column; found 2" in shown
    assert "expected a column of one role; found email in another too" in shown
    release = deniable.load("clinic.yaml")
    assert (release.identifier, release.private, release.quasi) == (("email",), "income", ("age", "zip"))


def test_a_list_of_columns_that_is_none_is_refused(folder: Path, call: Call) -> None:
    """Seen in a campaign: Python's reader of lists refused it, and nobody heard."""
    write()
    told = call("init", "clinic.csv", "--identifier", "patient id", "--private", "diagnosis", "--quasi", "age\rzip")
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("--quasi: unknown column")


def test_none_is_none(folder: Path) -> None:
    write()
    assert sit(folder, "none\n", "\n", "none\n")[0] == 0
    release = deniable.load("clinic.yaml")
    assert (release.identifier, release.private, release.quasi) == ((), "diagnosis", ())


def test_what_was_said_is_not_asked(folder: Path) -> None:
    write()
    status, shown = sit(folder, "\n", "\n", arguments=("clinic.csv", "--private", "income"))
    assert status == 1
    assert "what must nobody learn" not in shown
    assert deniable.load("clinic.yaml").private == "income"
    status, shown = sit(folder, arguments=("clinic.csv", *OPTIONS, "--out", "b.yaml"))
    assert status == 1
    assert "who is it about" not in shown
    status, shown = sit(folder, arguments=("clinic.csv", "--out", "c.yaml", "--json"))
    assert status == 2


@pytest.mark.parametrize("key", ["\x04", "\x03"], ids=["the end", "Ctrl-C"])
def test_somebody_leaves(key: str, folder: Path) -> None:
    write()
    status, shown = sit(folder, "\n", key)
    assert (status, "interrupted" in shown) == (3, True)
    assert [path.name for path in folder.iterdir()] == ["clinic.csv"]


# A table where a release file is expected


NEEDED = {
    "bucketize": ["--r", "2", "--out", "groups"], "utility": ["--release", "."], "explain": ["--who", "WHO001"],
    "republish": ["--out", "first", "--begin"],
}  # fmt: skip
WITH_SPEC = [name for name, command in main.commands.items() if any(p.name == "spec" for p in command.params)]


@pytest.mark.parametrize("name", WITH_SPEC)
def test_a_table_is_no_release_file(name: str, folder: Path, call: Call) -> None:
    write()
    told = call(name, "clinic.csv", *NEEDED.get(name, ()))
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("clinic.csv: ")
    assert "deniable init clinic.csv" in told.err
    assert told.err.count("\n") == 1
    missing = call(name, "nowhere.csv", *NEEDED.get(name, ()))
    assert missing.status == 2
    assert [path.name for path in folder.iterdir()] == ["clinic.csv"]


def test_a_table_is_no_release_file_in_python(folder: Path) -> None:
    write()
    with pytest.raises(deniable.BadInput, match=r"clinic\.csv: this is a table; expected a release file"):
        deniable.audit("clinic.csv")
    with pytest.raises(deniable.BadInput, match="no such file"):
        deniable.audit("nowhere.csv")


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_table_that_is_damaged_anywhere_is_said_to_be(ending: str, call: Call, tmp_path: Path) -> None:
    text = "\n".join([HEADER, *map(line, range(60))]).encode() + b"\n"
    whole = gzip.compress(text, mtime=0) if ending == "gz" else pa.compress(text, codec="zstd", asbytes=True)
    with chdir(tmp_path):
        for at in range(0, len(whole), max(1, len(whole) // 25)):
            Path(f"t.csv.{ending}").write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
            done = call("init", f"t.csv.{ending}", *OPTIONS)
            assert done.status in (0, 1, 2), (at, done.err)
            assert "CELL" not in done.err
            Path("t.yaml").unlink(missing_ok=True)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_columns_of_a_wide_table_are_looked_for_among_few(
    ending: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each query about 100 columns of 1,000 read all of them 100 times: the time grew with the square."""
    names = [f"c{i}" for i in range(12)]
    cells = {name: [f"x{i}{k}" for k in range(4)] for i, name in enumerate(names)}
    if ending == "csv":
        lines = [names, *([cells[name][k] for name in names] for k in range(4))]
        Path("wide.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    else:
        pq.write_table(pa.table(cells), "wide.parquet")
    plain = profile.look(f"wide.{ending}", None, "duckdb")
    asked = []

    def facts(source: object, columns: Sequence[str]) -> object:
        asked.append(str(source))
        return real(source, columns)

    real: Any = queries.facts
    monkeypatch.setattr(queries, "facts", facts)
    monkeypatch.setattr(profile, "_AT_ONCE", 5)
    monkeypatch.setattr(profile, "_FEW", 3)  # rows
    assert profile.look(f"wide.{ending}", None, "duckdb") == plain
    assert len(set(asked)) == 3  # tables of 5, 5 and 2 columns


def test_a_first_release_of_a_wide_table_has_a_hundred_columns(call: Call, folder: Path) -> None:
    """Those that others know by their name are among them wherever they stand; a reason stands beside all others."""
    names = ["person", *(f"c{i}" for i in range(1_000)), "postcode", "age", "diagnosis"]
    rows = [[f"p{k}", *(f"{k % 3}" for _ in range(1_000)), f"0{k % 2}", f"{k % 4}", f"d{k % 2}"] for k in range(8)]
    Path("t.csv").write_text("".join(",".join(line) + "\n" for line in (names, *rows)))
    told = call("init", "t.csv", "--identifier", "person", "--private", "diagnosis")
    assert told.status in (0, 1)
    release = deniable.load("t.yaml")
    assert release.quasi == (*(f"c{i}" for i in range(98)), "postcode", "age")
    more = "902 more columns: at most 100 are in a first release; add those that you publish"
    assert f"#   {more}\n" in Path("t.yaml").read_text()
    assert "c98" not in Path("t.yaml").read_text()
    assert f"\n\n{more}\n\nwrote t.yaml" in told.out
    assert "c98" not in told.out
    Path("t.yaml").unlink()
    more = ",".join(f"c{i}" for i in range(200))
    assert call("init", "t.csv", "--identifier", "person", "--private", "diagnosis", "--quasi", more).status in (0, 1)
    assert len(deniable.load("t.yaml").quasi) == 200  # as somebody said


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_cells_of_many_columns_of_few_rows_are_counted_together(
    ending: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query for each of 10,000 columns took a minute. What is counted is the same."""
    cells = {
        "name": ["ann", "bob", "cem", None, ""],
        "code": ["007", "008", "007", "01", "02"],
        "mail": ["a@x", "b@x", None, "a@x", "d@x"],
        "pulse": ["60,5", "70", "70", "-1,0", "60,5"],
        "seen": ["2024-1-31", "2024-01-31", "2024-1-30", "no", None],
        "age": [30, 31, None, 30, -1],
        "mass": [1.5, 2.0, 1.5, 1e20, None],
        "born": [date(2001, 2, 3), date(2001, 2, 3), None, date(1, 1, 1), date(2024, 2, 29)],
        "left": [True, False, None, True, True],
        "none": [None] * 5,
        'it\'s "x"': ['it\'s "x"', "y", "y", "y", "z"],
    }
    table = pa.table({**cells, "wide": pa.array([10**25, 1, 1, None, 2], pa.decimal128(38))})
    if ending == "csv":
        with Path("wide.csv").open("w", newline="") as file:
            csv.writer(file).writerows([table.column_names, *zip(*(c.to_pylist() for c in table.columns), strict=True)])
    else:
        pq.write_table(table, "wide.parquet")
    plain = profile.look(f"wide.{ending}", None, "duckdb")
    monkeypatch.setattr(profile, "_AT_ONCE", 5)
    monkeypatch.setattr(profile, "_OF_FEW_ROWS", 7)
    monkeypatch.setattr(queries, "facts", None)
    assert profile.look(f"wide.{ending}", None, "duckdb") == plain
    assert [column.name for column in plain.columns if column.named] == ['it\'s "x"']
