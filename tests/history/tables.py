"""Tables and releases as the judge reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from deniable.publish.again.releases import Grouping, Table
from deniable.worlds.judges.again import Group, Published

AIDS, BRONCHITIS, CANCER = range(3)
ALICE, BETTY, CARL, DORIS, ERICA, FIONA, GRACE, HANNA = range(8)

# The paper's Table 1: age, gender, zip in thousands, disease.
PATIENTS = {
    ALICE: (33, 0, 12, CANCER),
    BETTY: (31, 0, 11, BRONCHITIS),
    CARL: (35, 1, 12, AIDS),
    DORIS: (40, 0, 13, CANCER),
    ERICA: (41, 0, 14, AIDS),
    FIONA: (37, 0, 13, BRONCHITIS),
    GRACE: (42, 0, 13, BRONCHITIS),
    HANNA: (42, 0, 13, CANCER),
}
FIRST = (ALICE, BETTY, CARL, DORIS, ERICA, FIONA)
SECOND = (CARL, DORIS, ERICA, FIONA, GRACE, HANNA)


def table_of(rows: Mapping[int, Sequence[int]], people: Sequence[int]) -> Table:
    """Some people's rows; the last number of a row is the private value."""
    places = len(rows[people[0]]) if people else 2
    *columns, values = (np.array([rows[who][place] for who in people], np.int32) for place in range(places))
    return Table(np.array(people, np.int64), tuple(columns), values)


def counterfeits_of(grouping: Grouping, group: int) -> tuple[int, ...]:
    """The values of one group's counterfeits."""
    first, last = grouping.counterfeit_starts[group : group + 2]
    return tuple(grouping.counterfeits[first:last].tolist())


def published(table: Table, grouping: Grouping) -> Published:
    """A release, read off the arrays one row at a time."""
    private = dict(zip(table.person.tolist(), table.values.tolist(), strict=True))
    members: list[dict[int, int]] = [{} for _ in grouping.signature]
    for who, g in zip(table.person.tolist(), grouping.group.tolist(), strict=True):
        if g >= 0:
            members[g][who] = private[who]
    groups = [Group(inside, counterfeits_of(grouping, g)) for g, inside in enumerate(members)]
    return Published(private, groups, table.person[grouping.unplaced].tolist())


def release(private: Mapping[int, int], *groups: Sequence[int]) -> Published:
    """A release without counterfeits, by hand."""
    inside = [Group({who: private[who] for who in group}) for group in groups]
    return Published({who: private[who] for group in groups for who in group}, inside)
