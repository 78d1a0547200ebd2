"""What a notebook shows of canter's types: a card with a small picture, facts and, folded, the tree of joints.

However large the thing, its card stays under 20 kB and is made from a few poses. Styles are inline, so nothing reaches the page around;
there is no script.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import numpy as np

from canter._core import (
    AdditiveClip,
    BlendSpace1D,
    BlendSpace2D,
    CanterWarning,
    Clip,
    Pose,
    PoseDelta,
    PoseVelocity,
    RootMotion,
    Skeleton,
)
from canter.html import bars, bodies, path, samples, svg, tree, view
from canter.html.words import said, short
from canter.source import Source, beliefs

_VALUE, _LISTED = 72, 24  # characters of a fact, and of one of several


def card(thing: Any) -> str:
    """The HTML of a Skeleton, Pose, PoseVelocity, PoseDelta, Clip, AdditiveClip, RootMotion or blend space."""
    with np.errstate(over="ignore", invalid="ignore"):  # bodies beyond the numbers have no picture
        return _CARDS[type(thing)](thing)


def _skeleton(skeleton: Skeleton) -> str:
    roots = np.flatnonzero(skeleton.parents < 0)
    up = view.up_at_rest(skeleton)
    facts = {
        "joints": len(skeleton),
        "tips": len(skeleton.tips),
        "root" if len(roots) == 1 else f"{len(roots)} roots": _listed({skeleton.names[root]: "" for root in roots[:8]}),
        "height": f"{view.size_at_rest(skeleton)['xyz'.index(up[1])]:.3g} units at rest",
        "left, right": f"{_pairs(skeleton)} pairs",
    }
    return _page("Skeleton", bodies.rest(skeleton), facts, tree.of(skeleton))


def _pairs(skeleton: Skeleton) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CanterWarning)  # of joints without a partner
        return int(np.sum(skeleton.mirror_map() > np.arange(len(skeleton))))


def _clip(clip: Clip) -> str:
    facts = _time(clip) | {"speed": f"{clip.speed:.3g} units/s"} | _markers(clip)
    if clip.tags:
        facts["tags"] = _listed(dict.fromkeys(sorted(clip.tags), ""))
    if clip.curves:
        facts["curves"] = _listed(dict.fromkeys(clip.curves, ""))
    if clip.source is not None:
        facts |= _source(clip.source)
    return _page("Clip", bodies.strobe(clip), facts, tree.of(clip.skeleton), name=clip.name)


def _time(clip: Clip | AdditiveClip) -> dict[str, str]:
    return {
        "frames": f"{len(clip)} at {clip.fps:g} fps",
        "duration": f"{clip.duration:.2f} s" + f", looping every {clip.period:.2f} s" * clip.looping,
    }


def _markers(clip: Clip | AdditiveClip) -> dict[str, str]:
    if not clip.markers:
        return {}
    return {"markers": _listed({name: f"\N{MULTIPLICATION SIGN}{len(times)}" for name, times in islice(clip.markers.items(), 8)})}


def _additive_clip(clip: AdditiveClip) -> str:
    drawing: svg.Drawing = ("", "")
    if len(clip):
        drawing = bars.turns(clip.sample(clip.frame_time * bars.spread(len(clip), len(clip.skeleton))), "turns")
    return _page("AdditiveClip", drawing, _time(clip) | {"side": clip.side} | _markers(clip), tree.of(clip.skeleton), name=clip.name)


def _source(source: Source) -> dict[str, str]:
    path, room = source.path, _VALUE - len(source.format) - 1
    facts = {"source": f"{source.format} {path if len(path) <= room else '...' + path[3 - room :]}"}
    if beliefs(source):
        facts["looks like"] = ", ".join(beliefs(source))
    if source.warnings:
        more = len(source.warnings) - 1
        facts["caution"] = (f"1 of {more + 1} warnings: " if more else "") + source.warnings[0]
    return facts


def _pose(pose: Pose) -> str:
    facts = _batch(pose) | {"parts": _parts(pose), "dtype": pose.rotations.dtype}
    return _page("Pose", bars.turns(pose, "is turned in its parent's axes"), facts)


def _delta(delta: PoseDelta) -> str:
    facts = _batch(delta) | {"side": delta.side, "parts": _parts(delta), "dtype": delta.rotations.dtype}
    return _page("PoseDelta", bars.turns(delta, "turns"), facts)


def _parts(pose: Pose | PoseDelta) -> str:
    parts = {"translations": pose.translations, "scales": pose.scales}
    return ", ".join(["rotations", *(name for name, part in parts.items() if part is not None)])


def _velocity(velocity: PoseVelocity) -> str:
    facts = _batch(velocity) | {"parts": "angular, linear" + ", scaling" * (velocity.scaling is not None)}
    return _page("PoseVelocity", bars.turning(velocity), facts | {"dtype": velocity.angular.dtype})


def _batch(poses: Pose | PoseVelocity | PoseDelta) -> dict[str, Any]:
    return {"shape": f"batch of {poses.shape}" if poses.shape else "one pose, ()", "joints": poses.joint_count}


def _root_motion(motion: RootMotion) -> str:
    steps = np.linalg.norm(np.diff(motion.positions, axis=0), axis=-1)
    turn = np.degrees(motion.headings[-1] - motion.headings[0])
    facts = {
        "frames": f"{len(motion)} at {1 / motion.frame_time:.5g} fps" + ", looping" * motion.looping,
        "path": f"{steps.sum():.3g} units, {np.linalg.norm(motion.positions[-1] - motion.positions[0]):.3g} from end to end",
        "turn": f"{abs(turn):.0f}\N{DEGREE SIGN} to the {'left' if turn > 0 else 'right'}" if abs(turn) >= 0.5 else "none",
        "joint": motion.joint,
        "up": motion.up,
    }
    return _page("RootMotion", path.from_above(motion), facts)


def _line(space: BlendSpace1D) -> str:
    return _page("BlendSpace1D", samples.on_line(space), {"samples": len(space), "positions": _numbers(space.positions)})


def _plane(space: BlendSpace2D) -> str:
    facts = {"samples": len(space), "x": _range(space.points[:, 0]), "y": _range(space.points[:, 1]), "method": space.method}
    if space.triangles is not None:
        facts["triangles"] = len(space.triangles)
    return _page("BlendSpace2D", samples.on_plane(space), facts)


def _range(values: Any) -> str:
    return f"{values.min():.4g} to {values.max():.4g}"


def _numbers(values: Any) -> str:
    return ", ".join(f"{value:.4g}" for value in values[:8]) + ", ..." * (len(values) > 8)


_CARDS: Mapping[type, Callable[[Any], str]] = {
    Skeleton: _skeleton,
    Pose: _pose,
    PoseVelocity: _velocity,
    PoseDelta: _delta,
    Clip: _clip,
    AdditiveClip: _additive_clip,
    RootMotion: _root_motion,
    BlendSpace1D: _line,
    BlendSpace2D: _plane,
}


def _listed(names: Mapping[str, str]) -> str:
    """Names, each with what is said of it, and each short enough to leave room for others."""
    return ", ".join(short(name, _LISTED) + more for name, more in names.items())


def _page(kind: str, drawing: svg.Drawing, facts: Mapping[str, Any], joints: str = "", name: str = "") -> str:
    picture, words = drawing
    # Notebooks have styles of their own for tables; these undo the stripes, the centring and the right-aligned words.
    cell = 'style="text-align:left;vertical-align:top;padding:0 1em 0 0;border:0;overflow-wrap:anywhere'
    rows = "".join(
        f'<tr style="background:none"><th {cell};font-weight:normal;opacity:.7;white-space:nowrap">{said(key, _LISTED)}</th>'
        f'<td {cell}">{said(str(value), _VALUE)}</td></tr>'
        for key, value in facts.items()
    )
    title = f"<b>{kind}</b>" + (f" {said(repr(name), _VALUE)}" if name else "")
    # The words take the width of the picture, never the other way.
    below = f'<div style="width:0;min-width:100%;margin-top:.3em;font-size:85%">{words}</div>'
    left = f'<div style="min-width:11em;max-width:100%">{picture}{below}</div>' if picture or words else ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:.5em 1.5em;align-items:flex-start;margin:.3em 0">'
        f'{left}<div style="flex:1 1 16em;max-width:34em"><div>{title}</div>'
        '<table style="margin:.2em 0;border:0;border-collapse:collapse;table-layout:auto;font-size:inherit">'
        f"{rows}</table>{joints}</div></div>"
    )
