"""What pages show of other programs, done as far as it is ours: a job's steps, a hook's SQL, a line of cron."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import yaml

Shell = Callable[[str], subprocess.CompletedProcess[str]]


def run_job(text: str, shell: Shell) -> int:
    """Every step of a job in turn; the status of the first that fails, as the job would have it."""
    (job,) = yaml.safe_load(text)["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert all("run" in step or "uses" in step for step in job["steps"])
    ours = [command for command in commands if not command.startswith("pip install ")]
    assert any(command.startswith("deniable ") for command in ours)
    return next((done.returncode for done in map(shell, ours) if done.returncode), 0)


def run_hook(text: str, folder: Path) -> None:
    """A model's hook, on a table of the model's name that is made from the example of that name."""
    import duckdb

    (model,) = yaml.safe_load(text)["models"]
    table = next(folder.glob(f"*/{model['name']}.csv"))
    statement = re.sub(r"\{\{ *this *\}\}", f'"{model["name"]}"', model["config"]["post-hook"])
    (folder / "export").mkdir(exist_ok=True)
    here = Path.cwd()
    os.chdir(folder)
    try:
        with duckdb.connect() as connection:
            connection.execute(f"""CREATE TABLE "{model["name"]}" AS FROM read_csv('{table}', header = true)""")
            connection.execute(statement)
    finally:
        os.chdir(here)


def run_cron(text: str, folder: Path, shell: Shell) -> str:
    """The command of a line, which begins in the home folder; what it prints, and cron would send."""
    (line,) = text.splitlines()
    found = re.fullmatch(r"((?:[\d*/,-]+\s+){5})(\S.*)", line)
    assert found, "five fields and a command"
    done = shell(f"HOME={folder}\n{found[2]}")
    assert done.returncode == 0, done.stderr
    return done.stdout
