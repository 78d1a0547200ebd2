"""The example clips of the whole body do what their parameters say, with feet that stay where they are put."""

import inspect

import numpy as np
import pytest

import canter as ct
from canter import contacts, examples
from canter.examples import body, footfall

# Name: speed, cycle, contact, direction of travel, rate of turn.
GAITS = {
    "walk": (1.3, 1.0, 0.6, 0.0, 0.0),
    "run": (3.5, 0.7, 0.34, 0.0, 0.0),
    "turn_left": (1.3, 1.0, 0.6, 0.0, 1.0),
    "turn_right": (1.3, 1.0, 0.6, 0.0, -1.0),
    "walk_backward": (1.0, 1.0, 0.62, np.pi, 0.0),
    "strafe_left": (0.7, 0.75, 0.6, np.pi / 2, 0.0),
    "strafe_right": (0.7, 0.75, 0.6, -np.pi / 2, 0.0),
}
SET, LARGE = examples.clips(), examples.clips(joints=65)
WHOLE_BODY = {*GAITS, "idle", "start", "stop", "jump", "turn_in_place_left", "turn_in_place_right"}
CLIPS = {name: clip for name, clip in SET.items() if name in WHOLE_BODY}  # those of the upper body have their own tests
LOOPS = [name for name, clip in CLIPS.items() if clip.looping]
SIDES = ("Left", "Right")
HEEL, TIP = np.array([0.0, -0.08, -0.06]), np.array([0.0, -0.02, 0.07])  # from ankle and ball


def joint(clip, name):
    return clip.global_positions()[:, clip.skeleton.index(name)].astype(np.float64)


def point(clip, name, offset):
    """A point that is fixed to a joint, in the world."""
    turned = ct.quat.rotate(clip.global_rotations()[:, clip.skeleton.index(name)].astype(np.float64), offset)
    return joint(clip, name) + turned


def soles(clip, side):
    """The points of a foot that can touch the floor: heel, ball (0.02 above the sole) and toe tip, by name, (F, 3)."""
    return {
        "heel": point(clip, f"{side}Foot", HEEL),
        "ball": joint(clip, f"{side}Toe") - (0, 0.02, 0),
        "tip": point(clip, f"{side}Toe", TIP),
    }


def on_floor(clip, side, times):
    """Whether the foot is on the floor, as the markers say."""
    down, up = clip.markers[f"{side.lower()}_down"], clip.markers[f"{side.lower()}_up"]
    if clip.looping and len(up) > 0:
        return (times - down[0]) % clip.duration < (up[0] - down[0]) % clip.duration
    return np.searchsorted(down, times, side="right") > np.searchsorted(up, times, side="right")


def frame_times(clip):
    return np.arange(len(clip)) * clip.frame_time


def knee_angles(clip, side):
    """How far each knee is bent, radians, with the sign of its turn about the hinge."""
    q = clip.rotations[:, clip.skeleton.index(f"{side}Leg")].astype(np.float64)
    return 2 * np.arctan2(q[:, 1], q[:, 0])


def turning(a, b, seconds):
    """Angular velocity (J, 3) from one pose's rotations to another's."""
    return ct.quat.angular_velocity(np.stack([a, b]), seconds)[0]


def slide(clip, joints, *, rate=60.0, height=0.005):
    """cm that joints move while within 5 mm of their planted height, for each metre travelled, at samples between the keys."""
    times = np.arange(0, clip.duration + 1e-9, 1 / rate)
    sampled = ct.Clip(clip.skeleton, clip.sample(times).rotations, clip.sample(times).translations, fps=rate)
    total = 0.0
    for name in joints:
        p = joint(sampled, name)
        low = p[:, 1] < (0.08 if "Foot" in name else 0.02) + height
        total += np.linalg.norm(np.diff(p[:, [0, 2]], axis=0), axis=-1)[low[1:] & low[:-1]].sum()
    way = np.linalg.norm(np.diff(sampled.translations[:, 0, [0, 2]], axis=0), axis=-1).sum()
    return 100 * total / way


