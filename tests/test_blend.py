"""Blends of any number of poses: laws, known answers, and the same computed again in float64."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import canter as ct

ORDER = 5e-7  # what another order of the poses may change


def about_z(*degrees: float) -> list[ct.Pose]:
    half = np.radians(degrees) / 2
    return [ct.Pose([(np.cos(h), 0, 0, np.sin(h))]) for h in half]


def degrees_about_z(pose: ct.Pose) -> float:
    w, x, y, z = pose.rotations[..., 0, :]
    assert x == 0 and y == 0
    return float(np.degrees(2 * np.arctan2(z, w)) % 360)


def random_poses(rng, n, *batch, joints=19, spread=None, scales=True) -> list[ct.Pose]:
    """Poses around one of them: `spread` radians away at most, or anywhere."""
    center = Rotation.random(joints, random_state=rng)
    poses = []
    for _ in range(n):
        size = (*batch, joints)
        if spread is None:
            turns = Rotation.random(int(np.prod(size)), random_state=rng)
        else:
            axes = rng.standard_normal((int(np.prod(size)), 3))
            axes *= rng.uniform(0, spread, (len(axes), 1)) / np.linalg.norm(axes, axis=1, keepdims=True)
            repeated = Rotation.from_quat(np.tile(center.as_quat(), (len(axes) // joints, 1)))
            turns = repeated * Rotation.from_rotvec(axes)
        quaternions = ct.quat.from_scipy(turns.as_quat()).reshape(*size, 4) * rng.choice([-1, 1], (*size, 1))
        poses.append(ct.Pose(quaternions, rng.uniform(-1, 1, (*size, 3)), rng.uniform(0.5, 2, (*size, 3)) if scales else None))
    return poses


def angle(a: ct.Pose, b: ct.Pose) -> float:
    return float(np.max(ct.quat.angle(a.rotations.astype(float), b.rotations.astype(float))))


def same(a: ct.Pose, b: ct.Pose) -> bool:
    pairs = [(a.rotations, b.rotations), (a.translations, b.translations), (a.scales, b.scales)]
    return all(p is q if p is None or q is None else p.shape == q.shape and p.tobytes() == q.tobytes() for p, q in pairs)


def blended_in_double(poses, weights, mask=None, rest=(1, 0, 0, 0)):
    """Rotations (..., J, 4) and translations: signs from the exact main axis where poses contradict each other, by NumPy's eigenvectors."""
    q = np.stack([p.rotations for p in poses]).astype(float)
    w = np.asarray(weights, dtype=float).reshape(len(poses), *[1] * (q.ndim - 2)) * np.ones(q.shape[:-1])
    if mask is not None:
        w = w * np.asarray(mask, dtype=float).reshape(len(poses), *[1] * (q.ndim - 3), -1)
    w = w / w.sum(0)
    outer = np.einsum("n...,n...i,n...k->...ik", w, q, q)
    main = np.linalg.eigh(outer)[1][..., -1]
    q = q * np.where(np.sum(q * main, -1, keepdims=True) < 0, -1, 1)
    mean = np.sum(w[..., None] * q, 0)
    translations = np.sum(w[..., None] * np.stack([p.translations for p in poses]).astype(float), 0)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True), translations


# ---- known answers


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("masked", [False, True])
def test_a_pose_at_weight_one_is_that_pose_bit_for_bit(rng, n, masked):
    poses = random_poses(rng, n, 4)
    for i in range(n):
        mask = rng.uniform(0.5, 1, (n, 19)) if masked else None
        assert same(ct.blend(poses, np.eye(n)[i], mask=mask), poses[i])
        assert same(ct.blend(poses, 3 * np.eye(n)[i], mask=mask), poses[i])


def test_two_poses_go_the_short_way_as_nlerp_does(rng):
    a, b = random_poses(rng, 2, 50)
    for t in np.linspace(0, 1, 9):
        got = ct.blend([a, b], [1 - t, t])
        want = ct.quat.nlerp(a.rotations.astype(float), b.rotations.astype(float), t)
        # From nearly half a turn apart the sum is short, and rounding shows.
        near = np.abs(np.sum(a.rotations * b.rotations, -1)) > 0.05
        assert np.max(ct.quat.angle(got.rotations.astype(float), want)[near]) < 2e-6
        assert np.allclose(got.translations, (1 - t) * a.translations + t * b.translations, atol=3e-7)
        assert np.allclose(got.scales, (1 - t) * a.scales + t * b.scales, atol=5e-7)


