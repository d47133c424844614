"""Writes the HTML that GitHub's own program makes of texts: a list in, a list out, as JSON."""

import json
import sys

import cmarkgfm
from cmarkgfm.cmark import Options

json.dump([cmarkgfm.markdown_to_html_with_extensions(
    text, options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
    extensions=["table", "strikethrough", "autolink", "tasklist"]) for text in json.load(sys.stdin)], sys.stdout)
