"""Wrong inputs of `crowds`, and the exact words that the program has for each of them."""

# ruff: noqa: E501

from __future__ import annotations

from tests.mistakes.cases import TABLE, Case, added, changed

CROWDS_COMMAND = "crowds release.yaml --out out.csv"


def clinic(sql: str) -> str:
    """The right release with another second view, which stands in line 6 from column 11."""
    return changed(("SELECT age, job, problem FROM patients", sql))


CROWDS = [
    Case(
        "a condition on a column nobody has",
        """\
release.yaml:6:51: view clinic: unknown column jbo (did you mean job?); expected one of name, age, job, problem
    SELECT age, problem FROM patients WHERE jbo = ?
                                            ^^^
""",
        release=clinic("SELECT age, problem FROM patients WHERE jbo = 'Engineer'"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a view with an aggregate",
        """\
release.yaml:6:23: view clinic: expected a column; found COUNT(*)
    SELECT age, count(*) FROM patients GROUP BY age
                ^^^^^^^^
release.yaml:6:46: view clinic: expected only SELECT [DISTINCT] columns FROM table [WHERE …]; found GROUP BY
    SELECT age, count(*) FROM patients GROUP BY age
                                       ^^^^^^^^
""",
        release=clinic("SELECT age, count(*) FROM patients GROUP BY age"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a condition with an aggregate",
        """\
release.yaml:6:52: view clinic: a condition looks at one row; found an aggregate, AVG(age)
    SELECT problem FROM patients WHERE age > avg(age)
                                             ^^^^^^^^
""",
        release=clinic("SELECT problem FROM patients WHERE age > avg(age)"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a domain that misses a value",
        "release.yaml:7:9: domain: expected every value that problem has; found 1 value missing, in 1 row of patients.csv\n",
        release=added("domain: [Diarrhea, HIV, Cold]\n"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a domain that misses two values",
        "release.yaml:7:9: domain: expected every value that problem has; found 2 values missing, in 3 rows of patients.csv\n",
        release=added("domain: [Diarrhea, HIV]\n"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a domain that misses null",
        "release.yaml:7:9: domain: expected every value that problem has; found 1 value missing, in 1 row of patients.csv\n",
        release=added("domain: [Diarrhea, HIV, Cold]\n"),
        table=TABLE.replace("SECRETCELL", ""),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a domain of another type",
        "release.yaml:7:13: domain: expected values of problem (bigint); found 1 other\n",
        release=added("domain: [1, SECRETCELL, 3]\n"),
        table="name,age,job,problem\nBill,30,Engineer,1\nJohn,45,Professor,3\n",
        command=CROWDS_COMMAND,
    ),
    Case(
        "the private column as a public one",
        "release.yaml:7:15: public: expected columns other than the private one; found problem\n",
        release=added("public: [age, problem]\n"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a public column nobody has",
        "release.yaml:7:10: public: unknown column aeg (did you mean age?); expected one of name, age, job, problem\n",
        release=added("public: [aeg, job]\n"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "no private column to hide",
        "release.yaml:1:1: crowds needs private:, which is missing\n",
        release=changed(("private: problem\n", "")),
        command=CROWDS_COMMAND,
        check=False,
    ),
    Case(
        "numbers compared with text",
        """\
release.yaml:6:40: view clinic: expected one type on both sides of a comparison; found another beside age (bigint), problem (varchar)
    SELECT problem FROM patients WHERE age > problem
                                 ^^^^^^^^^^^^^^^^^^^
""",
        release=clinic("SELECT problem FROM patients WHERE age > problem"),
        command=CROWDS_COMMAND,
    ),
    Case(
        "a method nobody knows",
        """\
Usage: deniable crowds [OPTIONS] SPEC
Try 'deniable crowds --help' for help.

Error: Invalid value for '--method': 'quick' is not one of 'conservative', 'exact', 'restricted'.
""",
        command="crowds release.yaml --method quick",
        check=False,
    ),
    Case(
        "a table without its private column",
        "--private: expected the private column beside --quasi; found none\n",
        command="crowds patients.csv --quasi age,job",
        check=False,
    ),
    Case(
        "a table without quasi-identifiers",
        "--quasi: expected the quasi-identifiers beside --private; found none\n",
        command="crowds patients.csv --private problem",
        check=False,
    ),
    Case(
        "columns beside a release file",
        "release.yaml: expected a csv, tsv or parquet table beside --private and --quasi\n",
        command="crowds release.yaml --private problem --quasi age",
        check=False,
    ),
    Case(
        "a quasi-identifier nobody has",
        "quasi: unknown column agge (did you mean age?); expected one of name, age, job, problem\n",
        command="crowds patients.csv --private problem --quasi agge,job",
        check=False,
    ),
    Case(
        "a table that is no release file",
        "patients.csv: expected a release file (deniable init patients.csv writes one), or --private and --quasi beside "
        "a table; found a table alone\n",
        command="crowds patients.csv",
        check=False,
    ),
]
