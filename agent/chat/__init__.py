"""Conversations: a follow-up becomes a question that stands alone, and lines typed become questions and commands."""
