"""Mistakes that somebody could make in the parts that answers and published bytes rest on, one record for each.

A test suite is as good as the mistakes it notices. These are small on purpose: a bound without its rounding, a null
that compares, an order that tells, a name that is durable too late. Each must make one of its `tests` fail; a fault
that nothing notices is a test to write. A change that no input can show is no fault and does not belong here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A mistake: in `path` of the package, `before` (which stands there once) becomes `after`.

    `tests` are files or folders of the tests, those that should notice first.
    """

    name: str
    path: str
    before: str
    after: str
    tests: tuple[str, ...]


COVERS = ("worlds/test_covers.py",)
FORMULAS = ("worlds/test_formula.py",)
TWO_VIEWS = ("breach/test_two_views.py",)
CROWDS = ("crowds/test_figures.py", "crowds/test_crowds.py")
POSTERIORS = ("worlds/test_posteriors.py",)
HISTORIES = ("worlds/test_histories.py",)

_VIEWS = (
    Fault(
        "sides-change-places-without-their-marks",
        "worlds/views/covers.py",
        "m, n, a, c = n, m, c, a  #",
        "m, n, a, c = n, m, a, c  #",
        COVERS,
    ),
    Fault(
        "edges-between-outsiders-count-twice",
        "worlds/views/covers.py",
        "_power2(k * b - k * n - b * m)",
        "_power2(-k * n - b * m)",
        COVERS,
    ),
    Fault(
        "balls-end-at-the-nearest-double",
        "worlds/views/covers.py",
        "upper = min(1.0, math.nextafter(float(ball.upper().mid()), math.inf))",
        "upper = min(1.0, float(ball.upper().mid()))",
        COVERS,
    ),
    Fault(
        "product-form-for-any-number-of-tuples",
        "worlds/views/quadruples.py",
        "large & (a == 1) & (others > 0)",
        "large & (others > 0)",
        COVERS,
    ),
    Fault(
        "a-value-is-possible-if-one-tuple-reaches-it",
        "worlds/views/count_bounds.py",
        "possible = reached == tuples[kind]",
        "possible = reached > 0",
        FORMULAS,
    ),
    Fault(
        "a-clause-not-looked-into-has-one-more",
        "worlds/views/decay.py",
        "inner_high = 2.0 ** -float(min(others, 1000))",
        "inner_high = 2.0 ** -float(min(others + 1, 1000))",
        FORMULAS,
    ),
    Fault(
        "shares-from-the-wrong-ends",
        "worlds/views/decay.py",
        "below = low[v] / (low[v] + others_high) if low[v] else 0.0",
        "below = low[v] / (low[v] + others_low) if low[v] else 0.0",
        FORMULAS,
    ),
    Fault(
        "clauses-that-stay-uncovered-leave-all-variables",
        "worlds/views/frontier.py",
        "after = rest + part * stay",
        "after = rest + part * (stay or 1)",
        FORMULAS,
    ),
    Fault(
        "rows-are-drawn-with-replacement",
        "worlds/views/product_kernel.py",
        "chance *= max(0.0, size - marked - j) / (size - j)",
        "chance *= max(0.0, size - marked) / size",
        TWO_VIEWS,
    ),
    Fault(
        "a-sum-forgets-its-exponent",
        "worlds/views/product_kernel.py",
        "total = total * _power(top - e) + f\n            top = e",
        "total = total * _power(top - e) + f",
        TWO_VIEWS,
    ),
)

_CROWDS = (
    Fault(
        "what-goes-may-not-come-back",
        "worlds/crowds/swap_kernel.py",
        "int(gone1 == gone) + int(gone2 == gone) - int(new1 == gone) - int(new2 == gone)",
        "int(gone1 == gone) + int(gone2 == gone)",
        ("worlds/test_rsind.py",),
    ),
    Fault(
        "a-new-answer-of-a-set-changes-nothing",
        "worlds/crowds/sind.py",
        "if not instance.distinct[q] or any(y and not instance.totals[q, y] for y in new):",
        "if not instance.distinct[q]:",
        ("worlds/test_rsind.py",),
    ),
    Fault(
        "no-better-partition-proves-nothing",
        "worlds/crowds/rsind.py",
        "return best, best.k",
        "return best, at_most",
        ("worlds/test_rsind.py",),
    ),
    Fault(
        "unknown-is-false",
        "worlds/crowds/selections.py",
        "np.where(known, _two_valued(found), np.int8(UNKNOWN))",
        "np.where(known, _two_valued(found), np.int8(FALSE))",
        CROWDS,
    ),
    Fault(
        "who-lends-gets",
        "worlds/crowds/swaps.py",
        "linked &= (own[some, None] == gets) & (own[None, :] == lends)",
        "linked &= (own[some, None] == lends) & (own[None, :] == gets)",
        CROWDS,
    ),
)

