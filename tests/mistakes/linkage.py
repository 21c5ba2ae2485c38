"""Wrong inputs of `linkage`, and the exact words that the program has for each of them."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping

from tests.mistakes.cases import Case

RELEASE = """\
table: patients.csv
private: problem
published: {people: people.csv, values: values.csv, group: bucket}
knowledge:
  - {given: [sex], file: known.csv}
"""
FILES = {
    "people.csv": "sex,age,bucket\nm,30,1\nf,40,1\n",
    "values.csv": "bucket,problem\n1,SECRETCELL\n1,Cold\n",
    "known.csv": "sex,problem,probability\nm,SECRETCELL,0.5\nm,Cold,0.5\nf,SECRETCELL,0.25\nf,Cold,0.75\n",
}
COMMAND = "linkage release.yaml --out out.csv"


def wrong(name: str, wanted: str, files: Mapping[str, str | bytes | None] = {}, release: str = RELEASE) -> Case:
    kept = {name: text for name, text in {**FILES, **files}.items() if text is not None}
    return Case(name, wanted, release=release, command=COMMAND, files=kept, check=False)


LINKAGE = [
    wrong(
        "a probability below zero",
        "known.csv:3: expected a probability from 0 to 1; found -0.5\n",
        {"known.csv": "sex,problem,probability\nm,SECRETCELL,0.5\nm,Cold,-0.5\nf,SECRETCELL,0.25\nf,Cold,0.75\n"},
    ),
    wrong(
        "a probability that is no number, and one above one",
        "known.csv:2: expected a probability from 0 to 1; found text\nknown.csv:5: expected a probability from 0 to 1; found 1.75\n",
        {"known.csv": "sex,problem,probability\nm,SECRETCELL,half\nm,Cold,0.5\nf,SECRETCELL,0.25\nf,Cold,1.75\n"},
    ),
    wrong(
        "probabilities that do not add up",
        "known.csv:4: expected probabilities of one signature that add up to at most 1; found 1.2 from this line on\n",
        {"known.csv": "sex,problem,probability\nm,SECRETCELL,0.5\nm,Cold,0.5\nf,SECRETCELL,0.5\nf,Cold,0.7\n"},
    ),
    wrong(
        "partial probabilities that add up to more than one",
        "known.csv:2: expected probabilities of one signature that add up to at most 1; found 1.1 from this line on\n",
        {"known.csv": "sex,problem,probability\nm,Other,0.6\nm,Cold,0.5\nf,SECRETCELL,0.25\nf,Cold,0.75\n"},
    ),
    wrong(
        "signatures that nobody has",
        "known.csv: expected signatures that somebody published has; found none in the file, such as sex = d\n",
        {"known.csv": "sex,problem,probability\nd,Cold,1\n"},
    ),
    wrong(
        "a value twice",
        "known.csv:6: expected each value once for a signature; found it again (line 2)\n",
        {"known.csv": FILES["known.csv"] + "m,SECRETCELL,0\n"},
    ),
    wrong(
        "a row that is too short",
        "known.csv:6: expected 3 cells in the row; found 2\n",
        {"known.csv": FILES["known.csv"] + "m,SECRETCELL\n"},
    ),
    wrong(
        "knowledge without its column",
        "known.csv:1: expected the column probability; found sex, problem, probabilty (did you mean probabilty?)\n",
        {"known.csv": FILES["known.csv"].replace("probability", "probabilty")},
    ),
    wrong(
        "knowledge that is not there",
        "release.yaml:5:26: knowledge.file: no such file, known.csv; expected a csv file with sex, problem, probability\n",
        {"known.csv": None},
    ),
    wrong(
        "published people that are not there",
        "release.yaml:3:21: people.csv: no such file; expected a csv, tsv or parquet file\n",
        {"people.csv": None},
    ),
    wrong(
        "published files without their columns",
        "release.yaml:3:21: published.people: unknown column bucket in people.csv; expected one of sex, age, grp\n"
        "release.yaml:3:41: published.values: unknown column problem (did you mean problems?) in values.csv; expected one of bucket, problems\n",
        {"people.csv": "sex,age,grp\nm,30,1\nf,40,1\n", "values.csv": "bucket,problems\n1,SECRETCELL\n1,Cold\n"},
    ),
    wrong(
        "more values than people",
        "release.yaml:3:12: published: expected as many values as people in each group; found 2 people and 3 values in one of them\n",
        {"values.csv": "bucket,problem\n1,SECRETCELL\n1,Cold\n1,Flu\n"},
    ),
    wrong(
        "neither a file nor an estimate",
        "release.yaml:5:5: knowledge: expected file: or estimate: true; found neither\n",
        release=RELEASE.replace(", file: known.csv", ""),
    ),
    wrong(
        "an attribute set twice",
        "release.yaml:1:8: unknown column sex; expected one of name, age, job, problem\n"
        "release.yaml:6:13: knowledge.given: expected each attribute set once; found sex twice\n",
        release=RELEASE + "  - {given: [sex], estimate: true}\n",
    ),
    wrong(
        "no knowledge",
        "release.yaml:1:1: linkage needs knowledge:, which is missing\n",
        release=RELEASE.split("knowledge", maxsplit=1)[0],
    ),
    wrong(
        "an estimate from a table without the column",
        "release.yaml:1:8: unknown column sex; expected one of name, age, job, problem\n",
        release=RELEASE.replace("file: known.csv", "estimate: true"),
    ),
    wrong(
        "several files that are not there, and a column that is in none of them",
        "release.yaml:3:21: published.people: unknown column sez (did you mean sex?) in people.csv; expected one of sex, age, bucket\n"
        "release.yaml:3:41: values.csv: no such file; expected a csv, tsv or parquet file\n"
        "release.yaml:5:26: knowledge.file: no such file, known.csv; expected a csv file with sez, problem, probability\n",
        {"known.csv": None, "values.csv": None},
        release=RELEASE.replace("[sex]", "[sez]"),
    ),
    wrong(
        "mistakes of the entries, the table and all files",
        "known.csv:2: expected a probability from 0 to 1; found 2\n"
        "release.yaml:1:8: nowhere.csv: no such file; expected a csv, tsv or parquet file\n"
        "release.yaml:3:21: people.csv: no such file; expected a csv, tsv or parquet file\n"
        "release.yaml:6:13: knowledge.given: expected each attribute set once; found sex twice\n",
        {"people.csv": None, "known.csv": "sex,problem,probability\nm,SECRETCELL,2\n"},
        release=RELEASE.replace("patients.csv", "nowhere.csv") + "  - {given: [sex], estimate: true}\n",
    ),
    wrong(
        "groups that are uneven, and knowledge with a short row",
        "known.csv:4: expected 3 cells in the row; found 2\n"
        "release.yaml:3:12: published: expected as many values as people in each group; found 2 people and 1 values in one of them\n",
        {
            "values.csv": "bucket,problem\n1,SECRETCELL\n",
            "known.csv": FILES["known.csv"].replace("f,SECRETCELL,0.25", "f,SECRETCELL"),
        },
    ),
    wrong(
        "knowledge that is not UTF-8",
        "known.csv: expected UTF-8 text; found other bytes\n",
        {"known.csv": b"sex,problem,probability\nm,\xff,1\n"},
    ),
]