# --- every clip ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("joints", [18, 65])
@pytest.mark.parametrize("name", CLIPS)
def test_bones_keep_their_lengths(name, joints):
    clip = (CLIPS if joints == 18 else LARGE)[name]
    positions = clip.global_positions().astype(np.float64)
    for child, parent in enumerate(clip.skeleton.parents):
        if parent >= 0:
            length = np.linalg.norm(positions[:, child] - positions[:, parent], axis=-1)
            assert np.abs(length - np.linalg.norm(clip.skeleton.offsets[child])).max() < 2e-6
    assert (clip.translations[:, 1:] == np.asarray(clip.skeleton.offsets)[1:]).all()


@pytest.mark.parametrize("name", CLIPS)
def test_both_bodies_do_the_same(name):
    small, large = CLIPS[name], LARGE[name]
    for joint_name in small.skeleton.names:
        assert np.abs(joint(small, joint_name) - joint(large, joint_name)).max() < 1e-5


@pytest.mark.parametrize("name", CLIPS)
def test_knees_bend_forward_only(name):
    for side in SIDES:
        angles = knee_angles(CLIPS[name], side)
        assert angles.min() > np.radians(3)  # and are never locked
        assert angles.max() < np.radians(130)
        q = CLIPS[name].rotations[:, CLIPS[name].skeleton.index(f"{side}Leg")]
        assert np.abs(q[:, 2:]).max() < 1e-6  # a hinge


@pytest.mark.parametrize("name", CLIPS)
def test_nothing_goes_through_the_floor(name):
    for side in SIDES:
        for what, p in soles(CLIPS[name], side).items():
            assert p[:, 1].min() > -0.002, what


def test_ankles_are_where_the_footprints_put_them(monkeypatch):
    """No leg is too short anywhere, and the solver exact."""
    wanted = []
    solve = body.leg

    def remembering(hips, rotation, foot, sign):
        wanted.append(foot)
        return solve(hips, rotation, foot, sign)

    monkeypatch.setattr(body, "leg", remembering)
    for k, clip in enumerate(examples.clips().values()):
        for side, foot in zip(SIDES, wanted[2 * k : 2 * k + 2], strict=True):
            assert np.abs(joint(clip, f"{side}Foot") - foot.ankle).max() < 2e-6
            got = clip.global_rotations()[:, clip.skeleton.index(f"{side}Foot")].astype(np.float64)
            assert ct.quat.angle(got, foot.rotation).max() < 1e-5


@pytest.mark.parametrize(
    "make",
    [
        lambda: [examples.walk(speed=speed, cycle=cycle) for speed in (0.0, 0.6, 1.6, 1.9) for cycle in (0.8, 1.2)],
        lambda: [examples.start(speed=speed, cycle=cycle) for speed in (0.0, 0.6, 1.6, 1.9) for cycle in (0.8, 1.2)],
        lambda: [examples.stop(speed=speed, cycle=cycle) for speed in (0.0, 0.6, 1.6, 1.9) for cycle in (0.8, 1.1)],
        lambda: [examples.run(speed=speed, cycle=cycle) for speed in (1.5, 2.8, 3.8) for cycle in (0.6, 0.75)],
        lambda: [examples.turn_left(rate=0.3), examples.turn_right(rate=2.0), examples.run(turn=2.0)],
        lambda: [examples.strafe_left(speed=0.3), examples.strafe_right(speed=1.2), examples.walk_backward(speed=0.4)],
        lambda: [examples.jump(height=height, distance=distance) for height in (0.1, 0.6, 1.0) for distance in (-0.4, 0.0, 1.5)],
        lambda: [examples.turn_in_place(angle=angle) for angle in (0.1, 1.0, 1.1, 3.15, -6.3)],
    ],
)
def test_legs_reach_whatever_the_parameters(make, monkeypatch):
    solve = body.leg

    def measuring(hips, rotation, foot, sign):
        reach = np.linalg.norm(foot.ankle - body.hip_joint(hips, rotation, sign), axis=-1)
        assert reach.max() < body.THIGH + body.SHIN
        return solve(hips, rotation, foot, sign)

    monkeypatch.setattr(body, "leg", measuring)
    for clip in make():
        for side in SIDES:
            assert soles(clip, side)["tip"][:, 1].min() > -0.003


