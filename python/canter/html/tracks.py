"""Markers of a clip over its time: bars while something is down, strokes at moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from canter.colors import SIDES
from canter.contacts import spans_of
from canter.html import svg
from canter.html.words import short

if TYPE_CHECKING:
    from canter._core import Clip
    from canter.html.svg import Doubles

_MOST = 4
_NAME = 11  # characters


@dataclass
class Track:
    """Moments (N,), or spans (N, 2) of time."""

    name: str
    color: str
    times: Doubles

    def drawn(self, end: float, left: float, right: float, y: float) -> str:
        """From time 0 at `left` to `end` at `right`."""
        steps = int(right - left) // svg.PIXEL
        if self.times.ndim == 1:
            places = np.unique(np.rint(self.times / end * steps).astype(int))
            data = "".join(f"M{left + place * svg.PIXEL - 1:.0f} {y:.0f}h2" for place in places)
        else:
            is_down = np.searchsorted(self.times.ravel(), (np.arange(steps) + 0.5) / steps * end) % 2
            edges = np.flatnonzero(np.diff(is_down, prepend=0, append=0)).tolist()
            spans = zip(edges[::2], edges[1::2], strict=True)
            data = "".join(f"M{left + a * svg.PIXEL:.0f} {y:.0f}h{(b - a) * svg.PIXEL}" for a, b in spans)
        return svg.path(data, 6 * svg.PIXEL, f"{svg.BLUNT} {svg.tinted(self.color) if self.color else ''}")


def of(clip: Clip, end: float) -> list[Track]:
    """left_down and left_up make one track, as any two such names do; others one each."""
    markers = clip.markers
    tracks = []
    for name in list(markers)[:200]:
        stem, _, word = name.rpartition("_")
        other = {"down": f"{stem}_up", "up": f"{stem}_down"}.get(word, "")
        color = next((SIDES[side] for side in ("left", "right") if name.lower().startswith(side)), "")
        if not other or other not in markers:
            tracks.append(Track(short(name, _NAME), color, markers[name]))
        elif word == "down":
            tracks.append(Track(short(stem + " down", _NAME), color, spans_of(markers[name], markers[other], end)))
    return tracks[:_MOST]
