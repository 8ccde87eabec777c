"""Start-up and error handling for all programs of scripts/. A program imports this first: from then on Ctrl-C ends it
quietly, and a missing library is named in one line. program() turns the errors that a program expects into one line and
an exit code.

A program's `__extra__` names the optional dependencies of pyproject.toml that the program needs.
"""

import contextlib
import functools
import importlib
import os
import sys

_before = sys.excepthook
SPECIAL = {"distributed": "cluster", "jinja2": "report", "vl_convert": "report"}
"""Library that only some arguments need -> the extra of pyproject.toml that installs it."""
LIBRARIES = (*SPECIAL, "cyclonedx", "llvmlite", "numba", "numpy", "pyarrow", "pyspiel", "scipy", "tqdm")
WRONG, STOPPED = 2, 130
"""Exit codes: an error that one line reports; Ctrl-C."""
LONGEST = 1000
"""Largest number of an error's characters that are printed."""


def _hook(kind, error, trace):
    """Ctrl-C and a missing library end a program without a traceback, also while it is still importing."""
    if issubclass(kind, KeyboardInterrupt):
        os._exit(STOPPED)
    program = os.path.basename(sys.argv[0])
    extra = getattr(sys.modules["__main__"], "__extra__", None)
    if issubclass(kind, ModuleNotFoundError) and error.name in LIBRARIES and extra:
        cure = installing(SPECIAL.get(error.name, extra))
        print(f"{program}: {error.name} is missing; run {cure}", file=sys.stderr, flush=True)
        os._exit(WRONG)
    _before(kind, error, trace)


sys.excepthook = _hook

from pathlib import Path  # noqa: E402  Ctrl-C is heard from here on

ROOT = Path(__file__).resolve().parents[2]
"""The clone's folder."""


def installing(extra):
    """The command that installs an extra: into a clone, or beside an installed package."""
    return f"pip install -e '.[{extra}]'" if (ROOT / "pyproject.toml").exists() else f"pip install 'pawnstorm[{extra}]'"


def display_name(program):
    """The name that a program goes by: `match.py`, or as a command `pawnstorm match`."""
    return sys.argv[0] if sys.argv[0].startswith("pawnstorm ") else program


def run(name, argv=None):
    """Run one of pawnstorm_tools.programs, and exit. argv: its words; None for those of the command line."""
    argv = sys.argv[1:] if argv is None else argv
    found = importlib.import_module(f"pawnstorm_tools.programs.{name}")
    sys.exit(getattr(found, "run", found.main)(argv))


def program(*errors, stopped="stopped"):
    """A decorator of main(words), which returns an exit status, or None for 0.

    Errors of the given kinds, OSError and MemoryError print one line and give status 2. Ctrl-C prints the text of
    when_stopped(), or else `stopped` (None: nothing), and gives status 130.
    """

    def decorate(main):
        file = os.path.basename(main.__code__.co_filename)

        def tell(text):
            from pawnstorm_protocol.system.terminal import escaped

            print(f"{display_name(file)}: {escaped(text)[:LONGEST]}", file=sys.stderr)

        @functools.wraps(main)
        def guarded(argv):
            try:
                return main(argv) or 0
            except OSError as error:
                tell(_file_fault(error, argv))
                return WRONG
            except (*errors, MemoryError) as error:
                tell(str(error) or "not enough memory")
                return WRONG
            except KeyboardInterrupt as interrupt:
                if text := "".join(interrupt.args) or stopped:
                    tell(text)
                return STOPPED

        return guarded

    return decorate


def _file_fault(error, words):
    """An OSError in one line: the flag that has the error's file as its value, if there is one; then the file and the reason.

    words: those of the command line.
    """
    path = error.filename
    if not error.strerror or not isinstance(path, (str, os.PathLike)) or error.filename2:
        return str(error)
    wanted, flag = os.path.normpath(path), ""
    for number, word in enumerate(map(str, words)):
        before = number - 1
        key, equals, value = word.partition("=")
        if equals and value and os.path.normpath(value) == wanted:
            while before >= 0 and "=" in str(words[before]):  # match.py's -openings format=epd file=FILE
                before -= 1
            flag = key if key.startswith("-") else str(words[before]) if before >= 0 else ""
        elif word and os.path.normpath(word) == wanted:
            flag = str(words[before]) if before >= 0 else ""
        elif word[:1] == "-" and word[2:] and os.path.normpath(word[2:]) == wanted:  # -oFILE
            flag = word[:2]
        else:
            continue
        break
    return f"{flag + ' ' if flag.startswith('-') else ''}'{path}': {error.strerror}"


@contextlib.contextmanager
def when_stopped(consequence):
    """After Ctrl-C in this block, program() says what becomes of the work, such as "the same command goes on". If blocks are
    nested, the inner one's text is used.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise interrupt if interrupt.args else KeyboardInterrupt(f"stopped; {consequence}") from None
