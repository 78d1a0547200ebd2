"""Arms that reach: where the wrists are and how the hands lie, solved into turns of shoulder, elbow and wrist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from canter import quat
from canter._core import Skeleton, ik_two_bone
from canter.examples.body import SIDES, turn, within
from canter.examples.curves import Floats

# From joint to joint at rest; x of the left side.
SPINE, CHEST = np.array([0.0, 0.10, 0.0]), np.array([0.0, 0.20, 0.0])
COLLARBONE, SHOULDER = np.array([0.035, 0.17, 0.0]), np.array([0.155, 0.0, 0.0])
UPPER_ARM, FOREARM = 0.28, 0.26


@dataclass(frozen=True)
class Hand:
    """A hand over time, in the world."""

    wrist: Floats  # (F, 3)
    rotation: Floats  # (F, 4); none is the rest pose: palm down, fingers to the side


def hand_rotation(side: str, fingers: ArrayLike, palm: ArrayLike) -> Floats:
    """Of a hand whose fingers point along one direction and whose palm faces another; the fingers have their way where both disagree."""
    along, down = np.broadcast_arrays(np.asarray(fingers, dtype=np.float64), np.asarray(palm, dtype=np.float64))
    return quat.from_6d(np.concatenate([SIDES[side] * along, -down], axis=-1))


def chest_joint(hips: Floats, hips_rotation: Floats, spine_rotation: Floats) -> Floats:
    """Where the chest's joint is, from the world's rotations below it."""
    return np.asarray(hips + quat.rotate(hips_rotation, SPINE) + quat.rotate(spine_rotation, CHEST))


def reach(
    skeleton: Skeleton, side: str, chest: Floats, chest_rotation: Floats, hand: Hand, *, elbow: ArrayLike, shrug: Any = 0.0
) -> dict[str, Floats]:
    """Local rotations of one arm: the wrist where it should be, as far as the arm reaches.

    `elbow` is the direction in which it bends. Elbows are hinges; the forearm takes half of the hand's twist, as its two bones do.
    A skeleton that has collarbones lifts them by `shrug` radians.
    """
    sign = SIDES[side]
    mirror = np.array([sign, 1.0, 1.0])
    rotations = {}
    collarbone = chest_rotation
    if f"{side}Shoulder" in skeleton.names:
        rotations[f"{side}Shoulder"] = turn(z=sign * np.asarray(shrug))
        collarbone = quat.multiply(chest_rotation, rotations[f"{side}Shoulder"])
    shoulder = chest + quat.rotate(chest_rotation, COLLARBONE * mirror) + quat.rotate(collarbone, SHOULDER * mirror)

    pole = np.asarray(elbow, dtype=np.float64)
    middle, wrist = ik_two_bone(shoulder, hand.wrist, UPPER_ARM, FOREARM, pole)
    hinge = sign * np.cross(wrist - shoulder, pole)
    upper = quat.from_6d(np.concatenate([sign * (middle - shoulder), hinge], axis=-1))
    lower = quat.from_6d(np.concatenate([sign * (wrist - middle), hinge], axis=-1))
    _, twist = quat.swing_twist(within(lower, hand.rotation), (1.0, 0.0, 0.0))
    lower = quat.multiply(lower, quat.nlerp((1.0, 0.0, 0.0, 0.0), twist, 0.5))
    return rotations | {
        f"{side}Arm": within(collarbone, upper),
        f"{side}ForeArm": within(upper, lower),
        f"{side}Hand": within(lower, hand.rotation),
    }
