"""Bad input is refused by an honest exception, and nothing that a caller does to arrays or pickles harms what is immutable."""

import collections
import contextlib
import errno
import gc
import io
import os
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import canter as ct
from canter import _core
from public_calls import BVH


@pytest.fixture
def skeleton():
    offsets = [(0, 1, 0), (0.1, -0.5, 0), (-0.1, -0.5, 0)]
    return ct.Skeleton(["Hips", "LeftLeg", "RightLeg"], [-1, 0, 0], offsets, tips=[(1, (0, -0.4, 0.1))])


@pytest.fixture
def clip(skeleton, random_rotations):
    return ct.Clip(skeleton, random_rotations(9, 3), fps=30, markers={"step": [0.1, 0.2]})


@pytest.fixture
def curved():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ct.CanterWarning)
        return ct.load_bvh(io.BytesIO(BVH))


# ---------------------------------------------------------------------------------------------------------------- what is immutable


def handed_out(skeleton, clip, curved):
    """Every array that can be had of an immutable object."""
    motion, velocity = clip.root_motion(), clip.velocities()
    yield from (skeleton.parents, skeleton.offsets, skeleton.rotations, skeleton.inverse_bind, skeleton.tips[0][1])
    yield from (clip.rotations, clip.translations, clip.markers["step"], *curved.curves.values())
    yield from (skeleton.rest.rotations, clip.poses.rotations, clip[2].translations, velocity.angular, velocity.linear)
    line, plane = ct.BlendSpace1D([0, 1]), ct.BlendSpace2D([(0, 0), (1, 0), (0, 1)], method="delaunay")
    layer = ct.Layer(clip, mask=[0.5] * len(skeleton.names))
    yield from (motion.positions, motion.headings, line.positions, plane.points, plane.triangles, layer.mask)
    for thing in (skeleton, clip, curved, clip.poses, clip[2], velocity, motion, line, plane):
        for part in thing.__reduce_ex__(5)[1]:
            yield from (a for a in (part.values() if isinstance(part, dict) else [part]) if isinstance(a, np.ndarray))


def test_no_array_of_an_immutable_object_can_be_made_writeable(skeleton, clip, curved):
    arrays = list(handed_out(skeleton, clip, curved))
    assert len(arrays) > 25
    for array in arrays:
        while isinstance(array, np.ndarray):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
            array = array.base
        with pytest.raises((TypeError, BufferError)):
            memoryview(array).cast("B")[0] = 1


def test_an_array_that_is_given_another_shape_or_dtype_in_place_is_a_view_of_its_own(skeleton, clip, curved):
    expected = clip[3:].markers["step"], skeleton.palette(clip), curved[1:].curves["Knee.Smile"]
    for array in handed_out(skeleton, clip, curved):
        if array.flags.c_contiguous:
            array.shape = (-1,)
            array.dtype = np.int8
    for before, after in zip(expected, (clip[3:].markers["step"], skeleton.palette(clip), curved[1:].curves["Knee.Smile"]), strict=True):
        np.testing.assert_array_equal(before, after)


class Meddler:
    """Writes into the dict behind a mapping proxy, which comes out when the other side is asked whether both are equal."""

    def __eq__(self, other):
        other["meddled"] = 5
        return True

    __hash__ = object.__hash__


def test_labels_of_a_clip_can_not_be_reached_around_their_proxies(clip, curved):
    assert clip.markers == Meddler()
    assert curved.curves == Meddler()
    for part in (*clip.__reduce_ex__(5)[1], *curved.__reduce_ex__(5)[1]):
        if isinstance(part, dict):
            part["meddled"] = 5
    assert list(clip[1:].markers) == ["step"]
    assert list(curved[1:].curves) == ["Knee.Smile"]


def test_views_outlive_their_owners(skeleton, clip, curved):
    arrays = list(handed_out(skeleton, clip, curved))
    expected = [array.copy() for array in arrays]
    del skeleton, clip, curved
    gc.collect()
    dust = [np.full(size, 7, np.uint8) for size in range(64, 8192, 64)]  # takes the place of what was freed
    for array, numbers in zip(arrays, expected, strict=True):
        np.testing.assert_array_equal(array, numbers)
    del dust


def test_a_source_is_nothing_but_a_source(clip):
    with pytest.raises(TypeError, match="source is list, expected a canter.Source or None"):
        clip.replace(source=[clip])
    with pytest.raises(TypeError, match="name is 5"):  # the first fault is told
        clip.replace(name=5, source=[clip])


# ------------------------------------------------------------------------------------------------------------- what pickles may hold


