"""Measures how fast the executables start, how large they are, and how soon they answer `stop`. Other programs, for
comparison, take turns with them.
"""

import os
import pwd
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pawnstorm.numbers import pluralize
from pawnstorm_tools.common.timed_engine import Engine, fairy_stockfish

ANSWERS = ("uciok", "readyok", "bestmove")
# What the project promises: milliseconds to each of ANSWERS when warm, and MB on disk. A larger value is marked.
PROMISED = {"pawnstorm": (25, 30, 40, 13), "pawnstorm-portable": (70, 75, 85, 7)}
PROMISED_RESIDENT, PROMISED_COLD, PROMISED_STOP = 16, 3, (2, 20)
BUSY = 1.5
EMPTY = """\
import sys
answers = {"uci": "uciok", "isready": "readyok", "go": "bestmove 0000"}
for line in sys.stdin:
    if line == "quit\\n":
        break
    print(answers.get(line.split()[0], ""), flush=True)
"""


def programs(dist, work):
    """name -> path of every program that can be measured. The empty programs (EMPTY) are built in the folder `work`."""
    found = {"pawnstorm": dist / "pawnstorm" / "pawnstorm", "pawnstorm-portable": dist / "pawnstorm-portable"}
    missing = [str(path) for path in found.values() if not path.is_file()]
    if missing:
        raise FileNotFoundError(
            f"not found: {', '.join(missing)}: run pyinstaller build.spec, or name another folder with --dist, or use --source"
        )
    (work / "empty.py").write_text(EMPTY)
    for name, form in ("empty", "--onedir"), ("empty-portable", "--onefile"):
        folders = ["--distpath", work / "dist", "--workpath", work / "work", "--specpath", work]
        argv = ["-m", "PyInstaller", "--noconfirm", form, "--name", name, *folders, work / "empty.py"]
        made = subprocess.run([sys.executable, *argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode:
            print(made.stdout, file=sys.stderr)
            raise OSError(f"PyInstaller cannot build {name}, for the reason above")
    found["empty"], found["empty-portable"] = work / "dist/empty/empty", work / "dist/empty-portable"
    return found


def from_source(work):
    """name -> path of a program in the folder `work` that starts the engine of this clone."""
    path = work / "source"
    path.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pawnstorm\n")
    path.chmod(0o755)
    return {"source": path}


def size(path):
    """The size of a program in bytes. If its folder has the program's name, the size is that of all files in the folder."""
    if path.parent.name != path.name:
        return path.stat().st_size
    return sum(file.lstat().st_size for file in path.parent.rglob("*") if file.is_file() and not file.is_symlink())


def start(path, **popen):
    """Milliseconds from the start to each of ANSWERS."""
    with Engine([path], **popen) as engine:
        times = []
        for command, answer in zip(("uci", "isready", "go depth 1"), ANSWERS):
            engine.send(command)
            engine.until(answer)
            times.append((time.perf_counter() - engine.begun) * 1000)
    return times


def read_only_copies(found, folder):
    """name -> path of each program in `found`, copied to a folder in which nobody may write. Programs of the system are not
    copied.
    """
    copies = {}
    for name, path in found.items():
        if path.is_relative_to("/usr"):
            copies[name] = path
        elif path.parent.name == path.name:
            copies[name] = Path(shutil.copytree(path.parent, folder / name, symlinks=True)) / path.name
        else:
            copies[name] = Path(shutil.copy2(path, folder / name))
    for file in [folder, *folder.rglob("*")]:
        if not file.is_symlink():
            file.chmod(0o555 if file.is_dir() or os.access(file, os.X_OK) else 0o444)
    return copies


def cold_start(path, homes):
    """The milliseconds of start() for a user who has never run the program."""
    home = Path(tempfile.mkdtemp(dir=homes))
    popen = {"env": {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, "cwd": path.parent}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(home, nobody.pw_uid, nobody.pw_gid)
        popen |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    return start(path, **popen)


def measure_starts(found, copies, homes, rounds):
    """name -> (warm, cold), lists of the results of start(). The programs take turns; those in `copies` also start cold."""
    times = {name: ([], []) for name in found}
    for path in copies.values():
        cold_start(path, homes)  # fills the machine's file cache
    for _ in range(rounds):
        for name, (warm, cold) in times.items():
            start(found[name])  # not counted: the processor's caches still hold another program
            warm.append(start(found[name]))
            if name in copies:
                cold.append(cold_start(copies[name], homes))
    return times


def medians(starts):
    """The median milliseconds to each of ANSWERS, over several results of start()."""
    return [statistics.median(column) for column in zip(*starts)]


def busy(times):
    """The names of the programs not in PROMISED whose median warm start took over BUSY times as long as their fastest."""
    return [
        name
        for name, (warm, _) in times.items()
        if name not in PROMISED and medians(warm)[0] > BUSY * min(start[0] for start in warm)
    ]


def resident(path):
    """MB of memory that the program and its children hold after a search, with the smallest table (1 MB)."""
    with Engine([path]) as engine:
        engine.send("uci")
        engine.until("uciok")
        engine.ready("setoption name Hash value 1")
        engine.send("go depth 1")
        engine.until("bestmove")
        pids = [engine.process.pid]
        for pid in pids:
            for children in Path(f"/proc/{pid}/task").glob("*/children"):  # not on all kernels
                pids += map(int, children.read_text().split())
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def mark(value, limit, form="{:.1f}"):
    return form.format(value) + ("!" if limit is not None and value > limit else "")


def report_starts(found, times):
    """Print the table of sizes, memory and starts; `!` marks a value above its promised limit."""
    print(
        f"{'program':20}{'MB':>8}{'resident':>10}"
        + "".join(f"{word:>10}" for word in ANSWERS)
        + (
            "".join(f"{'cold ' + word:>15}" for word in ANSWERS) + f"{'cold/warm':>11}"
            if any(cold for _, cold in times.values())
            else ""
        )
    )
    for name, (warm, cold) in times.items():
        promised = PROMISED.get(name, (None,) * 4)
        warm, cold = medians(warm), medians(cold)
        ours = name in PROMISED
        ratio = max((c / w for c, w in zip(cold, warm)), default=None)
        print(
            f"{name:20}{mark(size(found[name]) / 1e6, promised[3]):>8}"
            + f"{mark(resident(found[name]), PROMISED_RESIDENT if ours else None):>10}"
            + "".join(f"{mark(value, limit):>10}" for value, limit in zip(warm, promised))
            + "".join(f"{value:15.1f}" for value in cold)
            + (f"{mark(ratio, PROMISED_COLD if ours else None, '{:.2f}'):>11}" if cold else "")
        )


def measure_stops(path, threads, count):
    """Milliseconds from `stop` to the best move, for searches of both games. Each search has run for 1 to 30 ms before `stop`,
    or for 300 ms (every fiftieth).
    """
    source = random.Random(15)
    waits = []
    with Engine([path], patience=600) as engine:
        engine.ready(f"setoption name Threads value {threads}")
        for game in "twoflags", "breakthrough":
            engine.ready(f"setoption name UCI_Variant value {game}", "position startpos")
            for number in range((count + 1) // 2):
                engine.send("go infinite")
                time.sleep(0.3 if number % 50 == 49 else source.uniform(0.001, 0.03))
                start = time.perf_counter()
                engine.send("stop")
                engine.until("bestmove")
                waits.append((time.perf_counter() - start) * 1000)
    return waits


def report_stops(path, count):
    print("\nstop to bestmove, ms")
    for threads in 1, 2:
        waits = sorted(measure_stops(path, threads, count))
        median = mark(statistics.median(waits), PROMISED_STOP[0], "{:.2f}")
        worst = mark(waits[-1], PROMISED_STOP[1], "{:.2f}")
        print(
            f"  {pluralize(threads, 'thread')}: median {median}, "
            f"99 % {waits[max(0, int(len(waits) * 0.99) - 1)]:.2f}, worst of {len(waits)} {worst}"
        )


def measure(args, work):
    """Measure, with temporary files in the folder `work`, and print the results."""
    for name in "copies", "homes":
        (work / name).mkdir()
    found = from_source(work) if args.source else programs(args.dist.resolve(), work)
    if fairy := fairy_stockfish():
        found["fairy-stockfish"] = Path(fairy)
    try:
        copies = {} if args.source else read_only_copies(found, work / "copies")
        for attempt in range(1, args.attempts + 1):
            times = measure_starts(found, copies, work / "homes", args.starts)
            disturbed = busy(times)
            if not disturbed:
                break
            print(
                f"attempt {attempt}: the machine is busy: {', '.join(disturbed)} took over {BUSY} times the fastest start",
                file=sys.stderr,
            )
        report_starts(found, times)
        report_stops(next(iter(found.values())), args.stops)
    finally:
        for folder in work, *(path for path in (work / "copies").rglob("*") if path.is_dir()), work / "copies":
            folder.chmod(0o755)  # so that the folders can be removed