_GROUPS = (
    Fault(
        "a-value-that-occurs-twice-is-like-one-that-occurs-once",
        "worlds/groups/posterior_bounds.py",
        "return max(theta, 1.0) if c > 1 else theta",
        "return max(theta, 1.0) if c > 2 else theta",
        ("worlds/test_posterior_bounds.py",),
    ),
    Fault(
        "the-floor-gains-the-other-way-round",
        "worlds/groups/posterior_bounds.py",
        "first, second, where = _gains(sig_codes, value_codes, priors, u, v)",
        "first, second, where = _gains(sig_codes, value_codes, priors, v, u)",
        ("worlds/test_posterior_bounds.py", *POSTERIORS),
    ),
    Fault(
        "at-the-ceiling-is-beyond-it",
        "worlds/groups/delta.py",
        "deviation(checked) * _SLACK <= ceilings",
        "deviation(checked) * _SLACK < ceilings",
        ("worlds/test_posterior_bounds.py",),
    ),
    Fault(
        "people-alike-always-have-a-world",
        "worlds/groups/posteriors.py",
        "            if weights[x, i] == 0.0:\n                return False\n            share",
        "            share",
        POSTERIORS,
    ),
    Fault(
        "whoever-is-drawn-is-overwritten",
        "worlds/groups/sampling.py",
        "kind[place], kind[last] = kind[last], one",
        "kind[place] = kind[last]",
        POSTERIORS,
    ),
)

LEAVING = ("worlds/test_leaving.py",)

_HISTORY = (
    Fault(
        "whoever-stays-says-nothing",
        "worlds/history/leaving.py",
        "(chance * h) ** left * (1 - chance * h) ** stayed",
        "(chance * h) ** left",
        LEAVING,
    ),
    Fault(
        "nobody-leaves-before-the-last-release",
        "worlds/history/leaving.py",
        "    for release in range(last):\n",
        "    for release in range(last - 1):\n",
        LEAVING,
    ),
    Fault(
        "values-are-alike-whatever-they-weigh",
        "worlds/history/counting_plan.py",
        "if c.owner[x] != c.owner[y] or c.weight[x] != c.weight[y]:",
        "if c.owner[x] != c.owner[y]:",
        LEAVING,
    ),
    Fault(
        "worlds-are-drawn-as-if-they-weighed-alike",
        "worlds/history/sampling.py",
        "weight = room.times[e] * plan.weights[turn, room.kind[e]] * behind",
        "weight = room.times[e] * behind",
        LEAVING,
    ),
    Fault(
        "weights-are-rounded-for-nothing",
        "worlds/history/world_counts.py",
        "is_exact = total < _EXACT and not is_weighted",
        "is_exact = total < _EXACT",
        LEAVING,
    ),
    Fault(
        "known-people-leave-their-copies-to-others",
        "worlds/history/choices.py",
        "                    if only_value(words, p) == v:\n                        copies -= 1\n",
        "",
        HISTORIES,
    ),
    Fault(
        "a-group-implies-another-whatever-its-copies",
        "worlds/history/equations.py",
        "or values[j] != values[i] or copies[j] < copies[i]:",
        "or values[j] != values[i]:",
        HISTORIES,
    ),
    Fault(
        "an-exchange-looks-at-one-of-two-values",
        "worlds/history/exchanges.py",
        "if b == a or holders[a] > copies[b] or holders[b] > copies[a]:",
        "if b == a or holders[a] > copies[b]:",
        ("worlds/test_histories_exchange.py",),
    ),
    Fault(
        "theorem-1-with-counterfeits",
        "worlds/history/pairwise.py",
        "if n == 0 or n == before[j] or not arrays.real[h]:",
        "if n == 0 or n == before[j]:",
        HISTORIES,
    ),
    Fault(
        "those-at-their-bound-give-too",
        "worlds/history/regin_filter.py",
        "if taken[w] > low[w]:\n                    sources",
        "if taken[w] >= low[w]:\n                    sources",
        HISTORIES,
    ),
    Fault(
        "values-of-known-people-are-exchanged",
        "worlds/history/lineage_bounds.py",
        "if has_known[v] or has_known[w]:",
        "if has_known[v]:",
        ("worlds/test_lineage_bounds.py",),
    ),
    Fault(
        "one-lineage-beside-groups-with-counterfeits",
        "worlds/history/lineage_forest.py",
        "single = apart & (many == 1)",
        "single = many == 1",
        ("worlds/test_lineage_bounds.py", "worlds/test_lineage_cycles.py"),
    ),
    Fault(
        "the-last-copy-of-a-group-left-out-is-refused",
        "worlds/history/sampling.py",
        "fine = fine and spare[seat] >= 0",
        "fine = fine and spare[seat] > 0",
        ("worlds/test_histories_sampled.py",),
    ),
)

