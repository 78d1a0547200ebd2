"""Additive poses: what a pose has beside a reference, added to others, against quaternions in float64."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import canter as ct

SIDES = ("local", "parent")


def multiply(a, b):
    w, x, y, z = np.moveaxis(np.asarray(a, np.float64), -1, 0)
    s, u, v, t = np.moveaxis(np.asarray(b, np.float64), -1, 0)
    parts = (w * s - x * u - y * v - z * t, w * u + x * s + y * t - z * v, w * v - x * t + y * s + z * u, w * t + x * v - y * u + z * s)
    return np.stack(parts, axis=-1)


def inverse(q):
    return np.asarray(q, np.float64) * (1, -1, -1, -1)


def nlerp_from_identity(d, t):
    d = np.where(d[..., :1] < 0, -d, d)
    part = (1 - t) * np.array([1.0, 0, 0, 0]) + t * d
    return part / np.linalg.norm(part, axis=-1, keepdims=True)


def angle(a, b):
    """Degrees between rotations."""
    dot = np.abs(np.sum(np.asarray(a, np.float64) * np.asarray(b, np.float64), axis=-1))
    return np.degrees(2 * np.arccos(np.minimum(dot, 1)))


def assert_same(a, b, tolerance=2e-6):
    """The same poses; q and -q are one rotation."""
    flips = np.sign(np.sum(a.rotations * b.rotations, axis=-1, keepdims=True))
    np.testing.assert_allclose(a.rotations, flips * b.rotations, atol=tolerance)
    for part in ("translations", "scales"):
        one, other = getattr(a, part), getattr(b, part)
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def assert_same_bits(a, b):
    for part in ("rotations", "translations", "scales"):
        one, other = getattr(a, part), getattr(b, part)
        assert (None if one is None else one.tobytes()) == (None if other is None else other.tobytes())


@pytest.fixture
def make_poses(rng, random_rotations):
    def make(*batch, joints=22):
        return ct.Pose(random_rotations(*batch, joints), rng.standard_normal((*batch, joints, 3)), rng.uniform(0.5, 2, (*batch, joints, 3)))

    return make


# ---- known answers


def about_x(degrees):
    half = np.radians(degrees) / 2
    return ct.Pose(np.stack([np.cos(half), np.sin(half), np.zeros(6), np.zeros(6)], axis=-1))


def degrees_about_x(pose):
    q = pose.rotations.astype(np.float64)
    return np.degrees(2 * np.arctan2(q[..., 1], q[..., 0]))


@pytest.mark.parametrize("side", SIDES)
def test_run_and_lean_of_six_joints(side):
    run, lean = about_x([5, 8, 4, -40, 35, -60]), about_x([0, 12, 3, 0, 0, 0])
    delta = ct.additive(lean, about_x(np.zeros(6)), side=side)
    np.testing.assert_allclose(degrees_about_x(ct.add(run, delta)), [5, 20, 7, -40, 35, -60], atol=1e-4)
    aim_masked = about_x([5, 2, 6, 85, 35, -60])
    np.testing.assert_allclose(degrees_about_x(ct.add(aim_masked, delta)), [5, 14, 9, 85, 35, -60], atol=1e-4)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_a_weight_is_the_way_from_no_turn(make_poses, side, weight):
    pose, reference, base = make_poses(5), make_poses(5), make_poses(5)
    delta = ct.additive(pose, reference, side=side)
    mask = np.linspace(0, 1, 22)
    q, back = pose.rotations, inverse(reference.rotations)
    d = nlerp_from_identity(multiply(back, q) if side == "local" else multiply(q, back), weight * mask[:, None])
    expected = multiply(base.rotations, d) if side == "local" else multiply(d, base.rotations)
    translations = base.translations + weight * mask[:, None] * (pose.translations - reference.translations)
    scales = base.scales * (1 + weight * mask[:, None] * (pose.scales / reference.scales - 1))
    assert_same(ct.add(base, delta, weight, mask=mask), ct.Pose(expected, translations, scales))


@pytest.mark.parametrize("side", SIDES)
def test_beyond_1_the_turn_goes_on_at_its_own_angle(side):
    turn = ct.quat.from_axis_angle([0.6, 0.0, 0.8], np.radians(40))
    delta = ct.additive(ct.Pose([turn], [(1, 2, 3)], [(2, 3, 0.5)]), ct.Pose([(1, 0, 0, 0)], [(0, 0, 0)], [(1, 1, 1)]), side=side)
    base = ct.Pose([(1, 0, 0, 0)], [(0, 0, 0)], [(1, 1, 1)])
    out = ct.add(base, delta, 2.5)
    np.testing.assert_allclose(out.rotations[0], ct.quat.from_axis_angle([0.6, 0.0, 0.8], np.radians(100)), atol=1e-6)
    np.testing.assert_allclose(out.translations[0], [2.5, 5, 7.5], rtol=1e-6)
    np.testing.assert_allclose(out.scales[0], np.power([2, 3, 0.5], 2.5), rtol=1e-6)


# ---- weights


@pytest.mark.parametrize("side", SIDES)
def test_weight_1_leads_from_the_reference_to_the_pose(make_poses, side):
    pose, reference = make_poses(30), make_poses(30)
    assert_same(ct.add(reference, ct.additive(pose, reference, side=side)), pose)


def test_weight_0_and_joints_of_mask_0_keep_their_bits(make_poses):
    base, delta = make_poses(30), ct.additive(make_poses(30), make_poses(30))
    assert_same_bits(ct.add(base, delta, 0), base)
    assert_same_bits(ct.add(base, delta, 0.7, mask=np.zeros(22)), base)
    mask = np.linspace(0, 1, 22) * (np.arange(22) % 2)
    kept = mask == 0
    for weight in (-1.5, -0.4, 0.4, 1, 3):
        out = ct.add(base, delta, weight, mask=mask)
        for part in ("rotations", "translations", "scales"):
            assert getattr(out, part)[:, kept].tobytes() == getattr(base, part)[:, kept].tobytes()
            assert not np.any(np.all(getattr(out, part)[:, ~kept] == getattr(base, part)[:, ~kept], axis=-1))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("weight", [1, 0.3, 2, -1.25])
def test_a_negative_weight_undoes_it(make_poses, side, weight):
    base, delta = make_poses(30), ct.additive(make_poses(30), make_poses(30), side=side)
    assert_same(ct.add(ct.add(base, delta, weight), delta, -weight), base, 1e-5)


@pytest.mark.parametrize("side", SIDES)
def test_2_adds_it_twice(make_poses, side):
    base, delta = make_poses(30), ct.additive(make_poses(30), make_poses(30), side=side)
    assert_same(ct.add(base, delta, 2), ct.add(ct.add(base, delta), delta), 1e-5)


def test_a_little_more_weight_changes_little(make_poses):
    base, delta = make_poses(), ct.additive(make_poses(), make_poses())
    weights = np.linspace(-2, 2, 4001)
    out = ct.add(base, delta, weights)
    assert angle(out.rotations[1:], out.rotations[:-1]).max() < 0.3
    np.testing.assert_allclose(np.linalg.norm(out.rotations, axis=-1), 1, atol=1e-6)


def test_the_sign_of_a_quaternion_does_not_matter(make_poses):
    pose, reference, base = make_poses(9), make_poses(9), make_poses(9)
    negative = ct.Pose(-pose.rotations, pose.translations, pose.scales)
    for side in SIDES:
        assert_same_bits(
            ct.add(base, ct.additive(pose, reference, side=side), 0.4), ct.add(base, ct.additive(negative, reference, side=side), 0.4)
        )


def test_half_a_turn_is_added_by_halves():
    delta = ct.additive(ct.Pose([(0, 1, 0, 0)]), ct.Pose([(1, 0, 0, 0)]))
    half = ct.add(ct.Pose([(1, 0, 0, 0)]), delta, 0.5).rotations[0]
    np.testing.assert_allclose(np.abs(half), [0.5**0.5, 0.5**0.5, 0, 0], atol=1e-6)


# ---- sides


def twisted(pose, joint, radians):
    """The pose with a joint turned to the left as well."""
    rotations = pose.rotations.copy()
    rotations[joint] = ct.quat.multiply(ct.quat.from_axis_angle([0, 1, 0], radians), rotations[joint])
    return ct.Pose(rotations, pose.translations)


def turn_between(base, result):
    """The axis and the degrees by which a joint was turned, in its parent's axes."""
    turn = multiply(result, inverse(base))
    vector = turn[1:] * np.sign(turn[0])
    return vector / np.linalg.norm(vector), np.degrees(2 * np.arcsin(np.linalg.norm(vector)))


