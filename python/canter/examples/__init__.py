"""Example data made by the package, without a download: a human body and clips of it, from parameters in seconds and metres."""

from canter.examples.gait import run, strafe_left, strafe_right, turn_left, turn_right, walk, walk_backward
from canter.examples.humanoid import humanoid, upper_body_mask
from canter.examples.mesh import SkinnedMesh, skinned_humanoid

__all__ = [
    "SkinnedMesh",
    "humanoid",
    "run",
    "skinned_humanoid",
    "strafe_left",
    "strafe_right",
    "turn_left",
    "turn_right",
    "upper_body_mask",
    "walk",
    "walk_backward",
]
