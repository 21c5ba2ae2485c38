"""Hypothesis profiles: `default` for every run, `nightly` for many more cases, `mutants` to see that a test fails;
kernels both ways with `--twins`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, settings

from deniable import kernels
from deniable.kernels import LARGE, work

settings.register_profile(
    "default", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("nightly", settings.get_profile("default"), max_examples=2_000)
# A fault is noticed or not, every time alike: no case is made smaller, and none is kept for the tests of others.
settings.register_profile(
    "mutants",
    settings.get_profile("default"),
    derandomize=True,
    database=None,
    print_blob=False,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--twins", action="store_true", help="run every kernel interpreted and compiled, and compare")


@pytest.fixture(scope="session", autouse=True)
def both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests wait for no compiler, which takes minutes on a machine that never ran them: kernels are interpreted, be
    the work as large as it may. Whether both ways agree is asked by `--twins`, and by those who ask for `compiling`."""
    if request.config.getoption("--twins"):
        from tests.kernels.twins import twins

        with twins():
            yield
    else:
        with mock.patch.object(kernels, "LARGE", math.inf), work(1):
            yield


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the work decides, as it does for users."""
    monkeypatch.setattr(kernels, "LARGE", LARGE)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write files into a fresh folder; returns the path of the last one."""

    def writer(**files: str) -> Path:
        path = tmp_path
        for name, text in files.items():
            path = tmp_path / name.replace("__", ".")
            path.write_text(text, encoding="utf-8")
        return path

    return writer
