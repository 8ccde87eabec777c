"""Weaker play."""
