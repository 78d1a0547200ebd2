"""A bar for each joint of poses, and of velocities. A pose knows no skeleton, so it has no body to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter import quat
from canter.colors import LEFT
from canter.html import svg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Pose, PoseDelta, PoseVelocity
    from canter.html.svg import Doubles

_WIDTH, _HEIGHT, _WIDEST = 300 * svg.PIXEL, 80 * svg.PIXEL, 16 * svg.PIXEL
_POSES, _BARS = 64, 100


def turns(pose: Pose | PoseDelta, what: str) -> svg.Drawing:
    """How far each joint does `what`: is or gets turned."""
    rotations, seen = _some(pose, pose.rotations)
    angles = np.degrees(quat.angle(rotations.astype(np.float64), (1, 0, 0, 0)))
    top = next((top for top in (5, 10, 30, 45, 90) if angles.max(initial=0) <= 1.001 * top), 180)
    if not angles.any():
        return "", f"no joint {what}" if angles.size else ""
    return _bars(angles, top, "\N{DEGREE SIGN}", f"how far each joint {what}{seen}")


def turning(velocity: PoseVelocity) -> svg.Drawing:
    angular, seen = _some(velocity, velocity.angular)
    speeds = np.linalg.norm(angular.astype(np.float64), axis=-1)
    fastest = float(speeds.max(initial=0))
    if not fastest:
        return "", "no joint turns" if speeds.size else ""
    power = 10.0 ** np.floor(np.log10(fastest))
    top = next((digit * power for digit in (1, 1.5, 2, 3, 5, 7.5) if fastest <= digit * power), 10 * power)
    return _bars(speeds, top, " rad/s", "how fast each joint turns" + seen)


def spread(count: int, joint_count: int) -> NDArray[np.int64]:
    """Some of `count` poses, evenly spread, and no more than are quickly looked at; all when there are few."""
    return np.linspace(0, max(count - 1, 0), min(count, max(1, min(_POSES, 100_000 // joint_count)))).astype(np.int64)


def _some(batch: Pose | PoseVelocity | PoseDelta, values: NDArray[np.float32]) -> tuple[NDArray[np.float32], str]:
    """Values (N, J, C) of all poses of a batch of any shape, or of some spread evenly through it; and words that say so."""
    if not batch.shape:
        return values[None], ""
    count = int(np.prod(batch.shape, dtype=np.int64))
    some = spread(count, batch.joint_count)
    which = f"{count} poses" if len(some) == count else f"{len(some)} of {count} poses"
    return values[np.unravel_index(some, batch.shape)], f": the median and, fainter, the largest of {which}"


def _bars(values: Doubles, top: float, unit: str, words: str) -> svg.Drawing:
    """Of values (N, J). Joints share a bar, which shows the largest of them, where there are more than bars."""
    joints = values.shape[1]
    first = np.linspace(0, joints, min(joints, _BARS) + 1).astype(int)[:-1]
    largest, median = (np.maximum.reduceat(of, first) for of in (values.max(axis=0), np.median(values, axis=0)))
    step = min(_WIDTH / len(first), _WIDEST)
    edge, above, bottom = 2 * svg.PIXEL, svg.LINE, svg.LINE + _HEIGHT
    right = edge + max(step * len(first), 8 * _WIDEST)
    parts = [svg.path(f"M{edge} {above}H{right:.0f}M{edge} {bottom}H{right:.0f}", svg.PIXEL, svg.FAINT)]
    for bars, opacity in ((largest, 0.4), (median, 1)):
        heights = np.rint(bars / top * _HEIGHT).astype(int).tolist()
        data = "".join(f"M{edge + (k + 0.5) * step:.0f} {bottom}v-{height}" for k, height in enumerate(heights) if height)
        if opacity == 1 or np.any(largest != median):
            parts.append(svg.path(data, max(svg.PIXEL, 0.7 * step), f'{svg.BLUNT} stroke-opacity="{opacity}" {svg.tinted(LEFT)}'))
    labels = [svg.text(edge, above - 3 * svg.PIXEL, f"{top:g}{unit}", "start"), svg.text(edge, bottom + 0.8 * svg.LINE, "joint 0", "start")]
    if joints > 1:
        labels.append(svg.text(edge + step * len(first), bottom + 0.8 * svg.LINE, f"{joints - 1}", "end"))
    return svg.picture(right + edge, bottom + 1.2 * svg.LINE, words, [*parts, svg.small_print(labels)]), words
