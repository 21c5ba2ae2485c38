"""The other files of a release, and tables that are packed, recoded or in parts: odd cells, lines and bytes in them."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.campaign.calls import checked
from tests.campaign.cheap import Dice
from tests.campaign.fuzz import BYTES, NEW, change_lines, unmoved
from tests.campaign.material import AGAIN, GROUPS, HISTORY, RELEASES, VALUES, command, write_material, written

ENCODINGS = ("latin-1", "cp1252", "utf-16", "utf-8", "utf-8-sig", "utf-32", "cp037", "shift-jis", "utf-7", "no", "")
NAMES = ("name", "age", "job", "zip", "old", "problem", "", "Job")


def file(of: Dice, folder: Path) -> list[str]:
    """A file that is not the table, or not written as tables mostly are."""
    rows = write_material(folder, of)
    make = of.turn((_knowledge, _hierarchy, _known, _hazard, _population, _packed, _encoded, _parts, _renamed))
    return checked(folder, make(of, folder, rows), *NEW)


def damage(of: Dice, path: Path, lines: list[list[str]], between: str = ",", encoding: str = "utf-8") -> None:
    """Write lines of which some are not as they should be."""
    for _ in range(of.choice((0, 1, 1, 3))):
        change_lines(of, lines)
    text = "\n".join(between.join(line) for line in lines) + of.choice(("\n", "", "\n\n", "\r\n"))
    content = unmoved(text.encode("utf-8"), between.encode())
    for _ in range(of.choice((0, 0, 0, 1, 3))):
        at = of.randrange(len(content) + 1)
        content = content[:at] + of.choice([b"", *BYTES]) + content[min(len(content), at + of.randrange(3)) :]
        content = unmoved(content, between.encode())
    with suppress(UnicodeError, LookupError):  # else it is written as it is, which is not what the release file says
        content = content.decode().encode(encoding)
    path.write_bytes(_pack(of, path, content))


def _pack(of: Dice, path: Path, content: bytes) -> bytes:
    """As the name's end says, whole or not."""
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    elif path.suffix == ".zst":
        content = pa.compress(content, codec="zstd", asbytes=True)
    else:
        return content
    if of.random() < 0.5:
        return content
    at = of.randrange(len(content))
    return content[:at] + of.choice((b"", of.randbytes(1) + content[at + 1 :], content[at:] * 2))


