"""3D figures and axes for skeletons, and how much of them a drawing takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

# mpl_toolkits ships no types.
Axes3D: TypeAlias = Any

# Which of our axes goes along matplotlib's x, y and z, whose z is drawn upward: rotations, so left stays left.
AXES = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}

_MISSING = "canter.plot needs matplotlib; install it with: pip install 'canter[plot]'"


def new_figure() -> Figure:
    """A figure that no window will show, for files."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return Figure(figsize=(8, 5))


def new_axes(figure: Any, *, elevation: float = 12.0, azimuth: float = -60.0) -> Axes3D:
    """3D axes that fill a figure, without walls: the ground and three labelled edges are enough to read a pose."""
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    axes.view_init(elev=elevation, azim=azimuth)
    axes.grid(False)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.set_visible(False)
    return axes


def axes_3d(ax: Any, where: str) -> Axes3D:
    """`ax` when it is 3D, or the axes of a new figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(_MISSING) from error
    if ax is None:
        ax = new_axes(plt.figure(figsize=(8, 5)))
    if not hasattr(ax, "get_zlim"):
        raise ValueError(f"{where}: ax is {type(ax).__name__}, expected 3D axes: figure.add_subplot(projection='3d')")
    return ax


def _lengths(axes: Axes3D) -> NDArray[np.float64]:
    return np.array([high - low for low, high in (axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d())])


def fit(axes: Axes3D, points: NDArray[np.float32], had_data: bool) -> None:
    """Grow the limits to hold the points, with the same scale along all three."""
    axes.auto_scale_xyz(*points.T, had_data=had_data)
    axes.set_box_aspect(_lengths(axes))


def fill(axes: Axes3D) -> None:
    """Zoom so that the box with its labels fills the figure, of which the axes have all."""
    from mpl_toolkits.mplot3d import proj3d  # type: ignore[import-untyped]

    limits = axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d()
    corners = np.array(np.meshgrid(*limits)).reshape(3, -1)
    x, y, _ = proj3d.proj_transform(*corners, axes.get_proj())
    width, height = axes.get_figure().get_size_inches()
    # matplotlib draws 3D axes in the largest square of the figure.
    square = min(width, height)
    zoom = min(0.68 * width / square * axes.viewLim.width / np.ptp(x), 0.74 * height / square * axes.viewLim.height / np.ptp(y))
    axes.set_box_aspect(_lengths(axes), zoom=zoom)


def label(axes: Axes3D, up: str, unit: str) -> None:
    """Names and units, and no more ticks than there is room for."""
    suffix = f" [{unit}]" if unit else ""
    lengths = _lengths(axes)
    for axis, k, length in zip((axes.xaxis, axes.yaxis, axes.zaxis), AXES[up.removeprefix("+")], lengths, strict=True):
        letter, ticks = "xyz"[k], 4 if length > 0.5 * lengths.max() else 1
        axis.set_label_text(f"{letter}{suffix}")
        axis.labelpad = 10 if axis is not axes.zaxis else 4
        axis.get_major_locator().set_params(nbins=ticks)
