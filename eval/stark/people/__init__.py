"""What people do for a set of queries: they rate it (STaRK, Table 10), and write queries of their own (appendix C)."""
