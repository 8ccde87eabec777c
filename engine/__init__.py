"""The games, the search and everything else that knows no text protocol."""
