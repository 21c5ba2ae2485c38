"""Files that take no other's place are all there or none, wherever a stop strikes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from deniable.publish import new_files
from tests.strikes import stopped


def _stopped_everywhere(folder: Path) -> int:
    """At how many places the work can be stopped: each time nothing is left, and in the end all is there."""
    texts = {folder / name: name * 10 for name in ("a", "b", "c")}
    line = 0

    def work() -> None:
        with new_files.new_files(texts):
            pass

    for line in stopped(work, new_files):
        assert list(folder.iterdir()) == [], f"stopped at line {line}"
    assert {path: path.read_text() for path in folder.iterdir()} == texts
    return line


def test_a_stop_leaves_all_files_or_none(tmp_path: Path) -> None:
    assert _stopped_everywhere(tmp_path) > 50


def test_also_where_no_file_has_a_second_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", none)
    assert _stopped_everywhere(tmp_path) > 50


def test_a_file_that_is_there_stays_and_those_before_it_go(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("somebody's")
    with pytest.raises(FileExistsError), new_files.new_files({tmp_path / "a": "new", tmp_path / "b": "new"}):
        raise AssertionError
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b": "somebody's"}
