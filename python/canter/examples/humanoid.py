"""The humanoid of the example clips: a skeleton of 18 joints, or of 65 with fingers in the layout of game and mocap rigs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from canter._core import Skeleton
from canter.options import checked

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")

_Point = tuple[float, float, float]
_Table = dict[str, tuple[str, _Point]]  # joint: its parent, and where it is at rest, in metres

_KEPT_OF_18 = {"Hips", "Spine", "Chest", "Head"} | {
    f"{side}{bone}" for side in ("Left", "Right") for bone in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "Toe")
}

_TRUNK: _Table = {
    "Hips": ("", (0.0, 0.97, 0.0)),
    "Spine": ("Hips", (0.0, 1.07, 0.0)),
    "Chest": ("Spine", (0.0, 1.27, 0.0)),
    "UpperChest": ("Chest", (0.0, 1.38, 0.0)),
    "Neck": ("UpperChest", (0.0, 1.50, 0.0)),
    "Head": ("Neck", (0.0, 1.57, 0.0)),
    "HeadTop": ("Head", (0.0, 1.77, 0.0)),
}
# Of the left side, which is at +X; the right side is its mirror image.
_ARM: _Table = {
    "Shoulder": ("UpperChest", (0.035, 1.44, 0.0)),
    "Arm": ("Shoulder", (0.19, 1.44, 0.0)),
    "ForeArm": ("Arm", (0.47, 1.44, 0.0)),
    "Hand": ("ForeArm", (0.73, 1.44, 0.0)),
}
_LEG: _Table = {
    "UpLeg": ("Hips", (0.09, 0.91, 0.0)),
    "Leg": ("UpLeg", (0.09, 0.49, 0.0)),
    "Foot": ("Leg", (0.09, 0.08, 0.0)),
    "Toe": ("Foot", (0.09, 0.02, 0.13)),
    "ToeEnd": ("Toe", (0.09, 0.0, 0.20)),
}
# From the wrist to the first joint, the way that the finger points, and the lengths of its three bones. The palm looks down.
_HAND: dict[str, tuple[_Point, _Point, _Point]] = {
    "Thumb": ((0.022, -0.012, 0.020), (0.74, -0.25, 0.62), (0.042, 0.032, 0.026)),
    "Index": ((0.088, 0.0, 0.024), (1.0, 0.0, 0.06), (0.039, 0.024, 0.021)),
    "Middle": ((0.088, 0.0, 0.002), (1.0, 0.0, 0.0), (0.043, 0.027, 0.022)),
    "Ring": ((0.084, 0.0, -0.019), (1.0, 0.0, -0.06), (0.039, 0.025, 0.021)),
    "Pinky": ((0.077, -0.003, -0.038), (1.0, 0.0, -0.13), (0.030, 0.019, 0.018)),
}


def _fingers() -> _Table:
    """The first three joints of each finger and its tip."""
    table: _Table = {}
    wrist = np.array(_ARM["Hand"][1])
    for finger, (first, direction, lengths) in _HAND.items():
        unit = np.array(direction) / np.linalg.norm(direction)
        along = np.cumsum((0.0, *lengths))
        for k in range(4):
            parent = f"Hand{finger}{k}" if k else "Hand"
            x, y, z = (wrist + first + along[k] * unit).tolist()
            table[f"Hand{finger}{k + 1}"] = (parent, (x, y, z))
    return table


def _joints() -> _Table:
    """All 65 with their parents and rest positions, depth first: trunk, left arm, right arm, left leg, right leg."""
    table = dict(_TRUNK)
    for limb in (_ARM | _fingers(), _LEG):
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            for name, (parent, (x, y, z)) in limb.items():
                table[side + name] = (parent if parent in _TRUNK else side + parent, (sign * x, y, z))
    return table


_made: dict[int, Skeleton] = {}


def _skeleton(joints: int) -> Skeleton:
    table = _joints()
    names = [name for name in table if joints == 65 or name in _KEPT_OF_18]

    def kept_parent(name: str) -> str:
        parent = table[name][0]
        return parent if not parent or parent in names else kept_parent(parent)

    def offset(name: str) -> NDArray[np.float64]:
        parent = kept_parent(name)
        return np.subtract(table[name][1], table[parent][1] if parent else (0.0, 0.0, 0.0))

    # What is left of the ends of the large skeleton.
    ends = ["HeadTop", *(f"{side}{end}" for end in ("HandMiddle4", "ToeEnd") for side in ("Left", "Right"))]
    tips = [(kept_parent(end), offset(end)) for end in ends if end not in names]
    parents = [names.index(kept_parent(name)) if kept_parent(name) else -1 for name in names]
    return Skeleton(names, parents, np.array([offset(name) for name in names]), tips=tips)


@checked("examples.humanoid")
def humanoid(*, joints: int = 18) -> Skeleton:
    """A human body, 1.77 m tall, that faces +Z in a T pose and stands on the floor at height 0.

    Parameters
    ----------
    joints : {18, 65}
        18: Hips, Spine, Chest, Head and, left and right, Arm, ForeArm, Hand, UpLeg, Leg, Foot, Toe; head, hands and toes end in tips.
        65: these, at the same places, and UpperChest, Neck, HeadTop, and left and right Shoulder, ToeEnd, HandThumb1 to 4,
        HandIndex1 to 4, HandMiddle1 to 4, HandRing1 to 4, HandPinky1 to 4 (the 4th is the tip of the finger).

    Returns
    -------
    Skeleton
        In metres, without rotations at rest; joints depth first. The same object at every call.

    Raises
    ------
    ValueError
        `joints` is neither 18 nor 65.

    Examples
    --------
    >>> body = ct.examples.humanoid()
    >>> len(body), body.names[:4]
    (18, ('Hips', 'Spine', 'Chest', 'Head'))
    >>> len(ct.examples.humanoid(joints=65).branch("Spine"))
    54
    """
    if joints not in (18, 65):
        raise ValueError(f"examples.humanoid: joints is {joints!r}, expected 18 or 65")
    return _made.get(joints) or _made.setdefault(joints, _skeleton(joints))  # of several threads at once, the first's


@checked("examples.upper_body_mask")
def upper_body_mask(skeleton: Skeleton, *, weight: float = 1.0) -> NDArray[np.float32]:
    """Mask of the body from the spine upward, down to the first joint of each finger: 24 joints of the humanoid of 65.

    The further joints of the fingers keep the base, so that a hand keeps its grip, and so does everything below the spine.

    Parameters
    ----------
    skeleton : Skeleton
        `humanoid` of 18 or 65 joints, or one that names its spine and fingers like it.
    weight : float, default 1.0
        Of the joints that are selected.

    Returns
    -------
    ndarray, shape (J,)
        float32.

    Raises
    ------
    IndexError
        There is no joint 'Spine'.
    ValueError
        The weight is not finite.

    Notes
    -----
    It is plain arithmetic on masks: ``skeleton.mask("Spine")``, then 0 for ``skeleton.branch("LeftHandIndex2")`` and so on.

    Examples
    --------
    >>> body = ct.examples.humanoid(joints=65)
    >>> mask = ct.examples.upper_body_mask(body)
    >>> int((mask > 0).sum()), int((mask == 0).sum())
    (24, 41)
    """
    mask = skeleton.mask("Spine", weight=weight)
    for side in ("Left", "Right"):
        for finger in FINGERS:
            second = f"{side}Hand{finger}2"
            if second in skeleton.names:
                mask[skeleton.branch(second)] = 0.0
    return mask
