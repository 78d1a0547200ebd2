"""Foot slide, contacts, penetration and bone lengths: laws, known answers, and a second computation in float64."""

import warnings
from typing import Any

import numpy as np
import pytest

import canter as ct
from canter import contacts as contact_spans
from matrices_in_double import global_matrices, local_matrices

TOES, ANKLES = ["LeftToe", "RightToe"], ["LeftFoot", "RightFoot"]


def identities(frames, joints):
    return np.tile([1.0, 0.0, 0.0, 0.0], (frames, joints, 1))


def carried(clip, velocity):
    """The clip with its roots carried along on top of how they move."""
    translations = clip.translations.astype(np.float64)
    translations[:, 0] += np.arange(len(clip))[:, None] * clip.frame_time * np.asarray(velocity)
    return ct.Clip(clip.skeleton, clip.rotations, translations, frame_time=clip.frame_time)


def turned_about_a_diagonal(clip):
    """+Y becomes +Z, +Z becomes +X."""
    turn, rotations, translations = np.full(4, 0.5), clip.rotations.copy(), clip.translations.copy()
    rotations[:, 0] = ct.quat.multiply(turn, rotations[:, 0])
    translations[:, 0] = ct.quat.rotate(turn, translations[:, 0])
    return ct.Clip(clip.skeleton, rotations, translations, frame_time=clip.frame_time, looping=clip.looping)


# ---------------------------------------------------------------------------------------------- a second time, in float64


def positions_in_double(clip, times):
    """Joints at times, nlerp between frames."""
    at = np.clip(times / clip.frame_time, 0, len(clip) - 1)
    before = np.minimum(np.floor(at + 1e-9).astype(int), len(clip) - 2)
    way = (at - before)[:, None, None]
    rotations, translations = clip.rotations.astype(np.float64), clip.translations.astype(np.float64)
    turned = rotations[before] + way * (rotations[before + 1] - rotations[before])
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    moved = translations[before] + way * (translations[before + 1] - translations[before])
    return global_matrices(clip.skeleton.parents, local_matrices(turned, moved))[..., :3, 3]


