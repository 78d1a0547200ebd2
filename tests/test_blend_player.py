"""The player of a blend space: worked examples, poses and ways mixed by weight, clips in step, and feet that do not slide."""

import warnings

import numpy as np
import pytest

import canter as ct
from canter import metrics

DT = 1 / 60


@pytest.fixture(scope="module")
def idle():
    return ct.examples.idle()


@pytest.fixture(scope="module")
def walk():
    return ct.examples.walk(speed=1.3)


@pytest.fixture(scope="module")
def run():
    return ct.examples.run(speed=3.5)


@pytest.fixture(scope="module")
def gaits(idle, walk, run):
    return [idle, walk, run]


SPEEDS = ct.BlendSpace1D([0, 1.3, 3.5])


def on_spot(clip):
    """The clip as players take it."""
    motion = clip.root_motion(smoothing=min(2 * clip.duration, 3) if clip.looping else 0)
    return clip.in_place(motion), motion


def composed(deltas):
    """Where deltas lead, one after the other: (x, z, heading)."""
    place, heading = 0j, 0.0
    for (x, _, z), turn in deltas:
        place += (z + 1j * x) * np.exp(1j * heading)
        heading += turn
    return place.imag, place.real, heading


def travelled(player, seconds, params, steps=600):
    return composed(player.update(seconds / steps, params).root for _ in range(steps))


# ----------------------------------------------------------------------------------------------------------------- speed and distance


def test_half_a_walk_and_half_a_run_take_their_mean_time_for_their_mean_stride(gaits):
    cycle = ct.BlendPlayer(SPEEDS, gaits).cycle({"speed": 2.4})
    assert cycle.weights == pytest.approx([0, 0.5, 0.5])
    assert cycle.duration == pytest.approx(0.85)
    assert cycle.stride == pytest.approx(1.875, abs=5e-7)
    assert cycle.speed == pytest.approx(2.2059, abs=5e-5)
    assert cycle.rate == 1


@pytest.mark.parametrize("sync", ["markers", "normalized", "none"])
def test_the_body_gets_as_far_as_the_cycle_tells(sync, gaits):
    player = ct.BlendPlayer(ct.BlendSpace1D([1.3, 3.5]), gaits[1:], sync=sync)
    x, z, heading = travelled(player, 17.0, {"speed": 2.4})
    assert (x, heading) == pytest.approx((0, 0), abs=0.02)
    assert z == pytest.approx(17 * (2.4 if sync == "none" else 1.875 / 0.85), rel=1e-4)


@pytest.mark.parametrize("wanted", [0.4, 1.3, 2.4, 3.5, 4.5])
def test_a_scaled_rate_travels_at_the_parameter(wanted, gaits):
    player = ct.BlendPlayer(SPEEDS, gaits, speed="rate")
    assert player.cycle({"speed": wanted}).speed == pytest.approx(wanted, rel=1e-12)
    seconds = 20 * player.cycle({"speed": wanted}).duration
    assert travelled(player, seconds, {"speed": wanted})[1] == pytest.approx(wanted * seconds, rel=1e-3)


def test_what_stands_keeps_its_rate(gaits):
    cycle = ct.BlendPlayer(SPEEDS, gaits, speed="rate").cycle({"speed": 0})
    assert (cycle.rate, cycle.duration) == (1, 8)
    assert cycle.speed == pytest.approx(0, abs=1e-5)


def test_measured_samples_lie_at_the_speeds_of_their_clips(gaits):
    player = ct.BlendPlayer(ct.BlendSpace1D([0, -1.0, 5.0]), gaits, speed="measured")
    assert player.space.positions == pytest.approx([0, -1.3, 3.5], abs=1e-5)
    assert player.speed == "measured"
    plane = ct.BlendSpace2D([(0, 0), (3, 4), (0, -2)], method="delaunay")
    player = ct.BlendPlayer(plane, gaits, speed="measured", params=("left", "ahead"))
    assert player.space.points == pytest.approx(np.array([(0, 0), (0.6 * 1.3, 0.8 * 1.3), (0, -3.5)]), abs=1e-5)
    assert player.space.method == "delaunay"
    with pytest.raises(ValueError, match="measured speeds of the clips: samples 0 and 1 are at the same place"):
        ct.BlendPlayer(ct.BlendSpace1D([1, 2]), gaits[1:2] * 2, speed="measured")


