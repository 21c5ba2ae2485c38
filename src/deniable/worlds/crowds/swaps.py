"""Swapping the private values of two people: does any view's answer change?

An `Instance` holds people by class (equal keys: interchangeable) and private values by cell (no
view tells them apart). Two classes are told apart in a world when some pair of values that a
member of each has there does not satisfy the swap equation (Yao et al. 2005, proposition 4):
q{(a,p1),(b,p2)} = q{(a,p2),(b,p1)} for every view q, answers being multisets (sets for DISTINCT).
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Int64s


@frozen
class ViewAnswers:
    """What one view shows of each class, for each private value."""

    cell: Int64s  # of each class: the projected public columns as a number from 1; 0: never selected
    held: Bools  # class by value: would the view select this person?
    projects: bool  # whether it shows the value as well, or something of it
    distinct: bool  # whether it drops duplicates
    told: Int64s | None = None  # what it shows of each value, as a number; None: all of it

    def numbered(self) -> Int64s:
        """Class by value: the answer tuple as a number, 0 for none."""
        values = self.held.shape[1]
        if not self.projects:
            return np.where(self.held, self.cell[:, None], 0)
        told = np.arange(values) if self.told is None else self.told
        return np.where(self.held, (self.cell[:, None] - 1) * values + told + 1, 0)


@frozen
class Instance:
    """The current table as counts, and every view's answers, over cells of values."""

    world: Int64s  # class by cell: how many people
    answers: Int64s  # view by class by cell
    totals: Int64s  # view by answer number: how often it is in the published view
    projects: Bools  # of each view
    distinct: Bools
    cell_of: Int64s  # of each private value
    weight: Int64s  # how many private values each cell has

    @property
    def sizes(self) -> Int64s:
        """How many people each class has."""
        return np.asarray(self.world.sum(axis=1), np.int64)

    def candidates(self) -> Bools:
        """Class by cell: whether every answer that this would give was really published."""
        shown = np.take_along_axis(self.totals, self.answers.reshape(len(self.answers), -1), axis=1) > 0
        return np.asarray(np.all(shown.reshape(self.answers.shape) | (self.answers == 0), axis=0), np.bool_)


def instance(world: Int64s, views: list[ViewAnswers]) -> Instance:
    """Merge the values that no view tells apart, for any class, into cells; number the answers."""
    classes, values = world.shape
    if not views:
        cell_of = np.zeros(values, np.int64)
        stacked = np.zeros((0, classes, values), np.int64)
    else:
        stacked = np.stack([_dense(view.numbered()) for view in views])
        columns = np.ascontiguousarray(stacked.transpose(2, 0, 1).reshape(values, -1))
        rows = columns.view(np.dtype((np.void, columns.itemsize * columns.shape[1]))).reshape(-1)
        _, cell_of = np.unique(rows, return_inverse=True)
    _, first, cell_of = np.unique(cell_of, return_index=True, return_inverse=True)
    cells = len(first)
    merged = np.zeros((classes, cells), np.int64)
    np.add.at(merged.T, cell_of, world.T)
    answers = np.ascontiguousarray(stacked[:, :, first])
    return Instance(
        merged,
        answers,
        totals_of(answers, merged),
        np.array([view.projects for view in views], np.bool_),
        np.array([view.distinct for view in views], np.bool_),
        cell_of,
        np.bincount(cell_of, minlength=cells).astype(np.int64),
    )


def totals_of(answers: Int64s, world: Int64s) -> Int64s:
    """How often each view shows each answer in a world; the 0th is for people it does not select."""
    width = int(answers.max(initial=0)) + 1
    totals = np.zeros((len(answers), width), np.int64)
    for q, numbers in enumerate(answers):
        totals[q] = np.bincount(numbers.ravel(), world.ravel(), width).astype(np.int64)
    return totals


def _dense(numbers: Int64s) -> Int64s:
    """The same answers with numbers in a row; 0 stays 0."""
    flat = np.concatenate([[0], numbers.ravel()])
    _, codes = np.unique(flat, return_inverse=True)
    return codes.reshape(-1)[1:].reshape(numbers.shape).astype(np.int64)


def csind(instance: Instance, classes: Int64s, cells: Int64s, some: Int64s) -> Bools:
    """The CSIND graph on types (class, current cell), the rows of some: who can swap what they have now.

    For a view that shows the value, both must get the same answer with either value; for one
    that does not, each must get the same answer with the other's value
    (docs/theory/crowds.md, "Restricted: only what people have now").
    """
    linked = np.ones((len(some), len(classes)), np.bool_)
    for numbers, projects in zip(instance.answers, instance.projects, strict=True):
        own = numbers[classes, cells]
        lends = numbers[classes[some, None], cells[None, :]]  # row: the class; column: whose value it gets
        gets = numbers[classes[None, :], cells[some, None]]  # the same the other way round
        if projects:
            linked &= (own[some, None] == gets) & (own[None, :] == lends)
        else:
            linked &= (own[some, None] == lends) & (own[None, :] == gets)
    return linked
