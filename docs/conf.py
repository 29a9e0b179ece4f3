"""How the documentation site is built: `scripts/docs.sh`.

Nothing is fetched: theme, search and fonts are on the page's own server. Warnings are errors.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import sapper

project = "sapper"
author = "the sapper authors"
copyright = f"2026, {author}"  # noqa: A001  # Sphinx's name
version = release = sapper.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "command_help",
    "library_page",
    "made_tables",
]
exclude_patterns = ["_ext"]
source_suffix = {".md": "markdown"}

# Docstrings write names and code as `name`; few of them are links.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autoclass_content = "both"
autodoc_default_options = {"members": True, "undoc-members": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
python_maximum_signature_line_length = 88

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # a requirement's table may begin at any level

html_theme = "furo"
html_title = f"sapper {version}"
html_static_path: list[str] = []
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#20639b", "color-brand-content": "#20639b"},
    "dark_css_variables": {"color-brand-primary": "#8cc4f0", "color-brand-content": "#8cc4f0"},
    "top_of_page_buttons": [],
}

copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True


def setup(app: Sphinx) -> None:
    """Blocks of bytes and of messages are shown as they are."""
    for name in ("hex", "exchange"):
        app.add_lexer(name, TextLexer)
