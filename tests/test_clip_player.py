"""The player of one clip: what it shows, how far it travels, where it ends, and what it refuses."""

import copy
import pickle

import numpy as np
import pytest

import canter as ct


@pytest.fixture(scope="module")
def walk():
    return ct.examples.walk()


@pytest.fixture(scope="module")
def turning():
    return ct.examples.turn_left()


@pytest.fixture(scope="module")
def jump():
    return ct.examples.jump()


def bits(pose):
    return pose.rotations.tobytes(), pose.translations.tobytes()


def composed(deltas):
    """Where deltas lead, one after the other: (x, z, heading)."""
    place, heading = 0j, 0.0
    for (x, _, z), turn in deltas:
        place += (z + 1j * x) * np.exp(1j * heading)
        heading += turn
    return place.imag, place.real, heading


def on_spot(clip):
    motion = clip.root_motion(smoothing=min(2 * clip.period, 3) if clip.looping else 0)
    return clip.in_place(motion), motion


@pytest.mark.parametrize("interpolation", ["nlerp", "slerp", "step", "cubic"])
def test_it_shows_the_clip_on_the_spot(walk, interpolation):
    spot, motion = on_spot(walk)
    player, time = ct.ClipPlayer(walk, interpolation=interpolation), 0.0
    for dt in (0.0, 0.013, 0.4, 0.21, 0.0):
        before, time = time, time + dt
        frame = player.update(dt)
        assert player.time == time
        assert bits(frame.pose) == bits(spot.sample(time, interpolation=interpolation, wrap="loop"))
        assert frame.root.turn == motion.delta(before, time).turn
        np.testing.assert_array_equal(frame.root.translation, motion.delta(before, time).translation)


def test_no_time_moves_nothing(walk):
    player = ct.ClipPlayer(walk, start=0.3)
    frame = player.update(0)
    assert (player.time, frame.root.turn, *frame.root.translation) == (0.3, 0, 0, 0, 0)


@pytest.mark.parametrize("rate", [1.0, -1.0, 0.37, -2.5])
@pytest.mark.parametrize("steps", [1, 3, 100, 997])
@pytest.mark.parametrize("name", ["walk", "turning"])
def test_loops_lead_as_far_as_their_deltas_in_any_number_of_steps(name, steps, rate, request):
    clip = request.getfixturevalue(name)
    motion, seconds = on_spot(clip)[1], abs(4 * clip.period / rate)
    player = ct.ClipPlayer(clip, rate=rate)
    way = composed(player.update(seconds / steps).root for _ in range(steps))
    loop = motion.delta(0, np.copysign(clip.period, rate))
    assert way == pytest.approx(composed([loop] * 4), abs=1e-9)
    assert min(player.time, clip.period - player.time) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("steps", [1, 7, 100])
def test_an_open_clip_played_round_and_round_travels_over_its_seam(walk, steps):
    part = walk[:10]
    whole = composed([ct.ClipPlayer(part, wrap="loop").update(5 * part.period).root])
    player = ct.ClipPlayer(part, wrap="loop")
    assert composed(player.update(5 * part.period / steps).root for _ in range(steps)) == pytest.approx(whole, abs=1e-9)
    # The tenth step back to the first frame goes on as those around it.
    assert whole[1] == pytest.approx(5 * 10 / 9 * part.root_motion().delta(0, part.duration).translation[2], rel=0.03)
    assert not player.done


@pytest.mark.parametrize("rate", [1, -1])
def test_an_open_clip_holds_its_end_and_is_done(jump, rate):
    spot = on_spot(jump)[0]
    start, end, last = (0, jump.duration, -1) if rate > 0 else (jump.duration, 0, 0)
    player = ct.ClipPlayer(jump, rate=ct.param("rate"), start=start)
    player.update(jump.duration / 2, {"rate": rate})
    assert not player.done
    frame = player.update(jump.duration / 2 * (1 - 1e-7), {"rate": rate})
    assert player.time == end
    assert player.done
    assert bits(frame.pose) == bits(spot[last])
    frame = player.update(100, {"rate": rate})
    assert (frame.root.turn, *frame.root.translation) == (0, 0, 0, 0)
    player.update(1, {"rate": 0})
    assert player.done
    player.update(0.1, {"rate": -rate})
    assert not player.done


