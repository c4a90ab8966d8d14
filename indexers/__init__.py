"""Pages become trees of evidence, and the evidence becomes searchable."""