ROWS = np.zeros((4, 16), np.float32)
PLACES = np.zeros((2, 4))
NOWHERE = (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "state",
    [(5, 1), (ROWS[:, :15], 1), (ROWS, 0), (ROWS, -1), (ROWS, 17), (ROWS, 2**40), (ROWS[:0], 1), (ROWS[0], 1), (ROWS, "1"), (ROWS,), ()],
)
def test_rows_that_are_no_pose_are_refused(state):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        ct.Pose._from_rows(*state)


def test_the_padding_of_rows_does_not_come_from_a_pickle(skeleton):
    rows = np.full((7, 16), np.nan, np.float32)
    rows[:, :3] = np.array([1, 0, 0, 0, 0, 0, 0])[:, None]
    pose = ct.Pose._from_rows(rows, 3)
    assert np.isfinite(pose.__reduce_ex__(5)[1][0]).all()


@pytest.mark.parametrize(
    "change",
    [
        {0: PLACES[:0]},
        {0: PLACES * np.nan},
        {1: 0.0},
        {1: np.nan},
        {1: np.inf},
        {1: 1e308},
        {3: 0},
        {3: 3},
        {3: -1},
        {2: 0, 3: 2},
        {4: -1},
        {5: 6},
        {5: -1},
        {6: (0.0, np.nan, 0.0, 0.0)},
    ],
    ids=str,
)
def test_parts_that_are_no_root_motion_are_refused(change):
    parts = [PLACES, 0.1, 1, 2, 0, 2, NOWHERE]
    ct.RootMotion._restore(*parts).at([-1e300, 0.05, 1e300])
    for index, value in change.items():
        parts[index] = value
    with pytest.raises(ValueError, match="RootMotion"):
        ct.RootMotion._restore(*parts)


@pytest.mark.parametrize(
    ("index", "value"),
    [(0, 5), (1, np.zeros((9, 7, 32))), (1, np.zeros((9, 8, 16))), (2, 0.0), (2, "x"), (2, 1e308), (3, 1), (4, 5), (5, {"m": [9.0]})]
    + [(5, 5), (6, [5]), (7, {"c": [1.0]}), (8, 5)],
)
def test_parts_that_are_no_clip_are_refused(clip, index, value):
    parts = list(clip.__reduce_ex__(5)[1])
    parts[index] = value
    with pytest.raises((ValueError, TypeError), match="^Clip: "):
        ct.Clip._restore(*parts)


# ------------------------------------------------------------------------------------------------------ arrays that change meanwhile


class Flattener:
    """Asked for its numbers, gives another array another shape."""

    def __init__(self, other, numbers):
        self.other, self.numbers = other, numbers

    def __array__(self, dtype=None, copy=None):
        self.other.shape = (-1,)
        return self.numbers


def test_an_argument_may_reshape_another_while_it_is_converted(skeleton, random_rotations):
    rotations = random_rotations(5, 3).astype(np.float32)
    pose = ct.Pose(rotations, Flattener(rotations, np.zeros((5, 3, 3))))
    assert pose.rotations.shape == (5, 3, 4)
    rotations.shape = (5, 3, 4)
    clip = ct.Clip(skeleton, rotations, Flattener(rotations, np.zeros((5, 3, 3))), fps=30)
    assert clip.rotations.shape == (5, 3, 4)


def test_indices_that_another_thread_changes_after_they_were_checked_do_no_harm(skeleton):
    vertices, weights = np.zeros((20_000, 3), np.float32), np.ones((20_000, 1), np.float32)
    joints = np.zeros((20_000, 1), np.int32)
    palette = np.tile(np.eye(4, dtype=np.float32), (8, 3, 1, 1))
    done = threading.Event()

    def meddle():
        while not done.is_set():
            joints[:] = 2**30  # far outside any memory
            joints[:] = 0

    thread = threading.Thread(target=meddle)
    thread.start()
    try:
        for _ in range(60):
            with contextlib.suppress(IndexError):
                ct.skin(vertices, joints, weights, palette)
    finally:
        done.set()
        thread.join()


# ------------------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    "value", [30 + 0j, np.complex64(30), np.array([30.0]), np.array("30"), "30", b"30", None, [30], object()], ids=repr
)
def test_what_is_no_real_number_is_no_rate(clip, value):
    with pytest.raises(TypeError, match="Clip.resample: fps is .*, expected a number"):
        clip.resample(value)


def test_a_number_may_be_an_array_without_dimensions(clip):
    assert clip.resample(np.array(15.0)).fps == 15


@pytest.mark.parametrize("value", [10**400, np.inf, -np.inf, np.nan, 0, -0.0, -30, 1e-320])
def test_rates_that_no_clip_can_have_are_value_errors(clip, value):
    with pytest.raises(ValueError, match=r"^Clip\.resample: "):
        clip.resample(value)


