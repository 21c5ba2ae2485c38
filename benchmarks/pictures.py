"""The pictures of reports in docs, taken in a headless browser: `make pictures`."""

from __future__ import annotations

import os
import tempfile
from contextlib import chdir, suppress
from pathlib import Path

from tests.report.browser import Scheme, started

PLACE = Path(__file__).parents[1] / "docs" / "pictures"
PICTURES: dict[str, tuple[str, Scheme, int, int, str]] = {  # command, colours, width, height, and what comes first
    "report-light": ("audit hospital.yaml", "light", 1180, 900, ""),
    "report-dark": ("audit hospital.yaml", "dark", 1180, 900, "#checks"),
    "report-phone": ("audit ward.yaml", "light", 390, 844, ""),
    "repair-light": ("repair hospital.yaml", "light", 1180, 900, "#repairs"),
}


def main() -> None:
    """Every picture, of reports about the built-in examples."""
    from deniable.cli import run
    from deniable.examples import write_examples

    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chdir(folder), started() as browser:
        write_examples(Path(folder))
        for name, (command, scheme, width, height, place) in PICTURES.items():
            with suppress(SystemExit):
                run([*command.split(), "--html", f"{name}.html"])
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=1.5
            )
            page.goto(f"{Path(f'{name}.html').resolve().as_uri()}{place}")
            page.screenshot(path=os.fspath(PLACE / f"{name}.png"))
            page.close()


if __name__ == "__main__":
    main()
