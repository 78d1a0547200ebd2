"""Skeleton: what it keeps, what it refuses, and how joints are found in it."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import tracemalloc

import numpy as np
import pytest

import canter as ct

HALF = 0.5**0.5
QUARTER_TURNS = [(HALF, HALF, 0, 0), (HALF, 0, HALF, 0), (HALF, 0, 0, HALF)]


@pytest.fixture
def leg():
    """Hips, knee, ankle; two tips at the ankle."""
    return ct.Skeleton(
        ["Hips", "Knee", "Ankle"],
        [-1, 0, 1],
        [(0, 0.9, 0), (0, -0.4, 0), (0, -0.45, 0)],
        rotations=QUARTER_TURNS,
        tips=[("Ankle", (0, 0, 0.1)), (2, (0, -0.05, -0.02))],
    )


# ---- what it keeps


def test_skeleton_gives_back_its_parts(leg):
    assert leg.names == ("Hips", "Knee", "Ankle")
    assert len(leg) == 3
    assert leg.parents.dtype == np.int32
    assert leg.parents.tolist() == [-1, 0, 1]
    assert leg.offsets.dtype == np.float32
    np.testing.assert_array_equal(leg.offsets, np.float32([(0, 0.9, 0), (0, -0.4, 0), (0, -0.45, 0)]))
    np.testing.assert_allclose(leg.rotations, QUARTER_TURNS, atol=1e-7)
    assert [parent for parent, _ in leg.tips] == [2, 2]
    np.testing.assert_array_equal(leg.tips[1][1], np.float32([0, -0.05, -0.02]))
    assert repr(leg) == "<Skeleton: 3 joints, 2 tips, root 'Hips'>"


def test_without_rotations_and_tips_joints_are_not_turned_and_end_nowhere():
    skeleton = ct.Skeleton(["a"], [-1], [(1, 2, 3)])
    assert skeleton.rotations.tolist() == [[1, 0, 0, 0]]
    assert skeleton.tips == ()
    assert repr(skeleton) == "<Skeleton: 1 joint, 0 tips, root 'a'>"


def test_rest_rotations_come_out_unit():
    skeleton = ct.Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3)), rotations=[(2, 0, 0, 0), (0, 1e-20, 0, 1e-20)])
    np.testing.assert_allclose(skeleton.rotations, [(1, 0, 0, 0), (0, HALF, 0, HALF)], atol=1e-7)


def test_rest_pose_is_rotations_and_offsets(leg):
    assert leg.rest.shape == ()
    np.testing.assert_array_equal(leg.rest.rotations, leg.rotations)
    np.testing.assert_array_equal(leg.rest.translations, leg.offsets)
    assert leg.rest.scales is None


@pytest.mark.parametrize("name", ["a b", "rig:Hips", "x.y", "ヒップ", "JOINT", "", "\udcff\udc80", "é" * 500])
def test_any_text_is_a_name(name):
    skeleton = ct.Skeleton([name], [-1], [(0, 0, 0)])
    assert skeleton.names == (name,)
    assert skeleton.index(name) == 0
    assert len(repr(skeleton)) < 200


def test_several_roots_stand_side_by_side():
    pair = ct.Skeleton(["a", "b", "c"], [-1, -1, 1], np.eye(3))
    assert repr(pair) == "<Skeleton: 3 joints, 0 tips, 2 roots, the first 'a'>"
    assert pair.branch("a").tolist() == [0]
    assert pair.branch("b").tolist() == [1, 2]


def test_arrays_of_the_caller_are_copied():
    parents, offsets = np.array([-1, 0], np.int32), np.ones((2, 3), np.float32)
    skeleton = ct.Skeleton(["a", "b"], parents, offsets)
    parents[:] = 7
    offsets[:] = 7
    assert skeleton.parents.tolist() == [-1, 0]
    assert (skeleton.offsets == 1).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8, ">i4"])
def test_any_integers_are_parents(dtype):
    parents = np.zeros(3, dtype) if dtype == np.uint8 else np.array([-1, 0, 1], dtype)
    if dtype == np.uint8:
        with pytest.raises(ValueError, match="joint 0 .* has parent 0"):
            ct.Skeleton(["a", "b", "c"], parents, np.zeros((3, 3)))
    else:
        assert ct.Skeleton(["a", "b", "c"], parents, np.zeros((3, 3))).parents.tolist() == [-1, 0, 1]


def test_a_thousand_joints_deep():
    chain = ct.Skeleton([f"j{i}" for i in range(1000)], np.arange(1000) - 1, np.tile([0, 1.0, 0], (1000, 1)))
    positions, _ = chain.forward_kinematics(chain.rest)
    assert positions[-1].tolist() == [0, 1000, 0]
    assert len(chain.chain(0, 999)) == 1000


# ---- what it refuses


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["a"], [-1, 0], [(0, 0, 0)]), ValueError, r"Skeleton: parents has shape \(2,\), expected \(1,\)"),
        ((["a"], [[-1]], [(0, 0, 0)]), ValueError, r"parents has shape \(1, 1\), expected \(1,\)"),
        ((["a"], [-1], [0, 0, 0]), ValueError, r"offsets has shape \(3,\), expected \(1, 3\)"),
        ((["a", "b"], [-1, 0], np.zeros((2, 4))), ValueError, r"offsets has shape \(2, 4\), expected \(2, 3\)"),
        ((["a"], [-1.0], [(0, 0, 0)]), TypeError, "parents holds .*float64.*, expected integers"),
        ((["a"], [2**40], [(0, 0, 0)]), ValueError, "parents holds integers beyond 32 bits"),
        ((["a"], [-1], [("x", 0, 0)]), TypeError, "offsets holds .*, expected real numbers"),
        ((["a"], [-1], [(1j, 0, 0)]), TypeError, "offsets holds .*, expected real numbers"),
        (([], [], np.zeros((0, 3))), ValueError, "at least one joint"),
        (("ab", [-1, 0], np.zeros((2, 3))), TypeError, "names is str, expected a sequence of str"),
        ((5, [-1], [(0, 0, 0)]), TypeError, "names is int, expected a sequence of str"),
        ((["a", b"b"], [-1, 0], np.zeros((2, 3))), TypeError, r"names\[1\] is b'b', expected a str"),
        ((["a\0b"], [-1], [(0, 0, 0)]), ValueError, "joint 0 has a NUL character"),
        ((["a", "b"], [-1, 1], np.zeros((2, 3))), ValueError, r"joint 1 \('b'\) has parent 1; a parent comes before its joint"),
        ((["a", "b"], [1, -1], np.zeros((2, 3))), ValueError, r"joint 0 \('a'\) has parent 1"),
        ((["a", "b"], [-1, -2], np.zeros((2, 3))), ValueError, r"joint 1 \('b'\) has parent -2"),
        ((["a", "b"], [-1, 0], [(0, 0, 0), (0, np.nan, 0)]), ValueError, r"offset of joint 1 \('b'\) is not finite"),
    ],
)
def test_what_is_no_skeleton_is_refused_with_its_place(arguments, error, message):
    with pytest.raises(error, match=message):
        ct.Skeleton(*arguments)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rotations": [(1, 0, 0)]}, ValueError, r"rotations has shape \(1, 3\), expected \(1, 4\)"),
        ({"rotations": [(0, 0, 0, 0)]}, ValueError, r"rotation of joint 0 \('Hips'\) is zero"),
        ({"rotations": [(np.inf, 0, 0, 0)]}, ValueError, r"rotation of joint 0 \('Hips'\) is not finite"),
        ({"tips": 3}, TypeError, "tips is int, expected a sequence of pairs"),
        ({"tips": [3]}, TypeError, r"tips\[0\] is int, expected a pair"),
        ({"tips": [(0, (0, 0, 0), 1)]}, ValueError, r"tips\[0\] has 3 parts, expected a pair"),
        ({"tips": [(0, (0, 0))]}, ValueError, r"tips\[0\] has shape \(2,\), expected \(3,\)"),
        ({"tips": [(0, (0, 0, 0)), (1, (0, 0, 0))]}, IndexError, r"tips\[1\]: parent is 1, expected 0 to 0"),
        ({"tips": [("Hip", (0, 0, 0))]}, IndexError, r"tips\[0\]: no joint 'Hip'; near names: 'Hips'"),
        ({"tips": [(0, (0, 0, np.inf))]}, ValueError, "offset of tip 0 .* is not finite"),
        ({"tip": []}, TypeError, "no argument 'tip'"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_their_place(options, error, message):
    with pytest.raises(error, match=message):
        ct.Skeleton(["Hips"], [-1], [(0, 0, 0)], **options)


def test_a_skeleton_never_changes(leg):
    for array in (leg.parents, leg.offsets, leg.rotations, leg.inverse_bind, leg.tips[0][1], leg.rest.rotations):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    for name in ("names", "offsets", "anything"):
        with pytest.raises(AttributeError):
            setattr(leg, name, ())
    with pytest.raises(TypeError):
        ct.Skeleton.index = None
    with pytest.raises(TypeError):
        type("Child", (ct.Skeleton,), {})


# ---- joints by name and index


def test_joint_is_found_by_name_and_by_index(leg):
    assert leg.index("Ankle") == 2
    assert leg.index(2) == 2
    assert leg.index(np.int64(1)) == 1
    assert isinstance(leg.index(np.int64(1)), int)


def test_a_name_that_is_not_there_lists_near_ones(make_skeleton):
    with pytest.raises(IndexError, match=r"Skeleton.index: no joint 'Leftshoulder'; near names: 'LeftShoulder'.*65 joints"):
        make_skeleton().index("Leftshoulder")
    cmu = ct.Skeleton(["Hips", "LeftArm", "LShldr", "RightFoot"], [-1, 0, 0, 0], np.zeros((4, 3)))
    with pytest.raises(IndexError, match="'LeftArm'"):
        cmu.branch("LeftShoulder")


def test_a_name_that_repeats_lists_its_indices():
    twins = ct.Skeleton(["root", "hand", "hand"], [-1, 0, 0], np.zeros((3, 3)))
    with pytest.raises(IndexError, match="1, 2|1 and 2"):
        twins.index("hand")
    assert twins.branch(2).tolist() == [2]


@pytest.mark.parametrize("index", [3, -1, 2**70, -(2**70)])
def test_an_index_that_is_not_there_says_what_is(leg, index):
    with pytest.raises(IndexError, match=f"Skeleton.chain: tip is {index}, expected 0 to 2"):
        leg.chain(0, index)


@pytest.mark.parametrize("value", [1.0, None, True, b"Hips", [0]])
def test_what_is_neither_name_nor_index_is_refused(leg, value):
    with pytest.raises(TypeError, match="expected the name or the index of a joint"):
        leg.index(value)


def test_chain_goes_from_the_root_down(make_skeleton):
    humanoid = make_skeleton(22)
    names = [humanoid.names[j] for j in humanoid.chain("Hips", "LeftFoot")]
    assert names == ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"]
    assert humanoid.chain("Head", "Head").tolist() == [humanoid.index("Head")]
    with pytest.raises(ValueError, match=r"'LeftFoot'\) is not above joint .*'Head'"):
        humanoid.chain("LeftFoot", "Head")


def test_branch_is_a_joint_and_everything_below(make_skeleton):
    humanoid = make_skeleton(65)
    assert humanoid.branch("Hips").tolist() == list(range(65))
    names = {humanoid.names[j] for j in humanoid.branch("LeftForeArm")}
    assert names == {name for name in humanoid.names if name.startswith("LeftHand") or name == "LeftForeArm"}


def test_children_hang_directly_below(leg, make_skeleton):
    humanoid = make_skeleton(22)
    assert [humanoid.names[j] for j in humanoid.children("Spine2")] == ["Neck", "LeftShoulder", "RightShoulder"]
    assert leg.children("Ankle").tolist() == []
    assert leg.children("Ankle").dtype == np.int32


def test_mask_covers_a_branch_and_rises_over_its_first_joints(make_skeleton):
    humanoid = make_skeleton(65)
    mask = humanoid.mask("LeftArm", depth=3, weight=0.6)
    assert mask.dtype == np.float32
    assert set(np.flatnonzero(mask)) == set(humanoid.branch("LeftArm"))
    chain = humanoid.chain("LeftArm", "LeftHandIndex4")
    np.testing.assert_allclose(mask[chain], [0.2, 0.4, 0.6, 0.6, 0.6, 0.6, 0.6], rtol=1e-6)
    np.testing.assert_array_equal(humanoid.mask("Hips"), np.ones(65))
    np.testing.assert_array_equal(humanoid.mask("Spine", depth=3)[[0, 1, 2, 3]], np.float32([0, 1 / 3, 2 / 3, 1]))
    mask[:] = 1  # the caller's own


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"depth": -1}, ValueError, "depth is -1, expected 0 or more"),
        ({"depth": 1.5}, TypeError, "depth is 1.5, expected an integer"),
        ({"weight": np.nan}, ValueError, "weight is nan, expected a finite number"),
        ({"weight": "1"}, TypeError, "weight is '1', expected a number"),
        ({"width": 1}, TypeError, "no argument 'width'; it has joint, depth, weight"),
    ],
)
def test_mask_refuses_options_that_make_no_sense(leg, options, error, message):
    with pytest.raises(error, match=message):
        leg.mask("Hips", **options)


def test_left_and_right_are_partners_by_name(make_skeleton):
    humanoid = make_skeleton(65)
    partners = humanoid.mirror_map()
    for joint, partner in enumerate(partners):
        name = humanoid.names[joint]
        swapped = name.replace("Left", "*").replace("Right", "Left").replace("*", "Right")
        assert humanoid.names[partner] == swapped
    np.testing.assert_array_equal(partners[partners], np.arange(65))


def test_partners_may_be_told(leg, make_skeleton):
    twins = ct.Skeleton(["root", "port", "starboard", "bow"], [-1, 0, 0, 0], np.zeros((4, 3)))
    assert twins.mirror_map().tolist() == [0, 1, 2, 3]
    for pairs in ([("port", "starboard")], [(1, "starboard")], [[2, 1]], np.array([[1, 2]]), np.array([0, 2, 1, 3])):
        assert twins.mirror_map(pairs=pairs).tolist() == [0, 2, 1, 3]
    assert make_skeleton(22).mirror_map(pairs=[]).tolist() == list(range(22))


@pytest.mark.parametrize(
    ("pairs", "error", "message"),
    [
        ([("Hips", "Nose")], IndexError, r"Skeleton.mirror_map: pairs\[0\]: no joint 'Nose'"),
        ([(0, 3)], IndexError, r"pairs\[0\]: joint is 3, expected 0 to 2"),
        ([(0, 1, 2)], ValueError, r"pairs\[0\] has 3 parts, expected two joints"),
        (["ab"], TypeError, r"pairs\[0\] is str, expected two joints"),
        ("ab", TypeError, "pairs is str, expected a sequence of pairs"),
        (5, TypeError, "pairs is int, expected a sequence of pairs"),
        ([(0, 1), (1, 2)], ValueError, r"pairs\[1\] has joint 1 'Knee' twice"),
        ([("Hips", "Knee")], ValueError, "parents don't map to each other"),
        (np.array([0, 2, 0]), ValueError, "partners map to each other"),
        (np.array([0, 1]), ValueError, r"pairs has shape \(2,\), expected \(3,\)"),
        (np.array([0, 1, 9]), IndexError, "maps to 9; there are 3 joints"),
    ],
)
def test_partners_that_cannot_be_are_refused(leg, pairs, error, message):
    with pytest.raises(error, match=message):
        leg.mirror_map(pairs=pairs)


# ---- equality, copies, pickles, threads


def parts(**changes):
    base = {
        "names": ["a", "b"],
        "parents": [-1, 0],
        "offsets": [(0, 1, 0), (0, 1, 0)],
        "rotations": [(1, 0, 0, 0), (1, 0, 0, 0)],
        "tips": [(1, (0, 0, 1))],
    }
    return ct.Skeleton(**(base | changes))


def test_skeletons_of_the_same_parts_are_one_key():
    assert parts() == parts()
    assert hash(parts()) == hash(parts())
    assert {parts(): "found"}[parts()] == "found"


@pytest.mark.parametrize(
    "changes",
    [
        {"names": ["a", "c"]},
        {"parents": [-1, -1]},
        {"offsets": [(0, 1, 0), (0, 1, 1e-7)]},
        {"rotations": [(1, 0, 0, 0), (0, 1, 0, 0)]},
        {"tips": None},
        {"tips": [(0, (0, 0, 1))]},
        {"tips": [(1, (0, 0, 2))]},
    ],
)
def test_a_skeleton_that_differs_in_one_part_is_another(changes):
    assert parts() != parts(**changes)


def test_a_skeleton_equals_no_other_thing(leg):
    assert leg != "leg"
    assert leg != leg.rest
    with pytest.raises(TypeError):
        _ = leg < leg


def test_copies_are_the_skeleton_itself(leg):
    assert copy.copy(leg) is leg
    assert copy.deepcopy(leg) is leg
    assert copy.deepcopy([leg])[0] is leg


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_skeleton_equals_itself_to_the_bit(rng, random_rotations, protocol):
    skeleton = ct.Skeleton(
        [f"j{i}" for i in range(50)],
        np.arange(50) - 1,
        rng.standard_normal((50, 3)),
        rotations=random_rotations(50) * 3,
        tips=[(49, (1, 2, 3)), ("j7", (0.1, 0.2, 0.3))],
    )
    again = pickle.loads(pickle.dumps(skeleton, protocol))
    assert again == skeleton
    assert hash(again) == hash(skeleton)
    np.testing.assert_array_equal(again.inverse_bind, skeleton.inverse_bind)


def test_arrays_pickle_out_of_band(make_skeleton):
    skeleton = make_skeleton(65)
    buffers: list[pickle.PickleBuffer] = []
    stream = pickle.dumps(skeleton, 5, buffer_callback=buffers.append)
    assert len(buffers) >= 3
    assert {65 * 4, 65 * 12, 65 * 16} <= {buffer.raw().nbytes for buffer in buffers}
    assert pickle.loads(stream, buffers=buffers) == skeleton


def test_a_pickle_that_was_tampered_with_is_refused(leg):
    restore, arguments = leg.__reduce_ex__(5)
    names, parents, *others = arguments
    with pytest.raises(ValueError, match="parents has shape"):
        restore(names, parents[:2], *others)
    with pytest.raises(TypeError, match="takes 6 arguments"):
        restore(names)


def test_a_view_keeps_its_skeleton_alive():
    offsets = ct.Skeleton(["a"] * 500, np.arange(500) - 1, np.full((500, 3), 7.0)).offsets
    gc.collect()
    _ = [np.zeros((500, 3)) for _ in range(50)]  # would land in the memory if it were free
    assert (offsets == 7).all()


def test_skeletons_leave_nothing_behind():
    names, parents, offsets = ["joint"] * 500, np.arange(500) - 1, np.ones((500, 3))

    def churn():
        for _ in range(10):
            skeleton = ct.Skeleton(names, parents, offsets, tips=[(0, (0, 0, 1))])
            _ = (skeleton.offsets, skeleton.rest, skeleton.mask(0), skeleton.chain(0, 1), skeleton.tip_positions(skeleton.rest))
            pickle.loads(pickle.dumps(skeleton))
            with pytest.raises(IndexError):
                skeleton.index("missing")
            with pytest.raises(ValueError, match="parent"):
                ct.Skeleton(names, parents[::-1], offsets)
            with pytest.raises(IndexError):
                ct.Skeleton(names, parents, offsets, tips=[(0, (0, 0, 1)), ("missing", (0, 0, 0))])
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        churn()
        growth = -churn() + churn()
    finally:
        tracemalloc.stop()
    assert growth < 20_000  # one skeleton of 500 joints takes more


def test_threads_share_a_skeleton(make_skeleton, random_rotations):
    skeleton = make_skeleton(65)
    pose = ct.Pose(random_rotations(200, 65))
    expected = skeleton.matrices(pose)
    barrier = threading.Barrier(4)
    wrong: list[str] = []

    def work():
        barrier.wait()
        for _ in range(10):
            if not (skeleton.matrices(pose) == expected).all() or skeleton.index("Head") != 5:
                wrong.append("a thread got something else")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
