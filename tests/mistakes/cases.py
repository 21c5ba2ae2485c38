"""Wrong inputs, and the exact words that the program has for each of them.

A case changes one thing about a release that is otherwise right (`RELEASE`, `TABLE`). The private
column holds SECRETCELL, so that a message which quotes a private cell gives itself away.
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

RELEASE = """\
table: patients.csv
identifier: name
private: problem
views:
  people: SELECT name, age FROM patients
  clinic: SELECT age, job, problem FROM patients
"""

TABLE = """\
name,age,job,problem
Bill,30,Engineer,SECRETCELL
John,45,Professor,Diarrhea
George,45,Professor,HIV
Alan,42,Engineer,Cold
Sarah,45,Engineer,Cold
"""

BREACH = "breach release.yaml --out out.csv"


@dataclass(frozen=True)
class Case:
    """One wrong input. `files` are written beside the release and the table; None is a folder."""

    name: str
    wanted: str
    release: str | bytes | None = RELEASE
    table: str | bytes | None = TABLE
    command: str = BREACH
    files: Mapping[str, str | bytes | None] = field(default_factory=dict)
    check: bool = True  # `deniable check` says the same


def changed(*pairs: tuple[str, str]) -> str:
    """The right release with some of its text replaced."""
    text = RELEASE
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def added(text: str) -> str:
    """The right release with lines added at its end; the first of them is line 7."""
    return RELEASE + text


def people(sql: str) -> str:
    """The right release with another first view, which stands in line 5 from column 11."""
    return changed(("SELECT name, age FROM patients", sql))


def where(condition: str) -> str:
    """The right release with a condition in both views."""
    return changed(
        ("name, age FROM patients", f"name, age FROM patients WHERE {condition}"),
        ("job, problem FROM patients", f"job, problem FROM patients WHERE {condition}"),
    )


def rows(text: str) -> str:
    """The right table with lines added at its end; the first of them is line 7."""
    return TABLE + text


THE_FILE = [
    Case(
        "a tab",
        "release.yaml:5:1: not valid YAML: expected spaces; found a tab\n",
        release=changed(("  people:", "\tpeople:")),
    ),
    Case(
        "a bracket that is not closed",
        "release.yaml:2:13: not valid YAML: expected ] to close this bracket; found none by line 3\n",
        release=changed(("identifier: name", "identifier: [name")),
    ),
    Case(
        "a brace that is not closed",
        "release.yaml:7:8: not valid YAML: expected } to close this bracket; found none by line 8\n",
        release=added("types: {age: integer\n"),
    ),
    Case(
        "a quote that is not closed",
        "release.yaml:3:10: not valid YAML: expected a closing quote; found the end of the file\n",
        release=changed(("private: problem", 'private: "problem')),
    ),
    Case(
        "brackets without end",
        "release.yaml: expected a few levels of brackets; found too many to read\n",
        release=added(f"domain: {'[' * 3_000}{']' * 3_000}\n"),
    ),
    Case(
        "two colons",
        """\
release.yaml:3:13: not valid YAML: expected one value; found a second colon (a value that holds one stands in quotes)
""",
        release=changed(("private: problem", "private: its: problem")),
    ),
    Case(
        "a control character",
        "release.yaml:3:14: not valid YAML: expected text; found the control character U+0001\n",
        release=changed(("private: problem", "private: prob\x01lem")),
    ),
    Case(
        "two documents",
        "release.yaml:7:1: not valid YAML: expected one document; found another\n",
        release=added("---\ntable: other.csv\n"),
    ),
    Case(
        "an empty file", "release.yaml: the release file is empty; expected at least table: and private:\n", release=""
    ),
    Case(
        "only a comment",
        "release.yaml: the release file is empty; expected at least table: and private:\n",
        release="# to do\n",
    ),
    Case(
        "a list at the top",
        "release.yaml:2:1: expected keys with values; found a list\n",
        release="# views\n- people\n- clinic\n",
    ),
    Case(
        "a sentence",
        "release.yaml:1:1: expected keys with values; found a single value\n",
        release="please publish this\n",
    ),
    Case(
        "a folder as the release file",
        "release.yaml: expected a release file; found a directory\n",
        release=None,
        files={"release.yaml": None},
    ),
    Case("no release file", "release.yaml: no such file; expected a release file\n", release=None),
    Case(
        "a release file in latin-1",
        "release.yaml:6:24: expected UTF-8 text; found the byte 0xf6\n",
        release=RELEASE.replace("job", "j\xf6b").encode("latin-1"),
    ),
]

KEYS = [
    Case(
        "an unknown key",
        """\
release.yaml:3:1: unknown key privat (did you mean private?); expected one of table, name, identifier, quasi, private, public, domain, views, secret, published, knowledge, republish, ledger, history, algorithm, columns, generalize, rename, withhold, types, encoding, decimal, require
""",
        release=changed(("private:", "privat:")),
    ),
    Case(
        "an unknown key like no other",
        """\
release.yaml:7:1: unknown key flavour; expected one of table, name, identifier, quasi, private, public, domain, views, secret, published, knowledge, republish, ledger, history, algorithm, columns, generalize, rename, withhold, types, encoding, decimal, require
""",
        release=added("flavour: blue\n"),
    ),
    Case(
        "an unknown key in a requirement",
        """\
release.yaml:8:26: unknown key adversary (did you mean adversaries?); expected one of at_most, adversaries
""",
        release=added("require:\n  breach: {at_most: 0.5, adversary: [keyed]}\n"),
    ),
    Case(
        "an unknown requirement",
        """\
