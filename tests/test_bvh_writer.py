"""Writing BVH: what is written is read back as the same motion, in the layout it had or in a chosen one."""

import io
import locale
import os
import re
import stat
import threading

import numpy as np
import pytest

import canter as ct
from test_bvh_reader import HIERARCHY, PLAIN, read


def written(clip, **options):
    file = io.BytesIO()
    ct.save_bvh(clip, file, **options)
    return file.getvalue().decode()


def degrees_apart(p, q):
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    apart = np.minimum(np.linalg.norm(p - q, axis=-1), np.linalg.norm(p + q, axis=-1))
    return np.degrees(4 * np.arcsin(np.clip(apart / 2, 0, 1)))


def assert_same_motion(a, b):
    """Joints may come back in another order: depth first."""
    order = [b.skeleton.index(name) for name in a.skeleton.names]
    assert len(order) == len(b.skeleton)
    assert len(a) == len(b)
    assert a.frame_time == b.frame_time
    assert degrees_apart(a.rotations, b.rotations[:, order]).max(initial=0) < 1e-4
    bound = np.maximum(1e-5, 1e-7 * np.abs(a.translations))
    assert (np.abs(a.translations - b.translations[:, order]) <= bound).all()


def channel_lines(text):
    return [line.split()[1:] for line in text.splitlines() if "CHANNELS" in line]


# --- round trips --------------------------------------------------------------------------------------------------------------------


def test_a_clip_made_of_arrays_comes_back(make_clip):
    clip = make_clip(40, 65)
    back = read(written(clip), strict=True)
    assert_same_motion(clip, back)
    for joint, name in enumerate(clip.skeleton.names):
        same, parent = back.skeleton.index(name), clip.skeleton.parents[joint]
        np.testing.assert_array_equal(back.skeleton.offsets[same], clip.skeleton.offsets[joint])
        assert parent < 0 or back.skeleton.names[back.skeleton.parents[same]] == clip.skeleton.names[parent]


def test_random_rotations_come_back(make_skeleton, random_rotations, rng):
    clip = ct.Clip(make_skeleton(22), random_rotations(300, 22), rng.normal(0, 1e4, (300, 22, 3)), fps=120)
    assert_same_motion(clip, read(written(clip), strict=True))


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_every_order_comes_back_through_gimbal_lock(make_skeleton, order):
    angles = np.zeros((181, 3))
    angles[:, 1] = np.radians(np.arange(181))  # the middle angle passes 90 degrees
    half, axes = angles / 2, np.eye(3)
    q = np.zeros((181, 1, 4))
    q[:, 0, 0] = np.cos(half[:, 1])
    q[:, 0, 1:] = np.sin(half[:, 1:2]) * axes["XYZ".index(order[1])]
    clip = ct.Clip(make_skeleton(1), q, fps=30)
    channels = ["Xposition", "Yposition", "Zposition", *(f"{axis}rotation" for axis in order)]
    text = written(clip, layout=[channels])
    assert_same_motion(clip, read(text, strict=True))
    rows = np.array([line.split() for line in text.splitlines()[-181:]], dtype=float)
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() < 2  # degrees a frame


def test_turning_on_and_on_has_no_jumps_in_the_file(make_skeleton):
    turn = np.radians(np.arange(0, 1500, 7)) / 2
    q = np.stack([np.cos(turn), 0 * turn, np.sin(turn), 0 * turn], axis=-1)[:, None]
    text = written(ct.Clip(make_skeleton(1), q, fps=30))
    rows = np.array([line.split() for line in text.splitlines()[-len(turn) :]], dtype=float)
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() < 8


def test_scales_come_back(make_skeleton, random_rotations, rng):
    scales = rng.uniform(0.5, 2, (5, 8, 3))
    clip = ct.Clip(make_skeleton(8), random_rotations(5, 8), fps=30, scales=scales)
    back = read(written(clip))
    np.testing.assert_allclose(back.scales, clip.scales, atol=1e-6)


def test_no_frames_and_one_frame_come_back(make_clip):
    for count in (0, 1):
        clip = make_clip(3, 8)[:count]
        assert_same_motion(clip, read(written(clip), strict=True))


def test_the_frame_time_comes_back_exactly(make_clip):
    for frame_time in (0.0417083750417, 1 / 29.476, 0.1 + 0.2, 1e-7, 1e9):
        assert read(written(make_clip(2, 1).replace(frame_time=frame_time))).frame_time == frame_time


# --- layout -------------------------------------------------------------------------------------------------------------------------

