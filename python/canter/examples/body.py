"""From curves to a clip: where pelvis and feet are, and how the upper body turns. Legs are solved, so feet are where they should be.

Nothing but the hips moves from its offset, so all bones keep their lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canter import quat
from canter._core import Clip, Skeleton, ik_two_bone
from canter.examples.curves import Floats
from canter.examples.humanoid import FINGERS, humanoid

SIDES = {"Left": 1.0, "Right": -1.0}  # and the sign of their x

# The leg at rest: from the hips to the hip joint, the lengths of thigh and shin.
HIP = np.array([0.09, -0.06, 0.0])
THIGH, SHIN = 0.42, 0.41


def turn(*, x: Any = 0.0, y: Any = 0.0, z: Any = 0.0) -> Floats:
    """A rotation about z, then x, then y: of a body, its list (left up), its lean (forward) and its heading (to the left)."""
    y, x, z = np.broadcast_arrays(y, x, z)
    return quat.from_euler(np.stack([y, x, z], axis=-1).astype(np.float64), "YXZ")


@dataclass(frozen=True)
class FootCurve:
    """One foot over time, in the world."""

    ankle: Floats  # (F, 3)
    rotation: Floats  # (F, 4)
    toe_bend: Floats  # (F,) radians, toes up


def hip_joint(hips: Floats, rotation: Floats, sign: float) -> Floats:
    """Where the hip joint of a side is."""
    return np.asarray(hips + quat.rotate(rotation, HIP * (sign, 1.0, 1.0)))


def leg(hips: Floats, hips_rotation: Floats, foot: FootCurve, sign: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Local rotations (F, 4) of thigh, shin, foot and toes. The knee bends forward, in the plane between those of pelvis and foot."""
    root = hip_joint(hips, hips_rotation, sign)
    hinge = quat.rotate(hips_rotation, (1.0, 0.0, 0.0)) + quat.rotate(foot.rotation, (1.0, 0.0, 0.0))
    line = foot.ankle - root
    knee, ankle = ik_two_bone(root, foot.ankle, THIGH, SHIN, np.cross(line, hinge))

    # Thigh and shin turn about one hinge; at rest it is x, and the bones point down.
    line = ankle - root
    hinge -= line * (np.sum(hinge * line, axis=-1) / np.sum(line * line, axis=-1))[..., None]
    thigh = quat.from_6d(np.concatenate([hinge, root - knee], axis=-1))
    shin = quat.from_6d(np.concatenate([hinge, knee - ankle], axis=-1))
    return within(hips_rotation, thigh), within(thigh, shin), within(shin, foot.rotation), turn(x=-foot.toe_bend)


def within(parent: Floats, child: Floats) -> Floats:
    """The local rotation of a child, from global rotations."""
    return quat.multiply(quat.conjugate(parent), child)


def trunk(hips: Floats, chest: Floats, head: Floats) -> dict[str, Floats]:
    """Local rotations of spine, chest and head from the global ones of hips, chest and head; the spine goes half the way."""
    spine = quat.nlerp(hips, chest, 0.5)
    return {"Spine": within(hips, spine), "Chest": within(spine, chest), "Head": within(chest, head)}


def arm(side: str, *, flexion: Any, elbow: Any, out: Any = 0.12, inward: Any = 0.3) -> dict[str, Floats]:
    """Local rotations of one arm, from angles in radians.

    `flexion` brings the hanging arm forward, `out` away from the body, `elbow` bends it, `inward` turns the forearm before the body.
    """
    sign = SIDES[side]
    hang = quat.from_euler(np.stack(np.broadcast_arrays(-np.asarray(flexion), sign * (out - np.pi / 2), inward), -1), "XZX")
    return {f"{side}Arm": hang, f"{side}ForeArm": turn(y=-sign * np.asarray(elbow)), f"{side}Hand": turn(z=-sign * 0.1)}


def _relaxed_fingers(skeleton: Skeleton) -> dict[str, Floats]:
    """Slightly curled fingers, where there are any."""
    rotations = {}
    for side, sign in SIDES.items():
        for finger in FINGERS:
            for k, curl in ((1, 0.25), (2, 0.45), (3, 0.3)):
                name = f"{side}Hand{finger}{k}"
                if name in skeleton.names:
                    rotations[name] = turn(z=-sign * (0.4 * curl if finger == "Thumb" else curl))
    return rotations


def make_clip(
    hips: Floats,
    hips_rotation: Floats,
    feet: Mapping[str, FootCurve],
    rotations: Mapping[str, Floats],
    *,
    joints: int,
    frame_time: float,
    name: str,
    looping: bool = False,
    markers: Mapping[str, NDArray[np.float64]] | None = None,
    tags: Iterable[str] = (),
) -> Clip:
    """The clip of F frames.

    Parameters
    ----------
    hips : ndarray, shape (F, 3)
        In the world, metres.
    hips_rotation : ndarray, shape (F, 4)
        In the world.
    feet : mapping of "Left" and "Right" to FootCurve
        An ankle out of reach is met by a straight leg that points at it.
    rotations : mapping of joint name to ndarray, shape (4,) or (F, 4)
        Local rotations of the joints above the hips; others are at rest, fingers slightly curled.
    joints, frame_time, name, looping, markers, tags
        Of the skeleton (18 or 65) and of the clip.
    """
    skeleton = humanoid(joints=joints)
    local = np.zeros((len(hips), len(skeleton.names), 4))
    local[..., 0] = 1.0
    everything = {**_relaxed_fingers(skeleton), **rotations, "Hips": hips_rotation}
    for side, sign in SIDES.items():
        bones = (f"{side}{bone}" for bone in ("UpLeg", "Leg", "Foot", "Toe"))
        everything |= zip(bones, leg(hips, hips_rotation, feet[side], sign), strict=True)
    for joint, rotation in everything.items():
        local[:, skeleton.index(joint)] = rotation
    return Clip(skeleton, local, hips, frame_time=frame_time, name=name, looping=looping, markers=markers, tags=tags)
