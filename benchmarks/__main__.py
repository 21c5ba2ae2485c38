"""Every benchmark, one after the other: `make bench`."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = (
    "start_up", "breach_pairs", "breach_many", "crowds", "posteriors", "bucketize", "grouping", "history", "attack",
    "stable",
)  # fmt: skip


def main() -> None:
    """Run those that are named, or all."""
    for name in sys.argv[1:] or NAMES:
        import_module(f"benchmarks.{name}").main()


main()
