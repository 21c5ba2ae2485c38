"""Which algorithm makes the next release, with its m and n: as written, or n by n-Choose from what the publisher
expects (docs/theory/history.md, "How a release is made")."""

from __future__ import annotations

from deniable.bind.degree import algorithm_of, degree_mistakes
from deniable.errors import BadInput, Reason, Unachievable
from deniable.frozen import frozen
from deniable.publish.again.n_choose import Choice, choose, is_below
from deniable.release import Release


@frozen
class ChosenAlgorithm:
    """m, and for algorithms that have one the degree n of hc-safety; `chosen` is what led to n.

    `counterfeits` is the share of rows that may be counterfeit.
    """

    algorithm: str
    m: int
    n: int | None
    counterfeits: float
    chosen: Choice | None = None
    compromise: float | None = None
    lifespan: int | None = None
    threshold: float | None = None


def choose_algorithm(release: Release, named: str | None = None) -> ChosenAlgorithm:
    """What makes the next release. Raises Unachievable where no n keeps the threshold."""
    algorithm = algorithm_of(release, named)
    mistakes = list(degree_mistakes(release, named))
    given = release.republish
    if mistakes or given is None:
        raise BadInput(mistakes)
    m, fakes = given.m, given.counterfeits.at_most if given.counterfeits else algorithm.counterfeits
    if not algorithm.has_degree:
        return ChosenAlgorithm(algorithm.name, m, None, fakes)
    if given.compromise is None or given.lifespan is None or given.threshold is None:
        return ChosenAlgorithm(algorithm.name, m, given.n, fakes)
    compromise, lifespan, threshold = given.compromise, given.lifespan, given.threshold
    choice = choose(m, compromise, lifespan, threshold)
    if not choice.can_be_published:
        raise Unachievable(
            Reason(
                "history.no_degree",
                m=m,
                compromise=compromise,
                lifespan=lifespan,
                threshold=threshold,
                least=min(choice.curve[: m - 1]),
                longest=_longest(m, compromise, threshold, lifespan),
            )
        )
    return ChosenAlgorithm(algorithm.name, m, choice.n, fakes, choice, compromise, lifespan, threshold)


def _longest(m: int, compromise: float, threshold: float, lifespan: int) -> int:
    """The longest lifespan for which some n does, 0 if none; f rises with the lifespan."""

    def holds(releases: int) -> bool:
        return any(is_below(compromise, releases, m, n, threshold) for n in range(1, m))

    low, high = 0, lifespan
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
