"""Random histories, published and judged: see `machine`."""

from __future__ import annotations

from hypothesis import settings

from tests.few import few
from tests.history.machine import Republications

TestRepublications = Republications.TestCase
TestRepublications.settings = settings(max_examples=few(4, nightly=400), stateful_step_count=14)
