"""Character animation for NumPy."""

from canter._core import CanterWarning, Pose, PoseVelocity, Skeleton, simd_level

__all__ = ["CanterWarning", "Pose", "PoseVelocity", "Skeleton", "simd_level"]
