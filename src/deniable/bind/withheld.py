"""The list of people whom no view shows meets the table: their rows are left out before any view is made.

Somebody on the list whom the table does not have may be somebody else misspelt, who would then be published: that is
refused, and nobody is named.
"""

from __future__ import annotations

from deniable.arrow import only
from deniable.bind.files import WantedFile, attach, lacks
from deniable.engines.scope import Relation, Scope
from deniable.errors import BadInput, Mistake, NoRows
from deniable.release import Release
from deniable.sql import withheld as queries
from deniable.words import people


def leave_out(release: Release, scope: Scope, source: Relation) -> Relation:
    """The table without the people whom `withhold` lists. Raises BadInput with what is wrong with the list."""
    if release.withhold is None:
        return source
    where, ids = release.locations.at("withhold"), release.id_columns
    if not ids:
        raise BadInput(Mistake(where, "withhold: expected identifier: beside it; found none"))
    wanted = WantedFile(release.withhold, "withheld_file", ids, release.folder)
    try:
        file = attach(scope, wanted, lacks(release.withhold), lambda mistake: Mistake(where, mistake.what))
    except NoRows:  # a header and nobody below it
        return source
    listed = scope.store("withheld", queries.identifiers(file.relation, ids))
    strangers = int(only(scope.fetch(queries.strangers(listed, source, ids))))
    if strangers:
        what = f"withhold: expected people whom {release.title} has; found {people(strangers)} whom it has not"
        raise BadInput(Mistake(where, what))
    rest = scope.view("not_withheld", queries.without(source, listed, ids))
    if not only(scope.fetch(queries.anybody(rest))):
        raise BadInput(Mistake(where, "withhold: expected somebody who is not withheld; found nobody"))
    return rest
