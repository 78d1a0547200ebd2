"""Laws and known answers of canter.quat; SciPy is the independent judge of conventions."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import canter as ct

Rotation = pytest.importorskip("scipy.spatial.transform").Rotation

quat = ct.quat
TAIT_BRYAN = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
PROPER = ["XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"]
ORDERS = TAIT_BRYAN + PROPER
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
AXES = {"X": np.array([1.0, 0, 0]), "Y": np.array([0, 1.0, 0]), "Z": np.array([0, 0, 1.0])}


@pytest.fixture(autouse=True)
def _no_warning_and_no_flag():
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


@pytest.fixture
def random():
    return np.random.default_rng(7)


def random_unit(random, *shape):
    q = random.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def rotation(q):
    return Rotation.from_quat(np.asarray(q, dtype=np.float64)[..., [1, 2, 3, 0]])


def distance(a, b):
    """Of two arrays of quaternions as rotations: the largest difference of a component, signs apart."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return np.minimum(np.abs(a - b).max(-1), np.abs(a + b).max(-1)).max()


def assert_unit(q, epsilon=None):
    epsilon = epsilon or 4 * np.finfo(q.dtype).eps
    assert np.abs(np.linalg.norm(q.astype(np.float64), axis=-1) - 1).max() <= epsilon


# numbers of every size, but whose rotations mean something
lengths = st.floats(-1e6, 1e6, allow_subnormal=True)
anything = st.floats(allow_nan=False, allow_infinity=False)


# --- known answers ---


def test_hamilton_product():
    i, j, k = np.eye(4)[1:]
    assert np.array_equal(quat.multiply(i, j), k)
    assert np.array_equal(quat.multiply(j, k), i)
    assert np.array_equal(quat.multiply(j, i), -k)
    assert np.array_equal(quat.multiply(i, i), -IDENTITY)


def test_positive_turn_about_y_is_a_turn_to_the_left():
    quarter = quat.from_axis_angle((0, 1, 0), np.pi / 2)
    np.testing.assert_allclose(quat.rotate(quarter, (0, 0, 1)), (1, 0, 0), atol=1e-15)


def test_product_turns_by_the_right_factor_first(random):
    a, b, v = random_unit(random, 50), random_unit(random, 50), random.normal(size=(50, 3))
    np.testing.assert_allclose(quat.rotate(quat.multiply(a, b), v), quat.rotate(a, quat.rotate(b, v)), atol=1e-14)


def test_nlerp_lags_slerp_by_the_known_angle():
    quarter = quat.from_axis_angle((0, 0, 1), np.pi / 2)
    behind = quat.angle(quat.nlerp(IDENTITY, quarter, 0.25), quat.slerp(IDENTITY, quarter, 0.25))
    assert np.degrees(behind) == pytest.approx(0.90184, abs=5e-6)
    # half a turn moves w and z as a complex number moves through 90 degrees; the rotation turns by twice its angle
    half = quat.from_axis_angle((0, 0, 1), np.pi)
    behind = quat.angle(quat.nlerp(IDENTITY, half, 0.25), quat.slerp(IDENTITY, half, 0.25))
    assert np.degrees(behind) / 2 == pytest.approx(22.5 - np.degrees(np.arctan(1 / 3)), abs=1e-12)  # 4.06505


def test_short_way_across_180_degrees():
    a, b = (quat.from_axis_angle((0, 1, 0), np.radians(x)) for x in (178.15, -178.15))
    assert np.degrees(quat.angle(a, b)) == pytest.approx(3.7)
    long_way = quat.slerp(a, b, np.linspace(0, 1, 101), shortest=False)
    assert np.degrees(quat.angle(long_way[1:], long_way[:-1]).sum()) == pytest.approx(356.3)
    middle = quat.slerp(a, b, 0.5)
    assert quat.angle(middle, quat.from_axis_angle((0, 1, 0), np.pi)) < 1e-14


def test_long_way_keeps_a_turn_of_270_degrees():
    wound = quat.from_axis_angle((0, 0, 1), np.radians(270))
    for mix in (quat.slerp, quat.nlerp):
        assert quat.angle(mix(IDENTITY, wound, 0.5, shortest=False), quat.from_axis_angle((0, 0, 1), np.radians(135))) < 1e-14
        assert quat.angle(mix(IDENTITY, wound, 0.5), quat.from_axis_angle((0, 0, 1), np.radians(-45))) < 1e-14


