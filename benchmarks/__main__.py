"""Every benchmark, one after the other: `make bench`."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = (
    "start_up", "breach_pairs", "breach_many", "crowds", "posteriors", "bucketize", "grouping", "history", "attack",
    "stable", "refill",
)  # fmt: skip


def main() -> None:
    """Run those that are named, or all; words after a name are that benchmark's."""
    if sys.argv[1:] and sys.argv[1] not in NAMES:
        sys.exit(f"expected one of {', '.join(NAMES)}; found {sys.argv[1]}")
    for name in [word for word in sys.argv[1:] if word in NAMES] or NAMES:
        import_module(f"benchmarks.{name}").main()


main()
