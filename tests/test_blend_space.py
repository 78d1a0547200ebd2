"""Blend spaces: worked examples, laws, and an independent computation in NumPy."""

import copy
import pickle

import numpy as np
import pytest

import canter as ct
from public_calls import BLEND_METHODS

CROSS = np.array([(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)], dtype=float)  # idle, forward, back, left, right
QUERY = (0.6, 0.3)
EVERYWHERE = BLEND_METHODS[:3]  # the methods for samples anywhere
RING = np.array([(0, 0), *[(r * np.cos(a), r * np.sin(a)) for r in (1.4, 4.0) for a in np.arange(8) * np.pi / 4]])


def normalized(raw):
    raw = np.maximum(raw, 0)
    return raw / raw.sum(axis=-1, keepdims=True)


def cartesian(samples, points):
    """w_i = min over j of 1 - (p - p_i).(p_j - p_i) / |p_j - p_i|^2."""
    raw = np.empty((len(points), len(samples)))
    for i, sample in enumerate(samples):
        to = np.delete(samples, i, axis=0) - sample
        raw[:, i] = (1 - (points - sample) @ to.T / np.sum(to**2, axis=-1)).min(axis=-1)
    return normalized(raw)


def polar(samples, points):
    """The same on (length / mean length, 2 angle), the angle from the first sample; without an angle for a sample at the origin."""
    z, p = samples @ (1, 1j), points @ (1, 1j)
    raw = np.full((len(p), len(z)), np.inf)
    for i in range(len(z)):
        for j in range(len(z)):
            if i == j:
                continue
            mean, angled = (abs(z[i]) + abs(z[j])) / 2, abs(z[i]) > 0 and abs(z[j]) > 0
            to = np.array([(abs(z[j]) - abs(z[i])) / mean, 2 * np.angle(z[j] * z[i].conj()) * angled])
            there = np.stack([(abs(p) - abs(z[i])) / mean, 2 * np.angle(p * z[i].conj()) * angled])
            raw[:, i] = np.minimum(raw[:, i], 1 - to @ there / (to @ to))
    return normalized(raw)


def steepest(space, start, end, steps=20_001):
    """The largest change of a weight in one of many steps on the way, and in one of four times as many."""
    changes = []
    for count in (steps, 4 * steps):
        path = start + np.linspace(0, 1, count)[:, None] * (np.asarray(end) - start)
        changes.append(np.abs(np.diff(space.weights(path), axis=0)).max())
    return changes


# -------------------------------------------------------------------------------------------------------------- worked examples


def test_speeds_between_walk_and_run():
    assert ct.BlendSpace1D([0, 1.4, 4]).weights(2.0).round(6).tolist() == [0, 0.769231, 0.230769]
    weights = ct.BlendSpace1D([0, 1.3, 3.5]).weights(2.4)
    assert weights == pytest.approx([0, 0.5, 0.5], abs=1e-15)
    # Cycles of 1.0 s and 0.7 s kept in step: the mix is slower than what was asked for.
    cycle, stride = weights @ (0, 1.0, 0.7), weights @ (0, 1.3 * 1.0, 3.5 * 0.7)
    assert (cycle.round(3), stride.round(3), (stride / cycle).round(4)) == (0.85, 1.875, 2.2059)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("gradient_band", [0.307692, 0, 0.230769, 0, 0.461538]),
        ("gradient_band_polar", [0.254160, 0, 0.227899, 0, 0.517941]),
        ("two_1d", [0.5, 0, 0.1, 0, 0.4]),
        ("delaunay", [0.1, 0, 0.3, 0, 0.6]),
    ],
)
def test_a_query_within_a_cross(method, expected):
    assert ct.BlendSpace2D(CROSS, method=method).weights(QUERY).round(6).tolist() == expected


def test_a_cartesian_mix_points_where_the_query_does_and_two_lines_do_not(rng):
    points = rng.uniform(-0.5, 0.5, (500, 2))
    mixed = ct.BlendSpace2D(CROSS).weights(points) @ CROSS
    assert np.abs(mixed[:, 0] * points[:, 1] - mixed[:, 1] * points[:, 0]).max() < 1e-14
    x, y = ct.BlendSpace2D(CROSS, method="two_1d").weights(QUERY) @ CROSS
    assert np.degrees(np.arctan2(0.3, 0.6) - np.arctan2(y, x)).round(2) == 12.53


