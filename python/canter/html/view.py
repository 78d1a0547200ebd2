"""From where bodies and paths are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter._core import Clip, Skeleton

if TYPE_CHECKING:
    from canter.html.svg import Doubles


def axis(name: str) -> Doubles:
    """The direction of "+y", "-z" and the like."""
    direction = np.zeros(3)
    direction["xyz".index(name[-1])] = -1 if name[0] == "-" else 1
    return direction


def on_ground(up: str) -> tuple[Doubles, Doubles]:
    """The direction of heading 0, and the one to its left."""
    ahead = np.roll(np.abs(axis(up)), 1)
    return ahead, np.cross(axis(up), ahead)


def paper(clip: Clip, up: str, turned: float) -> Doubles:
    """Where x, y and z go on paper, to the right and down, (3, 2): seen from ahead of the first pose, or so far around it to its right."""
    heading = clip[:1].root_motion(up=up).headings[0] - turned
    ahead, left = on_ground(up)
    return np.stack([np.cos(heading) * left - np.sin(heading) * ahead, -axis(up)], axis=-1)


def still(skeleton: Skeleton) -> Clip:
    """The rest pose as a clip of one frame."""
    return Clip(skeleton, skeleton.rotations[None], skeleton.offsets[None], fps=1)


def size_at_rest(skeleton: Skeleton) -> Doubles:
    """How long the rest pose is along x, y and z, tips included."""
    rest = skeleton.rest
    points = np.concatenate([skeleton.forward_kinematics(rest)[0], skeleton.tip_positions(rest)])
    return np.asarray(np.ptp(points.astype(np.float64), axis=0))


def up_at_rest(skeleton: Skeleton) -> str:
    """+y, or +z for a rest pose that would lie on its back."""
    _, y, z = size_at_rest(skeleton)
    return "+z" if 3 * y < z else "+y"
