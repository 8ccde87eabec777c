"""The page as a folder for a web host. It can be installed, and works without a network after the first visit.

All addresses in it are relative, so that the folder works anywhere. Only a shared link's picture and the canonical
address have to be absolute. The page's policy allows three things that the single file's does not: a manifest, icons and a
service worker of its own host.
"""

import hashlib
import json
from importlib.util import find_spec
from urllib.parse import urlsplit

from pawnstorm import __version__
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.playing_page import PageError, artwork, page
from pawnstorm_tools.reporting import page as report
from pawnstorm_tools.reporting import picture

FOLDER = page.FOLDER / "site"
ICONS = {"icon-192.png": (192, "any"), "icon-512.png": (512, "any"), "icon-maskable-512.png": (512, "maskable")}
"""{name: (pixels of a side, purpose)}."""
PICTURE = "share.png"
GROUNDS = {"light": picture.LIGHT["back"], "dark": picture.DARK["back"]}


def write(folder, core=None, url=None):
    """Write the files that files() returns into a folder, and return them. The folder is made if missing; other files in it
    stay. Raises OSError, and the errors of files().
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = files(core, url)
    for name, data in made.items():
        atomicfile.write(folder / name, data)
    return made


def files(core=None, url=None):
    """{name: bytes} of the folder's files, the service worker last: it names the others.

    core: as for page.page(). url: the folder's address, as check_url() allows it; without it a shared link has no picture.
    Raises BuildError, PageError.
    """
    check_library()
    kept = {
        "index.html": index(core, url).encode(),
        "manifest.webmanifest": manifest(),
        **{name: artwork.icon(size, purpose == "maskable") for name, (size, purpose) in ICONS.items()},
    }
    shown = artwork.link_picture(*(page.texts()[name] for name in ("site-games", "site-modes")))
    return {**kept, PICTURE: shown, "sw.js": service_worker(kept)}


def check_library():
    """Raises PageError if the library that makes the pictures is missing."""
    if find_spec("vl_convert") is None:
        raise PageError("a folder for a web host needs vl_convert: pip install -e '.[page]'")


def check_url(text):
    """Raises PageError unless a text can be the address of the folder; None, for no address, is allowed."""
    if text is None:
        return
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.path.endswith("/")
    except ValueError:  # urlsplit's
        fits = False
    if not fits or any(sign in text for sign in "?#") or not text.isprintable() or " " in text:
        raise PageError(
            f"--url: '{text[:80]}' is not the address of a folder: expected one such as https://HOST/pawnstorm/"
        )


def index(core=None, url=None):
    """The HTML of the page; core, url: as for files()."""
    registration = (FOLDER / "register.js").read_text(encoding="utf-8")
    return page.fill_template(
        "hosted.html",
        core,
        registration=registration,
        registration_hash=report.digest(registration),
        grounds=GROUNDS,
        url=url,
        picture={"name": PICTURE, "width": artwork.WIDTH, "height": artwork.HEIGHT},
    )


def manifest():
    """The bytes of the web app manifest. It has no `id`, which would be relative to the host's root: start_url replaces it."""
    told = {
        "name": "Pawnstorm",
        "short_name": "Pawnstorm",
        "description": page.texts()["site-description"],
        "lang": page.texts()["language"],
        "categories": ["games"],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": GROUNDS["light"],
        "theme_color": GROUNDS["light"],
        "icons": [
            {"src": name, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, (size, purpose) in ICONS.items()
        ],
    }
    return (json.dumps(told, indent=2) + "\n").encode()


def service_worker(kept):
    """The script of the service worker, as bytes. kept: {name: bytes} of the files that it keeps in the browser."""
    # The page is kept under the folder's address: a host may redirect from index.html to there.
    digests = {"./" if name == "index.html" else name: report.integrity(data) for name, data in kept.items()}
    digest = hashlib.sha256(json.dumps(digests).encode()).hexdigest()
    site = report.embed_json({"version": __version__, "digest": digest, "files": digests})
    script = (FOLDER / "sw.js").read_text(encoding="utf-8")
    return f"'use strict';\nconst site = {site};\n{script}".encode()