def test_zxy_turns_z_first_in_its_own_axes():
    q = quat.from_euler(np.radians((90, 45, 0)), "ZXY")
    by_hand = quat.multiply(quat.from_axis_angle(AXES["Z"], np.pi / 2), quat.from_axis_angle(AXES["X"], np.pi / 4))
    assert distance(q, by_hand) < 1e-15
    np.testing.assert_allclose(quat.rotate(q, (0, 1, 0)), (-np.sqrt(0.5), 0, np.sqrt(0.5)), atol=1e-15)


def test_negative_angle_comes_back_negative():
    angles = quat.to_euler(quat.from_euler(np.radians((-10, 0, 0)), "ZXY"), "ZXY")
    np.testing.assert_allclose(np.degrees(angles), (-10, 0, 0), atol=1e-13)


def test_exp_takes_a_rotation_vector():
    assert distance(quat.exp((0, 0, 0.4)), (np.cos(0.2), 0, 0, np.sin(0.2))) < 1e-16
    np.testing.assert_allclose(quat.log((np.cos(0.2), 0, 0, np.sin(0.2))), (0, 0, 0.4), rtol=1e-15)


# --- agreement with SciPy ---


@pytest.mark.parametrize(("dtype", "epsilon"), [(np.float64, 1e-12), (np.float32, 1e-6)])
class TestAgreesWithScipy:
    @pytest.fixture
    def q(self, random, dtype, epsilon):
        return random_unit(random, 2000).astype(dtype)

    def test_multiply_and_conjugate(self, q, dtype, epsilon):
        assert distance(quat.multiply(q, q[::-1]), quat.from_scipy(rotation(q) * rotation(q[::-1]))) < epsilon
        assert distance(quat.conjugate(q), quat.from_scipy(rotation(q).inv())) < epsilon

    def test_rotate(self, q, random, dtype, epsilon):
        v = random.normal(size=(2000, 3)).astype(dtype)
        np.testing.assert_allclose(quat.rotate(q, v), rotation(q).apply(v), atol=4 * epsilon)

    @pytest.mark.parametrize("order", ORDERS)
    def test_from_euler(self, random, order, dtype, epsilon):
        angles = random.uniform(-7, 7, (2000, 3)).astype(dtype)
        assert distance(quat.from_euler(angles, order), quat.from_scipy(Rotation.from_euler(order, angles.astype(np.float64)))) < epsilon

    @pytest.mark.parametrize("order", ORDERS)
    def test_to_euler(self, q, order, dtype, epsilon):
        got, want = quat.to_euler(q, order), rotation(q).as_euler(order)
        clear = np.abs(np.sin(want[:, 1]) if order in PROPER else np.cos(want[:, 1])) > 0.05  # away from gimbal lock
        difference = np.remainder(got - want + np.pi, 2 * np.pi) - np.pi
        assert np.abs(difference[clear]).max() < 40 * epsilon

    def test_matrices(self, q, dtype, epsilon):
        np.testing.assert_allclose(quat.to_matrix(q), rotation(q).as_matrix(), atol=epsilon)
        matrix = rotation(q).as_matrix().astype(dtype)
        assert distance(quat.from_matrix(matrix), q) < 2 * epsilon

    def test_rotation_vectors(self, q, dtype, epsilon):
        np.testing.assert_allclose(quat.log(q), rotation(q).as_rotvec(), atol=10 * epsilon)
        vectors = rotation(q).as_rotvec().astype(dtype)
        assert distance(quat.exp(vectors), q) < epsilon

    def test_axis_angle(self, q, dtype, epsilon):
        axis, angle = quat.to_axis_angle(q)
        np.testing.assert_allclose(axis * angle[:, None], rotation(q).as_rotvec(), atol=10 * epsilon)
        assert distance(quat.from_axis_angle(axis * dtype(3), angle), q) < epsilon

    def test_slerp(self, q, random, dtype, epsilon):
        from scipy.spatial.transform import Slerp

        for a, b in zip(q[:40], q[40:80], strict=True):
            t = np.linspace(0, 1, 9)
            want = Slerp([0, 1], rotation([a, b]))(t)
            assert distance(quat.slerp(a, b, t.astype(dtype)), quat.from_scipy(want)) < 2 * epsilon

    def test_angle(self, q, dtype, epsilon):
        want = (rotation(q).inv() * rotation(q[::-1])).magnitude()
        np.testing.assert_allclose(quat.angle(q, q[::-1]), want, atol=10 * epsilon)

    def test_angular_velocity(self, q, dtype, epsilon):
        want = (rotation(q[1:]) * rotation(q[:-1]).inv()).as_rotvec() / 0.25
        got = quat.angular_velocity(q, 0.25)
        clear = np.linalg.norm(want, axis=-1) < 3.1 / 0.25  # half a turn may go either way
        np.testing.assert_allclose(got[clear], want[clear], atol=100 * epsilon)