def test_a_slow_clip_leaks_into_a_fast_diagonal_less_in_polar():
    samples = [(0, 0), (0, 1.4), (0, 4.0), (-1.4, 0), (1.4, 0), (0, -1.4)]
    assert ct.BlendSpace2D(samples, method="gradient_band_polar").weights((2.8, 2.8))[1].round(4) == 0.0152
    assert ct.BlendSpace2D(samples).weights((2.8, 2.8))[1].round(4) == 0.3158


# ---------------------------------------------------------------------------------------------------------- independent computation


def test_gradient_bands_are_those_of_the_formula(rng):
    for count in (2, 3, 9, 30):
        samples, points = rng.standard_normal((count, 2)), 3 * rng.standard_normal((2000, 2))
        np.testing.assert_allclose(ct.BlendSpace2D(samples).weights(points), cartesian(samples, points), atol=1e-11)


@pytest.mark.parametrize("samples", [CROSS, RING, RING[:9], RING * 1e-3], ids=["cross", "two rings", "ring", "small"])
def test_polar_gradient_bands_are_those_of_the_formula(samples, rng):
    points = 1.5 * np.abs(samples).max() * rng.standard_normal((5000, 2))
    weights = ct.BlendSpace2D(samples, method="gradient_band_polar").weights(points)
    np.testing.assert_allclose(weights, polar(samples, points), atol=1e-12)


def test_many_triangles_are_found_as_few_are(rng):
    samples = np.concatenate([rng.standard_normal((400, 2)), np.stack([np.linspace(-4, 4, 100), np.full(100, -5.0)], axis=-1)])
    space = ct.BlendSpace2D(samples, method="delaunay")
    corners = rng.choice(space.triangles, 5000)
    shares = rng.dirichlet((0.3, 0.3, 0.3), 5000)
    points = np.sum(shares[..., None] * samples[corners], axis=1)
    weights = space.weights(points)
    np.testing.assert_allclose(weights @ samples, points, atol=1e-11)
    np.testing.assert_allclose(np.take_along_axis(weights, corners, axis=-1).sum(axis=-1), 1, atol=1e-4)  # or of a neighbour, at a side


def test_delaunay_is_linear_in_its_triangles_and_as_scipy_has_it(rng):
    spatial = pytest.importorskip("scipy.spatial")
    samples = rng.standard_normal((30, 2))
    space = ct.BlendSpace2D(samples, method="delaunay")
    expected = spatial.Delaunay(samples)
    assert {frozenset(t) for t in space.triangles.tolist()} == {frozenset(t) for t in expected.simplices.tolist()}
    points = rng.standard_normal((2000, 2))
    inside = points[expected.find_simplex(points) >= 0]
    weights = space.weights(inside)
    np.testing.assert_allclose(weights @ samples, inside, atol=1e-12)
    assert np.count_nonzero(weights, axis=-1).max() <= 3


def test_delaunay_takes_a_query_outside_to_the_nearest_place_of_the_hull(rng):
    optimize = pytest.importorskip("scipy.optimize")
    samples = rng.standard_normal((8, 2))
    space = ct.BlendSpace2D(samples, method="delaunay")
    for point in 5 * rng.standard_normal((40, 2)):
        # The nearest mix of all samples: least squares with weights of 0 and more, the sum held at 1 by a heavy row.
        heavy = 1e6
        nearest, _ = optimize.nnls(np.vstack([samples.T, heavy * np.ones(8)]), np.append(point, heavy))
        np.testing.assert_allclose(space.weights(point) @ samples, nearest @ samples, atol=1e-6)


# ------------------------------------------------------------------------------------------------------------------------- laws


SAMPLES = {
    "one": [(1, 2)],
    "two": [(1, 2), (3, -1)],
    "line": [(0, 0), (1, 2), (3, 6), (2, 4), (0.3, 0.6)],
    "level line": [(0, 1), (2, 1), (1, 1)],
    "triangle": [(0, 0), (1, 0), (0.2, 3)],
    "grid": [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)],
    "circle": [(np.cos(a), np.sin(a)) for a in np.arange(12) * np.pi / 6],
    "rings": RING,
    "no idle": RING[1:9],
    "far from the origin": np.array([(0, 0), (1, 0), (0, 1), (1, 1)]) + 1e6,
    "three directions": [(0, 0), (0, 1), (1, 0)],
}


