"""A verdict as JUnit's XML, which build servers show: a test case for each check. No cell of a table is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from deniable.analyses.verdict import Finding, Part, Verdict
from deniable.report.sentences.audit import SAID, finding_line, finding_name, left_out_line, warning
from deniable.report.verdict import verdict_reasons, verdict_steps
from deniable.words import visible

# What no XML document may hold, however it is written; other controls are shown as on a terminal.
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOTHING_REQUIRED = "nothing was required: the check is beside a usual limit, and has no verdict"


def verdict_junit(verdict: Verdict) -> str:
    """The document. Checks that were not required, not made or have no world are skipped ones, with the reason."""
    cases = [*_cases(verdict)]
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": "0",
        "skipped": str(sum(case.find("skipped") is not None for case in cases)),
    }
    root = ElementTree.Element("testsuites", {"name": "deniable", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _text(verdict.release.title), **counts})
    suite.extend(cases)
    told = [SAID[type(verdict.parts[0])].title(verdict.parts[0], verdict.release)]
    told += [finding_line(finding) for finding in verdict.findings]
    told += [*verdict_reasons(verdict), *verdict_steps(verdict)]
    ElementTree.SubElement(suite, "system-out").text = _text("\n".join(told))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _cases(verdict: Verdict) -> Iterator[ElementTree.Element]:
    for part in verdict.parts:
        for finding in part.findings:
            case = _case(verdict, finding_name(finding))
            _judge(case, verdict, part, finding)
            yield case
    for check, why in verdict.left_out:
        case = _case(verdict, check)
        ElementTree.SubElement(case, "skipped", message=_text(left_out_line(check, why)))
        yield case


def _case(verdict: Verdict, name: str) -> ElementTree.Element:
    file = verdict.release.locations.file
    named = {"classname": _text(f"deniable.{Path(file).stem or verdict.release.name}"), "name": _text(name)}
    return ElementTree.Element("testcase", named | ({"file": _text(file)} if file else {}))


def _judge(case: ElementTree.Element, verdict: Verdict, part: Part, finding: Finding) -> None:
    line = finding_line(finding)
    if not verdict.required:
        ElementTree.SubElement(case, "skipped", message=_text(f"{_NOTHING_REQUIRED}; {line}"))
    elif finding.verdict == "fail":
        reasons = SAID[type(part)].reasons(part, verdict.release)
        ElementTree.SubElement(case, "failure", message=_text(line), type="requirement").text = _text(
            "\n".join([line, *reasons])
        )
    elif finding.verdict != "pass":
        ElementTree.SubElement(case, "skipped", message=_text(line))
    if verdict.warn_at is not None and verdict.warns_of(finding):
        ElementTree.SubElement(case, "system-out").text = _text(warning(finding, verdict.warn_at))


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", visible(text))
