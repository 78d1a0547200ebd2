"""What a notebook shows."""

import re
import time
import warnings
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import canter as ct
from canter import examples
from canter.colors import LEFT, RIGHT

LARGEST = 20_000  # bytes of a card
TAGS = {"div", "b", "table", "tr", "th", "td", "details", "summary", "span", "svg", "title", "path", "g", "text"}
NASTY = ["<script>alert('1')</script>", '" onload="x', "&amp;", "رجل", "手", "a\x1b[31m", "\u202eevil", "\U0001f600" * 200]


def card(thing):
    """A card, which is a piece of XML and no larger than it may be."""
    html = thing._repr_html_()
    assert len(html.encode()) < LARGEST
    return ElementTree.fromstring(html)


def facts(thing):
    return {row[0].text: row[1].text for row in card(thing).iter("tr")}


def words(thing):
    return " ".join("".join(card(thing).itertext()).split())


def drawn(thing):
    """Every stroke of the picture, (N, 4) in half pixels: from x, y to x, y; by the colour of its path."""
    strokes = {}
    for path in card(thing).iter("{http://www.w3.org/2000/svg}path"):
        at, lines = (0, 0), []
        for letter, numbers in re.findall(r"([MlhHv])([-\d ]+)", path.get("d")):
            values = [int(number) for number in numbers.split()]
            move = {"M": values, "l": values, "h": [values[0], 0], "v": [0, values[0]], "H": [values[0] - at[0], 0]}[letter]
            if letter == "M":
                at = tuple(move)
            else:
                lines.append([*at, at[0] + move[0], at[1] + move[1]])
                at = tuple(lines[-1][2:])
        strokes.setdefault(path.get("stroke", ""), []).extend(lines)
    return {color: np.array(lines).reshape(-1, 4) for color, lines in strokes.items()}


def bones(thing):
    """The strokes of bodies: those of left, right and middle without the ground, which is a long level line."""
    lines = np.concatenate(list(drawn(thing).values()))
    return lines[np.abs(lines[:, 2] - lines[:, 0]) < 500]


def test_skeleton_shows_its_rest_pose_upright_with_its_left_on_the_right(make_skeleton):
    strokes = drawn(make_skeleton(65))
    left, right, middle = strokes[LEFT], strokes[RIGHT], strokes[""]
    assert left[:, ::2].mean() > middle[:, ::2].mean() > right[:, ::2].mean()
    assert middle[:, 1::2].min() < 20, "the head is above"
    assert left[:, 1::2].max() > 280 > 200 > middle[:, 1::2].max(), "feet are below"


def test_skeleton_says_what_it_has():
    skeleton = examples.humanoid()
    assert facts(skeleton) == {"joints": "18", "tips": "5", "root": "Hips", "height": "1.77 units at rest", "left, right": "7 pairs"}


def test_a_rest_pose_on_its_back_is_drawn_upright_and_that_is_said():
    lying = examples.walk().converted(up="-z").skeleton
    assert np.ptp(lying.forward_kinematics(lying.rest)[0][:, 1]) < 0.5
    strokes = bones(lying)
    assert np.ptp(strokes[:, 1::2]) > 200
    assert "+z up" in words(lying)
    assert "up" not in words(examples.humanoid()).split()


def test_tree_has_a_line_for_every_limb_and_is_folded():
    root = card(examples.humanoid())
    (details,) = root.iter("details")
    assert details.get("open") is None
    lines = [line.text for line in details.iter("div") if line.text]
    assert lines[0] == "Hips"
    assert "LeftUpLeg › LeftLeg › LeftFoot › LeftToe" in lines
    assert sorted(" › ".join(lines).split(" › ")) == sorted(examples.humanoid().names)


