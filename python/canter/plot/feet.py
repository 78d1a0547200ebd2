"""Where feet stood, from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from canter import colors
from canter import contacts as contact_spans
from canter.loops import carried_on, own_times
from canter.options import checked, expect_clip, joints, up_axis
from canter.plot.figure import axes_2d, fit_height, label_ground, legend_above

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.path import Path
    from numpy.typing import ArrayLike, NDArray

    from canter._core import Clip, RootMotion

_WHERE = "plot.footprints"
_FLAT = 0.35  # of a contact, the moment at which a walking foot lies flat: the heel has come down and not yet left
_SMALL = 8
_MOST = 1000  # cycles

# The sole of a left foot: from the heel (0) to the toes (1), and to the left, both in lengths of the foot.
_SOLE = (
    (-0.02, 0.0), (0.0, 0.09), (0.12, 0.12), (0.35, 0.11), (0.55, 0.14), (0.75, 0.19), (0.92, 0.14),
    (1.02, 0.02), (1.03, -0.10), (0.93, -0.17), (0.75, -0.17), (0.52, -0.08), (0.35, -0.07), (0.12, -0.12), (0.0, -0.09),
)  # fmt: skip
_HEEL_TO_BALL, _ANKLE_TO_BALL, _BALL_TO_TOES = 0.70, 0.45, 0.30  # lengths of the foot


@dataclass(frozen=True)
class _Print:
    side: str
    time: float
    heel: NDArray[np.float64]
    way: NDArray[np.float64]  # unit, from the heel to the toes
    length: float


@checked("plot.footprints")
def footprints(
    clip: Clip,
    feet: Sequence[str | int] = ("LeftFoot", "RightFoot"),
    *,
    contacts: Mapping[str, ArrayLike] | None = None,
    cycles: int = 2,
    ax: Any = None,
    lengths: bool = True,
    up: str = "y",
    unit: str = "m",
) -> list[Artist]:
    """Draw where the feet stood, from above: a sole for each contact, the way of the body between them, and the lengths of the strides.

    Parameters
    ----------
    clip : Clip
    feet : sequence of (str or int), default ("LeftFoot", "RightFoot")
        The ankles, a joint each, with toes or tips below them.
    contacts : mapping of str to array_like of shape (N, 2), optional
        When the feet are down, from and to in seconds, by the word for their side in `Skeleton.sides`. The default are the markers
        ``left_down``, ``left_up``, ``right_down``, ``right_up`` of the clip; `metrics.contacts` finds them in clips without.
    cycles : int, default 2
        How many rounds of a clip that loops; it travels on.
    ax : Axes, optional
        A new figure by default.
    lengths : bool, default True
        Write the strides, from a heel to the next of the same foot, beside the prints, and the means of strides and steps into a legend
        above. A step is as far as a foot lands ahead of the other, along the way of the body.
    up : {"y", "x", "z"}
        The axis across the ground.
    unit : str, default "m"
        What the lengths are in; "" for none.

    Returns
    -------
    list of Artist
        A `PathPatch` for each contact, in the order in which the feet came down; then the `Line2D` of the body; with `lengths` two
        `Annotation` for each stride, the line and the words.

    Raises
    ------
    ImportError
        matplotlib is not there.
    TypeError
        `clip` is not a Clip.
    ValueError
        The clip has no frames, `cycles` is not from 1 to 1000, there are no markers for a foot and no contacts are given, a foot has
        nothing below it, two feet are on one side, or `ax` is 3D.
    IndexError
        There is no such joint.

    Notes
    -----
    The foot is taken at a third of each contact, when it lies flat. Skeletons have no heels: the sole is that of a foot whose ankle and
    ball are where the clip has them.

    Examples
    --------
    >>> import canter as ct
    >>> artists = ct.plot.footprints(ct.examples.walk())
    >>> len(artists)  # five prints, the path, line and words for three strides
    12
    """
    expect_clip(_WHERE, clip)
    order = up_axis(up, _WHERE)
    if not len(clip):
        raise ValueError(f"{_WHERE}: the clip has no frames")
    if not 1 <= cycles <= _MOST:
        raise ValueError(f"{_WHERE}: cycles is {cycles}, expected 1 to {_MOST}")
    motion = clip.root_motion(up=up)
    spans = contact_spans.of_clip(clip) if contacts is None else contact_spans.given(contacts, _WHERE)
    if clip.looping:
        spans = contact_spans.over_cycles(spans, clip.period, cycles)
    prints = _prints(clip, motion, feet, spans, contacts is None, order)
    times = np.arange(round(clip.period * cycles / clip.frame_time) + 1 if clip.looping else len(clip)) * clip.frame_time
    path = motion.at(times)[0][:, order[:2]]
    axes = axes_2d(ax, _WHERE)
    from matplotlib.patches import PathPatch

    artists: list[Artist] = []
    for each in prints:
        color = colors.SIDES[each.side]
        patch = PathPatch(_sole(each), facecolor=colors.CONTACTS[each.side], edgecolor=color, linewidth=1.4, zorder=3)
        artists.append(axes.add_patch(patch))
    artists += axes.plot(*path.T, color=colors.MIDDLE, linewidth=1, zorder=1, label="_way")
    axes.set_aspect("equal", adjustable="datalim")
    if lengths:
        artists += _write_strides(axes, prints, unit)
        _write_means(axes, prints, path, clip.frame_time, unit)
    if ax is None:
        fit_height(axes)
    axes.autoscale_view()
    label_ground(axes, order, unit)
    return artists


def _prints(
    clip: Clip, motion: RootMotion, feet: Sequence[str | int], spans: contact_spans.Spans, from_markers: bool, order: tuple[int, ...]
) -> list[_Print]:
    skeleton = clip.skeleton
    prints, seen = list[_Print](), set[str]()
    try:
        ankles_of_feet = joints(_WHERE, "feet", skeleton, feet)
    except IndexError as error:
        raise IndexError(f"{error}; name the ankles with feet=[...]") from None
    for foot in ankles_of_feet:
        side = skeleton.sides[foot]
        if side in seen:
            raise ValueError(f"{_WHERE}: two feet are on the {side} side, expected one a side")
        seen.add(side)
        if side not in spans:
            wanted = f"the clip has no markers '{side}_down' and '{side}_up'" if from_markers else f"contacts has no {side!r}"
            raise ValueError(
                f"{_WHERE}: {wanted} for joint {foot} ({skeleton.names[foot]!r}); give contacts={{{side!r}: [(from, to), ...]}}, "
                f"or what metrics.contacts finds"
            )
        times = spans[side] @ (1 - _FLAT, _FLAT)
        own = own_times(clip, times)
        ankles, balls, toes = _foot(clip, foot, own, order)
        if clip.looping:
            ankles, balls = (carried_on(points, motion, own, times, order) for points in (ankles, balls))
        ways = balls - ankles
        reach = np.linalg.norm(ways, axis=1)
        ways /= np.maximum(reach, 1e-9)[:, None]
        length = max(reach.max(initial=0.0) / _ANKLE_TO_BALL, toes / _BALL_TO_TOES * 0.75)
        prints += [
            _Print(side, time, ball - _HEEL_TO_BALL * length * way, way, length)
            for time, ball, way in zip(times.tolist(), balls, ways, strict=True)
        ]
    return sorted(prints, key=lambda each: each.time)


def _foot(clip: Clip, foot: int, times: NDArray[Any], order: tuple[int, ...]) -> tuple[NDArray[Any], NDArray[Any], float]:
    """Where ankle and ball are on the ground at some times, (N, 2), and how far the toes reach beyond the ball."""
    skeleton, poses = clip.skeleton, clip.sample(times)
    joints = skeleton.forward_kinematics(poses)[0].astype(np.float64)
    toes = skeleton.children(foot)
    tips = [i for i, (joint, _) in enumerate(skeleton.tips) if joint == foot]
    if len(toes):
        ball, beyond = joints[:, toes[0]], float(np.linalg.norm(_beyond(skeleton, int(toes[0]))))
    elif tips:
        # The tip of a foot without toes is where they end.
        end = skeleton.tip_positions(poses)[:, tips[0]]
        ball, beyond = joints[:, foot] + (end - joints[:, foot]) * _ANKLE_TO_BALL / (_ANKLE_TO_BALL + _BALL_TO_TOES), 0.0
    else:
        raise ValueError(f"{_WHERE}: joint {foot} ({skeleton.names[foot]!r}) has no toe and no tip below it; expected an ankle")
    ground = list(order[:2])
    return joints[:, foot][:, ground], ball[:, ground], beyond


def _beyond(skeleton: Any, toe: int) -> NDArray[Any]:
    """From a toe to what ends it."""
    below = [skeleton.offsets[j] for j in skeleton.children(toe)] + [offset for joint, offset in skeleton.tips if joint == toe]
    return np.asarray(below[0] if below else np.zeros(3))


def _sole(each: _Print) -> Path:
    """A round outline: the corners of the sole pull a curve that runs through the middles between them."""
    from matplotlib.path import Path

    along, left = np.array(_SOLE).T
    left = -left if each.side == "right" else left
    aside = np.array([-each.way[1], each.way[0]])
    corners = each.heel + each.length * (along[:, None] * each.way + left[:, None] * aside)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    points = np.stack([np.roll(corners, -1, axis=0), np.roll(middles, -1, axis=0)], axis=1).reshape(-1, 2)
    return Path(np.vstack([middles[:1], points]), [Path.MOVETO, *[Path.CURVE3] * len(points)])


def _strides(prints: list[_Print]) -> list[tuple[_Print, _Print]]:
    """Pairs of prints of one foot between which the other came down once."""
    triples = zip(prints, prints[1:], prints[2:], strict=False)
    return [(first, last) for first, other, last in triples if first.side == last.side != other.side]


def _write_strides(axes: Any, prints: list[_Print], unit: str) -> list[Artist]:
    """From each heel to the next of the same foot, outside the prints, where both feet point about that way."""
    artists = []
    for first, second in _strides(prints):
        side, way = first.side, second.heel - first.heel
        stride = float(np.linalg.norm(way))
        if min(way @ first.way, way @ second.way) > 0.9 * stride > 0:
            aside = np.array([-way[1], way[0]]) / stride * (-1.0 if side == "right" else 1.0)
            start, stop = (each.heel + 0.32 * each.length * aside for each in (first, second))
            axes.update_datalim([start + 0.3 * first.length * aside, stop + 0.3 * first.length * aside])
            arrow = {"arrowstyle": "|-|,widthA=0.25,widthB=0.25", "color": colors.SIDES[side], "linewidth": 0.8, "shrinkA": 1, "shrinkB": 1}
            artists.append(axes.annotate("", stop, start, arrowprops=arrow))
            angle = (np.degrees(np.arctan2(way[1], way[0])) + 90) % 180 - 90
            above = aside @ (-np.sin(np.radians(angle)), np.cos(np.radians(angle))) > 0
            artists.append(
                axes.annotate(
                    f"{stride:.2f} {unit}".strip(),
                    (start + stop) / 2,
                    xytext=tuple(4 * aside),
                    textcoords="offset points",
                    rotation=angle,
                    rotation_mode="anchor",
                    ha="center",
                    va="bottom" if above else "top",
                    fontsize=_SMALL,
                    color=colors.MIDDLE,
                )
            )
    return artists


def _write_means(axes: Any, prints: list[_Print], path: NDArray[Any], frame_time: float, unit: str) -> None:
    """A legend with the mean step and stride of each foot."""
    from matplotlib.patches import Patch

    handles = []
    for side in ("left", "right", "middle"):
        if all(each.side != side for each in prints):
            continue
        strides = [np.linalg.norm(second.heel - first.heel) for first, second in _strides(prints) if second.side == side]
        steps = [
            _step(first, second, path, frame_time)
            for first, second in zip(prints, prints[1:], strict=False)
            if second.side == side != first.side
        ]
        words = [f"{name} {np.mean(values):.2f} {unit}".rstrip() for name, values in (("stride", strides), ("step", steps)) if values]
        handles.append(
            Patch(facecolor=colors.CONTACTS[side], edgecolor=colors.SIDES[side], label=f"{side}: {', '.join(words)}" if words else side)
        )
    if handles:
        legend_above(axes, handles)


def _step(first: _Print, second: _Print, path: NDArray[Any], frame_time: float) -> float:
    """How far ahead of the other foot one lands, along the way of the body meanwhile."""
    places = [path[np.clip(round(each.time / frame_time), 0, len(path) - 1)] for each in (first, second)]
    way = places[1] - places[0]
    travelled = np.linalg.norm(way)
    return float((second.heel - first.heel) @ way / travelled) if travelled > 0 else 0.0