@pytest.mark.parametrize("name", CLIPS)
def test_a_foot_on_the_floor_stands_on_its_heel_or_its_ball_which_stays_where_it_is(name):
    clip = CLIPS[name]
    times = frame_times(clip)
    for side in SIDES:
        heel, ball = soles(clip, side)["heel"], soles(clip, side)["ball"]
        stands = on_floor(clip, side, times)
        assert stands.any()
        touching = np.minimum(heel[:, 1], ball[:, 1])
        assert np.abs(touching[stands]).max() < 2e-5
        pairs = stands[1:] & stands[:-1]
        if clip.looping:
            pairs &= np.diff(times) > 0
        for p in (heel, ball):
            down = np.abs(p[:, 1]) < 2e-5
            both = pairs & down[1:] & down[:-1]
            assert np.linalg.norm(np.diff(p, axis=0), axis=-1)[both].max(initial=0.0) < 2e-5


@pytest.mark.parametrize("name", CLIPS)
def test_a_foot_in_the_air_is_off_the_floor(name):
    clip = CLIPS[name]
    times = frame_times(clip)
    for side in SIDES:
        off = ~(on_floor(clip, side, times - 1e-9) | on_floor(clip, side, times + 1e-9))
        lowest = np.min([p[:, 1] for p in soles(clip, side).values()], axis=0)
        assert (lowest[off] > -0.002).all()
        if name != "idle":
            assert lowest.max() > 0.01


@pytest.mark.parametrize("name", CLIPS)
def test_motion_is_smooth_in_time(name):
    """No joint turns by more than a quarter turn in a 60th of a second times 4, so nothing pops."""
    clip = CLIPS[name]
    angles = ct.quat.angle(clip.rotations[1:], clip.rotations[:-1])
    assert angles.max() / clip.frame_time < 25.0  # rad/s: ankles and knees of runners reach 15
    assert np.linalg.norm(np.diff(clip.translations[:, 0], axis=0), axis=-1).max() / clip.frame_time < 4.5


@pytest.mark.parametrize("name", CLIPS)
def test_the_head_is_steadier_than_the_pelvis(name):
    clip = CLIPS[name]
    if name in ("idle", "jump"):
        return
    turned = {}
    for joint_name in ("Hips", "Head"):
        forward = ct.quat.rotate(clip.global_rotations()[:, clip.skeleton.index(joint_name)], np.float32([0, 0, 1]))
        turned[joint_name] = forward[:, 1]
    assert np.ptp(turned["Head"]) <= np.ptp(turned["Hips"]) + 1e-5


# --- gaits --------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAITS)
def test_gait_has_its_speed_cycle_and_turn(name):
    speed, cycle, _, direction, rate = GAITS[name]
    clip = CLIPS[name]
    assert clip.duration == pytest.approx(cycle, abs=1e-12)
    start, end = clip.translations[0, 0].astype(np.float64), clip.translations[-1, 0].astype(np.float64)
    way = end - start
    # The chord of the arc that it went along.
    angle = rate * cycle
    assert np.hypot(way[0], way[2]) == pytest.approx(speed * cycle * np.sinc(angle / 2 / np.pi), abs=0.002 + 0.03 * abs(angle))
    if rate == 0:
        assert way[[0, 2]] == pytest.approx(speed * cycle * np.array([np.sin(direction), np.cos(direction)]), abs=1e-5)
    headings = clip.root_motion().headings
    assert headings[-1] - headings[0] == pytest.approx(angle, abs=1e-5)


@pytest.mark.parametrize("name", GAITS)
def test_gait_has_its_contacts(name):
    """The floor is touched for the part of the cycle that was asked for, measured from the soles alone."""
    _, cycle, contact, _, _ = GAITS[name]
    maker = getattr(examples, name)
    clip = maker(fps=1200)
    for side in SIDES:
        points = soles(clip, side)
        touching = np.minimum(np.abs(points["heel"][:-1, 1]), np.abs(points["ball"][:-1, 1])) < 2e-5
        assert touching.mean() == pytest.approx(contact, abs=0.012)
        down = float(clip.markers[f"{side.lower()}_down"][0])
        first = np.flatnonzero(touching & ~np.roll(touching, 1))
        assert min(abs((first * clip.frame_time - down + cycle / 2) % cycle - cycle / 2)) < 0.01 * cycle


def test_walk_comes_down_on_the_heel_and_leaves_from_the_ball():
    clip = CLIPS["walk"]
    heel, ball = soles(clip, "Left")["heel"], soles(clip, "Left")["ball"]
    assert abs(heel[0, 1]) < 1e-5
    assert ball[0, 1] > 0.05
    leaves = round(0.6 / clip.frame_time)
    assert abs(ball[leaves, 1]) < 1e-5
    assert heel[leaves, 1] > 0.1


