"""Run a Windows program under Wine as if it were one of this system: `python under_wine.py PREFIX PROGRAM ARGUMENT...`.

Python does not start with a standard stream that Wine 8 takes from a file, hence a pipe for stderr. All that the program
starts stays below this process, which Wine would not see to, and dies with it.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading

SUBREAPER, DIE_WITH_PARENT = 36, 1  # of prctl()
WINE = "wine"
LAST_WORDS = 0.1  # seconds for stderr to come through after the end


def environment(prefix):
    """The environment for Wine's programs, whose Windows lies in the folder `prefix`."""
    return os.environ | {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


def main(prefix, *command):
    prctl = ctypes.CDLL(None).prctl
    prctl(SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program hears it itself
    process = subprocess.Popen(
        [WINE, *command],
        env=environment(prefix),
        stderr=subprocess.PIPE,
        preexec_fn=lambda: (
            prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0),
            signal.signal(signal.SIGINT, signal.SIG_DFL),
        ),
    )
    copier = threading.Thread(target=copy, args=(process.stderr.fileno(),), daemon=True)
    copier.start()
    code = process.wait()
    copier.join(LAST_WORDS)  # a service of Wine's may hold the pipe
    os._exit(code)


def copy(pipe):
    while data := os.read(pipe, 1 << 16):
        os.write(2, data)


if __name__ == "__main__":
    main(*sys.argv[1:])
