"""Semi-structured knowledge bases (STaRK, section 2): entities with documents, and typed relations between them."""
