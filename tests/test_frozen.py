"""A class made by `frozen` is what `dataclass(frozen=True)` makes of it, as far as anybody can see."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from deniable.frozen import frozen

Decorator = Callable[..., Any]


def plain(decorate: Decorator) -> Any:
    @decorate
    class Point:
        """With every kind of field."""

        x: int
        name: str = "a"
        parts: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)
        made: dict[str, int] = field(default_factory=dict, init=False)

    return Point


def checked(decorate: Decorator) -> Any:
    @decorate(kw_only=True)
    class Checked:
        low: int
        high: int = 3

        def __post_init__(self) -> None:
            if self.low > self.high:
                raise ValueError("low")

        @property
        def width(self) -> int:
            return self.high - self.low

    return Checked


def inherited(decorate: Decorator) -> Any:
    @decorate
    class Base:
        x: int = 1

    @decorate(repr=False)
    class Further(Base):
        y: int = 2

        def __repr__(self) -> str:
            return "its own"

    return Further


def by_identity(decorate: Decorator) -> Any:
    @decorate(eq=False)
    class One:
        x: int

    return One


def own_equality(decorate: Decorator) -> Any:
    @decorate
    class Same:
        x: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __hash__(self) -> int:
            return 7

    return Same


def empty(decorate: Decorator) -> Any:
    @decorate
    class Nothing:
        pass

    return Nothing


def of_dataclass(*arguments: Any, **options: bool) -> Any:
    return dataclass(frozen=True)(*arguments) if arguments else dataclass(frozen=True, **options)


CALLS: list[tuple[Callable[[Decorator], Any], tuple[Any, ...], dict[str, Any]]] = [
    (plain, (1,), {}),
    (plain, (1, "b"), {"parts": [1], "note": "n"}),
    (plain, (), {}),
    (plain, (1, 2, 3, 4, 5), {}),
    (plain, (1,), {"made": {}}),
    (checked, (), {"low": 1}),
    (checked, (), {"low": 5}),
    (checked, (1,), {}),
    (inherited, (), {}),
    (inherited, (5, 6), {}),
    (by_identity, (1,), {}),
    (own_equality, (1,), {}),
    (empty, (), {}),
    (empty, (1,), {}),
]


def seen(decorate: Decorator, make: Callable[[Decorator], Any], given: Any, named: Any) -> dict[str, Any]:
    """All that can be seen of a class and of what it makes."""
    cls = make(decorate)
    found: dict[str, Any] = {
        "signature": str(inspect.signature(cls)), "fields": [(one.name, one.type) for one in fields(cls)],
        "doc": cls.__init__.__qualname__, "match": cls.__match_args__, "is": is_dataclass(cls),
    }  # fmt: skip
    try:
        one, other = cls(*given, **named), cls(*given, **named)
    except (TypeError, ValueError) as error:
        return found | {"error": type(error)}
    found |= {
        "repr": repr(one) if "object at" not in repr(one) else "", "dict": asdict(one), "equal": one == other,
        "strange": one == 1, "copied": vars(copy.deepcopy(one)),
    }  # fmt: skip
    try:
        found["hash"] = hash(one) == hash(other)
    except TypeError:
        found["hash"] = "none"
    changes: list[Callable[[], None]] = [
        lambda: setattr(one, "x", 2), lambda: setattr(one, "new", 2), lambda: delattr(one, "x"),
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(FrozenInstanceError) as refused:
            change()
        found[f"told {len(found)}"] = str(refused.value)
    first = next((one for one in fields(cls) if one.init), None)
    if first is not None:
        found["replaced"] = vars(replace(one, **{first.name: 3}))
    return found


@pytest.mark.parametrize(("make", "given", "named"), CALLS)
def test_it_is_the_same(make: Callable[[Decorator], Any], given: Any, named: Any) -> None:
    assert seen(frozen, make, given, named) == seen(of_dataclass, make, given, named)


@frozen
class Kept:
    """One that can be found again."""

    x: int
    parts: tuple[Any, ...] = ()


def test_it_can_be_kept_and_may_hold_itself() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
    assert {Kept(1): "a"}[Kept(1)] == "a"
    held: list[Any] = []
    held.append(Kept(1, (held,)))
    assert "..." in repr(held[0])


def test_whoever_reads_defaults_reads_no_mutable_ones() -> None:
    with pytest.raises(ValueError, match="mutable default"):

        @frozen
        class Wrong:
            parts: list[int] = []  # noqa: RUF012
