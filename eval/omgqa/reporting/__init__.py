"""The report of a grid of systems, and the comparison of two: results in, text out."""
