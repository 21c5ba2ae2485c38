"""A real browser, headless: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

PROGRAM = shutil.which("chromium")
IS_CI = os.environ.get("CI") == "true"  # then its absence is a failure
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
Scheme = Literal["light", "dark"]


@contextmanager
def started() -> Iterator[Browser]:
    """The browser, for as long as it is needed."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=PROGRAM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(
    browser: Browser, path: Path, *, scheme: Scheme = "light", width: int = 1100, bypass: bool = False
) -> Iterator[Page]:
    """A page in a window of its own; `bypass` lets a test run a script in it, which the page itself forbids."""
    window = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=bypass)
    try:
        page = window.new_page()
        page.goto(path.as_uri())
        yield page
    finally:
        window.close()
