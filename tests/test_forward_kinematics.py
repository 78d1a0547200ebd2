"""Forward kinematics, matrices, palettes and tips, against 4x4 matrices in float64."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import canter as ct
from matrices_in_double import global_matrices, local_matrices, turn

HALF = 0.5**0.5


def random_skeleton(rng, joints, roots=1):
    parents = [-1 if j < roots else int(rng.integers(j)) for j in range(joints)]
    rotations = rng.standard_normal((joints, 4))
    tips = [(int(rng.integers(joints)), rng.uniform(-0.2, 0.2, 3)) for _ in range(5)]
    return ct.Skeleton([f"j{j}" for j in range(joints)], parents, rng.uniform(-0.4, 0.4, (joints, 3)), rotations=rotations, tips=tips)


def random_pose(rng, *shape, translations=True, scales=False):
    return ct.Pose(
        rng.standard_normal((*shape, 4)),
        rng.uniform(-0.4, 0.4, (*shape, 3)) if translations else None,
        rng.uniform(0.7, 1.3, (*shape, 3)) if scales else None,
    )


def globals_in_double(skeleton, pose):
    translations = skeleton.offsets if pose.translations is None else pose.translations
    return global_matrices(skeleton.parents, local_matrices(pose.rotations, translations, pose.scales))


# ---- known answers


def test_an_elbow_bent_by_a_quarter_turn_points_the_hand_up():
    arm = ct.Skeleton(["Arm", "Elbow", "Hand"], [-1, 0, 1], [(0, 1.4, 0), (0.3, 0, 0), (0.25, 0, 0)], tips=[("Hand", (0.1, 0, 0))])
    pose = ct.Pose([(1, 0, 0, 0), (HALF, 0, 0, HALF), (1, 0, 0, 0)])
    positions, rotations = arm.forward_kinematics(pose)
    np.testing.assert_allclose(positions, [(0, 1.4, 0), (0.3, 1.4, 0), (0.3, 1.65, 0)], atol=1e-6)
    np.testing.assert_allclose(rotations, [(1, 0, 0, 0), (HALF, 0, 0, HALF), (HALF, 0, 0, HALF)], atol=1e-6)
    np.testing.assert_allclose(arm.tip_positions(pose), [(0.3, 1.75, 0)], atol=1e-6)


def test_a_parent_turns_before_its_child():
    """Yaw at the root carries the pitch of the knee: the order of the product shows."""
    leg = ct.Skeleton(["Hips", "Knee", "Ankle"], [-1, 0, 1], [(0, 0, 0), (0, -1, 0), (0, -1, 0)])
    yaw, pitch = (HALF, 0, HALF, 0), (HALF, HALF, 0, 0)
    positions, _ = leg.forward_kinematics(ct.Pose([yaw, pitch, (1, 0, 0, 0)]))
    np.testing.assert_allclose(positions[2], (-1, -1, 0), atol=1e-6)  # pitch turns -Y to -Z, yaw turns that to -X


def test_positions_do_not_tell_the_roll_of_a_straight_arm():
    arm = ct.Skeleton(["Arm", "Elbow", "Hand"], [-1, 0, 1], [(0, 0, 0), (0.3, 0, 0), (0.25, 0, 0)])
    straight, rolled = ct.Pose(np.tile([1.0, 0, 0, 0], (3, 1))), ct.Pose([(HALF, HALF, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)])
    one, other = arm.forward_kinematics(straight), arm.forward_kinematics(rolled)
    np.testing.assert_allclose(one[0], other[0], atol=1e-7)
    assert abs(one[1] - other[1]).max() > 0.2


def test_without_translations_a_pose_stands_on_the_offsets(make_skeleton, random_rotations):
    skeleton = make_skeleton(22)
    q = random_rotations(7, 22)
    bare, full = ct.Pose(q), ct.Pose(q, np.tile(skeleton.offsets, (7, 1, 1)))
    np.testing.assert_array_equal(skeleton.forward_kinematics(bare)[0], skeleton.forward_kinematics(full)[0])


def test_translations_of_a_pose_replace_the_offsets():
    skeleton = ct.Skeleton(["a", "b"], [-1, 0], [(0, -40, 0), (0, -40, 0)])
    positions, _ = skeleton.forward_kinematics(ct.Pose(np.tile([1.0, 0, 0, 0], (2, 1)), [(0, 0, 0), (0, -40, 0)]))
    assert positions.tolist() == [[0, 0, 0], [0, -40, 0]]


def test_a_scale_stretches_what_hangs_below_in_the_joints_axes():
    arm = ct.Skeleton(["Arm", "Hand"], [-1, 0], [(0, 0, 0), (1, 0, 0)], tips=[("Hand", (0, 0.1, 0))])
    pose = ct.Pose([(HALF, 0, 0, HALF), (1, 0, 0, 0)], arm.offsets, [(2, 5, 1), (1, 3, 1)])
    positions, rotations = arm.forward_kinematics(pose)
    np.testing.assert_allclose(positions, [(0, 0, 0), (0, 2, 0)], atol=1e-6)
    np.testing.assert_allclose(rotations[1], (HALF, 0, 0, HALF), atol=1e-6)
    np.testing.assert_allclose(arm.tip_positions(pose), [(-1.5, 2, 0)], atol=1e-6)


def test_zero_length_bones_keep_their_rotations():
    stacked = ct.Skeleton(["a", "b", "c"], [-1, 0, 1], [(0, 1, 0), (0, 0, 0), (1, 0, 0)])
    positions, rotations = stacked.forward_kinematics(ct.Pose([(1, 0, 0, 0), (HALF, 0, 0, HALF), (1, 0, 0, 0)]))
    np.testing.assert_allclose(positions, [(0, 1, 0), (0, 1, 0), (0, 2, 0)], atol=1e-6)
    assert np.isfinite(rotations).all()
    assert np.isfinite(stacked.inverse_bind).all()


def test_roots_move_apart_from_each_other(rng):
    pair = ct.Skeleton(["a", "b", "a1", "b1"], [-1, -1, 0, 1], np.ones((4, 3)))
    still = np.tile([1.0, 0, 0, 0], (4, 1))
    turned = still.copy()
    turned[0] = (0, 1, 0, 0)
    before, _ = pair.forward_kinematics(ct.Pose(still))
    after, _ = pair.forward_kinematics(ct.Pose(turned))
    assert (before[[1, 3]] == after[[1, 3]]).all()
    assert (before[2] != after[2]).any()


# ---- against float64


@pytest.mark.parametrize("joints", [1, 2, 15, 16, 17, 65, 200])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (17,), (2, 3)])
@pytest.mark.parametrize("kind", ["bare", "translations", "scales"])
def test_globals_agree_with_matrices_in_double(rng, joints, shape, kind):
    skeleton = random_skeleton(rng, joints, roots=min(joints, 3))
    pose = random_pose(rng, *shape, joints, translations=kind != "bare", scales=kind == "scales")
    expected = globals_in_double(skeleton, pose)
    positions, rotations = skeleton.forward_kinematics(pose)
    matrices = skeleton.matrices(pose)

    assert positions.shape == (*shape, joints, 3)
    assert rotations.shape == (*shape, joints, 4)
    assert matrices.shape == (*shape, joints, 4, 4)
    assert positions.dtype == rotations.dtype == matrices.dtype == np.float32
    tolerance = 1e-5 * max(1.0, abs(expected).max())
    np.testing.assert_allclose(matrices, expected, atol=tolerance)
    np.testing.assert_allclose(positions, expected[..., :3, 3], atol=tolerance)
    unscaled = global_matrices(skeleton.parents, local_matrices(pose.rotations, np.zeros((joints, 3))))
    np.testing.assert_allclose(turn(rotations), unscaled[..., :3, :3], atol=2e-5)

    offsets = np.array([[*offset, 1.0] for _, offset in skeleton.tips])
    tips = np.einsum("...tab,tb->...ta", expected[..., [parent for parent, _ in skeleton.tips], :, :], offsets)[..., :3]
    np.testing.assert_allclose(skeleton.tip_positions(pose), tips, atol=tolerance)


@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 40), count=st.integers(0, 20), scales=st.booleans())
def test_a_batch_is_its_poses_one_by_one_to_the_bit(seed, joints, count, scales):
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, joints)
    poses = random_pose(rng, count, joints, scales=scales)
    positions, rotations = skeleton.forward_kinematics(poses)
    matrices, tips = skeleton.matrices(poses), skeleton.tip_positions(poses)
    for i in range(count):
        one_position, one_rotation = skeleton.forward_kinematics(poses[i])
        assert (positions[i] == one_position).all()
        assert (rotations[i] == one_rotation).all()
        assert (matrices[i] == skeleton.matrices(poses[i])).all()
        assert (tips[i] == skeleton.tip_positions(poses[i])).all()


@pytest.mark.parametrize("workers", [2, 3, 8, -1])
def test_workers_change_nothing(rng, workers):
    skeleton = random_skeleton(rng, 31)
    poses = random_pose(rng, 5000, 31)
    for one, many in zip(skeleton.forward_kinematics(poses), skeleton.forward_kinematics(poses, workers=workers), strict=True):
        np.testing.assert_array_equal(one, many)
    np.testing.assert_array_equal(skeleton.matrices(poses), skeleton.matrices(poses, workers=workers))
    np.testing.assert_array_equal(skeleton.palette(poses), skeleton.palette(poses, workers=workers))


def test_a_batch_without_poses_gives_arrays_without_poses(make_skeleton):
    skeleton = make_skeleton(22)
    nothing = ct.Pose(np.zeros((0, 3, 22, 4)))
    positions, rotations = skeleton.forward_kinematics(nothing)
    assert positions.shape == (0, 3, 22, 3)
    assert rotations.shape == (0, 3, 22, 4)
    assert skeleton.palette(nothing).shape == (0, 3, 22, 4, 4)
    assert skeleton.tip_positions(nothing).shape == (0, 3, 0, 3)


def test_palette_of_the_rest_pose_moves_nothing(rng):
    skeleton = random_skeleton(rng, 40, roots=2)
    np.testing.assert_allclose(skeleton.palette(skeleton.rest), np.tile(np.eye(4), (40, 1, 1)), atol=2e-6)
    np.testing.assert_allclose(skeleton.inverse_bind, np.linalg.inv(globals_in_double(skeleton, skeleton.rest)), atol=1e-5)


def test_palette_is_global_times_inverse_bind(rng):
    skeleton = random_skeleton(rng, 40, roots=2)
    poses = random_pose(rng, 9, 40, scales=True)
    expected = globals_in_double(skeleton, poses) @ np.linalg.inv(globals_in_double(skeleton, skeleton.rest))
    np.testing.assert_allclose(skeleton.palette(poses), expected, atol=1e-5 * abs(expected).max())


def test_a_clip_is_the_batch_of_its_frames(make_clip):
    clip = make_clip(20, 22)
    frames = ct.Pose(clip.rotations, clip.translations)
    for got, expected in zip(clip.skeleton.forward_kinematics(clip), clip.skeleton.forward_kinematics(frames), strict=True):
        np.testing.assert_array_equal(got, expected)
    assert clip.skeleton.palette(clip).shape == (20, 22, 4, 4)
    assert clip.skeleton.tip_positions(clip).shape == (20, 0, 3)


# ---- results in the caller's arrays


def test_results_land_in_the_callers_arrays(rng):
    skeleton = random_skeleton(rng, 12)
    poses = random_pose(rng, 3, 12)
    positions, rotations = np.full((3, 12, 3), np.nan, np.float32), np.full((3, 12, 4), np.nan, np.float32)
    result = skeleton.forward_kinematics(poses, out=(positions, rotations))
    assert result[0] is positions
    assert result[1] is rotations
    expected = skeleton.forward_kinematics(poses)
    np.testing.assert_array_equal(positions, expected[0])
    np.testing.assert_array_equal(rotations, expected[1])

    half = skeleton.forward_kinematics(poses, out=(None, rotations))
    assert half[1] is rotations
    np.testing.assert_array_equal(half[0], positions)
    for method, shape in ((skeleton.matrices, (3, 12, 4, 4)), (skeleton.palette, (3, 12, 4, 4)), (skeleton.tip_positions, (3, 5, 3))):
        out = np.full(shape, np.nan, np.float32)
        assert method(poses, out=out) is out
        np.testing.assert_array_equal(out, method(poses))


def read_only():
    array = np.zeros((5, 4, 4), np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (np.zeros((5, 4, 4)), ValueError, r"Skeleton.matrices: out must be a writeable C-contiguous array of .*float32.*float64"),
        (np.zeros((4, 4, 4), np.float32), ValueError, r"out has shape \(4, 4, 4\), expected \(5, 4, 4\)"),
        (np.zeros((1, 5, 4, 4), np.float32), ValueError, r"out has shape \(1, 5, 4, 4\), expected \(5, 4, 4\)"),
        (np.zeros((4, 4, 5), np.float32).T, ValueError, "C-contiguous"),
        (np.zeros((5, 4, 4), ">f4"), ValueError, "writeable C-contiguous array"),
        (read_only(), ValueError, "writeable"),
        ([[0.0]], TypeError, "out is list, expected a NumPy array"),
    ],
)
def test_an_array_that_cannot_hold_the_result_is_refused(rng, out, error, message):
    skeleton = random_skeleton(rng, 5)
    with pytest.raises(error, match=message):
        skeleton.matrices(skeleton.rest, out=out)


def test_results_that_share_memory_are_refused(rng):
    skeleton = random_skeleton(rng, 4)
    memory = np.zeros(40, np.float32)
    overlapping = (memory[:12].reshape(4, 3), memory[8:24].reshape(4, 4))
    with pytest.raises(ValueError, match="Skeleton.forward_kinematics: out: the arrays share memory"):
        skeleton.forward_kinematics(skeleton.rest, out=overlapping)
    skeleton.forward_kinematics(skeleton.rest, out=(memory[:12].reshape(4, 3), memory[12:28].reshape(4, 4)))


@pytest.mark.parametrize("out", [np.zeros((5, 3), np.float32), (None,), [None, None]])
def test_out_of_forward_kinematics_is_a_pair(rng, out):
    skeleton = random_skeleton(rng, 5)
    with pytest.raises(TypeError, match=r"out is not a pair, expected \(positions, rotations\)"):
        skeleton.forward_kinematics(skeleton.rest, out=out)


# ---- what is refused


def test_a_pose_of_other_joints_is_refused(make_skeleton, make_clip):
    with pytest.raises(ValueError, match="Skeleton.forward_kinematics: pose has 22 joints, the skeleton has 65"):
        make_skeleton(65).forward_kinematics(make_skeleton(22).rest)
    with pytest.raises(ValueError, match="Skeleton.palette: pose has 22 joints"):
        make_skeleton(65).palette(make_skeleton(22).rest)
    with pytest.raises(ValueError, match="Skeleton.matrices: pose has 22 joints"):
        make_skeleton(65).matrices(make_clip(2, 22))


def test_only_local_poses_are_taken(make_skeleton):
    """Global rotations are an array, local ones a Pose: they can't be mixed up."""
    skeleton = make_skeleton(22)
    _, rotations = skeleton.forward_kinematics(skeleton.rest)
    for method in (skeleton.forward_kinematics, skeleton.matrices, skeleton.palette, skeleton.tip_positions):
        with pytest.raises(TypeError, match=r"pose is numpy.ndarray, expected a canter.Pose or a canter.Clip"):
            method(rotations)


