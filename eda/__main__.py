"""`python -m eda`."""

import os
import sys

if sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109 - a Path costs more
    del sys.path[0]  # `-m` puts the working folder there, and nothing is imported from it

from eda.cli import main

if __name__ == "__main__":
    main()
