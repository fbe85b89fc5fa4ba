"""Links: does a text link to a page? Pure: no input or output, no network.

`find.py` finds the links of a text (`ends.py`: where a bare one ends), `url.py` takes a URL
apart, `cite.py` compares.
"""

from __future__ import annotations

from rulesengine.links.cite import (
    DEFAULT_OPTIONS,
    BadUrl,
    Citation,
    Level,
    Options,
    cited,
    same_page,
)
from rulesengine.links.find import Form, Link, find_links
from rulesengine.links.url import Url, parse_url

__all__ = [
    "DEFAULT_OPTIONS",
    "BadUrl",
    "Citation",
    "Form",
    "Level",
    "Link",
    "Options",
    "Url",
    "cited",
    "find_links",
    "parse_url",
    "same_page",
]
