"""hc-safety of a group against every earlier release: hcSafe of Cor-Split (Riboni & Bettini, Figure 6), compiled.

A group of q rows is unsafe of degree n if for some earlier release more than q - n but fewer than q of its people
were together in one group. Such people miss at most b - 1 of the k people with a past, b = k - q + n, so one of
any b of them is among the people together: only the groups of b anchors are counted.
"""

from __future__ import annotations

from deniable.kernels import kernel


@kernel()
def is_safe(people, k, rows, n, past):  # type: ignore[no-untyped-def]
    """Whether people[:k] (rows of `past`: the group in each release, -1 absent) may share a group of `rows` rows."""
    anchors = k - rows + n
    for a in range(anchors):
        for t in range(past.shape[1]):
            group = past[people[a], t]
            if group < 0:
                continue
            missing = 0
            for i in range(k):
                if past[people[i], t] != group:
                    missing += 1
                    if missing == anchors:
                        break
            if missing < anchors and k - missing < rows:
                return False
    return True
