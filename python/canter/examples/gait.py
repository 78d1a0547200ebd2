"""Walking and running: one generator, from speed, cycle, contact, turn rate and direction of travel.

Angles and their times in the cycle follow J. Perry, *Gait Analysis* (1992), D. A. Winter, *The Biomechanics and Motor Control of Human
Gait* (1987), and for running T. F. Novacheck, *The biomechanics of running* (1998).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from canter._core import Clip
from canter.examples.body import SHIN, SIDES, THIGH, FootCurve, arm, hip_joint, make_clip, trunk, turn
from canter.examples.curves import Floats, ease, through, wave
from canter.examples.footfall import Footprint, Swing, follow

GRAVITY = 9.81
# The left foot comes down at phase 0, the right one half a cycle later.
OFFSETS = {"Left": 0.0, "Right": 0.5}


@dataclass(frozen=True)
class Style:
    """How a gait looks. Radians and metres; times are parts of the cycle; amplitudes are half of what is seen."""

    # Feet.
    landing: float  # pitch at contact, negative on the heel
    leaving: float  # pitch at toe-off
    roll_on: float  # from contact to flat
    roll_off: float  # from the heel's rise to toe-off
    under: float  # part of the stance after which the foot is below the hips
    swing: Swing
    width: float = 0.13  # between the lines of the two feet
    toe_out: float = 0.09
    # Pelvis.
    knee: float = 0.1  # how far it stays bent where the leg is longest
    bob: float | None = None  # None: as half-sine forces of the ground make it (running)
    sway: float = 0.0
    rotation: float = 0.0
    list: float = 0.0
    tilt: float = 0.0  # forward
    # Upper body.
    lean: float = 0.0
    counter: float = 0.0  # rotation of the chest against the pelvis
    shoulder: tuple[float, float] = (0.0, 0.0)  # mean and amplitude of the arm's flexion
    elbow: tuple[float, float] = (0.0, 0.0)
    lag: float = 0.06  # of the elbow behind the shoulder
    arm_out: float = 0.12
    inward: float = 0.3
    bank: float = 0.6  # part of the lean into a turn that would balance it


WALK = Style(
    landing=-0.34,
    leaving=1.0,
    roll_on=1 / 15,
    roll_off=0.35,
    under=0.41,
    swing=Swing(lift=0.09, peak=0.36, pitch=((0.18, 1.15), (0.6, 0.05), (0.88, -0.35))),
    bob=0.018,
    sway=0.022,
    rotation=0.05,
    list=0.06,
    tilt=0.06,
    lean=0.03,
    counter=0.07,
    shoulder=(-0.03, 0.27),
    elbow=(0.42, 0.20),
)
RUN = Style(
    landing=-0.14,
    leaving=1.15,
    roll_on=0.05,
    roll_off=0.21,
    under=0.33,
    knee=0.3,
    swing=Swing(lift=0.32, peak=0.48, pitch=((0.25, 1.8), (0.6, 0.7), (0.88, -0.2)), toes=0.2),
    width=0.07,
    toe_out=0.05,
    sway=0.008,
    rotation=0.12,
    list=0.06,
    tilt=0.17,
    lean=0.16,
    counter=0.16,
    shoulder=(-0.22, 0.62),
    elbow=(1.55, 0.20),
    arm_out=0.22,
    inward=0.5,
)
# Backward walking is forward walking in reverse, with shorter steps and the trunk upright (A. Thorstensson, 1986): the foot comes down on the
# ball and leaves from the heel.
BACKWARD = replace(
    WALK,
    landing=-0.20,
    leaving=0.75,
    roll_on=0.12,
    under=0.45,
    swing=Swing(lift=0.07, peak=0.4, pitch=((0.2, 0.8), (0.6, 0.05), (0.88, -0.2))),
    bob=0.012,
    rotation=0.035,
    width=0.16,
    lean=0.0,
    shoulder=(0.0, 0.14),
    elbow=(0.5, 0.08),
    lag=-0.06,
)
STRAFE = Style(
    landing=0.12,
    leaving=0.3,
    roll_on=0.1,
    roll_off=0.2,
    under=0.5,
    swing=Swing(lift=0.06, peak=0.45, pitch=((0.5, 0.25),)),
    width=0.2,
    toe_out=0.08,
    knee=0.25,
    bob=0.012,
    sway=0.012,
    list=0.04,
    tilt=0.08,
    lean=0.07,
    shoulder=(0.1, 0.05),
    elbow=(0.7, 0.05),
    arm_out=0.2,
)


@dataclass(frozen=True)
class Gait:
    """A steady gait: the character's path on the ground, the footprints beside it, and the body above them, at any time."""

    style: Style
    speed: float  # m/s
    cycle: float  # seconds
    contact: float  # part of the cycle
    turn: float = 0.0  # rad/s, to the left
    direction: float = 0.0  # of travel, radians to the left of where the character faces
    origin: float = 0.0  # seconds: when the character passes the origin, facing +Z

    def path(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """x, z and heading of the character, which goes along an arc."""
        heading = self.turn * (t - self.origin)
        # The chord of an arc of this angle, half of it further on.
        length = self.speed * (t - self.origin) * np.sinc(heading / (2.0 * np.pi))
        way = self.direction + heading / 2.0
        return length * np.sin(way), length * np.cos(way), heading

    @property
    def bank(self) -> float:
        """Lean into the turn, radians to the left: the feet are that much outside."""
        return float(self.style.bank * np.arctan(self.speed * self.turn / GRAVITY))

    def footprint(self, side: str, number: int) -> Footprint:
        """The foot's stay on the floor that begins in the cycle of this number."""
        style = self.style
        down = (number + OFFSETS[side]) * self.cycle
        up = down + self.contact * self.cycle
        x, z, heading = (float(v) for v in self.path(np.array(down + style.under * (up - down))))
        half = SIDES[side] * style.width / 2.0 - 0.9 * np.sin(self.bank)
        return Footprint(
            x + half * np.cos(heading),
            z - half * np.sin(heading),
            heading + SIDES[side] * style.toe_out,
            down,
            up,
            style.landing,
            style.leaving,
            style.roll_on * self.cycle,
            style.roll_off * self.cycle,
        )

    def feet(self, t: Floats) -> dict[str, FootCurve]:
        first, last = int(np.floor(t.min() / self.cycle)) - 2, int(np.ceil(t.max() / self.cycle)) + 1
        return {side: follow(t, [self.footprint(side, k) for k in range(first, last + 1)], self.style.swing)[0] for side in SIDES}

    def bob(self, phase: Floats) -> Floats:
        """How far the pelvis is above its mean height, or in running above where the feet leave the ground."""
        style = self.style
        if style.bob is not None:
            return wave(phase, style.bob, self.contact / 2.0, times=2)
        # Free fall, and in each stance a half-sine force that carries the body (R. McN. Alexander, 1989).
        step, stance = self.cycle / 2.0, self.contact * self.cycle
        s = (phase % 0.5) * self.cycle
        held = GRAVITY / 2.0 * (s * (stance - s) - step * stance / np.pi * np.sin(np.pi * s / stance))
        return np.asarray(np.where(s < stance, held, GRAVITY / 2.0 * (s - stance) * (step - s)))

    def pelvis(self, t: Floats) -> tuple[Floats, Floats]:
        """Position but for its mean height, and rotation."""
        style, phase = self.style, t / self.cycle
        x, z, heading = self.path(t)
        middle = self.contact / 2.0
        side = wave(phase, style.sway, middle)
        position = np.stack([x + side * np.cos(heading), self.bob(phase), z - side * np.sin(heading)], axis=-1)
        rotation = turn(
            y=heading - wave(phase, style.rotation, 0.0),
            x=style.tilt + wave(phase, 0.015, 0.05, times=2),
            z=wave(phase, style.list, 0.6 * middle) - 0.5 * self.bank,
        )
        return position, rotation

    def height(self) -> float:
        """Mean height of the hips: as high as both legs reach their feet with knees a little bent."""
        t = np.arange(96) / 96 * self.cycle
        position, rotation = self.pelvis(t)
        reach = np.sqrt(THIGH**2 + SHIN**2 + 2 * THIGH * SHIN * np.cos(self.style.knee))
        room = np.inf
        for side, foot in self.feet(t).items():
            away = foot.ankle - hip_joint(position, rotation, SIDES[side])
            up = np.sqrt(np.maximum(reach**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
            room = min(room, float(np.min(away[:, 1] + up)))
        return room

    def upper_body(self, t: Floats, pelvis: Floats) -> dict[str, Floats]:
        style, phase = self.style, t / self.cycle
        heading = self.path(t)[2]
        chest = turn(
            y=heading + wave(phase, style.counter, 0.0) + 0.1 * self.turn,
            x=style.lean + wave(phase, 0.015, 0.05, times=2),
            z=-wave(phase, 0.5 * style.list, 0.6 * self.contact / 2) - self.bank,
        )
        head = turn(y=heading + 0.3 * self.turn, x=0.25 * style.lean, z=-0.3 * self.bank)
        rotations = trunk(pelvis, chest, head)
        for side, offset in OFFSETS.items():
            own = phase - offset
            rotations |= arm(
                side,
                flexion=style.shoulder[0] - wave(own, style.shoulder[1], 0.02),
                elbow=style.elbow[0] - wave(own, style.elbow[1], 0.02 + style.lag),
                out=style.arm_out,
                inward=style.inward,
            )
        return rotations

    def clip(self, *, name: str, joints: int, fps: float, backward: bool = False) -> Clip:
        """One cycle from the left foot's contact on; backward, the same with time reversed."""
        frames = round(self.cycle * fps)
        t = np.arange(frames + 1) / frames * self.cycle
        down, up = 0.0, self.contact * self.cycle
        markers = {
            f"{side.lower()}_{event}": np.array([(offset * self.cycle + at) % self.cycle])
            for side, offset in OFFSETS.items()
            for event, at in (("down", down), ("up", up))
        }
        gait = self
        if backward:  # the left foot comes down where, forward, it leaves
            gait = replace(self, origin=up)
            t = up - t
        hips, rotation = gait.pelvis(t)
        hips[:, 1] += gait.height()
        return make_clip(
            hips,
            rotation,
            gait.feet(t),
            gait.upper_body(t, rotation),
            joints=joints,
            frame_time=self.cycle / frames,
            name=name,
            looping=True,
            markers=markers,
            tags=(name,),
        )


def walk(*, speed=1.3, cycle=1.0, contact=0.6, turn=0.0, joints=18, fps=60.0):
    return Gait(WALK, speed, cycle, contact, turn).clip(name="walk", joints=joints, fps=fps)


def run(*, speed=3.5, cycle=0.7, contact=0.34, turn=0.0, joints=18, fps=60.0):
    return Gait(RUN, speed, cycle, contact, turn).clip(name="run", joints=joints, fps=fps)


def turn_left(*, rate=1.0, speed=1.3, cycle=1.0, contact=0.6, joints=18, fps=60.0):
    return Gait(WALK, speed, cycle, contact, rate).clip(name="turn_left", joints=joints, fps=fps)


def turn_right(*, rate=1.0, speed=1.3, cycle=1.0, contact=0.6, joints=18, fps=60.0):
    return Gait(WALK, speed, cycle, contact, -rate).clip(name="turn_right", joints=joints, fps=fps)


def walk_backward(*, speed=1.0, cycle=1.0, contact=0.62, joints=18, fps=60.0):
    return Gait(BACKWARD, speed, cycle, contact).clip(name="walk_backward", joints=joints, fps=fps, backward=True)


def _strafe(speed, cycle, contact, direction):
    # Feet side by side do not cross: half a step nearer to each other than on average, they are still a foot apart.
    style = replace(STRAFE, width=max(STRAFE.width, 0.5 * speed * cycle + 0.13))
    return Gait(style, speed, cycle, contact, direction=direction)


def strafe_left(*, speed=0.7, cycle=0.75, contact=0.6, joints=18, fps=60.0):
    return _strafe(speed, cycle, contact, np.pi / 2).clip(name="strafe_left", joints=joints, fps=fps)


def strafe_right(*, speed=0.7, cycle=0.75, contact=0.6, joints=18, fps=60.0):
    return _strafe(speed, cycle, contact, -np.pi / 2).clip(name="strafe_right", joints=joints, fps=fps)
