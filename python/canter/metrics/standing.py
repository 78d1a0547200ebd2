"""When feet stand on the ground, as their motion tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from canter import _core
from canter.contacts import Spans
from canter.metrics.sampling import Interpolation, Measured, around, at_times, even_times, found_feet, measured, planted_heights, positive
from canter.options import checked, expect_clip, text
from canter.options import joints as named

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from canter._core import Clip

_WHERE = "metrics.contacts"
Joint: TypeAlias = str | int


@checked(_WHERE)
def contacts(
    clip: Clip,
    feet: Joint | Sequence[Joint] | Mapping[str, Joint | Sequence[Joint]] | None = None,
    *,
    speed: float = 0.2,
    height: float = 0.02,
    hysteresis: float = 2.0,
    window: float = 0.05,
    ground: ArrayLike | None = None,
    rate: float = 60.0,
    interpolation: Interpolation = "nlerp",
    up: str = "y",
    scale: float | None = None,
) -> Spans:
    """Find when feet stand on the ground: they are slow and low.

    Parameters
    ----------
    clip : Clip
        With its root motion: speeds are those in the world.
    feet : joint, sequence of joints, or mapping of str to joints, optional
        A foot is down while any of its joints is. Joints of a sequence belong to the foot of their side (`Skeleton.sides`); a mapping says
        which feet there are. The default are the joints of the foot of either side, ankle and toes.
    speed, height : float, default 0.2 and 0.02
        Metres a second, and metres above the height at which the joint stands planted. A contact is below both at least once ...
    hysteresis : float, default 2.0
        ... and goes on, before and after, as long as it is below so many times both; 1 or more.
    window : float, default 0.05
        Seconds over which speed is measured, whatever the rate of the clip. Gaps that are shorter are closed, then contacts that are
        shorter are left out, unless they reach an end of the clip.
    ground : float or sequence of floats, optional
        The planted heights in metres, for all joints or one for each; as in `foot_slide`.
    rate : float, default 60.0
        Samples a second, as near as equal steps come to it: spans begin and end at these.
    interpolation : {"nlerp", "slerp", "step", "cubic"}, default "nlerp"
        What lies between the frames: see `Clip.sample`.
    up : {"y", "x", "z"}
        The axis across the ground.
    scale : float, optional
        Metres in a unit of the clip, e.g. 0.01 for centimetres. The default is 1, with a warning when the file looked otherwise.

    Returns
    -------
    dict of str to ndarray of float64, shape (N, 2)
        For each foot the spans in which it stands, from and to in seconds: what `plot.curves`, `plot.footprints` and `Clip.view` take as
        `contacts`. The feet are "left", "right" and "middle", or those of the mapping. A foot may stand in the first and the last frame of
        a clip; what it did before and after is not told. In a loop, a span that goes on across the seam is cut there.

    Warns
    -----
    CanterWarning
        The clip seems to be in another unit than metres.

    Raises
    ------
    TypeError
        `clip` is not a Clip.
    ValueError
        The clip has fewer than two frames, no feet are found, or a number is not in its range.
    IndexError
        There is no such joint.

    Notes
    -----
    The speed at a moment is the slower of that over the window before it and that over the window after it, so a contact begins and ends
    where the foot does come to rest and leave. A still foot in the air is no contact; where both feet are in the air all the time, only
    `ground` can say so.

    Examples
    --------
    >>> import canter as ct
    >>> walk = ct.examples.walk()
    >>> ct.metrics.contacts(walk)["right"].round(2)
    array([[0.  , 0.12],
           [0.53, 1.  ]])
    """
    expect_clip(_WHERE, clip)
    m = measured(_WHERE, clip, up, scale)
    groups = _feet_of(m, feet)
    joints = [joint for group in groups.values() for joint in group]
    _check_limits(speed, height, hysteresis)
    times = even_times(m, rate)
    step = float(times[1])
    planted = planted_heights(m, joints, ground)
    points = at_times(m, joints, times, interpolation)
    if clip.looping:
        points = around(m, points, times)
    steps = max(1, round(min(positive(_WHERE, "window", window, "seconds") / step, len(times))))
    down = _core.ground_contacts(points, planted, steps, speed * step, hysteresis * speed * step, height, hysteresis * height)
    if clip.looping:
        down = down[:, len(times) - 1 : 2 * len(times) - 1]
    found, first = Spans(), 0
    for foot, group in groups.items():
        found[foot] = _spans(np.any(down[first : first + len(group)], axis=0), times)
        first += len(group)
    return found


def _feet_of(m: Measured, feet: Joint | Sequence[Joint] | Mapping[str, Joint | Sequence[Joint]] | None) -> dict[str, list[int]]:
    skeleton = m.clip.skeleton
    if feet is None:
        return found_feet(m)
    groups: dict[str, list[int]] = {}
    if isinstance(feet, Mapping):
        for foot, joints in feet.items():
            groups[text(_WHERE, "a name in feet", foot)] = named(_WHERE, f"feet[{foot!r}]", skeleton, joints)
    else:
        for joint in named(_WHERE, "feet", skeleton, feet):
            groups.setdefault(skeleton.sides[joint], []).append(joint)
    if not groups or not all(groups.values()):
        raise ValueError(f"{_WHERE}: feet is empty, or one of them is; expected a joint or several for each")
    return groups


def _check_limits(speed: float, height: float, hysteresis: float) -> None:
    positive(_WHERE, "speed", speed, "metres a second")
    positive(_WHERE, "height", height, "metres")
    if not hysteresis >= 1:
        raise ValueError(f"{_WHERE}: hysteresis is {hysteresis:g}, expected 1 or more: how many times as fast and high a contact may go on")


def _spans(down: NDArray[np.bool_], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the first sample of each run to its last; a single one lasts no time."""
    edges = np.diff(down.astype(np.int8), prepend=0, append=0)
    spans = np.stack([times[edges[:-1] > 0], times[edges[1:] < 0]], axis=1)
    return np.asarray(spans[spans[:, 1] > spans[:, 0]])