def test_walking_backward_comes_down_on_the_ball_and_leaves_from_the_heel():
    clip = CLIPS["walk_backward"]
    heel, ball = soles(clip, "Left")["heel"], soles(clip, "Left")["ball"]
    assert abs(ball[0, 1]) < 1e-5
    assert heel[0, 1] > 0.05
    leaves = round(0.62 / clip.frame_time)
    assert heel[leaves, 1] < 0.002
    assert ball[leaves, 1] > 0.02


def test_only_the_run_flies():
    for name in GAITS:
        clip = CLIPS[name]
        air = ~(on_floor(clip, "Left", frame_times(clip)) | on_floor(clip, "Right", frame_times(clip)))
        assert air.any() == (name == "run")


def test_a_runner_in_the_air_falls_freely():
    clip = examples.run(fps=400)
    times = frame_times(clip)
    air = ~(on_floor(clip, "Left", times) | on_floor(clip, "Right", times))
    height = clip.translations[:, 0, 1].astype(np.float64)
    inside = np.flatnonzero(air[:-8] & air[8:])
    start = inside[0]
    stop = start + np.flatnonzero(~air[start:])[0] - 1
    fall = np.polyfit(times[start:stop], height[start:stop], 2)[0]
    assert 2 * fall == pytest.approx(-9.81, rel=0.02)


@pytest.mark.parametrize(("name", "toe", "ankle"), [("walk", 0.2, 0.5), ("run", 0.2, 0.5)])
def test_feet_do_not_slide(name, toe, ankle):
    assert slide(CLIPS[name], [f"{side}Toe" for side in SIDES]) < toe
    assert slide(CLIPS[name], [f"{side}Foot" for side in SIDES]) < ankle


def test_walk_slides_little_at_30_keys_a_second_too():
    """Between the keys a clip is only near its curve, so this is not 0."""
    clip = examples.walk(fps=30)
    assert slide(clip, [f"{side}Toe" for side in SIDES]) < 0.5
    assert slide(clip, [f"{side}Foot" for side in SIDES]) < 0.5
    assert slide(clip.resample(4), [f"{side}Toe" for side in SIDES]) > 5


def test_no_point_of_a_walkers_sole_slides_while_it_touches_the_ground_at_30_keys_a_second():
    """Heel, ball and tip of a foot that is down, within 5 mm of the ground, at 60 samples a second between the keys."""
    clip = examples.walk(fps=30)
    times = np.arange(60) / 60
    sampled = ct.Clip(clip.skeleton, clip.sample(times).rotations, clip.sample(times).translations, fps=60)
    slid = dict.fromkeys(("heel", "ball", "tip"), 0.0)
    for side in SIDES:
        down = on_floor(clip, side, times)
        for what, p in soles(sampled, side).items():
            touches = down & (p[:, 1] < 0.005)
            slid[what] += np.linalg.norm(np.diff(p[:, [0, 2]], axis=0), axis=-1)[touches[1:] & touches[:-1]].sum()
    assert max(slid.values()) < 0.005 * 1.3  # metres in the 1.3 that it goes


def change_at_the_seam(clip):
    """How much the angular velocity of each joint changes from the last frame to the first."""
    before, here, after = (clip.rotations[k].astype(np.float64) for k in (-2, -1, 1))
    headings = clip.root_motion().headings
    after[0] = ct.quat.multiply(body.turn(y=headings[-1] - headings[0]), after[0])
    return np.linalg.norm(turning(here, after, clip.frame_time) - turning(before, here, clip.frame_time), axis=-1)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_close_in_value_and_velocity(name):
    clips = [getattr(examples, name)(fps=fps) for fps in (240, 960)]
    local = clips[0].in_place()
    assert ct.quat.angle(local.rotations[0], local.rotations[-1]).max() < 1e-5
    assert np.abs(local.translations[0] - local.translations[-1]).max() < 1e-5
    # The change between frames vanishes as they get nearer; that of a kink would stay.
    coarse, fine = (change_at_the_seam(clip) for clip in clips)
    assert (fine < 0.75 * coarse + 0.03).all()
    assert coarse.max() < 6.0  # rad/s; joints reach 20


