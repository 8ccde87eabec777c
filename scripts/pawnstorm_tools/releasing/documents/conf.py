"""The settings of Sphinx, which build() runs with the clone as the folder of sources."""

import pawnstorm_tools  # noqa: F401  finds pawnstorm

# isort: split
from pawnstorm import __version__
from pawnstorm_tools.releasing.documents.pages import FRONT

project = "Pawnstorm"
version = release = __version__
extensions = [
    "pawnstorm_tools.releasing.documents.extension",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
root_doc = FRONT
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(asyncio|collections\.abc|np|os|pettingzoo|pyspiel|spaces|typing)\..*|NDArray|ArrayLike")
]  # types that other projects document
smartquotes_action = "D"  # convert dashes only: quotes stay as typed, as in "e2e4"
highlight_language = "none"  # most blocks are command lines
default_role = "code"  # `name` in a docstring

html_theme = "furo"
html_title = f"Pawnstorm {version}"
html_static_path = ["static"]
html_js_files = [("accessible.js", {"defer": "defer"})]
html_copy_source = False
html_show_copyright = html_show_sphinx = False
html_use_index = html_domain_indices = False

myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, "site": "../{{path}}"}

autodoc_member_order = "bysource"
autodoc_mock_imports = ["pyspiel"]  # some systems have no package of it
napoleon_use_ivar = True  # one list of all attributes, not an entry for each
python_use_unqualified_type_names = True