release.yaml:8:3: unknown key breaches (did you mean breach?); expected one of breach, crowd, linkage, history
""",
        release=added("require:\n  breaches: {at_most: 0.5}\n"),
    ),
    Case(
        "a key twice",
        "release.yaml:7:1: expected private once; found it again (first on line 3)\n",
        release=added("private: job\n"),
    ),
    Case(
        "a view twice",
        "release.yaml:7:3: expected people once; found it again (first on line 5)\n",
        release=added("  people: SELECT name FROM patients\n"),
    ),
    Case(
        "no table key",
        "release.yaml:1:1: table is missing; expected the path of a csv, tsv or parquet file\n",
        release=changed(("table: patients.csv\n", "")),
    ),
    Case(
        "a table without a path",
        "release.yaml:1:7: table: expected text; found nothing\n",
        release=changed(("table: patients.csv", "table:")),
    ),
    Case(
        "no identifier and no private column",
        """\
release.yaml:1:1: breach needs identifier:, which is missing
release.yaml:1:1: breach needs private:, which is missing
""",
        release=changed(("identifier: name\nprivate: problem\n", "")),
        check=False,
    ),
    Case(
        "no views",
        "release.yaml:1:1: breach needs views:, which is missing\n",
        release=RELEASE.partition("views:")[0],
        check=False,
    ),
    Case(
        "views as a list",
        "release.yaml:4:8: views: expected keys with values; found a list\n",
        release=RELEASE.partition("views:")[0] + "views: [SELECT name, age FROM patients]\n",
    ),
    Case(
        "a view that is a list",
        "release.yaml:5:11: views.people: expected text; found a list\n",
        release=people("[name, age]"),
    ),
    Case(
        "a view that is blank",
        "release.yaml:5:11: views.people: expected text that is not empty; found empty text\n",
        release=people("' '"),
    ),
    Case(
        "a limit that is a word",
        "release.yaml:8:21: require.breach.at_most: expected a number from 0 to 1; found high\n",
        release=added("require:\n  breach: {at_most: high}\n"),
    ),
    Case(
        "a limit in percent",
        "release.yaml:8:21: require.breach.at_most: expected a number from 0 to 1; found 50%\n",
        release=added("require:\n  breach: {at_most: 50%}\n"),
    ),
    Case(
        "a limit that is not given",
        "release.yaml:8:11: require.breach.at_most is missing; expected a number from 0 to 1\n",
        release=added("require:\n  breach: {adversaries: [keyed]}\n"),
    ),
    Case(
        "a limit without its key",
        "release.yaml:8:11: require.breach: expected keys with values; found 0.5\n",
        release=added("require:\n  breach: 0.5\n"),
    ),
    Case(
        "a limit over 1",
        "release.yaml:8:21: require.breach.at_most: expected a number from 0 to 1; found 1.5\n",
        release=added("require:\n  breach: {at_most: 1.5}\n"),
    ),
    Case(
        "a limit below 0",
        "release.yaml:8:21: require.breach.at_most: expected a number from 0 to 1; found -0.1\n",
        release=added("require:\n  breach: {at_most: -0.1}\n"),
    ),
    Case(
        "a limit that is not a number",
        "release.yaml:8:21: require.breach.at_most: expected a number from 0 to 1; found nan\n",
        release=added("require:\n  breach: {at_most: nan}\n"),
    ),
    Case(
        "a limit of 0",
        """\
release.yaml:8:21: require.breach.at_most: expected more than 0, since every association has a positive probability; found 0
""",
        release=added("require:\n  breach: {at_most: 0}\n"),
    ),
    Case(
        "a limit that the unrestricted adversary always exceeds",
        """\
release.yaml:8:21: require.breach.at_most: expected at least 0.5, below which the unrestricted probability never is, or the adversaries restricted and keyed; found 0.4
""",
        release=added("require:\n  breach: {at_most: 0.4, adversaries: [unrestricted]}\n"),
    ),
    Case(
        "a crowd that is not a whole number",
        "release.yaml:8:21: require.crowd.at_least: expected a whole number; found 2.5\n",
        release=added("require:\n  crowd: {at_least: 2.5}\n"),
    ),
    Case(
        "a crowd of nobody",
        "release.yaml:8:21: require.crowd.at_least: expected a whole number of at least 1; found 0\n",
        release=added("require:\n  crowd: {at_least: 0}\n"),
    ),
    Case(
        "an unknown adversary",
        """\
release.yaml:8:52: require.breach.adversaries: expected one of unrestricted, restricted, keyed, counted or bag; found keyd (did you mean keyed?)
""",
        release=added("require:\n  breach: {at_most: 0.5, adversaries: [restricted, keyd]}\n"),
    ),
    Case(
        "no adversary",
        """\
release.yaml:8:39: require.breach.adversaries: expected at least one entry; found an empty list
""",
        release=added("require:\n  breach: {at_most: 0.5, adversaries: []}\n"),
    ),
    Case(
        "an unknown type",
        """\
release.yaml:7:14: types.age: expected one of text, integer, number, date, timestamp or boolean; found int (did you mean integer?)
""",
        release=added("types: {age: int}\n"),
    ),
    Case(
        "a domain that is no list",
        "release.yaml:7:9: domain: expected a list; found a single value\n",
        release=added("domain: SECRETCELL\n"),
    ),
    Case(
        "nothing to audit",
        "release.yaml:1:1: there is nothing to audit: expected views: with identifier: and private:, published: with "
        "knowledge:, or a ledger\n",
        release="table: patient.csv\nidentifier: name\nprivate: problem\n",
        command="audit release.yaml",
        check=False,
    ),
    Case(
        "mistakes of every kind",
        """\
release.yaml:2:13: identifier: unknown column nmae (did you mean name?); expected one of name, age, job, problem
release.yaml:3:10: private: unknown column illness; expected one of name, age, job, problem
release.yaml:4:1: unknown key flavour; expected one of table, name, identifier, quasi, private, public, domain, views, secret, published, knowledge, republish, ledger, history, algorithm, columns, generalize, rename, withhold, types, encoding, decimal, require
release.yaml:6:24: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT name, agee FROM patient
                 ^^^^
release.yaml:6:34: view people: unknown table patient (did you mean patients?); expected patients
    SELECT name, agee FROM patient
                           ^^^^^^^
