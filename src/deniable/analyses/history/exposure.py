"""What all releases together give away, the one about to be published among them: the joint adversary (theory 4)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.parameters import Parameters
from deniable.analyses.history.recorded import Recorded, layout_of, ledger_path, read_story
from deniable.errors import Unachievable
from deniable.ledgers.file import Ledger, ledger
from deniable.publish.history.choose import f
from deniable.release import Release

if TYPE_CHECKING:
    from deniable.worlds.history_joint import Possible

KNOWN = 0.04  # the share of people whom the adversary is taken to know, where the release file does not say
SECONDS = 60.0  # how long a solver may take


@dataclass(frozen=True)
class Exposure:
    """Of the people whom the adversary does not know: how many are exposed, and for how many that was not decided."""

    known: float
    drawn: int
    people: int
    releases: int
    exposed: int
    undecided: int
    promised: float | None = None  # what n-Choose's formula gives for pairs of releases

    @property
    def share(self) -> float:
        """At most this share is exposed."""
        return (self.exposed + self.undecided) / max(self.people, 1)

    def figures(self) -> dict[str, float | int | None]:
        """For the ledger and for JSON."""
        return asdict(self)


def known_share(release: Release, chosen: Parameters) -> float:
    """As `require: history` says, else the compromise that n was chosen for."""
    if release.require.history is not None:
        return release.require.history.known
    return KNOWN if chosen.compromise is None else chosen.compromise


def expose(recorded: Recorded, share: float, seconds: float) -> Exposure:
    """Draw the known people at random and ask the joint adversary about the others.

    Of stable groups the adversary is taken to know the algorithm, and so whose seat each ghost keeps.
    """
    from deniable.worlds.histories import Knowledge
    from deniable.worlds.history_joint import joint

    people = recorded.people
    who = np.random.default_rng().permutation(people)[: round(share * people)].astype(np.int32)
    found = joint(recorded.story, Knowledge(who, recorded.truth[who]), recorded.truth, seconds)
    others = np.arange(len(recorded.truth)) < people
    others[who] = False
    exposed = int(np.count_nonzero(others & (found.number == 1)))
    undecided = int(np.count_nonzero(others & ~is_decided(found)))
    return Exposure(share, len(who), people - len(who), recorded.releases, exposed, undecided)


def is_decided(found: Possible) -> NDArray[np.bool_]:
    """For whom it is known whether one value is left: all others are excluded, or two were seen in worlds."""
    from deniable.worlds.history_search import SEEN

    left = found.open
    seen = np.zeros(len(found.words), np.int64)
    np.add.at(seen, left.person[left.owner[found.status == SEEN]], 1)
    return np.asarray((found.number == 1) | found.exact | (seen >= 2), np.bool_)


def of_next(release: Release, book: Ledger, chosen: Parameters, seconds: float) -> Exposure:
    """With the release that is proposed, beside what the formula promises."""
    found = expose(read_story(book, identified=True), known_share(release, chosen), seconds)
    if chosen.n is None:
        return found
    return replace(found, promised=float(f(found.known, found.releases, chosen.m, chosen.n)))


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
