"""Words, sentences, numbers, dates, units and names as every part of Heliograph reads them."""
