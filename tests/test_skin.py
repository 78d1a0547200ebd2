"""Skinning: known answers, weighted matrices in float64, and what is refused."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import canter as ct
from matrices_in_double import Floats, skinned

METHODS = ["linear", "dual_quaternion"]


def rigid(rotation=None, translation=(0, 0, 0)):
    matrix = np.eye(4)
    if rotation is not None:
        matrix[:3, :3] = rotation.as_matrix()
    matrix[:3, 3] = translation
    return matrix


def random_palette(rng, *shape) -> Floats:
    count = int(np.prod(shape))
    rotations = Rotation.random(count, random_state=rng)
    return np.stack([rigid(r, rng.uniform(-1, 1, 3)) for r in rotations]).reshape(*shape, 4, 4)


def random_mesh(rng, vertices=100, joints=20, influences=4):
    """vertices, joints, weights, normals."""
    normals = rng.standard_normal((vertices, 3))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    weights = rng.random((vertices, influences))
    return rng.uniform(-1, 1, (vertices, 3)), rng.integers(0, joints, (vertices, influences)), weights, normals


# ---- known answers


@pytest.mark.parametrize("method", METHODS)
def test_the_rest_pose_moves_nothing(rng, make_skeleton, method):
    skeleton = make_skeleton(22)
    vertices, joints, weights, normals = random_mesh(rng, joints=22)
    moved, turned = ct.skin(vertices, joints, weights, skeleton.palette(skeleton.rest), normals=normals, method=method)
    np.testing.assert_allclose(moved, vertices, atol=2e-6)
    np.testing.assert_allclose(turned, normals, atol=2e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_vertex_on_one_joint_goes_where_the_joint_goes(method):
    arm = ct.Skeleton(["Arm", "Elbow"], [-1, 0], [(0, 0, 0), (1, 0, 0)])
    half = 0.5**0.5
    palette = arm.palette(ct.Pose([(1, 0, 0, 0), (half, 0, 0, half)]))
    moved, turned = ct.skin([(0.5, 0, 0), (2, 0, 0)], [[0], [1]], [[1], [1]], palette, normals=[(0, 1, 0)] * 2, method=method)
    np.testing.assert_allclose(moved, [(0.5, 0, 0), (1, 1, 0)], atol=1e-6)
    np.testing.assert_allclose(turned, [(0, 1, 0), (-1, 0, 0)], atol=1e-6)


def test_a_twist_wrings_linear_skin_and_keeps_its_girth_with_dual_quaternions():
    """A forearm turned by 120 degrees: half way along, linear skin is as thin as cos 60 degrees."""
    ring = [(0.5, np.cos(a), np.sin(a)) for a in np.arange(0, 6, 0.5)]
    palette = [np.eye(4), rigid(Rotation.from_rotvec([np.radians(120), 0, 0]))]
    joints, weights = np.tile([0, 1], (len(ring), 1)), np.full((len(ring), 2), 0.5)
    linear = ct.skin(ring, joints, weights, palette)
    dual = ct.skin(ring, joints, weights, palette, method="dual_quaternion")
    np.testing.assert_allclose(np.linalg.norm(linear[:, 1:], axis=-1), 0.5, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(dual[:, 1:], axis=-1), 1, atol=1e-6)
    half_way = Rotation.from_rotvec([np.radians(60), 0, 0]).apply(ring)
    np.testing.assert_allclose(dual, half_way, atol=1e-6)


def test_dual_quaternions_mix_the_short_way_round():
    """170 and -170 degrees meet at 180, not at 0."""
    palette = [rigid(Rotation.from_rotvec([0, np.radians(a), 0])) for a in (170, -170)]
    moved = ct.skin([(1, 0, 0)], [[0, 1]], [[1, 1]], palette, method="dual_quaternion")
    np.testing.assert_allclose(moved, [(-1, 0, 0)], atol=1e-6)


def test_a_screw_is_followed_at_its_middle():
    """Dual quaternions mix rigid motions whole: half a turn about an axis that is far off, half way."""
    axis_at = np.array([2.0, 0, 0])
    turn = Rotation.from_rotvec([0, np.radians(90), 0])
    palette = [np.eye(4), rigid(turn, axis_at - turn.apply(axis_at))]
    moved = ct.skin([(0, 0, 0)], [[0, 1]], [[0.5, 0.5]], palette, method="dual_quaternion")
    expected = Rotation.from_rotvec([0, np.radians(45), 0]).apply(-axis_at) + axis_at
    np.testing.assert_allclose(moved[0], expected, atol=1e-6)


# ---- against float64


@pytest.mark.parametrize("influences", [1, 2, 4, 7])
@pytest.mark.parametrize("count", [1, 15, 16, 17, 3000])
def test_linear_skin_is_the_weighted_sum_of_matrices(rng, influences, count):
    palette = random_palette(rng, 20)
    palette[:, :3, :3] *= rng.uniform(0.5, 2, (20, 1, 3))
    vertices, joints, weights, _ = random_mesh(rng, count, 20, influences)
    np.testing.assert_allclose(ct.skin(vertices, joints, weights, palette), skinned(vertices, joints, weights, palette), atol=5e-6)


@pytest.mark.parametrize("method", METHODS)
def test_rigid_motion_of_the_whole_character_commutes_with_skinning(rng, method):
    palette = random_palette(rng, 20)
    vertices, joints, weights, normals = random_mesh(rng)
    motion = rigid(Rotation.from_rotvec([0.3, -1.2, 0.7]), (1, 2, 3))
    moved, turned = ct.skin(vertices, joints, weights, palette, normals=normals, method=method)
    together, turned_together = ct.skin(vertices, joints, weights, motion @ palette, normals=normals, method=method)
    np.testing.assert_allclose(together, moved @ motion[:3, :3].T + motion[:3, 3], atol=2e-5)
    np.testing.assert_allclose(turned_together, turned @ motion[:3, :3].T, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_normals_stay_normal_to_a_surface_under_uneven_scale(rng, method):
    stretch = rigid(Rotation.from_rotvec([0.5, 0.4, 0.3])) @ np.diag([3, 0.5, 1, 1])
    normals = rng.standard_normal((50, 3))
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    tangents = np.cross(normals, rng.standard_normal((50, 3)))
    origin = rng.uniform(-1, 1, (50, 3))
    joints, weights = np.zeros((50, 1), int), np.ones((50, 1))
    moved, turned = ct.skin(origin, joints, weights, stretch[None], normals=normals, method=method)
    moved_tangents = ct.skin(origin + tangents, joints, weights, stretch[None], method=method) - moved
    np.testing.assert_allclose(np.einsum("vi,vi->v", turned, moved_tangents), 0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_only_the_proportions_of_weights_count(rng, method):
    palette = random_palette(rng, 20)
    vertices, joints, weights, _ = random_mesh(rng)
    one = ct.skin(vertices, joints, weights, palette, method=method)
    np.testing.assert_allclose(one, ct.skin(vertices, joints, weights * 7.5, palette, method=method), atol=2e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_vertex_without_weight_stays(rng, method):
    palette = random_palette(rng, 20)
    vertices, joints, weights, normals = random_mesh(rng)
    weights[::2] = 0
    moved, turned = ct.skin(vertices, joints, weights, palette, normals=normals, method=method)
    np.testing.assert_array_equal(moved[::2], vertices[::2].astype(np.float32))
    np.testing.assert_allclose(turned[::2], normals[::2], atol=1e-6)
    assert (abs(moved[1::2] - vertices[1::2]).max(axis=-1) > 1e-3).all()
    np.testing.assert_array_equal(ct.skin(vertices, joints[:, :0], weights[:, :0], palette, method=method), vertices.astype(np.float32))


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_is_its_poses_one_by_one_for_any_number_of_workers(rng, method):
    palette = random_palette(rng, 2, 3, 20)
    vertices, joints, weights, normals = random_mesh(rng, 3000)
    moved, turned = ct.skin(vertices, joints, weights, palette, normals=normals, method=method)
    assert moved.shape == turned.shape == (2, 3, 3000, 3)
    assert moved.dtype == turned.dtype == np.float32
    for index in np.ndindex(2, 3):
        one, one_turned = ct.skin(vertices, joints, weights, palette[index], normals=normals, method=method)
        np.testing.assert_array_equal(moved[index], one)
        np.testing.assert_array_equal(turned[index], one_turned)
    for workers in (2, 5, -1):
        again = ct.skin(vertices, joints, weights, palette, normals=normals, method=method, workers=workers)
        np.testing.assert_array_equal(again[0], moved)
        np.testing.assert_array_equal(again[1], turned)


def test_nothing_to_move_gives_nothing(rng):
    palette = random_palette(rng, 3)
    nothing = ct.skin(np.zeros((0, 3)), np.zeros((0, 4), int), np.zeros((0, 4)), palette)
    assert nothing.shape == (0, 3)
    vertices, joints, weights, _ = random_mesh(rng, joints=3)
    assert ct.skin(vertices, joints, weights, np.zeros((0, 3, 4, 4))).shape == (0, 100, 3)


# ---- results in the caller's arrays


def test_results_land_in_the_callers_arrays(rng):
    palette = random_palette(rng, 20)
    vertices, joints, weights, normals = random_mesh(rng)
    expected, expected_normals = ct.skin(vertices, joints, weights, palette, normals=normals)
    out, out_normals = np.empty((100, 3), np.float32), np.empty((100, 3), np.float32)
    assert ct.skin(vertices, joints, weights, palette, out=out) is out
    np.testing.assert_array_equal(out, expected)
    result = ct.skin(vertices, joints, weights, palette, normals=normals, out=(None, out_normals))
    assert result[1] is out_normals
    np.testing.assert_array_equal(out_normals, expected_normals)


@pytest.mark.parametrize("method", METHODS)
def test_a_mesh_may_be_moved_in_place(rng, method):
    palette = random_palette(rng, 20)
    vertices, joints, weights, normals = (a.astype(np.float32) if a.dtype == float else a for a in random_mesh(rng, 3000))
    expected, expected_normals = ct.skin(vertices, joints, weights, palette, normals=normals, method=method)
    ct.skin(vertices, joints, weights, palette, normals=normals, method=method, out=(normals, vertices))  # swapped, on purpose
    np.testing.assert_array_equal(normals, expected)
    np.testing.assert_array_equal(vertices, expected_normals)


def test_a_shifted_overlap_gives_the_same_as_none(rng):
    palette = random_palette(rng, 20)
    vertices, joints, weights, _ = random_mesh(rng)
    memory = np.zeros((101, 3), np.float32)
    memory[1:] = vertices
    expected = ct.skin(vertices, joints, weights, palette)
    np.testing.assert_array_equal(ct.skin(memory[1:], joints, weights, palette, out=memory[:-1]), expected)


def test_out_is_a_pair_exactly_when_normals_are_given(rng):
    palette = random_palette(rng, 20)
    vertices, joints, weights, normals = random_mesh(rng)
    out = np.empty((100, 3), np.float32)
    with pytest.raises(TypeError, match=r"skin: out is not a pair, expected \(vertices, normals\)"):
        ct.skin(vertices, joints, weights, palette, normals=normals, out=out)
    with pytest.raises(TypeError, match="skin: out vertices is tuple, expected a NumPy array"):
        ct.skin(vertices, joints, weights, palette, out=(out, out))
    with pytest.raises(ValueError, match="skin: out: the arrays share memory"):
        ct.skin(vertices, joints, weights, palette, normals=normals, out=(out, out))
    with pytest.raises(ValueError, match=r"skin: out vertices has shape \(99, 3\), expected \(100, 3\)"):
        ct.skin(vertices, joints, weights, palette, out=out[1:])


# ---- what is refused


def changed(rng, **changes):
    vertices, joints, weights, _ = random_mesh(rng, 10, 5, 2)
    arguments = {"vertices": vertices, "joints": joints, "weights": weights, "palette": random_palette(rng, 5)}
    arguments |= {name: change(arguments[name]) if callable(change) else change for name, change in changes.items()}
    return list(arguments.values())


def put(value, *place):
    def change(array):
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"vertices": lambda a: a[:, :2]}, ValueError, r"skin: vertices has shape \(10, 2\), expected \(N, 3\)"),
        ({"joints": lambda a: a[:9]}, ValueError, r"skin: joints has shape \(9, 2\), expected \(10, N\)"),
        ({"joints": lambda a: a.astype(float)}, TypeError, "skin: joints holds .*float64.*, expected integers"),
        ({"joints": put(5, 3, 1)}, IndexError, "skin: .*vertex 3.*"),
        ({"joints": put(-1, 9, 0)}, IndexError, "skin: .*vertex 9.*"),
        ({"weights": lambda a: a[:, :1]}, ValueError, r"skin: weights has shape \(10, 1\), expected \(10, 2\)"),
        ({"weights": put(-0.1, 4, 1)}, ValueError, "skin: .*vertex 4.*"),
        ({"weights": put(np.nan, 4, 0)}, ValueError, "skin: .*vertex 4.*"),
        ({"palette": lambda a: a[:, :3]}, ValueError, r"skin: palette has shape \(5, 3, 4\), expected \(..., N, 4, 4\)"),
        ({"palette": lambda a: a[:2]}, IndexError, "2 joints|below 2|palette"),
        ({"palette": put(np.inf, 2, 0, 3)}, ValueError, r"skin: palette\[2, 0, 3\] is inf.*, expected finite"),
        ({"vertices": put(np.nan, 7, 2)}, ValueError, r"skin: vertices\[7, 2\] is NaN, expected finite"),
    ],
)
def test_what_cannot_be_skinned_is_refused_with_its_place(rng, changes, error, message):
    with pytest.raises(error, match=message):
        ct.skin(*changed(rng, **changes))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"normals": np.zeros((9, 3))}, ValueError, r"skin: normals has shape \(9, 3\), expected \(10, 3\)"),
        ({"normals": np.full((10, 3), np.nan)}, ValueError, r"skin: normals\[0, 0\] is NaN"),
        ({"method": "lbs"}, ValueError, "skin: method is 'lbs', expected one of 'linear', 'dual_quaternion'"),
        ({"method": 1}, TypeError, "skin: method is 1"),
        ({"workers": 0}, ValueError, "workers is 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(rng, options, error, message):
    with pytest.raises(error, match=message):
        ct.skin(*changed(rng), **options)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
@pytest.mark.parametrize("method", METHODS)
def test_a_signal_stops_a_long_call_on_its_way(rng, method):
    palette = random_palette(rng, 200, 20)
    vertices, joints, weights, _ = random_mesh(rng, 20000)
    out = np.full((200, 20000, 3), np.nan, np.float32)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.005)
            ct.skin(vertices, joints, weights, palette, method=method, out=out)
            time.sleep(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.isnan(out[-1, -1]).all()
