"""Models that turn text into vectors; each file imports its library on first use."""
