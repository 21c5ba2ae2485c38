"""Classes: people with equal keys, by one GROUP BY. What else there is to know of them is asked when it is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from deniable.analyses.crowds.plan import CrowdPlan, plan
from deniable.analyses.crowds.selections import Selection, Tables, find_selections
from deniable.arrow import column_ints, only
from deniable.bind.views import Bound
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import crowds as queries
from deniable.sql import keys as people
from deniable.sql.keys import TellingView
from deniable.worlds.arrays import Int64s

if TYPE_CHECKING:
    from sqlglot import exp


@frozen
class Totals:
    """The classes, counted."""

    people: int
    classes: int
    k: int  # people in the smallest class
    alike: int  # the most classes that have one value only, and the same
    least: int | None  # one view of everybody: the least number of values of a class
    constant: int  # people in classes that have one value only


@frozen
class Classes:
    """People with equal keys, in an engine; numbered from 0, the smallest class first."""

    tables: Tables
    selections: Mapping[int, Selection]
    grouped: Relation
    totals: Totals

    @property
    def plan(self) -> CrowdPlan:
        """The views, and the keys that they give."""
        return self.tables.plan

    @property
    def scope(self) -> Scope:
        """The engine, and names in it."""
        return self.tables.scope

    @property
    def on_public(self) -> bool:
        """Whether every selection looks at public columns only, and every view shows the value itself, duplicates
        included."""
        return not any(view.on_private or view.distinct or self.plan.blurs(view) for view in self.plan.views)

    @cached_property
    def keyed(self) -> Relation:
        """Every person with their key, as the answer needs them."""
        ids, public = self.plan.release.id_columns, self.plan.public
        return self.scope.view("keyed", _keyed(self.tables, self.selections, ids, public))

    @cached_property
    def numbered(self) -> Relation:
        """The classes with their numbers."""
        return self.scope.store("numbered", queries.in_order(self.grouped, self.plan.keys.names))

    @cached_property
    def types(self) -> Relation:
        """How many people of each class have each value."""
        keys = self.plan.keys.names
        return self.scope.store("types", queries.types(self.keyed, self.numbered, self.tables.domain, keys))

    @cached_property
    def sizes(self) -> Int64s:
        """How many people each class has."""
        return column_ints(self.scope.fetch(queries.sizes(self.numbered)), "size")

    @cached_property
    def found(self) -> Int64s:
        """How many different values each class has now."""
        counted = queries.found(self.numbered) if self.plan.is_single else queries.value_counts(self.types)
        return column_ints(self.scope.fetch(counted), "found")

    @cached_property
    def values(self) -> int:
        """How many private values there are."""
        return int(only(self.scope.fetch(queries.how_many(self.tables.domain))))

    def cells(self, view: TellingView) -> Int64s:
        """Each class's cell in one view; 0 when it is never selected."""
        return column_ints(self.scope.fetch(queries.cells(self.numbered, self.plan.keys, view)), "cell")

    def told(self, view: TellingView) -> Int64s | None:
        """What one view shows of each private value, as a number; None: all of it."""
        if not self.plan.blurs(view):
            return None
        names = [self.plan.keys.of_value[name] for name in view.told]
        return column_ints(self.scope.fetch(queries.told(self.tables.domain, names)), "code")

    def set_numbers(self, view: TellingView) -> Int64s:
        """The number of each class's set of values in one view."""
        return column_ints(self.scope.fetch(queries.set_numbers(self.numbered, self.plan.keys, view)), "t")


def find_classes(bound: Bound, limit: int) -> Classes:
    """Compute everybody's keys and group by them."""
    tables = Tables(plan(bound), bound.scope)
    selections = find_selections(tables, limit)
    group = queries.classes_and_values if tables.plan.is_single else queries.classes
    grouped = bound.scope.store("classes", group(_keyed(tables, selections), tables.plan.keys.names))
    return Classes(tables, selections, grouped, Totals(**bound.scope.fetch(queries.summary(grouped)).to_pylist()[0]))


def _keyed(
    tables: Tables, selections: Mapping[int, Selection], ids: Sequence[str] = (), public: Sequence[str] = ()
) -> exp.Select:
    sets = {number: selection.relation for number, selection in selections.items()}
    return people.keyed(tables.plan.source, tables.plan.keys, sets, ids, public)
