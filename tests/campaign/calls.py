"""One command in this process, and what must hold of it however bad its input is."""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable import private_folders
from tests.campaign.material import MARK

SHOWN, REPORTED = "private cell in a message", "private cell in a report"
TELLING = ("explain", "breach", "linkage", "attack", "ledger")  # whose answer may be a private value


@dataclass(frozen=True)
class Told:
    """The exit status, what was said, and what came out instead of an exit."""

    status: int | None
    out: str
    err: str
    escaped: str = ""


def call(*arguments: str) -> Told:
    """Run a command as the program would."""
    from deniable.cli import run

    status, escaped = None, ""
    with _captured() as (out, err):
        try:
            run(list(arguments))
        except SystemExit as stopped:
            code = stopped.code
            status = code if isinstance(code, int) else 0 if code is None else 1
        except BaseException as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            escaped = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        return Told(status, _text(out), _text(err), escaped)


@contextmanager
def _captured() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    kept = sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in kept)
    sys.stdout, sys.stderr = out, err
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr = kept


def _text(stream: io.TextIOWrapper) -> str:
    content = stream.buffer
    assert isinstance(content, io.BytesIO)
    return content.getvalue().decode("utf-8", "replace")


def wrong(told: Told, command: str = "") -> list[str]:
    """What no command may do, whatever it is given."""
    found = []
    if told.escaped:
        found.append(f"traceback: {told.escaped}")
    elif told.status not in (0, 1, 2, 3):
        found.append(f"exit status {told.status}")
    if "Traceback" in told.err or told.err.startswith("unforeseen"):
        found.append(f"traceback: {_place(told.err)}")
    shown = told.err if command in TELLING else told.err + told.out
    if MARK.lower() in shown.lower():
        found.append(SHOWN)
    if told.status in (2, 3) and not told.err.strip():
        found.append(f"exit status {told.status} without a word")
    return found


def _place(err: str) -> str:
    """Where something unforeseen came from, as its report says; which is removed then, since it was asked for."""
    report = re.search(r"\S+deniable-report-\S+\.txt", err)
    if not report:
        return err.strip().splitlines()[-1][:200]
    lines = Path(report[0]).read_text().splitlines()
    Path(report[0]).unlink()
    kinds = [line for line in lines[3:] if not line.startswith(" ")]
    places = [line.strip() for line in lines[3:] if ":" in line]
    return f"{kinds[0] if kinds else 'unknown'} at {places[-1] if places else 'unknown'}"


def listing(folder: Path) -> set[str]:
    """Every file and folder in a place."""
    return {os.path.relpath(path, folder) for path in folder.rglob("*")}


def left(folder: Path, before: set[str], told: Told, *made: str) -> list[str]:
    """What is there that was not, but for what a command that succeeded was to make."""
    allowed = made if told.status in (0, 1) else ()
    new = [name for name in sorted(listing(folder) - before) if not name.startswith(allowed or ("\0",))]
    held = {path.name for path in private_folders._HELD}  # by engines that are open: they go with them, or at the end
    temporary = [path.name for path in Path(tempfile.gettempdir()).iterdir() if "deniable" in path.name]
    temporary = [name for name in temporary if name not in held]
    found = [f"left behind: {', '.join(new)[:200]}"] if new else []
    if temporary:
        found.append(f"left among temporary files: {', '.join(temporary)[:200]}")
    return found


def checked(folder: Path, arguments: list[str], *made: str) -> list[str]:
    """Run a command in a folder; what is wrong about it."""
    before = listing(folder)
    told = call(*arguments)
    found = [*wrong(told, arguments[0]), *_reported(folder)]
    if "--reveal" in arguments:  # which shows what it is asked for
        found = [one for one in found if one not in (SHOWN, REPORTED)]
    return [*found, *left(folder, before, told, *made)]


def _reported(folder: Path) -> list[str]:
    """Whether a report that was written shows a private cell."""
    pages = [path for path in folder.rglob("*") if path.suffix in (".html", ".xml") and path.is_file()]
    shown = any(MARK.lower() in path.read_text("utf-8").lower() for path in pages)
    return [REPORTED] if shown else []
