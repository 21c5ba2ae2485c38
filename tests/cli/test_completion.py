"""Shells complete commands and options: the scripts that are asked for, and what they are answered."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Call

ASKED = {
    "bash": ({"COMP_WORDS": "deniable bre", "COMP_CWORD": "1"}, "plain,breach"),
    "zsh": ({"COMP_WORDS": "deniable bre", "COMP_CWORD": "1"}, "breach"),
    "fish": ({"COMP_WORDS": "deniable bre", "COMP_CWORD": "bre"}, "plain,breach"),
}


@pytest.mark.parametrize("shell", ASKED)
def test_the_script_is_made(shell: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_DENIABLE_COMPLETE", f"{shell}_source")
    told = call()
    assert told.status == 0
    assert f"_DENIABLE_COMPLETE={shell}_complete" in told.out


@pytest.mark.parametrize("shell", ASKED)
def test_a_command_is_completed(shell: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    words, wanted = ASKED[shell]
    for name, text in {"_DENIABLE_COMPLETE": f"{shell}_complete", **words}.items():
        monkeypatch.setenv(name, text)
    told = call()
    assert told.status == 0
    assert wanted in told.out
    assert "crowds" not in told.out


def test_bash_itself_completes(tmp_path: Path) -> None:
    """The line of the how-to, and what Tab would do."""
    script = (
        'eval "$(_DENIABLE_COMPLETE=bash_source deniable)"\n'
        "COMP_WORDS=(deniable audit --warn) COMP_CWORD=2\n_deniable_completion deniable\necho ${COMPREPLY[@]}\n"
    )
    path = f"export PATH={Path(sys.executable).parent}:$PATH\n"
    done = subprocess.run(["bash", "-e", "-c", path + script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "--warn-at\n"
