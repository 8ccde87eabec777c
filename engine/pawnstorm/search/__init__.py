"""The search: its facade, its threads and its time."""
