"""What is handed on: a wheel and an sdist, built, installed into empty environments, and used there.

`python -m tests.dist FOLDER` (make dist-check) does all of it and needs a package index; `tests/test_dist.py` looks
into the wheel only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")


def build(folder: Path, *kinds: str) -> list[Path]:
    """Make the archives with what is installed here; returns their paths."""
    flags = [f"--{kind}" for kind in kinds]
    command: list[str | Path] = [
        UV,
        "build",
        "--quiet",
        "--no-build-isolation",
        "--python",
        sys.executable,
        *flags,
        "--out-dir",
        folder,
    ]
    subprocess.run([*command, ROOT], check=True)
    return sorted(path for path in folder.iterdir() if path.name.endswith((".whl", ".tar.gz")))


def try_out(archive: Path, folder: Path) -> None:
    """Install an archive into an empty environment, and do with it what a newcomer does. Raises where that fails."""
    environment, home = folder / "environment", folder / "home"
    home.mkdir()
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    subprocess.run([UV, "pip", "install", "--quiet", "--python", environment / "bin" / "python", archive], check=True)
    expect(environment, home, 0, "of 4,000", "demo")
    expect(environment, home, 0, "wrote", "demo", "--to", "example")
    expect(environment, home, 1, "FAIL", "audit", "example/survey.yaml", "--junit", "audit.xml")
    expect(environment, home, 0, "keeps", "repair", "example/patients.yaml", "--out", "repaired.yaml")
    expect(environment, home, 0, "PASS", "audit", "repaired.yaml")


def expect(environment: Path, home: Path, status: int, said: str, *arguments: str) -> None:
    """A command ends so, and says that."""
    known = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    command: list[str | Path] = [environment / "bin" / "deniable", *arguments]
    done = subprocess.run(
        command, cwd=home, env={**known, "HOME": str(home)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, said in done.stdout) == (status, True), f"{arguments}: {done.stdout}{done.stderr}"


def main(folder: Path) -> None:
    """Both archives."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for archive in build(folder):
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as place:
            try_out(archive, Path(place))
        size = archive.stat().st_size / 1000
        print(f"{archive.name}: {size:,.0f} kB, installed and tried out in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
