"""The relative links of the documents lead to files and headings that exist."""

import re

import pytest
from client import ROOT

DOCUMENTS = sorted(
    path for folder in ("engine", "protocol", "scripts", ".github") for path in (ROOT / folder).rglob("*.md")
) + [ROOT / "README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
OF_THE_HOST = re.compile(
    r"\.\./\.\./(actions/workflows/(?P<workflow>[a-z]+\.yml)(/badge\.svg)?|releases/latest|deployments/github-pages)"
)
"""Pages that the host of the repository makes; for README.md they are two folders up."""


def anchors(document):
    """The names by which GitHub links to a document's headings."""
    text = document.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_what_exists(document):
    for link in LINK.findall(document.read_text()):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        if document == ROOT / "README.md" and (found := OF_THE_HOST.fullmatch(link)):
            assert not found["workflow"] or (ROOT / ".github" / "workflows" / found["workflow"]).exists()
            continue
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_links_are_found():
    assert len(DOCUMENTS) >= 6 and len(LINK.findall((ROOT / "README.md").read_text())) >= 10
