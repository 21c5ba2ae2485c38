"""The built-in examples: a generated hospital, and the small tables of the papers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path

from deniable.analyses.verdict import Verdict
from deniable.errors import BadInput, Mistake
from deniable.private_folders import private_folder, sweep_folders
from deniable.publish.new_files import new_files

PAPER_FILES = (
    "patients.csv", "patients.yaml", "pair.csv", "pair.yaml", "clinic.csv", "clinic.yaml", "zip.yaml", "obesity.yaml",
    "ward.csv", "ward-people.csv", "ward-values.csv", "ward-knowledge.csv", "ward.yaml",
    "quarter1.csv", "quarter1.yaml", "quarter2.csv", "quarter2.yaml",
    "survey.csv", "survey.yaml", "survey-by-age.csv", "survey-by-district.csv",
    "past.yaml", "past1.csv", "past2.csv", "past-population.csv", "past-known.csv",
)  # fmt: skip


def write_examples(folder: Path) -> Path:
    """Write every example into a folder, all of them or none; returns the hospital's release file.

    An example that is there stays; raises BadInput where another file has its name: it may be somebody's only table.
    """
    from deniable.examples import hospital

    texts = {name: resources.files(__name__).joinpath(name).read_text("utf-8") for name in PAPER_FILES}
    wanted = {folder / name: text for name, text in {**texts, **hospital.texts()}.items()}
    there = {path for path in wanted if os.path.lexists(path)}
    others = sorted(path for path in there if not _is(path, wanted[path]))
    if others:
        raise BadInput(
            [Mistake("--to", f"expected a folder without other files of these names; found {path}") for path in others]
        )
    with _made(folder):
        sweep_folders(folder)  # of a run that was killed when all files were there already
        with new_files({path: text for path, text in wanted.items() if path not in there}):
            pass
    return folder / "hospital.yaml"


def _is(path: Path, text: str) -> bool:
    """Whether a file is there and has this text."""
    return path.is_file() and path.read_bytes() == text.encode()


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """A folder for some work, with those that it is in; what was not there before goes again if the work fails."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in new:
            with suppress(OSError):
                place.rmdir()
        raise


def demo_verdict() -> Verdict:
    """The audit of the built-in hospital."""
    from deniable import api

    with private_folder() as folder:
        return api.audit(write_examples(folder))


def demo_text() -> str:
    """The main job on the built-in hospital: verdict, worst associations by count, what next."""
    from deniable import api
    from deniable.report.text import columns, probability
    from deniable.report.verdict import verdict_text

    with private_folder() as folder:
        spec = write_examples(folder)
        verdict = api.audit(spec)
        result = api.breach(spec)
        try:
            worst = result.highest("restricted", 5)
        finally:
            result.close()
    rows = [("probability", "associations")]
    rows += [(probability(value), f"{count:,}") for value, count in worst]
    return "\n\n".join(
        [
            verdict_text(verdict, steps=False),
            "the likeliest associations to somebody who knows that each person has one diagnosis:",
            columns(rows),
            "next:   deniable demo --to example                      writes these files for you to change\n"
            "why:    deniable explain example/hospital.yaml --who P00017\n"
            "who:    deniable breach example/hospital.yaml --out associations.csv",
        ]
    )