release.yaml:7:18: view clinic: expected the columns by name; found *
    SELECT *, upper(job) FROM patients LIMIT ?
           ^
release.yaml:7:21: view clinic: expected a column; found UPPER(job)
    SELECT *, upper(job) FROM patients LIMIT ?
              ^^^^^^^^^^
release.yaml:7:46: view clinic: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found LIMIT
    SELECT *, upper(job) FROM patients LIMIT ?
                                       ^^^^^
release.yaml:8:9: types: unknown column zip; expected one of name, age, job, problem
release.yaml:8:25: types.job: expected date in patients.csv; found 5 cells that are not
release.yaml:8:36: types.age: expected one of text, integer, number, date, timestamp or boolean; found int (did you mean integer?)
release.yaml:10:21: require.breach.at_most: expected a number from 0 to 1; found 2
release.yaml:10:38: require.breach.adversaries: expected one of unrestricted, restricted, keyed, counted or bag; found all
""",
        release="""\
table: patients.csv
identifier: nmae
private: illness
flavour: blue
views:
  people: SELECT name, agee FROM patient
  clinic: SELECT *, upper(job) FROM patients LIMIT 5
types: {zip: text, job: date, age: int}
require:
  breach: {at_most: 2, adversaries: [all]}
""",
    ),
    Case(
        "mistakes although there is no table",
        """\
release.yaml:1:8: patients.csv: no such file; expected a csv, tsv or parquet file
release.yaml:3:10: private: expected a column that is not the identifier; found name as both
release.yaml:5:27: view people: expected the columns by name; found *
    SELECT DISTINCT * FROM patients
                    ^
""",
        release=changed(("private: problem", "private: name"), ("SELECT name, age", "SELECT DISTINCT *")),
        table=None,
    ),
]

COLUMNS = [
    Case(
        "an unknown identifier",
        """\
release.yaml:2:13: identifier: unknown column nmae (did you mean name?); expected one of name, age, job, problem
""",
        release=changed(("identifier: name", "identifier: nmae")),
    ),
    Case(
        "an unknown part of the identifier",
        """\
release.yaml:2:20: identifier: unknown column postcode; expected one of name, age, job, problem
""",
        release=changed(("identifier: name", "identifier: [name, postcode]")),
    ),
    Case(
        "an identifier column twice",
        "release.yaml:2:20: identifier: expected name once; found it twice\n",
        release=changed(("identifier: name", "identifier: [name, name]")),
    ),
    Case(
        "another spelling",
        """\
release.yaml:2:13: identifier: unknown column Name (did you mean name?); expected one of name, age, job, problem
""",
        release=changed(("identifier: name", "identifier: Name")),
    ),
    Case(
        "an unknown private column",
        "release.yaml:3:10: private: unknown column illness; expected one of name, age, job, problem\n",
        release=changed(("private: problem", "private: illness")),
    ),
    Case(
        "a private column that is the identifier",
        "release.yaml:3:10: private: expected a column that is not the identifier; found name as both\n",
        release=changed(("private: problem", "private: name")),
    ),
    Case(
        "a quasi-identifier that is the private column",
        "release.yaml:7:14: quasi: expected columns other than the private one; found problem\n",
        release=added("quasi: [age, problem]\n"),
    ),
    Case(
        "an unknown quasi-identifier",
        "release.yaml:9:5: quasi: unknown column zip; expected one of name, age, job, problem\n",
        release=added("quasi:\n  - age\n  - zip\n"),
    ),
    Case(
        "an unknown public column",
        """\
release.yaml:7:9: public: unknown column jobs (did you mean job?); expected one of name, age, job, problem
""",
        release=added("public: jobs\n"),
    ),
    Case(
        "a type for an unknown column",
        "release.yaml:7:9: types: unknown column zip; expected one of name, age, job, problem\n",
        release=added("types: {zip: text}\n"),
    ),
    Case(
        "an unknown column in a view",
        """\
release.yaml:5:18: view people: unknown column nmae (did you mean name?); expected one of name, age, job, problem
    SELECT nmae, age FROM patients
           ^^^^
""",
        release=people("SELECT nmae, age FROM patients"),
    ),
    Case(
        "two unknown columns in a view",
        """\
release.yaml:5:18: view people: unknown column nmae (did you mean name?); expected one of name, age, job, problem
    SELECT nmae, agee FROM patients
           ^^^^
release.yaml:5:24: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT nmae, agee FROM patients
                 ^^^^
""",
        release=people("SELECT nmae, agee FROM patients"),
    ),
    Case(
        "an unknown column in single quotes",
        """\
release.yaml:5:60: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT name FROM patients WHERE job = ? AND agee = ?
                                                ^^^^
""",
        release=people("'SELECT name FROM patients WHERE job = ''x'' AND agee = 3'"),
    ),
    Case(
        "an unknown column in double quotes",
        """\
release.yaml:5:29: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT "name", agee FROM patients
                   ^^^^
""",
        release=people('"SELECT \\"name\\", agee FROM patients"'),
    ),
    Case(
        "an unknown column in a block",
        """\
release.yaml:7:12: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
           agee
           ^^^^
""",
        release=people("|\n    SELECT name,\n           agee\n    FROM patients"),
    ),
    Case(
        "an unknown column in a folded block",
        """\
release.yaml:7:7: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
      agee
      ^^^^
""",
        release=people(">-\n    SELECT name,\n      agee\n    FROM patients"),
    ),
    Case(
        "an unknown column on a later line",
        """\
release.yaml:6:7: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT name, agee FROM patients
                 ^^^^
""",
        release=people("SELECT name,\n      agee\n    FROM patients"),
    ),
    Case(
        "a column twice in a view",
        """\
release.yaml:5:29: view people: expected name once; found it twice
    SELECT name, age, name FROM patients
                      ^^^^
