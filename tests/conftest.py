"""Hypothesis profiles: `default` for every run, `nightly` for many more cases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("nightly", settings.get_profile("default"), max_examples=2_000)
settings.load_profile("default")


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
