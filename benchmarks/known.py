"""What others reached on the development corpora: the seed's patterns, plain rules, and the aim."""

from __future__ import annotations

KNOWN: dict[tuple[str, str], tuple[str, str, str]] = {
    ("w3c", "decision (labels)"): ("0.00", "0.98", "0.98"),
    ("w3c", "proposal found"): ("0.00", "0.99", "0.99"),
    ("w3c", "status macro-F1"): ("0.00", "0.55", "0.90"),
    ("w3c", "votes"): ("0.00", "1.00", "0.99"),
    ("w3c", "whole tally right"): ("0.00", "0.98", "0.98"),
    ("w3c, markers stripped", "proposal found"): ("0.00", "0.00", "0.50"),
    ("w3c, markers stripped", "votes"): ("0.00", "0.00", "0.60"),
    ("delidata", "final position exact"): ("-", "0.61", "0.75"),
    ("delidata", "final position of those who changed"): ("-", "0.61", "0.75"),
    ("delidata", "consensus accuracy"): ("-", "0.64", "0.80"),
    ("delidata", "proposal (labels)"): ("0.00", "0.34", "0.65"),
    ("delidata", "support (labels)"): ("0.16", "0.62", "0.75"),
    ("delidata", "oppose (labels)"): ("0.00", "0.12", "0.35"),
    ("delidata", "decision (labels)"): ("0.15", "0.30", "0.45"),
    ("ami", "proposal (labels)"): ("0.01", "0.41", "0.50"),
    ("ami", "linked reaction"): ("0.00", "0.16", "0.24"),
    ("panels", "proposal (labels)"): ("0.10", "0.15", "0.55"),
    ("panels", "decision (labels)"): ("0.00", "0.00", "0.50"),
    ("panels", "support (labels)"): ("0.03", "0.05", "0.55"),
    ("panels", "oppose (labels)"): ("0.00", "0.00", "0.40"),
    ("panels", "precision of shown decisions"): ("0.00", "0.00", "0.80"),
    ("panels", "linked reaction"): ("0.00", "0.00", "0.40"),
    ("panels", "held options exact"): ("-", "-", "0.70"),
    ("panels", "consensus accuracy"): ("-", "-", "0.80"),
    ("panels, declared moves", "proposal found"): ("-", "-", "1.00"),
    ("panels, declared moves", "votes"): ("-", "-", "1.00"),
    ("panels, declared moves", "whole tally right"): ("-", "-", "1.00"),
}
"""By corpus and measure."""
