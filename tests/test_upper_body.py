"""Clips of the upper body: what the hands do, that arms bend as arms bend, and that the legs stand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import canter as ct

CLIPS = {
    "wave": ct.examples.wave,
    "aim": ct.examples.aim,
    "reload": ct.examples.reload,
    "reload from standing": lambda **options: ct.examples.reload(from_aim=False, **options),
    "lean": ct.examples.lean,
    "lean to the left": lambda **options: ct.examples.lean(direction=np.pi / 2, **options),
    "breathe": ct.examples.breathe,
}
EVERY = pytest.mark.parametrize("name", CLIPS)
LOOPS = pytest.mark.parametrize("name", ["wave", "aim", "breathe"])
BOTH = pytest.mark.parametrize("joints", [18, 65])
SIDES = (("Left", 1.0), ("Right", -1.0))


def places(clip):
    """Joint: where it is, (F, 3)."""
    return dict(zip(clip.skeleton.names, np.moveaxis(clip.global_positions().astype(np.float64), 1, 0), strict=True))


def turns(clip, *names):
    """Angular speeds of joints between neighbouring frames, (F - 1, joints), rad/s."""
    q = np.stack([clip.rotations[:, clip.skeleton.index(name)] for name in names or clip.skeleton.names], axis=1)
    return ct.quat.angle(q[:-1], q[1:]) / clip.frame_time


def local(clip, name):
    return Rotation.from_quat(clip.rotations[:, clip.skeleton.index(name)], scalar_first=True)


# ---- all of them


@EVERY
@BOTH
def test_clip_says_what_it_is(name, joints):
    clip = CLIPS[name](joints=joints)
    word = name.split()[0]
    assert clip.name == word
    assert clip.looping == (word in ("wave", "aim", "breathe"))
    assert clip.tags == ({"additive", "upper_body"} if word in ("lean", "breathe") else {"upper_body"})
    assert clip.skeleton is ct.examples.humanoid(joints=joints)


@EVERY
@BOTH
def test_feet_stand_as_in_idle(name, joints):
    clip, idle = CLIPS[name](joints=joints), ct.examples.idle(joints=joints)
    legs = [j for root in ("LeftUpLeg", "RightUpLeg") for j in clip.skeleton.branch(root)]
    for j in (0, *legs):
        expected = idle.rotations[0, j]
        np.testing.assert_allclose(abs(clip.rotations[:, j] @ expected), 1, atol=1e-6, err_msg=clip.skeleton.names[j])
    np.testing.assert_allclose(clip.translations[:, 0], np.tile(idle.translations[0, 0], (len(clip), 1)), atol=1e-6)


@EVERY
@BOTH
def test_nothing_jumps(name, joints):
    """The fastest joint is the wrist that waves; a flip of it would be ten times faster."""
    clip = CLIPS[name](joints=joints, fps=120)
    speeds = turns(clip)
    assert speeds.max() < 12
    assert abs(np.diff(speeds, axis=0)).max() < 1.5


@EVERY
@BOTH
def test_bones_keep_their_lengths(name, joints):
    clip = CLIPS[name](joints=joints)
    at = clip.global_positions()[:, 1:] - clip.global_positions()[:, clip.skeleton.parents[1:]]
    lengths = np.linalg.norm(clip.skeleton.offsets[1:], axis=-1)
    np.testing.assert_allclose(np.linalg.norm(at, axis=-1), np.tile(lengths, (len(clip), 1)), atol=2e-6)


@EVERY
@BOTH
def test_elbows_are_hinges_that_bend_forward(name, joints):
    """About one axis across the arm, by 0 to 150 degrees; besides, the forearm turns about itself by less than 90."""
    clip = CLIPS[name](joints=joints)
    loose = 0.1 if name == "reload from standing" else 2e-4  # which mixes two arms
    for side, sign in SIDES:
        swing, twist = ct.quat.swing_twist(clip.rotations[:, clip.skeleton.index(f"{side}ForeArm")], (1, 0, 0))
        bend = ct.quat.log(swing)
        np.testing.assert_allclose(bend[:, [0, 2]], 0, atol=loose)
        assert (-sign * bend[:, 1] > 0.05).all()
        assert (-sign * bend[:, 1] < np.radians(150)).all()
        assert (abs(ct.quat.log(twist)[:, 0]) < np.radians(90)).all()


@EVERY
@BOTH
def test_wrists_stay_in_their_range(name, joints):
    """80 degrees up and down, 40 to either side, and what is left of a forearm's turn."""
    clip = CLIPS[name](joints=joints)
    for side, _ in SIDES:
        swing, twist = ct.quat.swing_twist(clip.rotations[:, clip.skeleton.index(f"{side}Hand")], (1, 0, 0))
        bend = np.degrees(ct.quat.log(swing))
        assert (abs(bend[:, 2]) < 80).all()
        assert (abs(bend[:, 1]) < 40).all()
        assert (abs(ct.quat.log(twist)[:, 0]) < np.radians(90)).all()


