"""Opening a ledger: one run at a time, readable by its owner only, and nothing but a ledger of a known version."""

from __future__ import annotations

import os
import shutil
import stat
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from deniable.errors import BadInput, EngineError, Mistake, OthersMayRead, Reason
from deniable.frozen import frozen
from deniable.ledgers import journal, private
from deniable.ledgers.chain import broken
from deniable.ledgers.columns import continued, read_layout
from deniable.ledgers.database import Database
from deniable.ledgers.journal import Standing
from deniable.ledgers.private import Held, Opening, damaged, journal_of
from deniable.ledgers.schema import FORMAT, TABLES, VERSION, Layout, tables
from deniable.private_folders import private_folder

if TYPE_CHECKING:
    import pyarrow as pa

WAIT = 10.0  # seconds for another run to end
_HEADERS = 3 * 4096  # bytes before the blocks of a database file
_STRANGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # what comes of rows that are not ours
_OPEN: set[Path] = set()  # in this process, where the lock on the file does not hold
_GUARD = threading.Lock()
# What a ledger does not have: views under the names of its tables, no such tables, or functions that take the place of
# the database's own.
_FOREIGN = (
    "SELECT unnest(?) EXCEPT SELECT table_name FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main' "
    "UNION ALL SELECT function_name FROM system.main.duckdb_functions() WHERE NOT internal"
)


@frozen
class Ledger:
    """An open ledger. One that is new is in memory only, until its first release is committed.

    `layout` has the columns as the release file names them, in the ledger's order, new ones behind the others.
    `forwarded` is how many releases it had before its journal brought it forward, if that was needed.
    """

    path: Path
    layout: Layout
    home: Home
    is_new: bool = False
    forwarded: int | None = None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """What asks it."""
        return self.home.database.connection


@frozen(eq=False)
class Home:
    """Where a run has a ledger open; what is in `open_` goes when the run has done with it."""

    database: Database
    open_: ExitStack
    opening: Opening | None = None  # none where it may only be read, or is a copy or in memory


@contextmanager
def ledger(
    path: Path, layout: Layout | None, *, create: bool = False, reading: bool = False, trying: bool = False,
    wait: float = WAIT,
) -> Iterator[Ledger]:  # fmt: skip
    """Open a ledger, with the columns it must be about; `create` allows that there is none yet, `reading` that it may
    only be read, `trying` that whoever opens it only tries something: ledger and journal stay as they are."""
    here = path.resolve()
    if "?" in str(here):  # the database would take what follows for settings
        raise BadInput(Mistake(str(path), "expected a ledger whose name, and whose folder's name, has no ?"))
    deadline = time.monotonic() + wait
    with _alone(here, path, deadline), ExitStack() as open_:
        forwarded = _recovered(here, create=create, trying=trying)
        is_new = not path.exists() and forwarded is None
        if trying and forwarded is not None:
            home = _of_copy(path, _copied_journal(here, open_), open_)
        elif not is_new:
            home, before = _connect(path, open_, deadline, reading=reading, trying=trying)
            forwarded = before if forwarded is None else forwarded
        elif create and layout is not None:
            _check_folder(path)
            private.check_alone(here)
            home = Home(_database(path, open_, open_.enter_context(private_folder())), open_)
            home.database.open(None)
            _begin(home.database.connection, layout)
        else:
            raise BadInput(Mistake(str(path), "no such file; expected the ledger that `deniable republish` keeps"))
        try:
            checked = _checked(path, layout, home, is_new=is_new, forwarded=forwarded)
            _warn_of_others(path)
            yield checked
        except (duckdb.Error, *_STRANGE) as error:
            failed = _failed(path, error)
            if failed is error and not is_new and not _is_whole(home.database.connection):
                failed = damaged(path)
            raise failed from None
        finally:
            home.database.close()  # before its folder is left


def fetch(ledger: Ledger, query: str) -> pa.Table:
    """Ask the ledger; the answer as an Arrow table."""
    return ledger.connection.sql(query).to_arrow_table()


def number(ledger: Ledger, query: str) -> int:
    """Ask the ledger for one whole number."""
    ((found,),) = ledger.connection.execute(query).fetchall()
    return int(found)


def make_file(new: Ledger) -> None:
    """Give a ledger that is in memory a file, which gets its name when all is in it; else nothing of it stays."""
    with private.unnamed(new.path.resolve()) as folder:
        name = folder / new.path.name
        new.home.database.write(name)
        try:
            os.link(name, new.path)
        except FileExistsError:
            raise EngineError(f"{new.path}: another run made this ledger meanwhile; nothing was published") from None
    private.sync(new.path.parent)


def renew_journal(ledger: Ledger) -> None:
    """Have the journal tell what was committed last; the ledger is closed for that, and opened again."""
    home, here = ledger.home, ledger.path.resolve()
    opening = home.opening or _alone_open(ledger.path, home.open_, time.monotonic() + WAIT)
    if opening.folder is not None or ledger.is_new:
        home.database.let_go()
        if opening.folder is not None:
            journal.renew(here, opening.folder)
        home.database.open(opening.name())
        if ledger.is_new:
            home.database.shut_in(opening.name())


