"""`python -m eda`."""

from eda.cli import main

if __name__ == "__main__":
    main()