def test_a_quarter_of_ninety_degrees_is_behind_slerp_as_far_as_nlerp_is():
    assert degrees_about_z(ct.blend(about_z(0, 90), [0.75, 0.25])) == pytest.approx(22.5 - 0.90184, abs=2e-5)


def test_from_178_to_minus_178_degrees_is_through_180():
    assert degrees_about_z(ct.blend(about_z(178.15, -178.15), [1, 1])) == pytest.approx(180, abs=1e-4)


def test_bones_keep_their_lengths_in_a_blend():
    walk, run = ct.examples.walk(), ct.examples.run()
    pose = ct.blend([walk.sample(0.3), run.sample(0.2)], [0.4, 0.6])
    positions = walk.skeleton.forward_kinematics(pose)[0]
    lengths = [np.linalg.norm(positions[j] - positions[p]) for j, p in enumerate(walk.skeleton.parents) if p >= 0]
    assert lengths == pytest.approx(
        [np.linalg.norm(o) for o, p in zip(walk.skeleton.offsets, walk.skeleton.parents, strict=True) if p >= 0]
    )


@pytest.mark.parametrize("n", [2, 3, 4, 8, 9, 40])
@pytest.mark.parametrize("masked", [False, True])
def test_near_poses_agree_with_the_same_in_double(rng, n, masked):
    poses, weights = random_poses(rng, n, 30, spread=1.2), rng.uniform(0, 1, n)
    mask = rng.uniform(0, 1, (n, 19)) if masked else None
    got = ct.blend(poses, weights, mask=mask)
    rotations, translations = blended_in_double(poses, weights, mask)
    assert np.max(ct.quat.angle(got.rotations.astype(float), rotations)) < 2e-6
    assert np.allclose(got.translations, translations, atol=1e-6)


def test_rotations_anywhere_agree_with_the_main_axis_where_there_is_one(rng):
    poses, weights = random_poses(rng, 4, 200), [0.7, 0.1, 0.1, 0.1]
    got = ct.blend(poses, weights)
    rotations, _ = blended_in_double(poses, weights)
    off = ct.quat.angle(got.rotations.astype(float), rotations)
    assert np.mean(off < 1e-5) > 0.98  # a pose all but half a turn from the axis may be on either side


# ---- order and signs


@pytest.mark.parametrize("n", [2, 3, 4, 9, 12])
@pytest.mark.parametrize("spread", [0.5, 1.5, None])
def test_the_order_of_the_poses_does_not_matter(rng, n, spread):
    poses, weights, mask = random_poses(rng, n, 20, spread=spread), rng.uniform(0, 1, n), rng.uniform(0, 1, (n, 19))
    for given in (None, mask):
        want = ct.blend(poses, weights, mask=given)
        for _ in range(5):
            order = rng.permutation(n)
            got = ct.blend([poses[i] for i in order], weights[order], mask=None if given is None else given[order])
            short = 40 if spread is None or n == 2 else 1  # sums that nearly cancel show more of their rounding
            assert np.max(np.abs(got.rotations - want.rotations)) < ORDER * short
            assert np.allclose(got.translations, want.translations, atol=ORDER)


@pytest.mark.parametrize("n", [2, 3, 4, 9])
@pytest.mark.parametrize("spread", [0.5, None])
def test_the_sign_of_a_quaternion_does_not_matter(rng, n, spread):
    poses, weights = random_poses(rng, n, 20, spread=spread), rng.uniform(0, 1, n)
    flipped = [ct.Pose(p.rotations * rng.choice([-1, 1], (20, 19, 1)), p.translations, p.scales) for p in poses]
    want, got = ct.blend(poses, weights), ct.blend(flipped, weights)
    assert np.array_equal(want.rotations, got.rotations)


@pytest.mark.parametrize(
    ("degrees", "weights", "mean"),
    [
        ((0, 120, 240), (1 / 3, 1 / 3, 1 / 3), 0),  # no mean: the one near the rest rotation
        ((0, 120, 240), (0.02, 0.49, 0.49), None),
        ((0, 179, 181), (0.02, 0.49, 0.49), None),
        ((0, 150, 210), (0.4, 0.3, 0.3), None),
        ((10, 179, 181), (0.3, 0.35, 0.35), None),
    ],
)
def test_three_turns_have_one_answer_in_every_order(degrees, weights, mean):
    poses = about_z(*degrees)
    answers = [degrees_about_z(ct.blend([poses[i] for i in order], [weights[i] for i in order])) for order in permutations(range(3))]
    assert np.ptp((np.array(answers) + 90) % 360) < 1e-4
    if mean is not None:
        assert (answers[0] + 90) % 360 - 90 == pytest.approx(mean, abs=1e-3)
    else:
        assert 90 < answers[0] < 270  # the two near each other meet on their own side


