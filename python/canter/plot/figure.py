"""3D figures and axes for skeletons, and how much of them a drawing takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from canter.options import AXES, among, pair

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

# mpl_toolkits ships no types.
Axes3D: TypeAlias = Any

# From where: elevation and azimuth in degrees, for a character that faces along matplotlib's x. All but the first without perspective.
VIEWS = {"three-quarter": (12.0, -60.0), "side": (4.0, -90.0), "front": (4.0, 0.0), "back": (4.0, 180.0), "top": (89.9, -90.0)}

_SMALL, _LETTER, _HANDLE = 9.0, 0.078, 0.55  # points of words in a legend; inches of a letter and of what stands before them
_LETTERS = 32  # of a name, at most

_MISSING = "canter.plot needs matplotlib; install it with: pip install 'canter[plot]'"


def new_figure(size: tuple[float, float] = (8.0, 5.0)) -> Figure:
    """A figure of so many inches that no window will show, for files."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return Figure(figsize=size)


def shown_figure(size: tuple[float, float] = (8.0, 5.0), **options: Any) -> Any:
    """A figure of pyplot's, which notebooks and windows show."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return plt.figure(figsize=size, **options)


def new_axes(figure: Any) -> Axes3D:
    """3D axes that fill a figure, without walls: the ground and three labelled edges are enough to read a pose."""
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    axes.view_init(*VIEWS["three-quarter"])
    axes.grid(False)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.set_visible(False)
    return axes


def shown_name(name: str) -> str:
    """A name that any font can try to draw, bounded, with both ends kept: rigs put what they share first."""
    name = "".join(letter if letter.isprintable() else "?" for letter in name)
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS // 2 - 1]}…{name[-_LETTERS // 2 :]}"


def set_view(axes: Axes3D, view: str | tuple[float, float], where: str, *, perspective: bool = True) -> None:
    """Look from there: the name of a view, or elevation and azimuth in degrees."""
    axes.view_init(*view_angles(view, where))
    if isinstance(view, str):
        perspective = view == "three-quarter"
    axes.set_proj_type("persp" if perspective else "ortho")


def view_angles(view: str | tuple[float, float], where: str) -> tuple[float, float]:
    """Elevation and azimuth in degrees, of a view by name too."""
    if isinstance(view, str):
        among(where, "view", view, VIEWS)
        return VIEWS[view]
    return pair(where, "view", view)


def axes_2d(ax: Any, where: str, size: tuple[float, float] = (8.0, 5.0)) -> Any:
    """`ax` when it is flat, or the axes of a new figure of so many inches."""
    if ax is None:
        return shown_figure(size, layout="constrained").add_subplot()
    if hasattr(ax, "get_zlim") or not hasattr(ax, "plot"):
        raise ValueError(f"{where}: ax is {type(ax).__name__}, expected flat axes: figure.add_subplot()")
    return ax


def axes_3d(ax: Any, where: str) -> Axes3D:
    """`ax` when it is 3D, or the axes of a new figure."""
    if ax is None:
        ax = new_axes(shown_figure())
        ax.canter_fills_figure = True
    if not hasattr(ax, "get_zlim"):
        raise ValueError(f"{where}: ax is {type(ax).__name__}, expected 3D axes: figure.add_subplot(projection='3d')")
    return ax


def fills_figure(axes: Axes3D) -> bool:
    """Were these axes made for a figure of their own, and are they still alone in it?"""
    return getattr(axes, "canter_fills_figure", False) and len(axes.get_figure().axes) == 1


def _lengths(axes: Axes3D) -> NDArray[np.float64]:
    return np.array([high - low for low, high in (axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d())])


def fit(axes: Axes3D, points: NDArray[np.float32], had_data: bool) -> None:
    """Grow the limits to hold the points, with the same scale along all three."""
    axes.auto_scale_xyz(*points.T, had_data=had_data)
    axes.set_box_aspect(_lengths(axes))


# What stays free at each edge of the figure, a part of its size, and how much longer than wide, or wider than long, it may be.
_MARGIN, _LONGEST = 0.02, 2.5
# From an axis to the numbers at its ticks, in points of axes without zoom: matplotlib's own distance, and what it adds.
_TICK_PAD, _TICK_OFFSET = 2.0, 8.0
_NAME_GAP = 5.0  # points between these numbers and the name of the axis


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
        if i == 1:
            thin_ticks(axes)
        _draw_names_near(axes)
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
    points += [
        axes.transData.transform(np.concatenate(lines.get_segments()))
        for lines in axes.collections
        if hasattr(lines, "get_segments") and lines.get_segments()
    ]
    corners = np.concatenate(points)
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


def _draw_names_near(axes: Axes3D) -> None:
    """Move the name of each axis up to the numbers at its ticks; matplotlib's distances grow with the zoom."""
    figure = axes.get_figure()
    named = [axis for axis in (axes.xaxis, axes.yaxis, axes.zaxis) if axis.get_label_text()]
    figure.draw_without_rendering()
    before = [np.array(axis.label.get_window_extent().get_points()) for axis in named]
    for axis in named:
        axis.labelpad += 10.0
    figure.draw_without_rendering()
    for axis, box in zip(named, before, strict=True):
        axis.labelpad -= 10.0
        low, high = sorted(axis.get_view_interval())
        # Ticks beyond the ends of the axis are not drawn and stand anywhere.
        numbers = [tick.label1.get_window_extent().get_points() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        moved = (axis.label.get_window_extent().get_points() - box).mean(axis=0)  # for ten points
        if not numbers or not moved.any():
            continue
        # Across the row of numbers, or where there is one alone, as the name moves.
        along = (numbers[-1] - numbers[0]).mean(axis=0)
        across = np.array([-along[1], along[0]]) if along.any() else moved
        across = across * np.copysign(1 / np.linalg.norm(across), across @ moved)
        speed = across @ moved
        gap = _reach(box, across)[0] - _reach(np.concatenate(numbers), across)[1]
        if speed > 1e-3 * figure.dpi:
            axis.labelpad += 10.0 * (_NAME_GAP * figure.dpi / 72 - gap) / speed


def _reach(points: NDArray[np.float64], way: NDArray[np.float64]) -> tuple[float, float]:
    """How far the boxes with these corners (low, high, low, high, ...) reach along a way, from and to."""
    corners = np.array([(x, y) for low, high in points.reshape(-1, 2, 2) for x in (low[0], high[0]) for y in (low[1], high[1])])
    along = corners @ way
    return float(along.min()), float(along.max())


def thin_ticks(axes: Axes3D) -> None:
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


def label_axes(axes: Axes3D, up: str, unit: str) -> None:
    """Names and units, and no more ticks than there is room for."""
    lengths = _lengths(axes)
    for axis, k, length in zip((axes.xaxis, axes.yaxis, axes.zaxis), AXES[up.removeprefix("+")], lengths, strict=True):
        axis.set_label_text(_axis_name(k, unit))
        axis.labelpad = 10 if axis is not axes.zaxis else 4
        _limit_ticks(axis, max(1, int(4 * length / lengths.max())))


def label_ground(axes: Any, order: tuple[int, ...], unit: str) -> None:
    """Names and units of the two axes of the ground, seen from above."""
    axes.set_xlabel(_axis_name(order[0], unit))
    axes.set_ylabel(_axis_name(order[1], unit))


def _axis_name(axis: int, unit: str) -> str:
    return f"{'xyz'[axis]} [{unit}]" if unit else "xyz"[axis]


def legend_above(axes: Any, handles: Any) -> None:
    """A legend over flat axes, in as many columns as there is room for."""
    room = axes.get_window_extent().width / axes.get_figure().dpi
    widths = [_HANDLE + _LETTER * len(handle.get_label()) for handle in handles]
    columns = len(widths)
    while columns > 1 and sum(max(column) for column in np.array_split(widths, columns)) > room:
        columns -= 1
    style: dict[str, Any] = {"frameon": False, "borderaxespad": 0.2, "fontsize": _SMALL, "columnspacing": 1.2, "handlelength": 1.6}
    as_written(axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, **style).get_texts())