""",
        release=people("SELECT name, age, name FROM patients"),
    ),
    Case(
        "an unknown column in a condition",
        """\
release.yaml:5:48: view people: unknown column agee (did you mean age?); expected one of name, age, job, problem
    SELECT name, age FROM patients WHERE agee > ?
                                         ^^^^
""",
        release=people("SELECT name, age FROM patients WHERE agee > 40"),
    ),
    Case(
        "a secret with other columns",
        "release.yaml:7:9: secret: expected SELECT name, problem; found SELECT name, age\n",
        release=added("secret: SELECT name, age FROM patients\n"),
    ),
    Case(
        "a secret with fewer columns",
        "release.yaml:7:9: secret: expected SELECT name, problem; found SELECT problem\n",
        release=added("secret: SELECT problem FROM patients\n"),
    ),
    Case(
        "a secret of everything",
        """\
release.yaml:7:16: secret: expected the columns by name; found *
    SELECT * FROM patients
           ^
""",
        release=added("secret: SELECT * FROM patients\n"),
    ),
    Case(
        "types that the cells do not fit",
        """\
release.yaml:7:18: types.problem: expected integer in patients.csv; found 5 cells that are not
release.yaml:7:32: types.job: expected date in patients.csv; found 5 cells that are not
""",
        release=added("types: {problem: integer, job: date}\n"),
    ),
    Case(
        "a type that one cell does not fit",
        "release.yaml:7:14: types.age: expected integer in patients.csv; found 1 cell that is not\n",
        release=added("types: {age: integer}\n"),
        table=rows("Zoe,old,Clerk,SECRETCELL\n"),
    ),
]

VIEWS = [
    Case(
        "every column",
        """\
release.yaml:5:18: view people: expected the columns by name; found *
    SELECT * FROM patients
           ^
""",
        release=people("SELECT * FROM patients"),
    ),
    Case(
        "every column of a table",
        """\
release.yaml:5:18: view people: expected the columns by name; found *
    SELECT patients.* FROM patients
           ^^^^^^^^^^
""",
        release=people("SELECT patients.* FROM patients"),
    ),
    Case(
        "an expression",
        """\
release.yaml:5:24: view people: expected a column; found age / ?
    SELECT name, age / ? FROM patients
                 ^^^^^^^
""",
        release=people("SELECT name, age / 10 FROM patients"),
    ),
    Case(
        "a new name",
        """\
release.yaml:5:24: view people: a published column keeps its name; found age AS years
    SELECT name, age AS years FROM patients
                 ^^^^^^^^^^^^
""",
        release=people("SELECT name, age AS years FROM patients"),
    ),
    Case(
        "new names for all",
        """\
release.yaml:5:40: view people: a published column keeps its name; found ?(?, ?)
    SELECT a, b FROM patients AS ?(?, ?)
                                 ^^^^^^^
""",
        release=people("SELECT a, b FROM patients AS p(a, b)"),
    ),
    Case(
        "a constant",
        """\
release.yaml:5:24: view people: expected a column; found ?
    SELECT name, ? FROM patients
                 ^
""",
        release=people("SELECT name, 'SECRETCELL' FROM patients"),
    ),
    Case(
        "a case",
        """\
