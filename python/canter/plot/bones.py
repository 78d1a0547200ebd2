"""A skeleton in 3D: one pose, or a strobe of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors, quat
from canter._core import Clip, Pose, Skeleton
from canter.options import checked, expect_skeleton, up_axis
from canter.options import joints as named
from canter.plot import ground as ground_grid
from canter.plot.figure import Axes3D, axes_3d, fill, fills_figure, fit, label_axes, set_view, shown_name, thin_ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

_WHERE = "plot.skeleton"
_FARTHEST = 1e30
_SMALL = 7  # points, of the names of joints
_APART, _POSES = 0.18, (4, 8)  # how far apart the poses of a strobe are at least, in heights, and how many


@checked("plot.skeleton")
def skeleton(
    skeleton: Skeleton,
    pose: Pose | Clip | ArrayLike | None = None,
    *,
    ax: Axes3D | None = None,
    view: str | tuple[float, float] | None = None,
    strobe: int | None = None,
    spacing: float = 0.0,
    color: ColorType | None = None,
    label: str = "",
    names: bool | Sequence[str | int] = False,
    joint_axes: float = 0.0,
    ground: bool = True,
    up: str = "y",
    unit: str = "m",
    fade: float = 0.25,
    linewidth: float = 2.0,
) -> list[Artist]:
    """Draw a skeleton in 3D: one pose, or a strobe of several.

    Left limbs are blue, right limbs orange, the rest is grey. Scales are equal on all axes. For several bodies call it again with the same
    `ax`, and with a `color` and a `label` for each.

    Parameters
    ----------
    skeleton : Skeleton
    pose : Pose, Clip or array_like, optional
        The rest pose by default. One pose, or a batch of any shape, oldest first: earlier poses are fainter. Of a clip, `strobe` frames.
        An array holds local rotations, shape (..., J, 4), or the positions of all joints, shape (..., J, 3), which say nothing of tips.
    ax : Axes3D, optional
        Axes made with ``projection="3d"``; a new figure by default. What is on them stays, and the limits grow to hold both.
    view : {"three-quarter", "side", "front", "back", "top"} or (elevation, azimuth) in degrees, optional
        From where, for a character that faces as `load` turns it; the last four without perspective. The default keeps that of `ax`; a new
        figure shows poses that travel from beside their path, with the way ahead to the right, and others from three quarters.
    strobe : int, optional
        How many poses of a clip, evenly spread from its first frame to its last. The default is 4 to 8, the more the farther it travels.
    spacing : float, default 0
        How far apart poses are drawn that in truth stand in the same place, in lengths of the skeleton, to the right as seen. The axes
        along which they are moved have no numbers then.
    color : color, optional
        One colour for the whole body instead of those of its sides; `canter.colors.BODIES` go well together.
    label : str, default ""
        What ``ax.legend()`` calls the body.
    names : bool or sequence of (str or int), default False
        Write the names of all joints, or of these, beside the last pose.
    joint_axes : float, default 0
        How long to draw the axes of each joint, in lengths of the skeleton: x vermilion, y green, z blue.
    ground : bool, default True
        Draw a grid at height 0. Axes have one, which grows.
    up : {"y", "x", "z"}
        The axis that is drawn upward. Clips that `load` turned to the axes of canter have +Y up.
    unit : str, default "m"
        What the lengths are in, for the axes' labels; "" for none.
    fade : float, default 0.25
        How opaque the oldest of several poses is; the last is 1.
    linewidth : float, default 2.0
        Of the bones, in points.

    Returns
    -------
    list of Artist
        A `Line3DCollection` for each pose, oldest first, with a line for each joint that has a parent and then each tip; with `joint_axes`
        one for each pose; with `names` a `Text3D` for each; then, with `ground`, the grid. A root that only carries the body, which walks
        away from it, gets no line.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        `skeleton` is not a Skeleton.
    ValueError
        `up` is no axis, `view` is none, `fade` is not between 0 and 1, `strobe` is not above 0, `ax` is flat, the pose does not fit the
        skeleton, or `joint_axes` are asked of positions.

    Examples
    --------
    >>> import canter as ct
    >>> clip = ct.examples.walk()
    >>> artists = ct.plot.skeleton(clip.skeleton, clip.sample([0.0, 0.3, 0.6, 0.9]))
    >>> len(artists)  # four poses and the ground
    5
    >>> artists = ct.plot.skeleton(clip.skeleton, clip.in_place(), strobe=6, spacing=0.8, view="side")
    """
    expect_skeleton(_WHERE, skeleton)
    order = up_axis(up, _WHERE)
    if not 0 <= fade <= 1:
        raise ValueError(f"{_WHERE}: fade is {fade:g}, expected 0 to 1")
    if pose is None:
        pose = skeleton.rest
    if not isinstance(pose, Pose | Clip):
        skeleton, pose = _posed(skeleton, np.asarray(pose), joint_axes)
    poses = _strobe(pose, strobe)
    bones, joints = segments(skeleton, poses)
    check_size(bones, _WHERE)
    bones = bones[..., order]
    axes = axes_3d(ax, _WHERE)
    if view is not None:
        set_view(axes, view, _WHERE)
    elif ax is None and _travels(bones):
        set_view(axes, (6.0, _beside(bones)), _WHERE, perspective=False)
    shift = _shift(axes, len(bones), spacing)
    bones = bones + shift[:, None, None]
    had_data = axes.has_data()

    from matplotlib.colors import to_rgb

    sides = skeleton.sides
    full = np.array([to_rgb(colors.SIDES[sides[joint]] if color is None else color) for joint in joints]).reshape(-1, 3)
    artists = [
        add_lines(axes, lines, _faded(axes, full, i, len(bones), fade), linewidth, label=label if i == len(bones) - 1 else "")
        for i, lines in enumerate(bones)
    ]
    if joint_axes:
        artists += _joint_axes(axes, skeleton, poses, joint_axes, order, shift, fade)
    words = _names(axes, skeleton, poses, names, order, shift) if names is not False and len(bones) else []
    artists += words

    points = bones.reshape(-1, 3)
    if ground and points.size:
        grid, lines = ground_grid.spread(axes, points)
        artists.append(grid)
        points = np.concatenate([points, lines.reshape(-1, 3)])
    if points.size:
        fit(axes, points, had_data)
    label_axes(axes, up, unit)
    _hide_numbers_along(axes, shift)
    if fills_figure(axes):
        fill(axes)
    elif view is not None and points.size:
        thin_ticks(axes)
    if words:
        _part(axes, words)
    return artists


def _posed(skeleton: Skeleton, array: NDArray[Any], joint_axes: float) -> tuple[Skeleton, Pose]:
    """Rotations as poses; positions as poses of a skeleton without tips, whose joints do not turn."""
    count = len(skeleton)
    if array.ndim < 2 or array.shape[-2] != count or array.shape[-1] not in (3, 4):
        raise ValueError(
            f"plot.skeleton: pose has shape {array.shape}, expected (..., {count}, 4) of rotations or (..., {count}, 3) of positions"
        )
    if array.shape[-1] == 4:
        return skeleton, Pose(array)
    if joint_axes:
        raise ValueError("plot.skeleton: positions do not tell joint_axes; give rotations, a Pose or a Clip")
    parents = skeleton.parents
    local = np.where((parents >= 0)[:, None], array - array[..., parents, :], array)
    still = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*array.shape[:-1], 4))
    return Skeleton(skeleton.names, parents, skeleton.offsets), Pose(still, local)


def segments(skeleton: Skeleton, pose: Pose | Clip) -> tuple[NDArray[np.float32], list[int]]:
    """Lines from parents to joints and from joints to tips, (poses, bones, 2, 3), and the joint at the end of each or before its tip."""
    positions = skeleton.forward_kinematics(pose)[0]
    positions = positions.reshape(-1, *positions.shape[-2:])
    tips = skeleton.tip_positions(pose).reshape(len(positions), len(skeleton.tips), 3)
    tip_joints = [joint for joint, _ in skeleton.tips]
    joints = np.setdiff1d(np.flatnonzero(skeleton.parents >= 0), carried(skeleton, positions))
    starts = np.concatenate([skeleton.parents[joints], np.array(tip_joints, dtype=np.intp)])
    ends = np.concatenate([positions[:, joints], tips], axis=1)
    return np.stack([positions[:, starts], ends], axis=2), joints.tolist() + tip_joints


def check_size(bones: NDArray[np.float32], where: str) -> None:
    """Refuse bodies that are too far away for matplotlib to measure."""
    if not np.all(np.abs(bones) < _FARTHEST):
        raise ValueError(f"{where}: a joint is {_FARTHEST:g} or more from the origin, too far to draw; check the clip's translations")


def carried(skeleton: Skeleton, positions: NDArray[np.float32]) -> NDArray[np.intp]:
    """Joints whose parent is a root that only says where the world is, as some rigs have one: they walk away from it."""
    parents = skeleton.parents
    child_count = np.bincount(parents[parents >= 0], minlength=len(parents))
    alone = np.flatnonzero((parents >= 0) & (parents[parents] < 0) & (child_count[parents] == 1))
    if not positions.size:
        return alone[:0]
    lengths = np.linalg.norm(positions[:, alone] - positions[:, parents[alone]], axis=-1)
    change = np.abs(lengths - np.linalg.norm(skeleton.offsets[alone], axis=-1))
    return alone[np.any(change > 0.01 * np.ptp(positions), axis=0)]


def _strobe(pose: Pose | Clip, count: int | None) -> Pose | Clip:
    if count is not None and count < 1:
        raise ValueError(f"{_WHERE}: strobe is {count}, expected 1 or more poses")
    if not isinstance(pose, Clip) or not len(pose):
        return pose

    def spread(count: int) -> Pose:
        return pose.poses[np.unique(np.linspace(0, len(pose) - 1, min(count, len(pose))).round().astype(int))]

    if count is None:
        positions = pose.skeleton.forward_kinematics(spread(16))[0].astype(np.float64)
        size = np.ptp(positions, axis=1).max()
        way = np.linalg.norm(np.diff(positions.mean(axis=1), axis=0), axis=-1).sum()
        count = int(np.clip(1 + way / (_APART * size), *_POSES)) if size > 0 else 1
    return spread(count)


def _travels(bones: NDArray[np.float32]) -> bool:
    """Do several poses stand well apart from each other, on the ground?"""
    if len(bones) < 2 or not bones.size:
        return False
    width = np.ptp(bones[..., :2], axis=(1, 2)).max(axis=-1).mean()
    return bool(np.linalg.norm(_way(bones)) > 1.5 * width)


def _way(bones: NDArray[np.float32]) -> NDArray[np.float64]:
    places: NDArray[np.float64] = bones[..., :2].astype(np.float64).mean(axis=(1, 2))
    way: NDArray[np.float64] = places[-1] - places[0]
    return way


def _beside(bones: NDArray[np.float32]) -> float:
    """The azimuth from which the way from the first pose to the last goes to the right, in degrees."""
    x, y = _way(bones)
    return float(np.degrees(np.arctan2(y, x)) - 90)


def _shift(axes: Axes3D, count: int, spacing: float) -> NDArray[np.float32]:
    """Where each of the poses is moved to, (poses, 3): along the ground, to the right as seen."""
    azimuth = np.radians(axes.azim)
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    shift: NDArray[np.float32] = (spacing * np.arange(count)[:, None] * right).astype(np.float32)
    return shift


def _hide_numbers_along(axes: Axes3D, shift: NDArray[np.float32]) -> None:
    """Poses that were moved do not stand where the numbers say."""
    for axis, moved in zip((axes.xaxis, axes.yaxis), np.ptp(shift[:, :2], axis=0) if len(shift) else (), strict=False):
        if moved > 1e-6:
            axis.set_ticks([])
            axis.set_label_text("")


def _faded(axes: Axes3D, full: NDArray[np.float64], index: int, count: int, fade: float) -> NDArray[np.float64]:
    """Mixed with the paper rather than see-through, which would darken every joint where two bones meet."""
    from matplotlib.colors import to_rgb

    ink = 1.0 if count == 1 else fade + (1 - fade) * index / (count - 1)
    mixed: NDArray[np.float64] = ink * full + (1 - ink) * np.array(to_rgb(axes.get_facecolor()))
    return mixed


def add_lines(axes: Axes3D, lines: Any, color: Any, width: float, label: str = "") -> Any:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    drawn = Line3DCollection(lines, colors=color, linewidths=width, capstyle="round", clip_on=False, label=label or "_bones")
    axes.add_collection(drawn, autolim=False)
    return drawn


def _joint_axes(
    axes: Axes3D, skeleton: Skeleton, poses: Pose | Clip, length: float, order: tuple[int, ...], shift: NDArray[np.float32], fade: float
) -> list[Artist]:
    positions, rotations = skeleton.forward_kinematics(poses)
    joints = len(skeleton)
    starts = positions.reshape(-1, joints, 1, 3)
    ends = starts + length * quat.rotate(rotations.reshape(-1, joints, 1, 4), np.eye(3, dtype=np.float32))
    lines = np.stack(np.broadcast_arrays(starts, ends), axis=-2)[..., order] + shift[:, None, None, None]
    from matplotlib.colors import to_rgb

    full = np.tile([to_rgb(color) for color in colors.AXES], (joints, 1))
    return [add_lines(axes, each.reshape(-1, 2, 3), _faded(axes, full, i, len(lines), fade), 1.0) for i, each in enumerate(lines)]


def _names(
    axes: Axes3D,
    skeleton: Skeleton,
    poses: Pose | Clip,
    names: bool | Sequence[str | int],
    order: tuple[int, ...],
    shift: NDArray[np.float32],
) -> list[Artist]:
    from matplotlib.patheffects import withStroke
    from mpl_toolkits.mplot3d import proj3d  # type: ignore[import-untyped]

    joints = range(len(skeleton)) if isinstance(names, bool) else named("plot.skeleton", "names", skeleton, names)
    positions = skeleton.forward_kinematics(poses)[0].reshape(-1, len(skeleton), 3)[-1][:, order] + shift[-1]
    across = proj3d.proj_transform(*positions.T, axes.get_proj())[0]
    # Away from the body, so that names of its two sides do not meet.
    outward = across < np.mean(across) - 0.02 * np.ptp(across)
    halo = [withStroke(linewidth=2, foreground=axes.get_facecolor(), alpha=0.75)]
    return [
        axes.text(
            *positions[j],
            f"{shown_name(skeleton.names[j])}  " if outward[j] else f"  {shown_name(skeleton.names[j])}",
            fontsize=_SMALL,
            ha="right" if outward[j] else "left",
            va="center",
            zorder=10,
            path_effects=halo,
            parse_math=False,
        )
        for j in joints
    ]


def _part(axes: Axes3D, words: list[Any]) -> None:
    """Move names that cover earlier ones up or down by a line or two."""
    from matplotlib.transforms import ScaledTranslation

    figure = axes.get_figure()
    figure.draw_without_rendering()
    placed: list[Any] = []
    for word in words:
        box = _box_of(axes, word)
        shifts = [lines * box.height for lines in (0, 1, -1, 2, -2, 3, -3)]
        shift = next((up for up in shifts if not any(box.translated(0, up).overlaps(other) for other in placed)), 0)
        if shift:
            word.set_transform(word.get_transform() + ScaledTranslation(0, shift / figure.dpi, figure.dpi_scale_trans))
        placed.append(box.translated(0, shift))


def _box_of(axes: Axes3D, word: Any) -> Any:
    """Where a text in 3D is seen, in pixels; between drawings matplotlib does not know."""
    from matplotlib.transforms import Bbox
    from mpl_toolkits.mplot3d import proj3d

    size = word.get_window_extent()
    x, y = word.get_transform().transform(proj3d.proj_transform(*word.get_position_3d(), axes.get_proj())[:2])
    return Bbox.from_bounds(x - (size.width if word.get_ha() == "right" else 0), y - size.height / 2, size.width, size.height)
