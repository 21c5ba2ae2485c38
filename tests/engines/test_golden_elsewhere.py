"""Every query that has a golden text, executed on every other engine: the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from deniable.engines import opened
from deniable.engines.vocabulary import words
from tests.engines.places import OTHERS, Place, engines, is_nightly
from tests.sql.golden import Golden
from tests.sql.test_vocabulary import cases


def every_word(cases: Sequence[Golden]) -> list[Golden]:
    """Some of the queries, in which all words are that are in any."""
    said: set[str] = set()
    chosen = []
    for case in sorted(cases, key=lambda case: (-len(set(words(case.query))), case.name)):
        if not set(words(case.query)) <= said:
            said |= set(words(case.query))
            chosen.append(case)
    return chosen


@engines(*OTHERS, "spark")
def test_every_query_has_the_same_answer(place: Place, request: pytest.FixtureRequest) -> None:
    failed = {}
    asked = every_word(cases()) if place.name == "spark" and not is_nightly(request) else cases()
    with opened(place.engine) as engine:
        for number, case in enumerate(asked):
            try:
                case.asked_of(engine, f"_{number}")
            except (AssertionError, Exception) as error:
                failed[case.name] = str(error)[:300]
    assert failed == {}
