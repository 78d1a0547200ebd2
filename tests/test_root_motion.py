"""Root motion: the path on the ground, measured, taken out, put back, and composed."""

import copy
import pickle

import numpy as np
import pytest

import canter as ct


def walk_round(make_skeleton, frames=61, fps=30.0, turn=1.0, speed=1.5, looping=False):
    """A body that walks where it faces, turning left by `turn` rad/s."""
    skeleton, t = make_skeleton(65), np.arange(frames) / fps
    heading = turn * t
    q = np.tile([1.0, 0, 0, 0], (frames, 65, 1))
    q[:, 0] = np.stack([np.cos(heading / 2), 0 * t, np.sin(heading / 2), 0 * t], axis=-1)
    step = speed / fps
    path = np.zeros((frames, 3))
    path[1:, 0] = np.cumsum(np.sin(heading[:-1] + turn / fps / 2)) * step
    path[1:, 2] = np.cumsum(np.cos(heading[:-1] + turn / fps / 2)) * step
    path[:, 1] = 0.95 + 0.02 * np.sin(8 * t)
    return ct.Clip(skeleton, q, path, fps=fps, looping=looping), path, heading


def composed(first, second):
    """Two deltas, one after the other, for +Y up."""
    (a, turn), (b, more) = first, second
    c, s = np.cos(turn), np.sin(turn)
    return a + np.array([c * b[0] + s * b[2], 0, -s * b[0] + c * b[2]]), turn + more


def test_the_path_is_that_of_the_hips_on_the_ground(make_skeleton):
    clip, path, heading = walk_round(make_skeleton)
    motion = clip.root_motion()
    assert motion.joint == 0
    assert motion.up == "+y"
    assert len(motion) == 61
    assert motion.frame_time == clip.frame_time
    np.testing.assert_allclose(motion.positions, path * (1, 0, 1), atol=1e-5)
    np.testing.assert_allclose(motion.headings, heading, atol=1e-5)
    assert repr(motion) == "<RootMotion: 61 frames of joint 0>"


def test_headings_count_whole_turns(make_skeleton):
    clip, _, heading = walk_round(make_skeleton, frames=301, turn=2.0)
    np.testing.assert_allclose(clip.root_motion().headings, heading, atol=1e-4)
    assert heading[-1] > 6 * np.pi


def test_any_partition_of_a_span_composes_to_the_whole(make_skeleton, rng):
    clip, _, _ = walk_round(make_skeleton)
    motion = clip.root_motion()
    whole = motion.delta(0.1, 1.9)
    for count in (1, 2, 7, 40):
        times = np.concatenate([[0.1], np.sort(rng.uniform(0.1, 1.9, count)), [1.9]])
        total = (np.zeros(3), 0.0)
        for t0, t1 in zip(times[:-1], times[1:], strict=True):
            total = composed(total, motion.delta(t0, t1))
        np.testing.assert_allclose(total[0], whole[0], atol=1e-9)
        assert total[1] == pytest.approx(whole[1], abs=1e-9)


def test_n_loops_are_n_times_the_delta_of_one(make_skeleton):
    clip, _, _ = walk_round(make_skeleton, looping=True)
    motion = clip.root_motion()
    one = motion.delta(0.0, clip.period)
    total = (np.zeros(3), 0.0)
    for n in range(1, 6):
        total = composed(total, one)
        far = motion.delta(0.0, n * clip.period)
        np.testing.assert_allclose(far[0], total[0], atol=1e-6)
        assert far[1] == pytest.approx(total[1], abs=1e-6)
    back = composed(motion.delta(0.0, -0.7), motion.delta(-0.7, 0.0))
    np.testing.assert_allclose(back[0], 0, atol=1e-9)


def test_deltas_are_seen_by_the_character(make_skeleton):
    clip, _, _ = walk_round(make_skeleton)
    translation, turn = clip.root_motion().delta([0.0, 0.5, 1.0], [0.5, 1.0, 1.5])
    # the same arc from wherever it starts: ahead, and to the left
    np.testing.assert_allclose(translation, np.tile(translation[0], (3, 1)), atol=1e-5)
    np.testing.assert_allclose(turn, 0.5, atol=1e-5)
    assert translation[0, 2] > 0.7
    assert translation[0, 0] > 0.1


def test_times_of_any_shape_and_what_they_give(make_skeleton):
    motion = walk_round(make_skeleton)[0].root_motion()
    position, heading = motion.at(0.5)
    assert position.shape == (3,)
    assert isinstance(heading, float)
    assert motion.at(np.zeros((2, 3)))[0].shape == (2, 3, 3)
    assert motion.delta(0.0, np.zeros((4, 1)))[1].shape == (4, 1)
    with pytest.raises(ValueError, match=r"t\[1\] is NaN"):
        motion.at([0, np.nan])
    with pytest.raises(ValueError, match="shape"):
        motion.delta(np.zeros(2), np.zeros(3))


