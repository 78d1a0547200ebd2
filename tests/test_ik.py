"""The core's two-bone solver through NumPy. What it does for each limb is tested in C; here is that arrays reach it."""

import numpy as np
import pytest

from canter._core import ik_two_bone


def test_limbs_reach_their_targets_and_keep_their_lengths(rng):
    root, target, pole = rng.standard_normal((3, 1000, 3))
    distance = np.linalg.norm(target - root, axis=-1)
    upper = rng.uniform(0.5, 1.0, 1000) * distance
    lower = rng.uniform(0.55, 1.2, 1000) * distance
    mid, tip = ik_two_bone(root, target, upper, lower, pole)
    assert (tip == target).all()
    assert np.allclose(np.linalg.norm(mid - root, axis=-1), upper, rtol=1e-13)
    assert np.allclose(np.linalg.norm(tip - mid, axis=-1), lower, rtol=1e-13)


def test_known_limb_in_both_precisions():
    for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-15)):
        root, target, pole = (np.array(v, dtype=dtype) for v in ([0, 0, 0], [5, 0, 0], [0, 1, 0]))
        mid, tip = ik_two_bone(root, target, dtype(3), dtype(4), pole)
        assert mid.dtype == tip.dtype == dtype
        assert mid == pytest.approx([1.8, 2.4, 0.0], rel=tolerance)
        assert tip.tolist() == [5, 0, 0]


def test_strides_broadcasting_and_in_place_output(rng):
    roots = rng.standard_normal((3, 40)).T  # columns in memory
    targets = rng.standard_normal((80, 3))[::-2]
    expected = ik_two_bone(roots.copy(), targets.copy(), 1.0, 0.8, [0.0, 0.0, 1.0])
    got = ik_two_bone(roots, targets, 1.0, 0.8, [0.0, 0.0, 1.0])
    into = targets.copy()
    ik_two_bone(roots, into, 1.0, 0.8, [0.0, 0.0, 1.0], out=(into, None))
    for a, b in zip(expected, got, strict=True):
        assert (a == b).all()
    assert (into == expected[0]).all()


def test_edge_cases_raise_no_flag():
    zero, x = np.zeros(3), np.array([1.0, 0.0, 0.0])
    with np.errstate(all="raise"):
        for root, target, upper, lower, pole in [
            (zero, zero, 1.0, 1.0, x),
            (zero, zero, 1.0, 2.0, zero),
            (zero, x, 0.0, 0.0, x),
            (zero, x, 0.5, 0.5, x),
            (zero, 1e300 * x, 1e-300, 1e300, x),
            (zero, 1e-310 * x, 1.0, 1.0, 1e-310 * x),
        ]:
            assert np.isfinite(ik_two_bone(root, target, upper, lower, pole)).all()