def test_a_plane_is_travelled_where_the_parameters_point_when_its_cycles_are_equal():
    e = ct.examples
    clips = [e.idle(), e.walk(speed=1.0), e.walk_backward(speed=1.0), e.strafe_left(cycle=1.0), e.strafe_right(cycle=1.0)]
    points = [(0, 0), (0, 1), (0, -1), (0.7, 0), (-0.7, 0)]
    player = ct.BlendPlayer(ct.BlendSpace2D(points), clips, params=("left", "ahead"), speed="rate")
    assert player.sync == "markers"
    for query in ((0.5, 0.0), (0.3, 0.3), (-0.2, -0.4)):
        player.reset()
        params = dict(zip(player.params, query, strict=True))
        seconds = 10 * player.cycle(params).duration
        x, z, heading = travelled(player, seconds, params)
        assert np.hypot(x, z) == pytest.approx(np.hypot(*query) * seconds, rel=0.01)
        assert abs(np.angle((z + 1j * x) / (query[1] + 1j * query[0]))) < np.radians(3)
        assert heading == pytest.approx(0, abs=0.03)


# --------------------------------------------------------------------------------------------------------------------- poses and roots


def test_a_frame_is_the_blend_of_the_clips_where_they_are(walk, run):
    player = ct.BlendPlayer(SPEEDS, [walk, walk, run])
    for _ in range(50):
        frame = player.update(0.03, {"speed": 2.0})
        (walked, _), (ran, _) = on_spot(walk), on_spot(run)
        expected = ct.blend([walked.sample(player.times[1], wrap="loop"), ran.sample(player.times[2], wrap="loop")], player.weights[1:])
        np.testing.assert_array_equal(frame.pose.rotations, expected.rotations)
        np.testing.assert_array_equal(frame.pose.translations, expected.translations)


def test_root_deltas_are_summed_by_weight(walk, run):
    player = ct.BlendPlayer(SPEEDS, [walk, walk, run], sync="none")
    before = player.times
    for _ in range(50):
        root = player.update(0.11, {"speed": 2.0}).root
        deltas = [on_spot(clip)[1].delta(start, start + 0.11) for clip, start in zip((walk, run), before[1:], strict=True)]
        expected = sum(w * np.array(d[0]) for w, d in zip(player.weights[1:], deltas, strict=True))
        assert root.translation == pytest.approx(expected, abs=1e-9)
        before = player.times


def test_a_clip_without_weight_adds_nothing(gaits):
    player, alone = ct.BlendPlayer(SPEEDS, gaits), ct.ClipPlayer(gaits[1])
    for _ in range(100):
        blended, single = player.update(DT, {"speed": 1.3}), alone.update(DT)
        assert repr(blended) == repr(single)  # of one clip
        assert blended.root.translation == pytest.approx(single.root.translation, abs=1e-12)
        np.testing.assert_allclose(blended.pose.rotations, single.pose.rotations, atol=1e-6)


def test_headings_are_mixed_in_the_character_s_frame(walk):
    left, right = ct.examples.walk(turn=0.8), ct.examples.walk(turn=-0.8)
    player = ct.BlendPlayer(ct.BlendSpace1D([-1, 1]), [right, left], params=("turn",))
    assert travelled(player, 5.0, {"turn": 1})[2] == pytest.approx(5 * 0.8, rel=5e-3)
    player.reset()
    assert travelled(player, 5.0, {"turn": 0.25})[2] == pytest.approx(0.25 * 5 * 0.8, rel=5e-3)
    player.reset()
    x, z, heading = travelled(player, 5.0, {"turn": 0})
    assert (x, heading) == pytest.approx((0, 0), abs=0.02)
    assert z == pytest.approx(5 * walk.speed, rel=0.01)


def test_parts_of_a_time_lead_to_the_same_place(gaits):
    ends = []
    for steps in (1, 7, 100, 1003):
        player = ct.BlendPlayer(SPEEDS, gaits)
        ends.append([*travelled(player, 9.7, {"speed": 2.1}, steps), player.phase, *player.times])
    assert np.ptp(ends, axis=0)[:2] == pytest.approx(0, abs=1e-3)  # the way sways a little
    assert np.ptp(ends, axis=0)[2:] == pytest.approx(0, abs=1e-6)


