"""Influence maps of blend spaces."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter import colors
from public_calls import BLEND_METHODS

pytestmark = pytest.mark.usefixtures("closed_figures")

CROSS = np.array([(0, 0), (0, 1.4), (0, -1.4), (1.4, 0), (-1.4, 0)])
NAMES = ["idle", "ahead", "back", "left", "right"]
SPEEDS = ct.BlendSpace1D([0, 1.4, 4.0])


@pytest.mark.parametrize("method", BLEND_METHODS)
def test_every_sample_has_a_map_of_its_weight(method):
    space = ct.BlendSpace2D(CROSS, method=method)
    maps = ct.plot.blend_weights(space, extent=(-2, 2, -1, 3))[:5]
    for k, image in enumerate(maps):
        values = np.asarray(image.get_array())
        rows, columns = values.shape
        assert image.get_extent() == [-2, 2, -1, 3]
        assert image.origin == "lower"
        x, y = -2 + (17 + 0.5) * 4 / columns, -1 + (101 + 0.5) * 4 / rows
        assert values[101, 17] == space.weights((x, y))[k]


def test_maps_are_named_and_the_own_sample_stands_out():
    artists = ct.plot.blend_weights(ct.BlendSpace2D(CROSS), samples=NAMES)
    maps, dots = artists[:5], artists[5:]
    assert [image.axes.get_title() for image in maps] == NAMES
    assert len(dots) == 5
    for k, each in enumerate(dots):
        assert np.array_equal(each.get_offsets(), CROSS)
        assert np.argmax(each.get_sizes()) == k
    assert ct.plot.blend_weights(ct.BlendSpace2D(CROSS))[1].axes.get_title() == "(0, 1.4)"


def test_a_query_is_marked_on_every_map_with_its_weights():
    space = ct.BlendSpace2D(CROSS)
    artists = ct.plot.blend_weights(space, (0.84, 0.42), samples=NAMES)
    assert [image.axes.get_title() for image in artists[:5]] == ["idle: 0.31", "ahead: 0.23", "back: 0.00", "left: 0.46", "right: 0.00"]
    for mark in artists[10:]:
        assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (0.84, 0.42)
    far = ct.plot.blend_weights(space, (9, 9))
    assert far[0].get_extent()[1] > 9


def test_combined_a_place_has_the_colours_of_its_samples():
    space = ct.BlendSpace2D(CROSS)
    image, dots = ct.plot.blend_weights(space, samples=NAMES, combined=True, extent=(1.3, 1.5, -0.1, 0.1))
    pixels = np.asarray(image.get_array())
    assert np.allclose(pixels[len(pixels) // 2, pixels.shape[1] // 2], to_rgb(colors.body(3)), atol=0.01)
    assert np.allclose(dots.get_facecolor()[:, :3], [to_rgb(colors.body(k)) for k in range(5)])
    assert [each.get_text() for each in image.axes.texts] == NAMES


def test_triangles_are_drawn_in_maps_of_triangles_alone():
    for method, lines in (("delaunay", True), ("gradient_band", False)):
        axes = ct.plot.blend_weights(ct.BlendSpace2D(CROSS, method=method), combined=True)[0].axes
        assert bool(axes.lines) == lines
        assert axes.get_xlim() == pytest.approx((-2.1, 2.1))
    level = ct.BlendSpace2D([(0, 0), (1, 0), (2, 0)], method="delaunay")
    assert len(ct.plot.blend_weights(level)) == 6


def test_a_line_is_curves_with_corners_at_samples():
    walk, dots = ct.plot.blend_weights(SPEEDS, samples=["idle", "walk", "run"], extent=(-1, 5))[1:4:2]
    assert np.array_equal(walk.get_xdata(), [-1, 0, 1.4, 4, 5])
    assert np.array_equal(walk.get_ydata(), [0, 0, 1, 0, 0])
    assert np.array_equal(dots.get_offsets(), [(0, 1), (1.4, 1), (4, 1)])
    assert [words.get_text() for words in walk.axes.get_legend().get_texts()] == ["idle", "walk", "run"]


def test_a_query_on_a_line_tells_the_weights():
    *_, cursor, dots = ct.plot.blend_weights(SPEEDS, 2.0, samples=["idle", "walk", "run"], xlabel="speed [m/s]")
    assert cursor.get_xdata()[0] == 2.0
    assert np.allclose(dots.get_offsets()[:, 1], [0, 0.769231, 0.230769])
    assert [words.get_text() for words in dots.axes.get_legend().get_texts()] == ["idle: 0.00", "walk: 0.77", "run: 0.23"]
    assert dots.axes.get_xlabel() == "speed [m/s]"


def test_maps_go_to_given_axes():
    grid = plt.figure().subplots(2, 3)
    maps = ct.plot.blend_weights(ct.BlendSpace2D(CROSS), ax=grid.flat[:5], ylabel="ahead [m/s]")[:5]
    assert [image.axes for image in maps] == list(grid.flat[:5])
    assert grid[0, 0].get_ylabel() == "ahead [m/s]"
    assert ct.plot.blend_weights(ct.BlendSpace2D([(1, 2)]), ax=grid[1, 2])[0].axes is grid[1, 2]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
def test_a_figure_has_a_cell_for_every_sample_and_one_scale(count):
    space = ct.BlendSpace2D(np.stack([np.arange(count), np.arange(count) ** 2 % 7], axis=-1))
    figure = ct.plot.blend_weights(space)[0].axes.get_figure()
    figure.draw_without_rendering()
    assert len(figure.axes) == count + 1
    assert figure.axes[-1].get_ylabel() == "weight"


def test_names_are_no_formulas():
    axes = ct.plot.blend_weights(ct.BlendSpace2D([(0, 0), (1, 1)]), samples=["$x_$", "\x1b"])[0].axes
    axes.get_figure().draw_without_rendering()
    assert axes.get_title() == "$x_$"
    ct.plot.blend_weights(ct.BlendSpace1D([0, 1]), samples=["$x_$", "b"])[0].axes.get_figure().draw_without_rendering()


def test_what_does_not_fit_is_refused():
    plane = ct.BlendSpace2D(CROSS)
    with pytest.raises(TypeError, match="plot.blend_weights: space is ndarray, expected a BlendSpace1D or BlendSpace2D"):
        ct.plot.blend_weights(CROSS)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 names of samples, expected 5"):
        ct.plot.blend_weights(plane, samples=["a", "b"])
    with pytest.raises(ValueError, match=r"query has shape \(3,\), expected \(2,\)"):
        ct.plot.blend_weights(plane, (1, 2, 3))
    with pytest.raises(ValueError, match=r"query has shape \(2,\), expected a number"):
        ct.plot.blend_weights(SPEEDS, (1, 2))
    with pytest.raises(ValueError, match="query is nan, expected finite numbers"):
        ct.plot.blend_weights(SPEEDS, np.nan)
    for extent in ((0, 1), (0, 1, 2, 2), (0, 1, 2, np.inf)):
        with pytest.raises(ValueError, match=r"expected finite \(left, right, bottom, top\), each pair ascending"):
            ct.plot.blend_weights(plane, extent=extent)
    with pytest.raises(ValueError, match="1 axes, expected 5, one a sample, or one and combined=True"):
        ct.plot.blend_weights(plane, ax=plt.figure().add_subplot())
    with pytest.raises(ValueError, match="41 samples, expected at most 40 for a map each; .*combined=True"):
        ct.plot.blend_weights(ct.BlendSpace2D(np.arange(82).reshape(41, 2)))
    with pytest.raises(ValueError, match="ax is Axes3D, expected flat axes"):
        ct.plot.blend_weights(SPEEDS, ax=plt.figure().add_subplot(projection="3d"))
