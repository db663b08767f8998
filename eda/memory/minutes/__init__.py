"""Proposals, decisions, reactions and positions, read out of messages."""