@pytest.mark.parametrize(
    ("workers", "error", "message"),
    [
        (0, ValueError, "Skeleton.matrices: workers is 0"),
        (-2, ValueError, "workers is -2"),
        (1.5, TypeError, "workers is 1.5"),
        (None, TypeError, "workers is None"),
    ],
)
def test_workers_are_counted_from_one(make_skeleton, workers, error, message):
    skeleton = make_skeleton(22)
    with pytest.raises(error, match=message):
        skeleton.matrices(skeleton.rest, workers=workers)


def test_arguments_by_the_wrong_name_are_listed(make_skeleton):
    skeleton = make_skeleton(22)
    with pytest.raises(TypeError, match=r"Skeleton.matrices\(\) has no argument 'worker'; it has pose, workers, out"):
        skeleton.matrices(skeleton.rest, worker=2)
    with pytest.raises(TypeError, match=r"takes 1 positional argument, 2 were given"):
        skeleton.matrices(skeleton.rest, 2)
    with pytest.raises(TypeError, match=r"needs pose"):
        skeleton.matrices()


# ---- other threads and signals


def test_other_threads_run_during_a_long_call(rng):
    skeleton = random_skeleton(rng, 65)
    poses = random_pose(rng, 20000, 65)
    out = np.zeros((20000, 65, 4, 4), np.float32)

    def ticks_during_a_call():
        ticks: list[float] = []
        span: list[float] = []

        def work():
            span.append(time.perf_counter())
            skeleton.matrices(poses, out=out)
            span.append(time.perf_counter())

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.001)
        return sum(span[0] < tick < span[1] for tick in ticks)

    # A busy machine may let this thread wait for one call, not for all.
    assert any(ticks_during_a_call() >= 3 for _ in range(10))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
@pytest.mark.parametrize(
    ("method", "options", "shape"),
    [("matrices", {}, (65, 4, 4)), ("matrices", {"workers": 2}, (65, 4, 4)), ("palette", {}, (65, 4, 4)), ("tip_positions", {}, (5, 3))],
)
def test_a_signal_stops_a_long_call_on_its_way(rng, method, options, shape):
    skeleton = random_skeleton(rng, 65)
    poses = random_pose(rng, 20000, 65)
    out = np.full((20000, *shape), np.nan, np.float32)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            getattr(skeleton, method)(poses, out=out, **options)
            time.sleep(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.isnan(out[-1]).all()
