"""`explain` of published groups explains that release: where the person may be, and what is learnt about them there."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

import deniable
from deniable.examples import write_examples
from tests.cli.conftest import Call, call, folder  # noqa: F401


def rows_of(path: str) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def explained(call: Call, spec: str, who: str) -> dict[str, Any]:  # noqa: F811
    told = call("explain", spec, "--who", who, "--json")
    assert (told.status, told.err) == (0, "")
    document: dict[str, Any] = json.loads(told.out)
    return document


def test_everybody_in_the_ward_is_explained_as_linkage_answers(folder: Path, call: Call) -> None:  # noqa: F811
    write_examples(Path("example"))
    assert call("linkage", "example/ward.yaml", "--out", "posteriors.csv").status == 0
    posteriors = rows_of("posteriors.csv")
    for place, person in enumerate(rows_of("example/ward.csv"), 1):
        shown = explained(call, "example/ward.yaml", person["name"])
        (group,) = shown["groups"]
        mine = [row for row in posteriors if row["person"] == str(place)]
        assert (shown["true_values"], group["group"], group["alike"]) == ([person["disease"]], mine[0]["group"], 1)
        assert {(one["value"], one["given"], one["adversary"], one["probability"]) for one in group["posteriors"]} == {
            (row["disease"], row["given"], row["adversary"], float(row["probability"])) for row in mine
        }
        assert len(group["posteriors"]) == 4


def test_the_ward_as_text(folder: Path, call: Call) -> None:  # noqa: F811
    write_examples(Path("example"))
    told = call("explain", "example/ward.yaml", "--who", "Alan").out
    assert "published as it is" not in told
    assert "group 1 has 1 person with gender = Male, age = 41:\n" in told
    assert "  Lung Cancer    gender   full        0.9709        exact\n" in told
    assert told.endswith("\n\nAlan really has: Lung Cancer\n")
    shown = deniable.explain("example/ward.yaml", "Alan")
    assert f"{shown}\n" == told
    assert not any(cell in repr(shown) for cell in ("Alan", "Lung", "41"))
    wrong = call("explain", "example/ward.yaml", "--who", "Alen")
    assert (wrong.status, wrong.err) == (2, "--who: nobody in ward.csv is called Alen (did you mean Alan?)\n")


def two_groups(quasi: str = "[sex]") -> None:
    """Ann and Bea look the same and are in different groups; nobody like Eve was published."""
    Path("t.csv").write_text("id,sex,age,given\nAnn,f,30,u\nBob,m,30,v\nBea,f,40,v\nBen,m,40,u\nEve,x,30,u\n")
    Path("people.csv").write_text("sex,age,grp\nf,30,1\nm,30,1\nf,40,2\nm,40,2\n")
    Path("values.csv").write_text("grp,given\n1,u\n1,v\n2,u\n2,v\n")
    Path("t.yaml").write_text(
        f"table: t.csv\nidentifier: id\nquasi: {quasi}\nprivate: given\n"
        "published: {people: people.csv, values: values.csv, group: grp}\n"
        "knowledge:\n- {given: [age], estimate: true}\n"
    )


def test_people_who_look_the_same_are_in_several_groups(folder: Path, call: Call) -> None:  # noqa: F811
    two_groups()
    Path("t.yaml").write_text(Path("t.yaml").read_text().replace("[age]", "[sex]"))
    shown = explained(call, "t.yaml", "Ann")
    assert [(group["group"], group["alike"]) for group in shown["groups"]] == [("1", 1), ("2", 1)]
    told = call("explain", "t.yaml", "--who", "Ann").out
    assert "Which of these 2 groups has Ann, the published files do not say." in told


def test_columns_that_knowledge_is_given_by_are_compared_too(folder: Path, call: Call) -> None:  # noqa: F811
    two_groups()
    (group,) = explained(call, "t.yaml", "Bea")["groups"]
    assert (group["group"], group["cells"]) == ("2", {"sex": "f", "age": "40"})
    assert [one["adversary"] for one in group["posteriors"]] == ["full", "full", "marginal", "marginal"]


def test_a_table_that_has_types_is_explained_as_its_text(folder: Path, call: Call) -> None:  # noqa: F811
    two_groups()
    asked = Path("t.yaml").read_text()
    as_text = explained(call, "t.yaml", "Bea")
    types = {"age": pa.int64(), "given": pa.bool_()}
    for name, cells in (("values.csv", "grp,given\n1,true\n1,false\n2,true\n2,false\n"), ("t.csv", None)):
        Path(name).write_text(cells or Path(name).read_text().replace(",u", ",true").replace(",v", ",false"))
    pq.write_table(pacsv.read_csv("t.csv", convert_options=pacsv.ConvertOptions(column_types=types)), "t.parquet")
    Path("t.yaml").write_text(asked.replace("t.csv", "t.parquet"))
    typed = explained(call, "t.yaml", "Bea")
    assert (typed["true_values"], as_text["true_values"]) == (["false"], ["v"])
    for shown in (typed, as_text):
        (group,) = shown["groups"]
        assert (group["group"], group["cells"]) == ("2", {"sex": "f", "age": "40"})


def test_nobody_like_the_person_was_published(folder: Path, call: Call) -> None:  # noqa: F811
    two_groups()
    assert explained(call, "t.yaml", "Eve")["groups"] == []
    assert "Nobody who was published has the quasi-identifiers of Eve." in call("explain", "t.yaml", "--who", "Eve").out
