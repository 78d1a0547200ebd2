"""Reading BVH: every layout found in the wild, what is refused, and what is said about it."""

import io
import json
import locale
import os
import pickle
import re
import shutil
import threading
import warnings

import numpy as np
import pytest

import canter as ct

HIERARCHY = """HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Knee
	{
		OFFSET 0 -40 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0 -42 0
		}
	}
}
"""
MOTION = """MOTION
Frames: 2
Frame Time: 0.033333
1 90 2 10 20 30 40 50 60
1 91 2 11 21 31 41 51 61
"""
PLAIN = HIERARCHY + MOTION


def axis_quaternion(axis, degrees):
    half = np.radians(degrees) / 2
    q = np.zeros(4)
    q[0] = np.cos(half)
    q["wxyz".index(axis)] = np.sin(half)
    return q


def product(p, q):
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.concatenate([[w], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def intrinsic(order, degrees):
    q = np.array([1.0, 0, 0, 0])
    for axis, angle in zip(order.lower(), degrees, strict=True):
        q = product(q, axis_quaternion(axis, angle))
    return q


def same_rotation(p, q):
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    return min(np.abs(p - q).max(), np.abs(p + q).max()) < 1e-6


def read(text, **options):
    data = text.encode() if isinstance(text, str) else text
    return ct.load_bvh(io.BytesIO(data), **options)


def read_oddly(text, **options):
    """A clip and the text of the one warning that it takes."""
    with pytest.warns(ct.CanterWarning) as caught:
        clip = read(text, **options)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    return clip, str(caught[0].message)


def is_plain(clip):
    assert clip.skeleton.names == ("Hips", "Knee")
    assert len(clip) == 2
    np.testing.assert_array_equal(clip.translations[:, 0], [[1, 90, 2], [1, 91, 2]])
    assert same_rotation(clip.rotations[0, 0], intrinsic("zxy", (10, 20, 30)))
    assert same_rotation(clip.rotations[1, 1], intrinsic("zxy", (41, 51, 61)))


# --- the plain file -----------------------------------------------------------------------------------------------------------------


def test_a_plain_file_says_what_it_says():
    clip = read(PLAIN, strict=True)
    is_plain(clip)
    assert clip.frame_time == 0.033333
    assert clip.fps == 30
    np.testing.assert_array_equal(clip.skeleton.offsets, [[0, 0, 0], [0, -40, 0]])
    np.testing.assert_array_equal(clip.translations[:, 1], [[0, -40, 0]] * 2)
    ((joint, offset),) = clip.skeleton.tips
    assert joint == 1
    assert offset.tolist() == [0, -42, 0]


def test_the_source_remembers_what_was_read():
    source = read(PLAIN).source
    assert (source.format, source.path, source.frame_time, source.declared_frames) == ("BVH", "<file>", 0.033333, 2)
    assert source.channels == (
        ("Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"),
        ("Zrotation", "Xrotation", "Yrotation"),
    )
    assert source.tip_names == ("Site",)
    assert source.warnings == ()
    assert source.root_offset == "replace"
    assert pickle.loads(pickle.dumps(source)) == source
    with pytest.raises(AttributeError):
        source.path = "x"


# --- layout of the text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(PLAIN.replace("\n", "\r"), id="CR"),
        pytest.param(HIERARCHY.replace("\n", "\r\n") + MOTION, id="mixed ends"),
        pytest.param("\ufeff" + PLAIN, id="BOM"),
        pytest.param(PLAIN.replace("\n", "\n\n  \n"), id="blank lines"),
        pytest.param(PLAIN.replace(" ", "\t"), id="tabs"),
        pytest.param(re.sub(r"([0-9]) ", r"\1 \t  ", PLAIN), id="many blanks"),
        pytest.param(PLAIN.replace("\n", "  \t\n"), id="trailing blanks"),
        pytest.param(PLAIN.replace("\n\t*{", " {"), id="brace behind the name"),
        pytest.param(re.sub(r"\n\t*{", " {", PLAIN), id="brace on the same line"),
        pytest.param(PLAIN.rstrip("\n"), id="no newline at the end"),
        pytest.param(PLAIN + "\n\n \n", id="blank lines at the end"),
        pytest.param(PLAIN.replace("1 90 2 10", "1 90 2\n10"), id="wrapped row"),
        pytest.param(re.sub(r"(HIERARCHY|ROOT|OFFSET|CHANNELS|JOINT|End Site|MOTION)", lambda m: m[0].lower(), PLAIN), id="lower case"),
        pytest.param(re.sub(r"[XYZ](position|rotation)", lambda m: m[0].upper(), PLAIN), id="upper-case channels"),
        pytest.param(PLAIN.replace("1 90 2", "+1.0e0 .9E+2 2."), id="exponents, signs and bare points"),
        pytest.param(PLAIN.replace("Frames: 2", "Frames:\t2").replace("Frame Time: ", "Frame Time:\t"), id="tabs in the header"),
        pytest.param(PLAIN.replace("0.033333", "3.3333E-02"), id="exponent in the frame time"),
    ],
)
def test_the_layout_of_the_text_does_not_matter(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        is_plain(read(text))
        is_plain(read(text, strict=True))


@pytest.mark.parametrize(
    "name",
    [
        "Bip01 L Calf",
        "rig:Hips",
        "spine.001",
        "センター",
        "MOTION_root",
        "JOINT",
        "OFFSET",
        "End",
        "Hips_End",
        "a-b",
        "Frames:",
        "ear 1",
        "x" * 3000,
        "é",
    ],
)
def test_any_name_is_the_rest_of_its_line(name):
    text = PLAIN.replace("JOINT Knee", f"JOINT  {name} \t").replace("ROOT Hips", f"ROOT {name}")
    assert read(text, strict=True).skeleton.names == (name, name)


def test_numbers_do_not_follow_the_locale():
    names = [name for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR") if shutil.which("locale")]
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in names:
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            assert read(PLAIN).frame_time == 0.033333
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
        return
    pytest.skip("no locale with a decimal comma is installed")


# --- channels -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "ZXZ"])
def test_rotations_compose_left_to_right_in_the_order_of_the_file(order):
    channels = " ".join(f"{axis}rotation" for axis in order)
    clip = read(PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", f"CHANNELS 3 {channels}"))
    assert same_rotation(clip.rotations[0, 1], intrinsic(order, (40, 50, 60)))
    assert same_rotation(clip.rotations[0, 0], intrinsic("zxy", (10, 20, 30)))  # orders differ by joint


@pytest.mark.parametrize(
    "channels",
    [
        "Zrotation Xrotation Yrotation Xposition Yposition Zposition",
        "Zposition Yposition Xposition Yrotation Xrotation Zrotation",
        "Xposition Zrotation Yposition Xrotation Zposition Yrotation",
    ],
)
def test_channels_go_by_name_and_not_by_place(channels):
    text = PLAIN.replace("Xposition Yposition Zposition Zrotation Xrotation Yrotation", channels)
    values = dict(zip(channels.split(), (1, 90, 2, 10, 20, 30), strict=True))
    clip = read(text, strict=True)
    np.testing.assert_array_equal(clip.translations[0, 0], [values[f"{axis}position"] for axis in "XYZ"])
    order = [name for name in channels.split() if name.endswith("rotation")]
    assert same_rotation(clip.rotations[0, 0], intrinsic("".join(name[0] for name in order), [values[name] for name in order]))


def test_positions_of_any_joint_replace_its_offset():
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 4 Yposition Zrotation Xrotation Yrotation")
    text = text.replace("40 50 60", "-41 40 50 60").replace("41 51 61", "-42 41 51 61")
    clip = read(text, strict=True)
    # only Y has a channel: X and Z stay at the OFFSET
    np.testing.assert_array_equal(clip.translations[:, 1], [[0, -41, 0], [0, -42, 0]])
    np.testing.assert_array_equal(clip.skeleton.offsets[1], [0, -40, 0])


def test_hinges_and_joints_without_channels():
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Xrotation").replace(" 50 60", "").replace(" 51 61", "")
    clip = read(text, strict=True)
    assert same_rotation(clip.rotations[1, 1], axis_quaternion("x", 41))
    for channels in ("CHANNELS 0", ""):
        text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", channels).replace(" 40 50 60", "").replace(" 41 51 61", "")
        clip = read(text, strict=True)
        assert clip.rotations[:, 1].tolist() == [[1, 0, 0, 0]] * 2


def test_scale_channels_are_scales():
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 6 Zrotation Xrotation Yrotation Xscale Yscale Zscale")
    text = text.replace("40 50 60", "40 50 60 1 2 3").replace("41 51 61", "41 51 61 1 1 0.5")
    clip = read(text)
    np.testing.assert_array_equal(clip.scales, [[[1, 1, 1], [1, 2, 3]], [[1, 1, 1], [1, 1, 0.5]]])


def test_unknown_channels_are_kept_as_curves():
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 5 Zrotation Smile Xrotation Yrotation Smile")
    text = text.replace("40 50 60", "40 0.5 50 60 7").replace("41 51 61", "41 0.25 51 61 8")
    clip, said = read_oddly(text)
    assert "Smile" in said
    assert {name: curve.tolist() for name, curve in clip.curves.items()} == {"Knee.Smile": [0.5, 0.25], "Knee.Smile 2": [7, 8]}
    assert same_rotation(clip.rotations[1, 1], intrinsic("zxy", (41, 51, 61)))
    assert clip.source.channels[1] == ("Zrotation", "Smile", "Xrotation", "Yrotation", "Smile")
    assert clip[1:].curves["Knee.Smile"].tolist() == [0.25]
    assert pickle.loads(pickle.dumps(clip)).curves["Knee.Smile"].tolist() == [0.5, 0.25]
    np.testing.assert_allclose(clip.resample(60).curves["Knee.Smile"], [0.5, 0.375, 0.25], atol=1e-4)
    with pytest.raises(ValueError, match="Smile"):
        read(text, strict=True)


# --- hierarchy ----------------------------------------------------------------------------------------------------------------------


def test_several_roots_are_one_skeleton_of_several_trees():
    second = HIERARCHY.replace("HIERARCHY\n", "").replace("Hips", "B_Hips").replace("Knee", "B_Knee")
    text = HIERARCHY + second + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + " ".join(str(i) for i in range(18)) + "\n"
    clip = read(text, strict=True)
    assert clip.skeleton.names == ("Hips", "Knee", "B_Hips", "B_Knee")
    assert clip.skeleton.parents.tolist() == [-1, 0, -1, 2]
    assert clip.translations[0, 2].tolist() == [9, 10, 11]


def test_end_sites_go_by_keyword_and_not_by_name():
    text = PLAIN.replace("JOINT Knee", "JOINT LeftHand_End")
    clip = read(text, strict=True)
    assert clip.skeleton.names == ("Hips", "LeftHand_End")
    assert len(clip.skeleton.tips) == 1


def test_a_joint_may_have_no_end_site_or_several():
    site = "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -42 0\n\t\t}\n"
    assert site in PLAIN
    assert read(PLAIN.replace(site, ""), strict=True).skeleton.tips == ()
    tips = read(PLAIN.replace(site, site + site.replace("0 -42 0", "5 0 0")), strict=True).skeleton.tips
    assert [(joint, offset.tolist()) for joint, offset in tips] == [(1, [0, -42, 0]), (1, [5, 0, 0])]


def test_zero_length_bones_are_bones():
    text = PLAIN.replace("OFFSET 0 -40 0", "OFFSET 0 0 0").replace("OFFSET 0 -42 0", "OFFSET 0 0 0")
    clip = read(text, strict=True)
    np.testing.assert_array_equal(clip.global_positions()[:, 0], clip.global_positions()[:, 1])


def test_deep_hierarchies_need_no_deep_stack():
    depth = 20000
    text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" + "JOINT a\n{\nOFFSET 0 0 0\n" * depth + "}" * (depth + 1)
    text += "\nMOTION\nFrames: 0\nFrame Time: 0.1\n"
    assert len(read(text, strict=True).skeleton) == depth + 1


# --- rows and header ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "frames", "place", "said"),
    [
        pytest.param(PLAIN.replace("Frames: 2", "Frames: 5"), 2, "17:9", "declares 5", id="fewer rows"),
        pytest.param(PLAIN.replace("Frames: 2", "Frames: 1"), 2, "17:9", "declares 1", id="more rows"),
        pytest.param(PLAIN.replace(" 61\n", "\n"), 1, None, "8 of 9", id="truncated row"),
        pytest.param(PLAIN.replace("0.033333", "0,033333"), 2, "18:13", "comma", id="decimal comma"),
        pytest.param(PLAIN.replace("1 90 2 10 20 30 40 50", "1 90 2 10 20 30 40-50"), 2, None, "'40-50'", id="glued numbers"),
        pytest.param(PLAIN.replace("OFFSET 0 -40 0", "# a knee\n\t\tOFFSET 0 -40 0"), 2, None, "comment", id="comment"),
    ],
)
def test_an_odd_file_is_read_with_one_warning_and_refused_when_strict(text, frames, place, said):
    clip, message = read_oddly(text)
    assert len(clip) == frames
    assert said in message
    assert len(clip.source.warnings) >= 1
    if place:
        assert f"{place}: " in message
    with pytest.raises(ValueError, match=re.escape(said)) as caught:
        read(text, strict=True)
    assert re.match(r"<file>:\d+:\d+: ", str(caught.value))


def test_no_frames_are_invented():
    clip, _ = read_oddly(PLAIN.replace("Frames: 2", "Frames: 1000000000"))
    assert len(clip) == 2
    assert clip.source.declared_frames == 1000000000


def test_zero_frames_are_a_clip_of_no_frames():
    clip = read(HIERARCHY + "MOTION\nFrames: 0\nFrame Time: 0.033333\n", strict=True)
    assert len(clip) == 0
    assert clip.skeleton.names == ("Hips", "Knee")


def test_many_oddities_are_one_bounded_warning():
    text = PLAIN.replace("Frames: 2", "Frames: 50").replace("0.033333", "0,033333").replace("40 50 60", "40-50 60")
    text = (
        text.replace("OFFSET 0 -40 0", "# x\nOFFSET 0 -40 0")
        .replace("ROOT Hips", "JOINT Hips")
        .replace("11 21", "11 21 31 41 51 61 71 81 91 101\n1 2 3 4 5")
    )
    clip, message = read_oddly(text)
    assert len(clip.source.warnings) == 6
    assert "6 oddities" in message
    assert "and 2 more" in message
    assert len(message) < 1000


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999", "1.#IND", "0x10", "x"])
def test_what_is_no_number_is_refused_with_joint_channel_and_frame(value):
    for strict in (False, True):
        with pytest.raises(ValueError, match=r"<file>:20:20: .*Xrotation.*Knee.*frame 1"):
            read(PLAIN.replace("41 51 61", f"41 {value} 61"), strict=strict)


@pytest.mark.parametrize("line", ["Frame Time: 0", "Frame Time: -0.1", "Frame Time: x"])
def test_a_frame_time_that_is_none_needs_fps(line):
    text = PLAIN.replace("Frame Time: 0.033333", line)
    with pytest.raises(ValueError, match="fps="):
        read(text)
    with pytest.warns(ct.CanterWarning):
        clip = read(text, fps=25)
    assert clip.frame_time == 0.04
    assert clip.source.frame_time == 0


def test_fps_overrides_a_frame_time_that_lies():
    clip = read(PLAIN, fps=120)
    assert clip.frame_time == 1 / 120
    assert clip.source.frame_time == 0.033333


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "HIERARCHY",
        "HIERARCHY\nMOTION\n",
        "glTF",
        "\0" * 100,
        "MOTION\nFrames: 1\nFrame Time: 1\n1\n",
        "PK\x03\x04",
        HIERARCHY[:60],
    ],
)
def test_what_is_no_bvh_is_refused(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=r"^<file>(:\d+:\d+)?: "):
            read(text)