@pytest.mark.parametrize("frame_time", [1e-320, 1e308, 5e-324])
def test_a_clip_lasts_a_finite_time_at_a_finite_rate(skeleton, clip, frame_time):
    with pytest.raises(ValueError, match="frame time is too"):
        ct.Clip(skeleton, clip.rotations, frame_time=frame_time)
    with pytest.raises(ValueError, match="frame time is too"):
        clip.replace(frame_time=frame_time)
    with pytest.raises(ValueError, match=r"walk\.bvh:18:13: (Frame Time is|the frame time is too long)"):
        _core.read_bvh(BVH.replace(b"0.033333", b"%a" % frame_time), "walk.bvh")


@pytest.mark.filterwarnings("error")
def test_numbers_beyond_float32_are_refused_without_numpy_s_warning(skeleton):
    with pytest.raises(ValueError, match="Pose: translations has 9 numbers beyond the range of float32"):
        ct.Pose(np.tile([1.0, 0, 0, 0], (3, 1)), np.full((3, 3), 1e300))
    with pytest.raises(ValueError, match="Skeleton: offsets has 3 numbers beyond"):
        ct.Skeleton(["a"], [-1], [(1e39, -1e39, 1e39)])


@pytest.mark.parametrize("value", [True, False, 1.0, "2", None, np.array([2]), 2 + 0j], ids=repr)
def test_workers_is_an_integer(clip, value):
    with pytest.raises(TypeError, match="workers is .*, expected an integer"):
        clip.global_positions(workers=value)


@pytest.mark.parametrize("value", [0, -2, -(10**30)])
def test_a_number_of_workers_that_can_not_be_is_told_as_given(clip, value):
    with pytest.raises(ValueError, match=f"workers is {value}, expected 1 or more"):
        clip.global_positions(workers=value)


@pytest.mark.parametrize("frame", [9, -10, 10**30, -(10**30)])
def test_a_frame_that_is_not_there_is_told_as_given(clip, frame):
    with pytest.raises(IndexError, match=f"frame {frame} of a clip of 9 frames"):
        clip[frame]


class Raises:
    def __init__(self, error):
        self.error = error

    def raise_it(self, *_, **__):
        raise self.error

    __index__ = __float__ = __array__ = __fspath__ = raise_it


class Odd(BaseException):
    pass


@pytest.mark.parametrize("error", [Odd, KeyError, ValueError, MemoryError, KeyboardInterrupt])
def test_what_an_argument_raises_is_passed_on(clip, error):
    odd = Raises(error("mine"))
    for call in (
        lambda: clip.global_positions(workers=odd),
        lambda: clip.skeleton.mask(0, depth=odd),
        lambda: clip.resample(odd),
        lambda: clip.sample(odd),
        lambda: clip[odd],
        lambda: ct.Pose(odd),
        lambda: ct.load_bvh(odd),
    ):
        with pytest.raises(error, match="mine"):
            call()


# --------------------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("make", [dict, collections.OrderedDict, collections.UserDict, collections.ChainMap], ids=lambda m: m.__name__)
def test_markers_are_any_mapping(skeleton, clip, make):
    assert list(ct.Clip(skeleton, clip.rotations, fps=30, markers=make({"step": [0.1]})).markers) == ["step"]


@pytest.mark.parametrize("name", ["", "\0", "\udc80", "x" * 100_000, "links\n"])
def test_a_marker_has_any_name(skeleton, clip, name):
    assert list(ct.Clip(skeleton, clip.rotations, fps=30, markers={name: [0.1]}).markers) == [name]
    with pytest.raises(ValueError, match="outside the clip"):
        clip.replace(markers={name: [99.0]})


def test_a_lone_surrogate_is_no_name_of_a_joint(skeleton):
    with pytest.raises(ValueError, match=r"names\[1\] is 'b\\ud800', which has a lone surrogate"):
        ct.Skeleton(["a", "b\ud800"], [-1, 0], np.zeros((2, 3)))
    with pytest.raises(IndexError, match=r"no joint 'b\\ud800'"):
        skeleton.index("b\ud800")
    escaped = ct.Skeleton(["b\udce9"], [-1], np.zeros((1, 3)))  # a byte of a file that is no UTF-8
    assert escaped.index("b\udce9") == 0


# --------------------------------------------------------------------------------------------------------------------------- files


