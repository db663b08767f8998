"""Recorded transcripts: kinds of files, their rows, and what memory finds in them."""

from eda.debate.transcripts.analysis import analyze as analyze
from eda.debate.transcripts.conversation import conversation_report as conversation_report
from eda.debate.transcripts.conversation import minutes_report as minutes_report
from eda.debate.transcripts.conversation import stored_rows as stored_rows
from eda.debate.transcripts.read import Transcripts as Transcripts
from eda.debate.transcripts.read import read_transcripts as read_transcripts
from eda.debate.transcripts.rows import Row as Row
from eda.debate.transcripts.rows import Rows as Rows
