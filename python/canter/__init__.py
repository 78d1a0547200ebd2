"""Character animation for NumPy."""

from canter._core import CanterWarning, Clip, Pose, PoseVelocity, Skeleton, simd_level

__all__ = ["CanterWarning", "Clip", "Pose", "PoseVelocity", "Skeleton", "simd_level"]