def as_written(words: Iterable[Any]) -> None:
    """Names are no formulas, whatever dollars they have."""
    for word in words:
        word.set_parse_math(False)


def fit_height(axes: Any) -> None:
    """Give the figure of flat axes the shape of what they show at equal scale, and room around it."""
    axes.margins(0.1)
    figure = axes.get_figure()
    width, height = np.maximum(axes.dataLim.size, 1e-9)
    figure.set_size_inches(figure.get_figwidth(), np.clip(figure.get_figwidth() * height / width, 1.3, 5.5) + 1.0)


def make_room(axes: Axes3D, inches: float) -> Any:
    """Widen a figure that `fill` has filled, and give slim axes in what is won on the right."""
    figure = axes.get_figure()
    width, height = figure.get_size_inches()
    box = axes.get_position(original=True)
    figure.set_size_inches(width + inches, height)
    share = width / (width + inches)
    axes.set_position((box.x0 * share, box.y0, box.width * share, box.height))
    return figure.add_axes((share + 0.1 * (1 - share), 0.2, 0.2 * (1 - share), 0.6))


def fill_cell(axes: Axes3D, cell: tuple[float, float, float, float]) -> None:
    """Let the box of the limits fill a part of the figure (left, bottom, width, height, as parts of it), whatever is drawn in it."""
    from itertools import product

    from mpl_toolkits.mplot3d import proj3d

    figure = axes.get_figure()
    corners = np.array(list(product(axes.get_xlim3d(), axes.get_ylim3d(), axes.get_zlim3d())))
    width, height = figure.bbox.size
    zoom = 1.0
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    # Perspective makes the size not quite proportional to the zoom.
    for _ in range(4):
        axes.set_box_aspect(_lengths(axes), zoom=zoom)
        figure.draw_without_rendering()
        seen = axes.transData.transform(np.transpose(proj3d.proj_transform(*corners.T, axes.get_proj())[:2]))
        low, high = seen.min(axis=0), seen.max(axis=0)
        zoom *= float(min((1 - 2 * _MARGIN) * np.array([cell[2] * width, cell[3] * height]) / (high - low)))
    middle = (low + high) / 2 / (width, height)
    axes.set_position((cell[0] + cell[2] / 2 - middle[0], cell[1] + cell[3] / 2 - middle[1], 1.0, 1.0))