def test_a_file_that_is_cut_anywhere_is_read_or_refused():
    for end in range(len(BVH)):
        for strict in (False, True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ct.CanterWarning)
                try:
                    clip = ct.load_bvh(io.BytesIO(BVH[:end]), strict=strict)
                except ValueError as error:
                    assert str(error).startswith("<file>:")
                else:
                    assert np.isfinite(clip.translations).all()


def test_a_file_with_any_byte_changed_is_read_or_refused(rng):
    for at in range(len(BVH)):
        changed = bytearray(BVH)
        changed[at] ^= int(rng.integers(1, 256))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ct.CanterWarning)
            try:
                ct.load_bvh(io.BytesIO(bytes(changed)))
            except ValueError as error:
                assert str(error).startswith("<file>:")


def test_many_channels_of_one_name_take_no_longer_than_others():
    count = 8000
    text = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS %d %b }\nMOTION\nFrames: 1\nFrame Time: 1\n%b\n" % (
        count,
        b"A " * count,
        b"1 " * count,
    )
    start = time.thread_time()
    clip, _ = _core.read_bvh(text, "a.bvh")
    assert time.thread_time() - start < 5  # a minute, when each looks for its own number from 2 on
    assert list(clip.curves)[:3] == ["a.A", "a.A 2", "a.A 3"]
    assert len(clip.curves) == count


def test_many_joints_know_their_own_curves():
    joints = b"".join(b"ROOT j%d { OFFSET 0 0 0 CHANNELS 2 Xrotation C%d }\n" % (i, i) for i in range(300))
    _, facts = _core.read_bvh(b"HIERARCHY\n" + joints + b"MOTION\nFrames: 0\nFrame Time: 1\n", "a.bvh")
    assert facts["channels"] == tuple(("Xrotation", f"C{i}") for i in range(300))


@pytest.mark.parametrize("path", [5, None, b"walk.bvh", 2.5, ["walk.bvh"], object()], ids=repr)
def test_what_is_no_path_is_a_type_error(clip, path):
    for call in (ct.load_bvh, ct.load, lambda path: ct.save_bvh(clip, path), lambda path: ct.save(clip, path)):
        with pytest.raises(TypeError, match="expected"):
            call(path)


@pytest.mark.parametrize("rename", ["Hips", 5, [("Hips", "Root")]], ids=repr)
def test_names_come_from_a_mapping_or_a_callable(rename):
    with pytest.raises(TypeError, match="load_bvh: rename is .*, expected a mapping of names or a callable"):
        ct.load_bvh(io.BytesIO(BVH), rename=rename)


@pytest.mark.parametrize("layout", [5, None, [5], ["Zrotation"], [["Zrotation", 5], []]], ids=repr)
def test_a_layout_is_made_of_names(curved, layout):
    with pytest.raises(TypeError, match="save_bvh: layout is .*, expected 'source', 'default' or the names"):
        ct.save_bvh(curved, io.BytesIO(), layout=layout)


def test_options_that_a_format_has_not_are_refused_in_its_own_name(tmp_path):
    with pytest.raises(TypeError, match=r"^load_bvh\(\) .*'stict'"):
        ct.load(tmp_path / "walk.bvh", stict=True)


def test_a_file_that_fails_half_way_is_not_begun_again(curved):
    pieces = []

    class Disk:
        def write(self, piece):
            pieces.append(bytes(piece))
            raise ValueError("I/O operation on closed file")

    with pytest.raises(ValueError, match="closed file"):
        ct.save_bvh(curved, Disk())
    assert len(pieces) == 1


def test_errors_of_saving_name_the_file_that_was_meant(curved, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        ct.save(curved, tmp_path / "missing" / "walk.bvh")
    assert caught.value.filename == str(tmp_path / "missing" / "walk.bvh")
    longest = tmp_path / ("w" * (os.pathconf(tmp_path, "PC_NAME_MAX") - 4) + ".bvh")
    ct.save(curved, longest)
    assert os.listdir(tmp_path) == [longest.name]


def test_a_file_that_must_not_be_written_stays_as_it_is(curved, tmp_path, monkeypatch):
    path = tmp_path / "walk.bvh"
    path.write_bytes(b"kept")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)  # root may write anything
    with pytest.raises(PermissionError) as caught:
        ct.save(curved, path)
    assert (caught.value.errno, caught.value.filename) == (errno.EACCES, str(path))
    assert path.read_bytes() == b"kept"
    assert os.listdir(tmp_path) == ["walk.bvh"]