@pytest.mark.parametrize("name", ["walk", "run", "walk_backward"])
def test_the_mirror_image_of_a_gait_is_itself_half_a_cycle_later(name):
    clip = CLIPS[name]
    clip = getattr(examples, name)(fps=20 / clip.duration)  # an even number of frames
    half = 10
    mirrored = clip.mirror()
    assert ct.quat.angle(mirrored.rotations[: half + 1], clip.rotations[half:]).max() < 1e-5
    moved = clip.translations[half:, 0] - [0, 0, clip.translations[half, 0, 2] - clip.translations[0, 0, 2]]
    assert np.abs(mirrored.translations[: half + 1, 0] - moved).max() < 1e-5


@pytest.mark.parametrize(("left", "right"), [("turn_left", "turn_right"), ("strafe_left", "strafe_right")])
def test_left_mirrored_is_right_half_a_cycle_later(left, right):
    cycle = GAITS[left][1]
    a, b = (getattr(examples, name)(fps=20 / cycle) for name in (left, right))
    half = 10
    image = a.mirror().in_place()
    assert ct.quat.angle(image.rotations[half:], b.in_place().rotations[: half + 1]).max() < 1e-4


def test_turning_in_place_to_the_left_mirrored_is_to_the_right():
    left, right = CLIPS["turn_in_place_left"], CLIPS["turn_in_place_right"]
    assert ct.quat.angle(left.mirror().rotations, right.rotations).max() < 1e-5
    assert (left.markers["left_up"] == right.markers["right_up"]).all()


@pytest.mark.parametrize("name", GAITS)
def test_key_rates_are_samples_of_one_curve(name):
    maker = getattr(examples, name)
    cycle = GAITS[name][1]
    dense = maker(fps=120 / cycle)
    for steps in (24, 30, 60):
        clip = maker(fps=steps / cycle)
        assert len(clip) == steps + 1
        assert clip.duration == pytest.approx(cycle, abs=1e-12)
        for marker, moments in dense.markers.items():
            assert clip.markers[marker] == pytest.approx(moments, abs=1e-12)
        step = 120 // steps
        assert ct.quat.angle(clip.rotations, dense.rotations[::step]).max() < 1e-6
        assert np.abs(clip.translations - dense.translations[::step]).max() < 1e-6


@pytest.mark.parametrize(("name", "fps"), [("run", 24), ("run", 25), ("strafe_left", 30), ("walk", 23.976)])
def test_a_cycle_is_as_long_as_asked_whatever_the_key_rate(name, fps):
    clip = getattr(examples, name)(fps=fps)
    assert clip.duration == pytest.approx(GAITS[name][1], abs=1e-12)
    assert abs(clip.fps - fps) < 0.04 * fps


@pytest.mark.parametrize("speed", [0.0, 0.4, 0.9, 1.6, 1.9])
def test_walks_of_many_speeds_keep_their_feet(speed):
    clip = examples.walk(speed=speed, cycle=1.1 - 0.1 * speed)
    for side in SIDES:
        assert knee_angles(clip, side).min() > np.radians(3)
        stands = on_floor(clip, side, frame_times(clip))
        points = soles(clip, side)
        assert np.abs(np.minimum(points["heel"][stands, 1], points["ball"][stands, 1])).max() < 2e-5


@pytest.mark.parametrize("speed", [2.0, 2.8, 4.5])
def test_runs_of_many_speeds_keep_their_feet(speed):
    clip = examples.run(speed=speed, cycle=0.7)
    for side in SIDES:
        assert knee_angles(clip, side).min() > np.radians(3)
        stands = on_floor(clip, side, frame_times(clip))
        points = soles(clip, side)
        assert np.abs(np.minimum(points["heel"][stands, 1], points["ball"][stands, 1])).max() < 2e-5


# --- how a body moves ---------------------------------------------------------------------------------------------------------------------


def test_the_pelvis_of_a_walker_is_lowest_on_both_feet_and_highest_on_one():
    clip = CLIPS["walk"]
    height = clip.translations[:-1, 0, 1]
    times = frame_times(clip)[:-1]
    both = on_floor(clip, "Left", times) & on_floor(clip, "Right", times)
    assert both[np.argmin(height)]
    assert not both[np.argmax(height)]
    assert 0.025 < np.ptp(height) < 0.06  # metres; Perry (1992) has 0.04 to 0.05
    spectrum = np.abs(np.fft.rfft(height - height.mean()))
    assert np.argmax(spectrum) == 2


