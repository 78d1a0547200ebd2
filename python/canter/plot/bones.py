"""A skeleton in 3D: one pose, or a strobe of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.colors import GROUND, SIDES
from canter.plot.figure import AXES, Axes3D, axes_3d, fill, fit, label

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import NDArray

    from canter._core import Pose, Skeleton


def skeleton(
    skeleton: Skeleton,
    pose: Pose,
    *,
    ax: Axes3D | None = None,
    ground: bool = True,
    up: str = "y",
    unit: str = "m",
    fade: float = 0.25,
    linewidth: float = 2.0,
) -> list[Artist]:
    """Draw a skeleton in 3D: one pose, or a strobe of several.

    Left limbs are blue, right limbs orange, the rest is grey. Scales are equal on all axes.

    Parameters
    ----------
    skeleton : Skeleton
    pose : Pose
        One pose, or a batch of any shape, oldest first: earlier poses are fainter.
    ax : Axes3D, optional
        Axes made with ``projection="3d"``; a new figure by default. What is on them stays, and the limits grow to hold both.
    ground : bool, default True
        Draw a grid at height 0.
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
        A `Line3DCollection` for each pose, oldest first, with a line for each joint that has a parent and then each tip; then, with
        `ground`, one for the grid. A root that only carries the body, which walks away from it, gets no line.

    Raises
    ------
    ImportError
        matplotlib is not there.
    ValueError
        `up` is no axis, `fade` is not between 0 and 1, `ax` is flat, or the pose does not fit the skeleton.

    Examples
    --------
    >>> import canter as ct
    >>> from canter import demo
    >>> clip = demo.walk()
    >>> artists = ct.plot.skeleton(clip.skeleton, clip.sample([0.0, 0.3, 0.6, 0.9]))
    >>> len(artists)  # four poses and the ground
    5
    """
    if up.removeprefix("+") not in AXES:
        raise ValueError(f"plot.skeleton: up is {up!r}, expected one of {', '.join(map(repr, AXES))}")
    if not 0 <= fade <= 1:
        raise ValueError(f"plot.skeleton: fade is {fade}, expected 0 to 1")
    axes = axes_3d(ax, "plot.skeleton")
    had_data = axes.has_data()
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    bones, joints = _bones(skeleton, pose)
    bones = bones[..., AXES[up.removeprefix("+")]]
    sides = skeleton.sides
    colors = np.array([to_rgb(SIDES[sides[joint]]) for joint in joints])
    paper = np.array(to_rgb(axes.get_facecolor()))
    count = len(bones)
    artists: list[Artist] = []
    for i, segments in enumerate(bones):
        # Mixed with the paper rather than see-through, which would darken every joint where two bones meet.
        ink = 1.0 if count == 1 else fade + (1 - fade) * i / (count - 1)
        mixed = ink * colors + (1 - ink) * paper
        drawn = Line3DCollection(segments, colors=mixed, linewidths=linewidth, capstyle="round", clip_on=False)
        axes.add_collection3d(drawn, autolim=False)
        artists.append(drawn)

    points = bones.reshape(-1, 3)
    if ground and count:
        grid = _ground(points)
        drawn = Line3DCollection(grid, colors=GROUND, linewidths=0.6, clip_on=False)
        axes.add_collection3d(drawn, autolim=False)
        artists.append(drawn)
        points = np.concatenate([points, grid.reshape(-1, 3)])
    if count:
        fit(axes, points, had_data)
    label(axes, up, unit)
    if ax is None:
        fill(axes)
    return artists


def _bones(skeleton: Skeleton, pose: Pose) -> tuple[NDArray[np.float32], list[int]]:
    """Lines from parents to joints and from joints to tips, (poses, bones, 2, 3), and the joint at the end of each or before its tip."""
    positions = skeleton.forward_kinematics(pose)[0]
    positions = positions.reshape(-1, *positions.shape[-2:])
    tips = skeleton.tip_positions(pose).reshape(len(positions), len(skeleton.tips), 3)
    joints = [j for j, parent in enumerate(skeleton.parents) if parent >= 0 and not carries(skeleton, positions, int(parent), j)]
    tip_joints = [joint for joint, _ in skeleton.tips]
    starts = np.concatenate([skeleton.parents[joints], np.array(tip_joints, dtype=np.intp)])
    ends = np.concatenate([positions[:, joints], tips], axis=1)
    return np.stack([positions[:, starts], ends], axis=2), joints + tip_joints


def carries(skeleton: Skeleton, positions: NDArray[np.float32], parent: int, joint: int) -> bool:
    """Is `parent` a root that only says where the world is, as some rigs have one? Then its joint walks away from it."""
    if skeleton.parents[parent] >= 0 or len(skeleton.children(parent)) > 1 or not len(positions):
        return False
    lengths = np.linalg.norm(positions[:, joint] - positions[:, parent], axis=-1)
    return bool(np.any(np.abs(lengths - np.linalg.norm(skeleton.offsets[joint])) > 0.01 * np.ptp(positions)))


def _step(length: float) -> float:
    """A round number (1, 2 or 5 times a power of ten) that divides a length into about eight."""
    if not length > 0:
        return 1.0
    raw = length / 8
    power = 10.0 ** np.floor(np.log10(raw))
    return float(power * min((1, 2, 5, 10), key=lambda digit: abs(digit * power - raw)))


def _ground(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lines of a grid at height 0 below the points, a margin wider than they are: (lines, 2, 3)."""
    low, high = points.min(axis=0), points.max(axis=0)
    step = _step(float(max(high - low)))
    first, last = np.floor(low / step - 0.25), np.ceil(high / step + 0.25)
    x, y = (step * np.arange(first[k], last[k] + 1) for k in range(2))
    lines = [[(v, y[0], 0.0), (v, y[-1], 0.0)] for v in x] + [[(x[0], v, 0.0), (x[-1], v, 0.0)] for v in y]
    return np.array(lines, dtype=np.float32)
