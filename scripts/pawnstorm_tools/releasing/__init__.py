"""What is handed to users: the work of release.py, and of `pip install` in a clone (wheel_hook.py)."""