def test_the_pelvis_of_a_walker_is_over_the_standing_foot():
    clip = CLIPS["walk"]
    x = clip.translations[:, 0, 0]
    assert x[round(0.3 / clip.frame_time)] > 0.01
    assert x[round(0.8 / clip.frame_time)] < -0.01


@pytest.mark.parametrize("name", ["walk", "run"])
def test_arms_swing_against_the_legs(name):
    clip = CLIPS[name]
    for side, other in (SIDES, SIDES[::-1]):
        hand = joint(clip, f"{side}Hand")[:, 2] - clip.translations[:, 0, 2]
        own, across = (joint(clip, f"{s}Foot")[:, 2] - clip.translations[:, 0, 2] for s in (side, other))
        assert np.corrcoef(hand, own)[0, 1] < -0.5
        assert np.corrcoef(hand, across)[0, 1] > 0.5


def test_shorter_steps_swing_less():
    def swing(clip):
        return np.ptp(joint(clip, "LeftHand")[:, 2] - clip.translations[:, 0, 2])

    slow, walk = examples.walk(speed=0.5, cycle=1.2), CLIPS["walk"]
    assert 0.25 < swing(slow) / swing(walk) < 0.75
    assert soles(slow, "Left")["ball"][0, 1] < 0.7 * soles(walk, "Left")["ball"][0, 1]
    assert swing(examples.walk(speed=0.0)) < 0.05


@pytest.mark.parametrize("name", ["walk", "run"])
def test_shoulders_turn_against_the_pelvis(name):
    clip = CLIPS[name]
    hips = joint(clip, "LeftUpLeg") - joint(clip, "RightUpLeg")
    shoulders = joint(clip, "LeftArm") - joint(clip, "RightArm")
    assert np.corrcoef(hips[:, 2], shoulders[:, 2])[0, 1] < -0.9


def test_a_walkers_knee_yields_under_load_stretches_and_bends_most_in_the_swing():
    """The two waves of the knee: Perry (1992) has about 5, 18, 5 and 60 degrees."""
    knee = np.degrees(knee_angles(examples.walk(fps=100), "Left"))
    assert 3 < knee[0] < 20
    assert 12 < knee[5:20].max() < 32
    assert knee[25:40].min() < knee[5:20].max() - 5
    assert 45 < knee[60:85].max() < 70


def test_a_walkers_standing_leg_is_nearly_straight_and_its_joints_do_not_jerk():
    """Perry (1992) has the knee at 5 to 10 degrees in the middle of the stance and the hip at its furthest back at half the cycle."""
    clip = examples.walk(fps=100)
    knee = np.degrees(knee_angles(clip, "Left"))
    assert knee[25:40].min() < 17
    bend = np.diff(np.append(knee, knee[1:3]), 2)
    assert np.abs(bend).max() < 3.5  # degrees, of three frames: 350 degrees a second from one frame to the next would be a kink


def jolt(clip):
    """The largest change of an angular velocity of the legs from one frame to the next, radians a second."""
    legs = [clip.skeleton.index(f"{side}{bone}") for side in SIDES for bone in ("UpLeg", "Leg", "Foot")]
    velocity = ct.quat.angular_velocity(clip.rotations[:, legs].astype(np.float64), clip.frame_time)
    return np.linalg.norm(np.diff(velocity, axis=0), axis=-1).max()


@pytest.mark.parametrize("name", GAITS)
def test_joints_of_the_legs_have_no_kinks(name):
    """Where an angle has a kink, its velocity jumps by as much however near the frames are; here the jump vanishes with them."""
    coarse, fine = (jolt(getattr(examples, name)(fps=fps)) for fps in (480, 1920))
    assert fine < 0.45 * coarse


def test_fast_people_take_quick_steps():
    for fast in (examples.walk(speed=2.5, cycle=0.8), examples.run(speed=5.0, cycle=0.56), examples.run(speed=7.0, cycle=0.42)):
        for side in SIDES:
            assert knee_angles(fast, side).min() > np.radians(3)


def test_hands_of_a_runner_stay_on_their_side():
    clip = CLIPS["run"]
    across = joint(clip, "LeftArm") - joint(clip, "RightArm")
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        middle = (joint(clip, "LeftUpLeg") + joint(clip, "RightUpLeg")) / 2
        assert (sign * np.sum((joint(clip, f"{side}Hand") - middle) * across, axis=-1)).min() > 0.0


