"""Wrong inputs that were made to break something: each once ended in a traceback, or took all memory."""

# ruff: noqa: E501

from __future__ import annotations

from tests.mistakes.cases import Case, added, changed

AGAIN = changed(("private: problem", "private: problem\nquasi: [age, job]\nrepublish: {m: 2, n: 1}"))
NO_CHARACTER = "not valid YAML: expected characters and numbers that there are; found another"
LEVELS = "expected at most 64 levels of keys and lists, aliases written out; found more"
MANY = "expected at most 100,000 values, aliases written out; found more"
NUL = "expected text; found the control character U+0000"
HALF = "expected whole characters; found half of one"
BOMB = "domain:\n- &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"- &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
CHAIN = "domain:\n- &a0 [x]\n" + "".join(f"- &a{i} [*a{i - 1}]\n" for i in range(1, 3_000))
NAMES = ", ".join(["name"] * 50)
HISTORY = "identifier: [{names}]\nprivate: problem\nhistory: {{releases: [r1.csv], population: people.csv}}\n"
HISTORY_FILES = {
    "r1.csv": "group,problem\n1,SECRETCELL\n1,HIV\n",
    "people.csv": "release,group,name,problem\n1,1,Bill,SECRETCELL\n1,1,John,HIV\n",
}


def bad_option(name: str, what: str, command: str) -> Case:
    """What the command line says of an option's value, below how the command is used."""
    verb = command.split(maxsplit=1)[0]
    usage = f"Usage: deniable {verb} [OPTIONS] SPEC\nTry 'deniable {verb} --help' for help.\n\n"
    return Case(name, f"{usage}Error: Invalid value for {what}\n", release=AGAIN, command=command, check=False)


HOSTILE = [
    Case("aliases that stand for millions of values", f"release.yaml:8:13: {MANY}\n", release=added(BOMB)),
    Case("three thousand aliases in a chain", f"release.yaml:8:8: {LEVELS}\n", release=added(CHAIN)),
    Case("a character beyond all", f"release.yaml:7:10: {NO_CHARACTER}\n", release=added('name: "\\UFFFFFFFF"\n')),
    Case("a character just beyond", f"release.yaml:7:10: {NO_CHARACTER}\n", release=added('name: "\\U00110000"\n')),
    Case("a version of thousands of digits", f"release.yaml:1:9: {NO_CHARACTER}\n", release=f"%YAML 1.{'9' * 5_000}\n---\n{added('')}"),
    Case("half of a character as a key", f"release.yaml:7:1: {HALF}\n", release=added('"\\ud83d": x\n')),
    Case("half of a character as a value", f"release.yaml:7:8: {HALF}\n", release=added('quasi: "\\ud83d"\n')),
    Case(
        "two halves of a character as a key",
        """\
release.yaml:7:1: unknown key 😀; expected one of table, name, identifier, quasi, private, public, domain, views, secret, published, knowledge, republish, ledger, history, algorithm, columns, generalize, rename, withhold, types, encoding, decimal, require
""",
        release=added('"\\ud83d\\ude00": x\n'),
    ),
    Case("an alias of a value", "release.yaml:7:10: not valid YAML: found undefined alias another\n", release=added("domain: [*SECRETCELL]\n")),
    Case("a NUL in the table's path", f"release.yaml:1:8: {NUL}\n", release=changed(("patients.csv", '"pat\\0ients.csv"'))),
    Case("a NUL in a column's name", f"release.yaml:7:8: {NUL}\n", release=added('quasi: "a\\0b"\n')),
    Case("a release file without end", "release.yaml: expected a release file of at most 4,000,000 bytes; found more\n", release="#" * 4_000_001),
    Case(
        "a number of thousands of digits",
        f"release.yaml:7:29: require.crowd.at_least: expected a whole number; found {'9' * 79}…\n",
        release=added(f"require: {{crowd: {{at_least: {'9' * 5_000}}}}}\n"),
    ),
    Case(
        "a group of 10^300 values",
        f"release.yaml:5:16: republish.m: expected a whole number of at most 1,000; found 1{'0' * 78}…\n",
        release=AGAIN.replace("m: 2", f"m: 1{'0' * 300}"),
        command="republish release.yaml --begin --out out",
    ),
    Case(
        "knowledge that is given by nothing",
        "release.yaml:6:21: knowledge.given: expected at least one entry; found an empty list\n",
        release=AGAIN.replace("views:", "knowledge: [{given: [], estimate: true}]\nviews:"),
        command="bucketize release.yaml --r 2 --out out",
    ),
    Case("an identifier fifty times", "release.yaml:2:20: identifier: expected name once; found it 50 times\n", release=changed(("identifier: name", f"identifier: [{NAMES}]"))),
    Case(
        "an identifier fifty times in a history",
        "release.yaml:1:20: identifier: expected name once; found it 50 times\n",
        release=HISTORY.format(names=NAMES),
        files=HISTORY_FILES,
        command="attack release.yaml --out out.csv",
    ),
    bad_option("a seed below nothing for groups", "'--seed': -1 is not in the range x>=0.", "bucketize release.yaml --r 2 --out out --seed -1"),
    bad_option("a seed below nothing for releases", "'--seed': -1 is not in the range x>=0.", "republish release.yaml --begin --out out --seed -1"),
    bad_option("a seed below nothing for queries", "'--seed': -1 is not in the range x>=0.", "utility release.yaml --release out --seed -1"),
    bad_option("states of thirty digits", f"'--states': {'9' * 30} is not in the range 1<=x<=4294967296.", f"linkage release.yaml --states {'9' * 30}"),
    Case("a person in other bytes", "--who: expected UTF-8 text; found other bytes\n", command="explain release.yaml --who Bi\udcff", check=False),
    Case("a folder in other bytes", "--out: expected UTF-8 text; found other bytes\n", release=AGAIN, command="republish release.yaml --begin --out o\udcff", check=False),
    Case("a release file in other bytes", "SPEC: expected UTF-8 text; found other bytes\n", command="check rel\udcff.yaml", check=False),
]  # fmt: skip