def test_whole_cycles_add_up(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits)
    cycle = player.cycle({"speed": 2.4})
    one = player.update(cycle.duration, {"speed": 2.4}).root.translation
    assert player.update(100 * cycle.duration, {"speed": 2.4}).root.translation == pytest.approx(100 * one, abs=1e-6)


def test_scales_of_some_clips_are_mixed_with_1(walk):
    grown = ct.Clip(walk.skeleton, walk.rotations, walk.translations, fps=walk.fps, looping=True, scales=np.full((len(walk), 18, 3), 3.0))
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, grown], sync="normalized")
    assert player.update(DT, {"speed": 0.5}).pose.scales == pytest.approx(2)
    assert player.update(DT, {"speed": 0}).pose.scales == pytest.approx(1)


# ----------------------------------------------------------------------------------------------------------------------------- in step


def test_markers_are_used_when_clips_share_them(idle, walk, run):
    bare = [clip.replace(markers={}) for clip in (walk, run)]
    two = ct.BlendSpace1D([1.3, 3.5])
    assert ct.BlendPlayer(SPEEDS, [idle, walk, run]).sync == "markers"
    assert ct.BlendPlayer(SPEEDS, [idle, walk, run]).markers == ("left_down", "right_down")
    assert ct.BlendPlayer(two, bare).sync == "normalized"
    assert ct.BlendPlayer(two, bare).markers == ()
    assert ct.BlendPlayer(two, [walk, run], sync="none").phase is None
    assert ct.BlendPlayer(two, [walk, run], markers=["left_up"]).markers == ("left_up",)
    with pytest.raises(ValueError, match=r"clip 0 \('walk'\) has left_down, left_up, right_down, right_up; clip 1 \('run'\) has none"):
        ct.BlendPlayer(two, [walk, bare[1]], sync="markers", markers=["left_down"])
    with pytest.raises(ValueError, match=r"don't share markers \(clip 0 \('walk'\) has none; clip 1"):
        ct.BlendPlayer(two, bare, sync="markers")


def test_one_marker_is_the_known_formula(walk, run):
    walk, run = walk.replace(markers={"down": [0.3]}), run.replace(markers={"down": [0.55]})
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, run])
    for _ in range(200):
        player.update(DT, {"speed": 0.4})
        leader, follower = player.times
        phase = np.modf(leader / 1.0 - 0.3 / 1.0 + 1)[0]
        assert follower == pytest.approx(np.modf(0.55 / 0.7 + phase)[0] * 0.7, abs=1e-9)
        assert player.phase == pytest.approx(phase, abs=1e-9)


def test_between_two_named_markers_time_runs_evenly(walk, run):
    """A marker that one clip alone has (here "stumble") takes no part, wherever it lies."""
    walk = walk.replace(markers={"left": [0.1], "right": [0.45], "stumble": [0.7]})
    run = run.replace(markers={"left": [0.2], "right": [0.6]})
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, run], sync="markers")
    assert player.markers == ("left", "right")
    for _ in range(200):
        player.update(DT, {"speed": 0.3})
        leader, follower = player.times
        wanted = np.interp((leader - 0.1) % 1.0, [0, 0.35, 1.0], [0.2, 0.6, 0.9])  # left, right, the next left
        assert (follower - wanted + 0.35) % 0.7 == pytest.approx(0.35, abs=1e-9)


def test_feet_come_down_together_whatever_the_first_foot(walk, run):
    player = ct.BlendPlayer(ct.BlendSpace1D([1.3, 3.5]), [walk, run.mirror()])
    left, right = (np.array([clip.markers[name][0] for clip in player.clips]) for name in ("left_down", "right_down"))
    periods = np.array([clip.duration for clip in player.clips])
    assert left[0] < right[0]
    assert left[1] > right[1]
    for _ in range(300):
        player.update(0.0123, {"speed": 2.2})
        after_left = (player.times - left) % periods < (right - left) % periods
        assert after_left[0] == after_left[1]


