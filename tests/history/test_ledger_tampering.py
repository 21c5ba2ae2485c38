"""`verify` notices whatever is changed in a ledger, a test for each kind of change; it repairs nothing."""

# ruff: noqa: E501

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from deniable import api
from tests.history.again import republish

RELEASE = """\
table: table.csv
identifier: name
quasi: [age, born, city]
private: problem
republish: {m: 3, n: 2}
algorithm: cor-split
"""


def rows(first: int, last: int) -> str:
    lines = ["name,age,born,city,problem\n"]
    for k in range(first, last):
        of = random.Random(k)
        city = '"a|b, c"' if k % 5 == 0 else of.choice("defg")
        lines.append(f"p{k},{of.randrange(99)},20{of.randrange(10, 99)}-01-01,{city},{'uvwxyz'[k % 6]}\n")
    return "".join(lines)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three releases, with counterfeits in the second."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "release.yaml").write_text(RELEASE)
    for number, (first, last) in enumerate([(0, 42), (10, 45), (13, 49)], 1):
        (folder / "table.csv").write_text(rows(first, last))
        done = republish(folder / "release.yaml", folder / f"out{number}", audit=False, seed=number)
        assert bool(done.counterfeits) == (number == 2)
    assert api.verify(folder / "release.yaml").mismatches == ()
    return folder


UNTIED = "DROP TABLE links"  # invariants must hold by themselves: the chain of digests notices every change


def verified(made: Path, tmp_path: Path, *statements: str, arguments: tuple[object, ...] = ()) -> list[str]:
    folder = tmp_path / "work"
    shutil.copytree(made, folder)
    (folder / "release.ledger.journal").unlink()
    with duckdb.connect(str(folder / "release.ledger")) as connection:
        connection.execute(UNTIED)
        for statement in statements:
            connection.execute(statement, arguments or None)
    before = (folder / "release.ledger").read_bytes()
    found = api.verify(folder / "release.yaml")
    assert (folder / "release.ledger").read_bytes() == before
    return list(found.mismatches)


