"""Trees of joints."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")


def texts_overlap(texts):
    texts[0].get_figure().draw_without_rendering()
    boxes = [text.get_window_extent() for text in texts]
    return any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


@pytest.mark.parametrize("joints", [18, 65])
def test_every_joint_has_a_row_below_and_right_of_its_parent(joints):
    body = ct.examples.humanoid(joints=joints)
    _, dots, *names = ct.plot.hierarchy(body)
    places = {name.get_text(): place for name, place in zip(names, np.asarray(dots.get_offsets()), strict=True)}
    assert set(places) == set(body.names)
    for joint, parent in enumerate(body.parents):
        if parent >= 0:
            step = places[body.names[joint]] - places[body.names[parent]]
            assert step[0] == 1
            assert step[1] >= 1
    assert len({place[1] for place in places.values()}) == joints


@pytest.mark.parametrize("joints", [18, 65])
def test_names_are_read_without_meeting_each_other_or_the_edge(joints):
    names = ct.plot.hierarchy(ct.examples.humanoid(joints=joints))[2:]
    assert not texts_overlap(names)
    figure = names[0].get_figure()
    legend = names[0].axes.get_legend().get_window_extent()
    for name in names:
        box = name.get_window_extent()
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0
        assert box.y1 <= figure.bbox.y1
        assert not box.overlaps(legend)


def test_sides_are_coloured_and_tips_are_rings():
    skeleton = ct.Skeleton(["Hips", "LeftLeg", "RightLeg"], [-1, 0, 0], np.zeros((3, 3)), tips=[("LeftLeg", (0, -1, 0))])
    _, dots, *_ = ct.plot.hierarchy(skeleton)
    edges, faces = dots.get_edgecolors()[:, :3], dots.get_facecolors()[:, :3]
    assert np.allclose(edges, [to_rgb(color) for color in (colors.MIDDLE, colors.LEFT, colors.RIGHT)])
    assert np.allclose(faces, [to_rgb(colors.MIDDLE), (1, 1, 1), to_rgb(colors.RIGHT)])


def test_children_stand_together_whatever_the_order_of_joints():
    skeleton = ct.Skeleton(["A", "B", "C", "B1", "C1", "B2"], [-1, 0, 0, 1, 2, 1], np.zeros((6, 3)))
    assert [name.get_text() for name in ct.plot.hierarchy(skeleton)[2:]] == ["A", "B", "B1", "B2", "C", "C1"]


def test_several_roots_stand_below_each_other():
    skeleton = ct.Skeleton(["A", "B", "A1"], [-1, -1, 0], np.zeros((3, 3)))
    branches, dots, *names = ct.plot.hierarchy(skeleton)
    assert [name.get_text() for name in names] == ["A", "A1", "B"]
    assert len(branches.get_segments()) == 1
    assert np.asarray(dots.get_offsets())[:, 0].tolist() == [0, 1, 0]


def test_long_and_odd_names_are_bounded():
    skeleton = ct.Skeleton(["rig:" * 40 + "Hips", "$\\alpha$", "two\nlines", "\udcff"], [-1, 0, 1, 2], np.zeros((4, 3)))
    names = ct.plot.hierarchy(skeleton)[2:]
    names[0].get_figure().draw_without_rendering()
    assert max(len(name.get_text()) for name in names) <= 32
    assert names[0].get_text().endswith("Hips")
    assert names[1].get_text() == "$\\alpha$"
    assert "\n" not in names[2].get_text()


def test_a_huge_skeleton_is_cut_and_says_so():
    many = ct.Skeleton([f"j{i}" for i in range(5000)], np.maximum(np.arange(5000) - 2, -1), np.zeros((5000, 3)))
    names = ct.plot.hierarchy(many)[2:]
    assert len(names) == 101
    assert names[-1].get_text() == "and 4,900 more joints"
    width, height = names[0].get_figure().get_size_inches()
    assert width <= 30
    assert height < 20


def test_letters_shrink_to_fit_given_axes():
    axes = plt.figure(figsize=(4, 4)).add_subplot()
    names = ct.plot.hierarchy(ct.examples.humanoid(joints=65), ax=axes)[2:]
    assert names[0].get_fontsize() < 5
    assert not texts_overlap(names)


def test_unusable_arguments_are_refused():
    body = ct.examples.humanoid()
    with pytest.raises(ValueError, match="rows is 0, expected 1 or more"):
        ct.plot.hierarchy(body, rows=0)
    with pytest.raises(TypeError, match="plot.hierarchy: skeleton is Clip, expected a Skeleton"):
        ct.plot.hierarchy(ct.examples.walk())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected flat axes"):
        ct.plot.hierarchy(body, ax=plt.figure().add_subplot(projection="3d"))
