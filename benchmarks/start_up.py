"""`deniable --help` beside a bare click program: at most 1.5x."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.measure import alternating, ratio, run
from benchmarks.sizes import FULL, Sizes

BARE = """\
import click

@click.command()
def main():
    "Nothing."

main()
"""


def main(sizes: Sizes = FULL) -> None:
    """Print the ratio."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "bare.py"
        program.write_text(BARE)
        ours, base = alternating(
            sizes.rounds(15),
            lambda: run(sys.executable, "-m", "deniable", "--help").seconds,
            lambda: run(sys.executable, str(program), "--help").seconds,
        )
    told = f"{ours * 1000:.0f} ms, bare click program {base * 1000:.0f} ms"
    print(f"start-up: {told}, {ratio(ours, base, 1.5)}", flush=True)


if __name__ == "__main__":
    main()