def test_half_a_turn_apart_has_one_answer_in_every_order_and_sign():
    a, b = about_z(0, 180)
    minus = ct.Pose(-b.rotations)
    answers = [ct.blend([p, q], [0.5, 0.5]).rotations for p, q in ((a, b), (b, a), (a, minus), (minus, a))]
    assert np.ptp(answers, axis=0).max() == 0
    assert abs(answers[0][0, 3]) == pytest.approx(0.5**0.5)


def test_near_poses_never_meet_the_long_way_wherever_the_rest_pose_lies(rng):
    for _ in range(300):
        a, b = random_poses(rng, 2, joints=40, spread=0.7, scales=False)
        far = random_poses(rng, 1, joints=40, scales=False)[0]
        rest = random_poses(rng, 1, joints=40, scales=False)[0]
        for weights in ((0.5, 0.5, 0), (0.49, 0.49, 0.02)):
            mean = ct.blend([a, b, far], weights, rest=rest)
            assert angle(mean, a) < 1.6 and angle(mean, b) < 1.6


def test_poses_without_weight_change_nothing(rng):
    poses = random_poses(rng, 5, 6)
    assert same(ct.blend(poses, [0.3, 0, 0.7, 0, 0]), ct.blend([poses[0], poses[2]], [0.3, 0.7]))


# ---- weights, masks and rest


def test_weights_are_divided_by_their_sum(rng):
    poses = random_poses(rng, 3)
    want = ct.blend(poses, [0.25, 0.5, 0.25])
    assert same(ct.blend(poses, [1, 2, 1]), want)
    assert same(ct.blend(poses, [4e307, 8e307, 4e307]), want)
    assert same(ct.blend(poses, [1e-310, 2e-310, 1e-310]), want)


def test_masks_give_each_joint_its_own_weights(rng):
    poses, mask = random_poses(rng, 2), np.zeros((2, 19))
    mask[0, :7], mask[1, 7:13], mask[:, 13:] = 1, 0.25, 0.5
    got, half = ct.blend(poses, [1, 1], mask=mask), ct.blend(poses, [1, 1])
    for part in ("rotations", "translations", "scales"):
        joints = getattr(got, part)
        assert np.array_equal(joints[:7], getattr(poses[0], part)[:7])
        assert np.array_equal(joints[7:13], getattr(poses[1], part)[7:13])
        assert np.allclose(joints[13:], getattr(half, part)[13:], atol=2e-7)


def test_one_mask_for_all_poses_only_tells_where_there_is_weight(rng):
    poses, mask = random_poses(rng, 3), np.linspace(0, 1, 19)
    got, want = ct.blend(poses, [1, 2, 3], mask=mask), ct.blend(poses, [1, 2, 3])
    assert np.allclose(got.rotations[1:], want.rotations[1:], atol=5e-7)
    assert np.array_equal(got.rotations[0], [1, 0, 0, 0])


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_joints_without_weight_show_the_rest_pose(rng, n):
    poses, rest, mask = random_poses(rng, n, 3), random_poses(rng, 1)[0], np.ones((n, 19))
    mask[:, 5] = 0
    assert all(same(p, rest) for p in ct.blend(poses, np.zeros(n), rest=rest))
    got = ct.blend(poses, np.ones(n), mask=mask, rest=rest)
    for part in ("rotations", "translations", "scales"):
        assert np.array_equal(getattr(got, part)[:, 5], np.tile(getattr(rest, part)[5], (3, 1)))
    assert np.allclose(got.translations[:, :5], ct.blend(poses, np.ones(n)).translations[:, :5], atol=5e-7)


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_without_a_rest_pose_nothing_is_turned_and_bones_have_their_mean_lengths(rng, n):
    poses = random_poses(rng, n, 3)
    mean = np.mean([p.translations for p in poses], axis=0)
    for got in (ct.blend(poses, np.zeros(n)), ct.blend(poses, np.ones(n), mask=np.zeros(19))):
        assert np.array_equal(got.rotations, np.tile([1, 0, 0, 0], (3, 19, 1)))
        assert np.allclose(got.translations, mean, atol=5e-7)


