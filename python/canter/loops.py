"""Loops that travel: where they are when they come round again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Clip, RootMotion

    Place = tuple[NDArray[np.float64], Any]  # positions (N, 3) and headings (N,), as of RootMotion.at


def own_times(clip: Clip, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Times inside a clip: in a loop as often as it goes round, else up to the end."""
    return times % clip.period if clip.looping and clip.period > 0 else np.minimum(times, clip.duration)


def carried_on(
    points: NDArray[Any], motion: RootMotion, own: NDArray[np.float64], times: NDArray[np.float64], order: tuple[int, ...]
) -> NDArray[np.float64]:
    """Points (N, ..., 2 or 3), at N times of a clip, taken to where they are at other times, whole loops later.

    They have the components that `order` names: two along the ground, then up.
    """
    return moved(points, motion.at(own), motion.at(times), order)


def moved(points: NDArray[Any], before: Place, after: Place, order: tuple[int, ...]) -> NDArray[np.float64]:
    """Points (N, ..., 2 or 3) of a character at N places, taken along to N others."""
    (start, heading), (end, turned) = before, after
    ground = list(order[:2])
    shape = (len(points), *[1] * (points.ndim - 2))
    angle = np.asarray(turned - heading).reshape(shape)
    x, y = np.moveaxis(points[..., :2] - start[:, ground].reshape(*shape, 2), -1, 0)
    placed = points.astype(np.float64)
    placed[..., 0] = np.cos(angle) * x - np.sin(angle) * y + end[:, ground[0]].reshape(shape)
    placed[..., 1] = np.sin(angle) * x + np.cos(angle) * y + end[:, ground[1]].reshape(shape)
    return placed
