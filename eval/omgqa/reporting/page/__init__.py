"""The report as one page that asks nothing of any other place, and reads without scripts."""