def test_an_end_is_not_met_before_its_tolerance(jump):
    player = ct.ClipPlayer(jump)
    player.update(jump.duration * (1 - 2e-6))
    assert not player.done
    assert player.time < jump.duration


def test_a_loop_is_never_done(walk):
    player = ct.ClipPlayer(walk)
    player.update(walk.period)
    assert not player.done
    assert player.time == 0


@pytest.mark.parametrize("dt", [1e6, 1e15, 1e300])
def test_no_step_is_too_long(walk, jump, dt):
    for clip in (walk, jump):
        player = ct.ClipPlayer(clip)
        frame = player.update(dt)
        assert 0 <= player.time <= clip.duration
        assert np.isfinite([*frame.root.translation, frame.root.turn]).all()
        assert np.isfinite(frame.pose.rotations).all()


def test_a_rate_that_leads_out_of_all_times_is_refused(walk):
    player = ct.ClipPlayer(walk, rate=1e200)
    with pytest.raises(ValueError, match="ClipPlayer: the rate leads out of all times"):
        player.update(1e200)
    assert player.time == 0


@pytest.mark.parametrize("dt", [-0.1, np.nan, np.inf, -np.inf, "1", None, 1j])
def test_what_is_no_step_is_refused_and_moves_nothing(walk, dt):
    player = ct.ClipPlayer(walk, start=0.25)
    with pytest.raises((ValueError, TypeError), match="ClipPlayer.update: dt"):
        player.update(dt)
    assert player.time == 0.25


def test_the_root_motion_of_another_clip_is_refused(walk):
    slower = walk.replace(fps=walk.fps / 2).root_motion()
    with pytest.raises(ValueError, match="another frame time or period than the clip; measure it from this clip"):
        ct.ClipPlayer(walk, root_motion=slower)


def test_a_rate_may_be_a_parameter(walk):
    player = ct.ClipPlayer(walk, rate=ct.param("pace"))
    player.update(0.1, {"pace": 2, "unused": "text"})
    assert player.time == 0.2
    player.update(0.05, {"pace": np.float32(-1)})
    assert player.time == pytest.approx(0.15)
    assert repr(player.rate) == "param('pace')"
    with pytest.raises(ValueError, match=r"ClipPlayer.update: params has no 'pace', which steers this source; it has \['pase'\]"):
        player.update(0.1, {"pase": 1})
    with pytest.raises(ValueError, match="params has no 'pace'"):
        player.update(0.1)
    for bad in (np.nan, "fast", None, [1, 2]):
        with pytest.raises((ValueError, TypeError), match=r"params\['pace'\]"):
            player.update(0.1, {"pace": bad})
    for params in ([1.0], "pace", 3):
        with pytest.raises(TypeError, match="expected a mapping of names to numbers"):
            player.update(0.1, params)
    assert player.time == pytest.approx(0.15)


def test_parameters_are_found_when_what_they_steered_with_is_gone(walk):
    player = ct.ClipPlayer(walk, rate=ct.param("pace"))
    player.update(0.1, {"pace": 1})
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(walk), ct.Layer(walk, weight=ct.param("blend")), ct.Layer(player)])
    stack.update(0.1, {"blend": 0.5, "pace": 2})
    del stack
    player.update(0.1, {"pace": 3})
    assert player.time == pytest.approx(0.6)


def test_time_can_be_set(walk, jump):
    player = ct.ClipPlayer(walk)
    player.time = 0.5
    assert (player.time, player.update(0).root.translation[2]) == (0.5, 0)
    for time in (-0.1, walk.period + 0.1, np.nan, "now"):
        with pytest.raises((ValueError, TypeError), match="ClipPlayer.time"):
            player.time = time
    with pytest.raises(AttributeError, match="deleted"):
        del player.time
    assert player.time == 0.5
    player = ct.ClipPlayer(jump)
    player.update(100)
    player.time = 0.2
    assert not player.done


