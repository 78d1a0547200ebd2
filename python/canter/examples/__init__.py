"""Example data made by the package, without a download: a human body and clips of it, from parameters in seconds and metres."""

from canter.examples.humanoid import humanoid, upper_body_mask
from canter.examples.mesh import SkinnedMesh, skinned_humanoid

__all__ = ["SkinnedMesh", "humanoid", "skinned_humanoid", "upper_body_mask"]
