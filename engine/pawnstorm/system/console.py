"""What a Windows console needs. On other systems nothing here does anything, or what Python does anyway."""

import sys
import threading

from pawnstorm.system import WINDOWS, clock

INTERRUPTED_EXIT_CODE = 130
"""The exit code after Ctrl-C."""
CLOSING = 60.0  # seconds, more than Windows grants a program whose console is closed


def use_utf8():
    """Have the standard streams speak UTF-8 with \\n at the ends of lines, whatever the console's code page."""
    if WINDOWS:
        for stream in filter(None, (sys.stdin, sys.stdout, sys.stderr)):
            stream.reconfigure(encoding="utf-8", newline="\n")


def exit_on_interrupt():
    """Have Ctrl-C, Ctrl-Break and a closed console end the process at once, for programs that have nothing to save.

    On Windows no signal ends a read from a pipe, or a wait for a thread. Elsewhere KeyboardInterrupt is raised.
    """
    if WINDOWS:
        import os

        _listen(lambda event: os._exit(INTERRUPTED_EXIT_CODE))


def interrupt_on_close():
    """Have a console that is closed, or a session that ends, interrupt the main thread, as a SIGINT does.

    Windows ends the process some seconds later. Elsewhere a SIGHUP comes.
    """
    if WINDOWS:
        import _thread
        import time

        from pawnstorm.system import win32

        def closing(event):
            if event in (win32.CTRL_C_EVENT, win32.CTRL_BREAK_EVENT):
                return False  # Python hears these itself
            _thread.interrupt_main()
            time.sleep(CLOSING)  # the process may live until this returns
            return True

        _listen(closing)


_callbacks = []


def _listen(handler):
    """Have Windows call handler(event), in a thread of its own, when something happens to the console."""
    from pawnstorm.system import win32

    callback = win32.ConsoleHandler(handler)
    _callbacks.append(callback)  # ctypes does not keep it
    win32.SetConsoleCtrlHandler(callback, True)


def read_line(stream):
    """The next line of a byte stream. Ctrl-C, and a console that is closed, interrupt it in the main thread."""
    if not WINDOWS:
        return stream.readline()
    found, done = [], threading.Event()

    def read():
        try:
            found.append(stream.readline())
        except (OSError, ValueError):
            found.append(b"")
        finally:
            done.set()

    threading.Thread(target=read, daemon=True).start()
    clock.wait(done)
    return found[0]


def can_colour(stream):
    """Whether a Windows console obeys the escape sequences of colours; it is asked to."""
    import msvcrt

    from pawnstorm.system import win32

    handle, mode = msvcrt.get_osfhandle(stream.fileno()), win32.wintypes.DWORD()
    return bool(
        win32.GetConsoleMode(handle, mode)
        and win32.SetConsoleMode(handle, mode.value | win32.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
    )
