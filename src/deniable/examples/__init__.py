"""The built-in examples: a generated hospital, and the small tables of the papers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from deniable.analyses.verdict import Verdict

PAPER_FILES = (
    "patients.csv", "patients.yaml", "pair.csv", "pair.yaml", "clinic.csv", "clinic.yaml", "zip.yaml", "obesity.yaml",
    "ward.csv", "ward-people.csv", "ward-values.csv", "ward-knowledge.csv", "ward.yaml",
    "quarter1.csv", "quarter1.yaml", "quarter2.csv", "quarter2.yaml",
    "survey.csv", "survey.yaml", "survey-by-age.csv", "survey-by-district.csv",
    "past.yaml", "past1.csv", "past2.csv", "past-population.csv", "past-known.csv",
)  # fmt: skip


def write_examples(folder: Path) -> Path:
    """Write every example into a folder; returns the hospital's release file."""
    from deniable.examples import hospital

    folder.mkdir(parents=True, exist_ok=True)
    for name in PAPER_FILES:
        (folder / name).write_text(resources.files(__name__).joinpath(name).read_text())
    return hospital.write(folder)


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="deniable-demo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def demo_verdict() -> Verdict:
    """The audit of the built-in hospital."""
    from deniable import api

    with _folder() as folder:
        return api.audit(write_examples(folder))


def demo_text() -> str:
    """The main job on the built-in hospital: verdict, worst associations by count, what next."""
    from deniable import api
    from deniable.report.text import columns, probability
    from deniable.report.verdict import verdict_text

    with _folder() as folder:
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
