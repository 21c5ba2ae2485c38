"""An adversary is a record: one that is registered here works wherever the others do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

import deniable
from deniable.analyses.breach import adversaries, several_groups
from deniable.analyses.breach.adversaries import Adversary
from deniable.analyses.explain import Explanation
from deniable.cli import run
from deniable.release import BreachLimit, Requirements
from deniable.sql.adversaries import Columns, Kept, exact
from deniable.worlds.views.covers import Probability, exactly
from deniable.worlds.views.products import Membership

VIEWS = {"people": "SELECT id, j FROM t", "values": "SELECT j, p FROM t"}
ONCE = [("ann", 1, "Flu"), ("bob", 1, "HIV"), ("cy", 2, "Flu"), ("di", 2, "Cold"), ("ed", 2, "HIV")]
REPEATING = [*ONCE, ("ann", 1, "HIV")]
SEVERAL = [*ONCE, ("ann", 2, "Cold")]
TABLES = {"once": ONCE, "repeating": REPEATING, "several": SEVERAL}


def share(parts: Sequence[Membership], value: Hashable) -> Probability | None:
    """One of the values of the join group; nothing is said of people in two."""
    return exactly(Fraction(1, len(parts[0].tuples))) if len(parts) == 1 and value in parts[0].tuples else None


def columns(kept: Kept) -> Columns:
    return exact("CAST(1 AS DOUBLE) / h.k")


@pytest.fixture(autouse=True)
def uniform() -> Iterator[Adversary]:
    adversary = Adversary("uniform", exactly=share, columns=columns)
    adversaries.register(adversary)
    yield adversary
    del adversaries.ADVERSARIES["uniform"]


def release_of(rows: list[tuple[str, int, str]], **more: object) -> deniable.Release:
    ids, joins, values = zip(*rows, strict=True)
    table = pa.table({"id": list(ids), "j": list(joins), "k": list(joins), "p": list(values)})
    asked = {"views": VIEWS, **more}
    return deniable.Release(table=table, name="t", identifier="id", private="p", **asked)  # type: ignore[arg-type]


def truth(rows: list[tuple[str, int, str]]) -> dict[tuple[str, str], float | None]:
    found: dict[tuple[str, str], float | None] = {}
    for person, _, value in rows:
        groups = {j for name, j, _ in rows if name == person}
        values = {p for _, j, p in rows if j in groups}
        found[person, value] = 1 / len(values) if len(groups) == 1 else None
    return found


def test_a_name_is_taken_once(uniform: Adversary) -> None:
    with pytest.raises(ValueError, match="uniform"):
        adversaries.register(uniform)
    assert adversaries.names() == ("unrestricted", "restricted", "keyed", "counted", "bag", "uniform")


@pytest.mark.parametrize("one_by_one", [True, False])
@pytest.mark.parametrize("name", TABLES)
def test_breach(name: str, one_by_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Identifiers in one row, in several rows of one group, and in several groups, few or many people."""
    monkeypatch.setattr(several_groups, "ONE_BY_ONE", 1_000 if one_by_one else 0)
    result = deniable.breach(release_of(TABLES[name]))
    rows = [row for row in result.table.to_pylist() if row["adversary"] == "uniform"]
    tally = next(tally for tally in result.tallies if tally.adversary == "uniform")
    result.close()
    expected = truth(TABLES[name])
    assert {(row["id"], row["p"]): row["probability"] for row in rows} == expected
    assert all(row["bound"] == "exact" for row in rows)
    known = [value for value in expected.values() if value is not None]
    assert (tally.associations, tally.no_world, tally.worst) == (len(expected), len(expected) - len(known), max(known))


@pytest.mark.parametrize("name", TABLES)
def test_audit(name: str) -> None:
    require = Requirements(breach=BreachLimit(0.4, ("uniform",)))
    verdict = deniable.audit(release_of(TABLES[name], require=require))
    (finding,) = verdict.findings
    over = {person for (person, _), value in truth(TABLES[name]).items() if value is not None and value > 0.4}
    assert (finding.adversary, finding.over, finding.verdict) == ("uniform", len(over), "fail")
    assert "breach, uniform" in str(verdict)


def test_views_that_it_cannot_read() -> None:
    views = {"one": "SELECT id, j FROM t", "two": "SELECT j, k FROM t", "three": "SELECT k, p FROM t"}
    require = Requirements(breach=BreachLimit(0.4, ("uniform",)))
    with pytest.raises(deniable.Unsupported, match="uniform cannot be answered for these views"):
        deniable.audit(release_of(ONCE, views=views, require=require))
    result = deniable.breach(release_of(ONCE, views=views))
    assert result.adversaries == ("unrestricted", "restricted", "bag")
    result.close()


def test_a_view_that_reveals() -> None:
    views = {"open": "SELECT id, p FROM t", "other": "SELECT p, j FROM t"}
    result = deniable.breach(release_of(ONCE, views=views))
    rows = [row for row in result.table.to_pylist() if row["adversary"] == "uniform"]
    result.close()
    assert [row["probability"] for row in rows] == [1.0] * len(ONCE)


@pytest.mark.parametrize(("name", "who"), [("once", "cy"), ("repeating", "ann"), ("several", "ann")])
def test_explain(name: str, who: str) -> None:
    shown = deniable.explain(release_of(TABLES[name]), who)
    assert isinstance(shown, Explanation)
    expected = truth(TABLES[name])
    for value in shown.true_values:
        answer = shown.probabilities[value]["uniform"]
        assert (answer and answer.value) == expected[who, str(value)]
    assert "uniform" in str(shown)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(f"{person},{j},{value}" for person, j, value in SEVERAL)
    (tmp_path / "t.csv").write_text(f"id,j,p\n{lines}\n")
    spec = tmp_path / "release.yaml"
    views = "\n".join(f"  {name}: {sql}" for name, sql in VIEWS.items())
    require = "require: {breach: {at_most: 0.4, adversaries: [uniform]}}"
    spec.write_text(f"table: t.csv\nname: t\nidentifier: id\nprivate: p\nviews:\n{views}\n{require}\n")

    def said(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            run([*arguments])
        return capsys.readouterr().out

    assert json.loads(said("audit", str(spec), "--json"))["checks"][0]["adversary"] == "uniform"
    assert "uniform:        reads the views in a way of its own" in said("breach", str(spec))
    assert json.loads(said("breach", str(spec), "--json"))["adversaries"][-1]["no_world"] == 2
    assert "uniform, no world: no table fits both" in said("explain", str(spec), "--who", "ann")
    values = json.loads(said("explain", str(spec), "--who", "cy", "--json"))["values"]
    assert [value["uniform"]["fraction"] for value in values] == ["1/3", "1/3", "1/3"]


def test_names_are_asked_for_without_the_analysis() -> None:
    """The checks of a release file ask for them: nothing heavy is imported for that."""
    script = "import sys; from deniable.analyses.breach.adversaries import names; names(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numba", "numpy", "pyarrow", "duckdb", "sqlglot"} & set(done.stdout.split())