@EVERY
def test_hands_stay_outside_the_body(name):
    """The trunk is about an ellipse of 16 by 11 cm around its spine, the head a ball of 9 cm, a thigh 7 cm about its bone."""
    clip = CLIPS[name](joints=65)
    at = places(clip)
    hands = np.stack([at[joint] for joint in clip.skeleton.names if "Hand" in joint], axis=1)
    trunk = np.stack([at[joint] for joint in ("Hips", "Spine", "Chest", "UpperChest")], axis=1)
    steps = np.linspace(0, 1, 12)[:, None]
    spine = np.concatenate([trunk[:, k, None] * (1 - steps) + trunk[:, k + 1, None] * steps for k in range(3)], axis=1)
    away = (hands[:, :, None] - spine[:, None]) / (0.16, 0.05, 0.11)
    assert np.linalg.norm(away, axis=-1).min() > 1
    assert np.linalg.norm(hands - (at["Head"] + at["HeadTop"])[:, None] / 2, axis=-1).min() > 0.09
    # What leans takes the hanging arms along.
    close = 0.05 if name.startswith("lean") else 0.07
    for side, _ in SIDES:
        thigh = at[f"{side}UpLeg"][:, None] * (1 - steps) + at[f"{side}Leg"][:, None] * steps
        assert np.linalg.norm(hands[:, :, None] - thigh[:, None], axis=-1).min() > close


@EVERY
def test_large_body_does_what_the_small_one_does(name):
    small, large = places(CLIPS[name]()), places(CLIPS[name](joints=65))
    for joint, place in small.items():
        # Only the large one has collarbones to lift.
        np.testing.assert_allclose(place, large[joint], atol=0.02 if "Arm" in joint or "Hand" in joint else 2e-6, err_msg=joint)


@EVERY
@BOTH
def test_it_is_the_same_motion_at_any_rate(name, joints):
    fine = CLIPS[name](joints=joints, fps=120)
    for fps in (24, 30, 60):
        clip = CLIPS[name](joints=joints, fps=fps)
        # What plays once waits at its end for the next frame.
        assert fine.duration - 1 / 120 <= clip.duration < fine.duration + 1 / fps
        times = np.arange(len(clip)) * clip.frame_time
        expected = fine.sample(times.clip(max=fine.duration), interpolation="cubic")
        assert ct.quat.angle(clip.rotations, expected.rotations).max() < 0.01


@LOOPS
@BOTH
def test_loop_closes_in_value_and_velocity(name, joints):
    clip = CLIPS[name](joints=joints, fps=120)
    np.testing.assert_allclose(abs(np.sum(clip.rotations[0] * clip.rotations[-1], axis=-1)), 1, atol=1e-6)
    velocity = ct.quat.angular_velocity(np.asarray(clip.rotations), clip.frame_time)  # between neighbouring frames
    across = np.linalg.norm(velocity[0] - velocity[-1], axis=-1).max()
    within = np.linalg.norm(np.diff(velocity, axis=0), axis=-1).max()
    assert across <= 1.05 * within + 1e-3


@pytest.mark.parametrize("name", ["reload", "reload from standing", "lean"])
@BOTH
def test_clip_that_plays_once_begins_and_ends_at_rest(name, joints):
    clip = CLIPS[name](joints=joints, fps=240)
    speeds = turns(clip).max(axis=1)
    assert speeds[0] < 0.05 * speeds.max()
    assert speeds[-1] < 0.05 * speeds.max()


