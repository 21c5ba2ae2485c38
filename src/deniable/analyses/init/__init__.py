"""init: a table that nobody has described yet becomes a first release file, and the file its first audit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from deniable.analyses.audit import audit
from deniable.analyses.init.draft import Draft, place_of
from deniable.analyses.init.profile import look
from deniable.analyses.init.proposal import Proposal, Roles, propose
from deniable.analyses.init.said import insist_said, roles_of
from deniable.analyses.verdict import Verdict
from deniable.bind.inputs import scope_of
from deniable.effort import ENGINE, Effort
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.publish.new_files import sweep_beside, write_new
from deniable.shown import Shown
from deniable.spec import arguments, yaml

Columns = str | Sequence[str] | None  # names, parted by commas in text; None: not said


@frozen(repr=False)
class FirstRelease(Shown):
    """A release file that was written, what it was made of, and its first audit."""

    file: str
    proposal: Proposal
    verdict: Verdict


def init(
    table: str | os.PathLike[str],
    *,
    identifier: Columns = None,
    private: str | None = None,
    quasi: Columns = None,
    encoding: str | None = None,
    out: str | os.PathLike[str] | None = None,
    engine: str = ENGINE,
) -> FirstRelease:
    """Write a first release file for a table, never over another file, and audit it.

    `identifier` and `private` must be said (`identifier=()`: nobody is named); what is missing is proposed in the
    BadInput that is raised then. `out` is the table's name with .yaml in the working directory, unless you say.
    """
    proposal = begin(
        table, identifier=identifier, private=private, quasi=quasi, encoding=encoding, out=out, engine=engine
    )
    return finish(proposal, out, engine)


def begin(
    table: str | os.PathLike[str], *, identifier: Columns, private: str | None, quasi: Columns, encoding: str | None,
    out: str | os.PathLike[str] | None, engine: str,
) -> Proposal:  # fmt: skip
    """Look at a table, and propose what was not said. Raises BadInput, also where `out` could not be written."""
    arguments.insist(arguments.path("table", table), None if out is None else arguments.path("out", out))
    sweep_beside(Path() / "release.yaml" if out is None else Path(out))
    place_of(table, out)
    profile = look(table, encoding, engine)
    return propose(profile, roles_of(profile.names, identifier, private, quasi))


def finish(proposal: Proposal, out: str | os.PathLike[str] | None, engine: str) -> FirstRelease:
    """Audit what the release file will say, and write it: a run that is stopped leaves nothing. Raises BadInput."""
    insist_said(proposal)
    place = place_of(proposal.profile.table, out)
    text = str(Draft(proposal, place))
    release = yaml.load(place, text)
    with scope_of(engine, release) as scope:
        verdict = audit(release, scope, Effort())
    try:
        write_new(place, text)
    except FileExistsError:
        raise BadInput(Mistake("--out", Reason("init.there_already", file=str(place)))) from None
    return FirstRelease(str(place), proposal, verdict)


__all__ = ["FirstRelease", "Proposal", "Roles", "begin", "finish", "init"]
