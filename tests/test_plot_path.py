"""Paths from above."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")


def circle(frames=61, radius=2.0):
    angle = np.linspace(0, 2 * np.pi, frames)
    return radius * np.stack([np.sin(angle), np.zeros(frames), np.cos(angle)], axis=-1), angle + np.pi / 2


def test_the_path_is_that_of_the_root():
    clip = ct.examples.walk()
    path, start, end, *_ = ct.plot.trajectory(clip)
    positions = clip.root_motion().positions
    np.testing.assert_allclose(path.get_xydata(), positions[:, [2, 0]])
    np.testing.assert_allclose(start.get_xydata()[0], positions[0, [2, 0]])
    np.testing.assert_allclose(end.get_xydata()[0], positions[-1, [2, 0]])


def test_left_is_left_from_above():
    # Ahead is to the right of the page, so what is to the left of the walker is up.
    path = ct.plot.trajectory(ct.examples.turn_left())[0].get_xydata()
    ahead, turned = path[1] - path[0], path[-1] - path[0]
    assert ahead[0] > 0
    assert np.cross([*ahead, 0], [*turned, 0])[2] > 0


def test_arrows_stand_at_even_times_and_point_where_the_character_faces():
    positions, headings = circle()
    *_, arrows, _ = ct.plot.trajectory(positions, headings, frame_time=0.1, every=1.5)[:5]
    assert arrows.N == 5  # at 0, 1.5, 3, 4.5 and 6 s
    np.testing.assert_allclose(arrows.XY[1], (0, 2), atol=1e-9)  # a quarter round
    np.testing.assert_allclose((arrows.U[1], arrows.V[1]), (-1, 0), atol=1e-9)


def test_arrows_and_path_agree_for_the_root_motion_of_a_walk():
    path, _, _, arrows, *_ = ct.plot.trajectory(ct.examples.walk().root_motion(smoothing=0.3))
    way = path.get_xydata()[-1] - path.get_xydata()[0]
    way /= np.linalg.norm(way)
    assert np.all(arrows.U * way[0] + arrows.V * way[1] > 0.95)


def test_there_are_about_twelve_arrows_at_round_times():
    for seconds in (0.7, 3.3, 25.0, 600.0):
        positions, headings = circle(50)
        arrows = ct.plot.trajectory(positions, headings, frame_time=seconds / 49)[3]
        assert 6 <= arrows.N <= 20


def test_times_are_written_without_meeting():
    positions, headings = circle()
    texts = ct.plot.trajectory(positions, headings, frame_time=0.05)[4:]
    assert texts[0].get_text() == "start, end 3 s"
    assert texts[1].get_text().endswith(" s")
    figure = texts[0].get_figure()
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_positions_alone_have_no_arrows():
    artists = ct.plot.trajectory(circle()[0])
    assert not any(isinstance(artist, plt.matplotlib.quiver.Quiver) for artist in artists)
    assert artists[-1].get_text().endswith("frames")


def test_flat_positions_are_drawn_as_they_are():
    np.testing.assert_array_equal(ct.plot.trajectory([(0, 1), (2, 3)])[0].get_xydata(), [(0, 1), (2, 3)])


@pytest.mark.parametrize(("up", "labels"), [("y", ("z [m]", "x [m]")), ("z", ("x [m]", "y [m]")), ("x", ("y [m]", "z [m]"))])
def test_axes_are_those_of_the_ground_with_units_and_one_scale(up, labels):
    axes = ct.plot.trajectory(circle()[0], up=up)[0].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == labels
    assert axes.get_aspect() == 1.0


def test_several_paths_share_axes():
    axes = ct.plot.trajectory(ct.examples.walk(), label="walk")[0].axes
    second = ct.plot.trajectory(ct.examples.run(), ax=axes, color=colors.body(1), label="run")[0]
    assert axes.get_legend_handles_labels()[1] == ["walk", "run"]
    assert axes.get_xlim()[1] > second.get_xdata().max()


def test_a_single_place_is_a_path_too():
    path, start, end, *_ = ct.plot.trajectory(ct.examples.walk()[:1])
    assert len(path.get_xdata()) == len(start.get_xdata()) == len(end.get_xdata()) == 1
    path.get_figure().draw_without_rendering()


def test_what_is_no_path_is_refused():
    positions, headings = circle()
    with pytest.raises(ValueError, match="there are no positions"):
        ct.plot.trajectory(np.empty((0, 3)))
    with pytest.raises(TypeError, match="motion is .*, expected an array of numbers, a Clip or a RootMotion; one path a call"):
        ct.plot.trajectory([ct.examples.walk(), ct.examples.run()])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="without frames"):
        ct.plot.trajectory(ct.examples.walk()[:0])
    with pytest.raises(ValueError, match=r"shape \(61, 4\), expected \(F, 3\) or \(F, 2\)"):
        ct.plot.trajectory(np.zeros((61, 4)))
    with pytest.raises(ValueError, match=r"headings have shape \(60,\), expected \(61,\)"):
        ct.plot.trajectory(positions, headings[:-1])
    with pytest.raises(ValueError, match="every is 0, expected seconds above 0"):
        ct.plot.trajectory(positions, headings, every=0)
    with pytest.raises(ValueError, match="frame_time is -1"):
        ct.plot.trajectory(positions, frame_time=-1)
    positions[7] = np.nan
    with pytest.raises(ValueError, match="position 7 is not finite"):
        ct.plot.trajectory(positions)
    with pytest.raises(ValueError, match="expected flat axes"):
        ct.plot.trajectory([(0, 0)], ax=plt.figure().add_subplot(projection="3d"))
