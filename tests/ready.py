"""The program, imported once and forked for each command: a command costs no start-up, which is most of it.

`start(folder)` serves from a process of its own and writes a stand-in for `deniable` (and for a Python that knows the
package) into the folder: put it first on a shell's PATH. What the real program does beyond that, to be found and to
start, is asked by the test of README.md and by `tests/cli`, `tests/mistakes` and `tests/test_startup.py`.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.imports import everything

ROOT = Path(__file__).parents[1]
SOCKET = "ready.socket"
# Standard streams go with the request; the answer is the exit status, or nothing if something ended the process.
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asking:
    asking.connect({address!r})
    asked = json.dumps([{name!r}, os.getcwd(), dict(os.environ), sys.argv[1:]]).encode()
    socket.send_fds(asking, [len(asked).to_bytes(4, "big")], [0, 1, 2])
    asking.sendall(asked)
    answer = asking.recv(1)
sys.exit(answer[0] if answer else 70)
"""


@contextmanager
def ready(folder: Path) -> Iterator[Path]:
    """Serve until this is left; the folder holds the stand-ins `deniable` and `python`."""
    address = str(folder / SOCKET)
    for name in ("deniable", "python"):
        (folder / name).write_text(CLIENT.format(python=sys.executable, address=address, name=name))
        (folder / name).chmod(0o755)
    command = [sys.executable, "-m", "tests.ready", address]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as server:
        assert server.stdout
        assert server.stdout.readline() == b"ready\n"
        try:
            yield folder
        finally:
            server.terminate()


def _serve(address: str) -> None:
    everything()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    forked: set[int] = set()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            asked, _ = listening.accept()
            with asked:
                child = os.fork()
                if child == 0:
                    listening.close()
                    _answer(asked)
                forked.add(child)
            forked -= {child for child in forked if os.waitpid(child, os.WNOHANG)[0]}


def _answer(asked: socket.socket) -> None:
    """Become the process that was asked for."""
    status = 1
    try:
        size, streams, _, _ = socket.recv_fds(asked, 4, 3)
        wanted = asked.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
        name, folder, environment, arguments = json.loads(wanted)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        _run(name, arguments)
        status = 0
    except SystemExit as stopped:
        status = stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        asked.sendall(bytes([status]))
        os._exit(status)


def _run(name: str, arguments: list[str]) -> None:
    if name == "deniable":
        from deniable.cli import run

        run(arguments)
    else:
        assert arguments[0] == "-c"
        sys.argv = ["-c", *arguments[2:]]
        exec(compile(arguments[1], "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    _serve(sys.argv[1])
