"""Inline SVG, for pages light or dark.

Coordinates are whole half pixels, which keeps a picture short. Lines have the colour of the page's text; other colours are mixed with some
of it, so they are darker on white and brighter on black.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from canter.html.words import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]
    Floats = NDArray[np.floating]

PIXEL = 2  # in units of the drawing
LINE = 13 * PIXEL  # of small print
_LETTERS = 80  # of a text, at most
FAINT = 'stroke-opacity=".3"'
BLUNT = 'stroke-linecap="butt"'

# A picture, and the words that go below it, as HTML. Either is "" when there is none: for nothing to show, and for what is too far to draw.
Drawing = tuple[str, str]
NOTHING: Drawing = ("", "")


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A drawing, smaller where there is less room; `title` is for those who can't see it, and for a pointer at rest."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width / PIXEL:.0f}"'
        f' height="{height / PIXEL:.0f}" style="display:block;max-width:100%;height:auto" role="img" fill="none" stroke="currentColor"'
        f' stroke-linecap="round" stroke-linejoin="round"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def mixed(color: str) -> str:
    return f"color-mix(in srgb,{color} 78%,currentColor)"


def tinted(color: str) -> str:
    """Attributes of lines in a colour, or in a mixture where the browser can mix."""
    return f'stroke="{color}" style="stroke:{mixed(color)}"'


def path(data: str, width: float, attributes: str = "") -> str:
    return f'<path d="{data}" stroke-width="{width:g}" {attributes}/>' if data else ""


def lines(ends: Floats) -> str:
    """The data of a path of many lines (N, 2, 2). Where one begins at the end of the last, the pen stays down."""
    parts, at = [], None
    for start, end in np.rint(ends).astype(np.int64).tolist():
        parts.append("" if start == at else "M{} {}".format(*start))
        parts.append(f"l{end[0] - start[0]} {end[1] - start[1]}")
        at = end
    return "".join(parts)


def longest(ends: Floats, count: int) -> NDArray[np.intp]:
    """Which of many lines (N, 2, 2) to draw where there is room for `count`: no dots, none twice, the longest; in their order."""
    whole = np.rint(ends).reshape(-1, 4)
    length = np.hypot(*(whole[:, 2:] - whole[:, :2]).T)
    first = np.unique(whole, axis=0, return_index=True)[1]
    first = first[length[first] > 0]
    return np.sort(first[np.argsort(-length[first], kind="stable")[:count]])


def scale(size: Doubles, room: tuple[float, float]) -> float:
    """What makes a size fill the room; 0 for a point."""
    return min((space / length for space, length in zip(room, size.tolist(), strict=True) if length > 0), default=0.0)


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{said(words, _LETTERS)}</text>'


def small_print(parts: Iterable[str]) -> str:
    return f'<g fill="currentColor" stroke="none" font-size="{10 * PIXEL}" font-family="sans-serif" opacity=".75">{"".join(parts)}</g>'
