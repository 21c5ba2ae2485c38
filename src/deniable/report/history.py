"""Re-publication as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable import words
from deniable.report.json import CHOOSE, LEDGER, REPUBLISH, UNDO, VERIFY
from deniable.report.sentences.again import when
from deniable.report.text import columns
from deniable.report.told_by_columns import columns_json, columns_text

if TYPE_CHECKING:
    from deniable.analyses.history.exposure import Exposure
    from deniable.analyses.history.ledger import Exported, Verified
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.history.undo import Undone
    from deniable.ledgers.columns import ColumnChanges
    from deniable.ledgers.read import DatedRelease
    from deniable.publish.again.n_choose import Choice


def choice_text(choice: Choice, threshold: float) -> str:
    """The curve, and the n that it leads to."""
    rows = [("n", "chance of exposure")]
    rows += [(f"{n}{' *' if n == choice.n else ''}", f"{chance:.4f}") for n, chance in enumerate(choice.curve, 1)]
    if choice.n is None:
        said = f"No n keeps the chance below {threshold:g}; the least is {min(choice.curve):.4f}."
    elif not choice.can_be_published:
        said = f"n = {choice.n} keeps the chance below {threshold:g}, but n must be less than m to be published."
    else:
        said = f"n = {choice.n} is the least that keeps the chance below {threshold:g}."
    note = "The chance is that of exposure by pairs of releases. Somebody who reads all releases together sees more."
    return "\n\n".join([columns(rows), f"{said}\n{note}"])


def choice_json(choice: Choice) -> dict[str, Any]:
    """The same as a document."""
    return {"schema": CHOOSE, "n": choice.n, "curve": list(choice.curve)}


def republished_text(made: Republished, folder: str, dry_run: bool) -> str:
    """What was published, and what all releases together give away."""
    lines = []
    if made.finished is not None:
        done = "would be" if dry_run else "is"
        lines.append(f"release {made.finished} was committed by an earlier run and {done} written out now")
    if made.finished != made.number:
        lines += _what_is_in_it(made, folder, dry_run)
        lines += words.formulas(made.formulas, harmless=made.excel_safe)
    if made.forwarded is not None:
        lines.append(_forwarded(made))
    begun = "begun with this release"
    lines.append(f"ledger: {made.ledger}, {begun if made.last is None else _last(made.last)}")
    if made.columns_changed.renamed or made.columns_changed.added:
        lines.append(_columns(made.columns_changed))
    if made.withheld:
        are = "is" if len(made.withheld) == 1 else "are"
        lines.append(
            f"{words.people(len(made.withheld))} {are} kept for the next release (who: --withheld FILE, a private file)"
        )
    if made.changed:
        are = "is" if len(made.changed) == 1 else "are"
        who = words.people(len(made.changed))
        lines.append(f"{who} {are} published as somebody new (who, and what changed: --changed FILE, a private file)")
    if made.exposure is not None:
        lines.append(_exposure(made.exposure))
    if made.finished != made.number:
        lines += columns_text(made)
    if not dry_run:
        lines.append(
            f"publish {folder}; keep secret {made.ledger}, its journal and {made.release.title}; back up "
            f"{made.ledger}, without which no next release is safe"
        )
    return "\n".join(lines)


def _forwarded(made: Republished) -> str:
    """The ledger was an older copy, or lost."""
    was = f"had {made.forwarded} of its releases" if made.forwarded else "was gone"
    return f"{made.ledger} {was} and was brought forward from {made.journal}"


def _columns(found: ColumnChanges) -> str:
    """Which columns are not those of the last release."""
    told = [f"{name} is what {old} was" for name, old in found.renamed.items()]
    if found.added:
        are = "is" if len(found.added) == 1 else "are"
        told.append(f"{', '.join(found.added)} {are} published from this release on")
    return "; ".join(told)


def _last(release: DatedRelease) -> str:
    return f"whose last release was {release.number} of {when(release.made)}"


def _what_is_in_it(made: Republished, folder: str, dry_run: bool) -> list[str]:
    chosen = made.parameters
    degree = f", n = {chosen.n}" if chosen.n is not None else ""
    done = "would be" if dry_run else f"is in {folder}:"
    lines = [
        f"release {made.number} {done} {words.people(made.people)} ({made.newcomers:,} new) in "
        f"{words.count(made.groups, 'group')} with {words.count(made.counterfeits, 'counterfeit')}; "
        f"{chosen.algorithm}, m = {chosen.m}{degree}"
    ]
    rows = made.people + made.counterfeits
    if made.exceeds:
        asked = made.release.republish is not None and made.release.republish.counterfeits is not None
        limit = "asked for" if asked else f"that {chosen.algorithm} groups keep to unless counterfeits: says otherwise"
        lines.append(
            f"that is {made.counterfeits / rows:.2%} counterfeits, more than the {chosen.counterfeits:.2%} "
            f"{limit}: too few newcomers have the values that lack"
        )
    if chosen.chosen is not None and chosen.n is not None:
        chance = chosen.chosen.curve[chosen.n - 1]
        lines.append(
            f"n = {chosen.n} is the least that keeps the chance of exposure by pairs of releases below "
            f"{chosen.threshold:g}: {chance:.4f}, with {chosen.compromise:g} of the people known over "
            f"{chosen.lifespan} releases"
        )
    return lines


def _exposure(found: Exposure) -> str:
    beside = f"; the formula for pairs of releases promises {found.promised:.2%}" if found.promised is not None else ""
    open_ = f" and {found.undecided:,} not decided" if found.undecided else ""
    all_of = "this release exposes" if found.releases == 1 else f"all {found.releases} releases together expose"
    lines = [
        f"{all_of} {found.exposed:,} of {words.people(found.people)} ({found.share:.2%}){open_} to somebody who knows "
        f"{found.drawn:,} others ({found.known:.3g} of all, drawn at random){beside}"
    ]
    if found.kept_back:
        lines.append(f"{found.kept_back:,} of them were kept back by a release, which tells their value")
    if found.others:
        told = (f"{one.share:.4%} with {one.known:.3g} known" for one in found.others)
        lines.append(f"exposed otherwise: {', '.join(told)}")
    if found.over:
        told = (f"{one.people:,} above 1/{one.one_in}" for one in found.over)
        lines.append(f"chance of the true value, people at most: {', '.join(told)}")
    return "\n".join(lines)


def republished_json(made: Republished, dry_run: bool) -> dict[str, Any]:
    """The same as a document."""
    return {
        "schema": REPUBLISH,
        "release": made.number,
        "ledger": str(made.ledger),
        "last": _dated(made.last),
        "algorithm": made.parameters.algorithm,
        "m": made.parameters.m,
        "n": made.parameters.n,
        "people": made.people,
        "newcomers": made.newcomers,
        "groups": made.groups,
        "counterfeits": made.counterfeits,
        "withheld": len(made.withheld),
        "changed": len(made.changed),
        "renamed": dict(made.columns_changed.renamed),
        "added": list(made.columns_changed.added),
        "formulas": made.formulas,
        "exposure": None if made.exposure is None else made.exposure.figures(),
        **columns_json(made),
        "finished": made.finished,
        "forwarded": made.forwarded,
        "dry_run": dry_run,
    }


def ledger_text(found: Exported) -> str:
    """What the ledger holds, and when it was last written; the rows themselves go to a file."""
    layout, last = found.layout, found.listed[-1]
    title = (
        f"{found.path}: {words.count(found.releases, 'release')} with {found.table.num_rows:,} seats of "
        f"{words.people(found.people)}, last written {when(last.made)}\n"
        f"identifier {', '.join(layout.identifier)}; quasi {', '.join(layout.quasi)}; private {layout.private}"
    )
    rows = [("release", "made", "people", "new", "gone", "digest", "folder")]
    for one in found.listed:
        counts = (f"{one.people:,}", f"{one.new:,}", f"{one.gone:,}")
        folder = one.folder if one.written else f"{one.folder} (not written out)"
        rows.append((str(one.release), when(one.made), *counts, one.digest[:12], folder))
    note = (
        "digest: of release.csv (SHA-256). --out writes who was in which group. Keep the ledger secret, and back it up."
    )
    return "\n\n".join([title, columns(rows), note])


def ledger_json(found: Exported) -> dict[str, Any]:
    """The same as a document."""
    layout = found.layout
    return {
        "schema": LEDGER,
        "ledger": str(found.path),
        "releases": found.releases,
        "seats": found.table.num_rows,
        "people": found.people,
        "written": found.listed[-1].made.isoformat(),
        "identifier": list(layout.identifier),
        "quasi": list(layout.quasi),
        "private": layout.private,
        "history": [{**asdict(one), "made": one.made.isoformat()} for one in found.listed],
    }


def undone_text(found: Undone) -> str:
    """Which release was taken back, and what the ledger has now."""
    done = f"release {found.release} was taken back: it was never written out"
    if found.last is None:
        return f"{done}; {found.ledger} had no other and is gone, so that the next release needs --begin"
    return f"{done}; the last release in {found.ledger} is {found.last.number} of {when(found.last.made)}"


def undone_json(found: Undone) -> dict[str, Any]:
    """The same as a document."""
    return {"schema": UNDO, "undone": found.release, "ledger": str(found.ledger), "last": _dated(found.last)}


def _dated(last: DatedRelease | None) -> dict[str, Any] | None:
    return None if last is None else {"release": last.number, "made": last.made.isoformat()}


def verified_text(found: Verified) -> str:
    """That all is well, or each thing that is not."""
    if not found.mismatches:
        return f"{found.path}: {words.count(found.releases, 'release')}, every invariant holds"
    return "\n".join(f"{found.path}: {what}" for what in found.mismatches)


def verified_json(found: Verified) -> dict[str, Any]:
    """The same as a document."""
    told = {"releases": found.releases, "verified": not found.mismatches, "mismatches": list(found.mismatches)}
    return {"schema": VERIFY, **told}