def test_tree_of_many_joints_says_how_many_it_leaves_out(make_skeleton):
    skeleton = make_skeleton(1000)
    (details,) = card(skeleton).iter("details")
    shown = " › ".join(line.text for line in details.iter("div") if line.text).split(" › ")
    (more,) = re.findall(r"\.\.\. and (\d+) more", words(skeleton))
    assert len(set(shown)) == len(shown) == 1000 - int(more)
    assert set(shown) < set(skeleton.names)
    assert "the 440 longest of 999 bones" in words(skeleton)


TEN_THOUSAND = {"chain": np.arange(-1, 9999), "forest": np.full(10_000, -1), "star": np.array([-1] + [0] * 9999)}


@pytest.mark.parametrize("parents", TEN_THOUSAND.values(), ids=TEN_THOUSAND)
def test_ten_thousand_joints_make_no_larger_a_card(parents, rng):
    skeleton = ct.Skeleton(["'" * 100] * 10_000, parents, rng.normal(size=(10_000, 3)))
    clip = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (3, 10_000, 1)), fps=30)
    for thing in (skeleton, clip, clip.poses, clip.velocities()):
        started = time.perf_counter()
        card(thing)
        assert time.perf_counter() - started < 5


def test_names_are_text_and_no_more():
    skeleton = ct.Skeleton(NASTY, [-1] + [0] * (len(NASTY) - 1), np.eye(len(NASTY), 3))
    clip = ct.Clip(
        skeleton, np.tile([1.0, 0, 0, 0], (9, len(NASTY), 1)), fps=30, name=NASTY[0], tags=NASTY, markers={name: [0.1] for name in NASTY}
    )
    lone = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (9, len(NASTY), 1)), fps=30, name="\ud800")
    for thing in (skeleton, clip, lone):
        tags = {element.tag.rpartition("}")[2] for element in card(thing).iter()}
        assert tags <= TAGS
        assert not [name for element in card(thing).iter() for name in element.attrib if name.startswith("on")]
        assert not re.search("[\x00-\x1f\u202e\ud800]", thing._repr_html_())
    assert NASTY[0] in words(skeleton)
    assert "رجل" in words(skeleton)


def test_card_brings_no_style_script_or_address_to_the_page(make_clip):
    clip = make_clip(20, 22)
    for thing in (clip, clip.skeleton, clip.poses, clip.velocities(), clip.root_motion()):
        html = thing._repr_html_()
        assert not re.search(r"<(style|script|link|img|a)\b|url\(|\b(id|class|href)=", html)
        assert set(re.findall(r"https?://[^\"]*", html)) <= {"http://www.w3.org/2000/svg"}


def test_a_clip_is_a_strobe_in_which_bodies_stand_apart():
    walk = examples.walk().replace(markers=None)
    for clip in (walk, walk.in_place()):
        strokes = bones(clip)
        strokes = strokes[strokes[:, 1] != strokes[:, 3]]  # without the ground
        assert strokes[:, ::2].min() >= 0
        assert strokes[:, ::2].max() <= 880
        assert np.ptp(strokes[:, 1::2]) > 200
        texts = [t.text for t in card(clip).iter("{http://www.w3.org/2000/svg}text")]
        assert texts[0] == "0.00 s"
        assert texts[-1] == f"{clip.period:.2f} s"
        assert 6 <= len(texts) <= 8
        pitch = 880 / len(texts)
        at = strokes[:, ::2].mean(axis=1) / pitch
        assert sorted(set(at.astype(int))) == list(range(len(texts)))


def test_clip_says_what_it_is(make_clip):
    clip = make_clip(41, 22, name="walk", tags=["slow", "walk"], looping=True, markers={"left_down": [0.1, 0.5], "step": [0.2]})
    said = facts(clip)
    assert said["frames"] == "41 at 60 fps"
    assert said["duration"] == "0.67 s, looping every 0.68 s"
    assert said["tags"] == "slow, walk"
    assert said["markers"] == "left_down×2, step×1"
    assert said["speed"].endswith(" units/s")
    assert "Clip 'walk'" in words(clip)