_DRAWING = (
    Fault(
        "a-part-has-any-name",
        "worlds/components.py",
        "parent[max(one, other)] = min(one, other)",
        "parent[one] = other",
        ("worlds/test_components.py",),
    ),
    Fault(
        "the-risk-is-not-shared",
        "worlds/rejection.py",
        "math.log(2 * share.size / (RISK - _UNLIKELY))",
        "math.log(2 / (RISK - _UNLIKELY))",
        ("worlds/test_histories_sampled.py",),
    ),
    Fault(
        "drawn-intervals-without-rounding",
        "worlds/rejection.py",
        "np.maximum(lower, below - moved), np.minimum(upper, above + moved)",
        "np.maximum(lower, below), np.minimum(upper, above)",
        ("worlds/test_histories_sampled.py",),
    ),
)

WORLDS = (*_VIEWS, *_CROWDS, *_GROUPS, *_HISTORY, *_DRAWING)

STAGING = ("publish/test_staging.py",)
SAFE = ("publish/test_safe.py",)
HALVING = ("publish/test_halving.py",)
STABLE = ("history/test_stable.py",)
SOURCE = ("source/test_judge.py",)
KEPT = ("history/test_kept_ledgers.py",)

PUBLISH = (
    Fault(
        "values-in-the-order-of-people",
        "publish/bytes.py",
        "by_group = np.lexsort((told, group))",
        'by_group = np.argsort(group, kind="stable")',
        SAFE,
    ),
    Fault(
        "people-in-the-order-of-the-table",
        "publish/bytes.py",
        "order = rng.permutation(len(rows))",
        "order = np.arange(len(rows))",
        (*SAFE, *HALVING),
    ),
    Fault(
        "names-before-their-files-are-durable",
        "publish/staging.py",
        "                    _sync(place / name)\n",
        "",
        (*STAGING, "history/test_faults.py"),
    ),
    Fault(
        "done-before-the-names-are-durable",
        "publish/staging.py",
        '    _sync(folder)\n    os.replace(before, staging / "after")\n',
        '    os.replace(before, staging / "after")\n    _sync(folder)\n',
        (*STAGING, "history/test_faults.py"),
    ),
    Fault(
        "where-there-was-no-file-one-stays",
        "publish/staging.py",
        "        kept.mkdir()\n",
        "        pass\n",
        STAGING,
    ),
    Fault(
        "others-may-look-while-files-are-written",
        "publish/staging.py",
        "place.parent.mkdir(0o700)",
        "place.parent.mkdir()",
        STAGING,
    ),
    Fault(
        "a-part-leaves-more-than-the-other-can-hold",
        "publish/halving.py",
        "left[x] = min(max(left[x], total[x] - g2), min(total[x], g1))",
        "left[x] = min(left[x], min(total[x], g1))",
        HALVING,
    ),
    Fault(
        "as-frequent-as-can-be-is-too-frequent",
        "publish/bucketize/anatomy.py",
        "if most * l > rows:",
        "if most * l >= rows:",
        (*SAFE, *HALVING),
    ),
    Fault(
        "everybody-is-in-the-order-of-the-table",
        "publish/bucketize/anatomy.py",
        "everybody = len(rows) == len(values) and bool((np.diff(rows) == 1).all())",
        "everybody = len(rows) == len(values)",
        HALVING,
    ),
    Fault(
        "dissolved-groups-keep-their-number",
        "publish/bucketize/search_state.py",
        "        if made.sizes[g] > 0:\n            number += 1",
        "        number += 1",
        SAFE,
    ),
    Fault(
        "one-adversary-is-enough",
        "publish/bucketize/proof.py",
        "for is_full in (False, True):",
        "for is_full in (True,):",
        SAFE,
    ),
    Fault(
        "a-proof-by-the-middle-of-the-interval",
        "publish/bucketize/proof.py",
        "worst = max(worst, upper[a, x])",
        "worst = max(worst, out[a, x])",
        SAFE,
    ),
    Fault(
        "what-nobody-has-limits-nobody",
        "publish/bucketize/feasibility.py",
        "usable = ~np.isnan(odds[people > 0]).any(axis=0)",
        "usable = ~np.isnan(odds).any(axis=0)",
        SAFE,
    ),
    Fault(
        "one-anchor-too-few",
        "publish/again/hc_safety.py",
        "anchors = k - rows + n",
        "anchors = k - rows + n - 1",
        ("history/test_history.py",),
    ),
    Fault(
        "the-threshold-itself-is-below",
        "publish/again/exposure_chance.py",
        "_equals(known, lifespan, m, n, limit)):\n            return False",
        "_equals(known, lifespan, m, n, limit)):\n            return _equals(known, lifespan, m, n, limit)",
        ("history/test_choose.py",),
    ),
    Fault(
        "one-counterfeit-fewer-than-allowed",
        "publish/again/assignment.py",
        "<= cover:",
        "< max(cover, 1):",
        ("history/test_history.py",),
    ),
    Fault(
        "a-merged-group-has-the-rows-of-one",
        "publish/again/cor_partition.py",
        "is_safe(part.people, k, joined * part.size, part.n, part.past)",
        "is_safe(part.people, k, part.size, part.n, part.past)",
        ("history/test_history.py",),
    ),
    Fault(
        "bars-are-escaped-before-backslashes",
        "publish/again/extents.py",
        r"""pc.replace_substring(pc.replace_substring(cells, "\\", "\\\\"), "|", "\\|")""",
        r"""pc.replace_substring(pc.replace_substring(cells, "|", "\\|"), "\\", "\\\\")""",
        ("history/test_republish_machine.py",),
    ),
    Fault(
        "rows-are-shuffled-as-they-come",
        "publish/again/release_files.py",
        "order = np.lexsort((rows.values, rows.group))[rng.permutation(len(rows.group))]",
        "order = rng.permutation(len(rows.group))",
        ("history/test_republish_bytes.py",),
    ),
    Fault(
        "counterfeits-in-the-order-they-were-made",
        "publish/again/release_files.py",
        "    some = some[np.argsort(numbers[some])]\n",
        "",
        ("history/test_republish_bytes.py", *KEPT),
    ),
    Fault(
        "parts-are-pinned-down-by-their-own-copies",
        "publish/again/stable/merging.py",
        "if ghosts[g] + whole - copies[g] < n:",
        "if ghosts[g] + whole < n:",
        STABLE,
    ),
    Fault(
        "whoever-lost-none-lost-two",
        "publish/again/stable/shrinking.py",
        "return copies + n - max(lost, 1)",
        "return copies + n - max(lost, 2)",
        (*STABLE, "history/test_stable_judge.py"),
    ),
    Fault(
        "counterfeits-are-a-share-of-the-people",
        "publish/again/stable/next_release.py",
        "int(at_most * len(self.table) / (1 - at_most))",
        "int(at_most * len(self.table))",
        (*STABLE, *KEPT),
    ),
    Fault(
        "no-seat-is-passed-over-by-lot",
        "publish/again/stable/refilling.py",
        "_PASSED_OVER = 1 / 64",
        "_PASSED_OVER = 0.0",
        SOURCE,
    ),
    Fault(
        "as-many-rounds-as-the-commonest-value-needs",
        "publish/again/stable/founding.py",
        "rng.geometric(0.5, len(signatures)) - 1 if",
        "rng.geometric(1.0, len(signatures)) - 1 if",
        SOURCE,
    ),
    Fault(
        "as-many-groups-of-a-block-as-the-commonest-value-needs",
        "publish/again/stable/blocks.py",
        "rng.geometric(0.5, len(lack)) - 1",
        "rng.geometric(1.0, len(lack)) - 1",
        STABLE,
    ),
    Fault(
        "a-block-deals-a-value-twice-to-a-group",
        "publish/again/stable/blocks.py",
        "order = np.lexsort((rng.random(len(pair)), turn[pair], pairs.block[pair]))",
        "order = np.lexsort((rng.random(len(pair)), pairs.block[pair]))",
        STABLE,
    ),
    Fault(
        "all-newcomers-of-a-value-are-compared",
        "publish/again/stable/circles.py",
        "parts = np.where(counts > 0, np.where(is_few, few, few + 1), 0)",
        "parts = np.where(counts > 0, 1, 0)",
        ("history/test_stable_choice.py",),
    ),
    Fault(
        "one-more-of-the-old-group-may-meet",
        "publish/again/stable/founding.py",
        "if any(together[pair] >= sizes[g] - n for pair in met):",
        "if any(together[pair] > sizes[g] - n for pair in met):",
        STABLE,
    ),
)

