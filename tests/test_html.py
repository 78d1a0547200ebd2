"""What a notebook shows."""

import xml.etree.ElementTree as ElementTree

import numpy as np

import canter as ct


def lines(html):
    """The lines of every figure, (figures, lines, 4)."""
    groups = ElementTree.fromstring(html).findall(".//{*}g")
    return np.array([[[float(line.get(key)) for key in ("x1", "y1", "x2", "y2")] for line in group] for group in groups])


def test_a_skeleton_is_a_picture_and_a_table(make_skeleton):
    skeleton = make_skeleton(65)
    html = skeleton._repr_html_()
    assert lines(html).shape == (1, 64, 4)
    assert "<th>joints</th><td>65</td>" in html
    head, foot = skeleton.index("HeadTop"), skeleton.index("LeftToe")
    ends = dict(zip(np.flatnonzero(skeleton.parents >= 0), lines(html)[0, :, 2:], strict=True))
    assert ends[head][1] < 20 < 120 < ends[foot][1], "up is up"
    assert ends[foot][0] > ends[skeleton.index("RightToe")][0], "seen from ahead, left is on the right"


def test_a_clip_is_a_strobe_that_fits(make_clip):
    html = make_clip(41, 22, name="walk <1>", tags=["walk"])._repr_html_()
    shown = lines(html)
    assert shown.shape == (7, 21, 4)
    assert shown.min() >= 4
    assert shown[..., 0::2].max() <= 480
    assert shown[..., 1::2].max() <= 160
    assert "walk &lt;1&gt;" in html
    assert "41 at 60 fps" in html


def test_few_frames_and_no_bones_are_shown_too(make_clip):
    assert len(lines(make_clip(2, 22)._repr_html_())) == 2
    assert "<svg" not in make_clip(2, 22)[:0]._repr_html_()
    dot = ct.Skeleton(["<root>" * 30], [-1], [(0, 0, 0)])
    html = dot._repr_html_()
    assert "<svg" not in html
    assert "&lt;root&gt;" in html
    assert len(html) < 1000
