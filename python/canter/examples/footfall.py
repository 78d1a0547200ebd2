"""Feet that stand still: footprints on the floor, and how a foot rolls over each and swings to the next.

A foot comes down on the heel with its toes up (or on the ball), lies flat, and leaves over the ball, about which the heel rises while the
toes stay flat. The point that it rolls about, the heel or the ball, does not move at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

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
        x, y, z = offset
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        return np.array([self.x + x * cosine + z * sine, ANKLE + y, self.z - x * sine + z * cosine])


@dataclass(frozen=True)
class Swing:
    """How a foot goes from one footprint to the next."""

    lift: float  # metres
    # Exponents at the ends; the larger, the slower there. At 2 or more even the acceleration is bounded.
    rise: float = 2.0  # from the floor: at most `late`, so that the foot doesn't scrape
    settle: float = 3.0  # to the floor
    late: float = 2.2  # along the floor at first: above 2, so that the leg need not reach far
    stop: float = 2.0  # along the floor at last
    pitch: Sequence[tuple[float, float]] = ()  # (part of the swing, radians) between leaving and landing
    toes: float = 0.1  # how far the toes stay bent up


SLAP = 3.0  # the foot comes down late and fast, so that an ankle near the floor hardly moves
# The heel rises slowly first: foot to floor is about 22 degrees when the other foot comes down (Perry, Gait Analysis, 1992).
ROLL_OFF = 2.06


def _pivot(pitch: float) -> Floats:
    return HEEL if pitch < 0 else BALL


def contact_markers(prints: Mapping[str, Sequence[Footprint]], duration: float) -> dict[str, Floats]:
    """Times within a clip at which each foot comes down and leaves the floor: left_down, left_up, right_down, right_up.

    A foot that stands from the beginning comes down at 0, and one that stands to the end does not leave.
    """
    markers = {}
    for side, stays in prints.items():
        markers[f"{side.lower()}_down"] = np.array([max(stay.down, 0.0) for stay in stays if stay.up >= 0.0 and stay.down <= duration])
        markers[f"{side.lower()}_up"] = np.array([stay.up for stay in stays if 0.0 <= stay.up <= duration])
    return markers


_Curves = tuple[Floats, Floats, Floats, Floats, Floats]


def follow(t: Floats, prints: Sequence[Footprint], swing: Swing) -> FootCurve:
    """The foot at the times t. Before its first footprint and after its last it does not move."""
    # Where the point is that the foot turns about, which point of the foot that is, heading, pitch and bend of the toes.
    curves = (np.empty((len(t), 3)), np.empty((len(t), 3)), np.empty(len(t)), np.empty(len(t)), np.empty(len(t)))

    order = np.argsort(t, kind="stable")  # so that each part takes only its own times
    ordered = t[order]

    def fill(first: np.intp, end: np.intp, part: Callable[[Floats], _Curves]) -> None:
        if first < end:
            at = order[first:end]
            for curve, values in zip(curves, part(t[at]), strict=True):
                curve[at] = values

    for here, there in zip(prints, (*prints[1:], None), strict=True):
        lands, leaves = np.searchsorted(ordered, here.down, side="left"), np.searchsorted(ordered, here.up, side="right")
        fill(lands, leaves, partial(_on_floor, here))
        if there is not None:
            fill(leaves, np.searchsorted(ordered, there.down, side="left"), partial(_in_air, here, there, swing))
    pivot, offset, heading, pitch, bend = curves
    rotation = turn(x=pitch, y=heading)
    return FootCurve(pivot - quat.rotate(rotation, offset), rotation, bend)


def _on_floor(here: Footprint, time: Floats) -> _Curves:
    pitch = np.zeros(len(time))
    if here.roll_on > 0:  # it slaps down: slowly first, at rest when flat
        pitch += here.landing * (1.0 - np.clip((time - here.down) / here.roll_on, 0.0, 1.0) ** SLAP) ** 2
    if here.roll_off > 0:
        pitch += here.leaving * np.clip((time - here.up) / here.roll_off + 1.0, 0.0, 1.0) ** ROLL_OFF
    on_heel = (pitch < 0)[:, None]
    pivot = np.where(on_heel, here.point(HEEL), here.point(BALL))
    return pivot, np.where(on_heel, HEEL, BALL), np.full(len(time), here.heading), pitch, np.maximum(pitch, 0.0)


def _in_air(here: Footprint, there: Footprint, swing: Swing, time: Floats) -> _Curves:
    duration = there.down - here.up
    s = (time - here.up) / duration
    way = 1.0 - (1.0 - s**swing.late) ** swing.stop  # at rest at both ends
    first, last = _pivot(here.leaving), _pivot(there.landing)
    offset = first + way[:, None] * (last - first)
    pivot = here.point(first) + way[:, None] * (there.point(last) - here.point(first))
    peak = swing.rise / (swing.rise + swing.settle)
    pivot[:, 1] += swing.lift * (s / peak) ** swing.rise * ((1.0 - s) / (1.0 - peak)) ** swing.settle
    heading = here.heading + way * (there.heading - here.heading)
    rate = ROLL_OFF * here.leaving / here.roll_off * duration if here.roll_off > 0 else 0.0
    pitch = through(s, [(0.0, here.leaving), *swing.pitch, (1.0, there.landing)], slopes=(rate, 0.0))
    toes = [(0.0, max(here.leaving, 0.0)), (0.35, swing.toes), (1.0, max(there.landing, 0.0))]
    return pivot, offset, heading, pitch, through(s, toes, slopes=(max(rate, 0.0), 0.0))
