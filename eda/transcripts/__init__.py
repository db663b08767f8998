"""Recorded transcripts: kinds of files, their rows, and what memory finds in them."""

from eda.transcripts.analysis import analyze as analyze
from eda.transcripts.analysis import conversation_report as conversation_report
from eda.transcripts.analysis import minutes_report as minutes_report
from eda.transcripts.analysis import stored_rows as stored_rows
from eda.transcripts.analysis import take_minutes as take_minutes
from eda.transcripts.kind import Row as Row
from eda.transcripts.read import Transcripts as Transcripts
from eda.transcripts.read import read_transcripts as read_transcripts
