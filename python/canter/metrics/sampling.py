"""Where joints of a clip are on the ground and above it, in metres: at its frames, and at even steps of time in between."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from canter import _core
from canter.feet import feet_of, size_of
from canter.loops import carried_on, moved
from canter.options import number, numbers, short, up_axis
from canter.source import believed_metres
from canter.warn import warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from canter._core import Clip, RootMotion, Skeleton

Interpolation: TypeAlias = Literal["nlerp", "slerp", "step", "cubic"]
Points: TypeAlias = "NDArray[np.float64]"  # (N, K, 3): two coordinates along the ground, then the height, in metres

_BELIEF = 1.5  # a factor between the unit that is taken and the one that the file looked like, from which on it is worth a word
_PARTNERS = 0.03  # metres: planted heights of left and right that differ more are those of a foot that stands and one that never does
_ALL_AT_ONCE = 4096  # poses, so that long clips take little memory
_MOST = 10_000_000  # samples
_SEEN = 64  # frames to find feet in


@dataclass(frozen=True)
class Measured:
    """A clip, and how its axes and its unit are taken."""

    where: str
    clip: Clip
    order: tuple[int, int, int]
    scale: float
    motion: RootMotion

    @property
    def span(self) -> float:
        """Seconds: of a loop a whole round, else up to the last frame."""
        return self.clip.period if self.clip.looping else self.clip.duration


def measured(where: str, clip: Clip, up: str, scale: float | None) -> Measured:
    order = up_axis(up, where)
    if not len(clip):
        raise ValueError(f"{where}: the clip has no frames")
    return Measured(where, clip, order, metres(where, clip, scale), clip.root_motion(up=up))


def metres(where: str, clip: Clip, scale: float | None) -> float:
    """Metres in a unit of the clip: as given; else 1, with a warning where the file looked otherwise."""
    if scale is not None:
        if not scale > 0:
            raise ValueError(f"{where}: scale is {scale:g}, expected metres in a unit of the clip, above 0")
        return scale
    believed = believed_metres(clip)
    if believed is not None and not 1 / _BELIEF < believed < _BELIEF:
        warn(
            f"{where}: the clip is taken to be in metres, but a unit looks like {believed:.3g} m (in its file: {clip.source.unit}); "  # type: ignore[union-attr]
            f"give scale={believed:.3g}, or scale=1 to keep it"
        )
    return 1.0


def at_frames(m: Measured, joints: Sequence[int]) -> Points:
    return _arranged(m, m.clip.global_positions()[:, list(joints)])


def at_times(m: Measured, joints: Sequence[int], times: NDArray[np.float64], interpolation: Interpolation) -> Points:
    """At times of the clip from 0 to its span. A loop travels on to its end, where the first frame comes again."""
    seam = times > m.clip.duration * (1 + 1e-9)
    inside = _placed(m, m.clip, joints, times[~seam], interpolation)
    if not seam.any():
        return inside
    # The roots of a loop go back to where they began; on the spot they have no way to go.
    there = m.motion.at(times[seam])
    here = (np.zeros_like(there[0]), np.zeros_like(there[1]))
    across = _placed(m, m.clip.in_place(m.motion), joints, times[seam], interpolation) / m.scale
    return np.concatenate([inside, moved(across, here, there, m.order) * m.scale])


def around(m: Measured, points: Points, times: NDArray[np.float64]) -> Points:
    """Points of one round of a loop, with the round before it and the one after it."""
    once = points / m.scale
    rounds = [carried_on(once, m.motion, times, times + way * m.span, m.order) for way in (-1, 0, 1)]
    return np.concatenate([rounds[0][:-1], rounds[1][:-1], rounds[2]]) * m.scale


def even_times(m: Measured, rate: float) -> NDArray[np.float64]:
    """About `rate` times a second from 0 to the span: as many equal steps as come nearest."""
    if not rate > 0:
        raise ValueError(f"{m.where}: rate is {rate:g}, expected samples a second, above 0")
    if not m.span > 0:
        raise ValueError(f"{m.where}: the clip has 1 frame, expected 2 or more: one has no speed")
    if not m.span * rate < _MOST:
        raise ValueError(f"{m.where}: {rate:g} samples a second of {m.span:g} s are too many, expected fewer than {_MOST:g}; cut the clip")
    return np.linspace(0.0, m.span, max(1, round(m.span * rate)) + 1)


def planted_heights(m: Measured, joints: Sequence[int], ground: ArrayLike | None) -> NDArray[np.float64]:
    """The height at which each joint stands planted: as given, or as the frames tell."""
    if ground is not None:
        given = numbers(m.where, "ground", ground)
        if given.shape not in ((), (len(joints),)) or not np.isfinite(given).all():
            raise ValueError(
                f"{m.where}: ground is {short(ground)}, expected a finite height in metres, or {len(joints)} of them, one for each joint"
            )
        return np.broadcast_to(given, len(joints)).copy()
    heights = _core.planted_heights(at_frames(m, [*joints, *_partners(m.clip.skeleton, joints)]))
    own, other = heights[: len(joints)], heights[len(joints) :]
    return np.where(own > other + _PARTNERS, other, own)


def found_feet(m: Measured) -> dict[str, list[int]]:
    """The joints of the foot of either side, the lowest first."""
    frames = np.unique(np.linspace(0, len(m.clip) - 1, _SEEN).round().astype(int))
    poses = m.clip.poses[frames]
    positions = m.clip.skeleton.forward_kinematics(poses)[0]
    upright = _arranged(m, positions)[..., [0, 2, 1]]
    feet = feet_of(m.clip.skeleton, upright, size_of(upright))
    if not feet:
        raise ValueError(f"{m.where}: no feet found: no joint with a side stands low; name them with feet=[...]")
    for side, other in (("left", "right"), ("right", "left")):
        if side not in feet:  # it is in the air for most of the time
            partners = _partners(m.clip.skeleton, feet[other])
            feet[side] = [joint for joint, partner in zip(partners, feet[other], strict=True) if joint != partner]
    return {side: feet[side] for side in ("left", "right") if feet[side]}


def _partners(skeleton: Skeleton, joints: Sequence[int]) -> list[int]:
    """Of the other side; a joint without one is its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", _core.CanterWarning)
        return [int(joint) for joint in skeleton.mirror_map()[list(joints)]]


def names_of(skeleton: Skeleton, joints: Sequence[int]) -> tuple[str, ...]:
    names = skeleton.names
    return tuple(names[joint] for joint in joints)


def positive(where: str, name: str, value: Any, unit: str) -> float:
    found = number(where, name, value)
    if not found > 0:
        raise ValueError(f"{where}: {name} is {found:g}, expected {unit}, above 0")
    return found


def _placed(m: Measured, clip: Clip, joints: Sequence[int], times: NDArray[np.float64], interpolation: Interpolation) -> Points:
    wrap: Literal["clamp", "loop"] = "loop" if clip is not m.clip else "clamp"
    parts = [
        clip.skeleton.forward_kinematics(clip.sample(times[i : i + _ALL_AT_ONCE], interpolation=interpolation, wrap=wrap))[0]
        for i in range(0, len(times), _ALL_AT_ONCE)
    ]
    return _arranged(m, np.concatenate([part[:, list(joints)] for part in parts]))


def _arranged(m: Measured, positions: NDArray[Any]) -> Points:
    return np.asarray(positions[..., m.order].astype(np.float64) * m.scale)