def samples_in_double(clip, feet):
    """Points of feet 60 times a second, their planted heights, the step, and how far the hips travel."""
    steps = round(clip.duration * 60)
    times = np.linspace(0, clip.duration, steps + 1)
    positions = positions_in_double(clip, times)
    joints = [clip.skeleton.index(foot) for foot in feet]
    keyed = positions_in_double(clip, np.arange(len(clip)) * clip.frame_time)[:, joints, 1]
    planted = np.sort(keyed, axis=0)[(len(keyed) - 1) // 10]
    hips = positions[:, 0][:, [0, 2]]
    return positions[:, joints], planted, clip.duration / steps, np.linalg.norm(np.diff(hips, axis=0), axis=1).sum()


def slide_in_double(clip, feet, height=0.005):
    points, planted, step, travel = samples_in_double(clip, feet)
    slid, stood, total = 0.0, 0, 0
    for k in range(len(feet)):
        for a, b in zip(points[:-1, k], points[1:, k], strict=True):
            total += 1
            if max(a[1], b[1]) - planted[k] <= height:
                slid += np.hypot(b[0] - a[0], b[2] - a[2])
                stood += 1
    return 100 * slid / travel, slid / (stood * step), stood / total


def stands_in_double(points, planted, step, speed=0.2, height=0.02, window=0.05):
    """Of one joint, what is low and slow: runs within twice the limits that are once within them."""
    n, w = len(points), round(window / step)
    speeds = np.full(n, np.inf)
    for i in range(n):
        for a, b in ((i - w, i), (i, i + w)):
            if a >= 0 and b < n:
                speeds[i] = min(speeds[i], np.linalg.norm(points[b] - points[a]) / (w * step))
    heights = points[:, 1] - planted
    loose, tight = (speeds < 2 * speed) & (heights < 2 * height), (speeds < speed) & (heights < height)
    runs = [run for run in np.split(np.arange(n), np.flatnonzero(np.diff(loose)) + 1) if loose[run[0]] and tight[run].any()]
    joined = runs[:1]
    for run in runs[1:]:
        if run[0] - joined[-1][-1] < w:
            joined[-1] = np.arange(joined[-1][0], run[-1] + 1)
        else:
            joined.append(run)
    return [run for run in joined if run[-1] - run[0] >= w or run[0] == 0 or run[-1] == n - 1]


# ------------------------------------------------------------------------------------------------------------------ slide


@pytest.mark.parametrize("feet", [TOES, ANKLES], ids=["toes", "ankles"])
@pytest.mark.parametrize(("name", "keys"), [("walk", 8), ("walk", 30), ("run", 30), ("turn_left", 15), ("strafe_left", 60), ("stop", 12)])
def test_foot_slide_agrees_with_float64(name, keys, feet):
    clip = getattr(ct.examples, name)().resample(keys)
    found = ct.metrics.foot_slide(clip, feet)
    assert (found.slide, found.speed, found.contact) == pytest.approx(slide_in_double(clip, feet), rel=1e-3, abs=1e-4)
    assert found.feet == tuple(feet)


@pytest.mark.parametrize("name", ["walk", "run", "turn_left", "start"])
def test_a_planted_gait_does_not_slide(name):
    found = ct.metrics.foot_slide(getattr(ct.examples, name)())
    assert found.slide < 0.01
    assert found.contact > 0.2


# Centimetres a metre of toes and ankles, by keys a second; measured, so a change shows. Steps hold the whole body still, feet too. Linear
# keys slide less than cubic ones at 8 and at 30 a second; at 4 they sink so far that the feet seem to stand when they no longer do.
KEYS = {
    (4, "step"): (0.0, 0.0),
    (4, "nlerp"): (44.4, 32.1),
    (4, "cubic"): (33.5, 5.9),
    (8, "nlerp"): (2.66, 2.81),
    (8, "cubic"): (5.20, 2.35),
    (30, "step"): (0.0, 0.08),
    (30, "nlerp"): (0.46, 0.36),
    (30, "cubic"): (0.49, 0.63),
}


@pytest.mark.parametrize(("keys", "interpolation"), KEYS)
def test_slide_of_the_walk_by_keys_and_interpolation(keys, interpolation):
    clip = ct.examples.walk().resample(keys)
    found = [ct.metrics.foot_slide(clip, feet, interpolation=interpolation).slide for feet in (TOES, ANKLES)]
    assert found == pytest.approx(KEYS[keys, interpolation], rel=0.05, abs=0.02)


@pytest.mark.parametrize("feet", [TOES, ANKLES], ids=["toes", "ankles"])
def test_few_keys_slide_far_more(feet):
    few, some, many = (ct.metrics.foot_slide(ct.examples.walk().resample(keys), feet).slide for keys in (4, 8, 30))
    assert few > 10 * some > 30 * many


def test_a_body_that_stands_and_is_carried_slides_by_a_metre_a_metre_and_foot():
    found = ct.metrics.foot_slide(carried(ct.examples.lean(), (0.3, 0, 1.2)))
    assert (found.slide, found.contact) == pytest.approx((200.0, 1.0), rel=1e-3)
    assert found.speed == pytest.approx(np.hypot(0.3, 1.2), rel=1e-3)


def test_a_character_that_does_not_travel_has_no_slide_per_metre():
    with pytest.warns(ct.CanterWarning, match="does not travel") as told:
        found = ct.metrics.foot_slide(ct.examples.idle())
    assert np.isnan(found.slide)
    assert (found.speed, found.contact) == pytest.approx((0.0, 1.0), abs=1e-4)
    assert [warning.filename for warning in told] == [__file__]
    with pytest.warns(ct.CanterWarning, match="does not travel"):
        assert np.isnan(ct.metrics.foot_slide(ct.examples.walk().in_place()).slide)


def test_a_short_slow_loop_travels():
    slow = ct.metrics.foot_slide(ct.examples.walk(speed=0.05))
    assert slow.speed < 0.01
    assert slow.slide < 10


def test_no_contact_is_told():
    with pytest.warns(ct.CanterWarning, match="no contact"):
        found = ct.metrics.foot_slide(ct.examples.walk(), ANKLES, ground=0.0)  # ankles are never on the floor
    assert (found.slide, found.contact) == (0.0, 0.0)
    assert np.isnan(found.speed)


def test_the_seam_of_a_loop_is_measured():
    walk = ct.examples.walk(fps=30)
    whole, closed = ct.metrics.foot_slide(walk), ct.metrics.foot_slide(walk[:-1].replace(looping=True))
    assert (closed.slide, closed.contact) == pytest.approx((whole.slide, whole.contact), rel=0.02)
    torn = ct.examples.walk()[:45]  # the rest of the cycle would follow
    assert ct.metrics.foot_slide(torn).slide < 0.01
    assert ct.metrics.foot_slide(torn.replace(looping=True)).slide > 5


def test_a_turning_loop_has_no_slide_at_its_seam():
    turn = ct.examples.turn_left()
    assert ct.metrics.foot_slide(turn[:-1].replace(looping=True)).slide < 0.3


def test_ground_of_one_clip_serves_another():
    walk = ct.examples.walk()
    ground = ct.metrics.foot_slide(walk, ANKLES).ground
    np.testing.assert_allclose(ground, 0.08, atol=1e-4)
    assert ct.metrics.foot_slide(walk, ANKLES, ground=ground).slide == ct.metrics.foot_slide(walk, ANKLES).slide
    lifted = carried(walk, (0, 0, 0))
    translations = lifted.translations.copy()
    translations[:, 0, 1] += 0.02
    lifted = ct.Clip(walk.skeleton, walk.rotations, translations, fps=60)
    assert ct.metrics.foot_slide(lifted, ANKLES).contact == pytest.approx(ct.metrics.foot_slide(walk, ANKLES).contact)
    with pytest.warns(ct.CanterWarning, match="no contact"):
        assert ct.metrics.foot_slide(lifted, ANKLES, ground=ground).contact == 0


def test_slide_is_the_same_in_other_units_and_axes():
    clip = ct.examples.walk().resample(8)
    right = ct.metrics.foot_slide(clip)
    inches = ct.metrics.foot_slide(clip.scaled(1 / 0.0254), scale=0.0254)
    turned = ct.metrics.foot_slide(turned_about_a_diagonal(clip), up="z")
    for other in (inches, turned):
        assert (other.slide, other.speed, other.contact) == pytest.approx((right.slide, right.speed, right.contact), rel=1e-3)
        np.testing.assert_allclose(other.ground, right.ground, atol=1e-5)


@pytest.mark.parametrize(("unit", "metres"), [("m", 1.0), ("cm", 0.01), ("inch", 0.0254), ("mm", 0.001), ("CMU", 0.0254 / 0.45)])
def test_a_file_in_another_unit_is_told(tmp_path, unit, metres):
    walk = ct.examples.walk()
    ct.save(walk.scaled(1 / metres), tmp_path / "walk.bvh")
    clip = ct.load(tmp_path / "walk.bvh")
    assert clip.source.unit == unit
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right = ct.metrics.foot_slide(clip, scale=metres)
        again = ct.metrics.foot_slide(clip.scaled(metres))  # in metres by now
        assert again.slide == pytest.approx(right.slide, abs=0.01)
        if unit == "m":
            ct.metrics.foot_slide(clip)
    if unit != "m":
        for measure in (ct.metrics.foot_slide, ct.metrics.contacts, ct.metrics.penetration):
            with pytest.warns(ct.CanterWarning, match=rf"looks like {metres:.3g} m.*give scale={metres:.3g}") as told:
                measure(clip)
            assert {warning.filename for warning in told} == {__file__}


# --------------------------------------------------------------------------------------------------------------- contacts


@pytest.mark.parametrize("joint", ["LeftToe", "RightFoot"])
@pytest.mark.parametrize(("name", "keys"), [("start", 60), ("stop", 30), ("jump", 24), ("turn_in_place", 60)])
def test_contacts_agree_with_float64(name, keys, joint):
    clip = getattr(ct.examples, name)().resample(keys)
    points, planted, step, _ = samples_in_double(clip, [joint])
    right = [(run[0] * step, run[-1] * step) for run in stands_in_double(points[:, 0], planted[0], step) if len(run) > 1]
    (found,) = ct.metrics.contacts(clip, joint).values()
    np.testing.assert_allclose(found, np.reshape(right, (-1, 2)), atol=1e-9)


@pytest.mark.parametrize("name", ["walk", "run", "turn_left", "walk_backward", "strafe_left", "start", "stop", "jump", "idle"])
def test_contacts_are_those_that_the_clip_was_made_with(name):
    clip = getattr(ct.examples, name)()
    found, made = ct.metrics.contacts(clip), contact_spans.of_clip(clip)
    assert found.keys() == made.keys()
    times = np.linspace(0, clip.period, 2000)
    for foot, spans in found.items():
        down, right = (np.any([(a <= times) & (times <= b) for a, b in each], axis=0) for each in (spans, made[foot]))
        edges = np.abs(times[:, None] - np.append(made[foot].ravel(), [0, clip.period])).min(axis=1)
        # A foot that comes down slowly is low and slow a little before.
        assert (down == right)[edges > 0.055].all(), foot


@pytest.mark.parametrize("name", ["walk", "run", "start", "strafe_left"])
def test_contacts_are_the_same_at_any_rate(name):
    slow, fast = (ct.metrics.contacts(getattr(ct.examples, name)(fps=fps)) for fps in (30, 120))
    for foot in ("left", "right"):
        assert len(slow[foot]) == len(fast[foot])
        np.testing.assert_allclose(slow[foot], fast[foot], atol=1 / 60 + 1e-6)


def test_noise_breaks_no_contact(rng):
    clip = ct.examples.walk(cycles=4, fps=120)
    shaken = ct.Clip(clip.skeleton, clip.rotations, clip.translations + rng.normal(0, 0.001, (len(clip), 1, 3)), fps=120)
    found = ct.metrics.contacts(shaken)
    assert (len(found["left"]), len(found["right"])) == (4, 5)
    assert min(np.diff(spans[1:-1]).min() for spans in found.values()) > 0.5


def test_speeds_are_those_in_the_world():
    shifts = carried(ct.examples.lean(), (0, 0, 0))
    assert {foot: spans.tolist() for foot, spans in ct.metrics.contacts(shifts).items()} == {"left": [[0.0, 0.5]], "right": [[0.0, 0.5]]}
    treadmill = ct.metrics.contacts(ct.examples.walk().in_place(), ["LeftToe", "RightToe"])
    assert all(np.diff(spans).sum() < 0.1 for spans in treadmill.values())  # where a foot turns round, at most


def raised(side, frames=120, lift=1.2):
    """Standing on one leg, the other bent and still."""
    body = ct.examples.humanoid()
    rotations = identities(frames, len(body))
    rotations[:, body.index(f"{side}UpLeg")] = ct.quat.exp([-lift / 2, 0, 0])
    rotations[:, body.index(f"{side}Leg")] = ct.quat.exp([lift / 2, 0, 0])
    return ct.Clip(body, rotations, fps=60)


@pytest.mark.parametrize("lift", [0.9, 1.2, 1.6])
@pytest.mark.parametrize(("side", "other"), [("Left", "right"), ("Right", "left")])
def test_a_still_foot_in_the_air_is_no_contact(side, other, lift):
    clip = raised(side, lift=lift)
    found = ct.metrics.contacts(clip)
    assert found[side.lower()].size == 0
    np.testing.assert_allclose(found[other], [(0, clip.duration)])
    with pytest.warns(ct.CanterWarning, match="does not travel"):
        assert ct.metrics.foot_slide(clip).contact == 0.5
    assert ct.metrics.contacts(clip, f"{side}Foot", ground=0.0)[side.lower()].size == 0


def test_nothing_is_made_up_at_open_ends():
    """A slice has the contacts of its frames, and a foot that moves in the first or last of them does not stand there."""
    clip = ct.examples.walk(cycles=3)
    whole = ct.metrics.contacts(clip.replace(looping=False), ground=0.02, feet=TOES)
    for first in range(0, 120, 7):
        part = clip[first : first + 50]
        found = ct.metrics.contacts(part, ground=0.02, feet=TOES)
        times = np.arange(50) / 60
        for foot, spans in found.items():
            down = np.any([(a - 1e-9 <= times) & (times <= b + 1e-9) for a, b in spans], axis=0) if len(spans) else np.zeros(50, bool)
            there = times + first / 60
            right = np.any([(a - 1e-9 <= there) & (there <= b + 1e-9) for a, b in whole[foot]], axis=0)
            assert not (down & ~right).any()
            assert (right & ~down).sum() <= 4


def test_contacts_of_a_reversed_clip_are_reversed():
    clip = ct.examples.stop()
    found, back = ct.metrics.contacts(clip), ct.metrics.contacts(clip[::-1])
    for foot, spans in found.items():
        np.testing.assert_allclose(back[foot], (clip.duration - spans)[::-1, ::-1], atol=1e-9)


def test_feet_are_joints_of_sides_or_those_that_are_named():
    walk = ct.examples.walk()
    toe, ankle = (ct.metrics.contacts(walk, joint)["left"] for joint in ("LeftToe", "LeftFoot"))
    assert ankle[-1, 1] < toe[-1, 1]  # the heel leaves first
    both = ct.metrics.contacts(walk, ["LeftToe", "LeftFoot"])
    assert list(both) == ["left"]
    np.testing.assert_allclose(both["left"], ct.metrics.contacts(walk)["left"])
    named = ct.metrics.contacts(walk, {"heel": "LeftFoot", "ball": ["LeftToe"]})
    np.testing.assert_array_equal(named["heel"], ankle)
    np.testing.assert_array_equal(named["ball"], toe)


@pytest.mark.usefixtures("closed_figures")
def test_plots_take_contacts_as_they_are():
    walk = ct.examples.walk()
    found = ct.metrics.contacts(walk)
    assert len(ct.plot.footprints(walk, contacts=found)) == len(ct.plot.footprints(walk))
    assert ct.plot.curves(walk, "LeftToe", contacts=found)


# ------------------------------------------------------------------------------------------------- penetration and bones


def test_penetration_agrees_with_float64():
    clip = carried(ct.examples.jump(), (0, -0.1, 0))
    found = ct.metrics.penetration(clip)
    depth = np.maximum(-positions_in_double(clip, np.arange(len(clip)) * clip.frame_time)[..., 1], 0)
    below = depth > 1e-5
    np.testing.assert_allclose(found.max, depth.max(axis=0), atol=1e-6)
    np.testing.assert_allclose(found.mean, depth.sum(axis=0) / np.maximum(below.sum(axis=0), 1), atol=1e-6)
    np.testing.assert_allclose(found.fraction, below.mean(axis=0))
    assert found.joints == clip.skeleton.names
    assert repr(found) == f"<Penetration: 4 of 18 joints, {found.max.max():.3g} m at most ({found.joints[int(found.max.argmax())]!r})>"


def test_penetration_of_chosen_joints_in_other_units_and_axes():
    clip = ct.examples.walk()
    right = ct.metrics.penetration(clip, TOES, ground=0.05)
    np.testing.assert_allclose(right.max, 0.03, atol=1e-4)
    for found in (
        ct.metrics.penetration(clip.scaled(100), TOES, ground=0.05, scale=0.01),
        ct.metrics.penetration(turned_about_a_diagonal(clip), TOES, ground=0.05, up="z"),
    ):
        np.testing.assert_allclose(found.max, right.max, atol=1e-5)
        assert found.joints == tuple(TOES)
    assert repr(ct.metrics.penetration(clip)) == "<Penetration: none of 18 joints>"


def test_bones_keep_their_length_in_poses_and_not_in_averaged_positions():
    walk, run = ct.examples.walk().global_positions()[:40], ct.examples.run().global_positions()[:40]
    body = ct.examples.humanoid()
    assert ct.metrics.bone_length_error(ct.examples.walk()).max < 1e-6
    mixed = (walk.astype(np.float64) + run) / 2
    found = ct.metrics.bone_length_error(mixed, body)
    bones = np.arange(len(body))[body.parents >= 0]
    lengths = np.linalg.norm(mixed[:, bones] - mixed[:, body.parents[bones]], axis=-1)
    right = lengths - np.linalg.norm(body.offsets[bones].astype(np.float64), axis=-1)
    np.testing.assert_allclose(found.errors[:, bones], right, atol=1e-12)
    assert not found.errors[:, body.parents < 0].any()
    assert (found.max, found.mean) == pytest.approx((np.abs(right).max(), np.abs(right).mean()))
    assert right.max() < 1e-6  # a mean of two is never longer
    assert right.min() < -0.02


def test_bone_lengths_of_another_skeleton_and_of_any_batch():
    body = ct.examples.humanoid()
    tall = ct.Skeleton(body.names, body.parents, body.offsets * 2.0)
    walk = ct.examples.walk()
    found = ct.metrics.bone_length_error(walk, tall)
    assert found.errors.shape == (61, 18)
    np.testing.assert_allclose(found.errors[5, 1:], -np.linalg.norm(body.offsets[1:], axis=1), atol=1e-5)
    one = ct.metrics.bone_length_error(walk.global_positions()[5], tall)
    np.testing.assert_array_equal(one.errors, found.errors[5])
    assert ct.metrics.bone_length_error(np.zeros((2, 0, 18, 3)), body).errors.shape == (2, 0, 18)
    assert repr(one).startswith("<BoneLengthError: 0.")


# ------------------------------------------------------------------------------------------------------------- bad input


metrics: Any = ct.metrics  # called wrongly here
WALK = ct.examples.walk(fps=10)
BALL = ct.Clip(ct.Skeleton(["Ball"], [-1], [(0, 0, 0)]), identities(3, 1), fps=30)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: metrics.foot_slide(WALK.skeleton), TypeError, "clip is Skeleton, expected a Clip"),
        (lambda: metrics.foot_slide(WALK, ["LeftTo"]), IndexError, "no joint 'LeftTo'"),
        (lambda: metrics.foot_slide(WALK, []), ValueError, "feet is empty"),
        (lambda: metrics.foot_slide(WALK, {"left": "LeftToe"}), TypeError, "feet is .* expected a sequence"),
        (lambda: metrics.foot_slide(BALL), ValueError, r"no feet found.*feet=\[\.\.\.\]"),
        (lambda: metrics.foot_slide(WALK[:0]), ValueError, "the clip has no frames"),
        (lambda: metrics.foot_slide(WALK[:1]), ValueError, "the clip has 1 frame, expected 2 or more"),
        (lambda: metrics.foot_slide(WALK, height=0), ValueError, "height is 0, expected metres, above 0"),
        (lambda: metrics.foot_slide(WALK, height=np.nan), ValueError, "height is nan, expected a finite number"),
        (lambda: metrics.foot_slide(WALK, height="low"), TypeError, "height is 'low', expected a number"),
        (lambda: metrics.foot_slide(WALK, ground=[0, 0, 0]), ValueError, r"ground is \[0, 0, 0\], expected .* 2 of them"),
        (lambda: metrics.foot_slide(WALK, ground=np.nan), ValueError, "ground is nan, expected a finite height"),
        (lambda: metrics.foot_slide(WALK, rate=0), ValueError, "rate is 0, expected samples a second"),
        (lambda: metrics.foot_slide(WALK, rate=1e300), ValueError, "1e[+]300 samples a second of 1 s are too many"),
        (lambda: metrics.foot_slide(WALK, interpolation="line"), ValueError, "interpolation is 'line', expected"),
        (lambda: metrics.foot_slide(WALK, up="w"), ValueError, "up is 'w', expected one of 'x', 'y', 'z'"),
        (lambda: metrics.foot_slide(WALK, scale=-1), ValueError, "scale is -1, expected metres in a unit of the clip"),
        (lambda: metrics.foot_slide(WALK, tall=1), TypeError, "unexpected keyword argument 'tall'"),
        (lambda: metrics.contacts("walk.bvh"), TypeError, "metrics.contacts: clip is str, expected a Clip"),
        (lambda: metrics.contacts(WALK, {"left": []}), ValueError, "feet is empty, or one of them is"),
        (lambda: metrics.contacts(WALK, {}), ValueError, "feet is empty"),
        (lambda: metrics.contacts(WALK, {1: "LeftToe"}), TypeError, "a name in feet is 1, expected a str"),
        (lambda: metrics.contacts(WALK, {"left": ["LeftTo"]}), IndexError, r"feet\['left'\].*no joint 'LeftTo'"),
        (lambda: metrics.contacts(WALK, speed=0), ValueError, "speed is 0, expected metres a second"),
        (lambda: metrics.contacts(WALK, height=-1), ValueError, "height is -1, expected metres"),
        (lambda: metrics.contacts(WALK, hysteresis=0.5), ValueError, "hysteresis is 0.5, expected 1 or more"),
        (lambda: metrics.contacts(WALK, window=0), ValueError, "window is 0, expected seconds"),
        (lambda: metrics.contacts(WALK[:1]), ValueError, "1 frame, expected 2 or more"),
        (lambda: metrics.penetration(None), TypeError, "metrics.penetration: clip is NoneType, expected a Clip"),
        (lambda: metrics.penetration(WALK, [99]), IndexError, "99"),
        (lambda: metrics.penetration(WALK, []), ValueError, "joints is empty"),
        (lambda: metrics.penetration(WALK, ground=[0, 1]), TypeError, r"ground is \[0, 1\], expected a number"),
        (lambda: metrics.bone_length_error(np.zeros((3, 18, 3))), TypeError, "positions need a skeleton"),
        (
            lambda: metrics.bone_length_error(np.zeros((18, 3)), WALK),
            TypeError,
            "skeleton is Clip, expected a Skeleton; .*clip.skeleton",
        ),
        (lambda: metrics.bone_length_error(np.zeros((3, 17, 3)), WALK.skeleton), ValueError, r"\(3, 17, 3\), expected \(..., 18, 3\)"),
        (lambda: metrics.bone_length_error(np.full((18, 3), np.nan), WALK.skeleton), ValueError, "positions.*NaN"),
        (lambda: metrics.bone_length_error("walk", WALK.skeleton), TypeError, "positions is 'walk', expected an array of numbers"),
    ],
)
def test_bad_input_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