def test_scipys_order_by_name(random):
    q = random_unit(random, 5)
    assert np.array_equal(quat.to_scipy(q)[:, 3], q[:, 0])
    assert np.array_equal(quat.from_scipy(quat.to_scipy(q)), q)
    assert distance(quat.from_scipy(rotation(q)), q) < 1e-15


# --- Euler angles ---


@pytest.mark.parametrize("order", ORDERS)
@given(angles=arrays(np.float64, 3, elements=st.floats(-10, 10)))
def test_euler_angles_are_the_product_of_their_turns(order, angles):
    a, b, c = (quat.from_axis_angle(AXES[letter], angle) for letter, angle in zip(order, angles, strict=True))
    assert distance(quat.from_euler(angles, order), quat.multiply(quat.multiply(a, b), c)) < 2e-15


@pytest.mark.parametrize("order", ORDERS)
@given(q=arrays(np.float64, 4, elements=st.floats(-1, 1)))
def test_every_rotation_survives_euler_angles(order, q):
    q = quat.normalize(q)
    angles = quat.to_euler(q, order)
    assert distance(quat.from_euler(angles, order), q) < 2e-14
    assert np.all(angles[[0, 2]] > -np.pi)
    assert np.all(angles[[0, 2]] <= np.pi)
    assert (0 <= angles[1] <= np.pi) if order in PROPER else abs(angles[1]) <= np.pi / 2


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("dtype", "epsilon"), [(np.float64, 1e-14), (np.float32, 5e-6)])
def test_gimbal_lock_puts_all_of_the_turn_into_the_first_angle(order, dtype, epsilon):
    for second in (0.0, np.pi) if order in PROPER else (-np.pi / 2, np.pi / 2):
        angles = np.array([(a, second, c) for a in np.linspace(-3, 3, 13) for c in np.linspace(-3, 3, 13)], dtype)
        q = quat.from_euler(angles, order)
        back = quat.to_euler(q, order)
        assert np.all(back[:, 2] == 0)
        np.testing.assert_allclose(back[:, 1], second, atol=epsilon)
        assert distance(quat.from_euler(back, order), q) < epsilon


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_continuous_angles_follow_a_turn_through_every_branch(order, dtype):
    t = np.linspace(0, 1, 400)
    track = np.stack([8 * t, 0.3 + 9 * t, 5 - 11 * t], axis=-1).astype(dtype)
    q = quat.from_euler(track, order)
    angles = quat.to_euler(q, order, continuous=True)
    assert distance(quat.from_euler(angles, order), q) < (1e-13 if dtype == np.float64 else 1e-5)
    assert np.abs(np.diff(angles, axis=0)).max() < 0.2


@pytest.mark.parametrize("order", ORDERS)
def test_continuous_angles_pass_gimbal_lock_without_a_jump(order):
    lock = 0.0 if order in PROPER else np.pi / 2
    track = np.stack([0.4 + np.linspace(0, 0.2, 21), lock + np.linspace(-0.1, 0.1, 21), np.full(21, 0.7)], axis=-1)
    track[10, 1] = lock
    q = quat.from_euler(track, order)
    assert quat.to_euler(q, order)[10, 2] == 0
    angles = quat.to_euler(q, order, continuous=0)
    assert distance(quat.from_euler(angles, order), q) < 1e-13
    assert np.abs(np.diff(angles, axis=0)).max() < 0.05


def test_continuous_takes_any_batch_axis(random):
    q = quat.from_euler(np.cumsum(random.normal(0, 0.3, (2, 50, 3, 3)), axis=1), "ZXY")
    for axis in (1, -3):
        whole = quat.to_euler(q, "ZXY", continuous=axis)
        for a in range(2):
            for j in range(3):
                assert np.array_equal(whole[a, :, j], quat.to_euler(q[a, :, j], "ZXY", continuous=True))
    for axis in (3, -1, 4, -5):
        with pytest.raises(ValueError, match="other than the last"):
            quat.to_euler(q, "ZXY", continuous=axis)


def test_unknown_orders_are_refused():
    for function in (quat.from_euler, quat.to_euler):
        argument = np.zeros(3) if function is quat.from_euler else IDENTITY
        with pytest.raises(ValueError, match="XYZ, XZY, YXZ.*ZYZ"):
            function(argument, "XXY")
        with pytest.raises(ValueError, match="intrinsic.*'ZXY'"):
            function(argument, "zxy")


