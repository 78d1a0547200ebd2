"""When feet are down, from the markers of clips."""

import numpy as np
import pytest

import canter as ct
from canter import contacts


def clip(seconds=2.0, looping=False, **markers):
    skeleton = ct.Skeleton(["Hips"], [-1], [(0, 1, 0)])
    return ct.Clip(skeleton, np.tile([1.0, 0, 0, 0], (int(seconds * 10) + 1, 1, 1)), fps=10, looping=looping, markers=markers)


@pytest.mark.parametrize(
    ("down", "up", "spans"),
    [
        ([0.2, 1.2], [0.8, 1.8], [(0.2, 0.8), (1.2, 1.8)]),
        ([1.2], [0.8, 1.8], [(0, 0.8), (1.2, 1.8)]),  # down from the start
        ([0.2, 1.2], [0.8], [(0.2, 0.8), (1.2, 2.0)]),  # and to the end
        ([0.5, 1.0], [1.0, 1.5], [(0.5, 1.0), (1.0, 1.5)]),
        ([0.5], [], [(0.5, 2.0)]),
        ([], [0.5], [(0, 0.5)]),
        ([0.0], [0.0, 0.4], [(0, 0.4)]),
        ([], [], []),
    ],
)
def test_spans_run_from_down_to_up(down, up, spans):
    found = contacts.of_clip(clip(left_down=down, left_up=up))["left"]
    np.testing.assert_allclose(found, np.reshape(spans, (-1, 2)))


def test_each_foot_has_its_own_spans():
    found = contacts.of_clip(clip(left_down=[0.1], left_up=[0.4], right_down=[0.5], right_up=[0.9], clap=[0.2]))
    assert {foot: spans.tolist() for foot, spans in found.items()} == {"left": [[0.1, 0.4]], "right": [[0.5, 0.9]]}


def test_a_walk_has_each_foot_down_for_its_part_of_the_cycle():
    found = contacts.of_clip(ct.examples.walk(contact=0.6))
    assert {foot: float(np.diff(spans).sum()) for foot, spans in found.items()} == pytest.approx({"left": 0.6, "right": 0.6})


def test_contacts_go_on_across_the_seam_of_a_loop():
    walk = ct.examples.walk()
    found = contacts.over_cycles(contacts.of_clip(walk), walk.period, 3)
    np.testing.assert_allclose(found["left"], [(0, 0.6), (1, 1.6), (2, 2.6)])
    np.testing.assert_allclose(found["right"], [(0, 0.1), (0.5, 1.1), (1.5, 2.1), (2.5, 3.0)])


def test_a_clip_without_markers_has_no_contacts():
    assert contacts.of_clip(clip()) == {}
    assert contacts.of_clip(clip(clap=[0.5])) == {}


def test_spans_that_are_none_are_refused():
    for wrong in ([0.1, 0.2, 0.3], [(0.5, 0.1)], [(0, np.nan)]):
        with pytest.raises(ValueError, match=r"plot.curves: contacts\['left'\].*expected \(N, 2\)"):
            contacts.given({"left": wrong}, "plot.curves")
    assert contacts.given({"left": []}, "plot.curves")["left"].shape == (0, 2)
