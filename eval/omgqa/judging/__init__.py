"""Judging answers and evidence (OMG-QA, section 4): what a judge is asked, judges, and their words kept."""
