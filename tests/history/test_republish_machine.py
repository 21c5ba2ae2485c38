"""Random histories, published and judged: see `machine`."""

from __future__ import annotations

from hypothesis import settings

from tests.history.machine import Republications

TestRepublications = Republications.TestCase
TestRepublications.settings = settings(max_examples=settings().max_examples // 5, stateful_step_count=14)
