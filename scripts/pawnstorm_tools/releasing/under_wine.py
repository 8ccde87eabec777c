"""Run a Windows program under Wine like a native one: `python under_wine.py PREFIX PROGRAM ARGUMENT...`.

Under Wine 8, Python does not start if a standard stream is a file, so stderr goes through a pipe. Under Wine, the processes
that a program starts can outlive it. Here they become children of this process, and so belong to its process tree, which can
be ended as a whole. The program itself is killed when this process ends.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading

SUBREAPER, DIE_WITH_PARENT = 36, 1  # of prctl()
WINE = "wine"
LAST_WORDS = 0.1  # seconds to wait for the rest of stderr after the end


def environment(prefix):
    """The environment of a program under Wine; `prefix` is the Wine prefix, the folder of the Windows in which it runs."""
    return os.environ | {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


def main(prefix, *command):
    prctl = ctypes.CDLL(None).prctl
    prctl(SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the Windows program gets the signal too
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