def keep(ledger: Ledger) -> None:
    """Put what was committed into the ledger itself: it is one file again, whatever happens to the machine."""
    try:
        private.keep(ledger.path.resolve())
        ledger.connection.execute("CHECKPOINT")
    except (duckdb.Error, OSError) as error:
        what = f"the release is committed, but not all of it could be written ({type(error).__name__})"
        raise EngineError(f"{ledger.path}: {what}; the next run will go on from there") from None


def sweep(ledger: Ledger) -> None:
    """Remove what a run that was killed left of a ledger on its way to its name."""
    private.sweep(ledger.path.resolve())


def _warn_of_others(path: Path) -> None:
    """A ledger is made for its owner alone; somebody may have changed that, or a copy of it."""
    with suppress(OSError):
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            told = f"{path}: others may read this ledger, which names everybody who was ever published (chmod 600)"
            warnings.warn(told, OthersMayRead, stacklevel=3)


@contextmanager
def _alone(here: Path, path: Path, deadline: float) -> Iterator[None]:
    while True:
        with _GUARD:
            if here not in _OPEN:
                _OPEN.add(here)
                break
        _wait(path, deadline)
    try:
        yield
    finally:
        _OPEN.discard(here)


def _copied_journal(here: Path, open_: ExitStack) -> Path:
    """What a ledger would be if it were brought forward."""
    copy = open_.enter_context(private_folder()) / here.name
    shutil.copyfile(journal_of(here), copy)
    return copy


def _recovered(here: Path, *, create: bool, trying: bool) -> int | None:
    """A ledger that is lost comes back from its journal: 0 releases were there. A history is not begun beside it."""
    if here.exists() or not journal_of(here).exists():
        return None
    private.check_alone(here)
    if create:
        raise BadInput(Mistake(str(journal_of(here)), Reason("again.begun_beside_journal", ledger=here.name)))
    if not trying:
        journal.recover(here)
    return 0


def _database(path: Path, open_: ExitStack, spill: Path) -> Database:
    database = Database(path, spill)
    open_.callback(database.close)
    return database


def _of_copy(path: Path, copy: Path, open_: ExitStack, database: Database | None = None) -> Home:
    """A ledger of which somebody only tries something, in a private folder."""
    database = database or _database(path, open_, _spill(copy))
    database.open(copy)
    database.shut_in(copy)
    return Home(database, open_)


def _spill(name: Path) -> Path:
    """Where what is too large for memory goes."""
    return name.with_name(f"{name.name}.tmp")


def _connect(path: Path, open_: ExitStack, deadline: float, *, reading: bool, trying: bool) -> tuple[Home, int | None]:
    """Open what is there, where nobody else sees it, when no other run has it; as its journal has it, if that has more.

    Also how many releases it had before that.
    """
    if not path.is_file():
        raise BadInput(Mistake(str(path), "expected a ledger; found something that is not a file"))
    here = path.resolve()
    if reading and not (os.access(path, os.W_OK) and os.access(here.parent, os.W_OK)):
        database, name = _connect_to_read(path, open_, deadline)
        if _standing(database) is Standing.BEHIND:
            raise BadInput(Mistake(str(path), Reason("again.behind_journal", journal=journal_of(path).name)))
        database.shut_in(name)
        return Home(database, open_), None
    if not os.access(path, os.R_OK | os.W_OK):
        raise BadInput(Mistake(str(path), "expected a ledger that may be read and written; found no permission to"))
    database, opening, name = _connect_alone(path, open_, deadline, trying=trying)
    before, folder = None, opening.folder
    found = _standing(database) if folder is not None else Standing.SAME
    stays = reading or trying
    if folder is not None and (found is Standing.BEHIND or (found is Standing.AHEAD and not stays)):
        before = len(journal.releases_of(database.connection)) if found is Standing.BEHIND else None
        database.let_go()  # what is copied is whole then, and nobody's lock on it is lost
        if trying:
            return _of_copy(path, _copied_journal(here, open_), open_, database), before
        (journal.bring_forward if found is Standing.BEHIND else journal.renew)(here, folder)
        name = opening.name()
        database.open(name)
    database.shut_in(name)
    return Home(database, open_, opening), before


def _standing(database: Database) -> Standing:
    """How a ledger stands to its journal; what is no ledger has none."""
    try:
        return journal.standing(database.connection, database.path.resolve())
    except duckdb.Error:
        return Standing.SAME


def _alone_open(path: Path, open_: ExitStack, deadline: float) -> Opening:
    """The ledger's folder, when no other run has it."""
    while True:
        try:
            return open_.enter_context(private.opening(path.resolve()))
        except Held:
            _wait(path, deadline)


