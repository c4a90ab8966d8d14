"""Queries made from a knowledge base, with all their answers, as STaRK makes them (section 2.4, appendices A and E)."""
