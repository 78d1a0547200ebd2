"""BVH a second time: plain text to 4x4 matrices in float64, one turn after another. For correct files alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from matrices_in_double import global_matrices

Floats = npt.NDArray[np.float64]


@dataclass
class Reading:
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[list[float]] = field(default_factory=list)
    channels: list[list[str]] = field(default_factory=list)
    tips: list[tuple[int, list[float]]] = field(default_factory=list)
    frame_time: float = 0
    values: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def globals(self) -> Floats:
        """(F, J, 4, 4)"""
        local = np.zeros((len(self.values), len(self.names), 4, 4))
        local[:] = np.eye(4)
        local[..., :3, 3] = self.offsets
        places = [(j, channel) for j, channels in enumerate(self.channels) for channel in channels]
        for (j, channel), column in zip(places, self.values.T, strict=True):
            axis = "XYZ".index(channel[0].upper())
            if channel[1:].lower() == "position":
                local[:, j, axis, 3] = column
            else:
                local[:, j] = local[:, j] @ turn_about(axis, np.radians(column))
        return global_matrices(self.parents, local)


def turn_about(axis: int, angles: Floats) -> Floats:
    a, b = (axis + 1) % 3, (axis + 2) % 3
    turn = np.zeros((len(angles), 4, 4))
    turn[:] = np.eye(4)
    turn[:, a, a] = turn[:, b, b] = np.cos(angles)
    turn[:, b, a] = np.sin(angles)
    turn[:, a, b] = -turn[:, b, a]
    return turn


def read(path: Path) -> Reading:
    head, _, motion = path.read_text(encoding="utf-8").partition("MOTION")
    found, open_joints = Reading(), [-1]
    for line in head.splitlines():
        word, _, rest = line.strip().partition(" ") if "\t" not in line.strip() else line.strip().partition("\t")
        if word in ("ROOT", "JOINT"):
            found.names.append(rest.strip())
            found.parents.append(open_joints[-1])
            open_joints.append(len(found.names) - 1)
        elif word == "End":
            open_joints.append(-2)
        elif word == "OFFSET":
            offset = [float(number) for number in rest.split()]
            if open_joints[-1] == -2:
                found.tips.append((open_joints[-2], offset))
            else:
                found.offsets.append(offset)
        elif word == "CHANNELS":
            found.channels.append(rest.split()[1:])
        elif word == "}":
            open_joints.pop()
    _, frame_time, *rows = [line for line in motion.splitlines() if line.strip()]
    found.frame_time = float(frame_time.partition(":")[2])
    found.values = np.array([[float(number) for number in row.split()] for row in rows])
    return found
