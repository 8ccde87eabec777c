"""The files that users download: the work of release.py, and of `pip install` in a clone (wheel_hook.py)."""
