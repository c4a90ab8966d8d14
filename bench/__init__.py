"""Scripts that measure; each prints its figures beside those of a named peer or of the extractive default."""
