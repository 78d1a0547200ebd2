"""Poses of the fingers of the large humanoid: relaxed, open, a fist, a grip. The small humanoid has none, and is left as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from canter import quat
from canter._core import Skeleton
from canter.examples.curves import Floats
from canter.examples.humanoid import FINGERS

_Turn = tuple[Floats, Floats, Floats]  # of a joint: its hinge, degrees about that, and then degrees about +Y


@dataclass(frozen=True)
class HandShape:
    """Turns of the fingers from the flat hand of the rest pose, in degrees; each may be an array over frames."""

    curl: tuple[ArrayLike, ArrayLike, ArrayLike]  # of the first, second and third joint of the middle finger
    fan: ArrayLike = 0.0  # how much more the little finger curls than the index finger
    spread: ArrayLike = 0.0  # the index finger away from the little finger
    oppose: ArrayLike = 0.0  # the thumb's first joint, from beside the hand to before the palm
    thumb: ArrayLike = 0.0  # curl of the thumb's second and third joint


RELAXED = HandShape(curl=(18, 28, 14), fan=10, spread=2, oppose=22, thumb=14)
OPEN = HandShape(curl=(-4, 3, 1), spread=12, oppose=6, thumb=-4)
FIST = HandShape(curl=(75, 95, 60), spread=-6, oppose=50, thumb=38)
GRIP = HandShape(curl=(58, 62, 38), fan=6, spread=-4, oppose=48, thumb=24)


def mixed(a: HandShape, b: HandShape, weight: Floats) -> HandShape:
    """From `a` (weight 0) to `b` (weight 1)."""

    def mix(x: ArrayLike, y: ArrayLike) -> Floats:
        return np.asarray(x) + weight * np.subtract(y, x)

    first, second, third = (mix(x, y) for x, y in zip(a.curl, b.curl, strict=True))
    return HandShape((first, second, third), mix(a.fan, b.fan), mix(a.spread, b.spread), mix(a.oppose, b.oppose), mix(a.thumb, b.thumb))


def fingers(skeleton: Skeleton, *, left: HandShape = RELAXED, right: HandShape = RELAXED) -> dict[str, Floats]:
    """Local rotations (4,), or (F, 4) where a shape changes over time, of the finger joints that the skeleton has."""
    turns: dict[str, _Turn] = {}
    for side, sign, shape in (("Left", 1.0, left), ("Right", -1.0, right)):
        if f"{side}HandIndex1" in skeleton.names:
            for k, finger in enumerate(FINGERS[1:]):
                turns |= _finger(skeleton, f"{side}Hand{finger}", sign, shape, k / 3 - 0.5)
            turns |= _thumb(skeleton, f"{side}HandThumb", sign, shape)
    if not turns:
        return {}
    hinges, bends, sideways = zip(*turns.values(), strict=True)
    bent = quat.from_axis_angle(np.array(hinges), np.radians(np.stack(np.broadcast_arrays(*bends), axis=-1)))
    spread = quat.from_axis_angle((0.0, 1.0, 0.0), np.radians(np.stack(np.broadcast_arrays(*sideways), axis=-1)))
    return dict(zip(turns, np.moveaxis(quat.multiply(spread, bent), -2, 0), strict=True))


def _finger(skeleton: Skeleton, name: str, sign: float, shape: HandShape, place: float) -> dict[str, _Turn]:
    """`place` is -0.5 for the index finger to 0.5 for the little finger."""
    along = np.asarray(skeleton.offsets[skeleton.index(f"{name}2")], dtype=np.float64)
    hinge = np.cross((0.0, 1.0, 0.0), along)
    spread = sign * place * np.asarray(shape.spread, dtype=np.float64)
    return {
        f"{name}{k + 1}": (hinge, np.asarray(curl) + place * np.asarray(shape.fan), spread if k == 0 else np.zeros(()))
        for k, curl in enumerate(shape.curl)
    }


def _thumb(skeleton: Skeleton, name: str, sign: float, shape: HandShape) -> dict[str, _Turn]:
    along = np.asarray(skeleton.offsets[skeleton.index(f"{name}2")], dtype=np.float64)
    hinge = np.cross(along, (0.3 * sign, -0.4, -0.85))  # its tip goes towards the root of the little finger
    none = np.zeros(())
    curl = (hinge, np.asarray(shape.thumb, dtype=np.float64), none)
    return {f"{name}1": (np.array((1.0, 0.0, 0.0)), np.asarray(shape.oppose, dtype=np.float64), none), f"{name}2": curl, f"{name}3": curl}
