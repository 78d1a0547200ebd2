"""Bones that change their length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from canter import _core
from canter.options import expect_skeleton, numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from canter._core import Skeleton

_WHERE = "metrics.bone_length_error"


@dataclass(frozen=True, eq=False, repr=False)
class BoneLengthError:
    """How far bones are from their length.

    Attributes
    ----------
    max : float
        The largest error, longer or shorter, in the unit of the positions.
    mean : float
        The mean over all bones and poses of errors longer or shorter.
    errors : ndarray of float64, shape (..., J)
        How much longer than at rest the bone from its parent to each joint is in each pose; negative when it is shorter, 0 for roots.
    """

    max: float
    mean: float
    errors: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"<BoneLengthError: {self.max:.3g} at most, {self.mean:.3g} on average, of {self.errors.shape}>"


def bone_length_error(positions: _core.Clip | ArrayLike, skeleton: Skeleton | None = None) -> BoneLengthError:
    """Measure how far bones are from the length that the skeleton gives them.

    Rotations keep every length. Positions that were blended, smoothed, predicted or moved on their own do not.

    Parameters
    ----------
    positions : Clip or array_like, shape (..., J, 3)
        Global positions of the joints in any number of poses, or a clip, for those at its frames.
    skeleton : Skeleton, optional
        Whose offsets have the right lengths, in the same unit. The default is that of the clip.

    Returns
    -------
    BoneLengthError

    Raises
    ------
    TypeError
        `skeleton` is not a Skeleton, or positions come without one.
    ValueError
        The shape does not fit the skeleton, or a position is not finite.

    Examples
    --------
    Halfway between two poses, positions that are averaged make an arm shorter:

    >>> import canter as ct
    >>> arm = ct.Skeleton(["Shoulder", "Hand"], [-1, 0], [(0, 0, 0), (0.6, 0, 0)])
    >>> down, ahead = np.array([[0, 0, 0], [0, -0.6, 0]]), np.array([[0, 0, 0], [0, 0, 0.6]])
    >>> ct.metrics.bone_length_error((down + ahead) / 2, arm).errors.round(3)
    array([ 0.   , -0.176])
    """
    if isinstance(positions, _core.Clip):
        skeleton = positions.skeleton if skeleton is None else skeleton
        points = positions.global_positions().astype(np.float64)
    else:
        points = numbers(_WHERE, "positions", positions)
    if skeleton is None:
        raise TypeError(f"{_WHERE}: positions need a skeleton, whose bones have the right lengths")
    expect_skeleton(_WHERE, skeleton)
    if points.ndim < 2 or points.shape[-2:] != (len(skeleton), 3):
        raise ValueError(f"{_WHERE}: positions has shape {points.shape}, expected (..., {len(skeleton)}, 3), one for each joint")
    errors = _core.bone_length_errors(points, skeleton)
    off = np.abs(errors[..., skeleton.parents >= 0])
    return BoneLengthError(float(off.max(initial=0.0)), float(off.mean()) if off.size else 0.0, errors)