A_PERSON = "(SELECT min(person) FROM seats WHERE release = 2 AND person >= 0)"
ONE_GROUP = "(SELECT min(grp) FROM groups WHERE release = 2)"
REAL = "release = 2 AND person >= 0"
SEATS = [
    ("a seat moved", f"UPDATE seats SET grp = grp % 5 + 1 WHERE release = 2 AND person = {A_PERSON}",
     "1 groups have values that are not equally often" ),
    ("a seat of a person who is nowhere", f"UPDATE seats SET person = 999 WHERE release = 2 AND person = {A_PERSON}",
     "1 seats are of nobody in the ledger"),
    ("a seat taken from a person", f"UPDATE seats SET person = -999 WHERE release = 2 AND person = {A_PERSON}",
     "release 2: 1 groups have other counterfeits than published"),
    ("a person made a ghost", f"UPDATE seats SET ghost = true WHERE release = 2 AND person = {A_PERSON}",
     "release 2: 1 groups have other counterfeits than published"),
    ("a value of a seat changed", f"UPDATE seats SET value = (value + 1) % 6 WHERE release = 2 AND person = {A_PERSON}",
     "1 seats have another value than their person"),
    ("a seat deleted", f"DELETE FROM seats WHERE release = 2 AND person = {A_PERSON}",
     "1 groups have other values than their signature"),
    ("a seat twice", f"INSERT INTO seats FROM seats WHERE release = 2 AND person = {A_PERSON}",
     "1 people are in a release more than once"),
    ("a counterfeit added", f"INSERT INTO seats VALUES (2, {ONE_GROUP}, -999, 0, false)",
     "1 groups have values that are not equally often"),
    ("a counterfeit deleted", "DELETE FROM seats WHERE release = 2 AND person < 0",
     "release 2: 1 groups have other counterfeits than published"),
    ("a seat in a group that is not there", f"UPDATE seats SET grp = 999 WHERE release = 2 AND person = {A_PERSON}",
     "1 seats are in no group"),
    ("a seat in a release that is not there", f"UPDATE seats SET release = 9 WHERE release = 2 AND person = {A_PERSON}",
     "1 seats are in no group"),
]  # fmt: skip
PEOPLE = [
    ("a person's value changed", f"UPDATE people SET value = (value + 1) % 6 WHERE person = {A_PERSON}",
     "seats have another value than their person"),
    ("a person's signature changed",
     f"UPDATE people SET signature = 1 - signature WHERE person = {A_PERSON}",
     "1 people are under another signature than before"),
    ("a person deleted", f"DELETE FROM people WHERE person = {A_PERSON}", "seats are of nobody in the ledger"),
    ("a person twice", f"INSERT INTO people FROM people WHERE person = {A_PERSON}",
     "1 people are in the ledger twice"),
    ("an identifier of two people", f"UPDATE people SET i0 = 'p40' WHERE person = {A_PERSON}",
     "1 identifiers are of more than one person"),
    ("a person without a seat", "INSERT INTO people SELECT * REPLACE (999 AS person, 'new' AS i0) FROM people LIMIT 1",
     "1 people have no seat"),
    ("a number that is too large", f"UPDATE people SET q0 = '1000' WHERE person = {A_PERSON}",
     "release 2: 1 people are not within what their group says"),
    ("a number that is gone", f"UPDATE people SET q0 = NULL WHERE person = {A_PERSON}",
     "release 2: 1 people are not within what their group says"),
    ("a date that is too early", f"UPDATE people SET q1 = '1900-01-01' WHERE person = {A_PERSON}",
     "release 2: 1 people are not within what their group says"),
    ("a category that is not there", f"UPDATE people SET q2 = 'b' WHERE person = {A_PERSON}",
     "release 2: 1 people are not within what their group says"),
]  # fmt: skip
GROUPS = [
    ("a group's signature changed", f"UPDATE groups SET signature = 1 - signature WHERE release = 2 AND grp = {ONE_GROUP}",
     "1 groups have other values than their signature"),
    ("a group's signature that is not there", f"UPDATE groups SET signature = 99 WHERE release = 2 AND grp = {ONE_GROUP}",
     "1 groups have other values than their signature"),
    ("a group deleted", f"DELETE FROM groups WHERE release = 2 AND grp = {ONE_GROUP}", "seats are in no group"),
    ("a group twice", f"INSERT INTO groups FROM groups WHERE release = 2 AND grp = {ONE_GROUP}",
     "1 groups are in a release more than once"),
    ("a group of nobody", "INSERT INTO groups VALUES (2, 999, 0, NULL)", "1 groups have no people"),
    ("a signature with another value",
     "UPDATE signatures SET value = 5 - value WHERE signature = 0 AND value = (SELECT min(value) FROM signatures WHERE signature = 0)",
     "groups have other values than their signature"),
    ("a signature without a value",
     "DELETE FROM signatures WHERE signature = 0 AND value = (SELECT min(value) FROM signatures WHERE signature = 0)",
     "groups have other values than their signature"),
    ("a value renamed", "UPDATE domain SET value = 'other' WHERE code = 2", "pairs of group and problem are not as published"),
    ("a value deleted", "DELETE FROM domain WHERE code = 2", "pairs of group and problem are not as published"),
]  # fmt: skip
RELEASES = [
    ("the last release deleted", "DELETE FROM releases WHERE release = 3", "seats are of a release that is not there"),
    ("an earlier release deleted", "DELETE FROM releases WHERE release = 2", "1 releases are not numbered from 1 on"),
    ("a release twice", "INSERT INTO releases FROM releases WHERE release = 3", "1 releases are not numbered from 1 on"),
    ("m raised", "UPDATE releases SET m = 6 WHERE release = 2", "groups have fewer than m values"),
    ("n raised", "UPDATE releases SET n = 6 WHERE release = 2", "groups are not hc-safe of degree 6"),
    ("files deleted", "DELETE FROM files_2", "release 2: its files are missing"),
    ("no files", "DROP TABLE files_2", "release 2: its files are missing"),
    ("a file deleted", "DELETE FROM files_2 WHERE name = 'release.csv'", "release 2: its files are missing"),
    ("a file of another release",
     "UPDATE files_2 f SET content = o.content, size = o.size FROM files_3 o WHERE f.name = o.name",
     "release 2: "),
    ("a file that is no longer compressed", "UPDATE files_2 SET content = 'abc'::BLOB",
     "release 2: its files cannot be read"),
    ("the size of a file changed", "UPDATE files_2 SET size = size + 1",
     "release 2: its files cannot be read"),
    ("another kind of column", "UPDATE releases SET kinds = ['number', 'date', 'date'] WHERE release = 2", "release 2: "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "wanted"),
    [pytest.param(*case[1:], id=case[0]) for case in (*SEATS, *PEOPLE, *GROUPS, *RELEASES)],
)
def test_a_changed_ledger(change: str, wanted: str, made: Path, tmp_path: Path) -> None:
    found = verified(made, tmp_path, change)
    assert [what for what in found if wanted in what], found
    assert not [what for what in found if "Traceback" in what]


@pytest.mark.parametrize(
    ("name", "old", "new", "wanted"),
    [
        ("release.csv", b",u\n", b",v\n", "pairs of group and problem are not as published"),
        ("release.csv", b",u\n", b",secret\n", "pairs of group and problem are not as published"),
        ("release.csv", b"\n1,", b"\n2,", "2 pairs of group and problem are not as published"),
        ("release.csv", b"\n1,", b"\nx,", "pairs of group and problem are not as published"),
        ("release.csv", b",u\n", b",u,u\n", "release 2: its files cannot be read"),
        ("release.csv", b"|d", b"|h", "people are not within what their group says"),
        ("counterfeits.csv", b",1\n", b",2\n", "groups have other counterfeits than published"),
        (
            "counterfeits.csv",
            b"group,count\n",
            b"group,count\n999,1\n",
            "groups have other counterfeits than published",
        ),
    ],
)
def test_changed_files(name: str, old: bytes, new: bytes, wanted: str, made: Path, tmp_path: Path) -> None:
    content = (made / "out2" / name).read_bytes()
    assert old in content
    content = content.replace(old, new, 1)
    packed = pa.compress(content, codec="zstd", asbytes=True)
    change = "UPDATE files_2 SET size = ?, content = ? WHERE name = ?"
    found = verified(made, tmp_path, change, arguments=(len(content), packed, name))
    assert [what for what in found if wanted in what], found
    assert "secret" not in str(found)


