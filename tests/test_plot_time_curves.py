"""Curves against time."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")

WALK = ct.examples.walk()


def bending(angles, fps=10):
    """A knee that bends by so many degrees on a root that rises by a metre a frame."""
    skeleton = ct.Skeleton(["Hips", "LeftLeg"], [-1, 0], [(0, 0, 0), (0, -0.5, 0)])
    q = np.tile([1.0, 0, 0, 0], (len(angles), 2, 1))
    half = np.radians(angles) / 2
    q[:, 1, 0], q[:, 1, 1] = np.cos(half), np.sin(half)
    places = np.tile(np.array(skeleton.offsets, dtype=float), (len(angles), 1, 1))
    places[:, 0, 1] = np.arange(len(angles))
    return ct.Clip(skeleton, q, places, fps=fps)


def drawn(*args, **options):
    line = ct.plot.curves(*args, **options)[0]
    return np.asarray(line.get_ydata(), dtype=float)


def test_the_angle_of_a_knee_is_how_far_it_bends():
    clip = bending([0, 30, 90, 170])
    line = ct.plot.curves(clip, "LeftLeg")[0]
    np.testing.assert_allclose(line.get_ydata(), [0, 30, 90, 170], atol=1e-3)
    np.testing.assert_allclose(line.get_xdata(), [0, 0.1, 0.2, 0.3])
    assert line.axes.get_ylabel() == "LeftLeg: angle from rest [°]"
    assert line.axes.get_xlabel() == "time [s]"


def test_speeds_are_by_the_second():
    clip = bending([0, 20, 40, 60])
    np.testing.assert_allclose(drawn(clip, "LeftLeg", "angular_speed"), 200, rtol=1e-4)
    np.testing.assert_allclose(drawn(clip, "Hips", "speed"), 10, rtol=1e-5)
    np.testing.assert_allclose(drawn(clip, "LeftLeg", "height"), [-0.5, 0.5, 1.5, 2.5], atol=1e-6)


@pytest.mark.parametrize(("up", "k"), [("y", 1), ("z", 2), ("x", 0)])
def test_height_is_along_up(up, k):
    np.testing.assert_allclose(drawn(WALK, "Head", "height", up=up), WALK.global_positions()[:, WALK.skeleton.index("Head"), k])


def test_a_position_is_three_curves_a_joint():
    artists = ct.plot.curves(WALK, ["LeftFoot", "RightFoot"], "position", contacts=False)
    assert [line.get_label() for line in artists] == [f"{side}Foot {axis}" for axis in "xyz" for side in ("Left", "Right")]
    assert len({line.get_linestyle() for line in artists}) == 3
    np.testing.assert_allclose(artists[2].get_ydata(), WALK.global_positions()[:, WALK.skeleton.index("LeftFoot"), 1])


@pytest.mark.parametrize(
    ("quantity", "unit"), [("angle", "[°]"), ("angular_speed", "[°/s]"), ("position", "[m]"), ("height", "[m]"), ("speed", "[m/s]")]
)
def test_axes_carry_the_unit(quantity, unit):
    assert ct.plot.curves(WALK, "Head", quantity)[0].axes.get_ylabel().endswith(unit)


def test_without_a_unit_none_is_written():
    assert ct.plot.curves(WALK, "Head", "height", unit="")[0].axes.get_ylabel() == "Head: height"


def test_joints_have_the_colours_of_their_sides_unless_these_repeat():
    left, right = ct.plot.curves(WALK, ["LeftLeg", "RightLeg"])[:2]
    assert (left.get_color(), right.get_color()) == (colors.LEFT, colors.RIGHT)
    knee, foot = ct.plot.curves(WALK, ["LeftLeg", "LeftFoot"])[:2]
    assert knee.get_color() != foot.get_color()


def test_contacts_come_from_the_markers():
    *_, left, right = ct.plot.curves(WALK, ["LeftLeg", "RightLeg"])
    assert [path.get_extents().intervalx.tolist() for path in left.get_paths()] == [[0.0, 0.6]]
    assert np.allclose([path.get_extents().intervalx for path in right.get_paths()], [[0.0, 0.1], [0.5, 1.0]])
    assert np.allclose(left.get_facecolor()[0, :3], to_rgb(colors.LEFT))
    assert [left.get_label(), right.get_label()] == ["left foot down", "right foot down"]


def span(patch):
    """From where to where a patch goes, in seconds."""
    corners = patch.get_transform().transform_path(patch.get_path()).get_extents().get_points()
    return patch.axes.transData.inverted().transform(corners)[:, 0]


def test_the_ground_is_shaded_while_the_foot_of_that_side_is_down():
    artists = ct.plot.curves(WALK, ["RightLeg", "RightFoot"])
    shades = [artist for artist in artists if isinstance(artist, Patch)]
    assert np.allclose([span(shade) for shade in shades], [(0, 0.1), (0.5, 1.0)])
    assert {shade.get_facecolor()[:3] for shade in shades} == {to_rgb(colors.CONTACTS["right"])}
    assert not [artist for artist in ct.plot.curves(WALK, ["LeftLeg", "RightLeg"]) if isinstance(artist, Patch)]


def test_bars_lie_below_all_curves():
    lines_and_bars = ct.plot.curves(WALK, ["LeftLeg", "RightLeg"])
    axes = lines_and_bars[0].axes
    axes.get_figure().draw_without_rendering()
    lowest = min(line.get_ydata().min() for line in lines_and_bars[:2])
    bottom = axes.transAxes.inverted().transform(axes.transData.transform((0, lowest)))[1]
    assert max(path.get_extents().y1 for bars in lines_and_bars[2:] for path in bars.get_paths()) < bottom


@pytest.mark.parametrize("quantity", ["height", "position", "speed", "angle", "angular_speed"])
def test_what_stands_still_is_a_straight_line(quantity):
    axes = ct.plot.curves(ct.examples.wave(), ["LeftLeg", "RightLeg"], quantity)[0].axes
    axes.get_figure().draw_without_rendering()
    tall = axes.bbox.height
    for line in axes.lines:
        assert np.ptp(axes.transData.transform(line.get_xydata())[:, 1]) < 0.01 * tall
    assert not axes.yaxis.get_offset_text().get_text()  # no 1e-7 in a corner


@pytest.mark.parametrize("name", ["idle", "wave", "aim", "reload", "lean", "breathe"])
def test_feet_of_clips_that_stand_are_down_all_the_time(name):
    clip = getattr(ct.examples, name)()
    *_, left, right = ct.plot.curves(clip, ["LeftLeg", "RightLeg"])
    for bars in (left, right):
        assert [path.get_extents().intervalx.tolist() for path in bars.get_paths()] == [[0.0, pytest.approx(clip.duration)]]


def test_contacts_can_be_told_or_left_out():
    line, bars, shade = ct.plot.curves(WALK.replace(markers=None), "LeftLeg", contacts={"left": [(0.2, 0.3)]})
    assert bars.get_paths()[0].get_extents().intervalx.tolist() == [0.2, 0.3]
    assert np.allclose(span(shade), (0.2, 0.3))
    assert len(ct.plot.curves(WALK, "LeftLeg", contacts=False)) == 1
    assert len(ct.plot.curves([WALK, WALK], "LeftLeg")) == 2  # whose would they be?


def test_several_clips_lie_over_each_other():
    artists = ct.plot.curves([WALK, ct.examples.run()], ["LeftLeg", "RightLeg"])
    assert [line.get_label() for line in artists] == ["walk LeftLeg", "walk RightLeg", "run LeftLeg", "run RightLeg"]
    assert artists[0].get_color() == artists[1].get_color() != artists[2].get_color()
    assert artists[0].get_linestyle() != artists[1].get_linestyle()
    assert artists[2].get_xdata()[-1] == pytest.approx(0.7)
    assert [text.get_text() for text in artists[0].axes.get_legend().get_texts()] == [line.get_label() for line in artists]


def test_curves_of_ones_own_run_along_frames_or_times():
    values = np.sin(np.arange(len(WALK)))
    line = ct.plot.curves(WALK, (), values, contacts=False, ylabel="power [W]")[0]
    np.testing.assert_array_equal(line.get_ydata(), values)
    assert line.get_xdata()[-1] == pytest.approx(1.0)
    assert line.axes.get_ylabel() == "power [W]"
    two = ct.plot.curves([0.0, 0.5, 2.0], (), np.ones((3, 2)), labels=["a", "b"])
    assert [curve.get_label() for curve in two] == ["a", "b"]
    assert two[0].get_xdata().tolist() == [0, 0.5, 2]


def test_the_cursor_stands_at_its_time():
    cursor = ct.plot.curves(WALK, "LeftLeg", cursor=0.3)[-1]
    assert cursor.get_xdata() == [0.3, 0.3]


def test_axes_that_are_given_are_drawn_on():
    axes = plt.figure().add_subplot()
    assert ct.plot.curves(WALK, "LeftLeg", ax=axes)[0].axes is axes
    assert len(plt.get_fignums()) == 1


def test_one_frame_and_none_are_drawn():
    for quantity in ("angle", "angular_speed", "position", "height", "speed"):
        assert len(drawn(WALK[:1], "Head", quantity)) == 1
        assert len(drawn(WALK[:0], "Head", quantity)) == 0


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="quantity is 'angel', expected one of 'angle'"):
        ct.plot.curves(WALK, "Head", "angel")
    with pytest.raises(ValueError, match="joints is empty"):
        ct.plot.curves(WALK)
    with pytest.raises(IndexError, match="LeftLag"):
        ct.plot.curves(WALK, "LeftLag")
    with pytest.raises(ValueError, match=r"quantity has shape \(3,\), expected \(61,\) or \(61, K\)"):
        ct.plot.curves(WALK, (), [1, 2, 3])
    with pytest.raises(ValueError, match="quantity is 'angle' without a clip"):
        ct.plot.curves([0.0, 1.0])
    with pytest.raises(ValueError, match="expected a Clip"):
        ct.plot.curves([])
    with pytest.raises(ValueError, match="1 labels, expected 2"):
        ct.plot.curves([WALK, WALK], "Head", labels=["a"])
    with pytest.raises(ValueError, match="expected flat axes"):
        ct.plot.curves(WALK, "Head", ax=plt.figure().add_subplot(projection="3d"))


def test_the_legend_fits_over_small_axes():
    figure, axes = plt.subplots(1, 3, figsize=(9, 3), layout="constrained")
    ct.plot.curves(WALK, ["LeftLeg", "RightLeg"], ax=axes[1])
    figure.draw_without_rendering()
    legend = axes[1].get_legend().get_window_extent()
    assert legend.y0 >= axes[1].get_window_extent().y1
    assert legend.x1 <= axes[2].get_window_extent().x0
