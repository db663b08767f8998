"""The report on a debate: `report_of` gathers it, `write_prose` has a model write what a model writes better."""

from eda.report.gather import messages_of, report_of
from eda.report.model import ChoiceRow, Condition, Counted, Dissent, Report, Run, Seat
from eda.report.write import write_prose

__all__ = [
    "ChoiceRow",
    "Condition",
    "Counted",
    "Dissent",
    "Report",
    "Run",
    "Seat",
    "messages_of",
    "report_of",
    "write_prose",
]
