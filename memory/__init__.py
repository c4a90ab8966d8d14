"""What outlives a step: pages, evidence, rounds, and the trace of every run."""