# --- laws ---


@given(v=arrays(np.float64, 3, elements=st.floats(-1.8, 1.8)))
def test_log_undoes_exp(v):
    np.testing.assert_allclose(quat.log(quat.exp(v)), v, rtol=1e-14, atol=1e-15)


def test_log_and_exp_are_accurate_for_tiny_rotations():
    for size in (1e-3, 1e-8, 1e-20, 1e-160, 1e-200, 1e-300):
        v = size * np.array([0.6, -0.8, 0.0])
        np.testing.assert_allclose(quat.exp(v)[1:], v / 2, rtol=1e-6)
        np.testing.assert_allclose(quat.log(quat.exp(v)), v, rtol=1e-12)
        axis, angle = quat.to_axis_angle(quat.exp(v))
        np.testing.assert_allclose(axis, (0.6, -0.8, 0), atol=1e-15)
        assert angle == pytest.approx(size, rel=1e-12)


def test_slerp_moves_at_an_even_pace(random):
    for turn in (1e-9, 1e-4, 1.0, 3.0, np.pi - 1e-9, 4.0, 2 * np.pi - 1e-6):
        p = random_unit(random)
        q = quat.multiply(quat.from_axis_angle(random.normal(size=3), turn), p)
        t = np.linspace(-0.5, 1.5, 41)
        path = quat.slerp(p, q, t, shortest=False)
        assert_unit(path)
        np.testing.assert_allclose(quat.angle(path[1:], path[:-1]), 0.05 * turn, rtol=1e-9, atol=1e-15)


def test_slerp_between_neighbours_keeps_its_digits():
    for turn in (1e-4, 1e-8, 1e-12):
        q = quat.from_axis_angle((0, 0, 1), turn)
        np.testing.assert_allclose(quat.slerp(IDENTITY, q, 0.25)[3], np.sin(turn / 8), rtol=1e-14)


@pytest.mark.parametrize("mix", [quat.slerp, quat.nlerp])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_interpolation_meets_its_ends_to_the_bit(mix, dtype, random):
    p, q = random_unit(random, 300).astype(dtype), random_unit(random, 300).astype(dtype)
    assert np.array_equal(mix(p, q, 0.0), p)
    assert np.array_equal(mix(p, q, 1.0, shortest=False), q)
    near = np.where(np.sum(p.astype(np.float64) * q, axis=-1, keepdims=True) < 0, -q, q)
    assert np.array_equal(mix(p, q, 1.0), near)


@pytest.mark.parametrize("mix", [quat.slerp, quat.nlerp])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_interpolation_between_equal_and_opposite_quaternions(mix, dtype, random):
    p = random_unit(random, 50).astype(dtype)
    epsilon = 4 * np.finfo(dtype).eps
    t = np.linspace(0, 1, 11, dtype=dtype)[:, None]
    for q in (p, -p):
        assert distance(mix(p, q, t), p) < epsilon
    wound = mix(p, -p, t, shortest=False)
    assert_unit(wound)
    over = p * dtype(1 + 2 * np.finfo(dtype).eps)  # dot products above 1
    assert_unit(mix(over, over, t), 2 * epsilon)
    assert distance(mix(over, p, t), p) < epsilon


def test_slerp_to_the_opposite_turns_about_local_x():
    p = quat.normalize((0.5, 0.1, -0.7, 0.2))
    path = quat.slerp(p, -p, [0.0, 0.25, 0.5, 1.0], shortest=False)
    assert distance(path, [quat.multiply(p, quat.from_axis_angle((1, 0, 0), a)) for a in np.array([0, 0.5, 1, 2]) * np.pi]) < 1e-15
    assert np.array_equal(path[-1], -p)


@given(u=arrays(np.float64, 3, elements=lengths), v=arrays(np.float64, 3, elements=lengths))
def test_between_takes_one_direction_to_the_other(u, v):
    q = quat.between(u, v)
    assert_unit(q)
    scale_u, scale_v = np.abs(u).max(), np.abs(v).max()
    if scale_u == 0 or scale_v == 0:
        assert np.array_equal(q, IDENTITY)
        return
    u, v = u / scale_u, v / scale_v
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    np.testing.assert_allclose(quat.rotate(q, u), v, atol=4e-15)
    # The smallest turn: about an axis across both.
    assert abs(q[1:] @ u) < 1e-15


