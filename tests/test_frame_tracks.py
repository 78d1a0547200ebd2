"""Events and curves of what pose sources play, and of what is recorded of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import canter as ct
from conftest import humanoid, wander

SKELETON = humanoid(4)
MARKERS = {"down": [0.0, 0.3], "up": [0.2], "turn": [0.4]}


def loop(name="walk", markers=MARKERS, **options):
    return wander(SKELETON, 25, fps=50, looping=True, name=name, markers=markers, **options)


def names(frame):
    return [event.name for event in frame.events]


def stack(*layers):
    return ct.LayerStack(SKELETON, [ct.Layer(source, weight=weight) for source, weight in layers])


def curved(name="walk", **curves):
    """A loop of half a second whose curves are the same in all frames."""
    return loop(name, curves={key: np.tile(np.asarray(value, np.float64), (25, *[1] * np.ndim(value))) for key, value in curves.items()})


def made_event(*parts):
    return ct.Event(*parts)


class Made(ct.PoseSource):
    """Shows what the function makes of the count of its updates."""

    def __init__(self, make):
        super().__init__(SKELETON)
        self.make, self.count = make, 0

    def update(self, dt, params):
        self.count += 1
        return self.make(self.count)


# --- events -------------------------------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 2), max_size=20), st.sampled_from([1.0, -1.0, 0.7, -2.5]), st.booleans())
def test_a_player_tells_what_its_clip_has_on_the_way(steps, rate, looping):
    clip = loop().replace(looping=looping)
    start = 0.0 if looping or rate > 0 else clip.duration
    player = ct.ClipPlayer(clip, rate=rate, start=start)
    told = [(event.name, event.time) for dt in steps for event in player.update(dt).events]
    end = start + sum(steps) * rate
    if any(abs(end - event.time) < 1e-6 for event in clip.events(-50, 50)):
        return  # rounding decides whether it got there
    assert told == [(event.name, pytest.approx(event.time % clip.period, abs=1e-9)) for event in clip.events(start, end)]


def test_events_come_in_the_order_of_the_step():
    player = ct.ClipPlayer(loop())
    assert names(player.update(1.0)) == ["down", "up", "down", "turn"] * 2
    assert [event.time for event in player.update(0.25).events] == [0.0, 0.2]
    backward = ct.ClipPlayer(loop(), rate=-1.0, start=0.25)
    assert names(backward.update(0.5)) == ["up", "down", "turn", "down"]


def test_a_step_of_no_time_tells_nothing():
    player = ct.ClipPlayer(loop())
    assert names(player.update(0.0)) == []
    assert names(player.update(0.1)) == ["down"]


def test_an_open_clip_tells_its_end_once():
    player = ct.ClipPlayer(loop().replace(looping=False, markers={"start": [0.0], "end": [0.48]}))
    assert [names(player.update(0.1)) for _ in range(8)] == [["start"], [], [], [], ["end"], [], [], []]


def test_a_loop_that_is_held_at_its_end_is_no_loop():
    clip = loop(markers={"step": [0.0], "late": [0.5]})
    player = ct.ClipPlayer(clip, wrap="clamp")
    assert [names(player.update(0.3)) for _ in range(4)] == [["step"], [], [], []]


def test_the_same_event_of_several_clips_is_one():
    walk, run = loop("walk"), loop("run", {"down": [0.01, 0.3], "up": [0.2]})
    frame = stack((walk, 1.0), (run, 0.75)).update(0.45)
    assert [(event.name, event.time, event.clip.name) for event in frame.events] == [
        ("down", 0.01, "run"),
        ("up", 0.2, "run"),
        ("down", 0.3, "run"),
        ("turn", 0.4, "walk"),
    ]
    np.testing.assert_allclose([event.weight for event in frame.events], [1, 1, 1, 0.25], atol=1e-12)


def test_clips_in_step_tell_their_footfalls_together():
    walk, run = ct.examples.walk(), ct.examples.run()
    space = ct.BlendSpace1D([walk.speed, run.speed])
    player = ct.BlendPlayer(space, [walk, run], params=("speed",), sync="markers")
    told = [event for _ in range(400) for event in player.update(1 / 60, {"speed": 2.4}).events]
    steps = [event for event in told if event.name.endswith("_down")]
    assert [event.name for event in steps] == ["left_down", "right_down"] * (len(steps) // 2) + ["left_down"] * (len(steps) % 2)
    np.testing.assert_allclose([event.weight for event in steps], 1)


def test_a_clip_without_weight_adds_nothing():
    frame = stack((loop("walk", {"a": [0.1]}), 1.0), (loop("off", {"b": [0.1], "a": [0.2]}), 0.0)).update(0.45)
    assert [(event.name, event.time, event.weight) for event in frame.events] == [("a", 0.1, 1.0)]
    hidden = stack((loop("below", {"a": [0.1]}), 1.0), (loop("above", {"b": [0.1]}), 1.0)).update(0.45)
    assert names(hidden) == ["b"]


def test_frames_made_in_python_tell_their_own():
    pose, throw = SKELETON.rest, ct.Event("throw", 0.25)
    frame = ct.Frame(pose, None, [throw])
    assert frame.events == (throw,)
    assert ct.Frame(pose).events == ()
    made = Made(lambda count: ct.Frame(pose, None, [throw, ct.Event("up", 9.0, None, 0.5)] * (count == 1)))
    first, second = (stack((loop(), 1.0), (made, 0.5)).update(0.25) for _ in range(2))
    assert [(event.name, event.time, event.weight) for event in first.events] == [("down", 0, 0.5), ("up", 0.2, 0.75), ("throw", 0.25, 0.5)]
    assert names(second) == ["down", "up"]


def test_frames_that_python_passes_on_are_what_was_played():
    player = ct.ClipPlayer(curved(grip=0.5))
    passing = Made(lambda count: player.update(0.25))
    frame = stack((passing, 1.0)).update(0.25)
    assert [(event.name, event.clip) for event in frame.events] == [("down", player.clip), ("up", player.clip)]
    assert frame.curves == {"grip": 0.5}


# --- curves -------------------------------------------------------------------------------------------------------------------------


def test_a_player_shows_the_curves_at_its_time(rng):
    clip = loop(curves={"grip": rng.uniform(size=25), "aim": rng.standard_normal((25, 3))})
    player = ct.ClipPlayer(clip, rate=-1.3)
    for _ in range(30):
        curves = player.update(0.04).curves
        want = clip.sample_curves(player.time, wrap="loop")
        assert list(curves) == ["grip", "aim"]
        for name in curves:
            np.testing.assert_array_equal(curves[name], want[name])
    assert isinstance(curves["grip"], np.float32)


def test_curves_are_means_over_the_clips_that_have_them():
    half = [np.cos(0.2), 0, np.sin(0.2), 0]
    frame = stack(
        (curved("walk", grip=1.0, aim=[0.0, 1.0, 2.0], turn=[1, 0, 0, 0]), 1.0),
        (curved("run", grip=3.0, turn=np.negative(half)), 0.25),
        (curved("off", grip=99.0, more=1.0), 0.0),
    ).update(0.1)
    assert list(frame.curves) == ["grip", "aim", "turn"]
    assert frame.curves["grip"] == pytest.approx(0.75 * 1 + 0.25 * 3)
    np.testing.assert_array_equal(frame.curves["aim"], [0, 1, 2])
    want = ct.blend([ct.Pose([[1, 0, 0, 0]]), ct.Pose([half])], [0.75, 0.25]).rotations[0]
    np.testing.assert_allclose(frame.curves["turn"], want, atol=1e-6)


def test_a_blend_space_mixes_numbers_vectors_and_rotations_by_its_weights():
    """Halfway to a turn that is stored with the other sign is half the turn."""
    still = curved("walk", grip=0.0, aim=[0.0, 0.0, 0.0], turn=[1, 0, 0, 0])
    turned = curved("run", grip=1.0, aim=[1.0, 2.0, 3.0], turn=np.negative([np.cos(0.5), 0, np.sin(0.5), 0]))
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [still, turned])
    curves = player.update(0.1, {"speed": 0.5}).curves
    assert curves["grip"] == pytest.approx(0.5)
    np.testing.assert_allclose(curves["aim"], [0.5, 1.0, 1.5], atol=1e-6)
    np.testing.assert_allclose(ct.quat.angle(curves["turn"], [np.cos(0.25), 0, np.sin(0.25), 0]), 0, atol=1e-3)


def test_curves_that_do_not_fit_together_are_refused():
    frame = stack((curved(grip=1.0), 1.0), (curved(grip=[1.0, 2.0]), 0.5)).update(0.1)
    with pytest.raises(ValueError, match="'grip' has 1 numbers in .* and 2 in"):
        _ = frame.curves


def test_frames_made_in_python_give_curves_too():
    made = Made(lambda count: ct.Frame(SKELETON.rest, curves={"grip": 3.0, "turn": [0.6, 0.8, 0, 0]}))
    frame = stack((curved(grip=1.0), 1.0), (made, 0.5)).update(0.1)
    assert frame.curves["grip"] == 2
    np.testing.assert_array_equal(frame.curves["turn"], np.float32([0.6, 0.8, 0, 0]))
    assert ct.Frame(SKELETON.rest).curves == {}
    assert ct.Frame(SKELETON.rest, curves={"grip": 3.0}).curves == {"grip": 3.0}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"events": ["step"]}, TypeError, r"Frame: events\[0\] is 'step', expected a canter.Event"),
        ({"events": "step"}, TypeError, "Frame: events is str, expected a sequence of Event"),
        ({"events": [ct.Event("a", 0.0), made_event(5, 0.0)]}, TypeError, r"events\[1\] is .* with a str as its name"),
        ({"events": [made_event("a", "now")]}, TypeError, r"events\[0\] is 'now', expected a number"),
        ({"events": [made_event("a", np.nan)]}, ValueError, r"events\[0\] is nan"),
        ({"curves": ["grip"]}, TypeError, "Frame: curves is list, expected a mapping"),
        ({"curves": {"grip": [[1.0]]}}, ValueError, r"Frame: curve 'grip' has shape \(1, 1\)"),
        ({"curves": {"grip": np.inf}}, ValueError, "Frame: curve 'grip'.*not finite"),
        ({"curves": {"turn": [1, 1, 0, 0]}}, ValueError, "Frame: curve 'turn'.*no rotation"),
    ],
)
def test_bad_tracks_of_a_frame_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        ct.Frame(SKELETON.rest, **options)


# --- recorded -----------------------------------------------------------------------------------------------------------------------


def test_what_is_recorded_has_the_events_as_markers_and_the_curves(rng):
    clip = loop(curves={"grip": rng.uniform(size=25), "aim": rng.standard_normal((25, 3))})
    recorded = ct.record(ct.ClipPlayer(clip), 1.2, fps=30)
    assert {name: times.tolist() for name, times in recorded.markers.items()} == {
        "down": pytest.approx([0, 0.3, 0.5, 0.8, 1.0]),
        "up": pytest.approx([0.2, 0.7]),
        "turn": pytest.approx([0.4, 0.9]),
    }
    want = clip.sample_curves(np.arange(37) / 30, wrap="loop")
    for name in want:
        np.testing.assert_allclose(recorded.curves[name], want[name], atol=1e-5)


def test_a_curve_is_nothing_where_no_clip_has_it():
    made = Made(lambda count: ct.Frame(SKELETON.rest, curves={"grip": 1.0, "turn": [0, 1, 0, 0], "aim": [1, 2]} if count > 2 else {}))
    recorded = ct.record(made, 0.1, fps=30)
    assert recorded.curves["grip"].tolist() == [0, 0, 1, 1]
    np.testing.assert_array_equal(np.abs(recorded.curves["turn"]), [[1, 0, 0, 0]] * 2 + [[0, 1, 0, 0]] * 2)
    assert recorded.curves["aim"].tolist() == [[0, 0], [0, 0], [1, 2], [1, 2]]


def test_curves_that_change_their_width_are_refused_when_recorded():
    made = Made(lambda count: ct.Frame(SKELETON.rest, curves={"aim": np.ones(min(count, 2))}))
    with pytest.raises(ValueError, match="record: curve 'aim' has 2 numbers in frame 1 and 1 before"):
        ct.record(made, 0.1)
