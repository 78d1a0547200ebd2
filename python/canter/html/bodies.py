"""Stick figures: the rest pose of a skeleton, and poses of a clip side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.colors import SIDES
from canter.html import svg, tracks, view
from canter.plot.bones import segments
from canter.source import believed_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from canter._core import Clip, Skeleton
    from canter.html.svg import Doubles

_WIDTH, _HEIGHT, _EDGE = 440 * svg.PIXEL, 150 * svg.PIXEL, 4 * svg.PIXEL
_BONES = 440
_FEWEST, _MOST = 6, 8  # poses side by side
_MARGIN = 60 * svg.PIXEL  # for the names of markers


def rest(skeleton: Skeleton) -> svg.Drawing:
    """The rest pose, from ahead and a little to its right."""
    up = view.up_at_rest(skeleton)
    bones, joints = segments(skeleton, skeleton.rest)
    flat = bones @ view.paper(view.still(skeleton), up, np.radians(30))
    if not _can_draw(flat):
        return svg.NOTHING
    size = np.ptp(flat, axis=(0, 1, 2))
    scale = svg.scale(size, (_WIDTH / 2, _HEIGHT))
    wide, tall = size * scale + 2 * _EDGE
    sides = np.array(skeleton.sides)[joints]
    parts, note = _figures((flat - flat.min(axis=(0, 1, 2))) * scale + _EDGE, sides)
    return svg.picture(wide, tall, "The rest pose", parts), _words("rest pose", up, note, sides)


def strobe(clip: Clip) -> svg.Drawing:
    """Poses side by side, each above its time, with the markers below; from the right and a little ahead of the first."""
    if not len(clip):
        return svg.NOTHING
    end = clip.period if clip.looping else clip.duration
    shown = tracks.of(clip, end) if end > 0 else []
    margin = _MARGIN if shown else 0
    up = believed_up(clip)
    flat, joints = _side_by_side(clip, end, view.paper(clip, up, np.radians(65)), (_WIDTH - margin) / _HEIGHT)
    if not _can_draw(flat):
        return svg.NOTHING

    count = len(flat)
    pitch = (_WIDTH - margin) / max(count, 2)
    size, head = _extent(flat), flat[..., 1].min()
    scale = svg.scale(size, (pitch, _HEIGHT))
    x = margin + pitch * (np.arange(count) + 0.5)
    ground = _EDGE - head * scale
    sides = np.array(clip.skeleton.sides)[joints]
    parts, note = _figures(flat * scale + np.stack([x, np.full(count, ground)], axis=-1)[:, None, None], sides)

    bottom = size[1] * scale + 2 * _EDGE
    if bottom - _HEIGHT / 4 < ground < bottom:
        parts.append(svg.path(f"M{margin} {ground:.0f}h{pitch * count:.0f}", svg.PIXEL, svg.FAINT))
    decimals = int(np.clip(2 - np.floor(np.log10(end)), 0, 6)) if end > 0 else 2
    times = np.linspace(0, end, count)
    words = [svg.text(at, bottom + 0.7 * svg.LINE, f"{t:.{decimals}f} s") for at, t in zip(x, times, strict=True)]
    for track in shown:
        bottom += svg.LINE
        words.append(svg.text(margin, bottom + 0.7 * svg.LINE, track.name, "end"))
        parts.append(track.drawn(end, x[0], x[-1], bottom + svg.LINE / 2))
    parts.append(svg.small_print(words))
    picture = svg.picture(margin + pitch * count, bottom + svg.LINE, f"{count} poses of the clip, evenly through its time", parts)
    return picture, _words("", up, note, sides)


def _side_by_side(clip: Clip, end: float, paper: Doubles, shape: float) -> tuple[Doubles, list[int]]:
    """Bones on paper (N, B, 2, 2), each pose about x = 0: of as many poses as fit beside each other, full size, in a box of a shape."""
    count = min(_MOST, len(clip) + clip.looping) if end > 0 else 1
    while True:
        poses = clip.sample(np.linspace(0, end, count), wrap="loop" if clip.looping else "clamp")
        bones, joints = segments(clip.skeleton, poses)
        flat = bones @ paper
        if flat.size:
            flat[..., 0] -= flat[..., 0].mean(axis=(1, 2), keepdims=True)
        if not _can_draw(flat):
            return flat, joints
        wide, tall = _extent(flat)
        if count <= _FEWEST or shape * tall >= wide * count:
            return flat, joints
        count = max(_FEWEST, int(shape * tall / wide))


def _extent(flat: Doubles) -> Doubles:
    """How far apart figures about x = 0 must stand, also from the edges of the picture, and how tall they are together."""
    left, right = flat[..., 0].min(axis=(1, 2)), flat[..., 0].max(axis=(1, 2))
    apart = max(-2 * left[0], 2 * right[-1], *(right[:-1] - left[1:]))
    return np.array([apart, np.ptp(flat[..., 1])])


def _can_draw(flat: Doubles) -> bool:
    return bool(flat.size and np.all(np.isfinite(flat)) and np.any(np.ptp(flat, axis=(0, 1, 2)) > 0))


def _figures(flat: Doubles, sides: NDArray[np.str_]) -> tuple[list[str], str]:
    """Bones on paper, a path for each side, the right, which is nearer, last; and a note when not all of them are drawn."""
    limit = _BONES // len(flat)
    kept = [svg.longest(bones, limit) for bones in flat]
    parts = []
    for side in ("left", "middle", "right"):
        data = "".join(svg.lines(bones[which[sides[which] == side]]) for bones, which in zip(flat, kept, strict=True))
        parts.append(svg.path(data, 1.7 * svg.PIXEL, svg.tinted(SIDES[side]) if side != "middle" else ""))
    return parts, f"the {limit} longest of {len(sides)} bones" if len(sides) > limit == max(map(len, kept)) else ""


def _words(what: str, up: str, note: str, sides: NDArray[np.str_]) -> str:
    legend = [f'<span style="color:{svg.mixed(SIDES[side])}">\u25a0</span>\u00a0{side}' for side in ("left", "right") if side in sides]
    return ", ".join(filter(None, [what, f"{up} up" if up != "+y" else "", note, " ".join(legend)]))
