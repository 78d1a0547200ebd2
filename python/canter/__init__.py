"""Character animation for NumPy."""

from canter import plot
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, Skeleton, simd_level, skin

__all__ = ["CanterWarning", "Clip", "Pose", "PoseVelocity", "Skeleton", "plot", "simd_level", "skin"]
