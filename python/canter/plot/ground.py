"""The ground below bodies: a grid at height 0, its lines at round numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from canter.colors import GROUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter.plot.figure import Axes3D

_NAME = "canter ground"  # what tells our grid from other lines on the axes


def round_step(length: float, parts: int = 8) -> float:
    """A round number (1, 2 or 5 times a power of ten) that divides a length into about so many parts."""
    if not length > 0:
        return 1.0
    raw = length / parts
    power = 10.0 ** np.floor(np.log10(raw))
    return float(power * min((1, 2, 5, 10), key=lambda digit: abs(digit * power - raw)))


def grid(low: NDArray[Any], high: NDArray[Any]) -> NDArray[np.float32]:
    """Lines of a grid at height 0 below a box, a margin wider than it is: (lines, 2, 3)."""
    step = round_step(float(max(high - low)))
    first, last = np.floor(low / step - 0.25), np.ceil(high / step + 0.25)
    x, y = (step * np.arange(first[k], last[k] + 1) for k in range(2))
    lines = [[(v, y[0], 0.0), (v, y[-1], 0.0)] for v in x] + [[(x[0], v, 0.0), (x[-1], v, 0.0)] for v in y]
    return np.array(lines, dtype=np.float32)


def spread(axes: Axes3D, points: NDArray[np.float32]) -> tuple[Any, NDArray[np.float32]]:
    """The grid of the axes, large enough for these points and for those that it was made for before, and its lines."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    low, high = points.min(axis=0), points.max(axis=0)
    for old in axes.collections:
        if old.get_gid() == _NAME:
            low, high = np.minimum(low, old.canter_box[0]), np.maximum(high, old.canter_box[1])
            drawn = old
            break
    else:
        drawn = Line3DCollection([], colors=GROUND, linewidths=0.6, clip_on=False, gid=_NAME)
        axes.add_collection(drawn, autolim=False)
    lines = grid(low, high)
    drawn.set_segments(lines)
    drawn.canter_box = low, high
    return drawn, lines
