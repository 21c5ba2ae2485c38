"""Posteriors of random published groups, end to end, against the judge that lists a group's worlds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.linkage import posterior
from deniable.worlds.groups.sampling import large_group
from deniable.worlds.judges import groups as judge

VALUES = ["flu", "hiv", "cold", None]
SEXES = ["m", "f", None]
AGES = ["30", "40"]


@dataclass(frozen=True)
class Case:
    people: list[tuple[str, str | None, str]]  # group, sex, age
    values: list[tuple[str, str | None]]  # group, value
    table: list[tuple[str | None, str, str | None]]  # sex, age, value

    def release(self, *given: list[str]) -> deniable.Release:
        def columns(rows: list[Any], *names: str) -> pa.Table:
            return pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)})

        return deniable.Release(
            table=columns(self.table, "sex", "age", "disease"),
            private="disease",
            published={
                "people": columns(self.people, "bucket", "sex", "age"),
                "values": columns(self.values, "bucket", "disease"),
                "group": "bucket",
            },
            knowledge=[{"given": names, "estimate": True} for names in given],
        )

    def prior(self, signature: tuple[Any, ...], columns: list[int], value: str | None) -> Fraction | None:
        mine = [row for row in self.table if tuple(row[c] for c in columns) == signature]
        return Fraction(sum(row[2] == value for row in mine), len(mine)) if mine else None


@st.composite
def cases(draw: st.DrawFn) -> Case:
    people, values = [], []
    for g in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 4))
        people += [(f"g{g}", draw(st.sampled_from(SEXES)), draw(st.sampled_from(AGES))) for _ in range(size)]
        values += [(f"g{g}", draw(st.sampled_from(VALUES))) for _ in range(size)]
    person = st.tuples(st.sampled_from(SEXES), st.sampled_from(AGES), st.sampled_from(VALUES))
    return Case(people, values, draw(st.lists(person, min_size=1, max_size=12)))


def judged(case: Case, person: int, value: str | None, columns: list[int], adversary: str) -> Fraction | str | None:
    """The posterior; None when there is no world, 'not known' when a prior is missing."""
    group = case.people[person][0]
    members = [i for i, row in enumerate(case.people) if row[0] == group]
    signatures = [tuple(case.people[i][c + 1] for c in columns) for i in members]
    copies = [v for g, v in case.values if g == group]
    distinct = list(dict.fromkeys(copies))
    asked = distinct if adversary == "full" else [value]
    priors = [[case.prior(signature, columns, v) for v in asked] for signature in signatures]
    if any(prior is None for row in priors for prior in row):
        return "not known"
    place = members.index(person)
    ones = [1] * len(members)
    if adversary == "full":
        whole = judge.full(ones, [copies.count(v) for v in distinct], priors)  # type: ignore[arg-type]
        return None if whole is None else whole[place][distinct.index(value)]
    single = judge.marginal(ones, copies.count(value), [row[0] for row in priors])  # type: ignore[misc]
    return None if single is None else single[place]


@settings(max_examples=settings().max_examples // 2)
@given(cases())
def test_posteriors_are_what_the_judge_says(case: Case) -> None:
    sets = {"sex": [0], "age": [1], "sex,age": [0, 1]}
    result = deniable.linkage(case.release(["sex"], ["age"], ["sex", "age"]))
    rows = result.table.to_pylist()
    over = {one.adversary: one for one in result.over(0.5)}
    result.close()
    seen = set()
    largest: dict[tuple[str, int], list[Any]] = {}
    for row in rows:
        seen.add((row["person"], row["disease"], row["adversary"], row["given"]))
        truth = judged(case, row["person"] - 1, row["disease"], sets[row["given"]], row["adversary"])
        largest.setdefault((row["adversary"], row["person"]), []).append(truth)
        if truth is None or truth == "not known":
            assert (row["probability"], row["lower"], row["upper"], row["bound"]) == (None, None, None, None)
            assert row["reason"] == (truth or "no world")
            continue
        assert isinstance(truth, Fraction)
        assert row["bound"] == "exact"
        assert row["reason"] is None
        assert abs(row["probability"] - truth) < 1e-12
        # The priors were rounded to doubles, which moves the truth by far less than this.
        assert row["lower"] - 1e-12 <= truth <= row["upper"] + 1e-12
    wanted = {
        (i + 1, value, adversary, name)
        for i, (group, _, _) in enumerate(case.people)
        for value in {v for g, v in case.values if g == group}
        for adversary in ("marginal", "full")
        for name in sets
    }
    assert seen == wanted
    assert len(rows) == len(wanted)
    for adversary, one in over.items():
        known = [[t for t in truths if isinstance(t, Fraction)] for (a, _), truths in largest.items() if a == adversary]
        surely = sum(any(t > Fraction(1, 2) + Fraction(1, 10**9) for t in truths) for truths in known)
        perhaps = sum(any(abs(t - Fraction(1, 2)) <= Fraction(1, 10**9) for t in truths) for truths in known)
        assert surely <= one.over <= surely + perhaps


def published(folder: Path, people: str, values: str, **files: str) -> deniable.Release:
    (folder / "people.csv").write_text(people)
    (folder / "values.csv").write_text(values)
    knowledge = []
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
        knowledge.append({"given": [name], "file": str(folder / f"{name}.csv")})
    paths = {"people": str(folder / "people.csv"), "values": str(folder / "values.csv"), "group": "group"}
    return deniable.Release(table="none.csv", private="disease", published=paths, knowledge=knowledge)


def answers(release: deniable.Release) -> dict[tuple[int, str, str], dict[str, Any]]:
    result = deniable.linkage(release)
    rows = result.table.to_pylist()
    result.close()
    return {(row["person"], row["disease"], row["adversary"]): row for row in rows}


def test_example_1(tmp_path: Path) -> None:
    """Only one value's probabilities are known: the marginal adversary has an answer for that one."""
    found = answers(
        published(
            tmp_path,
            "gender,age,group\nMale,41,1\nFemale,42,1\nFemale,63,2\nFemale,64,2\n",
            "group,disease\n1,Lung Cancer\n1,Hypertension\n2,Flu\n2,HIV\n",
            gender="gender,disease,probability\nMale,Lung Cancer,0.1\nFemale,Lung Cancer,0.003\n",
        )
    )
    assert found[1, "Lung Cancer", "marginal"]["probability"] == pytest.approx(0.97363, abs=5e-6)
    assert found[1, "Lung Cancer", "full"]["reason"] == "not known"
    assert found[1, "Hypertension", "marginal"]["probability"] is None
    assert found[3, "Flu", "marginal"]["reason"] == "not known"