def test_a_lean_applied_on_the_wrong_side_turns_about_the_wrong_axis():
    """A runner who looks over the shoulder: what is measured about the spine's own axes leans the way the chest faces, what is measured
    about those of the pelvis leans ahead. A delta of one side applied on the other leans elsewhere, by as much as the spine is twisted.
    """
    lean = ct.examples.lean(angle=0.8)
    spine = lean.skeleton.index("Spine")
    base = twisted(ct.examples.run().sample(0.1), spine, np.radians(90))
    start, q, back = base.rotations[spine], lean[-1].rotations[spine], inverse(lean[0].rotations[spine])
    deltas = {"local": multiply(back, q), "parent": multiply(q, back)}
    applied = {"local": lambda d: multiply(start, d), "parent": lambda d: multiply(d, start)}
    for side, other in (SIDES, SIDES[::-1]):
        right, wrong = (applied[on](deltas[side]) for on in (side, other))
        out = ct.add(base, ct.additive(lean[-1], lean[0], side=side)).rotations[spine]
        assert angle(out, right) < 0.1
        assert angle(out, wrong) == pytest.approx(33.3, abs=0.1)
        (axis, degrees), (wrong_axis, wrong_degrees) = turn_between(start, out), turn_between(start, wrong)
        assert degrees == pytest.approx(wrong_degrees, abs=0.01)
        assert np.degrees(np.arccos(axis @ wrong_axis)) == pytest.approx(93.6, abs=0.1)


