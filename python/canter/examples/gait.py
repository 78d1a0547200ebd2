"""A steady gait, whatever its kind: one generator, from style, speed, cycle, contact, turn rate and direction of travel."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter._core import Clip
from canter.examples.body import MOST_FRAMES, SHIN, SIDES, THIGH, FootCurve, Posture, arm, hip_joint, make_clip, timeline, trunk, turn
from canter.examples.curves import Floats, wave
from canter.examples.footfall import Footprint, Swing, follow

GRAVITY = 9.81
HIPS, LOWEST = 0.9, 0.6  # height of the hips: about what it is, and what is no walk any more
# The left foot comes down at phase 0, the right one half a cycle later.
OFFSETS = {"Left": 0.0, "Right": 0.5}


@dataclass(frozen=True)
class Style:
    """How a gait looks. Radians and metres; amplitudes are half of what is seen from one extreme to the other."""

    stride: float  # metres a cycle that it's made for; shorter ones swing less
    # Feet.
    landing: float  # pitch at contact, negative on the heel
    leaving: float  # pitch at toe-off
    roll_on: float  # part of the stance from contact to flat
    roll_off: float  # part of the stance from the heel's rise to toe-off
    under: float  # part of the stance after which the foot is below the hips
    swing: Swing
    width: float = 0.13  # between the lines of the two feet
    toe_out: float = 0.09
    # Pelvis.
    knee: float = 0.1  # how far it stays bent where the leg is longest
    bob: float | None = None  # None: as the forces of the ground make it (running)
    force: float = 0.0  # how much flatter than a half-sine those forces are
    sway: float = 0.0
    rotation: float = 0.0
    list: float = 0.0
    tilt: float = 0.0  # forward
    # Upper body. Arms swing against the legs.
    lean: float = 0.0
    counter: float = 0.0  # rotation of the chest against the pelvis
    shoulder: tuple[float, float] = (0.0, 0.0)  # mean and amplitude of the arm's flexion
    elbow: tuple[float, float] = (0.0, 0.0)
    lag: float = 0.06  # of the elbow behind the shoulder, part of the cycle
    arm_out: float = 0.15
    inward: float = 0.25
    bank: float = 0.6  # part of the lean into a turn that would balance it

    def shortened(self, stride: float) -> Style:
        """The style of shorter strides: feet roll less, and what swings with the steps swings less."""
        part = min(stride / self.stride, 1.0)
        roll = 0.4 + 0.6 * part
        return replace(
            self,
            landing=part * self.landing,
            leaving=roll * self.leaving,
            swing=replace(
                self.swing,
                lift=roll * self.swing.lift,
                pitch=[(at, (roll if pitch > 0 else part) * pitch) for at, pitch in self.swing.pitch],
            ),
            bob=None if self.bob is None else part * self.bob,
            rotation=part * self.rotation,
            counter=part * self.counter,
            shoulder=(self.shoulder[0], part * self.shoulder[1]),
            elbow=(self.elbow[0], part * self.elbow[1]),
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
    before: float = 0.0  # metres from the origin to where it is at time 0, facing +Z (straight ways only)

    def path(self, t: Floats) -> tuple[Floats, Floats, Floats]:
        """x, z and heading of the character, which goes along an arc."""
        heading = self.turn * t
        # The chord of an arc of this angle, half of it further on.
        length = self.speed * t * np.sinc(heading / (2.0 * np.pi)) + self.before
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
        half = SIDES[side] * style.width / 2.0 - HIPS * np.sin(self.bank)
        return Footprint(
            x + half * np.cos(heading),
            z - half * np.sin(heading),
            heading + SIDES[side] * style.toe_out,
            down,
            up,
            style.landing,
            style.leaving,
            style.roll_on * (up - down),
            style.roll_off * (up - down),
        )

    def feet(self, t: Floats) -> dict[str, FootCurve]:
        first, last = int(np.floor(t.min() / self.cycle)) - 2, int(np.ceil(t.max() / self.cycle)) + 1
        return {side: follow(t, [self.footprint(side, k) for k in range(first, last + 1)], self.style.swing) for side in SIDES}

    def bob(self, phase: Floats) -> Floats:
        """How far the pelvis is above its mean height, or in running above where the feet leave the ground."""
        style = self.style
        if style.bob is not None:
            return wave(phase, style.bob, self.contact / 2.0, times=2)
        # Free fall, and in each stance a force that carries the body: sin x + force sin 3x (R. McN. Alexander and A. S. Jayes, 1980).
        step, stance = self.cycle / 2.0, self.contact * self.cycle
        s = (phase % 0.5) * self.cycle
        x = np.pi * s / stance
        pushed = (np.sin(x) + style.force / 9.0 * np.sin(3.0 * x)) / (1.0 + style.force / 3.0)
        held = GRAVITY / 2.0 * (s * (stance - s) - step * stance / np.pi * pushed)
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
        t = np.arange(240) / 240 * self.cycle  # as many whatever the frames are, so that the height does not depend on them
        position, rotation = self.pelvis(t)
        reach = np.sqrt(THIGH**2 + SHIN**2 + 2 * THIGH * SHIN * np.cos(self.style.knee))
        room = np.inf
        for side, foot in self.feet(t).items():
            away = foot.ankle - hip_joint(position, rotation, SIDES[side])
            up = np.sqrt(np.maximum(reach**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
            room = min(room, float(np.min(away[:, 1] + up)))
        if room < LOWEST:
            stride = self.speed * self.cycle
            turned = f" on a turn of {self.turn:.3g} radians a second" if self.turn else ""
            way = f"{stride:.2f} m a cycle{turned}"
            raise ValueError(
                f"examples: no legs reach so far: {way}, a foot down for {self.contact:.0%} of it;"
                f" make the cycle shorter than cycle={self.cycle:.3g}, as people do who go faster, or lower speed, contact or turn"
            )
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

    def posture(self, t: Floats) -> Posture:
        hips, rotation = self.pelvis(t)
        hips[:, 1] += self.height()
        return Posture(hips, rotation, self.upper_body(t, rotation))

    def clip(self, *, name: str, tags: tuple[str, ...], cycles: int, joints: int, fps: float, backward: bool = False) -> Clip:
        """Whole cycles from the left foot's contact on; backward, the same with time reversed."""
        t, frame_time = timeline(self.cycle, fps)
        most = MOST_FRAMES // (len(t) - 1)
        if not 1 <= cycles <= most:
            raise ValueError(f"examples: cycles is {cycles}, expected 1 or more, and at {fps:g} fps at most {most:,}")
        t = np.arange(cycles * (len(t) - 1) + 1, dtype=np.float64) * frame_time
        down, up = 0.0, self.contact * self.cycle
        markers = {
            f"{side.lower()}_{event}": (offset * self.cycle + at) % self.cycle + np.arange(cycles, dtype=np.float64) * self.cycle
            for side, offset in OFFSETS.items()
            for event, at in (("down", down), ("up", up))
        }
        gait = self
        if backward:  # a foot comes down where, forward, it leaves
            gait = replace(self, before=-self.speed * up)
            t = up - t
        posture, feet = gait.posture(t), gait.feet(t)
        return make_clip(posture, feet, joints=joints, frame_time=frame_time, name=name, looping=True, markers=markers, tags=tags)
