"""The native core: its data, and how it is built, found and loaded."""
