"""Recorded transcripts: kinds of files, their rows, and what memory finds in them."""
