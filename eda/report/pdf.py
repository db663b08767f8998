"""Prints a page as a PDF, with the Chromium or Chrome that is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from eda.errors import EdaError, UsageError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_PATIENCE = 120
"""Seconds that the browser may take."""


def print_pdf(page: str, target: Path) -> None:
    """Print a page of HTML into a file.

    Raises:
        UsageError: no such browser is installed.
        EdaError: it could not print, or the disk refused.
    """
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise UsageError(
            "no Chromium or Chrome was found, which prints the PDF",
            hint="Install one, or write the page with --html and print that from a browser.",
        )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_text(page, "utf-8")
        as_root = (
            ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        )  # else Chromium does not start
        options = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", *as_root]
        paths = [
            f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={made}",
            source.as_uri(),
        ]
        try:
            subprocess.run([browser, *options, *paths], check=True, capture_output=True, timeout=_PATIENCE)  # noqa: S603 - a browser that the user installed
            shutil.copyfile(made, target)
        except (subprocess.SubprocessError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            raise EdaError(
                f"{browser} could not print {target} ({why})", hint="Write the page with --html and print that."
            ) from error