# ---- batches


@pytest.mark.parametrize(
    ("base", "delta", "weight", "expected"),
    [
        ((), (), (), ()),
        ((4, 3), (4, 3), (), (4, 3)),
        ((4, 3), (), (), (4, 3)),
        ((), (4, 3), (), (4, 3)),
        ((), (), (5,), (5,)),
        ((4, 3), (), (3,), (4, 3)),
        ((), (4, 3), (4, 1), (4, 3)),
        ((4, 3), (4, 3), (4, 3), (4, 3)),
        ((0,), (), (), (0,)),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_batches_are_added_one_by_one(make_poses, rng, base, delta, weight, expected, workers):
    bases, deltas = make_poses(*base), ct.additive(make_poses(*delta), make_poses(*delta), side="parent")
    weights, mask = rng.uniform(-1.5, 1.5, weight), rng.uniform(0, 1, 22)
    out = ct.add(bases, deltas, weights, mask=mask, workers=workers)
    assert out.shape == expected
    each = np.broadcast_to(weights, expected)
    for index in np.ndindex(expected):
        one = ct.add(bases[index] if base else bases, deltas[index] if delta else deltas, each[index], mask=mask)
        assert_same_bits(out[index] if expected else out, one)


def test_a_reference_for_all_or_one_for_each(make_poses):
    poses, references = make_poses(4, 3), make_poses(4, 3)
    deltas, beside_one, of_one = (ct.additive(a, b) for a, b in ((poses, references), (poses, references[1, 2]), (poses[1, 2], references)))
    assert deltas.shape == beside_one.shape == of_one.shape == (4, 3)
    for other in (beside_one, of_one):
        assert_same_bits(deltas[1, 2], other[1, 2])
        assert (deltas[0, 0].rotations != other[0, 0].rotations).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"base": (4,), "delta": (3,)}, "base and delta are batches of different shapes"),
        ({"base": (4,), "weight": np.ones(3)}, r"weight has shape \(3,\), which does not fit the batch of the poses"),
        ({"base": (4,), "weight": np.ones((2, 4))}, r"weight has shape \(2, 4\)"),
        ({"weight": np.nan}, "weight is NaN"),
        ({"weight": [0, np.inf]}, r"weight\[1\] is infinite"),
        ({"weight": -1001}, r"weight times mask reaches 1001.0, expected at most 1000 either way"),
        ({"weight": 600, "mask": np.full(22, 2.0)}, "reaches 1200.0"),
        ({"mask": np.ones(21)}, r"mask has shape \(21,\), expected \(22,\)"),
        ({"mask": np.r_[np.ones(21), -1]}, "mask is negative at joint 21"),
        ({"mask": np.r_[np.ones(21), np.nan]}, r"mask\[21\] is NaN"),
        ({"workers": 0}, "workers is 0"),
    ],
)
def test_what_does_not_fit_is_refused(make_poses, arguments, message):
    base = make_poses(*arguments.pop("base", ()))
    shape = arguments.pop("delta", ())
    with pytest.raises(ValueError, match=message):
        ct.add(base, ct.additive(make_poses(*shape), make_poses(*shape)), **arguments)


