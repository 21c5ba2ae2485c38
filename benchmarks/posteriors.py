"""Posteriors of the full adversary beside ratios of permanents by thewalrus.

Claim: 100,000 groups of 10 people with all signatures distinct, no group evaluated twice, at least 50× as many groups
a second as thewalrus, everything compiled before, the same answers. The peer is asked the first groups only, since all
would take minutes: rates are compared, against the faster of its two forms (`permanents`).
"""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import at_least
from benchmarks.sizes import FULL, Sizes
from deniable.worlds.groups import batches as worlds

PEERS = Path(__file__).parents[1] / ".venv-bench" / "bin" / "python"


def main(sizes: Sizes = FULL) -> None:
    """Print one line."""
    count, people, few = sizes.groups, sizes.group_size, sizes.groups_of_peer
    priors = np.random.default_rng(1).dirichlet(np.ones(people), count * people)
    asked = groups(count, people)
    worlds.full(asked, priors)  # compiled code is loaded, memory is touched

    def answer() -> float:
        start = time.perf_counter()
        worlds.full(asked, priors)
        return time.perf_counter() - start

    ours = min(answer() for _ in range(sizes.rounds(5)))
    start = time.perf_counter()
    found = worlds.full(asked, priors)
    worlds.intervals(found, priors, is_full=True)
    proved = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    peer = ""
    if PEERS.exists():
        given = priors[: few * people].reshape(few, people, people)
        rates, answers = permanents(given)
        ours = min(ours, *(answer() for _ in range(sizes.rounds(5))))
        apart = float(np.max(np.abs(found.value[: given.size].reshape(given.shape) / answers - 1)))
        if not apart < 1e-6:  # its sums cancel
            raise RuntimeError(f"answers differ by {apart:.1e}")
        times = count / ours / max(rates.values())
        peer = (
            f"; thewalrus on {few:,} of them: {rates['called']:,.0f} groups a second called from Python, "
            f"{rates['compiled']:,.0f} in a compiled loop over all cores: "
            f"{times:.0f}× {at_least(times, 50)}, answers within {apart:.0e}"
        )
    print(
        f"posteriors of {count:,} groups of {people}, all signatures distinct: {ours:.2f} s "
        f"({count / ours:,.0f} a second; with proved intervals {proved:.2f} s), peak {peak:,.0f} MB"
        f"{peer or '; thewalrus is not installed (make bench)'}",
        flush=True,
    )


def groups(count: int, people: int) -> worlds.Groups:
    """Group g of ten has the signatures 10 g to 10 g + 9, one person each, and each of the values once."""
    at = np.arange(count + 1, dtype=np.int64) * people
    everybody = np.arange(count * people, dtype=np.int32)
    ones = np.ones_like(everybody)
    return worlds.Groups(at, everybody, ones, at, everybody % people, ones)


def permanents(priors: NDArray[np.float64]) -> tuple[dict[str, float], NDArray[np.float64]]:
    """Groups a second of each form, and the answers."""
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "priors.npy", Path(name) / "answers.npy"
        np.save(source, priors)
        command = [str(PEERS), str(Path(__file__).with_name("permanents.py")), str(source), str(target)]
        rates: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        answers: NDArray[np.float64] = np.load(target)
        return rates, answers


if __name__ == "__main__":
    main()
