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


def stands(spans, times):
    return np.any([(a <= times) & (times <= b) for a, b in spans], axis=0) if len(spans) else np.zeros(len(times), dtype=bool)


@pytest.mark.parametrize("name", ["idle", "walk", "run", "jump", "start", "turn_in_place_left"])
@pytest.mark.parametrize("cut", [slice(20, 24), slice(10, 30), slice(5, 55), slice(40, None), slice(None, None, -1), slice(50, 10, -2)])
def test_a_slice_has_the_contacts_of_its_frames(name, cut):
    whole = ct.examples.clips()[name]
    part = whole[cut]
    middles = (np.arange(len(part) - 1) + 0.5) * part.frame_time  # of frames, where no foot comes or goes
    first = range(*cut.indices(len(whole)))[0] * whole.frame_time
    there = first + (-1 if (cut.step or 1) < 0 else 1) * middles
    for foot in ("left", "right"):
        down, seen = (stands(contacts.of_clip(clip)[foot], times) for clip, times in ((whole, there), (part, middles)))
        edges = np.concatenate([contacts.of_clip(whole)[foot].ravel(), [np.inf]])
        clear = np.abs(there[:, None] - edges).min(axis=1) > 1e-6
        np.testing.assert_array_equal(seen[clear], down[clear])


def test_contacts_told_by_their_ends_alone_are_cut_too():
    foot = clip(left_up=[1.5])  # down from the start
    assert foot[3:6].markers["left_down"].tolist() == [0.0]
    assert contacts.of_clip(foot[3:6])["left"] == pytest.approx(np.array([(0, 0.2)]))
    assert contacts.of_clip(foot[::-1])["left"] == pytest.approx(np.array([(0.5, 2.0)]))
    assert contacts.of_clip(foot[16:])["left"].size == 0
    assert clip(clap=[0.5])[10:].markers["clap"].size == 0
    assert clip(left_down=[], left_up=[])[3:6].markers["left_down"].size == 0
