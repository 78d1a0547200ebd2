"""Pictures. They need matplotlib: ``pip install 'canter[plot]'``.

Functions take ``ax=`` and give back the artists that they added. They show nothing and change no settings.
"""

from canter.plot.bones import skeleton
from canter.plot.feet import footprints
from canter.plot.influence import blend_weights
from canter.plot.movie import animate
from canter.plot.path import trajectory
from canter.plot.time_curves import curves
from canter.plot.tree import hierarchy
from canter.plot.weights import mask

__all__ = ["animate", "blend_weights", "curves", "footprints", "hierarchy", "mask", "skeleton", "trajectory"]


def __dir__() -> list[str]:
    return __all__
