"""`attack`: the paper's examples, the table against brute force, what is counted, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deniable.analyses.history.attack import UNKNOWN, Attack, AttackOptions, Publisher, attack_history
from deniable.analyses.history.named_history import NamedHistory
from deniable.bind.known import HistoryNames
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.errors import BadInput
from deniable.report.attack import attack_json, attack_text
from deniable.worlds.history.histories import from_lists

NAMES = ("Alice", "Betty", "Carl", "Doris", "Erica", "Fiona", "Grace", "Hanna")
DISEASES = ("AIDS", "bronchitis", "cancer")
TRUTH = (2, 1, 0, 2, 0, 1, 1, 2)
Group = tuple[tuple[int, ...], tuple[int, ...]]
Releases = tuple[tuple[Group, ...], ...]
ALL = (0, 1, 2)
FIRST: tuple[Group, ...] = (((0, 1, 2), ALL), ((3, 4, 5), ALL))
SECOND: tuple[Group, ...] = (((2, 3, 5), ALL), ((4, 6, 7), ALL))


def named(truth: tuple[int, ...], values: int, releases: Releases, known: bool = True) -> NamedHistory:
    people = pa.table({"name": [NAMES[p] for p in range(len(truth))]})
    history = from_lists(len(truth), values, releases)
    names = HistoryNames(people, DISEASES[:values], "disease")
    return NamedHistory(names, history, np.array(truth, np.int32) if known else None)


def attack(history: NamedHistory, options: AttackOptions, publisher: Publisher = UNKNOWN) -> Attack:
    with opened() as engine:
        return attack_history(history, options, Scope(engine), publisher)


PAPER = named(TRUTH, 3, (FIRST, SECOND))


def knowing(folder: Path, rows: str, header: str = "name,disease") -> Path:
    path = folder / "known.csv"
    path.write_text(f"{header}\n{rows}", encoding="utf-8")
    return path


def row(result: Attack, name: str) -> dict[str, object]:
    return next(row for row in result.table.to_pylist() if row["name"] == name)


def asked(adversary: str, known: Path | None = None, history: NamedHistory = PAPER) -> Attack:
    return attack(history, AttackOptions(adversary=adversary, known=known))  # type: ignore[arg-type]


both = pytest.mark.parametrize("adversary", ["pairs", "joint"])


@both
def test_examples_1_and_4_who_knows_carl_knows_erica(tmp_path: Path, adversary: str) -> None:
    result = asked(adversary, knowing(tmp_path, "Carl,AIDS\n"))
    erica, carl = row(result, "Erica"), row(result, "Carl")
    assert (erica["values"], erica["exposed"], erica["bound"]) == (1, True, "exact")
    assert (carl["values"], carl["exposed"]) == (1, True)
    assert (result.runs[0].known, result.runs[0].exposed) == (1, 1)


@both
def test_nobody_known_nobody_exposed(adversary: str) -> None:
    result = asked(adversary)
    assert result.table.column("values").to_pylist() == [3] * 8
    assert result.runs[0].exposed == 0


@both
def test_example_2_carl_takes_aids_from_doris_and_fiona(tmp_path: Path, adversary: str) -> None:
    result = asked(adversary, knowing(tmp_path, "Carl,AIDS\n"))
    assert [row(result, name)["values"] for name in ("Doris", "Fiona")] == [2, 2]
    one = asked(adversary, knowing(tmp_path, "Carl,AIDS\n"), named(TRUTH[:6], 3, (FIRST,)))
    assert [row(one, name)["values"] for name in ("Doris", "Erica", "Fiona")] == [3, 3, 3]


@both
def test_example_3_the_rest_of_two_groups_is_equal(tmp_path: Path, adversary: str) -> None:
    # Groups {A, B, C, D} and {A, B, E, F} with four values each: what C and D have, E and F have.
    names = ("cold", "flu", "mumps", "gout")
    history = from_lists(6, 4, [[((0, 1, 2, 3), (0, 1, 2, 3))], [((0, 1, 4, 5), (0, 1, 2, 3))]])
    people = pa.table({"name": list(NAMES[:6])})
    figure = NamedHistory(HistoryNames(people, names, "disease"), history, np.array([0, 1, 2, 3, 3, 2], np.int32))
    result = asked(adversary, knowing(tmp_path, "Carl,mumps\nDoris,gout\n"), figure)
    assert [row(result, name)["values"] for name in NAMES[:6]] == [2, 2, 1, 1, 2, 2]


def test_groups_that_keep_together_say_nothing_new(tmp_path: Path) -> None:
    safe = named(TRUTH, 3, (FIRST, (((3, 4, 5), ALL), ((2, 6, 7), ALL))))
    result = attack(safe, AttackOptions(known=knowing(tmp_path, "Carl,AIDS\n")))
    assert row(result, "Erica")["probability"] == 1 / 3
    assert result.runs[0].exposed == 0


@st.composite
def histories(draw: st.DrawFn) -> tuple[tuple[int, ...], int, Releases, tuple[int, ...]]:
    people, values = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    value = st.integers(0, values - 1)
    truth = tuple(draw(st.lists(value, min_size=people, max_size=people)))
    releases = []
    for _ in range(draw(st.integers(1, 3))):
        home = draw(st.lists(st.integers(-1, 1), min_size=people, max_size=people))
        groups = []
        for g in range(2):
            members = tuple(p for p in range(people) if home[p] == g)
            fakes = tuple(draw(st.lists(value, max_size=1)))
            if members or fakes:
                groups.append((members, (*(truth[p] for p in members), *fakes)))
        releases.append(tuple(groups))
    known = tuple(draw(st.lists(st.integers(0, people - 1), max_size=2, unique=True)))
    return truth, values, tuple(releases), known


def worlds(truth: tuple[int, ...], values: int, releases: Releases, known: tuple[int, ...]) -> list[tuple[int, ...]]:
    found = []
    for world in itertools.product(range(values), repeat=len(truth)):
        held = [([world[p] for p in members], published) for release in releases for members, published in release]
        fits = all(mine.count(v) <= published.count(v) for mine, published in held for v in mine)
        if fits and all(world[p] == truth[p] for p in known):
            found.append(world)
    return found


@given(case=histories())
@example(case=(TRUTH, 3, (FIRST, SECOND), (2,)))
def test_the_joint_adversarys_table_against_all_worlds(
    case: tuple[tuple[int, ...], int, Releases, tuple[int, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    truth, values, releases, known = case
    rows = "".join(f"{NAMES[p]},{DISEASES[truth[p]]}\n" for p in known)
    history = named(truth, values, releases)
    path = knowing(tmp_path_factory.mktemp("k"), rows) if known else None
    result = attack(history, AttackOptions(known=path))
    possible = worlds(truth, values, releases, known)
    for p, found in enumerate(result.table.to_pylist()):
        left = {world[p] for world in possible}
        share = float(Fraction(sum(world[p] == truth[p] for world in possible), len(possible)))
        assert (found["values"], found["exposed"], found["bound"]) == (len(left), len(left) == 1, "exact")
        assert found["probability"] == found["lower"] == found["upper"] == share > 0
    by_pairs = attack(history, AttackOptions(adversary="pairs", known=path)).table.to_pylist()
    for mine, theirs in zip(result.table.to_pylist(), by_pairs, strict=True):
        assert theirs["values"] >= mine["values"]
        assert theirs["probability"] is theirs["lower"] is theirs["upper"] is None
        assert theirs["bound"] == ("exact" if theirs["values"] == 1 else "proved")


def test_posteriors_above_limits_are_counted_without_those_known(tmp_path: Path) -> None:
    known = knowing(tmp_path, "Alice,cancer\nBetty,bronchitis\n")
    run = attack(PAPER, AttackOptions(known=known), Publisher(m=3)).runs[0]
    assert [(over.one_in, over.people, over.undecided) for over in run.over] == [(2, 2, 0), (3, 6, 0)]
    assert (run.people, run.known, run.exposed, run.share) == (8, 2, 2, 2 / 6)


def test_known_people_are_drawn_anew_and_beside_the_formula() -> None:
    options = AttackOptions(compromise=0.25, seed=3, repeat=5)
    result = attack(PAPER, options, Publisher(3, 2, 2))
    assert [run.known for run in result.runs] == [2] * 5
    again = attack(PAPER, options, Publisher(3, 2, 2))
    assert [run.exposed for run in result.runs] == [run.exposed for run in again.runs]
    assert result.promised == pytest.approx((1 - 0.75**2 * (1 - (1 / 6) ** 2) ** 2) ** 2)
    document = attack_json(result)
    assert (len(document["runs"]), document["people"], document["promised"]) == (5, 8, result.promised)
    text = attack_text(result)
    assert "mean" in text
    assert "n-Choose" in text


def test_without_the_truth_there_are_values_only() -> None:
    unknown = named(TRUTH, 3, (FIRST, SECOND), known=False)
    result = attack(unknown, AttackOptions())
    assert set(result.table.column("probability").to_pylist()) == {None}
    assert result.table.column("values").to_pylist() == [3] * 8
    assert "No probabilities" in attack_text(result)
    with pytest.raises(BadInput, match="compromise: expected a history with the true values"):
        attack(unknown, AttackOptions(compromise=0.1))


def test_what_is_known_may_contradict_the_releases(tmp_path: Path) -> None:
    path = knowing(tmp_path, "Alice,cancer\nBetty,cancer\n")
    for adversary in ("pairs", "joint"):
        with pytest.raises(BadInput) as caught:
            asked(adversary, path)
        assert "expected knowledge that fits the releases" in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


def test_releases_may_contradict_each_other() -> None:
    odd = (((0, 1), (0, 1)),), (((1, 2), (0, 1)),), (((0, 2), (0, 1)),)
    with pytest.raises(BadInput, match="expected releases that some assignment"):
        attack(named((0, 1, 0), 2, odd, known=False), AttackOptions())


def test_every_mistake_of_the_known_file_is_told_and_no_value(tmp_path: Path) -> None:
    path = knowing(tmp_path, 'Carl,AIDS\nZoe,AIDS\nDoris,"secret\nthing"\nErica,AIDS\nErica,cancer\nYves,\n')
    with pytest.raises(BadInput) as caught:
        attack(PAPER, AttackOptions(known=path))
    told = [str(mistake) for mistake in caught.value.mistakes]
    assert [line.removeprefix(f"{path}:").split(": ")[0] for line in told] == ["3", "8", "4", "8"]
    assert "expected the name of somebody who was published; found another" in told[0]
    assert "secret" not in str(caught.value)
    with pytest.raises(BadInput, match=r"known\.csv:3: expected one value for a person"):
        attack(PAPER, AttackOptions(known=knowing(tmp_path, "Erica,AIDS\nErica,cancer\n")))
    with pytest.raises(BadInput, match="expected the column disease; found name, desease"):
        attack(PAPER, AttackOptions(known=knowing(tmp_path, "Carl,AIDS\n", "name,desease")))


def test_false_knowledge_that_fits_is_followed(tmp_path: Path) -> None:
    result = attack(PAPER, AttackOptions(known=knowing(tmp_path, "Carl,cancer\n")))
    assert (row(result, "Carl")["values"], row(result, "Carl")["probability"]) == (1, 0.0)


def test_the_table_is_written(tmp_path: Path) -> None:
    result = attack(PAPER, AttackOptions(known=knowing(tmp_path, "Carl,AIDS\n")))
    result.save(tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "name,values,exposed,probability,lower,upper,bound"
    assert "Erica,1,true,1.0,1.0,1.0,exact" in lines
