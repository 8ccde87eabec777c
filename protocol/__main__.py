"""The console script `pawnstorm`, and `python -m protocol`.

Without a word it speaks UCI on stdin and stdout. With words it does one thing and ends: `build` makes the native core ahead of its
first use, any other word is a line of the protocol, as in `pawnstorm bench` or `pawnstorm go perft 6`.
"""

import os
import sys


def main():
    """Run; returns the exit code."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130   # whoever interrupts it wants no traceback
    sys.stderr.flush()
    # Search threads may still be inside a kernel; nothing they hold matters any more.
    os._exit(code)


def run(words):
    """Do what the words of the command line ask for; returns the exit code."""
    from protocol.uci import Uci

    if words == ["build"]:
        from engine import native
        core = native.core()
        print(f"native core for {core.level}: {core.source}", flush=True)
    elif not words:
        Uci(sys.stdin.buffer, sys.stdout.buffer).run()
    elif not Uci(None, sys.stdout.buffer).once(" ".join(words)):
        print(f"pawnstorm: unknown word '{words[0]}': expected build, bench, or a line of UCI such as go perft 5", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    main()