@pytest.mark.parametrize("method", EVERYWHERE)
@pytest.mark.parametrize("name", SAMPLES)
def test_weights_are_1_at_samples_and_proper_everywhere(name, method, rng):
    samples = np.asarray(SAMPLES[name], dtype=float)
    space = ct.BlendSpace2D(samples, method=method)
    assert np.array_equal(space.weights(samples), np.eye(len(samples)))
    points = rng.standard_normal((3000, 2)) * 10.0 ** rng.integers(-8, 20, (3000, 1))
    weights = space.weights(np.concatenate([points, [(0, 0), (1e308, 1e308), (-1e308, 1), (5e-324, 0)]]))
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-14)


@pytest.mark.parametrize("method", EVERYWHERE)
@pytest.mark.parametrize("name", SAMPLES)
def test_weights_never_jump_and_do_not_depend_on_the_order_of_samples(name, method, rng):
    samples = np.asarray(SAMPLES[name], dtype=float)
    order = rng.permutation(len(samples))
    space, other = ct.BlendSpace2D(samples, method=method), ct.BlendSpace2D(samples[order], method=method)
    centre, size = samples.mean(axis=0), np.ptp(samples, axis=0).max() + 1
    for _ in range(6):
        start, end = centre + size * rng.uniform(-2, 2, (2, 2))
        coarse, fine = steepest(space, start, end)
        assert fine < max(0.4 * coarse, 1e-6)  # a quarter of the step, a quarter of the change; a jump stays
        points = centre + size * rng.uniform(-2, 2, (200, 2))
        np.testing.assert_allclose(other.weights(points), space.weights(points)[:, order], atol=1e-9)


def test_far_away_the_hull_still_decides():
    space = ct.BlendSpace2D([(-1, 0), (1, 0), (0, 1)], method="delaunay")
    for far in (1e3, 1e9, 1e14):
        assert space.weights((0.5, -far)) == pytest.approx([0.25, 0.75, 0], abs=1e-12)
        assert space.weights((0, far)).tolist() == [0, 0, 1]
        assert ct.BlendSpace2D(CROSS).weights((0, far)).tolist() == [0, 0, 1, 0, 0]


def test_samples_on_one_line_mix_like_a_line(rng):
    at = np.array([0.0, 4.0, 1.0, 2.5])
    points = rng.uniform(-6, 6, (500, 2))
    along = np.array([0.6, 0.8])
    weights = ct.BlendSpace2D(at[:, None] * along + 3, method="delaunay").weights(points)
    np.testing.assert_allclose(weights, ct.BlendSpace1D(at).weights((points - 3) @ along), atol=1e-12)


