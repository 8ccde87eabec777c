"""What a Windows console needs. On other systems these functions do nothing, or only what Python does anyway.

can_colour() is the exception: it runs on Windows only.
"""

import sys
import threading

from pawnstorm.system import WINDOWS, clock

INTERRUPTED_EXIT_CODE = 130
"""The exit code after Ctrl-C."""
CLOSING = 60.0  # seconds, more than Windows gives a program whose console is closed


def use_utf8():
    """Make the standard streams use UTF-8 with \\n at the ends of lines, whatever the console's code page."""
    if WINDOWS:
        for stream in filter(None, (sys.stdin, sys.stdout, sys.stderr)):
            stream.reconfigure(encoding="utf-8", newline="\n")


def exit_on_interrupt():
    """Make Ctrl-C, Ctrl-Break and a closed console end the process at once, for programs that have nothing to save.

    Windows needs this, because no signal ends a read from a pipe or a wait for a thread there. On other systems this does
    nothing, and Ctrl-C raises KeyboardInterrupt.
    """
    if WINDOWS:
        import os

        _listen(lambda event: os._exit(INTERRUPTED_EXIT_CODE))


def interrupt_on_close():
    """Make the end of the console or of the session interrupt the main thread, as a SIGINT does.

    Windows ends the process some seconds later. On other systems this does nothing: there the process receives a SIGHUP.
    """
    if WINDOWS:
        import _thread
        import time

        from pawnstorm.system import win32

        def closing(event):
            if event in (win32.CTRL_C_EVENT, win32.CTRL_BREAK_EVENT):
                return False  # Python handles these itself
            _thread.interrupt_main()
            time.sleep(CLOSING)  # the process may live until this returns
            return True

        _listen(closing)


_callbacks = []


def _listen(handler):
    """Make Windows call handler(event), in a thread of its own, when something happens to the console."""
    from pawnstorm.system import win32

    callback = win32.ConsoleHandler(handler)
    _callbacks.append(callback)  # ctypes does not keep it
    win32.SetConsoleCtrlHandler(callback, True)


def read_line(stream):
    """Read the next line of a byte stream. In the main thread, Ctrl-C and the end of the console interrupt this."""
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
    """Turn on the escape sequences for colours in a console; returns whether the console accepts them. For Windows only."""
    import msvcrt

    from pawnstorm.system import win32

    handle, mode = msvcrt.get_osfhandle(stream.fileno()), win32.wintypes.DWORD()
    return bool(
        win32.GetConsoleMode(handle, mode)
        and win32.SetConsoleMode(handle, mode.value | win32.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
    )
