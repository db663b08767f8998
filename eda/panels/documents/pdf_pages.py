"""Writes the text of each page of the PDF at standard input, a JSON line a page. A process of its own, with bounds.

`pdf.py` runs it by its path: a file that takes too much time or memory, or crashes its reader, ends nothing else.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sys

_MEMORY = 2_000_000_000


def main(most: int, longest: int) -> None:
    """Write the number of pages, then the text of each of the first `most`, up to `longest` characters; or a fault."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # a system without such limits has the one on time
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        from pypdf import PdfReader  # noqa: PLC0415 - an extra
        from pypdf.errors import DependencyError  # noqa: PLC0415
    except ImportError:
        _write(fault="missing")
        return
    logging.disable()
    try:
        reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
        if reader.is_encrypted and not reader.decrypt(""):
            _write(fault="password")
            return
        _write(pages=len(reader.pages))
    except DependencyError:
        _write(fault="cipher")
        return
    except Exception:  # noqa: BLE001 - a broken file fails in any way
        _write(fault="broken")
        return
    size = 0
    for number in range(min(most, len(reader.pages))):
        if size > longest:
            return
        try:
            text = reader.pages[number].extract_text()
        except Exception:  # noqa: BLE001
            text = ""
        size += len(text)
        _write(text=text.encode("utf-8", "replace").decode("utf-8"))


def _write(**row: object) -> None:
    print(json.dumps(row), flush=True)  # noqa: T201 - read by the parent


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