def test_reset_goes_back_to_the_start(jump):
    player = ct.ClipPlayer(jump, start=0.2)
    first = player.update(0.1).pose
    player.update(100)
    player.reset()
    assert (player.time, player.done) == (0.2, False)
    assert bits(player.update(0.1).pose) == bits(first)


def test_motion_may_stay_in_the_poses_or_be_taken_out_another_way(walk):
    player = ct.ClipPlayer(walk, root_motion=False)
    frame = player.update(0.4)
    assert bits(frame.pose) == bits(walk.sample(0.4))
    assert (frame.root.turn, *frame.root.translation) == (0, 0, 0, 0)
    motion = walk.root_motion(smoothing=0)
    frame = ct.ClipPlayer(walk, root_motion=motion).update(0.4)
    assert bits(frame.pose) == bits(walk.in_place(motion).sample(0.4))
    assert tuple(frame.root.translation) == tuple(motion.delta(0, 0.4).translation)
    with pytest.raises(ValueError, match="frames"):
        ct.ClipPlayer(walk[:10], root_motion=motion)
    with pytest.raises(ValueError, match=r"another axis up than \+y"):
        ct.ClipPlayer(walk, root_motion=walk.root_motion(up="z"))


def test_scales_are_shown(walk):
    scales = np.linspace(1, 2, len(walk) * 18 * 3).reshape(len(walk), 18, 3)
    clip = ct.Clip(walk.skeleton, walk.rotations, walk.translations, fps=60, scales=scales)
    np.testing.assert_allclose(ct.ClipPlayer(clip).update(0.5).pose.scales, clip.sample(0.5).scales)
    assert ct.record(ct.ClipPlayer(clip), 0.1).scales is not None


def test_a_pose_is_a_clip_of_one_frame(walk):
    player = ct.ClipPlayer(walk[:1].replace(looping=False))
    frames = [player.update(0.1) for _ in range(3)]
    assert len({bits(frame.pose) for frame in frames}) == 1
    assert player.done


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": -0.1}, "start is -0.1, expected seconds inside the clip"),
        ({"start": np.nan}, "start"),
        ({"wrap": "around"}, "wrap"),
        ({"interpolation": "smooth"}, "interpolation"),
        ({"rate": "fast"}, "rate"),
        ({"rate": np.inf}, "rate"),
        ({"root_motion": 3}, "root_motion"),
    ],
)
def test_what_does_not_fit_is_refused(walk, options, message):
    with pytest.raises((ValueError, TypeError), match=f"ClipPlayer: {message}"):
        ct.ClipPlayer(walk, **options)


def test_it_is_made_once(walk):
    player = ct.ClipPlayer(walk)
    with pytest.raises(RuntimeError, match="made already"):
        player.__init__(walk)
    failed = ct.ClipPlayer.__new__(ct.ClipPlayer)
    with pytest.raises(TypeError, match="clip"):
        failed.__init__(3)
    with pytest.raises(RuntimeError, match="could not be made before"):
        failed.__init__(walk)
    for use in (lambda: failed.time, lambda: failed.update(0.1), failed.reset, lambda: failed.skeleton):
        with pytest.raises(RuntimeError, match="never made"):
            use()


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_player_is_not_copied(walk, copied):
    with pytest.raises(TypeError, match="cannot pickle"):
        copied(ct.ClipPlayer(walk))


def test_parameters_are_values():
    pace = ct.param("pace")
    assert (pace.name, pickle.loads(pickle.dumps(pace)).name) == ("pace", "pace")
    for name, error in (("", TypeError), (3, TypeError), ("a\0b", ValueError), ("\ud800", ValueError)):
        with pytest.raises(error):
            ct.param(name)
