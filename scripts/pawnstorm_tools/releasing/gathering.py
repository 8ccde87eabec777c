"""The stage `gather` of a release: check its files against their records, and describe them."""

import shutil
import subprocess
import sys

from pawnstorm import __version__
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.releasing import changelog, materials, records
from pawnstorm_tools.releasing.cores import WHEELS
from pawnstorm_tools.releasing.records import ReleaseError

BILL = f"pawnstorm-{__version__}.cdx.json"
DESCRIBED = ("RELEASE.md", "SHA256SUMS")


def gather(out, package=None):
    """Write the bill of materials, SHA256SUMS and RELEASE.md, and remove the records; return the text of RELEASE.md.

    out        the folder with the files of all stages
    package    a folder that gets a copy of the files for PyPI: the sources and the wheels

    Raises ReleaseError if a file differs from its record, is missing, has no record, or would be refused by PyPI.
    """
    found = records.read(out)
    _check(out, found)
    digests = {name: digest for record in found.values() for name, digest in record["digests"].items()}
    contents = {name: parts for record in found.values() for name, parts in record.get("contents", {}).items()}
    bill = materials.bill(digests, contents, records.epoch())
    atomicfile.write(out / BILL, bill.encode())
    digests[BILL] = records.digest(out / BILL)
    sums = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    atomicfile.write(out / "SHA256SUMS", sums.encode())
    text = _describe(out, found, digests)
    atomicfile.write(out / "RELEASE.md", text.encode())
    if package:
        _copy_package(out, package, digests)
    shutil.rmtree(out / records.FOLDER)
    return text


def _check(out, found):
    """Raise ReleaseError unless the folder has the files of the records, and no others."""
    if "build" not in found:
        raise ReleaseError(f"{out}: no record of the stage `build`: expected it to have run first")
    recorded = {}
    for stage, record in found.items():
        for name, digest in record["digests"].items():
            if recorded.setdefault(name, digest) != digest:
                raise ReleaseError(f"{name}: the stage `{stage}` has recorded a different file of that name")
    for name, digest in recorded.items():
        if not (out / name).exists():
            raise ReleaseError(f"{out / name}: no such file: expected one, since a stage has recorded it")
        if records.digest(out / name) != digest:
            raise ReleaseError(f"{out / name}: not the recorded file: expected SHA-256 {digest}")
    kept = {*recorded, *DESCRIBED, BILL, records.FOLDER}
    if others := sorted(path.name for path in out.iterdir() if path.name not in kept):
        raise ReleaseError(f"{out}: no stage has recorded {', '.join(others)}: expected only files that stages make")


def _describe(out, found, digests):
    """The text of RELEASE.md."""
    tried = [(name, text) for record in found.values() for name, text in record.get("tried", {}).items()]
    lines = [
        "Pawnstorm plays and solves Two Flags and Breakthrough, two games in which pawns race. `pip install pawnstorm` installs",
        f"it; without Python, take the file for your system. This is version {__version__}, from {found['build']['commit']}.",
        "",
        "## Files",
        "",
        "`sha256sum -c --ignore-missing SHA256SUMS` checks downloads on Linux, `shasum -a 256 -c --ignore-missing SHA256SUMS` on",
        f"macOS; on Windows compare with `Get-FileHash FILE`. `{BILL}` lists what the executables contain besides Pawnstorm.",
        "",
        "| file | bytes |",
        "|---|---|",
        *(f"| {name} | {(out / name).stat().st_size:,} |" for name in sorted(digests)),
        "",
        "## Changes",
        "",
        changelog.notes(),
        "",
        "## What was tested",
        "",
        "| file | result |",
        "|---|---|",
        *(f"| {name} | {text} |" for name, text in tried),
    ]
    missing = [platform for platform in WHEELS if platform not in found]
    lines += [f"| wheel for {platform} | not run; no executables were made |" for platform in missing]
    return "\n".join(lines) + "\n"


def _copy_package(out, package, digests):
    """Copy the files for PyPI into a folder of their own. Raises ReleaseError if `twine check` finds a fault."""
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for name in digests:
        if name.endswith(".whl") or name == f"pawnstorm-{__version__}.tar.gz":
            shutil.copy(out / name, package)
    twine = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *sorted(map(str, package.iterdir()))]
    done = subprocess.run(twine, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"twine check: {(done.stdout + done.stderr).strip()[-1000:]}")
