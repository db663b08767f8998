"""The report on a debate: `report_of` gathers it, `write_prose` has a model write what a model writes better.

Names are imported when they are first used: every command formats its lines with `eda.report.formatting`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eda.report.gather import messages_of as messages_of
    from eda.report.gather import report_of as report_of
    from eda.report.model import ChoiceRow as ChoiceRow
    from eda.report.model import Condition as Condition
    from eda.report.model import Counted as Counted
    from eda.report.model import Dissent as Dissent
    from eda.report.model import Report as Report
    from eda.report.model import Run as Run
    from eda.report.model import Seat as Seat
    from eda.report.write import write_prose as write_prose

_HOMES = {"messages_of": "gather", "report_of": "gather", "write_prose": "write"}


def __getattr__(name: str) -> Any:
    if name in _HOMES or name in ("ChoiceRow", "Condition", "Counted", "Dissent", "Report", "Run", "Seat"):
        return getattr(import_module(f"eda.report.{_HOMES.get(name, 'model')}"), name)
    raise AttributeError(f"module 'eda.report' has no attribute {name!r}")
