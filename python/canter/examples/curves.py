"""Curves over time that the example clips are drawn with; all take and give arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ease(x: Floats) -> Floats:
    """0 to 1 while x goes from 0 to 1, at rest outside: the path of least jerk (T. Flash and N. Hogan, 1985)."""
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x**3 * (10.0 - 15.0 * x + 6.0 * x**2))


def through(x: Floats, keys: Sequence[tuple[float, float]], *, slopes: tuple[float, float] = (0.0, 0.0)) -> Floats:
    """A smooth curve through keys (x, value) with these slopes at its ends: cubic Hermite, inner slopes from the neighbours, 0 at peaks."""
    at, value = np.array(keys, dtype=np.float64).T
    width, rise = np.diff(at), np.diff(value)
    chord = rise / width
    slope = np.empty_like(at)
    slope[0], slope[-1] = slopes
    peak = chord[:-1] * chord[1:] <= 0.0
    slope[1:-1] = np.where(peak, 0.0, (rise[:-1] + rise[1:]) / (width[:-1] + width[1:]))
    i = np.clip(np.searchsorted(at, x, side="right") - 1, 0, len(at) - 2)
    s = (x - at[i]) / width[i]
    bend = slope[i] * width[i] - rise[i]
    other = rise[i] - slope[i + 1] * width[i]
    return np.asarray(value[i] + rise[i] * s + s * (1.0 - s) * ((1.0 - s) * bend + s * other))


def wave(phase: Floats, amplitude: float, peak: float, *, times: int = 1) -> Floats:
    """A cosine of the phase (1 is a cycle) that is highest at `peak`, so many times a cycle."""
    return np.asarray(amplitude * np.cos(2.0 * np.pi * times * (phase - peak)))


def hump(x: Floats) -> Floats:
    """0 to 1 and back while x goes from 0 to 1, smooth at both ends."""
    return np.asarray(0.5 - 0.5 * np.cos(2.0 * np.pi * np.clip(x, 0.0, 1.0)))


def travelled(x: Floats) -> Floats:
    """The integral of `ease`: the way of something whose speed goes from 0 to 1."""
    inside = np.clip(x, 0.0, 1.0)
    return np.asarray(inside**4 * (2.5 + inside * (inside - 3.0)) + np.maximum(x - 1.0, 0.0))
