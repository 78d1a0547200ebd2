"""How deep joints sink into the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from canter import _core
from canter.metrics.sampling import at_frames, measured, names_of
from canter.options import checked, expect_clip
from canter.options import joints as named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Clip

_WHERE = "metrics.penetration"
_ROUNDING = 1e-5  # metres


@dataclass(frozen=True, eq=False, repr=False)
class Penetration:
    """How deep joints are below the ground, joint by joint.

    Attributes
    ----------
    joints : tuple of str
        Their names.
    max : ndarray of float64, shape (K,)
        The depth in metres in the worst frame; 0 for a joint that never is below.
    mean : ndarray of float64, shape (K,)
        The mean depth in metres over the frames in which it is below.
    fraction : ndarray of float64, shape (K,)
        The part of the frames in which it is below, from 0 to 1.
    """

    joints: tuple[str, ...]
    max: NDArray[np.float64]
    mean: NDArray[np.float64]
    fraction: NDArray[np.float64]

    def __repr__(self) -> str:
        worst = int(np.argmax(self.max))
        if not self.max[worst] > 0:
            return f"<Penetration: none of {len(self.joints)} joints>"
        below = int((self.max > 0).sum())
        return f"<Penetration: {below} of {len(self.joints)} joints, {self.max[worst]:.3g} m at most ({self.joints[worst]!r})>"


@checked(_WHERE)
def penetration(
    clip: Clip, joints: str | int | Sequence[str | int] | None = None, *, ground: float = 0.0, up: str = "y", scale: float | None = None
) -> Penetration:
    """Measure how deep joints are below the ground, at the frames of a clip.

    Parameters
    ----------
    clip : Clip
    joints : joint or sequence of joints, optional
        By name or index; all by default. Tips are joints of `Clip.with_tips_as_joints`.
    ground : float, default 0.0
        Its height in metres.
    up : {"y", "x", "z"}
        The axis across the ground.
    scale : float, optional
        Metres in a unit of the clip, e.g. 0.01 for centimetres. The default is 1, with a warning when the file looked otherwise.

    Returns
    -------
    Penetration

    Warns
    -----
    CanterWarning
        The clip seems to be in another unit than metres.

    Raises
    ------
    TypeError
        `clip` is not a Clip.
    ValueError
        The clip has no frames, or `scale` is not above 0.
    IndexError
        There is no such joint.

    Notes
    -----
    A joint is a point; the flesh around it is deeper. A hundredth of a millimetre is rounding, and not below.

    Examples
    --------
    >>> import canter as ct
    >>> jump = ct.examples.jump().with_tips_as_joints()
    >>> ct.metrics.penetration(jump)
    <Penetration: none of 23 joints>
    >>> ct.metrics.penetration(jump, ["LeftToe"], ground=0.05).max.round(2)
    array([0.03])
    """
    expect_clip(_WHERE, clip)
    m = measured(_WHERE, clip, up, scale)
    chosen = list(range(len(clip.skeleton))) if joints is None else named(_WHERE, "joints", clip.skeleton, joints)
    if not chosen:
        raise ValueError(f"{_WHERE}: joints is empty, expected a joint or several")
    deepest, mean, part = _core.ground_penetration(at_frames(m, chosen), ground, _ROUNDING)
    return Penetration(names_of(clip.skeleton, chosen), deepest, mean, part)
