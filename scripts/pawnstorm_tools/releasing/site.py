"""The stage `site` of a release: the playing page, with the documents and a sample report in folders below it."""

from pawnstorm import __version__
from pawnstorm_tools.playing_page import hosted, page
from pawnstorm_tools.releasing.documents.build import build
from pawnstorm_tools.releasing.documents.sample import sample_report


def make(folder, release=None, url=None, say=print):
    """Make the pages in a folder.

    release    the folder of a release, whose page has the core to use; None for the core in the cache
    url        the web address that the folder will have. A shared link shows a picture only if url is given

    Raises BuildError, PageError, DocumentsError and OSError.
    """
    core = page.core_of((release / f"pawnstorm-{__version__}.html").read_text(encoding="utf-8")) if release else None
    say("the page, for a web host")
    hosted.write(folder, core, url)
    say("the documents")
    build(folder / "docs")
    say("the sample report")
    sample_report(folder / "report" / "index.html", page="../")