@pytest.mark.parametrize("cut", range(3, len(PLAIN), 7))
def test_a_file_cut_anywhere_is_read_or_refused(cut):
    message, frames = "<file>", 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            frames = len(read(PLAIN[:cut]))
        except ValueError as error:
            message = str(error)
    assert message.startswith("<file>")
    assert frames <= 2


# --- options ------------------------------------------------------------------------------------------------------------------------


def test_scale_multiplies_offsets_positions_and_tips_together():
    clip = read(PLAIN, scale=0.01)
    np.testing.assert_allclose(clip.translations[0], [[0.01, 0.9, 0.02], [0, -0.4, 0]], rtol=1e-6)
    np.testing.assert_allclose(clip.skeleton.offsets[1], [0, -0.4, 0], rtol=1e-6)
    np.testing.assert_allclose(clip.skeleton.tips[0][1], [0, -0.42, 0], rtol=1e-6)


def test_root_offset_replaces_by_default_and_adds_when_told():
    text = PLAIN.replace("OFFSET 0 0 0", "OFFSET 1 2 3")
    np.testing.assert_array_equal(read(text).translations[0, 0], [1, 90, 2])
    added = read(text, root_offset="add")
    np.testing.assert_array_equal(added.translations[0, 0], [2, 92, 5])
    assert added.source.root_offset == "add"
    with pytest.raises(ValueError, match="'replace', 'add'"):
        read(text, root_offset="sum")


