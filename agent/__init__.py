"""The state machine that answers one question."""
