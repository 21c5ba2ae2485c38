"""What all releases together give away, the one about to be published among them: the joint adversary (theory 4)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.parameters import Parameters
from deniable.analyses.history.recorded import Recorded, layout_of, ledger_path, read_story
from deniable.errors import Unachievable
from deniable.ledgers.file import Ledger, ledger
from deniable.publish.history.choose import f
from deniable.release import Release

if TYPE_CHECKING:
    from deniable.worlds.histories import Knowledge
    from deniable.worlds.history_joint import Possible
    from deniable.worlds.lineages import Chained

KNOWN = 0.04  # the share of people whom the adversary is taken to know, where the release file does not say
SHARES = (0.01, 0.04, 0.1)  # of people known, for each of which stable groups are audited
SECONDS = 60.0  # how long a solver may take
_EXCHANGES = 100_000_000  # people times values up to which exchanges are looked for
_ROUNDING = 1e-8  # of posteriors: one that is 1/2 is not above it


@dataclass(frozen=True)
class Over:
    """How many of the people who are not known may have a posterior above 1 / `one_in`."""

    one_in: int
    people: int


@dataclass(frozen=True)
class Exposure:
    """Of the people whom the adversary does not know: how many are exposed, and for how many that was not decided."""

    known: float
    drawn: int
    people: int
    releases: int
    exposed: int
    undecided: int
    over: tuple[Over, ...] = ()  # the distribution of the posterior of the true value, where it was asked for
    promised: float | None = None  # what n-Choose's formula gives for pairs of releases
    others: tuple[Exposure, ...] = ()  # the same with other shares of the people known

    @property
    def share(self) -> float:
        """At most this share is exposed."""
        return (self.exposed + self.undecided) / max(self.people, 1)

    def figures(self) -> dict[str, Any]:
        """For the ledger and for JSON."""
        return asdict(self)


def known_share(release: Release, chosen: Parameters) -> float:
    """As `require: history` says, else the compromise that n was chosen for."""
    if release.require.history is not None:
        return release.require.history.known
    return KNOWN if chosen.compromise is None else chosen.compromise


def expose(recorded: Recorded, share: float, seconds: float, limits: tuple[int, ...] = ()) -> Exposure:
    """Draw the known people at random and ask about the others; `limits`: posteriors above 1 in so many are counted."""
    people = recorded.people
    who = np.random.default_rng().permutation(people)[: round(share * people)].astype(np.int32)
    return replace(exposed_to(recorded, who, seconds, limits), known=share)


def exposed_to(recorded: Recorded, who: NDArray[np.int32], seconds: float, limits: tuple[int, ...] = ()) -> Exposure:
    """What somebody knows of the others who knows these people.

    Of stable groups the adversary is taken to know the algorithm, and so whose seat each ghost keeps; lineages of small
    groups are counted exactly, the rest is asked of the joint adversary.
    """
    from deniable.worlds.histories import Knowledge
    from deniable.worlds.lineages import chained

    people = recorded.people
    known = Knowledge(who, recorded.truth[who])
    others = np.arange(len(recorded.truth)) < people
    others[who] = False
    chains = chained(recorded.story, recorded.truth, known)
    number, decided, high = chains.possible, chains.counted, chains.high
    if not decided[others].all():
        number, decided, high = _joint(recorded, known, chains, seconds, posteriors=bool(limits))
    exposed = int(np.count_nonzero(others & (number == 1)))
    undecided = int(np.count_nonzero(others & ~decided))
    over = tuple(Over(k, int(np.count_nonzero(others & (high > (1 + _ROUNDING) / k)))) for k in limits)
    share = len(who) / max(people, 1)
    return Exposure(share, len(who), people - len(who), recorded.releases, exposed, undecided, over)


def _joint(
    recorded: Recorded, known: Knowledge, chains: Chained, seconds: float, *, posteriors: bool
) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.float64]]:
    """How many values are left, whether that is sure to be one or more, and an upper bound of the true one's chance."""
    from deniable.worlds.histories import Knowledge, part_of
    from deniable.worlds.history_beliefs import true_values
    from deniable.worlds.history_exchange import can_exchange
    from deniable.worlds.history_joint import joint

    rest = np.flatnonzero(~chains.counted)  # no chain shares a group with them
    place = np.full(len(chains.counted), -1, np.int32)
    place[rest] = np.arange(len(rest))
    story, truth, inside = part_of(recorded.story, rest), recorded.truth[rest], place[known.people] >= 0
    known = Knowledge(place[known.people[inside]], known.values[inside])
    found = joint(story, known, truth, seconds / 2 if posteriors else seconds)
    number, high, decided = chains.possible.copy(), chains.high.copy(), is_decided(found)
    if posteriors:
        high[rest] = true_values(story, found, truth, seconds / 2).high
    if len(rest) * story.values <= _EXCHANGES and not decided.all():
        decided |= can_exchange(story, known, truth)
    number[rest] = found.number
    everybody = chains.counted.copy()
    everybody[rest] = decided
    return number, everybody, high


def is_decided(found: Possible) -> NDArray[np.bool_]:
    """For whom it is known whether one value is left: all others are excluded, or two were seen in worlds."""
    from deniable.worlds.history_search import SEEN

    left = found.open
    seen = np.zeros(len(found.words), np.int64)
    np.add.at(seen, left.person[left.owner[found.status == SEEN]], 1)
    return np.asarray((found.number == 1) | found.exact | (seen >= 2), np.bool_)


def of_next(release: Release, book: Ledger, chosen: Parameters, seconds: float) -> Exposure:
    """With the release that is proposed, beside what the formula promises; stable groups with several shares known."""
    recorded, main = read_story(book, identified=True), known_share(release, chosen)
    is_stable = chosen.algorithm == "stable"
    found = expose(recorded, main, seconds, tuple(sorted({2, 3, chosen.m})) if is_stable else ())
    others = tuple(expose(recorded, share, seconds) for share in SHARES if share != main) if is_stable else ()
    promised = None if chosen.n is None else float(f(found.known, found.releases, chosen.m, chosen.n))
    return replace(found, promised=promised, others=others)


def of_ledger(release: Release, share: float, seconds: float = SECONDS) -> Exposure:
    """So far."""
    with ledger(ledger_path(release), layout_of(release)) as book:
        return expose(read_story(book, identified=True), share, seconds)


def insist(release: Release, exposure: Exposure | None) -> None:
    """Refuse a release that would expose more people than `require: history` allows."""
    limit = release.require.history
    if limit is None or exposure is None or exposure.share <= limit.exposed_at_most:
        return
    perhaps = f" or not decided ({exposure.undecided:,})" if exposure.undecided else ""
    raise Unachievable(
        f"with this release {exposure.exposed + exposure.undecided:,} of {exposure.people:,} people would be exposed"
        f"{perhaps} to somebody who reads all releases and knows {exposure.known:.1%} of the people: "
        f"{exposure.share:.2%}, where history.exposed_at_most allows {limit.exposed_at_most:.2%}; nothing was published"
    )
