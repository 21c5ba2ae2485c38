"""`deniable linkage`, `bucketize` and `utility`: the words and columns they promise."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call

COLUMNS = [
    "person", "group", "disease", "adversary", "given", "probability", "lower", "upper", "bound", "reason",
]  # fmt: skip


def read(path: str) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_linkage(ending: str, examples: Path, call: Call) -> None:
    told = call("linkage", "ward.yaml", "--out", f"out.{ending}")
    assert (told.status, told.out, told.err) == (0, f"wrote out.{ending}\n", "")
    rows = read("out.csv") if ending == "csv" else pq.read_table("out.parquet").to_pylist()
    assert list(rows[0]) == COLUMNS
    assert len(rows) == 4 * 2 * 2
    alan = {(row["adversary"], row["disease"]): row for row in rows if int(row["person"]) == 1}
    assert float(alan["marginal", "Lung Cancer"]["probability"]) == pytest.approx(0.97363, abs=5e-6)
    assert float(alan["full", "Lung Cancer"]["probability"]) == pytest.approx(0.02 / 0.0206)
    for row in rows:
        assert row["bound"] == "exact"
        assert float(row["lower"]) <= float(row["probability"]) <= float(row["upper"])


def test_linkage_json(examples: Path, call: Call) -> None:
    document = json.loads(call("linkage", "ward.yaml", "--json").out)
    assert (document["people"], document["groups"]) == (4, 2)
    assert [one["adversary"] for one in document["adversaries"]] == ["marginal", "full"]
    assert [one["over"] for one in document["adversaries"]] == [1, 2]


@pytest.mark.parametrize(("limit", "status"), [(0.5, 1), (1, 0)])
def test_audit_of_linkage(limit: float, status: int, examples: Path, call: Call) -> None:
    Path("ward.yaml").write_text(Path("ward.yaml").read_text().replace("at_most: 0.5", f"at_most: {limit}"))
    told = call("audit", "ward.yaml", "--json")
    assert told.status == status
    checks = json.loads(told.out)["checks"]
    assert [(check["check"], check["adversary"]) for check in checks] == [("linkage", "marginal"), ("linkage", "full")]
    assert [check["over"] for check in checks] == ([1, 2] if status else [0, 0])


def test_utility(examples: Path, call: Call) -> None:
    Path("release").mkdir()
    Path("release/people.csv").write_text(Path("ward-people.csv").read_text())
    Path("release/values.csv").write_text(Path("ward-values.csv").read_text())
    told = call("utility", "ward.yaml", "--release", "release", "--queries", "50", "--out", "out.csv")
    assert (told.status, told.err) == (0, "")
    rows = read("out.csv")
    assert list(rows[0]) == [
        "selectivity", "queries", "median_error", "p25", "p75", "realised", "realised_p25", "realised_p75",
    ]  # fmt: skip
    assert [float(row["selectivity"]) for row in rows] == [0.01, 0.02, 0.05, 0.1]
    for row in rows:
        assert int(row["queries"]) == 50
        assert 0 <= float(row["p25"]) <= float(row["median_error"]) <= float(row["p75"])
        assert 0 < float(row["realised_p25"]) <= float(row["realised"]) <= float(row["realised_p75"]) <= 1
    again = call("utility", "ward.yaml", "--release", "release", "--queries", "50", "--json")
    assert json.loads(again.out)["mean_size"] == 2


def test_utility_says_which_share_queries_realised(folder: Path, call: Call) -> None:
    """Everybody is forty and has Flu: every query with a match matches everybody, whatever share was wanted."""
    Path("same.csv").write_text("age,disease\n" + "40,Flu\n" * 8)
    Path("same.yaml").write_text("table: same.csv\nquasi: [age]\nprivate: disease\n")
    Path("release").mkdir()
    Path("release/people.csv").write_text("age,group\n" + "40,1\n" * 8)
    Path("release/values.csv").write_text("group,disease\n" + "1,Flu\n" * 8)
    made = json.loads(call("utility", "same.yaml", "--release", "release", "--queries", "5", "--json").out)
    assert [(one["selectivity"], one["realised"]) for one in made["errors"]] == [
        (0.01, 1), (0.02, 1), (0.05, 1), (0.1, 1),
    ]  # fmt: skip
    told = call("utility", "same.yaml", "--release", "release", "--queries", "5").out
    assert "  selectivity   realised   queries" in told
    assert "  1%            100%       5" in told


def test_utility_of_nothing(examples: Path, call: Call) -> None:
    told = call("utility", "ward.yaml", "--release", "nowhere", "--out", "out.csv")
    assert told.status == 2
    assert "nowhere/people.csv: no such file" in told.err
    assert not Path("out.csv").exists()


def ward(rows: int, knowledge: str = "  - {given: [gender], estimate: true}\n") -> None:
    """A table of many patients, and a release file that bucketizes it."""
    diseases = ["Flu", "HIV", "Cold", "Asthma", "Gout"]
    with open("big.csv", "w", encoding="utf-8") as file:
        file.write("name,gender,age,disease\n")
        for i in range(rows):
            file.write(f"p{i},{'Male' if i % 3 else 'Female'},{20 + i * 7 % 50},{diseases[i * 11 % 13 % 5]}\n")
    Path("big.yaml").write_text(
        "table: big.csv\nidentifier: name\nquasi: [gender, age]\nprivate: disease\n"
        "published: {people: out/people.csv, values: out/values.csv, group: group}\n"
        f"knowledge:\n{knowledge}"
    )


BOTH = "  - {given: [gender], estimate: true}\n  - {given: [age], estimate: true}\n"


@pytest.mark.parametrize("r", [2, 3])
def test_bucketize_stands_its_own_audit(r: int, folder: Path, call: Call) -> None:
    ward(400, BOTH)
    told = call("bucketize", "big.yaml", "--r", str(r), "--suppress", "--out", "out", "--json")
    assert (told.status, told.err) == (0, "")
    made = json.loads(told.out)
    people, values = read("out/people.csv"), read("out/values.csv")
    assert list(people[0]) == ["gender", "age", "group"]
    assert list(values[0]) == ["group", "disease"]
    assert len(people) == len(values) == made["people"] == 400 - made["withheld"]
    assert made["worst"] <= 1 / r
    assert len({row["group"] for row in people}) == made["groups"]
    rows = json.loads(call("linkage", "big.yaml", "--json").out)
    assert all(one["worst"] <= made["worst"] + 1e-12 for one in rows["adversaries"])
    assert call("linkage", "big.yaml", "--out", "posteriors.csv").status == 0
    assert all(float(row["upper"]) <= 1 / r + 1e-12 for row in read("posteriors.csv"))


def test_the_same_seed_says_the_same(folder: Path, call: Call) -> None:
    ward(200)
    for name in ("one", "two"):
        assert call("bucketize", "big.yaml", "--r", "2", "--seed", "7", "--out", name).status == 0
    for file in ("people.csv", "values.csv"):
        assert Path("one", file).read_bytes() == Path("two", file).read_bytes()
    assert call("bucketize", "big.yaml", "--r", "2", "--out", "three").status == 0
    assert Path("one/people.csv").read_bytes() != Path("three/people.csv").read_bytes()


def test_what_cannot_be_had(folder: Path, call: Call) -> None:
    ward(200)
    text = Path("big.csv").read_text().replace("HIV", "Flu").replace("Cold", "Flu").replace("Gout", "Flu")
    Path("big.csv").write_text(text)
    told = call("bucketize", "big.yaml", "--r", "3", "--out", "out")
    assert told.status == 1
    assert not Path("out").exists()
    assert "r = 3 cannot be had for everybody: one disease has " in told.err
    assert "--suppress would withhold " in told.err
    assert "Flu" not in told.err
    assert "disease = Flu has" in call("bucketize", "big.yaml", "--r", "3", "--out", "out", "--reveal").err


def women_have(disease: Callable[[int], str]) -> None:
    """Give each woman of the big table another disease, by her place among them."""
    lines = Path("big.csv").read_text().splitlines()
    women = [i for i, line in enumerate(lines) if ",Female," in line]
    for k, i in enumerate(women):
        lines[i] = f"{lines[i].rpartition(',')[0]},{disease(k)}"
    Path("big.csv").write_text("\n".join(lines) + "\n")


def test_the_r_that_is_named_instead_can_be_had(folder: Path, call: Call) -> None:
    """Half of the women have Flu or Gout only: r = 2 works for everybody, 4 does not."""
    ward(60)
    women_have(lambda k: "Flu" if k % 2 else "Gout")
    told = call("bucketize", "big.yaml", "--r", "4", "--out", "out")
    assert told.status == 1
    named = told.err.partition("without withholding anyone r = ")[2].partition(" was built")[0]
    assert float(named) >= 2
    assert call("bucketize", "big.yaml", "--r", named, "--out", "out").status == 0


def partial(told: int) -> None:
    """Knowledge of some of the five diseases, which leaves the rest open; and an audit of what is published."""
    shares = [("Flu", 0.2), ("HIV", 0.1), ("Cold", 0.2), ("Asthma", 0.2), ("Gout", 0.1)][:told]
    rows = "".join(f"{sex},{disease},{share}\n" for sex in ("Male", "Female") for disease, share in shares)
    Path("known.csv").write_text("gender,disease,probability\n" + rows)
    ward(100, "  - {given: [gender], file: known.csv}\nrequire:\n  linkage: {at_most: 0.5}\n")


def test_partial_knowledge_is_not_promised_anything(folder: Path, call: Call) -> None:
    """Whoever is not decided fails an audit, so a release with such people is not written."""
    partial(4)
    told = call("bucketize", "big.yaml", "--r", "2", "--out", "out")
    assert (told.status, told.out) == (1, "")
    assert "knowledge by gender does not say how likely the disease of " in told.err
    assert "list every disease for every gender, or say estimate: true, or withhold them with --suppress" in told.err
    assert not Path("out").exists()


@pytest.mark.parametrize(("told", "withheld"), [(4, True), (5, False)])
def test_what_partial_knowledge_leaves_stands_its_own_audit(
    told: int, withheld: bool, folder: Path, call: Call
) -> None:
    partial(told)
    made = json.loads(call("bucketize", "big.yaml", "--r", "2", "--suppress", "--out", "out", "--json").out)
    assert (made["withheld"] > 0) == withheld
    assert made["worst"] <= 0.5
    verdict = call("audit", "big.yaml", "--json")
    assert (verdict.status, json.loads(verdict.out)["verdict"]) == (0, "pass")


def test_a_fractional_r_that_can_be_had(folder: Path, call: Call) -> None:
    """Five men, two of them with a, two with b: one group of all five has 0.4."""
    Path("big.csv").write_text("gender,disease\n" + "".join(f"M,{x}\n" for x in "aabbc"))
    Path("big.yaml").write_text(
        "table: big.csv\nquasi: [gender]\nprivate: disease\nknowledge:\n  - {given: [gender], estimate: true}\n"
    )
    told = call("bucketize", "big.yaml", "--r", "2.5", "--out", "out", "--json")
    assert told.status == 0
    made = json.loads(told.out)
    assert (made["people"], made["groups"], made["worst"]) == (5, 1, 0.4)


def test_bucketize_without_knowledge(folder: Path, call: Call) -> None:
    """Nobody knows anything: groups of at least r different values."""
    ward(100)
    Path("big.yaml").write_text("table: big.csv\nquasi: [gender, age]\nprivate: disease\n")
    made = json.loads(call("bucketize", "big.yaml", "--r", "3", "--out", "out", "--json").out)
    assert made["people"] == 100
    assert made["worst"] <= 1 / 3


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (("quasi: [gender, age]", "quasi: [gendr, age]"), "quasi: unknown column gendr (did you mean gender?)"),
        (("given: [gender]", "given: [name]"), "knowledge.given: expected quasi-identifiers, which are published"),
    ],
)  # fmt: skip
def test_bucketize_refuses(change: tuple[str, str], wanted: str, folder: Path, call: Call) -> None:
    ward(50)
    Path("big.yaml").write_text(Path("big.yaml").read_text().replace(*change))
    told = call("bucketize", "big.yaml", "--r", "2", "--out", "out")
    assert told.status == 2
    assert wanted in told.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "wanted"),
    [
        (("bucketize", "ward.yaml", "--out", "out", "--r", "nan"), 2, "'--r': nan is not a number."),
        (("bucketize", "ward.yaml", "--out", "out", "--r", "inf"), 1, "r = inf cannot be had"),
        (("bucketize", "ward.yaml", "--out", "out", "--r", "5"), 1, "r = 5 cannot be had"),
        (("crowds", "clinic.yaml", "--seconds", "nan"), 2, "'--seconds': nan is not a number."),
        (("breach", "patients.yaml", "--tolerance", "nan"), 2, "'--tolerance': nan is not a number."),
        (("choose", "--m", "3", "--lifespan", "2", "--threshold", ".1", "--compromise", "nan"), 2, "nan is not"),
    ],
)  # fmt: skip
def test_numbers_that_are_none(
    arguments: tuple[str, ...], status: int, wanted: str, examples: Path, call: Call
) -> None:
    told = call(*arguments)
    assert (told.status, told.out) == (status, "")
    assert wanted in told.err
    assert "Traceback" not in told.err
    assert not Path("out").exists()


def test_by_lot_nobody_is_searched_a_place_for(folder: Path, call: Call) -> None:
    """Most of the women have Flu: some of them find a place only where somebody looks at values."""
    ward(60)
    women_have(lambda k: "Flu" if k % 3 else "Gout")
    knowledge = "sex.csv"
    Path(knowledge).write_text(
        "gender,disease,probability\n"
        + "".join(
            f"{sex},{one},0.2\n" for sex in ("Male", "Female") for one in ("Flu", "HIV", "Cold", "Asthma", "Gout")
        )
    )
    Path("big.yaml").write_text(Path("big.yaml").read_text().replace("estimate: true", f"file: {knowledge}"))
    searched = call("bucketize", "big.yaml", "--r", "2", "--out", "one")
    assert searched.status == 0
    assert "not drawn by lot but searched for by their values" in searched.out
    assert call("bucketize", "big.yaml", "--r", "2", "--by-lot", "--out", "two").status == 1
    told = call("bucketize", "big.yaml", "--r", "2", "--by-lot", "--suppress", "--out", "three", "--json")
    made = json.loads(told.out)
    assert made["searched"] == 0 < made["withheld"]
    sex = {row["group"]: row["gender"] for row in read("three/people.csv")}
    assert all(sex[row["group"]] == row["gender"] for row in read("three/people.csv"))