def test_a_clip_of_two_cycles_walks_as_the_clip_of_one(walk):
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, ct.examples.walk(speed=1.3, cycles=2)])
    alone = ct.ClipPlayer(walk)
    assert player.cycle({"speed": 0.5}).duration == pytest.approx(1.0)
    assert player.cycle({"speed": 1.0}).stride == pytest.approx(1.3, rel=1e-5)
    for _ in range(150):
        mixed, single = player.update(DT, {"speed": 0.5}).pose, alone.update(DT).pose
        assert ct.quat.angle(mixed.rotations, single.rotations).max() < 0.02


def test_an_idle_breathes_on_its_own_clock_and_the_walk_waits_for_the_next_step(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits)
    assert player.cycle({"speed": 0.65}).duration == 1.0
    for _ in range(20):
        player.update(DT, {"speed": 1.3})
    phase = player.phase
    for _ in range(60):
        player.update(DT, {"speed": 0})
    assert player.phase == phase
    assert player.times[0] == pytest.approx(80 / 60)


def test_a_change_of_speed_makes_no_jump(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits)
    previous, largest = None, 0.0
    for i in range(600):
        pose = player.update(DT, {"speed": 3.5 * i / 600}).pose
        if previous is not None:
            largest = max(largest, ct.quat.angle(previous.rotations, pose.rotations).max())
        previous = pose
    run = on_spot(gaits[2])[0]
    assert largest < 1.1 * ct.quat.angle(run.rotations[1:], run.rotations[:-1]).max()


def test_open_clips_hold_their_ends():
    low, high = ct.examples.jump(height=0.2), ct.examples.jump(height=0.5)
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [low, high], params=("height",))
    assert player.sync == "markers"
    seconds = player.cycle({"height": 0.5}).duration
    assert seconds == pytest.approx((low.duration + high.duration) / 2)
    for _ in range(130):
        player.update(seconds / 120, {"height": 0.5})
    assert player.phase == 1
    assert player.times.tolist() == [low.duration, high.duration]
    held = player.update(1.0, {"height": 0.5})
    assert held.root.translation.tolist() == [0, 0, 0]


def test_clips_that_loop_and_clips_that_end_are_not_in_step(walk):
    jump = ct.examples.jump()
    for sync in ("auto", "markers", "normalized"):
        with pytest.raises(ValueError, match=r"clip 0 \('walk'\) loops, clip 1 \('jump'\) does not"):
            ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, jump], sync=sync)
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [walk, jump], sync="none")
    for _ in range(10):
        player.update(1.0, {"speed": 0.5})
    assert player.times.tolist() == [pytest.approx(0, abs=1e-9), jump.duration]


def test_clips_of_one_frame_are_poses():
    aim = ct.examples.aim()
    poses = [ct.Clip(aim.skeleton, aim.rotations[i : i + 1], aim.translations[i : i + 1], fps=60) for i in (0, 5, 9)]
    player = ct.BlendPlayer(ct.BlendSpace2D([(0, 0), (1, 0), (0, 1)]), poses, params=("yaw", "pitch"), root_motion=False)
    frame = player.update(0.5, {"yaw": 1, "pitch": 0})
    np.testing.assert_allclose(frame.pose.rotations, poses[1].rotations[0], atol=1e-6)
    assert player.cycle({"yaw": 1, "pitch": 0})[:3] == (0, 0, 0)


def test_reset_begins_anew(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits)
    first = player.update(0.3, {"speed": 2}).pose.rotations
    player.update(0.7, {"speed": 1})
    player.reset()
    assert (player.phase, player.weights.tolist()) == (0, [0, 0, 0])
    np.testing.assert_array_equal(player.update(0.3, {"speed": 2}).pose.rotations, first)


# --------------------------------------------------------------------------------------------------------------------------------- feet


