"""Queries whose words a language model writes and whose answers several models check (STaRK, section 2.4)."""
