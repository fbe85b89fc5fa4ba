"""Links: what the library `std.url` needs to judge how well a text cites a page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rulesengine.primitives.primitive import Primitive, Seen
from rulesengine.types import TEXT, URL, YES_NO, OneOfType, Type

if TYPE_CHECKING:
    from rulesengine.links.cite import Options


# What is passed over when two URLs are compared, in the order of the switches that follow the URLs.
_SWITCHES: tuple[tuple[str, Type], ...] = (
    ("ignore_scheme", YES_NO),
    ("ignore_default_port", YES_NO),
    ("ignore_fragment", YES_NO),
    ("ignore_trailing_slash", YES_NO),
    ("ignore_www", YES_NO),
    ("ignore_parameter_order", YES_NO),
    ("ignore_tracking", YES_NO),
)


@cache
def _options(*switches: bool) -> Options:
    # Imported where a link is judged, so that a rubric without links does not pay for it.
    from rulesengine.links.cite import DEFAULT_OPTIONS, Options

    *others, tracking = switches
    names = [name for name, _ in _SWITCHES[:-1]]
    parameters = DEFAULT_OPTIONS.ignore_parameters if tracking else ()
    return Options(**dict(zip(names, others, strict=True)), ignore_parameters=parameters)


def _cited(text: str, target: str, *switches: bool) -> Seen:
    """How well the best direct link in `text` points to the page `target`: `none`, `domain` or `exact`."""
    from rulesengine.links.cite import cited

    citation = cited(text, target, options=_options(*switches))
    return Seen(citation.level, citation.why)


def _same_page(one: str, other: str, *switches: bool) -> Seen:
    """Whether two URLs are one page."""
    from rulesengine.links.cite import same_page

    return Seen(same_page(one, other, options=_options(*switches)) is True)


LINK_PRIMITIVES: dict[str, Primitive] = {
    "cited": Primitive(
        (("text", TEXT), ("target", URL), *_SWITCHES),
        OneOfType(("none", "domain", "exact")),
        _cited,
    ),
    "same_page": Primitive((("one", URL), ("other", URL), *_SWITCHES), YES_NO, _same_page),
}