def test_two_lines_give_idle_at_the_origin_and_their_ends_beyond():
    space = ct.BlendSpace2D(CROSS, method="two_1d")
    assert space.weights([(0, 0), (0, -7), (1e308, 0)]).tolist() == [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert space.weights((-2, 2)).tolist() == [0, 0, 0.5, 0.5, 0]


def test_positions_in_any_order_and_beyond_the_ends():
    space = ct.BlendSpace1D([4.0, 0.0, 1.4])
    assert space.weights([4.0, 0.0, 1.4, -1e308, 1e308]).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert ct.BlendSpace1D([3.0]).weights([-1.0, 3.0, 5.0]).tolist() == [[1], [1], [1]]
    assert ct.BlendSpace1D([-1e308, 1e308]).weights(0).tolist() == [0.5, 0.5]
    x = np.linspace(-1, 5, 101)
    np.testing.assert_allclose(space.weights(x) @ space.positions, np.clip(x, 0, 4), atol=1e-15)


# ------------------------------------------------------------------------------------------------------------------------ the types


def test_queries_of_any_shape_and_a_given_output(rng):
    line, plane = ct.BlendSpace1D([0, 1]), ct.BlendSpace2D(CROSS)
    assert line.weights(0.5).shape == (2,)
    assert line.weights(np.zeros((4, 0))).shape == (4, 0, 2)
    assert plane.weights(np.zeros((2, 3, 2))).shape == (2, 3, 5)
    points = rng.standard_normal((40, 2))
    out = np.empty((40, 5))
    assert plane.weights(points, out=out) is out
    assert np.array_equal(out, plane.weights(points.T.copy().T))
    numbers = rng.standard_normal(100)
    expected = line.weights(numbers[:50])
    assert np.array_equal(line.weights(numbers[:50], out=numbers.reshape(50, 2)), expected)


def test_attributes_pickles_copies_and_equality():
    for space in (ct.BlendSpace1D([4, 0, 1.4]), *(ct.BlendSpace2D(CROSS, method=method) for method in BLEND_METHODS)):
        buffers = []
        back = pickle.loads(pickle.dumps(space, 5, buffer_callback=buffers.append), buffers=buffers)
        assert len(buffers) == 1
        assert back == space
        assert hash(back) == hash(space)
        assert copy.copy(space) is space
        assert copy.deepcopy(space) is space
        view = space.points if isinstance(space, ct.BlendSpace2D) else space.positions
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
    line, plane = ct.BlendSpace1D([0.0, 1.4]), ct.BlendSpace2D(CROSS)
    assert (repr(line), repr(plane)) == ("<BlendSpace1D: 2 samples>", "<BlendSpace2D: 5 samples, gradient_band>")
    assert (len(line), len(plane), plane.method, plane.triangles) == (2, 5, "gradient_band", None)
    assert np.array_equal(plane.points, CROSS)
    assert ct.BlendSpace1D([-0.0, 1.4]) == line
    assert hash(ct.BlendSpace1D([-0.0, 1.4])) == hash(line)
    assert line != ct.BlendSpace1D([1.4, 0.0])
    assert plane != ct.BlendSpace2D(CROSS, method="delaunay")
    assert plane != line
    assert ct.BlendSpace2D([(0, 0), (1, 1), (2, 2)], method="delaunay").triangles.shape == (0, 3)


@pytest.mark.parametrize("method", EVERYWHERE)
def test_samples_that_cannot_be_told_apart_are_refused(method):
    with pytest.raises(ValueError, match="samples 1 and 3 are at the same place"):
        ct.BlendSpace2D([(0, 0), (1, 1), (5, 0), (1, 1)], method=method)
    with pytest.raises(ValueError, match="samples 0 and 2"):
        ct.BlendSpace2D([(0, 0), (1e9, 1), (1, 1)], method=method)
    with pytest.raises(ValueError, match="no sample"):
        ct.BlendSpace2D(np.zeros((0, 2)), method=method)


def test_what_makes_no_space_is_refused():
    with pytest.raises(ValueError, match="samples 0 and 1"):
        ct.BlendSpace1D([2, 2])
    with pytest.raises(ValueError, match="no sample"):
        ct.BlendSpace1D([])
    with pytest.raises(ValueError, match="513 samples, expected at most 512"):
        ct.BlendSpace1D(np.arange(513))
    with pytest.raises(ValueError, match=r"positions\[1\] is NaN"):
        ct.BlendSpace1D([0, np.nan])
    with pytest.raises(ValueError, match=r"shape \(3,\), expected \(N, 2\)"):
        ct.BlendSpace2D([0, 1, 2])
    with pytest.raises(ValueError, match="expected one of 'gradient_band'"):
        ct.BlendSpace2D(CROSS, method="barycentric")
    with pytest.raises(ValueError, match="sample 1 is on neither axis"):
        ct.BlendSpace2D([(0, 0), (1, 1)], method="two_1d")
    with pytest.raises(ValueError, match=r"no sample is at \(0, 0\)"):
        ct.BlendSpace2D(CROSS[1:], method="two_1d")
    with pytest.raises(TypeError, match="real numbers"):
        ct.BlendSpace2D(CROSS * 1j)


def test_bad_queries_are_refused():
    line, plane = ct.BlendSpace1D([0, 1]), ct.BlendSpace2D(CROSS)
    with pytest.raises(ValueError, match="x is infinite"):
        line.weights(np.inf)
    with pytest.raises(ValueError, match=r"points\[2, 1\] is NaN"):
        plane.weights([(0, 0), (1, 1), (0, np.nan)])
    with pytest.raises(ValueError, match="points has shape"):
        plane.weights((1, 2, 3))
    with pytest.raises(ValueError, match="out has shape"):
        plane.weights((1, 2), out=np.empty(4))
    with pytest.raises(ValueError, match="out must be a writeable C-contiguous array of dtype"):
        plane.weights((1, 2), out=np.empty(5, np.float32))