# --------------------------------------------------------------------------------------------------------------- real pair


def test_cleaned_feet_slide_less_than_raw_ones(shared):
    """Feet and toes within 5 cm of the lowest point, as the list of files says: from 0.55 to 0.27 m/s, measured a little otherwise."""
    found = {}
    for kind in ("raw", "fixed"):
        clip = ct.load(shared / f"data/bvh/footskate_demo_video_2_{kind}.bvh").scaled(0.0254 / 0.45)
        lowest = float(clip.global_positions()[..., 1].min())
        feet = [f"{side}{part}" for side in ("Left", "Right") for part in ("Foot", "ToeBase")]
        found[kind] = (ct.metrics.foot_slide(clip, feet, ground=lowest, height=0.05), ct.metrics.foot_slide(clip))
    (low_raw, raw), (low_fixed, fixed) = found["raw"], found["fixed"]
    assert (low_raw.speed, low_fixed.speed) == pytest.approx((0.56, 0.24), abs=0.02)
    assert (raw.speed, fixed.speed) == pytest.approx((0.36, 0.034), rel=0.1)
    assert raw.slide > 3 * fixed.slide
    assert fixed.contact > 2 * raw.contact
    assert fixed.feet == ("LeftToeBase", "RightToeBase")


@pytest.mark.parametrize(("name", "steps"), [("bandai2_walk_normal_001", (8, 9)), ("bandai1_walk_normal_001", (6, 7))])
def test_every_step_of_a_recorded_walk_is_one_contact(shared, name, steps):
    clip = ct.load(shared / f"data/nc/{name}.bvh", scale=0.01)
    found = ct.metrics.contacts(clip)
    assert (len(found["left"]), len(found["right"])) == steps
    for spans in found.values():
        assert (spans[1:, 0] - spans[:-1, 1]).min() > 0.3
        assert np.diff(spans[1:-1]).min() > 0.5
