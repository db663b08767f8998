"""Studies: a file says what is varied, a cell of it is a session, and every table is a fold over sessions."""

from eda.study.study import Study

__all__ = ["Study"]
