"""Mirroring: the image in the plane between left and right, whatever the names and the axes of the joints."""

import warnings

import numpy as np
import pytest

import canter as ct


def swapped(skeleton):
    return np.asarray(skeleton.mirror_map())


def fork(left, right, middle="Root"):
    return ct.Skeleton([middle, left, right], [-1, 0, 0], [(0, 1, 0), (0.5, 0, 0), (-0.5, 0, 0)])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftArm", "RightArm"),
        ("rig:LeftArm", "rig:RightArm"),
        ("LEFTARM", "RIGHTARM"),
        ("left_hand", "right_hand"),
        ("L_Hand", "R_Hand"),
        ("l_hand", "r_hand"),
        ("thigh.l", "thigh.r"),
        ("thigh.L", "thigh.R"),
        ("hand.l.001", "hand.r.001"),
        ("lCollar", "rCollar"),
        ("Bip01 L Calf", "Bip01 R Calf"),
        ("左ひざ", "右ひざ"),
    ],
)
def test_partners_are_found_by_their_names(left, right):
    assert fork(left, right).mirror_map().tolist() == [0, 2, 1]


def test_words_that_only_begin_like_a_side_are_the_middle():
    skeleton = ct.Skeleton(["LowerBack", "Ribs", "lowerback", "Roll"], [-1, 0, 1, 2], np.zeros((4, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert skeleton.mirror_map().tolist() == [0, 1, 2, 3]


def test_a_side_without_a_partner_is_reported_once(make_clip):
    skeleton = ct.Skeleton(["Hips", "LeftArm", "LeftLeg", "RightLeg"], [-1, 0, 0, 0], np.ones((4, 3)))
    with pytest.warns(ct.CanterWarning, match="1 joint names a side.*'LeftArm'") as caught:
        assert skeleton.mirror_map().tolist() == [0, 1, 3, 2]
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_mirroring_twice_changes_nothing(make_clip):
    clip = make_clip(20, 65)
    twice = clip.mirror().mirror()
    np.testing.assert_array_equal(np.abs(np.sum(twice.rotations * clip.rotations, axis=-1)) > 1 - 1e-6, True)
    np.testing.assert_allclose(twice.translations, clip.translations, atol=1e-6)


@pytest.mark.parametrize(("axis", "sign"), [("x", (-1, 1, 1)), ("y", (1, -1, 1)), ("z", (1, 1, -1))])
def test_the_tips_of_left_and_right_change_places(make_skeleton, make_clip, axis, sign):
    skeleton = make_skeleton(65)
    clip = make_clip(20, skeleton=skeleton)
    image = clip.mirror(axis=axis)
    if axis == "x":  # the only one across which this skeleton is its own image
        np.testing.assert_allclose(image.global_positions(), clip.global_positions()[:, swapped(skeleton)] * sign, atol=2e-5)
    np.testing.assert_allclose(image.translations[:, 0], clip.translations[:, 0] * sign, atol=1e-6)
    np.testing.assert_array_equal(clip.mirror(axis=f"-{axis.upper()}").rotations, image.rotations)


def test_a_turn_to_the_left_becomes_one_to_the_right():
    s, c = np.sin(0.3), np.cos(0.3)
    clip = ct.Clip(
        fork("LeftArm", "RightArm"), [[[c, 0, s, 0], [1, 0, 0, 0], [1, 0, 0, 0]]], [[[1, 0, 0], [0.5, 0, 0], [-0.5, 0, 0]]], fps=30
    )
    image = clip.mirror()
    np.testing.assert_allclose(image.rotations[0, 0], [c, 0, -s, 0], atol=1e-6)
    np.testing.assert_allclose(image.translations[0, 0], [-1, 0, 0], atol=1e-6)


def test_joints_whose_axes_differ_at_rest_mirror_in_the_world(make_clip, random_rotations):
    # the right arm's axes are turned half a turn about Y, as in many rigs
    flip = [0.0, 0, 1, 0]
    rest = [[1.0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], flip, [1, 0, 0, 0]]
    skeleton = ct.Skeleton(
        ["Root", "LeftArm", "LeftHand", "RightArm", "RightHand"],
        [-1, 0, 1, 0, 3],
        [(0, 1, 0), (0.2, 0, 0), (0.5, 0, 0), (-0.2, 0, 0), (0.5, 0, 0)],
        rotations=rest,
    )
    q = random_rotations(6, 5)
    clip = ct.Clip(skeleton, q, fps=30)
    np.testing.assert_allclose(clip.mirror().global_positions(), clip.global_positions()[:, [0, 3, 4, 1, 2]] * (-1, 1, 1), atol=1e-5)


def test_pairs_can_be_told(make_clip):
    skeleton = fork("Port", "Starboard")
    clip = make_clip(5, skeleton=skeleton)
    image = clip.mirror(pairs=[("Port", "Starboard")])
    np.testing.assert_array_equal(image.rotations, clip.mirror(pairs=np.array([0, 2, 1])).rotations)
    np.testing.assert_array_equal(image.rotations, clip.mirror(pairs=[(1, 2)]).rotations)
    np.testing.assert_allclose(image.global_positions(), clip.global_positions()[:, [0, 2, 1]] * (-1, 1, 1), atol=1e-5)


def test_pairs_that_cannot_be_are_refused(make_clip):
    clip = make_clip(5, 65)
    with pytest.raises(IndexError, match="LeftArn"):
        clip.mirror(pairs=[("LeftArn", "RightArm")])
    with pytest.raises(ValueError, match="twice"):
        clip.mirror(pairs=[("LeftArm", "RightArm"), ("LeftArm", "Hips")])
    with pytest.raises(TypeError, match=r"pairs\[0\] is str, expected two joints"):
        clip.mirror(pairs=["LeftArm"])
    with pytest.raises(ValueError, match=r"pairs\[1\] has 3 parts, expected two joints"):
        clip.mirror(pairs=[("LeftArm", "RightArm"), ("LeftLeg", "RightLeg", "Hips")])
    with pytest.raises((ValueError, IndexError)):
        clip.mirror(pairs=np.array([1, 0] + [500] * 63))
    with pytest.raises(ValueError, match="parent"):
        clip.mirror(pairs=[("LeftArm", "RightUpLeg")])
    with pytest.raises(ValueError, match="axis"):
        clip.mirror(axis="w")


def test_name_tags_and_rate_stay(make_clip):
    clip = make_clip(10, 17, name="walk", tags=["walk"], markers={"left": [0.1]}, looping=True)
    image = clip.mirror()
    assert (image.name, image.tags, image.looping, image.frame_time) == (clip.name, clip.tags, True, clip.frame_time)
    assert image.skeleton is clip.skeleton
    assert dict(image.markers).keys() == {"right"}


def test_a_clip_without_frames_mirrors(make_clip):
    assert len(make_clip(3, 17)[:0].mirror()) == 0


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("LeftArm", "left"),
        ("mixamorig:LeftHand", "left"),
        ("lShldr", "left"),
        ("LThumb", "left"),
        ("thigh.L", "left"),
        ("arm_l", "left"),
        ("Bip01 L Calf", "left"),
        ("RightUpLeg", "right"),
        ("rButtock", "right"),
        ("foot.R", "right"),
        ("RHipJoint", "right"),
        ("Root", "middle"),
        ("LowerBack", "middle"),
        ("ROOT", "middle"),
        ("Neck", "middle"),
        ("rear", "middle"),
    ],
)
def test_the_side_is_told_by_the_name_alone(name, side):
    assert ct.Skeleton(["Hips", name], [-1, 0], np.zeros((2, 3))).sides == ("middle", side)


def test_what_names_no_side_is_on_that_of_its_parent():
    names, parents = ["Hips", "LeftHand", "RightHand", "Sword", "Blade", "Hat"], [-1, 0, 0, 2, 3, 0]
    assert ct.Skeleton(names, parents, np.zeros((6, 3))).sides == ("middle", "left", "right", "right", "right", "middle")


def test_what_carries_both_sides_is_of_the_middle():
    assert ct.Skeleton(["L_Root", "LeftLeg", "RightLeg"], [-1, 0, 0], np.zeros((3, 3))).sides == ("middle", "left", "right")


def test_partners_are_on_opposite_sides(make_skeleton):
    skeleton = make_skeleton(65)
    opposite = {"left": "right", "right": "left", "middle": "middle"}
    assert [skeleton.sides[partner] for partner in skeleton.mirror_map()] == [opposite[side] for side in skeleton.sides]
    assert set(skeleton.sides) == set(opposite)


def test_markers_of_a_side_are_those_of_the_other_in_the_mirror(make_clip):
    markers = {"left_down": [0.0, 0.1], "right_down": [0.05], "heel.L": [0.02], "bright": [0.03], "\udc80Left": [0.01]}
    clip = make_clip(frames=9).replace(markers=markers)
    mirrored = clip.mirror()
    assert {name: times.tolist() for name, times in mirrored.markers.items()} == {
        "right_down": [0.0, 0.1],
        "left_down": [0.05],
        "heel.R": [0.02],
        "bright": [0.03],
        "\udc80Right": [0.01],
    }
    assert {name: times.tolist() for name, times in mirrored.mirror().markers.items()} == markers
