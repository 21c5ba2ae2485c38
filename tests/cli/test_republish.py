"""`deniable republish` and `ledger`: the words, columns and figures they promise."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import product
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call
from tests.mistakes.test_mistakes import call_without_privileges

QUIET = "--no-audit"


def read(path: str | Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def listing() -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in Path().rglob("*")}


def people(first: int, last: int, values: str = "uvwxyz") -> str:
    rows = [f"p{k},{20 + k * 7 % 60},{'abc'[k % 3]},{values[k % len(values)]}\n" for k in range(first, last)]
    return "".join(["name,age,city,problem\n", *rows])


def ward(table: str, republish: str = "{m: 3, n: 2}", more: str = "") -> None:
    Path("ward.csv").write_text(table)
    Path("ward.yaml").write_text(
        "table: ward.csv\nidentifier: name\nquasi: [age, city]\nprivate: problem\n"
        f"republish: {republish}\nalgorithm: cor-split\nledger: book.ledger\n{more}"
    )


def first_or_same(number: int) -> tuple[str, ...]:
    """The options of a first release, and of one with the same table."""
    return ("--begin",) if number == 1 else ("--unusual", "same-table")


def test_two_releases(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    told = call("republish", "ward.yaml", "--out", "one", "--begin", QUIET)
    assert (told.status, told.err) == (0, "")
    assert told.out == (
        "release 1 is in one: 30 people (30 new) in 10 groups with 0 counterfeits; cor-split, m = 3, n = 2\n"
        "ledger: book.ledger, begun with this release\n"
        "1/3, the chance of a guess in this release, holds against somebody who knows nothing of how values are "
        "spread; what columns tell was not counted (--no-audit)\n"
        "publish one; keep secret book.ledger, its journal and ward.csv; back up book.ledger, without which no next "
        "release is safe\n"
    )
    rows = read("one/release.csv")
    assert list(rows[0]) == ["group", "age_low", "age_high", "city", "problem"]
    assert Path("one/counterfeits.csv").read_text() == "group,count\n"
    assert Counter(row["problem"] for row in rows) == Counter("uvwxyz" * 5)
    ward(people(6, 33))
    made = json.loads(call("republish", "ward.yaml", "--out", "two", "--json").out)
    exposure, last = made.pop("exposure"), made.pop("last")
    assert last["release"] == 1
    assert [one["given"] for one in made.pop("without_knowledge")] == ["age", "city"]
    assert made.pop("tells_most") == "age"
    counterfeits = sum(int(row["count"]) for row in read("two/counterfeits.csv"))
    assert made == {
        "schema": "deniable.republish.v1",
        "release": 2, "ledger": "book.ledger", "algorithm": "cor-split", "m": 3, "n": 2, "people": 27, "newcomers": 3,
        "groups": len({row["group"] for row in read("two/release.csv")}), "counterfeits": counterfeits,
        "withheld": 0, "changed": 0, "renamed": {}, "added": [], "finished": None, "dry_run": False,
            "forwarded": None, "formulas": 0, "holds_for": ["somebody who knows nothing"],
    }  # fmt: skip
    assert len(read("two/release.csv")) == 27 + counterfeits
    assert set(exposure) >= {"known", "people", "releases", "exposed", "undecided", "promised"}
    assert (exposure["known"], exposure["people"], exposure["releases"]) == (0.04, 32, 2)
    assert 0 <= exposure["exposed"] + exposure["undecided"] <= 32


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_ledger(ending: str, folder: Path, call: Call) -> None:
    ward(people(0, 12))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    told = call("ledger", "ward.yaml", "--out", f"book.{ending}")
    assert (told.status, told.out, told.err) == (0, f"wrote book.{ending}\n", "")
    rows = read("book.csv") if ending == "csv" else pq.read_table("book.parquet").to_pylist()
    assert list(rows[0]) == ["release", "group", "name", "problem"]
    assert {row["name"]: row["problem"] for row in rows} == {f"p{k}": "uvwxyz"[k % 6] for k in range(12)}
    assert call("ledger", "ward.yaml").out.startswith("book.ledger: 1 release with 12 seats of 12 people, last ")
    document = json.loads(call("ledger", "ward.yaml", "--json").out)
    assert (document["releases"], document["seats"], document["people"]) == (1, 12, 12)
    told = call("ledger", "ward.yaml", "--verify")
    assert (told.status, told.out) == (0, "book.ledger: 1 release, every invariant holds\n")
    checked = json.loads(call("ledger", "ward.yaml", "--verify", "--json").out)
    assert checked == {"schema": "deniable.verify.v1", "releases": 1, "verified": True, "mismatches": []}


@pytest.mark.parametrize("releases", [0, 1])
def test_dry_run_writes_nothing(releases: int, folder: Path, call: Call) -> None:
    ward(people(0, 30))
    if releases:
        assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    ward(people(0, 36))
    before = listing()
    begin = () if releases else ("--begin",)
    told = call("republish", "ward.yaml", "--out", "two", "--dry-run", *begin)
    assert told.status == 0
    assert told.out.startswith(f"release {releases + 1} would be 36 people ({6 if releases else 36} new) in ")
    assert " expose" in told.out
    assert listing() == before
    told = call("republish", "ward.yaml", "--out", "two", "--dry-run", "--json", *begin)
    assert json.loads(told.out)["dry_run"] is True
    assert listing() == before


def test_withheld_people_come_later(folder: Path, call: Call) -> None:
    skewed = people(0, 12) + "q1,30,a,u\nq2,31,b,u\nq3,32,c,u\nq4,33,a,u\n"
    ward(skewed, "{m: 6, n: 2, counterfeits: {at_most: 0}}")
    before = listing()
    told = call("republish", "ward.yaml", "--out", "one", "--begin", QUIET)
    assert (told.status, told.out) == (1, "")
    assert told.err == (
        "4 of 16 newcomers cannot be placed in groups of 6 values, counterfeits for 0 of the rows allowed: one problem "
        "has 37.5% of the newcomers, where 1/6 needs none; --withhold keeps 4 for the next release, who then "
        "count as exposed\n"
    )
    assert listing() == before
    options = ("--begin", "--withhold", QUIET, "--json", "--withheld", "kept.csv")
    made = json.loads(call("republish", "ward.yaml", "--out", "one", *options).out)
    assert (made["people"], made["withheld"]) == (12, 4)
    assert {row["name"] for row in read("kept.csv")} <= {f"q{k}" for k in range(1, 5)} | {"p0", "p6"}
    assert len(read("one/release.csv")) == 12
    others = "".join(f"r{k}{value},40,a,{value}\n" for k in range(4) for value in "vwxyz")
    ward(skewed + others, "{m: 6, n: 2, counterfeits: {at_most: 0}}")
    again = json.loads(call("republish", "ward.yaml", "--out", "two", "--withhold", QUIET, "--json").out)
    assert (again["people"], again["newcomers"], again["withheld"]) == (36, 24, 0)
    assert call("ledger", "ward.yaml", "--verify").status == 0


def test_nobody_can_be_placed(folder: Path, call: Call) -> None:
    ward(people(0, 12, "uv"))
    before = listing()
    told = call("republish", "ward.yaml", "--out", "one", "--begin", "--withhold", QUIET)
    assert (told.status, told.out) == (1, "")
    assert told.err == "nobody could be placed in a group of 3 values, so nothing is published\n"
    assert listing() == before


def test_a_later_release_that_cannot_be_had(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    ward(people(0, 30) + "".join(f"q{k},30,a,u\n" for k in range(30)))
    before = listing()
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert told.status == 1
    assert "one problem has 100.0% of the newcomers" in told.err
    assert listing() == before


@pytest.mark.parametrize(("limit", "status"), [(0, 1), (1, 0)])
def test_a_history_that_may_expose_so_many(limit: int, status: int, folder: Path, call: Call) -> None:
    """Half of the people are known, in groups of two."""
    history = f"require: {{history: {{exposed_at_most: {limit}, known: 0.5}}}}\n"
    ward(people(0, 80, "uv"), "{m: 2, n: 1}", history)
    before = listing()
    told = call("republish", "ward.yaml", "--out", "one", "--begin")
    assert told.status == status
    if status:
        assert told.out == ""
        assert "people would be exposed to somebody who reads all releases and knows 50.0% of the people: " in told.err
        assert told.err.endswith(" where history.exposed_at_most allows 0.00%; nothing was published\n")
        assert listing() == before
    else:
        assert " expose" in told.out


def test_n_is_chosen(folder: Path, call: Call) -> None:
    wish = "{{m: 6, compromise: 0.04, lifespan: {}, threshold: 0.1}}"
    for lifespan, n, chance in ((24, 3, "0.0956"), (21, 2, "0.0806")):
        ward(people(0, 60), wish.format(lifespan))
        out = call("republish", "ward.yaml", "--out", "one", "--begin", "--dry-run", QUIET).out
        assert f"cor-split, m = 6, n = {n}\n" in out
        assert (
            f"n = {n} is the least that keeps the chance of exposure by pairs of releases below 0.1: {chance}, "
            f"with 0.04 of the people known over {lifespan} releases\n"
        ) in out
    before = listing()
    ward(people(0, 60), wish.format(40))
    told = call("republish", "ward.yaml", "--out", "one", "--begin", QUIET)
    assert told.status == 1
    assert told.err.startswith(
        "no n below m = 6 keeps the chance of exposure under 0.1 with 0.04 of the people known over 40 releases; "
        "within reach: a threshold above "
    )
    least, longest = told.err.split("above ")[1].split(", or a lifespan of at most ")
    assert listing().keys() == before.keys()
    ward(people(0, 60), wish.format(int(longest)))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", "--dry-run", QUIET).status == 0
    ward(people(0, 60), wish.format(int(longest) + 1))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", "--dry-run", QUIET).status == 1
    ward(people(0, 60), wish.format(40).replace("threshold: 0.1", f"threshold: {float(least) * 1.001}"))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", "--dry-run", QUIET).status == 0
    ward(people(0, 60), wish.format(2000))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).err.endswith(
        "reach: a lifespan of at most 24\n"
    )


PATIENTS = {
    "Alice": "33,F,12000,Cancer", "Betty": "31,F,11000,Bronchitis", "Carl": "35,M,12000,AIDS",
    "Doris": "40,F,13000,Cancer", "Erica": "41,F,14000,AIDS", "Fiona": "37,F,13000,Bronchitis",
    "Grace": "42,F,13000,Bronchitis", "Hanna": "42,F,13000,Cancer",
}  # fmt: skip
SICK = ("AIDS", "Bronchitis", "Cancer")


def stays_possible(who: str, known: dict[str, str]) -> set[str]:
    """The values of one person in every world that fits all releases, by trying all of them."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in read("export.csv"):
        groups.setdefault((row["release"], row["group"]), []).append(row["name"])
    said = {key: Counter[str]() for key in groups}
    for release in {release for release, _ in groups}:
        for row in read(f"out{release}/release.csv"):
            said[release, row["group"]][row["problem"]] += 1
    found = set()
    for world in product(SICK, repeat=len(PATIENTS)):
        values = dict(zip(PATIENTS, world, strict=True))
        fits = all(Counter(values[name] for name in inside if name) <= said[key] for key, inside in groups.items())
        if fits and known.items() <= values.items():
            found.add(values[who])
    return found