def test_source_and_its_oddities_are_told(tmp_path):
    path = tmp_path / ("long" * 30 + "walk.bvh")
    ct.save(examples.walk(), path)
    text = path.read_text()
    path.write_text(text.replace("Frames: ", "Frames: 1"))
    with pytest.warns(ct.CanterWarning):
        clip = ct.load(path)
    said = facts(clip)
    assert said["source"].startswith("BVH ...")
    assert said["source"].endswith("walk.bvh")
    assert said["looks like"] == "+y up, in m"
    assert clip.source.warnings[0][:40] in said["caution"]


def test_clip_of_a_file_with_another_axis_upward_stands_upright(tmp_path):
    path = tmp_path / "z.bvh"
    ct.save(examples.walk().converted(up="-z"), path)
    lying = ct.load(path)
    assert lying.source.up == "-z"
    for clip, up in ((lying, "-z up"), (ct.load(path, up="-z"), "")):
        assert np.ptp(bones(clip)[:, 1::2]) > 200
        assert up in words(clip)
        assert clip is lying or "z up" not in words(clip).replace("looks like-z up", "")


def test_contacts_are_bars_below_their_time(make_clip):
    clip = make_clip(101, 22, fps=50, markers={"left_down": [1.0], "left_up": [1.5], "right_up": [0.5], "right_down": [1.5]})
    strokes = drawn(clip)
    for color, spans in ((LEFT, [(1.0, 1.5)]), (RIGHT, [(0.0, 0.5), (1.5, 2.0)])):
        level = strokes[color][-len(spans) :]
        texts = [t for t in card(clip).iter("{http://www.w3.org/2000/svg}text") if t.text.endswith(" s")]
        first, last = float(texts[0].get("x")), float(texts[-1].get("x"))
        assert np.allclose((level[:, ::2] - first) / (last - first) * 2.0, spans, atol=0.02)
        assert np.all(level[:, 1] == level[:, 3])


def test_a_hundred_thousand_frames_cost_little_more_than_their_speed():
    walk = examples.walk()
    times = 100_000 // len(walk) + 1
    clip = ct.Clip(walk.skeleton, np.tile(walk.rotations, (times, 1, 1)), np.tile(walk.translations, (times, 1, 1)), fps=60)
    clip._repr_html_()

    def seconds(call):
        best = np.inf
        for _ in range(5):
            started = time.process_time()
            call()
            best = min(best, time.process_time() - started)
        return best

    assert seconds(clip._repr_html_) < seconds(lambda: clip.speed) + 0.05


def test_few_frames_no_frames_and_no_bones_have_a_card_too(make_clip):
    assert "<svg" not in make_clip(2, 22)[:0]._repr_html_()
    assert len(bones(make_clip(1, 22))) >= 20
    dot = ct.Skeleton(["root"], [-1], [(0, 0, 0)])
    still = ct.Clip(dot, np.tile([1.0, 0, 0, 0], (5, 1, 1)), fps=30, looping=True)
    for thing in (dot, still, still[:1], still[:0], still.poses, still[:0].poses, still.velocities(), still.root_motion()):
        assert "<svg" not in thing._repr_html_() or isinstance(thing, ct.RootMotion)
        card(thing)
    point = ct.Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3)))
    card(ct.Clip(point, np.tile([1.0, 0, 0, 0], (5, 2, 1)), np.linspace((0, 0, 0), (0, 0, 9), 5), fps=30))
    for clip in (make_clip(2, 22, looping=True), make_clip(2, 3), make_clip(40, 2)):
        assert "<svg" in clip._repr_html_()
        card(clip)


def test_what_is_too_far_to_draw_has_facts_alone():
    skeleton = ct.Skeleton(["a", "b"], [-1, 0], [(3e38, 3e38, 0), (3e38, 0, 3e38)])
    clip = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (5, 2, 1)), np.full((5, 2, 3), 3e38), fps=30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for thing in (skeleton, clip, clip.poses):
            assert "<svg" not in thing._repr_html_()
            card(thing)


