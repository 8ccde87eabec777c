"""Archives whose bytes depend on their contents only."""

import gzip
import tarfile
import time
import zipfile
from pathlib import Path

from pawnstorm_tools.common import atomicfile


def pack(folder, archive, epoch):
    """Pack a folder, under its name, as .zip or .tar.gz. The same contents give the same bytes. epoch: the time stamp of
    all files, in seconds since 1970.
    """
    paths = [folder, *sorted(folder.rglob("*"))]
    (_zip if archive.suffix == ".zip" else _tar)(folder.parent, paths, archive, epoch)


def _tar(root, paths, archive, epoch):
    def plain(member):
        member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with atomicfile.replacing(archive) as file, gzip.GzipFile("", "wb", 9, file, epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as opened:
            for path in paths:
                opened.add(path, path.relative_to(root), recursive=False, filter=plain)


def _zip(root, paths, archive, epoch):
    with (
        atomicfile.replacing(archive) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened,
    ):
        for path in filter(Path.is_file, paths):
            member = zipfile.ZipInfo(path.relative_to(root).as_posix(), time.gmtime(epoch)[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(member, path.read_bytes())
