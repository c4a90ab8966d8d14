"""Semi-structured knowledge bases as sources of answers (STaRK)."""