def test_between_opposite_and_nearly_opposite_directions():
    assert np.array_equal(quat.between((1, 0, 0), (-3, 0, 0)), (0, 0, 1, 0))
    assert np.array_equal(quat.between((0, 1, 0), (0, -1, 0)), (0, -1, 0, 0))
    assert np.array_equal(quat.between((0, 0, 1), (0, 0, -1)), (0, 1, 0, 0))
    for small in (1e-3, 1e-8, 1e-13, 1e-15, 1e-16):
        v = np.array([-np.cos(small), np.sin(small), 0])
        q = quat.between((1, 0, 0), v)
        np.testing.assert_allclose(quat.rotate(q, (1, 0, 0)), v, atol=4e-15)


@given(q=arrays(np.float64, 4, elements=st.floats(-1, 1)), axis=arrays(np.float64, 3, elements=lengths))
def test_swing_and_twist_compose_to_the_rotation(q, axis):
    q = quat.normalize(q)
    swing, twist = quat.swing_twist(q, axis)
    assert_unit(swing, 2e-15)
    assert_unit(twist)
    assert distance(quat.multiply(swing, twist), q) < 1e-15
    if np.abs(axis).max() > 0:
        axis = axis / np.abs(axis).max()
        axis = axis / np.linalg.norm(axis)
        assert np.abs(np.cross(twist[1:], axis)).max() < 1e-15
        if not np.array_equal(twist, IDENTITY):
            assert abs(swing[1:] @ axis) < 1e-14


def test_twist_of_half_a_swing_and_of_no_axis_is_the_identity():
    swing, twist = quat.swing_twist((0, 1, 0, 0), (0, 1, 0))
    assert np.array_equal(twist, IDENTITY)
    assert np.array_equal(swing, (0, 1, 0, 0))
    q = quat.normalize((1, 2, 3, 4))
    swing, twist = quat.swing_twist(q, (0, 0, 0))
    assert np.array_equal(twist, IDENTITY)
    assert distance(swing, q) == 0


@given(q=arrays(np.float64, 4, elements=st.floats(-1, 1)))
def test_matrices_and_6d_hold_the_rotation(q):
    q = quat.normalize(q)
    matrix = quat.to_matrix(q)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-15)
    assert distance(quat.from_matrix(matrix), q) < 2e-15
    six = quat.to_6d(q)
    assert np.array_equal(six, np.concatenate([matrix[:, 0], matrix[:, 1]]))
    assert distance(quat.from_6d(six), q) < 2e-15
    assert quat.from_6d(six)[0] >= 0


@pytest.mark.parametrize(
    "half_turn", [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0.6, 0.8, 0), (1e-9, -0.6, 0, 0.8), (0.5, 0.5, 0.5, 0.5)]
)
def test_from_matrix_is_robust_for_every_trace(half_turn):
    q = quat.normalize(half_turn)
    assert distance(quat.from_matrix(quat.to_matrix(q)), q) < 1e-15


def test_from_matrix_of_scaled_sheared_and_mirrored_matrices(random):
    q = random_unit(random, 20)
    matrix = quat.to_matrix(q)
    for scale in (1e-200, 0.01, 100, 1e200):
        assert distance(quat.from_matrix(scale * matrix), q) < 1e-14
    sheared = matrix @ np.array([[2.0, 0.5, 0], [0, 1, 0], [0, 0, -1]])
    assert distance(quat.from_matrix(sheared), q) < 1e-14


def test_6d_follows_gram_schmidt(random):
    c0, c1 = random.normal(size=(2, 50, 3))
    a = c0 / np.linalg.norm(c0, axis=-1, keepdims=True)
    b = c1 - np.sum(a * c1, axis=-1, keepdims=True) * a
    b /= np.linalg.norm(b, axis=-1, keepdims=True)
    matrix = quat.to_matrix(quat.from_6d(np.concatenate([c0, c1], axis=-1)))
    np.testing.assert_allclose(matrix, np.stack([a, b, np.cross(a, b)], axis=-1), atol=1e-14)


def test_angle_is_accurate_at_both_ends():
    for turn in (0.0, 1e-300, 1e-150, 1e-12, 1e-6, 1.0):
        q = quat.from_axis_angle((0, 1, 0), turn)
        assert quat.angle(IDENTITY, q) == pytest.approx(turn, rel=1e-15, abs=1e-160)
        assert quat.angle(-IDENTITY, q) == pytest.approx(turn, rel=1e-15, abs=1e-160)
    for short in (1e-3, 1e-8, 1e-15):
        assert np.pi - quat.angle(IDENTITY, quat.from_axis_angle((0, 1, 0), np.pi - short)) == pytest.approx(short, abs=1e-15)