@pytest.mark.parametrize(("algorithm", "possible"), [("m-invariance", 1), ("cor-split", 3)])
def test_the_papers_erica(algorithm: str, possible: int, folder: Path, call: Call) -> None:
    """Table 1 and Example 1 of the paper: whoever knows Carl reads Erica off m-invariant releases, not off ours."""
    Path("clinic.yaml").write_text(
        "table: clinic.csv\nidentifier: name\nquasi: [age, gender, zip]\nprivate: problem\nrepublish: {m: 3, n: 2}\n"
        f"algorithm: {algorithm}\n"
    )
    for number, names in ((1, "Alice Betty Carl Doris Erica Fiona"), (2, "Carl Doris Erica Fiona Grace Hanna")):
        rows = [f"{name},{PATIENTS[name]}\n" for name in names.split()]
        Path("clinic.csv").write_text("".join(["name,age,gender,zip,problem\n", *rows]))
        assert (
            call("republish", "clinic.yaml", "--out", f"out{number}", *(["--begin"] * (number == 1)), QUIET).status == 0
        )
    assert call("ledger", "clinic.yaml", "--out", "export.csv").status == 0
    found = stays_possible("Erica", {"Carl": "AIDS"})
    assert "AIDS" in found
    assert len(found) == possible


def test_people_who_changed(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    table = people(0, 30).replace("p3,41,a,x", "p3,41,a,SECRETCELL")
    ward(table)
    before = listing()
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert (told.status, told.out) == (2, "")
    assert told.err == (
        "ward.csv: expected everybody's problem and quasi-identifiers to be those of earlier releases; 1 person has "
        "others now (problem 1); --new-episode publishes them as somebody new; --new-episode --withhold "
        "--dry-run --changed FILE says who they are\n"
    )
    assert listing() == before
    ward(table.replace("p4,48,b,y", "p4,49,b,y").replace("p5,55,c,z", "p5,55,,z"))
    assert (
        "; 3 people have others now (problem 1, age 1, city 1); "
        in call("republish", "ward.yaml", "--out", "two", QUIET).err
    )
    ward(people(0, 30).replace("p4,48,b,y", "p4,49,b,y").replace("p5,55,c,z", "p5,55,,z"))
    made = json.loads(call("republish", "ward.yaml", "--out", "two", "--new-episode", QUIET, "--json").out)
    assert (made["people"], made["newcomers"]) == (30, 2)
    assert call("ledger", "ward.yaml", "--verify").status == 0
    assert (
        call("republish", "ward.yaml", "--out", "three", *first_or_same(3), QUIET).status == 0
    )  # they are who they are now


def test_the_same_numbers_written_otherwise(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    ward(people(0, 30).replace("p1,27,", "p1,27.0,") + "p30,30.5,a,u\np31,31,a,v\np32,32,b,w\n")
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert told.status == 2
    assert "types: {age: number} reads them as before" in told.err  # 27 beside 27.0 is text
    Path("ward.yaml").write_text(Path("ward.yaml").read_text() + "types: {age: number}\n")
    made = json.loads(call("republish", "ward.yaml", "--out", "two", QUIET, "--json").out)
    assert made["newcomers"] == 3
    assert call("ledger", "ward.yaml", "--verify").status == 0


def test_large_numbers_that_doubles_do_not_tell_apart(folder: Path, call: Call) -> None:
    ward(people(0, 30).replace("p1,27,", "p1,9007199254740992,"))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    ward(people(0, 30).replace("p1,27,", "p1,9007199254740993,"))
    assert "; 1 person has others now (age 1); " in call("republish", "ward.yaml", "--out", "two", QUIET).err


def test_a_ledger_about_other_columns(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    text = Path("ward.yaml").read_text()
    Path("ward.yaml").write_text(
        text.replace("identifier: name", "identifier: city").replace("[age, city]", "[age]")
        .replace("problem", "name")
    )  # fmt: skip
    Path("ward.csv").write_text("name,age,city,problem\nu,1,x,y\nv,2,y,y\nw,3,z,y\n")
    before = listing()
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert told.status == 2
    assert told.err == "".join(
        f"book.ledger: the ledger has {was}; found {found}: columns of earlier releases are kept, and one with another "
        f"name now is named by rename: {{{rename}}}; another table needs a ledger of its own\n"
        for was, found, rename in (
            ("identifier: name", "city", "city: name"), ("quasi: age, city", "age", "NEW: city"),
            ("private: problem", "name", "name: problem"),
        )
    )  # fmt: skip
    assert listing() == before
    ward(people(0, 31), "{m: 4, n: 2}")
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert told.status == 2
    assert told.err == "ward.yaml:5:16: republish.m: expected at most 3, as people were published before; found 4\n"


def test_a_release_that_was_not_written_out(folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    before = Path("one/release.csv").read_bytes()
    with duckdb.connect("book.ledger") as connection:
        connection.execute("UPDATE releases SET written = false")
    out = call("republish", "ward.yaml", "--out", "two", "--dry-run", QUIET).out
    assert out.startswith(
        "release 1 was committed by an earlier run and would be written out now\nledger: book.ledger, "
    )
    told = call("republish", "ward.yaml", "--out", "two", QUIET)
    assert (told.status, told.out.splitlines()[0]) == (
        0, "release 1 was committed by an earlier run and is written out now",
    )  # fmt: skip
    assert Path("two/release.csv").read_bytes() == before
    third = call("republish", "ward.yaml", "--out", "three", *first_or_same(2), QUIET, "--json")
    assert json.loads(third.out)["release"] == 2


def test_identifiers_of_two_columns_and_parquet(folder: Path, call: Call) -> None:
    rows = 24
    table = pa.table({
        "ward": ["a" if k < 12 else None for k in range(rows)], "bed": [k % 12 for k in range(rows)],
        "weight": [None if k == 5 else k + 0.5 for k in range(rows)], "problem": [k % 4 for k in range(rows)],
    })  # fmt: skip
    pq.write_table(table, "beds.parquet")
    Path("beds.yaml").write_text(
        "table: beds.parquet\nidentifier: [ward, bed]\nquasi: weight\nprivate: problem\nrepublish: {m: 4, n: 3}\n"
    )
    for k in (1, 2):
        assert call("republish", "beds.yaml", "--out", f"out{k}", *first_or_same(k), QUIET).status == 0
    assert call("ledger", "beds.yaml", "--verify").status == 0
    assert call("ledger", "beds.yaml", "--out", "book.csv").status == 0
    rows_of_second = [row for row in read("book.csv") if row["release"] == "2" and row["bed"]]
    assert list(rows_of_second[0]) == ["release", "group", "ward", "bed", "problem"]
    assert {(row["ward"], row["bed"]): row["problem"] for row in rows_of_second} == {
        ("a" if k < 12 else "", str(k % 12)): str(k % 4) for k in range(rows)
    }
    assert {row["weight_high"] for row in read("out1/release.csv")} >= {""}  # an unknown weight has no upper end


def test_odd_names_of_columns(folder: Path, call: Call) -> None:
    Path("odd.csv").write_text('"who, then","a ""b""","c\nd",e|f\n' + "".join(f"{k},{k},x,{k % 3}\n" for k in range(9)))
    Path("odd.yaml").write_text(
        'table: odd.csv\nidentifier: "who, then"\nquasi: [\'a "b"\', "c\\nd"]\nprivate: e|f\nrepublish: {m: 3, n: 2}\n'
    )
    assert call("republish", "odd.yaml", "--out", "out", "--begin", QUIET).status == 0
    assert list(read("out/release.csv")[0]) == ["group", 'a "b"_low', 'a "b"_high', "c\nd", "e|f"]
    told = call("ledger", "odd.yaml", "--verify")
    assert (told.status, told.out) == (0, "odd.ledger: 1 release, every invariant holds\n")


@pytest.mark.parametrize(
    ("closed", "mode", "wanted"),
    [
        ("book.ledger", 0o400, "book.ledger: expected a ledger that may be read and written; found no permission to\n"),
        ("two", 0o500, "--out: expected a folder that may be written to; found two\n"),
    ],
)
def test_permissions(closed: str, mode: int, wanted: str, folder: Path, call: Call) -> None:
    ward(people(0, 30))
    assert call("republish", "ward.yaml", "--out", "one", "--begin", QUIET).status == 0
    Path("two").mkdir()
    Path(closed).chmod(mode)
    before = listing()
    assert call_without_privileges(folder, "republish", "ward.yaml", "--out", "two", QUIET) == (2, "", wanted)
    assert listing() == before