def test_files_of_all_releases_in_one_table_as_ledgers_once_had_them(made: Path, tmp_path: Path) -> None:
    older = ["CREATE TABLE files (release INTEGER, name VARCHAR, size BIGINT, content BLOB)"]
    for release in (1, 2):
        older += [f"INSERT INTO files SELECT {release}, * FROM files_{release}", f"DROP TABLE files_{release}"]
    assert verified(made, tmp_path / "one", *older) == []
    found = verified(made, tmp_path / "two", *older, "DELETE FROM files WHERE release = 2")
    assert found == ["release 2: its files are missing"]


def test_people_who_change_places(made: Path, tmp_path: Path) -> None:
    """Two people of one value and one signature: every count is right, yet what is published does not cover them."""
    pair = (
        "SELECT a.person, b.person, a.grp, b.grp FROM seats a JOIN seats b ON a.release = b.release "
        "AND a.value = b.value AND a.grp < b.grp JOIN people p ON p.person = a.person JOIN people q ON "
        "q.person = b.person WHERE a.release = 2 AND p.signature = q.signature AND p.q2 <> q.q2 ORDER BY ALL LIMIT 1"
    )
    with duckdb.connect(str(made / "release.ledger"), read_only=True) as connection:
        ((one, other, here, there),) = connection.execute(pair).fetchall()
    found = verified(
        made, tmp_path, f"UPDATE seats SET grp = CASE person WHEN {one} THEN {there} ELSE {here} END "
        f"WHERE release = 2 AND person IN ({one}, {other})",
    )  # fmt: skip
    assert [what for what in found if "are not within what their group says" in what], found


def test_hc_safety_is_what_its_definition_says(tmp_path: Path) -> None:
    """Groups made without it, held to degree 2: of a group of q rows, q - 1 were together before."""
    (tmp_path / "release.yaml").write_text(RELEASE.replace("cor-split", "m-invariance"))
    for number, (first, last) in enumerate([(0, 42), (10, 45), (13, 49)], 1):
        (tmp_path / "table.csv").write_text(rows(first, last))
        republish(tmp_path / "release.yaml", tmp_path / f"out{number}", audit=False, seed=number)
    groups: dict[tuple[int, int], set[int]] = {}
    with duckdb.connect(str(tmp_path / "release.ledger")) as connection:
        connection.execute(UNTIED)
        connection.execute("UPDATE releases SET n = 2")
        for release, group, person in connection.execute("SELECT release, grp, person FROM seats").fetchall():
            groups.setdefault((release, group), set()).add(person)
    unsafe = {
        (release, group)
        for (release, group), here in groups.items()
        if any(earlier < release and len(here & there) == len(here) - 1 for (earlier, _), there in groups.items())
    }
    counts = {release: sum(one == release for one, _ in unsafe) for release in (2, 3)}
    wanted = [f"release {release}: {count} groups are not hc-safe of degree 2" for release, count in counts.items()]
    assert min(counts.values()) > 0
    assert list(api.verify(tmp_path / "release.yaml").mismatches) == wanted


def test_the_command(made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from deniable.cli import run

    shutil.copytree(made, tmp_path / "work")
    with duckdb.connect(str(tmp_path / "work" / "release.ledger")) as connection:
        connection.execute(UNTIED)
        for release in (1, 2, 3):
            connection.execute(f"DELETE FROM files_{release}")
    with pytest.raises(SystemExit) as stopped:
        run(["ledger", str(tmp_path / "work" / "release.yaml"), "--verify"])
    assert stopped.value.code == 1
    lines = capfd.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [f"release {k}: its files are missing" for k in (1, 2, 3)]


@pytest.fixture(scope="module")
def stable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases of stable groups."""
    folder = tmp_path_factory.mktemp("stable")
    (folder / "release.yaml").write_text(RELEASE.replace("cor-split", "stable"))
    for number, (first, last) in enumerate([(0, 42), (10, 45)], 1):
        (folder / "table.csv").write_text(rows(first, last))
        republish(folder / "release.yaml", folder / f"out{number}", audit=False, seed=number)
    return folder


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("UPDATE releases SET state = NULL", "the last release does not say what its groups remember"),
        ("UPDATE releases SET state = 'abc' WHERE release = 2", "what stable groups remember cannot be read"),
        (
            "UPDATE seats SET ghost = NOT ghost WHERE release = 2 AND person = (SELECT max(person) FROM seats)",
            "what stable groups remember is not what the last release's seats say",
        ),
    ],
)
def test_changed_memory(statement: str, wanted: str, stable: Path, tmp_path: Path) -> None:
    assert verified(stable, tmp_path) == []
    shutil.rmtree(tmp_path / "work")
    assert wanted in verified(stable, tmp_path, statement)