def test_a_pose_shows_how_far_each_joint_is_turned():
    angles = np.radians([0, 15, 30, 45])
    pose = ct.Pose(ct.quat.from_axis_angle((0, 0, 1), angles))
    assert facts(pose) == {"shape": "one pose, ()", "joints": "4", "parts": "rotations", "dtype": "float32"}
    bars = drawn(pose)[LEFT]
    heights = bars[:, 1] - bars[:, 3]
    assert np.allclose(heights / heights[-1], [1 / 3, 2 / 3, 1], atol=0.02)
    assert "45°" in words(pose)


def test_a_batch_of_poses_shows_its_shape_and_how_many_it_looked_at(random_rotations):
    batch = ct.Pose(random_rotations(30, 5, 7), np.zeros((30, 5, 7, 3)))
    said = facts(batch)
    assert said["shape"] == "batch of (30, 5)"
    assert said["parts"] == "rotations, translations"
    assert "the largest of 64 of 150 poses" in words(batch)
    assert "no joint is turned" in words(examples.humanoid().rest)


def test_root_motion_is_its_path_from_above():
    walk = examples.walk()
    motion = walk.root_motion()
    said = facts(motion)
    assert said["frames"] == f"{len(walk)} at 60 fps, looping"
    assert said["path"].startswith("1.3 units")
    assert said["turn"] == "none"
    path = drawn(motion)[""][:-1]  # the last is the dot at the start
    assert path[0, 0] < path[-1, 2], "ahead is to the right"
    assert 20 * np.ptp(path[:, 1::2]) < np.ptp(path[:, ::2]), "a walk straight ahead sways a little"


def test_a_blend_space_on_a_line_is_a_tent_for_each_sample():
    space = ct.BlendSpace1D([4.0, 0.0, 1.4])
    assert facts(space) == {"samples": "3", "positions": "4, 0, 1.4"}
    slopes = drawn(space)[LEFT]
    slopes = slopes[slopes[:, 0] != slopes[:, 2]]  # without the dots
    x = np.unique(slopes[:, ::2])
    assert len(slopes) == 4
    assert np.allclose((x - x[0]) / (x[-1] - x[0]) * 4, [0, 1.4, 4], atol=0.01)
    texts = [(each.text, int(each.get("x"))) for each in card(space).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [("1", x[0]), ("2", x[1]), ("0", x[2]), ("0", x[0]), ("4", x[2])]


def test_a_blend_space_on_a_plane_shows_its_samples_with_y_up_and_triangles():
    space = ct.BlendSpace2D([(0, 0), (2, 0), (0, 1), (2, 1)], method="delaunay")
    assert facts(space) == {"samples": "4", "x": "0 to 2", "y": "0 to 1", "method": "delaunay", "triangles": "2"}
    dots = drawn(space)[LEFT][:, :2]
    assert np.array_equal(dots[1] - dots[0], [600, 0])
    assert np.array_equal(dots[2] - dots[0], [0, -300])
    assert len(drawn(space)[""]) == 5
    assert facts(ct.BlendSpace2D([(0, 0)])) == {"samples": "1", "x": "0 to 0", "y": "0 to 0", "method": "gradient_band"}


def test_blend_spaces_of_any_size_have_a_card(rng):
    card(ct.BlendSpace1D([3.0]))
    card(ct.BlendSpace1D(rng.standard_normal(512)))
    card(ct.BlendSpace2D(rng.standard_normal((512, 2)), method="delaunay"))
    assert "<svg" not in ct.BlendSpace2D([(-1e308, 0), (1e308, 0)])._repr_html_()
    card(ct.BlendSpace1D([-1e308, 1e308]))


def test_everywhere_else_there_is_one_line(make_clip):
    clip = make_clip(20, 22, name="x" * 1000)
    for thing in (clip, clip.skeleton, clip.poses, clip.velocities(), clip.root_motion()):
        assert repr(thing).startswith("<")
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 120