def _knowledge(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    numbers = ["0", "0.25", "0.5", "1", "-1", "nan", "1e999", "x", "", "0,5", "1e-400", "0.1", "2"]
    lines = [["job", "problem", "probability"]]
    lines += [
        [job, value, of.choice(numbers[:3] if of.random() < 0.8 else numbers)] for job in "xyz" for value in VALUES
    ]
    damage(of, folder / "known.csv", lines)
    document: Any = deepcopy(GROUPS)
    given = of.choice((["job"], ["job"], ["job", "age"], ["zip"], ["problem"], [], ["job", "job"]))
    document["knowledge"] = [{"given": given, "file": "known.csv"}]
    if of.random() < 0.3:
        document["knowledge"].append({"given": ["age"], "estimate": True})
    (folder / "groups.yaml").write_text(written(document))
    return command(of, "groups")


def _hierarchy(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    column, at = of.choice((("job", 2), ("age", 1)))
    cells = sorted({row[at] for row in rows})
    lines = [[column, "wide", "all"], *([cell, f"w{i % 2}", "*"] for i, cell in enumerate(cells))]
    damage(of, folder / "tree.csv", lines)
    document = deepcopy(AGAIN) | {"generalize": {of.choice((column, column, "job", "no", "problem")): "tree.csv"}}
    (folder / "again.yaml").write_text(written(document))
    return of.choice((["check", "again.yaml"], ["republish", "again.yaml", "--out", "new", "--begin", "--dry-run"]))


def _known(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    lines = [["name", "problem"], *([row[0], of.choice((row[4], row[4], *VALUES))] for row in rows[: of.randrange(6)])]
    damage(of, folder / "who.csv", lines)
    more = of.choice(([], ["--adversary", "pairs"], ["--out", "new.csv"], ["--compromise", "0.5"]))
    return ["attack", "history.yaml", "--known", "who.csv", *more]


def _hazard(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    numbers = ["1", "0.25", "3", "1e6", "0", "-1", "nan", "inf", "1e-7", "x", "", "0,5", "1_0"]
    lines = [["problem", "times"], *([value, of.choice(numbers[: of.choice((3, 13))])] for value in VALUES)]
    damage(of, folder / "leaving.csv", lines)
    more = of.choice(([], ["--adversary", "pairs"], ["--out", "new.csv"], ["--compromise", "0.5"], ["--json"]))
    return ["attack", "history.yaml", "--hazard", "leaving.csv", *more]


def _population(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    numbers = ["1"] * 8 + ["2", "0", "-1", "1.0", "", "x", "9" * 25]
    lines = [["release", "group", "name", "problem"]]
    lines += [[of.choice(numbers), str(i % 3), row[0], of.choice((row[4], ""))] for i, row in enumerate(rows)]
    damage(of, folder / "population.csv", lines)
    document: Any = deepcopy(HISTORY)
    document["history"]["releases"] = of.choice((["past.csv"], ["past.csv", "past.csv"], [], ["no.csv"], "past.csv"))
    (folder / "history.yaml").write_text(written(document))
    return command(of, "history")


def _packed(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    name = of.choice(("t.csv.gz", "t.tsv.zst", "t.tsv.gz", "t.csv.zst", "t.tsv", "t.gz"))
    lines = [["name", "age", "job", "zip", "problem"], *rows]
    damage(of, folder / name, lines, "\t" if ".tsv" in name else ",")
    return _about(of, folder, {"table": name})


def _encoded(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    says, has = (of.choice(ENCODINGS) for _ in range(2))
    has = says if of.random() < 0.6 else has
    lines = [["name", "age", "job", "zip", "problem"], *([*row[:2], "é", *row[3:]] for row in rows)]
    name = of.choice(("t.csv", "t.csv", "t.csv.gz"))
    damage(of, folder / name, lines, of.choice((",", ";")), has)
    return _about(of, folder, {"table": name, "encoding": says, "decimal": of.choice((",", ".", ";", ""))})


def _parts(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    """A table of several files, not all alike."""
    for i in range(of.choice((1, 2, 3))):
        name = of.choice((f"part-{i}.csv", f"part-{i}.csv", f"part-{i}.tsv", f"part-{i}.csv.gz", f"part-{i}[1].csv"))
        damage(of, folder / name, [["name", "age", "job", "zip", "problem"], *rows[i::3]])
    if of.random() < 0.2:
        (folder / "part-9.csv").mkdir()
    return _about(of, folder, {"table": of.choice(("part-*.csv", "part-*", "part-[01].csv", "**/part-*.csv"))})


def _about(of: Dice, folder: Path, said: dict[str, str]) -> list[str]:
    kind = of.choice(("views", "crowds", "again"))
    (folder / f"{kind}.yaml").write_text(written({**deepcopy(RELEASES[kind]), "name": "t", **said}))
    return command(of, kind)


def _renamed(of: Dice, folder: Path, rows: list[list[str]]) -> list[str]:
    """A ledger whose columns had other names, or more of them."""
    made = Path(tempfile.gettempdir()) / "published"
    if not made.exists():
        from tests.history.again import republish

        made.mkdir()
        write_material(made, Dice("published", 0))
        republish(made / "again.yaml", made / "out1", audit=False, begin=True)
    for name in ("book.ledger", "book.ledger.journal"):
        shutil.copy(made / name, folder / name)
    now = {name: of.choice((name, name, "old")) for name in ("name", "age", "job", "zip", "problem")}
    damage(of, folder / "t.csv", [[name if name == "problem" else now[name] for name in now], *rows])
    document: Any = deepcopy(AGAIN)
    document["quasi"] = of.sample(["age", "job", "zip", "old"], of.choice((1, 2, 3)))
    document["identifier"] = of.choice(("name", "name", "old"))
    document["rename"] = {of.choice(NAMES): of.choice(NAMES) for _ in range(of.choice((1, 1, 2)))}
    (folder / "again.yaml").write_text(written(document))
    publish = ["republish", "again.yaml", "--out", "new", "--dry-run", "--no-audit", "--unusual", "all"]
    return of.choice((publish, publish, ["check", "again.yaml"], ["ledger", "again.yaml", "--verify"]))
