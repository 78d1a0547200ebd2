"""Clip.view: what the page of a player is given."""

import base64
import json
import re
import time
import zlib

import numpy as np
import pytest

import canter as ct
from canter.player import Player, pack
from conftest import humanoid, positions, wander


def data_of(player):
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', player.html, re.DOTALL)
    return json.loads(text.group(1))


def unpacked(body):
    """Points of a body as the page gets them, (samples, points, 3)."""
    centres = np.frombuffer(base64.b64decode(body["centres"]), "<f4").reshape(-1, 1, 3)
    planes = np.frombuffer(zlib.decompress(base64.b64decode(body["steps"])), np.uint8).reshape(body["bytes"], -1)
    bends = np.ascontiguousarray(planes.T).view("<i2" if body["bytes"] == 2 else "<i4").reshape(len(centres), -1, 3)
    steps = np.cumsum(np.cumsum(bends, axis=0, dtype=bends.dtype), axis=0, dtype=bends.dtype)
    return centres + body["step"] * steps


# ------------------------------------------------------------------------------------------------------------------------ what is packed


def test_a_point_is_off_by_less_than_a_tenth_of_a_millimetre_of_two_metres(make_clip):
    clip = make_clip(400, 65, seed=3)
    (body,) = data_of(clip.view())["bodies"]
    off = np.linalg.norm(unpacked(body) - positions(clip), axis=-1).max()
    assert off < 1e-4 * body["size"] / 2
    assert 1.0 < body["size"] < 3.0


def test_a_joint_far_away_costs_no_precision():
    skeleton = ct.Skeleton(["Hips", "Hand", "Drone"], [-1, 0, -1], [(0, 1, 0), (0.5, 0, 0), (400, 80, 0)])
    clip = ct.Clip(skeleton, np.zeros((2, 3, 4)) + [1, 0, 0, 0], fps=30)
    points = positions(clip)
    packed = pack.packed(points, 1.0)
    assert packed["bytes"] == 4
    assert np.abs(unpacked(packed) - points).max() < 1e-4


def test_a_joint_beyond_all_measure_is_still_where_it_was():
    points = np.array([[[0, 0, 0], [0, 1, 0], [3e7, 5e6, 0]]] * 3, dtype=np.float32)
    assert np.abs(unpacked(pack.packed(points, 1.0)) - points).max() < 4, "as far as float32 tells"


def test_positions_that_overflow_are_told():
    skeleton = ct.Skeleton(["a", "b"], [-1, 0], [(3e38, 0, 0), (3e38, 0, 0)])
    clip = ct.Clip(skeleton, np.zeros((2, 2, 4)) + [1, 0, 0, 0], fps=30)
    with pytest.raises(ValueError, match="frame 0 is too large to draw"):
        clip.view()


def test_frames_of_a_slow_clip_are_kept_and_filled_in(walk):
    slow = walk.resample(8)
    (body,) = data_of(slow.view())["bodies"]
    assert body["sampleTime"] == pytest.approx(slow.frame_time / 4)
    assert np.abs(unpacked(body)[::4] - positions(slow)).max() < 1e-4
    between = slow.sample((np.arange(len(slow) - 1) + 0.5) * slow.frame_time)
    exact = slow.skeleton.forward_kinematics(between)[0]
    assert np.abs(unpacked(body)[2::4, : len(slow.skeleton)] - exact).max() < 1e-4


def test_ten_minutes_of_65_joints_take_less_than_15_mb():
    few = wander(humanoid(65), 3600)  # what is packed grows with the frames
    assert 10 * len(few.view().html) < 15e6


@pytest.mark.parametrize("up", ["+x", "-x", "+y", "-y", "+z", "-z"])
def test_any_axis_may_be_up_and_left_stays_left(walk, up):
    others = {"x": "y", "y": "z", "z": "x"}
    turn = np.zeros((3, 3))  # canter's axes to those of the file
    turn["xyz".index(up[1]), 1] = 1 if up[0] == "+" else -1
    turn["xyz".index(others[up[1]]), 2] = 1
    turn[:, 0] = np.cross(turn[:, 1], turn[:, 2])
    turned = pack.turned(positions(walk).astype(np.float64) @ turn.T, up)
    assert np.allclose(turned[..., 1], positions(walk)[..., 1], atol=1e-6)
    # A turn about the vertical is all that is left between them.
    rotation, *_ = np.linalg.lstsq(positions(walk).reshape(-1, 3).astype(np.float64), turned.reshape(-1, 3), rcond=None)
    assert np.linalg.det(rotation) == pytest.approx(1, abs=1e-4)


def test_a_file_is_seen_upright_as_it_is_and_after_it_was_turned(walk, tmp_path):
    path = tmp_path / "z.bvh"
    ct.save(walk.converted(up="-z", forward="+y"), path)  # canter's up becomes -Z of the file's reader: Z is up in the file
    as_it_is, turned = ct.load(path), ct.load(path, up=ct.load(path).source.up)
    assert as_it_is.source.up != "+y"
    for clip in (as_it_is, turned):
        (body,) = data_of(clip.view())["bodies"]
        assert np.ptp(unpacked(body), axis=1)[:, 1].min() > 1.4


def test_limbs_are_as_thick_as_the_body_is_large(walk):
    small, large = (data_of(clip.view())["bodies"][0] for clip in (walk, walk.scaled(100)))
    assert np.allclose(
        [100 * r for limb in small["limbs"] for r in limb[2:4]], [r for limb in large["limbs"] for r in limb[2:4]], rtol=1e-4
    )