def test_a_skeleton_is_its_rest_pose():
    walk = ct.examples.walk()
    poses, weights = [walk.sample(0.1), walk.sample(0.4)], [0, 0]
    assert same(ct.blend(poses, weights, rest=walk.skeleton), walk.skeleton.rest)
    assert same(ct.blend(poses, weights, rest=walk.skeleton.rest), walk.skeleton.rest)
    bare = [ct.Pose(p.rotations) for p in poses]
    assert same(ct.blend(bare, weights, rest=walk.skeleton), ct.Pose(walk.skeleton.rest.rotations))
    scaled = [ct.Pose(p.rotations, p.translations, np.full((18, 3), 2.0)) for p in poses]
    assert np.array_equal(ct.blend(scaled, weights, rest=walk.skeleton).scales, np.ones((18, 3)))


def test_tiny_and_huge_masks_give_numbers(rng):
    poses = random_poses(rng, 3)
    for size in (1e-45, 1e-38, 1e-30, 1e-20, 1e20, 8e37):
        got = ct.blend(poses, [1, 1e-12, 1e-3], mask=np.full(19, size))
        assert np.isfinite(got.rotations).all() and np.isfinite(got.translations).all()
        assert np.allclose(np.linalg.norm(got.rotations, axis=-1), 1, atol=1e-6)


# ---- batches


def test_batches_are_blended_element_by_element(rng):
    poses, weights = random_poses(rng, 3, 4, 5), rng.uniform(0, 1, (3, 4, 5))
    got = ct.blend(poses, weights)
    assert got.shape == (4, 5)
    for i in np.ndindex(4, 5):
        assert same(got[i], ct.blend([p[i] for p in poses], weights[(slice(None), *i)]))


def test_weights_are_broadcast_to_the_batch(rng):
    poses, weights = random_poses(rng, 3, 4, 5), rng.uniform(0, 1, (3, 5))
    assert same(ct.blend(poses, weights), ct.blend(poses, np.tile(weights[:, None], (1, 4, 1))))
    assert same(ct.blend(poses, weights[:, :1]), ct.blend(poses, weights[:, 0]))


def test_one_pose_object_may_hold_them_all(rng):
    poses = random_poses(rng, 3, 6)
    stacked = ct.Pose(*(np.stack([getattr(p, part) for p in poses]) for part in ("rotations", "translations", "scales")))
    weights = rng.uniform(0, 1, (3, 6))
    assert same(ct.blend(stacked, weights), ct.blend(poses, weights))
    assert same(ct.blend(stacked[:, 0], weights), ct.blend([p[0] for p in poses], weights))
    assert same(ct.blend(stacked[:, 0], weights[:, 0]), ct.blend([p[0] for p in poses], weights[:, 0]))


def test_single_poses_fit_any_batch(rng):
    (batch,), (single,) = random_poses(rng, 1, 7), random_poses(rng, 1)
    got = ct.blend([single, batch], [0.5, 0.5])
    assert got.shape == (7,)
    assert all(same(got[i], ct.blend([single, batch[i]], [0.5, 0.5])) for i in range(7))
    weights = rng.uniform(0, 1, (2, 3))
    many = ct.blend([single, batch[0]], weights)
    assert all(same(many[i], ct.blend([single, batch[0]], weights[:, i])) for i in range(3))


def test_empty_batches_are_fine(rng):
    poses = random_poses(rng, 2, 1)
    assert ct.blend([p[:0] for p in poses], [1, 1]).shape == (0,)
    assert ct.blend([p[0] for p in poses], np.ones((2, 0))).shape == (0,)


def test_any_number_of_workers_gives_the_same_bits(rng):
    poses, weights = random_poses(rng, 4, 700), rng.uniform(0, 1, (4, 700))
    assert same(ct.blend(poses, weights), ct.blend(poses, weights, workers=3))


LEVEL_PROGRAM = """
import hashlib, numpy as np, canter as ct
rng = np.random.default_rng(5)
digest = hashlib.sha256()
for n in (2, 3, 4, 8, 9, 20):
    parts = [[rng.standard_normal((40, 37, width)) for width in (4, 3, 3)] for _ in range(n)]
    poses = [ct.Pose(*part) for part in parts]
    for mask in (None, rng.integers(0, 3, (n, 37)) / 2):
        got = ct.blend(poses, rng.uniform(0, 1, (n, 40)), mask=mask)
        for part in (got.rotations, got.translations, got.scales):
            digest.update(np.ascontiguousarray(part))
print(ct.simd_level(), digest.hexdigest())
"""