def test_names_change_only_when_asked():
    assert read(PLAIN, rename={"Knee": "Calf", "Elbow": "x"}).skeleton.names == ("Hips", "Calf")
    assert read(PLAIN, rename=str.upper).skeleton.names == ("HIPS", "KNEE")
    same = read(PLAIN, rename=lambda name: "joint")
    assert same.skeleton.names == ("joint", "joint")
    is_plain(same.replace(skeleton=read(PLAIN).skeleton))
    with pytest.raises(TypeError):
        read(PLAIN, rename=lambda name: 3)


def test_the_rest_pose_can_come_from_the_motion():
    text = PLAIN.replace("CHANNELS 3", "CHANNELS 6 Xposition Yposition Zposition").replace("OFFSET 0 -40 0", "OFFSET 0 0 0")
    text = text.replace("30 40 50 60", "30 0 -40 2 40 50 60").replace("31 41 51 61", "31 0 -44 4 41 51 61")
    assert read(text).skeleton.offsets[1].tolist() == [0, 0, 0]
    assert read(text, rest_from="first").skeleton.offsets.tolist() == [[0, 0, 0], [0, -40, 2]]
    mean = read(text, rest_from="mean")
    assert mean.skeleton.offsets.tolist() == [[0, 0, 0], [0, -42, 3]]
    np.testing.assert_array_equal(mean.global_positions(), read(text).global_positions())
    with pytest.raises(ValueError, match="one of 'first', 'mean'"):
        read(text, rest_from="last")
    with pytest.raises(ValueError, match="frame"):
        read(HIERARCHY + "MOTION\nFrames: 0\nFrame Time: 0.1\n", rest_from="mean")