def test_a_large_power_of_a_scale_is_refused_when_it_is_no_number(make_poses):
    one = ct.Pose([(1, 0, 0, 0)] * 3, np.zeros((3, 3)), np.ones((3, 3)))
    delta = ct.additive(ct.Pose(one.rotations, one.translations, [(1, 1, 1), (1, 1, 1), (1, 9, 1)]), one)
    with pytest.raises(ValueError, match=r"add: the weight takes joint 2 \(pose 1 of the batch\) beyond the range of float32"):
        ct.add(one, delta, [1, 500])


# ---- parts


def test_what_a_delta_lacks_stays_as_the_base_has_it(make_poses):
    base, pose, reference = make_poses(), make_poses(), make_poses()
    bare = ct.additive(ct.Pose(pose.rotations), ct.Pose(reference.rotations))
    assert bare.translations is None
    assert bare.scales is None
    out, whole = ct.add(base, bare), ct.add(base, ct.additive(pose, reference))
    assert out.rotations.tobytes() == whole.rotations.tobytes()
    assert out.translations.tobytes() == base.translations.tobytes()
    assert out.scales.tobytes() == base.scales.tobytes()


def test_a_base_without_what_a_delta_adds_to_is_refused(make_poses):
    pose, delta = make_poses(), ct.additive(make_poses(), make_poses())
    with pytest.raises(ValueError, match="delta has translations and scales, base has translations; give the base what the delta adds to"):
        ct.add(ct.Pose(pose.rotations, pose.translations), delta)


def test_pose_and_reference_have_the_same_parts_and_joints(make_poses):
    pose = make_poses()
    with pytest.raises(ValueError, match="reference has rotations alone, pose has translations and scales; give both the same"):
        ct.additive(pose, ct.Pose(pose.rotations))
    with pytest.raises(ValueError, match="additive: reference has 21 joints, pose has 22"):
        ct.additive(pose, make_poses(joints=21))
    with pytest.raises(ValueError, match="add: delta has 21 joints, base has 22"):
        ct.add(pose, ct.additive(make_poses(joints=21), make_poses(joints=21)))
    with pytest.raises(ValueError, match="pose and reference are batches of different shapes; a single pose fits any"):
        ct.additive(make_poses(3), make_poses(4))


def test_a_skeleton_is_its_rest_pose():
    walk = ct.examples.walk()
    skeleton, pose = walk.skeleton, walk.sample(0.3)
    assert_same_bits(ct.additive(pose, skeleton), ct.additive(pose, skeleton.rest))
    grown = ct.Pose(pose.rotations, pose.translations, np.full((18, 3), 2.0))
    np.testing.assert_array_equal(ct.additive(grown, skeleton).scales, 2)
    bare = ct.additive(ct.Pose(pose.rotations), skeleton)
    assert bare.translations is None
    np.testing.assert_array_equal(bare.rotations, ct.additive(pose, skeleton).rotations)


@pytest.mark.parametrize(
    ("pose", "reference", "message"),
    [
        (0, 1, "pose 0: the z scale of joint 5 is 0 in the pose, so they have no ratio above 0"),
        (1, 0, "pose 0: the z scale of joint 5 is 0 in the reference"),
        (-1, 1, "differs in sign from that of the reference"),
    ],
)
def test_scales_without_a_ratio_are_refused(pose, reference, message):
    def with_scale(value):
        scales = np.ones((22, 3))
        scales[5, 2] = value
        return ct.Pose(np.tile([1.0, 0, 0, 0], (22, 1)), np.zeros((22, 3)), scales)

    with pytest.raises(ValueError, match=message):
        ct.additive(with_scale(pose), with_scale(reference))
    clip = ct.Clip(
        ct.Skeleton([f"j{i}" for i in range(22)], np.arange(22) - 1, np.zeros((22, 3))),
        np.tile([1.0, 0, 0, 0], (1, 22, 1)),
        fps=30,
        translations=np.zeros((1, 22, 3)),
        scales=with_scale(pose).scales[None],
    )
    with pytest.raises(ValueError, match=message):
        ct.additive(clip, with_scale(reference))


