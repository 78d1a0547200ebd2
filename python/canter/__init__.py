"""Character animation for NumPy."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from canter import plot, quat
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, RootMotion, Skeleton, simd_level, skin
from canter.files import load, load_bvh, save, save_bvh
from canter.source import Source

if TYPE_CHECKING:
    from canter import examples

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


def __getattr__(name: str) -> ModuleType:
    """`canter.examples` when it is first asked for: it's most of what there would be to import."""
    if name == "examples":
        return importlib.import_module("canter.examples")
    raise AttributeError(f"module 'canter' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
