"""A walking stick figure, made up: something to load, look at and convert before you have files of your own."""

from __future__ import annotations

import numpy as np

from canter import quat
from canter._core import Clip, Skeleton

# Name, parent, offset in metres. The figure faces +Z, its left is +X.
_JOINTS = (
    ("Hips", None, (0.0, 0.0, 0.0)),
    ("Spine", "Hips", (0.0, 0.10, 0.0)),
    ("Chest", "Spine", (0.0, 0.22, 0.0)),
    ("Neck", "Chest", (0.0, 0.24, 0.0)),
    ("Head", "Neck", (0.0, 0.10, 0.02)),
    ("LeftUpLeg", "Hips", (0.09, -0.06, 0.0)),
    ("LeftLeg", "LeftUpLeg", (0.0, -0.43, 0.0)),
    ("LeftFoot", "LeftLeg", (0.0, -0.41, 0.0)),
    ("LeftToe", "LeftFoot", (0.0, -0.06, 0.14)),
    ("RightUpLeg", "Hips", (-0.09, -0.06, 0.0)),
    ("RightLeg", "RightUpLeg", (0.0, -0.43, 0.0)),
    ("RightFoot", "RightLeg", (0.0, -0.41, 0.0)),
    ("RightToe", "RightFoot", (0.0, -0.06, 0.14)),
    ("LeftShoulder", "Chest", (0.04, 0.18, 0.0)),
    ("LeftArm", "LeftShoulder", (0.14, 0.0, 0.0)),
    ("LeftForeArm", "LeftArm", (0.28, 0.0, 0.0)),
    ("LeftHand", "LeftForeArm", (0.26, 0.0, 0.0)),
    ("RightShoulder", "Chest", (-0.04, 0.18, 0.0)),
    ("RightArm", "RightShoulder", (-0.14, 0.0, 0.0)),
    ("RightForeArm", "RightArm", (-0.28, 0.0, 0.0)),
    ("RightHand", "RightForeArm", (-0.26, 0.0, 0.0)),
)
_TIPS = (
    ("Head", (0.0, 0.16, 0.02)),
    ("LeftToe", (0.0, 0.0, 0.07)),
    ("RightToe", (0.0, 0.0, 0.07)),
    ("LeftHand", (0.16, 0.0, 0.0)),
    ("RightHand", (-0.16, 0.0, 0.0)),
)


def skeleton() -> Skeleton:
    """The figure: 21 joints, 5 tips, 1.7 m tall, in a T pose at rest."""
    names = [name for name, _, _ in _JOINTS]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in _JOINTS]
    return Skeleton(names, parents, np.array([offset for _, _, offset in _JOINTS]), tips=_TIPS)


SPEED = 1.1  # metres a second
PERIOD = 1.1  # seconds for two steps
STANCE = 0.6  # the part of it that a foot is on the ground
THIGH, SHIN = 0.43, 0.41
BALL = (-0.06, 0.14)  # from the ankle to the ball of the foot: up and ahead

_Turns = tuple["np.ndarray | float", "np.ndarray | float", "np.ndarray | float"]


def _through(phase: np.ndarray, keys: list[tuple[float, float]]) -> np.ndarray:
    """A curve that rests at each key (phase, value) and eases from one to the next."""
    at = np.array([k for k, _ in keys])
    value = np.array([v for _, v in keys])
    i = np.clip(np.searchsorted(at, phase, side="right") - 1, 0, len(keys) - 2)
    part = (phase - at[i]) / (at[i + 1] - at[i])
    return np.asarray(value[i] + (value[i + 1] - value[i]) * (0.5 - 0.5 * np.cos(np.pi * part)))


def _hips_height(phase: np.ndarray) -> np.ndarray:
    return np.asarray(0.905 - 0.015 * np.cos(4 * np.pi * (phase - 0.05)))


