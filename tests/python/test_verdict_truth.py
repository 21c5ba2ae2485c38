"""A verdict in an `if`: what is no pass is false, and says why when somebody insists."""

from __future__ import annotations

import pyarrow as pa
import pytest

import deniable

WARDS = pa.table({"name": ["ann", "bob", "cy"], "ward": ["a", "a", "b"], "problem": ["flu", "gout", "flu"]})
RELEASE = deniable.Release(
    table=WARDS,
    name="wards",
    identifier="name",
    private="problem",
    views={"people": "SELECT DISTINCT name, ward FROM wards", "values": "SELECT DISTINCT ward, problem FROM wards"},
)


def test_a_failed_verdict_is_false() -> None:
    assert not deniable.audit(RELEASE, breach=0.5)
    assert deniable.audit(RELEASE, breach=1)


def test_a_pass_is_handed_on() -> None:
    verdict = deniable.audit(RELEASE, breach=1)
    assert verdict.require() is verdict


def test_what_is_required_and_not_met_is_raised_with_its_sentence() -> None:
    with pytest.raises(deniable.NotMet) as raised:
        deniable.audit(RELEASE, breach=0.5, crowd=2).require()
    told = str(raised.value)
    assert told.startswith("wards does not meet what is required: breach, ")
    assert "(fail): at most 0.5 was asked, worst 1, 1 of 3 people" in told
    assert "crowd (fail): at least 2 was asked, worst 1, 1 of 3 people" in told
    assert "\n" not in told
    assert raised.value.exit_status == 1