# ---- wave


@BOTH
def test_wave_swings_the_right_forearm_beside_the_head(joints):
    clip = ct.examples.wave(angle=0.5, joints=joints)
    at = places(clip)
    forearm = at["RightHand"] - at["RightForeArm"]
    swing = np.arctan2(-forearm[:, 0], forearm[:, 1])
    np.testing.assert_allclose(np.ptp(swing) / 2, 0.5, atol=0.01)
    assert (at["RightHand"][:, 1] > at["Head"][:, 1]).all()
    assert (at["RightHand"][:, 0] < -0.3).all()
    assert (at["RightForeArm"][:, 1] < at["RightArm"][:, 1]).all()
    assert (at["LeftHand"][:, 1] < at["Hips"][:, 1]).all()


@BOTH
def test_wave_shows_the_palm(joints):
    clip = ct.examples.wave(joints=joints)
    hand = clip.global_rotations()[:, clip.skeleton.index("RightHand")]
    palm, fingers = ct.quat.rotate(hand, (0, -1, 0)), ct.quat.rotate(hand, (-1, 0, 0))
    assert (palm[:, 2] > 0.9).all()
    assert (fingers[:, 1] > 0.7).all()


def test_waving_hand_is_open_and_the_other_relaxed():
    clip = ct.examples.wave(joints=65)
    bend = {side: local(clip, f"{side}HandMiddle2").magnitude().max() for side in ("Left", "Right")}
    assert bend["Right"] < np.radians(10) < np.radians(20) < bend["Left"] < np.radians(45)


# ---- aim and reload


@BOTH
def test_aiming_hands_hold_one_rigid_thing_that_points_ahead(joints):
    at = places(ct.examples.aim(joints=joints))
    between = at["LeftHand"] - at["RightHand"]
    lengths = np.linalg.norm(between, axis=-1)
    np.testing.assert_allclose(lengths, lengths[0], atol=1e-5)
    assert (between[:, 2] > 0.15).all()
    assert (at["RightHand"][:, 2] > at["Chest"][:, 2] + 0.15).all()
    heights = np.stack([at["LeftHand"], at["RightHand"]])[..., 1]
    assert (abs(heights - 1.43) < 0.08).all()
    assert 0.002 < np.ptp(heights[0]) < 0.03, "a breath moves it"


@BOTH
def test_aiming_head_looks_ahead_over_a_turned_chest(joints):
    clip = ct.examples.aim(joints=joints)
    forward = {name: ct.quat.rotate(clip.global_rotations()[:, clip.skeleton.index(name)], (0, 0, 1)) for name in ("Hips", "Chest", "Head")}
    yaw = {name: np.arctan2(v[:, 0], v[:, 2]) for name, v in forward.items()}
    assert (abs(yaw["Head"]) < 0.1).all()
    assert (yaw["Chest"] < -0.3).all(), "the left shoulder goes ahead"


def test_aiming_hands_grip():
    clip = ct.examples.aim(joints=65)
    for side, _ in SIDES:
        bend = sum(local(clip, f"{side}HandMiddle{k}").magnitude() for k in (1, 2, 3))
        assert (bend > np.radians(120)).all()


@BOTH
def test_reload_begins_and_ends_as_aim(joints):
    clip, aim = ct.examples.reload(joints=joints), ct.examples.aim(joints=joints)
    for k in (0, -1):
        np.testing.assert_allclose(ct.quat.angle(clip.rotations[k], aim.rotations[0]), 0, atol=2e-3)


@BOTH
def test_reload_from_standing_begins_and_ends_with_hanging_arms(joints):
    clip, idle = ct.examples.reload(from_aim=False, joints=joints), ct.examples.idle(joints=joints)
    for k in (0, -1):
        np.testing.assert_allclose(ct.quat.angle(clip.rotations[k], idle.rotations[0]), 0, atol=2e-3)