def slide(player, ground, **options):
    clip = ct.record(player, 17.0, {"speed": 2.4}, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return metrics.foot_slide(clip, ground=ground).slide


def test_feet_slide_less_when_steps_are_in_step(walk, run):
    """Published for another rig, in cm/m: own clocks 39.3, the other foot first 76.4, markers 4.7, those moved at the parameter 10.3."""
    speeds = ct.BlendSpace1D([1.3, 3.5])
    ground = metrics.foot_slide(walk).ground
    other_foot = [walk, run.mirror()]
    own_clocks = slide(ct.BlendPlayer(speeds, [walk, run], sync="none"), ground)
    same_time = slide(ct.BlendPlayer(speeds, other_foot, sync="normalized"), ground)
    markers = slide(ct.BlendPlayer(speeds, other_foot, sync="markers"), ground)
    pushed = slide(ct.BlendPlayer(speeds, other_foot, sync="markers"), ground, velocity=(0, 0, 2.4))
    scaled = slide(ct.BlendPlayer(speeds, other_foot, sync="markers", speed="rate"), ground)
    assert 30 < own_clocks < 50
    assert 80 < same_time < 110
    assert 3.5 < markers < 6
    assert 7 < pushed < 11
    assert 3.5 < scaled < 6


# ---------------------------------------------------------------------------------------------------------------------------- what is bad


def test_what_does_not_fit_is_refused(gaits, walk):
    one = ct.BlendSpace1D([0])
    for arguments, options, message in (
        ((SPEEDS, gaits[:2]), {}, "clips has 2, the space has 3 samples"),
        ((SPEEDS, 3), {}, "clips is int"),
        ((SPEEDS, [*gaits[:2], 3]), {}, "sample 2: clip is int"),
        ((gaits, SPEEDS), {}, "space is list, expected a canter.BlendSpace1D"),
        ((SPEEDS, gaits), {"params": ("x", "y")}, "the space has 1 dimension; give one name"),
        ((SPEEDS, gaits), {"params": "speed"}, "params is str"),
        ((SPEEDS, gaits), {"params": (3,)}, "params holds 3"),
        ((ct.BlendSpace2D([(0, 0)]), [walk]), {}, "the space has 2 dimensions; give two names"),
        ((SPEEDS, gaits), {"sync": "marker"}, "sync is 'marker'"),
        ((SPEEDS, gaits), {"speed": 1.0}, "speed is 1.0"),
        ((SPEEDS, gaits), {"markers": []}, "markers is empty"),
        ((SPEEDS, gaits), {"markers": "left_down"}, "markers is str"),
        ((SPEEDS, gaits), {"markers": [3]}, "markers holds 3"),
        ((SPEEDS, gaits), {"markers": ["left_dwn"]}, "don't share markers left_dwn"),
        ((SPEEDS, gaits), {"markers": ["left_down"], "sync": "none"}, "markers are for sync 'markers' or 'auto', not 'none'"),
        ((SPEEDS, gaits), {"root_motion": [True]}, "root_motion has 1, expected one for all clips, or 3"),
        ((SPEEDS, gaits), {"root_motion": 2}, "root_motion is int"),
        ((SPEEDS, gaits), {"interpolation": "linear"}, "interpolation is 'linear'"),
        ((one, [walk[:0]]), {}, "sample 0: clip has no frames"),
        ((SPEEDS, [*gaits[:2], ct.examples.run(joints=65)]), {}, "clip 2 has 65 joints, clip 0 has 18"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            ct.BlendPlayer(*arguments, **options)


def test_a_player_that_fails_is_as_before(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits, speed="rate")
    player.update(0.1, {"speed": 2})
    before = (player.phase, player.times.tolist(), player.weights.tolist())
    for params, dt in (({}, 0.1), ({"speed": np.nan}, 0.1), ({"speed": "fast"}, 0.1), ({"speed": 1e308}, 1e308), ({"speed": 2}, -1)):
        with pytest.raises((ValueError, TypeError)):
            player.update(dt, params)
        assert (player.phase, player.times.tolist(), player.weights.tolist()) == before
    with pytest.raises(RuntimeError, match="made already"):
        player.__init__(SPEEDS, gaits)
    with pytest.raises(RuntimeError, match="never made"):
        ct.BlendPlayer.__new__(ct.BlendPlayer).cycle({})


def test_a_player_tells_what_it_was_made_of(gaits):
    player = ct.BlendPlayer(SPEEDS, gaits, params=["pace"])
    assert player.space is SPEEDS
    assert player.clips == tuple(gaits)
    assert player.params == ("pace",)
    assert player.speed == "parameter"
    assert repr(player) == "<BlendPlayer: 3 clips, sync markers>"
