"""Character animation for NumPy."""

from canter import plot, quat
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, Skeleton, simd_level, skin

__all__ = ["CanterWarning", "Clip", "Pose", "PoseVelocity", "Skeleton", "plot", "quat", "simd_level", "skin"]
