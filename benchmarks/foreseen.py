"""What `--dry-run` foresees, held against what a server counts: `python benchmarks/foreseen.py`.

Every panel that comes with EDA, at five lengths of replies of which the forecast knows nothing, over real HTTP with the
real SDK; report included. Deterministic.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from results import told

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from test_forecast import Counting, debated

from eda.panels.panel import Library

LENGTHS = (60, 100, 150, 200, 220)
"""Words of a speech."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    args = parser.parse_args()
    lines = [
        "Tokens foreseen as usual, over those counted; (-) where the count was outside the range that is shown.",
        "",
        f"| panel | {' | '.join(f'{words} words' for words in LENGTHS)} |",
        "|---|" + "---|" * len(LENGTHS),
    ]
    held = 0
    with Counting() as server:
        for panel in sorted(Library().panels):
            cells = []
            for words in LENGTHS:
                foreseen, result = debated(server, panel, words, 4.0, {}, ())
                least, usual, most = (total.tokens for total in foreseen.totals)
                within = least <= result.spent.tokens <= most
                held += within
                cells.append(f"{usual / result.spent.tokens:.2f}" + ("" if within else " (-)"))
            lines.append(f"| {panel} | {' | '.join(cells)} |")
    lines += ["", f"The range held in {held} of {len(LENGTHS) * len(Library().panels)}."]
    told("foreseen", "python benchmarks/foreseen.py --write", "\n".join(lines), write=args.write)


if __name__ == "__main__":
    main()
