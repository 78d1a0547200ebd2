"""A clip that moves: a page with a body in 3D, made by `Clip.view` and ``canter plot clip.bvh -o clip.html``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from canter import colors
from canter import contacts as contact_spans
from canter._core import CanterWarning, Clip
from canter.feet import feet_of, size_of
from canter.options import among, checked, text
from canter.options import joints as named
from canter.player import pack
from canter.player.page import frame, page
from canter.plot import bones
from canter.plot.figure import view_angles
from canter.source import believed_up

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from canter._core import Skeleton

_WHERE = "Clip.view"
LAYOUTS = ("side", "ghost")
QUANTITIES = ("height", "speed", "angle")
THEMES = ("auto", "light", "dark")
LARGE = 50_000_000  # letters of a page that a notebook takes badly
MOST_CLIPS = 12

Curve = str | int | Sequence[str | int] | Mapping[str, Any] | np.ndarray | None


class Player:
    """A page that plays clips. A notebook shows it; `save` writes it.

    Attributes
    ----------
    html : str
        The page: one file with all that it needs, which asks nothing of the network.
    """

    def __init__(self, title: str, html: str, height: int) -> None:
        self._title, self.html, self._height = title, html, height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path : path-like
            Usually ends in .html.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return frame(self.html, self._height)

    def __repr__(self) -> str:
        return f"<Player: {self._title[:60]}, {len(self.html) / 1e6:.1f} MB; .save('x.html') writes it>"


@checked(_WHERE)
def view(
    clip: Clip,
    *others: Clip,
    layout: Literal["side", "ghost"] = "side",
    curve: Curve = None,
    quantity: Literal["height", "speed", "angle"] = "height",
    trail: str | int | Sequence[str | int] = (),
    contacts: Mapping[str, ArrayLike] | None = None,
    up: str | None = None,
    ground: float | None = None,
    unit: str | None = None,
    view: str | tuple[float, float] = "three-quarter",
    follow: bool = True,
    speed: float = 1.0,
    theme: Literal["auto", "light", "dark"] = "auto",
    height: int = 560,
) -> Player:
    """What `Clip.view` does; see there."""
    clips = (clip, *others)
    for k, other in enumerate(clips):
        if not isinstance(other, Clip):
            raise TypeError(f"Clip.view: others[{k - 1}] is {type(other).__name__}, expected a Clip; options go by keyword")
    if len(clips) > MOST_CLIPS:
        raise ValueError(f"Clip.view: {len(clips)} clips, at most {MOST_CLIPS} can be told apart")
    among(_WHERE, "layout", layout, LAYOUTS)
    among(_WHERE, "quantity", quantity, QUANTITIES)
    among(_WHERE, "theme", theme, THEMES)
    elevation, azimuth = _view(view)
    if not 0.1 <= speed <= 4:
        raise ValueError(f"Clip.view: speed is {speed:g}, expected 0.1 to 4")
    if not 200 <= height <= 4000:
        raise ValueError(f"Clip.view: height is {height} pixels, expected 200 to 4000")

    trails = named(_WHERE, "trail", clip.skeleton, trail)
    joints, values = _curves(clip, curve)
    given = contact_spans.given({} if contacts is None else contacts, _WHERE)
    for name in given:
        if not name.lower().startswith(("left", "right")):
            named(_WHERE, "contacts", clip.skeleton, name)
    bodies = [_body(other, k, up, ground, given if k == 0 else {}) for k, other in enumerate(clips)]
    if curve is None:
        feet = bodies[0]["feet"]
        joints = [foot[0] for foot in feet.values()] or [0]
    if unit is None:
        unit = clip.source.unit if clip.source is not None else "m"
    data = {
        "bodies": bodies,
        "layout": layout,
        "unit": unit,
        "curve": {"joints": joints, "values": values, "quantity": quantity, "hidden": curve is not None and not joints and not values},
        "trails": trails,
        "camera": {"elevation": elevation, "azimuth": azimuth},
        "follow": bool(follow),
        "speed": speed,
        "theme": theme,
        "colors": {"sides": colors.SIDES, "bodies": colors.BODIES},
    }
    title = ", ".join(body["name"] for body in bodies)
    html = page(title, data)
    if len(html) > LARGE:
        message = f"Clip.view: the page has {len(html) / 1e6:.0f} MB; cut the clip (clip[a:b]) or take fewer frames (clip.resample(30))"
        warnings.warn(message, CanterWarning, stacklevel=2)
    return Player(title, html, height)


# --------------------------------------------------------------------------------------------------------------------------------- body


def _body(clip: Clip, index: int, up: str | None, ground: float | None, given: contact_spans.Spans) -> dict[str, Any]:
    skeleton = clip.skeleton
    axis = _up(clip, up)
    fine, parts = pack.refined(clip)
    points = pack.points_of(fine, axis)
    carried = bones.carried(skeleton, points).tolist()
    anchors = sorted({int(parent) for parent in skeleton.parents[carried]})
    sides = skeleton.sides
    seen = np.delete(points, anchors, axis=1)
    size = size_of(seen)
    feet = feet_of(skeleton, points, size)
    loop = pack.loop_of(clip, axis) if clip.looping and len(clip) > 1 else None
    if loop is not None:
        points = pack.closed(points, clip, loop, parts)
    spans = {**contact_spans.of_clip(clip), **given}
    return {
        "name": clip.name or (Path(clip.source.path).name if clip.source is not None else "") or f"clip {index + 1}",
        "frames": len(clip),
        "frameTime": clip.frame_time,
        "sampleTime": fine.frame_time,
        "samples": len(points),
        "points": points.shape[1],
        "joints": list(skeleton.names),
        "parents": [int(parent) for parent in skeleton.parents],
        "sides": [*sides, *(sides[joint] for joint, _ in skeleton.tips)],
        "limbs": pack.limbs_of(skeleton, size, carried, feet),
        "anchors": anchors,
        "root": carried[0] if carried else 0,
        "feet": feet,
        "size": size,
        "ground": pack.ground_of(seen, size) if ground is None else ground,
        "duration": clip.duration if loop is None else clip.period,
        "loop": None if loop is None else {"start": loop.start, "end": loop.end, "turn": loop.turn},
        "contacts": [{"name": name, "joints": _lit(skeleton, feet, name), "spans": times.tolist()} for name, times in spans.items()],
        "markers": [
            {"name": name, "times": [float(t) for t in times]}
            for name, times in clip.markers.items()
            if not name.endswith(("_down", "_up"))
        ],
        **pack.packed(points, size),
    }


def _lit(skeleton: Skeleton, feet: dict[str, list[int]], name: str) -> list[int]:
    """The joints that light up while NAME is down: the one of that name, or the foot of the side that it begins with."""
    if name in skeleton.names:
        return [skeleton.index(name)]
    return next((foot for side, foot in feet.items() if name.lower().startswith(side)), [])


def _up(clip: Clip, up: str | None) -> str:
    if up is None:
        return believed_up(clip)
    text(_WHERE, "up", up)
    axis = up if up[:1] in "+-" else f"+{up}"
    if axis not in pack.SIGNS:
        raise ValueError(f"Clip.view: up is {up!r}, expected one of {', '.join(pack.SIGNS)}")
    return axis


# ------------------------------------------------------------------------------------------------------------------------------ options


def _view(view: str | tuple[float, float]) -> tuple[float, float]:
    """Degrees above the ground and around."""
    elevation, azimuth = view_angles(view, _WHERE)
    if not -90 <= elevation <= 90:
        raise ValueError(f"Clip.view: view is {elevation:g} degrees above the ground, expected -90 to 90")
    return elevation, azimuth


def _curves(clip: Clip, curve: Curve) -> tuple[list[int], list[dict[str, Any]]]:
    """Joints whose curve the page works out, and curves that came as numbers."""
    if curve is None:
        return [], []
    if isinstance(curve, Mapping):
        return [], [_values(clip, text(_WHERE, "a name in curve", name), value) for name, value in curve.items()]
    if not isinstance(curve, np.ndarray) and not (isinstance(curve, Sequence) and any(isinstance(value, float) for value in curve)):
        return named(_WHERE, "curve", clip.skeleton, curve), []
    return [], [_values(clip, "curve", curve)]


def _values(clip: Clip, name: str, value: Any) -> dict[str, Any]:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.shape != (len(clip),):
        raise ValueError(f"Clip.view: curve {name!r} has shape {array.shape} of {array.dtype}, expected a number a frame: ({len(clip)},)")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"Clip.view: curve {name!r} is not finite at frame {int(np.flatnonzero(~np.isfinite(array))[0])}")
    return {"name": name, "values": [float(f"{number:.6g}") for number in array]}
