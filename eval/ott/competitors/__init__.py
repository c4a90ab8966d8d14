"""What HELIOS is compared with, each a retriever of the same harness (HELIOS, section 5)."""
