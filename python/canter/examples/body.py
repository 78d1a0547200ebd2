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
from canter._core import Clip, ik_two_bone
from canter.examples.curves import Floats
from canter.examples.hands import fingers
from canter.examples.humanoid import humanoid

SIDES = {"Left": 1.0, "Right": -1.0}  # and the sign of their x

# The leg at rest: from the hips to the hip joint, the lengths of thigh and shin.
HIP = np.array([0.09, -0.06, 0.0])
THIGH, SHIN = 0.42, 0.41


def timeline(duration: float, fps: float, *, ends_at_rest: bool = False) -> tuple[Floats, float]:
    """Times of the frames, and the seconds from one to the next.

    The last frame is at the duration itself, and `fps` is met as nearly as that allows. What ends at rest has exactly `fps`, and the last
    frame waits for it.
    """
    if not 0 < fps < np.inf:
        raise ValueError(f"examples: fps is {fps}, expected frames a second")
    if not 0 < duration < np.inf:
        raise ValueError(f"examples: {duration} s, expected a time above 0")
    steps = int(np.ceil(duration * fps - 1e-6)) if ends_at_rest else round(duration * fps)
    if steps < 2:
        raise ValueError(f"examples: at {fps:g} fps {duration:g} s have {steps} frames; give more fps or a longer time")
    frame_time = 1.0 / fps if ends_at_rest else duration / steps
    return np.minimum(np.arange(steps + 1) * frame_time, duration), frame_time


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


@dataclass(frozen=True)
class Posture:
    """The body but for its legs, over time."""

    hips: Floats  # (F, 3) in the world
    hips_rotation: Floats  # (F, 4) in the world
    rotations: Mapping[str, Floats]  # local, (4,) or (F, 4), of joints above the hips; others are at rest, fingers relaxed

    def mix(self, other: Posture, weight: Floats) -> Posture:
        """From this one (weight 0) to one with the same joints (weight 1)."""
        rotations = {joint: quat.nlerp(rotation, other.rotations[joint], weight) for joint, rotation in self.rotations.items()}
        hips = self.hips + weight[:, None] * (other.hips - self.hips)
        return Posture(hips, quat.nlerp(self.hips_rotation, other.hips_rotation, weight), rotations)


def make_clip(
    posture: Posture,
    feet: Mapping[str, FootCurve],
    *,
    joints: int,
    frame_time: float,
    name: str,
    looping: bool = False,
    markers: Mapping[str, NDArray[np.float64]] | None = None,
    tags: Iterable[str] = (),
) -> Clip:
    """The clip of F frames; `feet` are those of "Left" and "Right". An ankle out of reach is met by a straight leg that points at it."""
    skeleton = humanoid(joints=joints)
    local = np.zeros((len(posture.hips), len(skeleton.names), 4))
    local[..., 0] = 1.0
    everything = {**fingers(skeleton), **posture.rotations, "Hips": posture.hips_rotation}
    for side, sign in SIDES.items():
        bones = (f"{side}{bone}" for bone in ("UpLeg", "Leg", "Foot", "Toe"))
        everything |= zip(bones, leg(posture.hips, posture.hips_rotation, feet[side], sign), strict=True)
    for joint, rotation in everything.items():
        local[:, skeleton.index(joint)] = rotation
    return Clip(skeleton, local, posture.hips, frame_time=frame_time, name=name, looping=looping, markers=markers, tags=tags)
