"""Wrong inputs of `republish` and `ledger`, and the exact words that the program has for each of them."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping

from tests.mistakes.cases import Case

RELEASE = """\
table: patients.csv
identifier: name
quasi: [age, job]
private: problem
generalize: {job: levels.csv}
republish: {m: 2, n: 1}
"""
LEVELS = "job,kind\nEngineer,office\nProfessor,school\n"
COMMAND = "republish release.yaml --out out --begin --no-audit"


def wrong(
    name: str,
    wanted: str,
    *changes: tuple[str, str],
    files: Mapping[str, str | bytes | None] = {},
    table: str | None = None,
    command: str = COMMAND,
) -> Case:
    text = RELEASE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    kept = {"levels.csv": LEVELS, **files}
    kept = {name: text for name, text in kept.items() if text != ""}
    case = Case(name, wanted, release=text, command=command, files=kept, check=False)
    return case if table is None else Case(name, wanted, text, table, command, kept, check=False)


ROWS = "name,age,job,problem\nBill,30,Engineer,SECRETCELL\nJohn,45,Professor,HIV\n"

HISTORY = [
    wrong("republish without its key", "release.yaml:1:1: republish needs republish:, such as republish: {m: 6, n: 3}\n", ("republish: {m: 2, n: 1}\n", "")),
    wrong("republish without an identifier", "release.yaml:1:1: republish needs identifier:, which is missing\n", ("identifier: name\n", "")),
    wrong("republish without quasi-identifiers and private", "release.yaml:1:1: republish needs quasi:, which is missing\n" "release.yaml:1:1: republish needs private:, which is missing\n", ("quasi: [age, job]\nprivate: problem\n", "")),
    wrong("republish without m", "release.yaml:6:12: republish.m is missing; expected a value\n", ("m: 2, n: 1", "n: 1")),
    wrong("m of one", "release.yaml:6:16: republish.m: expected a whole number of at least 2; found 1\n", ("m: 2", "m: 1")),
    wrong("n of zero", "release.yaml:6:22: republish.n: expected a whole number of at least 1; found 0\n", ("n: 1", "n: 0")),
    wrong("n that is no whole number", "release.yaml:6:22: republish.n: expected a whole number; found one\n", ("n: 1", "n: one")),
    wrong("n of m", "release.yaml:6:22: republish.n: expected n below m = 2, since n = m can never be published; found 2\n", ("n: 1", "n: 2")),
    wrong("n above m", "release.yaml:6:22: republish.n: expected n below m = 2, since n = m can never be published; found 3\n", ("n: 1", "n: 3")),
    wrong("n and what chooses it", "release.yaml:6:12: republish: expected n, or compromise, lifespan and threshold, which choose it; found both\n", ("n: 1", "n: 1, compromise: 0.1")),
    wrong("neither n nor what chooses it", "release.yaml:6:12: republish: expected n, or compromise, lifespan and threshold, which choose it; found neither\n", (", n: 1", "")),
    wrong("not all that chooses n", "release.yaml:6:12: republish: expected n, or compromise, lifespan and threshold, which choose it; found no threshold\n", ("n: 1", "compromise: 0.04, lifespan: 24")),
    wrong("a compromise above one", "release.yaml:6:31: republish.compromise: expected a number from 0 to 1; found 4\n", ("n: 1", "compromise: 4, lifespan: 24, threshold: 0.1")),
    wrong("an unknown key of republish", "release.yaml:6:25: unknown key lifespam (did you mean lifespan?); expected one of m, n, compromise, lifespan, threshold, counterfeits\n", ("n: 1", "n: 1, lifespam: 3")),
    wrong("an unknown algorithm", "release.yaml:6:12: algorithm: expected one of m-invariance, cor-split or stable; found mondrian (did you mean m-invariance?)\n", ("republish:", "algorithm: mondrian\nrepublish:")),
    wrong("an unknown algorithm as an option", "Usage: deniable republish [OPTIONS] SPEC\n" "Try 'deniable republish --help' for help.\n" "\n" "Error: Invalid value for '--algorithm': 'mondrian' is not one of 'stable', 'cor-split', 'm-invariance'.\n", command=f"{COMMAND} --algorithm mondrian"),
    wrong("an unknown quasi-identifier of a history", "release.yaml:3:9: quasi: unknown column agee (did you mean age?); expected one of name, age, job, problem\n", ("[age, job]", "[agee, job]")),
    wrong("unknown columns of three kinds", "release.yaml:2:13: identifier: unknown column nam (did you mean name?); expected one of name, age, job, problem\n" "release.yaml:3:14: quasi: unknown column jobs (did you mean job?); expected one of name, age, job, problem\n" "release.yaml:4:10: private: unknown column problm (did you mean problem?); expected one of name, age, job, problem\n" "release.yaml:5:14: generalize: expected a quasi-identifier; found job\n", ("name", "nam"), ("[age, job]", "[age, jobs]"), ("problem", "problm")),
    wrong("a quasi-identifier twice", "release.yaml:3:19: quasi: expected every column once; found age twice\n", ("[age, job]", "[age, job, age]")),
    wrong("a quasi-identifier that is private", "release.yaml:3:19: quasi: expected columns other than the identifier and the private one; found problem\n", ("[age, job]", "[age, job, problem]")),
    wrong("a quasi-identifier that is the identifier", "release.yaml:3:9: quasi: expected columns other than the identifier and the private one; found name\n", ("[age, job]", "[name, age, job]")),
    wrong("a private identifier", "release.yaml:4:10: private: expected a column that is not the identifier; found name as both\n", ("private: problem", "private: name")),
    wrong("an identifying column twice", "release.yaml:2:20: identifier: expected name once; found it twice\n", ("identifier: name", "identifier: [name, name]")),
    wrong("a column that a release has for itself", "release.yaml:3:8: quasi: expected other names than age_low, which a release has for itself; rename the column\n", ("[age, job]", "[age, age_low, job]"),
          table="name,age,age_low,job,problem\nBill,30,x,Engineer,SECRETCELL\nJohn,45,y,Professor,HIV\n"),
    wrong("a private column named group", "release.yaml:4:10: private: expected other names than group, which a release has for itself; rename the column\n", ("private: problem", "private: group"),
          table=ROWS.replace("problem", "group")),
    wrong("an identifier twice", "release.yaml:1:8: patients.csv: expected every identifier once; found 1 identifier that is there more than once\n", table=ROWS + "Bill,31,Engineer,Cold\n"),
    wrong("identifiers twice", "release.yaml:1:8: patients.csv: expected every identifier once; found 2 identifiers that are there more than once\n", table=ROWS + "Bill,31,Engineer,Cold\nJohn,31,Engineer,Cold\nJohn,1,Engineer,Flu\n"),
    wrong("a table without rows to publish", "release.yaml:1:8: patients.csv: expected at least one row; found none\n", table="name,age,job,problem\n"),
    wrong("a hierarchy that is not there", "release.yaml:5:19: levels.csv: no such file; expected a csv, tsv or parquet file\n", files={"levels.csv": ""}),
    wrong("a hierarchy that is a folder", "release.yaml:5:19: levels.csv: expected a file (or a glob such as part-*.csv); found a directory\n", files={"levels.csv": None}),
    wrong("a hierarchy without a label", "release.yaml:5:19: generalize.job: expected every job in the first column of levels.csv; 1 value is not there\n", files={"levels.csv": "job,kind\nEngineer,office\n"}),
    wrong("a hierarchy without labels", "release.yaml:5:19: generalize.job: expected every job in the first column of levels.csv; 2 values are not there\n", files={"levels.csv": "job,kind\nWriter,office\n"}),
    wrong("a hierarchy without rows", "release.yaml:5:19: levels.csv: expected at least one row; found none\n", files={"levels.csv": "job,kind\n"}),
    wrong("a hierarchy that is no tree", "release.yaml:5:19: levels.csv: expected one kind for every job; found 1 more\n", files={"levels.csv": LEVELS + "Engineer,field\n"}),
    wrong("a hierarchy that is no tree further up", "release.yaml:5:19: levels.csv: expected one all for every kind; found 2 more\n",
          files={"levels.csv": "job,kind,all\nEngineer,office,x\nProfessor,office,y\nWriter,office,z\n"}),
    wrong("a hierarchy of no quasi-identifier", "release.yaml:5:14: generalize: expected a quasi-identifier; found problem\n", ("{job:", "{problem: levels.csv, job:")),
    wrong("a hierarchy of an unknown column", "release.yaml:5:14: generalize: unknown column jbo (did you mean job?); expected one of name, age, job, problem\n", ("{job:", "{jbo: levels.csv, job:")),
    wrong("types that do not fit", "release.yaml:5:14: types.job: expected integer in patients.csv; found 5 cells that are not\n", ("republish:", "types: {job: integer}\nrepublish:"), ("generalize: {job: levels.csv}\n", "")),
    wrong("a type of an unknown column", "release.yaml:6:9: types: unknown column jobs (did you mean job?); expected one of name, age, job, problem\n", ("republish:", "types: {jobs: text}\nrepublish:")),
    wrong("a type that there is not", "release.yaml:6:14: types.age: expected one of text, integer, number, date, timestamp or boolean; found whole\n", ("republish:", "types: {age: whole}\nrepublish:")),
    wrong("a folder that is a file", "--out: expected a folder; found the file out\n", files={"out": "mine"}),
    wrong("a folder in a folder that is not there", "--out: expected a folder in one that exists; found some/out\n", command="republish release.yaml --out some/out"),
    wrong("no folder at all", "Usage: deniable republish [OPTIONS] SPEC\n" "Try 'deniable republish --help' for help.\n" "\n" "Error: Missing option '--out'.\n", command="republish release.yaml"),
    wrong("a ledger that is a folder", "release.ledger: expected a ledger; found something that is not a file\n", files={"release.ledger": None}),
    wrong("a ledger that is a text", "release.ledger: expected a ledger; found another file, or one that is damaged (put its newest copy back: with an older one, releases would be forgotten, and no next one is safe)\n", files={"release.ledger": "name,problem\nBill,SECRETCELL\n"}),
    wrong("a ledger that is empty", "release.ledger: expected a ledger; found another file, or one that is damaged (put its newest copy back: with an older one, releases would be forgotten, and no next one is safe)\n", files={"release.ledger": b"\0" * 20}),
    wrong("a ledger in a folder that is not there", "some/book.ledger: expected a ledger in a folder that exists\n", ("republish:", "ledger: some/book.ledger\nrepublish:")),
    wrong("no ledger to export", "release.ledger: no such file; expected the ledger that `deniable republish` keeps\n", command="ledger release.yaml --out out.csv"),
    wrong("no ledger to verify", "release.ledger: no such file; expected the ledger that `deniable republish` keeps\n", command="ledger release.yaml --verify"),
    wrong("a ledger without its columns", "release.yaml:1:1: ledger needs identifier:, which is missing\n", ("identifier: name\n", ""), command="ledger release.yaml"),
    wrong("an export without an ending", "--out: expected a path that ends in .csv or .parquet; found out\n", command="ledger release.yaml --out out"),
    wrong("a share above one", "release.yaml:6:38: require.history.exposed_at_most: expected a number from 0 to 1; found 2\n", ("republish:", "require: {history: {exposed_at_most: 2}}\nrepublish:")),
    wrong("a requirement without its limit", "release.yaml:6:20: require.history.exposed_at_most is missing; expected a number from 0 to 1\n", ("republish:", "require: {history: {known: 0.1}}\nrepublish:")),
    wrong("counterfeits without a limit", "release.yaml:6:39: republish.counterfeits: expected keys with values; found 3\n", ("n: 1", "n: 1, counterfeits: 3")),
    wrong("negative seconds", "Usage: deniable republish [OPTIONS] SPEC\n" "Try 'deniable republish --help' for help.\n" "\n" "Error: Invalid value for '--seconds': -1.0 is not in the range x>=0.\n", command=f"{COMMAND} --seconds -1"),
]  # fmt: skip
