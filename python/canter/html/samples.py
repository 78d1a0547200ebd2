"""Where the samples of a blend space are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.colors import LEFT
from canter.html import svg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import BlendSpace1D, BlendSpace2D

_WIDTH, _HEIGHT, _EDGE, _TENT = 300 * svg.PIXEL, 160 * svg.PIXEL, 16 * svg.PIXEL, 50 * svg.PIXEL
_LINES, _NUMBERS = 300, 24
_DOT = 6 * svg.PIXEL


def on_line(space: BlendSpace1D) -> svg.Drawing:
    """The weight of each sample, a tent."""
    order = np.argsort(space.positions)
    at = space.positions[order]
    size = np.array([at[-1] - at[0], 0.0])
    scale = svg.scale(size, (_WIDTH, _TENT))
    if not np.all(np.isfinite(size)) or not np.isfinite(scale):
        return svg.NOTHING
    x, top, bottom = (at - at[0]) * scale + _EDGE, svg.LINE + _EDGE, svg.LINE + _EDGE + _TENT
    tops, feet = np.stack([x, np.full(len(x), top)], axis=-1), np.stack([x, np.full(len(x), bottom)], axis=-1)
    slopes = np.concatenate([np.stack([feet[:-1], tops[1:]], axis=1), np.stack([tops[:-1], feet[1:]], axis=1)])
    right = x[-1] + _EDGE
    parts = [
        svg.path(f"M0 {bottom}H{right:.0f}", svg.PIXEL, svg.FAINT),
        svg.path(svg.lines(slopes[svg.longest(slopes, _LINES)]), 1.5 * svg.PIXEL, svg.tinted(LEFT)),
        *_dots(tops),
    ]
    labels = [svg.text(edge, bottom + 0.9 * svg.LINE, f"{value:.4g}") for edge, value in {x[0]: at[0], x[-1]: at[-1]}.items()]
    words = "the weight of each sample along the line"
    return svg.picture(right, bottom + 1.2 * svg.LINE, words, [*parts, svg.small_print([*_numbers(tops, order), *labels])]), words


def on_plane(space: BlendSpace2D) -> svg.Drawing:
    """Samples by their numbers, x to the right and y up, with the triangles between them."""
    size = np.ptp(space.points, axis=0)
    scale = svg.scale(size, (_WIDTH, _HEIGHT))
    if not np.all(np.isfinite(size)) or not np.isfinite(scale):
        return svg.NOTHING
    low, high = space.points.min(axis=0), space.points.max(axis=0)
    places = np.stack([space.points[:, 0] - low[0], high[1] - space.points[:, 1]], axis=-1) * scale + (_EDGE, _EDGE + svg.LINE)
    wide, tall = size * scale + (2 * _EDGE, 2 * _EDGE + svg.LINE)
    parts = []
    if space.triangles is not None:
        sides = np.sort(space.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        ends = places[np.unique(sides, axis=0)]
        parts.append(svg.path(svg.lines(ends[svg.longest(ends, _LINES)]), svg.PIXEL, svg.FAINT))
    parts += [*_dots(places), svg.small_print(_numbers(places, np.arange(len(places))))]
    return svg.picture(wide, tall, "The samples", parts), "samples by their numbers, x to the right, y up"


def _dots(places: svg.Doubles) -> list[str]:
    return [svg.path("".join(f"M{x:.0f} {y:.0f}h0" for x, y in places), _DOT, svg.tinted(LEFT))]


def _numbers(places: svg.Doubles, order: NDArray[np.intp]) -> list[str]:
    """Above the dots, where there are few."""
    if len(places) > _NUMBERS:
        return []
    return [svg.text(x, y - 0.8 * _DOT, str(number)) for (x, y), number in zip(places.tolist(), order.tolist(), strict=True)]
