"""Clip.sample and Clip.resample: the pose at any time, against an independent computation in float64 and against laws."""

import contextlib
import signal
import time

import numpy as np
import pytest

import canter as ct

METHODS = ["nlerp", "slerp", "step", "cubic"]


def angle_between(p, q):
    """Radians between rotations; small angles without loss."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    apart = np.minimum(np.linalg.norm(p - q, axis=-1), np.linalg.norm(p + q, axis=-1))
    return 4 * np.arcsin(np.clip(apart / 2, 0, 1))


def slerp(p, q, t):
    p, q = (np.asarray(r, np.float64) / np.linalg.norm(np.asarray(r, np.float64), axis=-1, keepdims=True) for r in (p, q))
    q = np.where(np.sum(p * q, axis=-1, keepdims=True) < 0, -q, q)
    theta = angle_between(p, q)[..., None] / 2
    small = theta < 1e-9
    return np.where(small, p, (np.sin((1 - t) * theta) * p + np.sin(t * theta) * q) / np.where(small, 1, np.sin(theta)))


def turning(angles, fps, **options):
    """One joint that turns about +Y by the given angles."""
    half = np.asarray(angles, np.float64) / 2
    q = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=-1)[:, None]
    return ct.Clip(ct.Skeleton(["root"], [-1], [[0.0, 0, 0]]), q, fps=fps, **options)


def turn_of(pose):
    q = np.asarray(pose.rotations, np.float64)
    return 2 * np.arctan2(q[..., 0, 2], q[..., 0, 0])


# --- shapes -------------------------------------------------------------------------------------------------------------------------


def test_the_batch_has_the_shape_of_the_times(make_clip):
    clip = make_clip(20, 5)
    assert clip.sample(0.1).shape == ()
    assert clip.sample(np.float32(0.1)).shape == ()
    assert clip.sample([0.1]).shape == (1,)
    assert clip.sample(np.zeros((2, 3, 4))).rotations.shape == (2, 3, 4, 5, 4)
    assert clip.sample([]).shape == (0,)
    pose, velocity = clip.sample([0.1, 0.2], velocity=True)
    assert isinstance(pose, ct.Pose)
    assert isinstance(velocity, ct.PoseVelocity)
    assert velocity.angular.shape == (2, 5, 3)


def test_one_time_gives_the_bits_of_the_batch(make_clip, rng):
    clip = make_clip(50, 22)
    times = rng.uniform(-0.1, 1, 40)
    for method in METHODS:
        batch, speeds = clip.sample(times, interpolation=method, velocity=True)
        for i in (0, 7, 39):
            pose, speed = clip.sample(times[i], interpolation=method, velocity=True)
            np.testing.assert_array_equal(pose.rotations, batch.rotations[i])
            np.testing.assert_array_equal(pose.translations, batch.translations[i])
            np.testing.assert_array_equal(speed.angular, speeds.angular[i])


def test_workers_do_not_change_a_bit(make_clip, rng):
    clip = make_clip(100, 65)
    times = rng.uniform(0, clip.duration, 3000)
    one = clip.sample(times, velocity=True)
    for workers in (2, 3, -1):
        many = clip.sample(times, velocity=True, workers=workers)
        np.testing.assert_array_equal(many[0].rotations, one[0].rotations)
        np.testing.assert_array_equal(many[1].linear, one[1].linear)


# --- values -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_key_is_that_frame_to_the_bit(make_clip, method):
    clip = make_clip(30, 22, fps=23.976)
    times = np.arange(30) * clip.frame_time
    for slip in (0, 4e-7, -4e-7):
        poses = clip.sample(times + slip * clip.frame_time, interpolation=method)
        np.testing.assert_array_equal(poses.rotations, clip.rotations)
        np.testing.assert_array_equal(poses.translations, clip.translations)


@pytest.mark.parametrize("method", ["nlerp", "slerp", "cubic"])
def test_rotations_are_unit(make_clip, rng, method):
    poses = make_clip(30, 22).sample(rng.uniform(-1, 2, 500), interpolation=method)
    np.testing.assert_allclose(np.linalg.norm(poses.rotations.astype(np.float64), axis=-1), 1, atol=3e-7)


def test_slerp_and_nlerp_against_double_precision(make_clip, rng):
    clip = make_clip(30, 22, fps=30)
    times = rng.uniform(0, clip.duration, 300)
    frame = np.minimum((times / clip.frame_time).astype(int), 28)
    t = (times / clip.frame_time - frame)[:, None, None]
    a, b = clip.rotations[frame].astype(np.float64), clip.rotations[frame + 1].astype(np.float64)
    assert angle_between(clip.sample(times, interpolation="slerp").rotations, slerp(a, b, t)).max() < 2e-6
    mixed = a + (b - a) * t
    mixed /= np.linalg.norm(mixed, axis=-1, keepdims=True)
    assert angle_between(clip.sample(times).rotations, mixed).max() < 2e-6
    x, y = clip.translations[frame].astype(np.float64), clip.translations[frame + 1]
    np.testing.assert_allclose(clip.sample(times).translations, x + (y - x) * t, atol=1e-6)


def test_slerp_turns_evenly_and_nlerp_does_not():
    clip = turning([0, 2.0], fps=1)
    assert turn_of(clip.sample(0.25, interpolation="slerp")) == pytest.approx(0.5, abs=1e-6)
    # atan2(sin 1 / 4, 3/4 + cos 1 / 4) * 2
    assert turn_of(clip.sample(0.25)) == pytest.approx(2 * np.arctan2(np.sin(1) / 4, 0.75 + np.cos(1) / 4), abs=1e-6)


@pytest.mark.parametrize("how", ["nlerp", "slerp", "cubic"])
def test_rotations_between_frames_keep_the_bones_and_positions_would_not(make_clip, how):
    clip = make_clip(10, 65, fps=6)
    rigid = ct.Clip(clip.skeleton, clip.rotations, clip.translations[:, 0], fps=6)
    bones = np.flatnonzero(clip.skeleton.parents >= 0)
    lengths = np.linalg.norm(clip.skeleton.offsets[bones], axis=-1)

    def stretch(positions):
        bone = positions[..., bones, :] - positions[..., clip.skeleton.parents[bones], :]
        return np.linalg.norm(bone, axis=-1) / lengths

    middle = (np.arange(9) + 0.5) / 6
    between, _ = rigid.skeleton.forward_kinematics(rigid.sample(middle, interpolation=how))
    np.testing.assert_allclose(stretch(between), 1, atol=2e-5)
    keys = rigid.global_positions()
    mixed = stretch((keys[1:] + keys[:-1]) / 2)
    assert mixed.max() < 1 + 2e-5
    assert mixed.min() < 0.95


def test_step_holds_the_earlier_frame(make_clip):
    clip = make_clip(10, 5, fps=10)
    np.testing.assert_array_equal(clip.sample(0.39, interpolation="step").rotations, clip.rotations[3])
    pose, velocity = clip.sample(0.39, interpolation="step", velocity=True)
    assert not velocity.angular.any()
    assert not velocity.linear.any()


def test_cubic_is_exact_on_a_parabola():
    t = np.arange(8) / 10
    path = np.stack([t**2, 3 * t, 1 - t**2], axis=-1)
    skeleton = ct.Skeleton(["root"], [-1], [[0.0, 0, 0]])
    clip = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (8, 1, 1)), path, fps=10)
    at = np.linspace(0.1, 0.6, 37)  # away from the one-sided ends
    pose, velocity = clip.sample(at, interpolation="cubic", velocity=True)
    np.testing.assert_allclose(pose.translations[:, 0], np.stack([at**2, 3 * at, 1 - at**2], axis=-1), atol=1e-6)
    np.testing.assert_allclose(velocity.linear[:, 0], np.stack([2 * at, 0 * at + 3, -2 * at], axis=-1), atol=2e-5)


def test_cubic_turns_as_a_parabola_does_about_one_axis():
    t = np.arange(8) / 10
    clip = turning(t**2, fps=10)
    at = np.linspace(0.1, 0.6, 37)
    pose, velocity = clip.sample(at, interpolation="cubic", velocity=True)
    np.testing.assert_allclose(turn_of(pose), at**2, atol=2e-5)
    np.testing.assert_allclose(velocity.angular[:, 0, 1], 2 * at, atol=2e-3)


@pytest.mark.parametrize("method", ["nlerp", "slerp", "cubic"])
def test_velocities_are_the_derivative_of_the_curve(make_clip, rng, method):
    clip = make_clip(30, 12, fps=30)
    frame, part = rng.integers(1, 28, 200), rng.uniform(0.1, 0.9, 200)
    times, h = (frame + part) * clip.frame_time, 2e-3
    _, velocity = clip.sample(times, interpolation=method, velocity=True)
    before, after = (clip.sample(times + s * h, interpolation=method) for s in (-1, 1))
    change = (after.translations.astype(np.float64) - before.translations) / (2 * h)
    np.testing.assert_allclose(velocity.linear, change, atol=2e-3)
    turned = angle_between(after.rotations, before.rotations) / (2 * h)
    np.testing.assert_allclose(np.linalg.norm(velocity.angular, axis=-1), turned, atol=1e-2)


def test_angular_velocity_is_about_the_axes_of_the_parent():
    # turned by 90 degrees about Z first, then spinning about the parent's Y
    half = np.arange(5) * 0.05
    spin = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=-1)
    s = np.sqrt(0.5)
    w, y = spin[:, 0], spin[:, 2]
    q = np.stack([w * s, y * s, y * s, w * s], axis=-1)  # spin * qz(90 degrees)
    clip = ct.Clip(ct.Skeleton(["root"], [-1], [[0.0, 0, 0]]), q[:, None], fps=10)
    for method in ("nlerp", "slerp", "cubic"):
        _, velocity = clip.sample(0.2, interpolation=method, velocity=True)
        np.testing.assert_allclose(velocity.angular[0], [0, 1, 0], atol=2e-3)
    np.testing.assert_allclose(clip.velocities().angular[:, 0], np.tile([0.0, 1, 0], (5, 1)), atol=2e-3)


def test_opposite_signs_in_the_input_do_not_show():
    q = np.array([[1.0, 0, 0, 0], [-np.cos(0.1), 0, -np.sin(0.1), 0], [np.cos(0.2), 0, np.sin(0.2), 0]])[:, None]
    clip = ct.Clip(ct.Skeleton(["root"], [-1], [[0.0, 0, 0]]), q, fps=1)
    for method in ("nlerp", "slerp", "cubic"):
        assert angle_between(clip.sample(0.5, interpolation=method).rotations, [[np.cos(0.05), 0, np.sin(0.05), 0]]).max() < 1e-3


def test_half_turns_between_frames_stay_finite_and_unit():
    clip = turning([0, np.pi, 2 * np.pi, np.pi], fps=1)
    for method in METHODS:
        pose, velocity = clip.sample(np.linspace(0, 3, 61), interpolation=method, velocity=True)
        np.testing.assert_allclose(np.linalg.norm(pose.rotations, axis=-1), 1, atol=1e-6)
        assert np.isfinite(velocity.angular).all()


def test_scales_are_interpolated(make_skeleton, random_rotations):
    scales = np.ones((2, 5, 3))
    scales[1] = [2, 3, 4]
    clip = ct.Clip(make_skeleton(5), np.tile(random_rotations(1, 5), (2, 1, 1)), fps=1, scales=scales)
    pose, velocity = clip.sample(0.5, velocity=True)
    np.testing.assert_allclose(pose.scales, np.tile([1.5, 2, 2.5], (5, 1)), rtol=1e-6)
    np.testing.assert_allclose(velocity.scaling, np.tile([1.0, 2, 3], (5, 1)), rtol=1e-5)


# --- ends and loops -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_times_outside_hold_the_ends(make_clip, method):
    clip = make_clip(10, 5)
    pose, velocity = clip.sample([-1e9, -0.01, clip.duration + 0.01, 1e9], interpolation=method, velocity=True)
    np.testing.assert_array_equal(pose.rotations, clip.rotations[[0, 0, -1, -1]])
    assert not velocity.angular.any()
    assert not velocity.linear.any()


def test_the_way_back_of_a_loop_takes_one_frame():
    clip = turning([0, 0.4, 0.8, 0.4], fps=10, looping=True)
    assert clip.period == pytest.approx(0.4)
    assert turn_of(clip.sample(0.35, wrap="loop")) == pytest.approx(0.2, abs=1e-3)
    assert turn_of(clip.sample(-0.05, wrap="loop")) == pytest.approx(0.2, abs=1e-3)


def test_a_loop_repeats_after_its_period(make_clip, rng):
    clip = make_clip(24, 12, looping=True)
    times = rng.uniform(0, clip.period, 50)
    once = clip.sample(times, wrap="loop")
    for n in (-3, 1, 1000):
        again = clip.sample(times + n * clip.period, wrap="loop")
        np.testing.assert_allclose(again.rotations, once.rotations, atol=1e-6)
        np.testing.assert_allclose(again.translations, once.translations, atol=1e-5)


def test_a_closed_loop_shows_its_seam_once():
    angles = 0.5 * np.sin(2 * np.pi * np.arange(11) / 10)  # the last frame is the first again
    clip = turning(angles, fps=10, looping=True)
    assert clip.period == pytest.approx(1.0)
    shown = turn_of(clip.sample(np.arange(30) * 0.1, wrap="loop"))
    np.testing.assert_allclose(shown, 0.5 * np.sin(2 * np.pi * np.arange(30) / 10), atol=1e-6)


def test_wrap_loop_goes_round_a_clip_that_is_not_marked_as_a_loop():
    clip = turning([0, 0.1, 0.2], fps=1)
    assert turn_of(clip.sample(4.0, wrap="loop")) == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("wrap", ["clamp", "loop"])
def test_one_frame_is_the_pose_at_every_time(make_clip, wrap):
    clip = make_clip(1, 5)
    for method in METHODS:
        pose, velocity = clip.sample([-1, 0, 0.5, 1e6], interpolation=method, wrap=wrap, velocity=True)
        np.testing.assert_array_equal(pose.rotations, np.tile(clip.rotations, (4, 1, 1)))
        assert not velocity.angular.any()


# --- what is refused ----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_a_signal_stops_a_long_call_on_its_way(make_clip, rng):
    clip = make_clip(100, 65)
    times = rng.uniform(0, clip.duration, 30000)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    def seconds(expected, alarm):
        start = time.thread_time()
        with expected:
            signal.setitimer(signal.ITIMER_REAL, alarm)
            clip.sample(times, interpolation="cubic", velocity=True)
        return time.thread_time() - start

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        whole = seconds(contextlib.nullcontext(), 0)
        stopped = seconds(pytest.raises(KeyboardInterrupt), 0.001)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert stopped < 0.5 * whole


def test_a_time_that_is_not_finite_is_named_by_its_index(make_clip):
    clip = make_clip(5, 3)
    with pytest.raises(ValueError, match="t is NaN"):
        clip.sample(np.nan)
    with pytest.raises(ValueError, match=r"t\[1, 2\] is infinite"):
        clip.sample([[0, 1, 2], [0, 1, np.inf]])


def test_a_clip_without_frames_cannot_be_sampled(make_clip):
    with pytest.raises(ValueError, match="no frames"):
        make_clip(5, 3)[:0].sample(0.0)


def test_unknown_options_list_the_known_ones(make_clip):
    clip = make_clip(5, 3)
    with pytest.raises(ValueError, match="expected one of 'nlerp', 'slerp', 'step', 'cubic'"):
        clip.sample(0, interpolation="linear")
    with pytest.raises(ValueError, match="expected one of 'clamp', 'loop'"):
        clip.sample(0, wrap="mirror")
    with pytest.raises(TypeError, match="positional"):
        clip.sample(0, "slerp")
    with pytest.raises(TypeError, match="expected real numbers"):
        clip.sample("now")
    with pytest.raises(ValueError, match="workers"):
        clip.sample(0, workers=0)


# --- resample -----------------------------------------------------------------------------------------------------------------------


def test_resampling_uses_true_time():
    # 100 to 30 fps: a stride of 3 would be 33.3 fps
    clip = turning(np.arange(301) * 0.01, fps=100)
    slow = clip.resample(30)
    assert slow.fps == 30
    assert len(slow) == 91
    np.testing.assert_allclose(turn_of(slow.poses), np.arange(91) / 30, atol=2e-6)


def test_resampling_to_the_same_rate_changes_nothing(make_clip):
    clip = make_clip(40, 22, fps=24)
    same = clip.resample(24)
    np.testing.assert_array_equal(same.rotations, clip.rotations)
    assert same.frame_time == clip.frame_time


@pytest.mark.parametrize("fps", [7, 23.976, 30, 59.94, 144, 1000])
def test_the_duration_is_kept_to_half_a_new_frame(make_clip, fps):
    clip = make_clip(100, 3, fps=100, name="walk", tags=["walk"])
    other = clip.resample(fps)
    assert abs(other.duration - clip.duration) <= 0.5 / fps + 1e-9
    assert (other.name, other.tags, other.skeleton) == ("walk", {"walk"}, clip.skeleton)


def test_a_loop_keeps_its_period_exactly(make_clip):
    clip = make_clip(31, 3, fps=30, looping=True)
    for fps in (13, 24, 100):
        other = clip.resample(fps)
        assert other.period == pytest.approx(clip.period, rel=1e-12)
        assert other.looping
        assert other.frame_time == pytest.approx(1 / fps, rel=0.1)


def test_upsampling_and_back_gives_the_frames_again(make_clip):
    clip = make_clip(40, 22, fps=30)
    back = clip.resample(120).resample(30)
    np.testing.assert_allclose(back.rotations, clip.rotations, atol=1e-6)
    np.testing.assert_allclose(back.translations, clip.translations, atol=1e-6)


def test_resampling_refuses_what_is_no_rate(make_clip):
    for bad in (0, -1, np.nan):
        with pytest.raises(ValueError, match="fps"):
            make_clip(4, 3).resample(bad)
    assert len(make_clip(4, 3)[:0].resample(10)) == 0
    assert len(make_clip(1, 3).resample(10)) == 1