def test_same_bits_at_every_simd_level():
    found = {}
    for level in ("baseline", "avx2", "avx512"):
        environment = {**os.environ, "CANTER_SIMD": level, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        run = subprocess.run([sys.executable, "-c", LEVEL_PROGRAM], env=environment, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            used, digest = run.stdout.split()
            assert used == level and len(digest) == hashlib.sha256().digest_size * 2
            found[level] = digest
    assert "baseline" in found and len(set(found.values())) == 1


# ---- what is refused


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -0.5], r"blend: weights\[1\] is -0.5, expected 0 or more"),
        ([[1, 1], [1, -2]], r"blend: the weight of pose 1 is -2.0 \(number 1 of the batch\), expected 0 or more"),
        ([np.nan, 1], r"blend: weights\[0\] is NaN"),
        ([1, np.inf], r"blend: weights\[1\] is infinite"),
        ([1, 1, 1], r"blend: weights has shape \(3,\), expected one for each of 2 poses first"),
        (1.0, r"blend: weights has shape \(\), expected one for each of 2 poses first"),
        (np.ones((2, 3)), r"blend: weights has shape \(2, 3\), which does not fit the batch of the poses"),
        (np.ones((2, 1, 2)), r"blend: weights has shape \(2, 1, 2\), which does not fit"),
    ],
)
def test_weights_that_make_no_sense_are_refused(rng, weights, message):
    with pytest.raises(ValueError, match=message):
        ct.blend(random_poses(rng, 2, 2), weights)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (np.ones(18), r"blend: mask has shape \(18,\), expected \(19,\) for all poses or \(2, 19\), a row each"),
        (np.ones((3, 19)), r"blend: mask has shape \(3, 19\)"),
        (np.ones((2, 1, 19)), r"blend: mask has shape \(2, 1, 19\)"),
        (1.0, r"blend: mask has shape \(\)"),
        (np.r_[np.ones(18), -1], "blend: the mask of pose 0 is negative at joint 18"),
        (np.stack([np.ones(19), np.r_[np.nan, np.ones(18)]]), "blend: the mask of pose 1 is not finite at joint 0"),
        (np.full(19, 3e38), "blend: the mask of pose 0 is too large to add up at joint 0"),
    ],
)
def test_masks_that_make_no_sense_are_refused(rng, mask, message):
    with pytest.raises(ValueError, match=message):
        ct.blend(random_poses(rng, 2), [1, 1], mask=mask)


def test_poses_that_do_not_go_together_are_refused(rng):
    (pose,), (batch,), (few,) = random_poses(rng, 1), random_poses(rng, 1, 4), random_poses(rng, 1, joints=3)
    bare = ct.Pose(pose.rotations)
    cases = [
        ([pose, few], [1, 1], "blend: pose 1 has 3 joints, pose 0 has 19"),
        ([pose, bare], [1, 1], "blend: pose 1 has rotations alone, pose 0 has translations and scales; give all of them the same"),
        ([batch, batch[:2]], [1, 1], "blend: pose 1 is a batch of another shape"),
        ([], [], "blend: poses is empty"),
        (batch[:0], [], "blend: poses is empty"),
        (pose, [1], "blend: poses is a single pose"),
    ]
    for poses, weights, message in cases:
        with pytest.raises(ValueError, match=message):
            ct.blend(poses, weights)
    for poses in ([pose, None], [pose, pose.rotations]):
        with pytest.raises(TypeError, match=r"blend: poses\[1\] is .*, expected a Pose"):
            ct.blend(poses, [1, 1])
    for poses in (None, "walk", 3):
        with pytest.raises(TypeError, match="blend: poses is .*, expected a sequence of Pose, or one Pose"):
            ct.blend(poses, [1])


def test_a_rest_pose_that_does_not_fit_is_refused(rng):
    (pose,), (batch,), (few,) = random_poses(rng, 1), random_poses(rng, 1, 4), random_poses(rng, 1, joints=3)
    for rest, message in [
        (few, "blend: rest is a Pose of 3 joints, the poses have 19"),
        (ct.examples.humanoid(), "blend: rest is a Skeleton of 18 joints"),
        (ct.Pose(pose.rotations), "blend: rest has no translations"),
        (batch, "blend: rest is a batch of poses"),
    ]:
        with pytest.raises(ValueError, match=message):
            ct.blend([pose, pose], [1, 1], rest=rest)
    with pytest.raises(TypeError, match="blend: rest is list, expected a Pose or a Skeleton"):
        ct.blend([pose], [1], rest=[1, 0, 0, 0])
