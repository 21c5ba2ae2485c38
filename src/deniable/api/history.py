"""The verbs about a table that is published again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deniable.api.loading import Source, read
from deniable.bind.inputs import scope_of
from deniable.effort import (
    ENGINE,
    LONGEST,
    SECONDS,
    WIDEST,
)
from deniable.engines import check_engine
from deniable.spec import arguments

if TYPE_CHECKING:
    from deniable.analyses.history.attack import Attack
    from deniable.analyses.history.ledger import Exported, Verified
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.history.undo import Undone
    from deniable.publish.again.n_choose import Choice


def choose(*, m: int, compromise: float, lifespan: int, threshold: float, engine: str = ENGINE) -> Choice:
    """n-Choose: the least degree n of hc-safety whose chance of exposure is below a threshold, with its curve.

    No table is read; `engine` is there as everywhere.
    """
    from deniable.publish.again.n_choose import choose as least

    check_engine(engine)
    arguments.insist(
        arguments.whole("m", m, 2, WIDEST),
        arguments.number("compromise", compromise, 0, 1),
        arguments.whole("lifespan", lifespan, 1, LONGEST),
        arguments.number("threshold", threshold, 0, 1),
    )
    return least(m, compromise, lifespan, threshold)


def republish(
    release: Source,
    folder: str | PathLike[str],
    *,
    begin: bool = False,
    unusual: str | Sequence[str] = (),
    published: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    algorithm: str | None = None,
    withhold: bool = False,
    new_episode: bool = False,
    dry_run: bool = False,
    audit: bool = True,
    seconds: float = SECONDS,
    seed: int | None = None,
    excel_safe: bool = False,
    reached: Callable[[str], None] = lambda _: None,
    warn: Callable[[str], None] = lambda _: None,
    engine: str = ENGINE,
) -> Republished:
    """Publish the next release of a table into a folder, and enter it in the ledger.

    `begin` begins the ledger with a first release; otherwise there must be one. A table that does not look like the
    next one is refused unless `unusual` names why: same-table, old-table, identifiers, gone or all; so are more
    counterfeits than were asked for (counterfeits). A ledger that is older than a release beside `folder`, or in one
    of the folders `published`, is refused.
    `withhold` keeps newcomers who cannot be placed for the next release; `new_episode` publishes people whose cells
    changed as somebody new; `dry_run` writes nothing. `audit` asks the joint adversary first, for at most `seconds`.
    `reached` is told of every step, `warn` of what must be said before it is published. `excel_safe` puts an
    apostrophe before cells that a spreadsheet would compute. `seed` is for tests: what is
    published under a known seed can be told apart.
    """
    from deniable.analyses.history.next_table import ALL, UNUSUAL
    from deniable.analyses.history.republish import publish
    from deniable.analyses.history.republish_options import RepublishOptions
    from deniable.publish.again.algorithm import find

    if algorithm is not None:
        find(algorithm)
    arguments.insist(
        arguments.listed("unusual", unusual),
        None if isinstance(published, PathLike) else arguments.listed("published", published),
    )
    flags = {"begin": begin, "withhold": withhold, "new_episode": new_episode, "dry_run": dry_run, "audit": audit}
    flags["excel_safe"] = excel_safe
    allowed = (unusual,) if isinstance(unusual, str) else tuple(unusual)
    places = (published,) if isinstance(published, (str, PathLike)) else tuple(published)
    arguments.insist(
        arguments.new_folder("folder", folder),
        arguments.number("seconds", seconds, 0),
        None if seed is None else arguments.whole("seed", seed, 0),
        *(arguments.one_of("unusual", word, (*UNUSUAL, ALL)) for word in allowed),
        *(arguments.folder("published", one) for one in places),
        *(arguments.flag(name, value) for name, value in flags.items()),
        arguments.called("reached", reached),
        arguments.called("warn", warn),
    )
    options = RepublishOptions(
        algorithm,
        withhold,
        new_episode,
        dry_run,
        audit,
        seconds,
        seed,
        begin,
        allowed,
        tuple(map(Path, places)),
        excel_safe,
    )
    loaded = read(release, engine)
    with scope_of(engine, loaded) as scope:
        return publish(loaded, Path(folder), scope, options, reached, lambda reason: warn(str(reason)))


def undo(release: Source, *, engine: str = ENGINE) -> Undone:
    """Take back the last release of the ledger, if it was never written out. The table is not read."""
    from deniable.analyses.history.undo import undo as take_back

    check_engine(engine)
    return take_back(read(release, engine))


def attack(
    release: Source,
    *,
    known: str | PathLike[str] | None = None,
    adversary: Literal["joint", "pairs"] = "joint",
    compromise: float | None = None,
    seed: int = 0,
    repeat: int = 1,
    seconds: float = SECONDS,
    hazard: str | PathLike[str] | None = None,
    engine: str = ENGINE,
) -> Attack:
    """What does somebody work out who keeps every release of the ledger, or of `history` in the release file?

    They know the people in a file, or a share `compromise` of all, drawn at random, `repeat` times anew; with the
    file `hazard` also how many times as often people leave who have some value.
    """
    from deniable.analyses.history.attack import AttackOptions
    from deniable.analyses.history.attack import attack as work_out

    arguments.insist(
        None if known is None else arguments.path("known", known),
        arguments.one_of("adversary", adversary, ("joint", "pairs")),
        None if compromise is None else arguments.number("compromise", compromise, 0, 1),
        arguments.whole("seed", seed, 0),
        arguments.whole("repeat", repeat, 1),
        arguments.number("seconds", seconds, 0),
        None if hazard is None else arguments.path("hazard", hazard),
    )
    file = Path(hazard) if hazard else None
    options = AttackOptions(adversary, Path(known) if known else None, compromise, seed, repeat, seconds, file)
    loaded = read(release, engine)
    with scope_of(engine, loaded, *([known] if known else [])) as scope:
        return work_out(loaded, scope, options)


def ledger(release: Source, *, engine: str = ENGINE) -> Exported:
    """The private history: every member of every group of every release. The table is not read."""
    from deniable.analyses.history.ledger import export

    check_engine(engine)
    return export(read(release, engine))


def verify(release: Source, *, engine: str = ENGINE) -> Verified:
    """Does the ledger keep what it promises, release by release? The table is not read."""
    from deniable.analyses.history.ledger import verify as check_all

    check_engine(engine)
    return check_all(read(release, engine))
