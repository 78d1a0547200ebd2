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


# What stays free at each edge of the figure, a part of its size, and how much longer than wide, or wider than long, it may be.
_MARGIN, _LONGEST = 0.02, 2.5
# From an axis to the numbers at its ticks and to its name, in points of axes without zoom: matplotlib's own distances, and what it adds.
_TICK_PAD, _TICK_OFFSET, _NAME_PAD, _NAME_OFFSET = 2.0, 8.0, 6.0, 21.0


def fill(axes: Axes3D) -> None:
    """Give the figure the shape of the drawing, at about the same area, and let the drawing with its labels fill it.

    The axes must be alone in the figure.
    """
    figure = axes.get_figure()
    zoom = 1.0
    # Letters do not grow with the zoom, so it takes a few rounds.
    for i in range(4):
        x0, y0, x1, y1 = _drawn(axes)
        width, height = figure.get_size_inches()
        shape = np.clip((x1 - x0) / (y1 - y0), 1 / _LONGEST, _LONGEST)
        new_width = np.sqrt(width * height * shape)
        new_height = new_width / shape
        grown = min(new_width / (x1 - x0), new_height / (y1 - y0)) * figure.dpi * (1 - 2 * _MARGIN)
        # matplotlib draws 3D axes in the largest square of the figure.
        zoom *= grown * min(width, height) / min(new_width, new_height)
        figure.set_size_inches(new_width, new_height)
        axes.set_box_aspect(_lengths(axes), zoom=zoom)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            # matplotlib grows these distances with the zoom and shrinks them with a thin box; half way is never crowded.
            axis.set_tick_params(pad=(_TICK_PAD + _TICK_OFFSET) / zoom**0.5 - _TICK_OFFSET)
            axis.labelpad = (_NAME_PAD + _NAME_OFFSET) / zoom**0.5 - _NAME_OFFSET
        if i == 1:
            _thin_ticks(axes)
    x0, y0, x1, y1 = _drawn(axes)
    width, height = figure.bbox.size
    axes.set_position((0.5 - (x0 + x1) / 2 / width, 0.5 - (y0 + y1) / 2 / height, 1.0, 1.0))


def _drawn(axes: Axes3D) -> NDArray[np.float64]:
    """The box around all lines and labels, in pixels: left, bottom, right, top."""
    figure = axes.get_figure()
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    figure.draw_without_rendering()
    boxes = [axis.get_tightbbox() for axis in (axes.xaxis, axes.yaxis, axes.zaxis)]
    points = [box.get_points() for box in boxes if box is not None]
    # Collections know no box of their own; their segments are flat once they have been drawn.
    points += [axes.transData.transform(np.concatenate(lines.get_segments())) for lines in axes.collections]
    corners = np.concatenate(points)
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def _thin_ticks(axes: Axes3D) -> None:
    """No more ticks than an axis has room for as it is seen, and none on an axis that points at the eye."""
    from mpl_toolkits.mplot3d import proj3d  # type: ignore[import-untyped]

    figure = axes.get_figure()
    figure.draw_without_rendering()
    limits = np.array([axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d()])
    ends = np.tile(limits.mean(axis=1), (3, 2, 1))
    for k in range(3):
        ends[k, :, k] = limits[k]
    flat = np.transpose(proj3d.proj_transform(*ends.reshape(-1, 3).T, axes.get_proj())[:2])
    inches = np.linalg.norm(np.diff(axes.transData.transform(flat).reshape(3, 2, 2), axis=1)[:, 0], axis=-1) / figure.dpi
    scale = inches / _lengths(axes)
    for axis, seen, foreshortened in zip((axes.xaxis, axes.yaxis, axes.zaxis), inches, scale / scale.max(), strict=True):
        if seen < 0.3 or foreshortened < 0.3:
            axis.set_ticks([])
            axis.set_label_text("")
        else:
            _limit_ticks(axis, int(np.clip(seen / 0.6, 1, 6)))


def _limit_ticks(axis: Any, count: int) -> None:
    from matplotlib.ticker import MaxNLocator

    # Ticks that someone has set are left alone.
    if isinstance(axis.get_major_locator(), MaxNLocator):
        axis.get_major_locator().set_params(nbins=count, min_n_ticks=1)


def label(axes: Axes3D, up: str, unit: str) -> None:
    """Names and units, and no more ticks than there is room for."""
    suffix = f" [{unit}]" if unit else ""
    lengths = _lengths(axes)
    for axis, k, length in zip((axes.xaxis, axes.yaxis, axes.zaxis), AXES[up.removeprefix("+")], lengths, strict=True):
        letter, ticks = "xyz"[k], max(1, int(4 * length / lengths.max()))
        axis.set_label_text(f"{letter}{suffix}")
        axis.labelpad = 10 if axis is not axes.zaxis else 4
        _limit_ticks(axis, ticks)