ANY_VIEWS = ("breach/test_any_views.py",)
ATTACKS = ("sql/test_attack_queries.py", "history/test_attack_releases.py")

SQL = (
    Fault(
        "nulls-join-nothing",
        "sql/any_views.py",
        "return exp.NullSafeEQ(this=exp.column(column, left)",
        "return exp.EQ(this=exp.column(column, left)",
        ANY_VIEWS,
    ),
    Fault(
        "a-view-tuple-for-each-row",
        "sql/any_views.py",
        'distinct = select(*columns).distinct().from_(rows.as_("rows"))',
        'distinct = select(*columns).from_(rows.as_("rows"))',
        ANY_VIEWS,
    ),
    Fault(
        "a-tuple-with-all-its-joins-says-nothing-new",
        "sql/any_views.py",
        "members_total.alone AND d.t = d.w AND d.t = members_total.total",
        "members_total.alone AND d.t = d.w",
        ANY_VIEWS,
    ),
    Fault(
        "at-the-limit-is-over-it",
        "sql/associations.py",
        "exp.or_(exp.GT(this=lower.copy(), expression=bar.copy()), exp",
        "exp.or_(exp.GTE(this=lower.copy(), expression=bar.copy()), exp",
        ("sql/test_associations.py", *TWO_VIEWS),
    ),
    Fault(
        "certain-is-in-a-band-of-its-own",
        "sql/associations.py",
        "CAST(least(floor({adversary}_value * {bands}), {bands - 1}) AS BIGINT)",
        "CAST(floor({adversary}_value * {bands}) AS BIGINT)",
        ("sql/test_associations.py", "cli/test_files.py"),
    ),
    Fault(
        "at-most-turned-is-above",
        "sql/conditions.py",
        '"<=": ">=", ">"',
        '"<=": ">", ">"',
        ("sql/test_conditions.py", *CROWDS),
    ),
    Fault(
        "terms-keep-their-sign-on-the-other-side",
        "sql/conditions.py",
        "if (sign < 0) != turned else",
        "if (sign < 0) == turned else",
        ("sql/test_conditions.py", *CROWDS),
    ),
    Fault(
        "a-class-with-nulls-has-one-value",
        "sql/crowds.py",
        "count(p) = 0 OR (count(p) = count(*) AND min(p) = max(p))",
        "count(p) = 0 OR min(p) = max(p)",
        ("sql/test_crowds.py", *CROWDS),
    ),
    Fault(
        "some-open-columns-decide-a-condition",
        "sql/keys.py",
        "elif not set(view.asked) <= set(self._open):",
        "elif not set(view.asked) & set(self._open):",
        CROWDS,
    ),
    Fault(
        "not-known-is-decided",
        "sql/linkage.py",
        '"bool_or(upper IS NULL) AS unknown"',
        '"bool_and(upper IS NULL) AS unknown"',
        ("sql/test_linkage.py", "linkage/test_reading.py", "linkage/test_linkage.py"),
    ),
    Fault(
        "ones-own-tuples-come-last",
        "sql/one_person.py",
        '["own DESC", *columns]',
        '["own", *columns]',
        ("sql/test_one_person.py", "cli/test_commands.py"),
    ),
    Fault(
        "a-value-the-group-has-never-is-held",
        "sql/attack.py",
        'where("w.members > coalesce(h.copies, 0)")',
        'where("w.members > h.copies")',
        ATTACKS,
    ),
    Fault(
        "null-is-no-other-value",
        "sql/attack.py",
        '"x IS DISTINCT FROM before"',
        '"x <> before"',
        ATTACKS,
    ),
    Fault(
        "everybody-has-one-tuple-though-one-has-several",
        "sql/revealed.py",
        "n <= m AND most = 1 AS once",
        "n <= m AS once",
        ("sql/test_revealed.py", *TWO_VIEWS),
    ),
    Fault(
        "a-threshold-is-no-value",
        "sql/selections.py",
        '"max(d) AS d"',
        '"min(d) AS d"',
        ("sql/test_selections.py", *CROWDS),
    ),
    Fault(
        "a-tuple-seen-twice-is-not-there",
        "sql/two_views.py",
        "CAST(bit_count(bit_or(bit)) AS BIGINT) AS c",
        "CAST(bit_count(bit_xor(bit)) AS BIGINT) AS c",
        ("sql/test_two_views.py", *TWO_VIEWS),
    ),
    Fault(
        "alone-with-two-values",
        "sql/adversaries.py",
        "WHEN h.m > 1 OR h.k = 1 THEN",
        "WHEN h.m > 0 OR h.k = 1 THEN",
        TWO_VIEWS,
    ),
    Fault(
        "a-null-makes-numbers-text",
        "sql/coding.py",
        "bool_and(size IS NOT NULL OR x IS NULL) OVER ()",
        "bool_and(size IS NOT NULL) OVER ()",
        ("sql/test_coding.py", "history/test_utility.py", "cli/test_republish.py"),
    ),
    Fault(
        "a-name-in-a-condition-is-shown",
        "sql/statement.py",
        'return token.text if where is None or index < where else "a name"',
        "return token.text",
        ("mistakes",),
    ),
)

