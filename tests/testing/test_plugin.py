"""`pytest --deniable`: release files are collected, each check is a test, and nobody else pays for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deniable.examples import write_examples

pytest_plugins = ["pytester"]

PASSING = "require:\n  breach: {at_most: 1}\n"
OTHERS = {
    "compose.yaml": "services:\n  table: {image: x}\n",
    "columns.yml": "table: t\ncolumns:\n  a: {private: true}\n",
    "workflow.yml": "name: n\non: push\njobs: {audit: {steps: []}}\n",
    "notes.txt": "table: t.csv\nprivate: p\nviews: {}\n",
    "list.yaml": "- table: t.csv\n- private: p\n",
}


@pytest.fixture
def release(pytester: pytest.Pytester) -> Path:
    """A folder with one release file, which fails."""
    write_examples(pytester.path / "all")
    for name in ("patients.csv", "patients.yaml"):
        (pytester.path / "all" / name).rename(pytester.path / name)
    return pytester.path / "patients.yaml"


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("--deniable", "-p", "no:cacheprovider", *arguments)


def test_a_test_for_each_check(pytester: pytest.Pytester, release: Path) -> None:
    found = run(pytester, "-v", "patients.yaml")
    found.assert_outcomes(failed=3)
    assert found.ret == 1
    found.stdout.fnmatch_lines(
        [
            "patients.yaml::breach, restricted FAILED*",
            "patients.yaml::breach, keyed FAILED*",
            "patients.yaml::breach, bag FAILED*",
            "*_ breach, restricted _*",
            "patients.yaml: breach, restricted (fail): at most 0.5 was asked, worst 1, 2 of 5 people",
            "2 people are certain: nobody else, or no other value, shares the same age,*",
            "repair: deniable repair patients.yaml",
        ]
    )
    said = found.stdout.str()
    assert "Traceback" not in said
    assert [value for value in ("HIV", "Cold", "Obesity") if value in said] == []


def test_one_check_by_its_name(pytester: pytest.Pytester, release: Path) -> None:
    run(pytester, "patients.yaml::breach, keyed").assert_outcomes(failed=1)


def test_what_passes_passes(pytester: pytest.Pytester, release: Path) -> None:
    release.write_text(release.read_text().partition("require")[0] + PASSING)
    found = run(pytester, "patients.yaml", "--deniable-warn-at", "0.9")
    found.assert_outcomes(passed=3, warnings=3)
    found.stdout.fnmatch_lines(["*NearLimit: Warning: breach, restricted passes, but its worst, 1, is not below 0.9*"])
    assert run(pytester, "patients.yaml", "--deniable-warn-at", "2").ret == pytest.ExitCode.USAGE_ERROR


def test_a_file_that_requires_nothing_is_skipped(pytester: pytest.Pytester, release: Path) -> None:
    release.write_text(release.read_text().partition("require")[0])
    found = run(pytester, "-rs", "patients.yaml")
    found.assert_outcomes(skipped=1)
    found.stdout.fnmatch_lines(["SKIPPED*patients.yaml: nothing was required; expected require:*"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("private:", "privat:", "patients.yaml:*: unknown key privat*"),
        ("views:", "views: [", "patients.yaml:*: not valid YAML:*"),
        ("SELECT name, age", "SELECT name, agee", "patients.yaml:*: unknown column agee*"),
        ("patients.csv", "nowhere.csv", "patients.yaml:*: no such file*"),
    ],
)
def test_a_broken_release_file_fails(old: str, new: str, said: str, pytester: pytest.Pytester, release: Path) -> None:
    release.write_text(release.read_text().replace(old, new, 1))
    found = run(pytester, ".", "--ignore=all")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["*_ release file _*", said])


def test_files_of_others_are_left_alone(pytester: pytest.Pytester, release: Path) -> None:
    for name, text in OTHERS.items():
        (pytester.path / name).write_text(text)
    found = run(pytester, "--collect-only", "-q", ".", "--ignore=all")
    assert [line for line in found.outlines if "::" in line] == [
        "patients.yaml::breach, restricted", "patients.yaml::breach, keyed", "patients.yaml::breach, bag",
    ]  # fmt: skip


def test_a_file_that_was_named_is_a_release_file(pytester: pytest.Pytester) -> None:
    (pytester.path / "compose.yaml").write_text(OTHERS["compose.yaml"])
    run(pytester, "compose.yaml").assert_outcomes(failed=1)


def test_braces_are_yaml_too(pytester: pytest.Pytester) -> None:
    (pytester.path / "flow.yml").write_text('{"table": "t.csv", "private": "p"}')
    run(pytester, "-rs").assert_outcomes(skipped=1)


def test_nothing_is_collected_unasked(pytester: pytest.Pytester, release: Path) -> None:
    assert pytester.runpytest_inprocess("-p", "no:cacheprovider").ret == pytest.ExitCode.NO_TESTS_COLLECTED


BESIDE = """
import sys
def test_what_was_imported():
    ours = sorted(name for name in sys.modules if name.partition(".")[0] == "deniable")
    assert ours == ["deniable", "deniable.testing"]
    assert not {"duckdb", "numpy", "pyarrow", "sqlglot", "yaml", "click"} & set(sys.modules)
"""


def test_nobody_pays_who_did_not_ask(tmp_path: Path) -> None:
    (tmp_path / "test_beside.py").write_text(BESIDE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