def test_bad_options_are_refused():
    for bad in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="scale"):
            read(PLAIN, scale=bad)
        with pytest.raises(ValueError, match="fps"):
            read(PLAIN, fps=bad)
    with pytest.raises(TypeError, match="strict"):
        read(PLAIN, strict=1)


# --- files --------------------------------------------------------------------------------------------------------------------------


def test_paths_of_every_kind(tmp_path):
    path = tmp_path / "wälk.bvh"
    path.write_text(PLAIN)
    for given in (path, str(path)):
        is_plain(ct.load_bvh(given))
        is_plain(ct.load(given))
    with open(path, "rb") as file:
        clip = ct.load_bvh(file)
    is_plain(clip)
    assert clip.source.path == str(path)
    is_plain(ct.load_bvh(io.BytesIO(PLAIN.encode())))


def test_errors_begin_with_the_path_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.bvh").write_text(PLAIN.replace(" 61\n", "\n"))
    with pytest.raises(ValueError, match=r"^walk\.bvh:20:\d+: frame 1 ends after 8 of 9 values"):
        ct.load("walk.bvh", strict=True)
    with pytest.warns(ct.CanterWarning, match=r"^walk\.bvh was read with 1 oddity") as caught:
        ct.load("walk.bvh")
    assert caught[0].filename == __file__