def test_example_2(tmp_path: Path) -> None:
    """A deviation of 0.02 where 0.0474 is allowed at r = 2: no posterior of x above 1/2."""
    assert deniable.deviation([[0.1], [0.08], [0.09]]) == pytest.approx([0.02])
    assert deniable.delta_ceiling(3, 2, 0.1) == pytest.approx(0.0474, abs=5e-5)
    assert not deniable.delta_violations([[0.1], [0.08], [0.09]], 2).any()
    found = answers(
        published(
            tmp_path,
            "sig,group\ns1,1\ns2,1\ns3,1\n",
            "group,disease\n1,x\n1,y\n1,z\n",
            sig="sig,disease,probability\ns1,x,0.1\ns2,x,0.08\ns3,x,0.09\n",
        )
    )
    odds = [f / (1 - f) for f in (0.1, 0.08, 0.09)]
    told = [found[person, "x", "marginal"]["probability"] for person in (1, 2, 3)]
    assert told == pytest.approx([o / sum(odds) for o in odds])
    assert max(told) <= 0.5


COUNTER = np.array([[0.1, 0.0527, 0.0527], [0.0527, 0.1, 0.1], [0.0527, 0.1, 0.1]])
COUNTER_FILE = "sig,disease,probability\n" + "".join(
    f"{sig},{value},{share}\n"
    for sig, row in zip("abc", COUNTER, strict=True)
    for value, share in (*zip("xyz", row, strict=True), ("rest", 1 - row.sum()))
)


