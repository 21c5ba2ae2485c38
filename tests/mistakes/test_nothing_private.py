"""Messages about statements and files show no value: not beside the private column, not behind an open quote, and not
in the first line of a file that has no header."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable
from deniable.examples import write_examples
from deniable.spec.locations import Locations
from deniable.sql.parse import View, parse_view
from tests.mistakes.cases import RELEASE

COLUMNS = ["name", "age", "job", "problem"]
SECRET = "SECRETHIV"
NO_COMPARISON = ("problem SECRETHIV", "x -> SECRETHIV", "problem : SECRETHIV", "problem = 'x'; SELECT SECRETHIV")


def said(sql: str) -> str:
    """All that is said of a view, or what messages may show of it."""
    found = parse_view("v", sql, "patients", COLUMNS, Locations(), "problem")
    return found.shown.replace("\0", "?") if isinstance(found, View) else "\n".join(map(str, found))


@pytest.mark.parametrize(
    "condition",
    [
        "age = 'x' AND problem = \"SECRETHIV'",
        "age = 'SECRETHIV' OR 'problem = SECRETHIV",
        "age = \"x' SECRETHIV",
        "job = 'it's SECRETHIV'",
        "problem = SECRETHIV.9",
        "problem = SECRETHIV.age",
        "problem = SECRETHIV.SECRETHIV",
        "SECRETHIV.9 = problem",
        "problem = SECRETHIV (SECRETHIV)",
        "problem = SECRETHIV(age)",
        "problem = :SECRETHIV",
        "problem = $SECRETHIV",
        "problem = @SECRETHIV",
        "problem = #SECRETHIV",
        "problem = {SECRETHIV}",
        "problem = [SECRETHIV]",
        "problem = 'x'::SECRETHIV",
        "problem = CAST('x' AS SECRETHIV)",
        "problem = SECRETHIV-SECRETHIV",
        "problem = 20SECRETHIV",
        "problem IN (SECRETHIV, SECRETHIV (b), 'x')",
        "problem NOT IN (SECRETHIV.1 SECRETHIV)",
        "problem LIKE SECRETHIV",
        "problem LIKE '%' ESCAPE SECRETHIV",
        "problem BETWEEN SECRETHIV AND SECRETHIV",
        "problem BETWEEN SECRETHIV.1 AND SECRETHIV.9",
        "CASE WHEN problem = SECRETHIV THEN SECRETHIV ELSE 1 END = 1",
        "CASE problem WHEN SECRETHIV THEN 1 END = 1",
        "problem IS SECRETHIV",
        "problem = lower(SECRETHIV)",
        "age = 3 AND problem = SECRETHIV SECRETHIV ORDER BY SECRETHIV",
        "problem = `SECRETHIV`",
        "problem = E'SECRETHIV\\' SECRETHIV'",
        "problem = $a$SECRETHIV",
        "problem = 'x' -- SECRETHIV",
        "problem = 5 /* SECRETHIV */",
        "problem = 5 /* SECRETHIV",
        "problem = 'x'; SELECT SECRETHIV",
        "problem == SECRETHIV",
        "problem SECRETHIV",
        "age = SECRETHIV (b)",
        "random(SECRETHIV) < age",
        "x -> SECRETHIV",
        "problem : SECRETHIV",
        "INTERVAL SECRETHIV day = problem",
    ],
)
def test_no_value_of_a_condition_is_shown(condition: str) -> None:
    assert SECRET not in said(f"SELECT name FROM patients WHERE {condition}")
    assert SECRET not in said(f"SELECT name FROM patients WERE {condition}")
    assert SECRET not in said(f"SELECT name FROM patientsWHERE {condition}")
    if condition not in NO_COMPARISON:
        assert SECRET not in said(f"SELECT name, {condition} AS x FROM patients")


def test_no_value_is_shown_where_nothing_is_spelt_right() -> None:
    assert SECRET not in said("SELECT name FROM patients WHEERE NOT (problem BETWE AS EN SECRETHIV '2' AND SECRETHIV)")
    assert SECRET not in said("SELECT DISTINRE problem SECRETHIV.9")
    assert SECRET not in said("SELECT name FROM patientsWHERE SECRETHIV = problem")
    assert SECRET not in said("SELECT name FROM patients SECRETHIV = problem WHERE age = 1")
    assert SECRET not in said("SELECT problem FROM patients WHx, SECRETHIV) OR age = 1")
    assert SECRET not in said("SELECT problem FROM patients SECRETHIV)")
    assert SECRET not in said("SELECT problem FROM patients) SECRETHIV")
    assert SECRET not in said('SELECT problem FROM patients WHEm(OI   NS eULE RnRproblem "SECRETHIV")')
    assert SECRET not in said("SELECT problem FROM patients WHEm(SECRETHIV)")
    assert SECRET not in said("SELECT problem FROM patients SECRETHIV")
    assert SECRET not in said("SELECT problem FROM SECRETHIV problem")
    assert SECRET not in said("SELECT name, problem SECRETHIV FROM patients")
    assert SECRET not in said("SELECT name, problem AS SECRETHIV FROM patients")
    assert SECRET not in said("SELECT name, problem || SECRETHIV FROM patients")
    assert SECRET not in said("SELECT name, problem FROM patients GROUP BY SECRETHIV")
    assert SECRET not in said("SELECT name, problem FROM SECRETHIV = problem")
    assert "HIV" not in said("SELECTHIV = problem")
    assert "HIV" not in said("SELECT name FROM patients WHERE nameHIV = 1")
    assert "HIV" not in said("SELECT name FROM patients WHERE (age = 1) = HIVname")
    assert "HIV" not in said("SELECT name FROM patients WHEREHIV")
    assert SECRET not in said("SELECT problem FROM patients WHERE NOT (problemSECRETHIV)")
    assert "HIV" not in said("SELECT problem FROM patients WHERE NOT (problemHIV)")
    assert "HIV" not in said("SELECT problem FROM patients WHERE HIVproblem")
    assert "unknown column problems (did you mean problem?)" in said("SELECT name FROM patients WHERE problems")


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT name FROM" patients WHERE lower(problem) = "SECRETHIV',
        'SELECT name FROM patients" WHERE problem = "SECRETHIV',
        "SELECT name FROM\" patients WHERE problem = 'SECRETHIV'\"",
        'SELECT name, " FROM patients WHERE problem = SECRETHIV" FROM patients',
        'SELECT name, " FROM patients WHERE problem = "SECRETHIV FROM patients',
        'SELECT "problem = SECRETHIV".name FROM patients',
        'SELECT name FROM patients WHERE "age = 1 AND problem = "SECRETHIV = 2',
    ],
)
def test_no_value_is_shown_behind_a_quote_that_closes_too_late(sql: str) -> None:
    assert SECRET not in said(sql)


@pytest.mark.parametrize("value", ["problems", "ages", "LEFT", "true", "Jobs", "current_date"])
def test_values_that_look_like_columns_or_words(value: str) -> None:
    told = said(f"SELECT name FROM patients WHERE problem = {value} AND agee = 1")
    shown, asked = told.replace("expected one of name, age, job, problem", ""), f" {value}"
    assert asked not in shown
    assert "unknown column agee (did you mean age?)" in shown
    assert "WHERE problem = ? AND agee = ?" in shown


def test_what_is_no_value_is_shown() -> None:
    told = said("SELECT name FROM patients p WHERE p.agee = 1 AND lower(p.problem) = SECRETHIV AND max(age) > 2")
    assert "SELECT name FROM patients p WHERE p.agee = ? AND lower(p.problem) = ? AND max(age) > ?" in told


TEXT = """
AND OR NOT ( ) , . = <> < > + - * : :: $ @ # ; ' " ` $$ -- /* */ IN LIKE BETWEEN IS NULL CASE WHEN THEN ELSE END
problem problem age job patients lower max CAST AS LEFT 1 .5 SECRETHIV SECRETHIV 'SECRETHIV' "SECRETHIV" 'SECRETHIV
SECRETHIV' "SECRETHIV GROUP BY ORDER LIMIT JOIN ON UNION SELECT FROM WHERE EXISTS ? INTERVAL ESCAPE
"""
words = st.sampled_from(TEXT.split())
# What a slip of the keyboard makes of WHERE and FROM, and of what stands beside them.
SLIPS = """
WHERE FROM WHEm WHRE FRM ( ) ( ) , = IN problem problem RnRproblem problemAND SELECT DISTINCT AND age name patients p AS
SECRETHIV SECRETHIV "SECRETHIV" 'SECRETHIV' SECRETHIV.9 IS NOT NULL
"""
slips = st.sampled_from(SLIPS.split())


@given(st.lists(words, min_size=1, max_size=10), st.sampled_from([" ", ""]))
def test_whatever_stands_in_a_condition(made: list[str], between: str) -> None:
    assert SECRET not in said(f"SELECT name, age FROM patients WHERE problem = {between.join(made)}")


@given(st.lists(slips, max_size=10))
def test_whatever_follows_a_table(made: list[str]) -> None:
    assert SECRET not in said(f"SELECT name, problem FROM patients {' '.join(made)}")


@given(st.lists(slips.filter(lambda word: word != ","), max_size=10))
def test_whatever_is_listed_behind_the_private_column(made: list[str]) -> None:
    assert SECRET not in said(f"SELECT name, problem {' '.join(made)} FROM patients")


ROW = "SECRETBILL,30,Engineer,SECRETHIV"
Calls = dict[str, Callable[[Path], object]]
HEADERLESS: Calls = {
    "check": lambda folder: deniable.check(folder / "release.yaml"),
    "audit": lambda folder: deniable.audit(folder / "release.yaml"),
    "crowds": lambda folder: deniable.crowds(folder / "patients.csv", private="problem", quasi="age"),
    "republish": lambda folder: deniable.republish(folder / "release.yaml", folder / "out", begin=True),
    "bucketize": lambda folder: deniable.bucketize(folder / "release.yaml", folder / "out", r=2),
    "explain": lambda folder: deniable.explain(folder / "release.yaml", "SECRETBILL"),
}
MORE = "quasi: [age, job]\nrepublish: {m: 2, n: 1}\n"


def refused(verb: str, table: str, folder: Path) -> str:
    """What is said of a table that is not as it should be, which has no value in it."""
    (folder / "patients.csv").write_text(table)
    (folder / "release.yaml").write_text(RELEASE + MORE)
    with pytest.raises(deniable.BadInput) as wrong:
        HEADERLESS[verb](folder)
    assert "SECRET" not in str(wrong.value)
    assert "Engineer" not in str(wrong.value)
    return str(wrong.value)


@pytest.mark.parametrize("verb", HEADERLESS)
@pytest.mark.parametrize("row", [ROW, "SECRETBILL,SECRETBILL,30,SECRETHIV"], ids=["a row", "a row with a cell twice"])
def test_the_first_row_of_a_file_without_a_header_is_not_shown(verb: str, row: str, tmp_path: Path) -> None:
    told = refused(verb, f"{row}\nSECRETJOHN,45,Professor,SECRETHIV\n", tmp_path)
    if row == ROW:
        assert "it may be a row, and the header missing" in told


@pytest.mark.parametrize("verb", HEADERLESS)
def test_the_first_row_of_a_file_whose_header_lost_its_end_is_not_shown(verb: str, tmp_path: Path) -> None:
    told = refused(verb, f"name,age,job,problem{ROW}\nSECRETJOHN,45,Professor,SECRETHIV\n", tmp_path)
    assert "is the end of the header's line lost?" in told or "expected 7 cells in the row; found 4" in told


def test_the_rows_behind_a_quote_that_the_header_left_open_are_not_shown(tmp_path: Path) -> None:
    rows = f'{ROW},yes\nSECRETJOHN,45,Professor,SECRETHIV,"\nSECRETANN,46,Engineer,SECRETFLU,no\n'
    (tmp_path / "patients.csv").write_text(f'name,age,job,problem,"\n{rows}')
    with pytest.raises(deniable.BadInput) as wrong:
        deniable.init(tmp_path / "patients.csv", identifier="name", private="problem", out=tmp_path / "first.yaml")
    assert not (tmp_path / "first.yaml").exists()
    assert "SECRET" not in str(wrong.value)
    assert "a quote may be left open" in str(wrong.value)


def test_a_name_over_two_lines_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text('name,"age in\nyears",job,problem\nJo,30,baker,flu\nAnn,31,baker,cold\n')
    out = tmp_path / "first.yaml"
    deniable.init(tmp_path / "patients.csv", identifier="name", private="problem", quasi="age in\nyears", out=out)
    assert "age in" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("between", [";", '"', "\0", "m ", "mm"])
@pytest.mark.parametrize("lost", [0, 1])
def test_nor_is_it_where_the_name_before_it_is_damaged(between: str, lost: int, tmp_path: Path) -> None:
    row = ROW.replace(",Engineer", "", lost)
    told = refused("audit", f"name,age,job,proble{between}{row}\nSECRETJOHN,45,Professor,SECRETHIV\n", tmp_path)
    assert "expected a column" in told


def test_a_name_that_is_misspelt_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("name,age,problems,job\nBill,30,HIV,Engineer\n")
    (tmp_path / "release.yaml").write_text(RELEASE)
    with pytest.raises(deniable.BadInput, match=r"did you mean problems\?\); expected one of name, age, problems, job"):
        deniable.audit(tmp_path / "release.yaml")


@pytest.mark.parametrize("verb", HEADERLESS)
def test_rows_behind_a_quote_that_the_header_left_open_are_not_shown(verb: str, tmp_path: Path) -> None:
    rows = f'{ROW},"\nSECRETJOHN,45,Professor,SECRETHIV,\n'
    told = refused(verb, f'name,age,job,problm,"\n{rows}', tmp_path)
    assert "the first line may hold cells of a row" in told


def test_nor_are_those_of_a_file_of_knowledge(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("name,age,job,problem\nBill,30,Engineer,HIV\nJohn,45,Professor,HIV\n")
    (tmp_path / "known.csv").write_text('job,probability,"\nEngineer,SECRETHIV,0.5\nProfessor,SECRETHIV,0.5,"\n')
    release = deniable.Release(
        table=str(tmp_path / "patients.csv"),
        quasi="job",
        private="problem",
        knowledge=[deniable.Knowledge(("job",), file=str(tmp_path / "known.csv"))],
    )
    with pytest.raises(deniable.BadInput, match="found a line that may hold cells of a row") as wrong:
        deniable.bucketize(release, tmp_path / "out", r=1)
    assert "SECRET" not in str(wrong.value)


def test_the_first_row_of_a_part_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "part-1.csv").write_text("name,age,job,problem\nBill,30,Engineer,HIV\n")
    (tmp_path / "part-2.csv").write_text(f"{ROW}\n")
    (tmp_path / "release.yaml").write_text(
        RELEASE.replace("patients.csv", "part-*.csv").replace("views", "name: t\nviews")
    )
    with pytest.raises(deniable.BadInput) as refused:
        deniable.check(tmp_path / "release.yaml")
    assert "expected the header of part-1.csv; found another name for column 1" in str(refused.value)
    assert "SECRET" not in str(refused.value)


def test_known_people_of_a_file_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("SECRETBILL,SECRETHIV\n")
    (tmp_path / "r1.csv").write_text("group,problem\n1,HIV\n1,Cold\n")
    (tmp_path / "people.csv").write_text("release,group,name\n1,1,Bill\n1,1,John\n")
    files = {"releases": [str(tmp_path / "r1.csv")], "population": str(tmp_path / "people.csv")}
    release = deniable.Release(identifier="name", private="problem", history=files)
    with pytest.raises(deniable.BadInput) as refused:
        deniable.attack(release, known=tmp_path / "known.csv")
    assert "the line may be a row, and the header missing" in str(refused.value)
    assert "SECRET" not in str(refused.value)


def test_the_categories_of_a_frame_are_no_name_of_a_type() -> None:
    rows = {"name": ["a", "b"], "age": ["1", "2"], "problem": ["SECRETHIV", "SECRETFLU"]}
    frame = pd.DataFrame(rows).astype("category")
    view = "SELECT age FROM t WHERE age > 31 OR problem = 'x'"
    release = deniable.Release(frame, name="t", private="problem", views={"v": view})
    with pytest.raises(deniable.BadInput, match=r"problem \(enum\)") as wrong:
        deniable.check(release)
    assert "secret" not in str(wrong.value).lower()


@pytest.mark.parametrize("line", ["{id},{private}SECRETBILL,SECRETHIV", "{id},{lost},PAR1PAR1SECRETBILL,SECRETHIV"])
def test_the_only_line_of_a_file_of_known_people_is_not_shown(line: str, tmp_path: Path) -> None:
    write_examples(tmp_path)
    release = deniable.load(tmp_path / "past.yaml")
    names = {"id": release.id_columns[0], "private": release.private, "lost": str(release.private)[:-1]}
    (tmp_path / "who.csv").write_text(f"{line.format(**names)}\n\n")
    with pytest.raises(deniable.BadInput) as wrong:
        deniable.attack(tmp_path / "past.yaml", known=tmp_path / "who.csv")
    assert "SECRET" not in str(wrong.value)
    assert "is the end of the header's line lost?" in str(wrong.value)
