"""What a notebook shows of a skeleton and of a clip: a small picture and a table."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from canter._core import Clip, Pose, Skeleton

_HEIGHT, _WIDTH = 160, 480  # pixels; a figure that travels far is made smaller until it fits
_POSES = 7
_SHOWN = 60  # characters of a value


def of_skeleton(skeleton: Skeleton) -> str:
    roots = [name for name, parent in zip(skeleton.names, skeleton.parents, strict=True) if parent < 0]
    return _page(_picture(skeleton, skeleton.rest, "+y"), {"joints": len(skeleton), "tips": len(skeleton.tips), "root": ", ".join(roots)})


def of_clip(clip: Clip) -> str:
    facts: dict[str, Any] = {"clip": clip.name} if clip.name else {}
    facts |= {
        "frames": f"{len(clip)} at {clip.fps:g} fps",
        "duration": f"{clip.duration:.2f} s" + (", looping" if clip.looping else ""),
        "joints": len(clip.skeleton),
        "speed": f"{clip.speed:.3g} units/s",
    }
    if clip.tags:
        facts["tags"] = ", ".join(sorted(clip.tags))
    up = "+y"
    if clip.source is not None:
        facts["source"] = clip.source.path
        up = clip.source.up or up
    frames = np.unique(np.linspace(0, max(len(clip) - 1, 0), _POSES).astype(int))[: len(clip)]
    return _page(_picture(clip.skeleton, clip.poses[frames], up), facts)


def _page(picture: str, facts: dict[str, Any]) -> str:
    def short(value: Any) -> str:
        text = str(value)
        return escape(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")

    rows = "".join(f"<tr><th>{name}</th><td>{short(value)}</td></tr>" for name, value in facts.items())
    return f'<div style="display: flex; gap: 1em">{picture}<table>{rows}</table></div>'


def _picture(skeleton: Skeleton, poses: Pose, up: str) -> str:
    """Stick figures, seen from ahead and the right, earlier ones fainter."""
    starts, ends = _bones(skeleton, poses)
    axis = "xyz".index(up[-1])
    right = np.zeros(3)
    right[axis - 2], right[axis - 1] = 0.6, 0.8  # of the reference direction (+Z for +Y up) and of the axis to its left
    height = np.zeros(3)
    height[axis] = 1 if up[0] == "-" else -1  # SVG counts downward
    lines = np.stack([starts @ right, starts @ height, ends @ right, ends @ height], axis=-1)
    if not lines.size:
        return ""

    low = lines.reshape(-1, 2).min(axis=0)
    width, tall = np.maximum(lines.reshape(-1, 2).max(axis=0) - low, 1e-9)
    scale = min((_HEIGHT - 8) / tall, (_WIDTH - 8) / width)
    lines = (lines - np.tile(low, 2)) * scale + 4
    figures = "".join(
        f'<g stroke-opacity="{(k + 1) / len(lines):.2f}">'
        + "".join('<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(*line) for line in figure)
        + "</g>"
        for k, figure in enumerate(lines)
    )
    size = f'width="{width * scale + 8:.0f}" height="{tall * scale + 8:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} stroke="currentColor" stroke-linecap="round">{figures}</svg>'


def _bones(skeleton: Skeleton, poses: Pose) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of every bone and tip, (N, B, 3)."""
    positions, _ = skeleton.forward_kinematics(poses)
    joints = len(skeleton)
    positions = positions.reshape(-1, joints, 3)
    tips = skeleton.tip_positions(poses).reshape(len(positions), len(skeleton.tips), 3)
    children = np.flatnonzero(skeleton.parents >= 0)
    starts = positions[:, np.concatenate([skeleton.parents[children], np.array([joint for joint, _ in skeleton.tips], dtype=int)])]
    return starts.astype(np.float64), np.concatenate([positions[:, children], tips], axis=1).astype(np.float64)
