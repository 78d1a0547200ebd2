"""The same motion in other units, in other axes, on another rest pose."""

import numpy as np
import pytest

import canter as ct
from test_bvh_reader import PLAIN, read


def test_lengths_scale_together(make_clip):
    clip = read(PLAIN)
    other = clip.scaled(0.01)
    np.testing.assert_allclose(other.global_positions(), clip.global_positions() * 0.01, rtol=1e-5)
    np.testing.assert_allclose(other.skeleton.offsets, clip.skeleton.offsets * np.float32(0.01), rtol=1e-6)
    np.testing.assert_allclose(other.skeleton.tips[0][1], [0, -0.42, 0], rtol=1e-6)
    np.testing.assert_array_equal(other.rotations, clip.rotations)
    for bad in (0, -1, np.nan):
        with pytest.raises(ValueError, match="factor"):
            clip.scaled(bad)


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"up": "z"}, lambda p: np.stack([p[..., 0], p[..., 2], -p[..., 1]], axis=-1)),  # forward is -Y
        ({"up": "+Z", "forward": "Y"}, lambda p: np.stack([-p[..., 0], p[..., 2], p[..., 1]], axis=-1)),
        ({"up": "-y", "forward": "z"}, lambda p: np.stack([-p[..., 0], -p[..., 1], p[..., 2]], axis=-1)),
        ({"up": "y"}, lambda p: p),
        ({"forward": "x"}, lambda p: np.stack([-p[..., 2], p[..., 1], p[..., 0]], axis=-1)),
    ],
)
def test_axes_change_places(make_clip, options, place):
    clip = make_clip(10, 22)
    turned = clip.converted(**options)
    np.testing.assert_allclose(turned.global_positions(), place(clip.global_positions()), atol=1e-5)
    loaded = read(PLAIN, **options)
    np.testing.assert_allclose(loaded.global_positions(), place(read(PLAIN).global_positions()), atol=1e-4)


def test_axes_along_one_line_are_refused(make_clip):
    with pytest.raises(ValueError, match="up"):
        make_clip(2, 3).converted(up="y", forward="-y")
    with pytest.raises(ValueError, match="expected one of"):
        make_clip(2, 3).converted(up="w")


def test_a_grounded_clip_stands_on_zero(make_clip):
    clip = make_clip(30, 65)
    for percentile, take in ((0, np.min), (50, np.median)):
        lowest = clip.grounded(percentile=percentile).global_positions()[..., 1].min(axis=1)
        assert take(lowest) == pytest.approx(0, abs=0.02)
    with pytest.raises(ValueError, match="percentile"):
        clip.grounded(percentile=101)
    with pytest.raises(ValueError, match="frame"):
        clip[:0].grounded()


def test_another_rest_pose_tells_the_same_motion(make_clip, random_rotations):
    clip = make_clip(10, 22)
    pose = clip[4]
    other = clip.with_rest_pose(pose)
    np.testing.assert_allclose(other.global_positions(), clip.global_positions(), atol=1e-5)
    np.testing.assert_allclose(np.abs(other.rotations[4, :, 0]), 1, atol=1e-6)
    for bad, error in ((clip.poses, ValueError), (clip, TypeError), (make_clip(2, 3)[0], ValueError)):
        with pytest.raises(error, match="pose"):
            clip.with_rest_pose(bad)


def test_channels_that_say_nothing_are_made_rigid_and_the_error_is_told(make_clip):
    clip = make_clip(20, 5)
    t = np.array(clip.translations)
    t[:, 2, 0] += np.linspace(-0.01, 0.01, 20)
    t[:, 3, 1] += np.linspace(-0.5, 0.5, 20)
    moving = ct.Clip(clip.skeleton, clip.rotations, t, fps=60)
    rigid, error = moving.simplify_channels(tolerance=0.02)
    assert error == pytest.approx(0.01, rel=1e-3)
    assert np.ptp(rigid.translations[:, 2], axis=0).max() == 0
    np.testing.assert_array_equal(rigid.skeleton.offsets[2], rigid.translations[0, 2])
    np.testing.assert_array_equal(rigid.translations[:, 3], moving.translations[:, 3])
    with pytest.raises(ValueError, match="tolerance"):
        moving.simplify_channels(tolerance=-1)
    with pytest.raises(TypeError, match="tolerance"):
        moving.simplify_channels()


def test_tips_become_joints_behind_all_others():
    for clip in (read(PLAIN).with_tips_as_joints(), read(PLAIN, tips_as_joints=True)):
        assert clip.skeleton.names == ("Hips", "Knee", "Knee_end")
        assert clip.skeleton.tips == ()
        assert clip.skeleton.parents.tolist() == [-1, 0, 1]
        np.testing.assert_array_equal(clip.skeleton.offsets[2], [0, -42, 0])


def test_labels_come_along(make_clip):
    clip = make_clip(10, 17, name="walk", tags=["walk"], markers={"left": [0.1]}, looping=True)
    for other in (clip.scaled(2), clip.converted(up="z"), clip.grounded(), clip.with_rest_pose(clip[0]), clip.with_tips_as_joints()):
        assert (other.name, other.tags, other.looping, other.frame_time) == ("walk", {"walk"}, True, clip.frame_time)
        assert list(other.markers) == ["left"]
