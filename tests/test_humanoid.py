"""The humanoid of the examples: where its joints are, what the large one adds, and the mask of its upper body."""

from __future__ import annotations

import numpy as np
import pytest

import canter as ct

BOTH = pytest.mark.parametrize("joints", [18, 65])


def places(skeleton):
    """Joint or tip of a joint -> where it is at rest."""
    positions = skeleton.forward_kinematics(skeleton.rest)[0]
    tips = skeleton.tip_positions(skeleton.rest)
    return dict(zip(skeleton.names, positions, strict=True)) | {
        f"tip of {skeleton.names[joint]}": tip for (joint, _), tip in zip(skeleton.tips, tips, strict=True)
    }


@BOTH
def test_body_is_a_t_pose_on_the_floor(joints):
    at = places(ct.examples.humanoid(joints=joints))
    everything = np.array(list(at.values()))
    assert len([name for name in at if "tip" not in name]) == joints
    np.testing.assert_allclose(everything[:, 1].min(), 0.0, atol=1e-6)
    np.testing.assert_allclose(everything[:, 1].max(), 1.77, atol=1e-6)
    for name, place in {
        "Hips": (0, 0.97, 0),
        "Spine": (0, 1.07, 0),
        "Chest": (0, 1.27, 0),
        "Head": (0, 1.57, 0),
        "LeftArm": (0.19, 1.44, 0),
        "LeftForeArm": (0.47, 1.44, 0),
        "RightHand": (-0.73, 1.44, 0),
        "LeftUpLeg": (0.09, 0.91, 0),
        "RightLeg": (-0.09, 0.49, 0),
        "LeftFoot": (0.09, 0.08, 0),
        "RightToe": (-0.09, 0.02, 0.13),
    }.items():
        np.testing.assert_allclose(at[name], place, atol=1e-6, err_msg=name)


def test_joints_come_depth_first():
    for joints in (18, 65):
        skeleton = ct.examples.humanoid(joints=joints)
        for j in range(joints):
            branch = np.sort(skeleton.branch(j))
            np.testing.assert_array_equal(branch, np.arange(j, j + len(branch)), err_msg=skeleton.names[j])


def test_tips_of_the_small_body_are_joints_of_the_large_one():
    small, large = places(ct.examples.humanoid()), places(ct.examples.humanoid(joints=65))
    assert set(ct.examples.humanoid().names) <= set(large)
    for name in ct.examples.humanoid().names:
        np.testing.assert_allclose(small[name], large[name], atol=1e-6, err_msg=name)
    ends = {"Head": "HeadTop"} | {f"{s}{a}": f"{s}{b}" for s in ("Left", "Right") for a, b in (("Hand", "HandMiddle4"), ("Toe", "ToeEnd"))}
    assert {f"tip of {name}" for name in ends} == {name for name in small if "tip" in name}
    for name, end in ends.items():
        np.testing.assert_allclose(small[f"tip of {name}"], large[end], atol=1e-6, err_msg=name)


def test_large_body_has_the_layout_of_game_rigs():
    skeleton = ct.examples.humanoid(joints=65)
    count = {root: len(skeleton.branch(root)) for root in ("Hips", "Spine", "LeftShoulder", "RightHand", "LeftHandThumb1", "RightUpLeg")}
    assert count == {"Hips": 65, "Spine": 54, "LeftShoulder": 24, "RightHand": 21, "LeftHandThumb1": 4, "RightUpLeg": 5}


@BOTH
def test_right_side_mirrors_the_left(joints):
    skeleton = ct.examples.humanoid(joints=joints)
    pairs = skeleton.mirror_map()
    positions = skeleton.forward_kinematics(skeleton.rest)[0]
    np.testing.assert_allclose(positions[pairs], positions * (-1, 1, 1), atol=1e-6)
    for j, pair in enumerate(pairs):
        swapped = {"L": skeleton.names[j].replace("Left", "Right"), "R": skeleton.names[j].replace("Right", "Left")}
        assert skeleton.names[pair] == swapped.get(skeleton.names[j][0], skeleton.names[j])


def test_hand_is_a_hand():
    """Knuckles in a row from the index finger in front to the little finger, the middle finger longest, the thumb ahead of the palm."""
    at = places(ct.examples.humanoid(joints=65))
    knuckles = [at[f"LeftHand{finger}1"][2] for finger in ("Index", "Middle", "Ring", "Pinky")]
    assert all(0.015 < a - b < 0.03 for a, b in zip(knuckles[:-1], knuckles[1:], strict=True))
    reach = {finger: at[f"LeftHand{finger}4"][0] - at["LeftHand"][0] for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky")}
    assert max(reach, key=reach.get) == "Middle"
    assert min(reach, key=reach.get) == "Thumb"
    np.testing.assert_allclose(reach["Middle"], 0.18, atol=1e-6)
    assert at["LeftHandThumb4"][2] > max(knuckles) + 0.03


@pytest.mark.parametrize("joints", [17, 0])
def test_other_counts_are_refused(joints):
    with pytest.raises(ValueError, match=f"joints is {joints!r}, expected 18 or 65"):
        ct.examples.humanoid(joints=joints)


def test_upper_body_mask_selects_24_joints_of_65_and_the_rest_keep_the_base():
    skeleton = ct.examples.humanoid(joints=65)
    mask = ct.examples.upper_body_mask(skeleton)
    selected = {name for name, weight in zip(skeleton.names, mask, strict=True) if weight == 1}
    assert len(selected) == 24
    assert int((mask == 0).sum()) == 41
    arms = {f"{s}{bone}" for s in ("Left", "Right") for bone in ("Shoulder", "Arm", "ForeArm", "Hand")}
    fingers = {f"{s}Hand{finger}1" for s in ("Left", "Right") for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky")}
    assert selected == {"Spine", "Chest", "UpperChest", "Neck", "Head", "HeadTop"} | arms | fingers


def test_upper_body_mask_of_the_small_body_is_its_branch_from_the_spine():
    skeleton = ct.examples.humanoid()
    np.testing.assert_array_equal(ct.examples.upper_body_mask(skeleton, weight=0.5), skeleton.mask("Spine", weight=0.5))
    assert int((ct.examples.upper_body_mask(skeleton) > 0).sum()) == 9


def test_upper_body_needs_a_spine():
    with pytest.raises(IndexError, match="no joint 'Spine'"):
        ct.examples.upper_body_mask(ct.Skeleton(["Hips", "Back"], [-1, 0], np.zeros((2, 3))))