LEDGERS = (
    Fault(
        "written-before-it-is",
        "ledgers/outbox.py",
        "    files = read_files(ledger, release)\n    if",
        '    ledger.connection.execute("UPDATE releases SET written = true WHERE release = ?", [release])\n'
        "    files = read_files(ledger, release)\n    if",
        ("history/test_faults_disk.py", "history/test_faults.py"),
    ),
    Fault(
        "a-commit-without-the-names-of-its-log",
        "ledgers/store.py",
        "    else:\n        keep(ledger)\n",
        "",
        ("history/test_faults.py",),
    ),
    Fault(
        "people-who-went-on-as-others-are-found-too",
        "ledgers/store.py",
        "LEFT JOIN people p ON p.current AND {same}",
        "LEFT JOIN people p ON {same}",
        ("cli/test_republish.py",),
    ),
    Fault(
        "large-numbers-are-the-same",
        "ledgers/store.py",
        "({same_size} AND regexp_matches(p.{cell} || r.{cell}, '[.e]')) IS NOT TRUE",
        "({same_size}) IS NOT TRUE",
        ("cli/test_republish.py",),
    ),
    Fault(
        "ghosts-are-members",
        "ledgers/store.py",
        "FROM seats WHERE person >= 0 AND NOT ghost",
        "FROM seats WHERE person >= 0",
        ("publish/test_algorithms.py",),
    ),
    Fault(
        "a-nobody-of-an-earlier-release-is-adopted",
        "ledgers/state.py",
        "return replace(found, person=known, nobodies=last_nobody(ledger))",
        "return replace(found, person=known)",
        ("publish/test_algorithms.py",),
    ),
    Fault(
        "hc-safe-by-one-too-many",
        "ledgers/verify.py",
        "WHERE l > q - $2 AND l < q",
        "WHERE l > q - $2 + 1 AND l < q",
        ("history/test_ledger_tampering.py",),
    ),
    Fault(
        "a-signature-that-is-not-there-fits",
        "ledgers/verify.py",
        "WHERE v IS DISTINCT FROM w",
        "WHERE v <> w",
        ("history/test_ledger_tampering.py",),
    ),
    Fault(
        "part-of-a-category-is-covered",
        "ledgers/verify.py",
        "NOT contains('|' || {said} || '|', '|' || {mine} || '|')",
        "NOT contains({said}, {mine})",
        ("history/test_ledger_tampering.py",),
    ),
    Fault(
        "a-folder-of-somebody-else-will-do",
        "ledgers/private.py",
        "if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():",
        "if not stat.S_ISDIR(found.st_mode):",
        ("history/test_ledger_privacy.py",),
    ),
    Fault(
        "a-lock-that-was-removed-holds",
        "ledgers/private.py",
        "        if os.path.samestat(os.fstat(handle), (folder / LOCK).stat()):\n            return handle\n",
        "        return handle\n",
        ("history/test_ledger_privacy.py",),
    ),
    Fault(
        "a-log-that-is-not-in-the-ledger-is-removed",
        "ledgers/private.py",
        "    if _logs(folder / path.name):\n        return\n",
        "",
        ("history/test_faults_disk.py", "history/test_ledger_privacy.py"),
    ),
    Fault(
        "others-may-read-a-new-ledger",
        "ledgers/database.py",
        "        name.chmod(0o600)\n",
        "",
        ("history/test_ledger_privacy.py", "history/test_ledger_files.py"),
    ),
    Fault(
        "the-last-block-may-be-cut-off",
        "ledgers/file.py",
        "last = max(1 + (block or 0), 1 + (further or 0))",
        "last = max(block or 0, further or 0)",
        ("history/test_ledger_files.py",),
    ),
    Fault(
        "a-ghost-stays-on",
        "ledgers/read.py",
        "FROM seats WHERE person >= 0 AND NOT ghost GROUP BY person",
        "FROM seats WHERE person >= 0 GROUP BY person",
        ("publish/test_algorithms.py",),
    ),
)

