"""Wrong coarser columns, and the exact words that the program has for each of them."""

# ruff: noqa: E501

from __future__ import annotations

from tests.mistakes.cases import RELEASE, TABLE, Case

LEVELS = "job,field\nEngineer,technical\nProfessor,science\n"


def columns(*entries: str) -> str:
    """The right release with coarser columns; the first of them stands in line 8."""
    return RELEASE + "columns:\n" + "".join(f"  {entry}\n" for entry in entries)


def shown(name: str, entry: str) -> str:
    """The right release with a coarser column, in line 8, that the second view shows as well."""
    return columns(f"{name}: {entry}").replace("SELECT age, job", f"SELECT age, {name}, job")


COARSER = [
    Case(
        "a coarser column of two functions",
        "release.yaml:8:9: columns.band: expected one of width, prefix, hierarchy, part and cap; found width and cap\n",
        release=columns("band: {of: age, width: 10, cap: 50}"),
    ),
    Case(
        "a coarser column of no function, and a level of none",
        "release.yaml:8:9: columns.band: expected one of width, prefix, hierarchy, part and cap; found none\n"
        "release.yaml:9:8: columns.top: expected hierarchy and level together; found level beside cap\n",
        release=columns("band: {of: age}", "top: {of: age, cap: 3, level: 1}"),
    ),
    Case(
        "a width of nothing, and a start that is no number",
        "release.yaml:8:26: columns.band.width: expected a number above 0; found 0\n"
        "release.yaml:8:35: columns.band.from: expected a number; found birth\n",
        release=columns("band: {of: age, width: 0, from: birth}"),
    ),
    Case(
        "a part that no date has",
        "release.yaml:8:25: columns.when.part: expected one of year, quarter, month, week, day or hour; found yaer (did you mean year?)\n",
        release=columns("when: {of: age, part: yaer}"),
    ),
    Case(
        "a coarser column of no column",
        "release.yaml:8:14: columns.band.of: unknown column agee (did you mean age?); expected one of name, age, job, problem\n",
        release=columns("band: {of: agee, width: 10}"),
    ),
    Case(
        "a coarser column of a coarser one",
        "release.yaml:9:14: columns.wide.of: expected a column of patients.csv; found band, which is a coarser one\n",
        release=columns("band: {of: age, width: 10}", "wide: {of: band, width: 20}"),
    ),
    Case(
        "a coarser column with the name of another",
        "release.yaml:8:3: columns: expected names that no column of patients.csv has; found Age\n",
        release=columns("Age: {of: age, width: 10}"),
    ),
    Case(
        "a coarser column beside a header that is missing",
        """\
release.yaml:2:13: identifier: unknown column name; expected HEADER
release.yaml:3:10: private: unknown column problem; expected HEADER
release.yaml:5:18: view people: unknown column name; expected HEADER
    SELECT name, age FROM patients
           ^^^^
release.yaml:5:24: view people: unknown column age; expected HEADER
    SELECT name, age FROM patients
                 ^^^
release.yaml:6:18: view clinic: unknown column age; expected HEADER
    SELECT age, band, job, problem FROM patients
           ^^^
release.yaml:6:29: view clinic: unknown column job; expected HEADER
    SELECT age, band, job, problem FROM patients
                      ^^^
release.yaml:6:34: view clinic: unknown column problem; expected HEADER
    SELECT age, band, job, problem FROM patients
                           ^^^^^^^
release.yaml:8:14: columns.band.of: unknown column age; expected HEADER
""".replace(
            "HEADER", "a column; the first line has no name that is asked for: it may be a row, and the header missing"
        ),
        release=shown("band", "{of: age, width: 10}"),
        table=TABLE.partition("\n")[2],
    ),
    Case(
        "bands of words",
        "release.yaml:8:26: columns.band.width: expected a column of numbers; found job (varchar) (types: {job: …} says how it is read)\n",
        release=shown("band", "{of: job, width: 10}"),
    ),
    Case(
        "a year of a number",
        "release.yaml:8:25: columns.year.part: expected a column of dates or timestamps; found age (bigint)\n",
        release=shown("year", "{of: age, part: year}"),
    ),
    Case(
        "a hierarchy of a coarser column that is not there",
        "release.yaml:8:31: fields.csv: no such file; expected a csv, tsv or parquet file\n",
        release=shown("field", "{of: job, hierarchy: fields.csv, level: 1}"),
    ),
    Case(
        "a hierarchy without the level",
        "release.yaml:8:50: columns.field.level: expected at most 1, the last column of fields.csv; found 2\n",
        release=shown("field", "{of: job, hierarchy: fields.csv, level: 2}"),
        files={"fields.csv": LEVELS},
    ),
    Case(
        "a hierarchy that lacks a cell",
        "release.yaml:8:31: columns.field: expected every job in the first column of fields.csv; 1 value is not there\n",
        release=shown("field", "{of: job, hierarchy: fields.csv, level: 1}"),
        files={"fields.csv": LEVELS.replace("Professor", "Dean")},
    ),
    Case(
        "a hierarchy that lacks a private cell",
        "release.yaml:8:34: columns.kind: expected every problem in the first column of kinds.csv; 1 value is not there\n",
        release=shown("kind", "{of: problem, hierarchy: kinds.csv, level: 1}"),
        files={"kinds.csv": "problem,kind\nDiarrhea,a\nHIV,a\nCold,b\n"},
    ),
    Case(
        "a number that no band holds",
        "release.yaml:8:9: columns.band: expected cells of age that have a place in it; found 1 value that has none\n",
        release=shown("band", "{of: age, width: 0.5}") + "types: {age: number}\n",
        table=TABLE.replace("30", "0.25").replace("42", "1.5e300"),
    ),
    Case(
        "a private column that is a coarser one",
        "release.yaml:3:10: private: expected a column of patients.csv; found kind, which is a coarser one\n",
        release=columns("kind: {of: problem, prefix: 1}").replace("private: problem", "private: kind"),
    ),
    Case(
        "a value beside a function of the private column, without its quotes",
        """\
release.yaml:5:55: view people: unknown column (text stands in single quotes); expected one of name, age, job, problem, kind
    SELECT name, age FROM patients WHERE kind = ?
                                                ^
""",
        release=columns("kind: {of: problem, prefix: 3}").replace(
            "name, age FROM patients", "name, age FROM patients WHERE kind = jab"
        ),
    ),
    Case(
        "a public column that tells the private one",
        "release.yaml:9:10: public: expected columns other than the private one; found kind, a function of problem\n",
        release=columns("kind: {of: problem, prefix: 1}") + "public: [kind, age]\n",
    ),
    Case(
        "two bands of which none says the other, of the private column",
        "release.yaml:5:3: pay is published as tens and as dozens; expected one of them of which the others are functions; publish the finest beside them, or one fewer\n",
        release="table: patients.csv\nidentifier: name\nprivate: pay\nviews:\n  people: SELECT name, age FROM patients\n"
        "  clinic: SELECT age, tens, dozens FROM patients\n"
        "columns: {tens: {of: pay, width: 10}, dozens: {of: pay, width: 12}}\n",
        table="name,age,pay\nBill,30,12\nJohn,45,24\n",
        check=False,
    ),
    Case(
        "bands that overlap under a condition that reckons",
        "release.yaml:5:3: no view has all of tens, dozens, of which none says the others; expected a WHERE that compares age with constants; found another\n",
        release=RELEASE.replace("name, age FROM patients", "name, tens FROM patients WHERE age % 2 = 0").replace(
            "age, job, problem FROM patients", "dozens, problem FROM patients WHERE age % 2 = 0"
        )
        + "columns: {tens: {of: age, width: 10}, dozens: {of: age, width: 12}}\n",
        check=False,
    ),
    Case(
        "a prefix in one view and bands in another",
        "release.yaml:5:3: no view has all of first, dozens, of which none says the others, and which of them one cell can have is known of bands, caps and parts of dates, or where a hierarchy lists the cells\n",
        release=RELEASE.replace("name, age FROM", "name, first FROM").replace("age, job, problem", "dozens, problem")
        + "columns: {first: {of: age, prefix: 1}, dozens: {of: age, width: 12}}\n",
        check=False,
    ),
    Case(
        "a quasi-identifier that tells the private column",
        "release.yaml:9:8: quasi: expected columns other than the private one; found kind, a function of problem\n",
        release=columns("kind: {of: problem, prefix: 1}") + "quasi: kind\n",
        command="bucketize release.yaml --r 2 --out groups",
        check=False,
    ),
]
