"""The feet of a body, found from where its joints are."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Skeleton

_Real = TypeVar("_Real", np.float32, np.float64)


def feet_of(skeleton: Skeleton, points: NDArray[_Real], size: float) -> dict[str, list[int]]:
    """The joints of the foot of either side, by side, the lowest first; nothing for a body without sides or legs."""
    feet: dict[str, list[int]] = {}
    if not len(points):
        return feet
    heights = middle_of(points[..., 1]) - middle_of(points[..., 1].min(axis=1))
    parents = skeleton.parents.tolist()
    for side in ("left", "right"):
        joints = [joint for joint, word in enumerate(skeleton.sides) if word == side]
        lowest = min(joints, key=lambda joint: float(heights[joint]), default=None)
        if lowest is None or heights[lowest] > 0.15 * size:
            continue
        foot, own = [lowest], set(joints)
        while (parent := parents[foot[-1]]) in own and heights[parent] < 0.15 * size:
            foot.append(parent)
        feet[side] = foot
    return feet


def middle_of(values: NDArray[_Real]) -> NDArray[_Real]:
    """The value of the frame in the middle when sorted by that."""
    # np.median leaves a little in NumPy's caches at every call.
    middle = len(values) // 2
    return np.asarray(np.partition(values, middle, axis=0)[middle])


def size_of(points: NDArray[_Real]) -> float:
    """How tall or wide a body is at most, in the frame in the middle of all when sorted by that; 1 when it is but a point."""
    if not points.size:
        return 1.0
    return float(middle_of(np.ptp(points, axis=1).max(axis=-1))) or 1.0
