"""Run by a Windows Python: `console_events.py PROGRAM ARGUMENT...` presses Ctrl-C in a console that it shares with the
program, and prints one line of JSON: the exit code, how many seconds the end took, and the program's output. It fails
unless the program ends with the exit code of an interrupt.

It presses once the program has printed PROMPT, if it is `play`, or REPORT; without arguments the program is an engine of
UCI, which is made to search first. A program that does not print it within BEGINS seconds is killed.
"""

import ctypes
import json
import subprocess
import sys
import threading
import time

PROMPT, REPORT = b"> ", b"info"
BEGINS, DEADLINE, ENDED = 60, 20, 130


def main(*command):
    kernel32 = ctypes.WinDLL("kernel32")
    kernel32.FreeConsole()
    kernel32.AllocConsole()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as process:
        heard = begun(process, command[1:])
        kernel32.SetConsoleCtrlHandler(None, True)  # not for this process
        pressed = time.perf_counter()
        kernel32.GenerateConsoleCtrlEvent(0, 0)
        try:
            code = process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            process.kill()
            code = None
        took = time.perf_counter() - pressed
        heard += process.stdout.read()
        told = {"code": code, "seconds": took, "out": heard.decode(), "err": process.stderr.read().decode()}
        print(json.dumps(told), flush=True)
        return code != ENDED


def begun(process, words):
    """Wait until the program is at work; what it has printed so far."""
    if not words:
        process.stdin.write(b"go infinite\n")
    heard, sign = b"", PROMPT if words[:1] == ("play",) else REPORT
    late = threading.Timer(BEGINS, process.kill)  # which ends its output
    late.start()
    try:
        while sign not in heard and (more := process.stdout.read(1000)):
            heard += more
    finally:
        late.cancel()
    return heard


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
