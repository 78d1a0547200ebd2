"""Feet that stand still: footprints on the floor, and how a foot rolls over each and swings to the next.

A foot comes down on the heel with its toes up (or on the ball), lies flat, and leaves over the ball, about which the heel rises while the
toes stay flat. The point that it rolls about, the heel or the ball, does not move at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canter import quat
from canter.examples.body import FootCurve, turn
from canter.examples.curves import Floats, through

# Of a flat foot, from its ankle, which is 0.08 m above the floor.
ANKLE = 0.08
HEEL = np.array([0.0, -ANKLE, -0.06])
BALL = np.array([0.0, -0.06, 0.13])


@dataclass(frozen=True)
class Footprint:
    """A stay of one foot on the floor. Pitch is in radians, toes down positive."""

    x: float  # of the ankle while the foot is flat
    z: float
    heading: float  # radians, to the left of +Z
    down: float = -np.inf  # seconds: when the foot comes down ...
    up: float = np.inf  # ... and leaves
    landing: float = 0.0  # pitch when it comes down: negative on the heel, positive on the ball
    leaving: float = 0.0  # pitch when it leaves
    roll_on: float = 0.0  # seconds from coming down until it's flat
    roll_off: float = 0.0  # seconds from the heel's rise until it leaves

    def point(self, offset: Floats) -> Floats:
        """Where a point of the flat foot is."""
        return np.array([self.x, ANKLE, self.z]) + quat.rotate(turn(y=self.heading), offset)


@dataclass(frozen=True)
class Swing:
    """How a foot goes from one footprint to the next."""

    lift: float  # metres
    peak: float = 0.4  # part of the swing at which it's lifted highest
    pitch: Sequence[tuple[float, float]] = ()  # (part of the swing, radians) between leaving and landing
    toes: float = 0.1  # how far the toes stay bent up


ROLL_OFF = 2.5  # the heel rises slowly first: foot to floor is about 22 degrees when the other foot comes down (Perry, Gait Analysis, 1992)


def _pivot(pitch: float) -> Floats:
    return HEEL if pitch < 0 else BALL


def follow(t: Floats, prints: Sequence[Footprint], swing: Swing) -> tuple[FootCurve, NDArray[np.bool_]]:
    """The foot at the times t, and when it is on the floor."""
    position, offset = np.empty((len(t), 3)), np.empty((len(t), 3))
    heading, pitch, bend = np.empty(len(t)), np.empty(len(t)), np.empty(len(t))
    on_floor = np.zeros(len(t), dtype=bool)

    for i, here in enumerate(prints):
        at = (t >= here.down) & (t <= here.up)
        on_floor |= at
        time = t[at]
        roll = np.zeros(len(time))
        if here.roll_on > 0:
            # It slaps down: slowly first, flat at once.
            roll += here.landing * (1.0 - np.clip((time - here.down) / here.roll_on, 0.0, 1.0) ** 2)
        if here.roll_off > 0:
            roll += here.leaving * np.clip((time - here.up) / here.roll_off + 1.0, 0.0, 1.0) ** ROLL_OFF
        offset[at] = np.where(roll[:, None] < 0, HEEL, BALL)
        position[at] = np.where(roll[:, None] < 0, here.point(HEEL), here.point(BALL))
        heading[at], pitch[at], bend[at] = here.heading, roll, np.maximum(roll, 0.0)

        if i + 1 == len(prints):
            break
        there = prints[i + 1]
        at = (t > here.up) & (t < there.down)
        duration = there.down - here.up
        s = (t[at] - here.up) / duration
        way = (s**2.5 * (3.5 - 2.5 * s))[:, None]  # at rest at both ends; a little late, so that the leg need not reach far ahead
        first, last = _pivot(here.leaving), _pivot(there.landing)
        offset[at] = first + way * (last - first)
        position[at] = here.point(first) + way * (there.point(last) - here.point(first))
        # Up at once, so that the foot doesn't scrape along the floor.
        position[at, 1] += swing.lift * (s / swing.peak) ** 1.5 * ((1.0 - s) / (1.0 - swing.peak)) ** (1.5 / swing.peak - 1.5)
        heading[at] = here.heading + way[:, 0] * (there.heading - here.heading)
        rate = ROLL_OFF * here.leaving / here.roll_off * duration if here.roll_off > 0 else 0.0
        pitch[at] = through(s, [(0.0, here.leaving), *swing.pitch, (1.0, there.landing)], slopes=(rate, 0.0))
        keys = [(0.0, max(here.leaving, 0.0)), (0.35, swing.toes), (1.0, max(there.landing, 0.0))]
        bend[at] = through(s, keys, slopes=(max(rate, 0.0), 0.0))

    rotation = turn(x=pitch, y=heading)
    return FootCurve(position - quat.rotate(rotation, offset), rotation, bend), on_floor
