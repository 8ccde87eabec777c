"""The binary parts of the page: the core, the records' blocks, the networks and the books, compressed and as text."""

import base64
import os
import zlib

from pawnstorm.core import native, sources
from pawnstorm.core.targets import TARGETS
from pawnstorm.evaluation import networks
from pawnstorm.proof import book
from pawnstorm_tools.paging import PageError, numbers

CORE = "wasm32"


def built_core():
    """The bytes of the core for WebAssembly, out of the cache, or built into it. Raises BuildError, PageError."""
    path = native.built(CORE, sources.cache_folder(), lasting=True)
    if not path.endswith(TARGETS[CORE].library):
        raise PageError("nothing found that links WebAssembly: expected pip install -e '.[page]'")
    with open(path, "rb") as file:
        return file.read()


def parts(games, core):
    """{name: text of a part}. games: numbers()["games"]."""
    found = {"core": core, "records": numbers.blocks()}
    for row in games:
        if row["network"] and row["network"] not in found:
            kind = row["network"].rpartition(".")[2]
            found[row["network"]] = networks.KINDS[kind](os.path.join(networks.FOLDER, row["network"]))[1]
        if row["book"] and row["book"] not in found:
            with open(os.path.join(book.FOLDER, row["book"]), "rb") as file:
                found[row["book"]] = file.read()
    return {name: part(data) for name, data in found.items()}


def part(data):
    """The text of a part of these bytes: compressed, which brings a checksum, and in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode()
