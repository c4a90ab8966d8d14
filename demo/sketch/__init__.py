"""Drawings of the demo corpus."""