def test_runners_bend_elbows_and_lean_and_walkers_hardly():
    def lean(clip):
        up = joint(clip, "Chest") - joint(clip, "Hips")
        return np.degrees(np.arctan2(up[:, 2], up[:, 1])).mean()

    def elbow(clip):
        q = clip.rotations[:, clip.skeleton.index("LeftForeArm")].astype(np.float64)
        return np.degrees(ct.quat.angle(q, [1.0, 0, 0, 0])).mean()

    walk, run = CLIPS["walk"], CLIPS["run"]
    assert lean(walk) < 5 < lean(run) < 20
    assert elbow(walk) < 40
    assert 75 < elbow(run) < 105


# --- start, stop, idle, jump, turning in place --------------------------------------------------------------------------------------------


def same_pose(a, b):
    """The largest angle between joints, and between the places of everything, of two poses put at one place."""
    return max(ct.quat.angle(a.rotations, b.rotations).max(), abs(a.translations[0, 1] - b.translations[0, 1]))


def test_clips_begin_and_end_in_one_standing_posture():
    standing = CLIPS["idle"][0]
    assert same_pose(CLIPS["idle"][-1], standing) < 1e-5
    for name in ("start", "jump", "turn_in_place_left", "turn_in_place_right"):
        assert same_pose(CLIPS[name][0], standing) < 1e-5
    for name in ("stop", "jump"):
        assert same_pose(CLIPS[name][-1], standing) < 1e-5
    turned = CLIPS["turn_in_place_left"].in_place()[-1]
    assert same_pose(turned, CLIPS["idle"].in_place()[0]) < 1e-5


@pytest.mark.parametrize("parameters", [{}, {"speed": 1.1, "cycle": 1.1}, {"speed": 1.5, "cycle": 0.95}])
def test_start_and_stop_join_the_walk_in_pose_and_velocity(parameters):
    walk, start, stop = (getattr(examples, name)(**parameters, fps=240) for name in ("walk", "start", "stop"))
    for clip, here, there, walk_from, walk_to in ((start, -1, -2, -1, -2), (stop, 0, 1, 0, 1)):  # outermost and second frames
        assert same_pose(clip[here], walk[walk_from]) < 1e-5
        joined = turning(clip.rotations[there], clip.rotations[here], clip.frame_time)
        walked = turning(walk.rotations[walk_to], walk.rotations[walk_from], walk.frame_time)
        assert np.abs(joined - walked).max() < 0.15
        speeds = [(c.translations[here, 0] - c.translations[there, 0]) / c.frame_time for c in (clip, walk)]
        assert np.abs(speeds[0] - speeds[1]).max() < 0.03


def test_idle_is_alive_and_its_feet_are_not():
    clip = CLIPS["idle"]
    for side in SIDES:
        for p in soles(clip, side).values():
            assert np.ptp(p, axis=0).max() < 1e-5
    assert 0.04 < np.ptp(clip.translations[:, 0, 0]) < 0.12  # the weight goes from leg to leg
    assert np.ptp(joint(clip, "LeftHand"), axis=0).max() > 0.01


@pytest.mark.parametrize("height", [0.2, 0.35, 0.5])
def test_jumpers_rise_as_high_as_asked_and_fall_freely(height):
    clip = examples.jump(height=height, fps=240)
    times = frame_times(clip)
    y = clip.translations[:, 0, 1].astype(np.float64)
    air = ~on_floor(clip, "Left", times)
    assert y.max() - 1.02 == pytest.approx(height, abs=0.001)
    assert 2 * np.polyfit(times[air], y[air], 2)[0] == pytest.approx(-9.81, rel=0.01)
    for side in SIDES:
        assert min(p[:, 1].max() for p in soles(clip, side).values()) > 0.8 * height


def test_jump_goes_as_far_as_asked():
    clip = examples.jump(distance=0.6)
    assert clip.translations[-1, 0, 2] == pytest.approx(0.6, abs=1e-5)
    assert joint(clip, "LeftToe")[-1, 2] - joint(clip, "LeftToe")[0, 2] == pytest.approx(0.6, abs=1e-5)