def _connect_alone(path: Path, open_: ExitStack, deadline: float, *, trying: bool) -> tuple[Database, Opening, Path]:
    """A log that a run left becomes part of the ledger by this; of a copy, where somebody only tries."""
    opening, database = _alone_open(path, open_, deadline), None
    while True:
        try:
            name = opening.name()
            name = (private.copied_with_log(path.resolve(), open_) if trying else None) or name
            database = database or _database(path, open_, _spill(name))
            database.open(name)
            return database, opening, name
        except Held:
            _wait(path, deadline)


def _connect_to_read(path: Path, open_: ExitStack, deadline: float) -> tuple[Database, Path]:
    """Open a ledger that may only be read. With the log of a run that was stopped, a private copy of both is opened."""
    if not os.access(path, os.R_OK):
        raise BadInput(Mistake(str(path), "expected a ledger that may be read; found no permission to"))
    database = _database(path, open_, open_.enter_context(private_folder()))
    while True:
        try:
            copy = private.copied_with_log(path.resolve(), open_)
            name = copy or path.resolve()
            database.open(name, read_only=copy is None)
            return database, name
        except (Held, PermissionError):
            _wait(path, deadline)


def forget_journal(ledger: Ledger) -> None:
    """Before a release is taken back: the journal has it, and would bring it forward again."""
    journal.forget(ledger.path.resolve())


def remove_file(path: Path) -> None:
    """Remove a ledger from whose only release nothing was published."""
    path.resolve().unlink()
    private.sync(path.resolve().parent)


def _wait(path: Path, deadline: float) -> None:
    """A moment, unless it is too late."""
    if time.monotonic() >= deadline:
        raise EngineError(f"{path}: another run is using this ledger; try again when it has ended")
    time.sleep(0.02)


def _check_folder(path: Path) -> None:
    """A ledger that could not be made is refused before any work is done."""
    if not path.parent.is_dir():
        raise BadInput(Mistake(str(path), "expected a ledger in a folder that exists"))
    if not os.access(path.parent, os.W_OK):
        raise BadInput(Mistake(str(path), "expected a ledger in a folder that may be written to"))


def _is_whole(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a ledger is what was entered in it: asked where something fails that never does with one of ours."""
    try:
        with suppress(duckdb.Error):
            connection.rollback()
        layout = read_layout(connection)
        return not any(broken(connection, layout))
    except Exception:
        return False


def _failed(path: Path, error: Exception) -> Exception:
    if "Corrupt" in str(error) or "read enough bytes" in str(error):
        return damaged(path)
    if isinstance(error, (duckdb.OperationalError, duckdb.FatalException)):
        return EngineError(f"{path}: the ledger could not be written ({type(error).__name__})")
    return error


def _begin(connection: duckdb.DuckDBPyConnection, layout: Layout) -> None:
    for statement in tables(layout):
        connection.execute(statement)
    about = [FORMAT, VERSION, list(layout.identifier), list(layout.quasi), layout.private]
    connection.execute("INSERT INTO about VALUES (?, ?, ?, ?, ?)", about)


def _checked(path: Path, wanted: Layout | None, home: Home, *, is_new: bool, forwarded: int | None) -> Ledger:
    """The ledger, if it is one, of this version, about these columns."""
    connection = home.database.connection
    try:
        is_cut = not is_new and _file(connection).stat().st_size < _size(connection)
        rows = connection.execute("SELECT format, version FROM about").fetchall()
        foreign = not is_new and connection.execute(_FOREIGN, [list(TABLES)]).fetchall()  # thousands of functions
    except duckdb.Error:
        raise damaged(path) from None
    if is_cut or len(rows) != 1 or rows[0][0] != FORMAT or foreign:
        raise damaged(path)
    if rows[0][1] != VERSION:
        what = f"expected a ledger of version {VERSION}; found version {rows[0][1]}, of another version of deniable"
        raise BadInput(Mistake(str(path), what))
    found = read_layout(connection)
    if wanted is None:
        return Ledger(path, found, home, is_new, forwarded)
    layout, wrong = continued(wanted, found)
    if wrong:
        raise BadInput([Mistake(str(path), what) for what in wrong])
    return Ledger(path, layout, home, is_new, forwarded)


def _file(connection: duckdb.DuckDBPyConnection) -> Path:
    """What is open: the ledger by its second name, or a copy."""
    query = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    ((name,),) = connection.execute(query).fetchall()
    return Path(name)


def _size(connection: duckdb.DuckDBPyConnection) -> int:
    """How long the file must be at least, to hold every block in use: what was cut off may not be read for years."""
    blocks = "SELECT block_size FROM pragma_database_size() WHERE database_name = current_database()"
    ((size,),) = connection.execute(blocks).fetchall()
    names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    used = "SELECT block_id, list_max(additional_block_ids) AS further FROM pragma_storage_info(?)"
    query = f"SELECT max(block_id), max(further) FROM ({' UNION ALL '.join([used] * len(names))})"
    ((block, further),) = connection.execute(query, names).fetchall() if names else [(None, None)]
    last = max(1 + (block or 0), 1 + (further or 0))
    return _HEADERS + last * int(size)
