"""A Sphinx extension: reads the documents in place, and adapts links and badges that were written for the code host."""

import re
from pathlib import Path

from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.project import Project

from pawnstorm_tools.releasing.documents.pages import FRONT, PAGES, menu


class Documents(Project):
    """The sources of the pages, from the table PAGES: the name of a page may differ from the path of its source."""

    def discover(self, exclude_paths=(), include_paths=()):
        self.docnames.clear()
        self.docnames.update(PAGES)
        return self.docnames

    def path2doc(self, filename):
        wanted = Path(self.srcdir, filename)
        return next((name for name, path in PAGES.items() if Path(self.srcdir, path) == wanted), None)

    def doc2path(self, docname, absolute):
        path = type(self.srcdir)(PAGES.get(docname, docname))
        return self.srcdir / path if absolute else path


def use_table(app):
    app.project = app.env.project = Documents(app.srcdir, app.config.source_suffix)


BADGES = re.compile(r"^\[!\[.*\n", re.MULTILINE)
ON_THE_SITE = {
    "](../../deployments/github-pages)": "](site:index.html)",
    "](../../releases/latest)": "]",
    "The report of a match,": "[The report of a match](site:report/index.html),",
}
"""Text of README.md, for the code host -> text of its page. The documents are in a folder of the site."""


def adapt(app, docname, content):
    """On the front page, remove the badges, replace links to the code host by links within the site, and append the menu.

    A link for which the site has no page becomes plain text.
    """
    if docname == FRONT:
        content[0] = BADGES.sub("", content[0])
        for before, after in ON_THE_SITE.items():
            if before not in content[0]:
                raise ExtensionError(f"README.md lacks {before!r}: expected the text that ON_THE_SITE replaces")
            content[0] = content[0].replace(before, after)
        content[0] += menu()


def unlink_folders(app, doctree):
    """Replace a link to a folder, which has no page, by its text. (A link to a file leads to a copy of the file.)"""
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node["reftype"] == "myst" and node["refdomain"] is None:  # neither a page nor a file
            _, path = app.env.relfn2path(node["reftarget"], app.env.docname)
            if Path(path).is_dir():
                node.replace_self(node.children)


def setup(app):
    app.connect("builder-inited", use_table)
    app.connect("source-read", adapt)
    app.connect("doctree-read", unlink_folders)
