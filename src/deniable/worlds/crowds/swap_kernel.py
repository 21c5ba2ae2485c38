"""Does a world tell two classes apart? The swap equation of `swaps` on all pairs of values that it has, compiled."""

from __future__ import annotations

from deniable.kernels import kernel
from deniable.worlds.arrays import Bools, Int64s


@kernel()
def told_apart(answers: Int64s, totals: Int64s, distinct: Bools, world: Int64s, a: int, b: int) -> bool:
    """Whether this world tells two classes apart: some swap in it changes an answer."""
    cells = world.shape[1]
    for one in range(cells):
        if world[a, one] == 0:
            continue
        for two in range(cells):
            if world[b, two] == 0 or one == two:
                continue
            if changes(answers, totals, distinct, a, b, one, two):
                return True
    return False


@kernel()
def changes(answers: Int64s, totals: Int64s, distinct: Bools, a: int, b: int, one: int, two: int) -> bool:
    """Whether swapping (a, one) and (b, two) changes a view, in a world with these totals."""
    for q in range(answers.shape[0]):
        gone1, gone2 = answers[q, a, one], answers[q, b, two]
        new1, new2 = answers[q, a, two], answers[q, b, one]
        if (gone1 == new1 and gone2 == new2) or (gone1 == new2 and gone2 == new1):
            continue
        if not distinct[q]:
            return True
        for gone in (gone1, gone2):
            loss = int(gone1 == gone) + int(gone2 == gone) - int(new1 == gone) - int(new2 == gone)
            if gone != 0 and loss > 0 and totals[q, gone] <= loss:
                return True
        for new in (new1, new2):
            if new != 0 and totals[q, new] == 0:
                return True
    return False


@kernel()
def first_untold(
    answers: Int64s, totals: Int64s, distinct: Bools, worlds: Int64s, a: int, others: Int64s, start: int
) -> int:
    """The first of `others`, from `start` on, that none of these worlds tells apart from class a; or -1."""
    for i in range(start, len(others)):
        told = False
        for w in range(worlds.shape[0]):
            if told_apart(answers, totals[w], distinct, worlds[w], a, others[i]):
                told = True
                break
        if not told:
            return i
    return -1