ODD = (
    PLAIN.replace(
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation", "Zrotation Yrotation Xrotation Zposition Xposition Yposition"
    )
    .replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 4 Yposition Xrotation Zrotation Yrotation")
    .replace("End Site", "End Toe tip")
    .replace("Knee", "rig:left knee.001")
    .replace("0 40 50 60", "0 1 40 50 60")
    .replace("1 41 51 61", "1 1 41 51 61")
)


def test_the_layout_that_was_read_is_written():
    clip = read(ODD)
    text = written(clip)
    assert channel_lines(text) == channel_lines(ODD)
    assert "JOINT rig:left knee.001" in text
    assert "End Toe tip" in text
    again = read(text)
    assert again.source.channels == clip.source.channels
    assert again.source.tip_names == ("Toe tip",)
    assert_same_motion(clip, again)


def test_the_layout_survives_edits_of_the_clip():
    clip = read(ODD)
    for other in (clip[1:], clip.resample(100), clip.replace(name="x")):
        assert channel_lines(written(other)) == channel_lines(ODD)


def test_a_layout_that_no_longer_fits_gives_way_to_the_default():
    clip = read(PLAIN)  # only the root can move
    moved = np.array(clip.translations)
    moved[1, 1, 0] += 5
    other = ct.Clip(clip.skeleton, clip.rotations, moved, frame_time=clip.frame_time).replace(source=clip.source)
    text = written(other)
    assert channel_lines(text)[1] == ["6", "Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"]
    assert_same_motion(other, read(text))


def test_the_default_layout_can_be_asked_for():
    assert channel_lines(written(read(ODD), layout="default"))[0] == [
        "6", "Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation",
    ]  # fmt: skip


def test_a_chosen_layout_is_kept_or_refused(make_clip):
    clip = read(PLAIN)
    layout = [["Xposition", "Yposition", "Zposition", "Yrotation", "Xrotation", "Zrotation"], ["Xrotation", "Yrotation", "Zrotation"]]
    text = written(clip, layout=layout)
    assert [line[1:] for line in channel_lines(text)] == layout
    assert_same_motion(clip, read(text, strict=True))
    with pytest.raises(ValueError, match="Knee"):
        written(clip, layout=[layout[0], ["Xrotation"]])
    with pytest.raises(ValueError, match="1 parts, the skeleton needs 2"):
        written(clip, layout=layout[:1])
    with pytest.raises(ValueError, match="'source', 'default'"):
        written(clip, layout="ZXY")


def test_a_second_position_channel_stays_a_curve():
    text = "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 4 Xposition Yposition Xposition Zscale\n}\n"
    text += "MOTION\nFrames: 2\nFrame Time: 1\n1 2 3 1\n4 5 6 1\n"
    with pytest.warns(ct.CanterWarning, match="second channel"):
        clip = read(text)
    again = written(clip)
    assert channel_lines(again) == [["4", "Xposition", "Yposition", "Xposition", "Zscale"]]
    with pytest.warns(ct.CanterWarning, match="second channel"):
        back = read(again)
    assert back.curves["A.Xposition"].tolist() == [3, 6]
    assert back.translations[:, 0].tolist() == [[1, 2, 0], [4, 5, 0]]


def test_frames_need_a_channel(make_clip):
    still = make_clip(1, 1)[:0]
    assert len(read(written(still, layout=[[]]))) == 0
    clip = ct.Clip(still.skeleton, np.tile([1.0, 0, 0, 0], (3, 1, 1)), fps=30)
    with pytest.raises(ValueError, match="no channels, so a reader could not count the 3 frames"):
        written(clip, layout=[[]])


@pytest.mark.parametrize("frame_time", [1e-307, 1e-20, 1e20, 1e90, 1e307])
def test_frame_times_of_any_length_come_back(make_clip, frame_time):
    clip = make_clip(3, 5).replace(frame_time=frame_time)
    assert_same_motion(clip, read(written(clip), strict=True))


def test_curves_are_written_where_they_were():
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 4 Zrotation Smile Xrotation Yrotation")
    text = text.replace("40 50 60", "40 0.5 50 60").replace("41 51 61", "41 0.25 51 61")
    with pytest.warns(ct.CanterWarning):
        clip = read(text)
    again = written(clip.replace(name="x"))
    assert "Zrotation Smile Xrotation Yrotation" in again
    with pytest.warns(ct.CanterWarning):
        assert read(again).curves["Knee.Smile"].tolist() == [0.5, 0.25]
    with pytest.warns(ct.CanterWarning, match="1 curve of the clip has no channel"):
        assert "Smile" not in written(clip, layout="default")
    more = clip.replace(curves={"effort": [0, 1], "aim": [[0, 1, 0], [1, 0, 0]], **clip.curves})
    with pytest.warns(ct.CanterWarning, match="2 curves of the clip have no channel") as caught:
        assert written(more) == again
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(ct.CanterWarning):
        renamed = read(text, rename={"Knee": "Shin"})
    assert "Smile" in written(renamed)  # in their order where the names have changed


