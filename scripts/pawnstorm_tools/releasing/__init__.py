"""Makes the files that users download, for release.py and for `pip install` in a clone (wheel_hook.py)."""
