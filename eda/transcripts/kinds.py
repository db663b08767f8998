"""The kinds of transcripts that come with EDA, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eda.panels.registry import line_of
from eda.transcripts import autogen, chat, cues, headed_text, langgraph, mallm, slack, table
from eda.transcripts.kind import TranscriptKind

_ROW = re.compile(r'\s*\{.*"speaker"\s*:')
_SUBRIP = re.compile(r"\s*\d+\s*\n\s*\d{1,4}:\d\d:\d\d,\d{1,3}\s*-->")

SHIPPED: Mapping[str, TranscriptKind] = {
    "jsonl": TranscriptKind("a JSON object with `speaker` and `text` on each line", _ROW.match, None),
    "csv": TranscriptKind("a table with a row of names first", table.claims, table.rows),
    "vtt": TranscriptKind(
        "WebVTT, with voices (Teams) or without",
        lambda head: head.startswith("WEBVTT") and not cues.names_speakers(head),
        cues.rows,
    ),
    "zoom": TranscriptKind(
        "WebVTT whose cues begin with a name and a colon",
        lambda head: head.startswith("WEBVTT") and cues.names_speakers(head),
        cues.rows,
    ),
    "srt": TranscriptKind("SubRip captions", _SUBRIP.match, cues.rows),
    "teams": TranscriptKind("text of Microsoft Teams", headed_text.is_teams, headed_text.rows),
    "otter": TranscriptKind("text of Otter", headed_text.is_otter, headed_text.rows),
    "slack": TranscriptKind("an export of Slack (folder or ZIP), or a channel's JSON", slack.claims, slack.rows),
    "chat": TranscriptKind("JSON with `role` and `content`, as the APIs of models have it", chat.claims, chat.rows),
    "autogen": TranscriptKind("a team's `save_state` of AutoGen", autogen.claims, autogen.rows),
    "langgraph": TranscriptKind("a checkpoint or messages of LangGraph", langgraph.claims, langgraph.rows),
    "mallm": TranscriptKind("results of MALLM", mallm.claims, mallm.rows),
}


def checked(part: object) -> TranscriptKind | None:
    """Return a user's part as a kind; None where it lacks `claims` or `rows`."""
    claims, rows = getattr(part, "claims", None), getattr(part, "rows", None)
    if isinstance(part, TranscriptKind) or not (callable(claims) and callable(rows)):
        return part if isinstance(part, TranscriptKind) else None
    return TranscriptKind(line_of(part), claims, rows)
