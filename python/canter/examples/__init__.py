"""Example data made by the package, without a download: a human body and clips of it, from parameters in seconds and metres."""

from canter.examples.humanoid import humanoid, upper_body_mask

__all__ = ["humanoid", "upper_body_mask"]
