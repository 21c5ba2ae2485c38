"""Small work is interpreted, large work is compiled, by one rule; and both do the same."""

from __future__ import annotations

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from deniable import kernels
from deniable.kernels import LARGE, Kernel, in_pieces, kernel, work
from deniable.kernels.compiler import called
from deniable.worlds.arrays import Floats
from deniable.worlds.history.beliefs import true_values
from deniable.worlds.history.joint import joint
from deniable.worlds.history.leaving import leaving
from tests.kernels.twins import insist_same, twins
from tests.worlds.test_leaving import LEAVERS

pytestmark = pytest.mark.usefixtures("compiling")


@kernel()
def halved(number):  # type: ignore[no-untyped-def]
    return number / 2


@kernel()
def halves(first, last, numbers):  # type: ignore[no-untyped-def]
    for i in range(first, last):
        numbers[i] = halved(numbers[i])


@kernel()
def wraps(numbers):  # type: ignore[no-untyped-def]
    """Interpreted this wraps around, compiled it does not: what `twins` is for."""
    return numbers[0] + numbers[1]


class Told(Kernel):
    """A kernel that says which way it was called."""

    compiled = property(lambda self: lambda *_: "compiled")


TOLD = Told(lambda: "interpreted", None)


def test_the_size_of_the_work_decides() -> None:
    with work(LARGE - 1):
        assert TOLD() == "interpreted"
    with work(LARGE):
        assert TOLD() == "compiled"
        with work(1):  # part of work that is large
            assert TOLD() == "compiled"
    with work(1):
        with work(LARGE):
            assert TOLD() == "compiled"
        assert TOLD() == "interpreted"


def test_who_says_nothing_is_compiled() -> None:
    assert Context().run(TOLD) == "compiled"
    with work(1), ThreadPoolExecutor(1) as pool:
        assert pool.submit(TOLD).result() == "compiled"  # a thread begins anew


def test_without_a_compiler_nothing_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "LARGE", math.inf)
    with work(math.inf):
        assert TOLD() == "interpreted"


@pytest.mark.parametrize("weights", [[1, 1, 1], [1, 5, 1]], ids=["alike", "differing"])
def test_worlds_of_few_people_are_counted_without_a_compiler(
    weights: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where who left makes some likelier, which asks for counts of its own; it compiled them for four people."""
    left = leaving(LEAVERS.history, 3, [Fraction(times) for times in weights])
    monkeypatch.setattr(Kernel, "compiled", property(lambda kernel: pytest.fail(f"{kernel.__name__} is compiled")))
    found = joint(LEAVERS.history, truth=np.array(LEAVERS.truth, np.int32))
    beliefs = true_values(LEAVERS.history, found, np.array(LEAVERS.truth, np.int32), leaving=left)
    assert (beliefs.high - beliefs.low < 1e-12).all()


def test_kernels_call_kernels_both_ways() -> None:
    for steps in (1, LARGE):
        numbers = np.arange(1000.0)
        with work(steps):
            in_pieces(halves, len(numbers), numbers)
        assert np.array_equal(numbers, np.arange(1000.0) / 2)


def test_pieces_leave_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CORES", 3)
    for count in (0, 1, 2, 95, 96, 97, 1000):
        numbers: Floats = np.full(count, 2.0)
        with work(LARGE):
            in_pieces(halves, count, numbers)
        assert (numbers == 1.0).all()


def test_zero_divides_as_in_compiled_code() -> None:
    for steps in (1, LARGE):
        with work(steps):
            assert np.isinf(ratio(np.ones(1), np.zeros(1)))


@kernel()
def ratio(one, other):  # type: ignore[no-untyped-def]
    return one[0] / other[0]


def test_twins_notice_what_differs() -> None:
    with twins(), pytest.raises(AssertionError, match="what wraps returns"):
        wraps(np.full(2, 2**31 - 1, np.int32))
    with pytest.raises(AssertionError, match="float"):
        insist_same(np.zeros(1), np.zeros(1, np.float32), "arrays")
    with pytest.raises(AssertionError):
        insist_same(np.array([0.0]), np.array([-0.0]), "zeros")
    insist_same((np.array([np.nan]), 1), (np.array([np.nan]), np.int64(1)), "pairs")


CALLEE = "from deniable.kernels import kernel\n\n\n@kernel()\ndef inner(x):\n    return x + {}\n"
CALLER = """from deniable.kernels import kernel
from deniable.callee_of_test import inner


@kernel()
def outer(x):
    return inner(x)
"""
CALL = """
import sys, importlib.util as u
for name in ("callee_of_test", "caller_of_test"):
    spec = u.spec_from_file_location(f"deniable.{name}", f"{sys.argv[1]}/{name}.py")
    module = u.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
print(module.outer(1), sum(module.outer.compiled.stats.cache_hits.values()))
"""


def test_a_caller_is_compiled_anew_when_its_callee_changes(tmp_path: Path) -> None:
    """Numba looks at the caller's module alone, and would answer 2 for ever."""

    def call() -> str:
        command = [sys.executable, "-B", "-c", CALL, str(tmp_path)]  # bytecode is kept by the second
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    (tmp_path / "caller_of_test.py").write_text(CALLER)
    (tmp_path / "callee_of_test.py").write_text(CALLEE.format(1))
    assert call() == "2 0"
    assert call() == "2 1"  # kept
    (tmp_path / "callee_of_test.py").write_text(CALLEE.format(2))
    assert call() == "3 0"


def test_a_signature_is_the_only_form() -> None:
    made = called(lambda x: x + 1, "i8(i8)")
    assert [str(types) for types in made.signatures] == ["(int64,)"]
    assert made(2.0) == 3  # turned into the type that it was compiled for


def test_compiling_that_takes_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import njit

    from deniable.kernels import compiler

    said: list[str] = []
    monkeypatch.setattr(compiler, "_LONG", 0.0)
    with kernels.telling(lambda: said.append("compiling")):
        assert njit(lambda x: x * 3)(2) == 6
    assert said == ["compiling"]
    assert kernels.listeners == []