def _leg(phase: np.ndarray) -> dict[str, np.ndarray]:
    """Turns about X of one leg; its foot comes down at phase 0 and leaves at STANCE."""
    travel = SPEED * PERIOD * STANCE
    swing = np.clip((phase - STANCE) / (1 - STANCE), 0, 1)
    ahead = 0.06 + travel * np.where(phase < STANCE, 0.5 - phase / STANCE, -0.5 * np.cos(np.pi * swing))
    up = 0.07 * np.sin(np.pi * swing) ** 2
    pitch = np.radians(_through(phase, [(0.0, 0.0), (0.32, 0.0), (0.64, 48.0), (0.9, -14.0), (1.0, 0.0)]))

    # The ankle above and behind the ball of the foot, and from there two bones up to the hip.
    dy = up - (BALL[0] * np.cos(pitch) - BALL[1] * np.sin(pitch)) - (_hips_height(phase) - 0.06)
    dz = ahead - (BALL[0] * np.sin(pitch) + BALL[1] * np.cos(pitch))
    reach = np.minimum(np.hypot(dy, dz), 0.999 * (THIGH + SHIN))
    knee = np.pi - np.arccos((THIGH**2 + SHIN**2 - reach**2) / (2 * THIGH * SHIN))
    thigh = -np.arctan2(dz, -dy) - np.arccos((THIGH**2 + reach**2 - SHIN**2) / (2 * THIGH * reach))
    toes = -np.maximum(pitch, 0) * (phase < 0.7)
    return {"UpLeg": thigh, "Leg": knee, "Foot": pitch - thigh - knee, "Toe": toes}


def _turns(phase: np.ndarray) -> dict[str, _Turns]:
    """Turns about X, Y and Z in radians, by joint, for phases of the stride (0 to 1; 0: the left foot comes down)."""
    degree = np.pi / 180
    twist = np.cos(2 * np.pi * phase) * degree
    joints: dict[str, _Turns] = {
        "Spine": (3 * degree, 4 * twist, 0.0),
        "Chest": (2 * degree, 5 * twist, 0.0),
        "Neck": (0.0, -5 * twist, 0.0),
        "Head": (-4 * degree, -4 * twist, 0.0),
    }
    for side, sign, shift in (("Left", 1.0, 0.0), ("Right", -1.0, 0.5)):
        own = (phase + shift) % 1.0
        swing = np.cos(2 * np.pi * own) * degree
        joints |= {f"{side}{bone}": (turn, 0.0, 0.0) for bone, turn in _leg(own).items()}
        joints[f"{side}Arm"] = (24 * swing, 0.0, -78 * degree * sign)
        joints[f"{side}ForeArm"] = (0.0, (14 * swing - 26 * degree) * sign, 0.0)
    return joints


def walk(*, strides: int = 3, fps: float = 60.0) -> Clip:
    """A walk towards +Z at 1.1 m/s: legs and arms swing, the hips bob, and a foot on the ground stays where it is.

    Parameters
    ----------
    strides : int
        Two steps each, 1.1 seconds.
    fps : float

    Returns
    -------
    Clip

    Examples
    --------
    >>> from canter import demo
    >>> clip = demo.walk(fps=30)
    >>> len(clip), clip.duration
    (100, 3.3)
    """
    figure = skeleton()
    frames = round(strides * PERIOD * fps) + 1
    seconds = np.arange(frames) / fps
    phase = seconds / PERIOD % 1.0
    angles = np.zeros((frames, len(figure.names), 3))
    for name, turns in _turns(phase).items():
        for axis, turn in enumerate(turns):
            angles[:, figure.index(name), axis] = turn

    translations = np.repeat(np.asarray(figure.offsets, dtype=np.float64)[None], frames, axis=0)
    translations[:, 0, 1] = _hips_height(phase)
    translations[:, 0, 2] = SPEED * seconds
    # As XYZ an arm hangs (Z) in the axes of its swing (X).
    return Clip(figure, quat.from_euler(angles, "XYZ"), translations, fps=fps, name="walk")
