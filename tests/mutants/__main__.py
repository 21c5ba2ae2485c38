"""Do the tests notice mistakes? Makes each fault of `faults` in a copy of the source, and runs the tests on the copy.

    python -m tests.mutants [--jobs N] [name ...]

One line for each fault: caught, with the first test that failed, or MISSED. The exit status is 1 if one was missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.faults import FAULTS, Fault

ROOT = Path(__file__).parents[2]
SECONDS = 600.0  # for the tests of one fault; what hangs is noticed, too
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutants", "--tb=line", "-rfE")
FAILED, NOT_COLLECTED = 1, 2  # exit statuses of pytest that a fault may cause
WHERE = "import deniable; print(deniable.__file__)"


@dataclass(frozen=True)
class Outcome:
    """Whether the tests noticed, how long that took, and by what: a test, or why there is none to name."""

    is_caught: bool
    seconds: float
    by: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the faults that are named, or all."""
    asked = _parsed(arguments)
    wanted = [fault for fault in FAULTS if not asked.names or fault.name in asked.names]
    with ThreadPoolExecutor(asked.jobs) as pool:
        outcomes = []
        for fault, outcome in zip(wanted, pool.map(tried, wanted), strict=True):
            outcomes.append(outcome)
            print(_line(fault, outcome), flush=True)
    caught = sum(outcome.is_caught for outcome in outcomes)
    print(f"{len(outcomes)} faults, {caught} caught")
    return 0 if caught == len(outcomes) else 1


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Do the tests notice mistakes?")
    parser.add_argument("--jobs", type=int, default=1, help="faults to try at the same time")
    parser.add_argument("names", nargs="*", metavar="name", help="faults to try; all without a name")
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - {fault.name for fault in FAULTS}
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    return asked


def _line(fault: Fault, outcome: Outcome) -> str:
    word = "caught" if outcome.is_caught else "MISSED"
    return f"{word} {outcome.seconds:5.0f} s  {fault.path}  {fault.name}  {outcome.by}".rstrip()


def tried(fault: Fault) -> Outcome:
    """Run the tests of a fault on a copy of the source that has it."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        source = Path(folder) / "src"
        make(fault, source)
        environment = {**os.environ, "PYTHONPATH": str(source)}
        _check_copy_wins(source, environment)
        return _noticed(fault, environment, Path(folder) / "tmp")


def make(fault: Fault, source: Path) -> None:
    """Copy the source, but nothing that was compiled from it, and make the fault in the copy."""
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    path = source / "deniable" / fault.path
    text = path.read_text(encoding="utf-8")
    assert text.count(fault.before) == 1, f"{fault.name}: its text is there {text.count(fault.before)} times"
    path.write_text(text.replace(fault.before, fault.after), encoding="utf-8")


def _check_copy_wins(source: Path, environment: dict[str, str]) -> None:
    """The package is installed as well: processes, and those that they start, must take the copy."""
    nested = f"import subprocess, sys; {WHERE}; sys.stdout.flush(); subprocess.run([sys.executable, '-c', {WHERE!r}])"
    command = [sys.executable, "-c", nested]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    places = done.stdout.split()
    assert places == [str(source / "deniable" / "__init__.py")] * 2, places


def _noticed(fault: Fault, environment: dict[str, str], scratch: Path) -> Outcome:
    paths = [str(Path("tests") / path) for path in fault.tests]
    command = [sys.executable, "-m", "pytest", *PYTEST, f"--basetemp={scratch}", *paths]
    begun = time.monotonic()
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = running.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)  # with the processes that tests have started
        running.communicate()
        return Outcome(True, time.monotonic() - begun, f"no end within {SECONDS:.0f} s")
    return Outcome(_is_caught(running.returncode, said), time.monotonic() - begun, _first_failure(said))


def _is_caught(status: int, said: str) -> bool:
    """A test failed, or could not even be read; anything else but success says nothing of the fault."""
    if status in (FAILED, NOT_COLLECTED) or status < 0:
        return True
    assert status == 0, said
    return False


def _first_failure(said: str) -> str:
    for line in said.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("FAILED", "ERROR"):
            return rest.partition(" - ")[0]
    return ""


if __name__ == "__main__":
    sys.exit(main())
