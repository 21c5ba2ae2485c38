"""How a page looks: light and dark, on paper, on a phone. Every rule holds below the class `deniable` only, so that
cards can stand in somebody else's page, such as a notebook. The rules are in the .css files beside this one."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files


def _rules(name: str) -> str:
    """A file of rules, as short as it can be."""
    return files(__package__).joinpath(f"{name}.css").read_text(encoding="utf-8").replace("\n  ", "")


_LIGHT = (
    "--paper:#ffffff;--card:#ffffff;--soft:#f4f6f8;--ink:#16191d;--quiet:#545d68;--line:#d5dae0;--fail:#a81f17;"
    "--fail-soft:#fdecea;--pass:#17643a;--pass-soft:#e6f4ec;--other:#5b4a00;--other-soft:#fbf3d6;--link:#1553a0;"
    "--over:#c0392b;--near:#e3a08f;--within:#5f87b3;--beyond:#fdf1ef;--focus:#1553a0"
)
_DARK = (
    "--paper:#121417;--card:#1a1d21;--soft:#20242a;--ink:#eceff2;--quiet:#aeb7c1;--line:#3a414a;--fail:#ffa198;"
    "--fail-soft:#3b1a18;--pass:#86dfa9;--pass-soft:#14301f;--other:#f0d885;--other-soft:#332b10;--link:#9cc5ff;"
    "--over:#f2695c;--near:#96503f;--within:#6f9fd1;--beyond:#2a1918;--focus:#9cc5ff"
)
_PRINT = (
    "--paper:#fff;--card:#fff;--soft:#fff;--ink:#000;--quiet:#333;--line:#999;--fail:#000;--fail-soft:#fff;--pass:#000;"
    "--pass-soft:#fff;--other:#000;--other-soft:#fff;--link:#000;--over:#222;--near:#888;--within:#c4c4c4;"
    "--beyond:#f3f3f3"
)


def _themed(paper: str) -> str:
    dark = f"@media (prefers-color-scheme:dark){{.deniable{{{_DARK};color-scheme:dark}}}}"
    return f".deniable{{{_LIGHT};color-scheme:light}}\n{dark}\n{_rules('everywhere')}{paper}"


_PAPER = f"@media print{{.deniable{{{_PRINT};color-scheme:light}}{_rules('on_paper')}}}"
PAGE = f"{_themed(_rules('whole_page'))}{_PAPER}"
# A notebook says itself whether it is dark: its own word counts, not the system's.
_NOTEBOOK = "".join(
    f"[data-jp-theme-light={said}] .deniable{{{colours};color-scheme:{name}}}"
    for said, colours, name in (("true", _LIGHT, "light"), ("false", _DARK, "dark"))
)
FRAGMENT = f"{_themed('.deniable{padding:.8rem 1rem;border-radius:8px}.deniable .badge{margin:0}')}{_NOTEBOOK}"
_DRAWN = "".join(rule for rule in _rules("everywhere").splitlines() if rule.startswith(".deniable .chart"))
ALONE = f"svg.deniable{{{_LIGHT}}}{_DRAWN}".replace(".deniable .chart", "svg.deniable.chart")  # a drawing by itself


def policy(style: str) -> str:
    """Nothing may be loaded, run or sent; this style may be used, and no other."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
