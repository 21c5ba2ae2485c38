"""Which history is attacked: that of the ledger, or releases that others published."""

from __future__ import annotations

from dataclasses import replace

from deniable.analyses.history import attack as adversaries
from deniable.analyses.history.recorded import layout_of, ledger_path, read_chronicle
from deniable.analyses.history.releases import read_releases
from deniable.bind.files import need
from deniable.engines.base import Engine
from deniable.ledgers.file import Ledger, ledger
from deniable.release import Release


def attack(release: Release, engine: Engine, options: adversaries.Options) -> adversaries.Attack:
    """Ask the adversary about everybody in the history."""
    if release.history:
        need(release, "attack", "identifier", "private")
        files, ids = release.history, release.id_columns
        found = read_releases(files.releases, files.population, ids, release.private, release.folder, engine)
        return adversaries.attack(found, options)
    need(release, "attack", "identifier", "quasi", "private")
    with ledger(ledger_path(release), layout_of(release)) as book:
        found, promised = read_chronicle(book), _promised(book, options)
    return adversaries.attack(found, promised)


def _promised(book: Ledger, options: adversaries.Options) -> adversaries.Options:
    """With the m and n of the last release, and the longest that anybody was there, for the papers' formula."""
    ((m, n),) = book.connection.execute("SELECT m, n FROM releases ORDER BY release DESC LIMIT 1").fetchall()
    ((lifespan,),) = book.connection.execute(
        "SELECT max(times) FROM (SELECT count(*) AS times FROM seats WHERE person >= 0 AND NOT ghost GROUP BY person)"
    ).fetchall()
    return replace(options, m=m, n=n, lifespan=lifespan)
