"""Commands in this process, as their own tests have them; and the places where engines run."""

import pytest

from tests.cli.conftest import call, examples, folder
from tests.engines.places import place, postgres, spark

__all__ = ["call", "examples", "folder", "place", "postgres", "spark"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes minutes is done in `make nightly`. It is not skipped elsewhere, since a skip fails in CI."""
    if config.getoption("--hypothesis-profile") == "nightly":
        return
    left = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]
