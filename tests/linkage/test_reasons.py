"""Why there is no posterior, and that none is printed where none is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import deniable
from deniable.report.json import linkage_json
from deniable.report.linkage import linkage_text
from tests.linkage.test_linkage import answers, published


def too_large(folder: Path) -> deniable.Release:
    """A group whose worlds can be neither counted in 16 states nor drawn: everybody differs, and very much."""
    size = 17
    shares = np.random.default_rng(2).random((size, size)) ** 9
    shares /= shares.sum(axis=1, keepdims=True)
    return published(
        folder,
        "sig,group\n" + "".join(f"s{i},1\n" for i in range(size)),
        "group,disease\n" + "".join(f"1,v{j}\n" for j in range(size)),
        sig="sig,disease,probability\n"
        + "".join(f"s{i},v{j},{shares[i, j]:.17g}\n" for i in range(size) for j in range(size)),
    )


def test_a_wide_interval_has_no_probability_and_the_reason_too_large(tmp_path: Path) -> None:
    result = deniable.linkage(too_large(tmp_path), states=16)
    rows = [row for row in result.table.to_pylist() if row["adversary"] == "full"]
    full = next(one for one in result.over(0.5) if one.adversary == "full")
    text, told = linkage_text(result), linkage_json(result)["adversaries"][1]
    result.close()
    wide = [row for row in rows if row["upper"] - row["lower"] > 1e-6]
    assert wide
    for row in wide:
        assert (row["probability"], row["bound"], row["reason"]) == (None, "proved", "too large")
        assert 0 <= row["lower"] < row["upper"] <= 1
    known = [row["probability"] if row["probability"] is not None else row["lower"] for row in rows]
    assert full.worst == max(known)  # what is proved, not the middle of what is not
    assert full.worst_at_most == max(row["upper"] for row in rows)
    assert f"{full.worst:.4g} (at most {full.worst_at_most:.4g})" in text
    assert (told["worst"], told["worst_at_most"]) == (full.worst, full.worst_at_most)
    exact = {(row["person"], row["disease"]): row for row in _exact(tmp_path)}
    assert all(r["lower"] <= exact[r["person"], r["disease"]]["probability"] <= r["upper"] for r in rows)


def _exact(folder: Path) -> list[dict[str, object]]:
    result = deniable.linkage(too_large(folder))
    rows = [row for row in result.table.to_pylist() if row["adversary"] == "full"]
    result.close()
    return rows


def test_whoever_is_below_the_limit_at_most_is_decided_though_there_is_no_probability(tmp_path: Path) -> None:
    """A proved upper end decides; people are undecided only where the interval straddles the limit."""
    result = deniable.linkage(too_large(tmp_path), states=16)
    full = next(one for one in result.over(1.0) if one.adversary == "full")
    result.close()
    assert (full.over, full.undecided) == (0, 0)


def test_the_reason_is_that_of_the_value_not_of_its_group(tmp_path: Path) -> None:
    """x contradicts what is known of it; of y nothing is known, and so for y no contradiction is."""
    release = published(
        tmp_path,
        "sex,group\nm,1\nf,1\nm,2\nf,2\n",
        "group,disease\n1,x\n1,y\n2,y\n2,z\n",
        sex="sex,disease,probability\nm,x,0\nf,x,0\nm,z,0.5\nf,z,0.25\n",
    )
    found = answers(release)
    assert found[1, "x", "marginal"]["reason"] == "no world"
    assert found[1, "y", "marginal"]["reason"] == "not known"
    assert found[3, "y", "marginal"]["reason"] == "not known"
    assert found[3, "z", "marginal"]["reason"] is None
    assert found[1, "y", "full"]["reason"] == "not known"
    result = deniable.linkage(release)
    marginal = next(one for one in result.over(0.5) if one.adversary == "marginal")
    result.close()
    assert (marginal.no_world, marginal.undecided, marginal.worst_at_most) == (0, 3, None)


def test_every_published_value_told_with_less_than_one_in_all_says_something(tmp_path: Path) -> None:
    """What is missing belongs to values that nobody published has."""
    release = published(
        tmp_path,
        "sex,group\nm,1\nf,1\n",
        "group,disease\n1,x\n1,y\n",
        sex="sex,disease,probability\nm,x,0.1\nm,y,0.2\nf,x,0.3\nf,y,0.1\n",
    )
    found = answers(release)
    assert found[1, "x", "full"]["probability"] == pytest.approx(0.01 / 0.07)
    assert found[1, "x", "marginal"]["probability"] == pytest.approx(1 / 9 / (1 / 9 + 3 / 7))


def test_signatures_that_nobody_has_say_nothing_of_those_who_are_there(tmp_path: Path) -> None:
    people, values = "sex,group\nm,1\nf,1\n", "group,disease\n1,x\n1,y\n"
    known = "sex,disease,probability\nm,x,0.1\nm,y,0.9\nf,x,0.3\nf,y,0.7\n"
    (tmp_path / "more").mkdir()
    without = answers(published(tmp_path, people, values, sex=known))
    more = answers(published(tmp_path / "more", people, values, sex=known + "d,x,0.5\nd,y,0.5\n"))
    assert more == without


def test_knowledge_of_nobody_at_all_is_a_mistake(tmp_path: Path) -> None:
    """Statistics by Male and Female of a release that writes m and f."""
    people, values = "sex,group\nm,1\nf,1\n", "group,disease\n1,x\n1,y\n"
    release = published(tmp_path, people, values, sex="sex,disease,probability\nMale,x,0.1\nMale,y,0.9\n")
    with pytest.raises(deniable.BadInput) as error:
        deniable.linkage(release)
    assert "expected signatures that somebody published has; found none in the file, such as sex = Male" in str(
        error.value
    )


def test_a_value_with_too_many_copies_is_bounded_by_people_who_are_alike(tmp_path: Path) -> None:
    """The marginal adversary's own count can be too large as well: 150 of 300 people have x."""
    people = "".join(f"{'m' if i % 3 else 'f'},1\n" for i in range(300))
    values = "".join(f"1,{'x' if i % 2 else 'y'}\n" for i in range(300))
    release = published(
        tmp_path,
        "sex,group\n" + people,
        "group,disease\n" + values,
        sex="sex,disease,probability\nm,x,0.5\nm,y,0.5\nf,x,0.4\nf,y,0.6\n",
    )
    result = deniable.linkage(release, states=1)
    found = {(row["person"], row["disease"], row["adversary"]): row for row in result.table.to_pylist()}
    result.close()
    one = found[2, "x", "marginal"]
    assert (one["probability"], one["bound"], one["reason"]) == (None, "proved", "too large")
    assert (one["lower"], one["upper"]) == (0, pytest.approx(150 / 200))
    assert one["lower"] <= answers(release)[2, "x", "marginal"]["probability"] <= one["upper"]
