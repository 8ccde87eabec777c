"""The native core: its data, how it is built, found and loaded."""
