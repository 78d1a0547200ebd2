"""Character animation for NumPy.

`load` reads a `Clip` from a file, `examples` make one: poses of a `Skeleton` over time, to `sample`, cut, mirror, resample, `view` and
`save`. `quat` has functions of quaternions, `plot` draws, `skin` moves a mesh along.

Quaternions are w, x, y, z; axes right-handed, +Y up, the character faces +Z; times are in seconds, angles in radians.

Examples
--------
>>> import canter as ct
>>> clip = ct.examples.walk(speed=1.3)
>>> positions, rotations = clip.skeleton.forward_kinematics(clip.sample(0.5))
>>> positions.shape
(18, 3)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from canter import quat
from canter._core import (
    AdditiveClip,
    BlendCycle,
    BlendPlayer,
    BlendSpace1D,
    BlendSpace2D,
    CanterWarning,
    Clip,
    ClipPlayer,
    Frame,
    Layer,
    LayerStack,
    Pose,
    PoseDelta,
    PoseSource,
    PoseVelocity,
    RootDelta,
    RootMotion,
    Skeleton,
    add,
    additive,
    blend,
    param,
    record,
    simd_level,
    skin,
)
from canter.event import Event
from canter.files import load, load_bvh, save, save_bvh
from canter.source import Source

if TYPE_CHECKING:
    from types import ModuleType

    from canter import examples, metrics, plot

    __version__: str

__all__ = [
    "AdditiveClip",
    "BlendCycle",
    "BlendPlayer",
    "BlendSpace1D",
    "BlendSpace2D",
    "CanterWarning",
    "Clip",
    "ClipPlayer",
    "Event",
    "Frame",
    "Layer",
    "LayerStack",
    "Pose",
    "PoseDelta",
    "PoseSource",
    "PoseVelocity",
    "RootDelta",
    "RootMotion",
    "Skeleton",
    "Source",
    "add",
    "additive",
    "blend",
    "examples",
    "load",
    "load_bvh",
    "metrics",
    "param",
    "plot",
    "quat",
    "record",
    "save",
    "save_bvh",
    "simd_level",
    "skin",
]


def __getattr__(name: str) -> ModuleType | str:
    """Loads `examples`, `metrics` and `plot` when they are first asked for, which take as long as all the rest. So does the version."""
    if name in ("examples", "metrics", "plot"):
        from importlib import import_module

        return import_module(f"canter.{name}")
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("canter")
        except PackageNotFoundError:
            return "(not installed)"
    raise AttributeError(f"module 'canter' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
