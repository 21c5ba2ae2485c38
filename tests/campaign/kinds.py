"""Every kind of case, in the order in which a turn of the campaign tries them."""

from __future__ import annotations

from tests.campaign import fuzz, ledgers, stopped
from tests.campaign.workers import Kind

KINDS = (
    Kind("release-files", fuzz.release_file, 30_000, 6, "release files changed as documents and as text"),
    Kind("queries", fuzz.query, 30_000, 6, "views with random conditions, some damaged"),
    Kind("tables", fuzz.table, 20_000, 6, "odd cells, lines, bytes and Parquet types"),
    Kind("options", fuzz.options, 20_000, 6, "any command with any options"),
    Kind("republish-killed", ledgers.killed, 250, 0, "`republish` killed at a step, after a call or at a time"),
    Kind("bucketize-killed", stopped.groups_killed, 125, 1, "`bucketize` over an earlier release, killed"),
    Kind("result-killed", stopped.result_killed, 125, 1, "`--out` of `breach` and others, killed"),
    Kind("told-to-stop", stopped.told_to_stop, 100, 1, "SIGTERM, SIGHUP and SIGINT to the program"),
    Kind("republish-full", ledgers.without_room, 150, 0, "`republish` on a full disk"),
    Kind("bucketize-full", stopped.groups_without_room, 100, 1, "`bucketize` on a full disk"),
    Kind("result-full", stopped.result_without_room, 100, 1, "`--out` on a full disk"),
    Kind("rolled-back", ledgers.rolled_back, 100, 1, "an older ledger, or journal, or both put back"),
    Kind("damaged", ledgers.damaged, 400, 1, "a ledger damaged block by block"),
    Kind("hostile", ledgers.hostile, 400, 1, "a ledger that an enemy wrote"),
)