def test_the_suffix_chooses_the_format_in_any_case(tmp_path):
    path = tmp_path / "WALK.BvH"
    path.write_text(PLAIN)
    is_plain(ct.load(path))
    with pytest.raises(ValueError, match=r"'walk\.fbx' ends in '\.fbx', expected \.bvh"):
        ct.load("walk.fbx")
    with pytest.raises(ValueError, match="expected .bvh"):
        ct.load("walk")
    with pytest.raises(IsADirectoryError, match="is a folder, expected a .bvh file"):
        ct.load(tmp_path)
    with pytest.raises(ValueError, match=r"'takes\.zip' ends in '\.zip', expected \.bvh; open a file in it with zipfile"):
        ct.load("takes.zip")


def test_source_says_what_was_loaded_without_a_screenful_of_channels(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(PLAIN)
    plain, scaled = ct.load(path).source, ct.load(path, scale=0.5, up="+z").source
    assert scaled.height == pytest.approx(0.5 * plain.height)
    assert scaled.up == plain.up
    assert "position" not in repr(plain)


def test_files_that_cannot_be_opened_say_so(tmp_path):
    with pytest.raises(FileNotFoundError):
        ct.load(tmp_path / "none.bvh")
    folder = tmp_path / "folder.bvh"
    folder.mkdir()
    with pytest.raises(IsADirectoryError):
        ct.load(folder)


def test_text_and_bytes_in_place_of_a_file_are_refused(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(PLAIN)
    with open(path) as file, pytest.raises(TypeError, match="binary mode"):
        ct.load_bvh(file)
    with pytest.raises(TypeError, match="BytesIO"):
        ct.load_bvh(PLAIN.encode())
    with pytest.raises(TypeError):
        ct.load_bvh(3.5)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_to_its_end(tmp_path):
    path = tmp_path / "pipe.bvh"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(PLAIN,))
    writer.start()
    is_plain(ct.load(path))
    writer.join()


def test_threads_read_the_same_file(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(HIERARCHY + "MOTION\nFrames: 500\nFrame Time: 0.01\n" + "1 90 2 10 20 30 40 50 60\n" * 500)
    results = []
    threads = [threading.Thread(target=lambda: results.append(ct.load(path).rotations.sum())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert len(set(map(float, results))) == 1


# --- the cases ----------------------------------------------------------------------------------------------------------------------


def test_every_case_is_read_as_expected(shared):
    folder = shared / "bvh-cases"
    cases = json.loads((folder / "expected.json").read_text())
    assert len(cases) >= 30
    for name, expected in cases.items():
        for strict in (False, True):
            refused = expected["expect"] == "error" or (strict and expected.get("strict") == "error")
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                if refused:
                    with pytest.raises(ValueError, match=re.escape(name) + r":\d+:\d+: "):
                        ct.load_bvh(folder / name, strict=strict)
                    continue
                clip = ct.load_bvh(folder / name, strict=strict)
            assert len(caught) == (1 if expected.get("strict") == "error" else 0), name
            assert list(clip.skeleton.names) == expected["joints"], name
            assert (len(clip), clip.frame_time) == (expected["frames"], expected["frame_time"]), name
            if len(clip):
                np.testing.assert_allclose(clip.global_positions(), expected["positions"], atol=6e-5, err_msg=name)
