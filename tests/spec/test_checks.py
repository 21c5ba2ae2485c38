"""How values of a release are read that were written as text, or come from other libraries."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from deniable.spec.checks import Refused, flag, list_of, mapping_of, share, text, whole

NAN, INFINITE = float("nan"), float("inf")

RIGHT: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (whole(1), "6", 6),
    (whole(1), " +1_000 ", 1000),
    (whole(1), "2.00", 2),
    (whole(1), 3.0, 3),
    (whole(1), Decimal("4"), 4),
    (whole(1), np.int64(5), 5),
    (whole(1), np.float32(6), 6),
    (whole(1), 10**30, 10**30),
    (share, "1e-3", 0.001),
    (share, 1, 1.0),
    (share, Fraction(1, 4), 0.25),
    (share, Decimal("0.5"), 0.5),
    (share, np.float64(0.25), 0.25),
    (flag, "Yes", True),
    (flag, "off", False),
    (flag, 1, True),
    (flag, np.bool_(False), False),
    (text, np.str_("age"), "age"),
    (list_of(text), np.array(["a", "b"]), ("a", "b")),
    (list_of(text), {"a": 1}.keys(), ("a",)),
]
WRONG: list[tuple[Callable[[Any], Any], Any, list[str]]] = [
    (whole(2, 9), "six", ["a whole number"]),
    (whole(2, 9), "", ["a whole number"]),
    (whole(2, 9), "٣", ["a whole number"]),
    (whole(2, 9), "1__0", ["a whole number"]),
    (whole(2, 9), "2.5", ["a whole number"]),
    (whole(2, 9), "9" * 5000, ["a whole number"]),
    (whole(2, 9), 2.5, ["a whole number"]),
    (whole(2, 9), NAN, ["a whole number"]),
    (whole(2, 9), INFINITE, ["a whole number"]),
    (whole(2, 9), None, ["a whole number"]),
    (whole(2, 9), 1, ["a whole number of at least 2"]),
    (whole(2, 9000), "9001", ["a whole number of at most 9,000"]),
    (share, "nan", ["a number from 0 to 1"]),
    (share, "half", ["a number from 0 to 1"]),
    (share, "1e400", ["a number from 0 to 1"]),
    (share, 10**400, ["a number from 0 to 1"]),
    (share, -0.5, ["a number from 0 to 1"]),
    (share, 1 + 0j, ["a number from 0 to 1"]),
    (flag, "maybe", ["true or false"]),
    (flag, 2, ["true or false"]),
    (flag, [], ["true or false"]),
    (text, b"age", ["text"]),
    (text, " \t", ["text that is not empty"]),
    (list_of(text), "age", ["a list"]),
    (list_of(text), 3, ["a list"]),
    (list_of(text, least=1), [], ["at least one entry"]),
    (list_of(text), ["a", 1, ""], ["text", "text that is not empty"]),
    (mapping_of(text), {"a": 1, 2: ""}, ["text", "text that is not empty", "text"]),
]


@pytest.mark.parametrize(("check", "given", "wanted"), RIGHT)
def test_what_is_right_is_read(check: Callable[[Any], Any], given: Any, wanted: Any) -> None:
    found = check(given)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(("check", "given", "expected"), WRONG)
def test_what_is_wrong_is_refused(check: Callable[[Any], Any], given: Any, expected: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        check(given)
    assert [one.expected for one in refused.value.wrong] == expected


def test_a_mistake_knows_its_way() -> None:
    with pytest.raises(Refused) as refused:
        mapping_of(list_of(text))({"a": ["x", None], 3: ["y"]})
    assert [(one.path, one.found) for one in refused.value.wrong] == [(("a", 1), None), ((3, "[key]"), 3)]
