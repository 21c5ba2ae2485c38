"""Every query that has a golden text, executed on every other engine: the same rows."""

from __future__ import annotations

from deniable.engines import opened
from tests.engines.places import OTHERS, Place, engines
from tests.sql.test_vocabulary import cases


@engines(*OTHERS)
def test_every_query_has_the_same_answer(place: Place) -> None:
    failed = {}
    with opened(place.engine) as engine:
        for number, case in enumerate(cases()):
            try:
                case.asked_of(engine, f"_{number}")
            except (AssertionError, Exception) as error:
                failed[case.name] = str(error)[:300]
    assert failed == {}