COARSER = (
    Fault(
        "views-tell-no-functions",
        "bind/functions.py",
        "return (*shown, *dict.fromkeys(further))",
        "return tuple(shown)",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "any-start-will-do",
        "bind/functions.py",
        "coarse.width % fine.width == 0 and (coarse.start - fine.start) % fine.width == 0",
        "coarse.width % fine.width == 0",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "a-lower-cap-says-a-higher-one",
        "bind/functions.py",
        "said = coarse.cap <= fine.cap",
        "said = coarse.cap >= fine.cap",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "a-month-says-its-weeks",
        "bind/functions.py",
        """"week": ("day", "hour"),""",
        """"week": ("month", "day", "hour"),""",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "overlapping-bands-are-never-cut",
        "analyses/breach/plan.py",
        "if base not in whole)",
        "if base not in whole and not names)",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "the-condition-lets-every-value-through",
        "analyses/breach/candidates.py",
        "any_views.both(cut.conditions), bound.text_columns",
        "None, bound.text_columns",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "constants-stand-for-nobody",
        "analyses/breach/candidates.py",
        "[*_starts(cut), *_constants(cut)]",
        "[*_starts(cut)]",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "whole-numbers-between-whole-numbers",
        "analyses/breach/candidates.py",
        'if kind.sql == "DOUBLE":',
        'if kind.sql != "FLOAT":',
        ("breach/test_coarser.py",),
    ),
    Fault(
        "bands-below-nothing-begin-too-high",
        "sql/coarser.py",
        "exp.Sub(this=wide.copy(), expression=above)",
        "exp.Sub(this=wide.copy(), expression=rest)",
        ("breach/test_coarser.py", "sql/test_coarser.py"),
    ),
    Fault(
        "a-border-is-below-itself",
        "sql/coarser.py",
        "above = exp.GTE(this=compared.copy(), expression=border(1))",
        "above = exp.GT(this=compared.copy(), expression=border(1))",
        ("sql/test_coarser.py",),
    ),
    Fault(
        "a-view-of-bands-shows-the-value",
        "analyses/crowds/classes.py",
        "if not self.plan.blurs(view):",
        "if view.projects:",
        ("crowds/test_coarser.py",),
    ),
    Fault(
        "bands-prove-that-classes-are-crowds",
        "analyses/crowds/classes.py",
        "view.on_private or view.distinct or self.plan.blurs(view)",
        "view.on_private or view.distinct",
        ("crowds/test_coarser.py",),
    ),
    Fault(
        "uncovered-tuples-all-add",
        "worlds/views/cut_groups.py",
        "ways *= -1 if sum(missed) % 2 else 1",
        "ways *= 1",
        ("breach/test_coarser.py",),
    ),
    Fault(
        "those-who-are-like-me-are-left-out",
        "analyses/breach/cut_groups.py",
        "many=self.people.owners[k].many - (k == kind)",
        "many=self.people.owners[k].many * (k != kind)",
        ("breach/test_coarser.py",),
    ),
)

FAULTS = (*WORLDS, *PUBLISH, *SQL, *LEDGERS, *COARSER)
