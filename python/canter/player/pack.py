"""What the page is told of a clip: points over time in few bytes, and the facts that a drawing needs.

Points are joints, then tips, with +Y up. A frame is its centre (float32) and, for every point, whole steps from there, stored as second
differences over time and deflated. A step is `STEP` of the body's size, so nothing is further off than half of one along each axis.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from canter.feet import middle_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Clip, Skeleton

_Real = TypeVar("_Real", np.float32, np.float64)

STEP = 5e-5  # of the body's size: 0.1 mm of 2 m, so an axis is off by 0.05 mm at most
MOST_STEPS, MOST_WIDE_STEPS = 2**15 - 1, 2**31 - 1  # that an int16 holds, and an int32
# Of what is drawn: the points where it begins and ends, its radius at both, its side, and how much of its length is left out at both ends.
Limb: TypeAlias = tuple[int, int, float, float, str, float]

SAMPLES_A_SECOND = 30  # at least; fewer would show as bones that shrink while they turn

# Which of a clip's axes go along the page's x, y (up) and z, and which are turned around, so that left stays left.
_AXES = {"x": (1, 0, 2), "y": (0, 1, 2), "z": (0, 2, 1)}
SIGNS = {"+x": (-1, 1, 1), "-x": (1, -1, 1), "+y": (1, 1, 1), "-y": (-1, -1, 1), "+z": (1, 1, -1), "-z": (1, -1, 1)}


def points_of(clip: Clip, up: str) -> NDArray[np.float32]:
    """Joints and tips over time with `up` along +Y, (F, P, 3)."""
    points = turned(np.concatenate([clip.global_positions(), clip.skeleton.tip_positions(clip.poses)], axis=1), up)
    if not np.isfinite(points).all():
        frame = int(np.flatnonzero(~np.isfinite(points).all(axis=(1, 2)))[0])
        raise ValueError(f"Clip.view: frame {frame} is too large to draw: a position is not finite")
    return np.ascontiguousarray(points)


def turned(points: NDArray[_Real], up: str) -> NDArray[_Real]:
    return points[..., _AXES[up[-1]]] * np.array(SIGNS[up], dtype=points.dtype)


def refined(clip: Clip) -> tuple[Clip, int]:
    """The clip with samples between the frames of a slow one, and how many samples a frame became."""
    parts = max(1, math.ceil(SAMPLES_A_SECOND * clip.frame_time - 1e-6)) if len(clip) > 1 else 1
    if parts == 1:
        return clip, 1
    poses = clip.sample(np.arange((len(clip) - 1) * parts + 1) * (clip.frame_time / parts))
    return type(clip)(clip.skeleton, poses.rotations, poses.translations, scales=poses.scales, frame_time=clip.frame_time / parts), parts


def packed(points: NDArray[np.float32], size: float) -> dict[str, Any]:
    """Points as base64 of deflated differences, with what it takes to get them back."""
    centres = (points.min(axis=1) + points.max(axis=1)) / 2 if points.shape[1] else np.zeros((len(points), 3), np.float32)
    off = (points - centres[:, None]).astype(np.float64)
    # Where a point is so far away that even 32 bits can't count the steps, float32 knew it no better.
    step = max(STEP * size, float(np.abs(off).max(initial=0)) / MOST_WIDE_STEPS)
    steps = np.rint(off / step)
    wide = bool(len(steps)) and float(np.abs(steps).max(initial=0)) > MOST_STEPS
    whole = steps.astype(np.int32 if wide else np.int16)
    # How each frame is off from going on like the two before it. The differences wrap around, and so do the sums that undo them.
    before = np.zeros_like(whole[:1])
    bends = np.diff(np.diff(whole, axis=0, prepend=before), axis=0, prepend=before)
    # All low bytes, then all high ones, which are nearly always the same.
    planes = np.ascontiguousarray(bends.astype(whole.dtype.newbyteorder("<"))).reshape(-1, 1).view(np.uint8).T
    return {
        "step": step,
        "bytes": whole.itemsize,
        "centres": _base64(centres.astype("<f4").tobytes()),
        "steps": _base64(zlib.compress(planes.tobytes(), 6)),
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


# -------------------------------------------------------------------------------------------------------------------------------- place


def ground_of(points: NDArray[np.float32], size: float) -> float:
    """0, or the lowest point of the body (in the middle frame when sorted by that) where it is clearly somewhere else."""
    if not points.size:
        return 0.0
    lowest = float(middle_of(points[..., 1].min(axis=1)))
    return 0.0 if abs(lowest) < 0.1 * size else lowest


@dataclass(frozen=True)
class Loop:
    """How a loop goes on: after a period all turns by `turn` (radians to the left) about `start` and moves to `end`, both (x, z)."""

    start: tuple[float, float]
    end: tuple[float, float]
    turn: float

    def apply(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        c, s = math.cos(self.turn), math.sin(self.turn)
        x, z = points[..., 0] - self.start[0], points[..., 2] - self.start[1]
        return np.stack([self.end[0] + c * x + s * z, points[..., 1], self.end[1] - s * x + c * z], axis=-1).astype(np.float32)


def loop_of(clip: Clip, up: str) -> Loop:
    places, headings = clip.root_motion(up=up).at([0.0, clip.period])
    places = turned(places, up)
    start, end = ((float(place[0]), float(place[2])) for place in places)
    return Loop(start, end, float(headings[1] - headings[0]))


def closed(points: NDArray[np.float32], clip: Clip, loop: Loop, parts: int) -> NDArray[np.float32]:
    """The points with samples up to the end of the period, where the first frame comes again."""
    if clip.period < clip.duration + 0.5 * clip.frame_time:
        return points
    way = (np.arange(1, parts + 1, dtype=np.float32) / np.float32(parts))[:, None, None]
    return np.concatenate([points, points[-1] + way * (loop.apply(points[0]) - points[-1])])


# --------------------------------------------------------------------------------------------------------------------------------- body


def limbs_of(skeleton: Skeleton, size: float, carried: Collection[int], feet: Mapping[str, list[int]]) -> list[Limb]:
    """What is drawn, by the points at both ends of each limb. Nothing leads to the joints of `carried`."""
    reach = _reaches(skeleton)
    thickness = size * np.maximum(0.06 * np.minimum(reach / size, 1.0) ** 0.6, 0.006)
    trunk = _trunk(skeleton, reach, size)
    thickness[trunk] *= 1.5
    for foot in feet.values():
        thickness[foot] = np.maximum(thickness[foot], 0.018 * size)

    # Each of these is made when asked for.
    parents, offsets, sides = skeleton.parents, skeleton.offsets, skeleton.sides
    heads = ["head" in name.lower() for name in skeleton.names]
    child_count = np.bincount(parents[parents >= 0], minlength=len(parents))
    unled = set(carried)
    limbs: list[Limb] = []
    for joint, parent in enumerate(parents.tolist()):
        if parent < 0 or joint in unled:
            continue
        if heads[parent]:
            limbs.append(_head(parent, joint, offsets[joint], sides[parent], size))
            continue
        near, far = float(thickness[parent]), float(thickness[joint])
        # Where a limb leaves the trunk, or a finger the hand, it begins as thick as it will be.
        if child_count[parent] > 1 and not trunk[joint]:
            near = min(near, 1.25 * far + 0.004 * size)
        limbs.append((parent, joint, near, far, sides[joint], 0.0))
    for k, (joint, offset) in enumerate(skeleton.tips):
        near = float(thickness[joint])
        if heads[joint]:
            limbs.append(_head(joint, len(skeleton) + k, offset, sides[joint], size))
        else:
            limbs.append((joint, len(skeleton) + k, near, 0.6 * near, sides[joint], 0.0))
    return limbs


def _head(joint: int, end: int, offset: NDArray[np.float32], side: str, size: float) -> Limb:
    """A head is round and reaches no further than its bone."""
    length = float(np.linalg.norm(offset))
    radius = float(np.clip(0.4 * length, 0.035 * size, 0.05 * size))
    return joint, end, radius, radius, side, min(radius / length, 0.5) if length > 0 else 0.0


def _reaches(skeleton: Skeleton) -> NDArray[np.float64]:
    """How far it is along the bones from each joint to the furthest end below it."""
    reach = np.zeros(len(skeleton))
    for joint, offset in skeleton.tips:
        reach[joint] = max(reach[joint], float(np.linalg.norm(offset)))
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)
    parents = skeleton.parents.tolist()
    for joint in range(len(skeleton) - 1, -1, -1):
        parent = parents[joint]
        if parent >= 0:
            reach[parent] = max(reach[parent], reach[joint] + lengths[joint])
    return reach


def _trunk(skeleton: Skeleton, reach: NDArray[np.float64], size: float) -> NDArray[np.bool_]:
    """Joints that carry two long limbs or more, or lead to one that does."""
    trunk = np.zeros(len(skeleton), dtype=bool)
    long_limbs = np.zeros(len(skeleton), dtype=int)
    parents = skeleton.parents.tolist()
    for joint in range(len(skeleton) - 1, -1, -1):  # children come after their parents
        trunk[joint] |= long_limbs[joint] > 1
        if parents[joint] >= 0:
            long_limbs[parents[joint]] += reach[joint] > 0.2 * size
            trunk[parents[joint]] |= trunk[joint]
    return trunk