def test_a_clip_is_saved_over_the_file_that_it_is_read_from(curved, tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_bytes(BVH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ct.CanterWarning)
        for _ in range(3):
            ct.save(ct.load(path), path)
        clip = ct.load(path)
    np.testing.assert_allclose(clip.translations, curved.translations, atol=1e-5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_clip_is_read_from_a_pipe(curved, tmp_path):
    path = tmp_path / "pipe.bvh"
    os.mkfifo(path)
    thread = threading.Thread(target=path.write_bytes, args=(BVH,))
    thread.start()
    with pytest.warns(ct.CanterWarning):
        clip = ct.load(path)
    thread.join()
    np.testing.assert_array_equal(clip.rotations, curved.rotations)


def test_a_warning_that_is_an_error_leaves_nothing_behind(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_bytes(BVH)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ct.CanterWarning)
        for _ in range(3):
            with pytest.raises(ct.CanterWarning, match=r"walk\.bvh was read with"):
                ct.load(path)
    assert sys.exc_info() == (None, None, None)


def test_the_name_in_messages_is_a_text():
    with pytest.raises(TypeError, match="load_bvh: file is 5, expected a str"):
        _core.read_bvh(b"", 5)


# ------------------------------------------------------------------------------------------------- examples, pictures, players

NO_NUMBERS = [None, "1", b"1", [1.0], {}, 1j, np.array([0.7]), object()]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda v: type(v).__name__)
def test_what_is_no_number_is_told_by_the_name_of_its_option(value):
    for name in (
        "walk",
        "run",
        "turn_left",
        "strafe_left",
        "start",
        "stop",
        "idle",
        "jump",
        "turn_in_place",
        "wave",
        "lean",
        "clips",
        "humanoid",
    ):
        maker = getattr(ct.examples, name)
        for option, wanted in maker.__annotations__.items():
            if wanted in ("float", "int"):
                with pytest.raises(TypeError, match=rf"^examples\.{name}: {option} is .*, expected (a number|an integer)"):
                    maker(**{option: value})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 10**400], ids=["nan", "inf", "-inf", "huge"])
@pytest.mark.filterwarnings("error")
def test_numbers_without_end_are_told_before_any_work(value):
    for name in ("walk", "start", "stop", "idle", "jump", "turn_in_place", "reload"):
        maker = getattr(ct.examples, name)
        for option, wanted in maker.__annotations__.items():
            if wanted == "float":
                with pytest.raises(ValueError, match=rf"^examples\.{name}: {option} is .*, expected a finite number"):
                    maker(**{option: value})


@pytest.mark.parametrize("value", [0.7, np.float32(0.7), np.array(0.7), np.float16(0.7)], ids=lambda v: type(v).__name__)
def test_numbers_of_numpy_are_numbers(value):
    assert ct.examples.walk(speed=value, fps=10).name == "walk"
    with pytest.raises(ValueError, match="fps is 0.0"):
        ct.examples.walk(fps=value * 0)


def test_clips_that_no_memory_holds_are_told_before_any_work():
    with pytest.raises(ValueError, match="1e[+]12 s at 60 fps are 6e[+]13 frames, expected at most 1,000,000"):
        ct.examples.idle(cycle=1e12)
    with pytest.raises(ValueError, match="at 60 fps at most 16,666"):
        ct.examples.walk(cycles=10**9)
    with pytest.raises(ValueError, match="angle is 90, expected radians, ten turns at most"):
        ct.examples.turn_in_place(angle=90.0)


def test_options_of_a_player_are_told_by_name(clip):
    for option, value, message in (
        ("unit", 5, "unit is 5, expected a str"),
        ("unit", "\ud800", "unit is .*, which has a lone surrogate"),
        ("speed", "fast", "speed is 'fast', expected a number"),
        ("speed", "1", "speed is '1', expected a number"),
        ("ground", [], r"ground is \[\], expected a number"),
        ("height", "x", "height is 'x', expected an integer"),
        ("height", 300.5, "height is 300.5, expected an integer"),
        ("up", 5, "up is 5, expected a str"),
        ("view", None, "view is None, expected 2 numbers"),
        ("view", ("a", "b"), "view is 'a', expected a number"),
        ("theme", np.array(["light", "dark"]), "theme is .*, expected one of 'auto', 'light', 'dark'"),
        ("trail", 1.5, "trail is 1.5, expected a sequence"),
        ("trail", [1.5], "trail: Skeleton.index: name is 1.5"),
        ("contacts", "left", "contacts is 'left', expected a mapping of feet to times"),
        ("contacts", {"left": "x"}, r"contacts\['left'\] is 'x', expected an array of numbers"),
        ("contacts", {5: []}, "a name in contacts is 5, expected a str"),
        ("curve", {5: np.zeros(9)}, "a name in curve is 5, expected a str"),
    ):
        with pytest.raises((TypeError, ValueError), match=f"Clip.view: {message}"):
            clip.view(**{option: value})
