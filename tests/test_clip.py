"""Clip: what it keeps, what it refuses, and what stays true when it is cut, copied and shared."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import canter as ct


@pytest.fixture
def arm():
    return ct.Skeleton(["upper", "lower"], [-1, 0], [[0.0, 1.0, 0.0], [0.3, 0.0, 0.0]])


@pytest.fixture
def clip(make_clip):
    return make_clip(41, 22, markers={"left": [0.1, 0.5], "right": [0.3]}, tags=["walk", "slow"], name="walk")


def still(frames, joints=2):
    return np.tile([1.0, 0.0, 0.0, 0.0], (frames, joints, 1))


# --- what goes in comes out ---------------------------------------------------------------------------------------------------------


def test_arrays_come_back_as_they_were_given(make_skeleton, random_rotations, rng):
    skeleton = make_skeleton(18)
    q, t, s = random_rotations(5, 18), rng.normal(size=(5, 18, 3)), rng.uniform(0.5, 2, (5, 18, 3))
    clip = ct.Clip(skeleton, q, t, fps=30, scales=s)
    # q and -q are one rotation; signs are chosen for continuity along time
    assert np.abs(np.sum(clip.rotations * q, axis=-1)) == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(clip.translations, t.astype(np.float32))
    np.testing.assert_array_equal(clip.scales, s.astype(np.float32))
    assert clip.rotations.dtype == np.float32
    assert clip.rotations.shape == (5, 18, 4)
    assert clip.skeleton is skeleton
    assert len(clip) == 5


def test_joints_stand_on_the_offsets_where_no_translations_are_given(arm):
    clip = ct.Clip(arm, still(3), fps=30)
    np.testing.assert_array_equal(clip.translations, np.tile(arm.offsets, (3, 1, 1)))
    assert clip.scales is None


def test_a_path_moves_the_root_alone(arm):
    path = np.array([[0, 1, 0], [0, 1, 0.5], [0, 1, 1]], dtype=np.float32)
    clip = ct.Clip(arm, still(3), path, fps=30)
    np.testing.assert_array_equal(clip.translations[:, 0], path)
    np.testing.assert_array_equal(clip.translations[:, 1], np.tile(arm.offsets[1], (3, 1)))


def test_neighbouring_frames_lie_the_short_way_apart(make_skeleton, random_rotations):
    q = np.tile(random_rotations(1, 18), (6, 1, 1))
    q[1::2] *= -1
    clip = ct.Clip(make_skeleton(18), q, fps=30)
    assert (np.sum(clip.rotations[1:] * clip.rotations[:-1], axis=-1) > 0.999).all()


def test_rotations_of_any_length_become_unit(arm):
    clip = ct.Clip(arm, 3.5 * still(2), fps=30)
    np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1, atol=1e-6)


def test_numbers_of_any_real_type_are_taken(arm):
    for dtype in (np.float16, np.float64, np.int32, np.uint8, bool):
        assert ct.Clip(arm, still(2).astype(dtype), fps=30).rotations[0, 0, 0] == 1
    assert ct.Clip(arm, still(2).tolist(), fps=30).rotations[1, 1, 0] == 1


def test_arrays_in_any_memory_order_are_taken(arm, random_rotations):
    q = random_rotations(4, 2)
    plain = ct.Clip(arm, q, fps=30)
    for odd in (np.asfortranarray(q), q[::-1][::-1], q.astype(">f8"), np.repeat(q, 2, axis=0)[::2]):
        np.testing.assert_array_equal(ct.Clip(arm, odd, fps=30).rotations, plain.rotations)


# --- time ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame_time", "fps"),
    [
        (0.0333333, 30),
        (0.0083333, 120),
        (0.008333, 120),
        (0.0417083750417, 23.976),
        (0.041667, 24),
        (0.008342, 119.88),
        (0.016667, 60),
        (0.04, 25),
        (1 / 29.476, 29.476),
        (1 / 72.0, 72.0),
    ],
)
def test_fps_is_the_usual_rate_and_frame_time_stays_exact(arm, frame_time, fps):
    clip = ct.Clip(arm, still(3), frame_time=frame_time)
    assert clip.fps == pytest.approx(fps, rel=1e-12)
    assert clip.frame_time == frame_time
    assert clip.duration == 2 * frame_time


def test_exactly_one_rate_must_be_given(arm):
    with pytest.raises(TypeError, match="give fps .* or frame_time"):
        ct.Clip(arm, still(2))
    with pytest.raises(TypeError, match="both given"):
        ct.Clip(arm, still(2), fps=30, frame_time=1 / 30)


@pytest.mark.parametrize("bad", [0, -30, np.nan, np.inf])
def test_a_rate_that_is_no_rate_is_refused(arm, bad):
    with pytest.raises(ValueError, match="fps"):
        ct.Clip(arm, still(2), fps=bad)
    with pytest.raises(ValueError, match="frame_time"):
        ct.Clip(arm, still(2), frame_time=bad)


def test_period_has_one_interval_more_unless_the_last_frame_repeats_the_first(arm):
    angles = np.linspace(0, 1, 5)
    turning = still(5)
    turning[:, 1] = np.stack([np.cos(angles / 2), np.sin(angles / 2), 0 * angles, 0 * angles], axis=-1)
    assert ct.Clip(arm, turning, fps=10, looping=True).period == pytest.approx(0.5)
    closed = np.concatenate([turning, turning[:1]])
    assert ct.Clip(arm, closed, fps=10, looping=True).period == pytest.approx(0.5)
    assert ct.Clip(arm, still(1), fps=10, looping=True).period == 0


def test_a_loop_that_comes_round_a_corner_repeats_its_first_frame_but_a_turning_statue_does_not(arm):
    angles = np.linspace(0, 1, 5)
    turning = still(5)
    turning[:, 0] = np.stack([np.cos(angles / 2), 0 * angles, np.sin(angles / 2), 0 * angles], axis=-1)
    assert ct.Clip(arm, turning, fps=10, looping=True).period == pytest.approx(0.5)
    swing = 0.3 * np.sin(np.pi * angles) ** 2
    turning[:, 1] = np.stack([np.cos(swing), np.sin(swing), 0 * angles, 0 * angles], axis=-1)
    assert ct.Clip(arm, turning, fps=10, looping=True).period == pytest.approx(0.4)
    tilted = ct.quat.multiply(turning, ct.quat.from_axis_angle([1.0, 0.0, 0.0], 0.3))
    tilted[:, 1] = turning[:, 1]
    assert ct.Clip(arm, tilted, fps=10, looping=True).period == pytest.approx(0.4)
    tilted[-1, 0] = ct.quat.multiply(tilted[-1, 0], ct.quat.from_axis_angle([1.0, 0.0, 0.0], 0.01))
    assert ct.Clip(arm, tilted, fps=10, looping=True).period == pytest.approx(0.5)


def test_a_clip_of_one_frame_and_of_none_are_clips(arm):
    one, none = ct.Clip(arm, still(1), fps=30), ct.Clip(arm, still(0), fps=30)
    assert (len(one), one.duration) == (1, 0)
    assert (len(none), none.duration, none.period) == (0, 0, 0)
    assert none.rotations.shape == (0, 2, 4)
    assert none.global_positions().shape == (0, 2, 3)
    assert none.velocities().angular.shape == (0, 2, 3)
    assert len(none.poses) == 0
    assert not one.velocities().angular.any()
    with pytest.raises(IndexError):
        none[0]


# --- what is refused ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 3, 4), (3, 2, 3), (3, 8), (2, 4), (1, 3, 2, 4)])
def test_a_shape_that_does_not_fit_is_named(arm, shape):
    with pytest.raises(ValueError, match=r"rotations has shape \(.*\), expected \(N, 2, 4\)"):
        ct.Clip(arm, np.ones(shape), fps=30)


@pytest.mark.parametrize("shape", [(2, 2, 3), (3, 3, 3), (3, 2, 4), (2, 3), (3,)])
def test_translations_that_do_not_fit_are_named(arm, shape):
    with pytest.raises(ValueError, match="translations has shape"):
        ct.Clip(arm, still(3), np.ones(shape), fps=30)


def test_a_bad_number_is_named_by_joint_and_frame(arm):
    q, t = still(3), np.zeros((3, 2, 3))
    q[2, 1, 3] = np.nan
    with pytest.raises(ValueError, match="joint 1 .*'lower'.*, frame 2: the rotation is not finite"):
        ct.Clip(arm, q, fps=30)
    q[2, 1] = 0
    with pytest.raises(ValueError, match="joint 1 .*'lower'.*, frame 2: the rotation is zero"):
        ct.Clip(arm, q, fps=30)
    t[1, 0, 2] = np.inf
    with pytest.raises(ValueError, match="joint 0 .*'upper'.*, frame 1: the translation is not finite"):
        ct.Clip(arm, still(3), t, fps=30)


def test_values_of_the_wrong_type_are_refused(arm):
    with pytest.raises(TypeError, match=r"Clip: skeleton is .*, expected a canter\.Skeleton"):
        ct.Clip(None, still(2), fps=30)
    with pytest.raises(TypeError, match="complex"):
        ct.Clip(arm, still(2) * 1j, fps=30)
    with pytest.raises(TypeError, match="looping"):
        ct.Clip(arm, still(2), fps=30, looping=1)
    with pytest.raises(TypeError, match="name"):
        ct.Clip(arm, still(2), fps=30, name=b"walk")
    with pytest.raises(TypeError, match="no argument 'rate'"):
        ct.Clip(arm, still(2), rate=30)


# --- frames and slices --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", [slice(10, 20), slice(None), slice(None, None, 3), slice(30, 4, -2), slice(-5, None), slice(7, 7), slice(None, None, -1)]
)
def test_a_slice_is_the_frames_that_numpy_would_take(clip, key):
    part = clip[key]
    # a step may leave neighbours on opposite signs: the same rotations all the same
    assert len(part) == len(clip.rotations[key])
    np.testing.assert_allclose(np.abs(np.sum(part.rotations * clip.rotations[key], axis=-1)), 1, atol=1e-6)
    np.testing.assert_array_equal(part.translations, clip.translations[key])
    assert part.frame_time == pytest.approx(clip.frame_time * abs(key.step or 1), rel=1e-15)
    assert (part.skeleton, part.name, part.tags) == (clip.skeleton, clip.name, clip.tags)


def test_an_index_is_a_pose(clip):
    np.testing.assert_array_equal(clip[7].rotations, clip.rotations[7])
    np.testing.assert_array_equal(clip[-1].translations, clip.translations[-1])
    np.testing.assert_array_equal(clip[np.int64(3)].rotations, clip.rotations[3])
    for frame in (41, -42):
        with pytest.raises(IndexError, match="of a clip of 41 frames"):
            clip[frame]
    with pytest.raises(TypeError, match="slice of frames"):
        clip[1.5]


def test_iterating_gives_every_frame_once(clip):
    poses = list(clip)
    assert len(poses) == 41
    np.testing.assert_array_equal(poses[40].rotations, clip.rotations[40])


def test_poses_are_all_frames_without_a_copy(clip):
    assert clip.poses.shape == (41,)
    assert np.shares_memory(clip.poses.rotations, clip.rotations)
    np.testing.assert_array_equal(clip.poses.translations, clip.translations)


def test_markers_stay_on_their_frames(clip):
    # 60 fps: left at frames 6 and 30, right at frame 18
    np.testing.assert_allclose(clip[6:20].markers["left"], [0.0])
    np.testing.assert_allclose(clip[6:20].markers["right"], [0.2])
    np.testing.assert_allclose(clip[::-1].markers["left"], [40 / 60 - 0.5, 40 / 60 - 0.1])
    np.testing.assert_allclose(clip.replace(fps=30).markers["left"], [0.2, 1.0])
    np.testing.assert_allclose(clip.resample(25).markers["left"], [0.1, 0.5])


def test_half_a_loop_is_no_loop(make_clip):
    loop = make_clip(30, 5, looping=True)
    assert loop.looping
    assert loop[:].looping
    assert not loop[:15].looping


# --- labels -------------------------------------------------------------------------------------------------------------------------


def test_labels_can_be_read_and_not_changed(clip):
    assert clip.name == "walk"
    assert clip.tags == {"walk", "slow"}
    np.testing.assert_array_equal(clip.markers["left"], [0.1, 0.5])
    with pytest.raises(TypeError):
        clip.markers["up"] = [0.0]
    with pytest.raises(ValueError, match="read-only"):
        clip.markers["left"][0] = 0
    with pytest.raises(AttributeError):
        clip.name = "run"
    assert dict(clip.curves) == {}
    assert clip.source is None


def test_markers_come_sorted_and_must_lie_in_the_clip(arm):
    markers = {"step": [0.3, 0.1]}
    clip = ct.Clip(arm, still(11), fps=10, markers=markers)
    np.testing.assert_array_equal(clip.markers["step"], [0.1, 0.3])
    markers["step"].append(0.2)
    assert len(clip.markers["step"]) == 2
    np.testing.assert_array_equal(ct.Clip(arm, still(11), fps=10, markers={"step": 0.5}).markers["step"], [0.5])
    for bad, reason in ([-0.1], "-0.1 s, outside"), ([0.5, 1.2], "1.2 s, outside"), ([np.nan], "NaN"):
        with pytest.raises(ValueError, match=reason):
            ct.Clip(arm, still(11), fps=10, markers={"step": bad})
    with pytest.raises(TypeError, match="mapping"):
        ct.Clip(arm, still(11), fps=10, markers=["step"])
    with pytest.raises(TypeError, match="expected a str"):
        ct.Clip(arm, still(11), fps=10, markers={1: [0.1]})


def test_one_string_is_not_a_list_of_tags(arm):
    with pytest.raises(TypeError, match="'walk'"):
        ct.Clip(arm, still(2), fps=30, tags="walk")
    with pytest.raises(TypeError, match="holds 3"):
        ct.Clip(arm, still(2), fps=30, tags=["walk", 3])


def test_replace_changes_what_it_is_told_and_copies_no_frames(clip):
    other = clip.replace(name="run", looping=True, tags=["run"], frame_time=0.02)
    assert (other.name, other.looping, other.tags, other.frame_time) == ("run", True, {"run"}, 0.02)
    assert np.shares_memory(other.rotations, clip.rotations)
    assert (clip.name, clip.looping, clip.frame_time) == ("walk", False, 1 / 60)
    again = other.replace(markers={})
    assert again.name == "run"
    assert not again.markers
    with pytest.raises(ValueError, match="2 joints, the clip has 22"):
        clip.replace(skeleton=ct.Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3))))
    with pytest.raises(TypeError, match="no argument 'rotations'"):
        clip.replace(rotations=clip.rotations)


def test_repr_is_one_bounded_line(clip, arm):
    assert repr(clip) == "<Clip 'walk': 41 frames at 60 fps (0.67 s), 22 joints>"
    assert repr(ct.Clip(arm, still(1), fps=23.976, looping=True)) == "<Clip: 1 frame at 23.976 fps (0.00 s), 2 joints, looping>"
    long = repr(clip.replace(name="line\nbreak " * 100))
    assert len(long) < 140
    assert "\n" not in long


# --- memory -------------------------------------------------------------------------------------------------------------------------


def test_views_are_read_only_and_outlive_the_clip(make_clip):
    clip = make_clip(10, 5)
    expected = clip.rotations.copy()
    view, part, poses = clip.rotations, clip.replace(name="x"), clip.poses
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        view.flags.writeable = True
    del clip
    gc.collect()
    np.testing.assert_array_equal(view, expected)
    np.testing.assert_array_equal(part.rotations, expected)
    np.testing.assert_array_equal(poses.rotations, expected)


def test_the_clip_does_not_see_later_changes_of_its_input(arm):
    q = still(3).astype(np.float32)
    clip = ct.Clip(arm, q, fps=30)
    q[:] = 0
    assert clip.rotations[0, 0, 0] == 1


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickle_is_the_clip_again(clip, protocol):
    clip = clip.replace(looping=True)
    back = pickle.loads(pickle.dumps(clip, protocol))
    np.testing.assert_array_equal(back.rotations, clip.rotations)
    np.testing.assert_array_equal(back.translations, clip.translations)
    assert (back.frame_time, back.looping, back.name, back.tags) == (clip.frame_time, True, clip.name, clip.tags)
    assert back.period == clip.period
    assert back.skeleton.names == clip.skeleton.names
    np.testing.assert_array_equal(back.markers["left"], clip.markers["left"])
    with pytest.raises(ValueError, match="read-only"):
        back.rotations[0] = 0


def test_pickled_rows_travel_out_of_band(make_clip):
    clip = make_clip(500, 65)
    buffers = []
    data = pickle.dumps(clip, 5, buffer_callback=buffers.append)
    rows = 500 * 7 * 80 * 4
    assert len(data) < 5000
    assert max(buffer.raw().nbytes for buffer in buffers) == rows
    np.testing.assert_array_equal(pickle.loads(data, buffers=buffers).rotations, clip.rotations)


def test_a_copy_is_the_clip_itself(clip):
    assert copy.copy(clip) is clip
    assert copy.deepcopy(clip) is clip


def test_clips_are_freed_with_their_cycles(make_clip):
    source = object.__new__(ct.Source)
    clip = make_clip(3, 2).replace(source=source)
    vars(source)["clip"] = clip
    gone = weakref.ref(source)
    del source, clip
    gc.collect()
    assert gone() is None


def test_threads_share_a_clip(make_clip):
    clip = make_clip(200, 22)
    times = np.linspace(0, clip.duration, 777)
    expected = clip.sample(times).rotations
    start, bad = threading.Barrier(4), []

    def work():
        start.wait()
        for _ in range(5):
            same = np.array_equal(clip.sample(times).rotations, expected)
            if not (same and len(clip[3:9].global_positions()) == 6 and clip.replace(name="x").name == "x"):
                bad.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bad


# --- derived ------------------------------------------------------------------------------------------------------------------------


def test_global_poses_are_those_of_forward_kinematics(clip):
    positions, rotations = clip.skeleton.forward_kinematics(clip.poses)
    np.testing.assert_array_equal(clip.global_positions(), positions)
    np.testing.assert_array_equal(clip.global_rotations(workers=2), rotations)
    out = np.empty((41, 22, 3), np.float32)
    assert clip.global_positions(out=out) is out
    np.testing.assert_array_equal(out, positions)
    for bad in (np.empty((41, 22, 3)), np.empty((40, 22, 3), np.float32), np.empty((41, 22, 6), np.float32)[..., ::2]):
        with pytest.raises(ValueError, match="out"):
            clip.global_positions(out=bad)
    with pytest.raises(TypeError, match="out"):
        clip.global_positions(out=[0])


def test_velocities_are_central_differences(make_clip):
    clip = make_clip(50, 10, fps=120)
    velocities = clip.velocities()
    expected = np.gradient(clip.translations.astype(np.float64), clip.frame_time, axis=0)
    np.testing.assert_allclose(velocities.linear, expected, atol=2e-3)

    q = clip.rotations.astype(np.float64)
    # exp(w dt) takes the frame before to the frame after, about the parent's axes
    a, b = q[:-2], q[2:]
    conjugate = a * [1, -1, -1, -1]
    w = b[..., 0] * conjugate[..., 0] - np.sum(b[..., 1:] * conjugate[..., 1:], axis=-1)
    v = b[..., :1] * conjugate[..., 1:] + conjugate[..., :1] * b[..., 1:] + np.cross(b[..., 1:], conjugate[..., 1:])
    length = np.linalg.norm(v, axis=-1)
    angular = v / np.maximum(length, 1e-300)[..., None] * (2 * np.arctan2(length, w) / (2 * clip.frame_time))[..., None]
    np.testing.assert_allclose(velocities.angular[1:-1], angular, atol=2e-3)
