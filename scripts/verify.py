"""Check a proof of who wins: `python scripts/verify.py FILE`."""

__extra__ = "solve"

from pawnstorm_tools import startup

if __name__ == "__main__":
    startup.run("verify")
