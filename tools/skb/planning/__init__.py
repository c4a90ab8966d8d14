"""Plans of queries over a knowledge base: what is mentioned, what may be required of answers, and what is likely."""
