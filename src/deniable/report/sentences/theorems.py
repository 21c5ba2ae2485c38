"""Every adversary in two plain sentences, and the theorem that answers it; what each check takes for granted."""

from __future__ import annotations

from deniable.frozen import frozen


@frozen
class SaidOfReader:
    """Who somebody is, in two sentences; what is counted and why the count is right; where that is proved in full."""

    who: str
    theorem: str
    proof: str


_TWO, _MANY = "docs/theory/two-views.md", "docs/theory/many-views.md"
_COVERS = (
    "All tables that fit the views are counted, each once. With two views, people and values that share the joined "
    "columns form a complete bipartite graph; a table is a set of its edges that leaves no node bare, and covers(m, n, "
    "a, c) = Σ (−1)^(b₁+b₂) C(c,b₁) C(n−c,b₂) (2^(n−b₁−b₂) − 1)^(m−a) (2^(n−c−b₂) − 1)^a counts those that avoid the "
    "pairs of a of the m people with c of the n values. "
)
READERS = {
    "unrestricted": SaidOfReader(
        "Somebody who has only the published files and takes every table that fits them for equally likely. A person "
        "may have several values there, so nothing is ever less likely than one half.",
        _COVERS + "The chance is 1 − covers(m, n, a, c) / covers(m, n, 0, 0).",
        f"{_TWO}, “Closed forms”; for more views {_MANY}, “The formula”",
    ),
    "restricted": SaidOfReader(
        "Somebody who has only the published files, and knows that the person they look for has exactly one value. "
        "They count the tables that fit the files and give that person one value.",
        _COVERS
        + "The chance is covers(m, n, a, n − c) for this value, divided by the sum over all values of the group.",
        f"{_TWO}, “Closed forms”; for more views {_MANY}, “The formula”",
    ),
    "keyed": SaidOfReader(
        "Somebody who has only the published files, and knows that everybody has exactly one row. They count the "
        "tables that fit the files and give everybody one row.",
        "By symmetry each of the n tuples on the value's side of a join group is equally likely to be the person's: "
        "the chance is c / n, if there are at most as many values as people and everybody stands in one group.",
        f"{_TWO}, “Closed forms”",
    ),
    "counted": SaidOfReader(
        "Somebody who has only the published files, and knows how many rows everybody has. They count the tables that "
        "fit the files and give everybody as many.",
        "Somebody with t tuples has any t of the n tuples on the value's side: the chance is 1 − C(n−c, t) / C(n, t). "
        "With several tuples on the person's side, inclusion and exclusion over the values that nobody reaches.",
        f"{_TWO}, “Everybody's number of tuples”",
    ),
    "bag": SaidOfReader(
        "Somebody who has only the published files, and counts how often each row is in them. They count the tables "
        "with these very rows, duplicates included.",
        "Where all rows of one side differ, the R rows of the other are dealt out to them: the chance is "
        "1 − C(R−r, a) / C(R, a). Otherwise matrices with given sums are counted, or bounded by Efron's theorem.",
        f"{_TWO}, “Rows that are counted”",
    ),
    "crowd": SaidOfReader(
        "Somebody with a register, who knows everybody's public columns and has the published files. A crowd are "
        "people whose private values could be exchanged, in every table that fits, without changing what is published.",
        "People with equal keys (what each view would show of them, value by value) can always be exchanged; classes "
        "that are not pinned to one and the same value are told apart by some table (Yao, Wang and Jajodia 2005, "
        "propositions 4 and 5).",
        "docs/theory/crowds.md",
    ),
    "values": SaidOfReader(
        "The same reader with a register. What is counted is how many private values stay possible for a crowd: with "
        "one left, its size protects nobody.",
        "A member of a crowd can have every value that some member has now, and none that no view allows: the number "
        "of possible values lies between these two.",
        "docs/theory/crowds.md",
    ),
    "marginal": SaidOfReader(
        "Somebody who knows who is in which group, and of one value at a time how common it is among people of some "
        "kind. They weigh every way in which the group's values could be handed out.",
        "With c copies of the value in the group, who has them is a conditional Bernoulli draw; with one copy, the "
        "chance is o_t / Σ o with the odds o = f / (1 − f).",
        "docs/theory/linkage.md, “The setting” and “How posteriors are counted”",
    ),
    "full": SaidOfReader(
        "Somebody who knows who is in which group, and how all values are spread among people of some kind. They weigh "
        "every way in which the group's values could be handed out.",
        "A way weighs the product of its priors; the chance is a ratio of two permanents, counted by a program over "
        "how many people of each kind are used, whose terms are all positive.",
        "docs/theory/linkage.md, “The setting” and “How posteriors are counted”",
    ),
    "calibrated": SaidOfReader(
        "Somebody who knows who is in which group and, of this very table, how many people of each kind have each "
        "value. They weigh the ways to hand out the values so that these counts come out on average.",
        "The weights that fit give the distribution of largest entropy; posteriors lie in an interval that is proved "
        "from what the fit misses, by the entropy between the two and a bound below the covariances.",
        "docs/theory/linkage.md, “Statistics fitted to the table”",
    ),
    "joint": SaidOfReader(
        "Somebody who keeps every release, knows who was in which group, and knows the values of some people. They "
        "read all releases at once, and somebody is exposed when one value is left to them.",
        "One unknown for each person, one multiset equation for each group: candidates are narrowed to a fixpoint, and "
        "what is left is decided by search and a solver. Only what no table allows is ever removed.",
        "docs/theory/history.md, “The joint adversary”",
    ),
    "pairs": SaidOfReader(
        "Somebody who keeps every release and compares two groups at a time, again and again. It is the adversary of "
        "the papers, and weaker than one who reads everything at once.",
        "Values whose copies all belong to known people are taken from the others (ct-pvr); groups with equal values "
        "that share members have equal rests (hc-pvr).",
        "docs/theory/history.md, “The pairs adversary”",
    ),
}
OTHERS = SaidOfReader(
    "Somebody who reads the published files in a way of their own. They count the tables that fit the files and what "
    "they take for granted.",
    "The share of those tables in which the person has the value.",
    _TWO,
)


def reader(name: str) -> SaidOfReader:
    """What is said of an adversary, or of the reader whom a check is about."""
    return READERS.get(name, OTHERS)


_ASSUMED = {
    "breach": (
        "Tables that fit what is published are equally likely; whoever has more reason to believe one of them knows "
        "more.",
        "Nothing is known of anybody beside the published files and what each reader above is said to know.",
    ),
    "crowd": ("The reader's register is the public columns that the release file lists, and nothing else.",),
    "linkage": (
        "The statistics are those of the release file, each attribute set on its own; somebody who combines them may "
        "know more.",
        "The grouping itself says nothing about who has which value.",
    ),
    "history": (
        "The people whom the adversary knows are drawn at random, anew in every run: figures differ from run to run.",
        "The grouping itself says nothing about who has which value.",
    ),
}


def assumed(check: str) -> tuple[str, ...]:
    """What a check takes for granted."""
    return _ASSUMED.get(check, ())
