"""Character animation for NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from canter import quat
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, RootMotion, Skeleton, simd_level, skin
from canter.files import load, load_bvh, save, save_bvh
from canter.source import Source

if TYPE_CHECKING:
    from types import ModuleType

    from canter import examples, plot

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
    """Loads `examples` and `plot` when they are first asked for: either takes as long as all the rest."""
    if name in ("examples", "plot"):
        from importlib import import_module

        return import_module(f"canter.{name}")
    raise AttributeError(f"module 'canter' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