# ---- types


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda pose, delta, clip: ct.add(pose, pose), r"delta is canter.Pose, .*; additive\(pose, reference\) makes one"),
        (lambda pose, delta, clip: ct.add(pose, clip), r"delta is canter.Clip, .*; additive\(clip, reference\).sample\(t\) gives one"),
        (lambda pose, delta, clip: ct.add(pose, ct.additive(clip, pose)), "delta is canter.AdditiveClip, .*; sample it at a time"),
        (lambda pose, delta, clip: ct.add(delta, delta), "base is canter.PoseDelta, expected a Pose"),
        (lambda pose, delta, clip: ct.add(clip, delta), "base is canter.Clip, expected a Pose; clip.poses are all of its frames"),
        (lambda pose, delta, clip: ct.additive(delta, pose), "pose is canter.PoseDelta, expected a Pose or a Clip"),
        (lambda pose, delta, clip: ct.additive(pose, clip), "reference is canter.Clip, expected a Pose"),
        (lambda pose, delta, clip: ct.additive(pose, delta), "reference is canter.PoseDelta, expected a Pose"),
        (lambda pose, delta, clip: ct.PoseDelta(), "cannot create 'canter.PoseDelta' instances"),
        (lambda pose, delta, clip: ct.AdditiveClip(), "cannot create 'canter.AdditiveClip' instances"),
        (lambda pose, delta, clip: clip.skeleton.forward_kinematics(delta), "PoseDelta"),
    ],
)
def test_deltas_and_poses_are_not_mixed_up(call, message):
    clip = ct.examples.lean()
    with pytest.raises(TypeError, match=message):
        call(clip[0], ct.additive(clip[1], clip[0]), clip)


def test_an_unknown_side_lists_the_known_ones(make_poses):
    with pytest.raises(ValueError, match="additive: side is 'left', expected one of 'local', 'parent'"):
        ct.additive(make_poses(), make_poses(), side="left")
    with pytest.raises(TypeError, match="additive: side is 1, expected one of 'local', 'parent'"):
        ct.additive(make_poses(), make_poses(), side=1)


def test_a_reference_must_be_given(make_poses):
    with pytest.raises(TypeError, match=r"additive\(\) needs reference"):
        ct.additive(make_poses())


def test_a_delta_is_indexed_iterated_and_shown_like_a_pose(make_poses):
    deltas = ct.additive(make_poses(4, 3), make_poses(4, 3), side="parent")
    assert repr(deltas) == "<PoseDelta: batch (4, 3), 22 joints, side 'parent', scales>"
    assert repr(deltas[0, 0]) == "<PoseDelta: 22 joints, side 'parent', scales>"
    assert (deltas.shape, len(deltas), deltas.joint_count, deltas.side) == ((4, 3), 4, 22, "parent")
    assert deltas[1:, 0].shape == (3,)
    assert [part.side for part in deltas] == ["parent"] * 4
    np.testing.assert_array_equal(deltas[..., 2].rotations, deltas.rotations[:, 2])
    np.testing.assert_array_equal(deltas.scales, deltas[:].scales)
    with pytest.raises(ValueError, match="read-only"):
        deltas.rotations[...] = 0
    with pytest.raises(AttributeError):
        deltas.side = "local"


@pytest.mark.parametrize("side", SIDES)
def test_deltas_and_additive_clips_survive_pickling_and_copying(make_poses, side):
    delta, lean = ct.additive(make_poses(3), make_poses(3), side=side), ct.examples.lean()
    clip = ct.additive(lean, lean[0], side=side)
    again, clip_again = pickle.loads(pickle.dumps((delta, clip)))
    assert again.side == clip_again.side == side
    assert_same_bits(again, delta)
    assert_same_bits(clip_again.sample(0.123), clip.sample(0.123))
    assert (clip_again.name, clip_again.period, clip_again.looping) == (clip.name, clip.period, clip.looping)
    assert clip_again.markers.keys() == clip.markers.keys()
    assert copy.copy(delta) is delta
    assert copy.deepcopy(clip) is clip


