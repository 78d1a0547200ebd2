"""The path of a character, from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.colors import LEFT
from canter.html import svg, view

if TYPE_CHECKING:
    from canter._core import RootMotion

_WIDTH, _HEIGHT, _EDGE = 300 * svg.PIXEL, 120 * svg.PIXEL, 16 * svg.PIXEL
_PLACES, _ARROWS, _ARROW = 240, 9, 14 * svg.PIXEL


def from_above(motion: RootMotion) -> svg.Drawing:
    """The path, and arrows that point where the character faces. Heading 0 is to the right, its left up."""
    ahead, left = view.on_ground(motion.up)
    paper = np.stack([ahead, -left], axis=-1)
    some = np.linspace(0, len(motion) - 1, min(len(motion), _PLACES)).astype(int)
    places = motion.positions[some] @ paper
    size = np.ptp(places, axis=0)
    if not np.all(np.isfinite(size)):
        return svg.NOTHING
    scale = svg.scale(size, (_WIDTH, _HEIGHT))
    places = (places - places.min(axis=0)) * scale + _EDGE
    wide, tall = size * scale + 2 * _EDGE

    arrows = np.unique(np.linspace(0, len(some) - 1, _ARROWS).astype(int))
    heading = motion.headings[some[arrows]]
    facing = np.stack([np.cos(heading), -np.sin(heading)], axis=-1) * _ARROW
    barbs = [facing @ [[c, -s], [s, c]] * 0.35 for c, s in ((np.cos(a), np.sin(a)) for a in (2.6, -2.6))]
    tips = places[arrows] + facing
    strokes = np.concatenate([np.stack([places[arrows], tips], 1), *(np.stack([tips, tips + barb], 1) for barb in barbs)])
    parts = [
        svg.path(svg.lines(np.stack([places[:-1], places[1:]], axis=1)), 1.5 * svg.PIXEL, 'stroke-opacity=".6"'),
        svg.path(svg.lines(strokes), 1.5 * svg.PIXEL, svg.tinted(LEFT)),
        svg.path("M{:.0f} {:.0f}h0".format(*places[0]), 6 * svg.PIXEL),
    ]
    extent = "{:.3g} by {:.3g} units".format(*size) if np.any(size) else "on the spot"
    return svg.picture(wide, tall, "The path from above", parts), f"from above, heading 0 to the right: {extent}"