def test_ends_are_held_unless_the_clip_loops(make_skeleton):
    clip, _, _ = walk_round(make_skeleton)
    motion = clip.root_motion()
    np.testing.assert_array_equal(motion.at(99.0)[0], motion.positions[-1])
    assert motion.delta(clip.duration, 99.0)[1] == 0
    assert np.linalg.norm(clip.replace(looping=True).root_motion().at(99.0)[0] - motion.positions[-1]) > 0


def test_taking_the_motion_out_and_putting_it_back_gives_the_clip(make_clip):
    clip = make_clip(60, 65)
    for motion in (clip.root_motion(), clip.root_motion("Spine", smoothing=0.5), clip.root_motion(up="z")):
        still = clip.in_place(motion)
        again = still.with_root_motion(motion)
        np.testing.assert_allclose(again.global_positions(), clip.global_positions(), atol=5e-6)
        np.testing.assert_allclose(np.abs(np.sum(again.rotations * clip.rotations, axis=-1)), 1, atol=1e-6)


def test_in_place_stands_still_and_keeps_its_height(make_skeleton):
    clip, path, _ = walk_round(make_skeleton)
    still = clip.in_place()
    np.testing.assert_allclose(still.translations[:, 0], path * (0, 1, 0), atol=1e-5)
    np.testing.assert_allclose(np.abs(still.rotations[:, 0, 0]), 1, atol=1e-6)
    assert still.skeleton is clip.skeleton
    assert still.speed == pytest.approx(0, abs=1e-4)


def test_smoothing_keeps_straight_lines_and_removes_sway(make_skeleton):
    clip, path, _ = walk_round(make_skeleton, turn=0.0)
    swaying = np.array(path)
    swaying[:, 0] += 0.03 * np.sin(2 * np.pi * np.arange(61) / 10)
    other = ct.Clip(clip.skeleton, clip.rotations, swaying, fps=30)
    np.testing.assert_allclose(clip.root_motion(smoothing=1.0).positions, path * (1, 0, 1), atol=1e-5)
    smooth = other.root_motion(smoothing=1.0).positions[15:-15, 0]
    assert np.abs(smooth).max() < 0.003


def test_speed_is_the_mean_speed_over_the_ground(make_skeleton):
    assert walk_round(make_skeleton, speed=1.5, turn=0.0)[0].speed == pytest.approx(1.5, rel=1e-4)
    assert walk_round(make_skeleton, frames=1)[0].speed == 0
    clip, _, _ = walk_round(make_skeleton, turn=0.0)
    assert clip.scaled(100).speed == pytest.approx(150, rel=1e-4)
    assert clip.replace(fps=60).speed == pytest.approx(3.0, rel=1e-4)


def test_forward_may_be_named(make_clip):
    clip = make_clip(20, 17)
    named = clip.root_motion(forward="-Y")
    np.testing.assert_array_equal(named.headings, clip.root_motion(forward=(0, -1, 0)).headings)
    assert not np.array_equal(named.headings, clip.root_motion(forward="x").headings)


def test_what_cannot_be_measured_is_refused(make_clip):
    clip = make_clip(5, 17)
    with pytest.raises(IndexError, match="Hipz"):
        clip.root_motion("Hipz")
    with pytest.raises(ValueError, match="frame"):
        clip[:0].root_motion()
    with pytest.raises(ValueError, match="up"):
        clip.root_motion(up="w")
    with pytest.raises(ValueError, match="forward|direction"):
        clip.root_motion(forward=(0, 0, 0))
    with pytest.raises(ValueError, match="smoothing"):
        clip.root_motion(smoothing=-1)
    with pytest.raises(ValueError, match="frames"):
        clip[:3].in_place(clip.root_motion())
    with pytest.raises(TypeError, match="expected a canter.RootMotion"):
        clip.with_root_motion(clip)


def test_pickles_copies_and_views(make_clip):
    motion = make_clip(20, 17, looping=True).root_motion()
    back = pickle.loads(pickle.dumps(motion, 5))
    np.testing.assert_array_equal(back.positions, motion.positions)
    np.testing.assert_array_equal(back.at(7.3)[0], motion.at(7.3)[0])
    assert (back.looping, back.joint, back.up, back.frame_time) == (True, motion.joint, "+y", motion.frame_time)
    assert copy.copy(motion) is motion
    assert copy.deepcopy(motion) is motion
    view = motion.headings
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    expected = view.copy()
    del motion
    np.testing.assert_array_equal(view, expected)
