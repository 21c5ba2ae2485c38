"""Frozen dataclasses that are quickly made.

`dataclass(frozen=True)` writes six methods for each class and compiles each of them, which is a tenth of what a small
command takes. Here all but `__init__` are written once, for all classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


class _Made:
    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Made()  # where a default is made anew for each


@overload
def frozen(cls: type[_T], /) -> type[_T]: ...
@overload
def frozen(
    *, eq: bool = True, repr: bool = True, init: bool = True, kw_only: bool = False
) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, /, **options: bool) -> Any:
    """A class as `dataclass(frozen=True, …)` makes it; what it has of its own stays."""
    return _made(cls) if cls is not None else lambda one: _made(one, **options)


def _made(cls: Any, *, eq: bool = True, repr: bool = True, init: bool = True, kw_only: bool = False) -> Any:
    own = vars(cls)
    cls = dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    cls.__setattr__, cls.__delattr__ = _set, _delete
    if init and "__init__" not in own:
        cls.__init__ = _init(cls)
    if repr and "__repr__" not in own:
        cls.__repr__ = _repr
    if eq:
        compared = [one.name for one in fields(cls) if one.compare]
        cls._compared = staticmethod(attrgetter(*compared) if compared else lambda _: ())  # what makes two the same
        if "__eq__" not in own:
            cls.__eq__ = _eq
        if "__hash__" not in own or own["__hash__"] is None:
            cls.__hash__ = _hash
    return cls


def _init(cls: Any) -> Callable[..., None]:
    """`def __init__(self, a, b=b_default)`, which takes what the class says and sets it."""
    known: dict[str, Any] = {"_give": object.__setattr__, "_MADE": _MADE}
    told: dict[bool, list[str]] = {False: [], True: []}  # by whether it must be named
    lines = []
    for one in fields(cls):
        value = one.name
        if one.default_factory is not MISSING:
            known[f"{one.name}_factory"] = one.default_factory
            made = f"{one.name}_factory()"
            value = f"{made} if {one.name} is _MADE else {one.name}" if one.init else made
        if one.init:
            told[bool(one.kw_only)].append(_parameter(one, known))
        if one.init or one.default_factory is not MISSING:
            lines.append(f"_give(self, {one.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *told[False], *(["*", *told[True]] if told[True] else [])])
    exec(f"def __init__({parameters}):\n {'; '.join(lines) or 'pass'}", known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {one.name: one.type for one in fields(cls) if one.init} | {"return": None}
    return init


def _parameter(one: Field[Any], known: dict[str, Any]) -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=_MADE"
    if one.default is MISSING:
        return one.name
    known[f"{one.name}_default"] = one.default
    return f"{one.name}={one.name}_default"


def _set(self: Any, name: str, value: Any) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


@recursive_repr()
def _repr(self: Any) -> str:
    told = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({told})"


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))
