"""Character animation for NumPy."""

from canter import examples, plot, quat
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, RootMotion, Skeleton, simd_level, skin
from canter.files import load, load_bvh, save, save_bvh
from canter.source import Source

__all__ = [
    "CanterWarning",
    "Clip",
    "Pose",
    "PoseVelocity",
    "RootMotion",
    "Skeleton",
    "Source",
    "examples",
    "load",
    "load_bvh",
    "plot",
    "quat",
    "save",
    "save_bvh",
    "simd_level",
    "skin",
]
