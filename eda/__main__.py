"""`python -m eda`."""

import sys

from eda.cli import main

if __name__ == "__main__":
    sys.path[:1] = []  # `-m` puts the working folder there, and nothing is imported from it
    main()
