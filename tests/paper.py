"""Files of the kinds that people have, made by hand: PDF, Word, and a web server on the loopback."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import docx


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF; each page has lines of ASCII, or none, as a scan has."""
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"({line.translate(_ESCAPED)}) Tj T* " for line in lines)
        stream = f"BT /F1 11 Tf 14 TL 50 780 Td {shown}ET".encode() if lines else b""
        kids.append(f"{len(parts) + 1} 0 R")
        page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents"
        parts += [f"{page} {len(parts) + 2} 0 R >>".encode()]
        parts += [b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)]
    parts[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out, starts = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, io.SEEK_END)
    for number, part in enumerate(parts, 1):
        starts.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, part))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % start for start in starts))
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table))
    return out.getvalue()


_ESCAPED = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


def word(parts: Sequence[tuple[int, str] | list[list[str]]]) -> bytes:
    """Return a Word file of paragraphs, each with the level of its heading or 0, and of tables."""
    made, out = docx.Document(), io.BytesIO()
    for part in parts:
        if isinstance(part, list):
            table = made.add_table(len(part), len(part[0]))
            for row, cells in zip(table.rows, part, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif part[0]:
            made.add_heading(part[1], part[0])
        else:
            made.add_paragraph(part[1])
    made.save(out)
    return out.getvalue()


@contextmanager
def served(pages: Mapping[str, tuple[int, Mapping[str, str], bytes]]) -> Iterator[str]:
    """Serve answers (status, headers, body) by their paths; give the address, without a path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = pages.get(self.path, (404, {}, b"none"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                return  # the reader had enough

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
