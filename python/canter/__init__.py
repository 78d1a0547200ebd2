"""Character animation for NumPy."""

from typing import TYPE_CHECKING, Any

from canter import quat
from canter._core import CanterWarning, Clip, Pose, PoseVelocity, RootMotion, Skeleton, simd_level, skin
from canter.files import load, load_bvh, save, save_bvh
from canter.source import Source

if TYPE_CHECKING:
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


def __getattr__(name: str) -> Any:
    """Loads `examples` and `plot` when they are first asked for: either takes as long as all the rest."""
    if name in ("examples", "plot"):
        from importlib import import_module

        return import_module(f"canter.{name}")
    raise AttributeError(f"module 'canter' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
