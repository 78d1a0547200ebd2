"""Numbers that go along with the frames of a clip: scalars, vectors and rotations."""

import copy
import pickle

import numpy as np
import pytest

import canter as ct

FRAMES = 21


@pytest.fixture
def curves(random_rotations, rng):
    turns = np.cumsum([[1, 1, 1, 1], *0.2 * random_rotations(FRAMES - 1)], axis=0)
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    return {"left_grip": rng.uniform(size=FRAMES), "aim": rng.standard_normal((FRAMES, 3)), "wrist": turns}


@pytest.fixture
def clip(make_clip, curves):
    return make_clip(FRAMES, 17, fps=20, curves=curves)


def assert_same(curves, others):
    assert list(curves) == list(others)
    for name in curves:
        np.testing.assert_allclose(curves[name], others[name], atol=1e-6, err_msg=name)


def test_curves_are_kept_as_they_are(clip, curves):
    assert_same(clip.curves, curves)
    assert {name: curve.dtype for name, curve in clip.curves.items()} == dict.fromkeys(curves, np.float32)
    assert not any(curve.flags.writeable for curve in clip.curves.values())
    curves["aim"][:] = 0
    assert clip.curves["aim"].any()


def test_rotations_are_made_unit_and_continuous(make_clip):
    half = np.array([[0.6, 0.8, 0, 0], [-0.6, -0.8, 0, 0], [0.601, 0.799, 0, 0]])
    kept = make_clip(3, 2, curves={"turn": half}).curves["turn"]
    np.testing.assert_allclose(kept, np.tile([0.6, 0.8, 0, 0], (3, 1)), atol=2e-3)
    np.testing.assert_allclose(np.linalg.norm(kept, axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        ([0, np.nan, 0], "curve 'x': frame 1 is not finite"),
        ([[0, 0], [0, 0], [0, np.inf]], "curve 'x': frame 2 is not finite"),
        ([[1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], "curve 'x': frame 1 is no rotation"),
        ([[1, 0.5, 0.5, 1]] * 3, "curve 'x': frame 0 is no rotation"),
        ([0, 1], r"curve 'x' has shape \(2,\), expected \(3,\), or \(3, n\)"),
        (0.5, r"curve 'x' has shape \(\), expected"),
        (np.zeros((3, 0)), r"curve 'x' has shape \(3, 0\), expected"),
        (np.zeros((3, 2, 2)), r"curve 'x' has shape \(3, 2, 2\), expected"),
    ],
)
def test_bad_curves_are_refused_by_name_and_frame(make_clip, curve, message):
    for make in (lambda: make_clip(3, 2, curves={"x": curve}), lambda: make_clip(3, 2).replace(curves={"x": curve})):
        with pytest.raises(ValueError, match=message):
            make()


def test_curves_are_a_mapping_of_names(make_clip):
    with pytest.raises(TypeError, match="curves is list, expected a mapping"):
        make_clip(3, 2, curves=[1, 2, 3])
    with pytest.raises(TypeError, match="curves has the name 5"):
        make_clip(3, 2, curves={5: [1, 2, 3]})


def test_replace_takes_all_curves_or_leaves_them(clip, curves):
    assert_same(clip.replace(name="x", fps=60).curves, curves)
    assert dict(clip.replace(curves=None).curves) == {}
    assert list(clip.replace(curves={**clip.curves, "more": np.zeros(FRAMES)}).curves) == [*curves, "more"]


def test_edits_carry_curves_along(clip, curves):
    walk = clip
    for edited in (walk.in_place(), walk.scaled(2), walk.converted(up="z"), walk.grounded(), walk.with_tips_as_joints(), copy.copy(walk)):
        assert_same(edited.curves, curves)
    assert_same(pickle.loads(pickle.dumps(clip)).curves, curves)
    assert pickle.loads(pickle.dumps(clip)).curves["wrist"].tobytes() == clip.curves["wrist"].tobytes()
    assert_same(clip[3:9].curves, {name: curve[3:9] for name, curve in curves.items()})
    assert_same(clip[::-2].curves, {name: curve[::-2] for name, curve in curves.items()})
    assert {name: curve.shape for name, curve in clip[:0].curves.items()} == {"left_grip": (0,), "aim": (0, 3), "wrist": (0, 4)}


def test_a_mirrored_clip_renames_its_curves_and_keeps_their_numbers(clip):
    mirrored = clip.mirror()
    assert list(mirrored.curves) == ["right_grip", "aim", "wrist"]
    np.testing.assert_array_equal(mirrored.curves["aim"], clip.curves["aim"])
    np.testing.assert_array_equal(mirrored.mirror().curves["left_grip"], clip.curves["left_grip"])


def test_samples_lie_between_frames_and_are_frames_to_the_bit_there(clip, curves):
    times = np.array([[0.0, 0.05 + 4e-8, 0.12], [-1.0, 1.0, 7.0]])
    sampled = clip.sample_curves(times)
    assert {name: values.shape for name, values in sampled.items()} == {"left_grip": (2, 3), "aim": (2, 3, 3), "wrist": (2, 3, 4)}
    for name, frame in ((name, frame) for name in curves for frame in ((0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 20), (1, 2, 20))):
        np.testing.assert_array_equal(sampled[name][frame[:2]], clip.curves[name][frame[2]])
    for name in ("left_grip", "aim"):
        np.testing.assert_allclose(sampled[name][0, 2], 0.6 * curves[name][2] + 0.4 * curves[name][3], atol=1e-6)
    want = ct.quat.nlerp(curves["wrist"][2], curves["wrist"][3], 0.4)
    np.testing.assert_allclose(sampled["wrist"][0, 2], want, atol=1e-6)
    single = clip.sample_curves(0.12)
    assert isinstance(single["left_grip"], np.float32)
    np.testing.assert_array_equal(single["wrist"], sampled["wrist"][0, 2])


def test_curves_keep_step_with_the_poses(clip):
    """A curve of joint numbers stays with the joint: in time, round the seam, and when it is resampled."""
    for looping, wrap in ((False, "clamp"), (True, "loop"), (False, "loop")):
        for walk in (clip, closed(clip)):
            tracked = walk.replace(
                looping=looping, curves={"wrist": walk.rotations[:, 5], "path": walk.translations[:, 0], "up": walk.translations[:, 0, 1]}
            )
            times = np.concatenate([np.linspace(-3, 3, 101), np.arange(40) * 0.05])
            poses, sampled = tracked.sample(times, wrap=wrap), tracked.sample_curves(times, wrap=wrap)
            assert_joint_is(sampled, poses)
            for fps in (7, 20, 55):
                again = tracked.resample(fps, interpolation="nlerp")
                assert_joint_is(again.curves, again)


def closed(clip):
    """The clip with its first frame once more behind it, so that the last frame repeats the first."""
    frames = [*range(len(clip)), 0]
    again = ct.Clip(clip.skeleton, clip.rotations[frames], clip.translations[frames], fps=20, looping=True)
    assert again.period == again.duration
    return again


def assert_joint_is(curves, poses):
    np.testing.assert_allclose(ct.quat.angle(curves["wrist"], poses.rotations[..., 5, :]), 0, atol=1e-3)
    np.testing.assert_allclose(curves["path"], poses.translations[..., 0, :], atol=1e-6)
    np.testing.assert_allclose(curves["up"], poses.translations[..., 0, 1], atol=1e-6)


def test_rotations_go_the_short_way_round_the_seam(make_clip):
    angles = np.arange(3) * 2 * np.pi / 3
    turn = ct.quat.from_axis_angle([0, 1, 0], angles)
    clip = make_clip(3, 2, fps=1, looping=True, curves={"turn": turn})
    assert clip.period == 3
    between = clip.sample_curves([0.5, 1.5, 2.5], wrap="loop")["turn"]
    np.testing.assert_allclose(ct.quat.angle(between, ct.quat.from_axis_angle([0, 1, 0], angles + np.pi / 3)), 0, atol=1e-3)


def test_what_can_not_be_sampled_is_refused(clip):
    with pytest.raises(ValueError, match="no frames"):
        clip[:0].sample_curves(0)
    with pytest.raises(ValueError, match=r"Clip\.sample_curves: t.*finite"):
        clip.sample_curves([0, np.nan])
    with pytest.raises(ValueError, match="wrap"):
        clip.sample_curves(0, wrap="round")
    assert clip.replace(curves=None).sample_curves(0) == {}
