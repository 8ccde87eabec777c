"""`pawnstorm course`: runs the client or the server, as the command line asks."""

import os
import sys
import threading

from pawnstorm import pgn
from pawnstorm.system import signals
from pawnstorm_protocol.client.debuglog import DebugLog
from pawnstorm_protocol.course import arguments


def run(argv):
    """Run the client or the server; returns the exit code. Raises SystemExit for -h, and for wrong options."""
    settings = arguments.parse(argv)
    signals.interrupt_once()
    sys.stdout.reconfigure(errors="replace")
    try:
        log = DebugLog(settings.log) if settings.log else None
    except OSError as error:
        print(f"pawnstorm: --log '{settings.log}': {error.strerror or error}", file=sys.stderr)
        return 2
    try:
        return _connect(settings, log) if settings.port is None else _serve(settings, log)
    except OSError as error:
        print(f"pawnstorm: {error}", file=sys.stderr)
        return 1


def _connect(settings, log):
    from pawnstorm_protocol.course.session import Session

    writer = log.writer("client") if log else lambda mark, text: None

    def note(text):
        writer("#", text)
        _print(text, sys.stderr if text.startswith("warning") else sys.stdout)

    try:
        session = Session(settings, note, writer)
    except (OSError, MemoryError) as error:
        host, port = settings.address
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        print(f"pawnstorm: cannot play at {place}: {error}", file=sys.stderr)
        return 1
    broken = False
    try:
        broken = session.run()
    finally:  # also after Ctrl-C
        session.close()
        outcomes = [won for won, _ in session.client.results]
        note(
            f"{outcomes.count(True)} won, {outcomes.count(False)} lost"
            + ("; the connection was closed before the end" if broken else "")
        )
    return int(broken)


def _serve(settings, log):
    from pawnstorm_protocol.course.server import Server

    if settings.engine and (fault := _fault(settings)):
        print(f"pawnstorm: {fault}", file=sys.stderr)
        return 2
    lock = threading.Lock()

    def say(text):
        with lock:
            _print(text, sys.stdout)

    def record(text):
        try:
            with lock:
                pgn.append(settings.pgn, text)
        except OSError as error:
            print(
                f"pawnstorm: --pgn '{settings.pgn}' cannot be written: {error.strerror}; the game is printed instead",
                file=sys.stderr,
            )
            say(text)

    server = Server(settings, say, record if settings.pgn else None, log)
    say(f"listening on {settings.host} port {server.port}")
    server.run()
    return 0


def _fault(settings):
    """Why the engine cannot play with these settings; None if it can.

    The engine is tried now, so that a fault is found before an agent comes. The engine's messages about the values of its
    options are printed.
    """
    from pawnstorm_protocol.client.pump import EngineFault
    from pawnstorm_protocol.course.opponent import Opponent

    engine = Opponent(settings.engine, settings.options)
    try:
        engine.prepare(settings.board, settings.seconds)
    except EngineFault as fault:
        return f"--engine: {fault}"
    else:
        for text in engine.notes:
            print(f"pawnstorm: {engine.name}: {text}", file=sys.stderr)
        return None
    finally:
        engine.leave()


def _print(text, stream):
    """Print for people. If nobody reads the stream any more, it is silenced."""
    try:
        print(text, file=stream, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # or Python would report the error again at its exit