@pytest.mark.parametrize(("at", "message"), [(0, "not the rows of a pose"), (slice(None), "there is no side 2")])
def test_pickles_of_no_side_are_refused(at, message):
    lean = ct.examples.lean()
    restore, arguments = ct.additive(lean[at], lean[0], side="parent").__reduce_ex__(5)
    side = 2 if at == 0 else 5
    assert arguments[side] == 1
    with pytest.raises(ValueError, match=message):
        restore(*arguments[:side], 2, *arguments[side + 1 :])


def test_cards_say_the_side(make_poses):
    lean = ct.examples.lean()
    for thing in (ct.additive(make_poses(), make_poses()), ct.additive(lean, lean[0], side="parent")):
        card = thing._repr_html_()
        assert thing.side in card
        assert type(thing).__name__ in card
        assert "how far each joint turns" in card
    assert "AdditiveClip" in ct.additive(lean[:0], lean[0])._repr_html_()


# ---- clips


@pytest.mark.parametrize("side", SIDES)
def test_an_additive_clip_has_the_deltas_of_the_frames(side):
    lean = ct.examples.lean()
    clip = ct.additive(lean, lean[0], side=side)
    assert isinstance(clip, ct.AdditiveClip)
    deltas = ct.additive(lean.poses, lean[0], side=side)
    sampled = clip.sample(np.arange(len(lean)) * lean.frame_time)
    assert (sampled.side, sampled.shape) == (side, (len(lean),))
    assert_same_bits(sampled, deltas)
    assert_same_bits(clip.sample(1e9), deltas[-1])


@pytest.mark.parametrize("make", [ct.examples.lean, ct.examples.breathe, ct.examples.walk])
def test_an_additive_clip_keeps_the_time_of_its_clip(make):
    clip = make()
    additive = ct.additive(clip, clip[0])
    for name in ("frame_time", "fps", "duration", "period", "looping", "name"):
        assert getattr(additive, name) == getattr(clip, name), name
    assert additive.skeleton is clip.skeleton
    assert len(additive) == len(clip)
    assert {k: v.tolist() for k, v in additive.markers.items()} == {k: v.tolist() for k, v in clip.markers.items()}


def test_a_loop_of_deltas_goes_round_with_its_clip():
    breathe = ct.examples.breathe()
    clip = ct.additive(breathe, breathe.skeleton)
    times = np.array([-0.3, 0.1, 0.1 + breathe.period, 0.1 + 5 * breathe.period])
    around = clip.sample(times, wrap="loop")
    np.testing.assert_allclose(around.rotations[2:], np.broadcast_to(around.rotations[1], (2, 18, 4)), atol=1e-6)
    poses = ct.add(breathe.skeleton.rest, around)
    np.testing.assert_allclose(poses.rotations, breathe.sample(times, wrap="loop").rotations, atol=1e-5)


def test_an_additive_clip_over_a_run_is_its_pose_at_any_time():
    lean, run = ct.examples.lean(), ct.examples.run()
    times = np.linspace(0, 0.5, 23)
    over = ct.add(run.sample(times), ct.additive(lean, lean[0]).sample(times, interpolation="cubic"), 0.8)
    assert over.shape == (23,)
    np.testing.assert_allclose(np.linalg.norm(over.rotations, axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda clip: clip.sample(np.nan), "AdditiveClip.sample: t is NaN"),
        (lambda clip: clip.sample(0, interpolation="line"), "AdditiveClip.sample: interpolation is 'line'"),
        (lambda clip: clip.sample(0, wrap="bounce"), "AdditiveClip.sample: wrap is 'bounce'"),
        (
            lambda clip: ct.additive(ct.examples.lean(), ct.examples.lean().poses),
            "reference is a batch of poses, a clip needs a single one",
        ),
        (lambda clip: ct.additive(ct.examples.lean()[:0], ct.examples.lean()[0]).sample(0), "the clip has no frames"),
    ],
)
def test_what_an_additive_clip_cannot_do_is_said(call, message):
    lean = ct.examples.lean()
    with pytest.raises(ValueError, match=message):
        call(ct.additive(lean, lean[0]))
