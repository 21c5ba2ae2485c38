"""Hypothesis profiles: `default` for every run, `nightly` for many more cases, `mutants` to see that a test fails;
kernels both ways with `--twins`."""

from __future__ import annotations

import gc
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, settings

from deniable import kernels
from deniable.kernels import LARGE, work
from tests.quick import copy_places_flatly, shared_database

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

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes; a run needs a tenth of that


def has_room(folder: Path) -> bool:
    """Whether files may be written there, programs among them."""
    if not (hasattr(os, "ST_NOEXEC") and os.access(folder, os.W_OK | os.X_OK)):
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC and shutil.disk_usage(folder).free >= ROOM


# Ledgers wait for the disk at every step, and folders are made and removed by the hundred: in memory both are quick.
if "TMPDIR" not in os.environ and has_room(MEMORY):
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None


# To look for garbage is a tenth of the time of modules that are imported and trees that are copied.
gc.set_threshold(50_000, 20, 50)
copy_places_flatly()


def pytest_collection_finish() -> None:
    """What was collected stays to the end: it is not searched for garbage again."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """The folder of a server that tests may start: one for all workers, ended by the run that has started them."""
    if not hasattr(config, "workerinput"):
        os.environ["DENIABLE_TEST_SERVER"] = str(Path(tempfile.gettempdir()) / f"deniable-server-{os.getpid()}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """The server ends with the run."""
    gc.unfreeze()  # some libraries complain of what is left at the end
    folder = Path(os.environ.get("DENIABLE_TEST_SERVER", "/nowhere"))
    if not hasattr(config, "workerinput") and folder.exists():
        from tests.engines.servers import stop

        stop(folder)
        Path(f"{folder}.lock").unlink(missing_ok=True)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Where changes are judged nothing is skipped: what an engine needs is there."""
    outcome: Any = yield
    report = outcome.get_result()
    if (
        report.skipped
        and os.environ.get("CI") == "true"
        and "engines" in item.nodeid
        and not hasattr(report, "wasxfail")
    ):
        report.outcome = "failed"


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


@pytest.fixture(scope="session", autouse=True)
def one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """The embedded engine reads tables of a few rows, by which a second thread is woken and finds nothing to do. It has
    all of them in the programs that tests start, and in `make nightly`."""
    if request.config.getoption("--hypothesis-profile") == "nightly":
        yield
        return
    from deniable.engines import duckdb

    with mock.patch.dict(duckdb._SETTINGS, threads=1):
        yield


@pytest.fixture(scope="session", autouse=True)
def one_database(request: pytest.FixtureRequest) -> Iterator[None]:
    """To open a database takes longer than to ask it of a table of a few rows, and each that is sealed for its files is
    another. Tests share one that is not; those that ask what can be read have their own, as programs and `make nightly`
    do."""
    if request.config.getoption("--hypothesis-profile") == "nightly":
        yield
        return
    from deniable.engines import duckdb

    with mock.patch.object(duckdb, "_sealed", shared_database(duckdb._sealed)):
        yield


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Databases read the files that were named for them, and no other."""
    from deniable.engines import duckdb

    monkeypatch.setattr(duckdb, "_DATABASES", {})
    monkeypatch.setattr(duckdb, "_sealed", getattr(duckdb._sealed, "__wrapped__", duckdb._sealed))


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
