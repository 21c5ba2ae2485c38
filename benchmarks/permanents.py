"""Posteriors as ratios of permanents by thewalrus, and how fast. Run in the peers' own environment.

`python permanents.py PRIORS ANSWERS`: p(t:x) = p[t,x] perm(without t and x) / perm, for each group of PRIORS
(.npy, groups x people x values). Printed: groups a second, best of three, all compiled before. `called` is the
library's `perm`, called from Python; `compiled` the function behind it, inside a compiled loop over all cores.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

CALLED = 200  # groups for the slower form


def main() -> None:
    """Write the answers, print both rates as JSON."""
    from thewalrus import perm  # type: ignore[import-not-found]
    from thewalrus._permanent import perm_bbfg  # type: ignore[import-not-found]

    source, target = sys.argv[1:]
    priors = np.load(source)
    loop = compiled(perm_bbfg)
    answers = loop(priors)
    few = priors[:CALLED]
    if not np.allclose(called(perm, few), answers[:CALLED], rtol=1e-9, atol=0):
        raise RuntimeError("the two forms differ")
    np.save(target, answers)
    rates = {
        "called": len(few) / best(lambda: called(perm, few)),
        "compiled": len(priors) / best(lambda: loop(priors)),
    }
    print(json.dumps(rates))


def best(part: Callable[[], object]) -> float:
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        part()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def called(perm: Callable[[Any], float], priors: Any) -> Any:
    out = np.empty_like(priors)
    for p, share in zip(priors, out, strict=True):
        whole = perm(p)
        for t in range(len(p)):
            others = np.delete(p, t, axis=0)
            for x in range(len(p)):
                share[t, x] = p[t, x] * perm(np.delete(others, x, axis=1)) / whole
    return out


def compiled(perm: Any) -> Callable[[Any], Any]:
    from numba import njit, prange

    @njit(parallel=True)  # type: ignore[untyped-decorator]
    def loop(priors: Any) -> Any:
        out = np.empty_like(priors)
        n = priors.shape[1]
        for g in prange(len(priors)):
            p = priors[g]
            whole = perm(p)
            minor = np.empty((n - 1, n - 1))
            for t in range(n):
                for x in range(n):
                    for i in range(n - 1):
                        for j in range(n - 1):
                            minor[i, j] = p[i + (i >= t), j + (j >= x)]
                    out[g, t, x] = p[t, x] * perm(minor) / whole
        return out

    made: Callable[[Any], Any] = loop
    return made


if __name__ == "__main__":
    main()
