"""A mask on the body: how much each joint takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors
from canter._core import Clip, Pose
from canter.options import checked, expect_skeleton, numbers, up_axis
from canter.plot.bones import segments
from canter.plot.bones import skeleton as draw_skeleton
from canter.plot.figure import Axes3D, axes_3d, make_room

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import ArrayLike

    from canter._core import Skeleton

_WHERE = "plot.mask"
_THIN, _THICK = 1.2, 3.5  # points: a bone of weight 0, and of weight 1
_COLORBAR = 0.9  # inches


@checked("plot.mask")
def mask(
    skeleton: Skeleton,
    weights: ArrayLike,
    pose: Pose | None = None,
    *,
    ax: Axes3D | None = None,
    view: str | tuple[float, float] | None = None,
    colorbar: bool = True,
    ground: bool = False,
    up: str = "y",
    unit: str = "m",
) -> list[Artist]:
    """Draw a body with every bone in the colour of its weight.

    The weight of a joint is that of the bones which it turns: those from the joint to its children and tips. A dot at each joint shows it
    too. Weight 0 is thin and grey, and the more weight, the darker and thicker.

    Parameters
    ----------
    skeleton : Skeleton
    weights : array_like, shape (J,)
        Usually from 0 to 1, as `Skeleton.mask` makes them; the colours reach further where the weights do.
    pose : Pose, optional
        The rest pose by default.
    ax : Axes3D, optional
        Axes made with ``projection="3d"``; a new figure by default.
    view : {"three-quarter", "side", "front", "back", "top"} or (elevation, azimuth) in degrees, optional
        From where. The default keeps that of `ax`, or is "front" for a new figure.
    colorbar : bool, default True
        Draw the scale of the colours beside it.
    ground : bool, default False
        Draw a grid at height 0.
    up : {"y", "x", "z"}
        The axis that is drawn upward.
    unit : str, default "m"
        What the lengths are in; "" for none.

    Returns
    -------
    list of Artist
        A `Line3DCollection` with a line for each joint that has a parent and then each tip; a `Path3DCollection` with a dot for each joint;
        with `ground` the grid.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        `skeleton` is not a Skeleton, `pose` is not a Pose, or the weights are the name of a joint.
    ValueError
        The weights have another shape or are not finite, there is more than one pose or it does not fit the skeleton, or `ax` is flat.

    Examples
    --------
    >>> import canter as ct
    >>> body = ct.examples.humanoid()
    >>> bones, joints = ct.plot.mask(body, body.mask("Spine", depth=3))
    >>> np.asarray(joints.get_array())[:4].round(2)  # Hips, Spine, Chest, Head
    array([0.  , 0.33, 0.67, 1.  ])
    """
    expect_skeleton(_WHERE, skeleton)
    if isinstance(weights, str):
        raise TypeError(f"{_WHERE}: weights is {weights!r}, expected a number a joint; skeleton.mask({weights!r}) makes them")
    values = numbers(_WHERE, "weights", weights)
    if values.shape != (len(skeleton),):
        raise ValueError(f"{_WHERE}: weights have shape {values.shape}, expected ({len(skeleton)},), one a joint")
    if not np.isfinite(values).all():
        joint = int(np.argmin(np.isfinite(values)))
        raise ValueError(f"{_WHERE}: the weight of joint {joint} ({skeleton.names[joint]!r}) is {values[joint]}, expected a finite number")
    order = up_axis(up, _WHERE)
    pose = skeleton.rest if pose is None else pose
    if not isinstance(pose, Pose):
        advice = "; clip[0] is that of its first frame" if isinstance(pose, Clip) else ""
        raise TypeError(f"{_WHERE}: pose is {type(pose).__name__}, expected a Pose{advice}")
    if pose.shape:
        raise ValueError(f"{_WHERE}: pose has shape {pose.shape}, expected one pose")
    if ax is None:
        view = view or "front"
    else:
        axes_3d(ax, _WHERE)
    bones, *grid = draw_skeleton(skeleton, pose, ax=ax, view=view, ground=ground, up=up, unit=unit)

    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    # Light to dark at an even pace, and never as light as the paper: grey for what is left alone.
    palette = LinearSegmentedColormap.from_list("canter mask", colors.WEIGHTS)
    scale = ScalarMappable(Normalize(min(0.0, values.min()), max(1.0, values.max())), palette)
    scale.set_array(values)
    drawn: Any = bones
    axes = drawn.axes
    turning = _turning(skeleton, segments(skeleton, pose)[1])
    share = np.clip(np.abs(values), 0, 1)
    drawn.set_color(scale.to_rgba(values[turning]))
    drawn.set_linewidth(_THIN + (_THICK - _THIN) * share[turning])
    positions = skeleton.forward_kinematics(pose)[0][:, order]
    sizes = (2.5 + 2.5 * share) ** 2
    margins = axes.margins()
    dots = axes.scatter(*positions.T, c=values, cmap=palette, norm=scale.norm, s=sizes, depthshade=False, clip_on=False, zorder=5)
    axes.margins(*margins)  # scatter widens that of z alone, and scales would not be equal any more
    if colorbar and ax is None:
        side = make_room(axes, _COLORBAR)
        axes.get_figure().colorbar(scale, cax=side, label="weight")
    elif colorbar:
        axes.get_figure().colorbar(scale, ax=axes, label="weight", shrink=0.6, pad=0.12)
    return [bones, dots, *grid]


def _turning(skeleton: Skeleton, joints: list[int]) -> list[int]:
    """The joint that turns each bone: the parent of the joint at its end; a tip hangs from its own."""
    tips = len(skeleton.tips)
    bones = joints[: len(joints) - tips]
    return [int(skeleton.parents[joint]) for joint in bones] + joints[len(bones) :]
