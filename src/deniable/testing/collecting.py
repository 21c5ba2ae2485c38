"""Release files as pytest sees them: a file with a test for each check that it requires.

A file is audited when it is collected, once: which checks there are follows from its views and its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from deniable.frozen import frozen

if TYPE_CHECKING:
    from deniable.analyses.verdict import Finding, Part, Verdict

ENDINGS = (".yaml", ".yml")
MOST = 4_000_000  # bytes; a longer file is no release file
KEY = re.compile(r"""^["']?([a-z]+)["']?[ \t]*:""", re.M)
# Keys that name data, and those that say what is to be kept apart. One of each, or two of the latter, make a release
# file: so one with a key that is misspelt is still known for what it was meant to be.
DATA = {"table", "published", "history", "republish", "ledger"}
MEANING = {"identifier", "private", "quasi", "views", "secret", "knowledge", "withhold", "require"}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ReleaseFile | None:
    """Whatever looks like a release file, and every other YAML file that was named itself."""
    if file_path.suffix not in ENDINGS or not (parent.session.isinitpath(file_path) or is_release_file(file_path)):
        return None
    made: ReleaseFile = ReleaseFile.from_parent(parent, path=file_path)
    return made


def is_release_file(path: Path) -> bool:
    """Whether a file has keys of a release file; it need not be well formed."""
    try:
        if path.stat().st_size > MOST:
            return False
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return False
    keys = set(KEY.findall(text))
    if text.lstrip().startswith("{"):
        keys |= _keys_in_braces(text)
    return len(keys & MEANING) + bool(keys & DATA) >= 2


def _keys_in_braces(text: str) -> set[str]:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return set()
    return {str(key.value) for key, _ in node.value} if isinstance(node, yaml.MappingNode) else set()


@frozen
class Told:
    """What becomes of a check, and what is to be said of it."""

    name: str
    outcome: Literal["passed", "failed", "skipped"]
    text: str
    warning: str = ""


class ReleaseFile(pytest.File):
    """A release file."""

    def collect(self) -> Iterator[ReleaseItem]:
        """A test for each check; one for the whole file where nothing is required, or it cannot be audited."""
        from deniable.errors import DeniableError

        here = self.config.invocation_params.dir
        path = self.path.relative_to(here) if self.path.is_relative_to(here) else self.path
        try:
            checks = list(_checks(path, self.config.getoption("--deniable-warn-at")))
        except DeniableError as error:
            checks = [Told("release file", "failed", error.typed())]
        for told in checks:
            yield ReleaseItem.from_parent(self, name=told.name, told=told)


def _checks(path: Path, warn_at: float | None) -> Iterator[Told]:
    """Each check of a release file. Raises DeniableError."""
    from deniable import api
    from deniable.errors import BadInput
    from deniable.release import Requirements

    try:
        release = api.load(path)
    except BadInput:
        api.audit(path)  # which says what else is wrong
        raise
    if release.require == Requirements():
        yield Told("require", "skipped", f"{path}: nothing was required; expected require:, which says what to check")
        return
    verdict = api.audit(release, warn_at=warn_at)
    yield from (_told(verdict, part, finding) for part in verdict.parts for finding in part.findings)


def _told(verdict: Verdict, part: Part, finding: Finding) -> Told:
    """The sentences of the audit."""
    from deniable.report.sentences.audit import SAID, finding_line, finding_name, warning

    said, line = SAID[type(part)], finding_line(finding)
    lines = [
        f"{verdict.release.locations.file}: {line}",
        *said.reasons(part, verdict.release),
        *said.steps(part, verdict.release),
    ]
    near = warning(finding, verdict.warn_at) if verdict.warn_at is not None and verdict.warns_of(finding) else ""
    outcomes: dict[str, Literal["passed", "failed"]] = {"pass": "passed", "fail": "failed"}
    return Told(finding_name(finding), outcomes.get(finding.verdict, "skipped"), "\n".join(lines), near)


class NotPassed(Exception):
    """A check that fails, or a release file that cannot be audited, with what is said of it."""


class NearLimit(pytest.PytestWarning):
    """A check that passes, and reaches the threshold from which on it is warned of."""


class ReleaseItem(pytest.Item):
    """One check of a release file."""

    def __init__(self, *, told: Told, **given: Any) -> None:
        super().__init__(**given)
        self.told = told

    def runtest(self) -> None:
        """Pass, fail or skip, as the audit found."""
        if self.told.outcome == "skipped":
            pytest.skip(self.told.text)
        if self.told.outcome == "failed":
            raise NotPassed(self.told.text)
        if self.told.warning:
            self.warn(NearLimit(self.told.warning))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The audit's sentences, and no traceback."""
        from deniable.words import visible

        if isinstance(excinfo.value, NotPassed):
            return visible(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, 0, self.name
