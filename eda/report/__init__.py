"""The report on a debate: `report_of` gathers it, `write_prose` has a model write what a model writes better."""

from eda.report.gather import messages_of, report_of
from eda.report.parts import Counted, Dissent, Mind, Report, Row, Run, Seat
from eda.report.prose import write_prose

__all__ = [
    "Counted",
    "Dissent",
    "Mind",
    "Report",
    "Row",
    "Run",
    "Seat",
    "messages_of",
    "report_of",
    "write_prose",
]
