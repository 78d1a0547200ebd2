"""How far feet slide while they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from canter import _core
from canter.metrics.sampling import Interpolation, Measured, at_times, even_times, found_feet, measured, names_of, planted_heights, positive
from canter.options import checked, expect_clip
from canter.options import joints as named
from canter.warn import warn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from canter._core import Clip

_WHERE = "metrics.foot_slide"
_SHOWN = 4  # heights in a message
_ON_THE_SPOT = 0.1  # metres from where it began: a character that stays nearer does not travel
_COMES_BACK = 0.01  # metres: so near to its first place at its end, a loop goes round on the spot


@dataclass(frozen=True, eq=False, repr=False)
class FootSlide:
    """How feet slide while they stand.

    Attributes
    ----------
    slide : float
        Centimetres along the ground while in contact, all feet together, per metre that the character travels; NaN when it does not travel.
    speed : float
        Metres a second along the ground of a foot in contact, on average; NaN when there is no contact.
    contact : float
        The part of the time that a foot is in contact, from 0 to 1, the mean over the feet. A foot that floats does not slide.
    feet : tuple of str
        The joints that were measured.
    ground : ndarray of float64, shape (K,)
        The height in metres at which each of them stands planted.
    """

    slide: float
    speed: float
    contact: float
    feet: tuple[str, ...]
    ground: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<FootSlide: {self.slide:.2f} cm/m, {self.speed:.3f} m/s in contact, in contact {self.contact:.1%} of the time>"


@checked(_WHERE)
def foot_slide(
    clip: Clip,
    feet: str | int | Sequence[str | int] | None = None,
    *,
    height: float = 0.005,
    ground: ArrayLike | None = None,
    rate: float = 60.0,
    interpolation: Interpolation = "nlerp",
    up: str = "y",
    scale: float | None = None,
) -> FootSlide:
    """Measure how far feet slide along the ground while they stand on it.

    Parameters
    ----------
    clip : Clip
        With its root motion: on a treadmill every foot slides. A loop is measured over a whole round, its seam included, any other clip
        from its first frame to its last.
    feet : joint or sequence of joints, optional
        By name or index, one a foot. The default is the lowest joint of the foot of either side. Tips are joints of
        `Clip.with_tips_as_joints`.
    height : float, default 0.005
        Metres: a foot is in contact while it is at most so far above its planted height, or below it, at both ends of a step from one
        sample to the next.
    ground : float or sequence of floats, optional
        The height in metres at which a joint stands when it is planted, for all or one for each. The default is the height that a joint is
        at or below in a tenth of the frames; that of its partner on the other side when it stands 3 cm higher, as it never came down. An
        ankle is never on the floor, so 0 is right for the ends of toes alone. To compare clips of one rig, give all of them the `ground` of
        the best.
    rate : float, default 60.0
        Samples a second, as near as equal steps come to it.
    interpolation : {"nlerp", "slerp", "step", "cubic"}, default "nlerp"
        What lies between the frames: see `Clip.sample`.
    up : {"y", "x", "z"}
        The axis across the ground.
    scale : float, optional
        Metres in a unit of the clip, e.g. 0.01 for centimetres. The default is 1, with a warning when the file looked otherwise.

    Returns
    -------
    FootSlide

    Warns
    -----
    CanterWarning
        The character does not travel (it stays within 10 cm of where it began), no foot is ever in contact, or the clip seems to be in
        another unit than metres.

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
    The ground is flat. Slide per metre rewards a foot that floats or sinks for most of the way, so look at `contact`, too. The character
    travels as `Clip.root_motion` does: the length of its path.

    Examples
    --------
    A walk at 60 frames a second is planted; with 8 keys a second its feet slide between the keys:

    >>> import canter as ct
    >>> walk = ct.examples.walk()
    >>> ct.metrics.foot_slide(walk)
    <FootSlide: 0.00 cm/m, 0.000 m/s in contact, in contact 53.3% of the time>
    >>> ct.metrics.foot_slide(walk.resample(8))
    <FootSlide: 2.66 cm/m, 0.036 m/s in contact, in contact 48.3% of the time>
    """
    expect_clip(_WHERE, clip)
    m = measured(_WHERE, clip, up, scale)
    joints = [foot[0] for foot in found_feet(m).values()] if feet is None else named(_WHERE, "feet", clip.skeleton, feet)
    if not joints:
        raise ValueError(f"{_WHERE}: feet is empty, expected a joint or several")
    times = even_times(m, rate)
    planted = planted_heights(m, joints, ground)
    points = at_times(m, joints, times, interpolation)
    distances, steps = _core.ground_slide(points, planted, positive(_WHERE, "height", height, "metres"))
    slid, stood = float(distances.sum()), int(steps.sum())
    if not stood:
        heights = ", ".join(f"{h:.3g}" for h in planted[:_SHOWN])
        warn(f"{_WHERE}: no contact: no foot comes within {height:g} m of its planted height ({heights} m)")
    return FootSlide(
        slide=100.0 * slid / travelled(m, times),
        speed=slid / (stood * times[1]) if stood else float("nan"),
        contact=stood / (len(joints) * (len(times) - 1)),
        feet=names_of(clip.skeleton, joints),
        ground=planted,
    )


def travelled(m: Measured, times: NDArray[np.float64]) -> float:
    """Metres that the character goes along the ground; NaN with a warning when it stays on the spot."""
    path = m.motion.at(times)[0][:, m.order[:2]] * m.scale
    reach = np.linalg.norm(path - path[0], axis=1)
    goes_on = m.clip.looping and reach[-1] > _COMES_BACK
    if goes_on or reach.max() > _ON_THE_SPOT:
        return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    warn(f"{m.where}: the character does not travel (it stays within {reach.max():.2g} m of where it began), so slide per metre is NaN")
    return float("nan")
