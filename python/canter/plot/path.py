"""The path of a character, from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors
from canter._core import Clip, RootMotion
from canter.options import AXES, checked, numbers, up_axis
from canter.plot.figure import axes_2d, fit_height, label_ground
from canter.plot.ground import round_step

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

_WHERE = "plot.trajectory"
_ARROW = 0.28  # inches
_ROOM = 0.45  # inches between times that are written
_SMALL = 8
_MOST = 1000  # arrows


@checked("plot.trajectory")
def trajectory(
    motion: Clip | RootMotion | ArrayLike,
    headings: ArrayLike | None = None,
    *,
    ax: Any = None,
    frame_time: float | None = None,
    every: float | None = None,
    color: ColorType | None = None,
    label: str = "",
    up: str = "y",
    unit: str = "m",
) -> list[Artist]:
    """Draw the path of a character from above, with arrows that point where it faces.

    Arrows stand at even times, which are written beside them where there is room. A ring marks the start, a dot the end. Scales are equal.
    For several paths call it again with the same `ax`, and with a `color` and a `label` for each.

    Parameters
    ----------
    motion : Clip, RootMotion or array_like of shape (F, 3) or (F, 2)
        A clip stands for its `root_motion`. An array holds positions: x, y, z, or the two on the ground as they are drawn (z and x for +Y
        up).
    headings : array_like, shape (F,), optional
        Of an array, in radians: the angle from the first of the two drawn axes to where the character faces, positive to the left. Without
        them there are no arrows.
    ax : Axes, optional
        A new figure by default.
    frame_time : float, optional
        Seconds between the positions of an array. Without it times count in frames.
    every : float, optional
        Seconds between arrows; by default a round number that gives about twelve.
    color : color, optional
        The first of `canter.colors.BODIES` by default.
    label : str, default ""
        What ``ax.legend()`` calls the path.
    up : {"y", "x", "z"}
        The axis across the ground; a `RootMotion` knows it.
    unit : str, default "m"
        What the lengths are in, for the axes' labels; "" for none.

    Returns
    -------
    list of Artist
        A `Line2D` for the path, one for the start and one for the end; with headings a `Quiver`; then an `Annotation` for each time.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        The motion is none of these, or several of them.
    ValueError
        There are no positions, some are not finite, shapes don't fit, `every` is not above 0, or `ax` is 3D.

    Examples
    --------
    >>> import canter as ct
    >>> path, start, end, arrows, *times = ct.plot.trajectory(ct.examples.run())
    >>> float(path.get_xdata()[-1].round(2))  # metres along z
    2.45
    """
    if isinstance(motion, Clip):
        motion = motion.root_motion(up=up)
    if isinstance(motion, RootMotion):
        if motion.up.startswith("-"):
            raise ValueError(f"{_WHERE}: up of the root motion is {motion.up!r}, expected one of {', '.join(map(repr, AXES))}")
        up, frame_time, headings = motion.up, motion.frame_time, motion.headings
        motion = motion.positions
    order = up_axis(up, _WHERE)
    places = _places(motion, order)
    angles = None if headings is None else numbers(_WHERE, "headings", headings)
    if angles is not None and (angles.shape != (len(places),) or not np.isfinite(angles).all()):
        raise ValueError(f"{_WHERE}: headings have shape {angles.shape}, expected ({len(places)},), all finite")
    if frame_time is not None and not 0 < frame_time < np.inf:
        raise ValueError(f"{_WHERE}: frame_time is {frame_time:g}, expected seconds above 0")
    times = np.arange(len(places)) * (frame_time or 1.0)
    axes = axes_2d(ax, _WHERE)
    step = round_step(times[-1], 12) if every is None else every
    if not 0 < step < np.inf:
        raise ValueError(f"{_WHERE}: every is {step:g}, expected seconds above 0")
    if times[-1] / step > _MOST:
        raise ValueError(f"{_WHERE}: every is {step:g}, which gives more than {_MOST} arrows; expected a longer time")

    from matplotlib.colors import to_rgb

    ink = np.array(to_rgb(color if color is not None else colors.body(0)))
    paper = np.array(to_rgb(axes.get_facecolor()))
    artists: list[Artist] = [
        *axes.plot(*places.T, color=0.5 * ink + 0.5 * paper, linewidth=1.8, label=label or "_path", zorder=2),
        *axes.plot(*places[0], "o", color=ink, markersize=10, markerfacecolor=paper, zorder=3, label="_start"),
        *axes.plot(*places[-1], "o", color=ink, markersize=6, zorder=3, label="_end"),
    ]
    moments = np.arange(int(times[-1] / step * (1 + 1e-9)) + 1) * step
    stops = np.column_stack([np.interp(moments, times, values) for values in places.T])
    facing = None if angles is None else np.interp(moments, times, angles)
    if facing is not None:
        ways = np.cos(facing), np.sin(facing)
        arrows = axes.quiver(
            *stops.T,
            *ways,
            angles="xy",
            scale_units="inches",
            scale=1 / _ARROW,
            units="inches",
            width=0.022,
            headwidth=4.5,
            color=ink,
            zorder=4,
        )
        artists.append(arrows)
    if ax is None:
        fit_height(axes)
    axes.set_aspect("equal", adjustable="datalim")
    axes.autoscale_view()
    label_ground(axes, order, unit)
    artists += _write_times(axes, np.append(moments, times[-1]), np.vstack([stops, places[-1:]]), facing, "s" if frame_time else "frames")
    return artists


def _places(positions: Any, order: tuple[int, ...]) -> NDArray[np.float64]:
    """The two coordinates that are drawn, (F, 2)."""
    try:
        array = numbers(_WHERE, "motion", positions)
    except TypeError as error:
        raise TypeError(f"{error}, a Clip or a RootMotion; one path a call") from None
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"{_WHERE}: positions have shape {array.shape}, expected (F, 3) or (F, 2)")
    if not len(array):
        raise ValueError(f"{_WHERE}: there are no positions to draw")
    if not np.isfinite(array).all():
        raise ValueError(f"{_WHERE}: position {int(np.argmin(np.isfinite(array).all(axis=1)))} is not finite")
    return array[:, order[:2]] if array.shape[1] == 3 else array


def _write_times(axes: Any, times: NDArray[Any], stops: NDArray[Any], facing: NDArray[Any] | None, unit: str) -> list[Artist]:
    """Times beside the path, to the right of where the character faces: the first, the last, and as many between as there is room for."""
    axes.apply_aspect()
    inches = axes.transData.transform(stops) / axes.get_figure().dpi
    chosen = [0]
    for i in range(1, len(times) - 1):
        away = np.linalg.norm(inches[[*chosen, -1]] - inches[i], axis=1)
        if away.min() > _ROOM:
            chosen.append(i)
    if np.linalg.norm(inches[-1] - inches[chosen], axis=1).min() > _ROOM / 2:
        chosen.append(len(times) - 1)
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2, foreground=axes.get_facecolor())]
    artists = []
    for i in chosen:
        angle = facing[min(i, len(facing) - 1)] if facing is not None else 0.0
        dx, dy = np.sin(angle), -np.cos(angle)
        name = f"{times[i]:.3g} {unit}"
        if i == 0:
            name = "start" if len(times) - 1 in chosen or len(times) < 3 else f"start, end {times[-1]:.3g} {unit}"
        elif i == len(times) - 1:
            name = f"end {name}"
        style: dict[str, Any] = {"ha": "left" if dx > 0.5 else "right" if dx < -0.5 else "center"}
        style["va"] = "bottom" if dy > 0.5 else "top" if dy < -0.5 else "center"
        artists.append(
            axes.annotate(
                name,
                stops[i],
                xytext=(9 * dx, 9 * dy),
                textcoords="offset points",
                fontsize=_SMALL,
                color=colors.MIDDLE,
                path_effects=halo,
                **style,
            )
        )
    return artists
