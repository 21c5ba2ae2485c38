"""Numbers at the edges of what a release file or an option may have."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.campaign.calls import checked
from tests.campaign.cheap import Dice
from tests.campaign.fuzz import NEW
from tests.campaign.material import AGAIN, CROWDS, GROUPS, VIEWS, command, write_material, written

SHARES: list[Any] = [
    0, 1, 0.0, -0.0, 1.0, 5e-324, 1e-300, 1e-17, 0.5, 1 / 3, 1 - 2**-53, 1 + 2**-52, -1e-300, -1, 2, 1e308, True, "0.5",
    float("nan"), float("inf"), -float("inf"), 10**400, None, "1/2", "", "50 %",
]  # fmt: skip
WHOLES: list[Any] = [
    0, 1, 2, 3, 4, 5, 12, 13, 999, 1000, 1001, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**40, -1, 2.0,
    2.5, True, "2", "2.0", float("nan"), float("inf"), None, "",
]  # fmt: skip


def number(of: Dice, folder: Path) -> list[str]:
    """A release, or a command without one, with numbers that hardly anybody asks for."""
    write_material(folder, of)
    arguments = of.turn((_breach, _crowd, _linkage, _again, _options, _choose))(of, folder)
    return checked(folder, arguments, *NEW)


def _share(of: Dice) -> Any:
    return of.choice(SHARES[:13] if of.random() < 0.7 else SHARES)


def _whole(of: Dice) -> Any:
    return of.choice(WHOLES[:18] if of.random() < 0.7 else WHOLES)


def _write(folder: Path, kind: str, release: dict[str, Any], require: dict[str, Any]) -> None:
    (folder / f"{kind}.yaml").write_text(written({**deepcopy(release), **require}))


def _breach(of: Dice, folder: Path) -> list[str]:
    known = ["restricted", "unrestricted", "keyed", "counted", "bag", "nobody", "keyed"]
    limit: dict[str, Any] = {"at_most": _share(of)}
    if of.random() < 0.5:
        limit["adversaries"] = of.sample(known, of.randrange(4))
    _write(folder, "views", VIEWS, {"require": {"breach": limit}})
    return of.choice((["audit", "views.yaml"], ["audit", "views.yaml"], ["check", "views.yaml"], command(of, "views")))


def _crowd(of: Dice, folder: Path) -> list[str]:
    limit = {key: _whole(of) for key in of.choice((("at_least",), ("at_least", "values"), ("values",)))}
    _write(folder, "crowds", CROWDS, {"require": {"crowd": limit}})
    return of.choice((["audit", "crowds.yaml"], ["check", "crowds.yaml"]))


def _linkage(of: Dice, folder: Path) -> list[str]:
    _write(folder, "groups", GROUPS, {"require": {"linkage": {"at_most": _share(of)}}})
    return of.choice((["audit", "groups.yaml"], ["check", "groups.yaml"], _with_r(of)))


def _with_r(of: Dice) -> list[str]:
    return ["bucketize", "groups.yaml", "--out", "new", f"--r={_share(of)}", *of.choice(([], ["--suppress"]))]


def _again(of: Dice, folder: Path) -> list[str]:
    asked: dict[str, Any] = {"m": _whole(of)}
    if of.random() < 0.5:
        asked["n"] = _whole(of)
    else:
        asked |= {"compromise": _share(of), "lifespan": _whole(of), "threshold": _share(of)}
    if of.random() < 0.3:
        asked["counterfeits"] = {"at_most": _share(of)}
    more: dict[str, Any] = {"republish": asked, "algorithm": of.choice(("stable", "cor-split", "m-invariance"))}
    if of.random() < 0.5:
        more["require"] = {"history": {"exposed_at_most": _share(of), "known": _share(of)}}
    _write(folder, "again", AGAIN, more)
    publish = ["republish", "again.yaml", "--out", "new", "--begin", "--dry-run"]
    return of.choice((["check", "again.yaml"], publish, [*publish, "--no-audit"], [*publish, "--withhold"]))


def _options(of: Dice, folder: Path) -> list[str]:
    """Options that take a number, each with one."""
    return of.choice(
        (
            ["breach", "views.yaml", f"--tolerance={_share(of)}", f"--limit={_whole(of)}"],
            ["crowds", "crowds.yaml", f"--seconds={_share(of)}", f"--limit={_whole(of)}", "--method", "exact"],
            ["crowds", "crowds.yaml", f"--seconds={_share(of)}", "--method", "restricted"],
            ["linkage", "groups.yaml", f"--states={_whole(of)}"],
            _with_r(of),
            [
                "utility",
                "groups.yaml",
                "--release",
                ".",
                f"--queries={of.choice((0, 1, 2, 7, -1, 10**30))}",
                f"--seed={_whole(of)}",
            ],
            ["attack", "history.yaml", f"--compromise={_share(of)}", f"--seed={_whole(of)}", "--repeat=2"],
            ["attack", "history.yaml", f"--seconds={_share(of)}", f"--repeat={of.choice((0, 1, 3, -1, 'x'))}"],
        )
    )


def _choose(of: Dice, folder: Path) -> list[str]:
    return [
        "choose", f"--m={_whole(of)}", f"--compromise={_share(of)}", f"--lifespan={_whole(of)}",
        f"--threshold={_share(of)}", *of.choice(([], ["--json"])),
    ]  # fmt: skip