# --- text ---------------------------------------------------------------------------------------------------------------------------


def test_numbers_are_plain_decimals(make_skeleton):
    path = [[1e-7, -1e-7, 123456.789], [1e6, -0.0, 1e-12]]
    text = written(ct.Clip(make_skeleton(1), np.tile([1.0, 0, 0, 0], (2, 1, 1)), path, fps=1e5))
    motion = text[text.index("MOTION") :]
    assert not re.search(r"\d[eE][-+\d]|nan|inf|,|-0(\.0*)?\s", motion)


def test_numbers_do_not_follow_the_locale(make_clip):
    clip, before = make_clip(3, 4), locale.setlocale(locale.LC_NUMERIC)
    plain = written(clip)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            assert written(clip) == plain
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
        return
    pytest.skip("no locale with a decimal comma is installed")


def test_names_that_no_reader_would_give_back_are_refused():
    clip = read(PLAIN)
    for name in ("", "a\nb", "a{b", " a"):
        with pytest.raises(ValueError, match="name"):
            written(clip.replace(skeleton=ct.Skeleton([name, "b"], [-1, 0], clip.skeleton.offsets)))


def test_a_root_offset_that_was_added_is_written_into_the_positions():
    clip = read(PLAIN.replace("OFFSET 0 0 0", "OFFSET 1 2 3"), root_offset="add")
    assert_same_motion(clip, read(written(clip)))


# --- files --------------------------------------------------------------------------------------------------------------------------


def test_save_goes_by_the_suffix(tmp_path, make_clip):
    clip = make_clip(5, 8)
    ct.save(clip, tmp_path / "a.BVH")
    ct.save(clip, str(tmp_path / "b.bvh"), layout="default")
    assert (tmp_path / "a.BVH").read_bytes() == (tmp_path / "b.bvh").read_bytes()
    assert_same_motion(clip, ct.load(tmp_path / "a.BVH"))
    with pytest.raises(ValueError, match=r"'\.fbx', expected \.bvh"):
        ct.save(clip, tmp_path / "a.fbx")
    with pytest.raises(TypeError, match="Clip"):
        ct.save(clip.skeleton, tmp_path / "c.bvh")
    with pytest.raises(TypeError, match="save: clip is str, expected a canter.Clip"):
        ct.save("c.bvh", clip)  # type: ignore[arg-type]
    assert sorted(os.listdir(tmp_path)) == ["a.BVH", "b.bvh"]


def test_an_error_leaves_the_old_file_and_no_other(tmp_path, make_clip):
    path = tmp_path / "walk.bvh"
    path.write_text("old")
    with pytest.raises(ValueError, match="layout"):
        ct.save(make_clip(5, 8), path, layout=[])
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["walk.bvh"]
    with pytest.raises(FileNotFoundError) as caught:
        ct.save(make_clip(5, 8), tmp_path / "none" / "walk.bvh")
    assert caught.value.filename == str(tmp_path / "none" / "walk.bvh"), "the name that was given, not that of the unfinished file"
    with pytest.raises(IsADirectoryError):
        ct.save_bvh(make_clip(5, 8), tmp_path)


def test_a_full_disk_is_an_error_of_the_caller_and_stops_the_writing(make_clip):
    class Full(io.RawIOBase):
        calls = 0

        def write(self, data):
            self.calls += 1
            raise OSError(28, "No space left on device")

    full = Full()
    with pytest.raises(OSError, match="No space left"):
        ct.save_bvh(make_clip(2000, 22), full)
    assert full.calls == 1


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes and links")
def test_modes_and_links_are_kept(tmp_path, make_clip):
    clip, path, link = make_clip(2, 3), tmp_path / "a.bvh", tmp_path / "link.bvh"
    before = os.umask(0o027)
    try:
        ct.save(clip, path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    link.symlink_to(path)
    ct.save(clip.replace(name="x"), link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert_same_motion(clip, ct.load(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to(tmp_path, make_clip):
    path, clip = tmp_path / "pipe.bvh", make_clip(5, 8)
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_text()))
    reader.start()
    ct.save(clip, path)
    reader.join()
    assert got == [written(clip)]


def test_threads_write_the_same_clip(make_clip):
    clip, texts = make_clip(300, 22), []
    threads = [threading.Thread(target=lambda: texts.append(written(clip))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 4
    assert len(set(texts)) == 1


def test_the_hierarchy_is_readable():
    assert written(read(PLAIN)).startswith(HIERARCHY[: HIERARCHY.index("\n")])