def test_unroll_flips_neighbours_together(random):
    smooth = quat.from_euler(np.cumsum(random.normal(0, 0.2, (200, 4, 3)), axis=0), "XYZ")
    flipped = smooth * random.choice([-1, 1], (200, 4, 1))
    got = quat.unroll(flipped)
    assert np.all(np.sum(got[1:] * got[:-1], axis=-1) > 0)
    assert np.array_equal(got[0], flipped[0])
    assert np.array_equal(np.abs(got), np.abs(flipped))
    assert np.array_equal(quat.unroll(flipped.swapaxes(0, 1), axis=1), got.swapaxes(0, 1))
    assert np.array_equal(quat.unroll(flipped.swapaxes(0, 1), axis=-2), got.swapaxes(0, 1))
    with pytest.raises(ValueError, match="axis"):
        quat.unroll(flipped, axis=2)
    with pytest.raises(ValueError, match="axis"):
        quat.unroll(IDENTITY)


def test_unroll_of_few_samples():
    assert quat.unroll(np.zeros((0, 4))).shape == (0, 4)
    assert np.array_equal(quat.unroll([-IDENTITY]), [-IDENTITY])


def test_angular_velocity_steps_to_the_next_sample(random):
    q = random_unit(random, 3, 30, 2)
    dt = random.uniform(0.01, 0.1, 29)
    w = quat.angular_velocity(q, dt, axis=1)
    assert w.shape == (3, 29, 2, 3)
    step = quat.exp(w * dt[:, None, None])
    assert distance(quat.multiply(step, q[:, :-1]), q[:, 1:]) < 1e-14


def test_angular_velocity_is_in_the_parents_axes():
    tilted = quat.multiply(quat.from_axis_angle((0, 1, 0), [0.0, 0.2]), quat.from_axis_angle((1, 0, 0), 1.0))
    np.testing.assert_allclose(quat.angular_velocity(tilted, 0.1), [(0, 2, 0)], atol=1e-14)


def test_angular_velocity_of_slow_turns_keeps_its_digits():
    q = quat.from_axis_angle((0, 0, 1), [0.5, 0.5 + 1e-9])
    assert quat.angular_velocity(q, 1.0)[0, 2] == pytest.approx(1e-9, rel=1e-6)
    q = quat.multiply(quat.from_axis_angle((0, 0, 1), [0, 1e-12]), IDENTITY)
    assert quat.angular_velocity(q, 1.0)[0, 2] == pytest.approx(1e-12, rel=1e-15)


@pytest.mark.parametrize("dt", [0.0, -0.1, np.nan, np.inf, [0.1, 0.1]])
def test_angular_velocity_refuses_times_that_are_none(dt):
    with pytest.raises(ValueError, match="dt"):
        quat.angular_velocity(np.tile(IDENTITY, (4, 1)), dt)


def test_angular_velocity_of_one_sample_is_empty():
    assert quat.angular_velocity([IDENTITY], 0.1).shape == (0, 3)
    assert quat.angular_velocity(np.zeros((0, 4)), 0.1).shape == (0, 3)


# --- degenerate and extreme input ---


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_degenerate_input_has_its_documented_answer(dtype):
    zero4, zero3 = np.zeros(4, dtype), np.zeros(3, dtype)
    assert np.array_equal(quat.normalize(zero4), IDENTITY)
    assert np.array_equal(quat.exp(zero3), IDENTITY)
    assert np.array_equal(quat.log(zero4), zero3)
    assert np.array_equal(quat.from_axis_angle(zero3, dtype(1)), IDENTITY)
    assert np.array_equal(quat.from_6d(np.zeros(6, dtype)), IDENTITY)
    assert np.array_equal(quat.from_matrix(np.zeros((3, 3), dtype)), IDENTITY)
    assert np.array_equal(quat.to_matrix(zero4), np.eye(3))
    assert np.array_equal(quat.between(zero3, dtype([1, 2, 3])), IDENTITY)
    axis, angle = quat.to_axis_angle(IDENTITY.astype(dtype))
    assert np.array_equal(axis, (1, 0, 0))
    assert angle == 0
    for order in ORDERS:
        assert np.array_equal(quat.to_euler(IDENTITY.astype(dtype), order), zero3)
    along = quat.from_6d(dtype([0, 2, 0, 0, 5, 0]))
    np.testing.assert_allclose(quat.rotate(along, dtype([1, 0, 0])), (0, 1, 0), atol=1e-6)


def every_function(q, p, v, u, t, order):
    """Each function's results for any such arguments, as a list of arrays; none may raise a floating-point flag."""
    with np.errstate(all="raise"):
        return _every_function(q, p, v, u, t, order)


