"""Text protocols in front of engine/."""
