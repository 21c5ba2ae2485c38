"""What is wrong is said in Python's terms, before anything is read; verbs take what their commands take."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow as pa
import pytest

import deniable
from deniable import errors
from deniable.cli import main

CELLS = {"name": ["ann", "SECRET"], "age": [1, 2], "problem": ["flu", "gout"]}
TABLE = pd.DataFrame(CELLS)
VIEWS = {"a": "SELECT name, age FROM t", "b": "SELECT age, problem FROM t"}
RELEASE = deniable.Release(TABLE, identifier="name", private="problem", views=VIEWS)
A_TABLE = "a path, a pandas or polars frame, an Arrow table or a relation"
A_RELEASE = "release: expected a deniable.Release or the path of a release file; found"
ANY: Any = deniable

WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "views as a list": (lambda: ANY.Release(TABLE, views=["x"]), "views: expected a dict; found a list"),
    "a limit alone": (lambda: ANY.Release(TABLE, require={"breach": 1}), "require.breach: expected a dict; found 1"),
    "requirements as a list": (lambda: ANY.Release(TABLE, require=[1]), "require: expected a dict; found a list"),
    "no table": (lambda: ANY.Release(None), f"table: expected {A_TABLE}; found None"),
    "a NumPy array": (lambda: ANY.Release(np.zeros((2, 2))), f"table: expected {A_TABLE}; found an ndarray"),
    "a dict as a table": (lambda: ANY.Release(CELLS), f"table: expected {A_TABLE}; found a dict"),
    "a number as a person": (lambda: ANY.explain(RELEASE, 1), "who: expected text; found 1"),
    "nobody": (lambda: ANY.explain(RELEASE), "who: expected a value for each of name; found 0"),
    "somebody else": (lambda: ANY.explain(RELEASE, "zed"), "who: nobody in t is called zed"),
    "no release": (lambda: ANY.audit(None), f"{A_RELEASE} None"),
    "a frame as a release": (
        lambda: ANY.audit(TABLE),
        f"{A_RELEASE} a DataFrame; deniable.Release(table=…) makes a release of a table",
    ),
    "no such engine": (
        lambda: ANY.breach(RELEASE, engine="x"),
        "engine: expected duckdb or postgresql:// or postgres:// "
        "or spark or spark:// or local[*] or local-cluster[*]; found x",
    ),
    "keys that are missing": (
        lambda: ANY.linkage(RELEASE),
        "release: linkage needs Release(published=…), which is missing\n"
        "release: linkage needs Release(knowledge=…), which is missing",
    ),
    "no folder": (lambda: ANY.utility(RELEASE, None), "folder: expected a path; found None"),
    "a number as a file": (lambda: ANY.attack(RELEASE, known=3), "known: expected a path; found 3"),
    "an unknown adversary": (
        lambda: ANY.attack(RELEASE, adversary="all", repeat=0),
        "adversary: expected joint or pairs; found all\nrepeat: expected a whole number of at least 1; found 0",
    ),
    "no quasi-identifiers": (
        lambda: ANY.crowds(TABLE, private="problem"),
        "quasi: expected the quasi-identifiers beside private; found none",
    ),
    "limits that are none": (
        lambda: ANY.audit(RELEASE, breach=2, crowd=0),
        "breach: expected a number from 0 to 1; found 2\ncrowd: expected a whole number of at least 1; found 0",
    ),
    "a limit with another key": (
        lambda: ANY.audit(RELEASE, crowd={"at_last": 2, "at_least": 2}),
        "crowd.at_last: unknown key at_last (did you mean at_least?); expected one of at_least, values",
    ),
    "a number as a quasi-identifier": (
        lambda: ANY.crowds(TABLE, private="problem", quasi=7),
        "quasi: expected a column or a list of columns; found 7",
    ),
    "a null as a quasi-identifier": (
        lambda: ANY.crowds(TABLE, quasi=pd.NA),
        "private: expected the private column beside quasi; found none\n"
        "quasi: expected a column or a list of columns; found a NAType",
    ),
    "a null as the private column": (
        lambda: ANY.crowds(TABLE, private=pd.NA, quasi=["age"]),
        "private: expected text; found a NAType",
    ),
    "reasons and folders that are none": (
        lambda: ANY.republish(RELEASE, "out", unusual=7, published=pd.NA),
        "unusual: expected a list; found 7\npublished: expected a list; found a NAType",
    ),
    "a frame where something is to be suppressed or not": (
        lambda: ANY.bucketize(RELEASE, "out", r=2, suppress=pd.Series([1, 2]), reveal=pd.NA, excel_safe=""),
        "suppress: expected True or False; found a Series\n"
        "reveal: expected True or False; found a NAType\n"
        "excel_safe: expected True or False; found empty text",
    ),
    "a word that would count as true": (
        lambda: ANY.audit(RELEASE, reveal="no"),
        "reveal: expected True or False; found no",
    ),
    "steps of publishing that are neither true nor false": (
        lambda: ANY.republish(RELEASE, "out", begin=None, dry_run=1, audit=pd.DataFrame(), excel_safe=[], warn="log"),
        "begin: expected True or False; found None\n"
        "dry_run: expected True or False; found 1\n"
        "audit: expected True or False; found a DataFrame\n"
        "excel_safe: expected True or False; found a list\n"
        "warn: expected a function; found log",
    ),
    "nobody who is told": (
        lambda: ANY.repair(RELEASE, reached=None),
        "reached: expected a function; found None",
    ),
    "a character that no path has": (
        lambda: ANY.audit("a\0.yaml"),
        "release: expected a path; found one with the character U+0000",
    ),
    "half of a character": (lambda: ANY.audit("\ud800"), "release: expected UTF-8 text; found other bytes"),
    "half of a character in a table's path": (
        lambda: ANY.Release("\ud800", ledger=Path("a\ud800")),
        "table: expected the path of a file; found '\\ud800'\nledger: expected the path of a file; found 'a\\ud800'",
    ),
    "a file as a folder": (
        lambda: ANY.bucketize(RELEASE, __file__, r=0),
        f"folder: expected a folder; found the file {__file__}\nr: expected a number of at least 1; found 0",
    ),
    "a folder in a file": (
        lambda: ANY.republish(RELEASE, f"{__file__}/new"),
        f"folder: expected a folder; found the file {__file__}",
    ),
    "more queries than anybody can ask": (
        lambda: ANY.utility(RELEASE, ".", queries=10**30),
        f"queries: expected a whole number of at least 1 and at most 1,000,000; found 1{'0' * 30}",
    ),
    "a file of another kind": (
        lambda: ANY.breach(RELEASE).save("x.txt"),
        "path: expected a path that ends in .csv or .parquet; found x.txt",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_in_the_terms_of_python(case: str) -> None:
    call, wanted = WRONG[case]
    with pytest.raises(deniable.BadInput) as raised:
        call()
    assert str(raised.value) == wanted
    assert "SECRET" not in str(raised.value)


def test_true_and_false_are_also_numpys(tmp_path: Path) -> None:
    release = deniable.Release(TABLE, quasi="age", private="problem")
    with pytest.raises(deniable.Unachievable):
        ANY.bucketize(release, tmp_path / "out", r=9, suppress=np.bool_(True), reveal=np.bool_(False))


def test_one_folder_is_a_list_of_one(tmp_path: Path) -> None:
    release = deniable.Release(TABLE, identifier="name", quasi="age", private="problem", republish={"m": 2, "n": 1})
    with pytest.raises(deniable.BadInput, match=r"published: expected a folder; found .*nowhere"):
        deniable.republish(release, tmp_path / "out", begin=True, published=str(tmp_path / "nowhere"), unusual=("all",))


def test_options_are_arguments_in_python_and_options_at_the_command_line() -> None:
    error = errors.LimitExceeded("raise --limit, or --new-episode, or --method exact")
    assert str(error) == "raise limit, or new_episode=True, or method='exact'"
    assert error.typed() == "raise --limit, or --new-episode, or --method exact"


@pytest.mark.parametrize("table", [TABLE, pl.DataFrame(CELLS), pa.table(CELLS)], ids=["pandas", "polars", "arrow"])
def test_crowds_of_a_table_as_it_is(table: object) -> None:
    with_quasi = deniable.crowds(table, private="problem", quasi=["age"])
    assert (with_quasi.k, with_quasi.people) == (1, 2)
    with_quasi.close()


def test_all_limits_of_an_audit() -> None:
    verdict = deniable.audit(RELEASE, crowd={"at_least": 1, "values": 2}, breach=deniable.BreachLimit(1, ("keyed",)))
    assert [(f.check, f.adversary, f.limit) for f in verdict.findings] == [
        ("breach", "keyed", 1), ("crowd", None, 1), ("values", None, 2),
    ]  # fmt: skip
    with pytest.raises(deniable.BadInput, match="knowledge"):
        deniable.audit(RELEASE, linkage=0.5)
    with pytest.raises(deniable.BadInput):
        deniable.audit(RELEASE, history=0.01)


def test_a_number_changes_the_limit_and_keeps_the_rest() -> None:
    required = deniable.Release(
        TABLE, identifier="name", private="problem", views=VIEWS,
        require={"breach": {"at_most": 0.5, "adversaries": ["keyed"]}},
    )  # fmt: skip
    (finding,) = deniable.audit(required, breach=0.9).findings
    assert (finding.adversary, finding.limit) == ("keyed", 0.9)


VERBS = [
    name
    for name in deniable.__all__
    if name.islower() and not name.startswith("de") and name not in ("load", "undo", "verify")
]
ASKED = {"spec", "out", "page", "junit", "as_json", "more"}  # the release itself, and what is done with the answer
OTHER_NAMES = {("bucketize", "folder"), ("utility", "folder"), ("republish", "folder"), ("ledger", "verify")}
OTHER_NAMES |= {("repair", name) for name in ("choose", "folder", "kind", "excel_safe")}  # of what the result can do
OTHER_NAMES |= {("attack", "reveal")}  # of what its page shows
OTHER_NAMES |= {("republish", name) for name in ("withheld", "changed", "undo")}  # of the result, and a verb


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_what_its_command_takes(verb: str) -> None:
    options = {parameter.name for parameter in main.commands[verb].params} - ASKED
    taken = set(inspect.signature(getattr(deniable, verb)).parameters)
    assert {name for name in options - taken if (verb, name) not in OTHER_NAMES} == set()


def test_dir_has_what_there_is_to_call() -> None:
    assert dir(deniable) == sorted(deniable.__all__)
    assert set(VERBS) <= set(dir(deniable))
    assert "analyses" not in dir(deniable)


def test_help_begins_with_the_verbs() -> None:
    """Python itself adds the names of the package's folders."""
    told = pydoc.plain(pydoc.render_doc(deniable))
    described = told[: told.index("PACKAGE CONTENTS")]
    for verb in [*VERBS, "verify", "load", "BadInput", "NotMet"]:
        assert verb in described, verb
    functions = told[told.index("FUNCTIONS") :]
    assert "breach(" in functions
    assert "DATA" not in functions