def _every_function(q, p, v, u, t, order):
    results = [quat.multiply(q, p), quat.conjugate(q), quat.rotate(q, v), quat.normalize(q), quat.exp(v), quat.log(q)]
    for shortest in (True, False):
        results += [quat.nlerp(q, p, t, shortest=shortest), quat.slerp(q, p, t, shortest=shortest)]
    matrix = quat.to_matrix(q)
    columns = np.concatenate([v, u], axis=-1)
    results += [quat.from_euler(v, order), quat.to_euler(q, order), matrix, quat.from_matrix(matrix), quat.to_6d(q), quat.from_6d(columns)]
    results += [quat.from_axis_angle(v, t), *quat.to_axis_angle(q), quat.between(u, v), *quat.swing_twist(q, v), quat.angle(q, p)]
    if q.ndim > 1:
        results += [quat.unroll(q), quat.to_euler(q, order, continuous=True), quat.angular_velocity(q, 0.1)]
    return results


@given(
    q=arrays(np.float64, 4, elements=st.floats(-1, 1)),
    p=arrays(np.float64, 4, elements=st.floats(-1, 1)),
    v=arrays(np.float64, 3, elements=st.floats(-1e100, 1e100)),
    u=arrays(np.float64, 3, elements=st.floats(-1e100, 1e100)),
    t=st.floats(-3, 3),
    order=st.sampled_from(ORDERS),
)
def test_finite_input_gives_finite_results(q, p, v, u, t, order):
    for result in every_function(quat.normalize(q), quat.normalize(p), v, u, t, order):
        assert np.all(np.isfinite(result))


@given(q=arrays(np.float64, 4, elements=anything), v=arrays(np.float64, 3, elements=anything))
def test_lengths_of_any_size_are_normalised(q, v):
    assert_unit(quat.normalize(q))
    assert_unit(quat.exp(v))
    assert_unit(quat.from_axis_angle(v, 1.0))
    assert_unit(quat.between(v, v[::-1]))
    assert np.all(np.isfinite(quat.to_matrix(q)))


@given(
    q=arrays(np.float32, 4, elements=st.floats(allow_nan=True, allow_infinity=True, width=32)),
    v=arrays(np.float32, 3, elements=st.floats(allow_nan=True, allow_infinity=True, width=32)),
    order=st.sampled_from(ORDERS),
)
def test_no_input_makes_a_warning(q, v, order):
    every_function(np.tile(q, (3, 1)), q[::-1], v, v[::-1], v[0], order)
    every_function(np.tile(q, (3, 1)).astype(np.float64), q[::-1].astype(np.float64), v.astype(np.float64), v[::-1], v[0], order)


# --- arrays ---


def test_single_precision_stays_and_everything_else_is_double():
    single, double = np.ones((2, 4), np.float32), np.ones((2, 4))
    assert quat.multiply(single, single).dtype == np.float32
    assert quat.multiply(single, double).dtype == np.float64
    assert quat.slerp(single, single, 0.5).dtype == np.float32  # a Python number follows
    assert quat.slerp(single, single, np.float64(0.5)).dtype == np.float64
    for other in (double.astype(np.float16), double.astype(int), double.astype(bool), double.tolist(), double.astype(np.longdouble)):
        assert quat.normalize(other).dtype == np.float64
    assert quat.normalize(single.astype(">f4")).dtype == np.dtype(np.float32)
    assert quat.angular_velocity(single, 0.1).dtype == np.float32
    assert quat.unroll(single).dtype == np.float32
    assert quat.to_scipy(single).dtype == np.float32
    assert quat.to_euler(single, "XYZ", continuous=True).dtype == np.float32


@pytest.mark.parametrize("bad", [np.ones(4, complex), ["a"] * 4, np.array([object()] * 4), np.ones(4, "M8[s]")])
def test_other_kinds_are_refused(bad):
    with pytest.raises(TypeError, match="normalize: q has dtype .*, expected real numbers"):
        quat.normalize(bad)


def test_shapes_are_refused_in_words():
    with pytest.raises(ValueError, match=r"rotate: v has shape \(5, 4\), expected \(\.\.\., 3\)"):
        quat.rotate(np.ones((5, 4)), np.ones((5, 4)))
    with pytest.raises(ValueError, match=r"from_matrix: matrix has shape \(3,\), expected \(\.\.\., 3, 3\)"):
        quat.from_matrix(np.ones(3))
    with pytest.raises(ValueError, match=r"normalize: q has shape \(\), expected \(\.\.\., 4\)"):
        quat.normalize(1.0)
    with pytest.raises(ValueError, match=r"multiply: shapes do not fit each other: a \(2, 4\), b \(3, 4\)"):
        quat.multiply(np.ones((2, 4)), np.ones((3, 4)))
    with pytest.raises(ValueError, match=r"multiply: shapes do not fit each other: a \(2, 4\), b \(2, 4\), out \(3, 4\)"):
        quat.multiply(np.ones((2, 4)), np.ones((2, 4)), out=np.ones((3, 4)))


