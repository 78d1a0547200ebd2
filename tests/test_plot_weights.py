"""Masks on the body."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import canter as ct
from canter import colors

pytestmark = pytest.mark.usefixtures("closed_figures")

BODY = ct.examples.humanoid()


def bone(skeleton, name):
    """The line from a joint's parent to the joint."""
    return [j for j, parent in enumerate(skeleton.parents) if parent >= 0].index(skeleton.index(name))


def test_bones_have_the_colour_of_the_joint_that_turns_them():
    bones, joints = ct.plot.mask(BODY, BODY.mask("LeftForeArm"))
    none, full = to_rgb(colors.WEIGHTS[0]), to_rgb(colors.WEIGHTS[-1])
    ink = np.asarray(bones.get_color())[:, :3]
    assert np.allclose(ink[bone(BODY, "LeftHand")], full)  # turned by the forearm
    assert np.allclose(ink[bone(BODY, "LeftForeArm")], none)  # turned by the upper arm
    tips = [joint for joint, _ in BODY.tips]
    assert np.allclose(ink[len(BODY) - 1 + tips.index(BODY.index("LeftHand"))], full)
    assert np.asarray(joints.get_array())[BODY.index("LeftForeArm")] == 1


def test_weight_is_told_by_thickness_too():
    bones, _ = ct.plot.mask(BODY, BODY.mask("Spine", depth=2))
    widths = np.asarray(bones.get_linewidth())
    hips_to_spine, spine_to_chest, chest_to_head = (widths[bone(BODY, name)] for name in ("Spine", "Chest", "Head"))
    assert hips_to_spine < spine_to_chest < chest_to_head


def test_the_scale_of_colours_stands_beside():
    axes = ct.plot.mask(BODY, np.linspace(0, 1, len(BODY)))[0].axes
    main, bar = axes.get_figure().axes
    assert bar.get_ylabel() == "weight"
    assert bar.get_ylim() == (0, 1)
    boxes = [each.get_tightbbox() for each in (main.xaxis, bar)]
    axes.get_figure().draw_without_rendering()
    assert not boxes[0].overlaps(boxes[1])
    alone = ct.plot.mask(BODY, np.zeros(len(BODY)), colorbar=False)[0].axes
    assert len(alone.get_figure().axes) == 1


def test_weights_beyond_one_stretch_the_scale():
    weights = np.zeros(len(BODY))
    weights[3], weights[4] = 2.0, -0.5
    axes = ct.plot.mask(BODY, weights)[0].axes
    assert axes.get_figure().axes[1].get_ylim() == (-0.5, 2.0)


def test_any_pose_on_any_axes():
    axes = plt.figure().add_subplot(projection="3d")
    walk = ct.examples.walk()
    bones, joints, ground = ct.plot.mask(walk.skeleton, np.ones(18), walk[20], ax=axes, ground=True)
    assert bones.axes is axes
    assert joints.axes is axes
    head = walk.global_positions()[20, walk.skeleton.index("Head")]
    assert np.allclose(np.array(joints._offsets3d)[:, walk.skeleton.index("Head")], head[[2, 0, 1]], atol=1e-6)


@pytest.mark.parametrize("own", [True, False])
def test_scales_are_equal_on_all_axes(own):
    ax = None if own else plt.figure().add_subplot(projection="3d")
    axes = ct.plot.mask(BODY, BODY.mask("Spine"), ax=ax)[0].axes
    axes.get_figure().draw_without_rendering()  # matplotlib may scale when it draws
    ratio = axes.get_box_aspect() / [np.ptp(limits) for limits in (axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d())]
    assert np.allclose(ratio, ratio[0])


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"weights have shape \(3,\), expected \(18,\), one a joint"):
        ct.plot.mask(BODY, [0, 1, 0])
    with pytest.raises(ValueError, match="the weight of joint 2 .'Chest'. is nan"):
        ct.plot.mask(BODY, np.where(np.arange(18) == 2, np.nan, 0))
    with pytest.raises(ValueError, match=r"pose has shape \(61,\), expected one pose"):
        ct.plot.mask(BODY, np.zeros(18), ct.examples.walk().poses)
    with pytest.raises(TypeError, match=r"weights is 'Spine', expected a number a joint; skeleton.mask\('Spine'\) makes them"):
        ct.plot.mask(BODY, "Spine")
    with pytest.raises(TypeError, match=r"plot.mask: pose is Clip, expected a Pose; clip\[0\]"):
        ct.plot.mask(BODY, np.zeros(18), ct.examples.walk())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="plot.mask: skeleton is Clip, expected a Skeleton"):
        ct.plot.mask(ct.examples.walk(), np.zeros(18))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plot.mask: ax is Axes, .*projection='3d'"):
        ct.plot.mask(BODY, np.zeros(18), ax=plt.figure().add_subplot())