def test_contacts_come_from_markers_and_from_the_caller():
    clip = ct.examples.walk()
    (body,) = data_of(clip.view())["bodies"]
    foot = {contact["name"]: [body["joints"][joint] for joint in contact["joints"]] for contact in body["contacts"]}
    assert foot == {"left": ["LeftToe", "LeftFoot"], "right": ["RightToe", "RightFoot"]}
    (body,) = data_of(ct.examples.walk(joints=65).view())["bodies"]
    assert [body["joints"][joint] for joint in body["feet"]["left"]] == ["LeftToeEnd", "LeftToe", "LeftFoot"]
    (body,) = data_of(clip.view(contacts={"left": [(0.1, 0.2)], "LeftHand": [(0.5, 0.6)]}))["bodies"]
    spans = {contact["name"]: contact["spans"] for contact in body["contacts"]}
    assert spans["left"] == [[0.1, 0.2]]
    assert spans["LeftHand"] == [[0.5, 0.6]]
    assert len(spans["right"]) == 2, "over the seam"


# ------------------------------------------------------------------------------------------------------------------------------ the page


def test_page_holds_all_it_needs(walk):
    html = walk.view().html
    assert "{{" not in html
    assert (
        re.findall(r"https?:|//[a-z0-9-]+\.[a-z]+/|@import|\bfetch\(|XMLHttpRequest|<link(?! rel=\"icon\" href=\"data:,\")|src=", html)
        == []
    )


def test_player_tells_its_name_and_size(walk, tmp_path):
    player = walk.view()
    assert isinstance(player, Player)
    assert repr(player).startswith("<Player: walk, 0.1 MB")
    player.save(tmp_path / "walk.html")
    assert (tmp_path / "walk.html").read_text(encoding="utf-8") == player.html
    assert player._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"curve": "LeftFot"}, IndexError, "near names: 'LeftFoot'"),
        ({"trail": ["Hips", "Tail"]}, IndexError, "trail: .*no joint 'Tail'"),
        ({"contacts": {"Hat": [(0, 1)]}}, IndexError, "no joint 'Hat'"),
        ({"contacts": {"left": [0, 1, 2]}}, ValueError, r"contacts\['left'\]"),
        ({"curve": np.zeros(3)}, ValueError, r"expected a number a frame: \(199,\)"),
        ({"curve": {"mine": np.full(199, np.nan)}}, ValueError, "'mine' is not finite at frame 0"),
        ({"layout": "heap"}, ValueError, "expected one of 'side', 'ghost'"),
        ({"quantity": "weight"}, ValueError, "quantity is 'weight'"),
        ({"theme": "blue"}, ValueError, "theme is 'blue'"),
        ({"view": "below"}, ValueError, "'three-quarter'"),
        ({"view": (91, 0)}, ValueError, "expected -90 to 90"),
        ({"view": (1, 2, 3)}, ValueError, r"view is \(1, 2, 3\), expected"),
        ({"speed": 0}, ValueError, "expected 0.1 to 4"),
        ({"ground": np.inf}, ValueError, "ground is inf"),
        ({"up": "w"}, ValueError, "up is 'w'"),
        ({"height": 10}, ValueError, "10 pixels"),
        ({"colour": 1}, TypeError, r"Clip.view\(\) got an unexpected keyword argument 'colour'"),
    ],
)
def test_wrong_option_is_told(walk, options, error, words):
    with pytest.raises(error, match=words):
        walk.view(**options)


def test_others_must_be_clips_and_not_too_many(walk):
    with pytest.raises(TypeError, match=r"others\[1\] is Pose, expected a Clip"):
        walk.view(walk, walk.poses)
    with pytest.raises(ValueError, match="13 clips"):
        walk.view(*[walk] * 12)


def test_large_page_is_told_and_nothing_left_out(walk, monkeypatch):
    monkeypatch.setattr("canter.player.LARGE", 1000)
    with pytest.warns(ct.CanterWarning, match=r"the page has .* MB; cut the clip"):
        player = walk.view()
    assert data_of(player)["bodies"][0]["samples"] == len(walk)


@pytest.mark.parametrize("name", ["\ud800", "b\udcff", "a\0b", "</title></script><script>", "n" * 100_000], ids=ascii)
def test_any_name_of_a_clip_makes_a_page_that_can_be_written(name, tmp_path):
    clip = ct.examples.walk(fps=10).replace(name=name, markers={name: [0.1], f"{name}_down": [0.2]})
    page = clip.view()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    page._repr_html_().encode()
    clip._repr_html_().encode()
    assert page.html.count("</script") == ct.examples.walk(fps=10).view().html.count("</script")
    assert len(page.html.split("</title>")[0]) < 1000


@pytest.mark.parametrize(
    "parents", [np.arange(8000) - 1, np.full(8000, -1), np.minimum(np.arange(8000) - 1, 0)], ids=["chain", "forest", "star"]
)
def test_many_joints_take_time_in_proportion(parents):
    count = len(parents)
    names = [f"{('Left', 'Right', 'j')[i % 3]}{i}" for i in range(count)]
    skeleton = ct.Skeleton(names, parents, np.full((count, 3), 0.01), tips=[(i, (0, 0.01, 0)) for i in range(0, count, 2)])
    clip = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (2, count, 1)), fps=30)
    start = time.thread_time()
    clip.view()
    assert time.thread_time() - start < 5  # half a minute, when every joint asks for the sides of all