def test_the_delta_bound_does_not_protect_from_the_full_adversary(tmp_path: Path) -> None:
    """Theory: priors that satisfy the paper's bound for every value at r = 2, and a posterior of 0.643."""
    assert not deniable.delta_violations(COUNTER, 2).any()
    found = answers(
        published(tmp_path, "sig,group\na,1\nb,1\nc,1\n", "group,disease\n1,x\n1,y\n1,z\n", sig=COUNTER_FILE)
    )
    assert found[1, "x", "full"]["probability"] == pytest.approx(0.643, abs=5e-4)
    assert found[1, "x", "marginal"]["probability"] <= 0.5


def counter_table(folder: Path, copies: int) -> deniable.Release:
    (folder / "sig.csv").write_text(COUNTER_FILE)
    rows = [(sig, value) for sig, value in zip("abc", "xyz", strict=True) for _ in range(copies)]
    table = pa.table({"sig": [sig for sig, _ in rows], "disease": [value for _, value in rows]})
    knowledge = [{"given": ["sig"], "file": str(folder / "sig.csv")}]
    return deniable.Release(table=table, quasi=["sig"], private="disease", knowledge=knowledge)


@pytest.mark.parametrize("copies", [1, 4])
def test_bucketize_does_not_publish_the_group_that_the_delta_bound_allows(tmp_path: Path, copies: int) -> None:
    """Whether the three people are all there are, or there are four of each: never one of each together."""
    release, out = counter_table(tmp_path, copies), tmp_path / "out"
    if copies == 1:
        with pytest.raises(deniable.Unachievable):
            deniable.bucketize(release, out, r=2)
        assert not out.exists()
    made = deniable.bucketize(release, out, r=2, suppress=True)
    assert made.worst <= 0.5
    rows = [line.split(",") for line in (out / "people.csv").read_text().splitlines()[1:]]
    assert len(rows) == made.people
    groups = [sorted(sig for sig, group in rows if group == one) for one in {group for _, group in rows}]
    assert ["a", "b", "c"] not in groups
    assert made.people + made.withheld == 3 * copies


def test_knowledge_that_contradicts_the_release(tmp_path: Path) -> None:
    """No man has x, and a group of men has it: a finding, not a crash."""
    release = published(
        tmp_path,
        "sex,group\nm,1\nm,1\nf,2\nm,2\n",
        "group,disease\n1,x\n1,y\n2,x\n2,y\n",
        sex="sex,disease,probability\nm,y,1\nf,x,0.5\nf,y,0.5\n",
    )
    found = answers(release)
    assert found[1, "x", "full"]["reason"] == "no world"
    assert found[3, "x", "full"]["probability"] == 1
    result = deniable.linkage(release)
    assert {one.adversary: (one.no_world, one.over) for one in result.over(0.9)} == {"marginal": (2, 2), "full": (2, 2)}
    result.close()


def test_large_groups_are_bounded_or_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group too large to count: the interval still holds what the count says."""
    monkeypatch.setattr(posterior, "large_group", partial(large_group, draws=1_000))
    generator = np.random.default_rng(1)
    size = 16
    shares = generator.dirichlet(np.ones(size) * 20, size)
    lines = [f"s{i},v{j},{shares[i, j]:.17g}" for i in range(size) for j in range(size)]
    release = published(
        tmp_path,
        "sig,group\n" + "".join(f"s{i},1\n" for i in range(size)),
        "group,disease\n" + "".join(f"1,v{j}\n" for j in range(size)),
        sig="sig,disease,probability\n" + "\n".join(lines) + "\n",
    )
    exact = {key: row for key, row in answers(release).items() if key[2] == "full"}
    result = deniable.linkage(release, states=4096)
    sampled = [row for row in result.table.to_pylist() if row["adversary"] == "full"]
    result.close()
    assert {row["bound"] for row in sampled} <= {"sampled", "proved"}
    assert any(row["bound"] == "sampled" for row in sampled)
    for row in sampled:
        assert row["lower"] <= exact[row["person"], row["disease"], "full"]["probability"] <= row["upper"]