release.yaml:5:24: view people: expected a column; found CASE problem WHEN ? THEN ? ELSE ? END
    SELECT name, CASE problem WHEN ? THEN ? ELSE ? END FROM patients
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, CASE problem WHEN 'SECRETCELL' THEN 1 ELSE 0 END FROM patients"),
    ),
    Case(
        "a function",
        """\
release.yaml:5:18: view people: expected a column; found UPPER(name)
    SELECT upper(name), age FROM patients
           ^^^^^^^^^^^
""",
        release=people("SELECT upper(name), age FROM patients"),
    ),
    Case(
        "a cast",
        """\
release.yaml:5:24: view people: expected a column; found CAST(age AS TEXT)
    SELECT name, age::text FROM patients
                 ^^^^^^^^^
""",
        release=people("SELECT name, age::text FROM patients"),
    ),
    Case(
        "a count",
        """\
release.yaml:5:18: view people: expected a column; found COUNT(*)
    SELECT count(*) FROM patients
           ^^^^^^^^
""",
        release=people("SELECT count(*) FROM patients"),
    ),
    Case(
        "an aggregate",
        """\
release.yaml:5:24: view people: expected a column; found MAX(age)
    SELECT name, max(age) FROM patients
                 ^^^^^^^^
""",
        release=people("SELECT name, max(age) FROM patients"),
    ),
    Case(
        "a window",
        """\
release.yaml:5:24: view people: expected a column; found ROW_NUMBER() OVER (ORDER BY age)
    SELECT name, row_number() OVER (ORDER BY age) FROM patients
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, row_number() OVER (ORDER BY age) FROM patients"),
    ),
    Case(
        "a subquery as a column",
        """\
release.yaml:5:24: view people: expected a column; found (SELECT ?)
    SELECT name, (SELECT ?) FROM patients
                 ^^^^^^^^^^
""",
        release=people("SELECT name, (SELECT 1) FROM patients"),
    ),
    Case(
        "two commas",
        """\
release.yaml:5:23: view people: expected a column; found nothing
    SELECT name,, age FROM patients
                ^
""",
        release=people("SELECT name,, age FROM patients"),
    ),
    Case(
        "a join",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found a join
    SELECT name, age FROM patients JOIN ? ON true
                                   ^^^^
""",
        release=people("SELECT name, age FROM patients JOIN wards ON true"),
    ),
    Case(
        "an outer join",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found a join
    SELECT name, age FROM patients LEFT JOIN ? USING (?)
                                   ^^^^
""",
        release=people("SELECT name, age FROM patients LEFT JOIN wards USING (ward)"),
    ),
    Case(
        "a comma join",
        """\
release.yaml:5:41: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found a join
    SELECT name, age FROM patients, ?
                                  ^
""",
        release=people("SELECT name, age FROM patients, wards"),
    ),
    Case(
        "a union",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found UNION
    SELECT name, age FROM patients UNION SELECT name, age FROM patients
                                   ^^^^^
""",
        release=people("SELECT name, age FROM patients UNION SELECT name, age FROM patients"),
    ),
    Case(
        "two statements",
        """\
release.yaml:5:43: view people: expected one statement; found another, DROP
    SELECT name, age FROM patients; DROP TABLE patients
                                    ^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients; DROP TABLE patients"),
    ),
    Case(
        "a deletion",
        """\
release.yaml:5:11: view people: expected SELECT; found DELETE
    DELETE FROM patients
    ^^^^^^
""",
        release=people("DELETE FROM patients"),
    ),
    Case(
        "an insertion",
        """\
release.yaml:5:11: view people: expected SELECT; found INSERT
    INSERT INTO patients VALUES (?)
    ^^^^^^
""",
        release=people("INSERT INTO patients VALUES ('SECRETCELL')"),
    ),
    Case(
        "a statement of the engine",
        """\
release.yaml:5:11: view people: expected SELECT; found COPY
    COPY patients ? ?
    ^^^^
""",
        release=people("COPY patients TO 'stolen.csv'"),
    ),
    Case(
        "a plan",
        """\
release.yaml:5:11: view people: expected SELECT; found EXPLAIN
    EXPLAIN?
    ^^^^^^^
""",
        release=people("EXPLAIN SELECT name, age FROM patients"),
    ),
    Case(
        "a new table",
        """\
release.yaml:5:28: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found INTO
    SELECT name, age INTO copy FROM patients
                     ^^^^
""",
        release=people("SELECT name, age INTO copy FROM patients"),
    ),
    Case(
        "groups",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found GROUP BY
    SELECT name, age FROM patients GROUP BY name, age
                                   ^^^^^^^^
""",
        release=people("SELECT name, age FROM patients GROUP BY name, age"),
    ),
    Case(
        "a few rows",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found LIMIT
    SELECT name, age FROM patients LIMIT ?
                                   ^^^^^
""",
        release=people("SELECT name, age FROM patients LIMIT 3"),
    ),
    Case(
        "some rows",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found TABLESAMPLE
    SELECT name, age FROM patients TABLESAMPLE ?%
                                   ^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients TABLESAMPLE 10%"),
    ),
    Case(
        "an order",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found ORDER BY
    SELECT name, age FROM patients ORDER BY age
                                   ^^^^^^^^
""",
        release=people("SELECT name, age FROM patients ORDER BY age"),
    ),
    Case(
        "groups, an order and a limit",
        """\
release.yaml:5:52: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found GROUP BY
    SELECT name FROM patients WHERE age > ? GROUP BY name ORDER BY name LIMIT ?
                                            ^^^^^^^^
release.yaml:5:66: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found ORDER BY
    SELECT name FROM patients WHERE age > ? GROUP BY name ORDER BY name LIMIT ?
                                                          ^^^^^^^^
release.yaml:5:80: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found LIMIT
    SELECT name FROM patients WHERE age > ? GROUP BY name ORDER BY name LIMIT ?
                                                                        ^^^^^
""",
        release=people("SELECT name FROM patients WHERE age > 40 GROUP BY name ORDER BY name LIMIT 3"),
    ),
    Case(
        "one row for each",
        """\
release.yaml:5:18: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found DISTINCT ON
    SELECT DISTINCT ON (name) name, age FROM patients
           ^^^^^^^^^^^
""",
        release=people("SELECT DISTINCT ON (name) name, age FROM patients"),
    ),
    Case(
        "a pivot",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found PIVOT
    SELECT name, age FROM patients PIVOT (sum(age) FOR problem IN (?))
                                   ^^^^^
""",
        release=people("SELECT name, age FROM patients PIVOT (sum(age) FOR problem IN ('SECRETCELL'))"),
    ),
    Case(
        "a lock",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found FOR
    SELECT name, age FROM patients FOR UPDATE
                                   ^^^
""",
        release=people("SELECT name, age FROM patients FOR UPDATE"),
    ),
    Case(
        "a common table",
        """\
release.yaml:5:11: view people: expected SELECT; found WITH
    WITH ? AS (SELECT * FROM patients) SELECT name, age FROM ?
    ^^^^
""",
        release=people("WITH p AS (SELECT * FROM patients) SELECT name, age FROM p"),
    ),
    Case(
        "an unknown table",
        """\
release.yaml:5:33: view people: unknown table patient (did you mean patients?); expected patients
    SELECT name, age FROM patient
                          ^^^^^^^
""",
        release=people("SELECT name, age FROM patient"),
    ),
    Case(
        "a table of another schema",
        """\
release.yaml:5:33: view people: unknown table other.patients (did you mean patients?); expected patients
    SELECT name, age FROM other.patients
                          ^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM other.patients"),
    ),
    Case(
        "a file",
        """\
release.yaml:5:33: view people: unknown table patients.csv (did you mean patients?); expected patients
    SELECT name, age FROM ?
                          ^
""",
        release=people("SELECT name, age FROM 'patients.csv'"),
    ),
    Case(
        "a table function",
        """\
release.yaml:5:33: view people: expected FROM patients; found READ_CSV(?)
    SELECT name, age FROM read_csv(?)
                          ^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM read_csv('patients.csv')"),
    ),
    Case(
        "a subquery as the table",
        """\
release.yaml:5:33: view people: expected FROM patients; found (SELECT name, age FROM patients)
    SELECT name, age FROM (SELECT name, age FROM patients)
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM (SELECT name, age FROM patients)"),
    ),
    Case(
        "no table",
        """\
release.yaml:5:11: view people: expected FROM patients; found no FROM
    SELECT name, age
    ^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age"),
    ),
    Case(
        "a column of another table",
        """\
release.yaml:5:18: view people: unknown table wards; expected patients
    SELECT wards.name, age FROM patients
           ^^^^^^^^^^
""",
        release=people("SELECT wards.name, age FROM patients"),
    ),
    Case(
        "a misspelt SELECT",
        """\
release.yaml:5:11: view people: expected SELECT; found SELEC
    SELEC name, age FROM patients
    ^^^^^
""",
        release=people("SELEC name, age FROM patients"),
    ),
    Case(
        "a misspelt FROM",
        """\
release.yaml:5:33: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found patients
    SELECT name, age FORM patients
                          ^^^^^^^^
""",
        release=people("SELECT name, age FORM patients"),
    ),
    Case(
        "an end too soon",
        """\
release.yaml:5:52: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found the end after >
    SELECT name, age FROM patients WHERE age >
                                             ^
""",
        release=people("SELECT name, age FROM patients WHERE age >"),
    ),
    Case(
        "a comma too many",
        """\
release.yaml:5:42: view people: expected a statement that a database reads; found another
    SELECT name, age FROM patients WHERE age > ? ,
                                   ^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE age > 40 ,"),
    ),
    Case(
        "a sign too many",
        """\
release.yaml:5:42: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found *
    SELECT name, age FROM patients * WHERE age > ?
                                   ^
""",
        release=people("SELECT name, age FROM patients * WHERE age > 40"),
    ),
    Case(
        "parentheses without end",
        """\
release.yaml:5:11: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found something else
    SELECT name FROM patients WHERE (((((((((((((((((((((((((((((((((((((((((((((((…
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people(f"SELECT name FROM patients WHERE {'(' * 2_000}age = 1{')' * 2_000}"),
    ),
    Case(
        "a parenthesis that is not closed",
        """\
release.yaml:5:29: view people: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found FROM
    SELECT (name, age FROM patients
                      ^^^^
""",
        release=people("SELECT (name, age FROM patients"),
    ),
    Case(
        "a text that is not closed",
        """\
release.yaml:5:58: view people: expected a closing quote; found the end of the statement
    SELECT name, age FROM patients WHERE problem = ?
                                                   ^
""",
        release=people("SELECT name, age FROM patients WHERE problem = 'SECRETCELL"),
    ),
    Case(
        "no view with the private column",
        "release.yaml:5:3: no view publishes problem, so the views alone tie nobody to a value\n",
        release=changed(("age, job, problem", "age, job")),
        check=False,
    ),
    Case(
        "no view with the identifier",
        "release.yaml:5:3: no view publishes name, so the views alone tie nobody to a value\n",
        release=changed(("name, age", "age")),
        check=False,
    ),
]

CONDITIONS = [
    Case(
        "a subquery",
        """\
release.yaml:5:55: view people: a condition looks at one row; found a subquery
    SELECT name, age FROM patients WHERE age IN (SELECT age FROM patients)
                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE age IN (SELECT age FROM patients)"),
    ),
    Case(
        "an existence",
        """\
release.yaml:5:55: view people: a condition looks at one row; found a subquery
    SELECT name, age FROM patients WHERE EXISTS (SELECT ? FROM patients)
                                                ^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE EXISTS (SELECT 1 FROM patients)"),
    ),
    Case(
        "a random choice",
        """\
release.yaml:5:48: view people: expected comparisons of columns and constants; found RANDOM()
    SELECT name, age FROM patients WHERE random() < ?
                                         ^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE random() < 0.5"),
    ),
    Case(
        "a function of a column",
        """\
release.yaml:5:48: view people: expected comparisons of columns and constants; found LOWER(problem)
    SELECT name, age FROM patients WHERE lower(problem) = ?
                                         ^^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE lower(problem) = 'SECRETCELL'"),
    ),
    Case(
        "an aggregate in a condition",
        """\
release.yaml:5:48: view people: a condition looks at one row; found an aggregate, COUNT(*)
    SELECT name, age FROM patients WHERE count(*) > ?
                                         ^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE count(*) > 1"),
    ),
    Case(
        "text without quotes",
        """\
release.yaml:7:60: secret: unknown column (text stands in single quotes); expected one of name, age, job, problem
    SELECT name, problem FROM patients WHERE problem = ?
                                                       ^
""",
        release=added("secret: SELECT name, problem FROM patients WHERE problem = SECRETCELL\n"),
    ),
    Case(
        "text in double quotes",
        """\
release.yaml:7:60: secret: unknown column (text stands in single quotes); expected one of name, age, job, problem
    SELECT name, problem FROM patients WHERE problem = ?
                                                       ^
""",
        release=added('secret: SELECT name, problem FROM patients WHERE problem = "SECRETCELL"\n'),
    ),
    Case(
        "text that falls apart",
        """\
release.yaml:7:71: secret: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found a name
    SELECT name, problem FROM patients WHERE problem = ? ?
                                                         ^
""",
        release=added("secret: SELECT name, problem FROM patients WHERE problem = SECRETCELL SECRETCELL\n"),
    ),
    Case(
        "a number compared with text",
        """\
release.yaml:5:42: view people: expected one type on both sides of a comparison; found another beside age (bigint)
    SELECT name, age FROM patients WHERE age > ?
                                   ^^^^^^^^^^^^^
release.yaml:6:50: view clinic: expected one type on both sides of a comparison; found another beside age (bigint)
    SELECT age, job, problem FROM patients WHERE age > ?
                                           ^^^^^^^^^^^^^
""",
        release=where("age > 'SECRETCELL'"),
    ),
    Case(
        "text compared with a number",
        """\
release.yaml:7:44: secret: expected one type on both sides of a comparison; found another beside problem (varchar)
    SELECT name, problem FROM patients WHERE problem > ?
                                       ^^^^^^^^^^^^^^^^^
""",
        release=added("secret: SELECT name, problem FROM patients WHERE problem > 5\n"),
    ),
    Case(
        "text compared with true",
        """\
release.yaml:7:44: secret: expected one type on both sides of a comparison; found another beside problem (varchar)
    SELECT name, problem FROM patients WHERE problem = ?
                                       ^^^^^^^^^^^^^^^^^
""",
        release=added("secret: SELECT name, problem FROM patients WHERE problem = true\n"),
    ),
    Case(
        "a sum of a number and text",
        """\
release.yaml:7:44: secret: expected one type on both sides of a comparison; found another beside age (bigint), problem (varchar)
    SELECT name, problem FROM patients WHERE age + problem > ?
                                       ^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=added("secret: SELECT name, problem FROM patients WHERE age + problem > 5\n"),
    ),
    Case(
        "a comparison that no row reaches",
        """\
release.yaml:5:42: view people: expected one type on both sides of a comparison; found another beside age (bigint)
    SELECT name, age FROM patients WHERE age > ? AND age > ?
                                   ^^^^^^^^^^^^^^^^^^^^^^^^^
release.yaml:6:50: view clinic: expected one type on both sides of a comparison; found another beside age (bigint)
    SELECT age, job, problem FROM patients WHERE age > ? AND age > ?
                                           ^^^^^^^^^^^^^^^^^^^^^^^^^
""",
        release=where("age > 100 AND age > 'SECRETCELL'"),
    ),
    Case(
        "a condition in one view",
        """\
release.yaml:5:42: view people: expected the same WHERE in all views; found different ones
    SELECT name, age FROM patients WHERE age > ?
                                   ^^^^^^^^^^^^^
""",
        release=people("SELECT name, age FROM patients WHERE age > 40"),
        check=False,
    ),
    Case(
        "different conditions",
        """\
release.yaml:6:50: view clinic: expected the same WHERE in all views; found different ones
    SELECT age, job, problem FROM patients WHERE age > ?
                                           ^^^^^^^^^^^^^
""",
        release=changed(
            ("name, age FROM patients", "name, age FROM patients WHERE age > 40"),
            ("problem FROM patients", "problem FROM patients WHERE age > 41"),
        ),
        check=False,
    ),
    Case(
        "a condition on what one view publishes",
        """\
release.yaml:5:42: view people: a WHERE may use columns that all views publish or that none does; found problem, published by some (that would cut the join itself)
    SELECT name, age FROM patients WHERE problem <> ?
                                   ^^^^^^^^^^^^^^^^^^
""",
        release=where("problem <> 'SECRETCELL'"),
        check=False,
    ),
]

THE_TABLE = [
    Case(
        "no such file",
        "release.yaml:1:8: patients.csv: no such file; expected a csv, tsv or parquet file\n",
        table=None,
    ),
    Case(
        "no file that the glob matches",
        "release.yaml:1:8: patients-*.csv: no such file; expected a csv, tsv or parquet file\n",
        release=changed(("table: patients.csv", "table: patients-*.csv\nname: patients")),
    ),
    Case(
        "a folder as the table",
        """\
release.yaml:1:8: patients.csv: expected a file (or a glob such as part-*.csv); found a directory
""",
        table=None,
        files={"patients.csv": None},
    ),
    Case(
        "another kind of file",
        """\
release.yaml:1:8: patients.xlsx: expected a file that ends in .csv, .tsv or .parquet; found .xlsx (save the sheet as .csv, or in Python read it with pandas.read_excel and hand over the frame)
""",
        release=changed(("table: patients.csv", "table: patients.xlsx")),
        files={"patients.xlsx": "PK"},
    ),
    Case(
        "a file without an ending",
        """\
release.yaml:1:8: patients: expected a file that ends in .csv, .tsv or .parquet; found no ending
""",
        release=changed(("table: patients.csv", "table: patients")),
        files={"patients": TABLE},
    ),
    Case(
        "files of two kinds",
        "release.yaml:1:8: patients.*: expected files of one kind; found .csv, .parquet\n",
        release=changed(("table: patients.csv", "table: patients.*\nname: patients")),
        files={"patients.parquet": b"PAR1"},
    ),
    Case(
        "files with different columns",
        """\
people.csv:1: expected the header of patients.csv; found ';' between cells instead of ','
""",
        release=changed(("table: patients.csv", "table: p*.csv\nname: patients")),
        files={"people.csv": "name;age;job;problem\nZoe;30;Clerk;SECRETCELL\n"},
    ),
    Case(
        "a broken parquet file",
        "release.yaml:1:8: patients.parquet: expected a parquet file; found something else\n",
        release=changed(("table: patients.csv", "table: patients.parquet")),
        files={"patients.parquet": b"PAR1 SECRETCELL PAR1"},
    ),
    Case(
        "text that is called parquet",
        "release.yaml:1:8: patients.parquet: expected a parquet file; found something else\n",
        release=changed(("table: patients.csv", "table: patients.parquet")),
        files={"patients.parquet": TABLE},
    ),
    Case("a file of no bytes", "release.yaml:1:8: patients.csv: expected a table; found an empty file\n", table=""),
    Case(
        "a header and no rows",
        "release.yaml:1:8: patients.csv: expected at least one row; found none\n",
        table="name,age,job,problem\n",
    ),
    Case(
        "an empty line in place of the header",
        "patients.csv:1: expected column names; found an empty line\n",
        table="\n" + TABLE,
    ),
    Case(
        "two columns of one name",
        "patients.csv:1: expected each column once; found one name for columns 2 and 3\n",
        table=TABLE.replace("age,job", "age,Age"),
    ),
    Case(
        "a column without a name",
        "patients.csv:1: expected a name for column 3; found none\n",
        table=TABLE.replace("age,job", "age,"),
    ),
    Case(
        "a header quote that is not closed",
        """\
patients.csv:1: expected column names; found a line that cannot be read: unexpected end of data
""",
        table='"' + TABLE,
    ),
    Case(
        "a header in latin-1",
        "patients.csv:1: expected UTF-8 text; found other bytes in the name of column 3 (encoding: latin-1, cp1252 or utf-16 reads others)\n",
        table=TABLE.replace("job", "m\xe9tier").encode("latin-1"),
    ),
    Case("a short row", "patients.csv:7: expected 4 cells in the row; found 2\n", table=rows("Zoe,SECRETCELL\n")),
    Case(
        "a long row",
        "patients.csv:7: expected 4 cells in the row; found 5\n",
        table=rows("Zoe,30,Clerk,SECRETCELL,SECRETCELL\n"),
    ),
    Case(
        "a short row after a cell of two lines",
        "patients.csv:9: expected 4 cells in the row; found 2\n",
        table=rows('Zoe,30,Clerk,"SECRETCELL\nSECRETCELL"\nAnn,SECRETCELL\n'),
    ),
    Case(
        "a short row in the second of two files",
        "people.csv:2: expected 4 cells in the row; found 2\n",
        release=changed(("table: patients.csv", "table: p*.csv\nname: patients")),
        files={"people.csv": "name,age,job,problem\nZoe,SECRETCELL\n"},
    ),
    Case(
        "a cell quote that is not closed",
        "patients.csv:7: expected a closing quote at the end of the cell; found none\n",
        table=rows('Zoe,30,Clerk,"SECRETCELL\n'),
    ),
    Case(
        "text after a closing quote",
        "patients.csv:7: expected a closing quote at the end of the cell; found none\n",
        table=rows('Zoe,30,Clerk,"SECRETCELL"SECRETCELL\n'),
    ),
    Case(
        "a cell in latin-1",
        "patients.csv:7: expected UTF-8 text; found other bytes (encoding: latin-1, cp1252 or utf-16 reads others)\n",
        table=rows("Zo\xeb,30,Clerk,SECRETCELL\n").encode("latin-1"),
    ),
    Case(
        "a table in UTF-16",
        "patients.csv:1: expected UTF-8 text; found other bytes in the name of column 1 (encoding: latin-1, cp1252 or utf-16 reads others)\n",
        table=TABLE.encode("utf-16"),
    ),
    Case(
        "lines that end in two ways",
        """\
release.yaml:1:8: patients.csv: expected lines that all end alike, and quotes only around whole cells; found others
""",
        table=rows("Zoe,30,Clerk,SECRETCELL\r\n"),
    ),
    Case(
        "a line too long",
        "patients.csv:7: expected lines of at most 2,000,000 bytes; found a longer one\n",
        table=rows(f"Zoe,30,Clerk,{'SECRETCELL' * 210_000}\n"),
    ),
]

OPTIONS = [
    Case(
        "an output of another kind",
        "--out: expected a path that ends in .csv or .parquet; found out.xlsx\n",
        command="breach release.yaml --out out.xlsx",
        check=False,
    ),
    Case(
        "an output without an ending",
        "--out: expected a path that ends in .csv or .parquet; found out\n",
        command="breach release.yaml --out out",
        check=False,
    ),
    Case(
        "an output in no folder",
        "--out: expected a path in a folder that exists; found missing/out.csv\n",
        command="breach release.yaml --out missing/out.csv",
        check=False,
    ),
    Case(
        "an output in a file",
        "--out: expected a path in a folder that exists; found patients.csv/out.csv\n",
        command="breach release.yaml --out patients.csv/out.csv",
        check=False,
    ),
    Case(
        "an output that is a folder",
        "--out: expected a file; found the directory out.csv\n",
        command="breach release.yaml --out out.csv",
        files={"out.csv": None},
        check=False,
    ),
    Case(
        "an unknown engine",
        "--engine: expected duckdb or postgresql:// or postgres:// "
        "or spark or spark:// or local[*] or local-cluster[*]; found mysql\n",
        command="breach release.yaml --engine mysql --out out.csv",
        check=False,
    ),
    Case(
        "an unknown command",
        """\
Usage: deniable [OPTIONS] COMMAND [ARGS]...
Try 'deniable --help' for help.

Error: No such command 'brech'. Did you mean 'breach'?
""",
        command="brech release.yaml",
        check=False,
    ),
    Case(
        "an unknown option",
        """\
Usage: deniable check [OPTIONS] SPEC
Try 'deniable check --help' for help.

Error: No such option '--jsn'. Did you mean '--json'?
""",
        command="check release.yaml --jsn",
        check=False,
    ),
    Case(
        "an unknown choice",
        """\
Usage: deniable breach [OPTIONS] SPEC
Try 'deniable breach --help' for help.

Error: Invalid value for '--pairs': 'some' is not one of 'secret', 'all'.
""",
        command="breach release.yaml --out out.csv --pairs some",
        check=False,
    ),
    Case(
        "no release",
        """\
Usage: deniable breach [OPTIONS] SPEC
Try 'deniable breach --help' for help.

Error: Missing argument 'SPEC'.
""",
        command="breach --out out.csv",
        check=False,
    ),
    Case(
        "nobody of that name",
        "--who: nobody in patients.csv is called Goerge (did you mean George?)\n",
        command="explain release.yaml --who Goerge",
        check=False,
    ),
    Case(
        "nobody like that",
        "--who: nobody in patients.csv is called Xerxes\n",
        command="explain release.yaml --who Xerxes",
        check=False,
    ),
    Case(
        "two values for one identifier",
        "--who: expected a value for each of name; found 2\n",
        command="explain release.yaml --who George Professor",
        check=False,
    ),
    Case(
        "one value for two identifiers",
        "--who: expected a value for each of name, job; found 1\n",
        release=changed(("identifier: name", "identifier: [name, job]"), ("SELECT name, age", "SELECT name, job, age")),
        command="explain release.yaml --who George",
        check=False,
    ),
    Case(
        "no value", "Error: Option '--who' requires an argument.\n", command="explain release.yaml --who", check=False
    ),
]

CASES = [*THE_FILE, *KEYS, *COLUMNS, *VIEWS, *CONDITIONS, *THE_TABLE, *OPTIONS]
