"""Example data made by the package, without a download: a human body and clips of it, from parameters in seconds and metres."""

from canter.examples.clips import clips
from canter.examples.humanoid import humanoid, upper_body_mask
from canter.examples.jump import jump
from canter.examples.locomotion import run, strafe_left, strafe_right, turn_left, turn_right, walk, walk_backward
from canter.examples.mesh import SkinnedMesh, skinned_humanoid
from canter.examples.standing import idle, turn_in_place
from canter.examples.start_stop import start, stop
from canter.examples.upper_body import aim, breathe, lean, reload, wave

__all__ = [
    "SkinnedMesh",
    "aim",
    "breathe",
    "clips",
    "humanoid",
    "idle",
    "jump",
    "lean",
    "reload",
    "run",
    "skinned_humanoid",
    "start",
    "stop",
    "strafe_left",
    "strafe_right",
    "turn_in_place",
    "turn_left",
    "turn_right",
    "upper_body_mask",
    "walk",
    "walk_backward",
    "wave",
]


def __dir__() -> list[str]:
    return __all__
