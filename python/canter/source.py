"""What a file said about itself, and what is believed about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Clip

# What is left of a path in a repr.
_SHOWN = 48


@dataclass(frozen=True, repr=False)
class Source:
    """Where a clip came from: facts of the file as it was read, before it was turned, cut or resampled.

    Nothing here has been applied to the clip; a belief is for a person, or for an option of the next `load`. Lengths alone follow
    an option: with ``scale=0.01``, `height` and `floor` are in metres where the file has centimetres, and `unit` says "m". The axes
    are those of the file: `up` stays "+z" when ``up="z"`` has turned the clip to +Y. `repr` leaves `channels` and `tip_names` out.

    Attributes
    ----------
    path : str
        As given to `load`, or the name of the file object.
    format : str
        "BVH".
    frame_time : float
        Seconds a frame as the file says; 0 when it says nothing of use.
    up : str
        The axis that looks like up ("+y"), from the shape of the skeleton over all frames; "" when there are no legs to tell by.
    unit : str
        The unit in which the figure would be about 1.7 m: "m", "cm", "mm", "inch", "CMU" (0.056444 m, of the CMU database); "" when none
        fits.
    height : float
        From the lowest to the highest point of the figure, the median over frames, in the clip's unit as it was loaded.
    stature : float
        What the figure would measure standing straight.
    floor : float
        The lowest point of the figure along `up`, the median over frames.
    declared_frames : int
        How many frames the file says it has; the clip has those that it really has.
    warnings : tuple of str
        All that was odd, each as "line:column: what was met and what was done".
    channels : tuple of tuple of str
        The channels of every joint, in the order of the file.
    tip_names : tuple of str
        What follows "End" for every end site, nearly always "Site".
    root_offset : str
        "replace" or "add": how position channels of roots were read.
    """

    path: str
    format: str
    frame_time: float
    up: str
    unit: str
    height: float
    stature: float
    floor: float
    declared_frames: int
    warnings: tuple[str, ...]
    channels: tuple[tuple[str, ...], ...] = field(repr=False)  # a screenful
    tip_names: tuple[str, ...] = field(repr=False)
    root_offset: str

    def __repr__(self) -> str:
        path = self.path if len(self.path) <= _SHOWN else "..." + self.path[3 - _SHOWN :]
        warnings = [f"{len(self.warnings)} warning{'s' * (len(self.warnings) > 1)}"] * bool(self.warnings)
        return f"<Source {path!r}: {', '.join([self.format, f'{self.frame_time:.6g} s a frame', *beliefs(self), *warnings])}>"


def beliefs(source: Source) -> list[str]:
    return [f"{source.up} up"] * bool(source.up) + [f"in {source.unit}"] * bool(source.unit)


_SAME = 1.2  # a factor by which a figure may look taller or smaller in some frames than in all

# Metres in a unit, by its name.
METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "CMU": 0.0254 / 0.45}


def believed_metres(clip: Clip) -> float | None:
    """About how many metres a unit of the clip is, by what the file looked like and how tall the clip is now; None when nothing tells."""
    source = clip.source
    if source is None or not source.unit or not source.height > 0 or not len(clip):
        return None
    height = _heights(clip)["xyz".index(believed_up(clip)[-1])]
    found = float(METRES[source.unit] * source.height / max(height, 1e-30))
    return next((metres for metres in METRES.values() if 1 / _SAME < found / metres < _SAME), found)


def _heights(clip: Clip) -> NDArray[np.float64]:
    """How far the joints reach along each axis, the median over some frames."""
    positions, _ = clip.skeleton.forward_kinematics(clip.sample(np.linspace(0.0, clip.duration, 8)))
    return np.asarray(np.median(np.ptp(positions.astype(np.float64), axis=1), axis=0))


def believed_up(clip: Clip) -> str:
    """+y, or what looked like up in the file when the clip was not turned since: the axis along which it is still as tall."""
    source = clip.source
    if source is None or source.up in ("", "+y") or not len(clip):
        return "+y"
    size = _heights(clip)
    return min(source.up, "+y", key=lambda up: abs(float(size["xyz".index(up[-1])]) - source.height))
