"""How a double reads as text, in Spark's words: as few digits as tell it from all others, `1.0` and `1e+20`.

Java before 19 writes a digit or two too many of some numbers, all of them with an exponent: from what it writes, and of
whole numbers from all of their digits, those are taken off that the number does without.
"""

from __future__ import annotations

# What stands below is parsed once, with x in the place of what Spark calls the number. A part that is needed more than
# once is given a name by a list of it alone, whose members are mapped.
_EXACT = "abs(d) >= 9007199254740992 AND abs(d) < 9223372036854774784"  # all digits are in a whole number of 64 bits
_ALL = "CAST(abs(CAST(d AS BIGINT)) AS STRING)"
_WHOLE = f"concat(left({_ALL}, 1), '.', substr({_ALL}, 2), 'E', length({_ALL}) - 1)"
_WRITTEN = f"CASE WHEN {_EXACT} THEN {_WHOLE} ELSE CAST(abs(d) AS STRING) END"
_SHORTER = " ".join(
    f"WHEN CAST(concat(CAST(bround(p.m, {digits}) AS STRING), 'E', p.e) AS DOUBLE) = abs(d) "
    f"THEN CAST(bround(p.m, {digits}) AS STRING)"
    for digits in (14, 15, 16)
)
_PARTS = (
    "named_struct('m', CAST(substring_index(w, 'E', 1) AS DECIMAL(20, 18)), 'e', "
    "CAST(substring_index(w, 'E', -1) AS INT))"
)
_MANTISSA = f"regexp_replace(regexp_replace(CASE {_SHORTER} ELSE CAST(p.m AS STRING) END, '[.]?0+$', ''), '^10$', '1')"
_NAMED = (  # what is rounded may become ten
    "CASE WHEN r = '1' AND p.m > 5 THEN named_struct('m', '1', 'n', '1', 'e', p.e + 1) "
    "ELSE named_struct('m', r, 'n', replace(r, '.', ''), 'e', p.e) END"
)
_LAID_OUT = (
    "CASE WHEN q.e BETWEEN -4 AND -1 THEN concat('0.', repeat('0', -q.e - 1), q.n) "
    "WHEN q.e BETWEEN 0 AND 15 THEN CASE WHEN length(q.n) > q.e + 1 "
    "THEN concat(left(q.n, q.e + 1), '.', substr(q.n, q.e + 2)) ELSE concat(rpad(q.n, q.e + 1, '0'), '.0') END "
    "ELSE concat(q.m, 'e', CASE WHEN q.e < 0 THEN '-' ELSE '+' END, CASE WHEN abs(q.e) < 10 THEN '0' ELSE '' END, "
    "CAST(abs(q.e) AS STRING)) END"
)


def _given(what: str, name: str, then: str) -> str:
    return f"element_at(transform(array({what}), {name} -> {then}), 1)"


_ODD = (
    "WHEN isnan(d) THEN 'nan' WHEN d = CAST('inf' AS DOUBLE) THEN 'inf' WHEN d = CAST('-inf' AS DOUBLE) THEN '-inf' "
    "WHEN d = 0 OR (abs(d) >= 1e-3 AND abs(d) < 1e7) THEN CAST(d AS STRING)"
)
_FROM_MANTISSA = _given(_NAMED, "q", f"concat(CASE WHEN d < 0 THEN '-' ELSE '' END, {_LAID_OUT})")
_FROM_PARTS = _given(_MANTISSA, "r", _FROM_MANTISSA)
_FROM_WRITTEN = _given(_WRITTEN, "w", _given(_PARTS, "p", _FROM_PARTS))
NUMBER_TEXT = _given("try_cast(x AS DOUBLE)", "d", f"CASE {_ODD} WHEN d IS NULL THEN NULL ELSE {_FROM_WRITTEN} END")

FUNCTION = "deniable_number_text"  # of a session of ours; of what Spark calls the number
DEFINED = f"CREATE OR REPLACE TEMPORARY FUNCTION {FUNCTION}(x STRING) RETURNS STRING RETURN {NUMBER_TEXT}"
