"""Footprints from above."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")

WALK = ct.examples.walk()


def prints_of(clip, **options):
    return [artist for artist in ct.plot.footprints(clip, **options) if isinstance(artist, plt.matplotlib.patches.PathPatch)]


def outline(patch):
    return patch.get_path().to_polygons()[0]


def test_every_contact_is_a_print_of_its_side():
    faces = [patch.get_edgecolor()[:3] for patch in prints_of(WALK, cycles=1)]
    assert faces == [to_rgb(colors.RIGHT), to_rgb(colors.LEFT), to_rgb(colors.RIGHT)]


def test_a_loop_goes_on_where_it_ends():
    places = [outline(patch).mean(axis=0) for patch in prints_of(WALK, cycles=4)]
    left, right = np.array(places[1::2]), np.array(places[2::2])
    assert (len(left), len(right)) == (4, 4)
    assert np.allclose(np.diff(left, axis=0), (1.3, 0), atol=1e-3)
    assert np.allclose(np.diff(right[:-1], axis=0), (1.3, 0), atol=1e-3)
    path = next(artist for artist in ct.plot.footprints(WALK, cycles=4) if isinstance(artist, plt.Line2D)).get_xydata()
    assert np.allclose(path[-1] - path[0], (5.2, 0), atol=1e-3)
    assert len(prints_of(WALK.replace(looping=False), cycles=4)) == 3


def test_a_print_lies_where_the_foot_stands():
    toe = WALK.skeleton.index("LeftToe")
    place = WALK.global_positions()[12, toe][[2, 0]]
    left = outline(prints_of(WALK)[1])
    assert plt.matplotlib.path.Path(left).contains_point(place)
    length, width = np.ptp(left, axis=0)
    assert 0.22 < length < 0.35
    assert 0.07 < width < 0.14


def test_prints_point_the_way_of_the_feet():
    first, *_, last = prints_of(ct.examples.turn_left(rate=1.5), cycles=1)

    def way(patch):
        points = outline(patch)
        axis = np.linalg.svd(points - points.mean(axis=0))[2][0]
        return np.arctan2(*(axis[::-1] * np.sign(axis[0])))

    assert 0.8 < way(last) - way(first) < 2.2  # most of a second and a half of the turn


def test_soles_are_mirror_images():
    right, left, _ = prints_of(WALK, cycles=1)
    widths = [np.ptp(outline(patch)[:, 1]) for patch in (left, right)]
    assert widths[0] == pytest.approx(widths[1], rel=0.2)
    big_toe = {side: outline(patch)[outline(patch)[:, 0].argmax(), 1] for side, patch in (("left", left), ("right", right))}
    middle = {side: outline(patch)[:, 1].mean() for side, patch in (("left", left), ("right", right))}
    assert big_toe["left"] < middle["left"] + 0.02
    assert big_toe["right"] > middle["right"] - 0.02


def test_a_stride_of_the_walk_is_as_long_as_a_cycle():
    words = [text.get_text() for text in ct.plot.footprints(WALK) if hasattr(text, "get_text") and text.get_text()]
    assert words == ["1.30 m"] * 3


def test_the_legend_tells_steps_and_strides():
    axes = ct.plot.footprints(WALK)[0].axes
    left, right = (text.get_text() for text in axes.get_legend().get_texts())
    assert left.startswith("left: stride 1.30 m, step 0.6")
    assert right.startswith("right: stride 1.30 m, step 0.6")
    assert ct.plot.footprints(WALK, lengths=False)[0].axes.get_legend() is None


def test_the_way_of_the_body_runs_between():
    line = next(artist for artist in ct.plot.footprints(WALK, cycles=1) if isinstance(artist, plt.Line2D))
    np.testing.assert_allclose(line.get_xydata(), WALK.root_motion().positions[:, [2, 0]])


def test_scales_are_equal_and_axes_carry_the_unit():
    axes = ct.plot.footprints(WALK, unit="yd")[0].axes
    assert axes.get_aspect() == 1.0
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("z [yd]", "x [yd]")


def test_contacts_can_be_told():
    bare = WALK.replace(markers=None)
    assert len(prints_of(bare, contacts={"left": [(0, 0.6)], "right": []}, cycles=1)) == 1
    assert len(prints_of(bare, feet=["LeftFoot"], contacts={"left": [(0, 0.6)]})) == 2


def test_a_foot_without_toes_ends_in_its_tip():
    skeleton = ct.Skeleton(["Hips", "LeftFoot"], [-1, 0], [(0, 1, 0), (0, -0.9, 0)], tips=[("LeftFoot", (0, -0.1, 0.2))])
    clip = ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (11, 2, 1)), fps=10)
    sole = outline(prints_of(clip, feet=["LeftFoot"], contacts={"left": [(0, 1)]})[0])
    assert 0.2 < np.ptp(sole[:, 0]) < 0.35
    assert sole[:, 0].max() == pytest.approx(0.2, abs=0.03)


def test_what_has_no_prints_is_refused():
    with pytest.raises(ValueError, match="no markers 'left_down' and 'left_up'.*give contacts="):
        ct.plot.footprints(WALK.replace(markers=None))
    with pytest.raises(ValueError, match="contacts has no 'right'"):
        ct.plot.footprints(WALK, contacts={"left": [(0, 1)]})
    with pytest.raises(TypeError, match="plot.footprints: clip is Skeleton, expected a Clip"):
        ct.plot.footprints(WALK.skeleton)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cycles is 0, expected 1 to 1000"):
        ct.plot.footprints(WALK, cycles=0)
    with pytest.raises(ValueError, match="no frames"):
        ct.plot.footprints(WALK[:0])
    with pytest.raises(IndexError, match="plot.footprints: feet: .*no joint 'LeftFeet'.*feet="):
        ct.plot.footprints(WALK, ["LeftFeet"])
    with pytest.raises(ValueError, match="two feet are on the left side"):
        ct.plot.footprints(WALK, ["LeftFoot", "LeftToe"])
    lonely = ct.Clip(ct.Skeleton(["LeftFoot"], [-1], [(0, 0, 0)]), np.tile([1.0, 0, 0, 0], (3, 1, 1)), fps=1)
    with pytest.raises(ValueError, match="no toe and no tip below"):
        ct.plot.footprints(lonely, ["LeftFoot"], contacts={"left": [(0, 1)]})
