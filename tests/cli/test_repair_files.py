"""What `repair` and `init` write is whole or not there, takes no file's place, and nothing private is among what is
published."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from deniable.analyses import init
from deniable.errors import LimitExceeded
from deniable.private_folders import LOCK
from tests.campaign.calls import listing
from tests.cli.conftest import Call
from tests.cli.test_repair import SPEC

ROWS = [f"n{g}{v},{g},x,j,{'pqr'[v]}" for g in range(40) for v in range(3)]
WITHHELD = ["a1,99,x,j,p", "a2,99,x,j,p", "a3,99,x,j,p"]  # one group of one value


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text("\n".join(["id,age,zip,job,problem", *ROWS, *WITHHELD, ""]))
    (tmp_path / "r.yaml").write_text(SPEC)
    return tmp_path / "r.yaml"


def test_a_release_file_goes_again_if_the_views_cannot_be_published(call: Call, spec: Path) -> None:
    (spec.parent / "published" / "people.csv").mkdir(parents=True)  # in the way
    before = listing(spec.parent)
    done = call(
        "repair", str(spec), "--out", str(spec.parent / "new.yaml"), "--write-views", str(spec.parent / "published")
    )
    assert done.status in (2, 3)
    assert listing(spec.parent) == before


def test_views_do_not_take_the_place_of_the_list_of_people(call: Call, spec: Path) -> None:
    listed = spec.parent / "people.csv"
    listed.write_text("id\na1\na2\na3\n")
    spec.write_text(SPEC + "withhold: people.csv\n")
    done = call("repair", str(spec), "--write-views", str(spec.parent))
    assert done.status == 2
    assert "--write-views: expected a file that this command does not read" in done.err
    assert listed.read_text() == "id\na1\na2\na3\n"


def test_the_list_of_people_is_not_among_what_is_published(call: Call, spec: Path) -> None:
    folder = spec.parent / "published"
    folder.mkdir()
    done = call("repair", str(spec), "--out", str(folder / "new.yaml"), "--write-views", str(folder))
    assert done.status == 2
    assert "which is published" in done.err
    assert list(folder.iterdir()) == []


def test_a_link_that_leads_nowhere_is_something(call: Call, spec: Path) -> None:
    (spec.parent / "new.yaml").symlink_to(spec.parent / "nowhere.yaml")
    done = call("repair", str(spec), "--out", str(spec.parent / "new.yaml"))
    assert (done.status, done.out) == (2, "")
    assert "expected a file that is not there yet" in done.err


def test_a_first_release_file_is_there_when_it_is_audited(
    call: Call, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before, the same command can be given again."""
    new = spec.parent / "new.yaml"

    def audit(*_: object) -> None:
        assert not new.exists()
        raise LimitExceeded("enough")

    monkeypatch.setattr(init, "audit", audit)
    before = listing(spec.parent)
    done = call("init", str(spec.parent / "t.csv"), "--identifier", "id", "--private", "problem", "--out", str(new))
    assert (done.status, listing(spec.parent)) == (3, before)


@pytest.mark.parametrize("command", ["repair", "init"])
def test_what_a_run_left_that_was_killed_when_its_file_was_written_goes_with_the_next(
    call: Call, spec: Path, command: str
) -> None:
    new, left = spec.parent / "new.yaml", spec.parent / f".deniable-{'0' * 16}"
    new.write_text("table: t.csv\n")
    left.mkdir(0o700)
    (left / LOCK).touch(0o600)
    asked = ["r.yaml"] if command == "repair" else ["t.csv", "--identifier", "id", "--private", "problem"]
    with chdir(spec.parent):
        done = call(command, *asked, "--out", "new.yaml")
    assert done.status == 2  # the file is there
    assert not left.exists()


@pytest.mark.parametrize("option", ["--write-views", "--out"])
def test_a_folder_that_is_a_link_which_leads_nowhere(call: Call, spec: Path, option: str) -> None:
    (spec.parent / "link").symlink_to(spec.parent / "nowhere")
    command = ["repair", str(spec)] if option == "--write-views" else ["bucketize", str(spec), "--r", "2"]
    done = call(*command, option, str(spec.parent / "link"))
    assert (done.status, done.out) == (2, "")
    assert f"{option}: expected a folder; found the link" in done.err
