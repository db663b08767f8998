"""Stands between EDA and a tool server: a line that never ends would fill EDA's memory. It runs by itself.

`python relay.py MOST COMMAND ARGS...` hands the server's lines on, and stops it at the first one of more bytes.
"""

import shutil
import subprocess
import sys
from typing import Any


def main(most: int, command: str, *args: str) -> int:
    """Return 1 where a line was too long, else what the server returned; it reads from the same input."""
    server = subprocess.Popen([shutil.which(command) or command, *args], stdout=subprocess.PIPE)  # noqa: S603 - the user's
    written: Any = server.stdout
    for line in iter(lambda: written.readline(most), b""):
        if len(line) == most and not line.endswith(b"\n"):
            sys.stdout.write("a line is too long\n")
            server.kill()
            return 1
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    return server.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
