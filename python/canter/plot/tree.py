"""The joints of a skeleton as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors
from canter.options import checked, expect_skeleton
from canter.plot.figure import axes_2d, legend_above, shown_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import NDArray

    from canter._core import Skeleton

_WHERE = "plot.hierarchy"
_ROW, _FONT = 0.165, 8.0  # inches a joint, points
_INDENT = 0.22  # inches a generation
_LETTER = 0.075  # inches, of a name in _FONT
_LEGEND, _LEGEND_ROWS = 1.3, 5  # inches, and how many rows it lies beside


@checked("plot.hierarchy")
def hierarchy(skeleton: Skeleton, *, ax: Any = None, rows: int = 100) -> list[Artist]:
    """Draw the joints of a skeleton as a tree: a row a joint, children below their parent and to its right.

    Left joints are blue, right joints orange, the rest is grey. A joint that ends in a tip (an end site) has a ring for a dot.

    Parameters
    ----------
    skeleton : Skeleton
    ax : Axes, optional
        A new figure by default, as tall as the tree.
    rows : int, default 100
        Of a skeleton with more joints only so many are drawn, and a last row says how many more there are.

    Returns
    -------
    list of Artist
        A `LineCollection` of the branches, a `PathCollection` of the dots, from top to bottom, then a `Text` for each row.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        `skeleton` is not a Skeleton.
    ValueError
        `rows` is not above 0, or `ax` is 3D.

    Examples
    --------
    >>> import canter as ct
    >>> branches, dots, *names = ct.plot.hierarchy(ct.examples.humanoid())
    >>> [name.get_text() for name in names[:4]]
    ['Hips', 'Spine', 'Chest', 'Head']
    """
    expect_skeleton(_WHERE, skeleton)
    if rows < 1:
        raise ValueError(f"{_WHERE}: rows is {rows}, expected 1 or more")
    shown, depths = _depth_first(skeleton, rows)
    more = len(skeleton) - len(shown)
    lines = len(shown) + (more > 0)
    ends = _INDENT * (depths[shown] + 1) + _LETTER * np.array([len(shown_name(skeleton.names[joint])) for joint in shown])
    width = max(ends.max(), ends[:_LEGEND_ROWS].max() + _LEGEND) + 0.2
    axes = axes_2d(ax, _WHERE, size=(min(max(width, 3.0), 30.0), _ROW * (lines + 1.5) + 0.1))

    row_of = {joint: row for row, joint in enumerate(shown)}
    links = [_elbow(skeleton, joint, row_of, depths) for joint in shown if skeleton.parents[joint] >= 0]
    from matplotlib.collections import LineCollection

    branches = LineCollection(links, colors=colors.GROUND, linewidths=1.0, zorder=1)
    axes.add_collection(branches)

    ended = {joint for joint, _ in skeleton.tips}
    inks = [colors.SIDES[skeleton.sides[joint]] for joint in shown]
    paper = axes.get_facecolor()
    faces = [paper if joint in ended else ink for joint, ink in zip(shown, inks, strict=True)]
    x, y = depths[shown].astype(float), np.arange(len(shown), dtype=float)
    dots = axes.scatter(x, y, s=22, c=faces, edgecolors=inks, linewidths=1.4, zorder=2)

    size = _FONT if ax is None else float(np.clip(_room(axes, lines) * 0.72, 3.0, _FONT))
    style: dict[str, Any] = {
        "xytext": (6, 0),
        "textcoords": "offset points",
        "va": "center_baseline",
        "fontsize": size,
        "parse_math": False,
    }
    names = [
        axes.annotate(shown_name(skeleton.names[joint]), (x[row], row), color=_dark(ink), annotation_clip=False, **style)
        for row, (joint, ink) in enumerate(zip(shown, inks, strict=True))
    ]
    if more:
        names.append(axes.annotate(f"and {more:,} more joints", (0, len(shown)), color=colors.MIDDLE, annotation_clip=False, **style))
    axes.set_xlim(-0.6, max(width / _INDENT - 0.6, depths[shown].max() + 1))
    axes.set_ylim(lines - 0.3, -0.7)
    axes.set_axis_off()
    _explain(axes, skeleton, ended, inside=ax is None)
    return [branches, dots, *names]


def _depth_first(skeleton: Skeleton, count: int) -> tuple[list[int], NDArray[np.intp]]:
    """The first joints, and how many generations below a root they are."""
    order: list[int] = []
    depths = np.zeros(len(skeleton), dtype=np.intp)
    stack = np.flatnonzero(skeleton.parents < 0)[::-1].tolist()
    while stack and len(order) < count:
        joint = stack.pop()
        order.append(joint)
        children = skeleton.children(joint)
        depths[children] = depths[joint] + 1
        stack += children[::-1].tolist()
    return order, depths


def _elbow(skeleton: Skeleton, joint: int, row_of: dict[int, int], depths: NDArray[np.intp]) -> NDArray[np.float64]:
    """Down from the parent, then to the right."""
    parent = int(skeleton.parents[joint])
    x, y = depths[parent], row_of[joint]
    return np.array([(x, row_of[parent]), (x, y), (x + 1, y)], dtype=float)


def _dark(ink: str) -> NDArray[np.float64]:
    """The colour of a side, dark enough for letters."""
    from matplotlib.colors import to_rgb

    return 0.55 * np.array(to_rgb(ink))


def _room(axes: Any, lines: int) -> float:
    """The height of a row in points."""
    return float(axes.get_window_extent().height / axes.get_figure().dpi * 72 / (lines + 1))


def _explain(axes: Any, skeleton: Skeleton, ended: set[int], *, inside: bool) -> None:
    """What colours and rings mean, in a legend."""
    from matplotlib.lines import Line2D

    def dot(color: str, face: Any, label: str) -> Any:
        return Line2D([], [], linestyle="", marker="o", markersize=5, color=color, markerfacecolor=face, markeredgewidth=1.4, label=label)

    handles = [dot(colors.SIDES[side], colors.SIDES[side], side) for side in ("left", "right", "middle") if side in skeleton.sides]
    if ended:
        handles.append(dot(colors.MIDDLE, axes.get_facecolor(), "ends in a tip"))
    if len(handles) > 1 and not inside:
        legend_above(axes, handles)
    elif len(handles) > 1:
        axes.legend(handles=handles, loc="upper right", frameon=False, fontsize=_FONT, handletextpad=0.1, borderaxespad=0)
