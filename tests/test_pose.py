"""Pose: what it keeps of what it was given, how batches are indexed, and what is refused."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import canter as ct


@pytest.fixture
def batch(rng):
    return ct.Pose(rng.standard_normal((4, 3, 22, 4)), rng.standard_normal((4, 3, 22, 3)), rng.uniform(0.5, 2, (4, 3, 22, 3)))


# ---- what it keeps


def test_pose_gives_back_what_it_was_given(rng, random_rotations):
    rotations, translations, scales = random_rotations(5, 22), rng.standard_normal((5, 22, 3)), rng.uniform(0.5, 2, (5, 22, 3))
    poses = ct.Pose(rotations, translations, scales)
    np.testing.assert_allclose(poses.rotations, rotations, atol=1e-7)
    np.testing.assert_array_equal(poses.translations, translations.astype(np.float32))
    np.testing.assert_array_equal(poses.scales, scales.astype(np.float32))
    assert poses.rotations.dtype == np.float32
    assert poses.shape == (5,)
    assert len(poses) == 5
    assert poses.joint_count == 22


def test_what_was_not_given_is_none():
    pose = ct.Pose([(1, 0, 0, 0)])
    assert pose.translations is None
    assert pose.scales is None
    assert ct.Pose([(1, 0, 0, 0)], [(0, 0, 0)]).scales is None
    assert ct.Pose([(1, 0, 0, 0)], None, None).translations is None


def test_rotations_come_out_unit_with_the_sign_they_had():
    pose = ct.Pose([(2, 0, 0, 0), (-3, 0, 0, 0), (0, 1e-20, 0, 0), (1e19, 0, 1e19, 0)])
    half = 0.5**0.5
    np.testing.assert_allclose(pose.rotations, [(1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (half, 0, half, 0)], atol=1e-6)


@given(hnp.arrays(np.float32, st.tuples(st.integers(1, 4), st.integers(1, 20), st.just(4)), elements=st.floats(-10, 10, width=32)))
def test_a_pose_of_the_arrays_of_a_pose_is_the_same_to_the_bit(rotations):
    rotations[np.all(rotations == 0, axis=-1)] = (1, 0, 0, 0)
    pose = ct.Pose(rotations)
    np.testing.assert_allclose(np.linalg.norm(pose.rotations.astype(np.float64), axis=-1), 1, atol=1e-6)
    np.testing.assert_array_equal(ct.Pose(pose.rotations).rotations, pose.rotations)


@pytest.mark.parametrize(
    "make", [list, np.float64, np.float16, np.int64, np.asfortranarray, lambda q: q[::-1][::-1], lambda q: q.astype(">f8")]
)
def test_any_real_numbers_in_any_layout_are_taken(make):
    rotations = np.tile([0.0, 1, 0, 0], (6, 5, 1))
    np.testing.assert_array_equal(ct.Pose(make(rotations)).rotations, rotations)


def test_arrays_of_the_caller_are_copied():
    rotations = np.tile(np.float32([1, 0, 0, 0]), (5, 1))
    pose = ct.Pose(rotations)
    rotations[:] = 7
    assert (pose.rotations == [1, 0, 0, 0]).all()


def test_a_pose_never_changes(batch):
    for array in (batch.rotations, batch.translations, batch.scales, batch[0].rotations):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    for name in ("rotations", "shape", "anything"):
        with pytest.raises(AttributeError):
            setattr(batch, name, None)
    with pytest.raises(TypeError):
        batch[0] = batch[1]


def test_a_view_keeps_its_pose_alive():
    view = ct.Pose(np.tile([0.0, 0, 1, 0], (1000, 22, 1))).rotations
    gc.collect()
    _ = [np.zeros((1000, 22, 4), np.float32) for _ in range(20)]  # would land in the memory if it were free
    assert (view == [0, 0, 1, 0]).all()


@pytest.mark.parametrize(
    ("pose", "text"),
    [
        (ct.Pose(np.ones((22, 4))), "<Pose: 22 joints>"),
        (ct.Pose(np.ones((7, 2, 22, 4))), "<Pose: batch (7, 2), 22 joints>"),
        (ct.Pose(np.ones((22, 4)), np.zeros((22, 3)), np.ones((22, 3))), "<Pose: 22 joints, scales>"),
    ],
)
def test_repr_is_one_line(pose, text):
    assert repr(pose) == text


# ---- batches


@pytest.mark.parametrize(
    "index",
    [
        0,
        -1,
        np.int64(2),
        slice(1, 3),
        slice(None, None, -2),
        (1, 2),
        (slice(None), 0),
        ...,
        (..., 1),
        (2, ...),
        None,
        [2, 0, 2],
        np.arange(4) > 1,
    ],
    ids=str,
)
def test_an_index_reaches_the_batch_and_gives_a_pose(batch, index):
    part = batch[index]
    tail = (slice(None), slice(None))
    whole = index if isinstance(index, tuple) else (index,)
    has_ellipsis = any(i is Ellipsis for i in whole)
    expected = batch.rotations[(*whole, *tail)] if has_ellipsis else batch.rotations[index]
    assert isinstance(part, ct.Pose)
    assert part.shape == expected.shape[:-2]
    np.testing.assert_array_equal(part.rotations, expected)
    assert part.translations.shape == (*part.shape, 22, 3)
    assert part.scales.shape == (*part.shape, 22, 3)


@pytest.mark.parametrize("index", [(0, 0, 0), (..., 0, 0, 0), (slice(None), slice(None), slice(0, 3)), 4, -5, (0, 3)])
def test_an_index_that_misses_the_batch_is_refused(batch, index):
    with pytest.raises(IndexError):
        batch[index]


def test_an_index_into_the_joints_says_where_they_are(batch):
    with pytest.raises(IndexError, match="too many indices: a canter.Pose of 2 batch dimensions; index .rotations for joints"):
        batch[0, 0, 3]
    with pytest.raises(IndexError, match="0 batch dimensions"):
        batch[0, 0][0]


def test_a_batch_can_be_walked(batch):
    assert [row.shape for row in batch] == [(3,)] * 4
    np.testing.assert_array_equal(list(batch)[2].rotations, batch.rotations[2])


def test_a_single_pose_has_no_length(batch):
    with pytest.raises(TypeError, match="a single canter.Pose has no length"):
        len(batch[0, 0])
    with pytest.raises(TypeError, match="a single canter.Pose has no length"):
        iter(batch[0, 0])
    assert batch[0, 0].shape == ()


def test_an_empty_batch_is_fine():
    empty = ct.Pose(np.zeros((0, 22, 4)))
    assert len(empty) == 0
    assert empty.rotations.shape == (0, 22, 4)
    assert list(empty) == []


@pytest.mark.parametrize("index", [[], np.array([], dtype=int), slice(0, 0), np.zeros(4, dtype=bool), (slice(None), [])])
def test_an_index_of_nothing_gives_nothing(batch, index):
    nothing = batch[index]
    assert nothing.shape == batch.rotations[index].shape[:-2]
    assert nothing[..., :0].shape[-1] == 0
    assert nothing.translations.shape == (*nothing.shape, 22, 3)


def test_matrices_of_a_pose_fit_numpy_however_many_dimensions_it_has(make_skeleton):
    skeleton = make_skeleton(2)
    deep = ct.Pose(np.ones((1,) * 61 + (2, 4)))
    assert skeleton.matrices(deep).ndim == 64
    for make in (lambda: ct.Pose(np.ones((1,) * 62 + (2, 4))), lambda: deep[None]):
        with pytest.raises(ValueError, match="62 batch dimensions, at most 61"):
            make()


# ---- copies and pickles


def test_copies_are_the_pose_itself(batch):
    assert copy.copy(batch) is batch
    assert copy.deepcopy(batch) is batch


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_pose_comes_back_to_the_bit(batch, protocol):
    again = pickle.loads(pickle.dumps(batch, protocol))
    assert again.shape == batch.shape
    for name in ("rotations", "translations", "scales"):
        np.testing.assert_array_equal(getattr(again, name), getattr(batch, name))
    with pytest.raises(ValueError, match="read-only"):
        again.rotations[...] = 0


def test_the_rows_pickle_out_of_band(batch):
    buffers: list[pickle.PickleBuffer] = []
    stream = pickle.dumps(batch, 5, buffer_callback=buffers.append)
    assert len(buffers) == 1
    assert len(stream) < 1000
    np.testing.assert_array_equal(pickle.loads(stream, buffers=buffers).scales, batch.scales)


def test_a_pickle_that_was_tampered_with_is_refused(batch):
    restore, (rows, joints) = batch.__reduce_ex__(5)
    for bad in ((rows[..., :-1], joints), (rows[:, :, :9], joints), (rows, joints + 16), (rows, 0), (rows, -1), (rows[0, 0, 0], joints)):
        with pytest.raises(ValueError, match="rows"):
            restore(*bad)


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 0, 0, 0],), ValueError, r"Pose: rotations has shape \(4,\), expected \(..., N, 4\)"),
        (([(1, 0, 0)],), ValueError, r"Pose: rotations has shape \(1, 3\), expected \(..., N, 4\)"),
        ((np.zeros((3, 0, 4)),), ValueError, "Pose: rotations has no joints"),
        (([(1, 0, 0, 0)], [(0, 0, 0, 0)]), ValueError, r"Pose: translations has shape \(1, 4\), expected \(..., N, 3\)"),
        (
            ([(1, 0, 0, 0)], np.zeros((2, 3))),
            ValueError,
            r"translations has shape \(2, 3\), which does not fit rotations of shape \(1, 4\)",
        ),
        (([(1, 0, 0, 0)], np.zeros((1, 1, 3))), ValueError, "does not fit rotations"),
        (([(1, 0, 0, 0)], [(0, 0, 0)], np.zeros((2, 3))), ValueError, r"scales has shape \(2, 3\), which does not fit"),
        (([(1, 0, 0, 0)], None, [(1, 1, 1)]), ValueError, "scales were given without translations"),
        (([(1, 0, 0, 0), (np.nan, 0, 0, 0)],), ValueError, r"Pose: rotations\[1, 0\] is NaN"),
        (([(1, 0, 0, 0)], [(0, np.inf, 0)]), ValueError, r"Pose: translations\[0, 1\] is infinite"),
        ((np.tile([[1.0, 0, 0, 0], [0, 0, 0, 0]], (3, 1, 1)),), ValueError, r"rotation of joint 1 is zero \(pose 0 of the batch\)"),
        ((None,), TypeError, "rotations is None, expected an array"),
        ((["abcd"],), TypeError, "rotations holds .*, expected real numbers"),
        (([(1, 0, 0, 0), (1, 0, 0)],), ValueError, "rotations is not a regular array"),
        (([(1j, 0, 0, 0)],), TypeError, "rotations holds .*complex128.*, expected real numbers"),
        ((), TypeError, "needs rotations"),
        ((1, 2, 3, 4), TypeError, "takes 3 positional arguments, 4 were given"),
    ],
)
def test_what_is_no_pose_is_refused_with_its_place(arguments, error, message):
    with pytest.raises(error, match=message):
        ct.Pose(*arguments)
