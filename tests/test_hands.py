"""Shapes of the hand, on the humanoid of 65 joints."""

from __future__ import annotations

import numpy as np
import pytest

import canter as ct
from canter.examples import hands

FOUR = ("Index", "Middle", "Ring", "Pinky")


def places(**shapes):
    skeleton = ct.examples.humanoid(joints=65)
    rotations = np.array(skeleton.rest.rotations)
    for name, rotation in hands.fingers(skeleton, **shapes).items():
        rotations[skeleton.index(name)] = rotation
    positions = skeleton.forward_kinematics(ct.Pose(rotations, skeleton.offsets))[0]
    return dict(zip(skeleton.names, positions, strict=True))


def test_small_humanoid_has_no_fingers_to_turn():
    assert hands.fingers(ct.examples.humanoid()) == {}


@pytest.mark.parametrize("shape", [hands.RELAXED, hands.OPEN, hands.FIST, hands.GRIP], ids=["relaxed", "open", "fist", "grip"])
def test_hands_mirror_each_other(shape):
    at = places(left=shape, right=shape)
    for name, place in at.items():
        if name.startswith("LeftHand"):
            np.testing.assert_allclose(at[name.replace("Left", "Right")], place * (-1, 1, 1), atol=1e-6, err_msg=name)


def test_shapes_go_from_open_to_a_fist():
    """How far the tips are from the wrist, and that they bend towards the palm, which looks down."""
    reach = {}
    for name in ("OPEN", "RELAXED", "GRIP", "FIST"):
        at = places(left=getattr(hands, name))
        tips = np.stack([at[f"LeftHand{finger}4"] - at["LeftHand"] for finger in FOUR])
        reach[name] = np.linalg.norm(tips, axis=-1).mean()
        if name != "OPEN":
            assert (tips[:, 1] < -0.01).all()
    assert reach["OPEN"] > reach["RELAXED"] > reach["GRIP"] > reach["FIST"]
    assert reach["FIST"] < 0.09


def test_thumb_of_a_fist_lies_over_the_fingers():
    at = places(left=hands.FIST)
    tip, index, ring = at["LeftHandThumb4"], at["LeftHandIndex3"], at["LeftHandRing3"]
    assert ring[2] - 0.01 < tip[2] < index[2] + 0.01
    assert tip[1] < at["LeftHand"][1] - 0.03


def test_a_shape_may_change_over_time():
    skeleton = ct.examples.humanoid(joints=65)
    weight = np.array([0.0, 0.5, 1.0])
    moving = hands.fingers(skeleton, left=hands.mixed(hands.OPEN, hands.FIST, weight), right=hands.GRIP)
    first, last = hands.fingers(skeleton, left=hands.OPEN, right=hands.GRIP), hands.fingers(skeleton, left=hands.FIST, right=hands.GRIP)
    for name, rotation in moving.items():
        assert rotation.shape == (3, 4)
        np.testing.assert_allclose(rotation[0], first[name], atol=1e-12)
        np.testing.assert_allclose(rotation[2], last[name], atol=1e-12)
