"""explain, where groups were published: the groups that one person may be in, and what is learnt about them there.

Computed: the published people who have the person's quasi-identifiers, and all that knowledge is given by, and the
posteriors that `linkage` finds for them (docs/theory/linkage.md, "The setting"). Like `explain` of views it shows
private values beside a person, because it was asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deniable.analyses.linkage import analyse
from deniable.bind.files import need
from deniable.bind.knowledge import given_columns
from deniable.bind.published import published_people
from deniable.bind.table import for_person
from deniable.effort import Effort
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown
from deniable.sql import build, one_person
from deniable.sql import linkage as queries

if TYPE_CHECKING:
    import pyarrow as pa

Value = str | None


@frozen
class PosteriorOfValue:
    """What one adversary who knows one attribute set makes of one value of the group."""

    value: Value
    given: str
    adversary: str
    probability: float | None
    lower: float | None
    upper: float | None
    bound: str | None
    reason: str | None


@frozen
class PossibleGroup:
    """A group with people who have the person's quasi-identifiers: how many, and the posteriors of each of them."""

    group: Value
    alike: int
    cells: dict[str, Value]
    posteriors: tuple[PosteriorOfValue, ...]


@frozen(repr=False)
class PersonInGroups(Shown):
    """Everything `explain` shows of published groups, as values."""

    who: tuple[str, ...]
    release: str
    people: int
    true_values: tuple[Value, ...]
    groups: tuple[PossibleGroup, ...]

    def __str__(self) -> str:
        from deniable.report.person_in_groups import person_text

        return person_text(self)


def is_published_in_groups(release: Release) -> bool:
    """Whether there are no views to explain, but groups that somebody with knowledge reads."""
    return not release.views and release.published is not None and bool(release.knowledge)


def explain_groups(release: Release, who: Sequence[str], scope: Scope, effort: Effort) -> PersonInGroups:
    """Find the person's row, the published people like it, and their posteriors. BadInput if nobody is called so."""
    need(release, "explain", "identifier", "quasi", "private")
    ids = release.id_columns
    if len(who) != len(ids):
        raise BadInput(Mistake("--who", Reason("views.incomplete_who", names=ids, found=len(who))))
    compared = tuple(dict.fromkeys((*release.quasi, *given_columns(release))))
    own = _own_rows(release, tuple(who), compared, scope)
    found = analyse(release, scope, effort)
    group = release.published.group if release.published else ""
    people = scope.fetch(queries.people(published_people(release, scope, compared), group, compared))
    named = queries.answer(found.grouped, found.weighed, "g", "x")  # names of ours: the user's columns may have any
    answers, possible = scope.fetch(queries.in_order(named)), []
    for mine in dict.fromkeys(tuple(row[f"q{k}"] for k in range(len(compared))) for row in own):
        possible += _groups(people, dict(zip(compared, mine, strict=True)), answers)
    truth = tuple(dict.fromkeys(row["p0"] for row in own))
    return PersonInGroups(tuple(who), release.name, found.people, truth, tuple(possible))


def _own_rows(
    release: Release, who: tuple[str, ...], compared: tuple[str, ...], scope: Scope
) -> list[dict[str, Value]]:
    """The person's rows of the table, all cells as text."""
    ids = build.numbered("i", len(release.id_columns))
    table = for_person(release, scope, compared)
    rows = scope.view("rows", queries.people_of_table(table, release.id_columns, compared, release.private))
    own: list[dict[str, Value]] = scope.fetch(one_person.own_rows(rows, ids, who)).to_pylist()
    if not own:
        known = scope.fetch(one_person.people_like(rows, ids)).column(ids[0]).to_pylist()
        people = [name for name in known if name is not None]
        raise BadInput(Mistake("--who", Reason("views.nobody_called", table=release.title, who=who, people=people)))
    return own


def _groups(people: pa.Table, cells: dict[str, Value], answers: pa.Table) -> list[PossibleGroup]:
    """The groups in which somebody has these cells; people who agree in all of them have the same posteriors."""
    import pyarrow.compute as pc

    keep: Any = None
    for k, cell in enumerate(cells.values()):
        column = people.column(f"q{k}")
        same = pc.is_null(column) if cell is None else pc.fill_null(pc.equal(column, cell), False)
        keep = same if keep is None else pc.and_(keep, same)
    alike: dict[Value, list[int]] = {}
    for row in people.filter(keep).select(["person", "g"]).to_pylist():
        alike.setdefault(row["g"], []).append(row["person"])
    found = []
    for group in sorted(alike, key=lambda name: (name is None, len(name or ""), name or "")):
        one = answers.filter(pc.equal(answers.column("person"), min(alike[group])))
        found.append(PossibleGroup(group, len(alike[group]), cells, tuple(_posteriors(one))))
    return found


def _posteriors(rows: pa.Table) -> list[PosteriorOfValue]:
    names = ("x", "given", "adversary", "probability", "lower", "upper", "bound", "reason")
    return [PosteriorOfValue(*(row[name] for name in names)) for row in rows.to_pylist()]
