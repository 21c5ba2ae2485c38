"""Spark for the test run: one process of Java's, which the first engine starts and the run ends.

All of these tests are run by one worker (`make test` runs them after the others), since each process has a Spark of its
own, which takes seconds to start and a gigabyte.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

MASTER = "local[2]"
# Tables have a few rows: what is compiled takes longer than it saves. The nightly run has it as users do.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
_SMALL = f"--driver-memory 1g --driver-java-options '{_JAVA}' --conf spark.sql.shuffle.partitions=2 {{}} pyspark-shell"
_INTERPRETED = "--conf spark.sql.codegen.wholeStage=false --conf spark.sql.codegen.factoryMode=NO_CODEGEN"


def lacking() -> str:
    """What there is not, of what Spark needs; or nothing."""
    if find_spec("pyspark") is None:
        return "PySpark"
    return "" if shutil.which("java") else "Java"


def prepare(*, compiled: bool = False) -> None:
    """How Spark is started for small tables."""
    os.environ["PYSPARK_SUBMIT_ARGS"] = _SMALL.format("" if compiled else _INTERPRETED)


def prepare_cluster(home: Path) -> None:
    """How a master, workers and executors of this machine are started, each a process; what executors say is below
    `home/work`."""
    import pyspark

    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    os.environ |= {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    small = f"--conf spark.executor.memory=512m --conf 'spark.executor.extraJavaOptions={_JAVA}'"
    os.environ["PYSPARK_SUBMIT_ARGS"] = _SMALL.format(f"{small} {_INTERPRETED}")


def written(rows: pa.Table, path: Path) -> str:
    """A table in a Parquet file, as a release file names it; its rows are in the order that they have here."""
    pq.write_table(rows, path)
    return str(path)