def test_batches_broadcast(random):
    q, v = random_unit(random, 5, 1), random.normal(size=(7, 3))
    turned = quat.rotate(q, v)
    assert turned.shape == (5, 7, 3)
    for i in range(5):
        for j in range(7):
            assert np.array_equal(turned[i, j], quat.rotate(q[i, 0], v[j]))
    assert quat.slerp(q, q[0], np.linspace(0, 1, 7)).shape == (5, 7, 4)
    swing, twist = quat.swing_twist(q, v)
    assert swing.shape == twist.shape == (5, 7, 4)
    assert quat.multiply(np.zeros((0, 4)), IDENTITY).shape == (0, 4)


@pytest.mark.parametrize("count", [1, 15, 16, 17, 127, 128, 129, 1000])
def test_block_edges_do_not_show(random, count):
    q = random_unit(random, count)
    whole = quat.to_euler(q, "YZX")
    assert np.array_equal(whole, [quat.to_euler(x, "YZX") for x in q])


def test_strided_unaligned_and_read_only_input(random):
    q = random_unit(random, 40)
    want = quat.normalize(q)
    wide = np.zeros((80, 8))[::2, ::2]
    wide[...] = q
    assert np.array_equal(quat.normalize(wide), want)
    assert np.array_equal(quat.normalize(np.asfortranarray(q)), want)
    assert np.array_equal(quat.normalize(q[::-1]), want[::-1])
    bytes_ = np.empty(q.nbytes + 1, np.uint8)
    unaligned = np.frombuffer(bytes_, dtype=np.float64, count=q.size, offset=1).reshape(q.shape)
    unaligned[...] = q
    assert np.array_equal(quat.normalize(unaligned), want)
    q.flags.writeable = False
    assert np.array_equal(quat.normalize(q), want)
    with pytest.raises(ValueError, match="read-only"):
        quat.normalize(want, out=q)


def test_out_may_be_any_overlapping_view(random):
    q = random_unit(random, 600)
    want = quat.multiply(q[:-1], q[1:])
    for shift in (slice(0, -1), slice(1, None)):
        work = q.copy()
        result = quat.multiply(work[:-1], work[1:], out=work[shift])
        assert np.array_equal(result, want)
        assert np.array_equal(work[shift], want)
    work = q.copy()
    want = quat.conjugate(q[::-1])
    quat.conjugate(work[::-1], out=work)
    assert np.array_equal(work, want)


def test_out_of_two_results(random):
    q = random_unit(random, 6)
    out = (np.empty((6, 4)), np.empty((6, 4)))
    swing, twist = quat.swing_twist(q, (0, 1, 0), out=out)
    assert swing is out[0]
    assert twist is out[1]
    assert distance(quat.multiply(swing, twist), q) < 1e-15


HASH = """
import hashlib, numpy as np, canter as ct
from test_quat import every_function, ORDERS
random = np.random.default_rng(3)
digest = hashlib.sha256()
for dtype in (np.float32, np.float64):
    q, p = random.normal(size=(2, 333, 4)).astype(dtype)
    v, u = random.normal(size=(2, 333, 3)).astype(dtype)
    t = random.uniform(-1, 2, 333).astype(dtype)
    q, p = ct.quat.normalize(q), ct.quat.normalize(p)
    for order in ORDERS:
        for result in every_function(q, p, v, u, t, order):
            digest.update(np.ascontiguousarray(result).tobytes())
print(ct.simd_level(), digest.hexdigest())
"""


def run_at(level):
    environment = {**os.environ, "CANTER_SIMD": level, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])}
    return subprocess.run([sys.executable, "-c", HASH], env=environment, capture_output=True, text=True, check=False)


def test_same_bits_at_every_simd_level():
    runs = {level: run_at(level) for level in ("baseline", "avx2", "avx512")}
    digests = [run.stdout.split() for run in runs.values() if run.returncode == 0]
    assert runs["baseline"].returncode == 0, runs["baseline"].stderr
    assert {digest for _, digest in digests} == {digests[0][1]}
    for level, run in runs.items():
        assert run.returncode == 0 or f"'{level}'" in run.stderr
