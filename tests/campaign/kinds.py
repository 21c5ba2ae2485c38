"""Every kind of case, in the order in which a turn of the campaign tries them."""

from __future__ import annotations

from tests.campaign import files, fuzz, ledgers, numbers, stopped, verbs, views
from tests.campaign.workers import Kind

KINDS = (
    Kind("release-files", fuzz.release_file, 26_000, 6, "release files changed as documents and as text", cheap=True),
    Kind("queries", fuzz.query, 8_000, 6, "views with random conditions, some damaged", cheap=True),
    Kind("tables", fuzz.table, 5_000, 6, "odd cells, lines, bytes and Parquet types", cheap=True),
    Kind("options", fuzz.options, 56_000, 6, "any command with any options", cheap=True),
    Kind(
        "other-files",
        files.file,
        4_000,
        8,
        "knowledge, hierarchies, populations, packed and recoded tables",
        cheap=True,
    ),
    Kind("numbers", numbers.number, 2_500, 6, "limits and options at the edges of what they may be", cheap=True),
    Kind("python", verbs.verb, 3_000, 6, "the verbs in Python, odd arguments and odd frames", cheap=True),
    Kind(
        "coarser",
        views.coarser,
        2_000,
        6,
        "coarser columns, people withheld, and what `repair` makes of them",
        cheap=True,
    ),
    Kind("first", views.first, 2_000, 6, "`init` of odd tables, with odd options", cheap=True),
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
