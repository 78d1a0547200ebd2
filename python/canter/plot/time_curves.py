"""Curves against time: what a joint does, with the times at which feet are down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors, quat
from canter import contacts as contact_spans
from canter._core import Clip
from canter.options import checked, listed, numbers, text, up_axis
from canter.options import joints as named
from canter.plot.figure import axes_2d, legend_above, shown_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import ArrayLike, NDArray

_WHERE = "plot.curves"
_STRIP, _GAP = 0.035, 0.012  # of the height of the axes, for each foot
_STYLES = ("-", "--", ":", "-.")
_Joint = str | int
_Curve = tuple[str, "NDArray[Any]"]


@checked("plot.curves")
def curves(
    clips: Clip | Sequence[Clip] | ArrayLike,
    joints: _Joint | Sequence[_Joint] = (),
    quantity: str | ArrayLike = "angle",
    *,
    ax: Any = None,
    contacts: Mapping[str, ArrayLike] | bool = True,
    cursor: float | None = None,
    labels: Sequence[str] = (),
    ylabel: str | None = None,
    legend: bool = True,
    up: str = "y",
    unit: str = "m",
) -> list[Artist]:
    """Draw what joints do against time, and when feet are down.

    Of one clip every joint has a colour, that of its side where this tells the joints apart. Of several clips every clip has one, and
    joints differ by dashes.

    Parameters
    ----------
    clips : Clip, sequence of Clip, or array_like of shape (F,)
        Several clips are laid over each other. An array holds the times of curves of your own, in seconds.
    joints : str or int, or a sequence of them
        Which joints; none for curves of your own.
    quantity : {"angle", "angular_speed", "position", "height", "speed"} or array_like of shape (F,) or (F, K), default "angle"
        The angle to the rotation at rest in degrees, as a knee bends; how fast the joint turns in its parent's axes in degrees a second;
        where it is in the world (x, y, z); how high that is; or how fast it moves through the world. An array holds curves of your own, on
        the frames of the clip or at the times given.
    ax : Axes, optional
        A new figure by default.
    contacts : bool or mapping of str to array_like of shape (N, 2), default True
        When feet are down, drawn as bars at the lower edge: by foot ("left", "right"), from and to in seconds. True: as the markers
        ``left_down``, ``left_up``, ``right_down``, ``right_up`` of the clip tell, if there is one clip and it has any. Where all joints are
        of one side, the ground behind is shaded too while that foot is down.
    cursor : float, optional
        A line at this time.
    labels : sequence of str, optional
        For the legend: of the clips if there are several, or else of the curves.
    ylabel : str, optional
        What the upright axis is called; for curves of your own with the unit in brackets.
    legend : bool, default True
        Write one above the axes, where more than one thing is drawn.
    up : {"y", "x", "z"}
        The axis of the height.
    unit : str, default "m"
        What the lengths are in; "" for none.

    Returns
    -------
    list of Artist
        A `Line2D` for each curve, clip by clip, joint by joint; then for each foot a `PolyCollection` and, where shaded, a patch for each
        span; then the line of the cursor.

    Raises
    ------
    ImportError
        matplotlib is not there.
    ValueError
        There are no clips or joints, the quantity is unknown, shapes don't fit, or `ax` is 3D.
    IndexError
        There is no such joint.

    Examples
    --------
    >>> import canter as ct
    >>> left_knee, right_knee, left_down, right_down = ct.plot.curves(ct.examples.walk(), ["LeftLeg", "RightLeg"])
    >>> left_knee.get_color(), float(left_knee.get_xdata()[-1])
    ('#0072b2', 1.0)
    """
    order = up_axis(up, _WHERE)
    given = [clips] if isinstance(clips, Clip) else clips
    if isinstance(given, Sequence) and given and all(isinstance(clip, Clip) for clip in given):
        sources: list[Any] = list(given)
    else:
        sources = [_times(given)]
    chosen: list[_Joint] = [joints] if isinstance(joints, str | int | np.integer) else listed(_WHERE, "joints", joints)
    drawn = [_curves_of(source, chosen, quantity, order) for source in sources]
    names = listed(_WHERE, "labels", labels, text)
    if not names and len(sources) > 1:
        names = [shown_name(clip.name) or f"clip {i}" for i, clip in enumerate(sources)]
    if names and len(names) != (len(sources) if len(sources) > 1 else len(drawn[0][1])):
        raise ValueError(f"{_WHERE}: {len(names)} labels, expected {len(sources) if len(sources) > 1 else len(drawn[0][1])}")
    spans = _contacts(sources, contacts)
    axes = axes_2d(ax, _WHERE, size=(8.0, 3.6))

    artists: list[Artist] = []
    ink = _colors(sources[0], chosen, len(drawn[0][1])) if len(sources) == 1 else [colors.body(i) for i in range(len(sources))]
    for i, (times, lines) in enumerate(drawn):
        for k, (name, values) in enumerate(lines):
            if len(sources) > 1:
                look = {"color": ink[i], "linestyle": _STYLES[k % len(_STYLES)]}
                name = names[i] if len(lines) == 1 else f"{names[i]} {name}"
            else:
                style = _STYLES[k // len(chosen)] if chosen else "-"
                look = {"color": ink[k % len(ink)], "linestyle": style}
                name = names[k] if names else name
            artists += axes.plot(times, values, label=name, linewidth=1.6, **look)
    axes.margins(x=0)
    if isinstance(quantity, str):
        _widen(axes, _least(quantity, sources[0]))
    if spans:
        side = {sources[0].skeleton.sides[sources[0].skeleton.index(joint)] for joint in chosen} if isinstance(sources[0], Clip) else set()
        artists += _draw_contacts(axes, spans, side.pop() if len(side) == 1 else "")
    if cursor is not None:
        artists.append(axes.axvline(cursor, color="black", linewidth=1, label="_cursor"))
    axes.set_xlabel("time [s]")
    axes.set_ylabel(_quantity_label(quantity, chosen, sources, unit) if ylabel is None else ylabel, parse_math=ylabel is not None)
    shown = axes.get_legend_handles_labels()[0]
    if legend and len(shown) > 1:
        legend_above(axes, shown)
    return artists


def _times(given: Any) -> NDArray[np.float64]:
    try:
        times = numbers(_WHERE, "clips", given)
    except TypeError:
        times = np.empty((0, 0))
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all():
        raise ValueError(f"{_WHERE}: clips is {type(given).__name__}, expected a Clip, a sequence of them, or finite times, shape (F,)")
    return times


def _curves_of(source: Any, joints: list[_Joint], quantity: Any, order: tuple[int, ...]) -> tuple[NDArray[Any], list[_Curve]]:
    """The times and, component by component and joint by joint, the names and values."""
    times = np.arange(len(source)) * source.frame_time if isinstance(source, Clip) else source
    if not isinstance(quantity, str):
        values = numbers(_WHERE, "quantity", quantity)
        if values.ndim not in (1, 2) or len(values) != len(times):
            raise ValueError(f"{_WHERE}: quantity has shape {values.shape}, expected ({len(times)},) or ({len(times)}, K)")
        return times, [("_curve" if values.ndim == 1 else f"curve {k}", column) for k, column in enumerate(np.atleast_2d(values.T))]
    if quantity not in _QUANTITIES:
        raise ValueError(f"{_WHERE}: quantity is {quantity!r}, expected one of {', '.join(map(repr, _QUANTITIES))}, or an array")
    if not isinstance(source, Clip):
        raise ValueError(
            f"{_WHERE}: quantity is {quantity!r} without a clip; expected values at the times, shape ({len(times)},) or (.., K)"
        )
    if not joints:
        raise ValueError(f"{_WHERE}: joints is empty; name one or more, see clip.skeleton.names")
    indices = named(_WHERE, "joints", source.skeleton, joints)
    values = _QUANTITIES[quantity][0](source, indices)
    if quantity == "height":
        values = values[..., order[2] :][..., :1]
    components = [""] if values.shape[-1] == 1 else [" x", " y", " z"]
    return times, [
        (shown_name(source.skeleton.names[joint]) + component, values[:, k, c])
        for c, component in enumerate(components)
        for k, joint in enumerate(indices)
    ]


def _angles(clip: Clip, joints: list[int]) -> NDArray[Any]:
    return np.asarray(np.degrees(quat.angle(clip.rotations[:, joints], clip.skeleton.rotations[joints])))[..., None]


def _angular_speeds(clip: Clip, joints: list[int]) -> NDArray[Any]:
    return np.asarray(np.degrees(np.linalg.norm(clip.velocities().angular[:, joints], axis=-1, keepdims=True)))


def _positions(clip: Clip, joints: list[int]) -> NDArray[Any]:
    return clip.global_positions()[:, joints]


def _speeds(clip: Clip, joints: list[int]) -> NDArray[Any]:
    places = _positions(clip, joints).astype(np.float64)
    velocities = np.gradient(places, clip.frame_time, axis=0) if len(clip) > 1 else np.zeros_like(places)
    return np.asarray(np.linalg.norm(velocities, axis=-1, keepdims=True))


# How it is measured, (F, joints, components), what it is called, and its unit.
_QUANTITIES: dict[str, tuple[Any, str, str]] = {
    "angle": (_angles, "angle from rest", "°"),
    "angular_speed": (_angular_speeds, "angular speed", "°/s"),
    "position": (_positions, "position", "{unit}"),
    "height": (_positions, "height", "{unit}"),
    "speed": (_speeds, "speed", "{unit}/s"),
}


def _least(quantity: str, clip: Clip) -> float:
    """What there is to see of a quantity: less of it is round-off. A degree, or a hundredth of the longest bone, or that a second."""
    if "{unit}" not in _QUANTITIES[quantity][2]:
        return 1.0
    return 0.01 * float(np.linalg.norm(clip.skeleton.offsets, axis=-1).max(initial=0.0))


def _widen(axes: Any, least: float) -> None:
    """Let the axes show no less than this upward, so that what stands still is a straight line."""
    low, high = axes.dataLim.intervaly
    if 0 <= high - low < least:
        middle = (low + high) / 2
        axes.update_datalim([(axes.dataLim.x0, middle - least / 2), (axes.dataLim.x0, middle + least / 2)])
        axes.autoscale_view()


def _quantity_label(quantity: Any, joints: list[_Joint], sources: list[Any], unit: str) -> str:
    if not isinstance(quantity, str):
        return ""
    _, name, units = _QUANTITIES[quantity]
    if len(joints) == 1:
        skeleton = sources[0].skeleton
        name = f"{shown_name(skeleton.names[skeleton.index(joints[0])])}: {name}"
    if not unit and "{unit}" in units:
        return name
    return f"{name} [{units.format(unit=unit)}]"


def _colors(source: Any, joints: list[_Joint], curves: int) -> list[str]:
    """Of the joints of one clip: those of their sides, where no side repeats."""
    if isinstance(source, Clip) and joints:
        sides = [source.skeleton.sides[source.skeleton.index(joint)] for joint in joints]
        if len(set(sides)) == len(sides):
            return [colors.SIDES[side] for side in sides]
    return [colors.body(k) for k in range(len(joints) or curves)]


def _contacts(sources: list[Any], contacts: Mapping[str, ArrayLike] | bool) -> contact_spans.Spans:
    if isinstance(contacts, Mapping):
        return contact_spans.given(contacts, _WHERE)
    if contacts and len(sources) == 1 and isinstance(sources[0], Clip):
        return contact_spans.of_clip(sources[0])
    return {}


def _draw_contacts(axes: Any, spans: contact_spans.Spans, side: str) -> list[Artist]:
    """A strip of bars for each foot at the lower edge, below the curves."""
    artists: list[Artist] = []
    share = len(spans) * (_STRIP + _GAP) + _GAP
    low, high = axes.dataLim.intervaly
    if np.isfinite([low, high]).all():
        axes.update_datalim([(axes.dataLim.x0, low - max(high - low, 1e-9) * share / (1 - share))])
        axes.autoscale_view()
    across = axes.get_xaxis_transform()
    for row, (foot, times) in enumerate(spans.items()):
        bottom = share - (row + 1) * (_STRIP + _GAP)
        bars = [(start, stop - start) for start, stop in times]
        name = f"{foot} foot down" if foot in colors.SIDES else f"{shown_name(foot)} down"
        color = colors.SIDES.get(foot, colors.MIDDLE)
        artists.append(axes.broken_barh(bars, (bottom, _STRIP), transform=across, facecolors=color, label=name, zorder=3))
        if foot == side:
            artists += [axes.axvspan(start, stop, color=colors.CONTACTS[foot], linewidth=0, zorder=0) for start, stop in times]
    return artists
