"""The Spark that an engine works in: a session that was given, the one that this process has, or a new one.

Each engine works in a session of its own beside it, with settings of ours: nobody's settings, views and functions
change. What Spark logs is switched off where Spark is ours, and for as long as we work where it is not.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deniable.engines.spark_errors import starting
from deniable.engines.spark_numbers import DEFINED
from deniable.errors import Mistake, Unsupported
from deniable.private_folders import make_folder, remove_folder

_OURS = {  # of a Spark that we start
    "spark.app.name": "deniable",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.executor.syncLogLevel.enabled": "true",  # executors too, wherever they are
    "spark.eventLog.enabled": "false",
    "spark.driver.maxResultSize": "0",
}
# An executor that has no configuration of its own for logs reads Spark's after it was told the level, and then has that
# one. It takes this for a configuration, and is silent from its first word on.
_OPTIONS, _SILENT = "spark.executor.extraJavaOptions", "-Dlog4j2.level=OFF"
_SETTINGS = {  # of the session of an engine
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.caseSensitive": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.parquet.mergeSchema": "false",
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
    "spark.sql.crossJoin.enabled": "true",
}
_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")  # PySpark's, which quote what Spark says
_STARTING = threading.Lock()


def insist_installed() -> None:
    """Raises Unsupported without PySpark, or where there is no Java to run it."""
    if find_spec("pyspark") is None:
        what = "expected PySpark; found none: pip install 'deniable[spark]'"
        raise Unsupported(Mistake("--engine", what))
    home = os.environ.get("JAVA_HOME")
    if not (home and os.access(Path(home) / "bin" / "java", os.X_OK)) and shutil.which("java") is None:
        what = "expected Java 17 or later, which Spark runs in; found none"
        raise Unsupported(Mistake("--engine", what))


def is_session(engine: object) -> bool:
    """Whether it is a session of Spark's that somebody has."""
    return type(engine).__module__.startswith("pyspark.sql.") and type(engine).__name__ == "SparkSession"


def base_session(engine: object) -> tuple[Any, bool]:
    """The session to work beside, and whether Spark is somebody else's. `spark` is what there is, or is configured."""
    insist_installed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark warns of libraries that nobody asked for
        return _base_session(engine)


def _base_session(engine: object) -> tuple[Any, bool]:
    from pyspark.sql import SparkSession

    if is_session(engine):
        if not hasattr(engine, "_jsparkSession"):
            raise Unsupported(Mistake("--engine", "expected a session of Spark itself; found one of Spark Connect"))
        return engine, True
    with _STARTING:
        there = SparkSession.getActiveSession() or SparkSession._instantiatedSession
        if there is None or there.sparkContext._jsc is None:
            return _start(None if engine == "spark" else str(engine)), False
    context = there.sparkContext
    if engine not in ("spark", context.master):
        what = f"expected {context.master}, the Spark that this process has already; found {engine}"
        raise Unsupported(Mistake("--engine", what))
    return there, context.appName != _OURS["spark.app.name"]


def _start(master: str | None) -> Any:
    """A new Spark, with nothing on the terminal and no folder of its own where we stand."""
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    is_here = master is None or master.startswith("local")
    if is_here:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    folder = make_folder()
    conf = SparkConf(loadDefaults=False)
    for name, value in _OURS.items():
        conf.set(name, value)
    if master is not None:
        conf.set("spark.master", master)
    if is_here:
        conf.set("spark.local.dir", str(folder))
    handler = signal.getsignal(signal.SIGINT)
    with starting(master or "spark"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        gateway = launch_gateway(conf, quiet)
        told = gateway.jvm.System.getProperty  # what the machine's own configuration says
        if told("spark.sql.warehouse.dir") is None:
            conf.set("spark.sql.warehouse.dir", str(folder / "warehouse"))
        if master is None and told("spark.master") is None:
            conf.set("spark.master", "local[*]")
        conf.set(_OPTIONS, f"{told(_OPTIONS) or ''} {_SILENT}".strip())
        context = SparkContext(gateway=gateway, conf=conf)
        session = SparkSession(context)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)  # Spark sets one of its own

    def stop() -> None:
        with suppress(Exception):  # whatever it says now, it is over
            context.stop()
        remove_folder(folder)

    atexit.register(stop)
    return session


def own_session(base: Any) -> Any:
    """A session beside another, which sees what that one sees, with settings of ours."""
    from pyspark.sql import SparkSession

    session = SparkSession(base.sparkContext, base._jsparkSession.cloneSession())
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    context = base.sparkContext
    if is_local(context) and "spark.sql.shuffle.partitions" not in dict(context.getConf().getAll()):
        session.conf.set("spark.sql.shuffle.partitions", str(context.defaultParallelism))
    session.sql(DEFINED)
    return session


def is_local(context: Any) -> bool:
    """Whether all work is done by this machine's one process, which is lost as a whole or not at all."""
    return str(context.master) == "local" or str(context.master).startswith("local[")


def log_level(context: Any) -> str:
    """What Spark logs from on."""
    root = context._jvm.org.apache.logging.log4j.LogManager.getRootLogger()
    return str(root.getLevel().toString())


@contextmanager
def aside(context: Any) -> Iterator[None]:
    """PySpark makes the session active that is handed a table. Whoever asks for the active one, to work in it or beside
    it, finds that which it was before we did anything."""
    from pyspark.sql import SparkSession

    sessions = SparkSession._get_j_spark_session_class(context._jvm)
    mine, theirs = SparkSession._activeSession, sessions.getActiveSession()
    try:
        yield
    finally:
        SparkSession._activeSession = mine
        with suppress(Exception):  # whatever it says now, it is over
            if theirs.isDefined():
                sessions.setActiveSession(theirs.get())
            else:
                sessions.clearActiveSession()


@contextmanager
def silent() -> Iterator[None]:
    """PySpark tells its own logs of what went wrong, cells and all: not while we ask."""
    from pyspark.logger import PySparkLogger

    loggers: list[logging.Logger] = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, state in zip(loggers, before, strict=True):
            logger.disabled = state
