"""The records that the stages of a release leave for each other: JSON files in the folder `records` beside the files.

version     the version of the package
commit      the commit that the files come from, as commit() gives it
nodes       nodes searched by bench, from source; only in the record of the stage `build`
digests     {file: its SHA-256}
tried       {file: what was seen when it ran, or a note if it did not run here}
contents    {file: [component]}: the parts of executables that come from other projects: name, version, licence, sha256
"""

import hashlib
import json
import os
import subprocess

from pawnstorm import __version__
from pawnstorm_tools import startup
from pawnstorm_tools.common import atomicfile

FOLDER = "records"


class ReleaseError(RuntimeError):
    """A file could not be made, or files do not fit together; the text names the step or the file."""


def write(out, stage, files=(), **facts):
    """Write the record of a stage. files: the files that it has made. facts: the entries `nodes`, `tried` and `contents`."""
    digests = {path.name: digest(path) for path in files}
    record = {"version": __version__, "commit": commit(), "digests": digests, **facts}
    (out / FOLDER).mkdir(exist_ok=True)
    atomicfile.write(out / FOLDER / f"{stage}.json", json.dumps(record, indent=1).encode())


def read(out):
    """{stage: record}, sorted by stage. Raises ReleaseError if there is none, or if they come from different releases."""
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((out / FOLDER).glob("*.json"))}
    if not found:
        raise ReleaseError(f"{out / FOLDER}: no records: expected the stage `build` to have run with --out {out}")
    if len(sources := {(record["version"], record["commit"]) for record in found.values()}) > 1:
        listed = "; ".join(f"{stage}: {record['version']}, {record['commit']}" for stage, record in found.items())
        raise ReleaseError(f"{out}: its files come from {len(sources)} releases: {listed}")
    return found


def nodes(out):
    """The number of nodes that bench, run from source, searched in the stage `build`. Raises ReleaseError."""
    found = read(out)
    if "build" not in found:
        raise ReleaseError(f"{out}: no record of the stage `build`: expected it to have run first")
    return found["build"]["nodes"]


def digest(path):
    """The SHA-256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def git(*words):
    """The output of a git command in the clone, "" if it failed."""
    try:
        # In a container the clone may belong to another user; git then refuses it unless it is declared safe.
        command = ["git", "-c", f"safe.directory={startup.ROOT}", *words]
        done = subprocess.run(command, cwd=startup.ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip()


def commit():
    """The commit that the files come from, in words."""
    changed = " with changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    return f"commit {head}{changed}" if (head := git("rev-parse", "HEAD")) else "sources outside git"


def epoch():
    """The time stamp of all files, in seconds since 1970: SOURCE_DATE_EPOCH or the commit's. Raises ReleaseError."""
    if found := os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct"):
        return int(found)
    raise ReleaseError("no time stamp for the files: expected a git clone, or SOURCE_DATE_EPOCH in the environment")
