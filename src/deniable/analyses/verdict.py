"""What an audit found, as data: each adversary's findings beside the limits that were set."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.release import Release


@dataclass(frozen=True)
class Finding:
    """What one adversary makes of the release, beside the limit that was set.

    `over` counts people for whom some secret association is proved likelier than
    the limit; `undecided` those whose interval straddles it (counted as unsafe);
    `no_world` those for whom no table fits both the views and what this adversary
    takes for granted; `certain` those among them whom the views pin down anyway. Checks that
    ask for at least something (crowds, values) count those who have less.
    """

    check: str
    adversary: str | None  # None: the check knows no adversaries
    limit: float
    worst: float | None
    over: int
    of: int
    undecided: int = 0
    no_world: int = 0
    certain: int = 0
    share: bool = False  # the limit is on the share of people who are over, which `worst` is

    @property
    def verdict(self) -> str:
        """`pass` only when nobody is over the limit, pinned down or undecided, or few enough where a share is."""
        if self.share:
            return "fail" if self.worst is None or self.worst > self.limit else "pass"
        return "fail" if self.over or self.undecided else "pass"


@dataclass(frozen=True)
class Verdict:
    """Every finding of an audit, with sentences that say why in people's terms."""

    release: Release
    headline: str
    findings: tuple[Finding, ...]
    reasons: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`fail` as soon as one finding fails."""
        return "fail" if any(f.verdict == "fail" for f in self.findings) else "pass"

    def __str__(self) -> str:
        from deniable.report.text import verdict_text

        return verdict_text(self)