@pytest.mark.parametrize("angle", [0.4, -1.2, np.pi, -2.5])
def test_turning_in_place_turns_by_its_angle_on_the_spot(angle):
    clip = examples.turn_in_place(angle=angle)
    headings = clip.root_motion().headings
    assert headings[-1] - headings[0] == pytest.approx(angle, abs=1e-5)
    assert np.abs(clip.translations[-1, 0, [0, 2]]).max() < 1e-5
    assert np.abs(clip.translations[:, 0, [0, 2]]).max() < 0.06


# --- making them --------------------------------------------------------------------------------------------------------------------------


def test_the_set_has_its_names_markers_and_tags():
    assert list(SET) == [clip.name for clip in SET.values()]
    assert set(CLIPS) == WHOLE_BODY
    assert set(LOOPS) == {"idle", *GAITS}
    for clip in SET.values():
        assert clip.tags
        assert set(clip.markers) >= {"left_down", "left_up", "right_down", "right_up"}
        for side in SIDES:  # the soles say the same as the markers, but for frames at which a foot comes or goes
            spans = contacts.of_clip(clip)[side.lower()]
            points = soles(clip, side)
            touching = np.minimum(np.abs(points["heel"][:, 1]), np.abs(points["ball"][:, 1])) < 2e-5
            times = frame_times(clip)
            inside = np.any([(start + 1e-6 < times) & (times < stop - 1e-6) for start, stop in spans], axis=0)
            assert touching[inside].all(), (clip.name, side)
    assert len({clip.skeleton for clip in CLIPS.values()}) == 1


def test_the_set_takes_little_work(monkeypatch):
    """Curves are arrays over all frames: the calls do not grow with the frames, and are few."""
    calls = []
    apply = ct.quat._apply

    def counting(*args, **operands):
        calls.append(args[0])
        return apply(*args, **operands)

    monkeypatch.setattr(ct.quat, "_apply", counting)
    examples.clips(fps=24)
    few = len(calls)
    calls.clear()
    examples.clips(fps=240)
    assert len(calls) == few
    assert few < 1500


@pytest.mark.parametrize(
    ("maker", "parameters", "message"),
    [
        ("walk", {"speed": -1.0}, "speed is -1.0"),
        ("walk", {"speed": np.nan}, "speed is nan"),
        ("walk", {"cycle": 0.0}, "cycle is 0.0"),
        ("walk", {"contact": 0.3}, "always has a foot on the floor"),
        ("walk", {"contact": 1.0}, "contact is 1.0"),
        ("run", {"contact": 0.5}, "flies between its steps"),
        ("walk", {"speed": 4.0}, "no legs reach so far: 4.00 m a cycle.*make the cycle shorter than cycle=1,"),
        ("walk", {"turn": 90.0}, "on a turn of 90 radians a second"),
        ("walk", {"turn": np.inf}, "turn is inf"),
        ("walk", {"fps": 0.0}, "fps is 0.0"),
        ("walk", {"fps": 1.0}, "give more fps"),
        ("walk", {"joints": 20}, "expected 18 or 65"),
        ("idle", {"cycle": -1.0}, "-1.0 s, expected a time above 0"),
        ("jump", {"height": 3.0}, "height is 3.0"),
        ("jump", {"distance": np.nan}, "distance is nan"),
        ("turn_in_place", {"angle": np.nan}, "angle is nan"),
        ("start", {"speed": -1.0}, "speed is -1.0"),
    ],
)
def test_numbers_that_make_no_motion_are_refused(maker, parameters, message):
    with pytest.raises(ValueError, match=message):
        getattr(examples, maker)(**parameters)


def test_parameters_are_by_name_only():
    for name in {*GAITS, "idle", "jump", "start", "stop", "turn_in_place", "clips"}:
        kinds = {p.kind for p in inspect.signature(getattr(examples, name)).parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}


def test_the_sole_is_that_of_the_skeleton():
    rest = examples.humanoid()
    assert np.allclose(rest.offsets[rest.index("LeftToe")], footfall.BALL)
    assert np.allclose(np.linalg.norm(rest.offsets[rest.index("LeftLeg")]), body.THIGH)
    assert np.allclose(np.linalg.norm(rest.offsets[rest.index("LeftFoot")]), body.SHIN)
    assert np.allclose(rest.offsets[rest.index("LeftUpLeg")], body.HIP)