@BOTH
def test_reload_fetches_a_magazine_from_the_hip(joints):
    """The left hand is at the rifle when the old one goes and when the new one is in, and at the hip in between."""
    clip = ct.examples.reload(joints=joints, duration=2.0)
    at = places(clip)
    times = np.arange(len(clip)) * clip.frame_time
    out, back = clip.markers["magazine_out"][0], clip.markers["magazine_in"][0]
    assert 0 < out < back < clip.duration
    to_hip = np.linalg.norm(at["LeftHand"] - at["LeftUpLeg"], axis=-1)
    to_right = np.linalg.norm(at["LeftHand"] - at["RightHand"], axis=-1)
    assert to_hip.min() < 0.2
    assert out < times[to_hip.argmin()] < back
    for time in (out, back):
        assert np.interp(time, times, to_right) < 0.25
    between = (times > out) & (times < back)
    assert to_right[between].max() > 0.35
    lowered = at["RightHand"][between, 1]
    assert (lowered < at["RightHand"][0, 1] - 0.1).all()
    assert abs(lowered - lowered.mean()).max() < 0.03, "the right hand waits"


# ---- lean and breathe


@BOTH
@pytest.mark.parametrize(("direction", "axis"), [(0.0, (1, 0, 0)), (np.pi / 2, (0, 0, -1)), (-np.pi / 2, (0, 0, 1))])
def test_lean_turns_the_chest_from_its_reference_by_the_angle(joints, direction, axis):
    clip = ct.examples.lean(angle=0.4, direction=direction, joints=joints)
    chest = clip.global_rotations()[:, clip.skeleton.index("Chest")]
    turned = ct.quat.log(ct.quat.multiply(chest, ct.quat.conjugate(chest[0])))
    np.testing.assert_allclose(turned[-1], 0.4 * np.array(axis), atol=1e-5)
    head = places(clip)["Head"]
    way = head[-1] - head[0]
    np.testing.assert_allclose(way[[0, 2]] / np.linalg.norm(way[[0, 2]]), (np.sin(direction), np.cos(direction)), atol=0.02)


@pytest.mark.parametrize("name", ["lean", "breathe"])
@BOTH
def test_reference_of_an_additive_clip_is_its_first_frame(name, joints):
    """Which is the body that stands; and what differs later is the trunk, and the shoulders that breathe."""
    clip, idle = CLIPS[name](joints=joints), ct.examples.idle(joints=joints)
    np.testing.assert_allclose(ct.quat.angle(clip.rotations[0], idle.rotations[0]), 0, atol=2e-3)
    moved = ct.quat.angle(clip.rotations, clip.rotations[:1]).max(axis=0) > 2e-3
    shoulder = "Shoulder" if joints == 65 else "Arm"
    shoulders = {f"{side}{shoulder}" for side, _ in SIDES} if name == "breathe" else set()
    assert {clip.skeleton.names[j] for j in np.flatnonzero(moved)} == {"Spine", "Chest", "Head"} | shoulders


@BOTH
def test_breath_lifts_the_chest_by_its_angle(joints):
    clip = ct.examples.breathe(angle=0.05, joints=joints)
    chest = clip.global_rotations()[:, clip.skeleton.index("Chest")]
    np.testing.assert_allclose(ct.quat.angle(chest, chest[0]).max(), 0.05, atol=1e-3)
    head = clip.global_rotations()[:, clip.skeleton.index("Head")]
    np.testing.assert_allclose(ct.quat.angle(head, head[0]), 0, atol=2e-3)


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        ("wave", {"cycle": 0}, "0 s, expected a time above 0"),
        ("aim", {"cycle": -1}, "-1.0 s, expected a time above 0"),
        ("reload", {"duration": 0.01}, "0.01 s have 1 frames"),
        ("breathe", {"fps": 0}, "fps is 0.0, expected frames a second"),
        ("wave", {"joints": 17}, "joints is 17, expected 18 or 65"),
        ("wave", {"angle": np.nan}, "angle is nan, expected a finite number"),
        ("lean", {"angle": 15}, "angle is 15.0, expected radians, less than a right angle"),
        ("lean", {"direction": np.inf}, "direction is inf, expected a finite number"),
        ("breathe", {"angle": -np.inf}, "angle is -inf, expected a finite number"),
        ("aim", {"cycle": np.nan}, "cycle is nan, expected a finite number"),
        ("reload", {"duration": np.inf}, "duration is inf, expected a finite number"),
    ],
)
def test_numbers_that_make_no_clip_are_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        getattr(ct.examples, make)(**options)
